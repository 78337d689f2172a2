"""Tokens as the table shows them: who holds, carries and loses them, and which is which."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from models import Sigma, Table, TableToken, Terrain, catalogue
from tests.games.tmg.play.sighted import DEEP, EAST, NORTH, SOUTH, seen, slab
from tests.play.battle import Battle, battle_of


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-5", "TMG-OBJ-6")
def test_tokens_under_trays_are_offered_for_points() -> None:
    battle = battle_of("GOT").round_over()
    tokens = (TableToken("o1", 24, 24), TableToken("o2", 6, 18))
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
    token = (TableToken("o1", 24, 24),)
    seen(battle, {"b1": (24, 22, NORTH)}, tokens=token)
    seen(battle, {"b1": (24, 22, NORTH), "r1": (24, 22 + DEEP, SOUTH)}, tokens=token)
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"
    seen(battle, {"b1": (24, 10, NORTH), "r1": (24, 22 + DEEP, SOUTH)}, tokens=token)
    assert battle.view()["objectives"]["o1"]["controlled"] == "r1"


@pytest.mark.rule("TMG-MODE-DWD-4")
def test_a_touched_token_is_carried() -> None:
    battle = seen(battle_of("DWD"), {"b3": (24, 22, NORTH)}, tokens=(TableToken("o1", 24, 24),))
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


@pytest.mark.rule("TMG-MODE-FAB-6")
def test_a_vp_token_needs_long_range() -> None:
    battle = seen(battle_of("FAB"), {"b1": (24, 10, NORTH), "r3": (24, 30, SOUTH)})
    battle.do("activate", unit="b1")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")
    limit = 10 + DEEP + 12
    seen(battle, {"b1": (24, 10, NORTH), "r3": (24, limit, SOUTH)}, sigma=Sigma(0.1))
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")
    battle.do("vp-token", unit="r3", in_range=True)


@pytest.mark.rule("TMG-MODE-FFC-10")
def test_a_carrier_that_leaves_its_pile_loses_the_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="b1")
    pile = slab(battle.game, "corpse-pile", (3.5, 22, 8.5, 26))
    pile = Terrain("pile1", pile.outline, pile.keywords, pile.piece)
    token = (TableToken("o1", 6, 24),)
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
    seen(battle, {"b1": (6, 22, NORTH)}, (), (TableToken("o2", 6, 24),))
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
        TableToken(name, float(x), float(y)) for name, (x, y) in zip(names, places, strict=True)
    )
    battle = seen(battle_of(mode, year), {"b1": (24, 24, NORTH)}, tokens=tokens)
    held = {token.name: token.holder for token in battle.state.tokens if token.holder}
    assert held == {"centre": "b1"}


@pytest.mark.rule("TMG-MODE-GOT-3", "TMG-OBJ-1")
def test_tokens_that_players_place_take_the_free_names() -> None:
    tokens = tuple(
        TableToken(name, x, 24.0)
        for name, x in (("a", 8.0), ("b", 24.0), ("c", 40.0), ("o2", 16.0))
    )
    battle = seen(battle_of("GOT", "2018"), {"b1": (40, 24, NORTH)}, tokens=tokens)
    assert [(one.id, one.holder) for one in battle.state.tokens if one.holder] == [("o4", "b1")]


@pytest.mark.rule("TMG-MODE-GOT-8")
def test_of_enemies_first_seen_on_a_token_together_nobody_holds_it() -> None:
    """The order in which a file names them says nothing; the players do."""
    both = {"b1": (24.0, 21.6, NORTH), "r1": (24.0, 26.4, SOUTH)}
    tokens = (TableToken("o1", 24, 24),)
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
    tokens = (TableToken("o1", 24, 24, 0.7),)
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
    tokens = (TableToken("mine", 6, 24), TableToken("other", 42, 24))
    battle = seen(battle_of("FFC"), {"b1": (6, 22, NORTH)}, (pile,), tokens)
    assert battle.state.token("o1").holder == "b1"
    battle = seen(battle, {"b1": (6, 19, NORTH)}, (pile,), tokens)
    assert battle.state.token("o1").holder == ""
    assert "TMG-MODE-FFC-10" in battle.state.tasks[0].say


@pytest.mark.rule("OR-29", "TMG-OBJ-1")
@pytest.mark.parametrize("reading", ["at-once", "new-claim"])
def test_who_lost_a_token_holds_it_again_after_a_move(reading: str) -> None:
    """The enemy goes away: b1 stands on the token as before, and then moves upon it."""
    battle = battle_of("GOT", readings=[f"control_back={reading}"])
    token = (TableToken("o1", 24, 24, 0.7),)
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


# -- where things are put down ----------------------------------------------------------------


def pile(name: str, x: float, y: float) -> Terrain:
    words = catalogue("tmg-2021").pieces["corpse-pile"]
    outline = ((x - 2, y - 1.5), (x + 2, y - 1.5), (x + 2, y + 1.5), (x - 2, y + 1.5))
    return Terrain(name, outline, words, "corpse-pile")


@pytest.mark.rule("TMG-MODE-FFC-10", "TMG-MODE-FFC-9")
def test_a_lost_token_goes_back_onto_its_pile() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="b1")
    home, token = pile("pile1", 6, 24), (TableToken("o1", 6, 24),)
    seen(battle, {"b1": (6, 22, NORTH)}, (home,), token)
    seen(battle, {"b1": (20, 22, NORTH)}, (home,), token)
    battle.refused("TMG-MODE-FFC-9", "place", x=12, y=24)
    seen(battle, {"b1": (20, 22, NORTH)}, (home,), (TableToken("o1", 12, 24),))
    assert battle.answer["reminders"] == ["o1 may not lie there: TMG-MODE-FFC-9, TMG-MODE-FFC-10"]
    battle.do("place", x=7, y=24)
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-MODE-DWD-9", "TMG-MODE-DWD-7")
def test_a_dropped_token_lies_within_two_inches_of_the_tray() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b1")
    seen(battle, {"b1": (24, 12, NORTH)}).do("test", unit="b1", why="fear")
    battle.do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.waits()[0] == "token"
    battle.refused("TMG-MODE-DWD-9", "place", x=24, y=20)
    battle.do("place", x=24, y=12 + DEEP / 2 + 1.5)


@pytest.mark.rule("TMG-MODE-FFC-14", "TMG-MODE-FFC-15", "TMG-MODE-FFC-6")
def test_a_new_pile_lies_near_the_fallen_and_bears_its_token() -> None:
    battle = battle_of("FFC")
    spots = {"r2": (24.0, 24.0, SOUTH)}
    seen(battle, spots).do("wounds", unit="r2", wounds=12, by="blue")
    battle.refused("TMG-MODE-FFC-14", "place", x=24, y=3)
    battle.refused("TMG-MODE-FFC-14", "place", x=24, y=24 - DEEP)  # on the fallen tray
    seen(battle, spots, (pile("ours", 24, 3),))
    assert any(one.startswith("ours may not lie there") for one in battle.answer["reminders"])
    seen(battle, spots, (pile("ours", 24, 16),))
    assert not any("may not lie" in one for one in battle.answer.get("reminders", ()))
    battle.do("place", x=24, y=16)
    assert battle.token("o3").pile == "ours"
    # Nobody need look for the token: it lies in the middle of the pile.
    seen(battle, {"b1": (24, 16, NORTH), "r2": (45, 40, SOUTH)}, (pile("ours", 24, 16),))
    assert battle.token("o3").holder == "b1"


@pytest.mark.rule("TMG-MODE-DWD-6", "EX-75")
def test_the_table_in_play_knows_how_slow_a_carrier_is() -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 9, SOUTH)}
    battle = seen(battle_of("DWD"), spots).do("activate", unit="b1")
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    assert table.unit("b1").speed == battle.unit("b1").speed
    battle.do("objective", token="o1", unit="b1")
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    assert table.unit("b1").speed == 2
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1")
