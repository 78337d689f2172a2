"""The open readings: every OR-n has its name, its default and its switch."""

import pytest

from companion.games.api.rules import ReadingSwitch
from companion.games.tmg.rules.readings import (
    DEFAULT,
    FIXED,
    READINGS,
    SWITCHES,
    Readings,
)
from models import BadInput, CompanionError, UnknownName

CONFIG = {2, 8, 14, 25, 30, 34, 39, 43}
"""The readings which the catalogue itself marks (config)."""


SWITCHED = pytest.mark.rule(
    "OR-2",
    "OR-8",
    "OR-9",
    "OR-14",
    "OR-18",
    "OR-19",
    "OR-22",
    "OR-25",
    "OR-26",
    "OR-29",
    "OR-30",
    "OR-31",
    "OR-34",
    "OR-36",
    "OR-37",
    "OR-39",
    "OR-41",
    "OR-43",
    "OR-45",
)
"""The open readings that players may switch."""


@SWITCHED
def test_every_open_reading_is_named_once() -> None:
    assert [one.number for one in READINGS] == [f"OR-{number}" for number in range(1, 50)]
    assert len({one.name for one in READINGS}) == len(READINGS)
    assert all(one.words for one in READINGS)


@SWITCHED
def test_what_the_catalogue_calls_switchable_is() -> None:
    assert {f"OR-{number}" for number in CONFIG} <= {one.number for one in SWITCHES}
    assert all(len(one.choices) > 1 for one in SWITCHES)
    assert all(len(one.choices) == 1 for one in FIXED)


@SWITCHED
@pytest.mark.parametrize("known", SWITCHES, ids=lambda one: one.name)
def test_a_switch_starts_at_its_default_and_takes_every_choice(known: ReadingSwitch) -> None:
    assert getattr(DEFAULT, known.name) == known.default
    for choice in known.choices:
        chosen = Readings.parse([f"{known.name}={choice}"])
        assert getattr(chosen, known.name) == choice
        assert chosen == Readings.parse([f"{known.number}={choice}"])
        assert chosen.texts() == ([] if choice == known.default else [f"{known.name}={choice}"])
        assert Readings.parse(chosen.texts()) == chosen


@SWITCHED
def test_names_may_be_written_with_hyphens() -> None:
    assert Readings.parse([" arc-lines = centre "]).arc_lines == "centre"
    assert Readings.parse(["or-2=centre"]).arc_lines == "centre"


@SWITCHED
@pytest.mark.parametrize(
    ("settings", "error", "told"),
    [
        (["arcs=45"], UnknownName, "no reading 'arcs'; there are: arc_lines"),
        (["OR-50=45"], UnknownName, "'OR-50'"),
        (["arc_lines=46"], BadInput, "arc_lines: '46' is unknown; known: tray, 45, centre"),
        (["arc_lines="], BadInput, "arc_lines: '' is unknown"),
        (["arc_lines"], BadInput, "'arc_lines' is not NAME=VALUE"),
        (["rough=once", "OR-26=each"], BadInput, "rough: is set twice"),
        (["sight_from=centre"], BadInput, "sight_from: 'centre' is unknown; known: front-edge"),
    ],
)
def test_what_cannot_be_read_is_named(
    settings: list[str], error: type[CompanionError], told: str
) -> None:
    with pytest.raises(error) as caught:
        Readings.parse(settings)
    assert isinstance(caught.value, CompanionError)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@SWITCHED
def test_a_fixed_reading_may_be_named_at_its_only_value() -> None:
    assert Readings.parse(["sight_from=front-edge"]) == DEFAULT


@SWITCHED
def test_a_record_made_by_hand_is_checked_too() -> None:
    with pytest.raises(BadInput, match="walls: 'none' is unknown"):
        Readings(walls="none")
