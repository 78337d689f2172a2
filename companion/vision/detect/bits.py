"""A tag's bits: which word of the dictionary a quadrangle shows, and how clearly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import dictionary_of
from calibration.tags.tag import plain_words
from companion.vision.detect.pixels import (
    NEXT,
    SHADED,
    TONES,
    Grey,
    Tone,
    homographies,
    in_picture,
    middle_of,
    sampled,
)

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]

MARGIN = 0.25
"""Share of a cell at either side that is not read: its neighbours blur into it."""
FRAME_DARK, FRAME_DARK_ALIKE, ALIKE = 0.9, 0.7, 0.85
"""Share of the black frame that must be dark; less is enough if all cells are so alike."""
GLARED_CLARITY, GLARED_LIKENESS, GLARED_FRAME = 0.25, 0.9, 0.85
"""One black cell may read white, as in glare, if all other bits and cells are as clear as this."""
EVEN = np.full(9, 1 / 9, np.float32)
"""What each of the nine values of a cell counts."""
BLUR_PX = 0.9
"""Blur of a sharp picture with its pixels and the reading between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """The words of a dictionary: cells (ids, side, side) of 0 and 1, and all four turns of them."""

    side: int
    """Cells along the tag with its black frame."""
    words: Floats
    """(ids * 4, bits) of +1 and -1: id * 4 + turn, as read clockwise-turned."""
    sheets: Floats
    """(ids, side + 2, side + 2): each tag as printed, white margin and black frame included."""
    drawn: Floats
    """(ids * 4, side * side): each tag without its margin, turned as in `words`."""
    correctable: int
    spare: int
    """Bits that the dictionary could correct beyond those: used for glare only."""
    plain: NDArray[np.bool_]
    """Words (ids) with so few changes between neighbouring cells that other things look alike."""


