"""What the players like, each as a row of choices that act at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.uix.widget import Widget

from companion import games
from companion.app.kit import Card, Text, choice, heading
from companion.app.page import Page
from companion.app.words import LANGUAGES, _

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


class SettingsScreen(Page):
    """Every choice is kept at once and seen at once."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("Settings"), app.back)
        self.app = app
        self.build()

    def build(self) -> None:
        """All choices."""
        liked = self.app.desk.preferences
        yes_no = [(_("on"), True), (_("off"), False)]
        groups: list[Widget] = [
            self.group(_("Language"), "language", [(name, key) for key, name in LANGUAGES.items()]),
            self.group(_("Lengths"), "units", [(_("inches"), "in"), (_("centimetres"), "cm")]),
            self.group(
                _("Colours"),
                "colours",
                [(_("dark"), "dark"), (_("light"), "light"), (_("high contrast"), "contrast")],
                _("Sides differ by shape as well as by colour; blue and orange suit all eyes."),
            ),
            self.group(
                _("Text size"),
                "text",
                [(_("small"), 0.9), (_("normal"), 1.0), (_("large"), 1.2), (_("very large"), 1.4)],
            ),
            self.group(
                _("Panel at the"), "hand", [(_("right hand"), "right"), (_("left hand"), "left")]
            ),
            self.group(_("Stay awake while playing"), "awake", yes_no),
        ]
        groups.append(heading(_("READINGS: WHERE THE RULEBOOK LEAVES A CHOICE")))
        for game in games.every():
            for one in game.switches():
                held = f"{one.name}={{}}"
                now = next(
                    (value for value in one.choices if held.format(value) in liked.readings),
                    one.default,
                )
                card = Card()
                card.add_widget(Text(f"{one.number} · {_(one.words)}"))
                card.add_widget(
                    choice(
                        [(_(value), value) for value in one.choices],
                        now,
                        partial(self.read, one),
                    )
                )
                groups.append(card)
        folder = Card()
        folder.add_widget(Text(_("Data folder"), bold=True))
        folder.add_widget(Text(str(self.app.desk.folder), "small", "soft"))
        groups.append(folder)
        self.fill(groups)

    def group(
        self, title: str, name: str, options: list[tuple[str, Any]], note: str = ""
    ) -> Widget:
        """One choice."""
        card = Card()
        card.add_widget(Text(title, bold=True))
        if note:
            card.add_widget(Text(note, "small", "soft"))
        now = getattr(self.app.desk.preferences, name)
        card.add_widget(choice(options, now, lambda value: self.set(name, value)))
        return card

    def set(self, name: str, value: Any) -> None:
        """Choose."""
        self.app.prefer(replace(self.app.desk.preferences, **{name: value}))

    def read(self, one: Any, value: str) -> None:
        """Choose a reading."""
        self.app.prefer(self.app.desk.preferences.reading(one.name, value, one.default))
