"""Trains the net that finds dice and reads their upper faces, on rendered dice alone.

    python -m training.dice_training --sides 6 --seconds 500 --seed 1 --out weights

Needs PyTorch and a GPU. Writes `dice-d6.npz` (16-bit weights, the batch norms folded in) and prints
the scores on scenes of another seed. The net is run by `companion.vision.dice.dice_net`.
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
from companion.practice.dice_solid import D6, D10
from training.dice_scenes import SIDE, Batch, photographed, scenes

STRIDE = 4
WIDTH = 48
DILATIONS = (1, 2, 1, 3, 1, 2)


class Block(nn.Module):
    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.a = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.na = nn.BatchNorm2d(width)
        self.b = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.nb = nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(x + self.nb(self.b(F.relu(self.na(self.a(x))))))


class DiceNet(nn.Module):
    """Cells of four pixels: is the middle of an upper face here, and which face is it?"""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.stem1, self.n1 = nn.Conv2d(3, 24, 3, 2, 1, bias=False), nn.BatchNorm2d(24)
        self.stem2, self.n2 = nn.Conv2d(24, 32, 3, 1, 1, bias=False), nn.BatchNorm2d(32)
        self.stem3, self.n3 = nn.Conv2d(32, WIDTH, 3, 2, 1, bias=False), nn.BatchNorm2d(WIDTH)
        self.blocks = nn.ModuleList(Block(WIDTH, d) for d in DILATIONS)
        self.head = nn.Conv2d(WIDTH, 2 + sides, 1)
        nn.init.constant_(self.head.bias[:1], -3.0)

    def forward(self, x):
        x = x - 0.5
        x = F.relu(self.n1(self.stem1(x)))
        x = F.relu(self.n2(self.stem2(x)))
        x = F.relu(self.n3(self.stem3(x)))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def targets(batch: Batch, sides: int):
    """Heat, its weight, and the class of each cell (-1: none)."""
    n = SIDE // STRIDE
    d = batch.pictures.device
    grid = (torch.arange(n, device=d) + 0.5) * STRIDE
    cx, cy = batch.centres[..., 0, None, None], batch.centres[..., 1, None, None]
    apart = torch.sqrt(
        (grid[None, None, None, :] - cx) ** 2 + (grid[None, None, :, None] - cy) ** 2
    )
    edge = batch.edges[:, None, None, None]
    face = batch.faces[..., None, None]
    sigma = (0.16 * edge).clamp(min=2.8)
    heat = torch.where(face >= 0, torch.exp(-(apart**2) / (2 * sigma**2)), 0.0 * apart).amax(1)
    ignored = ((face == -2) & (apart < 0.7 * edge)).any(1)
    nearest = torch.where(face >= 0, apart / edge, apart * 0 + 9)
    closest = nearest.min(1)
    kind = torch.gather(batch.faces, 1, closest.indices.flatten(1)).reshape(closest.indices.shape)
    kind = torch.where(closest.values < 0.24, kind, -1)
    return heat, (~ignored).float(), kind


def loss_of(out, heat, weight, kind):
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    hot = (heat > 0.8).float()
    gain = hot * (1 - p) ** 2 * torch.log(p) + (1 - hot) * (1 - heat) ** 4 * p**2 * torch.log(1 - p)
    found = -(gain * weight).sum() / hot.sum().clamp(min=1)
    read = F.cross_entropy(out[:, 1:], kind, ignore_index=-1, label_smoothing=0.02)
    return found + read, found, read


def folded(net: DiceNet) -> dict[str, np.ndarray]:
    """Convolutions with their batch norms folded in, as 16-bit numbers."""
    pairs = [
        ("stem1", net.stem1, net.n1),
        ("stem2", net.stem2, net.n2),
        ("stem3", net.stem3, net.n3),
    ]
    for i, block in enumerate(net.blocks):
        pairs += [(f"block{i}a", block.a, block.na), (f"block{i}b", block.b, block.nb)]
    kept = {}
    for name, conv, norm in pairs:
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        kept[f"{name}.weight"] = conv.weight * scale[:, None, None, None]
        kept[f"{name}.bias"] = norm.bias - norm.running_mean * scale
    kept["head.weight"], kept["head.bias"] = net.head.weight, net.head.bias
    return {k: v.detach().float().cpu().numpy().astype(np.float16) for k, v in kept.items()}


@torch.no_grad()
def scores(net, made, rounds: int) -> str:
    """Faces right at the true places, and how sure right and wrong ones are."""
    right = total = sure = sure_wrong = 0
    for _ in range(rounds):
        batch = made()
        out = net(photographed(batch.pictures))
        inside = batch.faces >= 0
        cell = (batch.centres / STRIDE).long().clamp(0, SIDE // STRIDE - 1)
        rows = torch.arange(len(out), device=out.device)[:, None].expand_as(batch.faces)
        here = out[rows, :, cell[..., 1], cell[..., 0]]
        p = torch.softmax(here[..., 1:].float(), -1)
        best = p.max(-1)
        ok = best.indices == batch.faces
        total += inside.sum().item()
        right += (ok & inside).sum().item()
        firm = inside & (best.values > 0.9) & (torch.sigmoid(here[..., 0]) > 0.3)
        sure += firm.sum().item()
        sure_wrong += (firm & ~ok).sum().item()
    wrong = sure_wrong / max(1, sure)
    return (
        f"right {right / total:.4f} of {total}; sure {sure / total:.3f}, of these wrong {wrong:.5f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sides", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--out", type=Path, default=Path("."))
    parser.add_argument(
        "--numerals", type=Path, help="D10: what `dice_numerals.numeral_atlas` gave (.npy)"
    )
    parser.add_argument(
        "--start",
        type=Path,
        help="weights of an earlier run (.pt); layers of another shape begin anew",
    )
    args = parser.parse_args()
    began = time.time()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    device = "cuda"
    solid = {6: D6, 10: D10}[args.sides]
    atlas = None
    if args.sides == 10:
        atlas = torch.tensor(np.load(args.numerals), device=device)

    def render(dice, eye, lamps, ground, pixels, glyphs):
        return draw(torch, solid, dice, eye, lamps, ground, pixels, glyphs)

    render = torch.compile(render)

    def made() -> Batch:
        with torch.no_grad():
            glyphs = None
            if atlas is not None:
                glyphs = atlas[torch.randint(len(atlas), (args.batch,), device=device)]
            return scenes(args.batch, solid, device, render, glyphs)

    first = made()
    torch.cuda.synchronize()
    np.save(args.out / "first.npy", (photographed(first.pictures[:24]) * 255).byte().cpu().numpy())
    print(f"not numbers: {first.pictures.isnan().sum()}, {first.centres.isnan().sum()}", flush=True)
    print(f"compiled after {time.time() - began:.0f} s", flush=True)
    net = DiceNet(args.sides).to(device).to(memory_format=torch.channels_last)
    if args.start:
        earlier = torch.load(args.start, map_location=device)
        fitting = {k: v for k, v in earlier.items() if v.shape == net.state_dict()[k].shape}
        net.load_state_dict(fitting, strict=False)
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    step, faults, shown = 0, 0, time.time()
    while (spent := (time.time() - began) / args.seconds) < 1:
        for group in best.param_groups:
            group["lr"] = 2.5e-3 * min(1, step / 300) * max(0.01, 1 - spent) ** 1.2
        batch = made()
        with torch.no_grad():
            pictures = photographed(batch.pictures)
            heat, weight, kind = targets(batch, args.sides)
        with torch.autocast(device, torch.bfloat16):
            out = net(pictures.contiguous(memory_format=torch.channels_last))
        loss, found, read = loss_of(out.float(), heat, weight, kind)
        if not torch.isfinite(loss):
            faults += 1
            print(f"step {step}: loss {loss}, output {out.isnan().sum()}", flush=True)
            if faults > 5:
                raise SystemExit("no finite loss")
            continue
        best.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        best.step()
        average.update_parameters(net)
        step += 1
        if time.time() - shown > 20:
            shown = time.time()
            print(
                f"{time.time() - began:5.0f} s step {step} found {found:.3f} read {read:.3f}",
                flush=True,
            )
    final = average.module.eval()
    torch.manual_seed(args.seed + 1000)
    print(f"{step} steps of {args.batch}; {scores(final, made, 40)}", flush=True)
    np.savez_compressed(args.out / f"dice-d{args.sides}.npz", **folded(final))
    torch.save(net.state_dict(), args.out / f"dice-d{args.sides}.pt")


if __name__ == "__main__":
    main()
