"""The bar above every game screen: whose turn, the round, points, undo, camera and clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp, sp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.compositor import CachedLayer
from companion.app.render.theme import FONTS, SPARE, THEME, line_width, lines_needed
from companion.app.widgets.controls import LEAST_SP, Text, TouchButton
from companion.app.widgets.icon import IconButton, SeatSign
from companion.app.widgets.seat_widgets import TurnBanner, seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import CameraView, Sight, Snapshot
from companion.engine.turn.clock_view import running_side, times_shown
from companion.engine.turn.selection import asked_now
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import SeatScore
from models.message import word

SIGHTS: dict[Sight, tuple[str, str, str]] = {
    "off": ("map", word("camera", "map"), "warn"),
    "starting": ("camera", word("camera", "starting"), "soft"),
    "live": ("camera", word("camera", "live"), "good"),
    "held": ("camera", word("camera", "held"), "warn"),
    "lost": ("camera-off", word("camera", "lost"), "bad"),
}
"""Icon, text and colour of the camera's state."""
UNDO_LINES, CAMERA_DP = 2, 78
UNDO_SIGN = "↶"
"""Says Undo where its word leaves no room for the step."""
MOST_NAMED = 2
"""With more seats than these the score shows signs instead of names."""
MOST_LARGE, MOST_LARGE_ROOMY = 3, 4
"""With more seats than these signs and points are small."""
SECOND_LOWER_DP = 8
"""By so much the second row of a narrow bar is lower than the first."""
NARROW_DP = 760
"""An upright screen narrower than this has the bar in two rows."""
ROOMY_DP = 1120
"""From this width on players are named beside their points."""


BarShape = Literal["broad", "upright", "narrow"]
BANNER: dict[BarShape, float] = {"broad": 0.27, "upright": 0.26, "narrow": 0.36}
"""The share of the window that whose turn it is takes at most."""


def bar_shape(wide: float, high: float) -> BarShape:
    """How the bar is laid out in a window of this size."""
    if high <= wide:
        return "broad"
    return "narrow" if wide < dp(NARROW_DP) else "upright"


