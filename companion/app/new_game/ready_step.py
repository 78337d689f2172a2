"""The last step of a game that is not set up on a table: a summary, and the start."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion.app.new_game.game_step import CLOCKS
from companion.app.new_game.wizard_step import FormStep
from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import choice
from companion.engine.app_words import LANGUAGES, _
from companion.games.api.prompt import Entry
from companion.games.api.setup_step import NewGameStep
from companion.session.game_lookup import find_screen


class ReadyStep(FormStep):
    """Who plays with what, what is still wrong, the clock, and the button that begins."""

    def build(self) -> None:
        """Show the summary."""
        draft, record = self.draft, self.wizard.record
        card = CardBox()
        name = Text(_(find_screen(draft.game).name(draft.game)), "title", bold=True)
        name.font_name = FONTS["title"]
        card.add_widget(name)
        for step in self.wizard.steps:
            for entry in step.entries:
                told = f"{_(entry.text)}: {self.chosen(step, entry)}"
                card.add_widget(Text(told, colour="soft"))
        for number, seat in enumerate(draft.seats):
            colour = seat.colour or number + 1
            sign = THEME.mark_of(colour)
            parts = [f"{sign} {self.draft.called(seat)}", *self.totals(seat.side)]
            parts += [LANGUAGES[seat.language]] if seat.language in LANGUAGES else []
            line = Text(" · ".join(parts), "large", f"side-{colour - 1}", bold=True)
            card.add_widget(line)
        clocks = [(_("no clock") if not n else _("{n} min", n=n), n) for n in CLOCKS]
        clock = choice(clocks, draft.minutes, lambda n: self.change_draft(minutes=n), 5)
        widgets: list[Widget] = [*self.games(), card, self.card(_("Clock for each side"), clock)]
        if self.wizard.problem:
            wrong = CardBox(rim="bad")
            wrong.add_widget(Text(self.wizard.problem, colour="bad"))
            widgets.append(wrong)
        stops = any(one.stops for one in record.problems)
        begin = TouchButton(
            _("Begin the game"),
            self.wizard.start,
            "quiet" if stops else "primary",
            name="begin",
            size="large",
            ready=not stops,
        )
        self.rows.fill([*widgets, *self.problems(), begin])

    def totals(self, seat: str) -> list[str]:
        """What a player's lists add up to."""
        lists = (one for step in self.wizard.steps for one in step.lists)
        return [_(one.total) for one in lists if one.seat == seat and one.total]

    def chosen(self, step: NewGameStep, entry: Entry) -> str:
        """The value of an entry in words."""
        given = self.draft.answers.get(step.id)
        value = given.get(entry.field, entry.value) if isinstance(given, dict) else entry.value
        return _(next((text for key, text in entry.options if key == value), str(value or "–")))
