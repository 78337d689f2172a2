"""Objective tokens: claiming, controlling, carrying, in both editions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.modes import mode, modes
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.objectives import (
    LoggedFacts,
    after_melee,
    claim,
    covered_in,
    holding,
    holdings,
    keeps_token,
    markable,
    second_tokens,
    touch_order,
    touched_in,
)
from models import Sigma, Table, TableToken, Unit
from tests.games.tmg.pieces import bare, block, slab, tray

NEW, OLD = "tmg-2021", "tmg-2018"
GOT, OLD_GOT = mode(NEW, "GOT"), mode(OLD, "GOT")
TOKEN = TableToken("o1", 24, 24, 0.5)


def token_under(unit: Unit, forward: float, left: float = 0.0) -> TableToken:
    """A token of radius 0.5 that lies so far forward and left of the tray's centre."""
    x, y = unit.pose.ahead(forward, left)
    return TableToken("o1", x, y, 0.5)


# -- claiming ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-4", edition="2021")
@pytest.mark.parametrize("heading", [90, 0, 37, 211.5])
def test_a_token_wholly_under_the_tray_is_claimed_ex_g17(heading: float) -> None:
    unit = block("b1", 24, 24, heading)
    assert claim(unit, token_under(unit, 1.0), GOT).verdict == "yes"
    off = claim(unit, token_under(unit, 1.1), GOT)
    assert (off.verdict, off.why) == ("no", ("TMG-OBJ-1", "TMG-OBJ-4"))
    assert claim(unit, token_under(unit, 0, 1.49), GOT).verdict == "yes"
    assert claim(unit, token_under(unit, 0, 1.51), GOT).verdict == "no"


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-4", edition="2018")
@pytest.mark.parametrize(
    ("forward", "verdict"), [(1.0, "yes"), (1.1, "yes"), (1.99, "yes"), (2.01, "no")]
)
def test_any_part_of_the_tray_claims_in_2018_ex_g17(forward: float, verdict: str) -> None:
    unit = block("b1", 24, 24)
    answer = claim(unit, token_under(unit, forward), OLD_GOT)
    assert answer.verdict == verdict
    assert answer.why == (() if verdict == "yes" else ("TMG-OBJ-1", "TMG-OBJ-4"))


@pytest.mark.rule("TMG-OBJ-1", edition="2018")
def test_a_token_off_the_corner_is_round() -> None:
    unit = block("b1", 24, 24)  # front left corner at (22, 25.5)
    assert claim(unit, TableToken("o1", 21.65, 25.85, 0.5), OLD_GOT).verdict == "yes"
    assert claim(unit, TableToken("o1", 21.64, 25.86, 0.5), OLD_GOT).verdict == "no"


@pytest.mark.rule("TMG-OBJ-1")
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 360))
def test_covered_means_every_point_of_the_rim(forward: float, left: float, heading: float) -> None:
    unit = block("b1", 24, 24, heading)
    token = token_under(unit, forward, left)
    angles = [math.radians(step) for step in range(360)]
    rim = [(forward + 0.5 * math.cos(a), left + 0.5 * math.sin(a)) for a in angles]
    inside = [abs(f) <= 1.5 and abs(side) <= 2 for f, side in rim]
    covered, touched = covered_in(unit, token), touched_in(unit, token)
    if abs(covered) > 1e-3:
        assert (covered > 0) is all(inside)
    if abs(touched) > 1e-3:
        assert (touched > 0) is (any(inside) or (abs(forward) <= 1.5 and abs(left) <= 2))


@pytest.mark.rule("TMG-OBJ-1")
@pytest.mark.parametrize(
    ("forward", "verdict"), [(0.95, "unsure"), (1.05, "unsure"), (0.85, "yes"), (1.2, "no")]
)
def test_a_measured_tray_may_leave_a_claim_unsure_2021(forward: float, verdict: str) -> None:
    unit = block("b1", 24, 24, sigma=Sigma(0.03, 0.3))
    assert claim(unit, token_under(unit, forward), GOT).verdict == verdict


