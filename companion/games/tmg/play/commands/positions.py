"""Positions in play: distances, where units may enter, where tokens and piles are placed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import CommandContext, CommandFields, anytime, ask, no
from companion.games.tmg.play.state.game_state import GameState, Token, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.table_facts import report, seen, survey
from companion.games.tmg.rules.ground_effects import friends_in_range, in_range
from companion.games.tmg.rules.margins import beside_in, clearance, footprint, ground
from companion.games.tmg.rules.modes import (
    CORNERS,
    Area,
    BattleArea,
    Mode,
    corner_zone,
    spots,
    won_edge,
    zone,
)
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import RANGES_IN
from companion.games.tmg.rules.setup.placement import (
    new_pile_token,
)
from companion.games.tmg.rules.setup.table_setup import (
    HAIR_IN,
    corner_of,
    deployable,
    place,
    places_in,
    redeployed,
)
from companion.geometry.plane.answer import Answer
from models import Pose, Table, Terrain, Unit
from models.message import say
from models.unit import corners

DIGITS = 2
EDGES = ("near", "far")
"""The edges of player 1 and player 2, between which the players choose."""
REACHES = tuple(RANGES_IN)


@anytime(
    "measure",
    "how far one unit is from another, or who is in range of an effect; asking changes nothing",
    ask("unit", "unit", "from which unit", required=True),
    ask("to", "unit", "to which unit; all that are in range where left out"),
    ask("reach", "word", "the range of an effect: who is in it", False, REACHES),
    ask("friends", "flag", "only friendly units, as an effect on them may choose"),
    ask("name", "text", "only units of that name: a House, for instance"),
)
def measure(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Players may measure at any time for any reason (TMG-GLO-26)."""
    one = given.need("unit")
    if not given.has("to"):
        return measure_range(context, given, one)
    two = given.need("to")
    if one == two:
        return no("TMG-GLO-15", "{unit} is always in range of itself", unit=one)
    if not seen(context.state, one, two):
        return no("TMG-GLO-26", "no table shows where {one} and {two} stand now", one=one, two=two)
    facts = report(context.state).units[one]
    context.answer["gap"] = round(facts.gap[two], DIGITS)
    if two in facts.range:
        context.answer["range"] = round(facts.range[two], DIGITS)
        context.answer["zone"] = facts.zone[two].arc
    if given.has("reach"):
        field = survey(context.state).battlefield
        context.answer["in_range"] = in_range(field, one, given.choice("reach", REACHES))[
            two
        ].to_json()
    return None


def measure_range(context: CommandContext, given: CommandFields, source: str) -> Refusal | None:
    """The units in Short or Long Range of a unit, including itself (TMG-GLO-6, TMG-GLO-13..15)."""
    state, reach = context.state, given.choice("reach", REACHES)
    if not seen(state, source):
        return no("TMG-GLO-26", "no table shows where {unit} stands now", unit=source)
    field = survey(state).battlefield
    who = friends_in_range if given.flag("friends") else in_range
    context.answer["in_range"] = {
        unit: answer.to_json()
        for unit, answer in who(field, source, reach).items()
        if answer.verdict != "no" and state.has_unit(unit)
        if not given.has("name") or state.unit(unit).answers_to(given.need("name"))
    }
    return None


def pieces_underfoot(table: Table) -> dict[str, list[str]]:
    """The terrain pieces under each unit."""
    found: dict[str, list[str]] = {}
    for unit in table.units:
        tray = footprint(unit)
        under = [piece.id for piece in table.terrain if clearance(tray, ground(piece)) < 0]
        if under:
            found[unit.id] = under
    return found


def remind_of_pieces(context: CommandContext, before: str, table: Table) -> None:
    """Remind that a piece under a tray may be removed while the unit stands there (TMG-TER-4)."""
    earlier = pieces_underfoot(table_of(before)) if before else {}
    for unit, pieces in pieces_underfoot(table).items():
        for piece in pieces:
            if piece not in earlier.get(unit, ()):
                context.remind(
                    say(
                        "{unit} stands on {piece}: if it is in the way, mark its outline"
                        " and lift it off (TMG-TER-4)",
                        unit=unit,
                        piece=piece,
                    )
                )


# -- where units enter ------------------------------------------------------------------------


def held_edges(state: GameState, side: str) -> tuple[str, ...]:
    """The side edges that a side controls by its tokens (TMG-MODE-COK-18, OR-34)."""
    mode = mode_of(state)
    readings = Readings.parse(state.readings)
    edges = []
    for token in state.tokens:
        if token.holder and state.has_unit(token.holder):
            unit = state.unit(token.holder)
            edge = won_edge(mode, BattleArea(), token.name, readings)
            if unit.standing and unit.side == side and edge is not None:
                edges.append(edge)
    return tuple(dict.fromkeys(edges))


