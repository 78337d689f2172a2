"""Will tests (TAC-CRD-4)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.combat.attack_odds import reaches
from companion.games.tactics.play.context import BattleContext
from companion.games.tactics.play.defence import shaken_modifier
from companion.games.tactics.play.state import FigureInPlay, SkirmishState

PLAIN_WILL = 10


def will_modifier(state: SkirmishState, figure: FigureInPlay) -> int:
    """What equipment and shaken add to its Will tests."""
    item = EQUIPMENT.get(figure.equipment)
    return (item.will if item else 0) + shaken_modifier(state, figure, will=True)


def take_will_test(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> bool | Refusal:
    """One die at or above the Will value succeeds; the result is noted."""
    faces = ctx.rolled(args, 1)
    if isinstance(faces, Refusal):
        return faces
    modifier = will_modifier(ctx.state, figure)
    passed = reaches(faces[0], figure.card.will or PLAIN_WILL, modifier)
    used = figure.shaken and ctx.state.readings.shaken == "any-roll"  # TAC-OR-18
    ctx.note("will-tested", figure, faces=list(faces), passed=passed, shaken=used)
    return passed
