"""Badges, arrows and labels over a pane of the table, in a real window."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from unittest.mock import patch

import pytest

from companion.app.render.chip_layer import (
    FLAG_DP,
    ChipLayer,
    badge_icons,
    between,
    label_lines,
    told_apart,
)
from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.engine.snapshot import Snapshot
from companion.engine.turn.selection import best_offers
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import ActionOffer
from companion.games.api.screen_views import Badge, PieceView
from companion.geometry.grid.grids import HexGrid
from companion.overlay.badge import bounds_of
from companion.overlay.board_shapes import MARK_RADIUS, flames
from companion.overlay.footprints import disc
from companion.overlay.shapes import Point
from companion.overlay.view_frame import BoundingBox
from companion.session.game_view import GameView
from models import Pose, Table, Unit
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable
from models.frozen_records import Identity
from models.message import say
from models.table import TableToken
from models.unit import Tray
from tests.trials import trials

PANE = (0.0, 104.0, 708.0, 420.0)
"""The pane of a table at 1024 × 600: its place in the window and its size."""
NAMES = ("Sworn Swords", "Halberdiers", "Mountain’s Men", "Berserkers", "Bowmen 2")
TRAY = Tray("infantry", 5.5, 4.8, 12, 3)


def full_table() -> Table:
    """Two armies of ten units in two ranks each, a few of them close together."""
    units = []
    for number in range(20):
        side, place = divmod(number, 10)
        rank, file = divmod(place, 5)
        x = 6.0 + 9.0 * file
        y = (9.0 + 6.5 * rank) if side == 0 else (39.0 - 6.5 * rank)
        pose = Pose(x, y, 90.0 if side == 0 else 270.0)
        units.append(
            Unit(f"{'br'[side]}{place}", ("blue", "red")[side], NAMES[place % 5], TRAY, pose)
        )
    return Table("tmg-2021", 48.0, 48.0, units=tuple(units))


def snapshot(chosen: str | None = None) -> Snapshot:
    table = full_table()
    pieces = tuple(
        PieceView(
            unit.id,
            unit.name,
            unit.name,
            unit.side,
            left=12 - number % 7,
            most=12,
            ranks=(3, 3),
            state="spent" if number % 6 == 5 else "ready",
            leader=number % 10 == 0,
            engaged=number % 10 == 3,
            badges=(Badge("Panicked", "bolt"),) if number % 10 == 4 else (),
        )
        for number, unit in enumerate(table.units)
    )
    offers = tuple(
        ActionOffer(kind, "", ({"do": "action"},), f"b{number}", f"r{number}")
        for number, kind in enumerate(("shot", "charge") * 3)
    )
    if chosen is not None:
        offers = (ActionOffer("charge", "", piece=chosen, target="r7", odds="67 %"),)
    view = GameView(
        (SeatView("blue", "Anna", 1), SeatView("red", "Ben", 2)), ("blue",), pieces=pieces
    )
    return Snapshot(
        path="a",
        state={"game": "tmg-2021"},
        table=table,
        view=view,
        offers=offers,
        chosen=chosen,
    )


def on_screen(point: Point) -> tuple[float, float]:
    """A map that fills the height of the pane."""
    scale = PANE[3] / 48.0
    left = PANE[0] + (PANE[2] - PANE[3]) / 2
    return left + point[0] * scale, PANE[1] + point[1] * scale


def boxes(layer: ChipLayer) -> Sequence[BoundingBox]:
    return [*(one.box for one in layer.placed.values()), *layer.labels]


@pytest.mark.slow
@pytest.mark.parametrize("text", [1.5, 1.0, 1.25][: trials(1, 3)])
@pytest.mark.parametrize("chosen", [None, "b2", "b9"])
def test_twice_ten_units_at_seven_inches_have_no_overlapping_labels(
    driver: Driver, chosen: str | None, text: float
) -> None:
    rail = BoundingBox(0.0, 0.0, 68.0, 330.0)
    layer = ChipLayer()
    before, THEME.text = THEME.text, text
    try:
        shown = snapshot(chosen)
        layer.show(shown, on_screen, PANE, None, [rail])
    finally:
        THEME.text = before
    assert len(layer.placed) == 20
    found = boxes(layer)
    assert not [pair for pair in combinations(found, 2) if pair[0].overlaps(pair[1])]
    for box in found:
        assert not box.overlaps(rail)
        assert box.left >= 0
        assert box.top >= 0
        assert box.right <= PANE[2]
        assert box.bottom <= PANE[3]
    if chosen is not None:
        assert len(layer.labels) == 1 or text > 1.0
        at_rest = ChipLayer()
        at_rest.show(snapshot(None), on_screen, PANE, None, [rail])
        places = {key: one.box for key, one in at_rest.placed.items()}
        at_rest.show(shown, on_screen, PANE, None, [rail])
        for key, one in at_rest.placed.items():  # a tap on a unit moves no badge
            under = any(places[key].overlaps(head) for head in at_rest.heads)
            assert under or one.box == pytest.approx(places[key]), key
        at_rest.show(snapshot(None), on_screen, PANE, None, [rail])
        for key, one in at_rest.placed.items():  # what gave way to an arrow comes back
            assert one.box == pytest.approx(places[key]), key
    for box, head in product(found, layer.heads):
        assert not box.overlaps(head), "the head of an arrow is seen"


def test_the_callout_leaves_the_flag_of_an_objective_free(driver: Driver) -> None:
    two = {"b2": Pose(24.0, 10.0, 90.0), "r7": Pose(24.0, 26.0, 270.0)}
    shown = snapshot("b2")
    assert shown.trays is not None
    units = tuple(shown.trays.unit(one).at(pose) for one, pose in two.items())
    table = replace(shown.trays, units=units)
    layer = ChipLayer()
    layer.show(replace(shown, table=table), on_screen, PANE, None)
    (box,) = layer.labels
    scale = PANE[3] / 48.0
    x = (box.centre[0] - (PANE[2] - PANE[3]) / 2) / scale
    token = TableToken("o1", x, (PANE[3] - box.centre[1]) / scale)
    layer.show(replace(shown, table=replace(table, tokens=(token,))), on_screen, PANE, None)
    (moved,) = layer.labels
    assert not moved.overlaps(BoundingBox.around(box.centre, FLAG_DP, FLAG_DP))


def test_the_callout_lies_on_no_figure(driver: Driver) -> None:
    """It lay on the disc of a third unit, which it seemed to speak of."""
    shown = snapshot("b2")
    assert shown.trays is not None
    two = {"b2": Pose(24.0, 10.0, 90.0), "r7": Pose(24.0, 34.0, 270.0)}
    units = [shown.trays.unit(one).at(pose) for one, pose in two.items()]
    layer = ChipLayer()
    layer.show(
        replace(shown, table=replace(shown.trays, units=tuple(units))), on_screen, PANE, None
    )
    (box,) = layer.labels
    scale = PANE[3] / 48.0
    x, y = box.centre[0] - (PANE[2] - PANE[3]) / 2, PANE[3] - box.centre[1]
    third = shown.trays.unit("b4").at(Pose(x / scale, y / scale, 90.0))
    layer.show(
        replace(shown, table=replace(shown.trays, units=(*units, third))), on_screen, PANE, None
    )
    trays = [bounds_of(one.badge.outline) for one in layer.placed.values()]
    assert len(trays) == 3
    assert not any(box.overlaps(tray) for box, tray in product(layer.labels, trays))


def test_the_table_that_is_shown_stays_alive(driver: Driver) -> None:
    """A table that was gone gave its address to the next, which was then taken for the same."""
    layer, shown = ChipLayer(), snapshot()
    table = replace(full_table(), units=full_table().units[:3])
    known = sys.getrefcount(table)
    layer.show(replace(shown, table=table), on_screen, PANE, None)
    assert len(layer.placed) == 3
    assert sys.getrefcount(table) > known
    assert Identity([]) != Identity([])


def test_a_label_tells_the_odds_in_the_players_language() -> None:
    offer = ActionOffer("swords", "", odds=say("{n:.1f} figures", n=1.5))
    set_language("de")
    try:
        assert label_lines("Guards 1", offer) == ("Guards 1", "1,5 Figuren")
    finally:
        set_language("en")
    assert label_lines("Guards 1", ActionOffer("swords", "")) == ("Guards 1",)


def test_the_overview_shows_at_most_three_arrows_and_no_label(driver: Driver) -> None:
    layer = ChipLayer()
    shown = snapshot()
    layer.show(shown, on_screen, PANE, None)
    assert layer.labels == []
    outlines = {key: one.badge.outline for key, one in layer.placed.items()}
    arrows = layer.arrows(shown, badge_icons(shown), outlines)
    assert len(arrows) == 3
    for arrow in arrows:
        assert math.dist(arrow.start, arrow.end) > 5
        # No badge covers the middle of an arrow.
        middle = ((arrow.start[0] + arrow.end[0]) / 2, (arrow.start[1] + arrow.end[1]) / 2)
        assert not any(one.box.distance(middle) == 0 for one in layer.placed.values())


def test_the_arrows_are_those_of_the_rows(driver: Driver) -> None:
    """A row that points at nobody leaves its arrow to no other offer."""
    layer, shown = ChipLayer(), snapshot()
    layer.show(shown, on_screen, PANE, None)
    outlines = {key: one.badge.outline for key, one in layer.placed.items()}
    first, *others = best_offers(shown)
    still = replace(first, kind="maneuver", target="")
    rest = [one for one in shown.offers if one.piece != first.piece]
    shown = replace(shown, offers=(still, *rest))
    assert len(best_offers(shown)) == 3
    assert len(layer.arrows(shown, badge_icons(shown), outlines)) == len(others) == 2


def test_two_units_with_one_short_name_in_a_language_have_their_full_names() -> None:
    """In German both are Bogenschützen."""
    two = [
        PieceView("a", "Stark Bowmen", "Bowmen", "blue"),
        PieceView("b", "House Fowler Skyreach Bowmen", "Skyreach Bowmen", "red"),
        PieceView("c", "Grey Wind", "Grey Wind", "blue"),
    ]
    words = {"Bowmen": "Bogenschützen", "Skyreach Bowmen": "Bogenschützen"}
    with patch("companion.app.render.chip_layer._", lambda text: words.get(text, text)):
        found = told_apart(two)
    assert found == {"a": "Stark Bowmen", "b": "House Fowler Skyreach Bowmen", "c": "Grey Wind"}


def test_the_callout_goes_when_what_it_offered_is_done(driver: Driver) -> None:
    layer, shown = ChipLayer(), snapshot("b2")
    layer.show(shown, on_screen, PANE, None)
    assert len(layer.labels) == 1
    layer.show(replace(shown, offers=()), on_screen, PANE, None)
    assert layer.labels == []


def test_nothing_is_laid_out_twice_for_the_same_picture(driver: Driver) -> None:
    layer = ChipLayer()
    shown = snapshot()
    layer.show(shown, on_screen, PANE, None)
    first = layer.brush.shown
    layer.show(shown, on_screen, PANE, None)
    assert layer.brush.shown is first
    layer.show(shown, on_screen, PANE, "moved")
    assert layer.brush.shown is not first
    # A tray on its way has its badge where the camera sees it, not where the game has it.
    assert shown.trays is not None
    there = Pose(24.0, 24.0, 90.0)
    layer.show(shown, on_screen, PANE, "moved", seen={"b0": there})
    moved = {one.badge.id: one.badge.outline for one in layer.placed.values()}
    layer.show(shown, on_screen, PANE, "moved")
    before = {one.badge.id: one.badge.outline for one in layer.placed.values()}
    assert {unit for unit in before if before[unit] != moved[unit]} == {"b0"}
    x, y = on_screen((there.x, there.y))
    middle = (x - PANE[0], PANE[3] - (y - PANE[1]))
    assert math.dist(bounds_of(moved["b0"]).centre, middle) < 1.0
    layer.show(shown, on_screen, PANE, "moved", hidden=frozenset({"b0"}))
    assert "b0" not in layer.placed


@pytest.mark.parametrize("reason", ["moving", "marked"])
def test_badges_that_gave_way_to_a_tray_or_to_marked_spaces_come_back(
    driver: Driver, reason: str
) -> None:
    layer, shown = ChipLayer(), snapshot()
    layer.show(shown, on_screen, PANE, None)
    before = {key: one.box for key, one in layer.placed.items()}
    hand = BoundingBox(150.0, 60.0, 420.0, 300.0)
    setattr(layer, reason, True)
    layer.show(shown, on_screen, PANE, None, [hand], hidden=frozenset({"b0"}))
    assert not any(one.box.overlaps(hand) for one in layer.placed.values())
    assert sum(one.box != before[key] for key, one in layer.placed.items()) > 3
    setattr(layer, reason, False)
    layer.show(shown, on_screen, PANE, None)
    for key, one in layer.placed.items():
        assert one.box == pytest.approx(before[key]), key


@pytest.mark.slow
def test_a_pane_that_has_just_been_opened_lays_its_badges_out_anew(driver: Driver) -> None:
    """Before it has its size it is tiny: what found no room there has room now."""
    fresh, opened = ChipLayer(), ChipLayer()
    shown = snapshot()
    fresh.show(shown, on_screen, PANE, None)

    def tiny(point: Point) -> tuple[float, float]:
        return point[0] * 100 / 48, point[1] * 100 / 48

    opened.show(shown, tiny, (0.0, 0.0, 100.0, 100.0), None)
    opened.show(shown, on_screen, PANE, None)
    boxes = [{key: one.box for key, one in layer.placed.items()} for layer in (fresh, opened)]
    assert boxes[0] == boxes[1]


@pytest.mark.rule("BOW-FIR-1")
def test_badges_leave_flames_free(driver: Driver) -> None:
    """Twelve units among burning hexes: no badge lies over a flame, and most stay where they
    were when a fire begins."""
    cells = [(column, row) for row in (2, 5) for column in range(1, 12, 2)]
    board = Board("hex", 13, 8, 3.5, (0.0, 4.0))
    pieces = tuple(BoardPiece(f"u{n}", "stark", "Guard", "", at) for n, at in enumerate(cells))
    views = tuple(PieceView(one.id, f"War Host {n}", "", "blue") for n, one in enumerate(pieces))
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), pieces=views)
    layer, table = ChipLayer(), BoardTable("westeros", board, pieces)
    shown = Snapshot(path="a", state={"game": "westeros"}, table=table, view=view)
    layer.show(shown, on_screen, PANE, None)
    assert len(layer.placed) == len(pieces)
    before = {key: one.box for key, one in layer.placed.items()}
    under = [
        cell
        for cell in HexGrid(13, 8).cells()
        if any(box.overlaps(flame_box(board, cell)) for box in before.values())
    ]
    for count in (1, 6):
        ground = dict.fromkeys(under[:count], ("fire-2",))
        burning = replace(table, board=replace(board, ground=ground))
        layer.show(replace(shown, table=burning), on_screen, PANE, None)
        assert len(layer.placed) == len(pieces)
        lit = [flame_box(board, cell) for cell in ground]
        for one in layer.placed.values():
            assert not any(one.box.overlaps(box) for box in lit), one.badge.name
        moved = [key for key, one in layer.placed.items() if one.box != before[key]]
        assert 1 <= len(moved) < len(pieces)


def flame_box(board: Board, cell: Cell) -> BoundingBox:
    """Where two flames of a hex are drawn in the pane."""
    points = [on_screen(point) for one in flames(board, cell, 2) for point in one.outline]
    return bounds_of([(x - PANE[0], PANE[3] - (y - PANE[1])) for x, y in points])


def test_badges_leave_the_discs_of_sites_and_objectives_free(driver: Driver) -> None:
    """Whose site it is was hidden under the label of the unit below it."""
    cells = [(column, row) for row in (2, 5) for column in range(1, 12, 2)]
    board = Board("hex", 13, 8, 3.5, (0.0, 4.0))
    pieces = tuple(BoardPiece(f"u{n}", "stark", "Guard", "", at) for n, at in enumerate(cells))
    views = tuple(PieceView(one.id, f"War Host {n}", "", "blue") for n, one in enumerate(pieces))
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), pieces=views)
    layer, table = ChipLayer(), BoardTable("westeros", board, pieces)
    shown = Snapshot(path="a", state={"game": "westeros"}, table=table, view=view)
    layer.show(shown, on_screen, PANE, None)
    under = [
        cell
        for cell in set(HexGrid(13, 8).cells()) - set(cells)
        if any(one.box.overlaps(disc_box(board, cell)) for one in layer.placed.values())
    ]
    words = [("held-1",), ("objective",), ("held-2",)]
    goals = {cell: words[number % 3] for number, cell in enumerate(sorted(under)[::2])}
    assert len(goals) > len(pieces) / 3
    layer = ChipLayer()
    marked = replace(table, board=replace(board, marks=goals))
    layer.show(replace(shown, table=marked), on_screen, PANE, None)
    assert len(layer.placed) == len(pieces)
    for one, cell in product(layer.placed.values(), goals):
        assert not one.box.overlaps(disc_box(board, cell)), one.badge.name


def disc_box(board: Board, cell: Cell) -> BoundingBox:
    """Where the disc of a mark is drawn in the pane."""
    x, y = on_screen(board.middle(cell))
    wide = 2 * MARK_RADIUS * board.cell_in * PANE[3] / 48.0
    return BoundingBox.around((x - PANE[0], PANE[3] - (y - PANE[1])), wide, wide)


@pytest.mark.parametrize("far", [(1.5, 0.5), (1.5, 1.5), (3.5, 2.5)])
def test_an_arrow_at_a_large_figure_ends_at_its_rim(far: Point) -> None:
    """It ended short of one that stands across a corner."""
    cell, small, large = 40.0, 0.38 * 40.0, 0.76 * 40.0
    target = (far[0] * cell, far[1] * cell)
    start, end = between(disc((0.0, 0.0), small), disc(target, large))
    assert math.dist(start, (0.0, 0.0)) == pytest.approx(small, abs=1.0)
    assert math.dist(end, target) == pytest.approx(large, abs=1.0)


def test_an_arrow_between_trays_that_touch_lies_where_they_do() -> None:
    start, end = between(square((0.0, 0.0), 10.0), square((20.0, 0.0), 10.0))
    assert start[0] < 10.0 < end[0]
    assert (start[1], end[1]) == (0.0, 0.0)


def square(middle: Point, half: float) -> tuple[Point, ...]:
    """The outline of a square tray."""
    x, y = middle
    return tuple((x + half * dx, y + half * dy) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
