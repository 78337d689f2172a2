"""The commands that keep, export, tell and replay a game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def session(args: argparse.Namespace) -> int:
    """Hold the conversation of a game."""
    from companion.session.protocol import converse
    from companion.session.session import Session

    with Session.open(args.file) as kept:
        if kept.damage is not None:
            print(f"companion: {kept.damage.say()}", file=sys.stderr, flush=True)
        converse(kept, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def add_commands(subparsers: Any) -> None:
    """Put the session's commands among the others."""

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str) -> Any:
        added = subparsers.add_parser(name, help=what, description=what, allow_abbrev=False)
        added.set_defaults(run=run)
        added.add_argument("file", type=Path, metavar="FILE", help="the game's file")
        return added

    command("session", session, "keep a game: one JSON command per line, one answer each")
