"""Where a game is played, and which pieces it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SpaceKind = Literal["open", "square", "hex", "none"]


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece: its footprint in inches, or in cells on a board, and how it may be tagged.

    `tags_mm` are the tag sizes that fit, the recommended one first; `stand_mm` is the height of the
    stand that carries the tag. Without tags the players tap its place.
    """

    id: str
    text: str
    shape: Literal["tray", "round", "oblong", "cells", "card"]
    size: tuple[float, float]
    tags_mm: tuple[float, ...] = ()
    stand_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Space:
    """An open table in inches, a board of cells, or none.

    `size` is the usual size: inches on an open table, columns and rows on a board.
    """

    kind: SpaceKind
    size: tuple[float, float] = (0.0, 0.0)
    cell_in: float = 0.0
    pieces: tuple[PieceKind, ...] = ()

    @property
    def smallest_tag_mm(self) -> float:
        """The smallest tag that a piece of the game may carry; 0 if none carries one."""
        return min((size for kind in self.pieces for size in kind.tags_mm), default=0.0)
