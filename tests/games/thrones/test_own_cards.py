"""Cards that players add or correct in a form, and how a game uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.api.card_form import CardForms
from companion.games.thrones.cards.catalogue import card_catalogue, search
from companion.games.thrones.cards.deck_reader import read_deck
from companion.games.thrones.screen import SCREEN
from models.errors import CompanionError

GAME = "thrones"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


def test_a_shipped_card_is_corrected_and_restored() -> None:
    assert isinstance(SCREEN, CardForms)
    (arya, *_) = card_catalogue().named("Arya Stark")
    values = dict(SCREEN.form_values(GAME, "character", arya.code))
    assert (values["strength"], values["icon-power"]) == (arya.strength, True)
    values |= {"strength": 7, "icon-military": True}
    assert not SCREEN.form_problems(GAME, "character", values)
    assert SCREEN.save_form(GAME, "character", values) == arya.code
    deck, _notes = read_deck(f"3x Arya Stark ({arya.pack})", card_catalogue())
    ((changed, _n),) = deck.cards
    assert (changed.strength, changed.icons[0]) == (7, "military")
    assert (changed.cost, changed.unique, changed.keywords) == (
        arya.cost,
        arya.unique,
        arya.keywords,
    )
    assert SCREEN.form_cards(GAME, "character")[0].own
    assert SCREEN.remove_form(GAME, "character", arya.code)
    assert card_catalogue()[arya.code] == arya


@pytest.mark.parametrize("kind", ["character", "location", "attachment", "event", "plot", "agenda"])
def test_every_shipped_card_survives_its_form(kind: str) -> None:
    known = card_catalogue()
    for one in SCREEN.form_cards(GAME, kind)[::25]:
        code = SCREEN.save_form(GAME, kind, SCREEN.form_values(GAME, kind, one.id))
        assert card_catalogue().own[code] == known[code], one.name


def test_a_new_card_is_found_exported_and_imported() -> None:
    values = {"name": "Hedge Knight of Ours", "faction": "tyrell", "strength": 3, "cost": 2}
    code = SCREEN.save_form(GAME, "character", values)
    (found,) = search(card_catalogue(), "knight of ours")
    assert (found.code, found.faction, found.strength) == (code, "tyrell", 3)
    text = SCREEN.export_forms(GAME, "character", [code])
    assert SCREEN.remove_form(GAME, "character", code)
    assert not search(card_catalogue(), "knight of ours")
    assert SCREEN.import_forms(GAME, text, "shared.toml") == ["Hedge Knight of Ours"]
    assert search(card_catalogue(), "knight of ours") == [found]


def test_what_is_wrong_with_a_card_is_said_and_nothing_is_kept() -> None:
    (nameless,) = SCREEN.form_problems(GAME, "event", {"cost": 1})
    assert (nameless.field, nameless.text) == ("name", "the card needs a name")
    (wrong,) = SCREEN.form_problems(GAME, "event", {"name": "Trick", "cost": 100})
    assert (wrong.field, "100" in wrong.text) == ("cost", True)
    with pytest.raises(CompanionError, match="100"):
        SCREEN.save_form(GAME, "event", {"name": "Trick", "cost": 100})
    with pytest.raises(CompanionError, match="character"):
        SCREEN.import_forms(GAME, 'format = "table-companion/thrones-cards/1"\ncharacter = 3', "x")
    with pytest.raises(CompanionError, match="no card"):
        SCREEN.form_values(GAME, "event", "01001")
    assert not card_catalogue().own