def misplaced(state: GameState, name: str) -> Refusal | None:
    """Why a unit may not be deployed where the table shows it; None without a table."""
    table = planned(state, name)
    answer = deployed_at(state, table, name) if table is not None else None
    if answer is None or answer.verdict != "no":
        return None
    return no(
        answer.why[0],
        "{unit} may not be deployed there: {rules}",
        unit=name,
        rules=", ".join(answer.why),
    )


def planned(state: GameState, name: str) -> Table | None:
    """The newest table with a unit that waits as it shows it, or as it was planned; None without
    its tray."""
    if not state.table:
        return None
    table, plan = table_of(state.table), table_of(state.plan) if state.plan else None
    if name in table:
        return table
    return with_tray(table, plan, name) if plan is not None and name in plan else None


def deployed_at(state: GameState, table: Table, name: str) -> Answer | None:
    """Whether a unit may be deployed where a table shows it (TMG-DEP-4); None without a zone."""
    side = state.unit(name).side
    if not state.side(side).zone:
        return None
    readings, plan = Readings.parse(state.readings), mode_of(state)
    table = table_with(state, table, name)
    here, (field, player, area) = table.unit(name), own_zone(state, side, table)
    if state.side(side).zone in CORNERS:
        return deployable(table, here, area, readings=readings)
    return place(table, plan, field, player, here, area, readings)


def own_zone(state: GameState, side: str, table: Table) -> tuple[BattleArea, int, Area]:
    """The battle area, at which edge a side sits, and the zone that it has chosen, or that is
    proposed to it: a corner where more than two play (TMG-FFA-2)."""
    readings, chosen, sides = (
        Readings.parse(state.readings),
        state.side(side).zone,
        state.side_names,
    )
    if not chosen and len(sides) > len(EDGES):
        chosen = corner_of(sides, side)
    if chosen in CORNERS:
        field = BattleArea.of(table)
        return field, 1 if chosen.startswith("near") else 2, corner_zone(field, chosen)
    field, player = seat(state, side, table)
    return field, player, zone(mode_of(state), field, player, readings)


def deploy_place(state: GameState, name: str) -> Pose | None:
    """Where the tray of a unit is put first, for its player to move it: as the table has it, the
    same seen from the zone that was chosen, or free ground in that zone; None if there is none."""
    table = planned(state, name)
    if table is None:
        return None
    unit = table.unit(name)
    across, *aside = (round_the_middle(table, unit.pose, turn) for turn in (180, 90, 270))
    _, player, area = own_zone(state, unit.side, table)
    facing = unit.at(unit.pose.turned(90.0 if player == 1 else 270.0))
    own = places_in(area, player, facing, corner=len(state.sides) > len(EDGES))
    for pose in (unit.pose, across, *own, *beside(area, table, facing), *aside):
        answer = deployed_at(state, table.moved(name, pose), name)
        if answer is None or answer.verdict != "no":
            return pose
    return None


def beside(area: Area, table: Table, unit: Unit) -> Iterator[Pose]:
    """Places of a tray against the edges of an area and of the trays in it: where it is crowded, a
    tray fits there if it fits at all."""
    wide, deep = unit.tray.width / 2 + HAIR_IN, unit.tray.depth / 2 + HAIR_IN
    boxes = [shapely.Polygon(corners(one)).bounds for one in table.units if one.id != unit.id]
    for part in area.parts:
        left, near, right, far = shapely.Polygon(part).bounds
        xs = {left + wide, right - wide, *(one[2] + wide for one in boxes)}
        ys = {near + deep, far - deep, *(one[3] + deep for one in boxes)}
        xs |= {one[0] - wide for one in boxes}
        ys |= {one[1] - deep for one in boxes}
        for y in sorted(y for y in ys if near < y < far):
            for x in sorted(x for x in xs if left < x < right):
                yield Pose(x, y, unit.pose.heading)


def round_the_middle(table: Table, pose: Pose, degrees: float) -> Pose:
    """A pose carried round the middle of the table."""
    turn = math.radians(degrees)
    dx, dy = pose.x - table.width / 2, pose.y - table.depth / 2
    x = table.width / 2 + dx * math.cos(turn) - dy * math.sin(turn)
    y = table.depth / 2 + dx * math.sin(turn) + dy * math.cos(turn)
    return replace(pose, x=round(x, 6), y=round(y, 6), heading=(pose.heading + degrees) % 360)


def table_with(state: GameState, table: Table, name: str) -> Table:
    """A table with this unit and those on the battlefield."""
    there = {name, *(one.id for one in state.standing())}
    return replace(table, units=tuple(one for one in table.units if one.id in there))


