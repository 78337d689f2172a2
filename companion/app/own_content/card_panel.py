"""A card as entered so far beside its form, with the buttons that are always in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import row
from companion.engine.app_words import _

BESIDE, LEAST_DP, MOST_DP = 0.34, 260, 400
"""The share of the width that it takes, and its limits."""
UNDER = 0.3
"""The share of the height that it takes in an upright window."""


class CardPanel(BoxLayout):
    """What a card holds, line by line, over the buttons of its form."""

    def __init__(self, note: Text, buttons: Sequence[TouchButton]) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"))
        self.padding = (0, 0, 0, THEME.gap())
        self.note = note
        self.list = Rows()
        self.buttons = row(*buttons)
        self.add_widget(self.list)
        self.add_widget(self.buttons)
        self.lines: list[tuple[str, str]] = []

    @property
    def needed(self) -> float:
        """The height of everything that it shows."""
        parts = (self.list.column.height, self.spacing, self.buttons.height, self.padding[3])
        return float(sum(parts))

    def show(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show what the card holds now: its name, then titles with their words."""
        if self.lines == list(lines):
            return
        self.lines = list(lines)
        card = CardBox(rim="line")
        card.add_widget(heading(_("THE CARD SO FAR")))
        (name, values), *rest = lines
        for text, size in ((name, "large"), (values, "small")):
            if text:
                card.add_widget(Text(text, size, bold=size == "large"))
        for title, words in rest:
            card.add_widget(Text(title, "body", bold=True))
            if words:
                card.add_widget(Text(words, "small", "soft"))
        if self.note.parent is not None:
            self.note.parent.remove_widget(self.note)
        self.list.fill([card, self.note])


class FormBeside(BoxLayout):
    """A form with the panel of its card: beside it, or under it in an upright window."""

    def __init__(self, rows: Rows, panel: CardPanel) -> None:
        super().__init__(spacing=THEME.gap())
        self.panel = panel
        panel.list.column.bind(height=self.arrange)
        rows.size_hint = (1, 1)
        self.add_widget(rows)
        self.add_widget(panel)
        self.bind(size=self.arrange)

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        upright = self.height > self.width
        self.orientation = "vertical" if upright else "horizontal"
        self.panel.size_hint = (1, None) if upright else (None, 1)
        if upright:
            self.panel.height = min(UNDER * self.height, self.panel.needed)
        else:
            self.panel.width = max(dp(LEAST_DP), min(BESIDE * self.width, dp(MOST_DP)))
