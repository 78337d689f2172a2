"""Tactics against the slow reference on random boards: `python -m tests.reference.tactics_compare`.

python -m tests.reference.tactics_compare 500
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

from companion.games.tactics.game import GAME
from companion.games.tactics.rules.battlefield import square_field
from companion.games.tactics.rules.position import placements
from companion.games.tactics.rules.space_effects import takeable
from models.board import cell_text, parse_cell
from models.board_table import BoardTable
from models.field import Field
from tests.reference.tactics_slow import SlowTable

WORDS = ("open-o", "open-x", "blocked-x", "blocked-o")


def random_board(seed: int) -> dict[str, Any]:
    """A table with ground, walls, doors, small and large figures, as a file would hold it."""
    dice = random.Random(seed)
    columns, rows = dice.choice(((5, 5), (7, 7), (9, 6), (14, 7)))
    rough = dice.choice((0.05, 0.15, 0.3))
    ground: dict[str, Any] = {}
    for column in range(columns):
        for row in range(rows):
            if dice.random() < rough:
                word = dice.choice((*WORDS[1:], *WORDS[1:], "none"))
                ground[f"{column},{row}"] = word if dice.random() < 0.8 else [word, "high"]
    ground = {name: word for name, word in ground.items() if "none" not in word[1:]}
    absent = {name for name, word in ground.items() if word in ("none", ["none", "high"])}
    for name in absent:
        ground[name] = "none"
    edges = []
    for column in range(columns):
        for row in range(rows):
            for there in ((column + 1, row), (column, row + 1)):
                inside = there[0] < columns and there[1] < rows
                between = [f"{column},{row}", cell_text(there)]
                if inside and not absent & set(between) and dice.random() < rough / 2:
                    kind = dice.choice(("wall", "wall", "door"))
                    opened = {"open": dice.random() < 0.5} if kind == "door" else {}
                    edges.append({"between": between, "kind": kind, **opened})
    plain: dict[str, Any] = {
        "format": "table-companion/2",
        "game": "tactics",
        "board": {
            "space": "square",
            "columns": columns,
            "rows": rows,
            "cell": 1.25,
            "ground": ground,
            "edges": edges,
        },
        "pieces": [],
    }
    table = SlowTable(plain)
    taken: set[tuple[int, int]] = set()
    for number in range(dice.randint(2, 12)):
        size = 2 if dice.random() < 0.3 else 1
        where = (dice.randrange(columns), dice.randrange(rows))
        side = dice.choice(("blue", "red"))
        piece: dict[str, Any] = {
            "id": f"{side[0]}{number}",
            "side": side,
            "cell": cell_text(where),
            "size": size,
        }
        if dice.random() < 0.2:
            piece["spaces"] = 4
        table.pieces[piece["id"]] = piece
        block = table.cells(piece["id"], where)
        walled = any(table.wall(a, b) for a in block for b in block)
        if walled or any(one in taken or not table.is_open(one) for one in block):
            del table.pieces[piece["id"]]
            continue
        taken.update(block)
        plain["pieces"].append(piece)
    spots = [(dice.randrange(columns), dice.randrange(rows)) for _ in range(columns)]
    plain["board"]["marks"] = {cell_text(one): "purse" for one in spots if table.is_open(one)}
    return plain


def disagreements(plain: dict[str, Any]) -> Iterator[str]:
    """Where the product and the reference answer differently."""
    if not plain["pieces"]:
        return
    slow = SlowTable(plain)
    table = BoardTable.read(Field(plain))
    report = GAME.report(table).to_json("random")
    field = square_field(table.board, GAME.settings(["loot-contact=on"]))
    position = next(iter(placements(table, field))).position
    for name, found in report["pieces"].items():
        if {parse_cell(one) for one in found["loot"]} != slow.loot(name, beside=True):
            yield f"{name} takes {found['loot']} or {sorted(slow.loot(name, beside=True))}"
        on = takeable(position, position.by_id[name])
        if set(on) != slow.loot(name, beside=False):
            yield f"{name} takes on its spaces {on} or {sorted(slow.loot(name, beside=False))}"
        if set(found["engaged"]) != slow.engaged(name):
            yield f"{name} engaged: {found['engaged']} or {sorted(slow.engaged(name))}"
        reach = {parse_cell(one): end["cost"] for one, end in found["reach"].items()}
        if reach != slow.reach(name):
            yield f"{name} reach: {sorted(reach.items())} or {sorted(slow.reach(name).items())}"
        for where, end in found["reach"].items():
            if set(end["engages"]) != slow.engaged(name, parse_cell(where)):
                yield f"{name} at {where} engages {end['engages']}"
        for other, far in found["distance"].items():
            if far != slow.distance(name, other):
                yield f"{name} to {other}: {far}"
        for foe in slow.foes(name):
            if (found["sees"][foe]["answer"] == "yes") != slow.sees(name, foe):
                yield f"{name} sees {foe}: {found['sees'][foe]}"
            charge = found["charges"][foe]
            ends = slow.charge(name, foe)
            if (charge["answer"] == "yes") != bool(ends):
                yield f"{name} charges {foe}: {charge} or {sorted(ends)}"
            elif ends and {parse_cell(one) for one in charge["ends"]} != ends:
                yield f"{name} charges {foe}: ends {charge['ends']} or {sorted(ends)}"


def main() -> int:
    """Compare that many boards; the status is the number of boards that disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    bad = 0
    for seed in range(args.first, args.first + args.count):
        found = list(disagreements(random_board(seed)))
        bad += bool(found)
        for line in found[:3]:
            print(f"board {seed}: {line}")
    print(f"{args.count} boards, {bad} with disagreements")
    return min(bad, 1)


if __name__ == "__main__":
    raise SystemExit(main())
