"""What is read of a file: how much of it, which of a folder, and in which words it is refused."""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from models import BadInput
from models.field import (
    MOST_KEY_DOTS,
    Field,
    drop_empty,
    files_named,
    load_kept_json,
    parse_toml,
    read_bytes,
    visible,
)
from models.record_reader import Record, value_of


@pytest.mark.parametrize("size", [0, 1, 5])
def test_a_file_is_read_up_to_its_largest_size(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * size)
    assert read_bytes(path, 5) == b"x" * size


def test_a_larger_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * (2**20 + 1))
    with pytest.raises(BadInput, match=re.escape(f"{path}: is larger than 1 MiB")):
        read_bytes(path, 2**20)


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_what_comes_through_a_pipe_in_parts_has_a_largest_size(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR)
    os.write(end, b"12345")

    def rest() -> None:
        os.write(end, b"6")
        os.close(end)

    more = threading.Timer(0.1, rest)
    more.start()
    with pytest.raises(BadInput, match="is larger than"):
        read_bytes(path, 5)
    more.join()


def test_a_toml_text_has_a_largest_size() -> None:
    line = 'a = "b"\n'
    text = line + "#" * (2**20 - len(line))
    assert parse_toml(text, "a.toml").raw == {"a": "b"}
    with pytest.raises(BadInput, match=r"a\.toml: is larger than 1 MiB"):
        parse_toml(text + "#", "a.toml")


def test_a_list_has_a_thousand_entries_at_most() -> None:
    assert len(list(Field([0] * 1000, "a.toml", "rows").items())) == 1000
    with pytest.raises(BadInput, match="rows: has 1001 entries, expected 0 to 1000"):
        list(Field([0] * 1001, "a.toml", "rows").items())


def test_a_name_in_toml_has_only_so_many_dots() -> None:
    name = ".".join("a" for _ in range(MOST_KEY_DOTS + 1))
    assert list(parse_toml(f"{name} = 1", "a.toml").raw) == ["a"]
    with pytest.raises(BadInput, match="a name with more than 16 dots"):
        parse_toml(f"{name}.a = 1", "a.toml")


def test_what_is_empty_is_left_out_and_zero_is_not() -> None:
    members: dict[str, Any] = {"a": None, "b": False, "c": "", "d": [], "e": 0, "f": True, "g": {}}
    assert drop_empty(members) == {"e": 0, "f": True, "g": {}}


def test_the_files_of_a_folder_by_their_endings(tmp_path: Path) -> None:
    for name in ("b.po", "a.po", "c.txt", "d.toml"):
        (tmp_path / name).touch()
    found = files_named(tmp_path, ".po", ".toml")
    assert found == [tmp_path / name for name in ("a.po", "b.po", "d.toml")]
    assert files_named(tmp_path / "missing", ".po") == []
    with pytest.raises(BadInput, match="cannot be read"):
        files_named(tmp_path / "a.po", ".po")


def test_a_file_of_the_app_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    assert load_kept_json(tmp_path / "a.json").raw == {"a": 1}
    with pytest.raises(BadInput, match="is not a file"):
        load_kept_json(tmp_path)


@pytest.mark.parametrize(
    ("text", "shown"), [("red wolves", "red wolves"), ("a\nb", "a\\nb"), ("\u00a0", "\u00a0")]
)
def test_no_hidden_letter_reaches_a_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


@dataclass(frozen=True, slots=True)
class Tower(Record):
    height: int


@dataclass(frozen=True, slots=True)
class Flag:
    colour: str

    @classmethod
    def read(cls, field: Field) -> Flag:
        return cls(field.text())


@dataclass(frozen=True, slots=True)
class Castle(Record):
    tower: Tower
    banner: Flag


def test_a_form_asks_for_the_rows_of_a_record_and_for_the_text_of_what_reads_itself() -> None:
    kinds = {name: value_of(Castle, name).limits.kind for name in ("tower", "banner")}
    assert kinds == {"tower": "rows", "banner": "text"}
    castle = Castle.read(Field({"tower": {"height": 3}, "banner": "blue"}))
    assert castle == Castle(Tower(3), Flag("blue"))
