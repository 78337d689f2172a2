"""The `army` command: read an army list, report its errors, write it in another format."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.text.translation import complain
from models import BadInput, CompanionError
from models.field import MAX_FILE_BYTES, decode, read_bytes, shown

if TYPE_CHECKING:  # the games are imported when the command runs
    pass

WRONG = 1
"""The exit status for a list that was read but breaks a rule."""


def piped() -> str:
    """The text piped to stdin, up to the largest size of a file."""
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:
        return sys.stdin.read()
    data = binary.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise BadInput("standard input", "", f"is larger than {MAX_FILE_BYTES // 2**20} MiB")
    return decode(data, "standard input")


def army(args: argparse.Namespace) -> int:
    """Read a list, report every broken rule, write it in the requested format."""
    from companion.session.game_lookup import find_army_reader

    game = games.edition(args.edition) if args.game is None else args.game
    known = find_army_reader(game)
    if args.form not in known.army_forms:
        raise CompanionError(f"no form {args.form!r}; there are: {', '.join(known.army_forms)}")
    text = piped() if str(args.list) == "-" else decode(read_bytes(args.list), str(args.list))
    found = known.read_army(game, text, args.points)
    print(known.write_army(found, args.form).rstrip("\n"))
    problems = known.army_problems(found)
    for problem in problems:
        complain(f"{problem.why}: {problem.say}")
    for note in known.army_notes(found, text):
        complain(f"note: {note}")
    return WRONG if problems else 0


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
        "--as", dest="form", default="text", metavar="FORM", help="ids, text or toml"
    )
