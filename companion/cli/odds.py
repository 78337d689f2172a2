"""`companion odds`: the exact odds of an attack, from the numbers of the game that is asked.

The game is named by `--game`, or by its edition alone (`--edition 2021`); its options are its own
(`companion odds --game G --help`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from companion import games
from companion.games.api.rules import OddsField
from models import CompanionError, UnknownName
from models.field import shown

Number = Callable[[str], int]


def asked_game(argv: Sequence[str]) -> str:
    """The game that a command line of `odds` names; else one that has editions."""
    found = given(argv, "--game")
    if found is not None:
        return found
    edition = given(argv, "--edition")
    if edition is not None:
        try:
            return games.edition(edition)
        except UnknownName:
            pass  # refused when the arguments are read
    several = (game for game in games.every() if len(game.games) > 1 and own_fields(game))
    return next((game.games[-1] for game in several), "")


def own_fields(game: games.GameRules) -> Sequence[OddsField]:
    return game.odds_fields(game.games[-1])


def given(argv: Sequence[str], flag: str) -> str | None:
    """The last value of a flag on a command line."""
    found = None
    for word, following in zip_longest(argv, argv[1:], fillvalue=""):
        if word.startswith(f"{flag}="):
            found = word.partition("=")[2]
        elif word == flag:
            found = following
    return found


def add_arguments(parser: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """The options of `odds` for the game that the command line names."""
    name = asked_game(argv)
    by_game = given(argv, "--game") is not None
    fields = games.find(name).odds_fields(name) if name else ()
    if by_game and not fields:
        raise CompanionError(f"{name} has no odds")
    parser.add_argument("--game", metavar="NAME", help="the game; its options: --game NAME --help")
    if not by_game:
        parser.add_argument("--edition", required=True, metavar="YEAR")
    for field in fields:
        parser.add_argument(f"--{field.name.replace('_', '-')}", **options(field))
    parser.add_argument("--json", action="store_true")


def options(field: OddsField) -> dict[str, Any]:
    """A field as an option of the command."""
    common: dict[str, Any] = {"dest": field.name, "help": field.what or None}
    if field.kind == "flag":
        return {**common, "action": "store_true"}
    common |= {"required": field.required, "default": field.default}
    if field.kind == "word":
        return {**common, "choices": field.options}
    if field.kind == "words":
        return {**common, "type": words, "metavar": "NAME,NAME"}
    number = whole(field.least, field.most)
    if field.kind == "numbers":
        return {**common, "type": lambda text: list(wholes(text, number)), "metavar": "N,N"}
    return {**common, "type": number, "metavar": "N"}


def whole(low: int, high: int) -> Number:
    """A parser for whole numbers within [low, high]."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{shown(text)} is outside {low} to {high}")
        return value

    return read


def wholes(text: str, number: Number) -> Iterator[int]:
    """Whole numbers separated by commas."""
    return (number(part) for part in text.split(",") if part.strip())


def words(text: str) -> tuple[str, ...]:
    """Split a comma-separated list."""
    return tuple(word.strip().lower() for word in text.split(",") if word.strip())


def answer(args: argparse.Namespace) -> str:
    """The odds as JSON, or as lines for people."""
    name = args.game if args.game is not None else games.edition(args.edition)
    game = games.find(name)
    values = {field.name: getattr(args, field.name) for field in game.odds_fields(name)}
    asked = {key: value for key, value in values.items() if value is not None}
    plain = game.odds(name, asked).to_json()
    if args.json:
        return json.dumps(plain, allow_nan=False)
    return "\n".join(game.odds_lines(asked, plain))
