"""The zip file of a backup: its list of files, their names, and reading it safely.

A backup may come from anywhere, so sizes are checked before anything is read into memory.
"""

from __future__ import annotations

import os
import re
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote_to_bytes

from companion.engine.camera.camera_profile import SUFFIX as SETUP_SUFFIX
from companion.text.translation import _
from models import BadInput
from models.field import decode, shown, strict_json

FORMAT = "table-companion/backup/2"
"""In format 2 names are percent-encoded, so that every file name is possible; in 1 they are not."""
OLD_FORMAT = "table-companion/backup/1"
CONTENTS = "backup.json"
MADE = "%Y-%m-%d %H:%M"
"""How a backup writes down when it was made."""
GAME = ".game"
LISTS, SHARED = "armies", "shared"
"""The lists and own cards that players wrote to files."""
FOLDERS = ("games", "setups", "data", LISTS, SHARED)
FILES = ("preferences.json", "draft.json")
OWN_FOLDER = re.compile("[a-z]{2,30}-[a-z]{2,30}")
"""How the folders of the players' own cards and boards are called: `tactics-cards`."""
MOST_BYTES = 768 * 1024**2
"""The limit on the unpacked size of a backup: unpacking and checking it takes 4 s of processor."""
MOST_FILES = 20_000
BOMB_BYTES, BOMB_FACTOR = 100 * 1024**2, 200
"""From this size on, what unpacks to so many times its packed size is no backup: games, the largest
files, pack to a tenth."""
DEEPEST, LONGEST_PIECE = 100, 255
"""The folders in each other, and the bytes of a name, that every device can have."""
LONGEST_INDEX = 8 * 1024**2
"""The limit on the size of the zip's index and of our list in it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup: when it was made, and every file with its digest."""

    made: str
    files: Mapping[str, str]
    names: Mapping[str, str]
    """The name of each file on this device."""
    size: int
    """The unpacked size in bytes."""

    @property
    def games(self) -> int:
        return sum(name.endswith(GAME) for name in self.files)

    @property
    def setups(self) -> int:
        """The number of set-ups."""
        return sum(name.endswith(SETUP_SUFFIX) for name in self.files)


def encoded(name: str) -> str:
    """A file name encoded for the zip, with only characters that every system can write.

    >>> encoded("games/10:30 100%.game")
    'games/10%3A30 100%25.game'
    """
    return "".join(
        letter
        if letter.isprintable() and letter not in '%\\:*?"<>|'
        else "".join(f"%{byte:02X}" for byte in os.fsencode(letter))
        for letter in name
    )


def decoded(name: str) -> str:
    """The file name on this device."""
    if os.name == "nt":
        return name
    return "/".join(os.fsdecode(unquote_to_bytes(piece)) for piece in name.split("/"))


