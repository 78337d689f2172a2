"""The result of a step in one line, from the titles of its events."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api.outcome import Outcome
from companion.games.api.play import Event, Pending
from companion.games.shared.event_registry import EventRegistry
from models.lazy_message import joined

MOST_TITLES = 3


@dataclass(frozen=True, slots=True)
class OutcomeRules:
    """Which types of events are told, which alone if there are many, and which are great or bad."""

    registry: EventRegistry[Any]
    quiet: Collection[str]
    loud: Collection[str]
    big: Collection[str]
    bad: Collection[str]
    between: str = " · "
    """What stands between two titles."""

    def outcome(
        self,
        events: Sequence[Event],
        pending: Sequence[Pending],
        dice: Sequence[int | str],
        more: Sequence[str] = (),
    ) -> Outcome | None:
        """What happened in these events, and what follows; None if nothing is to be told."""
        titles = [
            (event, text)
            for event in events
            if event.type not in self.quiet and (text := self.registry.title(event))
        ]
        if not titles:
            return None
        if len(titles) > MOST_TITLES:
            titles = [one for one in titles if one[0].type in self.loud] or titles[:1]
        return Outcome(
            joined([*(text for _, text in titles), *more], self.between),
            pending[0].say if pending else "",
            "bad" if any(event.type in self.bad for event in events) else "",
            "dice" if dice else "",
            next((str(event.data["side"]) for event in events if event.data.get("side")), ""),
            tuple(dice),
            any(event.type in self.big for event in events),
        )
