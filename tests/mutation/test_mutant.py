"""Every kind of small error is made, one at a time, and the source stays as it is."""

from __future__ import annotations

import ast
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.__main__ import AREAS, ROOT, bound, equivalents, rules_near
from tests.mutation.mutant import mutants, mutated

RULES = AREAS["rules"].package
SOURCE = '''"""Words."""
from x import y

LIMIT = 3


class Unit:
    """A unit."""

    ranks: int = 2

    def loses(self, wounds: int = 1) -> bool:
        """Whether."""
        self.note()
        if wounds < LIMIT and not self.safe:
            return True
        for one in self.all:
            self.left -= 1
            if one:
                continue
        return -wounds + 2 in self.all


def share(a, b):
    return max(a, b) if a else any(x for x in b if x)
'''
CHANGES = [
    ("constant", "3", "4"),
    ("constant", "2", "3"),
    ("constant", "1", "2"),
    ("removed statement", "self.note()", "pass"),
    ("removed statement", "if wounds < LIMIT and (not self.safe): …", "pass"),
    (
        "negated condition",
        "wounds < LIMIT and (not self.safe)",
        "not (wounds < LIMIT and (not self.safe))",
    ),
    ("and/or", "wounds < LIMIT and (not self.safe)", "wounds < LIMIT or not self.safe"),
    ("boundary", "wounds < LIMIT", "wounds <= LIMIT"),
    ("opposite", "wounds < LIMIT", "wounds >= LIMIT"),
    ("dropped not", "not self.safe", "self.safe"),
    ("constant", "True", "False"),
    ("removed statement", "for one in self.all: …", "pass"),
    ("removed statement", "self.left -= 1", "pass"),
    ("arithmetic", "self.left -= 1", "self.left += 1"),
    ("constant", "1", "2"),
    ("removed statement", "if one: …", "pass"),
    ("negated condition", "one", "not one"),
    ("removed statement", "continue", "pass"),
    ("returned None", "return -wounds + 2 in self.all", "return None"),
    ("opposite", "-wounds + 2 in self.all", "-wounds + 2 not in self.all"),
    ("arithmetic", "-wounds + 2", "-wounds - 2"),
    ("dropped minus", "-wounds", "wounds"),
    ("constant", "2", "3"),
    (
        "returned None",
        "return max(a, b) if a else any((x for x in b if x))",
        "return None",
    ),
    ("negated condition", "a", "not a"),
    ("function", "max(a, b)", "min(a, b)"),
    ("function", "any((x for x in b if x))", "all((x for x in b if x))"),
    ("negated condition", "x", "not x"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "unit.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_every_change_is_found(source: Path) -> None:
    found = mutants(source, source.parent)
    assert [(one.kind, one.before, one.after) for one in found] == CHANGES
    assert [one.function for one in found[:4]] == ["", "", "", "Unit.loses"]
    assert len({one.key for one in found}) == len(found)
    assert source.read_text(encoding="utf-8") == SOURCE


def test_each_change_is_made_alone(source: Path) -> None:
    plain = Counter(ast.unparse(ast.parse(SOURCE)).splitlines())
    for one in mutants(source, source.parent):
        lines = Counter(ast.unparse(mutated(SOURCE, one.number)).splitlines())
        assert lines != plain, one
        assert one.after.removesuffix(" …") in "\n".join(lines), one
        compile(mutated(SOURCE, one.number), "unit.py", "exec")


@pytest.mark.slow
def test_equivalents_are_of_today() -> None:
    """Every mutant that is excused exists in the source, and has a reason."""
    sources = [path for area in AREAS.values() for path in area.sources()]
    known = {one.key for path in sources for one in mutants(path, ROOT)}
    reasons = equivalents()
    assert reasons.keys() <= known
    assert all(reasons.values())


@pytest.mark.slow
def test_the_rules_of_a_mutant_are_those_its_function_names() -> None:
    path = RULES / "play/commands/unit_actions.py"
    named = {one.function: rules_near(one) for one in mutants(path, ROOT)}
    assert {"TMG-MAR-1", "TMG-MODE-DWD-5"} <= named["march"]
    assert "TMG-RET-1" not in named["march"]
    path = RULES / "play/commands/preparation.py"
    whole = next(rules_near(one) for one in mutants(path, ROOT) if not one.function)
    assert {"TMG-DEP-3", "TMG-MODE-COK-4"} <= whole


@pytest.mark.parametrize(("computes", "status"), [(False, 0), (True, -signal.SIGPROF)])
def test_a_mutant_is_killed_for_computing_too_long_and_not_for_waiting(
    computes: bool, status: int
) -> None:
    """On a busy machine every mutant seemed to be killed."""
    child = os.fork()
    if not child:
        bound(0.05)
        while computes:
            pass
        time.sleep(0.3)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status
