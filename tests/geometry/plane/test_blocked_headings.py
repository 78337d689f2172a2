"""What stands before a target, or under the turn, shuts every way to it."""

from __future__ import annotations

import pytest

from companion.geometry.plane.motion.blocked_headings import shut
from companion.geometry.plane.sight.scalar_shapes import OrientedRect

MOVER = OrientedRect(0.0, 0.0, 1.0, 0.0, 1.5, 2.8)
TARGET = OrientedRect(12.0, 0.0, -1.0, 0.0, 1.0, 1.5)


def stone(x: float, y: float) -> OrientedRect:
    return OrientedRect(x, y, 1.0, 0.0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("stones", "closed"),
    [
        ([stone(2.0, 0.0)], True),  # nearer than the front is wide: every pivot ahead meets it
        ([stone(0.0, 2.0)], True),  # beside the tray: it turns onto it
        ([stone(-1.0, 0.0)], True),  # under it
        ([stone(-2.5, 0.0)], False),  # behind it: only who turns far meets it
        ([stone(0.0, 6.0)], False),  # farther aside than it turns
        ([stone(6.0, 3.0)], False),  # it passes on the right
        ([stone(6.0, 3.0), stone(6.0, -3.0)], True),
        ([stone(14.0, 0.0)], False),  # behind the target
    ],
)
@pytest.mark.rule("TMG-CHG-13")
def test_a_way_is_shut(stones: list[OrientedRect], closed: bool) -> None:
    assert shut(MOVER, TARGET, [one.corners() for one in stones]) == closed


@pytest.mark.parametrize("heading", [0.0, 1.0, 2.5, 3.1, 4.0, 6.0])
def test_it_is_the_same_whichever_way_the_table_lies(heading: float) -> None:
    mover = OrientedRect(0.0, 0.0, 0.0, 1.0, 1.5, 2.8)
    frame = OrientedRect(0.0, 0.0, 1.0, 0.0, 0.0, 0.0).turned(heading)

    def laid(x: float, y: float) -> tuple[float, float]:
        return x * frame.cos - y * frame.sin, x * frame.sin + y * frame.cos

    target = OrientedRect(*laid(12.0, 0.0), frame.cos, frame.sin, 1.0, 1.5)
    beside, behind = stone(0.0, 2.0), stone(-2.5, 0.0)
    assert shut(mover, target, [[laid(*spot) for spot in beside.corners()]])
    assert not shut(mover, target, [[laid(*spot) for spot in behind.corners()]])
