"""Sheets of tags for pieces without a tray: flat ones for a paper clip on a card, and stands to
fold for figures on round bases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from calibration.board_place import CORNER_IDS, CORNER_TAG_MM
from calibration.printing.pdf import PAPERS, PdfPage, document
from calibration.printing.sheets import FOOT_MM, HEAD_MM, MARGIN_MM, Order, heading, tag_pages
from calibration.setup import Setup
from calibration.tags.mounts import figure_stand, mount
from models.atomic_write import members
from models.unit import Tray

CLIP_TAG_MM = 15.0
CLIP_MOUNT = "card-clip"
CARD_MM = (63.0, 88.0)
"""Width and length of a card of the usual size."""


def clips_pdf(order: Order) -> bytes:
    """Card tags in true scale, and the page that shows how they are clipped."""
    notes = (
        "Cut along the dashed lines: the white border belongs to the tag.",
        "The strip with the number goes on the card's front, under a paper clip.",
    )
    return document([*tag_pages(order, "Card tags", notes), clipping_page(order)], "Card tags")


def card_tray() -> Tray:
    """A card as what carries a tag; its front is its top edge."""
    width, length = CARD_MM
    return Tray("", round(width / 25.4, 3), round(length / 25.4, 3))


def with_clips(text: str, ids: tuple[int, ...], size_mm: float, source: str = "setup") -> str:
    """The text of a set-up file with the card tags that it does not have yet; the rest stays as
    it was written."""
    known = Setup.parse(text, source).ids()
    tray = card_tray()
    lines = [text.rstrip("\n")]
    for number in ids:
        if number not in known:
            (tag,) = mount(CLIP_MOUNT, tray, (number,), size_mm)
            lines += ["", "[[tray]]", *members({"tray": tray.to_json(), "unit": f"card-{number}"})]
            lines += ["[[tray.tag]]", *members(tag.to_json())]
    changed = "\n".join(lines) + "\n"
    Setup.parse(changed, source)  # raises if it cannot be read back
    return changed


def clipping_page(order: Order) -> PdfPage:
    """How a tag is clipped to a card."""
    page = PdfPage(*PAPERS[order.paper])
    heading(page, "How tags are clipped to cards", [])
    (tag,) = mount(CLIP_MOUNT, card_tray(), order.ids[:1], order.size_mm)
    width, length = CARD_MM
    left, top = 34.0, 60.0
    page.frame(left, top, width, length)
    edge = order.size_mm
    middle = top + length / 2 - tag.forward * 25.4
    page.boxes([(left + (width - edge) / 2, middle - edge / 2, edge, edge)])
    page.text(left + 4, top + 8, "front of the card, as its player reads it", 7.5)
    page.text(left + width + 8, top + 8, f"black square: {order.size_mm:g} mm,", 8)
    page.text(left + width + 8, top + 13, "before the card's top edge", 8)
    words = (
        "Only cards in play get a tag; it comes off when the card leaves play.",
        "Nothing is glued and nothing lies behind the card: hands and decks stay secret.",
        "Upright means standing, turned to a side means kneeling, for the player who controls it.",
        "Characters lie in front, locations behind; attachments stick out over the top edge.",
        "Matte paper, no laminate: shine hides tags. Keep the white border.",
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 4, top + length + 14 + 6 * number, line, 9)
    return page


FIGURE_TAG_MM = 12.0
BASES_MM = (30.0, 50.0)
"""The round bases whose numbers the sheet prints."""
FIGURE_MOUNT = "figure-stand"
SMALL = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya".split(),
        strict=True,
    )
)
LATIN = SMALL | {letter.upper(): sound.capitalize() for letter, sound in SMALL.items()}
LINE_MM = 7.0
"""The height of a line of the list of figures."""


def figures_pdf(order: Order, names: Mapping[int, str] | None = None) -> bytes:
    """Figures' tags on stands in true scale, and the page that shows how they are mounted.

    With names a list says which tag stands on which figure.
    """
    notes = (
        "Stiff paper. Cut along the dashed lines, crease every line backwards.",
        "Glue front to back and plate to plate; glue the feet under the base.",
    )
    pages = [*tag_pages(order, "Figure tags", notes), *name_pages(order, names or {})]
    return document([*pages, figures_page(order), *corner_pages(order)], "Figure tags")


def corner_pages(order: Order) -> Iterator[PdfPage]:
    """The two tags that show the camera where a board lies, and where they lie on it."""
    corners = Order(CORNER_IDS, CORNER_TAG_MM, order.paper, order.dictionary)
    first, last = CORNER_IDS
    notes = (
        f"Lay {first} on the corner space at player 1's left hand, {last} on the space opposite,",
        "in the middle of the space, before figures stand there. They may go once the grid fits.",
    )
    yield from tag_pages(corners, "Board corners", notes)


def name_pages(order: Order, names: Mapping[int, str]) -> Iterator[PdfPage]:
    """The number of each tag and the figure that carries it, in two columns."""
    width, height = PAPERS[order.paper]
    listed = [(number, names[number]) for number in order.ids if number in names]
    down = int((height - HEAD_MM - FOOT_MM) // LINE_MM)
    for start in range(0, len(listed), 2 * down):
        page = PdfPage(width, height)
        heading(page, "Which tag stands on which figure", [])
        for place, (number, name) in enumerate(listed[start : start + 2 * down]):
            x = MARGIN_MM + 4 + (place // down) * (width / 2 - MARGIN_MM)
            y = HEAD_MM + LINE_MM * (place % down)
            page.text(x, y, f"{number}   {latin(name)}", 10)
        yield page


def latin(name: str) -> str:
    """A name in the letters that the sheet's font has; Cyrillic ones are written as they sound.

    >>> latin("Сир Лин")
    'Sir Lin'
    """
    return "".join(LATIN.get(letter, letter) for letter in name)


def figures_page(order: Order) -> PdfPage:
    """How a figure's stand sits on its base."""
    page = PdfPage(*PAPERS[order.paper])
    heading(page, "How tags sit on figures", [])
    x, y = 30.0, 40.0
    for base_mm in BASES_MM:
        tag = figure_stand(Tray.base(base_mm / 25.4), (order.ids[0],), order.size_mm)[0]
        around = [
            (x + base_mm / 2 * (1 + math.cos(a)), y + base_mm / 2 * (1 + math.sin(a)))
            for a in (n * math.pi / 24 for n in range(48))
        ]
        page.shape(around, 0.86)
        tip = x + base_mm / 2
        page.shape([(tip, y), (tip + 2, y + 4), (tip - 2, y + 4)], 0.3)
        page.text(tip + 4, y + 4, "front", 7.5)
        edge = order.size_mm
        behind = -tag.forward * 25.4
        page.boxes([(tip - edge / 2, y + base_mm / 2 + behind - edge / 2, edge, edge)])
        page.text(x + 60, y + base_mm / 2, f"base of {base_mm:g} mm,", 8)
        told = f"its tag of {order.size_mm:g} mm lies {tag.up * 25.4:.0f} mm above the board"
        page.text(x + 60, y + base_mm / 2 + 5, told, 8)
        y += base_mm + 22
    words = (
        "The back of the stand rises at the rear edge of the base, the tag lies over the figure.",
        "A tag's up points to the front of the figure. Figures may be turned freely.",
        "The references lie around the board, none on it: raised tags would hide them.",
        "Where the board lies is shown in the app: tap two corners, or lay the corner tags.",
        "Camera: 60 to 90 cm from the board, the whole board and at least four references in view.",
        "Matte paper, no laminate: shine hides tags. Keep the white border.",
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 4, y + 6 * number, line, 9)
    return page
