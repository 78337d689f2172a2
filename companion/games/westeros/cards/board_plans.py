"""The boards of battle plans, edited by tapping hexes: terrain, markers, sites, where the units
start; and their files.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.api.board_editor import BoardPlan, BoardTool
from companion.games.shared.own_files import new_id, remove_own, save_own
from companion.games.westeros.cards.battle_plan import BattlePlan, BattleSite, short_name
from companion.games.westeros.cards.card_forms import HOUSE_WORDS
from companion.games.westeros.cards.catalogue import (
    FORMAT,
    OWN_FOLDER,
    every_card,
    own_boxes,
    read_cards,
)
from companion.games.westeros.rules.hex_field import (
    FIRES,
    MARKER_WORDS,
    TERRAIN_WORDS,
    terrain_of,
)
from models.atomic_write import document
from models.board import Board
from models.field import parse_toml
from models.message import UnknownName, say

SITE = "objective"
NEW_SITE_POINTS = 1
HELD = {SITE: "", "held-1": "stark", "held-2": "lannister"}
"""The house that holds a site from the set-up on, by the mark that is drawn (BOW-CMP-8)."""
TOOLS = (
    *(BoardTool(word, text, "ground", word, "terrain") for word, text in TERRAIN_WORDS.items()),
    *(BoardTool(word, text, "ground", word, "marker") for word, text in MARKER_WORDS.items()),
    *(
        BoardTool(word, say("fire {n}", n=level), "ground", word, "fire")
        for level, word in enumerate(FIRES, 1)
    ),
    BoardTool(SITE, say("site to hold"), "mark", SITE, "site"),
    *(
        BoardTool(
            f"{SITE}-{side}",
            say("site that {house} holds at the start", house=HOUSE_WORDS[side]),
            "mark",
            word,
            "site",
        )
        for word, side in HELD.items()
        if side
    ),
)


def board_tools(plan: str) -> tuple[BoardTool, ...]:
    """The units at their starts, overlays, terrain markers, fires, and sites to hold."""
    units = (
        BoardTool(
            one.id,
            one.name,
            "mark",
            one.id,
            "unit",
            side=house.side,
            home_edge=house.edge,
            short=short_name(one),
        )
        for house in plan_or_first(plan).houses
        for one in house.units
    )
    return (*TOOLS, *units)


def plan_or_first(plan: str) -> BattlePlan:
    """The plan that is edited: one that is known, or the one that a new name begins with."""
    return known_plan(plan) if plan in every_card().plans else first_plan()


def board_plans() -> list[BoardPlan]:
    """Every battle plan, the players' own first."""
    own = {name for box in own_boxes() for name in box.plans}
    found = [
        BoardPlan(name, str(item.raw["name"]), name in own)
        for name, item in every_card().plans.items()
    ]
    return sorted(found, key=lambda one: (not one.own, one.name))


def known_plan(plan: str) -> BattlePlan:
    """A battle plan by its id."""
    cards = every_card()
    if plan not in cards.plans:
        raise UnknownName(say("no battle {name!r}", name=plan))
    return BattlePlan.read(cards.plans[plan], cards)


def first_plan() -> BattlePlan:
    """The plan that a new one begins with: its forces, without terrain, sites and note."""
    plan = known_plan(next(iter(every_card().plans)))
    return replace(
        plan,
        note="",
        board=replace(plan.board, ground={}),
        victory=replace(plan.victory, sites=(), holder="", holds=0),
    )


def plan_board(plan: str) -> Board:
    """A board to edit, with its sites and units as marks; an empty one for a new name."""
    found = plan_or_first(plan)
    words = {side: word for word, side in HELD.items()}
    marks = {one.cell: (words[one.held_by],) for one in found.victory.sites}
    for unit in (one for house in found.houses for one in house.units):
        if unit.cell is not None:
            marks[unit.cell] = (*marks.get(unit.cell, ()), unit.id)
    return replace(found.board, marks=marks)


def edited(plan: str, board: Board) -> BattlePlan:
    """The plan with the edited terrain, sites and starts."""
    found = plan_or_first(plan)
    starts = {word: cell for cell, words in board.marks.items() for word in words}
    houses = tuple(
        replace(
            house,
            units=tuple(replace(one, cell=starts.get(one.id)) for one in house.units),
        )
        for house in found.houses
    )
    kept = {one.cell: one for one in found.victory.sites}
    drawn = sorted(
        (cell, HELD[word]) for cell, words in board.marks.items() for word in words if word in HELD
    )
    sites = tuple(
        replace(kept.get(cell, BattleSite(cell, NEW_SITE_POINTS)), held_by=side)
        for cell, side in drawn
    )
    wanted = found.victory.holds
    every = wanted in (0, len(found.victory.sites))  # all of them, also of those drawn now
    holds = len(sites) if every else min(wanted, len(sites))
    victory = replace(found.victory, sites=sites, holds=holds)
    return replace(found, board=replace(board, marks={}), victory=victory, houses=houses)


def plan_problems(plan: str, board: Board) -> list[str]:
    """Units that could not stand where the plan puts them."""
    found = edited(plan, board)
    problems: list[str] = []
    for house in found.houses:
        for unit in house.units:
            if unit.cell is None:
                continue
            ground = terrain_of(board.ground.get(unit.cell, ()))
            if ground.impassable:
                told = TERRAIN_WORDS.get(ground.word, ground.word)
                problems.append(
                    say("{unit} cannot start there: {ground}", unit=unit.name, ground=told)
                )
    return problems


def save_plan(plan: str, name: str, board: Board) -> str:
    """Keep a plan in the players' folder under its id, or under a new name."""
    found = edited(plan, board)
    own = {one.id for one in board_plans() if one.own}
    identity = plan if plan in own else new_id(name, dict.fromkeys(own, ""))
    plain = replace(found, id=identity, name=name).to_json()
    text = document(FORMAT, "battle", [plain])
    BattlePlan.read(read_cards(parse_toml(text, name)).plans[identity], every_card())
    save_own(OWN_FOLDER, "battle", identity, text)
    return identity


def remove_plan(plan: str) -> bool:
    return remove_own(OWN_FOLDER, "battle", plan)


def export_plan(plan: str) -> str:
    return document(FORMAT, "battle", [known_plan(plan).to_json()])
