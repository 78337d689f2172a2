"""Events: applied to the state, told in a sentence, their dice for the report."""

from __future__ import annotations

from companion.games.playing import Event, Roll
from companion.games.tmg.play.event_kinds import KINDS
from companion.games.tmg.play.happenings import (  # noqa: F401 - each of them brings its kinds
    course,
    court,
    field,
    fights,
    points,
    units,
)
from companion.games.tmg.play.state import State
from models import CompanionError
from models.record import replace


def apply(state: State, event: Event) -> State:
    """The state after an event."""
    known = KINDS.get(event.type)
    if known is None or event.version > 1:
        raise CompanionError(f"an event {event.type!r} of version {event.version} is not known")
    if drawn := event.data.get("drawn", 0):
        state = replace(state, rolls=state.rolls + drawn)
    return known[0](state, event.data)


def title(event: Event) -> str:
    """The event in a short public sentence."""
    known = KINDS.get(event.type)
    return known[1](event.data) if known else event.type


def dice(event: Event) -> tuple[Roll, ...]:
    """The dice that fell in an event."""
    data = event.data
    if event.type == "roll-off":
        return tuple(Roll(side, "roll-off", (face,)) for side, face in data["dice"])
    if event.type == "rerolled":
        return (Roll(data["side"], f"reroll ({data['because']})", tuple(data["new"])),)
    faces = data.get("faces")
    if not faces:
        return ()
    return (Roll(data.get("side"), data.get("what") or event.type, tuple(faces)),)
