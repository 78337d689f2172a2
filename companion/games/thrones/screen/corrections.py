"""Numbers that players change by hand, with a reason: card text beats the rules (AGOT-GEN-2)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.prompt import Entry, PromptForm
from companion.games.thrones.cards.card import CHALLENGES, KEYWORDS
from companion.games.thrones.play.commands.count_commands import DURATIONS, SET_BY_PLAYERS
from companion.games.thrones.play.numbers import CARD_STATS, SEAT_STATS
from companion.games.thrones.play.state import CardInPlay, HouseInPlay, ThronesState
from models.lazy_message import say

NUMBER_WORDS = {
    "gold": say("gold"),
    "power": say("power on the faction card"),
    "hand": say("cards in hand"),
    "deck": say("cards in the deck"),
    "discard": say("cards in the discard pile"),
    "dead": say("cards in the dead pile"),
    "removed": say("cards out of the game"),
}
STAT_WORDS = {
    "gold": say("gold of the plot"),
    "initiative": say("initiative"),
    "claim": say("claim"),
    "reserve": say("reserve"),
    "cost": say("cost of the next cards"),
    "challenge": say("strength in the challenge"),
    "dominance": say("dominance"),
    "draw": say("cards to draw"),
    "limited": say("limited cards in a round"),
    "set-up": say("gold of set-up cards"),
    "strength": say("strength"),
    "blank": say("text box is blank"),
    **{
        f"icon-{kind}": say("{kind} icon", kind=words)
        for kind, words in zip(
            CHALLENGES, (say("military"), say("intrigue"), say("power")), strict=True
        )
    },
    **{
        f"keyword-{one.replace(' ', '-')}": say("keyword {keyword}", keyword=say(one))
        for one in KEYWORDS
    },
}
OPERATION_WORDS = (
    ("add", say("add")),
    ("set", say("set to")),
    ("multiply", say("times")),
    ("divide", say("divided by")),
)
UNTIL_WORDS = {
    "challenge": say("challenge"),
    "phase": say("phase"),
    "round": say("round"),
    "game": say("the whole game"),
}
WHY = Entry("why", say("Reason"), "text")


def modify_entries(stats: tuple[str, ...]) -> tuple[Entry, ...]:
    """What a card's text changes, by how much and for how long."""
    return (
        Entry("stat", say("Value"), options=tuple((one, STAT_WORDS[one]) for one in stats)),
        Entry("operation", say("How"), options=OPERATION_WORDS, value="add"),
        Entry("value", say("By how much"), "number", least=-20, most=20, value=1),
        Entry(
            "until",
            say("Until the end of"),
            options=tuple((one, UNTIL_WORDS[one]) for one in DURATIONS),
            value="phase",
        ),
        WHY,
    )


CHANGE = say("Card text changes a value")
TOKEN_ENTRIES = (
    Entry("token", say("Which token"), "text"),
    Entry("change", say("How many more or less"), "number", least=-9, most=9, value=1),
    Entry("why", say("Reason"), "text", required=False),
)
CARD_ENTRIES, SEAT_ENTRIES = modify_entries(CARD_STATS), modify_entries(SEAT_STATS)


def card_forms(card: CardInPlay) -> Iterator[PromptForm]:
    """What players may change of a card in play."""
    command = {"do": "set", "target": card.id, "what": "power"}
    value = Entry("value", say("Power on the card"), "number", most=99, value=card.power)
    yield PromptForm(say("Set the power"), command, (value, WHY))
    if card.facts.unique:
        command = {"do": "set", "target": card.id, "what": "duplicates"}
        now = len(card.duplicates)
        value = Entry("value", say("Duplicates under the card"), "number", most=9, value=now)
        yield PromptForm(say("Set the duplicates"), command, (value, WHY))
    yield PromptForm(CHANGE, {"do": "modify", "target": card.id}, CARD_ENTRIES)
    yield PromptForm(say("Tokens"), {"do": "tokens", "card": card.id}, TOKEN_ENTRIES)


def house_forms(house: HouseInPlay) -> Iterator[PromptForm]:
    """What players may change of a player's numbers."""
    now = {
        "gold": house.gold,
        "power": house.power,
        "hand": house.hand,
        "deck": house.draw_deck,
        "discard": len(house.discard),
        "dead": len(house.dead),
        "removed": len(house.removed),
    }
    for what in SET_BY_PLAYERS:
        command = {"do": "set", "target": house.id, "what": what}
        value = Entry("value", NUMBER_WORDS[what], "number", most=999, value=now[what])
        yield PromptForm(say("Set: {what}", what=NUMBER_WORDS[what]), command, (value, WHY))
    if house.used:
        used = tuple((code, house.card(code).name) for code in dict.fromkeys(house.used))
        command = {"do": "move-plot", "seat": house.id, "to": "deck"}
        entries = (Entry("plot", say("Used plots"), options=used), WHY)
        yield PromptForm(say("Return a plot to the plot deck"), command, entries)
    yield PromptForm(CHANGE, {"do": "modify", "target": house.id}, SEAT_ENTRIES)


def may_correct(state: ThronesState) -> bool:
    """Whether numbers may be changed: not after the game."""
    return not state.winner
