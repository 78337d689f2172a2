"""A cell of the board at which an offer or a prompt may be aimed, and what a tap on it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.api.play import Plain

CellMark = Literal["", "engages", "stops", "danger", "more", "unsure"]
"""What a piece meets there: an enemy, the end of its move, harm, a higher cost, a close call."""


@dataclass(frozen=True, slots=True)
class TargetCell:
    """One cell: the commands that a tap on it sends.

    For a piece that covers several cells it is the lower left one. `text` is short and stands on
    the cell ("2"); `detail` says what happens there ("engaged with Lewyn Martell").
    """

    cell: tuple[int, int]
    commands: tuple[Plain, ...]
    mark: CellMark = ""
    text: str = ""
    detail: str = ""
