"""Ranged attacks: range, sight, the shift before, shooting into melee (TMG-RNG, TMG-SIM)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Shot
from companion.games.tmg.rules.survey import Survey
from models import Attack, Pose, Sigma, Table, Terrain, Unit
from tests.games.tmg.pieces import block, slab

BOTH = ("tmg-2021", "tmg-2018")
LONG = Attack("Bow", "long", 4, (7, 5, 4))
SHORT = Attack("Crossbow", "short", 4, (7, 5, 4))
BLADE = Attack("Blade", "melee", 4, (7, 5, 4))


def archer(*attacks: Attack, sigma: Sigma | None = None) -> Unit:
    unit = replace(block("a", 60, 60), attacks=attacks)
    return unit if sigma is None else unit.at(Pose(60, 60, 90, sigma))


def target(x: float, y: float, heading: float = 90.0, name: str = "b") -> Unit:
    return block(name, 60 + x, 60 + y, heading, side="red")


def shot(game: str, *units: Unit, terrain: tuple[Terrain, ...] = (), **readings: str) -> Shot:
    """The first unit's shot at the second."""
    table = Table(game, 144, 144, units, terrain)
    found = Survey.of(table, Readings(**readings)).report
    return found.units[units[0].id].shots[units[1].id]


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("x", "y", "distance"),
    [
        pytest.param(0, 15, 12.0, id="EX-G8"),
        pytest.param(4, 15, 12.166, id="EX-G9"),
        pytest.param(6, 14, 11.705, id="EX-G10"),
    ],
)
@pytest.mark.rule(
    "TMG-RNG-8", "TMG-RNG-9", "TMG-RNG-10", "TMG-UNT-8", "TMG-GLO-14", "OR-16",
    "EX-25", "EX-26", "EX-G8", "EX-G9", "EX-G10",
)  # fmt: skip
def test_range_runs_from_the_front_arrow(game: str, x: float, y: float, distance: float) -> None:
    """Exactly from the middle of the front edge to the nearest point of the target's tray."""
    table = Table(game, 144, 144, (archer(LONG), target(x, y)))
    found = Survey.of(table).report.units["a"]
    assert found.range["b"] == pytest.approx(distance, abs=1e-3)
    standing = found.shots["b"].shift == (0.0, 0.0)
    assert standing == (distance <= 12.0)
    assert found.shots["b"].answer.verdict == "yes"  # the shift makes up for the rest


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("attack", "most"), [(SHORT, 6.0), (LONG, 12.0)])
@pytest.mark.rule("TMG-RNG-4", "TMG-RNG-5", "TMG-RNG-7", "TMG-RNG-8")
def test_a_shift_of_two_inches_counts(game: str, attack: Attack, most: float) -> None:
    """Straight ahead: in range, just in range after the shift, just out of it."""
    for beyond, verdict, shift in (
        (0.0, "yes", (0.0, 0.0)),
        (1.25, "yes", (1.25, 0.0)),
        (2.0, "yes", (2.0, 0.0)),
        (2.01, "no", (0.0, 0.0)),
    ):
        found = shot(game, archer(attack), target(0, 3 + most + beyond))
        assert found.answer.verdict == verdict, beyond
        assert found.shift == pytest.approx(shift, abs=1e-6)
        assert found.attack == attack.name
    assert found.answer.why == ("TMG-RNG-10",)


@pytest.mark.rule("TMG-RNG-5", "TMG-MOV-5", "TMG-MOV-6")
def test_a_shift_goes_along_one_axis_only() -> None:
    """A target far to the side comes nearer sideways; never by both ways at once."""
    found = shot("tmg-2021", archer(LONG), target(10.4, 12.6))
    assert found.answer.verdict == "yes"
    ahead, aside = found.shift
    assert (ahead == 0.0) != (aside == 0.0)
    assert aside <= 0  # to the right


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-RNG-6", "TMG-RNG-7", "TMG-RNG-10")
def test_a_shift_may_open_the_line_of_sight(game: str) -> None:
    """A long friend stands in front; stepping aside lets the archers see past its end."""
    screen = Unit("w", "blue", "w", type(archer().tray)("", 20.0, 1.0), Pose(67.2, 62.6, 90))
    there = target(0, 12)
    found = shot(game, archer(LONG), there, screen)
    assert found.answer.verdict == "yes"
    assert found.shift[0] == 0.0
    assert found.shift[1] == pytest.approx(0.8 / (1 - 1.6 / 12), abs=1e-3)
    # with the screen an inch longer even the full shift does not help
    longer = screen.at(Pose(66.0, 62.6, 90))
    assert shot(game, archer(LONG), there, longer).answer.verdict == "no"


