"""The base of the set-up wizard's steps: a detection function, a panel, a status card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.widget import Widget

from calibration.setup import Setup
from companion.app.context import AppContext
from companion.app.render.picture_view import Mark, Spot, Viewer
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.engine.app_words import _
from companion.engine.camera.camera_profile import CameraProfile, Step
from companion.engine.camera.camera_worker import CalibrationFrame, CalibrationWorker
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.engine.tag_assignment import for_board
from companion.vision.sources.frame import CameraFrame
from models.message import word


class CalibrationWizard(Protocol):
    """The protocol of the set-up wizard for its steps."""

    app: AppContext
    camera_profile: CameraProfile
    worker: CalibrationWorker | None
    viewer: Viewer

    def number(self) -> int:
        """The number of the newest frame."""

    def finger_px(self) -> float:
        """How many pixels of the picture a fingertip covers."""

    def go(self, key: Step) -> None:
        """Open a step."""

    def forward(self) -> None:
        """Go to the next step, or to the overview after the last."""

    def rebuild(self, top: bool = False) -> None:
        """Rebuild the step's panel."""

    def keep(self, setup: Setup | None, **noted: Any) -> None:
        """Save the set-up and the notes."""

    def resize(self, width: float, depth: float, size_mm: float = 0.0) -> None:
        """Save another size of the table."""

    def change_camera(self) -> None:
        """Choose another camera for this profile."""

    def turn_back(self) -> None:
        """Turn the camera's mirrored pictures back, or leave them as they are again."""

    def after(self, number: int) -> CalibrationFrame | None:
        """A frame newer than this one, for background tasks; None if none comes in time."""


WRAPPED_S = 0.15
"""So long after it got another width its texts are surely wrapped to it."""
LOWEST_DP = 96
"""Room for what most steps say: a line, and two of what to do about it."""


class StepStatus(CardBox):
    """The state of a step in one line, and what to do about it.

    It never gets lower: the picture above it would move away under the finger.
    """

    def __init__(self) -> None:
        super().__init__(rim="line")
        self._highest = float(dp(LOWEST_DP))
        self._wrapped = Clock.create_trigger(self._keep, WRAPPED_S)
        self.bind(minimum_height=self._hold, height=self._hold, width=self._anew)
        self.head = Text("", "large", bold=True)
        self.more = Text("", colour="soft")
        for one in (self.head, self.more, Widget()):  # the last takes the room that is left
            self.add_widget(one)

    def _hold(self, *_: Any) -> None:
        if not self._wrapped.is_triggered:
            self._highest = max(self._highest, self.minimum_height)
        self.height = max(self._highest, self.minimum_height)

    def _anew(self, *_: Any) -> None:
        """Another width: how high it must be is known once its texts are wrapped to that."""
        self._highest = float(dp(LOWEST_DP))
        self._wrapped.cancel()
        self._wrapped()
        self._hold()

    def _keep(self, *_: Any) -> None:
        self._highest = max(float(dp(LOWEST_DP)), self.minimum_height)
        self._hold()

    def say(self, role: str, head: str, more: str = "") -> None:
        """`role` is good, warn, bad or line (waiting); a symbol shows it besides the colour."""
        sign = {"good": "✓ ", "warn": "! ", "bad": "✕ "}.get(role, "")
        self.rim(role)
        self.head.set_text(sign + head, role if role != "line" else "text")
        self.more.set_text(more)


