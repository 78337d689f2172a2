"""The legend: what the marks of a picture mean, listing only those that occur in it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.overlay.shapes import Key, Label, Shape, Style, TableScene
from companion.text.translation import _
from models import Table

ROLES = (
    "charge-way",
    "charge",
    "charge-end",
    "shot",
    "sight",
    "sight-blocked",
    "arc-front",
    "arc-line",
    "range",
    "reach",
    "threat",
    "threat-far",
    "threat-shot",
    "engaged",
    "objective",
)
"""The roles in the legend, in order; trays, terrain and zones have labels of their own."""


def meaning(role: str) -> str:
    """What a role's mark means, in the player's language."""
    return {
        "charge-way": _("charge: roll, chance"),
        "charge": _("corridor"),
        "charge-end": _("ends here"),
        "shot": _("shot"),
        "sight": _("sees"),
        "sight-blocked": _("blocked"),
        "arc-front": _("front arc"),
        "arc-line": _("arc line"),
        "range": _("range"),
        "reach": _("move"),
        "threat": _("charge threat, 3+"),
        "threat-far": _("up to 6+"),
        "threat-shot": _("shot threat"),
        "engaged": _("engaged"),
        "objective": _("objective"),
    }[role]


def legend(shapes: Sequence[Shape], sides: Sequence[str]) -> tuple[Key, ...]:
    """Sides first, then every role that occurs, then the meaning of hatching."""
    keys = [Key(Style("tray", side), _(side)) for side in sides]
    styles = [shape.style for shape in shapes if not isinstance(shape, Label)]
    for role in ROLES:
        found = next((style for style in styles if style.role == role), None)
        if found is not None:
            keys.append(Key(Style(role, found.side), meaning(role)))
    doubt = next((style for style in styles if not style.sure), None)
    if doubt is not None:
        keys.append(Key(Style("charge", doubt.side, sure=False), _("too close to call")))
    return tuple(keys)


def scene(table: Table, shapes: Sequence[Shape], title: str, subtitle: str = "") -> TableScene:
    """A table's scene with title and legend."""
    sides = table.sides()
    return TableScene(
        table.width, table.depth, sides, title, subtitle, legend(shapes, sides), tuple(shapes)
    )
