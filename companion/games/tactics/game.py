"""Tactics' implementation of the rules interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.api.rules import GameRules, OddsField, ReadingSwitch
from companion.games.shared.board_report import piece_cells
from companion.games.tactics.rules.attack_odds import (
    ODDS_FIELDS,
    PricedOdds,
    figure_odds,
    odds_query,
)
from companion.games.tactics.rules.battlefield import DEFAULT_READINGS, square_field
from companion.games.tactics.rules.contact import attack_answer
from companion.games.tactics.rules.move_check import check_move
from companion.games.tactics.rules.places import barred_ground
from companion.games.tactics.rules.position import placements
from companion.games.tactics.rules.readings import SWITCHES, TacticsReadings, reason
from companion.games.tactics.rules.report import TacticsReport
from models.board import Cell
from models.board_table import BoardTable

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene

GAME_NAME = "tactics"


class TacticsGame(GameRules):
    """The skirmish game on squares; `games/api/rules.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def settings(self, readings: Sequence[str] = ()) -> TacticsReadings:
        """The readings that the players have chosen."""
        return TacticsReadings.parse(readings)

    def switches(self) -> tuple[ReadingSwitch, ...]:
        return SWITCHES

    def modes(self, game: str) -> tuple[tuple[str, str], ...]:
        from companion.games.tactics.cards.scenario import every_scenario

        return tuple((one.id, one.name) for one in every_scenario().values())

    def report(self, table: BoardTable, settings: TacticsReadings | None = None) -> TacticsReport:
        """Every answer for every figure of the table."""
        return TacticsReport.of(table, settings or DEFAULT_READINGS)

    def cells(
        self, table: BoardTable, settings: TacticsReadings | None = None
    ) -> Mapping[str, Mapping[Cell, float]]:
        """The spaces each figure may stand on: OPEN ones that no other figure occupies."""
        placed = placements(table, square_field(table.board, settings or DEFAULT_READINGS))
        return piece_cells(table, placed)

    def check(
        self,
        before: BoardTable,
        after: BoardTable,
        unit_id: str,
        settings: TacticsReadings | None = None,
    ) -> Mapping[str, Any]:
        return check_move(before, after, unit_id, settings or TacticsReadings())

    def reason(self, rule: str) -> str:
        return reason(rule)

    def odds_fields(self, game: str) -> tuple[OddsField, ...]:
        return ODDS_FIELDS

    def odds(self, game: str, asked: Mapping[str, Any]) -> PricedOdds:
        """The exact odds of an attack, from this game's own numbers."""
        return odds_query(asked)

    def odds_lines(self, asked: Mapping[str, Any], odds: Mapping[str, Any]) -> list[str]:
        lines = list(super().odds_lines(asked, odds))
        for one in odds.get("coins", ())[1:]:
            told = f"{one['mean']:.2f} wounds, {one['wounds_per_coin']:+.3f} per coin"
            lines.append(f"{', '.join(one['effects'])}: {told}")
        return lines

    def attack_odds(
        self, report: TacticsReport, action: str, unit_id: str, target_id: str
    ) -> PricedOdds | None:
        """The odds of the attack that follows a charge, or of a shot or melee attack."""
        position = report.best
        figure, target = position.by_id[unit_id], position.by_id[target_id]
        charge = action == "charges"
        usual = figure.ranged or figure.melee
        answer = attack_answer(position, figure, target)
        attack = figure.charge_attack if charge else answer.attack or usual
        if attack is None:
            return None
        ends = report.answers[0][unit_id].charges[target_id].ends if charge else {}
        places = [figure.at(cell) for cell in ends] or [figure]  # from where it ends (TAC-TER-13)
        found = [figure_odds(position, one, target, attack, charge) for one in places]
        return max(found, key=lambda one: one.odds.mean)

    def barred(
        self, table: BoardTable, unit_id: str, settings: TacticsReadings | None = None
    ) -> str:
        """Water and obstacles: all spaces of a figure are OPEN (TAC-MOV-2, TAC-MOV-19)."""
        piece = table.piece(unit_id)
        if piece.cell is None:
            return ""
        (x, y), reach = piece.cell, range(piece.size)
        cells = ((x + across, y + up) for across in reach for up in reach)
        return barred_ground(table.board, cells)

    def text(self, report: TacticsReport, name: str, unit_id: str | None = None) -> str:
        from companion.games.tactics.report_views import report_text

        def odds(action: str, unit: str, target: str) -> PricedOdds | None:
            return self.attack_odds(report, action, unit, target)

        return report_text(report, name, odds, unit_id)

    def scene(
        self,
        table: BoardTable,
        unit_id: str | None = None,
        settings: TacticsReadings | None = None,
        whole: bool = True,
    ) -> TableScene:
        """The board with the answers for one figure, or with who is engaged."""
        from companion.games.tactics.report_views import answer_scene

        return answer_scene(self.report(table, settings), unit_id)

    def board(self, table: BoardTable) -> TableScene:
        from companion.overlay.board_shapes import board_scene

        return board_scene(table)


GAME = TacticsGame()