class GameBar(CachedLayer, BoxLayout):
    """One row, two on a narrow screen; taps are passed to `act`."""

    def __init__(self, act: Callable[[str], Any], shape: BarShape = "broad") -> None:
        narrow = shape == "narrow"
        high = max(dp(60), THEME.size("body") * 1.3 + THEME.size("small") * 1.3 + dp(12))
        lower = high - dp(SECOND_LOWER_DP) if narrow else 0.0
        super().__init__(
            "card", orientation="vertical", size_hint_y=None, height=high + lower + dp(3)
        )
        self.shape = shape
        self._shown: object = None
        first, second = BoxLayout(spacing=dp(6)), BoxLayout(spacing=dp(6))
        second.padding = (dp(6), dp(2))
        second.size_hint_y, second.height = None, lower
        first.padding = (dp(4), 0, dp(6), 0)
        self.menu = IconButton("menu", _("Menu"), lambda: act("menu"), "chip", False, name="menu")
        self.menu.size_hint, self.menu.width = (None, 1), dp(52)
        self.banner = TurnBanner()
        self.when = Cell({"broad": 1.2, "upright": 1.55, "narrow": 1.0}[shape])
        self.score = ScoreCell()
        self.clock = ClockCell(lambda: act("clock"))
        self.undo = TouchButton("", lambda: act("undo"), "quiet", name="undo", size="small")
        self.camera = CameraButton(lambda: act("camera"))
        self.undo.size_hint = (2.0, 1) if narrow else (1.4 if shape == "upright" else 1.15, 0.86)
        self.score.size_hint_x = 1.5 if shape == "broad" else 1.35
        self.undo.pos_hint = {"center_y": 0.5}
        self.undo.padding = (dp(6), dp(2))
        self._undo: tuple[str, ...] = ()
        """What the undo button may say, the fullest first."""
        self.undo.label.bind(width=self.name_undo)
        for one in (self.menu, self.banner, self.when, self.score):
            first.add_widget(one)
        for one in (self.clock, self.undo, self.camera):
            (second if narrow else first).add_widget(one)
        self.add_widget(first)
        if narrow:
            self.add_widget(second)
        rule = Widget(size_hint_y=None, height=dp(3))
        with rule.canvas:
            self._rule = Color(*THEME.colour("line"))
            self._drawn = Rectangle()
        rule.bind(pos=self._place, size=self._place)
        self.rule = rule
        self.add_widget(rule)

    def _place(self, *_: Any) -> None:
        self._drawn.pos, self._drawn.size = self.rule.pos, self.rule.size

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot; setting a colour or a place anew would redraw the window."""
        tabled = snapshot.view is None or snapshot.view.tabled
        text, seat = whose_turn(snapshot)
        undo = snapshot.undo
        first, rest = headline(snapshot)
        clock = times_shown(snapshot, 0.0), running_side(snapshot)
        said = (text, seat, undo, first, rest, tabled)
        key = (*said, scores(snapshot), snapshot.seats, clock, Window.width)
        if key == self._shown:
            return
        self._shown = key
        self.camera.opacity = 1 if tabled else 0
        self.camera.disabled = not tabled
        self.camera.width = dp(CAMERA_DP) if tabled else 0
        self.banner.say(text, seat, Window.width * BANNER[self.shape])
        self._rule.rgba = THEME.colour(f"side-{seat_place(seat)}" if seat is not None else "line")
        self.when.say(first, rest, decider(snapshot))
        self.score.show(snapshot, Window.width >= dp(ROOMY_DP))
        self.time(snapshot)
        nothing = (_("Nothing to undo"),)
        signed = (f"{UNDO_SIGN} {one}" for one in undo)
        self._undo = (*(_("Undo: {step}", step=one) for one in undo), *signed) or nothing
        self.name_undo()
        self.undo.opacity = 1 if undo else 0.4

    def name_undo(self, *_args: Any) -> None:
        """Name the step that Undo takes back, as fully as two lines can: a sentence that is cut may
        say something else."""
        if not self._undo:  # laid out before a game is shown
            return
        label, usual = self.undo.label, THEME.size("small")
        look, room = (label.font_name, bool(label.bold)), label.width * SPARE
        sizes = (usual, min(float(sp(LEAST_SP)), usual))
        texts = ((one, size) for one in self._undo for size in sizes)
        fits = (pair for pair in texts if lines_needed(*pair, *look, room) <= UNDO_LINES)
        told, label.font_size = next(fits, (_("Undo"), sizes[-1]))
        label.set_text(told)

    def time(self, snapshot: Snapshot, later_s: float = 0.0) -> None:
        """Show the clock, if there is one, at `later_s` seconds after the snapshot was taken."""
        times = times_shown(snapshot, later_s)
        self.clock.size_hint_x = 0.5 if times else 0.001
        told = [
            f"{THEME.mark(seat)} {time}" if seat else _("table {time}", time=time)
            for seat, time in times
        ]
        if times and not running_side(snapshot):
            told[1:] = [_("paused")]
        top, low, *_rest = (*told, "", "")
        self.clock.say(top, low)

    def look(self, live: CameraView) -> None:
        """Show the camera's state."""
        self.camera.set_state(*SIGHTS[live.sight])


def whose_turn(snapshot: Snapshot) -> tuple[str, SeatView | None]:
    """The text of the banner and the seat whose colour it has."""
    view, score = snapshot.view, snapshot.score
    if view is None:
        return _("Table Companion"), None
    if score is not None and score.winner:
        seat = snapshot.seat(score.winner)
        return (_("{side} wins", side=_(seat.name)), seat) if seat else (_("A draw"), None)
    asked = [one for one in (snapshot.seat(seat) for seat in view.active) if one is not None]
    if (turn := snapshot.seat(view.turn)) is not None:
        asked = [turn]  # whoever answers or rolls, the turn is one player's
    if len(asked) == 1:
        return _("{name}’s turn", name=_(asked[0].name)), asked[0]
    return (_("All players") if asked or snapshot.prompts else _("Table Companion")), None


