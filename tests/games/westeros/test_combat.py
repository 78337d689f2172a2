"""Combat in play: markers, hits, retreats, Stalwart, parting blows, counterattacks, pursuit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.westeros.play import PLAY
from companion.games.westeros.play.events.battle_events import hits_title
from companion.games.westeros.play.prompts import waiting
from companion.games.westeros.play.state import battle_position, current_table
from companion.games.westeros.screen import SCREEN
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule
FAR: Any = ("foot", "green", "0,10")
"""A second Lannister unit far away, so that the battle goes on."""


MINE: Any = ("foot", "red", "5,5")
THEIRS: Any = ("foot", "green", "5,6")


def card_of(game: Clash) -> tuple[str, str]:
    """The head of the card and its rule."""
    asked = SCREEN.prompts(game.state)[0]
    return str(asked.title), asked.rule


def duel(mine: Any = MINE, theirs: Any = THEIRS, **more: Any) -> Clash:
    """One Stark unit and one Lannister unit beside it."""
    return Clash([mine], [theirs, FAR], **{"orders": 8, "rolls": ("V" * 8, "V" * 8), **more})


# -- orders, moves and attacks ---------------------------------------------------------------------


@rule("BOW-OPT-1", "BOW-OPT-2", "BOW-OPT-3", "BOW-OPT-5", "BOW-OPT-6", "BOW-MOV-1", "BOW-UNT-14")
def test_moves_come_before_attacks_and_each_unit_acts_once() -> None:
    units: Any = [
        ("foot", "green", "5,4", "lord"),
        ("foot", "green", "4,4"),
        ("foot", "blue", "6,4"),
    ]
    game = Clash(units, [("foot", "red", "5,6"), FAR])
    assert game.refused("move", unit="s1", to="5,5") == "BOW-MOV-1"  # nobody is ordered
    game.do("card", unit="s1", tokens=[1], units=["s1", "s2", "s3"])
    game.do("move", unit="s1", to="5,5").do("move", unit="s2", to="4,5")
    assert game.cell("s1") == "5,5"  # the whole unit stands on its new hex
    assert game.refused("move", unit="s1", to="5,4") == "BOW-OPT-3"
    assert game.refused("attack", unit="l1", target="s1") == "BOW-UNT-10"
    game.attack("s1", "l1", "GG")
    assert game.refused("move", unit="s3", to="6,5") == "BOW-OPT-2"
    assert game.refused("attack", unit="s1", target="l1") == "BOW-OPT-5"
    game.do("end-turn")
    assert [game.unit(one).active for one in ("s1", "s2", "s3")] == [False, False, False]


@rule("BOW-OPT-1", "BOW-UNT-8", "BOW-UNT-6")
def test_a_long_move_leaves_no_attack() -> None:
    game = duel(("foot", "blue", "5,4"), ("foot", "green", "5,7"))
    game.order("s1").do("move", unit="s1", to="5,6")
    assert game.refused("attack", unit="s1", target="l1") == "BOW-OPT-1"
    short = duel(("foot", "blue", "5,5"), ("foot", "green", "5,7"))
    short.order("s1").do("move", unit="s1", to="5,6").do("attack", unit="s1", target="l1")


@rule("BOW-MOV-2", "BOW-MOV-5", "BOW-MOV-6", "BOW-FIR-12", "BOW-FIR-13", "BOW-FIR-11")
def test_refused_moves_name_their_rule() -> None:
    ground = {"6,5": "river", "4,5": ["plains", "fire-1"]}
    game = duel(ground=ground).order("s1")
    assert game.refused("move", unit="s1", to="5,9") == "BOW-MOV-2"
    assert game.refused("move", unit="s1", to="5,6") == "BOW-MOV-5"
    assert game.refused("move", unit="s1", to="6,5") == "BOW-MOV-6"
    assert game.refused("move", unit="s1", to="4,5") == "BOW-FIR-11"
    assert "not on the board" in game.refused("move", unit="s1", to="40,5")
    burning = duel(ground={"5,5": ["plains", "fire-1"]}).order("s1")
    assert burning.refused("move", unit="s1", to="6,5") == "BOW-FIR-12"
    assert burning.refused("attack", unit="s1", target="l1") == "BOW-FIR-13"


@rule("BOW-LOS-2", "BOW-LOS-3", "BOW-LOS-5", "BOW-CMB-1", "BOW-CMB-2")
def test_refused_attacks_name_their_rule() -> None:
    game = duel(("foot", "red", "5,4")).order("s1")
    assert game.refused("attack", unit="s1", target="l1") == "BOW-LOS-3"
    assert game.refused("attack", unit="s1", target="s1") == "BOW-CMB-1"
    assert game.refused("hounds", unit="s1", target="l1") == "BOW-KEY-4"
    assert game.refused("scorch", unit="s1", to="5,5") == "BOW-KEY-16"
    assert game.refused("roll") == "BOW-CMB-1"
    game.do("end-turn")  # nobody must attack


# -- hits ------------------------------------------------------------------------------------------


@rule("BOW-CMB-3", "BOW-CMB-5", "BOW-CMB-8", "BOW-V-16", "BOW-UNT-11", "BOW-UNT-15", "BOW-CMB-10")
def test_hits_remove_figures_at_once() -> None:
    game = duel(("foot", "blue", "5,5")).order("s1").attack("s1", "l1", "VGB")
    assert (game.unit("l1").figures, game.unit("l1").damage) == (2, 2)
    assert game.unit("s1").active is False
    assert game.state.active == "lannister"  # the turn is over


@rule("BOW-CMB-7", "BOW-V-17")
def test_valour_of_foot_does_not_hit_cavalry() -> None:
    game = duel(("foot", "green", "5,5"), ("rider", "blue", "5,6"))
    game.order("s1").attack("s1", "l1", "VR")
    assert game.unit("l1").figures == 3


@rule("BOW-KEY-3", "BOW-V-25", "BOW-TER-13")
@pytest.mark.parametrize(("symbols", "left"), [("GGBB", 4), ("GGGB", 3)])
def test_cover_and_toughness_in_play(symbols: str, left: int) -> None:
    game = duel(theirs=("tough", "green", "5,6"), ground={"5,6": "building"})
    assert game.order("s1").attack("s1", "l1", symbols).unit("l1").figures == left


@rule("BOW-TER-13", "BOW-D-16", "BOW-D-33", "BOW-ENG-4")
def test_a_building_covers_unless_engaged_under_the_own_marker() -> None:
    game = duel(ground={"5,6": "building"}, rounds=5)
    game.order("s1").attack("s1", "l1", "GBBB")
    assert game.unit("l1").figures == 4  # Cover 1 under the enemy's marker
    assert game.engaged() == [("s1", "l1", "stark")]
    game.order("l1").attack("l1", "s1", "BB")
    assert game.engaged() == [("l1", "s1", "lannister")]  # the marker is replaced
    game.next_round("V" * 8).order("s1")
    game.do("attack", unit="s1", target="l1")  # replaced again: Cover counts
    game.do("roll", faces=list("GGBB"))
    assert game.unit("l1").figures == 3


@rule("BOW-KEY-9", "BOW-KEY-10", "BOW-D-29", "BOW-D-30", "BOW-OR-38")
def test_heavy_armour_in_play() -> None:
    game = duel(theirs=("heavy", "green", "5,6"), rout=False)
    game.order("s1").do("attack", unit="s1", target="l1")
    told = [str(one.text) for one in SCREEN.prompts(game.state)[0].facts]
    assert "heavy armour: attacked as one rank higher" in told
    game.do("roll", faces=[*"GBRR"])
    assert game.unit("l1").figures == 3
    red = duel(theirs=("heavy", "red", "5,6")).order("s1").attack("s1", "l1", "RVMG")
    assert red.unit("l1").figures == 3
    assert red.waits() == "retreat"
    dead = duel(theirs=("heavy", "green", "5,6")).do("effect", unit="l1", figures=1)
    dead.order("s1").attack("s1", "l1", "BGGG")
    assert dead.state.morale == 1  # the real rank counts for morale


@rule("BOW-TER-4", "BOW-TER-7", "BOW-TER-32", "BOW-D-12", "BOW-D-13", "BOW-CMB-4", "BOW-TER-14")
def test_caps_come_before_modifiers() -> None:
    hill = duel(ground={"5,6": "hill"}).order("s1").do("attack", unit="s1", target="l1")
    assert hill.state.attack is not None
    assert hill.state.attack.dice == 3
    units: Any = [("foot", "red", "5,5", "lord")]
    wood = Clash(units, [("foot", "green", "5,6"), FAR], ground={"5,5": "forest"})
    wood.do("card", unit="s1", tokens=[1], units=["s1"], dice=1)
    wood.do("attack", unit="s1", target="l1")
    assert wood.state.attack is not None
    assert wood.state.attack.dice == 3  # D13: 2 + 1


@rule("BOW-CMB-4", "BOW-KEY-6")
def test_the_dice_of_a_command_card_count_before_the_roll_as_in_it() -> None:
    """The offer's odds, the table that is measured, and the roll: one number of dice."""
    units: Any = [("foot", "blue", "5,5", "lord"), ("hound", "green", "5,4")]
    game = Clash(units, [("foot", "green", "5,6"), FAR])
    game.do("card", unit="s1", tokens=[1], units=["s1", "s2"], dice=1)
    (offer,) = [one for one in SCREEN.offers(game.state, None, "s1") if one.target == "l1"]
    assert offer.odds == "2.0 figures", "4 dice, half of their sides hit"
    facts = next(one.facts for one in current_table(game.state).pieces if one.id == "s1")
    assert (facts["dice"], facts["card_dice"]) == (3, 1)
    hounds = game.do("hounds", unit="s2", target="l1").do("roll", faces=["G"])
    assert hounds.state.attack is not None
    assert hounds.state.attack.dice == 3  # 2 of the green rank + 1
    struck = Clash(units, [("foot", "green", "5,6"), FAR])
    struck.do("card", unit="s1", tokens=[1], units=["s2"], dice=1)
    assert battle_position(struck.state).by_id["s1"].card_dice == 0  # only what it orders


