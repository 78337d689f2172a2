"""Comparing typed names: another spelling is not another effect (TMG-ABL-5, TMG-ORD-1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

ORDER_WORDS = ("order", "befehl", "приказ")
"""The word that the books print before the name of an order."""


@lru_cache(maxsize=512)
def spelling(name: str) -> str:
    """A name without capitals, accents, spaces and punctuation.

    >>> spelling("Hold The Line!") == spelling("hold  the line")
    True
    >>> spelling("Order: Hold the Line")
    'holdtheline'
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    word, colon, rest = plain.partition(":")
    if colon and word.strip() in ORDER_WORDS and rest.strip():
        plain = rest
    return "".join(letter for letter in plain if letter.isalnum()) or plain.strip()


def same_name(name: str, others: Iterable[str]) -> str:
    """The one of several names that equals this one, whatever the spelling; empty if none does."""
    wanted = spelling(name)
    return next((other for other in others if spelling(other) == wanted), "")
