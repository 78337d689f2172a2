"""A new battle: where, by whom, with which squads; ready squads and the practice game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.games.api.new_game import (
    NewGameStep,
    PieceKind,
    SeatList,
    SeatRange,
    SetupLine,
    SetupProblem,
    Space,
    refused_setup,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.shared.commands import no
from companion.games.shared.table_fault import setup_faults
from companion.games.tactics.cards.board_plans import SCENARIO
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import FigureCard, broken_cards, every_card
from companion.games.tactics.cards.map_tile import CELL_IN, DATA, every_tile
from companion.games.tactics.cards.scenario import (
    TacticsScenario,
    broken_boards,
    every_scenario,
    shipped_scenarios,
)
from companion.games.tactics.cards.squad import (
    EQUIPMENT,
    NEUTRAL,
    SquadMember,
    card_problems,
    dearer_exchange,
    equipment_problems,
    read_squad,
    squad_cost,
    squad_problems,
)
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.setup import SIDES, read_list
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.table_faults import board_faults
from companion.games.tactics.screen.equipment_words import equipment_words
from companion.games.tactics.screen.views import KINDS
from companion.text.translation import unnumbered
from models.field import Field, load_toml, shown
from models.message import CompanionError, Name, joined, say

SQUAD_FORMAT = "table-companion/tactics-squads/1"
PRACTICE_FORMAT = "table-companion/tactics-practice/1"


@dataclass(frozen=True, slots=True)
class ReadySquad:
    """A whole squad to begin with."""

    id: str
    name: str
    faction: str
    figures: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.figures)

    @classmethod
    def read(cls, item: Field) -> ReadySquad:
        keys = {"id", "name", "faction", "figures"}
        item.keys(keys, keys)
        lines = tuple(one.text(120) for one in item.member("figures").items(40, 1))
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("faction").text(60),
            lines,
        )


@lru_cache(maxsize=1)
def ready_squads() -> Mapping[str, ReadySquad]:
    """The invented squads that come with the game, by id."""
    root = load_toml(DATA / "squads.toml")
    root.keys({"format", "squad"}, {"format"})
    if root.member("format").text() != SQUAD_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {SQUAD_FORMAT!r}")
    return {one.id: one for one in (ReadySquad.read(item) for item in root.listed("squad", 40))}


def practice_commands(game: str) -> tuple[Plain, ...]:
    """The commands of the practice game, from its file: set-up, deployment, first turn."""
    root = load_toml(DATA / "practice.toml")
    root.keys({"format", "scenario", "squads", "players", "seed", "command"}, {"format"})
    if root.member("format").text() != PRACTICE_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {PRACTICE_FORMAT!r}")
    known = ready_squads()
    names = [one.text(60) for one in root.member("players").items(2, 2)]
    squads = [
        {"side": side, "player": name, "list": known[item.choice(known)].text}
        for side, name, item in zip(SIDES, names, root.member("squads").items(2, 2), strict=True)
    ]
    setup = {
        "do": "set-up",
        "game": game,
        "scenario": root.member("scenario").text(60),
        "squads": squads,
        "seed": root.member("seed").whole(0, 2**31),
        "guide": True,
    }
    return (setup, *(dict(item.raw) for item in root.listed("command", 200)))


ORDER = ("hero", "veteran", "soldier")


def seat_list(
    seat: str, text: str, scenario: TacticsScenario, cards: Mapping[str, FigureCard]
) -> SeatList:
    """The squad of one seat: its lines, and every figure and item that it may still get."""
    try:
        members = read_squad(text, cards)
    except CompanionError:  # the problems of the step say what is wrong
        return SeatList(seat, ready=ready())
    lines = tuple(squad_lines(text, cards))
    left = scenario.coins - squad_cost(members)
    picks = (*figure_picks(members, left, cards), *item_picks(lines, members, left, cards))
    return SeatList(seat, total(squad_cost(members), scenario.coins), lines, picks, ready())


def ready() -> tuple[tuple[str, str], ...]:
    """Squads of the invented sample figures, to begin at once."""
    return tuple((one.name, one.text) for one in ready_squads().values())


def total(spent: Coins, stock: Coins) -> str:
    """The coins spent, of those that the scenario gives."""
    return say(
        "gold {gold} of {all_gold} · silver {silver} of {all_silver} · "
        "copper {copper} of {all_copper}",
        gold=spent.gold,
        all_gold=stock.gold,
        silver=spent.silver,
        all_silver=stock.silver,
        copper=spent.copper,
        all_copper=stock.copper,
    )


def squad_lines(text: str, cards: Mapping[str, FigureCard]) -> Iterator[SetupLine]:
    """The lines of a squad: figure, number and equipment, with the price."""
    for raw in text.splitlines():
        line = raw.strip()
        members = read_squad(line, cards)
        if not members:
            continue
        first = members[0]
        name = first.card.name
        if len(members) > 1:
            name = joined([f"{len(members)} ×", Name(name)], " ")
        item = worn_words(first.equipment) if first.equipment else ""
        fewer = ""
        if len(members) > 1:
            tail = f" + {first.equipment}" if first.equipment else ""
            fewer = f"{len(members) - 1} {first.card.name}{tail}"
        yield SetupLine(line, name, item, squad_cost(members).say(), fewer=fewer)


def worn_words(item: str) -> str:
    """A piece of equipment with what it does."""
    return say("{ability}: {what}", ability=EQUIPMENT[item].name, what=equipment_words(item))


def figure_picks(
    members: tuple[SquadMember, ...], left: Coins, cards: Mapping[str, FigureCard]
) -> Iterator[SetupLine]:
    """The figures of the squad's faction, of all factions while it has none, and neutral ones."""
    own = {one.card.faction for one in members if one.card.faction.lower() != NEUTRAL}
    known = [one for one in cards.values() if not own or one.faction in (*own, NEUTRAL)]
    known.sort(key=lambda one: (bool(one.unknown), ORDER.index(one.kind)))
    for card in known:
        reason, rule = why_not(card, members, left)
        detail = say("{kind}: {coins}", kind=KINDS[card.kind], coins=(card.cost or Coins()).say())
        group = card.faction
        form = ("figure", card.id) if card.unknown else None
        yield SetupLine(
            card.name, card.name, detail, "", group, reason, rule, card=form, about=card.id
        )


