"""What each piece of equipment does, and who may carry it (TAC-EQP-3, -6)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics.cards.figure_card import CONDITIONS
from companion.games.tactics.cards.squad import EQUIPMENT, EquipmentItem
from companion.games.tactics.play.defence import SET_TO
from companion.games.tactics.play.turn_commands import HEALING_BALM
from companion.games.tactics.rules.readings import TacticsReadings
from models.message import joined, say


def equipment_words(item_id: str, readings: TacticsReadings | None = None) -> str:
    """An item in one line: what it does, as far as the companion counts it; before the battle
    begins its `readings` are not known."""
    item = EQUIPMENT[item_id]
    once = [say("once per battle")] if item.once else []
    carried = [say("for infantry only")] if item.infantry else []
    unique = [say("only one in a squad")] if item.unique else []
    return joined([*once, *effects_of(item, readings), *carried, *unique])


def effects_of(item: EquipmentItem, readings: TacticsReadings | None) -> Iterator[str]:
    """What an item adds or does."""
    match item.id:
        case "blinding-powder":
            yield say("an enemy in melee rolls: one of its dice may become {n}", n=SET_TO[item.id])
        case "lucky-charm":
            yield say("before a roll of its bearer: one die may become {n}", n=SET_TO[item.id])
        case "vial-of-poison":
            yield say("its bearer is killed instead of captured")
        case "healing-balm":
            yield say(
                "when its bearer is activated: heals {n} wound",
                "when its bearer is activated: heals {n} wounds",
                n=HEALING_BALM,
            )
        case "obsidian-dagger":
            yield say("with a melee attack: 1 wound kills, nobody is captured")
        case "glass-candle":
            yield say("its bearer sees all other figures")
    if item.protects and readings is not None:
        kind = readings.condition(item.protects)
        yield say("its bearer cannot become {condition}", condition=say(kind))
    elif item.protects:
        other = next(one for one in CONDITIONS if one != item.protects)
        yield say(
            "its bearer cannot become {condition} (by the other reading: {other})",
            condition=say(item.protects),
            other=say(other),
        )
    if item.spaces:
        yield say(
            "{n} space more with every Move", "{n} spaces more with every Move", n=item.spaces
        )
    if item.defence:
        yield say("{n:+d} on every defence die", n=item.defence)
    if item.will:
        yield say("{n:+d} on Will tests", n=item.will)
    if item.melee:
        yield say("{n:+d} on every die of melee attacks", n=item.melee)
    if item.ranged:
        yield say("{n:+d} on every die of ranged attacks", n=item.ranged)
