"""Why a picture does not tell where the camera stands over the table, in words that help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera.camera_fit import CameraFit, SeenReference
from calibration.references.next_reference import NextReference
from calibration.setup import Setup
from models.message import joined, say

CLEAR_PX = 1.0
"""A reference that is off by less is not named."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A reference tag that lies elsewhere than the others say, by so many pixels."""

    id: int
    off_px: float

    def __str__(self) -> str:
        return f"reference {self.id} disagrees by {self.off_px:.1f} px"


@dataclass(frozen=True, slots=True)
class TableLost:
    """Why the table's pose could not be found in a picture."""

    reason: str
    seen: tuple[int, ...] = ()
    dropped: tuple[Disagreement, ...] = ()
    fault: str = ""
    """What is wrong with the picture itself, where that is the reason."""
    vague: bool = False
    """Whether the references fit, but leave the table's corners in too much doubt."""
    further: NextReference | None = None
    """The reference that would help most."""
    meant: tuple[float, float] | None = None
    """The other table for which all of the references lie as its plan says."""

    def problems(self, setup: Setup) -> list[str]:
        """What is wrong with the references, in plain words."""
        return [str(one) for one in self.dropped]


def too_few(seen: int, setup: Setup) -> str:
    """That fewer references are seen than a pose takes."""
    return say(
        "only {seen} of {count} reference tags seen: uncover them or turn the camera"
        " until 4 are seen",
        seen=seen,
        count=len(setup.references),
    )


def disagreement_text(seen: SeenReference, fit: CameraFit) -> str:
    """That the references do not lie as written, and which disagree most."""
    order = np.argsort(-fit.misfit_px)[: max(1, len(seen) // 2)]
    named = sorted((seen.tags[number].id, fit.misfit_px[number]) for number in order)
    told = [say("{tag} by {off:.0f} px", tag=tag, off=off) for tag, off in named if off >= CLEAR_PX]
    if told:
        return say("the reference tags disagree: {told}", told=joined(told))
    return say("the reference tags do not lie as the set-up says: are their order and sizes right?")


def another_table(meant: tuple[float, float]) -> str:
    """That the references are those of a table of another size, and what to do."""
    return say(
        "these reference tags lie for another table, {wide:g} × {deep:g} inches: choose that size"
        " in the camera's set-up, or lay them as the plan for your table shows",
        wide=meant[0],
        deep=meant[1],
    )


def contradiction(used: Sequence[int], dropped: Sequence[Disagreement]) -> str:
    """That no more references agree than disagree."""
    return say(
        "half of the reference tags disagree: {away} lie elsewhere than {rest} say",
        away=", ".join(str(one.id) for one in dropped),
        rest=", ".join(str(one) for one in used),
    )


def no_squares(misfit_px: float, setup: Setup) -> str:
    """That the references lie as they should, but do not look like flat printed squares."""
    if setup.lens is None:
        return say(
            "the reference tags look bent, by {misfit:.1f} px: a lens that bends so much must be"
            " measured first; if it hardly does, is their paper flat?",
            misfit=misfit_px,
        )
    return say(
        "the reference tags look bent, by {misfit:.1f} px: was the lens measured with this camera"
        " and zoom, and is their paper flat?",
        misfit=misfit_px,
    )


def too_close(setup: Setup, further: NextReference | None) -> str:
    """That too little of the table is known, and what would help."""
    reason = say("the reference tags lie too close together to see the whole table")
    if further is not None:
        reason = say("{what}: {why}", what=reason, why=further.words)
    if setup.trays:
        reason = say("{what}; or put a tray in one corner of the table after another", what=reason)
    return reason


def print_problem(setup: Setup, scale: float) -> str:
    """How large the references were printed, in words."""
    sizes = {tag.size_mm for tag in setup.references}
    share = f"{100 * scale:.0f} %"
    if len(sizes) > 1:
        return say(
            "your reference tags are not as large as written: printed at {share}", share=share
        )
    size = sizes.pop()
    return say(
        "your reference tags measure {seen:.1f} mm, not {size:g}: printed at {share}",
        seen=size * scale,
        size=size,
        share=share,
    )


def print_question(setup: Setup, scale: float) -> str:
    """The same where no printer is so far off: a picture cannot tell a larger print from a smaller
    table, so the players are asked."""
    return say(
        "{problem}; is that so, or is the table of another size?",
        problem=print_problem(setup, scale),
    )
