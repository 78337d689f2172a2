"""Events on the battlefield: set-up, deployment, activations, contact."""

from __future__ import annotations

import json
from collections.abc import Iterable

from companion.games.tmg.play.events.flow_events import Data, called, kind, noted
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    MAYBE_TURNED,
    Acting,
    DeclaredMove,
    GameState,
)
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.unit_state import FIELD, UnitState
from models.frozen_records import replace
from models.message import joined, say


@kind(
    "roll-off",
    lambda data: say(
        "roll-off: {rolls}",
        rolls=joined(say("{side} {face}", side=side, face=face) for side, face in data["dice"]),
    ),
)
def roll_off(state: GameState, data: Data) -> GameState:
    """The result of a roll-off; the highest wins."""
    return replace(
        state,
        roll_off=tuple((side, face) for side, face in data["dice"]),
        chooser=data["chooser"],
    )


@kind("zone-chosen", "{side} deploys {zone}")
def zone_chosen(state: GameState, data: Data) -> GameState:
    """A side's deployment zone is chosen (TMG-DEP-1)."""
    return state.with_side(replace(state.side(data["side"]), zone=data["zone"]))


@kind("role-chosen", "{side} is the {role}")
def role_chosen(state: GameState, data: Data) -> GameState:
    """A side becomes attacker or defender (TMG-MODE-SOS-1)."""
    return state.with_side(replace(state.side(data["side"]), role=data["role"]))


@kind("zone-left", "{side} leaves the choice of zone to {other}")
def zone_left(state: GameState, data: Data) -> GameState:
    """The choice of zone goes to the opponent (TMG-DEP-1)."""
    return replace(state, chooser=data["other"])


@kind(
    "piece-count",
    lambda data: say(
        "{n} terrain piece will be placed", "{n} terrain pieces will be placed", n=data["count"]
    ),
)
def piece_count(state: GameState, data: Data) -> GameState:
    """The number of terrain pieces is set (TMG-SET-9, TMG-SET-10)."""
    return replace(state, piece_count=data["count"])


@kind("piece-placed", "{side} places a {piece}")
def piece_placed(state: GameState, data: Data) -> GameState:
    """A terrain piece is placed (TMG-SET-7)."""
    return replace(state, pieces=(*state.pieces, data["piece"]), active=data["next"])


@kind("deployed", lambda data: say("{unit} is deployed", unit=called(data)))
def deployed(state: GameState, data: Data) -> GameState:
    """A combat unit enters the battlefield with its attachments (TMG-DEP-3, TMG-DEP-5)."""
    unit = replace(state.unit(data["unit"]), place=FIELD)
    return replace(state.with_unit(unit), active=data.get("next", state.active))


@kind("reserved", "{unit} goes to reserve")
def reserved(state: GameState, data: Data) -> GameState:
    """A unit goes into reserve, off the table."""
    return state.with_unit(replace(state.unit(data["unit"]), place="reserve"))


@kind("redeployed", "{unit} returns to the battlefield")
def redeployed(state: GameState, data: Data) -> GameState:
    """A destroyed or reserved unit returns."""
    unit = state.unit(data["unit"])
    if data.get("whole"):
        unit = replace(unit, wounds=0, tokens=(), orders=(), influence=(), vp_tokens=0, engaged=())
    if not data.get("characters", True):
        unit = unit.without_characters()
    unit = replace(unit, place=FIELD, activated=data.get("activated", unit.activated))
    state = replace(state.with_moved([unit.id]), arrived=(*state.arrived, unit.id))
    return state.with_unit(unit)


@kind("renamed-leader", "{unit} stands in for the commander")
def representative(state: GameState, data: Data) -> GameState:
    """An attachment represents an NCU commander on the battlefield (TMG-MODE-COK-14)."""
    return state.with_unit(replace(state.unit(data["unit"]), commander=True))


@kind("table", "positions updated")
def table_seen(state: GameState, data: Data) -> GameState:
    """A new table arrives, with the contacts it shows."""
    engaged = data["engaged"]
    units = tuple(
        replace(unit, engaged=now)
        if (now := tuple(engaged.get(unit.id, unit.engaged))) != unit.engaged
        else unit
        for unit in state.units
    )
    text = json.dumps(data["table"], ensure_ascii=False)
    hidden = tuple(data.get("hidden", ()))  # missing in older logs
    return replace(
        state,
        units=units,
        table=text,
        moved=tuple(data.get("moved", ())),
        arrived=tuple(unit for unit in state.arrived if unit in hidden),
        declared=tuple(move for move in state.declared if move.unit in hidden),
        hidden=hidden,
        arcs=tuple((one, two, arc) for one, two, arc in data.get("arcs", ())),
    )


@kind(
    "engaged",
    lambda data: say(
        "{unit} is engaged with {foes}", unit=data["unit"], foes=", ".join(data["with"]) or "nobody"
    ),
)
def engaged(state: GameState, data: Data) -> GameState:
    """The units in contact with a unit; contact is mutual (TMG-GLO-11)."""
    name, others = data["unit"], tuple(data["with"])
    units = []
    for unit in state.units:
        if unit.id == name:
            unit = replace(unit, engaged=others)
        elif unit.id in others and name not in unit.engaged:
            unit = replace(unit, engaged=(*unit.engaged, name))
        elif unit.id not in others and name in unit.engaged:
            unit = replace(unit, engaged=tuple(one for one in unit.engaged if one != name))
        units.append(unit)
    arcs = tuple(
        one for one in state.arcs if name not in one[:2] or not {*one[:2]}.isdisjoint(others)
    )
    state = replace(state, units=tuple(units), arcs=arcs)
    return with_pivots(state, data.get("may_turn", ()))


