"""What breaks the rules of deck building: numbers, copies, factions, agendas, lists and sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.thrones.cards.agendas import (
    DRAFT_CARDS,
    DRAFT_PLOTS,
    USUAL,
    AgendaRule,
    CardFilter,
    agenda_rule,
    has_trait,
    traits_of,
)
from companion.games.thrones.cards.card import DRAW_TYPES, FACTIONS, NEUTRAL, CardFacts
from companion.games.thrones.cards.deck import FACTION_WORDS, DeckList, copies
from companion.games.thrones.cards.packs import pack_kind
from companion.games.thrones.cards.restricted import list_problems
from models.message import joined

MOST_COPIES = 3
PLOT_LIMITS = {1: "AGOT-DECK-5", 2: "AGOT-DECK-4"}
"""The rule that a limit of that many copies of a plot comes from; higher ones are AGOT-DECK-6."""
SCHEMES = ("Scheme",)
ALLOWED = "allowed"
"""What a refusal asks for that the players may waive: "our table allows it"."""


@dataclass(frozen=True, slots=True)
class DeckRules:
    """What the players agreed on: the format, a restricted list or none, and draft sets."""

    format: str = "joust"
    list: str = ""
    sets: tuple[str, ...] = ()
    """The kinds of sets that are played beside all others: "draft", "variant"."""


FORMATS = ("joust", "melee", "draft")


def rule_of(deck: DeckList, rules: DeckRules) -> AgendaRule:
    """The numbers that hold with the deck's agendas together; the strictest counts."""
    usual = replace(USUAL, plots=DRAFT_PLOTS, cards=DRAFT_CARDS)
    found = usual if rules.format == "draft" else USUAL
    for one in (agenda_rule(card.code) for card in deck.agendas):
        found = replace(
            found,
            plots=one.plots if one.plots != USUAL.plots else found.plots,
            doubled=max(found.doubled, one.doubled),
            cards=max(found.cards, one.cards) if one.cards != USUAL.cards else found.cards,
            schemes=max(found.schemes, one.schemes),
            setup_gold=min(found.setup_gold, one.setup_gold),
        )
    return found


def deck_problems(deck: DeckList, rules: DeckRules | None = None) -> Iterator[Refusal]:
    """Everything that breaks a rule of deck building; the players may allow each of it."""
    for problem in (*lacking(deck, rules), *breaking(deck, rules)):
        yield replace(problem, asks=ALLOWED)


def lacking(deck: DeckList, rules: DeckRules | None = None) -> Iterator[Refusal]:
    """What further cards would mend."""
    numbers = rule_of(deck, rules or DeckRules())
    if deck.faction not in FACTIONS:
        yield no("AGOT-DECK-1", "the deck names no faction")
    if len(deck.plots) < numbers.plots:
        yield plot_number(deck, numbers)
    if deck.size < numbers.cards:
        yield no(
            "AGOT-DECK-7",
            "the draw deck has {n} card, at least {least} are needed",
            "the draw deck has {n} cards, at least {least} are needed",
            n=deck.size,
            least=numbers.cards,
        )
    if (n := scheme_plots(deck)) < numbers.schemes:
        yield wrong_schemes(numbers, n)
    for agenda in deck.agendas:
        least = agenda_rule(agenda.code).least
        if least and (count := measure(deck, least)) < least.number:
            yield no("AGOT-DECK-13", "{agenda} asks for at least {least} cards of its kind, there"
                     " are {count}", agenda=agenda.name, least=least.number,
                     count=count)  # fmt: skip


def breaking(deck: DeckList, rules: DeckRules | None = None) -> Iterator[Refusal]:
    """What no further card mends."""
    rules = rules or DeckRules()
    yield from agenda_problems(deck)
    yield from plot_problems(deck, rule_of(deck, rules))
    yield from copy_problems(deck)
    yield from faction_problems(deck)
    for agenda in deck.agendas:
        yield from demands(deck, agenda, agenda_rule(agenda.code))
    yield from set_problems(deck, rules)
    if rules.list and rules.format != "draft":
        cards = [card for card, _ in deck.cards]
        yield from list_problems(rules.list, rules.format == "melee", cards)


