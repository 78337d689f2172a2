"""What the way to a space does to a figure, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from companion.games.tactics.rules.movement import MoveTarget
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.space_effects import (
    FIRE,
    LEAF_PILE,
    RIVER,
    STAKE_PIT,
    flank_question,
    pit_hits,
    space_effects,
    step_effects,
)
from models.board import Cell
from models.message import joined, say

HARM_WORDS = {
    LEAF_PILE: say("through a leaf pile"),
    RIVER: say("through the river"),
}


MUST_INTERACT = say("it must interact")


def end_words(position: BattlePosition, figure: BoardFigure, end: MoveTarget) -> list[str]:
    """What the way to a space costs the figure; between several ways its player then chooses."""
    told = [path_words(position, figure, path) for path in end.ways]
    return told[0] if len(told) == 1 else [joined(dict.fromkeys(map(joined, told)), " / ")]


def worded_ways(
    position: BattlePosition, figure: BoardFigure, ways: Sequence[Sequence[Cell]]
) -> list[str]:
    """Each of several ways in words that no other one has: what it costs, and where, if needed."""
    told = [joined(path_words(position, figure, path)) for path in ways]
    return [
        text if text and told.count(text) == 1 else joined([*filter(None, [text]), *where])
        for text, path in zip(told, ways, strict=True)
        for where in [path_places(position, figure, path)]
    ]


def path_places(
    position: BattlePosition, figure: BoardFigure, path: Sequence[Cell]
) -> Iterator[str]:
    """Where a way meets something: an element by its name."""
    for here, there in pairwise(path):
        for cell, effect in step_effects(position, figure, here, there):
            yield effect[1:] if effect[:1] in "!?" else place(position, cell, figure.id)


def path_words(position: BattlePosition, figure: BoardFigure, path: Sequence[Cell]) -> list[str]:
    """What a way costs the figure, and between what its player then chooses."""
    sure: list[str] = []
    asked: list[str] = []
    for here, there in pairwise(path):
        flanks = flank_question(position, figure, here, there)
        if flanks:
            harms = (joined(harm_words(figure, space_effects(position, one))) for one in flanks)
            asked.append(joined(dict.fromkeys(filter(None, harms)), " / "))
            sure += space_effects(position, there)
        else:
            sure += [effect for _, effect in step_effects(position, figure, here, there)]
    return list(dict.fromkeys([*harm_words(figure, sure), *filter(None, asked)]))


def harm_words(figure: BoardFigure, effects: Sequence[str]) -> list[str]:
    """What spaces do to a figure; a pit hits a large one twice (TAC-TER-16)."""
    words: list[str] = []
    if hits := effects.count(STAKE_PIT) * pit_hits(figure.size):
        words.append(say("through a stake pit: {n} hit", "through a stake pit: {n} hits", n=hits))
    if wounds := effects.count(FIRE):
        words.append(say("through fire: {n} wound", "through fire: {n} wounds", n=wounds))
    others = [one for one in effects if one not in (STAKE_PIT, FIRE) and one[:1] != "?"]
    words += [HARM_WORDS.get(one, MUST_INTERACT) for one in others]
    return list(dict.fromkeys(words))
