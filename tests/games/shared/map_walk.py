"""A finger that walks over the map by what a place is called, and where it ends."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import dist, radians, sin
from statistics import fmean

from companion.games.shared.places import Landmark, Landmarks, areas_of, shape_of
from models.board import Board, Cell

CALLED = re.compile(r"(?:the (?:hex|space) |.*?, )(?P<where>.*?) of (?P<thing>.*)")
END = re.compile(r"(?P<thing>.*), (?P<where>(?:left|right) end|(?:end|corner) on .*|in its middle)")
EDGES = re.compile(r"in row (\d+) from (.*), place (\d+) from (.*)")
BOTH = re.compile(r"(\d+) diagonally ?(.*) and (\d+) diagonally ?(.*), both (.*)")
ROWS = re.compile(r"(\d+) (?:rows|columns) straight (.*)")
SIDES = {"left": (-1, 0), "right": (1, 0), "this side": (0, -1), "far side": (0, 1)}
STRAIGHT = sin(radians(20))
"""Within 20° of straight a step is straight."""


def sides_in(words: str) -> frozenset[str]:
    return frozenset(side for side in SIDES if side in words)


def legs_of(where: str) -> list[tuple[frozenset[str], int]]:
    """What a finger does one after the other: to which sides at once, and how many steps."""
    if both := BOTH.fullmatch(where):
        return [(sides_in(both[5]) | sides_in(both[n + 1]), int(both[n])) for n in (1, 3)]
    if on := ROWS.fullmatch(where):
        (side,) = sides_in(on[2])
        across = ("left", "right") if side.endswith("side") else ("this side", "far side")
        return [(frozenset((side, one)), int(on[1]) // 2) for one in across]
    if re.match(r"\d+ (?!steps)", where):
        return [(sides_in(one), int(one.split()[0])) for one in where.split(" and ")]
    count = re.match(r"(\d+) steps", where)
    return [(sides_in(where), int(count[1]) if count else 1)]


@dataclass(frozen=True)
class MapWalk:
    """The map of a board; it knows nothing but where cells are drawn."""

    board: Board

    @cached_property
    def places(self) -> dict[Cell, tuple[float, float]]:
        """Where cells are drawn, some beyond the rim too: x to the right, y up."""
        columns, rows = range(-4, self.board.columns + 4), range(-4, self.board.rows + 4)
        outlines = {(c, r): self.board.outline((c, r)) for c in columns for r in rows}
        return {
            cell: (fmean(x for x, _ in outline), fmean(y for _, y in outline))
            for cell, outline in outlines.items()
        }

    @cached_property
    def neighbours(self) -> dict[tuple[Cell, frozenset[str]], Cell]:
        """The next cell to some sides, as a player sees it."""
        reach = self.board.cell_in * (1.5 if self.board.space == "square" else 1.1)
        found: dict[tuple[Cell, frozenset[str]], Cell] = {}
        for cell, at in self.places.items():
            for one in ((cell[0] + c, cell[1] + r) for c in (-1, 0, 1) for r in (-1, 0, 1)):
                there = self.places.get(one)
                if there is not None and one != cell and dist(at, there) < reach:
                    key = cell, self.sides(at, there)
                    assert key not in found
                    found[key] = one
        return found

    def sides(self, at: tuple[float, float], there: tuple[float, float]) -> frozenset[str]:
        """The sides to which a step leads."""
        return frozenset(side for side in SIDES if self.gain(at, there, side) > STRAIGHT)

    def gain(self, at: tuple[float, float], there: tuple[float, float], side: str) -> float:
        """How far one place lies to a side of another, in cells."""
        way = zip(SIDES[side], at, there, strict=True)
        return sum(sign * (two - one) for sign, one, two in way) / self.board.cell_in

    def ends(self, where: str, thing: set[Cell]) -> set[Cell]:
        """Where the finger ends that starts on any cell of a thing, never goes over the thing, and
        ends on the named side of all of it."""
        legs, found = legs_of(where), set[Cell]()
        told = [sides for sides, _ in legs]
        common = re.search("(?:both|straight) (.*)", where)
        named = sides_in(common[1]) if common else frozenset().union(*told)
        for start in thing:
            at, way = start, set[Cell]()
            for sides, count in legs:
                for _ in range(count):
                    at = self.neighbours[at, sides]
                    way.add(at)
            if thing.isdisjoint(way) and all(
                self.gain(self.places[one], self.places[at], side) > 0.01
                for one in thing
                for side in named
            ):
                found.add(at)
        return found

    def end(self, thing: set[Cell], sides: frozenset[str]) -> set[Cell]:
        """The cells of a thing at its end or corner on some sides; in its middle without any."""
        found = set(thing)
        for side in sides:
            best = max(self.gain((0.0, 0.0), self.places[one], side) for one in thing)
            found = {
                one
                for one in found
                if abs(self.gain((0.0, 0.0), self.places[one], side) - best) < 0.01
            }
        if not sides:
            middle = tuple(fmean(self.places[one][axis] for one in thing) for axis in (0, 1))
            found = {one for one in thing if dist(self.places[one], middle) < 0.01}
        return found

    def counted(self, said: re.Match[str]) -> Cell:
        """The cell that is counted from the edges of the map: its row, and its place in the row."""
        (row,), (place,) = sides_in(said[2]), sides_in(said[4])
        across, along = range(self.board.columns), range(self.board.rows)
        cells = {(c, r): self.places[c, r] for c in across for r in along}
        away = {
            side: {cell: round(self.gain(at, (0.0, 0.0), side), 3) for cell, at in cells.items()}
            for side in (row, place)
        }
        line = sorted(set(away[row].values()))[int(said[1]) - 1]
        in_line = [cell for cell in cells if away[row][cell] == line]
        return sorted(in_line, key=lambda cell: away[place][cell])[int(said[3]) - 1]

    def walked(self, words: str, things: Mapping[str, Iterable[set[Cell]]]) -> set[Cell]:
        """Where words lead; things by name ("the tower"), each with the cells of every one."""
        if said := EDGES.search(words):
            return {self.counted(said)}
        stands = re.fullmatch("where (.*) stands", words)
        if own := things.get(stands[1] if stands else words):
            return {cell for group in own for cell in group}
        if end := END.fullmatch(words):
            (group,) = things[end["thing"]]
            return self.end(group, sides_in(end["where"]))
        found = CALLED.fullmatch(words)
        assert found is not None, words
        groups = things[found["thing"]]
        return {cell for group in groups for cell in self.ends(found["where"], group)}


def things_on(
    board: Board,
    marks: Mapping[Cell, Landmark],
    people: Mapping[Cell, str],
    translate: Callable[[str], str] = str,
) -> dict[str, list[set[Cell]]]:
    """Everything by which places are named, with the cells of every one of that name."""
    things: dict[str, list[set[Cell]]] = defaultdict(list)
    for area in areas_of(shape_of(board), Landmarks(marks)):
        things[translate(area.the)].append(set(area.cells))
    for name in set(people.values()):
        things[name].append({cell for cell, one in people.items() if one == name})
    return things
