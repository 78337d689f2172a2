"""The camera set-up wizard: the live picture beside the current step's panel; its first step
prints the sheets that the others need.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from calibration.references.rim_layout import TABLE_SIZES
from calibration.setup import Setup
from companion.app.camera_setup.camera_choice import change_camera, source_of
from companion.app.camera_setup.check_step import CheckStep
from companion.app.camera_setup.lens_step import LensStep
from companion.app.camera_setup.setup_step import SetupStep, old_plan
from companion.app.camera_setup.table_step import TableStep
from companion.app.camera_setup.trays_step import TraysStep
from companion.app.context import AppContext
from companion.app.render.picture_view import Spot, Viewer
from companion.app.render.theme import THEME
from companion.app.screens.print_screen import PrintPanel, planned
from companion.app.widgets.controls import Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import choice
from companion.app.widgets.page import WIDEST_DP, TouchGuard
from companion.engine.app_words import _, ruler
from companion.engine.camera.camera_profile import STEPS, CameraProfile, Step
from companion.engine.camera.camera_worker import CalibrationFrame, CalibrationWorker
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.engine.snapshot import CameraView, Snapshot


class PrintStep(SetupStep):
    """Choice of sheets, without a camera."""

    key = "print"
    live = False

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        self.sheets = PrintPanel(wizard.app, wizard.camera_profile, wizard.rebuild, self.note)

    def panel(self) -> Sequence[Widget]:
        """The choices, and what comes next."""
        what = _(
            "Print these at 100 %, cut the tags out with their white border, fold the stands and "
            "glue one behind every tray, and glue the lens board to something stiff. Printed "
            "already? Go on."
        )
        setup, short = self.camera_profile.setup, ruler().short
        now = (setup.table_width, setup.table_depth)
        sizes = [*TABLE_SIZES, *([now] if now not in TABLE_SIZES else [])]
        named = [(f"{short(wide)} × {short(deep)}", (wide, deep)) for wide, deep in sizes]
        plan: list[Widget] = [heading(_("TABLE SIZE")), choice(named, now, self.resize, 3)]
        if self.camera_profile.plan_is_old:
            plan.append(Text("! " + old_plan(self.camera_profile), colour="warn"))
        return (Text(what, colour="soft"), *plan, *self.sheets.widgets(not self.complete))

    def note(self, paths: tuple[Path, ...]) -> None:
        """Save in the notes what was printed, and how."""
        noted = dict.fromkeys((*self.camera_profile.notes.printed, *(path.stem for path in paths)))
        self.wizard.keep(
            None,
            printed=tuple(noted),
            paper=self.sheets.paper,
            tag_mm=self.sheets.size_mm,
            **planned(paths, self.camera_profile),
        )
        self.wizard.rebuild()

    def resize(self, size: tuple[float, float]) -> None:
        """Set the table's size, on which the plan depends."""
        self.wizard.resize(*size)
        self.sheets.table = size
        self.wizard.rebuild()


LOOK_S = 1 / 30
WAIT_S = 0.2
FINGER_DP = 24
KINDS: dict[Step, type[SetupStep]] = {
    "print": PrintStep,
    "lens": LensStep,
    "table": TableStep,
    "trays": TraysStep,
    "check": CheckStep,
}


class StepPanel(TouchGuard, BoxLayout):
    """The column of a step's widgets, which new frames may change."""


