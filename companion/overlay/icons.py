"""Line drawings: icons and the marks of the six seats on a field of 24 × 24 units, and small
symbols that distinguish kinds of terrain without colour.

A drawing is written as an SVG path with the commands M, L, H, V, C, A and Z; it is drawn as lines 2
units thick with round ends. `strokes` gives its lines as points.

>>> strokes("minus")
(((5.0, 12.0), (19.0, 12.0)),)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.overlay.view_frame import BoundingBox, PointPx

Lines = tuple[tuple[PointPx, ...], ...]

FIELD = 24.0
STROKE = 2.0
CURVE_PARTS = 10
ARC_DEG = 15.0

ICONS: dict[str, str] = {
    "menu": "M4 6.5H20M4 12H20M4 17.5H20",
    "undo": "M8.5 5L3.5 10L8.5 15M3.5 10H14.5A5.25 5.25 0 0 1 14.5 20.5H10",
    "redo": "M15.5 5L20.5 10L15.5 15M20.5 10H9.5A5.25 5.25 0 0 0 9.5 20.5H14",
    "camera": "M3 7.5H7L8.8 4.8H15.2L17 7.5H21V19H3ZM16 13A4 4 0 1 1 8 13A4 4 0 1 1 16 13",
    "camera-off": "M3 7.5H7L8.8 4.8H15.2L17 7.5H21V19H3ZM4 21L20 3",
    "picture": "M3 4.5H21V19.5H3ZM3 16L8.2 10.5L12.4 15L15 12.6L21 17.5M16 8.6H16.2",
    "map": "M3 6.2L9 4L15 6.2L21 4V17.8L15 20L9 17.8L3 20ZM9 4V17.8M15 6.2V20",
    "ruler": (
        "M2.8 16.2L16.2 2.8L21.2 7.8L7.8 21.2ZM6.6 12.4L9 14.8M9.8 9.2L11.4 10.8M13 6L15.4 8.4"
    ),
    "hand": (
        "M8 13V5.6A1.5 1.5 0 0 1 11 5.6V11M11 11V4.2A1.5 1.5 0 0 1 14 4.2V11"
        "M14 11V5.8A1.5 1.5 0 0 1 17 5.8V13.5C17 18 15 21 11.4 21C8.2 21 7 19.6 4.2 14"
        "C5.2 12.6 7 12.8 8 14.6"
    ),
    "fit": "M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15",
    "armies": (
        "M4 4.5H10.5V10.5H4ZM13.5 4.5H20V10.5H13.5ZM4 13.5H10.5V19.5H4ZM13.5 13.5H20V19.5H13.5Z"
    ),
    "board": (
        "M12 2.8L21 9.4L17.6 20H6.4L3 9.4ZM12 2.8V11.8M12 11.8L21 9.4M12 11.8L17.6 20"
        "M12 11.8L6.4 20M12 11.8L3 9.4"
    ),
    "cards": "M3.5 7.2L12.3 4.4L16.6 17.2L7.8 20ZM14.6 5H20.5V18.6H17.6",
    "score": "M6 21.5V3H18.8L15.8 7.6L18.8 12.2H6",
    "charge": "M3 12H16M10.8 6.2L16.6 12L10.8 17.8M20.8 5V19",
    "shot": "M3 12H7M10 12H13M15.5 7.2L20.4 12L15.5 16.8",
    "bow": "M6 3C14 5 19 10 21 18M6 3L21 18M3.5 20.5L13 11M3.5 20.5V15.8M3.5 20.5H8.2",
    "maneuver": "M12 20.5V4.5M6 10.5L12 4.5L18 10.5",
    "march": "M6 12.2L12 6.2L18 12.2M6 18.6L12 12.6L18 18.6",
    "retreat": "M12 3.5V19.5M6 13.5L12 19.5L18 13.5",
    "pass": "M5 12H19",
    "dice": "M4 4H20V20H4ZM8.6 8.6H8.7M15.4 15.4H15.5M8.6 15.4H8.7M15.4 8.6H15.5M12 12H12.1",
    "info": "M21 12A9 9 0 1 1 3 12A9 9 0 1 1 21 12M12 11V16.6M12 7.4V7.5",
    "ring": "M19 12A7 7 0 1 1 5 12A7 7 0 1 1 19 12",
    "triangle": "M12 5L20 19H4Z",
    "diamond": "M12 3.5L20 12L12 20.5L4 12Z",
    "check": "M4.5 12.8L9.6 18L19.8 6.2",
    "cross": "M6 6L18 18M18 6L6 18",
    "ask": "M8.4 9A3.7 3.7 0 1 1 13.8 12.2C12.5 13 12 13.7 12 15.2M12 19.2V19.3",
    "right": "M9 5L16 12L9 19",
    "left": "M15 5L8 12L15 19",
    "down": "M5 9L12 16L19 9",
    "up": "M5 15L12 8L19 15",
    "swords": (
        "M4 4L15.6 15.6M20 4L8.4 15.6M13.4 18.6L18.6 13.4M10.6 18.6L5.4 13.4M17 17L20.2 20.2"
        "M7 17L3.8 20.2"
    ),
    "drop": "M12 3C16 8 18 11.2 18 14.2A6 6 0 0 1 6 14.2C6 11.2 8 8 12 3Z",
    "shield": "M12 3L20 5.8V11.6C20 16.6 16.4 19.8 12 21C7.6 19.8 4 16.6 4 11.6V5.8Z",
    "flag": "M6 21V3.8M6 4.8C10 2.8 14 6.8 18.6 4.8V13C14 15 10 11 6 13",
    "speed": "M4.5 17L9.5 12L4.5 7M12.5 17L17.5 12L12.5 7",
    "star": (
        "M12 3L14.7 9.2L21.4 9.8L16.3 14.2L17.9 20.8L12 17.2L6.1 20.8L7.7 14.2L2.6 9.8L9.3 9.2Z"
    ),
    "plus": "M12 5V19M5 12H19",
    "minus": "M5 12H19",
    "crown": "M4 18.5H20L21 8L16 12L12 5L8 12L3 8Z",
    "coins": (
        "M14 7.5A5 2.5 0 1 1 4 7.5A5 2.5 0 1 1 14 7.5M4 7.5V12.5C4 13.9 6.2 15 9 15"
        "M20 16.5A5 2.5 0 1 1 10 16.5A5 2.5 0 1 1 20 16.5M10 16.5V19C10 20.4 12.2 21.5 15 21.5"
        "C17.8 21.5 20 20.4 20 19V16.5"
    ),
    "letter": "M3 6H21V18.5H3ZM3 7L12 14L21 7",
    "horse": "M6 21C6 16 8 15 9.2 12L6 13.2L4 11L9 5L11.2 2.8L12.2 5C17.4 6.2 19 10 19 15V21",
    "gear": (
        "M15.5 12A3.5 3.5 0 1 1 8.5 12A3.5 3.5 0 1 1 15.5 12M12 2.5V6M12 18V21.5"
        "M2.5 12H6M18 12H21.5M5.3 5.3L7.8 7.8M16.2 16.2L18.7 18.7M18.7 5.3L16.2 7.8"
        "M7.8 16.2L5.3 18.7"
    ),
    "print": "M7 8V3H17V8M7 17H4.5V8H19.5V17H17M7 13.5H17V21H7Z",
    "clock": "M21 12A9 9 0 1 1 3 12A9 9 0 1 1 21 12M12 6.8V12L16 14.2",
    "turn": "M20 11A8 8 0 1 0 17.8 17.2M20.5 4V11H13.5",
    "log": "M5 5.5H19M5 12H19M5 18.5H14",
    "eye": "M2 12C6 5.2 18 5.2 22 12C18 18.8 6 18.8 2 12ZM15 12A3 3 0 1 1 9 12A3 3 0 1 1 15 12",
    "pencil": "M4 20L5.2 15L16 4.2L19.8 8L9 18.8Z",
    "bolt": "M4 5.5L8 10.8L5.2 12.8L10.4 19.5L11.2 14.2L14.4 15.2L12.6 10.2L16.6 9.2L12.4 4",
    "plug": "M8 3V8M16 3V8M5 8H19V12A7 7 0 0 1 5 12ZM12 19V22",
    "hex": "M12 3L20 7.5V16.5L12 21L4 16.5V7.5Z",
    "grid": "M4 4H20V20H4ZM4 9.33H20M4 14.67H20M9.33 4V20M14.67 4V20",
    "play": "M7 4L20 12L7 20Z",
    "rival": "M5 9H19V19H5ZM12 9V5M9.2 13.2H9.3M14.7 13.2H14.8M9 16.3H15M2.8 12V16M21.2 12V16",
    "people": (
        "M11.5 7.5A3.5 3.5 0 1 1 4.5 7.5A3.5 3.5 0 1 1 11.5 7.5M2 20C2 12.5 14 12.5 14 20"
        "M16 4.8A3.2 3.2 0 0 1 16 11.2M16.5 14C20 14.2 22 16.2 22 20"
    ),
    "share": "M12 15V3.5M7.5 8L12 3.5L16.5 8M5 13V20.5H19V13",
    "trash": "M4 6.5H20M9 6.5V4H15V6.5M6 6.5L7 20.5H17L18 6.5",
    "home": "M3.5 11.5L12 4L20.5 11.5M6 10V20H18V10",
    "lock": "M6 11H18V20H6ZM8.5 11V8A3.5 3.5 0 0 1 15.5 8V11",
}
"""Every icon by its name."""

MARKS: dict[str, str] = {
    "peaks": "M2.5 19L9 6.5L12.6 13L15 9.2L21.5 19M6.8 11.4L9 13L11.2 11.4",
    "claws": "M6 4C6 11 7 15.5 9 20.5M12 3C11.5 10 12 15.5 13 21M18 4C16.6 10 16.4 15 17 20.5",
    "antler": "M12 21V12M12 12C8 11 6 8 6 3.5M12 12C16 11 18 8 18 3.5M6.5 8L3 7M17.5 8L21 7",
    "waves": "M3 9C6 5 9 5 12 9C15 13 18 13 21 9M3 16C6 12 9 12 12 16C15 20 18 20 21 16",
    "flame": (
        "M12 3C17 8 18 11 18 14A6 6 0 0 1 6 14C6 12 7 10 9 8C9 11 10 12 11 12C13 12 13 8 12 3Z"
    ),
    "tower": "M6 21V5.5H9V8.5H10.5V5.5H13.5V8.5H15V5.5H18V21Z",
}
"""The marks of the seats, in order."""
MARK_NAMES = tuple(MARKS)

TOKEN = re.compile(r"[MLHVCAZ]|-?\d*\.?\d+")


@lru_cache(maxsize=256)
def strokes(name: str) -> Lines:
    """The lines of an icon or a mark, in its units, y downwards."""
    return flattened(ICONS.get(name) or MARKS[name])


def flattened(path: str) -> Lines:
    """The lines of a path; curves are divided into short straight parts."""
    words = TOKEN.findall(path)
    found: list[list[PointPx]] = []
    at, verb = 0, ""
    here: PointPx = (0.0, 0.0)

    def take(count: int) -> list[float]:
        nonlocal at
        at += count
        return [float(word) for word in words[at - count : at]]

    while at < len(words):
        if words[at].isalpha():
            verb = words[at]
            at += 1
        match verb:
            case "M":
                x, y = take(2)
                here = (x, y)
                found.append([here])
                verb = "L"
                continue
            case "Z":
                found[-1].append(found[-1][0])
                continue
            case "L":
                x, y = take(2)
                steps = [(x, y)]
            case "H":
                steps = [(take(1)[0], here[1])]
            case "V":
                steps = [(here[0], take(1)[0])]
            case "C":
                steps = bezier(here, *take(6))
            case _:
                steps = arc(here, *take(7))
        found[-1] += steps
        here = found[-1][-1]
    return tuple(tuple(line) for line in found)


def bezier(
    start: PointPx, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> list[PointPx]:
    """The points of a cubic curve after its start."""
    found = []
    for number in range(1, CURVE_PARTS + 1):
        t = number / CURVE_PARTS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append(
            (a * start[0] + b * bx + c * cx + d * dx, a * start[1] + b * by + c * cy + d * dy)
        )
    return found


def arc(
    start: PointPx, rx: float, ry: float, _: float, large: float, sweep: float, x: float, y: float
) -> list[PointPx]:
    """The points of an elliptical arc (its axes upright) after its start."""
    px, py, qx, qy = start[0] / rx, start[1] / ry, x / rx, y / ry
    half = math.hypot(qx - px, qy - py) / 2
    far = math.sqrt(max(0.0, 1.0 - half * half))
    if half:
        side = 1.0 if bool(large) != bool(sweep) else -1.0
        mx, my = (px + qx) / 2, (py + qy) / 2
        ux, uy = (qx - px) / (2 * half), (qy - py) / (2 * half)
        centre = (mx - side * far * uy, my + side * far * ux)
    else:
        return [(x, y)]
    first = math.atan2(py - centre[1], px - centre[0])
    last = math.atan2(qy - centre[1], qx - centre[0])
    if sweep and last <= first:
        last += 2 * math.pi
    elif not sweep and last >= first:
        last -= 2 * math.pi
    count = max(2, math.ceil(abs(math.degrees(last - first)) / ARC_DEG))
    turns = [first + (last - first) * number / count for number in range(1, count + 1)]
    points = [
        (rx * (centre[0] + math.cos(turn)), ry * (centre[1] + math.sin(turn))) for turn in turns
    ]
    return [*points[:-1], (x, y)]


def outline(place: int, centre: PointPx, size: float) -> list[PointPx]:
    """The shape of a seat (0 to 5): circle, lozenge, pentagon, square, hexagon, shield."""
    half, (x, y) = size / 2, centre
    shapes: dict[int, tuple[PointPx, ...]] = {
        1: ((0, -1), (1, 0), (0, 1), (-1, 0)),
        2: ((0, -1), (1, -0.25), (0.64, 0.92), (-0.64, 0.92), (-1, -0.25)),
        3: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        4: ((-0.5, -0.9), (0.5, -0.9), (1, 0), (0.5, 0.9), (-0.5, 0.9), (-1, 0)),
        5: ((-0.86, -0.92), (0.86, -0.92), (0.86, 0.2), (0, 1), (-0.86, 0.2)),
    }
    if place not in shapes:
        turns = [math.tau * number / 40 for number in range(40)]
        return [(x + half * math.cos(turn), y + half * math.sin(turn)) for turn in turns]
    return [(x + half * dx, y + half * dy) for dx, dy in shapes[place]]


Stroke = tuple[PointPx, ...]


@dataclass(frozen=True, slots=True)
class Texture:
    """Strokes around an origin, the distance at which they repeat (x, y), and their weight.

    All in thousandths of the picture's shorter side.
    """

    strokes: tuple[Stroke, ...]
    gap: PointPx
    weight: float


CROWN = tuple(
    (3.4 * math.cos(math.radians(30 * step)), 3.4 * math.sin(math.radians(30 * step)) - 2)
    for step in range(13)
)

TEXTURES = {
    "trees": Texture((CROWN, ((0, 1.4), (0, 5))), (16, 12.5), 0.7),
    "leaves": Texture((((-2.2, 1.2), (-1.2, -1), (1.2, -1), (2.2, 1.2)),), (8, 5.6), 0.7),
    "waves": Texture(
        (tuple((float(t), 1.4 * math.sin(t)) for t in range(-6, 7)),), (21, 7.5), 0.75
    ),
    "spikes": Texture((((-3, 3.7), (2, -3.7)), ((3, 3.7), (-2, -3.7))), (15, 11), 0.9),
    "bricks": Texture((((0, -2.5), (0, 2.5)), ((-6.5, 2.5), (6.5, 2.5))), (12.5, 5), 0.6),
    "bars": Texture((((0, -5.6), (0, 5.6)),), (5, 11), 0.9),
    "hills": Texture(
        (
            tuple(
                (6 * math.cos(math.radians(a)), 2 - 5 * math.sin(math.radians(a)))
                for a in range(20, 161, 20)
            ),
            ((-1.5, -0.5), (-3.4, 1.6)),
            ((1.5, -0.5), (3.4, 1.6)),
        ),
        (17, 12),
        0.8,
    ),
    "houses": Texture(
        (
            ((-4, 0), (0, -4.4), (4, 0), (4, 5), (-4, 5), (-4, 0)),
            ((-1, 5), (-1, 2), (1, 2), (1, 5)),
        ),
        (17, 14),
        0.8,
    ),
    "stones": Texture(
        (
            tuple(
                (2.0 * math.cos(math.radians(a)), 1.3 * math.sin(math.radians(a)))
                for a in range(0, 361, 60)
            ),
        ),
        (8.5, 6.5),
        0.8,
    ),
    "crosses": Texture((((-2, -2), (2, 2)), ((-2, 2), (2, -2))), (12.5, 9), 0.8),
}


def hatching(box: BoundingBox, angle_deg: float, gap: float) -> Iterator[Stroke]:
    """Parallel strokes over a box; those of adjacent boxes line up."""
    angle = math.radians(angle_deg)
    along, across = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    spread = [x * across[0] + y * across[1] for x, y in corners]
    reach = [x * along[0] + y * along[1] for x, y in corners]
    ends = (min(reach) - gap, max(reach) + gap)
    for number in range(math.floor(min(spread) / gap), math.ceil(max(spread) / gap) + 1):
        x, y = across[0] * number * gap, across[1] * number * gap
        yield tuple((x + along[0] * end, y + along[1] * end) for end in ends)


def scattered(box: BoundingBox, texture: Texture, unit: float) -> Iterator[Stroke]:
    """A texture's symbols over a box, in staggered rows."""
    step_x, step_y = texture.gap[0] * unit, texture.gap[1] * unit
    left, top, right, bottom = box
    for row in range(math.floor(top / step_y) - 1, math.ceil(bottom / step_y) + 2):
        for column in range(math.floor(left / step_x) - 1, math.ceil(right / step_x) + 2):
            x, y = (column + 0.5 * (row % 2)) * step_x, row * step_y
            for stroke in texture.strokes:
                yield tuple((x + dx * unit, y + dy * unit) for dx, dy in stroke)
