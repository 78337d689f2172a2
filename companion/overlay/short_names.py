"""Short forms of names that still tell every unit on the table apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

TAIL = re.compile(r"^(.+?)\s+(\d+|\([^()]*\))$")
"""A name and what tells it from its twin: a number, or whose it is."""
SPARE = 2
"""A word, or a name, with so many letters more than a short form is left whole."""
LEAST = 3
"""A shorter word is no name."""


def parts(name: str) -> tuple[str, str]:
    """A name without its number or owner, and that."""
    found = TAIL.match(name)
    return (found[1], found[2]) if found else (name, "")


def words(name: str) -> list[str]:
    """The words of a name in small letters."""
    return [one.casefold() for one in re.findall(r"[^\W_][\w'’]*", name)]


def short_names(names: Sequence[str], letters: int) -> dict[str, str]:
    """Each of the names with at least so many letters of one of its words, and its number: with as
    many as no other name on the table has.

    >>> short_names(["Sworn Swords 2", "Sworn Brothers", "Guardsmen (Ben)"], 5)
    {'Sworn Swords 2': 'Swords 2', 'Sworn Brothers': 'Broth.', 'Guardsmen (Ben)': 'Guard.'}
    """
    bases = Counter(parts(name)[0] for name in dict.fromkeys(names))
    found = {}
    for name in names:
        base, tail = parts(name)
        others = [word for other in bases if other != base for word in words(other)]
        short = next(forms(base, letters, others), base)
        kept = tail if tail.isdigit() or bases[base] > 1 else ""
        found[name] = min(f"{short} {kept}".strip(), name, key=len)
    return found


def forms(base: str, letters: int, others: Sequence[str]) -> Iterator[str]:
    """The beginnings of its words that no other name has, the shortest first."""
    if len(base) <= letters + SPARE:
        yield base
    every = re.findall(r"[^\W_][\w'’]*", base)
    named = [one for one in every if len(one) >= LEAST and one[0].isupper()] or every
    for length in range(letters, max(map(len, named), default=0) + 1):
        for word in sorted(named, key=named.index):
            start = word[:length].casefold()
            if len(word) < length + SPARE:
                if word.casefold() not in others:
                    yield word
            elif not any(one.startswith(start) for one in others):
                yield word[:length].rstrip("’'") + "."
