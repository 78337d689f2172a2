"""The game's pages: rows of cards, the round as a track, plots and titles, piles, tokens in use."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.prompt import Choice
from companion.games.api.screen_views import Page, PageCard, Section
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.cards.titles import title_words
from companion.games.thrones.play.numbers import (
    PLOT_VALUES,
    cards_to_draw,
    has_icon,
    plot_value,
    strength,
)
from companion.games.thrones.play.prompts.question import plot_words
from companion.games.thrones.play.state import (
    FACTION_CARD,
    PHASE_WORDS,
    PHASES,
    CardInPlay,
    HouseInPlay,
    ThronesState,
    total_power,
)
from companion.games.thrones.rules.draw_odds import chance_drawn
from companion.games.thrones.screen.card_table import SIGNS, TYPE_SIGNS, seat_tag
from companion.games.thrones.screen.views import card_lines
from companion.text.verdicts import percent
from models.message import say

CORE_TOKENS = {"gold": 30, "power": 30, "influence": 10}
"""The tokens of a core set (AGOT-CMP-14)."""
TOKEN_WORDS = {
    "gold": say("Gold in the treasury"),
    "power": say("Power in the treasury"),
    "influence": say("Influence tokens in the treasury"),
}


def tokens_in_use(state: ThronesState) -> dict[str, int]:
    """The tokens that players and cards have: gold on cards too, until it leaves them
    (AGOT-KEY-33, AGOT-KEY-39). Others than gold and power are influence tokens (AGOT-CMP-16)."""
    lying = [(name, n) for card in state.cards for name, n in card.tokens]
    gold = sum(n for name, n in lying if name == "gold")
    return {
        "gold": sum(one.gold for one in state.houses) + gold,
        "power": sum(total_power(state, one) for one in state.seats),
        "influence": sum(n for _, n in lying) - gold,
    }


def treasury_section(state: ThronesState) -> Section:
    """What one core set leaves in the treasury; other markers replace what runs out
    (AGOT-TOK-1, AGOT-TOK-11)."""
    cards = []
    for kind, used in tokens_in_use(state).items():
        left = CORE_TOKENS[kind] - used
        short = say("{n} too few: use other markers", n=-left) if left < 0 else ""
        cards.append(
            PageCard(
                f"treasury-{kind}",
                TOKEN_WORDS[kind],
                (short,) if short else (),
                "",
                "cards",
                count=max(0, left),
            )
        )
    return Section(say("Treasury"), tuple(cards), "row")


def pages(state: ThronesState, seat: str | None = None) -> tuple[Page, ...]:
    """Rows, round, plots and piles; the plot deck only for its owner's eyes."""
    return (
        Page("rows", say("Rows"), "cards", tuple(row_sections(state))),
        Page("round", say("Round"), "turn", tuple(round_sections(state))),
        Page("plots", say("Plots"), "letter", tuple(plot_sections(state, seat))),
        Page("piles", say("Piles"), "armies", tuple(pile_sections(state))),
    )


# -- rows ------------------------------------------------------------------------------------------


def row_sections(state: ThronesState) -> Iterator[Section]:
    """Front row and back row of every player (AGOT-CMP-6, AGOT-CMP-7).

    An attachment follows the card that it is attached to.
    """
    hosts = {one.host for one in state.cards}
    for house in state.houses:
        text = say(
            "{power} power, {gold} gold",
            power=total_power(state, house.id),
            gold=house.gold,
        )
        for name, kinds in ROWS:
            cards = tuple(
                page_card(state, one)
                for host in state.controlled(house.id)
                if host.type in kinds
                for one in (host, *(state.attached(host.id) if host.id in hosts else ()))
            )
            if name == "front":
                title = say("{player}: front row", player=house.name)
                seat, tag = FACTION_CARD + house.id, seat_tag(state, house)
                yield Section(title, cards, "row", house.id, text, seat, tag)
                continue
            loose = tuple(
                page_card(state, one)
                for one in state.cards
                if one.type == "attachment"
                and (one.host == FACTION_CARD + house.id or not one.host)
                and (one.host or one.controller == house.id)
            )
            if cards or loose:
                title = say("{player}: back row", player=house.name)
                yield Section(title, cards + loose, "row", house.id)


ROWS = (("front", ("character",)), ("back", ("location",)))


def page_card(state: ThronesState, card: CardInPlay) -> PageCard:
    """A card in play; a kneeling one lies on its side, and a tap turns it."""
    verb = "stand" if card.kneeling else "kneel"
    text = say("Stand") if card.kneeling else say("Kneel")
    turn = Choice(text, ({"do": verb, "cards": [card.id]},), piece=card.id)
    over = state.winner or state.contest or state.round < 1
    fighting = state.challenge is not None and card.id in state.challenge.participants
    if card.type == "character":
        icons = tuple(SIGNS[one] for one in CHALLENGES if has_icon(state, card, one))
    else:
        icons = (TYPE_SIGNS[card.type],) if card.type in TYPE_SIGNS else ()
    return PageCard(
        card.id,
        card.name,
        tuple(card_lines(state, card)),
        card.controller,
        "crown" if card.facts.unique else "",
        count=strength(state, card) if card.type == "character" else None,
        turned=card.kneeling,
        choices=() if over else (turn,),
        piece=card.id,
        icons=icons,
        marked=fighting,
        badge=str(card.power) if card.power else "",
        note=card_note(state, card),
    )


