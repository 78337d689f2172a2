"""The rival of the miniatures game: legal places, fair, and its moves on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.balance import begun, decided
from companion.engine import hindsight as looking_back
from companion.engine import rival_turn
from companion.engine.hindsight import HINDSIGHT, hindsight
from companion.engine.rival_turn import (
    PROMPT,
    RivalMove,
    RivalThinker,
    advice_for,
    rival_offers,
    with_rival,
)
from companion.engine.snapshot import Snapshot
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.selection import suited, waiting_behind
from companion.engine.turn.turn_records import TurnView
from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, DiceRequest, Prompt
from companion.games.api.rival import RivalSeat
from companion.games.api.screen_views import Outcome
from companion.games.shared.search import RankedLine, Search
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import DeclaredMove, GameState, PendingTask, table_of
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.rival import RIVAL
from companion.games.tmg.rival_ends import Aim
from companion.games.tmg.rival_value import exposure
from companion.games.tmg.screen import SCREEN
from companion.session.fold import Position
from companion.session.game_view import GameView
from companion.session.session import Session
from models import Pose
from tests.rival.battles import battle
from tests.rival.scripted import accepted, miniatures_script
from tests.rival.self_play import checked

FEW = ("b1", "b2", "r2", "r3")
"""Units of the practice table that may come to blows at once: two a side are enough here."""


def opening() -> list[dict[str, Any]]:
    """The practice game with few units."""
    set_up, *rest = (dict(one) for one in SCREEN.practice("tmg-2021"))
    table = set_up["table"]
    table = {**table, "units": [one for one in table["units"] if one["id"] in FEW]}
    armies = [
        {**one, "units": [unit for unit in one["units"] if unit["id"] in FEW], "ncus": []}
        for one in set_up["armies"]
    ]
    tabled = [{**one, "table": table} if one["do"] == "table" else one for one in rest]
    return [{**set_up, "table": table, "armies": armies}, *tabled]


def practice(seed: int = 1) -> GameState:
    state = begun("tmg-2021", seed, opening())
    assert isinstance(state, GameState)
    return state


def thoughtful(side: str, level: str) -> Search:
    """A search that is not cut short, whatever else the machine does."""
    return Search(RIVAL, RivalSeat(side, level), longest_s=600.0, seconds=600.0)


def do(state: GameState, *commands: Plain) -> GameState:
    for command in commands:
        state = decided(PLAY.decide(state, command))
    return state


@pytest.mark.parametrize("game", ["tmg-2021", "tmg-2018"])
def test_every_line_is_legal(game: str) -> None:
    """TMG-MAN-1..4, TMG-MAR-1..4, TMG-MOV-7, -9: the rules explain each move that it thinks of."""
    state = do(begun(game, 3, battle(game, 3, points=30)), {"do": "continue"}, {"do": "deploy"})
    state = do(state, {"do": "table", "table": current_table(state).to_json()})
    side = RIVAL.waits(state)[0]
    lines = list(RIVAL.lines(state, side))
    before = current_table(state)
    moves = 0
    for line in lines:
        assert accepted(state, line.commands), line
        if line.commands[-1]["do"] == "table":
            name, after = line.commands[-1]["units"][0], line.commands[-1]["table"]
            there = {one["id"]: one for one in after["units"]}[name]
            moved = before.moved(name, Pose(there["x"], there["y"], there["heading"]))
            action = str(line.commands[-2]["action"])
            assert GAME.check(before, moved, name)[action]["answer"] == "yes", line
            moves += 1
    assert moves >= 10
    own = {one.id for one in state.units if one.side == side}
    own |= {one.id for one in state.ncus if one.side == side}
    assert {one.commands[0]["unit"] for one in lines} == own


# -- fairness --------------------------------------------------------------------------------------


def test_two_worlds_with_other_hands_and_dice_are_the_same() -> None:
    """TMG-DECK-5: of the opponent's cards it knows how many there are."""
    state = practice()
    cards = [f"card {number}" for number in range(8)]
    worlds = []
    for number, held in enumerate((cards[:3], cards[4:7])):
        deck = tuple(one for one in cards if one not in held)
        blue = replace(state.players[0], hand=tuple(held), deck=deck)
        red = replace(state.players[1], hand=("own",), deck=("x", "y")[:: 1 - 2 * number])
        worlds.append(replace(state, players=(blue, red), seed=number))
    seen = [PLAY.veiled(one, "red", 7) for one in worlds]
    assert seen[0] == seen[1]
    assert seen[0].players[1].hand == ("own",)
    assert len({PLAY.veiled(worlds[0], "red", n).players[0].hand for n in range(20)}) > 1
    assert PLAY.veiled(worlds[0], "blue", 1).players[0].hand == tuple(cards[:3])
    assert PLAY.veiled(worlds[0], None, 1).players[0].hand != tuple(cards[:3])


