"""Action windows on the screen: pass, act, marshal, ambush, events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Entry, Fact, Look, Prompt, PromptForm
from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.cards.card import DRAW_TYPES, STAYING, CardFacts
from companion.games.thrones.cards.packs import timing_words
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.cards_in_play import (
    copy_in_play,
    duplicate_problem,
    entering_problem,
    host_problem,
)
from companion.games.thrones.play.dealt_cards import acts_unasked, opportunity
from companion.games.thrones.play.flow import over_reserve, still_marshaling
from companion.games.thrones.play.numbers import (
    changes,
    dominance_total,
    limited_full,
    plot_value,
)
from companion.games.thrones.play.prompts.challenge_prompts import (
    challenge_totals,
    expected_result,
    lack_facts,
    prize_words,
    supported_facts,
)
from companion.games.thrones.play.state import (
    FACTION_CARD,
    GOAL,
    INTO_SHADOWS,
    JOUST,
    HouseInPlay,
    ThronesState,
    total_power,
)
from companion.games.thrones.rules.values import modified
from models.message import joined, say

MOST_DRAWN = 9
"""A deck with more cards cannot be drawn empty in a draw phase."""
MOST_PAID = 20
"""Up to which price a form offers numbers."""
WINDOWS = {
    "AW1": say("Actions of the plot phase"),
    "AW2": say("Actions of the draw phase"),
    "AW3": say("Marshaling"),
    "AW4": say("Actions before a challenge"),
    "AW4A": say("Actions before defenders are declared"),
    "AW4B": say("Actions before strength is compared"),
    "AW5": say("Actions of the dominance phase"),
    "AW6": say("Actions of the standing phase"),
    "AW7": say("Actions of the taxation phase"),
}
REMINDERS = {
    "AW1": say("Reactions to the revealed plots come first."),
    "AW4A": say("Reactions to the initiated challenge come first."),
}
"""What may be used at the beginning of a window (AGOT-PLOT-19, AGOT-CHL-12)."""


def window_prompt(state: ThronesState, viewer: str | None) -> Prompt:
    """The window: who may act, and what for (AGOT-RND-8)."""
    window = state.window
    assert window is not None
    holder = state.house(holder_shown(state, window, viewer))
    lone = not holder.dealt and all(one.dealt for one in state.houses if one.id != holder.id)
    facts = list(window_facts(state, window))
    if holder.id != window.holder:
        facts.append(Fact(say("{player} passes", player=state.house(window.holder).name)))
    passing = {"do": "pass", "all": True}
    text = say("{player} passes", player=holder.name) if lone else say("All pass")
    if window.id == "AW4B" and not acts_unasked(state):
        text = say("All pass: {result}", result=expected_result(state))
    choices = [Choice(text, (passing,), "primary" if holder.dealt or lone else "plain")]
    alone = Choice(  # the gold one passes for nobody else but a player of the app
        say("{player} passes", player=holder.name),
        ({"do": "pass", "seat": holder.id},),
        "plain" if holder.dealt else "primary",
        by=(holder.id,),
    )
    if not acts_unasked(state):
        choices += further_choices(state, window)
    if marshaling(state, window):
        active = state.house(state.active)
        text = say("All pass, {player} marshals no more", player=active.name)
        if holder.id == state.active:
            choices, alone = [Choice(text, (passing,))], replace(alone, look="plain")
        else:
            spent = next_marshals(state, window) and not active.gold
            finish = Choice(text, (passing, passing), "primary" if spent else "plain")
            gold = not next_marshals(state, window)
            choices = [] if active.dealt else [finish]
            alone = replace(alone, look="primary" if gold else "plain")
            if len(state.order) > JOUST:
                text = say("All but {player} pass", player=active.name)
                choices.insert(0, Choice(text, (passing,)))
    if marshaling(state, window) or not lone:
        choices.append(alone)
    return Prompt(
        "window",
        window_title(state, window, holder),
        say(
            "{n} pass in a row; all {players} close the window.",
            "{n} passes in a row; all {players} close the window.",
            n=window.passes,
            players=len(state.order),
        )
        if window.passes
        else "",
        window_acts(state, window, holder),
        facts=tuple(facts),
        totals=tuple(challenge_totals(state)) if window.id == "AW4B" else (),
        choices=tuple(choices),
        forms=tuple(window_forms(state, window, viewer)),
        rule="AGOT-ORD-10",
        data={"window": window.id, "passes": window.passes},
    )


def window_acts(state: ThronesState, window: ActionWindow, holder: HouseInPlay) -> tuple[str, ...]:
    """Who may act: the player asked, and the one who may marshal on, which passes for those before
    (AGOT-MAR-4, AGOT-ORD-9)."""
    if next_marshals(state, window):
        return (state.active,)
    goes_on = marshaling(state, window) and not state.house(state.active).dealt
    return (holder.id, *((state.active,) if goes_on and holder.id != state.active else ()))


def window_title(state: ThronesState, window: ActionWindow, holder: HouseInPlay) -> str:
    """What the window is for and whose it is."""
    first, *further = (state.house(one).name for one in window_acts(state, window, holder))
    if further:
        return say("{window}: {player} may act, or {other} marshals on",
                   window=WINDOWS[window.id], player=first, other=further[0])  # fmt: skip
    return say("{window}: {player} may act", window=WINDOWS[window.id], player=first)


def holder_shown(state: ThronesState, window: ActionWindow, viewer: str | None) -> str:
    """Who is asked in a window; while somebody marshals its holder."""
    return window.holder if marshaling(state, window) else opportunity(state, viewer)


def further_choices(state: ThronesState, window: ActionWindow) -> Iterator[Choice]:
    """What players agree on in one word: nobody acts, and then the next decision."""
    passing = {"do": "pass", "all": True}
    challenge = state.challenge
    decides = challenge.defender if challenge is not None else state.active
    kept = bool(decides) and bool(state.house(decides).dealt)
    match window.id:
        case "AW1" if all(one.draw_deck > MOST_DRAWN for one in state.houses):
            yield Choice(say("Nobody acts before marshaling"), (passing, passing))
        case "AW4" if challenge_flow.may_declare(state) and not kept:
            yield Choice(say("All pass, no further challenge"), (passing, {"do": "no-challenge"}))
        case "AW4A" if not kept:
            text = say("No actions, no defenders: {result}", result=expected_result(state))
            yield Choice(text, (passing, {"do": "defend"}, passing))
        case "AW5" if over_reserve(state):
            yield Choice(say("Nobody acts before taxation"), (passing, passing))
        case "AW5":
            yield Choice(say("Nobody acts until the next round"), (passing, passing, passing))


def marshaling(state: ThronesState, window: ActionWindow) -> bool:
    """Whether somebody may marshal: the active player, unless eliminated meanwhile or among those
    who have passed in a row (AGOT-MAR-4, AGOT-OR-13, AGOT-ORD-9)."""
    if window.id != "AW3" or state.active not in state.living:
        return False
    return window.holder == state.active or still_marshaling(state)


def next_marshals(state: ThronesState, window: ActionWindow) -> bool:
    """Whether a person marshals on without waiting for a player of the app, who would have said
    what it does (AGOT-ORD-9)."""
    holder, active = state.house(window.holder), state.active
    able = marshaling(state, window) and holder.id != active
    return able and bool(holder.dealt) and not state.house(active).dealt


def window_facts(state: ThronesState, window: ActionWindow) -> Iterator[Fact]:
    """What helps to decide in this window."""
    if window.id in REMINDERS:
        yield Fact(REMINDERS[window.id])
    if marshaling(state, window):  # the order of AGOT-INI-1
        house = state.house(state.active)
        yield Fact(
            say(
                "{player} is active: {gold} gold, income was {income}",
                player=house.name,
                gold=house.gold,
                income=plot_value(state, house.id, "gold"),
            )
        )
        if not state.guided:
            yield Fact(say("First show the card, then: may it be played, its cost, pay, targets."))
        if house.limited:
            yield Fact(say("A limited card was marshaled this round."), "warn")
    if window.id == "AW4B":
        yield from lack_facts(state)
        yield Fact(prize_words(state))
    if window.id in ("AW3", "AW4"):
        totals = [
            say(
                "{player} ({total})",
                player=state.house(one).name,
                total=dominance_total(state, one),
            )
            for one in state.order
        ]
        yield Fact(say("Dominance now: {totals}", totals=joined(totals)))
    if window.id == "AW4" and challenge_flow.may_declare(state):
        yield from supported_facts(state)
    for seat in state.order:
        missing = GOAL - total_power(state, seat)
        if missing <= 3:
            text = say("{player} needs {missing} more power", player=state.house(seat).name,
                       missing=missing)  # fmt: skip
            yield Fact(text, "warn")


def window_forms(
    state: ThronesState, window: ActionWindow, viewer: str | None
) -> Iterator[PromptForm]:
    """What can be entered in the window: the active player marshals, others act.

    The cards to choose from are those of the own deck: only the own seat gets them.
    """
    holder = holder_shown(state, window, viewer)
    if marshaling(state, window):
        gold = next_marshals(state, window) and state.house(state.active).gold
        yield from marshal_forms(state, viewer, "primary" if gold else "plain")
    if window.id.startswith("AW4"):
        ambush = {"do": "ambush", "seat": holder}
        cards = deck_cards(state, holder, viewer, STAYING, "ambush")
        cards = [one for one in cards if may_enter(state, holder, one)]
        if cards or viewer != holder:
            yield priced_form(state, viewer, say("Ambush"), ambush, cards, "ambush")
    yield from shadow_forms(state, window, viewer)
    event = {"do": "event", "seat": holder, "timing": "action"}
    events = [
        one
        for one in deck_cards(state, holder, viewer, ("event",))
        if has_cost(one) and not ("limited" in one.keywords and limited_full(state, holder))
    ]
    affordable = [
        one for one in events if payable(state, holder, one) and is_action(one, state.phase)
    ]
    yield own_form(state, viewer, say("Play an event"), event, affordable)
    text = say("Event at another cost")
    more = cost_entries(state, holder, events)
    yield own_form(state, viewer, text, event, events, more, "quiet")
    note = Entry("what", say("What was done"), "text", required=False)
    acting = {"do": "act", "seat": holder}
    yield PromptForm(say("Another action"), acting, (note,), "quiet", opens=True)


def is_action(card: CardFacts, phase: str) -> bool:
    """Whether an event can be played as an action in a phase, as far as its words are known."""
    words = timing_words().get(card.code, ())
    return not words or "action" in words or f"{phase} action" in words


def shadow_forms(
    state: ThronesState, window: ActionWindow, viewer: str | None
) -> Iterator[PromptForm]:
    """Cards into shadows while marshaling (AGOT-SHD-5), and out of them in any window
    (AGOT-SHD-15, AGOT-SHD-19)."""
    active, holder = state.active, state.house(holder_shown(state, window, viewer))
    able = marshaling(state, window) and state.house(active).gold >= INTO_SHADOWS
    if able and shadows_played(state):
        cards = deck_cards(state, active, viewer, DRAW_TYPES, "shadow")
        if cards or viewer != active:
            command = {"do": "into-shadows", "seat": active}
            text = say("Into shadows (2 gold)")
            yield own_form(state, viewer, text, command, cards, (), "quiet", lambda one: one.name)
    if not holder.shadows:
        return
    known = [holder.card(code) for code in dict.fromkeys(holder.shadows) if code]
    dark = [] if viewer != holder.id else known
    staying = [one for one in dark if one.type != "event" and may_enter(state, holder.id, one)]
    events = [card for card in dark if card.type == "event"]
    out = {"do": "out-of-shadows", "seat": holder.id}
    yield priced_form(state, viewer, say("Out of shadows"), out, staying, "shadow")
    played = {"do": "event", "seat": holder.id, "timing": "action", "from": "shadows"}
    text = say("Event from shadows")
    yield priced_form(state, viewer, text, played, events, "shadow", "quiet")
    loose = [one for one in staying if one.type == "attachment"]
    loose = [one for one in loose if not any(hosts(state, holder.id, one))]  # AGOT-SHD-18
    text = say("Attachment from shadows that nothing takes: discarded")
    yield priced_form(state, viewer, text, {**out, "discard": True}, loose, "shadow", "quiet")


def shadows_played(state: ThronesState) -> bool:
    """Whether any deck at the table has cards with shadow: whose, nobody sees."""
    cards = (card for house in state.houses for card, _ in house.deck.cards)
    return any("shadow" in card.keywords for card in cards)


def marshal_forms(state: ThronesState, viewer: str | None, look: Look) -> Iterator[PromptForm]:
    """A card from hand with its own cost, or with another one."""
    seat = state.active
    command = {"do": "marshal", "seat": seat}
    cards = [
        one
        for one in deck_cards(state, seat, viewer, STAYING)
        if has_cost(one) or copy_in_play(state, seat, one) is not None
    ]
    affordable = [one for one in cards if can_marshal(state, seat, one)]
    yield own_form(state, viewer, say("Marshal"), command, affordable, (), look)
    text = say("Marshal at another cost or place")
    enter = [one for one in cards if may_enter(state, seat, one)]
    enter = [one for one in enter if not over_limit(state, seat, one)]
    more = cost_entries(state, seat, enter)
    yield own_form(state, viewer, text, command, enter, more, "quiet")


def may_enter(state: ThronesState, seat: str, card: CardFacts) -> bool:
    """Whether no copy keeps a unique card of a player from entering play (AGOT-UNI-1,
    AGOT-UNI-4)."""
    if entering_problem(state, seat, card, seat, "hand"):
        return False
    copy = copy_in_play(state, seat, card)
    return copy is None or duplicate_problem(copy, seat) is None


def over_limit(state: ThronesState, seat: str, card: CardFacts) -> bool:
    """Whether it is a limited card too many (AGOT-KEY-21); a duplicate is none (AGOT-UNI-9)."""
    limited = "limited" in card.keywords and limited_full(state, seat)
    return limited and copy_in_play(state, seat, card) is None


def has_cost(card: CardFacts) -> bool:
    """Whether a card can be marshaled or played from hand: not with a dash (AGOT-SHD-25)."""
    return card.cost is not None or "cost" in card.variable


def can_marshal(state: ThronesState, seat: str, card: CardFacts) -> bool:
    """Whether a player could pay for a card and put it into play now."""
    if not may_enter(state, seat, card) or over_limit(state, seat, card):
        return False
    if copy_in_play(state, seat, card) is not None:
        return True
    if card.type == "attachment" and not any(hosts(state, seat, card)):
        return False
    return payable(state, seat, card)


def payable(state: ThronesState, seat: str, card: CardFacts) -> bool:
    """Whether a player has the gold for a card as it costs now; an X is chosen by the player, never
    taken for 0 (AGOT-INI-3, AGOT-GEN-10)."""
    if not has_cost(card) or "cost" in card.variable:
        return False
    return current_cost(state, seat, card) <= state.house(seat).gold


def current_cost(state: ThronesState, seat: str, card: CardFacts) -> int:
    """What a card costs its player now (AGOT-INI-3)."""
    return modified(card.cost or 0, changes(state, seat, "cost"))


def cost_entries(state: ThronesState, seat: str, cards: Sequence[CardFacts]) -> tuple[Entry, ...]:
    """What changes the printed cost, and the X of those cards that print one (AGOT-GEN-10)."""
    less = Entry("reduce", say("Costs less by"), "number", most=9, required=False)
    unknown = tuple(card.code for card in cards if "cost" in card.variable)
    if not unknown:
        return (less,)
    amounts = gold_amounts(state, seat)
    return (Entry("x", say("X of its cost"), options=amounts, only_for=unknown), less)


def price_entries(
    state: ThronesState, seat: str, cards: Sequence[CardFacts], keyword: str
) -> Iterator[Entry]:
    """The price of a keyword where none is printed, and another one where a card's text says so;
    nothing is proposed, for the printed one is paid then, unless it is too dear (AGOT-KEY-18,
    AGOT-SHD-14)."""
    amounts, gold = gold_amounts(state, seat), state.house(seat).gold
    prices = {one.code: one.keyword_number(keyword) for one in cards}
    unknown = tuple(code for code, price in prices.items() if price is None)
    dear = tuple(code for code, price in prices.items() if price is not None and price > gold)
    printed = tuple(code for code in prices if code not in (*unknown, *dear))
    text = say("Another price, if a card says so")
    if unknown:
        yield Entry("gold", say("Gold paid"), options=amounts, only_for=unknown)
    if dear:
        yield Entry("gold", text, options=amounts, only_for=dear)
    if printed:
        yield Entry("gold", text, options=amounts, required=False, only_for=printed)


def gold_amounts(state: ThronesState, seat: str) -> tuple[tuple[int, str], ...]:
    """What a player can pay."""
    most = min(state.house(seat).gold, MOST_PAID)
    return tuple((n, str(n)) for n in range(most + 1))


def own_form(
    state: ThronesState,
    viewer: str | None,
    text: str,
    command: Plain,
    cards: Sequence[CardFacts],
    more: tuple[Entry, ...] = (),
    look: Look = "plain",
    words: Callable[[CardFacts], str] | None = None,
) -> PromptForm:
    """A form with a card of the own deck, shown with its cost or in other words; what an attachment
    goes on is asked for after it."""
    seat = str(command["seat"])
    name = state.house(seat).name
    entries: tuple[Entry, ...] = ()
    detail = ""
    if viewer == seat:
        told = words or partial(card_words, state, seat)
        options = tuple((one.code, told(one)) for one in cards)
        entries = (Entry("card", say("Card"), options=options),)
        if attaches(command):
            entries += (*host_entries(state, seat, cards, bool(more)),)
        entries += more
    else:  # for a screen that all of them see
        detail = say("shows the deck of {player}: others look away", player=name)
    own = viewer == seat
    return PromptForm(text, command, entries, look, detail, True, seat, shared=not own)


def attaches(command: Plain) -> bool:
    """Whether an attachment goes on something: not in shadows, where it is none (AGOT-SHD-8), nor
    discarded from there (AGOT-SHD-18)."""
    return command["do"] != "into-shadows" and "discard" not in command


def host_entries(
    state: ThronesState, seat: str, cards: Sequence[CardFacts], by_text: bool
) -> Iterator[Entry]:
    """What each attachment can go on; `by_text` also what only its own text allows."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for card in cards:
        if card.type == "attachment" and copy_in_play(state, seat, card) is None:
            goes = tuple(hosts(state, seat, None if by_text else card))
            groups.setdefault(goes, []).append(card.code)
    names = {card.code: card.name for card in cards}
    for goes, codes in groups.items():
        told = say("{card}: attached to", card=names[codes[0]])
        text = told if len(codes) == 1 else say("Attached to")
        yield Entry("host", text, options=goes, only_for=tuple(codes))
        if by_text:
            yes = ((True, say("its text allows any of these")),)
            yield Entry("text", say("Elsewhere than the rules say"), options=yes, required=False,
                        only_for=tuple(codes))  # fmt: skip


