"""A new battle: where it is played, by whom, and the steps of its set-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.api.seats import SeatRange
from companion.games.api.setup_step import NewGameStep, SetupProblem
from companion.games.api.space import PieceKind, Space
from companion.games.shared.setup_check import refused_setup
from companion.games.tactics.cards.catalogue import broken_cards, every_card
from companion.games.tactics.cards.map_tile import CELL_IN
from companion.games.tactics.cards.scenario import (
    TacticsScenario,
    broken_boards,
    every_scenario,
)
from companion.games.tactics.cards.squad import squad_problems
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.setup import SIDES, read_list
from companion.games.tactics.screen.squad_lists import seat_list
from companion.text.rule_numbers import unnumbered
from models import CompanionError
from models.lazy_message import say

SEATS = SeatRange(2, 2, SIDES)
TAGS_MM = (15.0, 12.0)
STAND_MM = 40.0


def space(mode: str = "") -> Space:
    """A board of squares; a figure carries its tag on a stand."""
    scenario = scenario_named(mode)
    kinds = (
        PieceKind("infantry", say("Infantry"), "cells", (1, 1), TAGS_MM, STAND_MM),
        PieceKind("large", say("Large figure"), "cells", (2, 2), TAGS_MM, STAND_MM),
    )
    return Space("square", (scenario.columns, scenario.rows), CELL_IN, kinds)


def scenario_named(name: object) -> TacticsScenario:
    """The scenario of that id, or the first."""
    known = every_scenario()
    return known[name] if isinstance(name, str) and name in known else next(iter(known.values()))


def scenario_of(draft: Plain) -> TacticsScenario:
    """The scenario of a draft, or the first."""
    chosen = draft.get("game")
    return scenario_named(chosen.get("scenario") if isinstance(chosen, Mapping) else None)


def steps(draft: Plain) -> Iterator[NewGameStep]:
    """Scenario, players, squads, and the start."""
    scenario = scenario_of(draft)
    options = tuple((one.id, one.name) for one in every_scenario().values())
    text = say(
        "{rounds} rounds, {coins} for each player",
        rounds=scenario.rounds,
        coins=scenario.coins.say(),
    )
    entry = Entry("scenario", say("Scenario"), options=options, value=scenario.id)
    yield NewGameStep("game", "form", say("Which scenario?"), text, (entry,), short=say("Scenario"))
    yield NewGameStep("seats", "seats", say("Who plays?"), short=say("Players"))
    yield NewGameStep(
        "squads",
        "list",
        say("Squads"),
        say("One figure per line, equipment after a plus."),
        problems=tuple(list_problems(draft, scenario)),
        lists=tuple(
            seat_list(seat["id"], list_of(draft, seat["id"]), scenario, every_card())
            for seat in seats_of(draft)
        ),
    )
    yield NewGameStep("tags", "tags", say("Camera"), optional=True)
    yield NewGameStep("begin", "begin", say("Begin"), problems=setup_problems(draft))


def seats_of(draft: Plain) -> list[dict[str, Any]]:
    """The players of the draft, or the two sides."""
    return list(draft.get("seats") or ({"id": one} for one in SIDES))


def list_of(draft: Plain, seat: str) -> str:
    """The squad of a seat as text; empty while there is none."""
    lists = draft.get("squads")
    text = lists.get(seat) if isinstance(lists, Mapping) else ""
    return text if isinstance(text, str) else ""


def list_problems(draft: Plain, scenario: TacticsScenario) -> Iterator[SetupProblem]:
    """What each squad lacks or breaks; before it, files of the players' own that are broken."""
    for error in (*broken_cards().values(), *broken_boards().values()):
        yield SetupProblem(str(error))
    cards = every_card()
    for seat in seats_of(draft):
        text = list_of(draft, seat["id"])
        if not text:
            yield SetupProblem(say("no squad yet"), seat=seat["id"])
            continue
        try:
            members = read_list(text, cards)
        except CompanionError as error:
            yield SetupProblem(str(error), seat=seat["id"])
            continue
        for problem in squad_problems(members, scenario.coins, cards.values()):
            yield SetupProblem(unnumbered(problem.say), problem.why, seat["id"])


def setup_problems(draft: Plain) -> tuple[SetupProblem, ...]:
    """The game's own objection to the finished draft."""
    if not all(list_of(draft, seat["id"]) for seat in seats_of(draft)):
        return (SetupProblem(say("every player needs a squad")),)
    return refused_setup(PLAY, "tactics", set_up("tactics", draft))


def set_up(game: str, draft: Plain) -> dict[str, Any]:
    """The `set-up` command of a draft."""
    squads = []
    for seat in seats_of(draft):
        squad = {"side": seat["id"], "list": list_of(draft, seat["id"])}
        squads.append({**squad, "player": seat["name"]} if seat.get("name") else squad)
    scenario = scenario_of(draft)
    return {"do": "set-up", "game": game, "scenario": scenario.id, "squads": squads}
