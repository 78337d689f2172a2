"""The table: which reference tags are detected, how well they fit, and a grid drawn over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from calibration.references.reference_layout import ReferenceLayout, measured_layout
from calibration.references.rim_layout import TABLE_SIZES
from calibration.references.table_check import (
    Fitness,
    fitness,
    grid_px,
)
from calibration.references.table_lost import Disagreement, TableLost
from calibration.references.table_pose import TablePose
from calibration.references.tapped_corners import lens_of_corners, table_corners
from calibration.setup import Setup
from calibration.tags.tag import Sighting
from companion.app.camera_setup.setup_step import SetupStep, aim_words, old_plan
from companion.app.render.picture_view import Mark, Spot, mark
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import choice, stepper
from companion.engine.app_words import _, ruler
from companion.engine.threads import BackgroundTask, TaskStep
from companion.vision.look import TableLook, look
from companion.vision.sources.frame import CameraFrame

LAYOUT_FRAMES = 8
TAG_STEP_MM = 0.1
PRINTER_SHARE = 0.1
"""No printer makes its tags larger or smaller by more than this share."""
LEAST_MM, MOST_MM = 10.0, 150.0
LEAST_IN, MOST_IN = 24.0, 144.0


class TableStep(SetupStep):
    """Draws the printed layout over the picture; every change is saved at once."""

    key = "table"

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        if not self.camera_profile.setup.references:
            self.lay(self.camera_profile.setup.table_width, self.camera_profile.setup.table_depth)
        self.turn = 0
        self.sight: TableLook | None = None
        self.fitness: Fitness | None = None
        self.chips: dict[int, Text] = {}
        self.taps: list[Spot] | None = None
        """The corners of the table that were tapped so far, while they are asked for."""
        self.own = (self.setup.table_width, self.setup.table_depth) not in TABLE_SIZES

    @property
    def setup(self) -> Setup:
        """The set-up so far."""
        return self.camera_profile.setup

    def watch(self, frame: CameraFrame) -> TableLook:
        """Detect the references in a frame."""
        self.turn += 1
        return look(frame, replace(self.setup, trays=()), self.turn)

    def panel(self) -> Sequence[Widget]:
        """The status, the list of references, and the sizes to enter."""
        setup = self.setup
        what = _(
            "Lay the reference tags around the rim as the printed plan shows, point the camera at "
            "the whole table and leave it there. The drawn grid must lie on the real table."
        )
        chips = GridLayout(cols=4, spacing=THEME.gap("small"), size_hint_y=None)
        chips.bind(minimum_height=chips.setter("height"))
        self.chips = {}
        for tag in setup.references:
            card = CardBox("raised", pad="small")
            self.chips[tag.id] = Text(str(tag.id), "small", "soft", align="center")
            card.add_widget(self.chips[tag.id])
            chips.add_widget(card)
        sizes = [(measures(*size), size) for size in TABLE_SIZES]
        now = None if self.own else (setup.table_width, setup.table_depth)
        widgets: list[Widget] = [
            Text(what, colour="soft"),
            heading(_("TABLE SIZE")),
            choice([*sizes, (_("other"), None)], now, self.resize, 2),
        ]
        if self.own:
            for name, value in (("width", setup.table_width), ("depth", setup.table_depth)):
                words = {"width": _("along your edge"), "depth": _("away from you")}[name]
                widgets.append(Text(words, "small", "soft"))
                step = self.stretch(name)
                widgets.append(stepper(ruler().short(value), step, f"table-{name}"))
        if self.camera_profile.plan_is_old:
            widgets += [
                Text("! " + old_plan(self.camera_profile), colour="warn"),
                TouchButton(
                    _("Print the plan again"), lambda: self.wizard.go("print"), name="to-print"
                ),
            ]
        widgets += [heading(_("REFERENCE TAGS")), chips]
        size = (
            setup.references[0].size_mm
            if setup.references
            else self.camera_profile.notes.reference_mm
        )
        widgets += [
            heading(_("BLACK SQUARE OF A REFERENCE TAG, MEASURED")),
            stepper(
                f"{ruler().number(size, 1)} {_('mm')}",
                self.resize_tags,
                "reference-mm",
                size <= LEAST_MM,
                size >= MOST_MM,
            ),
            TouchButton(
                _("Let the camera measure where they lie"),
                self.measure,
                "quiet",
                _("for tags laid by hand: their true places are taken over"),
                name="table-measure",
            ),
        ]
        if setup.lens is None:
            widgets.append(
                TouchButton(
                    _("Stop tapping") if self.taps is not None else _("Tap the table's corners"),
                    self.ask_corners,
                    "quiet",
                    _("for few reference tags: the corners tell how the lens bends"),
                    name="table-corners",
                )
            )
        return widgets

    def remedy(self) -> Sequence[Widget]:
        """The size for which the references lie, where it is not the chosen one."""
        camera = self.sight.camera if self.sight is not None else None
        meant = camera.meant if isinstance(camera, TableLost) else None
        if self.trouble != "size" or meant is None:
            return super().remedy()
        take, told = partial(self.resize, meant), measures(*meant)
        return (
            TouchButton(_("The table is {table}", table=told), take, "primary", name="meant-table"),
        )

    # -- the table's own corners ----------------------------------------------------------------

    @property
    def aims(self) -> bool:
        """While the table's corners are tapped."""
        return self.taps is not None

    def ask_corners(self) -> None:
        """Ask for taps on the table's four corners, or no longer."""
        self.taps = [] if self.taps is None else None
        self.wizard.rebuild()

    def tapped(self, pixel: Spot) -> None:
        """Take a tap on a corner; after the fourth the lens is worked out."""
        if self.taps is None:
            return
        self.taps.append(pixel)
        if len(self.taps) < len(table_corners(self.setup)):
            return
        taps, self.taps = self.taps, None
        sight, setup = self.sight, self.setup
        tags = [tag.sighting() for tag in sight.tags.values()] if sight is not None else []
        found = lens_of_corners(tags, setup, self.wizard.viewer.size_px, taps)
        if isinstance(found, TableLost):
            self.wizard.app.toast(_(found.reason))
        else:
            self.wizard.keep(setup.with_lens(found), lens_skipped=False)
            told = _("The lens is known from the table's corners.")
            self.wizard.app.toast(told, refused=False)
        self.wizard.rebuild()

    # -- changing ---------------------------------------------------------------------------

    def lay(self, width: float, depth: float, size_mm: float = 0.0) -> None:
        """Set the references to the printed layout for a table of this size."""
        self.wizard.resize(width, depth, size_mm)

    def resize(self, size: tuple[float, float] | None) -> None:
        """Set the table's size; None asks for a custom one."""
        self.own = size is None
        if size is not None:
            self.lay(*size)
        self.wizard.rebuild()

    def stretch(self, name: str) -> Any:
        """A function that changes one side of the table in steps of an inch."""

        def step(by: int) -> None:
            sides = {"width": self.setup.table_width, "depth": self.setup.table_depth}
            sides[name] = min(max(sides[name] + by, LEAST_IN), MOST_IN)
            self.lay(sides["width"], sides["depth"])
            self.wizard.rebuild()

        return step

    def resize_tags(self, by: int) -> None:
        """Change the tags' printed size to the one measured, since printers scale."""
        setup = self.setup
        size = (
            setup.references[0].size_mm
            if setup.references
            else self.camera_profile.notes.reference_mm
        )
        size = round(min(max(size + by * TAG_STEP_MM, LEAST_MM), MOST_MM), 2)
        references = tuple(replace(tag, size_mm=size) for tag in setup.references)
        self.wizard.keep(replace(setup, references=references), reference_mm=size)
        self.wizard.rebuild()

    def measure(self) -> None:
        """Measure where the references really are, from several frames."""
        setup, first = self.setup, self.wizard.number()

        def work(step: TaskStep) -> ReferenceLayout:
            photos: list[list[Sighting]] = []
            size, last = (0, 0), first
            while len(photos) < LAYOUT_FRAMES:
                step(
                    len(photos) / LAYOUT_FRAMES * 0.8,
                    _("picture {number} of {count}", number=len(photos) + 1, count=LAYOUT_FRAMES),
                )
                latest = self.wizard.after(last)
                if latest is None:
                    continue
                last = latest.number
                if isinstance(latest.found, TableLook) and latest.picture is not None:
                    tags = latest.found.tags
                    size = (latest.picture.shape[1], latest.picture.shape[0])
                    photos.append(
                        [tags[one.id].sighting() for one in setup.references if one.id in tags]
                    )
            step(0.85, _("fitting"))
            return measured_layout(photos, setup, size)

        self.wizard.app.wait_for(BackgroundTask(_("Measuring the references"), work, self.measured))

    def measured(self, layout: ReferenceLayout) -> None:
        """Save the measured places; of tags much larger or smaller than told, it is asked first."""
        size, app = self.setup.references[0].size_mm, self.wizard.app
        if abs(layout.scale - 1.0) <= PRINTER_SHARE:
            self.take_over(layout)
            return

        def sure() -> None:
            app.close_sheet()
            self.take_over(layout)

        app.open_sheet(
            _("Is the table's size right?"),
            [
                Text(
                    _(
                        "On a table of this size the black squares would measure {size} mm, not "
                        "{told} mm. Pictures cannot tell a larger table from larger tags.",
                        size=ruler().number(size * layout.scale, 1),
                        told=ruler().number(size, 1),
                    ),
                    colour="soft",
                ),
                TouchButton(
                    _("The table has another size"), app.close_sheet, "primary", name="size-wrong"
                ),
                TouchButton(_("The tags are that large"), sure, name="size-right"),
            ],
        )

    def take_over(self, layout: ReferenceLayout) -> None:
        """Save the measured places."""
        self.wizard.keep(layout.onto(self.setup))
        far = max((one.moved_mm for one in layout.laid), default=0.0)
        told = _("Measured: the farthest lay {far} mm beside its place", far=ruler().number(far, 1))
        self.wizard.app.toast(told, refused=False)
        self.wizard.rebuild()

    # -- drawing ----------------------------------------------------------------------------

    def refresh(self, found: Any, trouble: str) -> None:
        """Show which references are detected, the error, and what to do."""
        if not isinstance(found, TableLook):
            if trouble:
                self.tell_trouble(trouble)
            return
        self.sight = found
        camera = found.camera
        if self.taps is not None:
            self.status.say("line", *corner_request(len(self.taps)))
            return
        off = {one.id: one for one in camera.dropped}
        for number, chip in self.chips.items():
            seen = number in found.tags
            sign = "✕" if number in off else "✓" if seen else "–"
            chip.set_text(
                f"{number} {sign}", "bad" if number in off else "good" if seen else "faint"
            )
        if isinstance(camera, TableLost):
            self.fitness = None
            if not self.tell_fault(camera.fault):
                self.in_trouble("size" if camera.meant is not None else "")
                self.status.say("bad", *advice(camera, len(self.setup.references)))
            return
        self.in_trouble("")
        new, here = self.fitness is None, fitness(camera, self.setup)
        self.fitness = here
        if new:
            self.wizard.rebuild()
        told = _(
            "Error {px} px, {length} on the table. Does the grid lie on the table's edges?",
            px=ruler().number(here.error_px, 2),
            length=ruler().fine(here.error_in),
        )
        if camera.estimated:
            told += " " + _("The lens is estimated.")
        head = _(
            "{seen} of {count} reference tags fit",
            seen=len(camera.used),
            count=len(self.setup.references),
        )
        faults = reference_faults(camera, self.setup)
        if self.camera_profile.plan_is_old:
            faults = (old_plan(self.camera_profile), *faults)
        if off:
            faults = (misplaced(tuple(off.values())), *faults)
        if camera.partly:
            unknown = _("A part of the table is not known: no tray is placed there.")
            faults = (f"{unknown} {further_words(camera)}", *faults)
        self.status.say(
            "warn" if faults or camera.lens_doubtful else "good", head, " ".join((*faults, told))
        )

    def marks(self, found: Any) -> Sequence[Mark]:
        """The grid, the table's edges, and the detected tags."""
        if not isinstance(found, TableLook):
            return ()
        drawn = []
        if self.taps is not None:
            arm = self.wizard.finger_px() / 2
            for x, y in self.taps:
                drawn += [
                    mark([(x - arm, y), (x + arm, y)], "accent", width_dp=2),
                    mark([(x, y - arm), (x, y + arm)], "accent", width_dp=2),
                ]
        off = {one.id for one in found.camera.dropped}
        if isinstance(found.camera, TablePose) and self.taps is None:
            setup = self.setup
            lines = grid_px(found.camera, setup.table_width, setup.table_depth)
            drawn = [
                mark(line, "good", width_dp=3 if number < 4 else 1.4)
                for number, line in enumerate(lines)
                if len(line) > 1
            ]
        if (further := found.camera.further) is not None:
            name = "+" if further.id is None else str(further.id)
            rim = further.corners_px
            drawn.append(mark(rim, "warn", width_dp=3, closed=True, fill=0.25, text=name))
        for number, tag in found.tags.items():
            role = "bad" if number in off else "accent"
            drawn.append(mark(tag.corners_px, role, width_dp=2.4, closed=True, text=str(number)))
        return drawn

    @property
    def complete(self) -> bool:
        """Whether the table is seen now, or was seen before."""
        return self.fitness is not None or super().complete

    def unfinished(self) -> str:
        """That the table was not found."""
        if self.complete:
            return ""
        return _("The camera does not find the table yet. Without it nothing can be measured.")

    def keep(self) -> None:
        """Save in the notes how well the table was measured."""
        if self.fitness is not None:
            self.wizard.keep(
                None,
                table_px=max(round(self.fitness.error_px, 4), 1e-4),
                table_in=round(self.fitness.error_in, 5),
            )


