"""The map of a table as a small PNG for the battle report."""

from __future__ import annotations

import io
from dataclasses import replace

from companion import games
from models.any_table import AnyTable

MAP_PX = (800, 800)
MAP_COLOURS = 64


def map_png(table: AnyTable, title: str) -> bytes:
    """The map of a table as the bytes of a small PNG."""
    from companion.overlay.picture import picture  # Pillow is loaded when a map is painted

    scene = replace(games.find(table.game).board(table), title=title)
    image = picture(scene, MAP_PX).convert("RGB").quantize(MAP_COLOURS)
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()
