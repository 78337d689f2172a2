"""Layouts of widgets beside each other: rows, grids, choices, steppers, and the text field."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.core.clipboard import Clipboard
from kivy.graphics import Color, InstructionGroup, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.layout import Layout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton

MOST_COPIED = 20_000
"""No list is longer; a whole book in a field of text would hold up the screen."""


def clipboard_text() -> str:
    """What was copied last, as far as it is text; nothing where there is no clipboard."""
    try:
        return str(Clipboard.paste() or "").replace("\0", "")[:MOST_COPIED]
    except Exception:  # every platform has its own clipboard and its own errors
        logging.getLogger(__name__).warning("clipboard", exc_info=True)
        return ""


class TextEntry(TextInput):
    """A framed text field with one line or several."""

    def __init__(self, text: str, hint: str, lines: int = 1, **more: Any) -> None:
        high = max(THEME.target, THEME.size("body") * (1.35 * lines + 1))
        super().__init__(
            text=text,
            hint_text=hint,
            multiline=lines > 1,
            size_hint_y=None,
            height=high,
            font_size=THEME.size("body"),
            background_color=(0, 0, 0, 0),
            foreground_color=THEME.colour("text"),
            hint_text_color=THEME.colour("faint"),
            cursor_color=THEME.colour("accent"),
            background_normal="",
            background_active="",
            padding=(THEME.gap(), (high - THEME.size("body") * 1.3 * lines) / 2),
            **more,
        )
        self._ground, self._rim = RoundedRectangle(radius=[THEME.radius]), Line(width=dp(1.2))
        under = InstructionGroup()
        back, line = Color(*THEME.colour("back")), Color(*THEME.colour("line"))
        for one in (back, self._ground, line, self._rim):
            under.add(one)
        # First, because the text takes the last colour that was set.
        self.canvas.before.insert(0, under)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        self._rim.rounded_rectangle = (*self.pos, *self.size, THEME.radius)

    def on_touch_down(self, touch: Any) -> bool:
        """Ignore a touch before the first layout, when kivy has no lines for the cursor."""
        return bool(self._lines) and bool(super().on_touch_down(touch))


class FlowLayout(Widget):
    """A mixin for layouts that gives buttons beside each other the same height.

    A button is bound to its layout only while it is in it: a button that is cached and moved to
    another layout would otherwise keep every earlier layout in memory.
    """

    def add_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        """Add a widget and level the heights."""
        super().add_widget(widget, *args, **more)
        widget.bind(**{heard(widget): self.level})
        self.level()

    def remove_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        """Remove a widget, which gets back its own height."""
        super().remove_widget(widget, *args, **more)
        widget.unbind(**{heard(widget): self.level})
        if isinstance(widget, TouchButton):
            widget.stretch(0.0)
        self.level()

    def level(self, *_: Any) -> None:
        """Give all widgets the height of the one that needs most."""
        raise NotImplementedError


def heard(widget: Widget) -> str:
    """The property whose change means that heights must be levelled again."""
    return "needed" if isinstance(widget, TouchButton) else "height"


class ButtonRow(FlowLayout, BoxLayout):
    """Widgets beside each other, as high as the highest."""

    def level(self, *_: Any) -> None:
        """Level the heights; the row is as high as the widgets that have a height of their own."""
        own = [one for one in self.children if one.size_hint_y is None]
        needs = [one.needed if isinstance(one, TouchButton) else one.height for one in own]
        self.height = max([*needs, THEME.target])
        for one in own:
            if isinstance(one, TouchButton):
                one.stretch(self.height)


class ButtonGrid(FlowLayout, GridLayout):
    """Widgets in columns, each row as high as its highest."""

    def __init__(self) -> None:
        super().__init__(cols=1, spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))

    def fill(self, widgets: Sequence[Widget], columns: int) -> None:
        """Show these widgets, in at most this many columns."""
        self.clear_widgets()
        self.cols = max(min(columns, len(widgets)), 1)
        for widget in widgets:
            self.add_widget(widget)

    def level(self, *_: Any) -> None:
        """Level the heights, row by row."""
        rest = self.children[::-1]
        for start in range(0, len(rest), self.cols):
            line = [one for one in rest[start : start + self.cols] if isinstance(one, TouchButton)]
            floor = max((one.needed for one in line), default=0.0)
            for one in line:
                one.stretch(floor)


class Tiles(Layout):
    """Widgets in columns, as many as the width has room for, each line as high as its highest.

    A widget whose `wide` is true takes a line of its own, under the line of the one named by its
    `below`, if it has one.
    """

    def __init__(self, least: float, most: int) -> None:
        super().__init__(size_hint_y=None, height=0)
        self.least, self.most = least, most
        self.bind(pos=self._trigger_layout, width=self._trigger_layout)

    def lines(self, columns: int) -> list[list[Widget]]:
        """The widgets line by line."""
        found: list[list[Widget]] = []
        shown = self.children[::-1]
        for one in (one for one in shown if below(one) is None):
            last = found[-1] if found else []
            if last and len(last) < columns and not is_wide(one) and not is_wide(last[0]):
                last.append(one)
            else:
                found.append([one])
        for one in shown:
            under = next((n for n, line in enumerate(found, 1) if below(one) in line), 0)
            if under:
                found.insert(under, [one])
        return found

    def do_layout(self, *_: Any) -> None:
        """Place every widget."""
        gap = THEME.gap("small")
        columns = max(1, min(self.most, int((self.width + gap) // (self.least + gap))))
        share = (self.width - gap * (columns - 1)) / columns
        lines = self.lines(columns)
        heights = [max(one.height for one in line) for line in lines]
        self.height = sum(heights) + gap * max(0, len(lines) - 1)
        top = self.top
        for line, high in zip(lines, heights, strict=True):
            for at, one in enumerate(line):
                one.width = self.width if is_wide(one) else share
                one.pos = (self.x + at * (share + gap), top - one.height)
            top -= high + gap


def below(widget: Widget) -> Widget | None:
    """The widget under whose line it stands."""
    found: Widget | None = getattr(widget, "below", None)
    return found


def is_wide(widget: Widget) -> bool:
    """Whether it takes a line of its own."""
    return bool(getattr(widget, "wide", False))


def show_children(box: Layout, wanted: Sequence[Widget]) -> bool:
    """Show these widgets in a layout; those that it has stay the same. Whether it has changed."""
    if box.children[::-1] == list(wanted):
        return False
    box.clear_widgets()
    for one in wanted:
        box.add_widget(one)
    return True


def row(*widgets: Widget) -> ButtonRow:
    box = ButtonRow(spacing=THEME.gap("small"), size_hint_y=None, height=THEME.target)
    for widget in widgets:
        box.add_widget(widget)
    return box


def grid(widgets: Sequence[Widget], columns: int) -> ButtonGrid:
    box = ButtonGrid()
    box.fill(widgets, columns)
    return box


def choice(
    options: Sequence[tuple[str, Any]],
    chosen: Any,
    pick: Callable[[Any], Any],
    columns: int = 0,
) -> ButtonGrid:
    """Buttons to choose one of several options; the chosen one has a colour and a tick."""
    buttons = [
        TouchButton(
            f"✓ {text}" if value == chosen else text,
            partial(pick, value),
            "ink" if value == chosen else "plain",
            name=f"choice:{value}",
        )
        for text, value in options
    ]
    return grid(buttons, columns or min(len(buttons), 4) or 1)


def stepper(
    shown: str,
    step: Callable[[int], Any],
    name: str,
    least: bool = False,
    most: bool = False,
    press: Callable[[], Any] | None = None,
) -> BoxLayout:
    """A number between a minus and a plus button; holding a button takes ten steps.

    With `press` the number is a button itself.
    """
    down = TouchButton(
        "−",
        partial(step, -1),
        size="large",
        hold=partial(step, -10),
        ready=not least,
        name=f"{name}-",
    )
    up = TouchButton(
        "+",
        partial(step, 1),
        size="large",
        hold=partial(step, 10),
        ready=not most,
        name=f"{name}+",
    )
    box = BoxLayout(spacing=THEME.gap("small"), size_hint_y=None, height=THEME.target)
    for button in (down, up):
        button.size_hint = (None, 1)
        button.width = THEME.target * 1.2
    number: Widget = Text(shown, "large", align="center", bold=True, grow=False)
    if press is not None:
        number = TouchButton(shown, press, size="large", name=name, size_hint_y=1)
    for widget in (down, number, up):
        box.add_widget(widget)
    return box
