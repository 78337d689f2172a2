"""Which camera sees the table, and which tag is on which unit."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FieldStep, NewGameWizard
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import choice
from companion.engine.app_words import _
from companion.engine.files.draft import Draft, assigned, fielded
from companion.engine.files.draft_editor import poses_seen, trays_of, trays_seen, unit_names
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.tag_assignment import proposed_by_side, proposed_in_order
from companion.overlay.shapes import Point
from models import Unit
from models.message import word

NEAR_IN = 3.0


class TagsStep(FieldStep):
    """The camera's picture, and a row per tray."""

    only = "ground"

    def __init__(self, wizard: NewGameWizard) -> None:
        self._seen: tuple[tuple[str, str], ...] = ()
        self._told = ("", "")
        """The camera's state that the step shows, and why."""
        super().__init__(wizard)
        if (
            self.camera_profile
            and self.app.service.camera_worker is not None
            and self.draft.camera == "none"
        ):
            self.app.service.drafting.plan(replace(self.draft, camera="camera"))
        self.kind = "picture" if self.app.service.live.picture is not None else "map"
        if self.kind == "picture":
            self.see("picture")

    @property
    def trays(self) -> tuple[tuple[str, str], ...]:
        """Name and kind of the trays in view."""
        return trays_seen(self.app.service.live, self.app.service.setup)

    @property
    def on_table(self) -> tuple[tuple[str, str], ...]:
        """The trays to be named: of the practice table all, those too far to be read too."""
        practice = self.draft.camera == "practice"
        return trays_of(self.app.service.setup) if practice else self.trays

    def build(self) -> None:
        """Show the choice of camera, and its trays with their units."""
        draft, live = self.draft, self.app.service.live
        cameras = [(_("no camera"), "none"), (_("practice camera"), "practice")]
        if self.camera_profile or draft.camera == "camera":
            cameras.append((self.camera_profile or _("the camera in use"), "camera"))
        found: list[Widget] = [
            self.card(_("Camera"), choice(cameras, draft.camera, self.use, 1)),
        ]
        if draft.camera == "none":
            card = CardBox()
            card.add_widget(
                Text(
                    _(
                        "Without a camera the trays are moved on the map. A camera can be set up "
                        "now or later; the game goes on either way."
                    ),
                    colour="soft",
                )
            )
            card.add_widget(
                TouchButton(
                    _("Set up a camera"), lambda: self.app.go("camera"), "quiet", name="to-camera"
                )
            )
            self.rows.fill([*found, card])
            return
        trays = self.trays
        self._told = (live.sight, live.why)
        if not trays or live.sight == "lost":
            sight = _(word("camera", live.sight))
            found.append(Text(_("camera: {state}", state=sight), "large", "soft"))
        if live.sight == "lost" and live.why:
            found.append(Text(_(live.why), "body", "warn"))
        if not trays:
            found.append(Text(_("No tray is seen yet."), colour="soft"))
            self.rows.fill(found)
            return
        units = {unit.id: unit for unit in fielded(draft)}
        names, called = dict(draft.tags), unit_names(units.values())
        in_sight = {names.get(tray) for tray, _kind in trays}
        missing = [unit for unit in units if unit not in in_sight]
        found.append(TouchButton(_("Propose in order"), self.propose, name="propose-tags"))
        if draft.camera == "camera" and any(tray not in names for tray, _kind in trays):
            hint = _("The camera sees no colours: tap each tray, or deploy both armies first.")
            found.append(Text(hint, colour="soft"))
        found.append(heading(_("TRAYS IN SIGHT · TAP TO CHANGE")))
        for tray, kind in trays:
            unit = units.get(names.get(tray, ""))
            under = _("Which unit is this tray?") if unit is None else called[unit.id]
            found.append(
                TouchButton(
                    f"{tray} · {_(word('tray', kind))}",
                    partial(self.ask, tray),
                    "plain" if unit is not None else "quiet",
                    under,
                    tint=THEME.side(unit.side) if unit is not None else None,
                    align="left",
                    name=f"tray:{tray}",
                )
            )
        if missing:
            told = _("not seen yet: {units}", units=", ".join(called[unit] for unit in missing))
            found.append(Text(told, "body", "warn"))
        if missing and draft.camera == "camera":
            found.append(
                TouchButton(
                    _("Tell the camera of another tray"),
                    lambda: self.app.go("camera"),
                    "quiet",
                    _("a tray whose tag the set-up does not know is not listed here"),
                    name="to-camera",
                )
            )
        self.rows.fill(found)

    def use(self, camera: str) -> None:
        """Switch to another camera."""
        service = self.app.service
        self._seen = ()
        if camera == "practice":
            service.show_practice_draft()
        elif camera == "camera":
            self.app.see_through()
        elif camera == "none":
            service.close_camera()
        self.change_draft(camera=camera, tags=())  # another camera sees other trays

    def propose(self) -> None:
        """Assign every tray in view anew."""
        self.change_draft(tags=self.proposed(replace(self.draft, tags=())))

    def proposed(self, draft: Draft) -> tuple[tuple[str, str], ...]:
        """The trays with the units that they may be; one whose side is not known has none."""
        if draft.camera == "practice":
            return proposed_in_order(draft, self.on_table)
        return proposed_by_side(draft, self.trays, poses_seen(self.app.service.live))

    def ask(self, tray: str) -> None:
        """Ask which unit a tray is."""
        units = fielded(self.draft)
        kind = dict(self.trays).get(tray, "")
        fits = [unit for unit in units if unit.tray.name == kind] or list(units)
        presses = [self.unit_press(tray, unit) for unit in fits]
        nobody = TouchButton(_("nobody"), partial(self.name, tray, ""), "quiet", name="unit:nobody")
        self.app.open_sheet(_("Tray {tray} is …", tray=tray), [*presses, nobody])

    def unit_press(self, tray: str, unit: Unit) -> TouchButton:
        """The button of a unit that a tray may be assigned to."""
        taken = next((key for key, value in self.draft.tags if value == unit.id), "")
        under = "" if not taken or taken == tray else _("now tray {tray}", tray=taken)
        return TouchButton(
            f"{THEME.mark(unit.side)} {unit_names(fielded(self.draft))[unit.id]}",
            partial(self.name, tray, unit.id),
            "ink" if taken == tray else "plain",
            under,
            align="left",
            name=f"unit:{unit.id}",
        )

    def name(self, tray: str, unit: str) -> None:
        """Assign a tray to a unit."""
        self.app.close_sheet()
        self.app.service.drafting.plan(assigned(self.draft, tray, unit))
        self.build()

    def tapped(self, point: Point) -> None:
        """Ask about the tray that was tapped on the picture."""
        poses = poses_seen(self.app.service.live)
        near = sorted(
            ((pose.x - point[0]) ** 2 + (pose.y - point[1]) ** 2, tray)
            for tray, pose in poses.items()
        )
        if near and near[0][0] <= NEAR_IN**2:
            self.ask(near[0][1])

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest rendering of the draft."""
        super().show(snapshot)
        self.look(self.app.service.live)

    def look(self, live: CameraView) -> None:
        """Propose units for trays that are newly in view."""
        super().look(live)
        trays = self.trays
        if trays == self._seen:
            if self.draft.camera != "none" and self._told != (live.sight, live.why):
                self.build()
            return
        self._seen = trays
        if self.draft.camera != "none":
            if self.kind != "picture" and live.picture is not None:
                self.see("picture")
            self.change_draft(tags=self.proposed(self.draft))
