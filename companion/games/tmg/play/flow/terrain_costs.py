"""The costs of terrain in play: wounds on Dangerous ground, pieces crushed or attacked."""

from __future__ import annotations

from dataclasses import replace

from companion.games.api.play import Plain, Refusal
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    FieldName,
    ask,
    interrupt,
    no,
    unsure,
    waiting,
)
from companion.games.tmg.play.events import (
    field_events,
    fight_events,
    flow_events,
    score_events,
)
from companion.games.tmg.play.flow.casualties import suffer, wait
from companion.games.tmg.play.flow.panic_queue import MORALE_GROUND, feel_morale
from companion.games.tmg.play.state.game_state import DeclaredMove, GameState, PendingTask, table_of
from companion.games.tmg.play.state.table_facts import (
    charge_seen,
    ground_seen,
    off_field,
    seen,
    survey,
    without,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import ChargeMove
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.ground_effects import BREAK_IN
from companion.games.tmg.rules.movement.move_costs import ChargePath, MoveCosts, move_costs
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.rulebook import BREAKS, WOUNDS, edition_of
from companion.games.tmg.rules.terrain_crossing import (
    TerrainCrossing,
    TerrainDanger,
    crossings,
    crushed,
    dangers,
    met,
)
from companion.geometry.plane.answer import Answer
from models import Table
from models.message import say

DANGER, CRUSHED = "danger", "crushed"
WAITING = (DANGER, CRUSHED, MORALE_GROUND)


# -- wounds -----------------------------------------------------------------------------------


def hurt(
    context: CommandContext,
    unit_id: str,
    given: CommandFields,
    rule: str = "",
    piece: str = "",
) -> bool:
    """Deal the D3+1 wounds of Dangerous ground; return whether the unit survives."""
    d3 = given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0]
    side = context.state.unit(unit_id).side
    context.add(
        score_events.dangerous,
        unit=unit_id,
        side=side,
        faces=[d3],
        what="Dangerous ground",
        rule=rule,
        piece=piece,
    )
    suffer(context, unit_id, d3 + 1, why="Dangerous ground")
    return context.state.unit(unit_id).standing


def acting_refused(state: GameState, unit_id: str, given: CommandFields) -> Refusal | None:
    """Ask whether a unit acts on Dangerous ground if the table cannot decide it (TMG-TER-9)."""
    if given.has("dangerous") or not state.rules.dangerous_acting:
        return None
    on = ground_seen(state, unit_id).on
    if not on or any(on.values()):
        return None
    return unsure(
        "dangerous",
        "TMG-TER-9",
        "whether {unit} stands on {piece} is too close to call: say it with 'dangerous'",
        unit=unit_id,
        piece=next(iter(on)),
    )


def acts_on_danger(
    context: CommandContext, unit: UnitState, given: CommandFields, moving: bool
) -> bool:
    """Apply Dangerous ground before an action; return whether the unit survives (TMG-TER-9).

    If the players say so themselves, `moving` actions cost wounds in every edition.
    """
    state = context.state
    there = given.maybe("dangerous")
    if there is None:
        there = state.rules.dangerous_acting and any(ground_seen(state, unit.id).on.values())
    if not there or not (moving or state.rules.dangerous_acting):
        return True
    return hurt(context, unit.id, given)


def costs_a_die(state: GameState, unit: str, command: Plain) -> bool:
    """Whether an action surely costs its unit the D3 of Dangerous ground (TMG-TER-9, -10)."""
    action, acting = command["action"], state.rules.dangerous_acting
    if action == "forgo" or not state.has_unit(unit):
        return False
    if "dangerous" in command:
        return bool(command["dangerous"]) and (acting or action != "attack")
    if acting and any(ground_seen(state, unit).on.values()):
        return True
    if action != "charge":
        return False
    sight = charge_seen(state, unit, str(command.get("target")), command.get("heading"))
    return sight is not None and "dangerous" in sight.effects


# -- a charge ---------------------------------------------------------------------------------


