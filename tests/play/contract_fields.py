"""The binding fields of `play --text --json` (docs/formats.md), and what all views of them promise.

problems(client.view().to_json())       # one line for each field that is missing or wrong
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

Spec = Mapping[str, Any]
"""A field's type, a nested record, or a list with the record of its items."""
NUMBER = (int, float)
SEATS = [str]
CELL = {"tap": str, "cell": re.compile(r"-?\d+,-?\d+")}
CHOICE = {"tap": str, "text": str, "acts": SEATS, "shared": bool, "asks": [str]}
DICE = {"tap": str, "count": int, "sides": int, "need": (int, None), "chances": {str: float}}
FIELD = {"name": str, "kind": str, "options": [{"text": str}]}
FORM = {"tap": str, "fields": [FIELD], "acts": SEATS, "shared": bool}
PROMPT = {
    "title": str,
    "text": str,
    "acts": SEATS,
    "dice": [DICE],
    "choices": [CHOICE],
    "pieces": [{"tap": str, "piece": str}],
    "cells": [CELL],
    "form": (FORM, None),
    "forms": [FORM],
}
OFFER = {
    "tap": str,
    "piece": str,
    "text": str,
    "chance": (*NUMBER, None),
    "needs": (int, None),
    "asks": [str],
    "acts": SEATS,
    "shared": bool,
    "cells": [CELL],
}
VIEW: Spec = {
    "seq": int,
    "turn": (str, None),
    "acts": SEATS,
    "headline": str,
    "result": str,
    "undo": str,
    "prompts": [PROMPT],
    "offers": [OFFER],
    "refused": [{"piece": str, "text": str, "why": [str]}],
    "score": {str: int},
    "winner": (str, None),
}
ASKS = {"dice", "cell", "look"}
KINDS = {"option", "several", "number", "text", "cell", "piece"}
LETTERS = {"dice": "d", "choices": "c", "pieces": "p", "cells": "s", "forms": "f", "offers": "o"}


def problems(view: Mapping[str, Any]) -> list[str]:
    """What is wrong with a view, place by place."""
    return [*unfit(VIEW, view, "view"), *broken(view)]


def unfit(wanted: Any, value: Any, place: str) -> Iterator[str]:
    """Fields that are missing or of another type."""
    if isinstance(wanted, tuple):
        if not any(not list(unfit(one, value, place)) for one in wanted):
            yield f"{place}: {value!r} is none of {wanted}"
    elif wanted is None:
        if value is not None:
            yield f"{place}: {value!r} is not null"
    elif isinstance(wanted, re.Pattern):
        if not isinstance(value, str) or not wanted.fullmatch(value):
            yield f"{place}: {value!r} is not {wanted.pattern}"
    elif isinstance(wanted, list):
        if not isinstance(value, list):
            yield f"{place}: {value!r} is no list"
            return
        for number, item in enumerate(value):
            yield from unfit(wanted[0], item, f"{place}[{number}]")
    elif isinstance(wanted, dict):
        if not isinstance(value, dict):
            yield f"{place}: {value!r} is no object"
            return
        every = wanted.get(str)
        for name in value if every is not None else wanted:
            if name not in value:
                yield f"{place}.{name} is missing"
            else:
                yield from unfit(every or wanted[name], value[name], f"{place}.{name}")
    elif type(value) is not wanted and not (wanted is float and type(value) is int):
        yield f"{place}: {value!r} is not {wanted.__name__}"


def broken(view: Mapping[str, Any]) -> Iterator[str]:
    """Promises between the fields."""
    seats, pieces = set(view["seats"]), {one["id"] for one in view["pieces"]}
    taps: dict[str, str] = {}
    for kind, record in tapped(view):
        tap = record["tap"]
        if not re.fullmatch(rf"{LETTERS[kind]}\d+", tap):
            yield f"{kind}: {tap!r} is no handle of its kind"
        if taps.setdefault(tap, kind) != kind:
            yield f"{tap} stands for two kinds"
        if not set(record.get("acts", ())) <= seats:
            yield f"{tap}: acts {record['acts']} are no seats"
        if not set(record.get("asks", ())) <= ASKS:
            yield f"{tap}: asks {record['asks']}"
        if "piece" in record and record["piece"] not in {"", *pieces}:
            yield f"{tap}: there is no piece {record['piece']}"
    for record in (view, *view["prompts"]):
        if not set(record["acts"]) <= seats:
            yield f"acts {record['acts']} are no seats"
    for who in (view["turn"], view["seat"]):
        if who is not None and who not in seats:
            yield f"{who} is no seat"
    if not set(view["score"]) <= seats:
        yield f"score: {view['score']}"
    for prompt in view["prompts"]:
        yield from (wrong for dice in prompt["dice"] for wrong in broken_dice(dice))
        if prompt["form"] != next(iter(prompt["forms"]), None):
            yield f"{prompt['title']}: form is not the first of its forms"
        for form in prompt["forms"]:
            kinds = {entry["kind"] for entry in form["fields"]}
            if not kinds <= KINDS:
                yield f"{form['tap']}: {kinds - KINDS}"
    for offer in view["offers"]:
        if offer["chance"] is not None and not 0 <= offer["chance"] <= 1:
            yield f"{offer['tap']}: chance {offer['chance']}"


def broken_dice(dice: Mapping[str, Any]) -> Iterator[str]:
    """Dice whose numbers contradict each other."""
    count, sides, need, chances = dice["count"], dice["sides"], dice["need"], dice["chances"]
    if count < 1 or sides < 2:
        yield f"{dice['tap']}: {count} D{sides}"
    if need is not None and need < 1:
        yield f"{dice['tap']}: need {need}"
    if chances and not math.isclose(sum(chances.values()), 1.0, abs_tol=1e-9):
        yield f"{dice['tap']}: the chances come to {sum(chances.values())}"
    low, high = (count, count * sides) if dice["total"] else (0, count)
    if chances and [*chances] != [str(n) for n in range(low, high + 1)]:
        yield f"{dice['tap']}: chances of {[*chances]}"
    if not (dice["by_count"] or dice["by_faces"]):
        yield f"{dice['tap']}: nothing can be entered"


def tapped(view: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every record with a handle, by its kind."""
    for prompt in view["prompts"]:
        for kind in ("dice", "choices", "pieces", "cells", "forms"):
            yield from ((kind, record) for record in prompt[kind])
    for offer in view["offers"]:
        yield "offers", offer
        yield from (("cells", cell) for cell in offer["cells"])
    for page in (*view["pages"], *([view["corrections"]] if view["corrections"] else [])):
        boxes = [box for section in page["sections"] for box in section["boxes"]]
        yield from (("choices", choice) for box in boxes for choice in box["choices"])
        yield from (("choices", choice) for choice in page["hands"])
        yield from (("forms", form) for form in page["forms"])
    score = view["score_page"]
    if score is not None:
        yield from (("choices", one) for line in score["lines"] for one in line["choices"])
        yield from (("choices", one) for one in (score["confirm"],) if one is not None)
        yield from (("choices", one) for one in score["ends"])
        yield from (("forms", one["form"]) for one in score["seats"] if one["form"] is not None)
    if view["placing"] is not None:
        yield from (("choices", choice) for choice in view["placing"]["choices"])
