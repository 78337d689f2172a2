"""A chess clock per side: it runs for one side at a time, can be paused, and ignores undo.

>>> from companion.session.step import CLOCK
>>> clock = apply_clock_event(Clock(), Event(CLOCK, {"minutes": {"blue": 60, "red": 60}}), 0, 0)
>>> clock = apply_clock_event(clock, Event(CLOCK, {"run": "blue"}), 0, 0)
>>> clock = apply_clock_event(clock, Event(CLOCK, {"run": "red"}), 90_000, 90_000)
>>> clock.to_json(100_000)["sides"]["blue"]
{'used': 90.0, 'left': 3510.0}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.api.play import Event

MINUTE_MS = 60_000
MOST = 10**6
"""The largest number of minutes or seconds that can be set."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time allowed and used per side, and for which side the clock is running since when.

    `runs` keeps its value while the clock is paused: it is the side whose time resumes. With
    `follows` the clock switches to the side the game is waiting for; setting the clock by hand
    turns that off.
    """

    allowed_ms: Mapping[str, int] = field(default_factory=dict)
    used_ms: Mapping[str, int] = field(default_factory=dict)
    runs: str | None = None
    since_ms: int | None = None
    follows: bool = True

    @property
    def running(self) -> bool:
        """Whether the clock is running for any side."""
        return self.since_ms is not None and self.runs is not None

    @property
    def used(self) -> bool:
        """Whether this game uses a clock at all."""
        return bool(self.allowed_ms or self.used_ms or self.runs)

    def spent(self, side: str, now_ms: int) -> int:
        """The milliseconds a side has used up to now."""
        spent = self.used_ms.get(side, 0)
        if self.runs == side and self.since_ms is not None:
            spent += max(0, now_ms - self.since_ms)
        return spent

    def halted(self, now_ms: int) -> Clock:
        """The stopped clock, with the elapsed time added to the side it was running for."""
        if self.runs is None or self.since_ms is None:
            return replace(self, since_ms=None)
        booked = {**self.used_ms, self.runs: self.spent(self.runs, now_ms)}
        return replace(self, used_ms=booked, since_ms=None)

    def to_json(self, now_ms: int) -> dict[str, Any]:
        """The clock as a JSON object for the state view, in seconds."""
        sides: dict[str, Any] = {}
        for side in sorted({*self.allowed_ms, *self.used_ms, *filter(None, [self.runs])}):
            spent = self.spent(side, now_ms)
            sides[side] = {"used": spent / 1000}
            if side in self.allowed_ms:
                sides[side]["left"] = (self.allowed_ms[side] - spent) / 1000
        return {"side": self.runs, "running": self.running, "sides": sides}


def refuse_odd(said: Mapping[str, Any]) -> None:
    """Raise unless the event data is valid; a file from elsewhere may contain anything."""
    times = said.get("minutes", {})
    numbers = [*(times.values() if isinstance(times, dict) else [None]), said.get("seconds", 0)]
    sides = [said.get("run", ""), said.get("add", "")]
    if not all(type(one) in (int, float) and abs(one) < MOST for one in numbers):
        raise ValueError(f"not a time: {numbers!r:.100}")
    if not all(isinstance(one, str) for one in sides):
        raise ValueError(f"not a side: {sides!r:.100}")


def apply_clock_event(clock: Clock, event: Event, at_ms: int, before_ms: int) -> Clock:
    """Apply a clock event; `before_ms` is the time of the last log entry before it."""
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
        # The program ended while the clock was running: that time is charged to nobody.
        return clock.halted(before_ms)
    return Clock()
