"""Games for rivals, chosen by a number: battles of miniatures with ready armies, lined up on ground
with terrain, in every mode; jousts of ready decks; battles and skirmishes of the boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.thrones.screen.new_game import ready_lists
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.westeros.cards.catalogue import every_card
from companion.session.game_lookup import find_play, find_screen
from models import Table, Terrain, catalogue

MODES = {
    "tmg-2021": ("GOT", "FFC", "DWD", "HAR", "COK", "FAB", "HWS", "WOW", "DWW", "SOS"),
    "tmg-2018": ("GOT", "FFC", "COK", "WOW", "SOS"),
}
"""The modes of each edition, one after the other."""
PIECES = 4
MARGIN_IN = 13.0
"""Terrain lies clear of the deployment zones."""


def battle(game: str, number: int, mode: str = "GOT", points: int = 40) -> list[dict[str, Any]]:
    """The set-up of a battle, its trays lined up; blue is first in every other one."""
    chance = Random(number)
    lists = [text for _, text in PLAY.ready_armies(game, points)]
    armies = [{"side": side, "list": chance.choice(lists)} for side in ("blue", "red")]
    set_up: dict[str, Any] = {
        "do": "set-up",
        "game": game,
        "mode": mode,
        "points": points,
        "armies": armies,
        "ready": True,
        "first": ("blue", "red")[number % 2],
    }
    if GAME.has_roles(game, mode):
        set_up["defender"] = "blue"
    prepared = PLAY.prepare(game, {**set_up, "seed": 0})
    assert isinstance(prepared, dict), prepared
    ground = GAME.battlefield(game, mode, 48.0, 48.0)
    ground = with_terrain(ground, chance)
    table = GAME.line_up(ground, PLAY.fielded(game, prepared)).to_json()
    return [{**set_up, "table": table}]


def with_terrain(table: Table, chance: Random) -> Table:
    """The table with some pieces, none on another or on a token."""
    known = catalogue(table.game).pieces
    kinds = [one for one in GAME.pieces(table.game, table.mode) if not one.barred]
    for number in range(PIECES * 5):
        piece = chance.choice(kinds)
        wide, deep = piece.size_in
        x = chance.uniform(MARGIN_IN, table.width - MARGIN_IN - wide)
        y = chance.uniform(MARGIN_IN, table.depth - MARGIN_IN - deep)
        outline = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
        more = Terrain(f"t{number}", outline, known[piece.name], piece.name)
        trial = replace(table, terrain=(*table.terrain, more))
        if GAME.placed(trial)["terrain"][more.id]["answer"] == "yes":
            table = trial
        if len(table.terrain) >= PIECES:
            break
    return table


def joust(number: int) -> list[dict[str, Any]]:
    """The set-up of a joust between two ready decks, in each of two games on the other side; they
    are checked where none of them is a small one to learn with."""
    decks = Random(number // 2).sample([text for _, text in ready_lists()], 2)
    first, second = decks if number % 2 else reversed(decks)
    seats = [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Ben"}]
    told = {"seats": seats, "decks": {"p1": first, "p2": second}}
    small = isinstance(find_play("thrones").prepare("thrones", told), Refusal)
    return [{"do": "set-up", "game": "thrones", **told, "unchecked": small}]


MARKERS = (
    ("building", "fire-3"),
    ("forest", "fire-2"),
    ("road", "fire-4"),
    ("tent",),
    ("palisade",),
    ("siege-tower",),
    ("forest-road",),
    ("tent", "fire-1"),
)
"""Terrain and fires for battles of Westeros."""


COMMANDS = (
    {"id": "together", "name": "All together", "commands": [2], "units": 3},
    {"id": "one-more", "name": "One more", "commands": [1], "units": 1, "dice": 1},
)
"""Command cards as players enter them."""


def burning_ford(number: int) -> list[dict[str, Any]]:
    """The practice battle of Westeros with fires, markers, a stone bridge, The Plunderer, who
    sets more hexes on fire, and command cards that are known."""
    chance, plan = Random(number), deepcopy(every_card().plans["sample-ford"].raw)
    taken = [*plan["ground"], *(one["cell"] for house in plan["house"] for one in house["units"])]
    every = [f"{column},{row}" for row in range(3, 8) for column in range(1, 14)]
    free = chance.sample([one for one in every if one not in taken], len(MARKERS))
    plan["ground"] |= {cell: list(words) for cell, words in zip(free, MARKERS, strict=True)}
    plan["ground"]["10,5"] = ["river", "stone-bridge"]
    plan["house"][1]["units"][1]["commander"] = "gregor-plunderer"
    return [{"do": "set-up", "battle": plan, "cards": {"command": list(COMMANDS)}}]


def opened(game: str, seed: int) -> Sequence[Plain]:
    """The set-up of one game: of miniatures one mode after the other, of the card game two ready
    decks; of Westeros battles and skirmishes, of Tactics with and without deployment."""
    if game == "westeros" and seed % 3 == 2:
        return burning_ford(seed)
    if game == "thrones":
        return joust(seed)
    if game == "westeros" and seed % 3 == 1:
        return [{"do": "set-up", "skirmish": dict(every_card().skirmishes["sample-raid"].raw)}]
    if game == "tactics" and seed % 2:
        return find_screen(game).practice(game)[:1]
    modes = MODES.get(game, ())
    return [*battle(game, seed, modes[seed % len(modes)], 30)] if modes else []
