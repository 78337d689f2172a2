"""Dangerous and Destructible terrain in play: by acting, moving, charging, attacking."""

from __future__ import annotations

import json

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.names import names_of
from models import EXACT, Sigma, Terrain
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, Spot, seen, slab
from tests.play.battle import Battle, battle_of

YEARS = ("2021", "2018")
HERE: Spot = (24.0, 10.0, NORTH)  # the tray of b1: y 7.6 to 12.4
BLUR = Sigma(0.1)


def stakes(year: str, low: float, high: float, name: str = "stakes") -> Terrain:
    """Stakes across the way of b1."""
    piece = slab(f"tmg-{year}", "stakes", (20, low, 28, high))
    return Terrain(name, piece.outline, piece.keywords, piece.piece)


def moved(
    year: str, end: Spot, *pieces: Terrain, action: str = "maneuver", sigma: Sigma = EXACT
) -> Battle:
    """B1 acts, and a new table shows where it went."""
    battle = seen(battle_of("GOT", year), {"b1": HERE}, pieces, sigma=sigma)
    battle.do("activate", unit="b1").do("action", action=action, d3=1)
    return seen(battle, {"b1": end}, pieces, sigma=sigma)


# -- moving onto it -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-10")
@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("action", ["maneuver", "march"])
def test_a_move_over_stakes_costs_wounds_once_it_is_seen(year: str, action: str) -> None:
    battle = moved(year, (24, 15, NORTH), stakes(year, 13, 14), action=action)
    assert battle.waits()[0] == "danger"
    assert battle.state.tasks[0].say == "b1 moved onto stakes: D3+1 wounds (TMG-TER-10)"
    battle.do("ground", holds=True, d3=3)
    assert battle.unit("b1").wounds == 4
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-10")
@pytest.mark.parametrize("year", YEARS)
def test_a_move_beside_stakes_or_none_at_all_costs_nothing(year: str) -> None:
    assert moved(year, (24, 15, NORTH), stakes(year, 18, 19)).waits() == ["end-of-turn"]
    assert moved(year, HERE, stakes(year, 18, 19)).waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-10")
def test_a_retreat_over_stakes_costs_wounds() -> None:
    battle = battle_of("GOT")
    piece = stakes("2021", 5, 6)
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP, SOUTH)}
    seen(battle, spots, (piece,)).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[4])
    seen(battle, {**spots, "b1": (24, 5.5, NORTH)}, (piece,))
    battle.do("ground", holds=True, d3=1)
    assert battle.unit("b1").wounds == 2


@pytest.mark.rule("TMG-TER-10", "TMG-RET-3")
@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize(("side", "end"), [(-1, 14.0), (1, 34.0)])
def test_a_retreat_sideways_across_stakes_costs_wounds(year: str, side: int, end: float) -> None:
    """The stakes lie between both places; the tray stands on them at neither."""
    piece = slab(f"tmg-{year}", "stakes", (24 + side * 5 - 0.5, 9, 24 + side * 5 + 0.5, 11))
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP, SOUTH)}
    battle = seen(battle_of("GOT", year), spots, (piece,)).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[6])
    seen(battle, {**spots, "b1": (end, 10.0, NORTH)}, (piece,))
    assert battle.waits()[0] == "danger"
    battle.do("ground", holds=True, d3=2)
    assert battle.unit("b1").wounds == 3


@pytest.mark.rule("TMG-TER-10", "OR-24")
@pytest.mark.parametrize(("kind", "asked"), [("stakes", True), ("bog", False)])
def test_who_is_first_seen_on_stakes_is_asked_whether_it_moved_there(
    kind: str, asked: bool
) -> None:
    battle = battle_of("GOT").do("activate", unit="b1").do("action", action="maneuver")
    seen(battle, {"b1": HERE}, (slab(battle.game, kind, (22, 9, 26, 11)),))
    assert ("danger" in battle.waits()) is asked
    if asked:
        assert "too close to call" in battle.state.tasks[0].say
        battle.do("ground", holds=True, d3=1)
        assert battle.unit("b1").wounds == 2


