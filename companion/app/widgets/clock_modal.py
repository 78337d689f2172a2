"""The modal with the players' clock: minutes for each side, start, pause, remove."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid, row
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot

STEP_MIN = 5
USUAL_MIN = 60


class ClockModal(BoxLayout):
    """Shows the clock; every change is a command and so a step of the game's log."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app = app
        self.build(app.service.snapshot)

    def build(self, snapshot: Snapshot) -> None:
        """Build a card per side, then the buttons."""
        clock: dict[str, Any] = dict(snapshot.state.get("clock") or {})
        running = bool(clock.get("running"))
        self.clear_widgets()
        for side in snapshot.state.get("vp") or {}:
            self.add_widget(self.side(side, dict(clock.get("sides", {}).get(side, {}))))
        word = _("Pause the clock") if running else _("Start the clock")
        act = {"do": "clock", "action": "pause" if running else "start"}
        keys = [TouchButton(word, partial(self.do, act), "primary", name="clock-run")]
        if clock:
            away = {"do": "clock", "action": "off"}
            keys.append(
                TouchButton(_("Put the clock away"), partial(self.do, away), name="clock-off")
            )
        self.add_widget(grid(keys, len(keys)))

    def side(self, side: str, spent: dict[str, Any]) -> CardBox:
        """A side's time, with buttons for five minutes more or less."""
        card = CardBox(rim=f"side-{THEME.place(side)}")
        shown = clock_face(spent.get("left", spent.get("used", 0.0))) if spent else "–"
        name = f"{THEME.mark(side)} {_(side)}"
        card.add_widget(Text(name, "body", THEME.side(side), bold=True))
        has = "left" in spent
        more = {"do": "clock", "action": "add", "side": side}
        less = partial(self.do, {**more, "seconds": -60 * STEP_MIN})
        plus = partial(self.do, {**more, "seconds": 60 * STEP_MIN})
        first = {"do": "clock", "action": "set", "side": side, "minutes": USUAL_MIN}
        if not has:
            plus = partial(self.do, first)
        plus_word = "+" * has + _("{n} min", n=STEP_MIN if has else USUAL_MIN)
        keys = (
            [TouchButton("−" + _("{n} min", n=STEP_MIN), less, name=f"clock-:{side}")]
            if has
            else []
        )
        keys.append(TouchButton(plus_word, plus, name=f"clock+:{side}"))
        card.add_widget(row(Text(shown, "title", bold=True, align="center"), *keys))
        return card

    def do(self, command: dict[str, Any]) -> None:
        """Send a command and show its result."""
        self.app.service.do(command)
        self.app.service.ask(self.refresh)

    def refresh(self) -> None:
        """Show the newest state; may be called on any thread."""
        Clock.schedule_once(lambda _: self.build(self.app.service.snapshot))


def clock_face(seconds: float) -> str:
    """A time as minutes and seconds; negative when overdrawn."""
    whole = int(seconds)
    sign = "-" if whole < 0 else ""
    return f"{sign}{abs(whole) // 60}:{abs(whole) % 60:02d}"
