"""The miniatures game's face: what the rest of the companion may ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.face import Action, OddsQuestion
from companion.games.tmg.edition import EDITIONS, edition_of
from companion.games.tmg.odds import Odds, odds_for, odds_from
from companion.games.tmg.readings import Readings
from companion.games.tmg.report import Report
from companion.games.tmg.survey import Survey
from companion.overlay.shape import Scene
from models import Table


class Game:
    """Both editions behind one face."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games it serves, as table files name them."""
        return tuple(EDITIONS)

    def settings(self, readings: Sequence[str] = ()) -> Readings:
        """The readings the players have chosen."""
        return Readings.parse(readings)

    def report(self, table: Table, settings: Readings | None = None) -> Report:
        """Every answer for every unit of the table."""
        return Survey.of(table, settings).report

    def check(
        self, before: Table, after: Table, unit_id: str, settings: Readings | None = None
    ) -> Mapping[str, Any]:
        """Which actions explain the unit's move."""
        from companion.games.tmg.checking import check

        return {
            name: found.plain() for name, found in check(before, after, unit_id, settings).items()
        }

    def odds(self, game: str, question: OddsQuestion) -> Odds:
        """The exact odds of an attack."""
        return odds_from(question, edition_of(game).year)


GAME = Game()
