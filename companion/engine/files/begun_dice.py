"""Dice that players have entered in part: on disk with every tap, lost with no battery.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> keep_begun_dice(folder, BegunDice("a.game", 7, (), "orders", (3, 5)))
>>> begun_dice(folder, "a.game", 7)
BegunDice(game='a.game', step=7, given=(), question='orders', faces=(3, 5))
>>> begun_dice(folder, "a.game", 8).faces
()
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models import CompanionError, atomic_write
from models.field import load_kept_json

NAME = "begun-dice.json"


@dataclass(frozen=True, slots=True)
class BegunDice:
    """After which step of which game they lie on the table: the kinds of dice that are complete,
    and the faces so far of those that are asked for now."""

    game: str = ""
    step: int = 0
    given: tuple[tuple[str, Any], ...] = ()
    question: str = ""
    faces: tuple[int, ...] = ()


def keep_begun_dice(folder: Path, begun: BegunDice) -> None:
    """Write them to the disk; without any the file goes."""
    if begun.given or begun.faces:
        atomic_write.make_folder(folder)
        atomic_write.write_text(folder / NAME, json.dumps(asdict(begun)) + "\n")
    else:
        (folder / NAME).unlink(missing_ok=True)


def begun_dice(folder: Path, game: str, step: int) -> BegunDice:
    """Those of a game after this step; none from a file that cannot be read."""
    with suppress(OSError, CompanionError):
        raw = load_kept_json(folder / NAME).raw
        if isinstance(raw, dict) and (raw.get("game"), raw.get("step")) == (game, step):
            return read(raw)
    return BegunDice()


def read(raw: Mapping[str, Any]) -> BegunDice:
    """The record in a file, as far as it is one: what does not fit is entered again."""
    given, faces = raw.get("given"), raw.get("faces")
    pairs = [tuple(one) for one in given or () if isinstance(one, list) and len(one) == 2]
    numbers = [one for one in faces or () if type(one) is int]
    return BegunDice(
        str(raw["game"]), int(raw["step"]), tuple(pairs), str(raw.get("question")), tuple(numbers)
    )
