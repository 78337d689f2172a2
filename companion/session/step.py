"""One step of a game: its number in the log, when it was taken, its title and its events, the
session's own event types among them.

>>> step = LogStep.after(None, 1000, "blue passes", (Event("passed", {"side": "blue"}),))
>>> step.seq, step.body
(1, '[["passed",1,{"side":"blue"}]]')
>>> step.follows(None), step.follows(step)
(True, False)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from companion.games.api.play import Event, Play
from companion.session.rivals import RIVAL, rival_title
from models import BadInput
from models.field import shown
from models.message import LazyMessage, Name, joined, say, say_read

OURS = "session."
SETUP = "session.set-up"
NOTE = "session.note"
UNDO = "session.undo"
REDO = "session.redo"
CLOCK = "session.clock"
BY = "session.by"
JOINED = "session.joined"
"""A step that belongs to the one before it: Undo takes back both."""
VERSIONS = {SETUP: 1, NOTE: 1, UNDO: 1, REDO: 1, CLOCK: 1, BY: 1, JOINED: 1, RIVAL: 1}
"""The latest version of each event type that this program can read."""


WRITER = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class LogStep:
    """A step of the log as stored on disk.

    `mark` is a hash over the step and the mark of the step before it: any step that was changed,
    lost or inserted breaks the hash chain.
    """

    seq: int
    at_ms: int
    title: str
    body: str
    mark: str

    @classmethod
    def after(
        cls, last: LogStep | None, at_ms: int, title: str, events: Iterable[Event]
    ) -> LogStep:
        """The step that follows `last`."""
        return cls.sealed(last, at_ms, title, body_of(events))

    @classmethod
    def sealed(cls, last: LogStep | None, at_ms: int, title: str, body: str) -> LogStep:
        """The same, for events already serialised; its time is never before that of `last`."""
        seq = 1 if last is None else last.seq + 1
        at_ms = at_ms if last is None else max(at_ms, last.at_ms)
        return cls(seq, at_ms, title, body, seal(last, seq, at_ms, title, body))

    def follows(self, last: LogStep | None) -> bool:
        """Whether this is the intact successor of `last`."""
        return self.seq == (1 if last is None else last.seq + 1) and self.mark == seal(
            last, self.seq, self.at_ms, self.title, self.body
        )

    def events(self) -> tuple[Event, ...]:
        """The events of this step, parsed."""
        hook = read if f'"{SAID}"' in self.body else None
        try:
            return tuple(
                Event(type_, data, version)
                for type_, version, data in json.loads(self.body, object_hook=hook)
            )
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
            problem = shown(f"{type(error).__name__}: {error}", 200)
            raise BadInput(
                say("step {step}", step=self.seq),
                "",
                say("cannot be read: {reason}", reason=problem),
            ) from None

    @property
    def by(self) -> tuple[str, ...]:
        """The seats that took it together; none if nobody signed it, as on a shared tablet."""
        if f'"{BY}"' not in self.body:
            return ()
        return tuple(
            seat for event in self.events() if event.type == BY for seat in event.data["seats"]
        )

    @property
    def joined(self) -> bool:
        """Whether it belongs to the step before it."""
        return f'"{JOINED}"' in self.body

    @property
    def rolled(self) -> bool:
        """Whether dice fell in it."""
        return '"faces"' in self.body and any(one.data.get("faces") for one in self.events())

    def to_json(self) -> dict[str, Any]:
        """The step as a JSON object for the export."""
        return {
            "seq": self.seq,
            "at": self.at_ms,
            "title": self.title,
            "events": [
                {"type": event.type, "version": event.version, "data": event.data}
                for event in self.events()
            ],
        }


LONGEST_SENTENCE = 20_000
SAID, WITH = "said", "with"
"""The keys of a sentence in the log: templates and values, so that it can be translated later."""


def written(value: Any) -> Any:
    """Event data converted to what JSON can store."""
    if isinstance(value, LazyMessage):
        templates = [value.one, value.many] if value.many else [value.one]
        return {SAID: templates, WITH: written(dict(value.values))}
    if isinstance(value, dict):
        return {key: written(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [written(one) for one in value]
    return value


def body_of(events: Iterable[Event]) -> str:
    """The events serialised as JSON."""
    return WRITER.encode([[one.type, one.version, written(dict(one.data))] for one in events])


def read(members: dict[str, Any]) -> Any:
    """Restore a lazy message from the log; any other object is returned unchanged."""
    if members.keys() != {SAID, WITH}:
        return members
    return say_read(members[SAID], members[WITH], LONGEST_SENTENCE)


def seal(last: LogStep | None, seq: int, at_ms: int, title: str, body: str) -> str:
    """The hash of a step, chained to the step before it."""
    before = "" if last is None else last.mark
    text = f'["{before}", {seq}, {at_ms}, {quoted(title)}, {quoted(body)}]'  # JSON
    return blake2b(text.encode("ascii"), digest_size=12).hexdigest()


LONGEST_NOTE = 80


class Title:
    """The title of a step, computed on first access: a fold creates hundreds of them."""

    __slots__ = ("_moved", "_play", "_step", "text")
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
        raise AttributeError(name)

    @property
    def line(self) -> dict[str, Any]:
        """The title with its step number, as the state view shows it."""
        by = {"by": list(self._step.by)} if self._step.by else {}
        return {"seq": self._step.seq, "title": self.text, **by}

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
    if not event.type.startswith(OURS):
        assert play is not None
        return play.title(event)
    if event.type in (BY, JOINED):
        return ""
    if event.type == SETUP:
        return say("set up {game}", game=event.data["game"])
    if event.type == RIVAL:
        return rival_title(event)
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
    return say("note: {words}", words=Name(short))


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
