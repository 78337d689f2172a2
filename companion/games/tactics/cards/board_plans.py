"""Tiles and battlefields that players edit by tapping: what may be put there, and their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.api.board_editor import BoardPlan, BoardTool
from companion.games.api.card_form import ImportedCards, imported_cards
from companion.games.shared.own_files import new_id, remove_own, save_own
from companion.games.tactics.cards.map_tile import (
    CELL_IN,
    OWN_FOLDER,
    TILE_FORMAT,
    TILE_SPACES,
    MapTile,
    every_tile,
    read_tiles,
    shipped_tiles,
)
from companion.games.tactics.cards.scenario import (
    SCENARIO_FORMAT,
    ZONES,
    TacticsScenario,
    every_scenario,
    layout_problems,
    read_scenarios,
    shipped_scenarios,
)
from models.atomic_write import document
from models.board import Board, Cell
from models.field import parse_toml
from models.message import BadInput, CompanionError, UnknownName, say, word

TILE, SCENARIO = "tile/", "scenario/"
"""How the ids of plans begin."""
GROUND_TOOLS = (
    BoardTool("open-o", word("ground", "Open"), "ground", "open-o", "type"),
    BoardTool("open-x", say("Open, blocks sight"), "ground", "open-x", "type"),
    BoardTool(
        "blocked-x",
        say("Blocked, blocks sight: rock, tree, heap of corpses"),
        "ground",
        "blocked-x",
        "type",
    ),
    BoardTool("blocked-o", say("Blocked, sight passes"), "ground", "blocked-o", "type"),
    BoardTool("high", say("High ground"), "ground", "high"),
)
EDGE_TOOLS = (
    BoardTool("wall", say("Wall"), "edge", "wall"),
    BoardTool("door", say("Wooden door"), "edge", "door", opens=True),
    BoardTool("locked-door", say("Locked door"), "edge", "locked-door", opens=True),
    BoardTool("window", say("Window"), "edge", "window"),
)
MARK_TOOLS = (
    BoardTool("fire", say("Fire"), "mark", "fire"),
    BoardTool("river", say("River"), "mark", "river"),
    BoardTool("leaf-pile", say("Leaf pile"), "mark", "leaf-pile"),
    BoardTool("stake-pit", say("Stake pit"), "mark", "stake-pit"),
    BoardTool("must", say("Must interact (!)"), "mark", "!"),
    BoardTool("may", say("May interact (?)"), "mark", "?"),
)
SCENARIO_TOOLS = (
    BoardTool("zone-gold", say("Gold deployment zone"), "mark", "zone-gold", "zone"),
    BoardTool("zone-silver", say("Silver deployment zone"), "mark", "zone-silver", "zone"),
    BoardTool("objective", say("Objective"), "mark", "objective", "token"),
    BoardTool("purse", say("Purse"), "mark", "purse", "token"),
    BoardTool("letter", say("Secret letter"), "mark", "letter", "token"),
)
SCENARIO_MARKS = frozenset(one.word for one in SCENARIO_TOOLS)


def board_tools(plan: str) -> tuple[BoardTool, ...]:
    """What may be put on a tile, or on the battlefield of a scenario."""
    tools = (*GROUND_TOOLS, *EDGE_TOOLS, *MARK_TOOLS)
    return (*SCENARIO_TOOLS, *tools) if plan.startswith(SCENARIO) else tools


def board_plans() -> list[BoardPlan]:
    """Every scenario and tile, the players' own first."""
    shipped = (shipped_scenarios(), shipped_tiles())
    found = [
        BoardPlan(f"{kind}{name}", one.name, name not in known or one != known[name], text)
        for kind, every, known, text in (
            (SCENARIO, every_scenario(), shipped[0], say("battlefield")),
            (TILE, every_tile(), shipped[1], say("tile")),
        )
        for name, one in every.items()
    ]
    return sorted(found, key=lambda one: not one.own)


def plan_board(plan: str) -> Board:
    """The board of a tile or scenario; an unknown tile is an empty one."""
    if plan.startswith(SCENARIO):
        return known_scenario(plan).board(every_tile())
    tile = every_tile().get(plan.removeprefix(TILE))
    return tile.board() if tile else Board("square", TILE_SPACES, TILE_SPACES, CELL_IN)


def known_scenario(plan: str) -> TacticsScenario:
    """The scenario of a plan; without a name an empty battlefield."""
    if plan == SCENARIO:
        return empty_scenario()
    found = every_scenario().get(plan.removeprefix(SCENARIO))
    if found is None:
        raise UnknownName(say("no scenario {name!r}", name=plan.removeprefix(SCENARIO)))
    return found


def empty_scenario() -> TacticsScenario:
    """What a new scenario begins with: rounds, coins and size of the first, and nothing on it."""
    first = next(iter(every_scenario().values()))
    return replace(
        first,
        id="",
        rounds_missing=True,
        zones=dict.fromkeys(ZONES, frozenset()),
        objectives=(),
        loot={},
        tutorial=False,
        tiles=(),
        ground={},
        edges=(),
        marks={},
    )


