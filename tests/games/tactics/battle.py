"""A battle in a test: figures on a plain board, commands, refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.api.play import Accepted, Event, Refusal
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.state import FigureInPlay, SkirmishState, SquadInPlay
from models.message import CompanionError

SWORD = {"name": "Sword", "kind": "melee", "dice": 2, "hit": 6}
BOW = {"name": "Bow", "kind": "ranged", "dice": 2, "hit": 6}
BLOW = {
    "name": "Every Blow Costs",
    "kind": "melee",
    "dice": 1,
    "hit": 6,
    "extra_dice": [1, 1, 2, 3],
}


def card(name: str, **values: Any) -> dict[str, Any]:
    """A soldier's card, unless its cost says otherwise."""
    usual = {
        "id": name.lower().replace(" ", "-"),
        "name": name,
        "faction": "Test",
        "cost": [0, 0, 1],
        "will": 5,
        "defence": 6,
        "health": 2,
        "attacks": [SWORD],
    }
    return {**usual, **values}


HERO = card("Hero", cost=[1, 0, 0], health=4, defence=5)
FOE_HERO = card("Foe Hero", cost=[1, 0, 0], health=4, defence=5)
VETERAN = card("Veteran", cost=[0, 2, 0], health=3)
SOLDIER = card("Soldier")
ARCHER = card("Archer", attacks=[BOW])
FOOT = card("Rider", cost=[1, 0, 0], person="Rider")
RIDER = card(
    "Rider (mounted)", id="rider-mounted", cost=[1, 0, 0], size=2, foot="rider", person="Rider"
)

Placed = tuple[dict[str, Any], str]


class Skirmish:
    """Two squads; figures are b1, b2 … and r1, r2 …, heroes first."""

    def __init__(
        self,
        blue: list[Placed],
        red: list[Placed],
        begin: bool = True,
        size: tuple[int, int] = (9, 9),
        coins: tuple[int, int, int] = (3, 6, 18),
        rounds: int = 6,
        readings: tuple[str, ...] = (),
        tiles: tuple[dict[str, Any], ...] = (),
        ready: bool = True,
        paper: bool = False,
        equipment: dict[str, str] | None = None,
        **scenario: Any,
    ) -> None:
        cards = {one["id"]: one for one, _ in (*blue, *red, (FOOT, ""))}
        self.titles: list[str] = []
        self.answer: dict[str, Any] = {}
        rows = {"gold": 0, "silver": size[1] - 1}
        zones = {name: [f"{c},{row}" for c in range(size[0])] for name, row in rows.items()}
        plain = {
            "id": "test",
            "name": "Test",
            "rounds": rounds,
            "coins": list(coins),
            "size": list(size),
            "zones": zones,
            **scenario,
        }
        if tiles:
            plain["tiles"] = [
                {"tile": one["id"], "at": [7 * at, 0]} for at, one in enumerate(tiles)
            ]
        cells = {}
        squads = []
        for letter, side, placed in (("b", "blue", blue), ("r", "red", red)):
            figures = []
            for number, (one, cell) in enumerate(placed, 1):
                item = (equipment or {}).get(f"{letter}{number}")
                figures.append({"card": one["id"], **({"equipment": item} if item else {})})
                if cell:
                    cells[f"{letter}{number}"] = cell
            squads.append({"side": side, "player": side.title(), "figures": figures})
        command: dict[str, Any] = {
            "do": "set-up",
            "scenario": plain,
            "squads": squads,
            "cards": list(cards.values()),
            "readings": list(readings),
            "unchecked": True,
            "seed": 7,
            **({"ready": True, "cells": cells} if ready else {}),
            **({"tiles": list(tiles)} if tiles else {}),
            **({"paper": True} if paper else {}),
        }
        setup = PLAY.prepare("tactics", command)
        assert not isinstance(setup, Refusal), setup
        self.state: SkirmishState = PLAY.start("tactics", setup)
        self.events: list[Event] = []
        if ready and begin:
            self.do("begin")

    def decide(self, word: str, fields: dict[str, Any]) -> Accepted | Refusal:
        return PLAY.decide(self.state, {"do": word, **fields})

    def do(self, word: str, **fields: Any) -> Skirmish:
        """A command that is accepted."""
        found = self.decide(word, fields)
        assert isinstance(found, Accepted), (word, fields, found)
        self.titles, self.answer, self.events = [], dict(found.answer), list(found.events)
        for event in found.events:
            self.state = PLAY.apply(self.state, event)
            if title := PLAY.title(event):
                self.titles.append(title)
        assert self.state == found.after
        return self

    def refused(self, word: str, **fields: Any) -> str:
        """The rule by which a command is refused; nothing changes."""
        try:
            found = self.decide(word, fields)
        except CompanionError as error:
            return str(error)
        assert isinstance(found, Refusal), (word, fields)
        assert found.say
        return found.why

    def figure(self, name: str) -> FigureInPlay:
        return self.state.figure(name)

    def squad(self, side: str = "blue") -> SquadInPlay:
        return self.state.squad(side)

    def vp(self, side: str = "blue") -> int:
        return self.squad(side).vp

    def coins(self, side: str = "blue") -> list[int]:
        return self.squad(side).coins.to_json()

    def waits(self) -> str:
        asked = PLAY.pending(self.state)
        return asked[0].what if asked else ""

    def commands(self, side: str | None = None) -> list[dict[str, Any]]:
        return [one for each in PLAY.options(self.state, side) for one in each.get("options", ())]

    def attack(
        self,
        faces: list[int],
        defence: list[int] | None = None,
        target: str = "r1",
        **fields: Any,
    ) -> Skirmish:
        """An attack by the acting figure with these dice."""
        self.do("attack", target=target, **fields).do("roll", faces=faces)
        if self.waits() == "defend":
            self.do("defend")
        if defence is not None:
            self.do("roll", faces=defence)
        return self


def with_agenda(game: Skirmish, side: str, card_name: str) -> Skirmish:
    """The same battle with that agenda kept."""
    squad = replace(game.squad(side), agenda=(card_name,))
    game.state = game.state.with_squad(squad)
    return game
