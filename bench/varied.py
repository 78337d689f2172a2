"""Practice frames of every kind a table may be seen in: the same one for the same seed.

Table and edition, mounts, camera, lens and what is told about it, light, grain, focus, motion,
hands, covered tags, clutter: each is drawn anew, and what is told to the eyes is wrong by as
much as players get things wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from bench.clear_tags import covered
from bench.tables import battle
from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import ReferenceTag, Setup, TaggedTray
from calibration.tags.mounts import MOUNTS, mount
from calibration.tags.tag import reference_corners
from companion.practice.camera import Motion, PracticeCamera, Truth
from companion.practice.random_table import DISTORTION, TRAY_IDS, references, standard_view
from companion.practice.sensor import LOOKS, PictureStyle
from companion.practice.upright_objects import HandSprite
from companion.vision.sources.frame import Picture
from models.catalogue import Catalogue
from models.pose import Pose
from models.table import Table
from models.unit import Unit, corners, overlap_depth

Floats = NDArray[np.float64]
Dice = np.random.Generator

SIZES = ((1920, 1080), (1280, 720), (2560, 1440), (1600, 1200), (4000, 3000), (640, 480))
SIZE_SHARES = (0.65, 0.13, 0.07, 0.09, 0.03, 0.03)
MIDDLE_IN = 24.0
SHIFTED_IN = 0.5
"""How far beside its place a reference lies that someone has pushed."""
ENOUGH_REFERENCES = 6
"""Cameras that show fewer are drawn again: they would see no table."""
HAND_LAID_IN = 0.4 / 25.4
HEIGHT_IN = 0.5 / 25.4
NOISE_BANKS = 2
"""Grain is dear to make; it is laid down elsewhere in every frame anyway."""
TOUCHING_IN, ENEMY_IN = 1e-6, 1.05
"""Enemies touch, or keep about an inch apart: no game leaves them in between."""


@dataclass(frozen=True, slots=True)
class Varied:
    """One frame to be: what is really there, what is told about it, how it is seen."""

    table: Table
    real: Setup
    told: Setup
    view: Viewpoint
    look: PictureStyle
    kind: str
    motions: tuple[tuple[str, Motion], ...] = ()
    hands: tuple[HandSprite, ...] = ()
    clutter: int = 0
    covers: int = 0
    seed: int = 0

    def shot(self) -> tuple[Picture, Truth]:
        """The picture and the truth about it, with what cards and fingers hide."""
        camera = PracticeCamera(self.real, self.view, self.look)
        picture, truth = camera.frame(self.table, dict(self.motions), self.hands, self.seed)
        if not (self.clutter or self.covers):
            return picture, truth
        before = picture.copy()
        dice = np.random.default_rng([self.seed, 71])
        for _ in range(self.clutter):
            picture = with_card(picture, dice)
        tags = [tag for tag in truth.tags if tag.inside]
        for _ in range(self.covers if tags else 0):
            picture = with_finger(picture, tags[int(dice.integers(len(tags)))].corners_px, dice)
        margin = self.look.margin_modules
        hidden = (
            max(tag.hidden, covered(before, picture, tag.corners_px, margin)) for tag in truth.tags
        )
        seen = tuple(
            replace(tag, hidden=share) for tag, share in zip(truth.tags, hidden, strict=True)
        )
        return picture, replace(truth, tags=seen)


def varied(seed: int) -> Varied:
    """The frame of a seed."""
    dice = np.random.default_rng([seed, 61])
    table = battle_table(seed, dice)
    size = SIZES[int(dice.choice(len(SIZES), p=SIZE_SHARES))]
    laid = references(size_mm=float(dice.choice([40.0, 50.0])))
    if dice.random() < 0.25:
        # Fewer references than there might be, but never all on one side.
        laid = tuple(tag for tag in laid if tag.id % 2 == 0 or dice.random() < 0.5)
    lens, (view, place) = real_lens(size, dice), viewpoint(dice)
    while in_view(laid, lens, view) < min(len(laid), ENOUGH_REFERENCES):
        lens, (view, place) = real_lens(size, dice), viewpoint(dice)
    trays, mounts = tagged(table, dice)
    real = Setup(lens, table.width, table.depth, references=laid, trays=trays)
    told, known = as_told(real, dice)
    look, name = seen_with(seed, dice)
    motions, hands = moving(table, dice)
    return Varied(
        table,
        replace(real, trays=tuple(off_height(tray, dice) for tray in trays)),
        told,
        view,
        look,
        f"{table.game} {size[0]}x{size[1]} {place} {mounts} {name} {known}",
        motions,
        hands,
        int(dice.choice([0, 0, 2, 6])),
        int(dice.choice([0, 0, 1, 4])),
        seed,
    )


def battle_table(seed: int, dice: Dice) -> Table:
    """Two armies that have begun to mix, some of them in contact."""
    editions = Catalogue.games()
    table = battle(int(dice.integers(4, 11)), int(dice.integers(0, 7)), seed, editions[seed % 2])
    for _ in range(3):
        table = engaged(table, dice)
    return kept_apart(table)


def engaged(table: Table, dice: Dice) -> Table:
    """Push one unit against the front, a flank or the rear of an enemy, if there is room."""
    enemies = [unit for unit in table.units if unit.side != table.units[0].side]
    attacker = table.units[2 * int(dice.integers(len(table.units) // 2))]
    target = enemies[int(dice.integers(len(enemies)))]
    side = int(dice.integers(4))
    reach = (target.tray.depth if side % 2 == 0 else target.tray.width) / 2
    out = target.pose.heading + 90.0 * side
    toward = np.radians(out)
    away = reach + attacker.tray.depth / 2
    x = target.pose.x + away * float(np.cos(toward))
    y = target.pose.y + away * float(np.sin(toward))
    pushed = attacker.at(Pose(x, y, (out + 180.0) % 360.0))
    others = [unit for unit in table.units if unit.id not in (attacker.id, target.id)]
    if not 3 < x < table.width - 3 or not 3 < y < table.depth - 3 or not free(pushed, others):
        return table
    return table.moved(attacker.id, pushed.pose)


def kept_apart(table: Table) -> Table:
    """Without units that stand nearer to an enemy than the rules let them, and not in contact."""
    units: list[Unit] = []
    for unit in table.units:
        shape = Polygon(corners(unit))
        gaps = [
            shape.distance(Polygon(corners(other))) for other in units if other.side != unit.side
        ]
        if not any(TOUCHING_IN < gap < ENEMY_IN for gap in gaps):
            units.append(unit)
    return replace(table, units=tuple(units))


def free(unit: Unit, others: list[Unit]) -> bool:
    """Whether it stands clear of all of them."""
    return all(overlap_depth(unit, other) == 0 for other in others)


def real_lens(size: tuple[int, int], dice: Dice) -> Lens:
    """A lens between narrow and wide, bent a little one way or the other."""
    ideal = Lens.ideal(size, float(dice.uniform(58, 85)))
    bent = float(dice.uniform(-0.3, 1.2))
    off = dice.normal(0, 0.004, 2) * size[0]
    focal = ideal.matrix[0]
    centre = (ideal.matrix[2] + float(off[0]), ideal.matrix[5] + float(off[1]))
    return Lens.of(size, (focal, focal), centre, tuple(bent * k for k in DISTORTION))


def in_view(laid: tuple[ReferenceTag, ...], lens: Lens, view: Viewpoint) -> int:
    """How many references lie wholly in the picture."""
    corners = np.array([reference_corners(tag) for tag in laid])
    pixels = view.project(corners, lens)
    fits = (pixels > 10).all(axis=(1, 2)) & (pixels < np.array(lens.size) - 10).all(axis=(1, 2))
    return int((fits & (view.in_camera(corners)[..., 2] > 1).all(axis=1)).sum())


def viewpoint(dice: Dice) -> tuple[Viewpoint, str]:
    """Where the camera stands: as recommended, anywhere around, low, or overhead."""
    way = str(dice.choice(["standard", "around", "low", "above"], p=[0.35, 0.4, 0.1, 0.15]))
    roll = float(dice.normal(0, 3))
    aim = (MIDDLE_IN + float(dice.normal(0, 2)), 20.0 + float(dice.normal(0, 3)), 0.0)
    if way == "standard":
        return standard_view(), way
    if way == "above":
        place = (MIDDLE_IN + float(dice.normal(0, 3)), MIDDLE_IN + float(dice.normal(0, 4)))
        straight = (place[0] + float(dice.normal(0, 1)), place[1] + 0.5, 0.0)
        return Viewpoint.looking((*place, float(dice.uniform(45, 60))), straight, roll), way
    low, high = (20, 28) if way == "low" else (30, 48)
    turn = float(dice.uniform(0, 2 * np.pi)) if dice.random() < 0.3 else -np.pi / 2
    far = MIDDLE_IN + float(dice.uniform(2, 18))
    x, y = MIDDLE_IN + far * np.cos(turn), MIDDLE_IN + far * np.sin(turn)
    x += float(dice.normal(0, 6))
    return Viewpoint.looking((float(x), float(y), float(dice.uniform(low, high))), aim, roll), way


def tagged(table: Table, dice: Dice) -> tuple[tuple[TaggedTray, ...], str]:
    """Every unit's tray with the tags of a mount, one mount for all or each its own."""
    names = [name for name in MOUNTS if name != "figure-stand"]
    one = str(dice.choice(names)) if dice.random() < 0.7 else ""
    size_mm = float(dice.choice([25.0, 30.0]))
    free_ids = list(TRAY_IDS)
    trays = []
    for left, unit in enumerate(table.units):
        name = one or str(dice.choice(names))
        spare = len(free_ids) - (len(table.units) - left)
        if MOUNTS[name].tags > 1 + spare:
            name = "rear-tab"
        ids = tuple(free_ids.pop(0) for _ in range(MOUNTS[name].tags))
        trays.append(TaggedTray(unit.id, unit.tray, mount(name, unit.tray, ids, size_mm)))
    return tuple(trays), f"{one or 'mixed'} {size_mm:g} mm"


