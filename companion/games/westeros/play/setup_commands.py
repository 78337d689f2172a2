"""Commands of the skirmish set-up, and corrections by hand."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.combat.die import SYMBOLS
from companion.games.westeros.play.context import CommandFields, WesterosContext, command
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.skirmish_flow import (
    choice_problem,
    draw_forces,
    next_units,
    overlay_cells,
    place_cells,
)
from companion.games.westeros.play.state import (
    CHOOSE,
    COMMAND,
    ORGANISE,
    OVERLAY_HEX,
    OVERLAYS,
    PLACE,
    REACTIVATION,
    REGROUP,
    UnitInBattle,
    hex_field,
)
from companion.games.westeros.rules.fire import burn_limit
from companion.games.westeros.rules.hex_field import MOST_FIRE, TERRAIN_WORDS
from companion.games.westeros.rules.hex_field import OVERLAYS as OVERLAY_KINDS
from models.board import cell_text
from models.message import say

IN_BATTLE = (ORGANISE, COMMAND, REGROUP)
BEFORE = (CHOOSE, OVERLAYS, PLACE, REACTIVATION)


@command(
    "concede",
    say("a player gives up; the other wins"),
    ask("side", "side", "", True),
    phases=(*BEFORE, *IN_BATTLE),
    busy=True,
)
def concede(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """No book forbids to give up, in the middle of a task either; no points are scored for it."""
    house = ctx.state.house(args.need("side"))
    ctx.win(ctx.state.other(house.side), say("{player} concedes", player=house.player))
    return None


@command(
    "commanders",
    say("choose commanders in secret"),
    ask("side", "side", "", True),
    ask("choose", "list", say("the ids of their set-up cards"), True),
    phases=(CHOOSE,),
)
def commanders(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Within number and total value; both are revealed together (BOW-SKM-4, BOW-SKM-10)."""
    house = ctx.state.house(args.need("side"))
    if house.chosen is not None:
        return no("BOW-SKM-4", "{player} has chosen", player=house.player)
    chosen = args.texts("choose", 9)
    if why := choice_problem(ctx.state, house.side, chosen):
        return no(why, "these commanders may not be chosen together")
    ctx.add(
        round_events.commanders_chosen, side=house.side, player=house.player, chosen=list(chosen)
    )
    if all(one.chosen is not None for one in ctx.state.houses):
        draw_forces(ctx)
    return None


