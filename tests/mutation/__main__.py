"""Mutation testing: `python -m tests.mutation`, or `make mutants`, of the rules of the miniatures
game; with MUTANTS=engine of what a turn shows, with MUTANTS=models of what reads records.

A mutant is killed if a test fails on it, of the rules a marked one. The tests are collected once;
each mutant lives in a forked process that replaces the code of one function in memory and runs the
tests that reach the changed line, the quickest first. No file is ever changed. A change outside any
function needs a fresh import and gets a process of its own. What was killed is noted in
out/mutants: a run that was broken off goes on where it was, and a run after better tests asks the
survivors only.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import importlib.machinery
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutant import Mutant, head, mutants, mutated

ROOT = Path(__file__).parents[2]
QUIETLY = ("-s", "-p", "no:cacheprovider", "-p", "no:terminal")


@dataclass(frozen=True, slots=True)
class Area:
    """What is changed, and the tests that should notice."""

    package: Path
    tests: tuple[str, ...]
    marked: tuple[str, ...] = ()
    files: tuple[str, ...] = ("**/*.py",)

    def sources(self) -> list[Path]:
        """The files that are changed."""
        return sorted(path for one in self.files for path in self.package.glob(one))


AREAS = {
    "rules": Area(
        ROOT / "companion/games/tmg",
        (
            "tests/games/tmg",
            "tests/play",
            "tests/models",
            "tests/geometry",
            "tests/reference",
            "tests/test_summary.py",
        ),
        ("-m", "rule"),
    ),
    "engine": Area(
        ROOT / "companion/engine/turn",
        ("tests/engine/turn", "tests/engine/test_automatic_step.py", "tests/test_text_play.py"),
    ),
    "models": Area(ROOT / "models", ("tests/models",), files=("*record*.py", "field.py")),
}
NAME = os.environ.get("MUTANTS", "rules")
AREA = AREAS[NAME]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
OUT = ROOT / "out/mutants" / (NAME if NAME != "rules" else "")
MEMORY = 6 << 30
PATIENCE = 60
"""A process may wait so many times as long as it may compute."""
KILLED, SURVIVED, UNREACHED, EQUAL = "killed", "survived", "not reached", "equivalent"
RULE = re.compile(r"\b(?:TMG(?:-MODE)?-[A-Z]+-\d+|OR-\d+)\b")
RECORDED = "test_recorded"
"""Tests that notice most: some of them come first."""
PASSED, FAILED, NEEDS_IMPORT = 0, 1, 3


@dataclass(slots=True)
class Verdict:
    """What became of a mutant."""

    mutant: Mutant
    fate: str


@dataclass(slots=True)
class Run:
    """A pytest plugin: runs the chosen mutants against the collected tests."""

    chosen: list[Mutant]
    budget: float
    reach: Reach = field(init=False)
    loaded: Loaded = field(init=False)
    verdicts: list[Verdict] = field(default_factory=list)
    kills: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many mutants of a file each test has killed so far."""
    proved: dict[str, set[str]] = field(default_factory=dict)
    """The rules each test is marked with."""
    importing: dict[str, frozenset[str]] = field(default_factory=dict)
    """The modules that each test's file imports."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests once: measure what they reach, then run the mutants."""
        items = {item.nodeid: item for item in session.items}
        self.proved = {
            test: {rule for mark in item.iter_markers("rule") for rule in mark.args}
            for test, item in items.items()
        }
        self.reach = Reach.measured(items)
        self.importing = {test: imports_of(item.path) for test, item in items.items()}
        self.loaded = Loaded.now()
        reasons, before = equivalents(), KilledBefore.opened()
        for at, mutant in enumerate(self.chosen, 1):
            if mutant.key in reasons:
                verdict = Verdict(mutant, EQUAL)
            elif mutant.key in before.keys:
                verdict = Verdict(mutant, KILLED)
            else:
                verdict = self.judged(mutant, items)
                if verdict.fate == KILLED:
                    before.add(mutant.key)
            self.verdicts.append(verdict)
            if verdict.fate not in (KILLED, EQUAL):
                print(f"{at}/{len(self.chosen)} {verdict.fate}: {described(mutant)}", flush=True)
            if at % 25 == 0:
                *_, share = summary(self.verdicts)
                print(share, flush=True)
        return True

    def judged(self, mutant: Mutant, items: dict[str, pytest.Item]) -> Verdict:
        """Run the tests that reach a mutant, until one fails or the budget is spent.

        What no test reaches may have run while the tests were imported, as data files are read.
        """
        reached = self.reach.reaching(mutant)
        tests = self.affordable(
            mutant, reached or self.reach.near(mutant, self.of_its_file(mutant))
        )
        if not tests:
            return Verdict(mutant, UNREACHED)
        limit = 30 + 10 * sum(self.reach.seconds[test] for test in tests)
        status, killer = NEEDS_IMPORT, ""
        if reached:
            status, killer = forked(mutant, [items[test] for test in tests], limit, self.loaded)
        if status == NEEDS_IMPORT or (status == PASSED and runs_on_import(mutant)):
            status = imported(mutant, tests, limit)
        if killer:
            self.kills[mutant.path, killer] += 1
        if status != PASSED:
            return Verdict(mutant, KILLED)
        return Verdict(mutant, SURVIVED if reached or not mutant.function else UNREACHED)

    def affordable(self, mutant: Mutant, reached: list[str]) -> list[str]:
        """The tests to run: those of the rules named in the function, then those that killed
        before, then those that come into the block that the statement guards, then some of each
        kind, quick ones first. For a statement outside functions, those whose file imports its
        module come first."""
        ranks: Counter[str] = Counter()
        inside, rules = self.reach.guarded(mutant), rules_near(mutant)
        direct = set() if mutant.function else self.of_its_file(mutant)
        if not mutant.function:
            inside = self.reach.naming(mutant) | dict.fromkeys(direct, 0)
        order: dict[str, tuple[bool, int, int, int, float]] = {}
        for test in reached:
            file = test.partition("[")[0]
            seconds = self.reach.seconds[test]
            rank = 0 if RECORDED in test and ranks[file] < 4 else 1 + ranks[file]
            killed = self.kills[mutant.path, test]
            proves = test in direct or not rules.isdisjoint(self.proved.get(test, ()))
            order[test] = (not proves, -killed, inside.get(test, len(reached)), rank, seconds)
            ranks[file] += 1
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(order, key=lambda one: order[one]):
            if chosen and spent + self.reach.seconds[test] > self.budget:
                continue
            spent += self.reach.seconds[test]
            chosen.append(test)
        return chosen

    def of_its_file(self, mutant: Mutant) -> set[str]:
        """The tests whose files import from the mutant's module."""
        module = module_of(mutant.path)
        return {test for test, modules in self.importing.items() if module in modules}


