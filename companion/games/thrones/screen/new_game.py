"""A new game: the players and their decks, what each deck holds, and what may be added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
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
from companion.games.thrones.cards.card import FACTIONS, MODIFIERS, NEUTRAL, TYPES, CardFacts
from companion.games.thrones.cards.catalogue import (
    CardCatalogue,
    broken_cards,
    card_catalogue,
    folded,
    search,
)
from companion.games.thrones.cards.deck import (
    FACTION_WORDS,
    SAMPLES,
    DeckList,
    ready_decks,
    with_sample,
)
from companion.games.thrones.cards.deck_draft import DeckDraft
from companion.games.thrones.cards.deck_reader import read_draft
from companion.games.thrones.cards.deck_rules import (
    DeckRules,
    breaking,
    deck_problems,
    rule_of,
    strange_set,
)
from companion.games.thrones.cards.deck_text import ALLOWED_LINE, card_line, undecorated
from companion.games.thrones.cards.deck_writer import write_deck
from companion.games.thrones.cards.restricted import restricted_lists
from companion.games.thrones.cards.titles import broken_titles
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.events.count_events import stat_words
from companion.games.thrones.play.prompts.question import plot_words
from companion.games.thrones.play.setup import SEATS
from companion.games.thrones.play.state import JOUST
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
NOT_READ = say("Not read")
ALLOW_GROUP = say("Our table")
SAMPLE_NAMES = {
    "stark": say("Sample deck: House Stark"),
    "lannister": say("Sample deck: House Lannister"),
}


@lru_cache(maxsize=1)
def ready_lists() -> tuple[tuple[str, str], ...]:
    """The samples and the published decks, each as a text."""
    cards = CardCatalogue({})
    samples = tuple((SAMPLE_NAMES[one], with_sample(f"sample {one}")) for one in SAMPLES)
    published = (
        (ready_name(one.name, deck), write_deck(deck, "window", cards))
        for one in ready_decks()
        if (deck := one.deck(cards))
    )
    return (*samples, *published)


def ready_name(name: str, deck: DeckList) -> str:
    """The name of a ready deck; those for learning, as they lay in the box, break deck rules."""
    if any(deck_problems(deck, DeckRules())):
        return say("{deck} · for learning, breaks deck rules", deck=name)
    return name


def seat_list(
    seat: str, text: str, cards: CardCatalogue, wanted: str, rules: DeckRules
) -> SeatList:
    """The deck of one seat: its lines, and the cards that a search or a group offers."""
    ready = ready_lists()
    try:
        draft = read_draft(text, cards)
    except CompanionError:  # the problems of the step say what is wrong
        return SeatList(seat, ready=ready)
    deck, mended = draft.deck(), tuple(mends(draft))
    rewritten = in_lines(text, draft)
    if rewritten:
        draft = read_draft(rewritten, cards)
    lines = tuple(deck_lines(draft))
    found = (*mended, *picks(draft, deck, cards, wanted, rules), *allowance(draft, deck, rules))
    told = joined([total(deck, rules), OUR_TABLE], " · ") if draft.allowed else total(deck, rules)
    return SeatList(seat, told, lines, found, ready, rewritten)


def total(deck: DeckList, rules: DeckRules) -> str:
    """Whose deck it is, and how far it is."""
    numbers = rule_of(deck, rules)
    counts = say(
        "{cards} of {least} cards · {plots} of {most} plots",
        cards=deck.size,
        least=numbers.cards,
        plots=len(deck.plots),
        most=numbers.plots,
    )
    names = [FACTION_WORDS[deck.faction]] if deck.faction in FACTION_WORDS else []
    return joined([*names, *(card.name for card in deck.agendas), counts], " · ")


def in_lines(text: str, draft: DeckDraft) -> str:
    """A deck of another form written line by line, with what could not be read; else empty."""
    if with_sample(text) != text:
        return with_sample(text)
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[{", "<")):
        return ""
    unread = [one.line for one in draft.unread]
    return "\n".join([write_deck(draft.deck(), "window", draft.cards), *unread])


def deck_lines(draft: DeckDraft) -> Iterator[SetupLine]:
    """The faction, and each card with its number."""
    if draft.allowed:
        yield SetupLine(ALLOWED_LINE, OUR_TABLE, group=ALLOW_GROUP)
    for one in draft.read:
        if not one.code:
            yield SetupLine(one.line, FACTION_WORDS[draft.faction], group=FACTION_GROUP)
            continue
        card = draft.cards[one.code]
        name, group = f"{one.count} × {card.name}", GROUPS[card.type]
        fewer = f"{one.count - 1}x {written(card)}" if one.count > 1 else ""
        yield SetupLine(one.line, name, card_words(card), group=group, fewer=fewer)


OUR_TABLE = say("Our table allows it")


def mends(draft: DeckDraft) -> Iterator[SetupLine]:
    """The cards near to lines that could not be read; a tap writes one in the line's place."""
    for unread in draft.unread:
        counted = card_line(undecorated(unread.line))
        count = counted.count if counted else 1
        for card in unread.near:
            detail = say("instead of {line}", line=unread.line)
            line = f"{count}x {written(card)}"
            yield SetupLine(line, card.name, detail, card.pack, NOT_READ, replaces=unread.line)
        text = say("Leave out {line}", line=unread.line)
        yield SetupLine("", text, group=NOT_READ, replaces=unread.line)


