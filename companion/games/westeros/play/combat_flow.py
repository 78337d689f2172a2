"""How an attack goes on by itself, step by step, until it waits for a player (BOW-CMB-1)."""

from __future__ import annotations

from companion.games.westeros.combat.die import (
    MORALE,
    NOT_ENTERED,
    SHIELD,
    VALOUR,
    counted,
    losses,
    retreats,
)
from companion.games.westeros.combat.odds_query import unit_rule
from companion.games.westeros.play.context import WesterosContext, symbol_text, symbols_of
from companion.games.westeros.play.events import battle_events
from companion.games.westeros.play.state import HexAttack, UnitInBattle
from companion.games.westeros.rules.attack_options import attack_dice, ignored_hits
from companion.games.westeros.rules.movement import (
    directional_cells,
    follow_ends,
    follow_hexes,
    follow_refusal,
    ordered_ends,
    retreat_cells,
)
from companion.games.westeros.rules.readings import reason
from models.board import Cell, cell_text
from models.message import joined, say

HOUND_RANKS = {symbol: rank for rank, symbol in SHIELD.items()}
"""The rank as which war hounds attack, by their first die (BOW-KEY-6)."""


def begin_attack(
    ctx: WesterosContext, unit: UnitInBattle, target: UnitInBattle, kind: str, move_to: str = ""
) -> None:
    """An attack is declared."""
    assert target.cell is not None
    ctx.note(
        battle_events.attacked,
        unit,
        target=target.id,
        other=target.name,
        former=cell_text(target.cell),
        kind=kind,
        dice=0,
        move_to=move_to,
    )


def advance_attack(ctx: WesterosContext, attack: HexAttack) -> None:
    """The next step of an attack that needs no decision, or the task that it waits for."""
    attacker, target = ctx.unit(attack.attacker), ctx.unit(attack.target)
    match attack.stage:
        case "declared":
            declare(ctx, attack, attacker, target)
        case "hounds":
            hound_result(ctx, attack, target)
        case "rolled":
            if attack.flank and attack.faces:
                ctx.wait_for("reroll", attacker.side, attacker.id)
                ctx.add(battle_events.attack_step, stage="final")
            else:
                ctx.add(battle_events.attack_step, stage="final")
        case "final":
            take_hits(ctx, attack, target)
        case "flags":
            count_flags(ctx, attack, target)
        case "retreat":
            retreat_step(ctx, attack, target)
        case "after":
            finish_attack(ctx, attack, attacker, target)
        case _:
            ctx.add(battle_events.attack_ended)


def declare(
    ctx: WesterosContext, attack: HexAttack, attacker: UnitInBattle, target: UnitInBattle
) -> None:
    """Step 4: the engagement marker, before the roll; then the dice (BOW-ENG-3 to BOW-ENG-5)."""
    if not attacker.on_field or not target.on_field:  # a parting blow came first (BOW-PBL-4)
        ctx.add(battle_events.attack_step, stage="done")
        return
    set_marker(ctx, attack, attacker, target)
    if attack.kind == "hounds":
        ctx.wait_for("hound-roll", attacker.side, attacker.id, dice=1)
        ctx.add(battle_events.attack_step, stage="hounds")
        return
    position = ctx.position
    mine, theirs = position.by_id[attacker.id], position.by_id[target.id]
    flank = attack.kind == "melee" and ctx.state.opponent(target.id) not in ("", attacker.id)
    if attack.left and ctx.state.readings.leaving_flank == "no":  # BOW-OR-17
        flank = False
    dice = attack_dice(position, mine, theirs, attack.kind == "counter")
    ctx.add(battle_events.attack_step, stage="rolled", dice=dice, flank=flank)
    wait_for_roll(ctx, attacker, dice)


def set_marker(
    ctx: WesterosContext, attack: HexAttack, attacker: UnitInBattle, target: UnitInBattle
) -> None:
    """A melee attack places a marker or turns the one between the two (BOW-ENG-3, BOW-ENG-4).

    Ranged attacks place none (BOW-ENG-7). Whether they and counterattacks turn the marker between
    the two units is a reading (BOW-OR-13, BOW-OR-15).
    """
    readings = ctx.state.readings
    turns = {
        "melee": True,
        "ranged": readings.ranged_marker == "swaps",
        "counter": readings.counter_marker == "swaps",
    }.get(attack.kind, False)
    between = ctx.state.opponent(attacker.id) == target.id
    new = attack.kind == "melee" and not ctx.state.opponent(target.id)
    if not turns or not (between or new):
        return
    marker = next((one for one in ctx.state.markers if one.other(target.id)), None)
    if marker is None or marker.house != attacker.side:
        ctx.add(
            battle_events.engaged,
            one=attacker.id,
            two=target.id,
            house=attacker.side,
            name=attacker.name,
            other=target.name,
        )


def wait_for_roll(ctx: WesterosContext, attacker: UnitInBattle, dice: int) -> None:
    """Step 6: the roll; without dice there is none."""
    if dice:
        ctx.wait_for("attack-roll", attacker.side, attacker.id, dice=dice)
    else:
        nothing = symbol_text(())
        ctx.note(battle_events.attack_rolled, attacker, faces=[], symbols=nothing, stage="rolled")


