"""A lens against cv2's, and what the file may say about one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera.lens import Lens, WrongPictureSize
from models.field import Field
from models.message import BadInput

BENT = Lens.ideal((1920, 1080), 72.0, (-0.12, 0.05, 0.001, -0.0007, -0.01))


def test_pixels_are_those_of_cv2() -> None:
    rays = np.random.default_rng(1).uniform(-0.7, 0.7, (50, 2))
    points = np.column_stack([rays, np.ones(50)])
    pixels, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), BENT.k, BENT.d)
    assert np.abs(BENT.pixels(rays) - pixels[:, 0]).max() < 1e-9


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    x=st.floats(0, 1919),
    y=st.floats(0, 1079),
    k1=st.floats(-0.15, 0.2),
    p1=st.floats(-0.003, 0.003),
)
def test_there_and_back(x: float, y: float, k1: float, p1: float) -> None:
    lens = Lens.ideal((1920, 1080), 70.0, (k1, 0.02, p1, -p1, 0.0))
    again = lens.pixels(lens.rays(np.array([[x, y]])))[0]
    assert np.abs(again - (x, y)).max() < 1e-6


def test_a_picture_of_another_size_is_refused() -> None:
    BENT.require((1920, 1080))
    with pytest.raises(WrongPictureSize, match=r"a.jpg: is 1280 x 720.*1920 x 1080"):
        BENT.require((1280, 720), "a.jpg")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"matrix": [0, 0, 960, 0, 1500, 540, 0, 0, 1]}, "focal length"),
        ({"matrix": [1500, 3, 960, 0, 1500, 540, 0, 0, 1]}, r"is not \[fx"),
        ({"matrix": [1500, 0, 960]}, "has 3 entries"),
        ({"distortion": [0.1]}, "has 1 entries"),
        ({"distortion": [-2.0, 0.0, 0.0, 0.0, 0.0]}, "folds the picture"),
        ({"size": [1920, 0]}, "outside"),
        ({"size": [1920, "x"]}, "is not a number"),
        ({"zoom": 2}, "unknown key 'zoom'"),
        ({"sigma": [1.0]}, "has 1 entries"),
    ],
)
def test_a_broken_lens_names_its_place(change: dict[str, object], problem: str) -> None:
    plain = Lens.ideal((1920, 1080), 70.0).to_json() | change
    with pytest.raises(BadInput, match=problem) as error:
        Lens.read(Field(plain, "a.setup.toml", "camera"))
    assert str(error.value).startswith("a.setup.toml: camera")