def priced_form(
    state: ThronesState,
    viewer: str | None,
    text: str,
    command: Plain,
    cards: Sequence[CardFacts],
    keyword: str,
    look: Look = "plain",
) -> PromptForm:
    """A form with cards that enter play for the price of a keyword and not for their cost; those
    that are too dear come last."""
    seat = str(command["seat"])
    more = tuple(price_entries(state, seat, cards, keyword))
    gold = state.house(seat).gold
    cards = sorted(cards, key=lambda one: (one.keyword_number(keyword) or 0) > gold)
    words = partial(price_words, keyword, gold)
    return own_form(state, viewer, text, command, cards, more, look, words)


def price_words(keyword: str, gold: int, card: CardFacts) -> str:
    """A card with the printed price of a keyword, for a player with so much gold."""
    price = card.keyword_number(keyword)
    if price is not None and price > gold:
        return say("{card} ({cost} gold: not enough gold)", card=card.name, cost=price)
    return say("{card} ({cost} gold)", card=card.name, cost="X" if price is None else price)


def card_words(state: ThronesState, seat: str, card: CardFacts) -> str:
    """A card of a deck with what it costs now; a duplicate is free (AGOT-MAR-13)."""
    if copy_in_play(state, seat, card) is not None:
        return say("{card} (duplicate, free)", card=card.name)
    cost = "X" if "cost" in card.variable else current_cost(state, seat, card)
    return say("{card} ({cost} gold)", card=card.name, cost=cost)


