"""The cache of overlays: the vertex batches of each unit's answers, until something changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from calibration.references.table_pose import TablePose
from companion import games
from companion.engine.drawing.display_list import map_marks, picture_marks
from companion.engine.drawing.picture_fit import fit_picture, projected
from companion.engine.drawing.vertex_batches import Triangulate, VertexBatches, build_batches
from companion.overlay.footprints import shown_area, table_size
from companion.overlay.map_theme import DARK, LIGHT
from companion.overlay.shapes import (
    Label,
    Point,
    ShapeCache,
    TableScene,
    in_colours,
    in_words,
    named_only,
    uncluttered,
)
from companion.overlay.view_frame import PointPx
from companion.text.translation import translate
from models.table import AnyTable, Table

SHIFTED_PX = 0.7
"""The overlay is redrawn when the camera's movement would displace it by more than this."""


@dataclass(frozen=True, slots=True)
class ScreenSize:
    """The scale of the map in pixels per inch, the size of the picture, and the scale of text.

    `shows` names which of the two are on the screen; the other is not drawn.
    """

    map_scale: float = 12.0
    picture_px: tuple[float, float] = (960.0, 540.0)
    unit_px: float = 1.0
    shows: tuple[str, ...] = ("map", "picture")
    dark: bool = False
    """Whether the map has dark ground."""
    map_px: tuple[float, float] = (0.0, 0.0)
    """The room for the map; a board is turned to fill it."""


Draw = Callable[[AnyTable, str | None, Any, bool], TableScene]
"""Turns a table, a selected unit and the players' readings into shapes; all, or a quick version."""


def answers_of(table: AnyTable, unit: str | None, readings: Any, whole: bool) -> TableScene:
    """The table and what a unit may do; badges and the panel name everything."""
    game = games.find(table.game)
    if unit is None:
        return uncluttered(in_words(game.board(table), translate))
    return uncluttered(in_words(game.scene(table, unit, readings, whole), translate))


def badged_board_of(table: AnyTable, only: str | None, readings: Any, whole: bool) -> TableScene:
    """The table without answers and names, where badges name the trays and colours the zones."""
    scene = uncluttered(in_words(games.find(table.game).board(table), translate))
    shapes = (
        one
        for one in scene.shapes
        if not (isinstance(one, Label) and one.style.role == "deployment")
    )
    return replace(scene, shapes=tuple(shapes))


def board_of(table: AnyTable, only: str | None, readings: Any, whole: bool) -> TableScene:
    """The table without answers; `only="ground"` leaves the trays out."""
    scene = named_only(in_words(games.find(table.game).board(table), translate))
    if only != "ground":
        return scene
    bare = tuple(one for one in scene.shapes if not any(name in table for name in one.about))
    return replace(scene, shapes=bare)


