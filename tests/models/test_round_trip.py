"""What a record writes it reads back, and small values behave."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import Attack, Pose, Sigma, Table, TableToken, Terrain, Tray, UnknownName, catalogue
from models.field import Field
from models.terrain import signed_area
from tests.models.sample import sample

numbers = st.floats(-60, 60, allow_nan=False)
words = st.text(
    st.characters(categories=["L", "N", "P"]), min_size=1, max_size=12
).filter(str.isprintable)  # fmt: skip
sigmas = st.builds(Sigma, st.floats(0, 1), st.floats(0, 5))
poses = st.builds(Pose, numbers, numbers, st.floats(-720, 720), sigmas)
attacks = st.builds(
    Attack,
    words,
    st.sampled_from(["melee", "short", "long"]),
    st.integers(1, 7),
    st.lists(st.integers(0, 12), min_size=1, max_size=3).map(tuple),
    st.lists(words, max_size=2).map(tuple),
)


@given(poses)
def test_poses(pose: Pose) -> None:
    assert 0 <= pose.heading < 360
    assert Pose.read(Field(json.loads(json.dumps(pose.to_json())))) == pose


@pytest.mark.parametrize(
    ("given", "kept"), [(450, 90), (-90, 270), (360, 0), (0, 0), (-1e-20, 0), (720, 0)]
)
def test_headings_are_kept_below_360(given: float, kept: float) -> None:
    assert Pose(0, 0, given).heading == kept


@given(attacks)
def test_attacks(attack: Attack) -> None:
    assert Attack.read(Field(attack.to_json())) == attack


@given(st.builds(Tray, st.just(""), st.floats(0.25, 24), st.floats(0.25, 24), st.floats(1, 89)))
def test_measured_trays(tray: Tray) -> None:
    assert Tray.read(Field(tray.to_json()), {}) == tray
    assert not tray.standard


def test_standard_trays() -> None:
    trays = catalogue("tmg-2021").trays
    for tray in trays.values():
        assert Tray.read(Field(tray.to_json()), trays) is tray
        assert tray.standard


@given(st.builds(TableToken, words, numbers, numbers, st.floats(0.05, 6)))
def test_tokens(token: TableToken) -> None:
    assert TableToken.read(Field(token.to_json())) == token


def test_tokens_are_read_under_both_names() -> None:
    raw = sample()
    table = Table.read(Field(raw))
    renamed = {"tokens" if key == "objectives" else key: raw[key] for key in raw}
    assert Table.read(Field(renamed)) == table
    assert table.tokens
    assert "objectives" in table.to_json()


@given(numbers, numbers, st.floats(0.1, 9), st.floats(0.1, 9), st.booleans())
def test_terrain(x: float, y: float, width: float, depth: float, clockwise: bool) -> None:
    outline = [[x, y], [x + width, y], [x + width, y + depth], [x, y + depth], [x, y]]
    if clockwise:
        outline.reverse()
    raw = {"id": "t", "piece": "bog", "outline": outline}
    piece = Terrain.read(Field(raw), catalogue("tmg-2021").pieces)
    assert len(piece.outline) == 4
    assert signed_area(list(piece.outline)) > 0  # counter-clockwise either way
    assert Terrain.read(Field(piece.to_json()), catalogue("tmg-2021").pieces) == piece


def test_terrain_of_own_keywords() -> None:
    raw = {"id": "t", "keywords": ["Blocks_LOS", " rough "], "outline": [[0, 0], [1, 0], [0, 1]]}
    piece = Terrain.read(Field(raw), {})
    assert piece.keywords == {"blocks-line-of-sight", "rough"}
    assert Terrain.read(Field(piece.to_json()), {}) == piece


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(0, 360), sigmas, attacks), max_size=5),
    st.sampled_from(["tmg-2018", "tmg-2021"]),
    st.sampled_from(["", "GOT"]),
)
def test_tables(units: list[tuple[float, float, Sigma, Attack]], game: str, mode: str) -> None:
    raw: dict[str, Any] = sample()
    raw |= {"game": game, "units": [], "mode": mode}
    if not mode:
        del raw["mode"]
    for number, (jitter, heading, sigma, attack) in enumerate(units):
        raw["units"].append(
            {
                "id": f"u{number}",
                "side": f"s{number % 3}",
                "tray": ("infantry", "cavalry", "solo", {"width": 3, "depth": 2})[number % 4],
                "x": 30 * number + jitter,
                "y": jitter,
                "heading": heading,
                "sigma": sigma.to_json(),
                "attacks": [attack.to_json()],
            }
        )
    table = Table.parse(json.dumps(raw))
    assert Table.parse(table.text()) == table
    assert table.mode == mode
    assert Table.parse(table.text()).text() == table.text()


def test_numbers_left_out_are_written_down() -> None:
    """A table saved today reads the same when a card changes tomorrow."""
    table = Table.parse(json.dumps(sample()))
    plain = table.unit("r1").to_json()
    assert (plain["speed"], plain["defense"], plain["morale"], plain["models"]) == (5, 4, 6, 1)


def test_asking_a_table() -> None:
    table = Table.parse(json.dumps(sample()))
    assert "b1" in table
    assert "x1" not in table
    assert table.sides() == ("blue", "red")
    assert [unit.id for unit in table.enemies(table.unit("b1"))] == ["r1"]
    assert list(table.friends(table.unit("b1"))) == []
    moved = table.moved("b1", Pose(3, 3, 0))
    assert (moved.unit("b1").pose.x, table.unit("b1").pose.x) == (3, 12)
    assert "b1" not in table.without("b1")
    with pytest.raises(UnknownName, match=r"^no unit 'z' on the table; there are: b1, r1$"):
        table.unit("z")


def test_trays_may_touch_and_overlap_a_little() -> None:
    raw = sample()
    raw["units"][0].pop("sigma")
    raw["units"][1]["y"] = 10 + (4.8 + 3.5) / 2 - 0.04  # typed by hand, rounded
    Table.parse(json.dumps(raw))
    raw["units"][1]["y"] -= 0.5
    raw["units"][0]["sigma"] = {"xy": 0.2}  # measured no better than that
    Table.parse(json.dumps(raw))
