"""Files of the players' own cards: two different cards never share one, and nothing is lost."""

from __future__ import annotations

import io
import os
import random
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main as command
from companion.games.api.card_form import CardForms
from companion.games.shared.own_files import file_stem, own_folder, save_own
from companion.games.tactics.screen import SCREEN as TACTICS
from companion.games.thrones.screen import SCREEN as THRONES
from companion.games.westeros.screen import SCREEN as WESTEROS
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from models.atomic_write import key, toml
from models.message import CompanionError
from tests.play.played_games import played

LONG = "x" * 60
TWINS = (
    *("my-1", "my 1", "MY-1", "My_1", "my--1", "my-1-", " my-1", "my.1", "my/1", "../my-1"),
    *("й", "и", "й".upper(), unicodedata.normalize("NFD", "й"), "é", "e", "ς", "σ", "ß", "ss"),
    *(f"{LONG[:39]}a", f"{LONG[:39]}b", "con", "CON", "my-1~8109baa3a70cee25", "~", "figure-my-1"),
    *("ﬁ", "fi", "İ", "i", "ı", "𝒶", "a", ".", "*", "[a]", "?"),
)


@dataclass(frozen=True)
class Own:
    """The forms of a game, a kind of card, a card as a file, and how its number is asked for."""

    forms: CardForms
    folder: str
    kind: str
    text: Callable[[str, str, int], str]
    number: Callable[[Any], Any]


def figure(card: str, name: str, number: int) -> str:
    head = f'format = "table-companion/tactics-cards/1"\n\n[[figure]]\nid = {toml(card)}\n'
    return head + f'name = {toml(name)}\nfaction = "Stark"\nwill = {number}\n'


def character(card: str, name: str, number: int) -> str:
    head = f'format = "table-companion/thrones-cards/1"\n\n[character.{key(card)}]\n'
    return head + f'name = {toml(name)}\nfaction = "stark"\nstrength = {number}\n'


def unit(card: str, name: str, number: int) -> str:
    head = f'format = "table-companion/westeros-cards/1"\n\n[[unit]]\nid = {toml(card)}\n'
    return head + f'name = {toml(name)}\nhouse = "stark"\nclass = "foot"\nstrength = {number}\n'


GAMES = {
    "tactics": Own(
        TACTICS.card_forms("tactics"), "tactics-cards", "figure", figure, lambda v: v["will"]
    ),
    "thrones": Own(
        THRONES.card_forms("thrones"), "thrones-cards", "character", character,
        lambda v: v["strength"],
    ),
    "westeros": Own(
        WESTEROS.card_forms("westeros"), "westeros-cards", "unit", unit, lambda v: v["strength"]
    ),
}  # fmt: skip
EVERY_GAME = pytest.mark.parametrize("own", GAMES.values(), ids=GAMES)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def number_of(own: Own, card: str) -> Any:
    return own.number(own.forms.form_values(own.kind, card))


@pytest.mark.slow
@EVERY_GAME
def test_different_ids_never_share_a_file(own: Own) -> None:
    for at, card in enumerate(TWINS):
        imported = own.forms.import_forms(own.text(card, f"Card {at}", 2 + at % 4), "a.toml")
        assert imported.replaced == (), card
    assert [number_of(own, card) for card in TWINS] == [2 + at % 4 for at in range(len(TWINS))]
    names = [path.name for path in own_folder(own.folder).iterdir()]
    folded = {unicodedata.normalize("NFKC", name).casefold() for name in names}
    assert len(folded) == len(names) == len(TWINS), "they differ where letters are folded too"
    for card in TWINS:
        assert own.forms.remove_form(own.kind, card), card
    assert list(own_folder(own.folder).iterdir()) == []


@EVERY_GAME
def test_an_import_over_another_card_says_so(own: Own) -> None:
    assert own.forms.import_forms(own.text("mine", "Old", 3), "a.toml").replaced == ()
    assert own.forms.import_forms(own.text("mine", "Old", 3), "a.toml").replaced == ()
    imported = own.forms.import_forms(own.text("mine", "New", 4), "a.toml")
    assert (imported.names, imported.replaced) == (("New",), ("Old",))
    assert number_of(own, "mine") == 4


