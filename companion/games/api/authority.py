"""Who may press: the records of a screen with the seats that may send their commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from companion.games.api.play import ANYBODY, Authority, Plain
from companion.games.api.prompt import ActionOffer, Choice, Prompt, PromptForm, TargetCell
from companion.games.api.screen_views import (
    Page,
    PageCard,
    PieceView,
    ScoreLine,
    ScoreView,
    Section,
)

FindAuthority = Callable[[Plain], Authority]
"""The authority for one command in the state that is shown."""
INSIDE: dict[type, tuple[str, ...]] = {
    Prompt: ("choices", "forms", "cells"),
    ActionOffer: ("cells",),
    PieceView: ("corrections", "forms"),
    ScoreView: ("lines", "ends"),
    ScoreLine: ("choices",),
    Page: ("sections",),
    Section: ("cards",),
    PageCard: ("choices",),
}
"""The fields of a record that hold records with commands."""
R = TypeVar("R")


def authorised(records: Iterable[R], find: FindAuthority) -> tuple[R, ...]:
    """The records with `by` and `shared` filled in wherever commands are sent."""
    return tuple([authorised_record(one, find) for one in records])


def authorised_record(record: R, find: FindAuthority) -> R:
    """One record of a screen, with everything in it."""
    known: Any = record
    if isinstance(known, Choice | TargetCell):
        return pressed(known, find, known.commands)
    if isinstance(known, PromptForm):
        return pressed(known, find, (known.command,))
    changes: dict[str, Any] = {}
    for name in INSIDE.get(type(known), ("choices",)):
        if value := getattr(known, name):
            changes[name] = authorised(value, find)
    if isinstance(known, ScoreView) and known.confirm is not None:
        changes["confirm"] = authorised_record(known.confirm, find)
    known = replace(known, **changes) if changes else known
    if isinstance(known, ActionOffer):
        aimed = known.cells[0].commands if known.cells else ()
        known = pressed(known, find, known.commands or aimed)
    return known


def pressed(record: Any, find: FindAuthority, commands: Sequence[Plain]) -> Any:
    """A record that sends these commands; what the game has filled in itself stays."""
    if not commands:
        return record
    found = find(commands[0])
    if len(commands) > 1:
        found = decided_together([find(one) for one in commands])
    if found is ANYBODY:
        return record
    return replace(record, by=record.by or found.seats, shared=record.shared or found.together)


def decided_together(found: Iterable[Authority]) -> Authority:
    """The authority for several commands in one tap: if they belong to several seats, these seats
    decide together."""
    several = [one for one in found if one.seats]
    seats = tuple(dict.fromkeys(seat for one in several for seat in one.seats))
    alike = all(set(one.seats) == set(seats) for one in several)
    return Authority(seats, any(one.together for one in several) or not alike)
