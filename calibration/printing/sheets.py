"""Sheets to print: tray tags, reference tags, the lens board, and pages that show their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import OWN_BOARD, charuco
from calibration.printing.pdf import PAPERS, PLAIN, PdfPage, SheetText, document
from calibration.setup import DEFAULT_DICTIONARY, dictionary_of
from calibration.tags.mounts import PAIR_APART_MM, STANDARD_UP_MM, TAB_GAP_MM, plate_mm
from calibration.tags.tag import plain_words
from models.message import CompanionError, joined, say

REFERENCE_IDS = tuple(range(8))
IMITATED_IDS = (17, 37)
"""Codes of the default dictionary that pictures without any tag imitate."""
TRAY_IDS = tuple(number for number in range(10, 50) if number not in IMITATED_IDS)

MARGIN_MM = 12.0
HEAD_MM = 26.0
FOOT_MM = 24.0
"""At the bottom of a page, for the check ruler."""
FLAP_MM = 15.0
"""To glue under the tray."""

LARGEST_ON_STAND_MM = 38.0
GLUE_MM = 10.0
"""The tab that closes a stand."""
STAND_FOOT_MM = 12.0
"""The part of a figure's stand that is glued under its base."""
MOUNTS_PRINTED = ("stand", "figure-stand", "plain", "rear-tab", "corner-pair", "card-clip")
STANDS = ("stand", "figure-stand")
"""Shapes a tag can be cut out in; standards and free mounts use the plain one."""
FLAT = ("plain", "card-clip")
"""Shapes without a flap."""


class BadSheet(CompanionError):
    """A sheet that cannot be printed as asked."""


TRAY_TAGS, REFERENCE_TAGS = say("Tray tags"), say("Reference tags")
LENS_BOARD = say("Lens board")


@dataclass(frozen=True, slots=True)
class Order:
    """What to print: which tags, how large (edge of the black square), on which paper."""

    ids: tuple[int, ...]
    size_mm: float
    paper: str = "a4"
    dictionary: str = DEFAULT_DICTIONARY
    mount: str = "plain"

    @property
    def what(self) -> str:
        """The size of its tags; another dictionary than the usual one is named, too."""
        size = say("{size:g} mm", size=self.size_mm)
        return size if self.dictionary == DEFAULT_DICTIONARY else joined((size, self.dictionary))

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise BadSheet(f"no paper {self.paper!r}; there are: {', '.join(PAPERS)}")
        if not 8 <= self.size_mm <= 150:
            raise BadSheet(f"tags of {self.size_mm:g} mm cannot be printed; 8 to 150 can")
        if self.mount not in MOUNTS_PRINTED:
            raise BadSheet(f"no mount {self.mount!r}; there are: {', '.join(MOUNTS_PRINTED)}")
        known = dictionary_of(self.dictionary).bytesList.shape[0]
        for number in self.ids:
            if not 0 <= number < known:
                raise BadSheet(f"no tag {number} in {self.dictionary}; it has 0 to {known - 1}")
        if len(set(self.ids)) < len(self.ids):
            raise BadSheet("a tag is asked for twice")
        if not self.ids:
            raise BadSheet("no tags asked for")
        if self.mount == "corner-pair" and len(self.ids) % 2:
            raise BadSheet(f"pairs need an even number of tags, not {len(self.ids)}")


def usual_mount(size_mm: float) -> str:
    """The shape to print tags in, where nobody asks for another: stands, as far as they fit."""
    return "stand" if size_mm <= LARGEST_ON_STAND_MM else "plain"


def imitated_ids(dictionary: str) -> tuple[int, ...]:
    """Codes that pictures without any tag imitate: measured, or likely by their looks."""
    if dictionary == DEFAULT_DICTIONARY:
        return IMITATED_IDS
    return tuple(int(number) for number in np.flatnonzero(plain_words(dictionary)))


def tags_pdf(order: Order, text: SheetText = PLAIN) -> bytes:
    """Tray tags in true scale, and the page that shows how to mount them."""
    imitated = [number for number in order.ids if number in imitated_ids(order.dictionary)]
    notes = [say("Cut along the dashed lines: the white border belongs to the tag.")]
    if order.mount == "stand":
        notes = [
            say(
                "Stiff paper. Cut along the dashed lines, crease every line backwards, glue to a "
                "box."
            )
        ]
    if imitated:
        ids = ", ".join(map(str, imitated))
        notes.append(say("Avoid {ids}: pictures without tags imitate these codes.", ids=ids))
    pages = tag_pages(order, TRAY_TAGS, notes)
    return document([*pages, mounting_page(order)], TRAY_TAGS, text)