class SetupWizard(BoxLayout):
    """Shows one step at a time; the camera stays open from step to step."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"))
        self.app = app
        assert app.camera_profile is not None
        self.camera_profile: CameraProfile = app.camera_profile
        self.worker: CalibrationWorker | None = None
        self.viewer = Viewer(self.tapped)
        self.left = BoxLayout(
            orientation="vertical",
            spacing=THEME.gap("small"),
            padding=(0, 0, 0, THEME.gap("small")),
        )
        self.rows = Rows()
        self.panel = StepPanel()
        self.panel.add_widget(self.rows)
        self._seen = 0
        self._gone = False
        self.head = BoxLayout(
            size_hint_y=None,
            height=THEME.target + dp(12),
            padding=(dp(8), dp(6)),
            spacing=THEME.gap(),
        )
        self.help = BoxLayout(orientation="vertical", size_hint_y=None)
        """The button that helps out of a trouble: below the picture, so that no row slides away."""
        self.help.bind(minimum_height=self.help.setter("height"))
        self.body = BoxLayout(spacing=THEME.gap(), padding=(THEME.gap(), 0))
        self.add_widget(self.head)
        self.add_widget(self.body)
        self.step: SetupStep = KINDS[app.step](self)
        self.bind(size=self.arrange)
        self.enter()
        self._clock = Clock.schedule_interval(self.tick, LOOK_S)

    # -- steps ------------------------------------------------------------------------------

    def enter(self) -> None:
        """Start the step: switch the camera's detection to it and build its panel."""
        if self.step.live and self.worker is None:
            self.worker = CalibrationWorker(
                lambda: source_of(self.camera_profile.notes.source),
                self.camera_profile.setup.mirrored,
            )
            self.worker.start()
        if self.worker is not None:
            self.worker.watch(self.step.watch if self.step.live else lambda frame: None)
        self.title()
        self.arrange()
        self.rebuild(top=True)

    def title(self) -> None:
        """Show the step's title and the navigation buttons."""
        place = STEPS.index(self.step.key)
        tall = self.height > self.width
        self.head.clear_widgets()
        back = TouchButton("‹  " + _("Back"), self.backward, "plain", name="back")
        last = place == len(STEPS) - 1
        look = "primary" if self.step.complete and not self.step.trouble else "plain"
        onward = TouchButton(
            _("Finish") if last else _("Next") + "  ›", self.onward, look, name="next"
        )
        for button in (back, onward):
            button.size_hint_x = None
            button.width = dp(104 if tall else 132) * max(1.0, THEME.text)
        words = self.step.title()
        if not tall:
            words = (
                _("Step {number} of {count}", number=place + 1, count=len(STEPS)) + f" · {words}"
            )
        self.head.add_widget(back)
        self.head.add_widget(
            Text(words, "large" if tall else "title", bold=True, grow=False, align="center")
        )
        self.head.add_widget(onward)

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.body.clear_widgets()
        spare = (self.width - dp(WIDEST_DP)) / 2
        side = THEME.gap() if self.step.live else max(THEME.gap(), spare)
        self.body.padding = (side, 0, side, 0)
        self.body.orientation = "vertical" if tall else "horizontal"
        self.left.clear_widgets()
        self.left.size_hint = (1, 0.95) if tall else (1.3, 1)
        self.left.add_widget(self.viewer)
        self.left.add_widget(detached(self.step.status))
        self.left.add_widget(self.help)
        parts = [self.left, self.panel] if self.step.live else [self.panel]
        if THEME.hand == "left" and not tall:
            parts.reverse()
        for part in parts:
            self.body.add_widget(part)
        if self.head.children:
            self.title()

    def rebuild(self, top: bool = False) -> None:
        """Rebuild the step's panel, but not under a finger."""
        self.panel.rebuild(partial(self._rebuild, top))

    def _rebuild(self, top: bool) -> None:
        step = getattr(self, "step", None)
        if step is None or self._gone:
            return
        self.viewer.magnifies = step.aims
        self.help.clear_widgets()
        for widget in step.remedy():
            self.help.add_widget(widget)
        self.rows.fill([detached(widget) for widget in step.panel()])
        if self.head.children:
            self.title()
        if top:
            self.rows.scroll_y = 1

    def go(self, key: Step) -> None:
        self.app.step = key
        self.step = KINDS[key](self)
        self.enter()

    def forward(self) -> None:
        """Go to the next step, or to the overview after the last."""
        place = STEPS.index(self.step.key)
        if place + 1 < len(STEPS):
            self.go(STEPS[place + 1])
        else:
            self.app.back()

    def onward(self) -> None:
        """Keep this step's result, then go on."""
        self.step.leaving(self.forward, True)

    def backward(self) -> None:
        """Keep this step's result, then go back to the overview."""
        self.step.leaving(self.app.back, False)

    def change_camera(self) -> None:
        """Choose another camera for this profile; it is opened at once."""

        def chosen(source: str) -> None:
            self.camera_profile = self.app.camera_profile = self.camera_profile.through(source)
            if self.worker is not None:
                self.worker.close()
                self.worker = None
            self.go(self.step.key)

        change_camera(self.app, self.camera_profile, chosen)

    # -- interface for the steps ---------------------------------------------------------------

    def turn_back(self) -> None:
        """Turn the camera's mirrored pictures back, or leave them as they are again."""
        setup = self.camera_profile.setup
        self.keep(replace(setup, mirrored=not setup.mirrored))
        if self.worker is not None:
            self.worker.turn_back(not setup.mirrored)
        self.step.in_trouble("")

    def resize(self, width: float, depth: float, size_mm: float = 0.0) -> None:
        """Save another size of the table; its references lie as the plan says."""
        self.camera_profile = self.camera_profile.resized(width, depth, size_mm)
        self.app.camera_profile = self.camera_profile

    def keep(self, setup: Setup | None, **noted: Any) -> None:
        """Save the set-up and the notes."""
        self.camera_profile = self.app.camera_profile = self.camera_profile.saved(setup, **noted)

    def number(self) -> int:
        """The number of the newest frame."""
        return self.worker.latest.number if self.worker is not None else 0

    def after(self, number: int) -> CalibrationFrame | None:
        """A frame newer than this one, for background tasks; None if none comes in time."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            latest = self.worker.latest if self.worker is not None else CalibrationFrame()
            if latest.number > number:
                return latest
            time.sleep(0.01)
        return None

    def finger_px(self) -> float:
        """How many pixels of the picture a fingertip covers."""
        wide = self.viewer.size_px[0] or 1
        return float(dp(FINGER_DP)) * wide / max(self.viewer.width, 1)

    def tapped(self, pixel: Spot) -> None:
        """Pass a tap on the picture to the step."""
        self.step.tapped(pixel)

    # -- clock ------------------------------------------------------------------------------

    def tick(self, *_: Any) -> None:
        """Show the newest frame and result."""
        worker = self.worker
        if worker is None or not self.step.live:
            return
        source = worker.source
        if isinstance(source, PracticeCalibrationSource) and source.shown != self.step.shows:
            source.show(self.step.shows)
            self.rebuild()
        latest = worker.latest
        if latest.number == self._seen:
            return
        self._seen = latest.number
        found = latest.found if latest.watch == self.step.watch else None
        trouble = latest.trouble if found is None else ""
        if not trouble and self.step.trouble not in ("mirrored", "size"):
            self.step.in_trouble("")
        self.viewer.show(latest.picture, self.step.marks(found), trouble)
        self.step.refresh(found, trouble)

    def show(self, snapshot: Snapshot) -> None:
        """Does nothing: no game is shown here."""

    def look(self, live: CameraView) -> None:
        """Does nothing: the wizard has its own camera thread."""

    def leave(self) -> None:
        """Close the camera."""
        self._gone = True
        self._clock.cancel()
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def detached(widget: Any) -> Any:
    """The widget, removed from its old panel."""
    if widget.parent is not None:
        widget.parent.remove_widget(widget)
    return widget
