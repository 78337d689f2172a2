"""Opponents to measure a rival with: one that plays at random, and one that follows a script: it
fights what it can fight, goes for what brings points, and never thinks ahead.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.cli.balance import Player
from companion.games.api.play import Plain, Play
from companion.games.api.rival import RivalSeat, asked
from companion.games.shared.search import Search
from companion.games.tactics.play.state import SkirmishState, battle_position
from companion.games.tactics.rules.space_effects import marked
from companion.games.thrones.play.events.challenge_events import running
from companion.games.thrones.play.numbers import challenge_side, eligible, strength
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.rival import RIVAL as JOUST
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.rival import RIVAL
from companion.games.tmg.rival_value import Attacks
from companion.games.westeros.play.state import WesterosState, hex_field
from models.board import parse_cell


def anybody(play: Play[Any], state: Any) -> list[Plain]:
    """What anybody may answer."""
    return [one for offered in play.options(state)[:1] for one in offered["options"]]


def at_random(play: Play[Any], seed: int) -> Player:
    """Any legal command."""
    chance = Random(seed)

    def choose(state: Any, side: str) -> tuple[Plain, ...]:
        return (chance.choice(asked(play, state, side) or anybody(play, state)),)

    return choose


def scripted(play: Play[Any], seed: int) -> Player:
    """Fights, charges, shoots; else goes to what brings points; else the first answer."""
    chance = Random(seed)

    def choose(state: Any, side: str) -> tuple[Plain, ...]:
        if isinstance(state, GameState):
            return miniatures_script(state, side, chance)
        if isinstance(state, ThronesState):
            return joust_script(state, side)
        commands = asked(play, state, side) or anybody(play, state)
        if isinstance(state, WesterosState):
            return (westeros_script(state, side, commands, chance),)
        assert isinstance(state, SkirmishState)
        return (tactics_script(state, side, commands, chance),)

    return choose


def westeros_script(
    state: WesterosState, side: str, commands: list[Plain], chance: Random
) -> Plain:
    commands = [one for one in commands if one["do"] != "card" or "card" in one]
    field = hex_field(state)  # neither side knows what stands on cards of paper
    goals = [one.cell for one in state.plan.victory.sites]
    enemies = state.of(state.other(side))
    foes = [one.cell for one in enemies if one.cell is not None and one.on_field]
    by = {word: [one for one in commands if one["do"] == word] for word in ("attack", "move")}
    if by["attack"]:
        return min(by["attack"], key=lambda one: state.unit(one["target"]).figures)
    if by["move"] and state.acting is not None:
        aims = goals + foes
        unit = state.unit(by["move"][0]["unit"])
        now = min(field.distance(unit.cell, one) for one in aims) if unit.cell else 99

        def left(one: Plain) -> int:
            return min(field.distance(parse_cell(one["to"]), aim) for aim in aims)

        best = min(by["move"], key=left)
        if left(best) < now:
            return best
    orders = [one for one in commands if one["do"] == "order"]
    if orders:

        def near(one: Plain) -> int:
            cell = state.unit(one["unit"]).cell
            return min((field.distance(cell, foe) for foe in foes), default=0) if cell else 99

        return min(orders, key=lambda one: (len(one["tokens"]), near(one), chance.random()))
    ends = [one for one in commands if one["do"] in ("end-turn", "morale", "pass")]
    return ends[0] if ends else commands[0]


def tactics_script(state: SkirmishState, side: str, commands: list[Plain], chance: Random) -> Plain:
    for word in ("attack", "charge", "loot"):
        found = [one for one in commands if one["do"] == word]
        if found:
            return min(
                found, key=lambda one: state.figure(one["target"]).left if word != "loot" else 0
            )
    moves = [one for one in commands if one["do"] == "move"]
    if moves and state.acting is not None:
        cells = list(marked(battle_position(state).field, "objective"))
        cells += [one.cell for one in state.of(state.other(side)) if one.cell and one.on_board]
        figure = state.figure(state.acting.figure)

        def away(cell: Any) -> int:
            return min(max(abs(cell[0] - c), abs(cell[1] - r)) for c, r in cells)

        best = min(moves, key=lambda one: away(parse_cell(one["to"])))
        if figure.cell and away(parse_cell(best["to"])) < away(figure.cell):
            return best
    begun = [one for one in commands if one["do"] == "activate"]
    if begun:
        return chance.choice(begun)
    ends = [one for one in commands if one["do"] in ("end", "roll", "continue", "deployed")]
    return ends[0] if ends else chance.choice(commands)


GOOD_CHARGE = 0.5


def miniatures_script(state: GameState, side: str, chance: Random) -> tuple[Plain, ...]:
    """Fights, charges from 50 %, shoots, walks to the nearest objective; any zone for an NCU."""
    lines = [one.commands for one in RIVAL.lines(state, side)]
    if not lines:
        return (anybody(RIVAL.play, state)[0],)
    attacks = Attacks.of(state) if state.table else None

    def rank(commands: tuple[Plain, ...]) -> tuple[int, float]:
        by = {one["do"]: one for one in commands}
        act = by.get("action", {})
        target, who = act.get("target"), str(by.get("activate", {}).get("unit"))
        if target and attacks is not None:
            far = act.get("ranged")
            kind = "charge" if act["action"] == "charge" else "shot" if far else "melee"
            if kind != "charge" or attacks.chance(who, target, kind) >= GOOD_CHARGE:
                return ("melee", "charge", "shot").index(kind), -attacks.promised(who, target, kind)
        if "claim" in by:
            return 3, chance.random()
        if "table" in by:
            moved = {str(one["id"]): one for one in by["table"]["table"]["units"]}
            ends = [moved[one] for one in by["table"]["units"]]
            tokens = table_of(state.table).tokens
            gaps = [(t.x - e["x"]) ** 2 + (t.y - e["y"]) ** 2 for t in tokens for e in ends]
            return 4, min(gaps, default=0.0)
        return 5, chance.random()

    lines.sort(key=rank)
    return next(one for one in lines if accepted(state, one))


def accepted(state: GameState, commands: tuple[Plain, ...]) -> bool:
    """Whether the game takes these commands in a row."""
    return Search(RIVAL, RivalSeat("")).carried_out(state, commands) is not None


def joust_script(state: ThronesState, side: str) -> tuple[Plain, ...]:
    """The richest plot, the dearest cards; attacks with the fewest whom nobody can stop, and
    defends with the fewest who win."""
    found = [one.commands for one in JOUST.lines(state, side)]
    house = state.house(side)

    def rank(commands: tuple[Plain, ...]) -> float:
        command = commands[0]
        match command["do"]:
            case "place":
                return sum(house.card(one).cost or 0 for one in command["cards"])
            case "choose-plot":
                return house.card(command["plot"]).gold
            case "marshal":
                return 1 + (house.card(command["card"]).cost or 0)
            case "challenge":
                able = eligible(state, command["against"], command["type"])
                attack = sum(strength(state, state.card(one)) for one in command["attackers"])
                enough = attack >= sum(strength(state, one) for one in able)
                return 100 - attack if enough and attack else -1
            case "defend":
                total = sum(strength(state, state.card(one)) for one in command["defenders"])
                attack = challenge_side(state, running(state).attacker).total
                return 100 - total if total > attack else -total
        return 0.5 if command["do"] in ("ambush", "into-shadows", "out-of-shadows") else 0.0

    return max(found, key=rank) if found else (anybody(JOUST.play, state)[0],)
