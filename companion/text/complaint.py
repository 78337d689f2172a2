"""Error messages of a command: one line on stderr, whatever file names and values it contains."""

from __future__ import annotations

import sys
from contextlib import suppress

LONGEST_LINE = 1000


def complain(problem: object) -> None:
    """Print one line, with control characters escaped."""
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in str(problem))
    if len(text) > LONGEST_LINE:
        text = f"{text[:LONGEST_LINE]}…"
    with suppress(OSError):  # a full disk behind stderr: the status tells it still
        print(f"companion: {text}", file=sys.stderr, flush=True)
