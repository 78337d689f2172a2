"""A small map that shows where points come from: a numbered mark at every token that gives some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.graphics import Color, Line
from kivy.uix.boxlayout import BoxLayout

from companion.app.pane import Pane
from companion.app.score_chart import words
from companion.app.sheaf import Sheaf
from companion.app.snapshot import Snapshot
from companion.app.theme import SKIN
from models import Table


class ScoreMap(BoxLayout):
    """The board without answers, and the offers on it."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None)
        self.pane = Pane("map", lambda point: None, lambda *_: False)
        self.add_widget(self.pane)
        self.marked: list[int] = []
        """The numbers of the offers that have a place on the map."""

    def put(
        self,
        table: Table,
        board: Sheaf,
        offers: Sequence[Mapping[str, Any]],
        state: Mapping[str, Any],
    ) -> None:
        """The table, and each offer at the token or unit it comes from."""
        self.pane.show(Snapshot(table=table, map=board))
        self.pane.zoom = 1.0
        self.pane.lay()
        self.pane.glass.quick.clear()
        places = {token.id: (token.x, token.y) for token in table.objectives}
        self.marked = []
        for number, one in enumerate(offers, 1):
            token = one.get("token")
            if token not in places:
                continue
            self.marked.append(number)
            x, y = self.pane.pixels(places[token])
            side = SKIN.side(one["side"])
            radius = SKIN.size("large") * 0.95
            group = self.pane.glass.quick
            group.add(Color(*SKIN.colour("back", 0.85)))
            group.add(Line(circle=(x, y, radius), width=radius / 2))
            group.add(Color(*side))
            group.add(Line(circle=(x, y, radius * 1.5), width=2.2))
            words(f"{number}: +{one['vp']}", x, y, side, size="body", into=group)
