"""What the type checker cannot see: which fields belong to which command.

A command's function reads only fields that the command asks for, and what screens, prompts and
rivals write as a command has a known word and only its fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.shared.commands import CommandArgs
from companion.session.builtin_commands import COMMANDS
from companion.session.game_lookup import find_play

GAMES = {"tmg": "tmg-2021", "thrones": "thrones", "tactics": "tactics", "westeros": "westeros"}
FOLDER = Path(__file__).parents[2] / "companion/games"
OF_SESSION = {*COMMANDS, "set-up", "save"}
READERS = {one for one in vars(CommandArgs) if not one.startswith("_")}
EVERYWHERE = {"do", "for", "author"}


def fields_by_command(game: str) -> dict[str, set[str]]:
    """The fields that each command of a game asks for, as its help lists them."""
    return {one.name: {field.name for field in one.fields} for one in find_play(game).help(game)}


def trees(package: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((FOLDER / package).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def command_of(function: ast.FunctionDef, known: dict[str, set[str]]) -> str | None:
    """The command that a function is registered for."""
    calls = (one for one in function.decorator_list if isinstance(one, ast.Call) and one.args)
    words = (one.args[0].value for one in calls if isinstance(one.args[0], ast.Constant))
    return next((str(word) for word in words if word in known), None)


def keys_read(function: ast.FunctionDef) -> Iterator[str]:
    """The fields that a function asks its arguments for by name."""
    names = {one.arg for one in function.args.args if "CommandFields" in ast.unparse(one)}
    for one in ast.walk(function):
        if (
            isinstance(one, ast.Call)
            and isinstance(one.func, ast.Attribute)
            and isinstance(one.func.value, ast.Name)
            and one.func.value.id in names
            and one.func.attr in READERS
            and one.args
            and isinstance(one.args[0], ast.Constant)
        ):
            yield str(one.args[0].value)


def commands_written(tree: ast.Module) -> Iterator[tuple[int, str, set[str]]]:
    """The commands that a module writes out: their line, their word, their fields."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Dict):
            pairs = zip(one.keys, one.values, strict=True)
            keys = {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}
            word = keys.get("do")
            if isinstance(word, ast.Constant):
                yield one.lineno, str(word.value), set(keys)


@pytest.mark.parametrize("package", GAMES)
def test_a_command_reads_only_what_it_asks_for(package: str) -> None:
    known = fields_by_command(GAMES[package])
    wrong = [
        f"{path.name}: {word} reads {key!r}"
        for path, tree in trees(package)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and (word := command_of(function, known))
        for key in keys_read(function)
        if key not in known[word]
    ]
    assert not wrong


@pytest.mark.parametrize("package", GAMES)
def test_what_is_written_as_a_command_has_its_fields(package: str) -> None:
    known = fields_by_command(GAMES[package])
    wrong = [
        f"{path.name}:{line} {word}: {sorted(keys - known.get(word, set()) - EVERYWHERE)}"
        for path, tree in trees(package)
        for line, word, keys in commands_written(tree)
        if word not in OF_SESSION and not keys - EVERYWHERE <= known.get(word, set())
    ]
    unknown = [
        f"{path.name}:{line} {word}"
        for path, tree in trees(package)
        for line, word, _ in commands_written(tree)
        if word not in {*known, *OF_SESSION}
    ]
    assert not wrong + unknown
