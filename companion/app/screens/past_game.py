"""A past game: who played, how it went, what can be done with it, and its battle report on
screen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.screens.table_stage import map_room
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.file_picker import FileCard
from companion.app.widgets.layouts import grid
from companion.app.widgets.modal import Gauge
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.score_chart import ScoreChart
from companion.engine.app_words import _, set_turned
from companion.engine.files.exports import FORMS, exporting, story_of
from companion.engine.files.game_library import SavedGame
from companion.engine.snapshot import words_as_drawn
from companion.engine.threads import BackgroundTask, TaskStep
from companion.overlay.footprints import fitted
from companion.session.report.markdown_report import (
    chapter_title,
    facts,
    line,
    outcome,
    telling,
    turn_title,
)
from companion.session.report.story import Chapter, Story
from models.board_table import BoardTable


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
    when = time.strftime(_("%Y-%m-%d, %H:%M"), time.localtime(saved.changed_s))
    players = " – ".join(saved.players)
    end = _("won by {side}", side=saved.won_by()) if saved.winner else _("not finished")
    if saved.winner == "draw":
        end = _("A draw")
    marks = map(THEME.mark_of, saved.colours or (THEME.place(side) + 1 for side, _n in saved.score))
    pairs = zip(marks, saved.score, strict=True)
    score = "  :  ".join(f"{mark} {points}" for mark, (_side, points) in pairs)
    if players:
        card.add_widget(Text(players, "large", bold=True))
    if score:
        card.add_widget(Text(score, "title", "accent", bold=True))
    told = " · ".join((when, _("Round {round}", round=saved.round), end))
    card.add_widget(Text(told, colour="soft"))
    return card


READ = 0.4
"""The share of the progress that is reading; the rest is building the rounds."""


class ReportScreen(ScreenPage):
    """Builds the report round by round with its progress; what is there can be read already."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Report"), app.back)
        self.app = app
        saved = app.saved
        if saved is None:
            self.fill([Text(_("No games yet. They appear here, kept to the last tap."))])
            return
        self.gauge = Gauge()
        self.word = Text(_("reading the game"), colour="soft")
        self.progress = CardBox()
        self.progress.add_widget(Text(_("The report is being written …"), "large", bold=True))
        for one in (self.word, self.gauge):
            self.progress.add_widget(one)
        self.fill([self.progress])

        def work(step: TaskStep) -> Story:
            step(READ / 2, _("reading the game"))
            story = story_of(saved.path)
            step(READ, _("telling it"))
            return story

        app.wait_for(BackgroundTask(_("Report"), work, self.show_story, otherwise=self.give_up))

    def give_up(self) -> None:
        """Go back, because the game could not be read."""
        if self.app.screen is self:
            self.app.back()

    def show_story(self, story: Story) -> None:
        """Add a round per frame, so that a long game does not freeze the screen."""
        speak_of_map(story)
        parts = [opening(story), *(chapter_widgets(chapter) for chapter in story.chapters)]
        titles = ["", *(chapter_title(chapter) for chapter in story.chapters)]
        column = self.rows.column

        def write(number: int) -> None:
            if self.app.screen is not self:
                return
            column.remove_widget(self.progress)
            for widget in parts[number]:
                column.add_widget(widget)
            if number + 1 == len(parts):
                return
            self.word.set_text(titles[number + 1])
            self.gauge.set_share(READ + (1 - READ) * (number + 1) / len(parts))
            column.add_widget(self.progress)
            Clock.schedule_once(lambda _: write(number + 1), 0)

        write(0)


def speak_of_map(story: Story) -> None:
    """Call places as the map of a board showed them in this window, upright or turned."""
    table = story.end.table if story.end is not None else None
    if isinstance(table, BoardTable):
        board = fitted(table, map_room(*Window.size)).board
        set_turned(words_as_drawn(board, table.board.turn))


def opening(story: Story) -> Iterator[Widget]:
    """Result, date, and the score by round."""
    yield Text(outcome(story.end), "title", "accent", bold=True)
    yield Text(" · ".join(facts(story)), "small", "soft")
    if story.scores():
        card = CardBox()
        card.add_widget(heading(_("Score by round")))
        card.add_widget(ScoreChart(story.scores(), story.sides))
        yield card


def chapter_widgets(chapter: Chapter) -> Iterator[Widget]:
    """A round, turn by turn; nothing where nothing is told."""
    if not any(telling(beat) for turn in chapter.turns for beat in turn.beats):
        return
    yield Text(chapter_title(chapter), "large", bold=True)
    for turn in chapter.turns:
        title = turn_title(turn, chapter)
        beats = [beat for beat in turn.beats if telling(beat)]
        if not beats:
            continue
        card = CardBox(rim=f"side-{THEME.place(turn.side)}" if turn.side else "")
        if title:
            card.add_widget(Text(title, "body", THEME.side(turn.side), bold=True))
        card.add_widget(Text("\n".join(f"·  {line(beat)}" for beat in beats), "small", "soft"))
        yield card
