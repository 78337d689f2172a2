"""What a viewer sees beside the turn: pages, the score, corrections, due moves, tried places; and
viewers beside the tablet in the app.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine.app_service import AppService
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import PlaceView, TurnView
from companion.engine.turn.turn_view import joint_look
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import Choice
from companion.games.api.screen_views import Outcome
from companion.session import game_view
from companion.session.authors import JointCommands
from companion.session.game_view import GameView, spelled
from companion.text.translation import catalogue
from models import Pose
from models.message import Name, say
from tests.app.bare import no_triangles
from tests.engine.turn.test_client import begun, done, refused

WAIT_S = 60.0
CELL_IN = 1.25
NEAR = {"move": "b2", "x": 13.0, "y": 14.6, "heading": 84.0, "try": True}
FAR = {"move": "b2", "x": 30.0, "y": 4.0, "heading": 0.0, "try": True}


@pytest.fixture
def battle(tmp_path: Path) -> Iterator[RunningGame]:
    """A practice battle at which the players move the trays themselves."""
    made = begun(tmp_path, "tmg-2021")
    made.moves_trays = False
    yield made
    made.session.close()


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[RunningGame]:
    made = begun(tmp_path, "thrones")
    yield made
    made.session.close()


def tried(view: TurnView) -> PlaceView:
    assert view.placing is not None
    return view.placing


def place_of(view: TurnView, piece: str) -> tuple[float, ...]:
    return next(one.place for one in view.pieces if one.id == piece)


# -- trays ---------------------------------------------------------------------------------------


def test_a_place_is_tried_and_told_before_anything_is_recorded(battle: RunningGame) -> None:
    client = Client(battle)
    before = client.view()
    assert next(one.movable for one in before.pieces if one.id == "b2")
    view = done(client.act(NEAR))
    place = tried(view)
    assert (view.seq, place_of(view, "b2")) == (before.seq, place_of(before, "b2"))
    assert (place.piece, place.x, place.y, place.heading) == ("b2", 13.0, 14.6, 84.0)
    assert place.far == pytest.approx(1.0)
    assert place.verdict == "yes"
    (put,) = place.choices
    assert (put.name, put.look, put.text) == ("place", "primary", "Maneuver")
    moved = done(client.act({"tap": put.tap}))
    assert moved.seq > before.seq
    assert place_of(moved, "b2") == (13.0, 14.6, 84.0)
    assert moved.placing is None
    assert done(client.act({"undo": True})).acts == before.acts


@pytest.mark.rule("TMG-MAN-3")
def test_a_place_too_far_away_is_told_and_only_both_players_keep_it(battle: RunningGame) -> None:
    shared = Client(battle)
    place = tried(done(shared.act(FAR)))
    assert place.verdict == "no"
    assert place.why
    names = [one.name for one in place.choices]
    assert names[-1] == "correct-position"
    agree = next(one for one in place.choices if one.name.startswith("agree:"))
    view = done(shared.act({"tap": agree.tap}))
    assert place_of(view, "b2") == (30.0, 4.0, 0.0)
    assert any("agree" in line for line in view.log)


@pytest.mark.parametrize("name", ["agree:maneuver", "correct-position"])
def test_on_a_screen_of_ones_own_the_others_are_asked(battle: RunningGame, name: str) -> None:
    blue, red = Client(battle, "blue"), Client(battle, "red")
    before = blue.view()
    (choice,) = (one for one in tried(done(blue.act(FAR))).choices if one.name == name)
    asking = done(blue.act({"tap": choice.tap}))
    assert place_of(asking, "b2") == place_of(before, "b2"), "nothing is recorded yet"
    own = next(one for one in asking.prompts if one.id == "own-proposal")
    assert own.title == "Waits for Red"
    assert not any(one.id == "proposal" for one in asking.prompts), "who asks is not asked"
    asked = next(one for one in red.view().prompts if one.id == "proposal")
    assert "Blue" in asked.title
    assert asked.text
    assert [one.piece for one in asked.ends] == ["b2"], "shown where the tray would stand"
    view = done(red.act({"tap": asked.choices[0].tap}))
    assert place_of(view, "b2") == (30.0, 4.0, 0.0)
    notes = battle.session.answer({"do": "state"})["state"]["notes"]
    assert "both agree: Stark Bowmen moved" in str(notes[-1])
    assert set(battle.session.history.now.whole.step.by) == {"blue", "red"}  # type: ignore[union-attr]
    undone = done(Client(battle).act({"undo": True}))
    assert place_of(undone, "b2") == place_of(before, "b2")


def test_a_tray_is_not_put_down_over_another(battle: RunningGame) -> None:
    """No table has that, so nobody is asked to agree to it."""
    client = Client(battle, "blue")
    x, y, heading = place_of(client.view(), "b1")
    over = {"move": "b2", "x": x + 0.5, "y": y, "heading": heading, "try": True}
    place = tried(done(client.act(over)))
    assert place.verdict == "no"
    assert "It lies over" in place.why
    assert not {"correct-position", "agree:maneuver"} & {one.name for one in place.choices}


def test_who_does_not_agree_ends_a_proposal(battle: RunningGame) -> None:
    blue, red = Client(battle, "blue"), Client(battle, "red")
    keep = {key: value for key, value in FAR.items() if key != "try"} | {"keep": True}
    before = blue.view()
    assert done(blue.act(keep)).seq == before.seq
    asked = next(one for one in red.view().prompts if one.id == "proposal")
    view = done(red.act({"tap": asked.choices[1].tap}))
    assert (view.seq, place_of(view, "b2")) == (before.seq, place_of(before, "b2"))
    assert not any(one.id == "proposal" for one in view.prompts)
    assert blue.view().notice == "The others do not agree."


def test_who_has_asked_may_withdraw_the_question(battle: RunningGame) -> None:
    blue, red = Client(battle, "blue"), Client(battle, "red")
    keep = {key: value for key, value in FAR.items() if key != "try"} | {"keep": True}
    own = next(one for one in done(blue.act(keep)).prompts if one.id == "own-proposal")
    view = done(blue.act({"tap": own.choices[0].tap}))
    assert not view.notice, "nobody has said no"
    proposals = {"proposal", "own-proposal"}
    assert not proposals & {one.id for one in (*view.prompts, *red.view().prompts)}


def test_who_has_tapped_what_all_must_tap_sees_for_whom_it_waits(tmp_path: Path) -> None:
    """It is gold for those who have not tapped it, no longer for who has."""
    game = begun(tmp_path, "westeros")
    stark, lannister = Client(game, "stark"), Client(game, "lannister")
    (begin,) = (one for one in stark.view().prompts[0].choices if one.look == "primary")
    done(stark.act({"tap": begin.tap}))
    own, other = (
        next(one for one in client.view().prompts[0].choices if one.name == begin.name)
        for client in (stark, lannister)
    )
    assert (own.look, own.detail) == ("quiet", "waits for Lannister")
    assert (other.look, other.detail) == ("primary", "already tapped: Stark")
    assert stark.view().acts == lannister.view().acts == ("lannister",)
    game.session.close()


def test_a_phone_neither_guides_nor_selects_for_another_player(tmp_path: Path) -> None:
    game = begun(tmp_path, "westeros")
    stark, lannister = Client(game, "stark"), Client(game, "lannister")
    for command in ({"do": "begin"}, {"do": "orders"}, {"do": "orders"}):
        assert game.session.answer(command)["ok"]
    assert stark.view().guide is None
    assert lannister.view().guide is not None
    order = next(one for one in lannister.view().offers if one.piece == "l3")
    assert done(lannister.act({"tap": order.tap})).selected == "l3"
    assert stark.view().selected is None
    game.session.close()


def test_what_others_have_tapped_is_the_only_gold() -> None:
    """Who is missing has that in gold, not the pass of one's own; who waits has no gold."""
    joint = JointCommands(({"do": "pass"},), ("p1",), ("p2",))
    shared, own = Choice("All pass", ({"do": "pass"},)), Choice("Ben passes", (), look="primary")
    assert joint_look(shared, joint, "p2") == "primary"
    assert joint_look(shared, joint, "p1") == "quiet"
    assert joint_look(own, None, "p2") == joint_look(own, None, "p1") == "plain"


