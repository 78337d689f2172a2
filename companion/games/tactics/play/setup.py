"""The set-up of a battle, validated and self-contained; its first state; deployment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.api.play import Command, Plain, Refusal
from companion.games.shared.commands import ask, no
from companion.games.shared.own_files import refuse_broken
from companion.games.tactics.cards.figure_card import (
    FigureCard,
    broken_cards,
    every_card,
    read_cards,
)
from companion.games.tactics.cards.map_tile import MapTile, every_tile
from companion.games.tactics.cards.scenario import (
    ZONES,
    TacticsScenario,
    broken_boards,
    every_scenario,
    layout_problems,
)
from companion.games.tactics.cards.squad import (
    EQUIPMENT,
    MOST_FIGURES,
    SquadMember,
    read_squad,
    squad_problems,
)
from companion.games.tactics.play.state import (
    START,
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    battle_position,
    board_figure,
)
from companion.games.tactics.rules.position import standing_problem
from companion.games.tactics.rules.readings import TacticsReadings
from models.board import Board, Cell, cell_text, parse_cell
from models.board_table import id_prefixes
from models.field import Field, parse_toml
from models.message import CompanionError, say

SIDES = ("blue", "red")
LONGEST_LIST = 20_000
SETUP_KEYS = frozenset(
    ("do", "game", "scenario", "tiles", "squads", "cards", "readings", "seed", "unchecked",
     "ready", "first", "cells", "paper", "guide")
)  # fmt: skip

SETUP = Command(
    "set-up",
    say("a scenario and two squads"),
    (
        ask("scenario", "word", say("the id of a scenario, or the scenario itself"), True),
        ask("squads", "list", say("side, player, and its figures as text or as a list"), True),
        ask("cards", "list", say("the players' own cards")),
        ask("tiles", "list", say("the players' own tiles")),
        ask("readings", "list", say("open readings the players settled: name=value")),
        ask("unchecked", "flag", say("do not check the squads")),
        ask("paper", "flag", say("agendas and objective cards stay on paper")),
        ask("ready", "flag", say("the figures stand already: skip the roll and deployment")),
        ask("first", "side", say("who holds the start marker, if it is ready")),
        ask("cells", "object", say("where each figure stands, if it is ready")),
        ask("seed", "number", say("the seed of the companion's dice")),
        ask("guide", "flag", say("whether the first activations say what to tap")),
    ),
)


def prepare(game: str, command: Plain) -> Plain | Refusal:
    """The set-up that a command asks for, with every number it needs."""
    field = Field(dict(command), "set-up")
    raw = field.keys(SETUP_KEYS, {"scenario", "squads"})
    own = own_cards(field)
    cards = {**every_card(), **own}
    named = raw["scenario"]
    refuse_broken(broken_boards(), [named] if isinstance(named, str) else ())
    scenario = chosen_scenario(field)
    refuse_broken(broken_boards(), (one.tile for one in scenario.tiles))
    tiles = {**every_tile(), **own_tiles(field)}
    board = scenario.board(tiles)
    if problems := layout_problems(scenario, tiles, board):
        return problems[0]
    texts = [item.text(80) for item in field.listed("readings", 60)]
    readings = TacticsReadings.parse(texts)
    squads: list[dict[str, Any]] = []
    unchecked = field.member("unchecked").flag() if "unchecked" in raw else False
    for index, item in enumerate(field.member("squads").items(2, 2)):
        squad = read_side(item, SIDES[index], cards, [one["side"] for one in squads])
        members = squad.pop("members")
        refuse_broken(broken_cards(), {one.card.id for one in members} - own.keys())
        broken = squad_problems(members, scenario.coins, cards.values())
        fatal = [one for one in broken if one.why == "TAC-CRD-2"] if unchecked else broken
        if fatal:
            text = say("{player}: {problem}", player=squad["player"], problem=fatal[0].say)
            return Refusal(fatal[0].why, text)
        squad["figures"] = members
        squads.append(squad)
    prefixes = id_prefixes([one["side"] for one in squads])
    for squad in squads:
        squad["figures"] = plain_figures(squad["figures"], prefixes[squad["side"]], cards)
    number_names([figure for squad in squads for figure in squad["figures"]])
    sides = [one["side"] for one in squads]
    setup: dict[str, Any] = {
        "scenario": scenario.rules(),
        "board": board.to_json(),
        "squads": squads,
        "readings": readings.texts(),
        "seed": field.member("seed").whole(0, 2**53) if "seed" in raw else 0,
    }
    if "paper" in raw and field.member("paper").flag():
        setup["paper"] = True
    if "guide" in raw and field.member("guide").flag():
        setup["guide"] = True
    if "ready" in raw and field.member("ready").flag():
        setup["ready"] = True
        setup["first"] = field.member("first").choice(sides) if "first" in raw else sides[0]
        setup["cells"] = read_cells(field, squads, board)
        state = start(game, setup)
        if problem := standing_problem(battle_position(state)):
            return no("TAC-GRD-9", "{problem}", problem=problem)
    return setup


def own_cards(field: Field) -> dict[str, FigureCard]:
    """The players' own cards that come with the command."""
    found = [FigureCard.read(item) for item in field.listed("cards", 100)]
    return {card.id: card for card in found}