@lru_cache
def codes_of(dictionary: str) -> Codes:
    """The words of a dictionary known to OpenCV."""
    source = dictionary_of(dictionary)
    inner = int(source.markerSize)
    side = inner + 2
    sheets, words, drawn = [], [], []
    for tag_id in range(source.bytesList.shape[0]):
        printed = cv2.aruco.generateImageMarker(source, tag_id, side, borderBits=1)
        cells = (np.asarray(printed) > 127).astype(np.float64)
        sheets.append(np.pad(cells, 1, constant_values=1.0))
        turned = [np.rot90(cells, turn) for turn in range(4)]
        words += [2 * one[1:-1, 1:-1].ravel() - 1 for one in turned]
        drawn += [one.ravel() for one in turned]
    # At most 0.6 of what the dictionary could correct: more invites false finds.
    correctable = int(0.6 * source.maxCorrectionBits)
    spare = int(source.maxCorrectionBits) - correctable
    return Codes(
        side,
        np.array(words),
        np.array(sheets),
        np.array(drawn),
        correctable,
        spare,
        plain_words(dictionary),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BitReadings:
    """For n quadrangles: the id (-1: none), by how many corners to turn, and how clear it was."""

    ids: Ints
    turns: Ints
    clarity: Floats
    """The weakest bit's distance from the threshold, 1 = as clear as the black frame.

    Bits that the dictionary corrected do not count."""
    likeness: Floats
    """Correlation of all cells with the tag as printed, at most 1."""
    glared: NDArray[np.bool_]
    """Whether one black cell read white and was corrected."""


def read_bits(
    grey: Grey, corners: Floats, codes: Codes, tones: tuple[Tone, ...] = (*TONES, SHADED)
) -> BitReadings:
    """Read the cells of each quadrangle and look the word up, in each tone until one fits."""
    count = len(corners)
    ids, turns = np.full(count, -1), np.zeros(count, dtype=np.int64)
    clarity, likeness = np.zeros(count), np.zeros(count)
    glared = np.zeros(count, dtype=np.bool_)
    if count == 0:
        return BitReadings(ids, turns, clarity, likeness, glared)
    samples = cell_samples(grey, corners, codes.side)
    leak = leaks(corners, codes.side)
    # Most are read in the first tone; the others are read in all other tones at once.
    for group in (tones[:1], tones[1:]):
        open_ones = np.flatnonzero((ids < 0) | glared)
        if not len(open_ones) or not group:
            break
        cells = np.concatenate([tone.light(samples[open_ones]) @ EVEN for tone in group])
        match = matched(sharpened(cells, np.tile(leak[open_ones], (len(group), 1))), codes)
        for start in range(0, len(cells), len(open_ones)):
            part = slice(start, start + len(open_ones))
            # What one tone reads only by correcting a cell, another may read as it is.
            better = (ids[open_ones] < 0) | (glared[open_ones] & ~match.glared[part])
            better &= match.ids[part] >= 0
            places = open_ones[better]
            ids[places], turns[places] = match.ids[part][better], match.turns[part][better]
            clarity[places] = match.clarity[part][better]
            likeness[places] = match.likeness[part][better]
            glared[places] = match.glared[part][better]
    return BitReadings(ids, turns, clarity, likeness, glared)


def cell_samples(grey: Grey, corners: Floats, side: int) -> Grey:
    """Nine grey values in the middle of each cell, margin included: (n, side + 2, side + 2, 9)."""
    centres = (np.arange(-1, side + 1) + 0.5) / side
    inside = np.array([-0.5 + MARGIN, 0.0, 0.5 - MARGIN]) / side
    lines = (centres[:, None] + inside).ravel()  # 3 (side + 2)
    grid = np.stack(np.meshgrid(lines, lines), axis=-1).reshape(-1, 2)
    values = sampled(grey, in_picture(homographies(corners), grid))
    n = side + 2
    blocks = values.reshape(-1, n, 3, n, 3).transpose(0, 1, 3, 2, 4)
    return np.asarray(blocks.reshape(-1, n, n, 9))


def leaks(corners: Floats, side: int) -> Floats:
    """How much of a neighbouring cell's light falls into a cell: (n, 2) across and down."""
    sides = corners[:, NEXT] - corners
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    area = (
        np.abs(
            (corners[:, 2, 0] - corners[:, 0, 0]) * (corners[:, 3, 1] - corners[:, 1, 1])
            - (corners[:, 2, 1] - corners[:, 0, 1]) * (corners[:, 3, 0] - corners[:, 1, 0])
        )
        / 2
    )
    across = area / ((lengths[:, 1] + lengths[:, 3]) / 2) / side
    down = area / ((lengths[:, 0] + lengths[:, 2]) / 2) / side
    cell = np.stack([across, down], axis=-1)
    return np.clip(0.5 * np.exp(-((0.5 * cell / BLUR_PX) ** 2)), 0.0, 0.2)


def sharpened(cells: Floats, leak: Floats) -> Floats:
    """Cells with the light of their neighbours taken out again."""
    last = cells.shape[1] - 1
    before, after = [0, *range(last)], [*range(1, last + 1), last]
    a = leak[:, 0][:, None, None]
    b = leak[:, 1][:, None, None]
    right = (cells - a * (cells[:, :, before] + cells[:, :, after])) / (1 - 2 * a)
    return np.asarray((right - b * (right[:, before] + right[:, after])) / (1 - 2 * b))


def matched(cells: Floats, codes: Codes) -> BitReadings:
    """The words that cells (n, side + 2, side + 2) show."""
    count = len(cells)
    none = np.full(count, -1), np.zeros(count, dtype=np.int64), np.zeros(count), np.zeros(count)
    read = BitReadings(*none, np.zeros(count, dtype=np.bool_))
    inner = cells[:, 2:-2, 2:-2].reshape(count, -1)
    frame = np.concatenate(
        [cells[:, 1, 1:-1], cells[:, -2, 1:-1], cells[:, 2:-2, 1], cells[:, 2:-2, -2]], axis=1
    )
    black = middle_of(frame)
    rim = np.concatenate(
        [cells[:, 0, 1:-1], cells[:, -1, 1:-1], cells[:, 1:-1, 0], cells[:, 1:-1, -1]], axis=1
    )
    # Where the white margin is narrow, the white bits tell better what white is.
    brightest = np.partition(inner, -4, axis=1)[:, -4:].mean(axis=1)
    white = np.maximum(middle_of(rim), brightest)
    middle, half = (black + white) / 2, np.maximum((white - black) / 2, 1e-6)
    dark = ((frame - middle[:, None]) / half[:, None] < 0).mean(axis=1)
    # Most quadrangles have no black frame, whatever word they would show.
    rows = np.flatnonzero((white > black) & (dark >= min(FRAME_DARK_ALIKE, GLARED_FRAME)))
    signal = (inner[rows] - middle[rows, None]) / half[rows, None]
    seen = cells[rows, 1:-1, 1:-1].reshape(len(rows), codes.side**2)
    framed = worded(signal, seen, black[rows], dark[rows], codes)
    for one in fields(BitReadings):
        getattr(read, one.name)[rows] = getattr(framed, one.name)
    return read


def worded(signal: Floats, seen: Floats, black: Floats, dark: Floats, codes: Codes) -> BitReadings:
    """The words that framed quadrangles show.

    `signal`: their bits (n, bits) from -1 to 1; `seen`: all cells; `dark`: the share of the frame
    that is dark.
    """
    count = len(signal)
    signs = np.where(signal > 0, 1.0, -1.0)
    agree = signs @ codes.words.T
    best = np.argmax(agree, axis=1)
    wrong = (signs.shape[1] - agree[np.arange(count), best]) / 2
    # The dictionary corrects a few bits; how clear the others are decides.
    agreed = signal * codes.words[best]
    sure = np.sort(agreed, axis=1)
    last = np.minimum(wrong, codes.correctable).astype(np.int64)
    clarity = np.clip(sure[np.arange(count), last], -1.0, 1.0)
    ids, turns = best // 4, best % 4
    drawn = codes.drawn[best]
    likeness = correlation(seen, drawn)
    framed = dark >= np.where(likeness >= ALIKE, FRAME_DARK_ALIKE, FRAME_DARK)
    good = (wrong <= codes.correctable) & framed
    glared = np.zeros(count, dtype=np.bool_)
    rows = np.flatnonzero(wrong == codes.correctable + 1) if codes.spare else ()
    if len(rows):
        worst = np.argmin(agreed[rows], axis=1)
        # The cell's place among all cells, whose outermost ones are the black frame.
        bits = codes.side - 2
        repaired = seen[rows]
        place = (worst // bits + 1) * codes.side + worst % bits + 1
        repaired[np.arange(len(rows)), place] = black[rows]
        alike = correlation(repaired, drawn[rows])
        fine = (
            (codes.words[best[rows], worst] < 0)
            & (sure[rows, codes.correctable + 1] >= GLARED_CLARITY)
            & (alike >= GLARED_LIKENESS)
            & (dark[rows] >= GLARED_FRAME)
            & ~codes.plain[ids[rows]]
        )
        chosen = rows[fine]
        glared[chosen], good[chosen] = True, True
        clarity[chosen], likeness[chosen] = GLARED_CLARITY, alike[fine]
    return BitReadings(np.where(good, ids, -1), turns, clarity, likeness, glared)


def correlation(a: Floats, b: Floats) -> Floats:
    """How alike two rows of values are, whatever their brightness and contrast."""
    a = a - a.mean(axis=1, keepdims=True)
    b = b - b.mean(axis=1, keepdims=True)
    size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.asarray((a * b).sum(axis=1) / np.maximum(size, 1e-9))