@rule("BOW-KEY-11", "BOW-D-32")
def test_off_balance_after_a_move() -> None:
    game = duel(("archer", "red", "5,4"), ("foot", "green", "5,8"))
    game.order("s1").do("move", unit="s1", to="5,5").do("attack", unit="s1", target="l1")
    assert game.state.attack is not None
    assert game.state.attack.dice == 3


@rule("BOW-CMP-9", "BOW-CMP-2")
def test_dice_are_entered_as_symbols_or_faces_or_rolled() -> None:
    game = duel().order("s1").do("attack", unit="s1", target="l1")
    assert "3 dice given, 4 rolled" in game.refused("roll", faces=["G", "G", "G"])
    assert "'X' is unknown" in game.refused("roll", faces=["X", "G", "G", "G"])
    assert "9 is outside" in game.refused("roll", faces=[9, 1, 1, 1])
    by_hand = duel().order("s1").do("attack", unit="s1", target="l1")
    by_hand.do("roll", faces=[1, 4, 7, "R"])
    assert by_hand.unit("l1").figures == 2
    game.do("roll")
    (rolled,) = [one for one in game.events if one.type == "attack-rolled"]
    assert len(rolled.data["faces"]) == 4
    assert PLAY.dice(rolled)[0].die == 8


# -- capture ---------------------------------------------------------------------------------------


