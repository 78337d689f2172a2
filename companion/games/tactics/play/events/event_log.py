"""Applying events to the state, their titles, and their dice for the report."""

from __future__ import annotations

from dataclasses import replace

from companion.games.api.play import Event, RolledDice
from companion.games.tactics.play.events import (  # noqa: F401
    board_events,
    fight_events,
    setup_events,
    turn_events,
)
from companion.games.tactics.play.events.event_kinds import KINDS
from companion.games.tactics.play.state import SkirmishState
from models.errors import CompanionError
from models.lazy_message import say


def apply(state: SkirmishState, event: Event) -> SkirmishState:
    """The state after an event: one step of the fold."""
    known = KINDS.get(event.type)
    if known is None or event.version > 1:
        raise CompanionError(
            say(
                "an event {type!r} of version {version} is not known",
                type=event.type,
                version=event.version,
            )
        )
    if drawn := event.data.get("drawn", 0):
        state = replace(state, rolls=state.rolls + drawn)
    return known[0](state, event.data)


def title(event: Event) -> str:
    """The event as a short public sentence."""
    known = KINDS.get(event.type)
    return known[1](event.data) if known else event.type


DICE_WORDS = {
    "roll-off": say("roll for choice"),
    "attack-rolled": say("attack roll"),
    "defence-rolled": say("defence roll"),
    "will-tested": say("Will test"),
    "terrain-rolled": say("terrain charge"),
    "hazard-rolled": say("defence roll"),
}


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event, all with ten faces (TAC-DIE-1)."""
    if event.type == "roll-off":
        return tuple(
            RolledDice(side, DICE_WORDS["roll-off"], (face,), 10)
            for side, face in event.data["dice"]
        )
    faces = event.data.get("faces")
    if not faces:
        return ()
    what = DICE_WORDS.get(event.type, event.type)
    return (RolledDice(event.data.get("side"), what, tuple(faces), 10),)