def charge_crossings(
    state: GameState, unit: str, target: str, sight: Charge
) -> tuple[TerrainCrossing, ...]:
    """The terrain under the whole path of a charge, up to the highest roll."""
    if sight.heading is None:
        return ()
    field = survey(state).battlefield
    way = ChargeRoute.of(field, field.index[unit], field.index[target], sight.heading)
    return way.crossed(way.longest_in)


def charge_refused(
    state: GameState, unit: str, target: str, sight: Charge, given: CommandFields
) -> Refusal | None:
    """Ask for terrain on the path of a charge that the table cannot decide."""
    crossed = charge_crossings(state, unit, target, sight)
    keywords: dict[FieldName, str] = {
        "dangerous": "TMG-TER-10",
        "hindering": "TMG-TER-14",
        "fortified": "TMG-TER-5",
    }
    for keyword, rule in keywords.items():
        answer = met(crossed, keyword, rule)
        if answer.verdict == "unsure" and not given.has(keyword):
            piece = next(one.piece for one in crossed if keyword in one.keywords)
            return unsure(
                keyword,
                rule,
                "whether the charge of {unit} crosses {piece} is too close to call:"
                " say it with {field!r}",
                unit=unit,
                piece=piece,
                field=keyword,
            )
    return None


def charge_dangers(state: GameState, move: ChargeMove) -> list[str]:
    """The pieces that certainly wound a charging unit on its path (TMG-TER-10, TMG-TER-11)."""
    found = dangers(survey(state).battlefield, move.crossed, charge=True)
    return [one.piece for one in found if one.answer and one.rule == "TMG-TER-10"]


def charge_crushed(state: GameState, move: ChargeMove) -> list[str]:
    """The pieces that a charge certainly crushes on its path (TMG-TER-19, 2018)."""
    found = crushed(survey(state).battlefield, move.crossed)
    return [piece for piece, answer in found.items() if answer]


# -- moves shown by a table -------------------------------------------------------------------


def feel_ground(
    context: CommandContext, before: GameState, after: Table, waiting: tuple[str, ...] = ()
) -> None:
    """Apply the terrain costs of declared moves whose end the table shows; not of those `waiting`
    to be carried out."""
    for move in before.declared:
        if move.unit in context.state.hidden or move.unit not in after or move.unit in waiting:
            continue
        if move.action == "deploy":  # it crosses nothing
            continue
        if not context.state.has_unit(move.unit) or not context.state.unit(move.unit).standing:
            continue
        if move.action == "charge":
            feel_alignment(context, move, after)
        costs = costs_of(context.state, before, move, after)
        if move.action == "charge" and move.pieces and before.rules.dangerous_acting:
            costs = replace(costs, dangers=())  # TMG-TER-11: it was wounded on its path
        for danger in costs.dangers:
            felt = danger.rule == "TMG-TER-10" and danger.piece not in move.pieces
            if felt and not move.settled:
                ask_danger(context, move.unit, danger.piece, danger.answer)
        for piece, answer in costs.crushed.items():
            if answer:
                context.add(field_events.piece_destroyed, piece=piece, unit=move.unit)
            else:
                ask_crushed(context, move.unit, piece)


def feel_alignment(context: CommandContext, move: DeclaredMove, after: Table) -> None:
    """What the place of a charger beside its target costs it: the alignment is part of the same
    move (TMG-CHG-5), so Hindering ground takes the bonus and Fortified ground helps the target."""
    now = context.state.attack
    if now is None or now.attacker != move.unit or not now.charge or now.hits or now.sure:
        return
    field = Battlefield(without(after, off_field(context.state)), readings_of(context.state))
    under = crossings(field, field.index[move.unit])
    felt = {word for one in under if one.answer for word in one.keywords}
    felt &= field.edition.aligned_effects
    if now.bonus and "hindering" in felt:
        piece = next(one.piece for one in under if "hindering" in one.keywords)
        context.add(fight_events.attack_changed, what="bonus", name=piece, dice=now.dice)
    if "fortified" in felt and ("fortified", 1) not in now.defense_mods:
        context.add(
            fight_events.attack_changed, what="defense", name="fortified", value=1, dice=now.dice
        )
    for one in under:
        doubtful = one.answer.verdict == "unsure" and "hindering" not in felt and now.bonus
        if doubtful and "hindering" in one.keywords & field.edition.aligned_effects:
            words = say(
                "whether {unit} ends on {piece} is too close to call: if it does, it has no charge"
                " bonus (TMG-TER-14)",
                unit=move.unit,
                piece=one.piece,
            )
            context.remind(words)


