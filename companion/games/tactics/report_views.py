"""The report on a table as players get it: in sentences, and drawn on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from companion.games.shared.board_report import unlikely
from companion.games.tactics.rules.attack_odds import PricedOdds
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.readings import reason
from companion.games.tactics.rules.report import FigureAnswers, TacticsReport
from companion.games.tactics.rules.sight import best_line
from companion.geometry.grid.placing import cell_middle
from companion.overlay.board_shapes import board_scene, cell_outline
from companion.overlay.shapes import Label, Polygon, Polyline, Shape, Style, TableScene
from companion.text.translation import translate
from models.board import Cell, cell_text, parse_cell
from models.message import joined, say

ATTACKED = {"attacks": say("  attacks {figure}"), "charges": say("  charges {figure}")}
Odds = Callable[[str, str, str], PricedOdds | None]


def report_text(report: TacticsReport, name: str, odds: Odds, only: str | None = None) -> str:
    """A paragraph for each figure."""
    lines = report.heading(name)
    for figure in report.answers[0]:
        if only in (None, figure):
            lines += [translate(one) for one in figure_lines(report, figure, odds)]
    return "\n".join(lines)


def figure_lines(report: TacticsReport, figure: str, odds: Odds) -> Iterator[str]:
    """What one figure may do and see, and what keeps it from the rest."""
    names = report.names
    me, found = report.best.by_id[figure], report.merged(figure, brief=True)
    where = place(report.best, me.cell, figure)
    yield say("{figure} ({side}) stands on {place}", figure=me.name, side=me.side, place=where)
    if "cells" in found:
        cells = places(report, found["cells"], figure)
        yield say("  where it stands is not certain: {cells}", cells=cells)
    if found["engaged"]:
        enemies = ", ".join(names[one] for one in found["engaged"])
        yield say("  engaged with {figures}", figures=enemies)
    if found["controls"]:
        yield say("  controls {places}", places=places(report, found["controls"], figure))
    stops = sum(bool(end["engages"]) for end in found["reach"].values())
    yield say(
        "  moves to {spaces} spaces, {stops} of them in contact",
        spaces=len(found["reach"]),
        stops=stops,
    )
    for kind, action in (("attacks", "shots"), ("charges", "charges")):
        for enemy, answer in found[kind].items():
            if answer["answer"] != "no" and answer.get("probability") != 0:
                yield attack_line(kind, names[enemy], answer, odds(action, figure, enemy))
        if doubted := unlikely(found[kind], names):
            line = ATTACKED[kind]
            yield say("{told}, too close to call", told=say(line, figure=doubted))
    if me.frozen:
        yield say("  cannot charge: {why}", why=reason("TAC-STA-3"))
    unseen: dict[tuple[str, ...], list[str]] = {}
    for enemy, answer in found["sees"].items():
        if answer["answer"] == "no":
            unseen.setdefault(tuple(answer["why"]), []).append(names[enemy])
    for rules, figures in unseen.items():
        why = joined([reason(rule) or rule for rule in rules])
        yield say("  does not see {figure}: {why}", figure=", ".join(figures), why=why)


def places(report: TacticsReport, cells: Iterable[str], figure: str) -> str:
    """Spaces in the words of players, each once."""
    words = (place(report.best, parse_cell(one), figure) for one in cells)
    return joined(list(dict.fromkeys(words)), "; ")


def attack_line(kind: str, enemy: str, answer: dict[str, object], odds: PricedOdds | None) -> str:
    """One attack or charge with its odds."""
    text = (
        say("  attacks {figure} ({attack})", figure=enemy, attack=answer.get("attack", ""))
        if kind == "attacks"
        else say("  charges {figure}", figure=enemy)
    )
    if answer["answer"] == "unsure":
        text = say("{told}, too close to call", told=text)
    if odds is None:
        return text
    return say("{told}: {n:.2f} wounds on average", told=text, n=float(odds.odds.mean))


REACH_Z, LINE_Z, TEXT_Z = 8, 30, 90


def answer_scene(report: TacticsReport, figure_id: str | None = None) -> TableScene:
    """The table with one figure's answers, or with every engagement."""
    if figure_id is None:
        return board_scene(report.table, *engagements(report))
    return board_scene(report.table, *figure_shapes(report, figure_id))


def figure_shapes(report: TacticsReport, figure_id: str) -> Iterator[Shape]:
    """The spaces in reach, the lines of sight, charges and attacks of one figure."""
    position, merged = report.best, report.merged(figure_id)
    figure, found = position.by_id[figure_id], report.answers[0][figure_id]
    board = report.table.board
    drawn: set[Cell] = set()
    for cell, end in sorted(found.reach.items(), key=lambda one: one[1].cost):
        sure = "answer" not in merged["reach"][cell_text(cell)]
        role = "attack-area" if end.engages else "reach"
        style = Style(role, figure.side, sure)
        for one in figure.cells_at(cell):
            if one not in drawn:
                drawn.add(one)
                yield Polygon(cell_outline(board, one), style, REACH_Z, (figure_id,))
        spot = (cell_middle(board, cell, figure.size),)
        yield Label(str(end.cost), spot, style, TEXT_Z, (figure_id,))
    for other in found.sees:
        yield line_to(report, found, figure_id, other, merged)


def line_to(
    report: TacticsReport, found: FigureAnswers, one: str, two: str, merged: dict[str, object]
) -> Polyline:
    """The line from a figure to an enemy: an attack, a charge, sight, or blocked sight; of large
    figures between the spaces that see each other best (TAC-OR-6, TAC-LOS-8)."""
    position, board = report.best, report.table.board
    start, end = position.by_id[one], position.by_id[two]
    if found.attacks[two].attack:
        role = "shot"
    elif found.charges[two].reaches:
        role = "attack-path"
    else:
        role = "sight" if found.sees[two].clear else "sight-blocked"
    answers: dict[str, dict[str, str]] = merged["sees"]  # type: ignore[assignment]
    line = best_line(position, start.cells, end.cells)
    points = tuple(cell_middle(board, cell) for cell in (line.start, line.end))
    style = Style(role, start.side, answers[two]["answer"] != "unsure")
    return Polyline(points, style, LINE_Z, (one, two), arrow=role in ("shot", "attack-path"))


def engagements(report: TacticsReport) -> Iterator[Shape]:
    """A short line between every two engaged figures, once for each pair."""
    position, board = report.best, report.table.board
    for name, found in report.answers[0].items():
        for other in found.engaged:
            if name < other:
                pair = (position.by_id[name], position.by_id[other])
                points = tuple(cell_middle(board, one.cell, one.size) for one in pair)
                yield Polyline(points, Style("engaged"), LINE_Z, (name, other))
