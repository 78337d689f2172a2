"""The app's own words in the players' language, switched while it runs.

Buttons and headings are in the `.po` files beside this one; what they lack is looked up among the
words of the other packages (`companion.text.translation`), so that a word of the game is one
word everywhere.
"""

from __future__ import annotations

from pathlib import Path

from companion.text import translation
from companion.text.translation import LANGUAGES, measure, read_po, ruler

__all__ = ["LANGUAGES", "LOCALE", "SPEAKER", "_", "measure", "ruler", "speak"]

LOCALE = Path(__file__).parents[1] / "locale"


class AppLanguage:
    """The language spoken now."""

    def __init__(self) -> None:
        self.language = "en"
        self.known: dict[str, str] = {}

    def speak(self, language: str) -> None:
        """Speak that language from now on, in every room."""
        self.language = language if language in LANGUAGES else "en"
        self.known = {
            source: forms[0] for source, forms in read_po(LOCALE / f"{self.language}.po").items()
        }
        translation.speak(self.language)

    def say(self, text: str, **values: object) -> str:
        """The text in that language, with the values in its braces."""
        told = self.known.get(text) or translation.tell(text)
        return told.format(**values) if values else ruler().plain(told)


SPEAKER = AppLanguage()
_ = SPEAKER.say
speak = SPEAKER.speak
