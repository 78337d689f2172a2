"""Events of units: moves, engagement, attacks step by step, losses, fire."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from companion.games.shared.event_registry import given
from companion.games.westeros.play.state import (
    CAPTURED,
    ELIMINATED,
    GONE,
    SILENT,
    EngagementMarker,
    HexAttack,
    WesterosState,
    kind,
)
from companion.games.westeros.rules.fire import with_level, with_words
from models.board import parse_cell
from models.frozen_records import replace
from models.message import say


def moved_title(name: str, cell: str, place: str = "") -> str:
    """Where a unit moves; games of earlier versions know the hex alone."""
    return say("{unit} moves to {place}", unit=name, place=place or cell)


@kind("moved", moved_title)
def moved(
    state: WesterosState,
    unit: str,
    name: str,
    side: str,
    *,
    cell: str,
    attack: bool,
    place: str = "",
) -> WesterosState:
    acting = state.acting
    if acting is not None and unit in acting.units:
        acting = replace(acting, moved=(*acting.moved, unit))
        if not attack:
            acting = replace(acting, no_attack=(*acting.no_attack, unit))
    moved_unit = replace(state.unit(unit), cell=parse_cell(cell))
    return replace(state.with_unit(moved_unit), acting=acting)


@kind(
    "followed",
    lambda name, cell, place="": say("{unit} follows to {place}", unit=name, place=place or cell),
)
def followed(
    state: WesterosState,
    unit: str,
    name: str,
    side: str,
    *,
    cell: str,
    again: bool,
    place: str = "",
) -> WesterosState:
    """Advance or Pursue; after Pursue the unit may attack again (BOW-KEY-13)."""
    unit_state = replace(state.unit(unit), cell=parse_cell(cell))
    acting = state.acting
    if acting is not None:
        strikers = (*acting.again, unit) if again else acting.again
        acting = replace(acting, followed=(*acting.followed, unit), again=strikers)
    return replace(state.with_unit(unit_state), acting=acting)


@kind(
    "not-followed",
    lambda name, why: say("{unit} does not follow: {why}", unit=name, why=why),
)
def not_followed(
    state: WesterosState, unit: str, name: str, side: str, *, why: str
) -> WesterosState:
    """Why nobody is asked about Advance or Pursue."""
    return state


@kind(
    "retreated",
    lambda name, cell, place="": say("{unit} retreats to {place}", unit=name, place=place or cell),
)
def retreated(
    state: WesterosState, unit: str, name: str, side: str, *, cell: str, place: str = ""
) -> WesterosState:
    """One hex of a retreat; the unit is engaged no more (BOW-ENG-13)."""
    unit_state = replace(state.unit(unit), cell=parse_cell(cell))
    state = disengaged(state.with_unit(unit_state), unit, name, side)
    attack = state.attack
    if attack is not None and attack.target == unit_state.id:
        attack = replace(attack, steps=attack.steps - 1, retreated=True)
    return replace(state, attack=attack)


@kind("engaged", "{name} and {other} are engaged")
def engaged(
    state: WesterosState, *, one: str, two: str, house: str, name: str, other: str
) -> WesterosState:
    """A marker on the common edge; it replaces the one between the same units (BOW-ENG-4)."""
    pair = {one, two}
    others = tuple(marker for marker in state.markers if {marker.one, marker.two} != pair)
    marker = EngagementMarker(one, two, house)
    return replace(state, markers=(*others, marker))


@kind("disengaged", lambda name: say("{unit} is no longer engaged", unit=name))
def disengaged(state: WesterosState, unit: str, name: str, side: str) -> WesterosState:
    kept = tuple(one for one in state.markers if not one.other(unit))
    return replace(state, markers=kept)


@kind("banner", SILENT)
def banner(state: WesterosState, unit: str, name: str, side: str, *, active: bool) -> WesterosState:
    """The banner shows the next round's colour, or this round's again (BOW-UNT-9)."""
    return state.with_unit(replace(state.unit(unit), active=active))


@kind("reactivated", lambda name: say("{unit} is active again", unit=name))
def reactivated(state: WesterosState, unit: str, name: str, side: str) -> WesterosState:
    return banner(state, unit, name, side, active=True)


def rolled_title(name: str, symbols: str) -> str:
    return say("{unit} rolls {symbols}", unit=name, symbols=symbols)


def attack_title(kind: str, name: str, other: str) -> str:
    """Who attacks whom, and how."""
    words = {"unit": name, "target": other}
    match kind:
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
def attacked(
    state: WesterosState,
    unit: str,
    name: str,
    side: str,
    *,
    kind: str,
    dice: int,
    target: str,
    other: str,
    former: str,
    flank: bool = False,
    move_to: str = "",
) -> WesterosState:
    """An attack begins; what was going on continues after it."""
    foe = state.opponent(unit)
    attack = HexAttack(
        unit,
        target,
        kind,
        dice=dice,
        flank=flank,
        former=parse_cell(former),
        figures=state.unit(target).figures,
        left=bool(foe) and foe != target and kind == "melee",
        move_to=parse_cell(move_to) if move_to else None,
        behind=state.attack,
    )
    acting = state.acting
    if acting is not None and attack.kind in ("melee", "ranged", "hounds"):
        acting = replace(acting.striking(attack.attacker), attacking=True)
    return replace(state, attack=attack, acting=acting)


def attack_step_title(stage: str | None = None, hits: int | None = None) -> str:
    """An attack whose hits were counted tells that there are none."""
    counted = stage in ("after", "flags") and hits == 0
    return say("no hit that counts") if counted else ""


@kind("attack-step", attack_step_title)
def attack_step(
    state: WesterosState,
    *,
    steps: int | None = None,
    stage: str | None = None,
    dice: int | None = None,
    flank: bool | None = None,
    hits: int | None = None,
    sure: bool | None = None,
) -> WesterosState:
    """The attack goes on: its stage, and what changed with it."""
    assert state.attack is not None
    changes = given(stage=stage, dice=dice, flank=flank, steps=steps, sure=sure, hits=hits)
    return replace(state, attack=replace(state.attack, **changes))


def dice_title(name: str, symbols: str, again: str = "", target_name: str = "") -> str:
    if again:
        return say("{unit} re-rolls {again}: {symbols}", unit=name, again=again, symbols=symbols)
    if target_name:
        words = {"unit": name, "symbols": symbols, "target": target_name}
        return say("{unit} rolls {symbols} against {target}", **words)
    return rolled_title(name, symbols)


@kind("attack-rolled", dice_title)
def attack_rolled(
    state: WesterosState,
    unit: str,
    name: str,
    side: str,
    *,
    faces: Sequence[int],
    symbols: str,
    stage: str,
    again: str = "",
    target_name: str = "",
) -> WesterosState:
    """The dice of an attack; `again` is the symbol that was re-rolled (BOW-ENG-6)."""
    assert state.attack is not None
    attack = replace(state.attack, faces=tuple(faces), stage=stage)
    return replace(state, attack=attack)


def hits_title(name: str, figures: int, hits: int = 0, blocked: bool = False, fire: int = 0) -> str:
    if fire:  # BOW-FIR-7
        return say(
            "the fire costs {unit} {n} figure",
            "the fire costs {unit} {n} figures",
            unit=name,
            n=figures,
        )
    if blocked and hits > figures:  # on a commander alone (BOW-CDR-9)
        return say(
            "{unit} cannot retreat: {n} hit",
            "{unit} cannot retreat: {n} hits",
            unit=name,
            n=hits,
        )
    if blocked:  # BOW-RET-6
        return say(
            "{unit} cannot retreat and loses {n} figure",
            "{unit} cannot retreat and loses {n} figures",
            unit=name,
            n=figures,
        )
    return say("{unit} loses {n} figure", "{unit} loses {n} figures", unit=name, n=figures)


@kind("hits", hits_title)
def hits(
    state: WesterosState,
    unit: str,
    name: str,
    side: str,
    *,
    hits: int,
    figures: int,
    blocked: bool = False,
    fire: int = 0,
) -> WesterosState:
    """Figures are removed, the banner bearer last (BOW-UNT-11)."""
    unit_state = state.unit(unit)
    state = state.with_unit(replace(unit_state, figures=unit_state.figures - figures))
    attack = state.attack
    if attack is not None and attack.target == unit_state.id:
        attack = replace(attack, hits=attack.hits + hits)
    return replace(state, attack=attack)


@kind(
    "withstood",
    lambda name, n: say(
        "{unit} withstands {n} hit: too few for the commander",
        "{unit} withstands {n} hits: too few for the commander",
        unit=name,
        n=n,
    ),
)
def withstood(state: WesterosState, unit: str, name: str, side: str, *, n: int) -> WesterosState:
    """Hits on a commander below the capture value have no effect (BOW-CDR-9)."""
    return state


@kind("capture-value", lambda name, value: say("{unit}: capture value {n}", unit=name, n=value))
def capture_value(
    state: WesterosState, unit: str, name: str, side: str, *, value: int
) -> WesterosState:
    """The players read the capture value from their card (BOW-CDR-7)."""
    unit_state = state.unit(unit)
    assert unit_state.commander is not None
    return state.with_unit(
        replace(unit_state, commander=dataclasses.replace(unit_state.commander, capture=value))
    )


def lost_title(captured: bool, name: str, by: str = "") -> str:
    """Whether a unit was eliminated or its commander captured, and by whom in an attack."""
    if captured and by:
        return say("{enemy} captures {unit}", enemy=by, unit=name)
    if by:
        return say("{enemy} eliminates {unit}", enemy=by, unit=name)
    if captured:
        return say("{unit} is captured", unit=name)
    return say("{unit} is eliminated", unit=name)


@kind("lost", lost_title)
def lost(
    state: WesterosState, unit: str, name: str, side: str, *, captured: bool, by: str = ""
) -> WesterosState:
    """A unit leaves the field, and every marker involved with it (BOW-ENG-13)."""
    unit_state = state.unit(unit)
    fate = CAPTURED if captured else ELIMINATED
    unit_state = replace(unit_state, fate=fate, cell=None, figures=0, active=False)
    return disengaged(state.with_unit(unit_state), unit, name, side)


@kind("left-field", lambda name: say("{unit} leaves the field", unit=name))
def left_field(state: WesterosState, unit: str, name: str, side: str) -> WesterosState:
    """A unit leaves by the scenario's word; it is not eliminated (BOW-MOV-4)."""
    gone = replace(state.unit(unit), fate=GONE, cell=None, active=False)
    return disengaged(state.with_unit(gone), unit, name, side)


