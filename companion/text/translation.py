"""The players' language, switched while the program runs: the `.po` files of every room.

English is spoken until somebody asks for another language; nothing is read before that. What a
file lacks stays English. `_` is for words that are shown at once, `tell` for sentences that were
said earlier (`models.lazy_message`).

>>> from models.lazy_message import say
>>> tell(say("{count} steps", count=3))
'3 steps'
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.text.lengths import INCHES, LengthFormat
from models.lazy_message import LazyMessage

ROOMS = Path(__file__).parents[1]
LANGUAGES = {"en": "English", "de": "Deutsch", "ru": "Русский"}
LANGUAGE: dict[str, Any] = {"choices": LANGUAGES, "default": "en", "help": "tell it in this one"}
"""The option of every command that tells something in sentences."""

Count = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class MessageCatalogue:
    """The texts of one language by their English, and how lengths are told in them.

    A text that counts has several forms.
    """

    language: str = "en"
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    form: Count = lambda n: int(n != 1)
    ruler: LengthFormat = INCHES

    def tell(self, sentence: str) -> str:
        """A sentence in this language; its values too, where they are words of ours."""
        if not isinstance(sentence, LazyMessage):
            return self.ruler.plain(self.forms.get(sentence, (sentence,))[0])
        pattern = sentence.pattern
        if forms := self.forms.get(sentence.one):
            form = self.form(sentence.values["n"]) if sentence.many else 0
            pattern = forms[form] if form < len(forms) else forms[-1]
        if not sentence.values:
            return self.ruler.plain(pattern)
        values = {
            name: self.tell(value) if isinstance(value, str) else value
            for name, value in sentence.values.items()
        }
        try:
            return self.ruler.filled(pattern, values)
        except (ValueError, TypeError, LookupError, ArithmeticError):
            return sentence[:]  # a file gave it other values than the translation needs

    def told(self, value: Any) -> Any:
        """A value with every sentence in it told."""
        if isinstance(value, LazyMessage):
            return self.tell(value)
        if isinstance(value, dict):
            return {
                key if type(key) is str else self.told(key): one
                if type(one) in SILENT
                else self.told(one)
                for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return type(value)([one if type(one) in SILENT else self.told(one) for one in value])
        return value


SILENT = frozenset({str, int, float, bool, type(None)})
"""Values that say nothing themselves; a sentence is a `Said`."""

ENGLISH = MessageCatalogue()


class Language:
    """The language spoken now, and the unit of its lengths."""

    def __init__(self) -> None:
        self.catalogue, self.units = ENGLISH, "in"

    def speak(self, language: str) -> None:
        """Speak that language from now on."""
        self.catalogue = catalogue(language, self.units)

    def measure(self, units: str) -> None:
        """Tell lengths in "in" or "cm" from now on."""
        self.units = units
        self.speak(self.catalogue.language)

    def ruler(self) -> LengthFormat:
        """How lengths are told now."""
        return self.catalogue.ruler

    def language(self) -> str:
        """Its two letters."""
        return self.catalogue.language

    def tell(self, sentence: str) -> str:
        """A sentence in the language spoken now."""
        return sentence if self.catalogue is ENGLISH else self.catalogue.tell(sentence)

    def told(self, value: Any) -> Any:
        """An answer with every sentence in it told; ids, keys and names stay as they are."""
        return value if self.catalogue is ENGLISH else self.catalogue.told(value)


SPEAKER = Language()
speak, language, tell, told = SPEAKER.speak, SPEAKER.language, SPEAKER.tell, SPEAKER.told
measure, ruler = SPEAKER.measure, SPEAKER.ruler
_ = tell


@lru_cache
def catalogue(language: str, units: str = "in") -> MessageCatalogue:
    """Everything the rooms say in a language; an unknown one is English."""
    if units == "cm":
        own = catalogue(language)
        return replace(own, ruler=LengthFormat(own.tell("cm"), own.tell("mm"), own.ruler.mark))
    if language == "en" or language not in LANGUAGES:
        return ENGLISH
    forms: dict[str, tuple[str, ...]] = {}
    form = ENGLISH.form
    for path in files(language):
        found = read_po(path)
        form = counting(found.pop("", ("",))[0])
        forms |= found
    return MessageCatalogue(language, forms, form, LengthFormat(mark=","))


def files(language: str) -> list[Path]:
    """The files of a language: what all rooms share, and each game's own beside the game."""
    return sorted(
        path
        for place in ("locale", "games/*/locale")
        for path in ROOMS.glob(f"{place}/{language}.po")
    )


# -- files ----------------------------------------------------------------------------------------

LINE = r'(?:(msgid|msgid_plural|msgstr)(?:\[\d\])? )?(".*")$'


def read_po(path: Path) -> dict[str, tuple[str, ...]]:
    """The texts of a `.po` file that are translated, and its header under ""."""
    return {
        source: forms
        for source, forms in entries(path)
        if all(forms) and (source or forms != ("",))
    }


def entries(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every entry of a `.po` file."""
    source, forms = "", list[str]()
    last, pattern = "msgstr", re.compile(LINE)
    for line in path.read_text(encoding="utf-8").splitlines():
        found = pattern.match(line.strip())
        if found is None:
            continue
        word, text = found[1], json.loads(found[2])
        if word == "msgid":
            if forms:
                yield source, tuple(forms)
            source, forms = text, []
        elif word == "msgstr":
            forms.append(text)
        elif word is None and last == "msgid":
            source += text
        elif word is None and last == "msgstr":
            forms[-1] += text
        last = word or last
    if forms:
        yield source, tuple(forms)


def counting(header: str) -> Count:
    """Which form a number takes, from the header's rule: a line of C, as gettext has it."""
    import gettext  # English needs none

    rule = re.search(r"plural=([^;]+);", header)
    return gettext.c2py(rule[1]) if rule else ENGLISH.form
