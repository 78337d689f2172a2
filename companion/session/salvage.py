"""Recovery of steps from a corrupt file: each page is read separately, and only steps that the hash
chain confirms count.

SQLite gives up on a file whose B-tree is broken, but most of its leaf pages are usually intact.
This reads the leaf pages of the game's file and of its write-ahead log by SQLite's published file
format, and keeps the steps that the hash chain confirms.
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.session.log import LATEST_MS, PAGE, Damaged
from companion.session.step import LogStep
from models.message import say

HEADER = 100
WAL_HEADER = 32
FRAME_HEADER = 24
FRAME = FRAME_HEADER + PAGE
MASK = 0xFFFFFFFF
LEAF = 0x0D
"""The first byte of a leaf page of a table."""

NUMBERS = {1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (4, 0), 5: (6, 0), 6: (8, 0), 8: (0, 0), 9: (0, 1)}
"""Integer serial types: the number of bytes, and the value of those without any."""

TEXTS = 13
"""Odd serial types from here on are texts of (type - 13) / 2 bytes."""


@dataclass(frozen=True, slots=True)
class SalvagedSteps:
    """The steps recovered from a corrupt file without a gap, and the highest step it once held."""

    steps: list[LogStep]
    beyond: int
    """The highest step number of which any trace was found; more than `len(steps)` means a gap."""


@dataclass(slots=True)
class Pages:
    """All versions of every page found, newest last."""

    versions: dict[int, list[bytes]] = field(default_factory=lambda: defaultdict(list))

    def add_file(self, data: bytes) -> None:
        """Add the pages of a game's file."""
        for number in range((len(data) + PAGE - 1) // PAGE):
            page = data[number * PAGE : (number + 1) * PAGE]
            self.versions[number + 1].append(page.ljust(PAGE, b"\0"))

    def add_side_file(self, data: bytes) -> None:
        """Add the pages of a write-ahead log, whether or not their checksums match."""
        for start in range(WAL_HEADER, len(data) - FRAME_HEADER, FRAME):
            number = struct.unpack_from(">I", data, start)[0]
            page = data[start + FRAME_HEADER : start + FRAME]
            self.versions[number].append(page.ljust(PAGE, b"\0"))

    def rows(self) -> Iterator[LogStep]:
        """Everything in the form of a step, valid or not."""
        for number, versions in sorted(self.versions.items()):
            for page in versions:
                yield from self.leaf(page, HEADER if number == 1 else 0)

    def leaf(self, page: bytes, start: int) -> Iterator[LogStep]:
        """The rows of one leaf page."""
        if page[start] != LEAF:
            return
        count = struct.unpack_from(">H", page, start + 3)[0]
        for index in range(min(count, PAGE // 4)):
            place = start + 8 + 2 * index
            if place + 2 > PAGE:
                return
            try:
                yield from self.row(page, struct.unpack_from(">H", page, place)[0])
            except (IndexError, UnicodeDecodeError, ValueError):
                continue

    def row(self, page: bytes, place: int) -> Iterator[LogStep]:
        """The step at that offset of a page, for every combination of overflow page versions."""
        size, place = varint(page, place)
        seq, place = varint(page, place)
        if not 0 < size < 1 << 26:
            return
        local = within_page(size)
        head = page[place : place + local]
        if local == size:
            payloads = [head]
        else:
            onward = struct.unpack(">I", page[place + local : place + local + 4].ljust(4, b"\0"))[0]
            payloads = self.overflow(head, onward, size)
        for payload in payloads:
            step = read_row(seq, payload)
            if step is not None:
                yield step

    def overflow(self, head: bytes, number: int, size: int) -> list[bytes]:
        """The payloads that continue on overflow pages, newest page versions first."""
        for choose in (-1, 0):
            payload, page_number = head, number
            while len(payload) < size and page_number in self.versions:
                page = self.versions[page_number][choose]
                payload += page[4 : 4 + size - len(payload)]
                page_number = struct.unpack_from(">I", page)[0]
            if len(payload) == size:
                return [payload]
        return []


def frames(side: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """The frames of a write-ahead log, without those from before the last checkpoint.

    Each with its index, its page number, the database size in pages if it is a commit frame (else
    0), and the page. They are found by their salt, so that those after missing bytes are too.
    """
    salt = salt_of(side)
    at = side.find(salt, WAL_HEADER + 8)
    while 0 <= at <= len(side) - FRAME + 8:
        start = at - 8
        number, ended_with = struct.unpack_from(">II", side, start)
        page = side[start + FRAME_HEADER : start + FRAME]
        yield (start - WAL_HEADER) // FRAME, number, ended_with, page
        at = side.find(salt, at + 8)


def salt_of(side: bytes) -> bytes:
    """The salt of the frames written since the last checkpoint.

    The file header contains it; if that is corrupt, it is the newest salt that several frames
    share: its first number increases with every checkpoint.
    """
    own = side[16:24]
    if len(side) >= WAL_HEADER and sums_of(side[:24]) == struct.unpack_from(">II", side, 24):
        return own
    places = range(WAL_HEADER, len(side) - FRAME + 1, FRAME)
    found = Counter(side[start + 8 : start + 16] for start in places)
    shared = [salt for salt, count in found.items() if count > 1 and any(salt)]
    return own if own in shared else max(shared, default=own)


def accepted(side: bytes) -> bytes:
    """The part of a write-ahead log that SQLite would read; it ignores the rest silently."""
    return side[: WAL_HEADER + sound_frames(side) * FRAME]


def dropped(side: bytes) -> int:
    """How many commits seem to follow the frame at which SQLite stops reading.

    That frame itself proves nothing: it may have been half written when the power failed, and so
    may the commit it belongs to. A second commit begins only when the first is on the disk.
    """
    stop = sound_frames(side)
    return sum(bool(ended_with) and place > stop for place, _, ended_with, _ in frames(side))


def sound_frames(side: bytes) -> int:
    """The number of frames at the start of a write-ahead log with valid checksums."""
    if len(side) < WAL_HEADER:
        return 0
    order = ">" if side[3] & 1 else "<"
    salt = side[16:24]
    sums = sums_of(side[:24])
    if sums != struct.unpack_from(">II", side, 24):
        return 0
    count = 0
    for start in range(WAL_HEADER, len(side) - FRAME + 1, FRAME):
        sums = sums_of(side[start : start + 8], order, sums)
        sums = sums_of(side[start + FRAME_HEADER : start + FRAME], order, sums)
        if side[start + 8 : start + 16] != salt:
            break
        if sums != struct.unpack_from(">II", side, start + 16):
            break
        count += 1
    return count


def with_last_frame_mended(side: bytes) -> bytes | None:
    """The write-ahead log with one corrupt word repaired in the frame where SQLite stops.

    A frame that was being written when the power failed is truncated or stale from some offset on.
    If changing a single word explains the wrong checksum, it is corruption, and the step had been
    committed. None if that is not the case.
    """
    place = sound_frames(side)
    start = WAL_HEADER + place * FRAME
    frame = side[start : start + FRAME]
    if len(frame) < FRAME or sums_of(side[:24]) != struct.unpack_from(">II", side, 24):
        return None
    order = ">" if side[3] & 1 else "<"
    before = struct.unpack_from(">II", side, start - 8 if not place else start - FRAME + 16)
    words = bytearray(frame[:8] + frame[FRAME_HEADER:])
    found = sums_of(bytes(words), order, before)
    wanted = struct.unpack_from(">II", frame, 16)
    salt = side[16:24]
    if found == wanted:  # only the salt is wrong
        fixed = frame[:8] + salt + frame[16:]
    elif frame[8:16] != salt:
        return None
    elif found[0] == wanted[0] or found[1] == wanted[1]:  # only a checksum is wrong
        fixed = frame[:16] + struct.pack(">II", *found) + frame[FRAME_HEADER:]
    else:
        change = one_changed_word(len(words) // 4, found, wanted)
        if change is None:
            return None
        index, more = change
        old = struct.unpack_from(f"{order}I", words, 4 * index)[0]
        struct.pack_into(f"{order}I", words, 4 * index, (old + more) & MASK)
        fixed = bytes(words[:8]) + frame[8:FRAME_HEADER] + bytes(words[8:])
    return side[:start] + fixed + side[start + FRAME :]


def one_changed_word(
    count: int, found: tuple[int, int], wanted: tuple[int, int]
) -> tuple[int, int] | None:
    """The index of the one word to change, and the difference, that turn the one checksum into the
    other.

    The checksums are linear: what a word contributes is multiplied by two Fibonacci numbers, at
    least one of which is odd and therefore invertible.
    """
    first, second = ((want - have) & MASK for want, have in zip(wanted, found, strict=True))
    even, odd = (1, 1), (0, 1)
    for index in range(count - 2, -1, -2):
        for place, (one, two) in ((index, even), (index + 1, odd)):
            factor, total = (one, first) if one & 1 else (two, second)
            more = total * pow(factor, -1, MASK + 1) & MASK
            if (more * one & MASK, more * two & MASK) == (first, second):
                return place, more
        even, odd = (((a + b) & MASK, (a + 2 * b) & MASK) for a, b in (even, odd))
    return None


def sums_of(data: bytes, order: str = "", start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """The two running checksums of a write-ahead log over these words."""
    if not order:
        order = ">" if data[3] & 1 else "<"
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    first, second = start
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & MASK
        second = (second + odd + first) & MASK
    return first, second


def joined(data: bytes, side: bytes) -> bytes:
    """The game's file with the committed frames of its write-ahead log merged into it.

    Frames after the last commit frame were being written when the power failed; their step had not
    been answered.
    """
    pages: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    count = 0
    for _, number, ended_with, page in frames(side):
        waiting[number] = page
        if ended_with:
            pages |= waiting
            waiting = {}
            count = ended_with
    if not pages:
        return data
    old = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    whole = dict(enumerate(old, 1)) | pages
    if count > len(whole):  # SQLite would use it, and miss the pages in between
        raise Damaged(say("its side file does not belong to it"))
    return b"".join(whole.get(number, bytes(PAGE)) for number in range(1, count + 1))


def contradicts(side: bytes, steps: list[LogStep]) -> bool:
    """Whether a write-ahead log holds other steps than these under the same numbers.

    Only frames with valid checksums count, so that a flipped bit does not make it another game's.
    """
    pages = Pages()
    pages.add_side_file(accepted(side))
    same = [one == steps[one.seq - 1] for one in pages.rows() if 0 < one.seq <= len(steps)]
    return bool(same) and not any(same)


def varint(data: bytes, place: int) -> tuple[int, int]:
    """Decode SQLite's variable-length integer (one to nine bytes), and the offset after it."""
    value = 0
    for count in range(8):
        byte = data[place + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    return value << 8 | data[place + 8], place + 9


def within_page(size: int) -> int:
    """How many bytes of a payload are stored on the leaf page itself."""
    most, least = PAGE - 35, (PAGE - 12) * 32 // 255 - 23
    if size <= most:
        return size
    kept = least + (size - least) % (PAGE - 4)
    return kept if kept <= most else least


def read_row(seq: int, payload: bytes) -> LogStep | None:
    """A row of our table: the number (its row id), a time, and three texts."""
    header, place = varint(payload, 0)
    types = []
    while place < header:
        kind, place = varint(payload, place)
        types.append(kind)
    if len(types) != 5 or types[0] != 0 or types[1] not in NUMBERS:
        return None
    if any(kind < TEXTS or kind % 2 == 0 for kind in types[2:]):
        return None
    width, at_ms = NUMBERS[types[1]]
    if width:
        at_ms = int.from_bytes(payload[place : place + width], "big", signed=True)
    place += width
    if not 0 <= at_ms <= LATEST_MS:
        return None
    texts = []
    for kind in types[2:]:
        length = (kind - TEXTS) // 2
        texts.append(payload[place : place + length].decode("utf-8"))
        place += length
    return LogStep(seq, at_ms, *texts)


def salvage(files: list[bytes], side_files: list[bytes]) -> SalvagedSteps:
    """The longest run of steps without a gap that these files contain together."""
    pages = Pages()
    for data in files:
        pages.add_file(data)
    for data in side_files:
        pages.add_side_file(data)
    found: dict[int, list[LogStep]] = defaultdict(list)
    for step in pages.rows():
        if step not in found[step.seq]:
            found[step.seq].append(step)
    steps: list[LogStep] = []
    last: LogStep | None = None
    while True:
        fitting = [one for one in found.get(len(steps) + 1, ()) if one.follows(last)]
        if not fitting:
            break
        # A step whose commit failed may be found too: the valid one has a successor.
        onward = [
            one for one in fitting if any(two.follows(one) for two in found.get(one.seq + 1, ()))
        ]
        last = (onward or fitting)[-1]
        steps.append(last)
    sealed = [seq for seq in found if 0 < seq < 1 << 31]
    return SalvagedSteps(steps, max(sealed, default=0))
