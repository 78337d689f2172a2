"""Event types that several games register in the same way: the fold, titles and versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from companion.games.api.play import Event
from companion.games.shared.commands import StepContext, die
from companion.games.shared.event_registry import EventRegistry, OutcomeRules
from models.message import CompanionError


@dataclass(frozen=True, slots=True)
class Purse:
    seed: int = 7
    rolls: int = 0
    gold: int = 0


EVENTS = EventRegistry[Purse]()


@EVENTS.kind("paid", "{player} gets {gold}")
def paid(state: Purse, *, gold: int, player: str = "") -> Purse:
    return replace(state, gold=state.gold + gold)


@EVENTS.kind("paid", "{player} gets {gold} of {all}", version=2)
def paid_twice(state: Purse, *, gold: int, player: str = "", all: int = 0) -> Purse:
    return replace(state, gold=state.gold + 2 * gold)


@EVENTS.kind("rolled", "")
def rolled(state: Purse, *, faces: Sequence[int] = ()) -> Purse:
    return state


@EVENTS.kind("lost", lambda gold, from_="": f"all {gold} lost{from_}")
def lost(state: Purse, gold: int, *, from_: str = "") -> Purse:
    return replace(state, gold=0)


@pytest.mark.parametrize(
    ("event", "gold", "title"),
    [
        (Event("paid", {"gold": 3, "player": "Anna"}), 13, "Anna gets 3"),
        (Event("paid", {"gold": 3, "player": "Anna", "all": 9}, 2), 16, "Anna gets 3 of 9"),
        (Event("paid", {"gold": 3}), 13, " gets 3"),
        (Event("lost", {"gold": 10}), 0, "all 10 lost"),
        (Event("lost", {"gold": 10, "from": " by Ben"}), 0, "all 10 lost by Ben"),
        (Event("lost", {"gold": 10, "of an older game": 1}), 0, "all 10 lost"),
        (Event("rolled", {}), 10, ""),
    ],
)
def test_each_version_changes_the_state_in_its_own_way(event: Event, gold: int, title: str) -> None:
    assert EVENTS.apply(Purse(gold=10), event) == Purse(gold=gold)
    assert EVENTS.title(event) == title


@pytest.mark.parametrize("event", [Event("stolen"), Event("paid", {"gold": 1}, 3)])
def test_an_unknown_type_or_version_is_an_error_that_names_it(event: Event) -> None:
    message = f"an event '{event.type}' of version {event.version} is not known"
    with pytest.raises(CompanionError, match=message):
        EVENTS.apply(Purse(), event)
    assert EVENTS.title(event) == event.type


def test_a_command_adds_events_of_its_version_and_the_dice_it_drew() -> None:
    context = StepContext(Purse(), EVENTS)
    faces = context.dice(2)
    context.add(rolled, faces=faces)
    context.add(paid_twice, gold=faces[0])
    context.dice(1)
    context.add(rolled)
    context.add(lost, 3, from_="Ben")
    assert context.events == [
        Event("rolled", {"faces": [die(7, 0, 6), die(7, 1, 6)], "drawn": 2}),
        Event("paid", {"gold": die(7, 0, 6)}, 2),
        Event("rolled", {"drawn": 1}),
        Event("lost", {"gold": 3, "from": "Ben"}),
    ]
    assert context.state == Purse(rolls=3)


def test_a_field_that_the_event_must_have_is_missed() -> None:
    with pytest.raises(TypeError, match="gold"):
        EVENTS.apply(Purse(), Event("paid", {"player": "Anna"}))


@pytest.mark.parametrize("title", ["{playr} gets {gold}", lambda gold, playr: ""])
def test_a_title_has_no_other_fields_than_its_event(title: str) -> None:
    with pytest.raises(ValueError, match="playr"):
        EVENTS.kind("robbed", title)(lambda state, gold: state)


def test_no_version_is_registered_twice() -> None:
    with pytest.raises(ValueError, match="version 2 of the event type 'paid'"):
        EVENTS.kind("paid", "", version=2)(lambda state: state)
    assert set(EVENTS) == {"paid", "rolled", "lost"}


def test_many_events_of_one_kind_are_told_and_undone_with_their_number() -> None:
    rules = OutcomeRules(EVENTS, (), (), (), ())
    paid = [Event("paid", {"gold": 3, "player": name}) for name in "ABCDEFG"]
    found = rules.outcome(paid, (), ())
    assert found is not None
    assert (found.text, found.undo) == ("A gets 3 (and 6 more)", "A gets 3 (and 6 more)")
    found = rules.outcome(paid[:2], (), ())
    assert found is not None
    assert (found.text, found.undo) == ("A gets 3 · B gets 3", "A gets 3 (and 1 more)")
