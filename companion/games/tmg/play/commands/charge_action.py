"""The charge action, from the roll to contact or failure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.unit_actions import (
    arc_of,
    engaged_refused,
    missed_in,
    wrong_target,
)
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    interrupt,
    no,
    unsure,
    waiting,
)
from companion.games.tmg.play.events import field_events, fight_events, flow_events
from companion.games.tmg.play.flow.attacks import begin, weapon_of
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.panic_queue import queue_test
from companion.games.tmg.play.flow.terrain_costs import (
    acting_refused,
    acts_on_danger,
    ask_danger,
    charge_crushed,
    charge_dangers,
    charge_refused,
    hurt,
)
from companion.games.tmg.play.state.game_state import GameState, Mod, PendingTask
from companion.games.tmg.play.state.table_facts import (
    SURELY,
    charge_seen,
    seen,
    speed_of,
    survey,
    touched_besides,
    unseen,
    zone_of,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.report_text import reasons_text
from companion.games.tmg.rules.charge.charge_move import ChargeMove, charge_move
from companion.games.tmg.rules.combat.dice import (
    ChargeRoll,
    bonus_takers,
    charge_dice,
    roll_charge,
)
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.rulebook import farthest_in
from companion.games.tmg.rules.survey import Survey
from companion.geometry.plane.answer import SURE_SIGMAS, YES
from models import Table
from models.message import say
from models.unit import Attack

MAKES_WAY = {
    "TMG-CHG-20": "if {unit} touches {enemy} too, {enemy} is aligned at 50 % (TMG-CHG-20)",
    "TMG-CHG-21": 'if {unit} touches {enemy} too, {enemy} is moved 1" off (TMG-CHG-21)',
    "TMG-CHG-22": "if {unit} touches {enemy} too, {enemy} is moved just off (TMG-CHG-22)",
}


@dataclass(frozen=True, slots=True)
class DeclaredCharge:
    """A charge that may be declared: its target as it is seen, and what its dice decide on."""

    unit: UnitState
    target: str
    weapon: Attack
    sight: Charge | None
    hindering: bool
    fortified: bool
    distance: float | None
    """Its distance on the table, None where no table shows it or its way leads elsewhere."""
    told: float | None
    """The distance that its players say."""
    speed: int
    zone: str = ""

    def dice(self, year: str) -> int:
        """How many dice it rolls."""
        return charge_dice(year, self.hindering)

    def rolled(self, year: str, faces: Sequence[int]) -> ChargeRoll:
        """What its dice decide on the table."""
        return roll_charge(faces, self.distance, self.speed, year, self.hindering)

    def said(self, year: str, faces: Sequence[int], success: bool | None) -> bool | None:
        """Whether it makes contact by the word of its players; None if they say nothing."""
        if success is not None or self.told is None:
            return success
        return roll_charge(faces, self.told, self.speed, year, self.hindering).success


def charge(
    context: CommandContext, unit: UnitState, given: CommandFields, free: bool
) -> Refusal | None:
    """Arc, pivot, roll, move, align, attack: one and the same move (TMG-CHG-5)."""
    state = context.state
    found = declared(state, unit, given)
    if isinstance(found, Refusal):
        return found
    target, settled = found.target, given.has("dangerous")
    besides = touched_besides(state, unit.id, target)
    if not acts_on_danger(context, unit, given, moving=True):
        return None
    context.add(
        field_events.acted,
        unit=unit.id,
        action="charge",
        free=free,
        moves=True,
        settled=settled,
        note=say("at {target}", target=target),
    )
    faces = given.faces() or context.dice(found.dice(state.year))
    roll = found.rolled(state.year, faces)
    move = charge_led(state, unit.id, target, found.sight, roll)
    said = found.said(state.year, faces, given.maybe("success"))
    overruled = overrules(said, move)
    if overruled and not given.flag("agreed"):
        return contradicts_table(unit.id, target, roll)
    pieces = [] if move is None or settled else charge_dangers(state, move)
    crushed = () if move is None else charge_crushed(state, move)
    add_roll(context, found, roll, faces, pieces)
    if not crosses_ground(context, unit, given, crushed, pieces):
        return None
    success = said
    if success is None and move is not None:
        success = made_contact(given, found, roll, move)
    if move is not None and not overruled:
        context.answer["move"] = move.to_json()
        if success is False:
            remind_of_stop(context, unit.id, move)
    made = [unit.id, target, found.weapon.name, found.zone, roll.kept, found.fortified, free,
            besides, bonus_takers(roll.disorderly, found.hindering, state.year)]  # fmt: skip
    if success is None:
        ask_contact(context, found, roll, made)
    else:
        end_charge(context, made, success)
    return None


def declared(state: GameState, unit: UnitState, given: CommandFields) -> DeclaredCharge | Refusal:
    """The charge that a command declares, or why it may not be declared (TMG-CHG-1 to -11)."""
    target = given.need("target")
    if refusal := engaged_refused(unit, "TMG-CHG-1"):
        return refusal
    weapon = weapon_of(unit, given.text("weapon"), ranged=False)
    if isinstance(weapon, Refusal):
        return weapon
    if refusal := wrong_target(state, unit, target):
        return refusal
    sight = charge_seen(state, unit.id, target, given.number("heading", 0, 360))
    if sight is not None and sight.answer.verdict == "no":
        return cannot_charge(state, unit.id, target, sight)
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    if sight is not None and (refusal := charge_refused(state, unit.id, target, sight, given)):
        return refusal
    found = on_ground(state, unit, target, weapon, sight, given)
    if refusal := out_of_reach(found) or wrong_dice(found, state.year, given):
        return refusal
    zone = charge_arc(state, unit.id, target, given)
    return zone if isinstance(zone, Refusal) else replace(found, zone=zone)


def cannot_charge(state: GameState, unit: str, target: str, sight: Charge) -> Refusal:
    """Why a charge is impossible as the table shows it (TMG-CHG-4)."""
    why = sight.answer.why or ("TMG-CHG-4",)
    return no(
        why[0],
        "{unit} cannot charge {target}: {reasons}",
        unit=unit,
        target=target,
        reasons=reasons_text((*why, *unseen(state, unit, target)), missed_in(sight.answer)),
    )


def on_ground(
    state: GameState,
    unit: UnitState,
    target: str,
    weapon: Attack,
    sight: Charge | None,
    given: CommandFields,
) -> DeclaredCharge:
    """The charge over the ground that the table shows, or that the players say."""
    effects = sight.effects if sight is not None else ()
    hindering = given.flag("hindering", "hindering" in effects)
    fortified = given.flag("fortified", "fortified" in effects)
    distance = None if sight is None else sight.distance_in
    return DeclaredCharge(unit, target, weapon, sight, hindering, fortified, distance,
                          given.number("distance", 0, 100), speed_of(state, unit))  # fmt: skip


def out_of_reach(found: DeclaredCharge) -> Refusal | None:
    """That not even a 6 brings it there, as its players say (TMG-CHG-4); of its way on the table
    `charge_seen` has told."""
    if found.told is None or found.told <= farthest_in(found.speed) + 1e-6:
        return None
    return no(
        "TMG-CHG-4",
        '{target} is {distance:g}" away, beyond {speed}" + 6"',
        target=found.target,
        distance=found.told,
        speed=found.speed,
    )


def wrong_dice(found: DeclaredCharge, year: str, given: CommandFields) -> Refusal | None:
    """That another number of dice was named than it rolls (TMG-CHG-11)."""
    faces, wanted = given.faces(), found.dice(year)
    if faces is None or len(faces) == wanted:
        return None
    return no("TMG-CHG-11", "this charge rolls {wanted} D6", wanted=wanted)


def add_roll(
    context: CommandContext,
    found: DeclaredCharge,
    roll: ChargeRoll,
    faces: Sequence[int],
    pieces: Sequence[str],
) -> None:
    """The dice of a charge, and the Dangerous terrain on its way."""
    unit, state = found.unit, context.state
    context.add(
        fight_events.charge_rolled,
        unit=unit.id,
        side=unit.side,
        player=unit.player,
        target=found.target,
        faces=faces,
        reach=roll.reach_in,
        disorderly=roll.disorderly,
        until=state.rules.cards_barred_until,
        what="charge",
        heading=None if found.sight is None else found.sight.heading,
        pieces=pieces,
    )


def crosses_ground(
    context: CommandContext,
    unit: UnitState,
    given: CommandFields,
    crushed: Iterable[str],
    pieces: Sequence[str],
) -> bool:
    """What its way destroys and what it costs; whether the unit survives (TMG-TER-10)."""
    for piece in crushed:
        context.add(field_events.piece_destroyed, piece=piece, unit=unit.id)
    for piece in pieces[:1]:
        if not hurt(context, unit.id, given, "TMG-TER-10", piece):
            return False
    for piece in pieces[1:]:  # each has a D3 of its own
        ask_danger(context, unit.id, piece, YES)
    return True


def made_contact(
    given: CommandFields, found: DeclaredCharge, roll: ChargeRoll, move: ChargeMove
) -> bool | None:
    """Whether a charge makes contact; None if only the players can see it (TMG-CHG-14)."""
    seen_so = SURELY[move.success.verdict]
    if seen_so is None and not given.has("heading") and surely_reached(found.sight, roll):
        return True
    return seen_so


def overrules(said: bool | None, move: ChargeMove | None) -> bool:
    """Whether the players say otherwise than a table that leaves no doubt."""
    seen_so = None if move is None else SURELY[move.success.verdict]
    return None not in (said, seen_so) and said is not seen_so


def contradicts_table(unit: str, target: str, roll: ChargeRoll) -> Refusal:
    """The question whether the players overrule the table, as an effect of a card may let them."""
    words = (
        "on the table {unit} reaches {target} with a {die}: if an effect stops the charge, say it"
        " with 'agreed'"
    )
    if not roll.success:
        words = (
            "on the table {unit} does not reach {target} with a {die}: if an effect brings it"
            " there, say it with 'agreed'"
        )
    rule = "TMG-CHG-14" if roll.success else "TMG-CHG-15"
    return unsure("agreed", rule, words, unit=unit, target=target, die=roll.die)


def ask_contact(
    context: CommandContext, found: DeclaredCharge, roll: ChargeRoll, made: list[Any]
) -> None:
    """Ask whether a charge that is too close to call made contact."""
    unit = found.unit
    wait(
        context,
        "charge",
        say(
            '{unit} moves up to {reach:g}": does it contact {target}?',
            unit=unit.id,
            reach=roll.reach_in,
            target=found.target,
        ),
        side=unit.side,
        unit=unit.id,
        other=json.dumps(made),
        commands=("charge-result",),
    )


def charge_arc(state: GameState, unit: str, target: str, given: CommandFields) -> str | Refusal:
    """The target's arc that a charge begins in: without a table only the players know it."""
    if not given.has("zone") and state.has_unit(target) and zone_of(state, unit, target) is None:
        words = "in which arc of {target} does {unit} begin its charge? Say the zone"
        return unsure("zone", "TMG-CHG-6", words, target=target, unit=unit)
    return arc_of(state, unit, target, given)


