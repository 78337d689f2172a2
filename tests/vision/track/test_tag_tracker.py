"""A tag that moves is followed wherever the still search reads it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.detect.bits import codes_of, read_bits
from companion.vision.detect.pixels import LINEAR
from companion.vision.detect.tag_detector import find_tags
from companion.vision.sources.frame import Picture
from companion.vision.track.tag_tracker import TagTracker
from tests.vision.drawn import drawn_tag, turned_square


def moved(picture: Picture) -> Picture:
    """The next picture of a camera that moves by a few pixels."""
    way = np.array([[1.0, 0.0, 2.5], [0.0, 1.0, -1.7]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, way, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def followed(tracker: TagTracker, picture: Picture) -> bool:
    """Whether tag 5 is known again in the next picture without being searched for."""
    seen = tracker.see(moved(picture))
    return seen.fresh == {5} and seen.searched == "follow"


def test_edges_are_compared_with_edges() -> None:
    picture = drawn_tag(5, turned_square(40, 12))
    tracker = TagTracker("DICT_4X4_50", {5})
    tag = tracker.see(picture).tags[5]
    # A lens nobody knows bends the edges: the drawing then has its corners elsewhere than they.
    drawing = tag.corners_px + np.array([[1.3, 1.3], [0.0, 0.0], [1.3, 1.3], [0.0, 0.0]])
    tracker.take(picture, [replace(tag, corners_px=drawing, edges_px=tag.outline_px)])
    assert followed(tracker, picture)


def test_a_tag_half_in_the_shade_is_followed() -> None:
    lit = drawn_tag(5, turned_square(40, 12)).astype(np.float64)
    picture = np.round(lit * np.linspace(1.6, 0.1, lit.shape[1])).clip(0, 255).astype(np.uint8)
    tag = find_tags(picture, expected={5}).tags[5]
    alone = read_bits(picture, tag.corners_px[None], codes_of("DICT_4X4_50"), (LINEAR,))
    assert alone.ids[0] < 0  # or this would tell nothing
    tracker = TagTracker("DICT_4X4_50", {5})
    assert 5 in tracker.see(picture).tags
    assert followed(tracker, picture)