@rule("BOW-CDR-8", "BOW-CDR-9", "BOW-CDR-10", "BOW-V-24", "BOW-OR-9", "BOW-CDR-7")
@pytest.mark.parametrize(("symbols", "fate"), [("GGBB", "field"), ("GGGB", "captured")])
def test_a_commander_alone_is_captured_by_its_value(symbols: str, fate: str) -> None:
    game = duel(theirs=("foot", "green", "5,6", "lord"), victory={"unit": 1, "capture": 2})
    game.do("effect", unit="l1", figures=1)
    game.order("s1").attack("s1", "l1", symbols)
    assert (game.unit("l1").fate, game.unit("l1").figures) == (fate, int(fate == "field"))
    captured = fate == "captured"
    assert (game.state.morale, game.house().vp) == ((1, 3) if captured else (0, 0))
    assert ("Foot (Stark) captures Lord" in game.titles) is captured, "who did it is told"


@rule("BOW-CDR-7", "BOW-CDR-9")
@pytest.mark.parametrize(("value", "fate"), [(2, "captured"), (3, "field")])
def test_a_capture_value_that_nobody_entered_is_asked_and_not_invented(
    value: int, fate: str
) -> None:
    game = duel(theirs=("foot", "green", "5,6", "stranger"))
    game.do("effect", unit="l1", figures=1)
    (offer,) = [one for one in SCREEN.offers(game.order("s1").state, None) if one.target == "l1"]
    assert "captured" not in str(offer.expected), "no chance is told that depends on it"
    told = "capture value: asked for when it is needed"
    assert (str(offer.odds), str(offer.expected).partition(" · ")[0]) == ("", told)
    game.attack("s1", "l1")
    (prompt,) = SCREEN.prompts(game.state)
    facts = [str(one.text) for one in prompt.facts]
    assert told in facts
    assert not any("average" in one for one in facts)
    game.do("roll", faces=list("GGBB"))
    (asked,) = game.state.tasks
    assert (asked.kind, asked.side, game.unit("l1").figures) == ("capture-value", "lannister", 1)
    ((_, commands),) = waiting(game.state)
    assert [one["number"] for one in commands] == list(range(1, 10))
    assert "9" in game.refused("capture-value", number=10)
    game.do("capture-value", number=value)
    assert game.unit("l1").fate == fate
    if fate == "field":  # it is asked once
        commander = game.unit("l1").commander
        assert commander is not None
        assert commander.capture == value
    spared = duel(theirs=("foot", "green", "5,6", "stranger"))
    spared.order("s1").attack("s1", "l1", "GGBB")
    assert (spared.state.tasks, spared.unit("l1").figures) == ((), 2), "three others stand there"


