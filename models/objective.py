"""An objective token on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.field import Field
from models.pose import FAR_IN

TOKEN_RADIUS_IN = 18 / 25.4
"""A token is 36 mm across."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A round token: centre and radius in inches."""

    id: str
    x: float
    y: float
    radius: float = TOKEN_RADIUS_IN

    @classmethod
    def read(cls, field: Field) -> Objective:
        """Read an objective object from a table file."""
        raw = field.keys({"id", "x", "y", "radius"}, {"id", "x", "y"})
        return cls(
            field.member("id").text(60),
            field.member("x").number(-FAR_IN, FAR_IN),
            field.member("y").number(-FAR_IN, FAR_IN),
            field.member("radius").number(0.05, 6) if "radius" in raw else TOKEN_RADIUS_IN,
        )

    def plain(self) -> dict[str, Any]:
        """The token as a JSON object."""
        return {"id": self.id, "x": self.x, "y": self.y, "radius": self.radius}
