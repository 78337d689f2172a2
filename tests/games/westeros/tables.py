"""Tables of hexes in a test: units and ground by the catalogue's axial coordinates or by cells."""

from __future__ import annotations

from typing import Any

from companion.games.westeros.game import GAME
from models.board import cell_text
from models.board_table import BoardTable
from models.field import Field

CENTRE = (7, 6)
"""The cell of axial (0, 0): far from every edge of a board of 15 × 13."""


def hex_at(q: int, r: int) -> str:
    """A cell from axial coordinates: E is (1, 0), SE (0, 1); south is player 1's edge."""
    return cell_text((CENTRE[0] + q + (r - (r & 1)) // 2, CENTRE[1] - r))


def unit(unit_id: str, cell: str, **facts: Any) -> dict[str, Any]:
    """A unit; its side is told by the first letter: b is blue at the south edge, r is red."""
    side = "blue" if unit_id[0] == "b" else "red"
    return {"id": unit_id, "side": side, "cell": cell, **facts}


def plain_table(
    *units: dict[str, Any],
    ground: dict[str, Any] | None = None,
    size: tuple[int, int] = (15, 13),
    **board: Any,
) -> dict[str, Any]:
    """A table as its file holds it."""
    return {
        "format": "table-companion/2",
        "game": "westeros",
        "board": {
            "space": "hex",
            "columns": size[0],
            "rows": size[1],
            "cell": 2.1,
            "ground": ground or {},
            **board,
        },
        "pieces": list(units),
    }


def table(*units: dict[str, Any], **board: Any) -> BoardTable:
    return BoardTable.read(Field(plain_table(*units, **board), "test"))


def answers(
    *units: dict[str, Any], readings: tuple[str, ...] = (), **board: Any
) -> dict[str, dict[str, Any]]:
    """The report of a table by unit."""
    found = GAME.report(table(*units, **board), GAME.settings(readings))
    plain: dict[str, dict[str, Any]] = found.to_json("test")["pieces"]
    return plain


def sees(*units: dict[str, Any], one: str = "b1", two: str = "r1", **board: Any) -> dict[str, Any]:
    """Whether one unit sees another."""
    answer: dict[str, Any] = answers(*units, **board)[one]["sees"][two]
    return answer


def reached(*units: dict[str, Any], one: str = "b1", **board: Any) -> dict[str, int]:
    """The hexes that a unit reaches, with their costs."""
    found = answers(*units, **board)[one]["reach"]
    return {cell: end["cost"] for cell, end in found.items()}


def checked(
    unit_id: str,
    to: str,
    *units: dict[str, Any],
    readings: tuple[str, ...] = (),
    gone: str = "",
    **board: Any,
) -> dict[str, Any]:
    """What `check` says of a unit that stands on another cell afterwards."""
    before = table(*units, **board)
    column, row = to.split(",")
    others = [one for one in units if one["id"] != gone]
    after = table(*others, **board).moved(unit_id, (int(column), int(row)))
    return dict(GAME.check(before, after, unit_id, GAME.settings(readings)))
