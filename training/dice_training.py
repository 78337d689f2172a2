"""Trains the net that finds dice and reads their upper faces, on rendered dice alone.

    python -m training.dice_training --sides 6 --seconds 500 --seed 1 --out weights

Needs PyTorch and a GPU. Writes `dice-d6.npz` (8-bit weights, the batch norms folded in) and prints
the scores on scenes of another seed. The net is run by `companion.vision.dice.dice_net`.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from companion.practice.dice_picture import draw
from companion.practice.dice_solid import D6, D8, D10
from companion.vision.dice.net_weights import DILATIONS, STEPS, read_weights
from training.dice_scenes import LOOKS, SIDE, Batch, photographed, scenes

STRIDE = 4
WIDTH = 48
TRAITS = 32
"""So many numbers tell the symbols of a D8 apart, whatever they are."""
LIKENESS = 16.0
"""How much more likely a symbol is, as a logarithm, that is alike in all traits than in none."""


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
        self.head = nn.Conv2d(WIDTH, 2 + (TRAITS if sides == 8 else sides), 1)
        nn.init.constant_(self.head.bias[:1], -3.0)

    def forward(self, x):
        x = x - 0.5
        x = F.relu(self.n1(self.stem1(x)))
        x = F.relu(self.n2(self.stem2(x)))
        x = F.relu(self.n3(self.stem3(x)))
        for block in self.blocks:
            x = block(x)
        return self.head(x)

    def pairs(self):
        """The convolutions by the names of their weights, each with its batch norm."""
        yield from (
            ("stem1", self.stem1, self.n1), ("stem2", self.stem2, self.n2),
            ("stem3", self.stem3, self.n3),
        )  # fmt: skip
        for i, block in enumerate(self.blocks):
            yield f"block{i}a", block.a, block.na
            yield f"block{i}b", block.b, block.nb


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


def traits_of(out, batch: Batch, jitter: int = 1):
    """What the net says about each true die: its traits, and the logit of leaning."""
    cell = (batch.centres / STRIDE).long()
    cell = (cell + torch.randint(-jitter, jitter + 1, cell.shape, device=out.device)).clamp(
        0, SIDE // STRIDE - 1
    )
    around = F.avg_pool2d(out, 3, 1, 1, count_include_pad=False)
    rows = torch.arange(len(out), device=out.device)[:, None].expand_as(batch.faces)
    here = around[rows, :, cell[..., 1], cell[..., 0]]
    traits = here[..., 1:-1]
    traits = traits * torch.rsqrt(1 + (traits * traits).sum(-1, keepdim=True))
    return traits, here[..., -1], here[..., 0]


def likeness(traits, batch: Batch):
    """Each die of a player beside one die of each symbol, seen in another scene: logits of the
    symbols (minus infinity where none was shown), and the true ones."""
    groups, many = len(traits) // LOOKS, traits.shape[1] * LOOKS
    traits = traits.reshape(groups, many, -1)
    faces = batch.faces.reshape(groups, many)
    known = (faces >= 0) & (faces < 8)
    kinds = batch.kinds[::LOOKS]
    kind = torch.gather(kinds, 1, faces.clamp(0, 7))
    scene = torch.arange(many, device=traits.device) // (many // LOOKS)
    alike = LIKENESS * traits @ traits.transpose(1, 2)
    usable = known[:, None, :] & (scene[:, None] != scene[None])[None]
    luck = torch.rand_like(alike)
    logits = []
    for symbol in range(8):
        fits = usable & (kind == symbol)[:, None, :]
        chosen = torch.where(fits, luck, luck * 0 - 1).max(-1)
        value = torch.gather(alike, 2, chosen.indices[..., None])[..., 0]
        logits.append(torch.where(chosen.values >= 0, value, value * 0 - 1e4))
    logits = torch.stack(logits, -1)
    shown = torch.gather(logits, 2, kind[..., None])[..., 0] > -1e3
    return logits, torch.where(known & shown, kind, -1)


def symbol_loss(out, heat, weight, batch: Batch):
    """D8: dice are found, leaning ones told, symbols known again that were seen once."""
    found = loss_of(out[:, :2], heat, weight, torch.zeros_like(heat).long())[1]
    traits, lean, _ = traits_of(out, batch)
    logits, kind = likeness(traits, batch)
    read = F.cross_entropy(logits.flatten(0, 1), kind.flatten(), ignore_index=-1)
    seen = batch.faces >= 0
    leans = (batch.faces == 8).float()
    told = F.binary_cross_entropy_with_logits(lean[seen], leans[seen])
    return found + read + told, found, read


@torch.no_grad()
def symbol_scores(net, made, rounds: int) -> str:
    """Symbols right that were seen once before, and how sure right and wrong ones are."""
    right = total = sure = sure_wrong = leaning = unnoticed = 0
    for _ in range(rounds):
        batch = made()
        out = net(photographed(batch.pictures))
        traits, lean, heat = traits_of(out, batch, 0)
        logits, kind = likeness(traits, batch)
        best = torch.softmax(logits, -1).max(-1)
        inside = kind >= 0
        total += inside.sum().item()
        right += ((best.indices == kind) & inside).sum().item()
        firm = inside & (best.values > 0.9) & ((heat > -0.8) & (lean < 0)).reshape(kind.shape)
        sure += firm.sum().item()
        sure_wrong += (firm & (best.indices != kind)).sum().item()
        leaning += (batch.faces == 8).sum().item()
        unnoticed += ((batch.faces == 8) & (lean < 0)).sum().item()
    return (
        f"right {right / total:.4f} of {total}; sure {sure / total:.3f}, of these wrong "
        f"{sure_wrong / max(1, sure):.5f}; leaning or covered {leaning}, unnoticed {unnoticed}"
    )


@torch.no_grad()
def unfolded(net: nn.Module, path: Path, pictures) -> None:
    """Begin with the weights of an earlier run: each batch norm is set by these pictures so that it
    changes nothing. A head for other dice begins anew."""
    stored = {name: torch.tensor(value) for name, value in read_weights(np.load(path)).items()}
    hooks = []

    def neutral(norm, inputs):
        spread, mean = torch.var_mean(inputs[0].float(), (0, 2, 3))
        norm.weight.data.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.data.add_(mean)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)

    for name, conv, norm in net.pairs():
        conv.weight.copy_(stored[f"{name}.weight"])
        norm.bias.copy_(stored[f"{name}.bias"])
        hooks.append(norm.register_forward_pre_hook(neutral))
    if net.head.weight.shape == stored["head.weight"].shape:
        net.head.weight.copy_(stored["head.weight"])
        net.head.bias.copy_(stored["head.bias"])
    net(pictures)
    for hook in hooks:
        hook.remove()


def folded(net: nn.Module) -> dict[str, np.ndarray]:
    """Convolutions with their batch norms folded in: weights in eight bits, the rest in 16."""
    kept = {"head.weight": net.head.weight, "head.bias": net.head.bias}
    for name, conv, norm in net.pairs():
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        kept[f"{name}.weight"] = conv.weight * scale[:, None, None, None]
        kept[f"{name}.bias"] = norm.bias - norm.running_mean * scale
    return eight_bits({k: v.detach().float().cpu().numpy() for k, v in kept.items()})


def eight_bits(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """As `read_weights` reads them: the largest weight of each output is 127 steps."""
    kept = {}
    for name, values in weights.items():
        if values.ndim == 1:
            kept[name] = values.astype(np.float16)
            continue
        most = np.abs(values).reshape(len(values), -1).max(axis=1)
        step = (np.maximum(most, 1e-6) / 127).astype(np.float32)
        whole = np.round(values / step.reshape(-1, *[1] * (values.ndim - 1)))
        kept[name], kept[name + STEPS] = whole.astype(np.int8), step
    return kept


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
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--clip", type=float, default=2.0)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--out", type=Path, default=Path("."))
    parser.add_argument("--numerals", type=Path, help="D10: what `dice_numerals` made (.npz)")
    parser.add_argument("--symbols", type=Path, help="D8: what `dice_symbols` made (.npy)")
    parser.add_argument("--start", type=Path, help="weights of an earlier run (.npz)")
    parser.add_argument("--mean", type=Path, nargs="+", help="mix the weights of runs (.npz)")
    args = parser.parse_args()
    if args.mean:
        several = [read_weights(np.load(path)) for path in args.mean]
        mixed = {name: np.mean([one[name] for one in several], axis=0) for name in several[0]}
        np.savez_compressed(args.out / f"dice-d{args.sides}.npz", **eight_bits(mixed))
        return
    began = time.time()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    device = "cuda"
    solid = {6: D6, 8: D8, 10: D10}[args.sides]
    atlas = shapes = bare = None
    if args.sides == 10:
        stored = np.load(args.numerals)
        atlas = torch.tensor(stored["glyphs"], device=device).float()
        bare = torch.tensor(stored["unmarked"], device=device)
    if args.sides == 8:
        shapes = torch.tensor(np.load(args.symbols), device=device).float()

    def render(dice, eye, lamps, ground, pixels, glyphs, inks):
        return draw(torch, solid, dice, eye, lamps, ground, pixels, glyphs, inks)

    render = torch.compile(render)

    def made() -> Batch:
        with torch.no_grad():
            glyphs = unmarked = None
            if atlas is not None:
                hands = torch.randint(len(atlas), (args.batch,), device=device)
                glyphs, unmarked = atlas[hands], bare[hands]
            return scenes(
                args.batch, solid, device, render, glyphs, atlas=shapes, unmarked=unmarked
            )

    unseen, shapes = shapes, shapes if shapes is None else shapes[: -len(shapes) // 9]
    first = made()
    torch.cuda.synchronize()
    np.save(args.out / "first.npy", (photographed(first.pictures[:24]) * 255).byte().cpu().numpy())
    print(f"not numbers: {first.pictures.isnan().sum()}, {first.centres.isnan().sum()}", flush=True)
    print(f"compiled after {time.time() - began:.0f} s", flush=True)
    net = DiceNet(args.sides).to(device).to(memory_format=torch.channels_last)
    if args.start:
        unfolded(net, args.start, photographed(first.pictures))
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    step, faults, shown, rate = 0, 0, time.time(), args.rate
    usual = lowest = 1e9
    kept = copy.deepcopy((net.state_dict(), average.state_dict()))
    while (spent := (time.time() - began) / args.seconds) < 1:
        for group in best.param_groups:
            group["lr"] = rate * min(1, step / 300) * max(0.01, 1 - spent) ** 1.2
        batch = made()
        with torch.no_grad():
            pictures = photographed(batch.pictures)
            heat, weight, kind = targets(batch, args.sides)
        with torch.autocast(device, torch.bfloat16):
            out = net(pictures.contiguous(memory_format=torch.channels_last))
        if args.sides == 8:
            loss, found, read = symbol_loss(out.float(), heat, weight, batch)
        else:
            loss, found, read = loss_of(out.float(), heat, weight, kind)
        if not torch.isfinite(loss):
            faults += 1
            print(f"step {step}: loss {loss}, output {out.isnan().sum()}", flush=True)
            if faults > 5:
                raise SystemExit("no finite loss")
            continue
        best.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), args.clip)
        best.step()
        average.update_parameters(net)
        step += 1
        usual = loss.item() if step <= 300 else usual + 0.02 * (loss.item() - usual)
        if step % 100 == 0 and step > 300 and usual < lowest:
            lowest, kept = usual, copy.deepcopy((net.state_dict(), average.state_dict()))
        if step % 100 == 0 and step > 300 and usual > 1.4 * lowest:
            # It has lost what it knew: slower from there.
            net.load_state_dict(kept[0])
            average.load_state_dict(kept[1])
            best.state.clear()
            rate, usual = rate / 2, lowest
            print(f"step {step}: back to {lowest:.3f}, rate {rate}", flush=True)
        if time.time() - shown > 20:
            shown = time.time()
            print(
                f"{time.time() - began:5.0f} s step {step} found {found:.3f} read {read:.3f}",
                flush=True,
            )
    final = average.module.eval()
    torch.manual_seed(args.seed + 1000)
    if shapes is not None:
        shapes = unseen[-len(unseen) // 9 :]  # symbols that training has not seen
    told = (symbol_scores if args.sides == 8 else scores)(final, made, 40)
    print(f"{step} steps of {args.batch}; {told}", flush=True)
    np.savez_compressed(args.out / f"dice-d{args.sides}.npz", **folded(final))


if __name__ == "__main__":
    main()
