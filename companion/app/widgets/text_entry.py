"""A text field."""

from __future__ import annotations

import logging
from typing import Any

from kivy.core.clipboard import Clipboard
from kivy.graphics import Color, InstructionGroup, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.textinput import TextInput

from companion.app.render.theme import THEME

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
