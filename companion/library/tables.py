"""Tables for other programs: read from files, texts, objects and pictures, and drawn from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.text.translation import catalogue
from models.catalogue import DATA
from models.field import Field, parse_json
from models.message import BadInput
from models.table import AnyTable, Table, load_table, read_table

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray
    from PIL import Image


SIZE_PX = (1600, 1600)
SIDES_PX = range(100, 4097)
"""How long a side of a map may be: smaller ones have no room for words, larger ones take memory."""


def load(path: Path | str) -> AnyTable:
    """The table of a `*.table.json` file: a `Table` with trays, or a `BoardTable`."""
    return load_table(path)


def practice_table() -> Table:
    """The table that `companion play` practises on, to try things with.

    >>> practice_table().unit("b1").name
    'Stark Sworn Swords'
    """
    return Table.load(DATA / "practice.table.json")


def parse(source: str | Mapping[str, Any]) -> AnyTable:
    """The table of such a file's text, or of the object in it."""
    root = parse_json(source, "table") if isinstance(source, str) else Field(dict(source), "table")
    return read_table(root)


def sound(table: AnyTable, moved: str = "") -> AnyTable:
    """The table, if a file could hold it; a place that is no number, say, is refused by name.

    The unit that just `moved` may overlap others: the rules decide whether it may.
    """
    read_table(Field(table.to_json(), "table"), moved)
    return table


def draw(
    table: AnyTable,
    unit: str | None = None,
    *,
    answers: bool = True,
    size: tuple[int, int] = SIZE_PX,
    language: str = "en",
    readings: Sequence[str] = (),
) -> Image.Image:
    """The table from above as a Pillow picture: with all answers, those of one unit, or none.

    >>> draw(practice_table(), answers=False, size=(400, 400)).size
    (400, 400)
    """
    from companion.overlay.picture import picture
    from companion.overlay.shapes import in_words

    if any(side not in SIDES_PX for side in size):
        known = f"from {SIDES_PX.start} to {SIDES_PX.stop - 1} pixels a side"
        raise BadInput("draw", "size", f"{size} is not {known}")
    game = games.find(sound(table).game)
    words = catalogue(language, game=games.package_of(game))
    if answers:
        scene = game.scene(table, unit, game.settings(readings))
    else:
        scene = game.board(table)
    return picture(in_words(scene, words.translate), size)


def known_games() -> tuple[str, ...]:
    """The games that can be played or asked, by their names in files; installed ones too."""
    from companion.session.game_lookup import games_to_play

    ruled = (name for game in games.every() for name in game.games)
    return tuple(dict.fromkeys((*ruled, *games_to_play())))


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
