"""The pages beside the turn: orders, the morale track, armies, and the legend of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.api.prompt import Choice
from companion.games.api.screen_views import Page, PageCard, Section
from companion.games.shared.places import SIDES_TOLD
from companion.games.westeros.cards.command_card import LAST, ZONE_WORDS, rebuilt, zone_of
from companion.games.westeros.combat.die import SYMBOL_WORDS, SYMBOLS
from companion.games.westeros.play.game_play import FATES
from companion.games.westeros.play.setup_commands import IN_BATTLE
from companion.games.westeros.play.state import (
    NOBODY,
    HouseInBattle,
    WesterosState,
    battle_position,
)
from companion.games.westeros.rules.hex_field import (
    DEVASTATION,
    MARKER_WORDS,
    TERRAIN_WORDS,
    fire_of,
)
from companion.games.westeros.rules.places import place
from companion.games.westeros.screen.views import card_lines
from models.board import cell_text
from models.message import joined, say


def pages(state: WesterosState) -> Sequence[Page]:
    """Orders, morale, armies, and what the signs on the board mean."""
    armies = Page("armies", say("Armies"), "armies", tuple(army_sections(state)))
    return (
        Page("orders", say("Orders"), "flag", tuple(order_sections(state))),
        Page("morale", say("Morale"), "board", (morale_track(state), *morale_by_hand(state))),
        *((armies,) if state.units else ()),  # a skirmish has none until its commanders are chosen
        Page("legend", say("Legend"), "info", tuple(legend(state))),
    )


LEGEND = tuple(
    PageCard(f"legend-{number}", title, tuple(lines), icon=icon)
    for number, (icon, title, *lines) in enumerate(
        (
            ("triangle", say("green rank"), say("hit by ▲ green")),
            ("ring", say("blue rank"), say("hit by ● blue")),
            ("diamond", say("red rank"), say("hit by ◆ red")),
            ("star", say("under command"), say("beside a name: a commander")),
            ("shield", say("Stalwart"), say("may ignore the first flag and strike back")),
            ("swords", say("engaged"), say("the disc between two units is their marker")),
            ("flag", say("ordered"), say("it moves or attacks in this turn")),
            ("check", say("has acted"), say("its banner is turned")),
            ("drop", say("fire"), say("it can neither move nor attack")),
            ("dice", say("the number"), say("figures left; the bar under it shows their share")),
            ("maneuver", say("a number on a hex"), say("what the move costs")),
            ("plus", say("a hex with a plus"), say("no attack afterwards")),
            ("", say("dashed hexes without a number"), say("in reach once it is ordered")),
            ("", say("dotted orange or yellow hexes"), say("where the unit would retreat")),
            ("", say("a thick outline"), say("a command range")),
            ("", say("a line along the board's rim"), say("the edge of the house in its colour")),
            SIDES_TOLD,
        )
    )
)


HEXES = {
    "hill": (
        say("brown, with hills"),
        say("blocks sight; at most 3 dice against it, unless from a hill"),
    ),
    "forest": (
        say("green, with trees"),
        say("a move stops there; blocks sight; at most 2 dice in it and against it"),
    ),
    "river": (say("blue, with waves"), say("nobody enters; everybody sees across")),
    "forest-river": (say("blue, with trees"), say("nobody enters; blocks sight")),
    "building": (
        say("pale, with houses"),
        say("a move stops there; blocks sight; cover 1; at most 2 dice when shooting out of it"),
    ),
    "road": (say("a sand-coloured way"), say("a move along it goes 1 hex farther")),
    "forest-road": (
        say("a sand-coloured way among trees"),
        say("a move along it goes 1 hex farther; blocks sight"),
    ),
    "wooden-bridge": (say("brown, with planks"), say("like a road; no Advance or Pursue onto it")),
    "stone-bridge": (say("grey, with stones"), say("like a road; no Advance or Pursue onto it")),
    "palisade": (say("dark brown, with stakes"), say("nobody enters; blocks sight")),
    "tent": (say("pale, with leaves"), say("changes neither moves nor sight; any fire removes it")),
    "siege-tower": (say("dark brown, with bricks"), say("nobody enters; blocks sight")),
    "ford": (
        say("brown, with pebbles"),
        say("foot stops there, cavalry loses 1 hex; at most 2 dice to strike back"),
    ),
    DEVASTATION: (say("grey, with crosses"), say("counts as plains")),
}
"""What each kind of hex looks like, and what it does (BOW-TER)."""


def legend(state: WesterosState) -> Iterator[Section]:
    """The signs of units and moves, and the hexes of this battlefield."""
    yield Section(say("Signs on the board"), LEGEND)
    words = {word for here in state.board.ground.values() for word in here}
    names = {**TERRAIN_WORDS, **MARKER_WORDS}
    cards = [
        PageCard(f"hex-{word}", say("{look}: {hex}", look=look, hex=names[word]), (does,))
        for word, (look, does) in HEXES.items()
        if word in words
    ]
    if state.plan.victory.sites:
        title = say("a disc: a site to hold")
        lines = say("gold: nobody’s; else in the colour of its holder")
        cards.append(PageCard("hex-site", title, (lines,)))
    if any(fire_of(here) for here in state.board.ground.values()):
        title, line = say("flames: fire"), say("one flame for each level")
        cards.append(PageCard("hex-fire", title, (line,)))
    if cards:
        text = say("as the map draws them")
        yield Section(say("Hexes of this battlefield"), tuple(cards), text=text)


def order_sections(state: WesterosState) -> Iterator[Section]:
    """Each house's order pool, command tokens and cards."""
    for house in state.houses:
        cards = [
            PageCard(
                f"{house.side}-{one}",
                SYMBOL_WORDS[one],
                count=house.pool.count(one),
                choices=by_hand(state, house, "pool", pools(house, one)),
            )
            for one in SYMBOLS
        ]
        for key, text, count in (
            ("tokens", say("command tokens"), house.tokens),
            ("hand", say("cards in hand"), house.hand),
        ):
            changes = by_hand(state, house, key, (count + 1, *([count - 1] if count else [])))
            box = PageCard(f"{house.side}-{key}", text, count=count, icon="cards", choices=changes)
            cards.append(box)
        title, deck = say("cards in the deck"), f"{house.side}-deck"
        cards.append(PageCard(deck, title, count=house.deck, icon="cards"))
        yield Section(house.player, tuple(cards), "row", house.side)
    yield from site_sections(state)


