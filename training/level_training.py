"""Trains the second net: it looks at a die from right above, as the mat's tags allow it, knows how
steeply the camera looks, and says whether a face is level (of a D6: which).

    python -m training.level_training --sides 6 --seconds 500 --seed 61 --out weights

Needs PyTorch and a GPU. Writes `level-d6.npz` and prints how many of the dice that lie flat are
asked about, and how many of those that lean are not, on scenes of another seed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from companion.practice.dice_picture import draw
from companion.practice.dice_solid import D6, D8, D10
from companion.vision.dice.net_weights import LEVEL_EDGES, LEVEL_PX, LEVEL_SHIFT, STEEPEST
from training.dice_scenes import SIDE, Batch, between, photographed, scenes
from training.dice_training import Block, folded, unfolded

FLAT, LEANING = 0.06, 0.22
"""Radians: a face that leans less is level, one that leans more is not; nothing is learned from
dice between them."""
SIZES = (0.86, 1.17)
"""Edges by which a die is larger than the mat's scale makes believe."""
CHANCES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


class LevelNet(nn.Module):
    """One picture of a die, and a fourth channel: how far the camera looks from aside."""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.c1, self.n1 = nn.Conv2d(4, 20, 3, 2, 1, bias=False), nn.BatchNorm2d(20)
        self.c2, self.n2 = nn.Conv2d(20, 20, 3, 1, 1, bias=False), nn.BatchNorm2d(20)
        self.c3, self.n3 = nn.Conv2d(20, 36, 3, 2, 1, bias=False), nn.BatchNorm2d(36)
        self.block = Block(36, 1)
        self.c4, self.n4 = nn.Conv2d(36, 44, 3, 2, 1, bias=False), nn.BatchNorm2d(44)
        self.c5, self.n5 = nn.Conv2d(44, 44, 3, 1, 1, bias=False), nn.BatchNorm2d(44)
        self.c6, self.n6 = nn.Conv2d(44, 12, 1, bias=False), nn.BatchNorm2d(12)
        self.head = nn.Conv2d(12, sides + 1 if sides == 6 else 2, LEVEL_PX[sides] // 8)

    def forward(self, x):
        x = F.relu(self.n1(self.c1(x)))
        x = F.relu(self.n2(self.c2(x)))
        x = self.block(F.relu(self.n3(self.c3(x))))
        x = F.relu(self.n4(self.c4(x)))
        x = F.relu(self.n5(self.c5(x)))
        return self.head(F.relu(self.n6(self.c6(x))))[:, :, 0, 0]

    def pairs(self):
        """The convolutions by the names of their weights, each with its batch norm."""
        for i in range(1, 7):
            yield f"c{i}", getattr(self, f"c{i}"), getattr(self, f"n{i}")
            if i == 3:
                yield "ba", self.block.a, self.block.na
                yield "bb", self.block.b, self.block.nb


def truth(batch: Batch, sides: int):
    """The class of each die, the last for those that lean; -1: nothing is learned from it."""
    none = torch.full_like(batch.faces, -1)
    level = batch.faces if sides == 6 else torch.zeros_like(batch.faces)
    flat = (batch.leans < FLAT) & (batch.faces >= 0) & (batch.faces < sides)
    leans = (batch.leans > LEANING) & (batch.faces == sides)
    rim = 0.5 * batch.edges[:, None, None]
    inside = ((batch.centres > rim) & (batch.centres < SIDE - rim)).all(-1)
    last = 6 if sides == 6 else 1
    found = torch.where(flat, level, torch.where(leans, torch.full_like(none, last), none))
    return torch.where(inside, found, none)


def level_views(pictures, batch: Batch, kind, sides: int):
    """Each die that something is learned from as the reader sees it, with its class."""
    rows, dice = torch.nonzero(kind >= 0, as_tuple=True)
    d, many = pictures.device, len(rows)
    kind = kind[rows, dice]
    place = torch.stack([v[:, 0, 0] for v in batch.eye.place], -1)[rows]
    top = batch.tops[rows, dice]
    ground = place + (top - place) * (place[:, 2:] / (place[:, 2:] - top[:, 2:]))
    leans = (kind == (6 if sides == 6 else 1))[:, None]
    off = torch.randn(many, 2, device=d) * torch.where(leans, 0.12, 0.06)
    ground = ground[:, :2] + off
    toward = torch.cat([place[:, :2] - ground, place[:, 2:]], -1)
    toward = toward / toward.norm(dim=-1, keepdim=True)
    doubt = torch.where(torch.rand(many, 1, device=d) < 0.2, 0.08, 0.025)
    toward = toward + doubt * torch.randn(many, 3, device=d)
    aside = toward[:, :2].norm(dim=-1, keepdim=True)
    steep = (aside / toward[:, 2:].clamp(min=0.1)).clamp(max=STEEPEST)
    down = toward[:, :2] / aside.clamp(min=1e-6)
    right = torch.stack([-down[:, 1], down[:, 0]], -1)
    size = LEVEL_EDGES / between(*SIZES, many, 1, 1, 1, device=d)
    n = LEVEL_PX[sides]
    line = (torch.arange(n, device=d) + 0.5) / n - 0.5
    shift = LEVEL_SHIFT / LEVEL_EDGES
    u, v = line[None, None, :, None] * size, (line[None, :, None, None] + shift) * size
    spots = ground[:, None, None] + u * right[:, None, None] + v * down[:, None, None]

    def of(part):
        return part[rows] if getattr(part, "ndim", 0) else part

    eye = batch.eye.__class__(
        *(tuple(of(v) for v in three) for three in (
            batch.eye.place, batch.eye.right, batch.eye.down, batch.eye.forward)),
        of(batch.eye.focal), tuple(of(v) for v in batch.eye.middle),
    )  # fmt: skip
    px, py = eye.pixel(spots[..., 0], spots[..., 1], 0.0 * spots[..., 0])
    grid = torch.stack([px, py], -1) * 2 / SIDE - 1
    seen = [
        F.grid_sample(pictures[rows[part]], grid[part], padding_mode="border", align_corners=False)
        for part in torch.arange(many, device=d).split(512)
    ]
    planes = (steep - 0.5)[:, :, None, None].expand(many, 1, n, n)
    return torch.cat([torch.cat(seen) - 0.5, planes], 1), kind


@torch.no_grad()
def scores(net, made, sides: int, rounds: int) -> str:
    """By the chance of leaning from which a die is asked about."""
    chances, kinds = [], []
    for _ in range(rounds):
        batch = made()
        seen, kind = level_views(photographed(batch.pictures), batch, truth(batch, sides), sides)
        chances.append(torch.softmax(net(seen).float(), -1))
        kinds.append(kind)
    chance, kind = torch.cat(chances), torch.cat(kinds)
    leaning = kind == chance.shape[1] - 1
    flat, many = ~leaning, max(1, int(leaning.sum()))
    face = chance[:, :-1].argmax(1)
    told = [f"{int(flat.sum())} flat, {many} leaning"]
    for level in CHANCES:
        asked = chance[:, -1] >= level
        told.append(
            f"from {level}: {float(asked[flat].float().mean()):.4f} of the flat asked about, "
            f"{int((leaning & ~asked).sum()) / many:.4f} of the leaning read, "
            f"{float(((face != kind) & ~asked)[flat].float().mean()):.5f} another face"
        )
    return "\n".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sides", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--out", type=Path, default=Path("."))
    parser.add_argument("--numerals", type=Path, help="D10: what `dice_numerals` made (.npz)")
    parser.add_argument("--symbols", type=Path, help="D8: what `dice_symbols` made (.npy)")
    parser.add_argument("--start", type=Path, help="weights of an earlier run (.npz)")
    args = parser.parse_args()
    began = time.time()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = False
    device, sides = "cuda", args.sides
    solid = {6: D6, 8: D8, 10: D10}[sides]
    hands = shapes = None
    if sides == 10:
        hands = torch.tensor(np.load(args.numerals)["glyphs"], device=device).float()
    if sides == 8:
        shapes = torch.tensor(np.load(args.symbols), device=device).float()

    def render(dice, eye, lamps, ground, pixels, glyphs, inks):
        return draw(torch, solid, dice, eye, lamps, ground, pixels, glyphs, inks)

    render = torch.compile(render)

    def made() -> Batch:
        with torch.no_grad():
            glyphs = None
            if hands is not None:
                glyphs = hands[torch.randint(len(hands), (args.batch,), device=device)]
            return scenes(args.batch, solid, device, render, glyphs, atlas=shapes, on_mat=True)

    net = LevelNet(sides).to(device).to(memory_format=torch.channels_last)
    if args.start:
        batch = made()
        views, _ = level_views(photographed(batch.pictures), batch, truth(batch, sides), sides)
        unfolded(net, args.start, views)
        told = scores(net.eval(), made, sides, 4)
        print(f"begins with {told.splitlines()[5]}", flush=True)
        net.train()
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    best = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    step, shown = 0, 0.0
    while (spent := (time.time() - began) / args.seconds) < 1:
        for group in best.param_groups:
            group["lr"] = args.rate * min(1, step / 300) * max(0.004, 1 - spent) ** 1.2
        batch = made()
        with torch.no_grad():
            pictures = photographed(batch.pictures)
            seen, kind = level_views(pictures, batch, truth(batch, sides), sides)
        if not step:
            some = ((seen[:96, :3] + 0.5) * 255).clamp(0, 255).byte()
            np.savez_compressed(args.out / f"views-d{sides}.npz", some.cpu(), kind[:96].cpu())
            print(f"compiled after {time.time() - began:.0f} s, {len(seen)} dice", flush=True)
        with torch.autocast(device, torch.bfloat16):
            out = net(seen.contiguous(memory_format=torch.channels_last))
        loss = F.cross_entropy(out.float(), kind, label_smoothing=0.002)
        if not torch.isfinite(loss):
            raise SystemExit(f"step {step}: loss {loss}")
        best.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        best.step()
        average.update_parameters(net)
        step += 1
        if time.time() - shown > 20:
            shown = time.time()
            print(f"{shown - began:5.0f} s step {step} loss {loss:.4f}", flush=True)
    final = average.module.eval()
    np.savez_compressed(args.out / f"level-d{sides}.npz", **folded(final))
    torch.manual_seed(args.seed + 1000)
    print(f"{step} steps of {args.batch} scenes; {scores(final, made, sides, 60)}", flush=True)


if __name__ == "__main__":
    main()
