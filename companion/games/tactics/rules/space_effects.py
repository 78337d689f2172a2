"""What spaces do and hold: terrain, objectives and loot (TAC-TER, TAC-OBJ, TAC-LOT).

Only the (leading) space's path counts (TAC-MOV-21); a diagonal step also enters one of the two
flanking spaces, which the figure chooses (TAC-MOV-12, -13).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.contact import reaches_element
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from models.board import Cell, cell_text
from models.message import say

FIRE, LEAF_PILE, STAKE_PIT, RIVER = "fire", "leaf-pile", "stake-pit", "river"
EFFECTS = (FIRE, LEAF_PILE, STAKE_PIT, RIVER)


def pit_hits(size: int) -> int:
    """The hits of a stake pit on a figure that enters it: 2 on a large one (TAC-TER-16)."""
    return 2 if size > 1 else 1


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


def harm(position: BattlePosition, cell: Cell) -> int:
    """How many effects of a space nobody wants: all but those that a figure may leave alone."""
    return sum(word[:1] != "?" for word in space_effects(position, cell))


Met = tuple[str, ...]
"""What a way or a space does to a figure, in order of the alphabet."""


def met(effects: Iterable[tuple[Cell, str]]) -> Met:
    """The effects of spaces, each with its space where that matters: another leaf pile may hide
    something else, and another element is not the same."""
    alike = (FIRE, STAKE_PIT, RIVER)
    return tuple(
        sorted(word if word in alike else f"{word} {cell_text(cell)}" for cell, word in effects)
    )


def better(one: Met, two: Met) -> bool:
    """Whether the first is no worse for a figure than the second: it does nothing else than some
    of the same harm or, at the same harm, passes by all that the second may interact with."""
    (bad, asks), (other_bad, other_asks) = parted(one), parted(two)
    return within(other_asks, asks) if bad == other_bad else within(bad, other_bad)


def no_more_harm(one: Met, two: Met) -> bool:
    """Whether the first does nothing else to a figure than some of the harm of the second."""
    return within(parted(one)[0], parted(two)[0])


def within(some: Met, many: Met) -> bool:
    """Whether each of some effects is among many, as often."""
    rest = iter(many)
    return len(some) <= len(many) and all(word in rest for word in some)


@lru_cache(maxsize=65536)
def parted(found: Met) -> tuple[Met, Met]:
    """The harm, and what a figure may leave alone."""
    asks = tuple(word for word in found if word[:1] == "?")
    return tuple(word for word in found if word[:1] != "?"), asks


def harms(found: Met) -> tuple[int, int, Met]:
    """By which of several its player would rather go: the lesser."""
    bad, asks = parted(found)
    return len(bad), -len(asks), found


def has_harm(position: BattlePosition) -> bool:
    """Whether any space of the board harms who enters it."""
    return any(harm(position, cell) for cell in position.field.board.marks)


def flank_question(
    position: BattlePosition, figure: BoardFigure, here: Cell, there: Cell
) -> tuple[Cell, ...]:
    """The flanking spaces of a step between which its player must choose (TAC-MOV-12).

    Empty if one of them is simply better for it.
    """
    if not position.field.board.marks:
        return ()
    flanks = flank_choices(position, figure, here, there)
    effects = [met_on(position, cell) for cell in flanks]
    if len(flanks) < 2 or any(better(one, two) for one, two in permutations(effects, 2)):
        return ()
    return flanks


def met_on(position: BattlePosition, cell: Cell) -> Met:
    """What a space does to a figure that enters it."""
    return met((cell, word) for word in space_effects(position, cell))


def step_effects(
    position: BattlePosition,
    figure: BoardFigure,
    here: Cell,
    there: Cell,
    chosen: Cell | None = None,
) -> list[tuple[Cell, str]]:
    """The effects of one step in order, by the chosen flank.

    Without a choice the better flank is taken.
    """
    if not position.field.board.marks:
        return []
    flanks = flank_choices(position, figure, here, there)
    entered = (
        [chosen]
        if chosen in flanks
        else sorted(flanks, key=lambda one: harms(met_on(position, one)))[:1]
    )
    return [
        (cell, effect)
        for cell in (*entered, there)
        if cell is not None
        for effect in space_effects(position, cell)
    ]


OBJECTIVE = "objective"
LOOT_MARKS = ("loot", "purse", "letter")
LOOT_POINTS = 2
LOOT_GAINS = {
    "purse": say("{points} VP and a coin", points=LOOT_POINTS),
    "letter": say("{points} VP and an agenda card", points=LOOT_POINTS),
    "loot": say("{points} VP", points=LOOT_POINTS),
}
"""What each token brings (TAC-LOT-3, -4)."""
SHORT_RANGE = 3
"""The spaces of short range (TAC-GRD-5)."""


def marked(field: SquareField, *words: str) -> tuple[Cell, ...]:
    """The spaces with one of these marks, in order."""
    return tuple(
        sorted(cell for cell, marks in field.board.marks.items() if set(words) & set(marks))
    )


def controlled(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """The objectives that a figure stands on: it controls them (TAC-OBJ-3, TAC-OR-27)."""
    return tuple(cell for cell in marked(position.field, OBJECTIVE) if cell in figure.cells)


def takeable(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """The loot that a figure is in contact with (TAC-LOT-2)."""
    loot = marked(position.field, *LOOT_MARKS)
    return tuple(cell for cell in loot if reaches_loot(position, figure, cell))


def reaches_loot(position: BattlePosition, figure: BoardFigure, cell: Cell) -> bool:
    """Whether a figure is in contact with a loot token on a space (TAC-LOT-2, TAC-OR-26)."""
    if position.field.readings.loot_contact == "on":
        return cell in figure.cells
    return reaches_element(position, figure, cell)
