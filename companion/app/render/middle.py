"""The middle of a widget, also while it is being moved."""

from __future__ import annotations

from kivy.uix.widget import Widget


def middle(widget: Widget) -> tuple[float, float]:
    """The middle in the coordinates of the widget's parent.

    Kivy keeps the `center` of before until every handler of `pos` was called: what is drawn by such
    a handler would stay behind.
    """
    return widget.x + widget.width / 2, widget.y + widget.height / 2