def deck_cards(
    state: ThronesState,
    seat: str,
    viewer: str | None,
    types: tuple[str, ...],
    keyword: str = "",
) -> list[CardFacts]:
    """The cards of a deck that may be in hand, by name; only for their owner."""
    if viewer != seat or not state.house(seat).hand:
        return []
    found = [
        card
        for card, _ in state.house(seat).deck.of_type(*types)
        if state.copies_left(seat, card.code) > 0 and (not keyword or keyword in card.keywords)
    ]
    return sorted(found, key=lambda one: one.name)


def hosts(state: ThronesState, own: str, card: CardFacts | None) -> Iterator[tuple[str, str]]:
    """What an attachment can go on by the rules, without one everything that takes any: the own
    characters first, others with their player (AGOT-MAR-11)."""
    found = sorted(
        (
            one
            for one in state.cards
            if one.type != "attachment"
            and (card is None or host_problem(state, card, one.id) is None)
        ),
        key=lambda one: (one.type != "character", one.controller != own),
    )
    for one in found:
        player = state.house(one.controller).name
        other = say("{card} ({player})", card=one.name, player=player)
        yield one.id, one.name if one.controller == own else other
    for seat in state.living if card is None else ():
        yield FACTION_CARD + seat, say("faction card of {player}", player=state.house(seat).name)
