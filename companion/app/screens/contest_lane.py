"""The contest of two players: their cards in two facing rows, with totals and what it would win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp

from companion.app.render.theme import FONTS, THEME, lines_needed
from companion.app.widgets.playing_card import DrawnBox, filled, line_height
from companion.app.widgets.seat_plates import TotalTile, text_width
from companion.engine.drawing.card_flow import flow
from companion.games.api.card_table import Contest
from companion.games.api.new_game import SeatView
from companion.text.translation import translate

BESIDE_DP, WORDS_DP = 760, 300
"""From this width on the words stand beside the rows, in a column this wide."""
PAD_DP = 10


class ContestLane(DrawnBox):
    """Two facing rows in the order of the sides; `rows` hold sizes and makers of cards."""

    def __init__(
        self,
        contest: Contest,
        seat: Callable[[str], SeatView | None],
        rows: Sequence[Sequence[Any]],
        wide: float,
        gap: float,
    ) -> None:
        self.contest, self.find_seat, self.items, self.gap = contest, seat, rows, gap
        pad = dp(PAD_DP)
        self.beside = wide >= dp(BESIDE_DP) * THEME.text
        tile = dp(TotalTile.WIDTH_DP) * THEME.text
        words = dp(WORDS_DP) * THEME.text if self.beside else 0.0
        self.room = wide - tile - words - 4 * pad
        self.flows = [flow([one.size for one in row], self.room, gap) for row in rows]
        least = dp(TotalTile.LEAST_DP) * THEME.text
        self.heights = [max(one.height, least) for one in self.flows]
        self.told = [translate(line) for line in contest.lines]
        self.words_wide = words if self.beside else wide - 2 * pad
        self.middle = dp(8) if self.beside else self.words_height()
        beside = self.words_height() if self.beside else 0.0
        super().__init__((wide, max(sum(self.heights) + self.middle, beside) + 2 * pad))
        box = (0.0, 0.0, wide, self.height)
        with self.canvas.before:
            filled(box, THEME.colour("cloth"), [dp(14)])
            Color(*THEME.colour("cloth-line"))
            Line(rounded_rectangle=(*box, dp(14)), width=dp(1.1))
        self.add_words()

    def words_height(self) -> float:
        """The height of title, claim, who lacks what, and the lines."""
        step = line_height()
        lines = sum(self.lines_of(one) for one in self.told)
        head = dp(30) * THEME.text
        note = step + dp(10) if self.beside and self.contest.note else 0.0
        return head + note + lines * step + len(self.told) * dp(4) + dp(4)

    def lines_of(self, text: str) -> int:
        wide = self.words_wide - dp(8)
        return lines_needed(text, THEME.size("small"), FONTS["narrow"], False, wide)

    def add_words(self) -> None:
        """The challenge in words: beside the rows, or between them."""
        pad, head, step = dp(PAD_DP), dp(30) * THEME.text, line_height()
        if self.beside:
            left = self.width - self.words_wide - pad
            top = self.height - (self.height - self.words_height()) / 2
        else:
            left = pad
            top = pad + self.heights[1] + self.middle
        icon = dp(22) * THEME.text
        low = top - head
        with self.canvas:
            at = low + (head - icon) / 2
            self.add_icon(self.contest.icon, left, at, icon, THEME.colour("text"))
        x = left + icon + dp(8)
        claim = text_width(translate(self.contest.text)) + dp(8)
        wide = min(text_width(translate(self.contest.title), "large", "title") + dp(6),
                   self.words_wide - icon - claim - dp(10))  # fmt: skip
        label = self.add_text(translate(self.contest.title), (x, low, wide, head), size="large",
                              font="title")  # fmt: skip
        label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        x += wide
        self.add_text(translate(self.contest.text), (x, low, claim, head), "soft")
        x += claim + dp(10)
        note = translate(self.contest.note) if self.contest.note else ""
        if note and self.beside:
            low -= step + dp(10)
            label = self.add_text(note, (left, low, self.words_wide, step + dp(8)), size="body",
                                  font="text")  # fmt: skip
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        elif note and self.width - pad - x > dp(60):
            label = self.add_text(note, (x, low, self.width - pad - x, head), font="text",
                                  align="right")  # fmt: skip
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        for one in self.told:
            high = self.lines_of(one) * step + dp(4)
            low -= high
            self.add_text(one, (left, low, self.words_wide - dp(4), high), "soft", bold=False)

    def lay_cards(self) -> None:
        """Both rows: the total, then the cards."""
        pad = dp(PAD_DP)
        top = self.height - pad
        spare = self.height - 2 * pad - sum(self.heights) - self.middle
        for number, side in enumerate(self.contest.sides):
            high = self.heights[number]
            tile = TotalTile(side, self.find_seat(side.seat), min(high, dp(130) * THEME.text))
            tile.pos = (pad, top - tile.height)
            self.add_widget(tile)
            left = pad + tile.width + pad
            for item, (x, y) in zip(self.items[number], self.flows[number].places, strict=True):
                card = item.make()
                card.pos = (left + x, top - y - card.height)
                self.add_widget(card)
            top -= high + self.middle + spare
