"""Where buttons lay before a card came by itself: a finger may still be on its way to one."""

from __future__ import annotations

import time
from collections.abc import Iterator

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.engine.turn.card_records import CardView
from companion.overlay.view_frame import BoundingBox


def subject(view: CardView) -> object:
    """What a card is about: one that comes by itself asks something else as soon as its piece or
    its answers are others."""
    if not view.uncalled:
        return view.kind
    answers = tuple((one.name, one.text) for one in view.prompt.choices)
    return view.kind, view.prompt.id, answers


def by_itself(before: CardView, view: CardView, touched: bool) -> bool:
    """Whether a card comes in place of another one that no tap has changed: nobody calls one that
    a camera shows, and it goes by itself where nobody has `touched` it."""
    if subject(before) == subject(view):
        return False
    comes = view.uncalled and not before.uncalled
    return comes or (view.uncalled or before.uncalled) and not touched


ON_ITS_WAY_S = 3.0
"""How long a finger may be on its way to what lay there before."""
HARMLESS = ("later", "all-later")
"""Buttons that book nothing: the card before comes back, with what a finger meant."""


class FormerPlaces:
    """The places of buttons before a card came by itself; the first tap on one of them meant what
    lay there, and only shows that it is gone."""

    def __init__(self) -> None:
        self._boxes: tuple[BoundingBox, ...] = ()
        self._until = 0.0

    def add(self, card: Widget, room: Widget) -> None:
        """Remember the buttons of a card, of those that scroll what is seen in their room."""
        self._until = time.monotonic() + ON_ITS_WAY_S
        inside = box_of(room)
        scrolled = set(room.walk(restrict=True))
        for one in buttons(card):
            box = box_of(one)
            if one in scrolled:
                box = BoundingBox(
                    max(box.left, inside.left),
                    max(box.top, inside.top),
                    min(box.right, inside.right),
                    min(box.bottom, inside.bottom),
                )
            self._boxes += (box,)

    def forget(self) -> None:
        """Somebody has looked: every tap counts."""
        self._boxes = ()

    def at(self, x: float, y: float, card: Widget) -> bool:
        """Whether a button lay at this point of the window a moment ago, where the card books
        something now."""
        if time.monotonic() > self._until:
            return False
        harmless = (one for one in buttons(card) if getattr(one, "name", "") in HARMLESS)
        if any(covers(box_of(one), x, y) for one in harmless):
            return False
        return any(covers(box, x, y) for box in self._boxes)


def buttons(card: Widget) -> Iterator[Widget]:
    """What a tap on a card does something with."""
    for one in card.walk(restrict=True):
        if isinstance(one, ButtonBehavior) and getattr(one, "act", one) is not None:
            yield one


def covers(box: BoundingBox, x: float, y: float) -> bool:
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def box_of(widget: Widget) -> BoundingBox:
    """Where a widget lies in the window; its y goes up, as kivy counts it."""
    left, low = widget.to_window(*widget.pos)
    return BoundingBox(left, low, left + widget.width, low + widget.height)
