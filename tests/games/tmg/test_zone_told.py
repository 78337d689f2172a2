"""The arc a unit stands in, as the report tells it: sure, or with the arcs it may be."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find
from models import EXACT, Pose, Sigma, Table, Tray, Unit

SQUARE = Tray("", 3.0, 3.0, 45.0)
BROAD = Tray("", 4.0, 3.0, 45.0)


def zone(x: float, y: float, sigma: Sigma = EXACT) -> dict[str, Any]:
    """Where r1 stands as b1 sees it; b1 looks up the table."""
    units = (
        Unit("b1", "blue", "b1", BROAD, Pose(24.0, 20.0, 90.0)),
        Unit("r1", "red", "r1", SQUARE, Pose(24.0 + x, 20.0 + y, 90.0, sigma)),
    )
    report = find("tmg-2021").report(Table("tmg-2021", units=units)).to_json("")
    told: dict[str, Any] = report["units"]["r1"]["zone"]["b1"]
    return told


@pytest.mark.rule("TMG-LOS-8", "EX-G5")
def test_an_exact_half_names_both_arcs() -> None:
    told = zone(6, 5.5)
    assert told["answer"] == "unsure"
    assert told["choices"] == ["front", "right"]


@pytest.mark.rule("TMG-LOS-8")
@pytest.mark.parametrize(
    ("x", "y", "arc"), [(0, 8, "front"), (8, 0, "right"), (-8, 0, "left"), (0, -8, "rear")]
)
def test_a_sure_arc_has_no_choices(x: float, y: float, arc: str) -> None:
    told = zone(x, y)
    assert told["answer"] == arc
    assert "choices" not in told
    assert told["shares"] == {one: float(one == arc) for one in ("front", "rear", "left", "right")}


@pytest.mark.rule("TMG-LOS-8")
def test_a_measured_tray_near_the_line_is_unsure() -> None:
    assert zone(6, 5.3)["answer"] == "right"
    told = zone(6, 5.3, Sigma(0.3, 1.0))
    assert told["answer"] == "unsure"
    assert {"front", "right"} <= set(told["choices"])