def pools(house: HouseInBattle, symbol: str) -> tuple[list[str], ...]:
    """The order pool with one token more of a kind, and with one fewer."""
    fewer = list(house.pool)
    if symbol in fewer:
        fewer.remove(symbol)
        return [*house.pool, symbol], fewer
    return ([*house.pool, symbol],)


def by_hand(
    state: WesterosState, house: HouseInBattle, key: str, values: Sequence[Any]
) -> tuple[Choice, ...]:
    """What a card's text gives or takes away (BOW-GEN-2): one more, one fewer."""
    if state.phase not in IN_BATTLE:
        return ()
    about = {"do": "effect", "side": house.side}
    words = (say("1 more"), say("1 fewer"))
    return tuple(
        Choice(text, ({**about, key: value},), "quiet")
        for text, value in zip(words, values, strict=False)
    )


def site_sections(state: WesterosState) -> Iterator[Section]:
    """Who holds which site, and the same by hand (BOW-CMP-8)."""
    held, position = dict(state.control), battle_position(state)
    players = {one.side: one.player for one in state.houses}
    cards = []
    for site in state.plan.victory.sites:
        at, holder = cell_text(site.cell), held.get(site.cell, "")
        told = say("held by {player}", player=players[holder]) if holder else say("held by nobody")
        about = {"do": "effect", "to": at}
        choices = tuple(
            Choice(say("held by {player}", player=player), ({**about, "held_by": side},), "quiet")
            for side, player in players.items()
            if side != holder
        )
        if holder:
            none = Choice(say("held by nobody"), ({**about, "held_by": NOBODY},), "quiet")
            choices = (*choices, none)
        choices = choices if state.phase in IN_BATTLE else ()
        title = place(position, site.cell)
        cards.append(PageCard(f"site-{at}", title, (told,), holder, choices=choices))
    if cards:
        yield Section(say("Sites"), tuple(cards), "grid")


def morale_track(state: WesterosState) -> Section:
    """Every field from one end to the other in its colour; boost fields have their arrow."""
    first, second = state.houses
    cards = []
    for step in range(-LAST, LAST + 1):
        depth, house = abs(step), second if step > 0 else first
        zone, arrow = zone_of(depth), "left" if step > 0 else "right"  # towards the middle
        word = "rout" if depth == LAST and house.rout else zone.name if zone else "grey"
        cards.append(
            PageCard(
                f"morale-{step}",
                str(depth),
                (ZONE_WORDS.get(word) or say("rout"),),
                house.side if step else "",
                icon=arrow if zone is not None and depth == zone.boost else "",
                marked=step == state.morale,
                colour="red" if word == "rout" else word,  # type: ignore[arg-type]
                badge="✕" if word == "rout" else "",
            )
        )
    text = say("left: {one}, right: {two}", one=first.player, two=second.player)
    signs = say("an arrow: a boost field; a cross: rout")
    told = joined([text, *morale_words(state), signs], ". ")
    return Section(say("Morale track"), tuple(cards), "track", text=told)


def morale_by_hand(state: WesterosState) -> Iterator[Section]:
    """Morale that a card's text raises or lowers (BOW-MOR-6)."""
    if state.phase not in IN_BATTLE:
        return
    cards = tuple(
        PageCard(
            f"morale-{house.side}",
            house.player,
            seat=house.side,
            choices=tuple(
                Choice(text[0], ({"do": "effect", "side": house.side, "morale": by},), "quiet")
                for n in range(1, MOST_CHANGE + 1)
                for *text, by in (
                    (say("morale {n} higher", n=n), n),
                    (say("morale {n} lower", n=n), -n),
                )
            ),
        )
        for house in state.houses
    )
    yield Section(say("By a card or by hand"), cards, "grid")


MOST_CHANGE = 3
"""The steps of morale that a card's text changes at once, as far as the page offers them."""


def morale_words(state: WesterosState) -> Iterator[str]:
    """Where the marker lies, and what the Regroup phase may do with it (BOW-MOR-9, -10)."""
    house = next((one for one in state.houses if state.depth(one.side) > 0), None)
    if house is None:
        yield say("the marker lies in the middle: morale is even")
        return
    depth, player = state.depth(house.side), house.player
    zone = zone_of(depth)
    yield say(
        "the marker lies {n} field towards {player}: {zone}",
        "the marker lies {n} fields towards {player}: {zone}",
        n=depth,
        player=player,
        zone=ZONE_WORDS[zone.name if zone else "grey"],
    )
    to = rebuilt(depth)
    if to is None:
        yield say("in the Regroup phase it stays: morale does not rise from grey and boost fields")
    else:
        yield say(
            "in the Regroup phase {player} may raise it to {n}, a boost field", player=player, n=to
        )


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
