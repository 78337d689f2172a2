"""Events on the battlefield: set-up, deployment, activations, contact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.tmg.play.events.flow_events import called, kind, noted
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    MAYBE_TURNED,
    Acting,
    DeclaredMove,
    GameState,
    table_of,
)
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.unit_state import FIELD, UnitState
from companion.games.tmg.rules.modes.mode_layout import SEATED
from companion.games.tmg.rules.setup.table_setup import corner_of
from models import Pose
from models.frozen_records import replace
from models.message import joined, say
from models.unit import trays_overlap


@kind(
    "roll-off",
    lambda dice: (
        say("{side} wins the roll-off", side=dice[0][0])
        if len(dice) == 1
        else say(
            "Roll-off: {rolls}",
            rolls=joined(say("{side} {face}", side=side, face=face) for side, face in dice),
        )
    ),
)
def roll_off(state: GameState, *, dice: Sequence[Sequence[Any]], chooser: str) -> GameState:
    """The result of a roll-off; the highest wins."""
    return replace(
        state,
        roll_off=tuple((side, face) for side, face in dice),
        chooser=chooser,
    )


def zones_shown(state: GameState) -> dict[str, str]:
    """The zones on the map with their sides; a corner is free until everybody has chosen.

    At a table that was set up before the game nobody chooses: each has the corner at which it sits,
    whoever leaves the game later (TMG-FFA-2).
    """
    chosen = {side.zone: side.id for side in state.sides if side.zone}
    chooses = state.shape == "ffa" and not state.first  # TMG-FFA-3: the first player comes after
    open_ = chooses and not all(side.zone for side in state.sides)
    if state.shape == "ffa" and not open_ and not chosen:
        return {corner_of(state.side_names, side): side for side in state.side_names}
    return {**dict.fromkeys(SEATED if open_ else (), ""), **chosen}


PLACES = {
    "near": "at the near edge",
    "far": "at the far edge",
    "near-left": "from the near left corner",
    "near-right": "from the near right corner",
    "far-left": "from the far left corner",
    "far-right": "from the far right corner",
}


@kind(
    "zone-chosen",
    lambda side, zone: say("{side} deploys {zone}", side=side, zone=say(PLACES[zone])),
)
def zone_chosen(state: GameState, *, side: str, zone: str) -> GameState:
    """A side's deployment zone is chosen (TMG-DEP-1)."""
    state = state.with_side(replace(state.side(side), zone=zone))
    if not state.table:
        return state
    raw = {**json.loads(state.table), "zones": zones_shown(state)}
    return replace(state, table=json.dumps(raw, ensure_ascii=False))


@kind("role-chosen", "{side} is the {role}")
def role_chosen(state: GameState, *, side: str, role: str) -> GameState:
    """A side becomes attacker or defender (TMG-MODE-SOS-1)."""
    return state.with_side(replace(state.side(side), role=role))


@kind("zone-left", "{side} leaves the choice of zone to {other}")
def zone_left(state: GameState, *, side: str, other: str) -> GameState:
    """The choice of zone goes to the opponent (TMG-DEP-1)."""
    return replace(state, chooser=other)


@kind(
    "piece-count",
    lambda count: say(
        "{n} terrain piece will be placed", "{n} terrain pieces will be placed", n=count
    ),
)
def piece_count(
    state: GameState, *, count: int, faces: Sequence[int] = (), what: str = ""
) -> GameState:
    """The number of terrain pieces is set (TMG-SET-9, TMG-SET-10)."""
    return replace(state, piece_count=count)


@kind(
    "piece-placed",
    lambda side, piece: say(
        "{side} places the {piece}", side=side, piece=say(piece.replace("-", " "))
    ),
)
def piece_placed(
    state: GameState, *, side: str, piece: str, next: str, lies: Mapping[str, Any] | None = None
) -> GameState:
    """A terrain piece is placed (TMG-SET-7); `lies` is where the map has it until it is moved."""
    state = replace(state, pieces=(*state.pieces, piece), active=next, done=())
    if lies is None or not state.table:
        return state
    raw = json.loads(state.table)
    table = json.dumps({**raw, "terrain": [*raw.get("terrain", ()), lies]}, ensure_ascii=False)
    move = DeclaredMove(str(lies["id"]), "terrain", target=side)
    return replace(state, table=table).with_declared(move)


