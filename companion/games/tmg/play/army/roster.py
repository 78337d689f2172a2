"""From army lists to units in play: validation of the `set-up` command, and the initial state."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from companion.games.api.play import Plain, Refusal
from companion.games.tmg.cards.army import NEUTRAL, Army, read_commander, read_numbers
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.cards.attachment import Attachment
from companion.games.tmg.cards.ncu import NonCombatUnit
from companion.games.tmg.play.army.army_cards import ArmyCards, FieldedUnit, cards_of
from companion.games.tmg.play.army.army_lists import read_list, write_ids
from companion.games.tmg.play.army.army_rules import (
    check_shape,
    check_together,
    deck_names,
    price,
    unknowns,
    wrong_deck,
)
from companion.games.tmg.play.commands.cards import shuffled_deck
from companion.games.tmg.play.commands.command_context import CommandArgs
from companion.games.tmg.play.state.game_state import (
    PAPER_CARD,
    GameState,
    NcuState,
    Player,
    SideState,
    Token,
    WallState,
)
from companion.games.tmg.play.state.logged_record import record_of
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.play.state.table_update import strangers, with_token_names
from companion.games.tmg.play.state.unit_state import JoinedAttachment, UnitState
from companion.games.tmg.rules.edition import edition_of
from companion.games.tmg.rules.modes import mode as mode_named
from companion.games.tmg.rules.modes.areas import BattleArea
from companion.games.tmg.rules.modes.mode_facts import Mode
from companion.games.tmg.rules.modes.mode_layout import spots, walls
from companion.games.tmg.rules.readings import Readings
from models import Attack, Table, UnitCard, UnknownName
from models.cards.card_index import folded, preferred
from models.field import Field
from models.lazy_message import say
from models.record import replace

C = TypeVar("C", Attachment, NonCombatUnit)
SHAPES = ("duel", "team", "ffa")
WALL_WOUNDS = 10
"""The default for a castle wall's wounds, which only its card states; players may change it."""
TYPES = ("infantry", "cavalry", "monster", "warmachine")  # TMG-UNT-2
UNIT_KEYS = frozenset(
    "card id name type tray cost speed defense morale wounds_per_model attacks abilities "
    "attachments commander character models".split()
)


def prepare(game: str, command: Plain) -> Plain | Refusal:
    """The self-contained set-up that a command asks for, or a refusal."""
    given = CommandArgs(command, "set-up")
    Field(dict(command), "set-up").keys(SETUP_KEYS)
    year = edition_of(game).year
    mode = mode_named(game, given.need("mode"))
    shape = given.choice("shape", SHAPES, "duel")
    points = given.whole("points", 1, 1000, 40)
    readings = Readings.parse(given.texts("readings", 60)).plain()
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
        for side in dict.fromkeys(side for side, _ in armies):
            team = [cards for owner, cards in armies if owner == side]
            if problems := (*check_together(team), *broken):
                return problems[0]
    label_units(players)
    twins = [unit["id"] for one in players for unit in (*one["units"], *one["ncus"])]
    if len(set(twins)) != len(twins):
        return Refusal("INPUT", "two units have the same id")
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
        setup["table"] = with_token_names(table, mode, names, readings).plain()
    return setup


SETUP_KEYS = (
    "do game mode shape points readings armies unchecked seed wall_wounds ready first defender "
    "table paper"
).split()


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


