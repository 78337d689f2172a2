"""Battles of Westeros' implementation of the play interface, and the state for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import (
    ArmySummary,
    Event,
    UnitSummary,
)
from companion.games.shared.command_play import PhasePlay, TimingRules
from companion.games.westeros.cards.command_card import zone_of
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play import (  # noqa: F401  (the commands register themselves)
    answer_commands,
    effect_commands,
    flow,
    prompts,
    setup_commands,
    turn_commands,
    unit_commands,
)
from companion.games.westeros.play.authority import authority
from companion.games.westeros.play.context import EVENTS, REGISTRY, WesterosContext, dice
from companion.games.westeros.play.prompts import options, pending
from companion.games.westeros.play.setup import SETUP, prepare, start
from companion.games.westeros.play.state import (
    CAPTURED,
    CHOOSE,
    ELIMINATED,
    ORGANISE,
    OVER,
    PHASE_WORDS,
    REACTIVATION,
    REGROUP,
    HouseInBattle,
    UnitInBattle,
    WesterosState,
    current_table,
)
from companion.games.westeros.rules.hex_field import fire_of
from models.board import cell_text
from models.message import Name, say

FATES = {
    "waiting": say("waiting"),
    "field": say("on the field"),
    "eliminated": say("eliminated"),
    "captured": say("captured"),
    "gone": say("left the field"),
}


def view(state: WesterosState, side: str | None = None) -> dict[str, Any]:
    """The whole state; chosen commanders stay secret until both have chosen."""
    asked = [
        {"what": one.what, "say": one.say, "side": one.side, "commands": list(one.commands)}
        | dict(given)
        for one, given in zip(pending(state), options(state, side), strict=True)
    ]
    turn = state.acting
    return {
        "battle": state.plan.name,
        "round": state.round,
        "rounds": state.plan.rounds,
        "colour": state.colour,
        "phase": state.phase,
        "step": state.step or None,
        "active": state.active or None,
        "first": state.first or None,
        "mace": state.mace,
        "vp": {house.side: house.vp for house in state.houses},
        "morale": morale_view(state),
        "winner": state.winner or None,
        "how": state.how or None,
        "houses": {house.side: house_view(house) for house in state.houses},
        "units": {one.id: unit_view(state, one) for one in state.units},
        "engagements": [[one.one, one.two, one.house] for one in state.markers],
        "control": {cell_text(cell): side for cell, side in state.control},
        "fire": {
            cell_text(cell): str(level)
            for cell, words in state.board.ground.items()
            if (level := fire_of(words))
        },
        "ordered": list(turn.units) if turn else [],
        "points": [{"side": who, "points": n, "why": why} for who, n, why in state.points],
        "pending": asked,
    }


def morale_view(state: WesterosState) -> dict[str, Any]:
    """On whose side the marker lies, how far, and in which zone."""
    side = next((one.side for one in state.houses if state.depth(one.side) > 0), None)
    depth = abs(state.morale)
    zone = zone_of(depth)
    return {"side": side, "field": depth, "zone": zone.name if zone else "grey"}


def house_view(house: HouseInBattle) -> dict[str, Any]:
    """A house with its tokens and cards by number."""
    return {
        "player": house.player,
        "edge": house.edge,
        "pool": list(house.pool),
        "tokens": house.tokens,
        "hand": house.hand,
        "deck": house.deck,
        "discards": house.discards,
        "passed": house.passed,
    }


def unit_view(state: WesterosState, unit: UnitInBattle) -> dict[str, Any]:
    """A unit with its banner and markers."""
    text: dict[str, Any] = {
        "name": unit.name,
        "side": unit.side,
        "card": unit.card.name,
        "class": unit.card.kind,
        "rank": unit.rank,
        "fate": unit.fate,
        "cell": cell_text(unit.cell) if unit.cell else None,
        "figures": unit.figures,
        "strength": unit.card.strength,
        "damage": unit.damage,
        "active": unit.active,
        "engaged": state.opponent(unit.id) or None,
    }
    if unit.commander is not None:
        text |= {
            "commander": unit.commander.name,
            "tokens": unit.tokens,
            "limit": unit.commander.limit,
            "capture": unit.commander.capture,
            "committed": unit.committed,
        }
    return text


QUIET = ("engaged", "disengaged", "attack-rolled", "fire-rolled", "corrected")


def report_sentence(state: WesterosState, event: Event) -> str:
    """The event as a sentence of the battle report; dice are shown separately."""
    return "" if event.type in QUIET else EVENTS.title(event)


def occasion(state: WesterosState) -> str:
    """The battle and its length."""
    return say(
        "{battle}, {n} round", "{battle}, {n} rounds", battle=state.plan.name, n=state.plan.rounds
    )


def player_of_house(player: str, house: str) -> str:
    """A player with the house; once if they have one name."""
    if player.casefold() == house.casefold():
        return player
    return say("{player} ({house})", player=player, house=Name(house))


def armies(state: WesterosState) -> Sequence[ArmySummary]:
    """The houses with the fate of each unit."""
    return tuple(
        ArmySummary(
            house.side,
            player_of_house(house.player, state.plan.house(house.side).name),
            next((one.name for one in state.of(house.side) if one.commander), ""),
            tuple(
                UnitSummary(one.name, None, FATES[one.fate], one.fate in (ELIMINATED, CAPTURED))
                for one in state.of(house.side)
            ),
        )
        for house in state.houses
    )


class WesterosPlay(PhasePlay[WesterosState, WesterosContext]):
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = SETUP
    commands = REGISTRY
    events = EVENTS
    over = OVER
    timing = TimingRules(over="BOW-VIC-4", phase="BOW-RND-1", task="BOW-CMB-1")

    def context(self, state: WesterosState) -> WesterosContext:
        return WesterosContext(state)

    step = staticmethod(flow.step)

    def part(self, state: WesterosState) -> str:
        turnless = state.phase in (REACTIVATION, ORGANISE, REGROUP)
        return PHASE_WORDS[state.phase] if turnless else ""

    def score(self, state: WesterosState) -> Mapping[str, int]:
        return {house.side: house.vp for house in state.houses}

    def readings(self, state: WesterosState) -> tuple[str, ...]:
        return tuple(state.readings.texts())

    def names(self, state: WesterosState) -> Mapping[str, str]:
        return {house.side: house.player for house in state.houses}

    def veiled(self, state: WesterosState, side: str | None, seed: int) -> WesterosState:
        """Commanders that the others have chosen in secret are not chosen yet (BOW-SKM-4)."""
        houses = tuple(
            replace(one, chosen=None) if state.phase == CHOOSE and one.side != side else one
            for one in state.houses
        )
        return replace(state, seed=seed, houses=houses)

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
