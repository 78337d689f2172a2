"""A picture of a table for other programs: where every tray stands, as a table to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.message import BadInput
from models.table import AnyTable, load_table

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What one picture shows: the table that was seen, which units were not, and what is odd.

    `table` is None where no table was found; `problems` says why. `facts` are the values as
    `companion look --json` prints them.
    """

    table: AnyTable | None
    missing: tuple[str, ...]
    problems: tuple[str, ...]
    facts: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.facts[key]


def look(
    picture: Path | str | NDArray[uint8],
    setup: Path | str,
    units: AnyTable | Path | str | None = None,
) -> SeenTable:
    """Measure a photo (a file, or rows × columns × blue, green, red) with a set-up file.

    `units` is a table, or its file, with the names, numbers, terrain and tokens of what may be
    seen. Of a tray that it does not know only the place is told: `problems` says so, and which
    values its answers assume.
    """
    from calibration.references.table_pose import TablePose
    from calibration.setup import Setup
    from companion.vision import look as looking
    from companion.vision.sources.frame import CameraFrame, load_photo
    from models.board_table import BoardTable

    known = looking.require(Setup.load(Path(setup)), str(setup))
    like = load_table(units) if isinstance(units, str | Path) else units
    if isinstance(like, BoardTable) and like.board.at is None:
        raise BadInput("units", "board.at", "is missing: a camera needs the board's place")
    if isinstance(picture, str | Path):
        frame = CameraFrame(load_photo(str(picture)), name=str(picture))
    else:
        frame = CameraFrame(picture, name="picture")
    sight = looking.look(frame, known, thorough=True)
    table: AnyTable | None = None
    problems = sight.problems
    if isinstance(sight.camera, TablePose):
        problems += looking.unknown_values(sight.trays, like)
        if isinstance(like, BoardTable):
            table = looking.seen_board(sight.trays, like)
        else:
            table = looking.seen_table(sight.trays, known, like)
    return SeenTable(table, sight.missing, problems, sight.to_json(known))
