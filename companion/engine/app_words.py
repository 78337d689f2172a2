"""Translations of the app's own texts, switchable while it runs.

Buttons and headings are in the `.po` files of `companion/engine/locale`; what is missing there is
looked up in the other packages' translations (`companion.text.translation`), so that a game's term
is the same everywhere.
"""

from __future__ import annotations

from pathlib import Path

from companion.text import translation
from companion.text.translation import LANGUAGES, read_po, ruler, set_turned, set_units
from models.message import LazyMessage

__all__ = [
    "APP_LANGUAGE", "LANGUAGES", "LOCALE", "_", "ruler", "set_language", "set_turned", "set_units",
]  # fmt: skip

LOCALE = Path(__file__).parent / "locale"


class AppLanguage:
    """The current language of the app."""

    def __init__(self) -> None:
        self.language = "en"
        self.labels: dict[str, str] = {}
        """The English texts of ids, such as the readings of a rule."""

    def set_language(self, language: str) -> None:
        """Switch the app and the other packages to this language."""
        self.language = language if language in LANGUAGES else "en"
        self.labels = {
            source: forms[0]
            for source, forms in read_po(LOCALE / "en.po").items()
            if self.language == "en"
        }
        translation.set_language(self.language)

    def say(self, text: str, many: str = "", /, **values: object) -> str:
        """Translate a text, in the form for its number `n`, and fill in the values as they are."""
        if not text:  # an empty entry of a .po file is its head
            return ""
        if values:
            return translation.CURRENT.catalogue.fill(text, many, values)
        source = text.one if isinstance(text, LazyMessage) else text
        return translation.ruler().plain(self.labels.get(source) or translation.translate(text))


APP_LANGUAGE = AppLanguage()
_ = APP_LANGUAGE.say
set_language = APP_LANGUAGE.set_language
