"""Calls that a referee argued about: second attacks, cover, fires, whose card, who is first."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.westeros.play import PLAY
from companion.games.westeros.screen import SCREEN
from companion.session.report.markdown_report import outcome
from tests.games.westeros.clash import CARDS, Clash

rule = pytest.mark.rule


def settled(game: Clash) -> Clash:
    """Retreats of the target go anywhere."""
    while game.waits() == "retreat":
        game.do("retreat", to=game.commands()[0]["to"])
    return game


def pursuing(*more: tuple[str, str, str]) -> Clash:
    """A rider that has driven its target away and may follow."""
    game = Clash([("rider", "green", "4,5")], [("foot", "green", "4,6"), *more])
    return settled(game.order("s1").attack("s1", "l1", "GM"))


@rule("BOW-KEY-13", "BOW-OPT-5", "BOW-OPT-6")
def test_each_of_two_pursuers_keeps_its_second_attack() -> None:
    riders = [("rider", "green", "4,5"), ("rider", "green", "6,5")]
    game = Clash(
        [("foot", "green", "5,4", "lord"), *riders],
        [("foot", "green", "4,6"), ("foot", "green", "6,6"), ("foot", "green", "8,8")],
    )
    game.do("card", unit="s1", tokens=[1], units=["s2", "s3"])
    for rider, target, to in (("s2", "l1", "4,6"), ("s3", "l2", "6,6")):
        settled(game.attack(rider, target, "GM")).do("follow", to=to)
    strikers = {one["unit"] for one in game.commands() if one["do"] == "attack"}
    assert strikers == {"s2", "s3"}
    target = next(one["target"] for one in game.commands() if one.get("unit") == "s2")
    game.attack("s2", target, "MM")
    while game.waits() != "act":
        settled(game)
        if game.waits() == "follow":
            game.do("follow")
    assert {one["unit"] for one in game.commands() if one["do"] == "attack"} <= {"s3"}


@rule("BOW-KEY-13", "BOW-OPT-5", "BOW-FIR-15", "BOW-KEY-16")
def test_a_pursuer_fights_one_fire_instead_of_its_second_attack() -> None:
    game = pursuing(("foot", "green", "9,9")).do("follow", to="4,6")
    for cell in ("3,6", "5,6"):
        game.state = game.do("effect", to=cell, fire=1).state
    game.do("fight-fire", unit="s1", to="3,6", faces=["M"])
    assert not [one for one in game.commands() if one["do"] == "fight-fire"]


@rule("BOW-KEY-12", "BOW-KEY-13")
def test_a_pursuit_may_come_back_onto_its_own_hex() -> None:
    game = pursuing(("foot", "green", "3,5"))
    (prompt,) = SCREEN.prompts(game.state)
    texts = [str(one.text) for one in prompt.choices]
    assert texts == ["There and back, to attack again", "Stay"]
    assert (4, 5) not in [one.cell for one in prompt.cells]
    game.do("follow", to="4,5")
    assert [one for one in game.commands() if one["do"] == "attack"]


@rule("BOW-KEY-1", "BOW-TER-19")
def test_an_advance_on_roads_may_come_back_and_promises_no_second_attack() -> None:
    roads = dict.fromkeys(("4,5", "4,6"), "road")
    game = Clash([("guard", "green", "4,5")], [("foot", "green", "4,6")], ground=roads)
    settled(game.order("s1").attack("s1", "l1", "GM"))
    (prompt,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in prompt.choices] == ["There and back", "Stay"]
    game.do("follow", to="4,5")
    assert not [one for one in game.commands() if one["do"] == "attack"]


@rule("BOW-TER-13", "BOW-ENG-4", "BOW-D-33")
def test_the_odds_of_an_attack_count_the_marker_as_it_will_lie() -> None:
    game = Clash(
        [("foot", "red", "5,5")], [("foot", "green", "5,6")], ground={"5,6": "building"}
    ).do("effect", unit="l1", engage="s1")
    game.order("s1")
    (offer,) = (one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "swords")
    assert (str(offer.odds), str(offer.expected)) == ("1.1 figures", "41% retreat")
    game.do("attack", unit="s1", target="l1")
    (prompt,) = SCREEN.prompts(game.state)
    assert "1.06 figures on average" in [str(one.text) for one in prompt.facts]


@rule("BOW-FIR-14", "BOW-OPT-2")
def test_after_the_own_fire_is_out_the_others_still_move() -> None:
    game = Clash(
        [("foot", "green", "5,4", "lord"), ("foot", "green", "5,5"), ("foot", "green", "6,5")],
        [("foot", "green", "9,9")],
        ground={"5,5": "forest"},
    ).do("effect", to="5,5", fire=1)
    game.do("card", unit="s1", tokens=[1], units=["s2", "s3"])
    offers = SCREEN.offers(game.state, None, "s2")
    (out,) = (one for one in offers if one.text == "Put out the own fire")
    assert not out.reason
    game.do("fight-fire", unit="s2")
    assert game.refused("move", unit="s2", to="5,6") == "BOW-FIR-14"
    game.do("move", unit="s3", to="6,6").do("effect", to="5,5", fire=1)
    assert game.refused("fight-fire", unit="s3") == "BOW-FIR-14"


@rule("BOW-SET-4")
def test_cards_of_commanders_who_are_not_in_play_stay_in_the_box() -> None:
    cards = [
        {"id": f"c-{one}", "name": f"Card of {one}", "house": "stark", "commander": one}
        for one in ("lady", "lord")
    ]
    game = Clash([("foot", "green", "5,5", "lord")], [("foot", "green", "5,8")], commands=cards)
    offered = [str(one.text) for one in SCREEN.offers(game.state, None, "s1")]
    assert "Play Card of lord" in offered
    assert "Play Card of lady" not in offered
    assert "c-lady" in game.refused("card", unit="s1", card="c-lady")


@rule("BOW-RND-15", "BOW-RND-16", "BOW-VIC-4")
def test_who_reaches_the_goal_in_the_same_moment_as_the_first_player_is_second() -> None:
    for order in (("5,0", "5,10"), ("5,10", "5,0")):
        sites = [{"cell": cell, "round": 1} for cell in order]
        game = Clash(
            [("foot", "green", "4,1")],
            [("foot", "green", "4,9")],
            victory={"goal": 1, "sites": sites},
        )
        game.order("s1").do("move", unit="s1", to="5,0").do("end-turn")
        game.order("l1").do("move", unit="l1", to="5,10").do("end-turn")
        game.pass_both()
        assert game.state.winner == "stark"


@rule("BOW-RND-15", "BOW-FIR-7", "BOW-MOR-7")
def test_the_first_players_units_burn_first() -> None:
    for stark, lannister in (("2,2", "8,8"), ("8,8", "2,2")):
        ground = {"2,2": "forest", "8,8": "forest"}
        game = Clash(
            [("foot", "green", stark), ("foot", "green", "0,0")],
            [("foot", "green", lannister), ("foot", "green", "10,10")],
            ground=ground,
        )
        for cell in ground:
            game.do("effect", to=cell, fire=1)
        game.pass_both()
        burnt = [one.data["unit"] for one in game.events if one.type == "hits"]
        assert burnt == ["s1", "l1"]


@rule("BOW-LOS-5", "BOW-LOS-6")
def test_what_blocks_the_line_of_sight_is_named() -> None:
    game = Clash(
        [("archer", "green", "4,5"), ("guard", "green", "5,5")], [("foot", "green", "6,5")]
    )
    game.do("order", unit="s1", tokens=["V"])
    told = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    refused = told["Attack Foot"]
    assert (refused.verdict, refused.rules[0]) == ("no", "BOW-LOS-5")
    assert str(refused.reason) == "the line of sight is blocked: Guard"


@rule("BOW-CRD-4", "BOW-CRD-8")
def test_a_unit_that_a_card_cannot_order_says_why() -> None:
    near, far = ("guard", "green", "4,5"), ("rider", "green", "9,5")
    game = Clash([("foot", "green", "5,5", "lord"), near, far], [("foot", "green", "5,9")])
    game.do("card", unit="s1", tokens=[1], ask=True)
    assert SCREEN.offers(game.state, None, "s2") == ()
    (offer,) = SCREEN.offers(game.state, None, "s3")
    assert (offer.verdict, offer.rules) == ("no", ("BOW-CRD-4",))
    assert SCREEN.offers(game.state, None, "l1") == ()


@rule("BOW-MOR-7", "BOW-VIC-4")
def test_the_report_says_that_a_battle_was_won_by_rout() -> None:
    game = Clash([("foot", "green", "4,5")], [("foot", "green", "4,8")])
    game.do("effect", side="stark", morale=11)
    told = outcome(PLAY.moment(game.state))
    assert told == "Stark wins, Stark 0 : Lannister 0. The army of Lannister is routed."


@rule("BOW-GEN-1", "BOW-UNT-2")
def test_houses_that_begin_alike_have_units_of_their_own() -> None:
    usual = {"tokens": 4, "orders": 4, "cards": 4}
    cells = {"stark": "1,1", "stannis": "5,5"}
    houses = [
        {"side": side, **usual, "units": [{"card": "foot", "rank": "green", "cell": cell}]}
        for side, cell in cells.items()
    ]
    plan = {"id": "p", "name": "P", "rounds": 3, "house": houses}
    setup = PLAY.prepare("westeros", {"battle": plan, "cards": CARDS})
    assert not isinstance(setup, Refusal), setup
    state = PLAY.start("westeros", setup)
    assert [one.id for one in state.units] == ["a1", "b1"]


@rule("BOW-RND-16", "BOW-VIC-1")
def test_who_stops_early_counts_what_the_last_round_counts() -> None:
    sites = [
        {"cell": "2,2", "end": 3, "held_by": "stark"},
        {"cell": "8,8", "round": 1, "held_by": "lannister"},
    ]
    game = Clash([("foot", "green", "2,2")], [("foot", "green", "8,8")], victory={"sites": sites})
    game.do("effect", side="lannister", points=1).do("stop")
    assert [one.vp for one in game.state.houses] == [3, 2]
    assert game.state.winner == "stark"


@rule("BOW-RND-16")
def test_the_points_of_a_round_are_counted_once_however_the_battle_stops() -> None:
    sites = [{"cell": "2,2", "round": 1, "end": 3, "held_by": "stark"}]
    game = Clash([("foot", "green", "2,2")], [("foot", "green", "8,8")], victory={"sites": sites})
    while game.state.phase == "command":
        game.do("pass")
    assert (game.waits(), game.house("stark").vp) == ("keep", 1)
    assert game.do("stop").house("stark").vp == 4


@rule("BOW-OPT-1")
def test_the_turn_may_end_from_any_ordered_unit_but_is_not_proposed_while_one_is_unused() -> None:
    game = Clash(
        [("foot", "green", "5,5", "lord"), ("guard", "green", "4,5"), ("foot", "green", "6,5")],
        [("foot", "green", "5,9")],
    )
    game.do("card", unit="s1", tokens=[1], units=["s2", "s3"])
    for unit in ("s2", "s3"):
        (end,) = [one for one in SCREEN.offers(game.state, None, unit) if one.closes]
        assert end.possible
        assert end.by_row
