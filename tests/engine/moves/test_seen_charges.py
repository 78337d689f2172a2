"""Charges that a hand made before any tap, and not quite as the rules want them to end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.camera.camera_session import marks_astray
from companion.engine.move_queue import MoveQueue
from companion.engine.moves.move_verdict import MoveVerdict, allowed
from companion.engine.open_game import OpenGame
from companion.engine.snapshot import Snapshot
from companion.engine.standings import with_verdicts
from companion.games import find
from companion.games.tmg.rules.survey import Survey
from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view
from models import Pose, Table
from models.pose import Sigma

OWN, FOE = "b3", "r1"


class Hand:
    """The practice game under a camera that sees one tray elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.game = OpenGame(folder)
        first, *others = find_screen("tmg-2021").practice("tmg-2021")
        assert self.game.start(first, "table")
        assert self.game.session is not None
        self.session = self.game.session
        for command in others:
            assert self.session.answer(dict(command))["ok"]
        here: Any = self.game.here
        table = here.play.moment(here.state).table
        assert isinstance(table, Table)
        self.table = table
        self.game.publish(table=table)
        self.stands = SimpleNamespace(unit=OWN, condition="settled", fit=None)
        cameras: Any = SimpleNamespace(
            live=SimpleNamespace(sight="live", standings=(self.stands,)),
            practice_source=None,
            carry=lambda *_: None,
        )
        self.sent: list[Any] = []
        self.queue = MoveQueue(self.game, cameras, lambda *sent: self.sent.append(sent))

    def lay(self, pose: Pose) -> None:
        self.stands.fit = SimpleNamespace(pose=pose)
        self.queue.explain(OWN, pose)


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    made = Hand(tmp_path)
    yield made
    made.session.close()


def aside(pose: Pose, inches: float, back: float = 0.0) -> Pose:
    """A pose so far beside another one, and so far behind it."""
    way = math.radians(pose.heading)
    x, y = math.cos(way), math.sin(way)
    return replace(pose, x=pose.x - y * inches - x * back, y=pose.y + x * inches - y * back)


def aligned(table: Table) -> Pose:
    """Where the charge would end at 100 %."""
    places = Survey.of(table).report.units[OWN].charges[FOE].align
    return places[0].pose


@pytest.mark.parametrize("back", [0.0, 0.6])
@pytest.mark.rule("TMG-CHG-17", "TMG-MOV-7")
def test_a_charge_that_is_not_aligned_is_offered_as_a_charge(hand: Hand, back: float) -> None:
    hand.lay(aside(aligned(hand.table), 1.0, back))
    (notice,) = hand.game.snapshot.notices
    assert {(one.kind, one.target) for one in notice.actions} == {("charge", FOE)}
    assert "not aligned" in str(notice.detail)
    assert "march" not in str(notice.detail).lower()
    assert not notice.agreeable, "nothing else ends so near to an enemy"
    assert not hand.sent, "its player says so"


@pytest.mark.rule("TMG-CHG-17", "TMG-MOV-7")
def test_a_charge_an_inch_off_is_offered_beside_a_move_that_is_too_close_to_call(
    hand: Hand,
) -> None:
    """The camera cannot tell whether it stopped an inch before its enemy."""
    place = aligned(hand.table)
    nearer = hand.table.moved(OWN, aside(place, 0.0, 4.4))
    assert hand.session.answer({"do": "table", "table": nearer.to_json(), "units": [OWN]})["ok"]
    here: Any = hand.game.here
    hand.game.publish(table=here.play.moment(here.state).table)
    hand.lay(replace(aside(place, 1.0, 0.95), sigma=Sigma(0.06, 0.5)))
    (notice,) = hand.game.snapshot.notices
    kinds = {(one.kind, one.target) for one in notice.actions}
    assert ("charge", FOE) in kinds, (kinds, notice.detail)
    assert len(kinds) > 1
    assert notice.unsure, "no button is gold"
    assert "not aligned" in str(notice.detail)
    assert not hand.sent


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_whose_alignment_is_too_close_to_call_has_one_button(hand: Hand) -> None:
    doubtful = 0
    for inches in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4):
        hand.lay(replace(aside(aligned(hand.table), inches), sigma=Sigma(0.1, 0.8)))
        (notice,) = hand.game.snapshot.notices
        names = [(one.kind, one.target, str(one.text)) for one in notice.actions]
        assert len(names) == len(set(names)), inches
        assert str(notice.detail).count("not aligned") < 2, notice.detail
        doubtful += notice.unsure and ("charge", FOE) in {(a, b) for a, b, _ in names}
    assert doubtful


