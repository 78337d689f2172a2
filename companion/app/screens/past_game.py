"""A past game: who played, how it went, and what can be done with it."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.file_card import FileCard
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import _
from companion.engine.files.exporting import FORMS, exporting
from companion.engine.files.game_library import SavedGame


class PastScreen(ScreenPage):
    """Resume, replay, report, export, delete."""

    def __init__(self, app: AppContext) -> None:
        saved = app.saved
        super().__init__(saved.title if saved is not None else _("PAST GAMES"), app.back)
        self.app, self.saved = app, saved
        self.written: tuple[Path, ...] = ()
        self.build()

    def build(self) -> None:
        """Build the screen: facts above, buttons below."""
        saved = self.saved
        if saved is None:
            self.fill([Text(_("No games yet. They appear here, kept to the last tap."))])
            return
        going = _("Look at it") if saved.winner else _("Go on playing")
        found: list[Widget] = [facts_card(saved)]
        if saved.broken:
            found.append(Text(saved.broken, colour="bad"))
        else:
            resume = partial(self.app.resume, saved)
            found += [
                TouchButton(going, resume, "primary", name="open-game", size="large"),
                grid(
                    [
                        TouchButton(
                            _("Replay"), partial(self.app.go, "replay"), name="replay-game"
                        ),
                        TouchButton(
                            _("Report"), partial(self.app.go, "report"), name="report-game"
                        ),
                    ],
                    2,
                ),
                heading(_("EXPORT")),
                grid(
                    [
                        TouchButton(_(word), partial(self.export, form), name=f"export:{form}")
                        for form, word in FORMS.items()
                    ],
                    3,
                ),
            ]
        if self.written:
            found.append(FileCard(self.written, self.app.toast))
        found.append(
            TouchButton(_("Delete"), partial(self.app.delete, saved), "quiet", name="delete-game")
        )
        self.fill(found)

    def export(self, form: str) -> None:
        """Export the game in a background task."""
        if self.saved is not None:
            folder = self.app.service.folder / "exports"
            self.app.wait_for(exporting(self.saved.path, form, folder, self.exported))

    def exported(self, path: Path) -> None:
        """Offer the file to be opened and shared."""
        self.written = (path,)
        self.build()


def facts_card(saved: SavedGame) -> CardBox:
    """The card with date, players and result."""
    card = CardBox()
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(saved.changed_s))
    players = " – ".join(_(name) for name in saved.players)
    end = _("won by {side}", side=_(saved.winner)) if saved.winner else _("not finished")
    if saved.winner == "draw":
        end = _("A draw")
    score = "  :  ".join(f"{THEME.mark(side)} {points}" for side, points in saved.score)
    if players:
        card.add_widget(Text(players, "large", bold=True))
    if score:
        card.add_widget(Text(score, "title", "accent", bold=True))
    told = " · ".join((when, _("Round {round}", round=saved.round), end))
    card.add_widget(Text(told, colour="soft"))
    return card