@rule("BOW-OR-8", "BOW-OR-9")
def test_readings_of_capture() -> None:
    for readings, fate in (((), "captured"), (("leftover-hits=strict",), "field")):
        game = duel(theirs=("foot", "green", "5,6", "lady"), readings=readings)
        game.do("effect", unit="l1", figures=2).order("s1").attack("s1", "l1", "GGBB")
        assert game.unit("l1").fate == fate
    quiet = duel(theirs=("foot", "green", "5,6", "lady"), readings=("capture-morale=nothing",))
    quiet.do("effect", unit="l1", figures=1).order("s1").attack("s1", "l1", "GBBB")
    assert (quiet.unit("l1").fate, quiet.state.morale) == ("captured", 0)


@rule("BOW-CDR-11")
def test_a_commander_takes_no_hits_to_pay() -> None:
    game = duel(theirs=("foot", "green", "5,6", "lord"))
    assert game.refused("effect", unit="l1", figures=0) == "BOW-CDR-11"


# -- engagement ------------------------------------------------------------------------------------


@rule("BOW-ENG-1", "BOW-ENG-2", "BOW-ENG-3", "BOW-V-18")
def test_a_marker_is_placed_before_the_roll() -> None:
    game = duel().order("s1").do("attack", unit="s1", target="l1")
    assert game.engaged() == [("s1", "l1", "stark")]
    assert game.waits() == "attack-roll"


@rule("BOW-ENG-1", "BOW-ENG-2", "BOW-ENG-12")
def test_players_may_put_a_marker_by_hand() -> None:
    lannister: Any = [("foot", "green", "5,6"), ("foot", "green", "6,5"), FAR]
    game = Clash([("foot", "red", "5,5")], lannister)
    assert game.refused("effect", unit="s1", engage="l3") == "BOW-ENG-1"
    assert game.refused("effect", unit="s1", engage="s1") == "BOW-ENG-1"
    game.do("effect", unit="s1", engage="l1")
    assert game.engaged() == [("s1", "l1", "stark")]
    assert game.refused("effect", unit="s1", engage="l2") == "BOW-ENG-2"
    assert game.refused("effect", unit="l2", engage="s1") == "BOW-ENG-2"
    game.order("s1").do("attack", unit="s1", target="l1")
    for change in ({"to": "1,1"}, {"figures": 0}, {"disengage": True}):
        assert game.refused("effect", unit="l1", **change) == "BOW-CMB-1"
    game.do("effect", unit="l1", figures=3)


@rule("BOW-ENG-4")
def test_an_own_marker_stays() -> None:
    game = duel(rounds=5).order("s1").attack("s1", "l1", "BBBB")
    game.next_round("V" * 8)
    assert game.state.active == "stark"
    game.order("s1").attack("s1", "l1", "BBBB")
    assert game.engaged() == [("s1", "l1", "stark")]


def flank(**more: Any) -> Clash:
    """l1 is engaged with s1, and s2 stands beside it."""
    units: Any = [("foot", "red", "5,5"), ("rider", "red", "4,6")]
    game = Clash(units, [("foot", "green", "5,6"), FAR], rounds=5, **more)
    game.order("s1").attack("s1", "l1", "BBBB")
    return game.do("pass")


@rule("BOW-CMB-5", "BOW-CMB-8")
def test_an_attack_that_misses_says_so_and_names_its_target() -> None:
    game = duel().order("s1").attack("s1", "l1", "RRRM")
    assert any("Foot rolls" in one and one.endswith("against Foot 1") for one in game.titles)
    assert "no hit that counts" in game.titles
    hit = duel().order("s1").attack("s1", "l1", "GRRR")
    assert "no hit that counts" not in hit.titles


@rule("BOW-CDR-9")
def test_the_row_of_a_commander_alone_tells_its_capture_and_no_hits() -> None:
    game = duel(theirs=("foot", "green", "5,6", "lord")).do("effect", unit="l1", figures=1)
    (offer,) = [one for one in SCREEN.offers(game.order("s1").state, None) if one.target == "l1"]
    assert str(offer.odds) == ""
    assert "captured" in str(offer.expected)