@pytest.mark.rule("TMG-CHG-17")
def test_any_charge_that_lies_askew_in_contact_is_known_as_that_charge(hand: Hand) -> None:
    """Also one that wheels: the way from start to end is not where the tray looks."""
    game, table = find("tmg-2021"), hand.table
    tried = 0
    for unit, charges in ((x.id, game.report(table).units[x.id].charges) for x in table.units):
        for foe, charge in charges.items():
            for place in charge.align if charge.answer.verdict != "no" else ():
                for inches in (-1.0, 0.5):
                    end = table.moved(unit, aside(place.pose, inches))
                    found = game.check(table, end, unit, ())["charge"]
                    tried += 1
                    assert found["answer"] != "no" or found["askew"]["target"] == foe, (unit, foe)
    assert tried > 20


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-15")
def test_a_move_that_may_be_a_march_or_a_charge_that_fell_short_is_offered_as_both(
    hand: Hand,
) -> None:
    """Its card has a button for each action that it names; the charge asks for its die."""
    start, speed = Pose(5.5, 22.6, 90.0), hand.table.unit(OWN).speed
    free = hand.table.moved(OWN, start).moved("b5", Pose(32.0, 3.0, 90.0))
    known = {"do": "table", "table": free.to_json(), "units": [OWN, "b5"]}
    assert hand.session.answer(known)["ok"]
    here: Any = hand.game.here
    hand.game.publish(table=here.play.moment(here.state).table)
    hand.lay(Pose(*start.ahead(speed + 1.0), start.heading, Sigma(0.05, 0.8)))
    (notice,) = hand.game.snapshot.notices
    assert "march" in str(notice.doubt).lower()
    assert "too close" not in str(notice.detail)
    assert "charge" in str(notice.detail).lower()
    assert {(one.kind, one.target) for one in notice.actions} == {("march", ""), ("charge", "r6")}
    assert all(one.dice is not None for one in notice.actions if one.kind == "charge")
    assert not hand.sent, "its player says which"


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-7")
@pytest.mark.parametrize(("inches", "shoots"), [(1.5, True), (2.5, False)])
def test_a_shift_before_a_shot_is_among_what_explains_a_move(
    hand: Hand, inches: float, shoots: bool
) -> None:
    """One button shoots from there; farther than 2 inches it is no shift."""
    start = hand.table.unit("b2").pose
    end = Pose(*start.ahead(inches), start.heading)
    hand.queue.explain("b2", end)
    (notice,) = hand.game.snapshot.notices
    shift = [one for one in notice.actions if one.kind == "shift"]
    assert bool(shift) is shoots
    assert {"maneuver", "march"} <= {one.kind for one in notice.actions}
    assert not hand.sent, "its player says which"
    if not shoots:
        return
    shots = [one for one in notice.actions if one.kind == "shift"]
    offered = [one for one in hand.game.offers("b2") if one.begins_with and one.possible]
    assert {str(one.text) for one in shots} == {str(one.text) for one in offered}
    assert all(str(one.text).startswith("Shoot at") for one in shots)
    other = shots[-1]
    assert other.commands[-1]["target"] != shift[0].commands[-1]["target"], "a choice of targets"
    hand.queue.accept("b2", other.kind, other.commands)
    for command in hand.sent[0][0]:
        assert hand.session.answer(dict(command))["ok"]
    here: Any = hand.game.here
    assert here.state.attack.attacker == "b2"
    assert here.state.attack.defender == other.commands[-1]["target"]
    assert here.play.moment(here.state).table.unit("b2").pose == end
    assert not [one for one in here.state.declared if one.action == "shift"], "it has shifted"


@pytest.mark.rule("TMG-CHG-17")
def test_later_is_not_taken_back_by_a_tap_on_the_unit(hand: Hand) -> None:
    hand.lay(aside(aligned(hand.table), 1.0))
    hand.queue.later(OWN)
    hand.queue.intend(OWN, "charge")
    hand.queue.compare()
    assert not hand.game.snapshot.notices, "the charge is on its panel"
    assert not hand.sent


@pytest.mark.rule("TMG-ACT-1")
def test_a_tray_put_off_out_of_its_turn_is_asked_about_once_its_turn_has_come(hand: Hand) -> None:
    def step(*commands: Mapping[str, Any]) -> None:
        for command in commands:
            answer = hand.session.answer(dict(command))
            assert answer["ok"], answer
        here: Any = hand.game.here
        view = public_view(find_screen("tmg-2021"), here)
        hand.game.publish(view=view, table=here.play.moment(here.state).table)

    start = hand.table.unit(OWN).pose
    step({"do": "activate", "unit": "b2"})
    hand.lay(Pose(*start.ahead(1.5), start.heading))
    (notice,) = hand.game.snapshot.notices
    assert not notice.legal
    hand.queue.later(OWN)
    hand.queue.judge_again()
    assert not hand.game.snapshot.notices, "it may not stand there yet"
    step({"do": "undo"})
    hand.queue.judge_again()
    (notice,) = hand.game.snapshot.notices
    assert notice.legal
    assert not hand.sent, "asked, not taken"


def test_what_was_left_for_later_is_asked_about_again_when_players_come_back_to_it(
    hand: Hand,
) -> None:
    hand.lay(aside(aligned(hand.table), 1.0))
    hand.queue.later(OWN)
    hand.queue.compare()
    assert not hand.game.snapshot.notices
    hand.queue.ask_again()
    assert [one.unit for one in hand.game.snapshot.notices] == [OWN]
    assert not hand.sent


