"""Sheets to print, as the calibration room draws them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calibration.sheets import Order, board_pdf, references_pdf, tags_pdf
from companion import whole_file


@dataclass(frozen=True, slots=True)
class SheetKind:
    """One kind of sheet: its name, what it is for, and what draws it."""

    title: str
    what: str
    draw: Callable[[], bytes]


SHEETS = {
    "references": SheetKind(
        "Reference tags",
        "lie around the table's rim; the sheet says where",
        lambda: references_pdf(Order(tuple(range(8)), size_mm=40.0)),
    ),
    "tags": SheetKind(
        "Tray tags",
        "one for every tray",
        lambda: tags_pdf(Order(tuple(range(10, 34)), size_mm=25.0)),
    ),
    "lens-board": SheetKind("Lens board", "shows the camera its own lens", board_pdf),
}


def print_sheet(name: str, folder: Path) -> Path:
    """Write a sheet and say where it lies."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.pdf"
    data = SHEETS[name].draw()
    with whole_file.replacing(path) as part:
        part.write_bytes(data)
    return path