def charge_led(
    state: GameState, unit: str, target: str, sight: Charge | None, roll: ChargeRoll
) -> ChargeMove | None:
    """The charge along its way on the table; None if no table shows it."""
    if sight is None or sight.heading is None:
        return None
    return led_on(survey(state), unit, target, sight.heading, roll)


def surely_reached(sight: Charge | None, roll: ChargeRoll) -> bool:
    """Whether a roll reaches the target by the best way, whatever the measurement error: the
    shortest one may only graze it, and its player turns a little further (TMG-CHG-9)."""
    if sight is None or sight.answer.verdict != "yes" or sight.needs is None:
        return False
    return roll.die >= max(sight.may_need, default=sight.needs)


@lru_cache(maxsize=32)
def led_on(survey: Survey, unit: str, target: str, heading: float, roll: ChargeRoll) -> ChargeMove:
    """The same for one survey, cached: every offered charge asks for it several times."""
    return charge_move(survey.battlefield, unit, target, heading, roll)


def remind_of_stop(context: CommandContext, unit: str, move: ChargeMove) -> None:
    """Remind where a failed charge ends and what stopped it (TMG-CHG-12, TMG-CHG-13)."""
    inches = round(move.travel_in, 1)
    words = say('{unit} moves {inches:g}" and stays there', unit=unit, inches=inches)
    if move.stopper:
        words = say(
            '{unit} moves {inches:g}" and stops short of {other} ({rules})',
            unit=unit,
            inches=inches,
            other=move.stopper,
            rules=", ".join(move.stopped),
        )
    context.remind(words)


