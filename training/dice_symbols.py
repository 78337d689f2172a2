"""Random symbols for the faces of a D8, as signed distances: for training alone.

    python -m training.dice_symbols symbols.npy

The practice camera draws other symbols (`companion/practice/dice_marks.py`).
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.dice_marks import LARGE, distances

MANY = 900
Canvas = NDArray[np.uint8]


def polygon(rng: np.random.Generator, canvas: Canvas, ink: int, reach: float) -> None:
    """A regular, starry or wild outline."""
    corners, sharp = int(rng.integers(3, 9)), rng.choice([1.0, rng.uniform(0.3, 0.8)])
    turn, wild = rng.uniform(0, math.tau), rng.choice([0.0, 0.3])
    angles = turn + np.arange(2 * corners) * math.pi / corners
    away = np.where(np.arange(2 * corners) % 2, sharp * math.cos(math.pi / corners), 1.0)
    away = away * reach * (1 + wild * rng.uniform(-1, 0.3, 2 * corners))
    shift = rng.normal(0, 0.12, 2)
    stretch = np.array([1.0, rng.uniform(0.5, 1.0)])
    places = np.column_stack([np.cos(angles), np.sin(angles)]) * away[:, None] * stretch + shift
    cv2.fillPoly(canvas, [pixels(places)], ink)


def disc(rng: np.random.Generator, canvas: Canvas, ink: int, reach: float) -> None:
    """A disc, an ellipse or a ring."""
    middle = pixels(rng.normal(0, 0.15, (1, 2)))[0]
    axes = reach * LARGE / 2 * np.array([1.0, rng.uniform(0.4, 1.0)])
    line = -1 if rng.random() < 0.6 else int(LARGE * rng.uniform(0.05, 0.12))
    x, y, a, b = (int(v) for v in (*middle, *axes))
    cv2.ellipse(canvas, (x, y), (a, b), float(rng.uniform(0, 180)), 0, 360, ink, line)


def strokes(rng: np.random.Generator, canvas: Canvas, ink: int, reach: float) -> None:
    """A bent line, as of a letter."""
    places = rng.uniform(-reach, reach, (int(rng.integers(2, 5)), 2))
    cv2.polylines(canvas, [pixels(places)], False, ink, int(LARGE * rng.uniform(0.05, 0.14)))


def pixels(places: NDArray[np.float64]) -> NDArray[np.int32]:
    """Places from -1 to 1 as pixels."""
    return np.asarray((places + 1) * LARGE / 2, np.int32)


def symbol(rng: np.random.Generator) -> Canvas:
    """One symbol: a body, parts taken away, parts added."""
    while True:
        canvas = np.zeros((LARGE, LARGE), np.uint8)
        draw = (polygon, polygon, disc, strokes)
        for step in range(int(rng.integers(1, 5))):
            ink = 255 if step == 0 or rng.random() < 0.5 else 0
            reach = rng.uniform(0.6, 0.9) if step == 0 else rng.uniform(0.2, 0.6)
            draw[int(rng.integers(len(draw)))](rng, canvas, ink, reach)
        if 0.1 < (canvas > 0).mean() < 0.6:
            return canvas


def main() -> None:
    """Write as many symbols as a net learns from."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("file", type=Path, help="where they are kept (.npy)")
    rng = np.random.default_rng(8)
    made = np.stack([distances(symbol(rng)) for _ in range(MANY)])
    np.save(parser.parse_args().file, made.astype(np.float16))


if __name__ == "__main__":
    main()