@kind("attack-ended", SILENT)
def attack_ended(state: WesterosState) -> WesterosState:
    assert state.attack is not None
    return replace(state, attack=state.attack.behind)


@kind("acted", SILENT)
def acted(state: WesterosState, *, unit: str, instead: bool = True) -> WesterosState:
    """A unit did something; `instead` of attacking: then nobody moves any more (BOW-OPT-2)."""
    assert state.acting is not None
    turn = state.acting.striking(unit)
    return replace(state, acting=replace(turn, attacking=turn.attacking or instead))


def fire_title(level: int, cell: str, place: str = "") -> str:
    """How high a fire burns and where."""
    if not level:
        return say("the fire is out: {place}", place=place or cell)
    return say("fire of level {level}: {place}", level=level, place=place or cell)


@kind("fire", fire_title)
def fire(state: WesterosState, *, cell: str, level: int, place: str = "") -> WesterosState:
    return replace(state, board=with_level(state.board, parse_cell(cell), level))


@kind("burnt", lambda cell, place="": say("burnt down: {place}", place=place or cell))
def burnt(
    state: WesterosState, *, cell: str, words: Sequence[str], place: str = ""
) -> WesterosState:
    board = with_words(state.board, parse_cell(cell), tuple(words))
    return replace(state, board=board)


