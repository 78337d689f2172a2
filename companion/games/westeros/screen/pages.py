"""The pages beside the table: order pools and command cards, the morale track, the armies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.page import Page, PageCard, Section
from companion.games.westeros.cards.morale_track import LAST, ZONE_WORDS, zone_of
from companion.games.westeros.combat.die import SYMBOL_WORDS, SYMBOLS
from companion.games.westeros.play.state import WesterosState
from companion.games.westeros.play.views import FATES
from companion.games.westeros.screen.views import card_lines
from models.lazy_message import say


def pages(state: WesterosState) -> Sequence[Page]:
    """Orders, morale, armies."""
    return (
        Page("orders", say("Orders"), "flag", tuple(order_sections(state))),
        Page("morale", say("Morale"), "board", (morale_track(state),)),
        Page("armies", say("Armies"), "armies", tuple(army_sections(state))),
    )


def order_sections(state: WesterosState) -> Iterator[Section]:
    """Each house's order pool, command tokens and cards."""
    for house in state.houses:
        cards = [
            PageCard(f"{house.side}-{one}", SYMBOL_WORDS[one], count=house.pool.count(one))
            for one in SYMBOLS
        ]
        for key, text, count in (
            ("tokens", say("command tokens"), house.tokens),
            ("hand", say("cards in hand"), house.hand),
            ("deck", say("cards in the deck"), house.deck),
        ):
            cards.append(PageCard(f"{house.side}-{key}", text, count=count, icon="cards"))
        yield Section(house.player, tuple(cards), "row", house.side)


def morale_track(state: WesterosState) -> Section:
    """Every field from one end to the other; the marker is marked."""
    first, second = state.houses
    cards = []
    for place in range(-LAST, LAST + 1):
        house = second if place > 0 else first
        zone = zone_of(abs(place))
        rout = abs(place) == LAST and house.rout
        title = str(abs(place))
        lines = (say("rout") if rout else ZONE_WORDS[zone.name if zone else "grey"],)
        here = place == state.morale
        cards.append(
            PageCard(
                f"morale-{place}",
                title,
                lines,
                house.side if place else "",
                "star" if here else "",
                "good" if here else "",
            )
        )
    text = say("left: {one}, right: {two}", one=first.player, two=second.player)
    return Section(say("Morale track"), tuple(cards), "track", text=text)


def army_sections(state: WesterosState) -> Iterator[Section]:
    """Every unit of each house."""
    for house in state.houses:
        cards = tuple(
            PageCard(
                one.id,
                one.name,
                (FATES[one.fate], *card_lines(one)),
                house.side,
                "crown" if one.commander else "",
                count=one.figures,
                spent=not one.active,
                piece=one.id,
            )
            for one in state.of(house.side)
        )
        yield Section(house.player, cards, "grid", house.side, state.plan.house(house.side).name)
