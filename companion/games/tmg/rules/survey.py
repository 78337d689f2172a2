"""The report of a table, together with the battlefield and the measurements behind it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.illegal_charges import IllegalCharges
from companion.games.tmg.rules.pair_facts import PairFacts, measured
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.report_builder import ReportBuilder
from models import Table

KEPT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A report and the data it was built from."""

    battlefield: Battlefield
    facts: PairFacts
    report: MiniaturesReport

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        ground = Battlefield(table, readings or Readings())
        facts = measured(ground)
        builder = ReportBuilder(ground, facts)
        units = {unit.id: builder.unit(place) for place, unit in enumerate(ground.units)}
        return cls(ground, facts, MiniaturesReport(table, units, IllegalCharges(ground, facts)))


class SurveyCache:
    """The newest surveys: report, move check and the game in play ask about the same tables."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Readings, Survey], ...] = ()

    def __call__(self, table: Table, readings: Readings | None = None) -> Survey:
        """The survey of a table, worked out once while it is cached; any thread may call."""
        chosen = readings or Readings()
        for kept, survey in self._kept:
            if kept == chosen and (survey.report.table is table or survey.report.table == table):
                return survey
        survey = Survey.of(table, chosen)
        self._kept = ((chosen, survey), *self._kept)[:KEPT]
        return survey


surveyed = SurveyCache()