def reference_faults(camera: TablePose, setup: Setup) -> tuple[str, ...]:
    """Problems with how the references were printed and placed, as text."""
    told = []
    if camera.misprinted:
        size = setup.references[0].size_mm
        told.append(
            _(
                "Your reference tags measure {seen} mm, not {size}: printed at {share} %.",
                seen=ruler().number(size * camera.print_scale, 1),
                size=ruler().number(size, 1),
                share=ruler().number(100 * camera.print_scale, 0),
            )
        )
    if camera.laid_badly:
        told.append(
            _(
                "They lie about {place} mm and {turn}° off their places: let the camera measure "
                "where they lie.",
                place=ruler().number(camera.laying.place_in * 25.4, 1),
                turn=ruler().number(math.degrees(camera.laying.turn_rad), 1),
            )
        )
    return tuple(told)


def advice(lost: TableLost, count: int) -> tuple[str, str]:
    """Why the table is not found, and what helps."""
    if len(lost.seen) < 4:
        return (
            _(
                "{seen} of {count} reference tags seen, 4 are needed",
                seen=len(lost.seen),
                count=count,
            ),
            _(
                "Is the whole table in the picture? More light, no shine, nothing lying on the "
                "tags; from far away larger tags help. The size measured below must be right."
            ),
        )
    if lost.meant is not None:
        return (
            _("These reference tags lie for another table: {table}?", table=measures(*lost.meant)),
            _("Choose that size, or lay the tags as the plan for your table shows."),
        )
    if lost.vague:
        return (_("The reference tags lie too close together"), further_words(lost))
    if lost.dropped:
        return (_("The reference tags do not fit together"), misplaced(lost.dropped))
    return (
        _("The reference tags do not fit together"),
        _(
            "Are they laid in the order of the plan, all reading upright from player 1's edge? Is "
            "the table size right? If they only lie a little beside, let the camera measure."
        ),
    )


def measures(wide: float, deep: float) -> str:
    """The size of a table in words."""
    return f"{ruler().short(wide)} × {ruler().short(deep)}"


def further_words(camera: TablePose | TableLost) -> str:
    """What makes all of the table known, as text."""
    tap = _("Or tap the table's corners below.")
    if camera.further is None:
        return tap
    where, shown = _(camera.further.words), _("the frame in the picture shows where")
    return f"{where[:1].upper()}{where[1:]}: {shown}. {tap}"


def corner_request(count: int) -> tuple[str, str]:
    """Which corner of the table is tapped next."""
    corner = (
        _("player 1's left corner"),
        _("player 1's right corner"),
        _("the far right corner"),
        _("the far left corner"),
    )[count]
    return (
        _("Tap {corner} of the table", corner=corner),
        _("Where the two edges of the table meet.") + " " + aim_words(),
    )


def misplaced(off: Sequence[Disagreement]) -> str:
    """A text about references that are not where the others imply."""
    names = ", ".join(str(one.id) for one in off)
    return _(
        "Tag {names} lies elsewhere than the plan says: put it right, or let the camera measure.",
        names=names,
    )