def headline(snapshot: Snapshot) -> tuple[str, str]:
    """The two lines beside the banner; who decides in another's turn takes the second one."""
    first, _dot, rest = _(snapshot.view.headline if snapshot.view else "").partition(" · ")
    return first, task(snapshot) or rest


def decider(snapshot: Snapshot) -> SeatView | None:
    """The seat that must roll or decide now: in another player's turn, or for one of a team."""
    asked = asked_now(snapshot)
    seat = snapshot.seat(asked[0]) if asked is not None else None
    turn = snapshot.view.turn if snapshot.view is not None else ""
    if asked is None or seat is None or not turn or (seat.id == turn and not asked[1]):
        return None
    return seat


def task(snapshot: Snapshot) -> str:
    """Who must roll or decide now: in another player's turn, or one player of a team."""
    asked, seat = asked_now(snapshot), decider(snapshot)
    if asked is None or seat is None:
        return ""
    _seat, player, rolls = asked
    name = _(player or seat.name)
    told = _("{name} rolls", name=name) if rolls else _("{name} decides", name=name)
    return f"{THEME.mark_of(seat.colour)} {told}"


def scores(snapshot: Snapshot) -> tuple[SeatScore, ...]:
    """The points by seat."""
    return snapshot.score.seats if snapshot.score is not None else ()


