"""Which rules of a catalogue were reached in play: those that a function names that has run, or a
constant, field or class that such a function uses.

What was run is kept in a file, if one is named, so that many short runs add up.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from tests.reachability import MODULE, NUMBER, Definition, Place, Program, product
from tests.rule_report import catalogues

Ran = set[Place]
"""Functions that have run: their modules and qualified names."""
ELSEWHERE = (".screen", ".cards", ".figures", ".army", ".decks", "rival", ".rules.setup")
"""Where rules are told that a game in play does not come to: lists, cards, pictures, pages."""


def recording(ran: Ran) -> Callable[[FrameType, str, Any], None]:
    """A tracer that notes every function of a game that is called."""
    known: set[Any] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in known:
            known.add(code)
            module = str(frame.f_globals.get("__name__", ""))
            if module.startswith("companion.games."):
                ran.add((module, code.co_qualname.replace(".<locals>", "")))

    return note


def kept(file: str, ran: Ran) -> Ran:
    """What has run, with what an earlier run has noted in the file."""
    path = Path(file)
    if file and path.is_file():
        ran |= {(module, name) for module, name in json.loads(path.read_text())}
    if file:
        path.write_text(json.dumps(sorted(ran)))
    return ran


def names_at(text: str) -> Iterator[tuple[int, int, str]]:
    """The lines of each constant of a module, and of each field of its classes."""
    tree = ast.parse(text)
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    scopes += [one for one in tree.body if isinstance(one, ast.ClassDef)]
    for scope in scopes:
        last: tuple[int, str] | None = None
        for one in scope.body:
            targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
            names = [name.id for name in targets if isinstance(name, ast.Name)]
            if names:
                last = (one.lineno, names[0])
            elif not isinstance(one, ast.Expr):
                last = None
            if last is not None:
                yield last[0], one.end_lineno or one.lineno, last[1]


def uses(definition: Definition) -> set[str]:
    """The names and attributes that a definition uses."""
    return definition.names | {part for one in definition.attributes for part in one}


def reached(program: Program, ran: Ran) -> Callable[[str, int], bool]:
    """Whether what stands in a line of a module has been used by something that ran."""
    live = {
        name
        for module, function in ran
        if module in program.modules and function in program.modules[module].definitions
        for name in uses(program.modules[module].definitions[function])
    }
    constants = {name: list(names_at(one.text)) for name, one in program.modules.items()}

    def is_reached(module: str, line: int) -> bool:
        place = program.modules[module].around(line).place
        inside = [one[2] for one in constants[module] if one[0] <= line <= one[1]]
        function = place[1] != MODULE and place[1].rpartition(".")[2][:1].islower()
        if function or not inside:
            methods = any(one == module and name.startswith(place[1]) for one, name in ran)
            return place in ran or (place[1] != MODULE and not function and methods)
        return any(name in live for name in inside)

    return is_reached


def report(game: str, ran: Ran) -> Iterable[str]:
    """How many tracked rules were reached, and which were not: those that play may come to, and
    those that only lists, cards and pages name."""
    program, _ = product()
    is_reached = reached(program, ran)
    rules = catalogues()[game.partition("-")[0]].values()
    tracked: dict[str, list[tuple[str, bool]]] = {
        one.number: [] for one in rules if one.tag == "tracked"
    }
    for module in program.modules.values():
        if not module.name.startswith("companion.games."):
            continue
        for at, line in enumerate(module.text.splitlines(), 1):
            for stem, first, last in NUMBER.findall(line):
                for number in range(int(first), int(last or first) + 1):
                    if f"{stem}{number}" in tracked:
                        where = tracked[f"{stem}{number}"]
                        where.append((module.name, is_reached(module.name, at)))
    done = [one for one, where in tracked.items() if any(run for _, run in where)]
    beside = [
        one
        for one, where in tracked.items()
        if where
        and one not in done
        and all(any(word in at for word in ELSEWHERE) for at, _ in where)
    ]
    unnamed = [one for one, where in tracked.items() if not where]
    missed = [one for one in tracked if one not in {*done, *beside, *unnamed}]
    share, inside = len(done) / len(tracked), len(done) / max(1, len(done) + len(missed))
    yield f"{game}: {len(done)} of {len(tracked)} tracked rules reached in play ({share:.0%})"
    yield f"of those that play comes to: {len(done)} of {len(done) + len(missed)} ({inside:.0%})"
    yield "not reached: " + " ".join(missed)
    yield "only lists, cards and pages name: " + " ".join(beside)
    yield "no place in the games names: " + " ".join(unnamed)
