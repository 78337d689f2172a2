"""Tags from frame to frame: still ones cost a comparison, moving ones a prediction and a fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.bits import codes_of, read_bits
from companion.vision.detect.budget import SearchBudget
from companion.vision.detect.covered_tags import fit_covered, slid
from companion.vision.detect.detection import Detection
from companion.vision.detect.pixels import Grey, Range, toned
from companion.vision.detect.quads import find_quads, fit_edges
from companion.vision.detect.tag_detector import (
    FIRST,
    FLOOR,
    OTHERS,
    Attempt,
    Sightings,
    beside,
    candidates,
    find_tags,
)
from companion.vision.detect.tag_reading import Reads, fitted_tags, inside, read_quads, unclaimed
from companion.vision.sources.frame import Picture, grey_of
from companion.vision.track.change_gate import TILES, ChangeGate, PixelBox, RegionWatch, tile_box

Floats = NDArray[np.floating]

SPARE_CELLS = 1.0
"""White margin watched around a tag, in cells."""
REACH_PX = 14
"""How far a tag may jump between frames and still be found by its looks."""
ALIKE = 0.6
"""Least correlation of a tag with its picture of the frame before."""
NEAR_PX, SAME = 6, 0.85
"""A tag that correlates so well within so many pixels of its expected place is looked for no
farther away."""
ROUGH_PX = 0.12
"""Noise of corners from outer edges alone."""
TILE_EVERY = 4
"""On a still table one tile of the picture is searched every so many frames."""
RANGE_EVERY = 32
"""Cameras change their exposure: every so many frames the picture's range is measured again."""
COLD_EVERY = 5
"""With many tags gone, the whole picture is searched every so many frames."""
FEW_GONE, SHARE_GONE = 4, 0.2
"""So many tags at once, and so large a share of them, are more than a hand hides."""
ALARM_SEARCHES = 3
"""Whole searches after such a loss: half a second's worth."""
MOST_COVERED = 12
"""So many tags in one frame are searched for by their visible parts."""
SMALL_PX = 24.0
"""Tags smaller than this are enlarged before searching a window for them."""
THOROUGH_AFTER, THOROUGH_MOST = 45, 2000
"""After so many calm frames the whole picture is searched as a photo is, for what is missing; where
nothing is found, twice as many pass before the next time, up to the second number. Once something
moves it begins anew."""
TILE_WAYS = ((FIRST, 1), (FIRST, 2), *((attempt, 1) for attempt in OTHERS))
"""How tiles are searched, round by round: as a whole picture is, and enlarged for small tags."""


@dataclass(eq=False)
class TagTrack:
    """One tag: where it was last found, what its window looked like, whether it is there now."""

    tag: Detection
    gate: ChangeGate
    seen: bool = True
    velocity_px: Floats = field(default_factory=lambda: np.zeros(2))


@dataclass(frozen=True, slots=True, eq=False)
class TrackedTag:
    """What is known after a frame: tags in view, those measured anew, those no longer seen."""

    tags: dict[int, Detection]
    fresh: frozenset[int]
    lost: frozenset[int]
    twins: frozenset[int] = frozenset()
    searched: str = ""
    """How the frame was read: gate, follow, window, tile, cold."""
    places: Mapping[int, tuple[Detection, ...]] = field(default_factory=dict)
    """Where the twins were just seen: size and place may tell the true one."""


