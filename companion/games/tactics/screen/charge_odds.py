"""The odds of a charge by where it ends: its attack is rolled from there (TAC-TER-13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.games.tactics.cards.figure_card import CardAttack
from companion.games.tactics.play.defence import attack_question
from companion.games.tactics.play.state import SkirmishState
from companion.games.tactics.rules.attack_odds import AttackQuestion, PricedOdds, priced_odds
from companion.games.tactics.rules.movement import MoveTarget
from companion.games.tactics.rules.position import BattlePosition, BoardFigure, moved
from models.board import Cell
from models.message import say

MOST_PAID = 64
"""So many choices of coins are offered for one charge, the cheapest first."""


@dataclass(frozen=True, slots=True)
class ChargeGround:
    """Spaces from which the attack of a charge has the same odds."""

    ends: dict[Cell, MoveTarget]
    odds: PricedOdds
    higher: bool
    """Whether it strikes better from these spaces than from the others."""

    def text(self, told: str) -> str:
        """A charge that ends there."""
        return say("{what} from high ground", what=told) if self.higher else told


def charge_grounds(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    attack: CardAttack,
    ends: Mapping[Cell, MoveTarget],
) -> Iterator[ChargeGround]:
    """The spaces in which a charge may end, by the odds of its attack."""
    mine, foe = state.figure(figure.id), state.figure(enemy.id)
    grounds: dict[AttackQuestion, dict[Cell, MoveTarget]] = {}
    for cell, end in sorted(ends.items()):
        there = moved(position, figure, cell)
        question = attack_question(state, there, mine, foe, attack, charge=True)
        grounds.setdefault(question, {})[cell] = end
    best = max(question.attack_mod for question in grounds)
    purse = state.squad(figure.side).coins
    for question, same in grounds.items():
        odds = priced_odds(question, attack.effects, purse, named=True)
        odds = PricedOdds(odds.odds, odds.options[:MOST_PAID])
        yield ChargeGround(same, odds, len(grounds) > 1 and question.attack_mod == best)
