"""Harmed files: reported with what was saved, kept aside, and the rest recovered."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.session.fold import fold
from companion.session.log import PAGE, create
from companion.session.salvage import FRAME, WAL_HEADER, frames, salvage
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import open_log, read, recovering, side_of
from models import BadInput

STEPS = 70
KEPT: dict[str, bytes] = {}
"""The games of this file, played once and then copied."""


def play() -> None:
    """A game of many steps, some of them longer than a page; closed, and as a power cut leaves it.

    Of the second the last steps are in the side file only.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.game"
        with Session.open(path) as session:
            session.answer({"do": "set-up", "game": "toy", "stones": 9000, "seed": 1})
            for count in range(STEPS - 1):
                if count % 20 == 7:
                    session.answer({"do": "note", "text": "so it went " * 170})
                else:
                    session.answer({"do": "gamble"})
            KEPT["open"] = path.read_bytes()
            KEPT["side"] = side_of(path).read_bytes()
        KEPT["closed"] = path.read_bytes()


def played(path: Path) -> tuple[Path, list[LogStep]]:
    """The closed game, at this path."""
    if not KEPT:
        play()
    path.write_bytes(KEPT["closed"])
    return path, read(path).steps


def killed(path: Path) -> tuple[Path, list[LogStep]]:
    """The game after a power cut, at this path."""
    if not KEPT:
        play()
    path.write_bytes(KEPT["open"])
    side_of(path).write_bytes(KEPT["side"])
    return path, read(path).steps


@pytest.fixture
def game(path: Path) -> tuple[Path, list[LogStep]]:
    return played(path)


def test_the_scanner_reads_what_sqlite_reads(game: tuple[Path, list[LogStep]]) -> None:
    path, steps = game
    assert salvage([path.read_bytes()], []).steps == steps
    assert len(steps) == STEPS


def test_a_power_cut_is_no_damage(path: Path) -> None:
    path, steps = killed(path)
    assert len(steps) == STEPS
    assert side_of(path).stat().st_size > 0
    log, found, damage = open_log(path)
    log.close()
    assert (found, damage) == (steps, None)


def cut(share: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: int(len(data) * share)]


def page_lost(number: int) -> Callable[[bytes], bytes]:
    def harm(data: bytes) -> bytes:
        noise = random.Random(number).randbytes(PAGE)
        return data[: number * PAGE] + noise + data[(number + 1) * PAGE :]

    return harm