def off_height(tray: TaggedTray, dice: Dice) -> TaggedTray:
    """A tray whose raised tags are as high as players measure, give or take half a millimetre."""
    tags = tuple(
        replace(tag, up=max(0.0, tag.up + float(dice.normal(0, HEIGHT_IN)))) if tag.up else tag
        for tag in tray.tags
    )
    return replace(tray, tags=tags)


def as_told(real: Setup, dice: Dice) -> tuple[Setup, str]:
    """What the set-up file says: lens and references as well as people know them."""
    assert real.lens is not None
    known = str(dice.choice(["known", "calibrated", "unknown"], p=[0.4, 0.25, 0.35]))
    lens: Lens | None = None
    if known != "unknown":
        doubt = np.array([0.001, 0.001, 0.0005, 0.0005, 5e-4, 3e-4, 2e-5, 2e-5, 0.0])
        doubt *= 1.0 if known == "known" else 2.0
        doubt[:2] *= real.lens.matrix[0]
        doubt[2:4] *= real.lens.size[0]
        wrong = dice.normal(0, 1, 9) * doubt
        wrong[1] = wrong[0]
        lens = real.lens.with_parameters(real.lens.parameters + wrong)
        if known == "calibrated":
            lens = replace(lens, sigma=tuple(float(value) for value in doubt))
    laid = real.references
    if dice.random() < 0.3:
        laid = tuple(nudged(tag, dice, HAND_LAID_IN) for tag in laid)
        known += " hand-laid"
    if dice.random() < 0.15 and len(laid) >= 6:
        number = int(dice.integers(len(laid)))
        turn = float(dice.uniform(0, 2 * np.pi))
        shift = SHIFTED_IN * np.array([np.cos(turn), np.sin(turn)])
        tag = laid[number]
        pushed = replace(tag, x=tag.x + float(shift[0]), y=tag.y + float(shift[1]))
        laid = tuple(pushed if one is tag else one for one in laid)
        known += f" {tag.id} pushed"
    return replace(real, lens=lens, references=laid), known


