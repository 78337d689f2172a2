"""Three to six players of a card game round a table: a box for each, the contest in the middle."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kivy.graphics import Color, Line
from kivy.metrics import dp

from companion.app.render.theme import THEME
from companion.app.screens.contest_lane import ContestLane
from companion.app.screens.laid_cards import LaidCards
from companion.app.widgets.playing_card import FORMATS, CardFormat, DrawnBox, filled
from companion.app.widgets.seat_plates import head_height
from companion.engine.drawing.card_flow import in_rows, seated
from companion.games.api.card_table import SeatCards

COLUMNS_DP = 560
"""From this width on they sit in two columns."""
CHOSEN, DECIDES, FIGHTS, ATTACKS, OTHERS = range(5)
"""How important it is that a player's cards are shown."""
SIZES = (
    (FORMATS[2], FORMATS[2]),
    (FORMATS[3], FORMATS[3]),
    (FORMATS[4], FORMATS[3]),
    (FORMATS[3], FORMATS[4]),
    (FORMATS[4], FORMATS[4]),
)
"""Sizes of the cards in the contest and before the players, from the best on."""
Box = tuple[float, float, float, float]


def rank(view: LaidCards, seat: SeatCards) -> int:
    """How important it is that a player's cards are shown."""
    if (seat.seat, view.asked) == view.opened:
        return CHOSEN
    if seat.seat in view.asked:
        return DECIDES
    contest = view.table.contest
    if contest is None:
        return FIGHTS if seat.seat == view.table.active else OTHERS
    defender, attacker = (one.seat for one in contest.sides)
    return {defender: FIGHTS, attacker: ATTACKS}.get(seat.seat, OTHERS)


def round_table(view: LaidCards, wide: float, high: float) -> DrawnBox:
    """A box for each player, clockwise from the lower left; the contest in the middle.

    What has no room is closed, the least important first; at last there is no contest: its
    cards then lie before their players.
    """
    seats, room = view.table.seats, (wide, high)
    columns = 2 if wide >= dp(COLUMNS_DP) * THEME.text else 1
    rows = [[seats[one] for one in row] for row in seated(len(seats), columns)]
    above = [one.seat for row in rows[: len(rows) // 2] for one in row]
    shown = frozenset(one.seat for one in seats)
    for lane_size, size in SIZES:
        lane = view.lane(lane_size, wide, above)
        if needed(view, rows, size, lane, wide, shown) <= high:
            return zones(view, rows, size, lane, room, shown)
    ranked = sorted(seats, key=partial(rank, view))
    for view.brief in (False, True):
        lane = view.lane(FORMATS[-1], wide, above)
        for count in range(len(seats) - 1, 0, -1):
            shown = frozenset(one.seat for one in ranked[:count])
            closed = in_rows([one for one in seats if one.seat not in shown], columns)
            own = [one for one in seats if one.seat in shown]
            for across in range(columns, 0, -1):
                rows = [*closed, *in_rows(own, across)]
                if needed(view, rows, FORMATS[-1], lane, wide, shown) <= high:
                    return zones(view, rows, FORMATS[-1], lane, room, shown)
    return zones(view, rows, FORMATS[-1], lane, room, shown)


def zone_height(
    view: LaidCards, seat: SeatCards, size: CardFormat, wide: float, shown: bool
) -> float:
    """The height of a player's box."""
    if not shown:
        return head_height(closed_head(seat)) + dp(4)
    head = head_height(seat) + dp(10)
    return head + view.flow_of(view.items(seat, size, True), wide - dp(20)).height + dp(6)


def closed_head(seat: SeatCards) -> SeatCards:
    """A player whose cards are not shown, in one line."""
    return replace(seat, title="")


def row_heights(
    view: LaidCards,
    rows: list[list[SeatCards]],
    size: CardFormat,
    wide: float,
    shown: frozenset[str],
) -> list[float]:
    return [
        max(zone_height(view, one, size, part(row, wide), one.seat in shown) for one in row)
        for row in rows
    ]


def part(row: list[SeatCards], wide: float) -> float:
    """The width of a box in a row of so many."""
    return (wide - dp(6) * (len(row) + 1)) / len(row)


def needed(
    view: LaidCards,
    rows: list[list[SeatCards]],
    size: CardFormat,
    lane: ContestLane | None,
    wide: float,
    shown: frozenset[str],
) -> float:
    heights = row_heights(view, rows, size, wide, shown)
    tall = lane.height + dp(6) if lane is not None else 0.0
    return sum(heights) + dp(6) * (len(rows) + 1) + tall


def zones(
    view: LaidCards,
    rows: list[list[SeatCards]],
    size: CardFormat,
    lane: ContestLane | None,
    room: tuple[float, float],
    shown: frozenset[str],
) -> DrawnBox:
    """The boxes, with what is left over shared between those that show cards."""
    wide, high = room
    heights = row_heights(view, rows, size, wide, shown)
    total = needed(view, rows, size, lane, wide, shown)
    sharing = [n for n, row in enumerate(rows) if any(one.seat in shown for one in row)]
    for number in sharing:
        heights[number] += max(0.0, high - total) / len(sharing)
    sheet = DrawnBox((wide, max(total, high)))
    top, last = sheet.height - dp(6), max(1, len(rows) // 2)
    for number, row in enumerate(rows):
        if number == last and lane is not None:
            lane.pos = (dp(2), top - lane.height)
            lane.lay_cards()
            sheet.add_widget(lane)
            top -= lane.height + dp(6)
        for at, one in enumerate(row):
            broad = part(row, wide)
            box = (
                dp(6) + at * (broad + dp(6)),
                top - heights[number],
                broad,
                heights[number],
            )
            add_zone(view, sheet, one, size, box, one.seat in shown)
        top -= heights[number] + dp(6)
    return sheet


def add_zone(
    view: LaidCards, sheet: DrawnBox, seat: SeatCards, size: CardFormat, box: Box, shown: bool
) -> None:
    """One player's box; closed it shows only the numbers, and a tap opens it."""
    left, bottom, wide, high = box
    with sheet.canvas.before:
        filled(box, THEME.colour("cloth"), [dp(12)])
        Color(*THEME.colour(f"side-{view.place(seat.seat)}"))
        Line(rounded_rectangle=(*box, dp(12)), width=dp(1.1))
    head = view.head(seat if shown else closed_head(seat), wide - dp(20))
    head.pos = (left + dp(10), bottom + high - head.height - dp(3))
    if seat.lost:
        head.opacity = 0.6
    sheet.add_widget(head)
    if not shown:
        head.name, head.act = f"open-seat:{seat.seat}", partial(view.open, seat.seat)
        return
    room = (wide - dp(20), high - head.height - dp(8))
    larger = (one for one in FORMATS if fits_in(view, seat, one, *room))
    items = view.items(seat, next(larger, size), True)
    view.fill(sheet, items, (left + dp(10), bottom, *room))


def fits_in(view: LaidCards, seat: SeatCards, size: CardFormat, wide: float, high: float) -> bool:
    """Whether a player's cards fit into a box at this size."""
    return view.flow_of(view.items(seat, size, True), wide).height <= high
