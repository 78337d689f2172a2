"""Pictures that several tests look at, rendered once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.practice.camera import PracticeCamera, Truth
from companion.practice.random_table import PracticeTable, standard_scene
from companion.practice.sensor import STANDARD
from companion.vision.sources.frame import CameraFrame, Picture

BARE = replace(STANDARD, figures=False)
"""Trays without models: nothing hides a tag."""


class Shot:
    """A scene, its picture and the truth about it."""

    def __init__(self, scene: PracticeTable, picture: Picture, truth: Truth) -> None:
        self.scene, self.picture, self.truth = scene, picture, truth

    @property
    def frame(self) -> CameraFrame:
        return CameraFrame(self.picture, name="shot")

    @property
    def clear(self) -> set[int]:
        return {tag.id for tag in self.truth.tags if tag.clear}


def shoot(scene: PracticeTable) -> Shot:
    picture, truth = PracticeCamera(scene.setup, scene.view, STANDARD).frame(scene.table)
    return Shot(scene, picture, truth)


@pytest.fixture(scope="session")
def standard() -> Shot:
    """The standard table at 1080p."""
    return shoot(standard_scene(seed=5))


@pytest.fixture(scope="session")
def small_scene() -> PracticeTable:
    """Eight trays with two large tags each, at 720p: quick to render again and again."""
    return standard_scene(seed=3, trays=8, tags=2, tag_mm=32.0, size=(1280, 720), terrain=False)