def readings_of(state: GameState) -> Readings:
    return Readings.parse(state.readings)


def remind_of_undeclared(context: CommandContext, before: GameState, after: Table) -> None:
    """Remind of trays seen beyond Dangerous ground without a declared move."""
    if not before.table or not any(piece.keywords & WOUNDS for piece in after.terrain):
        return
    old = without(table_of(before.table), off_field(before))
    field = Battlefield(old, Readings.parse(before.readings))
    declared = {move.unit for move in before.declared}
    for unit in after.units:
        if unit.id not in old or unit.id in declared or unit.id in before.moved:
            continue
        for danger in move_costs(field, unit.id, unit.pose, "maneuver").dangers:
            if danger.answer and danger.rule == "TMG-TER-10":
                words = say(
                    "{unit} is seen beyond or on {piece}: if it moved there,"
                    " D3+1 wounds (TMG-TER-10)",
                    unit=unit.id,
                    piece=danger.piece,
                )
                context.remind(words)


def costs_of(state: GameState, before: GameState, move: DeclaredMove, after: Table) -> MoveCosts:
    """The costs of a move that starts where the previous table showed the unit."""
    readings = Readings.parse(before.readings)
    end = after.unit(move.unit).pose
    if move.seen and before.table and move.unit in (old := table_of(before.table)):
        field = Battlefield(without(old, off_field(before)), readings)
        charge = None
        if move.heading is not None and move.target in state.unit(move.unit).engaged:
            charge = ChargePath(move.target, move.heading)
        return move_costs(field, move.unit, end, move.action, charge)
    # The start of the move is unknown: the unit may have been on this terrain before.
    field = Battlefield(without(after, off_field(state)), readings)
    under = crossings(field, field.index[move.unit])
    doubt = {
        one.piece: Answer("unsure", ("TMG-TER-10",), None, 0.5)
        for one in under
        if one.keywords & WOUNDS
    }
    return MoveCosts(
        tuple(TerrainDanger(piece, "TMG-TER-10", answer) for piece, answer in doubt.items())
    )


def ask_danger(context: CommandContext, unit: str, piece: str, answer: Answer) -> None:
    """Add a task for the wounds of a piece that a unit moved onto: a D3, or the players' answer."""
    template = (
        "{unit} moved onto {piece}: D3+1 wounds (TMG-TER-10)"
        if answer
        else "did {unit} move onto {piece}? It is too close to call: D3+1 wounds (TMG-TER-10)"
    )
    side = context.state.unit(unit).side
    words = say(template, unit=unit, piece=piece)
    sure = int(answer.verdict == "yes")
    wait(
        context,
        DANGER,
        words,
        side=side,
        unit=unit,
        other=piece,
        number=sure,
        commands=("ground",),
    )


def ask_crushed(context: CommandContext, unit: str, piece: str) -> None:
    """Add a task that asks whether a piece was crushed (TMG-TER-19, 2018)."""
    words = say(
        "did {unit} move over {piece}? It is too close to call: the piece is removed (TMG-TER-19)",
        unit=unit,
        piece=piece,
    )
    side = context.state.unit(unit).side
    wait(context, CRUSHED, words, side=side, unit=unit, other=piece, commands=("ground",))