def nudged(tag: ReferenceTag, dice: Dice, spread_in: float) -> ReferenceTag:
    """A reference written down a little beside where it lies."""
    x, y = dice.normal(0, spread_in, 2)
    return replace(tag, x=tag.x + float(x), y=tag.y + float(y))


def seen_with(seed: int, dice: Dice) -> tuple[PictureStyle, str]:
    """One of the looks, varied."""
    name = str(dice.choice([name for name in LOOKS if name != "plain"]))
    base = LOOKS[name]
    look = replace(
        base,
        seed=seed % NOISE_BANKS,
        blur_px=float(base.blur_px * dice.uniform(0.75, 1.25)),
        level=float(base.level * dice.uniform(0.7, 1.1)),
        uneven=float(np.clip(base.uneven + dice.normal(0, 0.1), 0, 0.7)),
        warmth=float(np.clip(base.warmth + dice.normal(0, 0.3), -1, 1)),
        well=float(base.well * dice.uniform(0.5, 1.5)),
        jpeg=int(dice.integers(65, 96)),
        mat=str(dice.choice(["grass", "snow", "stone", "sand"])),
        margin_modules=float(dice.choice([0.8, 1.0, 1.5])),
        glare=base.glare + float(dice.choice([0.0, 0.0, 0.5])),
        shadow=float(np.clip(base.shadow + dice.choice([0.0, 0.0, 0.4]), 0, 0.8)),
    )
    return look, name


