"""A form of the game's own: values to choose or to type, and one button that sends them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import Die
from companion.app.widgets.layouts import TextEntry, choice, grid, stepper
from companion.engine.app_words import _
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.turn_records import FieldView, FormView

LONG = 14
"""A text longer than this gets a wider button."""
MANY = 6
"""More options than these stand beside each other."""


class EntryForm(BoxLayout):
    """The entries of a form; `send` gets it filled in.

    A form that asks for one option only, and for what depends on it, is sent by the last tap. The
    button that sends any other form is `press`, or one for each option of the entry that `sends`:
    at its end, or in `foot` if it is `pinned` there.
    """

    def __init__(
        self,
        filled: FilledForm,
        send: Callable[[FilledForm], Any],
        pinned: bool = False,
        changed: Callable[[], Any] | None = None,
        gold: bool = True,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.send, self.changed = send, changed
        self.pinned, self.gold = pinned, gold
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, height=0)
        self.foot.bind(minimum_height=self.foot.setter("height"))
        self.filled = filled
        self.sending: TouchButton | None = None
        """The one button that sends it."""
        self.build()

    @property
    def form(self) -> FormView:
        return self.filled.form

    def build(self) -> None:
        """Show the entries with their values."""
        self.clear_widgets()
        if not self.pinned:
            self.add_widget(Text(self.form.text, bold=True))
            if self.form.detail:
                self.add_widget(Text(self.form.detail, "small", "soft"))
        missing = self.filled.missing()
        if self.filled.quick:
            self.add_widget(self.question(missing[0]) if missing else Text(""))
            return
        for entry in self.filled.asked():
            if not entry.sends:
                self.add_widget(Text(entry.text, "small", "soft"))
                self.add_widget(self.entry(entry))
        self.foot.clear_widgets()
        foot = self.foot if self.pinned else self
        sender = self.filled.sender
        if sender is None:
            foot.add_widget(self.press())
            return
        label = " · ".join(one for one in (sender.text, _(self.filled.tally())) if one)
        foot.add_widget(Text(label, "small", bold=True))
        foot.add_widget(self.presses(sender))

    def question(self, entry: FieldView) -> Widget:
        """The options of the next entry of a form that the last tap sends."""
        word = self.form.word
        named = [
            (f"{word}:{spelt(one.value)}", one.text, partial(self.pick, entry, one.value))
            for one in entry.options
        ]
        if len(named) > MANY:
            rows: list[Widget] = [TouchButton(text, act, name=key) for key, text, act in named]
        else:
            rows = [OptionRow(text, act, name=key) for key, text, act in named]
        box = BoxLayout(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        box.bind(minimum_height=box.setter("height"))
        box.add_widget(Text(entry.text, "small", "soft"))
        box.add_widget(grid(rows, 2 if len(named) > MANY else 1))
        return box

    def press(self) -> TouchButton:
        """The button that sends the form, with what it comes to."""
        plain = self.form.look if self.form.look != "primary" else "plain"
        self.sending = TouchButton(
            self.form.text,
            self.finish,
            "primary" if self.pinned and self.gold else plain,
            _(self.filled.tally()),
            ready=self.filled.ready,
            name=f"send:{self.form.word}",
        )
        return self.sending

    def presses(self, entry: FieldView) -> Widget:
        """A button for each option of the entry that sends the form."""
        ready, word = self.filled.ready, self.form.word
        rows = [
            TouchButton(
                one.text,
                partial(self.send_with, entry, one.value),
                ready=ready,
                name=f"send:{word}:{spelt(one.value)}",
            )
            for one in entry.options
        ]
        return grid(rows, 2)

    def send_with(self, entry: FieldView, value: Any) -> None:
        """Give the last value and send the form."""
        self.filled = self.filled.with_value(entry, value)
        self.finish()

    def pick(self, entry: FieldView, value: Any) -> None:
        """Give a value; the last one sends the form."""
        self.filled = self.filled.with_value(entry, value)
        if self.filled.missing():
            self.build()
        else:
            self.finish()

    def finish(self) -> None:
        """Send the form, if nothing is missing or too much."""
        if self.filled.ready:
            self.send(self.filled)

    def tap(self, piece: str) -> bool:
        """Choose a piece, or no longer; whether it is one of the options."""
        tapped = self.filled.tapped(piece)
        if tapped is None:
            return False
        self.change(tapped)
        if self.filled.quick:
            self.finish()
        return True

    def change(self, filled: FilledForm) -> None:
        """Show the form with other values."""
        self.filled = filled
        self.build()
        if self.changed is not None:
            self.changed()

    def entry(self, entry: FieldView) -> Widget:
        now, options = self.filled.given.get(entry.name), entry.options
        if entry.kind == "several" and entry.name == self.form.rolls:
            return self.dice(entry)
        if entry.kind == "several":
            return grid([self.several(entry, one.value, one.text) for one in options], 2)
        if options:
            known = [(one.text, one.value) for one in options]
            wide = 2 if any(len(text) > LONG for text, _value in known) else 4
            return choice(known, now, partial(self.set_value, entry), wide)
        if entry.kind == "number":
            value = int(now if now is not None else entry.least)
            return stepper(
                str(value),
                partial(self.step, entry),
                entry.name,
                value <= entry.least,
                value >= entry.most,
            )
        typed = TextEntry(str(now or ""), entry.text)
        typed.name = f"text:{entry.name}"
        typed.bind(text=lambda _entry, text: self.type(entry, text))
        return typed

    def several(self, entry: FieldView, value: Any, text: str) -> TouchButton:
        """One of several options that may be chosen together."""
        chosen = value in (self.filled.given.get(entry.name) or ())
        return TouchButton(
            f"✓ {text}" if chosen else text,
            partial(self.toggle, entry, value),
            "ink" if chosen else "plain",
            name=f"{entry.name}:{spelt(value)}",
        )

    def dice(self, entry: FieldView) -> Widget:
        """Dice on the table, of which the tapped ones are rolled again."""
        box = StackLayout(size_hint_y=None, spacing=THEME.gap("tiny"))
        box.bind(minimum_height=box.setter("height"))
        for one in entry.options:
            if not one.text.isdecimal():  # a die of another kind
                other = self.several(entry, one.value, one.text)
                other.size_hint, other.size = (None, None), (dp(150), dp(52))
                box.add_widget(other)
                continue
            chosen = one.value in (self.filled.given.get(entry.name) or ())
            die = Die(int(one.text), partial(self.toggle, entry, one.value), dim=chosen)
            die.name = f"{entry.name}:{one.value}"
            box.add_widget(die)
        return box

    def toggle(self, entry: FieldView, value: Any) -> None:
        """Choose one of several options, or no longer."""
        self.change(self.filled.toggled(entry, value))

    def set_value(self, entry: FieldView, value: Any) -> None:
        self.change(self.filled.with_value(entry, value))

    def type(self, entry: FieldView, text: str) -> None:
        """Take what is typed; the keyboard stays, and the button shows whether it can be sent."""
        self.filled = self.filled.with_value(entry, text)
        if self.sending is not None:
            self.sending.dress(self.sending.look, self.filled.ready)

    def step(self, entry: FieldView, by: int) -> None:
        """Change a number."""
        self.change(self.filled.stepped(entry, by))


def spelt(value: Any) -> str:
    """A value as part of a button's name."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
