"""The state as a pure fold over the event log: undo and redo are steps in the log, of any depth."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from companion.games.api.play import Accepted, Event, Play
from companion.session.clock import Clock, apply_clock_event
from companion.session.game_lookup import find_play
from companion.session.rivals import RIVAL, Rivals
from companion.session.step import (
    BY,
    CLOCK,
    JOINED,
    NOTE,
    OURS,
    REDO,
    SETUP,
    UNDO,
    VERSIONS,
    LogStep,
    MoveTitle,
    Title,
)
from models import BadInput, CompanionError
from models.field import shown
from models.message import say

SHOWN_NOTES = 20
"""The number of notes kept with each position; keeping all would grow quadratically."""
OPENING_S, STEP_S = 8.0, 0.02
"""The time limit for reading a game: a base and an allowance per step, both generous."""
TAIL = 12
"""The number of newest step titles shown with the state."""

Finder = Callable[[str], Play[Any]]


@dataclass(frozen=True, slots=True)
class Note:
    """A note that a player added to the log."""

    seq: int
    text: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """The game after one step that can be undone, linked to the position before it."""

    seq: int = 0
    lazy_title: Title | None = None
    game: str = ""
    play: Play[Any] | None = None
    state: Any = None
    notes: tuple[Note, ...] = ()
    step: LogStep | None = field(default=None, repr=False)
    below: Position | None = field(default=None, repr=False, compare=False)
    rivals: Rivals = Rivals()
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was worked out about it and never changes."""

    @property
    def title(self) -> str:
        """The step's title as a sentence."""
        return self.lazy_title.text if self.lazy_title is not None else ""

    @property
    def joined(self) -> bool:
        """Whether its step is undone and done again together with the one before it."""
        return self.step is not None and self.step.joined and self.below is not None

    @property
    def whole(self) -> Position:
        """The step that players know: this one, or the one that it belongs to."""
        here = self
        while here.joined and here.below is not None and here.below.step is not None:
            here = here.below
        return here

    @property
    def begins(self) -> bool:
        """Whether it sets up the game: before it there is none."""
        return self.below is None or self.below.play is None

    def down(self) -> Iterator[Position]:
        """This and all earlier positions that can be undone, newest first."""
        here = self
        while here.below is not None:
            yield here
            here = here.below


@dataclass(frozen=True, slots=True)
class Undone:
    """An undone position, on a stack with those undone before it."""

    position: Position
    below: Undone | None = field(default=None, repr=False, compare=False)

    def down(self) -> Iterator[Position]:
        """The positions that can be redone, next one first."""
        here: Undone | None = self
        while here is not None:
            yield here.position
            here = here.below


@dataclass(frozen=True, slots=True)
class History:
    """The result of folding a log: current position, redo stack, clock, and newest titles."""

    now: Position = Position()
    undone: Undone | None = None
    clock: Clock = Clock()
    last: LogStep | None = None
    tail: tuple[tuple[int, Title], ...] = ()

    @property
    def seq(self) -> int:
        return 0 if self.last is None else self.last.seq

    @property
    def back(self) -> int:
        """How many steps one Undo takes back: those that belong to a step go with it."""
        steps = list(self.now.down())
        return next((n for n, one in enumerate(steps, 1) if not one.joined), len(steps))

    @property
    def again(self) -> int:
        """How many steps one Redo does again."""
        steps = list(self.undone.down()) if self.undone is not None else []
        return next((n for n, one in enumerate(steps) if n and not one.joined), len(steps))

    @property
    def at_ms(self) -> int:
        """The time of the last step."""
        return 0 if self.last is None else self.last.at_ms


def fold_in_time(steps: Sequence[LogStep]) -> History:
    """Fold the steps of an untrusted file, with a time limit."""
    return fold(steps, within_s=OPENING_S + len(steps) * STEP_S)


def fold(steps: Iterable[LogStep], find: Finder = find_play, within_s: float = math.inf) -> History:
    """Fold the steps into a history; raise if that takes more than `within_s` seconds."""
    last = deque(histories(steps, find, within_s), maxlen=1)
    return last[0] if last else History()


