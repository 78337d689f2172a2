"""Tags in a picture that no tray of the set-up carries yet, measured like all others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calibration.references.table_pose import TablePose
from calibration.setup import Setup, TrayTag
from companion.vision.detect.dictionaries import find_all, refit_all
from companion.vision.look import TableLook, measured, seen_sizes_mm
from companion.vision.sources.frame import CameraFrame


@dataclass(frozen=True, slots=True, eq=False)
class UnknownTags:
    """One look at the table, and the tags in it that belong to no tray."""

    sight: TableLook
    free: tuple[int, ...]
    noticed: frozenset[int]
    """Everything ever seen free: the next look fits these too."""

    def seen_mm(self, ids: Sequence[int], up: float = 0.0) -> float | None:
        """How wide tags at that height look, on average; None while the table is lost."""
        camera, tags = self.sight.camera, self.sight.tags
        here = [TrayTag(number, 1.0, up=up) for number in ids if number in tags]
        if not here or not isinstance(camera, TablePose):
            return None
        sizes = seen_sizes_mm(here, tags, camera)
        return sum(sizes) / len(sizes)


def newcomers(frame: CameraFrame, setup: Setup, noticed: Collection[int] = ()) -> UnknownTags:
    """Look at a picture for trays that are known and for tags that are not.

    A tag that is seen for the first time is only noticed; from the next picture on it is fitted.
    """
    if setup.lens is not None:
        setup.lens.require(frame.size, frame.name or "picture")
    grey = frame.grey()
    own = setup.ids()
    found = find_all(grey, setup, noticed)
    problems = [f"tag {tag} is seen in two places" for tag in sorted(found.twins)]
    sight = measured(frame.name, found.tags, setup, frame.size, problems)
    if setup.lens is None and isinstance(sight.camera, TablePose):
        bent = refit_all(grey, found.tags, setup, sight.camera.lens)
        sight = measured(frame.name, bent, setup, frame.size, problems)
    free = tuple(sorted(tag for tag in sight.tags if tag not in own))
    return UnknownTags(sight, free, frozenset(noticed) | found.strangers | frozenset(free))
