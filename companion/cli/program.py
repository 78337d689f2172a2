"""The `companion` program: commands that read tables and print answers.

Invalid input ends with one line on stderr and status 2, never with a traceback.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from companion import games
from companion.cli import army, balance, calibrate, dice, interrupt, look, odds, own, serve
from companion.cli import practice as practising
from companion.cli import session as remembering
from companion.cli.exit_on_interrupt import STATUS
from companion.text import translation, verdicts
from companion.text.translation import LANGUAGE, _, complain, set_language, translate
from companion.version import VERSION
from models import CompanionError, atomic_write
from models.board_table import BoardTable
from models.catalogue import DATA
from models.message import BadInput, UnknownName, file_problem
from models.table import AnyTable, Table, load_open_table, load_table

BROKEN_INPUT = 2
PRACTICE_TABLE = DATA / "practice.table.json"


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit."""
        complain(f"{message} (see {self.prog} --help)")
        sys.exit(BROKEN_INPUT)


def say(text: str) -> None:
    """Print one answer on stdout."""
    print(text)


def line(plain: Mapping[str, Any]) -> str:
    """One answer as one line of JSON."""
    return json.dumps(plain, allow_nan=False, check_circular=False)


# -- commands -----------------------------------------------------------------------------------


def rules(args: argparse.Namespace) -> int:
    """Answer every question about every unit of each table; a bad file does not stop the others."""
    gc.disable()  # a large board has millions of answers and no cycle worth looking for
    status = 0
    for path in args.tables:
        try:
            with naming(path):
                say(answers(load_table(path), path, args))
        except CompanionError as error:
            complain(error)
            status = BROKEN_INPUT
    return status


def check(args: argparse.Namespace) -> int:
    """Report which actions explain a unit's move from one table to the other."""
    before, after = load_table(args.before), load_table(args.after, moved=args.unit)
    for path, table in ((args.before, before), (args.after, after)):
        with naming(path):
            refuse_unknown(table, args.unit)
            refuse_strange(table)
    if before.game != after.game:
        raise BadInput(str(args.after), "game", f"{after.game!r} is not {before.game!r} as before")
    game = games.find(before.game)
    plain = game.check(before, after, args.unit, game.settings(args.reading))
    if args.json:
        say(line(plain))
        return 0
    for action, answer in plain.items():
        over = ""
        if answer.get("over"):
            spaces = isinstance(before, BoardTable)
            over = f"{answer['over']} over" if spaces else f"{answer['over']:.2f}″ over"
        reasons = "; ".join(verdicts.reasoned(rule, game.reason) for rule in answer["why"])
        told = [reasons, over, verdicts.doubt(answer), *costs(answer)]
        why = verdicts.bracketed("; ".join(part for part in told if part))
        say(f"{action + ':':<10} {answer['answer']}{why}")
    return 0


def costs(answer: Mapping[str, Any]) -> Iterator[str]:
    """The costs of the terrain under a move."""
    for danger in answer.get("dangers", ()):
        doubt = verdicts.bracketed(verdicts.doubt(danger))
        yield f"wounds by {danger['piece']}, {danger['rule']}{doubt}"
    for piece, found in answer.get("crushed", {}).items():
        yield f"destroys {piece}{verdicts.bracketed(verdicts.doubt(found))}"


def print_odds(args: argparse.Namespace) -> int:
    """Print the exact odds of one attack."""
    say(odds.answer(args))
    return 0


def draw_map(args: argparse.Namespace) -> int:
    """Draw the table from above with the answers."""
    atomic_write.refuse_inputs(args.png, args.table)
    with naming(args.table):
        table = load_table(args.table)
        if args.mode is not None:
            if isinstance(table, BoardTable):
                raise CompanionError(f"a board of {table.game} has no mode {args.mode!r}")
            table = replace(table, mode=args.mode)
        draw(table, args, args.png)
    return 0


