"""What a unit may do now, with verdicts, odds and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Refusal
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.games.westeros.cards.battle_plan import short_name
from companion.games.westeros.combat.attack_odds import HexOdds
from companion.games.westeros.combat.die import VALOUR
from companion.games.westeros.combat.odds_query import unit_hound_odds, unit_odds
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.prompts import (
    attacks_now,
    leader_cards,
    moves_left,
    order_commands,
)
from companion.games.westeros.play.skirmish_flow import next_units, place_cells, place_terms
from companion.games.westeros.play.state import (
    COMMAND,
    PLACE,
    UnitInBattle,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.play.turn_commands import (
    TACTIC_WORDS,
    commanded_units,
    tactic_rule,
)
from companion.games.westeros.rules.attack_options import (
    attack_refusals,
    flanks,
    hound_refusals,
    parting_striker,
    targets_in_reach,
)
from companion.games.westeros.rules.fire import burn_limit, fires_beside, scorch_cells
from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import BoardUnit, HexPosition, commanders_of
from companion.games.westeros.rules.readings import reason
from companion.games.westeros.rules.sight import sight
from companion.games.westeros.screen.prompt_cards import UNENTERED, alone_unentered, unused_units
from companion.games.westeros.screen.views import ABILITY, ONCE, token_words
from companion.text.verdicts import Share
from models.board import Cell, cell_text
from models.message import Name, joined, say


def offers(state: WesterosState, piece: str | None = None) -> list[ActionOffer]:
    """The offers of a unit, or the best of the active house; illegal ones last."""
    if piece and state.tasks and state.tasks[0].kind == "card-units":
        return list(left_out(state, state.unit(piece)))
    if state.tasks or state.phase not in (COMMAND, PLACE):
        return []
    found = list(every_offer(state, piece))
    found.sort(key=lambda one: (one.verdict == "no", -one.value))
    if piece is None:
        return [one for one in found if one.verdict == "yes"][:6]
    return found


def every_offer(state: WesterosState, piece: str | None) -> Iterator[ActionOffer]:
    """Placing, orders, or the actions of the ordered units."""
    mine = [one for one in state.of(state.active) if piece in (None, one.id)]
    if state.phase == PLACE:
        waiting = {one.id: one for one in next_units(state, state.active)}
        for unit in mine:
            if unit.id in waiting:
                offer = aimed("flag", say("Place"), unit, "place", place_cells(state, unit))
                more = [short_name(one) for one in waiting.values() if one.id != unit.id]
                others = say("“×” leads to the others: {units}", units=joined(more)) if more else ""
                yield replace(offer, detail=others, elsewhere=place_terms(state, unit))
        return
    if state.acting is None:
        for unit in mine:
            if unit.on_field:
                yield from order_offers(state, unit, piece is not None)
        return
    position = battle_position(state)
    movers = [position.by_id[one] for one in moves_left(position, state.acting)]
    for unit in mine:
        if unit.id in state.acting.units and unit.on_field:
            acting = position.by_id[unit.id]
            found = action_offers(state, position, acting, movers, piece is not None)
            yield from after_moves(state, position, acting, movers, found)
        own = unit.id in state.acting.units or unit.id == state.acting.commander
        if own and unit.commander is not None and unit.on_field and piece is not None:
            yield from leader_offers(state, unit)


def left_out(state: WesterosState, unit: UnitInBattle) -> Iterator[ActionOffer]:
    """Why a card cannot order a unit: its commander is too far away, its banner is turned
    (BOW-CRD-4, BOW-CRD-8)."""
    task = state.tasks[0]
    if unit.side == task.side and unit.on_field and unit.id not in task.data.get("units", ()):
        command = {"do": "units", "units": [unit.id]}
        yield tried(state, ActionOffer("flag", say("Order with this card"), (command,), unit.id))


def tried(state: WesterosState, offer: ActionOffer) -> ActionOffer:
    """The offer with the game's own verdict on its command."""
    found = PLAY.decide(state, (offer.commands or offer.cells[0].commands)[0])
    if isinstance(found, Refusal):
        return replace(offer, verdict="no", rules=(found.why,), reason=found.say, value=0.0)
    return offer


