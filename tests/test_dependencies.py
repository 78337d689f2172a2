"""Dependencies: bounded, locked with hashes, and their licences listed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = {
    "requirements.lock": PROJECT["dependencies"],
    "requirements-dev.lock": [
        *PROJECT["dependencies"],
        *PROJECT["optional-dependencies"]["dev"],
    ],
}
REQUIREMENT = re.compile(r"([a-z0-9-]+)==([0-9.]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)")


def name_of(requirement: str) -> str:
    """The name before the bounds."""
    return re.split(r"[<>=!~ ]", requirement)[0]


def parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def locked(name: str) -> dict[str, str]:
    """Version by name of a lock file; everything in it must be a version with hashes."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    found = {one[1]: one[2] for one in REQUIREMENT.finditer(text)}
    assert REQUIREMENT.sub("", text).strip() == "", "something that is no version with hashes"
    return found


def licences() -> dict[str, str]:
    """Licence by package, from the tables of the document."""
    text = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
    return {name: licence for name, licence in rows if name != "package"}


@pytest.mark.parametrize("requirement", LOCKS["requirements-dev.lock"])
def test_every_dependency_has_a_lower_and_an_upper_bound(requirement: str) -> None:
    assert re.fullmatch(r"[a-z-]+>=[\d.]+,<\d+", requirement), requirement


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_holds_what_the_project_asks_for(name: str) -> None:
    found = locked(name)
    for requirement in LOCKS[name]:
        low, high = re.findall(r"[\d.]+$|[\d.]+(?=,)", requirement)
        version = parts(found[name_of(requirement)])
        assert parts(low) <= version < parts(high), requirement
    assert "setuptools" in found, "what builds the project is locked too"


def test_both_locks_agree() -> None:
    one, other = (locked(name) for name in LOCKS)
    assert one.items() <= other.items()


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_index(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:/|index|find-links|trusted|@", text)


@pytest.mark.parametrize("requirement", LOCKS["requirements-dev.lock"])
def test_the_licence_of_every_dependency_is_listed(requirement: str) -> None:
    assert licences()[name_of(requirement)].strip()


def test_the_licences_are_those_of_the_locks() -> None:
    assert set(licences()) == set(locked("requirements-dev.lock"))
