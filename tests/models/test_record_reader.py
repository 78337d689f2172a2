"""Records read by their annotations: every refusal names file, place and value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

import pytest

from models.field import Field
from models.message import BadInput
from models.record_reader import (
    GIVEN,
    WRITTEN,
    Between,
    FileKey,
    Length,
    OneOf,
    ReadBy,
    Record,
    check_format,
    plain,
    read_by_id,
    value_of,
)

COLOURS = {"red": "Red", "blue": "Blue"}


@dataclass(frozen=True, slots=True)
class Spear(Record):
    """One entry of a list."""

    name: Annotated[str, Length(10)]
    length: Annotated[float, Between(0.5, 9)] = 2.0


@dataclass(frozen=True, slots=True)
class Guard(Record):
    """A record with a value of every kind."""

    id: Annotated[str, GIVEN]
    name: Annotated[str, Length(10)]
    kind: Annotated[Literal["foot", "horse"], FileKey("class")]
    dice: Annotated[int, Between(1, 6)] | None = None
    seed: int = 0
    ap: Annotated[int, Between(0, 3), WRITTEN] = 1
    sworn: bool = False
    colour: Annotated[str, OneOf(COLOURS)] = "red"
    spears: Annotated[tuple[Spear, ...], Length(2)] = ()
    at: tuple[Annotated[int, Between(0, 9)], Annotated[int, Between(0, 9)]] = (0, 0)
    words: frozenset[str] = frozenset()
    loot: Mapping[Annotated[str, Length(3)], Annotated[int, Between(1, 9)]] = field(
        default_factory=dict
    )
    extra: Any = None
    shout: Annotated[str, ReadBy(lambda field, about: f"{field.text()}{about}", str.lower)] = ""
    calls: tuple[Annotated[str, ReadBy(lambda field, _: field.text(), str.upper)], ...] = ()

    def checked(self, field: Field, about: Any) -> Self:
        if self.sworn and not self.dice:
            field.fail("a sworn guard has dice")
        return self


WHOLE: dict[str, Any] = {
    "name": "Hal",
    "class": "foot",
    "dice": 3,
    "seed": 2**80,
    "ap": 2,
    "sworn": True,
    "colour": "blue",
    "spears": [{"name": "ash", "length": 3}],
    "at": [3, 4],
    "words": ["no"],
    "loot": {"a": 2},
    "extra": [1, {"x": 2}],
    "shout": "HO",
    "calls": ["hey", "ya"],
}


def guard(raw: Any) -> Guard:
    return Guard.read(Field(raw, "a.toml", "guard[0]"), "!", id="g1")


def test_a_whole_record_is_read() -> None:
    read = guard(WHOLE)
    assert (read.id, read.kind, read.dice, read.seed) == ("g1", "foot", 3, 2**80)
    assert read.spears == (Spear("ash", 3.0),)
    assert (read.at, read.words, read.loot) == ((3, 4), frozenset({"no"}), {"a": 2})
    assert (read.extra, read.shout) == ([1, {"x": 2}], "HO!")


@pytest.mark.parametrize(
    "change",
    [
        {"dice": 1}, {"dice": 6}, {"ap": 0}, {"at": [0, 9]}, {"name": "x" * 10},
        {"spears": [{"name": "a", "length": length} for length in (0.5, 9)]},
        {"loot": {"abc": 9}},
    ],
)  # fmt: skip
def test_a_limit_itself_is_allowed(change: dict[str, Any]) -> None:
    assert guard({**WHOLE, **change}).to_json().items() >= change.items()


def test_what_a_record_has_no_annotation_for_is_written_as_json() -> None:
    assert plain({"a": (1, frozenset("cb")), "b": Spear("ash")}) == {
        "a": [1, ["b", "c"]],
        "b": {"name": "ash"},
    }


def test_defaults_are_not_written() -> None:
    assert guard({"name": "Hal", "class": "foot"}).to_json() == {
        "name": "Hal",
        "class": "foot",
        "ap": 1,
    }
    assert guard(WHOLE).to_json() == {
        **WHOLE,
        "shout": "ho!",
        "calls": ["HEY", "YA"],
        "spears": [{"name": "ash", "length": 3.0}],
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"class": "boat"}, "guard[0].class: 'boat' is unknown; known: foot, horse"),
        ({"colour": "pink"}, "guard[0].colour: 'pink' is unknown; known: blue, red"),
        ({"dice": 7}, "guard[0].dice: 7 is outside 1 to 6"),
        ({"dice": 2.5}, "guard[0].dice: 2.5 is not a whole number"),
        ({"dice": None}, "guard[0].dice: None is not a number"),
        ({"dice": True}, "guard[0].dice: True is not a number"),
        ({"dice": 0}, "guard[0].dice: 0 is outside 1 to 6"),
        ({"seed": 1.0}, "guard[0].seed: 1.0 is not a whole number"),
        ({"seed": True}, "guard[0].seed: True is not a whole number"),
        ({"sworn": 1}, "guard[0].sworn: 1 is neither true nor false"),
        ({"name": "x" * 11}, "guard[0].name: is longer than 10 characters"),
        ({"name": ""}, "guard[0].name: is empty"),
        ({"at": [1]}, "guard[0].at: has 1 entries, expected 2 to 2"),
        ({"at": [1, 10]}, "guard[0].at[1]: 10 is outside 0 to 9"),
        ({"spears": [{}]}, "guard[0].spears[0]: key 'name' is missing"),
        ({"spears": [{"name": "a"}] * 3}, "guard[0].spears: has 3 entries, expected 0 to 2"),
        ({"spears": [{"name": "", "length": 3}]}, "guard[0].spears[0].name: is empty"),
        ({"loot": {"long": 1}}, "guard[0].loot['long']: is longer than 3 characters"),
        ({"loot": {"a": 0}}, "guard[0].loot.a: 0 is outside 1 to 9"),
        ({"loot": 3}, "guard[0].loot: 3 is not an object"),
        ({"id": "g2"}, "guard[0]: unknown key 'id'"),
        ({"sworn": True}, "guard[0]: a sworn guard has dice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_by_its_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        guard({"name": "Hal", "class": "foot", **change})
    assert str(caught.value) == f"a.toml: {message}"


def test_a_missing_key_is_named_as_files_call_it() -> None:
    with pytest.raises(BadInput, match=r"^a.toml: guard\[0\]: key 'class' is missing$"):
        guard({"name": "Hal"})


@pytest.mark.parametrize(
    ("name", "kind", "required", "least", "most", "words"),
    [
        ("name", "text", True, 0, 10, []),
        ("kind", "option", True, 0, 0, ["foot", "horse"]),
        ("dice", "number", False, 1, 6, []),
        ("sworn", "flag", False, 0, 0, []),
        ("colour", "option", False, 0, 0, ["red", "blue"]),
        ("spears", "rows", False, 0, 2, []),
    ],
)
def test_a_form_gets_the_limits_of_the_record(
    name: str, kind: str, required: bool, least: float, most: float, words: list[str]
) -> None:
    value = value_of(Guard, name)
    limits = value.limits
    assert (limits.kind, value.required) == (kind, required)
    assert (limits.least, limits.most, list(limits.words.known())) == (least, most, words)


@dataclass(frozen=True, slots=True)
class Banner(Record):
    """Stands in a file under its id."""

    id: str


def test_a_file_is_of_its_format_and_holds_an_id_once() -> None:
    root = Field({"format": "b/1", "banner": [{"id": "x"}, {"id": "x"}]}, "b.toml")
    check_format(root, "b/1")
    with pytest.raises(BadInput, match=r"^b.toml: format: 'b/1' is not 'b/2'$"):
        check_format(root, "b/2")
    with pytest.raises(BadInput, match=r"^b.toml: banner\[1\].id: 'x' stands twice$"):
        read_by_id(root.listed("banner"), Banner.read)
