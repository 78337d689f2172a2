"""What of a scene is drawn where badges name the trays: no ids, no text but that of the ground.

The numbers of an offer are shown when it is chosen; an overview with all of them cannot be read.
"""

from __future__ import annotations

from dataclasses import replace

from companion.overlay.shapes import Label, Shape, TableScene

GROUND_WORDS = ("terrain", "deployment")
QUIET = ("sight", "sight-blocked", "threat-shot", "charge-way", "shot")
"""Lines of every possible answer: the card lists them, and one arrow is drawn for the best."""
TOKENS = ("objective", "objective-ring")
"""Drawn as flags over the table."""
FAINT = ("threat", "threat-far", "arc-line", "arc-front", "range")
FAINT_EMPHASIS = 0.15


def uncluttered(scene: TableScene) -> TableScene:
    """The scene without labels of trays and offers; with a unit chosen, its areas remain."""
    return replace(scene, shapes=tuple(quieter(one) for one in scene.shapes if kept(one)))


def named_only(scene: TableScene) -> TableScene:
    """The scene without ids, which players do not know; names stay on the trays."""
    shapes = (
        one
        for one in scene.shapes
        if not (isinstance(one, Label) and one.style.role in ("id", "objective"))
    )
    return replace(scene, shapes=tuple(shapes))


def kept(shape: Shape) -> bool:
    """Whether a shape stays."""
    role = shape.style.role
    return role in GROUND_WORDS if isinstance(shape, Label) else role not in (*QUIET, *TOKENS)


def quieter(shape: Shape) -> Shape:
    """The shape, fainter if it is only the background of an answer; places with their name only."""
    if isinstance(shape, Label):
        return replace(shape, text=shape.text.split("\n")[0])
    if shape.style.role in FAINT:
        return replace(shape, style=replace(shape.style, emphasis=FAINT_EMPHASIS))
    return shape
