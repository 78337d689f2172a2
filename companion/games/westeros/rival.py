"""The rival of Westeros: the lines it thinks of, and how they are told.

It plays the command cards that the players have entered; what stands on paper alone it cannot
read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.play import Plain
from companion.games.api.prompt import Fact
from companion.games.api.rival import Line, LineText, Rival, Temper, asked, in_turns
from companion.games.westeros.combat.attack_odds import HexOdds
from companion.games.westeros.combat.odds_query import unit_hound_odds, unit_odds
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.prompts import fire_commands, order_commands
from companion.games.westeros.play.state import WesterosState, battle_position, hex_field
from companion.games.westeros.rival_value import (
    BESIDE_FIRE,
    BURNS,
    FIGURE,
    NEAR,
    battle_value,
    harm,
)
from companion.games.westeros.rules.attack_options import (
    attack_refusals,
    hound_refusals,
    targets_in_reach,
)
from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.games.westeros.screen.views import token_words
from models.board import Cell, cell_text, parse_cell
from models.message import joined, say

MOST_ENDS, MOST_SPECIAL = 3, 2
"""How many ends of a unit's move are looked at closely, and how much that it may do instead."""


class WesterosRival(Rival[WesterosState]):
    """Battles of Westeros; `games/api/rival.py` documents the methods."""

    games = (GAME_NAME,)
    play = PLAY
    note = say("It plays the command cards that you have entered, and none of paper.")
    slips = 1.8
    guessed = 4
    seconds = 0.25

    # -- values ----------------------------------------------------------------------------------

    def worth(self, state: WesterosState, side: str, temper: Temper) -> float:
        return battle_value(state, side, temper)

    # -- lines -----------------------------------------------------------------------------------

    def lines(self, state: WesterosState, side: str) -> Iterator[Line]:
        options = asked(self.play, state, side)
        if state.tasks or state.phase != "command" or state.active != side:
            yield from (Line((one,)) for one in options)
            return
        position = battle_position(state)
        if state.acting is not None:
            rest = [one for one in options if one["do"] not in ("move", "attack")]
            yield from (Line((one,)) for one in rest)
            for name in state.acting.units:
                if state.unit(name).on_field:
                    yield from acting_lines(state, position, position.by_id[name], ())
            return
        known = [one for one in options if one["do"] == "morale" or "card" in one]
        yield from (Line((one,), 0.1 if "card" in one else -0.2) for one in known)
        best = 0.0
        for line in in_turns(self.orders(state, position, side)):
            best = max(best, line.guess)
            yield line
        if best <= 0.0:  # no unit would stand better: a token may be kept
            yield from (Line((one,)) for one in options if one["do"] == "pass")

    def orders(
        self, state: WesterosState, position: HexPosition, side: str
    ) -> Iterator[Iterator[Line]]:
        """What each unit may do that the house can order, at the least cost; no mere step takes the
        token of an attack."""
        kinds = list(dict.fromkeys(state.house(side).pool))
        found: dict[str, list[tuple[bool, list[Line]]]] = {}
        for unit in state.of(side):
            orders = order_commands(state, unit, kinds) if unit.on_field and unit.active else []
            if orders:
                cheap = min(orders, key=lambda one: (len(one["tokens"]), one["tokens"] == ["V"]))
                able = list(acting_lines(state, position, position.by_id[unit.id], (cheap,)))
                hurt = 2 * unit.figures <= unit.card.strength
                found.setdefault("".join(cheap["tokens"]), []).append((hurt, able))
        for several in found.values():
            yield from map(iter, worthwhile(several))

    # -- words -----------------------------------------------------------------------------------

    def told(self, state: WesterosState, commands: Sequence[Plain]) -> LineText:
        by = {one["do"]: one for one in commands}
        order, move, attack = (by.get(one) for one in ("order", "move", "attack"))
        who = next((one["unit"] for one in (move, attack, order) if one), "")
        if not who or commands[-1]["do"] in INSTEAD:
            told = told_answer(state, commands[-1])
            return replace(told, text=paid_text(told.text, order)) if order else told
        unit = state.unit(who).name
        cell = parse_cell(move["to"]) if move else None
        target = attack["target"] if attack else ""
        foe = state.unit(target).name if target else ""
        if cell and foe:
            where = place(battle_position(state), cell, who)
            text = say("{unit} goes to {place} and attacks {foe}.", unit=unit, place=where, foe=foe)
        elif cell:
            text = say(
                "{unit} goes to {place}.", unit=unit, place=place(battle_position(state), cell, who)
            )
        elif foe:
            text = say("{unit} attacks {foe}.", unit=unit, foe=foe)
        else:
            text = say("{unit} holds its ground.", unit=unit)
        return LineText(paid_text(text, order) if order else text, who, target, cell)

    def facts(self, state: WesterosState, commands: Sequence[Plain]) -> Sequence[Fact]:
        found: list[Fact] = []
        told, position = self.told(state, commands), battle_position(state)
        if commands[-1]["do"] == "pass":
            return [pass_fact(state)]
        if not told.piece or told.piece not in position.by_id:
            return found
        unit = position.by_id[told.piece]
        if told.cell:
            position = position.moved(unit, told.cell)
            unit = position.by_id[unit.id]
        if told.target:
            foe = position.by_id[told.target]
            hounds = commands[-1]["do"] == "hounds"
            odds = (
                hounds_on(state, position, unit, foe) if hounds else unit_odds(position, unit, foe)
            )
            text = say("It takes {n:.1f} figures on average", n=float(odds.mean))
            found.append(Fact(text, "good"))
            if odds.destroys:
                chance = float(odds.destroys)
                found.append(Fact(say("Chance to eliminate the unit"), "good", chance))
        if unit.cell in {one.cell for one in state.plan.victory.sites}:
            found.append(Fact(say("It holds a place that brings points"), "good"))
        elif told.cell and not told.target:
            found += aim_facts(state, position, unit)
        near = comers(state, position, unit)
        count = say(
            "{n} active enemy can reach and attack it",
            "{n} active enemies can reach and attack it",
            n=near,
        )
        safe = say("No active enemy can reach and attack it")
        found.append(Fact(count, "bad") if near else Fact(safe, "good"))
        return found


