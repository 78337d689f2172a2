"""The new-game wizard: every step can be reopened, and all choices are saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.new_game.army_step import ArmyStep
from companion.app.new_game.begin_step import BeginStep, ReadyStep
from companion.app.new_game.camera_step import CameraStep
from companion.app.new_game.deploy_step import DeployStep
from companion.app.new_game.game_step import EntriesStep, GameStep
from companion.app.new_game.list_step import ListStep
from companion.app.new_game.players_step import PlayersStep, SeatsStep
from companion.app.new_game.tags_step import TagsStep
from companion.app.new_game.terrain_step import TerrainStep, TokensStep
from companion.app.new_game.wizard_step import WizardStep
from companion.app.render.theme import THEME
from companion.app.widgets.controls import TouchButton
from companion.engine.app_words import _
from companion.engine.files.draft import plain_draft, with_armies
from companion.engine.snapshot import CameraView, Snapshot
from companion.games import package_of
from companion.games.api.new_game import NewGameStep
from companion.session.game_lookup import find_screen
from companion.text.translation import set_game

ARMY_STEPS: Mapping[str, Callable[[Any], WizardStep]] = {
    "form": GameStep,
    "seats": SeatsStep,
    "list": ArmyStep,
    "tags": TagsStep,
    "terrain": TerrainStep,
    "tokens": TokensStep,
    "place": DeployStep,
    "begin": BeginStep,
}
"""The steps of a game whose armies are built here and stand on a table in inches, by kind."""
PLAIN_STEPS: Mapping[str, Callable[[Any], WizardStep]] = {
    "form": EntriesStep,
    "seats": PlayersStep,
    "list": ListStep,
    "tags": CameraStep,
    "begin": ReadyStep,
}
"""The steps of every other game, by kind."""


MANY = 2
"""With so many steps ahead that players may leave out, a button leads past all of them."""


class NewGameScreen(BoxLayout):
    """The list of steps above, the open step in the middle, back and next below."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"))
        self.app = app
        self._message = app.service.snapshot.message.number
        self.problem = ""
        self.inner: WizardStep | None = None
        self.steps: tuple[NewGameStep, ...] = ()
        self.head = BoxLayout(
            size_hint_y=None, height=THEME.target + dp(12), padding=(dp(8), dp(6)), spacing=dp(6)
        )
        self.body = BoxLayout(padding=(0, dp(2)))
        self.foot = BoxLayout(
            size_hint_y=None, height=THEME.target + dp(14), padding=(dp(8), dp(6)), spacing=dp(8)
        )
        for one in (self.head, self.body, self.foot):
            self.add_widget(one)
        self.open(app.service.drafting.draft.step)
        self.bind(width=lambda *_: self.show_head())

    @property
    def step(self) -> int:
        """The number of the open step."""
        return min(self.app.service.drafting.draft.step, max(0, len(self.steps) - 1))

    @property
    def record(self) -> NewGameStep:
        """What the game says about the open step now."""
        return self.steps[self.step]

    def ask(self) -> None:
        """Ask the game for its steps: they depend on what was chosen so far."""
        draft = self.app.service.drafting.draft
        known = ARMY_STEPS if with_armies(draft.game) else PLAIN_STEPS
        screen = find_screen(draft.game)
        set_game(package_of(screen))
        THEME.set_up([one.side for one in draft.seats])
        found = screen.steps(draft.game, plain_draft(draft))
        self.steps = tuple(one for one in found if one.kind in known)

    def play(self, game: str) -> None:
        """Choose the game; the players stay."""
        bench = self.app.service.drafting
        if game != bench.draft.game:
            bench.plan(bench.draft.for_game(game))
            self.open(0)

    def open(self, number: int) -> None:
        """Open a step; steps that need armies lead back to the army step."""
        bench = self.app.service.drafting
        self.ask()
        number = min(max(number, 0), len(self.steps) - 1)
        armies = with_armies(bench.draft.game)
        listed = next((n for n, one in enumerate(self.steps) if one.kind == "list"), number)
        if armies and number > listed and not bench.draft.mustered:
            if number > bench.draft.step:
                self.app.toast(_("First give every side an army with a unit."), refused=False)
            number = listed
        bench.plan(replace(bench.draft, step=number))
        kind = self.steps[number].kind
        self.problem = "" if kind != "begin" else self.problem
        self.inner = (ARMY_STEPS if armies else PLAIN_STEPS)[kind](self)
        self.inner.build()
        self.body.clear_widgets()
        self.body.add_widget(self.inner)
        self.show_head()
        self.show_foot()
        self.inner.show(self.app.service.snapshot)
        self.inner.look(self.app.service.live)

    def show_head(self) -> None:
        """Show the button out of the wizard and the list of steps."""
        self.head.clear_widgets()
        back = TouchButton("‹  " + _("Back"), self.app.back, "plain", name="back")
        back.size_hint_x, back.width = None, dp(104)
        self.head.add_widget(back)
        wide = self.width > dp(1000)
        for number, one in enumerate(self.steps):
            now = number == self.step
            text = f"{number + 1}  {label(one)}" if wide or now else str(number + 1)
            look = "ink" if now else "plain" if number < self.step else "quiet"
            press = TouchButton(
                text, partial(self.open, number), look, size="small", name=f"step:{one.id}"
            )
            press.padding = (dp(3), dp(2))
            press.size_hint_x = max(1.0, len(text) / 7) if wide else (3.2 if now else 1.0)
            self.head.add_widget(press)

    def show_foot(self) -> None:
        """Show the back and next buttons."""
        self.foot.clear_widgets()
        if self.step:
            word = label(self.steps[self.step - 1])
            self.foot.add_widget(TouchButton(f"‹  {word}", self.step_back, name="previous"))
        last = len(self.steps) - 1
        between = self.steps[self.step + 1 : last]
        straight = len(between) >= MANY and all(one.optional for one in between)
        gold = "plain" if self.inner is not None and self.inner.waits else "primary"
        if straight:
            word, act = label(self.steps[last]), partial(self.forward, last)
            look = "plain" if self.record.optional else gold
            self.foot.add_widget(TouchButton(f"{word}  »", act, look, name="straight"))
        elif any(one.optional for one in self.steps[last - MANY : last]) and self.step == last:
            self.foot.add_widget(Widget())  # a second tap on the straight way changes nothing
        if self.step < last:
            word = label(self.steps[self.step + 1])
            onward = partial(self.forward, self.step + 1)
            # who opens what may be left out goes on there; nobody else is led through it
            look = "plain" if straight and not self.record.optional else gold
            self.foot.add_widget(TouchButton(f"{word}  ›", onward, look, name="next"))
        else:  # what was the way on is not the way back: a second tap changes nothing
            self.foot.add_widget(Widget())

    def step_back(self) -> None:
        """Go one step back."""
        self.open(self.step - 1)

    def forward(self, number: int) -> None:
        """Go on to a later step, unless something is missing."""
        why = self.inner.missing() if self.inner is not None else ""
        if why:
            self.app.toast(why)
        else:
            self.open(number)

    def start(self, agreed: str = "") -> None:
        """Start the game, against the rules if the players agreed to it; a refusal is shown as a
        toast."""
        self.app.service.begin(agreed)

    def show(self, snapshot: Snapshot) -> None:
        """Show the game if it started, the refusal, or the new rendering."""
        if snapshot.playing and snapshot.path != self.app.left:
            self.app.go("table")
            return
        if snapshot.message.number != self._message:
            self._message = snapshot.message.number
            self.problem = snapshot.told
            if self.inner is not None:
                self.inner.build()
        if self.inner is not None:
            self.inner.show(snapshot)

    def look(self, live: CameraView) -> None:
        """Show the newest frame."""
        if self.inner is not None:
            self.inner.look(live)


def label(step: NewGameStep) -> str:
    """One word for a step."""
    return _(step.short or step.title)