@pytest.mark.rule("TMG-TER-10", "TMG-UNT-11")
def test_a_unit_that_falls_takes_no_other_units_move_with_it() -> None:
    pieces = (stakes("2021", 13, 14),)
    battle = seen(battle_of("GOT"), {"b1": HERE}, pieces).do("activate", unit="b1")
    battle.do("action", action="maneuver").do("wounds", unit="r1", wounds=12)
    seen(battle, {"b1": (24, 15, NORTH)}, pieces)
    assert [(task.kind, task.unit) for task in battle.state.tasks] == [("danger", "b1")]


@pytest.mark.rule("TMG-TER-10", "OR-24", edition="2021")
@pytest.mark.parametrize("twice", [False, True])
def test_of_two_moves_between_tables_the_second_starts_nobody_knows_where(twice: bool) -> None:
    pieces = (stakes("2021", 15, 18),)
    battle = seen(battle_of("GOT"), {"b1": HERE}, pieces).do("activate", unit="b1")
    battle.do("action", action="maneuver")
    if twice:
        battle.do("free-action", unit="b1", action="maneuver")
    seen(battle, {"b1": (24, 14.9, NORTH)}, pieces)
    assert battle.state.tasks[0].kind == "danger"
    assert ("too close to call" in battle.state.tasks[0].say) is twice


@pytest.mark.rule("TMG-TER-10")
def test_what_the_players_have_said_is_not_asked_again() -> None:
    pieces = (stakes("2021", 13, 14),)
    battle = seen(battle_of("GOT"), {"b1": HERE}, pieces).do("activate", unit="b1")
    battle.do("action", action="maneuver", dangerous=False)
    assert seen(battle, {"b1": (24, 15, NORTH)}, pieces).waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-10", "OR-24")
def test_a_move_that_may_have_touched_stakes_is_asked_about() -> None:
    # It ends with its front edge 0.05 inches into the stakes, give or take 0.1.
    battle = moved("2021", (24, 14.65, NORTH), stakes("2021", 17, 18), sigma=BLUR)
    assert "too close to call" in battle.state.tasks[0].say
    battle.do("ground", holds=False)
    assert (battle.unit("b1").wounds, battle.waits()) == (0, ["end-of-turn"])
    battle = moved("2021", (24, 14.65, NORTH), stakes("2021", 17, 18), sigma=BLUR)
    battle.do("ground", holds=True, d3=2)
    assert battle.unit("b1").wounds == 3


@pytest.mark.rule("TMG-TER-10", "TMG-GLO-8", edition="2021")
def test_a_shift_and_a_pivot_are_moves_too() -> None:
    battle = battle_of("GOT")
    piece = slab(battle.game, "stakes", (28, 18, 30, 22))
    spots = {"b2": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP + 8, SOUTH)}
    seen(battle, spots, (piece,)).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True).fight(0)
    seen(battle, {**spots, "b2": (26, 20, NORTH)}, (piece,))
    assert battle.waits()[0] == "danger"


@pytest.mark.rule("TMG-TER-10")
def test_a_game_with_such_a_move_folds_as_it_was_played() -> None:
    battle = moved("2021", (24, 15, NORTH), stakes("2021", 13, 14)).do("ground", holds=True)
    assert battle.folded() == battle.state
    assert [roll.die for event in battle.log for roll in PLAY.dice(event)] == [3]


@pytest.mark.rule("TMG-TER-10")
@pytest.mark.parametrize("year", YEARS)
def test_a_move_that_nobody_declared_is_pointed_out(year: str) -> None:
    pieces = (stakes(year, 13, 14),)
    battle = seen(battle_of("GOT", year), {"b1": HERE}, pieces)
    seen(battle, {"b1": (24, 15, NORTH)}, pieces)
    assert any("if it moved there" in one for one in battle.answer["reminders"])
    assert battle.waits() == ["turn-start"]


# -- acting on it -------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-9", "OR-24", edition="2021")
def test_acting_where_stakes_may_lie_underfoot_is_asked_first() -> None:
    pieces = (stakes("2021", 12.35, 14),)  # 0.05 inches under the tray, give or take 0.1
    for action, more in (("maneuver", {}), ("march", {}), ("attack", {"target": "r1"})):
        battle = seen(battle_of("GOT"), {"b2": HERE, "r1": (24, 19, SOUTH)}, pieces, sigma=BLUR)
        battle.do("activate", unit="b2")
        said = battle.refused("TMG-TER-9", "action", action=action, **more)
        assert "'dangerous'" in said
        battle.do("action", action=action, dangerous=True, d3=1, **more)
        assert battle.unit("b2").wounds == 2


