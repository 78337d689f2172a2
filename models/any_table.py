"""A table file of either format: trays on an open table, or pieces on a board."""

from __future__ import annotations

from pathlib import Path

from models import board_table
from models.board_table import BoardTable
from models.errors import BadInput
from models.field import load_json
from models.table import Table

AnyTable = Table | BoardTable


def load_table(path: Path | str, moved: str = "") -> AnyTable:
    """A table from a `*.table.json` file; its `format` says of which kind.

    The unit that just `moved` may overlap others: the rules decide whether it may.
    """
    root = load_json(Path(path))
    if isinstance(root.raw, dict) and root.raw.get("format") == board_table.FORMAT:
        return BoardTable.read(root)
    return Table.read(root, moved=moved)


def load_open_table(path: Path | str) -> Table:
    """A table with trays; one with a board is refused in words."""
    found = load_table(path)
    if isinstance(found, BoardTable):
        raise BadInput(
            str(path), "", f"is a board of {found.game}; this needs an open table with trays"
        )
    return found
