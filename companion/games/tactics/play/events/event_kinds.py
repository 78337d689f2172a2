"""The registry of event types: how each changes the state, and its title.

Titles name figures and sides by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.tactics.play.state import SkirmishState

Data = Mapping[str, Any]
Change = Callable[[SkirmishState, Data], SkirmishState]
Title = Callable[[Data], str]
KINDS: dict[str, tuple[Change, Title]] = {}


def happening(name: str, title: Title) -> Callable[[Change], Change]:
    """A decorator that registers a function as the handler of an event type."""

    def known(change: Change) -> Change:
        KINDS[name] = (change, title)
        return change

    return known


def silent(data: Data) -> str:
    """No title: the other events of the command say it."""
    return ""


def unshaken(state: SkirmishState, figure_id: str, data: Data) -> SkirmishState:
    """The shaken token goes with the roll (TAC-STA-2)."""
    if not data.get("shaken"):
        return state
    return state.with_figure(replace(state.figure(figure_id), shaken=False))
