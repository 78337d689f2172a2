"""What each piece of equipment does, and who may carry it (TAC-EQP-3, -6)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics.cards.squad import EQUIPMENT, EquipmentItem
from companion.games.tactics.play.defence import SET_TO
from companion.games.tactics.play.turn_commands import HEALING_BALM
from models.message import joined, say


def equipment_words(item_id: str) -> str:
    """An item in one line: what it does, as far as the companion counts it."""
    item = EQUIPMENT[item_id]
    once = [say("once per battle")] if item.once else []
    carried = [say("for infantry only")] if item.infantry else []
    unique = [say("only one in a squad")] if item.unique else []
    return joined([*once, *effects_of(item), *carried, *unique])


def effects_of(item: EquipmentItem) -> Iterator[str]:
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
    if item.protects:
        yield say("its bearer cannot become {condition}", condition=say(item.protects))
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
