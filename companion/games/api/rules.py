"""The rules and set-up interfaces of every game: the only questions the companion asks it.

A game's object `GAME` implements `GameRules`, and `TableSetup` in addition if it can set up its
table; `settings` is the same record in both. `defender` is the player (1 or 2) who defends, if the
mode has roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from models import CompanionError, Table, Unit
from models.board import Cell
from models.message import say

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene


@dataclass(frozen=True, slots=True)
class OddsField:
    """One value that a game's odds are asked with: an option of `companion odds`.

    `numbers` are whole numbers and `words` are texts, both separated by commas; a `word` is one of
    `options`. Numbers lie between `least` and `most`.
    """

    name: str
    kind: Literal["number", "numbers", "flag", "word", "words"]
    what: str = ""
    required: bool = False
    options: tuple[str, ...] = ()
    least: int = -(10**6)
    most: int = 10**6
    default: Any = None


@dataclass(frozen=True, slots=True)
class ReadingSwitch:
    """A rule that the rulebook leaves open, as a setting; the first choice is the default."""

    number: str
    name: str
    choices: tuple[str, ...]
    words: str
    labels: tuple[str, ...] = ()
    """What players call each choice; without any, the choices themselves."""

    @property
    def default(self) -> str:
        return self.choices[0]

    def label(self, value: str) -> str:
        """What players call one of its choices."""
        return dict(zip(self.choices, self.labels, strict=False)).get(value, value)


def agreed(rules: GameRules, readings: Iterable[str]) -> Iterator[str]:
    """What players agreed on (`NAME=VALUE`) in sentences, in the order of the game's readings."""
    chosen = dict(text.split("=", 1) for text in readings)
    for one in rules.switches():
        if one.name in chosen:
            yield say(
                "Agreed ({number}): {words}: {choice}",
                number=one.number,
                words=one.words,
                choice=one.label(chosen[one.name]),
            )


class OddsAnswer(Protocol):
    """The exact odds of an attack."""

    @property
    def left_known(self) -> bool:
        """Whether the defender's remaining wounds are known; otherwise `destroys` means nothing."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The odds as `companion odds` prints them; `mean` and `destroys` are always present."""
        ...


class TableReport(Protocol):
    """A game's answers for every unit of a table."""

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by unit id."""
        ...

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
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

    def zones(self) -> Sequence[str]:
        """The deployment zones that a table may give to a side."""
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

    def barred(self, table: Any, unit_id: str, settings: Any = None) -> str:
        """Why nothing may stand where the table has the piece, however it came there: the ground
        under it, the edge of the table. Empty if it may."""
        return ""

    def odds_fields(self, game: str) -> Sequence[OddsField]:
        """The values that its odds are asked with; none if it has no odds."""
        return ()

    def odds(self, game: str, asked: Mapping[str, Any]) -> OddsAnswer:
        """The exact odds of an attack, from the values of `odds_fields` that were given."""
        raise CompanionError(f"{game} has no odds")

    def odds_lines(self, asked: Mapping[str, Any], odds: Mapping[str, Any]) -> Sequence[str]:
        """The odds (an answer's `plain`) as lines for people."""
        lines = [f"{odds['mean']:.2f} wounds on average"]
        lines += [f"{count:>4} wounds  {chance:7.2%}" for count, chance in odds["wounds"].items()]
        return [*lines, *([f"destroys {odds['destroys']:.2%}"] if odds.get("destroys") else [])]

    def text(self, report: Any, name: str, unit_id: str | None = None) -> str:
        """The report of the table file of that name in words: of one piece, or of all."""
        plain = report.to_json(name)
        answers = plain.get("pieces") or plain.get("units") or {}
        shown = answers if unit_id is None else {unit_id: answers[unit_id]}
        return "\n".join([f"{name}: {plain['game']}", *report_lines(shown)])

    def cells(self, table: Any, settings: Any = None) -> Mapping[str, Mapping[Cell, float]]:
        """The cells that each piece of a board may stand on with their chances, the best first.

        A piece with more than one is asked about. Only for games on a board.
        """
        from companion.geometry.grid.placing import likely_cells

        return {piece.id: likely_cells(table.board, piece) for piece in table.pieces}

    def scene(
        self, table: Any, unit_id: str | None = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        """The table with the answers as overlay shapes: for one unit, or for the whole table.

        Not `whole`: a quick version, on a board only the range in which a piece reaches others.
        """
        ...

    def board(self, table: Any) -> TableScene:
        """The table alone as overlay shapes: the ground and the pieces on it."""
        ...


def report_lines(answers: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Nested answers as indented lines."""
    for key, value in answers.items():
        if isinstance(value, Mapping) and value:
            yield f"{indent}{key}"
            yield from report_lines(value, indent + "  ")
        elif value not in ([], {}, None, ""):
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            yield f"{indent}{key}: {shown}"


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
