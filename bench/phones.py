"""Phones: eight screens in three languages at each game, from a tap to the last screen.

Prints milliseconds beside the time of one view on this machine in the same run, the sizes of whole
frames and updates, and the memory of the server's process.
"""

from __future__ import annotations

import json
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from companion.web.server import PhoneServer
from tests.arguments import arguments
from tests.web.served import GAMES, Screen, served

LANGUAGES = ("en", "de", "ru")
SCREENS, POSTS = 8, 24
MEDIAN_MS, SLOW_MS, FRAME_KB = 150, 400, 30


class Listener(threading.Thread):
    """Reads what one screen is sent, and when each step came."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(daemon=True)
        self.screen, self.arrived = screen, dict[int, float]()
        self.over = False

    def run(self) -> None:
        """Read until the end, or until the server says that it is over."""
        with suppress(ConnectionClosed):
            while not self.over:
                count = len(self.screen.frames)
                self.screen.read(0.2)
                if len(self.screen.frames) > count:
                    seq = self.screen.parts["view"]["seq"]
                    self.arrived.setdefault(seq, time.perf_counter())


def main() -> None:
    """Print a row for each game."""
    for game in GAMES:
        with (
            tempfile.TemporaryDirectory() as folder,
            served(Path(folder) / "practice-1.game", game) as server,
        ):
            print(game, " ".join(measured(server)), flush=True)


def measured(server: PhoneServer) -> Iterator[str]:
    """The figures of one game."""
    first = Screen(server, "")
    seats = [seat["id"] for seat in first.parts["view"]["seats"]]
    screens = [first]
    for number in range(SCREENS - 1):
        seat = seats[number] if number < len(seats) else ""
        screens.append(Screen(server, seat, LANGUAGES[number % 3]))
    for screen in screens:
        screen.settle()
    whole = max(size(screen.parts) for screen in screens)
    for screen in screens:
        screen.frames.clear()
    listeners = [Listener(screen) for screen in screens]
    for listener in listeners:
        listener.start()
    begun = list(post_all(server, screens[1 : 1 + len(seats)]))
    time.sleep(2)
    for listener in listeners:
        listener.over = True
    late = sorted(
        1000 * (max(one.arrived[seq] for one in listeners) - start)
        for seq, start in begun
        if all(seq in one.arrived for one in listeners)
    )
    updates = [len(frame) / 1000 for screen in screens for frame in screen.frames]
    if not late:
        yield "nobody could press anything"
        return
    middle, slow = statistics.median(late), late[int(0.95 * (len(late) - 1))]
    alone = view_ms(server)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield f"{len(late)} posts: last screen {middle:.0f} ms median, {slow:.0f} ms p95"
    yield f"(bars {MEDIAN_MS}, {SLOW_MS}; {middle / alone:.1f} views of {alone:.1f} ms)"
    yield f"whole {whole:.1f} kB (bar {FRAME_KB}), update {statistics.median(updates):.1f} kB"
    yield f"server and eight clients {memory:.0f} MB"


def size(parts: dict[str, Any]) -> float:
    """The size of everything that a screen was sent, in kB."""
    return len(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()) / 1000


def post_all(server: PhoneServer, players: list[Screen]) -> Iterator[tuple[int, float]]:
    """Let players press buttons; each step that it makes, and when it was sent."""
    for number in range(POSTS):
        before = newest(server)
        for screen in players:
            taps = [one["tap"] for one in buttons(screen.parts)]
            if not taps:
                continue
            screen.count += 1
            start = time.perf_counter()
            intent = {"tap": taps[number % len(taps)]}
            screen.send(
                {"t": "do", "n": screen.count, "page": "b", "boot": screen.parts["boot"]}
                | {"intent": intent}
            )
            time.sleep(0.6)
            if newest(server) > before:
                yield newest(server), start
                break


def buttons(parts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a screen offers to press: dice that the app rolls, buttons but the coach's (it answers
    its own screen alone, and thinks), pieces, and what units may do."""
    for prompt in parts["prompts"] or ():
        yield from (one for one in prompt.get("dice", ()) if one.get("app_rolls"))
        yield from (one for one in prompt.get("choices", ()) if one.get("name") != "coach")
        yield from prompt.get("pieces", ())
    yield from (one for one in parts["offers"] or () if not one.get("asks"))


def newest(server: PhoneServer) -> int:
    return server._host.call(lambda game: game.session.history.seq).result(20)


def view_ms(server: PhoneServer) -> float:
    """How long one screen's view takes alone."""
    viewer = next(memory.viewer for memory in server._memories.values() if memory.viewer)
    start = time.perf_counter()
    for _ in range(10):
        server._host.call(lambda _game: viewer.parts()).result(20)
    return 100 * (time.perf_counter() - start)


if __name__ == "__main__":
    arguments()
    main()
