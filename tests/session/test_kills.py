"""Killed at random moments: nothing that was answered is lost (`make soak` does it 300 times)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_killed_at_random_moments_nothing_answered_is_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.session.kills", "15", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "kills=15" in done.stdout
