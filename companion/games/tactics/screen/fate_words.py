"""What follows if a defeated figure is killed, and what if it is captured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from companion.games.tactics.play.flow import POINTS_PER_ROUND_WITHOUT_FIGURES, beaten
from companion.games.tactics.play.state import FigureInPlay, SkirmishState, battle_position
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.movement import surge_ends
from companion.games.tactics.screen.card_effects import with_price
from companion.games.tactics.screen.views import short
from models.frozen_records import replace
from models.message import joined, say


def fate_words(state: SkirmishState, choose: str) -> str:
    """The consequences of either answer, before it is given (TAC-CAP-1)."""
    if state.attack is None:
        return ""
    victim, captor = state.figure(state.attack.target), state.figure(state.attack.attacker)
    told = killed_words if choose == "kill" else captured_words
    return joined(told(state, victim, captor), "; ")


def killed_words(state: SkirmishState, victim: FigureInPlay, killer: FigureInPlay) -> Iterator[str]:
    """It is gone for good; a surge, nemesis tokens and motivations (TAC-ATK-16, TAC-MOT-6)."""
    yield say("out for good")
    if words := last_words(state, victim):  # nobody surges then
        yield words
    else:
        yield from freed_words(state, victim)
        yield surge_words(state, victim, killer)
    if victim.id in killer.nemeses:
        yield say("a nemesis of {figure}: it may score", figure=killer.name)
    purse = state.squad(killer.side).coins
    for figure in state.of(killer.side):
        dead = figure.fate == "killed" and figure.id != killer.id  # TAC-MOT-5
        for one in figure.card.motivation:
            met = one.victim == victim.kind and one.dead == dead and (dead or figure is killer)
            if met and purse.covers(one.price):
                about = {"figure": figure.name, "name": one.name, "n": one.points}
                text = say(
                    "{figure} may pay for {name}: {n} victory point",
                    "{figure} may pay for {name}: {n} victory points",
                    **about,
                )
                yield with_price(text, one.price)


def freed_words(state: SkirmishState, victim: FigureInPlay) -> Iterator[str]:
    """Whom the end of their captor frees (TAC-CAP-7, -8, TAC-OR-21)."""
    for one in held_by(state, victim):
        yield say(
            "{figure} comes back on the space of {captor}: 1 health left, not activated",
            figure=one.name,
            captor=victim.name,
        )


def held_by(state: SkirmishState, captor: FigureInPlay) -> list[FigureInPlay]:
    """The captives of a figure."""
    return [one for one in state.figures if one.captor == captor.id]


def surge_words(state: SkirmishState, victim: FigureInPlay, killer: FigureInPlay) -> str:
    """Whether the attacker may move onto a space of the victim that is gone, or why not; a captive
    of the victim stands there first (TAC-ATK-16, TAC-CAP-7)."""
    cells = battle_position(state).by_id[victim.id].cells
    position = battle_position(state.with_figure(replace(victim, fate="killed", cell=None)))
    mine = position.by_id[killer.id]
    if foes := engaged_with(position, mine):
        words = {"figure": killer.name, "enemies": joined([short(one.name) for one in foes])}
        return say("no surge: {figure} stays engaged with {enemies}", **words)
    taken = victim.card.size == 1 and held_by(state, victim)
    if taken or not surge_ends(position, mine, cells):
        return say("no surge: {figure} has no room there", figure=killer.name)
    return say("{figure} may surge onto its space", figure=killer.name)


def last_words(state: SkirmishState, victim: FigureInPlay) -> str:
    """What follows if the last figure of a squad goes; nothing if others are left or a captive is
    free then (TAC-END-10, TAC-END-11)."""
    freed = [replace(one, fate="board") for one in held_by(state, victim)]
    after = reduce(SkirmishState.with_figure, freed, state)
    after = after.with_figure(replace(victim, fate="killed", cell=None))
    if victim.side not in {one.id for one in beaten(after)}:
        return ""
    left = state.scenario.rounds - state.round + 1
    return say(
        "the last figure of {player}: the battle ends, {n} victory point for {other}",
        "the last figure of {player}: the battle ends, {n} victory points for {other}",
        player=state.squad(victim.side).player,
        other=state.squad(state.other(victim.side)).player,
        n=POINTS_PER_ROUND_WITHOUT_FIGURES * left,
    )


def captured_words(
    state: SkirmishState, victim: FigureInPlay, captor: FigureInPlay
) -> Iterator[str]:
    """It counts for the most captives, and is free once its captor is killed (TAC-CAP-7, -9)."""
    if words := last_words(state, victim):
        yield words
        return
    yield from freed_words(state, victim)
    change = {captor.side: 1, victim.side: -len(held_by(state, victim))}
    first, second = state.squads
    yield say(
        "captives then: {first} {own} : {theirs} {second}",
        first=first.player,
        own=state.captives(first.id) + change[first.id],
        theirs=state.captives(second.id) + change[second.id],
        second=second.player,
    )
    yield say("who holds the most gets 1 victory point at the end of each round")
    yield say(
        "back with 1 health left once {captor} is killed or captured; {captor} holds no other",
        captor=captor.name,
    )
    if state.readings.surge_after_capture != "yes":  # TAC-OR-20
        yield say("no surge; no motivation for a kill")
    else:
        yield surge_words(state, victim, captor)
    if victim.equipment == "vial-of-poison":
        yield say("it may drink the vial of poison: then it is killed")
