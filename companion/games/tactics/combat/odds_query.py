"""The odds of an attack as `companion odds --game tactics` asks for them, and of table figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.api.rules import OddsField
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.cards.figure_card import CardAttack, CoinEffect
from companion.games.tactics.combat.attack_odds import (
    HIGH_GROUND,
    SHAKEN,
    AttackQuestion,
    FigureOdds,
    PaidOption,
    attack_odds,
    paid_options,
)
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.position import BattlePosition
from models.field import Field

PLAIN_DEFENCE = 6
"""The Defence of a figure of which nothing is known."""


@dataclass(frozen=True, slots=True)
class PricedOdds:
    """The odds of an attack, and of every choice of coins for it."""

    odds: FigureOdds
    options: tuple[PaidOption, ...] = ()

    @property
    def left_known(self) -> bool:
        return self.odds.left_known

    def plain(self) -> dict[str, Any]:
        """The odds as JSON values; `coins` lists what each choice of effects adds."""
        text = self.odds.plain()
        if len(self.options) > 1:
            text["coins"] = [one.plain() for one in self.options]
        return text


QUERY_FIELDS: Mapping[str, tuple[int, int, str]] = {
    "dice": (0, 20, "attack dice"),
    "hit": (2, 10, "the result a die needs to hit"),
    "defence": (2, 10, "the defender's Defence"),
    "health": (1, 20, "the wounds the defender can still take"),
    "attack_mod": (-9, 9, "added to attack dice"),
    "defence_mod": (-9, 9, "added to defence dice"),
    "cancels": (0, 20, "hits that are defended without a roll"),
}
QUERY_FLAGS: Mapping[str, str] = {
    "charge": "in a charge: 1 more die",
    "high": "from high ground against a lower enemy",
    "attack_charm": "the attacker's lucky charm",
    "defence_charm": "the defender's lucky charm",
    "attack_powder": "blinding powder against the attack roll",
    "defence_powder": "blinding powder against the defence roll",
    "shaken": "the attacker is shaken",
    "shaken_defender": "the defender is shaken",
    "fatal": "an obsidian dagger: one wound kills",
}
ODDS_FIELDS = (
    *(
        OddsField(name, "number", what, name in ("dice", "hit", "defence"))
        for name, (_, _, what) in QUERY_FIELDS.items()
    ),
    OddsField("extra_dice", "numbers", "the copper price of each extra die: 1,1,2,3"),
    *(OddsField(name, "flag", what) for name, what in QUERY_FLAGS.items()),
)


def odds_query(values: Mapping[str, Any]) -> PricedOdds:
    """The odds for plain values, as players or programs give them; errors name the value."""
    field = Field(dict(values), "odds")
    raw = field.keys({*QUERY_FIELDS, *QUERY_FLAGS, "extra_dice"}, {"dice", "hit", "defence"})
    numbers: dict[str, Any] = {
        key: field.member(key).whole(low, high)
        for key, (low, high, _) in QUERY_FIELDS.items()
        if key in raw
    }
    flags = {key: field.member(key).flag() if key in raw else False for key in QUERY_FLAGS}
    attack_mod = numbers.pop("attack_mod", 0)
    attack_mod += HIGH_GROUND * flags.pop("high") + SHAKEN * flags.pop("shaken")
    defence_mod = numbers.pop("defence_mod", 0) + SHAKEN * flags.pop("shaken_defender")
    question = AttackQuestion(**numbers, **flags, attack_mod=attack_mod, defence_mod=defence_mod)
    effects = [
        CoinEffect(f"die {at + 1}", Coins(copper=price.whole(1, 9)), dice=1)
        for at, price in enumerate(field.listed("extra_dice", 8))
    ]
    return PricedOdds(attack_odds(question), tuple(paid_options(question, effects)))


def figure_question(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    attack: CardAttack,
    charge: bool = False,
) -> AttackQuestion:
    """The attack of one figure on the board against another, with ground and equipment."""
    high = position.field.high
    modifier = 0
    if any(cell in high for cell in figure.cells) and not any(c in high for c in target.cells):
        modifier += HIGH_GROUND  # TAC-TER-13
    item = EQUIPMENT.get(figure.equipment)
    if item is not None:
        modifier += item.melee if attack.kind == "melee" else item.ranged
    shield = EQUIPMENT.get(target.equipment)
    left = None if target.health is None else max(1, target.health - target.wounds)
    return AttackQuestion(
        attack.dice,
        attack.hit,
        target.defence or PLAIN_DEFENCE,
        left,
        modifier + (SHAKEN if figure.shaken else 0),
        (shield.defence if shield else 0) + (SHAKEN if target.shaken else 0),
        charge,
        charm_natural=position.field.readings.charm == "natural",
        tens_defended=position.field.readings.natural_ten_dice == "defended",
    )


def figure_odds(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    attack: CardAttack,
    charge: bool = False,
    purse: Coins | None = None,
) -> PricedOdds:
    """The odds of such an attack, with every choice of coins that can be paid."""
    question = figure_question(position, figure, target, attack, charge)
    options = paid_options(question, attack.effects, purse)
    return PricedOdds(attack_odds(question), tuple(options))