@rule("BOW-ENG-6", "BOW-CDR-7")
def test_no_reroll_is_best_while_it_is_unknown_what_captures() -> None:
    units: Any = [("foot", "red", "5,5"), ("rider", "red", "4,6")]
    game = Clash(units, [("foot", "green", "5,6", "stranger"), FAR], rounds=5)
    game.order("s1").attack("s1", "l1", "BBBB").do("pass")
    game.do("effect", unit="l1", figures=game.unit("l1").figures - 1)
    game.order("s2").attack("s2", "l1", "BBGR")
    assert game.waits() == "reroll"
    told = [str(one.text) for one in SCREEN.prompts(game.state)[0].facts]
    assert told == ["capture value: asked for when it is needed"]


@rule("BOW-ENG-5", "BOW-ENG-6", "BOW-V-19")
def test_a_flank_attack_places_no_marker_and_may_reroll_one_symbol() -> None:
    game = flank().order("s2").attack("s2", "l1", "BBGR")
    assert game.engaged() == [("s1", "l1", "stark")]
    assert game.waits() == "reroll"
    assert game.refused("reroll", symbol="M") == "BOW-ENG-6"
    assert "1 dice given, 2 rolled" in game.refused("reroll", symbol="B", faces=["G"])
    game.do("reroll", symbol="B", faces=["G", "M"])
    assert game.unit("l1").figures == 2
    assert game.waits() == "retreat"
    kept = flank().order("s2").attack("s2", "l1", "BBGR").do("reroll")
    assert kept.unit("l1").figures == 3


@rule("BOW-ENG-7", "BOW-OR-15", "BOW-OR-16")
def test_ranged_attacks_place_no_marker_and_never_flank() -> None:
    game = duel(("archer", "red", "5,4"), ("foot", "green", "5,6"))
    game.order("s1").attack("s1", "l1", "BBBB")
    assert game.engaged() == []
    units: Any = [("foot", "red", "5,5"), ("archer", "green", "3,6")]
    mixed = Clash(units, [("foot", "green", "5,6"), FAR])
    mixed.order("s1").attack("s1", "l1", "BBBB").do("pass")
    mixed.order("s2").attack("s2", "l1", "BB")
    assert mixed.waits() != "reroll"
    assert mixed.engaged() == [("s1", "l1", "stark")]


@rule("BOW-ENG-8", "BOW-ENG-11", "BOW-ENG-7")
def test_an_engaged_ranged_unit_attacks_its_opponent_or_moves() -> None:
    game = Clash([("foot", "red", "5,5")], [("archer", "green", "5,6"), FAR, (*FAR[:2], "1,9")])
    game.order("s1").attack("s1", "l1", "BBBB")
    units: Any = [("foot", "red", "5,5"), ("foot", "green", "4,3")]
    two = Clash(units, [("archer", "green", "5,6"), FAR])
    two.order("s1").attack("s1", "l1", "BBBB").order("l1")
    assert two.refused("attack", unit="l1", target="s2") == "BOW-ENG-11"
    two.attack("l1", "s1", "BB")
    assert two.engaged() == [("s1", "l1", "stark")]  # no swap


@rule("BOW-ENG-9", "BOW-MOV-7", "BOW-PBL-1", "BOW-PBL-2", "BOW-PBL-3", "BOW-PBL-4", "BOW-D-27")
@rule("BOW-OR-14")
def test_leaving_by_a_move_allows_a_parting_blow() -> None:
    game = duel(rounds=5).order("s1").attack("s1", "l1", "BBBB")
    game.order("l1").do("move", unit="l1", to="5,8")
    assert (game.waits(), game.cell("l1"), game.engaged()) == ("parting-blow", "5,6", [])
    assert PLAY.pending(game.state)[0].side == "stark"
    game.do("parting-blow", strike=True)
    assert game.state.attack is not None
    assert game.state.attack.dice == 4  # its normal attack dice
    assert card_of(game) == ("Parting blow", "BOW-CMB-1")
    game.do("roll", faces=list("MMGB"))
    assert (game.unit("l1").figures, game.cell("l1")) == (3, "5,8")  # 1 hit, no retreat
    calm = duel(rounds=5).order("s1").attack("s1", "l1", "BBBB")
    calm.order("l1").do("move", unit="l1", to="5,8").do("parting-blow", strike=False)
    assert (calm.unit("l1").figures, calm.cell("l1")) == (4, "5,8")


@rule("BOW-PBL-4")
def test_a_unit_that_falls_to_the_parting_blow_goes_nowhere() -> None:
    game = duel(rounds=5).order("s1").attack("s1", "l1", "GGBB").order("l1")
    game.do("move", unit="l1", to="5,8").do("parting-blow", strike=True)
    game.do("roll", faces=list("GGGG"))
    assert (game.unit("l1").fate, game.state.morale) == ("eliminated", 1)
    assert game.state.active == "stark"


