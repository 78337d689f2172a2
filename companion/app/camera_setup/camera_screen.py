"""The overview of a camera's set-up: the state of every step, each of which can be redone alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.camera_setup.camera_choice import change_camera, source_title
from companion.app.camera_setup.check_step import board_check
from companion.app.camera_setup.setup_step import old_plan, step_title
from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import TextEntry, row
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import _, ruler
from companion.engine.camera.camera_profile import (
    STEPS,
    SUFFIX,
    CameraProfile,
    Step,
    camera_profiles,
    fresh,
    load,
    notes_path,
)
from companion.engine.files.exports import SHEETS
from models import CompanionError

NOT_THERE_IN = 2.0
"""Who left the check out has put no tray at its mark: it was not measured."""
MEASURED_IN = 0.05
"""How exactly a tray is measured on most tables, one standard deviation at the far edge."""


class CameraScreen(ScreenPage):
    """The current profile: its camera, its five steps, and what comes next."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Set up a camera"), app.back)
        self.app = app
        self.wanted = ""
        self.build()

    def build(self) -> None:
        """Show the introduction, or the steps."""
        camera_profile = self.app.camera_profile
        self.fill(self.empty() if camera_profile is None else self.steps(camera_profile))

    def empty(self) -> list[Widget]:
        """The introduction if nothing is set up: what is needed, and two ways to begin."""
        card = CardBox(pad="wide")
        card.add_widget(Text(_("No camera is set up on this device yet"), "title", bold=True))
        what = _(
            "A camera that sees your table measures every tray to about {length}. It takes a "
            "printer, a ruler and about twenty minutes, once.",
            length=ruler().fine(MEASURED_IN),
        )
        card.add_widget(Text(what, colour="soft"))
        for number, step in enumerate(STEPS, 1):
            card.add_widget(Text(f"{number}   {step_title(step)}: {step_purpose(step)}"))
        widgets: list[Widget] = [card]
        if self.app.camera_profile_problem:
            widgets.append(self.problem(self.app.camera_profile_problem))
        widgets += [
            TouchButton(
                _("Set up a camera"),
                partial(self.create, "0"),
                "primary",
                size="large",
                name="setup-new",
            ),
            TouchButton(
                _("Try it with the practice camera"),
                partial(self.create, "practice"),
                "plain",
                _("the whole set-up, without a printer and without a camera"),
                size="large",
                name="setup-practice",
            ),
        ]
        if self.known():
            widgets.append(
                TouchButton(_("Other set-ups …"), self.others, "quiet", name="setup-others")
            )
        return widgets

    def known(self) -> tuple[Path, ...]:
        """The set-ups of this device; why their folder cannot be read is told above."""
        try:
            return camera_profiles(self.app.setups)
        except CompanionError:
            return ()

    def problem(self, told: str) -> CardBox:
        """The card for a set-up file that cannot be read."""
        card = CardBox(rim="bad")
        card.add_widget(Text(told, colour="bad"))
        card.add_widget(Text(_("Mend the file, or begin a new set-up."), colour="soft"))
        return card

    def steps(self, camera_profile: CameraProfile) -> list[Widget]:
        """The steps with their state."""
        onward = camera_profile.next_step
        head = CardBox()
        head.add_widget(Text(camera_profile.name, "title", bold=True))
        where = _("pictures from: {source}", source=source_title(camera_profile.notes.source))
        head.add_widget(Text(where, colour="soft"))
        head.add_widget(
            row(
                TouchButton(_("Change the camera"), self.change, name="setup-camera"),
                TouchButton(_("Other set-ups …"), self.others, name="setup-others"),
            )
        )
        widgets: list[Widget] = [head]
        if onward is None:
            done = CardBox(rim="good")
            done.add_widget(Text("✓ " + _("Everything is set up"), "large", "good", bold=True))
            done.add_widget(Text(_("New games see the table through this camera."), colour="soft"))
            widgets.append(done)
        else:
            first = not any(camera_profile.done(step) for step in STEPS)
            words = _("Begin the set-up") if first else _("Go on: {step}", step=step_title(onward))
            widgets.append(
                TouchButton(
                    words,
                    partial(self.app.set_up, onward),
                    "primary",
                    size="large",
                    name="setup-go",
                )
            )
        widgets.append(heading(_("STEPS, EACH CAN BE REDONE ALONE")))
        widgets += [self.step(number, step, camera_profile) for number, step in enumerate(STEPS, 1)]
        return widgets

    def step(self, number: int, step: Step, camera_profile: CameraProfile) -> Widget:
        """A step as a wide button: its number or a tick, its name, its state."""
        done = camera_profile.done(step)
        sign = "✓" if done else str(number)
        badge = CardBox(
            "card",
            rim="good" if done else "",
            pad="tiny",
            size_hint_x=None,
            size_hint_y=1,
            width=THEME.target,
        )
        badge.add_widget(
            Text(sign, "large", "good" if done else "accent", bold=True, align="center", grow=False)
        )
        press = TouchButton(
            step_title(step),
            partial(self.app.set_up, step),
            "plain",
            self.state(step, camera_profile),
            align="left",
            name=f"step:{step}",
        )
        line = BoxLayout(spacing=THEME.gap(), size_hint_y=None, height=press.height)
        press.bind(height=line.setter("height"))
        line.add_widget(badge)
        line.add_widget(press)
        return line

    def state(self, step: Step, camera_profile: CameraProfile) -> str:
        """The state of a step, in one line."""
        notes, setup = camera_profile.notes, camera_profile.setup
        if step == "print" and camera_profile.plan_is_old:
            return "! " + old_plan(camera_profile)
        if notes.again and step in AGAIN[notes.again] and not camera_profile.done(step):
            return "! " + why_again(notes.again)
        if step == "print":
            return (
                _("written: {sheets}", sheets=titles(notes.printed))
                if notes.printed
                else (step_purpose(step))
            )
        if step == "lens" and setup.lens is not None:
            if not notes.lens_views:
                return _("known from the set-up file")
            return _(
                "measured from {count} pictures, error {error} px",
                count=notes.lens_views,
                error=ruler().number(notes.lens_px, 2),
            )
        if step == "lens" and notes.lens_skipped:
            return _("estimated at the table")
        if step == "table" and camera_profile.done(step):
            return _(
                "{wide} × {deep}, error {px} px or {length}",
                wide=ruler().short(setup.table_width),
                deep=ruler().short(setup.table_depth),
                px=ruler().number(notes.table_px, 2),
                length=ruler().fine(notes.table_in),
            )
        if step == "trays" and setup.trays:
            return ", ".join(tray.unit for tray in setup.trays)
        if camera_profile.for_boards and step in ("trays", "check"):
            return board_check() if step == "check" else _("none: we play on a board")
        if step == "check" and notes.check_unit and notes.check_in < NOT_THERE_IN:
            return _(
                "{unit} off by {length}", unit=notes.check_unit, length=ruler().fine(notes.check_in)
            )
        return step_purpose(step)

    # -- changing ---------------------------------------------------------------------------

    def create(self, source: str, name: str = "") -> None:
        """Create a profile and open its first step; a real camera is chosen first."""
        usual = _("Practice") if source == "practice" else _("My table")
        self.app.choose_camera_profile(
            fresh(self.app.setups, name or usual).saved(None, source=source)
        )
        if source == "practice":
            self.app.set_up(STEPS[0])
        else:
            self.build()
            self.change()

    def change(self) -> None:
        """Choose another camera for this profile."""
        camera_profile = self.app.camera_profile
        if camera_profile is not None:
            change_camera(self.app, camera_profile, self.look_through)

    def look_through(self, source: str) -> None:
        """Save the chosen camera."""
        if self.app.camera_profile is not None:
            self.app.camera_profile = self.app.camera_profile.through(source)
        self.build()

    def others(self) -> None:
        """List the profiles of this device, with buttons to create one and to delete this one."""
        name = TextEntry("", _("name of a new set-up"))
        name.bind(text=lambda _field, text: setattr(self, "wanted", text))
        now = self.app.camera_profile
        widgets: list[Widget] = []
        for path in self.known():
            here = now is not None and path == now.path
            text = path.name.removesuffix(SUFFIX)
            widgets.append(
                TouchButton(
                    f"✓ {text}" if here else text,
                    partial(self.choose, path),
                    "ink" if here else "plain",
                    align="left",
                    name=f"setup:{text}",
                )
            )
        widgets += [
            heading(_("A NEW ONE")),
            row(name, TouchButton(_("Create"), self.create_named, name="setup-create")),
        ]
        if now is not None:
            widgets.append(
                TouchButton(
                    _("Delete “{name}” …", name=now.name), self.delete, "quiet", name="setup-delete"
                )
            )
        self.app.open_sheet(_("Set-ups"), widgets)

    def create_named(self) -> None:
        """Create a profile of the name that was typed."""
        self.app.close_sheet()
        self.create("0", self.wanted)

    def choose(self, path: Path) -> None:
        """Switch to another profile."""
        self.app.close_sheet()
        try:
            self.app.choose_camera_profile(load(path))
        except CompanionError as error:
            self.app.toast(str(error))
        self.build()

    def delete(self) -> None:
        """Delete the profile, after confirmation."""
        camera_profile = self.app.camera_profile
        if camera_profile is None:
            return

        def sure() -> None:
            camera_profile.path.unlink(missing_ok=True)
            notes_path(camera_profile.path).unlink(missing_ok=True)
            self.app.choose_camera_profile(None)
            self.app.close_sheet()
            self.build()

        self.app.open_sheet(
            _("Delete the set-up “{name}” for good?", name=camera_profile.name),
            [
                TouchButton(_("Delete"), sure, "primary", name="delete-sure"),
                TouchButton(_("Keep it"), self.app.close_sheet, name="keep-setup"),
            ],
        )


AGAIN: dict[str, tuple[str, ...]] = {
    "camera": ("lens", "table", "check"),
    "size": ("table", "check"),
}
"""The steps that depend on the camera, and on the table's size."""


def why_again(reason: str) -> str:
    """Why a step is to be done again."""
    if reason == "size":
        return _("again, because the table has another size")
    return _("again, because this is another camera")


def step_purpose(step: str) -> str:
    return {
        "print": _("tags for table and trays, and the lens board"),
        "lens": _("how the camera bends what it sees"),
        "table": _("where the camera stands over the table"),
        "trays": _("which tag sits on which tray"),
        "check": _("one tray against a ruler"),
    }[step]


def titles(printed: tuple[str, ...]) -> str:
    """The titles of the printed sheets."""
    return ", ".join(_(SHEETS[name].title) for name in printed if name in SHEETS)
