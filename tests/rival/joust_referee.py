"""A second count of games that rivals play: from the printed numbers alone, after every step."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from companion.games.thrones.cards.card import DRAW_TYPES
from companion.games.thrones.play.state import CardInPlay, HouseInPlay, ThronesState

GOAL = 15


def of(state: ThronesState, seat: str) -> list[CardInPlay]:
    return [one for one in state.cards if one.controller == seat]


def power(state: ThronesState, house: HouseInPlay) -> int:
    return house.power + sum(one.power for one in of(state, house.id))


def total(state: ThronesState, cards: tuple[str, ...], seat: str = "") -> int:
    """The printed strength; in games of rivals attachments give nothing."""
    own = of(state, seat) if seat else state.cards
    return sum(one.facts.strength for one in own if one.id in cards)


def title_adds(state: ThronesState, seat: str, value: str) -> int:
    """What a title adds in a melee (AGOT-OR-4)."""
    title = next((one for one in state.titles if one.id == state.house(seat).title), None)
    return int(getattr(title, value)) if title is not None else 0


def fighting(state: ThronesState, cards: tuple[str, ...], seat: str, kind: str) -> int:
    """The strength of a side of a challenge; a title adds to that of its type (AGOT-TTL-13)."""
    title = next((one for one in state.titles if one.id == state.house(seat).title), None)
    fits = cards and title is not None and title.challenge == kind
    return total(state, cards) + (title.strength if fits and title is not None else 0)


class JoustReferee:
    """Compares each state with what the one before it allows."""

    def __init__(self) -> None:
        self.before: ThronesState | None = None

    def check(self, state: ThronesState) -> None:
        for house in state.houses:
            conserved(state, house)
        if self.before is not None and self.before.round <= state.round:
            self.step(self.before, state)
        self.before = state

    def step(self, before: ThronesState, state: ThronesState) -> None:
        """What one command may have changed."""
        if state.winner:
            winner = state.house(state.winner)
            others = [one for one in state.houses if one.id != winner.id]
            enough = power(state, winner) >= GOAL
            assert enough or all(one.eliminated for one in others), "won without power"
            return
        assert all(power(state, one) < GOAL for one in state.houses), "nobody has won with 15"
        found = state.challenge
        if found is not None and found.compared and not (before.challenge or found).compared:
            attack = fighting(state, found.attackers, found.attacker, found.type)
            defence = fighting(state, found.defenders, found.defender, found.type)
            right = found.attacker if attack >= max(1, defence) else found.defender
            if not attack and not found.defenders:
                right = ""
            if max(attack, defence):
                assert found.winner == right, (attack, defence, found)
            if found.winner == found.attacker:
                assert found.unopposed == (defence == 0), found
        if state.step == "AW3" and state.active and before.active != state.active:
            self.income(before, state)
        if before.phase == "challenges" and state.phase == "dominance":
            self.dominance(before, state)
        if state.round > before.round:
            assert not any(one.kneeling for one in state.cards)
            assert not any(one.kneeling for one in state.houses)
            assert not any(one.gold for one in state.houses)

    def income(self, before: ThronesState, state: ThronesState) -> None:
        """Income is the plot's gold and what own cards print (AGOT-MAR-2); agendas change it."""
        house = state.house(state.active)
        assert house.plot is not None
        if any(one.deck.agendas for one in state.houses):
            return
        income = house.plot.gold + sum(one.facts.gold for one in of(state, house.id))
        income += title_adds(state, house.id, "gold")
        got = house.gold - before.house(house.id).gold
        assert got == max(0, income), (house.name, got, income)

    def dominance(self, before: ThronesState, state: ThronesState) -> None:
        """The most standing strength and gold gains 1 power (AGOT-DOM-4)."""
        upright = tuple(one.id for one in state.cards if not one.kneeling)
        totals = {
            one.id: one.gold
            + total(state, upright, one.id)
            + title_adds(state, one.id, "dominance")
            for one in state.houses
            if not one.eliminated
        }
        best = [seat for seat, n in totals.items() if n == max(totals.values())]
        assert state.dominant == (best[0] if len(best) == 1 else ""), totals
        gained = sum(power(state, one) for one in state.houses)
        gained -= sum(power(before, one) for one in before.houses)
        assert gained == (len(best) == 1), (gained, totals)


def conserved(state: ThronesState, house: HouseInPlay) -> None:
    """Every card of a deck is somewhere, once."""
    assert len(house.dealt) == house.hand + house.draw_deck, house.name
    own = [one for one in state.cards if one.owner == house.id]
    there = Counter(
        chain(
            house.dealt, house.discard, house.dead, house.removed, house.shadows, house.under,
            house.placed or (), (one.facts.code for one in own),
            *(one.duplicates for one in own),
        )
    )  # fmt: skip
    deck = Counter({card.code: n for card, n in house.deck.of_type(*DRAW_TYPES)})
    assert there == deck, {code: (there[code], deck[code]) for code in there | deck}
