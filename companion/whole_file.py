"""Files that are either the old one or the whole new one, never something between."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models import BadInput


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to; it takes the place of `path` once all went well."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise BadInput(str(path), "", "cannot be written: it is not a file")
    part = target.with_name(f".{os.getpid()}.tmp")
    try:
        part.touch(exist_ok=False)
        yield part
        part.replace(target)
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
