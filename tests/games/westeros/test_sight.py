"""Range and line of sight on hexes (BOW-LOS)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.westeros.tables import answers, hex_at, sees, unit

rule = pytest.mark.rule
ARCHER: dict[str, Any] = {"class": "ranged"}


def archer(q: int = 0, r: int = 0, **facts: Any) -> dict[str, Any]:
    return unit("b1", hex_at(q, r), **{**ARCHER, **facts})


def foe(q: int, r: int) -> dict[str, Any]:
    return unit("r1", hex_at(q, r))


def seen(q: int, r: int, *blockers: tuple[int, int], word: str = "forest", **board: Any) -> str:
    """Whether an archer on (0, 0) sees a unit, with terrain on these hexes."""
    ground = {hex_at(*one): word for one in blockers}
    answer: str = sees(archer(), foe(q, r), ground=ground, **board)["answer"]
    return answer


@rule("BOW-LOS-1", "BOW-D-1")
@pytest.mark.parametrize(
    ("q", "r", "far"), [(2, 1, 3), (2, 2, 4), (1, 0, 1), (1, 1, 2), (-1, 2, 2)]
)
def test_range_counts_the_target_and_not_the_attacker(q: int, r: int, far: int) -> None:
    assert answers(archer(), foe(q, r))["b1"]["distance"] == {"r1": far}


@rule("BOW-LOS-6", "BOW-D-2", "BOW-D-3", "BOW-D-4", "BOW-V-15", "BOW-OR-3")
@pytest.mark.parametrize(
    ("q", "r", "blockers", "answer"),
    [
        (1, 1, [(1, 0)], "yes"),
        (1, 1, [(1, 0), (0, 1)], "no"),
        (-1, 2, [(-1, 1)], "yes"),
        (-1, 2, [(-1, 1), (0, 1)], "no"),
        (2, 2, [(1, 0), (1, 2)], "no"),
        (2, 2, [(1, 0), (2, 1)], "yes"),
        (2, 2, [(1, 0)], "yes"),
    ],
)
def test_a_line_along_edges_is_shifted_whole(
    q: int, r: int, blockers: list[tuple[int, int]], answer: str
) -> None:
    assert seen(q, r, *blockers) == answer


@rule("BOW-LOS-6")
def test_a_line_blocked_on_both_sides_names_them() -> None:
    ground = {hex_at(1, 0): "forest", hex_at(0, 1): "forest"}
    answer = sees(archer(), foe(1, 1), ground=ground)
    assert answer["why"] == ["BOW-LOS-5", "BOW-LOS-6"]
    assert set(answer["blocked_by"]) == set(ground)


@rule("BOW-OR-3")
def test_the_other_reading_changes_sides_at_every_edge() -> None:
    assert seen(2, 2, (1, 0), (1, 2), readings=("edge-lines=either",)) == "yes"
    assert seen(2, 2, (1, 0), (0, 1), readings=("edge-lines=either",)) == "no"


@rule("BOW-LOS-5", "BOW-LOS-4", "BOW-D-5", "BOW-D-6")
@pytest.mark.parametrize(
    ("q", "r", "blocker", "answer"),
    [
        (2, 2, (1, 1), "no"),
        (2, 1, (1, 0), "no"),
        (2, 1, (1, 1), "no"),
        (2, 1, (0, 1), "yes"),
        (2, 1, (2, 0), "yes"),
        (3, 0, (2, 0), "no"),
    ],
)
def test_the_straight_line_from_centre_to_centre(
    q: int, r: int, blocker: tuple[int, int], answer: str
) -> None:
    assert seen(q, r, blocker) == answer


@rule("BOW-LOS-5", "BOW-V-13", "BOW-V-14")
def test_units_of_both_sides_block() -> None:
    for other in ("b2", "r2"):
        answer = sees(archer(), foe(3, 0), unit(other, hex_at(1, 0)))
        assert (answer["answer"], answer["blocked_by"]) == ("no", [hex_at(1, 0)])
    cavalry = unit("r2", hex_at(3, 0), **{"class": "cavalry"})
    found = answers(archer(), foe(5, 0), cavalry)["b1"]
    assert found["sees"]["r1"]["answer"] == "no"
    assert found["attacks"]["r1"]["why"] == ["BOW-LOS-2"]
    assert answers(archer(), foe(3, 0), ground={hex_at(2, 0): "hill"})["b1"]["attacks"]["r1"] == {
        "answer": "no",
        "why": ["BOW-LOS-5"],
    }


@rule("BOW-LOS-2", "BOW-V-12")
def test_the_range_of_the_card() -> None:
    found = answers(archer(), foe(4, 0), unit("r2", hex_at(0, -4)), unit("r3", hex_at(-5, 0)))
    attacks = found["b1"]["attacks"]
    assert [attacks[one]["answer"] for one in ("r1", "r2", "r3")] == ["yes", "yes", "no"]
    assert attacks["r3"]["why"] == ["BOW-LOS-2"]


@rule("BOW-LOS-3")
def test_melee_units_attack_adjacent_hexes_only() -> None:
    found = answers(unit("b1", hex_at(0, 0)), foe(1, 0), unit("r2", hex_at(0, 2)))
    attacks = found["b1"]["attacks"]
    assert (attacks["r1"]["answer"], attacks["r2"]["why"]) == ("yes", ["BOW-LOS-3"])


@rule("BOW-LOS-7", "BOW-OR-4")
def test_adjacent_units_and_the_ends_of_a_line_are_always_seen() -> None:
    ground = {hex_at(0, 0): "forest", hex_at(1, 0): "building", hex_at(0, -3): "hill"}
    found = answers(archer(), foe(1, 0), unit("r2", hex_at(0, -3)), ground=ground)["b1"]
    assert [found["sees"][one]["answer"] for one in ("r1", "r2")] == ["yes", "yes"]


@rule("BOW-LOS-8", "BOW-OR-6")
def test_a_ranged_unit_on_a_hill_shoots_over_units_but_not_over_hills() -> None:
    hill = {hex_at(0, 0): "hill"}
    between = unit("r2", hex_at(1, 0))
    assert sees(archer(), foe(3, 0), between, ground=hill)["answer"] == "yes"
    assert sees(archer(), foe(3, 0), between)["answer"] == "no"
    on_foot = unit("b1", hex_at(0, 0))
    assert sees(on_foot, foe(3, 0), between, ground=hill)["answer"] == "no"
    two = {**hill, hex_at(1, 0): "hill"}
    assert sees(archer(), foe(3, 0), ground=two)["answer"] == "no"
    over = ("archers-on-hills=units-and-hills",)
    assert sees(archer(), foe(3, 0), ground=two, readings=over)["answer"] == "yes"


@rule("BOW-LOS-9", "BOW-LOS-10")
def test_war_hounds_run_past_friends_but_not_over_rivers() -> None:
    hounds = unit("b1", hex_at(0, 0), keywords=["war-hounds"])

    def reach(*others: dict[str, Any], **ground: Any) -> dict[str, Any]:
        answer: dict[str, Any] = answers(hounds, foe(3, 0), *others, **ground)["b1"]["hounds"]["r1"]
        return answer

    assert reach(unit("b2", hex_at(1, 0)))["answer"] == "yes"
    assert reach(unit("r2", hex_at(1, 0)))["why"] == ["BOW-LOS-5"]
    assert reach(ground={hex_at(1, 0): "river"})["why"] == ["BOW-LOS-10"]
    assert reach(ground={hex_at(1, 0): ["river", "ford"]})["answer"] == "yes"
    assert reach(ground={hex_at(2, 0): "forest"})["why"] == ["BOW-LOS-5"]


@rule("BOW-KEY-5", "BOW-D-24")
@pytest.mark.parametrize(("far", "answer"), [(1, "no"), (2, "yes"), (3, "yes"), (4, "no")])
def test_war_hounds_reach_distance_2_and_3(far: int, answer: str) -> None:
    hounds = unit("b1", hex_at(0, 0), keywords=["war-hounds"])
    assert answers(hounds, foe(far, 0))["b1"]["hounds"]["r1"]["answer"] == answer


@rule("BOW-OR-18")
def test_engaged_war_hounds_stay_with_their_opponent() -> None:
    hounds = unit("b1", hex_at(0, 0), keywords=["war-hounds"], engaged="r2")
    found = answers(hounds, foe(3, 0), unit("r2", hex_at(0, 1)))["b1"]["hounds"]["r1"]
    assert found["why"] == ["BOW-ENG-8"]


@rule("BOW-TER-3", "BOW-TER-5", "BOW-TER-10", "BOW-TER-11", "BOW-TER-17", "BOW-TER-20")
@rule("BOW-TER-24", "BOW-TER-27", "BOW-TER-29", "BOW-TER-2", "BOW-FIR-16")
@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("plains", "yes"),
        ("hill", "no"),
        ("forest", "no"),
        ("river", "yes"),
        ("forest-river", "no"),
        ("building", "no"),
        ("road", "yes"),
        ("forest-road", "no"),
        (["river", "wooden-bridge"], "yes"),
        (["river", "stone-bridge"], "yes"),
        (["plains", "palisade"], "no"),
        ("tent", "yes"),
        ("siege-tower", "no"),
        (["river", "ford"], "yes"),
        (["plains", "fire-4"], "yes"),
        (["forest", "devastation"], "yes"),
    ],
)
def test_which_terrain_blocks(words: Any, answer: str) -> None:
    assert sees(archer(), foe(3, 0), ground={hex_at(1, 0): words})["answer"] == answer


@rule("BOW-TER-1", "BOW-TER-33")
def test_a_marker_beats_the_hex_below_it() -> None:
    for words in (["forest-river", "stone-bridge"], ["forest", "devastation"], ["hill", "tent"]):
        assert sees(archer(), foe(2, 0), ground={hex_at(1, 0): words})["answer"] == "yes"
    assert sees(archer(), foe(2, 0), ground={hex_at(1, 0): ["plains", "palisade"]})["why"]


@rule("BOW-OR-5")
def test_what_is_beyond_the_rim_does_not_block() -> None:
    """A line along the left rim has a half hex on one side: that side is free."""
    one, two = unit("b1", "0,2", **ARCHER), unit("r1", "0,4")
    found = sees(one, two, ground={"0,3": "forest"})
    assert found["answer"] == "yes"
    right = unit("b1", "14,3", **ARCHER), unit("r1", "14,5")
    assert sees(*right, ground={"14,4": "forest"})["answer"] == "yes"


@rule("BOW-OR-7")
def test_a_corner_alone_is_no_crossing() -> None:
    """(0,0) to (3,1) in axial steps: only hexes with a stretch of the line inside block."""
    crossed = {(1, 0), (2, 0), (1, 1), (2, 1)}
    for q in range(-1, 5):
        for r in range(-1, 3):
            if (q, r) not in ((0, 0), (3, 1)):
                expected = "no" if (q, r) in crossed else "yes"
                assert seen(3, 1, (q, r)) == expected, (q, r)