class ScoreCell(BoxLayout):
    """Each seat's sign, its name where there is room, and its points; then the goal."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(6), size_hint_x=1.5)
        self._shown: object = None
        self._names: list[ScoreName] = []
        self._goal: Text | None = None
        self._gap = dp(6)
        self.bind(width=self._fit)

    def show(self, snapshot: Snapshot, roomy: bool) -> None:
        """Show the points of the newest snapshot."""
        found = scores(snapshot)
        key = (found, roomy, snapshot.seats)
        if key == self._shown:
            return
        self._shown = key
        self.clear_widgets()
        self._names.clear()
        self._goal = None
        crowded = len(found) > (MOST_LARGE_ROOMY if roomy else MOST_LARGE)
        self.spacing = self._gap = dp(2 if crowded else 6)
        self.add_widget(Widget())
        for number, one in enumerate(found):
            if number and len(found) == MOST_NAMED:
                self.add_text(":", "question", "soft", dp(12))
            seat = snapshot.seat(one.seat) or SeatView(
                one.seat, one.seat, THEME.place(one.seat) + 1
            )
            sign = SeatSign(seat_place(seat), 20 if crowded else 30, seat_mark(seat))
            sign.pos_hint = {"center_y": 0.5}
            name = _(seat.name) if roomy and len(found) <= MOST_NAMED else ""
            text = str(one.points)
            points = (text, "page", "text", max(dp(26), dp(18) * len(text)))
            if crowded:
                points = (text, "body", "text", dp(10) * max(2, len(text)) * THEME.text)
            if number and len(found) == MOST_NAMED:
                self.add_text(*points)
                self.add_widget(sign)
            else:
                self.add_widget(sign)
                self.add_text(*points)
            if name:
                self.label(name, number, sign)
        goal = next((one.goal for one in found if one.goal and not crowded), None)
        unit = next((one.unit for one in found if one.unit), "")
        told = _("of {goal}", goal=goal) if goal else _(unit) if unit and not crowded else ""
        if told:
            wide = dp(12) + len(told) * THEME.size("small") * 0.55
            self._goal = self.add_text(told, "small", "soft", wide)
        self.add_widget(Widget())
        self._fit()

    def _fit(self, *_: Any) -> None:
        """Lay the names in two lines, or leave them out, where they would push the goal under the
        next button, and the goal where it would push a sign over the edge."""
        goal = [] if self._goal is None else [self._goal]
        self.spacing = self._gap
        for one in (*self._names, *goal):
            one.opacity, one.width = 1, one.liked
        for fold in (False, True):
            for name in self._names:
                name.fold(fold)
            if self._fits():
                return
        for row in (self._names, goal):
            if self._fits():
                return
            for one in row:
                one.opacity, one.width = 0, 0
        if not self._fits():
            self.spacing = dp(2)

    def _fits(self) -> bool:
        """Whether all parts have room."""
        fixed = [one.width for one in self.children if one.size_hint_x is None]
        return bool(sum(fixed) + self.spacing * (len(self.children) - 1) <= self.width)

    def add_text(self, text: str, size: str, colour: str, wide: float) -> Text:
        """Add a text of this width."""
        one = Text(text, size, colour, bold=size != "small", align="center", grow=False)
        one.size_hint_x, one.width = None, wide
        one.liked = wide
        self.add_widget(one)
        return one

    def label(self, name: str, number: int, sign: SeatSign) -> None:
        """Add the name of a player beside the sign."""
        one = ScoreName(name)
        self._names.append(one)
        place = self.children.index(sign)
        self.add_widget(one, index=place if not number else place + 1)


class ScoreName(Text):
    """The name of a player beside the points; those of a team take two lines where it is narrow."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "small", "text", bold=True, align="center", grow=False, shorten=True)
        self.size_hint_x, self.told = None, name
        self.liked = self.width = min(dp(110), dp(8) + self._wide(name))

    def _wide(self, text: str) -> float:
        return len(text) * THEME.size("small") * 0.58

    def fold(self, folded: bool) -> None:
        """Lay it in two lines, as evenly as its words allow, or in one."""
        words = self.told.split()
        lines = [
            (" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)) if folded
        ]
        if not lines:
            self.shorten, self.width = True, self.liked
            self.set_text(self.told)
            return
        self.shorten = False
        found = min(lines, key=lambda pair: max(map(self._wide, pair)))
        self.width = min(dp(110), dp(8) + max(map(self._wide, found)))
        self.set_text("\n".join(found))


class CameraButton(IconButton):
    """The camera's state as an icon and a word."""

    def __init__(self, act: Callable[[], Any]) -> None:
        super().__init__("camera", " ", act, "chip", name="camera")
        self.size_hint, self.width = (None, 1), dp(CAMERA_DP)

    def set_state(self, icon: str, text: str, colour: str) -> None:
        """Show another state."""
        self.icon.set_icon(icon, colour)
        self.label.set_text(_(text), colour)


class Cell(BoxLayout):
    """Two lines of text, the first larger."""

    def __init__(self, wide: float, align: str = "left") -> None:
        super().__init__(orientation="vertical", size_hint_x=wide, padding=(dp(4), dp(6)))
        self.upper = Text("", "small", "soft", align=align, grow=False, shorten=True)
        self.lower = Text("", "small", "soft", align=align, grow=False, shorten=True)
        for one in (self.upper, self.lower):
            one.shorten_from = "right"
            self.add_widget(one)
        self._told: tuple[str, str, SeatView | None] = ("", "", None)
        self.upper.bind(width=lambda *_: self.say(*self._told))

    def say(self, top: str, low: str, seat: SeatView | None = None) -> None:
        """Show these texts; one that is too long for its line takes the other one, too, or narrow
        letters. The lower one is about a `seat`: it has its colour and is always whole."""
        self._told = (top, low, seat)
        self.lower.color = THEME.colour("soft" if seat is None else f"side-{seat_place(seat)}")
        if seat is not None and not self._fits(low, "narrow"):
            top, _space, low = low.rpartition(" ")
        elif not low and not self._fits(top):
            top, _space, low = top.rpartition(" ") if " " in top else (top, "", "")
        for one, told in ((self.upper, top), (self.lower, low)):
            one.font_name = FONTS["text" if self._fits(told) else "narrow"]
            one.set_text(told)

    def _fits(self, line: str, face: str = "text") -> bool:
        """Whether a line has room in these letters."""
        wide = line_width(line, THEME.size("small"), FONTS[face], bool(self.upper.bold))
        return wide <= self.upper.width * SPARE


class ClockCell(ButtonBehavior, Cell):
    """The clock, which opens its modal when tapped."""

    def __init__(self, act: Callable[[], Any]) -> None:
        super().__init__(wide=0.5, align="center")
        self.name, self.act = "clock-face", act

    def on_release(self) -> None:
        """Open the clock's modal."""
        self.act()
