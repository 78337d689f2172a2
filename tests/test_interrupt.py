"""Ctrl-C at any moment: one line, status 130, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOADING = """
import sys
sys.argv[0] = "companion"
import companion
print("loading", flush=True)
import time
for _ in range(600):
    time.sleep(0.05)
"""
LOADED = """
import sys
import os
before = set(sys.modules)
sys.argv[0] = "companion"
import companion
loaded = [name for name in sys.modules if name not in before]
import signal
print(loaded[:2], signal.getsignal(signal.SIGINT).__name__)
"""


def interrupted(words: list[str], after_s: float = 0.0) -> tuple[int, str]:
    """Status and stderr of a program that is interrupted once it said something."""
    process = subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"do": "help"}\n')
    process.stdin.flush()
    process.stdout.readline()
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        # It came in the instant before the program began to wait for a line, where Python sees a
        # signal only after the wait: as a player does, press again.
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    return process.returncode, err.decode()


def test_while_it_is_loaded() -> None:
    assert interrupted([sys.executable, "-c", LOADING]) == (130, "companion: interrupted\n")


def test_nothing_is_loaded_before_it_is_safe_to_interrupt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    ours = ["companion.cli", "companion.cli.exit_on_interrupt"]
    assert done.stdout == f"{ours} end_at_once\n"


@pytest.mark.parametrize("after_s", [0.0, 0.05])
def test_while_it_waits_for_a_line(tmp_path: Path, after_s: float) -> None:
    words = [sys.executable, "-m", "companion.cli", "session", str(tmp_path / "a.game")]
    assert interrupted(words, after_s) == (130, "companion: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.game"]