@rule("BOW-ENG-10", "BOW-D-26", "BOW-OR-17", "BOW-PBL-1")
def test_a_melee_unit_that_changes_its_target_leaves_first() -> None:
    """l1 is engaged with s1 and attacks s2, which is engaged with l2."""
    stark: Any = [("foot", "red", "5,5"), ("foot", "green", "4,5")]
    lannister: Any = [("foot", "red", "5,6"), ("foot", "red", "4,6"), FAR]
    game = Clash(stark, lannister, rounds=5)
    game.order("s1").attack("s1", "l1", "GGGG")
    game.order("l2").attack("l2", "s2", "BBBB").do("pass")
    assert game.state.active == "lannister"
    ((first, second), (third, fourth)) = [(a, b) for a, b, _ in game.engaged()]
    assert {first, second, third, fourth} == {"s1", "s2", "l1", "l2"}
    game.order("l1").do("attack", unit="l1", target="s2")
    assert game.waits() == "parting-blow"
    game.do("parting-blow", strike=True).do("roll", faces=list("RBBB"))
    assert game.unit("l1").figures == 3
    assert game.waits() == "attack-roll"
    assert game.state.attack is not None
    assert game.state.attack.flank is True
    game.do("roll", faces=list("GGGG")).do("reroll")
    assert game.unit("s2").fate == "eliminated"


@rule("BOW-ENG-12", "BOW-PBL-5", "BOW-ENG-13")
def test_retreats_and_cards_disengage_without_a_blow() -> None:
    game = duel().order("s1").attack("s1", "l1", "MBBB")
    game.do("retreat", to="5,7")
    assert (game.engaged(), game.waits()) == ([], "turn")
    card = duel().order("s1").attack("s1", "l1", "BBBB")
    card.do("effect", unit="l1", disengage=True)
    assert (card.engaged(), card.waits()) == ([], "turn")


# -- retreat ---------------------------------------------------------------------------------------


@rule("BOW-RET-1", "BOW-RET-2", "BOW-CMB-9", "BOW-V-21", "BOW-OR-11")
def test_the_owner_chooses_every_hex_of_a_retreat() -> None:
    game = duel().order("s1").attack("s1", "l1", "MMBB")
    assert PLAY.pending(game.state)[0].side == "lannister"
    assert game.refused("retreat", to="5,5") == "BOW-RET-2"
    options = [one["to"] for one in game.commands()]
    assert options == ["4,7", "5,7"]
    game.do("retreat", to="5,7").do("retreat", to="5,8")
    assert (game.cell("l1"), game.unit("l1").figures) == ("5,8", 4)


@rule("BOW-RET-6", "BOW-V-22", "BOW-V-23", "BOW-D-9", "BOW-RET-3", "BOW-RET-4")
def test_blocked_hexes_are_hits() -> None:
    ground = {"5,7": "river", "4,7": "river"}
    game = duel(ground=ground).order("s1").attack("s1", "l1", "MBBB")
    assert (game.cell("l1"), game.unit("l1").figures) == ("5,6", 3)
    assert any("cannot retreat and loses 1 figure" in one for one in game.titles), game.titles
    one = duel(ground={"5,7": "river"}).order("s1").attack("s1", "l1", "MBBB")
    assert one.cell("l1") == "4,7"  # the only free hex
    edge = duel(("foot", "red", "5,8"), ("foot", "green", "5,9"))
    edge.order("s1").attack("s1", "l1", "MMMB")  # one row is left behind it
    edge.do("retreat", to="5,10")
    assert (edge.cell("l1"), edge.unit("l1").figures) == ("5,10", 2)


@rule("BOW-OR-10", "BOW-OR-32")
def test_blocked_hits_are_an_event_of_their_own_for_a_commander() -> None:
    ground = {"5,7": "river", "4,7": "river"}
    game = duel(theirs=("foot", "green", "5,6", "lord"), ground=ground)
    game.do("effect", unit="l1", figures=1).order("s1").attack("s1", "l1", "GGMM")
    assert game.unit("l1").fate == "field"  # 2 hits and 2 blocked hexes never make 3
    caught = duel(theirs=("foot", "green", "5,6", "lady"), ground=ground)
    caught.do("effect", unit="l1", figures=1).order("s1").attack("s1", "l1", "BBBM")
    assert (caught.unit("l1").fate, caught.state.morale) == ("captured", 1)