@dataclass(eq=False)
class TagTracker:
    """Follows the tags of a table through the frames of one camera."""

    dictionary: str
    ids: Collection[int]
    lens: Lens | None = None
    _tracks: dict[int, TagTrack] = field(default_factory=dict, init=False)
    _watch: RegionWatch = field(default_factory=RegionWatch, init=False)
    _frame: int = field(default=-1, init=False)
    _tile: int = field(default=0, init=False)
    _round: int = field(default=0, init=False)
    _cold_at: int = field(default=-1000, init=False)
    _alarm: int = field(default=0, init=False)
    _calm: int = field(default=0, init=False)
    _patience: int = field(default=THOROUGH_AFTER, init=False)
    _twins: frozenset[int] = field(default=frozenset(), init=False)
    """Tags that lay in two places when the whole picture was searched: neither is taken."""
    _doubted: frozenset[int] = field(default=frozenset(), init=False)
    """Tags that are followed, but look like others: the true ones are searched for meanwhile."""
    _size: tuple[int, int] = field(default=(0, 0), init=False)
    _over: Range = field(default=Range(0.0, 255.0), init=False)

    def see(self, picture: Picture) -> TrackedTag:
        """Update every tag from the next picture."""
        self._frame += 1
        size = (picture.shape[1], picture.shape[0])
        if size != self._size:
            self._tracks.clear()
            self._size = size
        restless = self._watch.changed(picture)
        present = [track for track in self._tracks.values() if track.seen]
        if not present:
            return self._cold(picture) if self._cold_due() else self._seen(frozenset(), "gate")
        if self._alarm and self._cold_due():
            self._alarm -= 1
            return self._cold(picture)
        moved = [track for track in self._tracks.values() if track.gate.changed(picture)]
        settled = [track for track in present if track.tag.rough and track not in moved]
        if not moved and not settled:
            return self._idle(picture, restless)
        # What moved may have uncovered what is missing.
        self._calm, self._patience = 0, THOROUGH_AFTER
        grey = grey_of(picture)
        fresh = self._followed(grey, [track for track in moved if track.seen])
        fresh |= self._settle(grey, settled)
        lost = [track for track in moved if track.tag.id not in fresh]
        how = "follow"
        if lost:
            how = "window"
            # What was covered a frame ago is most likely covered still.
            fresh |= self._uncovered(grey, [track for track in lost if track.tag.covered])
            lost = [track for track in lost if track.tag.id not in fresh]
            if lost:
                fresh |= self._windows(grey, lost)
                whole = [track for track in lost if not track.tag.covered]
                fresh |= self._uncovered(grey, [t for t in whole if t.tag.id not in fresh])
        for track in moved:
            track.seen = track.tag.id in fresh
            if not track.seen:
                track.gate.remember(picture)
        self._remember(picture, fresh)
        gone = sum(not track.seen for track in present)
        if gone >= max(FEW_GONE, SHARE_GONE * len(present)):
            # Not a hand: the tablet was moved, and everything lies elsewhere.
            self._alarm = ALARM_SEARCHES
            if self._cold_due():
                self._alarm -= 1
                return self._cold(picture)
        if self._missing() and not self._frame % 2:
            fresh |= self._tiles(picture, grey, restless)
            how += "+tile"
        return self._seen(frozenset(fresh), how)

    def forget(self) -> None:
        """Start over with the next frame."""
        self._tracks.clear()
        self._cold_at = -1000

    def take(self, picture: Picture, tags: Iterable[Detection]) -> None:
        """Follow these from this picture on."""
        for tag in tags:
            box = self._box(tag)
            self._tracks[tag.id] = TagTrack(tag, ChangeGate(box, box.of(picture)))

    def doubt(self, ids: Collection[int]) -> None:
        """What is followed under these ids may be no tag: go on searching for them."""
        self._doubted = frozenset(ids)

    # -- cheap frames -----------------------------------------------------------------------

    def _idle(self, picture: Picture, restless: frozenset[int]) -> TrackedTag:
        """Nothing moved: at most a look at one tile for tags that are still missing."""
        if not self._missing():
            return self._seen(frozenset(), "gate")
        self._calm += 1
        if self._calm >= self._patience:
            return self._thorough(picture)
        if not restless and self._frame % TILE_EVERY:
            return self._seen(frozenset(), "gate")
        return self._seen(frozenset(self._tiles(picture, grey_of(picture), restless)), "tile")

    def _thorough(self, picture: Picture) -> TrackedTag:
        """Search the whole picture for missing tags as a photo is searched."""
        missing = self._missing()
        found = find_tags(
            grey_of(picture), self.dictionary, self.lens, missing, self._frame, thorough=True
        )
        followed = [self._tracks[one].tag for one in self._doubted & self._tracks.keys()]
        tags = {one: tag for one, tag in found.tags.items() if not beside(tag, followed)}
        self._twins, self._calm = found.twins, 0
        most = 4 * THOROUGH_AFTER if self._twins else THOROUGH_MOST
        self._patience = THOROUGH_AFTER if tags else min(2 * self._patience, most)
        self.take(picture, tags.values())
        return self._seen(frozenset(tags), "thorough", found)

    def _missing(self) -> set[int]:
        seen = {one for one, track in self._tracks.items() if track.seen} - self._doubted
        return set(self.ids) - seen

    def _cold_due(self) -> bool:
        return self._frame - self._cold_at >= COLD_EVERY

    def _cold(self, picture: Picture) -> TrackedTag:
        """Search the whole picture."""
        self._cold_at, self._patience = self._frame, THOROUGH_AFTER
        grey = grey_of(picture)
        self._over = Range.of(grey)
        found = find_tags(grey, self.dictionary, self.lens, self.ids, turn=self._frame)
        self._twins = found.twins
        for track in self._tracks.values():
            track.seen = False
        self.take(picture, found.tags.values())
        if not self._missing():
            self._alarm = 0
        return self._seen(frozenset(found.tags), "cold", found)

    # -- moving tags ------------------------------------------------------------------------

    def _followed(self, grey: Grey, tracks: list[TagTrack]) -> set[int]:
        """Find tags near their expected places by template matching, edges and bits."""
        ready, guesses = [], []
        for track in tracks:
            shift = self._shift(grey, track)
            if shift is not None:
                ready.append(track)
                guesses.append(track.tag.corners_px + shift)
        if not ready:
            return set()
        codes = codes_of(self.dictionary)
        edges = fit_edges(grey, np.array(guesses), codes.side, lens=self.lens, passes=2)
        read = read_bits(grey, edges.corners, codes)
        whole = slid(np.array([track.tag.outline_px for track in ready]), edges.corners)
        within = inside(grey, edges.corners)
        done = set()
        for n, track in enumerate(ready):
            # The corners are already in printed order, so the turn must be none.
            right = read.ids[n] == track.tag.id and read.turns[n] == 0
            calm = edges.residual_px[n].max() < 0.8 and np.isfinite(edges.shift_px[n])
            if right and calm and whole[n] and within[n]:
                self._rough(track, edges.corners[n], float(edges.residual_px[n].max()))
                done.add(track.tag.id)
        return done

    def _rough(self, track: TagTrack, corners: Floats, residual: float) -> None:
        track.velocity_px = corners.mean(axis=0) - track.tag.centre_px
        spread = ROUGH_PX**2 + residual**2 / 4
        track.tag = replace(
            track.tag,
            corners_px=corners,
            covariance_px=np.eye(8) * spread,
            rough=True,
            edges_px=None,
        )
        track.seen = True

    def _shift(self, grey: Grey, track: TagTrack) -> Floats | None:
        """How far the tag's picture moved since the frame before, in whole pixels."""
        box = PixelBox.around(track.tag.corners_px, 1.0, self._size)
        inner = track.gate.box
        top, left = box.top - inner.top, box.left - inner.left
        pattern = track.gate.patch[
            max(top, 0) : box.bottom - inner.top, max(left, 0) : box.right - inner.left
        ]
        if min(pattern.shape) < 6:
            return None
        start = np.array([max(box.left, inner.left), max(box.top, inner.top)])
        for reach, least in ((NEAR_PX, SAME), (REACH_PX, ALIKE)):
            room = PixelBox.around(track.tag.corners_px + track.velocity_px, reach, self._size)
            field_of = grey[room.top : room.bottom, room.left : room.right]
            if field_of.shape[0] < pattern.shape[0] or field_of.shape[1] < pattern.shape[1]:
                continue
            scores = cv2.matchTemplate(field_of, pattern, cv2.TM_CCOEFF_NORMED)
            _, best, _, place = cv2.minMaxLoc(scores)
            if best >= least:
                there = np.array([room.left + place[0], room.top + place[1]])
                return np.asarray(there - start, dtype=float)
        return None

    def _settle(self, grey: Grey, tracks: list[TagTrack]) -> set[int]:
        """Measure tags that came to rest with the full template fit."""
        if not tracks:
            return set()
        codes = codes_of(self.dictionary)
        reads = Reads.of([track.tag for track in tracks])
        tags = fitted_tags(grey, reads, codes, self.lens)
        done = set()
        for tag in tags:
            track = self._tracks[tag.id]
            track.tag, track.velocity_px = tag, np.zeros(2)
            done.add(tag.id)
        for track in tracks:
            track.seen = track.tag.id in done
        return done

    def _windows(self, grey: Grey, tracks: list[TagTrack]) -> set[int]:
        """Search around the last places of tags that could not be followed."""
        attempt = ((FIRST, *OTHERS)[self._frame % (1 + len(OTHERS))]).tone
        quads = []
        for track in tracks:
            spare = max(2.0 * REACH_PX, 1.2 * track.tag.side_px)
            box = PixelBox.around(track.tag.corners_px + track.velocity_px, spare, self._size)
            scale = 2 if track.tag.side_px < SMALL_PX else 1
            quads.append(self._quads(grey, box, Attempt(attempt, FIRST.contrast), scale))
        return self._read(grey, np.concatenate(quads), {track.tag.id for track in tracks})

    def _uncovered(self, grey: Grey, tracks: list[TagTrack]) -> set[int]:
        """Tags of which a hand, a banner or a die covers a part, by what is still visible."""
        codes = codes_of(self.dictionary)
        done = set()
        for track in sorted(tracks, key=lambda track: not track.seen)[:MOST_COVERED]:
            shift = self._shift(grey, track)
            guesses: list[Floats] = [np.zeros(2)]
            if shift is not None and shift.any():
                guesses.insert(0, shift)
            tag = fit_covered(grey, track.tag, guesses, codes, self.lens)
            if tag is not None:
                track.velocity_px = np.zeros(2)
                track.tag = tag
                done.add(tag.id)
        return done

    def _tiles(self, picture: Picture, grey: Grey, restless: frozenset[int]) -> set[int]:
        """Search the next tile of the picture for tags that are missing, restless ones first."""
        if not self._frame % RANGE_EVERY:
            self._over = Range.of(grey)
        count = TILES[0] * TILES[1]
        order = [(self._tile + 1 + step) % count for step in range(count)]
        self._tile = next((tile for tile in order if tile in restless), order[0])
        attempt, scale = TILE_WAYS[self._round % len(TILE_WAYS)]
        self._round += self._tile == order[-1] or self._tile == 0
        box = tile_box(self._tile, self._size, 60)
        if attempt is FLOOR:
            part = np.ascontiguousarray(grey[box.top : box.bottom, box.left : box.right])
            quads = candidates(part, FLOOR, self._over, SearchBudget())
            quads = quads + np.array([box.left, box.top])
        else:
            quads = self._quads(grey, box, replace(attempt, reduced=1), scale)
        present = [track.tag for track in self._tracks.values() if track.seen]
        claimed = np.array([tag.corners_px for tag in present]).reshape(-1, 4, 2)
        quads = unclaimed(quads, claimed)
        wanted = self._missing() - self._twins
        found = self._read(grey, quads, wanted, as_given=attempt is FLOOR)
        self._remember(picture, found)
        return found

    def _quads(self, grey: Grey, box: PixelBox, attempt: Attempt, scale: int) -> Floats:
        """Quadrangles of a window, in the picture's pixels."""
        part = toned(
            np.ascontiguousarray(grey[box.top : box.bottom, box.left : box.right]),
            attempt.tone,
            self._over,
        )
        if scale > 1:
            part = np.asarray(
                cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC),
                dtype=np.uint8,
            )
        quads = find_quads(part, attempt.contrast)
        return np.asarray((quads + 0.5) / scale - 0.5 + np.array([box.left, box.top]))

    def _read(
        self, grey: Grey, quads: Floats, wanted: Collection[int], as_given: bool = False
    ) -> set[int]:
        """Take those quadrangles that are one of the wanted tags, once each."""
        codes = codes_of(self.dictionary)
        reads = read_quads(grey, quads, codes, self.lens, as_given=as_given)
        tags = fitted_tags(grey, reads, codes, self.lens)
        ids = [tag.id for tag in tags]
        good = [
            tag
            for tag in tags
            if tag.id in wanted and ids.count(tag.id) == 1 and not self._bent(tag)
        ]
        for tag in good:
            if tag.id in self._tracks:
                track = self._tracks[tag.id]
                track.tag, track.seen, track.velocity_px = tag, True, np.zeros(2)
            else:
                box = self._box(tag)
                self._tracks[tag.id] = TagTrack(tag, ChangeGate(box, box.of(grey)))
        return {tag.id for tag in good}

    def _bent(self, tag: Detection) -> bool:
        """Whether a tag lies almost where it was, but with a shape that sliding cannot explain."""
        track = self._tracks.get(tag.id)
        if track is None or not track.seen:
            return False
        shift = np.abs(tag.centre_px - track.tag.centre_px).max()
        before, after = track.tag.corners_px[None], tag.corners_px[None]
        return bool(shift < 0.5 * tag.side_px and not slid(before, after)[0])

    # -- keeping ----------------------------------------------------------------------------

    def _box(self, tag: Detection) -> PixelBox:
        return PixelBox.around(tag.corners_px, SPARE_CELLS * tag.side_px / 6, self._size)

    def _remember(self, picture: Picture, ids: Iterable[int]) -> None:
        for tag_id in ids:
            track = self._tracks[tag_id]
            track.gate.remember(picture, self._box(track.tag))

    def _seen(self, fresh: frozenset[int], how: str, found: Sightings | None = None) -> TrackedTag:
        tags = {track.tag.id: track.tag for track in self._tracks.values() if track.seen}
        lost = frozenset(track.tag.id for track in self._tracks.values() if not track.seen)
        twins = frozenset[int]() if found is None else found.twins
        places = {} if found is None else {one: found.places[one] for one in twins}
        return TrackedTag(tags, fresh & frozenset(tags), lost, twins, how, places)
