"""Three and four players, two teams, and ready armies: from an empty home to a played round."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.files.draft import Draft, set_up
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_builder import ready_lists
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.army.army_rules import check, cost
from models.field import Field
from tests.trials import trials

WAYS = {
    "duel": ("choice:('duel', 2)", 2),
    "three": ("choice:('ffa', 3)", 3),
    "four": ("choice:('ffa', 4)", 4),
    "teams": ("choice:('team', 4)", 4),
}


def draft(driver: Driver) -> Draft:
    found: Draft = driver.app.service.drafting.draft
    return found


def begun(driver: Driver, way: str, edition: str = "") -> int:
    """Begin a game from the home screen with ready armies; how many taps it took."""
    name, _ = WAYS[way]
    taps = ["new"]
    if edition:
        taps.append(edition)
    if way != "duel":
        taps.append(name)
    taps.append("step:armies")
    for tap in taps:
        driver.press(tap)
    if way == "duel":
        driver.press("ready:0")
        driver.press("ready:1")
    else:
        driver.press("ready:all")
    driver.press("step:begin")
    driver.press("begin")
    driver.rest()
    return len(taps) + 4


def told(driver: Driver) -> list[str]:
    """All sentences on the screen."""
    return [str(one.text) for one in driver.widgets() if getattr(one, "text", "")]


def state(driver: Driver) -> Any:
    here = driver.app.service.controller.game.here
    assert here is not None
    return here.state


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-2", "TMG-FFA-4", "TMG-TEAM-5")
@pytest.mark.parametrize(
    ("way", "edition"),
    [
        ("teams", ""),
        ("duel", "choice:tmg-2018"),
        *((way, "") for way in WAYS if way != "teams"),
        *((way, "choice:tmg-2018") for way in WAYS if way != "duel"),
    ][: trials(2, 8)],
)
def test_a_newcomer_begins_in_under_ten_taps(driver: Driver, way: str, edition: str) -> None:
    taps = begun(driver, way, edition)
    assert taps < 10, taps
    now = state(driver)
    players, sides = {"duel": (2, 2), "three": (3, 3), "four": (4, 4), "teams": (4, 2)}[way]
    assert (len(now.players), len(now.sides)) == (players, sides)
    assert now.round == 1
    assert now.phase == "activation"
    assert all(unit.standing for unit in now.units)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["choice:tmg-2018", "choice:tmg-2021"][: trials(1, 2)])
def test_who_only_goes_on_from_step_to_step_begins_in_under_ten_taps(
    driver: Driver, edition: str
) -> None:
    """Past the steps that may be left out, and a second tap there changes nothing."""
    taps = ["new", edition, "next", "next", "ready:0", "ready:1"]
    for tap in taps:
        driver.press(tap)
    x, y = driver.place(driver.find("straight"))
    driver.press("straight")
    assert driver.find("begin") is not None
    driver.touch(x, y)
    driver.rest()
    assert driver.find("begin") is not None
    driver.press("begin")
    driver.rest()
    assert len(taps) + 2 < 10
    assert state(driver).phase == "activation"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "edition"),
    [
        ("duel", "choice:tmg-2018"),
        ("teams", "choice:tmg-2018"),
        *((way, "choice:tmg-2018") for way in ("three", "four")),
        *((way, "choice:tmg-2021") for way in WAYS),
    ][: trials(2, 8)],
)
def test_whoever_follows_gold_from_home_begins_in_under_ten_taps(
    driver: Driver, way: str, edition: str
) -> None:
    """Page by page it took up to twelve."""
    taps = 0

    def press(name: str) -> None:
        nonlocal taps
        driver.press(name)
        taps += 1

    press("new")
    press(edition)
    while driver.app.place != "table":
        assert taps < 10, driver.names()
        gold = [one for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]
        choose = WAYS[way][0]
        if way != "duel" and driver.find(choose) is not None and draft(driver).shape == "duel":
            press(choose)
        elif "ready:all" in driver.names() and not draft(driver).mustered:
            press("ready:all")
        else:
            assert len(gold) == 1, [one.name for one in gold]
            press(gold[0].name)
    assert taps < 10
    assert state(driver).phase == "activation"
    assert len(state(driver).players) == WAYS[way][1]


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-4")
def test_three_players_take_their_turns_by_touch(driver: Driver) -> None:
    """Whole rounds are played by taps in tests/games/tmg/screen/test_many_players.py."""
    begun(driver, "three")
    turns = [state(driver).active]
    while len(turns) < 3:
        names = driver.names()
        driver.press(next(name for name in names if name.startswith(("unit:", "best:"))))
        driver.press("offer:forgo")
        driver.press("do-offer")
        driver.press("choice:end-turn")
        turns.append(state(driver).active)
    assert turns == [side.id for side in state(driver).sides], "clockwise from the first player"


@pytest.mark.rule("TMG-TEAM-1", "TMG-FFA-1")
def test_the_draft_keeps_who_plays(driver: Driver) -> None:
    driver.press("new")
    driver.press(WAYS["teams"][0])
    kept = Draft.read(Field(draft(driver).to_json()))
    assert (kept.shape, [seat.team for seat in kept.seats]) == ("team", ["blue", "red"] * 2)
    old = {
        key: value
        for key, value in Draft.fresh("tmg-2021").to_json().items()
        if key not in ("shape", "season")
    }
    assert (Draft.read(Field(old)).shape, len(Draft.read(Field(old)).seats)) == ("duel", 2)
    command = set_up(draft(driver))
    assert [one["side"] for one in command["armies"]] == ["blue", "red", "blue", "red"]


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-2")
def test_three_players_of_another_game_stay_three(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:thrones")
    driver.press("choice:tmg-2021")
    assert len(draft(driver).seats) == 2
    driver.press("choice:SOS")
    driver.press(WAYS["three"][0])
    assert draft(driver).mode == "GOT", "a siege needs two sides (TMG-FFA-1)"
    driver.press("choice:tmg-2018")
    assert (draft(driver).shape, len(draft(driver).seats)) == ("ffa", 3)


@pytest.mark.rule("TMG-ARM-1", "TMG-ARM-5", "TMG-ARM-13")
@pytest.mark.parametrize("game", ["tmg-2018", "tmg-2021"])
def test_every_ready_army_keeps_every_rule_in_every_season(game: str) -> None:
    assert len(ready_lists(game)) >= 6
    for _faction, points, listed in ready_lists(game):
        for season in ("", "S07") if game == "tmg-2021" else ("",):
            army = read_list(listed, game, points, season)
            assert check(army) == (), (listed, season)
            assert PLAY.army_unknowns(army) == ()
            if game == "tmg-2021":  # the cards of 2018 name no points
                assert points - 1 <= cost(army) <= points, (listed, season)


@pytest.mark.slow
def test_the_app_plays_a_side_of_the_miniatures(driver: Driver) -> None:
    """Chosen at the players' step; who plays alone never sees the hand of the app."""
    driver.press("new")
    driver.press("step:seats")
    driver.press("choice:captain")  # the first of two
    driver.press("step:armies")
    driver.press("ready:0")
    driver.press("ready:1")
    driver.press("step:begin")
    driver.press("begin")
    driver.rest()
    here = driver.app.service.controller.game.here
    assert here is not None
    assert [one.level for one in here.rivals.seats] == ["captain"]
    assert driver.app.service.snapshot.seats[0].name == "Rival"
    driver.press("dock:page:cards")
    hands = [name for name in driver.names() if name.startswith("hand:")]
    assert hands == [f"hand:{draft(driver).seats[1].side}"]


