"""`companion odds --game G`: the odds of an attack from that game's own numbers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from companion import games
from models import CompanionError
from models.field import shown


def asked_game(argv: Sequence[str]) -> str | None:
    """The game that an `odds` command names; None for any other command."""
    if not argv or argv[0] != "odds":
        return None
    for at, word in enumerate(argv):
        if word.startswith("--game="):
            return word.partition("=")[2]
        if word == "--game":
            return argv[at + 1] if at + 1 < len(argv) else ""
    return None


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The arguments of that game's odds."""
    fields = games.find(game).odds_fields(game)
    if not fields:
        raise CompanionError(f"{game} has no odds of its own")
    parser.add_argument("command", choices=("odds",), help=argparse.SUPPRESS)
    parser.add_argument("--game", required=True, metavar="NAME", help="the game")
    parser.add_argument("--json", action="store_true")
    for field in fields:
        name = f"--{field.name.replace('_', '-')}"
        if field.kind == "flag":
            parser.add_argument(name, dest=field.name, action="store_true", help=field.what)
            continue
        kind = whole if field.kind == "number" else wholes
        parser.add_argument(
            name, dest=field.name, type=kind, required=field.required, metavar="N", help=field.what
        )


def whole(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number") from None


def wholes(text: str) -> list[int]:
    """Whole numbers separated by commas."""
    return [whole(part) for part in text.split(",") if part.strip()]


def answer(args: argparse.Namespace) -> str:
    """The odds as JSON, or as lines for people."""
    game = games.find(args.game)
    values: dict[str, Any] = {
        field.name: value
        for field in game.odds_fields(args.game)
        if (value := getattr(args, field.name)) is not None and value is not False
    }
    plain = game.odds(args.game, values).plain()
    if args.json:
        return json.dumps(plain, allow_nan=False)
    lines = [f"{plain['mean']:.2f} wounds on average"]
    lines += [f"{count:>4} wounds  {chance:7.2%}" for count, chance in plain["wounds"].items()]
    if plain["destroys"]:
        lines.append(f"destroys {plain['destroys']:.2%}")
    for one in plain.get("coins", ())[1:]:
        effects = ", ".join(one["effects"])
        lines.append(f"{effects}: {one['mean']:.2f} wounds, {one['wounds_per_coin']:+.3f} per coin")
    return "\n".join(lines)
