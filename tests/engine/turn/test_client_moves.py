"""Moves of a viewer of its own: what is refused, moves that are due, what a camera saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.engine.snapshot import CellMove, Notice, Snapshot
from companion.engine.turn import client as client_module
from companion.engine.turn.client import Client
from companion.engine.turn.handles import MoveTap
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import ChoiceView, PromptView, TurnView
from companion.games.api.play import Refusal
from companion.games.api.prompt import Choice, Prompt
from companion.session.session import Session
from models import Pose, Table
from tests.engine.turn.test_client import begun, done, refused

NEAR = {"move": "b2", "x": 13.0, "y": 14.6, "heading": 84.0}
FAR = {"move": "b2", "x": 30.0, "y": 4.0, "heading": 0.0}


class Watched(RunningGame):
    """A game in which a camera saw something; remembers what was said of it."""

    saw = Snapshot()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.said: list[MoveTap] = []

    @property
    def watched(self) -> Snapshot:
        return self.saw

    def decide(self, tap: MoveTap) -> Refusal | None:
        self.said.append(tap)
        return None


@pytest.fixture
def battle(tmp_path: Path) -> Iterator[RunningGame]:
    """A practice battle at which the players move the trays themselves."""
    made = begun(tmp_path, "tmg-2021")
    made.moves_trays = False
    yield made
    made.session.close()


@pytest.fixture
def skirmish(tmp_path: Path) -> Iterator[RunningGame]:
    made = begun(tmp_path, "tactics")
    yield made
    made.session.close()


def place_of(view: TurnView, piece: str) -> tuple[float, ...]:
    return next(one.place for one in view.pieces if one.id == piece)


def named(choices: tuple[ChoiceView, ...], name: str) -> str:
    return next(one.tap for one in choices if one.name == name)


def prompt_of(view: TurnView, name: str) -> PromptView:
    return next(one for one in view.prompts if one.id == name)


# -- trays -----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RNG-7")
def test_of_two_shots_after_the_same_shift_its_player_says_which(battle: RunningGame) -> None:
    """What tells them apart is what they do: they are called by their words."""
    client = Client(battle)
    x, y, heading = place_of(client.view(), "b2")
    ahead = Pose(x, y, heading).ahead(2.0, 0.0)
    there = {"move": "b2", "x": ahead[0], "y": ahead[1], "heading": heading}
    names = refused(client.act(there)).say.removesuffix(".").split(": ")[1].split(", ")
    shots = [one for one in names if one.startswith("Shoot at")]
    assert len(shots) == len(set(shots)) == 2, names
    assert refused(client.act({**there, "as": "shift"})).asks == "as"
    second = next(one for one in battle.offers("b2") if str(one.text) == shots[1])
    done(client.act({**there, "as": shots[1]}))
    assert battle.here.state.attack.defender == second.commands[-1]["target"]


def test_a_tray_is_moved_where_one_action_explains_it_and_else_its_players_say_what(
    battle: RunningGame,
) -> None:
    client = Client(battle)
    x, y, heading = place_of(client.view(), "b2")
    there = refused(client.act({"move": "b2", "x": x, "y": y, "heading": heading}))
    assert (there.why, there.say) == ("MOVE", "It stands there already.")
    assert refused(client.act({**NEAR, "move": "r99"})).say == "there is no piece 'r99'"
    ahead = Pose(x, y, heading).ahead(2.0, 0.0)
    asked = refused(client.act({"move": "b2", "x": ahead[0], "y": ahead[1], "heading": heading}))
    assert asked.say.startswith("Say as what it moves: maneuver, march, Shoot at ")
    assert asked.asks == "as"
    wrong = {"move": "b2", "x": ahead[0], "y": ahead[1], "heading": heading, "as": "charge"}
    assert refused(client.act(wrong)).asks == "as"
    moved = done(client.act({**wrong, "as": "march"}))
    assert place_of(moved, "b2")[:2] == pytest.approx(ahead)
    assert moved.notice


@pytest.mark.rule("TMG-RND-4")
@pytest.mark.parametrize("intent", [NEAR, FAR, {**NEAR, "as": "maneuver"}])
def test_a_seat_does_not_move_the_trays_of_others(
    battle: RunningGame, intent: dict[str, Any]
) -> None:
    red = Client(battle, "red")
    seq = red.view().seq
    assert refused(red.act(intent)).why == "SEATS"
    asked = done(red.act({**FAR, "keep": True}))
    assert asked.seq == seq, "the other player is asked"
    done(Client(battle, "blue").act(NEAR))


def test_a_tray_that_is_not_on_the_table_is_not_moved(battle: RunningGame) -> None:
    ncu = battle.here.state.ncus[0].id
    refusal = refused(Client(battle).act({**NEAR, "move": ncu}))
    assert refusal.say.endswith("is not on the table")


def test_whoever_keeps_a_place_says_as_what_or_only_corrects_it(battle: RunningGame) -> None:
    client = Client(battle)
    assert refused(client.act(FAR)).why != "MOVE", "the rule that forbids it"
    assert place_of(done(client.act({**FAR, "keep": True})), "b2") == (30.0, 4.0, 0.0)
    assert not battle.here.state.unit("b2").activated
    again = {**NEAR, "x": 30.5, "y": 4.0, "heading": 0.0}
    assert place_of(done(client.act({**again, "keep": True})), "b2") == (30.5, 4.0, 0.0)
    assert not battle.here.state.unit("b2").activated, "kept, and said as nothing"


def charged(battle: RunningGame) -> tuple[Client, str]:
    """A charge that has arrived, and its tray still to be moved."""
    client = Client(battle)
    charge = next(one for one in client.view().offers if one.asks == ("dice",))
    done(client.act({"tap": charge.tap, "faces": [6]}))
    return client, charge.piece


@pytest.mark.rule("TMG-CHG-11", "TMG-CHG-14")
@pytest.mark.parametrize("keep", [False, True])
def test_a_charge_told_by_where_its_tray_was_laid_asks_for_its_die(
    battle: RunningGame, keep: bool
) -> None:
    """A hand rolls no dice."""
    client, unit = charged(battle)
    due = client.snapshot().due_move(unit)
    assert due is not None
    end = due.ends[0].poses[0][1]
    before = done(client.act({"undo": True}))
    laid = {"move": unit, "x": end.x, "y": end.y, "heading": end.heading, "as": "charge"}
    asked = done(client.act({**laid, "keep": keep}))
    assert asked.seq == before.seq, "nothing is rolled, nothing recorded"
    (die,) = asked.prompts[0].dice
    rolled = done(client.act({"tap": die.tap, "faces": [5]}))
    assert "5" in rolled.result
    moved = done(client.act({"move": unit, "x": end.x, "y": end.y, "heading": end.heading}))
    assert place_of(moved, unit) == pytest.approx((end.x, end.y, end.heading))


@pytest.mark.rule("TMG-CHG-17")
def test_a_tray_that_is_taken_up_shows_where_it_may_end(battle: RunningGame) -> None:
    client, unit = charged(battle)
    due = prompt_of(client.view(), unit)
    begun_view = done(client.act({"tap": named(due.choices, "move-tray")}))
    assert begun_view.selected == unit
    place = begun_view.placing
    assert place is not None
    assert (place.piece, place.verdict, place.text) == (unit, "", "Not moved yet")
    ends = [one for one in place.choices if one.name.startswith("end:")]
    assert [one.text for one in ends] == [
        one.text for one in due.choices if one.name.startswith("end:")
    ]
    assert [one.name for one in place.choices] == [one.name for one in ends], "it does not stay"
    tried = done(client.act({"tap": ends[0].tap}))
    place = tried.placing
    assert place is not None
    assert place.verdict == "yes"
    assert (place.x, place.y) != place_of(tried, unit)[:2], "nothing is recorded yet"
    moved = done(client.act({"tap": place.choices[0].tap}))
    assert place_of(moved, unit) == pytest.approx((place.x, place.y, place.heading))
    assert all(one.id != unit for one in moved.prompts)


def test_a_move_that_is_due_is_another_players_no_more_than_gone(battle: RunningGame) -> None:
    client, unit = charged(battle)
    stale = client.decide(MoveTap("end", unit, end=99))
    assert stale is not None
    assert stale.why == "STALE"
    for tap in (MoveTap("end", "b3", end=0), MoveTap("stay", "b3"), MoveTap("stay", "nobody")):
        refusal = client.decide(tap)
        assert refusal is not None
        assert refusal.why == "STALE", tap
    begun_tap = client.decide(MoveTap("begin", "nobody"))
    assert begun_tap is not None
    assert begun_tap.why == "INPUT"
    assert client.placing is None


def test_the_tray_of_a_decided_move_may_stay_where_it_is(battle: RunningGame) -> None:
    client = Client(battle)
    maneuver = next(
        one for one in done(client.act({"select": "b2"})).offers if one.kind == "maneuver"
    )
    begun_view = done(client.act({"tap": maneuver.tap}))
    before = place_of(begun_view, "b2")
    assert client.snapshot().due_move("b2") is not None
    stayed = done(client.act({"tap": named(prompt_of(begun_view, "b2").choices, "stay")}))
    assert place_of(stayed, "b2") == before
    assert stayed.seq > begun_view.seq
    assert client.snapshot().due_move("b2") is None


# -- pieces on a board -----------------------------------------------------------------------------


def test_a_figure_goes_only_where_an_offer_leads_it(skirmish: RunningGame) -> None:
    client = Client(skirmish)
    view = done(client.act({"tap": client.view().offers[0].tap}))
    piece = view.selected
    assert refused(client.act({"move": piece, "cell": "99,99"})).why == "MOVE"
    told = refused(client.act({"move": piece, "cell": "99,99"})).say
    assert told == "It may not stand there now. Put it back."
    other = next(one.id for one in view.pieces if one.seat != view.turn)
    assert refused(client.act({"move": other, "cell": "1,1"})).why == "MOVE"


def test_an_offer_that_is_aimed_at_a_cell_shows_its_cells_first(skirmish: RunningGame) -> None:
    client = Client(skirmish)
    view = done(client.act({"tap": client.view().offers[0].tap}))
    move = next(one for one in view.offers if one.asks == ("cell",))
    aimed = done(client.act({"tap": move.tap}))
    assert aimed.seq == view.seq
    first = aimed.prompts[0]
    assert (first.id, first.title, first.text) == ("aiming", move.text, "Tap a marked space")
    assert [one.cell for one in first.cells] == [one.cell for one in move.cells]
    assert [one.name for one in first.choices] == ["not-now"]
    away = done(client.act({"tap": first.choices[0].tap}))
    assert away.prompts[0].id != "aiming"
    again = done(client.act({"tap": next(o.tap for o in away.offers if o.name == move.name)}))
    target = again.prompts[0].cells[0]
    moved = done(client.act({"tap": target.tap}))
    assert next(one.cell for one in moved.pieces if one.id == view.selected) == target.cell
    assert moved.prompts[0].id != "aiming"


@pytest.mark.rule("TAC-GRD-9")
def test_what_the_game_does_not_let_stand_elsewhere_is_refused_with_its_rule(
    skirmish: RunningGame,
) -> None:
    client = Client(skirmish)
    cells = {one.id: one.cell for one in client.view().pieces}
    assert refused(client.act({"move": "r1", "cell": "1,1", "keep": True})).why == "TAC-GRD-9"
    assert {one.id: one.cell for one in client.view().pieces} == cells
    moved = done(client.act({"move": "r1", "cell": "2,6", "keep": True}))
    assert {one.id: one.cell for one in moved.pieces} == {**cells, "r1": "2,6"}


# -- what a camera saw -----------------------------------------------------------------------------


def seen_move(game: Watched, **more: Any) -> Notice:
    """A tray that stands far from where it was."""
    table = game.table
    assert isinstance(table, Table)
    before, moved = table.unit("b2").pose, table.moved("b2", Pose(30.0, 4.0, 0.0))
    offers = tuple(one for one in game.offers("b2") if one.kind == "maneuver")
    notice = Notice("b2", "Bowmen moved", "too far", False, before, moved, agreeable=offers)
    return replace(notice, **more)


@pytest.fixture
def watched(battle: RunningGame) -> Watched:
    return Watched(battle.session)


def test_what_becomes_of_a_tray_the_camera_saw_is_said_to_the_game(watched: Watched) -> None:
    watched.saw = Snapshot(notices=(seen_move(watched),))
    client = Client(watched)
    move = prompt_of(client.view(), "b2")
    names = {one.name for one in move.choices}
    assert {"correct", "accept", "agree:maneuver"} <= names
    done(client.act({"tap": named(move.choices, "correct")}))
    done(client.act({"tap": named(prompt_of(client.view(), "b2").choices, "agree:maneuver")}))
    commands = ({"do": "activate", "unit": "b2"}, {"do": "action", "action": "maneuver"})
    kept = MoveTap("keep", "b2", "maneuver", commands)
    assert watched.said == [MoveTap("back", "b2"), kept]


def test_on_a_screen_of_ones_own_the_others_agree_to_what_no_rule_allows(
    watched: Watched,
) -> None:
    watched.saw = Snapshot(notices=(seen_move(watched),))
    blue, red = Client(watched, "blue"), Client(watched, "red")
    before = place_of(blue.view(), "b2")
    view = done(blue.act({"tap": named(prompt_of(blue.view(), "b2").choices, "agree:maneuver")}))
    assert watched.said == [], "it is asked first"
    assert place_of(view, "b2") == before
    assert prompt_of(view, "own-proposal")
    asked = prompt_of(red.view(), "proposal")
    after = done(red.act({"tap": named(asked.choices, "agree")}))
    assert place_of(after, "b2") == (30.0, 4.0, 0.0)
    assert not any(one.id == "b2" for one in red.view().prompts), "red does not say it of blue's"


def test_what_the_rules_explain_needs_nobodys_word(watched: Watched) -> None:
    offers = tuple(one for one in watched.offers("b2") if one.kind == "maneuver")
    watched.saw = Snapshot(notices=(seen_move(watched, legal=True, actions=offers, agreeable=()),))
    blue = Client(watched, "blue")
    done(blue.act({"tap": named(prompt_of(blue.view(), "b2").choices, "accept:maneuver")}))
    assert watched.said == [MoveTap("keep", "b2", "maneuver", offers[0].commands)]


def test_a_figure_seen_where_it_may_not_go_is_corrected_when_the_others_agree(
    skirmish: RunningGame,
) -> None:
    game = Watched(skirmish.session)
    game.saw = Snapshot(cell_moves=(CellMove("r1", "Rider", "There?", spot=(2, 6), barred="fire"),))
    red, blue = Client(game, "red"), Client(game, "blue")
    before = {one.id: one.cell for one in red.view().pieces}
    only = prompt_of(red.view(), "r1").choices[0]
    assert (only.name, only.text, only.look) == ("accept", "Only correct the position", "quiet")
    assert {one.id: one.cell for one in done(red.act({"tap": only.tap})).pieces} == before
    asked = prompt_of(blue.view(), "proposal")
    assert asked.text == "Captain of the Riders (mounted) · only its position is corrected · fire"
    after = done(blue.act({"tap": named(asked.choices, "agree")}))
    assert {one.id: one.cell for one in after.pieces} == {**before, "r1": "2,6"}
    assert game.said == []
    Client(game).decide(MoveTap("correct", "r1"))
    assert game.said == [MoveTap("correct", "r1")], "the shared tablet asks nobody"


# -- the coach -------------------------------------------------------------------------------------


def test_the_coach_says_it_to_who_asked_until_the_next_step(
    battle: RunningGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = Choice("Maneuver", ({"do": "x"},), piece="b2")
    told = (Prompt("coach", "The best for Blue", seats=("blue",), choices=(act,)),)
    monkeypatch.setattr(
        client_module, "coach_prompts", lambda view, here, seat: told if seat else ()
    )
    battle.session.answer({"do": "coach", "on": True})
    blue, red = Client(battle, "blue"), Client(battle, "red")
    first = blue.view().prompts[0]
    (ask,) = [one for one in first.choices if one.name == "coach"]
    assert (ask.text, ask.icon, ask.acts) == ("Ask the coach", "star", ("blue",))
    assert not any(one.name == "coach" for one in red.view().prompts[0].choices)
    view = done(blue.act({"tap": ask.tap}))
    assert [one.id for one in view.prompts][:1] == ["coach"]
    assert red.view().prompts[0].id != "coach"
    assert done(blue.act({"select": "b2"})).prompts[0].id == "coach"
    assert done(blue.act({"select": "b1"})).prompts[0].id != "coach", "it speaks of another"
    view = done(blue.act({"tap": named(blue.view().prompts[0].choices, "coach")}))
    off = next(one for one in view.prompts[0].choices if one.name == "coach")
    assert off.text == "Back to the game"
    assert done(blue.act({"tap": off.tap})).prompts[0].id != "coach"


def test_nothing_is_shown_or_done_before_a_game_is_set_up(tmp_path: Path) -> None:
    session = Session.open(tmp_path / "empty.game")
    game = RunningGame(session)
    client = Client(game)
    assert refused(client.act({"undo": True})).why == "SET-UP"
    view = client.view()
    assert (view.prompts, view.offers, view.pieces, view.turn) == ((), (), (), None)
    assert game.offers(None) == ()
    tried = game.tried(({"do": "undo"},))
    assert tried is not None
    assert tried.why == "SET-UP"
    session.close()


def test_of_several_commands_all_or_none_are_done(skirmish: RunningGame) -> None:
    seq = skirmish.session.history.seq
    first = skirmish.offers(None)[0].commands
    reply = skirmish.post((*first, {"do": "attack", "target": "b1"}))
    assert reply.refusal is not None
    assert not reply.done
    assert skirmish.session.history.seq == seq
    broken = skirmish.post((*first, {"do": "attack", "targets": 1}))
    assert broken.refusal is not None
    assert broken.refusal.why == "INPUT"
    assert skirmish.post((*first, {"do": "end"})).done