def references_pdf(
    order: Order, table: tuple[float, float] = (48.0, 48.0), text: SheetText = PLAIN
) -> bytes:
    """Reference tags in true scale, and the page that shows where they lie."""
    notes = [
        say("Lay them flat; matte paper, no foil. The arrow points away from player 1's edge."),
    ]
    pages = tag_pages(order, REFERENCE_TAGS, notes)
    return document([*pages, placing_page(order, table)], REFERENCE_TAGS, text)


def board_pdf(paper: str = "a4", text: SheetText = PLAIN) -> bytes:
    """The board from which `companion calibrate lens` measures a lens."""
    if paper not in PAPERS:
        raise BadSheet(f"no paper {paper!r}; there are: {', '.join(PAPERS)}")
    page = PdfPage(*PAPERS[paper])
    left = (page.width - OWN_BOARD.squares[0] * OWN_BOARD.square_mm) / 2
    top = (page.height - OWN_BOARD.squares[1] * OWN_BOARD.square_mm) / 2 - 3
    black = [
        (
            left + column * OWN_BOARD.square_mm,
            top + row * OWN_BOARD.square_mm,
            OWN_BOARD.square_mm,
            OWN_BOARD.square_mm,
        )
        for row in range(OWN_BOARD.squares[1])
        for column in range(OWN_BOARD.squares[0])
        if (row + column) % 2 == 0
    ]
    page.boxes(black)
    board = charuco(OWN_BOARD)
    codes = board.getDictionary()
    for number, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = np.asarray(corners)[:, :2].min(axis=0)
        cells = code_cells(codes, int(number))
        page.boxes(black_boxes(cells, left + float(x), top + float(y), OWN_BOARD.marker_mm))
    page.text(left, top - 9, LENS_BOARD, 11, bold=True)
    page.text(
        left,
        top - 4,
        say("Print at 100 %. Glue it to something flat. 12 or more photos: near, far, tilted."),
        8,
    )
    low = top + OWN_BOARD.squares[1] * OWN_BOARD.square_mm + 7
    ruler(page, left, low, words=False)
    page.text(left + 106, low - 1, say("The ruler must measure 100 mm,"), 7.5)
    square = say("a square {size:g} mm; measured: ________", size=OWN_BOARD.square_mm)
    page.text(left + 106, low + 3, square, 7.5)
    return document([page], LENS_BOARD, text)


# -- tags ------------------------------------------------------------------------------------


def code_cells(codes: cv2.aruco.Dictionary, number: int) -> NDArray[np.bool_]:
    """The tag's modules with its black frame, True where black."""
    side = codes.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(codes, number, side, borderBits=1) < 128)


def black_boxes(
    cells: NDArray[np.bool_], x: float, y: float, edge: float
) -> list[tuple[float, float, float, float]]:
    """Runs of black modules as rectangles."""
    side = len(cells)
    step = edge / side
    boxes = []
    for row in range(side):
        column = 0
        while column < side:
            if cells[row, column]:
                end = column
                while end < side and cells[row, end]:
                    end += 1
                boxes.append((x + column * step, y + row * step, (end - column) * step, step))
                column = end
            column += 1
    return boxes


def border_mm(order: Order) -> float:
    """White paper around the black square: a module and a quarter."""
    return 1.25 * order.size_mm / (dictionary_of(order.dictionary).markerSize + 2)


STAND_BACK, GLUE_UNDER = say("back, 45 mm"), say("glue under the tray")


def stand_parts(size_mm: float, mount: str = "stand") -> tuple[tuple[str, float], ...]:
    """The strip that folds to a stand, from its top down: what each part is, and how long."""
    plate = plate_mm(size_mm)
    if mount == "figure-stand":
        return (
            (say("foot of the stand"), STAND_FOOT_MM),
            (say("front, 45 mm"), STANDARD_UP_MM),
            (say("under the tag"), plate),
            ("", plate),
            (STAND_BACK, STANDARD_UP_MM),
            (say("foot of the stand"), STAND_FOOT_MM),
        )
    return (
        (say("glue onto the bottom"), GLUE_MM),
        (say("front, 45 mm"), STANDARD_UP_MM),
        ("", plate),
        (STAND_BACK, STANDARD_UP_MM),
        (say("bottom of the box"), plate),
        (GLUE_UNDER, FLAP_MM),
    )


