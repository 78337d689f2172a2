"""A camera over a table: its set-up file, and notes on its calibration."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from calibration.references.rim_layout import rim_references
from calibration.references.table_pose import FEWEST_REFERENCES
from calibration.setup import Setup
from models import CompanionError, atomic_write
from models.field import decode, files_named, read_bytes

SUFFIX = ".setup.toml"
NOTES = ".notes.json"
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
    planned: str = ""
    """The table that the printed plan of the references is for, "48 x 48"."""
    again: str = ""
    """Why steps are to be done again: another "camera", or another "size" of the table."""
    board_only: bool = False
    """A game on a board is played with it: no trays, and nothing to check before its grid lies."""


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
        atomic_write.make_folder(new.path.parent)
        new.setup.save(new.path)
        text = json.dumps(asdict(new.notes), indent=1) + "\n"
        atomic_write.write_text(notes_path(new.path), text)
        return new

    def done(self, step: Step) -> bool:
        """Whether a step has been done; each can be redone alone."""
        notes = self.notes
        return {
            "print": (bool(notes.printed) or notes.table_px > 0) and not self.plan_is_old,
            "lens": self.setup.lens is not None or notes.lens_skipped,
            "table": notes.table_px > 0 and len(self.setup.references) >= FEWEST_REFERENCES,
            "trays": bool(self.setup.trays) or notes.board_only,
            "check": (bool(notes.check_unit) and notes.check_good) or self.for_boards,
        }[step]

    @property
    def for_boards(self) -> bool:
        """Whether it was said to be for boards, and knows no tray."""
        return self.notes.board_only and not self.setup.trays

    @property
    def next_step(self) -> Step | None:
        """The first step that has not been done."""
        return next((step for step in STEPS if not self.done(step)), None)

    @property
    def plan(self) -> str:
        """The size of the table, as the printed plan notes it."""
        return f"{self.setup.table_width:g} x {self.setup.table_depth:g}"

    @property
    def plan_is_old(self) -> bool:
        """Whether the references were printed for a table of another size."""
        return bool(self.notes.planned) and self.notes.planned != self.plan

    def through(self, source: str) -> CameraProfile:
        """The profile with another camera: what only the old one knew is asked again.

        References, trays and boards lie where they lay.
        """
        if source == self.notes.source:
            return self
        boards = tuple(replace(one, camera=()) for one in self.setup.boards)
        return self.saved(
            replace(self.setup, lens=None, boards=boards),
            source=source,
            again="camera" if self.measured else self.notes.again,
            **UNMEASURED_LENS,
            **UNMEASURED_TABLE,
        )

    @property
    def measured(self) -> bool:
        """Whether anything was measured with the camera."""
        return self.setup.lens is not None or self.notes.lens_skipped or self.done("table")

    def resized(self, width: float, depth: float, size_mm: float = 0.0) -> CameraProfile:
        """The profile with a table of another size: its references lie as the plan says."""
        size_mm = size_mm or self.notes.reference_mm
        same = (width, depth) == (self.setup.table_width, self.setup.table_depth)
        setup = replace(
            self.setup,
            table_width=width,
            table_depth=depth,
            references=rim_references(width, depth, size_mm),
        )
        again = self.notes.again if same or not self.done("table") else "size"
        return self.saved(setup, reference_mm=size_mm, again=again, **UNMEASURED_TABLE)

    @property
    def sees(self) -> bool:
        """Whether a table can be measured with it."""
        return len(self.setup.references) >= FEWEST_REFERENCES


UNMEASURED_LENS: dict[str, Any] = {"lens_px": 0.0, "lens_views": 0, "lens_skipped": False}
UNMEASURED_TABLE: dict[str, Any] = {
    "table_px": 0.0,
    "table_in": 0.0,
    "check_unit": "",
    "check_in": 0.0,
    "check_good": False,
}


def notes_path(path: Path) -> Path:
    """The path of a set-up's notes."""
    return path.with_name(path.name.removesuffix(SUFFIX) + NOTES)


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
    return tuple(files_named(folder, SUFFIX))


def fresh(folder: Path, wanted: str) -> CameraProfile:
    """Create an empty set-up under an unused name."""
    stem = re.sub(r"[^\w .-]+", "-", wanted).strip(" .-") or "table"
    path, number = folder / f"{stem}{SUFFIX}", 2
    while os.path.lexists(path):
        path, number = folder / f"{stem} {number}{SUFFIX}", number + 1
    return CameraProfile(path)


def named(folder: Path, name: str) -> CameraProfile | None:
    """The profile of that name, if there is one."""
    paths = camera_profiles(folder)
    return next((load(path) for path in paths if path.name == f"{name}{SUFFIX}"), None)


def chosen(folder: Path, name: str) -> CameraProfile | None:
    """The profile of that name; without a name, the only one there is."""
    paths = camera_profiles(folder)
    only = paths[0] if len(paths) == 1 else None
    return named(folder, name) or (load(only) if only is not None else None)
