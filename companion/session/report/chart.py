"""The score by round as an SVG chart: one line per side, with its own colour, marker and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from companion.overlay.map_theme import SideStyle, side_looks
from companion.text.translation import translate

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 44, 110, 18, 36
DASHES = {"solid": "", "striped": "9 4", "dotted": "2 4", "double": "14 3 3 3"}
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Scores = Sequence[tuple[int, Mapping[str, int]]]


def score_chart(
    scores: Scores, sides: Sequence[str], title: str, names: Mapping[str, str] | None = None
) -> str:
    """The chart as a self-contained SVG element; every score starts at zero."""
    points = [(0, dict.fromkeys(sides, 0)), *scores]
    last = max(1, points[-1][0])
    values = [score.get(side, 0) for _, score in points for side in sides]
    low, top = min([0, *values]), max([1, *values])
    step = next((one for one in STEPS if (top - low) / one <= 6), STEPS[-1])
    top = -(-top // step) * step
    low = low // step * step

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / last

    def y(score: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (top - score) / (top - low)

    looks = side_looks(sides)
    called = {side: (names or {}).get(side) or translate(side) for side in sides}
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(title)}" xmlns="http://www.w3.org/2000/svg">'
    ]
    parts += [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(score):.1f}"'
        f' y2="{y(score):.1f}"/><text class="axis" x="{LEFT - 8}" y="{y(score) + 4:.1f}"'
        f' text-anchor="end">{score}</text>'
        for score in range(low, top + 1, step)
    ]
    parts += [
        f'<text class="axis" x="{x(number):.1f}" y="{HEIGHT - 12}"'
        f' text-anchor="middle">{number}</text>'
        for number, _ in points
    ]
    heights = label_heights([y(points[-1][1].get(side, 0)) for side in sides])
    for side, height in zip(sides, heights, strict=True):
        found = [(x(number), y(score.get(side, 0))) for number, score in points]
        parts += line(found, looks[side])
        parts.append(
            f'<text class="name" x="{found[-1][0] + 12:.1f}" y="{height + 4:.1f}"'
            f' fill="{rgb(looks[side])}">{escape(called[side])} {points[-1][1].get(side, 0)}</text>'
        )
    return "".join([*parts, "</svg>"])


def line(points: Sequence[tuple[float, float]], look: SideStyle) -> list[str]:
    """The line of a side with its markers."""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{DASHES[look.bar]}"' if DASHES.get(look.bar) else ""
    drawn = f'<polyline points="{way}" fill="none" stroke="{rgb(look)}" stroke-width="2.5"{dash}/>'
    return [drawn, *(mark(x, y, look) for x, y in points)]


def mark(x: float, y: float, look: SideStyle) -> str:
    """The marker of a side, the same as on the map."""
    shapes = {
        "diamond": ((0, -6), (6, 0), (0, 6), (-6, 0)),
        "square": ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
        "triangle": ((0, -6), (5.5, 4), (-5.5, 4)),
    }
    if look.mark not in shapes:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{rgb(look)}"/>'
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shapes[look.mark])
    return f'<polygon points="{corners}" fill="{rgb(look)}"/>'


def rgb(look: SideStyle) -> str:
    """The colour of a side in CSS notation."""
    return "#{:02x}{:02x}{:02x}".format(*look.colour)


def label_heights(wanted: Sequence[float], apart: float = 16) -> list[float]:
    """The heights of the names at the line ends, moved down until none overlaps another."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    heights = list(wanted)
    for before, after in pairwise(order):
        heights[after] = max(heights[after], heights[before] + apart)
    return heights
