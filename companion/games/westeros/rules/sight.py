"""Range and line of sight from hex centre to hex centre, exact (BOW-LOS).

A line that runs along hex edges is shifted to either side as a whole; only if both shifted lines
are blocked is there no line of sight (BOW-LOS-6, BOW-OR-3). A hex blocks only where the line has a
stretch inside it (BOW-OR-7), and neither end blocks (BOW-OR-4).
"""

from __future__ import annotations

from companion.games.westeros.rules.hex_field import CLEAR, HexField, HexSight
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.geometry.grid.lines import hex_bits, hex_line, hexes_of
from models.board import Cell

BLOCKED, BOTH_SIDES, RIVER = "BOW-LOS-5", "BOW-LOS-6", "BOW-LOS-10"


def sight(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, hounds: bool = False
) -> HexSight:
    """Whether a unit has a line of sight to another for an attack or for its war hounds."""
    field, one, two = position.field, unit.cell, target.cell
    from_hill = unit.ranged and field.at(one).word == "hill"
    ground = field.opaque_from_hills if from_hill else field.opaque
    if hounds:
        foes = position.everybody & ~position.standing.get(unit.side, 0)
        return line_sight(field, one, two, ground | foes, field.rivers)  # BOW-LOS-9, BOW-LOS-10
    if from_hill:
        return line_sight(field, one, two, ground)  # BOW-LOS-8
    pair = (one, two) if one < two else (two, one)
    found = position.sights.get(pair)
    if found is None:
        found = line_sight(field, one, two, position.opaque)
        position.sights[pair] = found
    return found


def line_sight(field: HexField, one: Cell, two: Cell, opaque: int, rivers: int = 0) -> HexSight:
    """What blocks the line between two hexes; between neighbours nothing lies (BOW-LOS-7).

    `opaque` are the hexes that block it, `rivers` those that block as rivers do. Fire does not
    block (BOW-FIR-16).
    """
    line, every = hex_line(one, two), opaque | rivers
    hits, rules = every & line.between, set[str]()
    if not hits and every & line.left and every & line.right:
        hits = every & (line.left | line.right)
        if field.readings.edge_lines == "either":  # BOW-OR-3
            pairs = zip(hexes_of(line.left), hexes_of(line.right), strict=True)
            hits = sum(both for pair in pairs if (both := hex_bits(pair)) & hits == both)
        rules.add(BOTH_SIDES)
    if not hits:
        return CLEAR
    if hits & rivers:
        rules.add(RIVER)
    if hits & ~rivers:
        rules.add(BLOCKED)
    return HexSight(tuple(sorted(rules)), hits)
