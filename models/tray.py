"""The movement tray a unit stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.field import Field

DEFAULT_ARC_DEG = 45.0
"""OR-2, reading A: the arc angle of a tray that does not specify one."""


@dataclass(frozen=True, slots=True)
class Tray:
    """Width across the front, depth front to back (inches), and the angle of its arc lines.

    `arc_deg` is measured from the forward axis at the front corners and from the backward axis at
    the rear ones. `models` and `ranks` are those of a full tray.
    """

    name: str
    width: float
    depth: float
    arc_deg: float = DEFAULT_ARC_DEG
    models: int = 1
    ranks: int = 1
    round: bool = False
    """Whether it is the round base of one figure: `width` and `depth` are its diameter."""

    @property
    def standard(self) -> bool:
        """Whether the tray is from the catalogue, known by its name."""
        return bool(self.name)

    @classmethod
    def read(cls, field: Field, known: Mapping[str, Tray]) -> Tray:
        """Read a catalogue tray by name, or one measured by the players."""
        if isinstance(field.raw, str):
            return known[field.choice(known)]
        field.keys({"width", "depth", "arc"}, {"width", "depth"})
        arc = DEFAULT_ARC_DEG
        if "arc" in field.raw:
            arc = field.member("arc").number(1, 89)
        return cls(
            "", field.member("width").number(0.25, 24), field.member("depth").number(0.25, 24), arc
        )

    @classmethod
    def base(cls, diameter: float) -> Tray:
        """The round base of one figure."""
        return cls("", diameter, diameter, round=True)

    @classmethod
    def entry(cls, field: Field, name: str) -> Tray:
        """Read an entry of `trays.toml`."""
        raw = field.keys({"width", "depth", "arc", "models", "ranks"}, {"width", "depth"})
        return cls(
            name,
            field.member("width").number(0.25, 24),
            field.member("depth").number(0.25, 24),
            field.member("arc").number(1, 89) if "arc" in raw else DEFAULT_ARC_DEG,
            field.member("models").whole(1, 60) if "models" in raw else 1,
            field.member("ranks").whole(0, 6) if "ranks" in raw else 1,
        )

    def plain(self) -> Any:
        """The tray as a JSON value."""
        if self.standard:
            return self.name
        if self.round:
            return {"diameter": self.width}
        return {"width": self.width, "depth": self.depth, "arc": self.arc_deg}
