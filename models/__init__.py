"""Records of what is on a table: trays, units, terrain, objectives, and the Table itself."""

from __future__ import annotations

from models.catalogue import Catalogue, UnitCard, catalogue
from models.message import BadInput, CompanionError, UnknownName
from models.pose import EXACT, Pose, Sigma
from models.table import Table, TableToken
from models.terrain import Terrain
from models.unit import Attack, Profile, Tray, Unit

__all__ = [
    "EXACT",
    "Attack",
    "BadInput",
    "Catalogue",
    "CompanionError",
    "Pose",
    "Profile",
    "Sigma",
    "Table",
    "TableToken",
    "Terrain",
    "Tray",
    "Unit",
    "UnitCard",
    "UnknownName",
    "catalogue",
]
