"""The set-up of a skirmish: commanders in secret, forces by cards, placing in turns (BOW-SKM)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from companion.games.westeros.cards.skirmish import SkirmishRules
from companion.games.westeros.play.context import WesterosContext
from companion.games.westeros.play.draw_flow import draw_step
from companion.games.westeros.play.events import round_events
from companion.games.westeros.play.state import (
    CHOOSE,
    DRAW,
    OVERLAYS,
    UnitInBattle,
    WesterosState,
    hex_field,
)
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import ranges_overlap
from models.board import Cell
from models.message import joined, say


def within(field: HexField, edge: str, rows: int) -> Iterator[Cell]:
    """The complete hexes of the first rows counted from a board edge.

    The row at the edge is the first of them, or lies before them (BOW-OR-30).
    """
    last = rows + (field.readings.own_edge == "beyond-first")
    return (cell for cell in sorted(field.cells) if field.rows_from(edge, cell) <= last)


def unit_cells(field: HexField, edge: str, rows: int, taken: Iterable[Cell]) -> list[Cell]:
    """Where a unit may be placed: near its edge, on free ground it could enter (BOW-SKM-13)."""
    full = set(taken)
    return [
        cell
        for cell in within(field, edge, rows)
        if cell not in full and not field.at(cell).impassable
    ]


def commander_cells(
    field: HexField, edge: str, rows: int, taken: Iterable[Cell], own: Iterable[Cell]
) -> list[Cell]:
    """Where a commander may be placed: its command range overlaps no other (BOW-SKM-12)."""
    others = tuple(own)
    return [
        cell
        for cell in unit_cells(field, edge, rows, taken)
        if not any(ranges_overlap(field, cell, other) for other in others)
    ]


def skirmish_step(ctx: WesterosContext, begin: Callable[[], None]) -> bool:
    """One automatic step of the set-up; False if players are asked."""
    state = ctx.state
    if state.phase == CHOOSE:
        return False
    if state.phase == DRAW:
        return draw_step(ctx)
    side = state.active
    if state.phase == OVERLAYS:
        if any(one.overlays for one in state.houses):
            return skip_idle(ctx, bool(state.house(side).overlays))
        ctx.add(round_events.placing)
        return True
    if any(one.fate == "waiting" for one in state.units):
        return skip_idle(ctx, bool(next_units(state, side)))
    begin()
    return True


def skip_idle(ctx: WesterosContext, busy: bool) -> bool:
    """A player with nothing to place is skipped."""
    if busy:
        return False
    ctx.add(round_events.next_player, side=ctx.state.other(ctx.state.active))
    return True


def next_units(state: WesterosState, side: str) -> tuple[UnitInBattle, ...]:
    """The units a player may place now: every commander of both houses first (BOW-SKM-9)."""
    waiting = [one for one in state.units if one.fate == "waiting"]
    commanders = any(one.commander is not None for one in waiting)
    return tuple(
        one for one in waiting if one.side == side and (one.commander is not None) == commanders
    )


def place_cells(state: WesterosState, unit: UnitInBattle) -> list[Cell]:
    """Where a unit may be placed (BOW-SKM-12, BOW-SKM-13)."""
    rules = state.skirmish
    assert rules is not None
    field, edge = hex_field(state), state.house(unit.side).edge
    taken = [one.cell for one in state.units if one.cell is not None]
    if unit.commander is None:
        return unit_cells(field, edge, rules.unit_rows, taken)
    own = [
        one.cell
        for one in state.of(unit.side)
        if one.commander is not None and one.cell is not None
    ]
    return commander_cells(field, edge, rules.commander_rows, taken, own)


def place_problem(state: WesterosState, unit: UnitInBattle, to: Cell) -> str:
    """Why a unit may not be placed on a hex (BOW-UNT-2, BOW-SKM-12, BOW-SKM-13)."""
    rules, field = state.skirmish, hex_field(state)
    assert rules is not None
    if any(one.cell == to for one in state.units):
        return say("another unit stands there")
    if field.at(to).impassable:
        return say("that terrain is impassable")
    if to not in set(within(field, state.house(unit.side).edge, rows_of(rules, unit))):
        return near_edge(rules, unit)
    return far_apart(unit)


def place_terms(state: WesterosState, unit: UnitInBattle) -> str:
    """Where a unit may be placed, for those who tapped another hex (BOW-SKM-12, BOW-SKM-13)."""
    assert state.skirmish is not None
    terms = [near_edge(state.skirmish, unit)]
    return joined([*terms, far_apart(unit)] if unit.commander else terms, "; ")


def rows_of(rules: SkirmishRules, unit: UnitInBattle) -> int:
    """How near to the own board edge a unit is placed."""
    return rules.commander_rows if unit.commander else rules.unit_rows


def near_edge(rules: SkirmishRules, unit: UnitInBattle) -> str:
    return say(
        "{unit}: within {n} hex of the own board edge",
        "{unit}: within {n} hexes of the own board edge",
        unit=unit.name,
        n=rows_of(rules, unit),
    )


def far_apart(unit: UnitInBattle) -> str:
    return say("{unit}: command ranges of one house do not overlap", unit=unit.name)


def overlay_cells(state: WesterosState, side: str) -> list[Cell]:
    """Where an overlay may be placed: near the own edge, on a free hex (BOW-SKM-11)."""
    rules = state.skirmish
    assert rules is not None
    field = hex_field(state)
    near = within(field, state.house(side).edge, rules.overlay_rows)
    return [cell for cell in near if not state.board.ground.get(cell)]


def choice_problem(state: WesterosState, side: str, chosen: tuple[str, ...]) -> str:
    """Why commanders may not be chosen together: number or total value (BOW-SKM-4, BOW-SKM-10)."""
    rules = state.skirmish
    assert rules is not None
    known = {one.id for one in rules.of(side)}
    if not set(chosen) <= known or len(set(chosen)) < len(chosen) or not chosen:
        return "BOW-SKM-4"
    leaders = {one.id: one.commander for one in rules.of(side)}
    names = {one.id: one.name for one in state.commanders}
    if len({names[leaders[one]] for one in chosen}) < len(chosen):
        return "BOW-SET-3"  # one figure, whatever the title
    worth = setup_values(state, rules, side)
    if len(chosen) > rules.commanders or sum(worth[one] for one in chosen) > rules.value:
        return "BOW-SKM-10"
    return ""


def setup_values(state: WesterosState, rules: SkirmishRules, side: str) -> dict[str, int]:
    """The value of each set-up card's commander."""
    worth = {one.id: one.value for one in state.commanders}
    return {one.id: worth[one.commander] for one in rules.of(side)}