def comers(state: WesterosState, position: HexPosition, unit: BoardUnit) -> int:
    """How many enemies may still come and attack a unit in this round: those that are ordered now
    neither move after an attack nor act again (BOW-OPT-2, BOW-OPT-4, BOW-RND-12)."""
    turn, found = state.acting, 0
    passed = state.house(state.other(unit.side)).passed
    for one in position.enemies(unit):
        if turn is None or one.id not in turn.units:
            found += one.active and not passed and unit in targets_in_reach(position, one)
        elif not turn.done(one.id) and one.id not in turn.no_attack:
            stays = turn.attacking or one.id in turn.moved
            near = () if stays else targets_in_reach(position, one)
            found += unit in near or not attack_refusals(position, one, unit)
    return found


def pass_fact(state: WesterosState) -> Fact:
    """Why a house passes."""
    pool = state.house(state.active).pool
    if not pool:
        return Fact(say("It has no order token left"))
    able = (one for one in state.of(state.active) if one.on_field and one.active)
    if not any(order_commands(state, one, list(dict.fromkeys(pool))) for one in able):
        return Fact(say("Its order tokens fit no unit that may still be ordered"))
    return Fact(say("No order would bring a unit into a better position"))


def aim_facts(state: WesterosState, position: HexPosition, unit: BoardUnit) -> Iterator[Fact]:
    """To what a unit has come nearer by its move: a place that brings points, an enemy."""
    start = state.unit(unit.id).cell

    def left(cells: Sequence[Cell]) -> int:
        """How far the nearest of them is, if it is nearer than before; else 0."""
        ways = [(position.field.distance(unit.cell, one), one) for one in cells if start]
        away, cell = min(ways, default=(0, unit.cell))
        return away if start and away < position.field.distance(start, cell) else 0

    if n := left([one.cell for one in state.plan.victory.sites]):
        text = say(
            "{n} hex from a place that brings points",
            "{n} hexes from a place that brings points",
            n=n,
        )
        yield Fact(text, "good")
    elif n := left([one.cell for one in position.enemies(unit)]):
        text = say("{n} hex from the nearest enemy", "{n} hexes from the nearest enemy", n=n)
        yield Fact(text, "good")


INSTEAD = ("hounds", "scorch", "fight-fire")
"""What a unit does instead of attacking."""
WASTED = 0.5
"""A step that promises less than this share of an attack by the same token is not looked at."""


