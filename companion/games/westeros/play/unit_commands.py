"""Commands of ordered units: move, attack, war hounds, setting and fighting fires."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.combat.die import GREEN, SYMBOLS, VALOUR, symbol
from companion.games.westeros.play.combat_flow import begin_attack, move_unit
from companion.games.westeros.play.context import (
    CommandFields,
    WesterosContext,
    command,
    symbol_text,
    symbols_of,
)
from companion.games.westeros.play.events import battle_events
from companion.games.westeros.play.state import BattleTaskData, UnitInBattle, WesterosState
from companion.games.westeros.rules.attack_options import (
    attack_refusals,
    hound_refusals,
    parting_striker,
)
from companion.games.westeros.rules.fire import burn_limit, fires_beside, scorch_cells
from companion.games.westeros.rules.movement import entry_refusal, ordered_ends
from companion.games.westeros.rules.position import BoardUnit
from companion.games.westeros.rules.readings import reason
from models.board import Cell, cell_text
from models.message import say

FACES_FIELD = ask("faces", "list", say("the symbols rolled; the companion rolls without them"))
ASK_FIELD = ask("ask", "flag", say("true: the game waits for the roll"))


def ordered_unit(state: WesterosState, args: CommandFields) -> UnitInBattle | Refusal:
    """The unit of this turn's orders that a command names."""
    turn, unit = state.acting, state.unit(args.need("unit"))
    if turn is None:
        return no("BOW-MOV-1", "no unit is ordered")
    if unit.id not in turn.units:
        return no("BOW-UNT-10", "{unit} is not ordered in this turn", unit=unit.name)
    if not unit.on_field:
        return no("BOW-UNT-12", "{unit} is not on the field", unit=unit.name)
    return unit


def moving_unit(state: WesterosState, args: CommandFields) -> UnitInBattle | Refusal:
    """An ordered unit that may still move (BOW-OPT-2, BOW-OPT-3)."""
    unit, turn = ordered_unit(state, args), state.acting
    if isinstance(unit, Refusal) or turn is None:
        return unit
    if turn.attacking:
        return no("BOW-OPT-2", "all moves come before the first attack")
    if unit.id in turn.moved:
        return no("BOW-OPT-3", "{unit} has moved", unit=unit.name)
    if unit.id in turn.acted:
        return no("BOW-FIR-14", "{unit} has fought its fire", unit=unit.name)
    return unit


def attacking_unit(state: WesterosState, args: CommandFields) -> UnitInBattle | Refusal:
    """An ordered unit that may still attack, or do something instead (BOW-OPT-5)."""
    unit, turn = ordered_unit(state, args), state.acting
    if isinstance(unit, Refusal) or turn is None:
        return unit
    if turn.done(unit.id):
        return no("BOW-OPT-5", "{unit} has attacked in this turn", unit=unit.name)
    if unit.id in turn.no_attack:
        return no("BOW-OPT-1", "{unit} moved too far to attack", unit=unit.name)
    return unit


@command(
    "move",
    say("move an ordered unit"),
    ask("unit", "unit", "", True),
    ask("to", "hex", "", True),
    of=moving_unit,
)
def move(ctx: WesterosContext, args: CommandFields, unit: UnitInBattle) -> Refusal | None:
    """An ordered move; an engaged unit disengages by it (BOW-MOV-2, BOW-MOV-7, BOW-ENG-9)."""
    to, position = ctx.cell(args), ctx.position
    mine = position.by_id[unit.id]
    if to not in ordered_ends(position, mine):
        if mine.cell in position.field.fire:
            return refuse(unit, "BOW-FIR-12")
        return refuse(unit, entry_refusal(position, to) or "BOW-MOV-2")
    foe = ctx.state.opponent(unit.id)
    if foe:
        leave(ctx, unit, foe, to)
    else:
        move_unit(ctx, unit, to)
    return None


def refuse(unit: UnitInBattle, rule: str) -> Refusal:
    """A refusal by a rule that has a short reason."""
    return no(rule, "{unit}: {why}", unit=unit.name, why=reason(rule) or rule)


