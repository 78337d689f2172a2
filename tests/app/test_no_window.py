"""Where no window can be opened the app says so in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.catalogue import DATA

NO_SCREEN = {"DISPLAY": ":4711", "WAYLAND_DISPLAY": "nowhere"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_a_usable_window_one_line_is_said(tmp_path: Path, language: str) -> None:
    table = DATA / "practice.table.json"
    command = [sys.executable, "-m", "companion.cli", "play", str(table), "--out", str(tmp_path)]
    environment = {
        **os.environ,
        **NO_SCREEN,
        "COMPANION_HOME": str(tmp_path),
        "HOME": str(tmp_path),
    }
    environment.pop("SDL_VIDEODRIVER", None)
    environment |= {"LANG": f"{language}.UTF-8", "LC_ALL": f"{language}.UTF-8"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode != 0
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert "apt install libgl1" in line
    assert "Traceback" not in done.stderr


def test_the_makefile_installs_what_the_sentence_names() -> None:
    from companion.app.play import PACKAGES

    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    assert f"SCREEN  := {PACKAGES}\n" in makefile


def test_a_window_is_no_larger_than_its_screen(tmp_path: Path) -> None:
    """The screen of SDL's driver without a display has 1024 × 768 points."""
    script = (
        "import os, sys; from pathlib import Path; from companion.app import play;"
        "os.environ['SDL_VIDEODRIVER'] = 'offscreen';"
        "play.prepare((1280, 800), False, Path(sys.argv[1])); play.need_window();"
        "from kivy.core.window import Window; print(*Window.size)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True, text=True, timeout=120, check=True,
        env={**os.environ, "SDL_VIDEODRIVER": "offscreen"},
    )  # fmt: skip
    assert done.stdout.split("\n")[0] == "1024 768"
