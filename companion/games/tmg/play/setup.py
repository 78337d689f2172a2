"""The `set-up` command, and the state of a game before its first event."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Command, Plain, Refusal
from companion.games.tmg.cards.army import ArmyCards
from companion.games.tmg.play.army.army_rules import check_cards, check_shape, shared_characters
from companion.games.tmg.play.army.roster import label_units, read_player
from companion.games.tmg.play.commands.cards import shuffled_deck
from companion.games.tmg.play.context import CommandFields, ask
from companion.games.tmg.play.state.game_state import (
    PAPER_CARD,
    GameState,
    Guest,
    NcuState,
    Player,
    SideState,
    Token,
    WallState,
)
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.play.state.table_update import strangers, with_token_names
from companion.games.tmg.play.state.unit_state import UnitState, listed_attachments, record_of
from companion.games.tmg.rules.modes import mode as mode_named
from companion.games.tmg.rules.modes.mode_facts import Mode
from companion.games.tmg.rules.modes.mode_layout import SEATED, BattleArea, spots, walls
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import edition_of
from models import Table
from models.field import Field
from models.message import joined, say

SETUP = Command(
    "set-up",
    "two armies (or more), a mode, and how large the game is",
    (
        ask("mode", "word", "GOT, COK, SOS, FFC, DWD, WOW, HAR, FAB, HWS or DWW", True),
        ask(
            "armies",
            "list",
            "side, player, list (ids, text, TOML) or units, ncus, cards; costs, wounds per model "
            "and commander where the catalogue lacks them",
            True,
        ),
        ask("points", "number", "the agreed size; 40 where left out"),
        ask("shape", "word", "duel, team or ffa", False, ("duel", "team", "ffa")),
        ask("readings", "list", "open readings the players settled: name=value"),
        ask("unchecked", "flag", "do not check the armies"),
        ask("paper", "flag", "the players draw their own tactics cards: they are only counted"),
        ask("ready", "flag", "the table is set up: skip terrain, zones and the roll"),
        ask("first", "side", "the first player, where the table is ready"),
        ask("defender", "side", "A Storm of Swords: who defends"),
        ask("wall_wounds", "number", "A Storm of Swords: what a castle wall takes"),
        ask("seed", "number", "the seed of the companion's dice"),
        ask("table", "table", "who stands where"),
    ),
)


def start(game: str, setup: Plain) -> GameState:
    """The state before the first event."""
    players = setup["players"]
    sides = tuple(dict.fromkeys(one["side"] for one in players))
    defender, (table, plan) = setup["defender"], tables(setup)
    seats = tuple(
        SideState(
            side,
            role=("defender" if side == defender else "attacker") if defender else "",
        )
        for side in sides
    )
    return GameState(
        game=game,
        year=setup["year"],
        mode=setup["mode"],
        points=setup["points"],
        shape=setup["shape"],
        seed=setup["seed"],
        readings=tuple(setup["readings"]),
        unchecked=setup.get("unchecked", False),
        first=setup["first"],
        sides=seats,
        players=tuple(
            Player(
                one["player"],
                one["side"],
                one["faction"],
                one["commander"],
                setup["points"],
                shuffled_deck(one["cards"], setup["seed"], one["player"]),
                army=one["ids"],
            )
            for one in players
        ),
        units=tuple(
            UnitState.of(unit, one["player"], one["side"])
            for one in players
            for unit in one["units"]
        ),
        ncus=tuple(
            record_of(
                NcuState,
                {key: value for key, value in ncu.items() if key != "counters"},
                player=one["player"],
                side=one["side"],
            )
            for one in players
            for ncu in one["ncus"]
        ),
        guests=tuple(
            Guest(one["player"], one["side"], joined)
            for one in players
            for unit in one["units"]
            for joined in listed_attachments(unit)
            if joined.joins
        ),
        counters=tuple(
            (card["id"], token, number)
            for one in players
            for card in (*one["units"], *one["ncus"])
            for token, number in card.get("counters", {}).items()
        ),
        tokens=tuple(
            Token(one["id"], one["name"], one["vp"], pile=one["pile"]) for one in setup["tokens"]
        ),
        walls=tuple(WallState(one["id"], one["total"]) for one in setup["walls"]),
        piles=2 if PLAYS[game, setup["mode"]].new_piles else 0,
        step=first_step(game, setup),
        pieces=lying_already(game, setup),
        table=table,
        plan=plan,
        chooser=sides[0] if setup["ready"] else "",
    )


def tables(setup: Plain) -> tuple[str, str]:
    """The table of a game, and where the trays are planned that are deployed one by one."""
    if "table" not in setup:
        return "", ""
    table, text = setup["table"], json.dumps(setup["table"], ensure_ascii=False)
    if setup["ready"]:
        return text, ""
    own = {unit["id"] for one in setup["players"] for unit in one["units"]}
    others = [unit for unit in table.get("units", ()) if unit["id"] not in own]
    corners = {"zones": dict.fromkeys(SEATED, "")} if setup["shape"] == "ffa" else {}
    return json.dumps({**table, "units": others, **corners}, ensure_ascii=False), text


def lying_already(game: str, setup: Plain) -> tuple[str, ...]:
    """The terrain that the players put down before the game: it counts (TMG-SET-9)."""
    if setup["ready"] or "table" not in setup:
        return ()
    own = mode_named(game, setup["mode"]).facts.terrain.layout_piece
    found = (str(one.get("piece", "")) for one in setup["table"].get("terrain", ()))
    return tuple(one for one in found if one != own)


def first_step(game: str, setup: Plain) -> str:
    """The first step of the pipeline: roles or zones, or neither if the table is set up."""
    if setup["ready"]:
        return "ready"
    return "roles" if PLAYS[game, setup["mode"]].siege and not setup["defender"] else "mark-zones"


SHAPES = ("duel", "team", "ffa")
WALL_WOUNDS = 10
"""The default for a castle wall's wounds, which only its card states; players may change it."""
SETUP_KEYS = (
    "do game mode shape points readings armies unchecked seed wall_wounds ready first defender "
    "table paper"
).split()


