"""Cards in play, the score, what just happened, and the headline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.api.play import Event
from companion.games.api.prompt import Choice
from companion.games.api.screen_views import (
    Badge,
    Outcome,
    PieceView,
    ScoreLine,
    ScoreView,
    SeatScore,
)
from companion.games.thrones.cards.card import CHALLENGES, FACE_DOWN
from companion.games.thrones.cards.card_notes import NOTE, card_notes
from companion.games.thrones.play.context import EVENTS
from companion.games.thrones.play.events.count_events import (
    HOW,
    modifier_words,
    power_title,
    stat_words,
)
from companion.games.thrones.play.events.event_kinds import ROUTINE
from companion.games.thrones.play.game_play import standings
from companion.games.thrones.play.numbers import (
    PLOT_VALUES,
    current_keywords,
    dominance_total,
    given_modifiers,
    has_icon,
    is_blank,
    plot_value,
    printed_modifiers,
    strength,
)
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.prompts.reminders import open_cards
from companion.games.thrones.play.prompts.window_prompts import WINDOWS
from companion.games.thrones.play.state import (
    FACTION_CARD,
    GOAL,
    PHASE_WORDS,
    CardInPlay,
    HouseInPlay,
    ThronesState,
    total_power,
)
from companion.games.thrones.rules.values import dominance_winner
from companion.games.thrones.screen.card_text import (
    card_forms,
    card_texts,
    house_choices,
    house_forms,
    house_texts,
    may_correct,
)
from companion.games.thrones.screen.new_game import keyword_words, plot_changes
from models.message import joined, say

TYPE_WORDS = {
    "character": say("character"),
    "location": say("location"),
    "attachment": say("attachment"),
    "event": say("event"),
    FACE_DOWN.type: FACE_DOWN.name,
}
ICON_WORDS = {"military": say("military"), "intrigue": say("intrigue"), "power": say("power")}
MOST_SHOWN = 100
"""The letters of a result in two lines."""
BIG = ("won", "plots-revealed", "compared")


def headline(state: ThronesState) -> str:
    """Round and first player, then the phase: the bar shows two short lines."""
    if state.winner:
        return say("{player} has won", player=state.house(state.winner).name)
    phase = PHASE_WORDS[state.phase]
    first = state.house(state.first).name
    if state.round < 1:
        return say("Set-up · first player {first}", first=first)
    return say(
        "Round {round}, {first} first · {phase}",
        round=state.round,
        phase=phase,
        first=first,
    )


# -- cards in play ---------------------------------------------------------------------------------


def pieces(state: ThronesState) -> Iterator[PieceView]:
    """Every card in play."""
    fighting = state.challenge.participants if state.challenge else ()
    playing = state.round > 0 and not state.stopped
    notes = card_notes()
    for card in state.cards:
        note = notes.get(card.facts.code)
        yield PieceView(
            card.id,
            card.name,
            card.name,
            card.controller,
            card.type,
            state="acting" if card.id in fighting else "spent" if card.kneeling else "ready",
            leader=card.facts.unique,
            badges=tuple(badges(state, card)),
            lines=tuple(card_lines(state, card)),
            forms=(*card_forms(card), *(card_texts(state, card) if playing else ()))
            if may_correct(state)
            else (),
            note=note.text if note is not None else "",
            photo=str(note.photo_path or "") if note is not None else "",
            noted=(NOTE, card.facts.code) if card.facts.code else ("", ""),
        )
    for house in state.houses:
        name = say("Faction card of {player}", player=house.name)
        playing = state.round > 0 and not state.stopped and not house.eliminated
        yield PieceView(
            FACTION_CARD + house.id,
            name,
            name,
            house.id,
            "faction",
            state="lost" if house.eliminated else "spent" if house.kneeling else "ready",
            lines=tuple(house_lines(state, house)),
            corrections=tuple(house_choices(state, house)) if playing else (),
            forms=(*house_forms(house), *(house_texts(state, house) if playing else ()))
            if may_correct(state) and not house.eliminated
            else (),
        )


def house_lines(state: ThronesState, house: HouseInPlay) -> Iterator[str]:
    """What a player has, with the values of the plot now."""
    yield say(
        "{power} power on it, {gold} gold, {hand} cards in hand, {deck} in the deck",
        power=house.power,
        gold=house.gold,
        hand=house.hand,
        deck=house.draw_deck,
    )
    if house.plot is not None:
        values = {one: plot_value(state, house.id, one) for one in PLOT_VALUES}
        yield say("gold {gold}, initiative {initiative}, claim {claim}, reserve {reserve}",
                  **values)  # fmt: skip
        for stat in PLOT_VALUES:
            for name, change in printed_modifiers(state, house.id, stat):
                yield say("{stat} {change:+d}: {why}", stat=stat_words(stat), change=change,
                          why=name)  # fmt: skip
    if house.shadows:
        yield say("{n} card in shadows", "{n} cards in shadows", n=len(house.shadows))
    yield from modifier_lines(state, house.id)


def badges(state: ThronesState, card: CardInPlay) -> Iterator[Badge]:
    """The small signs on a card."""
    if card.kneeling:
        yield Badge(say("kneeling"), "turn")
    if card.power:
        yield Badge(say("{n} power", n=card.power), "crown", "good")
    if card.duplicates:
        yield Badge(say("{n} duplicate", "{n} duplicates", n=len(card.duplicates)), "cards")
    for name, count in card.tokens:
        yield Badge(f"{count} {name}", "coins")
    if state.challenge and card.id in state.challenge.bypassed:
        yield Badge(say("bypassed by stealth"), "eye", "warn")


def card_lines(state: ThronesState, card: CardInPlay) -> Iterator[str]:
    """What is printed on it, and what changes it now."""
    first = [TYPE_WORDS[card.type]] if card.type in TYPE_WORDS else []
    if card.type == "character":
        first.append(say("strength {strength}", strength=strength(state, card)))
        first += [ICON_WORDS[one] for one in CHALLENGES if has_icon(state, card, one)]
    if first:  # a card face down is nothing else (AGOT-ZONE-31)
        yield joined(first)
    printed = keyword_words(card.facts, current_keywords(state, card))
    if not is_blank(state, card.id):
        printed += plot_changes(card.facts)
    if card.facts.traits:
        printed.append(card.facts.traits)
    if printed:
        yield joined(printed)
    if card.host:
        host = state.find_card(card.host)
        seat = card.host.removeprefix(FACTION_CARD)
        name = host.name if host else state.house(seat).name
        yield say("attached to {host}", host=name)
    yield from modifier_lines(state, card.id)


def modifier_lines(state: ThronesState, target: str) -> Iterator[str]:
    """What changes the values of a card or a player, and why."""
    for one in (*state.modifiers, *given_modifiers(state, target)):
        if one.target == target:
            yield modifier_words(one)


# -- score -----------------------------------------------------------------------------------------


def score(state: ThronesState) -> ScoreView:
    """Power by player, with where it lies, and the dominance forecast; after the game in the order
    of the places (AGOT-END-3)."""
    places = {one["seat"]: one["place"] for one in standings(state)} if state.winner else {}
    seats = tuple(
        SeatScore(
            one.id,
            total_power(state, one.id),
            GOAL,
            say("power"),
            joined([*held_title(state, one), seat_detail(state, one)], " · "),
            place=joined(seat_place(places, one), " · "),
        )
        for one in sorted(state.houses, key=lambda one: places.get(one.id, 0))
    )  # fmt: skip
    alone = state.how == "conceded" and not state.melee
    how = say("the opponent gave up") if alone else HOW.get(state.how, "")
    lines, ends = tuple(score_lines(state)), tuple(early_ends(state))
    return ScoreView(seats, lines, None, state.winner, how, ends)


def early_ends(state: ThronesState) -> Iterator[Choice]:
    """A concession of each player, and the agreed end by time (AGOT-END-1, AGOT-END-2)."""
    if state.stopped:
        return
    for seat in state.living:
        text = say("{player} concedes", player=state.house(seat).name)
        yield Choice(text, ({"do": "concede", "seat": seat},), "shown")  # a gold tap confirms it
    if state.round > 0:
        yield Choice(say("Time is up: the game ends"), ({"do": "end-by-time"},), "shown")


def seat_place(places: Mapping[str, int], house: HouseInPlay) -> Iterator[str]:
    """The place of a player in a game that is over, and whether they left it before."""
    if house.id in places:
        yield say("place {place}", place=places[house.id])
        if house.eliminated:
            yield say("eliminated")


def held_title(state: ThronesState, house: HouseInPlay) -> Iterator[str]:
    """The title of a player in melee (AGOT-TTL-16, AGOT-TTL-17)."""
    title = state.title_of(house.id)
    if title is not None:
        yield title.name


def seat_detail(state: ThronesState, house: HouseInPlay) -> str:
    """What lies beside a player's power; the claim once a plot is revealed."""
    has = {"gold": house.gold, "hand": house.hand, "deck": house.draw_deck}
    if house.plot is None:
        return say("{gold} gold · {hand} in hand · {deck} in the deck", **has)
    claim = plot_value(state, house.id, "claim")
    return say("{gold} gold · {hand} in hand · {deck} in the deck · claim {claim}", **has,
               claim=claim)  # fmt: skip