@pytest.mark.parametrize(
    ("game", "key", "whole", "part"),
    [
        pytest.param(*row, marks=pytest.mark.rule(number), id=f"{row[0]}-{row[1]}")
        for number, row in (
            ("TMG-MODE-GOT-5", (NEW, "GOT", "yes", "no")),
            ("TMG-MODE-GOT-5", (OLD, "GOT", "yes", "yes")),
            ("TMG-MODE-COK-9", (NEW, "COK", "yes", "no")),
            ("TMG-MODE-COK-9", (OLD, "COK", "yes", "yes")),
            ("TMG-MODE-WOW-7", (NEW, "WOW", "yes", "no")),
            ("TMG-MODE-WOW-7", (OLD, "WOW", "no", "no")),  # only as missions say
            ("TMG-MODE-HAR-4", (NEW, "HAR", "yes", "no")),
            ("TMG-MODE-DWW-9", (NEW, "DWW", "yes", "no")),
            ("TMG-MODE-FFC-7", (NEW, "FFC", "yes", "yes")),
            ("TMG-MODE-DWD-4", (NEW, "DWD", "yes", "yes")),
        )
    ],
)
def test_how_each_mode_claims(game: str, key: str, whole: str, part: str) -> None:
    found = mode(game, key)
    unit = block("b1", 24, 24)
    assert claim(unit, token_under(unit, 0), found).verdict == whole
    assert claim(unit, token_under(unit, 1.8), found).verdict == part
    assert claim(unit, token_under(unit, 2.2), found).verdict == "no"
    table = bare(game, unit, tokens=(token_under(unit, 0),))
    assert (holding(table, table.tokens[0], found).unit == "b1") is (whole == "yes")


# -- control by ranks, 2021 -------------------------------------------------------------------


def melee(mine: Unit, theirs: Unit) -> Table:
    """My unit on the token, the enemy before it in contact."""
    front = (mine.tray.depth + theirs.tray.depth) / 2
    return bare(
        NEW,
        mine,
        theirs.at(mine.pose.shifted(front).turned(mine.pose.heading + 180)),
        tokens=(TOKEN,),
    )


def infantry(unit_id: str, side: str, models: int) -> Unit:
    return tray("infantry", unit_id, 24, 24, side=side, models=models)


@pytest.mark.rule("TMG-OBJ-2")
@pytest.mark.parametrize(
    ("mine", "theirs", "state"),
    [(8, 12, "contested"), (8, 8, "held"), (8, 9, "contested"), (9, 12, "held"), (5, 4, "held")],
)
def test_more_ranks_take_control_away_ex_66(mine: int, theirs: int, state: str) -> None:
    table = melee(infantry("b1", "blue", mine), infantry("r1", "red", theirs))
    for known in (LoggedFacts(), LoggedFacts(engaged={"b1": ["r1"], "r1": ["b1"]})):
        found = holding(table, TOKEN, GOT, known)
        assert (found.state, found.unit, found.side) == (state, "b1", "blue")
        assert found.answer.why == (("TMG-OBJ-2",) if state == "contested" else ())


@pytest.mark.rule("TMG-OBJ-2", edition="2018")
def test_ranks_do_not_matter_in_2018_ex_66() -> None:
    table = melee(infantry("b1", "blue", 8), infantry("r1", "red", 12))
    assert holding(table, TOKEN, OLD_GOT).state == "held"


@pytest.mark.rule("TMG-OBJ-2")
def test_control_ends_only_while_the_stronger_enemy_is_engaged_2021() -> None:
    table = melee(infantry("b1", "blue", 8), infantry("r1", "red", 12))
    apart = table.moved("r1", table.unit("r1").pose.shifted(-1))
    assert holding(apart, TOKEN, GOT).state == "held"  # OR-29: without a new move
    later = LoggedFacts(engaged={}, lost=frozenset({"b1"}))
    assert holding(apart, TOKEN, GOT, later).state == "held"
    strict = holding(apart, TOKEN, GOT, later, Readings(control_back="new-claim"))
    assert (strict.state, strict.answer.why) == ("contested", ("OR-29",))


