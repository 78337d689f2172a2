"""The settings, each as a row of choices that apply at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion import games
from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.screens.settings_sections import DataSettings, TraySettings, about_widgets
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.icon import IconButton
from companion.app.widgets.layouts import TextEntry, choice, grid, row
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import LANGUAGES, _
from companion.engine.files.preferences import LONGEST_NAME
from companion.engine.turn.proposed_dice import SURE_AFTER
from companion.games.api.rules import GameRules, ReadingSwitch
from companion.session.game_lookup import game_title
from companion.session.game_view import screen_of
from companion.text.translation import set_game
from companion.vision.sources.stream_address import masked

WIDE_DP = 700
"""From this width on, cards are in two columns."""


class SettingsScreen(ScreenPage):
    """Saves and applies every choice at once."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Settings"), app.back)
        self.app = app
        self.trays = TraySettings(app, self.build)
        self.data = DataSettings(app, self.build)
        self.build()

    def build(self) -> None:
        """Show the sections, and the choices of the open one."""
        names = {
            "general": _("General"),
            "trays": _("Trays"),
            "readings": _("Readings"),
            "data": _("Data"),
            "about": _("About"),
        }
        tabs = [
            TouchButton(
                title,
                partial(self.turn_to, name),
                "ink" if name == self.app.section else "quiet",
                name=f"section:{name}",
            )
            for name, title in names.items()
        ]
        parts = {
            "general": self.general,
            "trays": self.trays.widgets,
            "readings": self.readings,
            "data": self.data.widgets,
            "about": about_widgets,
        }
        room = Widget(size_hint_y=None, height=THEME.gap("tiny"))
        columns = len(tabs) if self.app.root_layer.width >= dp(WIDE_DP) else 3
        self.fill([grid(tabs, columns), room, *parts[self.app.section]()])

    def turn_to(self, section: str) -> None:
        """Open another section."""
        self.app.section = section
        self.build()
        self.rows.scroll_y = 1

    def general(self) -> Sequence[Widget]:
        """The choices of appearance and sound."""
        yes_no = [(_("on"), True), (_("off"), False)]
        return (
            self.group(_("Language"), "language", [(name, key) for key, name in LANGUAGES.items()]),
            self.group(
                _("Colours"),
                "colours",
                [(_("dark"), "dark"), (_("light"), "light"), (_("high contrast"), "contrast")],
                _("Sides differ by shape as well as by colour."),
            ),
            self.group(
                _("Text size"),
                "text",
                [(_("small"), 0.9), (_("normal"), 1.0), (_("large"), 1.2), (_("very large"), 1.4)],
            ),
            *self.pairs(
                self.group(_("Lengths"), "units", [(_("inches"), "in"), (_("centimetres"), "cm")]),
                self.group(
                    _("Panel at the"),
                    "hand",
                    [(_("right hand"), "right"), (_("left hand"), "left")],
                ),
            ),
            *self.pairs(
                self.group(_("Sounds"), "sound", yes_no),
                self.group(_("Vibration"), "vibration", yes_no),
            ),
            self.group(
                _("Dice"),
                "dice",
                [
                    (_("Count"), "count"),
                    (_("Faces"), "faces"),
                    (_("App rolls"), "app"),
                    (_("Camera reads"), "camera"),
                ],
                _("The camera reads dice on a printed dice mat and proposes what it saw."),
            ),
            *self.dice_source(),
            self.group(
                _("Motion"),
                "motion",
                yes_no,
                _("Banners for rounds and turns drop in. Without motion the result line tells it."),
            ),
            self.group(
                _("Stay awake while playing"),
                "awake",
                yes_no,
                _("The screen goes dark as usual everywhere but in a game."),
            ),
        )

    def dice_source(self) -> list[Widget]:
        """Where the dice mat lies: under the table's camera, or under one of its own."""
        if self.app.service.preferences.dice != "camera":
            return []
        card = CardBox()
        card.add_widget(Text(_("Camera over the dice mat"), bold=True))
        what = _("Empty: the table's camera. Otherwise a camera's number or a stream's address.")
        card.add_widget(Text(what, "small", "soft"))
        field = TextEntry(masked(self.app.service.preferences.dice_camera), "http://…")
        field.name = "dice-camera"
        keep = partial(self.set_dice_camera, field)
        card.add_widget(field)
        card.add_widget(TouchButton(_("Keep"), keep, "quiet", name="keep-dice-camera"))
        return [card, *self.dice_at_once()]

    def dice_at_once(self) -> list[Widget]:
        """Whether throws are taken without a tap: asked once these dice are known to be read."""
        liked = self.app.service.preferences
        if liked.dice_streak < SURE_AFTER and not liked.dice_at_once:
            return []
        what = _(
            "The camera has read {n} throws in a row without a correction. A die in doubt is "
            "always asked about, and Undo takes a throw back.",
            n=SURE_AFTER,
        )
        yes_no: list[tuple[str, Any]] = [(_("on"), True), (_("off"), False)]
        return [self.group(_("Take throws at once"), "dice_at_once", yes_no, what)]

    def set_dice_camera(self, field: TextEntry) -> None:
        """Watch the mat through this camera; an address shown with stars stays what it was."""
        before, entered = self.app.service.preferences.dice_camera, field.text.strip()
        if field.text == masked(before):
            return
        if len(entered) > LONGEST_NAME or not entered.isprintable():
            what = _("An address has at most {n} letters: it was not kept.", n=LONGEST_NAME)
            self.app.toast(what, "")
        else:
            self.set("dice_camera", entered)

    def pairs(self, *cards: Widget) -> list[Widget]:
        """Small cards in two columns, if there is space."""
        wide = self.app.root_layer.width >= dp(WIDE_DP)
        return [grid(cards, 2)] if wide else list(cards)

    def group(
        self, title: str, name: str, options: list[tuple[str, Any]], note: str = ""
    ) -> Widget:
        """The card of one choice."""
        card = CardBox()
        card.add_widget(Text(title, bold=True))
        if note:
            card.add_widget(Text(note, "small", "soft"))
        now = getattr(self.app.service.preferences, name)
        buttons = choice(options, now, partial(self.set, name))
        if isinstance(now, bool):  # several groups have buttons named on and off
            for button in buttons.children:
                button.name = f"{name}:{button.name.removeprefix('choice:')}"
        card.add_widget(buttons)
        return card

    def readings(self) -> Sequence[Widget]:
        """The games, and the reading switches of one: that of the running game at first."""
        switched = {games.package_of(game): game for game in games.every() if game.switches()}
        running = screen_of(self.app.service.snapshot.game)
        likely = (self.app.settings_game, games.package_of(running), *switched)
        shown = next((one for one in likely if one in switched), "")
        set_game(shown)
        names = [
            TouchButton(
                title_of(game),
                partial(self.read_of, package),
                "ink" if package == shown else "quiet",
                name=f"readings:{package}",
            )
            for package, game in switched.items()
        ]
        what = _(
            "Where the rulebook leaves a choice, the players choose. A game keeps its choices."
        )
        liked = self.app.service.preferences.readings
        cards: list[Widget] = [Text(what, colour="soft"), grid(names, 2)]
        cards += [self.reading(one) for one in (switched[shown].switches() if shown else ())]
        if liked:
            cards.append(
                TouchButton(_("All readings as usual"), self.usual, "quiet", name="readings-usual")
            )
        return cards

    def read_of(self, package: str) -> None:
        """Show the readings of another game."""
        self.app.settings_game = package
        self.turn_to("readings")

    def reading(self, one: ReadingSwitch) -> Widget:
        """The card of one reading."""
        liked = self.app.service.preferences.readings
        held = [value for value in one.choices if f"{one.name}={value}" in liked]
        card = CardBox(rim="accent" if held else "")
        card.add_widget(Text(_(one.words)))
        usual = Text(_("usually: {value}", value=_(one.label(one.default))), "small", "soft")
        usual.pos_hint = {"center_y": 0.5}
        number = partial(self.app.toast, _(one.words), one.number, refused=False)
        about = IconButton("info", _("Why?"), number, "bare", False, name=f"why:{one.name}")
        about.size_hint_x, about.width = None, THEME.target
        card.add_widget(row(usual, about))
        options = [(_(one.label(value)), value) for value in one.choices]
        card.add_widget(choice(options, held[0] if held else one.default, partial(self.read, one)))
        return card

    def set(self, name: str, value: Any) -> None:
        """Set a preference; sounds are played at once."""
        self.app.prefer(replace(self.app.service.preferences, **{name: value}))
        if name in ("sound", "vibration"):
            self.app.sounds.play("sample")

    def read(self, one: ReadingSwitch, value: str) -> None:
        """Set a reading."""
        self.app.prefer(self.app.service.preferences.reading(one.name, value, one.default))

    def usual(self) -> None:
        """Reset all readings to their defaults."""
        self.app.prefer(replace(self.app.service.preferences, readings=()))


def title_of(rules: GameRules) -> str:
    """The names of a game's editions, in its own words: another game may use them differently."""
    screens = [(game, screen_of(game)) for game in rules.games]
    return " · ".join(game_title(screen, game) if screen else game for game, screen in screens)
