"""What only one player may see, behind a cover: a secret prompt, or the own hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.screens.game_page import choice_rows, sections
from companion.app.turn.card import form_key, named
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import _
from companion.engine.game_view import PrivateView
from companion.games.api.prompt import Prompt, PromptForm

LOOK_S = 0.05


class PrivateSheet(BoxLayout):
    """A cover that names the player; behind it `make` shows what is only for that player.

    What the player opened by a button that says so needs no cover: `open_at_once`.
    """

    def __init__(
        self,
        app: AppContext,
        seat: str,
        make: Callable[[PrivateView], Iterator[Widget]],
        open_at_once: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app, self.seat, self.make = app, seat, make
        self._clock: Any = None
        found = app.service.snapshot.seat(seat)
        name = _(found.name) if found is not None else seat
        if open_at_once:
            self.uncover()
            return
        self.fill(
            Text(_("Only {player} may look now.", player=name), "large"),
            TouchButton(
                _("I am {player}: show it", player=name), self.uncover, "primary", name="uncover"
            ),
        )

    def fill(self, *widgets: Widget) -> None:
        """Show these widgets."""
        self.clear_widgets()
        for widget in widgets:
            self.add_widget(widget)

    def uncover(self) -> None:
        """Ask for what the player may see."""
        self.app.service.peek(self.seat)
        self.fill(Text(_("one moment …"), colour="soft"))
        self._clock = Clock.schedule_interval(self.look, LOOK_S)

    def look(self, *_: Any) -> None:
        """Show it as soon as it is there; closing the sheet covers it again."""
        private = self.app.service.snapshot.private
        if self.app.sheet is None:
            self._clock.cancel()
        elif private is not None and private.seat == self.seat:
            self._clock.cancel()
            self.fill(*self.make(private))


def secret_prompt(app: AppContext, prompt: Prompt) -> Callable[[PrivateView], Iterator[Widget]]:
    """The choices of a secret prompt for one player."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: PrivateView) -> Iterator[Widget]:
        own = next((one for one in private.prompts if one.id == prompt.id), None)
        if own is None or not (own.choices or own.forms):
            yield Text(_("There is nothing to choose now."), colour="soft")
            return
        if own.text:
            yield Text(_(own.text), colour="soft")
        yield from choice_rows(own.choices, send)
        pieces = named(app.service.snapshot, own.pieces)
        for form in own.forms:
            yield EntryForm(form, send, lambda: pieces)

    return make


def private_form(app: AppContext, form: PromptForm) -> Callable[[PrivateView], Iterator[Widget]]:
    """A form with the values that only its player may see."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: PrivateView) -> Iterator[Widget]:
        forms = (one for prompt in private.prompts for one in prompt.forms)
        own = next((one for one in forms if form_key(one) == form_key(form)), None)
        if own is None or any(one.kind == "option" and not one.options for one in own.entries):
            yield Text(_("There is nothing to choose now."), colour="soft")
            return
        pieces = named(app.service.snapshot, ())
        yield EntryForm(own, send, lambda: pieces)

    return make


def secret_page(app: AppContext, page: str) -> Callable[[PrivateView], Iterator[Widget]]:
    """A page as one player sees it."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: PrivateView) -> Iterator[Widget]:
        own = next((one for one in private.pages if one.id == page), None)
        if own is not None:
            yield from sections(own, app.service.snapshot.seat, send, narrow=True)

    return make
