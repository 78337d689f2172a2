"""Command range, Stalwart, attacks where units stand, and measured units."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games.shared import board_report
from companion.games.westeros.game import GAME
from companion.games.westeros.play.state import battle_position
from companion.games.westeros.rules.attack_options import targets_in_reach
from companion.games.westeros.rules.hex_field import DEVASTATION, FIRES, TERRAIN
from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.screen import SCREEN
from companion.geometry.grid.placing import cell_middle
from companion.overlay.map_theme import FIGURES
from models.board import parse_cell
from tests.games.westeros.clash import Clash
from tests.games.westeros.tables import answers, hex_at, plain_table, table, unit

rule = pytest.mark.rule


@rule("BOW-CDR-1", "BOW-CDR-2", "BOW-CDR-3", "BOW-CDR-4", "BOW-D-7", "BOW-V-7")
def test_command_range_is_2_hexes_through_everything() -> None:
    found = answers(
        unit("b1", hex_at(0, 0), commander="maege-mormont"),
        unit("b2", hex_at(2, -1)),
        unit("b3", hex_at(1, 1)),
        unit("b4", hex_at(3, -1)),
        unit("b5", hex_at(4, -1), commander=True),
        unit("r1", hex_at(0, 1)),
        ground={hex_at(1, 0): "river", hex_at(1, -1): "hill"},
    )
    assert {one: found[one]["commanded"] for one in found} == {
        "b1": ["maege-mormont"],
        "b2": ["maege-mormont", "b5"],
        "b3": ["maege-mormont"],
        "b4": ["b5"],
        "b5": ["b5"],
        "r1": [],
    }


@rule("BOW-KEY-20", "BOW-KEY-18", "BOW-V-28", "BOW-OR-12")
def test_two_own_units_beside_make_a_unit_stalwart() -> None:
    found = answers(
        unit("b1", hex_at(0, 0)),
        unit("b2", hex_at(1, 0)),
        unit("b3", hex_at(2, 0)),
        unit("b4", hex_at(0, 4), keywords=["stalwart"]),
        unit("r1", hex_at(0, 1)),
    )
    assert [found[one]["stalwart"] for one in ("b1", "b2", "b3", "b4", "r1")] == [
        False, True, False, True, False,
    ]  # fmt: skip


@rule("BOW-TER-4", "BOW-TER-7", "BOW-TER-14", "BOW-D-12", "BOW-CMB-4")
@pytest.mark.parametrize(
    ("mine", "theirs", "dice", "facts"),
    [
        ("plains", "plains", 4, {}),
        ("plains", "hill", 3, {}),
        ("hill", "hill", 4, {}),
        ("forest", "plains", 2, {}),
        ("plains", "forest", 2, {}),
        ("building", "plains", 4, {}),
        ("building", "plains", 2, {"class": "ranged"}),
        ("forest-road", "plains", 4, {}),
        ("plains", "plains", 3, {"keywords": ["off-balance"], "moved": True}),
        ("forest", "plains", 1, {"keywords": ["off-balance"], "moved": True}),
        ("plains", "plains", 4, {"keywords": ["off-balance"]}),
        ("plains", "plains", 4, {"figures": 1}),
    ],
)
@rule("BOW-KEY-11", "BOW-D-32", "BOW-UNT-13")
def test_the_dice_of_an_attack(mine: str, theirs: str, dice: int, facts: dict[str, Any]) -> None:
    ground = {hex_at(0, 0): mine, hex_at(1, 0): theirs}
    one = unit("b1", hex_at(0, 0), rank="red", **facts)
    found = answers(one, unit("r1", hex_at(1, 0)), ground=ground)
    assert found["b1"]["attacks"]["r1"]["dice"] == dice


@rule("BOW-ENG-5", "BOW-ENG-8", "BOW-ENG-10", "BOW-ENG-11", "BOW-D-26", "BOW-OR-16", "BOW-OR-17")
def test_flank_attacks_and_who_may_strike_first() -> None:
    units = (
        unit("b1", hex_at(0, 0)),
        unit("b2", hex_at(1, -1), engaged="r1"),
        unit("r1", hex_at(1, 0)),
        unit("b3", hex_at(0, 2), engaged="r2"),
        unit("r2", hex_at(0, 1)),
        unit("b4", hex_at(2, 0), **{"class": "ranged"}),
        unit("b5", hex_at(4, 0), engaged="r3", **{"class": "ranged"}),
        unit("r3", hex_at(4, -1)),
    )
    found = answers(*units)
    attack = found["b1"]["attacks"]
    assert (attack["r1"]["flank"], "parting_blow" in attack["r1"]) == (True, False)
    assert found["b2"]["attacks"]["r1"] == {"answer": "yes", "why": [], "dice": 2, "flank": False}
    assert found["b3"]["attacks"]["r1"]["why"] == ["BOW-LOS-3"]
    assert found["b4"]["attacks"]["r1"]["flank"] is False
    assert found["b5"]["attacks"]["r1"]["why"] == ["BOW-LOS-5", "BOW-ENG-11"]
    assert found["r2"]["attacks"]["b1"]["parting_blow"] == "b3"
    assert found["r2"]["engaged"] == ["b3"]


@rule("BOW-FIR-13", "BOW-KEY-16", "BOW-FIR-15", "BOW-FIR-4")
def test_burning_units_do_not_attack_and_what_may_be_set_on_fire() -> None:
    ground = {
        hex_at(0, 0): ["plains", "fire-1"],
        hex_at(3, 1): "river",
        hex_at(2, 1): ["forest", "fire-3"],
        hex_at(4, 0): "hill",
    }
    found = answers(
        unit("b1", hex_at(0, 0)),
        unit("r1", hex_at(1, 0)),
        unit("b2", hex_at(3, 0), keywords=["scorched-earth"]),
        ground=ground,
    )
    assert found["b1"]["attacks"]["r1"]["why"] == ["BOW-FIR-13"]
    assert set(found["b2"]["scorches"]) == {hex_at(2, 0), hex_at(3, -1), hex_at(4, -1)}
    assert found["b2"]["fires"] == [hex_at(2, 1)]


# -- measured units --------------------------------------------------------------------------------


def measured(cell: str, dx: float, sigma: float) -> dict[str, Any]:
    """A unit beside the middle of a cell of a board that lies at (2, 2)."""
    board = table(size=(9, 7), at=[2.0, 2.0]).board
    x, y = cell_middle(board, parse_cell(cell))
    return {"id": "b1", "side": "blue", "x": x + dx, "y": y, "sigma": {"xy": sigma}}


@rule("BOW-UNT-1", "BOW-LOS-2")
def test_a_measured_unit_is_unsure_only_where_its_hexes_disagree() -> None:
    archers = {"class": "ranged", "range": 3}
    plain = plain_table(
        {**measured("2,2", 1.05, 0.05), **archers},
        unit("r1", "5,2"),
        unit("r2", "3,5"),
        unit("r3", "8,2"),
        size=(9, 7),
        at=[2.0, 2.0],
    )
    from models.board_table import BoardTable
    from models.field import Field

    found = GAME.report(BoardTable.read(Field(plain, "test"))).to_json("test")["pieces"]
    assert set(found["b1"]["cells"]) == {"2,2", "3,2"}
    assert found["b1"]["attacks"]["r1"]["answer"] == "yes"  # 3 or 2 hexes
    assert found["b1"]["attacks"]["r3"]["answer"] == "no"  # 6 or 5
    assert found["b1"]["distance_unsure"]["r1"] == [2, 3]
    sure = GAME.report(
        BoardTable.read(
            Field(
                plain_table(
                    {**measured("2,2", 0.2, 0.05), **archers},
                    unit("r1", "5,2"),
                    size=(9, 7),
                    at=[2.0, 2.0],
                ),
                "test",
            )
        )
    ).to_json("test")["pieces"]
    assert "cells" not in sure["b1"]
    assert sure["b1"]["distance"] == {"r1": 3}


@rule("BOW-UNT-8", "BOW-CDR-5", "BOW-CDR-7")
def test_a_piece_takes_its_numbers_from_the_card_of_that_name() -> None:
    found = answers(
        unit("b1", hex_at(0, 0), card="maege-mormont", rank="blue"),
        unit("b2", hex_at(1, 0), name="War Host of the North", rank="red"),
        unit("b3", hex_at(-1, 0), card="a card that nobody has entered"),
        unit("b4", hex_at(4, 4), name="Robb Stark", commander=True),
        unit("r1", hex_at(1, -1)),
    )
    assert found["b1"]["commanded"] == ["maege-mormont"]
    assert (found["b1"]["stalwart"], found["b1"]["attacks"]["r1"]["dice"]) == (True, 3)
    assert found["b2"]["attacks"]["r1"]["dice"] == 4
    assert found["b3"]["commanded"] == ["maege-mormont"]
    assert found["b4"]["commanded"] == ["robb-stark"]


def test_a_report_in_words() -> None:
    found = GAME.report(
        table(
            unit("b1", hex_at(0, 0), name="Guard", commander="robb", engaged="r1", range=4),
            unit("r1", hex_at(1, 0), name="Foe", keywords=["stalwart"]),
            unit("r2", hex_at(3, 0), name="Far"),
        )
    )
    text = GAME.text(found, "a")
    assert "Guard (blue, green) stands on the hex left of Foe" in text
    assert not re.search(r"\d,\d", text), "hexes have words, not coordinates"
    assert "engaged with Foe" in text
    assert "attacks Foe with 2 dice: 1.00 figures on average" in text
    assert "does not see Far: terrain or a unit blocks the line of sight" in text
    assert text.count("does not see") == 1  # the other two fight hand to hand
    assert GAME.text(found, "a", "r2").count("(red") == 1


def test_a_report_on_units_that_may_stand_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many hexes to try: a doubt, no certain word, in sentences and on the map."""
    monkeypatch.setattr(board_report, "MOST_WORK", 8)
    units = [
        {"id": name, "side": side, "x": 12.0, "y": y, "sigma": 1.2}
        for name, side, y in (("b1", "blue", 6.0), ("r1", "red", 14.0))
    ]
    board = table(*units, at=[0.0, 0.0], turn=0.0)
    found = GAME.report(board)
    assert found.pieces["b1"]["attacks"]["r1"]["probability"] == 0
    assert "  attacks r1, too close to call" in GAME.text(found, "a", "b1")
    assert GAME.scene(board, "b1").shapes


