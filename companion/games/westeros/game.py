"""Battles of Westeros' implementation of the rules interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.api.rules import GameRules, OddsField, ReadingSwitch
from companion.games.westeros.combat.attack_odds import HexOdds
from companion.games.westeros.combat.odds_query import ODDS_FIELDS, odds_query
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.move_check import check_move
from companion.games.westeros.rules.readings import SWITCHES, WesterosReadings, reason
from companion.games.westeros.rules.report import WesterosReport
from models.board_table import BoardTable

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene

GAME_NAME = "westeros"


class WesterosGame(GameRules):
    """The battle game on hexes; `games/api/rules.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def settings(self, readings: Sequence[str] = ()) -> WesterosReadings:
        """The readings that the players have chosen."""
        return WesterosReadings.parse(readings)

    def switches(self) -> tuple[ReadingSwitch, ...]:
        return SWITCHES

    def report(self, table: BoardTable, settings: WesterosReadings | None = None) -> WesterosReport:
        """Every answer for every unit of the table."""
        return WesterosReport.of(table, settings or WesterosReadings())

    def check(
        self,
        before: BoardTable,
        after: BoardTable,
        unit_id: str,
        settings: WesterosReadings | None = None,
    ) -> Mapping[str, Any]:
        return check_move(before, after, unit_id, settings or WesterosReadings())

    def reason(self, rule: str) -> str:
        return reason(rule)

    def barred(
        self, table: BoardTable, unit_id: str, settings: WesterosReadings | None = None
    ) -> str:
        """Impassable terrain (BOW-MOV-6)."""
        field = HexField.of(table.board, settings or WesterosReadings())
        cell = table.piece(unit_id).cell
        stops = cell is not None and cell in field.cells and field.at(cell).impassable
        return reason("BOW-MOV-6") if stops else ""

    def odds_fields(self, game: str) -> tuple[OddsField, ...]:
        return ODDS_FIELDS

    def odds(self, game: str, asked: Mapping[str, Any]) -> HexOdds:
        """The exact odds of an attack, from this game's own numbers."""
        return odds_query(asked)

    def odds_lines(self, asked: Mapping[str, Any], odds: Mapping[str, Any]) -> list[str]:
        lines = list(super().odds_lines(asked, odds))
        for steps, chance in odds["retreat"].items():
            lines.append(f"{steps:>4} hexes of retreat  {chance:7.2%}")
        if odds.get("captures"):
            lines.append(f"captures {odds['captures']:.2%}")
        return lines

    def text(self, report: WesterosReport, name: str, unit_id: str | None = None) -> str:
        from companion.games.westeros.report_views import report_text

        return report_text(report, name, unit_id)

    def scene(
        self,
        table: BoardTable,
        unit_id: str | None = None,
        settings: WesterosReadings | None = None,
        whole: bool = True,
    ) -> TableScene:
        """The board with the answers for one unit, or with every command range; not `whole`: with
        the command range of this one alone."""
        from companion.games.westeros.report_views import answer_scene

        return answer_scene(self.report(table, settings), unit_id, whole)

    def board(self, table: BoardTable) -> TableScene:
        from companion.games.westeros.report_views import plain_scene

        return plain_scene(table)


GAME = WesterosGame()
