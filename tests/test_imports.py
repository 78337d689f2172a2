"""The import rules of docs/architecture.md: what each package may know of the others."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import models

ROOT = Path(__file__).parents[1]
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

LAYERS = {
    "models": {"models"},
    "calibration": {"models", "calibration"},
    "companion.vision": {"models", "calibration", "companion.vision"},
    "companion.practice": {"models", "calibration", "companion.practice"},
    "companion.geometry": {"models", "companion.geometry"},
    "companion.text": {"models", "companion.text"},
    "companion.overlay": {
        "models",
        "companion.geometry",
        "companion.overlay",
        "companion.text",
    },
    "companion.games": {
        "models",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.text",
    },
    "companion.session": {
        "models",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.session",
        "companion.text",
    },
    "companion.engine": {
        "models",
        "calibration",
        "companion.vision",
        "companion.practice",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.session",
        "companion.text",
        "companion.engine",
    },
    "companion.library": {
        "models",
        "calibration",
        "companion.vision",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.session",
        "companion.text",
        "companion.engine",
        "companion.library",
    },
    "companion.web": {
        "models",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.session",
        "companion.text",
        "companion.engine",
        "companion.web",
    },
    "companion.app": {
        "models",
        "calibration",
        "companion.vision",
        "companion.practice",
        "companion.geometry",
        "companion.overlay",
        "companion.games",
        "companion.session",
        "companion.text",
        "companion.engine",
        "companion.web",
        "companion.app",
        "companion.version",
    },
}
"""What a package may import of ours. The commands may import anything, the app no command."""

VISION = {"calibration", "companion.vision", "companion.practice"}
HEAVY = {"cv2": VISION | {"companion.cli"}, "kivy": {"companion.app"}}
"""Heavy packages and the only packages that may import them."""


def sources() -> list[Path]:
    """Every module of ours."""
    tops = [ROOT / name for name in ("models", "calibration", "companion")]
    return sorted(path for top in tops for path in top.rglob("*.py"))


def module(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(name: str) -> str:
    """The package a module belongs to: models, companion.games, …"""
    first, *rest = name.split(".")
    return ".".join([first, *rest[:1]]) if first == "companion" else first


@functools.cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module a source file imports, inside functions too; `from a import b` may be a.b."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where a name comes from"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(name: str) -> bool:
    """Whether a dotted name is of this project."""
    return name.partition(".")[0] in {"models", "calibration", "companion"}


def forbidden(path: Path) -> list[str]:
    """The imports of a source file that its package does not allow."""
    here = module(path)
    allowed = LAYERS.get(layer(here))
    wrong = []
    for name in imports(path):
        top = name.split(".")[0]
        if (top in HEAVY and layer(here) not in HEAVY[top]) or (
            ours(name) and allowed is not None and layer(name) not in allowed
        ):
            wrong.append(f"{here} imports {name}")
    return wrong


def test_a_package_imports_only_what_it_may() -> None:
    assert [wrong for path in sources() for wrong in forbidden(path)] == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("models/unit.py", "import companion.geometry"),
        ("models/unit.py", "def f() -> None:\n    from companion import geometry"),
        ("companion/geometry/plane/sight/los_query.py", "import cv2.aruco"),
        (
            "companion/geometry/plane/sight/los_query.py",
            "from companion.games.api.rules import Game",
        ),
        ("companion/overlay/shapes.py", "from kivy.graphics import Line"),
        ("companion/cli/program.py", "def f() -> None:\n    import kivy"),
    ],
)
def test_a_forbidden_import_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str
) -> None:
    monkeypatch.setattr("tests.test_imports.ROOT", tmp_path)
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line)
    assert forbidden(path)


def games_of(root: Path) -> set[str]:
    """The packages that hold a game."""
    return {path.parent.name for path in (root / "companion/games").glob("*/game.py")}


def test_a_game_knows_no_other_game() -> None:
    for path in sources():
        here = module(path).split(".")
        if here[:2] == ["companion", "games"] and len(here) > 3:
            for name in imports(path):
                there = name.split(".")
                if there[:2] == here[:2] and there[2] in games_of(ROOT):
                    assert there[2] == here[2], f"{module(path)} imports {name}"


def test_no_game_is_named_outside_the_games() -> None:
    games = games_of(ROOT)
    assert games
    names = "|".join(games)
    # A game may be called by an everyday word; its package and its name in files are not words.
    named = re.compile(rf"games[./]({names})\b|[\"']({names})(-\d+)?[\"']")
    for path in sources():
        if layer(module(path)) != "companion.games":
            found = named.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{module(path)} names the game {found[0]!r}"


# -- what importing costs -----------------------------------------------------------------------

SCREENS = {"companion.engine", "companion.web", "companion.app"}
CORE = [
    name
    for name in map(module, sources())
    if layer(name) in LAYERS and layer(name) not in VISION | SCREENS
]
ENGINE = [name for name in map(module, sources()) if layer(name) == "companion.engine"]
PROBE = """
import sys, time
start = time.process_time()
import {modules}
print(time.process_time() - start)
print(*sorted({{name.split(".")[0] for name in sys.modules}}))
"""


def imported(*modules: str) -> tuple[float, set[str]]:
    """Seconds of work it takes to import these modules, and what is loaded then.

    Compiled modules are kept, as with players: only the first of several tries compiles.
    """
    compiled = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(modules=", ".join(modules))],
        cwd=ROOT,
        env=compiled,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    seconds, loaded = done.stdout.splitlines()
    return float(seconds), set(loaded.split())


def test_the_core_loads_neither_cv2_nor_kivy() -> None:
    _, loaded = imported(*CORE)
    assert "models" in loaded
    assert loaded.isdisjoint({"cv2", "kivy"})


def test_the_engine_needs_no_screen() -> None:
    assert "kivy" not in imported(*ENGINE)[1]
    assert "kivy" not in imported("companion.web.server")[1]


def test_a_game_loads_what_few_questions_need_only_when_they_are_asked() -> None:
    for game in (ROOT / "companion/games").glob("*/game.py"):
        _, loaded = imported(module(game))
        assert loaded.isdisjoint({"tomllib", "difflib", "shapely", "PIL"})


def test_army_lists_are_found_among_the_models() -> None:
    assert all(hasattr(models, name) for name in models.__all__)
    assert not hasattr(models, "Dragon")


def cost(*modules: str) -> float:
    """Importing these, measured against importing numpy alone: a busy machine slows both."""
    return min(imported(*modules)[0] for _ in range(2)) / numpy_alone()


@functools.cache
def numpy_alone() -> float:
    return min(imported("numpy")[0] for _ in range(3))


@pytest.mark.parametrize("game", sorted(games_of(ROOT)))
def test_the_core_loads_quickly(game: str) -> None:
    # Seconds are for the bench; here only something grossly heavy is caught. One game is played.
    light = {"models", "companion.geometry", "companion.games"}
    others = tuple(f"companion.games.{one}." for one in games_of(ROOT) if one != game)
    names = (name for name in CORE if layer(name) in light)
    assert cost(*(name for name in names if not f"{name}.".startswith(others))) < 8


def test_the_commands_start_quickly() -> None:
    assert cost("companion.cli.program") < 5
    assert imported("companion.cli.program")[1].isdisjoint({"cv2", "kivy", "PIL"})
