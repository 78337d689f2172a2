"""The scenes of the practice camera during calibration: rendered photos of a moving lens board,
and a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import OWN_BOARD, charuco
from calibration.camera.lens import Lens
from calibration.camera.lens_calibration import ZONES
from calibration.camera.viewpoint import Viewpoint
from calibration.references.rim_layout import rim_references
from calibration.setup import Setup, TaggedTray, known_trays
from calibration.tags.mounts import mount
from companion.practice.layer import SampleGrid, Window, texture_maps
from companion.practice.plate import INK, PAPER
from companion.practice.random_table import standard_lens
from companion.practice.sensor import STANDARD, PictureStyle, expose
from models.catalogue import Catalogue
from models.pose import Pose
from models.table import Table
from models.unit import Unit

Picture = NDArray[np.uint8]

TEXELS = 96
"""Texture resolution, per square of the board."""
MARGIN_MM = 12.0
DESK = 0.18
"""Reflectance of the surface below the board."""


def board_photo(
    lens: Lens, view: Viewpoint, look: PictureStyle = STANDARD, number: int = 0
) -> Picture:
    """Render the board at the origin (inches become millimetres here)."""
    scale = TEXELS / OWN_BOARD.square_mm
    margin = round(MARGIN_MM * scale)
    wide, high = OWN_BOARD.squares[0] * TEXELS, OWN_BOARD.squares[1] * TEXELS
    print_ = charuco(OWN_BOARD).generateImage((wide, high), marginSize=0)
    sheet = cv2.copyMakeBorder(
        print_, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=255
    )
    ink = (INK + (PAPER - INK) * np.asarray(sheet, dtype=np.float32) / 255).astype(np.float32)
    to_texture = np.array([[scale, 0.0, margin - 0.5], [0.0, scale, margin - 0.5]])
    light = np.empty((lens.size[1], lens.size[0]), dtype=np.float32)
    for top in range(0, lens.size[1], 90):
        window = Window(0, top, lens.size[0], min(90, lens.size[1] - top))
        grid = SampleGrid(window, 3, 4)
        u, v = texture_maps(grid, lens, view, 0.0, to_texture)
        fine = cv2.remap(ink, u, v, cv2.INTER_LINEAR, borderValue=DESK)
        light[window.rows] = cv2.resize(
            fine, (window.width, window.height), interpolation=cv2.INTER_AREA
        )
    shade = np.linspace(1.0, 1.0 - look.uneven, lens.size[0], dtype=np.float32)
    lit = light * (shade * np.float32(look.level))[None, :]
    return expose(np.repeat(lit[..., None], 3, axis=2), look, number)


def board_views(lens: Lens, count: int = 14, seed: int = 0) -> Iterator[Viewpoint]:
    """Camera poses over the board: near and far, tilted all ways, in all parts of the picture."""
    rng = np.random.default_rng([seed, 41])
    middle = np.array([OWN_BOARD.squares[0], OWN_BOARD.squares[1]]) * OWN_BOARD.square_mm / 2
    # The board's y axis points down the sheet, so a camera above it has a negative height.
    for number in range(count):
        tilt = np.radians((12.0, 30.0, 42.0, 35.0)[number % 4])
        around = rng.uniform(0, 2 * np.pi)
        far = lens.matrix[0] / lens.size[0] * float(rng.uniform(430, 700))
        place = np.array(
            [
                middle[0] + far * np.sin(tilt) * np.cos(around),
                middle[1] + far * np.sin(tilt) * np.sin(around),
                -far * np.cos(tilt),
            ]
        )
        aim = middle + rng.uniform(-90, 90, 2)
        yield Viewpoint.looking(
            (float(place[0]), float(place[1]), float(place[2])),
            (float(aim[0]), float(aim[1]), 0.0),
            float(rng.uniform(-180, 180)),
        )


SIZE = (1280, 720)
TAG_MM, REFERENCE_MM = 25.0, 40.0
LOOK = replace(STANDARD, jpeg=0)
BOARD_FAR_MM = 520.0


@dataclass(frozen=True, slots=True)
class Slip:
    """The error with which a hand places a tray."""

    dx: float
    dy: float
    turn: float

    def onto(self, pose: Pose) -> Pose:
        """The pose where it really ends up."""
        return Pose(pose.x + self.dx, pose.y + self.dy, pose.heading + self.turn)


SLIP = Slip(0.012, -0.015, 0.2)
STANDING = (
    ("b1", "infantry", "standard", (10,), Pose(13.0, 12.0, 90.0)),
    ("b2", "cavalry", "standard-pair", (11, 12), Pose(27.0, 11.0, 80.0)),
    ("r1", "infantry", "standard", (13,), Pose(18.0, 27.0, 270.0)),
    ("r2", "solo", "standard", (14,), Pose(34.0, 24.0, 250.0)),
)
"""The trays on the table: how they are tagged, and where they are."""


def workbench_setup(size: tuple[int, int] = SIZE) -> Setup:
    """The true set-up of the practice table: its lens, its references, its trays."""
    kinds = known_trays()
    trays = tuple(
        TaggedTray(unit, kinds[tray], mount(way, kinds[tray], ids, TAG_MM))
        for unit, tray, way, ids, _ in STANDING
    )
    references = rim_references(48.0, 48.0, REFERENCE_MM)
    return Setup(standard_lens(size), references=references, trays=trays)


def workbench_table() -> Table:
    """The true practice table."""
    kinds = known_trays()
    units = tuple(
        Unit(
            unit,
            "blue" if unit[0] == "b" else "red",
            unit,
            kinds[tray],
            pose,
            models=kinds[tray].models,
        )
        for unit, tray, _, _, pose in STANDING
    )
    return Table(Catalogue.games()[-1], units=units)


def board_walk(lens: Lens) -> Iterator[Viewpoint]:
    """Camera poses that show the board in every part of the picture, tilted all ways."""
    middle = np.array([OWN_BOARD.squares[0], OWN_BOARD.squares[1], 0.0]) * OWN_BOARD.square_mm / 2
    far = lens.matrix[0] / lens.size[0] * BOARD_FAR_MM
    rows, columns = ZONES[1], ZONES[0]
    number = 0
    for row in (0, 2, 1):
        for column in range(columns):
            tilt = np.radians((14.0, 32.0, 38.0, 22.0)[number % 4])
            around = 2.4 * number
            place = middle + far * np.array(
                [np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), -np.cos(tilt)]
            )
            x, y, z = (float(value) for value in place)
            aim = (float(middle[0]), float(middle[1]), 0.0)
            view = Viewpoint.looking((x, y, z), aim, 31.0 * number)
            share = np.array([(column + 0.5) / columns, (row + 0.5) / rows])
            # Not quite in the corner, because the large board must stay in the picture.
            pixel = (0.5 + (share - 0.5) * 0.8) * np.array(lens.size)
            yield turned(view, lens.rays(pixel))
            number += 1


def turned(view: Viewpoint, ray: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Viewpoint:
    """The camera rotated in place, so that the centre of its view moves to this ray."""
    goal = np.array([ray[0], ray[1], 1.0])
    goal /= np.linalg.norm(goal)
    ahead = np.array([0.0, 0.0, 1.0])
    axis = np.cross(ahead, goal)
    sin, cos = float(np.linalg.norm(axis)), float(goal[2])
    if sin < 1e-12:
        return view
    x, y, z = axis / sin
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn = np.eye(3) + sin * cross + (1 - cos) * cross @ cross
    return Viewpoint.of(view.centre, turn @ view.rotation)


@lru_cache(maxsize=64)
def board_picture(size: tuple[int, int], number: int) -> Picture:
    """The board at one stop of its path; cached."""
    lens = standard_lens(size)
    views = tuple(board_walk(lens))
    return board_photo(lens, views[number % len(views)], LOOK, number)


STOPS = ZONES[0] * ZONES[1]
"""The number of stops before the board's path repeats."""
