"""The battlefield of a state as the rules see it, and as a table file would hold it."""

from __future__ import annotations

from dataclasses import replace

from companion.games.westeros.play.state import UnitInBattle, WesterosState
from companion.games.westeros.rules.board_unit import BoardUnit, unit_facts
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import HexPosition
from models.board_table import BoardPiece, BoardTable
from models.identity_cache import IdentityCache

FIELDS = IdentityCache(HexField.of, 8)


def hex_field(state: WesterosState) -> HexField:
    """The battlefield of a state, worked out once for each board."""
    return FIELDS(state.board, state.readings)


def board_unit(state: WesterosState, unit: UnitInBattle) -> BoardUnit:
    """A unit on the field as the rules see it.

    A commander unit has the abilities of its unit type and those of its commander (BOW-CDR-5).
    """
    assert unit.cell is not None
    row = unit.card.row(unit.rank)
    keywords = dict(row.keywords)
    if unit.commander is not None:
        keywords |= unit.commander.keywords
    marker = next((one for one in state.markers if one.other(unit.id)), None)
    moved = state.acting is not None and unit.id in state.acting.moved
    if state.acting is not None and unit.id in state.acting.followed:
        moved = moved or state.readings.pursuit_balance == "moved"  # BOW-OR-39
    return BoardUnit(
        unit.id,
        unit.side,
        unit.name,
        unit.cell,
        unit.card.kind,
        unit.rank,
        row,
        unit.card.strength,
        unit.figures,
        keywords,
        unit.commander.name if unit.commander else "",
        unit.commander.capture_value if unit.commander else None,
        marker.other(unit.id) if marker else "",
        marker.house if marker else "",
        moved,
        unit.active,
    )


def battle_position(state: WesterosState) -> HexPosition:
    """The units on the field."""
    units = tuple(board_unit(state, one) for one in state.units if one.on_field)
    edges = {one.side: one.edge for one in state.houses}
    return HexPosition(hex_field(state), units, edges)


def current_table(state: WesterosState) -> BoardTable:
    """The table as a file would hold it."""
    position = battle_position(state)
    pieces = tuple(
        BoardPiece(
            one.id,
            one.side,
            one.name,
            "",
            one.cell,
            1,
            None,
            unit_facts(one, position.edge(one.side)),
        )
        for one in position.units
    )
    marks = {site.cell: ("objective",) for site in state.plan.victory.sites}
    return BoardTable("westeros", replace(state.board, marks=marks), pieces)
