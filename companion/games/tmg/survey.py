"""The report of a table, with the battlefield and the facts it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.beyond import Beyond
from companion.games.tmg.facts import Facts, measured
from companion.games.tmg.readings import Readings
from companion.games.tmg.report import Report
from companion.games.tmg.telling import Telling
from models import Table


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A report and what stands behind it."""

    battlefield: Battlefield
    facts: Facts
    report: Report

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        """The survey of a table."""
        ground = Battlefield(table, readings or Readings())
        facts = measured(ground)
        builder = Telling(ground, facts)
        units = {unit.id: builder.unit(place) for place, unit in enumerate(ground.units)}
        return cls(ground, facts, Report(table, units, Beyond(ground, facts)))
