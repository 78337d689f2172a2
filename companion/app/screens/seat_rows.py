"""The table of a game without a table: a row for each player with what lies before them, and
which rows have room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import FONTS, THEME
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import Rows, Text, TouchButton
from companion.app.widgets.icon import SeatSign
from companion.app.widgets.layouts import grid
from companion.app.widgets.modal import Gauge
from companion.app.widgets.page import TouchGuard
from companion.app.widgets.seat_widgets import CardSize, RowCard, card_area, seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import PageCard, SeatScore, Section


@dataclass(frozen=True, slots=True)
class SeatNeed:
    """What a player's row needs: its height, and how important it is now (0 the most)."""

    seat: str
    height: float
    rank: int


def open_seats(
    needs: Sequence[SeatNeed], room: float, closed_height: Callable[[int], float]
) -> frozenset[str]:
    """The players whose cards are shown: all if they fit, else the most important that do.

    At least one is shown. `closed_height` is the height of so many rows that show no cards.

    >>> rows = [SeatNeed("a", 200, 2), SeatNeed("b", 200, 0), SeatNeed("c", 100, 1)]
    >>> sorted(open_seats(rows, 500, lambda n: 40)), sorted(open_seats(rows, 360, lambda n: 40))
    (['a', 'b', 'c'], ['b', 'c'])
    """
    if sum(one.height for one in needs) <= room:
        return frozenset(one.seat for one in needs)
    found: list[SeatNeed] = []
    for one in sorted(needs, key=lambda one: one.rank):
        shown = [*found, one]
        closed = closed_height(len(needs) - len(shown))
        if not found or sum(each.height for each in shown) + closed <= room:
            found = shown
    return frozenset(one.seat for one in found)


HEAD_DP, SMALL_HEAD_DP = 184, 152
HEAD_HEIGHT_DP = 150
"""What name, points and numbers of a player need, at most."""
CLOSED_DP = 118
"""The least width of a player whose cards are not shown."""
NARROW_DP, SMALL_DP = 560, 760
"""A narrower screen puts the cards under their player, or gives the player less room."""
EDGE_DP = 6
CHOSEN, DECIDES, FIGHTS, OTHERS = range(4)
"""How important it is that a player's cards are shown."""