def why_not(card: FigureCard, members: tuple[SquadMember, ...], left: Coins) -> tuple[str, str]:
    """Why a figure cannot be added now, and the rule."""
    found = card_problems((*members, SquadMember(card)))
    mine = [one for one in found if one not in card_problems(members)] if members else found
    if any(one.why == "TAC-SQD-5" for one in mine):
        mine = [no("TAC-SQD-5", "is in the squad already")]
    if not mine and card.cost is not None and not left.covers(card.cost):
        mine = [no("TAC-SQD-6", "not enough coins left")]
    return (unnumbered(mine[0].say), mine[0].why) if mine else ("", "")


def item_picks(
    lines: tuple[SetupLine, ...],
    members: tuple[SquadMember, ...],
    left: Coins,
    cards: Mapping[str, FigureCard],
) -> Iterator[SetupLine]:
    """Equipment for each figure that stands alone on its line: what it has may be taken off, or
    changed for something else (TAC-EQP-1, -2)."""
    for line in lines:
        (first, *more) = read_squad(line.line, cards)
        if more:
            continue
        group = say("Equipment: {figure}", figure=first.card.name)
        worn = EQUIPMENT.get(first.equipment)
        plain = line.line.partition("+")[0].strip()
        if worn is not None:
            text = say("Take off: {item}", item=worn.name)
            yield SetupLine(plain, text, group=group, replaces=line.line)
        free = left.copper + (worn.price if worn else 0)
        for item in EQUIPMENT.values():
            others = [one for one in members if one != first]
            problems = equipment_problems((*others, SquadMember(first.card, item.id)))
            if problems or item is worn or free < item.price:
                continue
            yield SetupLine(
                f"{plain} + {item.id}",
                item.name,
                equipment_words(item.id),
                Coins(copper=item.price).say(),
                group,
                replaces=line.line,
            )


