"""A camera's lens: how directions become pixels and back, how sure that is, and what is expected
of a lens before any picture (its prior); with the inverses and linear systems that calibration
uses.

>>> lens = Lens.ideal((1920, 1080), 70.0)
>>> lens.pixels(lens.rays(np.array([[100.0, 200.0]]))).round(6).tolist()
[[100.0, 200.0]]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from models.field import Field, shown
from models.message import CompanionError
from models.record_reader import WRITTEN, Between, Length, Record

Floats = NDArray[np.float64]

PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")
"""The numbers of a lens in the order in which their uncertainties are written."""

MAX_SIDE_PX = 20_000
MAX_FOCAL_PX = 1e6


class WrongPictureSize(CompanionError):
    """A picture whose size is not the one its lens was calibrated for."""


PictureSide = Annotated[int, Between(16, MAX_SIDE_PX)]
MatrixEntry = Annotated[float, Between(-MAX_FOCAL_PX, MAX_FOCAL_PX)]
DistortionEntry = Annotated[float, Between(-100, 100)]
SigmaEntry = Annotated[float, Between(0, 1e6)]


@dataclass(frozen=True, slots=True)
class Lens(Record):
    """Picture size, camera matrix (row by row) and distortion k1 k2 p1 p2 k3.

    Pixel coordinates put the centre of the first pixel at (0, 0). `sigma` holds one standard
    deviation per name in PARAMETERS, empty when the file gave none. `estimated` marks a lens
    that nobody calibrated.
    """

    size: tuple[PictureSide, PictureSide]
    matrix: Annotated[tuple[MatrixEntry, ...], Length(9, 9)]
    distortion: Annotated[tuple[DistortionEntry, ...], Length(5, 4), WRITTEN] = (0.0,) * 5
    sigma: Annotated[tuple[SigmaEntry, ...], Length(9, 9)] = ()
    estimated: bool = False

    # -- making -----------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        size: tuple[int, int],
        focal_px: tuple[float, float],
        centre_px: tuple[float, float],
        distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0),
        sigma: tuple[float, ...] = (),
        estimated: bool = False,
    ) -> Lens:
        """A lens from its focal lengths, its centre and its distortion."""
        matrix = (focal_px[0], 0.0, centre_px[0], 0.0, focal_px[1], centre_px[1], 0.0, 0.0, 1.0)
        return cls(size, matrix, distortion, sigma, estimated)

    @classmethod
    def ideal(
        cls,
        size: tuple[int, int],
        wide_deg: float,
        distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0),
    ) -> Lens:
        """A centred lens that sees so many degrees from the left edge to the right one."""
        focal = size[0] / 2 / math.tan(math.radians(wide_deg) / 2)
        return cls.of(size, (focal, focal), ((size[0] - 1) / 2, (size[1] - 1) / 2), distortion)

    def checked(self, field: Field, about: Any) -> Lens:
        """The lens of a file with all five distortions; one that cannot be is refused."""
        matrix, raw = self.matrix, field.raw
        if matrix[0] < 1 or matrix[4] < 1:
            field.member("matrix").fail(f"{shown(raw['matrix'])} has a focal length below 1 pixel")
        if (matrix[1], matrix[3], *matrix[6:]) != (0.0, 0.0, 0.0, 0.0, 1.0):
            field.member("matrix").fail(
                f"{shown(raw['matrix'])} is not [fx, 0, cx, 0, fy, cy, 0, 0, 1]"
            )
        lens = replace(self, distortion=(*self.distortion, 0.0)[:5])
        if not lens.single_valued():
            field.member("distortion").fail(
                f"{shown(raw['distortion'])} folds the picture over itself"
            )
        return lens

    # -- asking -----------------------------------------------------------------------------

    @property
    def k(self) -> Floats:
        """The camera matrix, 3 x 3."""
        return np.array(self.matrix, dtype=np.float64).reshape(3, 3)

    @property
    def d(self) -> Floats:
        """The distortion, k1 k2 p1 p2 k3."""
        return np.array(self.distortion, dtype=np.float64)

    @property
    def parameters(self) -> Floats:
        """fx fy cx cy k1 k2 p1 p2 k3."""
        m = self.matrix
        return np.array([m[0], m[4], m[2], m[5], *self.distortion], dtype=np.float64)

    def with_parameters(self, values: Floats) -> Lens:
        """The same camera with other numbers."""
        fx, fy, cx, cy, *rest = (float(value) for value in values)
        return Lens.of(self.size, (fx, fy), (cx, cy), tuple(rest), self.sigma, self.estimated)

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether a picture of that size comes from this lens as calibrated."""
        return self.size == size

    def require(self, size: tuple[int, int], source: str = "picture") -> None:
        """Refuse a picture of another size: its pixels mean other directions."""
        if not self.fits(size):
            raise WrongPictureSize(
                f"{source}: is {size[0]} x {size[1]}, "
                f"but the lens was calibrated at {self.size[0]} x {self.size[1]}"
            )

    def seen_at(self, size: tuple[int, int], source: str = "picture") -> Lens:
        """The lens for pictures of that size: the same, or the one of a camera held upright.

        Nobody knows to which side the camera was turned, so the centre is the picture's middle,
        in doubt by as much as it lies beside it.
        """
        if self.fits(size) or size != (self.size[1], self.size[0]):
            self.require(size, source)
            return self
        fx, fy, cx, cy, k1, k2, p1, p2, k3 = (float(value) for value in self.parameters)
        middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
        off, tangent = (cy - middle[0], cx - middle[1]), math.hypot(p1, p2)
        claimed = self.sigma or (0.0,) * len(PARAMETERS)
        sigma = (
            claimed[1],
            claimed[0],
            math.hypot(claimed[3], off[0]),
            math.hypot(claimed[2], off[1]),
            *claimed[4:6],
            math.hypot(claimed[7], tangent),
            math.hypot(claimed[6], tangent),
            claimed[8],
        )
        bent = (k1, k2, 0.0, 0.0, k3)
        return Lens.of(size, (fy, fx), middle, bent, sigma, self.estimated)

    # -- pixels and rays --------------------------------------------------------------------

    def pixels(self, rays: Floats) -> Floats:
        """Directions (x/z, y/z; n x 2) to pixels."""
        bent = distorted(np.asarray(rays, dtype=np.float64), self.distortion)
        m = self.matrix
        return np.stack([bent[..., 0] * m[0] + m[2], bent[..., 1] * m[4] + m[5]], axis=-1)

    def rays(self, pixels: Floats) -> Floats:
        """Pixels to directions (x/z, y/z); exact to far below a thousandth of a pixel."""
        m = self.matrix
        points = np.asarray(pixels, dtype=np.float64)
        aim = np.stack([(points[..., 0] - m[2]) / m[0], (points[..., 1] - m[5]) / m[4]], axis=-1)
        if not any(self.distortion):
            return aim
        found = aim.copy()
        # Newton's method: the fixed-point iteration of cv2 stops short in the corners of a
        # strongly bent lens. The 2 x 2 systems are solved by hand: rendering asks for millions.
        for _ in range(12):
            error = distorted(found, self.distortion) - aim
            xx, xy, yy = distortion_slope(found, self.distortion)
            scale = xx * yy - xy * xy
            found[..., 0] -= (yy * error[..., 0] - xy * error[..., 1]) / scale
            found[..., 1] -= (xx * error[..., 1] - xy * error[..., 0]) / scale
            # Every step squares the error, so the one just taken has left nothing.
            if float(np.max(np.abs(error), initial=0.0)) < 1e-7:
                break
        return found

    def single_valued(self) -> bool:
        """Whether the distortion keeps growing outwards as far as the picture's corners."""
        if not any(self.distortion):
            return True
        m = self.matrix
        reach = max(
            math.hypot((x - m[2]) / m[0], (y - m[5]) / m[4])
            for x in (0, self.size[0])
            for y in (0, self.size[1])
        )
        k1, k2, _, _, k3 = self.distortion
        farthest = min(self.folds_at(), 4.0 * reach)
        square = farthest**2
        return bool(farthest * (1 + square * (k1 + square * (k2 + square * k3))) > reach)

    def folds_at(self) -> float:
        """How far from the middle (tangent of the angle) the distortion begins to turn back."""
        k1, k2, _, _, k3 = self.distortion
        roots = np.roots([7 * k3, 5 * k2, 3 * k1, 1.0])
        squares = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real > 0)]
        return math.sqrt(float(squares.min())) if len(squares) else math.inf


