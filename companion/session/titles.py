"""Titles of steps, told from their events: "undo: r2 suffers 3 wounds".

The log keeps the English title for whoever looks into the file; here it is told again from the
facts, so that it can be told in any language, however old the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from companion.session.own_events import CLOCK, NOTE, OURS, REDO, SETUP, UNDO
from companion.session.play import Event
from models.said import joined, say

if TYPE_CHECKING:
    from companion.session.fold import History, Position

LONGEST_NOTE = 80


def title(history: History, events: Sequence[Event]) -> str:
    """What these events do to that history, as one readable line."""
    told = [
        told_of(history, event)
        for event in events
        if event.type != CLOCK or len(events) == 1  # handed over with a step, it goes unsaid
    ]
    return joined(filter(None, told), "; ")


def told_of(history: History, event: Event) -> str:
    """One event as a readable line."""
    if not event.type.startswith(OURS):
        play = history.now.play
        assert play is not None
        return play.title(event)
    if event.type == UNDO:
        return undone([one.title for one in first(history.now.down(), event)])
    if event.type == REDO:
        return redone([one.title for one in first(again(history), event)])
    if event.type == SETUP:
        return say("set up {game}", game=event.data["game"])
    return noted(event) if event.type == NOTE else clock(event)


def again(history: History) -> Iterable[Position]:
    """What may be done again, the next one first."""
    return history.undone.down() if history.undone is not None else ()


def first(positions: Iterable[Position], event: Event) -> Iterable[Position]:
    """As many as an undo or redo counts."""
    return islice(positions, event.data["count"])


def undone(titles: list[str]) -> str:
    """One title in full, of many the last one reached."""
    if len(titles) == 1:
        return say("undo: {title}", title=titles[0])
    return say("undo: {n} steps, back to before “{title}”", n=len(titles), title=titles[-1])


def redone(titles: list[str]) -> str:
    """One title in full, of many the last one reached."""
    if len(titles) == 1:
        return say("redo: {title}", title=titles[0])
    return say("redo: {n} steps, on to “{title}”", n=len(titles), title=titles[-1])


def noted(event: Event) -> str:
    """A note, shortened."""
    words = str(event.data["text"])
    short = words if len(words) <= LONGEST_NOTE else words[: LONGEST_NOTE - 1] + "…"
    return say("note: {words}", words=short)


def clock(event: Event) -> str:
    """A turn of the clock."""
    told = event.data
    if "minutes" in told:
        each = (
            say("{side} {minutes:g} min", side=s, minutes=m) for s, m in told["minutes"].items()
        )
        return say("clock: {times}", times=joined(each))
    if "add" in told:
        return say("clock: {seconds:+g} s for {side}", seconds=told["seconds"], side=told["add"])
    if "run" in told:
        return say("clock: {side}’s time runs", side=told["run"])
    if "off" in told:
        return say("clock: put away")
    return say("the clock stopped") if "lost" in told else say("clock: paused")
