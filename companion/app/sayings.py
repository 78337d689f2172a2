"""Sentences over everything: one at a time, for a few seconds."""

from __future__ import annotations

import time
from typing import Any

from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.widget import Widget

from companion.app.kit import Card, Text
from companion.app.words import _

TOLD_S = 6.0


class Sayings(AnchorLayout):
    """A tap takes a sentence away, and so does time."""

    def __init__(self) -> None:
        super().__init__(anchor_x="center", anchor_y="bottom", padding=dp(70))
        self._told_s = 0.0

    def say(self, text: str, why: str = "", refused: bool = True) -> None:
        """Show a sentence, perhaps with the rule it goes by."""
        self.hush()
        card = Card("raised", rim="bad" if refused else "accent", size_hint_x=None)
        card.width = min(dp(620), Window.width - dp(40))
        card.add_widget(Text(_(text)))
        if why:
            card.add_widget(Text(why, "small", "accent", bold=True))
        card.bind(on_touch_down=self._touched)
        self.add_widget(card)
        self._told_s = time.monotonic()

    def hush(self) -> None:
        """No sentence any more."""
        self.clear_widgets()
        self._told_s = 0.0

    def pass_time(self, now_s: float) -> None:
        """What was said long enough ago goes."""
        if self._told_s and now_s > self._told_s + TOLD_S:
            self.hush()

    def _touched(self, card: Widget, touch: Any) -> None:
        if card.collide_point(*touch.pos):
            self.hush()
