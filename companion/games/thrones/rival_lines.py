"""What a player of the card game may do now, as far as the app knows the cards: who is asked, and
the commands that are worth a thought.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.games.api.rival import Line, asked
from companion.games.thrones.cards.agendas import has_trait
from companion.games.thrones.cards.card import CHALLENGES, STAYING, CardFacts
from companion.games.thrones.play import PLAY, challenge_flow
from companion.games.thrones.play.agendas_in_play import chosen_from
from companion.games.thrones.play.commands.setup_commands import placing_problem, set_up_cost
from companion.games.thrones.play.dealt_cards import held, might_act, surprises
from companion.games.thrones.play.events.challenge_events import running
from companion.games.thrones.play.flow import (
    choosing_plots,
    excess,
    loose_attachments,
    mulligan_seat,
    over_reserve,
    placing_seat,
    tied_leaders,
)
from companion.games.thrones.play.numbers import (
    challenge_side,
    claim_value,
    eligible,
    has_keyword,
    strength,
)
from companion.games.thrones.play.prompts.window_prompts import can_marshal, hosts, marshaling
from companion.games.thrones.play.state import INTO_SHADOWS, CardInPlay, ThronesState
from companion.games.thrones.rival_value import card_worth, in_play, prize

ALL_PASS = {"do": "pass", "all": True}
HOSTILE = ("Condition",)
"""A trait of attachments that mostly harm whom they are on."""
FEW = 5
"""Of so many characters every set is looked at."""


def asked_seats(state: ThronesState) -> tuple[str, ...]:
    """The players of whom an answer is wanted that the app can give; nobody where texts of cards
    are resolved or all decide together."""
    if state.contest:
        return (state.first,)
    if state.bestowing is not None:
        return (state.bestowing.controller,)
    if by_text(state):
        return ()
    if state.window is not None:
        return window_seats(state)
    match state.step:
        case "SETUP-7":
            return (mulligan_seat(state),)
        case "SETUP-8":
            return (placing_seat(state),)
        case "SETUP-9":
            return (state.card(loose_attachments(state)[0]).owner,)
        case "1.2":
            return choosing_plots(state)
        case "1.3.II":
            return (next(iter(tied_leaders(state)), state.first),)
        case "4.2":
            return (state.active,)
        case "4.2.1":
            return (running(state).defender,)
        case "4.2.4":
            wide = challenge_flow.asks_wide_claim(state)
            return (running(state).attacker if wide else state.sufferer,)
        case "4.2.5":
            ordered = challenge_flow.order_asked(state)
            return (state.first if ordered else running(state).winner,)
        case "7.3":
            return (over_reserve(state),)
        case "1.4" | "4.2.X":
            return tuple(one.side for one in PLAY.pending(state) if one.side)
    return ()


def by_text(state: ThronesState) -> bool:
    """Whether a card's text is resolved now, or asked for."""
    text = state.decision is not None or bool(state.triggers)
    return text or (state.window is not None and state.unanswered is not None)


def window_seats(state: ThronesState) -> tuple[str, ...]:
    """Who acts in a window: who may marshal, or the holder; a seat that the app plays only where
    others cannot know that it has no card for it."""
    window = state.window
    assert window is not None
    if marshaling(state, window):
        active = state.active
        if active == window.holder or (state.house(active).dealt and any(entries(state, active))):
            return (active,)
    holder = window.holder
    if state.house(holder).dealt and not might_act(state, holder):
        return ()
    return (holder,)


def lines(state: ThronesState, side: str) -> Sequence[Line]:
    """The lines of a side, each with a guess of its worth."""
    if by_text(state):
        return ()
    if state.window is not None and not state.bestowing and not state.contest:
        return [*window_lines(state, side)]
    match state.step:
        case "SETUP-8" if state.house(side).dealt:
            return [*placements(state, side)]
        case "1.2" if not state.house(side).chosen:
            return [*plots(state, side)]
        case "4.2":
            return [*attacks(state)]
        case "4.2.1":
            return [*defences(state)]
        case "4.2.2":
            return [Line(({"do": "continue"},))]
        case "4.2.4" if running(state).type == "military":
            return [*victims(state)]
        case "4.2.5":
            return [*keywords(state)]
        case "7.3" if state.house(side).dealt:
            return [discards(state, side)]
    return [Line((command,)) for command in asked(PLAY, state, side)]


