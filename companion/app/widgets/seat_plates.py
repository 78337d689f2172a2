"""What lies beside a player's cards: plot, piles, a pile of places, the name with the numbers, and
the total in a contest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior

from companion.app.render.theme import FONTS, THEME, line_width, lines_needed, paint
from companion.app.widgets.icon import SeatSign
from companion.app.widgets.playing_card import (
    BEHIND_DP,
    CORNER_DP,
    WHITE,
    CardFormat,
    DrawnBox,
    edge_of,
    filled,
    framed,
    line_height,
)
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.engine.app_words import _
from companion.games.api.card_table import (
    ContestSide,
    CountView,
    PlotView,
    SeatCards,
    TableCard,
)
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import SeatScore
from companion.text.translation import translate

PLOT_DP = 184
NARROW_PLOT_DP = 122
PLOT_NUMBERS = 3
"""The numbers of a narrow plot."""


def text_width(text: str, size: str = "small", font: str = "narrow") -> float:
    """The width of a bold text in one line."""
    return line_width(text, THEME.size(size), FONTS[font], True) * 1.04


class PlotPlate(DrawnBox):
    """The revealed plot, across as on the table: its name and its numbers."""

    def __init__(self, plot: PlotView, place: int, wide: float, words: bool) -> None:
        parts = [text_width(translate(one.text)) + dp(5) for one in plot.numbers]
        self.words = words = words and sum(parts) <= wide
        self.band = plot_band(plot, wide)
        super().__init__((wide, self.band + plot_row(words)))
        box = (0.0, 0.0, wide, self.height)
        corner = dp(CORNER_DP)
        with self.canvas:
            filled(box, THEME.colour("card"), [corner])
            upper = (0.0, self.height - self.band, wide, self.band)
            filled(upper, THEME.colour(f"fill-{place}"), [corner, corner, 0, 0])
            framed(box, THEME.colour(f"side-{place}"), 0.8)
        name = (dp(7), self.height - self.band, wide - dp(12), self.band)
        self.add_text(translate(plot.title), name, WHITE)
        shown = plot.numbers if words or wide >= dp(NARROW_PLOT_DP) else plot.numbers[:PLOT_NUMBERS]
        spare = (wide - sum(parts)) / len(shown)
        left = 0.0
        for one, part in zip(shown, parts, strict=False):
            room = part + spare if words else wide / len(shown)
            self.add_number(one, left, room)
            left += room

    def add_number(self, number: CountView, left: float, wide: float) -> None:
        """One number with its icon, and its word where there is room."""
        icon, text = dp(16) * THEME.text, str(number.count)
        digits = text_width(text, "body", "text") + dp(2)
        start = left + (wide - icon - digits - dp(2)) / 2
        low = dp(3) + (line_height() if self.words else 0.0)
        high = dp(26) * THEME.text
        with self.canvas:
            self.add_icon(number.icon, start, low + (high - icon) / 2, icon, THEME.colour("soft"))
        box = (start + icon + dp(2), low, digits, high)
        self.add_text(text, box, size="body", font="text")
        if self.words:
            word = (left, dp(2), wide, line_height() + dp(2))
            self.add_text(translate(number.text), word, "soft", align="center", bold=False)


def plot_band(plot: PlotView, wide: float) -> float:
    """The height of a plot's name."""
    font = (THEME.size("small"), FONTS["narrow"], True)
    lines = lines_needed(translate(plot.title), *font, wide - dp(14))
    return min(lines, 3) * line_height() + dp(6)


def plot_row(words: bool) -> float:
    """The height of a plot's numbers."""
    return float(dp(26)) * THEME.text + (line_height() if words else 0.0) + dp(6)


