"""Cards are found by id, name, or name and title; a slip is answered with the nearest names."""

from __future__ import annotations

import pytest

from companion.games.tmg.cards.army_catalogue import army_catalogue
from models import UnknownName
from models.army_card import CardIndex, folded


@pytest.mark.parametrize(
    ("kind", "name", "found"),
    [
        ("units", "10201", "10201"),
        ("units", "stark sworn swords", "10201"),
        ("units", "King’s  Men", "10608"),
        ("attachments", "Robb Stark, The Wolf Lord", "20201"),
        ("attachments", 'jon snow, "lord snow"', "20503"),
        ("attachments", "Jon Snow, “Lord Snow”", "20503"),
        ("ncus", "Walda Frey", "31001"),
        ("cards", "Winter is coming", "40205"),
    ],
)
def test_found(kind: str, name: str, found: str) -> None:
    assert getattr(army_catalogue("tmg-2021"), kind).find(name).id == found


@pytest.mark.parametrize(
    ("name", "factions", "found"),
    [
        ("Stormcrow Archers", ("targaryen", "neutral"), "10712"),
        ("Stormcrow Archers", ("stark", "neutral"), "10407"),
        ("Stone Crows", ("lannister",), "10116"),
    ],
)
def test_the_first_faction_that_has_it(name: str, factions: tuple[str, ...], found: str) -> None:
    assert army_catalogue("tmg-2021").units.find(name, factions).id == found


@pytest.mark.parametrize(
    ("kind", "name", "nearest"),
    [
        ("units", "Stark Sword Sworns", "Stark Sworn Swords"),
        ("units", "lanister guardsman", "Lannister Guardsmen"),
        ("units", "berserkers", "House Umber Berserkers"),
        ("attachments", "Rob Stark the wolf lord", "Robb Stark, The Wolf Lord"),
        ("ncus", "Little Finger", "Petyr Baelish, Littlefinger"),
        ("cards", "Here Me Roar", "Hear Me Roar!"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(kind: str, name: str, nearest: str) -> None:
    with pytest.raises(UnknownName) as caught:
        getattr(army_catalogue("tmg-2021"), kind).find(name)
    head, _, offered = str(caught.value).partition("; nearest: ")
    assert head.endswith(repr(name))
    assert nearest in offered.split("; ")
    assert len(offered.split("; ")) == 3


def test_a_name_of_several_cards_lists_them() -> None:
    with pytest.raises(UnknownName, match=r"^'Mag the Mighty' is more than one unit: ") as caught:
        army_catalogue("tmg-2021").units.find("Mag the Mighty", ("freefolk",))
    assert "(freefolk, 10313)" in str(caught.value)
    assert "(freefolk, 10314)" in str(caught.value)


def test_an_absurd_name_stays_one_short_line() -> None:
    with pytest.raises(UnknownName) as caught:
        army_catalogue("tmg-2021").units.find("x\n" * 5000)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_empty_shelf() -> None:
    with pytest.raises(UnknownName, match=r"^no tactics card 'Winter'; nearest: none at all$"):
        army_catalogue("tmg-2018").cards.find("Winter")
    assert dict(CardIndex()) == {}


def test_folded() -> None:
    assert folded(" R’hllor \t Faithful ") == "r'hllor faithful"
