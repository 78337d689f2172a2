"""The state as a pure fold over the log: undo and redo are steps like any other, of any depth."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from companion.session.builtin_events import CLOCK, NOTE, OURS, REDO, SETUP, UNDO, VERSIONS
from companion.session.clock import Clock, tell
from companion.session.game_lookup import Accepted, Event, Play, find_play
from companion.session.report.step_titles import MoveTitle, Title
from companion.session.step import LogStep
from models import BadInput, CompanionError
from models.field import shown
from models.lazy_message import say

SHOWN_NOTES = 20
"""So many notes are kept with a position: all of them in each would grow with their square."""
OPENING_S, STEP_S = 8.0, 0.02
"""Reading a game takes at most so long, and so much longer for each step: far more than needed."""
TAIL = 12
"""So many titles of the log are shown with the state."""

Finder = Callable[[str], Play[Any]]


@dataclass(frozen=True, slots=True)
class Note:
    """Words a player put into the log."""

    seq: int
    text: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """The game after one step that may be undone, standing on the position before it."""

    seq: int = 0
    told: Title | None = None
    game: str = ""
    play: Play[Any] | None = None
    state: Any = None
    notes: tuple[Note, ...] = ()
    step: LogStep | None = field(default=None, repr=False)
    below: Position | None = field(default=None, repr=False, compare=False)

    @property
    def title(self) -> str:
        """What the step did, in a sentence."""
        return self.told.text if self.told is not None else ""

    def down(self) -> Iterator[Position]:
        """Every step that may be undone, the newest first."""
        here = self
        while here.below is not None:
            yield here
            here = here.below


@dataclass(frozen=True, slots=True)
class Undone:
    """A position taken back, on top of those taken back before it."""

    position: Position
    below: Undone | None = field(default=None, repr=False, compare=False)

    def down(self) -> Iterator[Position]:
        """Every step that may be done again, the next one first."""
        here: Undone | None = self
        while here is not None:
            yield here.position
            here = here.below


@dataclass(frozen=True, slots=True)
class History:
    """Everything a log says: where the game stands, what was taken back, the clock, the tail."""

    now: Position = Position()
    undone: Undone | None = None
    clock: Clock = Clock()
    last: LogStep | None = None
    tail: tuple[tuple[int, Title], ...] = ()

    @property
    def seq(self) -> int:
        """The number of the last step."""
        return 0 if self.last is None else self.last.seq

    @property
    def at_ms(self) -> int:
        """When the last step was taken."""
        return 0 if self.last is None else self.last.at_ms


def fold_in_time(steps: Sequence[LogStep]) -> History:
    """The history of a file that anybody may have made: refused where it takes too long."""
    return fold(steps, within_s=OPENING_S + len(steps) * STEP_S)


def fold(steps: Iterable[LogStep], find: Finder = find_play, within_s: float = math.inf) -> History:
    """The history that these steps tell; refused where it takes longer than that."""
    last = deque(histories(steps, find, within_s), maxlen=1)
    return last[0] if last else History()


def histories(
    steps: Iterable[LogStep], find: Finder = find_play, within_s: float = math.inf
) -> Iterator[History]:
    """The history after each step."""
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
            # A sound file that this program cannot follow: another program wrote it.
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
    told: str | None = None,
    events: tuple[Event, ...] | None = None,
    foreseen: Accepted | None = None,
) -> History:
    """The history with one more step; pure.

    Its title and events need not be read where they are known; and what the game foresaw when it
    decided on these very events is not counted again.
    """
    now, undone, clock = history.now, history.undone, history.clock
    game, play, state, notes = now.game, now.play, now.state, now.notes
    played = False
    if events is None:
        events = step.events()
    rest = events
    if foreseen is not None and foreseen.after is not None:
        number = len(foreseen.events)
        if events is foreseen.events or events[:number] == foreseen.events:
            state, played, rest = foreseen.after, True, events[number:]
    for event in rest:
        if not event.type.startswith(OURS):
            if play is None:
                raise CompanionError(say("event {type!r} before the set-up", type=event.type))
            state = play.apply(state, event)
            played = True
            continue
        refuse_unknown(step, event)
        if event.type == CLOCK:
            clock = tell(clock, event, step.at_ms, history.at_ms)
        elif event.type == NOTE:
            noted = Note(step.seq, text_of(event, "text"), text_of(event, "side"))
            notes = (*notes[-SHOWN_NOTES + 1 :], noted)
            played = True
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
    taken = moved(history, events) if told is None else None
    title = Title(history.now.play, step, taken, told)
    if played:
        now = Position(step.seq, title, game, play, state, notes, step, now)
        undone = None
    tail = (*history.tail[-TAIL + 1 :], (step.seq, title))
    return History(now, undone, clock, step, tail)


def text_of(event: Event, key: str) -> str:
    """A text of an event; "" where it has none."""
    text = event.data["text"] if key == "text" else event.data.get(key, "")
    if not isinstance(text, str):
        raise ValueError(f"not a text: {shown(text)}")
    return text


def moved(history: History, events: Sequence[Event]) -> MoveTitle | None:
    """What these events take back or do again."""
    for event in events:
        if event.type in (UNDO, REDO):
            again = history.undone.down() if history.undone is not None else iter(())
            ready = history.now.down() if event.type == UNDO else again
            taken = list(islice(ready, event.data["count"]))
            return MoveTitle(len(taken), taken[-1].title)
    return None


def refuse_unknown(step: LogStep, event: Event) -> None:
    """Refuse an event of the session that only a later program understands."""
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
    """Every step that counts, the first one first; undone steps are not among them."""
    return list(history.now.down())[::-1]