def seat(state: GameState, side: str, table: Table) -> tuple[BattleArea, int]:
    """The battle area from this side's seat, and whether that is at the near or the far edge; the
    first side is near if the table was set up before the game."""
    edge = state.side(side).zone or EDGES[[one.id for one in state.sides].index(side)]
    player = EDGES.index(edge) + 1
    defends = state.side(side).role == "defender"
    return BattleArea.of(table, player if defends else 3 - player), player


def entry(state: GameState, table: Table, name: str) -> Answer | None:
    """Whether a unit may come in where a table shows it; None where only the players can judge."""
    side = state.unit(name).side
    if state.side(side).zone in CORNERS or len(state.sides) > len(EDGES):
        return None
    table = table_with(state, table, name)
    field, player = seat(state, side, table)
    held, readings = held_edges(state, side), Readings.parse(state.readings)
    plan, unit = mode_of(state), table.unit(name)
    return redeployed(table, plan, unit, field.defender, held, readings, player)


def remind_of_arrivals(context: CommandContext, arrived: tuple[str, ...]) -> None:
    """Remind of units that entered illegally (TMG-MODE-COK-8, -15, TMG-MODE-SOS-11, OR-41)."""
    state = context.state
    for name in arrived:
        answer = entry(state, table_of(state.table), name) if seen(state, name) else None
        if answer is not None and answer.verdict == "no":
            rules = ", ".join(answer.why)
            context.remind(say("{unit} may not come in there: {rules}", unit=name, rules=rules))


def remind_of_entry(context: CommandContext, side: str) -> None:
    """Remind where a unit of this side may be placed when it enters or returns."""
    state = context.state
    role = state.side(side).role
    facts = mode_of(state).facts.redeploys
    fact = next((one for one in facts if one.role in ("", role)), None)
    if fact is None:
        return
    places = []
    if fact.zone:
        places.append("in the own deployment zone")
    if fact.own:
        places.append(say('within {inches:g}" of the own edge', inches=fact.own))
    if fact.sides:
        open_edges = held_edges(state, side) if fact.held_sides else ("left", "right")
        places += [
            say('within {inches:g}" of the {edge} edge', inches=fact.sides, edge=edge)
            for edge in open_edges
        ]
    place = places[0]
    for other in places[1:]:
        place = say("{place} or {other}", place=place, other=other)
    context.remind(say("it enters {place} ({rule})", place=place, rule=fact.rule))


ON_ITS_PLACE_IN = 1.0
"""What is within this distance of a fixed place is its token or pile."""
ON_PILE = 1
"""The number of a task that returns a token to its Corpse Pile."""


def linked_pile(token: Token, table: Table, mode: Mode, readings: Sequence[str]) -> Terrain | None:
    """The Corpse Pile a token belongs to (TMG-MODE-FFC-6): the one of that name, or the one at
    its set-up position, whatever its id in the file."""
    for piece in table.terrain:
        if token.pile and piece.id == token.pile:
            return piece
    for spot in spots(mode, BattleArea.of(table), Readings.parse(readings)):
        for piece in table.terrain:
            beside = beside_in(spot.x, spot.y, ground(piece))
            if spot.id == token.id and piece.piece == "corpse-pile" and beside <= ON_ITS_PLACE_IN:
                return piece
    return None


def free_piles(state: GameState, table: Table) -> list[Terrain]:
    """The Corpse Piles of a table without a token."""
    mode = mode_of(state)
    found = (linked_pile(token, table, mode, state.readings) for token in state.tokens)
    taken = {pile.id for pile in found if pile is not None}
    piles = [piece for piece in table.terrain if piece.piece == "corpse-pile"]
    return [pile for pile in piles if pile.id not in taken]


def new_pile_name(state: GameState, number: int) -> str:
    """The pile a new token is linked to: the one the table shows, else the one of that number."""
    shown = free_piles(state, table_of(state.table)) if state.table else []
    return shown[-1].id if shown else f"pile{number}"


def with_pile_tokens(state: GameState, table: Table) -> Table:
    """The table with the tokens at the centres of new piles (TMG-MODE-FFC-15)."""
    shown = {token.id for token in table.tokens}
    pieces = {piece.id: piece for piece in table.terrain}
    found = [
        new_pile_token(mode_of(state), pieces[token.pile], token.id)
        for token in state.tokens
        if token.pile in pieces and token.id not in shown and not token.holder
    ]
    more = tuple(token for token in found if token is not None)
    return replace(table, tokens=(*table.tokens, *more)) if more else table


def with_tray(found: Table, old: Table, unit: str) -> Table:
    """The table with a destroyed unit's tray where it was: the pile is placed first."""
    if unit in found or unit not in old:
        return found
    return replace(found, units=(*found.units, old.unit(unit)))