@command(
    "overlay",
    say("place one of your overlays"),
    ask("terrain", "word", "", True, OVERLAY_KINDS),
    ask("to", "hex", say("where it lies; asked for next without it")),
    phases=(OVERLAYS,),
    busy=True,
)
def overlay(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """In turns, beginning with the mace (BOW-SKM-9, BOW-SKM-11, BOW-OR-31)."""
    state = ctx.state
    house, word = state.house(state.active), args.need("terrain")
    if word not in house.overlays:
        return no("BOW-SKM-8", "{player} has no such overlay left", player=house.player)
    to = ctx.cell(args) if args.has("to") else None
    if to is not None and to not in overlay_cells(state, house.side):
        return no("BOW-SKM-11", "{place}: too far from the own edge, or taken", place=ctx.place(to))
    if state.tasks:  # the overlay that was chosen before
        ctx.add(round_events.task_done)
    if to is None:
        what = TERRAIN_WORDS[word]
        ctx.add(round_events.overlay_chosen, side=house.side, player=house.player, what=what)
        ctx.wait_for(OVERLAY_HEX, house.side, "", terrain=word)
        return None
    what = TERRAIN_WORDS[word]
    about = {"terrain": word, "what": what, "cell": cell_text(to), "place": ctx.place(to)}
    ctx.add(round_events.overlay, side=house.side, **about)
    ctx.add(round_events.next_player, side=state.other(house.side))
    return None


@command(
    "place",
    say("place one of your units"),
    ask("unit", "unit", "", True),
    ask("to", "hex", "", True),
    phases=(PLACE,),
)
def place(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Commanders first, then the others, in turns (BOW-SKM-9, BOW-SKM-12, BOW-SKM-13)."""
    state, unit, to = ctx.state, ctx.unit(args.need("unit")), ctx.cell(args)
    if unit.id not in {one.id for one in next_units(state, state.active)}:
        return no("BOW-SKM-9", "{unit} is not placed now", unit=unit.name)
    if to not in place_cells(state, unit):
        rule = "BOW-SKM-12" if unit.commander else "BOW-SKM-13"
        return no(rule, "{unit} may not be placed there", unit=unit.name)
    ctx.note(round_events.placed, unit, cell=cell_text(to), place=ctx.place(to, unit.id))
    ctx.add(round_events.next_player, side=state.other(unit.side))
    return None


@command(
    "guide",
    say("say what to tap in the first turns, or no longer"),
    ask("on", "flag", "", True),
    phases=(REACTIVATION, *IN_BATTLE),
    busy=True,
)
def guide(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """The players leave the guide, or want it back."""
    ctx.add(round_events.guide, on=args.field("on").flag())
    return None


@command(
    "commit",
    say("use a commander's special ability, once per battle"),
    ask("unit", "unit", "", True),
    phases=IN_BATTLE,
    busy=True,
)
def commit(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """The card is turned to its committed side (BOW-CDR-6)."""
    unit = ctx.unit(args.need("unit"))
    if unit.commander is None or not unit.on_field:
        return no("BOW-CDR-6", "{unit} is no commander on the field", unit=unit.name)
    if unit.committed:
        return no("BOW-CDR-6", "{unit} has used the special ability", unit=unit.name)
    ctx.note(round_events.committed, unit)
    return None


@command(
    "effect",
    say("what a card's text does, or a correction"),
    ask("side", "side", say("the house whose morale, points, tokens or cards change")),
    ask("morale", "number", say("morale of that house, up or down")),
    ask("points", "number", say("victory points, up or down")),
    ask("hand", "number", say("cards in hand")),
    ask("tokens", "number", say("command tokens on the command board")),
    ask("pool", "list", say("the order pool"), False, SYMBOLS),
    ask("unit", "unit", say("the unit whose figures, banner or place change")),
    ask("figures", "number", say("figures left")),
    ask("active", "flag", say("whether its banner shows the colour of the round")),
    ask("to", "hex", say("where it stands")),
    ask("disengage", "flag", say("take its engagement marker away")),
    ask("engage", "unit", say("put its engagement marker beside this enemy")),
    ask("fire", "number", say("the fire level of that hex")),
    ask("why", "text", say("the card or the reason")),
    phases=IN_BATTLE,
    busy=True,
)
def effect(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Card text beats the rules; the players say what it does (BOW-GEN-2, BOW-MOR-6)."""
    why = args.text("why", say("by hand"))
    if args.has("unit"):
        return unit_effect(ctx, args, why)
    if args.has("fire"):
        return fire_effect(ctx, args)
    house = ctx.state.house(args.need("side"))
    changes: dict[str, Any] = {
        key: args.whole(key, 0, 40) for key in ("hand", "tokens") if args.has(key)
    }
    if args.has("pool"):
        changes["pool"] = [one.choice(SYMBOLS) for one in args.field("pool").items(20)]
    if changes:
        ctx.add(round_events.corrected, side=house.side, player=house.player, what=why, **changes)
    if args.has("points"):
        ctx.score(house.side, args.whole("points", -30, 30), why)
    if args.has("morale"):
        ctx.change_morale(house.side, args.whole("morale", -22, 22))
    return None


def fire_effect(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """A fire marker by a card's text or by hand, never above the limit (BOW-FIR-3, BOW-FIR-4)."""
    cell, level = ctx.cell(args), args.whole("fire", 0, MOST_FIRE)
    if level > (burn_limit(hex_field(ctx.state), cell) or 0):
        return no("BOW-FIR-3", "{place} cannot burn so high", place=ctx.place(cell))
    ctx.burn(cell, level)
    return None


def engage_by_hand(ctx: WesterosContext, unit: UnitInBattle, foe: UnitInBattle) -> Refusal | None:
    """A marker of the unit's house between it and an adjacent enemy (BOW-ENG-1, BOW-ENG-2)."""
    position = ctx.position
    if foe.side == unit.side or not foe.on_field:
        return no("BOW-ENG-1", "{unit} is no enemy", unit=foe.name)
    if position.field.distance(position.by_id[unit.id].cell, position.by_id[foe.id].cell) != 1:
        return no("BOW-ENG-1", "{unit} is not adjacent", unit=foe.name)
    if ctx.state.opponent(unit.id) not in ("", foe.id) or ctx.state.opponent(foe.id) not in (
        "",
        unit.id,
    ):
        return no("BOW-ENG-2", "a unit never has two engagement markers")
    ctx.add(
        battle_events.engaged,
        one=unit.id,
        two=foe.id,
        house=unit.side,
        name=unit.name,
        other=foe.name,
    )
    return None


def unit_effect(ctx: WesterosContext, args: CommandFields, why: str) -> Refusal | None:
    """An effect on a unit; cards that disengage give no parting blow (BOW-ENG-12)."""
    unit = ctx.unit(args.need("unit"))
    if not unit.on_field:
        return no("BOW-UNT-12", "{unit} is not on the field", unit=unit.name)
    removed = args.has("figures") and args.raw["figures"] == 0
    placed = any(args.has(key) for key in ("to", "engage", "disengage"))
    if (ctx.state.attack is not None or ctx.state.tasks) and (removed or placed):
        return no("BOW-CMB-1", "finish first what the game waits for")
    if args.has("engage"):
        return engage_by_hand(ctx, unit, ctx.unit(args.need("engage")))
    changes: dict[str, Any] = {}
    if args.has("figures"):
        changes["figures"] = args.whole("figures", 0, unit.card.strength)
        least = 1 if unit.commander else 0
        if changes["figures"] < least:  # a commander takes no hits to pay (BOW-CDR-11)
            return no("BOW-CDR-11", "{unit} keeps its commander", unit=unit.name)
    if args.has("active"):
        changes["active"] = args.field("active").flag()
    if args.has("to"):
        to = ctx.cell(args)
        if to in ctx.position.occupied and to != unit.cell:
            return no("BOW-UNT-2", "another unit stands there")
        changes |= {"cell": cell_text(to), "place": ctx.place(to, unit.id)}
    moved = "cell" in changes and changes["cell"] != cell_text(unit.cell or (0, 0))
    if (args.flag("disengage") or moved) and ctx.state.opponent(unit.id):
        ctx.note(battle_events.disengaged, unit)
    if changes:
        figures = changes.pop("figures", None)
        if figures != 0 and figures is not None:
            changes["figures"] = figures
        if changes:
            ctx.note(round_events.corrected, unit, what=why, **changes)
        if figures == 0:
            ctx.lose_unit(ctx.unit(unit.id), captured=False)
    return None
