"""The dice mat: a dark sheet with a tag in each corner, which tells the camera where a throw lies.

Its grey lies between white and black dice; light dots keep it from vanishing under clear ones. The
tags are of another dictionary than trays and references, so that none is ever taken for the other.

>>> A5_MAT.tag_corners(0)[0]
(4.0, 4.0)
>>> dice_mat_pdf("a5")[:5]
b'%PDF-'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.printing.pdf import PdfPage, Point, document
from calibration.printing.sheets import BadSheet, black_boxes, code_cells
from calibration.setup import dictionary_of

MAT_DICTIONARY = "DICT_5X5_50"
TAG_MM = 21.0
WHITE_MM = 4.0
"""White paper around a tag; also between the tag and the edge of the sheet."""
GREY = 0.27
DOT_GREY = 0.4
DOT_MM, DOT_STEP_MM = 0.9, 7.0


@dataclass(frozen=True, slots=True)
class DiceMat:
    """A mat's size and its four tags, clockwise from the upper left; millimetres, y down."""

    paper: str
    width_mm: float
    height_mm: float
    first_id: int

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of its tags."""
        return tuple(range(self.first_id, self.first_id + 4))

    def tag_corners(self, index: int) -> tuple[Point, ...]:
        """A tag's corners as printed, clockwise from its upper left."""
        x = WHITE_MM if index in {0, 3} else self.width_mm - WHITE_MM - TAG_MM
        y = WHITE_MM if index in {0, 1} else self.height_mm - WHITE_MM - TAG_MM
        return (x, y), (x + TAG_MM, y), (x + TAG_MM, y + TAG_MM), (x, y + TAG_MM)

    @property
    def field(self) -> tuple[Point, ...]:
        """The outline of where dice count: the dark part, without the corners of the tags."""
        inset, foot = WHITE_MM, 2 * WHITE_MM + TAG_MM
        w, h = self.width_mm, self.height_mm
        return (
            (foot, inset), (w - foot, inset), (w - foot, foot), (w - inset, foot),
            (w - inset, h - foot), (w - foot, h - foot), (w - foot, h - inset), (foot, h - inset),
            (foot, h - foot), (inset, h - foot), (inset, foot), (foot, foot),
        )  # fmt: skip


A5_MAT = DiceMat("a5", 210.0, 148.0, 40)
A4_MAT = DiceMat("a4", 297.0, 210.0, 44)
MATS = (A5_MAT, A4_MAT)


def dice_mat_pdf(paper: str = "a4") -> bytes:
    """The mat on its paper, in true scale (an A5 mat lies on half a sheet of A4)."""
    found = {mat.paper: mat for mat in MATS}.get(paper)
    if found is None:
        raise BadSheet(f"no dice mat on {paper!r}; there are: a4, a5")
    page = PdfPage(found.width_mm, found.height_mm)
    page.shape(found.field, GREY)
    page.boxes(((x - DOT_MM / 2, y - DOT_MM / 2, DOT_MM, DOT_MM) for x, y in dots(found)), DOT_GREY)
    codes = dictionary_of(MAT_DICTIONARY)
    for index, number in enumerate(found.ids):
        x, y = found.tag_corners(index)[0]
        page.boxes(black_boxes(code_cells(codes, number), x, y, TAG_MM))
    return document([page], "Dice mat")


def dots(mat: DiceMat) -> Iterator[Point]:
    """Dots in staggered rows, clear of the tags and the rim."""
    corner = 2 * WHITE_MM + TAG_MM + DOT_MM
    row, y = 0, WHITE_MM + DOT_STEP_MM / 2
    while y < mat.height_mm - WHITE_MM - DOT_MM:
        x = WHITE_MM + DOT_STEP_MM * (0.5 + 0.5 * (row % 2))
        while x < mat.width_mm - WHITE_MM - DOT_MM:
            if min(x, mat.width_mm - x) > corner or min(y, mat.height_mm - y) > corner:
                yield x, y
            x += DOT_STEP_MM
        row, y = row + 1, y + DOT_STEP_MM
