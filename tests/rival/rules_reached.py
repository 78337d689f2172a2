"""Which rules of a catalogue were reached in play: those that a function names that has run, or a
constant, field or class that such a function uses.

What was run is kept in a file, if one is named, so that many short runs add up.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from tests.reachability import Definition, Place, Program, product
from tests.rule_report import catalogues

Ran = set[Place]
"""Functions that have run: their modules and qualified names."""
ELSEWHERE = (".screen", ".cards", ".figures", ".army", ".decks", "rival", ".rules.setup")
"""Where rules are told that a game in play does not come to: lists, cards, pictures, pages."""


BY_PEOPLE = {
    "the table before the game, which players set up": (
        *(
            "TMG-SET-",
            "TMG-DEP-",
            "TMG-PCE-",
            "TMG-TER-1",
            "TMG-FFA-3",
            "TMG-MODE-FFC-2",
            "TMG-MODE-FFC-20",
        ),
        *("TAC-SET-", "TAC-CMP-", "BOW-SET-", "BOW-CMP-"),
    ),
    "which miniature is taken off, which players see to": (
        *("TMG-RNK-5", "TMG-RNK-6", "TMG-RNK-7", "TMG-ATM-6", "TMG-ATM-7", "TMG-ATM-8"),
    ),
    "cards as the camera sees them": ("AGOT-CMP-6", "AGOT-CMP-7", "AGOT-CARD-1"),
    "texts of cards, which players carry out": (
        *("AGOT-PLOT-20", "AGOT-KEY-22", "AGOT-KEY-54", "AGOT-TOK-12", "AGOT-CARD-10"),
        *("AGOT-CARD-12", "AGOT-CARD-13", "AGOT-UNI-3", "AGOT-ATT-7", "AGOT-CHL-22"),
        *(
            "TMG-GLO-2",
            "TMG-GLO-21",
            "TMG-INF-",
            "TMG-ACT-4",
            "TMG-ACT-5",
            "TMG-DECK-",
            "TMG-ORD-4",
        ),
        *("AGOT-EVT-", "AGOT-ABL-", "AGOT-EFF-", "TAC-ABL-", "TAC-MOT-"),
        *("BOW-MOR-6", "BOW-CDR-11", "BOW-ENG-12"),
    ),
    "conceding": ("TAC-END-12", "TAC-END-13", "AGOT-END-1", "AGOT-END-3"),
}
"""What rivals do not come to by themselves, and why."""


def belongs(number: str, stem: str) -> bool:
    """Whether a rule is the named one, or of the named chapter."""
    return number == stem or (stem.endswith("-") and number.startswith(stem))


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


NUMBERS = re.compile(
    r"\b((?:[A-Z]+-){1,3})(\d+)((?:\.\.-?\d+)?(?:(?:,| and| or| to) -\d+(?:\.\.-?\d+)?)*)"
)
"""A rule number, and those of the same chapter that follow it: `BOW-FIR-7, -8`, `TAC-MOV-1..4`."""
SPAN = re.compile(r"\b((?:[A-Z]+-){1,3})(\d+) to \1(\d+)")


def numbers_in(line: str) -> Iterator[str]:
    """The rule numbers that a line names."""
    for stem, first, last in SPAN.findall(line):
        yield from (f"{stem}{one}" for one in range(int(first), int(last) + 1))
    for stem, first, more in NUMBERS.findall(line):
        before = int(first)
        yield f"{stem}{before}"
        for sign, text in re.findall(r"(\.\.-?| to -| -)(\d+)", more):
            span = sign != " -"
            yield from (
                f"{stem}{one}" for one in range(before if span else int(text), int(text) + 1)
            )
            before = int(text)


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
        name = place[1].rpartition(".")[2]
        if name[:1].islower():
            return place in ran
        if inside:
            return any(one in live for one in inside)
        if name:  # a class: what uses it has run, or one of its methods
            return name in live or any(one == module and f.startswith(place[1]) for one, f in ran)
        return any(one == module for one, _ in ran)  # what a module is about

    return is_reached


def report(game: str, ran: Ran) -> Iterable[str]:
    """How many tracked rules were reached, and which were not: those that play may come to, those
    that only lists, cards and pages name, and what rivals leave to people."""
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
            for number in numbers_in(line):
                if number in tracked:
                    tracked[number].append((module.name, is_reached(module.name, at)))
    done = [one for one, where in tracked.items() if any(run for _, run in where)]
    left = [one for one in tracked if one not in done]
    people = {
        why: [one for one in left if any(belongs(one, stem) for stem in stems)]
        for why, stems in BY_PEOPLE.items()
    }
    left = [one for one in left if not any(one in found for found in people.values())]
    unnamed = [one for one in left if not tracked[one]]
    beside = [
        one
        for one in left
        if tracked[one] and all(any(word in at for word in ELSEWHERE) for at, _ in tracked[one])
    ]
    missed = [one for one in left if one not in {*beside, *unnamed}]
    share, inside = len(done) / len(tracked), len(done) / max(1, len(done) + len(missed))
    yield f"{game}: {len(done)} of {len(tracked)} tracked rules reached in play ({share:.0%})"
    yield f"of those that play comes to: {len(done)} of {len(done) + len(missed)} ({inside:.0%})"
    yield "not reached: " + " ".join(missed)
    yield "only lists, cards and pages name: " + " ".join(beside)
    yield "no place in the games names: " + " ".join(unnamed)
    yield from (f"{why}: {' '.join(found)}" for why, found in people.items() if found)
