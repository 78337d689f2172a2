"""The seats that the app plays in a game, and whether its coach may be asked: logged, so that a
saved game goes on with the same rival, and undone like any step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api.play import Event, Plain, Refusal
from companion.games.api.rival import LEVELS, TEMPERS, RivalSeat
from models.field import Field
from models.message import say

RIVAL = "session.rival"
"""A seat that the app plays, a line that its rival leaves, or whether the coach may be asked."""
MOST_SEATS = 6
MOST_COMMANDS = 8


@dataclass(frozen=True, slots=True)
class Rivals:
    """The rivals of a game, the lines they left since the newest step, and the coach."""

    seats: tuple[RivalSeat, ...] = ()
    without: tuple[tuple[Plain, ...], ...] = ()
    coach: bool = True

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(one.seat for one in self.seats)

    def human(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Those of the seats on which people sit: nobody waits for the consent of a rival."""
        return tuple(one for one in seats if one not in self.ids)

    def after(self, event: Event) -> Rivals:
        """The rivals after an event about them."""
        told = event.data
        if "coach" in told:
            return replace(self, coach=bool(told["coach"]))
        if "without" in told:
            left = tuple(Field(told).member("without").items(MOST_COMMANDS, 1))
            return replace(self, without=(*self.without, tuple(one.members() for one in left)))
        seat = RivalSeat(str(told["seat"]), str(told["level"]), str(told.get("temper", "steady")))
        others = tuple(one for one in self.seats if one.seat != seat.seat)
        known = [one.id for one in LEVELS], [one.id for one in TEMPERS]
        plays = seat.level in known[0] and seat.temper in known[1]
        return replace(self, seats=(*others, seat) if plays else others)

    def moved_on(self) -> Rivals:
        """The same after a step of the game: what did not fit before may fit now."""
        return replace(self, without=()) if self.without else self


def seat_event(field: Field, seats: Sequence[str]) -> Event:
    """A rival as a command names it: its seat, level and temper."""
    raw = field.keys({"do", "seat", "level", "temper"}, {"seat", "level"})
    data = {
        "seat": field.member("seat").choice(seats),
        "level": field.member("level").choice((*(one.id for one in LEVELS), "none")),
        "temper": "steady",
    }
    if "temper" in raw:
        data["temper"] = field.member("temper").choice([one.id for one in TEMPERS])
    return Event(RIVAL, {**data, "level": "" if data["level"] == "none" else data["level"]})


def rival_seats(command: Plain) -> list[str]:
    """The seats that a `set-up` command gives to the app."""
    return [
        one.member("seat").text(20) for one in Field(command).member("rivals").items(MOST_SEATS)
    ]


def rivals_of_setup(command: Plain, seats: Sequence[str]) -> Iterator[Event]:
    """The rivals that a `set-up` command names under `rivals`, and its `coach`."""
    field = Field(command)
    for one in field.member("rivals").items(MOST_SEATS) if "rivals" in command else ():
        yield seat_event(one, seats)
    if "coach" in command and not field.member("coach").flag():
        yield Event(RIVAL, {"coach": False})


def rival_events(command: Plain, seats: Sequence[str]) -> tuple[Event, ...] | Refusal:
    """What a `rival` command changes: a seat's rival, or the line that it leaves."""
    field = Field(command)
    if "without" not in command:
        return (seat_event(field, seats),)
    field.keys({"do", "without"})
    lines = [one.members() for one in field.member("without").items(MOST_COMMANDS, 1)]
    return (Event(RIVAL, {"without": lines}),)


def rival_title(event: Event) -> str:
    """The title of an event about a rival or the coach."""
    told: Any = event.data
    if "coach" in told:
        return say("the coach may be asked") if told["coach"] else say("no coach in this game")
    if "without" in told:
        return say("the rival does something else")
    level = next((one.name for one in LEVELS if one.id == told["level"]), "")
    if not level:
        return say("a player takes the rival's place")
    return say("a rival plays: {level}", level=level)