@interrupt(
    "ground",
    "say what the table cannot tell of terrain and a unit, and roll for Dangerous ground",
    ask("task", "number", "which task; the first that waits where left out"),
    ask("holds", "flag", "whether it is as the prompt asks", required=True),
    ask("d3", "number", "the D3 for Dangerous ground; the companion rolls where left out"),
    of=waiting(no("TMG-TER-10", "no terrain waits"), *WAITING),
)
def resolve_ground(
    context: CommandContext, given: CommandFields, task: PendingTask
) -> Refusal | None:
    """Apply the players' answer, and the wounds (TMG-TER-10, TMG-TER-19)."""
    holds = given.field("holds").flag()
    context.add(flow_events.task_done, task=task.id, say_=answer_text(task, holds))
    if not holds:
        return None
    if task.kind == MORALE_GROUND:
        feel_morale(context, task)
    elif task.kind == CRUSHED:
        context.add(field_events.piece_destroyed, piece=task.other, unit=task.unit)
    elif context.state.unit(task.unit).standing:
        hurt(context, task.unit, given, "TMG-TER-10", task.other)
    return None


def answer_text(task: PendingTask, holds: bool) -> str:
    """The players' answer as a sentence."""
    if task.kind == MORALE_GROUND:
        near = "{unit} feels {keyword} ground" if holds else "{unit} feels no {keyword} ground"
        return say(near, unit=task.unit, keyword=task.other)
    template = "{unit} moved onto {piece}" if holds else "{unit} did not move onto {piece}"
    return say(template, unit=task.unit, piece=task.other)


# -- attacking a piece ------------------------------------------------------------------------


def break_piece(
    context: CommandContext, unit: UnitState, piece: str, given: CommandFields, free: bool
) -> Refusal | None:
    """A melee attack on a Destructible piece: it is removed without dice (TMG-TER-19, OR-27)."""
    state = context.state
    if refusal := unbreakable(state, unit, piece, given):
        return refusal
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    if acts_on_danger(context, unit, given, moving=False):
        note = say("at {target}", target=piece)
        context.add(field_events.acted, unit=unit.id, action="attack", free=free, note=note)
        context.add(field_events.piece_destroyed, piece=piece, unit=unit.id)
    return None


def unbreakable(
    state: GameState, unit: UnitState, piece: str, given: CommandFields
) -> Refusal | None:
    """Why a piece cannot be attacked; without a table the players decide."""
    if edition_of(state.game).crushes:
        return no("TMG-TER-19", "pieces are destroyed by moving over them, not by attacks")
    if piece in state.broken:
        return no("TMG-TER-19", "{piece} is destroyed already", piece=piece)
    if not any(not attack.ranged for attack in unit.attacks):
        return no("TMG-MEL-2", "{unit} has no melee attack on its card", unit=unit.id)
    table = table_of(state.table) if state.table else None
    shown = {one.id: one for one in table.terrain} if table is not None else {}
    if piece in shown and not shown[piece].keywords & BREAKS:
        return no("TMG-TER-19", "{piece} is not Destructible", piece=piece)
    if table is not None and piece not in shown:
        known = ", ".join(name for name, one in shown.items() if one.keywords & BREAKS)
        return no(
            "TMG-TER-19",
            "no such piece {piece!r}; Destructible are: {known}",
            piece=piece,
            known=known or "none",
        )
    if not seen(state, unit.id):
        return None
    answer = ground_seen(state, unit.id).breaks.get(piece)
    if answer is None or answer.verdict == "no":
        return no(
            "TMG-TER-19",
            '{piece} is more than {inches:g}" away from {unit}',
            piece=piece,
            unit=unit.id,
            inches=BREAK_IN,
        )
    if answer.verdict == "unsure" and not given.flag("beside"):
        return unsure(
            "beside",
            "TMG-TER-19",
            'whether {piece} is within {inches:g}" of {unit} is too close to call:'
            " say it with 'beside'",
            inches=BREAK_IN,
            piece=piece,
            unit=unit.id,
        )
    return None
