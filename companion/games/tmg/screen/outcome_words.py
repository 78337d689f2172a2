"""The sentences of events that need no more than their own data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.tmg.screen.board_pages import ZONE_WORDS
from companion.games.tmg.screen.choice_words import EDGES
from companion.games.tmg.screen.names import GameNames
from companion.games.tmg.screen.unit_views import CONDITION_WORDS
from models.message import joined, say

Data = Mapping[str, Any]
Sentence = Callable[[GameNames, Data], str]

ACTIONS: dict[str, Callable[[str], str]] = {
    "maneuver": lambda unit: say("{unit}: maneuver.", unit=unit),
    "march": lambda unit: say("{unit}: march.", unit=unit),
    "retreat": lambda unit: say("{unit}: retreat.", unit=unit),
    "attack": lambda unit: say("{unit}: attack.", unit=unit),
    "charge": lambda unit: say("{unit}: charge.", unit=unit),
    "forgo": lambda unit: say("{unit}: no action.", unit=unit),
    "enter": lambda unit: say("{unit}: in from reserve.", unit=unit),
    "shift": lambda unit: say("{unit}: shift.", unit=unit),
    "pivot": lambda unit: say("{unit}: pivot.", unit=unit),
}
ICONS = {
    "claimed": "board",
    "played": "cards",
    "drawn": "cards",
    "discarded": "cards",
    "returned": "cards",
    "condition": "bolt",
    "token-held": "flag",
    "control-lost": "flag",
    "pass-chosen": "pass",
    "table": "camera",
    "overridden": "pencil",
    "healed": "plus",
    "retreat-rolled": "retreat",
    "order": "star",
    "ability": "star",
    "roll-off": "dice",
}


def of(names: GameNames, data: Data, key: str = "unit") -> str:
    """The name that a field of an event stands for."""
    return names.of(str(data[key]))


def typed(names: GameNames, text: object) -> str:
    """A text that players typed or a card's name, without ids."""
    return names.spelled(str(text))


def eliminated(names: GameNames, data: Data) -> str:
    if data.get("conceded"):
        return say("{name} concedes.", name=of(names, data, "side"))
    return say("{name} is out of the game.", name=of(names, data, "side"))


def roll_off(names: GameNames, data: Data) -> str:
    rolls = (
        say("{name} {face}", name=names.of(str(side)), face=face) for side, face in data["dice"]
    )
    return say("Rolled: {rolls}.", rolls=joined(rolls))


def zone_chosen(names: GameNames, data: Data) -> str:
    zone = EDGES.get(str(data["zone"]), say(str(data["zone"])))
    return say("{name}: {zone}.", name=of(names, data, "side"), zone=zone)


def role_chosen(names: GameNames, data: Data) -> str:
    name = of(names, data, "side")
    if data["role"] == "attacker":
        return say("{name} attacks the castle.", name=name)
    return say("{name} defends the castle.", name=name)


def piece_placed(names: GameNames, data: Data) -> str:
    piece = say(str(data["piece"]).replace("-", " "))
    return say("{name} places {piece}.", name=of(names, data, "side"), piece=piece)


def engaged(names: GameNames, data: Data) -> str:
    if data["with"]:
        foes = names.several(map(str, data["with"]))
        return say("{unit}: engaged with {foes}.", unit=of(names, data), foes=foes)
    return say("{unit}: not engaged.", unit=of(names, data))


def attack(names: GameNames, data: Data) -> str:
    if data["stage"] != "attack-dice":
        return say(
            "{n} hit on {unit}.",
            "{n} hits on {unit}.",
            n=data["hits"],
            unit=of(names, data, "defender"),
        )
    if not data["attacker"]:
        return say("Attack on {unit}.", unit=of(names, data, "defender"))
    return say(
        "{unit} against {target}: {weapon}.",
        unit=of(names, data, "attacker"),
        target=of(names, data, "defender"),
        weapon=typed(names, data["weapon"]),
    )


def attack_changed(names: GameNames, data: Data) -> str:
    if data.get("what") == "ranks":
        return say(
            "The attack has {n} die now: ranks have changed.",
            "The attack has {n} dice now: ranks have changed.",
            n=data["dice"],
        )
    name = typed(names, data["name"])
    if data.get("value"):
        return say("{name}: {value:+d} for this attack.", name=name, value=data["value"])
    return say("{name} counts for this attack.", name=name)


def test(names: GameNames, data: Data) -> str:
    if data["kind"] == "panic":
        return say("{unit} must test panic.", unit=of(names, data))
    return say("{unit} must test morale.", unit=of(names, data))


