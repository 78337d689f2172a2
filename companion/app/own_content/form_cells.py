"""The fields of a form: each stays the same widget while its value changes, so no tap is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import ButtonGrid, TextEntry, grid, row, show_children, stepper
from companion.engine.app_words import _
from companion.games.api.card_form import FormField, FormProblem

Values = dict[str, Any]
NOTHING = "–"
MOST_SUGGESTED = 24
"""More suggestions than this are not shown as buttons."""
MOST_SPREAD = 4
"""Options up to this always lie open."""
MOST_KEYS, PAD_COLUMNS = 20, 7
"""A number up to this has a key for each value."""
TILE_DP, MOST_TILES = 176, 3
"""The least width of a number, and how many stand beside each other."""
FOLDED, UNFOLDED = "▾", "▴"


@dataclass(frozen=True)
class FieldPlace:
    """A field with the values that hold its own; its path names its widgets."""

    field: FormField
    held: Values
    path: str

    @property
    def now(self) -> Any:
        return self.held.get(self.field.name)


class FormActs(Protocol):
    """What the fields of a form do with a tap."""

    open_at: str
    """The field whose keys are open."""
    photo: Callable[[str, str, Callable[[str], Any]], Widget]

    def translate(self, text: str) -> str: ...

    def set_value(self, place: FieldPlace, value: Any) -> None: ...

    def type(self, place: FieldPlace, text: str) -> None: ...

    def step(self, place: FieldPlace, by: int) -> None: ...

    def open_keys(self, path: str) -> None: ...

    def put(self, place: FieldPlace, number: int | None) -> None: ...

    def put_digit(self, place: FieldPlace, digit: int) -> None: ...


class FieldCell(BoxLayout):
    """The name of a field, what enters its value, and what is wrong with it."""

    wide = True

    def __init__(self, place: FieldPlace, acts: FormActs) -> None:
        super().__init__(orientation="vertical", spacing=dp(3), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.place, self.acts = place, acts
        self.wrong: Text | None = None
        one = place.field
        self.head = Text(acts.translate(one.text), "small", "soft")
        self.add_widget(self.head)
        self.begin()
        if one.help:
            self.add_widget(Text(acts.translate(one.help), "small", "faint"))
        self.update()

    def begin(self) -> None:
        """Add what enters the value."""

    def update(self) -> None:
        """Show the value that is held now."""

    @property
    def opened(self) -> bool:
        """Whether its keys are open."""
        return self.acts.open_at == self.place.path

    def show(self, problem: FormProblem | None) -> bool:
        """Show the value and what is wrong with it; whether a line was added for that. What is
        needed and not entered yet is said beside its name: nothing is wrong with it."""
        self.update()
        name, needed = self.acts.translate(self.place.field.text), problem and problem.empty
        self.head.set_text(
            f"{name} · {_('needed')}" if needed else name, "warn" if needed else "soft"
        )
        if problem is None or needed:
            if self.wrong is not None:
                self.wrong.set_text(" ")  # its line keeps its place
            return False
        sign, colour = ("✕", "bad") if problem.stops else ("?", "warn")
        text = f"{sign} {self.acts.translate(problem.text)}"
        if self.wrong is not None:
            self.wrong.set_text(text, colour)
            return False
        self.wrong = Text(text, "small", colour)
        self.add_widget(self.wrong)
        return True


class TextCell(FieldCell):
    """A text that is typed, or one that is suggested."""

    def begin(self) -> None:
        """A field for typing; with a key that opens the suggestions, if there are any."""
        place = self.place
        self.entry = TextEntry(str(place.now or ""), self.acts.translate(place.field.text))
        self.entry.name = place.path
        self.entry.bind(text=self.typed)
        self.keys: Widget | None = None
        if not 0 < len(place.field.suggest) <= MOST_SUGGESTED:
            self.add_widget(self.entry)
            return
        more = TouchButton(FOLDED, partial(self.acts.open_keys, place.path))
        more.name, more.size_hint_x, more.width = f"more:{place.path}", None, THEME.target * 1.2
        self.more = more
        self.add_widget(row(self.entry, more))

    def typed(self, _entry: Any, text: str) -> None:
        """Keep a typed text; one that is only shown is kept already."""
        if text != str(self.place.now or ""):
            self.acts.type(self.place, text)

    def update(self) -> None:
        """Show a text that was suggested, and the suggestions while they are open."""
        if self.entry.text != (now := str(self.place.now or "")):
            self.entry.text = now
        if self.opened and self.keys is None:
            self.keys = option_keys(self, [(text, text) for text in self.place.field.suggest])
            self.add_widget(self.keys, len(self.children) - 2)
        elif not self.opened and self.keys is not None:
            self.remove_widget(self.keys)
            self.keys = None
        if self.place.field.suggest and hasattr(self, "more"):
            self.more.set_text(UNFOLDED if self.opened else FOLDED)


class NumberCell(FieldCell):
    """A number between its two buttons; itself a button that opens its keys."""

    wide = False

    def begin(self) -> None:
        """A number between a minus and a plus."""
        place = self.place
        box = stepper(
            NOTHING,
            lambda by: self.acts.step(place, by),
            place.path,
            press=partial(self.acts.open_keys, place.path),
        )
        self.down, self.number, self.up = box.children[::-1]
        self.add_widget(box)

    def update(self) -> None:
        """Show the number, and whether there is a smaller or a larger one."""
        now = self.place.now
        self.number.set_text(NOTHING if now is None else str(now))
        self.number.dress("ink" if self.opened else "plain")
        self.down.dress("plain", now is not None)
        self.up.dress("plain", now != self.place.field.most)


class ChoiceCell(FieldCell):
    """One of several options. Many fold into one line when one of them is chosen."""

    def begin(self) -> None:
        """Its options come with the value."""
        self.wide = self.place.field.kind != "flag"
        self.shown: object = None
        self.box = ButtonGrid()

    @property
    def options(self) -> list[tuple[str, Any]]:
        """The options with their values, in the players' language."""
        one, acts = self.place.field, self.acts
        if one.kind == "flag":
            return [(_("yes"), True), (_("no"), False)]
        found: list[tuple[str, Any]] = [
            (acts.translate(text), value) for value, text in one.offered(self.place.held)
        ]
        if not one.required and "" not in dict(one.options):
            found.append((NOTHING, None))
        return found

    def update(self) -> None:
        """Mark the chosen option; fold or open them."""
        options = self.options
        folded = len(options) > MOST_SPREAD and bool(self.place.now) and not self.opened
        if self.shown != (shown := (folded, options)):
            self.shown = shown
            self.remove_widget(self.box)
            self.box = self.folded() if folded else option_keys(self, options)
            self.add_widget(self.box, len(self.children) - 1)
        now = bool(self.place.now) if self.place.field.kind == "flag" else self.place.now
        for button, (text, value) in zip(self.box.children[::-1], options, strict=False):
            if folded:
                chosen = next((text for text, value in options if value == now), str(now))
                button.set_text(f"✓ {chosen}  {FOLDED}")
                continue
            button.set_text(f"✓ {text}" if value == now else text)
            button.dress("ink" if value == now else "plain")

    def folded(self) -> ButtonGrid:
        """The chosen option alone; a tap shows the others."""
        path = self.place.path
        return grid([TouchButton(" ", partial(self.acts.open_keys, path), name=path)], 1)


