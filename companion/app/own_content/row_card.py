"""A row of a form: folded into what it holds, or open with its fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.widget import Widget

from companion.app.own_content.form_cells import FOLDED, NOTHING, UNFOLDED, Values
from companion.app.widgets.controls import CardBox, TouchButton
from companion.app.widgets.layouts import show_children
from companion.engine.app_words import _
from companion.games.api.card_form import FormField, FormProblem
from companion.games.api.card_summary import row_title, row_words


class RowCard(CardBox):
    """One row. Its title folds it; only the open one can be removed, under its name."""

    def __init__(
        self,
        field: FormField,
        number: int,
        values: Values,
        path: str,
        fold: Callable[[], Any],
        remove: Callable[[], Any],
    ) -> None:
        super().__init__(pad="small")
        self.field, self.number, self.values = field, number, values
        self.name = f"row:{path}"
        self.head = TouchButton(
            NOTHING, fold, "quiet", under=NOTHING, align="left", name=f"fold:{path}"
        )
        self.head.label.bold = True
        self.away = TouchButton(NOTHING, remove, "quiet", name=f"remove:{path}")

    def show(
        self,
        fields: Sequence[Widget],
        problems: Sequence[FormProblem],
        translate: Callable[[str], str],
    ) -> bool:
        """Show the row as it is now, with its fields if it is open; whether it was folded or
        opened by that."""
        title = row_title(self.field, self.number, self.values, translate)
        self.head.set_text(f"{UNFOLDED if fields else FOLDED}  {title}")
        under, colour = row_words(self.field, self.values, translate) or NOTHING, "soft"
        stops = [one for one in problems if one.stops]
        if stops and not fields:
            under, colour = f"✕ {translate(stops[0].text)}", "bad"
        self.head.lines[1].set_text(under, colour)
        self.away.set_text(_("Remove “{name}”", name=title))
        return show_children(self, [self.head, *fields, self.away] if fields else [self.head])