@pytest.mark.slow
@pytest.mark.rule("TMG-TEAM-1")
def test_armies_of_a_larger_game_give_way_to_ready_ones(driver: Driver) -> None:
    for tap in ("new", "step:armies", "ready:0", "ready:1", "step:game", WAYS["teams"][0]):
        driver.press(tap)
    costs = draft(driver).builder
    assert costs is not None
    assert any(seat.army and (costs.army_cost(seat.army) or 0) > 20 for seat in draft(driver).seats)
    driver.press("step:armies")
    driver.press("change-army")
    driver.press("ready:all")
    assert draft(driver).points == 20
    for seat in draft(driver).seats:
        assert seat.army is not None
        assert (costs.army_cost(seat.army) or 0) <= 20


@pytest.mark.slow
@pytest.mark.rule("TMG-TEAM-2")
def test_four_legal_armies_of_two_teams_may_go_on_from_every_tab(driver: Driver) -> None:
    for tap in ("new", WAYS["teams"][0], "step:armies", "ready:all"):
        driver.press(tap)
    for seat in draft(driver).seats:
        driver.press("step:armies")
        driver.press(f"choice:{seat.side}")
        driver.press("next")
        screen = driver.app.screen
        assert screen.steps[screen.step].id == "tags", seat.side


@pytest.mark.slow
def test_a_saved_game_tells_its_edition(driver: Driver) -> None:
    begun(driver, "duel", "choice:tmg-2018")
    driver.app.leave()
    driver.rest()
    texts = [str(getattr(one, "text", "")) for one in driver.widgets()]
    assert any("2018" in one and " · " in one for one in texts), "on the card to go on with"


