"""What a battle tells of steps and refusals: why nobody may move, whose sign, what Undo says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.files.draft import Draft, set_up
from companion.engine.moves.cell_moves import cell_move
from companion.engine.snapshot import Snapshot
from companion.engine.turn.step_names import undo_texts
from companion.games.api.new_game import SeatView
from companion.games.api.play import Refusal
from companion.games.api.screen_views import Outcome, PieceView
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import current_table
from companion.games.westeros.screen import SCREEN
from companion.session.game_view import GameView
from models import Pose
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


def hand_moved(game: Clash, unit: str) -> str:
    """What is said of a unit that a hand has put one hex to the left."""
    table = current_table(game.state)
    column, row = table.piece(unit).cell or (0, 0)
    pose = Pose(*table.board.middle((column - 1, row)), 90)
    offers = SCREEN.offers(game.state, None, unit)
    found = cell_move(Snapshot(table=table), table, unit, pose, offers)
    assert found is not None
    return str(found.detail)


@rule("BOW-ORD-2", "BOW-ORD-11")
def test_who_cannot_be_ordered_is_told_why_in_one_sentence() -> None:
    stark: Any = [*(("foot", "green", one) for one in ("5,3", "9,2"))]
    stark = [("foot", "green", "5,2", "lord"), *stark]
    game = Clash(stark, [("foot", "green", "5,9")], rolls=("RBRB", "VVVV"), orders=2)
    left = "It cannot move now: no order token of its rank is left"
    assert hand_moved(game, "s3") == f"{left}, and it is not under command."
    assert hand_moved(game, "s2") == f"{left}: only a command card of Lord can order it."
    game.do("effect", side="stark", hand=0)
    assert hand_moved(game, "s2") == f"{left}, and no command card can be played."


def test_the_sign_of_a_result_is_that_of_whom_it_tells_about() -> None:
    game = Clash([("foot", "green", "5,2")], [("foot", "green", "5,9")]).order("s1")
    events = [*game.do("end-turn").events, *game.order("l1").events]
    told = SCREEN.outcome(game.state, events, game.state)
    assert told is not None
    assert "orders Foot (Lannister)" in str(told.text)
    assert told.seat == "lannister"


@rule("BOW-KEY-18")
def test_who_ignores_a_flag_is_told_with_the_own_sign() -> None:
    game = Clash([("foot", "red", "5,5")], [("stalwart", "green", "5,6")]).order("s1")
    game.attack("s1", "l1", "MBBB").do("stalwart", ignore=True)
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert "ignores the first flag" in str(told.text)
    assert told.seat == "lannister"


def told_now(game: Clash) -> Outcome:
    """What the newest events say."""
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    return told


@rule("BOW-CRD-1")
def test_undo_names_its_step_in_few_words() -> None:
    stark: Any = [("foot", "green", "5,2", "lord"), ("foot", "green", "5,3")]
    game = Clash(stark, [("foot", "green", "5,9")])
    game.do("card", unit="s1", tokens=[1], ask=True)
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert str(told.undo) == "the command card of Lord"
    near = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")]).order("s1")
    near.do("attack", unit="s1", target="l1")
    told = SCREEN.outcome(near.state, near.events, near.state)
    assert told is not None
    assert str(told.undo) == "the attack of Foot (Stark)"


@rule("BOW-KEY-18")
def test_undo_of_an_answer_names_who_gave_it() -> None:
    """It was "the last step of" a unit: the sentence is too long for its key."""
    game = Clash([("foot", "green", "5,5")], [("stalwart", "green", "5,6")])
    game.order("s1").attack("s1", "l1", "MM").do("stalwart", ignore=True)
    assert str(told_now(game).undo) == "Lannister’s answer"


@rule("BOW-CTR-1")
def test_a_counterattack_is_called_so_by_undo_and_on_its_card() -> None:
    game = Clash([("foot", "green", "5,5")], [("stalwart", "green", "5,6")])
    game.do("order", unit="s1", tokens=["V"])
    assert str(told_now(game).undo) == "orders: Foot"
    game.attack("s1", "l1", "RR").do("counterattack", strike=True)
    assert str(told_now(game).undo) == "the counterattack of Steady"
    (card,) = SCREEN.prompts(game.state)
    assert str(card.title) == "Counterattack"


@rule("BOW-SET-1")
def test_players_who_type_no_name_are_called_by_their_houses() -> None:
    draft = Draft.fresh("westeros").alone()
    first, second = draft.seats
    command = set_up(draft.seated(replace(first, rival="")).seated(replace(second, rival="")))
    assert "players" not in command
    assert [draft.called(replace(one, rival="")) for one in draft.seats] == ["Stark", "Lannister"]
    command = set_up(draft.seated(replace(first, name="Anna")).seated(replace(second, rival="")))
    assert command["players"] == {"stark": "Anna"}
    setup = PLAY.prepare("westeros", command)
    assert not isinstance(setup, Refusal)
    assert [one.player for one in PLAY.start("westeros", setup).houses] == ["Anna", "Lannister"]


@rule("BOW-OR-1", "BOW-CMB-9")
def test_a_chance_is_told_in_whole_percent() -> None:
    game = Clash([("archer", "green", "5,4")], [("foot", "blue", "5,7")]).order("s1")
    game.do("move", unit="s1", to="5,5").do("attack", unit="s1", target="l1")
    (prompt,) = SCREEN.prompts(game.state)
    told = [str(one.text) for one in prompt.facts]
    assert "retreats: 13%" in told, "one die, one face in eight"


@rule("BOW-CRD-11", "BOW-CRD-12")
def test_a_card_without_its_tactic_says_why() -> None:
    rally = {"id": "c1", "name": "Rally", "house": "stark", "needs": ["G"]}
    stark: Any = [("foot", "green", "5,5", "lord")]
    game = Clash(stark, [("foot", "green", "5,9")], commands=[rally])
    cards = [one for one in SCREEN.offers(game.state, None, "s1") if str(one.text) == "Play Rally"]
    assert [str(one.detail) for one in cards] == [
        "then name 1 unit at most, without its tactic: the order pool lacks the tokens that the"
        " tactic checks"
    ]


@rule("BOW-PBL-1", "BOW-FIR-13")
def test_who_burns_is_not_asked_for_a_parting_blow() -> None:
    fire = {"5,6": ["plains", "fire-1"]}
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")], ground=fire)
    game.do("effect", unit="s1", engage="l1").order("s1")
    (move,) = (one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "maneuver")
    assert "parting blow" not in str(move.detail)
    game.do("move", unit="s1", to="5,4")
    assert game.waits() == "act"
    assert game.unit("s1").cell == (5, 4)


@rule("BOW-ENG-5", "BOW-ENG-10", "BOW-OR-17")
def test_an_attack_that_leaves_and_flanks_says_both() -> None:
    stark: Any = [("foot", "green", "5,5"), ("foot", "green", "4,5")]
    game = Clash(stark, [("foot", "green", "5,6"), ("foot", "green", "4,6")])
    game.do("effect", unit="s1", engage="l1").do("effect", unit="s2", engage="l2").order("s2")
    offers = {one.target: one for one in SCREEN.offers(game.state, None, "s2") if one.target}
    assert str(offers["l2"].detail) == "", "it stays where it is engaged"
    assert str(offers["l1"].detail) == (
        "Foot 2 (Lannister) may strike a parting blow first, flank attack: one symbol may be"
        " re-rolled"
    )


@rule("BOW-VIC-4")
def test_one_victory_point_is_no_points() -> None:
    victory = {"goal": 1, "unit": 1}
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")], victory=victory)
    game.do("effect", unit="l1", figures=1).order("s1").do("attack", unit="s1", target="l1")
    game.do("roll", faces=["G", "G"])
    assert (game.state.winner, str(game.state.how)) == ("stark", "1 victory point")


@rule("BOW-CTR-7", "BOW-TER-32", "BOW-PBL-2", "BOW-PBL-3")
def test_who_may_strike_knows_the_odds_before_deciding() -> None:
    ford = {"5,6": ["river", "ford"]}
    game = Clash([("foot", "red", "5,5")], [("stalwart", "red", "5,6")], ground=ford).order("s1")
    game.do("attack", unit="s1", target="l1").do("roll", faces=["G", "G", "B", "B"])
    (asked,) = SCREEN.prompts(game.state)
    decided = [str(one.text) for one in asked.facts]
    assert decided[0] == "dice: 4 on the unit’s card, 2 at most, by the ground"
    game.do("counterattack", strike=True)
    (asked,) = SCREEN.prompts(game.state)
    assert decided[1:] == [str(one.text) for one in asked.facts][1 - len(decided) :], (
        "the same as at the roll"
    )
    leaving = Clash([("foot", "green", "5,5")], [("foot", "green", "5,6")])
    leaving.do("effect", unit="s1", engage="l1").order("s1").do("move", unit="s1", to="5,4")
    (asked,) = SCREEN.prompts(leaving.state)
    assert [str(one.text) for one in asked.facts] == [
        "dice: 2 on the unit’s card",
        "1.00 figures on average",
    ], "two dice eliminate nobody here, and nobody retreats"


def test_undo_of_an_order_falls_back_to_what_it_was_not_to_the_last_step() -> None:
    """“Undo: orders: Lannister” named no unit."""
    pieces = tuple(
        PieceView(f"s{n}", f"War Host of the North {n}", f"Host {n}", "a") for n in (1, 2)
    )
    told = "orders: War Host of the North 1, War Host of the North 2"
    view = GameView((SeatView("a", "Stark", 1),), ("a",), pieces=pieces, undo=told, undoable=True)
    assert undo_texts(view, "", str) == (told, "orders: Host 1, Host 2", "orders", "the last step")


@rule("BOW-FIR-6", "BOW-TER-8")
def test_what_burnt_down_is_told_however_much_happens_beside_it() -> None:
    fire = {one: ["plains", "fire-4"] for one in ("5,5", "7,5")}
    stark: Any = [("foot", "green", one) for one in ("5,5", "7,5", "1,1")]
    ground = {**fire, "2,2": ["forest", "fire-3"]}
    game = Clash(stark, [("foot", "green", "5,9")], ground=ground, victory={"unit": 1})
    game.do("pass").do("pass")
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert "urnt down: the forest" in str(told.text)


@rule("BOW-VIC-1")
def test_the_sign_of_a_result_with_points_is_that_of_who_scores() -> None:
    """A captured commander of Lannister gave Stark three points under Lannister's sign."""
    game = Clash([("foot", "red", "5,5")], [("foot", "green", "5,6")], victory={"unit": 1})
    game.do("effect", unit="l1", figures=1).order("s1")
    game.attack("s1", "l1", "GGGG")
    types = [one.type for one in game.events]
    told = SCREEN.outcome(game.state, game.events[types.index("lost") :], game.state)
    assert told is not None
    assert "VP" in str(told.text) or "point" in str(told.text)
    assert told.seat == "stark"


@rule("BOW-RND-7", "BOW-RND-11")
def test_it_is_nobodys_turn_while_both_regroup() -> None:
    """The banner said "Lannister's turn" while Stark decided."""
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,9")])
    assert (game.state.phase, SCREEN.turn(game.state)) == ("command", "stark")
    regroup = replace(game.state, phase="regroup")
    assert SCREEN.turn(regroup) == ""
