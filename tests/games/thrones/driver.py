"""A game driven by commands, with every event folded again and every invariant checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from companion.games.api.play import Accepted, Event, Refusal
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.numbers import strength
from companion.games.thrones.play.state import CardInPlay, ThronesState, total_power

STARK, LANNISTER = "sample stark", "sample lannister"
SEATS = ("p1", "p2", "p3", "p4", "p5", "p6")
NAMES = ("Anna", "Boris", "Clara", "Dirk", "Ewa", "Finn")
LAST_ROUND_STEPS = 400


class Refused(Exception):
    """A command was refused: its rule number and its sentence."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.why}: {refusal.say}")
        self.why, self.say, self.asks = refusal.why, refusal.say, refusal.asks


@lru_cache(maxsize=64)
def started(command: str) -> tuple[Any, ThronesState]:
    """The set-up of a command and the state it begins with; states never change, so it is kept."""
    found = PLAY.prepare("thrones", json.loads(command))
    if isinstance(found, Refusal):
        raise Refused(found)
    setup = json.loads(json.dumps(found))
    return setup, PLAY.start("thrones", setup)


class CardGame:
    """A game in memory; `ready` begins with round 1."""

    def __init__(
        self,
        players: int = 2,
        ready: bool = True,
        decks: Mapping[str, str] | None = None,
        **asked: Any,
    ) -> None:
        ids = SEATS[:players]
        texts = dict(decks or {})
        for at, seat in enumerate(ids):
            texts.setdefault(seat, (STARK, LANNISTER)[at % 2])
        seats = [{"id": one, "name": name} for one, name in zip(ids, NAMES, strict=False)]
        command = {"do": "set-up", "seats": seats, "decks": texts, "first": "p1", "seed": 1}
        command |= {"ready": ready, **asked}
        self.setup, self.state = started(json.dumps(command))
        self.events: list[Event] = []
        self.log: list[Event] = []
        self.titles: list[str] = []
        self.answer: Mapping[str, Any] = {}
        self.overridden = False

    # -- commands ----------------------------------------------------------------------------

    def do(self, word: str, **asked: Any) -> CardGame:
        """Give a command that must be accepted."""
        before = self.state
        decision = PLAY.decide(before, {"do": word, **asked})
        if isinstance(decision, Refusal):
            raise Refused(decision)
        assert isinstance(decision, Accepted)
        assert before == self.state, "deciding changes nothing"
        self.events = [
            Event(one.type, json.loads(json.dumps(one.data)), one.version)
            for one in decision.events
        ]
        for event in self.events:
            self.state = PLAY.apply(self.state, event)
        assert self.state == decision.after
        self.log += self.events
        self.overridden = self.overridden or word == "set"
        self.titles = [text for one in self.events if (text := PLAY.title(one))]
        self.answer = decision.answer
        self.check()
        return self

    def refused(self, word: str, **asked: Any) -> str:
        """The rule number with which a command is refused."""
        decision = PLAY.decide(self.state, {"do": word, **asked})
        assert isinstance(decision, Refusal), f"{word} {asked} was accepted"
        assert decision.say
        return decision.why

    def check(self) -> None:
        """What is always true: no number is negative, and no card is lost."""
        for house in self.state.houses:
            assert min(house.hand, house.draw_deck, house.gold, house.power) >= 0, house
            plots = len(house.plots) + len(house.used) + bool(house.revealed)
            assert plots == len(house.deck.plots)
            if house.eliminated or self.state.titles_off:
                continue
            mine = [one for one in self.state.cards if one.owner == house.id]
            cards = len(mine) + sum(len(one.duplicates) for one in mine)
            piles = len(house.discard) + len(house.dead) + len(house.removed)
            placed = len(house.placed or ()) + len(house.shadows) + len(house.under)
            total = house.hand + house.draw_deck + cards + piles + placed
            assert self.overridden or total == house.deck.size, house.name

    # -- shortcuts ---------------------------------------------------------------------------

    def pass_all(self) -> CardGame:
        return self.do("pass", all=True)

    def plots(self, **chosen: str) -> CardGame:
        """Choose plots by seat (the first left without a name), then the rest of 1.3."""
        for seat in self.state.order:
            house = self.state.house(seat)
            self.do("choose-plot", seat=seat, plot=chosen.get(seat) or house.plots[0])
        if self.state.step == "1.3.I":
            self.do("toss", seat=self.state.leaders[0])
        self.do("first-player", seat=self.state.first)
        return self.do("continue") if self.state.step == "1.3.III" else self

    def until(self, step: str) -> CardGame:
        """Go on without acting until a step or window is reached."""
        for _ in range(LAST_ROUND_STEPS):
            if self.state.step == step or self.state.winner:
                return self
            self.idle()
        raise AssertionError(f"{step} is never reached, stays at {self.state.step}")

    def idle(self) -> CardGame:
        """The least that the current step asks for."""
        state = self.state
        if state.window is not None:
            return self.pass_all()
        match state.step:
            case "SETUP-7":
                return self.do("mulligan", take=False)
            case "SETUP-8":
                return self.do("place", cards=[])
            case "1.2":
                return self.plots()
            case "1.4":
                return self.do("choose-title", title=self.titles_left()[0])
            case "4.2":
                return self.do("no-challenge")
            case "7.3":
                return self.do("reserve")
        (prompt, *_) = PLAY.options(state)
        return self.do(**as_words(prompt["options"][0]))

    def titles_left(self) -> list[str]:
        taken = {one.taken for one in self.state.houses}
        known = [one.id for one in self.state.titles]
        return [one for one in known if one not in taken and one not in self.state.aside]

    def put(self, seat: str, name: str, **asked: Any) -> str:
        """Put a card into play by card text; its id."""
        before = {one.id for one in self.state.cards}
        self.do("put-into-play", seat=seat, card=name, **asked)
        return next((one.id for one in self.state.cards if one.id not in before), "")

    def set(self, target: str, what: str, value: int) -> CardGame:
        return self.do("set", target=target, what=what, value=value, why="test")

    # -- views -------------------------------------------------------------------------------

    def house(self, seat: str) -> Any:
        return self.state.house(seat)

    def card(self, card: str) -> CardInPlay:
        return self.state.card(card)

    def strength(self, card: str) -> int:
        return strength(self.state, self.card(card))

    def power(self, seat: str) -> int:
        return total_power(self.state, seat)

    def view_cards(self) -> list[str]:
        return [one.id for one in self.state.cards]


def as_words(command: Mapping[str, Any]) -> dict[str, Any]:
    """A command as arguments of `do`."""
    return {"word": command["do"], **{k: v for k, v in command.items() if k != "do"}}


def copy_of(game: CardGame) -> ThronesState:
    """The state folded again from the set-up and the whole log."""
    state = PLAY.start("thrones", game.setup)
    for event in game.log:
        state = PLAY.apply(state, event)
    return state
