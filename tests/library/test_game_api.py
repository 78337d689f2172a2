"""What games from elsewhere are built on stays: no name of `companion.games.api` goes or changes.

`python -m tests.library.test_game_api` writes today's names into game_api.txt: at a new version.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games import api

KEPT = Path(__file__).with_name("game_api.txt")
NOT_YET = ("rival",)
"""What may still change."""


def public() -> Iterator[tuple[str, Any, bool]]:
    """Every class, function and member of the interface, and whether a game must have it."""
    for one in pkgutil.iter_modules(api.__path__):
        if one.name in NOT_YET:
            continue
        module = importlib.import_module(f"{api.__name__}.{one.name}")
        for name, found in sorted(vars(module).items()):
            if name.startswith("_") or getattr(found, "__module__", "") != module.__name__:
                continue
            place = f"{one.name}.{name}"
            yield place, found, False
            if inspect.isclass(found):
                needed = getattr(found, "__abstractmethods__", ())
                fields = {one.name for one in parameters(found)}
                for member in sorted(set(dir(found)) - set(dir(Exception)) - fields):
                    if not member.startswith("_"):
                        yield f"{place}.{member}", getattr(found, member), member in needed


def parameters(found: Any) -> list[inspect.Parameter]:
    """What it is called with."""
    try:
        return list(inspect.signature(found).parameters.values()) if callable(found) else []
    except ValueError:
        return []


def line(place: str, found: Any, needed: bool) -> str:
    told = f"({', '.join(one.name for one in parameters(found))})" if callable(found) else ""
    return f"{place}{told}{' needed' if needed else ''}"


def test_no_name_goes_and_nothing_more_is_needed() -> None:
    """What is added is optional: a parameter is last and has a default, no method is abstract."""
    now = {place: (found, needed) for place, found, needed in public()}
    must = set()
    for kept in KEPT.read_text(encoding="utf-8").splitlines():
        place, _, rest = kept.removesuffix(" needed").partition("(")
        assert place in now, f"{place} is gone"
        if kept.endswith(" needed"):
            must.add(place)
        names = [name for name in rest.rstrip(")").split(", ") if name]
        here = parameters(now[place][0])
        assert [one.name for one in here[: len(names)]] == names, f"{place} is called otherwise"
        assert all(is_optional(one) for one in here[len(names) :]), f"{place} needs more"
    assert {place for place, (_, needed) in now.items() if needed} <= must, "games must have more"


def is_optional(one: inspect.Parameter) -> bool:
    loose = one.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return loose or one.default is not inspect.Parameter.empty


if __name__ == "__main__":
    KEPT.write_text("".join(f"{line(*one)}\n" for one in public()), encoding="utf-8")