def prepare(game: str, command: Plain) -> Plain | Refusal:
    """The self-contained set-up that a command asks for, or a refusal."""
    given = CommandFields(command, "set-up")
    Field(dict(command), "set-up").keys(SETUP_KEYS)
    year = edition_of(game).year
    mode = mode_named(game, given.need("mode"))
    shape = given.choice("shape", SHAPES, "duel")
    points = given.whole("points", 1, 1000, 40)
    readings = Readings.parse(given.texts("readings", 60)).texts()
    players, armies = [], []
    broken: list[Refusal] = []
    for item in given.field("armies").items(8, 2):
        built = read_player(item, game, points)
        if isinstance(built, Refusal):
            return built
        player, cards, decks = built
        if given.flag("paper"):
            player["cards"] = [PAPER_CARD] * len(player["cards"])
        players.append(player)
        armies.append((player["side"], cards))
        broken += decks
    refusal = wrong_seats(players, shape) or next(
        iter(check_shape(shape, mode.key, len({one["side"] for one in players}))), None
    )
    if refusal:
        return refusal
    if not all(one["units"] for one in players):
        return Refusal("TMG-UNT-1", "every army needs a combat unit")
    if not given.flag("unchecked"):
        if refusal := wrong_armies([one["player"] for one in players], armies):
            return refusal
        if broken:
            return broken[0]
    label_units(players)
    twins = [unit["id"] for one in players for unit in (*one["units"], *one["ncus"])]
    if len(set(twins)) != len(twins):
        return Refusal("INPUT", "two units have the same id")
    setup: dict[str, Any] = {
        "year": year,
        "mode": mode.key,
        "points": points,
        "shape": shape,
        "seed": given.whole("seed", 0, 2**53, 0),
        "readings": readings,
        "players": players,
        "tokens": tokens_of(mode, readings),
        "walls": [
            {"id": wall.id, "total": given.whole("wall_wounds", 1, 60, WALL_WOUNDS)}
            for wall in walls(mode, BattleArea())
        ]
        if PLAYS[game, mode.key].siege
        else [],
        "ready": given.flag("ready"),
        "first": given.text("first"),
        "defender": given.text("defender"),
        "unchecked": given.flag("unchecked"),
    }
    sides = [one["side"] for one in players]
    for key in ("first", "defender"):
        if setup[key] and setup[key] not in sides:
            return Refusal("INPUT", say("{key} {side!r} is not a side", key=key, side=setup[key]))
    if setup["ready"] and not setup["first"]:
        return Refusal("TMG-STA-2", "say who is first player")
    if setup["ready"] and PLAYS[game, mode.key].siege and not setup["defender"]:
        return Refusal("TMG-MODE-SOS-1", "say who is the defender")
    if given.has("table"):
        table = Table.read(Field(given.field("table").raw, "table"))
        if table.game != game:
            return Refusal(
                "INPUT",
                say("the table is of {game}, the game of {other}", game=table.game, other=game),
            )
        owners = {unit["id"]: one["side"] for one in players for unit in one["units"]}
        if refusal := strangers(table, owners):
            return refusal
        names = [one["id"] for one in setup["tokens"]]
        named = with_token_names(table, mode, names, readings)
        setup["table"] = replace(named, zones=()).to_json()
    return setup