class PlacePile(ButtonBehavior, DrawnBox):
    """Cards that only lie there share one pile that names them; a tap spreads it."""

    def __init__(
        self, cards: Sequence[TableCard], size: CardFormat, heading: str, act: Callable[[], Any]
    ) -> None:
        self.lines = [translate(one.title) + (" ↷" if one.turned else "") for one in cards]
        wide, high = pile_size(cards, size, heading)
        super().__init__(size=(wide, high))
        self.act, self.ready = act, True
        self.name = f"places:{cards[0].id}"
        look, out = cards[0].look, dp(BEHIND_DP)
        body = (0.0, 0.0, wide - 2 * out, high)
        with self.canvas:
            for number in (2, 1):
                behind = (number * out, 0.0, body[2], high)
                filled(behind, paint(look.ground), [dp(CORNER_DP)])
                framed(behind, edge_of(look), 0.8)
            filled(body, THEME.colour("card"), [dp(CORNER_DP)])
            framed(body, edge_of(look), 0.8)
        step = line_height()
        room = int((high - dp(8)) // step) - 1
        shown = self.lines if len(self.lines) <= room else [*self.lines[: room - 1], "…"]
        top = high - dp(4) - step
        self.add_text(heading, (dp(6), top, body[2] - dp(8), step), "soft")
        for line in shown[: max(0, room)]:
            top -= step
            label = self.add_text(line, (dp(6), top, body[2] - dp(8), step))
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1

    def on_release(self) -> None:
        self.act()


def pile_size(cards: Sequence[TableCard], size: CardFormat, heading: str) -> tuple[float, float]:
    """The size of a pile: as wide as its longest name, within limits."""
    longest = max(text_width(text) for text in (heading, *(translate(one.title) for one in cards)))
    wide = min(max(dp(size.width) * THEME.text, longest + dp(16)), dp(150) * THEME.text)
    return wide + 2 * dp(BEHIND_DP), dp(size.height) * THEME.text


class CountTile(DrawnBox):
    """A pile of cards: how many, and which, in its player's colour; a deck is filled with it."""

    WIDTH_DP, HEIGHT_DP = 58, 66

    def __init__(self, pile: CountView, place: int, deck: bool) -> None:
        wide = max(dp(self.WIDTH_DP) * THEME.text, text_width(translate(pile.text)) + dp(8))
        super().__init__((wide, dp(self.HEIGHT_DP) * THEME.text))
        box = (0.0, 0.0, self.width, self.height)
        with self.canvas:
            filled(box, THEME.colour(f"fill-{place}" if deck else "back"), [dp(CORNER_DP)])
            framed(box, THEME.colour(f"side-{place}"), 0.8)
        ink = WHITE if deck else THEME.colour("text")
        low = line_height() + dp(6)
        self.add_text(str(pile.count), (0, low, self.width, self.height - low - dp(4)), ink,
                      "large", align="center", font="text")  # fmt: skip
        self.add_text(
            translate(pile.text), (0, dp(4), self.width, low), ink, align="center", bold=False
        )


class TotalTile(DrawnBox):
    """What a side of a contest comes to, in the colour of its player."""

    WIDTH_DP, LEAST_DP = 92, 66

    def __init__(self, side: ContestSide, seat: SeatView | None, high: float) -> None:
        super().__init__((dp(self.WIDTH_DP) * THEME.text, high))
        place = seat_place(seat) if seat is not None else 0
        box = (0.0, 0.0, self.width, high)
        with self.canvas:
            filled(box, THEME.colour(f"fill-{place}"), [THEME.radius])
            Color(*THEME.colour(f"side-{place}"))
            Line(rounded_rectangle=(*box, THEME.radius), width=dp(1))
        step = line_height() + dp(1)
        name = _(seat.name) if seat is not None else ""
        label = self.add_text(name, (dp(4), high - step - dp(2), self.width - dp(8), step), WHITE,
                              align="center")  # fmt: skip
        label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        rest = high - 2 * step - dp(4)
        size = "page" if rest > dp(40) else "title"
        self.add_text(str(side.total), (0, step + dp(2), self.width, rest), WHITE, size,
                      align="center", font="text")  # fmt: skip
        shown = translate(side.detail) if side.detail else translate(side.tag)
        if text_width(shown) > self.width - dp(6):
            shown = translate(side.tag)
        self.add_text(shown, (dp(2), dp(2), self.width - dp(4), step), WHITE, align="center")


class SeatHead(ButtonBehavior, DrawnBox):
    """A player: sign, name, points, numbers, agenda, title; a tap selects what stands for them.

    `tall` writes it in lines one under the other, with a bar to the goal; where the table is `low`,
    points and numbers share a line.
    """

    def __init__(
        self,
        seat: SeatView,
        cards: SeatCards,
        points: SeatScore | None,
        asked: bool,
        wide: float,
        tall: bool,
        low: bool,
        act: Callable[[], Any],
    ) -> None:
        self.seat, self.cards, self.points, self.asked, self.low = seat, cards, points, asked, low
        super().__init__(size=(wide, self.tall_height(low) if tall else head_height(cards)))
        self.act, self.ready, self.name = act, True, f"seat:{seat.id}"
        if tall:
            self.write_tall()
        else:
            self.write_flat()

    def on_release(self) -> None:
        self.act()

    def add_sign(self, side: float, left: float, bottom: float) -> None:
        sign = SeatSign(seat_place(self.seat), side / dp(1), seat_mark(self.seat))
        sign.pos = (left, bottom)
        self.add_widget(sign)

    @property
    def told(self) -> str:
        """What is said of the player now: attacks, first player, to decide."""
        tag = translate(self.cards.tag) if self.cards.tag else ""
        return " · ".join(part for part in (tag, _("to decide") if self.asked else "") if part)

    @property
    def ink(self) -> str:
        return "accent" if self.asked else "text"

    @staticmethod
    def tall_height(low: bool) -> float:
        """Name, agenda, tag, points and numbers."""
        numbers = dp(28) * THEME.text * (1 if low else 2)
        return dp(42) * THEME.text + line_height() * 2 + dp(8) + numbers

    def write_tall(self) -> None:
        wide, step = self.width, line_height() + dp(2)
        side = dp(40) * THEME.text
        top = self.height - side
        self.add_sign(side, 0, top)
        name = (side + dp(8), top, wide - side - dp(8), side)
        label = self.add_text(_(self.seat.name), name, size="title", font="title")
        label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        for text, ink in ((translate(self.cards.detail), "soft"), (self.told, self.ink)):
            top -= step
            label = self.add_text(text, (0, top, wide, step), ink)
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        high = dp(28) * THEME.text
        top -= high
        if self.low:
            points = (self.points.points,) if self.points is not None else ()
            crowns = tuple(CountView("crown", one, "") for one in points)
            self.add_counts((*crowns, *self.cards.numbers), 0, top, high, False)
            return
        if self.points is not None:
            self.add_points(self.points, 0, top, wide, high)
        self.add_counts(self.cards.numbers, 0, top - high, high, True)

    def add_points(
        self, points: SeatScore, left: float, low: float, wide: float, high: float
    ) -> None:
        """The points with a bar to the goal."""
        icon = dp(20) * THEME.text
        with self.canvas:
            self.add_icon("crown", left, low + (high - icon) / 2, icon, THEME.colour("text"))
        text = str(points.points)
        digits = text_width(text, "large", "text") + dp(4)
        start = left + icon + dp(5)
        self.add_text(text, (start, low, digits, high), size="large", font="text")
        if not points.goal:
            return
        goal = text_width(str(points.goal), "small", "text") + dp(4)
        self.add_text(str(points.goal), (left + wide - goal, low, goal, high), "soft", bold=False,
                      align="right", font="text")  # fmt: skip
        start += digits
        room, thick = left + wide - goal - dp(6) - start, dp(10)
        share = min(1.0, max(0.0, points.points / points.goal))
        with self.canvas:
            Color(*THEME.colour("raised"))
            at = (start, low + (high - thick) / 2)
            RoundedRectangle(pos=at, size=(room, thick), radius=[thick / 2])
            if share:
                Color(*THEME.colour(f"side-{seat_place(self.seat)}"))
                full = (max(room * share, thick), thick)
                RoundedRectangle(pos=at, size=full, radius=[thick / 2])

    def add_counts(
        self, numbers: Sequence[CountView], left: float, low: float, high: float, words: bool
    ) -> float:
        """Numbers beside each other; where they end."""
        icon = dp(18) * THEME.text
        for one in numbers:
            with self.canvas:
                self.add_icon(one.icon, left, low + (high - icon) / 2, icon, THEME.colour("soft"))
            text = str(one.count)
            wide = text_width(text, "small", "text") + dp(3)
            left += icon + dp(4)
            self.add_text(text, (left, low, wide, high), font="text")
            left += wide
            if words:
                wide = text_width(translate(one.text)) + dp(3)
                self.add_text(translate(one.text), (left, low, wide, high), "soft", bold=False)
                left += wide
            left += dp(10)
        return left

    def write_flat(self) -> None:
        """One line with everything, a second one for the title."""
        high, side = dp(38) * THEME.text, dp(32) * THEME.text
        low = self.height - high
        self.add_sign(side, 0, low + (high - side) / 2)
        left = side + dp(7)
        name = _(self.seat.name)
        wide = min(text_width(name, "large", "title") + dp(4), self.width * 0.3)
        label = self.add_text(name, (left, low, wide, high), size="large", font="title")
        label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        left += wide + dp(6)
        if self.points is not None:
            left = self.add_counts((CountView("crown", self.points.points, ""),), left, low, high,
                                   False)  # fmt: skip
        counts = sum(
            dp(32) * THEME.text + text_width(str(one.count), "small", "text") + dp(3)
            for one in self.cards.numbers
        )
        right = self.width - counts
        detail = translate(self.cards.detail)
        told = (self.told, self.told.rpartition(" · ")[2], self.ink)
        for full, brief, ink in (told, (detail, detail.partition(" · ")[0], "soft")):
            room = right - left - dp(6)
            fits = [one for one in (full, brief) if text_width(one) <= room]
            if fits and fits[0]:
                self.add_text(fits[0], (left, low, room, high), ink).max_lines = 1
                left += text_width(fits[0]) + dp(8)
        self.add_counts(self.cards.numbers, right, low, high, False)
        if self.cards.title:
            words = [translate(one) for one in (self.cards.title, self.cards.note) if one]
            text = " · ".join(words)
            label = self.add_text(text, (0, 0, self.width, self.height - high), "soft")
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1


def head_height(cards: SeatCards) -> float:
    """The height of a player's head over the cards."""
    return dp(38) * THEME.text + (line_height() + dp(2) if cards.title else dp(10))
