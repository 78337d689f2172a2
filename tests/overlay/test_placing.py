from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.overlay.label_placement import (
    CELL_PX,
    LabelRequest,
    LabelSpace,
    place,
)
from companion.overlay.view_frame import BoundingBox

BOUNDS = BoundingBox(10, 20, 810, 820)


def test_an_undisturbed_label_takes_its_first_spot() -> None:
    placed = place(LabelSpace(BOUNDS), [LabelRequest(80, 20, ((300, 300), (400, 400)))])
    assert placed[0].box.centre == (300, 300)
    assert placed[0].spot == (300, 300)


def test_the_second_of_two_goes_elsewhere() -> None:
    wish = LabelRequest(80, 20, ((300, 300), (400, 300)))
    first, second = place(LabelSpace(BOUNDS), [wish, wish])
    assert first.box.centre == (300, 300)
    assert not first.box.overlaps(second.box)


def test_a_label_that_stays_takes_one_of_its_spots() -> None:
    spots = ((300.0, 300.0), (310.0, 300.0), (320.0, 340.0))
    placed = place(LabelSpace(BOUNDS), [LabelRequest(80, 20, spots, stays=True)] * 2)
    assert [label.box.centre for label in placed] == [spots[0], spots[2]]


def test_even_that_one_leaves_where_all_its_spots_are_taken() -> None:
    wish = LabelRequest(80, 20, ((300.0, 300.0),), stays=True)
    first, second = place(LabelSpace(BOUNDS), [wish, wish])
    assert not first.box.overlaps(second.box)
    assert second.box.distance((300, 300)) < 40


def test_dear_ground_is_left_free() -> None:
    room = LabelSpace(BOUNDS)
    weights = np.zeros_like(room.weights)
    weights[: weights.shape[0] // 2] = 6.0
    room.add(weights)
    edge = BOUNDS.top + CELL_PX * (weights.shape[0] // 2)
    placed = place(room, [LabelRequest(60, 20, ((400, edge - 8),))])
    assert placed[0].box.top >= edge - CELL_PX


def test_a_label_at_the_edge_is_pushed_back() -> None:
    placed = place(LabelSpace(BOUNDS), [LabelRequest(80, 20, ((12, 20),))])
    assert (placed[0].box.left, placed[0].box.top) == (10, 20)


coordinate = st.floats(0, 830)
wishes = st.lists(
    st.builds(
        lambda width, height, spots: LabelRequest(width, height, tuple(spots)),
        st.floats(20, 140),
        st.floats(12, 40),
        st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=4),
    ),
    max_size=14,
)


@settings(max_examples=40)
@given(wishes)
def test_labels_stay_inside_and_apart(wanted: list[LabelRequest]) -> None:
    boxes = [label.box for label in place(LabelSpace(BOUNDS), wanted)]
    for box in boxes:
        assert box.left >= BOUNDS.left - 1e-9
        assert box.top >= BOUNDS.top - 1e-9
        assert box.right <= BOUNDS.right + 1e-9
        assert box.bottom <= BOUNDS.bottom + 1e-9
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