def with_pivots(state: GameState, units: Iterable[str]) -> GameState:
    """The state in which these units may have made a free pivot."""
    for unit in units:
        state = state.with_declared(DeclaredMove(unit, "pivot"))
    return state.with_moved(units)


@kind("turned", "{unit} turns its front to {target}")
def turned(state: GameState, data: Data) -> GameState:
    """A unit in melee turned to its only enemy before it attacked (TMG-MEL-3)."""
    return state.with_declared(DeclaredMove(data["unit"], "pivot")).with_moved([data["unit"]])


@kind("may-have-turned", "{unit} may have turned its front to {target}")
def may_have_turned(state: GameState, data: Data) -> GameState:
    """Nobody said whether a unit turned before it attacked: its arc is asked for (TMG-MEL-3)."""
    pair = (data["target"], data["unit"])
    arcs = tuple(one for one in state.arcs if one[:2] != pair)
    return replace(state, arcs=(*arcs, (*pair, MAYBE_TURNED)))


@kind("retreated", "{unit} leaves the melee")
def retreated(state: GameState, data: Data) -> GameState:
    """A retreat whose path only the players could judge."""
    move = DeclaredMove(data["unit"], "retreat", data.get("settled", False))
    return state.with_declared(move).with_moved([data["unit"]])


@kind(
    "piece-destroyed",
    lambda data: noted(
        say("{piece} is destroyed by {unit}", piece=data["piece"], unit=data["unit"]), "TMG-TER-19"
    ),
)
def piece_destroyed(state: GameState, data: Data) -> GameState:
    """A Destructible piece is attacked or crushed, and removed from the table (TMG-TER-19)."""
    state = replace(state, broken=tuple(dict.fromkeys((*state.broken, data["piece"]))))
    if not state.table:
        return state
    raw = json.loads(state.table)
    left = [one for one in raw.get("terrain", ()) if one.get("id") != data["piece"]]
    return replace(state, table=json.dumps({**raw, "terrain": left}, ensure_ascii=False))


@kind("activated", lambda data: say("{unit} is activated", unit=called(data)))
def activated(state: GameState, data: Data) -> GameState:
    """A unit's activation begins."""
    return replace(
        state,
        acting=Acting(data["unit"]),
        passers=(),
        step="action",
        phase=ACTIVATION,
    )


@kind(
    "acted",
    lambda data: noted(
        say("{unit}: {action}", unit=data["unit"], action=data["action"]), data.get("note", "")
    ),
)
def acted(state: GameState, data: Data) -> GameState:
    """The activated unit performs an action."""
    state = replace(
        state, occurrences=replace(state.occurrences, actions=state.occurrences.actions + 1)
    )
    if state.acting and state.acting.unit == data["unit"] and not data.get("free"):
        state = replace(state, acting=replace(state.acting, stage="doing", action=data["action"]))
    move = data.get("move", data["action"] if data.get("moves") else "")
    if move and state.walls and state.has_unit(data["unit"]):
        state = state.with_unit(left_walls(state, state.unit(data["unit"])))
    if move:
        state = state.with_declared(DeclaredMove(data["unit"], move, data.get("settled", False)))
    if data.get("moves"):
        state = state.with_moved([data["unit"]])
        if data["unit"] in state.arrived:
            left = tuple(unit for unit in state.arrived if unit != data["unit"])
            state = replace(state, arrived=left)
        tokens = (replace(t, lost="") if t.lost == data["unit"] else t for t in state.tokens)
        state = replace(state, tokens=tuple(tokens))  # OR-29: it may claim by a new move
    return state


def left_walls(state: GameState, unit: UnitState) -> UnitState:
    """The unit after a move: no longer in contact with a castle wall, unless set again."""
    walls = {wall.id for wall in state.walls}
    return replace(unit, engaged=tuple(name for name in unit.engaged if name not in walls))


@kind("activation-ended", "{unit} has been activated")
def activation_ended(state: GameState, data: Data) -> GameState:
    """The unit gets its activation token (TMG-ACT-3)."""
    name = data["unit"]
    units = tuple(replace(u, activated=True) if u.id == name else u for u in state.units)
    ncus = tuple(replace(n, activated=True) if n.id == name else n for n in state.ncus)
    walls = tuple(replace(w, activated=True) if w.id == name else w for w in state.walls)
    barred = tuple(one for one in state.barred if one[1] != "action")
    acting = replace(state.acting, stage="done") if state.acting else None
    effects = tuple(one for one in state.effects if one[0] != name or one[2] != "activation")
    return replace(
        state, units=units, ncus=ncus, walls=walls, acting=acting, barred=barred, effects=effects
    )


@kind("tokens-cleared", "activation tokens and orders are cleared")
def tokens_cleared(state: GameState, data: Data) -> GameState:
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


@kind("board-cleared", "the tactics board is cleared")
def board_cleared(state: GameState, data: Data) -> GameState:
    """All models are removed from the tactics board (TMG-RND-16)."""
    return replace(
        state,
        board=("",) * len(ZONES),
        ncus=tuple(replace(ncu, quadrant="") for ncu in state.ncus),
    )


@kind("influence-cleared", "influence effects are removed")
def influence_cleared(state: GameState, data: Data) -> GameState:
    """Influence ends with the round (TMG-RND-17, TMG-INF-4)."""
    return replace(state, units=tuple(replace(u, influence=()) for u in state.units))
