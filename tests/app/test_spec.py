"""The Android spec: whole, strict where Android is strict, every requirement with a recipe."""

from __future__ import annotations

import re
import sys
import tomllib
import types
from pathlib import Path

import pytest
from buildozer import Buildozer
from buildozer.specparser import SpecParser

from companion.version import VERSION

ROOT = Path(__file__).parents[2]
# Recipes are found whatever the case of their name.
RECIPES = dict(
    line.casefold().split()
    for line in (Path(__file__).parent / "recipes.txt").read_text().splitlines()
    if line and not line.startswith("#")
)
PYPI_NAMES = {"opencv-python-headless": "opencv"}
"""What a package is called on PyPI, and as a recipe."""
PURE = set("segno starlette anyio idna typing-extensions uvicorn click h11 websockets".split())
"""Pure Python, or with a compiled part that it can do without: installed as they are."""


@pytest.fixture(scope="module")
def spec() -> dict[str, str]:
    """The [app] section as buildozer's own parser reads it."""
    parser = SpecParser()
    parser.read(str(ROOT / "buildozer.spec"), "utf-8")
    return dict(parser.items("app"))


def listed(text: str) -> list[str]:
    """Values between commas."""
    return [one.strip() for one in text.split(",") if one.strip()]


def requirements(spec: dict[str, str]) -> dict[str, str]:
    """Name and pinned version of every requirement."""
    pairs = (one.partition("==") for one in listed(spec["requirements"]))
    return {name: version for name, _, version in pairs}


def test_every_requirement_has_a_recipe(spec: dict[str, str]) -> None:
    for name, version in requirements(spec).items():
        if name in PURE:
            continue
        assert name in RECIPES, f"{name}: no recipe in python-for-android"
        assert version in ("", RECIPES[name]), f"{name}: the recipe builds {RECIPES[name]}"


def test_everything_the_package_needs_is_required(spec: dict[str, str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for one in project["dependencies"]:
        name = re.split(r"[<>=!~ ]", one)[0]
        assert PYPI_NAMES.get(name, name) in requirements(spec), name


def test_a_requirement_without_a_recipe_would_be_seen() -> None:
    assert "opencv-python-headless" not in RECIPES
    assert "pydantic" not in RECIPES


def test_what_android_is_strict_about(spec: dict[str, str]) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*", spec["package.name"])
    assert re.fullmatch(r"[a-z]+(\.[a-z]+)+", spec["package.domain"])
    assert int(spec["android.minapi"]) >= 24, "numpy's recipe needs API 24"
    assert int(spec["android.ndk_api"]) == int(spec["android.minapi"])
    assert int(spec["android.api"]) >= 35
    assert listed(spec["orientation"])[0] == "landscape"
    assert set(listed(spec["orientation"])) >= {"landscape", "portrait"}
    granted = {one.rpartition(".")[2] for one in listed(spec["android.permissions"])}
    assert granted == {"CAMERA", "WAKE_LOCK", "VIBRATE", "INTERNET"}
    assert spec["android.wakelock"] == "True"


def test_our_own_recipes_are_new_enough(spec: dict[str, str]) -> None:
    """The geometry needs Shapely 2, and that GEOS 3.10: the stock recipes are older."""
    least = {"shapely": (2,), "libgeos": (3, 10)}
    folder = ROOT / spec["p4a.local_recipes"]
    assert {path.parent.name for path in folder.glob("*/__init__.py")} == set(least)
    for name, wanted in least.items():
        text = (folder / name / "__init__.py").read_text()
        found = re.search(r'version = "([\d.]+)"', text)
        assert found is not None
        assert tuple(int(part) for part in found[1].split(".")) >= wanted
        stock = re.findall(r"\d+", RECIPES[name])
        assert tuple(int(part) for part in stock[: len(wanted)]) < wanted
        compile(text, name, "exec")


def test_the_camera_bridge_is_compiled_in(spec: dict[str, str]) -> None:
    from companion.vision.sources.device_cameras import BRIDGE, Bridge

    source = ROOT / spec["android.add_src"] / f"{BRIDGE.replace('.', '/')}.java"
    java = source.read_text()
    package, _, name = BRIDGE.rpartition(".")
    assert f"package {package};" in java
    assert f"public final class {name} " in java
    # What Python calls is there, and public.
    for method in (one for one in vars(Bridge) if not one.startswith("_")):
        assert re.search(rf"public [\w\[\] ]*\b{method}\(\)", java), method
    assert java.count("{") == java.count("}")
    # Every library the bridge imports is asked for, in a version with 16 KB pages.
    wanted = dict(one.rsplit(":", 1) for one in listed(spec["android.gradle_dependencies"]))
    assert set(wanted) == {
        f"androidx.camera:camera-{part}" for part in ("core", "camera2", "lifecycle")
    }
    for version in wanted.values():
        assert tuple(int(part) for part in version.split(".")) >= (1, 4)
    assert spec["android.enable_androidx"] == "True"


def test_every_data_file_is_packed(spec: dict[str, str]) -> None:
    packed = set(listed(spec["source.include_exts"]))
    for folder in ("models", "companion", "calibration"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.name != "py.typed":
                assert path.suffix[1:] in packed, path


def test_androids_own_backup_is_as_security_says(spec: dict[str, str]) -> None:
    assert spec["android.allow_backup"] == "True"
    assert "`android.allow_backup`" in (ROOT / "SECURITY.md").read_text()


def test_buildozer_finds_nothing_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # It ends the program with a list of faults where it finds any.
    Buildozer(filename=str(ROOT / "buildozer.spec")).check_configuration_tokens()


def test_python_for_android_is_pinned_by_a_commit(spec: dict[str, str]) -> None:
    assert re.fullmatch(r"[0-9a-f]{40}", spec["p4a.commit"])
    text = (ROOT / "buildozer.spec").read_text()
    release = re.search(r"python-for-android (\d+)\.0?(\d+)\.0?(\d+)", text)
    assert release is not None
    listed_for = (ROOT / "tests/app/recipes.txt").read_text().splitlines()[0]
    assert f"python-for-android {'.'.join(release.groups())} " in listed_for


@pytest.mark.parametrize(
    ("source", "asked"),
    [("http://10.0.0.2/video", ["INTERNET"]), ("rtsp://a", ["INTERNET"]), ("0", []), ("a.mp4", [])],
)
def test_the_network_is_asked_for_when_a_camera_in_it_is_chosen(
    source: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.camera_setup.camera_choice import CameraChoice

    found: list[str] = []
    android = types.ModuleType("android.permissions")
    android.Permission = types.SimpleNamespace(INTERNET="INTERNET", CAMERA="CAMERA")  # type: ignore[attr-defined]
    android.request_permissions = found.extend  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "android", types.ModuleType("android"))
    monkeypatch.setitem(sys.modules, "android.permissions", android)
    app = types.SimpleNamespace(close_sheet=lambda: None)
    chosen: list[str] = []
    CameraChoice(app, "practice", chosen.append).pick(source)
    assert (found, chosen) == (asked, [source])


def test_the_version_is_the_projects(spec: dict[str, str]) -> None:
    assert spec["version"] == VERSION


def test_the_entry_is_three_lines() -> None:
    lines = [line for line in (ROOT / "main.py").read_text().splitlines() if line]
    assert len(lines) == 3
