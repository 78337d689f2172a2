"""Whether everything can be told from what lies under it, in every palette."""

from __future__ import annotations

import pytest

from companion.app.render.table_view import DIM
from companion.app.render.theme import PALETTES, Colour
from companion.app.widgets.icon import DIE_EDGE

GROUNDS = ("back", "panel", "card", "raised")
WORDS = ("text", "soft", "faint", "accent-words", "good", "bad", "warn")
SIDES = tuple(f"side-{place}" for place in range(6))
LEAST_WORDS = 4.5
LEAST_BUTTON = {"dark": 1.3, "light": 2.2, "contrast": 4.5}
"""How far a button stands out from what it lies on: by its ground, or by the edge about it."""


def light(colour: Colour) -> float:
    """Relative luminance."""
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: Colour, other: Colour) -> float:
    """From 1 (the same) to 21 (black on white)."""
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("role", [*WORDS, *SIDES])
def test_words_can_be_read_on_every_ground(palette: str, role: str) -> None:
    look = PALETTES[palette]
    found = {ground: round(ratio(look[role], look[ground]), 2) for ground in GROUNDS}
    assert min(found.values()) >= LEAST_WORDS, found
    assert ratio(look["on-accent"], look["accent"]) >= LEAST_WORDS


@pytest.mark.parametrize("palette", PALETTES)
def test_buttons_stand_out_from_what_they_lie_on(palette: str) -> None:
    look = PALETTES[palette]
    for ground in ("back", "panel", "card"):
        best = ratio(look["raised"], look[ground])
        if look["edge"][3]:
            best = max(best, ratio(look["edge"], look[ground]))
        assert best >= LEAST_BUTTON[palette], (ground, best)
        assert ratio(look["line"], look[ground]) >= min(LEAST_BUTTON[palette], 1.6), ground


def test_the_outline_of_a_cream_die_is_seen_on_white() -> None:
    for ground in GROUNDS:
        assert ratio(DIE_EDGE, PALETTES["light"][ground]) >= 3.0, ground


@pytest.mark.parametrize("place", range(6))
def test_white_can_be_read_on_every_banner(place: int) -> None:
    for look in PALETTES.values():
        assert ratio((1, 1, 1, 1), look[f"fill-{place}"]) >= 4.9


def test_black_on_white_is_known() -> None:
    assert ratio((0, 0, 0, 1), (1, 1, 1, 1)) == pytest.approx(21)


def test_high_contrast_leaves_the_models_bright() -> None:
    assert DIM >= 0.8