def test_others_see_what_is_announced_and_rolled_for(battle: RunningGame) -> None:
    blue, red, watcher = Client(battle, "blue"), Client(battle, "red"), Client(battle, "")
    blue.act({"select": "b2"})
    charge = next(one for one in blue.view().offers if one.kind == "charge")
    assert done(blue.act({"tap": charge.tap})).prompts[0].dice
    assert not blue.view().notice
    assert red.view().notice == watcher.view().notice == f"Blue: {charge.text}"
    blue.act({"select": None})
    assert not red.view().notice


def test_redo_names_its_step_to_everybody(battle: RunningGame) -> None:
    blue, red = Client(battle, "blue"), Client(battle, "red")
    place = tried(done(blue.act(NEAR)))
    moved = done(blue.act({"tap": place.choices[0].tap}))
    undone = done(blue.act({"undo": True}))
    assert undone.redo == moved.undo
    asking = done(red.act({"redo": True}))
    assert asking.seq == undone.seq
    asked = next(one for one in blue.view().prompts if one.id == "proposal")
    assert asked.text == f"Redo: {moved.undo}."


def test_a_named_action_judges_the_place_and_an_unknown_one_is_refused(battle: RunningGame) -> None:
    client = Client(battle)
    place = tried(done(client.act({**NEAR, "as": "maneuver"})))
    assert [(one.name, one.text) for one in place.choices] == [("place", "Done")]
    march = tried(done(client.act({**NEAR, "as": "march"})))
    assert march.verdict == "no", "a march goes straight ahead"
    assert "place:maneuver" in [one.name for one in march.choices]
    assert refused(client.act({**NEAR, "as": "flight"})).why == "MOVE"
    assert refused(client.act({**NEAR, "cell": "1,1"})).why == "INPUT"


