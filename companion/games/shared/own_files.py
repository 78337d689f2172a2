"""The players' own files: cards, tiles and scenarios as TOML, in folders beside their games."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from models import atomic_write
from models.field import Field, load_toml
from models.message import BadInput, CompanionError

LONGEST_NAME = 60
T = TypeVar("T")


def own_folder(name: str) -> Path:
    """The players' folder of that name."""
    told = os.environ.get("COMPANION_HOME")
    base = os.environ.get("XDG_DATA_HOME")
    home = Path(base) if base else Path.home() / ".local" / "share"
    return (Path(told) if told else home / "table-companion") / name


def own_paths(name: str) -> list[Path]:
    """Every TOML file of such a folder, by name; none if there is no folder."""
    folder = own_folder(name)
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def read_own(
    name: str, read: Callable[[Field], T]
) -> Iterator[tuple[Path, T | None, CompanionError | None]]:
    """What is read from each of these files, or the error that says why it cannot be read."""
    for path in own_paths(name):
        try:
            yield path, read(own_file(path)), None
        except CompanionError as error:
            yield path, None, error


def broken_own(name: str, read: Callable[[Field], object]) -> dict[str, CompanionError]:
    """Why files of the players' own cannot be read, by the files' names."""
    return {path.stem: error for path, _, error in read_own(name, read) if error}


def remove_broken(name: str, stem: str) -> None:
    """Delete a file that cannot be read, whatever it is called."""
    delete(own_folder(name) / f"{stem}.toml")


def own_file(path: Path) -> Field:
    """The content of one file."""
    try:
        found = path.stat()
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be read: {error.strerror or error}") from None
    return unchanged(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def unchanged(path: Path, changed_ns: int, size: int) -> Field:
    """A file that was read before and has not changed since."""
    return load_toml(path)


def save_own(name: str, stem: str, text: str) -> Path:
    """Write a file of the players' own, whole or not at all."""
    path = own_folder(name) / f"{slug(stem)}.toml"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write.write_text(path, text)
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be written: {error.strerror or error}") from None
    return path


def remove_own(name: str, stem: str) -> bool:
    """Delete such a file; whether there was one."""
    path = own_folder(name) / f"{slug(stem)}.toml"
    if not path.is_file():
        return False
    delete(path)
    return True


def delete(path: Path) -> None:
    """Delete a file; one that is gone already is no error."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be deleted: {error.strerror or error}") from None


def slug(text: str) -> str:
    """A name as an id or a file's name: small letters, digits and hyphens.

    >>> slug("Ser Lyn Corbray (mounted)")
    'ser-lyn-corbray-mounted'
    """
    plain = unicodedata.normalize("NFKD", text.strip().lower())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^\w]+", "-", plain).strip("-_")[:LONGEST_NAME] or "unnamed"
