"""The numbers of editions, modes and new records are those that were read from the books."""

from __future__ import annotations

import json

import pytest

from companion.games.tmg.rules.modes import modes
from tests.games.tmg.recorded_tables import load, tables


@pytest.mark.rule(
    "TMG-VIC-4",
    "TMG-VIC-8",
    "TMG-OBJ-5",
    "TMG-RND-19",
    "TMG-RND-20",
    "TMG-CON-1",
    "TMG-ZON-1",
    "TMG-ARM-2",
    "TMG-DECK-1",
    "TMG-TER-14",
    "TMG-BON-3",
    "TMG-RNG-5",
    "TMG-RNG-8",
    "TMG-MODE-COK-12",
    "TMG-MODE-SOS-16",
    "TMG-MODE-WOW-3",
    "TMG-MODE-HWS-6",
)
def test_every_table_holds_what_was_recorded() -> None:
    recorded, now = load(), json.loads(json.dumps(tables()))
    assert now.keys() == recorded.keys()
    assert [name for name, one in now.items() if one != recorded[name]] == []


@pytest.mark.rule("TMG-OBJ-5")
def test_every_mode_has_its_play() -> None:
    known = {f"mode {game} {one.key}" for game in ("tmg-2018", "tmg-2021") for one in modes(game)}
    assert known == {name for name in load() if name.startswith("mode ")}
