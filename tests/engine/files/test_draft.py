"""A game that is being set up: kept on disk, its table reconciled, its trays named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.engine.drawing.vertex_batches import VertexBatches
from companion.engine.files import draft as drafts
from companion.engine.files import game_library
from companion.engine.files.draft import Draft, Seat
from companion.engine.files.draft_editor import DraftEditor
from companion.engine.files.game_library import Seats
from companion.engine.snapshot import DraftSnapshot
from companion.engine.threads import Job
from companion.games import find
from companion.games.api.army_building import ArmyList
from companion.games.tmg.play import practice_game
from companion.session.game_lookup import find_army_reader
from companion.session.session import Session
from models import Pose, Table, TableToken
from tests.app.bare import no_triangles

NAMES = ("Anna", "Boris", "Clara", "Dirk", "Ewa", "Finn")
LISTS = {"blue": "stark;10201,20201,10201,30201", "red": "lannister;10101,20104,10102,30102"}


def army(game: str, text: str) -> ArmyList:
    return find_army_reader(game).read_army(game, text, 40)


def drafted() -> Draft:
    draft = Draft.fresh()
    for side, text in LISTS.items():
        draft = draft.seated(replace(draft.seat(side), army=army(draft.game, text)))
    return draft


def at_once(job: Job) -> None:
    job()


def test_a_draft_outlives_the_app(tmp_path: Path) -> None:
    draft = drafts.staged(replace(drafted(), step=5, tags=(("#10", "b1"),), minutes=60))
    drafts.save(tmp_path / "draft.json", draft)
    assert drafts.load(tmp_path / "draft.json") == draft


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": "nothing"}', "\0"])
def test_a_file_that_is_no_draft_begins_afresh(tmp_path: Path, text: str) -> None:
    path = tmp_path / "draft.json"
    path.write_text(text)
    assert drafts.load(path) == Draft.fresh()


def test_the_draft_sets_a_game_up(tmp_path: Path) -> None:
    draft = drafts.staged(replace(drafted(), first="red"))
    with Session.open(tmp_path / "a.game") as session:
        answer = session.answer(drafts.set_up(draft))
        assert answer["ok"], answer
        assert session.state()["first"] == "red"
        assert set(session.state()["units"]) == {unit.id for unit in drafts.fielded(draft)}


def test_what_still_fits_stays_where_it_was() -> None:
    draft = drafts.staged(drafted())
    assert draft.table is not None
    moved = draft.table.moved("b1", Pose(5.0, 5.0, 90.0))
    moved = replace(moved, tokens=(TableToken("o1", 20.0, 20.0), *moved.tokens[1:]))
    again = drafts.staged(replace(draft, table=moved))
    assert again.table == moved
    # One unit more: the others do not move.
    bigger = replace(draft, table=moved).seated(
        replace(draft.seat("blue"), army=army(draft.game, LISTS["blue"] + ",10202"))
    )
    table = drafts.staged(bigger).table
    assert table is not None
    assert table.unit("b1").pose == Pose(5.0, 5.0, 90.0)
    assert "b3" in table
    # Another mode: everything anew.
    other = drafts.staged(replace(draft, table=moved, mode="COK")).table
    assert other is not None
    assert other.unit("b1").pose != Pose(5.0, 5.0, 90.0)


def test_the_camera_says_where_named_trays_stand() -> None:
    draft = drafts.staged(replace(drafted(), tags=(("#10", "b1"),)))
    seen = drafts.seen_at(draft, {"#10": Pose(8.0, 4.0, 90.0), "#99": Pose(1.0, 1.0, 0.0)})
    assert seen.table is not None
    assert seen.table.unit("b1").pose == Pose(8.0, 4.0, 90.0)


@pytest.mark.rule("TMG-DEP-4")
def test_a_proposed_place_gives_way_to_the_tray_that_the_camera_sees_there() -> None:
    draft = drafts.staged(replace(drafted(), tags=(("#10", "b1"),)))
    assert draft.table is not None
    assert draft.stage is not None
    proposed = draft.table.unit("b2").pose
    poses = {"#10": replace(proposed, x=proposed.x - 1.0)}
    table = drafts.seen_at(draft, poses).table
    assert table is not None
    assert table.unit("b1").pose == poses["#10"]
    assert [unit.id for unit in table.units] == [unit.id for unit in draft.table.units]
    verdicts = draft.stage.placed(table)["units"]
    assert {unit: one["answer"] for unit, one in verdicts.items()} == dict.fromkeys(verdicts, "yes")
    # who is in nobody's way stays where it was, and what is shown stays so
    assert table.unit("r1").pose == draft.table.unit("r1").pose
    assert drafts.seen_at(replace(draft, table=table), poses).table == table
    assert drafts.unseen(draft, poses) == ("b2", "r1", "r2")


def test_a_cameras_trays_take_the_names_of_units(tmp_path: Path) -> None:
    drafting = DraftEditor(tmp_path / "draft.json", no_triangles, at_once, print)
    drafting.plan(drafts.staged(drafted()))
    _, setup = drafting.practice_source()
    assert [tray.unit for tray in setup.trays] == ["#10", "#11", "#12", "#13"]
    game = tmp_path / "a.game"
    game_library.save_seats(game, Seats({"blue": "de"}, {"#10": "b2", "#12": "r1"}))
    kept = game_library.load_seats(game)
    assert kept.languages == {"blue": "de"}
    assert [tray.unit for tray in kept.named(setup).trays] == ["b2", "r1"]
    assert Seats().named(setup) == setup


@pytest.mark.parametrize("text", ["", "[]", '{"languages": 3, "tags": {}}'])
def test_a_broken_file_beside_a_game_is_no_matter(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.seats.json").write_text(text)
    assert game_library.load_seats(tmp_path / "a.game") == Seats()


# -- any game -------------------------------------------------------------------------------------


def test_a_draft_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    draft = drafts.staged(replace(drafted(), step=4))
    usual = {"mode": "", "minutes": 0, "checked": True, "camera": "none", "tags": []}
    plain = {**usual, "points": 40, "width": 48.0, "depth": 48.0, **draft.to_json()}
    plain["seats"] = [{"name": "", "language": "", **seat} for seat in plain["seats"]]
    assert not {"answers", "paper"} & {*plain}
    path = tmp_path / "draft.json"
    path.write_text(json.dumps(plain))
    assert drafts.load(path) == draft


@pytest.mark.usefixtures("toy_game")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_two_to_six_seats_of_any_game_are_kept(tmp_path: Path, players: int) -> None:
    ids = drafts.seat_range("cards").ids[:players]
    seated = tuple(
        Seat(one, name, colour=n) for n, (one, name) in enumerate(zip(ids, NAMES, strict=False), 1)
    )
    draft = replace(Draft.fresh("cards"), seats=seated, answers={"x": {"y": [1, None]}})
    drafts.save(tmp_path / "draft.json", draft)
    assert drafts.load(tmp_path / "draft.json") == draft
    command = drafts.set_up(replace(draft, answers={}))
    assert [one["name"] for one in command["seats"]] == list(NAMES[:players])
    with Session.open(tmp_path / "a.game") as session:
        assert session.answer(command)["ok"]


@pytest.mark.usefixtures("toy_game")
def test_players_without_a_name_are_numbered() -> None:
    draft = Draft.fresh("hexes")
    assert [draft.called(seat) for seat in draft.seats] == ["Player 1", "Player 2"]
    named = draft.seated(replace(draft.seats[0], name="Anna"))
    assert drafts.plain_draft(named)["seats"][0] == {"id": "sun", "name": "Anna", "colour": 1}


@pytest.mark.rule("TMG-TEAM-5")
@pytest.mark.parametrize(("shape", "players"), drafts.SHAPES)
def test_another_edition_keeps_who_plays_against_whom(shape: str, players: int) -> None:
    draft = Draft.fresh("tmg-2018").played_by(shape, players).for_game("tmg-2021")
    assert (draft.shape, len(draft.seats)) == (shape, players)
    assert len({draft.plays_for(seat) for seat in draft.seats}) == (
        2 if shape == "team" else players
    )


@pytest.mark.rule("TMG-DECK-1")
def test_paper_cards_are_usual_where_the_cards_have_no_known_names(tmp_path: Path) -> None:
    draft = Draft.fresh("tmg-2021")
    assert not draft.paper
    old = draft.for_game("tmg-2018")
    assert old.paper
    assert Draft.fresh("tmg-2018").paper
    assert not old.for_game("tmg-2021").paper
    drafts.save(tmp_path / "draft.json", replace(old, paper=False))
    assert not drafts.load(tmp_path / "draft.json").paper, "the players decide"


@pytest.mark.usefixtures("toy_game")
def test_another_game_keeps_the_players(tmp_path: Path) -> None:
    draft = Draft.fresh("cards")
    draft = draft.seated(replace(draft.seats[0], name="Anna"))
    other = replace(draft, answers={"a": 1}, step=3).for_game("hexes")
    assert [(one.side, one.name) for one in other.seats] == [("sun", "Anna"), ("moon", "")]
    assert (other.answers, other.step) == ({}, 0)
    assert other.for_game("hexes") is other
    drafts.save(tmp_path / "draft.json", other)
    assert drafts.load(tmp_path / "draft.json") == other


@pytest.mark.parametrize(
    "change",
    [
        {"seats": []},
        {"seats": [{"side": "green", "name": "", "language": "", "army": None}]},
        {"answers": [1]},
        {"answers": {str(n): 0 for n in range(99)}},
        {"first": "green"},
    ],
)
def test_a_draft_with_a_wrong_value_begins_afresh(tmp_path: Path, change: Any) -> None:
    path = tmp_path / "draft.json"
    path.write_text(json.dumps({**Draft.fresh().to_json(), **change}))
    assert drafts.load(path) == Draft.fresh()


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ({"blue": 3, "red": 1}, {"blue": 3, "red": 1}),
        ({"blue": 3, "red": 3}, {}),
        ({"blue": 0, "red": 1}, {}),
        ({"blue": True, "red": 1}, {}),
        ([1, 2], {}),
    ],
)
def test_the_colours_of_seats(tmp_path: Path, kept: Any, read: dict[str, int]) -> None:
    path = tmp_path / "a.game"
    game_library.seats_path(path).write_text(
        json.dumps({"languages": {}, "tags": {}, "colours": kept})
    )
    found = game_library.load_seats(path)
    assert found.colours == read
    game_library.save_seats(path, Seats({}, {}, read))
    assert game_library.load_seats(path).colours == read
    game_library.seats_path(path).write_text(json.dumps({"languages": {"blue": "de"}, "tags": {}}))
    assert game_library.load_seats(path) == Seats({"blue": "de"}, {}), (
        "a file of an earlier version"
    )


def test_who_plays_beside_whom() -> None:
    team = Draft(game="tmg-2021").played_by("team", 4)
    for seat in team.seats:
        beside = team.mates(seat.side)
        assert [one.team for one in beside] == [seat.team]
        assert seat not in beside
    alone = Draft(game="tmg-2021").played_by("ffa", 4)
    assert not any(alone.mates(seat.side) for seat in alone.seats)


@pytest.mark.rule("TMG-DEP-4", "TMG-MOV-3")
def test_what_the_rules_have_against_a_tray_is_told_by_name_and_words() -> None:
    table = Table.load(practice_game.TABLE)
    one, other = table.units[0], table.units[1]
    away = Pose(24.0, 24.0, 90.0)
    table = table.moved(one.id, away).moved(other.id, Pose(25.0, 25.0, 90.0))
    game, stage = find(table.game), Draft(game=table.game).stage
    assert stage is not None
    drawn = VertexBatches((), (), (1.0, 1.0))
    shot = DraftSnapshot(table, drawn, None, stage.placed(table))
    wrong = shot.objections(game.reason)
    assert any(one.id in things and "deployment zone" in words for words, things in wrong.items())
    assert shot.overlapping == (one.id, other.id)
    apart = DraftSnapshot(Table.load(practice_game.TABLE), drawn, None, {})
    assert (apart.objections(game.reason), apart.overlapping) == ({}, None)