def own_tiles(field: Field) -> dict[str, MapTile]:
    """The players' own tiles that come with the command."""
    return {tile.id: tile for tile in (MapTile.read(item) for item in field.listed("tiles", 24))}


def chosen_scenario(field: Field) -> TacticsScenario:
    """A shipped scenario by id, or the scenario that the command holds."""
    member = field.member("scenario")
    if isinstance(member.raw, dict):
        return TacticsScenario.read(member)
    known = every_scenario()
    return known[member.choice(known)]


def read_side(
    item: Field, usual: str, cards: Mapping[str, FigureCard], taken: list[str]
) -> dict[str, Any]:
    """One squad of the command."""
    raw = item.keys({"side", "player", "faction", "list", "figures"})
    side = item.member("side").text(40) if "side" in raw else usual
    if side in taken:
        item.member("side").fail(say("{side!r} plays twice", side=side))
    player = item.member("player").text(60) if "player" in raw else side
    if ("list" in raw) == ("figures" in raw):
        item.fail(say("give either 'list' or 'figures'"))
    if "list" in raw:
        text = item.member("list").raw
        if not isinstance(text, str):
            item.member("list").fail(say("is not a text"))
        if len(text) > LONGEST_LIST:
            item.member("list").fail(say("is longer than {most} characters", most=LONGEST_LIST))
        try:
            members = read_list(text, cards)
        except CompanionError as error:
            item.member("list").fail(str(error))
    else:
        members = tuple(
            read_member(one, cards) for one in item.member("figures").items(MOST_FIGURES)
        )
    factions = [one.card.faction for one in members]
    faction = item.member("faction").text(60) if "faction" in raw else (factions or [""])[0]
    return {"side": side, "player": player, "faction": faction, "members": members}


def read_list(text: str, cards: Mapping[str, FigureCard]) -> tuple[SquadMember, ...]:
    """A squad as text; cards of the players' own may follow it as TOML, from `format =` on."""
    lines, marker, toml = text.partition("\nformat = ")
    if marker:
        cards = {**cards, **read_cards(parse_toml("format = " + toml, ""))}
    return read_squad(lines, cards)


def read_member(item: Field, cards: Mapping[str, FigureCard]) -> SquadMember:
    """A figure of a list: a card's id, or an object with card and equipment."""
    if isinstance(item.raw, str):
        return SquadMember(cards[item.choice(cards)])
    raw = item.keys({"card", "equipment"}, {"card"})
    equipment = item.member("equipment").choice(EQUIPMENT) if "equipment" in raw else ""
    return SquadMember(cards[item.member("card").choice(cards)], equipment)


