"""The modes of both editions: zones, tokens, walls and piles, to the coordinate."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.modes import (
    CORNERS,
    BattleArea,
    behind_walls,
    corner_zone,
    layout,
    mode,
    modes,
    piles,
    player_of,
    redeploy,
    spots,
    walls,
    won_edge,
    zone,
)
from companion.games.tmg.rules.readings import Readings
from models import UnknownName
from tests.games.tmg.pieces import bare, block, bounds

NEW, OLD = "tmg-2021", "tmg-2018"
SMALL, LARGE = BattleArea(48, 48), BattleArea(72, 48)

Box = tuple[float, float, float, float]


def rule(number: str, *values: object) -> object:
    """A row of a table, marked with the rule it proves."""
    return pytest.param(*values, marks=pytest.mark.rule(number), id="-".join(map(str, values[:2])))


@pytest.mark.rule("TMG-SET-1")
def test_the_books_name_ten_modes_and_five() -> None:
    assert [one.key for one in modes(NEW)] == [
        "GOT",
        "COK",
        "SOS",
        "FFC",
        "DWD",
        "WOW",
        "HAR",
        "FAB",
        "HWS",
        "DWW",
    ]
    assert [one.key for one in modes(OLD)] == ["GOT", "COK", "SOS", "FFC", "WOW"]
    assert mode(NEW, "sos").key == "SOS"
    assert mode(NEW, "Here We Stand").key == "HWS"


@pytest.mark.parametrize(
    ("game", "name", "told"),
    [
        (OLD, "HWS", "no mode 'HWS' in tmg-2018; there are: GOT, COK, SOS, FFC, WOW"),
        (NEW, "", "no mode '' in tmg-2021; there are: GOT"),
        ("chess", "GOT", "no game modes for 'chess'"),
    ],
)
def test_an_unknown_mode_names_the_known_ones(game: str, name: str, told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        mode(game, name)


# -- deployment zones -------------------------------------------------------------------------

STRIPS = [
    rule("TMG-MODE-GOT-1", NEW, "GOT", 10),
    rule("TMG-MODE-GOT-1", OLD, "GOT", 6),
    rule("TMG-MODE-COK-1", NEW, "COK", 10),
    rule("TMG-MODE-FFC-1", NEW, "FFC", 10),
    rule("TMG-MODE-FFC-1", OLD, "FFC", 12),
    rule("TMG-MODE-DWD-1", NEW, "DWD", 10),
    rule("TMG-MODE-WOW-1", NEW, "WOW", 10),
    rule("TMG-MODE-WOW-1", OLD, "WOW", 6),
    rule("TMG-MODE-HAR-1", NEW, "HAR", 10),
    rule("TMG-MODE-FAB-1", NEW, "FAB", 18),
    rule("TMG-MODE-HWS-1", NEW, "HWS", 18),
    rule("TMG-MODE-DWW-1", NEW, "DWW", 10),
]


@pytest.mark.rule("TMG-SET-5")
@pytest.mark.parametrize(("game", "key", "deep"), STRIPS)
@pytest.mark.parametrize("ground", [SMALL, LARGE], ids=["48x48", "72x48"])
def test_zones_are_strips_along_the_players_edges(
    game: str, key: str, deep: float, ground: BattleArea
) -> None:
    found = mode(game, key)
    assert bounds(zone(found, ground, 1)) == [(0, 0, ground.width, deep)]
    assert bounds(zone(found, ground, 2)) == [(0, 48 - deep, ground.width, 48)]
    assert zone(found, ground, 1).rules == ("TMG-DEP-4", f"TMG-MODE-{key}-1")


@pytest.mark.rule("TMG-MODE-SOS-2", "TMG-MODE-SOS-20")
@pytest.mark.parametrize("game", [NEW, OLD])
def test_defender_and_attacker_have_their_own_depths(game: str) -> None:
    storm = mode(game, "SOS")
    first = BattleArea(72, 48, defender=1)
    assert bounds(zone(storm, first, 1)) == [(0, 0, 72, 12)]
    assert bounds(zone(storm, first, 2)) == [(0, 30, 72, 48)]
    second = BattleArea(48, 48, defender=2)
    assert bounds(zone(storm, second, 1)) == [(0, 0, 48, 18)]
    assert bounds(zone(storm, second, 2)) == [(0, 36, 48, 48)]
    assert zone(storm, second, 2).rules[-1] == "TMG-MODE-SOS-2"
    assert zone(storm, second, 1).rules[-1] == "TMG-MODE-SOS-20"


@pytest.mark.rule("TMG-MODE-COK-1", edition="2018")
def test_corner_squares_of_2018() -> None:
    kings = mode(OLD, "COK")
    assert bounds(zone(kings, SMALL, 1)) == [(0, 0, 12, 12), (36, 0, 48, 12)]
    assert bounds(zone(kings, SMALL, 2)) == [(0, 36, 12, 48), (36, 36, 48, 48)]
    assert bounds(zone(kings, LARGE, 1)) == [(0, 0, 12, 12), (60, 0, 72, 12)]
    across = Readings(cok_corners="diagonal")  # OR-45
    assert bounds(zone(kings, SMALL, 1, across)) == [(0, 0, 12, 12), (36, 36, 48, 48)]
    assert bounds(zone(kings, SMALL, 2, across)) == [(0, 36, 12, 48), (36, 0, 48, 12)]


@pytest.mark.rule("TMG-FFA-2")
@pytest.mark.parametrize(
    ("corner", "small", "large"),
    [  # the first is EX-83
        ("near-left", (0, 0, 12, 12), (0, 0, 12, 12)),
        ("near-right", (36, 0, 48, 12), (60, 0, 72, 12)),
        ("far-left", (0, 36, 12, 48), (0, 36, 12, 48)),
        ("far-right", (36, 36, 48, 48), (60, 36, 72, 48)),
    ],
)
def test_all_against_all_each_takes_a_corner(corner: str, small: Box, large: Box) -> None:
    assert corner in CORNERS
    assert bounds(corner_zone(SMALL, corner)) == [small]
    assert bounds(corner_zone(LARGE, corner)) == [large]


@pytest.mark.rule("TMG-FFA-2")
def test_players_corners_and_edges_that_are_not_there() -> None:
    with pytest.raises(UnknownName, match="no corner 'middle'"):
        corner_zone(SMALL, "middle")
    with pytest.raises(UnknownName, match="no player 3"):
        zone(mode(NEW, "GOT"), SMALL, 3)
    with pytest.raises(UnknownName, match="no side edge 'top'"):
        SMALL.side_strip("top", 6)


@pytest.mark.rule("TMG-SET-5")
def test_sides_are_players_in_the_order_of_the_table() -> None:
    table = bare(NEW, block("r1", 24, 40, side="red"), block("b1", 24, 8))
    assert (player_of(table, "red"), player_of(table, "blue")) == (1, 2)
    with pytest.raises(UnknownName, match="no player 'green'; the sides are: red, blue"):
        player_of(table, "green")


# -- redeploying ------------------------------------------------------------------------------

LEFT, RIGHT = (0, 0, 6, 48), (42, 0, 48, 48)


@pytest.mark.rule("TMG-MODE-COK-8")
def test_a_commander_returns_in_the_zone_or_at_a_side_edge_2021() -> None:
    area = redeploy(mode(NEW, "COK"), SMALL, 2)
    assert area is not None
    assert bounds(area) == [(0, 38, 48, 48), LEFT, RIGHT]
    assert area.completely
    loose = redeploy(mode(NEW, "COK"), SMALL, 2, readings=Readings(redeploy="partly"))
    assert loose is not None
    assert loose.completely  # the text says so itself


@pytest.mark.rule("TMG-MODE-COK-15", edition="2018")
def test_reserves_enter_at_the_own_edge_and_at_sides_held() -> None:
    kings = mode(OLD, "COK")
    nothing_held = redeploy(kings, LARGE, 1)
    assert nothing_held is not None
    assert bounds(nothing_held) == [(0, 0, 72, 12)]
    right_held = redeploy(kings, LARGE, 2, held_sides=["right"])
    assert right_held is not None
    assert bounds(right_held) == [(0, 36, 72, 48), (66, 0, 72, 48)]
    assert right_held.completely
    partly = redeploy(kings, LARGE, 2, readings=Readings(redeploy="partly"))
    assert partly is not None
    assert not partly.completely
    assert [fact.from_round for fact in kings.facts.redeploys] == [2]


@pytest.mark.rule("TMG-MODE-COK-18", edition="2018")
def test_a_side_token_wins_a_side_edge() -> None:
    kings = mode(OLD, "COK")
    far = Readings(cok_edge="opposite")  # OR-34
    assert [won_edge(kings, SMALL, name) for name in ("left", "centre", "right")] == [
        "left",
        None,
        "right",
    ]
    assert [won_edge(kings, SMALL, name, far) for name in ("left", "right")] == ["right", "left"]
    assert won_edge(mode(NEW, "COK"), SMALL, "left") is None


@pytest.mark.rule("TMG-MODE-SOS-8", "TMG-MODE-SOS-11")
@pytest.mark.parametrize("game", [NEW, OLD])
def test_a_storm_brings_attackers_to_their_zone_and_reserves_to_the_sides(game: str) -> None:
    storm = mode(game, "SOS")
    attacker = redeploy(storm, SMALL, 2)
    defender = redeploy(storm, SMALL, 1)
    assert attacker is not None
    assert defender is not None
    assert bounds(attacker) == [(0, 30, 48, 48)]
    assert bounds(defender) == [LEFT, RIGHT]
    assert (attacker.rules, defender.rules) == (("TMG-MODE-SOS-8",), ("TMG-MODE-SOS-11",))
    partly = redeploy(storm, SMALL, 1, readings=Readings(redeploy="partly"))
    assert partly is not None
    assert partly.completely is (game == NEW)  # 2018 does not say "completely" (OR-41)
    returning = redeploy(storm, SMALL, 2, readings=Readings(redeploy="partly"))
    assert returning is not None
    assert returning.completely  # a deployment zone is never left (TMG-DEP-4)
    rounds = {fact.rule: fact.from_round for fact in storm.facts.redeploys}
    assert rounds == {"TMG-MODE-SOS-8": 1, "TMG-MODE-SOS-11": 3}


@pytest.mark.rule("TMG-MODE-HWS-10")
def test_here_we_stand_redeploys_at_own_and_side_edges() -> None:
    area = redeploy(mode(NEW, "HWS"), SMALL, 1)
    assert area is not None
    assert bounds(area) == [(0, 0, 48, 6), LEFT, RIGHT]
    wide = redeploy(mode(NEW, "HWS"), LARGE, 2)
    assert wide is not None
    assert bounds(wide) == [(0, 42, 72, 48), LEFT, (66, 0, 72, 48)]


@pytest.mark.rule("TMG-MODE-SOS-8")
def test_most_modes_have_no_redeploying() -> None:
    with_it = {one.key for one in modes(NEW) if redeploy(one, SMALL, 1)}
    assert with_it == {"COK", "SOS", "HWS"}


# -- tokens -----------------------------------------------------------------------------------

FIVE = [(24, 24), (6, 18), (42, 18), (6, 30), (42, 30)]
FIVE_WIDE = [(36, 24), (6, 18), (66, 18), (6, 30), (66, 30)]
THREE = [(24, 24), (6, 24), (42, 24)]
THREE_WIDE = [(36, 24), (6, 24), (66, 24)]


@pytest.mark.parametrize(
    ("game", "key", "small", "large"),
    [
        rule("TMG-MODE-GOT-3", NEW, "GOT", FIVE, FIVE_WIDE),
        rule("TMG-MODE-COK-3", NEW, "COK", THREE, THREE_WIDE),
        rule(
            "TMG-MODE-COK-3",
            OLD,
            "COK",
            [(24, 24), (12, 24), (36, 24)],
            [(36, 24), (24, 24), (48, 24)],
        ),
        rule("TMG-MODE-FFC-3", NEW, "FFC", THREE[1:], THREE_WIDE[1:]),
        rule("TMG-MODE-FFC-3", OLD, "FFC", [], []),
        rule("TMG-MODE-DWD-2", NEW, "DWD", THREE, THREE_WIDE),
        rule("TMG-MODE-WOW-2", NEW, "WOW", FIVE, FIVE_WIDE),
        rule("TMG-MODE-HAR-2", NEW, "HAR", THREE, THREE_WIDE),
        rule(
            "TMG-MODE-DWW-2",
            NEW,
            "DWW",
            [(6, 24), (24, 24), (42, 24)],
            [(6, 24), (36, 24), (66, 24)],
        ),
        rule("TMG-MODE-GOT-3", OLD, "GOT", [(24, 24)], [(36, 24)]),  # the players place the rest
        rule("TMG-MODE-WOW-2", OLD, "WOW", [(24, 24)], [(36, 24)]),
    ],
)
def test_tokens_lie_where_the_mode_says(
    game: str, key: str, small: list[tuple[float, float]], large: list[tuple[float, float]]
) -> None:
    found = mode(game, key)
    assert [(spot.x, spot.y) for spot in spots(found, SMALL)] == small
    assert [(spot.x, spot.y) for spot in spots(found, LARGE)] == large


@pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-COK-2")
@pytest.mark.parametrize(("game", "key"), [(NEW, "GOT"), (NEW, "COK"), (OLD, "COK"), (OLD, "GOT")])
def test_the_centre_token(game: str, key: str) -> None:
    [centre] = [spot for spot in spots(mode(game, key), LARGE) if spot.name == "centre"]
    assert (centre.x, centre.y, centre.rule) == (36, 24, f"TMG-MODE-{key}-2")
    assert centre.token().x == 36


@pytest.mark.rule("TMG-SET-5")
def test_distances_may_count_from_the_rim() -> None:  # OR-36
    rim = Readings(token_from="rim")
    found = spots(mode(NEW, "GOT"), SMALL, rim, radius=0.5)
    assert [(spot.x, spot.y) for spot in found] == [
        (24, 24),
        (6.5, 18.5),
        (41.5, 18.5),
        (6.5, 29.5),
        (41.5, 29.5),
    ]
    kings = spots(mode(OLD, "COK"), SMALL, rim, radius=0.5)
    assert [spot.x for spot in kings] == [24, 11, 37]


@pytest.mark.rule("TMG-MODE-COK-10", edition="2018")
@pytest.mark.rule("TMG-MODE-COK-10", edition="2021")
def test_points_of_tokens_ex_70() -> None:
    old = {spot.name: spot.vp for spot in spots(mode(OLD, "COK"), SMALL)}
    assert old["centre"] + old["left"] == 3  # EX-70, edition 2018
    assert old == {"centre": 2, "left": 1, "right": 1}
    assert [spot.vp for spot in spots(mode(NEW, "COK"), SMALL)] == [1, 1, 1]
    assert {spot.vp for spot in spots(mode(NEW, "WOW"), SMALL)} == {0}


@pytest.mark.rule("TMG-OBJ-5")
@pytest.mark.parametrize("key", ["GOT", "COK", "FFC", "DWD", "HAR", "DWW"])
def test_a_token_is_worth_a_point(key: str) -> None:
    assert {spot.vp for spot in spots(mode(NEW, key), SMALL)} == {1}
    old = mode(OLD, "GOT").facts.placing
    assert old is not None
    assert old.vp == 1


# -- walls and piles --------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-SOS-3")
@pytest.mark.parametrize(
    ("game", "reading", "lefts"),
    [
        (NEW, "edges", [4, 19.5, 35]),
        (NEW, "middle", [6.5, 19.5, 32.5]),
        (OLD, "edges", [4, 19.5, 35]),
        (OLD, "middle", [4, 19.5, 35]),  # 2018 leaves nothing open
    ],
)
def test_three_castle_walls_before_the_defenders_edge(
    game: str, reading: str, lefts: list[float]
) -> None:
    storm = mode(game, "SOS")
    length, thick = storm.facts.sizes.wall
    assert (length, thick) == (9.0, 1.5)
    readings = Readings(walls=reading)  # OR-31
    found = walls(storm, SMALL, readings)
    assert [(wall.outline[0], wall.outline[2]) for wall in found] == [
        ((left, 3), (left + 9, 4.5)) for left in lefts
    ]
    far = walls(storm, BattleArea(48, 48, defender=2), readings)
    assert [(wall.outline[0], wall.outline[2]) for wall in far] == [
        ((left, 43.5), (left + 9, 45)) for left in lefts
    ]


@pytest.mark.rule("TMG-MODE-SOS-3")
def test_walls_of_a_wide_table_2021() -> None:
    found = walls(mode(NEW, "SOS"), LARGE)
    assert [wall.outline[0][0] for wall in found] == [4, 31.5, 59]
    assert found[2].outline[2][0] == 72 - 4


@pytest.mark.rule("TMG-MODE-SOS-17")
def test_who_is_barred_from_behind_the_walls() -> None:
    for game, defenders in ((NEW, [(0, 0, 48, 3)]), (OLD, None)):
        storm = mode(game, "SOS")
        attacker, defender = behind_walls(storm, SMALL, 2), behind_walls(storm, SMALL, 1)
        assert attacker is not None
        assert bounds(attacker) == [(0, 0, 48, 3)]
        assert (None if defender is None else bounds(defender)) == defenders
    assert behind_walls(mode(NEW, "GOT"), SMALL, 1) is None
    assert behind_walls(mode(NEW, "HAR"), SMALL, 1) is None


@pytest.mark.rule("TMG-MODE-HAR-3")
def test_honed_and_ready_has_a_wall_at_each_side() -> None:  # OR-32
    for ground in (SMALL, LARGE):
        left, right = walls(mode(NEW, "HAR"), ground)
        assert (left.outline[0], left.outline[2]) == ((0, 19.5), (1.5, 28.5))
        assert (right.outline[0], right.outline[2]) == (
            (ground.width - 1.5, 19.5),
            (ground.width, 28.5),
        )


@pytest.mark.rule("TMG-MODE-FFC-21")
def test_corpse_piles_lie_under_the_tokens_2021() -> None:
    feast = mode(NEW, "FFC")
    assert feast.facts.piles is not None
    assert feast.facts.piles.count == len(piles(feast, SMALL)) == 2
    for ground in (SMALL, LARGE):
        found = piles(feast, ground)
        middles = [
            (
                (pile.outline[0][0] + pile.outline[2][0]) / 2,
                (pile.outline[0][1] + pile.outline[2][1]) / 2,
            )
            for pile in found
        ]
        assert middles == [(spot.x, spot.y) for spot in spots(feast, ground)]
        assert {pile.piece for pile in found} == {"corpse-pile"}
        assert {pile.keywords for pile in found} == {frozenset({"hindering", "horrific"})}


@pytest.mark.rule("TMG-MODE-FFC-21", edition="2018")
def test_corpse_piles_of_2018_are_two_and_go_anywhere() -> None:
    fact = mode(OLD, "FFC").facts.piles
    assert fact is not None
    assert (fact.count, fact.under_tokens) == (2, False)
    assert piles(mode(OLD, "FFC"), SMALL) == ()


@pytest.mark.rule("TMG-SET-5")
@pytest.mark.parametrize("game", [NEW, OLD])
def test_every_mode_fits_on_both_tables(game: str) -> None:
    for found in modes(game):
        for ground in (SMALL, LARGE):
            laid = layout(found, ground)
            shapes = [area.shape for area in laid.zones]
            assert shapes[0].intersection(shapes[1]).area == 0
            assert all(0 < spot.x < ground.width and 0 < spot.y < 48 for spot in laid.spots)
            assert len(laid.walls) == {"SOS": 3, "HAR": 2}.get(found.key, 0)
