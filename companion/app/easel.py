"""The drawings of a table: what each unit's answers look like, kept until something changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.table_pose import TablePose
from companion import games
from companion.app.ink import map_ink, picture_ink
from companion.app.sheaf import Sheaf, Triangulate, sheaf
from companion.overlay.placing import PointPx
from companion.overlay.shape import Point, Scene
from models import Table

SHIFTED_PX = 0.7
"""The overlay is drawn anew when it would lie farther off than this."""


@dataclass(frozen=True, slots=True)
class Screen:
    """How large things are shown: the map's pixels per inch, the picture's size, the lettering.

    `shows` says which of the two are on the screen: the other is not drawn.
    """

    map_scale: float = 12.0
    picture_px: tuple[float, float] = (960.0, 540.0)
    unit_px: float = 1.0
    shows: tuple[str, ...] = ("map", "picture")


Draw = Callable[[Table, str | None, Any, bool], Scene]
"""A table and what is chosen on it as shapes, with the players' readings; whole, or a sketch."""


def answers_of(table: Table, unit: str | None, readings: Any, whole: bool) -> Scene:
    """The table with what a unit may do."""
    return games.find(table.game).scene(table, unit, readings, whole)


def board_of(table: Table, only: str | None, readings: Any, whole: bool) -> Scene:
    """The table without answers; `only` "ground" leaves the trays out."""
    scene = games.find(table.game).board(table)
    if only != "ground":
        return scene
    bare = tuple(one for one in scene.shapes if not any(name in table for name in one.about))
    return replace(scene, shapes=bare)


class Easel:
    """Holds one table at a time; each drawing is made once for its screen and camera."""

    def __init__(self, triangulate: Triangulate, draw: Draw = answers_of) -> None:
        self.screen = Screen()
        self._draw = draw
        self._triangulate = triangulate
        self._table: Table | None = None
        self._readings: Any = None
        self._camera: TablePose | None = None
        self._scenes: dict[str | None, Scene] = {}
        self._maps: dict[str | None, Sheaf] = {}
        self._pictures: dict[str | None, Sheaf] = {}

    def put_up(self, table: Table | None, readings: Any) -> None:
        """Draw this table from now on."""
        if table is not self._table and table != self._table:
            self.forget()
        self._table, self._readings = table, readings

    def forget(self) -> None:
        """Nothing drawn holds any more."""
        self._scenes, self._maps, self._pictures = {}, {}, {}

    def resize(self, screen: Screen) -> None:
        """The same shapes, drawn for another screen."""
        if replace(self.screen, shows=screen.shows) != screen:
            self._maps, self._pictures = {}, {}
        self.screen = screen

    def shifted(self, camera: TablePose | None) -> bool:
        """Whether the pictures would lie elsewhere under this camera."""
        return shifted(self._camera, camera, self._table)

    def knows(self, unit: str | None) -> bool:
        """Whether a unit's answers are there as shapes: drawn no later than a sketch would be."""
        return unit in self._scenes

    def scene(self, unit: str | None) -> Scene:
        """The answers of a unit as shapes, kept until the table changes."""
        assert self._table is not None
        if unit not in self._scenes:
            self._scenes[unit] = self._draw(self._table, unit, self._readings, True)
        return self._scenes[unit]

    def map(self, unit: str | None) -> Sheaf:
        """Those shapes from above, kept until the screen changes."""
        if unit not in self._maps:
            self._maps[unit] = self._from_above(self.scene(unit))
        return self._maps[unit]

    def picture(self, unit: str | None, camera: TablePose | None) -> Sheaf | None:
        """Those shapes on the live picture, kept until the camera moves."""
        if camera is None:
            return None
        if self.shifted(camera):
            self._camera, self._pictures = camera, {}
        if unit not in self._pictures:
            assert self._camera is not None
            self._pictures[unit] = self._through(self._camera, self.scene(unit))
        return self._pictures[unit]

    def sketch(
        self, unit: str | None, camera: TablePose | None
    ) -> tuple[Sheaf | None, Sheaf | None]:
        """What can be drawn at once of a unit's answers, where the screen shows it; not kept."""
        assert self._table is not None
        shows = self.screen.shows
        scene = self._draw(self._table, unit, self._readings, False)
        return (
            self._from_above(scene) if "map" in shows else None,
            self._through(camera, scene) if "picture" in shows and camera is not None else None,
        )

    def _from_above(self, scene: Scene) -> Sheaf:
        screen = self.screen
        size = (scene.width_in * screen.map_scale, scene.depth_in * screen.map_scale)
        marks = map_ink(scene, screen.map_scale, screen.unit_px)
        return sheaf(marks, size, self._triangulate)

    def _through(self, camera: TablePose, scene: Scene) -> Sheaf:
        screen = self.screen
        to_pixels = projector(camera, screen.picture_px)
        marks = picture_ink(scene, screen.picture_px, to_pixels, screen.unit_px)
        return sheaf(marks, screen.picture_px, self._triangulate)

    def foreseen(self, unit: str | None) -> tuple[Sheaf | None, Sheaf | None]:
        """The map and the picture as far as they are drawn already; asked from any thread."""
        return self._maps.get(unit), self._pictures.get(unit)

    def drawn(
        self, unit: str | None, camera: TablePose | None
    ) -> tuple[Sheaf | None, Sheaf | None]:
        """The map and the picture, where the screen shows them."""
        shows = self.screen.shows
        return (
            self.map(unit) if "map" in shows else None,
            self.picture(unit, camera) if "picture" in shows else None,
        )


def projector(
    camera: TablePose, shown_px: tuple[float, float]
) -> Callable[[Sequence[Point]], list[PointPx]]:
    """From inches of the table to the pixels of the picture as large as it is shown."""
    width, height = camera.lens.size
    scale = np.array([shown_px[0] / width, shown_px[1] / height])

    def to_pixels(points: Sequence[Point]) -> list[PointPx]:
        level = np.column_stack([np.asarray(points, dtype=float), np.zeros(len(points))])
        pixels = (camera.pixels(level) + 0.5) * scale
        return [(x, y) for x, y in pixels.tolist()]

    return to_pixels


def shifted(before: TablePose | None, now: TablePose | None, table: Table | None) -> bool:
    """Whether the overlay of one camera would lie elsewhere under the other."""
    if now is None or table is None or before is now:
        return False
    if before is None:
        return True
    rim = np.array(
        [(x, y, 0.0) for x in (0.0, table.width / 2, table.width) for y in (0.0, table.depth)]
    )
    return bool(np.abs(before.pixels(rim) - now.pixels(rim)).max() > SHIFTED_PX)
