"""Decks as the wizard shows them: what each holds, and what may be added, found by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.play import Plain
from companion.games.api.setup_step import SeatList, SetupLine
from companion.games.thrones.cards.card import DRAW_TYPES, FACTIONS, NEUTRAL, TYPES, CardFacts
from companion.games.thrones.cards.catalogue import CardCatalogue, folded, search
from companion.games.thrones.cards.deck import (
    FACTION_WORDS,
    LEAST_CARDS,
    PLOTS,
    DeckList,
    deck_problems,
)
from companion.games.thrones.cards.deck_reader import LINE, faction_named, read_draft
from companion.games.thrones.cards.samples import SAMPLES, with_sample
from companion.games.thrones.play.prompts.question import plot_words
from companion.text.rule_numbers import unnumbered
from models.errors import CompanionError
from models.lazy_message import joined, say

MOST_SHOWN = 30
"""How many cards of a group are shown; a search finds the others."""
GROUPS = {
    "plot": say("Plots"),
    "character": say("Characters"),
    "location": say("Locations"),
    "attachment": say("Attachments"),
    "event": say("Events"),
    "agenda": say("Agendas"),
}
FACTION_GROUP = say("Faction")
FOUND = say("Found")
TOO_FEW = ("AGOT-DECK-1", "AGOT-DECK-7", "AGOT-DECK-13")
"""What a deck may lack while it is being built."""
SAMPLE_NAMES = {
    "stark": say("Sample deck: House Stark"),
    "lannister": say("Sample deck: House Lannister"),
}


def seat_list(seat: str, text: str, cards: CardCatalogue, wanted: str) -> SeatList:
    """The deck of one seat: its lines, and the cards that a search or a group offers."""
    ready = tuple((SAMPLE_NAMES[one], with_sample(f"sample {one}")) for one in SAMPLES)
    try:
        deck = read_draft(text, cards).deck()
    except CompanionError:  # the problems of the step say what is wrong
        return SeatList(seat, ready=ready)
    lines = tuple(deck_lines(text, cards))
    found = tuple(picks(deck, lines, cards, wanted)) if is_list(text) else ()
    return SeatList(seat, total(deck), lines, found, ready)


def total(deck: DeckList) -> str:
    """How far the deck is."""
    return say(
        "{cards} of {least} cards · {plots} of {most} plots",
        cards=deck.size,
        least=LEAST_CARDS,
        plots=len(deck.plots),
        most=PLOTS,
    )


def is_list(text: str) -> bool:
    """Whether a deck is written line by line, so that lines may be added."""
    return with_sample(text) == text and not text.lstrip("\ufeff \t\r\n").startswith(("{", "<"))


def deck_lines(text: str, cards: CardCatalogue) -> Iterator[SetupLine]:
    """The faction, and each card with its number."""
    for raw in text.splitlines() if is_list(text) else ():
        line = raw.strip()
        if found := faction_named(line):
            yield SetupLine(line, FACTION_WORDS[found], group=FACTION_GROUP)
            continue
        try:
            deck = read_draft(line, cards).deck()
        except CompanionError:
            continue
        for card, n in deck.cards:
            name, group = f"{n} × {card.name}", GROUPS[card.type]
            yield SetupLine(line, name, card_words(card), group=group, fewer=one_fewer(line))


def one_fewer(line: str) -> str:
    """A line with one copy fewer; empty for a single copy.

    >>> one_fewer("3x Arya Stark (Core)"), one_fewer("1x Arya Stark"), one_fewer("Arya Stark")
    ('2x Arya Stark (Core)', '', '')
    """
    found = LINE.fullmatch(line)
    if found is None or not found[1] or int(found[1]) <= 1:
        return ""
    return f"{line[: found.start(1)]}{int(found[1]) - 1}{line[found.end(1) :]}"


def card_words(card: CardFacts) -> str:
    """What a player must know of a card to choose it: no card text."""
    if card.type == "plot":
        return plot_words(card)
    parts: list[str] = [FACTION_WORDS[card.faction]]
    if card.cost is not None and card.type != "agenda":
        parts.append(say("cost {cost}", cost="X" if "cost" in card.variable else card.cost))
    if card.type == "character":
        parts.append(say("strength {strength}", strength=card.strength))
        parts += [ICON_WORDS[one] for one in card.icons]
    if card.loyal:
        parts.append(say("loyal"))
    if card.unique:
        parts.append(say("unique"))
    return joined([*parts, card.pack] if card.pack else parts)


ICON_WORDS = {"military": say("military"), "intrigue": say("intrigue"), "power": say("power")}


def picks(
    deck: DeckList, lines: Sequence[SetupLine], cards: CardCatalogue, wanted: str
) -> Iterator[SetupLine]:
    """What may be added: what a search finds, else the cards of the faction, type by type."""
    named = any(one.group == FACTION_GROUP for one in lines)
    if wanted.strip():
        for card in search(cards, wanted, MOST_SHOWN):
            yield pick(deck, lines, card, FOUND)
        return
    if not named:
        for one in FACTIONS:
            words = FACTION_WORDS[one]
            yield SetupLine(str(words), words, group=FACTION_GROUP)
        return
    fitting = [
        card for card in (cards[code] for code in cards) if card.faction in (deck.faction, NEUTRAL)
    ]
    for kind in sorted(TYPES, key=list(GROUPS).index):
        known = sorted((one for one in fitting if one.type == kind), key=by_name)
        for card in known[:MOST_SHOWN]:
            yield pick(deck, lines, card, GROUPS[kind])


def by_name(card: CardFacts) -> tuple[bool, str]:
    """The faction's own cards first, then by name."""
    return card.faction == NEUTRAL, folded(card.name)


def pick(deck: DeckList, lines: Sequence[SetupLine], card: CardFacts, group: str) -> SetupLine:
    """One more copy of a card, or the rule that forbids it."""
    have = sum(n for one, n in deck.cards if one.code == card.code)
    written = f"{card.name} ({card.pack})" if card.pack else card.name
    before = f"{have}x {written}"
    reason, rule = why_not(deck, card)
    return SetupLine(
        f"{have + 1}x {written}",
        card.name,
        card_words(card),
        f"{have} ×" if have else "",
        group,
        reason,
        rule,
        replaces=before if have and any(one.line == before for one in lines) else "",
    )


def why_not(deck: DeckList, card: CardFacts) -> tuple[str, str]:
    """Why a copy of a card cannot be added, and the rule."""
    title = [n for one, n in deck.cards if one.name == card.name]
    if not title and card.type in DRAW_TYPES and card.faction in (deck.faction, NEUTRAL):
        return "", ""  # the first copy of a card that fits breaks no rule
    counts = {one.code: (one, n) for one, n in deck.cards}
    have = counts.get(card.code, (card, 0))[1]
    more = DeckList(deck.faction, tuple({**counts, card.code: (card, have + 1)}.values()))
    known = {one.say for one in deck_problems(deck)}
    for problem in deck_problems(more):
        short = problem.why == "AGOT-DECK-3" and len(more.plots) <= PLOTS
        if problem.say not in known and problem.why not in TOO_FEW and not short:
            return unnumbered(problem.say), problem.why
    return "", ""


def searched(draft: Plain, seat: str) -> str:
    """What the player of a seat looks for."""
    asked = draft.get(SEARCH)
    found = asked.get(seat) if isinstance(asked, dict) else ""
    return found[:80] if isinstance(found, str) else ""


SEARCH = "decks-search"
"""Where the wizard keeps what the players look for."""
