"""The state as other programs see it, and the battle report's sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.api.play import ArmySummary, Event, UnitSummary
from companion.games.tactics.play.events.event_log import EVENTS
from companion.games.tactics.play.prompts import options, pending
from companion.games.tactics.play.scoring import objectives_held
from companion.games.tactics.play.state import (
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    battle_position,
)
from companion.games.tactics.rules.contact import engaged_with
from models.cell import cell_text
from models.lazy_message import say

FATES = {
    "waiting": say("waiting"),
    "board": say("alive"),
    "killed": say("killed"),
    "captive": say("captured"),
}


def view(state: SkirmishState, side: str | None = None) -> dict[str, Any]:
    """The whole state; agendas only for their owner's side (TAC-AGD-1)."""
    position = battle_position(state)
    engaged = {
        one.id: [enemy.id for enemy in engaged_with(position, one)] for one in position.figures
    }
    asked = [
        {"what": one.what, "say": one.say, "side": one.side, "commands": list(one.commands)}
        | dict(given)
        for one, given in zip(pending(state), options(state, side), strict=True)
    ]
    now = state.acting
    return {
        "scenario": state.scenario.name,
        "round": state.round,
        "rounds": state.scenario.rounds,
        "phase": state.phase,
        "active": state.active or None,
        "first": state.first or None,
        "vp": {squad.id: squad.vp for squad in state.squads},
        "winner": state.winner or None,
        "squads": {squad.id: squad_view(state, squad, side) for squad in state.squads},
        "figures": {one.id: figure_view(one, engaged.get(one.id, [])) for one in state.figures},
        "acting": {"figure": now.figure, "ap": now.ap, "free": now.free} if now else None,
        "objectives": objectives_held(state),
        "points": [{"side": who, "points": n, "why": why} for who, n, why in state.points],
        "pending": asked,
    }


def squad_view(state: SkirmishState, squad: SquadInPlay, side: str | None) -> dict[str, Any]:
    """A squad; its agendas by name for its owner, by count for others."""
    mine = side == squad.id
    return {
        "player": squad.player,
        "faction": squad.faction,
        "coins": squad.coins.plain(),
        "zone": squad.zone or None,
        "agendas": list(squad.agenda) if mine else len(squad.agenda),
        "dealt": list(squad.dealt) if mine else len(squad.dealt),
        "captives": state.captives(squad.id),
    }


def figure_view(figure: FigureInPlay, engaged: list[str]) -> dict[str, Any]:
    """A figure with its tokens."""
    text: dict[str, Any] = {
        "name": figure.name,
        "side": figure.side,
        "kind": figure.kind,
        "fate": figure.fate,
        "cell": cell_text(figure.cell) if figure.cell else None,
        "health": figure.health,
        "wounds": figure.wounds,
        "activated": figure.activated,
        "engaged": engaged,
    }
    for key in ("shaken", "frozen", "equipment", "captor"):
        if value := getattr(figure, key):
            text[key] = value
    if figure.nemeses:
        text["nemeses"] = list(figure.nemeses)
    return text


QUIET = ("coins", "placed", "mark")


def report_sentence(state: SkirmishState, event: Event) -> str:
    """The event as a sentence of the battle report; payments and corrections are left out."""
    return "" if event.type in QUIET else EVENTS.title(event)


def occasion(state: SkirmishState) -> str:
    """The scenario and its size."""
    return say(
        "{scenario}, {rounds} rounds, {coins}",
        scenario=state.scenario.name,
        rounds=state.scenario.rounds,
        coins=state.scenario.coins.written,
    )


def armies(state: SkirmishState) -> Sequence[ArmySummary]:
    """The squads with the fate of each figure."""
    return tuple(
        ArmySummary(
            squad.id,
            f"{squad.player} ({squad.faction})" if squad.faction else squad.player,
            next((one.name for one in state.of(squad.id) if one.kind == "hero"), ""),
            tuple(
                UnitSummary(one.name, None, FATES[one.fate], one.fate in ("killed", "captive"))
                for one in state.of(squad.id)
            ),
        )
        for squad in state.squads
    )
