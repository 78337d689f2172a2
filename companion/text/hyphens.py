"""Long words parted with a hyphen where their line is too narrow for them.

Syllables are found by their letters: a syllable begins with the last consonant before a vowel, or
with consonants that are spoken together.

>>> parted("Strategiephase beginnt", lambda part: len(part) <= 11)
'Strategie-\\nphase beginnt'
>>> parted("командования", lambda part: len(part) <= 8)
'командо-\\nвания'
"""

from __future__ import annotations

import re
from collections.abc import Callable

VOWELS = "aeiouyäöüAEIOUYÄÖÜаеёиоуыэюяАЕЁИОУЫЭЮЯ"
TOGETHER = frozenset(
    "bl br ch chl chr ck dr fl fr gl gr kl kn kr ph phr pf pfl pl pr qu sch schl schm schn schr"
    " schw sh st str sp th tr wr zw"
    " бл бр вр гл гр др кл кр пл пр св сн сп ст стр тр хр".split()
)
BOUND = "йьъЙЬЪ"
"""Letters that end a syllable."""
WORD = re.compile(r"(\[[^\]]*\])|[^\s\[\]]+")
"""A word, or a sign of markup."""
LEAST = 3
"""A part of a word has at least so many letters."""


def parted(text: str, fits: Callable[[str], bool]) -> str:
    """A text whose words fit a line each; a word without a fitting syllable stays whole.

    >>> parted("[font=Sans]Handkarten[/font]", lambda part: len(part) < 8)
    '[font=Sans]Hand-\\nkarten[/font]'
    """
    return WORD.sub(lambda word: word[0] if word[1] else parted_word(word[0], fits), text)


def parted_word(word: str, fits: Callable[[str], bool]) -> str:
    if fits(word):
        return word
    places = [one for one in breaks(word) if fits(f"{word[:one]}-")]
    if not places:
        return word
    return f"{word[: places[-1]]}-\n{parted_word(word[places[-1] :], fits)}"


def breaks(word: str) -> list[int]:
    """Where a word may be parted.

    >>> breaks("Geschworene"), breaks("Nachziehphase"), breaks("развёртывание")
    ([7], [4, 8], [3, 6, 8, 10])
    """
    found = []
    for inner in re.finditer(rf"(?<=[{VOWELS}])[^\W\d_{VOWELS}]+(?=[{VOWELS}])", word):
        letters = inner[0]
        onset = next(
            (letters[at:] for at in range(len(letters)) if letters[at:].lower() in TOGETHER),
            letters[-1:],
        )
        place = inner.end() - len(onset)
        if LEAST <= place <= len(word) - LEAST and onset[0] not in BOUND:
            found.append(place)
    return found