@dataclass(slots=True)
class KilledBefore:
    """Who was killed before, so that a run that was broken off goes on where it was."""

    path: Path
    keys: set[str]

    @classmethod
    def opened(cls) -> KilledBefore:
        """Those of earlier runs on the same source."""
        path, source = OUT / "killed.txt", digest(AREA.sources())
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines[:1] != [source]:
            path.write_text(f"{source}\n", encoding="utf-8")
            lines = []
        return cls(path, set(lines[1:]))

    def add(self, key: str) -> None:
        """One more."""
        self.keys.add(key)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{key}\n")


@dataclass(slots=True)
class Reach:
    """Which lines of the package each test runs, and how long it takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    @classmethod
    def measured(cls, items: dict[str, pytest.Item]) -> Reach:
        """Run all tests once under coverage; what has not changed since the last time is kept."""
        OUT.mkdir(parents=True, exist_ok=True)
        data, notes = OUT / "reach.coverage", OUT / "reach.json"
        source = digest(AREA.sources())
        known: dict[str, Any] = json.loads(notes.read_text()) if notes.exists() else {}
        if known.get("source") != source:
            known = {"source": source, "tests": {}}
            data.unlink(missing_ok=True)
        digests = {path: digest([path]) for path in {item.path for item in items.values()}}
        new = [
            item
            for test, item in items.items()
            if known["tests"].get(test, ("", 0))[0] != digests[item.path]
        ]
        if new:
            print(f"measuring what {len(new)} of {len(items)} tests reach", flush=True)
            seconds = covered(new, data)
            for item in new:
                known["tests"][item.nodeid] = (digests[item.path], seconds.get(item.nodeid))
            notes.write_text(json.dumps(known))
        taken = {test: known["tests"][test][1] for test in items}
        return cls.read(data, {test: one for test, one in taken.items() if one is not None})

    @classmethod
    def read(cls, data: Path, seconds: dict[str, float]) -> Reach:
        """The reach of the tests from a coverage file."""
        from coverage import CoverageData

        stored = CoverageData(str(data))
        stored.read()
        lines: dict[str, dict[int, list[str]]] = {}
        for name in stored.measured_files():
            path = Path(name).relative_to(ROOT).as_posix()
            lines[path] = {
                line: [test for test in tests if test in seconds]
                for line, tests in stored.contexts_by_lineno(name).items()
            }
        return cls(lines, seconds)

    def reaching(self, mutant: Mutant) -> list[str]:
        """The tests that run the changed statement, the quickest first; none at module level."""
        lines = self.lines.get(mutant.path, {})
        where = range(mutant.first_line, mutant.last_line + 1) if mutant.function else ()
        found = {test for line in where for test in lines.get(line, ())}
        return sorted(found, key=lambda test: self.seconds[test])

    def guarded(self, mutant: Mutant) -> dict[str, int]:
        """The tests that come into the lines just after a statement, with how many do.

        What a condition guards is run by few of the tests that ask it; they notice first.
        """
        lines = self.lines.get(mutant.path, {})
        found: dict[str, int] = {}
        if mutant.function:
            for line in range(mutant.last_line + 1, mutant.last_line + 3):
                here = lines.get(line, ())
                for test in here:
                    found[test] = min(found.get(test, len(here)), len(here))
        return found

    def naming(self, mutant: Mutant) -> dict[str, int]:
        """The tests that run a line which names what a statement at module level defines, with
        how many do."""
        names = defined(mutant)
        found: dict[str, int] = {}
        if not names:
            return found
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        for path, lines in self.lines.items():
            for number, line in enumerate(source_of(ROOT / path).splitlines(), 1):
                here = lines.get(number, ())
                if here and word.search(line):
                    for test in here:
                        found[test] = min(found.get(test, len(here)), len(here))
        return found

    def near(self, mutant: Mutant, direct: set[str]) -> list[str]:
        """The tests that run what a statement at module level defines or functions of its module,
        and those `direct` ones whose files import from it; else those of its importers."""
        found = self.of_module(mutant.path) | self.naming(mutant).keys()
        found |= direct & self.seconds.keys()
        if not found:
            found = {test for path in importers(mutant.path) for test in self.of_module(path)}
        return sorted(found, key=lambda test: self.seconds[test])

    def of_module(self, path: str) -> set[str]:
        """The tests that run any function of a module."""
        return {test for tests in self.lines.get(path, {}).values() for test in tests}


def rules_near(mutant: Mutant) -> set[str]:
    """The rule numbers named in the mutant's function, else in its module."""
    text = source_of(ROOT / mutant.path)
    if mutant.function:
        places = [
            (one.lineno, one.end_lineno or one.lineno)
            for one in ast.walk(ast.parse(text))
            if isinstance(one, ast.FunctionDef) and one.lineno <= mutant.first_line
        ]
        first, last = max(place for place in places if place[1] >= mutant.first_line)
        text = "\n".join(text.splitlines()[first - 1 : last])
    return set(RULE.findall(text))


