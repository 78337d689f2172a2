"""Tables as a camera might see them, made up for whoever stands on the battlefield."""

from __future__ import annotations

import random
from typing import Any

from models import catalogue

Plain = dict[str, Any]


def table(state: Plain, chance: random.Random) -> Plain:
    """A table as a camera might see it: everybody somewhere, some in contact, doubt in the rest."""
    known = catalogue(state["game"])
    trays = {unit.name: unit.tray for unit in known.units.values()}
    standing = [name for name, unit in state["units"].items() if unit["place"] == "field"]
    sides = {name: unit["side"] for name, unit in state["units"].items()}
    chance.shuffle(standing)
    spots = [(5.0 + 9.0 * column, 5.0 + 12.0 * row) for column in range(5) for row in range(4)]
    units: list[Plain] = []

    def put(name: str, x: float, y: float, heading: float, spread: float) -> Plain:
        unit = state["units"][name]
        placed = {
            "id": name,
            "side": unit["side"],
            "name": unit["name"],
            "tray": trays.get(unit["name"], "infantry"),
            "x": x,
            "y": y,
            "heading": heading,
            "speed": unit["speed"],
            "models": unit["models"],
            "attacks": unit["attacks"],
            **({"sigma": {"xy": spread, "heading": 1.0}} if spread else {}),
        }
        units.append(placed)
        return placed

    for x, y in chance.sample(spots, len(spots)):
        if not standing:
            break
        name = standing.pop()
        foes = [one for one in standing if sides[one] != sides[name]]
        if foes and chance.random() < 0.4:
            one = put(name, x, y, 90.0, 0.0)
            two = put(foes[0], x, y, 270.0, 0.0)
            standing.remove(foes[0])
            deep = sum(known.trays[tray["tray"]].depth for tray in (one, two))
            two["y"] += deep / 2
        else:
            facing = chance.choice((0.0, 90.0, 180.0, 270.0))
            spread = chance.choice((0.0, 0.0, 0.05, 0.4))
            put(name, x + chance.uniform(-1, 1), y + chance.uniform(-1, 1), facing, spread)
    pieces = []
    for number, piece in enumerate(chance.sample(sorted(known.pieces), 3)):
        x, y = chance.uniform(4, 40), chance.uniform(4, 40)
        corners = [[x, y], [x + 5, y], [x + 5, y + 2], [x, y + 2]]
        pieces.append({"id": f"t{number}", "piece": piece, "outline": corners})
    lying = [
        {"id": name, "x": chance.uniform(8, 40), "y": chance.uniform(8, 40), "radius": 0.7}
        for name in state["objectives"]
    ]
    return {
        "format": "table-companion/1",
        "game": state["game"],
        "table": {"width": 48, "depth": 48},
        "units": units,
        "terrain": pieces,
        "objectives": lying,
    }
