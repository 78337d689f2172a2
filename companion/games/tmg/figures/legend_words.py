"""What the marks on a map of the miniatures game mean."""

from __future__ import annotations

from collections.abc import Sequence

from companion.overlay import legend
from companion.overlay.shapes import Shape, TableScene
from companion.text.translation import _
from models import Table

ROLES = (
    "attack-path",
    "attack-area",
    "attack-end",
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
    "token",
)
"""The roles in the legend, in order; trays, terrain and zones have labels of their own."""


def meaning(role: str) -> str:
    """What a role's mark means, in the player's language."""
    return {
        "attack-path": _("charge: roll, chance"),
        "attack-area": _("corridor"),
        "attack-end": _("ends here"),
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
        "token": _("objective"),
    }[role]


def titled_scene(
    table: Table, shapes: Sequence[Shape], title: str, subtitle: str = ""
) -> TableScene:
    """A table's scene with title and legend."""
    return legend.scene(table, shapes, {role: meaning(role) for role in ROLES}, title, subtitle)
