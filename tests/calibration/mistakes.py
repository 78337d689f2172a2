"""Tables as people set them up on a first evening, at the level of corners: nothing is rendered.

The projection is written anew here, from the textbook, so that an error in the project's own
projection cannot hide itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.references.table_pose import TablePose, table_pose
from calibration.setup import ReferenceTag, Setup, TaggedTray, known_trays
from calibration.tags.mounts import mount
from calibration.tags.tag import Sighting
from calibration.tags.tray_pose import TrayFit, fit_trays

Floats = NDArray[np.float64]

KINDS = ("infantry", "cavalry", "solo", "warmachine")
SIZES = ((1280, 720), (1920, 1080), (4000, 3000))
OUTER = (1.4, 24.0, 46.6)


@dataclass(frozen=True, slots=True)
class Mistakes:
    """What was done badly: ranges and standard deviations."""

    print_scale: tuple[float, float] = (1.0, 1.0)
    turned_deg: float = 0.0
    shifted_in: float = 0.0
    high_mm: float = 0.0
    glued_mm: float = 0.0
    glued_deg: float = 0.0
    noise_px: tuple[float, float] = (0.2, 0.3)
    hidden: int = 0
    """At most so many references are covered."""
    lens: str = "known"
    mounts: tuple[str, ...] = ("rear-tab", "corner-pair", "side-pair", "standard", "standard-pair")


NONE = Mistakes()
ALL = Mistakes((0.94, 1.03), 1.0, 0.06, 1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """How far one tray is off: x, y (in), heading (deg), and what was claimed."""

    off: tuple[float, float, float]
    sigma_in: float
    sigma_deg: float
    mount: str

    @property
    def sigmas(self) -> float:
        """The worst error in sigmas, the distance on the table counted as one number."""
        x, y, turn = self.off
        return max(math.hypot(x, y) / self.sigma_in, abs(turn) / self.sigma_deg)

    @property
    def axes(self) -> tuple[float, float, float]:
        """Errors along the axes in sigmas."""
        x, y, turn = self.off
        return x / self.sigma_in, y / self.sigma_in, turn / self.sigma_deg


@dataclass(frozen=True, slots=True)
class Evening:
    """One table: the answers, how many trays there were, and why there was no table."""

    answers: tuple[Answer, ...]
    trays: int
    problems: tuple[str, ...]


def corners(x: float, y: float, up: float, heading_deg: float, edge_in: float) -> Floats:
    """A level square: top left, top right, bottom right, bottom left of its print."""
    turn = math.radians(heading_deg)
    ahead, left = (
        np.array([math.cos(turn), math.sin(turn)]),
        np.array([-math.sin(turn), math.cos(turn)]),
    )
    half = edge_in / 2
    flat = [
        half * (ahead + left),
        half * (ahead - left),
        half * (-ahead - left),
        half * (-ahead + left),
    ]
    return np.array([(x + a, y + b, up) for a, b in flat])


def a_camera(rng: np.random.Generator, size: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
    """Camera matrix, distortion and a 3 x 4 pose that sees the whole table."""
    table = np.array([(x, y, 0.0) for x in (0.0, 48.0) for y in (0.0, 48.0)])
    for _ in range(500):
        wide = math.radians(rng.uniform(60, 80))
        focal = size[0] / 2 / math.tan(wide / 2)
        middle = [size[0] / 2 + rng.normal(0, 0.003) * size[0], size[1] / 2 + rng.normal(0, 6)]
        matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
        bent = np.array([rng.uniform(-0.12, 0.03), rng.uniform(-0.02, 0.03), 2e-4, -2e-4, 0.0])
        down = math.radians(rng.uniform(40, 75))
        far = rng.uniform(38, 75)
        aim = np.array([24 + rng.normal(0, 1.5), 20 + rng.normal(0, 1.5), 0.0])
        yaw = rng.normal(0, 0.15)
        back = np.array([math.sin(yaw), -math.cos(yaw), 0.0]) * math.cos(down)
        eye = aim + far * (back + np.array([0, 0, math.sin(down)]))
        forward = (aim - eye) / np.linalg.norm(aim - eye)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        rotation = np.stack([right, np.cross(forward, right), forward])
        pose = np.column_stack([rotation, -rotation @ eye])
        seen = project(table, matrix, bent, pose)
        if (seen > 8).all() and (seen < np.array(size) - 8).all():
            return matrix, bent, pose
    raise AssertionError("no camera sees the table")


def project(points: Floats, matrix: Floats, bent: Floats, pose: Floats) -> Floats:
    """OpenCV's own projection."""
    turn, _ = cv2.Rodrigues(pose[:, :3])
    seen, _ = cv2.projectPoints(points, turn, pose[:, 3], matrix, bent)
    return np.asarray(seen, dtype=np.float64).reshape(-1, 2)


