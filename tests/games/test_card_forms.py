"""Forms of the players' own cards: whatever a form asks for is kept and shown again."""

from __future__ import annotations

import random
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from companion.games.api.card_form import CardForm, CardForms, FormField
from companion.games.tactics.cards.card_forms import EnteredScenario
from companion.games.tactics.cards.figure_card import FigureCard
from companion.games.thrones.cards.card import CardFacts
from companion.games.westeros.cards.command_card import CommandCard
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from companion.session.game_lookup import find_screen
from models.message import CompanionError

SIMPLE = ("text", "number", "option", "flag")
TRIES = 60


def forms_of(game: str) -> CardForms:
    forms = find_screen(game).card_forms(game)
    assert forms is not None
    return forms


ASKED = [
    (game, form)
    for game in ("tactics", "westeros", "thrones")
    for form in forms_of(game).forms()
    if form.kind != "note"  # it needs a card of the catalogue: thrones/test_notes.py
]


def filled(dice: random.Random, fields: tuple[FormField, ...]) -> dict[str, Any]:
    return {one.name: value(dice, one) for one in fields if one.required or dice.random() < 0.6}


def value(dice: random.Random, field: FormField) -> Any:
    match field.kind:
        case "number":
            return dice.randint(max(field.least, 1), max(field.most, 1))
        case "option" if field.options:
            return dice.choice(field.options)[0]
        case "flag":
            return True
        case "rows":
            return [filled(dice, field.fields) for _ in range(dice.randint(1, 2))]
    return dice.choice(("Ford", *field.suggest))


@pytest.mark.parametrize(("game", "form"), ASKED, ids=lambda one: getattr(one, "kind", one))
def test_every_value_that_a_form_asks_for_comes_back(
    game: str, form: CardForm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    forms, lost = forms_of(game), {one.name for one in form.fields if one.kind in SIMPLE}
    for seed in range(TRIES):
        card = filled(random.Random(seed), form.fields)
        try:
            kept = forms.form_values(form.kind, forms.save_form(form.kind, card))
        except CompanionError:
            continue  # values that do not belong together
        lost -= {name for name in lost if name in card and kept.get(name) == card[name]}
        if not lost:
            return
    assert not lost, f"{game} asks for {sorted(lost)} and does not keep it: see its card_forms.py"


ASKED_OTHERWISE: dict[tuple[str, str], tuple[type, set[str]]] = {
    ("tactics", "figure"): (FigureCard, {"id", "invented", "cost", "size", "spaces"}),
    ("tactics", "scenario"): (EnteredScenario, {"id"}),
    ("westeros", "unit"): (UnitReference, {"id", "kind", "traits", "sure", "entered"}),
    ("westeros", "commander"): (CommanderCard, {"id"}),
    ("westeros", "command"): (CommandCard, {"id", "costs"}),
    ("thrones", ""): (CardFacts, {"code", "type", "icons", "variable", "keyword_values"}),
}
"""The record of a card, and what its form does not ask for by the same name: the program's own, or
several entries for one field."""


@pytest.mark.parametrize(("game", "kind"), ASKED_OTHERWISE)
def test_a_form_forgets_no_field_of_its_card(game: str, kind: str) -> None:
    record, otherwise = ASKED_OTHERWISE[game, kind]
    forms = [one for one in forms_of(game).forms() if kind in ("", one.kind)]
    asked = {field.name for one in forms for field in one.fields}
    missed = {one.name for one in fields(record)} - asked
    assert missed == otherwise, f"card_forms.py of {game} asks for no {missed ^ otherwise}"


FEW = 12


@pytest.mark.parametrize(("game", "form"), ASKED, ids=lambda one: getattr(one, "kind", one))
def test_a_card_that_is_opened_and_saved_is_the_same(
    game: str, form: CardForm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    forms = forms_of(game)
    for card in [one for one in forms.form_cards(form.kind) if not one.missing][:FEW]:
        before = tomllib.loads(forms.export_forms(form.kind, [card.id]))
        kept = forms.save_form(form.kind, forms.form_values(form.kind, card.id))
        after = tomllib.loads(forms.export_forms(form.kind, [kept]))
        for records in before.values():
            for record in records if isinstance(records, list) else ():
                record.pop("invented", None)  # it is the players' own now
        assert after == before