@rule("BOW-OR-40")
def test_directional_retreats_by_the_optional_reading() -> None:
    """s1 attacks from the west: l1 retreats to the east, straight on."""
    read = ("melee-retreat=directional",)
    west: Any = ("foot", "red", "4,6")
    game = duel(west, readings=read).order("s1").attack("s1", "l1", "MMBB")
    assert (game.cell("l1"), game.waits()) == ("7,6", "turn")
    closed = duel(west, readings=read, ground={"6,6": "river"}).order("s1")
    closed.attack("s1", "l1", "MMBB")  # the neighbouring direction nearer to its edge
    assert closed.cell("l1") == "6,8"
    stuck = duel(west, readings=read, ground={"7,6": "river"}).order("s1")
    stuck.attack("s1", "l1", "MMBB")
    assert (stuck.cell("l1"), stuck.unit("l1").figures) == ("6,6", 3)
    shot: Any = ("archer", "red", "3,6")
    ranged = duel(shot, readings=read).order("s1").attack("s1", "l1", "MBBB")
    assert ranged.waits() == "retreat"  # ranged attacks keep the old rule


# -- Stalwart and counterattacks -------------------------------------------------------------------


@rule("BOW-KEY-18", "BOW-KEY-19", "BOW-CTR-2", "BOW-D-10", "BOW-D-11")
def test_a_stalwart_unit_ignores_the_first_flag_and_strikes_back() -> None:
    game = duel(theirs=("stalwart", "green", "5,6")).order("s1").attack("s1", "l1", "MBBB")
    assert game.waits() == "stalwart"
    game.do("stalwart", ignore=True)
    assert (game.waits(), game.cell("l1")) == ("counter", "5,6")
    two = duel(theirs=("stalwart", "green", "5,6")).order("s1").attack("s1", "l1", "MMBB")
    two.do("stalwart", ignore=True).do("retreat", to="5,7")
    assert two.waits() == "turn"  # it retreated: no counterattack
    no = duel(theirs=("stalwart", "green", "5,6")).order("s1").attack("s1", "l1", "MBBB")
    no.do("stalwart", ignore=False).do("retreat", to="5,7")
    assert no.cell("l1") == "5,7"


@rule("BOW-CTR-1", "BOW-CTR-3", "BOW-CTR-4", "BOW-CTR-5", "BOW-CTR-6", "BOW-CTR-7", "BOW-V-20")
@rule("BOW-OR-13")
def test_a_counterattack_against_a_flank() -> None:
    units: Any = [("foot", "red", "5,5"), ("rider", "green", "4,6")]
    game = Clash(units, [("stalwart", "blue", "5,6"), FAR], rounds=5)
    game.order("s1").attack("s1", "l1", "GGGG").do("counterattack", strike=False).do("pass")
    game.order("s2").attack("s2", "l1", "GG").do("reroll")
    assert game.waits() == "counter"
    game.do("counterattack", strike=True)
    assert game.state.attack is not None
    assert (game.state.attack.kind, game.state.attack.dice) == ("counter", 3)
    game.do("roll", faces=list("GMB"))
    assert game.waits() == "retreat"  # retreats count
    before = game.engaged()
    game.do("retreat", to=game.commands()[0]["to"])
    assert game.unit("s2").figures == 2
    assert game.engaged() == before == [("s1", "l1", "stark")]  # still engaged with s1
    assert game.waits() == "turn"  # neither Advance nor another counterattack


@rule("BOW-CTR-8", "BOW-TER-32", "BOW-CTR-7")
def test_a_counterattack_on_a_ford_has_2_dice() -> None:
    game = duel(theirs=("stalwart", "red", "5,6"), ground={"5,6": ["river", "ford"]})
    game.order("s1").attack("s1", "l1", "GGGG").do("counterattack", strike=True)
    assert game.state.attack is not None
    assert game.state.attack.dice == 2


@rule("BOW-KEY-20", "BOW-OR-12", "BOW-KEY-19")
def test_two_neighbours_make_a_defender_stalwart() -> None:
    lannister: Any = [("foot", "green", "5,6"), ("foot", "green", "4,6"), ("foot", "green", "6,6")]
    game = Clash([("foot", "red", "5,5")], lannister)
    game.order("s1").attack("s1", "l1", "MBBB")
    assert game.waits() == "stalwart"


@rule("BOW-V-9", "BOW-OR-41", "BOW-CRD-16", "BOW-CRD-15", "BOW-CRD-17")
def test_a_tactic_may_forbid_a_counterattack() -> None:
    units: Any = [("foot", "red", "5,5", "lord")]
    game = Clash(units, [("stalwart", "green", "5,6"), ("stalwart", "green", "0,10")])
    tactic = {"unit": "s1", "tokens": [1], "units": ["s1"], "enemy_morale": "green"}
    assert game.refused("card", **tactic, silence="l1") == "BOW-CRD-15"
    game.do("effect", side="stark", morale=9)  # in Lannister's yellow zone
    assert game.refused("card", **tactic, silence="l2") == "BOW-CRD-17"
    game.do("card", **tactic, silence="l1").attack("s1", "l1", "BBBB")
    assert game.waits() == "turn"