def hound_result(ctx: WesterosContext, attack: HexAttack, target: UnitInBattle) -> None:
    """The first die of war hounds chooses what they do (BOW-KEY-6 to BOW-KEY-8)."""
    (first,) = symbols_of(attack.faces)
    if first == VALOUR:
        ctx.add(battle_events.attack_step, stage="final", sure=True)
    elif first == MORALE:
        ctx.add(battle_events.attack_step, stage="retreat", steps=1, sure=True)
    else:
        position = ctx.position
        unit = ctx.unit(attack.attacker)
        row = unit.card.row(HOUND_RANKS[first])
        mine, theirs = position.by_id[unit.id], position.by_id[target.id]
        dice = attack_dice(position, mine, theirs, base=row.dice)
        ctx.add(battle_events.attack_step, stage="rolled", dice=dice)
        wait_for_roll(ctx, unit, dice)


def attack_hits(ctx: WesterosContext, attack: HexAttack) -> int:
    """The hits that count: matching shields and valour, less Cover and Toughness (BOW-KEY-3)."""
    if attack.sure:
        return 1  # war hounds: 1 hit that cannot be ignored (BOW-KEY-8)
    position = ctx.position
    theirs = position.by_id[attack.target]
    rule = unit_rule(position.by_id[attack.attacker], theirs)
    hits = rule.hits(counted(symbols_of(attack.faces)))
    return max(0, hits - ignored_hits(position, theirs))


def take_hits(ctx: WesterosContext, attack: HexAttack, target: UnitInBattle) -> None:
    """Step 7: the target takes all hits at once (BOW-CMB-8)."""
    hits = attack_hits(ctx, attack)
    if asks_capture_value(ctx, target, hits):
        return
    eliminated = suffer(ctx, target, hits)
    if ctx.state.winner:
        return
    parting = attack.kind == "parting" or attack.sure  # flags of a parting blow (BOW-PBL-3)
    ctx.add(
        battle_events.attack_step, stage="after" if eliminated or parting else "flags", hits=hits
    )


def asks_capture_value(
    ctx: WesterosContext, unit: UnitInBattle, hits: int, earlier: HexAttack | None = None
) -> bool:
    """Whether the hits may capture a commander whose card nobody has entered: then it is asked."""
    if unit.commander is None or unit.commander.capture is not None:
        return False
    counts = ctx.state.readings.leftover_hits == "count"  # BOW-OR-8
    more, began = (earlier.hits, earlier.figures) if earlier else (0, unit.figures)
    if not losses(hits + more, began, 1, counts).captured:
        return False
    ctx.wait_for("capture-value", unit.side, unit.id, hits=hits + more, figures=began)
    return True


def suffer(
    ctx: WesterosContext,
    unit: UnitInBattle,
    hits: int,
    earlier: HexAttack | None = None,
    blocked: bool = False,
) -> bool:
    """Hits of one event on a unit; whether it was eliminated (BOW-CDR-8, BOW-CDR-9).

    The hits of an `earlier` attack count with them for a capture (BOW-OR-10).
    """
    if not hits:
        return False
    capture = (unit.commander.capture or NOT_ENTERED) if unit.commander else None
    counts = ctx.state.readings.leftover_hits == "count"  # BOW-OR-8
    more, began = (earlier.hits, earlier.figures) if earlier else (0, unit.figures)
    found = losses(hits + more, began, capture, counts)
    lost = found.figures - (began - unit.figures)
    if lost:
        ctx.note(battle_events.hits, unit, hits=hits, figures=lost, blocked=blocked)
    spare = hits - lost
    if unit.commander and not found.eliminated and unit.figures - lost == 1 and spare > 0:
        ctx.note(battle_events.withstood, unit, n=spare)
    if found.eliminated:
        ctx.lose_unit(ctx.unit(unit.id), found.captured)
    return found.eliminated


def count_flags(ctx: WesterosContext, attack: HexAttack, target: UnitInBattle) -> None:
    """Each flag forces 1 hex of retreat; a Stalwart unit may ignore the first (BOW-KEY-18)."""
    flags = retreats(counted(symbols_of(attack.faces)))
    ctx.add(battle_events.attack_step, stage="retreat", steps=flags)
    position = ctx.position
    if flags and position.stalwart(position.by_id[target.id]):
        ctx.wait_for("stalwart", target.side, target.id, flags=flags)


