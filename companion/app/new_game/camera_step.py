"""Which camera sees the board: none, the practice camera, or the one that was set up."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion.app.camera_setup.camera_choice import PRACTICE
from companion.app.engine.app_words import _
from companion.app.new_game.wizard_step import FormStep
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import choice


class CameraStep(FormStep):
    """The choice of the camera, and how tags become pieces."""

    @property
    def station(self) -> str:
        """The name of the camera profile, if it can see."""
        station = self.app.station
        if station is None or not station.sees or station.notes.source == PRACTICE:
            return ""
        return station.name

    def build(self) -> None:
        """Show the cameras."""
        draft = self.draft
        cameras = [(_("no camera"), "none"), (_("practice camera"), "practice")]
        if self.station:
            cameras.append((self.station, "camera"))
        told = {
            "none": _("Without a camera everything is done by tapping figures and spaces."),
            "practice": _("A virtual camera shows the board with tagged figures, to try it out."),
            "camera": _("The tags, in the order of their numbers, are the figures of the lists."),
        }
        widgets: list[Widget] = [
            self.card(
                _("Camera"),
                choice(cameras, draft.camera, self.use, 3),
                Text(told[draft.camera], colour="soft"),
            )
        ]
        if not self.station:
            go = TouchButton(
                _("Set up a camera"), lambda: self.app.go("camera"), "quiet", name="to-camera"
            )
            widgets.append(go)
        self.rows.fill([*widgets, *self.problems()])

    def use(self, camera: str) -> None:
        """Choose another camera; the one that was set up is opened at once."""
        if camera == "camera":
            self.app.see_through()
        else:
            self.app.desk.close_eyes()
        self.put(camera=camera)
