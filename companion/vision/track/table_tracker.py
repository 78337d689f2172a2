"""Track the trays of a table through frames: moving, settled, hidden or gone.

The follower looks at every frame but works only where something changed. What it tells is never
a guess: a tray out of sight is hidden, with the pose and the age of its last sighting; a table
whose references are gone is held, with its age.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from calibration.references.table_lost import TableLost
from calibration.references.table_pose import FEWEST_REFERENCES, TablePose
from calibration.setup import Setup
from calibration.tags.tray_pose import TrayFit
from companion.vision.detect.detection import Detection, lens_for
from companion.vision.detect.dictionaries import Trackers
from companion.vision.look import (
    MOST_BENT,
    TableLook,
    blamed,
    camera_of,
    fits,
    look,
    overlaps,
    placed_trays,
    plain_tray,
    true_places,
)
from companion.vision.sources.frame import CameraFrame
from companion.vision.track.gathered_tags import GatheredTags
from companion.vision.track.tag_tracker import TrackedTag
from models.pose import Pose

Condition = Literal["moving", "settled", "hidden", "gone"]

SETTLE_S = 0.4
"""A tray at rest for so long has settled."""
GONE_S = 6.0
"""A tray out of sight for so long is gone: hands do not stay that long."""
MOVE_IN = 0.06
TURN_DEG = 0.6
"""Less than this is no move: a touch, or a better look."""
SURE = 4.0
"""How many sigmas apart two poses must be to count as different."""
BLAME_S = 1.0
"""How often a picture without a table is asked what is wrong with it."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackedTray:
    """One tray: its condition since when, where it was last seen, and when."""

    unit: str
    condition: Condition
    since_s: float
    fit: TrayFit
    seen_s: float

    def age_s(self, now_s: float) -> float:
        """How long ago it was last seen."""
        return max(0.0, now_s - self.seen_s)


@dataclass(frozen=True, slots=True)
class TrayMoved:
    """A settled move of one tray: one event, however long the hand hesitated."""

    unit: str
    start: Pose
    end: Pose
    began_s: float
    settled_s: float

    def to_json(self) -> dict[str, Any]:
        """The event as `companion look --video` prints it."""
        return {
            "event": "moved",
            "unit": self.unit,
            "from": self.start.to_json(),
            "to": self.end.to_json(),
            "began": round(self.began_s, 3),
            "settled": round(self.settled_s, 3),
        }


@dataclass(frozen=True, slots=True)
class TrackerEvents:
    """Anything else that happened: appeared, hidden, back, gone, table lost, table back."""

    what: Literal["appeared", "hidden", "back", "gone", "table lost", "table back"]
    at_s: float
    unit: str = ""
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """The event as `companion look --video` prints it."""
        text: dict[str, Any] = {"event": self.what, "at": round(self.at_s, 3)}
        if self.unit:
            text["unit"] = self.unit
        return text | ({"why": self.why} if self.why else {})


Event = TrayMoved | TrackerEvents


@dataclass(frozen=True, slots=True, eq=False)
class TrackedView:
    """What is known after one frame. `held_s` is None while the table is live."""

    name: str
    time_s: float
    camera: TablePose | TableLost
    standings: tuple[TrackedTray, ...]
    missing: tuple[str, ...]
    """Units never seen so far."""
    problems: tuple[str, ...]
    events: tuple[Event, ...]
    held_s: float | None = None
    read: str = ""
    """How the frame was read, for those who measure."""

    @property
    def live(self) -> tuple[TrayFit, ...]:
        """The trays in sight on a live table."""
        if self.held_s is not None:
            return ()
        return tuple(
            standing.fit
            for standing in self.standings
            if standing.condition in ("moving", "settled")
        )

    def standing(self, unit: str) -> TrackedTray | None:
        return next((standing for standing in self.standings if standing.unit == unit), None)

    def to_json(self, setup: Setup) -> dict[str, Any]:
        """The view as `companion look --video` prints it: a look with conditions and events."""
        seen = {fit.unit for fit in self.live}
        unseen = tuple(tray.unit for tray in setup.trays if tray.unit not in seen)
        text = TableLook(self.name, self.camera, self.live, unseen, self.problems, {}).to_json(
            setup
        )
        for plain in text["trays"]:
            standing = self.standing(plain["unit"])
            assert standing is not None
            plain["state"] = standing.condition
        kinds = {tray.unit: tray.tray for tray in setup.trays}
        text["time"] = round(self.time_s, 3)
        text["last_seen"] = [
            plain_tray(standing.fit, kinds[standing.unit].to_json())
            | {"state": standing.condition, "age": round(standing.age_s(self.time_s), 3)}
            for standing in self.standings
            if standing.unit not in seen
        ]
        text["events"] = [event.to_json() for event in self.events]
        if self.held_s is not None:
            text["held"] = round(self.held_s, 3)
        return text


