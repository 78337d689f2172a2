"""Titles of steps, worked out from their events: "undo: r2 suffers 3 wounds".

The log stores the English title for anybody who reads the file directly. Here the title is made
again from the event data, so that even an old game can be shown in any language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from companion.games.api.json_fragment import JsonFragment
from companion.games.api.play import Event, Play
from companion.session.builtin_events import CLOCK, NOTE, OURS, SETUP, UNDO
from companion.session.step import LogStep
from models.lazy_message import joined, say

LONGEST_NOTE = 80


class Title:
    """The title of a step, computed on first access: a fold creates hundreds of them."""

    __slots__ = ("_moved", "_play", "_step", "line", "text")
    line: JsonFragment
    """The title with its step number, as the state view shows it."""
    text: str
    """The title as a sentence."""

    def __init__(
        self,
        play: Play[Any] | None,
        step: LogStep,
        taken: MoveTitle | None,
        told: str | None = None,
    ) -> None:
        self._play, self._step, self._moved = play, step, taken
        if told is not None:
            self.text = told

    def __getattr__(self, name: str) -> Any:
        """Compute an attribute on first access."""
        if name == "text":
            self.text = title(self._play, self._step.events(), self._moved)
            return self.text
        if name == "line":
            self.line = JsonFragment({"seq": self._step.seq, "title": self.text})
            self.line.text = f'{{"seq": {self._step.seq}, "title": {quoted(self.text)}}}'
            return self.line
        raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Title) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True, slots=True)
class MoveTitle:
    """How many steps an undo or redo covers, and the title of the last one."""

    count: int
    last: str


def title(play: Play[Any] | None, events: Sequence[Event], taken: MoveTitle | None) -> str:
    """The title for these events."""
    told = [
        event_text(play, event, taken)
        for place, event in enumerate(events)
        if event.type != CLOCK or place == 0  # a clock switch within a step is left out
    ]
    return joined(filter(None, told), "; ")


def event_text(play: Play[Any] | None, event: Event, taken: MoveTitle | None) -> str:
    """The title of one event."""
    if not event.type.startswith(OURS):
        assert play is not None
        return play.title(event)
    if event.type == SETUP:
        return say("set up {game}", game=event.data["game"])
    if taken is None:
        return noted(event) if event.type == NOTE else clock(event)
    count, last = taken.count, taken.last
    if event.type == UNDO:
        if count == 1:
            return say("undo: {title}", title=last)
        return say("undo: {n} steps, back to before “{title}”", n=count, title=last)
    if count == 1:
        return say("redo: {title}", title=last)
    return say("redo: {n} steps, on to “{title}”", n=count, title=last)


def noted(event: Event) -> str:
    """A note, shortened."""
    words = str(event.data["text"])
    short = words if len(words) <= LONGEST_NOTE else words[: LONGEST_NOTE - 1] + "…"
    return say("note: {words}", words=short)


def clock(event: Event) -> str:
    """The title of a clock event."""
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
