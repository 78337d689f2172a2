"""What a side cannot know, as it might be: hands, decks, secret choices, titles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from companion.games.thrones.play.agendas_in_play import chosen_from
from companion.games.thrones.play.flow import choosing_title
from companion.games.thrones.play.state import HouseInPlay, ThronesState


def veiled(state: ThronesState, side: str | None, seed: int) -> ThronesState:
    """Other chance to come; the decks of all, and the hands, choices, set-up cards, shadows and
    titles of others are what they might be."""
    chance = Random(f"{side}/{seed}")
    houses = tuple(
        redealt(one, one.hand, chance) if one.id == side else unknown(one, chance)
        for one in state.houses
    )
    state = replace(state, seed=seed, houses=houses)
    return guessed_titles(state, side, Random(f"{side}/{seed}/titles"))


def redealt(house: HouseInPlay, known: int, chance: Random) -> HouseInPlay:
    """A player whose cards that the app keeps lie in another order after those that are known."""
    rest = sorted(house.dealt[known:])
    chance.shuffle(rest)
    return replace(house, dealt=(*house.dealt[:known], *rest))


def unknown(house: HouseInPlay, chance: Random) -> HouseInPlay:
    """A player as the others know him: the secrets are such as he might have."""
    plots = sorted(chosen_from(house))
    chosen = chance.choice(plots) if house.chosen and plots else house.chosen
    placed = () if house.placed else house.placed  # hidden until all are turned up (AGOT-SET-16)
    dark = ("",) * len(house.shadows)
    under = ("",) * len(house.under)
    house = replace(house, chosen=chosen, placed=placed, shadows=dark, under=under)
    return redealt(house, 0, chance)


# -- titles ----------------------------------------------------------------------------------------


def guessed_titles(state: ThronesState, side: str | None, chance: Random) -> ThronesState:
    """The titles that others have taken in secret, and those set aside, as they might lie
    (AGOT-TTL-5).

    Who takes one sees those that are left: which were gone before is known then, and which others
    choose from afterwards, but never who has which.
    """
    takers = [one.id for one in state.houses if one.taken and one.id != side]
    if not takers and not state.aside:
        return state
    open_to_side = seen_by(state, side)
    early = [one for one in takers if state.house(one).taken not in open_to_side]
    late = [one for one in takers if one not in early]
    own = state.house(side).taken if side is not None else None
    unseen = {one.id for one in state.titles} - {*open_to_side, own}
    state, left = dealt_titles(state, early, unseen, chance)
    state = replace(state, aside=left[: len(state.aside)])
    return dealt_titles(state, late, open_to_side, chance)[0]


def seen_by(state: ThronesState, side: str | None) -> set[str]:
    """The titles that lay before a player who takes or took one, without the own; none for others,
    who have seen none."""
    if side is None or side not in state.order:
        return set()
    if choosing_title(state) != side and state.house(side).taken is None:
        return set()
    before = state.order[: state.order.index(side)]
    gone = {state.house(one).taken for one in state.seats if one in before or one == side}
    gone |= {state.house(one).taken for one in state.seats if one not in state.order}
    return {one.id for one in state.titles} - gone - set(state.aside)


def dealt_titles(
    state: ThronesState, takers: Iterable[str], titles: Iterable[str], chance: Random
) -> tuple[ThronesState, tuple[str, ...]]:
    """These players with titles of these by chance, and what is left of them."""
    pile = sorted(titles)
    chance.shuffle(pile)
    for seat in takers:
        state = state.with_house(replace(state.house(seat), taken=pile.pop()))
    return state, tuple(pile)