def test_a_map_of_the_answers() -> None:
    units = unit("b1", hex_at(0, 0), commander=True), unit("r1", hex_at(1, 0), engaged="b1")
    scene = GAME.scene(table(*units))
    roles = {one.style.role for one in scene.shapes}
    assert {"command", "engagement", "piece"} <= roles
    chosen = GAME.scene(table(*units), "b1")
    assert {"reach", "retreat", "shot"} <= {one.style.role for one in chosen.shapes}
    assert len(GAME.board(table(*units)).shapes) > 100


# -- the map ---------------------------------------------------------------------------------------


def test_every_terrain_has_a_look_of_its_own() -> None:
    words = [*TERRAIN, *FIRES, DEVASTATION]
    looks = {word: FIGURES[f"ground-{word}"] for word in words}
    assert len({repr(look) for look in looks.values()}) == len(words) - 1  # woods, with a road


def test_the_map_shows_command_ranges_and_what_blocks_a_shot() -> None:
    archer = unit("b1", hex_at(0, 0), **{"class": "ranged"}, commander="Lord")
    enemies = unit("r1", hex_at(3, 0)), unit("r2", hex_at(6, 0)), unit("r3", hex_at(0, 2))
    shown = GAME.scene(table(archer, *enemies, ground={hex_at(1, 0): "forest"}), "b1").shapes
    by_role: dict[str, list[tuple[str, ...]]] = {}
    for shape in shown:
        by_role.setdefault(shape.style.role, []).append(shape.about)
    assert by_role["command"] == [("b1",)]
    assert by_role["blocked"] == [("b1", "r1")]  # r2 is out of range: its line does not matter
    assert ("b1", "r3") in by_role["shot"]
    overview = GAME.scene(table(archer, *enemies)).shapes
    assert sum(one.style.role == "command" for one in overview) == 1


