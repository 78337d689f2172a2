"""Translation into the players' language, switched while the program runs, from the `.po` files;
sentences without rule numbers, and a command's error messages in one line.

The language is English until another one is selected; no file is read before that. A text without a
translation stays English. `_` translates texts that are shown at once, `translate` translates lazy
messages that were made earlier (`models.message`). A word is looked up in the game being played,
then in what all games share, never in another game: "claim" means different things in two games.
Names are no words: only those that a game translates on purpose have another form in a language.

>>> from models.message import say
>>> translate(say("{count} steps", count=3))
'3 steps'
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.text.agreement import agreed, english
from companion.text.lengths import INCHES, LengthFormat
from models.message import (
    CONTEXT,
    NAMES,
    NOTHING,
    PLAYERS,
    LazyMessage,
    Name,
    PlayerName,
    ShortName,
    say,
    without_passwords,
)

NUMBER = r"(?:[A-Z]{2,5}(?:-[A-Z]+)*-\d+(?:\.\.\d+)?|{rules?})"
BRACKETED = re.compile(rf" ?\({NUMBER}(?:, -?{NUMBER})*\)")
"""Rule numbers in brackets, as sentences of the log carry them."""


def unnumbered(text: str) -> str:
    """The sentence without rule numbers in brackets; it can still be translated.

    >>> unnumbered("points and army points are equal (TMG-VIC-6)")
    'points and army points are equal'
    """
    if isinstance(text, Name):
        return text
    if not isinstance(text, LazyMessage):
        return BRACKETED.sub("", text)
    values = {
        key: unnumbered(value) if isinstance(value, str) else value
        for key, value in text.values.items()
    }
    return say(BRACKETED.sub("", text.one), BRACKETED.sub("", text.many), **values)


def capital(text: str) -> str:
    """A text as the beginning of a line."""
    return text[:1].upper() + text[1:]


def numbers_in(text: str) -> tuple[str, ...]:
    """The rule numbers of a sentence, for those who ask why."""
    return tuple(dict.fromkeys(re.findall(r"(?<![\w-])[A-Z]{2,5}(?:-[A-Z]+)+-\d+", text)))


PACKAGE = Path(__file__).parents[1]
LANGUAGES = {"en": "English", "de": "Deutsch", "ru": "Русский"}
LANGUAGE: dict[str, Any] = {"choices": LANGUAGES, "default": "en", "help": "language of the output"}
"""The `--language` option of every command that prints sentences."""

Count = Callable[[int], int]


TYPED = re.compile(r"{(\w+)!r}")
"""A value that is quoted in a template: an id, a field or a name as somebody typed it."""
QUOTED = "“{note}”"


class TypedText(str):
    """What somebody typed: no word, and quoted as the language quotes."""

    __slots__ = ("marks",)
    marks: str

    def between(self, forms: Mapping[str, tuple[str, ...]]) -> TypedText:
        """The text with the quotation marks of these translations."""
        self.marks = forms.get(QUOTED, ("'{note}'",))[0]
        return self

    def __repr__(self) -> str:
        return self.marks.format(note=str.__repr__(self)[1:-1])


@dataclass(frozen=True, slots=True)
class MessageCatalogue:
    """The translations of one language by English text, and how it writes lengths.

    A text that depends on a count has several plural forms; a word with several meanings has a
    context for each. The names of a game's own cards and places are kept apart.
    """

    language: str = "en"
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    form: Count = lambda n: int(n != 1)
    ruler: LengthFormat = INCHES
    names: Mapping[str, str] = field(default_factory=dict)
    turned: Mapping[str, str] = field(default_factory=dict)
    """What is said instead of a template, where a board is drawn turned."""

    def translate(self, sentence: str) -> str:
        """Translate a sentence, and the words and messages in it; names only on purpose."""
        if isinstance(sentence, Name):
            return self.name(sentence)[:]
        if not isinstance(sentence, LazyMessage):
            forms = self.forms.get(sentence)
            return self.ruler.plain(forms[0] if forms else self.name(sentence))
        if not sentence.values:
            return self.ruler.plain(self.forms.get(sentence.one, (sentence[:],))[0])
        typed = TYPED.findall(sentence.one) if "!r" in sentence.one else ()
        values = {
            key: self.value(key, value, key in typed) if isinstance(value, str) else value
            for key, value in sentence.values.items()
        }
        if SENTENCES in sentence.one:
            values = {key: capital(value) for key, value in values.items()}
        elif sentence.one.startswith(SPACED):
            values = dict(zip(values, opened([*values.values()]), strict=True))
        try:
            one = self.turned.get(sentence.one, sentence.one)
            return self.fill(one, sentence.many, values, sentence.values)
        except (ValueError, TypeError, LookupError, ArithmeticError):
            return sentence[:]  # a file gave it other values than the translation needs

    def value(self, key: str, value: str, typed: bool = False) -> str:
        """A text in a sentence: a name, a word, a message, or what somebody typed."""
        if typed:
            return TypedText(value).between(self.forms)
        if type(value) is str and value[:1] == value[-1:] == "'":  # quoted already
            return repr(TypedText(value[1:-1]).between(self.forms))
        if type(value) is str and key in PLAYERS:
            return self.player(value)
        return self.name(value) if type(value) is str and key in NAMES else self.translate(value)

    def name(self, name: str) -> str:
        """A name as the game prints it in this language; a number behind it stays.

        A short name may have a translation of its own, in the context "short".
        """
        if not self.names:
            return name
        if isinstance(name, PlayerName):
            return self.player(name)
        context = f"short{CONTEXT}" if isinstance(name, ShortName) else ""
        own, _, number = name.rpartition(" ")
        for one, end in ((name, ""), *([(own, f" {number}")] if NUMBERED(number) else ())):
            if found := self.names.get(context + one) or self.names.get(one):
                return found + end
        several = name.split(", ")
        return name if len(several) == 1 else ", ".join(self.name(one) for one in several)

    def player(self, name: str) -> str:
        """A player's name as it was given; that of a side may have another form in this language.

        It has the context "player" in the file of names.
        """
        told = (self.names.get(f"player{CONTEXT}{one}", one) for one in name.split(", "))
        return ", ".join(told)

    def fill(
        self, one: str, many: str, values: Mapping[str, Any], names: Mapping[str, Any] = NOTHING
    ) -> str:
        """A template in this language, in the form for its number and for the names in it."""
        forms = self.forms.get(one)
        if forms is None:
            pattern = many if many and values["n"] != 1 else one.rpartition(CONTEXT)[2]
            if self.language == "en":
                pattern = english(pattern, names)
        else:
            pattern = forms[min(self.form(abs(values["n"])), len(forms) - 1) if many else 0]
            if "|" in pattern:
                pattern = agreed(pattern, names, self.names)
        return self.ruler.filled(pattern, values)

    def translate_all(self, value: Any) -> Any:
        """A value with every lazy message and name in it translated."""
        if isinstance(value, LazyMessage | Name):
            return self.translate(value)
        if isinstance(value, dict):
            return {
                key if type(key) is str else self.translate_all(key): one
                if type(one) in SILENT
                else self.translate_all(one)
                for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return type(value)(
                [one if type(one) in SILENT else self.translate_all(one) for one in value]
            )
        return value


SENTENCES = ". {part1}"
"""In the template of joined sentences (`models.message.joined`): each begins with a capital."""
SPACED = "{part0} {part1}"
"""The template of parts with a space between them, which may be sentences with their full stops."""


def opened(parts: Sequence[str]) -> Iterator[str]:
    """Parts of a line: what follows a full stop begins with a capital letter."""
    before = ""
    for part in parts:
        yield capital(part) if before.endswith((".", "!", "?")) else part
        before = part


NUMBERED = re.compile(r"\d+|\(\w+\)").fullmatch
"""What tells two of the same name apart: a number, or an id in brackets."""

SILENT = frozenset({str, int, float, bool, type(None)})
"""Types that never contain a lazy message (a lazy message is a subclass of `str`)."""

ENGLISH = MessageCatalogue()


class Language:
    """The selected language, and the unit of length."""

    def __init__(self) -> None:
        self.catalogue, self.units, self.game = ENGLISH, "in", ""
        self.turned: Mapping[str, str] = {}

    def set_language(self, language: str) -> None:
        """Select a language."""
        found = catalogue(language, self.units, self.game)
        self.catalogue = replace(found, turned=self.turned) if self.turned else found

    def set_turned(self, turned: Mapping[str, str]) -> None:
        """Say these templates instead of others, as long as a board is drawn turned."""
        if turned != self.turned:
            self.turned = turned
            self.set_language(self.catalogue.language)

    def set_game(self, game: str) -> None:
        """Select the game whose words come first: the name of its package, or none."""
        if game != self.game:
            self.game = game
            self.set_language(self.catalogue.language)

    def set_units(self, units: str) -> None:
        """Select the unit of length: "in" or "cm"."""
        self.units = units
        self.set_language(self.catalogue.language)

    def ruler(self) -> LengthFormat:
        return self.catalogue.ruler

    def language(self) -> str:
        """The two-letter code of the selected language."""
        return self.catalogue.language

    def translate(self, sentence: str) -> str:
        """Translate a sentence into the selected language."""
        return self.catalogue.translate(sentence)

    def translate_all(self, value: Any) -> Any:
        """An answer with all lazy messages translated; ids, keys and names stay unchanged."""
        return value if self.catalogue is ENGLISH else self.catalogue.translate_all(value)


CURRENT = Language()
set_language, language, translate, translate_all = (
    CURRENT.set_language,
    CURRENT.language,
    CURRENT.translate,
    CURRENT.translate_all,
)
set_units, ruler, set_game = CURRENT.set_units, CURRENT.ruler, CURRENT.set_game
set_turned = CURRENT.set_turned
_ = translate


@contextmanager
def speaking(language: str, game: str) -> Iterator[MessageCatalogue]:
    """Another language and game for a while; afterwards those before it are selected again."""
    before = CURRENT.catalogue, CURRENT.game
    CURRENT.catalogue, CURRENT.game = catalogue(language, CURRENT.units, game), game
    try:
        yield CURRENT.catalogue
    finally:
        CURRENT.catalogue, CURRENT.game = before


@lru_cache
def catalogue(language: str, units: str = "in", game: str = "") -> MessageCatalogue:
    """All translations for a language, those of a game first; an unknown language gives English."""
    if units == "cm":
        own = catalogue(language, game=game)
        return replace(
            own, ruler=LengthFormat(own.translate("cm"), own.translate("mm"), own.ruler.mark)
        )
    if language == "en" or language not in LANGUAGES:
        return ENGLISH
    forms: dict[str, tuple[str, ...]] = {}
    form = ENGLISH.form
    for path in files(language, game):
        found = read_po(path)
        form = counting(found.pop("", ("",))[0])
        forms |= found
    for source, translated in list(forms.items()):  # the same sentence without its rule numbers
        if (bare := BRACKETED.sub("", source)) != source:
            forms.setdefault(bare, tuple(BRACKETED.sub("", one) for one in translated))
    names = {
        source: name
        for path in name_files(language, game)
        for source, (name, *_) in read_po(path).items()
        if source
    }
    return MessageCatalogue(language, forms, form, LengthFormat(mark=","), names)


def files(language: str, game: str = "") -> list[Path]:
    """The `.po` files of a language, the last word last: the app, what all share, the game.

    Where no game is played, as on the home screen, all games are read, before the others.
    """
    own = game_files(game, f"{language}.po")
    rooms = [PACKAGE / "engine" / "locale", PACKAGE / "locale"]
    shared = [path for room in rooms if (path := room / f"{language}.po").exists()]
    return [*shared, *own] if game else [*own, *shared]


def name_files(language: str, game: str) -> list[Path]:
    """The `.po` files with the names that games translate: of their cards, units and places."""
    return game_files(game, f"{language}-names.po")


def game_files(game: str, name: str) -> list[Path]:
    """That file of a game, after those it derives from ("base:own"); or of all games."""
    if not game:
        return sorted(PACKAGE.glob(f"games/*/locale/{name}"))
    found = (package_folder(package) / "locale" / name for package in game.split(":"))
    return [path for path in found if path.exists()]


def package_folder(package: str) -> Path:
    """The folder of a game's package: one of ours, or an installed one that is loaded."""
    ours = PACKAGE / "games" / package
    loaded = sys.modules.get(package)
    outside = getattr(loaded, "__file__", None) if not ours.is_dir() else None
    return Path(outside).parent if outside else ours


