"""The editor of a form for a game's card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton
from companion.app.widgets.layouts import TextEntry, choice, grid, stepper
from companion.engine.app_words import _
from companion.games.api.card_form import FormField, FormProblem

MOST_SUGGESTED = 8
"""More suggestions than this are not shown as buttons."""
NOTHING = "–"
MOST_KEYS, PAD_COLUMNS = 20, 6
"""A number up to this has a key for each value."""

MOVING = ("add:", "remove:", "restore:")
"""The names of buttons that change how many rows a form has."""

Values = dict[str, Any]


class FormEditor(BoxLayout):
    """The fields of a form; `values` always holds what is shown, `notify` is called on each change.

    A typed letter is kept apart from a choice.
    """

    def __init__(
        self,
        fields: Sequence[FormField],
        values: Values,
        translate: Callable[[str], str],
        notify: Callable[[bool], Any],
        problems: Callable[[], Sequence[FormProblem]],
        photo: Callable[[str, str, Callable[[str], Any]], Widget],
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.photo = photo
        self.fields, self.values, self.translate, self.notify = fields, values, translate, notify
        self.problems = problems
        self.pad = ""
        """The field whose number pad is open."""
        self.removed: tuple[list[Values], int, Values] | None = None
        """The row that was removed last: its list, its place and its values."""
        self.touched = ""
        """The name of what a finger was on last."""
        self.anchor: tuple[str, float] = ("", 0.0)
        """What keeps its height in the window when the form changes, and that height."""
        self.begins: tuple[str, float] | None = None
        """The same of a row that is being added."""
        self._show = Clock.create_trigger(lambda _after: self.build(), -1)
        self.told: set[str] = set()
        """The fields under which a problem was shown: its line keeps its place."""
        self.build()

    def on_touch_down(self, touch: Any) -> bool:
        """Remember what the finger is on: it stays there when the form changes."""
        self.touched = ""
        for widget in self.walk(restrict=True):
            if isinstance(widget, TouchButton) and widget.collide_point(*touch.pos):
                self.touched = widget.name
        return bool(super().on_touch_down(touch))

    def called(self) -> dict[str, Widget]:
        """What has a name, from the top."""
        return {name: one for one in self.walk(restrict=True) if (name := getattr(one, "name", ""))}

    def scrolling(self) -> Rows | None:
        """The list that the form lies in."""
        rows = self.parent
        while rows is not None and not isinstance(rows, Rows):
            rows = rows.parent if rows.parent is not rows else None
        return rows

    def choose_anchor(self) -> None:
        """What keeps its height: the field that was touched, or the first in sight if a finger has
        scrolled since; a row that is removed moves those below it."""
        rows, called = self.scrolling(), self.called()
        if rows is None or not rows.settled:
            return
        field = self.touched.partition("=")[0]  # the keys of a number go when it is chosen
        if self.begins is not None:
            self.anchor, self.begins = self.begins, None
        elif field.startswith(MOVING):
            self.anchor = ("", 0.0)
        else:
            if field not in called or not rows.sees(called[field]):
                field = next((name for name, one in called.items() if rows.sees(one)), "")
            self.anchor = field, upper_edge(called[field]) if field else 0.0

    def build(self) -> None:
        """Show every field with its value."""
        self.choose_anchor()
        self.clear_widgets()
        wrong = {one.field: one for one in self.problems()}
        for widget in self.shown(self.fields, self.values, "", wrong):
            self.add_widget(widget)
        self.stay()

    def stay(self) -> None:
        """Keep what was chosen where it was."""
        (name, top), rows = self.anchor, self.scrolling()
        if name and rows is not None:
            rows.hold(lambda: self.called().get(name), top)

    def shown(
        self, fields: Sequence[FormField], held: Values, place: str, wrong: dict[str, FormProblem]
    ) -> Iterator[Widget]:
        """The widgets of some fields; `place` is the path of the row they stand in."""
        for one in (field for field in fields if field.visible(held)):
            path = f"{place}{one.name}"
            yield Text(self.translate(one.text), "small", "soft")
            if one.kind == "rows":
                yield from self.rows(one, held, path, wrong)
            else:
                yield self.entry(one, held, path)
            if path in wrong:
                self.told.add(path)
                problem = wrong[path]
                sign = "✕" if problem.stops else "?"
                yield Text(
                    f"{sign} {self.translate(problem.text)}",
                    "small",
                    "bad" if problem.stops else "warn",
                )
            elif path in self.told:
                yield Text(" ", "small")

    def rows(
        self, one: FormField, held: Values, path: str, wrong: dict[str, FormProblem]
    ) -> Iterator[Widget]:
        """A card for each row, and a button that adds one."""
        found = held.setdefault(one.name, [])
        for at, row in enumerate(found):
            card = CardBox()
            card.name = f"row:{path}[{at}]"
            for widget in self.shown(one.fields, row, f"{path}[{at}].", wrong):
                card.add_widget(widget)
            card.add_widget(
                TouchButton(
                    f"✕ {_('Remove')}",
                    partial(self.remove, found, at),
                    "quiet",
                    name=f"remove:{path}[{at}]",
                )
            )
            yield card
        yield TouchButton(
            f"+ {self.translate(one.text)}",
            partial(self.add, found, path),
            ready=len(found) < one.most,
            name=f"add:{path}",
        )
        if self.removed is not None and self.removed[0] is found:
            undo = TouchButton(
                f"{_('Undo')}: {_('Remove')}", self.restore, "quiet", name=f"restore:{path}"
            )
            yield undo

    def entry(self, one: FormField, held: Values, path: str) -> Widget:
        now = held.get(one.name)
        store = partial(self.set_value, held, one.name)
        if one.kind == "flag":
            return named(choice([(_("yes"), True), (_("no"), False)], bool(now), store), path)
        if one.kind == "option":
            options: list[tuple[str, str | None]] = [
                (self.translate(text), value) for value, text in one.offered(held)
            ]
            if not one.required and "" not in dict(one.options):
                options.append((NOTHING, None))
            return named(choice(options, now, store, 2 if len(options) > 4 else 0), path)
        if one.kind == "number":
            shown = NOTHING if now is None else str(now)
            step = partial(self.step, one, held)
            row = stepper(
                shown, step, path, now is None, now == one.most, partial(self.open_pad, path)
            )
            return self.number_pad(one, held, path, row) if path == self.pad else row
        if one.kind == "photo":
            return self.photo(str(now or ""), path, store)
        typed = TextEntry(str(now or ""), self.translate(one.text))
        typed.name = path
        typed.bind(text=lambda _entry, text: self.type(held, one.name, text))
        if not one.suggest or len(one.suggest) > MOST_SUGGESTED:
            return typed
        box = BoxLayout(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        box.bind(minimum_height=box.setter("height"))
        box.add_widget(typed)
        box.add_widget(named(choice([(text, text) for text in one.suggest], now, store, 2), path))
        return box

    def open_pad(self, path: str) -> None:
        """Show the number pad of a field, or close it."""
        self.pad = "" if self.pad == path else path
        self.build()

    def number_pad(self, one: FormField, held: Values, path: str, row: Widget) -> Widget:
        """A number with a key for each value it may have, or for each digit of a large one."""
        box = BoxLayout(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        box.bind(minimum_height=box.setter("height"))
        single = one.most <= MOST_KEYS
        numbers = range(one.least, one.most + 1) if single else range(10)
        press = self.put if single else self.put_digit
        keys = [
            TouchButton(str(number), partial(press, one, held, number), name=f"{path}={number}")
            for number in numbers
        ]
        keys.append(TouchButton(NOTHING, partial(self.put, one, held, None), name=f"{path}=none"))
        for part in (row, grid(keys, PAD_COLUMNS)):
            box.add_widget(part)
        return box

    def put(self, one: FormField, held: Values, number: int | None) -> None:
        """Set a number by one key, and close the pad."""
        held[one.name], self.pad = number, ""
        self.changed()

    def put_digit(self, one: FormField, held: Values, digit: int) -> None:
        """Add a digit; a number that would be too large begins anew."""
        typed = int(f"{held.get(one.name) or 0}{digit}")
        held[one.name] = typed if typed <= one.most else min(digit, one.most)
        self.changed()

    def type(self, held: Values, name: str, text: str) -> None:
        """Keep a typed text; the form is not rebuilt under the cursor."""
        held[name] = text
        self.notify(True)

    def set_value(self, held: Values, name: str, value: Any) -> None:
        held[name] = value
        self.changed()

    def step(self, one: FormField, held: Values, by: int) -> None:
        """Change a number; below the least it is empty again. An empty one counts from 0."""
        now = held.get(one.name)
        value = (now or 0) + by
        if now is None and by > 0:
            value = max(value, one.least)
        held[one.name] = None if value < one.least else min(value, one.most)
        self.changed()

    def add(self, rows: list[Values], path: str) -> None:
        """Add an empty row, which begins where the finger is."""
        rows.append({})
        key = self.called().get(f"add:{path}")
        if key is not None:
            self.begins = f"row:{path}[{len(rows) - 1}]", upper_edge(key)
        self.changed()

    def remove(self, rows: list[Values], at: int) -> None:
        """Remove a row; a finger that only wanted to scroll brings it back."""
        self.removed = (rows, at, rows.pop(at))
        self.changed()

    def restore(self) -> None:
        """Put the removed row where it was."""
        if self.removed is not None:
            rows, at, row = self.removed
            rows.insert(at, row)
            self.removed = None
            self.changed()

    def changed(self) -> None:
        """Tell the change and show it before the next frame: a finger that taps on meanwhile still
        finds what it sees."""
        self.notify(False)
        self._show()


def upper_edge(widget: Widget) -> float:
    """The height in the window at which a widget begins."""
    return float(widget.to_window(widget.x, widget.top)[1])


def named(buttons: Any, path: str) -> Widget:
    """The buttons of a choice under the name of their field: several fields have a "yes"."""
    for button in buttons.children:
        button.name = f"{path}:{button.name.removeprefix('choice:')}"
    found: Widget = buttons
    return found
