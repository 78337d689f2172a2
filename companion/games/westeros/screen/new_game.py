"""A new battle: where it is played, by whom, and the steps of its set-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api.new_game import (
    NewGameStep,
    PieceKind,
    SeatRange,
    SetupProblem,
    Space,
    refused_setup,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.shared.table_fault import setup_faults
from companion.games.westeros.cards.battle_form import BATTLE
from companion.games.westeros.cards.battle_plan import BOARD_SIDES, CELL_IN, SIDES, BattlePlan
from companion.games.westeros.cards.card_forms import HOUSE_WORDS
from companion.games.westeros.cards.catalogue import broken_cards, every_card, own_boxes
from companion.games.westeros.cards.skirmish_form import SKIRMISH
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.setup import read_skirmish, skirmish_plan
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.places import edge_place
from companion.games.westeros.rules.table_faults import board_faults
from models.message import joined, say

SEATS = SeatRange(2, 2, SIDES, names=tuple(HOUSE_WORDS[one] for one in SIDES))
TAGS_MM = (12.0, 15.0)
STAND_MM = 45.0
"""The tag stands on the banner pole of a unit."""
PRACTICE_SEED = 7
DRAW_IT = say("Draw the terrain of {name}, and where its units start")


def space(mode: str = "") -> Space:
    """A board of hexes; a unit carries its tag on its banner pole."""
    kinds = (
        PieceKind("square", say("Unit on square bases"), "cells", (1, 1), TAGS_MM, STAND_MM),
        PieceKind(
            "rectangular", say("Unit on rectangular bases"), "cells", (1, 1), TAGS_MM, STAND_MM
        ),
    )
    return Space("hex", BOARD_SIDES["A"], CELL_IN, kinds)


def choices() -> tuple[tuple[str, str], ...]:
    """Every battle plan and skirmish card: its id and its name."""
    cards = every_card()
    known = {**cards.plans, **cards.skirmishes}
    return tuple((name, str(item.raw["name"])) for name, item in known.items())


def chosen(draft: Plain) -> str:
    """The plan of the draft, or the first."""
    known = [name for name, _ in choices()]
    name = draft.get("game", {}).get("battle")
    return name if name in known else known[0]


def steps(draft: Plain) -> Iterator[NewGameStep]:
    """Battle, players, tags, and the start."""
    entry = Entry("battle", say("Battle"), options=choices(), value=chosen(draft))
    broken = tuple(SetupProblem(str(error), stops=False) for error in broken_cards().values())
    plan = own_plan(chosen(draft))
    enters = (
        *((("board", plan.id, say(DRAW_IT[:], name=plan.name)),) if plan is not None else ()),
        ("board", "", say("Draw your battle")),
        (BATTLE, "", say("Enter your battle")),
        (SKIRMISH, "", say("Enter your skirmish")),
    )
    problems = broken
    if plan is not None:
        faults = setup_faults(board_faults(HexField.of(plan.board)))
        problems = (*broken, *unplaced(plan), *faults)
    told = about_battle(chosen(draft))
    yield NewGameStep(
        "game", "form", say("Which battle?"), told, (entry,), problems=problems, enters=enters
    )
    text = say("The first player leads {one}, the second {two}.", **houses(chosen(draft)))
    yield NewGameStep("seats", "seats", say("Who plays?"), text)
    yield NewGameStep("tags", "tags", say("Camera"), optional=True)
    yield NewGameStep("begin", "begin", say("Begin"), problems=setup_problems(draft))


def own_plan(name: str) -> BattlePlan | None:
    """A battle plan that players entered or drew themselves."""
    cards = every_card()
    if all(name not in box.plans for box in own_boxes()) or name not in cards.plans:
        return None
    return BattlePlan.read(cards.plans[name], cards)


def unplaced(plan: BattlePlan) -> Iterator[SetupProblem]:
    """The units without a start hex (BOW-SET-8); no house begins with all of its units away."""
    for house in plan.houses:
        away = [one.name for one in house.units if one.cell is None]
        if away and len(away) == len(house.units):
            yield SetupProblem(
                say("no unit of {house} has a place yet: draw where they start", house=house.name)
            )
        elif away:
            text = say("{house}: no place yet for {units}", house=house.name, units=joined(away))
            yield SetupProblem(text, stops=False)


def about_battle(name: str) -> str:
    """How long a battle is, and how many fight in it."""
    cards = every_card()
    raw = (cards.plans.get(name) or cards.skirmishes[name]).raw
    told = [say("{n} round", "{n} rounds", n=int(raw["rounds"]))]
    if name not in cards.plans:
        told.append(say("a skirmish: the players choose commanders and place their units"))
        armies = skirmish_plan(read_skirmish(cards.skirmishes[name])).houses
    else:
        armies = BattlePlan.read(cards.plans[name], cards).houses
        for house in armies:
            count = len(house.units)
            told.append(say("{house} {n} unit", "{house} {n} units", house=house.name, n=count))
    edges = [edge_place(house.name, house.edge) for house in armies]  # BOW-GEN-7
    return joined([joined(told), *edges], "; ")


def houses(battle: str) -> dict[str, str]:
    """The names of the two houses of a battle, in the order of the players (BOW-SET-1)."""
    names = [name for _, name in plan_houses(battle)] or [side.title() for side in SIDES]
    return {"one": names[0], "two": names[1]}


def plan_houses(battle: str) -> list[tuple[str, str]]:
    """The sides of a battle plan with their names; none for a skirmish, with the usual ones."""
    cards = every_card()
    if battle not in cards.plans:
        return []
    return [(one.side, one.name) for one in BattlePlan.read(cards.plans[battle], cards).houses]


def setup_problems(draft: Plain) -> tuple[SetupProblem, ...]:
    """The game's own objection to the finished draft."""
    return refused_setup(PLAY, "westeros", set_up("westeros", draft))


def set_up(game: str, draft: Plain) -> dict[str, Any]:
    """The `set-up` command of a draft."""
    name = chosen(draft)
    key = "skirmish" if name in every_card().skirmishes else "battle"
    seats = list(draft.get("seats") or ())
    sides = dict(zip(SIDES, (side for side, _ in plan_houses(name)), strict=False))
    players = {  # who typed no name is called by the house
        sides.get(seat["id"], seat["id"]): seat["name"] for seat in seats if seat.get("name")
    }
    command: dict[str, Any] = {"do": "set-up", "game": game, key: name}
    if key == "skirmish":  # their own cards, or the app draws
        command["own_draw"] = True
    return {**command, "players": players} if players else command


def practice_commands(game: str) -> tuple[Plain, ...]:
    """The practice game: the first invented battle, guided from its first phase on."""
    return ({**set_up(game, {}), "seed": PRACTICE_SEED, "guide": True},)
