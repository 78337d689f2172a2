"""Events of set-up, the round, plots, titles and windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.play.events.card_events import taken_from
from companion.games.thrones.play.events.event_kinds import SILENT, drawn_words, kind
from companion.games.thrones.play.state import CardInPlay, ThronesState
from models.frozen_records import replace
from models.message import joined, listed_names, say

PHASE_TITLES = {
    "1.1": say("A new round begins with the plot phase"),
    "2.1": say("The draw phase begins"),
    "3.1": say("The marshaling phase begins"),
    "4.1": say("The challenges phase begins"),
    "5.1": say("The dominance phase begins"),
    "6.1": say("The standing phase begins"),
    "7.1": say("The taxation phase begins"),
}


def step_title(step: str) -> str:
    """The beginning of a phase; other steps show by what they do."""
    return PHASE_TITLES.get(step, "")


@kind("step", step_title)
def step(state: ThronesState, *, step: str) -> ThronesState:
    """The next step begins; a window opens with the first player (AGOT-ORD-6)."""
    window = ActionWindow(step, state.first) if step.startswith("AW") else None
    state = replace(state, step=step, window=window, confirmed=False)
    if step == "1.1":
        houses = tuple(
            replace(one, limited=0, rivals_beaten=(), redirected=False) for one in state.houses
        )
        state = replace(state, houses=houses, round=state.round + 1)
    if step in ("3.1", "4.1"):
        state = replace(state, active="", been_active=())
    return state


@kind("active", "{player} is the active player")
def active(state: ThronesState, *, seat: str, player: str) -> ThronesState:
    been = (*state.been_active, seat)
    return replace(state, active=seat, been_active=been, declared=(), extra=(), title_challenges=())


def dominance_title(totals: Sequence[Sequence[Any]] = ()) -> str:
    rows = [say("{player} ({total})", player=player, total=total) for player, total in totals]
    return say("Dominance: {totals}", totals=joined(rows)) if rows else ""


@kind("dominance-won", dominance_title)
def dominance_won(
    state: ThronesState, *, seat: str, totals: Sequence[Sequence[Any]] = ()
) -> ThronesState:
    """Who won dominance, nobody if empty: it breaks ties of power (AGOT-END-2)."""
    return replace(state, dominant=seat)


@kind("inactive", SILENT)
def inactive(state: ThronesState) -> ThronesState:
    return replace(state, active="")


def confirmed_title(step: str = "", player: str = "") -> str:
    """What is done with this; older logs do not say it."""
    match step:
        case "1.3.III":
            return say("The revealed plots are resolved")
        case "4.2":
            return say("{player} initiates no further challenge", player=player)
        case "4.2.2":
            return say("The result of the challenge stands")
    return say("They go on")


@kind("confirmed", confirmed_title)
def confirmed(state: ThronesState, *, step: str = "", player: str = "") -> ThronesState:
    return replace(state, confirmed=True)


def passed_title(player: str, how: str = "", but: str = "") -> str:
    """Passes that a command implies are not told; `how` is missing in older logs."""
    if how == "implied":
        return ""
    if but:
        return say("All but {player} pass", player=but)
    return say("All pass") if how == "all" else say("{player} passes", player=player)


@kind("passed", passed_title)
def passed(
    state: ThronesState, *, seat: str, player: str, how: str = "", but: str = ""
) -> ThronesState:
    """A player passes; `but` names who marshals on while all others pass."""
    assert state.window is not None
    return replace(state, window=state.window.passed(state.order))


def action_title(what: str, player: str) -> str:
    return say("{player}: {what}", player=player, what=what) if what else ""


@kind("acted", action_title)
def acted(state: ThronesState, *, seat: str, player: str, what: str) -> ThronesState:
    if state.window is None:
        return state
    return replace(state, window=state.window.acted(state.order))


@kind("first-player", "{player} is the first player")
def first_player(state: ThronesState, *, seat: str, player: str) -> ThronesState:
    return replace(state, first=seat)


# -- set-up ----------------------------------------------------------------------------------------


@kind("drew", drawn_words)
def drew(state: ThronesState, *, draws: Sequence[Sequence[Any]]) -> ThronesState:
    """Cards go from the draw decks to the hands, at once for all players."""
    for seat, _, n in draws:
        house = state.house(seat)
        state = state.with_house(replace(house, hand=house.hand + n, draw_deck=house.draw_deck - n))
    return state


def mulligan_title(take: bool, player: str) -> str:
    if take:
        return say("{player} takes a mulligan", player=player)
    return say("{player} keeps the hand", player=player)


@kind("mulligan", mulligan_title)
def mulligan(
    state: ThronesState, *, seat: str, player: str, take: bool, dealt: Sequence[str] = ()
) -> ThronesState:
    """`dealt` is the deck shuffled anew, where the app keeps it."""
    house = replace(state.house(seat), mulligan=take)
    return state.with_house(replace(house, dealt=tuple(dealt)) if dealt else house)


def placed_title(player: str, codes: Sequence[str]) -> str:
    return say(
        "{player} places {n} set-up card",
        "{player} places {n} set-up cards",
        player=player,
        n=len(codes),
    )


@kind("placed", placed_title)
def placed(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    codes: Sequence[str],
    shadows: Sequence[str] = (),
) -> ThronesState:
    """Set-up cards; those in shadows stay there face down (AGOT-SHD-12)."""
    house = state.house(seat)
    for code in (*codes, *shadows):
        house = taken_from(house, "hand", code)
    return state.with_house(replace(house, placed=tuple(codes), shadows=tuple(shadows)))


def revealed_title(shown: Sequence[Sequence[Any]], under: Sequence[str] = ()) -> str:
    return joined(
        [
            say("{player}: {cards}", player=player, cards=listed_names(names))
            for player, names in shown
            if names
        ],
        "; ",
    )


@kind("set-up-revealed", revealed_title)
def set_up_revealed(
    state: ThronesState, *, shown: Sequence[Sequence[Any]], under: Sequence[str] = ()
) -> ThronesState:
    """All set-up cards lie in play; further copies become duplicates (AGOT-SET-15, -16), also of
    the cards in play that copies go `under`, which older games do not say. Nobody is asked to
    bestow gold (AGOT-KEY-37)."""
    before = [state.card(one) for one in under]
    for house in state.houses:
        on_table = {one.facts.name: one.id for one in before if one.owner == house.id}
        for code in house.placed or ():
            facts = house.card(code)
            if facts.unique and facts.name in on_table:
                host = state.card(on_table[facts.name])
                state = state.with_card(replace(host, duplicates=(*host.duplicates, code)))
                continue
            number = state.next_card
            same = sum(one.facts.name == facts.name for one in state.controlled(house.id))
            name = f"{facts.name} {same + 1}" if same else facts.name
            card = CardInPlay(f"c{number}", facts, house.id, house.id, name)
            on_table[facts.name] = card.id
            state = replace(state, cards=(*state.cards, card), next_card=number + 1)
        state = state.with_house(replace(state.house(house.id), placed=()))
    return state


# -- plots and titles ------------------------------------------------------------------------------


@kind("plot-chosen", "{player} has chosen a plot")
def plot_chosen(state: ThronesState, *, seat: str, player: str, plot: str) -> ThronesState:
    return state.with_house(replace(state.house(seat), chosen=plot))


def plots_title(plots: Sequence[Sequence[Any]]) -> str:
    return joined([say("{player} reveals {plot}", player=row[1], plot=row[3]) for row in plots])


@kind("plots-revealed", plots_title)
def plots_revealed(state: ThronesState, *, plots: Sequence[Sequence[Any]]) -> ThronesState:
    """New plots cover the old ones, which go to the used piles (AGOT-PLOT-5): no plot leaves play
    in another way (AGOT-PLOT-6)."""
    for seat, _, code, _ in plots:
        house = state.house(seat)
        left = list(house.plots)
        left.remove(code)
        used = (*house.used, house.revealed) if house.revealed else house.used
        house = replace(house, plots=tuple(left), used=used, revealed=code, chosen="")
        state = state.with_house(house)
    return state


def recycled_title(names: Sequence[str]) -> str:
    return say("The used plots return to the plot deck: {players}", players=", ".join(names))


@kind("plots-recycled", recycled_title)
def plots_recycled(
    state: ThronesState, *, seats: Sequence[str], names: Sequence[str]
) -> ThronesState:
    for seat in seats:
        house = state.house(seat)
        state = state.with_house(replace(house, plots=(*house.plots, *house.used), used=()))
    return state


def initiative_title(leaders: Sequence[str], player: str, values: Sequence[Sequence[Any]]) -> str:
    rows = joined([say("{player} {value}", player=p, value=v) for p, v in values])
    if len(leaders) > 1:
        return say("Initiative: {values}; chance decides", values=rows)
    return say("Initiative: {values}; {player} wins it", values=rows, player=player)


@kind("initiative", initiative_title)
def initiative(
    state: ThronesState, *, values: Sequence[Sequence[Any]], leaders: Sequence[str], player: str
) -> ThronesState:
    return replace(state, leaders=tuple(leaders))


@kind("tie-broken", "Chance gives the initiative to {player}")
def tie_broken(state: ThronesState, *, seat: str, player: str) -> ThronesState:
    return replace(state, leaders=(seat,))


@kind("titles-aside", SILENT)
def titles_aside(state: ThronesState, *, titles: Sequence[str]) -> ThronesState:
    houses = tuple(replace(one, taken=None) for one in state.houses)
    return replace(state, aside=tuple(titles), houses=houses)


@kind("title-taken", "{player} has chosen a title")
def title_taken(state: ThronesState, *, seat: str, player: str, title: str) -> ThronesState:
    return state.with_house(replace(state.house(seat), taken=title))


def titles_title(titles: Sequence[Sequence[Any]]) -> str:
    return joined(
        [say("{player}: {title}", player=row[1], title=row[3]) for row in titles if row[2]]
    )


@kind("titles-revealed", titles_title)
def titles_revealed(state: ThronesState, *, titles: Sequence[Sequence[Any]]) -> ThronesState:
    """All titles enter play at once (AGOT-TTL-7, -8); the others go to the pool (AGOT-TTL-6)."""
    for seat, _, title, _ in titles:
        state = state.with_house(replace(state.house(seat), title=title, taken=None))
    return replace(state, aside=())


@kind("titles-returned", "All titles return to the pool")
def titles_returned(state: ThronesState) -> ThronesState:
    return replace(state, houses=tuple(replace(one, title="") for one in state.houses))


def plot_moved_title(to: str, why: str, player: str, name: str) -> str:
    if to == "deck":
        return say("{player}: {name} goes back to the plot deck: {why}", player=player,
                   name=name, why=why)  # fmt: skip
    return say("{player}: {name} goes to the used pile: {why}", player=player,
               name=name, why=why)  # fmt: skip


@kind("plot-moved", plot_moved_title)
def plot_moved(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    plot: str,
    name: str,
    to: str,
    why: str,
) -> ThronesState:
    """A plot goes to the plot deck or to the used pile by card text."""
    house = state.house(seat)
    plots, used = list(house.plots), list(house.used)
    source, target = (used, plots) if to == "deck" else (plots, used)
    source.remove(plot)
    target.append(plot)
    return state.with_house(replace(house, plots=tuple(plots), used=tuple(used)))