def play(args: argparse.Namespace) -> int:
    """Open the app on a table; or print the whole report on it and draw its map; or play a game
    in words."""
    if args.text and (args.practice or args.table.suffix == ".game"):
        return play_game(args)
    if not args.text:
        if args.reading:
            raise CompanionError("--reading: the app has readings in its settings; or add --text")
        # kivy is slow to import and needed only for the app.
        from companion.app.play import open_app

        with naming(args.table):
            load_open_table(args.table)
        own = args.table if args.table != PRACTICE_TABLE else None
        return open_app(own, args.out)
    stem = args.table.name.partition(".")[0]
    target = args.out / f"{stem}.png"
    with naming(args.table):
        table = load_table(args.table)
        args.out.mkdir(parents=True, exist_ok=True)
        seen = look.practice_run(table, args.out, stem)
        say(answers(seen.table, args.table, args))
        draw(seen.table, args, target)
    if seen.missing:
        say(_("hidden in the photo: {units}").format(units=", ".join(seen.missing)))
    say(_("photo: {file}").format(file=seen.photo))
    say(_("answers on the photo: {file}").format(file=seen.overlay))
    say(_("map: {file}").format(file=target))
    return 0


def play_game(args: argparse.Namespace) -> int:
    """Play a game without a window, in words or line by line."""
    from companion.cli.text_play import new_practice_file, play_text

    path = args.table
    if path.suffix != ".game":
        path = new_practice_file(args.out)
    if args.reading and not args.practice:
        raise CompanionError(f"--reading: {path} keeps the readings it was begun with")
    return play_text(path, args.practice, args.seat, args.json, args.language, args.reading)


def answers(table: AnyTable, path: Path, args: argparse.Namespace) -> str:
    """The report on a table: one line of JSON, or a paragraph per unit."""
    game = games.find(table.game)
    translation.set_game(games.package_of(game))
    refuse_unknown(table, args.unit)
    refuse_strange(table)
    report = game.report(table, game.settings(args.reading))
    if not args.json:
        return game.text(report, path.name, args.unit)
    plain = report.to_json(path.name)
    if args.unit is not None:
        key = "pieces" if isinstance(table, BoardTable) else "units"
        plain[key] = {args.unit: plain[key][args.unit]}
    return line(plain)


def refuse_unknown(table: AnyTable, piece_id: str | None) -> None:
    """Raise unless the unit or piece is on the table; None is none in particular."""
    if piece_id is not None:
        table.piece(piece_id) if isinstance(table, BoardTable) else table.unit(piece_id)


def refuse_strange(table: AnyTable) -> None:
    """Raise unless the game knows the mode and the zones that an open table names, and the table
    their sides, one zone each; or if a tray holds more models than it has room for."""
    known = [key for key, _ in games.find(table.game).modes(table.game)]
    if isinstance(table, Table) and table.mode and known and table.mode.upper() not in known:
        raise UnknownName(f"no mode {table.mode!r}; there are: {', '.join(known)}")
    sides = table.sides() if isinstance(table, Table) else ()
    zones = table.zones if isinstance(table, Table) and len(sides) > 1 else ()
    strange = next((side for _zone, side in zones if side and side not in sides), None)
    if strange is not None:
        raise UnknownName(f"no side {strange!r} for a zone; there are: {', '.join(sides)}")
    if isinstance(table, Table):
        refuse_wrong_zones(table)
        refuse_crowded_trays(table)


def refuse_wrong_zones(table: Table) -> None:
    """Raise unless the zones of a table are the game's, each side's another (TMG-DEP-1)."""
    known = games.find(table.game).zones()
    sides = [side for _zone, side in table.zones if side]
    for zone, side in table.zones:
        if zone not in known:
            raise BadInput(
                "", "zones", f"no zone {zone!r}; there are: {', '.join(known) or 'none'}"
            )
        if sides.count(side) > 1:
            raise BadInput("", f"zones.{zone}", f"side {side!r} has another zone, too")


def refuse_crowded_trays(table: Table) -> None:
    """Raise if more models stand on a standard tray than it holds (TMG-UNT-3, -4, -7)."""
    for number, unit in enumerate(table.units):
        if unit.tray.standard and unit.models > unit.tray.models:
            problem = f"{unit.models} models on a tray for {unit.tray.models}"
            raise BadInput("", f"units[{number}].models", problem)