@kind("laid", "")
def laid(
    state: GameState,
    *,
    token: Mapping[str, Any] | None = None,
    terrain: Mapping[str, Any] | None = None,
) -> GameState:
    """A token or a piece of terrain lies there from now on, in place of where it lay."""
    if not state.table:
        return state
    raw = json.loads(state.table)
    for piece, keys in ((token, ("tokens", "objectives")), (terrain, ("terrain",))):
        if piece is None:
            continue
        lie = [one for key in keys for one in raw.pop(key, ()) if one.get("id") != piece["id"]]
        raw[keys[-1]] = [*lie, piece]
    return replace(state, table=json.dumps(raw, ensure_ascii=False))


@kind("deployed", lambda unit, name="": say("{unit} is deployed", unit=called(unit, name)))
def deployed(
    state: GameState,
    *,
    unit: str,
    next: str | None = None,
    name: str = "",
    at: Sequence[float] = (),
    put: bool = False,
) -> GameState:
    """A combat unit enters the battlefield with its attachments (TMG-DEP-3, TMG-DEP-5).

    `at` is where its tray is proposed, if it was planned elsewhere; `put`: the players have still
    to put it down.
    """
    unit_state = replace(state.unit(unit), place=FIELD)
    state = replace(state.with_unit(unit_state), active=state.active if next is None else next)
    state = with_its_tray(state, unit, Pose(at[0], at[1], at[2]) if at else None)
    if put:  # the next table shows those on the battlefield: the others wait where they stood
        state = replace(state, plan=state.plan or state.table)
        state = state.with_declared(DeclaredMove(unit, "deploy")).with_moved([unit])
    return state


def with_its_tray(state: GameState, unit: str, pose: Pose | None) -> GameState:
    """The state with the tray of a deployed unit on its table; one that waits gives way."""
    table = table_of(state.table) if state.table else None
    plan = table_of(state.plan) if state.plan else None
    if table is None or (unit in table and pose is None):
        return state
    known = table if unit in table else plan
    if known is None or unit not in known:
        return state
    tray = known.unit(unit) if pose is None else known.unit(unit).at(pose)
    # the side that is first in a table sits at the near edge
    seated = sorted((plan or table).units, key=lambda one: zone_of(state, one.side) == "far")
    order = [one.id for one in seated]
    waiting = {one.id for one in state.units if not one.standing and one.id != unit}
    others = [
        one
        for one in table.units
        if one.id != unit and not (one.id in waiting and trays_overlap(one, tray))
    ]
    at = sum(one.id in order[: order.index(unit)] for one in others)
    units = [one.to_json() for one in (*others[:at], tray, *others[at:])]
    text = json.dumps({**table.to_json(), "units": units}, ensure_ascii=False)
    return replace(state, table=text)


def zone_of(state: GameState, side: str) -> str:
    """The zone that a side has chosen."""
    return next((one.zone for one in state.sides if one.id == side), "")


@kind("reserved", "{unit} goes to reserve")
def reserved(state: GameState, *, unit: str) -> GameState:
    """A unit goes into reserve, off the table."""
    return state.with_unit(replace(state.unit(unit), place="reserve"))


@kind("redeployed", "{unit} returns to the battlefield")
def redeployed(
    state: GameState,
    *,
    unit: str,
    whole: bool = False,
    characters: bool = True,
    activated: bool | None = None,
) -> GameState:
    """A destroyed or reserved unit returns."""
    unit_state = state.unit(unit)
    if whole:
        unit_state = replace(
            unit_state, wounds=0, tokens=(), orders=(), influence=(), vp_tokens=0, engaged=()
        )
    if not characters:
        unit_state = unit_state.without_characters()
    acted_already = unit_state.activated if activated is None else activated
    unit_state = replace(unit_state, place=FIELD, activated=acted_already)
    state = replace(state.with_moved([unit]), arrived=(*state.arrived, unit))
    return state.with_unit(unit_state).with_declared(DeclaredMove(unit, "enter"))


@kind("renamed-leader", "{unit} stands in for the commander")
def representative(state: GameState, *, unit: str) -> GameState:
    """An attachment represents an NCU commander on the battlefield (TMG-MODE-COK-14)."""
    return state.with_unit(replace(state.unit(unit), commander=True))