def aimed(
    kind: str,
    text: str,
    unit: UnitInBattle | BoardUnit,
    word: str,
    cells: list[Cell],
    **more: Any,
) -> ActionOffer:
    """An offer that is aimed at hexes."""
    about = {"do": word, "unit": unit.id, **more}
    targets = tuple(TargetCell(cell, ({**about, "to": cell_text(cell)},)) for cell in cells)
    return ActionOffer(kind, text, (), unit.id, cells=targets)


# -- orders ----------------------------------------------------------------------------------------


def order_offers(state: WesterosState, unit: UnitInBattle, alone: bool) -> Iterator[ActionOffer]:
    """Every way to order a unit: tokens, and the command card of a commander near by."""
    kinds = list(dict.fromkeys(state.house(unit.side).pool))
    commands = order_commands(state, unit, kinds)
    detail = order_detail(state, unit) if alone and commands else ""
    for command in commands:
        text = say("Order with {tokens}", tokens=token_words(command["tokens"]))
        value = token_value(command["tokens"])
        offer = ActionOffer("flag", text, (command,), unit.id, detail=detail, value=value)
        yield tried(state, replace(offer, begins=True))
    if not commands and alone:
        command = {"do": "order", "unit": unit.id, "tokens": kinds[:1] or ["V"]}
        offer = tried(state, ActionOffer("flag", say("Order"), (command,), unit.id, begins=True))
        yield replace(offer, reason=tokenless(state, unit)) if unit.active else offer
    if alone and not unit.active:
        yield reactivation(state, unit)
    if unit.commander is not None and alone:
        yield from leader_offers(state, unit)
        cards = leader_cards(state, unit)
        yield from (card_offer(state, unit, one) for one in cards)
        if not cards:  # with the reason why not
            none = {"do": "card", "unit": unit.id, "tokens": [1], "ask": True}
            yield card_offer(state, unit, none)


def tokenless(state: WesterosState, unit: UnitInBattle) -> str:
    """Why no token orders an active unit, and whether a command card can (BOW-ORD-11)."""
    position = battle_position(state)
    leaders = [state.unit(one.id) for one in commanders_of(position, position.by_id[unit.id])]
    able = [one.name for one in leaders if leader_cards(state, one)]
    if able:
        return say(
            "no order token of its rank is left: only a command card of {names} can order it",
            names=joined(able),
        )
    if leaders:
        return say("no order token of its rank is left, and no command card can be played")
    return say("no order token of its rank is left, and it is not under command")


def leader_offers(state: WesterosState, unit: UnitInBattle) -> Iterator[ActionOffer]:
    """What a commander's card or a command card does besides: its ability, and fires that a text
    sets or puts out (BOW-CDR-6, BOW-FIR-2)."""
    if not unit.committed:
        command = {"do": "commit", "unit": unit.id}
        offer = ActionOffer("star", ABILITY, (command,), unit.id, detail=ONCE, value=-3)
        yield tried(state, replace(offer, by_row=True))
    field = hex_field(state)
    levels = {cell: field.fire.get(cell, 0) for cell in sorted(field.cells)}
    higher = [cell for cell, now in levels.items() if now < (burn_limit(field, cell) or 0)]
    burning = [cell for cell, now in levels.items() if now]
    played = state.acting is not None and state.acting.commander == unit.id
    alone = () if played else (say("the card itself is played apart from it"),)
    for text, then, cells, about in (
        (say("A card sets a hex on fire"), (say("then its fire level"),), higher, {"ask": True}),
        (say("A card puts a fire out"), (), burning, {"fire": 0}),
    ):
        if cells:
            yield fire_by_card(unit, text, joined((*then, *alone)), cells, about)


