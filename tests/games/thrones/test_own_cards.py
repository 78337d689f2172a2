"""Cards that players add or correct in a form, and how a game uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.thrones.cards.catalogue import card_catalogue, search
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.screen import SCREEN
from models.message import CompanionError

GAME = "thrones"
CARDS = SCREEN.card_forms(GAME)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


def test_a_shipped_card_is_corrected_and_restored() -> None:
    (arya, *_) = card_catalogue().named("Arya Stark")
    values = dict(CARDS.form_values("character", arya.code))
    assert (values["strength"], values["icon-power"]) == (arya.strength, True)
    values |= {"strength": 7, "icon-military": True}
    assert not CARDS.form_problems("character", values)
    assert CARDS.save_form("character", values) == arya.code
    draft = read_whole(f"3x Arya Stark ({arya.pack})", card_catalogue())
    ((changed, _n),) = draft.deck().cards
    assert (changed.strength, changed.icons[0]) == (7, "military")
    assert (changed.cost, changed.unique, changed.keywords) == (
        arya.cost,
        arya.unique,
        arya.keywords,
    )
    assert CARDS.form_cards("character")[0].own
    assert CARDS.remove_form("character", arya.code)
    assert card_catalogue()[arya.code] == arya


@pytest.mark.parametrize("kind", ["character", "location", "attachment", "event", "plot", "agenda"])
def test_every_shipped_card_survives_its_form(kind: str) -> None:
    known = card_catalogue()
    for one in CARDS.form_cards(kind)[::25]:
        code = CARDS.save_form(kind, CARDS.form_values(kind, one.id))
        assert card_catalogue().own[code] == known[code], one.name


def test_a_new_card_is_found_exported_and_imported() -> None:
    values = {"name": "Hedge Knight of Ours", "faction": "tyrell", "strength": 3, "cost": 2}
    code = CARDS.save_form("character", values)
    (found,) = search(card_catalogue(), "knight of ours")
    assert (found.code, found.faction, found.strength) == (code, "tyrell", 3)
    text = CARDS.export_forms("character", [code])
    assert CARDS.remove_form("character", code)
    assert not search(card_catalogue(), "knight of ours")
    assert CARDS.import_forms(text, "shared.toml").names == ("Hedge Knight of Ours",)
    assert search(card_catalogue(), "knight of ours") == [found]


def test_what_is_wrong_with_a_card_is_said_and_nothing_is_kept() -> None:
    (nameless,) = CARDS.form_problems("event", {"cost": 1})
    assert (nameless.field, nameless.text) == ("name", "the card needs a name")
    (wrong,) = CARDS.form_problems("event", {"name": "Trick", "cost": 100})
    assert (wrong.field, "100" in wrong.text) == ("cost", True)
    with pytest.raises(CompanionError, match="100"):
        CARDS.save_form("event", {"name": "Trick", "cost": 100})
    with pytest.raises(CompanionError, match="character"):
        CARDS.import_forms('format = "table-companion/thrones-cards/1"\ncharacter = 3', "x")
    with pytest.raises(CompanionError, match="no card"):
        CARDS.form_values("event", "01001")
    assert not card_catalogue().own


@pytest.mark.parametrize("folder", ["thrones-cards", "thrones-titles"])
def test_a_broken_file_is_named_and_the_wizard_goes_on(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "plot-torn.toml").write_text('format = "tab', encoding="utf-8")
    steps = SCREEN.steps(GAME, {})
    (line,) = [one.text for step in steps for one in step.problems if "plot-torn" in one.text]
    assert "plot-torn.toml: not TOML" in line
    assert "\n" not in line
    assert [one.id for one in steps] == ["seats", "game", "decks", "begin"]


def test_a_broken_card_is_listed_to_be_entered_anew_or_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "thrones-cards"
    folder.mkdir()
    for name in ("plot-own-x", "whatever"):
        (folder / f"{name}.toml").write_text("format = 1", encoding="utf-8")
    (first, *others) = CARDS.form_cards("plot")
    assert (first.id, first.own) == ("plot-own-x", True)
    assert "plot-own-x.toml: format" in first.detail
    assert others, "the other cards are there"
    assert CARDS.form_values("plot", "plot-own-x") == {"id": "own-x"}
    assert CARDS.form_cards("character")[0].id == "whatever"
    assert search(card_catalogue(), "arya")
    assert CARDS.remove_form("character", "whatever")
    assert CARDS.remove_form("plot", "plot-own-x")
    assert list(folder.iterdir()) == []


def test_a_card_of_another_type_with_the_same_name_replaces_none() -> None:
    """Two different cards never share a code."""
    codes = {
        kind: CARDS.save_form(kind, {"name": "My card", "faction": "stark", **more})
        for kind, more in (("agenda", {"cost": None}), ("location", {"cost": 1}))
    }
    assert len(set(codes.values())) == 2
    assert [card_catalogue()[code].type for code in codes.values()] == ["agenda", "location"]


def test_what_a_card_changes_of_the_plot_is_entered_and_told() -> None:
    """AGOT-KEY-30: printed modifiers and the numbers of keywords are facts of an own card too."""
    values = {"name": "Our Hall", "faction": "stark", "cost": 2, "gold": 1, "reserve": -1,
              "keywords": "shadow (3), limited"}  # fmt: skip
    assert {"gold", "initiative", "claim", "reserve"} <= {
        one.name for form in CARDS.forms() if form.kind == "location" for one in form.fields
    }
    code = CARDS.save_form("location", values)
    card = card_catalogue()[code]
    assert (card.gold, card.reserve, card.keyword_number("shadow")) == (1, -1, 3)
    (listed,) = (one for one in CARDS.form_cards("location") if one.own)
    assert str(listed.detail).endswith("shadow (3), limited, gold +1, reserve -1")


def test_a_card_of_another_type_is_not_hidden_by_its_id() -> None:
    """Both lay in files of one code, and only the second was read."""
    code = CARDS.save_form("character", {"name": "Twin", "faction": "stark", "strength": 1})
    other = {"id": code, "name": "Twin", "faction": "stark"}
    (problem,) = CARDS.form_problems("location", other)
    assert (problem.field, problem.stops) == ("id", True)
    with pytest.raises(CompanionError, match=code):
        CARDS.save_form("location", other)
    assert card_catalogue()[code].type == "character"
