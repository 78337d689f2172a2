"""Set-up mistakes at the level of corners, many tables: `python -m bench.mistakes [TABLES [SEED]]`.

How many trays are placed, how large the errors are, and how many sigmas the worst of them is.
"""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from models.catalogue import OWN_VARIABLE
from tests.arguments import arguments
from tests.calibration.mistakes import ALL, NONE, Evening, Mistakes, evening

TABLES = 200
SORTS: dict[str, Mistakes] = {
    "nominal, 0.06 px": replace(NONE, noise_px=(0.05, 0.07)),
    "nominal": NONE,
    "printed at 94 to 103 %": replace(NONE, print_scale=ALL.print_scale),
    "references laid by hand": replace(NONE, turned_deg=1.0, shifted_in=0.06),
    "tags up to 1 mm high": replace(NONE, high_mm=1.0),
    "glued 1 mm and 1 degree off": replace(NONE, glued_mm=1.0, glued_deg=1.0),
    "all of these": ALL,
    "all, 0.06 px": replace(ALL, noise_px=(0.05, 0.07)),
    "all, up to 3 references hidden": replace(ALL, hidden=3),
    "all, no lens": replace(ALL, lens="none"),
    "hand-laid, 3 hidden, no lens": replace(
        NONE, turned_deg=1.0, shifted_in=0.06, hidden=3, lens="none"
    ),
}


def row(name: str, evenings: list[Evening]) -> str:
    """One line of the result."""
    answers = [one for table in evenings for one in table.answers]
    placed = len(answers) / max(1, sum(table.trays for table in evenings))
    if not answers:
        return f"{name:<32}{placed:8.1%}"
    off = np.array([one.off for one in answers])
    axes = np.abs([one.axes for one in answers])
    worst = np.array([one.sigmas for one in answers])
    place = np.percentile(np.hypot(off[:, 0], off[:, 1]), 95)
    turn = np.percentile(np.abs(off[:, 2]), 95)
    within = " ".join(f"{(axes <= k).mean():6.1%}" for k in (1, 2, 3))
    sigma = np.median([one.sigma_in for one in answers])
    return (
        f"{name:<32}{placed:8.1%}{place:9.4f}{turn:8.2f}{sigma:9.4f}   {within}"
        f"{int((worst > 4).sum()):6d}{worst.max():8.2f}"
    )


def main() -> None:
    os.environ[OWN_VARIABLE] = ""
    tables, first = arguments(tables=TABLES, first=0)
    print(
        f"{'':<32}{'placed':>8}{'p95 in':>9}{'p95 deg':>8}{'sigma in':>9}"
        f"   {'within 1, 2, 3 sigma':<20}{'> 4':>6}{'worst':>8}"
    )
    for name, mistakes in SORTS.items():
        print(
            row(name, [evening(seed, mistakes) for seed in range(first, first + tables)]),
            flush=True,
        )


if __name__ == "__main__":
    main()
