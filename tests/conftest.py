"""What all tests share: steady hypothesis runs, checked rule marks, and a toy game."""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

import companion.games
from companion.text.translation import set_game, set_language
from tests.rule_report import WHOLE_SUITE, misnumbered, proofs_of

# Steady: the same examples on every machine and no clock; HYPOTHESIS_PROFILE=search goes looking.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# A developer's own units and trays have no say in the tests.
os.environ["COMPANION_DATA"] = ""
# Cards and boards that tests enter never reach the folder of whoever runs them.
os.environ["COMPANION_HOME"] = tempfile.mkdtemp(prefix="companion-home-")
atexit.register(shutil.rmtree, os.environ["COMPANION_HOME"], ignore_errors=True)

TOYS = Path(__file__).parent / "toys"

# Thousands of collected tests are looked through at every full garbage collection, for nothing:
# none while they are collected, afterwards without them, and seldom.
gc.disable()
SELDOM = (100_000, 5, 5)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a mistyped rule number: a mark nobody counts proves nothing.

    A run of the whole suite keeps its proofs for `tests/test_rules_proved.py`, before `-m` and `-k`
    take tests out.
    """
    if wrong := misnumbered(items):
        raise pytest.UsageError("\n".join(wrong))
    if config.args == config.getini("testpaths") and not config.getoption("lf", False):
        config.stash[WHOLE_SUITE] = [proof for item in items for proof in proofs_of(item)]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only where a prompt stands: looking through every module takes seconds."""
    collectors = yield
    if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
        return collectors
    return [one for one in collectors if not isinstance(one, DoctestModule)]


def pytest_collection_finish() -> None:
    """From now on garbage is collected, but seldom, and not among what was collected for tests."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """What is left at the end goes with the process; looking through it takes seconds."""
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _no_game() -> None:
    """Words are English and those of all games, whatever was played in this process before."""
    set_game("")
    set_language("en")


class CapabilityHeader(ctypes.Structure):
    """What `capget` and `capset` of Linux are told first."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


OVERRIDES_MODES = 0b110
"""The rights with which root reads and writes what its mode forbids."""


@pytest.fixture
def modes_hold() -> Iterator[None]:
    """The modes of files and folders hold in this thread, even for root."""
    if os.name != "posix":
        pytest.skip("folders have no modes here")
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, data = CapabilityHeader(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(ctypes.byref(header), data):
        pytest.skip("root cannot lay down its rights here")
    data[0], before = data[0] & ~OVERRIDES_MODES, data[0]
    libc.capset(ctypes.byref(header), data)
    yield
    data[0] = before
    libc.capset(ctypes.byref(header), data)


@pytest.fixture
def toy_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the games of tests/toys exist; `toy` serves the names of the shipped data."""
    importlib.import_module("companion.games.shared")  # found there no more, but needed
    monkeypatch.setattr(companion.games, "__path__", [str(TOYS)])
    yield
    toys = tuple(f"companion.games.{one.parent.name}" for one in TOYS.glob("*/__init__.py"))
    for name in [name for name in sys.modules if name.startswith(toys)]:
        del sys.modules[name]