def evening(seed: int, mistakes: Mistakes = NONE, trays: int = 12) -> Evening:
    """One table set up with mistakes, measured from corners."""
    rng = np.random.default_rng([seed, 15])
    size = SIZES[int(rng.integers(len(SIZES)))]
    matrix, bent, pose = a_camera(rng, size)
    places = [(x, y) for x in OUTER for y in OUTER if (x, y) != (24.0, 24.0)]
    references = tuple(ReferenceTag(n, x, y, 90.0, 40.0) for n, (x, y) in enumerate(places))
    printed = float(rng.uniform(*mistakes.print_scale))
    real: dict[int, Floats] = {}
    for reference in references:
        shift = rng.normal(0, 1, 2) * mistakes.shifted_in
        turn = 90 + float(rng.normal()) * mistakes.turned_deg
        edge = 40 / 25.4 * printed
        x, y = reference.x + shift[0], reference.y + shift[1]
        real[reference.id] = corners(x, y, 0.0, turn, edge)
    for gone in rng.permutation(8)[: int(rng.integers(0, mistakes.hidden + 1))]:
        del real[int(gone)]
    tagged, truth = [], {}
    number = 10
    for place in range(trays):
        tray = known_trays()[KINDS[int(rng.integers(len(KINDS)))]]
        way = str(rng.choice(mistakes.mounts))
        ids = tuple(range(number, number + (2 if way.endswith("pair") else 1)))
        number += len(ids)
        tags = mount(way, tray, ids, 25.0)
        x, y = (float(value) for value in rng.uniform(4.5, 43.5, 2))
        heading = float(rng.uniform(0, 360))
        cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
        for tag in tags:
            around = float(rng.uniform(0, 2 * math.pi))
            glued = np.array([math.cos(around), math.sin(around)]) * mistakes.glued_mm / 25.4
            ahead, left = tag.forward + glued[0], tag.left + glued[1]
            up = tag.up + float(rng.uniform(0, mistakes.high_mm)) / 25.4
            turn = heading + tag.turn + float(rng.choice((-1, 1))) * mistakes.glued_deg
            there = (x + ahead * cos - left * sin, y + ahead * sin + left * cos)
            real[tag.id] = corners(*there, up, turn, 25 / 25.4 * printed)
        unit = f"u{place}"
        tagged.append(TaggedTray(unit, tray, tags))
        truth[unit] = (x, y, heading, way)
    noise = float(rng.uniform(*mistakes.noise_px)) * size[0] / 1920
    found = [
        Sighting(one, project(points, matrix, bent, pose) + rng.normal(0, noise, (4, 2)), noise)
        for one, points in real.items()
    ]
    lens = None
    if mistakes.lens == "known":
        off = rng.normal(0, 1, 9) * [0.0008, 0.0008, 0.0004, 0.0004, 5e-4, 3e-4, 2e-5, 2e-5, 0]
        off *= [matrix[0, 0], 0, size[0], size[0], 1, 1, 1, 1, 1]
        off[1] = off[0]
        exact = Lens.of(
            size,
            (float(matrix[0, 0]), float(matrix[1, 1])),
            (float(matrix[0, 2]), float(matrix[1, 2])),
            tuple(float(value) for value in bent),
        )
        lens = exact.with_parameters(exact.parameters + off)
    setup = Setup(lens, references=references, trays=tuple(tagged))
    camera = table_pose([one for one in found if one.id < 10], setup, size)
    if not isinstance(camera, TablePose):
        return Evening((), trays, (*camera.problems(setup), camera.reason))
    answers = []
    problems = camera.problems(setup)
    for fit in fit_trays(setup.trays, found, camera):
        if not isinstance(fit, TrayFit):
            problems.append(str(fit))
            continue
        x, y, heading, way = truth[fit.unit]
        turn = (fit.pose.heading - heading + 180) % 360 - 180
        sigma = fit.pose.sigma
        away = (fit.pose.x - x, fit.pose.y - y, turn)
        answers.append(Answer(away, sigma.xy_in, sigma.heading_deg, way))
    return Evening(tuple(answers), trays, tuple(problems))


def with_lens(mistakes: Mistakes, lens: str) -> Mistakes:
    """The same mistakes with or without a calibrated lens."""
    return replace(mistakes, lens=lens)
