"""A game on the map behind the screen: what a step leaves standing until the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.app_service import AppService
from companion.engine.snapshot import Astray, CameraView, Notice
from companion.engine.turn.handles import LookTap
from companion.engine.turn.selection import urgent_card
from companion.engine.turn.turn_screen import TurnScreen
from companion.games import find
from companion.games.api.play import Plain
from companion.games.tmg.play import practice_game
from companion.session.game_view import settings_of
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from models.pose import Sigma
from tests.app.bare import no_triangles

PLACES = {
    "b6": Pose(16.0, 19.0, 90.0),
    "b2": Pose(34.0, 12.0, 90.0),
    "r7": Pose(16.0, 28.0, 270.0),
}
CHARGE = {"do": "action", "action": "charge", "target": "r7", "faces": [6]}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[AppService]:
    """A game without a camera in which b6 can charge r7."""
    table = Table.load(practice_game.TABLE)
    units = tuple(table.unit(unit).at(pose) for unit, pose in PLACES.items())
    small = replace(table, units=units, terrain=())
    made = AppService(tmp_path, no_triangles)

    def begin() -> None:
        assert made.controller.begin(practice_game.set_up(small), "game")
        made.controller.do(practice_game.opening(small))

    made.ask(begin)
    assert made.settle()
    yield made
    made.close()


def sentence(service: AppService) -> str:
    assert service.settle()
    outcome = service.snapshot.outcome
    return str(outcome.text) if outcome is not None else ""


def undo(service: AppService) -> tuple[str, ...]:
    assert service.settle()
    return service.snapshot.undo


def engaged(service: AppService) -> set[str]:
    assert service.settle()
    return {one.id for one in service.snapshot.pieces if one.engaged}


@pytest.mark.parametrize(
    ("game", "step"),
    [
        ("tmg-2021", {"do": "activate", "unit": "b6"}),
        ("tactics", {"do": "activate", "figure": "b1"}),
        ("westeros", {"do": "begin"}),
    ],
)
def test_nothing_is_to_be_undone_before_the_first_step(
    tmp_path: Path, game: str, step: dict[str, str]
) -> None:
    made = AppService(tmp_path, no_triangles)
    try:
        made.ask(lambda: made.controller.start_practice(game))
        assert undo(made) == ()
        made.do(step)
        assert undo(made)
    finally:
        made.close()


@pytest.mark.parametrize("game", ["tmg-2021", "tactics", "westeros", "thrones"])
def test_a_game_keeps_the_readings_that_it_began_with(tmp_path: Path, game: str) -> None:
    """The map, the report and the verdict on a move ask the same ones as the decisions."""
    rules = find(game)
    other = tuple(f"{one.name}={one.choices[-1]}" for one in rules.switches())
    made = AppService(tmp_path, no_triangles)
    try:
        made.prefer(replace(made.preferences, readings=other))
        made.ask(lambda: made.controller.start_practice(game))
        assert made.settle()
        made.prefer(replace(made.preferences, readings=()))
        assert made.settle()
        assert made.controller.game.readings() == rules.settings(other)
        here = made.controller.game.here
        assert here is not None
        assert settings_of(here) == rules.settings(other) != rules.settings()
        made.leave()
    finally:
        made.close()


@pytest.mark.rule("TMG-CHG-5")
def test_a_charge_that_is_kept_stays_engaged_and_its_result_is_shown(service: AppService) -> None:
    service.do({"do": "activate", "unit": "b6"}, CHARGE)
    result = sentence(service)
    assert "it arrives" in result
    assert engaged(service) == {"b6", "r7"}
    # Whoever is tapped and wherever trays are put: the result stays until the next step.
    for unit in ("b2", "r7", None):
        service.choose(unit)
        assert sentence(service) == result
    # Its player says how it stands: no camera watches it.
    service.end_move("b6", 0)
    assert sentence(service) == result
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    assert table.unit("b6").pose.y == pytest.approx(28.0 - reach)
    assert service.snapshot.due == ()
    # A tray that is seen elsewhere is asked about: its action is spent.
    service.place("b6", Pose(16.0, 28.0 - reach - 0.15, 90.0, Sigma(0.05, 0.3)))
    assert service.settle()
    assert [(one.unit, one.legal) for one in service.snapshot.notices] == [("b6", False)]
    service.accept()
    assert sentence(service) == result
    assert engaged(service) == {"b6", "r7"}
    # The next step replaces it.
    service.do({"do": "roll", "faces": [6] * 6})
    assert sentence(service) != result


def test_undo_and_the_log_speak_as_the_result_line_does(service: AppService) -> None:
    service.do({"do": "activate", "unit": "b6"})
    service.do(CHARGE)
    assert undo(service)[0] == "Charge by Greataxes at Halberdiers: rolled 6, it arrives"
    assert service.log()[:2] == (
        "Charge by Greataxes at Halberdiers: rolled 6, it arrives. Roll 6 attack dice. [6]",
        "House Umber Greataxes: activated.",
    )
    service.do({"do": "undo"})
    assert undo(service)[:2] == ("House Umber Greataxes: activated", "Greataxes: activated")
    assert undo(service)[2:] == ("the last step of Greataxes",)  # a name alone says nothing
    assert service.redo_text() == "Charge by Greataxes at Halberdiers: rolled 6, it arrives"
    service.do({"do": "action", "action": "forgo"}, {"do": "end-turn"})
    assert undo(service)[0] == "end of Blue’s turn"
    assert service.log()[0] == "Red: your turn."
    assert service.log()[-1] == "Miniatures, edition 2021"  # when it was set up
    # What has no result of its own, as a note, keeps its title.
    service.do({"do": "note", "text": "a break"})
    assert service.settle()
    assert "a break" in service.log()[0]
    assert not any(" b6" in line for line in service.log())


@pytest.mark.rule("TMG-CHG-12")
def test_what_was_told_of_a_step_is_told_no_longer_once_it_is_undone(service: AppService) -> None:
    table = service.snapshot.trays
    assert table is not None
    far = table.moved("b6", replace(PLACES["b6"], y=12.0))
    service.do({"do": "table", "table": far.to_json(), "units": ["b6"]})
    service.do({"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [1]})
    assert service.settle()
    assert "stays there" in service.snapshot.message.text
    told = service.snapshot.message.number
    service.do({"do": "undo"})
    assert service.settle()
    assert (service.snapshot.message.text, service.snapshot.message.number > told) == ("", True)


@pytest.mark.rule("TMG-CHG-5")
def test_undo_takes_back_the_place_of_a_charge_and_then_its_roll(service: AppService) -> None:
    """The die lies while another place is chosen; Redo brings back both."""
    before = service.snapshot.trays
    assert before is not None
    service.do({"do": "activate", "unit": "b6"})
    service.do(CHARGE)
    service.end_move("b6", 1)
    assert engaged(service) == {"b6", "r7"}
    service.do({"do": "undo"})
    assert service.settle()
    assert service.snapshot.due_move("b6") is not None, "it is asked again how it stands"
    assert service.snapshot.trays is not None
    assert service.snapshot.trays.unit("b6").pose == before.unit("b6").pose
    service.do({"do": "undo"})
    assert service.settle()
    assert engaged(service) == set()
    assert service.snapshot.state["acting"]["stage"] == "choose"
    service.do({"do": "redo"})
    service.do({"do": "redo"})
    assert service.settle()
    assert engaged(service) == {"b6", "r7"}
    assert service.snapshot.trays.unit("b6").pose != before.unit("b6").pose


@pytest.mark.rule("TMG-CHG-12")
def test_a_failed_charge_moves_its_tray_in_the_same_step(service: AppService) -> None:
    start = service.snapshot.trays
    assert start is not None
    before = start.moved("r7", Pose(16.0, 32.0, 270.0))
    service.do({"do": "table", "table": before.to_json()})
    service.do({"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [1]})
    assert "it fails" in sentence(service)
    service.end_move("b6", 0)
    assert service.settle()
    now = service.snapshot.trays
    assert now is not None
    assert now.unit("b6").pose.y > before.unit("b6").pose.y
    service.do({"do": "undo"})
    assert service.settle()
    back = service.snapshot.trays
    assert back is not None
    assert back.unit("b6").pose == before.unit("b6").pose


def test_a_tray_first_seen_elsewhere_than_the_game_has_it_is_asked_about(
    service: AppService,
) -> None:
    """It was moved before the camera looked, or while it was away."""
    moves = service.controller.moves

    def seen(unit: str, pose: Pose) -> list[str]:
        event = TrayMoved(unit, pose, pose, 0.0, 1.0)
        service.ask(lambda: moves.handle_move(event))
        assert service.settle()
        return [str(one.title) for one in service.snapshot.notices]

    exact = PLACES["b2"]
    assert seen("b2", replace(exact, x=exact.x + 0.01)) == []
    assert seen("b2", replace(exact, y=exact.y + 4.0)) == ["Stark Bowmen moved 4.00″"]
    assert seen("b2", exact) == [], "back again"


def stand(service: AppService, unit: str, pose: Pose) -> list[Notice]:
    """The camera sees a tray come to rest; what is asked then."""
    event = TrayMoved(unit, pose, pose, 0.0, 1.0)
    service.ask(lambda: service.controller.moves.handle_move(event))
    assert service.settle()
    return list(service.snapshot.notices)


@pytest.mark.rule("TMG-CHG-5")
def test_a_charge_moved_before_its_die_stands_where_it_was_seen(service: AppService) -> None:
    """Nobody is asked how it stands: the camera has seen that."""
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    end = Pose(16.0, 28.0 - reach, 90.0, Sigma(0.05, 0.3))
    (asked,) = stand(service, "b6", end)
    assert "charge" in {one.kind for one in asked.actions}
    service.do({"do": "activate", "unit": "b6"}, CHARGE)
    service.ask(service.controller.moves.judge_again)  # as after each step under a camera
    assert service.settle()
    assert service.snapshot.due == ()
    assert service.snapshot.notices == ()
    table = service.snapshot.trays
    assert table is not None
    assert table.unit("b6").pose.y == pytest.approx(end.y)


@pytest.mark.rule("TMG-CHG-17")
@pytest.mark.parametrize("dice_first", [True, False])
@pytest.mark.parametrize(
    ("beside", "gap", "turned", "taken"),
    [(0.3, 0.1, 0.0, True), (0.2, 0.25, 2.0, True), (0.0, 0.1, 4.0, True), (1.0, 0.0, 0.0, False)],
)
def test_a_charge_laid_a_little_beside_its_place_by_hand_stands_there(
    service: AppService, dice_first: bool, beside: float, gap: float, turned: float, taken: bool
) -> None:
    """A hand is no ruler: nobody is asked how it stands where only one place can be meant."""
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    end = Pose(16.0 + beside, 28.0 - reach - gap, 90.0 + turned, Sigma(0.05, 0.3))
    if dice_first:
        service.do({"do": "activate", "unit": "b6"}, CHARGE)
        assert service.settle()
        stand(service, "b6", end)
    else:
        stand(service, "b6", end)
        service.do({"do": "activate", "unit": "b6"}, CHARGE)
        service.ask(service.controller.moves.judge_again)
        assert service.settle()
    assert (service.snapshot.due == ()) is taken
    assert (service.snapshot.notices == ()) is taken
    if taken:
        assert engaged(service) == {"b6", "r7"}
        table = service.snapshot.trays
        assert table is not None
        heading = table.unit("b6").pose.heading
        assert heading == pytest.approx(90.0), "in the place that the rules name"


@pytest.mark.rule("TMG-ACT-1")
def test_who_moves_before_the_turn_is_ended_ends_it_by_the_same_tap(service: AppService) -> None:
    service.do({"do": "activate", "unit": "b2"}, {"do": "action", "action": "forgo"})
    assert service.settle()
    assert service.snapshot.prompts[0].id == "end-of-turn"
    place = replace(PLACES["r7"], y=PLACES["r7"].y - 3.0, sigma=Sigma(0.05, 0.3))
    (asked,) = stand(service, "r7", place)
    assert asked.legal
    march = next(one for one in asked.actions if one.kind == "march")
    assert str(march.text) == "End the turn, March"
    service.accept("r7", "march")
    assert service.settle()
    table = service.snapshot.trays
    assert table is not None
    assert table.unit("r7").pose.y == pytest.approx(place.y)
    assert service.snapshot.piece("r7").state in ("acting", "spent")  # type: ignore[union-attr]
    service.do({"do": "undo"})
    assert service.settle()
    assert service.snapshot.prompts[0].id == "end-of-turn", "one step"


@pytest.mark.rule("TMG-ACT-1")
def test_of_two_moved_trays_the_one_in_turn_is_asked_about_first(service: AppService) -> None:
    there = replace(PLACES["r7"], y=PLACES["r7"].y + 3.0, sigma=Sigma(0.05, 0.3))
    stand(service, "r7", there)
    found = stand(service, "b2", replace(PLACES["b2"], y=PLACES["b2"].y + 4.0))
    assert [(one.unit, one.in_turn) for one in found] == [("b2", True), ("r7", False)]


@pytest.mark.rule("TMG-ACT-1")
def test_a_tray_that_is_gone_is_no_longer_asked_about(service: AppService) -> None:
    assert stand(service, "b2", replace(PLACES["b2"], y=PLACES["b2"].y + 4.0))
    snapshot = service.snapshot
    assert snapshot.trays is not None
    left = tuple(one for one in snapshot.trays.units if one.id != "b2")
    table = replace(snapshot.trays, units=left)
    service.ask(lambda: service.controller.game.publish(table=table))
    service.ask(service.controller.moves.explain_again)
    assert service.settle()
    assert service.snapshot.notices == ()


def test_the_trays_of_a_knocked_table_are_corrected_in_one_step(service: AppService) -> None:
    """Also where one stands now on another's old place."""
    spots = {
        "b2": PLACES["b6"],
        "b6": replace(PLACES["b6"], x=30.0),
        "r7": replace(PLACES["r7"], y=40.0),
    }
    for unit, pose in spots.items():
        stand(service, unit, replace(pose, sigma=Sigma(0.05, 0.3)))
    assert urgent_card(service.snapshot, None, False, False, False) == "astray"
    service.decide_all("correct")
    assert service.settle()
    table = service.snapshot.trays
    assert table is not None
    assert {one.id: (one.pose.x, one.pose.y) for one in table.units} == {
        unit: (pose.x, pose.y) for unit, pose in spots.items()
    }
    assert service.snapshot.notices == ()
    service.do({"do": "undo"})
    assert service.settle()
    table = service.snapshot.trays
    assert table is not None
    assert table.unit("b2").pose.x == PLACES["b2"].x
    assert table.unit("r7").pose.y == PLACES["r7"].y


