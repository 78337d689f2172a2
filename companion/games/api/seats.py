"""Who plays: how many seats a game has, their teams, names and colours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player at the table.

    `colour` (1 to 6) chooses the colour and the shape of the seat; `mark` its drawn sign. `team`
    is shared by players who win together.
    """

    id: str
    name: str
    colour: int
    mark: str = ""
    team: str = ""
    faction: str = ""


@dataclass(frozen=True, slots=True)
class SeatRange:
    """How many may play a game in a mode, and the ids of its seats in order."""

    least: int
    most: int
    ids: tuple[str, ...]
