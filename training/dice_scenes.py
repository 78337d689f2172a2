"""Random scenes of dice for training: cameras, lamps, materials, grounds, and faults of pictures.

The materials of the practice camera and of tests differ (`companion/practice/dice_throw.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F

from companion.practice.dice_picture import Dice, Eye, Lamps
from companion.practice.dice_solid import Solid, corners

SIDE = 128
"""Width and height of a training picture, in pixels."""

MOST_DICE = 5
NUMBERS = (
    "bevel",
    "ball",
    "softness",
    "mark_size",
    "spacing",
    "mirrored",
    "gloss",
    "clear",
    "veil",
    "logo",
)


@dataclass
class Batch:
    pictures: torch.Tensor  # B,3,SIDE,SIDE in 0..1
    centres: torch.Tensor  # B,K,2 pixels
    faces: (
        torch.Tensor
    )  # B,K: class, the last class for "no face is clearly up", -1 none, -2 ignore
    edges: torch.Tensor  # B: pixels
    kinds: torch.Tensor | None  # B,sides: the symbol of each face of a D8
    leans: torch.Tensor  # B,K: radians from level, of the face that is most level
    tops: torch.Tensor  # B,K,3: what a finder calls the middle of the upper face, in edges
    eye: Eye  # in pixels of the picture


LOOKS = 4
"""So many scenes in a row show one player's D8: seen once, they must be known in the others."""
PALETTE = (
    (0.75, 0.06, 0.06), (0.06, 0.45, 0.12), (0.06, 0.16, 0.7), (0.85, 0.7, 0.1), (0.03, 0.03, 0.03),
    (0.95, 0.95, 0.92), (0.4, 0.08, 0.5), (0.9, 0.4, 0.05),
)  # fmt: skip


def symbols(B, atlas, colour, device):
    """Glyphs, colours and symbols of the faces of D8 whose bodies have a colour (B,3)."""
    shape = torch.randint(len(atlas), (B, 8), device=device)
    ink = torch.rand(B, 8, device=device).argsort(1)
    alike = torch.rand(B, 8, device=device) < torch.rand(B, 1, device=device)
    shape = torch.where(alike, shape[:, :1], shape)  # shields that differ by their colours alone
    ink = torch.where(~alike & (torch.rand(B, 1, device=device) < 0.3), ink[:, :1], ink)
    again = torch.randint(8, (B, 8), device=device)
    own = torch.arange(8, device=device).expand(B, 8)
    kinds = torch.where((torch.rand(B, 8, device=device) < 0.35) & (again < own), again, own)
    kinds = torch.gather(kinds, 1, kinds)
    shape, ink = torch.gather(shape, 1, kinds), torch.gather(ink, 1, kinds)
    palette = torch.tensor(PALETTE, device=device)
    inks = palette * between(0.75, 1.25, B, 1, 1, device=device) + between(
        -0.05, 0.05, B, 8, 3, device=device
    )
    inks = torch.gather(inks, 1, ink[..., None].expand(B, 8, 3)).clamp(0.01, 1)
    low = (inks - colour[:, None]).abs().amax(-1, keepdim=True) < 0.25
    away = torch.where(colour.mean(-1)[:, None, None] < 0.4, inks + 0.4, inks * 0.2)
    return atlas[shape], torch.where(low, away, inks).clamp(0.01, 1), kinds


def between(low, high, *shape, device, power=1.0):
    return low + (high - low) * torch.rand(*shape, device=device) ** power


def rotation_about(axis, angle):
    """Matrices by Rodrigues: axis (...,3), angle (...)."""
    x, y, z = axis.unbind(-1)
    zero = torch.zeros_like(x)
    cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).reshape(*x.shape, 3, 3)
    eye = torch.eye(3, device=axis.device)
    s, c = torch.sin(angle)[..., None, None], torch.cos(angle)[..., None, None]
    return eye + s * cross + (1 - c) * (cross @ cross)


