"""Forms ask the records for their limits: no number stands in a form and in its record."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.games.api.card_form import FormField, entry_field, form_field
from companion.games.tactics.cards.figure_card import CardAttack, FigureCard
from companion.games.westeros.cards.command_card import CommandCard

GAMES = Path(__file__).parents[2] / "companion" / "games"
BUILDERS = {"FormField", "form_field", "form_fields", "entry_field"}


def numbers(call: ast.Call) -> list[int]:
    """The numbers that are written in a call."""
    held = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant)]
    return [one for one in held if isinstance(one, int) and not isinstance(one, bool)]


def form_calls(path: Path) -> list[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    return [one for one in calls if isinstance(one.func, ast.Name) and one.func.id in BUILDERS]


@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_no_form_writes_a_limit(game: str) -> None:
    calls = [(path, one) for path in (GAMES / game).rglob("*.py") for one in form_calls(path)]
    assert len(calls) > 10
    assert [f"{path.name}:{one.lineno}" for path, one in calls if numbers(one)] == []


def test_a_field_has_the_kind_and_the_limits_of_its_value() -> None:
    assert form_field(FigureCard, "will", "Will") == FormField(
        "will", "Will", "number", least=2, most=10
    )
    kind = form_field(CardAttack, "kind", "Kind", {"melee": "Melee", "ranged": "Ranged"})
    assert (kind.kind, kind.required) == ("option", True)
    assert kind.options == (("melee", "Melee"), ("ranged", "Ranged"))
    assert form_field(FigureCard, "attacks", "Attacks").most == 8
    token = entry_field(CommandCard, "costs", "tokens", "Tokens")
    assert (token.name, token.kind, token.most) == ("tokens", "number", 9)
