"""The bar above every game screen: round, phase, turn, points, clock, tests, undo, camera."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.app.engine.app_words import _
from companion.app.engine.snapshot import CameraView, Snapshot
from companion.app.render.cached_layer import CachedLayer
from companion.app.render.theme import SKIN
from companion.app.widgets.clock_modal import clock_face
from companion.app.widgets.controls import Text, TouchButton, signed

SIGHTS = {
    "off": ("○", "no camera", "soft"),
    "starting": ("◌", "camera starts", "soft"),
    "live": ("●", "live", "good"),
    "held": ("◐", "held", "warn"),
    "lost": ("✕", "lost", "bad"),
}
"""Symbol, text and colour of the camera's state."""


class GameBar(CachedLayer, BoxLayout):
    """One row in landscape, two in portrait; taps are passed to `act`."""

    def __init__(self, act: Callable[[str], Any], narrow: bool = False) -> None:
        rows = 2 if narrow else 1
        high = max(dp(58), SKIN.size("body") * 1.3 + SKIN.size("small") * 1.3 + dp(14))
        super().__init__(
            "panel", orientation="vertical", size_hint_y=None, height=rows * high, spacing=dp(2)
        )
        self._narrow = narrow
        first, second = BoxLayout(spacing=dp(4)), BoxLayout(spacing=dp(4))
        for line in (first, second):
            line.padding = (dp(6), dp(4))
        self.menu = TouchButton("≡", lambda: act("menu"), "bare", size="title", name="menu")
        self.menu.size_hint = (None, 1)
        self.menu.width = dp(52)
        self.when = Cell(1.25)
        self.turn = Cell(1.15)
        self.score = Cell(0.9, "center")
        self.clock = ClockCell(lambda: act("clock"))
        self.tests = TouchButton("", lambda: act("tests"), "plain", name="tests", size="small")
        self.undo = TouchButton("", lambda: act("undo"), "plain", name="undo", size="small")
        self.camera = TouchButton("", lambda: act("camera"), "bare", name="camera", size="small")
        for press, wide in ((self.tests, 0.75), (self.undo, 1.35), (self.camera, 0.85)):
            press.size_hint = (wide, 1)
            press.padding = (dp(6), dp(2))
            press.label.shorten = True
            press.label.shorten_from = "right"
            press.label.max_lines = 2
        for one in (self.menu, self.when, self.turn, self.score):
            first.add_widget(one)
        for one in (self.clock, self.tests, self.undo, self.camera):
            (second if narrow else first).add_widget(one)
        self.add_widget(first)
        if narrow:
            self.add_widget(second)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        state = snapshot.state
        phase = str(state.get("phase") or "")
        step = _(str(state.get("step_say") or ""))
        self.when.say(_("Round {round}", round=state.get("round", 0)) + f" · {_(phase)}", step)
        side = (snapshot.pending or {}).get("side") or state.get("active")
        first = state.get("first")
        told = _("first player: {side}", side=_(first)) if first else ""
        who = f"{SKIN.mark(side)} {_(side)}" if side else _("both players")
        self.turn.say(who, told, SKIN.side(side))
        vp, goal = state.get("vp") or {}, state.get("goal")
        points = "  :  ".join(
            f"[color={hexed(SKIN.side(side))}]{signed(SKIN.mark(side))} {count}[/color]"
            for side, count in vp.items()
        )
        self.score.say(points, _("of {goal} VP", goal=goal) if goal else _("VP"), raw=True)
        self.time(snapshot)
        tests = state.get("panic") or ()
        units = ", ".join(str(one["unit"]) for one in tests)
        self.tests.label.put(_("{count} panic: {units}", count=len(tests), units=units))
        self.tests.opacity, self.tests.disabled = (1, False) if tests else (0, True)
        undo = state.get("undo")
        self.undo.label.put(f"↶ {undo}" if undo else "↶")
        self.undo.opacity = 1 if undo else 0.4

    def time(self, snapshot: Snapshot, later_s: float = 0.0) -> None:
        """Show the clock, if there is one, at `later_s` seconds after the snapshot was taken."""
        clock = snapshot.state.get("clock")
        if not clock:
            self.clock.say("", "")
            return
        told = []
        for side, spent in clock["sides"].items():
            more = later_s if clock["running"] and clock["side"] == side else 0.0
            seconds = spent["left"] - more if "left" in spent else spent["used"] + more
            told.append(f"{SKIN.mark(side)} {clock_face(seconds)}")
        paused = "" if clock["running"] else " ‖"
        self.clock.say(told[0] + paused, told[1] if len(told) > 1 else "")

    def look(self, live: CameraView) -> None:
        """Show the camera's state."""
        sign, word, colour = SIGHTS[live.sight]
        self.camera.label.put(f"{sign} {_(word)}")
        self.camera.label.color = SKIN.colour(colour)


class Cell(BoxLayout):
    """Two lines of text, the first larger."""

    def __init__(self, wide: float, align: str = "left") -> None:
        super().__init__(orientation="vertical", size_hint_x=wide, padding=(dp(4), dp(2)))
        self.upper = Text("", "body", bold=True, align=align, grow=False, shorten=True)
        self.lower = Text("", "small", "soft", align=align, grow=False, shorten=True)
        for one in (self.upper, self.lower):
            one.shorten_from = "right"
            self.add_widget(one)

    def say(
        self,
        top: str,
        low: str,
        colour: tuple[float, float, float, float] | None = None,
        raw: bool = False,
    ) -> None:
        """Show these texts."""
        self.upper.text = top if raw else signed(top)
        self.lower.put(low)
        self.upper.color = colour or SKIN.colour("text")
        self.upper.font_size = SKIN.size("large" if raw else "body")


class ClockCell(ButtonBehavior, Cell):
    """The clock, which opens its modal when tapped."""

    def __init__(self, act: Callable[[], Any]) -> None:
        super().__init__(wide=0.7, align="center")
        self.name, self.act = "clock-face", act

    def on_release(self) -> None:
        """Open the clock's modal."""
        self.act()


def hexed(colour: tuple[float, float, float, float]) -> str:
    """A colour as a hex code for markup."""
    return "".join(f"{round(part * 255):02x}" for part in colour[:3])
