"""What the way to a space does to a figure, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from companion.games.tactics.rules.movement import MoveTarget
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
from models.message import joined, say

HARM_WORDS = {
    FIRE: say("through fire: 1 wound"),
    LEAF_PILE: say("through a leaf pile"),
    RIVER: say("through the river"),
}


def path_words(position: BattlePosition, figure: BoardFigure, end: MoveTarget) -> list[str]:
    """What the way to a space costs the figure, and between what its player then chooses."""
    sure: list[str] = []
    asked: list[str] = []
    for here, there in pairwise(end.path):
        flanks = flank_question(position, figure, here, there)
        if flanks:
            harms = [joined(harm_words(figure, space_effects(position, one))) for one in flanks]
            asked.append(joined(harms, " / "))
            sure += space_effects(position, there)
        else:
            sure += [effect for _, effect in step_effects(position, figure, here, there)]
    return list(dict.fromkeys(harm_words(figure, sure) + asked))


def harm_words(figure: BoardFigure, effects: Sequence[str]) -> list[str]:
    """What spaces do to a figure; a pit hits a large one twice (TAC-TER-16)."""
    hits = effects.count(STAKE_PIT) * pit_hits(figure.size)
    pits = [say("through a stake pit: {n} hit", "through a stake pit: {n} hits", n=hits)]
    others = [one for one in effects if one != STAKE_PIT and one[:1] != "?"]
    words = [HARM_WORDS.get(one, say("it must interact")) for one in others]
    return list(dict.fromkeys(pits[: bool(hits)] + words))