@EVERY_GAME
def test_files_of_earlier_versions_are_read_replaced_and_removed(own: Own) -> None:
    folder = own_folder(own.folder)
    folder.mkdir()
    stem = "my-1" if own.kind == "figure" else f"{own.kind}-my-1"
    (folder / f"{stem}.toml").write_text(own.text("My 1", "Old", 3), encoding="utf-8")
    assert number_of(own, "My 1") == 3
    own.forms.import_forms(own.text("my-1", "Other", 5), "a.toml")
    assert (number_of(own, "My 1"), number_of(own, "my-1")) == (3, 5)
    own.forms.import_forms(own.text("My 1", "New", 4), "a.toml")
    assert (number_of(own, "My 1"), number_of(own, "my-1")) == (4, 5)
    assert len(list(folder.iterdir())) == 2
    assert own.forms.remove_form(own.kind, "My 1")
    assert number_of(own, "my-1") == 5
    assert own.forms.remove_form(own.kind, "my-1")
    assert list(folder.iterdir()) == []


@EVERY_GAME
def test_a_file_of_several_cards_is_never_overwritten_and_an_edit_counts(own: Own) -> None:
    folder = own_folder(own.folder)
    folder.mkdir()
    pack = folder / f"{own.kind}-zeal.toml"
    several = own.text("zeal", "One", 3) + own.text("zest", "Two", 3).split("\n", 1)[1]
    pack.write_text(several, encoding="utf-8")
    own.forms.import_forms(own.text("zeal", "One", 5), "a.toml")
    own.forms.import_forms(own.text("zest", "Two", 4), "a.toml")
    assert (number_of(own, "zeal"), number_of(own, "zest")) == (5, 4)
    assert pack.read_text(encoding="utf-8") == several
    assert own.forms.remove_form(own.kind, "zeal")
    assert pack.read_text(encoding="utf-8") == several
    assert number_of(own, "zeal") == 3


@EVERY_GAME
def test_a_file_that_cannot_be_read_is_put_aside_not_overwritten(own: Own) -> None:
    folder = own_folder(own.folder)
    folder.mkdir()
    torn = own.text("mine", "Torn", 3)[:-3] + '"'
    (folder / f"{own.kind}-mine.toml").write_text(torn, encoding="utf-8")
    own.forms.import_forms(own.text("mine", "New", 4), "a.toml")
    assert number_of(own, "mine") == 4
    aside = folder / f"{own.kind}-mine.toml.damaged-1"
    assert aside.read_text(encoding="utf-8") == torn


