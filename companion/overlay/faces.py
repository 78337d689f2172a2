"""The typefaces that come with the companion: subsets with Latin and Cyrillic letters.

Their licences lie beside them and are listed in docs/licences.md.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"

TEXT, TEXT_BOLD = FOLDER / "BodySans-Regular.ttf", FOLDER / "BodySans-Bold.ttf"
NARROW = FOLDER / "BodySans-NarrowBold.ttf"
"""For badges, tools and the dock, where there is little room."""
TITLE, TITLE_BLACK = FOLDER / "TitleSerif-Bold.ttf", FOLDER / "TitleSerif-Black.ttf"
TITLE_ITALIC = FOLDER / "TitleSerif-BoldItalic.ttf"
"""For names of places. Its figures are old-style: numbers that count are written in `TEXT`."""

FACES: dict[str, Path] = {
    "text": TEXT,
    "bold": TEXT_BOLD,
    "narrow": NARROW,
    "title": TITLE,
    "black": TITLE_BLACK,
    "italic": TITLE_ITALIC,
}
"""The faces by the names that text marks use."""
