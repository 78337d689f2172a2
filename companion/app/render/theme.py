"""The theme of the app: colours, sizes and fonts, defined here only, and how large a text may be
so that no word is cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase
from kivy.metrics import dp, sp
from kivy.uix.widget import Widget
from kivy.utils import escape_markup

from companion.overlay import map_theme as faces
from companion.overlay.map_theme import SIDE_LOOKS, side_looks

Colour = tuple[float, float, float, float]

TARGET_DP = 48
"""The minimum size of a touch target."""
TEXT_SP = {
    "small": 15,
    "body": 17,
    "large": 20,
    "question": 24,
    "title": 26,
    "page": 32,
    "huge": 50,
}
"""The type scale; nothing is smaller than the first."""
GAP_DP = {"tiny": 4, "small": 8, "gap": 12, "wide": 16}
RADIUS_DP = 12
FONTS = {"text": "Roboto", "title": "Companion Title", "narrow": "Companion Narrow"}
"""Kivy's names of the faces. The text's own is registered under the name of kivy's default."""


def register_fonts() -> None:
    """Register the faces; every label without a font of its own then has ours."""
    text, bold = str(faces.TEXT), str(faces.TEXT_BOLD)
    LabelBase.register(FONTS["text"], text, text, bold, bold)
    title, italic = str(faces.TITLE), str(faces.TITLE_ITALIC)
    LabelBase.register(FONTS["title"], title, italic, str(faces.TITLE_BLACK), italic)
    LabelBase.register(FONTS["narrow"], str(faces.NARROW))


register_fonts()


