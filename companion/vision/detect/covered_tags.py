"""A tag that was followed and is now partly covered: fitted to what is still visible of it.

A tray slides and turns on its plane, so a tag that was measured a moment ago has three degrees of
freedom left. They are fitted to the part that still looks like the tag; hands, banners and dice
are left out point by point. Only what is proved is told: enough of the tag is visible, all of it
agrees, and no other place nearby explains the picture nearly as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.bits import Codes, cell_samples
from companion.vision.detect.detection import Detection
from companion.vision.detect.pixels import LINEAR, Grey, homographies, in_picture, sampled
from companion.vision.detect.tag_reading import inside
from companion.vision.detect.template import EVENLY_READ_PX, axes, bends, draw, grid, steps_of

Floats = NDArray[np.floating]

PASSES, SETTLED = 8, 3e-4
"""The fit ends after so many passes, or when one moves it by less (in sides, and in radians)."""
AGREES = 0.16
"""Points whose light differs by less than this share of black to white show the tag."""
LEAST_VISIBLE = 0.62
"""Share of the tag's points, and of its white and of its black ones, that must show it."""
LEAST_VISIBLE_COLOUR = 0.45
CELL_AGREES = 0.35
"""The same for whole cells: blur takes more of them."""
LEAST_STEP = 12.0
"""From black to white, in grey values of linear light."""
MOST_MISFIT = 0.075
CLEARLY_BEST = 0.12
"""No place a cell away, and no turn, may explain almost as many points."""
CAUTION = 4.0
"""More variance than the visible points claim: what covers a tag also shades its edges."""
FLOOR_PX = 0.12
MOST_MOVED_SIDES, MOST_TURNED = 1.0, 0.2
"""Nobody pushes a tray farther between two frames, in sides of its tag and in radians."""
BENT_PX, BENT_SHARE = 0.4, 0.02
"""Corners of a tag that slid over its plane lie so close to where it puts them, and this share of
the shift farther, since things grow as they come nearer."""
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class CoveredFit:
    """Shift in sides and turn in radians on the tag's plane, and how the picture agrees there."""

    motion: Floats
    visible: NDArray[np.bool_]
    """Which points show the tag (m)."""
    misfit: float
    black: float
    step: float
    covariance: Floats
    """Of the motion (3, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class CoveredTag:
    """A tag as it looked when it was last measured: where it is read, and what is expected."""

    map: Floats
    """From the unit square to the picture (3, 3), where the tag was last found."""
    unit: Floats
    bend: Floats
    light: Floats
    slope: Floats
    """Change of the expected light per pixel (m, 2)."""
    independent: float
    """Share of the points that are not closer together than pixels."""

    @classmethod
    def of(cls, tag: Detection, codes: Codes, lens: Lens | None) -> CoveredTag:
        """The sheet of a tag that was found before."""
        corners = np.asarray(tag.corners_px, dtype=np.float64)[None]
        across, down = axes(corners, codes.side)
        cell = float(np.sqrt(abs(across[0, 0] * down[0, 1] - across[0, 1] * down[0, 0])))
        # Points that lie evenly tell which share of it is visible.
        steps = steps_of(codes.side, np.array([min(cell, EVENLY_READ_PX)]))
        unit = grid(steps) / codes.side
        blur = np.array([min(max(tag.blur_px, 0.6), 2.0)])
        drawn = draw(codes.sheets[[tag.id]], steps, across, down, blur)
        slope = np.stack([drawn.slope_x[0], drawn.slope_y[0]], axis=-1)
        bend = bends(corners, unit, lens)[0]
        crowded = max(1.0, 0.5 / (float(np.median(np.diff(steps[0]))) * cell) ** 2)
        return cls(homographies(corners)[0], unit[0], bend, drawn.light[0], slope, 1.0 / crowded)

    def places(self, motion: Floats, points: Floats) -> Floats:
        """Where points of the square (m, 2) lie in the picture after a motion on the plane."""
        return np.asarray(in_picture(self.map[None], turned(points, motion))[0])

    def ways(self, motion: Floats, points: Floats) -> Floats:
        """Pixels that each point goes per unit of each degree of freedom (m, 2, 3)."""
        moved = turned(points, motion)
        scale = moved @ self.map[2, :2] + self.map[2, 2]
        there = (moved @ self.map[:2, :2].T + self.map[:2, 2]) / scale[:, None]
        along = (self.map[:2, :2] - there[:, :, None] * self.map[2, :2]) / scale[:, None, None]
        about = moved - 0.5 - motion[:2]
        around = -along[..., 0] * about[:, 1, None] + along[..., 1] * about[:, 0, None]
        return np.concatenate([along, around[..., None]], axis=-1)

    def read(self, grey: Grey, motion: Floats) -> Floats:
        """The picture's light at the points after a motion."""
        places = self.places(motion, self.unit) + self.bend
        return LINEAR.light(sampled(grey, places, smooth=True))

    def agreement(self, light: Floats) -> tuple[NDArray[np.bool_], float, float, float]:
        """Which points show the tag; black, step to white, and misfit of those points."""
        white, black = self.light > 0.9, self.light < 0.1
        if not (white.any() and black.any()):
            # So small and soft that nothing of it is quite white or quite black.
            return np.zeros(len(light), dtype=np.bool_), 0.0, 0.0, 1.0
        low, high = float(np.median(light[black])), float(np.median(light[white]))
        step = max(high - low, 1e-3)
        error = (light - low) / step - self.light
        visible = np.abs(error) < AGREES
        for _ in range(2):
            if visible.sum() < 20:
                break
            drawn, seen = self.light[visible], light[visible]
            spread = drawn - drawn.mean()
            step = max(float(spread @ seen / max(float(spread @ spread), 1e-9)), 1e-3)
            low = float(seen.mean() - step * drawn.mean())
            error = (light - low) / step - self.light
            visible = np.abs(error) < AGREES
        misfit = float(np.sqrt(np.mean(error[visible] ** 2))) if visible.any() else 1.0
        return visible, low, step, misfit


