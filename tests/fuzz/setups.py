"""Set-up files of cameras and the notes beside them."""

from __future__ import annotations

import dataclasses
import json
import random
import tomllib
from pathlib import Path
from typing import Any

from calibration.camera.lens import Lens
from calibration.setup import Setup, with_camera
from companion.engine.camera.camera_profile import (
    STEPS,
    CalibrationNotes,
    load,
    notes_path,
    read_notes,
)
from companion.engine.camera.practice_source import practice_setup
from models import Table
from models.atomic_write import toml
from models.catalogue import DATA
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import damaged

SETUP = Setup.parse(practice_setup(Table.load(DATA / "practice.table.json")).text())
PLAIN = tomllib.loads(SETUP.text())
NOTES = dataclasses.asdict(CalibrationNotes(printed=("tags",), table_px=0.3))


def written(plain: Any) -> str:
    """A structure as a TOML file, each member on one line."""
    if not isinstance(plain, dict):
        return toml(plain)
    return "".join(f"{key} = {toml(value)}\n" for key, value in plain.items())


def make(dice: random.Random, folder: Path) -> tuple[bytes, bytes]:
    """A set-up file and its notes."""
    plain = PLAIN
    if dice.random() < 0.7:  # a few tags are enough, and quicker
        plain = {**PLAIN, "tray": PLAIN["tray"][:2], "reference": PLAIN["reference"][:4]}
    return damaged(dice, plain, written), damaged(dice, NOTES)


def check(given: tuple[bytes, bytes], folder: Path) -> str:
    """Load both; notes that cannot be read are forgotten, never refused."""
    path = folder / "table.setup.toml"
    path.write_bytes(given[0])
    notes_path(path).write_bytes(given[1])
    notes = read_notes(notes_path(path))
    assert all(
        type(getattr(notes, one.name)) is type(one.default)
        for one in dataclasses.fields(CalibrationNotes)
    )
    json.dumps(dataclasses.asdict(notes), allow_nan=False)
    camera_profile = load(path)
    assert Setup.parse(camera_profile.setup.text()) == camera_profile.setup
    assert camera_profile.next_step in (None, *STEPS)
    lens = camera_profile.setup.lens
    if isinstance(lens, Lens):
        changed = with_camera(path.read_text(encoding="utf-8"), lens)
        assert Setup.parse(changed).lens == lens
    return "read"


FUZZER = Fuzzer("setups", make, check)