def fire_by_card(
    unit: UnitInBattle, text: str, detail: str, cells: Sequence[Cell], about: dict[str, Any]
) -> ActionOffer:
    """A fire marker that a card's text puts down or takes away, on a hex to be tapped."""
    targets = tuple(
        TargetCell(cell, ({"do": "effect", "to": cell_text(cell), **about},), "danger")
        for cell in cells
    )
    offer = ActionOffer("drop", text, (), unit.id, cells=targets, detail=detail, value=-4)
    return replace(offer, by_row=True)


def reactivation(state: WesterosState, unit: UnitInBattle) -> ActionOffer:
    """The second use of a morale token, with its price (BOW-ORD-7): whoever wants it picks it."""
    command = {"do": "morale", "use": "reactivate", "unit": unit.id}
    price = say("costs 1 morale token and 1 morale")
    offer = ActionOffer("turn", say("Reactivate"), (command,), unit.id, detail=price, reason=price)
    return tried(state, replace(offer, by_row=True))


def token_value(tokens: Sequence[str]) -> float:
    """What ordering with these tokens is worth: one that fits comes before valour and pairs."""
    if len(tokens) > 1:
        return 0.5
    return 0.9 if tokens[0] == VALOUR else 1.0


def order_detail(state: WesterosState, unit: UnitInBattle) -> str:
    """What an order makes possible: the hexes in reach, and the enemies it may attack."""
    position = battle_position(state)
    mine = position.by_id[unit.id]
    count = len(ordered_ends(position, mine))
    reach = say("{n} hex in reach", "{n} hexes in reach", n=count)
    names = [short_name(state.unit(one.id)) for one in targets_in_reach(position, mine)]
    if not names:
        return reach
    return say("{reach}; attacks {names}", reach=reach, names=joined(names))


def card_offer(state: WesterosState, unit: UnitInBattle, command: dict[str, Any]) -> ActionOffer:
    """A command card of a commander: its price, and how many units the player then names."""
    card = next((one for one in state.commands if one.id == command.get("card")), None)
    price = sum(command.get("tokens") or (card.costs if card else ()))
    near = commanded_units(state, unit)
    most = min(len(near), card.units) if card else len(near)
    named = say("then name {n} unit at most", "then name {n} units at most", n=most)
    details: list[str] = [named if most else say("no unit is named for it")]
    if card and "tokens" in command:
        costs = joined([str(one) for one in command["tokens"]], " + ")
        details.append(say("only the commands for these tokens: {costs}", costs=costs))
    if "tactic" in command:
        rule = tactic_rule(state, unit.side, card) if card else ""
        why = say("without its tactic: {why}", why=TACTIC_WORDS[rule]) if rule else ""
        details.append(why or say("without its tactic"))
    if card and card.text:
        details.append(Name(card.text))
    paper = say("Play a paper card for {n} token", "Play a paper card for {n} tokens", n=price)
    return tried(
        state,
        ActionOffer(
            "cards",
            say("Play {card}", card=card.name) if card else paper,
            (command,),
            unit.id,
            odds=say("{n} token", "{n} tokens", n=price),
            detail=joined(details),
            value=0.8 if most else 0.1,
            by_row=not most,  # it would order nobody (BOW-CRD-8)
        ),
    )


# -- actions of ordered units ---------------------------------------------------------------------


LATER = 0.01
"""What is left of the value of something that takes moves away: any move comes first."""


def after_moves(
    state: WesterosState,
    position: HexPosition,
    unit: BoardUnit,
    movers: Sequence[BoardUnit],
    found: Iterator[ActionOffer],
) -> Iterator[ActionOffer]:
    """Whatever ends the moves of other units says so (BOW-OPT-2).

    It comes after the moves of those that cannot attack from where they stand.
    """
    others = [one for one in movers if one.id != unit.id]
    names = [short_name(state.unit(one.id)) for one in others]
    lost = say("these can no longer move afterwards: {units}", units=joined(names))
    waits = any(not attacks_now(position, one) for one in others)
    for offer in found:
        own_fire = offer.commands == (own_fire_command(unit),)
        if not others or not offer.possible or offer.kind == "maneuver" or own_fire:
            yield offer
            continue
        details = [one for one in (offer.detail, lost) if one]
        value = offer.value * LATER if waits and offer.value > 0 else offer.value
        yield replace(offer, detail=joined(details, "; "), reason=lost, value=value)


