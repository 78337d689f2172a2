"""A tray that is being entered in the set-up: its tags, kind, mount, size and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.setup import TaggedTray, TrayTag, known_trays
from calibration.tags.mounts import MOUNTS, mount
from calibration.tags.tag_mount import raised

TAPPED = "tapped"
"""The mount of a tray whose corners were tapped."""


@dataclass(frozen=True, slots=True)
class TrayDraft:
    """The values entered for a tray so far."""

    ids: tuple[int, ...]
    unit: str
    tray: str = "infantry"
    mount: str = "stand"
    size_mm: float = 25.0
    up_mm: float | None = None
    """The measured height; None uses the mount's default."""
    seats: tuple[TrayTag, ...] = ()
    """Where the tags are on the tray, once its corners were tapped."""
    before: str = ""
    """The unit that this replaces, if a known tray is edited."""

    @property
    def wanted(self) -> int:
        """How many tags the mount needs."""
        return MOUNTS[self.mount].tags if self.mount != TAPPED else len(self.ids)

    def tagged(self) -> TaggedTray | None:
        """The tray for the set-up; None while something is missing."""
        tray = known_trays()[self.tray]
        if self.mount == TAPPED:
            tags = tuple(replace(tag, size_mm=self.size_mm) for tag in self.seats)
        elif len(self.ids) == self.wanted:
            tags = mount(self.mount, tray, self.ids, self.size_mm)
        else:
            return None
        if self.up_mm is not None:
            tags = raised(tags, self.up_mm)
        return TaggedTray(self.unit, tray, tags) if tags and self.unit else None


def same_seats(some: Sequence[TrayTag], others: Sequence[TrayTag]) -> bool:
    """Whether the tags are at the same places, ignoring their heights."""
    return all(
        (a.id, a.turn) == (b.id, b.turn)
        and abs(a.forward - b.forward) < 1e-3
        and abs(a.left - b.left) < 1e-3
        and (a.up > 0) == (b.up > 0)
        for a, b in zip(some, others, strict=True)
    )
