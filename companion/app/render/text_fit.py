"""How large a text may be so that none of its words is broken or cut."""

from __future__ import annotations

import re
from functools import lru_cache

from kivy.core.text import Label as CoreLabel
from kivy.utils import escape_markup

TAG = re.compile(r"\[/?[a-z]+(?:=[^\]]*)?\]")
BREAKS = re.compile(r"[\s\u00ad]+|(?<=[-–/…])")
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
    lines, used, space = 1, 0.0, word_width(" ", size, font, bold)
    for word in bare(markup).split():
        wide = word_width(word, size, font, bold)
        if wide > width:
            return MOST_LINES
        if used and used + space + wide > width:
            lines, used = lines + 1, wide
        else:
            used += wide + (space if used else 0.0)
    return lines


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