@pytest.mark.rule("TMG-OBJ-2")
def test_every_engaged_enemy_counts_by_itself_2021() -> None:
    two = bare(
        NEW,
        infantry("b1", "blue", 8),
        tray("infantry", "r1", 24, 28.8, 270, "red", models=8),
        tray("infantry", "r2", 29.15, 24, 180, "red", models=8),
        tokens=(TOKEN,),
    )
    known = LoggedFacts(engaged={"b1": ["r1", "r2"]})
    assert holding(two, TOKEN, GOT, known).state == "held"
    stronger = bare(
        NEW,
        *two.units[:2],
        tray("infantry", "r2", 29.15, 24, 180, "red", models=12),
        tokens=(TOKEN,),
    )
    assert holding(stronger, TOKEN, GOT, known).state == "contested"
    assert holding(stronger, TOKEN, GOT).state == "contested"  # measured contact


@pytest.mark.rule("TMG-OBJ-2")
def test_measured_trays_in_contact_are_engaged() -> None:
    table = melee(
        tray("infantry", "b1", 24, 24, models=8, sigma=Sigma(0.03)), infantry("r1", "red", 12)
    )
    apart = table.moved("r1", table.unit("r1").pose.shifted(-0.08))
    assert holding(apart, TOKEN, GOT).state == "contested"
    farther = table.moved("r1", table.unit("r1").pose.shifted(-0.5))
    assert holding(farther, TOKEN, GOT).state == "held"


@pytest.mark.rule("TMG-OBJ-3")
def test_a_solo_unit_counts_its_wounds_ex_67() -> None:
    solo = tray("solo", "b1", 24, 24)
    table = melee(solo, infantry("r1", "red", 12))

    def state(wounds: int) -> str:
        return holding(table, TOKEN, GOT, LoggedFacts(wounds_left={"b1": wounds})).state

    assert [state(wounds) for wounds in (5, 3, 2)] == ["held", "held", "contested"]
    unknown = holding(table, TOKEN, GOT)
    assert (unknown.state, unknown.answer.why) == ("unsure", ("TMG-OBJ-2", "TMG-OBJ-3"))
    counted = melee(tray("solo", "b1", 24, 24, models=5), infantry("r1", "red", 12))
    assert holding(counted, TOKEN, GOT).state == "held"


@pytest.mark.rule("TMG-OBJ-3")
def test_a_solo_enemy_counts_its_wounds_too() -> None:
    table = melee(infantry("b1", "blue", 8), tray("solo", "r1", 24, 24, side="red"))
    assert holding(table, TOKEN, GOT, LoggedFacts(wounds_left={"r1": 3})).state == "contested"
    assert holding(table, TOKEN, GOT, LoggedFacts(wounds_left={"r1": 2})).state == "held"
    assert holding(table, TOKEN, GOT).state == "unsure"


@pytest.mark.rule("TMG-OBJ-3")
def test_ranks_of_a_tray_nobody_described_are_unsure() -> None:
    own = block("b1", 24, 24)
    crowd = Unit("r1", "red", "r1", own.tray, own.pose, models=12)
    known = LoggedFacts(engaged={"b1": ["r1"]}, wounds_left={"b1": 2})
    table = bare(NEW, own, crowd.at(own.pose.shifted(3)), tokens=(TOKEN,))
    assert holding(table, TOKEN, GOT, known).state == "unsure"