class Viewer(TurnScreen):
    """Sees the app's snapshots and taps nothing."""

    def words(self, text: str) -> str:
        return str(text)

    def send(self, commands: Sequence[Plain]) -> None:
        raise AssertionError(commands)

    def select(self, piece: str | None) -> None:
        raise AssertionError(piece)

    def look(self, tap: LookTap) -> None:
        raise AssertionError(tap)


@pytest.mark.rule("TMG-CHG-14")
def test_the_question_of_a_charge_made_by_hand_is_not_behind_its_unit(service: AppService) -> None:
    """The camera cannot tell whether it arrived: its players say it."""
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    speed, viewer = table.unit("b6").speed, Viewer()
    error = Sigma(0.08, 0.5)
    start = Pose(16.0, 28.0 - reach - speed - 2.45, 90.0, error)
    known = {"do": "table", "table": table.moved("b6", start).to_json(), "units": ["b6"]}
    service.do(known, {"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [2]})
    assert service.settle()
    viewer.see(service.snapshot)
    assert [one.kind for one in service.snapshot.due] == ["charge"]
    stand(service, "b6", Pose(16.0, 28.0 - reach - 0.03, 90.0, error))
    service.choose("b6", by_itself=True)  # the app takes up the tray of a decided move
    assert service.settle()
    viewer.see(service.snapshot)
    assert [one.id for one in service.snapshot.prompts] == ["charge"]
    assert viewer.card().kind == "prompt"


def pushed_on_its_way(service: AppService) -> Pose:
    """A hand has pushed a charger 6 inches, and the table cannot tell if its die of 2 reaches;
    where it lies in contact."""
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    error, y = Sigma(0.08, 0.5), 28.0 - reach
    start = Pose(16.0, y - table.unit("b6").speed - 2.45, 90.0, error)
    known = {"do": "table", "table": table.moved("b6", start).to_json(), "units": ["b6"]}
    service.do(known, {"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [2]})
    assert service.settle()
    stand(service, "b6", replace(start, y=start.y + 6.0))
    assert [one.id for one in service.snapshot.prompts] == ["charge"]
    assert service.snapshot.due == ()
    return Pose(16.0, y, 90.0, error)


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-14")
def test_a_charger_that_is_pushed_on_into_contact_answers_whether_it_arrives(
    service: AppService,
) -> None:
    contact = pushed_on_its_way(service)
    (asked,) = stand(service, "b6", contact)
    assert [(one.kind, str(one.text)) for one in asked.actions] == [
        ("charge", "Yes, it is in contact")
    ]
    service.accept("b6", "charge")
    assert service.settle()
    assert [one.id for one in service.snapshot.prompts] == ["attack-dice"]
    assert (service.snapshot.due, service.snapshot.notices) == ((), ())
    assert engaged(service) == {"b6", "r7"}


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-17")
def test_a_charge_that_is_said_to_arrive_is_still_laid_into_contact(service: AppService) -> None:
    contact = pushed_on_its_way(service)
    service.do({"do": "charge-result", "success": True})
    assert service.settle()
    (due,) = service.snapshot.due
    assert (due.kind, due.piece, len(due.ends)) == ("charge", "b6", 3)
    assert stand(service, "b6", contact) == []
    assert service.snapshot.due == ()
    table = service.snapshot.trays
    assert table is not None
    assert table.unit("b6").pose.y == pytest.approx(contact.y)
    assert engaged(service) == {"b6", "r7"}


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-15")
def test_a_place_that_was_undone_is_not_taken_over_again(
    service: AppService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who undoes it wants to undo more, or to lay it elsewhere; the tray lies where it lay."""
    monkeypatch.setattr("companion.engine.move_queue.PATIENCE_S", 0.0)
    table, moves = service.snapshot.trays, service.controller.moves
    assert table is not None
    depth, error = table.unit("b6").tray.depth, Sigma(0.05, 0.3)
    start = Pose(16.0, 28.0 - depth - table.unit("b6").speed - 2.9, 90.0, error)
    end = replace(start, y=start.y + 6.0)
    lies = SimpleNamespace(unit="b6", condition="settled", fit=SimpleNamespace(pose=start))
    live = SimpleNamespace(sight="live", standings=(lies,))
    watched: Any = SimpleNamespace(live=live, practice_source=None, camera_worker=lies)
    monkeypatch.setattr(moves, "_cameras", watched)

    def then(*commands: Plain) -> tuple[list[str], float]:
        service.do(*commands)
        service.ask(moves.judge_again)  # as after each step under a camera
        service.ask(moves.compare)
        assert service.settle()
        now = service.snapshot.trays
        assert now is not None
        return [one.kind for one in service.snapshot.due], now.unit("b6").pose.y

    failed = {**CHARGE, "faces": [1]}
    known = {"do": "table", "table": table.moved("b6", start).to_json(), "units": ["b6"]}
    assert then(known) == then({"do": "activate", "unit": "b6"}) == ([], start.y)
    assert then(failed) == (["charge"], start.y)
    lies.fit.pose = end
    stand(service, "b6", end)
    assert then() == ([], end.y)
    assert then({"do": "undo"}) == (["charge"], start.y), "nobody takes it over for them"
    assert then() == (["charge"], start.y)
    (asked,) = service.snapshot.notices
    assert (asked.legal, asked.where[1].y) == (True, end.y), "a button takes it as it stands"
    assert then({"do": "note", "text": "a break"}) == (["charge"], start.y)
    service.accept("b6", "charge")
    assert then() == ([], end.y)
    assert then({"do": "undo"}, {"do": "undo"}) == (["charge"], start.y)
    assert then({"do": "undo"}) == ([], start.y)
    assert then(failed) == ([], end.y), "another step: the hand has made its move already"


def test_a_tray_that_is_taken_up_lies_in_the_hand_where_the_camera_sees_it(
    service: AppService, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = replace(PLACES["b6"], y=PLACES["b6"].y - 6.0)
    service.ask(lambda: service.controller.game.publish(astray=(Astray("b6", there, outline=()),)))
    assert service.settle()
    assert service.where("b6") == PLACES["b6"], "no camera sees it any more"
    monkeypatch.setattr(AppService, "live", CameraView(sight="live"))
    assert service.where("b6") == there


@pytest.mark.rule("TMG-CHG-14")
def test_a_charge_that_may_arrive_and_lies_an_inch_short_is_asked_about(
    service: AppService,
) -> None:
    """Its tray is straight: it is not called askew."""
    table = service.snapshot.trays
    assert table is not None
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    error, y = Sigma(0.08, 0.5), 28.0 - reach
    start = Pose(16.0, y - table.unit("b6").speed - 2.45, 90.0, error)
    known = {"do": "table", "table": table.moved("b6", start).to_json(), "units": ["b6"]}
    service.do(known, {"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [2]})
    assert service.settle()
    assert stand(service, "b6", replace(start, y=y - 1.0)) == []
    (prompt,) = service.snapshot.prompts
    assert prompt.id == "charge"
    assert str(prompt.text).startswith("Does it reach")
    assert "Between them: 1.00″ ± 0." in str(prompt.text)


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-17")
def test_a_charge_that_arrives_says_how_far_its_tray_is_from_contact(service: AppService) -> None:
    table = service.snapshot.trays
    assert table is not None
    service.do({"do": "activate", "unit": "b6"}, CHARGE)
    assert service.settle()
    reach = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    (asked,) = stand(service, "b6", Pose(16.0, 28.0 - reach - 1.0, 90.0, Sigma(0.05, 0.3)))
    assert [one.kind for one in asked.actions] == ["charge"]
    assert "1.00″ ± 0." in str(asked.detail)
    assert "are missing" in str(asked.detail)
    assert "TMG-CHG-14" in asked.rules
    assert "not aligned" not in str(asked.detail)


@pytest.mark.rule("TMG-CHG-12")
@pytest.mark.parametrize("off", [-1.0, -0.4, 0.4])
def test_a_failed_charge_that_does_not_go_its_distance_is_asked_about(
    service: AppService, off: float
) -> None:
    """Also where a lower die would have led there."""
    table = service.snapshot.trays
    assert table is not None
    depth, error = table.unit("b6").tray.depth, Sigma(0.03, 0.3)
    speed = table.unit("b6").speed
    start = Pose(16.0, 28.0 - depth - speed - 4.9, 90.0, error)
    known = {"do": "table", "table": table.moved("b6", start).to_json(), "units": ["b6"]}
    service.do(known, {"do": "activate", "unit": "b6"}, {**CHARGE, "faces": [3]})
    assert service.settle()
    full = replace(start, y=start.y + speed + 3.0)
    (asked,) = stand(service, "b6", replace(full, y=full.y + off))
    assert not asked.legal
    told = "0.40″ too far" if off > 0 else f"{-off:.2f}″ ± 0.13″ are missing"
    assert told in str(asked.detail)
    assert asked.rules == ("TMG-CHG-12",)
    assert [one.kind for one in service.snapshot.due] == ["charge"]
    assert stand(service, "b6", replace(full, y=full.y + 0.06)) == []
    assert service.snapshot.due == ()


@pytest.mark.rule("TMG-RET-2")
def test_a_hand_rolls_no_dice(service: AppService) -> None:
    """An undone retreat whose tray still lies where it went is asked about, not rolled anew."""
    table, moves = service.snapshot.trays, service.controller.moves
    assert table is not None
    depth = table.unit("b6").tray.depth
    met = table.moved("b6", Pose(16.0, 28.0 - depth, 90.0))
    service.do({"do": "table", "table": met.to_json(), "units": ["b6"]})
    service.do({"do": "activate", "unit": "b6"})
    service.intend("b6", "retreat")
    assert service.settle()
    (asked,) = stand(service, "b6", Pose(16.0, 28.0 - depth - 4.0, 90.0))
    assert "retreat" in {one.kind for one in asked.actions}
    assert moves.intended == ("b6", "retreat")
    assert [one.kind for one in service.snapshot.due] == []
    assert service.snapshot.state["units"]["b6"]["activated"] is False


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-15")
def test_a_charge_that_is_said_to_fall_short_is_moved_back_by_hand(service: AppService) -> None:
    contact = pushed_on_its_way(service)
    (asked,) = stand(service, "b6", contact)
    assert asked.legal
    service.ask(lambda: service.controller.moves.correct_places(("b6",)))  # pushed too far
    service.do({"do": "charge-result", "success": False})
    assert service.settle()
    assert engaged(service) == set()
    (due,) = service.snapshot.due
    assert (due.kind, due.piece) == ("back", "b6")
    short = replace(contact, y=contact.y - 0.6)
    assert stand(service, "b6", short) == []
    assert service.snapshot.due == ()
    table = service.snapshot.trays
    assert table is not None
    assert table.unit("b6").pose.y == pytest.approx(short.y)
    assert engaged(service) == set()


def test_what_the_game_selects_is_no_tap_of_a_player(service: AppService) -> None:
    service.do({"do": "activate", "unit": "b6"})
    assert service.settle()
    assert (service.snapshot.chosen, service.snapshot.by_itself) == ("b6", True)
    service.choose("b6")
    assert service.settle()
    assert (service.snapshot.chosen, service.snapshot.by_itself) == ("b6", False)
