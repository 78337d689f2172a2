"""One line-of-sight query: a viewer, its target, and the obstacles that may block."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.geometry.plane.sight.los_scalar import ASIDE, FREED, LosResult, LosScene
from companion.geometry.plane.sight.scalar_shapes import (
    GRAZE_IN,
    NEAR_IN,
    ConvexPart,
    OrientedRect,
    ViewEdge,
    in_arc,
    plain_boxes,
)
from companion.geometry.plane.trays import Trays

Other = tuple[OrientedRect, float, int]
"""A tray, its bounding radius, and its index on the table."""


@dataclass(frozen=True, slots=True, eq=False)
class LosObstacles:
    """All trays of a table and the terrain that blocks line of sight, as scalar shapes."""

    boxes: list[OrientedRect]
    radius: list[float]
    spread: list[float]
    parts: list[ConvexPart]
    through_any: bool
    _eased: dict[float, list[Other]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, trays: Trays, parts: list[ConvexPart], through_any: bool) -> LosObstacles:
        """The obstacles made of these trays and terrain parts."""
        boxes = plain_boxes(trays)
        radius = [math.hypot(box.deep, box.wide) for box in boxes]
        return cls(boxes, radius, trays.spread.tolist(), parts, through_any)

    def eased(self, sigmas: float) -> list[Other]:
        """All trays, shrunk by some sigmas; cached."""
        if sigmas not in self._eased:
            eased = [sigmas * spread for spread in self.spread]
            boxes = [
                box.grown(-by) if by else box for box, by in zip(self.boxes, eased, strict=True)
            ]
            reach = [far + 2 * abs(by) for far, by in zip(self.radius, eased, strict=True)]
            self._eased[sigmas] = list(zip(boxes, reach, range(len(boxes)), strict=True))
        return self._eased[sigmas]

    def goal(self, target: int, sigmas: float) -> OrientedRect:
        """A target tray, enlarged by some sigmas."""
        x, y, cos, sin, deep, wide = box = self.boxes[target]
        by = sigmas * self.spread[target]
        return (
            OrientedRect(x, y, cos, sin, max(deep + by, 1e-6), max(wide + by, 1e-6)) if by else box
        )

    def watch(self, viewer: int, target: int, sigmas: float = 0.0) -> LosQuery:
        """A viewer watching a target, everything but its own edge and arc eased by some sigmas."""
        others = [other for other in self.eased(sigmas) if other[2] not in (viewer, target)]
        return LosQuery(self.goal(target, sigmas), others, self.parts, self.through_any)


def off_way(start: OrientedRect, goal: OrientedRect, thing: OrientedRect | ConvexPart) -> float:
    """The distance of an obstacle's centre from the segment between the centres of two trays."""
    dx, dy, x, y = goal.x - start.x, goal.y - start.y, thing.x - start.x, thing.y - start.y
    part = min(max((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-12), 0.0), 1.0)
    return math.hypot(x - part * dx, y - part * dy)


class LosQuery(NamedTuple):
    """One unit watching another; reused for many viewpoints as it pivots or shifts."""

    goal: OrientedRect
    boxes: list[Other]
    parts: list[ConvexPart]
    through_any: bool

    def look(
        self, eye: ViewEdge, exempt: Sequence[bool], freed: bool = False, beyond: float = -math.inf
    ) -> LosResult:
        """Whether the target is in line of sight from this viewpoint.

        `exempt` pieces do not count, nor do obstacles that reach nearer than `beyond` to the line
        of the front edge; where `freed` nothing blocks.
        """
        goal = self.goal.seen_by(eye)
        reach = goal.deep + goal.wide
        if goal.x < -reach or abs(goal.y) - eye.slope * goal.x > eye.wide + reach * (1 + eye.slope):
            return ASIDE  # its bounding circle lies outside the arc
        part = in_arc(goal.corners(), eye)
        if not part:
            return ASIDE
        if freed:
            return FREED
        scene = LosScene.of(eye, goal.grown(GRAZE_IN), part, self.through_any)
        self.add_boxes(scene, beyond)
        if self.parts:
            scene.parts.extend(self.parts_between(scene, exempt, beyond))
        return scene.answer()

    def add_boxes(self, scene: LosScene, beyond: float) -> None:
        """Add the trays that reach into the region between, shrunk by the grazing tolerance."""
        eye_x, eye_y, cos, sin, edge, _ = scene.eye
        left, right, far = scene.left, scene.right, scene.far
        steep_left, steep_right = math.hypot(1.0, left), math.hypot(1.0, right)
        for (tray_x, tray_y, tray_cos, tray_sin, deep, wide), radius, _ in self.boxes:
            dx, dy = tray_x - eye_x, tray_y - eye_y
            x = dx * cos + dy * sin
            if not -radius < x < far + radius:
                continue  # broad phase: its bounding circle lies outside
            y = dy * cos - dx * sin
            above, below = edge + left * x - y, edge - right * x + y
            if above <= -radius * steep_left or below <= -radius * steep_right:
                continue
            c, s = tray_cos * cos + tray_sin * sin, tray_sin * cos - tray_cos * sin
            ahead = abs(c) * deep + abs(s) * wide
            if (
                -ahead < x < far + ahead
                and above + abs(left * c - s) * deep + abs(left * s + c) * wide > 0
                and below + abs(right * c - s) * deep + abs(right * s + c) * wide > 0
                and deep > GRAZE_IN < wide
                and x - ahead >= beyond
            ):
                scene.boxes.append(OrientedRect(x, y, c, s, deep - GRAZE_IN, wide - GRAZE_IN))

    def parts_between(
        self, scene: LosScene, exempt: Sequence[bool], beyond: float
    ) -> Iterator[ConvexPart]:
        """The terrain parts that count and reach into the region between."""
        eye_x, eye_y, cos, sin, edge, _ = scene.eye
        left, right, far = scene.left, scene.right, scene.far
        steep_left, steep_right = math.hypot(1.0, left), math.hypot(1.0, right)
        for part in self.parts:
            piece, _, _, part_x, part_y, radius = part
            if exempt[piece]:
                continue
            dx, dy = part_x - eye_x, part_y - eye_y
            x, y = dx * cos + dy * sin, dy * cos - dx * sin
            if (
                not -radius <= x <= far + radius
                or edge + left * x - y < -radius * steep_left
                or edge - right * x + y < -radius * steep_right
            ):
                continue  # broad phase: its bounding circle lies outside
            seen = part.seen_by(scene.eye)
            depths = map(scene.depths, seen.corners)
            if min(seen.corners)[0] >= beyond and all(
                max(side) > -NEAR_IN for side in zip(*depths, strict=True)
            ):
                yield seen
