"""The course of a game: every step, what happens in it, and where it waits for players.

The ids are the step numbers of the handbook; AWn are its action windows (AGOT-RND-7). The other
steps are framework events: what they do happens by itself, or is asked for and cannot be passed
over (AGOT-RND-2).
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.shared.step_pipeline import StepPipeline
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.catalogue import shipped_entries
from companion.games.thrones.cards.packs import timing_words
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.agendas_in_play import chosen_from
from companion.games.thrones.play.cards_in_play import copy_in_play, host_problem, leave_play
from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.play.effects import LEAVING_PILES
from companion.games.thrones.play.events import (
    card_events,
    count_events,
    effect_events,
    round_events,
)
from companion.games.thrones.play.numbers import cards_to_draw, dominance_total, plot_value, powers
from companion.games.thrones.play.state import FACTION_CARD, HAND, JOUST, ThronesState
from companion.games.thrones.rules.values import dominance_winner, initiative_leaders
from models.message import say


def resolve_choices(ctx: ThronesContext) -> None:
    """All have decided: it happens to all chosen cards at once (AGOT-ORD-13)."""
    decision = ctx.state.decision
    assert decision is not None
    chosen = {card for one in decision.choices for card in one.cards}
    cards = [one for one in ctx.state.cards if one.id in chosen]
    ctx.add(effect_events.all_chose)
    if decision.how == "knelt":
        ctx.kneel(one for one in cards if not one.kneeling)
    elif decision.how == "stood":
        ctx.stand(one for one in cards if one.kneeling)
    elif decision.how:
        saves = {card: by for one in decision.choices for card, by in one.saves}
        pile = LEAVING_PILES[decision.how]
        leave_play(ctx, [(card, pile) for card in cards], decision.how, saves)


PIPELINE = StepPipeline[ThronesContext](round_events.step)
step = PIPELINE.step
WHEN_REVEALED = "when revealed"
WITHOUT_TITLES = 6
"""From six players on no title is set aside (AGOT-TTL-4)."""


def settle(ctx: ThronesContext) -> None:
    """Go on until the game waits for players or is over."""
    while not ctx.state.stopped:
        if ctx.state.decision is not None and not ctx.state.chooser:
            resolve_choices(ctx)
            continue
        if ctx.state.step == "4.2.4" and ctx.began.living != ctx.state.living:
            challenge_flow.resume_claim(ctx)
        PIPELINE.run(ctx, paused)
        discard_illegal(ctx)
        if ctx.state.stopped or not challenge_flow.broken(ctx.state):
            return
        ctx.add(
            round_events.step, step="4.2.6"
        )  # a player of the challenge was eliminated (AGOT-OR-13)
        PIPELINE.steps["4.2.6"].enter(ctx)


def discard_illegal(ctx: ThronesContext) -> None:
    """Attachments that a change made illegal are told and discarded (AGOT-ATT-6).

    What was on its card against the rule before stays: the players said that a text allows it.
    """
    for card in [one for one in ctx.state.cards if one.host]:
        before, host = ctx.began.find_card(card.id), ctx.state.find_card(card.host)
        if before is None or host is None or before.host != card.host:
            continue
        illegal = host_problem(ctx.state, card.facts, card.host)
        if illegal is None or host_problem(ctx.began, card.facts, card.host) is not None:
            continue
        ctx.remind(say("{card} may not stay on {host}: it is discarded", card=card.name,
                       host=host.name))  # fmt: skip
        ctx.leave([(card, "discard")], "discarded")


def paused(state: ThronesState) -> bool:
    """Whether nothing goes on by itself: the game is over, a sequence of reactions is open, or an
    effect asks every player."""
    waits = bool(state.triggers) or state.decision is not None or state.bestowing is not None
    return state.stopped or waits or challenge_flow.broken(state)


def window_open(state: ThronesState) -> bool:
    """Whether the window goes on: not all have passed in a row (AGOT-ORD-10)."""
    return state.window is not None and not state.window.is_closed(state.order)


def nothing(ctx: ThronesContext) -> None:
    """A step that only begins, ends or waits."""


# -- set-up ----------------------------------------------------------------------------------------


def mulligan_seat(state: ThronesState) -> str:
    """Who decides about a mulligan next, in player order (AGOT-SET-8)."""
    return next((one for one in state.order if state.house(one).mulligan is None), "")


def placing_seat(state: ThronesState) -> str:
    """Who places set-up cards next, in player order (AGOT-SET-10)."""
    return next((one for one in state.order if state.house(one).placed is None), "")


def loose_attachments(state: ThronesState) -> tuple[str, ...]:
    """The set-up attachments that are not attached yet, in player order (AGOT-SET-17)."""
    return tuple(
        card.id
        for seat in state.order
        for card in state.controlled(seat, "attachment")
        if not card.host
    )


step("SETUP-7", "SETUP-8", lambda state: bool(mulligan_seat(state)))(nothing)
step("SETUP-8", "SETUP-9", lambda state: bool(placing_seat(state)))(nothing)


@step("SETUP-9", "SETUP-10", lambda state: bool(loose_attachments(state)))
def reveal_set_up(ctx: ThronesContext) -> None:
    """All set-up cards are revealed at once (AGOT-SET-16)."""
    shown = [
        [house.name, [house.card(code).name for code in house.placed or ()]]
        for house in ctx.state.houses
    ]
    copies = (
        copy_in_play(ctx.state, house.id, house.card(code))
        for house in ctx.state.houses
        for code in house.placed or ()
    )
    under = list(dict.fromkeys(one.id for one in copies if one is not None))
    ctx.add(round_events.set_up_revealed, shown=shown, **({"under": under} if under else {}))


@step("SETUP-10", "1.1")
def draw_back_up(ctx: ThronesContext) -> None:
    """Every player draws back up to 7 cards (AGOT-SET-19)."""
    ctx.draw((one.id, HAND - one.hand) for one in ctx.state.houses)


# -- plot phase ------------------------------------------------------------------------------------


def choosing_plots(state: ThronesState) -> tuple[str, ...]:
    """The players who have not chosen a plot yet (AGOT-PLOT-3)."""
    return tuple(
        one for one in state.order if not state.house(one).chosen and chosen_from(state.house(one))
    )


step("1.1", "1.2")(nothing)  # the beginning of the round (AGOT-RND-4)
step("1.2", "1.3", lambda state: bool(choosing_plots(state)))(nothing)


@step("1.3", "1.3.I")
def reveal_plots(ctx: ThronesContext) -> None:
    """All chosen plots are turned up at once (AGOT-PLOT-4)."""
    rows = []
    for seat in ctx.state.order:
        house = ctx.state.house(seat)
        if house.chosen:
            rows.append([seat, house.name, house.chosen, house.card(house.chosen).name])
    turn_up_plots(ctx, rows)


def turn_up_plots(ctx: ThronesContext, rows: Sequence[Sequence[str]]) -> None:
    """New plots are revealed; those that go to the used pile for them may be prized
    (AGOT-KEY-55)."""
    used = [(row[0], ctx.state.house(row[0]).plot) for row in rows]
    ctx.add(round_events.plots_revealed, plots=rows)
    ctx.pay_prizes((seat, plot.keyword_number("prized") or 0) for seat, plot in used if plot)


def tied_leaders(state: ThronesState) -> tuple[str, ...]:
    """Who still has the highest initiative: not the eliminated (AGOT-PLOT-11, AGOT-OR-13)."""
    return tuple(one for one in state.leaders if one in state.living)


@step("1.3.I", "1.3.II", lambda state: len(tied_leaders(state)) > 1)
def compare_initiative(ctx: ThronesContext) -> None:
    """The highest initiative wins it (AGOT-PLOT-8 to -11)."""
    state = ctx.state
    values = {seat: plot_value(state, seat, "initiative") for seat in state.order}
    leaders = initiative_leaders(values, powers(state))
    rows = [[ctx.player(seat), value] for seat, value in values.items()]
    player = ctx.player(leaders[0])
    ctx.add(round_events.initiative, values=rows, leaders=list(leaders), player=player)


step("1.3.II", "1.3.III", lambda state: not state.confirmed)(nothing)


def plots_to_resolve(state: ThronesState) -> tuple[tuple[str, CardFacts], ...]:
    """The revealed plots with a "when revealed" ability, or of which nobody knows, by seat
    (AGOT-PLOT-15)."""
    found = ((seat, plot) for seat in state.order if (plot := state.house(seat).plot) is not None)
    return tuple(
        (seat, plot)
        for seat, plot in found
        if WHEN_REVEALED in timing_words().get(plot.code, ()) or plot.code not in shipped_entries()
    )


def resolving(state: ThronesState) -> bool:
    """Whether the players are asked to resolve plots: not where none has such an ability."""
    return not state.confirmed and bool(plots_to_resolve(state))


step("1.3.III", "1.3.R", resolving)(nothing)


def recycle(ctx: ThronesContext) -> None:
    """An empty plot deck gets its used pile back (AGOT-PLOT-17, AGOT-PLOT-25), without the plot
    that lies revealed (AGOT-PLOT-18)."""
    empty = [one for one in ctx.state.order if not chosen_from(ctx.state.house(one))]
    empty = [one for one in empty if ctx.state.house(one).used]
    if empty:
        ctx.add(round_events.plots_recycled, seats=empty, names=[ctx.player(one) for one in empty])


@step("1.3.R", lambda state: "1.4" if state.uses_titles else "AW1")
def recycle_plots(ctx: ThronesContext) -> None:
    recycle(ctx)


def set_aside(players: int) -> int:
    """How many titles are set aside: 1, with 3 players 2, from 6 on none (AGOT-TTL-3, -4).

    Two players who are left of a melee set 2 aside (AGOT-OR-14).
    """
    if players >= WITHOUT_TITLES:
        return 0
    return 2 if players <= JOUST + 1 else 1


def titles_left(state: ThronesState) -> tuple[str, ...]:
    """The titles that the next player chooses from."""
    taken = {one.taken for one in state.houses}
    return tuple(
        one.id for one in state.titles if one.id not in taken and one.id not in state.aside
    )


def choosing_title(state: ThronesState) -> str:
    """Who takes a title next, in player order; nobody if none is left (AGOT-TTL-5, AGOT-TTL-9)."""
    if not titles_left(state):
        return ""
    return next((one for one in state.order if state.house(one).taken is None), "")


@step("1.4", "1.4.R", lambda state: state.uses_titles and bool(choosing_title(state)))
def shuffle_titles(ctx: ThronesContext) -> None:
    """Some titles are set aside at random."""
    shuffled = ctx.shuffled(tuple(one.id for one in ctx.state.titles))
    aside = list(shuffled[: set_aside(len(ctx.state.living))])
    ctx.add(round_events.titles_aside, titles=aside)


@step("1.4.R", "AW1")
def reveal_titles(ctx: ThronesContext) -> None:
    """The chosen titles are revealed at once."""
    if not ctx.state.uses_titles:
        return
    rows = []
    for seat in ctx.state.order:
        house = ctx.state.house(seat)
        name = ctx.state.title(house.taken).name if house.taken else ""
        rows.append([seat, house.name, house.taken or "", name])
    ctx.add(round_events.titles_revealed, titles=rows)


step("AW1", "1.5", window_open)(nothing)


@step("1.5", "2.1")
@step("2.3", "3.1")
@step("3.4", "4.1")
@step("4.4", "5.1")
@step("5.3", "6.1")
@step("6.3", "7.1")
def end_phase(ctx: ThronesContext) -> None:
    """Effects until the end of the phase expire (AGOT-RND-3, AGOT-EFF-6)."""
    if ctx.state.active:
        ctx.add(round_events.inactive)
    ctx.expire("phase")


# -- draw phase ------------------------------------------------------------------------------------

step("2.1", "2.2")(nothing)


@step("2.2", "AW2")
def draw_cards(ctx: ThronesContext) -> None:
    """Every player draws at once (AGOT-DRAW-1)."""
    ctx.draw((seat, cards_to_draw(ctx.state, seat)) for seat in ctx.state.order)


step("AW2", "2.3", window_open)(nothing)


# -- marshaling phase ------------------------------------------------------------------------------


def next_active(state: ThronesState) -> str:
    """The next player who was not active in this phase, the first player first (AGOT-MAR-18,
    AGOT-CHL-40, AGOT-ORD-4, -5)."""
    return next((one for one in state.order if one not in state.been_active), "")


def make_active(ctx: ThronesContext) -> None:
    seat = next_active(ctx.state)
    ctx.add(round_events.active, seat=seat, player=ctx.player(seat))


@step("3.1", "3.2")
def begin_marshaling(ctx: ThronesContext) -> None:
    """The first player becomes active first (AGOT-MAR-1)."""


@step("3.2", "AW3")
def collect_income(ctx: ThronesContext) -> None:
    """The active player collects income (AGOT-MAR-2, -3) and then marshals (AGOT-ORD-16)."""
    make_active(ctx)
    seat = ctx.state.active
    income = plot_value(ctx.state, seat, "gold")
    ctx.add(count_events.gold, changes=[[seat, ctx.player(seat), income]], why=say("income"))


step("AW3", "3.3", window_open)(nothing)
step("3.3", lambda state: "3.2" if next_active(state) else "3.4")(nothing)  # AGOT-RND-11


def still_marshaling(state: ThronesState) -> bool:
    """Whether others would pass for the active player, who may marshal on (AGOT-MAR-4)."""
    window, order = state.window, state.order
    if window is None or window.id != "AW3" or state.active not in order:
        return False
    at = order.index(window.holder)
    passed = {order[(at - n) % len(order)] for n in range(1, window.passes + 1)}
    return state.active != window.holder and state.active not in passed


# -- challenges phase ------------------------------------------------------------------------------


@step("4.1", "AW4")
def begin_challenges(ctx: ThronesContext) -> None:
    """The first player is the first active player (AGOT-CHL-1)."""
    make_active(ctx)


step("AW4", "4.2", window_open)(nothing)
step(
    "4.2",
    lambda state: "4.2.X" if state.challenge else "4.3",
    challenge_flow.may_declare,
)(nothing)
step("4.2.X", "AW4A", challenge_flow.redirect_pending)(challenge_flow.offer_redirect)
step("AW4A", "4.2.1", window_open)(challenge_flow.lapse_redirect)
step("4.2.1", "AW4B", lambda state: not state.confirmed)(nothing)
step("AW4B", "4.2.2", window_open)(nothing)
step("4.2.2", "4.2.3", lambda state: not state.confirmed)(challenge_flow.compare)
step("4.2.3", "4.2.4")(challenge_flow.gain_bonuses)
step("4.2.4", "4.2.5", challenge_flow.claim_pending)(challenge_flow.begin_claim)
step("4.2.5", "4.2.6", lambda state: bool(state.challenge and state.challenge.keywords))(
    challenge_flow.find_keywords
)
step("4.2.6", "AW4")(challenge_flow.end_challenge)


@step("4.3", lambda state: "AW4" if state.active else "4.4")
def next_challenger(ctx: ThronesContext) -> None:
    """The next player becomes active, until everybody was (AGOT-CHL-40, AGOT-CHL-41): the loop goes
    back or on as the step says (AGOT-RND-11)."""
    if next_active(ctx.state):
        make_active(ctx)
    else:
        ctx.add(round_events.inactive)


# -- dominance, standing, taxation -----------------------------------------------------------------

step("5.1", "5.2")(nothing)


@step("5.2", "AW5")
def win_dominance(ctx: ThronesContext) -> None:
    """The single highest total gains 1 power (AGOT-DOM-4)."""
    totals = {seat: dominance_total(ctx.state, seat) for seat in ctx.state.order}
    winner = dominance_winner(totals)
    rows = [[ctx.player(seat), total] for seat, total in totals.items()]
    ctx.add(round_events.dominance_won, seat=winner, totals=rows)
    if winner:
        ctx.gain_power([(FACTION_CARD + winner, 1)], say("dominance"))


step("AW5", "5.3", window_open)(nothing)
step("6.1", "6.2")(nothing)


@step("6.2", "AW6")
def stand_all(ctx: ThronesContext) -> None:
    """All kneeling cards stand at once (AGOT-STD-1)."""
    factions = (ctx.state.faction_card(seat) for seat in ctx.state.living)
    kneeling = [one for one in (*ctx.state.cards, *factions) if one.kneeling]
    if kneeling:
        ids, names = [one.id for one in kneeling], [one.name for one in kneeling]
        ctx.add(card_events.stood, cards=ids, names=names, all=True)


step("AW6", "6.3", window_open)(nothing)
step("7.1", "7.2")(nothing)


@step("7.2", "7.3")
def return_gold(ctx: ThronesContext) -> None:
    """Unspent gold goes back to the treasury (AGOT-TAX-1)."""
    rows = [[one.id, one.name, -one.gold] for one in ctx.state.houses if one.gold]
    if rows:
        ctx.add(count_events.gold, changes=rows, why=say("taxation"))


def over_reserve(state: ThronesState) -> str:
    """Who must discard down to the reserve next, in player order (AGOT-TAX-3, AGOT-TAX-4)."""
    return next((one for one in state.order if excess(state, one) > 0), "")


def excess(state: ThronesState, seat: str) -> int:
    """The cards in hand above the reserve (AGOT-TAX-2)."""
    return state.house(seat).hand - plot_value(state, seat, "reserve")


step(
    "7.3",
    lambda state: "7.4" if state.melee else "AW7",
    lambda state: bool(over_reserve(state)),
)(nothing)


@step("7.4", "AW7")
def return_titles(ctx: ThronesContext) -> None:
    """All titles return to the pool at once (AGOT-TTL-11, AGOT-TAX-6)."""
    if any(one.title for one in ctx.state.houses):
        ctx.add(round_events.titles_returned)


step("AW7", "7.5", window_open)(nothing)


@step("7.5", "1.1")
def end_round(ctx: ThronesContext) -> None:
    """Effects until the end of the round expire (AGOT-TAX-8); round and phase end (AGOT-RND-4), and
    the next round begins (AGOT-RND-5)."""
    end_phase(ctx)
    ctx.expire("round")
