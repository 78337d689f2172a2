"""A standard practice table: references around the edge, trays at random places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import (
    DEFAULT_DICTIONARY,
    MM_PER_IN,
    ReferenceTag,
    Setup,
    TaggedTray,
    TrayTag,
    known_trays,
)
from calibration.tags.mounts import apart, behind
from models.catalogue import Catalogue
from models.pose import Pose
from models.table import Table, TableToken
from models.terrain import Terrain
from models.unit import Tray, Unit

TRAY_IDS = tuple(number for number in range(10, 50) if number not in (17, 37))
"""Tag ids of trays; 17 and 37 are left out because pictures without tags often imitate them."""

CAMERA_UP_IN = 90 / 2.54
CAMERA_BACK_IN = 35 / 2.54
LENS_WIDE_DEG = 70.0
DISTORTION = (-0.09, 0.03, 0.0004, -0.0003, 0.0)
"""The distortion of a typical tablet's lens: slight barrel distortion."""


@dataclass(frozen=True, slots=True)
class PracticeTable:
    """A table, its camera set-up, and the camera's viewpoint."""

    table: Table
    setup: Setup
    view: Viewpoint


def standard_view(table_width: float = 48.0, tilt_deg: float = 49.2) -> Viewpoint:
    """90 cm above the table, 35 cm outside the middle of player 1's edge, looking down on it."""
    position = (table_width / 2, -CAMERA_BACK_IN, CAMERA_UP_IN)
    ahead = CAMERA_UP_IN / np.tan(np.radians(tilt_deg))
    return Viewpoint.looking(position, (table_width / 2, float(ahead) - CAMERA_BACK_IN, 0.0))


def standard_lens(size: tuple[int, int] = (1920, 1080)) -> Lens:
    """A 70 degree lens with a little distortion."""
    return Lens.ideal(size, LENS_WIDE_DEG, DISTORTION)


def references(
    width: float = 48.0, depth: float = 48.0, size_mm: float = 40.0, inset: float = 1.4
) -> tuple[ReferenceTag, ...]:
    """Eight reference tags: the corners and the middles of the edges, all upright."""
    places = (
        (inset, inset),
        (width / 2, inset),
        (width - inset, inset),
        (width - inset, depth / 2),
        (width - inset, depth - inset),
        (width / 2, depth - inset),
        (inset, depth - inset),
        (inset, depth / 2),
    )
    return tuple(ReferenceTag(number, x, y, 90.0, size_mm) for number, (x, y) in enumerate(places))


def tags_of(tray: Tray, ids: tuple[int, ...], size_mm: float, up: float) -> tuple[TrayTag, ...]:
    """One tag on a rear tab, or several in a row 90 mm wide; raised ones over the rear edge.

    On trays too narrow for 90 mm the row is as wide as the tray.
    """
    forward = -behind(tray, size_mm) if up <= 0.3 else -tray.depth / 2 + 0.3
    if len(ids) == 1:
        return (TrayTag(ids[0], size_mm, forward=forward, up=up),)
    wide = max(apart(tray, size_mm), 1.6 * size_mm / MM_PER_IN * (len(ids) - 1))
    return tuple(
        TrayTag(number, size_mm, forward=forward, left=float(side) * wide, up=up)
        for number, side in zip(ids, np.linspace(0.5, -0.5, len(ids)), strict=True)
    )


