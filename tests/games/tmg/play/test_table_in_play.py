"""With a table attached the geometry fills in what players would tick."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.play.attacks import defense_modifier
from companion.games.tmg.play.sightings import morale_mods
from models import EXACT, Objective, Pose, Sigma, Table, Terrain, Unit, catalogue
from tests.play.battle import Battle, battle_of

Spot = tuple[float, float, float]
NORTH, SOUTH, EAST = 90.0, 270.0, 0.0
DEEP = 4.8


def slab(game: str, piece: str, box: tuple[float, float, float, float]) -> Terrain:
    x0, y0, x1, y1 = box
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(piece, outline, catalogue(game).pieces[piece], piece)


def seen(
    battle: Battle,
    spots: dict[str, Spot],
    terrain: tuple[Terrain, ...] = (),
    tokens: tuple[Objective, ...] = (),
    sigma: Sigma = EXACT,
) -> Battle:
    """The camera shows these units there; the rest stand far behind."""
    trays = catalogue(battle.game).trays
    units = []
    for number, unit in enumerate(battle.state.units):
        back = 3.0 if unit.side == "blue" else 45.0
        facing = NORTH if unit.side == "blue" else SOUTH
        x, y, heading = spots.get(unit.id, (4.0 + 7.0 * number, back, facing))
        units.append(
            Unit(
                unit.id,
                unit.side,
                unit.name,
                trays[unit.tray],
                Pose(x, y, heading, sigma),
                speed=unit.speed,
                models=unit.models,
                attacks=unit.attacks,
            )
        )
    table = Table(battle.game, 48, 48, tuple(units), terrain, tokens)
    return battle.do("table", table=table.plain())


def test_contact_is_seen() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": (24, 20 + DEEP, SOUTH)})
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)
    battle = seen(battle, {"b1": (24, 20, NORTH), "r1": (24, 30, SOUTH)})
    assert battle.unit("b1").engaged == ()


@pytest.mark.rule("TMG-CHG-11", "TMG-CHG-14")
def test_the_distance_of_a_charge_is_measured() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 8, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[2])
    assert battle.state.attack is None
    assert battle.state.trials


@pytest.mark.rule("TMG-CHG-4")
def test_a_charge_out_of_reach_is_refused() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 12, SOUTH)})
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1", faces=[6])


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4")
def test_the_flank_is_seen() -> None:
    battle = seen(battle_of("GOT"), {"b1": (20, 24, EAST), "r1": (31, 24, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[6])
    assert battle.view()["attack"]["zone"] == "flank"
    assert defense_modifier(battle.state.attack, "2021") == -1  # type: ignore[arg-type]


@pytest.mark.rule("TMG-TER-14")
@pytest.mark.parametrize(("year", "dice"), [("2021", 1), ("2018", 2)])
def test_hindering_ground_on_the_way_is_seen(year: str, dice: int) -> None:
    battle = battle_of("GOT", year)
    bog = slab(battle.game, "bog", (20, 17, 28, 18))
    seen(battle, {"b1": (24, 12, NORTH), "r1": (24, 12 + DEEP + 6, SOUTH)}, (bog,))
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-11", "action", action="charge", target="r1", faces=[6] * (3 - dice))
    battle.do("action", action="charge", target="r1", faces=[6] * dice)
    if year == "2021":
        assert battle.view()["attack"]["charge_bonus"] is False


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
def test_ground_that_inspires_or_horrifies_is_added_up() -> None:
    battle = battle_of("GOT")
    tree = slab(battle.game, "weirwood", (30, 10, 32, 12))
    pile = slab(battle.game, "corpse-pile", (14, 10, 18, 12))
    other = slab(battle.game, "corpse-pile", (22, 18, 26, 20))
    other = Terrain("second", other.outline, other.keywords, other.piece)
    seen(battle, {"b1": (24, 10, NORTH)}, (tree, pile, other))
    battle.do("test", unit="b1", why="fear")
    assert battle.view()["panic"][0]["modifiers"] == {"inspiring": 1, "horrific": -1}


@pytest.mark.rule("TMG-TER-9")
def test_acting_on_stakes_is_seen() -> None:
    battle = battle_of("GOT")
    stakes = slab(battle.game, "stakes", (23, 9, 25, 11))
    seen(battle, {"b1": (24, 10, NORTH)}, (stakes,))
    battle.do("activate", unit="b1").do("action", action="maneuver", d3=1)
    assert battle.unit("b1").wounds == 2


@pytest.mark.rule("TMG-TER-6", "EX-79")
def test_2018_cover_between_shooter_and_target_is_seen() -> None:
    battle = battle_of("GOT", "2018")
    wood = slab(battle.game, "forest", (20, 18, 28, 19))
    seen(battle, {"b2": (24, 10, NORTH), "r1": (24, 24, SOUTH)}, (wood,))
    battle.do("activate", unit="b2").do("action", action="attack", target="r1")
    assert battle.state.attack is not None
    assert ("cover", 1) in battle.state.attack.defense_mods


@pytest.mark.rule("TMG-RNG-7", "EX-26")
def test_a_shot_out_of_range_is_refused() -> None:
    battle = seen(battle_of("GOT"), {"b2": (24, 5, NORTH), "r1": (24, 40, SOUTH)})
    battle.do("activate", unit="b2")
    found = battle.view()["units"]["b2"]["attacks"]
    assert found
    battle.refused("TMG-RNG-10", "action", action="attack", target="r1")


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-5", "TMG-OBJ-6")
def test_tokens_under_trays_are_offered_for_points() -> None:
    battle = battle_of("GOT").round_over()
    tokens = (Objective("o1", 24, 24), Objective("o2", 6, 18))
    seen(battle, {"b1": (24, 24, NORTH), "r1": (6, 19.5, SOUTH)}, tokens=tokens)
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"
    assert battle.view()["objectives"]["o2"]["controlled"] == "r1"
    battle.finish_round().do("continue")
    offers = [(one.side, one.vp) for one in battle.state.proposals]
    assert offers == [("blue", 1), ("blue", 1), ("red", 1), ("red", 1)]
    seen(battle, {"b1": (40, 24, NORTH)}, tokens=tokens)
    assert battle.view()["objectives"]["o1"]["controlled"] is None


@pytest.mark.rule("TMG-MODE-GOT-8", "TMG-MODE-GOT-10")
def test_2018_the_first_to_touch_a_token_holds_it_until_it_leaves() -> None:
    battle = battle_of("GOT", "2018")
    token = (Objective("o1", 24, 24),)
    seen(battle, {"b1": (24, 22, NORTH)}, tokens=token)
    seen(battle, {"b1": (24, 22, NORTH), "r1": (24, 22 + DEEP, SOUTH)}, tokens=token)
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"
    seen(battle, {"b1": (24, 10, NORTH), "r1": (24, 22 + DEEP, SOUTH)}, tokens=token)
    assert battle.view()["objectives"]["o1"]["controlled"] == "r1"


@pytest.mark.rule("TMG-MODE-DWD-4")
def test_a_touched_token_is_carried() -> None:
    battle = seen(battle_of("DWD"), {"b3": (24, 22, NORTH)}, tokens=(Objective("o1", 24, 24),))
    assert battle.token("o1").holder == "b3"
    battle.do("activate", unit="b3")
    battle.refused("TMG-MODE-DWD-5", "action", action="march")


@pytest.mark.rule("TMG-MODE-HWS-12", "TMG-MODE-HWS-4")
def test_quadrants_are_counted_from_the_table() -> None:
    battle = battle_of("HWS").round_over()
    seen(battle, {"b1": (10, 40, NORTH), "b2": (40, 8, NORTH)})
    battle.finish_round().do("continue")
    assert {one.why for one in battle.state.proposals if one.side == "blue"} >= {
        "upper-left quadrant"
    }


@pytest.mark.rule("TMG-MODE-FFC-17")
def test_2018_a_corpse_pile_in_short_range_is_seen() -> None:
    battle = battle_of("FFC", "2018")
    pile = slab(battle.game, "corpse-pile", (22, 14, 26, 16))
    seen(battle, {"b1": (24, 8, NORTH)}, (pile,)).do("activate", unit="b1")
    assert battle.view()["panic"][0]["kind"] == "morale"


@pytest.mark.rule("TMG-MODE-FAB-6")
def test_a_vp_token_needs_long_range() -> None:
    battle = seen(battle_of("FAB"), {"b1": (24, 10, NORTH), "r3": (24, 30, SOUTH)})
    battle.do("activate", unit="b1")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")


def test_a_table_of_another_game_is_refused() -> None:
    battle = battle_of("GOT")
    table = Table("tmg-2018").plain()
    battle.refused("INPUT", "table", table=table)


def test_what_moved_since_is_no_longer_taken_from_the_table() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 12, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="march").do("end-turn")
    assert battle.state.moved == ("b1",)
    battle.do("free-action", unit="b1", action="charge", target="r1", distance=6, faces=[6])
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-GLO-26", "TMG-GLO-15")
def test_anything_may_be_measured_at_any_time() -> None:
    battle = battle_of("GOT")
    battle.refused("TMG-GLO-26", "measure", unit="b1", to="r1")
    seen(battle, {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 8, SOUTH)})
    battle.do("measure", unit="b1", to="r1")
    assert battle.answer == {"gap": 8.0, "range": 8.0, "zone": "front"}
    assert battle.told == []
    battle.do("test", unit="b1", why="fear").do("measure", unit="b1", to="b2")
    battle.refused("TMG-GLO-15", "measure", unit="b1", to="b1")


@pytest.mark.rule("TMG-TER-4")
def test_a_piece_under_a_tray_may_be_taken_off() -> None:
    battle = battle_of("GOT")
    wood = slab(battle.game, "forest", (22, 9, 26, 11))
    seen(battle, {"b1": (24, 10, NORTH)}, (wood,))
    assert battle.answer["reminders"] == [
        "b1 stands on forest: mark its place and take it off if need be (TMG-TER-4)"
    ]
    seen(battle, {"b1": (24, 10, NORTH)}, (wood,))
    assert "reminders" not in battle.answer


@pytest.mark.rule("TMG-LOS-8", "TMG-CHG-8")
def test_an_arc_too_close_to_call_is_asked_for() -> None:
    blurred = Sigma(1.0, 5.0)
    battle = seen(
        battle_of("GOT"), {"b2": (31.5, 31.5, 225.0), "r3": (24, 24, NORTH)}, sigma=blurred
    )
    assert battle.do("measure", unit="b2", to="r3").answer["zone"] == "unsure"
    battle.do("activate", unit="b2")
    battle.refused("TMG-LOS-8", "action", action="attack", target="r3")
    battle.do("action", action="attack", target="r3", zone="flank")
    assert battle.view()["attack"]["zone"] == "flank"


def test_a_charge_too_close_to_call_is_left_to_the_players() -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.2, 0.5))
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[3])
    assert battle.waits() == ["charge"]
    battle.do("charge-result", success=True)
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-MODE-FFC-10")
def test_a_carrier_that_leaves_its_pile_loses_the_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="b1")
    pile = slab(battle.game, "corpse-pile", (3.5, 22, 8.5, 26))
    pile = Terrain("pile1", pile.outline, pile.keywords, pile.piece)
    token = (Objective("o1", 6, 24),)
    seen(battle, {"b1": (6, 22, NORTH)}, (pile,), token)
    assert battle.token("o1").holder == "b1"
    seen(battle, {"b1": (20, 22, NORTH)}, (pile,), token)
    assert battle.token("o1").holder == ""
    assert battle.waits() == ["token"]
    battle.do("place")
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-MODE-DWD-7")
def test_a_second_token_is_placed_elsewhere() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b1")
    seen(battle, {"b1": (6, 22, NORTH)}, (), (Objective("o2", 6, 24),))
    assert battle.waits() == ["token"]
    assert battle.token("o2").holder == ""


@pytest.mark.rule("TMG-OBJ-1", "TMG-MODE-GOT-2", "TMG-MODE-COK-10")
@pytest.mark.parametrize(
    ("year", "mode", "names"),
    [
        ("2021", "GOT", ("north", "middle", "o1")),  # names of their own, and one of ours
        ("2018", "COK", ("o3", "o2", "o1")),  # ours, but for other places
    ],
)
def test_tokens_are_known_by_their_places(year: str, mode: str, names: tuple[str, ...]) -> None:
    """Whatever the file calls them: the middle one is the centre, worth 2 in COK of 2018."""
    places = {"GOT": ((6, 30), (24, 24), (42, 18)), "COK": ((12, 24), (24, 24), (36, 24))}[mode]
    tokens = tuple(
        Objective(name, float(x), float(y)) for name, (x, y) in zip(names, places, strict=True)
    )
    battle = seen(battle_of(mode, year), {"b1": (24, 24, NORTH)}, tokens=tokens)
    held = {token.name: token.holder for token in battle.state.tokens if token.holder}
    assert held == {"centre": "b1"}


@pytest.mark.rule("TMG-MODE-GOT-3", "TMG-OBJ-1")
def test_tokens_that_players_place_take_the_free_names() -> None:
    tokens = tuple(
        Objective(name, x, 24.0) for name, x in (("a", 8.0), ("b", 24.0), ("c", 40.0), ("o2", 16.0))
    )
    battle = seen(battle_of("GOT", "2018"), {"b1": (40, 24, NORTH)}, tokens=tokens)
    assert [(one.id, one.holder) for one in battle.state.tokens if one.holder] == [("o4", "b1")]


@pytest.mark.rule("TMG-MODE-GOT-8")
def test_of_enemies_first_seen_on_a_token_together_nobody_holds_it() -> None:
    """The order in which a file names them says nothing; the players do."""
    both = {"b1": (24.0, 21.6, NORTH), "r1": (24.0, 26.4, SOUTH)}
    tokens = (Objective("o1", 24, 24),)
    battle = seen(battle_of("GOT", "2018"), both, tokens=tokens)
    assert battle.state.token("o1").holder == ""
    assert "who came first" in battle.answer["reminders"][0]
    battle.do("objective", token="o1", unit="r1")
    battle = seen(battle, both, tokens=tokens)
    assert battle.state.token("o1").touched == ("r1", "b1")
    assert "reminders" not in battle.answer


@pytest.mark.rule("TMG-MODE-GOT-8", "TMG-MODE-GOT-10")
def test_who_may_still_touch_a_token_is_not_passed_over() -> None:
    """A rim met to within the measurement is no moving off."""
    tokens = (Objective("o1", 24, 24, 0.7),)
    battle = seen(battle_of("GOT", "2018"), {"b1": (24, 21.6, NORTH)}, tokens=tokens)
    rim = {"b1": (24.0, 20.9, NORTH), "r1": (24.0, 26.4, SOUTH)}
    battle = seen(battle, rim, tokens=tokens, sigma=Sigma(0.05, 0.0))
    assert battle.state.token("o1").touched == ("b1", "r1")
    gone = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 26.4, SOUTH)}
    battle = seen(battle, gone, tokens=tokens, sigma=Sigma(0.05, 0.0))
    assert battle.state.token("o1").touched == ("r1",)


@pytest.mark.rule("TMG-MODE-FFC-6", "TMG-MODE-FFC-10")
@pytest.mark.parametrize("name", ["pile1", "my pile"])
def test_a_pile_is_known_by_its_place(name: str) -> None:
    words = catalogue("tmg-2021").pieces["corpse-pile"]
    outline = ((3.5, 22.0), (8.5, 22.0), (8.5, 26.0), (3.5, 26.0))
    pile = Terrain(name, outline, words, "corpse-pile")
    tokens = (Objective("mine", 6, 24), Objective("other", 42, 24))
    battle = seen(battle_of("FFC"), {"b1": (6, 22, NORTH)}, (pile,), tokens)
    assert battle.state.token("o1").holder == "b1"
    battle = seen(battle, {"b1": (6, 19, NORTH)}, (pile,), tokens)
    assert battle.state.token("o1").holder == ""
    assert "TMG-MODE-FFC-10" in battle.state.tasks[0].say


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13", "OR-13")
@pytest.mark.parametrize("turn", [0.0, 37.0, 211.3])
@pytest.mark.parametrize(("off", "value"), [(0.0, 1), (0.005, 0), (-0.005, 1)])
def test_exactly_six_inches_from_a_weirwood_is_near_it(turn: float, off: float, value: int) -> None:
    """However the table is turned: 2.4 inches of tray, then 6 to the tree."""
    battle = battle_of("GOT")
    start = Pose(24, 24, turn)
    near, wide = 2.4 + 6.0 + off, 1.5
    outline = tuple(
        start.ahead(forward, left)
        for forward, left in ((near, -wide), (near + 2, -wide), (near + 2, wide), (near, wide))
    )
    tree = Terrain("t1", outline, catalogue(battle.game).pieces["weirwood"], "weirwood")
    battle = seen(battle, {"b1": (24, 24, turn)}, (tree,))
    assert sum(number for _, number in morale_mods(battle.state, "b1")) == value


@pytest.mark.rule("OR-29", "TMG-OBJ-1")
@pytest.mark.parametrize("reading", ["at-once", "new-claim"])
def test_who_lost_a_token_holds_it_again_after_a_move(reading: str) -> None:
    """The enemy goes away: b1 stands on the token as before, and then moves upon it."""
    battle = battle_of("GOT", readings=[f"control_back={reading}"])
    token = (Objective("o1", 24, 24, 0.7),)
    on, beside = (24, 24, NORTH), (24, 24 + DEEP, SOUTH)
    battle.do("wounds", unit="b1", wounds=4)
    seen(battle, {"b1": on}, tokens=token)
    assert controlled(battle) == "b1"
    seen(battle, {"b1": on, "r1": beside}, tokens=token)
    assert controlled(battle) is None
    seen(battle, {"b1": on, "r1": (24, 40, SOUTH)}, tokens=token)
    assert controlled(battle) == ("b1" if reading == "at-once" else None)
    battle.do("activate", unit="b1").do("action", action="maneuver")
    seen(battle, {"b1": (24.2, 24, EAST), "r1": (24, 40, SOUTH)}, tokens=token)
    assert controlled(battle) == "b1"


def controlled(battle: Battle) -> str | None:
    """The unit that controls the token in the centre."""
    found: str | None = battle.view()["objectives"]["o1"]["controlled"]
    return found


# -- who is no longer where the table shows it ---------------------------------------------------


@pytest.mark.rule("TMG-SRG-1", "TMG-SRG-2", "TMG-UNT-11")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_destroyed_tray_that_still_lies_there_engages_nobody(year: str) -> None:
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    battle = seen(battle_of("GOT", year), spots)
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(12)
    seen(battle, spots)  # nobody has taken it off yet
    assert battle.unit("b1").engaged == ()
    assert battle.unit("r1").engaged == ()
    battle.do("surge", take=True)
    battle.refused("TMG-GLO-26", "measure", unit="b2", to="r1")


@pytest.mark.rule("TMG-CHG-3", "TMG-LOS-5", "TMG-UNT-11")
def test_a_destroyed_unit_bars_no_charge() -> None:
    behind = 20 + 2 * DEEP + 6
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH), "r2": (24.0, behind, SOUTH)}
    battle = seen(battle_of("GOT"), spots)
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(12)
    battle.do("surge", take=False).do("end-turn").do("activate", unit="r2")
    battle.do("action", action="charge", target="b1", faces=[6])
    assert battle.unit("b1").engaged == ("r2",)


@pytest.mark.rule("TMG-CHG-2", "TMG-CHG-3")
def test_a_unit_that_moved_bars_no_charge_from_its_old_place() -> None:
    spots = {"b1": (24.0, 14.0, NORTH), "b2": (24.0, 19.5, NORTH), "r1": (24.0, 28.0, SOUTH)}
    battle = seen(battle_of("GOT"), spots)
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-3", "action", action="charge", target="r1", faces=[6])
    battle.do("free-action", unit="b2", action="maneuver")
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.unit("b1").engaged == ("r1",)


# -- melee ---------------------------------------------------------------------------------------


@pytest.mark.rule("OR-7", "TMG-BON-3", "TMG-BON-4")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_in_melee_the_edge_in_contact_decides_before_the_area(year: str) -> None:
    # A corner of r1's front lies on b3's front; more than half of r1 is in b3's flank arc.
    battle = seen(
        battle_of("GOT", year), {"b3": (24, 20, NORTH), "r1": (29.2, 20 + 2.5 + 2.4, SOUTH)}
    )
    assert battle.do("measure", unit="r1", to="b3").answer["zone"] == "right"
    battle.forgo("b1").do("activate", unit="r1")
    battle.do("action", action="attack", target="b3", ranged=False)
    assert battle.view()["attack"]["zone"] == "front"


@pytest.mark.rule("OR-7", "TMG-BON-5")
def test_contact_that_only_the_players_know_of_is_judged_by_area() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": (24, 14, NORTH)})
    battle.do("engage", unit="b1", **{"with": ["r1"]}).forgo("b2").do("activate", unit="r1")
    battle.do("action", action="attack", target="b1", ranged=False)
    assert battle.view()["attack"]["zone"] == "rear"


# -- free pivots ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RET-7", "TMG-CHG-2")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_who_may_have_turned_after_a_retreat_is_not_judged_by_its_old_facing(year: str) -> None:
    # b2 stands behind r1: only after its free pivot does r1 see it.
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH), "b2": (24.0, 36.0, SOUTH)}
    battle = seen(battle_of("GOT", year), spots).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[3])
    assert "r1" in battle.answer["reminders"][0]
    battle.do("end-turn").do("activate", unit="r1")
    battle.do("action", action="charge", target="b2", faces=[6], success=True)
    assert battle.unit("r1").engaged == ("b2",)


@pytest.mark.rule("TMG-RET-7", "TMG-CHG-2")
def test_who_fights_another_still_may_not_turn() -> None:
    spots = {
        "b1": (24.0, 20.0, NORTH),
        "b3": (24.0, 20 + DEEP + 4.9, SOUTH),
        "r1": (24.0, 20 + DEEP, SOUTH),
    }
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    assert battle.unit("r1").engaged == ("b1", "b3")
    battle.do("action", action="retreat", faces=[3])
    assert "reminders" not in battle.answer
    assert battle.state.moved == ("b1",)


@pytest.mark.rule("TMG-SRG-4")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_friends_set_free_by_a_destroyed_enemy_may_have_turned(year: str) -> None:
    spots = {
        "b1": (24.0, 20.0, NORTH),
        "b3": (24.0, 20 + DEEP + 4.9, SOUTH),
        "r1": (24.0, 20 + DEEP, SOUTH),
    }
    battle = seen(battle_of("GOT", year), spots).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").do("attack-result", wounds=12)
    if year == "2021":  # TMG-SRG-3: effects first
        battle.do("continue")
    assert "b3 may make a free pivot" in battle.answer["reminders"][0]
    assert battle.state.moved == ("b3",)
    assert battle.folded() == battle.state


# -- charges and attacks beside other enemies ----------------------------------------------------

LINE = {"b1": (26.75, 20.0, NORTH), "r1": (24.0, 32.0, SOUTH), "r2": (29.5, 32.0, SOUTH)}
MAKES_WAY = "where b1 touches r2 too, r2 is aligned at 50 % (TMG-CHG-20)"


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize(("year", "told"), [("2021", [MAKES_WAY]), ("2018", [])])
def test_other_enemies_a_charge_touches_are_told(year: str, told: list[str]) -> None:
    battle = seen(battle_of("GOT", year), LINE).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.answer.get("reminders", []) == told
    # as they then stand, b1 fights both: no surge
    spots = {**LINE, "b1": (26.75, 32 - DEEP, NORTH)}
    seen(battle, spots)
    assert battle.unit("b1").engaged == ("r1", "r2")
    battle.fight(12)
    assert "surge" not in battle.waits()


@pytest.mark.rule("TMG-CHG-20", "TMG-CHG-14")
def test_they_are_told_when_the_players_say_that_it_arrived() -> None:
    for success, told in ((True, [MAKES_WAY]), (False, [])):
        battle = seen(battle_of("GOT"), LINE, sigma=Sigma(0.05)).do("activate", unit="b1")
        measured = battle.do("measure", unit="b1", to="r1").answer["gap"]
        assert 7 < measured < 7.4
        battle.do("action", action="charge", target="r1", faces=[2])
        assert battle.waits() == ["charge"]
        assert "reminders" not in battle.answer
        battle.do("charge-result", success=success)
        assert battle.answer.get("reminders", []) == told


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-4", "EX-27", "EX-28")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_who_is_engaged_at_the_flank_by_one_enemy_may_turn_first(year: str) -> None:
    beside = (24 + 2.75 + DEEP / 2, 20.0, 180.0)
    for spots, turns in (
        ({"r1": beside}, True),
        ({"r1": beside, "r2": (24.0, 20 + DEEP, SOUTH)}, False),  # from two sides
        ({"r1": (24.0, 20 + DEEP, SOUTH)}, False),  # in front already
    ):
        battle = seen(battle_of("GOT", year), {"b1": (24, 20, NORTH), **spots})
        battle.do("activate", unit="b1").do("action", action="attack", target="r1")
        words = "b1 may first turn its front to r1 and align (TMG-MEL-3, TMG-MEL-5)"
        assert battle.answer.get("reminders", []) == [words] * turns


# -- retreats that lead nowhere ------------------------------------------------------------------


@pytest.mark.rule("TMG-RET-9", "TMG-RET-7", "EX-12")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_retreat_without_a_way_out_leaves_the_melee_as_it_is(year: str) -> None:
    battle = battle_of("GOT", year)
    pen = tuple(
        replace(slab(battle.game, "palisade", box), id=f"t{number}")
        for number, box in enumerate(
            [(20, 15, 21.2, 30), (26.8, 15, 28, 30), (20, 10, 28, 20 - DEEP / 2 - 3)]
        )
    )
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    # 3 inches behind it: a low wall of palisades; with r1 an inch off there is a way
    seen(battle, spots, pen).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[1])
    assert battle.unit("b1").engaged == ()
    shut = (*pen[:2], replace(slab(battle.game, "palisade", (20, 10, 28, 17.5)), id="t2"))
    battle = seen(battle_of("GOT", year), spots, shut).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[6])
    assert battle.answer["reminders"] == ["no way out: b1 stays engaged (TMG-RET-9)"]
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.state.moved == ()
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-RET-9", "EX-12")
def test_the_roll_decides_whether_there_is_a_way_out() -> None:
    # Enemies stand along the way back, so near that only a long way leads clear of them.
    spots = {
        "b1": (24.0, 24.0, NORTH),
        "r1": (24.0, 24 + DEEP, SOUTH),
        "r2": (24 - 2.75 - 0.5 - DEEP / 2, 19.5, EAST),
        "r3": (24 + 2.75 + 0.5 + DEEP / 2, 19.5, 180.0),
    }
    sides = [(15, 22.4, 21.2, 40), (26.8, 22.4, 33, 40)]
    # r2 and r3 end at y = 16.75. Straight, b1 is clear of them after 10.5", turned by half a right
    # angle after a little more than 9".
    for face, engaged in ((3, ("r1",)), (5, ()), (6, ())):
        battle = battle_of("GOT")
        walls = tuple(
            replace(slab(battle.game, "palisade", box), id=f"t{number}")
            for number, box in enumerate(sides)
        )
        seen(battle, spots, walls).do("activate", unit="b1")
        battle.do("action", action="retreat", faces=[face])
        assert battle.unit("b1").engaged == engaged


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
@pytest.mark.parametrize(("year", "wounds"), [("2021", 2), ("2018", 0)])
def test_surging_off_stakes_is_acting_on_them(year: str, wounds: int) -> None:
    # The attack that destroyed r1 cost its wounds too: the surge is an action of its own.
    battle = battle_of("GOT", year)
    stakes = slab(battle.game, "stakes", (23, 19, 25, 21))
    seen(battle, {"b1": (24, 20, NORTH), "r1": (24, 20 + DEEP, SOUTH)}, (stakes,))
    battle.do("activate", unit="b1").do("action", action="attack", target="r1", d3=1).fight(12)
    assert battle.unit("b1").wounds == wounds
    battle.do("surge", take=True, d3=1)
    assert battle.unit("b1").wounds == 2 * wounds
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
def test_a_surge_that_is_let_be_costs_nothing_and_one_may_die_of_it() -> None:
    for take, place in ((False, "field"), (True, "destroyed")):
        battle = battle_of("GOT")
        battle.do("wounds", unit="b1", wounds=10).do("activate", unit="b1")
        battle.do("engage", unit="b1", **{"with": ["r1"]})
        battle.do("action", action="attack", target="r1").fight(12)
        battle.do("surge", take=take, dangerous=True, d3=3)
        assert battle.unit("b1").place == place
        assert battle.waits() == ["end-of-turn"]
        assert ("b1: maneuver (surge)" in battle.report()) is False


@pytest.mark.rule("TMG-BON-3", "TMG-RNG-5", "TMG-LOS-8")
def test_a_shot_comes_from_where_its_shift_ends() -> None:
    # Out of range by a hair where it stands, in r1's flank arc; a step to the right it is in range
    # and in the front arc: so `rules` tells the shot, and so it is made.
    spots = {"b2": (37.0, 35.3, SOUTH), "r1": (24.0, 24.0, NORTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b2")
    told = battle.do("measure", unit="b2", to="r1").answer
    assert told["zone"] == "right"
    assert told["range"] > 12
    battle.do("action", action="attack", target="r1")
    assert battle.view()["attack"]["zone"] == "front"


@pytest.mark.rule("TMG-BON-3", "TMG-LOS-8")
def test_nobody_is_asked_for_an_arc_on_which_nothing_hangs() -> None:
    spots = {"b2": (24 + 8.0, 24 + 7.2, SOUTH), "r1": (24.0, 24.0, NORTH)}
    for year in ("2021", "2018"):
        battle = seen(battle_of("GOT", year), spots, sigma=Sigma(0.3, 1.0)).do(
            "activate", unit="b2"
        )
        if year == "2021":
            battle.refused("TMG-LOS-8", "action", action="attack", target="r1")
            battle.do("action", action="attack", target="r1", zone="flank")
        else:  # shots have no flanks in 2018
            battle.do("action", action="attack", target="r1")
        assert battle.state.attack is not None
