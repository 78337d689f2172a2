"""What the screen of a battle shows: dice keys, offers, the score as it happens, the report."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Accepted, Refusal
from companion.games.api.prompt import Prompt
from companion.games.api.screen_views import ScoreView
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import REGROUP, WesterosState, current_table
from companion.games.westeros.screen import SCREEN
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


def told_facts(prompt: Prompt) -> list[str]:
    return [str(one.text) for one in prompt.facts]


def keys(game: Clash) -> dict[str, str]:
    """Each symbol of the dice that are asked for, and what it says it does."""
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    return {one.symbol: str(one.detail) for one in prompt.dice.symbols}


@rule("BOW-CMB-5", "BOW-CMB-6", "BOW-CMB-7", "BOW-CMB-9")
@pytest.mark.parametrize(
    ("attacker", "target", "rank", "hitting"),
    [
        ("foot", "foot", "green", "GV"),
        ("foot", "foot", "red", "RV"),
        ("foot", "rider", "blue", "B"),
        ("rider", "rider", "blue", "BV"),
    ],
)
def test_the_keys_say_what_hits(attacker: str, target: str, rank: str, hitting: str) -> None:
    game = Clash([(attacker, "green", "5,5")], [(target, rank, "5,6")])
    game.order("s1").do("attack", unit="s1", target="l1")
    told = keys(game)
    assert {one for one, text in told.items() if text == "hits the target"} == set(hitting)
    assert told["M"] == "retreats 1 hex"


@rule("BOW-RET-6", "BOW-OR-27")
def test_a_flag_against_who_cannot_retreat_is_a_hit() -> None:
    ground = {"5,6": ["plains", "fire-1"]}
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")], ground=ground)
    game.order("s1").do("attack", unit="s1", target="l1")
    assert keys(game)["M"] == "1 hit, for it cannot retreat"


@rule("BOW-RET-6", "BOW-KEY-7")
@pytest.mark.parametrize("fire", [False, True])
def test_a_flag_of_the_hounds_says_what_follows(fire: bool) -> None:
    ground = {"5,7": ["plains", "fire-1"]} if fire else {}
    game = Clash([("hound", "green", "5,5")], [("stalwart", "green", "5,7")], ground=ground)
    game.order("s1").do("hounds", unit="s1", target="l1")
    text = "1 hit, for the target cannot retreat" if fire else "the target retreats 1 hex"
    assert keys(game)["M"] == f"no attack: {text}", "a Stalwart unit ignores none of the hounds'"
    game.do("roll", faces=["M"])
    assert (game.unit("l1").figures < 4) is fire


@rule("BOW-RET-6")
def test_a_flag_says_where_the_room_to_retreat_ends() -> None:
    game = Clash([("foot", "red", "5,8")], [("foot", "green", "5,9")])
    game.order("s1").do("attack", unit="s1", target="l1")
    assert keys(game)["M"] == "retreats 1 hex; after 1 hex each is 1 hit"


@rule("BOW-KEY-18", "BOW-KEY-19", "BOW-KEY-20")
def test_the_roll_says_that_its_target_is_stalwart_and_what_that_changes() -> None:
    game = Clash(
        [("foot", "blue", "5,5"), ("archer", "green", "5,3")], [("stalwart", "green", "5,6")]
    )
    game.order("s1").do("attack", unit="s1", target="l1")
    (prompt,) = SCREEN.prompts(game.state)
    assert "Stalwart: it may ignore the first flag, and counterattack if it stays" in told_facts(
        prompt
    )
    assert keys(game)["M"] == "retreats 1 hex; the first may be ignored"
    game.do("roll", faces=["M", "M", "B"])
    (prompt,) = SCREEN.prompts(game.state)
    assert [(str(one.text), str(one.detail)) for one in prompt.choices] == [
        ("Ignore the first flag", "retreat: 1 hex"),
        ("Ignore no flag", "retreat: 2 hexes"),
    ]
    shot = Clash([("archer", "green", "5,4")], [("stalwart", "green", "5,6")])
    shot.order("s1").do("attack", unit="s1", target="l1")
    (prompt,) = SCREEN.prompts(shot.state)
    assert "Stalwart: it may ignore the first flag" in told_facts(prompt), "no counterattack there"
    fire = {"5,6": ["plains", "fire-1"]}
    stuck = Clash([("foot", "green", "5,5")], [("stalwart", "green", "5,6")], ground=fire)
    stuck.order("s1").do("attack", unit="s1", target="l1")
    assert keys(stuck)["M"] == "1 hit, for it cannot retreat; the first may be ignored"
    stuck.do("roll", faces=["M", "B"])
    (prompt,) = SCREEN.prompts(stuck.state)
    assert [str(one.detail) for one in prompt.choices] == [
        "no retreat",
        "1 hex is blocked: 1 hit",
    ]


@rule("BOW-FIR-12", "BOW-FIR-13", "BOW-FIR-14")
def test_a_unit_in_fire_is_told_to_fight_it_and_nothing_else() -> None:
    ground = {"5,5": ["plains", "fire-1"]}
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")], ground=ground)
    assert asked(game.order("s1")) == "Foot (Stark): fight the fire, or end the turn"


@rule("BOW-PBL-3")
def test_flags_of_a_parting_blow_do_nothing() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")])
    game.do("effect", unit="s1", engage="l1").order("s1").do("move", unit="s1", to="5,4")
    game.do("parting-blow", strike=True)
    assert keys(game)["M"] == "no effect"


@rule("BOW-ENG-6")
def test_the_dice_of_a_reroll_are_the_players() -> None:
    game = Clash([("foot", "green", "5,5"), ("foot", "green", "4,6")], [("foot", "green", "5,6")])
    game.do("effect", unit="s1", engage="l1").order("s2").do("attack", unit="s2", target="l1")
    game.do("roll", faces=["R", "R"])
    (prompt,) = SCREEN.prompts(game.state)
    (again,) = [one for one in prompt.choices if one.commands[0].get("symbol") == "R"]
    assert again.dice is not None
    assert again.dice.count == 2
    game.do("reroll", symbol="R", faces=["G", "G"])
    assert game.unit("l1").figures == 2


@rule("BOW-KEY-17", "BOW-FIR-15")
def test_the_dice_of_fires_are_the_players() -> None:
    game = Clash(
        [("burner", "green", "5,5")],
        [("foot", "green", "5,9")],
        ground={"4,5": ["plains", "fire-2"]},
    )
    game.order("s1")
    before = game.state
    game.do("scorch", unit="s1", to="6,5", ask=True)
    assert [one for one, text in keys(game).items() if text == "adds 1 fire level"] == ["G"]
    game.do("roll", faces=["G", "R"])
    assert "fire-1" in game.state.board.ground[(6, 5)]
    game.state = before
    game.do("fight-fire", unit="s1", to="4,5", ask=True)
    (marked,) = SCREEN.prompts(game.state)[0].cells  # the hex for which the die is rolled
    assert (marked.cell, marked.commands, marked.mark) == ((4, 5), (), "danger")
    assert [one for one, text in keys(game).items() if text == "puts the fire out"] == ["B"]
    game.do("roll", faces=["B"])
    assert "fire-2" not in game.state.board.ground.get((4, 5), ())


def end_offers(game: Clash) -> list[str]:
    """The units whose card proposes the end of the turn."""
    found = (one for unit in ("s1", "s2") for one in SCREEN.offers(game.state, None, unit))
    ends = [one for one in found if one.commands == ({"do": "end-turn"},)]
    return [one.piece for one in ends if not one.by_row]


def asked(game: Clash) -> str:
    """What the players are told to do."""
    (prompt,) = SCREEN.prompts(game.state)
    return str(prompt.text)


@rule("BOW-ORD-7", "BOW-MOR-5")
def test_a_reactivation_tells_its_price_and_is_no_proposal() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,9")], rolls=("MMVV", "VVVV"))
    game.do("morale", use="raise").do("pass").order("s1").do("end-turn")
    (offer,) = (one for one in SCREEN.offers(game.state, None, "s1") if one.text == "Reactivate")
    assert offer.detail == offer.reason == "costs 1 morale token and 1 morale"
    assert offer.by_row, "whoever taps gold to go on has not asked for it"


@rule("BOW-CRD-9")
def test_the_end_of_the_turn_waits_for_every_ordered_unit() -> None:
    game = Clash(
        [("foot", "red", "5,5", "lord"), ("foot", "green", "4,4")], [("foot", "green", "5,6")]
    )
    game.do("card", unit="s1", tokens=[1], units=["s1", "s2"])
    assert end_offers(game) == []
    assert asked(game) == "Lord, Foot (Stark): move, attack, or end the turn"
    game.do("attack", unit="s1", target="l1").do("roll", faces=["R", "R", "R", "R"])
    assert end_offers(game) == ["s2"]
    assert asked(game) == "The ordered units have nothing left to do: end the turn"


@rule("BOW-CMP-8", "BOW-RND-16")
@pytest.mark.parametrize(
    ("worth", "told"),
    [
        ({"round": 1}, "Stark holds the building: 1 VP a round"),
        ({"end": 2}, "Stark holds the building: 2 VP at the end"),
        ({"round": 1, "end": 2}, "Stark holds the building: 1 VP a round, 2 at the end"),
    ],
)
def test_a_site_is_told_with_its_points_when_it_is_taken(worth: dict[str, Any], told: str) -> None:
    sites = [{"cell": "5,3", **worth}]
    game = Clash(
        [("foot", "green", "5,2")],
        [("foot", "green", "5,8")],
        victory={"sites": sites},
        ground={"5,3": "building"},
    )
    assert SCREEN.score(game.state).lines == ()
    game.order("s1").do("move", unit="s1", to="5,3")
    assert told in game.titles
    lines = [(one.seat, str(one.text), one.points) for one in SCREEN.score(game.state).lines]
    points = worth.get("round", 0)
    expected = [("stark", "holds the building, if nothing changes", points)]
    assert lines == (expected if points else [])
    regroup = replace(game.state, phase=REGROUP)
    assert SCREEN.score(regroup).lines == (), "given in this phase: nothing is promised again"


def test_reports_call_the_players_by_name() -> None:
    game = Clash([("foot", "green", "5,2")], [("foot", "green", "5,8")])
    assert dict(PLAY.moment(game.state).names) == {"stark": "Stark", "lannister": "Lannister"}


STANDING: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "hit by its colour": ([("foot", "green", "5,4")], [("foot", "green", "5,5")], {}),
    "cover and a blocked retreat": (
        [("foot", "blue", "5,4")],
        [("foot", "blue", "5,5"), ("foot", "green", "5,6"), ("foot", "green", "4,6")],
        {"ground": {"5,5": "building"}},
    ),
    "a commander alone": ([("foot", "green", "5,4")], [("foot", "green", "5,5", "lord")], {}),
}


@pytest.mark.rule("BOW-CMB-5", "BOW-CMB-8", "BOW-CMB-9", "BOW-KEY-3", "BOW-RET-6")
@pytest.mark.parametrize("named", STANDING)
def test_the_odds_on_the_card_are_those_of_all_throws_played(named: str) -> None:
    """Every throw of the dice is rolled in the game itself and counted."""
    stark, lannister, more = STANDING[named]
    game = Clash(stark, lannister, **more).do("order", unit="s1", tokens=["V"])
    if named == "a commander alone":
        game.do("effect", unit="l1", figures=1)
    game.do("attack", unit="s1", target="l1")
    assert game.waits() == "attack-roll"
    (asked,) = SCREEN.prompts(game.state)
    assert asked.dice is not None
    count, before = asked.dice.count, game.unit("l1").figures
    throws = list(itertools.product(range(1, 9), repeat=count))
    hits: Counter[int] = Counter()
    gone = lost = 0
    for throw in throws:
        found = PLAY.decide(game.state, {"do": "roll", "faces": list(throw)})
        assert isinstance(found, Accepted)
        state = found.after
        while state.tasks and state.tasks[0].kind == "retreat":
            (retreat,) = SCREEN.prompts(state)
            assert retreat.mover == "l1"
            found = PLAY.decide(state, PLAY.options(state, "lannister")[0]["options"][0])
            assert isinstance(found, Accepted)
            state = found.after
        unit = state.unit("l1")
        gone += not unit.on_field
        lost += before - (unit.figures if unit.on_field else 0)
        hits[sum(asked.dice.symbols[face - 1].tone == "good" for face in throw)] += 1
    assert asked.dice.chances == pytest.approx([hits[n] / len(throws) for n in range(count + 1)])
    told = {str(fact.text).partition(":")[0]: fact.chance for fact in asked.facts}
    fate = "captured" if named == "a commander alone" else "eliminated"
    assert told.get(fate, 0.0) == pytest.approx(gone / len(throws))
    mean = next(str(one.text) for one in asked.facts if "on average" in str(one.text))
    if named != "a commander alone":  # a commander is not lost figure by figure
        assert mean == f"{lost / len(throws):.2f} figures on average"


@pytest.mark.rule("BOW-RND-3", "BOW-RND-4", "BOW-RND-12", "BOW-OPT-1")
def test_the_first_player_passing_and_long_moves_are_explained() -> None:
    ours: Any = [("foot", "blue", "5,2")]
    theirs: Any = [("foot", "red", "5,8")]
    for tokens, why in (
        ((4, 3), "has more command tokens (4 : 3) and goes first"),
        ((3, 3), "has the mace and goes first, command tokens are equal"),
    ):
        begun = Clash(ours, theirs, begin=False, tokens=tokens).do("begin")
        assert [one for one in begun.titles if str(one).endswith(why)]
    many = Clash(ours, theirs)
    (turn,) = SCREEN.prompts(many.state)
    (passing,) = [one for one in turn.choices if one.commands[0]["do"] == "pass"]
    assert passing.detail == "no further turn in this round"
    offers = SCREEN.offers(many.order("s1").state, None, "s1")
    (move,) = [one for one in offers if one.text == "Move"]
    assert move.detail == "+ means: no attack afterwards"
    assert {cell.mark for cell in move.cells} == {"", "more"}


@rule("BOW-GEN-3", "BOW-SKM-1")
def test_a_battle_says_how_long_it_is_and_who_fights() -> None:
    def told(battle: str) -> str:
        return str(SCREEN.steps("westeros", {"game": {"battle": battle}})[0].text)

    assert told("sample-ford").split("; ")[0] == "4 rounds, Stark 9 units, Lannister 9 units"
    assert "the players choose commanders and place their units" in told("sample-raid")


def three_ordered() -> Clash:
    """A commander beside an enemy, and two ordered units without one."""
    game = Clash(
        [("foot", "red", "5,5", "lord"), ("foot", "green", "4,4"), ("guard", "green", "6,3")],
        [("foot", "green", "5,6"), ("foot", "green", "9,9")],
    )
    return game.do("card", unit="s1", tokens=[2], units=["s1", "s2", "s3"])


def moves_and_attacks(game: Clash, unit: str) -> list[str]:
    return [
        str(one.text)
        for one in SCREEN.offers(game.state, None, unit)
        if one.possible and one.value > -3
    ]


@rule("BOW-OPT-2")
def test_an_attack_says_whose_moves_it_ends_and_comes_after_them() -> None:
    game = three_ordered()
    told = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    lost = "these can no longer move afterwards: Foot, Guard"
    assert (told["Attack Foot 1"].detail, told["Attack Foot 1"].reason) == (lost, lost)
    assert moves_and_attacks(game, "s1")[0] == "Move"
    game.do("move", unit="s1", to="4,5")  # still beside the enemy
    assert moves_and_attacks(game, "s1") == [
        "Move Foot first",
        "Move Guard first",
        "Attack Foot 1",
    ]
    first = SCREEN.offers(game.state, None, "s1")[0]
    assert first.piece == "s2"
    assert first.cells
    game.do("move", unit="s2", to="4,3").do("move", unit="s3", to="7,3")
    assert moves_and_attacks(game, "s1")[0] == "Attack Foot 1"
    attack = SCREEN.offers(game.state, None, "s1")[0]
    assert attack.detail == ""


@rule("BOW-OPT-2")
def test_units_with_an_enemy_beside_them_may_attack_first() -> None:
    """Who can attack from where it stands is not told to move, but named all the same."""
    game = Clash(
        [("foot", "red", "5,5", "lord"), ("foot", "green", "7,5")],
        [("foot", "green", "5,6"), ("foot", "green", "7,6")],
    )
    game.do("card", unit="s1", tokens=[2], units=["s1", "s2"])
    attack = SCREEN.offers(game.state, None, "s1")[0]
    assert attack.text == "Attack Foot 1"
    assert attack.detail == "these can no longer move afterwards: Foot"


@rule("BOW-GEN-2")
def test_a_correction_says_whom_it_concerns_and_how_that_is_now() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,9")])
    game.do("effect", unit="s1", figures=3)
    assert game.titles == ["Foot (Stark): 3 figures left (by hand)"]
    game.do("effect", unit="s1", figures=2, active=False, why="a card")
    assert game.titles == ["Foot (Stark): 2 figures left, the banner is inactive (a card)"]
    game.do("effect", side="stark", hand=2, tokens=1, pool=["V", "G"])
    assert game.titles[0].startswith("Stark: cards in hand: 2, command tokens: 1, the order pool")
    game.do("effect", unit="s1", to="5,7")
    assert "stands now: the hex" in game.titles[0]


@rule("BOW-MOR-9", "BOW-MOR-10", "BOW-MOR-7")
@pytest.mark.parametrize(
    ("morale", "told"),
    [
        (0, "The marker lies in the middle: morale is even"),
        (-2, "In the Regroup phase it stays"),
        (4, "In the Regroup phase it stays"),
        (6, "In the Regroup phase Lannister may raise it to 4, a boost field"),
        (-10, "In the Regroup phase Stark may raise it to 8, a boost field"),
    ],
)
def test_the_morale_page_shows_the_track_and_what_may_be_rebuilt(morale: int, told: str) -> None:
    game = Clash([("foot", "green", "0,0")], [("foot", "green", "5,5")])
    game.state = replace(game.state, morale=morale)
    track = next(one for one in SCREEN.pages(game.state) if one.id == "morale").sections[0]
    fields = {int(one.id.removeprefix("morale-")): one for one in track.cards}
    assert told in track.text
    assert [step for step, one in fields.items() if one.marked] == [morale]
    assert {step: one.icon for step, one in fields.items() if one.icon} == {
        -11: "right", -8: "right", -4: "right", 4: "left", 8: "left", 11: "left",
    }  # fmt: skip
    assert [one.colour for step, one in fields.items() if step >= 0] == (
        ["grey"] * 4 + ["green"] * 4 + ["yellow"] * 3 + ["red"]
    )


@rule("BOW-TER-21", "BOW-KEY-1", "BOW-CMP-8")
def test_a_unit_that_may_not_follow_onto_a_bridge_says_why() -> None:
    foes = [("foot", "green", "5,6"), ("foot", "green", "0,9")]
    game = Clash(
        [("guard", "red", "5,5")],
        foes,  # type: ignore[arg-type]
        ground={"5,6": ["river", "stone-bridge"]},
        victory={"sites": [{"cell": "5,6", "round": 1, "held_by": "lannister"}]},
    ).order("s1")
    game.attack("s1", "l1", "MBBB").do("retreat", to="5,7")
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    why = (
        "Guard does not follow: no Advance or Pursue into a bridge hex;"
        " Lannister still holds the stone bridge"
    )
    assert why in str(told.text)
    assert why in told.lines


@rule("BOW-TER-6", "BOW-TER-9", "BOW-TER-13", "BOW-TER-30")
def test_the_legend_names_the_hexes_of_this_battlefield() -> None:
    ground = {"1,1": ["forest"], "2,1": ["river"], "2,2": ["river", "ford"]}
    game = Clash([("foot", "green", "0,0")], [("foot", "green", "5,5")], ground=ground)
    legend = next(one for one in SCREEN.pages(game.state) if one.id == "legend")
    hexes = {one.id: one for part in legend.sections for one in part.cards if "hex-" in one.id}
    assert set(hexes) == {"hex-forest", "hex-river", "hex-ford"}
    assert str(hexes["hex-forest"].title) == "green, with trees: forest"
    assert "a move stops there" in hexes["hex-forest"].lines[0]


@rule("BOW-OPT-1")
def test_who_can_order_nobody_passes_by_the_golden_button() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,8")])
    poor = replace(game.state.house("stark"), pool=(), tokens=0, hand=0)
    (prompt,) = SCREEN.prompts(game.state.with_house(poor))
    assert [(str(one.text), one.look) for one in prompt.choices] == [("Pass", "primary")]
    able = Clash([("foot", "green", "5,5")], [("foot", "green", "5,8")])
    looks = {str(one.text): one.look for one in SCREEN.prompts(able.state)[0].choices}
    assert looks["Pass"] != "primary"


@pytest.mark.rule("BOW-VIC-1", "BOW-VIC-2", "BOW-VIC-3", "BOW-RND-16", "BOW-GEN-3", "BOW-MOR-7")
def test_what_scores_can_be_looked_up_in_any_phase() -> None:
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford"})
    assert not isinstance(setup, Refusal)
    start = PLAY.start("westeros", setup)
    told = score_of(start).terms
    assert told == (
        "After round 4 the most victory points win; a tie goes to the higher morale, even morale"
        " to Lannister, who has the mace.",
        "At once: morale on the rout field of Stark wins for Lannister.",
        "At once: morale on the rout field of Lannister wins for Stark.",
        "1 victory point for each enemy unit that is eliminated",
        "2 victory points for each captured commander, besides those for the unit",
        "Whoever holds the wooden bridge: 1 VP each round, 1 VP after the last round, held by"
        " nobody.",
        "A unit that enters a site takes it; it stays taken when the unit leaves.",
        "Enemy morale after the last round: green zone 1 VP, yellow zone 2 VP, red zone 3 VP.",
        "The end of a round: fires burn, points are given, each player keeps at most 1 token and"
        " 1 card, morale may be rebuilt.",
        "An invented battle to try the companion with.",
    )
    victory = replace(start.plan.victory, holder="stark", goal=7, unit=0)
    held = replace(
        start,
        plan=replace(start.plan, victory=victory),
        control=((victory.sites[0].cell, "stark"),),
    )
    told = score_of(held).terms
    assert told[0] == "After round 4 Stark wins by holding 1 site, else Lannister wins."
    assert "7 victory points win at once." in told
    assert "2 victory points for each captured commander" in told
    about = "1 VP each round, 1 VP after the last round, held by Stark."
    assert f"Whoever holds the wooden bridge: {about}" in told


def score_of(state: WesterosState) -> ScoreView:
    found = SCREEN.score(state)
    assert found is not None
    return found


@rule("BOW-CMB-4", "BOW-KEY-11", "BOW-TER-7")
def test_an_attack_roll_says_where_its_dice_come_from() -> None:
    game = Clash([("archer", "blue", "5,4")], [("foot", "green", "5,7")], ground={"5,5": "forest"})
    game.order("s1").do("move", unit="s1", to="5,5").do("attack", unit="s1", target="l1")
    (asked,) = SCREEN.prompts(game.state)
    told = "dice: 3 on the unit’s card, 2 at most, by the ground, -1 off balance, for it has moved"
    assert told in [str(one.text) for one in asked.facts]
    plain = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")]).order("s1")
    plain.do("attack", unit="s1", target="l1")
    (asked,) = SCREEN.prompts(plain.state)
    assert not any(str(one.text).startswith("dice:") for one in asked.facts)


@rule("BOW-CRD-4")
def test_a_refusal_names_the_commander_whose_range_counts() -> None:
    game = Clash(
        [("foot", "red", "5,5", "lord"), ("foot", "green", "0,5")], [("foot", "green", "5,9")]
    )
    found = game.decide("card", {"unit": "s1", "tokens": [1], "units": ["s2"]})
    assert isinstance(found, Refusal)
    assert str(found.say) == "Foot (Stark) is not in the command range of Lord"


@rule("BOW-OPT-6", "BOW-CMB-2")
def test_whoever_has_nothing_left_to_do_leads_to_the_attacks_of_the_others() -> None:
    game = three_ordered().do("move", unit="s2", to="4,3").do("move", unit="s3", to="7,3")
    assert moves_and_attacks(game, "s2") == ["Lord: Attack Foot 1"]
    game.do("move", unit="s1", to="4,5")
    assert moves_and_attacks(game, "s3") == ["Lord: Attack Foot 1"]
    assert moves_and_attacks(game, "s1") == ["Attack Foot 1"]


def test_a_hex_is_called_by_its_name_before_a_unit_goes_there() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,9")], ground={"6,5": "hill"})
    assert SCREEN.place_name(game.state, (6, 5), "s1") == "the hill"


@rule("BOW-CDR-9")
def test_each_capture_value_says_what_follows_from_it() -> None:
    game = Clash([("foot", "blue", "5,5")], [("foot", "green", "5,6", "stranger")])
    game.do("effect", unit="l1", figures=1).order("s1").do("attack", unit="s1", target="l1")
    (asked,) = SCREEN.prompts(game.state)
    assert not any("eliminated" in str(one.text) for one in asked.facts)
    game.do("roll", faces=["G", "G", "M"])
    (asked,) = SCREEN.prompts(game.state)
    told = [str(one.detail) for one in asked.choices]
    stays = "withstands 2 hits, its retreat follows"
    assert told[:4] == ["captured", "captured", stays, stays]


@rule("BOW-CDR-8", "BOW-CDR-9")
def test_a_commander_alone_is_captured_and_not_eliminated() -> None:
    game = Clash([("foot", "blue", "5,5")], [("foot", "green", "5,6", "lady")])
    game.do("effect", unit="l1", figures=1).order("s1").do("attack", unit="s1", target="l1")
    (asked,) = SCREEN.prompts(game.state)
    assert any(str(one.text).startswith("captured: ") for one in asked.facts)


@rule("BOW-CDR-1", "BOW-CRD-8")
def test_while_a_card_names_units_only_the_range_of_its_commander_is_drawn() -> None:
    stark: Any = [("foot", "green", "5,2", "lord"), ("foot", "green", "5,3")]
    game = Clash([*stark, ("foot", "green", "1,1", "lady")], [("foot", "green", "5,4")])
    game.do("card", unit="s1", tokens=[1], ask=True)
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.ranged == "s1"
    drawn = GAME.scene(current_table(game.state), prompt.ranged, whole=False)
    assert not {one.style.role for one in drawn.shapes} & {"reach", "shot", "retreat"}
    assert [one.about for one in drawn.shapes if one.style.role == "command"] == [("s1",)]