# -- set-up, plots, marshaling ---------------------------------------------------------------------


def placements(state: ThronesState, side: str) -> Iterator[Line]:
    """Sets of cards for the gold of set-up; in the dark go none."""
    hand = [one for one in held(state.house(side)) if one.type in STAYING and one.cost is not None]
    for n in range(len(hand) + 1):
        for cards in {tuple(one.code for one in some): list(some)
                      for some in combinations(hand, n)}.values():  # fmt: skip
            bare = any(one.type == "attachment" for one in cards)
            bare = bare and not any(one.type == "character" for one in cards)
            if not bare and placing_problem(state, side, cards, []) is None:
                codes = [one.code for one in cards]
                worth = sum(map(card_worth, cards)) + 0.01 * set_up_cost(state, side, cards)
                yield Line(({"do": "place", "seat": side, "cards": codes},), worth)


def plots(state: ThronesState, side: str) -> Iterator[Line]:
    house = state.house(side)
    for code in dict.fromkeys(chosen_from(house)):
        card = house.card(code)
        yield Line(({"do": "choose-plot", "seat": side, "plot": code},), card.gold + card.claim)


def window_lines(state: ThronesState, side: str) -> Iterator[Line]:
    """Cards that come into play now, or to pass."""
    window = state.window
    assert window is not None
    if marshaling(state, window) and side == state.active:
        own = tuple(entries(state, side)) if state.house(side).dealt else ()
        yield from own
        if window.holder != side:  # the others have passed when it marshals on
            yield Line((ALL_PASS, ALL_PASS))
        elif own or state.house(side).dealt:
            yield Line(({"do": "pass", "seat": side},))
        return
    asked = window.holder == side
    actions = tuple(surprising(state, side)) if asked else ()
    yield from actions
    alone = asked and might_act(state, side)
    yield Line(({"do": "pass", "seat": side},) if actions or alone else (ALL_PASS,))


def entries(state: ThronesState, side: str) -> Iterator[Line]:
    """Cards in hand that can be marshaled, or put into shadows."""
    for card in dict.fromkeys(held(state.house(side))):
        if card.type in STAYING and can_marshal(state, side, card):
            yield from entering(state, side, card, {"do": "marshal", "seat": side})
        elif "shadow" in card.keywords and state.house(side).gold >= INTO_SHADOWS:
            yield Line(({"do": "into-shadows", "seat": side, "card": card.code},), 0.1)


def entering(
    state: ThronesState, side: str, card: CardFacts, command: dict[str, str]
) -> Iterator[Line]:
    """A card that comes into play, an attachment on the character that has most of it."""
    chosen = {**command, "card": card.code}
    if card.type == "attachment":
        foes = has_trait(card, HOSTILE)
        able = [state.card(one) for one, _ in hosts(state, side, card)]
        able = [one for one in able if (one.controller != side) == foes]
        if not able:
            return
        host = max(able, key=lambda one: (in_play(state, one), one.id))
        chosen["host"] = host.id
    yield Line((chosen,), card_worth(card))


def surprising(state: ThronesState, side: str) -> Iterator[Line]:
    """Cards out of shadows, and ambushes."""
    for word, card in surprises(state, state.house(side)):
        yield from entering(state, side, card, {"do": word, "seat": side})


def discards(state: ThronesState, side: str) -> Line:
    """The cards above the reserve: what it cannot play first, then the least."""
    worst = sorted(
        held(state.house(side)), key=lambda one: (one.type in STAYING, card_worth(one), one.code)
    )
    codes = [one.code for one in worst[: excess(state, side)]]
    return Line(({"do": "reserve", "seat": side, "cards": codes},))


# -- challenges ------------------------------------------------------------------------------------


