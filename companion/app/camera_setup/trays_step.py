"""The trays: for each tag in view its tray and mount are entered, or its corners are tapped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import shapely
from kivy.uix.widget import Widget

from calibration.board_place import CORNER_IDS
from calibration.printing.sheets import REFERENCE_IDS
from calibration.references.table_check import tray_px
from calibration.references.table_pose import TablePose
from calibration.setup import Setup, TaggedTray, known_trays
from calibration.tags.mount_fit import Photo, height_mm, measured_mounts, seated, with_mounts
from calibration.tags.mounts import MOUNTS, mount
from companion.app.camera_setup.setup_step import SetupStep, aim_words
from companion.app.render.picture_view import Mark, Spot, mark
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.layouts import TextEntry, choice, grid, row, stepper
from companion.engine.app_words import _, ruler
from companion.engine.camera.tray_draft import (
    TAPPED,
    TrayDraft,
    apart_within_in,
    same_seats,
    tags_apart_in,
    tray_fault,
)
from companion.vision.look import SIDES, SIZE_TOLERANCE
from companion.vision.sources.frame import CameraFrame
from companion.vision.unknown_trays import UnknownTags, newcomers, tapped_tray
from models import CompanionError
from models.message import word

CORNERS = 4
MOUNT_PICTURES = 3
SIZE_STEP_MM, UP_STEP_MM = 0.1, 0.5
LEAST_MM, MOST_MM = 8.0, 100.0
HIGHEST_MM = 250.0


class TraysStep(SetupStep):
    """A list of trays, and a form for one."""

    key = "trays"

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        self.draft: TrayDraft | None = None
        self._opened: TrayDraft | None = None
        """The form as it was opened: nothing is entered while it still is."""
        self.taps: list[Spot] = []
        self.tapping = False
        self.noticed: frozenset[int] = frozenset()
        self.seen: UnknownTags | None = None
        self.views: list[Photo] = []
        self.lined_up = False
        self._free: tuple[int, ...] = ()

    def drafted(self) -> Setup:
        """The set-up including the tray in the form."""
        setup, draft = self.camera_profile.setup, self.draft
        told = draft.tagged() if draft is not None else None
        if draft is None or told is None:
            return setup
        ids = {tag.id for tag in told.tags}
        others = tuple(
            tray
            for tray in setup.trays
            if tray.unit not in (draft.before, told.unit)
            and not ids & {tag.id for tag in tray.tags}
        )
        return replace(setup, trays=(*others, told))

    def watch(self, frame: CameraFrame) -> UnknownTags:
        """Detect known trays, and tags without a tray."""
        found = newcomers(frame, self.drafted(), self.noticed)
        self.noticed = found.noticed
        return found

    # -- the panel --------------------------------------------------------------------------

    def panel(self) -> Sequence[Widget]:
        """The list, or the form."""
        return self.form(self.draft) if self.draft is not None else self.list()

    def list(self) -> Sequence[Widget]:
        """New tags first, then the known trays."""
        what = _(
            "Put your tagged trays on the table, or hold them in view one after the other. Tap a "
            "new tag to say which tray it belongs to."
        )
        widgets: list[Widget] = [Text(what, colour="soft"), self.board_button()]
        if self.practice is not None:
            hint = _(
                "The practice trays carry tags of 25 mm on standards; tags 11 and 12 are a "
                "pair on one cavalry tray."
            )
            widgets.append(Text(hint, "small", "accent"))
        widgets.append(heading(_("NEW TAGS IN VIEW")))
        golden = not self.complete and not self.for_board
        free = [
            TouchButton(
                _("Tag {number}", number=number),
                partial(self.begin, number),
                "primary" if number == self._free[0] and golden else "plain",
                name=f"tag:{number}",
            )
            for number in self._free
        ]
        widgets.append(grid(free, 3) if free else Text(_("none now"), colour="faint"))
        widgets.append(heading(_("TRAYS")))
        for tray in sorted(self.camera_profile.setup.trays, key=lambda one: counted(one.unit)):
            ids = ", ".join(str(tag.id) for tag in tray.tags)
            widgets.append(
                TouchButton(
                    tray.unit,
                    partial(self.edit, tray),
                    "quiet",
                    f"{tray_words(tray.tray.name)} · "
                    + _("tag {ids}", "tags {ids}", n=len(tray.tags), ids=ids),
                    align="left",
                    name=f"tray:{tray.unit}",
                )
            )
        if not self.camera_profile.setup.trays:
            widgets.append(Text(_("no tray yet"), colour="faint"))
        else:
            widgets += self.mounts_panel()
        return widgets

    def mounts_panel(self) -> Sequence[Widget]:
        """Measuring the height and tilt of the tags from three pictures from three sides."""
        what = _(
            "Let the trays stand and take three pictures from different sides: the heights of the "
            "tags are measured. Lined up along your edge, their places and turns are measured too."
        )
        ways = [(_("standing anywhere"), False), (_("lined up along my edge"), True)]
        button = _(
            "Take picture {number} of {count}",
            number=len(self.views) + 1,
            count=MOUNT_PICTURES,
        )
        return (
            heading(_("HOW THE TAGS SIT")),
            Text(what, "small", "soft"),
            *self.known_now(),
            choice(ways, self.lined_up, self.line_up, 2),
            TouchButton(button, self.take_view, "quiet", name="mounts-picture"),
        )

    def known_now(self) -> Sequence[Widget]:
        """How wrong a distance between two trays may be as long as nothing more is measured."""
        sight = self.seen.sight if self.seen is not None else None
        within = apart_within_in(sight, self.camera_profile.setup) if sight is not None else None
        if within is None:
            return ()
        told = _(
            "Now a distance between two trays may be wrong by {length}: what is nearer to a limit"
            " is too close to call.",
            length=ruler().fine(within),
        )
        return (Text(told, "small", "soft"),)

    def line_up(self, lined_up: bool) -> None:
        """Set whether the trays are in a row along player 1's edge."""
        self.lined_up, self.views = lined_up, []
        self.wizard.rebuild()

    def take_view(self) -> None:
        """Take a picture of the trays; after the last one, measure."""
        sight = self.seen.sight if self.seen is not None else None
        if sight is None or not isinstance(sight.camera, TablePose):
            self.wizard.app.toast(_("The table is not seen"))
            return
        tags = {number: tag.sighting() for number, tag in sight.tags.items()}
        self.views.append((tags, sight.camera))
        if len(self.views) == MOUNT_PICTURES:
            views, self.views = self.views, []
            self.measure_mounts(views)
        self.wizard.rebuild()

    def measure_mounts(self, views: Sequence[Photo]) -> None:
        """Measure the mounts and save them."""
        mounts = measured_mounts(views, self.camera_profile.setup, self.lined_up)
        good = [one for one in mounts if not one.problem]
        if not good:
            self.wizard.app.toast(_("No tray was seen in all pictures, standing still."))
            return
        self.wizard.keep(with_mounts(self.camera_profile.setup, mounts))
        told = _("Measured: the tags of {count} trays", count=len(good))
        self.wizard.app.toast(told, refused=False)

    def form(self, draft: TrayDraft) -> Sequence[Widget]:
        """Name, kind, mount and size; or the corners."""
        if self.tapping:
            return self.corners()
        name = TextEntry(draft.unit, _("name of the unit"))
        name.bind(text=lambda _field, text: self.change_draft(unit=text.strip(), rebuild=False))
        kinds = [(_(word("tray", kind)), kind) for kind in known_trays()]
        mounts: list[tuple[str, str]] = [(_(one), one) for one in MOUNTS]
        if draft.seats:
            mounts.append((_("as tapped"), TAPPED))
        ids = ", ".join(str(number) for number in draft.ids)
        widgets: list[Widget] = [
            Text(f"{_('Tag {number}', number=ids)} · {tray_words(draft.tray)}", "large", bold=True),
            *self.endings(draft),
            *self.assumed(draft),
            heading(_("NAME")),
            row(
                name,
                *(
                    TouchButton(text, partial(self.change_draft, unit=text), name=f"name:{text}")
                    for text in self.names()
                ),
            ),
            Text(
                _("Any name will do. b1, b2 … count as blue's units, r1, r2 … as red's."),
                "small",
                "soft",
            ),
            heading(_("TRAY")),
            choice(kinds, draft.tray, lambda kind: self.change_draft(tray=kind, assumed=False), 2),
            heading(_("WHERE THE TAG SITS")),
            choice(mounts, draft.mount, self.remount, 2),
        ]
        if draft.mount != TAPPED:
            widgets.append(Text(_(MOUNTS[draft.mount].words), "small", "soft"))
        widgets.append(
            TouchButton(
                _("Tap the tray's corners instead"), self.tap_corners, "quiet", name="corners"
            )
        )
        for number in draft.ids[1:] if draft.mount != TAPPED else ():
            other = _("Second tag: {number}", number=number)
            change = partial(self.part, number)
            widgets.append(
                TouchButton(other, change, "plain", _("tap to choose another"), name="second-tag")
            )
        if draft.wanted > len(draft.ids):
            widgets.append(Text(_("Which is its second tag?"), colour="warn"))
            others = [
                TouchButton(
                    _("Tag {number}", number=one), partial(self.join, one), name=f"second:{one}"
                )
                for one in self._free
            ]
            widgets.append(grid(others, 3) if others else Text(_("none now"), colour="faint"))
        told = draft.tagged()
        widgets += [
            heading(_("BLACK SQUARE OF THE TAG, MEASURED")),
            stepper(f"{ruler().number(draft.size_mm, 1)} {_('mm')}", self.resize, "tag-mm"),
        ]
        if told is not None and (height_mm(told.tags) or draft.mount == TAPPED):
            widgets += [
                heading(_("HEIGHT OF THE TAG ABOVE THE TABLE")),
                stepper(
                    f"{ruler().number(height_mm(told.tags), 1)} {_('mm')}", self.lift, "tag-up"
                ),
            ]
        return widgets

    def assumed(self, draft: TrayDraft) -> Sequence[Widget]:
        """That its kind is only assumed, as long as nobody has tapped one; below the button that
        keeps it, which stays where it is."""
        if not draft.assumed:
            return ()
        told = _("{kind}, like the tray before: is that right?", kind=tray_words(draft.tray))
        return (Text(told, "body", "warn"),)

    def endings(self, draft: TrayDraft) -> Sequence[Widget]:
        """What ends the form, above what seldom changes from one tray to the next."""
        ready, following = draft.tagged() is not None, self.following(draft)
        look = "primary" if following is None else "plain"
        keep = [TouchButton(_("Keep this tray"), self.save, look, ready=ready, name="tray-save")]
        if following is not None:
            told = _("Keep, then tag {number}", number=following)
            keep.append(
                TouchButton(told, self.save_and_go_on, "primary", ready=ready, name="tray-next")
            )
        last = [TouchButton(_("Cancel"), self.cancel, "quiet", name="tray-cancel")]
        if draft.before:
            last.append(
                TouchButton(_("Remove this tray"), self.remove, "quiet", name="tray-remove")
            )
        return row(*keep), row(*last)

    def following(self, draft: TrayDraft) -> int | None:
        """The new tag in view whose tray comes next; None after a tray that is told anew."""
        free = [one for one in self._free if one not in draft.ids]
        if draft.before or not free:
            return None
        return next((one for one in free if one > max(draft.ids)), free[0])

    def corners(self) -> Sequence[Widget]:
        """The panel while four corners are being tapped."""
        names = (_("front left"), _("front right"), _("rear right"), _("rear left"))
        here = names[min(len(self.taps), CORNERS - 1)]
        return (
            Text(
                _("Tap the {corner} corner of the tray, where it touches the table.", corner=here),
                "large",
                bold=True,
            ),
            Text(_("{count} of 4 corners", count=len(self.taps)), colour="soft"),
            Text(aim_words(), "small", "soft"),
            row(
                TouchButton(_("Start over"), self.tap_corners, "quiet", name="corners-again"),
                TouchButton(_("Cancel"), self.stop_tapping, "quiet", name="corners-cancel"),
            ),
        )

    def names(self) -> tuple[str, ...]:
        """The next unused name of each side."""
        taken = {tray.unit for tray in self.camera_profile.setup.trays}
        free = []
        for letter in SIDES:
            number = 1
            while f"{letter}{number}" in taken:
                number += 1
            free.append(f"{letter}{number}")
        return tuple(free)

    # -- editing ----------------------------------------------------------------------------

    def begin(self, tag: int, like: TrayDraft | None = None) -> None:
        """Start a new tray with this tag, of the side and kind of the one before it."""
        notes, names = self.camera_profile.notes, self.names()
        way = notes.mount if notes.mount in MOUNTS else next(iter(MOUNTS))
        unit = next((one for one in names if like and one[0] == like.unit[0]), names[0])
        self.draft = TrayDraft((tag,), unit, mount=way, size_mm=notes.tag_mm)
        if like is not None:
            up_mm = like.up_mm if like.mount == way else None
            self.draft = replace(self.draft, tray=like.tray, up_mm=up_mm, assumed=True)
        self._opened = self.draft
        self.wizard.rebuild(top=True)

    def edit(self, tray: TaggedTray) -> None:
        ids = tuple(tag.id for tag in tray.tags)
        kind = tray.tray.name or next(iter(known_trays()))
        way = next(
            (
                name
                for name, one in MOUNTS.items()
                if one.tags == len(ids)
                and same_seats(mount(name, tray.tray, ids, tray.tags[0].size_mm), tray.tags)
            ),
            TAPPED,
        )
        up = height_mm(tray.tags)
        seats = tray.tags if way == TAPPED else ()
        self.draft = TrayDraft(
            ids, tray.unit, kind, way, tray.tags[0].size_mm, up or None, seats, tray.unit
        )
        self._opened = self.draft
        self.wizard.rebuild(top=True)

    def change_draft(self, rebuild: bool = True, **changes: Any) -> None:
        if self.draft is not None:
            self.draft = replace(self.draft, **changes)
            if rebuild:
                self.wizard.rebuild()

    def remount(self, way: str) -> None:
        """Change the mount: drops surplus tags and uses the mount's default heights."""
        if self.draft is not None:
            wanted = MOUNTS[way].tags if way in MOUNTS else len(self.draft.ids)
            self.change_draft(mount=way, ids=self.draft.ids[:wanted], up_mm=None)

    def join(self, tag: int) -> None:
        """Add the second tag of a pair."""
        if self.draft is not None:
            self.change_draft(ids=(*self.draft.ids, tag))

    def part(self, tag: int) -> None:
        """Take the second tag of a pair off again."""
        if self.draft is not None:
            self.change_draft(ids=tuple(one for one in self.draft.ids if one != tag))

    def resize(self, by: int) -> None:
        """Change the measured size of the tag's black square."""
        if self.draft is not None:
            size = min(max(self.draft.size_mm + by * SIZE_STEP_MM, LEAST_MM), MOST_MM)
            self.change_draft(size_mm=round(size, 2))

    def lift(self, by: int) -> None:
        """Change the measured height."""
        told = self.draft.tagged() if self.draft is not None else None
        if told is not None:
            up = min(max(height_mm(told.tags) + by * UP_STEP_MM, 0.0), HIGHEST_MM)
            self.change_draft(up_mm=round(up, 2))

    def save(self) -> bool:
        """Save the tray; whether nothing was wrong with it."""
        draft = self.draft
        if draft is None or draft.tagged() is None:
            self.wizard.app.toast(_("The tray needs a name and all its tags first."))
            return False
        if wrong := self.fault(draft):
            self.wizard.app.toast(wrong)
            return False
        self.wizard.keep(self.drafted(), tag_mm=draft.size_mm, mount=draft.mount)
        self.cancel()
        return True

    def fault(self, draft: TrayDraft) -> str:
        """What is wrong with a tray that is told in full; nothing if it may be kept."""
        look = self.seen.sight if self.seen is not None else None
        return tray_fault(draft, self.camera_profile.setup, look)

    def save_and_go_on(self) -> None:
        """Save the tray and start the one of the next tag."""
        draft = self.draft
        following = self.following(draft) if draft is not None else None
        if self.save() and following is not None:
            self.begin(following, draft)

    def leaving(self, go: Callable[[], Any], onward: bool) -> None:
        """A complete tray in the form is kept first; about another one the players are asked.

        Back out of a form in which nothing was entered only closes it.
        """
        if self.draft is None:
            super().leaving(go, onward)
        elif not onward and self.draft == self._opened:
            self.cancel()
        elif self.draft.tagged() is None:
            self.ask(_("This tray is not complete: it needs a name and all its tags."), go)
        elif wrong := self.fault(self.draft):
            self.ask(wrong, go)
        elif self.save():
            go()

    @property
    def complete(self) -> bool:
        """Whether trays are known and none lies open."""
        return self.draft is None and super().complete

    def remove(self) -> None:
        """Delete the tray."""
        if self.draft is not None:
            setup = self.camera_profile.setup
            kept = tuple(tray for tray in setup.trays if tray.unit != self.draft.before)
            self.wizard.keep(replace(setup, trays=kept))
        self.cancel()

    def cancel(self) -> None:
        """Go back to the list."""
        self.draft, self.tapping, self.taps = None, False, []
        self.wizard.rebuild(top=True)

    # -- corners ----------------------------------------------------------------------------

    @property
    def aims(self) -> bool:
        """While the corners of a tray are tapped."""
        return self.tapping

    def tap_corners(self) -> None:
        """Start tapping corners on the picture."""
        self.tapping, self.taps = True, []
        self.wizard.rebuild(top=True)

    def stop_tapping(self) -> None:
        """Stop tapping corners."""
        self.tapping, self.taps = False, []
        self.wizard.rebuild(top=True)

    def tapped(self, pixel: Spot) -> None:
        """Add a corner, or start a tray for the tag that was tapped."""
        seen, draft = self.seen, self.draft
        if seen is None:
            return
        if draft is None:
            near, known = self.tag_at(pixel, seen), self.tray_at(pixel, seen)
            if near is not None:
                self.begin(near)
            elif known is not None:
                self.edit(known)
            return
        camera = seen.sight.camera
        if not self.tapping or not isinstance(camera, TablePose):
            return
        self.taps.append(pixel)
        if len(self.taps) == CORNERS:
            self.seat(draft, seen, camera)
        self.wizard.rebuild(top=True)

    def seat(self, draft: TrayDraft, seen: UnknownTags, camera: TablePose) -> None:
        """Compute where the tags are on the tray whose corners were tapped."""
        taps, self.taps, self.tapping = self.taps, [], False
        try:
            pose = tapped_tray(camera, taps, known_trays()[draft.tray])
            up = next((tag.up for tag in (draft.tagged() or NOBODY).tags), 0.0)
            tags = seen.sight.tags
            seats = tuple(
                seated(tags[one].sighting(), camera, pose, draft.size_mm, up)
                for one in draft.ids
                if one in tags
            )
        except CompanionError as error:
            self.wizard.app.toast(str(error))
            return
        if not seats:
            self.wizard.app.toast(_("The tag was not seen while the corners were tapped."))
            return
        ids = tuple(tag.id for tag in seats)
        self.draft = replace(draft, ids=ids, seats=seats, mount=TAPPED)

    def tag_at(self, pixel: Spot, seen: UnknownTags) -> int | None:
        """The new tag at this pixel."""
        reach = self.wizard.finger_px()
        for number in (one for one in self._free if one in seen.sight.tags):
            x, y = seen.sight.tags[number].centre_px
            side = max(seen.sight.tags[number].side_px, reach)
            if abs(x - pixel[0]) < side and abs(y - pixel[1]) < side:
                return number
        return None

    def tray_at(self, pixel: Spot, seen: UnknownTags) -> TaggedTray | None:
        """The known tray at this pixel."""
        camera = seen.sight.camera
        if not isinstance(camera, TablePose):
            return None
        known = {tray.unit: tray for tray in self.camera_profile.setup.trays}
        for fit in (one for one in seen.sight.trays if one.unit in known):
            rim, _arrow = tray_px(camera, known[fit.unit].tray, fit.pose)
            if len(rim) > 2 and shapely.Polygon(rim).covers(shapely.Point(pixel)):
                return known[fit.unit]
        return None

    # -- drawing ----------------------------------------------------------------------------

    def refresh(self, found: Any, trouble: str) -> None:
        """Show which trays are detected, and what to do if one is not."""
        if not isinstance(found, UnknownTags):
            if trouble:
                self.tell_trouble(trouble)
            return
        self.seen = found
        sight = found.sight
        if not isinstance(sight.camera, TablePose):
            self.status.say(
                "bad", _("The table is not seen"), _("Go back to the table step and mend that.")
            )
        elif self.draft is not None:
            self.tell_draft(self.draft, found)
        else:
            seen, count = len(sight.trays), len(self.camera_profile.setup.trays)
            if sight.missing:
                self.status.say(
                    "warn",
                    _("{seen} of {count} trays seen", seen=seen, count=count),
                    _(
                        "Not seen: {names}. Is a tag covered, shiny or too far away?",
                        names=", ".join(sight.missing),
                    ),
                )
            elif count:
                self.status.say("good", _("{seen} of {count} trays seen", seen=seen, count=count))
            else:
                self.status.say("line", _("No tray yet"), _("Tap a new tag."))
        free = tuple(one for one in found.free if one not in (*REFERENCE_IDS, *CORNER_IDS))
        if self.draft is not None:
            free = tuple(one for one in free if one not in self.draft.ids)
        if free != self._free:
            self._free = free
            # The form is not rebuilt under the finger, except where it lists new tags itself.
            if self.draft is None or self.draft.wanted > len(self.draft.ids):
                self.wizard.rebuild()

    def tell_draft(self, draft: TrayDraft, found: UnknownTags) -> None:
        """Show how well the draft fits what is detected."""
        told = draft.tagged()
        if told is None:
            second = 0 < len(draft.ids) < draft.wanted
            asked = _("Which is its second tag?") if second else _("Tell where its tags sit")
            self.status.say("line", asked)
            return
        fit = found.sight.tray(told.unit)
        seen_mm = found.seen_mm(draft.ids, told.tags[0].up)
        if fit is None:
            self.status.say(*unplaced(seen_mm, told.tags[0].size_mm))
            return
        if fit.dropped or tags_apart_in(draft, found.sight) is not None:
            self.status.say(
                "warn",
                _("The two tags do not fit one tray"),
                _("Is the second tag on this tray? Tap it in the form to choose another."),
            )
            return
        told_more = _("The outline must lie on the tray, the arrow at its front.")
        self.status.say(
            "good",
            _("Seen, to ± {sigma}", sigma=ruler().fine(fit.pose.sigma.xy_in)),
            told_more,
        )

    def marks(self, found: Any) -> Sequence[Mark]:
        """Outlines of known trays, new tags, tapped corners."""
        if not isinstance(found, UnknownTags):
            return ()
        sight = found.sight
        drawn: list[Mark] = []
        kinds = {tray.unit: tray.tray for tray in self.drafted().trays}
        own = self.draft.unit if self.draft is not None else ""
        if isinstance(sight.camera, TablePose) and not self.tapping:
            for fit in sight.trays:
                if fit.unit in kinds:
                    rim, arrow = tray_px(sight.camera, kinds[fit.unit], fit.pose)
                    role = "accent" if fit.unit == own else "good"
                    drawn.append(mark(rim, role, width_dp=2.4, text=fit.unit))
                    drawn.append(mark(arrow, role, width_dp=2.4))
        for number in self._free:
            if number not in sight.tags:
                continue
            corners = sight.tags[number].corners_px
            drawn.append(mark(corners, "accent", width_dp=3, closed=True, text=str(number)))
        arm = self.wizard.finger_px() / 3
        for x, y in self.taps:
            drawn.append(mark([(x - arm, y), (x + arm, y)], "warn", width_dp=3))
            drawn.append(mark([(x, y - arm), (x, y + arm)], "warn", width_dp=3))
        return drawn


NOBODY = TaggedTray("", next(iter(known_trays().values())), ())


def counted(unit: str) -> tuple[str, int]:
    """A name for sorting: b2 comes before b10."""
    head = unit.rstrip("0123456789")
    return head, int(unit[len(head) :] or 0)


def tray_words(kind: str) -> str:
    """A kind of tray in words; one measured by the players has none."""
    return _(word("tray", kind)) if kind else _("own size")


def unplaced(seen_mm: float | None, size_mm: float) -> tuple[str, str, str]:
    """What is said of a tray that has no place: a new tag that looks right has one in the next
    picture."""
    if seen_mm is not None and abs(seen_mm / size_mm - 1) <= SIZE_TOLERANCE:
        return "line", _("The tag is seen"), _("Its tray is measured in the next picture.")
    hint = _("Is its tag covered?")
    if seen_mm is not None:
        hint = _(
            "The tag looks {seen} mm wide. Measure its black square and its height.",
            seen=ruler().number(seen_mm, 1),
        )
    return "warn", _("The tray cannot be placed"), hint
