"""The search of a rival: every line is tried on copies of the game with other dice and cards, and
judged when what it began is over. It knows no game.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import Line, Rival, RivalLevel, RivalSeat
from models import CompanionError

LONGEST = 40
"""How many steps what a line began may take."""


LONGEST_S = 1.7
"""How long a rival thinks at most, whatever else the device does: a player waits for 2 seconds,
the words of its move among them."""
LINES_SHARE = 0.5
"""Of that time, so much at most is for finding lines; the rest is for trying them."""


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


class Late(Exception):
    """The time for an answer is over."""


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
    _began: tuple[float, float] = (math.inf, math.inf)
    _turn: int = 0

    def ranked(self, state: Any, without: Sequence[Sequence[Plain]] = ()) -> list[RankedLine]:
        """The lines of the seat, the best first; none where it is asked nothing."""
        level, refused = self.seat.skill, {key(one) for one in without}
        self._began = time.monotonic(), time.thread_time()
        here = self.rival.play.veiled(state, self.seat.seat, 0)
        self._turn = self.rival.play.moment(here).turn
        lines = self.lines(here, refused)
        lines.sort(key=lambda one: -one.guess - self.slip(level, one))
        lines = varied(lines)
        several = len(lines) > 1  # else there is nothing to compare
        trials = [Trial(one) for one in lines[: level.tries if several else 0]]
        with suppress(Late):
            for sample in range(1, level.samples + 1):
                for trial in self.promising(trials, sample):
                    self.try_once(here, trial, sample)
        tried = [one for one in trials if one.tries]
        found = [
            RankedLine(one.line.commands, worth + self.slip(level, one.line))
            for one, worth in zip(tried, self.worths(tried), strict=True)
        ]
        found.sort(key=lambda one: -one.value)
        return found or self.first_allowed(here, lines)

    def lines(self, here: Any, refused: Collection[str]) -> list[Line]:
        """What the seat may do, as far as there is time to find it."""
        found: dict[str, Line] = {}
        for one in self.rival.lines(here, self.seat.seat):
            if self.seat.skill.hasty:
                one = replace(one, commands=self.rival.first_action(one.commands))
            name = key(one.commands)
            if name not in refused and (name not in found or found[name].guess < one.guess):
                found[name] = one
            if self.late(LINES_SHARE) and found:
                break
        return list(found.values())

    def first_allowed(self, here: Any, lines: Sequence[Line]) -> list[RankedLine]:
        """The most promising line that the rules allow, where nothing was compared."""
        allowed = (one for one in lines if self.carried_out(here, one.commands) is not None)
        return [RankedLine(one.commands, 0.0) for one in islice(allowed, 1)]

    def promising(self, trials: list[Trial], sample: int) -> list[Trial]:
        """The lines to try once more: all of them first, then each time half as many of the best
        that roll dice, so that luck in one try does not choose."""
        if sample == 1:
            return trials
        left = [one for one in trials if one.tries and not one.settled]
        worths = dict(zip(map(id, left), self.worths(left), strict=True))
        left.sort(key=lambda one: -worths[id(one)])
        return left[: max(2, len(trials) >> (sample - 1))]

    def worths(self, trials: Sequence[Trial]) -> list[float]:
        """What tried lines are worth: of those that roll dice their guess counts like some tries,
        for one roll tells less than the odds."""
        weight = self.rival.guessed if self.seat.skill.odds else 0
        rolled = [one for one in trials if not one.settled]
        more = sum(one.worth - one.line.guess for one in rolled) / max(1, len(rolled))
        return [
            one.worth
            if one.settled
            else (one.total + weight * (one.line.guess + more)) / (one.tries + weight)
            for one in trials
        ]

    def late(self, share: float = 1.0) -> bool:
        """Whether the time for an answer is over, or such a share of what a player waits for."""
        if self.stopped():
            raise Abandoned
        seconds = self.seconds or self.rival.seconds
        waited, worked = time.monotonic() - self._began[0], time.thread_time() - self._began[1]
        return waited > share * self.longest_s or worked > seconds

    def in_time(self) -> None:
        """Break off a try that nobody can wait for."""
        if self.late():
            raise Late

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
        trial.settled = rolls(after) == rolls(copy)  # without dice every copy ends alike
        trial.total += self.value(after, self.seat.seat)
        trial.tries += 1

    def begun(self, here: Any, line: Line) -> tuple[Any, list[Plain]] | None:
        """The state before the first die of a line, which is alike in every copy, and what is left
        of the line; None if the rules refuse it."""
        before, rest = here, list(line.commands)
        while len(rest) > 1:
            self.in_time()
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
        self.in_time()
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
        for line in self.answers(state, side):
            after = self.carried_out(state, line.commands)
            if after is None:
                continue
            if not found and rolls(after) != rolls(state):
                return after  # dice are rolled before anybody knows what they show
            found.append(after)
        if len(found) < 2:
            return found[0] if found else None
        return max(found, key=lambda one: self.value(one, side))

    def value(self, state: Any, side: str) -> float:
        """What a position is worth to a side, as long as there is time to judge it."""
        self.in_time()
        return self.rival.value(state, side, self.seat.weights)

    def answers(self, state: Any, side: str) -> Iterator[Line]:
        """What a side may answer, or anybody where it has nothing to say."""
        line = None
        for line in self.rival.lines(state, side):
            self.in_time()
            yield line
        if line is None:
            yield from self.anybody(state)

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
