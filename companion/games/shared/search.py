"""The search of a rival: every line is tried on copies of the game with other dice and cards, and
judged when what it began is over. It knows no game.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import Line, Rival, RivalLevel, RivalSeat
from models import CompanionError

LONGEST = 40
"""How many steps what a line began may take."""


LONGEST_S = 2.0
"""How long a player waits for a rival at most, whatever else the device does."""


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line with what it is worth on average."""

    commands: tuple[Plain, ...]
    value: float


@dataclass(slots=True)
class Trial:
    """A line that is tried, and what its tries came to."""

    line: Line
    begun: tuple[Any, list[Plain]] | None = None
    total: float = 0.0
    tries: int = 0
    settled: bool = False
    """Whether it rolls no dice."""

    @property
    def worth(self) -> float:
        return self.total / self.tries


class Abandoned(Exception):
    """Nobody needs the answer any more."""


@dataclass(slots=True)
class Search:
    """Ranks the lines of one seat: the promising ones closely, as many as there is time for.

    It raises `Abandoned` once `stopped` says that nobody needs the answer.
    """

    rival: Rival[Any]
    seat: RivalSeat
    stopped: Callable[[], bool] = lambda: False
    longest_s: float = LONGEST_S
    seconds: float = 0.0
    """Of a processor's time; 0: as much as its game allows."""
    _ends: tuple[float, float] = (math.inf, math.inf)
    _turn: int = 0

    def ranked(self, state: Any, without: Sequence[Sequence[Plain]] = ()) -> list[RankedLine]:
        """The lines of the seat, the best first; none where it is asked nothing."""
        level, refused = self.seat.skill, {key(one) for one in without}
        seconds = self.seconds or self.rival.seconds
        self._ends = time.monotonic() + self.longest_s, time.thread_time() + seconds
        here = self.rival.play.veiled(state, self.seat.seat, 0)
        self._turn = self.rival.play.moment(here).turn
        lines = [
            one
            for one in self.rival.lines(here, self.seat.seat)
            if key(one.commands) not in refused
        ]
        lines.sort(key=lambda one: -one.guess - self.slip(level, one))
        lines = varied(lines)
        if len(lines) == 1:  # nothing to compare
            sure = self.carried_out(here, lines[0].commands) is not None
            return [RankedLine(lines[0].commands, 0.0)] if sure else []
        trials = [Trial(one) for one in lines[: level.tries]]
        for sample in range(1, level.samples + 1):
            for trial in self.promising(trials, sample):
                if any(one.tries for one in trials) and self.late():
                    break
                self.try_once(here, trial, sample)
        found = [
            RankedLine(one.line.commands, one.worth + self.slip(level, one.line))
            for one in trials
            if one.tries
        ]
        found.sort(key=lambda one: -one.value)
        return found

    def promising(self, trials: list[Trial], sample: int) -> list[Trial]:
        """The lines to try once more: all of them first, then the better half of what rolls."""
        if sample == 1:
            return trials
        left = sorted((one for one in trials if one.tries), key=lambda one: -one.worth)
        return [one for one in left[: max(2, len(left) // 2)] if not one.settled]

    def late(self) -> bool:
        """Whether the time for an answer is over."""
        if self.stopped():
            raise Abandoned
        return time.monotonic() > self._ends[0] or time.thread_time() > self._ends[1]

    def slip(self, level: RivalLevel, line: Line) -> float:
        """An error of judgement: the same for the same line in a turn, whatever is hidden."""
        chance = Random(f"{self.seat.seat} {self._turn} {key(line.commands)}")
        return chance.gauss(0.0, level.slip * self.rival.slips)

    def try_once(self, here: Any, trial: Trial, sample: int) -> None:
        """Carry out a line on a copy with other dice; nothing is added if the rules refuse it."""
        if trial.tries == 0:
            trial.begun = self.begun(here, trial.line)
        if trial.begun is None:
            return
        before, rest = trial.begun
        copy = self.rival.play.veiled(before, self.seat.seat, sample)
        after = self.played(copy, rest)
        if after is None:
            trial.begun = None
            trial.tries = 0
            return
        trial.total += self.rival.value(after, self.seat.seat, self.seat.weights)
        trial.tries += 1
        trial.settled = rolls(after) == rolls(copy)  # without dice every copy ends alike

    def begun(self, here: Any, line: Line) -> tuple[Any, list[Plain]] | None:
        """The state before the first die of a line, which is alike in every copy, and what is left
        of the line; None if the rules refuse it."""
        before, rest = here, list(line.commands)
        while len(rest) > 1:
            after = self.carried_out(before, rest[:1])
            if after is None:
                return None
            if rolls(after) != rolls(before) or self.rival.busy(after):
                break
            before = after
            del rest[0]
        return before, rest

    def played(self, state: Any, commands: Sequence[Plain]) -> Any:
        """The state after a line and what it began; None if the rules refuse it."""
        state = self.carried_out(state, commands)
        for _ in range(LONGEST if state is not None else 0):
            after = self.answered(state) if self.rival.busy(state) else None
            if after is None:
                break
            state = after
        return state

    def answered(self, state: Any) -> Any:
        """The state after whoever is asked has answered as it seems best at once."""
        side = next(iter(self.rival.waits(state)), self.seat.seat)
        found: list[Any] = []
        for line in self.rival.lines(state, side) or self.anybody(state):
            after = self.carried_out(state, line.commands)
            if after is None:
                continue
            if not found and rolls(after) != rolls(state):
                return after  # dice are rolled before anybody knows what they show
            found.append(after)
        if len(found) < 2:
            return found[0] if found else None
        return max(found, key=lambda one: self.rival.value(one, side, self.seat.weights))

    def anybody(self, state: Any) -> list[Line]:
        """What anybody may answer, where no side is asked."""
        offered = self.rival.play.options(state)[:1]
        return [Line((one,)) for given in offered for one in given["options"]]

    def carried_out(self, state: Any, commands: Sequence[Plain]) -> Any:
        """The state after commands; None if the rules refuse one of them."""
        try:
            for command in commands:
                decision = self.rival.play.decide(state, command)
                if isinstance(decision, Refusal):
                    return None
                state = decision.after
        except CompanionError:  # a place that no table can show
            return None
        return state


def varied(lines: Sequence[Line]) -> list[Line]:
    """The lines in their order, but the first of every action before the second of any: lines that
    differ only in where a tray goes are one action."""
    seen: Counter[str] = Counter()
    found: list[tuple[int, Line]] = []
    for line in lines:
        action = key([one for one in line.commands if one["do"] != "table"])
        found.append((seen[action], line))
        seen[action] += 1
    return [line for _, line in sorted(found, key=lambda one: one[0])]


def rolls(state: Any) -> int:
    """How many dice a game has drawn."""
    return int(getattr(state, "rolls", 0))


def key(commands: Sequence[Plain]) -> str:
    """Commands as a text that is the same for the same commands."""
    return json.dumps([dict(one) for one in commands], sort_keys=True)
