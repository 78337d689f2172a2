"""Every event type of the game, and the dice of an event for the report."""

from __future__ import annotations

from companion.games.api.play import Event, RolledDice
from companion.games.tmg.play.events import (  # noqa: F401
    course_events,
    field_events,
    fight_events,
    score_events,
    tactics_events,
    unit_events,
)
from companion.games.tmg.play.events.event_kinds import EVENTS
from models.lazy_message import say

ONE_D3 = ("dangerous", "piece-count")  # TMG-TER-9, TMG-SET-10


__all__ = ["EVENTS", "dice"]


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event: D6 and, if it has one, its D3."""
    data = event.data
    if event.type == "roll-off":
        return tuple(RolledDice(side, "roll-off", (face,)) for side, face in data["dice"])
    faces, what = data.get("faces") or (), data.get("what") or event.type
    places = range(len(faces))
    if event.type == "rerolled":
        faces, places = data["new"], data["places"]
        what = say("reroll ({because})", because=data["because"])
    # In a panic test the third die is the D3 (TMG-PAN-2); in some other rolls the only one is.
    first_d3 = 2 if event.type == "test-rolled" or data.get("test") else 100
    if event.type == "test-rolled":
        what = say("{kind} test", kind=data["kind"])
    if event.type in ONE_D3:
        first_d3 = 0
    rolls = []
    for die, small in ((6, False), (3, True)):
        shown = [face for face, at in zip(faces, places, strict=True) if (at >= first_d3) is small]
        if shown:
            rolls.append(RolledDice(data.get("side"), what, tuple(shown), die))
    return tuple(rolls)
