"""Two sample decks of the core set, names only, for a first game."""

from __future__ import annotations

from pathlib import Path

from models.field import decode, read_bytes

DATA = Path(__file__).parents[1] / "data"
SAMPLES = ("stark", "lannister")


def with_sample(text: str) -> str:
    """A deck list; the words "sample stark" stand for the shipped list of that name."""
    for name in SAMPLES:
        if text.lower().split() == ["sample", name]:
            path = DATA / f"sample-{name}.txt"
            return decode(read_bytes(path), path.name)
    return text