def resting(solid: Solid, B: int, K: int, device):
    """Turns that put a random face up, and the index of that face."""
    normals = torch.tensor(solid.normals, device=device, dtype=torch.float32)
    rights = torch.tensor(solid.rights, device=device, dtype=torch.float32)
    up = torch.randint(len(solid.normals), (B, K), device=device)
    n, r = normals[up], rights[up]
    u = torch.cross(n, r, dim=-1)
    base = torch.stack([r, u, n], -2)  # own -> world with n up
    yaw = between(0, math.tau, B, K, device=device)
    z = torch.zeros(B, K, 3, device=device)
    z[..., 2] = 1
    return rotation_about(z, yaw) @ base, up


def lowest(solid: Solid, turn, ball):
    """How far below its middle a turned die reaches; its corners are rounded by the ball."""
    places = torch.tensor(corners(solid), device=turn.device, dtype=torch.float32)
    return torch.minimum(-(turn[..., 2, :] @ places.T).amin(-1), ball)


def grounds(B, S, device):
    """Pictures of tables: plain, noisy, woven, wooden, patterned, printed, dark mats."""
    base = torch.rand(B, 3, 1, 1, device=device)
    grey = torch.rand(B, 1, 1, 1, device=device)
    tint = torch.rand(B, 1, 1, 1, device=device) ** 3
    picture = (grey * (1 - tint) + base * tint).expand(B, 3, S, S).clone()
    dark = (torch.rand(B, 1, 1, 1, device=device) < 0.25).float()
    picture = picture * (1 - 0.75 * dark)
    amount = 0.3 * torch.rand(B, 1, 1, 1, device=device) ** 3
    for size in (2, 4, 8, 16, 32, 64, 128):
        wide = size if torch.rand(()) < 0.7 else max(2, size // 8)
        channels = 3 if torch.rand(()) < 0.15 else 1
        noise = torch.randn(B, channels, size, wide, device=device)
        noise = F.interpolate(noise, (S, S), mode="bilinear", align_corners=False)
        picture = picture + amount * torch.rand(B, 1, 1, 1, device=device) ** 2 * noise
    ys, xs = torch.meshgrid(
        torch.linspace(-1, 1, S, device=device),
        torch.linspace(-1, 1, S, device=device),
        indexing="ij",
    )
    for _ in range(2):  # woven
        f = between(10, 90, B, 1, 1, device=device)
        a = between(0, math.pi, B, 1, 1, device=device)
        wave = torch.sin(f * (xs * torch.cos(a) + ys * torch.sin(a)))
        on = (torch.rand(B, 1, 1, device=device) < 0.15).float() * 0.12
        picture = picture + (on * wave)[:, None]
    for _ in range(3):  # other sheets, edges of boards
        a = between(0, math.tau, B, 1, 1, device=device)
        d = between(-0.2, 1.2, B, 1, 1, device=device)
        side = (xs * torch.cos(a) + ys * torch.sin(a) > d) & (
            torch.rand(B, 1, 1, device=device) < 0.25
        )
        colour = torch.rand(B, 1, 1, 1, device=device) + 0.3 * torch.randn(
            B, 3, 1, 1, device=device
        )
        picture = torch.where(side[:, None], 0.7 * colour + 0.3 * picture, picture)
    for k in range(10):  # printed discs, rings, dots like pips, bars
        x, y = between(-1, 1, B, 1, 1, device=device), between(-1, 1, B, 1, 1, device=device)
        r = between(0.02, 0.3 if k < 4 else 0.07, B, 1, 1, device=device, power=2)
        squeeze = between(0.3, 1.0, B, 1, 1, device=device)
        apart = torch.sqrt((xs - x) ** 2 + ((ys - y) / squeeze) ** 2)
        if k % 3 == 2:
            apart = torch.maximum((xs - x).abs(), (ys - y).abs() / squeeze)
        ring = torch.rand(B, 1, 1, device=device) < 0.3
        shape = (
            (apart < r) & (~ring | (apart > 0.7 * r)) & (torch.rand(B, 1, 1, device=device) < 0.22)
        )
        picture = torch.where(shape[:, None], torch.rand(B, 3, 1, 1, device=device), picture)
    return picture.clamp(0.01, 1.0)


def mats(picture, eye: Eye, over: int):
    """Most tables covered by a dice mat: dark, with lighter dots in staggered rows."""
    B, _, S, _ = picture.shape
    d = picture.device
    line = (torch.arange(S, device=d, dtype=torch.float32) + 0.5) * over
    way = eye.rays(torch, line[None, None], line[None, :, None])
    far = -eye.place[2] / way[2].clamp(max=-1e-3)
    x, y = (p + far * w for p, w in zip(eye.place[:2], way[:2], strict=True))
    turn, step = between(0, math.tau, B, 1, 1, device=d), between(0.34, 0.6, B, 1, 1, device=d)
    c, s = turn.cos(), turn.sin()
    across, down = (c * x + s * y) / step + between(0, 1, B, 1, 1, device=d), (c * y - s * x) / step
    row = torch.floor(down)
    column = across + 0.5 * (row % 2)
    off = torch.maximum((column - torch.floor(column) - 0.5).abs(), (down - row - 0.5).abs())
    soft = off * 0 + 1.2 * over * far / eye.focal / step
    dot = ((0.064 + soft / 2 - off) / soft).clamp(0, 1)
    tint = 1 + 0.08 * torch.randn(B, 3, 1, 1, device=d)
    grey, lighter = between(0.03, 0.3, B, 1, 1, device=d), between(1.2, 2.6, B, 1, 1, device=d)
    printed = (grey * (1 + (lighter - 1) * dot))[:, None] * tint
    printed = printed + 0.15 * (picture - picture.mean((2, 3), keepdim=True)) * grey[:, None]
    covered = torch.rand(B, 1, 1, 1, device=d) < 0.75
    return torch.where(covered, printed, picture).clamp(0.01, 1.0)


def materials(B, K, device, mark_low, mark_high, spacing):
    """Colours and shapes of dice: mostly alike within a scene."""
    same = torch.rand(B, 1, device=device) < 0.65

    def pick(low, high, power=1.0):
        each = between(low, high, B, K, device=device, power=power)
        return torch.where(same, each[:, :1], each)

    kind = pick(0, 1)
    hue = torch.stack([pick(0, 1), pick(0, 1), pick(0, 1)], -1)
    white = (kind < 0.34)[..., None]
    black = ((kind >= 0.34) & (kind < 0.46))[..., None]
    ivory = 1 - torch.stack([pick(0, 0.12), pick(0.02, 0.2), pick(0.05, 0.45)], -1)
    vivid = (hue - hue.min(-1, keepdim=True).values) / (
        hue.max(-1, keepdim=True).values - hue.min(-1, keepdim=True).values + 1e-3
    )
    vivid = vivid * pick(0.25, 1.0)[..., None] + pick(0.0, 0.25)[..., None]
    body = torch.where(white, ivory, torch.where(black, 0.02 + 0.13 * hue, vivid)).clamp(0.01, 1)
    light = (body * torch.tensor([0.3, 0.59, 0.11], device=device)).sum(-1)
    ink_light = torch.stack([pick(0.75, 1.0)] * 3, -1) * (
        1 - torch.stack([pick(0, 0.2)] * 3, -1) * hue
    )
    ink_dark = pick(0.0, 0.16)[..., None] * (0.4 + 0.6 * hue.flip(-1))
    gold = torch.stack([pick(0.7, 0.95), pick(0.5, 0.75), pick(0.1, 0.4)], -1)
    flip = pick(0, 1)
    ink = torch.where(((light < 0.5) ^ (flip < 0.06))[..., None], ink_light, ink_dark)
    ink = torch.where(((flip > 0.93) & (light < 0.35))[..., None], gold, ink)
    too_near = (ink - body).abs().max(-1).values < 0.35
    ink = torch.where(
        too_near[..., None],
        torch.where((light < 0.5)[..., None], torch.ones_like(ink), torch.zeros_like(ink)),
        ink,
    )
    clear = ((pick(0, 1) < 0.16) & ~white[..., 0]).float() * pick(0.5, 1.0)
    return {
        "colour": body,
        "mark": ink,
        "clear": clear,
        "bevel": pick(0.58, 0.705, 0.7),
        "ball": pick(0.68, 0.87, 0.8),
        "softness": pick(0.008, 0.06),
        "mark_size": pick(mark_low, mark_high),
        "spacing": pick(*spacing),
        "gloss": pick(0, 0.9, 2),
        "veil": pick(0, 0.7, 2.5),
        "logo": (pick(0, 1) < 0.12).float() * pick(0.3, 0.9),
        "mirrored": torch.where(pick(0, 1) < 0.5, 1.0, -1.0),
    }


def unit(v):
    return v / v.norm(dim=-1, keepdim=True)


def scenes(
    B: int,
    solid: Solid,
    device,
    render,
    glyphs=None,
    over=2,
    atlas=None,
    unmarked=None,
    on_mat=False,
) -> Batch:
    """A batch of pictures with their truth; `unmarked` (B) are D10 whose 6 and 9 have no mark.
    Dice `on_mat` are seen by the cameras of tables, and many of them lean."""
    K, S = MOST_DICE, SIDE * over
    sides = len(solid.normals)
    edge = 17 * (40 / 17) ** torch.rand(B, device=device)
    if sides == 10:
        edge = 22 * 2.2 ** torch.rand(B, device=device)
    if sides == 8:
        edge = 32 * 1.9 ** torch.rand(B, device=device)
    if on_mat:
        edge = (18 if sides == 6 else 22) * 2.2 ** torch.rand(B, device=device)
    high = torch.rand(B, device=device)
    low = 38 if on_mat else 28
    elevation = torch.deg2rad(low + (90 - low) * high**0.7)
    azimuth, roll = between(0, math.tau, B, device=device), between(-0.3, 0.3, B, device=device)
    roll = torch.where(
        torch.rand(B, device=device) < 0.25, between(0, math.tau, B, device=device), roll
    )
    near, far = (18, 90) if on_mat else (7, 70)
    distance = near * (far / near) ** torch.rand(B, device=device)
    focal = edge * distance * over
    ce, se, ca, sa = elevation.cos(), elevation.sin(), azimuth.cos(), azimuth.sin()
    away = torch.stack([ce * ca, ce * sa, se], -1)
    target = torch.zeros(B, 3, device=device)
    target[:, 2] = 0.4
    place = target + distance[:, None] * away
    forward = -away
    right = torch.stack([-sa, ca, torch.zeros_like(sa)], -1)
    down = torch.cross(forward, right, dim=-1)
    cr, sr = roll.cos()[:, None], roll.sin()[:, None]
    right, down = cr * right + sr * down, cr * down - sr * right

    reach = SIDE / edge / 2 * 0.85
    across, deep = between(-1, 1, B, K, device=device), between(-1, 1, B, K, device=device)
    deep = deep / se[:, None].clamp(min=0.5)
    spot = torch.stack([across, deep], -1) * reach[:, None, None]
    number = torch.randint(1, K + 1, (B, 1), device=device)
    number = torch.where(torch.rand(B, 1, device=device) < 0.03, torch.zeros_like(number), number)
    present = torch.arange(K, device=device)[None] < number
    gap = between(1.08, 1.55, B, 1, 1, device=device)
    if sides != 6:
        gap = gap * 1.15
    for _ in range(24):  # push dice apart
        off = spot[:, :, None] - spot[:, None]
        dist = off.norm(dim=-1).clamp(min=1e-3) + 10 * torch.eye(K, device=device)
        push = ((gap - dist).clamp(min=0) / 2)[..., None] * off / dist[..., None]
        spot = spot + push.sum(2)
    ground_right = torch.stack([-sa, ca], -1)
    ground_deep = torch.stack([-ca, -sa], -1)
    xy = spot[..., :1] * ground_right[:, None] + spot[..., 1:] * ground_deep[:, None]

    turn, up = resting(solid, B, K, device)
    often = 0.45 if on_mat else 0.12 if sides == 10 else 0.06
    cocked = torch.rand(B, K, device=device) < often
    lean = torch.where(
        cocked,
        between(0.2 if on_mat else 0.25, 0.75, B, K, device=device),
        between(-0.03, 0.03, B, K, device=device),
    )
    a = between(0, math.tau, B, K, device=device)
    axis = torch.stack([a.cos(), a.sin(), torch.zeros_like(a)], -1)
    turn = rotation_about(axis, lean) @ turn
    size = torch.where(
        torch.rand(B, 1, device=device) < 0.8,
        torch.ones(B, K, device=device),
        between(0.85, 1.15, B, K, device=device),
    )
    look = materials(
        B,
        K,
        device,
        *((0.075, 0.135, (0.2, 0.29)) if sides == 6 else (-0.02, 0.02, (0.3, 0.42))),
    )
    inks = kinds = None
    if atlas is not None:
        look = {name: value[::LOOKS, :1] for name, value in look.items()}
        look["spacing"] = between(0.2, 0.28, B // LOOKS, 1, device=device)
        found = symbols(B // LOOKS, atlas, look["colour"][:, 0], device)
        glyphs, inks, kinds = (one.repeat_interleave(LOOKS, 0) for one in found)
        look = {
            name: value.repeat_interleave(LOOKS, 0).repeat(1, K, *[1] * (value.ndim - 2))
            for name, value in look.items()
        }
        look["ball"] = between(0.55, 0.72, B // LOOKS, 1, device=device).repeat_interleave(LOOKS, 0)
        look["ball"] = look["ball"].repeat(1, K)
        look["softness"] = 0.5 * look["softness"]
    if sides == 10:
        look["ball"] = between(0.6, 0.78, B, K, device=device)
        look["softness"] = 0.5 * look["softness"]
    z = lowest(solid, turn, look["ball"]) * size
    blank = torch.rand(B, K, device=device) < (0.04 if atlas is None else 0.0)
    look["mark_size"] = torch.where(
        blank, torch.full_like(look["mark_size"], -1.0), look["mark_size"]
    )

    def wide(t):
        return t[:, None, None]

    def per_die(t):  # B,K -> K,B,1,1
        return t.T[:, :, None, None]

    dice = Dice(
        middle=(per_die(xy[..., 0]), per_die(xy[..., 1]), per_die(z)),
        turn=tuple(per_die(turn[..., i // 3, i % 3]) for i in range(9)),
        size=per_die(size),
        colour=tuple(per_die(look["colour"][..., i]) for i in range(3)),
        mark=tuple(per_die(look["mark"][..., i]) for i in range(3)),
        present=per_die(present.float()),
        **{key: per_die(look[key]) for key in NUMBERS},
    )

    def triple(t):
        return tuple(wide(t[:, i]) for i in range(3))

    lamp = unit(
        torch.cat([torch.randn(B, 2, device=device), between(0.25, 2.5, B, 1, device=device)], 1)
    )
    lamp2 = unit(
        torch.cat([torch.randn(B, 2, device=device), between(0.25, 2.5, B, 1, device=device)], 1)
    )
    everywhere = between(0.15, 0.8, B, device=device)
    first = between(0.1, 1.0, B, device=device)
    second = torch.where(
        torch.rand(B, device=device) < 0.4,
        between(0.1, 0.6, B, device=device),
        torch.zeros(B, device=device),
    )
    level = between(0.55, 1.15, B, device=device) / (everywhere + 0.6 * first + 0.6 * second)
    ceiling = unit(
        torch.cat([0.6 * torch.randn(B, 2, device=device), torch.ones(B, 1, device=device)], 1)
    )
    lamps = Lamps(
        triple(lamp),
        triple(lamp2),
        (wide(first * level), wide(second * level), wide(everywhere * level)),
        wide(between(0.05, 0.9, B, device=device, power=2)),
        triple(ceiling),
    )
    shift = between(-0.5, 0.5, B, 2, device=device)
    eye = Eye(
        triple(place),
        triple(right),
        triple(down),
        triple(forward),
        wide(focal),
        (wide(S / 2 + shift[:, 0]), wide(S / 2 + shift[:, 1])),
    )
    rows, columns = torch.meshgrid(
        torch.arange(S, device=device, dtype=torch.float32),
        torch.arange(S, device=device, dtype=torch.float32),
        indexing="ij",
    )
    ground = grounds(B, SIDE, device)
    if on_mat:
        ground = mats(ground, eye, over)
    ground = F.interpolate(ground, (S, S), mode="bilinear", align_corners=False)
    rgb, owner = render(
        dice,
        eye,
        lamps,
        tuple(ground[:, i] for i in range(3)),
        (columns[None], rows[None]),
        glyphs,
        inks,
    )
    picture = F.avg_pool2d(torch.stack(rgb, 1).nan_to_num(0.5, 1.0, 0.0).clamp(0, 8), over)

    tops = torch.stack(
        [xy[..., 0], xy[..., 1], z + torch.where(cocked, z * 0.5, solid.height * size)], -1
    )
    px, py = eye.pixel(tops[:, None, :, 0], tops[:, None, :, 1], tops[:, None, :, 2])
    centres = torch.stack([px[:, 0], py[:, 0]], -1) / over
    seen = torch.stack([(owner == k).sum((1, 2)) for k in range(K)], 1).float()
    expected = (edge[:, None] * over * size) ** 2 * (se[:, None] + 0.9 * ce[:, None])
    if sides == 8:
        expected = 0.8 * (edge[:, None] * over * size) ** 2
    share = seen / expected
    inside = ((centres > 4) & (centres < SIDE - 4)).all(-1)
    value = torch.tensor(solid.values, device=device)[up] - 1
    unclear = cocked | (share < 0.6)
    if unmarked is not None:
        unclear = unclear | (unmarked[:, None] & ((value == 5) | (value == 8)))
    faces = torch.where(unclear, torch.full_like(value, sides), value)
    faces = torch.where((share < 0.3) | ~inside, torch.full_like(faces, -2), faces)
    faces = torch.where(blank, torch.full_like(faces, -2), faces)
    faces = torch.where(present, faces, torch.full_like(faces, -1))
    normals = torch.tensor(solid.normals, device=device, dtype=torch.float32)
    leans = torch.arccos((turn[..., 2, :] @ normals.T).amax(-1).clamp(max=1 - 1e-7))
    smaller = replace(eye, focal=eye.focal / over, middle=tuple(v / over for v in eye.middle))
    return Batch(picture, centres, faces, edge, kinds, leans, tops, smaller)


def photographed(x: torch.Tensor) -> torch.Tensor:
    """What a camera does to a picture: falloff, colour, blur, small sizes, noise, JPEG, halos."""
    B, _, S, _ = x.shape
    d = x.device
    ys, xs = torch.meshgrid(
        torch.linspace(-1, 1, S, device=d), torch.linspace(-1, 1, S, device=d), indexing="ij"
    )
    a, b = 0.25 * torch.randn(2, B, 1, 1, device=d)
    x = x * (1 + a * xs + b * ys).clamp(0.3, 1.7)[:, None]
    x = x * between(0.8, 1.2, B, 3, 1, 1, device=d)
    x = x.clamp(0, 4)
    x = x / (1 + 0.25 * x) * 1.2  # shoulder of the film curve
    x = x.clamp(1e-4, 1) ** between(0.5, 1.1, B, 1, 1, 1, device=d)
    x = x * between(0.5, 1.1, B, 1, 1, 1, device=d) + between(-0.03, 0.08, B, 1, 1, 1, device=d)
    n = 8
    order = torch.randperm(B, device=d)
    parts = []
    for group in order.chunk(n):  # blur and size are drawn per group
        g = x[group]
        if torch.rand(()) < 0.5:
            s = int(S * (0.4 + 0.55 * torch.rand(()).item()))
            g = F.interpolate(g, (s, s), mode="bilinear", antialias=True, align_corners=False)
            g = jpeg(noise(g)) if torch.rand(()) < 0.6 else g
            g = F.interpolate(
                g,
                (S, S),
                mode="bilinear" if torch.rand(()) < 0.5 else "bicubic",
                align_corners=False,
            )
        sigma = 1.5 * torch.rand(()).item() ** 2
        if sigma > 0.15:
            t = torch.arange(-4, 5, device=d, dtype=torch.float32)
            k = torch.exp(-(t**2) / (2 * sigma**2))
            k = (k / k.sum()).expand(3, 1, 9)
            wide_k = k if torch.rand(()) > 0.2 else F.pad(torch.ones(3, 1, 1, device=d), (4, 4))
            g = F.conv2d(F.pad(g, (4, 4, 4, 4), mode="reflect"), k[:, :, None], groups=3)
            g = F.conv2d(g, wide_k[..., None], groups=3)
        if torch.rand(()) < 0.4:
            soft = F.avg_pool2d(F.pad(g, (1, 1, 1, 1), mode="reflect"), 3, 1)
            g = g + (0.3 + 1.2 * torch.rand(()).item()) * (g - soft)
        parts.append(g)
    x = torch.empty_like(x).index_copy_(0, order, torch.cat(parts))
    x = noise(x)
    half = torch.rand(B, 1, 1, 1, device=d) < 0.5
    return torch.where(half, jpeg(x), x).clamp(0, 1)


def noise(x):
    B, _, S, _ = x.shape
    amount = 0.05 * torch.rand(B, 1, 1, 1, device=x.device) ** 2
    return x + amount * (torch.randn_like(x) * 0.6 + 0.6 * torch.randn(B, 1, S, S, device=x.device))


def _dct(d):
    i = torch.arange(8, device=d, dtype=torch.float32)
    m = torch.cos((2 * i[None] + 1) * i[:, None] * math.pi / 16) * math.sqrt(2 / 8)
    m[0] = math.sqrt(1 / 8)
    return m


def jpeg(x):
    """Rounding of cosine coefficients in blocks of eight."""
    B, _, H, W = x.shape
    h, w = (H + 7) // 8 * 8, (W + 7) // 8 * 8
    y = F.pad(x, (0, w - W, 0, h - H), mode="replicate")
    mean = y.mean(1, keepdim=True)
    y = torch.cat([mean, y - mean], 1)
    m = _dct(x.device)
    blocks = y.reshape(B, 4, h // 8, 8, w // 8, 8)
    c = torch.einsum("ia,bcxayd,jd->bcxiyj", m, blocks, m)
    i = torch.arange(8, device=x.device)
    step = (0.01 + 0.012 * (i[:, None] + i[None])) * (
        0.2 + 2.0 * torch.rand(B, 1, 1, 1, 1, 1, device=x.device) ** 2
    )
    step = (
        step.reshape(B, 1, 1, 8, 1, 8)
        * torch.tensor([1.0, 2, 2, 2], device=x.device)[None, :, None, None, None, None]
    )
    c = torch.round(c / step) * step
    y = torch.einsum("ia,bcxiyj,jd->bcxayd", m, c, m).reshape(B, 4, h, w)
    return (y[:, :1] + y[:, 1:])[:, :, :H, :W]
