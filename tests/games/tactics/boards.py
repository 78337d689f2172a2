"""Boards drawn as text: capital letters are blue figures, small ones red; the far row is on top.

`.` open, `x` open with a cross, `#` BLOCKED with a cross, `~` BLOCKED with a dot, `^` high ground,
`*` an objective. Two by two figures are drawn four times: `LL` over `LL`.
"""

from __future__ import annotations

from typing import Any

from companion.games.tactics.game import GAME
from models.board_table import BoardTable
from models.field import Field

LETTERS: dict[str, Any] = {
    "x": "open-x",
    "#": "blocked-x",
    "~": "blocked-o",
    "^": ["open-o", "high"],
}
Wall = tuple[str, str]


def drawn(
    text: str,
    walls: tuple[Wall, ...] = (),
    facts: dict[str, dict[str, Any]] | None = None,
    edges: tuple[dict[str, Any], ...] = (),
    ground: dict[str, Any] | None = None,
    marks: dict[str, Any] | None = None,
) -> BoardTable:
    """A table from a drawing."""
    rows = [row.strip() for row in text.strip().splitlines()][::-1]
    cells: dict[str, list[tuple[int, int]]] = {}
    found: dict[str, Any] = {}
    spots: dict[str, Any] = {}
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter in LETTERS:
                found[f"{column},{row}"] = LETTERS[letter]
            elif letter == "*":
                spots[f"{column},{row}"] = "objective"
            elif letter.isalpha():
                cells.setdefault(letter, []).append((column, row))
    pieces = [
        {
            "id": letter,
            "side": "blue" if letter.isupper() else "red",
            "cell": "{},{}".format(*min(where)),
            "size": 2 if len(where) == 4 else 1,
            **(facts or {}).get(letter, {}),
        }
        for letter, where in cells.items()
    ]
    standing = [{"between": list(one), "kind": "wall"} for one in walls]
    plain = {
        "format": "table-companion/2",
        "game": "tactics",
        "board": {
            "space": "square",
            "columns": len(rows[0]),
            "rows": len(rows),
            "cell": 1.25,
            "at": [0, 0],
            "ground": {**found, **(ground or {})},
            "marks": {**spots, **(marks or {})},
            "edges": [*standing, *edges],
        },
        "pieces": pieces,
    }
    return BoardTable.read(Field(plain, "drawn"))


def answers(table: BoardTable, *readings: str) -> dict[str, Any]:
    """The report's answers by figure."""
    pieces: dict[str, Any] = GAME.report(table, GAME.settings(readings)).to_json("drawn")["pieces"]
    return pieces


def sees(table: BoardTable, one: str, two: str, *readings: str) -> bool:
    """Whether two figures see each other; both are asked."""
    found = answers(table, *readings)
    here, there = found[one]["sees"][two]["answer"], found[two]["sees"][one]["answer"]
    assert here == there
    return bool(here == "yes")


def reach(table: BoardTable, figure: str, *readings: str) -> dict[str, int]:
    """The spaces of a Move with their costs."""
    found = answers(table, *readings)[figure]["reach"]
    return {cell: end["cost"] for cell, end in found.items()}
