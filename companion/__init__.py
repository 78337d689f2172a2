"""The table companion: sees a table, knows the rules, remembers the game.

    import companion as tc

    table = tc.load("evening.table.json")
    tc.rules(table)["b3"].charges["r1"]

Everything that `__all__` names is public, documented in docs/library.md, and stays as it is within
a version (CHANGELOG.md says what changes between two). Everything else may change at any time.
Nothing is loaded before it is asked for.
"""

import sys

if getattr(sys, "argv", [""])[:1] and sys.argv[0].endswith(("-m", "companion", "companion.exe")):
    # Run as a command, not imported by another program: loading the rest takes a moment.
    from companion.cli import exit_on_interrupt

    exit_on_interrupt.install()

from typing import TYPE_CHECKING, Any

from companion.version import VERSION

if TYPE_CHECKING:
    from companion.library.answers import PieceReport, Report, Ruling, check, rules
    from companion.library.card_list import CardList
    from companion.library.kept_game import Game, Refused
    from companion.library.probabilities import Odds, odds
    from companion.library.tables import (
        SeenTable,
        draw,
        known_games,
        load,
        look,
        parse,
        practice_table,
    )
    from models.board import Board, Border
    from models.board_table import BoardPiece, BoardTable, Measured
    from models.message import BadInput, CompanionError, UnknownName
    from models.pose import Pose, Sigma
    from models.table import Table, TableToken
    from models.terrain import Terrain
    from models.unit import Attack, Tray, Unit

__version__ = VERSION
__all__ = [
    "Attack",
    "BadInput",
    "Board",
    "BoardPiece",
    "BoardTable",
    "Border",
    "CardList",
    "CompanionError",
    "Game",
    "Measured",
    "Odds",
    "PieceReport",
    "Pose",
    "Refused",
    "Report",
    "Ruling",
    "SeenTable",
    "Sigma",
    "Table",
    "TableToken",
    "Terrain",
    "Tray",
    "Unit",
    "UnknownName",
    "check",
    "draw",
    "known_games",
    "load",
    "look",
    "odds",
    "parse",
    "practice_table",
    "rules",
]
PLACES = {
    "companion.library.answers": ("Ruling", "PieceReport", "Report", "check", "rules"),
    "companion.library.card_list": ("CardList",),
    "companion.library.kept_game": ("Game", "Refused"),
    "companion.library.probabilities": ("Odds", "odds"),
    "companion.library.tables": (
        "SeenTable",
        "draw",
        "known_games",
        "load",
        "look",
        "parse",
        "practice_table",
    ),
    "models.board": ("Board", "Border"),
    "models.board_table": ("BoardPiece", "BoardTable", "Measured"),
    "models.message": ("BadInput", "CompanionError", "UnknownName"),
    "models.pose": ("Pose", "Sigma"),
    "models.table": ("Table", "TableToken"),
    "models.terrain": ("Terrain",),
    "models.unit": ("Attack", "Tray", "Unit"),
}
"""The modules that public names are loaded from when they are first asked for."""

if not TYPE_CHECKING:  # with it every name would exist for a type checker

    def __getattr__(name: str) -> Any:
        import importlib

        for module, names in PLACES.items():
            if name in names:
                found = globals()[name] = getattr(importlib.import_module(module), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
