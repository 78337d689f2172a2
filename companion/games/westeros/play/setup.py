"""The set-up of a battle: validated, self-contained, and the state that it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.api.play import Command, Plain
from companion.games.shared.commands import ask
from companion.games.shared.own_files import refuse_broken
from companion.games.westeros.cards.battle_plan import (
    SIDES,
    BattlePlan,
    PlanContext,
    PlanHouse,
    edges_of,
    plain_board,
    refuse_faults,
)
from companion.games.westeros.cards.catalogue import (
    FORMAT,
    CardCollection,
    broken_cards,
    every_card,
    read_cards,
)
from companion.games.westeros.cards.skirmish import SkirmishRules
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from companion.games.westeros.play.state import (
    CHOOSE,
    FIELD,
    REACTIVATION,
    HouseInBattle,
    UnitInBattle,
    WesterosState,
)
from companion.games.westeros.rules.readings import WesterosReadings
from models.board import Board
from models.field import Field
from models.message import say

SETUP_KEYS = frozenset(
    (
        "do",
        "game",
        "battle",
        "skirmish",
        "cards",
        "players",
        "readings",
        "seed",
        "guide",
        "own_draw",
    )
)
SETUP = Command(
    "set-up",
    say("a battle plan or a skirmish"),
    (
        ask("battle", "word", say("the id of a battle plan, or the plan itself")),
        ask("skirmish", "word", say("the id of a skirmish card, or the card itself")),
        ask("cards", "object", say("the players' own units, commanders and plans")),
        ask("players", "object", say("the name of the player of each house")),
        ask("readings", "list", say("open readings the players settled: name=value")),
        ask("seed", "number", say("the seed of the companion's dice")),
        ask("guide", "flag", say("whether the first turns say what to tap")),
        ask("own_draw", "flag", say("whether the players may draw set-up cards themselves")),
    ),
)


def prepare(game: str, command: Plain) -> Plain:
    """The set-up that a command asks for, with every number it needs."""
    field = Field(dict(command), "set-up")
    raw = field.keys(SETUP_KEYS)
    if ("battle" in raw) == ("skirmish" in raw):
        field.fail(say("give either 'battle' or 'skirmish'"))
    named = raw.get("battle", raw.get("skirmish"))
    refuse_broken(broken_cards(), [named] if isinstance(named, str) else ())
    cards = every_card()
    if "cards" in raw:
        own = field.member("cards")
        own.keys(own.raw if isinstance(own.raw, dict) else ())
        cards.add(read_cards(Field({"format": FORMAT, **own.raw}, own.source, own.place)))
    texts = [item.text(80) for item in field.listed("readings", 60)]
    setup: dict[str, Any] = {
        "readings": WesterosReadings.parse(texts).texts(),
        "seed": field.member("seed").whole(0, 2**53) if "seed" in raw else 0,
    }
    for key in ("guide", "own_draw"):
        if key in raw:
            setup[key] = field.member(key).flag()
    if "battle" in raw:
        written = chosen(field.member("battle"), cards.plans)
        plan = BattlePlan.read(written, cards)
        refuse_faults(plan, written)
        sides = [one.side for one in plan.houses]
        setup |= {"plan": plan.to_json(), "cards": {**plan.cards(), **command_cards(cards, sides)}}
    else:
        rules = read_skirmish(chosen(field.member("skirmish"), cards.skirmishes))
        sides = list(SIDES)
        named = skirmish_cards(field, rules, cards)
        setup |= {"skirmish": rules.to_json(), "cards": {**named, **command_cards(cards, sides)}}
    used = (one["id"] for group in setup["cards"].values() for one in group)
    refuse_broken(broken_cards(), used)
    players = field.member("players") if "players" in raw else Field({}, "set-up", "players")
    players.keys(sides)
    setup["players"] = {
        side: players.member(side).text(60) if side in players.raw else side.title()
        for side in sides
    }
    return setup


def command_cards(cards: CardCollection, sides: list[str]) -> dict[str, Any]:
    """The entered command cards of the houses that play, and those of no house."""
    found = [one.to_json() for one in cards.commands.values() if one.house in ("", *sides)]
    return {"command": found} if found else {}


def chosen(member: Field, known: Mapping[str, Field]) -> Field:
    """A plan or card by its id, or the one that the command holds."""
    return member if isinstance(member.raw, dict) else known[member.choice(known)]


def read_skirmish(item: Field) -> SkirmishRules:
    """A skirmish card; its board is empty before the overlays are placed."""
    item.keys(item.raw, {"side"})
    side = item.member("side").text(9)
    board = empty_board(side if side in ("A", "B") else "A")
    return SkirmishRules.read(item, PlanContext(board, SIDES))


def empty_board(side: str) -> Board:
    return Board.read(Field(plain_board(side)))


def skirmish_cards(field: Field, rules: SkirmishRules, cards: CardCollection) -> dict[str, Any]:
    """Every unit and commander card that the set-up cards name."""
    place = Field(None, field.source, "skirmish")
    units: dict[str, Any] = {}
    commanders: dict[str, Any] = {}
    for one in rules.setup_cards:
        if one.commander not in cards.commanders:
            place.fail(say("no commander {name!r}", name=one.commander))
        commander = cards.commanders[one.commander]
        commanders[commander.id] = commander.to_json()
        for name in (commander.unit, *(unit.card for unit in one.units)):
            if name not in cards.units:
                place.fail(say("no unit card {name!r}", name=name))
            units[name] = cards.units[name].to_json()
    return {"unit": list(units.values()), "commander": list(commanders.values())}


def start(game: str, setup: Plain) -> WesterosState:
    """The state before the first event; pure."""
    cards = read_cards(Field({"format": FORMAT, **setup["cards"]}))
    readings = WesterosReadings.parse(setup["readings"])
    skirmish = read_skirmish(Field(setup["skirmish"])) if "skirmish" in setup else None
    if skirmish is not None:
        plan = skirmish_plan(skirmish)
    else:
        plan = BattlePlan.read(Field(setup["plan"]), cards)
    units = tuple(
        UnitInBattle(
            one.id,
            house.side,
            one.name,
            one.card,
            one.rank,
            one.cell,
            one.card.strength,
            one.commander,
            FIELD if one.cell is not None else "waiting",
        )
        for house in plan.houses
        for one in house.units
    )
    return WesterosState(
        plan,
        plan.board,
        tuple(house_in_play(one, setup["players"][one.side]) for one in plan.houses),
        units,
        readings,
        setup["seed"],
        plan.mace,
        skirmish,
        tuple(cards.units.values()) if skirmish else (),
        tuple(cards.commanders.values()) if skirmish else (),
        tuple(cards.commands.values()),
        phase=CHOOSE if skirmish else REACTIVATION,
        first=plan.mace,
        active=plan.mace,
        control=tuple((one.cell, one.held_by) for one in plan.victory.sites if one.held_by),
        guided=setup.get("guide", False),
        own_draw=setup.get("own_draw", False),
    )


def house_in_play(house: PlanHouse, player: str) -> HouseInBattle:
    """A house before the first round: its tokens lie on the command board (BOW-SET-7)."""
    return HouseInBattle(
        house.side,
        player,
        house.edge,
        house.orders,
        house.cards,
        house.rout,
        house.tokens,
        house.deck,
    )


def skirmish_plan(rules: SkirmishRules) -> BattlePlan:
    """The battle that a skirmish becomes: its forces come by cards (BOW-SKM-15)."""
    edges = edges_of(rules.side, rules.orientation)
    houses = tuple(
        PlanHouse(
            rules.tokens,
            rules.orders,
            rules.cards,
            (),
            side,
            side.title(),
            rules.routs(side),
            edge,
        )
        for side, edge in zip(SIDES, edges, strict=True)
    )
    return BattlePlan(
        rules.id,
        rules.name,
        rules.rounds,
        empty_board(rules.side),
        houses,
        rules.side,
        rules.orientation,
        mace=rules.mace or SIDES[0],
        victory=rules.victory,
    )


def plain_unit(
    unit_id: str,
    side: str,
    name: str,
    card: UnitReference,
    rank: str,
    commander: CommanderCard | None,
) -> dict[str, Any]:
    """A unit of a skirmish as the event that forms it holds it."""
    text = {"id": unit_id, "side": side, "name": name, "card": card.to_json(), "rank": rank}
    return {**text, "commander": commander.to_json()} if commander else text


def unit_in_battle(data: Mapping[str, Any]) -> UnitInBattle:
    """A unit that was formed in a skirmish and waits to be placed."""
    card = UnitReference.read(Field(data["card"]))
    commander = CommanderCard.read(Field(data["commander"])) if "commander" in data else None
    return UnitInBattle(
        data["id"],
        data["side"],
        data["name"],
        card,
        data["rank"],
        None,
        card.strength,
        commander,
        "waiting",
    )
