"""What is played: edition, mode, size, table, clock."""

from __future__ import annotations

from dataclasses import replace

from kivy.uix.widget import Widget

from companion import games
from companion.app.new_game.wizard_step import FormStep
from companion.app.widgets.controls import Text
from companion.app.widgets.layouts import choice
from companion.engine.app_words import _, ruler

TABLES = ((48.0, 48.0), (72.0, 48.0))
CLOCKS = (0, 30, 45, 60, 90)
SIZES = (40,)


class GameStep(FormStep):
    """The choices that concern all players."""

    def build(self) -> None:
        """Show the choices."""
        draft = self.draft
        modes = [(_(name), key) for key, name in games.find(draft.game).modes(draft.game)]
        sizes = sorted(draft.builder.sizes(draft.game) if draft.builder else SIZES)
        short = ruler().short
        tables = [(f"{short(wide)} × {short(deep)}", (wide, deep)) for wide, deep in TABLES]
        clocks = [(_("no clock") if not n else _("{n} min", n=n), n) for n in CLOCKS]
        columns = 1 if self.width and self.width < self.height else 2
        widgets: list[Widget] = [
            *self.games(),
            self.card(
                _("Mode"),
                choice(modes, draft.mode, lambda v: self.change_draft(mode=v), columns + 1),
            ),
            self.card(
                _("Size in points"),
                choice([(str(n), n) for n in sizes], draft.points, self.resize_armies),
            ),
            self.card(
                _("Table"),
                choice(
                    tables,
                    (draft.width, draft.depth),
                    lambda v: self.change_draft(width=v[0], depth=v[1]),
                ),
            ),
            self.card(
                _("Clock for each side"),
                choice(clocks, draft.minutes, lambda v: self.change_draft(minutes=v), 5),
                Text(_("It runs for whoever has to decide, and can be paused."), "small", "soft"),
            ),
        ]
        self.rows.fill(widgets)

    def resize_armies(self, points: int) -> None:
        """Change the game size, against which the armies are counted."""
        builder = self.draft.builder
        seats = tuple(
            seat
            if seat.army is None or builder is None
            else replace(seat, army=builder.resized(seat.army, points))
            for seat in self.draft.seats
        )
        self.change_draft(points=points, seats=seats)
