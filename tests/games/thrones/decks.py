"""A deck of invented cards whose numbers make the rules easy to see."""

from __future__ import annotations

from typing import Any

from tests.games.thrones.driver import CardGame


def character(code: str, name: str, strength: int, **more: Any) -> dict[str, Any]:
    """A character with all icons that costs what it is strong."""
    plain = {"cost": strength, "icons": "mip", **more}
    return {"code": code, "type": "character", "name": name, "strength": strength, **plain}


def other(code: str, kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"code": code, "type": kind, "name": name, **more}


def plot(code: str, name: str, *values: int) -> dict[str, Any]:
    gold, initiative, claim, reserve = values
    numbers = {"gold": gold, "initiative": initiative, "claim": claim, "reserve": reserve}
    return {"code": code, "type": "plot", "name": name, **numbers}


CARDS = [
    *(character(f"s{n}", f"Strength {n}", n) for n in range(10)),
    *(character(f"r{n}", f"Renown {n}", 3, keywords="renown") for n in (1, 2, 3)),
    *(character(f"i{n}", f"Intimidate {n}", 3, keywords="intimidate") for n in (1, 2)),
    character("in", "Insight", 2, keywords="insight"),
    character("pi", "Pillage", 2, keywords="pillage"),
    *(character(f"st{n}", f"Stealth {n}", 2, keywords="stealth") for n in (1, 2)),
    character("he", "Hero", 5, unique=True),
    character("he2", "Hero", 6, unique=True),
    character("ki", "King", 7, unique=True, keywords="renown"),
    character("na", "Alone", 1, keywords="no attachments"),
    character("mi", "Soldier", 2, icons="m"),
    other("sx", "character", "Unknown Strength", strength="X", cost=1, icons="mip"),
    other("ex", "event", "Costly Trick", cost="X"),
    *(other(f"l{n}", "location", f"Limited {n}", cost=1, keywords="limited") for n in (1, 2, 3)),
    other("ca", "location", "Castle", cost=2),
    other("ke", "location", "Keep", cost=4, unique=True),
    other("sw", "attachment", "Sword", cost=1),
    other("po", "attachment", "Poison", cost=0, keywords="terminal"),
    other("am", "attachment", "Hidden Sword", cost=2, keywords="ambush"),
    character("ab", "Hidden Men", 3, keywords="ambush"),
    other("ev", "event", "Trick", cost=1),
    other("el", "event", "Limited Trick", cost=0, keywords="limited"),
    other("da", "location", "No Price", cost="-"),
    plot("g1", "Plain Plot", 5, 4, 1, 6),
    plot("g2", "Second Plot", 5, 4, 1, 6),
    plot("g3", "Bloody Plot", 3, 6, 2, 5),
    plot("g4", "Quick Plot", 2, 9, 1, 4),
    plot("g5", "Slow Plot", 6, 0, 1, 7),
    plot("g6", "Rich Plot", 8, 1, 1, 3),
    plot("g7", "Weak Plot", 4, 5, 0, 5),
]
LINES = ["House Stark"]
LINES += [f"1x {one['name']}" for one in CARDS if one["type"] == "plot"]
LINES += [f"3x {one['name']}" for one in CARDS if one["type"] != "plot" and one["code"] != "he2"]
DECK = "\n".join(LINES)
EXPANSIONS = [
    character("sh", "Shade", 3, cost=4, keywords="shadow 2"),
    character("gl", "Ghost Lord", 5, unique=True, keywords="shadow 3"),
    character("ra", "Rammers", 4, cost=6, keywords="assault"),
    character("pr", "Hostage", 2, keywords="prized 1"),
    character("gi", "Giver", 2, keywords="bestow 2"),
    other("mn", "location", "Mine", cost=2, gold=1),
    other("wt", "location", "Watchtower", cost=1, initiative=1),
    other("sr", "location", "Storehouse", cost=1, reserve=1),
]
"""Cards with printed modifiers and with the keywords of the expansions."""


def game(players: int = 2, **asked: Any) -> CardGame:
    """A game with the invented deck for every seat, ready in step 1.2 of round 1."""
    decks = {f"p{n + 1}": DECK for n in range(players)}
    return CardGame(players, decks=decks, cards=CARDS, unchecked=True, **asked)


def wide_game(players: int = 2, **asked: Any) -> CardGame:
    """The same with the cards of the expansions in every deck."""
    deck = "\n".join([DECK, *(f"3x {one['name']}" for one in EXPANSIONS)])
    decks = {f"p{n + 1}": deck for n in range(players)}
    cards = [*CARDS, *EXPANSIONS]
    return CardGame(players, decks=decks, cards=cards, unchecked=True, **asked)


def challenges(players: int = 2, plot_name: str = "Plain Plot", **asked: Any) -> CardGame:
    """Such a game in AW4 of round 1, everybody with the same plot; p1 is first and active."""
    found = game(players, **asked)
    found.plots(**dict.fromkeys(found.state.seats, plot_name))
    return found.until("AW4")


def attack(found: CardGame, kind: str, attackers: list[str], **asked: Any) -> CardGame:
    """Initiate a challenge and go on to the declaration of defenders."""
    found.until("4.2")
    found.do("challenge", type=kind, attackers=attackers, **asked)
    return found.until("4.2.1")


def fight(
    found: CardGame, kind: str, attackers: list[str], defenders: list[str], **asked: Any
) -> CardGame:
    """The same, defended, until strength is compared."""
    attack(found, kind, attackers, **asked).do("defend", defenders=defenders)
    return found.until("4.2.2")
