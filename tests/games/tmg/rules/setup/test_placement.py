"""Set-up: sizes of tables, places of terrain pieces and of tokens."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.modes import mode
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.setup.placement import (
    battlefield,
    new_pile_place,
    new_pile_token,
    terrain_place,
    terrain_places,
    token_beside,
    token_on_pile,
    token_place,
    token_places,
)
from models import Sigma, TableToken, Terrain
from tests.games.tmg.pieces import bare, block, slab, tray

NEW, OLD = "tmg-2021", "tmg-2018"
RIM = Readings(token_from="rim")


def verdict(
    game: str,
    key: str,
    piece: Terrain,
    *others: Terrain,
    tokens: tuple[TableToken, ...] = (),
    defender: int = 1,
    width: float = 48,
) -> tuple[str, tuple[str, ...]]:
    """What is said of a piece among others."""
    table = bare(game, terrain=(*others, piece), tokens=tokens, width=width)
    answer = terrain_place(table, mode(game, key), piece, defender)
    return answer.verdict, answer.why


# -- the table --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SET-3")
@pytest.mark.parametrize(
    ("width", "depth", "reading", "why"),
    [
        (48, 48, "long", ()),
        (72, 48, "long", ()),
        (60, 48, "long", ()),
        (47.24, 47.24, "long", ()),  # 120 cm
        (70.87, 47.24, "long", ()),  # 180 x 120 cm
        (36, 36, "long", ("TMG-SET-3",)),
        (96, 48, "long", ("TMG-SET-3",)),
        (48, 72, "long", ("TMG-SET-3", "OR-37")),
        (48, 72, "short", ()),
        (72, 48, "short", ("TMG-SET-3", "OR-37")),
    ],
)
def test_sizes_of_battlefields(
    width: float, depth: float, reading: str, why: tuple[str, ...]
) -> None:
    table = bare(NEW, width=width, depth=depth)
    answer = battlefield(table, Readings(player_edges=reading))
    assert answer.why == why
    assert bool(answer) is (why == ())


# -- terrain ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SET-8")
@pytest.mark.parametrize(("game", "expected"), [(NEW, ("yes", ())), (OLD, ("no", ("TMG-SET-8",)))])
def test_three_inches_from_a_zone_ex_62(game: str, expected: tuple[str, tuple[str, ...]]) -> None:
    edge = {NEW: 10, OLD: 6}[game]
    piece = slab(game, "bog", 20, edge + 3, 26, edge + 5)
    other = slab(game, "bog", 20, edge + 12, 26, edge + 13, "t0")
    assert verdict(game, "GOT", piece, other) == expected


@pytest.mark.rule("TMG-SET-8")
@pytest.mark.parametrize(
    ("game", "y", "answer"),
    [
        (NEW, 10, "yes"),
        (NEW, 9.9, "no"),
        (NEW, 36, "yes"),  # up to player 2's line at 38
        (NEW, 36.1, "no"),
        (OLD, 12, "yes"),
        (OLD, 11.9, "no"),
        (OLD, 34, "yes"),
        (OLD, 34.1, "no"),
    ],
)
def test_distance_from_both_zones(game: str, y: float, answer: str) -> None:
    assert verdict(game, "GOT", slab(game, "bog", 20, y, 26, y + 2))[0] == answer
    wide = slab(game, "bog", 64, y, 70, y + 2)
    assert verdict(game, "GOT", wide, width=72)[0] == answer


@pytest.mark.rule("TMG-SET-8")
@pytest.mark.parametrize("key", ["COK", "FFC", "DWD", "WOW", "HAR", "DWW"])
def test_the_same_in_modes_with_pieces_of_their_own_2021(key: str) -> None:
    other = slab(NEW, "forest", 16, 12, 18, 14, "t0")
    assert verdict(NEW, key, slab(NEW, "bog", 24, 10, 26, 12), other) == ("yes", ())
    assert verdict(NEW, key, slab(NEW, "bog", 23.9, 10, 26, 12), other)[1] == ("TMG-SET-8",)
    assert verdict(NEW, key, slab(NEW, "bog", 24, 9.9, 26, 12), other)[1] == ("TMG-SET-8",)


@pytest.mark.rule("TMG-SET-8")
@pytest.mark.parametrize("game", [NEW, OLD])
@pytest.mark.parametrize(("gap", "answer"), [(6.0, "yes"), (5.9, "no"), (7.0, "yes"), (-1, "no")])
def test_six_inches_between_pieces(game: str, gap: float, answer: str) -> None:
    other = slab(game, "forest", 10, 20, 14, 24, "t0")
    assert verdict(game, "GOT", slab(game, "bog", 14 + gap, 20, 20 + gap, 24), other) == (
        answer,
        () if answer == "yes" else ("TMG-SET-8",),
    )


@pytest.mark.rule("TMG-SET-8")
def test_a_piece_of_keywords_alone_counts_as_well() -> None:
    own = Terrain("t0", ((10, 20), (14, 20), (14, 24), (10, 24)), frozenset({"cover"}))
    assert verdict(NEW, "FFC", slab(NEW, "bog", 17, 20, 20, 22), own)[0] == "no"


@pytest.mark.rule("TMG-SET-8", edition="2018")
def test_corner_squares_leave_room_between_them() -> None:
    assert verdict(OLD, "COK", slab(OLD, "bog", 18, 2, 30, 4))[0] == "yes"
    assert verdict(OLD, "COK", slab(OLD, "bog", 17.9, 2, 30, 4))[0] == "no"


@pytest.mark.rule("TMG-SET-12")
@pytest.mark.parametrize(
    "kind",
    ["corpse-pile", "bog", "palisade", "hedge", "low-wall", "stakes", "forest", "weirwood"],
)
def test_rolled_pieces_keep_the_same_distances_2021(kind: str) -> None:
    other = slab(NEW, "forest", 10, 20, 14, 24, "t0")
    assert verdict(NEW, "GOT", slab(NEW, kind, 19.9, 20, 24, 23), other)[0] == "no"
    assert verdict(NEW, "GOT", slab(NEW, kind, 29, 9.9, 33, 12), other)[0] == "no"
    assert verdict(NEW, "GOT", slab(NEW, kind, 29, 10, 33, 12), other)[0] == "yes"


@pytest.mark.rule("TMG-SET-6")
@pytest.mark.parametrize(
    ("piece", "x", "answer"),
    [("palisade", 24.6, "no"), ("palisade", 24.71, "yes"), ("forest", 20, "yes")],
)
def test_impassable_terrain_never_lies_on_a_token_2021(piece: str, x: float, answer: str) -> None:
    slab_ = slab(NEW, piece, x, 23, x + 5, 25)
    why = () if answer == "yes" else ("TMG-SET-6",)
    assert verdict(NEW, "GOT", slab_) == (answer, why)  # the centre token is yet to come
    lying = (TableToken("o1", 24, 24),)
    assert verdict(NEW, "GOT", slab_, tokens=lying) == (answer, why)


@pytest.mark.rule("TMG-SET-6", edition="2018")
def test_edition_2018_asks_it_of_the_token() -> None:
    wall = slab(OLD, "palisade", 8, 23, 16, 25)
    assert verdict(OLD, "COK", wall)[0] == "yes"
    token = TableToken("o2", 12, 25.5)
    answer = token_place(bare(OLD, terrain=(wall,)), mode(OLD, "GOT"), token)
    assert (answer.verdict, answer.why) == ("no", ("TMG-MODE-GOT-7",))


@pytest.mark.rule("TMG-MODE-SOS-4")
@pytest.mark.parametrize(
    ("game", "y", "answer"),
    [
        (NEW, 18.1, "yes"),
        (NEW, 18.0, "no"),  # exactly 6 inches is still Short Range
        (NEW, 17.9, "no"),
        (OLD, 18.1, "yes"),
        (OLD, 18.0, "yes"),  # "not less than Short Range"
        (OLD, 17.9, "no"),
    ],
)
def test_a_storms_terrain_stays_out_of_the_defenders_reach(
    game: str, y: float, answer: str
) -> None:
    piece = slab(game, "bog", 20, y, 26, y + 2)
    why = () if answer == "yes" else ("TMG-MODE-SOS-4",)
    assert verdict(game, "SOS", piece) == (answer, why)
    mirrored = slab(game, "bog", 20, 46 - y, 26, 48 - y)
    assert verdict(game, "SOS", mirrored, defender=2) == (answer, why)


@pytest.mark.rule("TMG-MODE-SOS-4")
@pytest.mark.parametrize(("game", "touching"), [(NEW, "no"), (OLD, "yes")])
def test_a_storms_pieces_stay_apart(game: str, touching: str) -> None:
    other = slab(game, "forest", 10, 20, 14, 24, "t0")
    assert verdict(game, "SOS", slab(game, "bog", 20, 20, 26, 22), other)[0] == touching
    assert verdict(game, "SOS", slab(game, "bog", 20.1, 20, 26, 22), other)[0] == "yes"
    assert verdict(game, "SOS", slab(game, "bog", 19.9, 20, 26, 22), other)[0] == "no"


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("FAB", marks=pytest.mark.rule("TMG-MODE-FAB-2")),
        pytest.param("HWS", marks=pytest.mark.rule("TMG-MODE-HWS-2")),
    ],
)
@pytest.mark.parametrize(
    ("corner", "width", "answer"),
    [
        ((6, 6), 48, "yes"),  # zones do not matter here
        ((5.9, 6), 48, "no"),
        ((6, 5.9), 48, "no"),
        ((38, 40), 48, "yes"),
        ((38.1, 40), 48, "no"),
        ((38, 40.1), 48, "no"),
        ((62, 40), 72, "yes"),
        ((62.1, 40), 72, "no"),
    ],
)
def test_terrain_anywhere_six_inches_from_the_edges(
    key: str, corner: tuple[float, float], width: float, answer: str
) -> None:
    x, y = corner
    piece = slab(NEW, "bog", x, y, x + 4, y + 2)
    why = () if answer == "yes" else (f"TMG-MODE-{key}-2",)
    assert verdict(NEW, key, piece, width=width) == (answer, why)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("FAB", marks=pytest.mark.rule("TMG-MODE-FAB-2")),
        pytest.param("HWS", marks=pytest.mark.rule("TMG-MODE-HWS-2")),
    ],
)
def test_terrain_anywhere_six_inches_from_other_pieces(key: str) -> None:
    near = slab(NEW, "forest", 24, 20, 26, 22, "t0")
    assert verdict(NEW, key, slab(NEW, "bog", 32, 20, 34, 22), near) == ("yes", ())
    assert verdict(NEW, key, slab(NEW, "bog", 31.9, 20, 34, 22), near) == (
        "no",
        (f"TMG-MODE-{key}-2",),
    )


@pytest.mark.rule("TMG-MODE-FFC-4")
@pytest.mark.parametrize(
    ("gap", "answer"), [(1.0, "no"), (0.9, "no"), (1.1, "yes"), (3.0, "yes"), (-0.5, "no")]
)
def test_a_feasts_terrain_keeps_off_the_corpse_piles(gap: float, answer: str) -> None:
    why = () if answer == "yes" else ("TMG-MODE-FFC-4",)
    by_layout = slab(NEW, "bog", 8.5 + gap, 23, 14, 25)  # the left pile ends at x = 8.5
    assert verdict(NEW, "FFC", by_layout) == (answer, why)
    pile = slab(NEW, "corpse-pile", 3, 22, 9, 26, "p1")
    measured = slab(NEW, "bog", 9 + gap, 23, 15, 25)
    assert verdict(NEW, "FFC", measured, pile) == (answer, why)


@pytest.mark.rule("TMG-MODE-FFC-2")
def test_corpse_piles_are_not_chosen_in_a_feast() -> None:
    pile = slab(NEW, "corpse-pile", 20, 20, 24, 24)
    assert verdict(NEW, "FFC", pile) == ("no", ("TMG-MODE-FFC-2",))
    assert verdict(NEW, "GOT", pile)[0] == "yes"
    assert terrain_places(bare(NEW, terrain=(pile,)), mode(NEW, "FFC")) == {}


@pytest.mark.rule("TMG-MODE-HAR-6")
@pytest.mark.parametrize(("gap", "answer"), [(1.0, "no"), (1.1, "yes"), (0.5, "no")])
def test_terrain_keeps_off_the_castle_walls(gap: float, answer: str) -> None:
    why = () if answer == "yes" else ("TMG-MODE-HAR-6",)
    assert verdict(NEW, "HAR", slab(NEW, "bog", 1.5 + gap, 20, 4, 22)) == (answer, why)
    assert verdict(NEW, "HAR", slab(NEW, "bog", 44, 20, 46.5 - gap, 22)) == (answer, why)
    assert verdict(NEW, "HAR", slab(NEW, "bog", 68, 20, 70.5 - gap, 22), width=72)[0] == answer


@pytest.mark.rule("TMG-MODE-HAR-5")
def test_honed_and_ready_bars_impassable_pieces() -> None:
    assert verdict(NEW, "HAR", slab(NEW, "palisade", 20, 16, 26, 17)) == (
        "no",
        ("TMG-MODE-HAR-5",),
    )


@pytest.mark.rule("TMG-SET-8")
def test_all_pieces_of_a_table_at_once() -> None:
    table = bare(
        NEW, terrain=(slab(NEW, "bog", 10, 12, 14, 14), slab(NEW, "bog", 15, 12, 19, 14, "t2"))
    )
    assert {key: bool(value) for key, value in terrain_places(table, mode(NEW, "GOT")).items()} == {
        "t1": False,
        "t2": False,
    }


# -- tokens at the start ----------------------------------------------------------------------


def token_verdict(
    game: str,
    key: str,
    x: float,
    y: float,
    *others: tuple[float, float],
    terrain: tuple[Terrain, ...] = (),
    width: float = 48,
    readings: Readings = DEFAULT,
) -> tuple[str, tuple[str, ...]]:
    """What is said of a token among others."""
    lying = tuple(TableToken(f"o{number}", *place) for number, place in enumerate(others, 2))
    table = bare(game, terrain=terrain, tokens=lying, width=width)
    answer = token_place(table, mode(game, key), TableToken("o1", x, y, 0.5), readings=readings)
    return answer.verdict, answer.why


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("GOT", marks=pytest.mark.rule("TMG-MODE-GOT-3", edition="2018")),
        pytest.param("WOW", marks=pytest.mark.rule("TMG-MODE-WOW-2", edition="2018")),
    ],
)
@pytest.mark.parametrize("width", [48, 72])
def test_players_place_the_tokens_far_from_zones_and_one_another(key: str, width: float) -> None:
    why = {"GOT": "TMG-MODE-GOT-3", "WOW": "TMG-MODE-WOW-2"}[key]

    def verdict(x: float, y: float, *others: tuple[float, float]) -> tuple[str, tuple[str, ...]]:
        return token_verdict(OLD, key, x, y, *others, width=width)

    assert verdict(15, 18) == verdict(15, 30) == ("yes", ())
    assert verdict(15, 17.9) == verdict(15, 30.1) == ("no", (why,))
    assert verdict(10, 24, (16, 24)) == ("yes", ())
    assert verdict(10, 24, (15.9, 24)) == ("no", (why,))
    assert verdict(10, 20, (14, 24.5), (14, 15)) == ("yes", ())
    count = mode(OLD, key).facts.placing
    assert count is not None
    assert count.count == 4


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        pytest.param(
            "GOT",
            "TMG-MODE-GOT-3",
            marks=pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-GOT-3", edition="2018"),
        ),
        pytest.param(
            "WOW", "TMG-MODE-WOW-2", marks=pytest.mark.rule("TMG-MODE-WOW-2", edition="2018")
        ),
    ],
)
def test_one_token_lies_in_the_centre_and_the_players_keep_off_it(key: str, rule: str) -> None:
    assert token_verdict(OLD, key, 24, 24.1) == ("yes", ())
    assert token_verdict(OLD, key, 24, 18) == ("yes", ())  # 6 inches from it
    assert token_verdict(OLD, key, 24, 18.1) == ("no", (rule,))
    assert token_verdict(OLD, key, 24, 24.1, (24, 24)) == ("no", (rule,))  # it lies there already
    rock = (slab(OLD, "palisade", 20, 23, 28, 25),)
    assert token_verdict(OLD, key, 24, 24, terrain=rock)[0] == "no"


@pytest.mark.rule("TMG-MODE-GOT-3", edition="2018")
def test_token_distances_by_the_rim() -> None:  # OR-36
    assert token_verdict(OLD, "GOT", 15, 18.4, readings=RIM)[0] == "no"
    assert token_verdict(OLD, "GOT", 15, 18.5, readings=RIM)[0] == "yes"


@pytest.mark.rule("TMG-MODE-GOT-7", edition="2018")
@pytest.mark.parametrize(("key", "rule"), [("GOT", "TMG-MODE-GOT-7"), ("WOW", "TMG-MODE-WOW-2")])
def test_no_token_on_impassable_terrain(key: str, rule: str) -> None:
    wall = (slab(OLD, "palisade", 8, 20, 14, 21),)
    assert token_verdict(OLD, key, 11, 20.5, terrain=wall) == ("no", (rule,))
    assert token_verdict(OLD, key, 11, 21.4, terrain=wall) == ("no", (rule,))
    assert token_verdict(OLD, key, 11, 21.5, terrain=wall) == ("yes", ())
    bog = (slab(OLD, "bog", 8, 20, 14, 21),)
    assert token_verdict(OLD, key, 11, 20.5, terrain=bog) == ("yes", ())


@pytest.mark.rule("TMG-MODE-GOT-3", edition="2021")
def test_a_fixed_token_lies_on_its_place() -> None:
    assert token_verdict(NEW, "GOT", 6.1, 18) == ("yes", ())
    assert token_verdict(NEW, "GOT", 6.5, 18) == ("no", ("TMG-MODE-GOT-3",))
    assert token_verdict(NEW, "GOT", 66, 30, width=72) == ("yes", ())
    assert token_verdict(NEW, "HWS", 24, 24)[0] == "no"  # a mode without tokens
    table = bare(NEW, tokens=(TableToken("o1", 24, 24), TableToken("o2", 20, 24)))
    assert {key: bool(value) for key, value in token_places(table, mode(NEW, "GOT")).items()} == {
        "o1": True,
        "o2": False,
    }


# -- tokens and piles during the game ---------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FFC-9", "TMG-MODE-FFC-10")
def test_a_lost_token_goes_back_onto_its_pile() -> None:
    feast = mode(NEW, "FFC")
    pile = slab(NEW, "corpse-pile", 4, 22, 9, 26)
    rules = ("TMG-MODE-FFC-9", "TMG-MODE-FFC-10")
    for x, centre, rim in ((8.4, "yes", "yes"), (8.9, "yes", "no"), (9.1, "no", "no")):
        token = TableToken("o1", x, 24, 0.5)
        assert token_on_pile(feast, token, pile).verdict == centre
        assert token_on_pile(feast, token, pile, RIM).verdict == rim  # OR-36
    assert token_on_pile(feast, TableToken("o1", 12, 24), pile).why == rules


@pytest.mark.parametrize(
    ("key", "rules"),
    [
        pytest.param("FFC", ("TMG-MODE-FFC-12",), marks=pytest.mark.rule("TMG-MODE-FFC-12")),
        pytest.param(
            "DWD",
            ("TMG-MODE-DWD-9", "TMG-MODE-DWD-7"),
            marks=pytest.mark.rule("TMG-MODE-DWD-7", "TMG-MODE-DWD-9"),
        ),
    ],
)
def test_a_dropped_token_lies_beside_its_tray(key: str, rules: tuple[str, ...]) -> None:
    unit = block("b1", 24, 24)  # x 22..26, y 22.5..25.5
    friend = block("b2", 24, 28)
    wall = slab(NEW, "palisade", 18, 20, 21, 26)
    bog = slab(NEW, "bog", 22, 18, 26, 22, "t2")
    table = bare(NEW, unit, friend, terrain=(wall, bog))
    for x, y, verdict_ in (
        (28.0, 24, "yes"),
        (28.1, 24, "no"),  # farther than 2 inches
        (24, 20.5, "yes"),  # a bog is no obstacle
        (24, 26.1, "no"),  # on the friend's tray
        (24, 25.9, "yes"),
        (21.4, 24, "no"),  # on the palisade
        (21.6, 24, "yes"),
        (27.4, 26.9, "yes"),  # 1.98 off the corner
        (27.5, 27.0, "no"),
    ):
        answer = token_beside(table, mode(NEW, key), unit, TableToken("o1", x, y, 0.5))
        assert (answer.verdict, answer.why) == (verdict_, () if verdict_ == "yes" else rules)


@pytest.mark.rule("TMG-MODE-DWD-9")
def test_a_dropped_token_near_a_measured_tray_may_be_unsure() -> None:
    unit = block("b1", 24, 24, sigma=Sigma(0.05))
    answer = token_beside(bare(NEW, unit), mode(NEW, "DWD"), unit, TableToken("o1", 28.05, 24))
    assert answer.verdict == "unsure"


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize(
    ("game", "gap", "answer"),
    [
        (NEW, 12.0, "yes"),
        (NEW, 12.1, "no"),
        (NEW, 1.0, "yes"),
        (NEW, 0.9, "no"),
        (OLD, 6.0, "yes"),
        (OLD, 6.1, "no"),
        (OLD, 0.0, "yes"),
        (OLD, -0.5, "no"),
    ],
)
def test_the_pile_of_a_destroyed_unit(game: str, gap: float, answer: str) -> None:
    gone = tray("infantry", "b1", 20, 24)  # its right side at x = 22.75
    pile = slab(game, "corpse-pile", 22.75 + gap, 23, 26 + gap, 25, "p9")
    found = new_pile_place(bare(game, gone), mode(game, "FFC"), gone, pile)
    why = () if answer == "yes" else ("TMG-MODE-FFC-14",)
    assert (found.verdict, found.why) == (answer, why)


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize(("game", "touching"), [(NEW, "no"), (OLD, "yes")])
def test_a_new_pile_keeps_off_other_terrain_and_trays(game: str, touching: str) -> None:
    feast = mode(game, "FFC")
    gone = tray("infantry", "b1", 20, 24)
    pile = slab(game, "corpse-pile", 24, 23, 27, 25, "p9")
    for gap, verdict_ in ((0.0, touching), (1.0, "yes"), (-0.2, "no")):
        bog = slab(game, "bog", 24, 25 + gap, 27, 27 + gap)
        assert new_pile_place(bare(game, gone, terrain=(bog,)), feast, gone, pile).verdict == (
            verdict_
        )
        other = tray("infantry", "r1", 25, 25 + gap + 2.4, side="red")
        assert new_pile_place(bare(game, gone, other), feast, gone, pile).verdict == verdict_


@pytest.mark.rule("TMG-MODE-FFC-14")
def test_there_are_never_more_than_four_piles_2021() -> None:
    gone = tray("infantry", "b1", 20, 24)
    lying = tuple(
        slab(NEW, "corpse-pile", 3 + 10 * n, 40, 6 + 10 * n, 42, f"p{n}") for n in range(4)
    )
    pile = slab(NEW, "corpse-pile", 24, 23, 27, 25, "p9")
    feast = mode(NEW, "FFC")
    assert new_pile_place(bare(NEW, gone, terrain=lying[:3]), feast, gone, pile).verdict == "yes"
    assert new_pile_place(bare(NEW, gone, terrain=lying), feast, gone, pile).verdict == "no"
    found = new_pile_place(bare(OLD, gone, terrain=lying), mode(OLD, "FFC"), gone, pile)
    assert found.verdict == "yes"  # 2018: as long as one is left
    horse = tray("cavalry", "b1", 20, 24)
    assert new_pile_place(bare(NEW, horse), feast, horse, pile).verdict == "no"
    assert new_pile_place(bare(NEW, gone), mode(NEW, "GOT"), gone, pile).verdict == "no"


@pytest.mark.rule("TMG-MODE-FFC-15")
def test_a_token_in_the_middle_of_the_new_pile() -> None:
    pile = slab(NEW, "corpse-pile", 24, 23, 28, 25, "p9")
    token = new_pile_token(mode(NEW, "FFC"), pile, "o3")
    assert token == TableToken("o3", 26.0, 24.0)
    assert new_pile_token(mode(OLD, "FFC"), pile, "o3") is None
    assert new_pile_token(mode(NEW, "GOT"), pile, "o3") is None
