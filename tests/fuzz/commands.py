"""Command lines: an answer, or one line on stderr and status 2; never a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
from pathlib import Path
from unittest import mock

from PIL import Image

from companion.cli import look
from companion.cli.program import main
from companion.session.game_lookup import find_screen
from models import CompanionError
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import letters

TOYS = Path(__file__).parents[1] / "toys"
NAMES = (
    *("rules", "check", "odds", "map", "play", "look", "print", "calibrate", "practice", "army"),
    *("session", "export", "report", "replay", "dice", "own", "balance"),
)
OPTIONS = (
    *("--unit", "--json", "--language", "--reading", "--hit", "--dice", "--defense", "--morale"),
    *("--edition", "--zone", "--charge", "--abilities", "--attack-mod", "--defense-mod"),
    *("--morale-mod", "--models", "--png", "--mode", "--out", "--text", "--setup", "--video"),
    *("--table", "--overlay", "--units", "--pdf", "--paper", "--size", "--ids", "--dictionary"),
    *("--mount", "--camera", "--check", "--frames", "--seconds", "--fps", "--look", "--seed"),
    *("--trays", "--tags", "--up", "--board", "--points", "--as", "--html", "--at", "--help"),
    *("--sides", "--count", "--area", "--edge", "--game", "--name", "--cell", "--practice"),
    *("--seat", "--explain", "--games", "--level", "--address", "--port"),
)
VALUES = (
    *("", " ", "-", "--", "-1", "0", "1", "2", "3", "7", "99", "1e3", "nan", "inf", "-inf", "x"),
    *("2021", "2018", "tmg-2021", "b1", "r1", "front", "de", "a=b", "=", "vicious", "1,2", "5-3"),
    *("٣", "½", "9" * 400, "a" * 5000, "\x00", "\n", "\x1b[2J", "\ud800", "é", "🂡", "1_0", "+5"),
    *("64x64", "64x99999", "0x0", "a4", "letter", "DICT_4X4_50", "plain", "rear-tab", "10-12"),
    *("two.table.json", "broken.table.json", "a.setup.toml", "list.txt", "a.png", "none.json"),
    *("folder", "pipe", "link", ".", "..", "/", "/dev/null", "new/deep/file", "x.mp4", "x.avi"),
    *("1,1,9,9", "-5,0,99999,1", "1,1/2,1=wall", "3,2=x", "unit", "plot", "thrones", "westeros"),
    *("apprentice", "127.0.0.1", "0.0.0.0", "::1", "65536", "8080", "set-up.json", "empty.json"),
    *("{x}", "%s", "*", "~", "CON", ":memory:", "file:x?mode=ro", "a" * 300, "\\", "a:b", "ids"),
)
GAMES = ("tmg-2021", "thrones", "tactics", "westeros")
HARMLESS = ("--size", "64x64", "--frames", "1", "--seconds", "0.1", "--trays", "2")


def make(dice: random.Random, folder: Path) -> list[str]:
    """Words after `companion`."""
    name = dice.choice(NAMES) if dice.random() < 0.97 else dice.choice(VALUES)
    words = [name]
    if dice.random() < 0.6:
        words += sensible(dice, name)
    for _ in range(dice.choice((0, 0, 1, 1, 2, 4))):
        match dice.randrange(6):
            case 0 | 1:
                words += [dice.choice(OPTIONS), dice.choice(VALUES)]
            case 2:
                words.append(dice.choice(VALUES))
            case 3:
                words.append(f"{dice.choice(OPTIONS)}={dice.choice(VALUES)}")
            case 4 if len(words) > 1:
                at = dice.randrange(1, len(words))
                words[at] = dice.choice((dice.choice(VALUES), letters(dice, words[at])[:5000]))
            case _ if len(words) > 1:
                del words[dice.randrange(1, len(words))]
            case _:
                words.append(dice.choice(OPTIONS))
    if name == "practice":
        words += HARMLESS  # the last one counts: no input renders large pictures
    if name == "play":
        words += ["--text"]  # never a window
    return words


def sensible(dice: random.Random, name: str) -> list[str]:
    """Arguments with which the command works."""
    table = "two.table.json"
    return {
        "rules": [table, *dice.choice(([], ["--json"], ["--unit", "b1"]))],
        "check": [table, table, "--unit", "b1"],
        "odds": "--hit 3 --dice 6 --defense 4 --morale 6 --edition 2021".split(),
        "map": [table, "--png", "a.png"],
        "play": [table],
        "look": [
            *("a.png", "--setup", "a.setup.toml"),
            *dice.choice(([], ["--explain", "a.html"], ["--overlay", "a.pdf"])),
        ],
        "print": [dice.choice(("tags", "references")), "--pdf", "a.pdf", "--ids", "1"],
        "calibrate": ["table", "a.png", "--setup", "a.setup.toml"],
        "practice": ["--out", "out"],
        "army": ["list.txt", "--edition", "2021"],
        "session": ["a.game"],
        "export": ["a.game"],
        "report": ["a.game", "--html", "a.html"],
        "replay": ["a.game"],
        "balance": [dice.choice(("set-up.json", "empty.json", "a.png", "folder"))],
        "dice": ["dice.png", "--sides", "6", "--count", "2", "--edge", "20"],
        "own": [
            dice.choice(("list", "form", "values", "enter", "paint", "import", "export", "remove")),
            dice.choice(("unit", "plot", "card", "tile", "scenario", "list.txt")),
            *("--game", dice.choice(GAMES)),
        ],
    }.get(name, [])


def prepare(folder: Path) -> None:
    """A folder with one of everything."""
    table = (TOYS / "two.table.json").read_bytes()
    (folder / "two.table.json").write_bytes(table)
    (folder / "broken.table.json").write_bytes(table[: len(table) // 2])
    (folder / "a.setup.toml").write_text('format = "table-companion/setup/1"\n')
    (folder / "set-up.json").write_text('{"game": "westeros", "battle": "nowhere"}')
    (folder / "empty.json").write_text("{}")
    (folder / "list.txt").write_text("stark;10201,20201,30201\n")
    Image.new("RGB", (64, 48), "grey").save(folder / "dice.png")
    (folder / "folder").mkdir(exist_ok=True)
    if not (folder / "pipe").exists():
        os.mkfifo(folder / "pipe")
        (folder / "link").symlink_to("/dev/full")


def undrawn(*_: object) -> None:
    """A practice photo takes seconds to draw, whatever the arguments were."""
    raise CompanionError("not drawn here")


def check(words: list[str], folder: Path) -> str:
    """Run it in a folder of its own."""
    if any(
        "://" in word or word.isdecimal() and words[0] in ("look", "calibrate") for word in words
    ):
        return "left out"  # no cameras and no network
    prepare(folder)
    return asked(words, folder)[0]


def asked(words: list[str], folder: Path, said: bytes = b"") -> tuple[str, str]:
    """How a command ends that is run in a folder with this on standard input; its answer."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.StringIO()
    before = os.getcwd()
    given = io.TextIOWrapper(io.BytesIO(said), encoding="utf-8")
    os.chdir(folder)
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            mock.patch.object(sys, "stdin", given),
            mock.patch.object(look, "practice_run", undrawn),
        ):
            try:
                status = main(words)
            except SystemExit as ended:
                status = int(ended.code or 0)
    finally:
        os.chdir(before)
    out.flush()
    told, answer = err.getvalue(), out.buffer.getvalue().decode()
    assert status in (0, 1, 2), status
    assert "Traceback" not in told, told
    assert "\x1b" not in told + answer, "a terminal escape"
    for line in told.splitlines():
        assert line.startswith("companion: "), line
        assert len(line) < 2000, f"{len(line)} letters"
    if status == 2:
        assert told, "refused without a word"
    return {0: "answered", 1: "judged", 2: "refused"}[status], answer


for game in GAMES:  # what is loaded before the limits begin does not count against an input
    find_screen(game)
FUZZER = Fuzzer("commands", make, check)