@pytest.mark.rule("OR-19", "TMG-MOV-7", "TMG-RNG-6")
def test_a_shift_may_not_end_beside_an_enemy_or_on_a_friend() -> None:
    there = target(0, 16.5)  # 13.5 from the arrow: 1.5 forward needed
    assert shot("tmg-2021", archer(LONG), there).shift == pytest.approx((1.5, 0.0))
    apart = target(3, 5.5, name="e")  # after 1.5 forward exactly 1 inch is left
    assert shot("tmg-2021", archer(LONG), there, apart).answer.verdict == "yes"
    near = target(3, 5.4, name="e")
    assert shot("tmg-2021", archer(LONG), there, near).answer.verdict == "no"
    free = shot("tmg-2021", archer(LONG), there, near, near_pivot="free")
    assert free.answer.verdict == "yes"
    friend = block("f", 62.5, 63.2)
    assert shot("tmg-2021", archer(LONG), there, friend).answer.verdict == "no"


@pytest.mark.rule("TMG-TER-17", "TMG-RNG-5")
def test_rough_ground_shortens_the_shift() -> None:
    there = target(0, 16.5)
    bog = slab("tmg-2021", "bog", 50, 58, 70, 60)
    assert shot("tmg-2021", archer(LONG), there, terrain=(bog,)).answer.verdict == "no"
    nearer = target(0, 16.0)
    found = shot("tmg-2021", archer(LONG), nearer, terrain=(bog,))
    assert found.shift == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-RNG-2", "TMG-RNG-3")
def test_who_may_not_shoot(game: str) -> None:
    assert shot(game, archer(BLADE), target(0, 8)).answer.why == ("TMG-RNG-3",)
    engaged = shot(game, archer(LONG), target(0, 8), target(-4, 0, name="e"))
    assert engaged.answer.verdict == "no"
    assert "TMG-RNG-2" in engaged.answer.why


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-SIM-1", "TMG-SIM-2", "EX-45")
def test_shooting_into_melee_names_the_friends_who_must_test(game: str) -> None:
    """EX-45: two friends hold the enemy; both test."""
    there = target(0, 12)
    friends = (block("f1", 64, 72), block("f2", 56, 72))
    found = shot(game, archer(LONG), there, *friends)
    assert found.answer.verdict == "yes"
    assert found.panics == ("f1", "f2")
    assert shot(game, archer(LONG), there).panics == ()


@pytest.mark.parametrize(
    ("game", "verdict", "effects"),
    [
        pytest.param("tmg-2021", "no", (), id="EX-79 2021"),
        pytest.param("tmg-2018", "yes", ("cover",), id="EX-79 2018"),
    ],
)
@pytest.mark.rule("TMG-TER-6", "EX-79")
def test_cover_between(game: str, verdict: str, effects: tuple[str, ...]) -> None:
    """EX-79: over a forest, three inches before it: no line of sight; 2018: +1 to defense."""
    forest = slab(game, "forest", 40, 64.5, 80, 67)
    found = shot(game, archer(LONG), target(0, 10), terrain=(forest,))
    assert (found.answer.verdict, found.effects) == (verdict, effects)
    # charges look past it in both editions
    table = Table(game, 144, 144, (archer(LONG), target(0, 10)), (forest,))
    assert Survey.of(table).report.units["a"].sees["b"].verdict == "yes"


