"""Movement trays from above: the plate, its rim, its arrow, the tabs that carry tags, and
printed tags with every edge where the lens puts it.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import TaggedTray, TrayTag, dictionary_of
from calibration.tags.tag import tray_corners
from companion.practice.layer import Layer, SampleGrid, Window, texture_maps
from companion.practice.sensor import light_of
from models.pose import Pose
from models.unit import Tray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

PER_INCH = 20
RISE_IN = 0.12
"""The height of a tray's plate, unless its tags are lower."""

PLASTIC: Colour = (44, 46, 50)
RIM: Colour = (66, 68, 74)
SLOT: Colour = (30, 31, 34)

COLOURS: dict[str, Colour] = {
    "blue": (168, 96, 40),
    "red": (36, 36, 160),
    "green": (52, 120, 44),
    "gold": (44, 150, 190),
    "purple": (128, 48, 104),
    "grey": (128, 128, 132),
}
"""The colours of sides; a side of another name gets one of them."""


def side_colour(side: str) -> Colour:
    if side in COLOURS:
        return COLOURS[side]
    return tuple(COLOURS.values())[sum(side.encode()) % len(COLOURS)]


def plate_height(tags: tuple[TrayTag, ...]) -> float:
    """The height of the plate: never above a tag that is on it."""
    return min([RISE_IN, *(tag.up for tag in tags)])


