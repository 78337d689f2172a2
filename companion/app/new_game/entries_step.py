"""Values that a game asks for before it begins: a scenario, a size, whatever it needs."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FormStep
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import CardBox, Text
from companion.engine.app_words import _
from companion.games.api.prompt import Entry, PromptForm


class EntriesStep(FormStep):
    """A card for each value; the answer is kept as soon as it is given."""

    def build(self) -> None:
        """Show the entries with their values."""
        record = self.wizard.record
        widgets: list[Widget] = [*self.games()]
        if record.text:
            widgets.append(Text(_(record.text), colour="soft"))
        form = PromptForm(record.title, {}, record.entries)
        given = self.draft.answers.get(record.id)
        entries = StepEntries(form, given if isinstance(given, dict) else {}, self.given)
        widgets += [entries, *self.problems()]
        self.rows.fill(widgets)

    def given(self, values: dict[str, Any]) -> None:
        """Keep what was chosen."""
        self.answered(self.wizard.record.id, values)

    def missing(self) -> str:
        """What must be chosen before the next step."""
        stops = [one for one in self.wizard.record.problems if one.stops]
        return _(stops[0].text) if stops else ""


class StepEntries(EntryForm):
    """The entries of a step; every change is told at once, and there is no button."""

    def __init__(self, form: PromptForm, given: dict[str, Any], told: Any) -> None:
        self._given, self._told = given, told
        super().__init__(form, told, lambda: ())

    def build(self) -> None:
        """Show a card for each entry."""
        self.clear_widgets()
        self.given |= {
            one.field: self._given[one.field]
            for one in self.form.entries
            if one.field in self._given
        }
        for entry in self.form.entries:
            card = CardBox()
            card.add_widget(Text(_(entry.text), "body", "soft"))
            card.add_widget(self.entry(entry))
            self.add_widget(card)

    def set_value(self, entry: Entry, value: Any) -> None:
        """Set the value of an entry and tell it."""
        self.given[entry.field] = value
        self._told(dict(self.given))
