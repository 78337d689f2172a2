"""Terrain pieces and trays: what the rules say of them stands in the data, by edition."""

from __future__ import annotations

import math

import pytest

from models import Pose, Unit, catalogue

PIECES_2021 = [
    ("TMG-PCE-1", "forest", "cover fortified"),
    ("TMG-PCE-2", "corpse-pile", "hindering horrific"),
    ("TMG-PCE-3", "bog", "hindering rough"),
    ("TMG-PCE-4", "stakes", "dangerous destructible"),
    ("TMG-PCE-5", "low-wall", "destructible fortified hindering"),
    ("TMG-PCE-6", "hedge", "cover destructible rough"),
    ("TMG-PCE-7", "weirwood", "inspiring"),
    ("TMG-PCE-8", "palisade", "blocks-line-of-sight destructible impassable"),
    ("TMG-MODE-HAR-7", "castle-wall", "impassable"),
]
PIECES_2018 = [
    ("TMG-PCE-1", "forest", "cover rough"),
    ("TMG-PCE-2", "corpse-pile", "hindering horrific rough"),
    ("TMG-PCE-3", "bog", "hindering rough"),
    ("TMG-PCE-4", "stakes", "dangerous destructible hindering"),
    ("TMG-PCE-5", "low-wall", "cover destructible fortified"),
    ("TMG-PCE-6", "hedge", "destructible hindering rough"),
    ("TMG-PCE-7", "weirwood", "inspiring"),
    ("TMG-PCE-8", "palisade", "blocks-line-of-sight impassable"),
]


@pytest.mark.parametrize(
    ("game", "piece", "keywords"),
    [
        pytest.param(
            f"tmg-{edition}",
            piece,
            keywords,
            marks=pytest.mark.rule(rule, edition=edition),
            id=f"{edition}-{piece}",
        )
        for edition, pieces in (("2021", PIECES_2021), ("2018", PIECES_2018))
        for rule, piece, keywords in pieces
    ],
)
def test_keywords(game: str, piece: str, keywords: str) -> None:
    assert catalogue(game).pieces[piece] == frozenset(keywords.split())


def unit(game: str, tray: str, models: int) -> Unit:
    return Unit("u", "blue", "u", catalogue(game).trays[tray], Pose(24, 24, 90), models=models)


@pytest.mark.rule("TMG-UNT-3", "TMG-UNT-4", "TMG-RNK-1", "TMG-RNK-2")
@pytest.mark.parametrize("game", ["tmg-2021", "tmg-2018"])
@pytest.mark.parametrize(("tray", "models", "ranks"), [("infantry", 12, 3), ("cavalry", 4, 2)])
def test_full_trays(game: str, tray: str, models: int, ranks: int) -> None:
    full = catalogue(game).trays[tray]
    assert (full.models, full.ranks) == (models, ranks)
    assert (unit(game, tray, models).ranks, unit(game, tray, models).ranks_lost) == (ranks, 0)


@pytest.mark.rule("TMG-RNK-3")
@pytest.mark.parametrize(("game", "ranks"), [("tmg-2021", 1), ("tmg-2018", 0)])
@pytest.mark.parametrize("tray", ["solo", "warmachine"])
def test_ex_5_a_solo_unit(game: str, tray: str, ranks: int) -> None:
    alive = unit(game, tray, 1)
    assert (alive.ranks, alive.ranks_lost) == (ranks, 0)


@pytest.mark.rule("TMG-UNT-7")
@pytest.mark.parametrize("game", ["tmg-2021", "tmg-2018"])
def test_monsters_and_war_machines_stand_alone_on_solo_trays(game: str) -> None:
    facts = catalogue(game)
    for card in facts.units.values():
        if card.type in {"monster", "warmachine"}:
            assert card.tray in {"solo", "warmachine"}
            assert facts.trays[card.tray].models == 1


@pytest.mark.rule("TMG-RNK-4", "TMG-RNK-8")
@pytest.mark.parametrize("game", ["tmg-2021", "tmg-2018"])
@pytest.mark.parametrize(
    ("tray", "models", "ranks"),
    [
        pytest.param("infantry", [12 - 3], [3], id="EX-1"),
        pytest.param("infantry", [12 - 4], [2], id="EX-2"),
        pytest.param(
            "infantry", [12, 11, 9, 8, 7, 5, 4, 3, 1, 0], [3, 3, 3, 2, 2, 2, 1, 1, 1, 0], id="EX-3"
        ),
        pytest.param("cavalry", [4, 3, 2, 1], [2, 2, 1, 1], id="EX-4"),
    ],
)
def test_ranks_left(game: str, tray: str, models: list[int], ranks: list[int]) -> None:
    units = [unit(game, tray, number) for number in models]
    assert [one.ranks for one in units] == ranks
    full = catalogue(game).trays[tray].ranks
    assert [one.ranks_lost for one in units] == [full - number for number in ranks]


@pytest.mark.rule("TMG-CARD-4")
def test_dice_fall_with_the_ranks_2021() -> None:
    (axes,) = catalogue("tmg-2021").units.find("House Umber Berserkers").attacks
    assert [axes.dice_at(lost) for lost in range(4)] == [7, 8, 9, 9]  # OR-46 beyond the last


@pytest.mark.rule("TMG-CARD-4")
def test_dice_fall_with_the_ranks_2018() -> None:
    (lance,) = catalogue("tmg-2018").units.find("Knights of Casterly Rock").attacks
    assert [lance.dice_at(lost) for lost in range(3)] == [6, 3, 3]


def test_tray_sizes() -> None:
    trays = catalogue("tmg-2021").trays
    assert {name: (tray.width, tray.depth) for name, tray in trays.items()} == {
        "infantry": (5.5, 4.8),
        "cavalry": (5.5, 5.0),
        "solo": (2.76, 2.76),
        "warmachine": (2.76, 5.55),
    }
    line = math.degrees(math.atan2(trays["infantry"].width, trays["infantry"].depth))
    assert trays["infantry"].arc_deg == pytest.approx(line, abs=0.05)
    assert {trays[name].arc_deg for name in ("cavalry", "solo", "warmachine")} == {45.0}
