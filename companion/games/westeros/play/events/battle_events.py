"""Events of units: moves, engagement, attacks step by step, losses, fire."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.westeros.play.state import (
    CAPTURED,
    ELIMINATED,
    SILENT,
    Data,
    EngagementMarker,
    HexAttack,
    WesterosState,
    kind,
)
from companion.games.westeros.rules.fire import with_level, with_words
from models.board import parse_cell
from models.message import say


@kind("moved", "{name} moves to {cell}")
def moved(state: WesterosState, data: Data) -> WesterosState:
    unit = replace(state.unit(data["unit"]), cell=parse_cell(data["cell"]))
    acting = state.acting
    if acting is not None and unit.id in acting.units:
        acting = replace(acting, moved=(*acting.moved, unit.id))
        if not data["attack"]:
            acting = replace(acting, no_attack=(*acting.no_attack, unit.id))
    return replace(state.with_unit(unit), acting=acting)


@kind("followed", "{name} follows to {cell}")
def followed(state: WesterosState, data: Data) -> WesterosState:
    """Advance or Pursue; after Pursue the unit may attack again (BOW-KEY-13)."""
    unit = replace(state.unit(data["unit"]), cell=parse_cell(data["cell"]))
    acting = state.acting
    if acting is not None:
        again = unit.id if data["again"] else acting.again
        acting = replace(acting, followed=(*acting.followed, unit.id), again=again)
    return replace(state.with_unit(unit), acting=acting)


@kind("retreated", "{name} retreats to {cell}")
def retreated(state: WesterosState, data: Data) -> WesterosState:
    """One hex of a retreat; the unit is engaged no more (BOW-ENG-13)."""
    unit = replace(state.unit(data["unit"]), cell=parse_cell(data["cell"]))
    state = disengaged(state.with_unit(unit), data)
    attack = state.attack
    if attack is not None and attack.target == unit.id:
        attack = replace(attack, steps=attack.steps - 1, retreated=True)
    return replace(state, attack=attack)


@kind("engaged", "{name} and {other} are engaged")
def engaged(state: WesterosState, data: Data) -> WesterosState:
    """A marker on the common edge; it replaces the one between the same units (BOW-ENG-4)."""
    pair = {data["one"], data["two"]}
    others = tuple(one for one in state.markers if {one.one, one.two} != pair)
    marker = EngagementMarker(data["one"], data["two"], data["house"])
    return replace(state, markers=(*others, marker))


@kind("disengaged", "{name} is no longer engaged")
def disengaged(state: WesterosState, data: Data) -> WesterosState:
    kept = tuple(one for one in state.markers if not one.other(data["unit"]))
    return replace(state, markers=kept)


@kind("banner", SILENT)
def banner(state: WesterosState, data: Data) -> WesterosState:
    """The banner shows the next round's colour, or this round's again (BOW-UNT-9)."""
    return state.with_unit(replace(state.unit(data["unit"]), active=data["active"]))


@kind("reactivated", "{name} is active again")
def reactivated(state: WesterosState, data: Data) -> WesterosState:
    return banner(state, {**data, "active": True})


def attack_title(data: Data) -> str:
    """Who attacks whom, and how."""
    words = {"unit": data["name"], "target": data["other"]}
    match data["kind"]:
        case "ranged":
            return say("{unit} shoots at {target}", **words)
        case "hounds":
            return say("{unit} sends the hounds at {target}", **words)
        case "parting":
            return say("{unit} strikes {target} a parting blow", **words)
        case "counter":
            return say("{unit} counterattacks {target}", **words)
    return say("{unit} attacks {target}", **words)


@kind("attacked", attack_title)
def attacked(state: WesterosState, data: Data) -> WesterosState:
    """An attack begins; what was going on continues after it."""
    foe = state.opponent(data["unit"])
    attack = HexAttack(
        data["unit"],
        data["target"],
        data["kind"],
        dice=data["dice"],
        flank=data.get("flank", False),
        former=parse_cell(data["former"]),
        figures=state.unit(data["target"]).figures,
        left=bool(foe) and foe != data["target"] and data["kind"] == "melee",
        move_to=parse_cell(data["move_to"]) if data.get("move_to") else None,
        behind=state.attack,
    )
    acting = state.acting
    if acting is not None and attack.kind in ("melee", "ranged", "hounds"):
        acted = (*(one for one in acting.acted if one != attack.attacker), attack.attacker)
        again = "" if acting.again == attack.attacker else acting.again
        acting = replace(acting, attacking=True, acted=acted, again=again)
    return replace(state, attack=attack, acting=acting)


@kind("attack-step", SILENT)
def attack_step(state: WesterosState, data: Data) -> WesterosState:
    """The attack goes on: its stage, and what changed with it."""
    assert state.attack is not None
    changes: dict[str, Any] = {
        key: data[key] for key in ("stage", "dice", "flank", "steps", "sure", "hits") if key in data
    }
    return replace(state, attack=replace(state.attack, **changes))


@kind("attack-rolled", "{name} rolls {symbols}")
def attack_rolled(state: WesterosState, data: Data) -> WesterosState:
    assert state.attack is not None
    attack = replace(state.attack, faces=tuple(data["faces"]), stage=data["stage"])
    return replace(state, attack=attack)


def hits_title(data: Data) -> str:
    return say(
        "{unit} loses {n} figure", "{unit} loses {n} figures", unit=data["name"], n=data["figures"]
    )


@kind("hits", hits_title)
def hits(state: WesterosState, data: Data) -> WesterosState:
    """Figures are removed, the banner bearer last (BOW-UNT-11)."""
    unit = state.unit(data["unit"])
    state = state.with_unit(replace(unit, figures=unit.figures - data["figures"]))
    attack = state.attack
    if attack is not None and attack.target == unit.id:
        attack = replace(attack, hits=attack.hits + data["hits"])
    return replace(state, attack=attack)


def lost_title(data: Data) -> str:
    """Whether a unit was eliminated or its commander captured."""
    if data["captured"]:
        return say("{unit} is captured", unit=data["name"])
    return say("{unit} is eliminated", unit=data["name"])


@kind("lost", lost_title)
def lost(state: WesterosState, data: Data) -> WesterosState:
    """A unit leaves the field, and every marker involved with it (BOW-ENG-13)."""
    unit = state.unit(data["unit"])
    fate = CAPTURED if data["captured"] else ELIMINATED
    unit = replace(unit, fate=fate, cell=None, figures=0, active=False)
    return disengaged(state.with_unit(unit), data)


@kind("attack-ended", SILENT)
def attack_ended(state: WesterosState, data: Data) -> WesterosState:
    assert state.attack is not None
    return replace(state, attack=state.attack.behind)


@kind("acted", SILENT)
def acted(state: WesterosState, data: Data) -> WesterosState:
    """A unit did something instead of attacking."""
    assert state.acting is not None
    turn = state.acting
    return replace(state, acting=replace(turn, acted=(*turn.acted, data["unit"]), attacking=True))


@kind("fire", "fire level {level} on {cell}")
def fire(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, board=with_level(state.board, parse_cell(data["cell"]), data["level"]))


@kind("burnt", "{cell} is burnt down")
def burnt(state: WesterosState, data: Data) -> WesterosState:
    board = with_words(state.board, parse_cell(data["cell"]), tuple(data["words"]))
    return replace(state, board=board)


@kind("fire-rolled", "{name} rolls {symbols}")
def fire_rolled(state: WesterosState, data: Data) -> WesterosState:
    return state


@kind("fire-done", SILENT)
def fire_done(state: WesterosState, data: Data) -> WesterosState:
    """A fire of level 4 spreads next."""
    return replace(state, fires=state.fires[1:])


@kind("fire-waits", SILENT)
def fire_waits(state: WesterosState, data: Data) -> WesterosState:
    """A fire that has just reached level 4 spreads after the others."""
    return replace(state, fires=(*state.fires, parse_cell(data["cell"])))


@kind("fire-spreads", "the fire on {cell} spreads in direction {n}")
def fire_spreads(state: WesterosState, data: Data) -> WesterosState:
    return state
