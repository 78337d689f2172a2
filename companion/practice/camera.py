"""The virtual camera: any Table with its Setup as a camera's frame, and the exact truth with it.

>>> from companion.practice.random_table import standard_scene
>>> scene = standard_scene(seed=1)
>>> frame, truth = render(scene.table, scene.setup, scene.view)
>>> frame.shape, len(truth.tags)
((1080, 1920, 3), 32)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import OtherTag, Setup, TaggedTray, TrayTag
from calibration.tags.tag import placed_corners, reference_corners
from companion.practice.layer import (
    Layer,
    Light,
    LitLayer,
    SampleGrid,
    Window,
    averaged,
    light_over_table,
    texture_maps,
)
from companion.practice.mat import paint_board, painted
from companion.practice.plate import plate_height, plate_layer, tag_layer
from companion.practice.sensor import STANDARD, PictureStyle, expose
from companion.practice.sensor import light_of as light_of_levels
from companion.practice.upright_objects import (
    HandSprite,
    Stick,
    figures_layer,
    hand_layers,
    pole_outline,
    stick_layer,
    terrain_layer,
)
from models.board import Board
from models.message import CompanionError
from models.pose import Pose
from models.table import Table
from models.unit import Unit

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Picture = NDArray[np.uint8]

STANDARD_TAG_UP_IN = 0.3
"""A tag higher than this is on a pole; lower ones are on the plate or its tab."""

MOVE_STEPS_PER_PX = 2.0
MOST_MOVE_STEPS = 16
"""Motion blur: poses per pixel that a tray moves, and the limit of poses."""


class NoLens(CompanionError):
    """A set-up without a lens cannot be rendered."""


@dataclass(frozen=True, slots=True)
class Motion:
    """How far a tray moves during the exposure; the truth is the middle of the move."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0

    def poses(self, middle: Pose, steps: int) -> tuple[Pose, ...]:
        """Poses at equal intervals of the exposure."""
        return tuple(
            Pose(
                middle.x + self.dx * part,
                middle.y + self.dy * part,
                middle.heading + self.turn * part,
            )
            for part in (np.arange(steps) + 0.5) / steps - 0.5
        )


