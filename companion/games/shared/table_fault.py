"""What is wrong with a table that can be read all the same: told beside the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.api.new_game import SetupProblem
from companion.text.translation import translate
from models.board import Board, Cell, cell_text
from models.message import say


@dataclass(frozen=True, slots=True)
class TableFault:
    """A value that the rules do not know or allow: its place, and what becomes of it."""

    place: str
    text: str
    rule: str = ""
    cell: Cell | None = None

    @property
    def line(self) -> str:
        """As it stands above the answers."""
        told = f"{self.place}: {translate(self.text)}"
        return f"{told} ({self.rule})" if self.rule else told

    def to_json(self) -> dict[str, Any]:
        found = {"why": self.rule} if self.rule else {}
        cell = {"cell": cell_text(self.cell)} if self.cell is not None else {}
        return {**found, **cell, "place": self.place, "say": translate(self.text)}


def setup_faults(faults: Iterable[TableFault]) -> tuple[SetupProblem, ...]:
    """The faults of a board that players choose for a new game: each is told in a line, and the
    game can begin."""
    return tuple(
        SetupProblem(
            say(
                "{place}: {problem}",
                place=one.place if one.cell is None else cell_text(one.cell),
                problem=one.text,
            ),
            one.rule,
            stops=False,
        )
        for one in faults
    )


def unknown_marks(board: Board, known: Iterable[str], begin: str = "") -> Iterator[TableFault]:
    """Marks that are not among the known ones, nor begin with one of these signs."""
    words = {*known}
    for cell, marks in board.marks.items():
        for word in marks:
            if word not in words and word[0] not in begin:
                text = say("the rules know no mark {word!r}: nothing is counted by it", word=word)
                yield TableFault(f"board: marks: {cell_text(cell)}", text, "", cell)
