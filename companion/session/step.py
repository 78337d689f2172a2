"""One step of a game: its number in the log, when it was taken, its title and its events.

>>> step = Step.after(None, 1000, "blue passes", (Event("passed", {"side": "blue"}),))
>>> step.seq, step.body
(1, '[["passed",1,{"side":"blue"}]]')
>>> step.follows(None), step.follows(step)
(True, False)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from companion.session.play import Event
from models import BadInput
from models.said import Said, say

WRITER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Step:
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
    def after(cls, last: Step | None, at_ms: int, title: str, events: Iterable[Event]) -> Step:
        """The step that follows the last one; its time never runs backwards."""
        seq = 1 if last is None else last.seq + 1
        at_ms = at_ms if last is None else max(at_ms, last.at_ms)
        body = WRITER.encode(
            [[event.type, event.version, written(dict(event.data))] for event in events]
        )
        return cls(seq, at_ms, title, body, seal(last, seq, at_ms, title, body))

    def follows(self, last: Step | None) -> bool:
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
        except (ValueError, TypeError) as error:
            raise BadInput(f"step {self.seq}", "", f"cannot be read: {error}") from None

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


SAID, WITH = "said", "with"
"""A sentence in the log: its templates and its values, so that any language can tell it later."""


def written(value: Any) -> Any:
    """Facts as the log writes them."""
    if isinstance(value, Said):
        templates = [value.one, value.many] if value.many else [value.one]
        return {SAID: templates, WITH: written(dict(value.values))}
    if isinstance(value, dict):
        return {key: written(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [written(one) for one in value]
    return value


def read(members: dict[str, Any]) -> Any:
    """A sentence of the log as it was said; every other object stays what it is."""
    if members.keys() != {SAID, WITH}:
        return members
    return say(*members[SAID], **members[WITH])


def seal(last: Step | None, seq: int, at_ms: int, title: str, body: str) -> str:
    """The mark of a step."""
    before = "" if last is None else last.mark
    text = json.dumps([before, seq, at_ms, title, body])
    return blake2b(text.encode("ascii"), digest_size=12).hexdigest()