def wrong_seats(players: list[dict[str, Any]], shape: str) -> Refusal | None:
    """A refusal for duplicate names, or for seats that do not fit the kind of game."""
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
) -> tuple[dict[str, Any], ArmyCards, list[Refusal]] | Refusal:
    """One army of the set-up, from a list in any format or units entered by hand: the data to
    log, the cards to check, and what is wrong with its deck."""
    raw = item.keys(
        {"side", "player", "list", "army", "faction", "units", "ncus", "cards", "commander"}
        | {"costs", "wounds"},
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
        if army.game != game:
            return Refusal(
                "INPUT", say("the army of {player} is for {game}", player=player, game=army.game)
            )
        army = with_answers(replace(army, points=points), item)
        return {**head, **from_army(army)}, cards_of(army), wrong_deck(army)
    faction = item.member("faction").text(40) if "faction" in raw else ""
    commander = item.member("commander").text(80) if "commander" in raw else ""
    units = [read_unit(one, game, faction) for one in item.listed("units", 60)]
    ncus = [read_ncu(one, game, faction) for one in item.listed("ncus", 30)]
    name_commander(commander, units, ncus)
    own = {
        "faction": faction,
        "commander": commander,
        "units": [facts for facts, _ in units],
        "ncus": [facts for facts, _ in ncus],
        "cards": [one.text(80) for one in item.listed("cards", 40)]
        or [f"card {number}" for number in range(1, 11)],
        "ids": "",
    }
    leads = any(facts["commander"] for facts, _ in (*units, *ncus))
    cards = ArmyCards(
        game,
        faction,
        points,
        "" if leads else commander,  # a name alone makes nobody commander (TMG-ARM-6)
        tuple(one for _, one in units),
        tuple(one for _, one in ncus),
    )
    return {**head, **own}, cards, []


def with_answers(army: Army, item: Field) -> Army:
    """The army with the values that the set-up gives besides the list: costs, wounds, commander."""
    facts = army_catalogue(army.game)
    ours = (army.faction, NEUTRAL)
    costs = read_numbers(item, "costs", facts, ours, 0, 100)
    wounds = read_numbers(item, "wounds", facts, ours, 1, 60)
    for card, number in costs:
        army = army.with_cost(card, number)
    for card, number in wounds:
        army = army.with_wounds(card, number)
    if "commander" in item.raw:
        army = replace(army, commander=read_commander(item.member("commander"), facts, ours))
    return army


def name_commander(
    name: str,
    units: list[tuple[dict[str, Any], FieldedUnit]],
    ncus: list[tuple[dict[str, Any], NonCombatUnit]],
) -> None:
    """Make the card of that name the commander, if an army entered by hand has none."""
    if not name or any(facts["commander"] for facts, _ in (*units, *ncus)):
        return
    wanted = folded(name)
    for place, (facts, one) in enumerate(units):
        joined = [wanted in (folded(card.name), folded(card.label)) for card in one.attachments]
        if any(joined) or wanted in (folded(one.card.name), folded(one.card.label)):
            facts["commander"] = True
            attachments = list(one.attachments)
            if any(joined):
                at = joined.index(True)
                attachments[at] = replace(attachments[at], commander=True)
                facts["attachments"][at]["commander"] = True
            led = replace(one, attachments=tuple(attachments), leads=not any(joined))
            units[place] = (facts, led)
            return
    for place, (facts, ncu) in enumerate(ncus):
        if wanted in (folded(ncu.name), folded(ncu.label)):
            facts["commander"] = True
            ncus[place] = (facts, replace(ncu, commander=True))
            return


def from_army(army: Army) -> dict[str, Any]:
    """Units, NCUs and deck of an army list."""
    cards = cards_of(army)
    asked = unknowns(cards)
    units = [
        unit_facts(
            army.game,
            entry.card,
            price(entry.card),
            tuple(
                JoinedAttachment(one.label, price(one), one.character, one.commander, one.abilities)
                for one in entry.attachments
            ),
            bool(entry.commanders),
            tuple(
                one.what
                for one in asked
                if one.card in (entry.card.id, *(joined.id for joined in entry.attachments))
            )
            + (("type",) if entry.type_unknown else ()),
        )
        for entry in cards.units
    ]
    ncus = [
        {
            "id": "",
            "name": one.label,
            "cost": price(one),
            "character": one.character,
            "commander": one.commander,
            "abilities": list(one.abilities),
        }
        for one in cards.ncus
    ]
    names = list(deck_names(army)) or [f"card {number}" for number in range(1, 11)]
    return {
        "faction": army.faction,
        "commander": next((one.label for one in cards.cards if one.id == army.commander), ""),
        "units": units,
        "ncus": ncus,
        "cards": names,
        "ids": write_ids(army),
    }


def unit_facts(
    game: str,
    card: UnitCard,
    cost: int,
    attachments: tuple[JoinedAttachment, ...] = (),
    commander: bool = False,
    assumed: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The logged values of a unit from its card: one full tray of models (TMG-UNT-5)."""
    tray = army_catalogue(game).trays[card.tray]
    return UnitState(
        id="",
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
        assumed=assumed,
    ).facts()


def written_card(item: Field, game: str, faction: str) -> UnitCard:
    """The card that a hand-entered unit names, or one made from its own values."""
    raw = item.raw
    facts = army_catalogue(game)
    if "card" in raw:
        try:
            return facts.units.find(item.member("card").text(), (faction, NEUTRAL))
        except UnknownName as error:
            item.member("card").fail(str(error))
    tray = item.member("tray").choice(facts.trays) if "tray" in raw else "infantry"
    return UnitCard(
        id="",
        name=item.member("name").text(80) if "name" in raw else "unit",
        faction=faction,
        type=tray if tray in ("infantry", "cavalry") else "monster",
        tray=tray,
        speed=5,
        defense=4,
        morale=6,
        cost=None,
        wounds_per_model=1,
        attacks=(Attack("Swords", "melee", 4, (6, 5, 4)),),
    )


def read_unit(item: Field, game: str, faction: str) -> tuple[dict[str, Any], FieldedUnit]:
    """A unit entered by hand in a set-up: a card of the catalogue, or values, or both."""
    if isinstance(item.raw, str):
        item = Field({"card": item.raw}, item.source, item.place)
    raw = item.keys(UNIT_KEYS)
    card = written_card(item, game, faction)
    if "cost" in raw:
        card = replace(card, cost=item.member("cost").whole(0, 100))
    if "wounds_per_model" in raw:
        card = replace(card, wounds_per_model=item.member("wounds_per_model").whole(1, 60))
    base = unit_facts(game, card, card.cost or 0)

    def number(key: str, name: str, low: int, high: int) -> None:
        if key in raw:
            base[name] = item.member(key).whole(low, high)

    number("speed", "speed", 0, 24)
    number("defense", "defense", 1, 7)
    number("morale", "morale", 1, 13)
    for key in ("id", "name"):
        if key in raw:
            base[key] = item.member(key).text(80)
    if "type" in raw:
        base["type"] = item.member("type").choice(TYPES)
    for key in ("commander", "character"):
        if key in raw:
            base[key] = item.member(key).flag()
    if "attacks" in raw:
        base["attacks"] = [Attack.read(one).plain() for one in item.listed("attacks", 12)]
    if "abilities" in raw:
        base["abilities"] = [one.text(80) for one in item.listed("abilities", 40)]
    joined = [read_joined(one, game, faction) for one in item.listed("attachments", 12)]
    if len(joined) > base["full_models"]:
        item.member("attachments").fail("more attachments than models")
    base["attachments"] = [
        JoinedAttachment(
            one.label, one.cost or 0, one.character, one.commander, one.abilities
        ).plain()
        for one in joined
    ]
    leads = base["commander"]
    base["commander"] = leads or card.commander or any(one.commander for one in joined)
    card = replace(card, name=base["name"] if "name" in raw else card.name, type=base["type"])
    card = replace(card, character=base["character"])
    fielded = FieldedUnit(card, tuple(joined), leads)
    missing = unknowns(ArmyCards(game, faction, 0, units=(fielded,)))
    base["assumed"] = [one.what for one in missing if one.what != "commander"]
    if not {"card", "wounds_per_model"} & set(raw) and card.tray != "infantry":
        base["assumed"].append("wounds")  # infantry normally has 1 per model (TMG-UNT-10)
    if fielded.type_unknown:
        base["assumed"].append("type")
    return base, fielded


def read_joined(item: Field, game: str, faction: str) -> Attachment:
    """An attachment entered by hand; missing values come from the card of its name."""
    if isinstance(item.raw, str):
        item = Field({"name": item.raw}, item.source, item.place)
    raw = item.keys({"name", "cost", "type", "character", "commander", "abilities"}, {"name"})
    name = item.member("name").text(80)
    known = preferred(army_catalogue(game).attachments.named(name), (faction, NEUTRAL))
    card = known[0] if len(known) == 1 else Attachment("", name, faction, cost=None)
    card = with_entered(card, item)
    if "type" in raw:
        card = replace(card, type=item.member("type").choice(TYPES))
    if "abilities" in raw:
        abilities = tuple(one.text(80) for one in item.listed("abilities", 40))
        card = replace(card, abilities=abilities)
    return card


def read_ncu(item: Field, game: str, faction: str) -> tuple[dict[str, Any], NonCombatUnit]:
    """An NCU entered by hand; missing values come from the card of its name."""
    if isinstance(item.raw, str):
        item = Field({"name": item.raw}, item.source, item.place)
    raw = item.keys({"id", "name", "cost", "character", "commander"}, {"name"})
    name = item.member("name").text(80)
    known = preferred(army_catalogue(game).ncus.named(name), (faction, NEUTRAL))
    card = known[0] if len(known) == 1 else NonCombatUnit("", name, faction, cost=None)
    if len(known) > 1:
        card = replace(card, cost=known[0].cost or 0, character=known[0].character)
    card = with_entered(card, item)
    facts = {
        "id": item.member("id").text(30) if "id" in raw else "",
        "name": name,
        "cost": card.cost or 0,
        "character": card.character,
        "commander": card.commander,
        "abilities": list(card.abilities),
    }
    return facts, card


def with_entered(card: C, item: Field) -> C:
    """The card with the cost and flags that were entered by hand."""
    changes: dict[str, Any] = {}
    if "cost" in item.raw:
        changes["cost"] = item.member("cost").whole(0, 100)
    for key in ("character", "commander"):
        if key in item.raw:
            changes[key] = item.member(key).flag()
    return replace(card, **changes)


def label_units(players: list[dict[str, Any]]) -> None:
    """Assign short ids: b1, b2 … for units, bn1 … for NCUs; whole names if initials clash."""
    initials = [one["player"][:1].casefold() for one in players]
    for one, initial in zip(players, initials, strict=True):
        stem = initial if initials.count(initial) == 1 else f"{one['player']}-"
        for number, unit in enumerate(one["units"], 1):
            unit["id"] = unit["id"] or f"{stem}{number}"
        for number, ncu in enumerate(one["ncus"], 1):
            ncu["id"] = ncu["id"] or f"{stem}n{number}"


# -- the state --------------------------------------------------------------------------------


def start(game: str, setup: Plain) -> GameState:
    """The state before the first event."""
    players = setup["players"]
    sides = tuple(dict.fromkeys(one["side"] for one in players))
    defender = setup["defender"]
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
            record_of(NcuState, ncu, player=one["player"], side=one["side"])
            for one in players
            for ncu in one["ncus"]
        ),
        tokens=tuple(
            Token(one["id"], one["name"], one["vp"], pile=one["pile"]) for one in setup["tokens"]
        ),
        walls=tuple(WallState(one["id"], one["total"]) for one in setup["walls"]),
        piles=2 if PLAYS[game, setup["mode"]].new_piles else 0,
        step=first_step(game, setup),
        table=json.dumps(setup["table"], ensure_ascii=False) if "table" in setup else "",
        chooser=sides[0] if setup["ready"] else "",
    )


def first_step(game: str, setup: Plain) -> str:
    """The first step of the pipeline: roles or zones, or neither if the table is set up."""
    if setup["ready"]:
        return "ready"
    return "roles" if PLAYS[game, setup["mode"]].siege and not setup["defender"] else "mark-zones"