class SeatRows(TouchGuard, BoxLayout):
    """Every player in seating order: name, points, and the cards of the game's first page.

    `tap` gets the card that is tapped, `choose` the piece of a card that is held, or of a player.
    Where not all cards have room, players who neither decide nor fight are one button each.
    """

    def __init__(self, tap: Callable[[PageCard], Any], choose: Callable[[str], Any]) -> None:
        super().__init__(padding=(0, THEME.gap("small"), 0, 0))
        self.tap, self.choose = tap, choose
        self.rows = Rows()
        self.add_widget(self.rows)
        self.cards: list[RowCard] = []
        self._form: EntryForm | None = None
        self._seen: object = None
        self._opened: tuple[str, tuple[str, ...]] = ("", ())
        self._snapshot = Snapshot()
        self.bind(size=lambda *_: self.show(self._snapshot))

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        self._snapshot = snapshot
        key = (snapshot.path, snapshot.state.get("seq"), snapshot.seats, *self.size, self._opened)
        if snapshot.view is None:
            return
        if key == self._seen:
            self.mark(self._form)
            return
        self._seen = key
        self.rebuild(self._build)

    def _build(self) -> None:
        snapshot = self._snapshot
        self.cards = []
        size = self.best_size(snapshot)
        shown = open_seats(self.needs(snapshot, size), self.room, self.closed_height)
        rows: list[Widget] = [
            self.row(snapshot, seat, size) for seat in snapshot.seats if seat.id in shown
        ]
        closed = [seat for seat in snapshot.seats if seat.id not in shown]
        if closed:
            buttons = [self.closed_row(snapshot, seat) for seat in closed]
            rows.append(grid(buttons, self.closed_columns(len(closed))))
        self.rows.fill(rows)
        self.mark(self._form)

    # -- what has room -----------------------------------------------------------------------

    @property
    def room(self) -> float:
        """The height that rows may have without scrolling."""
        return float(self.height) - THEME.gap() - THEME.gap("small")

    @property
    def narrow(self) -> bool:
        return float(self.width) < dp(NARROW_DP)

    def asked(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The players who decide now."""
        view = snapshot.view
        return tuple(one.id for one in snapshot.seats if view is not None and one.id in view.active)

    def needs(self, snapshot: Snapshot, size: CardSize) -> list[SeatNeed]:
        """The height of every player's row with cards of that size, and its rank."""
        asked = self.asked(snapshot)
        chosen, then = self._opened
        found = []
        for seat in snapshot.seats:
            cards = seat_cards(snapshot, seat)
            fights = any(one.marked for one in cards)
            rank = DECIDES if seat.id in asked else FIGHTS if fights else OTHERS
            if seat.id == chosen and then == asked:
                rank = CHOSEN
            found.append(SeatNeed(seat.id, self.row_height(len(cards), size), rank))
        return found

    def row_height(self, cards: int, size: CardSize) -> float:
        """The height of a row of so many cards."""
        gap, high = THEME.gap("small"), dp(HEAD_HEIGHT_DP) * THEME.text
        head = 0.0 if self.narrow else self.head_width + gap
        wide, tall = card_area(size)
        per_line = max(1, int((self.width - head - dp(EDGE_DP) - 4 * gap) // (wide + gap)))
        lines = -(-cards // per_line) * (tall + gap)
        inner = high + lines if self.narrow else max(high, lines)
        return float(inner + 3 * gap)

    @property
    def head_width(self) -> float:
        return float(dp(SMALL_HEAD_DP if self.width < dp(SMALL_DP) else HEAD_DP))

    def closed_columns(self, count: int) -> int:
        """How many players without cards stand beside each other."""
        return max(1, min(count, int(self.width // (dp(CLOSED_DP) * THEME.text))))

    def closed_height(self, count: int) -> float:
        """The height of so many players without cards."""
        lines = -(-count // self.closed_columns(count)) if count else 0
        return float(lines * (THEME.target * 1.3 + THEME.gap("small")))

    def best_size(self, snapshot: Snapshot) -> CardSize:
        """Flat cards if more of those who decide or fight have room then; else the usual ones."""
        usual: CardSize = "small" if self.width < dp(SMALL_DP) else "usual"
        return max((usual, "flat"), key=partial(self.shown_fighters, snapshot))

    def shown_fighters(self, snapshot: Snapshot, size: CardSize) -> int:
        """How many of those who decide or fight are shown without scrolling."""
        needs = self.needs(snapshot, size)
        shown = open_seats(needs, self.room, self.closed_height)
        high = sum(one.height for one in needs if one.seat in shown)
        if high + self.closed_height(len(needs) - len(shown)) > self.room:
            return 0
        return sum(one.rank < OTHERS for one in needs if one.seat in shown)

    def closed_row(self, snapshot: Snapshot, seat: SeatView) -> TouchButton:
        """A player without cards; a tap shows them."""
        scores = snapshot.score.seats if snapshot.score is not None else ()
        points = next((one for one in scores if one.seat == seat.id), None)
        section = next(seat_sections(snapshot, seat), None)
        name = _(seat.name)
        if points is not None:
            goal = f"/{points.goal}" if points.goal else ""
            name = f"{name} · {points.points}{goal}"
        count = _("cards: {n}", n=len(seat_cards(snapshot, seat)))
        tag = _(section.tag) if section is not None and section.tag else ""
        return TouchButton(
            name,
            partial(self.open, seat.id),
            under=tag or count,
            tint=THEME.colour(f"side-{seat_place(seat)}"),
            size="small",
            name=f"open-seat:{seat.id}",
        )

    def open(self, seat: str) -> None:
        """Show the cards of a player until others decide."""
        self._opened = (seat, self.asked(self._snapshot))
        self.show(self._snapshot)

    def mark(self, form: EntryForm | None) -> None:
        """Outline the selected card and those chosen in a form."""
        self._form = form
        chosen = form.filled.chosen() if form is not None else set()
        for one in self.cards:
            piece = one.card.piece
            picked = piece in chosen or bool(piece) and piece == self._snapshot.chosen
            if one.chosen != (picked or one.card.marked):
                one.outline(picked or one.card.marked)

    def row(self, snapshot: Snapshot, seat: SeatView, size: CardSize) -> Widget:
        """One player."""
        box = SeatRow(seat, "vertical" if self.narrow else "horizontal")
        scores = snapshot.score.seats if snapshot.score is not None else ()
        points = next((one for one in scores if one.seat == seat.id), None)
        section = next(seat_sections(snapshot, seat), None)
        head = SeatHead(seat, points, seat.id in self.asked(snapshot), section, self.choose)
        if not self.narrow:
            head.size_hint_x, head.width = None, self.head_width
        box.add_widget(head)
        cards = StackLayout(size_hint_y=None, spacing=THEME.gap("small"))
        cards.bind(minimum_height=cards.setter("height"))
        cards.pos_hint = {"top": 1}
        for one in seat_cards(snapshot, seat):
            hold = partial(self.choose, one.piece) if one.piece else None
            acts = bool(one.piece or one.lines or one.choices)
            tap = partial(self.tap, one) if acts else None
            made = RowCard(one, seat_place(seat), tap, hold, size)
            self.cards.append(made)
            cards.add_widget(made)
        box.add_widget(cards)
        return box


class SeatRow(BoxLayout):
    """The row of a player, with an edge in the colour of the seat and a line below."""

    def __init__(self, seat: SeatView, orientation: str) -> None:
        gap = THEME.gap("small")
        super().__init__(
            orientation=orientation,
            size_hint_y=None,
            padding=(dp(EDGE_DP) + THEME.gap(), gap, gap, gap),
            spacing=THEME.gap("small"),
        )
        self.bind(minimum_height=self.setter("height"))
        with self.canvas.before:
            Color(*THEME.colour(f"side-{seat_place(seat)}"))
            self._edge = Rectangle()
            Color(*THEME.colour("line"))
            self._line = Rectangle()
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._edge.pos, self._edge.size = self.pos, (dp(EDGE_DP), self.height)
        self._line.pos, self._line.size = self.pos, (self.width, dp(1))


class SeatHead(ButtonBehavior, BoxLayout):
    """Sign and name, the points, and what the game says beside them; a tap selects its piece."""

    def __init__(
        self,
        seat: SeatView,
        points: SeatScore | None,
        asked: bool,
        section: Section | None,
        choose: Callable[[str], Any],
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=THEME.gap("tiny"))
        self.bind(minimum_height=self.setter("height"))
        self.pos_hint = {"top": 1}
        self.name = f"seat:{seat.id}"
        self.piece, self.choose = section.piece if section is not None else "", choose
        first = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
        first.bind(minimum_height=first.setter("height"))
        sign = SeatSign(seat_place(seat), 38, seat_mark(seat))
        sign.pos_hint = {"center_y": 0.5}
        name = Text(_(seat.name), "title", bold=True)
        name.font_name = FONTS["title"]
        name.pos_hint = {"center_y": 0.5}
        first.add_widget(sign)
        first.add_widget(name)
        self.add_widget(first)
        tag = _(section.tag) if section is not None and section.tag else ""
        told = " · ".join(part for part in (tag, _("to decide") if asked else "") if part)
        if told:
            self.add_widget(Text(told, "small", "accent" if asked else "text", bold=True))
        if points is not None:
            self.add_points(seat, points)

    def on_release(self) -> None:
        """Select the piece that stands for the player."""
        if self.piece:
            self.choose(self.piece)

    def add_points(self, seat: SeatView, points: SeatScore) -> None:
        """The points, with a bar to the goal, and what lies beside them."""
        if not points.goal:
            counted = f"{points.points} {_(points.unit)}".strip()
            self.add_widget(Text(counted, "body", bold=True))
        else:
            line = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
            line.bind(minimum_height=line.setter("height"))
            own = Text(str(points.points), "large", bold=True)
            own.size_hint_x, own.width = None, dp(28) * THEME.text
            goal = Text(str(points.goal), "small", "soft")
            goal.size_hint_x, goal.width = None, dp(22) * THEME.text
            share = min(1.0, max(0.0, points.points / points.goal))
            bar = Gauge(share, f"side-{seat_place(seat)}")
            for one in (own, bar, goal):
                one.pos_hint = {"center_y": 0.5}
                line.add_widget(one)
            self.add_widget(line)
        if points.detail:
            self.add_widget(Text(_(points.detail), "small", "soft"))


def seat_sections(snapshot: Snapshot, seat: SeatView) -> Iterator[Section]:
    """The sections of the first page that belong to a player."""
    for section in snapshot.pages[0].sections if snapshot.pages else ():
        if section.seat == seat.id:
            yield section


def seat_cards(snapshot: Snapshot, seat: SeatView) -> Sequence[PageCard]:
    """The cards of the first page that lie before a player."""
    sections = snapshot.pages[0].sections if snapshot.pages else ()
    return [
        card
        for section in sections
        for card in section.cards
        if seat.id == (section.seat or card.seat)
    ]
