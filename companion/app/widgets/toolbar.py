"""The toolbar below the views: choice of view, choice of tool, zoom and turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.engine.app_words import _
from companion.app.render.cached_layer import CachedLayer
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import TouchButton

VIEWS = ("picture", "map", "both")
Pressed = Callable[[str], Any]


class Toolbar(CachedLayer, AnchorLayout):
    """Shows the tools; rebuilt when another tool or view is chosen."""

    def __init__(self, view: Pressed, tool: Pressed, act: Pressed) -> None:
        super().__init__("back", size_hint_y=None, height=SKIN.target + dp(8))
        self._view, self._tool, self._act = view, tool, act

    def show(self, view: str, tool: str, practice: bool, turns: bool, room: float) -> None:
        """Show the current view and tool; only on the practice table can trays be moved."""
        line = BoxLayout(size_hint=(None, None), height=SKIN.target, spacing=dp(4))
        names = {"picture": _("Picture"), "map": _("Map"), "both": _("Both")}
        for one in VIEWS:
            line.add_widget(self._choice(names[one], self._view, f"view:{one}", one == view))
        names = {"select": _("Tap"), "measure": _("Measure"), "hand": _("Move")}
        for one in ("select", "measure", "hand") if practice else ("select", "measure"):
            line.add_widget(self._choice(names[one], self._tool, f"tool:{one}", one == tool))
        acts = [("−", "zoom-out"), ("+", "zoom-in"), ("⟳", "turn")]
        if turns:
            acts = [("↶15°", "left"), ("↷15°", "right"), *acts]
        for text, act in acts:
            line.add_widget(TouchButton(text, partial(self._act, act), name=f"tool:{act}"))
        for press in line.children:
            press.padding = (dp(4), dp(2))
            press.size_hint_x = None
            press.width = max(SKIN.target, dp(14) + len(press.text) * SKIN.size("small") * 0.62)
        line.width = sum(press.width + dp(4) for press in line.children)
        room -= dp(16)
        if line.width > room > 0:
            for press in line.children:
                press.width *= room / line.width
            line.width = room
        self.clear_widgets()
        self.add_widget(line)

    def _choice(self, text: str, chosen: Pressed, name: str, taken: bool) -> TouchButton:
        act = partial(chosen, name.split(":")[1])
        return TouchButton(text, act, "primary" if taken else "plain", size="small", name=name)
