"""The set-up of a game: validated, self-contained, and the state that it begins with."""

from __future__ import annotations

import random
from typing import Any

from companion.games.api.new_game import SeatRange, plain_seat
from companion.games.api.play import Command, Plain, Refusal
from companion.games.shared.commands import ask, no
from companion.games.shared.own_files import refuse_broken
from companion.games.thrones.cards.card import TYPES, CardFacts
from companion.games.thrones.cards.catalogue import CardCatalogue, broken_cards, card_catalogue
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.cards.deck_draft import DeckDraft
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.cards.deck_rules import DeckRules, deck_problems
from companion.games.thrones.cards.restricted import listed_cards, restricted_lists
from companion.games.thrones.cards.titles import MeleeTitle, every_title
from companion.games.thrones.play.dealt_cards import first_deal
from companion.games.thrones.play.state import HAND, JOUST, HouseInPlay, ThronesState
from companion.games.thrones.rules.readings import ThronesReadings
from models.field import Field
from models.message import CompanionError, joined, say

SEATS = SeatRange(2, 6, ("p1", "p2", "p3", "p4", "p5", "p6"))
SETUP_KEYS = frozenset(
    ("do", "game", "seats", "decks", "cards", "first", "allowed", "unchecked", "ready", "readings",
     "seed", "guided", "list", "sets", "dealt")
)  # fmt: skip

SETUP = Command(
    "set-up",
    say("the players and their decks: two for a joust, three to six for melee"),
    (
        ask("decks", "object", say("each seat's deck list as text, under its id"), True),
        ask("seats", "list", say("the players in seating order, clockwise")),
        ask("first", "side", say("the first player; without it chance decides")),
        ask("cards", "list", say("the players' own cards: code, type and numbers")),
        ask("allowed", "list", say("seats whose decks the table allows, whatever they break")),
        ask(
            "list",
            "word",
            say("the restricted list that the decks keep"),
            options=tuple(restricted_lists()),
        ),
        ask("sets", "list", say("kinds of sets that are played besides: draft, variant")),
        ask("unchecked", "flag", say("do not check the decks")),
        ask("dealt", "list", say("seats whose decks the app shuffles, because it plays them")),
        ask("ready", "flag", say("the set-up is done at the table: begin with round 1")),
        ask("readings", "list", say("open readings the players settled: name=value")),
        ask("seed", "number", say("the seed of what chance decides")),
        ask("guided", "flag", say("explain the steps of the first round")),
    ),
)


def prepare(game: str, command: Plain) -> Plain | Refusal:
    """The set-up that a command asks for, with every number it needs (AGOT-SET-1)."""
    field = Field(dict(command), "set-up")
    raw = field.keys(SETUP_KEYS, {"decks"})
    if refusal := wrong_number(raw.get("seats")):
        return refusal
    seats = SEATS.read(field)
    if len({one.name.strip().casefold() for one in seats}) < len(seats):
        return no("INPUT", "two players have the same name")
    ids = [one.id for one in seats]
    own = own_cards(field)
    cards = card_catalogue(own)
    texts = [item.text(80) for item in field.listed("readings", 60)]
    readings = ThronesReadings.parse(texts)
    allowed = {item.choice(ids) for item in field.listed("allowed", 6)}
    unchecked = field.member("unchecked").flag() if "unchecked" in raw else False
    rules = deck_rules(field, len(ids))
    decks = field.member("decks")
    decks.keys(set(ids), set(ids))
    found: dict[str, Any] = {}
    waived: dict[str, list[str]] = {}
    for seat in seats:
        draft = seat_deck(decks.member(seat.id), cards)
        deck = draft.deck()
        refuse_broken(broken_cards(), draft.counts.keys() - own.keys())
        problems = [] if unchecked else list(deck_problems(deck, rules))
        if problems and (draft.allowed or seat.id in allowed):
            waived[seat.id] = [joined([one.why, one.say], ": ") for one in problems]
            problems = []
        if not deck.plots:
            problems.insert(0, no("AGOT-DECK-3", "the deck has no plots"))
        if problems:
            one = problems[0]
            text = say("{player}: {problem}", player=seat.name, problem=one.say)
            return Refusal(one.why, text, one.asks)
        found[seat.id] = deck.to_json()
    seed = field.member("seed").whole(0, 2**53) if "seed" in raw else 0
    first = field.member("first").choice(ids) if "first" in raw else random_first(ids, seed)
    guided = field.member("guided").flag() if "guided" in raw else False
    dealt = [item.choice(ids) for item in field.listed("dealt", 6)]
    return {
        **({"dealt": dealt} if dealt else {}),
        **({"guided": True} if guided else {}),
        **({"allowed": waived} if waived else {}),
        **({"list": rules.list} if rules.list else {}),
        "seats": [plain_seat(one) for one in seats],
        "decks": found,
        "first": first,
        "titles": {one.id: plain_title(one) for one in every_title().values()},
        "ready": field.member("ready").flag() if "ready" in raw else False,
        "readings": readings.texts(),
        "seed": seed,
    }


