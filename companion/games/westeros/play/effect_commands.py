"""What a card's text does, and corrections by hand: houses, units, fires, sites."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.combat.die import SYMBOLS
from companion.games.westeros.play.context import CommandFields, WesterosContext, command
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.setup_commands import IN_BATTLE
from companion.games.westeros.play.state import NOBODY, UnitInBattle, hex_field
from companion.games.westeros.rules.fire import burn_limit
from companion.games.westeros.rules.hex_field import MOST_FIRE
from models.board import cell_text
from models.message import Name, say

MOST_POINTS = 99


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
    if unit.commander.text:
        ctx.remind(Name(unit.commander.text))
    return None


@command(
    "effect",
    say("what a card's text does, or a correction"),
    ask("side", "side", say("the house whose morale, points, tokens or cards change")),
    ask("morale", "number", say("morale of that house, up or down")),
    ask("points", "number", say("victory points, up or down")),
    ask("vp", "number", say("all victory points of that house")),
    ask("hand", "number", say("cards in hand")),
    ask("tokens", "number", say("command tokens on the command board")),
    ask("pool", "list", say("the order pool"), False, SYMBOLS),
    ask("unit", "unit", say("the unit whose figures, banner or place change")),
    ask("figures", "number", say("figures left")),
    ask("active", "flag", say("whether its banner shows the colour of the round")),
    ask("to", "hex", say("where it stands")),
    ask("disengage", "flag", say("take its engagement marker away")),
    ask("engage", "unit", say("put its engagement marker beside this enemy")),
    ask("leaves", "flag", say("it leaves the field as the scenario allows, not eliminated")),
    ask("fire", "number", say("the fire level of that hex")),
    ask("ask", "flag", say("the fire level of that hex is asked for next")),
    ask("held_by", "word", say("the house that holds the site on that hex, or nobody")),
    ask("why", "text", say("the card or the reason")),
    phases=IN_BATTLE,
    busy=True,
)
def effect(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Card text beats the rules; the players say what it does (BOW-GEN-2, BOW-MOR-6)."""
    why = args.text("why", say("by hand"))
    if args.has("unit"):
        return unit_effect(ctx, args, why)
    if args.has("fire") or args.flag("ask"):
        return fire_effect(ctx, args)
    if args.has("held_by"):
        return site_effect(ctx, args)
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
    if args.has("vp"):
        ctx.score(house.side, args.whole("vp", 0, MOST_POINTS) - house.vp, why)
    if args.has("morale"):
        ctx.change_morale(house.side, args.whole("morale", -22, 22))
    return None


def site_effect(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """A control marker by the scenario's word or by hand (BOW-CMP-8, BOW-VIC-1)."""
    cell = ctx.cell(args)
    sides = {one.side: one.player for one in ctx.state.houses}
    side = args.field("held_by").choice((*sides, NOBODY))
    if cell not in {one.cell for one in ctx.state.plan.victory.sites}:
        return no("BOW-CMP-8", "{place} is no site of this battle", place=ctx.place(cell))
    if side == NOBODY:
        ctx.add(round_events.control_lost, cell=cell_text(cell), place=ctx.place(cell))
    else:
        ctx.hold(side, cell)
    return None


def fire_effect(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """A fire marker by a card's text or by hand, never above the limit (BOW-FIR-3, BOW-FIR-4)."""
    state, cell = ctx.state, ctx.cell(args)
    limit, now = burn_limit(hex_field(state), cell) or 0, hex_field(state).fire.get(cell, 0)
    level = now + 1 if args.flag("ask") else args.whole("fire", 0, MOST_FIRE)
    if level > limit:
        return no("BOW-FIR-3", "{place} cannot burn so high", place=ctx.place(cell))
    if args.flag("ask") and level < limit:
        if state.attack is not None or state.tasks:
            return no("BOW-CMB-1", "finish first what the game waits for")
        ctx.add(battle_events.fire_by_card, place=ctx.place(cell))
        ctx.wait_for("fire-level", state.active, "", to=cell_text(cell), least=level, most=limit)
        return None
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
    placed = any(args.has(key) for key in ("to", "engage", "disengage", "leaves"))
    if (ctx.state.attack is not None or ctx.state.tasks) and (removed or placed):
        return no("BOW-CMB-1", "finish first what the game waits for")
    if args.flag("leaves"):  # BOW-MOV-4
        ctx.note(battle_events.left_field, unit)
        return None
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
