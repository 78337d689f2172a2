"""First evenings: set-ups with ordinary mistakes are measured, and no error is beyond its sigma."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.calibration.mistakes import ALL, NONE, Mistakes, evening
from tests.trials import trials

TABLES = trials(8, 40)


@pytest.mark.parametrize(
    "mistakes",
    [
        replace(NONE, print_scale=(0.94, 1.03)),
        replace(NONE, turned_deg=1.0, shifted_in=0.06),
        replace(NONE, glued_mm=1.0, glued_deg=1.0, high_mm=1.0),
        ALL,
        replace(ALL, noise_px=(0.05, 0.07), hidden=3),
        replace(ALL, lens="none"),
    ],
    ids=["printed", "laid", "mounted", "all", "all, references hidden", "all, no lens"],
)
def test_no_error_is_beyond_four_sigmas(mistakes: Mistakes) -> None:
    tables = [evening(seed, mistakes) for seed in range(TABLES)]
    answers = [one for table in tables for one in table.answers]
    assert len(answers) >= 0.95 * sum(table.trays for table in tables)
    assert max(one.sigmas for one in answers) < 4.0
    assert (np.abs([one.axes for one in answers]) < 3).mean() > 0.985


def test_a_good_set_up_is_measured_to_a_hundredth_of_an_inch() -> None:
    careful = replace(NONE, noise_px=(0.04, 0.06), mounts=("corner-pair", "side-pair"))
    answers = [one for seed in range(TABLES) for one in evening(seed, careful).answers]
    off = np.array([one.off for one in answers])
    assert np.percentile(np.hypot(off[:, 0], off[:, 1]), 95) < 0.01
    assert np.percentile(np.abs(off[:, 2]), 95) < 0.35
    assert not any(evening(seed, careful).problems for seed in range(4))


def test_the_generator_makes_mistakes() -> None:
    """What nothing is wrong with is far better than the sigmas that hands deserve."""
    good = [one.sigmas for seed in range(6) for one in evening(seed, NONE).answers]
    bad = [one.sigmas for seed in range(6) for one in evening(seed, ALL).answers]
    assert np.median(bad) > 1.5 * np.median(good)
