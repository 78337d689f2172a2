"""Replay of a recorded game, step by step, forwards and backwards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games import package_of
from companion.session.fold import History, histories
from companion.session.report.export import when
from companion.session.session import view
from companion.session.step import LogStep
from companion.text import translation
from companion.text.translation import _, translate, translate_all
from models import BadInput
from models.field import visible


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
        return view(history, None, history.at_ms).plain()

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
        return "  ".join([*cells, visible(translate(history.tail[-1][1].text))])

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
