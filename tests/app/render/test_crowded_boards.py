"""Badges on the boards of random games, step by step: whose each is, its name, that it rests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest
from shapely import LineString, Polygon, box

from companion.app.render.chip_layer import ChipLayer
from companion.app.scripted.driver import Driver
from companion.engine.snapshot import Snapshot
from companion.overlay.badge import PlacedBadge, bounds_of
from companion.overlay.footprints import fitted, map_scale, shown_area
from companion.overlay.shapes import Point
from companion.session.game_lookup import find_play, find_screen
from companion.session.game_view import GameView
from models.board_table import BoardTable
from tests.games.random_states import states
from tests.trials import trials

PANES = [(596.0, 412.0), (788.0, 508.0), (794.0, 612.0)]
"""The map at 1024 × 600, at 800 × 1280 and at 1280 × 800."""
STEPS = 20
NEAR = 14.0
"""So near to a badge, in pixels, a piece that moves may move it."""
FAR, RESTLESS = {"westeros": 0.45, "tactics": 0.01}, {"westeros": 0.03, "tactics": 0.0}
"""The share of the badges that may lie farther away than half their disc is wide, or move though
nothing beside them did."""
Placed = Mapping[str, PlacedBadge]


def pictures(kind: str, seed: int, pane: Point) -> Iterator[dict[str, PlacedBadge]]:
    """The badges after every step of a random game."""
    layer, screen, play = ChipLayer(), find_screen(kind), find_play(kind)
    for number, state in enumerate(states(kind, seed, STEPS)):
        table = play.moment(state).table
        if not isinstance(table, BoardTable):
            continue
        table = fitted(table, pane)
        scale, area = map_scale(table, pane), shown_area(table)
        seats, pieces = tuple(screen.seats(state)), tuple(screen.pieces(state))
        view = GameView(seats, tuple(screen.active(state)), pieces=pieces)

        def on_screen(
            point: Point, scale: float = scale, middle: Point = (area.x, area.y)
        ) -> tuple[float, float]:
            across, up = point[0] - middle[0], point[1] - middle[1]
            return pane[0] / 2 + across * scale, pane[1] / 2 + up * scale

        shown = Snapshot(path=kind, state={"game": kind}, table=table, view=view)
        layer.show(shown, on_screen, (0.0, 0.0, *pane), number)
        yield dict(layer.placed)


def faults(placed: Placed) -> Iterator[str]:
    """What is wrong with one picture."""
    discs = {key: Polygon(one.badge.outline) for key, one in placed.items()}
    plates = {key: box(*one.box) for key, one in placed.items()}
    for key, one in placed.items():
        disc = bounds_of(one.badge.outline)
        own = plates[key].distance(discs[key])
        others = [other for other in placed if other != key]
        nearest = min((plates[key].distance(discs[other]) for other in others), default=math.inf)
        yield from ["far"] * (own > (disc.right - disc.left) / 2)
        yield from ["whose?"] * (one.line is None and nearest < own + 1)
        yield from ["nearer to another"] * (nearest < own - 1.5)
        if one.line is not None:
            line = LineString(one.line)
            yield from ["crossed"] * any(plates[other].intersects(line) for other in others)
            yield from ["over a disc"] * any(discs[other].intersects(line) for other in others)


def restless(before: Placed, placed: Placed) -> Iterator[str]:
    """The badges that moved although nothing moved beside them."""
    stand = {key: bounds_of(one.badge.outline) for key, one in placed.items()}
    stood = {key: bounds_of(one.badge.outline) for key, one in before.items()}
    moved = {
        key
        for key in stand.keys() ^ stood.keys() | stand.keys() & stood.keys()
        if key not in stand or key not in stood or math.dist(stand[key][:2], stood[key][:2]) > 3
    }
    spots = [where[key] for key in moved for where in (stand, stood) if key in where]
    for key in (placed.keys() & before.keys()) - moved:
        now, last = placed[key].box, before[key].box
        gone = math.dist(now.centre, last.centre) > 8
        if gone and min((b.gap(spot) for b in (now, last) for spot in spots), default=99) > NEAR:
            yield key


@pytest.mark.parametrize("pane", PANES, ids=str)
@pytest.mark.parametrize("kind", ["westeros", "tactics"])
def test_badges_of_a_random_battle_belong_to_their_figures_and_rest(
    driver: Driver, kind: str, pane: Point
) -> None:
    """Half the names hung two rows away, their lines ran under others, and they were cut anew at
    every step. In a melee of Westeros two sides of nine stand on thirty hexes."""
    for seed in range(trials(1, 8)):
        found: Counter[str] = Counter()
        names: dict[str, str] = {}
        before: Placed = {}
        for placed in pictures(kind, seed, pane):
            found["badges"] += len(placed)
            found.update(faults(placed))
            found["moved"] += len([*restless(before, placed)])
            for key, one in placed.items():
                assert names.setdefault(key, one.badge.name) == one.badge.name
            sides = {(one.badge.place, one.badge.name) for one in placed.values()}
            assert len(sides) == len(placed)
            before = placed
        assert found["badges"] > 100
        assert not found["whose?"]
        assert not found["crossed"]
        assert found["far"] <= FAR[kind] * found["badges"]
        assert found["moved"] <= RESTLESS[kind] * found["badges"]
