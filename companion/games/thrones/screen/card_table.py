"""The table as records: the cards before each player, the plots, the titles, and the challenge."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.card_table import (
    CardLook,
    CardTable,
    Contest,
    ContestSide,
    CountView,
    PlotView,
    SeatCards,
    TableCard,
    TrackRow,
)
from companion.games.thrones.cards.card import CHALLENGES, NEUTRAL
from companion.games.thrones.cards.titles import told_title
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.numbers import (
    PLOT_VALUES,
    claim_value,
    has_icon,
    plot_value,
    strength,
)
from companion.games.thrones.play.prompts.challenge_prompts import (
    DECLARE,
    challenge_totals,
    expected_result,
    lack_facts,
    prize_words,
)
from companion.games.thrones.play.state import (
    FACTION_CARD,
    CardInPlay,
    Challenge,
    HouseInPlay,
    ThronesState,
)
from models.message import joined, say, word

SHORT_FACTIONS = {
    "stark": say("Stark"),
    "lannister": say("Lannister"),
    "baratheon": say("Baratheon"),
    "greyjoy": say("Greyjoy"),
    "tyrell": say("Tyrell"),
    "martell": say("Martell"),
    "targaryen": say("Targaryen"),
    "nights-watch": say("Night's Watch"),
}
"""The factions where there is little room."""
LOOKS = {
    "stark": CardLook("#56636F", "#A9B6C2", "peaks"),
    "lannister": CardLook("#7E2430", "#D9707A", "claws"),
    "baratheon": CardLook("#5E5020", "#CDBB72", "antler"),
    "greyjoy": CardLook("#235063", "#7FB6CB", "waves"),
    "tyrell": CardLook("#2F5A34", "#8CC48F", "antler"),
    "martell": CardLook("#7A4417", "#E0A066", "flame"),
    "targaryen": CardLook("#54284A", "#C98ABB", "flame"),
    "nights-watch": CardLook("#2E2F36", "#9A9CA8", "tower"),
    NEUTRAL: CardLook("#4A463E", "#B5AD9C", "tower"),
}
"""The colours of the factions."""
SIGNS = {"military": "swords", "intrigue": "eye", "power": "crown"}
TYPE_SIGNS = {"location": "home", "attachment": "plug"}
"""A card face down has none (AGOT-ZONE-31)."""
PLOT_SIGNS = {"gold": "coins", "initiative": "speed", "claim": "flag", "reserve": "cards"}
PLOT_WORDS = {
    "gold": say("gold"),
    "initiative": say("initiative"),
    "claim": say("claim"),
    "reserve": say("reserve"),
}


def card_table(state: ThronesState) -> CardTable:
    """Everything that lies on the table."""
    return CardTable(
        tuple(seat_cards(state, house) for house in state.houses),
        contest(state, state.challenge) if state.challenge is not None else None,
        *turn_track(state),
        state.active,
    )


# -- players ---------------------------------------------------------------------------------------


def seat_cards(state: ThronesState, house: HouseInPlay) -> SeatCards:
    """What lies before a player; an attachment lies under its host."""
    own = [one for one in state.controlled(house.id) if one.type not in ("location", "attachment")]
    places = list(state.controlled(house.id, "location"))
    loose = [
        one
        for one in state.cards
        if one.type == "attachment"
        and (one.host == FACTION_CARD + house.id or not one.host)
        and (one.host or one.controller == house.id)
    ]
    title = state.title_of(house.id)
    faction = SHORT_FACTIONS.get(house.faction, house.faction)
    agendas = [card.name for card in house.deck.agendas]
    piles = [
        CountView("cards", house.draw_deck, say("deck")),
        CountView("cards", len(house.discard), say("discard")),
        CountView("cards", len(house.dead), word("count", "dead")),
    ]
    if house.shadows:
        piles.append(CountView("eye", len(house.shadows), say("shadows")))
    return SeatCards(
        house.id,
        LOOKS.get(house.faction, LOOKS[NEUTRAL]),
        FACTION_CARD + house.id,
        joined([faction, *agendas], " · "),
        seat_tag(state, house),
        title.name if title is not None else "",
        title_note(state, house.id),
        (
            CountView("coins", house.gold, word("count", "gold")),
            CountView("cards", house.hand, word("count", "hand")),
        ),
        tuple(piles),
        plot_view(state, house),
        tuple(table_card(state, one) for one in (*own, *loose)),
        tuple(table_card(state, one) for one in places),
        say("{n} location", "{n} locations", n=len(places)),
        house.eliminated,
    )


def title_note(state: ThronesState, seat: str) -> str:
    """What a title does; whom it supports and rivals of those who sit here (AGOT-TTL-16, -17)."""
    title = state.title_of(seat)
    if title is None:
        return ""
    supported = [state.house(one).name for one in state.living if state.supports(seat, one)]
    rivals = [state.house(one).name for one in state.living if state.rivals(seat, one)]
    return told_title(title, joined(supported), joined(rivals))


def seat_tag(state: ThronesState, house: HouseInPlay) -> str:
    """What a player is in the challenge, else whether out of the game or first player."""
    if (running := side_tag(state.challenge, house.id)) and state.challenge is not None:
        return running
    if house.eliminated:
        return say("eliminated")
    if house.kneeling:
        return say("faction card kneels")
    return say("first player") if house.id == state.first else ""


def side_tag(challenge: Challenge | None, seat: str) -> str:
    """Whether a player attacks or defends."""
    if challenge is None or seat not in (challenge.attacker, challenge.defender):
        return ""
    return say("attacks") if seat == challenge.attacker else say("defends")


def plot_view(state: ThronesState, house: HouseInPlay) -> PlotView | None:
    """The revealed plot with its values now (AGOT-CMP-8)."""
    if house.plot is None:
        return None
    numbers = (
        CountView(PLOT_SIGNS[one], plot_value(state, house.id, one), PLOT_WORDS[one])
        for one in PLOT_VALUES
    )
    return PlotView(house.plot.name, tuple(numbers))


# -- cards -----------------------------------------------------------------------------------------


def table_card(state: ThronesState, card: CardInPlay) -> TableCard:
    """A card in play with its numbers now, and what is attached to it."""
    facts = card.facts
    if card.type == "character":
        icons = tuple(SIGNS[one] for one in CHALLENGES if has_icon(state, card, one))
    else:
        icons = (TYPE_SIGNS[card.type],) if card.type in TYPE_SIGNS else ()
    cost = "X" if "cost" in facts.variable else "" if facts.cost is None else str(facts.cost)
    fights = state.challenge is not None and card.id in state.challenge.participants
    bypassed = state.challenge is not None and card.id in state.challenge.bypassed
    given = dict(dict(state.gives).get(facts.code, ())).get("strength", 0)
    return TableCard(
        card.id,
        say("{card}, {value:+d}", card=card.name, value=given)
        if card.host and given
        else card.name,
        LOOKS.get(facts.faction, LOOKS[NEUTRAL]),
        card.type,
        cost,
        strength(state, card) if card.type == "character" else None,
        icons,
        card.kneeling,
        fights,
        card.power,
        len(card.duplicates),
        tuple(f"{count} {name}" for name, count in card.tokens),
        say("bypassed by stealth") if bypassed else "",
        tuple(table_card(state, one) for one in state.attached(card.id)),
    )


# -- the challenge ---------------------------------------------------------------------------------


def contest(state: ThronesState, challenge: Challenge) -> Contest:
    """The running challenge: both sides facing each other, and what it would win."""
    attack, defence = challenge_totals(state)
    sides = (
        ContestSide(challenge.defender, defence.total, defence.detail,
                    side_tag(challenge, challenge.defender), challenge.defenders),
        ContestSide(challenge.attacker, attack.total, attack.detail,
                    side_tag(challenge, challenge.attacker), challenge.attackers),
    )  # fmt: skip
    lacks = [expected_result(state)] if challenge.compared else lack_words(state)
    open_yet = not challenge.compared
    claims = open_yet or challenge.winner == challenge.attacker  # AGOT-CHL-36
    prize = (prize_words(state),) if open_yet else ()
    return Contest(
        DECLARE[challenge.type],
        SIGNS[challenge.type],
        say("claim {claim}", claim=claim_value(state)) if claims else "",
        lacks[0] if lacks else "",
        sides,
        (*prize, *onlooker_lines(state, challenge)),
    )


def lack_words(state: ThronesState) -> list[str]:
    return [fact.text for fact in lack_facts(state)]


def onlooker_lines(state: ThronesState, challenge: Challenge) -> Iterator[str]:
    """What titles mean for this challenge (AGOT-TTL-16, AGOT-TTL-17)."""
    defender = challenge.defender
    for seat in state.living:
        if seat == defender:
            continue
        names = {"player": state.house(seat).name, "other": state.house(defender).name}
        if state.supports(seat, defender):
            yield say("{player} supports {other}", **names)
        elif state.rivals(seat, defender):
            yield say("{player} is a rival of {other}", **names)


def turn_track(state: ThronesState) -> tuple[str, tuple[TrackRow, ...]]:
    """The challenges of the active player: done, running or open (AGOT-CHL-2)."""
    if state.phase != "challenges" or not state.active or state.stopped:
        return "", ()
    rows = []
    for kind in CHALLENGES:
        now = state.challenge is not None and state.challenge.type == kind
        left = challenge_flow.allowance(state, kind)
        note = say("now") if now else say("open") if left else say("done")
        rows.append(TrackRow(SIGNS[kind], DECLARE[kind], note, now))
    name = state.house(state.active).name
    return say("Challenges of {player}", player=name), tuple(rows)
