"""Battles of Westeros against the slow reference on random boards.

python -m tests.reference.westeros_compare 500
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

from companion.games.westeros.game import GAME
from models.board import parse_cell
from models.board_table import BoardTable
from models.field import Field
from tests.reference.westeros_slow import Hex, SlowHexes, beside, steps_between

GROUND = (
    "hill", "forest", "river", "forest-river", "building", "road", "road", "road", "forest-road",
)  # fmt: skip
MARKERS = ("wooden-bridge", "stone-bridge", "palisade", "tent", "siege-tower", "ford", "ford")
KEYWORDS = ("stalwart", "off-balance", "war-hounds", "scorched-earth", "pursue 2", "advance")


READINGS = (
    "rim-lines=closed", "archers-on-hills=units-and-hills", "forest-road=forest",
    "ranged-ford=stop", "cavalry-ford=two", "road-bonus=plain-move", "fire-retreat=free",
    "portrait-retreat=straight", "leaving-flank=no", "engaged-hounds=yes",
)  # fmt: skip
"""Readings of geometry that differ from the defaults."""


def random_readings(seed: int) -> tuple[str, ...]:
    """None for every other board, else some of them."""
    dice = random.Random(seed)
    return tuple(dice.sample(READINGS, dice.randint(1, 6))) if seed % 2 else ()


def random_board(seed: int) -> dict[str, Any]:
    """A table with terrain, markers, fires, units and engagements, as a file would hold it."""
    dice = random.Random(seed)
    columns, rows = dice.choice(((6, 5), (9, 7), (15, 11), (10, 15)))
    rough = dice.choice((0.1, 0.3, 0.5))
    ground: dict[str, Any] = {}
    for column in range(columns):
        for row in range(rows):
            words = []
            if dice.random() < rough:
                words.append(dice.choice(GROUND))
            if dice.random() < rough / 4:
                words.append(dice.choice((*MARKERS, "devastation")))
            if dice.random() < 0.04:
                words.append(f"fire-{dice.randint(1, 4)}")
            if dice.random() < 0.02:
                words = ["none"]
            if words:
                ground[f"{column},{row}"] = words if len(words) > 1 else words[0]
    board = {"space": "hex", "columns": columns, "rows": rows, "cell": 2.1, "ground": ground}
    plain: dict[str, Any] = {
        "format": "table-companion/2",
        "game": "westeros",
        "board": board,
        "pieces": [],
    }
    table = SlowHexes(plain)
    cells = [(c, r) for c in range(columns) for r in range(rows) if table.inside((c, r))]
    chosen = dice.sample(cells, min(len(cells), dice.randint(4, columns * rows // 6)))
    pieces = [random_unit(dice, number, where) for number, where in enumerate(chosen)]
    pieces.sort(key=lambda one: one["side"])
    if dice.random() < 0.3:  # hex rows run towards the players
        for one in pieces:
            one["edge"] = "left" if one["side"] == "blue" else "right"
    engage(dice, pieces)
    return {**plain, "pieces": pieces}


def random_unit(dice: random.Random, number: int, where: Hex) -> dict[str, Any]:
    """A unit with some of the facts that a table may name."""
    side = dice.choice(("blue", "red"))
    piece: dict[str, Any] = {
        "id": f"{side[0]}{number}",
        "side": side,
        "cell": f"{where[0]},{where[1]}",
        "class": dice.choice(("foot", "foot", "cavalry", "ranged", "special")),
        "rank": dice.choice(("green", "blue", "red")),
    }
    if dice.random() < 0.4:
        piece["move"] = dice.randint(1, 4)
    if piece["class"] == "ranged" and dice.random() < 0.4:
        piece["range"] = dice.randint(2, 6)
    if dice.random() < 0.3:
        piece["dice"] = dice.randint(1, 5)
    if dice.random() < 0.3:
        piece["keywords"] = dice.sample(KEYWORDS, 2)
        piece["moved"] = dice.random() < 0.5
    if dice.random() < 0.2:
        piece["commander"] = f"lord-{number}"
    return piece


def engage(dice: random.Random, pieces: list[dict[str, Any]]) -> None:
    """Put engagement markers between some adjacent enemies, one at most for each unit."""
    free = {one["id"] for one in pieces}
    for one in pieces:
        for two in pieces:
            near = steps_between(parse_cell(one["cell"]), parse_cell(two["cell"])) == 1
            open_ = {one["id"], two["id"]} <= free
            if near and one["side"] != two["side"] and open_ and dice.random() < 0.6:
                free -= {one["id"], two["id"]}
                one["engaged"] = two["id"]


def disagreements(plain: dict[str, Any], readings: tuple[str, ...] = ()) -> Iterator[str]:
    """Where the product and the reference differ on a table, by these readings."""
    table = BoardTable.read(Field(plain, "random"))
    found = GAME.report(table, GAME.settings(readings)).to_json("random")["pieces"]
    slow = SlowHexes(plain, readings)
    for name, answers in found.items():
        yield from unit_disagreements(slow, name, answers)


def unit_disagreements(slow: SlowHexes, name: str, answers: dict[str, Any]) -> Iterator[str]:
    def differ(what: str, mine: Any, theirs: Any) -> Iterator[str]:
        if mine != theirs:
            yield f"{name} {what}: {mine} here, {theirs} there"

    reach = {parse_cell(c): (end["cost"], end["attack"]) for c, end in answers["reach"].items()}
    yield from differ("reach", reach, slow.reach(name))
    yield from differ("retreat", sorted(map(parse_cell, answers["retreat"])), slow.retreat(name))
    yield from differ("commanded", answers["commanded"], slow.commanded(name))
    yield from differ("stalwart", answers["stalwart"], slow.stalwart(name))
    yield from differ("engaged", answers["engaged"], [one for one in [slow.foe(name)] if one])
    if slow.keyword(name, "scorched-earth"):
        scorches = {parse_cell(c) for c in answers.get("scorches", ())}
        yield from differ("scorches", scorches, set(slow.scorches(name)))
    fires = {parse_cell(c) for c in answers.get("fires", ())}
    burning = {h for h in beside(slow.at[name]) if slow.inside(h) and slow.fire(h)}
    yield from differ("fires", fires, burning)
    for other, far in answers["distance"].items():
        yield from differ(other, far, steps_between(slow.at[name], slow.at[other]))
    for other, seen in answers["sees"].items():
        expected = "yes" if slow.sees(name, other) else "no"
        yield from differ(f"sees {other}", seen["answer"], expected)
    for other, attack in answers["attacks"].items():
        mine = {key: attack[key] for key in ("answer", "dice", "flank") if key in attack}
        yield from differ(f"attacks {other}", mine, slow.attack(name, other))
    for other, seen in answers.get("hounds", {}).items():
        yield from differ(f"hounds {other}", seen["answer"], slow.hounds(name, other))


def main() -> None:
    """Compare as many boards as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", type=int, nargs="?", default=500)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    wrong = 0
    for seed in range(asked.first, asked.first + asked.boards):
        for line in disagreements(random_board(seed), random_readings(seed)):
            print(f"{seed}: {line}")
            wrong += 1
    print(f"{asked.boards} boards, {wrong} disagreements")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
