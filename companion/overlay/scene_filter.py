"""What of a scene is drawn where badges name the trays: no ids, no text but that of the ground.

The numbers of an offer are shown when it is chosen; an overview with all of them cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.overlay.map_theme import NAMED_SIDES, SIDE_LOOKS, side_looks
from companion.overlay.shapes import Label, Shape, TableScene

GROUND_WORDS = ("terrain", "deployment")
QUIET = ("sight", "sight-blocked", "threat-shot", "attack-path", "shot")
"""Lines of every possible answer: the card lists them, and one arrow is drawn for the best."""
TOKENS = ("token", "token-ring")
"""Drawn as flags over the table."""
FAINT = ("threat", "threat-far", "arc-line", "arc-front", "range")
FAINT_EMPHASIS = 0.15
COLOUR_NAMES = tuple(
    next(name for name, place in NAMED_SIDES.items() if place == number)
    for number in range(len(SIDE_LOOKS))
)
"""A name of a side for each colour, in the order of the seats."""


def uncluttered(scene: TableScene) -> TableScene:
    """The scene without labels of trays and offers; with a unit chosen, its areas remain."""
    return replace(scene, shapes=tuple(quieter(one) for one in scene.shapes if kept(one)))


def named_only(scene: TableScene) -> TableScene:
    """The scene without ids, which players do not know; names stay on the trays."""
    shapes = (
        one
        for one in scene.shapes
        if not (isinstance(one, Label) and one.style.role in ("id", "token"))
    )
    return replace(scene, shapes=tuple(shapes))


def in_colours(scene: TableScene, colours: Mapping[str, int]) -> TableScene:
    """The scene with its sides named after the colours (1 to 6) that they are to be drawn in."""
    usual = {
        side: SIDE_LOOKS.index(look) + 1 for side, look in side_looks(scene.sides).items() if side
    }
    wanted = {side: colours.get(side, number) for side, number in usual.items()}
    if wanted == usual or len(set(wanted.values())) < len(wanted):
        return scene
    names = {side: COLOUR_NAMES[number - 1] for side, number in wanted.items()}
    shapes = tuple(
        replace(one, style=replace(one.style, side=names.get(one.style.side, one.style.side)))
        for one in scene.shapes
    )
    return replace(scene, sides=tuple(names[one] for one in scene.sides), shapes=shapes)


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