def leave(ctx: WesterosContext, unit: UnitInBattle, foe: str, to: Cell | None) -> None:
    """The marker goes, and the opponent may strike before the unit goes on (BOW-PBL-1)."""
    striker = parting_striker(ctx.position, ctx.on_board(unit.id))
    ctx.note(battle_events.disengaged, unit)
    if striker is None:
        if to is not None:
            move_unit(ctx, unit, to)
        return
    data = BattleTaskData(target=unit.id)
    if to:
        data["move_to"] = cell_text(to)
    ctx.wait_for("parting-blow", ctx.unit(foe).side, foe, **data)


@command(
    "attack",
    say("attack an enemy with an ordered unit"),
    ask("unit", "unit", "", True),
    ask("target", "unit", "", True),
    of=attacking_unit,
)
def attack(ctx: WesterosContext, args: CommandFields, unit: UnitInBattle) -> Refusal | None:
    """Steps 1 to 4: attacker, target, range and sight, marker (BOW-CMB-1, BOW-ENG-8 to -11)."""
    target = ctx.unit(args.need("target"))
    if refusal := target_refusal(unit, target):
        return refusal
    position = ctx.position
    mine, theirs = position.by_id[unit.id], position.by_id[target.id]
    if why := attack_refusals(position, mine, theirs):
        return refuse(unit, why[0])
    foe = ctx.state.opponent(unit.id)
    begin_attack(ctx, unit, target, "ranged" if mine.ranged else "melee")
    if foe and foe != target.id:  # a melee unit that leaves its opponent (BOW-ENG-10)
        leave(ctx, unit, foe, None)
    return None


def target_refusal(unit: UnitInBattle, target: UnitInBattle) -> Refusal | None:
    """Why a unit cannot be the target of an attack at all."""
    if target.side == unit.side:
        return no("BOW-CMB-1", "{unit} is no enemy", unit=target.name)
    if not target.on_field:
        return no("BOW-UNT-12", "{unit} is not on the field", unit=target.name)
    return None


@command(
    "hounds",
    say("send the war hounds of an ordered unit"),
    ask("unit", "unit", "", True),
    ask("target", "unit", "", True),
    of=attacking_unit,
)
def hounds(ctx: WesterosContext, args: CommandFields, unit: UnitInBattle) -> Refusal | None:
    """A special attack instead of moving and attacking (BOW-KEY-4, BOW-KEY-5)."""
    turn = ctx.state.acting
    if turn is not None and unit.id in {*turn.moved, *turn.followed}:
        return no("BOW-KEY-4", "{unit} has moved", unit=unit.name)
    target = ctx.unit(args.need("target"))
    if refusal := target_refusal(unit, target):
        return refusal
    position = ctx.position
    why = hound_refusals(position, position.by_id[unit.id], position.by_id[target.id])
    if why:
        return refuse(unit, why[0])
    begin_attack(ctx, unit, target, "hounds")
    return None


@command(
    "scorch",
    say("try to set an adjacent hex on fire instead of attacking"),
    ask("unit", "unit", "", True),
    ask("to", "hex", "", True),
    FACES_FIELD,
    ASK_FIELD,
    of=attacking_unit,
)
def scorch(ctx: WesterosContext, args: CommandFields, unit: UnitInBattle) -> Refusal | None:
    """The normal attack dice; each green shield adds 1 fire level (BOW-KEY-16, BOW-KEY-17)."""
    position, to = ctx.position, ctx.cell(args)
    mine = position.by_id[unit.id]
    if not mine.has("scorched-earth"):
        return no("BOW-KEY-16", "{unit} has no Scorched earth", unit=unit.name)
    if mine.cell in position.field.fire:
        return refuse(unit, "BOW-FIR-13")
    if to not in scorch_cells(position, mine):
        return no("BOW-KEY-16", "{place} cannot be set on fire", place=ctx.place(to))
    if args.has("ask"):
        wait_for_fire(ctx, unit, "scorch", to, mine.row.dice)
        return None
    set_on_fire(ctx, unit, to, ctx.rolled(args, mine.row.dice))
    return None


