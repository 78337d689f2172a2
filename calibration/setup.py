"""The set-up file (`*.setup.toml`): which camera, which table, which tags sit where.

>>> setup = Setup.parse('format = "table-companion/setup/1"')
>>> setup.table_width, setup.dictionary, setup.lens
(48.0, 'DICT_4X4_50', None)
>>> Setup.parse(setup.text()) == setup
True
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Self

from calibration.board_place import BoardPlace, shape_of
from calibration.camera.lens import Lens
from calibration.tags.tag_name import OtherTag, dictionaries, dictionary_of, plain_id, read_id
from models import atomic_write
from models.atomic_write import members, toml
from models.board import Board
from models.catalogue import Catalogue, catalogue
from models.field import Field, load_toml, parse_toml, shown
from models.message import BadInput
from models.pose import TablePlace
from models.record_reader import (
    GIVEN,
    WRITTEN,
    Between,
    FileKey,
    Length,
    ReadBy,
    Record,
    check_format,
    read_record,
)
from models.unit import Tray

__all__ = ["OtherTag", "ReferenceTag", "Setup", "TaggedTray", "TrayTag"]
__all__ += ["dictionaries", "dictionary_of", "known_trays"]

FORMAT = "table-companion/setup/1"
DEFAULT_DICTIONARY = "DICT_4X4_50"
MM_PER_IN = 25.4

FLAT_SIGMA_MM, RAISED_SIGMA_MM = 0.7, 1.0
"""How well the height of a tag is known, flat on the table or raised, unless the file says so:
tabs bow, glue and card have a thickness."""
GLUE_SIGMA_MM, TURN_SIGMA_DEG = 0.6, 0.8
"""How well hands glue a tag to its place on a tray, unless the file says otherwise."""

SIZE_SIGMA = 0.002
"""How much prints of one printer differ, as a share: a twentieth of a millimetre of 25."""

MAX_UP_IN = 12.0
TagSize = Annotated[float, Between(2, 1000)]
TagHeight = Annotated[float, Between(0, MAX_UP_IN)]
TagTurn = Annotated[float, Between(-36000, 36000)]
OnTray = Annotated[float, Between(-24, 24), WRITTEN]
GlueDoubt = Annotated[float, Between(0, 50)]


class TagRecord(Record):
    """A tag whose id may name a dictionary other than the set-up's."""

    __slots__ = ()
    id: int

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> Self:
        """A tag; `about` is the usual dictionary."""
        raw = field.keys(field.members(), {"id"})
        rest = {key: value for key, value in raw.items() if key not in ("id", "dictionary")}
        place = Field(rest, field.source, field.place)
        return read_record(cls, place, None, {"id": read_id(field, about)})

    def to_json(self) -> dict[str, Any]:
        """The tag as the file writes it."""
        return {**plain_id(self.id), **Record.to_json(self)}


@dataclass(frozen=True, slots=True)
class ReferenceTag(TagRecord):
    """A tag lying at a known place of the table: centre, heading of its own up, edge, height."""

    id: Annotated[int, GIVEN]
    x: TablePlace
    y: TablePlace
    heading: TagTurn
    size_mm: TagSize
    up: TagHeight = 0.0

    @property
    def size_in(self) -> float:
        """Edge of the black square in inches."""
        return self.size_mm / MM_PER_IN


@dataclass(frozen=True, slots=True)
class TrayTag(TagRecord):
    """Where a tag sits on its tray: forward, left and up from the centre at table level (inches).

    `turn` is counter-clockwise from the tray's facing to the tag's own up. `up_sigma_mm`,
    `glue_sigma_mm` and `turn_sigma_deg` say how well its height, its place and its turn are known
    (one standard deviation); None is what hands usually achieve.
    """

    id: Annotated[int, GIVEN]
    size_mm: TagSize
    forward: OnTray = 0.0
    left: OnTray = 0.0
    up: Annotated[TagHeight, WRITTEN] = 0.0
    turn: Annotated[TagTurn, WRITTEN] = 0.0
    up_sigma_mm: GlueDoubt | None = None
    glue_sigma_mm: GlueDoubt | None = None
    turn_sigma_deg: Annotated[float, Between(0, 90)] | None = None

    @property
    def size_in(self) -> float:
        """Edge of the black square in inches."""
        return self.size_mm / MM_PER_IN

    @property
    def up_sigma_in(self) -> float:
        """One standard deviation of the height in inches."""
        usual = RAISED_SIGMA_MM if self.up > 0 else FLAT_SIGMA_MM
        return (usual if self.up_sigma_mm is None else self.up_sigma_mm) / MM_PER_IN

    @property
    def glue_sigma_in(self) -> float:
        """One standard deviation of forward and of left in inches."""
        return (GLUE_SIGMA_MM if self.glue_sigma_mm is None else self.glue_sigma_mm) / MM_PER_IN

    @property
    def turn_sigma_rad(self) -> float:
        """One standard deviation of the turn in radians."""
        return math.radians(TURN_SIGMA_DEG if self.turn_sigma_deg is None else self.turn_sigma_deg)


