"""Every event type of a battle, and the dice of an event for the report."""

from __future__ import annotations

from companion.games.api.play import Event, RolledDice
from companion.games.westeros.combat.die import SIDES
from companion.games.westeros.play.events import (  # noqa: F401
    battle_events,
    round_events,
    setup_events,
)
from companion.games.westeros.play.events.event_kinds import EVENTS
from models.lazy_message import say

__all__ = ["EVENTS", "dice"]

DICE_WORDS = {
    "organised": say("orders"),
    "attack-rolled": say("attack roll"),
    "fire-rolled": say("fire roll"),
}


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event, all with eight faces (BOW-CMP-2)."""
    faces = event.data.get("faces")
    if not faces:
        return ()
    what = DICE_WORDS.get(event.type, event.type)
    return (RolledDice(event.data.get("side"), what, tuple(faces), SIDES),)
