"""What card text does and no step asks for: forms on cards, and numbers changed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Entry, PromptForm
from companion.games.thrones.cards.card import CHALLENGES, KEYWORDS
from companion.games.thrones.play.commands.card_commands import SOURCES
from companion.games.thrones.play.commands.count_commands import DURATIONS, SET_BY_PLAYERS
from companion.games.thrones.play.commands.effect_commands import PERIODS, WAYS
from companion.games.thrones.play.events.card_events import LEAVING, PILE_WORDS, PILES
from companion.games.thrones.play.numbers import CARD_STATS, SEAT_STATS
from companion.games.thrones.play.prompts.challenge_prompts import DECLARE
from companion.games.thrones.play.prompts.effect_prompts import gives_form
from companion.games.thrones.play.state import FACTION_CARD, CardInPlay, HouseInPlay, ThronesState
from companion.games.thrones.rules.card_places import EDGES, FARTHEST_ROW_IN, ROW_LINE_IN
from models.message import say

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


TURN_WORDS = {"knelt": say("knelt"), "stood": say("stood")}
WAY_WORDS = tuple((one, TURN_WORDS.get(one) or LEAVING[one]) for one in WAYS)
EDGE_WORDS = {
    "south": say("first edge"),
    "west": say("left of it"),
    "north": say("opposite"),
    "east": say("right of it"),
}
NAME = Entry("card", say("Name of the card"), "text")
COUNT = Entry("count", say("How many"), "number", least=1, most=20, value=1)
WHAT = Entry("what", say("What happens"), "text")
HIDDEN = Entry("from", say("Where from"), options=(("hand", PILE_WORDS["hand"]),
               ("deck", PILE_WORDS["deck"])), value="hand")  # fmt: skip
ONTO = Entry("host", say("Attached to"), "piece")
MOVED = Entry("cards", say("Name of the card"), "text", required=False)
TO = Entry("target", say("Where to"), "piece")
PERIOD_WORDS = tuple((one, UNTIL_WORDS[one]) for one in PERIODS)
PERIOD = Entry("until", say("At the end of"), options=PERIOD_WORDS, value="phase")
KIND = Entry("type", say("Challenge"), options=tuple((one, DECLARE[one]) for one in CHALLENGES),
             value=CHALLENGES[0])  # fmt: skip
HOW = Entry("how", say("What happens to the chosen cards"), options=WAY_WORDS, required=False)
USES = (
    Entry("times", say("How often it may be used"), "number", least=1, most=9, value=1),
    Entry("period", say("In each"), options=PERIOD_WORDS, value="round"),
)
SEAT_PLACE = (
    Entry("edge", say("Edge of the table"), options=tuple((one, EDGE_WORDS[one]) for one in EDGES)),
    Entry("line", say("The front row begins so many inches from it"), "number", least=1,
          most=int(FARTHEST_ROW_IN), value=int(ROW_LINE_IN)),
)  # fmt: skip
PUT_A_CARD_INTO_PLAY = say("Put a card into play")
PUT_AN_ATTACHMENT_INTO_PLAY = say("Put an attachment into play")
PUT_A_CARD_FACE_DOWN_INTO_PLAY = say("Put a card face down into play")
MOVE_CARDS_BETWEEN_PILES = say("Move cards between piles")
REVEAL_A_PLOT = say("Reveal a plot")
MOVE_POWER = say("Move power")
ONE_MORE_CHALLENGE = say("One more challenge")
INTERRUPTS_AND_REACTIONS = say("Interrupts and reactions")
EVERYBODY_DECIDES = say("Everybody decides")
A_DELAYED_EFFECT = say("A delayed effect")
ANOTHER_TITLE_OR_NONE = say("Another title, or none")
SITS_ELSEWHERE_FOR_THE_CAMERA = say("Sits elsewhere, for the camera")
COUNT_A_USE_OF_ITS_ABILITY = say("Count a use of its ability")
AN_EFFECT_ENDS = say("An effect ends")
PLAYERS = say("Players")
GAIN = Entry("change", say("How many"), "number", least=1, most=15, value=1)
PLOT = Entry("plot", say("Name of the plot"), "text")


def form(text: str, command: Plain, *entries: Entry) -> PromptForm:
    return PromptForm(text, command, entries, opens=True)


def piles_of(house: HouseInPlay, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The piles of a player in words; only an agenda has cards under it."""
    there = (one for one in names if one != "under" or house.deck.agendas)
    return tuple((one, PILE_WORDS[one]) for one in there)


