"""The editor of a form for a game's card."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.own_content.form_cells import (
    CELLS,
    MOST_TILES,
    TILE_DP,
    FieldCell,
    FieldPlace,
    NumberCell,
    NumberPad,
    Values,
)
from companion.app.own_content.row_card import RowCard
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, TouchButton, heading
from companion.app.widgets.layouts import Tiles, show_children
from companion.engine.app_words import _
from companion.games.api.card_form import FormField, FormProblem

MOVING = ("add:", "remove:", "restore:")
"""The names of buttons that change how many rows a form has."""
Wrong = dict[str, FormProblem]


class FormEditor(BoxLayout):
    """The fields of a form; `values` always holds what is shown, `notify` is called on each change.

    A typed letter is kept apart from a choice. A change is shown in the widgets that are there:
    whoever taps on meanwhile loses nothing. Of the rows one is open, the others tell what they
    hold.
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
        self.fields, self.values = fields, values
        self._translate, self.notify, self.problems, self.photo = (
            translate,
            notify,
            problems,
            photo,
        )
        self.open_at = ""
        self.open_row = ""
        """The path of the row that is open; the rows it lies in are open, too."""
        self.removed: tuple[list[Values], int, Values] | None = None
        """The row that was removed last: its list, its place and its values."""
        self.left_open = ""
        """Its path: it is open again when it comes back."""
        self.touched = ""
        """The name of what a finger was on last."""
        self.anchor: tuple[str, float] = ("", 0.0)
        """What keeps its height in the window when the form changes, and that height."""
        self.begins: tuple[str, float] | None = None
        """The same of a row that is being added."""
        self.kept: dict[Hashable, Widget] = {}
        self.used: dict[Hashable, Widget] = {}
        """The widgets by what they show: those of the last time, and of this."""
        self.moved = False
        """Whether something has another place than before."""
        self._show = Clock.create_trigger(lambda _after: self.build(), -1)
        self.build()

    def translate(self, text: str) -> str:
        """A text of the form in the players' language."""
        return self._translate(text)

    # -- what stays in its place ----------------------------------------------------------------

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

    def stay(self) -> None:
        """Keep what was chosen where it was."""
        (name, top), rows = self.anchor, self.scrolling()
        if name and rows is not None:
            rows.hold(lambda: self.called().get(name), top)

    # -- what is shown --------------------------------------------------------------------------

    def build(self) -> None:
        """Show every field with its value: in the widget that it has, if it has one."""
        self.choose_anchor()
        self.used, self.moved = {}, False
        wrong = {one.field: one for one in self.problems()}
        self.show(self, list(self.shown(self.fields, self.values, "", wrong)))
        self.kept = self.used
        if self.moved:
            self.stay()

    def show(self, box: Any, wanted: Sequence[Widget]) -> None:
        """Show these widgets in a layout."""
        self.moved |= show_children(box, wanted)

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The widget that shows this, or a new one."""
        found = self.used[key] = self.kept.get(key) or make()
        return found

    def shown(
        self, fields: Sequence[FormField], held: Values, place: str, wrong: Wrong
    ) -> Iterator[Widget]:
        """The widgets of some fields; `place` is the path of the row they stand in."""
        seen = [one for one in fields if one.visible(held)]
        for rows, group in groupby(seen, key=lambda one: one.kind == "rows"):
            part = list(group)
            if rows:
                for one in part:
                    yield from self.rows(one, held, f"{place}{one.name}", wrong)
            else:
                places = [FieldPlace(one, held, f"{place}{one.name}") for one in part]
                yield self.tiles(places, wrong)

    def tiles(self, places: Sequence[FieldPlace], wrong: Wrong) -> Tiles:
        """Fields beside and under each other, with the keys of the one that is open."""
        first = places[0]
        box: Tiles = self.keep(
            (id(first.held), first.path, "tiles"), lambda: Tiles(dp(TILE_DP), MOST_TILES)
        )
        found: list[Widget] = [self.cell(one, wrong) for one in places]
        for cell in list(found):
            if isinstance(cell, NumberCell) and cell.opened:
                key = (id(cell), "pad")
                found.insert(found.index(cell) + 1, self.keep(key, partial(NumberPad, cell)))
        self.show(box, found)
        return box

    def cell(self, place: FieldPlace, wrong: Wrong) -> FieldCell:
        """A field, with what is wrong with it."""
        make = partial(CELLS[place.field.kind], place, self)
        cell: FieldCell = self.keep((id(place.held), place.path), make)
        self.moved |= cell.show(wrong.get(place.path))
        return cell

    def rows(self, one: FormField, held: Values, path: str, wrong: Wrong) -> Iterator[Widget]:
        """A card for each row, and a button that adds one."""
        found = held.setdefault(one.name, [])
        yield self.keep((id(held), path, "title"), lambda: heading(self.translate(one.text)))
        for at, values in enumerate(found):
            yield self.row(one, found, at, values, f"{path}[{at}]", wrong)
        add: TouchButton = self.keep((id(held), path, "add"), lambda: self.adder(one, found, path))
        add.dress("plain", len(found) < one.most)
        yield add
        if self.removed is not None and self.removed[0] is found:
            text = f"{_('Undo')}: {_('Remove')}"
            undo = partial(TouchButton, text, self.restore, "quiet", name=f"restore:{path}")
            yield self.keep((id(self.removed[2]), "restore"), undo)

    def row(
        self,
        one: FormField,
        rows: list[Values],
        at: int,
        values: Values,
        path: str,
        wrong: Wrong,
    ) -> RowCard:
        """A row: folded, it tells what it holds; open, it shows its fields."""
        fold, remove = partial(self.fold, path), partial(self.remove, rows, at)
        card: RowCard = self.keep(
            (id(values), path), lambda: RowCard(one, at + 1, values, path, fold, remove)
        )
        opened = f"{self.open_row}.".startswith(f"{path}.")
        fields = list(self.shown(one.fields, values, f"{path}.", wrong)) if opened else []
        mine = [problem for place, problem in wrong.items() if place.startswith(f"{path}.")]
        self.moved |= card.show(fields, mine, self.translate)
        return card

    def adder(self, one: FormField, found: list[Values], path: str) -> TouchButton:
        """The button that adds a row."""

        def add() -> None:
            if len(found) < one.most:
                self.add(found, path)

        return TouchButton(f"+ {self.translate(one.text)}", add, name=f"add:{path}")

    # -- taps -----------------------------------------------------------------------------------

    def fold(self, path: str) -> None:
        """Open a row, or close it; another one that is open is closed."""
        opened = f"{self.open_row}.".startswith(f"{path}.")
        self.open_row = path.rpartition(".")[0] if opened else path
        self.open_at = ""
        self.build()

    def open_keys(self, path: str) -> None:
        """Show the keys of a field, or close them."""
        self.open_at = "" if self.open_at == path else path
        self.build()

    def put(self, place: FieldPlace, number: int | None) -> None:
        """Set a number by one key; the keys go on to the next number that is empty, if there is
        one."""
        place.held[place.field.name] = number
        cells = [one for one in self.kept.values() if isinstance(one, NumberCell)]
        beside = [one.place for one in cells if one.place.held is place.held]
        paths = [one.path for one in beside]
        after = beside[paths.index(place.path) + 1 :] if place.path in paths else []
        self.open_at = next((one.path for one in after if one.now is None), "")
        self.changed()

    def put_digit(self, place: FieldPlace, digit: int) -> None:
        """Add a digit; a number that would be too large begins anew."""
        most = place.field.most
        typed = int(f"{place.now or 0}{digit}")
        place.held[place.field.name] = typed if typed <= most else min(digit, most)
        self.changed()

    def type(self, place: FieldPlace, text: str) -> None:
        """Keep a typed text."""
        place.held[place.field.name] = text
        self.notify(True)
        self._show()

    def set_value(self, place: FieldPlace, value: Any) -> None:
        """Take an option, and close its keys."""
        place.held[place.field.name] = value
        if self.open_at == place.path:
            self.open_at = ""
        self.changed()

    def step(self, place: FieldPlace, by: int) -> None:
        """Change a number; below the least it is empty again. An empty one counts from 0."""
        one, now = place.field, place.now
        value = (now or 0) + by
        if now is None and by > 0:
            value = max(value, one.least)
        place.held[one.name] = None if value < one.least else min(value, one.most)
        self.changed()

    def add(self, rows: list[Values], path: str) -> None:
        """Add an empty row, which begins where the finger is, and open it."""
        rows.append({})
        self.open_row, self.open_at = f"{path}[{len(rows) - 1}]", ""
        key = self.called().get(f"add:{path}")
        if key is not None:
            self.begins = f"row:{self.open_row}", upper_edge(key)
        self.changed()

    def remove(self, rows: list[Values], at: int) -> None:
        """Remove a row; a finger that only wanted to scroll brings it back."""
        self.removed = (rows, at, rows.pop(at))
        self.left_open, self.open_row = self.open_row, self.open_row.rpartition(".")[0]
        self.changed()

    def restore(self) -> None:
        """Put the removed row where it was."""
        if self.removed is not None:
            rows, at, row = self.removed
            rows.insert(at, row)
            self.removed, self.open_row = None, self.left_open
            self.changed()

    def changed(self) -> None:
        """Tell the change and show it before the next frame."""
        self.notify(False)
        self._show()


def upper_edge(widget: Widget) -> float:
    """The height in the window at which a widget begins."""
    return float(widget.to_window(widget.x, widget.top)[1])