@pytest.mark.rule("TMG-MAN-3")
def test_a_tray_that_was_left_there_is_taken_over_with_its_action(hand: Hand) -> None:
    start = hand.table.unit(OWN).pose
    hand.lay(Pose(*start.ahead(1.5), start.heading))
    hand.queue.later(OWN)
    hand.queue.compare()
    assert not hand.sent
    hand.queue.intend(OWN, "maneuver")
    hand.queue.compare()
    assert not hand.game.snapshot.notices
    assert hand.sent, "no second question"


def test_a_tray_that_may_stand_there_is_drawn_as_its_card_says(hand: Hand) -> None:
    """Green words beside a red outline that points back would contradict each other."""
    start = hand.table.unit(OWN).pose
    for pose, role in (
        (Pose(*start.ahead(1.5), start.heading), "moved"),
        (Pose(*start.ahead(-9.0), start.heading), "astray"),
    ):
        hand.lay(pose)
        hand.queue.compare()
        found = marks_astray(hand.table, with_verdicts(hand.game.snapshot), "")
        assert {one.style.role for one in found} == {role}


@pytest.mark.rule("TMG-MAN-3")
def test_a_move_that_one_action_surely_explains_tells_apart_what_is_too_close(hand: Hand) -> None:
    """Straight ahead by its Speed is a march for certain; whether it is a maneuver nobody knows."""
    start, speed = hand.table.unit(OWN).pose, hand.table.unit(OWN).speed
    hand.queue.intend(OWN, "maneuver")
    hand.lay(Pose(*start.ahead(speed), start.heading, Sigma(0.05, 0.2)))
    (notice,) = hand.game.snapshot.notices
    assert {one.kind for one in notice.actions} == {"maneuver", "march"}
    assert (notice.unsure, notice.doubtful) == (False, ("maneuver",))
    assert not hand.sent, "never as an action that may not be"
    assert "too close" not in str(notice.detail)
    assert str(notice.doubt).startswith("maneuver (too close to call")
    assert (notice.sure("march"), notice.sure("maneuver")) == (True, False)
    hand.queue.intend(OWN, "march")
    hand.lay(Pose(*start.ahead(speed), start.heading, Sigma(0.05, 0.2)))
    assert hand.sent, "what is certain is done"


def test_what_is_too_close_to_call_says_about_what() -> None:
    found = {"march": MoveVerdict("unsure", ("TMG-MOV-7",))}
    told = allowed(found, ["march"], Snapshot(), lambda rule: f"near ({rule})")
    assert str(told) == "march (too close to call: near (TMG-MOV-7))"


def test_the_rules_say_which_charge_a_hand_meant(hand: Hand) -> None:
    after = hand.table.moved(OWN, aside(aligned(hand.table), 1.0))
    found = find("tmg-2021").check(hand.table, after, OWN)["charge"]
    assert (found["answer"], found["askew"]["target"]) == ("no", FOE)
    far = hand.table.moved(OWN, aside(aligned(hand.table), 1.0, 1.2))
    assert "askew" not in find("tmg-2021").check(hand.table, far, OWN)["charge"]


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_that_may_be_aligned_is_offered_once(hand: Hand) -> None:
    """Too close to call is no second charge."""
    place = aligned(hand.table)
    for inches in (0.1, 0.15, 0.2, 0.25, 0.3):
        hand.lay(replace(aside(place, inches), sigma=Sigma(0.1, 0.8)))
        for notice in hand.game.snapshot.notices:
            offered = [one for one in notice.actions if one.kind == "charge"]
            assert len(offered) == len(set(map(id, offered))) <= 1, (inches, notice.detail)
            assert str(notice.detail).count("not aligned") <= 1


@pytest.mark.rule("TMG-CHG-17")
def test_a_push_into_the_exact_place_is_judged_anew_however_short_it_is(hand: Hand) -> None:
    place = aligned(hand.table)
    hand.lay(aside(place, 1.0))
    (notice,) = hand.game.snapshot.notices
    assert "not aligned" in str(notice.detail)
    hand.stands.fit = SimpleNamespace(pose=aside(place, 0.8))
    hand.queue.compare()
    (notice,) = hand.game.snapshot.notices
    assert notice.where[1] == hand.stands.fit.pose
    hand.stands.fit = SimpleNamespace(pose=place)
    hand.queue.compare()
    notices = hand.game.snapshot.notices
    assert not any("not aligned" in str(one.detail) for one in notices)


@pytest.mark.rule("TMG-MOV-1")
def test_a_turn_of_a_moved_tray_is_told(hand: Hand) -> None:
    start = hand.table.unit(OWN).pose
    hand.lay(Pose(start.x, start.y + 1.0, start.heading + 40.0))
    (notice,) = hand.game.snapshot.notices
    assert str(notice.title).endswith("moved 1.00″ and turned 40°")