def test_a_tray_dragged_farther_than_its_speed_means_the_straight_march(
    battle: RunningGame,
) -> None:
    """Nothing was chosen, and a finger is never exactly on the line."""
    client = Client(battle)
    x, y, heading = place_of(client.view(), "b2")
    speed = battle.table.unit("b2").speed  # type: ignore[union-attr]
    at = Pose(x, y, heading).ahead(speed + 1.5, 0.3)
    asked = {"move": "b2", "x": at[0], "y": at[1], "heading": heading, "try": True, "snap": True}
    place = tried(done(client.act(asked)))
    assert place.verdict == "yes", place
    assert [one.name for one in place.choices] == ["place"]
    assert place.far == pytest.approx(speed + 1.5)


def test_a_charge_that_arrived_ends_where_its_player_says(battle: RunningGame) -> None:
    client, other = Client(battle), Client(battle, "red")
    charge = next(one for one in client.view().offers if one.asks == ("dice",))
    view = done(client.act({"tap": charge.tap, "faces": [6]}))
    due = next(one for one in view.prompts if one.id == charge.piece)
    assert due.acts == ("blue",)
    *ends, begin = due.choices  # it does not stay (TMG-CHG-17)
    assert all(one.name.startswith("end:") for one in ends), "places to choose from"
    assert begin.name == "move-tray"
    assert all(one.id != charge.piece for one in other.view().prompts), "it is not red's to move"
    assert next(one.movable for one in view.pieces if one.id == charge.piece)
    after = done(client.act({"tap": ends[0].tap}))
    assert all(one.id != charge.piece for one in after.prompts)
    assert place_of(after, charge.piece) != place_of(view, charge.piece)
    back = done(client.act({"undo": True}))
    assert charge.piece in {one.id for one in back.prompts}, "the die that fell stays"
    back = done(client.act({"undo": True}))
    assert charge.piece in {one.piece for one in back.offers}