def read_tray(field: Field, about: Any = None) -> Tray:
    """A tray by name or by its size, or the round base of a figure on a board."""
    if isinstance(field.raw, dict) and "diameter" in field.raw:
        field.keys({"diameter"})
        return Tray.base(field.member("diameter").number(0.25, 24))
    return Tray.read(field, known_trays())


def known_trays() -> Mapping[str, Tray]:
    """The trays that have names; every game shares them."""
    return catalogue(Catalogue.games()[0]).trays


@dataclass(frozen=True, slots=True)
class TaggedTray(Record):
    """The tray of one unit and the tags it carries."""

    unit: Annotated[str, Length(60)]
    tray: Annotated[Tray, ReadBy(read_tray)]
    tags: Annotated[tuple[TrayTag, ...], Length(12, 1), FileKey("tag")]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that must be known before a picture can be measured.

    Without a lens, it is estimated from the reference tags and the answers say so.
    """

    lens: Lens | None = None
    table_width: float = 48.0
    table_depth: float = 48.0
    dictionary: str = DEFAULT_DICTIONARY
    references: tuple[ReferenceTag, ...] = ()
    trays: tuple[TaggedTray, ...] = ()
    boards: tuple[BoardPlace, ...] = ()
    """Where boards lie, one place for each shape."""
    mirrored: bool = False
    """Whether the camera's pictures come mirrored: they are turned back before anything else."""

    # -- asking -----------------------------------------------------------------------------

    def reference_of(self, tag_id: int) -> ReferenceTag | None:
        return next((tag for tag in self.references if tag.id == tag_id), None)

    def tray_of(self, tag_id: int) -> tuple[TaggedTray, TrayTag] | None:
        """The tray that carries that tag and where it sits on it, if any does."""
        for tray in self.trays:
            for tag in tray.tags:
                if tag.id == tag_id:
                    return tray, tag
        return None

    def ids(self) -> frozenset[int]:
        """Every tag that may be seen on this table."""
        return frozenset(tag.id for tag in self.tags())

    def tags(self) -> Iterator[ReferenceTag | TrayTag]:
        """References first, then the trays' tags."""
        yield from self.references
        for tray in self.trays:
            yield from tray.tags

    def by_dictionary(self) -> dict[str, frozenset[int]]:
        """The ids of every dictionary in use, as this set-up numbers them; the usual first."""
        sorts: dict[str, set[int]] = {self.dictionary: set()}
        for tag in self.tags():
            name = OtherTag.of(tag.id).dictionary or self.dictionary
            sorts.setdefault(name, set()).add(tag.id)
        return {name: frozenset(ids) for name, ids in sorts.items()}

    def size_mm(self, tag_id: int) -> float | None:
        """Edge of that tag's black square, if the file knows it."""
        return next((tag.size_mm for tag in self.tags() if tag.id == tag_id), None)

    def board_place(self, board: Board) -> BoardPlace | None:
        """Where a board of that shape lies, if somebody has shown it."""
        return next((one for one in self.boards if one.shape == shape_of(board)), None)

    def with_board(self, place: BoardPlace) -> Setup:
        """The set-up with another place of boards of that shape."""
        others = tuple(one for one in self.boards if one.shape != place.shape)
        return replace(self, boards=(*others, place))

    def with_lens(self, lens: Lens | None) -> Setup:
        """The same table seen through another lens."""
        return replace(self, lens=lens)

    # -- text -------------------------------------------------------------------------------

    @classmethod
    def read(cls, root: Field) -> Setup:
        """A set-up from a parsed file; every refusal names its place."""
        raw = root.keys(
            {"format", "camera", "picture", "table", "tags", "reference", "tray", "board"},
            {"format"},
        )
        check_format(root, FORMAT)
        width = depth = 48.0
        if "table" in raw:
            size = root.member("table")
            size.keys({"width", "depth"})
            width = size.member("width").number(12, 144) if "width" in size.raw else width
            depth = size.member("depth").number(12, 144) if "depth" in size.raw else depth
        dictionary = DEFAULT_DICTIONARY
        if "tags" in raw:
            tags = root.member("tags")
            if "dictionary" in tags.keys({"dictionary"}):
                dictionary = tags.member("dictionary").choice(dictionaries())
        mirrored = False
        if "picture" in raw:
            picture = root.member("picture")
            if "mirrored" in picture.keys({"mirrored"}):
                mirrored = picture.member("mirrored").flag()
        setup = cls(
            Lens.read(root.member("camera")) if "camera" in raw else None,
            width,
            depth,
            dictionary,
            tuple(ReferenceTag.read(item, dictionary) for item in root.listed("reference", 200)),
            tuple(TaggedTray.read(item, dictionary) for item in root.listed("tray", 400)),
            tuple(BoardPlace.read(item) for item in root.listed("board", 100)),
            mirrored,
        )
        refuse_twins(setup, root.source)
        return setup

    @classmethod
    def load(cls, path: Path | str) -> Setup:
        """A set-up from a `*.setup.toml` file."""
        return cls.read(load_toml(Path(path)))

    @classmethod
    def parse(cls, text: str, source: str = "setup") -> Setup:
        """A set-up from the text of such a file."""
        return cls.read(parse_toml(text, source))

    def text(self) -> str:
        """The set-up as the text of a file; `Setup.parse` reads it back."""
        lines = [f"format = {toml(FORMAT)}"]
        if self.lens is not None:
            lines += ["", "[camera]", *members(self.lens.to_json())]
        if self.mirrored:
            lines += ["", "[picture]", *members({"mirrored": True})]
        lines += ["", "[table]"]
        lines += members({"width": self.table_width, "depth": self.table_depth})
        lines += ["", "[tags]", *members({"dictionary": self.dictionary})]
        for reference in self.references:
            lines += ["", "[[reference]]", *members(reference.to_json())]
        for tray in self.trays:
            lines += ["", "[[tray]]"]
            lines += members({"tray": tray.tray.to_json(), "unit": tray.unit})
            for tag in tray.tags:
                lines += ["[[tray.tag]]", *members(tag.to_json())]
        for place in self.boards:
            lines += ["", "[[board]]", *members(place.to_json())]
        return "\n".join(lines) + "\n"

    def save(self, path: Path | str) -> None:
        """Write the file whole or not at all."""
        atomic_write.write_text(Path(path), self.text())


