"""Records changed and answers recalled: quicker, and never different."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import pytest

from models.frozen_records import IdentityCache, replace


@dataclass(frozen=True, slots=True)
class Camp:
    name: str
    tents: int = 3
    fires: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list)


def test_a_changed_record_is_the_one_dataclasses_would_make() -> None:
    camp = Camp("north", fires=("a",))
    changed = replace(camp, tents=7)
    assert type(changed) is Camp
    assert changed == dataclasses.replace(camp, tents=7)
    assert hash(replace(Camp("x", names=[]), names=())) == hash(Camp("x", names=()))  # type: ignore[arg-type]
    assert camp.tents == 3
    assert repr(changed) == repr(dataclasses.replace(camp, tents=7))


def test_a_changed_record_is_frozen_like_any_other() -> None:
    changed = replace(Camp("north"), tents=7)
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed.tents = 8  # type: ignore[misc]


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(AttributeError):
        replace(Camp("north"), towers=1)


def test_what_is_recalled_belongs_to_the_very_object_asked_about() -> None:
    asked: list[object] = []

    def answer(words: tuple[str, ...], loud: bool) -> str:
        asked.append(words)
        return " ".join(words).upper() if loud else " ".join(words)

    cache = IdentityCache(answer, at_most=4)
    first, twin = ("a", "b"), tuple("ab")
    assert cache(first, True) == cache(first, True) == cache(twin, True) == "A B"
    assert cache(first, False) == "a b"
    assert len(asked) == 3


def test_a_full_memory_forgets_and_stays_right() -> None:
    cache = IdentityCache(lambda number: number[0] * 2, at_most=8)
    for number in range(100):
        assert cache((number,)) == 2 * number  # new tuples may stand where old ones stood
    assert len(cache.known) <= 8
