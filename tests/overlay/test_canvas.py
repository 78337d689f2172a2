from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import ImageFont

from companion.overlay.canvas import Canvas, TextLine, block_size, dashes, fitted, font, wrapped
from companion.overlay.map_theme import FACES


def test_dashes_have_their_length_and_turn_corners() -> None:
    strokes = list(dashes([(0, 0), (10, 0), (10, 10)], 6, 2))
    lengths = [sum(math.dist(p, q) for p, q in pairwise(stroke)) for stroke in strokes]
    assert lengths == pytest.approx([6, 6, 4])
    assert strokes[1] == [(8, 0), (10, 0), (10, 4)]


def test_a_fill_leaves_its_holes() -> None:
    sheet = Canvas(60, 60, (255, 255, 255))
    square = [(10, 10), (50, 10), (50, 50), (10, 50)]
    sheet.fill(square, (0, 0, 0), holes=[[(20, 20), (40, 20), (40, 40), (20, 40)]])
    sheet.reduce()
    assert sheet.image.getpixel((15, 30)) == (0, 0, 0)
    assert sheet.image.getpixel((30, 30)) == (255, 255, 255)
    assert sheet.image.getpixel((5, 5)) == (255, 255, 255)


def test_opacity_mixes_with_the_paper() -> None:
    sheet = Canvas(20, 20, (255, 255, 255))
    sheet.fill([(0, 0), (20, 0), (20, 20), (0, 20)], (0, 0, 0), opacity=0.5)
    sheet.reduce()
    assert sheet.image.getpixel((10, 10)) == pytest.approx((128, 128, 128), abs=2)


def test_hatching_runs_in_its_direction() -> None:
    sheet = Canvas(80, 80, (255, 255, 255))
    sheet.hatch([(0, 0), (80, 0), (80, 80), (0, 80)], (0, 0, 0), 1.0, 0.0, gap=10, width=3)
    sheet.reduce()
    rows = [sheet.image.getpixel((x, 40)) for x in range(80)]
    column = {sheet.image.getpixel((40, y)) for y in range(80)}
    assert len(set(rows)) == 1
    assert {(0, 0, 0), (255, 255, 255)} <= column


def test_figures_off_the_sheet_do_no_harm() -> None:
    sheet = Canvas(20, 20, (255, 255, 255))
    far = [(900.0, 900.0), (990.0, 900.0), (990.0, 990.0)]
    sheet.fill(far, (0, 0, 0))
    sheet.line(far, (0, 0, 0), 3)
    sheet.line([(-1e6, 10.0), (1e6, 10.0)], (0, 0, 0), 2, dash=None)
    sheet.reduce()
    assert sheet.image.getpixel((10, 10)) == (0, 0, 0)
    assert sheet.image.getpixel((10, 3)) == (255, 255, 255)


def test_names_are_wrapped_and_shrunk_to_their_room() -> None:
    lines = fitted("House Umber Berserkers", 120, 60, largest=30, smallest=12, bold=True)
    width, height = block_size(lines)
    assert width <= 120
    assert height <= 60
    assert " ".join(line.text for line in lines) == "House Umber Berserkers"
    assert fitted("Wolf", 200, 60, 30, 12, bold=False) == [TextLine("Wolf", 30)]


def test_what_does_not_fit_even_smallest_is_cut_short() -> None:
    (line,) = fitted("Unaussprechlichkeiten", 60, 20, largest=30, smallest=12, bold=False)
    assert line.size == 12
    assert line.width <= 60
    assert line.text.startswith("Unau")
    assert line.text.endswith("…")
    lines = fitted("many words " * 20, 60, 30, largest=30, smallest=12, bold=False)
    assert block_size(lines)[1] <= 30


def test_words_break_at_spaces_only() -> None:
    face = font(20, bold=False)
    assert wrapped("one two", face, 1.0) == ["one", "two"]
    assert wrapped("one two", face, 1000.0) == ["one two"]


@pytest.mark.parametrize("text", ["Дикая охота", "Späher", "7.2″ needs 3+ 67%"])
def test_the_font_knows_the_letters_of_three_languages(text: str) -> None:
    missing = bytes(font(30, bold=True).getmask("\uffff"))
    for letter in text.replace(" ", ""):
        assert bytes(font(30, bold=True).getmask(letter)) != missing


def test_the_faces_have_every_letter_that_players_read() -> None:
    """Latin, Cyrillic and the signs of all three languages; the rest is drawn by another font."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in (Path(__file__).parents[2] / "companion").rglob("*.po")
    ]
    letters = {one for text in texts for one in text if one.isalnum() or one in "″′–—…«»„“”’−×·½≥≤"}
    for name, path in FACES.items():
        known = ImageFont.truetype(str(path), 40)
        missing = bytes(known.getmask("\ufdd0"))
        bad = [one for one in sorted(letters) if bytes(known.getmask(one)) == missing]
        assert not bad, (name, bad)
        assert path.stat().st_size < 100_000
        assert list(path.parent.glob("*.txt"))