@pytest.mark.rule("TMG-OBJ-4", edition="2021")
def test_a_token_half_covered_belongs_to_nobody() -> None:
    table = bare(NEW, tray("infantry", "b1", 24, 21.7), tokens=(TOKEN,))
    found = holding(table, TOKEN, GOT)
    assert (found.state, found.unit) == ("free", "")
    assert found.answer.why == ("TMG-OBJ-1", "TMG-OBJ-4")
    assert holdings(table, GOT) == {"o1": found}
    assert found.to_json()["unit"] is None


@pytest.mark.rule("TMG-OBJ-2")
def test_an_unsure_claim_is_an_unsure_holding() -> None:
    unit = tray("infantry", "b1", 24, 22.1, sigma=Sigma(0.03))  # its front edge at 24.5
    found = holding(bare(NEW, unit, tokens=(TOKEN,)), TOKEN, GOT)
    assert (found.state, found.unit) == ("unsure", "b1")
    assert found.to_json()["claims"]["b1"]["answer"] == "unsure"


# -- control by first touch, 2018 -------------------------------------------------------------

BOTH = bare(
    OLD,
    block("b1", 24, 22.2),  # its front edge at 23.7
    block("r1", 24, 25.8, 270, "red"),  # its front edge at 24.3
    tokens=(TOKEN,),
)


@pytest.mark.rule("TMG-MODE-GOT-8", "TMG-MODE-COK-9", edition="2018")
@pytest.mark.parametrize("key", ["GOT", "COK"])
def test_of_several_the_first_that_touched_controls(key: str) -> None:
    found = mode(OLD, key)
    for order in (("b1", "r1"), ("r1", "b1"), ("r1",)):
        held = holding(BOTH, TOKEN, found, LoggedFacts(touched={"o1": order}))
        assert (held.state, held.unit) == ("held", order[0])
    unknown = holding(BOTH, TOKEN, found)
    assert (unknown.state, unknown.choices) == ("unsure", ("b1", "r1"))
    assert unknown.answer.why == (found.facts.objective.control_rule,)


@pytest.mark.rule("TMG-MODE-GOT-10", "TMG-OBJ-4", edition="2018")
def test_who_moves_off_stops_controlling() -> None:
    first = LoggedFacts(touched={"o1": ("b1", "r1")})
    gone = BOTH.moved("b1", BOTH.unit("b1").pose.shifted(-1))
    assert holding(gone, TOKEN, OLD_GOT, first).unit == "r1"
    both_gone = gone.moved("r1", gone.unit("r1").pose.shifted(-1))
    assert holding(both_gone, TOKEN, OLD_GOT, first).state == "free"
    assert touch_order(("b1", "r1"), ["r1"]) == ("r1",)
    assert touch_order(("r1",), ["b1", "r1"]) == ("r1", "b1")  # back again, but last
    assert touch_order((), ["b1"]) == ("b1",)


@pytest.mark.rule("TMG-MODE-GOT-9", edition="2018")
def test_the_destroyer_of_the_controlling_unit_takes_over() -> None:
    assert after_melee(("b1", "r2", "r1"), "b1", "r1", ["r1", "r2"]) == ("r1", "r2")
    assert after_melee(("b1", "r2"), "b1", "r1", ["r2"]) == ("r2",)  # it does not touch the token
    assert after_melee(("r2", "b1", "r1"), "b1", "r1", ["r1", "r2"]) == ("r2", "r1")
    left = BOTH.without("b1")
    order = after_melee(("b1",), "b1", "r1", ["r1"])
    assert holding(left, TOKEN, OLD_GOT, LoggedFacts(touched={"o1": order})).unit == "r1"


# -- carried tokens, 2021 ---------------------------------------------------------------------

