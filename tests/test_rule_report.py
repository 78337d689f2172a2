"""Rule marks are counted, mistyped ones refused, and the report tells what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rule_report import Proof, Rule, catalogues, lines, listing, one_sided, unproved

pytest_plugins = ["pytester"]

RULES = {
    rule.number: rule
    for rule in (
        Rule("A-LOS-1", "geometry", ("2021", "2018")),
        Rule("A-LOS-2", "geometry", ("2021", "2018"), differs=True),
        Rule("A-LOS-3", "geometry", ("2021",)),
        Rule("A-RND-1", "tracked", ("2018",)),
    )
}


def proof(number: str, *editions: str) -> Proof:
    return Proof(number, "tests/test_a.py::test_a", frozenset(editions))


def test_the_shipped_catalogues_hold_every_number_once() -> None:
    for name, rules in catalogues().items():
        text = (Path(__file__).parent / "rules" / f"{name}.txt").read_text(encoding="utf-8")
        assert len(rules) == len([line for line in text.splitlines() if line[:1] != "#"])
        for rule in rules.values():
            assert not rule.differs or len(rule.editions) > 1


def test_what_is_not_proved_is_listed_in_order() -> None:
    proofs = [proof("A-LOS-2"), proof("A-RND-1")]
    assert unproved(RULES, proofs, "geometry") == ["A-LOS-1", "A-LOS-3"]
    assert unproved(RULES, proofs, "tracked") == []


@pytest.mark.parametrize(
    ("proofs", "missing"),
    [
        ([], []),
        ([proof("A-LOS-2")], ["A-LOS-2"]),
        ([proof("A-LOS-2", "2018")], ["A-LOS-2"]),
        ([proof("A-LOS-2", "2018"), proof("A-LOS-2", "2021")], []),
        ([proof("A-LOS-1")], []),
    ],
)
def test_a_rule_that_differs_is_proved_for_each_edition(
    proofs: list[Proof], missing: list[str]
) -> None:
    assert one_sided(RULES, proofs) == missing


def test_the_report_counts_by_tag() -> None:
    told = list(lines("a", RULES, [proof("A-LOS-1"), proof("A-LOS-1"), proof("A-RND-1")]))
    assert told[0] == "a: 2 of 4 numbers proved"
    assert told[1].split() == ["geometry", "1", "of", "3"]
    assert told[2].split() == ["tracked", "1", "of", "1"]
    assert told[3:] == ["  not proved, geometry:", "    A-LOS-2 -3"]


def test_long_lists_are_wrapped_and_each_line_names_its_family() -> None:
    told = list(listing("all:", [f"A-LOS-{number}" for number in range(1, 9)], width=20))
    assert told[:3] == ["all:", "    A-LOS-1 -2 -3 -4", "    A-LOS-5 -6 -7 -8"]


MARKED = """
import pytest

@pytest.mark.rule({mark})
def test_marked():
    pass
"""


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        ("'TMG-LOS-1', 'OR-2', edition='2018'", ""),
        ("'TMG-LOS-999'", "test_marked: no catalogue has a rule 'TMG-LOS-999'"),
        ("", "a rule mark without a number"),
        ("'TMG-LOS-1', year=2018", "a rule mark knows no ['year']"),
    ],
)
def test_a_mistyped_mark_stops_the_run(
    pytester: pytest.Pytester, mark: str, complaint: str
) -> None:
    pytester.makeconftest("from tests.conftest import pytest_collection_modifyitems")
    pytester.makeini("[pytest]\nmarkers = rule\n")
    pytester.makepyfile(MARKED.format(mark=mark))
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    assert result.ret == (pytest.ExitCode.USAGE_ERROR if complaint else pytest.ExitCode.OK)
    assert complaint in result.stderr.str()