# -- files ----------------------------------------------------------------------------------------

LINE = r'(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[\d\])? )?(".*")$'


def read_po(path: Path) -> dict[str, tuple[str, ...]]:
    """The translated texts of a `.po` file, and its header under ""."""
    return {
        source: forms
        for source, forms in entries(path.read_text(encoding="utf-8"))
        if all(forms) and (source or forms != ("",))
    }


def entries(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every entry of the text of a `.po` file."""
    source, context, forms = "", "", list[str]()
    last, pattern = "msgstr", re.compile(LINE)
    for line in text.splitlines():
        found = pattern.match(line.strip())
        if found is None:
            continue
        word, told = found[1], json.loads(found[2])
        if word in ("msgctxt", "msgid") and forms:
            yield source, tuple(forms)
            forms = []
        if word == "msgctxt":
            context = told + CONTEXT
        elif word == "msgid":
            source, context = context + told, ""
        elif word == "msgstr":
            forms.append(told)
        elif word is None and last == "msgid":
            source += told
        elif word is None and last == "msgstr":
            forms[-1] += told
        last = word or last
    if forms:
        yield source, tuple(forms)


def counting(header: str) -> Count:
    """The function that selects the plural form, from the gettext rule in the header."""
    import gettext  # English does not need it

    rule = re.search(r"plural=([^;]+);", header)
    return gettext.c2py(rule[1]) if rule else ENGLISH.form


LONGEST_LINE = 1000


def complain(problem: object) -> None:
    """Print one line, with control characters escaped and without passwords."""
    told = without_passwords(str(problem)[: 4 * LONGEST_LINE])
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in told)
    if len(text) > LONGEST_LINE:
        text = f"{text[:LONGEST_LINE]}…"
    with suppress(OSError):  # a full disk behind stderr: the status tells it still
        print(f"companion: {text}", file=sys.stderr, flush=True)