@pytest.mark.rule("TMG-TER-9", "TMG-RET-2", edition="2021")
def test_a_retreat_where_stakes_may_lie_underfoot_is_asked_first() -> None:
    pieces = (stakes("2021", 12.35, 14),)
    battle = seen(battle_of("GOT"), {"b2": HERE}, pieces, sigma=BLUR)
    battle.do("engage", unit="b2", **{"with": ["r1"]}).do("activate", unit="b2")
    said = battle.refused("TMG-TER-9", "action", action="retreat", faces=[4])
    assert "'dangerous'" in said
    battle.do("action", action="retreat", faces=[4], dangerous=True, d3=1)
    assert battle.unit("b2").wounds == 2
    assert not battle.unit("b2").engaged


@pytest.mark.rule("TMG-TER-9", edition="2021")
def test_moving_off_stakes_costs_the_action_alone() -> None:
    battle = moved("2021", (24, 15, NORTH), stakes("2021", 8, 9))
    assert (battle.unit("b1").wounds, battle.waits()) == (2, ["end-of-turn"])


# -- charging over it ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-10", "TMG-TER-11", "EX-78")
@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("die", [6, 1])
def test_a_charge_over_stakes_costs_wounds_before_its_attack(year: str, die: int) -> None:
    pieces = (stakes(year, 13, 14),)
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT", year), spots, pieces).do("activate", unit="b1")
    faces = [die] if year == "2021" else [die, die]  # 2018: stakes are Hindering
    battle.do("action", action="charge", target="r1", faces=faces, d3=3)
    assert battle.unit("b1").wounds == 4
    assert battle.unit("b1").ranks == 2
    if die == 6:
        assert battle.view()["attack"]["dice"] == battle.unit("b1").attacks[0].dice[1]
    # The next table shows it beyond the stakes, and does not ask again.
    end = (24.0, 10 + 8.0, NORTH) if die == 6 else (24.0, 16.0, NORTH)
    seen(battle, {**spots, "b1": end}, pieces)
    assert "danger" not in battle.waits()


@pytest.mark.rule("TMG-TER-9", "TMG-TER-11", "EX-78", edition="2021")
def test_a_charge_off_stakes_and_onto_others_costs_wounds_once() -> None:
    pieces = (stakes("2021", 8, 9), stakes("2021", 14, 15, "more"))
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, pieces).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6], d3=1)
    assert battle.unit("b1").wounds == 2
    seen(battle, {**spots, "b1": (24.0, 18.0, NORTH)}, pieces)
    assert "danger" not in battle.waits()


@pytest.mark.rule("TMG-TER-11")
@pytest.mark.parametrize(("year", "asked"), [("2021", False), ("2018", True)])
def test_who_was_hurt_on_the_way_may_be_aligned_on_another_piece(year: str, asked: bool) -> None:
    # Aligned at 50 % the charger ends on stakes that its straight way does not touch.
    aside = slab(f"tmg-{year}", "stakes", (28.5, 16, 30, 17))
    pieces = (Terrain("aside", aside.outline, aside.keywords, "stakes"), stakes(year, 13, 14))
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT", year), spots, pieces).do("activate", unit="b1")
    faces = [6] if year == "2021" else [6, 6]
    battle.do("action", action="charge", target="r1", faces=faces, d3=1)
    assert battle.unit("b1").wounds == 2
    seen(battle, {**spots, "b1": (26.5, 18.0, NORTH)}, pieces)
    assert ("danger" in battle.waits()) is asked


@pytest.mark.rule("TMG-TER-10", "TMG-CHG-12", "TMG-CHG-17")
@pytest.mark.parametrize("year", YEARS)
def test_stakes_beside_the_way_of_a_charge_cost_nothing(year: str) -> None:
    """The charger goes to the right front; straight ahead of where it stood are stakes."""
    aside = slab(f"tmg-{year}", "stakes", (21, 19, 24, 20))
    spots = {"b1": HERE, "r1": (34.0, 22.0, SOUTH)}
    battle = seen(battle_of("GOT", year), spots, (aside,)).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.unit("b1").engaged == ("r1",)
    seen(battle, {**spots, "b1": (34.0, 22 - DEEP, NORTH)}, (aside,))
    assert battle.unit("b1").wounds == 0
    assert "danger" not in battle.waits()


