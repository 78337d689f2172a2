"""An army built card by card: points counted, every refusal with its rule."""

from __future__ import annotations

import pytest

from companion.games.api.army_building import ArmyBuilder, ArmyCandidate
from companion.games.tmg.cards.army import Army, ArmyEntry
from companion.games.tmg.play.game_play import MiniaturesPlay
from companion.session.game_lookup import find_play

GAME = "tmg-2021"


def builder() -> MiniaturesPlay:
    found = find_play(GAME)
    assert isinstance(found, ArmyBuilder)
    assert isinstance(found, MiniaturesPlay)
    return found


def offered(army: Army, card: str) -> ArmyCandidate:
    return next(one for one in builder().recruits(army) if one.id == card)


def built(*cards: str, points: int = 40) -> Army:
    army = Army(GAME, "stark", points)
    for card in cards:
        army = builder().recruit(army, card)
    return army


@pytest.mark.rule("TMG-ARM-3", "TMG-CMD-5")
def test_points_are_counted_and_a_commander_leads_for_nothing() -> None:
    army = built("10201", "20201", "30201")
    lines = builder().enlisted(army)
    assert [one.kind for one in lines] == ["unit", "attachment", "aside"]
    assert army.commander == "20201"
    assert builder().army_cost(army) == sum(one.cost or 0 for one in lines)
    assert lines[1].cost == 0


@pytest.mark.rule("TMG-ARM-3")
def test_what_was_taken_can_be_given_back() -> None:
    army = built("10201", "20201", "30201")
    unit, leader, aside = builder().enlisted(army)
    assert builder().dismiss(army, leader).commander == ""
    assert builder().dismiss(army, aside).ncus == ()
    assert builder().dismiss(army, unit).units == ()
    assert builder().dismiss(builder().dismiss(army, leader), unit).ncus == ("30201",)


@pytest.mark.rule("TMG-ARM-2")
def test_the_sizes_that_the_books_recommend() -> None:
    assert {30, 40, 50} <= set(builder().sizes(GAME))


@pytest.mark.rule("TMG-ARM-11", "TMG-ATM-8")
@pytest.mark.parametrize(("gone", "left"), [(1, ("20204",)), (2, ("20201",))])
def test_of_two_attachments_the_one_that_is_given_back_goes(gone: int, left: tuple[str]) -> None:
    army = Army(GAME, "stark", 40, "20201", (ArmyEntry("10201", ("20201", "20204")),))
    members = builder().enlisted(army)
    assert [one.id for one in members] == ["10201", "20201", "20204"]
    (entry,) = builder().dismiss(army, members[gone]).units
    assert entry.attachments == left


@pytest.mark.rule("TMG-ARM-1")
def test_too_many_points_are_refused() -> None:
    refusal = offered(built("10201", points=8), "10201").refusal
    assert refusal is not None
    assert refusal.why == "TMG-ARM-1"


@pytest.mark.rule("TMG-ARM-1")
def test_an_army_that_has_too_many_points_is_not_given_more() -> None:
    """An army of another game is kept when the points of the next one are fewer."""
    army = built("10201", "10201", points=8)
    assert (builder().army_cost(army) or 0) > 8
    refusal = offered(army, "10201").refusal
    assert refusal is not None
    assert refusal.why == "TMG-ARM-1"


@pytest.mark.rule("TMG-ARM-5")
def test_a_second_commander_is_refused() -> None:
    refusal = offered(built("10201", "20201", "10201"), "20202").refusal
    assert refusal is not None
    assert refusal.why == "TMG-ARM-5"


@pytest.mark.rule("TMG-ARM-14")
def test_neutrals_over_half_the_points_are_refused() -> None:
    army = Army(GAME, "stark", 10)
    refusals = {
        one.refusal.why
        for one in builder().recruits(army)
        if one.refusal is not None and one.faction == "neutral" and one.kind == "unit"
    }
    assert "TMG-ARM-14" in refusals


@pytest.mark.rule("TMG-ATM-5")
def test_an_attachment_is_offered_the_units_it_may_join() -> None:
    army = built("10201")
    assert offered(army, "20201").places == (0,)
    horse = next(
        one for one in builder().recruits(army) if "cavalry" in one.note and one.kind == "unit"
    )
    both = builder().recruit(army, horse.id)
    assert offered(both, "20201").places == (0,)
    rider = offered(both, "20214")  # joins cavalry only
    assert rider.places == (1,)
    refusal = offered(army, "20214").refusal
    assert refusal is not None
    assert refusal.why.startswith("TMG-ATM")


@pytest.mark.rule("TMG-ATM-4")
def test_a_unit_takes_one_attachment() -> None:
    assert offered(built("10201", "20203"), "20201").places == ()


@pytest.mark.rule("TMG-ARM-11")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_attachment_given_back_leaves_all_units_where_they_were(place: int) -> None:
    cards = ("10201", "10205", "10202")
    units = tuple(
        ArmyEntry(card, ("20204",) if number == place else ()) for number, card in enumerate(cards)
    )
    army = Army(GAME, "stark", 40, "", units)
    gone = next(one for one in builder().enlisted(army) if one.kind == "attachment")
    left = builder().dismiss(army, gone).units
    assert [(one.unit, one.attachments) for one in left] == [(card, ()) for card in cards]
