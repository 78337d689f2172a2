"""The face every game shows: the questions the rest of the companion may ask it, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from models import Table

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene

Action = Literal["charges", "shots"]
"""The attacks a report lists, by the report's own words."""


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """One attack as a player would describe it: the numbers of `companion odds`.

    `hit`, `defense` and `morale` are the N of N+; `models` are the wounds the defender has left,
    None where nobody asked for the chance to destroy it.
    """

    hit: int
    dice: int
    defense: int
    morale: int
    zone: str = "front"
    charge: bool = False
    abilities: tuple[str, ...] = ()
    attack_mod: int = 0
    defense_mod: int = 0
    morale_mod: int = 0
    models: int | None = None


@dataclass(frozen=True, slots=True)
class ReadingSwitch:
    """A rule the rulebook leaves open, as players may set it: the first choice is the default."""

    number: str
    name: str
    choices: tuple[str, ...]
    words: str

    @property
    def default(self) -> str:
        """The catalogue's own reading."""
        return self.choices[0]


class OddsAnswer(Protocol):
    """The answer to an `OddsQuestion`."""

    @property
    def left_known(self) -> bool:
        """Whether the wounds the defender has left are known; else `destroys` says nothing."""
        ...

    def plain(self) -> dict[str, Any]:
        """The odds as `companion odds` prints them; `mean` and `destroys` are always there."""
        ...


class TableReport(Protocol):
    """What a game says about every unit of a table."""

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by unit id."""
        ...

    def plain(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it, for the table file of that name.

        Not `whole`, it may leave out what takes long and decides nothing: for the screen.
        """
        ...


class GameRules(Protocol):
    """One game package; its module `game` holds such an object under the name `GAME`.

    `settings` is the game's own record: the others only carry it from one call to the next.
    None stands for the game's defaults.
    """

    @property
    def games(self) -> tuple[str, ...]:
        """The games it serves, as table files name them: one per edition."""
        ...

    def settings(self, readings: Sequence[str] = ()) -> Any:
        """The settings with those readings (`NAME=VALUE`); an unknown one is a CompanionError."""
        ...

    def switches(self) -> Sequence[ReadingSwitch]:
        """Every reading that players may set, for `settings`."""
        ...

    def modes(self, game: str) -> Sequence[tuple[str, str]]:
        """The ways to play a game: the word a set-up takes, and the name players know."""
        ...

    def report(self, table: Table, settings: Any = None) -> TableReport:
        """Every answer for every unit of the table."""
        ...

    def check(
        self, before: Table, after: Table, unit_id: str, settings: Any = None
    ) -> Mapping[str, Any]:
        """Which actions explain the unit's move, as `companion check` prints it."""
        ...

    def reason(self, rule: str) -> str:
        """What a rule that forbids something objects to, in a few words; empty where unsaid."""
        ...

    def odds(self, game: str, question: OddsQuestion) -> OddsAnswer:
        """The exact odds of an attack under one of the games it serves."""
        ...

    def attack_odds(
        self, report: Any, action: Action, unit_id: str, target_id: str
    ) -> OddsAnswer | None:
        """The odds of the attack that this charge or shot of its own report ends in.

        None where the unit has no attack for it.
        """
        ...

    def scene(
        self, table: Table, unit_id: str | None = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        """The table and the answers about it as one picture: for one unit, or the whole table."""
        ...

    def board(self, table: Table) -> TableScene:
        """The table alone as a picture: the ground and who stands on it."""
        ...