def model_positions(tray: Tray) -> Floats:
    """The positions of the models on a full tray (n x 2: forward, left), front rank first."""
    per_rank = max(1, tray.models // max(1, tray.ranks))
    rank_step, file_step = tray.depth / max(1, tray.ranks), tray.width / per_rank
    return np.array(
        [
            (
                tray.depth / 2 - rank_step * (rank + 0.5),
                tray.width / 2 - file_step * (file + 0.5),
            )
            for rank in range(max(1, tray.ranks))
            for file in range(per_rank)
        ]
    )


def reach(tagged: TaggedTray) -> tuple[float, float]:
    """How far the plate with its tabs extends forward and left of its centre."""
    forward, left = tagged.tray.depth / 2, tagged.tray.width / 2
    for tag in tagged.tags:
        far = np.abs(tray_corners(tag)[:, :2]).max(axis=0) + tag.size_in * 0.3
        forward, left = max(forward, float(far[0])), max(left, float(far[1]))
    return forward + 0.15, left + 0.15


@lru_cache(maxsize=128)
def texture(tagged: TaggedTray, side: str) -> tuple[Picture, Floats]:
    """The plate's texture (levels and cover) and the map from (forward, left) to its pixels."""
    ahead, across = reach(tagged)
    width, height = round(2 * across * PER_INCH), round(2 * ahead * PER_INCH)
    picture = np.zeros((height, width, 4), dtype=np.uint8)
    picture[..., :3] = PLASTIC
    # Up in the texture is forward, right in it is the tray's right.
    to_texture = np.array(
        [[0.0, -PER_INCH, width / 2 - 0.5], [-PER_INCH, 0.0, height / 2 - 0.5]], dtype=np.float64
    )

    def at(points: Floats) -> NDArray[np.int32]:
        placed = points @ to_texture[:, :2].T + to_texture[:, 2]
        return np.rint(placed * 16).astype(np.int32)

    def fill(points: Floats, colour: Colour) -> None:
        cv2.fillPoly(picture, [at(points)], (*colour, 255), cv2.LINE_AA, 4)

    tray = tagged.tray
    for tag in tagged.tags:
        if tag.up < 0.3:
            corners = tray_corners(tag)[:, :2]
            centre = corners.mean(axis=0)
            fill(centre + (corners - centre) * 1.5, PLASTIC)
    box = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * (tray.depth / 2, tray.width / 2)
    fill(box, RIM)
    fill(box * ((tray.depth - 0.24) / tray.depth, (tray.width - 0.24) / tray.width), PLASTIC)
    stripe = np.array([[1, 1], [1, -1], [0, -1], [0, 1]], dtype=np.float64)
    stripe = stripe * (0.12, tray.width / 2) + (tray.depth / 2 - 0.12, 0)
    fill(stripe, side_colour(side))
    arrow = np.array([[0.0, 0.0], [-0.3, 0.28], [-0.3, -0.28]])
    arrow[:, 0] += tray.depth / 2
    fill(arrow, (210, 214, 218))
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * base_radius(tray)
    for place in model_positions(tray):
        fill(place + ring * 1.08, SLOT)
    return picture, to_texture


def base_radius(tray: Tray) -> float:
    """The radius of one model's round base: as large as fits side by side."""
    per_rank = max(1, tray.models // max(1, tray.ranks))
    if tray.round:
        return tray.width / 2
    room = min(tray.depth / max(1, tray.ranks), tray.width / per_rank)
    return min(0.44 * room, 0.95)


def plate_layer(
    tagged: TaggedTray, side: str, pose: Pose, lens: Lens, view: Viewpoint
) -> Layer | None:
    """The layer of a plate at this pose, or None if it is outside the picture."""
    picture, to_texture = texture(tagged, side)
    height = plate_height(tagged.tags)
    ahead, across = reach(tagged)
    rim = np.array(
        [
            (*pose.ahead(ahead * a, across * b), height)
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (0, 1), (-1, 0), (0, -1))
        ]
    )
    if (view.in_camera(rim)[:, 2] <= 0.1).any():
        return None
    window = Window.around(view.project(rim, lens), lens.size)
    if window is None:
        return None
    # Table inches to the tray's (forward, left), then to the texture.
    turn = np.radians(pose.heading)
    to_tray = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    shift = -to_tray @ (pose.x, pose.y)
    linear = to_texture[:, :2] @ to_tray
    offset = to_texture[:, :2] @ shift + to_texture[:, 2]
    grid = SampleGrid(window, 2, 4)
    u, v = texture_maps(grid, lens, view, height, np.column_stack([linear, offset]))
    fine = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    pixels = grid.gather(np.asarray(fine, dtype=np.uint8))
    cover = pixels[..., 3:].astype(np.float32) * np.float32(1 / 255)
    return Layer(window, light_of(np.ascontiguousarray(pixels[..., :3])) * cover, cover)


Texture = NDArray[np.uint8]

INK = 0.04
"""Reflectance of printed black."""
PAPER = 0.86
"""Reflectance of white paper."""

TO_SHARE = np.float32(1 / 255)

FINE = 4
"""Sub-pixels per pixel each way."""


@lru_cache(maxsize=512)
def tag_texture(dictionary: str, tag_id: int, texels: int, margin: int) -> Texture:
    """White share and cover of a printed tag, with `texels` per module and a clear border."""
    codes = dictionary_of(dictionary)
    modules = codes.markerSize + 2
    code = cv2.aruco.generateImageMarker(codes, tag_id, modules, borderBits=1)
    white = np.kron(code, np.ones((texels, texels), dtype=np.uint8))
    white = np.pad(white, margin + texels, constant_values=255)
    cover = np.full_like(white, 255)
    cover[:texels] = cover[-texels:] = 0
    cover[:, :texels] = cover[:, -texels:] = 0
    return np.stack([white, cover], axis=-1)


def tag_layer(
    dictionary: str,
    tag_id: int,
    corners: Floats,
    lens: Lens,
    view: Viewpoint,
    margin_modules: float = 1.0,
) -> Layer | None:
    """The layer of a tag with these corners in space (4 x 3, level); None if out of the picture."""
    modules = dictionary_of(dictionary).markerSize + 2
    centre = corners.mean(axis=0)
    paper = centre + (corners - centre) * (1 + 2 * margin_modules / modules)
    if (view.in_camera(paper)[:, 2] <= 0.1).any():
        return None
    corners_px = view.project(corners, lens)
    window = Window.around(view.project(paper, lens), lens.size)
    if window is None:
        return None
    sides = np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1)
    # A texel no smaller than a sub-pixel: the ramp between black and white that linear
    # interpolation leaves is then sampled often enough to put the edge in its exact place.
    texels = 2 ** int(np.clip(np.floor(np.log2(max(sides.min() / modules * FINE, 1e-3))), 1, 6))
    margin = round(margin_modules * texels)
    sheet = tag_texture(dictionary, tag_id, texels, margin)
    edge = float(np.linalg.norm(corners[1] - corners[0]))
    right = (corners[1] - corners[0])[:2] / edge
    down = (corners[3] - corners[0])[:2] / edge
    scale = modules * texels / edge
    start = margin + texels - 0.5
    to_texture = np.array(
        [
            [*(right * scale), start - scale * float(right @ corners[0, :2])],
            [*(down * scale), start - scale * float(down @ corners[0, :2])],
        ]
    )
    grid = SampleGrid(window, FINE, 2)
    u, v = texture_maps(grid, lens, view, float(corners[0, 2]), to_texture)
    fine = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    shares = grid.gather(np.asarray(fine, dtype=np.uint8)).astype(np.float32) * TO_SHARE
    cover = shares[..., 1:2]
    white = shares[..., 0:1]
    colour = (INK * cover + (PAPER - INK) * np.minimum(white, cover)) * np.ones(3, dtype=np.float32)
    return Layer(window, np.asarray(colour, dtype=np.float32), cover)
