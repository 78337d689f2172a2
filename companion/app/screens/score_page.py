"""The score from the game's records: who holds what and why; each line can be corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import FONTS, THEME
from companion.app.screens.game_page import choice_rows, kept_form
from companion.app.turn.option_row import OptionRow
from companion.app.turn.page_turn import PageTurn
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.icon import SeatSign
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.score_chart import ScoreChart, ScoreMap
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.files.game_library import about
from companion.engine.snapshot import Snapshot
from companion.engine.turn.turn_records import FormView, ScoreLineView, ScorePageView, SeatScoreView

SIGN_DP = 34
LEAST_DP = 82
"""The least height of the boxes with the points."""
BESIDE = 2
"""So many boxes stand side by side: more would be too narrow for their words."""


class ScorePage(ScreenPage):
    """The map with who holds what, the points and their reasons, and the button that takes them."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Score"), app.back)
        self.app, self.turn = app, PageTurn(app)
        self.title.font_name = FONTS["title"]
        self._seen: object = None
        self._counted: object = None
        """The step for which the points were counted."""
        self.map = ScoreMap()
        self.remove_widget(self.middle)
        self.body = BoxLayout(
            spacing=THEME.gap(), padding=(THEME.gap(), 0, THEME.gap(), THEME.gap())
        )
        self.side = BoxLayout(orientation="vertical", spacing=THEME.gap("small"))
        self.list = Rows()
        self.foot = BoxLayout(
            orientation="vertical", size_hint_y=None, spacing=THEME.gap("small"), height=0
        )
        self.foot.bind(minimum_height=self.foot.setter("height"))
        self.side.add_widget(self.list)
        self.side.add_widget(self.foot)
        self.add_widget(self.body)
        self.bind(size=self.arrange)
        app.service.recount()
        self.show(app.service.snapshot)

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.body.orientation = "vertical" if tall else "horizontal"
        self.map.size_hint = (1, 0.7) if tall else (0.92, 1)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, if it changes what the page says."""
        step = (snapshot.path, snapshot.step)
        if self._counted not in (None, step):
            self.app.service.recount()
        self._counted = step
        self.turn.see(snapshot)
        score = self.turn.score_page()
        key = (snapshot.path, score, snapshot.scores, snapshot.seats)
        if score is not None and key != self._seen:
            self.rebuild(partial(self._build, key, score, snapshot))
        elif score is not None:
            self.beside(snapshot, score)

    def _build(self, key: object, score: ScorePageView, snapshot: Snapshot) -> None:
        self._seen = key
        self.beside(snapshot, score)
        self.title.set_text(_("End of the round") if score.confirm is not None else _("Score"))
        self.list.fill(self.lines(snapshot, score))
        self.foot.clear_widgets()
        if score.confirm is not None:
            self.foot.add_widget(
                TouchButton(
                    score.confirm.text,
                    partial(self.turn.act, score.confirm.tap),
                    "primary",
                    score.confirm.detail,
                    name="confirm-score",
                )
            )
        elif score.winner:
            self.foot.add_widget(
                TouchButton(
                    _("Report, replay, export"), self.look_back, "primary", name="look-back"
                )
            )

    def beside(self, snapshot: Snapshot, score: ScorePageView) -> None:
        """The map beside the lines, where there is a table: its place is kept until it is drawn."""
        board, table = snapshot.board, snapshot.table
        wanted = [self.map, self.side] if table is not None else [self.side]
        if [*reversed(self.body.children)] != wanted:
            self.body.clear_widgets()
            for one in wanted:
                self.body.add_widget(one)
        if board is not None and table is not None:
            holders = [(one.piece, snapshot.seat(one.seat)) for one in score.lines if one.piece]
            self.map.show(snapshot, holders)

    def lines(self, snapshot: Snapshot, score: ScorePageView) -> list[Widget]:
        """The points by seat, the reasons, and the score by round."""
        found: list[Widget] = []
        if score.winner:
            title = Text(score.won, "page", "text", bold=True, align="center")
            title.font_name = FONTS["title"]
            found += [title, Text(score.how, colour="soft", align="center")]
        if score.confirm is not None:
            shows = _("This is what the table shows.")
            if any(one.choices for one in score.lines):
                shows = _("This is what the table shows. Tap a line to correct it.")
            found.append(Text(shows, "body", "soft"))
        found += seat_rows(snapshot, score.seats, self.set_points)
        if any(one.form is not None for one in score.seats):
            found.append(Text(_("Tap a player's points to set them right."), "small", "soft"))
        found += [self.line(snapshot, number, one) for number, one in enumerate(score.lines)]
        if score.confirm is not None and not score.lines:
            found.append(Text(_("No points this round."), colour="soft"))
        if score.terms:
            found.append(heading(score.terms_title.upper()))
            found += [Text(one, "body") for one in score.terms]
        if snapshot.scores:
            found.append(heading(_("Score by round").upper()))
            card = CardBox()
            goal = next((one.goal for one in score.seats if one.goal), None)
            card.add_widget(ScoreChart(snapshot.scores, [one.seat for one in score.seats], goal))
            found.append(card)
        return found

    def line(self, snapshot: Snapshot, number: int, line: ScoreLineView) -> Widget:
        """One reason for points; a tap corrects it."""
        row = OptionRow(
            line.text,
            partial(self.correct, line) if line.choices else None,
            line.detail if line.sure else _("too close to call"),
            f"{line.points:+d}" if line.points else "0",
            "ring",
            name=f"line:{number}",
        )
        seat = snapshot.seat(line.seat)
        if seat is not None:
            sign = SeatSign(seat_place(seat), SIGN_DP, seat_mark(seat))
            row.add_widget(sign)
            row.padding = (dp(56), dp(7), row.padding[2], dp(7))

            def lay(*_: Any) -> None:
                sign.pos = (row.x + dp(11), row.y + (row.height - sign.height) / 2)

            row.bind(pos=lay, size=lay)
        return row

    def correct(self, line: ScoreLineView) -> None:
        """What can be done about a line."""
        self.app.open_sheet(line.text, choice_rows(line.choices, self.turn.act))

    def set_points(self, form: FormView) -> None:
        """Let players set the points of a seat right."""
        self.app.open_sheet(_("Score"), [kept_form(self.app, self.turn, form)])

    def look_back(self) -> None:
        """Open the finished game as a past game."""
        self.app.past(about(Path(self.app.service.snapshot.path)))


def seat_rows(
    snapshot: Snapshot, scores: Sequence[SeatScoreView], act: Callable[[FormView], Any]
) -> list[SeatBoxes]:
    """The points of all seats, in rows."""
    starts = range(0, len(scores), BESIDE)
    return [SeatBoxes(snapshot, scores[start : start + BESIDE], act) for start in starts]


class SeatBoxes(BoxLayout):
    """The boxes of some seats side by side, as high as the highest needs."""

    def __init__(
        self, snapshot: Snapshot, scores: Sequence[SeatScoreView], act: Callable[[FormView], Any]
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(LEAST_DP), spacing=THEME.gap("small"))
        for one in scores:
            box = SeatBox(snapshot, one, act)
            box.bind(minimum_height=self._rise)
            self.add_widget(box)

    def _rise(self, *_: Any) -> None:
        self.height = max(dp(LEAST_DP), *(one.minimum_height for one in self.children))


class SeatBox(ButtonBehavior, CardBox):
    """A seat's points, on its colour; a tap sets them right."""

    def __init__(
        self, snapshot: Snapshot, score: SeatScoreView, act: Callable[[FormView], Any]
    ) -> None:
        seat = snapshot.seat(score.seat)
        role = f"fill-{seat_place(seat)}" if seat is not None else "raised"
        super().__init__(role=role, orientation="horizontal", size_hint_y=1)
        self.name, self.form, self.act = f"points:{score.seat}", score.form, act
        white = (1.0, 1.0, 1.0, 1.0)
        if seat is not None:
            sign = SeatSign(seat_place(seat), 38, seat_mark(seat))
            sign.pos_hint = {"center_y": 0.5}
            self.add_widget(sign)
        words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        words.bind(minimum_height=words.setter("height"))
        name = _(seat.name) if seat is not None else score.seat
        words.add_widget(Text(name, "large", white, bold=True))
        goal = _("of {goal}", goal=score.goal) if score.goal else ""
        under = score.detail or " ".join(part for part in (goal, score.unit) if part)
        if under:
            words.add_widget(Text(under, "small", white))
        self.add_widget(words)
        points = Text(str(score.points), "page", white, bold=True, align="right", grow=False)
        points.size_hint_x, points.width = None, dp(22) * max(2, len(str(score.points)))
        self.add_widget(points)

    def on_release(self) -> None:
        """Let the players set the points right."""
        if self.form is not None:
            self.act(self.form)
