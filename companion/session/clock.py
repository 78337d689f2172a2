"""A clock per side: it runs for one side at a time, may be paused, and no undo turns it back.

>>> from companion.session.builtin_events import CLOCK
>>> clock = tell(Clock(), Event(CLOCK, {"minutes": {"blue": 60, "red": 60}}), 0, 0)
>>> clock = tell(clock, Event(CLOCK, {"run": "blue"}), 0, 0)
>>> clock = tell(clock, Event(CLOCK, {"run": "red"}), 90_000, 90_000)
>>> clock.plain(100_000)["sides"]["blue"]
{'used': 90.0, 'left': 3510.0}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.session.game_lookup import Event

MINUTE_MS = 60_000
MOST = 10**6
"""More minutes or seconds than this nobody sets."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time allowed and used by side, and whose time runs since when.

    `runs` is kept while paused: it is whose time will run again. `follows`: the clock goes to
    whomever the game waits for; a player who sets it by hand ends that.
    """

    allowed_ms: Mapping[str, int] = field(default_factory=dict)
    used_ms: Mapping[str, int] = field(default_factory=dict)
    runs: str | None = None
    since_ms: int | None = None
    follows: bool = True

    @property
    def running(self) -> bool:
        """Whether somebody's time is running."""
        return self.since_ms is not None and self.runs is not None

    @property
    def used(self) -> bool:
        """Whether the players play with a clock at all."""
        return bool(self.allowed_ms or self.used_ms or self.runs)

    def spent(self, side: str, now_ms: int) -> int:
        """Milliseconds a side has used up to now."""
        spent = self.used_ms.get(side, 0)
        if self.runs == side and self.since_ms is not None:
            spent += max(0, now_ms - self.since_ms)
        return spent

    def halted(self, now_ms: int) -> Clock:
        """The clock with the running time booked and nobody's time running."""
        if self.runs is None or self.since_ms is None:
            return replace(self, since_ms=None)
        booked = {**self.used_ms, self.runs: self.spent(self.runs, now_ms)}
        return replace(self, used_ms=booked, since_ms=None)

    def plain(self, now_ms: int) -> dict[str, Any]:
        """The clock as the state shows it, in seconds."""
        sides: dict[str, Any] = {}
        for side in sorted({*self.allowed_ms, *self.used_ms, *filter(None, [self.runs])}):
            spent = self.spent(side, now_ms)
            sides[side] = {"used": spent / 1000}
            if side in self.allowed_ms:
                sides[side]["left"] = (self.allowed_ms[side] - spent) / 1000
        return {"side": self.runs, "running": self.running, "sides": sides}


def refuse_odd(said: Mapping[str, Any]) -> None:
    """Refuse what no clock of ours ever said; the file may be somebody else's."""
    times = said.get("minutes", {})
    numbers = [*(times.values() if isinstance(times, dict) else [None]), said.get("seconds", 0)]
    sides = [said.get("run", ""), said.get("add", "")]
    if not all(type(one) in (int, float) and abs(one) < MOST for one in numbers):
        raise ValueError(f"not a time: {numbers!r:.100}")
    if not all(isinstance(one, str) for one in sides):
        raise ValueError(f"not a side: {sides!r:.100}")


def tell(clock: Clock, event: Event, at_ms: int, before_ms: int) -> Clock:
    """The clock after one of its events; `before_ms` is when the log was last written before it."""
    said = event.data
    refuse_odd(said)
    if "minutes" in said:
        allowed = {side: round(minutes * MINUTE_MS) for side, minutes in said["minutes"].items()}
        return replace(clock, allowed_ms={**clock.allowed_ms, **allowed})
    if "add" in said:
        side = said["add"]
        given = clock.allowed_ms.get(side, 0) + round(said["seconds"] * 1000)
        return replace(clock, allowed_ms={**clock.allowed_ms, side: given})
    if "run" in said:
        halted = clock.halted(at_ms)
        follows = said.get("follows", clock.follows)
        return replace(halted, runs=said["run"], since_ms=at_ms, follows=follows)
    if "pause" in said:
        return clock.halted(at_ms)
    if "lost" in said:
        # The program ended while the clock ran: nobody pays for the time it was not there.
        return clock.halted(before_ms)
    return Clock()
