"""The check: a tray is placed with a ruler, and its measured position is compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.widget import Widget

from calibration.references.table_check import MarkedSpot, SpotCheck, checked, spots, tray_px
from calibration.references.table_pose import TablePose
from calibration.setup import TaggedTray
from companion.app.camera_setup.setup_step import SetupStep
from companion.app.render.picture_view import Mark, mark
from companion.app.screens.sight_screen import explained_lines, explained_marks
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.layouts import choice
from companion.engine.app_words import _, ruler
from companion.practice.workbench import SLIP
from companion.vision.explain import ExplainedTag, explained
from companion.vision.look import TableLook, look
from companion.vision.sources.frame import CameraFrame


def board_check() -> str:
    """When a board is checked."""
    return _("a board is measured when its grid is laid on it")


class CheckStep(SetupStep):
    """One tray, one spot, one error."""

    key = "check"

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        self.unit = next((tray.unit for tray in self.camera_profile.setup.trays), "")
        self.spot = "left"
        self.turn = 0
        self.check: SpotCheck | None = None
        """The tray as it is seen now, against the chosen spot."""
        self.newest: SpotCheck | None = None
        """The last time it was seen at a spot; it may have been taken away since."""
        self.newest_unit = ""
        self.explaining = False
        self.told: tuple[ExplainedTag, ...] = ()
        """What the camera finds and why not, while the players ask for it."""
        self._lines: list[str] = []

    @property
    def tray(self) -> TaggedTray | None:
        trays = self.camera_profile.setup.trays
        return next((tray for tray in trays if tray.unit == self.unit), None)

    @property
    def marked(self) -> MarkedSpot | None:
        tray, setup = self.tray, self.camera_profile.setup
        if tray is None:
            return None
        found = spots(tray.tray, setup.table_width, setup.table_depth)
        return next(spot for spot in found if spot.name == self.spot)

    def watch(self, frame: CameraFrame) -> TableLook:
        """Detect the trays in a frame."""
        self.turn += 1
        setup = self.camera_profile.setup
        sight = look(frame, setup, self.turn)
        self.told = explained(frame.grey(), setup, sight) if self.explaining else ()
        return sight

    def panel(self) -> Sequence[Widget]:
        """Choice of tray and spot, and the error."""
        tray = self.tray
        if tray is None:
            back = TouchButton("‹  " + _("Trays"), lambda: self.wizard.go("trays"), name="to-trays")
            if self.camera_profile.for_boards:
                self.status.say("good", board_check())
                return (back,)
            self.status.say("warn", _("No tray yet"), _("Go back and tell at least one tray."))
            told = Text(_("The check needs a tray that the app knows."), colour="soft")
            return (told, back, self.board_button())
        names = [(one.unit, one.unit) for one in self.camera_profile.setup.trays]
        places = [(_("left edge"), "left"), (_("right edge"), "right"), (_("middle"), "middle")]
        widgets: list[Widget] = [
            Text(self.words(), colour="soft"),
            heading(_("TRAY")),
            choice(names, self.unit, lambda unit: self.pick(unit=unit), 3),
            heading(_("SPOT")),
            choice(places, self.spot, lambda spot: self.pick(spot=spot), 3),
        ]
        if self.practice is not None:
            widgets.append(
                TouchButton(_("Let a practice hand put it there"), self.hand, name="practice-hand")
            )
        show = _("What the camera sees")
        widgets.append(TouchButton(show, self.explain, "quiet", name="explain"))
        return [*widgets, *(explained_lines(self.told) if self.explaining else ())]

    def explain(self) -> None:
        """Show of every tag whether it is found and why not, or no longer."""
        self.explaining = not self.explaining
        self.wizard.rebuild()

    def words(self) -> str:
        """How to find the spot with a ruler."""
        marked = self.marked
        assert marked is not None
        far = ruler().short(marked.ruler_in)
        if marked.name == "middle":
            return _(
                "Put the tray with the middle of its front edge exactly on the middle of the "
                "table ({ruler} from your edge), facing away from you.",
                ruler=far,
            )
        side = {"left": _("left edge"), "right": _("right edge")}[marked.name]
        return _(
            "Put the tray flush with the table's {side}, its rear {ruler} from your edge, facing "
            "away from you.",
            side=side,
            ruler=far,
        )

    def pick(self, unit: str = "", spot: str = "") -> None:
        """Choose another tray or another spot."""
        self.unit, self.spot = unit or self.unit, spot or self.spot
        self.check = None
        self.wizard.rebuild()

    def hand(self) -> None:
        """Place the practice table's tray, with the error that people make."""
        bench, tray, marked = self.practice, self.tray, self.marked
        if bench is not None and tray is not None and marked is not None:
            bench.place_tagged(tray.tags[0].id, SLIP.onto(marked.pose))

    def refresh(self, found: Any, trouble: str) -> None:
        """Show the error and what it means."""
        if self.explaining and [str(one.words) for one in self.told] != self._lines:
            self._lines = [str(one.words) for one in self.told]
            self.wizard.rebuild()
        tray, marked = self.tray, self.marked
        if not isinstance(found, TableLook):
            if trouble:
                self.tell_trouble(trouble)
            return
        if tray is None or marked is None:
            return
        fit = found.tray(tray.unit)
        if isinstance(found.camera, TablePose):
            self.in_trouble("")
        elif self.tell_fault(found.camera.fault):
            self.check = None
            return
        if fit is None:
            self.check = None
            self.status.say(
                "bad",
                _("{unit} is not seen", unit=tray.unit),
                _("Is its tag in view? If the table is lost, go back to the table step."),
            )
            return
        self.check = here = checked(fit.pose, marked)
        head = _("off by {length}", length=ruler().fine(here.off_in))
        sure = _(
            "± {sigma}, turned {turn}°",
            sigma=ruler().fine(here.sigma_in),
            turn=f"{round(here.turn_deg, 1) + 0.0:+.1f}",
        )
        if here.off_in <= tray.tray.width:
            self.newest, self.newest_unit = here, tray.unit
        if here.good:
            self.status.say("good", head, f"{sure}. " + _("As exact as a hand can put it."))
        elif here.off_in > tray.tray.width:
            self.status.say("line", head, _("Not at the spot yet: the drawn outline shows it."))
        else:
            self.status.say("warn", head, f"{sure}; {self.way(here)}. {self.help(here)}")

    def way(self, here: SpotCheck) -> str:
        """In which direction the camera sees it off its spot."""
        right = _("{length} too far right"), _("{length} too far left")
        beyond = _("{length} too far from the near edge"), _("{length} too close to the near edge")
        told = [
            (off, pair[off < 0])
            for off, pair in ((here.right_in, right), (here.beyond_in, beyond))
            if abs(off) > here.off_in / 3  # the lesser part of a slanting error says little
        ]
        return ", ".join(text.format(length=ruler().fine(abs(off))) for off, text in told)

    def help(self, here: SpotCheck) -> str:
        """What to check if the error is large."""
        if abs(here.turn_deg) > 1.5:
            return _("It is turned: is the tag glued straight, and is the mount the right one?")
        return _(
            "Is it really at the spot? Then look at the tray's mount, the tag's size and height, "
            "and the table's size, in this order."
        )

    def marks(self, found: Any) -> Sequence[Mark]:
        """The spot, and the tray as it is detected."""
        tray, marked = self.tray, self.marked
        shown = explained_marks(self.told) if self.explaining else []
        if not isinstance(found, TableLook) or tray is None or marked is None:
            return shown
        if not isinstance(found.camera, TablePose):
            return shown
        rim, arrow = tray_px(found.camera, tray.tray, marked.pose)
        drawn = [
            *shown,
            mark(rim, "accent", width_dp=3, fill=0.15),
            mark(arrow, "accent", width_dp=3),
        ]
        fit = found.tray(tray.unit)
        if fit is not None:
            rim, arrow = tray_px(found.camera, tray.tray, fit.pose)
            role = "good" if self.check is not None and self.check.good else "warn"
            drawn += [mark(rim, role, width_dp=2, text=tray.unit), mark(arrow, role, width_dp=2)]
        return [*drawn, *shown]

    @property
    def complete(self) -> bool:
        """Whether the tray stands where the ruler says, now or before."""
        return self.newest.good if self.newest is not None else super().complete

    def unfinished(self) -> str:
        """That the check is not good yet."""
        return "" if self.complete else _("No tray was seen at its spot yet: nothing is checked.")

    def keep(self) -> None:
        """Save the result in the notes."""
        if self.newest is not None:
            self.wizard.keep(
                None,
                check_unit=self.newest_unit,
                check_in=round(self.newest.off_in, 4),
                check_good=self.newest.good,
            )
