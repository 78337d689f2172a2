"""Seeded mid-game tables for the benchmarks: two battle lines that have begun to mix."""

from __future__ import annotations

import random

from models import Attack, Pose, Table, Terrain, Unit, catalogue
from models.unit import overlap_depth

KINDS = ("infantry", "infantry", "infantry", "cavalry", "solo", "warmachine")
PIECES = ("palisade", "forest", "bog", "hedge", "low-wall", "corpse-pile")
BLADE = Attack("Blade", "melee", 4, (7, 5, 4))
BOWS = {
    "short": Attack("Crossbow", "short", 4, (7, 5, 4)),
    "long": Attack("Bow", "long", 4, (7, 5, 4)),
}


def battle(per_side: int = 10, pieces: int = 6, seed: int = 1, game: str = "tmg-2021") -> Table:
    """A table with so many units a side; larger armies stand on a larger table."""
    random_ = random.Random(seed)
    facts = catalogue(game)
    scale = max(1.0, (per_side / 10) ** 0.5)
    width = depth = min(48.0 * scale, 144.0)
    units: list[Unit] = []
    for number in range(2 * per_side):
        side = number % 2
        for _ in range(2000):
            tray = facts.trays[KINDS[(number // 2) % len(KINDS)]]
            unit = Unit(
                f"{'br'[side]}{number // 2 + 1}",
                ("blue", "red")[side],
                f"{tray.name} {number // 2 + 1}",
                tray,
                Pose(
                    random_.uniform(4, width - 4),
                    random_.uniform(4, depth * 0.52)
                    if not side
                    else random_.uniform(depth * 0.48, depth - 4),
                    (90.0 if not side else 270.0) + random_.gauss(0, 25),
                ),
                speed=random_.choice((4, 5, 6)),
                models=tray.models,
                attacks=(BLADE, BOWS[random_.choice(("short", "long"))])
                if number // 2 % 3 == 0
                else (BLADE,),
            )
            if all(overlap_depth(unit, other) == 0 for other in units):
                units.append(unit)
                break
    terrain = []
    for number in range(pieces):
        name = PIECES[number % len(PIECES)]
        x, y = random_.uniform(4, width - 10), random_.uniform(10, depth - 12)
        long, deep = (6.0, 1.0) if name in ("palisade", "hedge", "low-wall") else (6.0, 4.0)
        outline = ((x, y), (x + long, y), (x + long, y + deep), (x, y + deep))
        terrain.append(Terrain(f"t{number}", outline, facts.pieces[name], name))
    return Table(game, width, depth, tuple(units), tuple(terrain))
