"""Records of what is on a table: trays, units, terrain, objectives, and the Table itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.attack import Attack
from models.cards.attachment import Attachment
from models.cards.ncu import NonCombatUnit
from models.cards.tactics_card import TacticsCard
from models.cards.unit_card import UnitCard
from models.catalogue import Catalogue, catalogue
from models.errors import BadInput, CompanionError, UnknownName
from models.objective import Objective
from models.pose import EXACT, Pose, Sigma
from models.table import Table
from models.terrain import Terrain
from models.tray import Tray
from models.unit import Profile, Unit

if TYPE_CHECKING:
    from models.cards.army import Army, ArmyEntry
else:

    def __getattr__(name: str) -> Any:
        """Army lists are imported when first used: a table and its answers need none."""
        if name in ("Army", "ArmyEntry"):
            from models.cards import army

            return getattr(army, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "EXACT",
    "Army",
    "ArmyEntry",
    "Attachment",
    "Attack",
    "BadInput",
    "Catalogue",
    "CompanionError",
    "NonCombatUnit",
    "Objective",
    "Pose",
    "Profile",
    "Sigma",
    "Table",
    "TacticsCard",
    "Terrain",
    "Tray",
    "Unit",
    "UnitCard",
    "UnknownName",
    "catalogue",
]
