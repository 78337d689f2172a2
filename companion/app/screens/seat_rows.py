"""The table of a game without a table: a row for each player with what lies before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.engine.snapshot import Snapshot
from companion.app.render.icon import SeatSign
from companion.app.render.theme import FONTS, SKIN
from companion.app.widgets.controls import Rows, Text, TouchButton
from companion.app.widgets.seat_banner import seat_mark, seat_place
from companion.app.widgets.task_modal import Gauge
from companion.games.api.page import PageCard
from companion.games.api.score_view import SeatScore
from companion.games.api.seats import SeatView

HEAD_DP, CARD_DP = 200, 152
MOST_LINES = 3
"""How many lines of a card are shown before it is tapped."""
NARROW_DP = 560
"""A narrower screen puts the cards under their player."""
EDGE_DP = 6


class SeatRows(BoxLayout):
    """Every player in seating order: name, points, and the cards of the game's first page."""

    def __init__(self, show_card: Callable[[PageCard], Any]) -> None:
        super().__init__(padding=(0, SKIN.gap("small"), 0, 0))
        self.show_card = show_card
        self.rows = Rows()
        self.add_widget(self.rows)
        self._seen: object = None
        self._snapshot = Snapshot()
        self.bind(width=lambda *_: self.show(self._snapshot))

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        self._snapshot = snapshot
        key = (snapshot.path, snapshot.state.get("seq"), snapshot.seats, self.width)
        if key == self._seen or snapshot.view is None:
            return
        self._seen = key
        self.rows.fill([self.row(snapshot, seat) for seat in snapshot.seats])

    def row(self, snapshot: Snapshot, seat: SeatView) -> Widget:
        """One player."""
        narrow = self.width < dp(NARROW_DP)
        box = SeatRow(seat, "vertical" if narrow else "horizontal")
        scores = snapshot.score.seats if snapshot.score is not None else ()
        points = next((one for one in scores if one.seat == seat.id), None)
        asked = snapshot.view is not None and seat.id in snapshot.view.active
        head = seat_head(seat, points, asked)
        if not narrow:
            head.size_hint_x, head.width = None, dp(HEAD_DP)
        box.add_widget(head)
        cards = StackLayout(size_hint_y=None, spacing=SKIN.gap("small"))
        cards.bind(minimum_height=cards.setter("height"))
        cards.pos_hint = {"top": 1}
        for one in seat_cards(snapshot, seat):
            cards.add_widget(row_card(one, partial(self.show_card, one)))
        box.add_widget(cards)
        return box


class SeatRow(BoxLayout):
    """The row of a player, with an edge in the colour of the seat and a line below."""

    def __init__(self, seat: SeatView, orientation: str) -> None:
        gap = SKIN.gap("small")
        super().__init__(
            orientation=orientation,
            size_hint_y=None,
            padding=(dp(EDGE_DP) + SKIN.gap(), gap, gap, gap),
            spacing=SKIN.gap("small"),
        )
        self.bind(minimum_height=self.setter("height"))
        with self.canvas.before:
            Color(*SKIN.colour(f"side-{seat_place(seat)}"))
            self._edge = Rectangle()
            Color(*SKIN.colour("line"))
            self._line = Rectangle()
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._edge.pos, self._edge.size = self.pos, (dp(EDGE_DP), self.height)
        self._line.pos, self._line.size = self.pos, (self.width, dp(1))


def seat_head(seat: SeatView, points: SeatScore | None, asked: bool) -> BoxLayout:
    """Sign and name, the points, and what the game says beside them."""
    box = BoxLayout(orientation="vertical", size_hint_y=None, spacing=SKIN.gap("tiny"))
    box.bind(minimum_height=box.setter("height"))
    box.pos_hint = {"top": 1}
    first = BoxLayout(size_hint_y=None, spacing=SKIN.gap("small"))
    first.bind(minimum_height=first.setter("height"))
    sign = SeatSign(seat_place(seat), 38, seat_mark(seat))
    sign.pos_hint = {"center_y": 0.5}
    name = Text(_(seat.name), "title", bold=True)
    name.font_name = FONTS["title"]
    first.add_widget(sign)
    first.add_widget(name)
    box.add_widget(first)
    if asked:
        box.add_widget(Text(_("to decide"), "body", "accent", bold=True))
    if points is None:
        return box
    counted = f"{points.points} {_(points.unit)}".strip()
    if points.goal:
        box.add_widget(Text(f"{counted} · {_('of {goal}', goal=points.goal)}", "body", bold=True))
        box.add_widget(Gauge(min(1.0, points.points / points.goal), f"side-{seat_place(seat)}"))
    else:
        box.add_widget(Text(counted, "body", bold=True))
    if points.detail:
        box.add_widget(Text(_(points.detail), "small", "soft"))
    return box


def row_card(card: PageCard, act: Callable[[], Any]) -> TouchButton:
    """A card before a player: its name and a line; a tap shows the rest and what it may do."""
    count = [] if card.count is None else [str(card.count)]
    found = TouchButton(
        _(card.title) + (" ↷" if card.turned else ""),
        act if card.lines or card.choices else None,
        "quiet" if card.spent or card.turned else "plain",
        " · ".join([*count, *(_(line) for line in card.lines[:MOST_LINES])]),
        size="small",
        align="left",
        name=f"card:{card.id}",
    )
    found.label.bold = True
    found.size_hint_x, found.width = None, dp(CARD_DP)
    return found


def seat_cards(snapshot: Snapshot, seat: SeatView) -> Sequence[PageCard]:
    """The cards of the first page that lie before a player."""
    sections = snapshot.pages[0].sections if snapshot.pages else ()
    return [
        card
        for section in sections
        for card in section.cards
        if seat.id in (card.seat, section.seat)
    ]