class PhotoCell(FieldCell):
    """A photo, and what takes another one."""

    def begin(self) -> None:
        """The photo comes with the value."""
        self.shown: Any = None
        self.box = BoxLayout(size_hint_y=None)
        self.box.bind(minimum_height=self.box.setter("height"))
        self.add_widget(self.box)

    def update(self) -> None:
        """Show another photo."""
        now = str(self.place.now or "")
        if now != self.shown:
            self.shown = now
            store = partial(self.acts.set_value, self.place)
            show_children(self.box, [self.acts.photo(now, self.place.path, store)])


class NumberPad(BoxLayout):
    """A key for each value that a number may have, or for each digit of a large one."""

    wide = True

    def __init__(self, cell: NumberCell) -> None:
        super().__init__(orientation="vertical", spacing=dp(3), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.below = cell
        place, acts = cell.place, cell.acts
        one, path = place.field, place.path
        single = one.most <= MOST_KEYS
        numbers = range(one.least, one.most + 1) if single else range(10)
        press = acts.put if single else acts.put_digit
        keys = [
            TouchButton(str(number), partial(press, place, number), name=f"{path}={number}")
            for number in numbers
        ]
        keys.append(TouchButton(NOTHING, partial(acts.put, place, None), name=f"{path}=none"))
        self.add_widget(Text(acts.translate(one.text), "small", "text", bold=True))
        self.add_widget(grid(keys, PAD_COLUMNS))


CELLS: dict[str, type[FieldCell]] = {
    "text": TextCell,
    "number": NumberCell,
    "option": ChoiceCell,
    "flag": ChoiceCell,
    "photo": PhotoCell,
}


def option_keys(cell: FieldCell, options: list[tuple[str, Any]]) -> ButtonGrid:
    """A button for each option of a field."""
    place, set_value = cell.place, cell.acts.set_value
    keys = [
        TouchButton(text, partial(set_value, place, value), name=f"{place.path}:{value}")
        for text, value in options
    ]
    return grid(keys, len(keys) if len(keys) <= MOST_SPREAD else 2 if wordy(options) else 3)


def wordy(options: list[tuple[str, Any]]) -> bool:
    """Whether an option is too long for a third of the line."""
    return any(len(text) > 18 for text, _value in options)