@dataclass(frozen=True, slots=True, eq=False)
class TagTruth:
    """A tag's true corners in the picture (4 x 2), its unit, and how much of it is hidden.

    `hidden` is the covered share of the black square and its white margin; `inside` says whether
    all of that is within the picture.
    """

    id: int
    corners_px: Floats
    unit: str | None
    hidden: float
    inside: bool

    @property
    def clear(self) -> bool:
        """Whether the whole tag is visible."""
        return self.inside and self.hidden == 0.0


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of a frame: the table, the camera, every tag, and what was moving."""

    table: Table
    lens: Lens
    view: Viewpoint
    tags: tuple[TagTruth, ...]
    moving: frozenset[str] = frozenset()

    def tag(self, tag_id: int) -> TagTruth:
        return next(tag for tag in self.tags if tag.id == tag_id)


@dataclass(eq=False)
class PracticeCamera:
    """A camera with a fixed pose: what does not move is rendered once and cached."""

    setup: Setup
    view: Viewpoint
    look: PictureStyle = STANDARD
    board: Board | None = None
    _ground_key: object = field(default=None, init=False)
    _ground: Floats32 | None = field(default=None, init=False)
    _light: Light | None = field(default=None, init=False)
    _last: tuple[object, Floats32, Truth] | None = field(default=None, init=False)
    _pieces: list[tuple[float, float, LitLayer]] = field(default_factory=list, init=False)
    _plates: dict[str, tuple[object, LitLayer | None]] = field(default_factory=dict, init=False)
    _bodies: dict[str, tuple[object, LitLayer | None]] = field(default_factory=dict, init=False)

    @property
    def lens(self) -> Lens:
        if self.setup.lens is None:
            raise NoLens("the practice table needs a set-up with a [camera]")
        return self.setup.lens

    def frame(
        self,
        table: Table,
        motions: Mapping[str, Motion] | None = None,
        hands: tuple[HandSprite, ...] = (),
        number: int = 0,
    ) -> tuple[Picture, Truth]:
        """Render a frame (rows x columns x BGR) and return it with its truth."""
        light, truth = self.light(table, motions, hands)
        return expose(light, self.look, number), truth

    def light(
        self,
        table: Table,
        motions: Mapping[str, Motion] | None = None,
        hands: tuple[HandSprite, ...] = (),
    ) -> tuple[Floats32, Truth]:
        """The linear light that reaches the lens, before blur, noise and tone curve."""
        motions = dict(motions or {})
        self._prepare(table)
        moment = (table, tuple(motions.items()), hands)
        if self._last is not None and self._last[0] == moment:
            return self._last[1], self._last[2]
        self._last = None  # two of these pictures at a time are the most memory the app holds
        assert self._ground is not None
        assert self._light is not None
        picture = self._ground.copy()
        labels = np.zeros(picture.shape[:2], dtype=np.uint8)
        tags: list[tuple[int, Floats, str | None]] = []
        for reference in self.setup.references:
            tags.append((reference.id, reference_corners(reference), None))
            self._label(labels, len(tags), tags[-1][1])
        tagged = {tray.unit: tray for tray in self.setup.trays}
        for unit in table.units:
            tray = tagged.get(unit.id, TaggedTray(unit.id, unit.tray, ()))
            motion = motions.get(unit.id)
            plate = self._kept(self._plates, unit, tray, motion)
            if plate is not None:
                plate.onto(picture)
                clear_labels(labels, plate)
            for tag in tray.tags:
                if tag.up <= STANDARD_TAG_UP_IN:
                    tags.append((tag.id, placed_corners(tag, unit.pose), unit.id))
                    self._label(labels, len(tags), tags[-1][1])
        self._raise_things(table, tagged, motions, picture, labels, tags)
        for hand in hands:
            shadow, body = hand_layers(hand, table.depth, self.lens, self.view)
            if shadow is not None:
                half = Layer(shadow.window, shadow.colour * 0.5, shadow.cover * 0.5)
                half.onto(picture, self._light)
            if body is not None:
                lit = body.lit(self._light)
                lit.onto(picture)
                clear_labels(labels, lit)
        truths = tuple(
            self._truth(labels, place + 1, tag_id, corners, owner)
            for place, (tag_id, corners, owner) in enumerate(tags)
        )
        truth = Truth(table, self.lens, self.view, truths, frozenset(motions))
        self._last = (moment, picture, truth)
        return picture, truth

    def forget_light(self) -> None:
        """Drop the light of the last frame: the largest of what is cached."""
        self._last = None

    # -- cached layers -----------------------------------------------------------------------

    def _prepare(self, table: Table) -> None:
        key = (table.width, table.depth, table.terrain, table.tokens)
        if key == self._ground_key:
            return
        lens, size = self.lens, (table.width, table.depth)
        self._light = light_over_table(self.look, lens, self.view, size)
        mat = painted(self.look.mat, size, table.terrain, table.tokens)
        if self.board is not None:
            mat = replace(mat, picture=mat.picture.copy())
            paint_board(mat.picture, self.board, mat.to_texture)
        ground = np.empty((lens.size[1], lens.size[0], 3), dtype=np.float32)
        for top in range(0, lens.size[1], 120):
            window = Window(0, top, lens.size[0], min(120, lens.size[1] - top))
            grid = SampleGrid(window, 2, 4)
            u, v = texture_maps(grid, lens, self.view, 0.0, mat.to_texture)
            seen = cv2.remap(mat.picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            levels = grid.gather(np.asarray(seen, dtype=np.uint8))
            ground[window.rows] = self._light.on(light_of_levels(levels), 1.0, window)
        for reference in self.setup.references:
            layer = self._tag(reference.id, reference_corners(reference))
            if layer is not None:
                layer.onto(ground, self._light)
        self._pieces = []
        for piece in table.terrain:
            sheet = terrain_layer(piece, lens, self.view)
            if sheet is not None:
                x, y = np.mean(piece.outline, axis=0)
                self._pieces.append((float(x), float(y), sheet.lit(self._light)))
        self._ground, self._ground_key = ground, key
        self._plates.clear()
        self._bodies.clear()

    def _kept(
        self,
        store: dict[str, tuple[object, LitLayer | None]],
        unit: Unit,
        tray: TaggedTray,
        motion: Motion | None,
    ) -> LitLayer | None:
        """A tray's layer, from the cache of the last frame if nothing about it changed."""
        plates = store is self._plates
        key = (unit.pose, unit.models, motion)
        if store.get(unit.id, (None, None))[0] == key:
            return store[unit.id][1]
        poses: tuple[Pose, ...] = (unit.pose,)
        if motion is not None:
            # Blurred figures need fewer poses than the edges of a tag.
            exact = plates or any(tag.up > STANDARD_TAG_UP_IN for tag in tray.tags)
            steps = math.ceil(self._way_px(unit, motion) * MOVE_STEPS_PER_PX) + 1
            poses = motion.poses(unit.pose, min(max(steps, 2), MOST_MOVE_STEPS if exact else 4))
        draw = self._plate if plates else self._body
        layers = tuple(layer for pose in poses if (layer := draw(unit.at(pose), tray)) is not None)
        lit = None
        if len(layers) == len(poses) and self._light is not None:
            lit = averaged(layers).lit(self._light)
        store[unit.id] = (key, lit)
        return lit

    def _way_px(self, unit: Unit, motion: Motion) -> float:
        """How far a corner of the tray moves in the picture."""
        ends = [
            [
                (*pose.ahead(a * unit.tray.depth / 2, b * unit.tray.width / 2), 0.0)
                for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
            ]
            for pose in motion.poses(unit.pose, 2)
        ]
        before, after = (self.view.project(np.array(end), self.lens) for end in ends)
        # The two poses are half the move apart.
        return 2 * float(np.linalg.norm(after - before, axis=1).max())

    # -- layers ------------------------------------------------------------------------------

    def _plate(self, unit: Unit, tray: TaggedTray) -> Layer | None:
        if tray.tray.round:
            return None
        sheet = plate_layer(tray, unit.side, unit.pose, self.lens, self.view)
        for tag in tray.tags:
            if tag.up <= STANDARD_TAG_UP_IN:
                paper = self._tag(tag.id, placed_corners(tag, unit.pose))
                if paper is not None:
                    sheet = paper if sheet is None else paper.over(sheet)
        return sheet

    def _body(self, unit: Unit, tray: TaggedTray) -> Layer | None:
        height = plate_height(tray.tags)
        sheet = figures_layer(unit, height, self.lens, self.view) if self.look.figures else None
        for tag in self._raised(unit, tray):
            pole = stick_layer(pole_of(tag, unit.pose, height), self.lens, self.view)
            paper = self._tag(tag.id, placed_corners(tag, unit.pose))
            for part in (pole, paper):
                if part is not None:
                    sheet = part if sheet is None else part.over(sheet)
        return sheet

    def _raised(self, unit: Unit, tray: TaggedTray) -> list[TrayTag]:
        """The tags on poles of a tray, the farthest from the camera first."""
        camera = self.view.position[:2]
        raised = [tag for tag in tray.tags if tag.up > STANDARD_TAG_UP_IN]
        return sorted(
            raised, key=lambda tag: -math.dist(camera, unit.pose.ahead(tag.forward, tag.left))
        )

    def _raise_things(
        self,
        table: Table,
        tagged: Mapping[str, TaggedTray],
        motions: Mapping[str, Motion],
        picture: Floats32,
        labels: Picture,
        tags: list[tuple[int, Floats, str | None]],
    ) -> None:
        """Draw all upright objects, the farthest first."""
        camera = np.array(self.view.position[:2])

        def away(x: float, y: float) -> float:
            return -float(np.hypot(x - camera[0], y - camera[1]))

        things: list[tuple[float, Unit | None, LitLayer | None]] = [
            (away(unit.pose.x, unit.pose.y), unit, None) for unit in table.units
        ]
        things += [(away(x, y), None, layer) for x, y, layer in self._pieces]
        for _, unit, layer in sorted(things, key=lambda thing: thing[0]):
            tray = None
            if unit is not None:
                tray = tagged.get(unit.id, TaggedTray(unit.id, unit.tray, ()))
                layer = self._kept(self._bodies, unit, tray, motions.get(unit.id))
            if layer is not None:
                layer.onto(picture)
                clear_labels(labels, layer)
            if unit is None or tray is None:
                continue
            for tag in self._raised(unit, tray):
                # A nearer tag's pole may stand before a farther tag of the same tray.
                pole = pole_of(tag, unit.pose, plate_height(tray.tags))
                self._fill(labels, 0, pole_outline(pole, self.view))
                tags.append((tag.id, placed_corners(tag, unit.pose), unit.id))
                self._label(labels, len(tags), tags[-1][1])

    def _tag(self, tag_id: int, corners: Floats) -> Layer | None:
        tag = OtherTag.of(tag_id)
        name = tag.dictionary or self.setup.dictionary
        return tag_layer(name, tag.number, corners, self.lens, self.view, self.look.margin_modules)

    # -- ground truth ------------------------------------------------------------------------

    def _paper(self, corners: Floats) -> Floats:
        centre = corners.mean(axis=0)
        paper: Floats = centre + (corners - centre) * (1 + self.look.margin_modules / 3)
        return paper

    def _label(self, labels: Picture, number: int, corners: Floats) -> None:
        """Label the pixels of a tag and its margin with its number."""
        self._fill(labels, number, self._paper(corners))

    def _fill(self, labels: Picture, number: int, corners: Floats) -> None:
        """Label the pixels of a quadrangle in space with a number."""
        if not (self.view.in_camera(corners)[:, 2] > 0.1).all():
            return
        quad = self.view.project(corners, self.lens)
        if np.isfinite(quad).all() and np.abs(quad).max() < 1e6:
            cv2.fillPoly(labels, [np.rint(quad * 16).astype(np.int32)], number % 256, shift=4)

    def _truth(
        self, labels: Picture, number: int, tag_id: int, corners: Floats, owner: str | None
    ) -> TagTruth:
        quad = self.view.project(self._paper(corners), self.lens)
        in_front = bool((self.view.in_camera(corners)[:, 2] > 0.1).all())
        width, height = self.lens.size
        inside = in_front and bool(
            (quad >= 0).all()
            and (quad[:, 0] <= width - 1).all()
            and (quad[:, 1] <= height - 1).all()
        )
        hidden = 1.0
        window = Window.around(quad, self.lens.size) if in_front else None
        if window is not None:
            own = np.zeros((window.height, window.width), dtype=np.uint8)
            local = np.rint((quad - (window.x, window.y)) * 16).astype(np.int32)
            cv2.fillPoly(own, [local], 1, shift=4)
            mine = labels[window.rows, window.columns] == number % 256
            area = int(own.sum())
            hidden = 1.0 - float((mine & (own > 0)).sum()) / area if area else 1.0
        return TagTruth(tag_id, self.view.project(corners, self.lens), owner, hidden, inside)


def pole_of(tag: TrayTag, pose: Pose, height: float) -> Stick:
    """The pole that carries a raised tag, from the plate's height up."""
    x, y = pose.ahead(tag.forward, tag.left)
    return Stick(x, y, height, tag.up)


def clear_labels(labels: Picture, layer: LitLayer) -> None:
    """Clear the labels of pixels that a layer covers."""
    part = labels[layer.window.rows, layer.window.columns]
    part[layer.clear < 0.98] = 0


def render(
    table: Table,
    setup: Setup,
    view: Viewpoint,
    look: PictureStyle = STANDARD,
    motions: Mapping[str, Motion] | None = None,
    hands: tuple[HandSprite, ...] = (),
    number: int = 0,
) -> tuple[Picture, Truth]:
    """Render one frame of a table with its truth; for many frames use a PracticeCamera."""
    return PracticeCamera(setup, view, look).frame(table, motions, hands, number)
