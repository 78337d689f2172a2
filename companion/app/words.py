"""The app's words in the players' language, switched while it runs.

The `.po` files beside this one are read as they are; what they lack stays English. The same words
are handed to gettext, so that overlays and summaries speak the language too.
"""

from __future__ import annotations

import ast
import gettext
import os
import struct
import tempfile
from functools import lru_cache
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = {"en": "English", "de": "Deutsch", "ru": "Русский"}


class Speaker:
    """The language spoken now."""

    def __init__(self) -> None:
        self.language = "en"
        self.known: dict[str, str] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def speak(self, language: str) -> None:
        """Speak that language from now on."""
        self.language = language if language in LANGUAGES else "en"
        self.known = read_po(LOCALE / f"{self.language}.po")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="companion-words-")
            gettext.bindtextdomain("messages", self._folder.name)
            # Its lookup costs several file checks per word; overlays say hundreds of words.
            gettext.translation = translation  # type: ignore[assignment]
        place = Path(self._folder.name) / self.language / "LC_MESSAGES"
        place.mkdir(parents=True, exist_ok=True)
        compiled = place / "messages.mo"
        if not compiled.exists():
            compiled.write_bytes(mo_bytes(self.known))
        os.environ["LANGUAGE"] = self.language

    def say(self, text: str, **values: object) -> str:
        """The text in that language, with the values in its braces."""
        told = self.known.get(text) or text
        return told.format(**values) if values else told


@lru_cache(maxsize=8)
def kept(domain: str, folder: str | None, language: str) -> gettext.NullTranslations:
    """The words of a domain, looked up once."""
    return FIND(domain, folder, [language], fallback=True)


def translation(
    domain: str, localedir: str | None = None, *rest: object, **more: object
) -> gettext.NullTranslations:
    """gettext's own, but it asks the disk once per language and not once per word."""
    return kept(domain, localedir, os.environ.get("LANGUAGE", "en"))


FIND = gettext.translation
SPEAKER = Speaker()
_ = SPEAKER.say
speak = SPEAKER.speak


def read_po(path: Path) -> dict[str, str]:
    """The translations of a `.po` file that are there."""
    found: dict[str, str] = {}
    key: list[str] = []
    told: list[str] = []
    into: list[str] | None = None
    for raw in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        line = raw.strip()
        if line.startswith("msgid "):
            if key and told:
                found["".join(key)] = "".join(told)
            key, told = [ast.literal_eval(line[6:])], []
            into = key
        elif line.startswith("msgstr "):
            told.append(ast.literal_eval(line[7:]))
            into = told
        elif line.startswith('"') and into is not None:
            into.append(ast.literal_eval(line))
    if key and told:
        found["".join(key)] = "".join(told)
    return {source: target for source, target in found.items() if source and target}


def mo_bytes(known: dict[str, str]) -> bytes:
    """The translations as gettext's own binary file."""
    header = "Content-Type: text/plain; charset=UTF-8\n"
    pairs = sorted((a.encode(), b.encode()) for a, b in {"": header, **known}.items())
    count = len(pairs)
    place = 28 + 16 * count
    tables: list[list[tuple[int, int]]] = [[], []]
    body = b""
    for side in (0, 1):
        for pair in pairs:
            tables[side].append((len(pair[side]), place + len(body)))
            body += pair[side] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0)
    rows = b"".join(struct.pack("<2I", *row) for table in tables for row in table)
    return head + rows + body
