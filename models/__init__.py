"""Records of what is on a table: trays, units, terrain, objectives, and the Table itself."""

from __future__ import annotations

from models.attack import Attack
from models.cards.unit_card import UnitCard
from models.catalogue import Catalogue, catalogue
from models.errors import BadInput, CompanionError, UnknownName
from models.objective import Objective
from models.pose import EXACT, Pose, Sigma
from models.table import Table
from models.terrain import Terrain
from models.tray import Tray
from models.unit import Profile, Unit

__all__ = [
    "EXACT",
    "Attack",
    "BadInput",
    "Catalogue",
    "CompanionError",
    "Objective",
    "Pose",
    "Profile",
    "Sigma",
    "Table",
    "Terrain",
    "Tray",
    "Unit",
    "UnitCard",
    "UnknownName",
    "catalogue",
]
