"""Recorded games step by step, and everything a screen says of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from companion.games.api.play import Accepted, Event
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState, table_of
from models import CompanionError
from tests.play.recorded import FOLDER, begun

Step = tuple[GameState, tuple[Event, ...], GameState]
SPOKEN = frozenset(
    "title text detail follows lines name short help odds reason how expected unit".split()
)
"""Fields that players read; the others hold ids, commands and rule numbers."""
RULE = re.compile(r"[A-Z]{2,}-[A-Z]*-?\d|OR-\d|{|}")


@cache
def played(name: str) -> tuple[Step, ...]:
    """The accepted steps of a recorded game."""
    state, found = begun(name), []
    for command, *_ in json.loads((FOLDER / f"{name}.json").read_text()):
        try:
            decision = PLAY.decide(state, command)
        except CompanionError:
            continue
        if isinstance(decision, Accepted) and decision.events:
            after = state
            for event in decision.events:
                after = PLAY.apply(after, event)
            found.append((state, decision.events, after))
            state = after
    return tuple(found)


def spoken(record: Any, field: str = "") -> Iterator[str]:
    """Every text of a record that players read."""
    if isinstance(record, str):
        if field in SPOKEN and record:
            yield record
    elif is_dataclass(record):
        for one in fields(record):
            yield from spoken(getattr(record, one.name), one.name)
    elif isinstance(record, tuple | list):
        if field == "options":
            yield from (text for _, text in record)
            return
        for one in record:
            yield from spoken(one, field)


def ids(state: GameState) -> re.Pattern[str]:
    """The ids of a game, none of which players may read."""
    known = {one.id for one in state.units} | {one.id for one in state.tokens}
    known |= {one.id for one in (*state.ncus, *state.departed)} | {one.id for one in state.walls}
    known |= {one.id for one in table_of(state.table).terrain} if state.table else set()
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(known)))})(?![\w-])")


def wrong(texts: Iterator[str], state: GameState) -> list[str]:
    """The texts with an id, a rule number or an unfilled place in them."""
    pattern = ids(state)
    return sorted({text for text in texts if pattern.search(text) or RULE.search(text)})