SEATS = SeatRange(2, 2, SIDES)
TAGS_MM = (12.0, 15.0)
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


def on_paper(draft: Plain) -> bool:
    """Whether the players have agendas and objective cards on paper."""
    chosen = draft.get("game")
    return isinstance(chosen, Mapping) and chosen.get("cards") == "paper"


def steps(draft: Plain) -> Iterator[NewGameStep]:
    """Scenario, players, squads, and the start."""
    scenario = scenario_of(draft)
    options = tuple((one.id, one.name) for one in every_scenario().values())
    text: str = say(
        "{rounds} rounds, {coins} for each player",
        rounds=scenario.rounds,
        coins=scenario.coins.say(),
    )
    numbers: str = ""
    problems: tuple[SetupProblem, ...] = ()
    if (
        scenario.rounds_missing
    ):  # the scenario fixes them (TAC-GEN-3): nobody chooses for its players
        text, numbers = "", say("Enter rounds and coins")
        problems = (SetupProblem(say("{name}: rounds and coins are missing", name=scenario.name)),)
    elif shipped_scenarios().get(scenario.id) != scenario:
        numbers = say("Change rounds, coins and size")
    problems += own_faults(scenario)
    entry = Entry("scenario", say("Scenario"), options=options, value=scenario.id)
    drawing = f"{SCENARIO}{scenario.id}", say("Change the drawing")
    enters = (
        *((("scenario", scenario.id, numbers), ("board", *drawing)) if numbers else ()),
        ("board", SCENARIO, say("Draw your scenario")),
        ("scenario", "", say("Enter your scenario")),
    )
    cards = Entry(
        "cards",
        say("Agendas and objective cards"),
        options=(("app", say("The app deals them")), ("paper", say("Our paper cards"))),
        value="paper" if on_paper(draft) else "app",
    )
    yield NewGameStep(
        "game",
        "form",
        say("Which scenario?"),
        text,
        (entry, cards),
        problems=problems,
        short=say("Scenario"),
        enters=enters,
    )
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


def own_faults(scenario: TacticsScenario) -> tuple[SetupProblem, ...]:
    """What the rules do not know of a battlefield that players drew or were given."""
    tiles = every_tile()
    if shipped_scenarios().get(scenario.id) == scenario:
        return ()
    if any(one.tile not in tiles for one in scenario.tiles):
        return ()  # that is refused
    return setup_faults(board_faults(SquareField.of(scenario.board(tiles))))


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
        yield SetupProblem(str(error), stops=False)
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
        broken = squad_problems(members, scenario.coins, cards.values())
        for problem in broken:
            yield SetupProblem(unnumbered(problem.say), problem.why, seat["id"])
        if not broken and (pair := dearer_exchange(members, scenario.coins, cards.values())):
            old, new = pair
            text = say(
                "{figure} instead of {other} would spend more gold or silver",
                figure=new.name,
                other=old.name,
            )
            yield SetupProblem(text, "TAC-SQD-8", seat["id"], stops=False)
        room = min((len(zone) for zone in scenario.zones.values()), default=0)
        needs = sum(one.card.size**2 for one in members)
        if room < needs:  # the rest waits for round 1 (TAC-SET-10)
            text = say(
                "the squad covers {needs} spaces, a deployment zone has {room}: not all fit",
                needs=needs,
                room=room,
            )
            yield SetupProblem(text, "TAC-SET-10", seat["id"], stops=False)


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
    command = {"do": "set-up", "game": game, "scenario": scenario.id, "squads": squads}
    return {**command, "paper": True} if on_paper(draft) else command
