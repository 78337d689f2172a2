"""The players' own tray sizes: edits `trays.toml` in their folder without losing a line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from models import atomic_write
from models.cards.card_index import entries
from models.catalogue import DATA, OWN_DEFAULT, OWN_VARIABLE, gather, own_folder
from models.errors import BadInput
from models.field import decode, parse_toml, read_bytes
from models.tray import Tray

FILE = "trays.toml"


def shipped_trays() -> Mapping[str, Tray]:
    """The trays as shipped."""
    return {name: Tray.entry(entry, name) for name, entry in entries((DATA / FILE,)).items()}


def own_place() -> Path | None:
    """The players' own folder, whether it exists or not; None where they want none."""
    folder = own_folder()
    if folder is None and os.environ.get(OWN_VARIABLE) is None:
        return Path(os.path.expanduser(OWN_DEFAULT))
    return folder


def set_size(name: str, width: float, depth: float) -> Path:
    """Write a tray's size into the players' own file and clear the catalogue's cache."""
    folder = own_place()
    if folder is None:
        raise BadInput(OWN_VARIABLE, "", "is empty: there is no folder for own sizes")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    text = decode(read_bytes(path), str(path)) if path.exists() else ""
    atomic_write.write_text(path, resized(text, name, {"width": width, "depth": depth}, str(path)))
    gather.cache_clear()
    return path


def reset_size(name: str) -> None:
    """Restore the shipped size: remove width and depth from the players' own file."""
    folder = own_place()
    path = folder / FILE if folder is not None else None
    if path is not None and path.exists():
        text = decode(read_bytes(path), str(path))
        atomic_write.write_text(
            path, resized(text, name, {"width": None, "depth": None}, str(path))
        )
    gather.cache_clear()


def resized(text: str, name: str, sizes: Mapping[str, float | None], source: str = FILE) -> str:
    """The file's text with other sizes for one tray; comments and other entries stay.

    >>> print(resized("[solo]  # mine\\nwidth = 3\\n", "solo", {"width": 2.5, "depth": None}))
    [solo]  # mine
    width = 2.5
    <BLANKLINE>
    """
    parse_toml(text, source)  # a broken file is refused, not made worse
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if heading(line) == name), None)
    if start is None:
        wanted = [f"{key} = {value!r}" for key, value in sizes.items() if value is not None]
        if not wanted:
            return text
        return "\n".join([*lines, *([""] if lines else []), f"[{name}]", *wanted, ""])
    others = (n for n in range(start + 1, len(lines)) if heading(lines[n]) is not None)
    end = next(others, len(lines))
    body = lines[start + 1 : end]
    for key, value in sizes.items():
        found = [n for n, line in enumerate(body) if re.match(rf"\s*{key}\s*=", line)]
        line = [f"{key} = {value!r}"] if value is not None else []
        if found:
            old = body[found[0]]
            note = old[len(old.partition("#")[0].rstrip()) :] if "#" in old else ""
            body[found[0] : found[0] + 1] = [line[0] + note] if line else []
        else:
            body[0:0] = line
    changed = "\n".join([*lines[: start + 1], *body, *lines[end:]]) + "\n"
    parse_toml(changed, source)
    return changed


def heading(line: str) -> str | None:
    """The name in a `[name]` line, or None."""
    before, bracket, after = line.strip().removeprefix("[").partition("]")
    if not bracket or not line.lstrip().startswith("[") or after.strip()[:1] not in ("", "#"):
        return None
    name = before.strip()
    if len(name) > 2 and name[0] == name[-1] == '"':
        name = name[1:-1]
    return name if name and not set(name) & set('["') else None
