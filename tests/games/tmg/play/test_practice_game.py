"""The practice table with trays of the players' own sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from companion.games.tmg.play.practice_game import TABLE, practice_table
from models import Table
from models.catalogue import gather
from models.unit import overlap_depth


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    gather.cache_clear()
    yield tmp_path
    gather.cache_clear()


def test_with_the_shipped_trays_it_is_the_file(own: Path) -> None:
    assert practice_table(TABLE) == Table.load(TABLE)


def test_larger_trays_are_pushed_apart_and_those_in_contact_still_touch(own: Path) -> None:
    (own / "trays.toml").write_text("[infantry]\nwidth = 5.6\ndepth = 5.1\n")
    table = practice_table(TABLE)
    assert table.unit("b1").tray.depth == 5.1
    assert max(overlap_depth(one, two) for one, two in combinations(table.units, 2)) < 1e-6
    assert table.unit("r1").pose.y - table.unit("b1").pose.y == pytest.approx(5.1)
    assert Table.parse(table.text()) == table  # as the game reads it again
