"""A button with an icon, and a word under it where there is room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp

from companion.app.render.icon import IconView
from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import LOOKS, TouchButton

ICON_DP = 24


class IconButton(TouchButton):
    """An icon over a short word; without a word the icon is centred."""

    def __init__(
        self,
        icon: str,
        text: str,
        act: Callable[[], Any] | None = None,
        look: str = "quiet",
        words: bool = True,
        ready: bool = True,
        **more: Any,
    ) -> None:
        super().__init__(
            text if words else "", act, look, size="small", ready=ready, name=more.pop("name", text)
        )
        for key, value in more.items():
            setattr(self, key, value)
        self.icon = IconView(icon, ICON_DP, LOOKS[look][1] if ready else "faint")
        self.words = words
        self.label.font_name = FONTS["narrow"]
        self.add_widget(self.icon)
        top = dp(ICON_DP + 8) if words else dp(2)
        self.padding = (dp(2), top, dp(2), dp(3))
        self.bind(pos=self._lay, size=self._lay)

    def _lay(self, *_: Any) -> None:
        # Kivy updates `center` after the handlers of `size`.
        high = self.label.height if self.words else 0.0
        block = self.icon.height + high
        top = self.y + (self.height + block) / 2
        self.icon.pos = (self.x + (self.width - self.icon.width) / 2, top - self.icon.height)
        if self.words:
            self.label.pos = (self.x + dp(2), top - block)

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        if hasattr(self, "icon"):
            self._lay()


def icon_of(kind: str) -> str:
    """The icon of an action's kind, of a page or of a result; a known name stays itself."""
    from companion.overlay.icons import ICONS

    known = {
        "melee": "swords",
        "attack": "swords",
        "break": "swords",
        "move": "maneuver",
        "forgo": "pass",
        "hit": "swords",
        "wounds": "drop",
        "wound": "drop",
        "reroll": "turn",
        "card": "cards",
        "play": "cards",
        "court": "people",
        "die": "dice",
        "morale": "flag",
        "roster": "armies",
    }
    name = known.get(kind, kind)
    return name if name in ICONS else ""


def small_words() -> bool:
    """Whether a small screen has no room for words under icons."""
    from kivy.core.window import Window

    return bool(min(Window.size) >= dp(680)) and THEME.text <= 1.2
