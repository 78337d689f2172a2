"""A table that uses every key, as the plain object a file holds."""

from __future__ import annotations

import json
from typing import Any

_SAMPLE: dict[str, Any] = {
    "format": "table-companion/1",
    "game": "tmg-2021",
    "mode": "GOT",
    "table": {"width": 48, "depth": 48},
    "units": [
        {
            "id": "b1",
            "side": "blue",
            "name": "Stark Sworn Swords",
            "tray": "infantry",
            "x": 12.0,
            "y": 10.0,
            "heading": 90.0,
            "speed": 5,
            "defense": 4,
            "morale": 6,
            "models": 12,
            "wounds": 0,
            "attacks": [
                {
                    "name": "Winter's Bite",
                    "kind": "melee",
                    "hit": 4,
                    "dice": [7, 5, 4],
                    "abilities": ["sundering"],
                },
                {"name": "Bow", "kind": "long", "hit": 4, "dice": [7, 5, 4]},
            ],
            "sigma": {"xy": 0.03, "heading": 0.4},
        },
        {
            "id": "r1",
            "side": "red",
            "tray": {"width": 4.7, "depth": 3.5, "arc": 50},
            "x": 12.0,
            "y": 24.0,
            "heading": 270.0,
        },
    ],
    "terrain": [
        {"id": "t1", "piece": "palisade", "outline": [[20, 20], [26, 20], [26, 21], [20, 21]]},
        {"id": "t2", "keywords": ["Blocks LOS", "rough"], "outline": [[30, 9], [33, 9], [31, 12]]},
    ],
    "objectives": [{"id": "o1", "x": 24, "y": 24, "radius": 0.709}, {"id": "o2", "x": 6, "y": 24}],
}
_TEXT = json.dumps(_SAMPLE)


def sample() -> dict[str, Any]:
    """A fresh copy to spoil."""
    table: dict[str, Any] = json.loads(_TEXT)
    return table