def score_lines(state: ThronesState) -> Iterator[ScoreLine]:
    """Where the power lies, and who would win dominance now."""
    for house in state.houses:
        if house.power:
            yield ScoreLine(house.id, say("faction card"), house.power)
        for card in state.controlled(house.id):
            if card.power:
                yield ScoreLine(house.id, card.name, card.power, card.id)
    if not state.winner and state.round:
        totals = {seat: dominance_total(state, seat) for seat in state.living}
        best = dominance_winner(totals)
        if best:
            text = say("dominance, if it were counted now: {total}", total=totals[best])
            yield ScoreLine(best, text, 1)


# -- outcomes --------------------------------------------------------------------------------------


def outcome(before: ThronesState, events: Sequence[Event], after: ThronesState) -> Outcome | None:
    """What just happened in one line, and what the game waits for now."""
    told = [text for event in events if not routine(event) if (text := EVENTS.title(event))]
    told = told or [text for event in events if (text := EVENTS.title(event))][-1:]
    if not told:
        return None
    shown = newest([*unopposed_power(before), *told])
    notes = list(played_notes(events, after))
    asked = prompts(after)
    won = any(event.type == "won" for event in events)
    return Outcome(
        joined(shown, ". "),
        joined([*notes, *(one.title for one in asked[:1])], " · "),
        "good" if won else "",
        seat=next(iter(told_seats(events)), ""),
        big=any(event.type in BIG for event in events),
        undo=undo_words(before, events),
        passes=first_told(events).type in ("passed", "confirmed"),
        lines=tuple(shown) if notes else (),
    )


