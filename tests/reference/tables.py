"""Random tables to try both sides on: seeded, legal, and full of the cases that matter.

>>> random_table(7) == random_table(7)
True
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass, field
from typing import Any

from shapely import affinity
from shapely.geometry import Polygon, box

from models import Catalogue, Table, catalogue

FLAVOURS = ("duel", "sparse", "crowded", "walls")
TRAYS = ("infantry", "infantry", "infantry", "cavalry", "cavalry", "solo", "warmachine", "custom")
SIZE_IN = 48.0
GAPS_IN = (0.3, 0.5, 0.9, 1.0, 1.1, 1.5)
"""Near misses: about the distance enemies keep (TMG-MOV-7)."""


@dataclass
class Draft:
    """A table being set up."""

    game: str
    dice: random.Random
    units: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[Polygon] = field(default_factory=list)
    terrain: list[dict[str, Any]] = field(default_factory=list)
    walls: list[Polygon] = field(default_factory=list)

    def table(self) -> Table:
        """The table, read back from its own text so that it is one a file could hold."""
        text = {
            "format": "table-companion/1",
            "game": self.game,
            "table": {"width": SIZE_IN, "depth": SIZE_IN},
            "units": self.units,
            "terrain": self.terrain,
        }
        return Table.parse(json.dumps(text), "random")


def random_table(seed: int, flavour: str = "", units_per_side: int = 0) -> Table:
    """The table of a seed; flavour and size follow from the seed unless given."""
    dice = random.Random(seed)
    flavour = flavour or FLAVOURS[seed % len(FLAVOURS)]
    draft = Draft(dice.choice(sorted(name for name in Catalogue.games() if "20" in name)), dice)
    if flavour == "duel":
        duel(draft)
    else:
        count = units_per_side or {"sparse": 2, "crowded": 4, "walls": 3}[flavour]
        battle(draft, flavour, count)
    return draft.table()


# -- scenes -----------------------------------------------------------------------------------


def duel(draft: Draft) -> None:
    """Two units that could fight each other, and a few things between and around them."""
    dice = draft.dice
    x, y, way = dice.uniform(14, 34), dice.uniform(14, 34), dice.uniform(0, 360)
    apart = dice.uniform(3.5, 17)
    dx, dy = math.cos(math.radians(way)) * apart / 2, math.sin(math.radians(way)) * apart / 2
    place(draft, "blue", x - dx, y - dy, way + dice.gauss(0, 35))
    for _ in range(20):
        if place(draft, "red", x + dx, y + dy, dice.uniform(0, 360)):
            break
        dx, dy = dx * 1.15, dy * 1.15
    for _ in range(dice.randint(0, 4)):
        share, aside = dice.uniform(-0.9, 1.3), dice.gauss(0, 4.5)
        spot = (
            x + dx * share - math.sin(math.radians(way)) * aside,
            y + dy * share + math.cos(math.radians(way)) * aside,
        )
        if dice.random() < 0.5:
            piece(draft, *spot)
        else:
            place(draft, dice.choice(("blue", "red")), *spot, dice.uniform(0, 360))
    if dice.random() < 0.4:
        beside(draft)
    if dice.random() < 0.2:
        beside(draft)


def battle(draft: Draft, flavour: str, count: int) -> None:
    """Two sides on a stretch of table, some in contact, some nearly, with terrain."""
    dice = draft.dice
    # A small stretch makes units meet; the larger the armies, the larger it is.
    half = {"sparse": 18.0, "crowded": 6.0, "walls": 9.0}[flavour] + 1.2 * count
    half = min(half, SIZE_IN / 2 - 1)
    corner = (dice.uniform(half, SIZE_IN - half), dice.uniform(half, SIZE_IN - half))
    low_x, low_y = corner[0] - half, corner[1] - half

    def spot() -> tuple[float, float]:
        return low_x + 2 * half * dice.random(), low_y + 2 * half * dice.random()

    pieces = {"sparse": dice.randint(0, 6), "crowded": dice.randint(0, 4), "walls": 6}[flavour]
    for _ in range(pieces):
        piece(draft, *spot(), wall=flavour == "walls")
    for side, way in (("blue", 90.0), ("red", 270.0)):
        placed = 0
        for _ in range(40 * count):
            if placed == count:
                break
            if draft.units and dice.random() < 0.35:
                placed += beside(draft, side)
            else:
                turn = dice.gauss(way, 50) if dice.random() < 0.8 else dice.uniform(0, 360)
                if dice.random() < 0.2:
                    turn = 90.0 * dice.randint(0, 3)
                placed += place(draft, side, *spot(), turn)


# -- units ------------------------------------------------------------------------------------


def some_tray(draft: Draft) -> tuple[Any, float, float]:
    """A tray as the file writes it, its width and its depth."""
    name = draft.dice.choice(TRAYS)
    if name == "custom":
        width, depth = round(draft.dice.uniform(2, 7), 2), round(draft.dice.uniform(2, 6), 2)
        arc = draft.dice.choice((45.0, round(draft.dice.uniform(35, 60), 1)))
        return {"width": width, "depth": depth, "arc": arc}, width, depth
    tray = catalogue(draft.game).trays[name]
    return name, tray.width, tray.depth


def place(draft: Draft, side: str, x: float, y: float, heading: float) -> bool:
    """Put a random unit there if it fits."""
    return put(draft, side, some_tray(draft), x, y, heading, 0.06)


def put(
    draft: Draft,
    side: str,
    tray: tuple[Any, float, float],
    x: float,
    y: float,
    heading: float,
    apart: float,
) -> bool:
    """Put a unit there unless it leaves the table, overlaps a tray or stands in a wall."""
    name, width, depth = tray
    shape = affinity.translate(
        affinity.rotate(box(-depth / 2, -width / 2, depth / 2, width / 2), heading), x, y
    )
    if not box(0, 0, SIZE_IN, SIZE_IN).contains(shape):
        return False
    if any(shape.distance(other) < apart for other in draft.shapes):
        return False
    if any(shape.intersection(other).area > 1e-6 for other in [*draft.shapes, *draft.walls]):
        return False
    dice = draft.dice
    attacks = [{"name": "Blade", "kind": "melee", "hit": 4, "dice": [7, 5, 4]}]
    for kind, odds in (("short", 0.3), ("long", 0.4)):
        if dice.random() < odds:
            attacks.append({"name": f"Bow {kind}", "kind": kind, "hit": 4, "dice": [6, 4, 2]})
    draft.units.append(
        {
            "id": f"{side[0]}{len(draft.units)}",
            "side": side,
            "tray": name,
            "x": x,
            "y": y,
            "heading": heading % 360.0,
            "speed": dice.randint(3, 7),
            "attacks": attacks,
        }
    )
    draft.shapes.append(shape)
    return True


def beside(draft: Draft, side: str = "") -> bool:
    """Put a unit flush on an edge of another: in contact at 50 or 100 %, or a near miss."""
    dice = draft.dice
    host = dice.choice(draft.units)
    tray = some_tray(draft)
    kinds = catalogue(draft.game).trays
    if isinstance(host["tray"], dict):
        wide, deep = host["tray"]["width"], host["tray"]["depth"]
    else:
        wide, deep = kinds[host["tray"]].width, kinds[host["tray"]].depth
    turn = dice.choice((0, 90, 180, 270))  # front, left, rear, right of the host
    out, length = (deep / 2, wide) if turn in (0, 180) else (wide / 2, deep)
    face = dice.choice((180, 180, 180, 180, 90, 270, 0))  # mostly front to the host
    front, half = (tray[1], tray[2] / 2) if face in (0, 180) else (tray[2], tray[1] / 2)
    slide = dice.choice((0.0, 0.0, 0.5, -0.5, dice.uniform(-0.5, 0.5))) * max(front, length)
    clear = 0.0 if dice.random() < 0.6 else dice.choice(GAPS_IN)
    way = math.radians(host["heading"] + turn)
    reach = out + clear + half
    x = host["x"] + reach * math.cos(way) - slide * math.sin(way)
    y = host["y"] + reach * math.sin(way) + slide * math.cos(way)
    if not side:
        side = dice.choice(("blue", "red"))
    return put(draft, side, tray, x, y, host["heading"] + turn + face, 0.0)


# -- terrain ----------------------------------------------------------------------------------


def piece(draft: Draft, x: float, y: float, wall: bool = False) -> bool:
    """Put a piece of terrain there; walls and other impassable things keep off the trays."""
    dice = draft.dice
    text: dict[str, Any] = {"id": f"t{len(draft.terrain)}"}
    facts = catalogue(draft.game)
    if wall:
        text["piece"] = dice.choice(("palisade", "palisade", "castle-wall", "hedge", "low-wall"))
        words = facts.pieces[text["piece"]]
    elif dice.random() < 0.3:
        known = ("blocks-line-of-sight", "cover", "elevated", "rough", "hindering", "impassable")
        words = frozenset(dice.sample(known, dice.randint(1, 3)))
        text["keywords"] = sorted(words)
    else:
        text["piece"] = dice.choice(sorted(facts.pieces))
        words = facts.pieces[text["piece"]]
    shape = affinity.rotate(some_outline(dice, wall), dice.uniform(0, 360), origin=(0, 0))
    shape = affinity.translate(shape, x, y)
    if not box(0, 0, SIZE_IN, SIZE_IN).contains(shape):
        return False
    if "impassable" in words:
        if any(shape.intersects(other) for other in draft.shapes):
            return False
        draft.walls.append(shape)
    text["outline"] = [list(point) for point in shape.exterior.coords[:-1]]
    draft.terrain.append(text)
    return True


def some_outline(dice: random.Random, wall: bool) -> Polygon:
    """A bar, a box, a wedge, an L or a bent blob around the origin."""
    if wall:
        return box(-dice.uniform(1.5, 5), -0.4, dice.uniform(1.5, 5), dice.uniform(0.1, 0.6))
    kind = dice.choice(("box", "bar", "wedge", "ell", "blob"))
    a, b = dice.uniform(1.0, 3.5), dice.uniform(0.7, 3.0)
    if kind == "box":
        return box(-a, -b, a, b)
    if kind == "bar":
        return box(-a, -0.3, a, 0.3)
    if kind == "wedge":
        return Polygon([(-a, -b), (a, -b * 0.5), (dice.uniform(-a, a), b)])
    if kind == "ell":
        arm = dice.uniform(0.3, 0.45)
        thick_x, thick_y = 2 * a * arm, 2 * b * arm
        return Polygon(
            [
                (-a, -b),
                (a, -b),
                (a, -b + thick_y),
                (-a + thick_x, -b + thick_y),
                (-a + thick_x, b),
                (-a, b),
            ]
        )
    corners = dice.randint(5, 8)
    return Polygon(
        [
            (
                math.cos(2 * math.pi * i / corners) * a * dice.uniform(0.5, 1.0),
                math.sin(2 * math.pi * i / corners) * b * dice.uniform(0.5, 1.0),
            )
            for i in range(corners)
        ]
    )
