"""Which enemies a figure may attack from where it stands (TAC-ATK-1 to -4)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tactics.cards.figure_card import CardAttack
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.visibility import sees


@dataclass(frozen=True, slots=True)
class AttackAnswer:
    """Whether an enemy may be attacked, with which attack, or the rules that forbid it."""

    attack: CardAttack | None
    why: tuple[str, ...] = ()


def attack_answer(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure
) -> AttackAnswer:
    """The best attack against an enemy: melee if engaged with it, ranged if engaged with nobody."""
    if not figure.attacks:
        return AttackAnswer(None, ("TAC-ATK-1",))
    why = ""
    for attack in (figure.melee, figure.ranged):
        if attack is not None:
            why = attack_refusal(position, figure, target, attack)
            if not why:
                return AttackAnswer(attack)
    return AttackAnswer(None, (why,))


def attack_refusal(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure, attack: CardAttack
) -> str:
    """The rule that forbids one attack against one enemy; "" if it is allowed."""
    engaged = engaged_with(position, figure)
    if attack.kind == "melee":
        near = bool(engaged) and any(one.id == target.id for one in engaged)
        return "" if near else "TAC-ATK-2"
    if engaged:
        return "TAC-ATK-4"
    return "" if sees(position, figure, target).clear else "TAC-LOS-8"