def sets(state: ThronesState, cards: Sequence[CardInPlay]) -> Iterator[tuple[CardInPlay, ...]]:
    """Sets of characters: all of a few, else alone, in pairs, and the strongest or weakest."""
    ranked = sorted(cards, key=lambda one: (-strength(state, one), one.id))
    if len(ranked) <= FEW:
        for n in range(1, len(ranked) + 1):
            yield from combinations(ranked, n)
        return
    yield from ((one,) for one in ranked)
    for n in range(2, len(ranked) + 1):
        yield tuple(ranked[:n])
        if n < len(ranked):
            yield tuple(ranked[-n:])


def attacks(state: ThronesState) -> Iterator[Line]:
    """Challenges of each type with sets of attackers, who bypass and assault where they can."""
    side = state.active
    yield Line(({"do": "no-challenge"},))
    for kind in CHALLENGES:
        if not challenge_flow.allowance(state, kind):
            continue
        for other in challenge_flow.allowed_opponents(state, kind):
            for cards in sets(state, eligible(state, side, kind)):
                yield attack(state, kind, other, cards)


def attack(state: ThronesState, kind: str, other: str, cards: Sequence[CardInPlay]) -> Line:
    """One challenge: stealth takes the strongest defenders, assault the dearest location."""
    able = sorted(eligible(state, other, kind), key=lambda one: (-strength(state, one), one.id))
    passed = [one for one in able if not has_keyword(state, one, "stealth")]
    sneaks = [one for one in cards if has_keyword(state, one, "stealth")]
    pairs = {one.id: target.id for one, target in zip(sneaks, passed, strict=False)}
    command: dict[str, object] = {"do": "challenge", "type": kind, "against": other}
    command["attackers"] = [one.id for one in cards]
    if pairs:
        command["stealth"] = pairs
    halls = challenge_flow.assault_targets(state, cards, (other,))
    if halls:
        command["assault"] = max(halls, key=lambda one: (one.facts.cost or 0, one.id)).id
    total = sum(strength(state, one) for one in cards)
    against = sum(strength(state, one) for one in able if one.id not in pairs.values())
    share = total / max(1, total + against)
    plot = state.house(state.active).plot
    claim = plot.claim if plot is not None else 1
    bonus = 1.0 if not against else 0.0
    guess = share * share * prize(state, kind, claim, other) + bonus - 0.1 * len(cards)
    return Line((command,), guess)


def defences(state: ThronesState) -> Iterator[Line]:
    """No defender, or sets of them: those that win with least, and one that stays in the way."""
    found = running(state)
    able = eligible(state, found.defender, found.type)
    yield Line(({"do": "defend", "defenders": []},), 0.0)
    attack = challenge_side(state, found.attacker).total
    for cards in sets(state, able):
        total = sum(strength(state, one) for one in cards)
        guess = (1.0 if total > attack else 0.5) - 0.1 * len(cards) - 0.02 * total
        yield Line(({"do": "defend", "defenders": [one.id for one in cards]},), guess)


def victims(state: ThronesState) -> Iterator[Line]:
    """Who dies: the least worth, and duplicates save whom they can."""
    cards = challenge_flow.claim_victims(state)
    due = min(claim_value(state), len(cards))
    ranked = sorted(cards, key=lambda one: (in_play(state, one), one.id))[: due + FEW]
    for some in combinations(ranked, due):
        saves = {one.id: "duplicate" if one.duplicates else "none" for one in some}
        command = {"do": "claim", "cards": [one.id for one in some], "save": saves}
        yield Line((command,), -sum(in_play(state, one) for one in some if not one.duplicates))


def keywords(state: ThronesState) -> Iterator[Line]:
    """Every keyword is used; the strongest character is intimidated."""
    if challenge_flow.order_asked(state):
        words = running(state).keywords
        yield from (Line(({"do": "keyword-order", "keyword": word},)) for word in words)
        return
    due = challenge_flow.due_keyword(state)
    for word in (due,) if due else running(state).keywords:
        command = {"do": "keyword", "keyword": word}
        if word == "intimidate":
            targets = challenge_flow.intimidated(state)
            if not targets:
                yield Line(({**command, "decline": True},))
                continue
            command["target"] = max(targets, key=lambda one: (strength(state, one), one.id)).id
        yield Line((command,))