def worthwhile(units: Sequence[tuple[bool, Sequence[Line]]]) -> Iterator[list[Line]]:
    """The lines of each unit that the same tokens order, without steps that waste an attack; a hurt
    one may go where it likes."""
    best = max((one.guess for _, lines in units for one in lines if strikes(one)), default=0.0)
    for hurt, lines in units:
        yield [one for one in lines if hurt or strikes(one) or one.guess >= WASTED * best]


def strikes(line: Line) -> bool:
    """Whether a line does more than to go somewhere."""
    return line.commands[-1]["do"] not in ("move", "end-turn")


def paid_text(text: str, order: Plain) -> str:
    """What a unit does, with the tokens that its order costs."""
    return say("{text} That costs {tokens}.", text=text, tokens=token_words(order["tokens"]))


def acting_lines(
    state: WesterosState, position: HexPosition, unit: BoardUnit, begun: tuple[Plain, ...]
) -> Iterator[Line]:
    """What one ordered unit may do: stay or go, and attack from there."""
    turn = state.acting
    about = {"unit": unit.id}
    stays = turn is not None and (turn.attacking or unit.id in turn.moved)
    spent = turn is not None and (turn.done(unit.id) or unit.id in turn.no_attack)
    ends: dict[Cell | None, bool] = {None: True}
    instead = list(special_lines(state, position, unit, begun)) if turn is None else []
    if not stays:
        ends |= {cell: end.attack for cell, end in ordered_ends(position, unit).items()}
    lines: list[Line] = []
    safest: list[Line] = []
    """Where a unit that has lost half of its figures gets away to."""
    foes, distance = list(position.enemies(unit)), position.field.distance
    now = closeness(state, foes, unit.cell)
    furthest = min((distance(unit.cell, one.cell) for one in foes), default=0)
    for cell, attacks in ends.items():
        where = unit.cell if cell is None else cell
        gain = closeness(state, foes, where) - now
        move = ({"do": "move", **about, "to": cell_text(cell)},) if cell is not None else ()
        near = [one for one in foes if distance(where, one.cell) <= unit.row.range]
        found = False
        if near and attacks and not spent:
            there = position.moved(unit, cell) if cell is not None else position
            moved = there.by_id[unit.id]
            for foe in near:
                if not attack_refusals(there, moved, foe):
                    strike = {"do": "attack", **about, "target": foe.id}
                    taken, _ = harm(state, there, moved, foe)
                    lines.append(Line((*begun, *move, strike), taken + gain))
                    found = True
        if move and not found:
            stop = () if turn is not None else ({"do": "end-turn"},)
            lines.append(Line((*begun, *move, *stop), gain))
            away = min((distance(cell, one.cell) for one in foes), default=0)
            if away > furthest and 2 * unit.figures <= unit.strength:
                furthest, safest = away, [lines[-1]]
    lines.sort(key=lambda one: -one.guess)
    chosen = lines[:MOST_ENDS]
    chosen += [one for one in safest if one not in chosen]
    yield from (*chosen, *sorted(instead, key=lambda one: -one.guess)[:MOST_SPECIAL])


def special_lines(
    state: WesterosState, position: HexPosition, unit: BoardUnit, begun: tuple[Plain, ...]
) -> Iterator[Line]:
    """What a unit may do where it stands instead of attacking: war hounds (BOW-KEY-4), fires
    (BOW-KEY-16, BOW-FIR-14, BOW-FIR-15)."""
    for foe in position.enemies(unit):
        if not hound_refusals(position, unit, foe):
            gain = float(hounds_on(state, position, unit, foe).mean) * FIGURE * 2
            yield Line((*begun, {"do": "hounds", "unit": unit.id, "target": foe.id}), gain)
    for command in fire_commands(position, unit):
        own = command["do"] == "fight-fire" and "to" not in command
        yield Line((*begun, command), BURNS if own else BESIDE_FIRE)


def hounds_on(
    state: WesterosState, position: HexPosition, unit: BoardUnit, foe: BoardUnit
) -> HexOdds:
    """The odds of a unit's war hounds."""
    rows = {str(rank): row.dice for rank, row in state.unit(unit.id).card.rows.items()}
    return unit_hound_odds(position, unit, foe, rows)


