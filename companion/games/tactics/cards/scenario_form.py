"""The form of a scenario: name, rounds, coins and the tiles of its battlefield (TAC-GEN-3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.games.api.card_form import CardForm, FormField, FormProblem
from companion.games.api.play import Plain
from companion.games.shared.own_files import slug
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.cards.figure_form import COIN_FIELDS, coin_values, filled
from companion.games.tactics.cards.layout import layout_problems
from companion.games.tactics.cards.map_tile import TILE_SPACES, every_tile
from companion.games.tactics.cards.scenario import TacticsScenario, TilePlace, every_scenario
from models.cell import Cell
from models.errors import BadInput, CompanionError
from models.field import Field
from models.lazy_message import say

MOST_TILES = 8
"""Tiles along a side of a battlefield."""
ZONE_ROWS = 2
"""The rows of a deployment zone, until the players draw it."""
TURNS = (("0", "0°"), ("90", "90°"), ("180", "180°"), ("270", "270°"))
FORM_KEYS = frozenset(
    ("id", "name", "rounds", "wide", "deep", "tutorial", "tiles", "gold", "silver", "copper")
)


def scenario_form() -> CardForm:
    """The form of a scenario."""
    tiles = tuple((one.id, one.name) for one in every_tile().values())
    rows = (
        FormField("tile", say("Tile"), "option", True, options=tiles),
        FormField("column", say("Column of tiles, from the left"), "number", True, 1, MOST_TILES),
        FormField("row", say("Row of tiles, from player 1"), "number", True, 1, MOST_TILES),
        FormField("turn", say("Turned by"), "option", options=TURNS),
    )
    return CardForm(
        "scenario",
        say("Scenario"),
        (
            FormField("name", say("Name"), required=True),
            FormField("rounds", say("Rounds"), "number", True, 1, 20),
            *(replace(one, required=True) for one in COIN_FIELDS),
            FormField("wide", say("Tiles side by side"), "number", True, 1, MOST_TILES),
            FormField("deep", say("Tiles one behind the other"), "number", True, 1, MOST_TILES),
            FormField("tiles", say("Tiles"), "rows", most=24, fields=rows),
            FormField("tutorial", say("Without objectives and loot"), "flag"),
        ),
    )


def scenario_values(scenario: TacticsScenario) -> dict[str, Any]:
    """The values of a scenario for the form."""
    values: dict[str, Any] = {
        "id": scenario.id,
        "name": scenario.name,
        "rounds": scenario.rounds,
        **coin_values(scenario.coins),
        "wide": -(-scenario.columns // TILE_SPACES),
        "deep": -(-scenario.rows // TILE_SPACES),
    }
    if scenario.tutorial:
        values["tutorial"] = True
    if scenario.tiles:
        values["tiles"] = [
            {
                "tile": one.tile,
                "column": one.at[0] // TILE_SPACES + 1,
                "row": one.at[1] // TILE_SPACES + 1,
                "turn": str(90 * one.quarters),
            }
            for one in scenario.tiles
        ]
    return values


def scenario_of_values(values: Plain, source: str = "scenario") -> TacticsScenario:
    """The scenario that was entered; zones and marks of an earlier version are kept."""
    field = Field({key: value for key, value in values.items() if filled(value)}, source)
    field.keys(FORM_KEYS, {"name", "rounds", "wide", "deep", *COIN_KINDS})
    name = field.member("name").text(80)
    wide, deep = (field.member(key).whole(1, MOST_TILES) for key in ("wide", "deep"))
    columns, rows = wide * TILE_SPACES, deep * TILE_SPACES
    known = every_tile()
    tiles = []
    for item in field.listed("tiles", 24):
        raw = item.keys({"tile", "column", "row", "turn"}, {"tile", "column", "row"})
        at = tuple(
            (item.member(key).whole(1, MOST_TILES) - 1) * TILE_SPACES for key in ("column", "row")
        )
        turn = item.member("turn").choice(dict(TURNS)) if filled(raw.get("turn")) else "0"
        tile = item.member("tile").choice(known)
        tiles.append(TilePlace(tile, (at[0], at[1]), int(turn) // 90))
    before = every_scenario().get(str(values.get("id") or ""))
    made = TacticsScenario(
        str(values.get("id") or slug(name)),
        name,
        field.member("rounds").whole(1, 20),
        Coins(**{kind: field.member(kind).whole(0, 99) for kind in COIN_KINDS}),
        columns,
        rows,
        tuple(tiles),
        usual_zones(columns, rows),
        tutorial="tutorial" in field.raw and field.member("tutorial").flag(),
    )
    if before is None or (before.columns, before.rows) != (columns, rows):
        return made
    return replace(
        made,
        zones=before.zones,
        objectives=before.objectives,
        loot=before.loot,
        ground=before.ground,
        edges=before.edges,
        marks=before.marks,
    )


def usual_zones(columns: int, rows: int) -> dict[str, frozenset[Cell]]:
    """Deployment zones along the two players' edges."""
    near = frozenset((column, row) for column in range(columns) for row in range(ZONE_ROWS))
    far = frozenset((column, rows - 1 - row) for column, row in near)
    return {"gold": near, "silver": far}


def scenario_problems(values: Plain) -> Iterator[FormProblem]:
    """What is wrong with the entered scenario."""
    try:
        scenario = scenario_of_values(values)
        tiles = every_tile()
        board = scenario.board(tiles)
    except BadInput as error:
        yield FormProblem(error.problem, error.place)
        return
    except CompanionError as error:
        yield FormProblem(str(error))
        return
    for problem in layout_problems(scenario, tiles, board):
        place = problem.why in ("TAC-GRD-1", "TAC-CMP-2")
        yield FormProblem(problem.say, "tiles" if place else "", stops=place)
