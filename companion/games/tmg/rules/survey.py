"""The report of a table, with the battlefield and the facts it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.illegal_charges import IllegalCharges
from companion.games.tmg.rules.pair_facts import PairFacts, measured
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.report_builder import ReportBuilder
from models import Table


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A report and what stands behind it."""

    battlefield: Battlefield
    facts: PairFacts
    report: MiniaturesReport

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        """The survey of a table."""
        ground = Battlefield(table, readings or Readings())
        facts = measured(ground)
        builder = ReportBuilder(ground, facts)
        units = {unit.id: builder.unit(place) for place, unit in enumerate(ground.units)}
        return cls(ground, facts, MiniaturesReport(table, units, IllegalCharges(ground, facts)))
