"""One step of a game that was played, with the names that players know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.api.play import Event
from companion.games.tmg.play.events.event_log import EVENTS
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen.unit_views import short_name
from companion.text.translation import unnumbered
from models.message import LazyMessage, say

NAMED = ("activated", "destroyed", "restored")
"""Events whose title has a unit's id and its name."""


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step: the game before and after it, and its events."""

    before: GameState
    events: tuple[Event, ...]
    after: GameState
    names: GameNames

    def first(self, kind: str) -> Mapping[str, Any] | None:
        """The data of the first event of a type."""
        return next((event.data for event in self.events if event.type == kind), None)

    def unit(self, key: str) -> str:
        return self.names.of(key)

    def short(self, key: str) -> str:
        """The name of a unit as on its badge; a castle wall has words and no name."""
        name = self.names.of(key)
        return name if isinstance(name, LazyMessage) else short_name(name)


def sentence(step: PlayedStep, kind: str, data: Mapping[str, Any]) -> str:
    """The title of an event with the names that players know, each once."""
    title = EVENTS.title(Event(kind, {**data, "name": ""} if kind in NAMED else data))
    return say("{title}.", title=step.names.spelled(unnumbered(title)))


def left(state: GameState, unit: str) -> int:
    return state.unit(unit).wounds_left if state.has_unit(unit) else 0


def change(step: PlayedStep, unit: str) -> dict[str, int]:
    """What a unit had and has left."""
    gone = step.first("destroyed")
    now = 0 if gone is not None and gone["unit"] == unit else left(step.after, unit)
    return {"old": left(step.before, unit), "new": now}


def seat_of(step: PlayedStep, unit: str) -> str:
    return step.after.unit(unit).side if step.after.has_unit(unit) else ""