def test_dice_to_come_change_no_choice() -> None:
    state = practice()
    search = thoughtful("blue", "apprentice")
    assert search.ranked(state) == search.ranked(replace(state, seed=state.seed + 1))


def test_who_may_reroll_is_asked() -> None:
    """TMG-RER-2, TMG-BON-1: after a charge the attacker may reroll, and decides it first."""
    state = practice()
    for line in RIVAL.lines(state, "blue"):
        if any(one.get("action") == "charge" for one in line.commands):
            charged = dict(line.commands[-1])
            break
    state = do(state, dict(line.commands[0]), {**charged, "faces": [6]})
    assert RIVAL.waits(state)[0] == "blue", "its tray is moved first"
    state = do(state, *next(iter(RIVAL.lines(state, "blue"))).commands)
    dice = PLAY.pending(state)[0].data["dice"]
    state = do(state, {"do": "roll", "faces": [1] * dice})
    assert PLAY.pending(state)[0].side is None
    assert RIVAL.waits(state) == ["blue"]
    words = [one.commands[0]["do"] for one in RIVAL.lines(state, "blue")]
    assert "reroll" in words
    assert "continue" in words
    best = thoughtful("blue", "commander").ranked(state)[0]
    assert best.commands[0]["do"] == "reroll", "every die has missed"


def test_a_full_hand_waits_beside_a_move_of_the_other_side() -> None:
    """TMG-RND-20: red discards while blue still owes a pivot: both have something to do."""
    state = practice()
    red = replace(state.players[1], hand=tuple("abcdef"))
    task = PendingTask(1, "hand", "", "red", other=red.id, number=5, commands=("discard",))
    pivot = DeclaredMove("b1", "pivot")
    full = replace(state, players=(state.players[0], red), tasks=(task,), declared=(pivot,))
    assert list(RIVAL.waits(full)) == ["blue", "red"]
    assert not [one for given in PLAY.options(full, "blue") for one in given["options"]]
    checked(RIVAL, Random(1))(full)
    assert [one.commands[0]["do"] for one in RIVAL.lines(full, "red")] == ["discard"] * 6


# -- on a screen -----------------------------------------------------------------------------------


@pytest.fixture
def solo(tmp_path: Path) -> Iterator[Session]:
    """A practice game in which the app plays the side that begins."""
    yield from against(tmp_path, "blue")


@pytest.fixture
def second(tmp_path: Path) -> Iterator[Session]:
    """The same, the app plays the other side."""
    yield from against(tmp_path, "red")


def against(folder: Path, seat: str) -> Iterator[Session]:
    with Session.open(folder / "solo.game") as session:
        set_up, *rest = opening()
        rival = {"seat": seat, "level": "apprentice"}
        for command in ({**set_up, "seed": 1, "rivals": [rival]}, *rest):
            answer = session.answer(command)
            assert answer["ok"], answer
        yield session