def histories(
    steps: Iterable[LogStep], find: Finder = find_play, within_s: float = math.inf
) -> Iterator[History]:
    history = History()
    end = time.thread_time() + within_s
    for step in steps:
        if time.thread_time() > end:
            problem = say("takes longer than {most} s to read", most=int(within_s))
            raise BadInput(say("step {step}", step=step.seq), "", problem)
        try:
            history = grow(history, step, find)
        except CompanionError:
            raise
        except Exception as error:
            # The file is intact, but its events make no sense here: another program wrote it.
            problem = say(
                "“{title}” cannot be followed ({problem})",
                title=step.title,
                problem=f"{type(error).__name__}: {shown(str(error), 200)}",
            )
            raise BadInput(say("step {step}", step=step.seq), "", problem) from error
        yield history


def grow(
    history: History,
    step: LogStep,
    find: Finder = find_play,
    title_text: str | None = None,
    decided: Accepted | None = None,
) -> History:
    """The history with one more step; pure.

    A title that is known is not made again, and the state that the game computed when it decided
    on these events is used instead of applying them again.
    """
    now, undone, clock = history.now, history.undone, history.clock
    game, play, state, notes = now.game, now.play, now.state, now.notes
    played, ruled, rivals = False, False, now.rivals
    events = rest = step.events()
    if decided is not None and decided.after is not None:
        number = len(decided.events)
        if events[:number] == decided.events:
            state, played, rest = decided.after, True, events[number:]
    for event in rest:
        if not event.type.startswith(OURS):
            if play is None:
                raise CompanionError(say("event {type!r} before the set-up", type=event.type))
            state = play.apply(state, event)
            played = True
            continue
        refuse_unknown(step, event)
        if event.type == CLOCK:
            clock = apply_clock_event(clock, event, step.at_ms, history.at_ms)
        elif event.type == NOTE:
            noted = Note(step.seq, text_of(event, "text"), text_of(event, "side"))
            notes = (*notes[-SHOWN_NOTES + 1 :], noted)
            played = True
        elif event.type == RIVAL:
            rivals, ruled = rivals.after(event), True
        elif event.type == BY:
            check_seats(event)
        elif event.type == JOINED:
            continue
        elif event.type == SETUP:
            game = event.data["game"]
            play = find(game)
            state = play.start(game, event.data["setup"])
            played = True
        elif event.type == UNDO:
            for _ in range(event.data["count"]):
                if now.below is None:
                    raise CompanionError(say("undo beyond the beginning"))
                undone, now = Undone(now, undone), now.below
        else:
            for _ in range(event.data["count"]):
                if undone is None:
                    raise CompanionError(say("redo beyond the end"))
                now, undone = undone.position, undone.below
    taken = undo_title(history, events) if title_text is None else None
    title = Title(history.now.play, step, taken, title_text)
    if played or ruled:
        rivals = rivals if ruled else rivals.moved_on()
        now = Position(step.seq, title, game, play, state, notes, step, now, rivals)
        undone = None
    tail = (*history.tail[-TAIL + 1 :], (step.seq, title))
    return History(now, undone, clock, step, tail)


def text_of(event: Event, key: str) -> str:
    """A text field of an event, "" if it is missing."""
    text = event.data["text"] if key == "text" else event.data.get(key, "")
    if not isinstance(text, str):
        raise ValueError(f"not a text: {shown(text)}")
    return text


def check_seats(event: Event) -> None:
    """Raise unless the event names the seats that took a step."""
    seats = event.data["seats"]
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise ValueError(f"not a list of seats: {shown(seats)}")


def undo_title(history: History, events: Sequence[Event]) -> MoveTitle | None:
    """The number of steps that these events undo or redo, and the title of the last one."""
    taken = positions_taken(history, events)
    return MoveTitle(len(taken), taken[-1].title) if taken else None


def positions_taken(history: History, events: Iterable[Event]) -> list[Position]:
    """The positions of a history that these events undo or redo, in that order."""
    for event in events:
        if event.type in (UNDO, REDO):
            again = history.undone.down() if history.undone is not None else iter(())
            ready = history.now.down() if event.type == UNDO else again
            return list(islice(ready, event.data["count"]))
    return []


def refuse_unknown(step: LogStep, event: Event) -> None:
    """Raise if only a newer version of the program can read this session event."""
    if event.version > VERSIONS.get(event.type, 0):
        raise BadInput(
            say("step {step}", step=step.seq),
            "",
            say(
                "{type!r} version {version} was made by a newer version of the companion",
                type=event.type,
                version=event.version,
            ),
        )


def steps_played(history: History) -> list[Position]:
    """The positions that were not undone, oldest first."""
    return list(history.now.down())[::-1]
