"""The odds as `companion odds --game westeros` asks for them, and of units on a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.api.rules import OddsField
from companion.games.westeros.cards.unit_cards import CLASSES, RANK_DICE, RANKS
from companion.games.westeros.combat.attack_odds import (
    FREE_ROOM,
    GOALS,
    HexOdds,
    HexQuestion,
    attack_odds,
    hound_odds,
)
from companion.games.westeros.combat.die import NOT_ENTERED, HitRule, hit_rule
from companion.games.westeros.rules.attack_options import attack_dice, flanks, ignored_hits
from companion.games.westeros.rules.movement import best_room, directional_room
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from models.field import Field

MOST_DICE = 12
NUMBERS: Mapping[str, tuple[int, int, str]] = {
    "dice": (0, MOST_DICE, "attack dice on the card; by rank if left out"),
    "cap": (0, MOST_DICE, "the most dice that terrain allows, before modifiers"),
    "more": (-MOST_DICE, MOST_DICE, "dice added or taken by modifiers, after the cap"),
    "cover": (0, 9, "Cover of the target's hex"),
    "toughness": (0, 9, "Toughness of the target"),
    "figures": (1, 12, "figures left in the target"),
    "capture": (1, 9, "the capture value, if a commander is in the target"),
    "room": (0, FREE_ROOM, "hexes that the target can retreat; as far as it must if left out"),
}
WORDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "target": (RANKS, "the target's rank"),
    "rank": (RANKS, "the attacker's rank"),
    "attacker_class": (CLASSES, "the attacker's class"),
    "target_class": (CLASSES, "the target's class"),
    "goal": (GOALS, "what a flank attacker re-rolls for"),
}
FLAGS: Mapping[str, str] = {
    "flank": "a flank attack: one symbol may be re-rolled",
    "heavy_armour": "the target has heavy armour",
    "no_valour": "the attacker's card forbids valour hits",
    "stalwart": "the target ignores the first morale symbol",
    "parting": "a parting blow: morale symbols do nothing",
    "hounds": "war hounds: the first die chooses the attack",
    "strict_capture": "leftover hits do not count for a capture",
}
ODDS_FIELDS = (
    *(
        OddsField(name, "word", what, name == "target", options)
        for name, (options, what) in WORDS.items()
    ),
    *(OddsField(name, "number", what) for name, (_, _, what) in NUMBERS.items()),
    *(OddsField(name, "flag", what) for name, what in FLAGS.items()),
)


def odds_query(values: Mapping[str, Any]) -> HexOdds:
    """The odds for plain values, as players or programs give them; errors name the value."""
    field = Field(dict(values), "odds")
    raw = field.keys({*NUMBERS, *WORDS, *FLAGS}, {"target"})
    numbers = {
        key: field.member(key).whole(low, high)
        for key, (low, high, _) in NUMBERS.items()
        if key in raw
    }
    words = {
        key: field.member(key).choice(known) for key, (known, _) in WORDS.items() if key in raw
    }
    flags = {key: field.member(key).flag() if key in raw else False for key in FLAGS}
    rule = hit_rule(
        words["target"],
        words.get("attacker_class", "foot"),
        words.get("target_class", "foot"),
        flags["heavy_armour"],
        flags["no_valour"],
    )

    def rolled(card: int) -> int:
        return max(0, min(card, numbers.get("cap", MOST_DICE)) + numbers.get("more", 0))

    usual = RANK_DICE[words.get("rank", RANKS[0])]
    asked = HexQuestion(
        rolled(numbers.get("dice", usual)),
        rule,
        numbers.get("cover", 0) + numbers.get("toughness", 0),
        numbers.get("figures"),
        numbers.get("capture"),
        not flags["strict_capture"],
        flags["stalwart"],
        numbers.get("room", FREE_ROOM),
        flags["flank"],
        words.get("goal", GOALS[0]),
        not flags["parting"],
    )
    if flags["hounds"]:
        green, blue, red = (rolled(RANK_DICE[rank]) for rank in RANKS)
        return hound_odds(asked, (green, blue, red))
    return attack_odds(asked)


def unit_rule(unit: BoardUnit, target: BoardUnit) -> HitRule:
    """Which symbols of a unit hit another."""
    return hit_rule(
        target.rank,
        unit.kind,
        target.kind,
        target.has("heavy-armour"),
        unit.has("no-valour"),
    )


def unit_question(
    position: HexPosition,
    unit: BoardUnit,
    target: BoardUnit,
    dice: int | None = None,
    flank: bool | None = None,
) -> HexQuestion:
    """An attack between two units where they stand."""
    capture = (target.capture or NOT_ENTERED) if target.commander else None
    rolled = attack_dice(position, unit, target) if dice is None else dice
    return HexQuestion(
        rolled,
        unit_rule(unit, target),
        ignored_hits(position, target, unit if dice is None else None),
        target.figures,
        capture,
        position.field.readings.leftover_hits == "count",
        position.stalwart(target),
        attack_room(position, unit, target, MOST_DICE if unit.has("war-hounds") else rolled),
        flanks(position, unit, target) if flank is None else flank,
        blocked_together=position.field.readings.blocked_hits == "together",
    )


def attack_room(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, steps: int = MOST_DICE
) -> int:
    """How many of so many hexes the target can retreat, by the reading of melee retreats."""
    directional = position.field.readings.melee_retreat == "directional"  # BOW-OR-40
    if directional and position.field.distance(unit.cell, target.cell) == 1 and not unit.ranged:
        return directional_room(position, target, unit.cell, steps)
    return best_room(position, target, steps)


def unit_odds(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> HexOdds:
    """The odds of a normal attack between two units."""
    return attack_odds(unit_question(position, unit, target))


def unit_hound_odds(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, rows: Mapping[str, int]
) -> HexOdds:
    """The odds of war hounds; `rows` are the dice of each rank on the unit's card."""
    green, blue, red = (
        attack_dice(position, unit, target, base=rows.get(rank, RANK_DICE[rank])) for rank in RANKS
    )
    return hound_odds(unit_question(position, unit, target, flank=False), (green, blue, red))