def turned(points: Floats, motion: Floats) -> Floats:
    """Points of the square (m, 2) after a motion: turned about its middle, then shifted."""
    cos, sin = np.cos(motion[2]), np.sin(motion[2])
    return np.asarray((points - 0.5) @ np.array([[cos, sin], [-sin, cos]]) + 0.5 + motion[:2])


def fit_covered(
    grey: Grey, tag: Detection, guesses: Iterable[Floats], codes: Codes, lens: Lens | None
) -> Detection | None:
    """The tag where its visible part shows it, or None if that cannot be proved.

    `guesses` are shifts of its centre in pixels from where it was last found, the likeliest first.
    """
    sheet = CoveredTag.of(tag, codes, lens)
    for guess in guesses:
        fit = fitted(grey, sheet, start_of(sheet, guess))
        if fit is not None and proved(grey, sheet, fit, codes.side):
            corners = sheet.places(fit.motion, CORNERS)
            if inside(grey, corners[None])[0] and reads_best(grey, corners, fit, tag.id, codes):
                return covered_tag(tag, sheet, fit, corners)
    return None


def covered_tag(tag: Detection, sheet: CoveredTag, fit: CoveredFit, corners: Floats) -> Detection:
    """A tag that was found before, where it is now."""
    ways = sheet.ways(fit.motion, CORNERS).reshape(8, 3)
    covariance = ways @ (CAUTION * fit.covariance) @ ways.T
    covariance += np.asarray(tag.covariance_px) + FLOOR_PX**2 * np.eye(8)
    return replace(
        tag,
        corners_px=corners,
        covariance_px=covariance,
        misfit=fit.misfit,
        rough=False,
        covered=max(1e-3, 1.0 - float(fit.visible.mean())),
        edges_px=None,
    )


def reads_best(grey: Grey, corners: Floats, fit: CoveredFit, tag_id: int, codes: Codes) -> bool:
    """Whether no other tag, turned in whichever way, explains as many cells as this one."""
    cells = LINEAR.light(cell_samples(grey, corners[None], codes.side)).mean(axis=-1)[0]
    share = (cells[2:-2, 2:-2].ravel() - fit.black) / fit.step
    white, dark = np.abs(share - 1.0) < CELL_AGREES, np.abs(share) < CELL_AGREES
    explained = (codes.words > 0) @ white.astype(np.int64) + (codes.words < 0) @ dark.astype(
        np.int64
    )
    own = explained[4 * tag_id]
    explained[4 * tag_id] = -1
    return bool(own > explained.max())


