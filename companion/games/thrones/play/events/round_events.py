"""Events of set-up, the round, plots, titles and windows."""

from __future__ import annotations

from dataclasses import replace

from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.play.events.event_kinds import SILENT, Data, drawn_words, kind
from companion.games.thrones.play.state import CardInPlay, ThronesState
from models.message import joined, say

PHASE_TITLES = {
    "1.1": say("A new round begins with the plot phase"),
    "2.1": say("The draw phase begins"),
    "3.1": say("The marshaling phase begins"),
    "4.1": say("The challenges phase begins"),
    "5.1": say("The dominance phase begins"),
    "6.1": say("The standing phase begins"),
    "7.1": say("The taxation phase begins"),
}


def step_title(data: Data) -> str:
    """The beginning of a phase; other steps show by what they do."""
    return PHASE_TITLES.get(data["step"], "")


@kind("step", step_title)
def step(state: ThronesState, data: Data) -> ThronesState:
    """The next step begins; a window opens with the first player (AGOT-ORD-6)."""
    to = data["step"]
    window = ActionWindow(to, state.first) if to.startswith("AW") else None
    state = replace(state, step=to, window=window, confirmed=False)
    if to == "1.1":
        houses = tuple(
            replace(one, limited=0, rivals_beaten=(), redirected=False) for one in state.houses
        )
        state = replace(state, houses=houses, round=state.round + 1)
    if to in ("3.1", "4.1"):
        state = replace(state, active="", been_active=())
    return state


@kind("active", "{player} is the active player")
def active(state: ThronesState, data: Data) -> ThronesState:
    seat = data["seat"]
    been = (*state.been_active, seat)
    return replace(state, active=seat, been_active=been, declared=(), extra=(), title_challenges=())


@kind("inactive", SILENT)
def inactive(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, active="")


@kind("confirmed", "they go on")
def confirmed(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, confirmed=True)


def passed_title(data: Data) -> str:
    """Passes that a command implies are not told; `how` is missing in older logs."""
    how = data.get("how", "")
    if how == "implied":
        return ""
    return say("all pass") if how == "all" else say("{player} passes", player=data["player"])


@kind("passed", passed_title)
def passed(state: ThronesState, data: Data) -> ThronesState:
    assert state.window is not None
    return replace(state, window=state.window.passed(state.order))


def action_title(data: Data) -> str:
    return say("{player}: {what}", player=data["player"], what=data["what"]) if data["what"] else ""


@kind("acted", action_title)
def acted(state: ThronesState, data: Data) -> ThronesState:
    if state.window is None:
        return state
    return replace(state, window=state.window.acted(state.order))


@kind("first-player", "{player} is the first player")
def first_player(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, first=data["seat"])


# -- set-up ----------------------------------------------------------------------------------------


@kind("drew", drawn_words)
def drew(state: ThronesState, data: Data) -> ThronesState:
    """Cards go from the draw decks to the hands, at once for all players."""
    for seat, _, n in data["draws"]:
        house = state.house(seat)
        state = state.with_house(replace(house, hand=house.hand + n, draw_deck=house.draw_deck - n))
    return state


def mulligan_title(data: Data) -> str:
    if data["take"]:
        return say("{player} takes a mulligan", player=data["player"])
    return say("{player} keeps the hand", player=data["player"])


@kind("mulligan", mulligan_title)
def mulligan(state: ThronesState, data: Data) -> ThronesState:
    return state.with_house(replace(state.house(data["seat"]), mulligan=data["take"]))


def placed_title(data: Data) -> str:
    return say(
        "{player} places {n} set-up card",
        "{player} places {n} set-up cards",
        player=data["player"],
        n=len(data["codes"]),
    )


@kind("placed", placed_title)
def placed(state: ThronesState, data: Data) -> ThronesState:
    house = state.house(data["seat"])
    codes = tuple(data["codes"])
    return state.with_house(replace(house, placed=codes, hand=house.hand - len(codes)))


def revealed_title(data: Data) -> str:
    return joined(
        [
            say("{player}: {cards}", player=player, cards=", ".join(names))
            for player, names in data["shown"]
            if names
        ],
        "; ",
    )