HARMS: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "cut by a byte": (lambda data: data[:-1], STEPS - 8),
    "cut to three quarters": (cut(0.75), STEPS // 2),
    "cut to a half": (cut(0.5), STEPS // 3),
    "cut to a page and a bit": (lambda data: data[: PAGE + 9], 0),
    "no beginning": (lambda data: bytes(200) + data[200:], STEPS),
    "tables forgotten": (page_lost(0), STEPS),
    "a tree lost": (page_lost(1), STEPS),
    "another tree lost": (page_lost(2), STEPS),
    "a leaf lost": (page_lost(5), STEPS),
    "a page of zeros": (lambda data: data[: 4 * PAGE] + bytes(PAGE) + data[5 * PAGE :], STEPS),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_file_is_reported_kept_and_recovered(
    game: tuple[Path, list[LogStep]], harm: str
) -> None:
    path, steps = game
    hurt, at_least = HARMS[harm]
    harmed = hurt(path.read_bytes())
    path.write_bytes(harmed)
    with Session.open(path) as session:
        damage = session.damage
        assert damage is not None
        assert damage.saved >= at_least
        assert damage.saved == session.history.seq
        assert str(path) in damage.say()
        assert session.state()["damage"]["say"] == damage.say()
        aside = Path(damage.aside)
        assert aside.read_bytes() == harmed
        recovered = read(path).steps
        assert recovered == steps[: damage.saved]
        assert session.history == fold(steps[: damage.saved])
        if damage.saved:
            assert session.answer({"do": "gamble"})["seq"] == damage.saved + 1
        else:
            assert session.answer({"do": "set-up", "game": "toy", "stones": 1})["ok"]
    with Session.open(path) as session:
        assert session.damage is None


def test_random_harm_never_loses_what_lies_before_it(tmp_path: Path) -> None:
    path, steps = played(tmp_path / "a.game")
    whole = path.read_bytes()
    chance = random.Random(5)
    for count in range(25):
        data = bytearray(whole)
        start = chance.randrange(len(data) - 600)
        length = chance.choice((1, 30, 600))
        data[start : start + length] = chance.randbytes(length)
        hurt = tmp_path / f"{count}.game"
        hurt.write_bytes(data)
        with Session.open(hurt) as session:
            kept = read(hurt).steps
            assert kept == steps[: len(kept)]
            assert session.history == fold(kept)
        if start // PAGE == (start + length - 1) // PAGE:
            # Every step is there twice, on different pages.
            assert len(kept) == STEPS


def test_a_changed_word_is_seen(game: tuple[Path, list[LogStep]]) -> None:
    path, steps = game
    data = path.read_bytes()
    assert data.count(b"blue takes 1") > 1
    path.write_bytes(data.replace(b"blue takes 1", b"blue takes 9", 1))
    with Session.open(path) as session:
        assert session.damage is not None
        assert session.damage.saved == STEPS
    assert read(path).steps == steps


def test_a_frame_half_written_is_no_damage(path: Path) -> None:
    path, steps = killed(path)
    side = side_of(path).read_bytes()
    # The newest frame says that it ends a step, and its page is still an old one.
    newest = max(place for place, _, _, _ in frames(side))
    start = WAL_HEADER + newest * FRAME
    for length in (24, 2000):
        half = side[: start + length] + bytes(FRAME - length) + side[start + FRAME :]
        side_of(path).write_bytes(half)
        found = read(path)
        assert found.damage is None
        assert found.steps == steps[:-1]


@pytest.mark.parametrize("noise", [b"", b"\x5a"], ids=["zeros", "noise"])
@pytest.mark.parametrize("length", [24, 32 + 16, 4096])
def test_a_side_file_without_its_beginning_is_read_all_the_same(
    path: Path, length: int, noise: bytes
) -> None:
    path, steps = killed(path)
    side = side_of(path).read_bytes()
    side_of(path).write_bytes((noise or bytes(1)) * length + side[length:])
    with Session.open(path) as session:
        assert session.damage is not None  # SQLite itself would drop all of it without a word
        assert session.damage.saved == STEPS
    assert read(path).steps == steps


@pytest.mark.parametrize(
    "place", [3, 10, 26, 32 + 24 + 100, 32 + 4120 + 9], ids="magic salt sum page salt2".split()
)
def test_a_broken_side_file_is_not_passed_over_in_silence(path: Path, place: int) -> None:
    path, steps = killed(path)
    side = bytearray(side_of(path).read_bytes())
    side[place] ^= 0xFF
    side_of(path).write_bytes(side)
    with Session.open(path) as session:
        assert session.damage is not None  # SQLite itself would drop what follows without a word
        kept = Path(session.damage.aside)
        assert side_of(kept).read_bytes() == bytes(side)
        saved = session.damage.saved
    # Later versions of the harmed page hold the steps of the earlier one too.
    assert saved == STEPS
    assert read(path).steps == steps


def test_bytes_missing_from_a_side_file_are_said(path: Path) -> None:
    steps = killed(path)[1]
    side = KEPT["side"]
    stop = WAL_HEADER + len(list(frames(side))) // 2 * FRAME
    side_of(path).write_bytes(side[: stop + 100] + side[stop + 1260 :])  # the rest is shifted
    log, kept, damage = open_log(path)
    log.close()
    assert damage is not None
    assert damage.saved == len(kept) < len(steps)
    assert kept == steps[: len(kept)]


def test_frames_from_before_a_checkpoint_are_no_damage(path: Path, tmp_path: Path) -> None:
    killed_at = tmp_path / "killed.game"
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9000, "seed": 1})
        for _ in range(20):
            session.answer({"do": "gamble"})
        steps, before = read(path).steps, side_of(path).read_bytes()
        session.log.link.execute("PRAGMA wal_checkpoint(RESTART)")
        killed_at.write_bytes(path.read_bytes())
        session.answer({"do": "gamble"})
        head = side_of(path).read_bytes()[:WAL_HEADER]
    side_of(killed_at).write_bytes(head + before[WAL_HEADER:])  # killed before its first frame
    found = read(killed_at)
    assert found.damage is None
    assert found.steps == steps


