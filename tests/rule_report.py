"""Which rule numbers of each catalogue are proved by a marked test: `python -m tests.rule_report`.

A mark counts only if players get what the test proves: the test names no function that tests alone
reach, and where the product names the rule's number, one of those places is reached.

A catalogue is a file in tests/rules: one line per rule with its number, its tag, the editions
that have it, and `differs` where the editions disagree.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.reachability import Suite, cited, product, spelled

RULES = Path(__file__).parent / "rules"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a catalogue."""

    number: str
    tag: str
    editions: tuple[str, ...]
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """A rule number a test is marked with, and the editions that test names."""

    number: str
    test: str
    editions: frozenset[str]


WHOLE_SUITE = pytest.StashKey[list[Proof]]()
"""Where a run of the whole suite keeps the proofs it collected."""


@dataclass(eq=False, slots=True)
class Collected:
    """A pytest plugin that keeps the proofs of all collected tests, and what failed to collect."""

    proofs: list[Proof] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.proofs.extend(proof for item in session.items for proof in proofs_of(item))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failures.append(f"{report.nodeid}: {report.longreprtext}")


def read(path: Path) -> dict[str, Rule]:
    """The rules of one catalogue by number."""
    rules: dict[str, Rule] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            number, tag, editions, *flags = line.split()
            rules[number] = Rule(number, tag, tuple(editions.split(",")), "differs" in flags)
    return rules


def catalogues() -> dict[str, dict[str, Rule]]:
    """Every catalogue by name."""
    return {path.stem: read(path) for path in sorted(RULES.glob("*.txt"))}


def proofs_of(item: pytest.Item) -> Iterator[Proof]:
    """The numbers a test is marked with; its editions are those its mark or its name gives."""
    for mark in item.iter_markers("rule"):
        stated = mark.kwargs.get("edition")
        named = [stated] if stated else re.findall(r"(?<!\d)20\d\d(?!\d)", item.nodeid)
        for number in mark.args:
            yield Proof(number, item.nodeid, frozenset(named))
    # A worked example is as often named by the test as marked: `..._ex_g18`, `[EX-17 legal]`.
    years = frozenset(re.findall(r"(?<!\d)20\d\d(?!\d)", item.nodeid))
    for letter, digits in re.findall(r"(?i)(?<![a-z])ex[-_](g?)(\d+)", item.name):
        yield Proof(f"EX-{letter.upper()}{digits}", item.nodeid, years)


def misnumbered(items: Iterable[pytest.Item]) -> list[str]:
    """Complaints about marks whose number no catalogue has, or that have none."""
    known = {number for rules in catalogues().values() for number in rules}
    wrong: list[str] = []
    for item in items:
        for mark in item.iter_markers("rule"):
            if not mark.args:
                wrong.append(f"{item.nodeid}: a rule mark without a number")
            wrong.extend(
                f"{item.nodeid}: no catalogue has a rule {number!r}"
                for number in mark.args
                if number not in known
            )
            if unknown := set(mark.kwargs) - {"edition"}:
                wrong.append(f"{item.nodeid}: a rule mark knows no {sorted(unknown)}")
    return list(dict.fromkeys(wrong))


def collect() -> list[Proof]:
    """The proofs of all tests, by collecting them without running any."""
    collected = Collected()
    status = pytest.main(
        ["--collect-only", "-p", "no:terminal", "-p", "no:cacheprovider"], plugins=[collected]
    )
    if status != pytest.ExitCode.OK:
        sys.exit("\n".join(collected.failures) or f"collecting the tests failed: {status!r}")
    return collected.proofs


def reached(proofs: Iterable[Proof]) -> tuple[list[Proof], dict[str, list[str]]]:
    """The proofs that count, and the rules that have only others, with the code these rest on."""
    program, alive = product()
    suite = Suite(program, alive)
    places = cited(program)
    counted: list[Proof] = []
    others: dict[str, set[str]] = {}
    for proof in proofs:
        resting = suite.rests_on(proof.test)
        citing = places.get(proof.number, set())
        if not citing & alive:
            resting |= citing
        if resting:
            others.setdefault(proof.number, set()).update(map(spelled, resting))
        else:
            counted.append(proof)
    proved = {proof.number for proof in counted}
    return counted, {number: sorted(on) for number, on in others.items() if number not in proved}


def by_number(proofs: Iterable[Proof]) -> dict[str, list[str]]:
    """The tests of each rule number."""
    tests: dict[str, list[str]] = {}
    for proof in proofs:
        tests.setdefault(proof.number, []).append(proof.test)
    return tests


def unproved(rules: dict[str, Rule], proofs: Iterable[Proof], tag: str) -> list[str]:
    """The numbers of that tag that no test is marked with, in the catalogue's order."""
    proved = {proof.number for proof in proofs}
    return [rule.number for rule in rules.values() if rule.tag == tag and rule.number not in proved]


def one_sided(rules: dict[str, Rule], proofs: Iterable[Proof]) -> list[str]:
    """Proved rules on which the editions differ, but not every edition is named by a test."""
    named: dict[str, set[str]] = {}
    for proof in proofs:
        named.setdefault(proof.number, set()).update(proof.editions)
    return [
        rule.number
        for rule in rules.values()
        if rule.differs and rule.number in named and not named[rule.number] >= set(rule.editions)
    ]


def lines(name: str, rules: dict[str, Rule], proofs: list[Proof]) -> Iterator[str]:
    """The report on one catalogue."""
    proved = {proof.number for proof in proofs} & rules.keys()
    yield f"{name}: {len(proved)} of {len(rules)} numbers proved"
    tags = dict.fromkeys(rule.tag for rule in rules.values())
    for tag in tags:
        missing = unproved(rules, proofs, tag)
        total = sum(rule.tag == tag for rule in rules.values())
        yield f"  {tag:<16} {total - len(missing):>4} of {total:>4}"
    for tag in tags:
        yield from listing(f"  not proved, {tag}:", unproved(rules, proofs, tag))
    yield from listing("  proved, editions differ, not named for each:", one_sided(rules, proofs))


def listing(title: str, numbers: list[str], width: int = 96) -> Iterator[str]:
    """A titled paragraph of numbers; families are written once: `TMG-LOS-1 -2 -3`."""
    if not numbers:
        return
    yield title
    line, family = "   ", ""
    for number in numbers:
        stem, _, last = number.rpartition("-")
        word = f" -{last}" if stem == family else f" {number}"
        if len(line) + len(word) > width:
            yield line
            line, word = "   ", f" {number}"
        family = stem
        line += word
    yield line


def main() -> None:
    """Print the report, or the proofs as JSON for other tools."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="the tests that count by rule number")
    wants_json = parser.parse_args().json
    proofs, unreached = reached(collect())
    if wants_json:
        print(json.dumps({"proved": by_number(proofs), "unreached": unreached}))
        return
    # A reader who leaves early (`make rules | head`) is not an error.
    with suppress(BrokenPipeError):
        for name, rules in catalogues().items():
            print("\n".join(lines(name, rules, proofs)), flush=True)
        for number, code in unreached.items():
            print(f"  reached by tests only: {number} ({', '.join(code)})", flush=True)


if __name__ == "__main__":
    main()
