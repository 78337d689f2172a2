"""Sheets to print, in the language of the app: every sentence, in letters that the file holds."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.printing.pdf import PdfPage, SheetText, document, text_mm
from calibration.printing.truetype import truetype
from companion.cli.program import main
from companion.engine.app_words import set_language
from companion.engine.files.exports import SHEETS
from companion.overlay.map_theme import TEXT, TEXT_BOLD
from companion.text.translation import catalogue
from tests.sentences import ROOT, sources, templates

FONTS = (truetype(TEXT), truetype(TEXT_BOLD))


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


def lines(data: bytes) -> list[str]:
    """The lines of text in a PDF file, whatever font they are in."""
    letters = [{number: letter for letter, number in one.glyphs.items()} for one in FONTS]
    found = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL):
        drawing = zlib.decompress(stream).decode("latin-1")
        for name, told in re.findall(r"BT 0 g /F(\d) .* Td (.*) Tj ET", drawing):
            if told.startswith("("):
                found.append(told[1:-1].encode("latin-1").decode("cp1252"))
            else:
                codes = [int(told[at : at + 4], 16) for at in range(1, len(told) - 1, 4)]
                found.append("".join(letters[int(name) - 1][code] for code in codes))
    return found


@pytest.mark.parametrize("language", ["de", "ru"])
def test_every_sentence_of_the_sheets_is_translated(language: str) -> None:
    known = catalogue(language).forms
    said = {
        one for _path, tree in sources(ROOT / "calibration/printing") for one, _ in templates(tree)
    }
    assert len(said) > 60
    assert said - set(known) == set()


@pytest.mark.parametrize("sheet", sorted(SHEETS))
@pytest.mark.parametrize(
    ("language", "words", "embedded"),
    [
        ("en", "Print at 100 %", False),
        ("de", "Mit 100 % drucken", False),
        ("ru", "Печать 100 %", True),
    ],
)
def test_a_sheet_speaks_the_language_of_the_app(
    sheet: str, language: str, words: str, embedded: bool
) -> None:
    set_language(language)
    data = SHEETS[sheet].draw("a4", 25.0, (48.0, 48.0))
    assert any(one.startswith(words) for one in lines(data))
    assert (data.count(b"/FontFile2"), b"/Helvetica" in data) == (
        (2, False) if embedded else (0, True)
    )


def test_a_long_line_is_written_smaller_until_it_fits_its_room() -> None:
    page = PdfPage(210.0, 297.0)
    page.text(12.0, 20.0, "lang " * 60, 9.0)
    page.text(12.0, 30.0, "short", 9.0)
    lettering = SheetText(lambda text: text.replace("lang", "долг"), TEXT, TEXT_BOLD)
    data = document([page], "Lines", lettering)
    drawing = zlib.decompress(re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)[0]).decode()
    sizes = [float(one) for one in re.findall(r"/F1 ([\d.]+) Tf", drawing)]
    assert text_mm("долг " * 60, sizes[0], FONTS[0]) <= 210.0 - 12.0
    assert sizes[1] == 9.0


def test_the_command_prints_in_the_players_language(tmp_path: Path) -> None:
    path = tmp_path / "tags.pdf"
    assert main(["print", "tags", "--pdf", str(path), "--language", "de"]) == 0
    assert "Wie Marken an Tableaus sitzen" in lines(path.read_bytes())


@pytest.mark.parametrize("letter", ["A", "ä", "Ж", "€"])
def test_the_font_tells_where_a_letters_glyph_is_and_how_wide(letter: str) -> None:
    from PIL import ImageFont

    wide = ImageFont.truetype(str(TEXT), 1000).getlength(letter)
    assert FONTS[0].glyph(letter) > 0
    assert FONTS[0].width(letter) == pytest.approx(wide, abs=2)
