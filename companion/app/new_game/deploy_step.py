"""Deployment: whether each unit is in its zone."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import shapely
from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FieldStep, NewGameWizard
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _
from companion.engine.files.draft import unseen
from companion.engine.moves.tray_places import still
from companion.engine.snapshot import CameraView
from companion.overlay.shapes import Point
from models import Pose
from models.unit import corners

NEAR_IN = 0.5
GLANCE_S = 0.4
"""How often the map is updated from the camera."""


class SeenFieldStep(FieldStep):
    """A step whose trays stand where the camera sees them."""

    def __init__(self, wizard: NewGameWizard) -> None:
        self._looked_s = 0.0
        super().__init__(wizard)

    @property
    def follows(self) -> bool:
        """Whether a camera provides the trays' positions."""
        return self.draft.camera != "none" and self.app.service.live.sight == "live"

    def look(self, live: CameraView) -> None:
        """Update the trays from the camera, a few times a second."""
        super().look(live)
        table, now = self.draft.table, time.monotonic()
        if table is None or not self.follows or now < self._looked_s + GLANCE_S:
            return
        self._looked_s = now
        seen = self.app.service.draft_seen()
        if seen.table is not None and any(
            not still(unit.pose, seen.table.unit(unit.id).pose) for unit in table.units
        ):
            self.change_draft(table=seen.table)
            self.app.service.stage(self.only)


class DeployStep(SeenFieldStep):
    """Trays are dragged on the map, or follow the camera."""

    def look(self, live: CameraView) -> None:
        """Update the trays, and who is not seen yet."""
        super().look(live)
        if self._missing != self.unseen:
            self.build()

    def build(self) -> None:
        """List every unit with its verdict."""
        self._missing = self.unseen
        table = self.draft.table
        found: list[Widget] = list(self.views())
        units = table.units if table is not None else ()
        wrong, judged = self.problems_of("units"), self.judged
        card = CardBox(rim="bad" if wrong else "good" if judged else "line")
        if not judged:
            card.add_widget(Text(_("The places are being checked …"), "large", bold=True))
        elif wrong:
            told = _("not yet: {units}", units=", ".join(wrong))
            card.add_widget(Text(f"✕ {told}", "large", "bad", bold=True))
        else:
            card.add_widget(Text(f"✓ {_('All deployed')}", "large", "good", bold=True))
        if self.follows:
            card.add_widget(Text(_("The camera tells where the trays stand."), colour="soft"))
            if missing := [*map(self.called, self._missing)]:
                told = _("not seen yet: {units}", units=", ".join(missing))
                card.add_widget(Text(told, "body", "warn"))
                card.add_widget(Text(_("Drag the trays to where they stand."), colour="soft"))
        else:
            card.add_widget(Text(_("Drag the trays to where they stand."), colour="soft"))
        if self.wizard.record.text:
            card.add_widget(Text(_(self.wizard.record.text), colour="soft"))
        found.append(card)
        chosen = next((unit for unit in units if unit.id == self.chosen), None)
        if chosen is not None:
            about = CardBox(rim=f"side-{THEME.place(chosen.side)}")
            about.add_widget(Text(self.called(chosen.id), "large", bold=True))
            about.add_widget(self.verdict_line("units", chosen.id))
            about.add_widget(grid(self.turners(self.turn), 4))
            found.append(about)
        for side in table.sides() if table is not None else ():
            players = [one for one in self.draft.seats if self.draft.plays_for(one) == side]
            names = " & ".join(self.draft.called(one) for one in players)
            name = f"{THEME.mark(side)} {names or _(side)}".upper()
            found.append(Text(name, "small", THEME.side(side), bold=True))
            for unit in units:
                if unit.side == side:
                    sign, words, _colour = self.verdict("units", unit.id)
                    found.append(
                        TouchButton(
                            f"{sign}  {self.called(unit.id)}",
                            partial(self.choose, unit.id),
                            "ink" if unit.id == self.chosen else "plain",
                            "" if sign == "✓" else words,
                            tint=THEME.side(side),
                            align="left",
                            name=f"deployed:{unit.id}",
                        )
                    )
        found.append(TouchButton(_("Line them up anew"), self.line_up, "quiet", name="line-up"))
        self.rows.fill(found)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The units whose trays the camera has not seen, or not where they went since."""
        standings = self.app.service.live.standings
        return unseen(self.draft, {one.unit for one in standings if one.condition != "gone"})

    @property
    def judged(self) -> bool:
        """Whether there are trays and the rules have been asked about their places."""
        table, staged = self.draft.table, self.staged
        return staged is not None and table is not None and bool(table.units)

    def line_up(self) -> None:
        """Propose all positions again."""
        table = self.draft.table
        if table is not None:
            self.change_draft(table=replace(table, units=()))
            self.app.service.stage(self.only)

    def stand(self, unit: str, pose: Pose) -> None:
        """Place a tray; on the practice table it is moved there too."""
        table = self.draft.table
        if table is None:
            return
        self.app.service.carry(unit, pose)
        self.change_draft(table=table.moved(unit, pose))
        self.app.service.stage(self.only)

    def turn(self, degrees: float) -> None:
        """Turn the selected tray."""
        table = self.draft.table
        if table is not None and self.chosen in table:
            pose = table.unit(self.chosen).pose
            self.stand(self.chosen, pose.turned(pose.heading + degrees))

    def tapped(self, point: Point) -> None:
        """Select a tray."""
        self.choose(self.grasp(point))

    def grasp(self, point: Point) -> str:
        """The tray at this point."""
        table, spot = self.draft.table, shapely.Point(point)
        near = [
            (shapely.Polygon(corners(unit)).distance(spot), unit.id)
            for unit in (table.units if table is not None else ())
        ]
        found = min(near, default=(NEAR_IN + 1, ""))
        return found[1] if found[0] <= NEAR_IN else ""

    def ring(self, name: str) -> tuple[Point, ...]:
        """A tray's outline."""
        table = self.draft.table
        return corners(table.unit(name)) if table is not None and name in table else ()

    def carry(self, name: str, by: Point) -> None:
        """Move a tray."""
        table = self.draft.table
        if table is not None and name in table:
            pose = table.unit(name).pose
            self.stand(name, Pose(pose.x + by[0], pose.y + by[1], pose.heading))
