"""The dice that the battle asks for: their signs, and what each symbol does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.api.play import Pending
from companion.games.api.prompt import DiceRequest, DiceSymbol, SymbolColour, Tone
from companion.games.westeros.combat.attack_odds import hit_and_flag_ways
from companion.games.westeros.combat.die import (
    BLUE,
    FACES,
    GREEN,
    MORALE,
    RED,
    SIDES,
    SYMBOL_NAMES,
    SYMBOLS,
    VALOUR,
)
from companion.games.westeros.combat.odds_query import attack_room, unit_rule
from companion.games.westeros.play.context import symbols_of
from companion.games.westeros.play.state import (
    HexAttack,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.play.unit_commands import puts_out, scorching
from models.board import parse_cell
from models.message import say

SIGNS: dict[str, tuple[str, SymbolColour]] = {
    GREEN: ("triangle", "green"),
    BLUE: ("ring", "blue"),
    RED: ("diamond", "red"),
    VALOUR: ("star", "white"),
    MORALE: ("flag", "purple"),
}
ORDER_DETAILS = {
    GREEN: say("orders a green unit"),
    BLUE: say("orders a blue unit"),
    RED: say("orders a red unit"),
    VALOUR: say("orders any unit"),
    MORALE: say("raises morale or reactivates a unit"),
}
"""What each order token does (BOW-ORD-2 to BOW-ORD-7)."""
HOUND_DETAILS = {
    GREEN: say("attacks as a green unit"),
    BLUE: say("attacks as a blue unit"),
    RED: say("attacks as a red unit"),
    VALOUR: say("no attack: the target takes 1 hit"),
}
"""What the first die of the hounds does (BOW-KEY-6 to BOW-KEY-8); a flag is a retreat."""


def die_symbol(symbol: str, detail: str = "", tone: Tone = "") -> DiceSymbol:
    """A symbol with its sign."""
    return DiceSymbol(symbol, SYMBOL_NAMES[symbol], *SIGNS[symbol], detail, tone)


def faces_with(details: Mapping[str, str]) -> tuple[DiceSymbol, ...]:
    """The eight faces, with what each symbol does."""
    return tuple(die_symbol(one, details[one]) for one in FACES)


def dice_request(state: WesterosState, asked: Pending) -> DiceRequest | None:
    """The dice to enter, with the chance of each number of hits."""
    if asked.what == "orders":
        symbols = faces_with(ORDER_DETAILS)
        return DiceRequest(asked.data["dice"], {"do": "orders"}, sides=SIDES, symbols=symbols)
    if asked.what == "hound-roll" and state.attack is not None:
        symbols = faces_with({**HOUND_DETAILS, MORALE: hound_flag(state, state.attack)})
        return DiceRequest(1, {"do": "roll"}, sides=SIDES, symbols=symbols)
    if asked.what == "fire-roll":
        symbols = tuple(fire_symbol(state, asked, one) for one in FACES)
        return DiceRequest(asked.data["dice"], {"do": "roll"}, sides=SIDES, symbols=symbols)
    if asked.what != "attack-roll" or state.attack is None:
        return None
    position, attack = battle_position(state), state.attack
    rule = unit_rule(position.by_id[attack.attacker], position.by_id[attack.target])
    ways = hit_and_flag_ways(attack.dice, rule)
    chances = [0.0] * (attack.dice + 1)
    for (hits, _), count in ways.items():
        chances[hits] += count / SIDES**attack.dice
    symbols = attack_symbols(state, attack)
    return DiceRequest(
        attack.dice, {"do": "roll"}, sides=SIDES, symbols=symbols, chances=tuple(chances)
    )


def hound_flag(state: WesterosState, attack: HexAttack) -> str:
    """What a flag of the first die does, which nobody ignores (BOW-KEY-7, BOW-RET-6)."""
    if retreat_room(state, attack):
        return say("no attack: the target retreats 1 hex")
    return say("no attack: 1 hit, for the target cannot retreat")


def retreat_room(state: WesterosState, attack: HexAttack) -> int:
    """How many hexes the target of an attack can retreat."""
    position = battle_position(state)
    return attack_room(position, position.by_id[attack.attacker], position.by_id[attack.target])


def attack_symbols(state: WesterosState, attack: HexAttack) -> tuple[DiceSymbol, ...]:
    """The eight faces, with what each does to the target of an attack (BOW-CMB-5 to BOW-CMB-9)."""
    position = battle_position(state)
    rule = unit_rule(position.by_id[attack.attacker], position.by_id[attack.target])
    told = {one: die_symbol(one, say("no hit")) for one in SYMBOLS}
    told[MORALE] = attack_flag(state, attack)
    hits = {one: die_symbol(one, say("hits the target"), "good") for one in SYMBOLS}
    return tuple((hits if rule.hit_by(one) else told)[one] for one in FACES)


def attack_flag(state: WesterosState, attack: HexAttack) -> DiceSymbol:
    """What each flag does to the target (BOW-RET-6, BOW-KEY-18)."""
    if attack.kind == "parting":  # BOW-PBL-3
        return die_symbol(MORALE, say("no effect"))
    room, flags = retreat_room(state, attack), attack.dice
    position = battle_position(state)
    stalwart = position.stalwart(position.by_id[attack.target])
    text = say("retreats 1 hex")
    if not room:
        text = say("1 hit, for it cannot retreat")
    elif room < flags:
        text = say(
            "retreats 1 hex; after {n} hex each is 1 hit",
            "retreats 1 hex; after {n} hexes each is 1 hit",
            n=room,
        )
    told = say("{what}; the first may be ignored", what=text) if stalwart else text
    return die_symbol(MORALE, told, "" if room else "good")


def reroll_dice(state: WesterosState, command: dict[str, Any]) -> DiceRequest | None:
    """The dice that a re-roll rolls again (BOW-ENG-6)."""
    if command["do"] != "reroll" or "symbol" not in command or state.attack is None:
        return None
    count = symbols_of(state.attack.faces).count(command["symbol"])
    symbols = attack_symbols(state, state.attack)
    return DiceRequest(count, command, sides=SIDES, symbols=symbols)


def fire_symbol(state: WesterosState, asked: Pending, symbol: str) -> DiceSymbol:
    """A symbol with what it does to a fire (BOW-KEY-17, BOW-FIR-15)."""
    data = asked.data
    if data["do"] == "scorch":
        adds = symbol in scorching(battle_position(state).by_id[data["unit"]])
        text = say("adds 1 fire level") if adds else say("no effect")
        return die_symbol(symbol, text, "good" if adds else "")
    level = hex_field(state).fire[parse_cell(data["to"])]
    out = puts_out(state, symbol, level)
    return die_symbol(symbol, say("puts the fire out") if out else say("no effect"),
                      "good" if out else "")  # fmt: skip