def moving(
    table: Table, dice: Dice
) -> tuple[tuple[tuple[str, Motion], ...], tuple[HandSprite, ...]]:
    """In a third of the frames a hand reaches in, and what it pushes is blurred."""
    if dice.random() > 0.33:
        return (), ()
    unit = table.units[int(dice.integers(len(table.units)))]
    far = bool(unit.side != table.units[0].side)
    hand = HandSprite(unit.pose.x + float(dice.normal(0, 2)), unit.pose.y, far)
    dx, dy, turn = dice.normal(0, (0.06, 0.06, 1.0))
    motion = Motion(float(dx), float(dy), float(turn))
    return ((unit.id, motion),), (hand,)


# -- what lies on the picture ------------------------------------------------------------------


def with_card(picture: Picture, dice: Dice) -> Picture:
    """A dark-framed card, a die or a scrap of print somewhere: square, and no tag."""
    side = int(dice.integers(3, 9))
    cells = (dice.random((side, side)) > 0.5).astype(np.uint8)
    kind = int(dice.integers(3))
    if kind == 0:  # rows of print, as on a card
        cells = np.repeat((dice.random((1, side)) > 0.4).astype(np.uint8), side, axis=0)
    elif kind == 1:  # pips
        cells = np.ones((3, 3), np.uint8)
        cells[1, 1] = 0
    paper = np.pad(np.pad(cells, 1), 1, constant_values=1) * 190 + 30
    height, width = picture.shape[:2]
    middle = dice.uniform([0.05 * width, 0.05 * height], [0.95 * width, 0.95 * height])
    across = float(dice.uniform(14, 70))
    turn, squash = float(dice.uniform(0, 2 * np.pi)), float(dice.uniform(0.45, 1.0))
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    turned = unit @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return pasted(picture, paper.astype(np.uint8), middle + across * turned * [1.0, squash])


def with_finger(picture: Picture, corners: Floats, dice: Dice) -> Picture:
    """Something round that covers a part of a tag: a finger, a model's base, a thread of grass."""
    across = float(np.ptp(corners, axis=0).max())
    spot = corners[int(dice.integers(4))] + dice.normal(0, 0.35 * across, 2)
    radius = across * float(dice.uniform(0.1, 0.6))
    reach = math.ceil(radius) + 4
    start = np.floor(spot).astype(int) - reach
    cover = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    axes = (round(16 * radius), round(16 * radius * float(dice.uniform(0.3, 1.0))))
    middle = [round(16 * float(value)) for value in spot - start]
    turn = float(dice.uniform(0, 180))
    cv2.ellipse(cover, middle, axes, turn, 0, 360, 255, -1, cv2.LINE_AA, 4)
    colour = dice.choice(np.array([[120, 150, 205], [40, 45, 50], [200, 205, 210], [60, 110, 70]]))
    finger = np.broadcast_to(colour.astype(np.uint8), (*cover.shape, 3)).copy()
    cut = np.maximum(-start, 0)
    place = (max(int(start[0]), 0), max(int(start[1]), 0))
    return mixed(picture, finger[cut[1] :, cut[0] :], cover[cut[1] :, cut[0] :], place)


def pasted(picture: Picture, paper: Picture, corners: Floats) -> Picture:
    """A sheet of grey cells laid over four corners of the picture."""
    n = paper.shape[0]
    sheet = cv2.resize(paper, (16 * n, 16 * n), interpolation=cv2.INTER_NEAREST)
    rim = np.array([[0, 0], [16 * n, 0], [16 * n, 16 * n], [0, 16 * n]], np.float32) - 0.5
    start = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 4, 0)
    size = (np.ceil(corners.max(axis=0)).astype(int) + 5 - start).tolist()
    warp = cv2.getPerspectiveTransform(rim, (corners - start).astype(np.float32))
    seen = np.asarray(cv2.warpPerspective(sheet, warp, size, flags=cv2.INTER_AREA), np.uint8)
    cover = np.asarray(cv2.warpPerspective(np.full_like(sheet, 255), warp, size), np.uint8)
    return mixed(picture, np.repeat(seen[..., None], 3, axis=2), cover, (start[0], start[1]))


def mixed(picture: Picture, other: Picture, cover: Picture, place: tuple[int, int]) -> Picture:
    """A small picture over a large one, as soft at its rim as a lens would show it."""
    left, top = place
    part = picture[top : top + cover.shape[0], left : left + cover.shape[1]]
    rows, columns = part.shape[:2]
    share = cv2.GaussianBlur(cover, (0, 0), 0.8)[:rows, :columns, None] / 255.0
    soft = cv2.GaussianBlur(other, (0, 0), 0.7)[:rows, :columns]
    part[:] = np.rint(part * (1 - share) + soft * share)
    return picture
