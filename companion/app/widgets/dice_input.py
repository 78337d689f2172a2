"""Entering dice by touch: tap the faces that were rolled, or let the app roll."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import Color, Ellipse, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import row

PIPS = {
    1: ((0.5, 0.5),),
    2: ((0.27, 0.73), (0.73, 0.27)),
    3: ((0.27, 0.73), (0.5, 0.5), (0.73, 0.27)),
    4: ((0.27, 0.73), (0.73, 0.73), (0.27, 0.27), (0.73, 0.27)),
    5: ((0.27, 0.73), (0.73, 0.73), (0.5, 0.5), (0.27, 0.27), (0.73, 0.27)),
    6: ((0.27, 0.76), (0.73, 0.76), (0.27, 0.5), (0.73, 0.5), (0.27, 0.24), (0.73, 0.24)),
}
"""The positions of the pips on each face."""


DIE_EDGE = (0.42, 0.39, 0.33, 1.0)
"""The outline of a die: it is cream, and so may be the ground."""


class Die(ButtonBehavior, Widget):
    """A button drawn as one face of a die."""

    def __init__(
        self, face: int, act: Callable[[], Any] | None, side_dp: float = 52, dim: bool = False
    ) -> None:
        super().__init__(size_hint=(None, None), size=(dp(side_dp), dp(side_dp)))
        self.face, self._act = face, act
        self.name = f"die:{face}"
        with self.canvas:
            Color(*(SKIN.colour("line") if dim else (0.97, 0.95, 0.9, 1)))
            self._body = RoundedRectangle(radius=[dp(9)])
            Color(*DIE_EDGE)
            self._rim = Line(width=dp(1.2))
            Color(0.1, 0.1, 0.12, 1)
            self._pips = [Ellipse() for _ in PIPS[face]]
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        inner = dp(3)
        side = min(self.width, self.height) - 2 * inner
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        self._body.pos, self._body.size = (left, low), (side, side)
        self._rim.rounded_rectangle = (left, low, side, side, dp(9))
        wide = side * 0.19
        for pip, (x, y) in zip(self._pips, PIPS[self.face], strict=True):
            pip.pos = (left + x * side - wide / 2, low + y * side - wide / 2)
            pip.size = (wide, wide)

    def on_release(self) -> None:
        """Call the die's action."""
        if self._act is not None:
            self._act()


class DiceInput(BoxLayout):
    """So many dice to be entered; `done` gets the faces, or None where the app shall roll.

    With a D3 the players may enter it too: it comes last. Else the button says that the app rolls
    it.
    """

    def __init__(
        self,
        count: int,
        done: Callable[[list[int] | None], Any],
        faces: int = 6,
        with_d3: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", spacing=SKIN.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.count, self.done, self.faces = count, done, faces
        self.rolled: list[int] = []
        self.d3: int | None = None
        self.with_d3 = with_d3
        self.small: Widget | None = None
        self.keys = BoxLayout(size_hint_y=None, height=dp(54), spacing=dp(2))
        for face in range(1, faces + 1):
            key = Die(face, partial(self.add, face))
            key.size_hint_x = 1
            self.keys.add_widget(key)
        self.shown = StackLayout(spacing=dp(2), size_hint_y=None, height=0)
        self.shown.bind(minimum_height=self.shown.setter("height"))
        self.hint = Text("", "small", "soft")
        self.use = TouchButton("", self.finish, "primary", name="use-dice")
        self.roll = TouchButton(
            _("Let the app roll"), lambda: done(None), "primary", name="app-rolls"
        )
        for one in (self.roll, Text(_("or tap what you rolled"), "small", "soft", align="center")):
            self.add_widget(one)
        self.add_widget(self.keys)
        self.add_widget(self.hint)
        self.add_widget(self.shown)
        self.refresh()

    def add(self, face: int) -> None:
        """Add a die."""
        if len(self.rolled) < self.count:
            self.rolled.append(face)
            self.refresh()

    def drop(self, place: int) -> None:
        """Remove a die."""
        del self.rolled[place]
        self.refresh()

    def put_d3(self, face: int) -> None:
        """The D3 shows that, or after all nobody rolled it."""
        self.d3 = None if self.d3 == face else face
        self.refresh()

    def finish(self) -> None:
        """Report the faces."""
        if len(self.rolled) == self.count:
            self.done([*self.rolled, *([] if self.d3 is None else [self.d3])])

    def refresh(self) -> None:
        """Show what has been entered."""
        self.shown.clear_widgets()
        for place, face in enumerate(self.rolled):
            self.shown.add_widget(Die(face, partial(self.drop, place), 48))
        left = self.count - len(self.rolled)
        self.hint.put(
            _("{left} of {count} dice left", left=left, count=self.count)
            if left
            else _("tap a die to take it back")
        )
        for one in (self.small, self.use):
            if one is not None and one.parent is not None:
                self.remove_widget(one)
        if left:
            return
        app_rolls = self.with_d3 and self.d3 is None
        self.use.label.put(
            _("Use these dice; the app rolls the D3") if app_rolls else _("Use these dice")
        )
        if self.with_d3:
            self.small = row(*(self.d3_press(face) for face in (1, 2, 3)))
            self.add_widget(self.small)
        self.add_widget(self.use)

    def d3_press(self, face: int) -> TouchButton:
        """A face of the D3."""
        look = "ink" if face == self.d3 else "plain"
        return TouchButton(
            f"{_('D3')}: {face}", partial(self.put_d3, face), look, name=f"d3:{face}"
        )
