"""The registry of event types: how each changes the state, and its title.

Titles name figures and sides by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.shared.event_registry import Data, EventRegistry
from companion.games.tactics.play.state import FigureInPlay, SkirmishState
from models.cell import parse_cell

__all__ = ["EVENTS", "SILENT", "Data", "counted_kill", "kind", "unshaken"]

EVENTS = EventRegistry[SkirmishState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""


def unshaken(state: SkirmishState, figure_id: str, data: Data) -> SkirmishState:
    """The shaken token goes with the roll (TAC-STA-2)."""
    if not data.get("shaken"):
        return state
    return state.with_figure(replace(state.figure(figure_id), shaken=False))


def counted_kill(state: SkirmishState, victim: FigureInPlay, data: Data) -> SkirmishState:
    """The attack may surge onto the victim's spaces, and its killer has one kill more."""
    cells = tuple(parse_cell(cell) for cell in data.get("cells", ()))
    if state.attack is not None and state.attack.target == victim.id:
        state = replace(state, attack=replace(state.attack, killed=True, cells=cells))
    killer, now = data.get("by"), state.activation
    if killer and now is not None and now.figure == killer:
        state = replace(state, activation=replace(now, kills=(*now.kills, victim.kind)))
    return state
