"""The structure of the code: no import cycle, no class name twice, no crowded folder."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOPS = ("models", "calibration", "companion")
MOST_FILES = 25


def modules() -> dict[str, Path]:
    """Every module of the product by its dotted name."""
    files = (path for top in TOPS for path in (ROOT / top).rglob("*.py"))
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files
    }


def imports(tree: ast.AST, known: dict[str, Path]) -> set[str]:
    """The modules of ours that a module imports, inside functions and for types too."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
    return found & known.keys()


def test_no_import_cycle() -> None:
    known = modules()
    graph = {
        name: imports(ast.parse(path.read_text(encoding="utf-8")), known) - {name}
        for name, path in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(error.args[1])) from None


def test_no_class_name_twice() -> None:
    """A game may name its own things as it likes; two classes of one scope may not share a name."""
    owners: dict[str, list[str]] = defaultdict(list)
    for name, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                owners[node.name].append(name)
    assert {name: where for name, where in owners.items() if len(where) > 1} == {}


def test_no_crowded_folder() -> None:
    count = Counter(path.parent for path in modules().values())
    assert {str(folder): files for folder, files in count.items() if files > MOST_FILES} == {}


def test_the_first_screen_imports_no_other() -> None:
    """A screen is imported when it is first shown: otherwise the app starts later."""
    known, late = modules(), {"companion.app.new_game", "companion.app.camera_setup.setup_wizard"}
    late |= {f"companion.app.screens.{name}" for name in ("table_screen", "print_screen")}
    at_once: set[str] = set()
    waiting = ["companion.app.app", "companion.app.screens.home"]
    while waiting:
        name = waiting.pop()
        if name not in at_once:
            at_once.add(name)
            tree = ast.parse(known[name].read_text(encoding="utf-8"))
            top: list[ast.stmt] = [
                one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)
            ]
            waiting += imports(ast.Module(top, []), known)
    assert len(at_once) > 100
    assert {name for name in at_once if name.startswith(tuple(late))} == set()