def action_offers(
    state: WesterosState,
    position: HexPosition,
    unit: BoardUnit,
    movers: Sequence[BoardUnit],
    alone: bool,
) -> Iterator[ActionOffer]:
    """Attacks with their odds, the move with its hexes, hounds and fire."""
    for enemy in position.enemies(unit):
        if alone or not attack_refusals(position, unit, enemy):
            yield attack_offer(state, position, unit, enemy)
        if unit.has("war-hounds") and not hound_refusals(position, unit, enemy):
            yield hound_offer(state, position, unit, enemy)
    turn = state.acting
    if unit in movers:
        yield move_offer(state, position, unit)
    elif alone:
        for other in movers:
            if not attacks_now(position, other):
                text = say("Move {unit} first", unit=short_name(state.unit(other.id)))
                yield replace(move_offer(state, position, other), text=text)
    if alone:
        yield from attacks_of_others(state, position, unit)
    fires = list(fire_offers(state, position, unit))
    yield from fires
    if turn is not None and alone:  # nobody must act (BOW-OPT-1), but it is not proposed then
        unused = not set(unused_units(state, turn)) <= {unit.id}
        command, value = {"do": "end-turn"}, -4 if unused else -2
        ends = ActionOffer("check", say("End the turn"), (command,), unit.id, value=value)
        yield replace(ends, closes=True, by_row=unused or any(one.possible for one in fires))


def attacks_of_others(
    state: WesterosState, position: HexPosition, unit: BoardUnit
) -> Iterator[ActionOffer]:
    """The attacks of other ordered units, once a unit itself has nothing left to do."""
    turn = state.acting
    if turn is None or unit.id in unused_units(state, turn) and attacks_now(position, unit):
        return
    if unit.id in moves_left(position, turn):
        return
    for name in unused_units(state, turn):
        other = position.by_id[name]
        for enemy in position.enemies(other) if name != unit.id else ():
            if not attack_refusals(position, other, enemy):
                offer = attack_offer(state, position, other, enemy)
                who = short_name(state.unit(name))
                yield replace(offer, text=say("{unit}: {what}", unit=who, what=offer.text))


def own_fire_command(unit: BoardUnit) -> dict[str, Any]:
    """No attack, so that the others may still move (BOW-FIR-14)."""
    return {"do": "fight-fire", "unit": unit.id}


def fire_offers(
    state: WesterosState, position: HexPosition, unit: BoardUnit
) -> Iterator[ActionOffer]:
    """What a unit may do about fire; the hexes of a fire are no moves and shown once it is picked
    by its row."""
    if unit.cell in position.field.fire:
        command = own_fire_command(unit)
        yield tried(state, ActionOffer("drop", say("Put out the own fire"), (command,), unit.id))
    for word, text, cells in (
        ("scorch", say("Set on fire"), scorch_cells(position, unit)),
        ("fight-fire", say("Fight a fire"), fires_beside(position, unit)),
    ):
        if cells and (word != "scorch" or unit.has("scorched-earth")):
            offer = aimed("drop", text, unit, word, list(cells), ask=True)
            marked = tuple(replace(one, mark="danger") for one in offer.cells)
            yield tried(state, replace(offer, cells=marked, by_row=True))


