"""How long a rival thinks: never longer than a player waits, whatever takes the time, and not at
all once nobody waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli.balance import begun
from companion.engine import rival_turn
from companion.games.api.rival import Line, RivalSeat, in_turns
from companion.games.shared import search as searching
from companion.games.shared.search import LONGEST_S, Abandoned, Search
from companion.games.westeros.play import PLAY
from companion.games.westeros.rival import WesterosRival
from companion.session.rivals import Rivals

SIDE = "stark"


class Clock:
    """A clock of a slow device: it goes on by what each step of the thinking takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return 0.0  # others have the processor


class Slow(WesterosRival):
    """A rival to whom each line, try and judgement takes so long."""

    def __init__(self, clock: Clock, line: float = 0.0, judging: float = 0.0) -> None:
        self.clock, self.line, self.judging = clock, line, judging

    def lines(self, state: Any, side: str) -> Iterator[Line]:
        for _ in range(5):
            for one in super().lines(state, side):
                self.clock.now += self.line
                yield one

    def value(self, state: Any, side: str, temper: Any) -> float:
        self.clock.now += self.judging
        return super().value(state, side, temper)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(searching, "time", found)
    return found


def asked() -> Any:
    """A battle in which the side is asked for its orders."""
    state = begun("westeros", 5)
    for _ in range(20):
        if state.phase == "command" and state.active == SIDE:
            return state
        options = PLAY.options(state)[0]["options"]
        state = PLAY.decide(state, options[0]).after  # type: ignore[union-attr]
    raise AssertionError("it is never asked")


@pytest.mark.parametrize(("line", "judging"), [(0.1, 0.0), (0.0, 0.4), (0.1, 0.4), (0.9, 0.9)])
def test_a_slow_device_gets_an_answer_in_time(clock: Clock, line: float, judging: float) -> None:
    """Finding lines, trying and judging them are all under the limit; one step may be too much."""
    found = Search(Slow(clock, line, judging), RivalSeat(SIDE, "commander")).ranked(asked())
    assert found
    assert clock.now <= LONGEST_S + max(line, judging)


@pytest.mark.parametrize(("line", "judging"), [(0.1, 0.0), (0.0, 0.1)])
def test_nobody_waits_for_what_nobody_needs(clock: Clock, line: float, judging: float) -> None:
    search = Search(
        Slow(clock, line, judging), RivalSeat(SIDE, "commander"), lambda: clock.now > 0.3
    )
    with pytest.raises(Abandoned):
        search.ranked(asked())
    assert clock.now < 0.5


def test_lines_come_of_every_piece_first_one() -> None:
    """So that whoever breaks off has thought of all."""
    one, two, three = (Line(({"do": str(number)},)) for number in range(3))
    assert list(in_turns([iter([one, two]), iter(()), iter([three])])) == [one, three, two]


def test_the_coach_takes_all_the_time_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for advice waits for three different actions, not for the first one."""
    asked_for: list[dict[str, float]] = []

    class Asked(Search):
        def ranked(self, state: Any, without: Any = ()) -> list[Any]:
            asked_for.append({"longest_s": self.longest_s, "seconds": self.seconds})
            return []

    monkeypatch.setattr(rival_turn, "Search", Asked)
    here: Any = SimpleNamespace(game="tactics", play=PLAY, rivals=Rivals(), state=None)
    rival_turn.advice(here, "blue")
    limit = rival_turn.ADVICE_S
    assert asked_for == [{"longest_s": limit, "seconds": limit}]