def allowance(draft: DeckDraft, deck: DeckList, rules: DeckRules) -> Iterator[SetupLine]:
    """A line by which the table accepts what the rules forbid."""
    if deck.cards and not draft.allowed and any(deck_problems(deck, rules)):
        detail = say("The game begins with this deck as it is; the record says so.")
        yield SetupLine(ALLOWED_LINE, OUR_TABLE, detail, group=ALLOW_GROUP)


def written(card: CardFacts) -> str:
    """A card as a line names it."""
    return f"{card.name} ({card.pack})" if card.pack else card.name


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
    parts += [*keyword_words(card, card.keywords), *plot_changes(card)]
    return joined([*parts, card.pack] if card.pack else parts)


def keyword_words(card: CardFacts, keywords: Iterable[str]) -> list[str]:
    """Keywords with the values that a card prints beside them."""
    values: dict[str, list[str]] = {}
    for word, value in card.keyword_values:
        values.setdefault(word, []).append(value)
    return [
        joined([say(word), *(f"({one})" for one in values.get(word, ()))], " ")
        for word in dict.fromkeys(keywords)
    ]


def plot_changes(card: CardFacts) -> list[str]:
    """What a card that is no plot changes of its controller's plot while it is in play."""
    changes = [(one, getattr(card, one)) for one in MODIFIERS] if card.type != "plot" else []
    return [joined([stat_words(one), f"{by:+d}"], " ") for one, by in changes if by]


ICON_WORDS = {"military": say("military"), "intrigue": say("intrigue"), "power": say("power")}


def picks(
    draft: DeckDraft, deck: DeckList, cards: CardCatalogue, wanted: str, rules: DeckRules
) -> Iterator[SetupLine]:
    """What may be added: what a search finds, else the cards of the faction, type by type."""
    if wanted.strip():
        for card in search(cards, wanted, MOST_SHOWN):
            yield pick(draft, deck, card, FOUND, rules)
        return
    if not draft.faction:
        for one in FACTIONS:
            words = FACTION_WORDS[one]
            yield SetupLine(str(words), words, group=FACTION_GROUP)
        return
    fitting = [
        card
        for card in (cards[code] for code in cards)
        if card.faction in (deck.faction, NEUTRAL) and not strange_set(card, rules)
    ]
    for kind in sorted(TYPES, key=list(GROUPS).index):
        known = sorted((one for one in fitting if one.type == kind), key=by_name)
        for card in known[:MOST_SHOWN]:
            yield pick(draft, deck, card, GROUPS[kind], rules)


def by_name(card: CardFacts) -> tuple[bool, str]:
    """The faction's own cards first, then by name."""
    return card.faction == NEUTRAL, folded(card.name)


