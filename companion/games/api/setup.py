"""The set-up interface of a game: ground, tokens, terrain, deployment.

A game's object `GAME` implements it in addition to `rules`; `settings` is the same record as there.
`defender` is the player (1 or 2) who defends, if the mode has roles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from models import Table, Unit


@dataclass(frozen=True, slots=True)
class TerrainPiece:
    """A kind of terrain that may be placed: its name, its effects and its usual size."""

    name: str
    keywords: tuple[str, ...]
    size_in: tuple[float, float]
    barred: str = ""
    """The rule that forbids it in this mode."""


Placed = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Answers as the commands print them, by kind (table, terrain, objectives, units) and id."""


@runtime_checkable
class TableSetup(Protocol):
    """A game that can set up its table."""

    def has_roles(self, game: str, mode: str) -> bool:
        """Whether one side defends and the other attacks."""
        ...

    def places_tokens(self, game: str, mode: str) -> bool:
        """Whether the players choose where the tokens go; otherwise the mode fixes it."""
        ...

    def pieces(self, game: str, mode: str) -> Sequence[TerrainPiece]:
        """Every kind of terrain."""
        ...

    def battlefield(
        self, game: str, mode: str, width: float, depth: float, settings: Any = None
    ) -> Table:
        """An empty table with the mode's pieces, and proposed places for players' tokens."""
        ...

    def line_up(
        self, table: Table, units: Sequence[Unit], defender: int = 1, settings: Any = None
    ) -> Table:
        """The table with these units added, each at a legal place in its zone."""
        ...

    def placed(self, table: Table, defender: int = 1, settings: Any = None) -> Placed:
        """Whether everything is placed legally before the first round."""
        ...
