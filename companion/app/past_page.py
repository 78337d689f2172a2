"""A game of the past: who played, how it went, and what can be done with it now."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.uix.widget import Widget

from companion.app.exporting import FORMS, exporting, story_of
from companion.app.kit import Card, Press, Text, heading
from companion.app.library import Saved
from companion.app.page import Page
from companion.app.score_chart import ScoreChart
from companion.app.shelf import grid
from companion.app.task import Step, Task
from companion.app.theme import SKIN
from companion.app.words import _
from companion.session.story import Story

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


class PastScreen(Page):
    """Go on, replay, report, export, delete."""

    def __init__(self, app: CompanionApp) -> None:
        saved = app.saved
        super().__init__(saved.title if saved is not None else _("PAST GAMES"), app.back)
        self.app, self.saved = app, saved
        self.written = ""
        self.build()

    def build(self) -> None:
        """Facts above, doors below."""
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
                Press(going, resume, "primary", name="open-game", size="large"),
                grid(
                    [
                        Press(_("Replay"), partial(self.app.go, "replay"), name="replay-game"),
                        Press(_("Report"), partial(self.app.go, "report"), name="report-game"),
                    ],
                    2,
                ),
                heading(_("EXPORT")),
                grid(
                    [
                        Press(_(word), partial(self.export, form), name=f"export:{form}")
                        for form, word in FORMS.items()
                    ],
                    3,
                ),
            ]
        if self.written:
            card = Card(rim="good")
            card.add_widget(Text(self.written))
            found.append(card)
        found.append(
            Press(_("Delete"), partial(self.app.delete, saved), "quiet", name="delete-game")
        )
        self.fill(found)

    def export(self, form: str) -> None:
        """Write it, with progress."""
        if self.saved is not None:
            folder = self.app.desk.folder / "exports"
            self.app.wait_for(exporting(self.saved.path, form, folder, self.exported))

    def exported(self, path: Path) -> None:
        """Say where it lies."""
        self.written = _("written: {path}", path=path)
        self.build()


class ReportScreen(Page):
    """The battle report to read: chart, rounds, turns, dice."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("Report"), app.back)
        self.app = app
        saved = app.saved
        if saved is None:
            self.fill([Text(_("No games yet. They appear here, kept to the last tap."))])
            return

        def work(step: Step) -> Story:
            step(0.1, _("reading the game"))
            return story_of(saved.path)

        app.wait_for(Task(_("Report"), work, self.tell))

    def tell(self, story: Story) -> None:
        """The story, round by round."""
        from companion.session.report import (
            chapter_title,
            facts,
            line,
            outcome,
            telling,
            turn_title,
        )

        found: list[Widget] = [Text(outcome(story.end), "title", "accent", bold=True)]
        found.append(Text(" · ".join(facts(story)), "small", "soft"))
        if story.scores():
            card = Card()
            card.add_widget(heading(_("Score by round")))
            card.add_widget(ScoreChart(story.scores(), story.sides))
            found.append(card)
        for chapter in story.chapters:
            found.append(Text(chapter_title(chapter), "large", bold=True))
            for turn in chapter.turns:
                beats = [beat for beat in turn.beats if telling(beat)]
                if not beats:
                    continue
                card = Card(rim=f"side-{SKIN.place(turn.side)}" if turn.side else "")
                card.add_widget(Text(turn_title(turn), "body", SKIN.side(turn.side), bold=True))
                told = "\n".join(f"·  {line(beat)}" for beat in beats)
                card.add_widget(Text(told, "small", "soft"))
                found.append(card)
        self.fill(found)


def facts_card(saved: Saved) -> Card:
    """When, who, how it stands."""
    card = Card()
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(saved.changed_s))
    players = " – ".join(_(name) for name in saved.players)
    end = _("won by {side}", side=_(saved.winner)) if saved.winner else _("not finished")
    if saved.winner == "draw":
        end = _("A draw")
    score = "  :  ".join(f"{SKIN.mark(side)} {points}" for side, points in saved.score)
    if players:
        card.add_widget(Text(players, "large", bold=True))
    if score:
        card.add_widget(Text(score, "title", "accent", bold=True))
    told = " · ".join((when, _("Round {round}", round=saved.round), end))
    card.add_widget(Text(told, colour="soft"))
    return card
