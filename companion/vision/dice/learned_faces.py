"""The faces of a D8 as its players have shown them: what the net sees of each, and no picture.

>>> faces = LearnedFaces().taught(1, np.eye(33)[0] * 9).taught(4, np.eye(33)[1] * 9)
>>> [round(float(chance), 2) for chance in faces.chances(np.eye(33)[1] * 9)]
[0.0, 0.5, 0.5]
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.vision.dice.net_weights import Floats
from models import CompanionError
from models.atomic_write import write_text
from models.field import load_kept_json

LIKENESS = 16.0
"""How much more likely, as a logarithm, a face is that is alike in every trait than in none."""
TRAITS = 32
ALIKE = 0.8
"""Faces that have so much in common, of at most one, are confused."""


@dataclass(frozen=True, slots=True)
class LearnedFaces:
    """Traits by face: the number of the first face with a symbol stands for all of them."""

    traits: Mapping[int, tuple[float, ...]] = field(default_factory=dict)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The faces that were shown; a single 0 where none was."""
        return tuple(sorted(self.traits)) or (0,)

    def taught(self, face: int, seen: Floats | Sequence[float]) -> LearnedFaces:
        """With one face more, as the net has seen it."""
        return LearnedFaces({**self.traits, face: tuple(float(v) for v in _traits(seen))})

    def like(self, seen: Floats | Sequence[float], but: int) -> int | None:
        """The face, other than `but`, that looks too much like this one."""
        found = _traits(seen)
        for face, traits in self.traits.items():
            if face != but and float(found @ np.array(traits)) > ALIKE:
                return face
        return None

    def chances(self, seen: Floats) -> Floats:
        """The chance of each face, in the order of `numbers`, and that none is clearly up."""
        leans = 1 / (1 + np.exp(-float(seen[-1])))
        if not self.traits:
            return np.array([1 - leans, leans], np.float32)
        known = np.array([self.traits[face] for face in self.numbers])
        powers = np.exp(LIKENESS * (known @ _traits(seen) - 1))
        return np.array([*(powers / powers.sum() * (1 - leans)), leans], np.float32)

    def save(self, path: Path) -> None:
        """Keep them for the next evening."""
        write_text(path, json.dumps({str(face): list(one) for face, one in self.traits.items()}))

    @classmethod
    def load(cls, path: Path) -> LearnedFaces:
        """What was kept; nothing where there is no such file, or a broken one."""
        try:
            raw = load_kept_json(path).raw
            kept = {int(face): tuple(float(v) for v in one) for face, one in raw.items()}
        except (OSError, CompanionError, ValueError, TypeError, AttributeError, OverflowError):
            return cls()
        whole = all(len(one) == TRAITS and np.isfinite(one).all() for one in kept.values())
        return cls(kept) if whole and all(1 <= face <= 8 for face in kept) else cls()


def _traits(seen: Floats | Sequence[float]) -> Floats:
    """The traits in what the net says (its last number tells leaning dice), shorter than one."""
    raw = np.asarray(seen, np.float32)[:TRAITS]
    return np.asarray(raw / np.sqrt(1 + float(raw @ raw)), np.float32)
