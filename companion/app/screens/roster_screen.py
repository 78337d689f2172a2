"""The roster: every piece of every player at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import FONTS, THEME
from companion.app.turn.dock import roster_title
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Rows, Text, TouchButton
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.seat_widgets import SeatBanner, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import PieceView
from companion.text.translation import capital
from models.message import word

STATES = {"ready": "", "acting": "acts now", "spent": "has acted", "lost": word("piece", "lost")}
BAR_DP = (64, 8)


class RosterScreen(ScreenPage):
    """A column for each player; a tap on a piece finds it on the table or corrects it."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(roster_title(app.service.snapshot), app.back)
        self.app = app
        self.title.font_name = FONTS["title"]
        self.correcting = False
        self._seen: object = None
        self.press = TouchButton("", self.toggle, name="correct-mode", size="small")
        self.press.size_hint_x, self.press.width = None, dp(190)
        self.back.parent.add_widget(self.press)
        self.remove_widget(self.middle)
        self.columns = BoxLayout(spacing=THEME.gap(), padding=(THEME.gap(), 0))
        self.add_widget(self.columns)
        self.bind(size=self.arrange)
        self.show(app.service.snapshot)

    def arrange(self, *_: Any) -> None:
        """In portrait the players are one under the other."""
        self.columns.orientation = "vertical" if self.height > self.width else "horizontal"

    def toggle(self) -> None:
        """A tap on a piece corrects it now, or finds it again."""
        self.correcting = not self.correcting
        self.show(self.app.service.snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, if it changes what the lists say."""
        key = (snapshot.path, snapshot.pieces, snapshot.seats, self.correcting)
        if key != self._seen:
            self.rebuild(partial(self._build, key, snapshot))

    def _build(self, key: object, snapshot: Snapshot) -> None:
        self._seen = key
        text = _("Tap a piece to correct") if self.correcting else _("Correct…")
        self.press.label.set_text(text)
        self.columns.clear_widgets()
        for seat in snapshot.seats:
            pieces = [one for one in snapshot.pieces if one.seat == seat.id]
            if pieces:
                self.columns.add_widget(self.army(seat, pieces))

    def army(self, seat: SeatView, pieces: Sequence[PieceView]) -> Widget:
        """One player's pieces."""
        box = BoxLayout(orientation="vertical", spacing=THEME.gap("small"))
        head = BoxLayout(size_hint_y=None, height=dp(58), spacing=THEME.gap())
        banner = SeatBanner()
        banner.set_seat(seat)
        words = BoxLayout(orientation="vertical")
        name = Text(_(seat.name), "title", bold=True, grow=False)
        name.font_name = FONTS["title"]
        words.add_widget(name)
        words.add_widget(Text(summary(pieces), "small", "soft", grow=False))
        head.add_widget(banner)
        head.add_widget(words)
        box.add_widget(head)
        rows = Rows()
        rows.fill([self.row(seat, one) for one in pieces])
        box.add_widget(rows)
        return box

    def row(self, seat: SeatView, piece: PieceView) -> OptionRow:
        """One piece: state, name, what is left."""
        signs = (" ★" if piece.leader else "") + (" ⚔" if piece.engaged else "")
        parts = [_(STATES[piece.state])] + [_(one.text) for one in piece.badges]
        parts.insert(1, _("engaged") if piece.engaged else "")
        edge = "" if piece.left is None else f"{piece.left}/{piece.most}"
        done = piece.state in ("spent", "lost")
        made = OptionRow(
            _(piece.name) + signs,
            partial(self.tapped, piece),
            " · ".join(part for part in parts if part) or _(word("piece", "ready")),
            edge,
            "check" if done else "ring",
            name=f"piece:{piece.id}",
        )
        if done:
            made.label.color = THEME.colour("faint")
        bar = RankBar(piece, seat)
        made.add_widget(bar)
        made.padding = (dp(44), dp(7), made.padding[2] + bar.width + dp(8), dp(7))

        def lay(*_: Any) -> None:
            bar.pos = (made.side.x - bar.width - dp(8), made.y + (made.height - bar.height) / 2)

        made.bind(pos=lay, size=lay)
        return made

    def tapped(self, piece: PieceView) -> None:
        """Find the piece on the table, or correct it."""
        if self.correcting:
            self.app.correct_piece(piece.id)
        else:
            self.app.service.choose(piece.id)
            self.app.go("table")


def summary(pieces: Sequence[PieceView]) -> str:
    """How many are ready and what is left of them."""
    ready = sum(one.state == "ready" for one in pieces)
    told = _("{ready} of {count} ready", ready=ready, count=len(pieces))
    counted = [one for one in pieces if one.left is not None and one.most is not None]
    if not counted:
        return told
    left = sum(one.left or 0 for one in counted)
    most = sum(one.most or 0 for one in counted)
    rest = _("{left} of {most} left", left=left, most=most)
    what = _(counted[0].counts)
    return f"{told} · {capital(what)}: {rest}" if what else f"{told} · {rest}"


class RankBar(Widget):
    """What is left of a piece, in segments."""

    def __init__(self, piece: PieceView, seat: SeatView) -> None:
        shown = piece.most is not None
        super().__init__(
            size_hint=(None, None), size=(dp(BAR_DP[0]) if shown else 0, dp(BAR_DP[1]))
        )
        self._parts: list[tuple[Rectangle, Rectangle, float]] = []
        count = max(1, min(piece.ranks[1] if piece.ranks else 1, 8)) if shown else 0
        share = (piece.left or 0) / max(piece.most or 1, 1) * count
        with self.canvas:
            for number in range(count):
                Color(*THEME.colour("line"))
                empty = Rectangle()
                Color(*THEME.colour(f"side-{seat_place(seat)}"))
                self._parts.append((empty, Rectangle(), min(max(share - number, 0.0), 1.0)))
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        gap = dp(3)
        count = max(len(self._parts), 1)
        wide = (self.width - gap * (count - 1)) / count
        for number, (empty, full, share) in enumerate(self._parts):
            x = self.x + number * (wide + gap)
            empty.pos = full.pos = (x, self.y)
            empty.size, full.size = (wide, self.height), (wide * share, self.height)