def unopposed_power(before: ThronesState) -> Iterator[str]:
    """The power of an unopposed challenge, told once more beside its claim: where nobody reacted
    one tap did both (AGOT-CHL-32)."""
    found = before.challenge
    if before.step == "4.2.4" and found is not None and found.unopposed:
        name = before.house(found.winner).name
        yield power_title([[found.winner, name, 1]], say("unopposed"))


def told_seats(events: Sequence[Event]) -> Iterator[str]:
    """Whom a result concerns: who won the challenge, else who acted first."""
    yield from (event.data["winner"] for event in events if event.data.get("winner"))
    for told in (False, True):  # who passed only if nothing else happened to anybody
        same = (event for event in events if (event.type in ROUTINE) is told)
        yield from (str(event.data["seat"]) for event in same if event.data.get("seat"))


def routine(event: Event) -> bool:
    """Whether only the log tells it: also that a claim is done, where it did something."""
    return event.type in ROUTINE or (event.type == "claimed" and not event.data.get("why"))


def undo_words(before: ThronesState, events: Sequence[Event]) -> str:
    """The step by what the players did, not by what followed: a pass by its window, the end of
    reactions to a challenge by what it gave."""
    first = first_told(events)
    every = first.data.get("how") == "all" and not first.data.get("but")
    if first.type == "passed" and every and before.window is not None:
        return say("{window}: all pass", window=WINDOWS[before.window.id])
    if first.type == "confirmed" and before.step == "4.2.2":
        told = (text for event in events if not routine(event) if (text := EVENTS.title(event)))
        return next(told, EVENTS.title(first))
    return EVENTS.title(first)


def first_told(events: Sequence[Event]) -> Event:
    """What the players did, before all that followed from it."""
    return next(event for event in events if EVENTS.title(event))


def newest(told: Sequence[str]) -> list[str]:
    """The latest sentences that fit into a short line, at least one; the log has them all."""
    shown, room = [told[-1]], MOST_SHOWN - len(told[-1])
    for text in reversed(told[:-1]):
        room -= len(text) + 2
        if room < 0:
            break
        shown.insert(0, text)
    return shown


def played_notes(events: Sequence[Event], after: ThronesState) -> Iterator[str]:
    """The players' own words about cards that were just played, revealed or used."""
    notes = card_notes()
    codes = []
    for event in events if notes else ():
        match event.type:
            case "entered" | "event-played" | "duplicate":
                codes.append(event.data["code"])
            case "plots-revealed":
                codes += [one.plot.code for one in after.houses if one.plot is not None]
            case "responded":
                cards = open_cards(after)
                codes += [one.code for one in cards if one.name == event.data["ability"]]
    for code in dict.fromkeys(codes):
        if code in notes and notes[code].text:
            yield say("{card}: {note}", card=notes[code].name, note=notes[code].text)
