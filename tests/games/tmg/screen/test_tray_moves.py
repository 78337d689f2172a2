"""Where a charge takes its tray: its player chooses, unless only one place is left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.api.prompt import ActionOffer
from companion.games.tmg.game import GAME
from companion.games.tmg.play import practice_game
from companion.games.tmg.screen import SCREEN
from companion.session.session import Session
from models import Pose, Table, TableToken, Unit
from models.field import Field
from tests.engine.turn.test_beside_the_turn import place_of
from tests.engine.turn.test_client import done

TABLE = Table.load(practice_game.TABLE)
UNIT, TARGET = "b1", "r1"
START = Pose(16, 10, 90)
DEPTH = TABLE.unit(UNIT).tray.depth


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.open(tmp_path / "charge.game") as made:
        yield made


def begun(
    session: Session, far: float, *others: Unit, tokens: tuple[TableToken, ...] = ()
) -> Session:
    """Blue is about to charge straight up the table; the target is so many inches away."""
    foe = TABLE.unit(TARGET)
    goal = Pose(16, START.y + (DEPTH + foe.tray.depth) / 2 + far, 270)
    units = (TABLE.unit(UNIT).at(START), foe.at(goal), *others)
    table = replace(TABLE, units=units, terrain=(), tokens=tokens)
    for command in (practice_game.set_up(table), *practice_game.opening(table)):
        assert session.answer(command)["ok"], command
    return session


def charged(session: Session, face: int) -> ActionOffer:
    """The move that is due after the charge."""
    for command in (
        {"do": "activate", "unit": UNIT},
        {"do": "action", "action": "charge", "target": TARGET, "faces": [face], "zone": "front"},
    ):
        answer = session.answer(command)
        assert answer["ok"], answer
    (due,) = SCREEN.due_moves(session.history.now.state)
    return due


def poses(due: ActionOffer) -> list[tuple[float, float]]:
    return [(round(pose.x, 2), round(pose.y, 2)) for end in due.ends for _, pose in end.poses]


@pytest.mark.rule("TMG-CHG-16", "TMG-CHG-25")
def test_the_wounds_of_a_charge_are_those_of_all_its_rolls(tmp_path: Path) -> None:
    """A 1 arrives too, but without the bonus."""
    means = []
    for face in range(1, 7):
        with Session.open(tmp_path / f"{face}.game") as session:
            begun(session, 4.5)
            state = session.history.now.state
            report = GAME.report(Table.read(Field(json.loads(state.table), "")))
            offer = next(one for one in SCREEN.offers(state, report, UNIT) if one.kind == "charge")
            charged(session, face)
            now = session.history.now.state
            attack, foe = now.attack, now.unit(TARGET)
            asked = {"hit": attack.hit, "dice": attack.dice, "models": foe.wounds_left}
            asked |= {"defense": foe.defense, "morale": foe.morale, "charge": attack.bonus}
            means.append(GAME.odds(now.game, asked).mean)
    assert means[0] < means[1]
    assert f"about {sum(means) / 6:.1f} wounds with panic" in offer.expected
    assert f"{sum(means) / 6:.1f}" != f"{means[1]:.1f}", "the 1 makes a difference here"


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_that_arrives_is_aligned_as_its_player_chooses(session: Session) -> None:
    due = charged(begun(session, 5.0), 6)
    assert not due.certain
    assert [str(end.text) for end in due.ends] == [
        "100 % in contact, in the middle",
        "50 % in contact, to the charger's left",
        "50 % in contact, to the charger's right",
    ]
    (x, y), (left, _), (right, _) = poses(due)
    half = TABLE.unit(UNIT).tray.width / 2
    assert (x, y) == (16, 15)
    assert (left, right) == pytest.approx((16 - half, 16 + half))


@pytest.mark.rule("TMG-CHG-17")
def test_the_place_is_asked_before_the_dice_and_undone_before_the_charge(session: Session) -> None:
    begun(session, 5.0)
    client = Client(RunningGame(session, moves_trays=True))
    charge = next(one for one in client.view().offers if one.asks == ("dice",))
    view = done(client.act({"tap": charge.tap, "faces": [6]}))
    first = view.prompts[0]
    names = [one.name for one in first.choices]
    assert names == ["end:0", "end:1", "end:2", "move-tray"]
    assert all(one.look != "primary" for one in first.choices), "nothing is proposed"
    view = done(client.act({"tap": first.choices[1].tap}))
    assert view.prompts[0].dice, "now the attack"
    place = place_of(view, UNIT)
    assert place[0] < START.x - 1
    view = done(client.act({"undo": True}))
    assert place_of(view, UNIT)[1] == START.y
    assert [one.name for one in view.prompts[0].choices] == names, "the die lies, it is asked again"
    view = done(client.act({"undo": True}))
    assert any(one.asks == ("dice",) for one in view.offers), "the charge is taken back"


@pytest.mark.rule("TMG-MEL-5")
def test_a_shift_in_melee_is_tapped_on_a_phone_and_may_be_left(session: Session) -> None:
    begun(session, 0.0)
    game = RunningGame(session, moves_trays=True)
    client = Client(game)
    client.act({"select": UNIT})
    melee = next(one for one in client.view().offers if one.kind == "melee")
    view = done(client.act({"tap": melee.tap}))
    shift = next(one for one in view.prompts if one.id == UNIT)
    assert [one.name for one in shift.choices] == ["end:0", "end:1", "stay", "move-tray"]
    assert all(one.look != "primary" for one in shift.choices)
    assert any(one.dice for one in view.prompts), "or the dice are rolled at once"
    view = done(client.act({"tap": shift.choices[-1].tap}))
    assert view.placing is not None
    ends = {one.name: one.tap for one in view.placing.choices}
    view = done(client.act({"tap": ends["end:0"]}))
    assert view.placing is not None
    assert view.placing.verdict == "yes"
    view = done(client.act({"tap": view.placing.choices[0].tap}))
    assert abs(place_of(view, UNIT)[0] - START.x) == pytest.approx(2.75)
    assert not any(one.id == UNIT for one in view.prompts)


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_with_a_single_place_goes_there_by_itself(session: Session) -> None:
    goal = START.y + (DEPTH + TABLE.unit(TARGET).tray.depth) / 2 + 5.0
    wide = TABLE.unit(UNIT).tray.width
    friends = [
        TABLE.unit(name).at(Pose(16 + side * (wide + 0.1), goal - DEPTH, 90))
        for name, side in (("b2", -1), ("b3", 1))
    ]
    begun(session, 5.0, *friends)
    client = Client(RunningGame(session, moves_trays=True))
    client.act({"select": UNIT})
    charge = next(one for one in client.view().offers if one.asks == ("dice",))
    view = done(client.act({"tap": charge.tap, "faces": [6]}))
    assert view.prompts[0].dice
    place = place_of(view, UNIT)
    assert place[:2] == pytest.approx((16, 15), abs=0.01)


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-12")
def test_a_charge_that_fails_went_the_way_its_player_turned_it(session: Session) -> None:
    due = charged(begun(session, 10.0), 1)
    assert not due.certain
    assert [str(end.text) for end in due.ends] == [
        "6″ on its way to Lannister Guardsmen",
        "6″ straight ahead",
    ]
    assert poses(due)[1] == (16, 16)
    assert poses(due)[0] != poses(due)[1]


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-13", "TMG-MOV-9")
def test_a_charge_that_fails_says_what_stops_it_before_its_full_distance(session: Session) -> None:
    friend = TABLE.unit("b2").at(Pose(START.x, START.y + DEPTH + 0.2, 90))
    due = charged(begun(session, 10.0, friend), 1)
    stopped = [str(end.text) for end in due.ends if " · " in end.text]
    assert stopped == [
        "0″ on its way to Lannister Guardsmen · stopped by Stark Bowmen",
        "0.2″ straight ahead · stopped by Stark Bowmen",
    ]


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-12")
def test_the_tray_of_a_failed_charge_waits_for_its_player(session: Session) -> None:
    begun(session, 10.0)
    client = Client(RunningGame(session, moves_trays=True))
    charge = next(one for one in client.view().offers if one.asks == ("dice",))
    view = done(client.act({"tap": charge.tap, "faces": [1]}))
    names = [one.name for one in view.prompts[0].choices]
    assert names == ["end:0", "end:1", "move-tray"]
    done(client.act({"select": UNIT}))
    view = done(client.act({"tap": client.view().prompts[0].choices[1].tap}))
    assert place_of(view, UNIT)[1] == pytest.approx(16)
    assert view.selected is None, "nothing is left to do for it"
    assert "Panic" in view.prompts[0].title


@pytest.mark.rule("TMG-OBJ-1", "TMG-MOV-12")
def test_a_place_on_an_objective_says_that_it_is_claimed(session: Session) -> None:
    begun(session, 20.0, tokens=(replace(TABLE.tokens[0], x=START.x, y=START.y + 4),))
    client = Client(RunningGame(session))
    for far, claims in ((4.0, True), (1.0, False)):
        there = {"x": START.x, "y": START.y + far, "heading": START.heading}
        client.act({"move": UNIT, **there, "as": "maneuver", "try": True})
        place = client.view().placing
        assert place is not None
        assert place.verdict == "yes"
        assert ("It claims the" in place.why) is claims
