"""The players: each side's name and language, who is first, who defends."""

from __future__ import annotations

from dataclasses import replace

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FormStep
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text
from companion.app.widgets.layouts import choice
from companion.app.widgets.text_entry import TextEntry
from companion.engine.app_words import LANGUAGES, _
from companion.engine.files.draft import Seat

NAME_LIMIT = 30


class SeatsStep(FormStep):
    """A card per side."""

    def build(self) -> None:
        """Show the seats."""
        draft = self.draft
        widgets: list[Widget] = [self.seat(seat) for seat in draft.seats]
        sides = [
            (f"{THEME.mark(seat.side)} {self.called(seat)}", seat.side) for seat in draft.seats
        ]
        widgets.append(
            self.card(
                _("First player"),
                choice(
                    [*sides, (_("the game leads through the roll-offs"), "")],
                    draft.first,
                    lambda v: self.change_draft(first=v),
                    3,
                ),
                Text(
                    _(
                        "With a first player the table you set up here is taken as it is. "
                        "Otherwise zones, terrain and deployment follow step by step."
                    ),
                    "small",
                    "soft",
                ),
            )
        )
        if draft.stage is not None and draft.stage.has_roles(draft.game, draft.mode):
            widgets.append(
                self.card(
                    _("Defender"),
                    choice(
                        sides, draft.defender, lambda v: self.change_draft(defender=v, table=None)
                    ),
                )
            )
        self.rows.fill(widgets)

    def called(self, seat: Seat) -> str:
        """The player's name, or the side's."""
        return seat.name or _(seat.side)

    def seat(self, seat: Seat) -> Widget:
        """Name and language of one player."""
        near = _("near edge") if seat is self.draft.seats[0] else _("far edge")
        entry = TextEntry(seat.name, _("name (optional)"))
        entry.bind(text=lambda _, text, side=seat.side: self.name_player(side, text))
        entry.name = f"name:{seat.side}"
        languages = [(_("as the app"), ""), *((name, key) for key, name in LANGUAGES.items())]
        return self.card(
            f"{THEME.mark(seat.side)} {_(seat.side)} · {near}",
            entry,
            Text(_("Language while this player decides"), "small", "soft"),
            choice(
                languages,
                seat.language,
                lambda v: self.seated(replace(self.draft.seat(seat.side), language=v)),
            ),
            rim=f"side-{THEME.place(seat.side)}",
        )

    def name_player(self, side: str, text: str) -> None:
        """Save the name as it is typed, without rebuilding the text field."""
        seat = replace(self.draft.seat(side), name=text.strip()[:NAME_LIMIT])
        self.app.service.drafting.plan(self.draft.seated(seat))

    def seated(self, seat: Seat) -> None:
        """Change a player's seat."""
        self.app.service.drafting.plan(self.draft.seated(seat))
        self.build()

    def missing(self) -> str:
        """Two players need different names."""
        names = [self.called(seat).casefold() for seat in self.draft.seats]
        return "" if len(set(names)) == len(names) else _("Two players have the same name.")
