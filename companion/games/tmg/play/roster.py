"""From army lists to units in play: what a `set-up` command brings, checked and written out."""

from __future__ import annotations

import json
from typing import Any

from companion.games.playing import Plain, Refusal
from companion.games.tmg.edition import edition_of
from companion.games.tmg.modes import mode as mode_named
from companion.games.tmg.modes.facts import Mode
from companion.games.tmg.modes.ground import Ground
from companion.games.tmg.modes.layout import spots, walls
from companion.games.tmg.play.armies import check, check_shape, check_team, deck_names, price
from companion.games.tmg.play.army_lists import read_list, write_ids
from companion.games.tmg.play.cards import shuffled_deck
from companion.games.tmg.play.deed import Asked
from companion.games.tmg.play.mode_play import PLAYS
from companion.games.tmg.play.rules import rules_of
from companion.games.tmg.play.state import NcuState, Player, Side, State, Token, Wall
from companion.games.tmg.play.tables import strangers, with_token_names
from companion.games.tmg.play.unit_state import Joined, UnitState
from companion.games.tmg.readings import Readings
from models import Army, Attack, Table, UnknownName, catalogue
from models.field import Field
from models.record import replace
from models.said import say

SHAPES = ("duel", "team", "ffa")
WALL_WOUNDS = 10
"""What a castle wall takes is printed on its card only: the players may say otherwise."""
UNIT_KEYS = frozenset(
    "card id name type tray cost speed defense morale wounds_per_model attacks abilities "
    "attachments commander character models".split()
)


