"""Three ways to a raised tag, with lenses known less and less: `python -m bench.heights`.

Corners carry 0.05 px of noise and nothing else is wrong but the lens.
"""

from __future__ import annotations

import os

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.references.table_pose import TablePose, table_pose
from calibration.setup import Setup
from calibration.tags.tag import Sighting, placed_corners, reference_corners
from companion.practice.random_table import PracticeTable, standard_scene
from models.catalogue import OWN_VARIABLE
from tests.arguments import arguments

Floats = NDArray[np.float64]

NOISE_PX = 0.05
UP_IN = 15 / 25.4
SEEDS = 30

LENSES: dict[str, tuple[float, ...] | None] = {
    "exact": (0.0, 0.0, 0.0, 0.0),
    "focal length + 0.3 %": (0.003, 0.0, 0.0, 0.0),
    "focal length + 1 %": (0.01, 0.0, 0.0, 0.0),
    "centre + 10 px": (0.0, 10.0, 10.0, 0.0),
    "k1 + 0.01": (0.0, 0.0, 0.0, 0.01),
    "not given": None,
}


def seen(scene: PracticeTable, rng: np.random.Generator) -> list[Sighting]:
    lens = scene.setup.lens
    assert lens is not None
    corners = {tag.id: reference_corners(tag) for tag in scene.setup.references}
    for tray in scene.setup.trays:
        for tag in tray.tags:
            corners[tag.id] = placed_corners(tag, scene.table.unit(tray.unit).pose)
    return [
        Sighting(
            number, scene.view.project(points, lens) + rng.normal(0, NOISE_PX, (4, 2)), NOISE_PX
        )
        for number, points in corners.items()
    ]


def wrong(lens: Lens, error: tuple[float, ...]) -> Lens:
    focal, cx, cy, k1 = error
    change = np.array([lens.matrix[0] * focal, lens.matrix[4] * focal, cx, cy, k1, 0, 0, 0, 0])
    return lens.with_parameters(lens.parameters + change)


def errors(
    ways: dict[str, list[float]], scene: PracticeTable, setup: Setup, tags: list[Sighting]
) -> None:
    """Add the error of every tag's centre, one list per way."""
    size = scene.setup.lens.size if scene.setup.lens else (0, 0)
    flat = {tag.id: reference_corners(tag) for tag in setup.references}
    points = np.concatenate([flat[one.id] for one in tags if one.id in flat])
    pixels = np.concatenate([one.corners_px for one in tags if one.id in flat])
    lens = setup.lens or Lens.ideal(size, 66.0)
    homography, _ = cv2.findHomography(lens.rays(pixels), points[:, :2])
    fitted = table_pose(tags, setup, size)
    _, turn, shift = cv2.solvePnP(points, pixels, lens.k, lens.d)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    view = Viewpoint.of(-rotation.T @ np.asarray(shift, dtype=np.float64).ravel(), rotation)
    assert isinstance(fitted, TablePose)
    for one in tags:
        owner = setup.tray_of(one.id)
        if owner is None:
            continue
        tray, tag = owner
        truth = placed_corners(tag, scene.table.unit(tray.unit).pose)[:, :2].mean(axis=0)
        rays = lens.rays(one.corners_px)
        ground = cv2.perspectiveTransform(rays[None], homography)[0]
        share = tag.up / view.position[2]
        found = {
            "pose + plane": view.on_plane(rays, tag.up),
            "homography + shift": ground + (view.centre[:2] - ground) * share,
            "fitted together": fitted.view.on_plane(fitted.lens.rays(one.corners_px), tag.up),
        }
        for way, corners in found.items():
            ways[way].append(float(np.hypot(*(corners.mean(axis=0) - truth))))


def main() -> None:
    os.environ[OWN_VARIABLE] = ""
    print(f"tags {UP_IN * 25.4:.0f} mm up, 1080p: position error, 95th percentile, inches")
    print(f"{'lens':24}{'pose + plane':>16}{'homography + shift':>20}{'fitted together':>18}")
    for name, error in LENSES.items():
        ways: dict[str, list[float]] = {
            "pose + plane": [],
            "homography + shift": [],
            "fitted together": [],
        }
        for seed in range(SEEDS):
            scene = standard_scene(seed, up=UP_IN, terrain=False)
            assert scene.setup.lens is not None
            lens = None if error is None else wrong(scene.setup.lens, error)
            tags = seen(scene, np.random.default_rng(seed))
            errors(ways, scene, scene.setup.with_lens(lens), tags)
        worst = [float(np.percentile(ways[way], 95)) for way in ways]
        print(f"{name:24}{worst[0]:16.4f}{worst[1]:20.4f}{worst[2]:18.4f}")


if __name__ == "__main__":
    arguments()
    main()
