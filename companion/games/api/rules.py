"""The rules interface of every game: the only questions the rest of the companion asks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from models import CompanionError

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene

Action = Literal["charges", "shots"]
"""The attacks that a report lists, by the report's keys."""


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """One attack as players describe it: the arguments of `companion odds`.

    `hit`, `defense` and `morale` are the N of N+; `models` are the wounds the defender has left,
    None if the chance to destroy it was not asked for.
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
class OddsField:
    """One number or flag of a game's own odds; `numbers` is a list of whole numbers."""

    name: str
    kind: Literal["number", "numbers", "flag"]
    what: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class ReadingSwitch:
    """A rule that the rulebook leaves open, as a setting; the first choice is the default."""

    number: str
    name: str
    choices: tuple[str, ...]
    words: str

    @property
    def default(self) -> str:
        return self.choices[0]


class OddsAnswer(Protocol):
    """The answer to an `OddsQuestion`."""

    @property
    def left_known(self) -> bool:
        """Whether the defender's remaining wounds are known; otherwise `destroys` means nothing."""
        ...

    def plain(self) -> dict[str, Any]:
        """The odds as `companion odds` prints them; `mean` and `destroys` are always present."""
        ...


class TableReport(Protocol):
    """A game's answers for every unit of a table."""

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by unit id."""
        ...

    def plain(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it, for the table file of that name.

        If not `whole`, slow parts that decide nothing may be left out: for the screen.
        """
        ...


class GameRules(Protocol):
    """The interface of a game package; its module `game` holds such an object named `GAME`.

    `settings` is the game's own record: the others only pass it from one call to the next. None
    means the game's defaults. A table is a `models.Table` or a `models.board_table.BoardTable`,
    whichever the game is played on. A game that derives from this class inherits what a game
    without readings, modes, move checks and odds answers.
    """

    @property
    def games(self) -> tuple[str, ...]:
        """The names of its games in table files: one per edition."""
        ...

    def settings(self, readings: Sequence[str] = ()) -> Any:
        """The settings with those readings (`NAME=VALUE`); an unknown one raises CompanionError."""
        if readings:
            raise CompanionError(f"no reading {readings[0]!r}; this game has none")
        return None

    def switches(self) -> Sequence[ReadingSwitch]:
        """Every reading that players may set, for `settings`."""
        return ()

    def modes(self, game: str) -> Sequence[tuple[str, str]]:
        """The game modes: the id used in a set-up, and the name players know."""
        return ()

    def report(self, table: Any, settings: Any = None) -> TableReport:
        """Every answer for every unit of the table."""
        ...

    def check(
        self, before: Any, after: Any, unit_id: str, settings: Any = None
    ) -> Mapping[str, Any]:
        """Which actions explain the unit's move, as `companion check` prints it."""
        raise CompanionError(f"{self.games[0]} cannot check moves")

    def reason(self, rule: str) -> str:
        """A short reason for refusals by that rule; empty if there is none."""
        return ""

    def odds_fields(self, game: str) -> Sequence[OddsField]:
        """The numbers that its odds are asked with, beside those of `OddsQuestion`.

        A game that has some takes a mapping of these as the question.
        """
        return ()

    def odds(self, game: str, question: OddsQuestion | Mapping[str, Any]) -> OddsAnswer:
        """The exact odds of an attack in one of its games."""
        raise CompanionError(f"{game} has no odds")

    def attack_odds(
        self, report: Any, action: Action, unit_id: str, target_id: str
    ) -> OddsAnswer | None:
        """The odds of the attack that follows this charge or shot of its own report.

        None if the unit has no attack for it.
        """
        return None

    def scene(
        self, table: Any, unit_id: str | None = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        """The table with the answers as overlay shapes: for one unit, or for the whole table."""
        ...

    def board(self, table: Any) -> TableScene:
        """The table alone as overlay shapes: the ground and the pieces on it."""
        ...