def prepare(game: str, command: Plain) -> Plain | Refusal:
    """The set-up a command asks for, complete in itself, or why it may not be."""
    given = Asked(command, "set-up")
    Field(dict(command), "set-up").keys(SETUP_KEYS)
    year = edition_of(game).year
    mode = mode_named(game, given.need("mode"))
    shape = given.choice("shape", SHAPES, "duel")
    points = given.whole("points", 1, 1000, 40)
    readings = Readings.parse(given.texts("readings", 60)).plain()
    players, lists = [], []
    for item in given.field("armies").items(8, 2):
        built = read_player(item, game, points)
        if isinstance(built, Refusal):
            return built
        player, army = built
        players.append(player)
        if army is not None:
            lists.append((player["side"], army))
    refusal = wrong_seats(players, shape) or next(
        iter(check_shape(shape, mode.key, len({one["side"] for one in players}))), None
    )
    if refusal:
        return refusal
    if not given.flag("unchecked"):
        for side in dict.fromkeys(side for side, _ in lists):
            team = [army for owner, army in lists if owner == side]
            problems = check_team(team) if len(team) > 1 else check(team[0])
            if problems:
                return problems[0]
    label_units(players)
    twins = [unit["id"] for one in players for unit in (*one["units"], *one["ncus"])]
    if len(set(twins)) != len(twins):
        return Refusal("INPUT", "two units have the same id")
    if not all(one["units"] for one in players):
        return Refusal("TMG-UNT-1", "every army needs a combat unit")
    setup: dict[str, Any] = {
        "year": year,
        "mode": mode.key,
        "points": points,
        "shape": shape,
        "seed": given.whole("seed", 0, 2**62, 0),
        "readings": readings,
        "players": players,
        "tokens": tokens_of(mode, readings),
        "walls": [
            {"id": wall.id, "total": given.whole("wall_wounds", 1, 60, WALL_WOUNDS)}
            for wall in walls(mode, Ground())
        ]
        if PLAYS[game, mode.key].siege
        else [],
        "ready": given.flag("ready"),
        "first": given.text("first"),
        "defender": given.text("defender"),
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
        setup["table"] = with_token_names(table, mode, names, readings).plain()
    return setup


SETUP_KEYS = (
    "do game mode shape points readings armies unchecked seed wall_wounds ready first defender "
    "table"
).split()


def tokens_of(mode: Mode, readings: list[str]) -> list[dict[str, Any]]:
    """The mode's objective tokens; those the players place are numbered."""
    fixed = spots(mode, Ground(), Readings.parse(readings))
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


def wrong_seats(players: list[dict[str, Any]], shape: str) -> Refusal | None:
    """Names that clash, or seats that do not fit the shape."""
    names = [one["player"] for one in players]
    if len(set(names)) != len(names):
        return Refusal("INPUT", "two players have the same name")
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


# -- one player -------------------------------------------------------------------------------


def read_player(
    item: Field, game: str, points: int
) -> tuple[dict[str, Any], Army | None] | Refusal:
    """One army of the set-up: a list in any form, or units written out."""
    raw = item.keys(
        {"side", "player", "list", "army", "faction", "units", "ncus", "cards", "commander"},
        {"side"},
    )
    side = item.member("side").text(30)
    player = item.member("player").text(30) if "player" in raw else side
    head: dict[str, Any] = {"player": player, "side": side}
    if "list" in raw or "army" in raw:
        if "list" in raw:
            text = item.member("list").raw
            if not isinstance(text, str):
                item.member("list").fail("is not a text")
            army = read_list(text, game, points)
        else:
            army = Army.read(item.member("army"))
        army = replace(army, points=points)
        if army.game != game:
            return Refusal(
                "INPUT", say("the army of {player} is for {game}", player=player, game=army.game)
            )
        return {**head, **from_army(army)}, army
    own = {
        "faction": item.member("faction").text(40) if "faction" in raw else "",
        "commander": item.member("commander").text(80) if "commander" in raw else "",
        "units": [read_unit(one, game, item) for one in item.listed("units", 60)],
        "ncus": [read_ncu(one, game) for one in item.listed("ncus", 30)],
        "cards": [one.text(80) for one in item.listed("cards", 40)]
        or [f"card {number}" for number in range(1, 11)],
        "ids": "",
    }
    return {**head, **own}, None


def from_army(army: Army) -> dict[str, Any]:
    """Units, NCUs and deck of an army list."""
    facts = catalogue(army.game)
    units = []
    for entry in army.units:
        card = facts.units[entry.unit]
        joined = [facts.attachments[key] for key in entry.attachments]
        units.append(
            unit_facts(
                army.game,
                card_id=card.id,
                cost=price(card),
                attachments=tuple(
                    Joined(one.label, price(one), one.character, one.commander, one.abilities)
                    for one in joined
                ),
                commander=card.commander or any(one.commander for one in joined),
            )
        )
    ncus = [
        {
            "id": "",
            "name": facts.ncus[key].label,
            "cost": price(facts.ncus[key]),
            "character": facts.ncus[key].character,
            "commander": facts.ncus[key].commander,
            "abilities": list(facts.ncus[key].abilities),
        }
        for key in army.ncus
    ]
    names = list(deck_names(army)) or [f"card {number}" for number in range(1, 11)]
    leader = next(
        (
            shelf[army.commander].label
            for shelf in (facts.attachments, facts.units, facts.ncus)
            if army.commander in shelf
        ),
        "",
    )
    return {
        "faction": army.faction,
        "commander": leader,
        "units": units,
        "ncus": ncus,
        "cards": names,
        "ids": write_ids(army),
    }


def unit_facts(
    game: str,
    card_id: str,
    cost: int,
    attachments: tuple[Joined, ...] = (),
    commander: bool = False,
    unit_id: str = "",
) -> dict[str, Any]:
    """A unit's numbers from its card: one full tray of its models (TMG-UNT-5)."""
    facts = catalogue(game)
    card = facts.units[card_id]
    tray = facts.trays[card.tray]
    return UnitState(
        id=unit_id,
        player="",
        side="",
        name=card.label,
        type=card.type,
        tray=card.tray,
        cost=cost,
        speed=card.speed,
        defense=card.defense,
        morale=card.morale,
        attacks=card.attacks,
        abilities=card.abilities,
        per_model=card.wounds_per_model or 1,
        full_models=tray.models,
        full_ranks=tray.ranks,
        attachments=attachments,
        character=card.character,
        commander=commander,
    ).facts()


def read_unit(item: Field, game: str, owner: Field) -> dict[str, Any]:
    """A unit written out in a set-up: a card of the catalogue, or numbers, or both."""
    if isinstance(item.raw, str):
        item = Field({"card": item.raw}, item.source, item.place)
    raw = item.keys(UNIT_KEYS)
    facts = catalogue(game)
    cost = item.member("cost").whole(0, 100) if "cost" in raw else None
    if "card" in raw:
        try:
            card = facts.units.find(item.member("card").text())
        except UnknownName as error:
            item.member("card").fail(str(error))
        if cost is None:
            cost = card.cost
        if cost is None:
            item.fail(
                say("the catalogue does not know the cost of {name!r}: say it", name=card.label)
            )
        base = unit_facts(game, card.id, cost)
    else:
        tray = item.member("tray").choice(facts.trays) if "tray" in raw else "infantry"
        base = UnitState(
            id="",
            player="",
            side="",
            name=item.member("name").text(80) if "name" in raw else "unit",
            tray=tray,
            type=tray if tray in ("infantry", "cavalry") else "monster",
            cost=cost or 0,
            full_models=facts.trays[tray].models,
            full_ranks=facts.trays[tray].ranks,
            attacks=(Attack("Swords", "melee", 4, (6, 5, 4)),),
        ).facts()

    def number(key: str, name: str, low: int, high: int) -> None:
        if key in raw:
            base[name] = item.member(key).whole(low, high)

    number("speed", "speed", 0, 24)
    number("defense", "defense", 1, 7)
    number("morale", "morale", 1, 13)
    number("wounds_per_model", "per_model", 1, 60)
    for key in ("id", "name"):
        if key in raw:
            base[key] = item.member(key).text(80)
    if "type" in raw:
        base["type"] = item.member("type").choice(("infantry", "cavalry", "monster", "warmachine"))
    for key in ("commander", "character"):
        if key in raw:
            base[key] = item.member(key).flag()
    if "attacks" in raw:
        base["attacks"] = [Attack.read(one).plain() for one in item.listed("attacks", 12)]
    if "abilities" in raw:
        base["abilities"] = [one.text(80) for one in item.listed("abilities", 40)]
    joined = [read_joined(one) for one in item.listed("attachments", 12)]
    if joined and base["full_models"] == 1 and not rules_of(edition_of(game).year).solo_attachments:
        item.member("attachments").fail("a solo unit can never have attachments (TMG-ATM-3)")
    if len(joined) > base["full_models"]:
        item.member("attachments").fail("more attachments than models")
    base["attachments"] = [one.plain() for one in joined]
    base["commander"] = base["commander"] or any(one.commander for one in joined)
    return base


def read_joined(item: Field) -> Joined:
    """An attachment written out."""
    if isinstance(item.raw, str):
        return Joined(item.text(80))
    raw = item.keys({"name", "cost", "character", "commander", "abilities"}, {"name"})
    return Joined(
        item.member("name").text(80),
        item.member("cost").whole(0, 100) if "cost" in raw else 0,
        item.member("character").flag() if "character" in raw else False,
        item.member("commander").flag() if "commander" in raw else False,
        tuple(one.text(80) for one in item.listed("abilities", 40)),
    )


def read_ncu(item: Field, game: str) -> dict[str, Any]:
    """An NCU written out, or a card's name."""
    if isinstance(item.raw, str):
        item = Field({"name": item.raw}, item.source, item.place)
    raw = item.keys({"id", "name", "cost", "character", "commander"}, {"name"})
    name = item.member("name").text(80)
    known = catalogue(game).ncus.named(name)
    return {
        "id": item.member("id").text(30) if "id" in raw else "",
        "name": name,
        "cost": item.member("cost").whole(0, 100)
        if "cost" in raw
        else (known[0].cost or 0 if known else 0),
        "character": item.member("character").flag() if "character" in raw else False,
        "commander": item.member("commander").flag() if "commander" in raw else False,
        "abilities": [],
    }


def label_units(players: list[dict[str, Any]]) -> None:
    """Short ids: b1, b2 … for units, bn1 … for NCUs; whole names where initials clash."""
    initials = [one["player"][:1].casefold() for one in players]
    for one, initial in zip(players, initials, strict=True):
        stem = initial if initials.count(initial) == 1 else f"{one['player']}-"
        for number, unit in enumerate(one["units"], 1):
            unit["id"] = unit["id"] or f"{stem}{number}"
        for number, ncu in enumerate(one["ncus"], 1):
            ncu["id"] = ncu["id"] or f"{stem}n{number}"


# -- the state --------------------------------------------------------------------------------


def start(game: str, setup: Plain) -> State:
    """The state before the first event."""
    players = setup["players"]
    sides = tuple(dict.fromkeys(one["side"] for one in players))
    defender = setup["defender"]
    seats = tuple(
        Side(
            side,
            role=("defender" if side == defender else "attacker") if defender else "",
        )
        for side in sides
    )
    return State(
        game=game,
        year=setup["year"],
        mode=setup["mode"],
        points=setup["points"],
        shape=setup["shape"],
        seed=setup["seed"],
        readings=tuple(setup["readings"]),
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
            NcuState(
                ncu["id"],
                one["player"],
                one["side"],
                ncu["name"],
                ncu["cost"],
                ncu["character"],
                ncu["commander"],
                tuple(ncu["abilities"]),
            )
            for one in players
            for ncu in one["ncus"]
        ),
        tokens=tuple(
            Token(one["id"], one["name"], one["vp"], pile=one["pile"]) for one in setup["tokens"]
        ),
        walls=tuple(Wall(one["id"], one["total"]) for one in setup["walls"]),
        piles=2 if PLAYS[game, setup["mode"]].new_piles else 0,
        step=first_step(game, setup),
        table=json.dumps(setup["table"], ensure_ascii=False) if "table" in setup else "",
        chooser=sides[0] if setup["ready"] else "",
    )


def first_step(game: str, setup: Plain) -> str:
    """Where the pipeline begins: at a table that is set up, with roles, or with the zones."""
    if setup["ready"]:
        return "ready"
    return "roles" if PLAYS[game, setup["mode"]].siege and not setup["defender"] else "mark-zones"
