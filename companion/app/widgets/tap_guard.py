"""Which taps count: what has only just come under a finger takes none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import SLID_DP
from companion.engine.app_words import _
from companion.overlay.view_frame import BoundingBox

AWAKE_S = 0.6
"""For so long nothing takes a tap that has just come where the last tap was, and no card that came
by itself: nobody has read it yet. The one place for this time, on every screen."""
ON_ITS_WAY_S = 3.0
"""How long a finger may be on its way to what lay there before, and how late an answer to a tap may
come for a second tap to be meant for what was there."""
FINGER_DP = 40
"""Two taps of one finger lie at most so far apart."""
HARMLESS = ("later", "all-later")
"""Buttons that book nothing: the card before comes back, with what a finger meant."""
VEIL = 0.5
"""How strongly what does not take taps yet is dimmed."""


@dataclass(slots=True)
class LastTap:
    """Where the last tap was, what it meant, and since when something else lies there."""

    spot: tuple[float, float]
    keys: Widget | None
    """The keypad that was tapped: a tap on another of its keys is one at the same spot."""
    box: BoundingBox
    meaning: object
    at: float
    now: object
    """What a tap there means now."""
    changed: float = -math.inf

    def near(self, x: float, y: float) -> bool:
        """Whether a point of the window is the same spot."""
        return covers(self.box, x, y) or math.dist(self.spot, (x, y)) <= dp(FINGER_DP)


class TapGuard:
    """Decides for every screen which taps count.

    After a tap, a control that has come or changed its meaning where the finger was takes none for
    a moment: a double tap never does two different things. What still means the same, as the key of
    a counter, goes on taking quick taps. The same moment is given to a card that came by itself, as
    when the camera sees something; and a while later the first tap where another button lay before
    still meant that one.
    """

    def __init__(self, top: Callable[[], Widget], say: Callable[[str], object]) -> None:
        self.now: Callable[[], float] = Clock.get_time
        self._top, self._say = top, say
        self._tap: LastTap | None = None
        self._down: LastTap | None = None
        """The touch that may become a tap."""
        self._card: Widget | None = None
        """The card that came or went by itself."""
        self._rests = self._forgets = -math.inf
        """Until when it takes no tap, and until when its former buttons count."""
        self._former: tuple[BoundingBox, ...] = ()
        """Where its buttons lay before."""
        self._watch: Any = None
        self.show_veil: Callable[[BoundingBox | None], object] = lambda box: None

    # -- taps ---------------------------------------------------------------------------------

    def asleep(self, x: float, y: float) -> bool:
        """Whether a tap at this point of the window does nothing now."""
        return self._rests_at(x, y) or self._strays(x, y) or self._hasty(x, y)

    def begin(self, x: float, y: float) -> bool:
        """A finger comes down: whether what lies there takes its touch."""
        if self._rests_at(x, y):
            return False
        stray = self._strays(x, y)
        control = control_at(self._top(), x, y)
        if self._holds(control):
            self.forget()
        if stray:
            self._say(_("The card came by itself: nothing was done. Tap again if you mean it."))
            return False
        if self._hasty(x, y):
            return False
        self._down = None
        if control is not None:
            keys, meaning = meaning_of(control)
            box = box_of(keys) if keys is not None else BoundingBox(x, y, x, y)
            self._down = LastTap((x, y), keys, box, meaning, self.now(), meaning)
        return True

    def end(self, x: float, y: float) -> None:
        """The finger is lifted; one that was moved has not tapped."""
        down, self._down = self._down, None
        if down is None or math.dist(down.spot, (x, y)) > dp(SLID_DP):
            self._tap = None
            self.show_veil(None)
            return
        down.at = self.now()
        self._tap = down
        if self._watch is None:
            self._watch = Clock.schedule_interval(self._look, 0)

    def _hasty(self, x: float, y: float) -> bool:
        """Whether something else has only just come where the last tap was."""
        tap = self._tap
        if tap is None or not tap.near(x, y):
            return False
        self._look()
        if self.now() >= tap.changed + AWAKE_S:
            return False
        control = control_at(self._top(), x, y)
        return control is not None and meaning_of(control)[1] != tap.meaning

    def _look(self, *_: Any) -> None:
        """Notice when something else comes to lie where the last tap was."""
        tap, now = self._tap, self.now()
        if tap is None or now > max(tap.at + ON_ITS_WAY_S, tap.changed + AWAKE_S):
            if self._watch is not None:
                self._watch.cancel()
            self._watch = None
            self.show_veil(None)
            return
        control = control_at(self._top(), *tap.spot)
        keys, meaning = meaning_of(control) if control is not None else (None, None)
        if meaning != tap.now and now <= tap.at + ON_ITS_WAY_S:
            tap.now, tap.changed = meaning, now  # later changes are not the doing of that tap
        fresh = meaning not in (None, tap.meaning) and now < tap.changed + AWAKE_S
        seen = control is not None and acts(control)
        self.show_veil(seen_box(keys or control) if fresh and seen else None)

    # -- cards that come by themselves --------------------------------------------------------

    @property
    def resting(self) -> bool:
        """Whether a card has just come by itself."""
        return self.now() < self._rests

    def rest(self, card: Widget) -> None:
        """A card comes or goes by itself: it takes no tap for a moment."""
        self._card, self._rests = card, self.now() + AWAKE_S

    def remember(self, card: Widget) -> None:
        """A card comes by itself: where its buttons lay before, a finger may still mean those."""
        self._card, self._forgets = card, self.now() + ON_ITS_WAY_S
        self._former += tuple(seen_box(one) for one in card.walk(restrict=True) if acts(one))

    def forget(self) -> None:
        """Somebody has looked: every tap counts."""
        self._former = ()

    def _holds(self, control: Widget | None) -> bool:
        """Whether a control is on the card that came by itself."""
        return control is not None and self._card in above(control)

    def _rests_at(self, x: float, y: float) -> bool:
        return self.resting and self._holds(control_at(self._top(), x, y))

    def _strays(self, x: float, y: float) -> bool:
        """Whether a button lay here a moment ago, where the card books something now."""
        if self.now() > self._forgets or not any(covers(box, x, y) for box in self._former):
            return False
        control = control_at(self._top(), x, y)
        return self._holds(control) and getattr(control, "name", "") not in HARMLESS


class GuardedLayer(FloatLayout):
    """The lowest layer of the window: every touch is asked about before anything below gets it."""

    def __init__(self, say: Callable[[str], object]) -> None:
        super().__init__()
        self.guard = TapGuard(lambda: self, say)
        self.guard.show_veil = self._veil
        self.veiled: BoundingBox | None = None
        """What is dimmed now."""
        self._refused: set[object] = set()
        with self.canvas.after:
            self._shade = Color(*THEME.colour("back", 0.0))
            self._drawn = RoundedRectangle(radius=[THEME.radius], size=(0, 0))

    def _veil(self, box: BoundingBox | None) -> None:
        """Dim what does not take taps yet."""
        if box != self.veiled:
            self.veiled = box
            # a rectangle without a size is drawn in its last one
            self._shade.rgba = THEME.colour("back", VEIL if box is not None else 0.0)
            left, low, right, high = box or (0.0, 0.0, 0.0, 0.0)
            self._drawn.pos, self._drawn.size = (left, low), (right - left, high - low)

    def on_touch_down(self, touch: Any) -> bool:
        """Pass a touch on that counts."""
        if getattr(touch, "is_mouse_scrolling", False) or self.guard.begin(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._refused.add(touch.uid)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        return touch.uid in self._refused or bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """A touch that did not count ends unheard."""
        if touch.uid in self._refused:
            self._refused.discard(touch.uid)
            return True
        self.guard.end(*touch.pos)
        return bool(super().on_touch_up(touch))


def acts(widget: Widget) -> bool:
    """Whether a tap on a widget does something."""
    return isinstance(widget, ButtonBehavior) and getattr(widget, "act", widget) is not None


def control_at(widget: Widget, x: float, y: float) -> Widget | None:
    """What a tap at a point falls on, a button or the table, as kivy passes touches down; the
    point as the widget's parent has it."""
    if widget.disabled or isinstance(widget, ScrollView) and not widget.collide_point(x, y):
        return None
    inner = widget.to_local(x, y)
    for child in widget.children:
        found = control_at(child, *inner)
        if found is not None:
            return found
    taken = acts(widget) or hasattr(widget, "covers") or hasattr(widget, "tap_meaning")
    return widget if taken and widget.collide_point(x, y) else None


