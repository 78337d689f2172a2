"""The base of the new-game wizard's steps: a form, or the table with a column beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from kivy.core.window import Window
from kivy.graphics import Color, Ellipse, Line
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import choice, row
from companion.app.widgets.page import WIDEST_DP
from companion.engine.app_words import _
from companion.engine.camera.camera_profile import PRACTICE
from companion.engine.drawing.overlay_cache import ScreenSize
from companion.engine.files.draft import Draft, camera_words, rules_of
from companion.engine.files.draft_editor import misplaced, names_on, place_verdict
from companion.engine.snapshot import CameraView, DraftSnapshot, Snapshot
from companion.games.api.new_game import NewGameStep, SetupProblem
from companion.games.api.rules import agreed
from companion.overlay.shapes import Point
from companion.session.game_lookup import every_screen, game_title
from companion.text.translation import capital

LEAST_DP = 120
"""No table is drawn in less room."""
VERDICTS = {"yes": ("✓", "good"), "no": ("✕", "bad"), "unsure": ("?", "warn")}
"""The symbol and the colour of each answer."""


class NewGameWizard(Protocol):
    """The protocol of the new-game wizard for its steps."""

    app: AppContext
    problem: str
    steps: tuple[NewGameStep, ...]

    @property
    def step(self) -> int:
        """The number of the open step."""
        ...

    @property
    def record(self) -> NewGameStep:
        """What the game says about the open step now."""
        ...

    def ask(self) -> None:
        """Ask the game for its steps."""

    def open(self, number: int) -> None:
        """Open a step."""

    def play(self, game: str) -> None:
        """Choose the game."""

    def start(self, agreed: str = "") -> None:
        """Start the game."""

    def show_foot(self) -> None:
        """Show the buttons to the steps before and after this one."""


class WizardStep(BoxLayout):
    """Subclasses build themselves from the draft; `change_draft` changes it."""

    title = ""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__()
        self.wizard, self.app = wizard, wizard.app

    @property
    def draft(self) -> Draft:
        """The draft so far."""
        return self.app.service.drafting.draft

    @property
    def camera_profile(self) -> str:
        """The name of the camera profile, if it can see."""
        profile = self.app.camera_profile
        if profile is None or not profile.sees or profile.notes.source == PRACTICE:
            return ""
        return profile.name

    def under_camera(self) -> Text:
        """Which camera set-up the game will use."""
        return Text(capital(camera_words(self.draft, self.camera_profile)), colour="soft")

    def agreements(self) -> list[Widget]:
        """How the players read open rules otherwise than usual, as the game will keep it."""
        game, rules = self.draft.game, rules_of(self.draft.game)
        if rules is None:  # a game of cards and dice alone
            return []
        readings = self.app.service.controller.game.chosen_readings(game)
        return [Text(capital(_(one)), colour="soft") for one in agreed(rules, readings)]

    def change_draft(self, **changes: Any) -> None:
        self.app.service.drafting.plan(replace(self.draft, **changes))
        self.build()

    def build(self) -> None:
        """Show the current draft."""

    @property
    def waits(self) -> bool:
        """Whether something in the step comes first: that is gold then, and not the way on."""
        return False

    def missing(self) -> str:
        """Why the wizard cannot go on yet; empty if it can."""
        return ""

    def show(self, snapshot: Snapshot) -> None:
        """Update from the newest snapshot."""

    def look(self, live: CameraView) -> None:
        """Update from the newest frame."""

    @staticmethod
    def card(title: str, *controls: Widget, rim: str = "") -> CardBox:
        """A card with a title and controls."""
        card = CardBox(rim=rim)
        card.add_widget(heading(title))
        for control in controls:
            card.add_widget(control)
        return card


class FormStep(WizardStep):
    """A step with a centred column."""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__(wizard)
        self.rows = Rows(size_hint=(None, 1))
        self.middle = AnchorLayout(padding=(THEME.gap(), 0))
        self.middle.add_widget(self.rows)
        self.middle.bind(size=self._place)
        self.add_widget(self.middle)

    def _place(self, *_: Any) -> None:
        self.rows.width = min(dp(WIDEST_DP), self.middle.width - 2 * THEME.gap())

    def games(self) -> list[Widget]:
        """The choice of the game, on the first step."""
        known = [
            (game_title(screen, game), game)
            for screen in every_screen()
            for game in sorted(screen.games, reverse=True)
        ]
        if self.wizard.step or len(known) < 2:
            return []
        columns = 2 if Window.width >= dp(WIDEST_DP) else 1
        picked = choice(known, self.draft.game, self.wizard.play, columns)
        return [self.card(_("Which game?"), picked)]

    def answered(self, key: str, value: Any) -> None:
        """Keep the answer to the open step, ask the game again and show it."""
        answers = {**self.draft.answers, key: value}
        self.app.service.drafting.plan(replace(self.draft, answers=answers))
        self.wizard.ask()
        self.build()

    def problems(self, seat: str = "") -> list[Widget]:
        """What the open step lacks, or breaks by which rule; of one seat, or of all."""
        known = self.wizard.record.problems
        found = [one for one in known if not one.seat or seat in ("", one.seat)]
        if not found:
            return []
        card = CardBox(rim="bad" if any(one.stops for one in found) else "warn")
        for one in found:
            rule = f" ({one.rule})" if one.rule and one.stops else ""
            colour, sign = ("bad", "✕") if one.stops else ("warn", "!")
            card.add_widget(Text(f"{sign} {self.whose(one)}{_(one.text)}{rule}", "body", colour))
        return [card]

    def whose(self, problem: SetupProblem) -> str:
        """The player whom a problem concerns."""
        known = [one for one in self.draft.seats if one.side == problem.seat]
        return f"{self.draft.called(known[0])}: " if known else ""


class FieldStep(WizardStep):
    """A step with the table and a column beside it, or below it in portrait."""

    only: str | None = None
    """Which part of the table is drawn: "ground" leaves the trays out."""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__(wizard)
        self.kind = "map"
        self.chosen = ""
        self.staged: DraftSnapshot | None = None
        self.pane = self._pane()
        self.stage = BoxLayout()
        self.stage.add_widget(self.pane)
        self.rows = Rows()
        self.column = BoxLayout()
        self.column.add_widget(self.rows)
        self._carried: str = ""
        self.bind(size=self.arrange)
        self.stage.bind(size=self.fit)
        self.arrange()
        self.app.service.stage(self.only)

    def _pane(self) -> TableView:
        return TableView(self.kind, self.tapped, self.dragged)

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.orientation = "vertical" if tall else "horizontal"
        self.clear_widgets()
        self.column.size_hint = (1, 0.75) if tall else (None, 1)
        self.column.padding = (dp(8), THEME.gap("small") if tall else 0, dp(4), 0)
        self.column.width = max(dp(330), min(dp(440), self.width * 0.36))
        first = [self.stage, self.column]
        if not tall and THEME.hand == "left":
            first.reverse()
        for one in first:
            self.add_widget(one)

    def fit(self, *_: Any) -> None:
        """Tell the service at which sizes to render."""
        draft, room = self.draft, (self.stage.width, self.stage.height)
        if min(room) < dp(LEAST_DP):  # not laid out yet
            return
        scale = round(min(room[0] / draft.width, room[1] / draft.depth) * 0.985, 2)
        shown = (round(room[0], 1), round(room[1], 1))
        unit = round(min(1.1, max(0.8, min(room) / dp(620))) * dp(1), 3)
        dark = THEME.palette != "light"
        self.app.service.fit(ScreenSize(scale, shown, unit, dark=dark))
        self.app.service.stage(self.only)

    def see(self, kind: str) -> None:
        """Show the map or the live picture."""
        self.kind = kind
        self.stage.clear_widgets()
        self.pane = self._pane()
        self.stage.add_widget(self.pane)
        self.pane.look(self.app.service.live)
        self.fit()
        self.lay()
        self.build()

    def views(self) -> list[Widget]:
        """The choice of map or picture, if a camera is live."""
        if self.app.service.live.picture is None:
            return []
        return [
            choice([(_("Map"), "map"), (_("Picture"), "picture")], self.kind, self.see),
        ]

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest rendering of the draft."""
        if snapshot.staged is not None and snapshot.staged is not self.staged:
            self.staged = snapshot.staged
            self.lay()
            self.build()

    def lay(self) -> None:
        """Draw the table in its view, and highlight the selection."""
        if self.staged is not None:
            one = self.staged
            self.pane.show(Snapshot(table=one.table, map=one.map, picture=one.picture))
            self.mark()

    def look(self, live: CameraView) -> None:
        """Show the newest frame."""
        first = self.pane.live.picture is None and live.picture is not None
        self.pane.look(live)
        if first and self.kind == "picture":
            self.fit()

    # -- overridden by subclasses ----------------------------------------------------------------

    def tapped(self, point: Point) -> None:
        """Handle a tap at this point of the table."""

    def grasp(self, point: Point) -> str:
        """The name of the thing to drag from this point; empty to pan the view."""
        return ""

    def ring(self, name: str) -> Sequence[Point]:
        """The outline of a thing."""
        return ()

    def carry(self, name: str, by: Point) -> None:
        """Move a thing by this much."""

    # -- gestures ---------------------------------------------------------------------------

    def dragged(self, step: str, start: Point, here: Point) -> bool:
        """Drag a thing; only its outline moves until the finger is lifted."""
        if step == "down":
            self._carried = self.grasp(start)
            return bool(self._carried)
        by = (here[0] - start[0], here[1] - start[1])
        if step == "up" and self._carried:
            self.choose(self._carried)
            self.carry(self._carried, by)
        elif step == "move":
            self.mark(self._carried, by)
        return True

    def choose(self, name: str) -> None:
        """Select a thing, or clear the selection."""
        self.chosen = name
        self.mark()
        self.build()

    def mark(self, name: str = "", by: Point = (0.0, 0.0)) -> None:
        """Outline what is selected or dragged."""
        self.pane.compositor.quick.clear()
        ring = self.ring(name or self.chosen) if name or self.chosen else ()
        if ring:
            self.trace([(x + by[0], y + by[1]) for x, y in ring], closed=True)

    def trace(self, points: Sequence[Point], closed: bool = False) -> None:
        """Draw a line on the table, with its corners marked."""
        spots = [self.pane.pixels(point) for point in points]
        thin = dp(2) / self.pane.zoom
        flat = [value for spot in spots for value in spot]
        for role, width in (("on-accent", 2.2 * thin), ("accent", thin)):
            self.pane.compositor.quick.add(Color(*THEME.colour(role)))
            if len(spots) > 1:
                self.pane.compositor.quick.add(Line(points=flat, width=width, close=closed))
            for x, y in () if closed else spots:
                radius = 3 * width
                place, size = (x - radius, y - radius), (2 * radius, 2 * radius)
                self.pane.compositor.quick.add(Ellipse(pos=place, size=size))

    # -- verdicts ---------------------------------------------------------------------------

    def verdict(self, kind: str, name: str) -> tuple[str, str, str]:
        """Symbol, text and colour of the verdict on a thing's place."""
        found = place_verdict(self.staged, kind, name)
        sign, colour = VERDICTS[found.answer]
        return sign, found.text, colour

    def problems_of(self, kind: str) -> list[str]:
        """The things of a kind whose place is not allowed."""
        return [self.called(name) for name in misplaced(self.staged, kind)]

    def called(self, thing: str) -> str:
        """What players call a thing on the table."""
        table = self.draft.table
        return names_on(table).get(thing, thing) if table is not None else thing

    def verdict_line(self, kind: str, name: str) -> Widget:
        """The verdict as a line of text; its rules are shown to those who ask why."""
        sign, words, colour = self.verdict(kind, name)
        line = Text(f"{sign} {words}", "body", colour, bold=True)
        rules = place_verdict(self.staged, kind, name).rules
        if not rules:
            return line
        line.pos_hint = {"center_y": 0.5}
        return row(line, self.why(f"{self.called(name)}: {words}", rules))

    def why(self, text: str, rules: Sequence[str]) -> TouchButton:
        """A button that says which rules forbid something."""
        press = TouchButton(
            _("Why?"), partial(self.app.toast, text, ", ".join(rules)), "quiet", name="why"
        )
        press.size_hint_x, press.width = None, dp(110)
        return press

    def turners(self, turn: Any) -> list[TouchButton]:
        """Buttons that turn the selected thing."""
        return [
            TouchButton(f"{sign}{abs(by)}°", partial(turn, by), name=f"turn:{by}")
            for sign, by in (("↶", 90), ("↶", 15), ("↷", -15), ("↷", -90))
        ]
