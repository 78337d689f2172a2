"""What entering spaces does: fire, leaf piles, stake pits, and spaces to interact with.

Only the (leading) space's path counts (TAC-MOV-21); a diagonal step also enters one of the two
flanking spaces, which the figure chooses (TAC-MOV-12, -13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.position import BattlePosition
from models.cell import Cell

FIRE, LEAF_PILE, STAKE_PIT, RIVER = "fire", "leaf-pile", "stake-pit", "river"
EFFECTS = (FIRE, LEAF_PILE, STAKE_PIT, RIVER)


def space_effects(position: BattlePosition, cell: Cell) -> tuple[str, ...]:
    """The effects of entering a space: its marks with an effect, or a `!` or `?`."""
    marks = position.field.board.marks.get(cell, ())
    return tuple(word for word in marks if word in EFFECTS or word[:1] in ("!", "?"))


def flank_choices(
    position: BattlePosition, figure: BoardFigure, here: Cell, there: Cell
) -> tuple[Cell, ...]:
    """The flanking spaces that a diagonal step may enter: never a BLOCKED one (TAC-MOV-13)."""
    found = next((ways for cell, ways in position.field.steps.get(here, ()) if cell == there), ())
    enemies = {cell for one in position.enemies(figure) for cell in one.cells}
    return tuple(cell for cell in found if cell not in enemies)


def entered_effects(
    position: BattlePosition,
    figure: BoardFigure,
    path: Sequence[Cell],
    chosen: Mapping[Cell, Cell] | None = None,
) -> list[tuple[Cell, str]]:
    """The effects along a path in order; `chosen` names the flank of a step by its end.

    Without a choice the flank with the fewest effects is taken: what the player would choose.
    """
    found: list[tuple[Cell, str]] = []
    for here, there in pairwise(path):
        flanks = flank_choices(position, figure, here, there)
        if flanks:
            wanted = (chosen or {}).get(there)
            flank = (
                wanted
                if wanted in flanks
                else min(flanks, key=lambda cell: (len(space_effects(position, cell)), cell))
            )
            found += [(flank, effect) for effect in space_effects(position, flank)]
        found += [(there, effect) for effect in space_effects(position, there)]
    return found