def slid(before: Floats, after: Floats) -> NDArray[np.bool_]:
    """Which tags (n, 4, 2) may have slid and turned on their planes from before to after.

    An edge that is fitted to a finger instead of the paper bends the quadrangle.
    """
    maps, small = homographies(before), 1e-4
    about = CORNERS - 0.5
    turned = np.stack([-about[:, 1], about[:, 0]], axis=-1)
    directions = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), turned]
    ways = np.stack(
        [
            (in_picture(maps, CORNERS + small * way) - before).reshape(-1, 8) / small
            for way in directions
        ],
        axis=-1,
    )
    change = (after - before).reshape(-1, 8, 1)
    turnover = np.swapaxes(ways, 1, 2)
    motion = np.linalg.solve(turnover @ ways + 1e-9 * np.eye(3), turnover @ change)
    left = np.abs(change - ways @ motion).max(axis=(1, 2))
    shift = np.abs((after - before).mean(axis=1)).max(axis=1)
    return np.asarray(left < BENT_PX + BENT_SHARE * shift)


def start_of(sheet: CoveredTag, shift_px: Floats) -> Floats:
    """The motion that shifts the centre by so many pixels."""
    middle = sheet.ways(np.zeros(3), np.array([[0.5, 0.5]]))[0][:, :2]
    return np.array([*np.linalg.solve(middle, np.asarray(shift_px, dtype=np.float64)), 0.0])


def fitted(grey: Grey, sheet: CoveredTag, motion: Floats) -> CoveredFit | None:
    """The motion that agrees best with the visible points, from a first guess."""
    visible, low, step, misfit = np.zeros(0, dtype=np.bool_), 0.0, 0.0, 1.0
    square = np.eye(3)
    for _ in range(PASSES):
        light = sheet.read(grey, motion)
        visible, low, step, misfit = sheet.agreement(light)
        if visible.mean() < 0.3 or step < LEAST_STEP:
            return None
        ways = sheet.ways(motion, sheet.unit)
        rows = -step * np.einsum("mk,mkj->mj", sheet.slope, ways)
        error = light - low - step * sheet.light
        # Points near an edge may lie beyond the limit only because the tag has moved.
        weight = 1.0 / (1.0 + (error / (AGREES * step)) ** 2) ** 2
        square = (rows * weight[:, None]).T @ rows + 1e-9 * np.eye(3)
        change = np.linalg.solve(square, (rows * weight[:, None]).T @ error)
        motion = motion + np.clip(change, -0.08, 0.08)
        if np.abs(change).max() < SETTLED:
            break
    if np.hypot(motion[0], motion[1]) > MOST_MOVED_SIDES or abs(motion[2]) > MOST_TURNED:
        return None
    noise = misfit * step
    covariance = np.linalg.inv(square) * noise**2 / sheet.independent
    return CoveredFit(motion, visible, misfit, low, step, covariance)


def proved(grey: Grey, sheet: CoveredTag, fit: CoveredFit, side: int) -> bool:
    """Whether so much is visible, so well, and only here."""
    white, black = sheet.light > 0.9, sheet.light < 0.1
    share = float(fit.visible.mean())
    if (
        fit.misfit > MOST_MISFIT
        or share < LEAST_VISIBLE
        or fit.visible[white].mean() < LEAST_VISIBLE_COLOUR
        or fit.visible[black].mean() < LEAST_VISIBLE_COLOUR
    ):
        return False
    cell = 1.0 / side
    for dx, dy, turn in (
        (cell, 0, 0),
        (-cell, 0, 0),
        (0, cell, 0),
        (0, -cell, 0),
        (0, 0, 0.25),
        (0, 0, -0.25),
    ):
        other = fit.motion + np.array([dx, dy, turn])
        visible, _, step, _ = sheet.agreement(sheet.read(grey, other))
        if step > LEAST_STEP / 2 and visible.mean() > share - CLEARLY_BEST:
            return False
    return True