@kind("set-up-revealed", revealed_title)
def set_up_revealed(state: ThronesState, data: Data) -> ThronesState:
    """All set-up cards enter play; further copies become duplicates (AGOT-SET-15, -16)."""
    for house in state.houses:
        on_table: dict[str, str] = {}
        for code in house.placed or ():
            facts = house.card(code)
            if facts.unique and facts.name in on_table:
                host = state.card(on_table[facts.name])
                state = state.with_card(replace(host, duplicates=(*host.duplicates, code)))
                continue
            number = state.next_card
            card = CardInPlay(f"c{number}", facts, house.id, house.id, facts.name)
            on_table[facts.name] = card.id
            state = replace(state, cards=(*state.cards, card), next_card=number + 1)
        state = state.with_house(replace(state.house(house.id), placed=()))
    return state


# -- plots and titles ------------------------------------------------------------------------------


@kind("plot-chosen", "{player} has chosen a plot")
def plot_chosen(state: ThronesState, data: Data) -> ThronesState:
    return state.with_house(replace(state.house(data["seat"]), chosen=data["plot"]))


def plots_title(data: Data) -> str:
    return joined(
        [say("{player} reveals {plot}", player=row[1], plot=row[3]) for row in data["plots"]]
    )


@kind("plots-revealed", plots_title)
def plots_revealed(state: ThronesState, data: Data) -> ThronesState:
    """New plots cover the old ones, which go to the used piles (AGOT-PLOT-5)."""
    for seat, _, code, _ in data["plots"]:
        house = state.house(seat)
        left = list(house.plots)
        left.remove(code)
        used = (*house.used, house.revealed) if house.revealed else house.used
        house = replace(house, plots=tuple(left), used=used, revealed=code, chosen="")
        state = state.with_house(house)
    return state


def recycled_title(data: Data) -> str:
    return say(
        "the used plots return to the plot deck: {players}", players=", ".join(data["names"])
    )


@kind("plots-recycled", recycled_title)
def plots_recycled(state: ThronesState, data: Data) -> ThronesState:
    for seat in data["seats"]:
        house = state.house(seat)
        state = state.with_house(replace(house, plots=house.used, used=()))
    return state


def initiative_title(data: Data) -> str:
    values = joined([say("{player} {value}", player=p, value=v) for p, v in data["values"]])
    if len(data["leaders"]) > 1:
        return say("Initiative: {values}; chance decides", values=values)
    return say("Initiative: {values}; {player} wins it", values=values, player=data["player"])


@kind("initiative", initiative_title)
def initiative(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, leaders=tuple(data["leaders"]))


@kind("tie-broken", "chance gives the initiative to {player}")
def tie_broken(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, leaders=(data["seat"],))


@kind("titles-aside", SILENT)
def titles_aside(state: ThronesState, data: Data) -> ThronesState:
    houses = tuple(replace(one, taken=None) for one in state.houses)
    return replace(state, aside=tuple(data["titles"]), houses=houses)


@kind("title-taken", "{player} has chosen a title")
def title_taken(state: ThronesState, data: Data) -> ThronesState:
    return state.with_house(replace(state.house(data["seat"]), taken=data["title"]))


def titles_title(data: Data) -> str:
    return joined(
        [say("{player}: {title}", player=row[1], title=row[3]) for row in data["titles"] if row[2]]
    )


@kind("titles-revealed", titles_title)
def titles_revealed(state: ThronesState, data: Data) -> ThronesState:
    """All titles enter play at once (AGOT-TTL-7, -8); the others go to the pool (AGOT-TTL-6)."""
    for seat, _, title, _ in data["titles"]:
        state = state.with_house(replace(state.house(seat), title=title, taken=None))
    return replace(state, aside=())


@kind("titles-returned", "all titles return to the pool")
def titles_returned(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, houses=tuple(replace(one, title="") for one in state.houses))


def plot_moved_title(data: Data) -> str:
    if data["to"] == "deck":
        return say("{player}: {name} goes back to the plot deck: {why}", player=data["player"],
                   name=data["name"], why=data["why"])  # fmt: skip
    return say("{player}: {name} goes to the used pile: {why}", player=data["player"],
               name=data["name"], why=data["why"])  # fmt: skip


@kind("plot-moved", plot_moved_title)
def plot_moved(state: ThronesState, data: Data) -> ThronesState:
    """A plot goes to the plot deck or to the used pile by card text."""
    house = state.house(data["seat"])
    plots, used = list(house.plots), list(house.used)
    source, target = (used, plots) if data["to"] == "deck" else (plots, used)
    source.remove(data["plot"])
    target.append(data["plot"])
    return state.with_house(replace(house, plots=tuple(plots), used=tuple(used)))
