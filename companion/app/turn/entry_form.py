"""A form of the game's own: values to choose or to type, and one button that sends them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import TextEntry, choice, grid, stepper
from companion.engine.app_words import _
from companion.games.api.prompt import Entry, PromptForm

LONG = 14
"""A text longer than this gets a wider button."""
MANY = 6
"""More options than these stand beside each other."""
Options = Sequence[tuple[Any, str]]
Pieces = Callable[[], Options]
EMPTY: tuple[Any, ...] = (None, "", [])


class EntryForm(BoxLayout):
    """The entries of a form; `send` gets the completed command.

    A form that asks for one option only, and for what depends on it, is sent by the last tap. The
    button that sends any other form is `press`, or one for each option of the entry that `sends`:
    at its end, or in `foot` if it is `pinned` there.
    """

    def __init__(
        self,
        form: PromptForm,
        send: Callable[[dict[str, Any]], Any],
        pieces: Pieces,
        pinned: bool = False,
        changed: Callable[[], Any] | None = None,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.form, self.send, self.pieces, self.changed = form, send, pieces, changed
        self.pinned = pinned
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, height=0)
        self.foot.bind(minimum_height=self.foot.setter("height"))
        self.given: dict[str, Any] = {
            one.field: one.value for one in form.entries if one.value is not None
        }
        self.build()

    @property
    def quick(self) -> bool:
        """Whether the last tap on an option sends it."""
        entries = self.form.entries
        alone = len(entries) == 1 or any(one.only_for for one in entries)
        return alone and all(
            one.kind in ("option", "piece") and one.required and bool(self.options(one))
            for one in entries
        )

    def options(self, entry: Entry) -> Options:
        """The values to choose from."""
        if entry.kind == "piece" and not entry.options:
            return self.pieces()
        return entry.options

    def asked(self) -> list[Entry]:
        """The entries that concern what is chosen so far."""
        chosen = list(self.given.values())
        return [
            one
            for one in self.form.entries
            if not one.only_for or any(value in one.only_for for value in chosen)
        ]

    def build(self) -> None:
        """Show the entries with their values."""
        self.clear_widgets()
        if not self.pinned:
            self.add_widget(Text(_(self.form.text), bold=True))
            if self.form.detail:
                self.add_widget(Text(_(self.form.detail), "small", "soft"))
        if self.quick:
            self.add_widget(self.question(self.missing()[0]) if self.missing() else Text(""))
            return
        for entry in self.asked():
            if not entry.sends:
                self.add_widget(Text(_(entry.text), "small", "soft"))
                self.add_widget(self.entry(entry))
        self.foot.clear_widgets()
        foot = self.foot if self.pinned else self
        sender = next((one for one in self.form.entries if one.sends), None)
        if sender is None:
            foot.add_widget(self.press())
            return
        label = " · ".join(one for one in (_(sender.text), _(self.tally())) if one)
        foot.add_widget(Text(label, "small", bold=True))
        foot.add_widget(self.presses(sender))

    def question(self, entry: Entry) -> Widget:
        """The options of the next entry of a form that the last tap sends."""
        word, options = self.form.command["do"], self.options(entry)
        named = [
            (f"{word}:{spelt(value)}", _(text), partial(self.pick, entry, value))
            for value, text in options
        ]
        if len(named) > MANY:
            rows: list[Widget] = [TouchButton(text, act, name=key) for key, text, act in named]
        else:
            rows = [OptionRow(text, act, name=key) for key, text, act in named]
        box = BoxLayout(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        box.bind(minimum_height=box.setter("height"))
        box.add_widget(Text(_(entry.text), "small", "soft"))
        box.add_widget(grid(rows, 2 if len(named) > MANY else 1))
        return box

    def press(self) -> TouchButton:
        """The button that sends the form, with what it comes to."""
        plain = self.form.look if self.form.look != "primary" else "plain"
        return TouchButton(
            _(self.form.text),
            self.finish,
            "primary" if self.pinned else plain,
            _(self.tally()),
            ready=not self.missing(),
            name=f"send:{self.form.command['do']}",
        )

    def presses(self, entry: Entry) -> Widget:
        """A button for each option of the entry that sends the form."""
        ready, word = not self.missing(), self.form.command["do"]
        rows = [
            TouchButton(
                _(text),
                partial(self.send_with, entry, value),
                ready=ready,
                name=f"send:{word}:{spelt(value)}",
            )
            for value, text in self.options(entry)
        ]
        return grid(rows, 2)

    def send_with(self, entry: Entry, value: Any) -> None:
        """Give the last value and send the form."""
        self.given[entry.field] = value
        self.finish()

    def tally(self) -> str:
        """What the chosen options come to."""
        total = 0
        for entry in self.asked():
            chosen = self.given.get(entry.field) or ()
            worth = zip((value for value, _text in entry.options), entry.worth, strict=False)
            total += sum(one for value, one in worth if value in chosen)
        return self.form.tallies[total] if 0 <= total < len(self.form.tallies) else ""

    def missing(self) -> list[Entry]:
        """The entries that still need a value."""
        return [
            one
            for one in self.asked()
            if one.required and not one.sends and self.given.get(one.field) in EMPTY
        ]

    def pick(self, entry: Entry, value: Any) -> None:
        """Give a value; the last one sends the form."""
        self.given[entry.field] = value
        if self.missing():
            self.build()
        else:
            self.finish()

    def finish(self) -> None:
        """Send the command, if nothing is missing."""
        if not self.missing():
            asked = {one.field for one in self.asked()}
            filled = {
                key: one for key, one in self.given.items() if one not in EMPTY and key in asked
            }
            self.send({**self.form.command, **filled})

    # -- pieces that are tapped --------------------------------------------------------------

    def entry_of(self, piece: str) -> Entry | None:
        """The entry that a tap on a piece answers."""
        for entry in self.asked():
            if any(value == piece for value, _text in self.options(entry)):
                return entry
        return None

    def tap(self, piece: str) -> bool:
        """Choose a piece, or no longer; whether it is one of the options."""
        entry = self.entry_of(piece)
        if entry is None:
            return False
        if entry.kind == "several":
            self.toggle(entry, piece)
        elif self.quick:
            self.pick(entry, piece)
        else:
            self.set_value(entry, piece)
        return True

    def chosen(self) -> set[str]:
        """The pieces and values that are chosen."""
        found: set[str] = set()
        for value in self.given.values():
            found |= {str(one) for one in value} if isinstance(value, list) else {str(value)}
        return found

    def entry(self, entry: Entry) -> Widget:
        """The widget of one entry."""
        now, options = self.given.get(entry.field), self.options(entry)
        if entry.kind == "several":
            return grid([self.several(entry, value, text) for value, text in options], 2)
        if options:
            known = [(_(text), value) for value, text in options]
            wide = 2 if any(len(text) > LONG for text, _value in known) else 4
            return choice(known, now, partial(self.set_value, entry), wide)
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
            "ink" if chosen else "plain",
            name=f"{entry.field}:{spelt(value)}",
        )

    def toggle(self, entry: Entry, value: Any) -> None:
        """Choose one of several options, or no longer."""
        held = list(self.given.get(entry.field) or ())
        if value in held:
            held.remove(value)
        elif len(held) < entry.most:
            held.append(value)
        self.set_value(entry, held)

    def set_value(self, entry: Entry, value: Any) -> None:
        """Set the value of an entry."""
        self.given[entry.field] = value
        self.build()
        if self.changed is not None:
            self.changed()

    def step(self, entry: Entry, by: int) -> None:
        """Change a number."""
        value = int(self.given.get(entry.field) or entry.least) + by
        self.set_value(entry, min(max(value, entry.least), entry.most))


def spelt(value: Any) -> str:
    """A value as part of a button's name."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
