"""The legend: what the marks of a picture mean, listing only those that occur in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.overlay.shapes import Key, Label, Shape, Style, TableScene
from companion.text.translation import _
from models import Table

Meanings = Mapping[str, str]
"""What the mark of each role means, in the players' language and in the legend's order.

Trays, terrain and zones have labels of their own.
"""


def legend(shapes: Sequence[Shape], sides: Sequence[str], meanings: Meanings) -> tuple[Key, ...]:
    """Sides first, then every role that occurs, then the meaning of hatching."""
    keys = [Key(Style("tray", side), _(side)) for side in sides]
    styles = [shape.style for shape in shapes if not isinstance(shape, Label)]
    for role, meaning in meanings.items():
        found = next((style for style in styles if style.role == role), None)
        if found is not None:
            keys.append(Key(Style(role, found.side), meaning))
    doubt = next((style for style in styles if not style.sure), None)
    if doubt is not None:
        keys.append(Key(Style(doubt.role, doubt.side, sure=False), _("too close to call")))
    return tuple(keys)


def scene(
    table: Table, shapes: Sequence[Shape], meanings: Meanings, title: str, subtitle: str = ""
) -> TableScene:
    """A table's scene with title and legend."""
    sides = table.sides()
    keys = legend(shapes, sides, meanings)
    return TableScene(table.width, table.depth, sides, title, subtitle, keys, tuple(shapes))