Answered = tuple[str | None, bool]
"""The unit whose answers are drawn, and whether all of them are."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawings:
    """The cached overlays of one table for one screen and camera."""

    table: AnyTable | None = None
    readings: Any = None
    screen: ScreenSize = ScreenSize()
    camera: TablePose | None = None
    displaced: frozenset[str] = frozenset()
    """Pieces that are not where the table has them: the picture shows nothing about them."""
    moves: frozenset[str] = frozenset()
    """The only moves whose reach is drawn; none: that of all."""
    scenes: dict[Answered, TableScene] = field(default_factory=dict)
    maps: dict[Answered, VertexBatches] = field(default_factory=dict)
    pictures: dict[Answered, VertexBatches] = field(default_factory=dict)
    above: ShapeCache = field(default_factory=ShapeCache)
    seen: ShapeCache = field(default_factory=ShapeCache)


class OverlayCache:
    """Caches the overlays of one table at a time, each drawn once per screen and camera."""

    def __init__(self, triangulate: Triangulate, draw: Draw = answers_of) -> None:
        self._draw = draw
        self._triangulate = triangulate
        self._now = Drawings()
        self.colours: Mapping[str, int] = {}
        """The colour of each side, 1 to 6; without one the map's own."""

    @property
    def screen(self) -> ScreenSize:
        return self._now.screen

    def set_table(self, table: AnyTable | None, readings: Any) -> None:
        """Switch to this table; shapes that did not change stay cached."""
        before = self._now.table
        if table is not before and table != before:
            self.forget()
            full = self._now.above.full or self._now.seen.full
            if full or table is None or before is None or not alike(table, before):
                self._now = replace(self._now, above=ShapeCache(), seen=ShapeCache())
        self._now = replace(self._now, table=table, readings=readings)

    def wear(self, colours: Mapping[str, int]) -> None:
        """Draw the sides in these colours."""
        if colours != self.colours:
            self.colours = colours
            fresh: dict[str, Any] = {"above": ShapeCache(), "seen": ShapeCache()}
            self._now = replace(self._now, scenes={}, maps={}, pictures={}, **fresh)

    def forget(self) -> None:
        """Clear the cached overlays."""
        self._now = replace(self._now, scenes={}, maps={}, pictures={})

    def resize(self, screen: ScreenSize) -> None:
        """Render for another screen; the shapes stay cached."""
        if replace(self.screen, shows=screen.shows) != screen:
            fresh: dict[str, Any] = {"above": ShapeCache(), "seen": ShapeCache()}
            self._now = replace(self._now, maps={}, pictures={}, **fresh)
        self._now = replace(self._now, screen=screen)

    def shifted(self, camera: TablePose | None) -> bool:
        """Whether this camera pose displaces the overlay of the picture noticeably."""
        return shifted(self._now.camera, camera, self._now.table)

    @property
    def displaced(self) -> frozenset[str]:
        return self._now.displaced

    def displace(self, pieces: frozenset[str]) -> None:
        """Leave these pieces out of the picture: they stand elsewhere, or move."""
        if pieces != self._now.displaced:
            self._now = replace(self._now, displaced=pieces, pictures={})

    def let(self, moves: frozenset[str]) -> None:
        """Draw the reach of these moves alone: no others are left to the unit; none: of all."""
        if moves != self._now.moves:
            self._now = replace(self._now, moves=moves, scenes={}, maps={}, pictures={})

    def knows(self, unit: str | None) -> bool:
        """Whether the shapes of a unit's answers are cached, so that no quick version is needed."""
        return (unit, True) in self._now.scenes

    def map(self, unit: str | None, whole: bool = True) -> VertexBatches:
        """The overlay of a unit for the map, cached until the screen changes."""
        now, about = self._now, (unit, whole)
        if about not in now.maps:
            now.maps[about] = self._from_above(now, self._scene(now, about))
        return now.maps[about]

    def picture(
        self, unit: str | None, camera: TablePose | None, whole: bool = True
    ) -> VertexBatches | None:
        """The overlay of a unit for the camera picture, cached until the camera moves."""
        if self.shifted(camera):
            self._now = replace(self._now, camera=camera, pictures={}, seen=ShapeCache())
        if camera is None:
            return None
        now, about = self._now, (unit, whole)
        if about not in now.pictures:
            now.pictures[about] = self._through(now, self._scene(now, about))
        return now.pictures[about]

    def drawn(
        self, unit: str | None, camera: TablePose | None, whole: bool = True
    ) -> tuple[VertexBatches | None, VertexBatches | None]:
        """The overlays for the map and the picture, each where the screen shows it."""
        shows = self.screen.shows
        return (
            self.map(unit, whole) if "map" in shows else None,
            self.picture(unit, camera, whole) if "picture" in shows else None,
        )

    def sketch(
        self, unit: str | None, camera: TablePose | None
    ) -> tuple[VertexBatches | None, VertexBatches | None]:
        """A quick version of both overlays, where the screen shows them; not cached."""
        if self.shifted(camera):
            self._now = replace(self._now, camera=camera, pictures={}, seen=ShapeCache())
        now = self._now
        assert now.table is not None
        shows = self.screen.shows
        scene = in_colours(self._draw(now.table, unit, now.readings, False), self.colours)
        return (
            self._from_above(now, scene) if "map" in shows else None,
            self._through(now, scene) if "picture" in shows and camera is not None else None,
        )

    # -- drawing ----------------------------------------------------------------------------

    def _scene(self, now: Drawings, about: Answered) -> TableScene:
        assert now.table is not None
        if about not in now.scenes:
            unit, whole = about
            scene = of_moves(self._draw(now.table, unit, now.readings, whole), now.moves)
            now.scenes[about] = in_colours(scene, self.colours)
        return now.scenes[about]

    def _from_above(self, now: Drawings, scene: TableScene) -> VertexBatches:
        screen = now.screen
        size = (scene.width_in * screen.map_scale, scene.depth_in * screen.map_scale)
        scale, unit_px = screen.map_scale, screen.unit_px
        theme = DARK if screen.dark else LIGHT
        marks = map_marks(scene, scale, unit_px, theme, book=now.above)
        return build_batches(marks, size, self._triangulate, now.above.figures)

    def _through(self, now: Drawings, scene: TableScene) -> VertexBatches:
        screen = now.screen
        assert now.camera is not None
        assert now.table is not None
        to_pixels = projector(now.camera, screen.picture_px, now.table)
        size, unit_px = screen.picture_px, screen.unit_px
        shown = scene if not now.displaced else without(scene, now.displaced)
        marks = picture_marks(shown, size, to_pixels, unit_px, now.seen)
        return build_batches(marks, size, self._triangulate, now.seen.figures)


def of_moves(scene: TableScene, moves: frozenset[str]) -> TableScene:
    """The scene without the reach of other moves than these; with all of them where none is
    named."""
    if not moves:
        return scene
    shapes = (one for one in scene.shapes if one.style.move in ("", *moves))
    return replace(scene, shapes=tuple(shapes))


def without(scene: TableScene, pieces: frozenset[str]) -> TableScene:
    """The scene without the shapes about these pieces."""
    return replace(scene, shapes=tuple(one for one in scene.shapes if pieces.isdisjoint(one.about)))


def alike(table: AnyTable, other: AnyTable) -> bool:
    """Whether a shape on both tables has the same place and the same colours."""
    here, there = (shown_area(one) for one in (table, other))
    return here == there and shown_sides(table) == shown_sides(other)


def shown_sides(table: AnyTable) -> tuple[str, ...]:
    return table.coloured() if isinstance(table, Table) else table.sides()


def projector(
    camera: TablePose, pane_px: tuple[float, float], table: AnyTable
) -> Callable[[Sequence[Point]], list[PointPx]]:
    """A function that projects table points (inches) to pixels of the pane with the picture."""
    wide, high = camera.lens.size
    fit = fit_picture(camera, (wide, high), shown_area(table), pane_px)
    return partial(projected, camera, fit)


def shifted(before: TablePose | None, now: TablePose | None, table: AnyTable | None) -> bool:
    """Whether the overlay drawn for one camera pose is displaced noticeably under the other."""
    if now is None or table is None or before is now:
        return False
    if before is None:
        return True
    width, depth = table_size(table)
    rim = np.array([(x, y, 0.0) for x in (0.0, width / 2, width) for y in (0.0, depth)])
    return bool(np.abs(before.pixels(rim) - now.pixels(rim)).max() > SHIFTED_PX)
