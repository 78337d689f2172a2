"""What a position of the card game is worth to a player, in power: the numbers, icons and keywords
of the cards. Their texts nobody here can read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import tanh

from companion.games.api.rival import Temper
from companion.games.thrones.cards.agendas import SETUP_GOLD
from companion.games.thrones.cards.card import CHALLENGES, STAYING, CardFacts
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.cards_in_play import dead_names
from companion.games.thrones.play.challenge_flow import allowance
from companion.games.thrones.play.dealt_cards import held
from companion.games.thrones.play.numbers import (
    challenge_side,
    claim_value,
    dominance_total,
    has_icon,
    has_keyword,
    plot_value,
    printed_modifiers,
    strength,
)
from companion.games.thrones.play.prompts.window_prompts import marshaling
from companion.games.thrones.play.state import GOAL, CardInPlay, ThronesState, total_power

STRENGTH, ICON = 0.12, 0.15
KEYWORDS = {"renown": 0.6, "insight": 0.3, "intimidate": 0.25, "stealth": 0.25, "pillage": 0.15}
INCOME, INITIATIVE, RESERVE, CLAIM = 0.35, 0.03, 0.06, 0.4
COST = 0.1
"""What the text of a card is worth for each gold that it costs."""
DUPLICATE = 0.3
IN_HAND, UNREADABLE = 0.35, 0.05
"""A card in hand that it can play, and one that it cannot: an event."""
UNKNOWN = 0.3
"""A card in the hand of somebody else."""
SPENT = 0.9
"""How much of a card's worth it has that could still be marshaled."""
DOMINANCE, DOMINANT_BY = 0.6, 5.0
NEAR_END = 0.06
"""How much more power counts the nearer it is to the end, for each point already there."""


@lru_cache(maxsize=4096)
def card_worth(card: CardFacts) -> float:
    """A card in play by what is printed in numbers."""
    worth = INCOME * card.gold + INITIATIVE * card.initiative + RESERVE * card.reserve
    worth += sum(KEYWORDS.get(word, 0.0) for word in card.keywords)
    if card.type == "character":
        worth += STRENGTH * card.strength + ICON * len(card.icons)
    return worth + COST * (1 + (card.cost or 0))


def in_play(state: ThronesState, card: CardInPlay) -> float:
    """A card in play as it is now."""
    worth = card_worth(card.facts) + DUPLICATE * bool(card.duplicates)
    if card.type == "character":
        worth += STRENGTH * (strength(state, card) - card.facts.strength)
    return worth


def best_purchase(cards: Iterable[CardFacts], gold: int, free: frozenset[str]) -> float:
    """The most that can be put into play for so much gold, one limited card at most; copies of
    what is in play are free."""
    best = {(gold, 0): 0.0}
    for card in cards:
        if card.type not in STAYING or card.cost is None:
            continue
        cost = 0 if card.name in free else card.cost
        worth = DUPLICATE if card.name in free else card_worth(card)
        limited = int("limited" in card.keywords)
        for (left, used), value in list(best.items()):
            key = (left - cost, used + limited)
            if key[0] >= 0 and key[1] < 2 and best.get(key, -1.0) < value + worth:
                best[key] = value + worth
    return max(best.values())


def marketable(state: ThronesState, seat: str) -> list[CardFacts]:
    """The cards in hand that may still come into play."""
    dead = dead_names(state, seat)
    return [one for one in held(state.house(seat)) if not (one.unique and one.name in dead)]


def to_spend(state: ThronesState, seat: str) -> int:
    """The gold that a player may still spend on cards before the challenges."""
    house = state.house(seat)
    if state.phase == "set-up":
        return SETUP_GOLD if house.placed is None else 0
    if state.phase == "marshaling" and seat in state.been_active:
        goes_on = state.window is not None and marshaling(state, state.window)
        return house.gold if state.active == seat and goes_on else 0
    if state.phase not in ("plot", "draw", "marshaling"):
        return 0
    plot = house.card(house.chosen) if house.chosen else house.plot
    more = sum(change for _, change in printed_modifiers(state, seat, "gold"))
    return house.gold + max(0, (plot.gold if plot else 0) + more)


def holdings(state: ThronesState, seat: str) -> float:
    """The cards of a player in play and in hand, the plot, and what the gold still buys."""
    house = state.house(seat)
    worth = sum(in_play(state, card) for card in state.controlled(seat))
    worth += sum(card_worth(house.card(code)) for code in house.placed or ())
    worth += len(house.shadows) * COST * 3
    gold = to_spend(state, seat)
    if house.dealt:
        hand = marketable(state, seat)
        worth += sum(IN_HAND if one.type in STAYING else UNREADABLE for one in hand)
        names = frozenset(one.facts.name for one in state.controlled(seat) if one.facts.unique)
        worth += SPENT * best_purchase(hand, gold, names) if gold else 0.0
    else:
        worth += UNKNOWN * house.hand + COST * gold
    plot = house.card(house.chosen) if house.chosen else house.plot
    if plot is not None:
        worth += CLAIM * plot.claim + INITIATIVE * plot.initiative + RESERVE * plot.reserve
    return worth