def save_plan(plan: str, name: str, board: Board) -> str:
    """Keep a tile or a scenario's battlefield in the players' folder; returns its id."""
    if plan.startswith(SCENARIO):
        scenario = replace(drawn_scenario(known_scenario(plan), board), name=name)
        new = scenario.id or new_id(name, dict.fromkeys(every_scenario(), ""))
        return keep_scenario(replace(scenario, id=new))
    if (board.columns, board.rows) != (TILE_SPACES, TILE_SPACES):
        raise CompanionError(
            say("{columns} × {rows} spaces are no tile", columns=board.columns, rows=board.rows)
        )
    tile_id = plan.removeprefix(TILE) or new_id(name, dict.fromkeys(every_tile(), ""))
    before = every_tile().get(tile_id)
    tile = MapTile.of(tile_id, name, board)
    if before is not None:
        tile = replace(tile, set=before.set, number=before.number, region=before.region)
    return keep_tile(tile)


def keep_tile(tile: MapTile) -> str:
    """Write a tile into a file of its own."""
    text = document(TILE_FORMAT, "tile", [tile.to_json()])
    read_tiles(parse_toml(text, tile.name))
    save_own(OWN_FOLDER, "tile", tile.id, text)
    return TILE + tile.id


def keep_scenario(scenario: TacticsScenario) -> str:
    """Write a scenario into a file of its own; it is the players' then, not an invented one."""
    scenario = replace(scenario, invented=False)
    text = document(SCENARIO_FORMAT, "scenario", [scenario.to_json()])
    read_scenarios(parse_toml(text, scenario.name))
    save_own(OWN_FOLDER, "scenario", scenario.id, text)
    return SCENARIO + scenario.id


def drawn_scenario(scenario: TacticsScenario, board: Board) -> TacticsScenario:
    """The scenario with this battlefield; it keeps its tiles while only its own marks change."""
    tiles = every_tile()
    before = scenario.board(tiles)
    own = {
        word: tuple(sorted(cell for cell, words in board.marks.items() if word in words))
        for word in SCENARIO_MARKS
    }
    drawn = replace(
        scenario,
        zones={zone: frozenset(own[f"zone-{zone}"]) for zone in ZONES},
        objectives=own["objective"],
        loot={cell: kind for kind in ("purse", "letter") for cell in own[kind]},
    )
    same = (
        bare_marks(before.marks) == bare_marks(board.marks)
        and set(before.borders) == set(board.borders)
        and worded(before.ground) == worded(board.ground)
    )
    if not same:
        drawn = replace(
            drawn,
            tiles=(),
            ground=board.ground,
            edges=board.borders,
            marks=bare_marks(board.marks),
        )
    return drawn


def plan_problems(plan: str, board: Board) -> list[str]:
    """What keeps a battlefield from being played on."""
    if not plan.startswith(SCENARIO):
        return []
    drawn = drawn_scenario(known_scenario(plan), board)
    return [one.say for one in layout_problems(drawn, every_tile(), board)]


def bare_marks(marks: Mapping[Cell, tuple[str, ...]]) -> dict[Cell, tuple[str, ...]]:
    """The marks that tiles print: without zones, objectives and loot."""
    found = {
        cell: tuple(word for word in words if word not in SCENARIO_MARKS)
        for cell, words in marks.items()
    }
    return {cell: words for cell, words in found.items() if words}


def worded(ground: Mapping[Cell, tuple[str, ...]]) -> dict[Cell, frozenset[str]]:
    """The ground without plain OPEN-O, which needs no word."""
    return {cell: frozenset(words) for cell, words in ground.items() if words != ("open-o",)}


def remove_plan(plan: str) -> bool:
    """Delete a tile or scenario of the players' own."""
    kind, _, name = plan.partition("/")
    return remove_own(OWN_FOLDER, kind, name)


def export_plan(plan: str) -> str:
    """A tile, or a scenario with its own tiles, as the text of a file."""
    if plan.startswith(SCENARIO):
        return document(SCENARIO_FORMAT, "scenario", [known_scenario(plan).to_json()])
    tile = every_tile().get(plan.removeprefix(TILE))
    if tile is None:
        raise UnknownName(say("no tile {name!r}", name=plan.removeprefix(TILE)))
    return document(TILE_FORMAT, "tile", [tile.to_json()])


def import_plan(text: str, source: str) -> ImportedCards:
    """Keep every tile or scenario of a file in one of the two formats; nothing of a wrong one."""
    root = parse_toml(text, source)
    known = every_tile()
    if root.raw.get("format") == TILE_FORMAT:
        tiles = read_tiles(root)
        for tile in tiles.values():
            keep_tile(tile)
        return imported_cards(tiles, known)
    scenarios, before = read_scenarios(root), every_scenario()
    for scenario in scenarios.values():
        if problems := layout_problems(scenario, known, scenario.board(known)):
            raise BadInput(source, scenario.id, problems[0].say)
    for scenario in scenarios.values():
        keep_scenario(scenario)
    return imported_cards(scenarios, before)