def draw(table: AnyTable, args: argparse.Namespace, target: Path) -> None:
    """Write the map of a table."""
    # Pillow is slow to import and needed only for images.
    from companion.overlay.picture import paint
    from companion.overlay.shapes import in_words

    game = games.find(table.game)
    translation.set_game(games.package_of(game))
    refuse_unknown(table, args.unit)
    scene = in_words(game.scene(table, args.unit, game.settings(args.reading)), translate)
    with atomic_write.replacing(target) as part:
        paint(scene, part)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within this context, an error that does not name its file gets the file name in front."""
    try:
        yield
    except BadInput as error:
        if error.source:
            raise
        raise BadInput(str(path), error.place, error.problem) from None
    except CompanionError as error:
        raise BadInput(str(path), "", str(error)) from None


# -- arguments ----------------------------------------------------------------------------------


def parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The argument parser with all commands, for this command line."""
    argv = list(argv)
    top = Parser(prog="companion", description="Answers what the rules allow.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"companion {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str) -> Parser:
        added = commands.add_parser(name, help=what, description=what, allow_abbrev=False)
        added.set_defaults(run=run)
        return added

    def readings(added: Parser) -> None:
        added.add_argument(
            "--reading",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="read an open rule another way; may be given several times",
        )

    added = command("rules", rules, "everything the rules say about each table")
    added.add_argument("tables", nargs="+", type=Path, metavar="TABLE")
    added.add_argument("--unit", metavar="ID", help="this unit only")
    added.add_argument("--json", action="store_true", help="one line of JSON per table")
    added.add_argument("--language", **LANGUAGE)
    readings(added)

    added = command("check", check, "which actions explain a move")
    added.add_argument("before", type=Path, metavar="BEFORE")
    added.add_argument("after", type=Path, metavar="AFTER")
    added.add_argument("--unit", metavar="ID", required=True)
    added.add_argument("--json", action="store_true")
    readings(added)

    added = command("odds", print_odds, "the exact odds of an attack")
    if argv[:1] == ["odds"]:  # its options are those of the game that the command line names
        odds.add_arguments(added, argv[1:])

    added = command("map", draw_map, "a picture of the table from above")
    added.add_argument("table", type=Path, metavar="TABLE")
    added.add_argument("--png", type=Path, required=True, metavar="OUT")
    added.add_argument("--unit", metavar="ID", help="with this unit's answers")
    added.add_argument("--mode", metavar="NAME", help="the game mode whose set-up to show")
    added.add_argument("--language", **LANGUAGE)
    readings(added)

    added = command("play", play, "the app; without a display a short game and screenshots")
    added.add_argument("table", nargs="?", type=Path, default=PRACTICE_TABLE, metavar="TABLE")
    added.add_argument("--out", type=Path, default=Path("out"), metavar="FOLDER")
    added.add_argument(
        "--text",
        action="store_true",
        help="without a window: a game in words, or all that is legal on a table",
    )
    added.add_argument("--practice", default="", metavar="GAME", help="with --text: a new game")
    added.add_argument("--seat", metavar="SEAT", help="with --text: look and act as this seat")
    added.add_argument("--json", action="store_true", help="with --text: records line by line")
    added.add_argument("--language", **LANGUAGE)
    added.set_defaults(unit=None)
    readings(added)
    look.add_commands(commands)
    dice.add_commands(commands)
    calibrate.add_commands(commands)
    practising.add_commands(commands)
    army.add_commands(commands)
    own.add_commands(commands)
    remembering.add_commands(commands)
    serve.add_commands(commands)
    balance.add_commands(commands)
    return top


def main(argv: list[str] | None = None) -> int:
    """Run one command; the status is 0, or 2 for invalid input."""
    try:
        with interrupt.raising():
            return run(argv)
    except KeyboardInterrupt:
        complain("interrupted")
        return STATUS


def run(argv: list[str] | None) -> int:
    """The same, without handling of interrupts."""
    for name in ("stdin", "stdout", "stderr"):
        # A stream that the caller closed is replaced by an empty one, so that no file of ours gets
        # its file descriptor.
        if getattr(sys, name) is None:
            empty = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(empty, "r" if name == "stdin" else "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        # Names may contain characters that the terminal cannot show.
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        given = sys.argv[1:] if argv is None else argv
        args = parser(given).parse_args(given)
        set_language(getattr(args, "language", "en"))
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; flushing the rest of the buffer at exit must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CompanionError as error:
        complain(translate(str(error)))
        return BROKEN_INPUT
    except OSError as error:
        complain(file_problem(error, "output"))
        return BROKEN_INPUT
    return status


if __name__ == "__main__":
    sys.exit(main())
