"""The report of a table: whole, after one move, of larger armies, and against the slow reference.

`python -m bench.report` prints measured against promised; times are CPU times of one core.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from bench.tables import battle
from companion.games.tmg.survey import Survey
from models import Pose, Table
from models.catalogue import OWN_VARIABLE
from models.footprint import overlap_depth
from tests.reference.brute import brute
from tests.reference.compare import disagreements

SEEDS = (1, 2, 3, 4, 5)
GAMES = ("tmg-2021", "tmg-2018")
REPORT_MS, REFRESH, GROWTH, REFERENCE, IMPORT_S = 33.0, 0.25, 20.0, 100.0, 0.4


def best(work: Callable[[], object], times: int = 7) -> float:
    """Seconds of the quickest of several runs."""
    measured = []
    for _ in range(times):
        start = time.process_time()
        work()
        measured.append(time.process_time() - start)
    return min(measured)


def nudged(table: Table, place: int) -> Table:
    """The same table after one tray was moved a little."""
    unit = table.units[place]
    pose = Pose(unit.pose.x + 0.3, unit.pose.y + 0.2, unit.pose.heading + 3)
    return table.moved(unit.id, pose)


def maneuvered(table: Table, place: int, seed: int) -> Table:
    """The same table after one unit turned and went forward, where there is room for it."""
    dice, unit = random.Random(seed), table.units[place]
    others = [other for other in table.units if other is not unit]
    for _ in range(200):
        turned = Pose(unit.pose.x, unit.pose.y, unit.pose.heading + dice.uniform(-60, 60))
        ended = unit.at(turned.shifted(dice.uniform(0.5, unit.speed)))
        inside = 3 < ended.pose.x < table.width - 3 and 3 < ended.pose.y < table.depth - 3
        if inside and all(overlap_depth(ended, other) == 0 for other in others):
            return table.moved(unit.id, ended.pose)
    return nudged(table, place)


def line(what: str, measured: str, promised: str, kept: bool) -> None:
    """One row of the result."""
    print(f"{what:<46} {measured:>12}   {promised:<10} {'kept' if kept else 'MISSED'}")


def against_reference(table: Table, quick: float) -> None:
    """The slow reference on the very same questions: gaps, sight, arcs, charges, shots, moves.

    All of them, about all pairs of the table; outside 0.01 inch of a limit every answer must be
    the same. (How far a charge is that may not be made is measured only when a report is printed.)
    """
    report = Survey.of(table).report.plain("bench", whole=False)
    start = time.process_time()
    truth = brute(table, far=False)
    times = (time.process_time() - start) / quick
    wrong = disagreements(table, report, truth, far=False)
    pairs = sum(len(unit.pairs) for unit in truth.values())
    told = f"{len(wrong)} differ" if wrong else "all equal"
    line(
        f"slow reference, {pairs} pairs, {told}",
        f"{times:.0f} x",
        ">= 100 x",
        times >= REFERENCE and not wrong,
    )
    for one in wrong:
        print(f"  {one}")


def refreshed(table: Table) -> tuple[float, list[float]]:
    """Seconds of a whole report, and of refreshes after small and after whole moves of units."""
    survey, count = Survey.of(table), len(table.units)
    moves = [nudged(table, place) for place in range(0, count, 3)]
    moves += [maneuvered(table, place, place) for place in range(1, count, 3)]
    seconds: list[float] = []
    costs: list[list[float]] = [[] for _ in moves]
    for _ in range(7):  # in turns, so that both are measured under the same load
        seconds.append(best(partial(Survey.of, table), 1))
        for cost, after in zip(costs, moves, strict=True):
            cost.append(best(partial(survey.after, after), 1))
    return min(seconds), [min(cost) for cost in costs]


def as_printed(table: Table) -> object:
    """The report as `companion rules` prints it: ways of charges nobody may make are sought too."""
    return Survey.of(table).report.plain("bench")


def of_edition(game: str) -> list[float]:
    """The lines of one edition; seconds of the whole reports."""
    found = [refreshed(battle(seed=seed, game=game)) for seed in SEEDS]
    whole = [seconds for seconds, _ in found]
    middle = statistics.median(whole) * 1000
    what = f"report, 2 x 10 units, 6 pieces, {game}"
    line(what, f"{middle:.1f} ms", "<= 33 ms", middle <= REPORT_MS)
    printed = statistics.median(
        best(partial(as_printed, battle(seed=seed, game=game)), 3) for seed in SEEDS
    )
    print(f"  printed, with how far the charges are that nobody may make: {printed * 1000:.0f} ms")
    shares = [cost / seconds for seconds, costs in found for cost in costs]
    share, slow = statistics.median(shares), statistics.quantiles(shares, n=10)[-1]
    spent = statistics.median(cost for _, costs in found for cost in costs) * 1000
    what = f"refresh after one move ({spent:.1f} ms), of the whole"
    line(what, f"{share:.3f}", "<= 0.25", share <= REFRESH)
    print(f"  of {len(shares)} moves one in ten costs more than {slow:.2f}")
    return whole


def main() -> None:
    os.environ[OWN_VARIABLE] = ""
    tables = [battle(seed=seed) for seed in SEEDS]
    whole, _ = (of_edition(game) for game in GAMES)
    large = best(lambda: Survey.of(battle(per_side=40, pieces=6)), 2)
    growth = large / statistics.median(whole)
    line("2 x 40 units against 2 x 10", f"{growth:.1f} x", "<= 20 x", growth <= GROWTH)
    against_reference(tables[0], whole[0])
    probe = "import time; t = time.process_time(); import companion.games.tmg.game; "
    probe += "print(time.process_time() - t)"
    seconds = min(
        float(subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True).stdout)
        for _ in range(3)
    )
    line("importing the core", f"{seconds:.2f} s", "< 0.4 s", seconds < IMPORT_S)


if __name__ == "__main__":
    main()