def distorted(rays: Floats, distortion: tuple[float, ...]) -> Floats:
    """Straight directions as the lens bends them."""
    k1, k2, p1, p2, k3 = distortion
    x, y = rays[..., 0], rays[..., 1]
    square = x * x + y * y
    grow = 1 + square * (k1 + square * (k2 + square * k3))
    return np.stack(
        [
            x * grow + 2 * p1 * x * y + p2 * (square + 2 * x * x),
            y * grow + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=-1,
    )


def distortion_slope(rays: Floats, distortion: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    """Derivative of the bent direction by the straight one: xx, xy (equal to yx), yy."""
    k1, k2, p1, p2, k3 = distortion
    x, y = rays[..., 0], rays[..., 1]
    square = x * x + y * y
    grow = 1 + square * (k1 + square * (k2 + square * k3))
    rate = 2 * (k1 + square * (2 * k2 + square * 3 * k3))
    cross = x * y * rate + 2 * p1 * x + 2 * p2 * y
    return (
        grow + x * x * rate + 2 * p1 * y + 6 * p2 * x,
        cross,
        grow + y * y * rate + 6 * p1 * y + 2 * p2 * x,
    )


def inverse(matrix: Floats) -> Floats:
    """The inverse of one matrix, or of each of a stack; singular ones by their pseudoinverse.

    Whether a nearly singular matrix still has an inverse depends on the processor's last bit.
    What is not even finite has the inverse 0: nothing is known of it.
    """
    try:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        finite = np.isfinite(matrix).all(axis=(-2, -1), keepdims=True)
        found = np.linalg.pinv(np.where(finite, matrix, 0.0), hermitian=False)
        return np.asarray(np.where(finite, found, 0.0), dtype=np.float64)


def solved(matrix: Floats, right: Floats) -> Floats:
    """The x with matrix x = right, or the nearest there is."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(inverse(matrix) @ right, dtype=np.float64)


USUAL_WIDE_DEG = 66.0
USUAL_FOCAL = 0.5 / math.tan(math.radians(USUAL_WIDE_DEG) / 2)
"""Lens of a usual tablet, and its focal length as a share of the picture's width."""


VAGUE_FOCAL = 0.01
"""A focal length in doubt by a larger share than this was measured from few or level photos."""
HELD = 1e5
"""How firmly a focal length is held that is taken as given: its share of one sigma."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """The expected lens and the information (inverse covariance) of its parameters."""

    lens: Lens
    information: Floats

    def held(self, focal_px: float) -> Prior:
        """The same prior with the focal length fixed."""
        now = self.lens.parameters
        share = focal_px / now[0]
        information = self.information.copy()
        information[:2] = information[:, :2] = 0.0
        information[:2, :2] = np.eye(2) * (HELD / focal_px) ** 2
        now[:2] *= share
        return Prior(self.lens.with_parameters(now), information)


def prior_of(lens: Lens | None, size: tuple[int, int]) -> Prior:
    """The prior of a calibrated lens, or of an unknown one.

    However well it was calibrated, focusing and warmth change a lens a little: 0.2 % of the
    focal length, 0.1 % of the width for the centre, 0.001 of k1. What the file says about its
    uncertainty comes on top.
    """
    if lens is None:
        guess = Lens.ideal(size, USUAL_WIDE_DEG)
        guess = Lens(size, guess.matrix, guess.distortion, (), True)
        return Prior(guess, belief(guess, 0.35, 0.002, 0.008, (0.08, 0.03, 4e-4, 4e-4, 1e-6)))
    if lens.estimated:
        return Prior(lens, belief(lens, 0.02, 0.002, 0.008, (0.03, 0.02, 4e-4, 4e-4, 1e-6)))
    usual = belief(lens, 0.002, 0.0002, 0.001, (1e-3, 5e-4, 3e-5, 3e-5, 1e-6))
    if lens.sigma:
        doubt = np.diag(np.array(lens.sigma) ** 2)
        if lens.sigma[0] > VAGUE_FOCAL * lens.matrix[0]:
            # Both focal lengths of a vague lens are off alike: pixels are square.
            doubt[:2, :2] = np.outer(lens.sigma[:2], lens.sigma[:2])
        usual = inverse(inverse(usual) + doubt)
    return Prior(lens, usual)


def belief(
    lens: Lens, focal: float, aspect: float, centre: float, distortion: tuple[float, ...]
) -> Floats:
    """Information of independent sigmas: shares of focal length and width, then distortion."""
    fx, fy = lens.matrix[0], lens.matrix[4]
    covariance = np.zeros((9, 9))
    both = np.array([fx, fy]) * focal
    covariance[:2, :2] = np.outer(both, both) + np.diag((np.array([fx, fy]) * aspect) ** 2)
    covariance[2:4, 2:4] = np.eye(2) * (centre * lens.size[0]) ** 2
    covariance[4:, 4:] = np.diag(np.array(distortion) ** 2)
    return inverse(covariance)


def guesses(size: tuple[int, int]) -> list[Lens]:
    """Lenses from wide to long, for an unknown camera."""
    lenses = [Lens.ideal(size, wide) for wide in (35.0, 45.0, 55.0, 66.0, 80.0, 95.0)]
    return [Lens(lens.size, lens.matrix, lens.distortion, (), True) for lens in lenses]
