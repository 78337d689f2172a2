"""Equipment as the rulebook lists it: price, whether unique, and what it changes (TAC-EQP)."""

from __future__ import annotations

from dataclasses import dataclass

from models.lazy_message import say


@dataclass(frozen=True, slots=True)
class EquipmentItem:
    """An item: `price` in copper stars; `once` items are discarded when used (TAC-EQP-6).

    `kinds` are the figures that may carry it; the icons are lost in the source, so the players may
    restrict them further. The numbers are added to rolls, or to the spaces of Moves.
    """

    id: str
    name: str
    price: int
    unique: bool = False
    once: bool = False
    infantry: bool = False
    spaces: int = 0
    defence: int = 0
    will: int = 0
    melee: int = 0
    ranged: int = 0
    protects: str = ""
    """The condition that its bearer cannot get."""
    use: str = ""
    """When a `once` item may be used: "attack", "defence", "roll", "captured", "activated"."""


ITEMS = (
    EquipmentItem("blinding-powder", say("Blinding powder"), 2, once=True, use="enemy-roll"),
    EquipmentItem("holy-icon", say("Holy icon"), 2, unique=True, protects="shaken"),
    EquipmentItem("spotless-boots", say("Spotless boots"), 2, infantry=True, spaces=1),
    EquipmentItem("castle-forged-steel", say("Castle-forged steel"), 2, unique=True, defence=1),
    EquipmentItem("lucky-charm", say("Lucky charm"), 1, once=True, use="roll"),
    EquipmentItem(
        "vial-of-poison", say("Vial of poison"), 2, unique=True, once=True, use="captured"
    ),
    EquipmentItem("flask-of-mead", say("Flask of mead"), 1, will=2),
    EquipmentItem("poppy-juice", say("Poppy juice"), 1, unique=True, protects="frozen"),
    EquipmentItem("steel-arrowheads", say("Steel arrowheads"), 1, ranged=1),
    EquipmentItem("family-armour", say("Family armour"), 1, defence=1),
    EquipmentItem("glass-candle", say("Glass candle"), 1, unique=True, infantry=True),
    EquipmentItem("valyrian-steel", say("Valyrian steel"), 2, unique=True, melee=1),
    EquipmentItem("healing-balm", say("Healing balm"), 2, unique=True, once=True, use="activated"),
    EquipmentItem(
        "obsidian-dagger", say("Obsidian dagger"), 2, unique=True, once=True, use="attack"
    ),
    EquipmentItem("family-weapon", say("Family weapon"), 1, melee=1),
)
EQUIPMENT = {item.id: item for item in ITEMS}
