"""A limit on the memory that decoders of videos and streams may take.

Their headers promise a size, but what is packed in them decides. Where the system can limit the
memory of a process (Linux, Android), a decoder that asks for more gets none and gives up.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

OPENING_BYTES, FRAME_BYTES = 256 * 1024 * 1024, 128 * 1024 * 1024
"""What opening a stream and reading its next frame may take: a 4K camera needs less than half."""
OTHERS_BYTES = 256 * 1024 * 1024
"""The limit holds for the whole process: what other threads of it may take meanwhile."""
STATM = Path("/proc/self/statm")
DATA_COLUMN = 5
_LOCK = threading.Lock()
_HOLDERS: list[tuple[int, int]] = []
"""The limits before the first holder, once for each holder."""


@contextmanager
def memory_limit(more_bytes: int) -> Iterator[None]:
    """While it is held, the process gets so much more memory and no more."""
    begun = acquire(more_bytes)
    try:
        yield
    finally:
        if begun:
            release()


def acquire(more_bytes: int) -> bool:
    """Set the limit; False where the system has none."""
    if resource is None:
        return False
    with _LOCK, suppress(OSError, ValueError):
        used = int(STATM.read_text(encoding="ascii").split()[DATA_COLUMN])
        before = _HOLDERS[0] if _HOLDERS else resource.getrlimit(resource.RLIMIT_DATA)
        others = OTHERS_BYTES if threading.active_count() > 1 else 0
        wanted = used * resource.getpagesize() + more_bytes + others
        if before[0] not in (-1, resource.RLIM_INFINITY):
            wanted = min(wanted, before[0])
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, before[1]))
        _HOLDERS.append(before)
        return True
    return False


def release() -> None:
    """Lift the limit once nobody holds it."""
    with _LOCK, suppress(OSError, ValueError):
        before = _HOLDERS.pop()
        if not _HOLDERS:
            resource.setrlimit(resource.RLIMIT_DATA, before)
