"""The set-up of a skirmish: commanders in secret, forces by cards, placing in turns (BOW-SKM)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from companion.games.westeros.cards.battle_plan import BASIC_CARDS, COMMANDER_CARDS
from companion.games.westeros.cards.skirmish import SetupCard, SkirmishRules
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from companion.games.westeros.play.context import WesterosContext
from companion.games.westeros.play.events import round_events
from companion.games.westeros.play.setup import plain_unit
from companion.games.westeros.play.state import (
    CHOOSE,
    OVERLAYS,
    UnitInBattle,
    WesterosState,
    hex_field,
)
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import ranges_overlap
from models.board import Cell
from models.message import Name, joined


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


Cards = tuple[dict[str, UnitReference], dict[str, CommanderCard]]


def skirmish_step(ctx: WesterosContext, begin: Callable[[], None]) -> bool:
    """One automatic step of the set-up; False if players are asked."""
    state = ctx.state
    if state.phase == CHOOSE:
        return False
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


def draw_forces(ctx: WesterosContext) -> None:
    """Reveal the commanders, then draw units and overlays from the rest (BOW-SKM-7, BOW-SKM-8)."""
    rules = ctx.state.skirmish
    assert rules is not None
    cards: Cards = (
        {one.id: one for one in ctx.state.references},
        {one.id: one for one in ctx.state.commanders},
    )
    units: list[dict[str, Any]] = []
    overlays: dict[str, list[str]] = {}
    decks: dict[str, int] = {}
    for house in ctx.state.houses:
        chosen = house.chosen or ()
        deck = {one.id: one for one in rules.of(house.side)}
        rest = ctx.shuffled(tuple(name for name in deck if name not in chosen))
        drawn, left = rest[: rules.unit_draw], rest[rules.unit_draw :]
        left = ctx.shuffled(left)
        units += formed(house.side, deck, chosen, drawn, cards)
        overlays[house.side] = [
            word for name in left[: rules.terrain_draw] for word in deck[name].overlays
        ]
        decks[house.side] = BASIC_CARDS + COMMANDER_CARDS * len(chosen)
    mace = ctx.state.sides[ctx.dice(1, 2)[0] - 1]  # BOW-SKM-14
    listed = joined([forces_of(ctx.player(side), side, units) for side in ctx.state.sides], "; ")
    ctx.add(
        round_events.forces,
        units=units,
        overlays=overlays,
        decks=decks,
        mace=mace,
        names=listed,
        player=ctx.player(mace),
    )


def forces_of(player: str, side: str, units: list[dict[str, Any]]) -> str:
    """A player with the names of the units of that house."""
    names = joined([Name(one["name"]) for one in units if one["side"] == side])
    return joined([Name(player), names], ": ")


def formed(
    side: str,
    deck: dict[str, SetupCard],
    chosen: tuple[str, ...],
    drawn: tuple[str, ...],
    cards: Cards,
) -> list[dict[str, Any]]:
    """The units of a house: one for each commander, and those of the drawn cards."""
    found: list[tuple[str, UnitReference, str, CommanderCard | None]] = []
    for name in chosen:
        commander = cards[1][deck[name].commander]
        found.append((commander.name, cards[0][commander.unit], deck[name].rank, commander))
    for name in drawn:
        for unit in deck[name].units:
            card = cards[0][unit.card]
            found.append((card.name, card, unit.rank, None))
    count = Counter(name for name, *_ in found)
    seen: Counter[str] = Counter()
    units = []
    for number, (name, reference, rank, leader) in enumerate(found, 1):
        seen[name] += 1
        shown = f"{name} {seen[name]}" if count[name] > 1 else name
        units.append(plain_unit(f"{side[0]}{number}", side, shown, reference, rank, leader))
    return units