# -- challenges ------------------------------------------------------------------------------------


def kinds_left(state: ThronesState, seat: str) -> tuple[str, ...]:
    """The challenges that a player may still initiate this round."""
    if state.phase in ("dominance", "standing", "taxation"):
        return ()
    if state.phase != "challenges" or seat not in state.been_active:
        return CHALLENGES
    if seat != state.active:
        return ()
    return tuple(kind for kind in CHALLENGES if allowance(state, kind))


@dataclass(frozen=True, slots=True)
class Fighter:
    """A standing character as a challenge may need it: in one of several types, once."""

    strength: float
    kinds: frozenset[str]
    renown: bool

    def share(self, kind: str) -> float:
        """How much of it is to be expected in a type."""
        return 1 / len(self.kinds) if kind in self.kinds else 0.0


def fighters(state: ThronesState, seat: str, kinds: tuple[str, ...]) -> list[Fighter]:
    """The standing characters of a player that have an icon of these types."""
    found = []
    for card in state.controlled(seat, "character"):
        able = frozenset(one for one in kinds if not card.kneeling and has_icon(state, card, one))
        if able:
            power = max(0.3, strength(state, card))
            found.append(Fighter(power, able, has_keyword(state, card, "renown")))
    return found


def covered(kinds: Sequence[str], able: Sequence[Fighter]) -> int:
    """In how many of these types the characters can fight, each of them in one."""
    return min(
        len(kinds) - len(some) + sum(not one.kinds.isdisjoint(some) for one in able)
        for n in range(len(kinds) + 1)
        for some in combinations(kinds, n)
    )


def prize(state: ThronesState, kind: str, claim: int, loser: str) -> float:
    """What a won challenge of a type takes from the loser and gives."""
    house = state.house(loser)
    if kind == "power":
        return 2.0 * min(claim, house.power) + 0.1
    if kind == "intrigue":
        return (IN_HAND + 0.1) * min(claim, house.hand)
    worths = sorted(in_play(state, one) for one in state.controlled(loser, "character"))
    return 0.2 + sum(worths[:claim])


def prospects(state: ThronesState, seat: str, other: str) -> float:
    """What a player may still win by challenges against another: the claim, renown, and power for
    those that the other has nobody left to oppose."""
    kinds = kinds_left(state, seat)
    attackers = fighters(state, seat, kinds)
    if not attackers:
        return 0.0
    defenders = fighters(state, other, kinds)
    claim = max(1, plot_value(state, seat, "claim"))
    worth, begun = 0.0, [kind for kind in kinds if any(kind in one.kinds for one in attackers)]
    for kind in begun:
        attack = sum(one.strength * one.share(kind) for one in attackers)
        against = sum(one.strength * one.share(kind) for one in defenders)
        most = sum(one.strength for one in defenders if kind in one.kinds)
        chance = 1.0 if attack >= most else attack**2 / (attack**2 + against**2)
        renown = sum(one.share(kind) for one in attackers if one.renown)
        worth += chance * (prize(state, kind, claim, other) + renown)
    return worth + max(0, covered(begun, attackers) - covered(begun, defenders))


def running_result(state: ThronesState, seat: str) -> float:
    """What the challenge that is resolving brings, as it stands."""
    found = state.challenge
    if found is None or found.claimed or found.wide is not None:
        return 0.0
    attack, defence = (challenge_side(state, one) for one in (found.attacker, found.defender))
    winner, result = challenge_flow.result_of(state, attack, defence)
    if found.compared:
        winner = found.winner
    if not winner:
        return 0.0
    fighters = found.attackers if winner == found.attacker else found.defenders
    worth = sum(has_keyword(state, state.card(one), "renown") for one in fighters) * 1.0
    if winner == found.attacker:
        worth += prize(state, found.type, claim_value(state), found.defender)
        worth += float(result.unopposed and state.step != "4.2.4")
    return worth if winner == seat else -worth if seat in (found.attacker, found.defender) else 0.0


# -- the whole -------------------------------------------------------------------------------------


def standing(state: ThronesState, seat: str) -> float:
    """The power of a player: the nearer to the end, the more each is worth."""
    power = min(GOAL, total_power(state, seat))
    return power * (1 + NEAR_END * power)


def position(state: ThronesState, side: str, temper: Temper) -> float:
    """What the game is worth to a side against its strongest opponent."""
    others = state.opponents(side)
    foe = max(others, key=lambda one: (standing(state, one), one))
    worth = temper.goals * (standing(state, side) - standing(state, foe))
    worth += holdings(state, side) - sum(holdings(state, one) for one in others) / len(others)
    worth += temper.harm * max(prospects(state, side, one) for one in others)
    worth -= temper.safety * sum(prospects(state, one, side) for one in others) / len(others)
    if state.phase not in ("set-up", "standing", "taxation"):
        ahead = dominance_total(state, side) - max(dominance_total(state, one) for one in others)
        worth += DOMINANCE * tanh(ahead / DOMINANT_BY)
    return worth + running_result(state, side)