def card_note(state: ThronesState, card: CardInPlay) -> str:
    """What players must see of a card at a glance, in a few words."""
    if card.kneeling:
        return say("kneels")
    if state.challenge is not None and card.id in state.challenge.bypassed:
        return say("bypassed by stealth")
    if card.duplicates:
        return say("{n} duplicate", "{n} duplicates", n=len(card.duplicates))
    host = state.find_card(card.host) if card.host else None
    return say("on {host}", host=host.name) if host is not None else ""


# -- round -----------------------------------------------------------------------------------------


def round_sections(state: ThronesState) -> Iterator[Section]:
    """The seven phases, the current one marked (AGOT-RND-1)."""
    cards = tuple(
        PageCard(
            f"phase-{one}",
            PHASE_WORDS[one],
            (say("now"),) if one == state.phase else (),
            tone="good" if one == state.phase else "",
            spent=one != state.phase,
        )
        for one in PHASES.values()
    )
    yield Section(say("Round {round}", round=state.round), cards, "track")


# -- plots and titles ------------------------------------------------------------------------------


def plot_sections(state: ThronesState, seat: str | None) -> Iterator[Section]:
    """The revealed plot with its values now, the used pile, and the own plot deck."""
    for house in state.houses:
        cards = list(plot_cards(state, house))
        if house.id == seat:
            cards += [
                PageCard(
                    f"{house.id}-plot-{at}",
                    house.card(code).name,
                    (plot_words(house.card(code)), *chosen_words(house, code)),
                    house.id,
                    "letter",
                    secret=True,
                    marked=code == house.chosen,
                )
                for at, code in enumerate(house.plots)
            ]
        yield Section(house.name, tuple(cards), "row", house.id)


def chosen_words(house: HouseInPlay, code: str) -> Iterator[str]:
    """That a plot lies face down, for the eyes of its owner."""
    if code == house.chosen:
        yield say("chosen, face down")


def plot_cards(state: ThronesState, house: HouseInPlay) -> Iterator[PageCard]:
    """What everybody sees of a player's plots and title."""
    if house.plot is not None:
        values = {one: plot_value(state, house.id, one) for one in PLOT_VALUES}
        line = say("gold {gold}, initiative {initiative}, claim {claim}, reserve {reserve}",
                   **values)  # fmt: skip
        yield PageCard(f"{house.id}-plot", house.plot.name, (line,), house.id, "letter")
    left = len(house.plots)
    yield PageCard(f"{house.id}-plots", say("Plot deck"), (), house.id, "cards", count=left)
    used = tuple(house.card(code).name for code in house.used)
    yield PageCard(f"{house.id}-used", say("Used plots"), used, house.id, "cards", count=len(used))
    title = state.title_of(house.id)
    if title is not None:
        does = (title_words(title),)
        yield PageCard(f"{house.id}-title", title.name, does, house.id, "crown")


# -- piles -----------------------------------------------------------------------------------------


def pile_sections(state: ThronesState) -> Iterator[Section]:
    """Hands and decks by number; discard and dead piles are open (AGOT-ZONE-30)."""
    for house in state.houses:
        seat = house.id
        cards = [
            PageCard(f"{seat}-hand", say("Hand"), (), seat, "cards", count=house.hand),
            PageCard(
                f"{seat}-deck",
                say("Draw deck"),
                tuple(draw_lines(state, house)),
                seat,
                "cards",
                count=house.draw_deck,
            ),
            pile_card(house, "discard", say("Discard pile"), house.discard),
            pile_card(house, "dead", say("Dead pile"), house.dead),
        ]
        if house.removed:
            cards.append(pile_card(house, "removed", say("Out of the game"), house.removed))
        yield Section(house.name, tuple(cards), "row", seat)
    yield treasury_section(state)


def draw_lines(state: ThronesState, house: HouseInPlay) -> Iterator[str]:
    """How likely a card of which so many copies are in the deck is drawn in the next rounds."""
    each = cards_to_draw(state, house.id)
    for copies in COPIES if not house.eliminated else ():
        chances = [
            percent(chance_drawn(house.draw_deck, copies, each * rounds)) for rounds in ROUNDS
        ]
        yield say(
            "{n} copy in it is drawn in 1, 2, 3 rounds: {chances}",
            "{n} copies in it, one drawn in 1, 2, 3 rounds: {chances}",
            n=copies,
            chances=", ".join(chances),
        )


COPIES, ROUNDS = (1, 2, 3), (1, 2, 3)


def pile_card(house: HouseInPlay, pile: str, title: str, codes: tuple[str, ...]) -> PageCard:
    """A pile with the names of its cards, the top first."""
    names = tuple(house.card(code).name if code else say("not named") for code in reversed(codes))
    return PageCard(f"{house.id}-{pile}", title, names, house.id, "cards", count=len(codes))
