"""What a command complains of: one line on stderr, whatever file names and values are in it."""

from __future__ import annotations

import sys
from contextlib import suppress

LONGEST_LINE = 1000


def complain(problem: object) -> None:
    """Print one line; what a terminal would obey instead of showing is spelt out."""
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in str(problem))
    if len(text) > LONGEST_LINE:
        text = f"{text[:LONGEST_LINE]}…"
    with suppress(OSError):  # a full disk behind stderr: the status tells it still
        print(f"companion: {text}", file=sys.stderr, flush=True)
