"""The answers for a unit drawn on the board: reach, command range, sight, retreat, fire."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.command_range import commanders_of, in_command_range
from companion.games.westeros.rules.report import WesterosReport
from companion.geometry.grid.placing import cell_middle
from companion.overlay.board_shapes import board_scene, cell_outline
from companion.overlay.hex_ground import area_outlines
from companion.overlay.shapes import Label, Polygon, Polyline, Shape, Style, TableScene
from models.cell import cell_text, parse_cell

COMMAND_Z, REACH_Z, RETREAT_Z, LINE_Z, TEXT_Z = 6, 8, 9, 30, 90


def answer_scene(report: WesterosReport, unit_id: str | None = None) -> TableScene:
    """The table with one unit's answers, or with every command range and engagement."""
    if unit_id is None:
        return board_scene(report.table, *overview(report))
    return board_scene(report.table, *unit_shapes(report, unit_id))


def overview(report: WesterosReport) -> Iterator[Shape]:
    """The command range of every commander, and a line between engaged units."""
    position, board = report.best, report.table.board
    for commander in position.units:
        if commander.commander:
            yield from command_range(report, commander)
    for one, two in position.opponents.items():
        if one < two:
            ends = tuple(cell_middle(board, position.by_id[unit].cell) for unit in (one, two))
            yield Polyline(ends, Style("engaged"), LINE_Z, (one, two))


def command_range(report: WesterosReport, commander: BoardUnit) -> Iterator[Shape]:
    """The border of a commander's range (BOW-CDR-1)."""
    field = report.best.field
    cells = (c for c in sorted(field.cells) if in_command_range(field, commander.cell, c))
    for line in area_outlines(report.table.board, cells):
        yield Polygon(line, Style("command", commander.side), COMMAND_Z, (commander.id,))


def unit_shapes(report: WesterosReport, unit_id: str) -> Iterator[Shape]:
    """The hexes in reach, retreat hexes, and a line to every enemy with what blocks it.

    The ranges of the commanders under whose command it stands are drawn with them.
    """
    position, merged = report.best, report.merged(unit_id)
    unit, board = position.by_id[unit_id], report.table.board
    for commander in commanders_of(position, unit):
        yield from command_range(report, commander)
    for text, end in merged["reach"].items():
        style = Style("reach", unit.side, "answer" not in end)
        yield Polygon(cell_outline(board, parse_cell(text)), style, REACH_Z, (unit_id,))
    for text in merged["retreat"]:
        outline = cell_outline(board, parse_cell(text))
        yield Polygon(outline, Style("retreat", unit.side), RETREAT_Z, (unit_id,))
    blocked: dict[str, str] = {}
    for enemy, answer in merged["attacks"].items():
        seen = merged["sees"][enemy]
        sure = answer["answer"] != "unsure"
        ends = (
            cell_middle(board, unit.cell),
            cell_middle(board, position.by_id[enemy].cell),
        )
        if answer["answer"] != "no":
            yield Polyline(ends, Style("shot", unit.side, sure), LINE_Z, (unit_id, enemy))
            words = str(answer["dice"])
            yield Label(words, (ends[1],), Style("shot", unit.side, sure), TEXT_Z, (enemy,))
        elif seen["answer"] == "no" and merged["distance"][enemy] <= unit.row.range:
            blocked |= dict.fromkeys(seen["blocked_by"], enemy)
    for cell, enemy in blocked.items():
        outline = cell_outline(board, parse_cell(cell))
        yield Polygon(outline, Style("blocked"), RETREAT_Z, (unit_id, enemy))
    if not merged["retreat"]:
        where = (cell_middle(board, unit.cell),)
        yield Label("✕", where, Style("retreat", unit.side), TEXT_Z, (cell_text(unit.cell),))
