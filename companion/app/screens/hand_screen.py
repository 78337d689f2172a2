"""A hidden hand on a shared screen: shown after a confirmation, played with a tap."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.engine.app_words import _
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import grid

LOOK_S = 0.05


class HandScreen(BoxLayout):
    """One player's cards, covered until that player confirms; hidden again when closed."""

    def __init__(self, app: AppContext, player: str, side: str) -> None:
        super().__init__(orientation="vertical", spacing=SKIN.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app, self.player, self.side = app, player, side
        self.card = ""
        self._clock: Any = None
        self.cover()

    def fill(self, *widgets: Widget) -> None:
        self.clear_widgets()
        for widget in widgets:
            self.add_widget(widget)

    def cover(self) -> None:
        """Ask for confirmation, since others may be looking."""
        who = f"{SKIN.mark(self.side)} {_(self.player)}"
        self.fill(
            Text(_("Only {player} may look at this hand.", player=who), "large"),
            TouchButton(
                _("I am {player}: show it", player=who), self.uncover, "primary", name="uncover"
            ),
        )

    def uncover(self) -> None:
        """Request the hand."""
        self.app.desk.peek(self.side)
        self.fill(Text(_("one moment …"), colour="soft"))
        self._clock = Clock.schedule_interval(self.look, LOOK_S)

    def look(self, *_: Any) -> None:
        """Show the hand as soon as the snapshot has it."""
        if self.app.sheet is None:
            self._clock.cancel()
        elif self.app.desk.snapshot.hidden:
            self._clock.cancel()
            self.show()

    @property
    def cards(self) -> list[str]:
        """The names of the cards."""
        players = self.app.desk.snapshot.hidden.get("players") or {}
        return list(players.get(self.player, {}).get("hand_cards") or ())

    def show(self) -> None:
        """Show the cards, with buttons for those that can be played now."""
        cards = self.cards
        if not cards:
            self.fill(Text(_("The hand is empty."), colour="soft"))
            return
        plays = self.player in self.app.desk.snapshot.may_play
        told = _("Tap the card to play.") if plays else _("No card can be played now.")
        presses = [
            TouchButton(
                name,
                partial(self.ask, name) if plays else None,
                "plain",
                size="large",
                ready=plays,
                name=f"card:{name}",
            )
            for name in cards
        ]
        self.fill(Text(told, colour="soft"), *presses)

    def ask(self, card: str) -> None:
        """Ask whether the card is played for a unit, and for which."""
        self.card = card
        snapshot = self.app.desk.snapshot
        units = [
            TouchButton(
                f"{SKIN.mark(unit['side'])} {name}",
                partial(self.play, name),
                "plain",
                unit["name"],
                name=f"for:{name}",
            )
            for name, unit in snapshot.state.get("units", {}).items()
            if unit["models"]
        ]
        head = CardBox(rim="accent")
        head.add_widget(Text(card, "large", bold=True))
        self.fill(
            head,
            TouchButton(_("Play it"), partial(self.play, ""), "primary", name="play-it"),
            heading(_("OR PLAY IT FOR A UNIT")),
            grid(units, 3),
            TouchButton(_("Back"), self.show, "quiet", name="hand-back"),
        )

    def play(self, unit: str) -> None:
        """Send the command that plays the card."""
        about = {"unit": unit} if unit else {}
        self.app.close_sheet()
        self.app.desk.do({"do": "play", "player": self.player, "card": self.card, **about})
