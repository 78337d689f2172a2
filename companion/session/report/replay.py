"""A recorded game step by step: replay forwards and backwards, and export as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.games import package_of
from companion.games.api.new_game import SeatView
from companion.session.fold import History, fold, histories, positions_taken, steps_played
from companion.session.game_view import screen_of, told_step
from companion.session.report.story import Story, build_story
from companion.session.session import view
from companion.session.step import LogStep, MoveTitle, title
from companion.text import translation
from companion.text.translation import _, translate, translate_all
from models import BadInput
from models.field import visible
from models.message import Name

FORMAT = "table-companion/game/1"


def export(steps: list[LogStep]) -> dict[str, Any]:
    """The exported game; it includes information that was hidden during play."""
    history = fold(steps)
    story = build_story(steps)
    counting = {position.seq for position in steps_played(history)}
    return {
        "format": FORMAT,
        "game": story.game or None,
        "began": when(steps[0].at_ms) if steps else None,
        "ended": when(steps[-1].at_ms) if steps else None,
        "winner": story.end.winner if story.end else None,
        "rounds": [{"round": number, "score": dict(score)} for number, score in story.scores()],
        "dice": counted(story, 6),
        "d3": counted(story, 3),
        "state": view(history, None, history.at_ms),
        "steps": [{**step.to_json(), "counts": step.seq in counting} for step in steps],
    }


def counted(story: Story, die: int) -> dict[str, dict[str, int]]:
    """How often each side rolled each face of dice with that many faces."""
    return {
        side: {str(face): count for face, count in sorted(faces.items())}
        for side, faces in story.faces(die).items()
    }


def text(steps: list[LogStep]) -> str:
    """The export as the content of a file."""
    return json.dumps(export(steps), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def hidden_as_json(told: str) -> str:
    """JSON with control characters, which a terminal would interpret, written as escapes."""
    return "\n".join(
        line
        if line.isprintable()
        else "".join(
            letter if visible(letter) == letter else json.dumps(letter)[1:-1] for letter in line
        )
        for line in told.split("\n")
    )


def when(at_ms: int) -> str:
    """A time in ISO 8601 notation."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")


def local_time(at_ms: int) -> str:
    """Day and time where the report is read, as the language writes them."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().strftime(_("%Y-%m-%d, %H:%M"))


@dataclass(frozen=True, slots=True)
class Replay:
    """The history after every step of a log; index 0 is before the first step."""

    histories: tuple[History, ...]

    @classmethod
    def of(cls, steps: Iterable[LogStep]) -> Replay:
        """Fold a log and keep every history."""
        found = cls((History(), *histories(steps)))
        translation.set_game(package_of(found.histories[-1].now.play))
        return found

    def __len__(self) -> int:
        return len(self.histories) - 1

    def at(self, seq: int) -> History:
        """The history after a step."""
        if not 0 <= seq <= len(self):
            raise BadInput("replay", "", f"no step {seq}; there are 1 to {len(self)}")
        return self.histories[seq]

    def state(self, seq: int) -> dict[str, Any]:
        """The public state after a step, with the clock as of that time."""
        history = self.at(seq)
        return view(history, None, history.at_ms)

    def told(self, seq: int) -> str:
        """A step as players would tell it; what is no step of the game by its title."""
        history = self.at(seq)
        if history.last is None:
            return _("before the first step")
        if history.now.seq == seq:
            return told_step(history.now, translate)
        if taken := positions_taken(self.at(seq - 1), history.last.events()):
            count = sum(not one.joined for one in taken)
            last = told_step(taken[-1].whole, translate)
            return translate(title(None, history.last.events(), MoveTitle(count, Name(last))))
        return translate(history.tail[-1][1].text)

    def seats(self, seq: int) -> tuple[SeatView, ...]:
        """The players at a step; none before the game is set up."""
        here = self.at(seq).now
        screen = screen_of(here.game) if here.play is not None else None
        return tuple(screen.seats(here.state)) if screen is not None else ()

    def line(self, seq: int) -> str:
        """A step as one line: number, time, round, score, title."""
        history = self.at(seq)
        step = history.last
        if step is None:
            return _("before the first step")
        cells = [f"{step.seq:>4}", when(step.at_ms)[11:19]]
        here = history.now
        if here.play is not None:
            moment = here.play.moment(here.state)
            score = ":".join(str(moment.score.get(side, 0)) for side in moment.sides)
            cells += [f"{moment.round}", f"{score:>7}"]
        else:
            cells += ["-", f"{'-':>7}"]
        names = {seat.id: translate(seat.name) for seat in self.seats(seq)}
        by = f" ({', '.join(names.get(one, one) for one in step.by)})" if step.by else ""
        return "  ".join([*cells, visible(self.told(seq) + by)])

    def lines(self) -> Iterator[str]:
        return (self.line(seq) for seq in range(1, len(self) + 1))


def walk(replay: Replay, orders: Iterable[str]) -> Iterator[str]:
    """The output for each order: next, back, a step number, the state, the end."""
    here = 0
    yield _("{count} steps; Enter: on, b: back, a number: there, s: state, q: quit").format(
        count=len(replay)
    )
    for order in orders:
        word = order.strip().lower()
        if word in ("q", "quit"):
            return
        if word in ("s", "state"):
            yield json.dumps(translate_all(replay.state(here)), ensure_ascii=False, indent=1)
            continue
        if word in ("", "n", "next"):
            if here == len(replay):
                yield _("that was the last step")
                continue
            here += 1
        elif word in ("b", "back"):
            here = max(0, here - 1)
        elif word.isdecimal() and int(word) <= len(replay):
            here = int(word)
        else:
            yield _("not understood: {word}").format(word=word)
            continue
        yield replay.line(here)
