"""Cards of the players' own, of all games: values for a form, and files to import.

Kept or refused in one line; no other card is lost, and what was kept is shown, shared and removed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.games.api.card_form import FormField
from companion.session.game_lookup import find_screen
from models import CompanionError
from tests.fuzz.commands import asked
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import encoded, letters, nasty, raw, values

Plan = tuple[str, str, str, bytes]
"""The game, the kind of card, how it comes, and what is said or in the file."""
NAMES = ("My card", "my-card", "MY CARD", "Карта", "x" * 60, "a/b", "..", "con", "é", "é")
ROUND = 300
"""After so many inputs the cards are thrown away."""
ASKED = [0]
MOST_BYTES = 100_000


def make(dice: random.Random, folder: Path) -> Plan:
    """A card as a form, or a file as others share it, damaged or not."""
    os.environ["COMPANION_HOME"] = str(folder / "home")
    game = dice.choice(("thrones", "tactics", "westeros"))
    forms = find_screen(game).card_forms(game)
    assert forms is not None
    form = dice.choice(tuple(forms.forms()))
    known = [one.id for one in forms.form_cards(form.kind)]
    card: Any = filled(dice, form.fields)
    with suppress(CompanionError):  # some cards are names without values
        if known and dice.random() < 0.3:
            text = forms.export_forms(form.kind, dice.sample(known, min(len(known), 2)))
            harmed = letters(dice, text) if dice.random() < 0.8 else text
            return game, form.kind, "import", raw(dice, encoded(harmed)[:MOST_BYTES])
        if known and dice.random() < 0.4:
            card = dict(forms.form_values(form.kind, dice.choice(known)))
    if dice.random() < 0.7:
        card = values(dice, card)
    said = json.dumps(card, default=str)
    return game, form.kind, "enter", encoded(letters(dice, said) if dice.random() < 0.1 else said)


def filled(dice: random.Random, fields: tuple[FormField, ...]) -> dict[str, Any]:
    """Values for a form: most of them fit."""
    return {one.name: fitting(dice, one) for one in fields if one.required or dice.random() < 0.6}


def fitting(dice: random.Random, field: FormField) -> Any:
    if dice.random() < 0.03:
        return nasty(dice)
    match field.kind:
        case "number":
            return dice.randint(field.least, field.most)
        case "option" if field.options:
            return dice.choice(field.options)[0]
        case "flag":
            return dice.random() < 0.5
        case "rows":
            return [filled(dice, field.fields) for _ in range(dice.randint(0, 3))]
    return dice.choice((*NAMES, *field.suggest))


def check(plan: Plan, folder: Path) -> str:
    """Give it to `companion own`, then look at all cards."""
    game, kind, way, said = plan
    home = folder / "home"
    if ASKED[0] % ROUND == 0:
        shutil.rmtree(home, ignore_errors=True)
    ASKED[0] += 1
    file = folder / "shared.toml"
    file.write_bytes(said)
    options = ("--game", game, "--json")
    before = own_cards(game)
    name = kind if way == "enter" else str(file)
    end, _told = asked(["own", way, name, *options], folder, said if way == "enter" else b"")
    after = own_cards(game)
    assert before <= after, f"lost: {before - after}"
    if end == "refused":
        assert before == after, f"refused, but there: {after - before}"
        return end
    for one, card in sorted(after - before)[:2]:
        shared = folder / "again.toml"
        for words in (["values", one, card], ["export", one, card, "--out", str(shared)]):
            assert asked(["own", *words, *options], folder)[0] == "answered", words
        assert asked(["own", "remove", one, card, *options], folder)[0] == "answered"
        assert (one, card) not in own_cards(game)
        assert asked(["own", "import", str(shared), *options], folder)[0] == "answered"
        assert own_cards(game) == after, "an exported card is read back"
    return end


def own_cards(game: str) -> set[tuple[str, str]]:
    """The players' own cards of a game, each with its kind."""
    forms = find_screen(game).card_forms(game)
    assert forms is not None
    kinds = [form.kind for form in forms.forms()]
    return {(kind, one.id) for kind in kinds for one in forms.form_cards(kind) if one.own}


FUZZER = Fuzzer("own", make, check)
