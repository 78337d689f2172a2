"""Small parts of answers and pictures: arcs in doubt, where words lie, how many dice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.play import Event
from companion.games.tmg.figures.area_figure import ranges
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import WallState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.rules.movement.move_end import AHEAD, MoveEnd, SweptPath
from companion.games.tmg.rules.survey import Survey
from companion.games.tmg.screen import SCREEN
from companion.overlay.shapes import Label, Polyline
from models import Pose, Sigma
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen, slab
from tests.games.tmg.sample_units import BOTH, BOW, NEW, SQUARE, SWORD, field, fighter, patch
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-MOV-3")
@pytest.mark.parametrize(
    ("gap", "free"), [(0.5, True), (0.0, True), (-0.015, True), (-0.05, False), (-1.0, False)]
)
def test_a_hair_of_overlap_is_no_obstacle(gap: float, free: bool) -> None:
    ground = field(NEW, fighter("b1", 24, 10), fighter("r1", 24, 20 + gap, 270))
    mover = MoveEnd(ground, 0)
    sweep = SweptPath(Pose(24, 10, 90), AHEAD, 7.0)
    assert bool(mover.free(sweep, mover.trays(enemy=True), "TMG-MOV-3")) is free


@pytest.mark.rule("TMG-RNG-8")
def test_the_words_of_a_range_lie_on_its_line() -> None:
    table = field(NEW, fighter("b1", 24, 10, attacks=(SWORD, BOW))).table
    line, label = ranges(table, table.units[0])
    assert isinstance(line, Polyline)
    assert isinstance(label, Label)
    shares = (0.5, 0.35, 0.65, 0.2, 0.8)
    assert label.spots == tuple(line.at(share) for share in shares)


@pytest.mark.rule("TMG-TER-14", "TMG-CHG-11")
@pytest.mark.parametrize(
    ("year", "piece", "dice"),
    [("2021", "low-wall", 1), ("2018", "hedge", 2), ("2018", "", 1)],
)
def test_the_dice_of_an_offered_charge(year: str, piece: str, dice: int) -> None:
    battle = battle_of("GOT", year)
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 22.0, SOUTH)}
    ground = (slab(battle.game, piece, (14, 15, 34, 16)),) if piece else ()
    state = seen(battle, spots, ground).state
    found = SCREEN.offers(state, GAME.report(current_table(state)), "b1")
    (offer,) = (one for one in found if one.kind == "charge" and one.target == "r1")
    assert offer.dice is not None
    assert offer.dice.count == dice


@pytest.mark.rule("TMG-MODE-SOS-3")
def test_a_wall_alone_has_no_number() -> None:
    state = battle_of("SOS", defender="red").state
    assert len(state.walls) == 3
    names = names_of(state)
    assert [names.of(wall.id) for wall in state.walls] == [
        "castle wall 1",
        "castle wall 2",
        "castle wall 3",
    ]
    one = replace(state, walls=(WallState(state.walls[0].id),))
    assert names_of(one).of(state.walls[0].id) == "the wall"


@pytest.mark.rule("TMG-ATK-1", "TMG-RER-1", "TMG-CHG-15")
@pytest.mark.parametrize(
    ("event", "title"),
    [
        (
            Event("rolled", {"side": "red", "what": "attack", "faces": [1, 6]}),
            "red rolls attack: 1 6",
        ),
        (
            Event("charge-rolled", {"faces": [4], "reach": 9.5, "disorderly": False}),
            "charge roll 4, up to 9.5″",
        ),
        (
            Event("charge-rolled", {"faces": [1], "reach": 6.0, "disorderly": True}),
            "charge roll 1, up to 6″, disorderly",
        ),
        (
            Event("rerolled", {"side": "red", "old": [1, 2], "new": [5, 6], "because": "luck"}),
            "red rerolls 1 to 5, 2 to 6 (luck)",
        ),
    ],
)
def test_rolls_in_the_battle_report(event: Event, title: str) -> None:
    assert PLAY.title(event) == title


@pytest.mark.rule("TMG-VIC-1")
@pytest.mark.parametrize("side", ["red", "draw"])
def test_the_end_of_a_game_deserves_a_banner(side: str) -> None:
    state = battle_of("GOT").state
    event = Event("won", {"side": side, "how": "equal (TMG-VIC-6)"})
    found = SCREEN.outcome(state, (event,), state)
    assert found is not None
    assert (found.big, found.icon, found.follows) == (True, "crown", "equal")


@pytest.mark.rule("TMG-TER-16", "TMG-MAR-4")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("turn", "legal"), [(0.0, True), (0.2, True), (-0.2, True), (3.0, False)])
def test_beside_a_wall_a_hair_of_a_turn_is_no_pivot(game: str, turn: float, legal: bool) -> None:
    wall = patch("impassable", 26, 5, 27, 30)  # it touches the tray all along
    ground = field(game, fighter("b1", 24, 10), fighter("r1", 24, 44, 270), wall)
    after = ground.table.moved("b1", Pose(24, 14, 90 + turn))
    found = check(ground.table, after, "b1", ground.readings)["march"].answer
    assert bool(found) is legal
    if not legal:
        assert found.why[0] == "TMG-TER-16"


@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-4")
@pytest.mark.parametrize(
    ("error", "verdicts"),
    [
        (Sigma(0.0, 0.0), ["no", "no", "yes", "yes"]),
        (Sigma(0.0, 3.0), ["unsure"] * 4),
        (Sigma(0.1, 0.0), ["no", "unsure", "unsure", "yes"]),
    ],
)
def test_the_error_of_who_looks_makes_its_arc_doubtful(error: Sigma, verdicts: list[str]) -> None:
    found = []
    for x in (14.6, 15.2, 15.5, 15.8):  # the line of the arc meets the tray's corner at 15.5
        ground = field(NEW, fighter("b1", 24, 10, sigma=error), fighter("r1", x, 15, 270, SQUARE))
        found.append(Survey.of(ground.table).report.units["b1"].sees["r1"])
    assert [one.verdict for one in found] == verdicts
    assert [one.chance for one in found] == sorted(one.chance for one in found)


@pytest.mark.rule("TMG-MOV-10", "TMG-TER-15")
@pytest.mark.parametrize(
    ("over", "least", "most"), [(0.02, 0.45, 0.55), (0.12, 0.05, 0.25), (-0.08, 0.75, 0.95)]
)
def test_a_path_that_grazes_is_as_likely_free_as_it_lies(
    over: float, least: float, most: float
) -> None:
    """An overlap of as much as hands and rounding leave is an even chance."""
    error = Sigma(0.05, 0.0)
    unit = fighter("b1", 24, 10, sigma=error)
    beside = fighter("r1", 20 + over, 16, sigma=error)
    mover = MoveEnd(field(NEW, unit, beside), 0)
    found = mover.free(SweptPath(unit.pose, AHEAD, 7.0), mover.trays(enemy=True), "TMG-MOV-10")
    assert found.verdict == "unsure"
    assert least < found.chance < most
