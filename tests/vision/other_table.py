"""Tables for the second camera, drawn from a seed, with set-up files written by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.vision.other_camera import Plate, Tag, World, pixel_of

MM = 25.4
TRAYS = {"infantry": (5.5, 4.8), "cavalry": (5.5, 5.0), "solo": (2.76, 2.76)}
"""Width and depth."""
REFERENCES = (
    (1.5, 1.5),
    (24.0, 1.5),
    (46.5, 1.5),
    (46.5, 24.0),
    (46.5, 46.5),
    (24.0, 46.5),
    (1.5, 46.5),
    (1.5, 24.0),
)
"""Places of the reference tags; four of them make a table."""
ENOUGH_REFERENCES, REFERENCE_ROOM_IN, WIDER = 5, 1.1, 0.95
"""Whose camera shows fewer, each with its margin, zooms out until it shows as many."""
IDS = [number for number in range(10, 50) if number not in (17, 37)]


@dataclass
class Staged:
    """A world, its set-up file, and where every unit truly stands."""

    world: World
    setup: str
    truth: dict[str, tuple[float, float, float]]


KINDS = (
    "plain",
    "mixed",
    "sharpened",
    "jpeg",
    "bleed",
    "curl",
    "dust",
    "texture",
    "tone",
    "shadow",
    "trimmed",
    "glare",
)
"""Ways in which a picture is disturbed while the set-up is right."""
MISTAKES = ("print", "laid", "high", "glued")
"""Mistakes of a first evening: print scale, references laid by hand, heights, glueing."""


@dataclass
class Mistakes:
    """What is otherwise than the set-up file says."""

    scale: float = 1.0
    laid_in: float = 0.0
    laid_deg: float = 0.0
    high_mm: float = 0.0
    glued_mm: float = 0.0
    glued_deg: float = 0.0

    @classmethod
    def of(cls, kind: str, dice: np.random.Generator) -> Mistakes:
        """The mistakes of a kind of frame."""
        if kind == "print":
            return cls(scale=float(dice.uniform(0.94, 1.03)))
        if kind == "laid":
            return cls(laid_in=0.06, laid_deg=1.0)
        if kind == "high":
            return cls(high_mm=1.0)
        return cls(glued_mm=1.0, glued_deg=1.0) if kind == "glued" else cls()

    def laid(self, dice: np.random.Generator) -> tuple[float, float, float]:
        """Shift in inches and turn in degrees of one reference."""
        x, y, turn = dice.normal(0, 1, 3)
        return float(x) * self.laid_in, float(y) * self.laid_in, float(turn) * self.laid_deg

    def glued(self, dice: np.random.Generator) -> tuple[float, float, float, float]:
        """Shift in inches, turn in degrees and height in inches of one tag on its tray."""
        way, far, turn, high = dice.uniform(0, 1, 4)
        off = self.glued_mm * far / MM
        shift = off * math.cos(2 * math.pi * way), off * math.sin(2 * math.pi * way)
        return *shift, self.glued_deg * (2 * turn - 1), self.high_mm * high / MM


def disturb(world: World, kind: str, dice: np.random.Generator) -> float:
    """Disturb a world in one way; the white margin of its tags in modules."""
    if kind != "mixed":
        world.shake, world.sharpen, world.contrast, world.shadow = (0.0, 0.0), 0.0, 0.0, 1.0
        world.jpeg, world.grain = 92, min(world.grain, 0.012)
    if kind == "sharpened":
        world.sharpen = float(dice.uniform(0.8, 2.0))
        world.sharpen_px = float(dice.uniform(0.9, 2.4))
    elif kind == "jpeg":
        world.jpeg = int(dice.integers(25, 50))
    elif kind == "bleed":
        world.bleed = float(dice.uniform(0.04, 0.12))
    elif kind == "dust":
        world.dust = int(dice.integers(3, 9))
    elif kind == "texture":
        world.texture = str(dice.choice(["planks", "tiles"]))
        world.ground = (0.12, 0.17, 0.22)
    elif kind == "tone":
        world.contrast = float(dice.uniform(0.3, 0.7))
        world.lifted = float(dice.uniform(0.0, 0.12))
        world.sharpen = 0.5
    elif kind == "shadow":
        world.shade = float(dice.uniform(0.35, 0.6))
    elif kind == "trimmed":
        world.ground = (0.03, 0.04, 0.04)
        return float(dice.uniform(0.2, 0.4))
    elif kind == "glare":
        world.glare = float(dice.uniform(0.3, 1.2))
    return 1.0


def references_shown(world: World) -> int:
    """How many reference tags lie in the picture with their margins."""
    corners = [
        [
            (x + a * REFERENCE_ROOM_IN, y + b * REFERENCE_ROOM_IN, 0.0)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        for x, y in REFERENCES
    ]
    seen = pixel_of(world, np.array(corners))
    inside = (seen.min(axis=(1, 2)) > 3) & (seen < np.array(world.size) - 3).all(axis=(1, 2))
    return int(inside.sum())


def staged(
    seed: int,
    size: tuple[int, int] = (1920, 1080),
    lens: bool = True,
    units: int = 12,
    up_mm: float = 0.0,
    tag_mm: float = 25.0,
    bad_paper: bool = True,
    kind: str = "mixed",
) -> Staged:
    """A table with eight references and so many trays, disturbed in one way (see KINDS)."""
    rng = np.random.default_rng([seed, 5])
    dice = np.random.default_rng([seed, 6])
    wide = math.radians(float(rng.uniform(60, 76)))
    focal = size[0] / 2 / math.tan(wide / 2)
    bend = (
        float(rng.uniform(-0.12, 0.04)),
        float(rng.uniform(-0.02, 0.04)),
        *rng.normal(0, 3e-4, 2),
    )
    centre = (
        size[0] / 2 - 0.5 + float(rng.normal(0, 0.003)) * size[0],
        size[1] / 2 - 0.5 + float(rng.normal(0, 0.003)) * size[0],
    )
    world = World(
        seed,
        size,
        focal,
        centre,
        (bend[0], bend[1], float(bend[2]), float(bend[3])),
        (24 + float(rng.normal(0, 3)), -13.8 + float(rng.normal(0, 2)), float(rng.uniform(34, 42))),
        (24 + float(rng.normal(0, 1)), 19 + float(rng.normal(0, 1))),
        float(rng.normal(0, 0.03)),
        blur=float(rng.uniform(0.5, 0.95)) * max(1.0, size[0] / 2600),
        cast=(float(rng.uniform(0.7, 1.0)), 1.0, float(rng.uniform(0.75, 1.0))),
        black=float(rng.uniform(30, 50)),
        white=float(rng.uniform(205, 235)),
        grain=float(rng.uniform(0.006, 0.025)),
        sharpen=float(rng.choice([0.0, 0.3, 0.6])),
        contrast=float(rng.choice([0.0, 0.25])),
        shadow=float(rng.choice([1.0, 0.6, 0.45])),
        exposure=float(rng.uniform(0.6, 1.05)),
        jpeg=int(rng.integers(60, 96)),
    )
    if rng.random() < 0.3:
        world.shake = (float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8)))
    while references_shown(world) < ENOUGH_REFERENCES:
        world.focal *= WIDER
    margin = disturb(world, kind, dice)
    mistake = Mistakes.of(kind, dice)
    lines = ['format = "table-companion/setup/1"']
    if lens:
        matrix = [world.focal, 0.0, centre[0], 0.0, world.focal, centre[1], 0.0, 0.0, 1.0]
        lines += ["[camera]", f"size = [{size[0]}, {size[1]}]"]
        lines += [f"matrix = {matrix}", f"distortion = {[*world.bend, 0.0]}"]
    lines += ["[table]", "width = 48.0", "depth = 48.0"]
    lines += ["[tags]", 'dictionary = "DICT_4X4_50"']
    for number, (x, y) in enumerate(REFERENCES):
        curl = float(rng.uniform(0, 0.2)) / MM if bad_paper else 0.0
        dx, dy, turned = mistake.laid(dice)
        edge = 40 / MM * mistake.scale
        world.tags.append(Tag(number, x + dx, y + dy, 90 + turned, edge, 0.0, curl, margin=margin))
        lines += ["[[reference]]", f"id = {number}", f"x = {x}", f"y = {y}"]
        lines += ["heading = 90.0", "size_mm = 40.0"]
    truth = {}
    cells = rng.permutation(20)[:units]
    for number, cell in enumerate(cells):
        tray = str(rng.choice(list(TRAYS)))
        width, depth = TRAYS[tray]
        x = 7.5 + 8.2 * (cell % 5) + float(rng.uniform(-0.4, 0.4))
        y = 9.0 + 9.6 * (cell // 5) + float(rng.uniform(-0.8, 0.8))
        heading = float(rng.uniform(0, 360))
        unit = f"{'br'[number % 2]}{number // 2 + 1}"
        truth[unit] = (x, y, heading)
        shade = [(0.25, 0.06, 0.05), (0.04, 0.05, 0.25), (0.1, 0.1, 0.1)][number % 3]
        world.plates.append(Plate(unit, x, y, heading, depth, width, shade))
        back = -(depth / 2 + (8 + tag_mm / 2) / MM) if not up_mm else -0.4
        turn, aside = float(rng.choice([0.0, 90.0, 180.0])), float(rng.uniform(-0.5, 0.5))
        way = math.radians(heading)
        tx = x + back * math.cos(way) - aside * math.sin(way)
        ty = y + back * math.sin(way) + aside * math.cos(way)
        curl = float(rng.uniform(0, 0.25)) / MM if bad_paper else 0.0
        really_up = max(0.0, up_mm + float(rng.normal(0, 0.5))) / MM if up_mm else 0.0
        dx, dy, turned, high = mistake.glued(dice)
        curl *= 4 if kind == "curl" else 1
        place = (tx + dx, ty + dy, heading + turn + turned, tag_mm / MM * mistake.scale)
        along = number % 2 == 0
        world.tags.append(Tag(IDS[number], *place, really_up + high, curl, along, margin))
        lines += ["[[tray]]", f'tray = "{tray}"', f'unit = "{unit}"', "[[tray.tag]]"]
        lines += [f"id = {IDS[number]}", f"forward = {back}", f"left = {aside}"]
        lines += [f"up = {up_mm / MM}", f"turn = {turn}", f"size_mm = {tag_mm}"]
    return Staged(world, "\n".join(lines) + "\n", truth)
