"""The sheet of card tags: flat pieces with a strip that a paper clip holds on the card's front."""

from __future__ import annotations

from calibration.printing.pdf import PAPERS, PdfPage, document
from calibration.printing.sheets import MARGIN_MM, Order, heading, tag_pages
from calibration.setup import Setup
from calibration.tags.mounts import mount
from models.toml_text import members
from models.tray import Tray

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
            lines += ["", "[[tray]]", *members({"tray": tray.plain(), "unit": f"card-{number}"})]
            lines += ["[[tray.tag]]", *members(tag.plain())]
    changed = "\n".join(lines) + "\n"
    Setup.parse(changed, source)  # raises if it cannot be read back
    return changed


def clipping_page(order: Order) -> PdfPage:
    """How a tag is clipped to a card, and the numbers that go into the set-up file."""
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
    tray = card_tray()
    numbers = (
        f"tray = {{ width = {tray.width:g}, depth = {tray.depth:g} }}  "
        f"forward = {tag.forward:.3f}  size_mm = {order.size_mm:g}"
    )
    page.text(left + width + 8, top + 8, "inches from the card's centre:", 8)
    page.text(left + width + 8, top + 13, numbers, 7)
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