@kind("table", "Positions updated")
def table_seen(
    state: GameState,
    *,
    table: Mapping[str, Any],
    engaged: Mapping[str, Any],
    hidden: Sequence[str] = (),
    moved: Sequence[str] = (),
    arcs: Sequence[Sequence[Any]] = (),
    open: Sequence[str] = (),
    agreed: bool = False,
) -> GameState:
    """A new table arrives, with the contacts it shows; the moves of `open` are still to come.

    `agreed`: no move explains it, and both players agree to it all the same.
    """
    units = tuple(
        replace(unit, engaged=now)
        if (now := tuple(engaged.get(unit.id, unit.engaged))) != unit.engaged
        else unit
        for unit in state.units
    )
    text = json.dumps(table, ensure_ascii=False)
    return replace(
        state,
        units=units,
        table=text,
        moved=(*moved, *(unit for unit in state.moved if unit in open)),
        arrived=tuple(unit for unit in state.arrived if unit in hidden),
        declared=tuple(one for one in state.declared if one.unit in hidden or one.unit in open),
        hidden=tuple(hidden),
        arcs=tuple((one, two, arc) for one, two, arc in arcs),
    )


@kind(
    "engaged",
    lambda unit, with_: (
        say("{unit} is engaged with {foes}", unit=unit, foes=", ".join(with_))
        if with_
        else say("{unit}: not engaged", unit=unit)
    ),
)
def engaged(
    state: GameState, *, unit: str, with_: Sequence[str], may_turn: Sequence[str] = ()
) -> GameState:
    """The units in contact with a unit; contact is mutual (TMG-GLO-11)."""
    name, others = unit, tuple(with_)
    units = []
    for unit_state in state.units:
        if unit_state.id == name:
            unit_state = replace(unit_state, engaged=others)
        elif unit_state.id in others and name not in unit_state.engaged:
            unit_state = replace(unit_state, engaged=(*unit_state.engaged, name))
        elif unit_state.id not in others and name in unit_state.engaged:
            unit_state = replace(
                unit_state, engaged=tuple(one for one in unit_state.engaged if one != name)
            )
        units.append(unit_state)
    arcs = tuple(
        one for one in state.arcs if name not in one[:2] or not {*one[:2]}.isdisjoint(others)
    )
    state = replace(state, units=tuple(units), arcs=arcs)
    return with_pivots(state, may_turn)


def with_pivots(state: GameState, units: Iterable[str]) -> GameState:
    """The state in which these units may have made a free pivot."""
    for unit in units:
        state = state.with_declared(DeclaredMove(unit, "pivot"))
    return state.with_moved(units)


@kind("moves-off", "{unit} moves 1″ off {target}: its owner says where to (TMG-CHG-21)")
def moves_off(state: GameState, *, unit: str, target: str) -> GameState:
    """An enemy that a charger touched lies an inch off it; its owner may put it elsewhere so."""
    return state.with_declared(DeclaredMove(unit, "off", settled=True, target=target))


@kind("makes-way", "{unit} is touched by {target} too: its tray makes way (TMG-CHG-20, TMG-CHG-21)")
def makes_way(state: GameState, *, unit: str, target: str) -> GameState:
    """A charger has come to lie against another enemy too, whose tray is still to be aligned."""
    return state.with_declared(DeclaredMove(unit, "beside", settled=True, target=target))


@kind("turned", "{unit} turns its front to {target}")
def turned(state: GameState, *, unit: str, target: str) -> GameState:
    """A unit in melee turned to its only enemy before it attacked (TMG-MEL-3)."""
    return state.with_declared(DeclaredMove(unit, "pivot")).with_moved([unit])


@kind("may-have-turned", "{unit} may have turned its front to {target}")
def may_have_turned(state: GameState, *, unit: str, target: str) -> GameState:
    """Nobody said whether a unit turned before it attacked: its arc is asked for (TMG-MEL-3)."""
    pair = (target, unit)
    arcs = tuple(one for one in state.arcs if one[:2] != pair)
    return replace(state, arcs=(*arcs, (*pair, MAYBE_TURNED)))


@kind("retreated", "{unit} leaves the melee")
def retreated(
    state: GameState, *, unit: str, settled: bool = False, reach: float = 0.0
) -> GameState:
    """A retreat whose path only the players could judge."""
    move = DeclaredMove(unit, "retreat", settled, reach=reach)
    return state.with_declared(move).with_moved([unit])


@kind(
    "piece-destroyed",
    "{piece} is destroyed by {unit}",
)
def piece_destroyed(state: GameState, *, piece: str, unit: str) -> GameState:
    """A Destructible piece is attacked or crushed, and removed from the table (TMG-TER-19)."""
    name = names_of(state).things.get(piece, "")
    ruins = (*state.ruins, (piece, name)) if name and piece not in state.broken else state.ruins
    broken = tuple(dict.fromkeys((*state.broken, piece)))
    state = replace(state, broken=broken, ruins=ruins)
    if not state.table:
        return state
    raw = json.loads(state.table)
    left = [one for one in raw.get("terrain", ()) if one.get("id") != piece]
    return replace(state, table=json.dumps({**raw, "terrain": left}, ensure_ascii=False))