def end_charge(context: CommandContext, made: list[Any], success: bool) -> None:
    """Contact and the attack (TMG-CHG-19), or a failed charge and its panic test."""
    name, target, weapon_name, zone, bonus, fortified, free, *besides = made
    ends = not success and free and ends_activation(context.state)
    told: dict[str, Any] = {"unit": name, "target": target, "success": success, "ends": ends}
    if success and (heading := stopped_short(context.state, name, target)) is not None:
        told["heading"] = heading
    if not success and lies_against(context.state, name, target):
        told["back"] = True
    context.add(fight_events.charge_ended, **told)
    unit = context.state.unit(name)
    if not success:
        queue_test(context, unit.id, "failed charge (TMG-CHG-23)", after="charge")
        return
    for enemy, rule in besides[0] if besides else ():  # missing in older logs, as what follows
        context.remind(say(MAKES_WAY[rule], unit=name, enemy=enemy))
    weapon = weapon_of(unit, weapon_name, ranged=False)
    assert not isinstance(weapon, Refusal)
    mods: tuple[Mod, ...] = (("fortified", 1),) if fortified else ()  # TMG-TER-5
    begin(
        context,
        unit,
        target,
        weapon,
        zone=zone,
        charge=True,
        bonus=bonus,
        lost=tuple(besides[1]) if len(besides) > 1 else (),
        free=free,
        defense_mods=mods,
    )


