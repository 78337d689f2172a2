"""A cache of serialised JSON: fragments of a state view that did not change are written once.

>>> b1 = JsonFragment({"models": 12})
>>> view = FragmentView((JsonFragment({"round": 2}),), {"units": JsonFragment({"b1": b1})})
>>> view["round"], view.within({"ok": True})
(2, '{"ok": true, "state": {"round": 2, "units": {"b1": {"models": 12}}}}')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from companion.text.translation import language, translate_all

WRITER = json.JSONEncoder(allow_nan=False, check_circular=False)


def encoding() -> Callable[[Any], str]:
    """A JSON encoder function, created once instead of for every answer."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return WRITER.encode
    chunks = make(None, WRITER.default, quoted, None, ": ", ", ", False, False, False)
    join = "".join
    return lambda value: join(chunks(value, 0))


encode = encoding()


class JsonFragment(dict[str, Any]):
    """An immutable part of a view, reused until it changes, with its JSON text cached."""

    __slots__ = ("spoken", "text")
    text: str
    """Its JSON in English, cached; nested fragments use their own caches."""
    spoken: tuple[str, str]
    """The last other language and its JSON in that language, cached."""

    def __getattr__(self, name: str) -> Any:
        """Compute a cached text on first access."""
        return written_once(self, name)


class JsonRow(list[Any]):
    """The same for a JSON array, of fragments or of plain values."""

    __slots__ = ("spoken", "text")
    text: str
    spoken: tuple[str, str]

    def __getattr__(self, name: str) -> Any:
        """Compute a cached text on first access."""
        return written_once(self, name)


Part = JsonFragment | JsonRow


def written_once(part: Part, name: str) -> Any:
    """Compute and cache the text of a fragment: in English, or in the selected language."""
    if name == "text":
        part.text = joined(part, "en") or encode(part)
        return part.text
    if name == "spoken":
        spoken = language()
        part.spoken = (spoken, joined(part, spoken) or encode(translate_all(part)))
        return part.spoken
    raise AttributeError(name)


def joined(part: Part, spoken: str) -> str:
    """The text of a fragment made of other fragments, joined from theirs; else ""."""
    if isinstance(part, JsonRow):
        if not part or not isinstance(part[0], JsonFragment):
            return ""
        texts = [one.text for one in part] if spoken == "en" else [text_in(one) for one in part]
        return f"[{', '.join(texts)}]"
    if not isinstance(next(iter(part.values()), None), JsonFragment):
        return ""
    if spoken == "en":
        texts = [f"{quoted(name)}: {one.text}" for name, one in part.items()]
    else:
        texts = [f"{quoted(name)}: {text_in(one)}" for name, one in part.items()]
    return f"{{{', '.join(texts)}}}"


def text_in(part: Part) -> str:
    """The JSON of a fragment in the selected language, if that is not English."""
    if part.spoken[0] != language():
        del part.spoken
    return part.spoken[1]


class FragmentView(Mapping[str, Any]):
    """A whole view: fragments whose members are merged into it, and other members by name."""

    __slots__ = ("parts", "rest")

    def __init__(self, parts: tuple[JsonFragment, ...], rest: dict[str, Any]) -> None:
        self.parts, self.rest = parts, rest

    def to_json(self) -> dict[str, Any]:
        """All members in a new dictionary."""
        found: dict[str, Any] = {}
        for part in self.parts:
            found.update(part)
        found.update(self.rest)
        return found

    def __getitem__(self, key: str) -> Any:
        for part in (self.rest, *self.parts):
            if key in part:
                return part[key]
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return chain(*self.parts, self.rest)

    def __len__(self) -> int:
        return len(self.rest) + sum(map(len, self.parts))

    def within(self, head: dict[str, Any]) -> str:
        """The JSON of `head`, with this view as its last member `state`."""
        english = language() == "en"
        texts = [(part.text if english else text_in(part))[1:-1] for part in self.parts]
        fresh = {}
        for key, value in self.rest.items():
            kind = type(value)
            if kind is JsonFragment or kind is JsonRow:
                texts.append(f'"{key}": {value.text if english else text_in(value)}')
            else:
                fresh[key] = value
        whole = {**head, "state": fresh}
        text = encode(whole if english else translate_all(whole))[:-2]
        join = ", " if fresh and texts else ""
        return f"{text}{join}{', '.join(texts)}}}}}"