@contextmanager
def reading(bundle_path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip that is small enough to read; any error becomes one line."""
    source = str(bundle_path)
    try:
        refuse_large_index(bundle_path)
        with zipfile.ZipFile(bundle_path) as bundle:
            yield bundle
    except ZIP_ERRORS as error:
        raise BadInput(source, "", f"is not a backup: {error}") from None


ZIP_ERRORS = (
    OSError,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,  # encrypted; also NotImplementedError
    ValueError,
    LookupError,
    OverflowError,
)
END, END_64 = b"PK\5\6", b"PK\6\7"


def refuse_large_index(bundle_path: Path) -> None:
    """Refuse a zip whose index would fill the memory, before it is read."""
    source = str(bundle_path)
    if not bundle_path.is_file():
        raise BadInput(source, "", "is not a backup: it is not a file")
    size = bundle_path.stat().st_size
    if size > MOST_BYTES:
        raise BadInput(source, "", f"has {size} bytes: too much")
    with bundle_path.open("rb") as file:
        file.seek(max(0, size - (1 << 16) - 64))
        tail = file.read()
    place = len(tail) - 22 if tail[-22:-18] == END else tail.rfind(END)
    if place < 0 or len(tail) < place + 22:
        raise BadInput(source, "", "is not a backup: File is not a zip file")
    length = struct.unpack_from("<I", tail, place + 12)[0]
    if length > LONGEST_INDEX or tail[max(0, place - 20) :].startswith(END_64):
        raise BadInput(source, "", f"holds more than {MOST_FILES} files: too many")


def contents(bundle_path: Path) -> Contents:
    """Read the contents of a backup; raises BadInput if it is not a valid one."""
    with reading(bundle_path) as bundle:
        return read_contents(bundle, str(bundle_path))


def read_contents(bundle: zipfile.ZipFile, source: str) -> Contents:
    """The list in a backup, checked against the files in the zip."""
    members = [one for one in bundle.infolist() if not one.is_dir()]
    real = {one.filename: one for one in members}
    if CONTENTS not in real:
        raise BadInput(source, "", f"is not a backup: it has no {CONTENTS}")
    if len(members) > MOST_FILES:
        raise BadInput(source, "", f"holds more than {MOST_FILES} files: too many")
    for one in members:
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadInput(source, shown(one.filename), "is packed in a way that backups are not")
    if real[CONTENTS].file_size > LONGEST_INDEX:
        raise BadInput(source, CONTENTS, "is too large")
    raw = strict_json(
        decode(bundle.read(CONTENTS), f"{source}: {CONTENTS}"), f"{source}: {CONTENTS}"
    )
    form = raw.get("format") if isinstance(raw, dict) else raw
    if form not in (FORMAT, OLD_FORMAT) or not isinstance(raw, dict):
        raise BadInput(source, f"{CONTENTS}.format", f"{shown(form)} is not {FORMAT!r}")
    files = raw.get("files")
    if not isinstance(files, dict) or not all(isinstance(one, str) for one in files.values()):
        raise BadInput(source, f"{CONTENTS}.files", "is not a list of files")
    names = {name: decoded(name) if form == FORMAT else name for name in files}
    refuse_unsafe(names, source)
    missing = sorted(files.keys() - real.keys())
    if missing:
        raise BadInput(source, shown(missing[0])[1:-1], "is missing")
    size = sum(one.file_size for one in members)
    if size > MOST_BYTES:
        raise BadInput(source, "", f"unpacks to {size} bytes: too much")
    if size > max(BOMB_BYTES, BOMB_FACTOR * sum(one.compress_size for one in members)):
        raise BadInput(source, "", f"unpacks to {size} bytes: far more than a backup of its size")
    return Contents(shown_date(raw.get("made")), files, names, size)


def shown_date(raw: object) -> str:
    """When a backup was made, if it says so, as the players' language writes it."""
    if not isinstance(raw, str) or len(raw) > 40 or not raw.isprintable():
        return ""
    try:
        return time.strftime(_("%Y-%m-%d, %H:%M"), time.strptime(raw, MADE))
    except ValueError:
        return raw


def refuse_unsafe(names: Mapping[str, str], source: str) -> None:
    """Refuse names that lead outside, or that use another's file as a folder."""
    for packed, name in names.items():
        if not safe(name):
            raise BadInput(source, shown(packed)[1:-1], "leads out of the data folder")
        pieces = name.split("/")
        longest = max(len(one.encode("utf-8", "replace")) for one in pieces)
        if len(pieces) > DEEPEST or longest > LONGEST_PIECE:
            raise BadInput(source, shown(packed)[1:-1], "is longer than a file's name can be")
    files = set(names.values())
    if len(files) < len(names):
        raise BadInput(source, f"{CONTENTS}.files", "names a file twice")
    for packed, name in names.items():
        for folder in PurePosixPath(name).parents:
            if folder.as_posix() in files:
                problem = f"is in a folder that is a file: {folder}"
                raise BadInput(source, shown(packed)[1:-1], problem)


def safe(name: str) -> bool:
    """Whether a name stays inside the parts that backups have."""
    pieces = name.split("/")
    if any(piece in ("", ".", "..") or "\0" in piece for piece in pieces):
        return False
    if os.name == "nt" and set('\\:*?"<>|') & set(name):
        return False
    if len(pieces) < 2:
        return name in FILES
    return pieces[0] in FOLDERS or OWN_FOLDER.fullmatch(pieces[0]) is not None
