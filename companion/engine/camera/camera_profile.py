"""A camera over a table: its set-up file, notes on its calibration, and a tray that is being
entered in the set-up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from calibration.references.table_pose import FEWEST_REFERENCES
from calibration.setup import Setup, TaggedTray, TrayTag, known_trays
from calibration.tags.mount_fit import raised
from calibration.tags.mounts import MOUNTS, mount
from models import CompanionError, atomic_write
from models.field import decode, read_bytes

SUFFIX = ".setup.toml"
LONGEST, MOST_SHEETS, BEYOND = 1000, 20, 1e6
"""Limits on the text length, the number of sheets and the values in the notes."""
PRACTICE = "practice"
"""The source of a profile that sees the practice table."""
Step = Literal["print", "lens", "table", "trays", "check"]
STEPS: tuple[Step, ...] = ("print", "lens", "table", "trays", "check")


@dataclass(frozen=True, slots=True)
class CalibrationNotes:
    """What the set-up file does not hold: the frame source, and the quality of each step."""

    source: str = PRACTICE
    paper: str = "a4"
    printed: tuple[str, ...] = ()
    tag_mm: float = 25.0
    mount: str = "stand"
    """The last mount entered, the default for the next tray."""
    reference_mm: float = 40.0
    lens_px: float = 0.0
    lens_views: int = 0
    lens_skipped: bool = False
    table_px: float = 0.0
    table_in: float = 0.0
    check_unit: str = ""
    check_in: float = 0.0
    check_good: bool = False


@dataclass(frozen=True, slots=True)
class CameraProfile:
    """A set-up with its notes; every change is on disk before it is shown."""

    path: Path
    setup: Setup = Setup()
    notes: CalibrationNotes = CalibrationNotes()

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(SUFFIX)

    def saved(self, setup: Setup | None = None, **noted: Any) -> CameraProfile:
        """The profile with another set-up or other notes, after writing both."""
        new = CameraProfile(self.path, setup or self.setup, replace(self.notes, **noted))
        new.path.parent.mkdir(parents=True, exist_ok=True)
        new.setup.save(new.path)
        text = json.dumps(asdict(new.notes), indent=1) + "\n"
        atomic_write.write_text(notes_path(new.path), text)
        return new

    def done(self, step: Step) -> bool:
        """Whether a step has been done; each can be redone alone."""
        notes = self.notes
        return {
            "print": bool(notes.printed),
            "lens": self.setup.lens is not None or notes.lens_skipped,
            "table": notes.table_px > 0 and len(self.setup.references) >= FEWEST_REFERENCES,
            "trays": bool(self.setup.trays),
            "check": bool(notes.check_unit) and notes.check_good,
        }[step]

    @property
    def next_step(self) -> Step | None:
        """The first step that has not been done."""
        return next((step for step in STEPS if not self.done(step)), None)

    @property
    def sees(self) -> bool:
        """Whether a table can be measured with it."""
        return len(self.setup.references) >= FEWEST_REFERENCES


def notes_path(path: Path) -> Path:
    """The path of a set-up's notes."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".notes.json")


def load(path: Path) -> CameraProfile:
    """Load a profile; a broken set-up file raises an error, broken notes are ignored."""
    return CameraProfile(path, Setup.load(path), read_notes(notes_path(path)))


def read_notes(path: Path) -> CalibrationNotes:
    """The notes, as far as they can be read."""
    try:
        raw = json.loads(decode(read_bytes(path), path.name)) if path.is_file() else None
    except (CompanionError, OSError, ValueError, RecursionError):
        return CalibrationNotes()
    if not isinstance(raw, Mapping):
        return CalibrationNotes()
    usual = CalibrationNotes()
    known: dict[str, Any] = {}
    for one in fields(CalibrationNotes):
        value, like = raw.get(one.name), getattr(usual, one.name)
        if isinstance(like, tuple) and isinstance(value, list):
            known[one.name] = tuple(item for item in value[:MOST_SHEETS] if readable(item))
        elif isinstance(like, float) and isinstance(value, int | float):
            if not isinstance(value, bool) and abs(value) < BEYOND:  # also drops NaN
                known[one.name] = float(value)
        elif type(value) is type(like) and (is_number(value) or readable(value)):
            known[one.name] = value
    return CalibrationNotes(**known)


def is_number(value: object) -> bool:
    """Whether a value is a truth value or a whole number of a usual size."""
    return isinstance(value, int) and abs(value) < BEYOND


def readable(value: object) -> bool:
    """Whether a value is a text that can be shown."""
    return isinstance(value, str) and value.isprintable() and len(value) <= LONGEST


def camera_profiles(folder: Path) -> tuple[Path, ...]:
    """The set-up files in a folder, by name."""
    return tuple(sorted(folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else ()


def fresh(folder: Path, wanted: str) -> CameraProfile:
    """Create an empty set-up under an unused name."""
    stem = re.sub(r"[^\w .-]+", "-", wanted).strip(" .-") or "table"
    path, number = folder / f"{stem}{SUFFIX}", 2
    while path.exists():
        path, number = folder / f"{stem} {number}{SUFFIX}", number + 1
    return CameraProfile(path)


def chosen(folder: Path, name: str) -> CameraProfile | None:
    """The profile of that name; without a name, the only one there is."""
    paths = camera_profiles(folder)
    named = [path for path in paths if path.name == f"{name}{SUFFIX}"]
    picked = named or (paths if len(paths) == 1 else ())
    return load(picked[0]) if picked else None


TAPPED = "tapped"
"""The mount of a tray whose corners were tapped."""


@dataclass(frozen=True, slots=True)
class TrayDraft:
    """The values entered for a tray so far."""

    ids: tuple[int, ...]
    unit: str
    tray: str = "infantry"
    mount: str = "stand"
    size_mm: float = 25.0
    up_mm: float | None = None
    """The measured height; None uses the mount's default."""
    seats: tuple[TrayTag, ...] = ()
    """Where the tags are on the tray, once its corners were tapped."""
    before: str = ""
    """The unit that this replaces, if a known tray is edited."""

    @property
    def wanted(self) -> int:
        """How many tags the mount needs."""
        return MOUNTS[self.mount].tags if self.mount != TAPPED else len(self.ids)

    def tagged(self) -> TaggedTray | None:
        """The tray for the set-up; None while something is missing."""
        tray = known_trays()[self.tray]
        if self.mount == TAPPED:
            tags = tuple(replace(tag, size_mm=self.size_mm) for tag in self.seats)
        elif len(self.ids) == self.wanted:
            tags = mount(self.mount, tray, self.ids, self.size_mm)
        else:
            return None
        if self.up_mm is not None:
            tags = raised(tags, self.up_mm)
        return TaggedTray(self.unit, tray, tags) if tags and self.unit else None


def same_seats(some: Sequence[TrayTag], others: Sequence[TrayTag]) -> bool:
    """Whether the tags are at the same places, ignoring their heights."""
    return all(
        (a.id, a.turn) == (b.id, b.turn)
        and abs(a.forward - b.forward) < 1e-3
        and abs(a.left - b.left) < 1e-3
        and (a.up > 0) == (b.up > 0)
        for a, b in zip(some, others, strict=True)
    )