NEW: dict[str, dict[str, Any]] = {
    "tactics": {"faction": "Stark", "will": 4},
    "thrones": {"faction": "stark", "strength": 4},
    "westeros": {"house": "stark", "class": "foot", "strength": 4},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_new_card_takes_no_other_cards_place_but_its_own_after_saying_so(game: str) -> None:
    forms, kind, values = GAMES[game].forms, GAMES[game].kind, NEW[game]
    names = ("й", "и", "Ser Jón", "Ser Jon", "ser jon!", f"{LONG}a", f"{LONG}b")
    cards = [forms.save_form(kind, {**values, "name": name}) for name in names]
    assert len(set(cards)) == len(names)
    own = {card.name for card in forms.form_cards(kind) if card.own}
    assert own == set(names)
    again = {**values, "name": "Ser Jon"}
    asked = [one.text for one in forms.form_problems(kind, again) if one.field == "name"]
    assert asked == ["Ser Jon is there already and will be replaced"]
    assert forms.save_form(kind, again) == cards[3]


def test_the_same_name_from_two_packs_is_two_cards() -> None:
    forms = THRONES.card_forms("thrones")
    packs = [
        forms.save_form("event", {"name": "Trick", "faction": "stark", "pack": pack, "cost": cost})
        for cost, pack in enumerate(("Ours", "Theirs"))
    ]
    assert [forms.form_values("event", card)["cost"] for card in packs] == [0, 1]


def test_new_boards_of_one_name_are_two_boards() -> None:
    for screen, game in ((TACTICS, "tactics"), (WESTEROS, "westeros")):
        editor = screen.board_editor(game)
        plans = [editor.save_plan("", "New board", editor.plan_board("")) for _ in range(2)]
        assert len(set(plans)) == 2, game


def test_a_folder_in_the_way_is_no_card(home: Path) -> None:
    (home / "thrones-cards" / "event-own-x.toml").mkdir(parents=True)
    save_own("thrones-cards", "event", "own-x", "format = 1\n")
    assert len(list((home / "thrones-cards").glob("event-own-x~*.toml"))) == 1


def test_names_fit_every_file_system() -> None:
    for card in (*TWINS, "字" * 200, "\ud800", "😀" * 90):
        assert len(f"character-{file_stem(card)}-999.toml".encode("utf-8", "replace")) <= 255


def test_more_than_a_folder_may_hold_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.games.shared import own_files
    from companion.games.thrones.cards.catalogue import broken_cards, card_catalogue

    save_own("thrones-cards", "event", "own-a", character("own-a", "A", 1))
    monkeypatch.setattr(own_files, "MOST_BYTES", 10)
    assert not card_catalogue().own
    (error,) = broken_cards().values()
    assert isinstance(error, CompanionError)
    assert "the folder holds more than" in str(error)


def begin(game: str, folder: Path) -> dict[str, Any]:
    with Session.open(folder / "a.game") as session:
        return dict(session.answer(played(game).set_up(random.Random(1))))


@pytest.mark.parametrize(
    ("game", "place"),
    [
        ("tactics", "tactics-cards"),
        ("tactics", "tactics-scenarios"),
        ("westeros", "westeros-cards"),
        ("thrones", "thrones-cards"),
        ("thrones", "thrones-titles"),
    ],
)
def test_a_locked_folder_is_named_and_stops_nothing(
    game: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cards were gone without a word, and the shipped numbers counted instead."""
    folder, listed = own_folder(place), os.listdir

    def locked(path: Path) -> list[str]:
        if path == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr("os.listdir", locked)
    assert begin(game, tmp_path)["ok"]
    steps = find_screen(game).steps(game, {})
    told = [one for step in steps for one in step.problems if place in one.text]
    assert [str(one.text).endswith("cannot be read: Permission denied") for one in told] == [True]
    assert not any(one.stops for one in told)


@pytest.mark.parametrize(
    ("game", "place", "used"),
    [
        ("tactics", "tactics-cards", "figure-sample-guard"),
        ("tactics", "tactics-scenarios", "scenario-sample-crossing"),
        ("westeros", "westeros-cards", "battle-sample-ford"),
        ("thrones", "thrones-cards", "character-01146"),
        ("thrones", "thrones-titles", ""),
    ],
)
def test_a_broken_file_stops_only_what_it_may_change(
    game: str, place: str, used: str, tmp_path: Path
) -> None:
    folder = own_folder(place)
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_bytes(b"\xff\xfe=[")
    (folder / "folder.toml").mkdir()
    (folder / "loop.toml").symlink_to(folder / "loop.toml")
    assert begin(game, tmp_path)["ok"]
    steps = find_screen(game).steps(game, {})
    told = [one for step in steps for one in step.problems if place in one.text]
    assert {name for name in ("torn", "folder", "loop") if name in str(told)} == {
        *("torn", "folder", "loop")
    }
    assert not any(one.stops for one in told)
    if used:
        (folder / f"{used}.toml").write_bytes(b"=[")
        (tmp_path / "a.game").unlink()
        answer = begin(game, tmp_path)
        assert f"{used}.toml: not TOML" in answer["say"], "its numbers may be others than printed"


@pytest.mark.parametrize("rows", ["1", '"x"', "[1]", '["x"]', "[[]]", '{"x": 1}'])
def test_rows_of_another_type_are_one_line(
    rows: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(f'{{"name": "x", "keywords": {rows}}}'))
    assert command(["own", "enter", "commander", "--game", "westeros"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("companion: stdin: keywords: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('{"name": "x", "gold": 1}', "faction: not entered yet"),
        ('{"name": "' + "x" * 200_000, "stdin: is longer than 200000 characters"),
    ],
)
def test_what_stops_a_card_is_named(
    said: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    assert command(["own", "enter", "plot", "--game", "thrones"]) == 2
    assert capsys.readouterr().err == f"companion: {told}\n"


@pytest.mark.parametrize(
    ("game", "place"),
    [("tactics", "tactics-cards"), ("westeros", "westeros-cards"), ("thrones", "thrones-cards")],
)
def test_the_list_of_own_cards_says_why_a_file_cannot_be_read(
    game: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It named the file alone."""
    folder = own_folder(place)
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_bytes(b"\xff\xfe=[")
    assert command(["own", "list", "--game", game]) == 0
    line = next(one for one in capsys.readouterr().out.splitlines() if "torn.toml" in one)
    assert line.endswith("torn.toml: byte 0: is not UTF-8 text")


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
@pytest.mark.parametrize(
    ("game", "place"), [("tactics", "tactics-cards"), ("thrones", "thrones-cards")]
)
def test_a_pipe_among_own_cards_is_not_waited_for(game: str, place: str, tmp_path: Path) -> None:
    """No game began while it lay there."""
    folder = own_folder(place)
    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe.toml")
    assert begin(game, tmp_path)["ok"]
