"""A player's army as a set-up gives it: units, attachments and NCUs, from a list or written out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, TypeVar

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyCards,
    FieldedUnit,
    cards_of,
    conditions_of,
    read_commander,
    read_numbers,
)
from companion.games.tmg.cards.army_catalogue import Attachment, NonCombatUnit, army_catalogue
from companion.games.tmg.play.army.army_conditions import price
from companion.games.tmg.play.army.army_lists import read_list, write_ids
from companion.games.tmg.play.army.army_rules import deck_names, unknowns, wrong_deck
from companion.games.tmg.play.state.unit_state import JoinedAttachment, UnitState
from models import Attack, UnitCard, UnknownName
from models.army_card import ArmyCard, CardCost, folded, preferred
from models.field import Field
from models.message import say
from models.record_reader import read_value

C = TypeVar("C", Attachment, NonCombatUnit)
TYPES = ("infantry", "cavalry", "monster", "warmachine")  # TMG-UNT-2
UNIT_KEYS = frozenset(
    "card id name type tray cost speed defense morale wounds_per_model attacks abilities "
    "attachments commander character models".split()
)


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
    facts = army_catalogue(army.game, army.season)
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
        counted(entry.card, *entry.attachments)
        | unit_facts(
            army.game,
            entry.card,
            price(entry.card),
            tuple(
                JoinedAttachment(
                    one.label,
                    price(one),
                    one.character,
                    one.commander,
                    one.abilities,
                    joins_enemy(one),
                )
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
            **counted(one),
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


def joins_enemy(one: Attachment) -> str:
    """When an attachment joins an enemy unit, "before" or "after" deployment; "" if it stands in
    its own (TMG-ARM-13)."""
    found = conditions_of(one, "enemy")
    return found[0].of.partition(" ")[0] if found else ""


def counted(*cards: ArmyCard) -> dict[str, Any]:
    """The tokens that these cards of one unit begin with, as set-up data; nothing for none."""
    found: Counter[str] = Counter()
    for card in cards:
        found.update(card.tokens)
    return {"counters": dict(found)} if found else {}


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
        card = replace(card, cost=read_value(CardCost, item.member("cost")))
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
        base["attacks"] = [Attack.read(one).to_json() for one in item.listed("attacks", 12)]
    if "abilities" in raw:
        base["abilities"] = [one.text(80) for one in item.listed("abilities", 40)]
    joined = [read_joined(one, game, faction) for one in item.listed("attachments", 12)]
    if len(joined) > base["full_models"]:
        item.member("attachments").fail("more attachments than models")
    base["attachments"] = [
        JoinedAttachment(
            one.label, one.cost or 0, one.character, one.commander, one.abilities
        ).to_json()
        for one in joined
    ]
    base |= counted(card, *joined)
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
        **counted(card),
    }
    return facts, card


def with_entered(card: C, item: Field) -> C:
    """The card with the cost and flags that were entered by hand."""
    changes: dict[str, Any] = {}
    if "cost" in item.raw:
        changes["cost"] = read_value(CardCost, item.member("cost"))
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
