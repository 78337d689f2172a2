"""A tray that is being entered in a camera's set-up, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.references.table_pose import TablePose
from calibration.setup import Setup, TaggedTray, TrayTag, known_trays
from calibration.tags.mount_fit import raised
from calibration.tags.mounts import MOUNTS, mount
from companion.engine.app_words import _, ruler
from companion.geometry.plane.answer import SURE_SIGMAS
from companion.vision.look import TableLook
from companion.vision.unknown_trays import tap

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
    assumed: bool = False
    """Whether its kind is that of the tray before, and nobody has said so."""

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


APART_IN = 0.6
"""Two tags so much farther apart or nearer than their mount says do not sit on one tray."""


def tray_fault(draft: TrayDraft, setup: Setup, look: TableLook | None) -> str:
    """Why a tray cannot be kept: a tag or its name is another tray's, or a tag is not on it."""
    for tray in setup.trays:
        if tray.unit == draft.before:
            continue
        if tray.unit == draft.unit:
            return _("Another tray is called {unit} already.", unit=draft.unit)
        taken = [tag.id for tag in tray.tags if tag.id in draft.ids]
        if taken:
            return _("Tag {number} sits on tray {unit} already.", number=taken[0], unit=tray.unit)
    apart = tags_apart_in(draft, look) if look is not None else None
    if apart is None:
        return ""
    return _(
        "Tags {ids} are {far} apart: they do not sit on one tray.",
        ids=", ".join(str(number) for number in draft.ids),
        far=ruler().length(apart),
    )


def tags_apart_in(draft: TrayDraft, look: TableLook) -> float | None:
    """How far apart two tags are seen, if their mount does not allow that."""
    told = draft.tagged()
    if told is None or len(told.tags) != 2 or not isinstance(look.camera, TablePose):
        return None
    one, two = told.tags
    if one.id not in look.tags or two.id not in look.tags:
        return None
    spots = [tap(look.camera, tuple(look.tags[tag.id].centre_px), tag.up) for tag in (one, two)]
    apart = math.dist((spots[0].x, spots[0].y), (spots[1].x, spots[1].y))
    usual = math.dist((one.forward, one.left), (two.forward, two.left))
    return apart if abs(apart - usual) > APART_IN else None


def apart_within_in(sight: TableLook, setup: Setup) -> float | None:
    """How wrong the distance between two of its trays may be, in inches: three standard deviations
    of two usual ones; None where none of the set-up's is seen."""
    kinds = {tray.unit: tray.tray for tray in setup.trays}
    corners = [
        math.hypot(
            tray.pose.sigma.xy_in,
            math.radians(tray.pose.sigma.heading_deg)
            * math.hypot(kinds[tray.unit].width, kinds[tray.unit].depth)
            / 2,
        )
        for tray in sight.trays
        if tray.unit in kinds  # one that was just renamed is seen anew in the next picture
    ]
    return SURE_SIGMAS * math.sqrt(2) * float(np.median(corners)) if corners else None
