"""What the camera sees: its picture with every tag that was found, and those that were not with
the most likely reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kivy.metrics import dp
from kivy.uix.widget import Widget

from calibration.references.table_lost import TableLost
from calibration.setup import Setup
from companion.app.context import AppContext
from companion.app.render.picture_view import Mark, Viewer, mark
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import _
from companion.engine.threads import BackgroundTask, TaskStep
from companion.vision.explain import ExplainedTag, explained, missing_told
from companion.vision.look import TableLook, look
from companion.vision.sources.frame import CameraFrame, Picture

PICTURE_DP = 380
ROLES = {"found": "good", "missing": "bad", "unread": "warn"}
Told = tuple[TableLook, tuple[ExplainedTag, ...]]


def explained_marks(told: Sequence[ExplainedTag]) -> list[Mark]:
    """An outline for each place that is known."""
    return [
        mark(one.corners_px, ROLES[one.role], width_dp=2.4, closed=True, text=one.name)
        for one in told
        if one.corners_px is not None
    ]


def explained_lines(told: Sequence[ExplainedTag]) -> list[Widget]:
    """How many tags were found, and a line for each reason why others were not."""
    known = [one for one in told if one.tag is not None]
    count = _(
        "{found} of {count} tags are found",
        found=sum(one.found for one in known),
        count=len(known),
    )
    rest = missing_told(told)
    lines: list[Widget] = [Text(count, bold=True)]
    if rest:
        lines.append(heading(_("NOT FOUND")))
    return lines + [Text(_(words), "small", ROLES[role]) for role, words in rest]


class SightScreen(ScreenPage):
    """The newest picture of the game's camera, looked at thoroughly once."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("What the camera sees"), app.back)
        self.app = app
        self.viewer = Viewer(size_hint_y=None, height=dp(PICTURE_DP))
        self.again()

    def again(self) -> None:
        """Take the newest picture and look at it in the background."""
        live, setup = self.app.service.live, self.app.service.setup
        if live.picture is None or setup is None:
            why = _(live.why) if live.why else _("the camera starts …")
            self.fill([Text(why, colour="warn"), self.button()])
            return
        picture = live.picture
        self.viewer.show(picture, ())
        self.fill([self.viewer, self.button()])

        def work(step: TaskStep) -> Told:
            step(0.2)
            return looked(picture, setup)

        self.app.wait_for(BackgroundTask(_("What the camera sees"), work, self.tell))

    def button(self) -> TouchButton:
        return TouchButton(_("Look again"), self.again, name="look-again")

    def tell(self, found: Told) -> None:
        """Show the marks and the reasons."""
        sight, tags = found
        names = self.app.service.snapshot.name
        told = [replace(one, unit=names(one.unit)) if one.unit else one for one in tags]
        self.viewer.show(None, explained_marks(told))
        lines: list[Widget] = [self.viewer]
        if isinstance(sight.camera, TableLost):
            lines.append(Text(_(sight.camera.reason), colour="bad"))
        self.fill([*lines, self.button(), *explained_lines(told)])


def looked(picture: Picture, setup: Setup) -> Told:
    """A thorough look at one picture, and why it shows what it shows."""
    frame = CameraFrame(picture)
    sight = look(frame, setup, thorough=True)
    return sight, explained(frame.grey(), setup, sight)
