"""Writing files: values as TOML, and atomic writes, after which a file is either the old one or
the complete new one.

>>> print(document("cards/1", "figure", [{"id": "a", "cost": {"gold": 2}}]), end="")
format = "cards/1"
<BLANKLINE>
[[figure]]
id = "a"
cost = { gold = 2 }

The new content goes to a temporary file in the same folder, is synced to disk and then renamed over
the target. A link is followed to its file; a device, a pipe or a folder is refused. A full disk, a
crash or an error in the middle leaves the old file unchanged.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     write_text(Path(folder, "a.txt"), "new")
...     Path(folder, "a.txt").read_text(), len(os.listdir(folder))
('new', 1)
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from models.message import BadInput, say


def toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{key(name)} = {toml(item)}" for name, item in value.items()) + " }"
        )
    return repr(value)


def key(name: str) -> str:
    """The name of a member: bare where TOML allows it."""
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else toml(name)


def members(plain: Mapping[str, Any]) -> list[str]:
    """`key = value` lines."""
    return [f"{key(name)} = {toml(value)}" for name, value in plain.items()]


def document(form: str, name: str, items: Iterable[Mapping[str, Any]]) -> str:
    """A file of one format with a list of tables of one name."""
    lines = [f"format = {toml(form)}"]
    for item in items:
        lines += ["", f"[[{name}]]", *members(item)]
    return "\n".join(lines) + "\n"


PREFIX = ".companion-"
TEMPORARY = re.compile(r"\.companion-[0-9a-f]{16}\.tmp(\.\w{1,8})?(-wal|-shm|-journal)?")
"""The names of temporary files, and of SQLite's files beside one."""
ABANDONED_S = 3600.0
"""A temporary file unchanged for this long belongs to a program that was killed."""
SWEEP_S = 60.0
SWEPT: dict[Path, float] = {}
"""When each folder was last searched: writing many files must not search it each time."""
NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary empty file to write to; it replaces `path` if no exception is raised."""
    target, old = target_of(path)
    part = target.with_name(f"{PREFIX}{os.urandom(8).hex()}.tmp{short_suffix(target)}")
    begun = False
    try:
        sweep(target.parent)
        os.close(os.open(part, NEW_FILE, 0o666))  # the system applies the umask
        begun = True
        yield part
        if old is not None:
            keep_owner_and_mode(part, old)
        sync(part)
        os.replace(part, target)
        begun = False
        sync_folder(target.parent)
    except OSError as error:
        raise unwritten(path, reason_of(error, part)) from None
    finally:
        if begun:
            with suppress(OSError):
                part.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder and those around it, if they are not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritten(folder, reason_of(error, folder)) from None


def refuse_inputs(target: Path | None, *inputs: Path | str | None) -> None:
    """Refuse to write over one of the files that are read."""
    for one in inputs:
        same = False
        with suppress(OSError, ValueError):  # one of them is no file yet, or an address
            same = target is not None and one is not None and os.path.samefile(target, one)
        if same:
            raise BadInput(str(target), "", "is read here; name another file to write")


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file's content with these bytes."""
    with replacing(path) as part:
        part.write_bytes(data)


def write_text(path: Path, text: str) -> None:
    """Replace a file's content with this text as UTF-8, with line feeds on every system."""
    write_bytes(path, text.encode("utf-8"))


def write_new(path: Path, data: bytes) -> None:
    """Write a file that does not exist yet; OSError if it exists or cannot be written."""
    handle = os.open(path, NEW_FILE, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def target_of(path: Path) -> tuple[Path, os.stat_result | None]:
    """The real file behind a path and its stat; only a regular file may be written."""
    try:
        target = Path(os.path.realpath(path))
        old = os.lstat(target)
    except FileNotFoundError:
        return target, None
    except (OSError, ValueError) as error:
        raise unwritten(path, reason_of(error)) from None
    if stat.S_ISLNK(old.st_mode):
        raise unwritten(path, say("it is a link to itself"))
    if not stat.S_ISREG(old.st_mode):
        raise unwritten(path, say("it is not a file"))
    if not os.access(target, os.W_OK):
        raise unwritten(path, say("it is read-only"))
    return target, old


def short_suffix(target: Path) -> str:
    """The target's suffix, which some writers depend on."""
    return target.suffix if re.fullmatch(r"\.\w{1,8}", target.suffix) else ""


def keep_owner_and_mode(part: Path, old: os.stat_result) -> None:
    """Give the new file the owner and permissions of the old one, where the system allows."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(part, old.st_uid, old.st_gid)
    with suppress(OSError):
        os.chmod(part, old.st_mode & 0o777)


def sync(path: Path) -> None:
    """Make a file's content durable."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(folder: Path) -> None:
    """Make everything in a folder durable; one by one, thousands of files would take minutes."""
    if hasattr(os, "sync"):
        os.sync()
        return
    for path in folder.rglob("*"):
        if path.is_file():
            sync(path)


def sync_folder(folder: Path) -> None:
    """Make a changed name in a folder durable, where the system allows."""
    if os.name != "posix":
        return
    with suppress(OSError):  # unsupported on some file systems; the file itself is synced
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sweep(folder: Path) -> None:
    """Look for abandoned files in a folder, unless that was done a moment ago."""
    now = time.monotonic()
    if now - SWEPT.get(folder, -SWEEP_S) >= SWEEP_S:
        SWEPT[folder] = now
        remove_abandoned(folder)


def remove_abandoned(folder: Path, older_than_s: float = ABANDONED_S) -> None:
    """Remove the temporary files that killed programs left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    known = entry.stat(follow_symlinks=False)
                    if time.time() - known.st_mtime > older_than_s and stat.S_ISREG(known.st_mode):
                        os.unlink(entry.path)


def reason_of(error: OSError | ValueError, part: Path | None = None) -> str:
    """The error's reason, with the file it concerns if that is another one."""
    if not isinstance(error, OSError):
        return str(error)
    why = error.strerror or str(error)
    other = error.filename
    if part is None or other is None or os.fspath(other) in (os.fspath(part), str(part)):
        return why
    return f"{other}: {why}"


def unwritten(path: Path, reason: str) -> BadInput:
    """The error that names the file."""
    return BadInput(str(path), "", say("cannot be written: {reason}", reason=reason))
