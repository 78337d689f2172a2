"""The report of a table, of larger armies, and against the slow reference.

`python -m bench.report` prints measured against promised; times are CPU times of one core.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bench.tables import battle
from companion.games.tmg.rules.survey import Survey
from models import Sigma, Table
from models.catalogue import OWN_VARIABLE
from tests.arguments import arguments
from tests.reference.brute import brute
from tests.reference.compare import disagreements

SEEDS = (1, 2, 3, 4, 5)
GAMES = ("tmg-2021", "tmg-2018")
REPORT_MS, GROWTH, REFERENCE, IMPORT_S = 60.0, 20.0, 100.0, 0.4


def best(work: Callable[[], object], times: int = 7) -> float:
    """Seconds of the quickest of several runs."""
    measured = []
    for _ in range(times):
        start = time.process_time()
        work()
        measured.append(time.process_time() - start)
    return min(measured)


def line(what: str, measured: str, promised: str, kept: bool) -> None:
    """One row of the result."""
    print(f"{what:<46} {measured:>12}   {promised:<10} {'kept' if kept else 'MISSED'}")


def against_reference(table: Table, quick: float) -> None:
    """The slow reference on the very same questions: gaps, sight, arcs, charges, shots, moves.

    All of them, about all pairs of the table; outside 0.01 inch of a limit every answer must be
    the same. (How far a charge is that may not be made is measured only when a report is printed.)
    """
    report = Survey.of(table).report.to_json("bench", whole=False)
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


def measured(table: Table) -> object:
    """The report of the same table with every pose as uncertain as a camera's."""
    units = (unit.at(replace(unit.pose, sigma=Sigma(0.02, 0.3))) for unit in table.units)
    return Survey.of(replace(table, units=tuple(units)))


def as_printed(table: Table) -> object:
    """The report as `companion rules` prints it: ways of charges nobody may make are sought too."""
    return Survey.of(table).report.to_json("bench")


def of_edition(game: str) -> list[float]:
    """The lines of one edition; seconds of the whole reports."""
    whole = [best(partial(Survey.of, battle(seed=seed, game=game))) for seed in SEEDS]
    middle = statistics.median(whole) * 1000
    what = f"report, 2 x 10 units, 6 pieces, {game}"
    line(what, f"{middle:.1f} ms", f"<= {REPORT_MS:.0f} ms", middle <= REPORT_MS)
    for name, table in (("as a camera measures them", measured), ("printed", as_printed)):
        seconds = statistics.median(
            best(partial(table, battle(seed=seed, game=game)), 3) for seed in SEEDS
        )
        print(f"  {name}: {seconds * 1000:.0f} ms")
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
    arguments()
    main()
