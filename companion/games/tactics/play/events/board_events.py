"""Events of terrain, loot, tasks, points and the end of the battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.games.tactics.play.events.fight_events import defence_title, with_calm
from companion.games.tactics.play.state import (
    END,
    OVER,
    SILENT,
    PlayTask,
    PlayTaskData,
    SkirmishState,
    agenda_name,
    kind,
    unshaken,
)
from models.board import Border, edge, parse_cell
from models.frozen_records import replace
from models.message import say


def door_title(open: bool, name: str, broken: bool) -> str:
    """Who opened, closed or broke a door; games of earlier versions name nobody."""
    if broken:
        return say("{figure} breaks a door", figure=name)
    if not name:
        return say("a door is opened") if open else say("a door is closed")
    if open:
        return say("{figure} opens a door", figure=name)
    return say("{figure} closes a door", figure=name)


@kind(
    "door",
    lambda open, name="", broken=False: door_title(open, name, broken),
)
def door(
    state: SkirmishState, *, edge_: Sequence[str], open: bool, name: str = "", broken: bool = False
) -> SkirmishState:
    one, two = (parse_cell(cell) for cell in edge_)
    border = edge(one, two)
    borders = tuple(
        Border(old.edge, old.kind, open) if old.edge == border else old
        for old in state.board.borders
    )
    return replace(state, board=replace(state.board, borders=borders))


@kind(
    "mark",
    lambda mark: say("a stake pit is found") if mark else say("a marker is removed"),
)
def mark(state: SkirmishState, *, cell: str, old: str, mark: str) -> SkirmishState:
    """A marker was flipped or removed."""
    space = parse_cell(cell)
    words = tuple(word for word in state.board.marks.get(space, ()) if word != old)
    words += (mark,) if mark else ()
    marks = {**state.board.marks, space: words}
    if not words:
        del marks[space]
    return replace(state, board=replace(state.board, marks=marks))


GROUND_TITLES = {
    "open-o": say("a space is open now"),
    "open-x": say("a space is open now and blocks sight"),
    "blocked-x": say("a space is BLOCKED now"),
    "blocked-o": say("a space is BLOCKED now, sight passes"),
}


@kind("ground", lambda ground: GROUND_TITLES.get(ground, SILENT))
def ground(state: SkirmishState, *, cell: str, ground: str) -> SkirmishState:
    """A terrain piece was put down, moved away or destroyed."""
    there = parse_cell(cell)
    height = tuple(word for word in state.board.ground.get(there, ()) if word == "high")
    words = {**state.board.ground, there: (ground, *height)}
    return replace(state, board=replace(state.board, ground=words))


def loot_words(kind: str, name: str, drawn: bool) -> str:
    """Who takes what; a letter brings an agenda, which only its player sees (TAC-LOT-4)."""
    if kind == "purse":
        return say("{figure} takes a purse", figure=name)
    if not drawn:
        return say("{figure} takes a secret letter", figure=name)
    return say(
        "{figure} takes a secret letter and an agenda: its player finds it under “Coins”",
        figure=name,
    )


@kind(
    "loot-taken",
    lambda kind, name, card="": loot_words(kind, name, bool(card)),
)
def loot_taken(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    cell: str,
    kind: str,
    old: str,
    card: str = "",
) -> SkirmishState:
    state = mark(state, cell=cell, old=old, mark="")
    if card:
        squad = state.squad(side)
        deck = tuple(one for one in squad.deck if one != card)
        state = state.with_squad(replace(squad, deck=deck, agenda=(*squad.agenda, card)))
    elif kind == "letter" and state.paper:
        squad = state.squad(side)
        state = state.with_squad(replace(squad, letters=squad.letters + 1))
    return state


@kind(
    "terrain-rolled",
    lambda destroyed, name, shaken: with_calm(
        say("{figure} destroys the terrain", figure=name)
        if destroyed
        else say("{figure} strikes the terrain, it holds", figure=name),
        shaken,
    ),
)
def terrain_rolled(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    faces: Sequence[int],
    destroyed: bool,
    shaken: bool,
) -> SkirmishState:
    return unshaken(state, figure, shaken)


@kind(
    "hazard-rolled",
    lambda defended, name="", shaken=False: defence_title(defended, name, shaken),
)
def hazard_rolled(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    faces: Sequence[int],
    defended: int,
    shaken: bool,
) -> SkirmishState:
    return unshaken(state, figure, shaken)


@kind("task", lambda said="": said)
def task(
    state: SkirmishState,
    *,
    kind: str,
    side: str,
    figure: str = "",
    data: Sequence[Sequence[Any]] = (),
    first: bool = False,
    said: str = "",
) -> SkirmishState:
    """Something is asked for, after what is asked for already or before it; `said` tells what a
    player has begun with it."""
    new = PlayTask(kind, side, figure, cast(PlayTaskData, dict(map(tuple, data))))
    return replace(state, tasks=(new, *state.tasks) if first else (*state.tasks, new))


@kind("task-done", lambda said="": said)
def task_done(state: SkirmishState, *, said: str = "") -> SkirmishState:
    """A task is answered; `said` tells an answer that changes nothing else."""
    return replace(state, tasks=state.tasks[1:])


@kind(
    "scored",
    lambda player, points, why: say(
        "{player}: {n} victory point ({why})",
        "{player}: {n} victory points ({why})",
        player=player,
        n=points,
        why=agenda_name(why),
    ),
)
def scored(state: SkirmishState, *, side: str, player: str, points: int, why: str) -> SkirmishState:
    squad = state.squad(side)
    state = state.with_squad(replace(squad, vp=max(0, squad.vp + points)))
    return replace(state, points=(*state.points, (side, points, why)))


@kind("end-phase", lambda round: say("the end phase of round {round}", round=round))
def end_phase(state: SkirmishState, *, round: int) -> SkirmishState:
    return replace(state, phase=END, active="", activation=None, granted=None)


@kind("copper-returned", SILENT)
def copper_returned(
    state: SkirmishState, *, kept: Mapping[str, int] | None = None
) -> SkirmishState:
    """Every squad has its fixed copper stars again (TAC-COI-4)."""
    for squad in state.squads:
        gained = (kept or {}).get(squad.id, 0)
        coins = replace(squad.coins, copper=squad.stock.copper + gained)
        stock = replace(squad.stock, copper=squad.stock.copper + gained)
        state = state.with_squad(replace(squad, coins=coins, stock=stock))
    return state


@kind("conceded", lambda player: say("{player} concedes", player=player))
def conceded(state: SkirmishState, *, side: str, player: str) -> SkirmishState:
    return state.with_squad(replace(state.squad(side), vp=0))


@kind(
    "over",
    lambda winner, winner_name: (
        say("the battle is over: a draw")
        if winner == "draw"
        else say("the battle is over, {winner} wins", winner=winner_name)
    ),
)
def over(state: SkirmishState, *, winner: str, winner_name: str, how: str = "") -> SkirmishState:
    return replace(
        state,
        phase=OVER,
        winner=winner,
        how=how,
        active="",
        activation=None,
        granted=None,
        attack=None,
        tasks=(),
    )
