"""The driver of the fuzzers notices what it is there for."""

from __future__ import annotations

import random
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from models import BadInput
from tests.fuzz import driver, phones
from tests.fuzz.__main__ import fuzzer_of, names
from tests.fuzz.driver import Fuzzer, run

ROOT = Path(__file__).parents[2]


def fuzzer(check: Any) -> Fuzzer:
    def make(dice: random.Random, folder: Path) -> int:
        return dice.randrange(1000)

    return Fuzzer("numbers", make, check)


def fails(given: Any, folder: Path) -> str:
    raise ZeroDivisionError


def hangs(given: Any, folder: Path) -> str:
    time.sleep(5)
    return "good"


def hungry(given: Any, folder: Path) -> str:
    return str(len(bytearray(2 << 30)))


def catastrophic(given: Any, folder: Path) -> str:
    return str(re.match(r"(a+)+$", "a" * 40 + "b"))


def refuses(given: Any, folder: Path) -> str:
    raise BadInput("a.file", "line 1", "is wrong")


def rambles(given: Any, folder: Path) -> str:
    raise BadInput("a.file", "line 1", "is wrong\nand more")


@pytest.mark.parametrize(
    ("check", "end", "word"),
    [
        (fails, "failed", "ZeroDivisionError"),
        (hungry, "failed", "MemoryError"),
        (hangs, "too slow", "longer than"),
        (catastrophic, "too slow", "longer than"),
        (rambles, "failed", "more than one line"),
    ],
)
def test_the_driver_reports_a_failure_with_its_seed_and_number(
    check: Any, end: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "TIME_S", 0.3)
    outcome = run(fuzzer(check), 2, seed=7)
    assert outcome.ends == {end: 2}
    assert outcome.failures[1].startswith("numbers: seed 7 input 1: ")
    assert word in outcome.failures[1]


def naps(given: Any, folder: Path) -> str:
    time.sleep(0.3)
    return "good"


@pytest.mark.parametrize(("elsewhere", "end"), [(1.0, "good"), (0.0, "too slow")])
def test_an_input_that_waits_for_a_busy_machine_is_not_slow(
    elsewhere: float, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = iter((0.0, elsewhere, elsewhere, elsewhere))
    monkeypatch.setattr(driver, "TIME_S", 0.02)
    monkeypatch.setattr(driver, "starved_s", lambda: next(counts))
    assert run(fuzzer(naps), 1).ends == {end: 1}


def test_a_run_that_is_broken_off_tells_what_it_reached() -> None:
    asked: list[int] = []

    def keep(one: Any, folder: Path) -> str:
        asked.append(one)
        if len(asked) == 3:
            signal.raise_signal(signal.SIGINT)
        return "good"

    outcome = run(fuzzer(keep), 50)
    assert (outcome.ends, outcome.failures) == ({"good": 3}, [])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_refusal_in_one_line_is_no_failure() -> None:
    outcome = run(fuzzer(refuses), 3)
    assert (outcome.ends, outcome.failures) == ({"refused": 3}, [])


def test_an_input_can_be_repeated_alone() -> None:
    given: list[int] = []

    def keep(one: Any, folder: Path) -> str:
        given.append(one)
        return "good"

    run(fuzzer(keep), 5, seed=3)
    run(fuzzer(keep), 5, seed=3, only=4)
    assert given[4] == given[5]


@pytest.mark.parametrize("name", names())
def test_every_fuzzer_passes_a_few_inputs(name: str) -> None:
    outcome = run(fuzzer_of(name), 8, seed=1)
    phones.OPENED.close()  # its limits are those of the product again
    assert not outcome.failures, outcome.failures[0]


def test_every_door_of_the_table_in_security_is_held_by_tests_that_are_there() -> None:
    """SECURITY.md: what is promised at each door, and what holds it."""
    table = [one for one in (ROOT / "SECURITY.md").read_text().splitlines() if one[:2] == "| "][1:]
    assert all(one.count("|") == 4 for one in table), "a door, a promise, what holds it"
    held = [name for row in table for name in re.findall("`([^`]+)`", row.rpartition(" | ")[2])]
    files = [name for name in held if name.endswith(".py")]
    assert [name for name in files if not (ROOT / name).is_file()] == []
    doors = {name.split()[1] for name in held if name.startswith("tests.fuzz ")}
    assert doors == set(names()), "every fuzzer is named, and no other"
