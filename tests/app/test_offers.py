"""What a tapped unit is offered: attacks on terrain, and a button for each answer asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.engine.move_notice import explained
from companion.app.engine.offers import Offer, offers
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.rules.readings import Readings
from companion.session.session import Session
from models import EXACT, Pose, Sigma, Table, Terrain
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, Spot, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

HERE: Spot = (24.0, 10.0, NORTH)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.open(tmp_path / "offers.game") as kept:
        yield kept


def table_of(session: Session) -> Table:
    table = PLAY.moment(session.history.now.state).table
    assert isinstance(table, Table)
    return table


def offered(
    session: Session,
    spots: dict[str, Spot],
    terrain: tuple[Terrain, ...],
    sigma: Sigma = EXACT,
    unit: str = "b1",
) -> dict[str, list[Offer]]:
    """The offers of a unit by their titles, in a game with this table."""
    setup = {
        "do": "set-up",
        "game": "tmg-2021",
        "mode": "GOT",
        "armies": [STARK, LANNISTER],
        "seed": 7,
        "ready": True,
        "first": "blue",
    }
    battle: Battle = seen(battle_of("GOT"), spots, terrain, sigma=sigma)
    table = next(event.data["table"] for event in reversed(battle.log) if event.type == "table")
    for command in (setup, {"do": "continue"}, {"do": "deploy"}, {"do": "table", "table": table}):
        assert session.answer(command)["ok"], command
    report = GAME.report(table_of(session))
    own = report.plain("t")["units"]
    found: dict[str, list[Offer]] = {}
    for one in offers(session, GAME, report, own, session.state(), unit):
        found.setdefault(one.title, []).append(one)
    return found


@pytest.mark.rule("TMG-TER-19", "EX-81", edition="2021")
def test_beside_a_palisade_it_is_offered_to_destroy_it(session: Session) -> None:
    wall = slab("tmg-2021", "palisade", (14, 13, 34, 14))
    [offer] = offered(session, {"b1": HERE}, (wall,))["Destroy palisade"]
    assert offer.legal
    for command in offer.commands:
        assert session.answer(command)["ok"]
    assert table_of(session).terrain == ()


@pytest.mark.rule("TMG-TER-19", edition="2021")
def test_far_from_it_nothing_is_offered(session: Session) -> None:
    wall = slab("tmg-2021", "palisade", (14, 16, 34, 17))
    assert "Destroy palisade" not in offered(session, {"b1": HERE}, (wall,))


@pytest.mark.rule("TMG-TER-9", edition="2021")
def test_what_the_table_cannot_tell_is_a_button_for_each_answer(session: Session) -> None:
    stakes = slab("tmg-2021", "stakes", (20, 12.35, 28, 14))
    found = offered(session, {"b1": HERE}, (stakes,), Sigma(0.1))["Maneuver"]
    assert [(one.legal, one.commands[-1]["dangerous"]) for one in found] == [
        (True, True),
        (True, False),
    ]
    assert found[0].detail != found[1].detail
    refused = session.answer({"do": "activate", "unit": "b1"})
    assert refused["ok"]
    refused = session.answer({"do": "action", "action": "maneuver"})
    assert (refused["why"], refused["asks"]) == ("TMG-TER-9", "dangerous")


@pytest.mark.rule("TMG-LOS-8")
def test_an_arc_too_close_to_call_is_a_button_for_each_arc(session: Session) -> None:
    spots: dict[str, Spot] = {"b2": (31.5, 31.5, 225.0), "r3": (24, 24, NORTH)}
    found = offered(session, spots, (), Sigma(1.0, 5.0), "b2")
    zones = [one.commands[-1].get("zone") for one in found["Shoot at r3"]]
    assert zones == ["front", "flank", "rear"]


@pytest.mark.rule("TMG-CHG-4")
def test_what_is_forbidden_stays_one_offer_with_its_reason(session: Session) -> None:
    spots: dict[str, Spot] = {"b1": HERE, "r1": (24.0, 10 + DEEP + 30, SOUTH)}
    [offer] = offered(session, spots, ())["Charge r1"]
    assert not offer.legal
    assert offer.why


@pytest.mark.rule("TMG-TER-10")
def test_a_tray_moved_over_stakes_is_told_what_it_costs() -> None:
    battle = seen(battle_of("GOT"), {"b1": HERE}, (slab("tmg-2021", "stakes", (20, 13, 28, 14)),))
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    over = explained(table, "b1", Pose(24, 15, NORTH), Readings())
    assert over is not None
    assert over.detail.endswith("wounds by stakes")
    back = explained(table, "b1", Pose(24, 8, NORTH), Readings())
    assert back is not None
    assert "wounds" not in back.detail
