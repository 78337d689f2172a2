"""Numerals for the faces of a D10 in many hands, as signed distances: for training alone.

    python -m training.dice_numerals numerals.npz /usr/share/fonts/truetype/dejavu/*.ttf

The practice camera draws other fonts (`companion/practice/dice_marks.py`). In some hands 6 and 9
have no mark: nobody can tell which of them is up, and the net must say so.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.dice_marks import LARGE, Mark, distances, numeral
from companion.practice.dice_solid import D10

MANY = 480
MARKS: tuple[Mark, ...] = ("line", "line", "line", "dot", "dot", "dot", "")


def hand(rng: np.random.Generator, font: str, mark: Mark) -> NDArray[np.float32]:
    """The ten numerals, stretched, leaning and lighter or bolder than the font has them."""
    middle = LARGE / 2
    size, stretch = rng.uniform(0.75, 1.05), rng.uniform(0.8, 1.2)
    lean, up = rng.normal(0, 0.06), rng.uniform(-0.06, 0.06) * LARGE
    matrix = np.array([[size * stretch, lean, 0.0], [0.0, size, up]])
    matrix[:, 2] += middle - matrix[:, :2] @ [middle, middle]
    weight = rng.uniform(-0.015, 0.03)
    fields = []
    for value in D10.values:
        drawn = cv2.warpAffine(numeral(value % 10, font, mark), matrix, (LARGE, LARGE))
        fields.append(distances(np.asarray(drawn, np.uint8)) + weight)
    upright = np.stack(fields)
    return upright if rng.random() < 0.5 else upright[:, ::-1, ::-1]


def main() -> None:
    """Write as many hands as a net learns from, and which of them have no marks."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("file", type=Path, help="where they are kept (.npz)")
    parser.add_argument("fonts", nargs="+", help="TrueType files")
    args = parser.parse_args()
    rng = np.random.default_rng(10)
    made, unmarked = [], []
    for number in range(MANY):
        font, mark = args.fonts[number % len(args.fonts)], MARKS[int(rng.integers(len(MARKS)))]
        made.append(hand(rng, font, mark))
        unmarked.append(not mark)
    np.savez_compressed(args.file, glyphs=np.stack(made).astype(np.float16), unmarked=unmarked)


if __name__ == "__main__":
    main()
