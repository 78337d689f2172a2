"""A form of the game's own: values to choose or to type, and one button that sends them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.render.theme import SKIN
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import choice, grid, stepper
from companion.app.widgets.text_entry import TextEntry
from companion.games.api.prompt import Entry, PromptForm

LONG = 14
"""A text longer than this gets a wider button."""
Options = Sequence[tuple[Any, str]]
Pieces = Callable[[], Options]


class EntryForm(BoxLayout):
    """The entries of a form; `send` gets the completed command.

    A form that asks for one option only is sent by the tap on that option.
    """

    def __init__(
        self, form: PromptForm, send: Callable[[dict[str, Any]], Any], pieces: Pieces
    ) -> None:
        super().__init__(orientation="vertical", spacing=SKIN.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.form, self.send, self.pieces = form, send, pieces
        self.given: dict[str, Any] = {
            one.field: one.value for one in form.entries if one.value is not None
        }
        self.build()

    @property
    def single(self) -> bool:
        """Whether one tap answers everything."""
        return (
            len(self.form.entries) == 1
            and bool(self.options(self.form.entries[0]))
            and (self.form.entries[0].kind in ("option", "piece"))
        )

    def options(self, entry: Entry) -> Options:
        """The values to choose from."""
        if entry.kind == "piece" and not entry.options:
            return self.pieces()
        return entry.options

    def build(self) -> None:
        """Show the entries with their values."""
        self.clear_widgets()
        self.add_widget(Text(_(self.form.text), bold=True))
        if self.form.detail:
            self.add_widget(Text(_(self.form.detail), "small", "soft"))
        if self.single:
            entry = self.form.entries[0]
            for value, text in self.options(entry):
                name = f"{self.form.command['do']}:{spelt(value)}"
                self.add_widget(OptionRow(_(text), partial(self.pick, entry, value), name=name))
            return
        for entry in self.form.entries:
            self.add_widget(Text(_(entry.text), "small", "soft"))
            self.add_widget(self.entry(entry))
        ready = not self.missing()
        press = TouchButton(
            _(self.form.text),
            self.finish,
            self.form.look if self.form.look != "primary" else "plain",
            ready=ready,
            name=f"send:{self.form.command['do']}",
        )
        self.add_widget(press)

    def missing(self) -> list[Entry]:
        """The entries that still need a value."""
        return [
            one
            for one in self.form.entries
            if one.required and self.given.get(one.field) in (None, "", [])
        ]

    def pick(self, entry: Entry, value: Any) -> None:
        """Send the only value."""
        self.given[entry.field] = value
        self.finish()

    def finish(self) -> None:
        """Send the command, if nothing is missing."""
        if not self.missing():
            filled = {key: one for key, one in self.given.items() if one not in (None, "", [])}
            self.send({**self.form.command, **filled})

    def entry(self, entry: Entry) -> Widget:
        """The widget of one entry."""
        now, options = self.given.get(entry.field), self.options(entry)
        if entry.kind == "several":
            return grid([self.several(entry, value, text) for value, text in options], 2)
        if options:
            known = [(_(text), value) for value, text in options]
            wide = 2 if any(len(text) > LONG for text, _value in known) else 4
            return choice(known, now, partial(self.put, entry), wide)
        if entry.kind == "number":
            value = int(now if now is not None else entry.least)
            self.given[entry.field] = value
            return stepper(
                str(value),
                partial(self.step, entry),
                entry.field,
                value <= entry.least,
                value >= entry.most,
            )
        typed = TextEntry(str(now or ""), _(entry.text))
        typed.bind(text=lambda _entry, text: self.given.__setitem__(entry.field, text))
        return typed

    def several(self, entry: Entry, value: Any, text: str) -> TouchButton:
        """One of several options that may be chosen together."""
        chosen = value in (self.given.get(entry.field) or ())
        return TouchButton(
            f"✓ {_(text)}" if chosen else _(text),
            partial(self.toggle, entry, value),
            name=f"{entry.field}:{spelt(value)}",
        )

    def toggle(self, entry: Entry, value: Any) -> None:
        """Choose one of several options, or no longer."""
        held = list(self.given.get(entry.field) or ())
        if value in held:
            held.remove(value)
        elif len(held) < entry.most:
            held.append(value)
        self.put(entry, held)

    def put(self, entry: Entry, value: Any) -> None:
        """Set the value of an entry."""
        self.given[entry.field] = value
        self.build()

    def step(self, entry: Entry, by: int) -> None:
        """Change a number."""
        value = int(self.given.get(entry.field) or entry.least) + by
        self.put(entry, min(max(value, entry.least), entry.most))


def spelt(value: Any) -> str:
    """A value as part of a button's name."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