def meaning_of(control: Widget) -> tuple[Widget | None, object]:
    """The keypad that a control belongs to, and what a tap on it means: its words, and
    what is asked around it.

    A widget with a `tap_meaning` gives it to everything in it, as a keypad to its keys. What is
    asked around a control is the `tap_context` of the widgets that hold it, which is told whether
    it is gold: that carries the game on, and is another one after each step.
    """
    gold = getattr(control, "look", "") == "primary"
    words = (getattr(control, "name", ""), getattr(control, "text", ""))
    around: list[object] = []
    one: Widget | None = control
    while one is not None:
        meaning = getattr(one, "tap_meaning", None)
        if meaning is not None:
            return one if one is not control else None, meaning
        around += [one.tap_context(gold)] if hasattr(one, "tap_context") else []
        one = one.parent if isinstance(one.parent, Widget) else None
    return None, (type(control).__name__, *words, *around)


def covers(box: BoundingBox, x: float, y: float) -> bool:
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def box_of(widget: Widget) -> BoundingBox:
    """Where a widget lies in the window; its y goes up, as kivy counts it."""
    left, low = widget.to_window(*widget.pos)
    return BoundingBox(left, low, left + widget.width, low + widget.height)


def seen_box(widget: Widget) -> BoundingBox:
    """What is in sight of a widget that may be scrolled."""
    box = box_of(widget)
    for one in above(widget):
        if isinstance(one, ScrollView):
            room = box_of(one)
            box = BoundingBox(
                max(box.left, room.left),
                max(box.top, room.top),
                max(min(box.right, room.right), room.left),
                max(min(box.bottom, room.bottom), room.top),
            )
    return box


def above(widget: Widget) -> Iterator[Widget]:
    """The widgets around a widget, the nearest first."""
    one = widget.parent
    while isinstance(one, Widget):
        yield one
        one = one.parent
