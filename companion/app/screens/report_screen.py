"""The battle report on screen: chart, rounds, turns, dice."""

from __future__ import annotations

from collections.abc import Iterator

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, heading
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.score_chart import ScoreChart
from companion.app.widgets.task_modal import Gauge
from companion.engine.app_words import _
from companion.engine.files.exporting import story_of
from companion.engine.task import BackgroundTask, TaskStep
from companion.session.report.markdown_report import (
    chapter_title,
    facts,
    line,
    outcome,
    telling,
    turn_title,
)
from companion.session.report.story import Chapter, Story

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
    """A round, turn by turn."""
    yield Text(chapter_title(chapter), "large", bold=True)
    for turn in chapter.turns:
        beats = [beat for beat in turn.beats if telling(beat)]
        if not beats:
            continue
        card = CardBox(rim=f"side-{THEME.place(turn.side)}" if turn.side else "")
        card.add_widget(Text(turn_title(turn), "body", THEME.side(turn.side), bold=True))
        card.add_widget(Text("\n".join(f"·  {line(beat)}" for beat in beats), "small", "soft"))
        yield card
