"""The pages have the colours of the app: those of the theme and of the seats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import companion.web
from companion.app.render.theme import PALETTES
from companion.overlay.map_theme import SIDE_LOOKS

STYLE = (Path(companion.web.__file__).parent / "static" / "style.css").read_text(encoding="utf-8")
ROOTS = [
    dict(re.findall(r"--(\w+):(#\w{6})", root))
    for root in re.findall(r":root{(.*?)}", STYLE, re.DOTALL)
]
NAMES = {
    "bg": "back", "surface": "card", "raised": "raised", "ink": "text", "ink2": "soft",
    "gold": "accent", "ongold": "on-accent", "yes": "good", "no": "bad", "unsure": "warn",
}  # fmt: skip


def code(colour: Sequence[float]) -> str:
    """A colour of parts up to 255 as a page writes it."""
    return "#" + "".join(f"{round(part):02X}" for part in colour[:3])


@pytest.mark.parametrize(("palette", "root"), [("dark", 0), ("light", 1)])
def test_a_page_is_painted_in_the_colours_of_the_app(palette: str, root: int) -> None:
    own = {**ROOTS[0], **ROOTS[root]}
    theme = {
        name: code([255 * part for part in PALETTES[palette][word]]) for name, word in NAMES.items()
    }
    assert {name: own[name] for name in NAMES} == theme


def test_a_seat_has_the_same_colours_everywhere() -> None:
    dark, light = ROOTS
    for number, look in enumerate(SIDE_LOOKS, 1):
        assert dark[f"s{number}"] == code(look.edge)
        assert dark[f"s{number}d"] == code(look.fill)
        assert light[f"s{number}"] == code(look.colour)
