"""A card that lies before a player: name, small signs, a number; kneeling ones lie lower."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from kivy.graphics import Color, Ellipse, Line
from kivy.metrics import dp

from companion.app.render.icon import IconView
from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon_button import icon_of
from companion.engine.app_words import _
from companion.games.api.page import PageCard

CardSize = Literal["usual", "small", "flat"]
SIZES_DP: dict[CardSize, tuple[int, int]] = {
    "usual": (122, 104), "small": (112, 84), "flat": (112, 62)
}  # fmt: skip
"""Width and height of a card; small ones on a small screen, flat ones if many have to fit."""
LOWER_DP = 12
"""How much lower a turned card lies."""
ICON_DP, BADGE_DP = 20, 24
WHITE = (1.0, 1.0, 1.0, 1.0)


def card_area(size: CardSize) -> tuple[float, float]:
    """The width and height that a card takes up."""
    wide, high = SIZES_DP[size]
    return dp(wide) * THEME.text, dp(high) * THEME.text + dp(LOWER_DP)


class RowCard(TouchButton):
    """A card of a row: a tap selects it or answers the open form."""

    def __init__(
        self,
        card: PageCard,
        place: int,
        act: Callable[[], Any] | None,
        hold: Callable[[], Any] | None,
        size: CardSize = "usual",
    ) -> None:
        resting = card.turned or card.spent
        super().__init__(
            _(card.title),
            act,
            "quiet" if resting else "plain",
            _(card.note),
            hold,
            size="small",
            align="left",
            name=f"card:{card.id}",
        )
        self.card = card
        tint = "faint" if resting else "text"
        self.label.bold = True
        self.label.font_name = FONTS["narrow"]
        self.label.color = THEME.words(tint)
        self.low = dp(LOWER_DP) if card.turned else 0.0
        self.size_hint = (None, None)
        self.width, self.floor = card_area(size)
        for line in self.lines[1:]:
            line.shorten, line.shorten_from, line.max_lines = True, "right", 1
        self.signs = [IconView(icon, ICON_DP, tint) for one in card.icons if (icon := icon_of(one))]
        self.number = Text(
            "" if card.count is None else str(card.count), "large", tint, True, "right", False
        )
        self.number.size_hint = (None, None)
        self.corner = Text(_(card.badge), "small", WHITE, True, "center", False)
        self.corner.size_hint = (None, None)
        with self.canvas:  # below the number and the badge
            self._line_colour = Color(0, 0, 0, 0)
            self._line = Line(width=dp(1.5))
        with self.corner.canvas.before:
            Color(*THEME.colour(f"fill-{place}", 1.0 if card.badge else 0.0))
            self._disc = Ellipse()
        for one in (*self.signs, self.number, self.corner):
            self.add_widget(one)
        self.outline(card.marked)
        self._place()

    def outline(self, chosen: bool) -> None:
        """Draw or remove the outline of a card that takes part or is chosen."""
        self.chosen = chosen
        self._line_colour.rgba = THEME.colour("text") if chosen else (0, 0, 0, 0)

    def _place(self, *args: Any) -> None:
        """The name at the top, the signs and the number at the foot."""
        super()._place(*args)
        if not hasattr(self, "number"):
            return
        gap, top = dp(9), self.y + self.height - (dp(LOWER_DP) if self.low else 0.0)
        bottom = self.y + (0.0 if self.low else dp(LOWER_DP))
        y = top - dp(6)
        for line in self.lines:
            y -= line.height
            line.pos, line.width = (self.x + gap, y), max(1, self.width - 2 * gap)
        self._ground.pos, self._ground.size = (self.x, bottom), (self.width, top - bottom)
        inner = (self.x + 1, bottom + 1, max(1, self.width - 2), max(1, top - bottom - 2))
        if self._rim is not None:
            self._rim.rounded_rectangle = (*inner, THEME.radius)
        self._line.rounded_rectangle = (*inner, THEME.radius)
        for number, sign in enumerate(self.signs):
            sign.pos = (self.x + gap + number * dp(ICON_DP + 3), bottom + dp(7))
        self.number.size = (dp(40), dp(26))
        self.number.pos = (self.x + self.width - gap - self.number.width, bottom + dp(4))
        side = dp(BADGE_DP)
        self.corner.size = (side, side)
        self.corner.pos = (self.x + self.width - side * 0.9, top - side * 0.75)
        self._disc.pos, self._disc.size = self.corner.pos, self.corner.size