def tag_pages(order: Order, title: str, notes: Sequence[str]) -> list[PdfPage]:
    """As many pages of tags as it takes."""
    width, height = PAPERS[order.paper]
    rim = border_mm(order)
    if order.mount in STANDS:
        return stand_pages(order, title, notes)
    groups = [order.ids[n : n + per_cell(order)] for n in range(0, len(order.ids), per_cell(order))]
    flap = FLAP_MM + TAB_GAP_MM - rim if order.mount not in FLAT else 0.0
    wide = order.size_mm + 2 * rim + (PAIR_APART_MM if order.mount == "corner-pair" else 0.0)
    high = order.size_mm + 2 * rim + flap + 5.0
    across = int((width - 2 * MARGIN_MM) // wide)
    down = int((height - HEAD_MM - FOOT_MM) // high)
    if across < 1 or down < 1:
        raise BadSheet(f"tags of {order.size_mm:g} mm do not fit on {order.paper}")
    pages = []
    for start in range(0, len(groups), across * down):
        page = PdfPage(width, height)
        heading(page, joined((title, order.what), ": "), notes)
        for place, ids in enumerate(groups[start : start + across * down]):
            x = MARGIN_MM + (place % across) * wide
            y = HEAD_MM + (place // across) * high
            cell(page, order, ids, x, y, (wide, high, flap))
        footing(page, order)
        pages.append(page)
    return pages


def stand_pages(order: Order, title: str, notes: Sequence[str]) -> list[PdfPage]:
    """Strips that fold to stands, side by side."""
    width, height = PAPERS[order.paper]
    parts = stand_parts(order.size_mm, order.mount)
    wide, high = plate_mm(order.size_mm), sum(long for _, long in parts) + 4.0
    across = int((width - 2 * MARGIN_MM) // wide)
    if across < 1 or high > height - HEAD_MM - FOOT_MM:
        raise BadSheet(f"stands with tags of {order.size_mm:g} mm do not fit on {order.paper}")
    pages = []
    for start in range(0, len(order.ids), across):
        page = PdfPage(width, height)
        heading(page, joined((title, order.what), ": "), notes)
        for place, tag in enumerate(order.ids[start : start + across]):
            strip(page, order, tag, MARGIN_MM + place * wide, HEAD_MM)
        footing(page, order)
        pages.append(page)
    return pages


def strip(page: PdfPage, order: Order, tag: int, x: float, y: float) -> None:
    """One stand to cut out and fold; the tag reads upright towards its front."""
    wide = plate_mm(order.size_mm)
    parts = stand_parts(order.size_mm, order.mount)
    page.frame(x, y, wide, sum(long for _, long in parts), dash_mm=1.5, grey=0.55)
    rim = (wide - order.size_mm) / 2
    codes = dictionary_of(order.dictionary)
    for number, (words, long) in enumerate(parts):
        if number:
            page.line([(x, y), (x + wide, y)], 0.2, 0.6)
        if words:
            page.text(x + 2, y + long / 2 + 1, words, 6, room_mm=wide - 3)
        else:
            boxes = black_boxes(code_cells(codes, tag), x + rim, y + rim, order.size_mm)
            page.boxes(boxes)
        if words == STAND_BACK:
            page.centred(x + wide / 2, y + long / 2 + 8, f"id {tag}", 8, bold=True)
        y += long


def per_cell(order: Order) -> int:
    """How many tags are cut out together."""
    return 2 if order.mount == "corner-pair" else 1


def cell(
    page: PdfPage,
    order: Order,
    ids: Sequence[int],
    x: float,
    y: float,
    size: tuple[float, float, float],
) -> None:
    """One piece to cut out: flap, tags, their numbers."""
    wide, high, flap = size
    rim = border_mm(order)
    page.frame(x, y, wide, high, dash_mm=1.5, grey=0.55)
    if flap:
        # The tray's rear edge comes here: TAB_GAP_MM before the black square.
        edge = y + FLAP_MM
        page.line([(x, edge), (x + wide, edge)], 0.2, 0.6)
        page.text(x + 2, edge - 6, GLUE_UNDER, 6, room_mm=wide - 3)
        page.text(x + 2, edge - 1.5, say("rear edge of the tray here"), 6, room_mm=wide - 3)
    codes = dictionary_of(order.dictionary)
    for number, tag in enumerate(ids):
        left, top = x + rim + number * PAIR_APART_MM, y + rim + flap
        page.boxes(black_boxes(code_cells(codes, tag), left, top, order.size_mm))
        page.centred(left + order.size_mm / 2, y + high - 2.2, f"id {tag}", 8, bold=True)
    if order.mount in FLAT:
        tip_x, tip_y = x + wide - 3.2, y + high - 4.6
        page.shape([(tip_x, tip_y), (tip_x + 1.1, tip_y + 2.4), (tip_x - 1.1, tip_y + 2.4)], 0.35)


def heading(page: PdfPage, title: str, notes: Sequence[str]) -> None:
    """Title and what to mind."""
    page.text(MARGIN_MM, 12, title, 13, bold=True)
    page.text(MARGIN_MM, 17, say("Print at 100 % (actual size, no fitting to the page)."), 8.5)
    for number, note in enumerate(notes):
        page.text(MARGIN_MM, 21 + 3.6 * number, note, 8)


def footing(page: PdfPage, order: Order) -> None:
    """The check ruler and the field for what the printer made of it."""
    ruler(page, MARGIN_MM, page.height - 12)
    page.text(
        MARGIN_MM + 108,
        page.height - 14,
        say("black square: {size:g} mm, measured: __________ mm", size=order.size_mm),
        8.5,
        bold=True,
    )
    page.text(
        MARGIN_MM + 108,
        page.height - 10,
        say("Enter the measured size in the app: camera, step Table or Trays."),
        7.5,
    )


def ruler(page: PdfPage, x: float, y: float, length: int = 100, words: bool = True) -> None:
    """A ruler to check the printer with."""
    page.line([(x, y), (x + length, y)], 0.25)
    for tick in range(length + 1):
        tall = 4.0 if tick % 10 == 0 else 2.6 if tick % 5 == 0 else 1.6
        page.line([(x + tick, y), (x + tick, y - tall)], 0.12)
    for tick in range(0, length + 1, 20):
        page.centred(x + tick, y + 3, str(tick), 7)
    if words:
        page.text(x, y - 5.2, say("This ruler must measure {n} mm.", n=length), 7)


# -- explanations ----------------------------------------------------------------------------


def placing_page(order: Order, table: tuple[float, float]) -> PdfPage:
    """A plan of the table with the references, their numbers and their places in inches."""
    page = PdfPage(*PAPERS[order.paper])
    centres = say("Centres of the black squares, in inches (and cm).")
    heading(page, say("Where the references lie"), [centres])
    scale = min(120.0 / table[0], 120.0 / table[1])
    left, top = (page.width - table[0] * scale) / 2, 40.0
    page.frame(left, top, table[0] * scale, table[1] * scale)
    for number, (x, y) in zip(order.ids, rim_places(table, len(order.ids)), strict=True):
        px, py = left + x * scale, top + (table[1] - y) * scale
        page.boxes([(px - 2.5, py - 2.5, 5, 5)])
        page.boxes([(px - 1.2, py - 1.2, 2.4, 2.4)], 1.0)
        side = -1 if x < table[0] / 3 else 1
        label = f"{number}: {x:.1f}, {y:.1f}"
        inner = py + (8 if y > table[1] / 2 else -5)
        if abs(x - table[0] / 2) < 1:
            page.centred(px, inner, label, 8, bold=True)
        elif side < 0:
            page.text(px + 4, py + 1, label, 8, bold=True)
        else:
            page.text(px - 22, py + 1, label, 8, bold=True)
    page.centred(page.width / 2, top + table[1] * scale + 5, say("player 1's edge (y = 0)"), 8.5)
    page.centred(page.width / 2, top + table[1] * scale + 16, say("the camera"), 8.5, bold=True)
    camera = page.width / 2, top + table[1] * scale + 9
    page.shape(
        [(camera[0], camera[1]), (camera[0] + 3, camera[1] + 4), (camera[0] - 3, camera[1] + 4)],
        0.3,
    )
    words = (
        say(
            "The corner at player 1's left hand is 0, 0. x runs along the edge, y away from "
            "player 1."
        ),
        say("Every reference reads upright from player 1's edge (heading 90)."),
        say(
            "At least four must always be seen; eight around the rim let hands and models "
            "hide some."
        ),
        say(
            "Camera: 90 cm or more above the table, 35 cm outside the edge, the whole table "
            "in view."
        ),
        say("Lay them to 1 mm, or lay them roughly and let the camera measure where they lie."),
        say("Measure the black squares you printed and enter their size in the app, step Table."),
        say("A board lies inside the references, anywhere; no reference lies on it."),
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 8, top + table[1] * scale + 28 + 5 * number, line, 9)
    row = top + table[1] * scale + 28 + 5 * len(words) + 4
    places = rim_places(table, len(order.ids))
    for number, (tag, (x, y)) in enumerate(zip(order.ids, places, strict=True)):
        spot_x, spot_y = MARGIN_MM + 8 + (number % 4) * 45, row + 5 * (number // 4)
        page.text(
            spot_x, spot_y, say("{n}: {x:.1f} cm, {y:.1f} cm", n=tag, x=x * 2.54, y=y * 2.54), 8.5
        )
    return page


def rim_places(table: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Places around the rim, counter-clockwise from the corner at player 1's left hand."""
    inset = 1.4
    width, depth = table
    around = [
        (inset, inset),
        (width / 2, inset),
        (width - inset, inset),
        (width - inset, depth / 2),
        (width - inset, depth - inset),
        (width / 2, depth - inset),
        (inset, depth - inset),
        (inset, depth / 2),
    ]
    if count <= 4:
        return around[::2][:count]
    more = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(around, around[1:] + around[:1], strict=True)
    ]
    if count > len(around + more):
        raise BadSheet(f"{count} references are more than fit around the rim; 16 do")
    return (around + more)[:count]


def mounting_page(order: Order) -> PdfPage:
    """How tags sit on a tray, by the names that the app gives to the ways."""
    page = PdfPage(*PAPERS[order.paper])
    heading(page, say("How tags sit on trays"), [])
    scale, x, y = 0.42, 40.0, 42.0
    wide, deep = 5.5 * 25.4 * scale, 4.8 * 25.4 * scale
    size, gap = order.size_mm * scale, TAB_GAP_MM * scale
    plate = plate_mm(order.size_mm)
    shown = (
        (
            say("paper stand"),
            (0.0,),
            plate / 2,
            say(
                "its tag {up:g} mm above the table, close behind the tray",
                up=STANDARD_UP_MM,
            ),
        ),
        (
            say("pair at the corners"),
            (-45.0, 45.0),
            TAB_GAP_MM + order.size_mm / 2,
            say(
                "flat on the table, {apart:g} mm apart, {gap:g} mm behind the tray",
                apart=PAIR_APART_MM,
                gap=TAB_GAP_MM,
            ),
        ),
    )
    for title, places, behind_mm, told in shown:
        page.text(x - 12, y - 6, title, 10, bold=True)
        page.boxes([(x, y, wide, deep)], 0.86)
        page.frame(x, y, wide, deep)
        page.shape([(x + wide / 2, y), (x + wide / 2 + 3, y + 5), (x + wide / 2 - 3, y + 5)], 0.3)
        page.text(x + wide / 2 + 5, y + 5, say("front"), 7.5)
        for side in places:
            middle = x + wide / 2 + side * scale
            page.boxes([(middle - size / 2, y + deep + behind_mm * scale - size / 2, size, size)])
        page.text(x + wide + 12, y + 5, told, 8)
        y += deep + gap + size + 22
    words = (
        say(
            "Two tags about 90 mm apart tell the heading four times better: use two where you can."
        ),
        say("A tag's up (the arrow beside its number) points to the front of the tray."),
        say(
            "Use stands: flat tags are often hidden by the unit's own models, tags 45 mm up never."
        ),
        say("A stand's flap goes under the tray, its front stands against the tray's rear edge."),
        say(
            "A millimetre of wrong height is a tenth of an inch at the far edge: measure it in the "
            "app, or take three pictures there (camera, step Trays)."
        ),
        say(
            "Other ways: two paper stands, tab behind, pair at the sides, standard, pair on a "
            "standard, or any place: tap the tray's corners in the app."
        ),
        say("Matte paper, no laminate: shine hides tags. Keep the white border."),
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 4, y + 6 * number, line, 9)
    return page