@cache
def source_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def imports_of(path: Path) -> frozenset[str]:
    """The modules that a test file imports, itself or through the helpers it imports."""
    found: set[str] = set()
    for one in ast.walk(ast.parse(source_of(path))):
        if isinstance(one, ast.ImportFrom) and one.module:
            found |= {one.module, *(f"{one.module}.{name.name}" for name in one.names)}
    helpers = (ROOT / f"{name.replace('.', '/')}.py" for name in found if name.startswith("tests."))
    return frozenset(found).union(*(imports_of(one) for one in helpers if one.exists()))


def defined(mutant: Mutant) -> set[str]:
    """The names that a statement outside functions defines: variables, fields of a class, or a
    function with its defaults."""
    found: set[str] = set()
    for one in ast.walk(ast.parse(source_of(ROOT / mutant.path))):
        if isinstance(one, ast.FunctionDef) and head(one)[0] == mutant.first_line:
            found.add(one.name)
        if isinstance(one, ast.Assign | ast.AnnAssign) and one.lineno == mutant.first_line:
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            names = (part for target in targets for part in ast.walk(target))
            found |= {part.id for part in names if isinstance(part, ast.Name)}
    return found


def module_of(path: str) -> str:
    """The dotted name of a module of the package."""
    return path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")


def importers(path: str) -> Iterator[str]:
    """The modules of the package that import from a module."""
    stem = module_of(path)
    for other in AREA.package.rglob("*.py"):
        if f"from {stem} import" in source_of(other):
            yield other.relative_to(ROOT).as_posix()


