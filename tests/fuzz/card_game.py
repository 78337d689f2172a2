"""Commands of the card game: plausible, wrong and absurd ones, in games of two to six players."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from companion.games.api.play import Refusal
from companion.games.thrones.play import PLAY
from companion.games.thrones.screen import SCREEN
from models import CompanionError
from tests.fuzz.driver import Fuzzer, one_line
from tests.fuzz.mutate import nasty
from tests.games.thrones.decks import CARDS, game
from tests.games.thrones.driver import CardGame, Refused, copy_of

Plan = tuple[int, bool, int]
LENGTH = 40
NAMES = [str(one["name"]) for one in CARDS if one["type"] != "plot"]
PLOTS = [str(one["name"]) for one in CARDS if one["type"] == "plot"]
HELP = [one for one in PLAY.help("thrones") if one.name != "set-up"]


def make(dice: random.Random, folder: Path) -> Plan:
    """How many play, whether set-up is done, and the seed of the commands."""
    return dice.randint(2, 6), dice.random() < 0.7, dice.randrange(10**9)


class Inventor:
    """Makes commands up from what `help` lists and from the cards in play."""

    def __init__(self, found: CardGame, dice: random.Random) -> None:
        self.found, self.dice = found, dice

    def command(self) -> dict[str, Any]:
        """A command with fields that may fit; sometimes absurd."""
        dice = self.dice
        awaited = self.awaited()
        here = [one for one in HELP if one.name in awaited]
        rule = dice.choice(here if here and dice.random() < 0.5 else HELP)
        command: dict[str, Any] = {"do": rule.name}
        for one in rule.fields:
            if dice.random() < (0.97 if one.required else 0.35):
                options = one.options
                fitting = dice.choice(options) if options else self.value(one.name, one.kind)
                command[one.name] = nasty(dice) if dice.random() < 0.02 else fitting
        return command

    def awaited(self) -> set[str]:
        """The commands that the game waits for."""
        return {word for one in PLAY.pending(self.found.state) for word in one.commands}

    def card(self) -> str:
        cards = self.found.view_cards()
        return self.dice.choice(cards) if cards and self.dice.random() < 0.95 else "c99"

    def value(self, name: str, kind: str) -> Any:
        """A value for a field of that kind."""
        dice, seat = self.dice, self.dice.choice(self.found.state.seats)
        if kind == "side":
            return seat
        if kind == "number":
            return dice.choice((-3, -1, 0, 1, 1, 2, 3, 15))
        if kind == "flag":
            return dice.random() < 0.5
        if kind == "object":
            word = dice.choice((self.card(), "duplicate", "none", "ability"))
            return {self.card(): word}
        if kind == "list":
            several = [self.card() for _ in range(dice.randint(0, 3))]
            return several if dice.random() < 0.8 else [dice.choice(NAMES), f"faction:{seat}"]
        if kind == "text":
            return dice.choice(("a trick", "poison", "x"))
        if name == "plot":
            return dice.choice(PLOTS)
        if name == "title":
            return dice.choice([one.id for one in self.found.state.titles])
        if name == "keyword":
            return dice.choice(("insight", "intimidate", "pillage", "renown"))
        return dice.choice((self.card(), self.card(), dice.choice(NAMES), f"faction:{seat}", seat))


def prepared(players: int, ready: bool, dice: random.Random) -> CardGame:
    """A game with cards in play, if it has begun."""
    found = game(players, ready=ready)
    if ready:
        for seat in found.state.seats:
            found.do("gold", seat=seat, change=9)
            host = found.put(seat, "Hero")
            found.do("put-into-play", seat=seat, card="Hero")
            found.put(seat, "Sword", host=host)
            for name in dice.sample([one for one in NAMES if one[-1].isdigit()], 3):
                found.put(seat, name)
    return found


def check(plan: Plan, folder: Path) -> str:
    """Every command is accepted or refused in one line; the log folds to the same state."""
    players, ready, seed = plan
    dice = random.Random(seed)
    found = prepared(players, ready, dice)
    inventor = Inventor(found, dice)
    for _ in range(LENGTH):
        asked = inventor.command() if dice.random() < 0.65 else offered(found, dice)
        if asked is None:
            break
        try:
            found.do(asked["do"], **{str(k): v for k, v in asked.items() if k != "do"})
        except Refused as refused:
            one_line(refused.say)
        except CompanionError as error:
            one_line(str(error))
    for seat in (None, dice.choice(found.state.seats)):
        SCREEN.prompts(found.state, seat)
        SCREEN.pages(found.state, seat)
        PLAY.view(found.state, seat)
    for card in found.state.cards[:1]:
        SCREEN.offers(found.state, None, card.id)
    assert copy_of(found) == found.state
    return "won" if found.state.winner else "played"


def offered(found: CardGame, dice: random.Random) -> dict[str, Any] | None:
    """One of the commands that the game offers now; each must be accepted."""
    seat = dice.choice(SCREEN.active(found.state) or found.state.seats)
    every = [one for asked in PLAY.options(found.state, seat) for one in asked["options"]]
    if not every:
        assert found.state.winner or found.state.window is None, found.state.step
        return {"do": "draw", "seat": seat} if not found.state.winner else None
    chosen = dict(dice.choice(every))
    assert not isinstance(PLAY.decide(found.state, chosen), Refusal), chosen
    return chosen


FUZZER = Fuzzer("card_game", make, check)