def closeness(state: WesterosState, foes: Sequence[BoardUnit], cell: Cell) -> float:
    """How well a unit stands on a hex: near to enemies it can fight and to places to hold."""
    distance = hex_field(state).distance
    sites = [one.cell for one in state.plan.victory.sites]
    near = min((distance(cell, one.cell) for one in foes), default=0)
    site = min((distance(cell, one) for one in sites), default=0)
    return -NEAR * (2 * near + 2 * site) + (0.5 if cell in sites else 0.0)


STRIKES = {
    ("counterattack", True): say("{unit} strikes back."),
    ("counterattack", False): say("{unit} does not strike back."),
    ("parting-blow", True): say("{unit} strikes a parting blow."),
    ("parting-blow", False): say("{unit} lets the enemy go."),
    ("stalwart", True): say("{unit} is Stalwart: it ignores the first morale symbol."),
    ("stalwart", False): say("{unit} retreats as the dice say."),
}
ANSWERS = {
    "pass": say("{player} passes and takes no more turns in this phase."),
    "end-turn": say("{player} ends the turn."),
    "reroll": say("{player} keeps the dice."),
    "follow": say("{unit} does not follow."),
    "commanders": say("{player} has chosen the commanders."),
    "draw": say("{player} lets the app draw the set-up cards."),
}


def told_answer(state: WesterosState, command: Plain) -> LineText:
    """A line that moves no ordered unit: an answer to what is asked."""
    unit = str(command.get("unit") or (state.tasks[0].unit if state.tasks else ""))
    cell = parse_cell(command["to"]) if command.get("to") else None
    target = str(command.get("target", ""))
    asked = str(command.get("side", "")) or next(iter(RIVAL.waits(state)), "")
    about = {
        "player": state.house(asked).player if asked else "",
        "unit": state.unit(unit).name if unit else "",
        "place": place(battle_position(state), cell, unit) if cell else "",
        "foe": state.unit(target).name if target else "",
    }
    yes = bool(command.get("strike", command.get("ignore", command.get("yes"))))
    do = str(command["do"])
    text = STRIKES.get((do, yes), ANSWERS.get(do, ""))
    match command:
        case {"do": "retreat"}:
            text = say("{unit} retreats to {place}.")
        case {"do": "follow", "to": _}:
            text = say("{unit} follows to {place}.")
        case {"do": "place"}:
            text = say("{unit} begins at {place}.")
        case {"do": "overlay"}:
            text = say("{player} lays an overlay at {place}.")
        case {"do": "reroll", "symbol": symbol}:
            text = say("{player} re-rolls the dice that show {symbol}.")
            about["symbol"] = token_words([symbol])
        case {"do": "morale", "use": "raise"}:
            text = say("{player} raises morale with a morale token.")
        case {"do": "morale"}:
            text = say("{player} reactivates {unit} with a morale token.")
        case {"do": "keep"}:
            text = say("{player} keeps: {what}.")
            about["what"] = kept_words(state, command)
        case {"do": "rebuild"}:
            text = (
                say("{player} rebuilds morale.") if yes else say("{player} leaves morale as it is.")
            )
        case {"do": "card"}:
            name = next((one.name for one in state.commands if one.id == command.get("card")), "")
            text = say("{unit} plays the command card {card}.")
            about["card"] = name
        case {"do": "units", "units": [*units]}:
            text = say("{player} orders {units}.") if units else say("{player} orders nobody.")
            about["units"] = joined([state.unit(one).name for one in units])
        case {"do": "hounds"}:
            text = say("{unit} sets its hounds on {foe}.")
        case {"do": "scorch"}:
            text = say("{unit} sets fire to {place}.")
        case {"do": "fight-fire"}:
            text = say("{unit} fights the fire.")
    goes = cell if do in ("retreat", "follow", "place") else None
    return LineText(say(text[:], **about) if text else "", unit, target, goes)


def kept_words(state: WesterosState, command: Plain) -> str:
    """The token and the card that a house keeps at the end of a round (BOW-RND-18)."""
    tokens = [token_words([command["token"]])] if "token" in command else []
    hand = state.house(state.tasks[0].side).hand
    cards = min(hand, int(command.get("cards", 1)))
    return joined([*tokens, say("{n} card", "{n} cards", n=cards)])


RIVAL = WesterosRival()
