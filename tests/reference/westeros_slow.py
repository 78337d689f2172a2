"""Battles of Westeros on hexes, answered slowly: real hexagons in the plane, every path walked.

Written from the rule catalogue alone; it shares no code with the product and reads the JSON of a
table file. Numbers of rules stand where they are used.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from shapely import LineString, Polygon

Hex = tuple[int, int]
SHIFT = 0.02
"""How far a line along hex edges is shifted to either side; a hex is 1 wide."""
MARKERS = ("wooden-bridge", "stone-bridge", "palisade", "tent", "siege-tower", "ford")
BLOCKING = ("hill", "forest", "forest-river", "building", "forest-road", "palisade", "siege-tower")
IMPASSABLE = ("river", "forest-river", "palisade", "siege-tower")
ROADS = ("road", "forest-road", "wooden-bridge", "stone-bridge")
LIMITS = {
    "plains": 4, "forest": 3, "building": 4, "road": 4, "forest-road": 3, "wooden-bridge": 3,
    "palisade": 4, "tent": 1, "siege-tower": 1,
}  # fmt: skip
DICE = {"green": 2, "blue": 3, "red": 4}
MOVES = {"green": ((2, True),), "blue": ((1, True), (2, False)), "red": ((1, True),)}


def middle(hex_: Hex) -> tuple[float, float]:
    """The centre of a hex: rows 3/4 of a height apart, odd rows half a width to the right."""
    return hex_[0] + 0.5 * (hex_[1] % 2), hex_[1] * math.sqrt(3) / 2


@cache
def outline(hex_: Hex) -> Polygon:
    x, y = middle(hex_)
    radius = 1 / math.sqrt(3)
    angles = [math.radians(30 + 60 * n) for n in range(6)]
    return Polygon([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles])


@cache
def rim(hex_: Hex) -> Polygon:
    """The edges of a hex, as wide as floating point needs."""
    return outline(hex_).exterior.buffer(1e-4)


@cache
def beside(hex_: Hex) -> tuple[Hex, ...]:
    """The six hexes whose centres are one width away."""
    near = ((hex_[0] + c, hex_[1] + r) for c in (-1, 0, 1) for r in (-1, 0, 1))
    return tuple(one for one in near if abs(math.dist(middle(one), middle(hex_)) - 1) < 0.01)


@cache
def steps_between(one: Hex, two: Hex) -> int:
    """Hexes counted from one to the other, ring by ring (BOW-LOS-1)."""
    ring, seen, count = {one}, {one}, 0
    while two not in ring:
        ring = {there for here in ring for there in beside(here)} - seen
        seen |= ring
        count += 1
    return count


@cache
def passed(one: Hex, two: Hex) -> tuple[frozenset[Hex], ...]:
    """The hexes with a stretch of the line inside: one set, or one for each shifted line."""
    columns = range(min(one[0], two[0]) - 1, max(one[0], two[0]) + 2)
    rows = range(min(one[1], two[1]) - 1, max(one[1], two[1]) + 2)
    near = [(c, r) for c in columns for r in rows if (c, r) not in (one, two)]
    (x, y), (u, v) = middle(one), middle(two)
    line = LineString([(x, y), (u, v)])
    along = any(line.intersection(rim(h)).length > 0.2 for h in near)
    if not along:
        return (frozenset(h for h in near if line.intersection(outline(h)).length > 1e-4),)
    far = math.hypot(u - x, v - y)
    found = []
    for way in (SHIFT, -SHIFT):
        dx, dy = -(v - y) / far * way, (u - x) / far * way
        shifted = LineString([(x + dx, y + dy), (u + dx, v + dy)])
        found.append(
            frozenset(h for h in near if shifted.intersection(outline(h)).length > 2 * SHIFT)
        )
    return tuple(found)


class SlowHexes:
    """A table file's values, asked one thing at a time."""

    def __init__(self, plain: dict[str, Any], readings: tuple[str, ...] = ()) -> None:
        """`readings` are open readings as `name=value`; the others have their defaults."""
        self.readings = frozenset(readings)
        board = plain["board"]
        self.columns, self.rows = board["columns"], board["rows"]
        self.words: dict[Hex, list[str]] = {}
        for name, words in board.get("ground", {}).items():
            column, row = name.split(",")
            listed = [words] if isinstance(words, str) else list(words)
            self.words[int(column), int(row)] = listed
        self.pieces = {one["id"]: one for one in plain["pieces"]}
        self.at: dict[str, Hex] = {}
        for name, one in self.pieces.items():
            column, row = one["cell"].split(",")
            self.at[name] = (int(column), int(row))
        self.sides = list(dict.fromkeys(one["side"] for one in plain["pieces"]))

    # -- the ground ---------------------------------------------------------------------------

    def inside(self, hex_: Hex) -> bool:
        fits = 0 <= hex_[0] < self.columns and 0 <= hex_[1] < self.rows
        return fits and "none" not in self.words.get(hex_, [])

    def ground(self, hex_: Hex) -> str:
        """What counts there: devastation, then markers, then the hex (BOW-TER-1, BOW-TER-33)."""
        words = [one for one in self.words.get(hex_, []) if not one.startswith("fire")]
        if "devastation" in words:
            return "plains"
        markers = [one for one in words if one in MARKERS]
        return (markers or words or ["plains"])[-1]

    def fire(self, hex_: Hex) -> int:
        found = [int(one[-1]) for one in self.words.get(hex_, []) if one.startswith("fire-")]
        return found[0] if found else 0

    def unit_on(self, hex_: Hex, but: str = "") -> str:
        return next((n for n, there in self.at.items() if there == hex_ and n != but), "")

    def enterable(self, hex_: Hex, but: str = "", burning: bool = False) -> bool:
        if not self.inside(hex_) or self.unit_on(hex_, but):
            return False
        if self.fire(hex_) and not burning:
            return False
        return self.ground(hex_) not in IMPASSABLE

    # -- units --------------------------------------------------------------------------------

    def fact(self, name: str, key: str, default: Any = None) -> Any:
        return self.pieces[name].get(key, default)

    def kind(self, name: str) -> str:
        return str(self.fact(name, "class", "foot"))

    def range(self, name: str) -> int:
        return int(self.fact(name, "range", 4 if self.kind(name) == "ranged" else 1))

    def keyword(self, name: str, word: str) -> bool:
        return any(one.split()[0] == word for one in self.fact(name, "keywords", []))

    def foe(self, name: str) -> str:
        """The engagement opponent; the marker may be noted on either unit (BOW-ENG-1)."""
        if self.fact(name, "engaged"):
            return str(self.fact(name, "engaged"))
        return next((o for o in self.pieces if self.fact(o, "engaged") == name), "")

    # -- answers ------------------------------------------------------------------------------

    def blocks(self, name: str, hex_: Hex, hounds: bool) -> bool:
        if not self.inside(hex_):  # BOW-OR-5
            beyond = not (0 <= hex_[0] < self.columns and 0 <= hex_[1] < self.rows)
            return beyond and "rim-lines=closed" in self.readings
        if hounds and self.ground(hex_) in ("river", "forest-river"):
            return True  # BOW-LOS-10
        on_hill = self.ground(self.at[name]) == "hill"
        if self.ground(hex_) in BLOCKING:
            over = "archers-on-hills=units-and-hills" in self.readings  # BOW-OR-6
            if not (over and on_hill and self.range(name) > 1 and self.ground(hex_) == "hill"):
                return True
        other = self.unit_on(hex_)
        if not other:
            return False
        if hounds:
            return self.fact(other, "side") != self.fact(name, "side")  # BOW-LOS-9
        return not (on_hill and self.range(name) > 1)  # BOW-LOS-8

    def sees(self, name: str, other: str, hounds: bool = False) -> bool:
        one, two = self.at[name], self.at[other]
        if steps_between(one, two) == 1:
            return True  # BOW-LOS-7
        lines = passed(one, two)
        return any(not any(self.blocks(name, h, hounds) for h in line) for line in lines)

    def halts(self, name: str, ground: str) -> bool:
        """Whether a unit stops on that ground."""
        woods = ground == "forest-road" and "forest-road=forest" in self.readings  # BOW-OR-25
        afoot = self.kind(name) == "foot" or (
            self.kind(name) == "ranged" and "ranged-ford=stop" in self.readings  # BOW-OR-22
        )
        return woods or ground in ("forest", "building") or (ground == "ford" and afoot)

    def walks(self, name: str, hexes: int, bonus: bool = True) -> Iterator[tuple[Hex, int]]:
        """Every end of every path of an ordered move, with its cost."""
        start = self.at[name]
        if self.fire(start):
            return

        def go(here: Hex, left: int, cost: int, road: bool) -> Iterator[tuple[Hex, int]]:
            for there in beside(here):
                if not self.enterable(there):
                    continue
                wet = self.ground(there) == "ford" and self.kind(name) == "cavalry"
                if wet and left < 2 and "cavalry-ford=two" in self.readings:  # BOW-OR-23
                    continue
                if left == 0:
                    if road and bonus:  # BOW-TER-16: the extra hex of a move that was all road
                        yield there, cost + 1
                    continue
                ground = self.ground(there)
                rest, price = left - 1, 1
                if self.halts(name, ground):
                    yield there, cost + 1
                    continue
                if wet and rest:
                    rest, price = rest - 1, 2
                yield there, cost + price
                yield from go(there, rest, cost + price, road and ground in ROADS)

        if hexes:
            yield from go(start, hexes, 0, True)

    def reach(self, name: str) -> dict[Hex, tuple[int, bool]]:
        """Every end of an ordered move: its least cost, and whether an attack may follow."""
        rank = self.fact(name, "rank", "green")
        options = MOVES[rank]
        if self.fact(name, "move") is not None:
            options = ((self.fact(name, "move"), True),)
        found: dict[Hex, tuple[int, bool]] = {}
        for hexes, attack in sorted(options, key=lambda one: not one[1]):
            here: dict[Hex, int] = {}
            plain = attack and "road-bonus=plain-move" in self.readings  # BOW-OR-24
            for end, cost in self.walks(name, hexes, not plain):
                if end != self.at[name]:
                    here[end] = min(cost, here.get(end, cost))
            for end, cost in here.items():
                found.setdefault(end, (cost, attack))
        return found

    def retreat(self, name: str) -> list[Hex]:
        """The hexes of one step towards the owner's edge (BOW-RET-2 to BOW-RET-5)."""
        here = self.at[name]
        free = "fire-retreat=free" in self.readings  # BOW-OR-27
        if self.fire(here) and not free:
            return []
        usual = ("bottom", "top")[self.sides.index(self.fact(name, "side"))]
        (x, y), edge = middle(here), self.fact(name, "edge", usual)
        axis, way = {"bottom": (1, -1), "top": (1, 1), "left": (0, -1), "right": (0, 1)}[edge]
        start = (x, y)[axis]  # BOW-OR-2 for left and right
        facing = [h for h in beside(here) if (middle(h)[axis] - start) * way > 0.1]
        if axis == 0 and "portrait-retreat=straight" in self.readings:
            facing = [h for h in facing if h[1] == here[1]]
        return sorted(h for h in facing if self.enterable(h, name, free))

    def commanded(self, name: str) -> list[str]:
        side = self.fact(name, "side")
        return [
            self.fact(one, "commander")
            for one in self.pieces
            if self.fact(one, "commander")
            and self.fact(one, "side") == side
            and steps_between(self.at[one], self.at[name]) <= 2
        ]

    def stalwart(self, name: str) -> bool:
        friends = [
            one
            for one in self.pieces
            if one != name
            and self.fact(one, "side") == self.fact(name, "side")
            and steps_between(self.at[one], self.at[name]) == 1
        ]
        return self.keyword(name, "stalwart") or len(friends) > 1

    def attack(self, name: str, other: str) -> dict[str, Any]:
        """Whether, with how many dice, and whether from the flank."""
        far = steps_between(self.at[name], self.at[other])
        ranged = self.range(name) > 1
        mine, theirs = self.ground(self.at[name]), self.ground(self.at[other])
        foe = self.foe(name)
        legal = (
            not self.fire(self.at[name])
            and far <= self.range(name)
            and self.sees(name, other)
            and not (ranged and foe and foe != other)
        )
        if not legal:
            return {"answer": "no"}
        dice = self.fact(name, "dice", DICE[self.fact(name, "rank", "green")])
        if theirs == "hill" and mine != "hill":
            dice = min(dice, 3)
        woods = ["forest"]
        if "forest-road=forest" in self.readings:
            woods.append("forest-road")
        if mine in woods or theirs in woods:
            dice = min(dice, 2)
        if mine == "building" and ranged:
            dice = min(dice, 2)
        if self.keyword(name, "off-balance") and self.fact(name, "moved", False):
            dice -= 1
        flank = not ranged and self.foe(other) not in ("", name)
        if foe and "leaving-flank=no" in self.readings:  # BOW-OR-17
            flank = False
        return {"answer": "yes", "dice": max(0, dice), "flank": flank}

    def hounds(self, name: str, other: str) -> str:
        far = steps_between(self.at[name], self.at[other])
        legal = (
            far in (2, 3)
            and not self.fire(self.at[name])
            and (not self.foe(name) or "engaged-hounds=yes" in self.readings)
            and self.sees(name, other, hounds=True)
        )
        return "yes" if legal else "no"

    def scorches(self, name: str) -> list[Hex]:
        """Where Scorched earth may set a fire (BOW-KEY-16): it attacks nobody, but takes the place
        of an attack, which a burning hex forbids (BOW-FIR-13)."""
        if self.fire(self.at[name]):
            return []
        return [
            h
            for h in beside(self.at[name])
            if self.inside(h)
            and not self.unit_on(h)
            and self.fire(h) < LIMITS.get(self.ground(h), 0)
        ]
