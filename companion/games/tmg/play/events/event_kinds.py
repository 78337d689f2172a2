"""The registry of event types: how each changes the state, and its title."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.shared.event_registry import Data, EventRegistry, fill_title
from companion.games.tmg.play.state.game_state import GameState
from models.lazy_message import say

__all__ = ["EVENTS", "Data", "called", "dice", "fill_title", "kind", "noted"]

EVENTS = EventRegistry[GameState]()
kind = EVENTS.kind


def noted(told: str, note: str) -> str:
    """A sentence with an optional note in brackets: 'r2: 3 wounds (Longsword)'."""
    return say("{told} ({note})", told=told, note=note) if note else told


def dice(faces: Iterable[int]) -> str:
    """Die faces as text."""
    return " ".join(str(face) for face in faces)


def called(data: Data) -> str:
    """A unit's id and, if the event has it, its name: 'b1 (Stark Sworn Swords)'."""
    return noted(str(data["unit"]), data.get("name", ""))
