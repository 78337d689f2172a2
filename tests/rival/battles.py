"""Games for rivals, chosen by a number: battles of miniatures with ready armies, lined up on ground
with terrain, in every mode; jousts and melees; battles and skirmishes of the boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.tactics.cards.squad import ITEMS
from companion.games.thrones.cards.card import FACTIONS, NEUTRAL, TYPES
from companion.games.thrones.cards.catalogue import CardCatalogue, shipped_card
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.cards.deck_writer import write_deck
from companion.games.thrones.cards.packs import pack_kind
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


SHAPES = {"duel": ("blue", "red"), "ffa": ("blue", "red", "green"), "team": ("blue", "red") * 2}
"""The kinds of games of miniatures, and the sides of their players."""


def unmeasured(game: str, number: int, mode: str) -> list[dict[str, Any]]:
    """A battle that rivals set up themselves, on a table that nobody measures: for two players,
    three, or two teams."""
    chance = Random(number)
    lists = [text for _, text in PLAY.ready_armies(game, 30)]
    shape = tuple(SHAPES)[number // 4 % 3] if len(lists) > 3 else "duel"
    chance.shuffle(lists)
    armies = [
        {"side": side, "player": f"{side}{at}", "list": one}
        for (at, side), one in zip(enumerate(SHAPES[shape]), lists, strict=False)
    ]
    told = {"mode": mode if shape == "duel" else "GOT", "points": 30, "shape": shape}
    return [{"do": "set-up", "game": game, **told, "armies": armies}]


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


NAMES = ("Anna", "Ben", "Cara", "Dora")
KEYWORDS = {"ambush", "assault", "bestow", "prized", "shadow", "stealth", "intimidate"}
"""Of these a mixed deck has as many as it may."""


def joust(number: int) -> list[dict[str, Any]]:
    """The set-up of a joust between two ready decks, in each of two games on the other side."""
    decks = Random(number // 2).sample([text for _, text in ready_lists()], 2)
    return seated(decks if number % 2 else decks[::-1])


def melee(number: int) -> list[dict[str, Any]]:
    """Three or four players, each with a deck of many keywords."""
    chance = Random(number)
    return seated([mixed_deck(chance) for _ in range(3 + number % 2)])


def seated(decks: Sequence[str]) -> list[dict[str, Any]]:
    """A set-up with these decks; they are checked where none of them is a small one to learn
    with."""
    seats = [{"id": f"p{at}", "name": name} for at, name in enumerate(NAMES[: len(decks)], 1)]
    told = {
        "seats": seats,
        "decks": {one["id"]: deck for one, deck in zip(seats, decks, strict=True)},
    }
    small = isinstance(find_play("thrones").prepare("thrones", told), Refusal)
    return [{"do": "set-up", "game": "thrones", **told, "unchecked": small}]


def mixed_deck(chance: Random) -> str:
    """A deck of a faction by chance: cards of every type with keywords first, three of each."""
    cards, faction = CardCatalogue({}), chance.choice(FACTIONS)
    known = [shipped_card(code) for code in cards]
    known = [one for one in known if one.faction in (faction, NEUTRAL) and not pack_kind(one)]
    chance.shuffle(known)
    known.sort(key=lambda one: -len(KEYWORDS.intersection(one.keywords)))
    titles = {one.name: one for one in reversed(known)}
    found = {kind: [one for one in titles.values() if one.type == kind] for kind in TYPES}
    counts = [(one, 1) for one in chance.sample(found["plot"], 7)]
    for kind, number in (("character", 14), ("location", 5), ("attachment", 4), ("event", 1)):
        counts += [(one, min(3, one.limit)) for one in found[kind][-number:]]
    return write_deck(DeckList(faction, tuple(counts), ""), "window", cards)


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
    return [
        {"do": "set-up", "game": "westeros", "battle": plan, "cards": {"command": list(COMMANDS)}}
    ]


BLUE = ("warden", "bannerman", "scout", "guard", "archer")
RED = ("captain", "reaver", "healer", "axeman", "crossbow")
GROUND = "....." * 5 + "xx##~^^"
GROUND_MARKS = ("fire", "river", "stake-pit", "stake-pit", "leaf-pile", "!well", "?barrel")


def crowded_yard(number: int) -> list[dict[str, Any]]:
    """Two squads of Tactics close together on a tile by chance, all kinds of terrain under their
    feet, every figure with equipment."""
    chance = Random(number)
    spaces = [(column, row) for row in range(7) for column in range(7)]
    rows = ["".join(chance.choice(GROUND) for _ in range(7)) for _ in range(7)]
    open_ground = [one for one in spaces if rows[6 - one[1]][one[0]] == "."]
    *free, a, b, c = (f"{column},{row}" for column, row in chance.sample(open_ground, 22))
    marks = {cell: chance.choice(GROUND_MARKS) for cell in free[10:]}
    tile = {"id": "yard", "name": "Yard", "rows": rows, "marks": marks}
    squads = [
        {
            "side": side,
            "player": name,
            "figures": [
                {"card": f"sample-{one}", "equipment": chance.choice(ITEMS).id} for one in figures
            ],
        }
        for side, name, figures in (("blue", "Anna", BLUE), ("red", "Ben", RED))
    ]
    scenario = {
        "id": "yard",
        "name": "Yard",
        "rounds": 3,
        "coins": [2, 4, 12],
        "size": [7, 7],
        "zones": {"gold": free[:5], "silver": free[5:10]},
        "tiles": [{"tile": "yard", "at": [0, 0]}],
        "objectives": [a],
        "loot": {b: "purse", c: "letter"},
    }
    names = [f"{letter}{at}" for letter in "br" for at in range(1, 6)]
    set_up = {
        "do": "set-up",
        "game": "tactics",
        "scenario": scenario,
        "tiles": [tile],
        "squads": squads,
    }
    cells = dict(zip(names, free[:10], strict=True))
    return [{**set_up, "unchecked": True, "ready": True, "cells": cells}, {"do": "begin"}]


def every_kind(game: str, seed: int) -> Sequence[Plain]:
    """The set-up of one game for rivals against each other: duels, and of the card game melees, of
    miniatures battles for more players that rivals set up themselves."""
    if game == "thrones" and seed % 3 == 2:
        return melee(seed)
    if game in MODES and seed % 4 == 3:
        return unmeasured(game, seed, MODES[game][seed % len(MODES[game])])
    return opened(game, seed)


def opened(game: str, seed: int) -> Sequence[Plain]:
    """The set-up of one game for two: of miniatures one mode after the other, of the card game two
    ready decks; of Westeros battles and skirmishes, of Tactics with and without deployment."""
    if game == "westeros" and seed % 3 == 2:
        return burning_ford(seed)
    if game == "thrones":
        return joust(seed)
    if game == "westeros" and seed % 3 == 1:
        return [{"do": "set-up", "skirmish": dict(every_card().skirmishes["sample-raid"].raw)}]
    if game == "tactics" and seed % 4 == 3:
        return crowded_yard(seed)
    if game == "tactics" and seed % 2:
        return find_screen(game).practice(game)[:1]
    modes = MODES.get(game, ())
    return [*battle(game, seed, modes[seed % len(modes)], 30)] if modes else []
