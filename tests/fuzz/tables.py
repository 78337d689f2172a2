"""Table files: read and told back the same, or refused in one line."""

from __future__ import annotations

import json
import random
from pathlib import Path

from models import Table
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import damaged
from tests.models.sample import sample
from tests.odd_tables import odd_table

NAME = "f.table.json"


def make(dice: random.Random, folder: Path) -> bytes:
    """A table file, odd or damaged."""
    if dice.random() < 0.2:
        return odd_table(dice).encode()
    if dice.random() < 0.2:
        return damaged(dice, json.loads(odd_table(dice)))
    return damaged(dice, sample())


def check(data: bytes, folder: Path) -> str:
    """Load it."""
    path = folder / NAME
    path.write_bytes(data)
    table = Table.load(path)
    assert Table.parse(table.text()) == table
    return "read"


FUZZER = Fuzzer("tables", make, check)
