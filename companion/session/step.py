"""One step of a game: its number in the log, when it was taken, its title and its events.

>>> step = LogStep.after(None, 1000, "blue passes", (Event("passed", {"side": "blue"}),))
>>> step.seq, step.body
(1, '[["passed",1,{"side":"blue"}]]')
>>> step.follows(None), step.follows(step)
(True, False)
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from companion.session.game_lookup import Event
from models import BadInput
from models.field import shown
from models.lazy_message import LazyMessage, say, say_read

WRITER = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class LogStep:
    """A step of the log as it lies on disk.

    `mark` seals the step together with the mark of the step before it: whatever was changed, lost
    or put in between breaks the chain and is seen.
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
        """The step that follows the last one."""
        return cls.sealed(last, at_ms, title, body_of(events)[0])

    @classmethod
    def sealed(cls, last: LogStep | None, at_ms: int, title: str, body: str) -> LogStep:
        """The same, of events that are text already; its time never runs backwards."""
        seq = 1 if last is None else last.seq + 1
        at_ms = at_ms if last is None else max(at_ms, last.at_ms)
        return cls(seq, at_ms, title, body, seal(last, seq, at_ms, title, body))

    def follows(self, last: LogStep | None) -> bool:
        """Whether this is the unharmed step right after that one."""
        return self.seq == (1 if last is None else last.seq + 1) and self.mark == seal(
            last, self.seq, self.at_ms, self.title, self.body
        )

    def events(self) -> tuple[Event, ...]:
        """What happened in this step."""
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

    def plain(self) -> dict[str, Any]:
        """The step as an export writes it."""
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
"""A sentence in the log: its templates and its values, so that any language can tell it later."""


def written(value: Any) -> Any:
    """Facts as the log writes them."""
    if isinstance(value, LazyMessage):
        templates = [value.one, value.many] if value.many else [value.one]
        return {SAID: templates, WITH: written(dict(value.values))}
    if isinstance(value, dict):
        return {key: written(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [written(one) for one in value]
    return value


class Unlike(Exception):
    """Facts that the log would not give back as they are: a tuple, a key that is no text."""


def body_of(events: Iterable[Event]) -> tuple[str, bool]:
    """Events as the log writes them, and whether it gives them back just as they are."""
    try:
        texts = [f"[{quoted(one.type)},{one.version},{facts(one.data)}]" for one in events]
        return f"[{','.join(texts)}]", True
    except (Unlike, KeyError, TypeError):
        plain = [[one.type, one.version, written(dict(one.data))] for one in events]
        return WRITER.encode(plain), False


def facts(value: Any) -> str:
    """An object as `WRITER` writes it, of nothing but what is read back as it was."""
    return (
        f"{{{','.join([f'{quoted(key)}:{TEXT[type(one)](one)}' for key, one in value.items()])}}}"
    )


def row(value: list[Any]) -> str:
    """A list."""
    return f"[{','.join([TEXT[type(one)](one) for one in value])}]"


def sentence(value: LazyMessage) -> str:
    """A sentence: its templates and its values."""
    templates = f"{quoted(value.one)},{quoted(value.many)}" if value.many else quoted(value.one)
    return f'{{"{SAID}":[{templates}],"{WITH}":{facts(value.values)}}}'


def finite(value: float) -> str:
    """A number that JSON can write."""
    if not math.isfinite(value):
        raise Unlike
    return float.__repr__(value)


TEXT: dict[type, Callable[[Any], str]] = {
    str: quoted,
    int: int.__repr__,
    bool: {False: "false", True: "true"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
    float: finite,
    LazyMessage: sentence,
    list: row,
    dict: facts,
}
"""How each kind of fact is written; JSON gives exactly these back as they were."""


def read(members: dict[str, Any]) -> Any:
    """A sentence of the log as it was said; every other object stays what it is."""
    if members.keys() != {SAID, WITH}:
        return members
    return say_read(members[SAID], members[WITH], LONGEST_SENTENCE)


def seal(last: LogStep | None, seq: int, at_ms: int, title: str, body: str) -> str:
    """The mark of a step."""
    before = "" if last is None else last.mark
    text = f'["{before}", {seq}, {at_ms}, {quoted(title)}, {quoted(body)}]'  # JSON
    return blake2b(text.encode("ascii"), digest_size=12).hexdigest()
