"""A tray that a table does not show is hidden, not removed: it stays where it was (TMG-GLO-11)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from models import Objective, Table, Unit
from models.footprint import overlap_depth
from models.table import OVERLAP_TOLERANCE_IN


@dataclass(frozen=True, slots=True)
class CompletedTable:
    """A table completed from earlier ones: which trays are hidden, and whose place is unknown."""

    table: Table
    hidden: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def completed(state: GameState, found: Table) -> CompletedTable:
    """The table with hidden trays and tokens where the previous one showed them.

    The place of a tray is unknown if it has moved since, was never seen, or is taken by another.
    """
    pieces = tuple(piece for piece in found.terrain if piece.id not in state.broken)
    found = replace(found, terrain=pieces)
    hidden = tuple(unit.id for unit in state.standing() if unit.id not in found)
    if not state.table:
        return CompletedTable(found, hidden, hidden)
    before = table_of(state.table)
    kept = [
        before.unit(name)
        for name in hidden
        if name in before and name not in state.moved and free(before.unit(name), found)
    ]
    there = {unit.id for unit in kept}
    return CompletedTable(
        replace(
            found,
            units=inserted(found.units, kept, [unit.id for unit in before.units]),
            objectives=(*found.objectives, *covered(state, before, found)),
        ),
        hidden,
        tuple(name for name in hidden if name not in there),
    )


def free(unit: Unit, table: Table) -> bool:
    """Whether no tray of the table overlaps the place of this one."""
    return not any(
        overlap_depth(unit, other)
        > OVERLAP_TOLERANCE_IN + 3 * (unit.pose.sigma.xy_in + other.pose.sigma.xy_in)
        for other in table.units
    )


def inserted(units: tuple[Unit, ...], more: list[Unit], order: list[str]) -> tuple[Unit, ...]:
    """The units with more inserted, each after its predecessor in the order of the file.

    The order of units in a file decides which side sits where.
    """
    result = list(units)
    for unit in more:
        earlier = set(order[: order.index(unit.id)])
        places = [place for place, other in enumerate(result) if other.id in earlier]
        result.insert(places[-1] + 1 if places else 0, unit)
    return tuple(result)


def covered(state: GameState, before: Table, found: Table) -> tuple[Objective, ...]:
    """Tokens not visible now, because a tray is on them; carried tokens may be anywhere."""
    if mode_of(state).facts.objective.control == "carried":
        return ()
    shown = {token.id for token in found.objectives}
    return tuple(token for token in before.objectives if token.id not in shown)
