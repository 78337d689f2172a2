"""A typo in an army list: which card was meant, and the list with it."""

from __future__ import annotations

import pytest

from companion.engine.files.draft_editor import misspelling, repairs
from companion.session.game_lookup import find_army_reader
from models import CompanionError

GAME = "tmg-2021"
LISTED = """Faction: House Stark
Commander: Robb Stark – The Wolf Lord

Combat Units:
• Stark Sworn Swords (5)
  with Robb Stark – The Wolf Lord (0)
• Stark Bowmen (6)
"""


def read(text: str) -> object:
    return find_army_reader(GAME).read_army(GAME, text, 40)


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize(
    ("right", "wrong", "listed"),
    [
        ("Sworn Swords", "Swron Swords", LISTED),
        ("with Robb Stark – The Wolf Lord", "with Robb Stark – The Wolf Lrod", LISTED),
        ("with Robb Stark – The Wolf Lord", "with Robb Stark (The Wlof Lord)", LISTED),
        ("Commander: Robb Stark", "Commander: Rob Stark", LISTED),
        ("Bowmen", "Bowmne", LISTED),
        ("20201", "2o201", "stark;10201,20201,10202"),
    ],
)
def test_one_typo_is_mended_by_one_choice(right: str, wrong: str, listed: str) -> None:
    text = listed.replace(right, wrong, 1)
    assert text != listed
    with pytest.raises(CompanionError) as refused:
        read(text)
    found = misspelling(refused.value)
    assert found is not None
    assert read(repairs(text, found, read)[0].text) == read(listed)


@pytest.mark.rule("TMG-ARM-3")
def test_two_typos_are_asked_one_after_the_other() -> None:
    text = LISTED.replace("Sworn", "Swron").replace("Bowmen", "Bowmne")
    for name in ("Stark Sworn Swords", "Stark Bowmen"):
        with pytest.raises(CompanionError) as refused:
            read(text)
        found = misspelling(refused.value)
        assert found is not None
        text = next(one.text for one in repairs(text, found, read) if one.name == name)
    assert read(text) == read(LISTED)


def test_what_suggests_nothing_is_not_mended() -> None:
    for text in ("", "nonsense", "Faction: House Stark\n• " + "x" * 90):
        with pytest.raises(CompanionError) as refused:
            read(text)
        assert misspelling(refused.value) is None
    assert misspelling(ValueError()) is None