def agenda_problems(deck: DeckList) -> Iterator[Refusal]:
    """At most one agenda, unless it lets others stand beside it (AGOT-DECK-2)."""
    n = sum(n for _, n in deck.of_type("agenda"))
    if n <= 1:
        return
    for leader in deck.agendas:
        further = agenda_rule(leader.code).further
        if further is None:
            continue
        others = [card for card in deck.agendas if card is not leader]
        strange = [one for one in others if further.trait and not has_trait(one, further.trait)]
        if n == len(deck.agendas) <= further.number + 1 and not strange:
            return
    yield no("AGOT-DECK-2", "{n} agenda, at most 1", "{n} agendas, at most 1", n=n)


def plot_problems(deck: DeckList, numbers: AgendaRule) -> Iterator[Refusal]:
    """What is wrong with the plot deck."""
    plots = deck.of_type("plot")
    if len(deck.plots) > numbers.plots:
        yield plot_number(deck, numbers)
    counted = copies(plots)
    limits = lowest_limits(plots)
    doubled = [name for name, n in counted.items() if n > 1]
    for name in doubled:
        if counted[name] > limits[name]:
            rule = PLOT_LIMITS.get(limits[name], "AGOT-DECK-6")
            yield no(rule, "{n} copies of {card}, at most {most}", n=counted[name], card=name,
                     most=limits[name])  # fmt: skip
    if len(doubled) > numbers.doubled:
        yield no(
            "AGOT-DECK-4",
            "only {n} plot may be there twice, not {cards}",
            "only {n} plots may be there twice, not {cards}",
            n=numbers.doubled,
            cards=", ".join(sorted(doubled)),
        )
    schemes = [n for card, n in plots if has_trait(card, SCHEMES)]
    if numbers.schemes and (sum(schemes) > numbers.schemes or max(schemes, default=0) > 1):
        yield wrong_schemes(numbers, sum(schemes))


def plot_number(deck: DeckList, numbers: AgendaRule) -> Refusal:
    return no(
        "AGOT-DECK-3",
        "the plot deck has {n} card, it must have {plots}",
        "the plot deck has {n} cards, it must have {plots}",
        n=len(deck.plots),
        plots=numbers.plots,
    )


def scheme_plots(deck: DeckList) -> int:
    return sum(has_trait(card, SCHEMES) for card in deck.plots)


def wrong_schemes(numbers: AgendaRule, count: int) -> Refusal:
    return no("AGOT-DECK-13", "the agenda asks for {most} Scheme plots, each once; there are"
              " {count}", most=numbers.schemes, count=count)  # fmt: skip


def lowest_limits(cards: Sequence[tuple[CardFacts, int]]) -> dict[str, int]:
    """The limit of each title; where its versions differ, the lowest holds."""
    found: dict[str, int] = {}
    for card, _ in cards:
        found[card.name] = min(card.limit, found.get(card.name, card.limit))
    return found


def copy_problems(deck: DeckList) -> Iterator[Refusal]:
    """Too many copies of a title."""
    draw = deck.of_type(*DRAW_TYPES)
    limits = lowest_limits(draw)
    for name, n in copies(draw).items():
        if n > limits[name]:
            rule = "AGOT-DECK-9" if limits[name] == MOST_COPIES else "AGOT-DECK-10"
            yield no(rule, "{n} copies of {card}, at most {most}", n=n, card=name,
                     most=limits[name])  # fmt: skip


def admitted(deck: DeckList, card: CardFacts) -> bool:
    """Whether an agenda of the deck brings a card of another faction in."""
    for agenda in deck.agendas:
        admits = agenda_rule(agenda.code).admits
        if admits and admits.fits(card) and (admits.loyal or not card.loyal):
            return True
    return False


def faction_problems(deck: DeckList) -> Iterator[Refusal]:
    """Cards of other factions that no agenda admits; loyal ones in particular."""
    foreign = [
        card
        for card, _ in deck.of_type(*DRAW_TYPES, "plot")
        if card.faction not in (NEUTRAL, deck.faction)
    ]
    for card in foreign:
        if admitted(deck, card):
            continue
        faction = FACTION_WORDS[card.faction]
        if card.loyal:
            yield no("AGOT-DECK-12", "{card} is loyal to {faction}", card=card.name,
                     faction=faction)  # fmt: skip
        else:
            yield no("AGOT-DECK-11", "{card} belongs to {faction}; no agenda of the deck admits it",
                     card=card.name, faction=faction)  # fmt: skip
    for agenda in deck.agendas:
        yield from named_problems(agenda, agenda_rule(agenda.code).admits, foreign)


