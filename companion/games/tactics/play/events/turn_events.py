"""Events of turns and moves."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.events.event_kinds import SILENT, Data, counted_kill, kind
from companion.games.tactics.play.state import (
    FigureActivation,
    SkirmishState,
)
from models.cell import parse_cell
from models.lazy_message import say


@kind("activated", lambda d: say("{figure} is activated", figure=d["name"]))
def activated(state: SkirmishState, data: Data) -> SkirmishState:
    figure = replace(state.figure(data["figure"]), activated=True)
    state = state.with_figure(figure)
    return replace(state, activation=FigureActivation(figure.id, data["ap"]), may_pass=True)


@kind("granted", lambda d: say("{figure} takes one action at once", figure=d["name"]))
def granted(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=FigureActivation(data["figure"], data["ap"], granted=True))


@kind("acted", SILENT)
def acted(state: SkirmishState, data: Data) -> SkirmishState:
    """An action was paid for: action points, or the free action."""
    now = state.acting
    assert now is not None
    ap, free = data.get("ap", 0), int(bool(data.get("free")))
    now = replace(now, ap=now.ap - ap, spent=now.spent + ap, free=now.free + free)
    return replace(state, granted=now) if state.granted else replace(state, activation=now)


@kind("waited", lambda d: say("{figure} waits", figure=d["name"]))
def waited(state: SkirmishState, data: Data) -> SkirmishState:
    return state


@kind("grant-ended", SILENT)
def grant_ended(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=None)


@kind("activation-ended", SILENT)
def activation_ended(state: SkirmishState, data: Data) -> SkirmishState:
    """The frozen token goes after the activation (TAC-STA-4); the turn passes on."""
    if data.get("figure"):
        state = state.with_figure(replace(state.figure(data["figure"]), frozen=False))
    return replace(state, activation=None, granted=None)


@kind("turn", SILENT)
def turn(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, active=data["side"], turn=state.turn + 1)


@kind("passed", lambda d: say("{player} passes", player=d["player"]))
def passed(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, may_pass=False)


@kind(
    "coins",
    lambda d: say("{player}: {change} ({why})", player=d["player"], change=d["say"], why=d["why"]),
)
def coins(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    change = Coins(*data["change"])
    return state.with_squad(replace(squad, coins=squad.coins + change))


def move_title(data: Data) -> str:
    """How far a figure went; a large one may only have turned."""
    spaces = len(data.get("path", ())) - 1
    if spaces < 1:
        return say("{figure} turns", figure=data["name"])
    return say(
        "{figure} moves {n} space", "{figure} moves {n} spaces", figure=data["name"], n=spaces
    )


@kind("moved", move_title)
def moved(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_figure(replace(state.figure(data["figure"]), cell=parse_cell(data["cell"])))


@kind("placed", lambda d: say("{figure} is put on another space", figure=d["name"]))
def placed(state: SkirmishState, data: Data) -> SkirmishState:
    return moved(state, data)


@kind("unhorsed", lambda d: say("{figure} dismounts", figure=d["name"]))
def unhorsed(state: SkirmishState, data: Data) -> SkirmishState:
    """Wounds and conditions vanish, everything else stays (TAC-FIG-10, TAC-OR-23).

    `by` names the attacker if the death of the mount counts as a kill (TAC-OR-24).
    """
    figure = state.figure(data["figure"])
    assert figure.foot is not None
    if data.get("by"):
        state = counted_kill(state, figure, data)
    return state.with_figure(
        replace(
            figure,
            card=figure.foot,
            foot=None,
            name=data["foot_name"],
            cell=parse_cell(data["cell"]),
            wounds=0,
            shaken=False,
            frozen=False,
        )
    )


@kind("ground-opened", lambda d: say("the heap is open for {figure} this turn", figure=d["name"]))
def ground_opened(state: SkirmishState, data: Data) -> SkirmishState:
    now = state.activation
    assert now is not None
    cells = tuple(parse_cell(cell) for cell in data["cells"])
    return replace(state, activation=replace(now, opened=cells))
