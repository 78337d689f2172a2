"""The draw of a skirmish: set-up cards for units and terrain, and the mace (BOW-SKM-6 to -8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.westeros.cards.battle_plan import BASIC_CARDS, COMMANDER_CARDS
from companion.games.westeros.cards.skirmish import SetupCard, SkirmishRules
from companion.games.westeros.cards.unit_cards import RANK_WORDS, CommanderCard, UnitReference
from companion.games.westeros.play.context import WesterosContext
from companion.games.westeros.play.events import round_events
from companion.games.westeros.play.setup import plain_unit
from companion.games.westeros.play.state import DRAW, HouseInBattle, WesterosState, kind
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from models.frozen_records import replace
from models.message import Name, joined, say

Cards = tuple[dict[str, UnitReference], dict[str, CommanderCard]]
UNITS, TERRAIN = "units", "terrain"


@kind("revealed", "the commanders are revealed: {names}")
def revealed(state: WesterosState, *, names: str) -> WesterosState:
    return replace(state, phase=DRAW)


def drawn_title(player: str, what: str, names: str) -> str:
    """What a player has drawn; nothing if the reference card says no draw."""
    if not names:
        return ""
    if what == "units":
        return say("{player} has drawn for units: {names}", player=player, names=names)
    return say("{player} has drawn for terrain: {names}", player=player, names=names)


@kind("cards-drawn", drawn_title)
def cards_drawn(
    state: WesterosState, *, side: str, player: str, what: str, cards: Sequence[str], names: str
) -> WesterosState:
    house = state.house(side)
    if what == "units":
        return state.with_house(replace(house, unit_cards=tuple(cards)))
    return state.with_house(replace(house, terrain_cards=tuple(cards)))


@dataclass(frozen=True, slots=True)
class CardDraw:
    """What a house draws next: for units or for terrain, how many of which set-up cards."""

    side: str
    what: str
    count: int
    cards: tuple[str, ...]

    @property
    def rule(self) -> str:
        return "BOW-SKM-7" if self.what == UNITS else "BOW-SKM-8"


def rules_of(state: WesterosState) -> SkirmishRules:
    assert state.skirmish is not None
    return state.skirmish


def next_draw(state: WesterosState, side: str) -> CardDraw | None:
    """What a house still draws; used commanders and drawn cards are in the box."""
    rules, house = rules_of(state), state.house(side)
    if house.terrain_cards is not None:
        return None
    box = {*(house.chosen or ()), *(house.unit_cards or ())}
    left = tuple(one.id for one in rules.of(side) if one.id not in box)
    if house.unit_cards is None:
        return CardDraw(side, UNITS, min(rules.unit_draw, len(left)), left)
    return CardDraw(side, TERRAIN, min(rules.terrain_draw, len(left)), left)


def open_draws(state: WesterosState) -> Iterator[CardDraw]:
    """What each house still draws."""
    return (found for one in state.sides if (found := next_draw(state, one)) is not None)


def draw_step(ctx: WesterosContext) -> bool:
    """Nothing is asked where nothing is drawn; False if players are asked."""
    left = list(open_draws(ctx.state))
    for one in left:
        if not one.count:
            take_cards(ctx, one, ())
            return True
    if left or not rules_of(ctx.state).mace:
        return False
    form_forces(ctx, rules_of(ctx.state).mace)
    return True


def take_cards(ctx: WesterosContext, draw: CardDraw, cards: tuple[str, ...]) -> None:
    """A house has drawn these cards."""
    names = joined([setup_part(ctx.state, one, draw.what) for one in cards])
    about = {"side": draw.side, "player": ctx.player(draw.side)}
    ctx.add(cards_drawn, what=draw.what, cards=list(cards), names=names, **about)


def setup_part(state: WesterosState, card: str, what: str) -> str:
    """The units of a set-up card with their ranks, or its overlays."""
    found = next(one for one in rules_of(state).setup_cards if one.id == card)
    if what == TERRAIN:
        return joined([TERRAIN_WORDS[one] for one in found.overlays], " + ")
    names = {one.id: one.label for one in state.references}
    units = [
        say("{unit} ({rank})", unit=names[one.card], rank=RANK_WORDS[one.rank])
        for one in found.units
    ]
    return joined(units, " + ")


def reveal(ctx: WesterosContext) -> None:
    """Both have chosen: the commanders are revealed, and the players draw (BOW-SKM-4)."""
    leaders = {one.id: one.name for one in ctx.state.commanders}
    cards = {one.id: leaders[one.commander] for one in rules_of(ctx.state).setup_cards}
    told = [
        joined([Name(one.player), joined([Name(cards[name]) for name in one.chosen or ()])], ": ")
        for one in ctx.state.houses
    ]
    ctx.add(revealed, names=joined(told, "; "))


def drawn_mace(ctx: WesterosContext) -> str:
    """The house with the mace: named by the reference card, or drawn (BOW-SKM-6, BOW-SKM-14)."""
    return rules_of(ctx.state).mace or ctx.state.sides[ctx.dice(1, 2)[0] - 1]


def draw_forces(ctx: WesterosContext) -> None:
    """Everything is drawn by the companion (BOW-SKM-7, BOW-SKM-8)."""
    rules = rules_of(ctx.state)
    drawn: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for house in ctx.state.houses:
        chosen = house.chosen or ()
        rest = ctx.shuffled(tuple(one.id for one in rules.of(house.side) if one.id not in chosen))
        left = ctx.shuffled(rest[rules.unit_draw :])
        drawn[house.side] = rest[: rules.unit_draw], left[: rules.terrain_draw]
    add_forces(ctx, drawn, drawn_mace(ctx))


def form_forces(ctx: WesterosContext, mace: str) -> None:
    """The forces of the cards that both houses have drawn."""
    drawn = {one.side: (one.unit_cards or (), one.terrain_cards or ()) for one in ctx.state.houses}
    add_forces(ctx, drawn, mace)


def add_forces(
    ctx: WesterosContext, drawn: dict[str, tuple[tuple[str, ...], tuple[str, ...]]], mace: str
) -> None:
    """The units and overlays of the drawn cards, and the command decks."""
    units: list[dict[str, Any]] = []
    overlays: dict[str, list[str]] = {}
    for house in ctx.state.houses:
        for_units, for_terrain = drawn[house.side]
        deck = {one.id: one for one in rules_of(ctx.state).of(house.side)}
        units += house_units(ctx.state, house, deck, for_units)
        overlays[house.side] = [word for name in for_terrain for word in deck[name].overlays]
    listed = joined([forces_of(ctx.player(side), side, units) for side in ctx.state.sides], "; ")
    ctx.add(
        round_events.forces,
        units=units,
        overlays=overlays,
        decks={one.side: deck_size(one) for one in ctx.state.houses},
        mace=mace,
        names=listed,
        player=ctx.player(mace),
    )


def deck_size(house: HouseInBattle) -> int:
    """The command cards of a house and of its commanders (BOW-SET-4)."""
    return BASIC_CARDS + COMMANDER_CARDS * len(house.chosen or ())


def house_units(
    state: WesterosState, house: HouseInBattle, deck: dict[str, SetupCard], drawn: tuple[str, ...]
) -> list[dict[str, Any]]:
    cards: Cards = (
        {one.id: one for one in state.references},
        {one.id: one for one in state.commanders},
    )
    return formed(house.side, deck, house.chosen or (), drawn, cards)


def forces_of(player: str, side: str, units: list[dict[str, Any]]) -> str:
    """A player with the names of the units of that house."""
    names = joined([Name(one["name"]) for one in units if one["side"] == side])
    return joined([Name(player), names], ": ")


def formed(
    side: str,
    deck: dict[str, SetupCard],
    chosen: tuple[str, ...],
    drawn: tuple[str, ...],
    cards: Cards,
) -> list[dict[str, Any]]:
    """The units of a house: one for each commander, and those of the drawn cards."""
    found: list[tuple[str, UnitReference, str, CommanderCard | None]] = []
    for name in chosen:
        commander = cards[1][deck[name].commander]
        found.append((commander.name, cards[0][commander.unit], deck[name].rank, commander))
    for name in drawn:
        for unit in deck[name].units:
            card = cards[0][unit.card]
            found.append((card.name, card, unit.rank, None))
    count = Counter(name for name, *_ in found)
    seen: Counter[str] = Counter()
    units = []
    for number, (name, reference, rank, leader) in enumerate(found, 1):
        seen[name] += 1
        shown = f"{name} {seen[name]}" if count[name] > 1 else name
        units.append(plain_unit(f"{side[0]}{number}", side, shown, reference, rank, leader))
    return units