class SetupStep:
    """One step; `watch` runs on the camera's thread, everything else on the screen thread."""

    key: Step = "print"
    live = True
    """Whether this step uses the camera."""
    shows = "table"
    """What the practice camera shows in this step."""

    def __init__(self, wizard: CalibrationWizard) -> None:
        self.wizard = wizard
        self.status = StepStatus()
        self.status.say("line", _("Looking at the picture …"))
        self.trouble = ""
        """Why there is no usable picture: the "source" sends none, the "lens" is another, the
        pictures are "mirrored", or the references lie for a table of another "size"."""

    @property
    def camera_profile(self) -> CameraProfile:
        return self.wizard.camera_profile

    @property
    def practice(self) -> PracticeCalibrationSource | None:
        """The practice camera, if it is the source."""
        worker = self.wizard.worker
        source = worker.source if worker is not None else None
        return source if isinstance(source, PracticeCalibrationSource) else None

    def title(self) -> str:
        return step_title(self.key)

    def watch(self, frame: CameraFrame) -> Any:
        """Detect in a frame what this step needs."""

    def panel(self) -> Sequence[Widget]:
        """The widgets beside the picture; rebuilt by `wizard.rebuild()`."""
        return ()

    def marks(self, found: Any) -> Sequence[Mark]:
        """The marks on the picture."""
        return ()

    def refresh(self, found: Any, trouble: str) -> None:
        """Update the status from a new result."""

    def tapped(self, pixel: Spot) -> None:
        """Handle a tap on the picture."""

    def keep(self) -> None:
        """Save the result before the next step."""

    def unfinished(self) -> str:
        """What would be missing if the players went on now; "" if nothing would."""
        return ""

    def do_without(self) -> None:
        """The players go on although something is missing."""

    def leaving(self, go: Callable[[], Any], onward: bool) -> None:
        """Keep what is complete and ask about what is not, then go on."""
        self.keep()
        told = self.unfinished() if onward else ""
        if told:
            self.ask(told, go)
        else:
            go()

    def ask(self, told: str, go: Callable[[], Any]) -> None:
        """Ask whether to go on although something is missing."""
        app = self.wizard.app

        def sure() -> None:
            app.close_sheet()
            self.do_without()
            go()

        app.open_sheet(
            told,
            [
                TouchButton(_(word("leave", "Stay")), app.close_sheet, "primary", name="stay"),
                TouchButton(_("Go on without it"), sure, name="go-on"),
            ],
        )

    @property
    def aims(self) -> bool:
        """Whether taps on the picture mean a spot that must be met exactly."""
        return False

    @property
    def complete(self) -> bool:
        """Whether the next step is what comes next: its button is then the golden one."""
        return self.camera_profile.done(self.key)

    def remedy(self) -> Sequence[Widget]:
        """The button that helps while there is no usable picture."""
        if self.trouble == "lens":
            again = partial(self.wizard.go, "lens")
            return (TouchButton(_("Measure the lens again"), again, "primary", name="to-lens"),)
        if self.trouble == "source":
            other = TouchButton(
                _("Choose another camera"), self.wizard.change_camera, name="other-camera"
            )
            return (other,)
        if self.trouble == "mirrored":
            turn = self.wizard.turn_back
            return (TouchButton(_("Turn the picture back"), turn, "primary", name="turn-back"),)
        return ()

    def tell_fault(self, fault: str) -> bool:
        """Say what is wrong with the picture itself, with the button that mends it; whether
        anything is. A mirrored picture stays one until the table or the board is seen."""
        fault = fault or ("mirrored" if self.trouble == "mirrored" else "")
        if fault:
            self.status.say("bad", *fault_advice(fault))
            self.in_trouble("mirrored" if fault == "mirrored" else "")
        return bool(fault)

    def tell_trouble(self, trouble: str) -> None:
        """The camera gives no pictures, or none that can be used: what to do."""
        worker = self.wizard.worker
        latest = worker.latest if worker is not None else None
        lens = self.camera_profile.setup.lens
        if latest is not None and latest.unusable:
            shown = latest.picture.shape[1::-1] if latest.picture is not None else ()
            if lens is not None and shown and not lens.fits(shown):
                advice = _(
                    "The lens was measured with pictures of another size: measure it again, or "
                    "set the camera back to {wide} × {high}.",
                    wide=lens.size[0],
                    high=lens.size[1],
                )
                self.status.say("bad", _("The camera sends pictures of another size"), advice)
                self.in_trouble("lens")
            else:
                self.status.say("bad", _("This picture cannot be used"), trouble)
            return
        source = self.camera_profile.notes.source
        advice = (
            _("Is the phone awake, in the same network, and its camera app running?")
            if "://" in source
            else _("Is the camera plugged in, and does no other program use it?")
        )
        self.status.say("bad", _("No picture"), f"{_(trouble)}\n{advice}")
        self.in_trouble("source")

    @property
    def for_board(self) -> bool:
        """Whether the game that is set up is played on a board, and no tray is known."""
        app = self.wizard.app
        draft, begins = app.service.drafting.draft, "new" in app.trail
        return for_board(draft, self.camera_profile.setup, begins)

    def board_button(self) -> TouchButton:
        """For players who have no trays."""
        return TouchButton(
            _("We play on a board"),
            self.board_only,
            "primary" if self.for_board else "quiet",
            _("no trays: the game asks for its figures' tags and where the board lies"),
            name="board-only",
        )

    def board_only(self) -> None:
        """Say that the set-up is for boards, and go to the overview."""
        self.wizard.keep(None, board_only=True)
        self.wizard.app.back()

    def in_trouble(self, kind: str) -> None:
        """Show or hide the button that helps."""
        if kind != self.trouble:
            self.trouble = kind
            self.wizard.rebuild()


def aim_words() -> str:
    """How a spot of the picture is met exactly."""
    return _(
        "Hold your finger there and move it: the cross goes slowly, and counts where it is when you"
        " lift your finger."
    )


def fault_advice(fault: str) -> tuple[str, str]:
    """What is wrong with a picture, and what helps."""
    return {
        "mirrored": (
            _("The picture is mirrored"),
            _("Front cameras and programs for video calls do that. It can be turned back here."),
        ),
        "blank": (_("The picture shows nothing"), _("Is the lens covered?")),
        "dark": (_("The picture is too dark"), _("More light helps.")),
        "glaring": (
            _("The picture is too bright"),
            _("Less light helps, or a shorter exposure, or no lamp in the picture."),
        ),
        "moved": (
            _("The picture is blurred by movement"),
            _("Let the camera stand still; more light makes pictures sharper, too."),
        ),
        "soft": (
            _("The picture is blurred"),
            _("Let the camera stand still and focus on the table, and wipe its lens."),
        ),
    }[fault]


def step_title(step: str) -> str:
    return {
        "print": _("Print sheets"),
        "lens": _("Lens"),
        "table": _("Table"),
        "trays": _("Trays"),
        "check": _("Check"),
    }[step]


def old_plan(profile: CameraProfile) -> str:
    """That the printed plan is for a table of another size."""
    return _(
        "Your printed plan is for a table of {old}: print the reference tags again for {new}.",
        old=profile.notes.planned.replace("x", "×"),
        new=profile.plan.replace("x", "×"),
    )