def retreat_step(ctx: WesterosContext, attack: HexAttack, target: UnitInBattle) -> None:
    """One hex of the retreat; hexes that are blocked are hits (BOW-RET-1, BOW-RET-6)."""
    if attack.steps < 1:
        ctx.add(battle_events.attack_step, stage="after")
        return
    position = ctx.position
    mine = position.by_id[target.id]
    if directional(ctx, attack) and attack.former is not None:
        attacker = position.by_id[attack.attacker].cell
        cells = directional_cells(position, mine, attack.former, attacker)
    else:
        cells = retreat_cells(position, mine, attack.steps, attack.former)
    if not cells:
        together = ctx.state.readings.blocked_hits == "together"  # BOW-OR-10
        earlier = attack if together else None
        if asks_capture_value(ctx, target, attack.steps, earlier):
            return
        ctx.add(battle_events.attack_step, stage="after", steps=0)
        suffer(ctx, target, attack.steps, earlier, blocked=True)
    elif len(cells) == 1:
        where = ctx.place(cells[0], target.id)
        ctx.note(battle_events.retreated, target, cell=cell_text(cells[0]), place=where)
        ctx.take_control(target, cells[0])
    else:
        texts = [cell_text(cell) for cell in sorted(cells)]
        attacker_chooses = ctx.state.readings.retreat_choice == "attacker"  # BOW-OR-11
        side = ctx.unit(attack.attacker).side if attacker_chooses else target.side
        ctx.wait_for("retreat", side, target.id, cells=texts, steps=attack.steps)


def directional(ctx: WesterosContext, attack: HexAttack) -> bool:
    """Whether the target retreats away from its attacker: in melee, if so read (BOW-OR-40)."""
    read = ctx.state.readings.melee_retreat == "directional"
    return read and attack.kind in ("melee", "counter")


def finish_attack(
    ctx: WesterosContext, attack: HexAttack, attacker: UnitInBattle, target: UnitInBattle
) -> None:
    """What follows: Advance or Pursue, a counterattack, a move, and the banner (BOW-CMB-10)."""
    ctx.add(battle_events.attack_step, stage="done")
    if ctx.state.winner:
        return
    if attack.kind == "parting":
        finish_parting(ctx, attack, target)
        return
    if attack.kind == "counter":
        return  # neither Advance nor Pursue, nor another counterattack (BOW-CTR-5, BOW-CTR-6)
    if attacker.on_field:
        ctx.note(battle_events.banner, attacker, active=False)
    offer_follow(ctx, attack, attacker, target)
    offer_counter(ctx, attack, attacker, target)


def finish_parting(ctx: WesterosContext, attack: HexAttack, leaving: UnitInBattle) -> None:
    """A unit that survived the parting blow moves on; an attack goes on by itself (BOW-PBL-4)."""
    if attack.move_to is None or not ctx.unit(leaving.id).on_field:
        return
    move_unit(ctx, ctx.unit(leaving.id), attack.move_to)


def move_unit(ctx: WesterosContext, unit: UnitInBattle, to: tuple[int, int]) -> None:
    """An ordered move; whether the unit may attack after it depends on the option."""
    position = ctx.position
    end = ordered_ends(position, position.by_id[unit.id])[to]
    where = ctx.place(to, unit.id)
    ctx.note(battle_events.moved, unit, cell=cell_text(to), attack=end.attack, place=where)
    ctx.take_control(unit, to)


def offer_follow(
    ctx: WesterosContext, attack: HexAttack, attacker: UnitInBattle, target: UnitInBattle
) -> None:
    """Advance or Pursue, once per turn, if the target's hex is free (BOW-KEY-2, BOW-KEY-15)."""
    gone = attack.retreated or not target.on_field
    turn = ctx.state.acting
    if not gone or not attacker.on_field or attack.former is None or attack.kind != "melee":
        return
    if turn is None:
        return
    position = ctx.position
    mine = position.by_id[attacker.id]
    once = attacker.id in turn.followed
    ends = {} if once else follow_ends(position, mine, attack.former)
    if ends:
        cells = [cell_text(cell) for cell in sorted(ends)]
        ctx.wait_for("follow", attacker.side, attacker.id, cells=cells)
        return
    rule = "BOW-KEY-2" if once else follow_refusal(position, mine, attack.former)
    if follow_hexes(mine) and reason(rule):  # nobody thinks that it was forgotten
        why = joined([reason(rule), *still_held(ctx, attacker, attack.former)], "; ")
        ctx.note(battle_events.not_followed, attacker, why=why)


def still_held(ctx: WesterosContext, attacker: UnitInBattle, cell: Cell) -> list[str]:
    """That a site stays with the enemy if nobody enters it (BOW-CMP-8)."""
    side = dict(ctx.state.control).get(cell, attacker.side)
    if side == attacker.side:
        return []
    return [say("{player} still holds {place}", player=ctx.player(side), place=ctx.place(cell))]


def offer_counter(
    ctx: WesterosContext, attack: HexAttack, attacker: UnitInBattle, target: UnitInBattle
) -> None:
    """A Stalwart target that stands where it stood may counterattack (BOW-CTR-1, BOW-KEY-19)."""
    turn = ctx.state.acting
    silenced = turn is not None and target.id in turn.silenced
    if attack.kind != "melee" or attack.retreated or silenced:
        return
    if not target.on_field or not attacker.on_field:
        return
    position = ctx.position
    if position.stalwart(position.by_id[target.id]) and target.cell not in position.field.fire:
        ctx.wait_for("counter", target.side, target.id, target=attacker.id)
