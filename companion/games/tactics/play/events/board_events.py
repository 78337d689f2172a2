"""Events of terrain, loot, tasks, points and the end of the battle."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.play.state import (
    END,
    OVER,
    SILENT,
    Data,
    PlayTask,
    SkirmishState,
    kind,
    unshaken,
)
from models.board import Border, edge, parse_cell
from models.message import say


@kind(
    "door",
    lambda d: say("a door is opened") if d["open"] else say("a door is closed"),
)
def door(state: SkirmishState, data: Data) -> SkirmishState:
    one, two = (parse_cell(cell) for cell in data["edge"])
    border = edge(one, two)
    borders = tuple(
        Border(old.edge, old.kind, data["open"]) if old.edge == border else old
        for old in state.board.borders
    )
    return replace(state, board=replace(state.board, borders=borders))


@kind(
    "mark",
    lambda d: say("a stake pit is found") if d["mark"] else say("a marker is removed"),
)
def mark(state: SkirmishState, data: Data) -> SkirmishState:
    """A marker was flipped or removed."""
    cell = parse_cell(data["cell"])
    words = tuple(word for word in state.board.marks.get(cell, ()) if word != data["old"])
    words += (data["mark"],) if data["mark"] else ()
    marks = {**state.board.marks, cell: words}
    if not words:
        del marks[cell]
    return replace(state, board=replace(state.board, marks=marks))


GROUND_TITLES = {
    "open-o": say("a space is open now"),
    "open-x": say("a space is open now and blocks sight"),
    "blocked-x": say("a space is BLOCKED now"),
    "blocked-o": say("a space is BLOCKED now, sight passes"),
}


@kind("ground", lambda d: GROUND_TITLES.get(d["ground"], SILENT))
def ground(state: SkirmishState, data: Data) -> SkirmishState:
    """A terrain piece was put down, moved away or destroyed."""
    cell = parse_cell(data["cell"])
    words = {**state.board.ground, cell: (data["ground"],)}
    return replace(state, board=replace(state.board, ground=words))


@kind(
    "loot-taken",
    lambda d: (
        say("{figure} takes a purse", figure=d["name"])
        if d["kind"] == "purse"
        else say("{figure} takes a secret letter", figure=d["name"])
    ),
)
def loot_taken(state: SkirmishState, data: Data) -> SkirmishState:
    state = mark(state, {"cell": data["cell"], "old": data["old"], "mark": ""})
    card = data.get("card")
    if card:
        squad = state.squad(data["side"])
        deck = tuple(one for one in squad.deck if one != card)
        state = state.with_squad(replace(squad, deck=deck, agenda=(*squad.agenda, card)))
    return state


@kind(
    "terrain-rolled",
    lambda d: say("the terrain is destroyed") if d["destroyed"] else say("the terrain holds"),
)
def terrain_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


@kind("hazard-rolled", lambda d: say("{n} hit defended", "{n} hits defended", n=d["defended"]))
def hazard_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


@kind("task", SILENT)
def task(state: SkirmishState, data: Data) -> SkirmishState:
    new = PlayTask(
        data["kind"], data["side"], data.get("figure", ""), tuple(map(tuple, data.get("data", ())))
    )
    return replace(state, tasks=(*state.tasks, new))


@kind("task-done", SILENT)
def task_done(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, tasks=state.tasks[1:])


@kind(
    "scored",
    lambda d: say(
        "{player}: {n} victory point ({why})",
        "{player}: {n} victory points ({why})",
        player=d["player"],
        n=d["points"],
        why=d["why"],
    ),
)
def scored(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    state = state.with_squad(replace(squad, vp=max(0, squad.vp + data["points"])))
    return replace(state, points=(*state.points, (data["side"], data["points"], data["why"])))


@kind("end-phase", lambda d: say("the end phase of round {round}", round=d["round"]))
def end_phase(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase=END, active="", activation=None, granted=None)


@kind("copper-returned", SILENT)
def copper_returned(state: SkirmishState, data: Data) -> SkirmishState:
    """Every squad has its fixed copper stars again (TAC-COI-4)."""
    for squad in state.squads:
        gained = data.get("kept", {}).get(squad.id, 0)
        coins = replace(squad.coins, copper=squad.stock.copper + gained)
        stock = replace(squad.stock, copper=squad.stock.copper + gained)
        state = state.with_squad(replace(squad, coins=coins, stock=stock))
    return state


@kind("conceded", lambda d: say("{player} concedes", player=d["player"]))
def conceded(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_squad(replace(state.squad(data["side"]), vp=0))


@kind("over", lambda d: say("the battle is over: {winner}", winner=d["winner_name"]))
def over(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(
        state,
        phase=OVER,
        winner=data["winner"],
        how=data.get("how", ""),
        active="",
        activation=None,
        granted=None,
        attack=None,
        tasks=(),
    )