def named_problems(
    agenda: CardFacts, admits: CardFilter | None, foreign: list[CardFacts]
) -> Iterator[Refusal]:
    """More factions or traits than the player may name for the agenda (AGOT-AGD-1)."""
    if admits is None or not admits.named or not foreign:
        return
    if admits.named == "faction":
        factions = {card.faction for card in foreign}
        if len(factions) > admits.number:
            yield no("AGOT-DECK-13", "{agenda} names {most} of the factions {factions}",
                     agenda=agenda.name, most=admits.number,
                     factions=joined(FACTION_WORDS[one] for one in sorted(factions)))  # fmt: skip
    elif not set.intersection(*(traits_of(card) for card in foreign)):
        yield no("AGOT-DECK-13", "the cards that {agenda} admits share no trait",
                 agenda=agenda.name)  # fmt: skip


def demands(deck: DeckList, agenda: CardFacts, rule: AgendaRule) -> Iterator[Refusal]:
    """What an agenda forbids or asks for (AGOT-DECK-13)."""
    for card, _ in deck.of_type(*DRAW_TYPES, "plot"):
        if rule.forbids and is_forbidden(rule, rule.forbids, card):
            yield no("AGOT-DECK-13", "{agenda} forbids {card}", agenda=agenda.name, card=card.name)
    if rule.most and (n := measure(deck, rule.most)) > rule.most.number:
        yield no("AGOT-DECK-13", "{agenda} allows at most {most} cards of a kind, there are"
                 " {count}", agenda=agenda.name, most=rule.most.number, count=n)  # fmt: skip
    for name, n in singles(deck, rule.single) if rule.single else ():
        yield no("AGOT-DECK-10", "{n} copies of {card}, {agenda} allows one",
                 n=n, card=name, agenda=agenda.name)  # fmt: skip


def is_forbidden(rule: AgendaRule, forbids: CardFilter, card: CardFacts) -> bool:
    if forbids.loyal and not card.loyal:
        return False
    if forbids.but_admitted and rule.admits and rule.admits.fits(card) and not card.loyal:
        return False
    return forbids.fits(card)


def measure(deck: DeckList, wanted: CardFilter) -> int:
    """How many cards or titles of the draw deck an agenda speaks of."""
    fitting = [(card, n) for card, n in deck.of_type(*DRAW_TYPES) if wanted.fits(card)]
    if wanted.each_faction:
        pairs = {(card.faction, card.name) for card, _ in fitting if card.faction != NEUTRAL}
        return max(Counter(faction for faction, _ in pairs).values(), default=0)
    if wanted.titles:
        return len({card.name for card, _ in fitting})
    return sum(n for _, n in fitting)


def singles(deck: DeckList, single: CardFilter) -> Iterator[tuple[str, int]]:
    """The titles that are there more than once although an agenda allows one copy."""
    fitting = {card.name for card, _ in deck.cards if single.fits(card)}
    counted = copies(
        tuple((c, n) for c, n in deck.cards if single.over_types or single.fits(c))
    )  # fmt: skip
    yield from ((name, n) for name, n in counted.items() if name in fitting and n > 1)


def set_problems(deck: DeckList, rules: DeckRules) -> Iterator[Refusal]:
    """Cards of draft and variant sets where nobody asked for them (AGOT-LIST-5)."""
    for card, _ in deck.cards:
        if strange_set(card, rules):
            yield no("AGOT-LIST-5", "{card} belongs to a set of its own ({pack}): drafts and"
                     " variants only", card=card.name, pack=card.pack)  # fmt: skip


def strange_set(card: CardFacts, rules: DeckRules) -> bool:
    """Whether a card belongs to a set that is played only where players ask for it."""
    kind = pack_kind(card)
    return bool(kind) and kind not in rules.sets and kind != rules.format
