"""Tactics' implementation of the play interface, and the state as other programs see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from companion.games.api.play import (
    ArmySummary,
    Event,
    UnitSummary,
)
from companion.games.shared.command_play import PhasePlay, TimingRules
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play import (  # noqa: F401  (the commands register themselves)
    attack_commands,
    fate_commands,
    flow,
    motivations,
    move_commands,
    prompts,
    roll_commands,
    setup_commands,
    terrain_charge,
    terrain_commands,
    turn_commands,
)
from companion.games.tactics.play.authority import authority
from companion.games.tactics.play.context import EVENTS, REGISTRY, BattleContext, dice
from companion.games.tactics.play.prompts import options, pending
from companion.games.tactics.play.scoring import objectives_held
from companion.games.tactics.play.setup import SETUP, prepare, start
from companion.games.tactics.play.state import (
    OVER,
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    battle_position,
    current_table,
)
from companion.games.tactics.rules.contact import engaged_with
from models.board import cell_text
from models.message import Name, say

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
        "coins": squad.coins.to_json(),
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
    """The event as a sentence of the battle report; payments and corrections are left out, and
    markers that are only taken away."""
    found = event.type == "mark" and event.data.get("mark")
    return "" if event.type in QUIET and not found else EVENTS.title(event)


def occasion(state: SkirmishState) -> str:
    """The scenario, its length and the coins of a side."""
    coins = state.scenario.coins
    return say(
        "{scenario}, {n} round, {gold} gold, {silver} silver, {copper} copper",
        "{scenario}, {n} rounds, {gold} gold, {silver} silver, {copper} copper",
        scenario=Name(state.scenario.name),
        n=state.scenario.rounds,
        gold=coins.gold,
        silver=coins.silver,
        copper=coins.copper,
    )


def armies(state: SkirmishState) -> Sequence[ArmySummary]:
    """The squads with the fate of each figure."""
    return tuple(
        ArmySummary(
            squad.id,
            say("{player} ({army})", player=squad.player, army=Name(squad.faction))
            if squad.faction
            else squad.player,
            next((one.name for one in state.of(squad.id) if one.kind == "hero"), ""),
            tuple(
                UnitSummary(one.name, None, FATES[one.fate], one.fate in ("killed", "captive"))
                for one in state.of(squad.id)
            ),
        )
        for squad in state.squads
    )


def redealt(squad: SquadInPlay, chance: Random) -> SquadInPlay:
    """A squad with other agendas, as many as it has; those it has used are known."""
    hidden = sorted({*squad.dealt, *squad.agenda, *squad.deck} - {*squad.used})
    chance.shuffle(hidden)
    cards = iter(hidden)
    dealt = tuple(next(cards) for _ in squad.dealt)
    agenda = tuple(one if one in squad.used else next(cards) for one in squad.agenda)
    return replace(squad, dealt=dealt, agenda=agenda, deck=tuple(cards))


class TacticsPlay(PhasePlay[SkirmishState, BattleContext]):
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = SETUP
    commands = REGISTRY
    events = EVENTS
    over = OVER
    timing = TimingRules(over="TAC-END-7", phase="TAC-SET-1", task="TAC-ATK-5")

    def context(self, state: SkirmishState) -> BattleContext:
        return BattleContext(state)

    step = staticmethod(flow.step)

    def score(self, state: SkirmishState) -> Mapping[str, int]:
        return {squad.id: squad.vp for squad in state.squads}

    def readings(self, state: SkirmishState) -> tuple[str, ...]:
        return tuple(state.readings.texts())

    def names(self, state: SkirmishState) -> Mapping[str, str]:
        return {squad.id: squad.player for squad in state.squads}

    def veiled(self, state: SkirmishState, side: str | None, seed: int) -> SkirmishState:
        """The agendas of the others may be any that nobody has seen (TAC-AGD-1)."""
        squads = tuple(
            one if one.id == side else redealt(one, Random(f"{seed} {one.id}"))
            for one in state.squads
        )
        return replace(state, seed=seed, squads=squads)

    table = staticmethod(current_table)
    prepare = staticmethod(prepare)
    start = staticmethod(start)
    view = staticmethod(view)
    pending = staticmethod(prompts.pending)
    authority = staticmethod(authority)
    options = staticmethod(prompts.options)
    report_sentence = staticmethod(report_sentence)
    occasion = staticmethod(occasion)
    armies = staticmethod(armies)
    dice = staticmethod(dice)