def pick(
    draft: DeckDraft, deck: DeckList, card: CardFacts, group: str, rules: DeckRules
) -> SetupLine:
    """One more copy of a card, or the rule that forbids it."""
    line = next((one for one in draft.read if one.code == card.code), None)
    have = sum(n for one, n in deck.cards if one.code == card.code)
    more = (line.count if line else 0) + 1
    reason, rule = why_not(deck, card, rules)
    return SetupLine(
        f"{more}x {written(card)}",
        card.name,
        card_words(card),
        f"{have} ×" if have else "",
        group,
        reason,
        rule,
        replaces=line.line if line else "",
    )


def why_not(deck: DeckList, card: CardFacts, rules: DeckRules) -> tuple[str, str]:
    """Why a copy of a card cannot be added, and the rule."""
    counts = {one.code: (one, n) for one, n in deck.cards}
    have = counts.get(card.code, (card, 0))[1]
    more = DeckList(deck.faction, tuple({**counts, card.code: (card, have + 1)}.values()))
    known = {one.say for one in breaking(deck, rules)}
    for problem in breaking(more, rules):
        if problem.say not in known:
            if problem.why == "AGOT-DECK-3":  # of the deck as it is, not with one more
                full = say("the plot deck is full: {n} card", "the plot deck is full: {n} cards",
                           n=len(deck.plots))  # fmt: skip
                return full, problem.why
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
    """Players, what is agreed before the decks are judged by it, decks, and the start."""
    yield NewGameStep(
        "seats",
        "seats",
        say("Who plays?"),
        say("Two play a joust, three to six a melee. Seats run clockwise."),
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
            Entry("list", say("Restricted list"), options=list_options(), value="", required=False),
            Entry(
                "sets", say("Draft and variant sets"), options=SET_OPTIONS, value="", required=False
            ),
        ),
        optional=True,
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
    yield NewGameStep("begin", "begin", say("Begin"), problems=setup_problems(draft))


SET_OPTIONS = (
    ("", say("Not played")),
    ("draft", say("A draft")),
    ("variant", say("Variants are played")),
)


def list_options() -> tuple[tuple[str, str], ...]:
    """No list, and every list with its day, the newest first."""
    known = sorted(restricted_lists().values(), key=lambda one: one.released, reverse=True)
    return (("", say("No list")), *((one.code, f"{one.name} · {one.released}") for one in known))


def agreed_rules(draft: Plain) -> DeckRules:
    """The deck rules that the draft asks for."""
    chosen = draft.get("game") or {}
    sets = (chosen["sets"],) if chosen.get("sets") else ()
    usual = "melee" if len(seats_of(draft)) > JOUST else "joust"
    return DeckRules("draft" if "draft" in sets else usual, chosen.get("list") or "", sets)


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
        wanted = search_text(draft, seat["id"])
        yield seat_list(seat["id"], text, cards, wanted, agreed_rules(draft))


def list_problems(draft: Plain) -> Iterator[SetupProblem]:
    """What each deck lacks or breaks, with the rule; before it, broken files of the players'."""
    for error in (*broken_cards().values(), *broken_titles().values()):
        yield SetupProblem(str(error), stops=False)
    lists, cards = draft.get("decks", {}), card_catalogue()
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        if not text:
            yield SetupProblem(say("no deck yet"), seat=seat["id"])
            continue
        try:
            found = read_draft(text, cards)
        except CompanionError as error:
            yield SetupProblem(str(error), seat=seat["id"])
            continue
        for unread in found.unread:
            yield SetupProblem(unread.text, seat=seat["id"])
        for note in found.notes:
            yield SetupProblem(note, seat=seat["id"], stops=False)
        deck = found.deck()
        broken = tuple(deck_problems(deck, agreed_rules(draft)))
        for problem in broken:
            text = unnumbered(problem.say)
            yield SetupProblem(text, problem.why, seat["id"], stops=not found.allowed)
        if broken and deck.cards and not found.allowed:
            way = say("If all agree: “{group}”, “{allow}”", group=ALLOW_GROUP, allow=OUR_TABLE)
            yield SetupProblem(way, seat=seat["id"], stops=False)


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
    if chosen.get("list"):
        command["list"] = chosen["list"]
    if chosen.get("sets"):
        command["sets"] = [chosen["sets"]]
    return command
