"""Every sign that a game names on its screen can be drawn."""

from __future__ import annotations

import ast

import pytest

from companion.games.api.screen_views import Badge, Page, PageCard
from companion.overlay.icons import ICONS
from companion.session.game_lookup import find_screen
from tests.games.random_states import KINDS, states
from tests.sentences import ROOT, sources

ARGUMENT = {Badge.__name__: 1, Page.__name__: 2}
"""Which argument of a record names its sign."""


def named_signs(game: str) -> set[str]:
    """The signs of badges and pages that stand in a game's code."""
    found: set[str] = set()
    for _, tree in sources(ROOT / "companion" / "games" / game / "screen"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = ARGUMENT.get(node.func.id)
            if place is not None and len(node.args) > place:
                sign = node.args[place]
                found |= {str(sign.value)} if isinstance(sign, ast.Constant) else set()
    return found


@pytest.mark.parametrize("game", ["tactics", "thrones", "tmg", "westeros"])
def test_every_badge_and_page_in_the_code_has_a_sign(game: str) -> None:
    named = named_signs(game)
    assert named
    assert named - {""} <= ICONS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_every_shown_sign_can_be_drawn(kind: str) -> None:
    screen = find_screen(kind)
    for state in states(kind, 3, 25):
        shown = {badge.icon for piece in screen.pieces(state) for badge in piece.badges}
        for page in screen.pages(state):
            cards: list[PageCard] = [card for part in page.sections for card in part.cards]
            shown |= {page.icon, *(card.icon for card in cards)}
        assert shown - {""} <= ICONS.keys()