def paint(code: str, opacity: float = 1.0) -> Colour:
    """The colour of a `#rrggbb` code."""
    red, green, blue = (int(code[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue, opacity


PALETTES: dict[str, dict[str, Colour]] = {
    "dark": {
        "back": paint("#10131A"),
        "panel": paint("#10131A"),
        "card": paint("#1A1F29"),
        "raised": paint("#252C39"),
        "edge": paint("#3B4556"),
        "line": paint("#3B4556"),
        "text": paint("#F4EFE4"),
        "soft": paint("#BDBAB1"),
        "faint": paint("#9298A2"),
        "accent": paint("#E9B74C"),
        "accent-words": paint("#E9B74C"),
        "on-accent": paint("#1B1406"),
        "good": paint("#46C9A5"),
        "bad": paint("#F2917F"),
        "warn": paint("#DCCFA6"),
        "chip": paint("#10131A"),
        "cloth": paint("#222B2C"),
        "cloth-line": paint("#3C4A4A"),
    },
    "light": {
        "back": paint("#EFE9DC"),
        "panel": paint("#EFE9DC"),
        "card": paint("#FBF8F1"),
        "raised": paint("#F0EADD"),
        "edge": paint("#A69B85"),
        "line": paint("#B5AA93"),
        "text": paint("#1E1B16"),
        "soft": paint("#5A5448"),
        "faint": paint("#6C6555"),
        "accent": paint("#E5AC33"),
        "accent-words": paint("#7A5200"),
        "on-accent": paint("#1B1406"),
        "good": paint("#0E6F58"),
        "bad": paint("#A93522"),
        "warn": paint("#6E5A1C"),
        "chip": paint("#FBF8F1"),
        "cloth": paint("#F4EEDF"),
        "cloth-line": paint("#D3C8B0"),
    },
    "contrast": {
        "back": paint("#000000"),
        "panel": paint("#000000"),
        "card": paint("#000000"),
        "raised": paint("#161616"),
        "edge": paint("#FFFFFF"),
        "line": paint("#9A9A9A"),
        "text": paint("#FFFFFF"),
        "soft": paint("#FFFFFF"),
        "faint": paint("#D0D0D0"),
        "accent": paint("#FFE14D"),
        "accent-words": paint("#FFE14D"),
        "on-accent": paint("#000000"),
        "good": paint("#7DFFB0"),
        "bad": paint("#FFB0A3"),
        "warn": paint("#FFE9A8"),
        "chip": paint("#000000"),
        "cloth": paint("#000000"),
        "cloth-line": paint("#4A4A4A"),
    },
}
"""The colour of every role.

Surfaces, from below: `back` (the page), `card`, `raised` (rows and keys); `chip` on the table.
`accent` is gold: the one primary action; `accent-words` is its version for text. `good`, `bad` and
`warn` are the verdicts yes, no and unsure. `edge` is the outline
of a button that would not stand out otherwise.
"""

SIDE_EDGES: dict[str, tuple[str, ...]] = {
    "dark": ("#4E9DEB", "#F4797A", "#6DBB5A", "#B08AEA", "#F0914A", "#DCD6C6"),
    "light": ("#1D64B4", "#B8272E", "#33691F", "#6A45AA", "#8F4612", "#5E594B"),
    "contrast": ("#7CC7FF", "#FF8A8A", "#8CFF7A", "#D9B8FF", "#FFB27A", "#FFFFFF"),
}
"""The colour of the lines and words of each seat; red is red and never orange."""
SIDE_FILLS = ("#1D5FA8", "#A8282D", "#3B7A2C", "#6A45AA", "#A65316", "#6D6858")
"""The ground of each seat's banners and caps, in every palette: white is readable on it."""
for name, edges in SIDE_EDGES.items():
    PALETTES[name] |= {f"side-{place}": paint(code) for place, code in enumerate(edges)}
    PALETTES[name] |= {f"fill-{place}": paint(code) for place, code in enumerate(SIDE_FILLS)}

SIDE_SIGNS = ("●", "◆", "⬟", "■", "⬢", "▼")
"""The symbol of a side in text, shown beside its colour."""


@dataclass
class Palette:
    """The current theme: palette, text size, side of the panel, and the place of each side."""

    palette: str = "dark"
    text: float = 1.0
    hand: str = "right"
    sides: dict[str, int] = field(default_factory=dict)

    def colour(self, role: str, opacity: float = 1.0) -> Colour:
        red, green, blue, alpha = PALETTES[self.palette][role]
        return red, green, blue, alpha * opacity

    def words(self, role: str) -> Colour:
        """The colour of a role in text."""
        return self.colour("accent-words" if role == "accent" else role)

    def side(self, side: str | None) -> Colour:
        return self.colour(f"side-{self.place(side)}") if side else self.colour("soft")

    def place(self, side: str) -> int:
        """The number of a side's colour and symbol, the same as on the map."""
        if side not in self.sides:
            look = SIDE_LOOKS.index(side_looks([*self.sides, side])[side])
            free = [one for one in range(len(SIDE_LOOKS)) if one not in self.sides.values()]
            self.sides = {**self.sides, side: look if look in free or not free else free[0]}
        return self.sides[side]

    def seat(self, places: Mapping[str, int]) -> None:
        """The numbers of the sides' colours in the game that is shown."""
        if any(self.sides.get(side) != place for side, place in places.items()):
            self.sides = dict(places)

    def set_up(self, sides: Sequence[str]) -> None:
        """The sides of a game that is being set up; those of another one leave their colours."""
        if set(self.sides) - {*sides}:
            looks = side_looks(sides)
            self.sides = {side: SIDE_LOOKS.index(looks[side]) for side in sides}

    def mark(self, side: str | None) -> str:
        """The symbol of a side, so that it can be told without its colour."""
        return SIDE_SIGNS[self.place(side)] if side else "○"

    def mark_of(self, colour: int) -> str:
        """The symbol of a seat's colour, 1 to 6."""
        return SIDE_SIGNS[(colour - 1) % len(SIDE_SIGNS)]

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


THEME = Palette()


TAG = re.compile(r"\[/?[a-z]+(?:=[^\]]*)?\]")
BREAKS = re.compile(r"(?:[^\S\u00a0]|\u00ad)+|(?<=[-–/…])")
MOST_LINES = 999
SPARE = 0.985
"""A text is made this much smaller than what would just fit."""


@lru_cache(maxsize=2048)
def word_width(word: str, size: float, font: str, bold: bool) -> float:
    """The width of a word in pixels."""
    label = CoreLabel(text=word, font_size=size, font_name=font, bold=bold)
    return float(label.get_extents(word)[0])


def bare(markup: str) -> str:
    """The text of markup."""
    plain = TAG.sub("", markup)
    for sign in "[]&":
        plain = plain.replace(str(escape_markup(sign)), sign)
    return plain


def widest_word(markup: str, size: float, font: str, bold: bool) -> float:
    """The width of the longest word of a text."""
    words = [word for word in BREAKS.split(bare(markup)) if word]
    longest = sorted(words, key=len)[-2:]
    return max((word_width(word, size, font, bold) for word in longest), default=0.0)


def line_width(markup: str, size: float, font: str, bold: bool) -> float:
    """The width of a text in one line."""
    return sum(
        word_width(part, size, font, bold) for part in re.split(r"(\s+)", bare(markup)) if part
    )


def lines_needed(markup: str, size: float, font: str, bold: bool, width: float) -> int:
    """How many lines a text takes at this width; more than any screen has if a word is wider."""
    if any(word_width(word, size, font, bold) > width for word in bare(markup).split()):
        return MOST_LINES
    return max(1, len(text_lines(markup, size, font, bold, width)))


def text_lines(markup: str, size: float, font: str, bold: bool, width: float) -> list[str]:
    """A text in lines of at most this width, unless a word is wider."""
    lines: list[list[str]] = []
    used, space = 0.0, word_width(" ", size, font, bold)
    for word in bare(markup).split():
        wide = word_width(word, size, font, bold)
        if lines and used + space + wide <= width:
            lines[-1].append(word)
            used += space + wide
        else:
            lines.append([word])
            used = wide
    return [" ".join(line) for line in lines]


def fitting_size(
    markup: str, size: float, font: str, bold: bool, width: float, lines: int, floor: float
) -> float:
    """The largest size, down to a floor, at which no word is broken.

    `lines` limits the lines of the text; 0 means that it may have any number.
    """
    if width <= 1 or not markup:
        return size
    share = width * SPARE / max(widest_word(markup, size, font, bold), 1.0)
    if lines:
        # Lines are seldom full: of two, a word's length is lost at the end of the first.
        room = width * SPARE * (1.0 if lines == 1 else 0.8 * lines)
        share = min(share, room / max(line_width(markup, size, font, bold), 1.0))
    if share >= 1:
        return size
    found, floor = size * share, min(size, floor)
    # Letters are drawn at whole sizes: a smaller one may still be too wide.
    while found > floor and widest_word(markup, found, font, bold) > width:
        found -= 0.5
    return max(floor, found)


def middle(widget: Widget) -> tuple[float, float]:
    """The middle in the coordinates of the widget's parent.

    Kivy keeps the `center` of before until every handler of `pos` was called: what is drawn by such
    a handler would stay behind.
    """
    return widget.x + widget.width / 2, widget.y + widget.height / 2
