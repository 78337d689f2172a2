"""Tactics on squares, answered slowly: every path walked, every line clipped in fractions.

Written from the rule catalogue alone; it shares no code with the product and reads the JSON of a
table file. Numbers of rules stand where they are used.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

Cell = tuple[int, int]


def cell(text: str) -> Cell:
    column, row = text.split(",")
    return int(column), int(row)


class SlowTable:
    """A table file's values, asked one thing at a time."""

    def __init__(self, plain: dict[str, Any]) -> None:
        board = plain["board"]
        self.columns, self.rows = board["columns"], board["rows"]
        self.ground = {cell(name): words for name, words in board.get("ground", {}).items()}
        self.walls = {
            frozenset(map(cell, one["between"]))
            for one in board.get("edges", ())
            if not one.get("open")
        }
        self.tokens = {cell(name) for name in board.get("marks", {})}
        self.pieces = {one["id"]: one for one in plain["pieces"]}
        self.at = {name: cell(one["cell"]) for name, one in self.pieces.items()}
        self.asked: dict[tuple[str, Cell], set[str]] = {}

    # -- the ground ---------------------------------------------------------------------------

    def words(self, where: Cell) -> list[str]:
        found = self.ground.get(where, "open-o")
        return [found] if isinstance(found, str) else list(found)

    def on_board(self, where: Cell) -> bool:
        inside = 0 <= where[0] < self.columns and 0 <= where[1] < self.rows
        return inside and "none" not in self.words(where)

    def is_open(self, where: Cell) -> bool:
        words = self.words(where)
        return self.on_board(where) and "blocked-x" not in words and "blocked-o" not in words

    def has_cross(self, where: Cell) -> bool:
        return any(word in ("open-x", "blocked-x") for word in self.words(where))

    def wall(self, one: Cell, two: Cell) -> bool:
        return frozenset((one, two)) in self.walls

    def cells(self, name: str, where: Cell | None = None) -> list[Cell]:
        column, row = self.at[name] if where is None else where
        size = self.pieces[name].get("size", 1)
        return [(column + dc, row + dr) for dc in range(size) for dr in range(size)]

    def side(self, name: str) -> str:
        return str(self.pieces[name]["side"])

    def foes(self, name: str) -> list[str]:
        return [one for one in self.pieces if self.side(one) != self.side(name)]

    def standing(self, without: set[str]) -> dict[Cell, str]:
        return {
            where: one for one in self.pieces if one not in without for where in self.cells(one)
        }

    # -- sight: TAC-LOS-1 to -6, TAC-OR-5, TAC-OR-6, TAC-OR-36 ----------------------------------

    def sees(self, one: str, two: str) -> bool:
        figures = set(self.standing({one, two}))
        ours, theirs = self.cells(one), self.cells(two)
        return any(self.clear(a, b, figures, {*ours, *theirs}) for a, b in product(ours, theirs))

    def clear(self, a: Cell, b: Cell, figures: set[Cell], own: set[Cell]) -> bool:
        half = Fraction(1, 2)
        x, y = a[0] + half, a[1] + half
        dx, dy = Fraction(b[0] - a[0]), Fraction(b[1] - a[1])
        columns = range(min(a[0], b[0]), max(a[0], b[0]) + 1)
        rows = range(min(a[1], b[1]), max(a[1], b[1]) + 1)
        passed = [
            where
            for where in product(columns, rows)
            if passes(x, y, dx, dy, *where) and where not in (a, b)
        ]
        for where in passed:
            if where not in own and (where in figures or self.has_cross(where)):
                return False
        for column, row in product(columns, rows):
            right, above = (column + 1, row), (column, row + 1)
            if self.wall((column, row), right) and dx:
                meets = y + dy * (column + 1 - x) / dx
                t = (column + 1 - x) / dx
                if 0 < t < 1 and row < meets < row + 1:
                    return False
            if self.wall((column, row), above) and dy:
                t = (row + 1 - y) / dy
                meets = x + dx * t
                if 0 < t < 1 and column < meets < column + 1:
                    return False
        if dx and dy:
            for corner in range(min(a[0], b[0]) + 1, max(a[0], b[0]) + 1):
                height = y + dy * (corner - x) / dx
                if height.denominator == 1 and not self.corner_clear(
                    corner, int(height), dx * dy > 0, figures, own
                ):
                    return False
        return True

    def corner_clear(
        self, column: int, row: int, rising: bool, figures: set[Cell], own: set[Cell]
    ) -> bool:
        """Whether a line through the lower left corner of a cell has a free way round it."""
        if rising:
            before, after = (column - 1, row - 1), (column, row)
            flanks = [(column, row - 1), (column - 1, row)]
        else:
            before, after = (column - 1, row), (column, row - 1)
            flanks = [(column, row), (column - 1, row - 1)]
        return any(
            not self.wall(before, flank)
            and not self.wall(flank, after)
            and (flank in own or (flank not in figures and not self.has_cross(flank)))
            for flank in flanks
        )

    # -- contact: TAC-CON-1 to -5 -----------------------------------------------------------------

    def engaged(self, name: str, where: Cell | None = None) -> set[str]:
        key = (name, self.at[name] if where is None else where)
        if key in self.asked:
            return self.asked[key]
        mine = self.cells(name, where)
        found = set()
        for foe in self.foes(name):
            figures = set(self.standing({name, foe}))
            own = {*mine, *self.cells(foe)}
            for a, b in product(mine, self.cells(foe)):
                far = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
                if far == 1 and self.clear(a, b, figures, own):
                    found.add(foe)
        self.asked[key] = found
        return found

    def loot(self, name: str, beside: bool) -> set[Cell]:
        """The loot on its spaces, or also on those next to them in sight: TAC-LOT-2, TAC-OR-26."""
        mine, figures = self.cells(name), set(self.standing({name}))
        return {
            where
            for where, a in product(self.tokens, mine)
            if where == a
            or (
                beside
                and max(abs(a[0] - where[0]), abs(a[1] - where[1])) == 1
                and self.clear(a, where, figures, {*mine, where})
            )
        }

    def distance(self, one: str, two: str) -> int:
        return min(
            max(abs(a[0] - b[0]), abs(a[1] - b[1]))
            for a, b in product(self.cells(one), self.cells(two))
        )

    # -- moves: TAC-MOV -------------------------------------------------------------------------

    def reach(self, name: str) -> dict[Cell, int]:
        """The spaces where a Move may end, with their costs, by walking every path."""
        size = self.pieces[name].get("size", 1)
        spaces = self.pieces[name].get("spaces", 3)
        if self.engaged(name):
            spaces = min(spaces, 1)
        others = self.standing({name})
        found: dict[Cell, int] = {}
        starts = self.cells(name) if size == 2 else [self.at[name]]
        for start in starts:
            self.walk(name, start, [start], spaces, others, found)
        found.pop(self.at[name], None)
        return found

    def walk(
        self,
        name: str,
        start: Cell,
        path: list[Cell],
        left: int,
        others: dict[Cell, str],
        found: dict[Cell, int],
    ) -> None:
        large = self.pieces[name].get("size", 1) == 2
        here, cost = path[-1], len(path) - 1
        if cost:
            for end in self.endings(name, here, others, large):
                found[end] = min(found.get(end, cost), cost)
            if not large and self.engaged(name, here):
                return  # TAC-MOV-6, and TAC-OR-9 on a friend's space
        if not left:
            return
        for dc, dr in product((-1, 0, 1), repeat=2):
            there = (here[0] + dc, here[1] + dr)
            if (dc or dr) and self.steps(name, here, there, others):
                self.walk(name, start, [*path, there], left - 1, others, found)

    def steps(self, name: str, here: Cell, there: Cell, others: dict[Cell, str]) -> bool:
        def blocks(where: Cell) -> bool:
            foe = where in others and self.side(others[where]) != self.side(name)
            return not self.is_open(where) or foe

        if blocks(there):
            return False
        if here[0] == there[0] or here[1] == there[1]:
            return not self.wall(here, there)
        return any(
            not blocks(flank) and not self.wall(here, flank) and not self.wall(flank, there)
            for flank in ((here[0], there[1]), (there[0], here[1]))
        )

    def endings(self, name: str, here: Cell, others: dict[Cell, str], large: bool) -> list[Cell]:
        if not large:
            return [] if here in others else [here]
        found = []
        for dc, dr in product((0, -1), repeat=2):
            corner = (here[0] + dc, here[1] + dr)
            block = self.cells(name, corner)
            free = all(self.is_open(one) and one not in others for one in block)
            walled = any(self.wall(one, two) for one, two in product(block, repeat=2))
            if free and not walled:
                found.append(corner)
        return found

    # -- charges: TAC-CHG -------------------------------------------------------------------------

    def charge(self, name: str, foe: str) -> set[Cell]:
        """Where a charge that reaches its target may end; empty if it may not or does not."""
        if self.engaged(name) or not self.sees(name, foe):
            return set()
        ends = {
            where: cost
            for where, cost in self.reach(name).items()
            if foe in self.engaged(name, where)
        }
        least = min(ends.values(), default=0)
        return {where for where, cost in ends.items() if cost == least}


def passes(x: Fraction, y: Fraction, dx: Fraction, dy: Fraction, column: int, row: int) -> bool:
    """Whether a segment has a point strictly inside a cell, by clipping its parameter."""
    low, high = Fraction(0), Fraction(1)
    for start, step, least in ((x, dx, column), (y, dy, row)):
        if step == 0:
            if not least < start < least + 1:
                return False
            continue
        enter, leave = sorted(((least - start) / step, (least + 1 - start) / step))
        low, high = max(low, enter), min(high, leave)
    return low < high
