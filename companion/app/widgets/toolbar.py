"""The tools of the table, in a rail over it or in a row under it: choice of view, tools, zoom, and
the buttons that pan a zoomed view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import TARGET_DP, THEME
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.icon import IconButton, small_words
from companion.engine.app_words import _
from models.message import word

SIDES: dict[str, tuple[str, tuple[int, int], dict[str, float]]] = {
    "left": ("←", (-1, 0), {"x": 0.01, "center_y": 0.5}),
    "right": ("→", (1, 0), {"right": 0.99, "center_y": 0.5}),
    "up": ("↑", (0, 1), {"center_x": 0.5, "top": 0.9}),
    "down": ("↓", (0, -1), {"center_x": 0.5, "y": 0.1}),
}
"""Symbol of each direction, the direction (right, up), and the place of its button."""


class PanButtons(FloatLayout):
    """Buttons that call `push` with the direction."""

    def __init__(self, push: Callable[[int, int], Any], **more: Any) -> None:
        super().__init__(**more)
        for side, (sign, way, spot) in SIDES.items():
            press = TouchButton(sign, partial(push, *way), name=f"push:{side}")
            press.size_hint, press.size = (None, None), (THEME.target, THEME.target)
            press.pos_hint = spot
            self.add_widget(press)


Pressed = Callable[[str], Any]
ICONS = {
    "view:picture": "picture",
    "view:map": "map",
    "tool:measure": "ruler",
    "tool:hand": "hand",
    "tool:fit": "fit",
    "tool:turn": "turn",
    "tool:zoom-in": "plus",
    "tool:zoom-out": "minus",
    "tool:more": "grid",
}
WIDE_DP, HIGH_DP, GAP_DP = 72, 56, 6
MOST_KEYS = 5
"""So many keys are in a column."""
SMALL_DP = 58
ROOM_DP = 480
"""A lower stage than this gets the narrow rail."""
LOWEST_DP = 44
"""Keys are lower where the rail would leave the stage, down to this."""
ROW_DP = 48
"""The height of the keys in a row without words."""


class ToolRail(BoxLayout):
    """Picture, Map, Measure, Move and More in one column; More opens a second one, or in a row the
    rest in place of the first."""

    def __init__(self, view: Pressed, tool: Pressed, act: Pressed, more: bool = False) -> None:
        super().__init__(size_hint=(None, None), spacing=dp(GAP_DP))
        self._view, self._tool, self._act = view, tool, act
        self.more = more
        self.flat = False
        """Whether they lie in a row, as upright."""
        self._shown: tuple[Any, ...] = ()
        self._built: tuple[Any, ...] = ()

    def show(
        self, view: str, tool: str, movable: bool, turns: bool, sees: bool, room: float
    ) -> None:
        """Show the current view and tool in the stage's height, or a row's width; what cannot be
        used now keeps its place: without a camera there is no picture."""
        self._shown = (view, tool, movable, turns, sees, room)
        narrow = self.flat or room < dp(ROOM_DP)
        low = max(dp(LOWEST_DP), min(dp(HIGH_DP), (room - dp(2 * 8)) / MOST_KEYS - dp(GAP_DP)))
        built = (
            view,
            tool,
            movable,
            turns,
            sees,
            narrow,
            low,
            self.more,
            room if self.flat else None,  # in a row of pages it is 0, which is not False
            small_words(),
        )
        if built == self._built:
            return  # a new layout asks several times, and ten keys take longer than the rest of it
        self._built = built
        self.clear_widgets()
        first: list[Widget] = []
        for name, text in (("picture", _("Picture")), ("map", _("Map"))):
            press, ready = partial(self._view, name), sees or name == "map"
            first.append(self.key(text, press, f"view:{name}", name == view, ready))
        for name, text in (("measure", _("Measure")), ("hand", _(word("map", "Move")))):
            ready = movable or name != "hand"
            act = partial(self._tool, "select" if tool == name else name)
            first.append(self.key(text, act, f"tool:{name}", name == tool, ready))
        more = self.key(_("More"), self.toggle, "tool:more", self.more)
        columns, second = [[*first, more]], list[Widget]()
        if self.more:
            both = partial(self._view, "both")
            second = [self.key(_("Both"), both, "view:both", view == "both", sees)]
            acts = [
                (_("Closer"), "zoom-in"),
                (_("Wider"), "zoom-out"),
                (_("Turn"), "turn"),
                (_("Fit"), "fit"),
            ]
            if turns:
                acts = [("↶15°", "left"), ("↷15°", "right"), *acts[:2]]
            for text, name in acts:
                second.append(self.key(text, partial(self._act, name), f"tool:{name}", False))
            columns.append(second)
        self.size_hint = (1.0 if self.flat else None, None)
        if self.flat:
            self.padding = (dp(10), dp(GAP_DP), dp(10), 0)
            self.height = self.row_high
            fit = room > (len(first) + len(second) + 1) * dp(TARGET_DP + GAP_DP)
            for one in [*(first if fit or not self.more else ()), *second, more]:
                self.add_widget(one)
            return
        self.padding = (0, 0, 0, 0)
        for keys in columns:
            column = BoxLayout(orientation="vertical", spacing=dp(GAP_DP))
            for one in keys:
                column.add_widget(one)
            self.add_widget(column)
        count = max(map(len, columns))
        wide = dp(WIDE_DP) * min(1.0, max(0.72, THEME.text))
        if narrow:
            wide = dp(SMALL_DP)
        self.size = (
            len(columns) * (wide + dp(GAP_DP)) - dp(GAP_DP),
            count * (low + dp(GAP_DP)) - dp(GAP_DP),
        )

    @property
    def row_high(self) -> float:
        """How high they are in a row."""
        return float(dp((HIGH_DP if small_words() else ROW_DP) + GAP_DP))

    def toggle(self) -> None:
        """Show or hide the second column."""
        self.more = not self.more
        self._act("more")
        self.show(*self._shown)

    def key(
        self, text: str, act: Callable[[], Any], name: str, on: bool, ready: bool = True
    ) -> TouchButton:
        """One tool; the one in use is inverted."""
        if name in ICONS:
            found = IconButton(
                ICONS[name],
                text,
                act if ready else None,
                "ink" if on else "chip",
                small_words(),
                ready,
                name=name,
            )
            found.size_hint = (1, 1)
            return found
        press = TouchButton(
            text,
            act if ready else None,
            "ink" if on else "chip",
            size="small",
            ready=ready,
            name=name,
        )
        press.size_hint = (1, 1)
        press.padding = (dp(3), dp(2))
        return press
