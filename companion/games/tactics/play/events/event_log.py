"""Every event type of a battle, and the dice of an event for the report."""

from __future__ import annotations

from companion.games.api.play import Event, RolledDice
from companion.games.tactics.play.events import (  # noqa: F401
    board_events,
    fight_events,
    setup_events,
    turn_events,
)
from companion.games.tactics.play.events.event_kinds import EVENTS
from models.lazy_message import say

__all__ = ["EVENTS", "dice"]

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