# -- pages ---------------------------------------------------------------------------------------


def test_the_points_of_a_player_are_set_right_by_their_form(battle: RunningGame) -> None:
    client = Client(battle)
    page = client.view().score_page
    assert page is not None
    blue = page.seats[0]
    assert (blue.seat, blue.points, blue.unit) == ("blue", 0, "VP")
    assert blue.form is not None
    assert [line.seat for line in page.lines if line.seat] == ["blue", "blue", "red"]
    assert len(page.lines) == 5, "every objective, held or not"
    assert refused(client.act({"tap": blue.form.tap, "values": {"set": -1}})).why == "INPUT"
    view = done(client.act({"tap": blue.form.tap, "values": {"set": 3}}))
    assert view.score["blue"] == 3
    german = Client(battle, language="de").view().score_page
    assert german is not None
    assert german.seats[0].unit != "VP"


def test_the_corrections_of_the_selected_piece_are_sent_and_undone(battle: RunningGame) -> None:
    client = Client(battle)
    assert client.view().corrections is None
    view = done(client.act({"select": "b1"}))
    page = view.corrections
    assert page is not None
    left = next(one.left for one in view.pieces if one.id == "b1")
    wound = next(one for one in page.choices if "wound" in one.text.casefold())
    hurt = done(client.act({"tap": wound.tap}))
    assert next(one.left for one in hurt.pieces if one.id == "b1") != left
    healed = done(client.act({"undo": True}))
    assert next(one.left for one in healed.pieces if one.id == "b1") == left


def test_a_hand_is_looked_at_alone_and_covered_again(duel: RunningGame) -> None:
    shared = Client(duel)
    hands = [one for page in shared.view().pages for one in page.hands]
    seats = {one.acts[0] for one in hands}
    assert seats == {seat.id for seat in duel.view(None).seats}
    first = hands[0]
    page = next(one.id for one in shared.view().pages if first in one.hands)
    public = next(one for one in shared.view().pages if one.id == page)
    alone = Client(duel, first.acts[0]).view()
    own = next(one for one in alone.pages if one.id == page)
    assert own.hands == ()
    assert own.sections != public.sections
    before = shared.view().prompts
    looked = done(shared.act({"tap": first.tap}))
    assert [one.title for one in looked.prompts] == [one.title for one in before]
    assert next(one for one in looked.pages if one.id == page).sections == own.sections
    cover = looked.prompts[0].choices[-1]
    covered = done(shared.act({"tap": cover.tap}))
    assert next(one for one in covered.pages if one.id == page).sections == public.sections


def test_cards_log_and_players_come_in_the_viewers_language(duel: RunningGame) -> None:
    english, german = Client(duel).view(), Client(duel, language="de").view()
    assert english.cards is not None
    assert german.cards is not None
    assert [one["seat"] for one in english.cards["seats"]] == [one.id for one in english.players]
    assert english.cards["seats"][0]["numbers"] != german.cards["seats"][0]["numbers"]
    assert english.log
    assert english.log != german.log


def test_a_note_is_no_word_and_begins_a_line(duel: RunningGame) -> None:
    assert duel.session.answer({"do": "note", "text": "claim for p1"})["ok"]
    told = [Client(duel, language=one).view().log[0] for one in ("en", "de", "ru")]
    assert told == ["Note: claim for Anna", "Notiz: claim for Anna", "Заметка: claim for Anna"]


def test_names_stand_in_a_line_before_it_is_translated() -> None:
    """A side is told by its player's name, and a verb agrees with a unit's name."""
    seats = (SeatView("blue", Name("Anna"), 1), SeatView("red", Name("Ben"), 2))
    view = GameView(seats, names={"b1": Name("Stark Bowmen")})
    words = catalogue("ru", game="tmg").translate
    told = say("{side} is done: {step}", side="blue", step="terrain")
    assert spelled(view, told, words) == "Anna, готово: местность"
    destroyed = say("{unit} is destroyed", unit="b1")
    assert spelled(view, destroyed, words) == "Stark Bowmen уничтожены"