def stopped_short(state: GameState, unit: str, target: str) -> float | None:
    """The heading of a charger that the newest table shows on its way, apart from the target that
    it has reached; None if it lies there, or its move is still to be shown."""
    table = shown_at_end(state, unit, target)
    if table is None or lies_against(state, unit, target):
        return None
    return table.unit(unit).pose.heading


def lies_against(state: GameState, unit: str, target: str) -> bool:
    """Whether the newest table shows a charger where its move ended, and in contact, or perhaps."""
    if shown_at_end(state, unit, target) is None:
        return False
    field = survey(state, unit).battlefield
    pair = field.index[unit], field.index[target]
    return bool(field.engaged[pair] or field.maybe_engaged[pair])


def shown_apart(state: GameState, unit: str, target: str) -> tuple[float, float] | None:
    """How far a charger ended from its target, and how wrong the table may be about that; None
    before a table shows it."""
    if shown_at_end(state, unit, target) is None:
        return None
    field = survey(state, unit).battlefield
    pair = field.index[unit], field.index[target]
    return max(0.0, float(field.pairs.gap[pair])), SURE_SIGMAS * float(field.gap_sigma[pair])


def shown_at_end(state: GameState, unit: str, target: str) -> Table | None:
    """The table that shows a charger where its move ended; None if that is still to come."""
    if any(one.unit == unit for one in state.declared) or not seen(state, unit, target):
        return None
    field = survey(state, unit).battlefield
    return field.table if {unit, target} <= {*field.index} else None


def ends_activation(state: GameState) -> bool:
    """Whether a failed free charge ends the activation it was made in (TMG-CHG-24, OR-48)."""
    return Readings.parse(state.readings).failed_free_charge == "ends"


@interrupt(
    "charge-result",
    "say whether the charge that was rolled made contact",
    ask("success", "flag", "whether it touched its target", required=True),
    of=waiting(no("TMG-CHG-14", "no charge waits for its result"), "charge"),
)
def charge_result(
    context: CommandContext, given: CommandFields, task: PendingTask
) -> Refusal | None:
    """The players say whether the charge made contact."""
    success = given.field("success").flag()
    context.add(flow_events.task_done, task=task.id, say_="the players say how the charge ended")
    end_charge(context, json.loads(task.other), success)
    return None
