"""Contact, moves, charges and forced moves on squares."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.engine.moves.cell_moves import cell_verdict
from companion.engine.snapshot import Snapshot
from companion.games.tactics.game import GAME
from models import CompanionError
from models.board import Board
from models.board_table import BoardTable
from tests.games.tactics.boards import answers, drawn, reach

BOW = {"name": "Bow", "kind": "ranged", "dice": 2, "hit": 6}
SWORD = {"name": "Sword", "kind": "melee", "dice": 2, "hit": 6}


@pytest.mark.rule("TAC-GRD-3", "TAC-CON-1", "TAC-CON-2", "TAC-CON-5", "TAC-V-16")
def test_adjacent_enemies_are_engaged() -> None:
    found = answers(drawn(".b.\nA..\n..c"))
    assert found["A"]["engaged"] == ["b"]
    assert found["b"]["engaged"] == ["A"]
    assert found["c"]["engaged"] == []


@pytest.mark.rule("TAC-CON-3")
def test_friends_do_not_engage() -> None:
    assert answers(drawn("AB"))["A"]["engaged"] == []


@pytest.mark.rule("TAC-CON-4", "TAC-ATK-4", "TAC-V-17")
def test_a_wall_prevents_contact_and_the_archer_shoots_others() -> None:
    found = answers(drawn("Ab..\n....\nc...", (("0,2", "1,2"),), {"A": {"attacks": [BOW]}}))["A"]
    assert found["engaged"] == []
    assert found["attacks"]["c"] == {"answer": "yes", "why": [], "attack": "Bow"}
    near = answers(drawn("Ab..\n....\nc...", facts={"A": {"attacks": [BOW]}}))["A"]
    assert near["attacks"]["c"] == {"answer": "no", "why": ["TAC-ATK-4"]}


@pytest.mark.rule("TAC-ATK-2", "TAC-ATK-3", "TAC-LOS-8")
def test_melee_needs_engagement_and_ranged_sight() -> None:
    found = answers(drawn("Ab..c", facts={"A": {"attacks": [SWORD]}}))["A"]["attacks"]
    assert found["b"] == {"answer": "yes", "why": [], "attack": "Sword"}
    assert found["c"] == {"answer": "no", "why": ["TAC-ATK-2"]}
    far = answers(drawn("A.x.b...c", facts={"A": {"attacks": [BOW]}}))["A"]["attacks"]
    assert far["b"] == {"answer": "no", "why": ["TAC-LOS-8"]}
    none = answers(drawn("Ab", facts={"A": {"attacks": []}}))["A"]["attacks"]
    assert none["b"] == {"answer": "no", "why": ["TAC-ATK-1"]}


@pytest.mark.rule("TAC-MOV-1", "TAC-MOV-2", "TAC-SPC-1", "TAC-SPC-2")
def test_three_spaces_in_eight_directions() -> None:
    empty = ["......."] * 3
    assert len(reach(drawn("\n".join([*empty, "...A...", *empty])), "A")) == 48
    around = reach(drawn(".....\n.###.\n..A#.\n.....\n....."), "A")
    assert around["0,4"] == 3
    assert "2,3" not in around
    assert around["4,0"] == 2
    assert max(around.values()) == 3


@pytest.mark.rule("TAC-MOV-3", "TAC-MOV-4", "TAC-MOV-5")
def test_friends_are_passed_and_enemies_are_not() -> None:
    row = reach(drawn("AB..."), "A")
    assert row == {"2,0": 2, "3,0": 3}
    assert reach(drawn("Ab..."), "A") == {}


@pytest.mark.rule("TAC-MOV-6", "TAC-D-7")
def test_a_move_stops_where_it_becomes_engaged() -> None:
    table = drawn("...b.\nA....", (), None)
    found = answers(table)["A"]["reach"]
    assert found["2,0"] == {"cost": 2, "engages": ["b"]}
    assert "3,0" not in found


@pytest.mark.rule("TAC-MOV-7", "TAC-MOV-8", "TAC-D-8")
def test_an_engaged_figure_moves_one_space() -> None:
    table = drawn("......\nb.....\nA.....")
    assert max(reach(table, "A").values()) == 1
    away = table.moved("A", (5, 0))
    found = GAME.check(table, away, "A")
    assert found["move"] == {"answer": "no", "why": ["TAC-MOV-7"], "over": 4}
    free = GAME.check(
        drawn("........\nb.......\n.A......"), drawn("........\nb.......\n.....A.."), "A"
    )
    assert free["move"]["why"] == ["TAC-MOV-7"]
    assert free["double_move"] == {"answer": "yes", "why": [], "cost": 4}


@pytest.mark.rule("TAC-MOV-2")
def test_who_is_too_far_away_by_the_way_round_is_told_how_long_that_is() -> None:
    table = drawn("......\n.###..\n...A#.\n.####.\n......")
    found = GAME.check(table, table.moved("A", (5, 2)), "A")["move"]
    assert (found["why"], found["over"], found["cost"]) == (["TAC-MOV-1"], 5, 8)
    why = cell_verdict(table, "A", (5, 2), None, Snapshot())
    assert str(why) == "too far: by 5, for the way round is 8 spaces"


@pytest.mark.rule("TAC-MOV-10", "TAC-V-18")
def test_no_diagonal_step_between_two_rocks() -> None:
    assert "1,1" not in reach(drawn("#.\nA#"), "A")


@pytest.mark.rule("TAC-MOV-11")
def test_a_diagonal_step_beside_one_rock() -> None:
    assert reach(drawn("..\nA#"), "A")["1,1"] == 1


@pytest.mark.rule("TAC-OR-8")
def test_no_diagonal_step_between_enemies() -> None:
    enemies = drawn("b.\nAc".replace("c", "d"))
    assert "1,1" not in reach(enemies, "A")
    assert "1,1" in reach(enemies, "A", "diagonal-enemies=free")
    assert "1,1" in reach(drawn("B.\nA#"), "A")


@pytest.mark.rule("TAC-OR-9")
def test_a_friend_beside_an_enemy_cannot_be_passed() -> None:
    table = drawn("..c..\n##.##\nA.B..".replace("A.B..", "A.B.."))
    assert "3,0" not in reach(drawn("##b##\nA.B.."), "A")
    assert "3,0" in reach(drawn("##b##\nA.B.."), "A", "friend-in-contact=passable")
    assert table.piece("A").cell == (0, 0)


@pytest.mark.rule("TAC-MOV-14", "TAC-V-20")
def test_a_diagonal_step_round_the_end_of_a_wall() -> None:
    assert reach(drawn("..\nA."), "A")["1,1"] == 1
    doorway = drawn("..\nA.", (("0,0", "0,1"),))
    assert reach(doorway, "A")["1,1"] == 1
    closed = drawn("..\nA.", (("0,0", "0,1"), ("1,0", "1,1")))
    assert "1,1" not in reach(closed, "A")


@pytest.mark.rule("TAC-MOV-15", "TAC-TER-6", "TAC-OR-39")
def test_no_step_crosses_a_wall() -> None:
    assert reach(drawn("A.", (("0,0", "1,0"),)), "A") == {}


@pytest.mark.rule("TAC-GRD-7", "TAC-GRD-8", "TAC-GRD-9", "TAC-GRD-4")
def test_a_space_holds_one_figure() -> None:
    table = drawn("AB.\n...")
    same = BoardTable(
        table.game, table.board, (table.pieces[0], table.moved("B", (0, 1)).pieces[1])
    )
    with pytest.raises(CompanionError, match=r"0,1 is taken by A \(TAC-GRD-9\)"):
        GAME.report(same)
    large = drawn("LL.\nLLA")
    assert answers(large)["L"]["distance"] == {"A": 1}
    with pytest.raises(CompanionError, match="2,0 is taken by"):
        GAME.report(large.moved("L", (1, 0)))


@pytest.mark.rule("TAC-SPC-7", "TAC-SPC-8")
def test_no_figure_stands_on_a_blocked_space() -> None:
    for letter in "#~":
        table = drawn(f"A{letter}").moved("A", (1, 0))
        with pytest.raises(CompanionError, match="pieces: A: cell: 1,0 is BLOCKED"):
            GAME.report(table)


@pytest.mark.rule("TAC-TER-8")
def test_a_large_figure_does_not_stand_across_a_wall() -> None:
    with pytest.raises(CompanionError, match="a wall runs through its spaces"):
        GAME.report(drawn("LL\nLL", (("0,0", "1,0"),)))
    ends = reach(drawn("LL....\nLL....", (("3,0", "4,0"),)), "L")
    assert "3,0" not in ends
    assert "4,0" in ends


@pytest.mark.rule("TAC-MOV-16", "TAC-MOV-18", "TAC-D-9")
def test_a_large_figure_leads_with_one_space() -> None:
    ends = reach(drawn(".......\n.......\nLL.....\nLL....."), "L")
    assert (ends["4,0"], ends["3,0"], ends["1,0"]) == (3, 2, 1)
    assert "5,0" not in ends
    assert "0,0" not in ends


@pytest.mark.rule("TAC-MOV-17", "TAC-MOV-19", "TAC-ABL-14", "TAC-V-21", "TAC-OR-11")
def test_a_large_figure_passes_a_gap_and_turns() -> None:
    text = "........\n........\n##.#####\n.LL.....\n.LL....."
    ends = reach(drawn(text, facts={"L": {"spaces": 4}}), "L")
    assert ends["1,3"] == ends["2,3"] == 2
    assert ends["3,3"] == 2
    assert "2,2" not in ends
    three = reach(drawn(text), "L")
    assert max(three.values()) == 3
    assert max(ends.values()) == 4


@pytest.mark.rule("TAC-MOV-20", "TAC-D-10", "TAC-OR-12")
def test_a_large_figure_is_not_stopped() -> None:
    found = answers(drawn("....b..\n.......\n.......\nLL.....\nLL....."))["L"]["reach"]
    assert found["4,0"] == {"cost": 3, "engages": []}
    near = answers(drawn(".......\n.......\n..b....\nLL.....\nLL....."))["L"]
    assert near["engaged"] == ["b"]
    passing = answers(drawn(".......\n...b...\nLL.....\nLL....."))["L"]["reach"]
    assert passing["4,0"]["cost"] == 3
    assert passing["2,0"] == {"cost": 1, "engages": ["b"]}


@pytest.mark.rule("TAC-OR-10")
def test_an_engaged_large_figure_moves_one_space() -> None:
    table = drawn("...........\nb..........\nLL.........\nLL.........")
    assert max(reach(table, "L").values()) == 1
    assert max(reach(table, "L", "large-engaged=full").values()) == 3


@pytest.mark.rule("TAC-CHG-2", "TAC-CHG-3", "TAC-CHG-4", "TAC-CHG-5", "TAC-OR-31", "TAC-OR-32")
def test_a_charge_moves_towards_an_enemy_in_sight() -> None:
    found = answers(drawn("A...b....c"))["A"]["charges"]
    assert found["b"] == {"answer": "yes", "why": [], "declare": True, "ends": {"3,0": 3}}
    assert found["c"]["why"] == ["TAC-LOS-8"]
    far = answers(drawn("A.......b"))["A"]["charges"]["b"]
    assert far == {"answer": "no", "why": ["TAC-CHG-5"], "declare": True, "ends": {"3,0": 3}}
    engaged = answers(drawn("aB..c".replace("a", "d")))["B"]["charges"]["c"]
    assert engaged["why"] == ["TAC-CHG-2"]
    several = answers(drawn("...\n...\n.b.\n...\nA.."))["A"]["charges"]["b"]
    assert set(several["ends"].values()) == {1}
    anywhere = answers(drawn("...\n...\n.b.\n...\nA.."), "charge-path=any")["A"]["charges"]["b"]
    assert len(anywhere["ends"]) >= len(several["ends"])


@pytest.mark.rule("TAC-OBJ-3", "TAC-OR-27")
def test_who_stands_on_an_objective_controls_it() -> None:
    marks = dict.fromkeys(("0,3", "1,0", "2,1"), "objective")
    table = drawn("A...\n....\n.LL.\n.LL.", marks=marks)
    found = answers(table)
    assert found["A"]["controls"] == ["0,3"]
    assert found["L"]["controls"] == ["1,0", "2,1"]


@pytest.mark.rule("TAC-OBJ-2")
def test_an_objective_lies_on_open_ground_with_a_dot() -> None:
    table = drawn("A.x", marks={"2,0": "objective"})
    plain = GAME.report(table).to_json("t")
    (problem,) = plain["problems"]
    assert (problem["why"], problem["cell"]) == ("TAC-OBJ-2", "2,0")


@pytest.mark.rule("TAC-LOT-2", "TAC-OR-26")
def test_loot_is_taken_in_contact() -> None:
    marks = {"1,0": "purse", "1,1": "letter", "3,0": "loot"}
    found = answers(drawn("....\nA...", (("0,0", "1,0"),), marks=marks))["A"]
    assert found["loot"] == ["1,1"]


@pytest.mark.rule("TAC-LOT-2", "TAC-OR-26")
def test_loot_may_be_taken_only_from_its_own_space() -> None:
    marks = {"0,0": "purse", "1,1": "letter", "3,1": "loot"}
    table = drawn("..LL\nA.LL", marks=marks)
    on = answers(table, "loot-contact=on")
    assert (on["A"]["loot"], on["L"]["loot"]) == (["0,0"], ["3,1"])
    beside = answers(table, "loot-contact=beside")
    assert (beside["A"]["loot"], beside["L"]["loot"]) == (["0,0", "1,1"], ["1,1", "3,1"])


@pytest.mark.rule("TAC-GRD-1", "TAC-OR-38")
def test_tiles_are_seven_by_seven_and_join_without_a_seam() -> None:
    from companion.games.tactics.cards.map_tile import TILE_SPACES, shipped_tiles
    from companion.games.tactics.cards.scenario import shipped_scenarios

    scenario = shipped_scenarios()["sample-crossing"]
    board = scenario.board(shipped_tiles())
    assert (board.columns, board.rows) == (7, 14)
    assert TILE_SPACES == 7
    assert board.ground[0, 10] == ("blocked-o",)
    figures = drawn("A\n.\n.", ()).pieces
    table = BoardTable("tactics", board, figures).moved("A", (3, 6))
    assert answers(table)["A"]["reach"]["3,7"]["cost"] == 1


@pytest.mark.rule("TAC-SPC-9", "TAC-SPC-10")
def test_a_tree_gives_all_its_spaces_its_type() -> None:
    from companion.games.tactics.cards.map_tile import shipped_tiles

    yard = shipped_tiles()["sample-yard"].ground()
    tree = [(1, 4), (2, 4), (1, 5), (2, 5)]
    assert {yard[cell] for cell in tree} == {("blocked-x",)}


@pytest.mark.rule("TAC-TER-13", "TAC-D-18")
def test_high_ground_adds_two_to_attacks_on_lower_enemies() -> None:
    table = drawn("A^b", ground={"0,0": ["open-o", "high"]})
    report = GAME.report(table)
    odds = GAME.attack_odds(report, "shots", "A", "b")
    assert odds is not None
    assert odds.odds.question.attack_mod == 2
    level = drawn("A^b", ground={"0,0": ["open-o", "high"], "2,0": ["open-o", "high"]})
    same = GAME.attack_odds(GAME.report(level), "shots", "A", "b")
    assert same is not None
    assert same.odds.question.attack_mod == 0
    assert GAME.report(table).to_json("t")["pieces"]["A"]["high"] is True


@pytest.mark.rule("TAC-STA-3", "TAC-CHG-1")
def test_a_frozen_figure_cannot_pay_a_charge_or_an_attack_of_two_points() -> None:
    sword = {"name": "Sword", "kind": "melee", "dice": 2, "hit": 6}
    heavy = {**sword, "name": "Heavy", "dice": 5, "ap": 2}
    facts = {"attacks": [heavy, sword]}
    pieces = GAME.report(drawn("A..b", facts={"A": {**facts, "frozen": True}})).to_json("t")[
        "pieces"
    ]
    charge = pieces["A"]["charges"]["b"]
    assert (charge["answer"], charge["why"], charge["declare"]) == ("no", ["TAC-STA-3"], False)
    near = GAME.report(drawn("Ab", facts={"A": {**facts, "frozen": True}})).to_json("t")["pieces"]
    assert near["A"]["attacks"]["b"] == {"answer": "yes", "why": [], "attack": "Sword"}
    only = {"attacks": [heavy], "frozen": True}
    last = GAME.report(drawn("Ab", facts={"A": only})).to_json("t")["pieces"]
    assert last["A"]["attacks"]["b"] == {"answer": "no", "why": ["TAC-STA-3"]}
    warm = GAME.report(drawn("Ab", facts={"A": facts})).to_json("t")["pieces"]
    assert warm["A"]["attacks"]["b"]["attack"] == "Heavy"


# -- where the camera is not sure ---------------------------------------------------------------


def measured(table: BoardTable, figure: str, x: float, y: float, sigma: float) -> BoardTable:
    """The same table with one figure measured instead of placed."""
    plain = table.to_json()
    for piece in plain["pieces"]:
        if piece["id"] == figure:
            del piece["cell"]
            piece |= {"x": x, "y": y, "sigma": sigma}
    from models.field import Field

    return BoardTable.read(Field(plain, "measured"))


def test_only_what_the_spaces_disagree_on_is_unsure() -> None:
    table = measured(drawn("A....b\n......"), "b", 5 * 1.25, 0.6 * 1.25 + 0.55, 0.05)
    found = answers(table)
    assert found["A"]["sees"]["b"]["answer"] == "yes"
    far = measured(drawn("A..b.."), "b", 3.75, 0.6, 0.1)
    charge = answers(far)["A"]["charges"]["b"]
    assert charge["answer"] == "yes"
    assert answers(far)["A"]["distance_unsure"] == {"b": [2, 3]}
    edge = measured(drawn("A...b."), "b", 5 * 1.25, 0.6, 0.1)
    unsure = answers(edge)["A"]["charges"]["b"]
    assert unsure["answer"] == "unsure"
    assert 0.4 < unsure["probability"] < 0.6


def test_a_measured_figure_does_not_stand_where_it_cannot() -> None:
    table = measured(drawn("A.#.b"), "b", 3.75, 0.6, 0.1)
    assert answers(table)["A"]["distance"] == {"b": 3}


def test_only_boards_of_squares() -> None:
    with pytest.raises(CompanionError, match="'hex' is not 'square'"):
        GAME.report(BoardTable("tactics", Board("hex", 3, 3, 1.0)))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"wealth": 3}, "pieces: A: unknown key 'wealth'"),
        ({"health": 0}, "pieces: A.health: 0 is outside 1 to 20"),
        ({"attacks": [{"name": "X"}]}, "key 'dice' is missing"),
        ({"equipment": "sceptre"}, "'sceptre' is unknown"),
        ({"card": "nobody"}, "no card 'nobody'"),
        ({"size": 3}, "size: 3 is neither 1 nor 2"),
    ],
)
def test_facts_are_refused_by_name(facts: dict[str, object], message: str) -> None:
    with pytest.raises(CompanionError, match=message):
        GAME.report(drawn("....\n....\n....\nA...", facts={"A": facts}))


def test_a_named_card_gives_the_numbers() -> None:
    table = drawn("A...", facts={"A": {"card": "robert-baratheon-mounted"}})
    figure = GAME.report(table).best.by_id["A"]
    assert (figure.name, figure.spaces) == ("Robert Baratheon (mounted)", 4)


@pytest.mark.rule("TAC-TER-13")
def test_high_ground_is_unsure_where_the_spaces_disagree() -> None:
    table = measured(drawn("A^..b"), "A", 1.25, 0.6, 0.1)
    assert answers(table)["A"]["high"] == "unsure"


def test_a_bad_value_of_a_piece_names_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = {"space": "square", "columns": 4, "rows": 4, "cell": 1.25}
    piece = {"id": "b1", "side": "blue", "cell": "1,1", "spaces": -1}
    plain = {"format": "table-companion/2", "game": "tactics", "board": board, "pieces": [piece]}
    bad = tmp_path / "bad.table.json"
    bad.write_text(json.dumps(plain))
    assert main(["rules", str(bad)]) == 2
    said = f"companion: {bad}: pieces: b1.spaces: -1 is outside 0 to 12\n"
    assert capsys.readouterr().err == said