def with_camera(text: str, lens: Lens, source: str = "setup") -> str:
    """The text of a set-up file with another `[camera]`, everything else left as it was written."""
    goal = Setup.parse(text, source).with_lens(lens)
    return with_section(text, "camera", lens.to_json(), goal)


def with_mirror(text: str, mirrored: bool, source: str = "setup") -> str:
    """The text of a set-up file that says whether the camera mirrors, the rest left as it was."""
    goal = replace(Setup.parse(text, source), mirrored=mirrored)
    return with_section(text, "picture", {"mirrored": mirrored}, goal)


def with_section(text: str, name: str, values: Mapping[str, Any], goal: Setup) -> str:
    """The text of a set-up file with one section replaced or added; it reads as the goal."""
    title = f"[{name}]"
    section = [title, *members(dict(values))]
    kept: list[str] = []
    inside = False
    for line in text.splitlines():
        head = line.strip()
        if head.startswith("["):
            inside = head.split("#")[0].strip() == title
            if inside:
                kept += section
        # Comments between the sections stay.
        if not inside or (not head or head.startswith("#")):
            kept.append(line)
    if title not in kept:
        place = next(
            (number for number, line in enumerate(kept) if line.lstrip().startswith("[")), len(kept)
        )
        kept[place:place] = [*section, ""]
    changed = "\n".join(kept) + "\n"
    try:
        fits = Setup.parse(changed) == goal
    except BadInput:
        fits = False
    return changed if fits else goal.text()


def refuse_twins(setup: Setup, source: str) -> None:
    """Refuse one tag in two places, one unit on two trays and two places of one board."""
    places: dict[int, str] = {}
    units: dict[str, str] = {}

    def claim(tag_id: int, place: str) -> None:
        if tag_id in places:
            problem = f"{OtherTag.of(tag_id)} is already {places[tag_id]}"
            raise BadInput(source, f"{place}.id", problem)
        places[tag_id] = place

    for number, reference in enumerate(setup.references):
        claim(reference.id, f"reference[{number}]")
    for number, tray in enumerate(setup.trays):
        if tray.unit in units:
            problem = f"{shown(tray.unit)} is already {units[tray.unit]}"
            raise BadInput(source, f"tray[{number}].unit", problem)
        units[tray.unit] = f"tray[{number}]"
        for place, tag in enumerate(tray.tags):
            claim(tag.id, f"tray[{number}].tag[{place}]")
    shapes = [one.shape for one in setup.boards]
    for number, shape in enumerate(shapes):
        if shape in shapes[:number]:
            raise BadInput(source, f"board[{number}]", f"is already board[{shapes.index(shape)}]")