@dataclass(eq=False)
class TableTracker:
    """Keeps the table of one camera up to date, frame by frame.

    `still` is asked for a picture of higher resolution when a tray has settled.
    """

    setup: Setup
    still: Callable[[], CameraFrame | None] = lambda: None
    _tracker: Trackers = field(init=False)
    _camera: TablePose | None = field(default=None, init=False)
    _live: TablePose | TableLost = field(default=TableLost("nothing seen yet"), init=False)
    _lost_s: float | None = field(default=None, init=False)
    _blamed_s: float = field(default=-math.inf, init=False)
    _fits: dict[str, TrayFit] = field(default_factory=dict, init=False)
    _standings: dict[str, TrackedTray] = field(default_factory=dict, init=False)
    _settled: dict[str, tuple[Pose, float]] = field(default_factory=dict, init=False)
    _problems: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)
    _ids: frozenset[int] = field(default=frozenset(), init=False)
    _odd: frozenset[int] = field(default=frozenset(), init=False)
    """Tags that look like others by their size or place."""
    _gathered: GatheredTags = field(default_factory=GatheredTags, init=False)
    """Where trays stood while the camera rested, for a lens that nobody calibrated."""

    def __post_init__(self) -> None:
        self._tracker = Trackers(self.setup)

    def see(self, frame: CameraFrame) -> TrackedView:
        """Update the table from the next frame."""
        if self.setup.lens is not None:
            self.setup.lens.require(frame.size, frame.name or "picture")
        seen = self._tracker.see(frame.picture)
        now = frame.time_s
        events: list[Event] = []
        shown = frozenset(seen.tags)
        if seen.fresh or shown != self._ids:
            self._measure(seen, frame)
        self._ids = shown
        twins = seen.twins - self._true_twins(seen, frame)
        self._blame(frame, len(shown))
        self._watch_table(now, events)
        if isinstance(self._live, TablePose):
            for tray in self.setup.trays:
                self._watch_tray(tray.unit, seen, now, events)
            if any(isinstance(event, TrayMoved) for event in events):
                events = self._sharpened(events)
        problems = [*self._problems.get("table", ()), *self._problems.get("trays", ())]
        problems += [f"tag {tag} is seen in two places" for tag in sorted(twins)]
        if frame.trouble:
            problems.append(f"{frame.name}: {frame.trouble}" if frame.name else frame.trouble)
        return TrackedView(
            frame.name,
            now,
            self._live,
            tuple(self._standings.values()),
            tuple(tray.unit for tray in self.setup.trays if tray.unit not in self._standings),
            tuple(problems),
            tuple(events),
            None if self._lost_s is None else now - self._lost_s,
            seen.searched,
        )

    # -- measuring --------------------------------------------------------------------------

    def _measure(self, seen: TrackedTag, frame: CameraFrame) -> None:
        """New poses for what was measured anew; for all trays when the camera moved."""
        references = {tag.id for tag in self.setup.references}
        changed = seen.fresh | (self._ids ^ frozenset(seen.tags))
        whole = bool(changed & references) or not isinstance(self._live, TablePose)
        vague = isinstance(self._live, TableLost) and self._live.vague
        resting = not any(tag.rough for tag in seen.tags.values())
        if resting and changed and isinstance(self._live, TablePose):
            whole |= self._live.partly  # a tray that was moved may tell the rest of the table
        if vague and not resting:
            return  # it takes a while: asked again when everything rests
        learns = self.setup.lens is None and resting
        before = self._gathered.see(seen.tags, self.setup) if learns else []
        if whole:
            self._live = camera_of(seen.tags, self.setup, frame.size, self._camera, before)
            self._tell_table()
        if learns and isinstance(self._live, TablePose) and self._gathered.due():
            whole |= self._learned(seen, frame, before)
        if isinstance(self._live, TableLost):
            return
        self._camera = self._live
        self._doubt(seen, self._live, whole)
        trays = [
            tray
            for tray in self.setup.trays
            if whole or any(tag.id in changed for tag in tray.tags)
        ]
        told: list[str] = []
        fits = placed_trays(trays, seen.tags, self.setup, self._live, told)
        for tray in trays:
            self._fits.pop(tray.unit, None)
        self._fits |= {fit.unit: fit for fit in fits}
        # Trays that were not measured anew keep what was said about them.
        names = {tray.unit for tray in trays}
        kept = [] if whole else self._kept(names)
        told = [*kept, *told, *overlaps(list(self._fits.values()), self.setup)]
        self._problems["trays"] = tuple(told)

    def _learned(self, seen: TrackedTag, frame: CameraFrame, before: list[Detection]) -> bool:
        """Whether the places where trays stood so far tell the lens better than it was known."""
        found = camera_of(seen.tags, self.setup, frame.size, None, before)
        if isinstance(found, TableLost) or found.told is None:
            return False
        self._live = found
        self._tell_table()
        return True

    def _doubt(self, seen: TrackedTag, camera: TablePose, whole: bool) -> None:
        """Have the true tags searched for, where what rests there is of another size or place."""
        asked = frozenset(seen.tags) if whole else seen.fresh
        resting = [seen.tags[one] for one in asked if not seen.tags[one].rough]
        odd = {tag.id for tag in resting if not fits(tag, camera, self.setup)}
        self._odd = ((self._odd - asked) & frozenset(seen.tags)) | odd
        # Where many look so they were printed so.
        self._tracker.doubt(self._odd if len(self._odd) <= MOST_BENT else ())

    def _true_twins(self, seen: TrackedTag, frame: CameraFrame) -> frozenset[int]:
        """Twins of which one place alone can be the tag's: it is followed from now on."""
        if not seen.places or isinstance(self._live, TableLost):
            return frozenset()
        true = true_places(seen.places, self._live, self.setup)
        self._tracker.take(frame.picture, true)
        return frozenset(true)

    def _tell_table(self) -> None:
        told = self._live.problems(self.setup)
        if isinstance(self._live, TableLost):
            told.append(f"table lost: {self._live.reason}")
        self._problems["table"] = tuple(told)

    def _blame(self, frame: CameraFrame, found: int) -> None:
        """Now and then ask why there is no table: the picture itself may be at fault."""
        lost = self._live
        if isinstance(lost, TablePose) or len(lost.seen) >= FEWEST_REFERENCES:
            return
        if 0.0 <= frame.time_s - self._blamed_s < BLAME_S:
            return
        self._blamed_s = frame.time_s
        if lost.fault:
            lost = TableLost("the table is not in sight", lost.seen)
        # A picture that showed the table before is not mirrored: no tag is looked for so.
        setup = Setup() if self._camera is not None else self.setup
        self._live = blamed(lost, frame.grey(), setup, found, round(frame.time_s / BLAME_S))
        self._tell_table()

    def _kept(self, measured: set[str]) -> list[str]:
        """Problems told earlier that concern neither a tray measured anew nor an overlap."""
        tags = {
            f"tag {tag.id} "
            for tray in self.setup.trays
            if tray.unit in measured
            for tag in tray.tags
        }
        return [
            problem
            for problem in self._problems.get("trays", ())
            if " in one another" not in problem
            and problem.split(":")[0] not in measured
            and not any(problem.startswith(tag) for tag in tags)
        ]

    def _sharpened(self, events: list[Event]) -> list[Event]:
        """Where the source can take a still, end a move at the pose that the still shows."""
        picture = self.still()
        if picture is None:
            return events
        lens = self.setup.lens
        if lens is not None and not lens.fits(picture.size):
            lens = lens_for(lens, picture.size)
            if lens is None:
                return events
        sight = look(picture, self.setup.with_lens(lens))
        better: list[Event] = []
        for event in events:
            fit = sight.tray(event.unit) if isinstance(event, TrayMoved) else None
            if (
                isinstance(event, TrayMoved)
                and fit is not None
                and not has_moved(event.end, fit.pose)
            ):
                standing = self._standings[event.unit]
                self._standings[event.unit] = replace(standing, fit=fit)
                self._fits[event.unit] = fit
                self._settled[event.unit] = (fit.pose, event.settled_s)
                better.append(replace(event, end=fit.pose))
            else:
                better.append(event)
        return better

    # -- conditions -------------------------------------------------------------------------

    def _watch_table(self, now: float, events: list[Event]) -> None:
        if isinstance(self._live, TableLost):
            if self._lost_s is None:
                self._lost_s = now
                events.append(TrackerEvents("table lost", now, why=self._live.reason))
        elif self._lost_s is not None:
            if self._standings:
                events.append(TrackerEvents("table back", now))
            self._lost_s = None

    def _watch_tray(self, unit: str, seen: TrackedTag, now: float, events: list[Event]) -> None:
        fit, before = self._fits.get(unit), self._standings.get(unit)
        if fit is None:
            if before is not None:
                self._unseen(before, now, events)
            return
        rough = any(tag in seen.tags and seen.tags[tag].rough for tag in fit.used)
        if before is None:
            events.append(TrackerEvents("appeared", now, unit))
            self._standings[unit] = TrackedTray(unit, "settled", now, fit, now)
            self._settled[unit] = (fit.pose, now)
            return
        if before.condition in ("hidden", "gone"):
            events.append(TrackerEvents("back", now, unit))
        stirred = rough or has_moved(before.fit.pose, fit.pose)
        away = has_moved(self._settled[unit][0], fit.pose)
        condition: Condition = before.condition if before.condition == "moving" else "settled"
        since = before.since_s
        if stirred and away:
            condition, since = "moving", now
        elif before.condition in ("hidden", "gone"):
            condition, since = ("moving" if away else "settled"), now
        elif condition == "moving" and not rough and now - since >= SETTLE_S:
            condition = "settled"
        if condition == "settled" and before.condition != "settled":
            start, left = self._settled[unit]
            if away:
                events.append(TrayMoved(unit, start, fit.pose, left, now))
            since = now
        if condition == "settled":
            # The last moment at rest is when the next move begins.
            place = fit.pose if before.condition != "settled" else self._settled[unit][0]
            self._settled[unit] = (place, now)
        self._standings[unit] = TrackedTray(unit, condition, since, fit, now)

    def _unseen(self, before: TrackedTray, now: float, events: list[Event]) -> None:
        if before.condition not in ("hidden", "gone"):
            events.append(TrackerEvents("hidden", now, before.unit))
            self._standings[before.unit] = replace(before, condition="hidden", since_s=now)
        elif before.condition == "hidden" and now - before.since_s >= GONE_S:
            events.append(TrackerEvents("gone", now, before.unit))
            self._standings[before.unit] = replace(before, condition="gone", since_s=now)


def has_moved(before: Pose, now: Pose) -> bool:
    """Whether two poses differ by more than a touch and by more than their doubt."""
    shift = math.hypot(now.x - before.x, now.y - before.y)
    turn = abs((now.heading - before.heading + 180.0) % 360.0 - 180.0)
    doubt_in = SURE * math.hypot(before.sigma.xy_in, now.sigma.xy_in)
    doubt_deg = SURE * math.hypot(before.sigma.heading_deg, now.sigma.heading_deg)
    return shift > max(MOVE_IN, doubt_in) or turn > max(TURN_DEG, doubt_deg)