def fire_aimed_title(name: str, do: str, place: str) -> str:
    """Who lays or fights a fire, and where."""
    if do == "scorch":
        return say("{unit} lays a fire: {place}", unit=name, place=place)
    return say("{unit} fights a fire: {place}", unit=name, place=place)


@kind("fire-aimed", fire_aimed_title)
def fire_aimed(
    state: WesterosState, unit: str, name: str, side: str, *, do: str, place: str
) -> WesterosState:
    return state


@kind("fire-by-card", "a card sets a hex on fire: {place}")
def fire_by_card(state: WesterosState, *, place: str) -> WesterosState:
    """The level that it then has follows."""
    return state


@kind("fire-rolled", rolled_title)
def fire_rolled(
    state: WesterosState, unit: str, name: str, side: str, *, faces: Sequence[int], symbols: str
) -> WesterosState:
    return state


@kind("fire-done", SILENT)
def fire_done(state: WesterosState) -> WesterosState:
    """A fire of level 4 spreads next."""
    return replace(state, fires=state.fires[1:])


@kind("fire-waits", SILENT)
def fire_waits(state: WesterosState, *, cell: str) -> WesterosState:
    """A fire that has just reached level 4 spreads after the others."""
    return replace(state, fires=(*state.fires, parse_cell(cell)))


def spread_title(n: int, place: str, there: str) -> str:
    """Where a fire comes from and where it goes; earlier versions knew a number alone."""
    if there:
        return say("the fire spreads from {place} to {there}", place=place, there=there)
    return say("the fire spreads in direction {n}: {place}", n=n, place=place)


@kind(
    "fire-spreads",
    lambda cell, n, place="", there="": spread_title(n, place or cell, there),
)
def fire_spreads(
    state: WesterosState, *, cell: str, n: int, place: str = "", there: str = ""
) -> WesterosState:
    return state
