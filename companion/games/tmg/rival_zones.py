"""What the rival of the miniatures game does with the zones of the tactics board: each zone with
the effect that it means to have there, so that it announces both (TMG-ZON-2..6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.play import Plain
from companion.games.api.rival import Line
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rival_value import (
    CONDITION,
    PANICKED,
    VULNERABLE,
    WEAKENED,
    Attacks,
    each_wound,
    likely,
    panic_wounds,
)

HEALED = 3
"""TMG-ZON-3."""
CROWN = -1
"""On the panic test of TMG-ZON-2."""
CARDS = 0.05
"""The two cards of Tactics, at first sight."""
SKIPPED = -0.2
MOST_EFFECTS = 2
"""How many effects of one zone are looked at closely."""


def effect_lines(state: GameState, zone: str, offered: Sequence[Plain]) -> Iterator[Line]:
    """The effects of a zone that promise most, and none of them; moves of trays come from
    elsewhere."""
    attacks = Attacks.of(state) if state.table else None
    found = []
    for command in offered:
        if command.get("skip"):
            yield Line((command,), SKIPPED)
        elif command.get("action") != "maneuver":
            found.append(Line((command,), promised(state, attacks, zone, command)))
    yield from sorted(found, key=lambda one: -one.guess)[:MOST_EFFECTS]


def promised(state: GameState, attacks: Attacks | None, zone: str, command: Plain) -> float:
    """What an effect is worth to whoever has the zone, at first sight."""
    if "unit" not in command or command.get("instead"):
        return CARDS if zone == "tactics" else 0.0
    unit = state.unit(str(command["unit"]))
    if zone == "wealth":
        return healed(unit) + CONDITION * bool(unit.tokens)
    if zone == "crown":
        return each_wound(unit) * panic_wounds(state, unit, CROWN)
    if attacks is None or unit.id not in attacks.trays:
        return CARDS if zone == "tactics" else 0.0
    if zone == "combat":
        kind = "shot" if command.get("ranged") else "melee"
        target = str(command.get("target", ""))
        known = (target, kind) in attacks.each(unit.id)
        return attacks.promised(unit.id, target, kind) if known else 0.0
    if zone == "tactics":
        return CARDS + burden(attacks, unit, str(command["token"]))
    return 0.0


def healed(unit: UnitState) -> float:
    """What the wounds are worth that a unit may heal."""
    return each_wound(unit) * min(HEALED, unit.wounds)


def burden(attacks: Attacks, unit: UnitState, token: str) -> float:
    """What a condition token on an enemy changes about the attacks that may be made now."""
    if token == "weakened":
        return (1 - WEAKENED) * likely(attacks.state, unit) * attacks.best(unit.id)
    more = VULNERABLE - 1 if token == "vulnerable" else PANICKED - 1
    mine = [one for one in attacks.trays if attacks.state.unit(one).side != unit.side]
    ways = ((one, *way) for one in mine for way in attacks.each(one))
    best = [
        likely(attacks.state, attacks.state.unit(one[0])) * attacks.promised(*one)
        for one in ways
        if one[1] == unit.id
    ]
    return more * max(best, default=0.0)
