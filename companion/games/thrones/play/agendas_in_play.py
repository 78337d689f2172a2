"""What printed modifiers and agendas do to plot values (AGOT-PLOT-22, AGOT-AGD-6 to -12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.thrones.cards.agendas import SETUP_GOLD, agenda_rule, has_trait
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.catalogue import shipped_entries
from companion.games.thrones.play.state import CardInPlay, HouseInPlay, ThronesState

HOLLOW_HILL, RED_DOOR = "13039", "08039"
KINGS_OF_SUMMER, KINGS_OF_WINTER = "04037", "04038"
RAINS_OF_CASTAMERE = "05045"
NAMING = ("00001", "00003", "00362", "00363", "00366", "14045")
"""Agendas that name something (AGOT-AGD-1)."""
UNDER = {"09045": 7, "26120": 5}
"""Agendas with cards under them, and how many (AGOT-AGD-7, AGOT-AGD-8)."""
SUMMER, WINTER, SCHEME = ("Summer",), ("Winter",), ("Scheme",)


def naming(house: HouseInPlay) -> bool:
    """Whether an agenda of a player names something before set-up (AGOT-AGD-1)."""
    return any(one.code in NAMING or is_own(one) for one in house.deck.agendas)


def cards_under(house: HouseInPlay) -> int:
    """How many cards may go under the agenda before set-up (AGOT-AGD-7, AGOT-AGD-8)."""
    numbers = [UNDER.get(one.code, max(UNDER.values()) if is_own(one) else 0)
               for one in house.deck.agendas]  # fmt: skip
    return max(numbers, default=0)


def is_own(card: CardFacts) -> bool:
    """Whether players entered the card themselves: what it does is not known."""
    return card.code not in shipped_entries()


def has_agenda(house: HouseInPlay, code: str) -> bool:
    return any(card.code == code for card in house.deck.agendas)


def set_up_base(house: HouseInPlay) -> int:
    """The gold of set-up cards with the player's agendas; negative where none may be placed."""
    return min(
        (agenda_rule(card.code).setup_gold for card in house.deck.agendas), default=SETUP_GOLD
    )


def chosen_from(house: HouseInPlay) -> tuple[str, ...]:
    """The plots that may be chosen: Schemes stay beside the plot deck (AGOT-AGD-9)."""
    if not has_agenda(house, RAINS_OF_CASTAMERE):
        return house.plots
    return tuple(code for code in house.plots if not has_trait(house.card(code), SCHEME))


def modifier_sources(
    state: ThronesState, seat: str, value: str, printing: Sequence[CardInPlay]
) -> Iterator[tuple[str, int]]:
    """What changes a plot value of a player: cards that print it, and agendas."""
    house = state.house(seat)
    quiet = value == "gold" and has_agenda(house, HOLLOW_HILL)  # AGOT-AGD-6
    for card in printing:
        change = getattr(card.facts, value)
        if not (quiet and change > 0):
            yield card.name, change
    for agenda in house.deck.agendas:
        if change := getattr(agenda, value):
            yield agenda.name, change  # AGOT-AGD-12
    if value in ("gold", "reserve") and house.plot is not None:
        yield from (pair for pair in kings(state, house, house.plot, value) if pair[1])


def kings(
    state: ThronesState, house: HouseInPlay, plot: CardFacts, value: str
) -> Iterator[tuple[str, int]]:
    """Kings of Summer (AGOT-AGD-10) and Kings of Winter (AGOT-AGD-11)."""
    for other in state.houses:
        if other.eliminated:
            continue
        for agenda in other.deck.agendas:
            if agenda.code in (KINGS_OF_SUMMER, KINGS_OF_WINTER):
                yield agenda.name, king(state, agenda, other, house, plot, value)


def king(
    state: ThronesState,
    agenda: CardFacts,
    holder: HouseInPlay,
    house: HouseInPlay,
    plot: CardFacts,
    value: str,
) -> int:
    """What the agenda of one player changes in the plot of another, or in the own."""
    summer = agenda.code == KINGS_OF_SUMMER
    if value == "reserve":
        return 1 if summer else -1
    if summer:
        mine = holder is house and has_trait(plot, SUMMER)
        return int(mine and not winter_revealed(state))
    cold = holder.plot is not None and has_trait(holder.plot, WINTER)
    return -int(holder is not house and cold and not has_trait(plot, SUMMER))


def winter_revealed(state: ThronesState) -> bool:
    shown = (one.plot for one in state.houses if not one.eliminated)
    return any(plot is not None and has_trait(plot, WINTER) for plot in shown)