def test_a_game_file_lost_beside_its_side_file(path: Path) -> None:
    path, steps = killed(path)
    path.unlink()
    with Session.open(path) as session:
        assert session.damage is not None
        assert read(path).steps == steps[: session.damage.saved]


def test_a_recovery_cut_short_is_taken_up_again(path: Path) -> None:
    path, steps = killed(path)
    sound = path.read_bytes(), side_of(path).read_bytes()
    with Session.open(path):
        pass
    whole = path.read_bytes()
    # As a power cut between the last two moves of a recovery would leave it.
    path.write_bytes(sound[0])
    recovering(path).write_bytes(whole)
    with Session.open(path) as session:
        assert session.damage is not None
        assert session.damage.saved == STEPS
    assert read(path).steps == steps
    assert not recovering(path).exists()


def test_no_harmed_file_is_written_over(game: tuple[Path, list[LogStep]]) -> None:
    path, _ = game
    whole = path.read_bytes()
    for count in (1, 2):
        path.write_bytes(whole[: -PAGE * count])
        Session.open(path).close()
        aside = path.with_name(f"a.game.damaged-{count}")
        assert aside.read_bytes() == whole[: -PAGE * count]


def test_no_room_to_recover_changes_nothing(game: tuple[Path, list[LogStep]]) -> None:
    path, _ = game
    harmed = path.read_bytes()[:-1]
    path.write_bytes(harmed)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (0, 100, PAGE, len(harmed) - 1):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        try:
            with pytest.raises(BadInput, match=r"damaged .* cannot be recovered here"):
                Session.open(path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_bytes() == harmed
        assert [file.name for file in path.parent.iterdir()] == ["a.game"]


def test_a_side_file_of_another_game_is_refused(path: Path, tmp_path: Path) -> None:
    """Another game was copied over one that crashed: its side file must not be applied to it."""

    def start(file: Path, seed: int) -> bytes:
        with Session.open(file) as session:
            setup = {"do": "set-up", "game": "toy", "stones": 50, "seed": seed}
            for command in (setup, {"do": "gamble"}, {"do": "gamble"}):
                assert session.answer(command)["ok"]
            return side_of(file).read_bytes()

    start(path, 7)
    side_of(path).write_bytes(start(tmp_path / "crashed.game", 8))
    before = path.read_bytes(), side_of(path).read_bytes()
    with pytest.raises(BadInput, match="belongs to another game"):
        open_log(path)
    assert (path.read_bytes(), side_of(path).read_bytes()) == before


@pytest.mark.parametrize(("own", "others"), [(20, 300), (100, 100), (300, 20)])
def test_a_longer_or_shorter_side_file_of_another_game_loses_nothing(
    path: Path, tmp_path: Path, own: int, others: int
) -> None:
    """SQLite would apply it and read pages that are not there, or mix the steps of both games."""

    def start(file: Path, steps: int) -> bytes:
        chance = random.Random(steps)
        with Session.open(file) as session:
            session.log.link.execute("PRAGMA synchronous = OFF")
            for count in range(steps):
                text = f"{file.name} {count} " * chance.randrange(1, 60)
                assert session.answer({"do": "note", "text": text})["ok"]
            return side_of(file).read_bytes()

    start(path, own)
    steps = read(path).steps
    side_of(path).write_bytes(start(tmp_path / "crashed.game", others))
    before = path.read_bytes(), side_of(path).read_bytes()
    if own > 20:
        with pytest.raises(BadInput, match=r"a\.game-wal beside it belongs to another game$"):
            open_log(path)
        assert (path.read_bytes(), side_of(path).read_bytes()) == before
        return
    log, found, damage = open_log(path)  # no step in the side file has the number of an own one
    log.close()
    assert found == steps
    assert damage is not None
    assert "\n" not in damage.say()
    aside = Path(damage.aside)
    assert (aside.read_bytes(), side_of(aside).read_bytes()) == before


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_a_pipe_beside_a_game_is_not_waited_for(path: Path, ending: str) -> None:
    """SQLite opened the pipe in the place of its journal, and waited for ever."""
    path, steps = played(path)
    beside = path.with_name(path.name + ending)
    beside.unlink(missing_ok=True)
    os.mkfifo(beside)
    for work in (read, open_log):
        with pytest.raises(BadInput, match=rf"{ending}: is not a file$"):
            work(path)
    beside.unlink()
    assert read(path).steps == steps


def test_a_link_leads_to_the_whole_game(path: Path, tmp_path: Path) -> None:
    path, steps = killed(path)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "b.game"
    link.symlink_to(path)
    assert read(link).steps == steps
    with Session.open(link) as session:
        assert session.history.seq == STEPS
        session.answer({"do": "note", "text": "by the link"})
        found = read(tmp_path / "elsewhere" / "b.game")  # while it is open
        assert len(found.steps) == STEPS + 1
    assert len(read(path).steps) == STEPS + 1
    assert [one.name for one in link.parent.iterdir()] == ["b.game"]


def test_a_link_to_nothing_begins_a_game_where_it_leads(tmp_path: Path) -> None:
    link, target = tmp_path / "link.game", tmp_path / "real.game"
    link.symlink_to(target)
    with Session.open(link) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
    assert (link.is_symlink(), len(read(target).steps)) == (True, 1)
    loop = tmp_path / "loop.game"
    loop.symlink_to(loop)
    with pytest.raises(BadInput, match="loop"):
        Session.open(loop)


def test_a_second_name_of_an_open_game_is_refused(path: Path, tmp_path: Path) -> None:
    path, steps = killed(path)
    other = tmp_path / "hard.game"
    other.hardlink_to(path)
    with pytest.raises(BadInput, match="second name"):
        open_log(other)
    log, found, damage = open_log(path)
    log.close()
    assert (found, damage) == (steps, None)
    assert read(other).steps == steps, "a closed game is whole under either name"


def test_a_game_killed_while_it_was_made_can_be_begun(tmp_path: Path) -> None:
    """The files after each step of `Log.open`, as a kill at that moment leaves them."""
    first = tmp_path / "first.game"
    link = sqlite3.connect(first, isolation_level=None)
    moments: list[dict[str, bytes]] = []
    for make in (
        lambda: link.execute("PRAGMA locking_mode = EXCLUSIVE"),
        lambda: link.execute(f"PRAGMA page_size = {PAGE}"),
        lambda: link.execute("PRAGMA journal_mode = WAL"),
        lambda: link.execute("BEGIN IMMEDIATE"),
        lambda: link.execute("COMMIT"),
        lambda: create(link),
    ):
        make()
        files = (first, side_of(first))
        moments.append({one.name: one.read_bytes() for one in files if one.exists()})
    link.close()
    assert len({tuple(one.values()) for one in moments}) > 2
    for number, moment in enumerate(moments):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in moment.items():
            (folder / name).write_bytes(data)
        assert read(folder / "first.game").steps == []
        with Session.open(folder / "first.game") as session:
            assert session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})["ok"]
        assert len(read(folder / "first.game").steps) == 1