def pile_forms(house: HouseInPlay) -> Iterator[PromptForm]:
    """Cards of a player that go into play, or from one pile to another."""
    seat, piles = {"seat": house.id}, piles_of(house, PILES)
    put, move = {"do": "put-into-play", **seat}, {"do": "move", **seat}
    source = Entry("from", say("Where from"), options=piles_of(house, SOURCES), value="hand")
    yield form(PUT_A_CARD_INTO_PLAY, put, NAME, source)
    yield form(PUT_AN_ATTACHMENT_INTO_PLAY, put, NAME, source, ONTO)
    yield form(PUT_A_CARD_FACE_DOWN_INTO_PLAY, {"do": "put-face-down", **seat}, HIDDEN)
    source = Entry("from", say("Where from"), options=piles, value="discard")
    target = Entry("to", say("Where to"), options=piles, value="hand")
    yield form(MOVE_CARDS_BETWEEN_PILES, move, source, target, MOVED, COUNT)


def house_texts(state: ThronesState, house: HouseInPlay) -> Iterator[PromptForm]:
    """What card text does for a player or for all."""
    seat = {"seat": house.id}
    yield from pile_forms(house)
    if "" in house.discard:
        yield form(say("Name a discarded card"), {"do": "name-discarded", **seat}, NAME)
    yield form(REVEAL_A_PLOT, {"do": "reveal-plot", **seat}, PLOT)
    if house.power:
        source = {"do": "move-power", "source": FACTION_CARD + house.id}
        yield form(MOVE_POWER, source, TO, COUNT)
    players = tuple((FACTION_CARD + one, state.house(one).name) for one in state.living)
    several = Entry("targets", PLAYERS, "several", players, least=1)
    yield form(say("Several gain power at once"), {"do": "simultaneous-power"}, several, GAIN, WHY)
    if state.phase == "challenges" and state.active == house.id:
        yield form(ONE_MORE_CHALLENGE, {"do": "extra-challenge"}, KIND, WHY)
    yield form(INTERRUPTS_AND_REACTIONS, {"do": "trigger"}, WHAT)
    yield form(EVERYBODY_DECIDES, {"do": "each-chooses"}, WHAT, HOW)
    yield form(A_DELAYED_EFFECT, {"do": "delay"}, WHAT, PERIOD)
    if state.melee and not state.titles_off:
        free = tuple((one, state.title(one).name) for one in state.pool)
        held = Entry("title", say("Title"), options=free, required=False)
        yield form(ANOTHER_TITLE_OR_NONE, {"do": "give-title", **seat}, held)
    yield from ended_modifiers(state, house.id)
    yield form(SITS_ELSEWHERE_FOR_THE_CAMERA, {"do": "sit", **seat}, *SEAT_PLACE)


def house_choices(state: ThronesState, house: HouseInPlay) -> Iterator[Choice]:
    """What card text does without further questions."""
    if house.id != state.first:
        command = {"do": "set-first-player", "seat": house.id}
        yield Choice(say("{player} becomes first player", player=house.name), (command,))
    if state.uses_titles:
        yield Choice(say("Go on without titles"), ({"do": "titles-off"},))


def card_texts(state: ThronesState, card: CardInPlay) -> Iterator[PromptForm]:
    """What card text does with a card in play."""
    if card.power:
        yield form(MOVE_POWER, {"do": "move-power", "source": card.id}, TO, COUNT)
    used = {"do": "use", "seat": card.controller, "card": card.id}
    if card.type == "attachment" and not card.host.startswith(FACTION_CARD):
        yield gives_form(state, card)
    yield form(COUNT_A_USE_OF_ITS_ABILITY, used, *USES)
    yield from ended_modifiers(state, card.id)


def ended_modifiers(state: ThronesState, target: str) -> Iterator[PromptForm]:
    """The modifiers of a card or player, of which one ends."""
    found = tuple(
        (one.id, say("{value:+d} {why}", value=one.value, why=one.why))
        for one in state.modifiers
        if one.target == target
    )
    if found:
        which = Entry("modifier", say("Which one"), options=found)
        yield form(AN_EFFECT_ENDS, {"do": "unmodify"}, which)
