"""The report of a table, and a quick one after a tray moved: only what it touches is redone."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.beyond import Beyond
from companion.games.tmg.facts import Facts, Stale, measured
from companion.games.tmg.readings import Readings
from companion.games.tmg.report import Report
from companion.games.tmg.staleness import stale_facts
from companion.games.tmg.telling import Retelling, Telling
from models import Table

MOST_MOVED = 0.3
"""Where a greater part of the trays moved, little can be kept and looking for it does not pay."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A report and the facts behind it, kept for the next table."""

    battlefield: Battlefield
    facts: Facts
    report: Report

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        """A survey from nothing."""
        ground = Battlefield(table, readings or Readings())
        facts = measured(ground, Stale.all_of(ground.enemies), Facts())
        told = Telling(ground, facts)
        units = {unit.id: told.unit(place) for place, unit in enumerate(ground.units)}
        return cls(ground, facts, Report(table, units, Beyond(ground, facts)))

    def after(self, table: Table) -> Survey:
        """The survey of a later table; facts that no moved tray can have changed are kept."""
        old = self.battlefield
        moved = moved_places(old.table, table)
        if moved is None or len(moved) > max(1, MOST_MOVED * len(table.units)):
            return Survey.of(table, old.readings)
        if not moved:  # other tokens or another mode change no answer, but the table is theirs
            return self if table == old.table else Survey.of(table, old.readings)
        ground = old.after(table, moved)
        stale = stale_facts(old, ground, self.facts, moved)
        facts = measured(ground, stale, self.facts)
        told = Retelling.of(Telling(ground, facts), old, moved, stale)
        before = self.report.units
        units = {
            unit.id: told.unit(place, before[unit.id]) for place, unit in enumerate(ground.units)
        }
        return Survey(ground, facts, Report(table, units, Beyond(ground, facts)))


def moved_places(before: Table, after: Table) -> list[int] | None:
    """Which units stand elsewhere, or None where more than poses changed."""
    if (
        before.game != after.game
        or (before.width, before.depth) != (after.width, after.depth)
        or len(before.units) != len(after.units)
        or before.terrain != after.terrain
    ):
        return None
    moved = []
    for place, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        if old is new:
            continue
        if old.at(new.pose) != new:
            return None
        if old.pose != new.pose:
            moved.append(place)
    return moved