def wrong_number(seats: Any) -> Refusal | None:
    """Two players joust, three or more play melee (AGOT-SET-1); six titles are for six."""
    if not isinstance(seats, list) or SEATS.least <= len(seats) <= SEATS.most:
        return None
    return no("AGOT-SET-1", "a joust is for 2 players, melee for 3 to 6; {n} are named",
              n=len(seats))  # fmt: skip


def random_first(ids: list[str], seed: int) -> str:
    """A random player becomes first player (AGOT-SET-2, AGOT-ORD-1)."""
    return random.Random(f"first/{seed}").choice(ids)


def own_cards(field: Field) -> dict[str, CardFacts]:
    """The players' own cards that come with the command."""
    found: dict[str, CardFacts] = {}
    for item in field.listed("cards", 200):
        item.keys(set(item.raw) if isinstance(item.raw, dict) else (), {"code", "type"})
        code = item.member("code").text(40)
        kind = item.member("type").choice(TYPES)
        rest = {key: value for key, value in item.raw.items() if key not in ("code", "type")}
        found[code] = CardFacts.read(code, kind, Field(rest, item.source, item.place))
    return found


def deck_rules(field: Field, players: int) -> DeckRules:
    """The deck rules that the players agreed on."""
    sets = tuple(item.choice(("draft", "variant")) for item in field.listed("sets", 2))
    usual = "melee" if players > JOUST else "joust"
    kept = field.member("list").text(40) if field.raw.get("list") else ""
    if kept:
        listed_cards(kept)  # refuses a list that nobody issued
    return DeckRules("draft" if "draft" in sets else usual, kept, sets)


def seat_deck(item: Field, cards: CardCatalogue) -> DeckDraft:
    """The deck of one seat: a list as text in any format."""
    if not isinstance(item.raw, str):
        item.fail(say("is not a text"))
    try:
        return read_whole(item.raw, cards, "")
    except CompanionError as error:
        item.fail(str(error))


def plain_title(title: MeleeTitle) -> dict[str, Any]:
    """A title as a JSON object, as `MeleeTitle.read` takes it."""
    names = ("supports", "rivals", "challenge", "strength", "dominance", "gold", "reserve", "draw",
             "redirect", "extra_challenge", "rival_claim", "wide_claim")  # fmt: skip
    found = {name: getattr(title, name) for name in names}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if value
    }


def start(game: str, setup: Plain) -> ThronesState:
    """The state before the first event: decks shuffled, 7 cards drawn (AGOT-SET-6, AGOT-SET-7)."""
    ready = bool(setup.get("ready"))
    houses = []
    for seat in SEATS.read(Field(dict(setup))):
        deck = DeckList.read(Field(dict(setup["decks"][seat.id])))
        hand = min(HAND, deck.size)
        kept = seat.id in setup.get("dealt", ())
        houses.append(
            HouseInPlay(
                seat.id,
                seat.name,
                seat.colour,
                deck.faction,
                deck,
                seat.mark,
                hand,
                deck.size - hand,
                plots=tuple(card.code for card in deck.plots),
                mulligan=False if ready else None,
                placed=() if ready else None,
                allowed=tuple(setup.get("allowed", {}).get(seat.id, ())),
                dealt=first_deal(deck, f"deal/{setup['seed']}/{seat.id}") if kept else (),
            )
        )
    titles = tuple(MeleeTitle.read(one, Field(dict(raw))) for one, raw in setup["titles"].items())
    return ThronesState(
        tuple(houses),
        titles,
        ThronesReadings.parse(setup.get("readings", ())),
        setup["first"],
        setup.get("seed", 0),
        step="1.2" if ready else "SETUP-7",
        round=1 if ready else 0,
        guided=bool(setup.get("guided")),
    )
