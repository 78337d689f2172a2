"""A pose: position and heading, with its measurement uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from models.field import Field
from models.record_reader import WRITTEN, Between, FileKey, Record

FAR_IN = 240.0
"""No position is farther than this from the table's corner."""
TablePlace = Annotated[float, Between(-FAR_IN, FAR_IN)]


@dataclass(frozen=True, slots=True)
class Sigma(Record):
    """One standard deviation of a measured pose; zero means exact."""

    xy_in: Annotated[float, Between(0, 12), FileKey("xy"), WRITTEN] = 0.0
    heading_deg: Annotated[float, Between(0, 90), FileKey("heading"), WRITTEN] = 0.0

    def __bool__(self) -> bool:
        return self.xy_in > 0 or self.heading_deg > 0


EXACT = Sigma()


@dataclass(frozen=True, slots=True)
class Pose:
    """Centre in inches, heading in degrees counter-clockwise from +x.

    >>> Pose(12, 10, 450).heading
    90.0
    """

    x: float
    y: float
    heading: float
    sigma: Sigma = EXACT

    def __post_init__(self) -> None:
        # A tiny negative number modulo 360 gives 360 itself, so it is applied twice.
        object.__setattr__(self, "heading", self.heading % 360.0 % 360.0)

    @classmethod
    def read(cls, field: Field) -> Pose:
        """Read the members x, y, heading and sigma of an object."""
        return cls(
            field.member("x").number(-FAR_IN, FAR_IN),
            field.member("y").number(-FAR_IN, FAR_IN),
            field.member("heading").number(-36000, 36000),
            Sigma.read(field.member("sigma")) if "sigma" in field.raw else EXACT,
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"x": self.x, "y": self.y, "heading": self.heading}
        if self.sigma:
            text["sigma"] = self.sigma.to_json()
        return text

    def ahead(self, forward_in: float, left_in: float = 0.0) -> tuple[float, float]:
        """The point at this distance forward and left of the centre."""
        angle = math.radians(self.heading)
        cos, sin = math.cos(angle), math.sin(angle)
        return (
            self.x + forward_in * cos - left_in * sin,
            self.y + forward_in * sin + left_in * cos,
        )

    def shifted(self, forward_in: float, left_in: float = 0.0) -> Pose:
        """The pose moved forward and left, with the same heading."""
        x, y = self.ahead(forward_in, left_in)
        return Pose(x, y, self.heading, self.sigma)

    def turned(self, heading: float) -> Pose:
        """The same position with another heading."""
        return Pose(self.x, self.y, heading, self.sigma)