# -- Advance and Pursue ----------------------------------------------------------------------------


@rule("BOW-KEY-1", "BOW-KEY-2", "BOW-KEY-14")
def test_advance_after_a_retreat() -> None:
    game = duel(("guard", "red", "5,5")).order("s1").attack("s1", "l1", "MBBB")
    game.do("retreat", to="5,7")
    assert game.waits() == "follow"
    assert card_of(game) == ("Advance", "BOW-KEY-1")
    assert game.refused("follow", to="5,7") == "BOW-KEY-12"
    game.do("follow", to="5,6")
    assert (game.cell("s1"), game.waits()) == ("5,6", "turn")
    stays = duel(("guard", "red", "5,5")).order("s1").attack("s1", "l1", "MBBB")
    stays.do("retreat", to="5,7").do("follow")
    assert stays.cell("s1") == "5,5"


@rule("BOW-KEY-12", "BOW-KEY-13", "BOW-KEY-14", "BOW-KEY-15")
def test_pursue_and_attack_again() -> None:
    game = duel(("rider", "green", "5,5"), ("foot", "green", "5,6"), rout=False)
    game.order("s1").attack("s1", "l1", "MB").do("retreat", to="5,7")
    assert card_of(game) == ("Pursue", "BOW-KEY-12")
    game.do("follow", to="5,6")
    assert game.waits() == "act"  # it may attack again
    assert {"do": "attack", "unit": "s1", "target": "l1"} in game.commands()
    game.attack("s1", "l1", "MB").do("retreat", to=game.commands()[0]["to"])
    assert game.waits() == "turn"  # no second pursuit
    enough = duel(("rider", "green", "5,5")).order("s1").attack("s1", "l1", "MB")
    enough.do("retreat", to="5,7").do("follow", to="5,6").do("end-turn")
    assert enough.state.active == "lannister"


@rule("BOW-OR-20")
def test_nobody_follows_a_target_that_stays() -> None:
    ground = {"5,7": "river", "4,7": "river"}
    game = duel(("rider", "red", "5,5"), ground=ground).order("s1").attack("s1", "l1", "MBBB")
    assert game.waits() == "turn"


@rule("BOW-OR-39")
def test_a_pursuit_is_a_move_for_off_balance() -> None:
    for readings, dice in (((), 3), (("pursuit-balance=free",), 4)):
        game = duel(("rider", "red", "5,5"), rout=False, readings=readings)
        game.order("s1").attack("s1", "l1", "MBBB").do("retreat", to="5,7").do("follow", to="5,6")
        unit = game.unit("s1")
        row = replace(unit.card.rows["red"], keywords={"off-balance": 1, "pursue": 2})
        card = replace(unit.card, rows={**unit.card.rows, "red": row})
        game.state = game.state.with_unit(replace(unit, card=card))
        game.do("attack", unit="s1", target="l1")
        assert game.state.attack is not None
        assert game.state.attack.dice == dice


# -- war hounds ------------------------------------------------------------------------------------


@rule("BOW-KEY-4", "BOW-KEY-5", "BOW-KEY-6", "BOW-KEY-7", "BOW-KEY-8", "BOW-OR-19")
def test_war_hounds_in_play() -> None:
    def sent(first: str, theirs: Any = ("tough", "green", "5,7")) -> Clash:
        game = duel(("hound", "green", "5,5"), theirs).order("s1")
        return game.do("hounds", unit="s1", target="l1").do("roll", faces=[first])

    attack = sent("B")
    assert attack.waits() == "attack-roll"
    assert attack.state.attack is not None
    assert attack.state.attack.dice == 3
    attack.do("roll", faces=list("GGG"))
    assert attack.unit("l1").figures == 2  # Toughness 1
    assert sent("V").unit("l1").figures == 3  # cannot be ignored
    assert sent("M", ("stalwart", "green", "5,7")).waits() == "retreat"
    near = duel(("hound", "green", "5,5")).order("s1")
    assert near.refused("hounds", unit="s1", target="l1") == "BOW-KEY-5"
    moved = duel(("hound", "green", "5,5"), ("foot", "green", "5,8")).order("s1")
    moved.do("move", unit="s1", to="5,6")
    assert moved.refused("hounds", unit="s1", target="l1") == "BOW-KEY-4"


@rule("BOW-RET-6", "BOW-CDR-9")
def test_hits_of_a_blocked_retreat_on_a_commander_alone_are_told_as_hits() -> None:
    assert hits_title("Gregor", figures=1, hits=2, blocked=True) == "Gregor cannot retreat: 2 hits"
    told = hits_title("Guards", figures=2, hits=2, blocked=True)
    assert told == "Guards cannot retreat and loses 2 figures"