def token_held(names: GameNames, data: Data) -> str:
    token = of(names, data, "token")
    if data["unit"]:
        return say("{objective}: held by {unit}.", unit=of(names, data), objective=token)
    return say("Nobody holds {objective} now.", objective=token)


def played(names: GameNames, data: Data) -> str:
    name, card = of(names, data, "player"), typed(names, data["card"])
    if data.get("unit"):
        return say("{name} plays {card} on {unit}.", name=name, card=card, unit=of(names, data))
    return say("{name} plays {card}.", name=name, card=card)


def returned(names: GameNames, data: Data) -> str:
    name = of(names, data, "player")
    if data["from"] == "discard":
        card = typed(names, data["card"])
        return say("{name} takes {card} from the discard pile.", name=name, card=card)
    return say("{name} takes a card from the deck.", name=name)


def condition(names: GameNames, data: Data) -> str:
    word = CONDITION_WORDS[str(data["token"])][0]
    return say("{unit}: {condition}.", unit=of(names, data), condition=word)


def condition_gone(names: GameNames, data: Data) -> str:
    word = CONDITION_WORDS[str(data["token"])][0]
    return say("{unit}: no longer {condition}.", unit=of(names, data), condition=word)


def abilities(names: GameNames, data: Data) -> str:
    if data["lost"]:
        return say("{unit}: abilities lost.", unit=of(names, data))
    return say("{unit}: abilities regained.", unit=of(names, data))


def missions_set(names: GameNames, data: Data) -> str:
    if not data["active"]:
        return say("No mission is open.")
    return say("Open missions: {cards}.", cards=joined(map(str, data["active"])))


