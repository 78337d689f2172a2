"""The `army` command: read an army list, report its errors, write it in another format."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import games
from companion.text.translation import complain
from models import BadInput, CompanionError
from models.field import MAX_FILE_BYTES, decode_list, read_bytes, shown

UNREAD = 2
"""The exit status for a list of which a line could not be read."""


def piped() -> str:
    """The text piped to stdin, up to the largest size of a file."""
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:
        return sys.stdin.read()
    data = binary.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise BadInput("standard input", "", f"is larger than {MAX_FILE_BYTES // 2**20} MiB")
    return decode_list(data, "standard input")


def army(args: argparse.Namespace) -> int:
    """Read a list, report every broken rule, write it as JSON or in the requested format."""
    from companion.games.api.army_building import DeckReader
    from companion.session.game_lookup import find_army_reader

    game = games.edition(args.edition) if args.game is None else args.game
    known = find_army_reader(game)
    if args.form not in known.army_forms:
        raise CompanionError(f"no form {args.form!r}; there are: {', '.join(known.army_forms)}")
    source = "standard input" if str(args.list) == "-" else str(args.list)
    text = piped() if str(args.list) == "-" else decode_list(read_bytes(args.list), source)
    try:
        found = known.read_army(game, text, args.points)
    except BadInput as error:
        raise BadInput(source, error.place, error.problem) from error
    unread: Sequence[object] = ()
    if isinstance(known, DeckReader):
        found = known.army_agreed(found, agreed(args.agreed))
        unread = known.army_unread(found)
    problems, notes = known.army_problems(found), known.army_notes(found, text)
    if args.json:
        listed = [{"why": one.why, "say": str(one.say)} for one in problems]
        answer = {"game": game, **found.to_json(), "notes": [str(note) for note in notes]}
        print(json.dumps({**answer, "problems": listed}, ensure_ascii=False))
    elif found.units or not unread:
        print(known.write_army(found, args.form).rstrip("\r\n"))
        for problem in problems:
            complain(f"{problem.why}: {problem.say}")
        for note in notes:
            complain(f"note: {note}")
    for line in unread:
        complain(f"{source}: {line}")
    return UNREAD if unread else 0


def agreed(texts: Sequence[str]) -> dict[str, str]:
    """Rules that the players agreed on, from NAME=VALUE."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise CompanionError(f"{shown(text)} is not NAME=VALUE")
        found[name] = value
    return found


def size(text: str) -> int:
    """Parse a number of points that an army can have."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number from 1 to 1000")
    return int(text)


def add_commands(commands: Any) -> None:
    what = "read, check and rewrite an army list"
    added = commands.add_parser("army", help=what, description=what, allow_abbrev=False)
    added.set_defaults(run=army)
    added.add_argument("list", type=Path, metavar="LIST", help="a file, or - for standard input")
    which = added.add_mutually_exclusive_group(required=True)
    which.add_argument("--edition", metavar="YEAR")
    which.add_argument("--game", metavar="NAME", help="the game, instead of its edition alone")
    added.add_argument("--points", type=size, metavar="N", help="the agreed size")
    added.add_argument(
        "--format", "--as", dest="form", default="text", metavar="FORM",
        help="the layout to write, one that the game reads",
    )  # fmt: skip
    added.add_argument("--json", action="store_true", help="one JSON object instead of a list")
    added.add_argument(
        "--agreed", action="append", default=[], metavar="NAME=VALUE",
        help="a rule that the players agreed on: list=CODE, format=joust|melee|draft, sets=variant",
    )  # fmt: skip
