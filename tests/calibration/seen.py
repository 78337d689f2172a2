"""Sightings made from a scene by projection and plain noise, without rendering anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.camera.lens import Lens
from calibration.setup import TrayTag
from calibration.tags.tag import Sighting, placed_corners, reference_corners
from companion.practice.random_table import PracticeTable


def exact_mounts(scene: PracticeTable, up_sigma_mm: float = 0.0) -> PracticeTable:
    """The same with tags that sit exactly where the set-up says, their heights known so well."""
    trays = tuple(
        replace(
            tray,
            tags=tuple(
                replace(
                    tag,
                    up_sigma_mm=up_sigma_mm if tag.up else 0.0,
                    glue_sigma_mm=0.0,
                    turn_sigma_deg=0.0,
                )
                for tag in tray.tags
            ),
        )
        for tray in scene.setup.trays
    )
    return replace(scene, setup=replace(scene.setup, trays=trays))


def mounted_by_hand(scene: PracticeTable, seed: int) -> PracticeTable:
    """The same with every tag as far off as a set-up that says nothing of it expects."""
    rng = np.random.default_rng([seed, 8])

    def glued(tag: TrayTag) -> TrayTag:
        ahead, left, turn, up = (float(value) for value in rng.normal(0, 1, 4))
        return replace(
            tag,
            forward=tag.forward + ahead * tag.glue_sigma_in,
            left=tag.left + left * tag.glue_sigma_in,
            turn=tag.turn + np.degrees(turn * tag.turn_sigma_rad),
            up=tag.up + up * tag.up_sigma_in,
        )

    trays = tuple(
        replace(tray, tags=tuple(glued(tag) for tag in tray.tags)) for tray in scene.setup.trays
    )
    return replace(scene, setup=replace(scene.setup, trays=trays))


def sightings(
    scene: PracticeTable,
    seed: int = 0,
    noise_px: float = 0.06,
    height_noise_in: float = 0.0,
    moved: Mapping[int, tuple[float, float]] | None = None,
    hidden: frozenset[int] = frozenset(),
    lens: Lens | None = None,
) -> list[Sighting]:
    """Every tag of a scene as a perfect finder would report it through that noise."""
    rng = np.random.default_rng(seed)
    lens = lens or scene.setup.lens
    assert lens is not None
    corners = {tag.id: reference_corners(tag) for tag in scene.setup.references}
    for tray in scene.setup.trays:
        for tag in tray.tags:
            points = placed_corners(tag, scene.table.unit(tray.unit).pose)
            points[:, 2] += rng.normal(0, height_noise_in) if height_noise_in else 0.0
            corners[tag.id] = points
    found = []
    for tag_id, points in corners.items():
        if tag_id in hidden:
            continue
        shift = (moved or {}).get(tag_id, (0.0, 0.0))
        pixels = scene.view.project(points + np.array([*shift, 0.0]), lens)
        found.append(Sighting(tag_id, pixels + rng.normal(0, noise_px, (4, 2)), noise_px))
    return found
