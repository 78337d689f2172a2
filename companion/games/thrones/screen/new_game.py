"""A new game: the players and their decks, what each deck holds, and what may be added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.api.new_game import (
    NewGameStep,
    SeatList,
    SetupLine,
    SetupProblem,
    refused_setup,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.thrones.cards.card import DRAW_TYPES, FACTIONS, NEUTRAL, TYPES, CardFacts
from companion.games.thrones.cards.catalogue import (
    CardCatalogue,
    broken_cards,
    card_catalogue,
    folded,
    search,
)
from companion.games.thrones.cards.deck import (
    FACTION_WORDS,
    LEAST_CARDS,
    PLOTS,
    DeckList,
    deck_problems,
)
from companion.games.thrones.cards.deck_reader import (
    LINE,
    SAMPLES,
    faction_named,
    read_deck,
    read_draft,
    with_sample,
)
from companion.games.thrones.cards.titles import broken_titles
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.prompts.question import plot_words
from companion.games.thrones.play.setup import SEATS
from companion.text.translation import unnumbered
from models.message import CompanionError, joined, say

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


def search_text(draft: Plain, seat: str) -> str:
    """What the player of a seat looks for."""
    asked = draft.get(SEARCH)
    found = asked.get(seat) if isinstance(asked, dict) else ""
    return found[:80] if isinstance(found, str) else ""


SEARCH = "decks-search"
"""Where the wizard keeps what the players look for."""


def steps(draft: Plain) -> Iterator[NewGameStep]:
    """Players, decks, how to begin, and the start."""
    yield NewGameStep(
        "seats",
        "seats",
        say("Who plays?"),
        say("Two play a joust, three to six a melee. Seats run clockwise."),
    )
    yield NewGameStep(
        "decks",
        "list",
        say("Decks"),
        say(
            "Paste or open a list: ThronesDB text or JSON, an .o8d file, or lines like"
            " 3x Name (Pack). Or build one: search by name and tap."
        ),
        problems=tuple(list_problems(draft)),
        lists=tuple(seat_lists(draft)),
        searches=True,
    )
    beginning = (("steps", say("Go through the set-up")), ("ready", say("Set-up is done")))
    first = (("", say("Chance decides")), *((one["id"], name_of(one)) for one in seats_of(draft)))
    yield NewGameStep(
        "game",
        "form",
        say("How does it begin?"),
        entries=(
            Entry("first", say("First player"), options=first, value="", required=False),
            Entry("begin", say("Set-up"), options=beginning, value="steps"),
        ),
        optional=True,
    )
    yield NewGameStep("begin", "begin", say("Begin"), problems=setup_problems(draft))


def seats_of(draft: Plain) -> list[dict[str, Any]]:
    """The players of the draft, or two."""
    return list(draft.get("seats") or ({"id": one} for one in SEATS.ids[: SEATS.least]))


def name_of(seat: Plain) -> str:
    return str(seat.get("name") or seat["id"])


def seat_lists(draft: Plain) -> Iterator[SeatList]:
    """What each deck holds, and what may be added."""
    lists, cards = draft.get("decks", {}), card_catalogue()
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        yield seat_list(seat["id"], text, cards, search_text(draft, seat["id"]))


def list_problems(draft: Plain) -> Iterator[SetupProblem]:
    """What each deck lacks or breaks, with the rule; before it, broken files of the players'."""
    for error in (*broken_cards().values(), *broken_titles().values()):
        yield SetupProblem(str(error))
    lists, cards = draft.get("decks", {}), card_catalogue()
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        if not text:
            yield SetupProblem(say("no deck yet"), seat=seat["id"])
            continue
        try:
            deck, notes = read_deck(text, cards)
        except CompanionError as error:
            yield SetupProblem(str(error), seat=seat["id"])
            continue
        for note in notes:
            yield SetupProblem(note, seat=seat["id"], stops=False)
        for problem in deck_problems(deck):
            yield SetupProblem(unnumbered(problem.say), problem.why, seat["id"])


def setup_problems(draft: Plain) -> tuple[SetupProblem, ...]:
    """The game's own objection to the finished draft."""
    lists = draft.get("decks", {})
    if not all(lists.get(seat["id"]) for seat in seats_of(draft)):
        return (SetupProblem(say("every player needs a deck")),)
    return refused_setup(PLAY, "thrones", set_up("thrones", draft))


def set_up(game: str, draft: Plain) -> dict[str, Any]:
    """The `set-up` command of a draft."""
    seats, lists = seats_of(draft), draft.get("decks", {})
    decks = {seat["id"]: lists.get(seat["id"], "") for seat in seats}
    command: dict[str, Any] = {"do": "set-up", "game": game, "seats": seats, "decks": decks}
    chosen = draft.get("game", {})
    if chosen.get("first"):
        command["first"] = chosen["first"]
    if chosen.get("begin") == "ready":
        command["ready"] = True
    return command
