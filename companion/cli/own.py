"""The command `own`: cards, scenarios, tiles and boards that the players enter themselves."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models import atomic_write
from models.field import decode, parse_json, read_bytes, shown
from models.message import BadInput, CompanionError, UnknownName

if TYPE_CHECKING:
    from companion.cli.look import LookCommands
    from companion.games.api.board_editor import BoardEditor, BoardTool
    from companion.games.api.card_form import CardForms, FormField
    from companion.games.api.game_screen import GameScreen
    from models.board import Board

LONGEST = 200_000
"""Of a card's values as JSON."""
ACTIONS = ("list", "form", "values", "enter", "paint", "import", "export", "remove")
WHAT = """list: what there is; form KIND: the fields of a form; values KIND ID: what a card holds;
enter KIND: keep a card, its values as JSON from stdin; paint PLAN: put ground, marks and edges on a
tile or board; import FILE; export KIND ID...; remove KIND ID. A PLAN is named as in `list`."""


def add_commands(commands: LookCommands) -> None:
    what = "the players' own cards, scenarios, tiles and boards: enter, check, share"
    added = commands.add_parser("own", help=what, description=what, epilog=WHAT, allow_abbrev=False)
    added.add_argument("action", choices=ACTIONS)
    added.add_argument("names", nargs="*", metavar="NAME", help="a kind and ids, a plan, or a file")
    added.add_argument("--game", required=True, metavar="NAME")
    added.add_argument("--out", type=Path, metavar="FILE", help="export: write it there")
    added.add_argument("--name", metavar="TEXT", help="paint: the name players know")
    added.add_argument(
        "--cell",
        action="append",
        default=[],
        metavar="3,2=TOOL",
        help="paint: put something on a cell, or remove it",
    )
    added.add_argument(
        "--edge",
        action="append",
        default=[],
        metavar="1,1/2,1=TOOL",
        help="paint: put something on the edge between two cells, open it, or remove it",
    )
    added.add_argument("--json", action="store_true", help="one line of JSON")
    added.set_defaults(run=own)


def own(args: argparse.Namespace) -> int:
    """Run one action."""
    from companion.session.game_lookup import find_screen

    screen = find_screen(args.game)
    actions = {
        "list": listed,
        "form": form,
        "values": values,
        "enter": entered,
        "paint": painted,
        "import": imported,
        "export": exported,
        "remove": removed,
    }
    answer, lines = actions[args.action](screen, args)
    if args.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print("\n".join(lines))
    return 0


Told = tuple[dict[str, Any], list[str]]
"""The answer as JSON, and as lines."""


def forms_of(screen: GameScreen, game: str) -> CardForms:
    forms = screen.card_forms(game)
    if forms is None:
        raise UnknownName(f"{game} has no cards to enter")
    return forms


def editor_of(screen: GameScreen, game: str) -> BoardEditor:
    editor = screen.board_editor(game)
    if editor is None:
        raise UnknownName(f"{game} has no boards to edit")
    return editor


def kind_of(forms: CardForms, args: argparse.Namespace) -> str:
    """The kind that was named first."""
    known = [one.kind for one in forms.forms()]
    if not args.names or args.names[0] not in known:
        named = repr(args.names[0]) if args.names else "nothing"
        raise UnknownName(f"{named} is no kind of card; there are: {', '.join(known)}")
    return str(args.names[0])