def tokens_of(mode: Mode, readings: list[str]) -> list[dict[str, Any]]:
    """The mode's objective tokens; tokens that the players place are numbered."""
    fixed = spots(mode, BattleArea(), Readings.parse(readings))
    under = mode.facts.piles is not None and mode.facts.piles.under_tokens
    found = [
        {
            "id": spot.id,
            "name": spot.name,
            "vp": spot.vp,
            "pile": f"pile{number}" if under else "",  # TMG-MODE-FFC-6
        }
        for number, spot in enumerate(fixed, 1)
    ]
    placing = mode.facts.placing
    for number in range(len(found) + 1, len(found) + 1 + (placing.count if placing else 0)):
        vp = placing.vp if placing else 0
        name = say("token {number}", number=number)
        found.append({"id": f"o{number}", "name": name, "vp": vp, "pile": ""})
    return found


def wrong_armies(names: Sequence[str], armies: Sequence[tuple[str, ArmyCards]]) -> Refusal | None:
    """The first rule that a player's army breaks, or those of one side together."""
    for name, (_, cards) in zip(names, armies, strict=True):
        for problem in check_cards(cards):
            return replace(problem, say=joined((name, problem.say), ": "))
    for side in dict.fromkeys(side for side, _ in armies):
        shared = shared_characters([cards.cards for owner, cards in armies if owner == side])
        if shared:
            return shared[0]
    return None


def wrong_seats(players: list[dict[str, Any]], shape: str) -> Refusal | None:
    """A refusal for duplicate names, or for seats that do not fit the kind of game."""
    names = [one["player"] for one in players]
    for number, name in enumerate(names):
        if name in names[:number]:
            first = names.index(name)
            words = "armies[{number}]: player {name!r} has armies[{first}] already"
            return Refusal("INPUT", say(words, number=number, name=name, first=first))
    sides = {one["side"] for one in players}
    if shape != "team" and len(sides) != len(players):
        return Refusal("TMG-TEAM-1", "only in a team game do several players share a side")
    if "draw" in sides or "" in sides:
        return Refusal("INPUT", "a side cannot be called so")
    if shape == "team":
        sizes = {sum(one["side"] == side for one in players) for side in sides}
        if len(sizes) > 1:
            return Refusal("TMG-TEAM-1", "teams of different size")
    return None
