"""Players of the card game for the soaks: they know their deck lists and the session's answers."""

from __future__ import annotations

import random

from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck import SAMPLES, DeckList
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.cards.titles import every_title
from tests.play.players import Command, State

NAMES = ("Anna", "Boris", "Clara", "Dirk", "Ewa", "Finn")
OWN_IDEAS = 0.25
"""How often they do something that no prompt lists: marshal, ambush, kneel, correct."""


def set_up(chance: random.Random) -> Command:
    """A joust or a melee with the sample decks."""
    seats = [f"p{n + 1}" for n in range(chance.choice((2, 2, 3, 4, 5, 6)))]
    return {
        "do": "set-up",
        "game": "thrones",
        "seats": [{"id": one, "name": NAMES[at]} for at, one in enumerate(seats)],
        "decks": {one: f"sample {SAMPLES[at % 2]}" for at, one in enumerate(seats)},
        "seed": chance.randrange(10**6),
    }


def sample_deck(seat: str) -> DeckList:
    name = f"sample {SAMPLES[(int(seat[1:]) - 1) % 2]}"
    return read_whole(name, card_catalogue({}), "").deck()


class CardPlayers:
    """All seats: what the prompts offer at random, secret choices from the own deck list."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.decks = {f"p{n}": sample_deck(f"p{n}") for n in range(1, 7)}

    def command(self, state: State) -> Command:
        chance, waiting = self.chance, state["pending"][0]
        seats = [one for one, seat in state["seats"].items() if not seat["eliminated"]]
        match waiting["commands"][0]:
            case "place":
                cards = self.names(waiting["side"], "character", "location", count=3)
                return {"do": "place", "seat": waiting["side"], "cards": cards}
            case "choose-plot":
                left = [one for one in seats if not state["seats"][one]["chose_plot"]]
                seat = chance.choice(left or seats)
                return {"do": "choose-plot", "seat": seat, "plot": self.plot(seat)}
            case "choose-title":
                return {"do": "choose-title", "title": chance.choice(list(every_title()))}
        if chance.random() < OWN_IDEAS:
            return self.idea(state, chance.choice(seats))
        offered = waiting.get("options") or ({"do": waiting["commands"][0]},)
        return dict(chance.choice(offered))

    def names(self, seat: str, *types: str, count: int = 1) -> list[str]:
        known = [card.name for card, _ in self.decks[seat].of_type(*types)]
        return self.chance.sample(known, self.chance.randint(1, count))

    def plot(self, seat: str) -> str:
        return self.chance.choice(self.decks[seat].plots).name

    def idea(self, state: State, seat: str) -> Command:
        """Something a player thinks of; it may be refused."""
        chance, cards = self.chance, list(state["cards"])
        card = chance.choice(cards) if cards else "c1"
        marshal: Command = {"do": "marshal", "seat": state["active_player"] or seat}
        ideas: tuple[Command, ...] = (
            {**marshal, "card": self.names(marshal["seat"], "character", "location")[0]},
            {**marshal, "card": self.names(marshal["seat"], "attachment")[0], "host": card},
            {"do": "put-into-play", "seat": seat, "card": self.names(seat, "character")[0]},
            {"do": "event", "seat": seat, "card": self.names(seat, "event")[0]},
            {"do": chance.choice(("kneel", "stand")), "cards": [card]},
            {"do": "leave", "cards": [card], "how": "discarded", "save": "none"},
            {"do": "power", "target": card, "change": chance.randint(-1, 2)},
            {"do": "modify", "target": card, "stat": "strength", "value": chance.randint(-2, 3)},
            {"do": "gold", "seat": seat, "change": chance.randint(-2, 3)},
        )
        return chance.choice(ideas)