LEFT, RIGHT = TableToken("o1", 6, 24, 0.5), TableToken("o2", 42, 24, 0.5)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("FFC", marks=pytest.mark.rule("TMG-MODE-FFC-7")),
        pytest.param("DWD", marks=pytest.mark.rule("TMG-MODE-DWD-4")),
    ],
)
def test_a_unit_that_reaches_a_token_takes_it_up(key: str) -> None:
    found = mode(NEW, key)
    unit = block("b1", 6, 22.1)  # its front edge at 23.6
    table = bare(NEW, unit, block("r1", 30, 30, side="red"), tokens=(LEFT, RIGHT))
    assert holding(table, LEFT, found).unit == "b1"
    short = table.moved("b1", unit.pose.shifted(-0.2))
    assert holding(short, LEFT, found).state == "free"
    away = table.moved("b1", unit.pose.shifted(-6))
    carried = holding(away, LEFT, found, LoggedFacts(carried={"o1": "b1"}))
    assert (carried.state, carried.unit) == ("held", "b1")
    two = bare(NEW, unit, block("r1", 6, 25.8, 270, side="red"), tokens=(LEFT, RIGHT))
    assert holding(two, LEFT, found).choices == ("b1", "r1")


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        pytest.param("FFC", "TMG-MODE-FFC-9", marks=pytest.mark.rule("TMG-MODE-FFC-9")),
        pytest.param("DWD", "TMG-MODE-DWD-7", marks=pytest.mark.rule("TMG-MODE-DWD-7")),
    ],
)
def test_a_carrier_that_touches_another_token_does_not_get_it(key: str, rule: str) -> None:
    found = mode(NEW, key)
    unit = block("b1", 6, 22.1)
    table = bare(NEW, unit, tokens=(LEFT, RIGHT))
    laden = LoggedFacts(carried={"o2": "b1"})
    assert {
        token: bool(must) for token, must in second_tokens(table, found, unit, laden).items()
    } == {"o1": True}
    assert holding(table, LEFT, found, laden).state == "free"
    assert second_tokens(table, found, unit, LoggedFacts()) == {}
    off = unit.at(unit.pose.shifted(-0.5))
    assert second_tokens(bare(NEW, off, tokens=(LEFT,)), found, off, laden) == {}
    doubt = block("b1", 6, 22.0, sigma=Sigma(0.05))
    [answer] = second_tokens(bare(NEW, doubt, tokens=(LEFT,)), found, doubt, laden).values()
    assert (answer.verdict, answer.why) == ("unsure", (rule,))


@pytest.mark.rule("TMG-MODE-FFC-10")
def test_a_carrier_stays_on_the_linked_pile_or_loses_the_token() -> None:
    pile = slab(NEW, "corpse-pile", 4, 22, 9, 26)
    feast = mode(NEW, "FFC")
    for x, verdict in ((11.0, "yes"), (10.0, "yes"), (11.1, "no")):
        answer = keeps_token(feast, block("b1", x, 24), pile)
        assert answer.verdict == verdict
        assert answer.why == (() if verdict == "yes" else ("TMG-MODE-FFC-10",))
    assert keeps_token(mode(NEW, "DWD"), block("b1", 30, 24), pile).verdict == "yes"


# -- fire and blood ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FAB-6")
def test_a_commander_marks_enemies_within_long_range() -> None:
    table = bare(
        NEW,
        block("b1", 24, 10),
        block("b2", 24, 14),
        block("near", 24, 25, side="red"),  # a gap of exactly 12
        block("far", 21, 25.1, side="red"),
        block("behind", 36, 4, side="red"),
    )
    found = markable(table, mode(NEW, "FAB"), table.unit("b1"))
    assert {unit: answer.verdict for unit, answer in found.items()} == {
        "near": "yes",
        "far": "no",
        "behind": "yes",
    }
    assert found["far"].why == ("TMG-MODE-FAB-6",)
    assert markable(table, GOT, table.unit("b1")) == {}


@pytest.mark.rule("TMG-OBJ-1")
def test_every_mode_knows_how_tokens_are_held() -> None:
    table = bare(NEW, block("b1", 24, 24), tokens=(TOKEN,))
    for game in (NEW, OLD):
        for found in modes(game):
            assert holding(table, TOKEN, found).token == "o1"
