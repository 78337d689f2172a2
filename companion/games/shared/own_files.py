"""The players' own files: TOML, in folders beside their games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from models.field import Field, load_toml


def own_folder(name: str) -> Path:
    """The players' folder of that name."""
    told = os.environ.get("COMPANION_HOME")
    base = os.environ.get("XDG_DATA_HOME")
    home = Path(base) if base else Path.home() / ".local" / "share"
    return (Path(told) if told else home / "table-companion") / name


def own_files(name: str) -> Iterator[Field]:
    """Every TOML file of such a folder, by name; none if there is no folder."""
    folder = own_folder(name)
    for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        yield load_toml(path)