def moving(client: Client) -> Any:
    """The first of the rival's proposals that moves a tray, and its record."""
    for _ in range(12):
        view = client.view()
        shown = client.game.view(None).prompts[0]
        assert shown.id == PROMPT
        if shown.ends and len(shown.choices[0].commands[0].get("commands", ())) == 4:
            return view.prompts[0], shown
        client.act({"tap": view.prompts[0].choices[1].tap})
    raise AssertionError("it never moves")


def test_a_move_is_shown_where_it_goes_and_moved_by_a_tap(solo: Session) -> None:
    client = Client(RunningGame(solo))
    prompt, shown = moving(client)
    unit, pose = shown.ends[0].poses[0]
    assert [one.piece for one in prompt.ends] == [unit], "phones draw it, too"
    middle = [sum(point[axis] for point in prompt.ends[0].outline) / 4 for axis in (0, 1)]
    assert middle == pytest.approx([pose.x, pose.y])
    assert prompt.choices[0].text == "Moved"
    assert prompt.choices[1].text == "It does not fit"
    assert [one["do"] for one in shown.choices[2].commands[0]["commands"]][-1] == "table"
    assert solo.history.now.state.unit(unit).name in prompt.text
    before = solo.history.now.state
    assert isinstance(client.act({"tap": prompt.choices[0].tap}), TurnView)
    now = solo.history.now.state
    assert table_of(now.table).unit(unit).pose == pose
    assert now.unit(unit).activated
    assert (now.active, now.step) == ("red", "turn-start"), "its turn is over with it"
    client.act({"undo": True})
    assert solo.history.now.state == before, "one Undo takes activation, action and place back"


