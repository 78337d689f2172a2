"""What lies on the table of a card game: heads, plots, cards and piles, each with its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, cast

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.screens.contest_lane import ContestLane
from companion.app.widgets.page import TouchGuard
from companion.app.widgets.playing_card import (
    FORMATS,
    CardFormat,
    DrawnBox,
    PlayingCard,
    card_size,
)
from companion.app.widgets.seat_plates import (
    NARROW_PLOT_DP,
    PlacePile,
    PlotPlate,
    SeatHead,
    pile_size,
    plot_band,
    plot_row,
)
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.drawing.card_flow import Flow, flow
from companion.engine.snapshot import Snapshot
from companion.games.api.card_table import CardLook, CardTable, SeatCards, TableCard
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import SeatScore
from companion.text.translation import language, translate

PLAIN = CardLook("#4A463E", "#B5AD9C")
Box = tuple[float, float, float, float]
W = TypeVar("W", bound=Widget)


@dataclass(frozen=True, slots=True)
class Item:
    """Something to lay out: its size, and what makes its widget."""

    size: tuple[float, float]
    make: Callable[[], Widget]


class LaidCards(TouchGuard, BoxLayout):
    """The cards of the newest snapshot, to be laid out.

    `tap` gets the id of the card that is tapped, `choose` the piece of a card that is held, or of
    a player.
    """

    def __init__(self, tap: Callable[[str], Any], choose: Callable[[str], Any]) -> None:
        super().__init__()
        self.tap, self.choose = tap, choose
        self.cards: list[PlayingCard] = []
        self.opened: tuple[str, tuple[str, ...]] = ("", ())
        """Whose cards the players want to see, and who decided then."""
        self._spread: frozenset[str] = frozenset()
        """Players whose pile of places is spread."""
        self.brief = False
        """Whether there is no room for the contest."""
        self._snapshot = Snapshot()
        self._made: dict[object, Widget] = {}
        self._before: dict[object, Widget] = {}
        """The widgets of this layout and of the one before, by what they show."""

    def begin(self) -> None:
        """Begin a new layout; what looks as it did in the one before is taken from there."""
        self.cards = []
        self._before, self._made = self._made, {}

    def kept(self, key: tuple[object, ...], make: Callable[[], W]) -> W:
        """A widget that shows this: that of the layout before, or a new one."""
        key = (*key, THEME.palette, THEME.text, dp(1), language())
        if key in self._made:  # shown twice
            return make()
        widget = self._before.pop(key, None)
        if widget is None:
            widget = make()
        elif widget.parent is not None:
            widget.parent.remove_widget(widget)
        self._made[key] = widget
        return cast(W, widget)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        raise NotImplementedError

    # -- records -----------------------------------------------------------------------------

    @property
    def table(self) -> CardTable:
        """The records; a game without any shows its players."""
        view = self._snapshot.view
        if view is not None and view.cards is not None:
            return view.cards
        return CardTable(tuple(SeatCards(one.id, PLAIN) for one in self._snapshot.seats))

    @property
    def spread_host(self) -> str:
        """The card whose attachments lie beside it: it, or one of them, is selected."""
        chosen = self._snapshot.chosen
        for seat in self.table.seats:
            for card in (*seat.cards, *seat.places):
                if card.attached and chosen in (card.id, *(one.id for one in card.attached)):
                    return card.id
        return ""

    @property
    def fighters(self) -> frozenset[str]:
        """The cards that lie in the contest."""
        contest = self.table.contest
        sides = contest.sides if contest is not None and not self.brief else ()
        return frozenset(card for side in sides for card in side.cards)

    @property
    def asked(self) -> tuple[str, ...]:
        """The players who decide now."""
        view, seats = self._snapshot.view, self._snapshot.seats
        return tuple(one.id for one in seats if view is not None and one.id in view.active)

    def points(self, seat: str) -> SeatScore | None:
        score = self._snapshot.score
        return next((one for one in (score.seats if score else ()) if one.seat == seat), None)

    def place(self, seat: str) -> int:
        """The number of a player's colour."""
        found = self._snapshot.seat(seat)
        return seat_place(found) if found is not None else 0

    def head(
        self, cards: SeatCards, wide: float, tall: bool = False, low: bool = False
    ) -> SeatHead:
        seat = self._snapshot.seat(cards.seat) or SeatView(cards.seat, cards.seat, 1)
        act = partial(self.choose, cards.piece) if cards.piece else lambda: None
        shown = replace(cards, piles=(), plot=None, cards=(), places=())
        what = (seat, shown, self.points(cards.seat), cards.seat in self.asked, wide, tall, low)
        head = self.kept((SeatHead, *what), lambda: SeatHead(*what, act))
        head.name, head.act, head.opacity = f"seat:{seat.id}", act, 1.0
        return head

    def plot(self, seat: SeatCards, wide: float, words: bool) -> PlotPlate:
        """The revealed plot of a player who has one."""
        assert seat.plot is not None
        what = (seat.plot, self.place(seat.seat), wide, words)
        return self.kept((PlotPlate, *what), lambda: PlotPlate(*what))

    # -- what is laid out --------------------------------------------------------------------

    def lying(self, seat: SeatCards) -> list[TableCard]:
        """The cards before a player that do not fight, spread where the players want it."""
        found: list[TableCard] = []
        places = seat.places if self.spreads(seat) else ()
        for card in (*seat.cards, *places):
            if card.id in self.fighters:
                continue
            if card.id == self.spread_host:
                found += [replace(card, attached=()), *card.attached]
            else:
                found.append(card)
        return found

    def spreads(self, seat: SeatCards) -> bool:
        """Whether places lie as single cards: one alone, or those that a question may mean."""
        asked = {piece for one in self._snapshot.prompts for piece in one.pieces}
        ids = {card.id for card in seat.places}
        chosen = self._snapshot.chosen in ids or self.spread_host in ids
        return len(ids) < 2 or seat.seat in self._spread or chosen or bool(ids & asked)

    def items(self, seat: SeatCards, size: CardFormat, plot: bool) -> list[Item]:
        """The plot, the cards and the pile of places."""
        found: list[Item] = []
        if plot and seat.plot is not None:
            wide = dp(NARROW_PLOT_DP) * THEME.text
            make = partial(self.plot, seat, wide, False)
            found.append(Item((wide, plot_band(seat.plot, wide) + plot_row(False)), make))
        found += [
            Item(card_size(card, size), partial(self.card, card, seat.seat, size))
            for card in self.lying(seat)
        ]
        if seat.places and not self.spreads(seat):
            heading = translate(seat.text)
            act = partial(self.spread, seat.seat)
            pile = partial(PlacePile, seat.places, size, heading, act)
            found.append(Item(pile_size(seat.places, size, heading), pile))
        return found

    def card(self, card: TableCard, seat: str, size: CardFormat) -> PlayingCard:
        """A card that can be tapped."""
        acts = partial(self.tap, card.id), partial(self.choose, card.id)
        what = (card, self.place(seat), size)
        made = self.kept((PlayingCard, *what), lambda: PlayingCard(*what, *acts))
        self.cards.append(made)
        return made

    def spread(self, seat: str) -> None:
        """Lay the places of a player out, or put them together again."""
        self._spread = self._spread ^ {seat}
        self.show(self._snapshot)

    def open(self, seat: str) -> None:
        """Show the cards of a player until others decide."""
        self.opened = (seat, self.asked)
        self.show(self._snapshot)

    @property
    def gap(self) -> float:
        return float(dp(9))

    def best(self, seat: SeatCards, wide: float, high: float) -> CardFormat:
        """The largest cards that fit into a box."""
        for size in FORMATS:
            if self.flow_of(self.items(seat, size, False), wide).height <= high:
                return size
        return FORMATS[-1]

    def flow_of(self, items: Sequence[Item], wide: float) -> Flow:
        return flow([one.size for one in items], wide, self.gap)

    def fill(self, sheet: DrawnBox, items: Sequence[Item], box: Box) -> None:
        """Lay things out in a box, from its upper left corner."""
        left, bottom, wide, high = box
        laid = self.flow_of(items, wide)
        for item, (x, y) in zip(items, laid.places, strict=True):
            made = item.make()
            made.pos = (left + x, bottom + high - y - made.height)
            sheet.add_widget(made)

    def lane(self, size: CardFormat, wide: float, above: Sequence[str]) -> ContestLane | None:
        """The contest; the row of a player who sits above lies above."""
        contest = self.table.contest
        if contest is None or self.brief:
            return None
        contest = contest.seen_from(above)
        every = {c.id: c for seat in self.table.seats for c in (*seat.cards, *seat.places)}
        rows = []
        for side in contest.sides:
            cards = [replace(every[one], turned=False) for one in side.cards if one in every]
            rows.append([
                Item(card_size(one, size), partial(self.card, one, side.seat, size))
                for one in cards
            ])  # fmt: skip
        return ContestLane(contest, self._snapshot.seat, rows, wide, self.gap)
