"""Whatever is wrong with a table file: one line that names the file, the place and the value."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from models import BadInput, Table, field
from models.field import MAX_FILE_BYTES
from tests.models.sample import sample

MISSING = object()
ROOT = Path(__file__).parents[2]


def spoiled(way: str, value: Any) -> str:
    """The sample with one value set (or, with MISSING, taken away): `units.0.tray.width`."""
    table = sample()
    *steps, last = [int(step) if step.isdigit() else step for step in way.split(".")]
    here: Any = table
    for step in steps:
        here = here[step]
    if value is MISSING:
        del here[last]
    else:
        here[last] = value
    return json.dumps(table)


def refusal(text: str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        Table.parse(text, "a.table.json")
    said = str(caught.value)
    assert said.startswith("a.table.json: ")
    assert "\n" not in said
    assert len(said) < 400
    return caught.value


def test_the_sample_itself_is_sound() -> None:
    table = Table.parse(json.dumps(sample()))
    assert Table.parse(table.text()) == table


BOW_TIE = [[0, 0], [4, 4], [4, 0], [0, 4]]

WRONG_VALUES = [
    # the table as a whole
    ("format", MISSING, "", "key 'format' is missing"),
    ("format", "table-companion/2", "format", "'table-companion/2' is not 'table-companion/1'"),
    ("format", 1, "format", "1 is not a text"),
    ("game", MISSING, "", "key 'game' is missing"),
    ("game", "tmg-2019", "game", "'tmg-2019' is unknown; known: "),
    ("game", "../data", "game", "'../data' is unknown; known: "),
    ("game", "", "game", "is empty"),
    ("game", ["tmg-2021"], "game", "['tmg-2021'] is not a text"),
    ("colour", "red", "", "unknown key 'colour'"),
    ("col\nour", "red", "", r"unknown key 'col\nour'"),
    ("c" * 500, "red", "", "unknown key 'cccc"),
    ("mode", "", "mode", "is empty"),
    ("mode", "G" * 21, "mode", "is longer than 20 characters"),
    ("table", [48, 48], "table", "[48, 48] is not an object"),
    ("table.width", 11, "table.width", "11 is outside 12 to 144"),
    ("table.depth", 1e9, "table.depth", "1000000000.0 is outside 12 to 144"),
    ("table.depth", MISSING, "table", "key 'depth' is missing"),
    ("table.height", 3, "table", "unknown key 'height'"),
    # units
    ("units", MISSING, "", "key 'units' is missing"),
    ("units", {}, "units", "{} is not a list"),
    ("units", None, "units", "None is not a list"),
    ("units", [{}] * 101, "units", "has 101 entries, expected 0 to 100"),
    ("units.0", None, "units[0]", "None is not an object"),
    ("units.1", [], "units[1]", "[] is not an object"),
    ("units.0.color", 1, "units[0]", "unknown key 'color'"),
    ("units.0.id", MISSING, "units[0]", "key 'id' is missing"),
    ("units.0.id", 7, "units[0].id", "7 is not a text"),
    ("units.0.id", "  ", "units[0].id", "is empty"),
    ("units.0.id", "a\nb", "units[0].id", r"'a\nb' holds unprintable characters"),
    ("units.0.id", "\ud800", "units[0].id", r"'\ud800' holds unprintable characters"),
    ("units.0.id", "x" * 61, "units[0].id", "is longer than 60 characters"),
    ("units.1.id", "b1", "units[1].id", "'b1' stands twice"),
    ("units.0.side", MISSING, "units[0]", "key 'side' is missing"),
    ("units.0.side", None, "units[0].side", "None is not a text"),
    ("units.0.name", "", "units[0].name", "is empty"),
    ("units.0.x", MISSING, "units[0]", "key 'x' is missing"),
    ("units.0.x", "left", "units[0].x", "'left' is not a number"),
    ("units.0.x", True, "units[0].x", "True is not a number"),
    ("units.0.x", math.nan, "units[0].x", "nan is not a finite number"),
    ("units.0.y", -math.inf, "units[0].y", "-inf is not a finite number"),
    ("units.0.y", 10**400, "units[0].y", "is too large"),
    ("units.0.x", 1e300, "units[0].x", "1e+300 is outside -240 to 240"),
    ("units.0.heading", 1e6, "units[0].heading", "1000000.0 is outside -36000 to 36000"),
    ("units.0.speed", -1, "units[0].speed", "-1 is outside 0 to 24"),
    ("units.0.speed", 5.5, "units[0].speed", "5.5 is not a whole number"),
    ("units.0.defense", 0, "units[0].defense", "0 is outside 1 to 7"),
    ("units.0.morale", 14, "units[0].morale", "14 is outside 1 to 13"),
    ("units.0.models", 61, "units[0].models", "61 is outside 0 to 60"),
    ("units.0.models", "12", "units[0].models", "'12' is not a number"),
    ("units.0.wounds", -1, "units[0].wounds", "-1 is outside 0 to 60"),
    # trays
    ("units.0.tray", MISSING, "units[0]", "key 'tray' is missing"),
    ("units.0.tray", "Infantry", "units[0].tray", "'Infantry' is unknown; known: cavalry, infa"),
    ("units.0.tray", 5, "units[0].tray", "5 is not an object"),
    ("units.1.tray.width", 0, "units[1].tray.width", "0 is outside 0.25 to 24"),
    ("units.1.tray.depth", -3.5, "units[1].tray.depth", "-3.5 is outside 0.25 to 24"),
    ("units.1.tray.depth", MISSING, "units[1].tray", "key 'depth' is missing"),
    ("units.1.tray.arc", 90, "units[1].tray.arc", "90 is outside 1 to 89"),
    ("units.1.tray.height", 1, "units[1].tray", "unknown key 'height'"),
    # poses
    ("units.0.sigma", 0.1, "units[0].sigma", "0.1 is not an object"),
    ("units.0.sigma.xy", -0.1, "units[0].sigma.xy", "-0.1 is outside 0 to 12"),
    ("units.0.sigma.heading", 91, "units[0].sigma.heading", "91 is outside 0 to 90"),
    ("units.0.sigma.z", 1, "units[0].sigma", "unknown key 'z'"),
    # attacks
    ("units.0.attacks", {}, "units[0].attacks", "{} is not a list"),
    ("units.0.attacks.0", "Bow", "units[0].attacks[0]", "'Bow' is not an object"),
    ("units.0.attacks.0.kind", "ranged", "units[0].attacks[0].kind", "'ranged' is unknown; known"),
    ("units.0.attacks.0.hit", "4+", "units[0].attacks[0].hit", "'4+' is not a number"),
    ("units.0.attacks.0.hit", 8, "units[0].attacks[0].hit", "8 is outside 1 to 7"),
    ("units.0.attacks.0.dice", [], "units[0].attacks[0].dice", "has 0 entries, expected 1 to 6"),
    ("units.0.attacks.0.dice", 7, "units[0].attacks[0].dice", "7 is not a list"),
    ("units.0.attacks.0.dice.2", "-", "units[0].attacks[0].dice[2]", "'-' is not a number"),
    ("units.0.attacks.0.dice.0", 61, "units[0].attacks[0].dice[0]", "61 is outside 0 to 60"),
    ("units.0.attacks.0.abilities.0", 3, "units[0].attacks[0].abilities[0]", "3 is not a text"),
    ("units.0.attacks.1.range", 6, "units[0].attacks[1]", "unknown key 'range'"),
    ("units.0.attacks.1.name", MISSING, "units[0].attacks[1]", "key 'name' is missing"),
    # overlaps
    ("units.1.y", 12.0, "units[1]", "tray of 'r1' overlaps that of 'b1' by 2.15 in"),
    ("units.1.y", 10.0, "units[1]", "tray of 'r1' overlaps that of 'b1' by 4.15 in"),
    # terrain
    ("terrain", {}, "terrain", "{} is not a list"),
    ("terrain.0.piece", "wall", "terrain[0].piece", "'wall' is unknown; known: bog, castle-wall"),
    ("terrain.0.piece", MISSING, "terrain[0]", "needs either 'piece' or 'keywords'"),
    ("terrain.0.keywords", ["rough"], "terrain[0]", "needs either 'piece' or 'keywords'"),
    ("terrain.1.keywords.1", "wet", "terrain[1].keywords[1]", "'wet' is unknown; known: blocks-"),
    ("terrain.1.keywords", "rough", "terrain[1].keywords", "'rough' is not a list"),
    ("terrain.1.id", "t1", "terrain[1].id", "'t1' stands twice"),
    ("terrain.1.height", 1, "terrain[1]", "unknown key 'height'"),
    ("terrain.0.outline", MISSING, "terrain[0]", "key 'outline' is missing"),
    ("terrain.0.outline", [[0, 0], [1, 0]], "terrain[0].outline", "has 2 entries, expected 3 to"),
    ("terrain.0.outline", [[0, 0]] * 4, "terrain[0].outline", "has fewer than three different"),
    ("terrain.0.outline", BOW_TIE, "terrain[0].outline", "crosses itself: its sides 0 and 2 meet"),
    ("terrain.0.outline", [[0, 0], [9, 0], [4, 0]], "terrain[0].outline", "crosses itself"),
    ("terrain.0.outline", [[0, 0], [9, 0], [4, 0], [4, 4]], "terrain[0].outline", "crosses itsel"),
    ("terrain.0.outline", [[0, 0], [9, 0], [9, 9], [4, 0], [0, 9]], "terrain[0].outline",
     "crosses itself"),
    ("terrain.0.outline", [[0, 0], [9, 0], [9, 9], [0, 0], [0, 9]], "terrain[0].outline",
     "crosses itself"),
    ("terrain.0.outline", [[0, 0], [1e-3, 0], [0, 1e-3]], "terrain[0].outline", "encloses no are"),
    ("terrain.0.outline.1", [26, 20, 0], "terrain[0].outline[1]", "has 3 entries, expected 2 to 2"),
    ("terrain.0.outline.1", "26,20", "terrain[0].outline[1]", "'26,20' is not a list"),
    ("terrain.0.outline.1.0", None, "terrain[0].outline[1][0]", "None is not a number"),
    ("terrain.0.outline.1.0", 241, "terrain[0].outline[1][0]", "241 is outside -240 to 240"),
    # objectives
    ("objectives", 3, "objectives", "3 is not a list"),
    ("objectives.0.radius", 0, "objectives[0].radius", "0 is outside 0.05 to 6"),
    ("objectives.0.x", MISSING, "objectives[0]", "key 'x' is missing"),
    ("objectives.1.id", "o1", "objectives[1].id", "'o1' stands twice"),
    ("tokens", [], "tokens", "'objectives' stands twice"),
    ("objectives.1.colour", "o1", "objectives[1]", "unknown key 'colour'"),
]  # fmt: skip


@pytest.mark.parametrize(("way", "value", "place", "problem"), WRONG_VALUES)
def test_wrong_values(way: str, value: Any, place: str, problem: str) -> None:
    error = refusal(spoiled(way, value))
    assert error.place == place
    assert problem in error.problem


SOUND = json.dumps(sample())

WRONG_TEXTS = [
    ("", "line 1 column 1", "not JSON: Expecting value"),
    ("{", "line 1 column 2", "not JSON: "),
    ('{\n"units": [,]}', "line 2 column 11", "not JSON: Expecting value"),
    ("units: []", "line 1 column 1", "not JSON: Expecting value"),
    (SOUND[:-1], f"line 1 column {len(SOUND)}", "not JSON: "),
    (SOUND + "}", f"line 1 column {len(SOUND) + 1}", "not JSON: Extra data"),
    ("[]", "", "[] is not an object"),
    ("null", "", "None is not an object"),
    ("3", "", "3 is not an object"),
    ("NaN", "", "nan is not a finite number"),
    (SOUND.replace('"x": 12.0', '"x": NaN', 1), "units[0].x", "nan is not a finite number"),
    (SOUND.replace('"x": 12.0', '"x": Infinity', 1), "units[0].x", "inf is not a finite number"),
    (SOUND.replace('"x": 12.0', '"x": 1e999', 1), "units[0].x", "inf is not a finite number"),
    (SOUND.replace('"x": 12.0', '"x": 1' + "0" * 5000, 1), "", "not JSON: Exceeds the limit"),
    (SOUND.replace('"red"', '"red", "x": 1', 1), "units[1]", "key 'x' stands twice"),
    ('{"a": 1, "a": 1}', "", "key 'a' stands twice in one object"),
    ('{"a\\n": [{"b": 1, "b": 2}]}', r"'a\n'[0]", "key 'b' stands twice in one object"),
    ("[" * 100_000, "", "nested too deeply"),
    ('{"a":' * 100_000, "", "nested too deeply"),
    (SOUND.replace('"tmg-2021"', "[" * 400 + "]" * 400), "game", "[[[[["),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "problem"), WRONG_TEXTS, ids=[text[2] for text in WRONG_TEXTS]
)
def test_wrong_texts(text: str, place: str, problem: str) -> None:
    error = refusal(text)
    assert error.place == place
    assert problem in error.problem


# -- files --------------------------------------------------------------------------------------


def load_refusal(path: Path) -> str:
    with pytest.raises(BadInput) as caught:
        Table.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    return said.removeprefix(f"{path}: ")


def test_missing_file(tmp_path: Path) -> None:
    said = load_refusal(tmp_path / "none.table.json")
    assert said == "cannot be read: No such file or directory"


def test_directory(tmp_path: Path) -> None:
    assert load_refusal(tmp_path) == "cannot be read: Is a directory"


def test_not_a_name_at_all() -> None:
    with pytest.raises(BadInput, match="cannot be read: embedded null byte"):
        Table.load("a\0b")


def test_name_too_long(tmp_path: Path) -> None:
    assert load_refusal(tmp_path / ("a" * 5000)) == "cannot be read: File name too long"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_forbidden(tmp_path: Path) -> None:
    path = tmp_path / "a.table.json"
    path.write_text(SOUND, encoding="utf-8")
    path.chmod(0)
    assert load_refusal(path) == "cannot be read: Permission denied"


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.table.json"
    path.write_bytes(SOUND.replace("blue", "bl\xfce").encode("latin-1"))
    assert load_refusal(path).endswith(": is not UTF-8 text")
    path.write_bytes(SOUND.encode("utf-16"))
    assert load_refusal(path) == "byte 0: is not UTF-8 text"


def test_a_mark_in_front_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.table.json"
    path.write_bytes(SOUND.encode("utf-8-sig"))
    assert Table.load(path) == Table.parse(SOUND)


def test_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.table.json"
    path.write_bytes(b" " * (MAX_FILE_BYTES + 1))
    assert load_refusal(path) == "is larger than 8 MiB"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_an_endless_device() -> None:
    assert load_refusal(Path("/dev/zero")) == "is larger than 8 MiB"


def test_a_large_honest_table_is_read_in_time() -> None:
    """100 units and 300 corners of terrain: the limits themselves must not hang."""
    table = sample()
    unit = {"side": "blue", "tray": "solo", "heading": 0, "attacks": []}
    table["units"] = [{**unit, "id": str(n), "x": n % 20 * 3, "y": n // 20 * 3} for n in range(100)]
    table["terrain"] = [stars(n, 4) for n in range(75)]
    read = Table.parse(json.dumps(table))
    assert (len(read.units), len(read.terrain)) == (100, 75)
    table["units"].append({**unit, "id": "100", "x": 0, "y": 15})
    with pytest.raises(BadInput, match="units: has 101 entries, expected 0 to 100"):
        Table.parse(json.dumps(table))


def stars(number: int, corners: int) -> dict[str, Any]:
    """A jagged piece of terrain."""
    turns = [(n / corners * math.tau, 3 + n % 2) for n in range(corners)]
    outline = [[24 + far * math.cos(turn), 24 + far * math.sin(turn)] for turn, far in turns]
    return {"id": str(number), "piece": "bog", "outline": outline}


def test_more_terrain_than_lines_of_sight_can_be_found_for_is_refused() -> None:
    table = sample()
    table["terrain"] = [stars(n, 30) for n in range(10)]
    assert len(Table.parse(json.dumps(table)).terrain) == 10
    table["terrain"].append(stars(10, 3))
    with pytest.raises(BadInput, match="terrain: has 303 corners in all, at most 300 are allowed"):
        Table.parse(json.dumps(table))
    table["terrain"] = [stars(0, 61)]
    with pytest.raises(BadInput, match=r"terrain\[0\].outline: has 61 entries, expected 3 to 60"):
        Table.parse(json.dumps(table))


def test_a_pipe_without_a_writer_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    began = time.monotonic()
    with pytest.raises(BadInput, match="pipe: cannot be read: nothing comes through this pipe"):
        Table.load(path)
    assert time.monotonic() - began < 1


def test_a_table_may_come_through_a_pipe_in_pieces() -> None:
    text = (ROOT / "tests/toys/two.table.json").read_bytes()
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb", buffering=0) as file:
            for place in range(0, len(text), 200):
                time.sleep(0.01)
                file.write(text[place : place + 200])

    thread = threading.Thread(target=write)
    thread.start()
    assert Table.load(f"/dev/fd/{reading}") == Table.load(ROOT / "tests/toys/two.table.json")
    thread.join()
    os.close(reading)


def test_a_silent_pipe_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field, "PATIENCE_S", 0.1)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    keep = os.open(path, os.O_RDWR)
    with pytest.raises(BadInput, match="pipe: cannot be read: nothing comes through this pipe"):
        Table.load(path)
    os.close(keep)