SENTENCES: dict[str, Sentence] = {
    "passed": lambda names, data: say(
        "{name} has nothing left to activate.", name=of(names, data, "side")
    ),
    "pass-chosen": lambda names, data: say("{name} passes.", name=of(names, data, "side")),
    "first-player": lambda names, data: say(
        "{name} is first player.", name=of(names, data, "side")
    ),
    "eliminated": eliminated,
    "roll-off": roll_off,
    "zone-chosen": zone_chosen,
    "role-chosen": role_chosen,
    "zone-left": lambda names, data: say("{name} chooses the zone.", name=of(names, data, "other")),
    "piece-count": lambda names, data: say(
        "{n} piece of terrain.", "{n} pieces of terrain.", n=data["count"]
    ),
    "piece-placed": piece_placed,
    "reserved": lambda names, data: say("{unit}: into reserve.", unit=of(names, data)),
    "redeployed": lambda names, data: say("{unit}: back on the table.", unit=of(names, data)),
    "renamed-leader": lambda names, data: say(
        "In the commander’s place: {unit}.", unit=of(names, data)
    ),
    "table": lambda names, data: say("Positions updated."),
    "engaged": engaged,
    "turned": lambda names, data: say(
        "{unit}: turned to face {target}.", unit=of(names, data), target=of(names, data, "target")
    ),
    "may-have-turned": lambda names, data: say(
        "{unit}: perhaps turned to face {target}.",
        unit=of(names, data),
        target=of(names, data, "target"),
    ),
    "let-lie": lambda names, data: say("{name} lets the dice lie.", name=of(names, data, "side")),
    "retreated": lambda names, data: say("{unit}: out of the melee.", unit=of(names, data)),
    "piece-destroyed": lambda names, data: say(
        "{piece}: destroyed by {unit}.", unit=of(names, data), piece=of(names, data, "piece")
    ),
    "activated": lambda names, data: say("{unit}: activated.", unit=of(names, data)),
    "activation-ended": lambda names, data: say("{unit}: done.", unit=of(names, data)),
    "tokens-cleared": lambda names, data: say("All units may act again."),
    "board-cleared": lambda names, data: say("The tactics board is cleared."),
    "influence-cleared": lambda names, data: say("All influence ends."),
    "attack": attack,
    "attack-changed": attack_changed,
    "retreat-rolled": lambda names, data: say(
        "Rolled {face}: {unit} retreats up to {reach:g}″.",
        face=data["faces"][0],
        unit=of(names, data),
        reach=data["reach"],
    ),
    "test": test,
    "test-changed": lambda names, data: say(
        "{name}: {value:+d} for this test.", name=typed(names, data["name"]), value=data["value"]
    ),
    "token-held": token_held,
    "control-lost": lambda names, data: say(
        "{unit}: {objective} lost.", unit=of(names, data), objective=of(names, data, "token")
    ),
    "token-new": lambda names, data: say("A new objective is placed."),
    "token-card": lambda names, data: say(
        "An objective card lies beside {objective}.", objective=of(names, data, "token")
    ),
    "pile-new": lambda names, data: say("A corpse pile is placed."),
    "card-chosen": lambda names, data: say(
        "{name} chooses objective card {card}.", name=of(names, data, "player"), card=data["card"]
    ),
    "card-used": lambda names, data: say(
        "{name} uses objective card {card}.", name=of(names, data, "player"), card=data["card"]
    ),
    "marked": lambda names, data: say("{unit}: Marked.", unit=of(names, data)),
    "vp-token": lambda names, data: say("A VP token lies on {unit}.", unit=of(names, data)),
    "missions-taken": lambda names, data: say(
        "{name} takes {n} card in hand.",
        "{name} takes {n} cards in hand.",
        name=of(names, data, "player"),
        n=len(data["cards"]),
    ),
    "mission-left": lambda names, data: say(
        "{name} lays a mission aside.", name=of(names, data, "player")
    ),
    "mission-shown": lambda names, data: say(
        "{name} reveals mission {card}.", name=of(names, data, "player"), card=data["card"]
    ),
    "missions-set": missions_set,
    "mission-scored": lambda names, data: say(
        "{name} meets mission {card}.", name=of(names, data, "side"), card=data["card"]
    ),
    "proposed": lambda names, data: say("The points of this round are proposed."),
    "quadrants-said": lambda names, data: say("The quadrants are as you say."),
    "proposals-closed": lambda names, data: say("The points of this round are settled."),
    "overridden": lambda names, data: say(
        "{name}: {old} → {new} points.",
        name=of(names, data, "side"),
        old=data["old"],
        new=data["new"],
    ),
    "commander-fell": lambda names, data: say(
        "{name} has destroyed the enemy commander.", name=of(names, data, "side")
    ),
    "wall-hit": lambda names, data: say(
        "{unit}: {n} wound.",
        "{unit}: {n} wounds.",
        unit=of(names, data, "wall"),
        n=data["wounds"],
    ),
    "dangerous": lambda names, data: say(
        "Dangerous ground: {unit} rolls {face}.", unit=of(names, data), face=data["faces"][0]
    ),
    "wall-corrected": lambda names, data: say("Corrected: {unit}.", unit=of(names, data, "wall")),
    "claimed": lambda names, data: say(
        "{unit} claims {zone}.", unit=of(names, data), zone=ZONE_WORDS[str(data["zone"])][0]
    ),
    "no-zone": lambda names, data: say(
        "No zone is free: {unit} stays off the board.", unit=of(names, data)
    ),
    "in-quadrant": lambda names, data: say(
        "{unit} strengthens the {quadrant} quadrant.",
        unit=of(names, data),
        quadrant=say(str(data["quadrant"])),
    ),
    "influence": lambda names, data: say(
        "{ncu} influences {unit}.", ncu=of(names, data, "ncu"), unit=of(names, data)
    ),
    "order": lambda names, data: say(
        "{unit}: order {order}.", unit=of(names, data), order=typed(names, data["order"])
    ),
    "ability": lambda names, data: say(
        "Used by {unit}: {name}.", unit=of(names, data), name=typed(names, data["name"])
    ),
    "drawn": lambda names, data: say(
        "{name} draws {n} card.",
        "{name} draws {n} cards.",
        name=of(names, data, "player"),
        n=data["count"],
    ),
    "played": played,
    "discarded": lambda names, data: say(
        "{name} discards {cards}.",
        name=of(names, data, "player"),
        cards=joined(typed(names, card) for card in data["cards"]),
    ),
    "returned": returned,
    "healed": lambda names, data: say(
        "{unit}: {n} wound healed.",
        "{unit}: {n} wounds healed.",
        unit=of(names, data),
        n=data["wounds"],
    ),
    "reopened": lambda names, data: say("Nobody has won yet: the game goes on."),
    "restored": lambda names, data: say("{unit}: not destroyed after all.", unit=of(names, data)),
    "attached": lambda names, data: say(
        "{name} joins {unit}.", name=typed(names, data["name"]), unit=of(names, data)
    ),
    "detached": lambda names, data: say(
        "{name} leaves {unit}.", name=typed(names, data["name"]), unit=of(names, data)
    ),
    "condition": condition,
    "condition-gone": condition_gone,
    "abilities": abilities,
    "effect": lambda names, data: say(
        "{unit}: {name} until the end of the {until}.",
        unit=of(names, data),
        name=typed(names, data["name"]),
        until=say(str(data["until"])),
    ),
}