# -- beside the tablet ---------------------------------------------------------------------------


def test_a_viewer_beside_the_tablet_acts_in_its_game(tmp_path: Path) -> None:
    service = AppService(tmp_path, no_triangles)
    assert service.controller.shared() is None
    service.start_practice("tactics")
    assert service.settle()
    game = service.controller.shared()
    assert game is service.controller.shared()
    assert game is not None
    promise = service.worker.promise
    turn = promise(Client(game).view).result(WAIT_S).turn
    client = Client(game, turn)
    view = promise(client.view).result(WAIT_S)
    number = service.snapshot.number
    after = done(promise(lambda: client.act({"tap": view.offers[0].tap})).result(WAIT_S))
    assert after.seq > view.seq
    assert service.snapshot.number > number, "the tablet shows it"
    step = game.session.history.now.step
    assert step is not None
    assert step.by == (turn,)
    service.close()


def test_the_clock_of_whose_turn_it_is_runs_while_all_may_still_act(battle: RunningGame) -> None:
    client = Client(battle)
    for unit in ("b2", "r2"):
        forgo = next(
            one for one in done(client.act({"select": unit})).offers if one.kind == "forgo"
        )
        end = done(client.act({"tap": forgo.tap})).prompts[0].choices[0]
        assert end.text == "End the turn"
        if unit == "b2":
            client.act({"tap": end.tap})
    assert battle.session.answer({"do": "clock", "action": "start"})["ok"]
    assert battle.session.history.clock.runs == "red"


def test_a_figure_is_put_elsewhere_by_hand_when_the_others_agree(tmp_path: Path) -> None:
    game = begun(tmp_path, "tactics")
    blue, red = Client(game, "blue"), Client(game, "red")
    before = next(one for one in blue.view().pieces if one.id == "b1")
    assert before.puts
    where = {"move": "b1", "x": 3.5 * CELL_IN, "y": 6.5 * CELL_IN, "keep": True}
    beside = refused(blue.act({**where, "x": -9.0}))
    assert beside.say == "That is beside the board."
    assert done(blue.act(where)).seq == blue.view().seq
    assert next(one for one in blue.view().pieces if one.id == "b1").cell == before.cell
    asked = next(one for one in red.view().prompts if one.id == "proposal")
    assert before.name in asked.text
    view = done(red.act({"tap": asked.choices[0].tap}))
    moved = next(one for one in view.pieces if one.id == "b1")
    assert moved.cell != before.cell
    undone = done(Client(game).act({"undo": True}))
    assert next(one for one in undone.pieces if one.id == "b1").cell == before.cell
    game.session.close()


def test_the_log_tells_the_faces_also_of_a_step_in_several_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(tmp_path, "tactics")
    game.session.answer({"do": "activate", "figure": "b7"})
    for dice, first in (((3, 10), "Archer hits [3 10]"), (("green", "blue"), "Archer hits")):
        found = Outcome("", lines=("Archer hits", "Axeman is wounded"), dice=dice)
        monkeypatch.setattr(game_view, "outcome_of", lambda *_, found=found: found)
        assert game.screen is not None
        lines = [str(line) for _, line in game_view.log_lines(game.screen, game.here)]
        assert lines[:2] == ["Axeman is wounded", first]
    game.session.close()


@pytest.mark.rule("TMG-ZON-6", "TMG-ACT-5")
def test_a_tray_that_is_simply_moved_answers_the_maneuver_zone(battle: RunningGame) -> None:
    ncu = next(one.id for one in battle.here.state.ncus if one.side == "blue")
    battle.post(({"do": "activate", "unit": ncu},))
    battle.post(({"do": "claim", "zone": "maneuver"},))
    client = Client(battle)
    place = tried(done(client.act(NEAR)))
    assert place.verdict == "yes"
    (put,) = place.choices
    view = done(client.act({"tap": put.tap}))
    assert place_of(view, "b2") == (13.0, 14.6, 84.0)
    assert not battle.here.state.tasks, "the zone has had its effect"