def runs_on_import(mutant: Mutant) -> bool:
    """Whether a module of the package calls the mutant's function, or decorates with it, while it
    is imported: what it returned then is not made anew in a forked process."""
    return mutant.function in called_on_import()


@cache
def called_on_import() -> frozenset[str]:
    """The names that modules of the package call outside functions."""
    found: set[str] = set()
    for path in AREA.package.rglob("*.py"):
        outside: list[ast.AST] = [*ast.parse(source_of(path)).body]
        while outside:
            one = outside.pop()
            if isinstance(one, ast.FunctionDef):
                outside += [*one.decorator_list, *one.args.defaults]
                found |= {part.id for part in one.decorator_list if isinstance(part, ast.Name)}
            elif not isinstance(one, ast.Lambda):
                outside += ast.iter_child_nodes(one)
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                found.add(one.func.id)
    return frozenset(found)


def digest(paths: Iterable[Path]) -> str:
    """What changes when a file changes."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()


def covered(items: list[pytest.Item], data: Path) -> dict[str, float]:
    """Run tests under coverage in a forked process; the seconds of each that passes."""
    times = data.with_suffix(".seconds")
    child = os.fork()
    if not child:
        os._exit(_cover(items, data, times))
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        sys.exit("the tests could not be run under coverage")
    taken: dict[str, float] = json.loads(times.read_text())
    return taken


def _cover(items: list[pytest.Item], data: Path, times: Path) -> int:
    from coverage import Coverage

    coverage = Coverage(data_file=str(data), source=[str(AREA.package)], config_file=False)
    if data.exists():
        coverage.load()
    coverage.start()
    seconds: dict[str, float] = {}
    caches = package_caches()
    for item, following in zip(items, [*items[1:], None], strict=True):
        for one in caches:  # else only the first test that asks would seem to reach the function
            one.cache_clear()
        coverage.switch_context(item.nodeid)
        begun = time.process_time()
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            print(f"fails without any mutant, left out: {item.nodeid}", flush=True)
        else:
            seconds[item.nodeid] = time.process_time() - begun
    coverage.stop()
    coverage.save()
    times.write_text(json.dumps(seconds))
    return 0


def package_caches() -> list[Any]:
    """The functions of the package that remember results; the card files are read only once."""
    package = module_of(AREA.package.relative_to(ROOT).as_posix())
    return [
        one
        for one in gc.get_objects()
        if hasattr(type(one), "cache_clear")
        and str(one.__module__).startswith(package)
        and not str(one.__module__).startswith(f"{package}.cards")
    ]


def forked(
    mutant: Mutant, items: list[pytest.Item], limit: float, loaded: Loaded
) -> tuple[int, str]:
    """Run tests in a forked process whose function has the mutant's code; who failed, if any."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        status = FAILED
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            bound(limit)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            status = PASSED if loaded.replace(mutant) else NEEDS_IMPORT
            if status == PASSED and (killer := failing(items)):
                os.write(writer, killer.encode())
                status = FAILED
        finally:
            os._exit(status)
    os.close(writer)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    killer = os.read(reader, 4000).decode()
    os.close(reader)
    return status, killer


