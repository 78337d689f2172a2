"""Tags of several dictionaries in one picture, read from the same candidates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from calibration.camera.lens import Lens
from calibration.setup import OtherTag, Setup
from companion.vision.detect.bits import codes_of
from companion.vision.detect.detection import Detection
from companion.vision.detect.pixels import Grey
from companion.vision.detect.tag_detector import Sightings, find_in_all
from companion.vision.detect.tag_reading import Reads, fitted_tags
from companion.vision.sources.frame import Picture
from companion.vision.track.tag_tracker import TagTracker, TrackedTag


def numbers(ids: Collection[int]) -> frozenset[int]:
    """Ids of a set-up as they are printed."""
    return frozenset(OtherTag.of(tag_id).number for tag_id in ids)


def known_as(tags: Mapping[int, Detection], dictionary: str) -> dict[int, Detection]:
    """Found tags by the ids of the set-up; an empty name is its usual dictionary."""
    ids = {number: OtherTag(number, dictionary).id for number in tags}
    return {ids[number]: replace(tag, id=ids[number]) for number, tag in tags.items()}


def find_all(
    grey: Grey, setup: Setup, noticed: Collection[int] = (), turn: int = 0, thorough: bool = False
) -> Sightings:
    """Every tag of the set-up that is beyond doubt, and others of its usual dictionary."""
    sorts = setup.by_dictionary()
    own = sorts.pop(setup.dictionary) | frozenset(noticed)
    expected = {setup.dictionary: own} | {name: numbers(ids) for name, ids in sorts.items()}
    each = find_in_all(grey, expected, setup.lens, turn, thorough)
    found = each[setup.dictionary]
    for name in sorts:
        other = each[name]
        twins = frozenset(OtherTag(number, name).id for number in other.twins)
        tags = {**found.tags, **known_as(other.tags, name)}
        places = renamed_places({one: other.places[one] for one in other.twins}, name)
        found = replace(
            found, tags=tags, twins=found.twins | twins, places={**found.places, **places}
        )
    return found


def refit_all(
    grey: Grey, tags: Mapping[int, Detection], setup: Setup, lens: Lens
) -> dict[int, Detection]:
    """The tags fitted once more, now that it is known how the lens bends their edges."""
    again = dict(tags)
    for name in setup.by_dictionary():
        key = "" if name == setup.dictionary else name
        here = [one for one in tags.values() if OtherTag.of(one.id).dictionary == key]
        if not here:
            continue
        printed = [replace(one, id=OtherTag.of(one.id).number) for one in here]
        reads = Reads.of(printed, same_picture=True)
        fitted = fitted_tags(grey, reads, codes_of(name), lens)
        again |= known_as({one.id: one for one in fitted}, key)
    return again


@dataclass(eq=False)
class Trackers:
    """Follows the tags of a table through the frames of one camera, one tracker per dictionary."""

    setup: Setup
    _each: dict[str, TagTracker] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for name, ids in self.setup.by_dictionary().items():
            key = "" if name == self.setup.dictionary else name
            self._each[key] = TagTracker(name, numbers(ids), self.setup.lens)

    def see(self, picture: Picture) -> TrackedTag:
        """Update every tag from the next picture."""
        seen = self._each[""].see(picture)
        for name, tracker in self._each.items():
            if name:
                other = tracker.see(picture)
                seen = TrackedTag(
                    seen.tags | known_as(other.tags, name),
                    seen.fresh | renamed(other.fresh, name),
                    seen.lost | renamed(other.lost, name),
                    seen.twins | renamed(other.twins, name),
                    seen.searched,
                    {**seen.places, **renamed_places(other.places, name)},
                )
        return seen

    def take(self, picture: Picture, tags: Mapping[int, Detection]) -> None:
        """Follow these tags, by the ids of the set-up, from this picture on."""
        for key, tracker in self._each.items():
            own = [tag for tag in map(OtherTag.of, tags) if tag.dictionary == key]
            tracker.take(picture, [replace(tags[tag.id], id=tag.number) for tag in own])

    def doubt(self, ids: Collection[int]) -> None:
        """What is followed under these ids may be no tag: go on searching for them."""
        for key, tracker in self._each.items():
            own = [tag for tag in map(OtherTag.of, ids) if tag.dictionary == key]
            tracker.doubt([tag.number for tag in own])

    def forget(self) -> None:
        """Start over with the next frame."""
        for tracker in self._each.values():
            tracker.forget()


def renamed(printed: Collection[int], dictionary: str) -> frozenset[int]:
    """Printed numbers of another dictionary as the set-up knows them."""
    return frozenset(OtherTag(number, dictionary).id for number in printed)


def renamed_places(
    places: Mapping[int, tuple[Detection, ...]], dictionary: str
) -> dict[int, tuple[Detection, ...]]:
    """Places of tags of another dictionary by the ids of the set-up."""
    ids = {number: OtherTag(number, dictionary).id for number in places}
    return {
        ids[number]: tuple(replace(tag, id=ids[number]) for tag in tags)
        for number, tags in places.items()
    }
