"""Other enemies that a charger touches: their trays go with the place that it takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table, report
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.action_offers import offers
from models import Pose
from tests.games.tmg.play.sighted import EAST, NORTH, SOUTH, seen, slab
from tests.games.tmg.play.test_charges_seen import LINE
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import Battle, battle_of


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_another_enemy_that_a_charger_touches_goes_with_its_place(year: str) -> None:
    battle = seen(battle_of("GOT", year), LINE).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    (due,) = (one for one in SCREEN.due_moves(battle.state) if one.piece == "b1")
    touching = [one for one in due.ends if "r2" in dict(one.poses)]
    assert bool(touching) is (year == "2021")
    for end in touching:
        assert "Lannister Halberdiers is aligned with it, 50 % in contact" in end.text
        state = after(battle.state, end.command(current_table(battle.state)))
        assert set(state.unit("b1").engaged) == {"r1", "r2"}
        assert not [one for one in SCREEN.due_moves(state) if one.piece in ("b1", "r2")]


WALLS = {"low": (10, 19, 21, 21.1), "high": (10, 27.3, 21, 30)}
"""Beside r2: they leave it no half place at the charger's edge."""


def moved_off() -> tuple[Battle, GameState]:
    """A charge against r1 that also touches r2, aligned in the middle of its target."""
    battle = battle_of("GOT")
    walls = tuple(replace(slab(battle.game, "palisade", box), id=one) for one, box in WALLS.items())
    spots = {"b1": (24.0, 14.0, NORTH), "r1": (24.0, 29.0, SOUTH), "r2": (18.84, 24.2, EAST)}
    seen(battle, spots, walls).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    (due,) = SCREEN.due_moves(battle.state)
    end = next(one for one in due.ends if "r2" in dict(one.poses))
    return battle, after(battle.state, end.command(current_table(battle.state)))


@pytest.mark.rule("TMG-CHG-21", edition="2021")
def test_who_is_moved_off_a_charger_is_put_by_its_owner() -> None:
    _, state = moved_off()
    (due,) = SCREEN.due_moves(state)
    assert (due.kind, due.piece, due.ends, due.keeps_facing) == ("off", "r2", (), True)
    assert "Lannister Halberdiers moves 1″ off Stark Sworn Swords" in due.text
    table = current_table(state)
    for place, answer in {(17.85, 24.4): "yes", (17.3, 24.2): "no", (18.5, 24.2): "no"}.items():
        moved = table.moved("r2", Pose(*place, EAST))
        verdict = SCREEN.entry_verdict(state, moved, "r2")
        assert verdict is not None
        assert verdict["answer"] == answer
    put = {"do": "table", "table": table.moved("r2", Pose(17.85, 24.4, EAST)).to_json()}
    assert not SCREEN.due_moves(after(state, {**put, "units": ["r2"]}))


@pytest.mark.rule("TMG-CHG-21", edition="2021")
def test_who_was_moved_off_elsewhere_already_is_not_asked_again() -> None:
    battle, _ = moved_off()
    (due,) = SCREEN.due_moves(battle.state)
    table = due.ends[0].on(current_table(battle.state)).moved("r2", Pose(17.85, 24.4, EAST))
    put = {"do": "table", "table": table.to_json(), "units": ["b1", "r2"]}
    assert not SCREEN.due_moves(after(battle.state, put))


@pytest.mark.rule("TMG-CHG-20", "TMG-GLO-11")
@pytest.mark.parametrize(
    ("reading", "engaged"),
    [
        ("ask", [{"r1"}, {"r1"}, {"r1", "r2"}, {"r1", "r2"}]),
        ("touch", [{"r1", "r2"}] * 2 + [{"r1"}]),
        ("apart", [{"r1"}, {"r1"}, {"r1", "r2"}]),
    ],
)
def test_an_enemy_met_only_at_a_corner_is_asked_about(
    reading: str, engaged: list[set[str]]
) -> None:
    # r1 and r2 stand flush side by side, b1 charges r1: in the middle its corner meets r2's
    battle = battle_of("GOT", readings=[f"corner_contact={reading}"])
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 32.0, SOUTH), "r2": (29.5, 32.0, SOUTH)}
    seen(battle, spots).do("activate", unit="b1")
    offered = offers(battle.state, report(battle.state), "b1")
    (offer,) = (one for one in offered if one.target == "r1")
    assert "may touch Lannister Halberdiers too" in offer.detail
    battle.do("action", action="charge", target="r1", faces=[6])
    (due,) = (one for one in SCREEN.due_moves(battle.state) if one.piece == "b1")
    ends = {}
    for end in due.ends:
        battle_state = after(battle.state, end.command(current_table(battle.state)))
        ends[str(end.text)] = set(battle_state.unit("b1").engaged)
    assert sorted(map(sorted, ends.values())) == sorted(map(sorted, engaged)), ends
    middle = [text for text in ends if "in the middle" in text]
    corner = [text for text in middle if "only a corner" in text]
    assert (len(middle), len(corner)) == {"ask": (2, 1)}.get(reading, (1, 0))
    assert all(ends[text] == {"r1"} for text in corner)


@pytest.mark.rule("TMG-CHG-20", edition="2021")
def test_an_enemy_that_a_charger_laid_by_hand_touches_is_aligned_by_hand() -> None:
    battle = battle_of("GOT")
    spots = {"b1": (24.0, 14.0, NORTH), "r1": (24.0, 29.0, SOUTH), "r2": (18.84, 24.2, EAST)}
    seen(battle, spots).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    table = current_table(battle.state)
    (due,) = SCREEN.due_moves(battle.state)
    end = next(one for one in due.ends if "r2" in dict(one.poses))
    poses = dict(end.poses)
    hand = table.moved("b1", poses["b1"])
    state = after(battle.state, {"do": "table", "table": hand.to_json(), "units": ["b1"]})
    (due,) = SCREEN.due_moves(state)
    assert (due.kind, due.piece, due.target) == ("beside", "r2", "b1")
    assert str(due.text).startswith("Lannister Halberdiers")
    (place,) = due.ends
    assert dict(place.poses)["r2"].x == pytest.approx(poses["r2"].x)
    assert dict(place.poses)["r2"].y == pytest.approx(poses["r2"].y)
    assert not SCREEN.due_moves(after(state, place.command(current_table(state))))
    gone = after(state, {"do": "correct", "unit": "b1", "wounds": 12})
    assert not gone.unit("b1").standing
    assert not [one for one in SCREEN.due_moves(gone) if one.kind == "beside"]


@pytest.mark.rule("TMG-CHG-21", edition="2021")
def test_who_cannot_be_aligned_with_a_charger_laid_by_hand_is_moved_off_by_its_owner() -> None:
    battle, state = moved_off()
    old = current_table(battle.state).unit("r2").pose
    hand = current_table(state).moved("r2", old)
    state = after(battle.state, {"do": "table", "table": hand.to_json(), "units": ["b1"]})
    (due,) = SCREEN.due_moves(state)
    assert (due.kind, due.piece, due.ends) == ("beside", "r2", ())
    table = current_table(state)
    for x, answer in {17.85: "yes", 18.5: "no"}.items():
        verdict = SCREEN.entry_verdict(state, table.moved("r2", Pose(x, 24.4, EAST)), "r2")
        assert verdict is not None
        assert verdict["answer"] == answer
    put = {"do": "table", "table": table.moved("r2", Pose(17.85, 24.4, EAST)).to_json()}
    assert not SCREEN.due_moves(after(state, {**put, "units": ["r2"]}))
