"""The theme of the app: colours, sizes and fonts, defined here only."""

from __future__ import annotations

from dataclasses import dataclass, field

from kivy.metrics import dp, sp

from companion.overlay.map_theme import side_looks

Colour = tuple[float, float, float, float]

TARGET_DP = 48
"""The minimum size of a touch target."""
TEXT_SP = {"small": 13, "body": 16, "large": 19, "title": 24, "huge": 34}
GAP_DP = {"tiny": 4, "small": 8, "gap": 12, "wide": 20}
RADIUS_DP = 10


def paint(code: str, opacity: float = 1.0) -> Colour:
    """The colour of a `#rrggbb` code."""
    red, green, blue = (int(code[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue, opacity


PALETTES: dict[str, dict[str, Colour]] = {
    "dark": {
        "back": paint("#121417"),
        "panel": paint("#1a1d22"),
        "card": paint("#252a31"),
        "raised": paint("#373f4a"),
        "edge": paint("#373f4a", 0.0),
        "line": paint("#4a5361"),
        "text": paint("#f1eee7"),
        "soft": paint("#b4bac4"),
        "faint": paint("#a4abb7"),
        "accent": paint("#e3b04b"),
        "on-accent": paint("#1c1506"),
        "good": paint("#6fcf97"),
        "bad": paint("#ff8a7a"),
        "warn": paint("#f2c94c"),
        "side-0": paint("#62b3f2"),
        "side-1": paint("#ff9a4d"),
        "side-2": paint("#d59cd6"),
        "side-3": paint("#4fc9a4"),
    },
    "light": {
        "back": paint("#efebe2"),
        "panel": paint("#f7f4ed"),
        "card": paint("#ffffff"),
        "raised": paint("#e3ddcf"),
        "edge": paint("#a89e88"),
        "line": paint("#c2baa8"),
        "text": paint("#262421"),
        "soft": paint("#545047"),
        "faint": paint("#625c50"),
        "accent": paint("#805300"),
        "on-accent": paint("#ffffff"),
        "good": paint("#14693e"),
        "bad": paint("#ab2019"),
        "warn": paint("#7a5500"),
        "side-0": paint("#005a9a"),
        "side-1": paint("#a33e00"),
        "side-2": paint("#83427a"),
        "side-3": paint("#00694f"),
    },
    "contrast": {
        "back": paint("#000000"),
        "panel": paint("#000000"),
        "card": paint("#101010"),
        "raised": paint("#262626"),
        "edge": paint("#ffffff"),
        "line": paint("#9a9a9a"),
        "text": paint("#ffffff"),
        "soft": paint("#ffffff"),
        "faint": paint("#d0d0d0"),
        "accent": paint("#ffe14d"),
        "on-accent": paint("#000000"),
        "good": paint("#7dffb0"),
        "bad": paint("#ffb0a3"),
        "warn": paint("#ffe14d"),
        "side-0": paint("#7cc7ff"),
        "side-1": paint("#ffb27a"),
        "side-2": paint("#ffb0ff"),
        "side-3": paint("#7dffdc"),
    },
}
"""The colour of every role; the first two sides are blue and orange, for colour-blind players too.

`edge` is the outline of a button that would not stand out from the background otherwise.
"""

SHAPES = {"round": "●", "diamond": "◆", "square": "■", "triangle": "▲"}
"""The symbol of a side, shown beside its colour."""


@dataclass
class Palette:
    """The current theme: palette, text size, side of the panel, and the place of each side."""

    palette: str = "dark"
    text: float = 1.0
    hand: str = "right"
    sides: dict[str, int] = field(default_factory=dict)

    def colour(self, role: str, opacity: float = 1.0) -> Colour:
        """The colour of a role."""
        red, green, blue, alpha = PALETTES[self.palette][role]
        return red, green, blue, alpha * opacity

    def side(self, side: str | None) -> Colour:
        """The colour of a side."""
        return self.colour(f"side-{self.place(side)}") if side else self.colour("soft")

    def place(self, side: str) -> int:
        """The number of a side's colour and symbol, the same as on the map."""
        if side not in self.sides:
            known = [*self.sides, side]
            looks = side_looks(known)
            every = list(dict.fromkeys(look.colour for look in side_looks(tuple("abcd")).values()))
            self.sides = {one: max(0, every.index(looks[one].colour) - 1) for one in known}
        return self.sides[side]

    def mark(self, side: str | None) -> str:
        """The symbol of a side, so that it can be told without its colour."""
        return tuple(SHAPES.values())[self.place(side)] if side else "○"

    def size(self, name: str) -> float:
        """A text size in pixels."""
        return float(sp(TEXT_SP[name] * self.text))

    def gap(self, name: str = "gap") -> float:
        """A spacing in pixels."""
        return float(dp(GAP_DP[name]))

    @property
    def target(self) -> float:
        """The minimum height of a touch target in pixels."""
        return float(dp(TARGET_DP))

    @property
    def radius(self) -> float:
        """The corner radius in pixels."""
        return float(dp(RADIUS_DP))


SKIN = Palette()
