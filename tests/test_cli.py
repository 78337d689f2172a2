"""The commands, asked about a toy game whose answers can be foretold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion import check
from companion.cli.program import main
from models import Pose, Table

TWO_UNITS = Path(__file__).parent / "toys" / "two.table.json"

pytestmark = pytest.mark.usefixtures("toy_game")

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *argv: object) -> tuple[int, str, str]:
    """Status, stdout and stderr of a command."""
    try:
        status = main([str(word) for word in argv])
    except SystemExit as stop:
        status = int(str(stop.code))
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys: Capture, *argv: object) -> str:
    """The one line with which a command refuses."""
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert err.count("\n") == 1
    return err.removeprefix("companion: ").rstrip("\n")


def saved(folder: Path, name: str, table: Table) -> Path:
    path = folder / name
    path.write_text(table.text(), encoding="utf-8")
    return path


# -- rules --------------------------------------------------------------------------------------


def test_rules_prints_one_line_of_json_per_table(capsys: Capture, tmp_path: Path) -> None:
    other = saved(tmp_path, "other.table.json", Table.load(TWO_UNITS).without("r1"))
    status, out, err = run(capsys, "rules", TWO_UNITS, other, "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert (status, err) == (0, "")
    assert (first["table"], second["table"]) == ("two.table.json", "other.table.json")
    assert first["game"] == "tmg-2021"
    assert first["units"]["b1"]["charges"]["r1"]["needs"] == 3
    assert second["units"].keys() == {"b1"}


def test_rules_of_one_unit(capsys: Capture) -> None:
    _, out, _ = run(capsys, "rules", TWO_UNITS, "--unit", "r1", "--json")
    assert list(json.loads(out)["units"]) == ["r1"]


def test_rules_as_text_tells_what_is_legal_and_what_not(capsys: Capture) -> None:
    status, out, err = run(capsys, "rules", TWO_UNITS, "--unit", "b1")
    assert (status, err) == (0, "")
    assert out.splitlines()[:5] == [
        "two.table.json: tmg-2021",
        "b1",
        "  charges",
        "    r1",
        "      answer: yes",
    ]
    assert "    retreat\n      answer: no\n      why: TOY-3\n" in out
    assert "\nr1" not in out


def test_a_reading_changes_the_answer(capsys: Capture) -> None:
    _, out, _ = run(capsys, "rules", TWO_UNITS, "--reading", "reach=5", "--json")
    assert json.loads(out)["units"]["b1"]["charges"]["r1"]["why"] == ["TOY-1"]
    _, out, _ = run(capsys, "rules", TWO_UNITS, "--reading", "reach=5")
    assert "      why: TOY-1\n" in out


def test_an_unknown_reading_is_refused(capsys: Capture) -> None:
    said = refused(capsys, "rules", TWO_UNITS, "--reading", "reech=5")
    assert said == f"{TWO_UNITS}: no reading 'reech'; there is: reach"


def test_a_bad_file_does_not_stop_the_others(capsys: Capture, tmp_path: Path) -> None:
    bad = tmp_path / "bad.table.json"
    bad.write_text("{")
    gone = tmp_path / "gone.table.json"
    status, out, err = run(capsys, "rules", bad, TWO_UNITS, gone, TWO_UNITS, "--json")
    assert status == 2
    assert [json.loads(line)["table"] for line in out.splitlines()] == [TWO_UNITS.name] * 2
    complaints = err.splitlines()
    assert len(complaints) == 2
    assert complaints[0].startswith(f"companion: {bad}: line 1 column 2: not JSON")
    assert complaints[1] == f"companion: {gone}: cannot be read: No such file or directory"


def test_an_unknown_unit_is_refused_with_the_file_and_the_known_ones(capsys: Capture) -> None:
    said = refused(capsys, "rules", TWO_UNITS, "--unit", "b9")
    assert said == f"{TWO_UNITS}: no unit 'b9' on the table; there are: b1, r1"


# -- check --------------------------------------------------------------------------------------


def moved(folder: Path, inches: float) -> Path:
    table = Table.load(TWO_UNITS)
    return saved(folder, "after.table.json", table.moved("b1", Pose(14, 16 + inches, 90)))


def test_check_names_the_actions_that_explain_a_move(capsys: Capture, tmp_path: Path) -> None:
    status, out, err = run(capsys, "check", TWO_UNITS, moved(tmp_path, 4), "--unit", "b1", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {"march": {"answer": "yes", "why": [], "over": 0.0}}


def test_check_as_text_says_by_how_much(capsys: Capture, tmp_path: Path) -> None:
    _, out, _ = run(capsys, "check", TWO_UNITS, moved(tmp_path, 6.25), "--unit", "b1")
    assert out == "march:     no (it is too far, TOY-4; 1.25″ over)\n"


def test_check_wants_the_unit_on_both_tables(capsys: Capture, tmp_path: Path) -> None:
    after = saved(tmp_path, "after.table.json", Table.load(TWO_UNITS).without("b1"))
    said = refused(capsys, "check", TWO_UNITS, after, "--unit", "b1")
    assert said == f"{after}: no unit 'b1' on the table; there are: r1"


def test_check_wants_one_game(capsys: Capture, tmp_path: Path) -> None:
    plain = Table.load(TWO_UNITS).to_json()
    after = tmp_path / "after.table.json"
    after.write_text(json.dumps({**plain, "game": "tmg-2018"}))
    said = refused(capsys, "check", TWO_UNITS, after, "--unit", "b1")
    assert said == f"{after}: game: 'tmg-2018' is not 'tmg-2021' as before"


def test_check_judges_a_unit_that_ends_on_another(capsys: Capture, tmp_path: Path) -> None:
    """Such an end is a move to be judged; such a beginning, or two others so, is no table."""
    table = Table.load(TWO_UNITS)
    on_it = saved(tmp_path, "on.table.json", table.moved("b1", table.unit("r1").pose))
    status, out, err = run(capsys, "check", TWO_UNITS, on_it, "--unit", "b1", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["march"]["answer"] == "no"
    library = check(table, Table.load(on_it, moved="b1"), "b1")
    assert not library["march"], "the library judges it as the command line does"
    assert "overlaps" in refused(capsys, "check", on_it, TWO_UNITS, "--unit", "b1")
    third = replace(table.unit("b1"), id="b9", pose=Pose(40, 40, 90))
    three = saved(tmp_path, "three.table.json", replace(table, units=(*table.units, third)))
    spoilt = Table.load(on_it, moved="b1")
    both = saved(tmp_path, "both.table.json", replace(spoilt, units=(*spoilt.units, third)))
    assert "overlaps" in refused(capsys, "check", three, both, "--unit", "b9")


# -- odds ---------------------------------------------------------------------------------------

ATTACK = ("odds", "--dice", "7")


def test_odds_as_json(capsys: Capture) -> None:
    status, out, err = run(capsys, *ATTACK, "--edition", "2021", "--left", "12", "--json")
    assert (status, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    assert answer["mean"] == 3.5
    assert answer["destroys"] == 0.25


def test_odds_as_text(capsys: Capture) -> None:
    _, out, _ = run(capsys, *ATTACK, "--game", "tmg-2021", "--left", "12")
    assert out.splitlines() == [
        "3.50 wounds on average",
        "   0 wounds   50.00%",
        "   7 wounds   50.00%",
        "destroys 25.00%",
    ]


def test_every_option_of_a_game_reaches_its_odds(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion import games

    asked: list[tuple[str, Any]] = []
    toy = games.find("tmg-2018")
    answer = toy.odds

    def listening(game: str, question: Any) -> Any:
        asked.append((game, question))
        return answer(game, question)

    monkeypatch.setattr(type(toy), "odds", staticmethod(listening))
    flags = "--edition 2018 --side far --bold --luck Much,more --left 5 --json"
    assert run(capsys, *ATTACK, *flags.split())[0] == 0
    wanted = {"dice": 7, "side": "far", "bold": True, "luck": ("much", "more"), "left": 5}
    assert asked == [("tmg-2018", wanted)]


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--dice", "seven"], "argument --dice: 'seven' is not a whole number"),
        (["--dice", "1e999"], "argument --dice: '1e999' is not a whole number"),
        (["--dice", "61"], "argument --dice: '61' is outside 0 to 60"),
        (["--edition", "1999"], "no edition '1999'; there are: 2018, 2021"),
        (["--side", "above"], "argument --side: invalid choice: 'above'"),
        (["--luck", "lucky"], "no luck 'lucky'"),
        (["--left", "0"], "argument --left: '0' is outside 1 to 200"),
        (["--dice"], "argument --dice: expected one argument"),
        (["--edit", "2021"], "unrecognized arguments: --edit 2021"),
        (["--hit", "4"], "unrecognized arguments: --hit 4"),
    ],
)
def test_bad_odds_are_refused(capsys: Capture, flags: list[str], complaint: str) -> None:
    assert refused(capsys, *ATTACK, "--edition", "2021", *flags).startswith(complaint)


def test_odds_name_their_game(capsys: Capture) -> None:
    assert refused(capsys, "odds").startswith("the following arguments are required: --edition")
    assert refused(capsys, "odds", "--dice", "7").startswith(
        "the following arguments are required: --edition"
    )
    assert refused(capsys, "odds", "--game", "chess").startswith("no rules for game 'chess'")
    assert refused(capsys, "odds", "--game", "hexes") == "hexes has no odds"


# -- map and play -------------------------------------------------------------------------------


def test_map_writes_a_picture(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "map.png"
    assert run(capsys, "map", TWO_UNITS, "--png", out, "--unit", "b1") == (0, "", "")
    with Image.open(out) as picture:
        assert picture.format == "PNG"
        assert min(picture.size) >= 600
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--unit", "b9"], "no unit 'b9' on the table"),
        (["--mode", "NONE"], "no mode 'NONE'"),
        (["--reading", "x"], "no reading 'x'"),
    ],
)
def test_a_map_that_cannot_be_drawn_leaves_the_old_one(
    capsys: Capture, tmp_path: Path, flags: list[str], complaint: str
) -> None:
    out = tmp_path / "map.png"
    out.write_bytes(b"the old map")
    assert complaint in refused(capsys, "map", TWO_UNITS, "--png", out, *flags)
    assert out.read_bytes() == b"the old map"
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


def test_a_map_that_fails_half_way_leaves_the_old_one(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(scene: object, path: Path) -> None:
        path.write_bytes(b"half a m")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.overlay.picture.paint", full)
    out = tmp_path / "map.png"
    out.write_bytes(b"the old map")
    said = refused(capsys, "map", TWO_UNITS, "--png", out)
    assert said == f"{out}: cannot be written: No space left on device"
    assert out.read_bytes() == b"the old map"
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


def test_a_map_never_replaces_its_table(capsys: Capture, tmp_path: Path) -> None:
    table = saved(tmp_path, "a.table.json", Table.load(TWO_UNITS))
    before = table.read_bytes()
    link = tmp_path / "link.png"
    link.symlink_to(table)
    for out in (table, link):
        assert "is read here" in refused(capsys, "map", table, "--png", out)
    assert table.read_bytes() == before


@pytest.mark.parametrize(
    ("place", "complaint"),
    [(".", "it is not a file"), ("no/such/folder.png", "No such file or directory")],
)
def test_a_place_that_cannot_be_written_is_refused(
    capsys: Capture, tmp_path: Path, place: str, complaint: str
) -> None:
    said = refused(capsys, "map", TWO_UNITS, "--png", tmp_path / place)
    assert said == f"{tmp_path / place}: cannot be written: {complaint}"


@pytest.mark.slow
def test_play_tells_the_practice_table_and_draws_it(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "play", "--text")
    assert (status, err) == (0, "")
    assert out.startswith("practice.table.json: tmg-2021\n")
    assert "    march\n      answer: yes\n" in out
    assert out.endswith("map: out/practice.png\n")
    assert (tmp_path / "out/practice.png").stat().st_size > 1000


def test_play_wants_a_folder(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    status, _, err = run(capsys, "play", "--text", TWO_UNITS, "--out", file)
    assert (status, err) == (2, f"companion: {file}: File exists\n")


@pytest.mark.parametrize("more", [(), ("--game", "thrones")])
def test_phones_are_served_no_folder(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(capsys, "serve", ".", *more) == ".: is a folder, not a game's file"