def bound(seconds: float) -> None:
    """End this process once it has computed so long, or waited in vain: a busy machine kills no
    mutant."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)


def failing(items: list[pytest.Item]) -> str:
    """The first test that fails, or none."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        if any(one.failed for one in runtestprotocol(item, log=False, nextitem=following)):
            return item.nodeid
    return ""


@dataclass(slots=True)
class Loaded:
    """The package's functions in this process, and everything that remembers results."""

    functions: dict[tuple[str, str], list[FunctionType]]
    caches: list[Any]

    @classmethod
    def now(cls) -> Loaded:
        """What is loaded now; it is kept out of the garbage collector so that forks are quick."""
        found = cls({}, [])
        inside = f"{AREA.package}/"
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                code = one.__code__
                if code.co_filename.startswith(inside):
                    found.functions.setdefault((code.co_filename, code.co_qualname), []).append(one)
            elif hasattr(type(one), "cache_clear"):
                found.caches.append(one)
        gc.collect()
        gc.freeze()
        return found

    def replace(self, mutant: Mutant) -> bool:
        """Give a function the mutant's code, and forget what functions remember."""
        new = {(one.co_qualname, one.co_firstlineno): one for one in codes(compiled(mutant))}
        olds = self.functions.get((str(ROOT / mutant.path), mutant.function), [])
        for old in olds:
            code = new.get((old.__code__.co_qualname, old.__code__.co_firstlineno))
            if code is None or code.co_freevars != old.__code__.co_freevars:
                return False
            old.__code__ = code
        for one in self.caches:
            one.cache_clear()
        return bool(olds)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from codes(one)


def compiled(mutant: Mutant) -> CodeType:
    """The mutant's module."""
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    return compile(mutated(text, mutant.number), str(ROOT / mutant.path), "exec")


def imported(mutant: Mutant, tests: list[str], limit: float) -> int:
    """Run tests in a new process that imports the mutant instead of its module."""
    job = json.dumps({"mutant": asdict(mutant), "tests": tests, "limit": 30 + limit})
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "--import-one"],
        cwd=ROOT,
        input=job,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode


def import_one() -> int:
    """The process of one mutant: its module is compiled from the changed tree."""
    job = json.load(sys.stdin)
    bound(job["limit"])
    mutant = Mutant(**job["mutant"])
    code, path = compiled(mutant), str(ROOT / mutant.path)
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        return code if self.path == path else plain(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment,method-assign]
    wanted = set(job["tests"])

    class Wanted:
        """Runs only the tests that were asked for."""

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            items[:] = [item for item in items if item.nodeid in wanted]

    files = sorted({test.partition("::")[0] for test in wanted})
    return int(
        pytest.main([*QUIETLY, *AREA.marked, "-x", *files], plugins=[Wanted()])
        != pytest.ExitCode.OK
    )