def wait_for_fire(ctx: WesterosContext, unit: UnitInBattle, do: str, to: Cell, dice: int) -> None:
    """The players roll for a fire next."""
    where = ctx.place(to)
    ctx.note(battle_events.fire_aimed, unit, do=do, place=where)
    about = BattleTaskData(dice=dice, unit=unit.id, to=cell_text(to), do=do, place=where)
    ctx.wait_for("fire-roll", unit.side, unit.id, **about)


def scorching(unit: BoardUnit) -> tuple[str, ...]:
    """The symbols that add a fire level (BOW-KEY-17)."""
    return (GREEN, VALOUR) if unit.has("scorching-valour") else (GREEN,)


def set_on_fire(ctx: WesterosContext, unit: UnitInBattle, to: Cell, faces: list[int]) -> None:
    """Each symbol that counts adds a level, up to the burn limit (BOW-FIR-2, BOW-FIR-3)."""
    position = ctx.position
    ctx.note(battle_events.fire_rolled, unit, faces=faces, symbols=symbol_text(faces))
    counting = scorching(position.by_id[unit.id])
    levels = sum(one in counting for one in symbols_of(faces))
    now = position.field.fire.get(to, 0)
    level = min(burn_limit(position.field, to) or 0, now + levels)
    if level > now:
        ctx.burn(to, level)
    finish_instead(ctx, unit)


def finish_instead(ctx: WesterosContext, unit: UnitInBattle, instead: bool = True) -> None:
    """A unit has done something, mostly instead of attacking; its banner turns (BOW-OPT-4)."""
    ctx.add(battle_events.acted, unit=unit.id, instead=instead)
    ctx.note(battle_events.banner, ctx.unit(unit.id), active=False)


@command(
    "fight-fire",
    say("fight the fire in the own hex, or an adjacent one"),
    ask("unit", "unit", "", True),
    ask("to", "hex", say("an adjacent burning hex; the own hex without it")),
    FACES_FIELD,
    ASK_FIELD,
    of=attacking_unit,
)
def fight_fire(ctx: WesterosContext, args: CommandFields, unit: UnitInBattle) -> Refusal | None:
    """The own fire goes out at once; an adjacent one by its symbol (BOW-FIR-14, BOW-FIR-15)."""
    position = ctx.position
    mine = position.by_id[unit.id]
    to = ctx.cell(args) if args.has("to") else mine.cell
    if to == mine.cell:
        if to not in position.field.fire:
            return no("BOW-FIR-14", "{unit} does not stand in fire", unit=unit.name)
        if ctx.state.acting is not None and not ctx.state.acting.fresh(unit.id):
            return no("BOW-FIR-14", "{unit} has moved or attacked", unit=unit.name)
        ctx.burn(to, 0)
        finish_instead(ctx, unit, instead=False)
        return None
    if to not in fires_beside(position, mine):
        return no(
            "BOW-FIR-15",
            "{unit} is not beside that fire: {place}",
            unit=unit.name,
            place=ctx.place(to),
        )
    if args.has("ask"):
        wait_for_fire(ctx, unit, "fight-fire", to, 1)
        return None
    fight_adjacent_fire(ctx, unit, to, ctx.rolled(args, 1))
    return None


def fight_adjacent_fire(
    ctx: WesterosContext, unit: UnitInBattle, to: Cell, faces: list[int]
) -> None:
    """One die; the symbol of the fire's level puts it out (BOW-FIR-15)."""
    ctx.note(battle_events.fire_rolled, unit, faces=faces, symbols=symbol_text(faces))
    if puts_out(ctx.state, symbol(faces[0]), ctx.position.field.fire[to]):
        ctx.burn(to, 0)
    else:
        ctx.remind(say("the fire burns on: {place}", place=ctx.place(to)))
    finish_instead(ctx, unit)


def puts_out(state: WesterosState, rolled: str, level: int) -> bool:
    """Green puts out level 1, blue 2, red 3, valour 4: exactly that one (BOW-OR-28)."""
    power = SYMBOLS.index(rolled) + 1
    if power > 4:
        return False
    return power >= level if state.readings.adjacent_fire == "or-lower" else power == level
