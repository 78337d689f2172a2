"""What is certain on a measured table holds wherever the trays really stand within their errors."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Table, Unit
from tests.reference.tables import random_table

ERROR = Sigma(0.06, 0.4)
WORLDS = 4
"""So many tables as they may be, each tray up to two sigmas off."""
SEEDS = range(1, 40, 3)


def world(table: Table, dice: random.Random) -> Table:
    """The table as it may really be."""

    def really(unit: Unit) -> Unit:
        way, far = dice.uniform(0, 2 * math.pi), dice.uniform(0, 2) * ERROR.xy_in
        turn = dice.uniform(-2, 2) * ERROR.heading_deg
        pose = unit.pose
        x, y = pose.x + far * math.cos(way), pose.y + far * math.sin(way)
        return unit.at(Pose(x, y, pose.heading + turn))

    return replace(table, units=tuple(map(really, table.units)))


def verdicts(report: MiniaturesReport) -> Iterator[tuple[tuple[str, str, str], str]]:
    """Every answer about two units, by its name."""
    for name, unit in report.units.items():
        for other, sight in unit.sees.items():
            yield (name, "sees", other), sight.verdict
        for other, charge in unit.charges.items():
            yield (name, "charge", other), charge.answer.verdict
        for other, shot in unit.shots.items():
            yield (name, "shot", other), shot.answer.verdict
        for other, zone in unit.zone.items():
            yield (name, "stands in", other), zone.arc


@pytest.mark.rule("TMG-LOS-1", "TMG-LOS-8", "TMG-CHG-3", "TMG-CHG-4", "TMG-RNG-5", "TMG-RNG-10")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_certain_is_so_wherever_trays_stand(seed: int) -> None:
    table, dice = random_table(seed), random.Random(seed)
    seen = replace(
        table, units=tuple(one.at(replace(one.pose, sigma=ERROR)) for one in table.units)
    )
    report = Survey.of(seen).report
    fighting = {name for name, unit in report.units.items() if unit.engaged}
    known = {
        name: verdict
        for name, verdict in verdicts(report)
        if verdict != "unsure" and fighting.isdisjoint(name)  # who touches stays in contact
    }
    for _ in range(WORLDS):
        truth = dict(verdicts(Survey.of(world(table, dice)).report))
        assert {name: truth[name] for name in known} == known
