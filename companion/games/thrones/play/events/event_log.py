"""Every event type of a game."""

from __future__ import annotations

from companion.games.thrones.play.events import (  # noqa: F401
    camera_events,
    card_events,
    challenge_events,
    count_events,
    decision_events,
    round_events,
    trigger_events,
)
from companion.games.thrones.play.events.event_kinds import EVENTS

__all__ = ["EVENTS"]
