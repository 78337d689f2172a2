"""Whether the tray of a move that is decided may stand where a table shows it, and what it has from
standing there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.games.api.prompt import ActionOffer
from companion.games.tmg.play.commands import terrain
from companion.games.tmg.play.commands.laid_pieces import piece_lies_at
from companion.games.tmg.play.commands.positions import deployed_at, entry
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import DeclaredMove, GameState
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.table_facts import aimed_from, retreat_ground, survey
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.charge.charge_end import stands_off
from companion.games.tmg.rules.movement.move_check import MoveCheck, SeenMove, with_costs
from companion.games.tmg.rules.movement.move_costs import SAME_FACING_DEG
from companion.games.tmg.rules.movement.move_end import SAME_PLACE_IN
from companion.games.tmg.rules.movement.rolled_charge import rolled_charge
from companion.games.tmg.rules.setup.objectives import claim
from companion.games.tmg.screen.due_moves import charge_before, charge_offer, moves_off
from companion.geometry.plane.answer import YES, Answer, both
from models import Pose, Table
from models.message import joined, say

PUT_DOWN = {"enter": entry, "deploy": deployed_at, "terrain": terrain.lies_at}
"""What the rules say of the place of a tray that is put down, by the move."""


def entry_verdict(state: GameState, table: Table, piece: str) -> dict[str, Any] | None:
    """Whether a unit that comes in, or is deployed, may stand where a table shows it; None for
    other moves."""
    if (laid := piece_lies_at(state, table, piece)) is not None:
        return laid.to_json()
    move = next((one for one in state.declared if one.unit == piece), None)
    if move is not None and move.action == "shift":
        return shifted_verdict(state, table.unit(piece).pose, piece)
    if move is not None and move.action == "retreat" and move.reach:
        return retreat_verdict(state, table.unit(piece).pose, move)
    if move is not None and move.action == "charge" and move.reach:
        return charge_verdict(state, table.unit(piece).pose, move)
    if move is not None and (move.action == "off" or moves_off(state, move)):
        field = survey(state).battlefield
        pair = field.index[move.target], field.index[piece]
        return stands_off(field, *pair, table.unit(piece).pose).to_json()
    if move is None or move.action not in PUT_DOWN:
        return None
    answer = PUT_DOWN[move.action](state, table, piece)
    return answer.to_json() if answer is not None else None


def shifted_verdict(state: GameState, pose: Pose, unit: str) -> dict[str, Any] | None:
    """Whether a unit may shift so before its shot: it must then see an enemy in range
    (TMG-RNG-5, -6); which one it shoots at is chosen afterwards (TMG-RNG-7)."""
    now, ground = state.attack, survey(state, unit)
    if now is None or now.attacker != unit or unit not in ground.battlefield.index:
        return None
    check = SeenMove.seen(ground.battlefield, unit, pose).shift()
    check = with_costs(ground, unit, pose, "shift", check)
    found = {
        foe.id: shot.answer
        for foe in foes(state, unit)
        if (shot := aimed_from(state, replace(now, defender=foe.id), pose)) is not None
    }
    best = max(found.values(), key=lambda one: one.chance, default=check.answer)
    verdict = replace(check, answer=both(check.answer, best)).to_json()
    told = (say("shift"), *lost_target(state, now.defender, found))
    return {**verdict, "told": joined(told, " · ")}


def lost_target(state: GameState, target: str, shots: Mapping[str, Answer]) -> Iterator[str]:
    """That the target of a shot is lost after a shift, and who may be shot at instead."""
    others = [name for name, shot in shots.items() if shot.verdict != "no"]
    if target not in shots or target in others or not others:
        return
    names = names_of(state)
    yield say("{target} is out of range or sight from there", target=names.of(target))
    yield say("it may shoot at {units}", units=joined(map(names.of, others)))


def retreat_verdict(state: GameState, pose: Pose, move: DeclaredMove) -> dict[str, Any] | None:
    """Whether a unit may retreat so with the die that lies (TMG-RET-3)."""
    ground = retreat_ground(state, move.unit)
    if move.unit not in ground.battlefield.index:
        return None
    check = SeenMove.seen(ground.battlefield, move.unit, pose).retreat(move.reach)
    return with_costs(ground, move.unit, pose, "retreat", check).to_json()


def charge_verdict(state: GameState, pose: Pose, move: DeclaredMove) -> dict[str, Any] | None:
    """Whether a charge may lie so with the die that lies (TMG-CHG-12, -14, -17); None if no table
    shows where it began."""
    ground = charge_before(state, move)
    if ground is None:
        return None
    arrived: bool | None = move.target in state.unit(move.unit).engaged
    if any(task.kind == "charge" and task.unit == move.unit for task in state.tasks):
        arrived = None
    seen = SeenMove.seen(ground.battlefield, move.unit, pose)
    check = rolled_charge(seen, ground, move.target, move.reach, arrived)
    if arrived is False and lies_at(pose, charge_offer(state, names_of(state), move)):
        check = MoveCheck(YES, short=move.target)  # also where a friend stands in its way
    return with_costs(ground, move.unit, pose, "charge", check).to_json()


def lies_at(pose: Pose, offer: ActionOffer) -> bool:
    """Whether a tray lies at one of the places of its offer, as far as the table can tell."""
    far, turn = (2 * error for error in (pose.sigma.xy_in, pose.sigma.heading_deg))
    ends = (there for end in offer.ends for piece, there in end.poses if piece == offer.piece)
    return any(
        math.dist((pose.x, pose.y), (there.x, there.y)) <= SAME_PLACE_IN + far
        and abs((there.heading - pose.heading + 180) % 360 - 180) <= SAME_FACING_DEG + turn
        for there in ends
    )


def foes(state: GameState, unit: str) -> Iterator[UnitState]:
    """The enemies of a unit on the battlefield."""
    return (one for one in state.standing() if one.side != state.unit(unit).side)


def claimed(state: GameState, table: Table, piece: str) -> Iterator[str]:
    """The objectives that a unit claims where a table shows it (TMG-OBJ-1)."""
    names, mode = names_of(state), mode_of(state)
    for token in table.tokens:
        if claim(table.unit(piece), token, mode).verdict == "yes":
            yield say("It claims {token}", token=names.of(token.id))
