"""The commands that run, export, report and replay a game session."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.text.translation import LANGUAGE, complain, translate, translate_all
from models import BadInput, CompanionError, atomic_write
from models.field import shown
from models.message import say

if TYPE_CHECKING:
    from companion.session.step import LogStep

# The session package is imported when one of its commands runs.

Run = Callable[[argparse.Namespace], int]


def session(args: argparse.Namespace) -> int:
    """Run the line protocol of a game session."""
    from companion.session.protocol import converse
    from companion.session.session import Session

    with Session.open(args.file) as kept:
        if kept.damage is not None:
            complain(translate(kept.damage.say()))
        converse(kept, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def export(args: argparse.Namespace) -> int:
    """Write the whole game as JSON."""
    from companion.session.report.replay import hidden_as_json, text

    steps = read_steps(args.file)
    write_output(hidden_as_json(text(steps)), args.out, args.file)
    return 0


def report(args: argparse.Namespace) -> int:
    """Write the battle report as Markdown, as HTML, or both."""
    from companion.session.report.html_page import html, map_png
    from companion.session.report.markdown_report import markdown
    from companion.session.report.story import build_story

    story = build_story(read_steps(args.file))
    if args.html is not None:
        write_output(html(story, None if args.no_maps else map_png), args.html, args.file)
    if args.md is not None or args.html is None:
        write_output(markdown(story), args.md, args.file)
    return 0


def replay(args: argparse.Namespace) -> int:
    """Replay a game step by step."""
    from companion.session.report.replay import Replay, walk

    kept = Replay.of(read_steps(args.file))
    if args.step is not None:
        state = translate_all(kept.state(args.step))
        print(json.dumps(state) if args.json else kept.line(args.step))
    elif args.json:
        for seq in range(1, len(kept) + 1):
            print(json.dumps({"seq": seq, "state": translate_all(kept.state(seq))}))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        for line in walk(kept, sys.stdin):
            print(line, flush=True)
    else:
        for line in kept.lines():
            print(line)
    return 0


def read_steps(path: Path) -> list[LogStep]:
    """Read the steps of a game's file without changing it; damage is reported, the rest is used."""
    from companion.session.storage import read, real_path, side_of

    path = real_path(path)
    if not path.exists() and not side_of(path).exists():
        raise BadInput(str(path), "", say("there is no such file"))
    found = read(path)
    if found.damage is not None:
        complain(translate(found.damage.say()))
    return found.steps


def naming_the_file(run: Run) -> Run:
    """A decorator: errors of the command name the game's file unless they name another."""

    def named(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except CompanionError as error:
            # An error in another file (an OUT that cannot be written) names that file.
            if isinstance(error, BadInput) and not error.source.startswith("step "):
                raise
            if str(error).startswith(str(args.file)):
                raise
            raise BadInput(str(args.file), "", str(error)) from error
        except OSError:
            raise
        except Exception as error:
            # A file made elsewhere may contain events that no game of ours produces.
            problem = shown(f"{type(error).__name__}: {error}", 200)[1:-1]
            raise BadInput(
                str(args.file), "", say("cannot be told: {reason}", reason=problem)
            ) from error

    return named


def write_output(text: str, target: Path | None, source: Path) -> None:
    """Write a text to a file, atomically, or to stdout."""
    if target is None:
        sys.stdout.write(text)
        return
    if target.exists() and source.exists() and target.samefile(source):
        raise BadInput(str(target), "", say("is the game itself; name another file"))
    atomic_write.write_text(target, text)


def add_commands(subparsers: Any) -> None:
    def command(name: str, run: Run, what: str) -> Any:
        added = subparsers.add_parser(name, help=what, description=what, allow_abbrev=False)
        added.set_defaults(run=naming_the_file(run))
        added.add_argument("file", type=Path, metavar="FILE", help="the game's file")
        return added

    added = command("session", session, "keep a game: one JSON command per line, one answer each")
    added.add_argument("--language", **LANGUAGE)
    added = command("export", export, "the whole game as JSON")
    added.add_argument("--out", type=Path, metavar="OUT", help="where to; stdout if not given")
    added = command("report", report, "the battle report of a game")
    added.add_argument("--language", **LANGUAGE)
    added.add_argument("--md", type=Path, metavar="OUT", help="as Markdown (stdout by default)")
    added.add_argument("--html", type=Path, metavar="OUT", help="as one page with maps and chart")
    added.add_argument("--no-maps", action="store_true", help="leave the maps out of the page")
    added = command("replay", replay, "step through a game")
    added.add_argument("--language", **LANGUAGE)
    added.add_argument("--step", type=int, metavar="N", help="only what it was like after step N")
    added.add_argument("--json", action="store_true", help="states as lines of JSON")