@kind("activated", lambda unit, name="": say("{unit}: activated", unit=called(unit, name)))
def activated(state: GameState, *, unit: str, side: str, name: str = "") -> GameState:
    """A unit's activation begins."""
    return replace(
        state,
        acting=Acting(unit),
        passers=(),
        step="action",
        phase=ACTIVATION,
    )


ACTIONS = {
    "forgo": "{unit}: no action",
    "pass": "{unit}: no action",
    "enter": "{unit}: in from reserve",
}


def performed(action: str, free: bool) -> str:
    """An action by its name, and whether an effect gave it (TMG-ACT-4)."""
    return say("{action} as a free action", action=say(action)) if free else say(action)


@kind(
    "acted",
    lambda unit, action, note="", free=False: noted(
        say(ACTIONS.get(action, "{unit}: {action}"), unit=unit, action=performed(action, free)),
        note,
    ),
)
def acted(
    state: GameState,
    *,
    unit: str,
    action: str,
    moves: bool = False,
    note: str = "",
    free: bool = False,
    settled: bool = False,
    move: str | None = None,
    reach: float = 0.0,
) -> GameState:
    """The activated unit performs an action."""
    state = replace(
        state, occurrences=replace(state.occurrences, actions=state.occurrences.actions + 1)
    )
    if state.acting and state.acting.unit == unit and not free:
        state = replace(state, acting=replace(state.acting, stage="doing", action=action))
    declared = (action if moves else "") if move is None else move
    if declared not in ("", "align") and state.walls and state.has_unit(unit):
        state = state.with_unit(left_walls(state, state.unit(unit)))
    if declared:
        state = state.with_declared(DeclaredMove(unit, declared, settled, reach=reach))
    if moves:
        state = state.with_moved([unit])
        if unit in state.arrived:
            left = tuple(other for other in state.arrived if other != unit)
            state = replace(state, arrived=left)
        tokens = (replace(t, lost="") if t.lost == unit else t for t in state.tokens)
        state = replace(state, tokens=tuple(tokens))  # OR-29: it may claim by a new move
    return state


def left_walls(state: GameState, unit: UnitState) -> UnitState:
    """The unit after a move: no longer in contact with a castle wall, unless set again."""
    walls = {wall.id for wall in state.walls}
    return replace(unit, engaged=tuple(name for name in unit.engaged if name not in walls))


@kind("activation-ended", "{unit} has been activated")
def activation_ended(state: GameState, *, unit: str) -> GameState:
    """The unit gets its activation token (TMG-ACT-3)."""
    name = unit
    units = tuple(replace(u, activated=True) if u.id == name else u for u in state.units)
    ncus = tuple(replace(n, activated=True) if n.id == name else n for n in state.ncus)
    walls = tuple(replace(w, activated=True) if w.id == name else w for w in state.walls)
    barred = tuple(one for one in state.barred if one[1] != "action")
    acting = replace(state.acting, stage="done") if state.acting else None
    effects = tuple(one for one in state.effects if one[0] != name or one[2] != "activation")
    return replace(
        state, units=units, ncus=ncus, walls=walls, acting=acting, barred=barred, effects=effects
    )


@kind("tokens-cleared", "Activation tokens and orders are cleared")
def tokens_cleared(state: GameState) -> GameState:
    """All units can be activated again (TMG-RND-15), and orders used again (TMG-ORD-5)."""
    return replace(
        state,
        units=tuple(replace(u, activated=False, orders=()) for u in state.units),
        ncus=tuple(replace(n, activated=False, orders=()) for n in state.ncus),
        falls=tuple(replace(one, unit=replace(one.unit, orders=())) for one in state.falls),
        walls=tuple(replace(w, activated=False) for w in state.walls),
        effects=tuple(one for one in state.effects if one[2] == "game"),
        acting=None,
    )


@kind("board-cleared", "The tactics board is cleared")
def board_cleared(state: GameState) -> GameState:
    """All models are removed from the tactics board (TMG-RND-16)."""
    return replace(
        state,
        board=("",) * len(ZONES),
        ncus=tuple(replace(ncu, quadrant="") for ncu in state.ncus),
    )


@kind("influence-cleared", "Influence effects are removed")
def influence_cleared(state: GameState) -> GameState:
    """Influence ends with the round (TMG-RND-17, TMG-INF-4)."""
    return replace(state, units=tuple(replace(u, influence=()) for u in state.units))