@pytest.mark.rule("TMG-TER-10")
def test_a_charger_that_dies_on_stakes_attacks_nobody() -> None:
    pieces = (stakes("2021", 13, 14),)
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, pieces).do("wounds", unit="b1", wounds=10)
    battle.do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6], d3=1)
    assert battle.unit("b1").place == "destroyed"
    assert battle.state.attack is None
    assert battle.unit("r1").engaged == ()
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-10", "TMG-TER-14", "TMG-TER-5")
@pytest.mark.parametrize(
    ("piece", "rule", "field"),
    [
        ("stakes", "TMG-TER-10", "dangerous"),
        ("corpse-pile", "TMG-TER-14", "hindering"),
        ("forest", "TMG-TER-5", "fortified"),
    ],
)
def test_ground_that_a_charge_may_just_reach_is_asked_about(
    piece: str, rule: str, field: str
) -> None:
    battle = battle_of("GOT")
    # The charge ends 0.02 inches on the piece on which its target stands, give or take 0.1.
    beside = slab(battle.game, piece, (10, 10 + DEEP / 2 + 6 - 0.02, 38, 24))
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 6, SOUTH)}
    seen(battle, spots, (beside,), sigma=BLUR).do("activate", unit="b1")
    said = battle.refused(rule, "action", action="charge", target="r1", faces=[6])
    assert repr(field) in said
    fields = {field: False}
    battle.do("action", action="charge", target="r1", faces=[6], **fields)
    assert battle.unit("b1").wounds == 0


# -- destroying pieces --------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-19", "EX-81", "OR-27", edition="2021")
def test_a_palisade_is_attacked_and_falls() -> None:
    wall = slab("tmg-2021", "palisade", (14, 13, 34, 14))  # 0.6 inches before the tray
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 6, SOUTH)}
    battle = seen(battle_of("GOT"), spots, (wall,)).do("activate", unit="b1")
    battle.refused("TMG-CHG-2", "action", action="charge", target="r1")
    battle.do("action", action="attack", piece="palisade")
    assert battle.state.broken == ("palisade",)
    assert battle.state.attack is None
    assert battle.waits() == ["end-of-turn"]
    assert "palisade is destroyed by b1" in battle.titles
    assert names_of(battle.state).of("palisade") == "the palisade", "not by its id"
    # Whatever later tables still show, nothing blocks the sight of b1 any more.
    seen(battle, spots, (wall,))
    assert PLAY.moment(battle.state).table.terrain == ()
    battle.do("free-action", unit="b1", action="charge", target="r1", faces=[6])
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-TER-19", "TMG-MEL-2", edition="2021")
def test_what_cannot_be_attacked() -> None:
    battle = battle_of("GOT")
    far = slab(battle.game, "palisade", (14, 13.5, 34, 14))  # 1.1 inches away
    bog = slab(battle.game, "bog", (14, 12.5, 20, 13))
    seen(battle, {"b1": HERE}, (far, bog)).do("activate", unit="b1")
    battle.refused("TMG-TER-19", "action", action="attack", piece="palisade")
    battle.refused("TMG-TER-19", "action", action="attack", piece="bog")
    battle.refused("TMG-TER-19", "action", action="attack", piece="elsewhere")
    near = slab(battle.game, "palisade", (14, 13.38, 34, 14))
    seen(battle, {"b1": HERE}, (near,), sigma=BLUR)
    battle.refused("TMG-TER-19", "action", action="attack", piece="palisade")
    battle.do("action", action="attack", piece="palisade", beside=True)
    battle.do("end-turn").forgo("r1")
    battle.refused("TMG-TER-19", "free-action", unit="b1", action="attack", piece="palisade")


@pytest.mark.rule("TMG-TER-19", "TMG-TER-9", edition="2021")
def test_attacking_a_piece_is_acting_and_needs_no_table() -> None:
    battle = battle_of("GOT").do("activate", unit="b1")
    battle.do("action", action="attack", piece="hedge", dangerous=True, d3=2)
    assert battle.unit("b1").wounds == 3
    assert battle.state.broken == ("hedge",)