def test_what_does_not_fit_gets_another_place(
    solo: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(RunningGame(solo))
    prompt, shown = moving(client)
    client.act({"tap": prompt.choices[1].tap})
    other = client.game.view(None).prompts[0]
    assert other.ends != shown.ends
    monkeypatch.setattr(rival_turn, "best_move", None)
    client.act({"undo": True})
    assert client.game.view(None).prompts[0] == shown, "after Undo it says the same as before"


def test_a_camera_may_say_moved(solo: Session) -> None:
    """What the camera sees is recorded with the rival's action, at the place where it is seen."""
    client = Client(RunningGame(solo))
    _, shown = moving(client)
    unit = shown.ends[0].poses[0][0]
    (offer,) = rival_offers(client.game.view(None), unit)
    assert offer.moves
    assert [one["do"] for one in offer.commands] == ["activate", "action"]
    assert offer.kind == offer.commands[-1]["action"]


@pytest.mark.slow
def test_its_charge_rolls_the_players_dice_then_says_where_it_stands(solo: Session) -> None:
    """TMG-CHG-11, TMG-CHG-17: the die is entered or rolled; then the tray is moved into contact."""
    client = Client(RunningGame(solo))
    for _ in range(12):
        prompt = client.view().prompts[0]
        if " charge" in prompt.text:
            break
        client.act({"tap": prompt.choices[1].tap})
    (hope,) = client.game.view(None).prompts[0].ends
    assert len(prompt.ends) == 1, "where it wants to arrive is drawn before the roll"
    assert not list(rival_offers(client.game.view(None), hope.poses[0][0])), "its die comes first"
    rolling = client.act({"tap": prompt.choices[0].tap})
    assert isinstance(rolling, TurnView)
    done = client.act({"tap": rolling.prompts[0].dice[0].tap, "faces": [6]})
    assert isinstance(done, TurnView)
    shown = client.game.view(None).prompts[0]
    assert shown.id == PROMPT
    assert shown.ends[0].poses[0] == hope.poses[0], "it arrives where it was drawn"
    assert done.prompts[0].id == PROMPT, "nobody else is asked where its tray goes"
    assert not client.snapshot().due
    assert isinstance(client.act({"tap": done.prompts[0].choices[0].tap}), TurnView)
    assert client.view().prompts[0].dice, "its attack dice are rolled like everybody's"


def test_a_round_against_the_script(solo: Session) -> None:
    """Both sides act until the round is over; every proposal is accepted as it stands."""
    client, state = Client(RunningGame(solo, moves_trays=True)), solo.history.now.state
    chance = Random(1)
    for _ in range(400):
        state = solo.history.now.state
        if state.round > 1:
            return
        view = client.view()
        if view.prompts[0].id == PROMPT:
            tapped = client.act({"tap": view.prompts[0].choices[0].tap})
            assert isinstance(tapped, TurnView), tapped
            if view.prompts[0].choices[0].text == "Roll for it":
                tapped = client.act({"tap": tapped.prompts[0].dice[0].tap})
                assert isinstance(tapped, TurnView), tapped
        else:
            side = next(iter(RIVAL.waits(state)), "red")
            assert client.game.post(miniatures_script(state, side, chance)).done
    raise AssertionError("the round does not end")


def test_the_coach_names_different_actions_with_their_places(
    solo: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On request only, for the side that decides; nothing is recorded by asking."""
    unhurried = partial(Search, longest_s=600.0, seconds=600.0)
    monkeypatch.setattr(rival_turn, "Search", unhurried)
    assert solo.answer({"do": "rival", "seat": "blue", "level": "none"})["ok"]
    client, seq = Client(RunningGame(solo), "blue"), solo.history.seq
    ask = next(one for one in client.view().prompts[0].choices if one.name == "coach")
    told = client.act({"tap": ask.tap})
    assert isinstance(told, TurnView)
    assert solo.history.seq == seq
    advice = told.prompts[0]
    lines = [one for one in advice.choices if one.look == "shown"]
    assert 2 <= len(lines) <= 3
    assert len({(one.piece, one.text) for one in lines}) == len(lines)
    assert all(one.detail for one in lines)
    words = ("tray here", "charges")
    moved = [str(n) for n, one in enumerate(lines, 1) if any(word in one.text for word in words)]
    assert [one.text for one in advice.ends] == moved, "the same numbers stand on the table"


def test_a_charge_that_activates_first_has_its_button() -> None:
    """Left out is only what another button begins: Continue, and Continue and roll."""
    roll = DiceRequest(1, {"do": "action", "action": "charge"}, "faces")
    charge = Choice("Roll for it", ({"do": "activate"}, {"do": "action"}), "primary", dice=roll)
    assert suited(Prompt("rival", "", choices=(charge,)), app_rolls=True)[1] == []
    go_on = Choice("Continue", ({"do": "activate"},), "primary")
    assert suited(Prompt("rival", "", choices=(go_on, charge)), app_rolls=False)[1] == [charge]


def test_a_rival_with_one_way_says_so_itself(solo: Session) -> None:
    """The player is asked for the rival only where its dice lie and are shown."""

    class Decided(RivalThinker):
        def move(self, here: Position) -> RivalMove | None:
            skip = ({"do": "zone-effect", "skip": True},)
            return RivalMove(RivalSeat("red", "captain"), skip, compared=1)

    game = RunningGame(solo, thinker=Decided())
    asked = Prompt(
        "zone",
        "Combat",
        seats=("red",),
        choices=(Choice("Without its effect", ({"do": "zone-effect", "skip": True},)),),
    )
    view = replace(game.view(None), prompts=(asked,))
    assert [one.id for one in with_rival(view, game.here, Decided()).prompts] == [PROMPT]
    lying = replace(view, prompts=(replace(asked, rolled=(4,)),))
    assert with_rival(lying, game.here, Decided()) is lying


def test_nobody_is_told_that_it_is_a_rivals_turn_to_act(solo: Session) -> None:
    """The line that names whose turn begins speaks of the rival, not to it."""

    class Decided(RivalThinker):
        def move(self, here: Position) -> RivalMove | None:
            return RivalMove(RivalSeat("blue", "captain"), ({"do": "continue"},), compared=1)

    game = RunningGame(solo, thinker=Decided())
    told = Outcome("Blue: your turn.", icon="turn", seat="blue")
    shown = with_rival(replace(game.view(None), outcome=told), game.here, Decided()).outcome
    assert shown is not None
    assert str(shown.text) == "Blue’s turn"


def test_advice_ends_when_another_piece_is_selected() -> None:
    row = Choice("Bowmen march", ({"do": "activate"},), piece="b2")
    advice = (Prompt("coach", "", choices=(row,)),)
    assert advice_for(advice, None) == advice_for(advice, "b2") == advice
    assert advice_for(advice, "b1") == ()
    asked = Prompt("turn-start", "")
    shown = Snapshot(advice=advice, view=GameView(prompts=(asked,)))
    assert not list(waiting_behind(shown, advice[0]))
    assert list(waiting_behind(shown, Prompt("dice", ""))) == [asked]


def test_a_unit_faces_its_nearest_enemy() -> None:
    foe = Aim(24.0, 30.0)
    front, flank, back = (exposure(Pose(24.0, 18.0, turn), foe) for turn in (90.0, 0.0, 270.0))
    assert front < flank < back
    near = exposure(Pose(24.0, 19.0, 90.0), foe)
    assert near < front


@pytest.mark.rule("TMG-ORD-1")
def test_the_orders_of_a_rival_are_no_rows(tmp_path: Path) -> None:
    set_up, *rest = (dict(one) for one in SCREEN.practice("tmg-2021"))
    first = {"do": "activate", "unit": "b1"}, {"do": "action", "action": "forgo"}
    for rivals, expected in (
        ({}, {"blue", "red"}),
        ({"rivals": [{"seat": "red", "level": "captain", "temper": "steady"}]}, {"blue"}),
    ):
        with Session.open(tmp_path / f"{len(rivals)}.game") as session:
            for command in ({**set_up, **rivals}, *rest, *first):
                assert session.answer(command)["ok"], command
            view = Client(RunningGame(session)).view()
            orders = [one for one in view.prompts[0].choices if one.look == "folded"]
            assert {seat for one in orders for seat in one.acts} == expected


def test_after_a_poor_turn_the_coach_offers_to_try_again(
    second: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit that leaves its objective hears of it; one tap takes the whole turn back; not without
    a coach, and not after dice."""
    monkeypatch.setattr(looking_back, "Search", partial(Search, longest_s=600.0, seconds=1.0))
    before = second.history.now
    away = current_table(before.state).moved("b1", Pose(23.0, 18.5, 90.0))
    marched: list[Plain] = [
        {"do": "activate", "unit": "b1"},
        {"do": "action", "action": "maneuver"},
        {"do": "table", "table": away.to_json(), "units": ["b1"]},
        {"do": "end-turn"},
    ]
    for command in marched:
        answer = second.answer(command)
        assert answer["ok"], answer
    here = second.history.now
    found = hindsight(here)
    assert found is not None, "it left the centre objective"
    assert found.points > 1
    assert "deploy" not in str(found.told.text), "it goes back to the turn, not to the set-up"
    assert found.steps == len(marched)
    here.memo[HINDSIGHT] = found
    client = Client(RunningGame(second))
    again = client.view().prompts[0].choices[-1]
    assert again.text == "Try your turn again?"
    assert (again.look, again.detail.endswith("takes back 4 steps")) == ("shown", True)
    client.act({"tap": again.tap})
    assert second.history.now.state == before.state
    second.answer({"do": "redo", "count": found.steps})
    assert hindsight(replace(here, rivals=replace(here.rivals, coach=False))) is None
    assert hindsight(replace(here, state=replace(here.state, rolls=here.state.rolls + 1))) is None
    monkeypatch.setattr(Search, "ranked", lambda *_: [RankedLine(tuple(marched), 99.0)])
    assert hindsight(here) is None, "that is what the player did"
    other = ({"do": "activate", "unit": "b2"},)
    monkeypatch.setattr(Search, "ranked", lambda *_: [RankedLine(other, 99.0)])
    assert hindsight(here) is not None
    ended = replace(here, state=replace(here.state, round=here.state.round + 1))
    assert hindsight(ended) is None, "a round that ended since is not taken back"
