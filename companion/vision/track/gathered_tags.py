"""Tags of trays where they stood in earlier frames, while the camera rests and nobody calibrated
its lens.

One tray carried around the table tells as much about the lens as many that stand there: a place
where it stood is kept until the references move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.setup import Setup
from companion.vision.detect.detection import Detection

Floats = NDArray[np.floating]

RESTS_PX = 2.0
"""A reference that moves by more means that the camera was moved."""
APART = 1.5
"""Places of one tag lie apart by so many of its sides."""
MOST_PLACES = 40
ENOUGH, MANY_MORE = 8, 1.5
"""So many places tell something new of the lens, and then so many times as many."""


@dataclass(slots=True)
class GatheredTags:
    """Places of trays' tags, and where the references were seen meanwhile."""

    places: list[Detection] = field(default_factory=list)
    references: dict[int, Floats] = field(default_factory=dict)
    asked: int = 0
    """How many places there were when the lens was last asked for."""

    def see(self, tags: Mapping[int, Detection], setup: Setup) -> list[Detection]:
        """Take the tags of a frame; the places of the trays' tags that are empty now."""
        seen = {tag.id: tags[tag.id].centre_px for tag in setup.references if tag.id in tags}
        both = seen.keys() & self.references.keys()
        if any(np.abs(seen[one] - self.references[one]).max() > RESTS_PX for one in both):
            self.clear()
        self.references = {**seen, **self.references}
        own = [tags[tag.id] for tray in setup.trays for tag in tray.tags if tag.id in tags]
        self.places += [
            tag
            for tag in own
            if not (tag.rough or tag.covered) and not any(near(tag, one) for one in self.places)
        ][: max(MOST_PLACES - len(self.places), 0)]
        return [one for one in self.places if not any(near(one, tag) for tag in own)]

    def due(self) -> bool:
        """Whether so many more places are known that the lens is worth asking for; then it is."""
        if len(self.places) < max(ENOUGH, MANY_MORE * self.asked):
            return False
        self.asked = len(self.places)
        return True

    def clear(self) -> None:
        """Begin anew."""
        self.asked = 0
        self.places.clear()
        self.references.clear()


def near(tag: Detection, other: Detection) -> bool:
    """Whether both are one tag at one place."""
    away = np.abs(tag.centre_px - other.centre_px).max()
    return tag.id == other.id and bool(away < APART * other.side_px)
