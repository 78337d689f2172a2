"""Sentences without rule numbers: players read those only where they ask why."""

from __future__ import annotations

import re

from models.lazy_message import LazyMessage, say

NUMBER = r"(?:[A-Z]{2,5}(?:-[A-Z]+)*-\d+(?:\.\.\d+)?|{rules?})"
BRACKETED = re.compile(rf" ?\({NUMBER}(?:, -?{NUMBER})*\)")
"""Rule numbers in brackets, as sentences of the log carry them."""


def unnumbered(text: str) -> str:
    """The sentence without rule numbers in brackets; it can still be translated.

    >>> unnumbered("points and army points are equal (TMG-VIC-6)")
    'points and army points are equal'
    """
    if not isinstance(text, LazyMessage):
        return BRACKETED.sub("", text)
    values = {
        key: unnumbered(value) if isinstance(value, str) else value
        for key, value in text.values.items()
    }
    return say(BRACKETED.sub("", text.one), BRACKETED.sub("", text.many), **values)


def numbers_in(text: str) -> tuple[str, ...]:
    """The rule numbers of a sentence, for those who ask why."""
    return tuple(dict.fromkeys(re.findall(r"(?<![\w-])[A-Z]{2,5}(?:-[A-Z]+)+-\d+", text)))
