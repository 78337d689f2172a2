"""How often a test tries random inputs: few times in `make test`, many times in `make soak`."""

from __future__ import annotations

import os


def trials(few: int, many: int) -> int:
    """The number of trials of this run; the first few are the same in both."""
    return many if os.environ.get("COMPANION_SOAK") else few