def plain_figures(
    members: tuple[SquadMember, ...], prefix: str, cards: Mapping[str, FigureCard]
) -> list[dict[str, Any]]:
    """The figures with ids: heroes first (TAC-SET-9)."""
    order = {"hero": 0, "veteran": 1, "soldier": 2}
    ordered = sorted(members, key=lambda one: order[one.card.kind])
    found = []
    for number, member in enumerate(ordered, 1):
        card = member.card
        text: dict[str, Any] = {"id": f"{prefix}{number}", "name": card.name}
        text["card"] = card.to_json()
        if card.foot and card.foot in cards:
            text["foot"] = cards[card.foot].to_json()
        if member.equipment:
            text["equipment"] = member.equipment
        found.append(text)
    return found


def number_names(figures: list[dict[str, Any]]) -> None:
    """Number the figures of one name, over all squads: each is called by a name of its own."""
    count = Counter(one["name"] for one in figures)
    seen: Counter[str] = Counter()
    for figure in figures:
        name = figure["name"]
        seen[name] += 1
        if count[name] > 1:
            figure["name"] = f"{name} {seen[name]}"


def read_cells(field: Field, squads: list[dict[str, Any]], board: Board) -> dict[str, str]:
    """Where the figures stand, by their ids."""
    known = {one["id"] for squad in squads for one in squad["figures"]}
    found: dict[str, str] = {}
    if "cells" not in field.raw:
        return found
    member = field.member("cells")
    for name in member.keys(known):
        cell = parse_cell(member.member(name).text(20))
        if cell not in board:
            member.member(name).fail(say("{cell} is not on the board", cell=cell_text(cell)))
        found[name] = cell_text(cell)
    return found


def start(game: str, setup: Plain) -> SkirmishState:
    """The state before the first event, with the whole stock of coins (TAC-COI-2)."""
    scenario = TacticsScenario.read(Field(dict(setup["scenario"])))
    board = Board.read(Field(dict(setup["board"])))
    squads, figures = [], []
    cells, paper = setup.get("cells", {}), bool(setup.get("paper"))
    for squad in setup["squads"]:
        coins = scenario.coins
        mine = SquadInPlay(squad["side"], squad["player"], squad["faction"], coins, coins)
        squads.append(replace(mine, deck=()) if paper else mine)
        for one in squad["figures"]:
            cell = parse_cell(cells[one["id"]]) if one["id"] in cells else None
            foot = FigureCard.read(Field(dict(one["foot"]))) if "foot" in one else None
            figures.append(
                FigureInPlay(
                    one["id"],
                    squad["side"],
                    one["name"],
                    FigureCard.read(Field(dict(one["card"]))),
                    foot,
                    cell,
                    "board" if cell else "waiting",
                    equipment=one.get("equipment", ""),
                )
            )
    readings = TacticsReadings.parse(setup.get("readings", ()))
    state = SkirmishState(
        scenario, board, tuple(squads), tuple(figures), readings, setup.get("seed", 0)
    )
    state = replace(state, paper=paper, guided=setup.get("guide", False))
    if setup.get("ready"):
        zoned = tuple(
            replace(squad, zone=zone) for squad, zone in zip(state.squads, ZONES, strict=True)
        )
        first = setup["first"]
        state = replace(state, squads=zoned, phase=START, first=first, active=first)
    return state


DEPLOY_ORDER = ("hero", "veteran", "soldier")


def free_cells(state: SkirmishState, figure: FigureInPlay) -> list[Cell]:
    """The places in its own zone where a figure fits (TAC-SET-8)."""
    zone = state.scenario.zones.get(state.squad(figure.side).zone, frozenset())
    position = battle_position(state)
    shape = board_figure(replace(figure, cell=(0, 0)))
    return sorted(
        cell
        for cell in zone
        if all(one in zone for one in shape.cells_at(cell))
        and not position.fits(shape.at(cell), cell)
    )


def next_kind(state: SkirmishState, side: str) -> str:
    """The kind that must be deployed now: heroes, then veterans, then soldiers (TAC-SET-9)."""
    waiting = [one for one in state.of(side) if one.fate == "waiting" and free_cells(state, one)]
    return next((kind for kind in DEPLOY_ORDER if any(one.kind == kind for one in waiting)), "")