@rule("BOW-OPT-1")
def test_an_order_tells_what_it_makes_possible() -> None:
    """A green unit moves 2 and attacks: l1 stands 3 away, l2 beyond that, l3 behind a river."""
    stark: Any = [("foot", "green", "5,2")]
    lannister: Any = [("foot", "green", "5,5"), ("foot", "green", "5,8"), ("foot", "green", "2,3")]
    rivers = dict.fromkeys(("3,3", "3,2", "2,2", "3,4", "1,2", "2,4"), "river")
    game = Clash(stark, lannister, ground=rivers, mace="stark")
    offer = next(one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "flag")
    position = battle_position(game.state)
    found = targets_in_reach(position, position.by_id["s1"])
    assert [one.id for one in found] == ["l1"]
    count = len(ordered_ends(position, position.by_id["s1"]))
    assert offer.detail == f"{count} hexes in reach; attacks Foot 1"


@rule("BOW-ENG-1", "BOW-ENG-2")
def test_an_engagement_marker_is_put_down_and_taken_away_by_tap() -> None:
    stark: Any = [("foot", "green", "5,5"), ("foot", "green", "5,4")]
    game = Clash(stark, [("foot", "green", "5,6", "lord"), ("foot", "green", "5,8")])

    def offered(word: str) -> dict[str, dict[str, Any]]:
        return {
            piece.id: dict(one.commands[0])
            for piece in SCREEN.pieces(game.state)
            for one in piece.corrections
            if word in one.text
        }

    assert offered("engaged with").keys() == {"s1", "l1"}  # the only two that are adjacent
    command = offered("engaged with")["s1"]
    game.do(str(command.pop("do")), **command)
    assert [(one.one, one.two) for one in game.state.markers] == [("s1", "l1")]
    assert offered("engaged with") == {}
    assert offered("no longer engaged").keys() == {"s1", "l1"}
    game.order("s1")
    best = next(one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "swords")
    assert "captured" in best.expected
