"""The face of a game that knows how its table is set up: ground, tokens, terrain, deployment.

A game's object `GAME` shows it besides the face in `rules`. `settings` is that
face's own record. `defender` is the player (1 or 2) who defends, where a mode has roles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from models import Table, Unit


@dataclass(frozen=True, slots=True)
class TerrainPiece:
    """A kind of terrain that may be placed: what it is called, does, and how large it often is."""

    name: str
    keywords: tuple[str, ...]
    size_in: tuple[float, float]
    barred: str = ""
    """The rule that keeps it out of this mode."""


Placed = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Answers as the commands print them, by kind (table, terrain, objectives, units) and id."""


@runtime_checkable
class TableSetup(Protocol):
    """A game whose table can be set up with it."""

    def has_roles(self, game: str, mode: str) -> bool:
        """Whether one side defends and the other attacks."""
        ...

    def places_tokens(self, game: str, mode: str) -> bool:
        """Whether the players choose the places of the tokens; else the mode fixes them."""
        ...

    def pieces(self, game: str, mode: str) -> Sequence[TerrainPiece]:
        """Every kind of terrain."""
        ...

    def battlefield(
        self, game: str, mode: str, width: float, depth: float, settings: Any = None
    ) -> Table:
        """An empty table with what the mode puts on it; tokens the players place are proposed."""
        ...

    def line_up(
        self, table: Table, units: Sequence[Unit], defender: int = 1, settings: Any = None
    ) -> Table:
        """The table with these units as well, each proposed at a lawful place of its zone."""
        ...

    def placed(self, table: Table, defender: int = 1, settings: Any = None) -> Placed:
        """Whether everything may lie and stand where it does before the first round."""
        ...
