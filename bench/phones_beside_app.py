"""The app with eight phones in its game: how many of its frames it keeps.

python -m bench.phones_beside_app [SECONDS]     slices with and without phones in turn

The phones are in a process of their own, as they are on devices of their own; each second one of
them looks at another unit, and every third second a seat presses a button.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from bench import app
from bench.phones import LANGUAGES, SCREENS, buttons
from companion.web import tablet_phones
from tests.arguments import arguments
from tests.web.served import HERE, Screen, paired

if TYPE_CHECKING:
    from companion.app.scripted.driver import Driver

SLICES = 4
KEPT = 0.9
WATCH = "--phones"


def main(seconds: float) -> None:
    """Frames a second alone and beside the phones, in turn."""
    ratios, cookies = [], list[str]()
    with app.opened() as driver, patch.object(tablet_phones, "home_address", lambda: HERE):
        units = app.first_units(driver)
        for number in range(SLICES):
            alone = app.busy(driver, units[number:], seconds / SLICES)
            with joined(driver, cookies):
                beside = app.busy(driver, units[number:], seconds / SLICES)
            rates = alone.frames / alone.seconds, beside.frames / beside.seconds
            ratios.append(rates[1] / rates[0])
            told = f"{rates[0]:.1f} frames/s alone, {rates[1]:.1f} beside {SCREENS} phones"
            print(told, flush=True)
    print(f"kept {statistics.median(ratios):.0%} of its frames (at least {KEPT:.0%})")


@contextmanager
def joined(driver: Driver, cookies: list[str]) -> Iterator[None]:
    """Eight phones in the app's game, let in once."""
    server = driver.app.phones.start()
    cookies += [paired(server) for _phone in range(SCREENS - len(cookies))]
    told = json.dumps({"url": server.url, "port": server.port, "cookies": cookies})
    command = [sys.executable, "-m", "bench.phones_beside_app", WATCH]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    assert process.stdin is not None
    print(told, file=process.stdin, flush=True)
    driver.until(
        lambda: sum(one.viewer is not None for one in server._memories.values()) >= SCREENS, 60
    )
    yield
    process.kill()
    driver.app.phones.stop()


def phones() -> None:
    """Eight phones that look and press until they are stopped."""
    told = json.loads(sys.stdin.readline())
    server: Any = SimpleNamespace(**told)
    screens = [
        Screen(server, "", LANGUAGES[number % 3], cookie)
        for number, cookie in enumerate(told["cookies"])
    ]
    seats = [one["id"] for one in screens[0].parts["view"]["seats"]]
    for seat, screen in zip(seats, screens[1:], strict=False):
        screen.send({"t": "sit", "seat": seat})
    second = 0
    while True:
        second += 1
        for screen in screens:
            while screen.read(0.01):
                pass
        looking = screens[second % SCREENS]
        pieces = looking.parts.get("pieces") or []
        if second % 3 and pieces:
            press(looking, {"select": pieces[second % len(pieces)]["id"]})
        else:
            player = screens[1 + second // 3 % len(seats)]
            taps = [one["tap"] for one in buttons(player.parts)]
            if taps:
                press(player, {"tap": taps[second % len(taps)]})
        time.sleep(1)


def press(screen: Screen, intent: dict[str, Any]) -> None:
    screen.count += 1
    message = {"t": "do", "n": screen.count, "page": "b", "boot": screen.parts["boot"]}
    screen.send(message | {"intent": intent})


if __name__ == "__main__":
    if sys.argv[1:] == [WATCH]:
        phones()
    else:
        main(*arguments(seconds=40.0))