@pytest.mark.rule("TMG-TER-6", "TMG-TER-18", "EX-79")
def test_what_hides_a_target_from_a_shot_is_named() -> None:
    """Cover, or a piece that blocks every sight; with both in the way the latter is enough."""
    units = archer(LONG), target(0, 10)
    forest = slab("tmg-2021", "forest", 40, 64.5, 80, 65)
    wall = slab("tmg-2021", "palisade", 40, 66, 80, 66.5, "t2")
    aside = slab("tmg-2021", "palisade", 90, 66, 95, 66.5, "t2")
    for terrain, rule in (
        ((forest,), "TMG-TER-6"),
        ((forest, aside), "TMG-TER-6"),
        ((wall,), "TMG-TER-18"),
        ((forest, wall), "TMG-TER-18"),
    ):
        assert shot("tmg-2021", *units, terrain=terrain).answer.why == ("TMG-LOS-6", rule)


@pytest.mark.rule("TMG-TER-7", "OR-13", "EX-80")
def test_cover_within_one_inch_of_the_shooter() -> None:
    """EX-80: 2018 ignores it; 2021 sees nothing from there, but a step onto it sees out."""
    place = (40, 62.5, 80, 65)  # exactly 1 inch before the front edge
    old = slab("tmg-2018", "forest", *place)
    found = shot("tmg-2018", archer(LONG), target(0, 10), terrain=(old,))
    assert (found.answer.verdict, found.effects, found.shift) == ("yes", (), (0.0, 0.0))
    new = slab("tmg-2021", "forest", *place)
    found = shot("tmg-2021", archer(LONG), target(0, 10), terrain=(new,))
    assert found.answer.verdict == "yes"
    assert found.shift == pytest.approx((1.0, 0.0), abs=1e-3)
    barred = replace(new, keywords=new.keywords | {"impassable"})
    assert shot("tmg-2021", archer(LONG), target(0, 10), terrain=(barred,)).answer.verdict == "no"


@pytest.mark.rule("TMG-TER-6", "OR-24", "OR-25")
def test_standing_on_cover_one_sees_out_and_is_seen() -> None:
    on = slab("tmg-2021", "forest", 40, 60, 80, 65)
    assert shot("tmg-2021", archer(LONG), target(0, 10), terrain=(on,)).answer.verdict == "yes"
    under_target = slab("tmg-2021", "forest", 40, 67, 80, 72)
    found = shot("tmg-2021", archer(LONG), target(0, 10), terrain=(under_target,))
    assert found.answer.verdict == "yes"


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-TER-8")
def test_from_elevated_ground_nothing_blocks_a_shot(game: str) -> None:
    hill = Terrain("t1", ((50, 55), (70, 55), (70, 61), (50, 61)), frozenset({"elevated"}))
    wall = slab(game, "palisade", 40, 64, 80, 65, "t2")
    screen = (block("w1", 56, 67), block("w2", 60, 67), block("w3", 64, 67))
    there = target(0, 11)
    assert shot(game, archer(LONG), there, *screen, terrain=(wall,)).answer.verdict == "no"
    found = shot(game, archer(LONG), there, *screen, terrain=(wall, hill))
    assert found.answer.verdict == "yes"
    # but a charge is not helped by it
    table = Table(game, 144, 144, (archer(LONG), there, *screen), (wall, hill))
    assert Survey.of(table).report.units["a"].sees["b"].verdict == "no"


@pytest.mark.rule("TMG-RNG-9")
def test_a_measured_range_near_its_limit_is_unsure() -> None:
    sigma = Sigma(0.05, 0.3)
    there = target(0, 16.95).at(Pose(60, 76.95, 90, sigma))
    found = shot("tmg-2021", archer(LONG, sigma=sigma), there)
    assert found.answer.verdict == "unsure"
    sure = target(0, 15.5).at(Pose(60, 75.5, 90, sigma))
    assert shot("tmg-2021", archer(LONG, sigma=sigma), sure).answer.verdict == "yes"


@pytest.mark.rule("TMG-BON-3", "TMG-LOS-7")
def test_a_shot_names_the_arc_it_comes_from() -> None:
    for heading, arc in ((270.0, "front"), (90.0, "rear"), (0.0, "right"), (180.0, "left")):
        assert shot("tmg-2021", archer(LONG), target(0, 10, heading)).zone.arc == arc
