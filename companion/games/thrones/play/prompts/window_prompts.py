"""Action windows on the screen: pass, act, marshal, ambush, events."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.prompt import Choice, Entry, Fact, Prompt, PromptForm
from companion.games.shared.action_window import ActionWindow
from companion.games.thrones.cards.card import STAYING
from companion.games.thrones.play.numbers import dominance_total, plot_value
from companion.games.thrones.play.state import FACTION_CARD, GOAL, ThronesState, total_power
from models.lazy_message import joined, say

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
    holder = state.house(window.holder)
    facts = list(window_facts(state, window))
    everybody = Choice(say("All pass"), ({"do": "pass", "all": True},), "primary")
    alone = Choice(say("{player} passes", player=holder.name), ({"do": "pass", "seat": holder.id},))
    return Prompt(
        "window",
        say("{window}: {player} may act", window=WINDOWS[window.id], player=holder.name),
        say(
            "{n} pass in a row; all {players} close the window.",
            "{n} passes in a row; all {players} close the window.",
            n=window.passes,
            players=len(state.order),
        ),
        (holder.id,),
        facts=tuple(facts),
        choices=(everybody, alone),
        forms=tuple(window_forms(state, window, viewer)),
        rule="AGOT-ORD-10",
        data={"window": window.id, "passes": window.passes},
    )


def window_facts(state: ThronesState, window: ActionWindow) -> Iterator[Fact]:
    """What helps to decide in this window."""
    if window.id in REMINDERS:
        yield Fact(REMINDERS[window.id])
    if window.id == "AW3":  # the order of AGOT-INI-1
        house = state.house(state.active)
        yield Fact(
            say(
                "{player} is active: {gold} gold, income was {income}",
                player=house.name,
                gold=house.gold,
                income=plot_value(state, house.id, "gold"),
            )
        )
        yield Fact(say("First show the card, then: may it be played, its cost, pay, targets."))
        if house.limited:
            yield Fact(say("A limited card was marshaled this round."), "warn")
    if window.id in ("AW3", "AW4"):
        totals = [
            say(
                "{player} {total}",
                player=state.house(one).name,
                total=dominance_total(state, one),
            )
            for one in state.order
        ]
        yield Fact(say("Dominance now: {totals}", totals=joined(totals)))
    for seat in state.order:
        missing = GOAL - total_power(state, seat)
        if missing <= 3:
            text = say("{player} needs {missing} more power", player=state.house(seat).name,
                       missing=missing)  # fmt: skip
            yield Fact(text, "warn")


def window_forms(
    state: ThronesState, window: ActionWindow, viewer: str | None
) -> Iterator[PromptForm]:
    """What can be entered in the window: the active player marshals, others act."""
    note = Entry("what", say("What was done"), "text", required=False)
    acting = {"do": "act", "seat": window.holder}
    if window.id == "AW3" and viewer in (None, state.active):
        yield PromptForm(
            say("Marshal"),
            {"do": "marshal", "seat": state.active},
            (
                card_entry(state, state.active, viewer, STAYING),
                Entry("host", say("Attached to"), options=tuple(hosts(state)), required=False),
                Entry("reduce", say("Costs less by"), "number", most=9, required=False),
            ),
            "primary",
        )
    if window.id.startswith("AW4"):
        yield PromptForm(
            say("Ambush"),
            {"do": "ambush", "seat": window.holder},
            (
                card_entry(state, window.holder, viewer, STAYING, "ambush"),
                Entry("gold", say("Gold paid"), "number", most=20),
                Entry("host", say("Attached to"), options=tuple(hosts(state)), required=False),
            ),
        )
    yield PromptForm(
        say("Play an event"),
        {"do": "event", "seat": window.holder, "timing": "action"},
        (
            card_entry(state, window.holder, viewer, ("event",)),
            Entry("reduce", say("Costs less by"), "number", most=9, required=False),
        ),
    )
    yield PromptForm(say("Another action"), acting, (note,))


def card_entry(
    state: ThronesState,
    seat: str,
    viewer: str | None,
    types: tuple[str, ...],
    keyword: str = "",
) -> Entry:
    """A card from hand: chosen from the own deck, or typed so that nobody's deck is shown."""
    if viewer != seat:
        return Entry("card", say("Card"), "text")
    cards = [
        card
        for card, _ in state.house(seat).deck.of_type(*types)
        if state.copies_left(seat, card.code) > 0 and (not keyword or keyword in card.keywords)
    ]
    cards.sort(key=lambda one: one.name)
    options = tuple(
        (one.code, say("{card} ({cost} gold)", card=one.name, cost=one.cost or 0)) for one in cards
    )
    return Entry("card", say("Card"), options=options)


def hosts(state: ThronesState) -> Iterator[tuple[str, str]]:
    """What an attachment can go on: the characters first."""
    found = sorted(
        (one for one in state.cards if one.type != "attachment"),
        key=lambda one: one.type != "character",
    )
    yield from ((one.id, one.name) for one in found)
    for seat in state.living:
        yield FACTION_CARD + seat, say("faction card of {player}", player=state.house(seat).name)
