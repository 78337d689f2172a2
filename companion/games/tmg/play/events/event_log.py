"""The log of a game: every event type, its dice, and its sentence of the battle report."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import ArmySummary, Event, RolledDice, UnitSummary
from companion.games.tmg.play.events import (  # noqa: F401
    field_events,
    fight_events,
    flow_events,
    score_events,
    tactics_events,
    unit_events,
)
from companion.games.tmg.play.events.flow_events import EVENTS
from companion.games.tmg.play.names import faction_name, names_of
from companion.games.tmg.play.state.game_state import GameState, Player
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, UnitState
from models.message import say

ONE_D3 = ("dangerous", "piece-count")  # TMG-TER-9, TMG-SET-10


__all__ = ["EVENTS", "dice"]


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event: D6 and, if it has one, its D3."""
    data = event.data
    if event.type == "roll-off":
        found = ((side, face) for side, face in data["dice"] if face)
        return tuple(RolledDice(side, "roll-off", (face,), told=True) for side, face in found)
    faces, what = data.get("faces") or (), data.get("what") or event.type
    places = range(len(faces))
    if event.type == "rerolled":
        faces, places = data["new"], data["places"]
        old = ", ".join(map(str, data["old"]))
        what = say("{dice} rerolled ({because})", dice=old, because=data["because"])
    # In a panic test the third die is the D3 (TMG-PAN-2); in some other rolls the only one is.
    first_d3 = 2 if event.type == "test-rolled" or data.get("test") else 100
    if event.type == "test-rolled":
        what = say("{kind} test", kind=data["kind"])
    if event.type in ONE_D3:
        first_d3 = 0
    rolls = []
    for die, small in ((6, False), (3, True)):
        shown = [face for face, at in zip(faces, places, strict=True) if (at >= first_d3) is small]
        if shown:
            again = event.type == "rerolled"
            rolls.append(RolledDice(data.get("side"), what, tuple(shown), die, by=again))
    return tuple(rolls)


UNTOLD = frozenset(
    "step turn-began first-player went-on passed activated activation-ended table task "
    "task-done attack-completed attack-ended attack-wounds hits rolled rerolled test test-rolled "
    "drawn deployed token-card missions-taken proposed proposals-closed declined "
    "tokens-cleared board-cleared influence-cleared".split()
)
"""Events left out, because the map, the dice, the headings or the next event show them better."""

ACTIONS = ("maneuver", "march", "forgo", "enter")
"""Actions that no other event tells."""


def report_sentence(state: GameState, event: Event) -> str:
    """The event as a sentence for the battle report; empty if it is left out."""
    if event.type in UNTOLD or (event.type == "acted" and event.data["action"] not in ACTIONS):
        return ""
    if event.type == "charge-rolled":  # the report shows the die, but not what it means
        text: str = say("a disorderly charge") if event.data["disorderly"] else ""
    elif event.type == "destroyed":  # its name is inserted below, once
        text = EVENTS.title(Event(event.type, {**event.data, "name": ""}, event.version))
    else:
        text = EVENTS.title(event)
    return names_of(state).spelled(text) if text else ""


def occasion(state: GameState) -> str:
    """The game being played, and what was unchecked or unknown about the armies."""
    told = {"mode": say(mode_of(state).name), "n": state.points, "year": state.year}
    played = say("{mode}, {n} point, edition {year}", "{mode}, {n} points, edition {year}", **told)
    if len(state.players) > len(state.sides):  # TMG-TEAM-3
        played = say("{mode}, {n} points for each player, edition {year}", **told)
    if state.unchecked:
        played = say("{played}, armies not checked", played=played)
    for what, words in ASSUMED.items():
        names = dict.fromkeys(unit.name for unit in state.units if what in unit.assumed)
        if names:
            played = say(words, played=played, units=", ".join(names))
    return played


ASSUMED = {
    "cost": "{played}; points not known, counted as 0: {units}",
    "wounds": "{played}; wounds per model not known, counted as 1: {units}",
    "type": "{played}; the type that an attachment may join not known, not checked: {units}",
}


# -- armies -----------------------------------------------------------------------------------


def army_summaries(state: GameState) -> tuple[ArmySummary, ...]:
    """Every player's army, with its current state."""
    return tuple(
        ArmySummary(
            player.side,
            army_name(player),
            player.commander,
            tuple(unit_summaries(state, player)),
        )
        for player in state.players
    )


def army_name(player: Player) -> str:
    """What an army is called: its faction, and the player who gave a name."""
    faction = faction_name(player.faction)
    named = faction and player.id != player.side
    return say("{army} ({name})", army=faction, name=player.id) if named else faction or player.id


def unit_summaries(state: GameState, player: Player) -> Iterator[UnitSummary]:
    """The units with their attachments, then the NCUs."""
    for unit in state.units:
        if unit.player == player.id:
            joined = "".join(f", {one.name}" for one in unit.attachments)
            gone = unit.place == DESTROYED
            yield UnitSummary(f"{unit.name}{joined}", unit.points, fate(unit), gone)
    for ncu in state.ncus:
        if ncu.player == player.id:
            yield UnitSummary(ncu.name, ncu.cost)
    for ncu in state.departed:
        if ncu.player == player.id:
            yield UnitSummary(ncu.name, ncu.cost, say("out of the game"), lost=True)


def fate(unit: UnitState) -> str:
    if unit.place == DESTROYED:  # units that left with their player were not destroyed
        return say("out of the game") if unit.wounds_left else say("destroyed")
    if unit.place == RESERVE:
        return say("in reserve")
    if unit.full_models == 1:
        return say("{left} of {total} wounds left", left=unit.wounds_left, total=unit.total)
    return say("{left} of {total} models", left=unit.models, total=unit.full_models)
