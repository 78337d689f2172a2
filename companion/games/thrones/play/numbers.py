"""The numbers of a game with all modifiers: strength, icons, keywords, plot values, totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.thrones.cards.card import CHALLENGES, KEYWORDS
from companion.games.thrones.play.agendas_in_play import modifier_sources, set_up_base
from companion.games.thrones.play.state import (
    LIMITED_CARDS,
    CardInPlay,
    ThronesState,
    ValueModifier,
)
from companion.games.thrones.rules.values import ChallengeSide, Change, modified

PLOT_VALUES = ("gold", "initiative", "claim", "reserve")
SEAT_STATS = (*PLOT_VALUES, "cost", "challenge", "dominance", "draw", "limited", "set-up")
"""The values of a player that modifiers change."""
CARD_STATS = (
    "strength",
    "blank",
    *(f"icon-{one}" for one in CHALLENGES),
    *(f"keyword-{one.replace(' ', '-')}" for one in KEYWORDS),
)
"""The values of a card in play that modifiers change."""
GAINED = CARD_STATS[2:]
"""Of these, what a card has or has not: icons and keywords."""


def is_blank(state: ThronesState, card: str) -> bool:
    """Whether a card's printed text box is treated as blank."""
    assaulted = state.challenge is not None and state.challenge.assault == card  # AGOT-KEY-44
    return assaulted or not has_traits(state, card)


def has_traits(state: ThronesState, card: str) -> bool:
    """Whether the printed traits count: not on a blank card (AGOT-ABL-20), but on one that is blank
    by assault alone (AGOT-KEY-44)."""
    return modified(0, changes(state, card, "blank")) <= 0


def active_modifiers(state: ThronesState, target: str, stat: str) -> Iterator[ValueModifier]:
    """The modifiers of a value; those printed on a blank card are inactive (AGOT-PLOT-24)."""
    for one in state.modifiers:
        if one.target != target or one.stat != stat:
            continue
        if one.source and stat in PLOT_VALUES and is_blank(state, one.source):
            continue
        yield one
    yield from (one for one in given_modifiers(state, target) if one.stat == stat)


def given_modifiers(state: ThronesState, host: str) -> Iterator[ValueModifier]:
    """What attachments that are not blank give the card they are on (AGOT-MOD-2)."""
    known = dict(state.gives)
    for card in state.attached(host) if known else ():
        changed = known.get(card.facts.code, ())
        if changed and not is_blank(state, card.id):
            for stat, value in changed:
                yield ValueModifier(0, host, stat, "add", value, "game", card.name, card.id)


def changes(state: ThronesState, target: str, stat: str) -> Iterable[Change]:
    """The same as changes of a number."""
    if not state.modifiers and not state.gives:
        return ()
    return (Change(one.operation, one.value) for one in active_modifiers(state, target, stat))


# -- cards -----------------------------------------------------------------------------------------


def strength(state: ThronesState, card: CardInPlay) -> int:
    """A character's strength: its printed value with all modifiers (AGOT-CMP-10, AGOT-MOD-2)."""
    return modified(card.facts.strength, changes(state, card.id, "strength"))


def has_icon(state: ThronesState, card: CardInPlay, kind: str) -> bool:
    """Whether a character has the icon of a challenge type (AGOT-CMP-9)."""
    return modified(int(kind in card.facts.icons), changes(state, card.id, f"icon-{kind}")) > 0


def has_keyword(state: ThronesState, card: CardInPlay, word: str) -> bool:
    """Whether a card has a keyword; having it several times changes nothing (AGOT-KEY-3)."""
    printed = word in card.facts.keywords and not is_blank(state, card.id)
    stat = f"keyword-{word.replace(' ', '-')}"
    return modified(int(printed), changes(state, card.id, stat)) > 0


def current_keywords(state: ThronesState, card: CardInPlay) -> list[str]:
    """The keywords that a card has now: printed ones first, then those it gained."""
    start = "keyword-"
    gained = (
        one.stat.removeprefix(start).replace("-", " ")
        for one in (*state.modifiers, *given_modifiers(state, card.id))
        if one.target == card.id and one.stat.startswith(start)
    )
    words = dict.fromkeys((*card.facts.keywords, *gained))
    return [word for word in words if has_keyword(state, card, word)]


# -- plots -----------------------------------------------------------------------------------------


def plot_value(state: ThronesState, seat: str, value: str, more: tuple[Change, ...] = ()) -> int:
    """A value of a player's revealed plot with all modifiers, which are cumulative.

    (AGOT-CMP-8, AGOT-PLOT-22, AGOT-PLOT-23; a title counts while it is held, AGOT-TAX-7)
    """
    plot = state.house(seat).plot
    title = state.title_of(seat)
    found = [*changes(state, seat, value), *more]
    found += [Change("add", change) for _, change in printed_modifiers(state, seat, value)]
    if title is not None and value in ("gold", "reserve"):
        found.append(Change("add", getattr(title, value)))
    return modified(getattr(plot, value) if plot is not None else 0, found)