def listed(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Every card and board, the players' own marked."""
    found: dict[str, Any] = {}
    lines: list[str] = []
    forms = forms_of(screen, args.game)
    for one in forms.forms():
        cards = forms.form_cards(one.kind)
        found[one.kind] = [
            {"id": card.id, "name": card.name, "own": card.own, "missing": list(card.missing)}
            for card in cards
        ]
        for card in cards:
            missing = f" (missing: {', '.join(card.missing)})" if card.missing else ""
            # Of a file that cannot be read the detail says why.
            detail = f" · {card.detail}" if card.own and card.detail else ""
            mark = "* " if card.own else "  "
            lines.append(f"{mark}{one.kind} {card.id}: {card.name}{missing}{detail}")
    editor = screen.board_editor(args.game)
    for plan in editor.board_plans() if editor is not None else ():
        found.setdefault("plans", []).append({"id": plan.id, "name": plan.name, "own": plan.own})
        lines.append(f"{'* ' if plan.own else '  '}{plan.id}: {plan.name}")
    return found, lines


def form(screen: GameScreen, args: argparse.Namespace) -> Told:
    """The fields of a form."""
    forms = forms_of(screen, args.game)
    kind = kind_of(forms, args)
    found = next(one for one in forms.forms() if one.kind == kind)
    lines = [f"{one.name}: {one.text} ({one.kind})" for one in found.fields]
    return {"kind": kind, "title": found.title, "fields": plain_fields(found.fields)}, lines


def plain_fields(fields: Iterable[FormField]) -> list[dict[str, Any]]:
    """The fields of a form as JSON values."""
    return [
        {
            "name": one.name,
            "text": one.text,
            "kind": one.kind,
            "required": one.required,
            **({"least": one.least, "most": one.most} if one.kind in ("number", "rows") else {}),
            **({"options": [value for value, _ in one.options]} if one.options else {}),
            **({"fields": plain_fields(one.fields)} if one.fields else {}),
            **({"suggest": list(one.suggest)} if one.suggest else {}),
        }
        for one in fields
    ]


def values(screen: GameScreen, args: argparse.Namespace) -> Told:
    """What a card holds, as `enter` reads it."""
    forms = forms_of(screen, args.game)
    kind = kind_of(forms, args)
    if len(args.names) != 2:
        raise CompanionError("own values needs a kind and one id")
    held = dict(forms.form_values(kind, args.names[1]))
    return held, [json.dumps(held, ensure_ascii=False)]


def entered(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Keep a card whose values come from stdin; questions that remain are told."""
    forms = forms_of(screen, args.game)
    kind = kind_of(forms, args)
    text = sys.stdin.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise BadInput("stdin", "", f"is longer than {LONGEST} characters")
    given = parse_json(text, "stdin").raw
    if not isinstance(given, dict):
        raise BadInput("stdin", "", "is not an object")
    check_rows(next(one for one in forms.forms() if one.kind == kind).fields, given)
    problems = forms.form_problems(kind, given)
    if stopping := next((one for one in problems if one.stops), None):
        raise BadInput("", stopping.field, stopping.text)
    name = forms.save_form(kind, given)
    asked = [{"field": one.field, "say": one.text} for one in problems]
    lines = [f"kept: {name}", *(f"{one.field}: {one.text}" for one in problems)]
    return {"id": name, "asks": asked}, lines


def check_rows(fields: Iterable[FormField], given: dict[str, Any]) -> None:
    """Refuse what is no list of objects where the form has rows."""
    for one in fields:
        rows = given.get(one.name)
        if one.kind != "rows" or rows is None:
            continue
        if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
            raise BadInput("stdin", one.name, f"{shown(rows)} is not a list of objects")
        for row in rows:
            check_rows(one.fields, row)


def painted(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Put ground, marks and edges on a tile or board, one tap after the other."""
    from companion.games.api.board_editor import tap_cell, tap_edge
    from models.board import parse_cell

    editor = editor_of(screen, args.game)
    if len(args.names) > 1:
        raise CompanionError("own paint takes one plan")
    plan = args.names[0] if args.names else ""
    known = next((one for one in editor.board_plans() if one.id == plan), None)
    name = args.name or (known.name if known else "")
    if not name:
        raise CompanionError("own paint needs --name for a new plan")
    board: Board = editor.plan_board(plan)
    tools = editor.board_tools(plan)
    for text in args.cell:
        place, tool = parse_tool(text, "--cell", tools)
        board = tap_cell(board, tool, parse_cell(place), tools)
    for text in args.edge:
        place, tool = parse_tool(text, "--edge", tools)
        one, slash, two = place.partition("/")
        if not slash:
            raise CompanionError(f"--edge: {text!r} is not like 1,1/2,1=wall")
        board = tap_edge(board, tool, parse_cell(one), parse_cell(two))
    kept = editor.save_plan(plan, name, board)
    problems = list(editor.plan_problems(kept, board))
    return {"id": kept, "problems": problems}, [f"kept: {kept}", *problems]


def parse_tool(text: str, flag: str, tools: Any) -> tuple[str, BoardTool]:
    """Parse `PLACE=TOOL`."""
    place, equals, name = text.partition("=")
    found = next((one for one in tools if one.id == name), None)
    if not equals or found is None:
        known = ", ".join(one.id for one in tools)
        raise CompanionError(f"{flag}: {text!r} names no tool; there are: {known}")
    return place, found


def imported(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Keep what a file holds."""
    if len(args.names) != 1:
        raise CompanionError("own import needs one file")
    path = Path(args.names[0])
    text = decode(read_bytes(path), str(path))
    imported = forms_of(screen, args.game).import_forms(text, str(path))
    lines = [f"kept: {name}" for name in imported.names]
    lines += [f"replaces: {name}" for name in imported.replaced]
    return {"kept": list(imported.names), "replaced": list(imported.replaced)}, lines


def exported(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Write cards or a plan as a file to share."""
    if not args.names:
        raise CompanionError("own export needs a kind and ids, or a plan")
    if "/" in args.names[0]:
        text = editor_of(screen, args.game).export_plan(args.names[0])
    else:
        forms = forms_of(screen, args.game)
        kind = kind_of(forms, args)
        text = forms.export_forms(kind, args.names[1:])
    if args.out is None:
        return {"text": text}, [text.rstrip("\n")]
    atomic_write.write_text(args.out, text)
    return {"file": str(args.out)}, [str(args.out)]


def removed(screen: GameScreen, args: argparse.Namespace) -> Told:
    """Delete something of the players' own."""
    if args.names and "/" in args.names[0]:
        found = editor_of(screen, args.game).remove_plan(args.names[0])
    else:
        forms = forms_of(screen, args.game)
        kind = kind_of(forms, args)
        gone = [forms.remove_form(kind, name) for name in args.names[1:]]
        found = bool(gone) and all(gone)
    if not found:
        raise UnknownName(f"{' '.join(args.names)}: nothing of your own has that name")
    return {"removed": args.names}, [f"removed: {' '.join(args.names)}"]