@pytest.mark.slow
@pytest.mark.rule("TMG-MODE-COK-4", "TMG-DEP-3")
def test_a_table_that_is_set_up_is_taken_as_it_is_where_cards_are_chosen_first(
    driver: Driver,
) -> None:
    """The trays stand on the map while cards are chosen, and nobody is asked to deploy them."""
    for tap in ("new", "choice:COK", WAYS["three"][0], "step:armies", "ready:all", "step:begin"):
        driver.press(tap)
    driver.press("begin")
    driver.rest()
    now = state(driver)
    assert now.step == "cards-chosen"
    table = PLAY.table(now)
    assert table is not None
    assert {one.id for one in table.units} == {one.id for one in now.units}
    sat = ["near-left", "far-left", "far-right"]  # as they sit (TMG-FFA-2)
    assert table.zones == tuple(zip(sat, now.side_names, strict=True))
    assert "5 cards for 3 players: everybody takes 1, not 2" in told(driver)
    for card in ("6", "7", "8"):
        driver.press(next(one for one in driver.names() if one.endswith(f":{card}")))
        driver.press("do-choice")
    assert (state(driver).step, state(driver).round) == ("turn-start", 1)


@pytest.mark.slow
def test_costs_that_nobody_told_are_not_called_nothing(driver: Driver) -> None:
    """The cards of 2018 name no points."""
    for tap in ("new", "choice:tmg-2018", "step:armies", "ready:0"):
        driver.press(tap)
    assert not any("0 of 40" in one for one in told(driver))
    driver.press("ready:1")
    driver.press("step:begin")
    lines = [one for one in told(driver) if " units, " in one]
    assert len(lines) == 2
    assert all(one.endswith("units, points not known") for one in lines), lines


@pytest.mark.slow
@pytest.mark.rule("TMG-TEAM-5")
def test_the_first_player_of_a_team_game_is_a_team(driver: Driver) -> None:
    for tap in ("new", WAYS["teams"][0], "step:armies", "ready:all", "step:begin"):
        driver.press(tap)
    (line,) = (one for one in told(driver) if one.startswith("first player: "))
    first, mate = line.removeprefix("first player: ").replace("&amp;", "&").split(" & ")
    assert {first, mate} in ({"Blue 1", "Blue 2"}, {"Red 1", "Red 2"})


@pytest.mark.slow
@pytest.mark.rule("TMG-TEAM-1")
def test_a_mate_is_called_and_marked_by_its_teams_colour(driver: Driver) -> None:
    """Blue's mate is no "Green" on blue trays."""
    driver.press("new")
    driver.press(WAYS["teams"][0])
    for step in ("seats", "armies", "begin"):
        driver.press(f"step:{step}")
        if step == "armies":
            driver.press("ready:all")
        words = " ".join(told(driver)).casefold().replace("\u00a0", " ")
        words = words.replace("[font=dejavusans]", "").replace("[/font]", "")
        assert "● blue 2" in words, step
        assert "◆ red 2" in words, step
        assert not {"green", "violet"} & {*words.split()}, step
    driver.press("begin")
    driver.rest()
    assert [one.name for one in driver.app.service.snapshot.seats] == [
        "Blue 1 & Blue 2",
        "Red 1 & Red 2",
    ]


def test_who_goes_first_follows_the_names_as_they_are_typed(driver: Driver) -> None:
    for tap in ("new", "choice:('team', 4)", "step:seats"):
        driver.press(tap)
    sides = [seat.side for seat in draft(driver).seats]
    for side, name in zip(sides, "Ada Ben Cleo Dan".split(), strict=True):
        entry = next(one for one in driver.widgets() if getattr(one, "name", "") == f"name:{side}")
        entry.text = name
        driver.rest()
    first = [text for text in told(driver) if " & " in text]
    assert len(first) == 2
    assert first[0].endswith("Ada & Cleo")
    assert first[1].endswith("Ben & Dan")