def printed_modifiers(state: ThronesState, seat: str, value: str) -> list[tuple[str, int]]:
    """The printed modifiers of a plot value, of cards in play that are not blank and of agendas."""
    own = [one for one in state.cards if one.controller == seat and getattr(one.facts, value)]
    printing = [one for one in own if not is_blank(state, one.id)]
    return list(modifier_sources(state, seat, value, printing))


def prized_value(state: ThronesState, card: CardInPlay) -> int:
    """The power that opponents gain when a card leaves play; several values add up
    (AGOT-KEY-52, AGOT-KEY-56)."""
    printed = 0 if is_blank(state, card.id) else card.facts.keyword_number("prized") or 0
    return modified(printed, changes(state, card.id, "keyword-prized"))


def claim_value(state: ThronesState) -> int:
    """The claim of the running challenge (AGOT-CLM-1)."""
    challenge = state.challenge
    assert challenge is not None
    title = state.title_of(challenge.attacker)
    raised = title is not None and title.rival_claim == challenge.type
    if raised and state.rivals(challenge.attacker, challenge.defender):
        more = (Change("add", 1),)  # Master of Ships (AGOT-OR-4), one modifier among others
        return plot_value(state, challenge.attacker, "claim", more)
    return plot_value(state, challenge.attacker, "claim")


def cards_to_draw(state: ThronesState, seat: str) -> int:
    """The cards of step 2.2: 2 (AGOT-DRAW-1), and what a title adds (AGOT-OR-4)."""
    title = state.title_of(seat)
    return modified(2 + (title.draw if title else 0), changes(state, seat, "draw"))


def limited_full(state: ThronesState, seat: str) -> bool:
    """Whether a player may marshal or play no further limited card this round (AGOT-KEY-21)."""
    most = modified(LIMITED_CARDS, changes(state, seat, "limited"))
    return state.house(seat).limited >= most


def set_up_gold(state: ThronesState, seat: str) -> int:
    """The gold that the set-up cards of a player may cost (AGOT-SET-12)."""
    return modified(set_up_base(state.house(seat)), changes(state, seat, "set-up"))


# -- challenges ------------------------------------------------------------------------------------


def challenge_side(state: ThronesState, seat: str) -> ChallengeSide:
    """A side of the running challenge: its total (AGOT-CHL-24) and its characters."""
    challenge = state.challenge
    assert challenge is not None
    ids = challenge.attackers if seat == challenge.attacker else challenge.defenders
    base = sum(strength(state, state.card(one)) for one in ids)
    return side_with(state, seat, challenge.type, base, len(ids))


def side_with(
    state: ThronesState, seat: str, kind: str, base: int, characters: int
) -> ChallengeSide:
    """A side with so much strength on so many characters.

    A title adds strength only for a player with a participating character (AGOT-TTL-13 to -15).
    """
    title = state.title_of(seat)
    found = list(changes(state, seat, "challenge"))
    if characters and title is not None and title.challenge == kind:
        found.append(Change("add", title.strength))
    return ChallengeSide(modified(base, found), characters)


def eligible(state: ThronesState, seat: str, kind: str) -> tuple[CardInPlay, ...]:
    """The standing characters with the icon that a player controls (AGOT-CHL-8, AGOT-CHL-17)."""
    bypassed = state.challenge.bypassed if state.challenge else ()
    return tuple(
        card
        for card in state.controlled(seat, "character")
        if not card.kneeling and has_icon(state, card, kind) and card.id not in bypassed
    )


# -- totals ----------------------------------------------------------------------------------------


def dominance_total(state: ThronesState, seat: str) -> int:
    """Standing strength (AGOT-DOM-2) plus gold (AGOT-DOM-1), which may be enough alone
    (AGOT-DOM-6); the Crown Regent adds 2 (AGOT-DOM-3, AGOT-TTL-12)."""
    standing = sum(
        strength(state, card) for card in state.controlled(seat, "character") if not card.kneeling
    )
    title = state.title_of(seat)
    found = list(changes(state, seat, "dominance"))
    if title is not None:
        found.append(Change("add", title.dominance))
    return modified(standing + state.house(seat).gold, found)


def powers(state: ThronesState) -> dict[str, int]:
    """The total power of every player who is still in the game."""
    found = {one.id: one.power for one in state.houses if not one.eliminated}
    for card in state.cards:
        if card.power and card.controller in found:
            found[card.controller] += card.power
    return found
