"""The card game's rules interface: readings and odds; it has no table to report on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.api.rules import GameRules, OddsField, ReadingSwitch, TableReport
from companion.games.thrones.rules.draw_odds import DRAW_FIELDS, CardOdds, card_odds, odds_lines
from companion.games.thrones.rules.readings import SWITCHES, ThronesReadings
from models.message import CompanionError

if TYPE_CHECKING:
    from companion.overlay.shapes import TableScene

GAME_NAME = "thrones"
NO_TABLE = "thrones is played with cards, without a table to measure"


class ThronesGame(GameRules):
    """The card game; `games/api/rules.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def settings(self, readings: Sequence[str] = ()) -> ThronesReadings:
        """The readings that the players have chosen."""
        return ThronesReadings.parse(readings)

    def switches(self) -> tuple[ReadingSwitch, ...]:
        return SWITCHES

    def odds_fields(self, game: str) -> tuple[OddsField, ...]:
        return DRAW_FIELDS

    def odds(self, game: str, asked: Mapping[str, Any]) -> CardOdds:
        """The odds of drawing or losing a card."""
        return card_odds(asked)

    def odds_lines(self, asked: Mapping[str, Any], odds: Mapping[str, Any]) -> list[str]:
        return odds_lines(odds)

    def report(self, table: Any, settings: Any = None) -> TableReport:
        raise CompanionError(NO_TABLE)

    def scene(
        self, table: Any, unit_id: str | None = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        raise CompanionError(NO_TABLE)

    def board(self, table: Any) -> TableScene:
        raise CompanionError(NO_TABLE)


GAME = ThronesGame()