def equivalents() -> dict[str, str]:
    """Why mutants that no test can kill change nothing, by the mutant's key."""
    reasons: dict[str, str] = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            reasons[key] = reason
    return reasons


def described(mutant: Mutant) -> str:
    """A mutant in one line."""
    where = f"{mutant.path.removeprefix('companion/games/')}:{mutant.first_line}"
    return f"{where} {mutant.function or 'module'}: {mutant.before} -> {mutant.after}"


def choose(count: int, seed: int, only: str) -> list[Mutant]:
    """Mutants of all modules, each module with its share by size and at least one."""
    draw = random.Random(seed)
    found = {
        path: mutants(path, ROOT)
        for path in AREA.sources()
        if only in path.relative_to(ROOT).as_posix()
    }
    total = sum(map(len, found.values()))
    chosen: list[Mutant] = []
    for every in found.values():
        share = min(len(every), max(1, round(count * len(every) / total))) if every else 0
        chosen += draw.sample(every, share)
    draw.shuffle(chosen)
    return chosen


def summary(verdicts: list[Verdict]) -> Iterator[str]:
    """The killed share, whole and by module, and who survived."""
    fates = Counter(one.fate for one in verdicts)
    alive = [one for one in verdicts if one.fate in (SURVIVED, UNREACHED)]
    for path in dict.fromkeys(one.mutant.path for one in alive):
        here = [one for one in verdicts if one.mutant.path == path and one.fate != EQUAL]
        dead = sum(one.fate == KILLED for one in here)
        yield f"{path}: {dead} of {len(here)} killed"
        for one in alive:
            if one.mutant.path == path:
                yield f"  {one.fate}: {described(one.mutant)}"
    counted = len(verdicts) - fates[EQUAL]
    share = fates[KILLED] / counted if counted else 1.0
    yield (
        f"{len(verdicts)} mutants: {fates[KILLED]} killed, {fates[SURVIVED]} survived,"
        f" {fates[UNREACHED]} not reached, {fates[EQUAL]} equivalent; {share:.1%} killed"
    )


def main() -> None:
    """Choose mutants, run them, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="how many mutants (500)")
    parser.add_argument("--seed", type=int, default=1, help="which choice of them (1)")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--part", default="1/1", help="one part of them, as 2/3 (1/1)")
    parser.add_argument("--again", action="store_true", help="only those that survived last time")
    parser.add_argument(
        "--budget", type=float, default=60.0, help="seconds of tests for one mutant (60)"
    )
    parser.add_argument("--goal", type=float, default=0.0, help="fail below this killed share")
    parser.add_argument("--import-one", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.import_one:
        sys.exit(import_one())
    chosen = choose(asked.count, asked.seed, asked.only)
    report = OUT / "survivors.txt"
    if asked.again:
        keys = set(report.read_text(encoding="utf-8").splitlines())
        every = [one for path in AREA.sources() for one in mutants(path, ROOT)]
        chosen = [one for one in every if one.key in keys and asked.only in one.path]
    part, parts = map(int, asked.part.split("/"))
    if parts > 1:  # parts may run at the same time
        chosen, report = chosen[part - 1 :: parts], OUT / f"survivors-{part}.txt"
    run = Run(chosen, asked.budget)
    status = pytest.main([*QUIETLY, *AREA.marked, *AREA.tests], plugins=[run])
    if len(run.verdicts) < len(chosen):
        sys.exit(f"the tests cannot be run: {status!r}")
    alive = [one for one in run.verdicts if one.fate in (SURVIVED, UNREACHED)]
    report.write_text("".join(f"{one.mutant.key}\n" for one in alive), encoding="utf-8")
    print("\n".join(summary(run.verdicts)), flush=True)
    counted = [one for one in run.verdicts if one.fate != EQUAL]
    if len(alive) > (1 - asked.goal) * len(counted):
        sys.exit(1)


if __name__ == "__main__":
    main()
