"""Sheets of tags for pieces without a tray: flat ones for a paper clip on a card, and stands to
fold for figures on round bases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from calibration.board_place import CORNER_IDS, CORNER_TAG_MM
from calibration.printing.pdf import PAPERS, PLAIN, PdfPage, SheetText, document
from calibration.printing.sheets import FOOT_MM, HEAD_MM, MARGIN_MM, Order, heading, tag_pages
from calibration.setup import Setup
from calibration.tags.mounts import figure_stand, mount
from models.atomic_write import members
from models.message import say
from models.unit import Tray

CLIP_TAG_MM = 15.0
CLIP_MOUNT = "card-clip"
CARD_MM = (63.0, 88.0)
"""Width and length of a card of the usual size."""


def clips_pdf(order: Order, text: SheetText = PLAIN) -> bytes:
    """Card tags in true scale, and the page that shows how they are clipped."""
    notes = (
        say("Cut along the dashed lines: the white border belongs to the tag."),
        say("The strip with the number goes on the card's front, under a paper clip."),
    )
    title = say("Card tags")
    return document([*tag_pages(order, title, notes), clipping_page(order)], title, text)


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
    heading(page, say("How tags are clipped to cards"), [])
    (tag,) = mount(CLIP_MOUNT, card_tray(), order.ids[:1], order.size_mm)
    width, length = CARD_MM
    left, top = 34.0, 60.0
    page.frame(left, top, width, length)
    edge = order.size_mm
    middle = top + length / 2 - tag.forward * 25.4
    page.boxes([(left + (width - edge) / 2, middle - edge / 2, edge, edge)])
    page.text(left + 4, top + 8, say("front of the card, as its player reads it"), 7.5)
    square = say("black square: {size:g} mm, before the card's top edge", size=order.size_mm)
    page.text(left + width + 8, top + 8, square, 8)
    words = (
        say("Only cards in play get a tag; it comes off when the card leaves play."),
        say("Nothing is glued and nothing lies behind the card: hands and decks stay secret."),
        say(
            "Upright means standing, turned to a side means kneeling, for the player who "
            "controls it."
        ),
        say("Characters lie in front, locations behind; attachments stick out over the top edge."),
        say("Matte paper, no laminate: shine hides tags. Keep the white border."),
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 4, top + length + 14 + 6 * number, line, 9)
    return page


FIGURE_TAG_MM = 12.0
BASES_MM = (30.0, 50.0)
"""The round bases whose numbers the sheet prints."""
FIGURE_MOUNT = "figure-stand"
LINE_MM = 7.0
"""The height of a line of the list of figures."""


def figures_pdf(
    order: Order, names: Mapping[int, str] | None = None, text: SheetText = PLAIN
) -> bytes:
    """Figures' tags on stands in true scale, and the page that shows how they are mounted.

    With names a list says which tag stands on which figure.
    """
    notes = (
        say("Stiff paper. Cut along the dashed lines, crease every line backwards."),
        say("Glue front to back and plate to plate; glue the feet under the base."),
    )
    title = say("Figure tags")
    pages = [*tag_pages(order, title, notes), *name_pages(order, names or {})]
    return document([*pages, figures_page(order), *corner_pages(order)], title, text)


def corner_pages(order: Order) -> Iterator[PdfPage]:
    """The two tags that show the camera where a board lies, and where they lie on it."""
    corners = Order(CORNER_IDS, CORNER_TAG_MM, order.paper, order.dictionary)
    first, last = CORNER_IDS
    notes = (
        say(
            "Lay {first} on the corner space at player 1's left hand, {last} on the space "
            "opposite,",
            first=first,
            last=last,
        ),
        say(
            "in the middle of the space, before figures stand there. They may go once the "
            "grid fits."
        ),
    )
    yield from tag_pages(corners, say("Board corners"), notes)


def name_pages(order: Order, names: Mapping[int, str]) -> Iterator[PdfPage]:
    """The number of each tag and the figure that carries it, in two columns."""
    width, height = PAPERS[order.paper]
    listed = [(number, names[number]) for number in order.ids if number in names]
    down = int((height - HEAD_MM - FOOT_MM) // LINE_MM)
    for start in range(0, len(listed), 2 * down):
        page = PdfPage(width, height)
        heading(page, say("Which tag stands on which figure"), [])
        for place, (number, name) in enumerate(listed[start : start + 2 * down]):
            x = MARGIN_MM + 4 + (place // down) * (width / 2 - MARGIN_MM)
            y = HEAD_MM + LINE_MM * (place % down)
            page.text(x, y, f"{number}   {name}", 10)
        yield page


def figures_page(order: Order) -> PdfPage:
    """How a figure's stand sits on its base."""
    page = PdfPage(*PAPERS[order.paper])
    heading(page, say("How tags sit on figures"), [])
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
        page.text(tip + 4, y + 4, say("front"), 7.5)
        edge = order.size_mm
        behind = -tag.forward * 25.4
        page.boxes([(tip - edge / 2, y + base_mm / 2 + behind - edge / 2, edge, edge)])
        page.text(x + 60, y + base_mm / 2, say("base of {size:g} mm,", size=base_mm), 8)
        told = say(
            "its tag of {size:g} mm lies {up:.0f} mm above the board",
            size=order.size_mm,
            up=tag.up * 25.4,
        )
        page.text(x + 60, y + base_mm / 2 + 5, told, 8)
        y += base_mm + 22
    words = (
        say(
            "The back of the stand rises at the rear edge of the base, the tag lies over "
            "the figure."
        ),
        say("A tag's up points to the front of the figure. Figures may be turned freely."),
        say("The references lie around the board, none on it: raised tags would hide them."),
        say("Where the board lies is shown in the app: tap two corners, or lay the corner tags."),
        say(
            "Camera: 60 to 90 cm from the board, the whole board and at least four "
            "references in view."
        ),
        say("Matte paper, no laminate: shine hides tags. Keep the white border."),
    )
    for number, line in enumerate(words):
        page.text(MARGIN_MM + 4, y + 6 * number, line, 9)
    return page
