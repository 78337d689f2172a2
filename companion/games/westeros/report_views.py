"""The report on a table as players get it: in sentences, and drawn on the board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.shared.board_report import unlikely
from companion.games.westeros.cards.unit_cards import RANK_WORDS
from companion.games.westeros.combat.odds_query import unit_odds
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import (
    BoardUnit,
    commanders_of,
    house_edges,
    in_command_range,
)
from companion.games.westeros.rules.readings import reason
from companion.games.westeros.rules.report import WesterosReport
from companion.geometry.grid.placing import cell_middle
from companion.overlay.board_shapes import (
    area_outlines,
    board_cells,
    board_scene,
    cell_outline,
)
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Shape, Style, TableScene
from companion.text.translation import translate
from companion.text.verdicts import Share
from models.board import cell_text, parse_cell
from models.board_table import BOTTOM, LEFT, RIGHT, TOP, BoardTable
from models.message import joined, say


def report_text(report: WesterosReport, name: str, only: str | None = None) -> str:
    """A paragraph for each unit."""
    lines = report.heading(name)
    for unit in report.answers[0]:
        if only in (None, unit):
            lines += [translate(one) for one in unit_lines(report, unit)]
    return "\n".join(lines)


def unit_lines(report: WesterosReport, unit_id: str) -> Iterator[str]:
    """What one unit may do and see, and what keeps it from the rest."""
    names = report.names
    unit, found = report.best.by_id[unit_id], report.merged(unit_id, brief=True)
    yield say(
        "{unit} ({side}, {rank}) stands on {place}",
        unit=unit.name,
        side=unit.side,
        rank=RANK_WORDS[unit.rank],
        place=place(report.best, unit.cell, unit_id),
    )
    if "cells" in found:
        cells = places(report, found["cells"], unit_id)
        yield say("  where it stands is not certain: {cells}", cells=cells)
    if found["engaged"]:
        yield say("  engaged with {unit}", unit=names[found["engaged"][0]])
    if found["commanded"]:
        yield say("  under the command of {names}", names=", ".join(found["commanded"]))
    if found["stalwart"]:
        yield told(say("  Stalwart"), found["stalwart"] is True)
    yield say("  moves to {n} hex", "  moves to {n} hexes", n=len(found["reach"]))
    if found["retreat"]:
        yield say("  retreats to {cells}", cells=places(report, found["retreat"], unit_id))
    elif perhaps := found.get("retreat_unsure"):
        text = say("  retreats to {cells}", cells=places(report, perhaps, unit_id))
        yield told(text, sure=False)
    else:
        yield say("  cannot retreat: 1 hit per morale symbol")
    for enemy, answer in found["attacks"].items():
        if "dice" in answer:
            yield attack_line(report, unit_id, enemy, answer)
    if doubted := unlikely(found["attacks"], names):
        yield told(say("  attacks {unit}", unit=doubted), sure=False)
    for enemy, answer in found["sees"].items():
        if answer["answer"] == "no" and found["distance"][enemy] <= unit.row.range:
            why = joined([reason(rule) or rule for rule in answer["why"]])
            yield say("  does not see {unit}: {why}", unit=names[enemy], why=why)


def places(report: WesterosReport, cells: Iterable[str], unit: str) -> str:
    """Hexes in the words of players, each once."""
    words = (place(report.best, parse_cell(one), unit) for one in cells)
    return joined(list(dict.fromkeys(words)), "; ")


def told(text: str, sure: bool) -> str:
    """A line, with the doubt about it."""
    return text if sure else say("{told}, too close to call", told=text)


def attack_line(report: WesterosReport, unit_id: str, enemy: str, answer: dict[str, Any]) -> str:
    """One attack with its dice and odds."""
    position = report.best
    target = position.by_id[enemy]
    odds = unit_odds(position, position.by_id[unit_id], target)
    text: str = say("  attacks {unit} with {n} die", "  attacks {unit} with {n} dice",
               unit=target.name, n=answer["dice"])  # fmt: skip
    if answer["flank"]:
        text = say("{told} from the flank", told=text)
    text = told(text, answer["answer"] != "unsure")
    if not odds.left_known:  # a commander whose capture value nobody has entered
        return say("{told}: {loss:.2f} figures on average", told=text, loss=float(odds.mean))
    return say(
        "{told}: {loss:.2f} figures on average, {share:.0%} eliminated",
        told=text,
        loss=float(odds.mean),
        share=Share(odds.destroys),
    )


EDGE_Z, COMMAND_Z, REACH_Z, RETREAT_Z, LINE_Z, MARKER_Z, TEXT_Z = 5, 6, 8, 9, 30, 40, 90
MARKER_RADIUS = 0.13
"""The radius of an engagement marker, in hex widths."""


def answer_scene(
    report: WesterosReport, unit_id: str | None = None, whole: bool = True
) -> TableScene:
    """The table with one unit's answers, or only its command range, or with every command range."""
    if unit_id is None:
        answers = overview(report)
    elif whole:
        answers = unit_shapes(report, unit_id)
    else:
        answers = command_range(report, report.best.by_id[unit_id])
    return plain_scene(report.table, answers)


def plain_scene(table: BoardTable, answers: Iterable[Shape] = ()) -> TableScene:
    """The table with the houses' edges and the engagement markers."""
    return board_scene(table, *house_edge_lines(table), *engagement_markers(table), *answers)


def engagement_markers(table: BoardTable) -> Iterator[Circle]:
    """The marker between two engaged units, in the colour of the house whose crest it shows
    (BOW-ENG-1)."""
    board, drawn = table.board, set[frozenset[str]]()
    middles = {one.id: cell_middle(board, one.cell) for one in table.pieces if one.cell is not None}
    facts = {one.id: one.facts for one in table.pieces}
    for one, (x, y) in middles.items():
        foe = str(facts[one].get("engaged"))
        if foe not in middles or {one, foe} in drawn:
            continue
        drawn.add(frozenset((one, foe)))
        house = str(facts[one].get("marker") or facts[foe].get("marker") or "")
        to_x, to_y = middles[foe]
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        radius = MARKER_RADIUS * board.cell_in
        yield Circle(middle, radius, Style("engagement", house), MARKER_Z, (one, foe))


OUTWARDS_DEG = {RIGHT: 0.0, TOP: 90.0, LEFT: 180.0, BOTTOM: 270.0}


def house_edge_lines(table: BoardTable) -> Iterator[Polyline]:
    """A line along the board edge of each house, in its colour (BOW-GEN-7)."""
    board = table.board
    corners = [corner for cell in board_cells(board) for corner in cell_outline(board, cell)]
    for side, edge in house_edges(table).items():
        angle = math.radians(OUTWARDS_DEG[edge] + board.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        out = max(x * cos + y * sin for x, y in corners)
        along = [y * cos - x * sin for x, y in corners]
        ends = tuple(
            (out * cos - at * sin, out * sin + at * cos) for at in (min(along), max(along))
        )
        yield Polyline(ends, Style("house-edge", side), EDGE_Z)


def overview(report: WesterosReport) -> Iterator[Shape]:
    """The command range of every commander."""
    for commander in report.best.units:
        if commander.commander:
            yield from command_range(report, commander)


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
        if "dice" in answer:
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
