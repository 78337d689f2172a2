"""The fields of commands: every name that commands read is declared once, and none is left over."""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_args

import pytest

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandRegistry, StepContext, ask

GAMES = {"tactics": "tactics", "thrones": "thrones", "tmg": "tmg-2021", "westeros": "westeros"}


@pytest.mark.parametrize("package", GAMES)
def test_the_field_names_of_a_game_are_those_of_its_commands(package: str) -> None:
    play = import_module(f"companion.games.{package}.play").PLAY
    names = set(get_args(import_module(f"companion.games.{package}.play.context").FieldName))
    set_up, *commands = play.help(GAMES[package])
    used = {field.name for command in commands for field in command.fields}
    assert used <= names
    assert names <= used | {field.name for field in set_up.fields}


def test_a_command_with_an_unknown_field_is_not_registered() -> None:
    registry = CommandRegistry[StepContext[Any]]((), ("unit", "to"))

    def move(context: object, given: object) -> Refusal | None:
        return None

    registry.command("move", "a move", ask("unit", "unit"), ask("to", "cell"))(move)
    with pytest.raises(ValueError, match="untt"):
        registry.command("turn", "a turn", ask("untt", "unit"))(move)
    assert list(registry.rules) == ["move"]
