"""Tags that were followed and are then partly covered: how many are recovered, and how truly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_scene
from companion.practice.sensor import STANDARD
from companion.vision.sources.frame import Picture
from companion.vision.track.tag_tracker import TagTracker
from models.pose import Pose

Floats = NDArray[np.floating]

COVERS = ((120, 150, 205), (40, 45, 50), (200, 205, 210), (60, 110, 70))
"""Skin, a dark base, a white banner, grass (blue, green, red)."""
MOST_COVERED = 0.30
WRONG_PX, WRONG_SIGMAS = 1.0, 4.0


@dataclass
class HiddenTally:
    """How many tags were covered and recovered; errors in pixels and in sigmas."""

    covered: int = 0
    recovered: int = 0
    wrong: int = 0
    error_px: list[float] = field(default_factory=list)
    sigmas: list[float] = field(default_factory=list)


def hidden(tally: HiddenTally, seed: int) -> None:
    """One table: seen twice in full, then with every tag covered; every second one has moved."""
    dice = np.random.default_rng([seed, 81])
    scene = standard_scene(seed, trays=12, tag_mm=30.0)
    camera = PracticeCamera(scene.setup, scene.view, replace(STANDARD, figures=False, seed=seed))
    tracker = TagTracker(scene.setup.dictionary, scene.setup.ids(), scene.setup.lens)
    for number in range(2):
        before = tracker.see(camera.frame(scene.table, number=number)[0])
    table = scene.table
    for unit in table.units if seed % 2 else ():
        dx, dy, turn = dice.normal(0, (0.04, 0.04, 0.8))
        moved = Pose(unit.pose.x + dx, unit.pose.y + dy, unit.pose.heading + turn)
        table = table.moved(unit.id, moved)
    picture, truth = camera.frame(table, number=2)
    true = {
        tag.id: np.asarray(tag.corners_px)
        for tag in truth.tags
        if tag.clear and tag.unit is not None and tag.id in before.tags
    }
    for corners in true.values():
        picture = with_disc(picture, corners, float(dice.uniform(0.05, MOST_COVERED)), dice)
    after = tracker.see(picture)
    for tag_id, corners in true.items():
        tally.covered += 1
        tag = after.tags.get(tag_id)
        if tag is None:
            continue
        tally.recovered += 1
        off = (tag.corners_px - corners).reshape(8)
        error = float(np.abs(off).max())
        sigmas = float(np.abs(off / np.sqrt(np.diag(tag.covariance_px))).max())
        tally.error_px.append(error)
        tally.sigmas.append(sigmas)
        tally.wrong += error > WRONG_PX or sigmas > WRONG_SIGMAS


def with_disc(
    picture: Picture, corners: Floats, share: float, dice: np.random.Generator
) -> Picture:
    """A disc pushed over a tag from some side until it covers such a share."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), 1)
    across = float(np.ptp(corners, axis=0).max())
    radius = across * float(dice.uniform(0.35, 1.2))
    way = float(dice.uniform(0, 2 * np.pi))
    colour = np.array(COVERS[int(dice.integers(len(COVERS)))])
    disc = np.zeros_like(inside)
    for away in np.linspace(radius + across, 0, 60):
        middle = corners.mean(axis=0) + away * np.array([np.cos(way), np.sin(way)])
        disc = np.zeros_like(inside)
        spot = [round(16 * float(value)) for value in middle]
        cv2.circle(disc, spot, round(16 * radius), 1, -1, cv2.LINE_8, 4)
        if int((disc & inside).sum()) >= share * int(inside.sum()):
            break
    soft = cv2.GaussianBlur(disc.astype(np.float32), (0, 0), 0.8)[..., None]
    return np.asarray(np.rint(picture * (1 - soft) + colour * soft), dtype=np.uint8)