def standard_scene(
    seed: int = 0,
    trays: int = 24,
    tags: int = 1,
    tag_mm: float = 25.0,
    up: float = 0.0,
    size: tuple[int, int] = (1920, 1080),
    terrain: bool = True,
) -> PracticeTable:
    """A random table that the seed determines: up to 25 trays (19 with two tags), any heading."""
    if not 0 <= trays <= 25 or trays * tags > len(TRAY_IDS):
        raise ValueError(f"{trays} trays with {tags} tags each do not fit")
    rng = np.random.default_rng([seed, 3])
    kinds = known_trays()
    names = rng.choice(["infantry", "cavalry", "solo", "warmachine"], 25, p=[0.55, 0.2, 0.15, 0.1])
    cells = rng.permutation(25)[:trays]
    units, tagged = [], []
    for number, cell in enumerate(cells):
        tray = kinds[str(names[number])]
        column, row = cell % 5, cell // 5
        spare = 0.55 if tray.width > 3 else 1.6
        x = 2.6 + 8.56 * (column + 0.5) + float(rng.uniform(-spare, spare))
        y = 2.6 + 8.56 * (row + 0.5) + float(rng.uniform(-spare, spare))
        side = "blue" if row < 2 or (row == 2 and column < 2) else "red"
        name = f"{side[0]}{number + 1}"
        pose = Pose(x, y, float(rng.uniform(0, 360)))
        units.append(Unit(name, side, name, tray, pose, models=tray.models))
        ids = TRAY_IDS[number * tags : (number + 1) * tags]
        tagged.append(TaggedTray(name, tray, tags_of(tray, ids, tag_mm, up)))
    pieces = scattered_terrain(rng, units) if terrain else ()
    tokens = scattered_tokens(rng, units, pieces) if terrain else ()
    table = Table(Catalogue.games()[-1], units=tuple(units), terrain=pieces, tokens=tokens)
    setup = Setup(standard_lens(size), 48.0, 48.0, DEFAULT_DICTIONARY, references(), tuple(tagged))
    return PracticeTable(table, setup, standard_view())


def free_spots(
    rng: np.random.Generator,
    units: list[Unit],
    pieces: tuple[Terrain, ...],
    room: float,
    count: int,
) -> list[tuple[float, float]]:
    """Random places clear of every tray, of terrain, of the table's edge and of each other."""
    spots: list[tuple[float, float]] = []
    standing = [(unit.pose.x, unit.pose.y, 3.9) for unit in units]
    standing += [(*np.mean(piece.outline, axis=0).tolist(), 1.3) for piece in pieces]
    for _ in range(400):
        x, y = (float(value) for value in rng.uniform(5, 43, 2))
        taken = [*standing, *((a, b, room) for a, b in spots)]
        if all(np.hypot(x - a, y - b) > other + room for a, b, other in taken):
            spots.append((x, y))
        if len(spots) == count:
            break
    return spots


def scattered_tokens(
    rng: np.random.Generator, units: list[Unit], pieces: tuple[Terrain, ...]
) -> tuple[TableToken, ...]:
    """Up to five tokens where there is space."""
    return tuple(
        TableToken(f"o{number + 1}", x, y)
        for number, (x, y) in enumerate(free_spots(rng, units, pieces, 0.9, 5))
    )


def scattered_terrain(rng: np.random.Generator, units: list[Unit]) -> tuple[Terrain, ...]:
    """Up to four low pieces where there is space."""
    pieces = []
    for number, (x, y) in enumerate(free_spots(rng, units, (), 1.3, 4)):
        turn = float(rng.uniform(0, np.pi))
        across = np.array([np.cos(turn), np.sin(turn)])
        along = np.array([-across[1], across[0]])
        kind = ("bog", "low-wall", "stakes", "hedge")[number]
        long, wide = (1.2, 0.3) if kind in ("low-wall", "hedge") else (1.0, 0.8)
        corners = [
            (x, y) + across * a * long + along * b * wide
            for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
        outline = tuple((float(p[0]), float(p[1])) for p in corners)
        pieces.append(Terrain(f"t{number + 1}", outline, frozenset(), kind))
    return tuple(pieces)


def tagged_table(
    table: Table,
    lens: Lens | None = None,
    tag_mm: float = 25.0,
    tags: int = 1,
    up: float = 0.0,
) -> Setup:
    """A set-up for any table: every unit's tray with tags on its rear tab, in order."""
    if len(table.units) * tags > len(TRAY_IDS):
        wanted = f"{len(table.units)} units with {tags} tags each"
        raise ValueError(f"{wanted}, but only {len(TRAY_IDS)} tags")
    ids = (TRAY_IDS[at : at + tags] for at in range(0, len(TRAY_IDS), tags))
    trays = tuple(
        TaggedTray(unit.id, unit.tray, tags_of(unit.tray, own, tag_mm, up))
        for unit, own in zip(table.units, ids, strict=False)
    )
    setup = Setup(lens or standard_lens(), table.width, table.depth, DEFAULT_DICTIONARY)
    return replace(setup, references=references(table.width, table.depth), trays=trays)