@pytest.mark.rule("TMG-TER-19", edition="2018")
def test_in_2018_pieces_are_crushed_by_moves_and_charges() -> None:
    hedge = slab("tmg-2018", "hedge", (20, 13, 28, 14))
    battle = moved("2018", (24, 14, NORTH), hedge)
    assert battle.state.broken == ("hedge",)
    battle.refused("TMG-TER-19", "free-action", unit="b1", action="attack", piece="hedge")
    spots = {"b1": HERE, "r1": (24.0, 10 + DEEP + 6, SOUTH)}
    battle = seen(battle_of("GOT", "2018"), spots, (hedge,)).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6, 6])
    assert battle.state.broken == ("hedge",)
    assert json.loads(battle.state.table)["terrain"] == []


@pytest.mark.rule("TMG-TER-19", "OR-24", edition="2018")
@pytest.mark.parametrize("holds", [True, False])
def test_in_2018_a_piece_perhaps_crushed_is_asked_about(holds: bool) -> None:
    hedge = slab("tmg-2018", "hedge", (20, 17, 28, 18))
    battle = moved("2018", (24, 14.6, NORTH), hedge, sigma=BLUR)
    assert battle.waits()[0] == "crushed"
    battle.do("ground", holds=holds)
    assert battle.state.broken == (("hedge",) if holds else ())


# -- morale -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
@pytest.mark.parametrize(("piece", "value"), [("weirwood", 1), ("corpse-pile", -1)])
@pytest.mark.parametrize("holds", [True, False])
def test_ground_at_the_limit_of_its_range_is_asked_about(
    piece: str, value: int, holds: bool
) -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, piece, (22, 12.4 + 5.99, 26, 20))
    seen(battle, {"b1": HERE}, (near,), sigma=Sigma(0.3)).do("test", unit="b1", why="fear")
    assert battle.waits()[0] == "morale-ground"
    assert battle.view()["panic"][0]["modifiers"] == {}
    rule = "TMG-TER-12" if value > 0 else "TMG-TER-13"
    battle.refused(rule, "panic", unit="b1", faces=[3, 4])
    battle.do("ground", holds=holds)
    assert battle.view()["panic"][0]["modifier"] == (value if holds else 0)
    battle.do("panic", unit="b1", faces=[3, 4], keep=True)


@pytest.mark.rule("TMG-TER-12")
def test_a_test_that_is_not_rolled_asks_nothing() -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, "weirwood", (22, 12.4 + 5.99, 26, 20))
    seen(battle, {"b1": HERE}, (near,), sigma=Sigma(0.3)).do("test", unit="b1", why="fear")
    battle.do("pass-test", unit="b1", why="brave")
    assert "morale-ground" not in battle.waits()
    battle.do("test", unit="b1", why="fear").do("wounds", unit="b1", wounds=12)
    assert "morale-ground" not in battle.waits()


@pytest.mark.rule("TMG-MODE-FFC-17", edition="2018")
def test_a_pile_at_the_limit_of_its_range_is_asked_about() -> None:
    battle = battle_of("FFC", "2018")
    pile = slab(battle.game, "corpse-pile", (22, 12.4 + 5.99, 26, 20))
    seen(battle, {"b1": HERE}, (pile,), sigma=Sigma(0.3))
    battle.refused("TMG-MODE-FFC-17", "activate", unit="b1")
    battle.do("activate", unit="b1", near_pile=False)
    assert battle.state.trials == ()


@pytest.mark.rule("TMG-TER-10", edition="2018")
def test_each_piece_on_the_way_of_a_charge_has_a_d3_of_its_own() -> None:
    """It is asked for before the attack: the wounds count for the ranks."""
    pieces = stakes("2018", 13, 13.5), stakes("2018", 14, 14.5, "second")
    battle = seen(
        battle_of("GOT", "2018"), {"b1": HERE, "r1": (24.0, 10 + DEEP + 5, SOUTH)}, pieces
    )
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[6, 6], d3=1)
    assert battle.unit("b1").wounds == 2
    assert battle.waits() == ["danger", "attack-dice"]
    battle.do("ground", holds=True, d3=3)
    assert battle.unit("b1").wounds == 2 + 4
    assert battle.waits() == ["attack-dice"]
    assert battle.state.attack is not None
    assert battle.state.attack.dice == battle.unit("b1").attacks[0].dice_at(1)
