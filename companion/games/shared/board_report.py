"""The report on a board, merged over all the positions that the table allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.games.shared.likely_positions import LikelyPosition, Position, cell_chances
from models.board_table import BoardTable
from models.cell import cell_text


class PieceAnswers(Protocol):
    """A game's answers for one piece in one position."""

    def plain(self) -> dict[str, Any]:
        """The answers as JSON values."""
        ...


Answers = TypeVar("Answers", bound=PieceAnswers)


@dataclass(frozen=True)
class BoardReport(Generic[Position, Answers]):
    """The answers for every piece of a table; `best` is the most probable position.

    The class variables name the keys of `PieceAnswers.plain` that are merged: verdicts by enemy,
    with the details that may differ although the verdict is the same; lists; and single values.
    `reach` and `distance` are merged for every game.
    """

    VERDICTS: ClassVar[tuple[str, ...]] = ()
    DETAILS: ClassVar[tuple[str, ...]] = ()
    LISTS: ClassVar[tuple[str, ...]] = ()
    VALUES: ClassVar[tuple[str, ...]] = ()

    table: BoardTable
    placed: tuple[LikelyPosition[Position], ...]
    answers: tuple[Mapping[str, Answers], ...]
    """By position, then by piece."""

    @property
    def best(self) -> Position:
        return self.placed[0].position

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by piece, merged over all positions."""
        return {one: self.merged(one) for one in self.answers[0]}

    pieces = units

    def merged(self, piece: str) -> dict[str, Any]:
        """One piece's answers; what the positions disagree on is `unsure`."""
        plain = [one[piece].plain() for one in self.answers]
        found = dict(plain[0])
        if len(plain) == 1:
            return found
        for key in self.VERDICTS:
            if key in found:
                found[key] = {
                    other: self.merged_verdict([one[key][other] for one in plain])
                    for other in found[key]
                }
        found["reach"] = merged_reach([one["reach"] for one in plain])
        for key in self.LISTS:
            every = [one.get(key, []) for one in plain]
            always = [one for one in every[0] if all(one in other for other in every)]
            perhaps = sorted({one for other in every for one in other} - set(always))
            if always or key in found:
                found[key] = always
            if perhaps:
                found[f"{key}_unsure"] = perhaps
        for key in self.VALUES:
            if len({one[key] for one in plain}) > 1:
                found[key] = "unsure"
        spread = {
            other: sorted({one["distance"][other] for one in plain}) for other in found["distance"]
        }
        if unsure := {other: values for other, values in spread.items() if len(values) > 1}:
            found["distance_unsure"] = unsure
        own = cell_chances(self.placed, piece)
        if len(own) > 1:
            found["cells"] = {cell_text(cell): round(chance, 4) for cell, chance in own.items()}
        return found

    def merged_verdict(self, answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """One verdict over all positions: `unsure` where they differ, with the chance of yes."""
        if len({one["answer"] for one in answers}) == 1:
            same = dict(answers[0])
            for key in self.DETAILS:
                values = [one.get(key) for one in answers]
                if any(value != values[0] for value in values):
                    same[f"{key}_unsure"] = list(dict.fromkeys(v for v in values if v is not None))
            return same
        why = sorted({rule for one in answers for rule in one["why"]})
        pairs = zip(answers, self.placed, strict=True)
        yes = sum(place.chance for one, place in pairs if one["answer"] == "yes")
        best = next(one for one in answers if one["answer"] == "yes")
        return {**best, "answer": "unsure", "why": why, "probability": round(yes, 4)}

    def plain(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it."""
        return {"table": name, "game": self.table.game, "pieces": dict(self.units)}


def merged_reach(reaches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The cells in reach; one that only some positions allow is `unsure`."""
    found: dict[str, Any] = {}
    for reach in reaches:
        for cell, end in reach.items():
            found.setdefault(cell, end)
    return {
        cell: end if all(one.get(cell) == end for one in reaches) else {**end, "answer": "unsure"}
        for cell, end in found.items()
    }