def attack_offer(
    state: WesterosState, position: HexPosition, unit: BoardUnit, enemy: BoardUnit
) -> ActionOffer:
    """An attack with the chance to eliminate, figures lost and the chance of a retreat."""
    command = {"do": "attack", "unit": unit.id, "target": enemy.id}
    text = say("Attack {unit}", unit=short_name(state.unit(enemy.id)))
    why = attack_refusals(position, unit, enemy)
    offer = priced("bow" if unit.ranged else "swords", text, command, unit, enemy)
    if why:
        told = sight_words(state, position, unit, enemy) if why[0] in IN_SIGHT else ""
        return replace(offer, verdict="no", rules=why, reason=told or reason(why[0]))
    odds = unit_odds(position, unit, enemy)
    details = [parting_words(foe) for foe in [parting_striker(position, unit, enemy)] if foe]
    if flanks(position, unit, enemy):
        details.append(say("flank attack: one symbol may be re-rolled"))
    return tried(state, with_odds(replace(offer, detail=joined(details)), odds))


def parting_words(foe: BoardUnit) -> str:
    return say("{unit} may strike a parting blow first", unit=foe.name)


IN_SIGHT = ("BOW-LOS-5", "BOW-LOS-6")


def sight_words(
    state: WesterosState, position: HexPosition, unit: BoardUnit, enemy: BoardUnit
) -> str:
    """Which units and hexes block the line of sight, by their names (BOW-LOS-5, BOW-LOS-6)."""
    known = [one for one in sight(position, unit, enemy).cells if one in position.field.cells]
    names = [
        short_name(state.unit(position.occupied[one].id))
        if one in position.occupied
        else place(position, one)
        for one in known
    ]
    found = joined(list(dict.fromkeys(names)))
    return say("the line of sight is blocked: {names}", names=found) if names else ""


def priced(
    kind: str, text: str, command: dict[str, Any], unit: BoardUnit, enemy: BoardUnit
) -> ActionOffer:
    return ActionOffer(kind, text, (command,), unit.id, enemy.id)


def with_odds(offer: ActionOffer, odds: HexOdds) -> ActionOffer:
    destroys, mean, away = Share(odds.destroys), float(odds.mean), Share(odds.escapes)
    if not odds.left_known:
        lost = say("{other:.0%} retreat", other=away)
    elif odds.commander:
        lost = say("{share:.0%} captured, {other:.0%} retreat", share=destroys, other=away)
    elif not odds.destroys:
        lost = say("{other:.0%} retreat", other=away)
    else:
        lost = say("{share:.0%} eliminated, {other:.0%} retreat", share=destroys, other=away)
    unknown = alone_unentered(odds)
    # A commander alone loses its last figure only by a capture, whose chance stands beside it.
    alone = odds.commander and odds.mean == odds.destroys
    return replace(
        offer,
        odds="" if unknown or alone else say("{n:.1f} figures", n=mean),
        expected=joined([UNENTERED, lost], " · ") if unknown else lost,
        value=destroys * 2 + mean + float(odds.retreat) / 2,
    )


def hound_offer(
    state: WesterosState, position: HexPosition, unit: BoardUnit, enemy: BoardUnit
) -> ActionOffer:
    """War hounds with their odds."""
    card = state.unit(unit.id).card
    odds = unit_hound_odds(position, unit, enemy, {r: row.dice for r, row in card.rows.items()})
    command = {"do": "hounds", "unit": unit.id, "target": enemy.id}
    text = say("War hounds at {unit}", unit=short_name(state.unit(enemy.id)))
    return tried(state, with_odds(priced("shot", text, command, unit, enemy), odds))


def move_offer(state: WesterosState, position: HexPosition, unit: BoardUnit) -> ActionOffer:
    """One move with all its hexes; where the unit could not attack afterwards the hex says so."""
    cells = tuple(
        TargetCell(
            cell,
            ({"do": "move", "unit": unit.id, "to": cell_text(cell)},),
            "" if end.attack else "more",
            str(end.cost),
            "" if end.attack else say("no attack afterwards"),
        )
        for cell, end in sorted(ordered_ends(position, unit).items())
    )
    details = [parting_words(foe) for foe in [parting_striker(position, unit)] if foe]
    if any(cell.mark for cell in cells):
        details.append(say("+ means: no attack afterwards"))
    detail = joined(details)
    offer = ActionOffer("maneuver", say("Move"), (), unit.id, cells=cells, detail=detail, value=0.1)
    return tried(state, offer)
