"""Two players of a card game face each other: names and plots at the left, the contest between
their cards.
"""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp

from companion.app.render.theme import THEME
from companion.app.screens.contest_lane import ContestLane
from companion.app.screens.laid_cards import LaidCards
from companion.app.widgets.playing_card import FORMATS, CardFormat, DrawnBox, framed, line_height
from companion.app.widgets.seat_plates import (
    PLOT_DP,
    CountTile,
    SeatHead,
    plot_band,
    plot_row,
    text_width,
)
from companion.games.api.card_table import SeatCards
from companion.text.translation import translate

HEAD_DP = 190
SHORT_DP = 470
"""A lower table has the piles between the players in words."""


def facing_table(view: LaidCards, wide: float, high: float) -> DrawnBox:
    """Two players, one above the other; name and plot at the left, the contest between."""
    upper, lower = view.table.seats[1], view.table.seats[0]
    side = min(dp(HEAD_DP) * THEME.text, wide * 0.28)
    left, room = side + dp(16), wide - side - dp(20)
    middle, needs = lane_between(view, FORMATS[1], high, room)
    for size in (*FORMATS[2:], None):
        rest = (high - (middle.height if middle is not None else 0) - dp(20)) / 2
        if max(needs) <= rest:
            break
        view.brief = size is None
        middle, needs = lane_between(view, size or FORMATS[-1], high, room)
    tall = middle.height if middle is not None else 0.0
    rest = max((high - tall - dp(20)) / 2, *needs)
    total = max(2 * rest + tall + dp(20), heads_height(view, side, True))
    sheet = DrawnBox((wide, max(total, high)))
    with sheet.canvas.before:
        for number, one in enumerate((lower, upper)):
            Color(*THEME.colour(f"fill-{view.place(one.seat)}", 0.16))
            Rectangle(pos=(0, number * sheet.height / 2), size=(wide, sheet.height / 2))
    if middle is not None:
        middle.pos = (left, rest + dp(10))
        if isinstance(middle, ContestLane):
            middle.lay_cards()
        sheet.add_widget(middle)
    for one, low in ((upper, sheet.height - rest - dp(4)), (lower, dp(4))):
        view.fill(sheet, view.items(one, view.best(one, room, rest), False),
                  (left, low, room, rest))  # fmt: skip
    add_heads(view, sheet, side, upper, lower)
    return sheet


def lane_between(
    view: LaidCards, size: CardFormat, high: float, room: float
) -> tuple[DrawnBox | None, list[float]]:
    """What lies between two players, and the least height of their cards."""
    least = [view.flow_of(view.items(one, FORMATS[-1], False), room).height
             for one in view.table.seats]  # fmt: skip
    above = (view.table.seats[1].seat,)
    return view.lane(size, room, above) or between(view, room, high), least


def between(view: LaidCards, wide: float, high: float) -> DrawnBox | None:
    """Without a contest: the piles of both players in one row."""
    if high < dp(SHORT_DP):
        return pile_words(view, wide)
    tiles = [CountTile(pile, view.place(seat.seat), not number)
             for seat in reversed(view.table.seats)
             for number, pile in enumerate(seat.piles)]  # fmt: skip
    if not tiles or sum(one.width + dp(8) for one in tiles) > wide:
        return None
    row = DrawnBox((wide, tiles[0].height))
    own = len(view.table.seats[1].piles)
    left, right = 0.0, wide
    for one in tiles[:own]:
        one.x, left = left, left + one.width + dp(8)
        row.add_widget(one)
    for one in reversed(tiles[own:]):
        right -= one.width + dp(8)
        one.x = right
        row.add_widget(one)
    return row


def pile_words(view: LaidCards, wide: float) -> DrawnBox | None:
    """The piles of both players in one line of words, where there is no room for tiles."""
    told = {
        seat.seat: " · ".join(f"{translate(pile.text)} {pile.count}" for pile in seat.piles)
        for seat in reversed(view.table.seats)
    }
    high = line_height() + dp(4)
    if not any(told.values()) or sum(text_width(one) + dp(20) for one in told.values()) > wide:
        return None
    row = DrawnBox((wide, high))
    for (seat, text), align in zip(told.items(), ("left", "right"), strict=True):
        row.add_text(text, (0, 0, wide, high), f"side-{view.place(seat)}", align=align)
    return row


def heads_height(view: LaidCards, side: float, low: bool) -> float:
    """The height of both players' names, numbers and plots; `low` with the fewest lines."""
    wide = plot_width(side)
    plots = (one.plot for one in view.table.seats)
    plates = sum(plot_band(one, wide) + plot_row(False) + dp(4) for one in plots if one is not None)
    return 2 * (SeatHead.tall_height(low) + dp(10)) + plates


def plot_width(side: float) -> float:
    return min(side, dp(PLOT_DP) * THEME.text)


def add_heads(
    view: LaidCards, sheet: DrawnBox, side: float, upper: SeatCards, lower: SeatCards
) -> None:
    """Name, numbers and plot of both at the left, and the course of the turn between them."""
    blocks = []
    tall = heads_height(view, side, False)
    words = sheet.height >= max(dp(SHORT_DP) * THEME.text, tall + 2 * line_height())
    for one in (upper, lower):
        head = view.head(one, side, True, low=tall > sheet.height)
        plot = one.plot and view.plot(one, plot_width(side), words)
        blocks.append((head, plot))
    (first, first_plot), (second, second_plot) = blocks
    first.pos = (dp(8), sheet.height - first.height - dp(6))
    low = first.y
    sheet.add_widget(first)
    if first_plot:
        low -= first_plot.height + dp(4)
        first_plot.pos = (dp(8), low)
        sheet.add_widget(first_plot)
    top = dp(6)
    if second_plot:
        second_plot.pos = (dp(8), top)
        top += second_plot.height + dp(4)
        sheet.add_widget(second_plot)
    second.pos = (dp(8), top)
    top += second.height
    sheet.add_widget(second)
    add_track(view, sheet, side, low - dp(8), top + dp(8))


def add_track(view: LaidCards, sheet: DrawnBox, side: float, top: float, low: float) -> None:
    """What the active player has done and may still do, if there is room."""
    rows, high = view.table.track, dp(30) * THEME.text
    step = line_height() + dp(4)
    if not rows or top - low < step + len(rows) * high:
        return
    y = low + (top - low + step + len(rows) * high) / 2 - step
    heading = sheet.add_text(translate(view.table.heading).upper(), (dp(12), y, side, step), "soft")
    heading.shorten, heading.max_lines = True, 1
    for row in rows:
        y -= high
        box = (dp(6), y, side, high - dp(3))
        ink = "text" if row.now else "soft"
        with sheet.canvas:
            if row.now:
                framed(box, THEME.colour("text"))
            icon = dp(18) * THEME.text
            sheet.add_icon(row.icon, dp(14), y + (high - icon) / 2, icon, THEME.colour(ink))
        note = text_width(translate(row.note)) + dp(8)
        label = sheet.add_text(translate(row.text), (dp(40), y, side - dp(40) - note, high), ink)
        label.shorten, label.max_lines = True, 1
        box = (side - note + dp(2), y, note, high)
        sheet.add_text(translate(row.note), box, ink, align="right", bold=False)
