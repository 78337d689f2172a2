"""A card as a small card: cost, name on the faction's band, icons, strength, and what lies under
it. Everything is drawn once, for the size that the table has chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.relativelayout import RelativeLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import (
    FONTS,
    THEME,
    Colour,
    line_width,
    lines_needed,
    paint,
    text_lines,
    widest_word,
)
from companion.app.widgets.controls import HOLD_S, Text
from companion.app.widgets.icon import icon_of, icon_texture
from companion.games.api.card_table import CardLook, TableCard
from companion.overlay.icons import MARKS
from companion.text.translation import translate

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
DIM, LIGHT_DIM = 0.62, 0.8
"""How bright a kneeling card is; on a light ground its name would fade sooner."""
STRIP_DP, CORNER_DP = 20, 8
"""How far an attachment sticks out, and the radius of a card's corners."""
BEHIND_DP = 5
"""How far a duplicate sticks out."""
HALF = 0.66
"""A line of two takes up so much of a name at most."""
WIDEST_DP = 136
"""How wide a card may become for the name of an attachment."""
TIGHT = 0.88
"""The distance of a name's lines, relative to the font's own."""


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A size of cards in dp; flat ones show name and numbers in two lines, and do not turn."""

    width: int
    height: int
    flat: bool = False


FORMATS = (
    CardFormat(104, 146),
    CardFormat(92, 129),
    CardFormat(84, 118),
    CardFormat(76, 106),
    CardFormat(94, 62, flat=True),
)
"""From the largest to the smallest."""


def line_height() -> float:
    """The height of a line of a card's name."""
    return float(round(THEME.size("small") * 1.2))  # between pixels letters are drawn thin


def name_lines(card: TableCard, width: float) -> int:
    """How many lines the name takes on a band of this width."""
    return lines_needed(translate(card.title), THEME.size("small"), FONTS["narrow"], True, width)


def card_size(card: TableCard, size: CardFormat) -> tuple[float, float]:
    """The width and height of a card with what is attached to it; no word of its name is cut."""
    scale = dp(1) * THEME.text
    font = (THEME.size("small"), FONTS["narrow"], True)
    beside = dp(30)
    if size.flat:
        signs = (24 * len(card.icons) + 36 * (len(card.tokens) + bool(card.power)) + 34) * scale
        signs += 36 * scale * (bool(card.copies) + bool(card.attached)) + 22 * scale * card.turned
        signs += 26 * scale * bool(card.note)
        word = widest_word(translate(card.title), *font) * 1.03
        half = line_width(translate(card.title), *font) * HALF  # a name takes at most two lines
        return max(size.width * scale, max(word, half) + beside, signs), size.height * scale
    turned = card.turned
    wide, high = size.width * scale, size.height * scale
    if turned:
        wide, high = high, wide
    wide = max(wide, widest_word(translate(card.title), *font) * 1.03 + beside)
    if card.strength is not None:  # the icons end before the shield
        wide = max(wide, (19 * len(card.icons) + 12 * len(str(card.strength)) + 34) * scale)
    strips = (line_width(translate(one.title), *font) * 1.05 + dp(20) for one in card.attached)
    wide = max(wide, min(max(strips, default=0.0), WIDEST_DP * scale))
    foot = dp(36) * THEME.text
    high = max(high, name_lines(card, wide - beside) * line_height() + dp(8) + foot)
    return wide, high + dp(STRIP_DP) * THEME.text * len(card.attached)


class DrawnBox(RelativeLayout):
    """Something of a fixed size, drawn once from its lower left corner."""

    def __init__(self, size: tuple[float, float]) -> None:
        super().__init__(size_hint=(None, None), size=size)

    def add_text(
        self,
        text: str,
        box: tuple[float, float, float, float],
        colour: str | Colour = "text",
        size: str = "small",
        bold: bool = True,
        align: str = "left",
        font: str = "narrow",
        opacity: float = 1.0,
    ) -> Text:
        """A text in a box: left, bottom, width and height."""
        label = Text(text, size, colour, bold=bold, align=align, grow=False)
        label.font_name = FONTS[font]
        if box[3] > 2 * line_height():  # a single line would lose its lower edge
            label.line_height = TIGHT
        label.size_hint = (None, None)
        label.pos, label.size = box[:2], (max(1.0, box[2]), box[3])
        label.opacity = opacity
        self.add_widget(label)
        return label

    def add_icon(
        self,
        name: str,
        left: float,
        bottom: float,
        side: float,
        colour: Colour,
        stroke: float = 2.2,
    ) -> None:
        """An icon or a mark."""
        Color(*colour)
        texture = icon_texture(name, max(8, round(side)), stroke)
        Rectangle(texture=texture, pos=(round(left), round(bottom)), size=(round(side),) * 2)


def filled(box: tuple[float, float, float, float], colour: Colour, radius: Any) -> None:
    """A rounded rectangle."""
    Color(*colour)
    RoundedRectangle(pos=box[:2], size=box[2:], radius=radius)


def framed(box: tuple[float, float, float, float], colour: Colour, wide: float = 1.0) -> Line:
    """The outline of a rounded rectangle."""
    Color(*colour)
    return Line(rounded_rectangle=(*box, dp(CORNER_DP)), width=dp(wide))


def edge_of(look: CardLook) -> Colour:
    """The outline of a faction's cards; on a light ground the darker of its two colours."""
    return paint(look.ground if THEME.palette == "light" else look.edge)


def disc_side() -> float:
    """The width of the disc with a card's cost; the name begins beside it."""
    return dp(24) * max(1.0, THEME.text)


class PlayingCard(ButtonBehavior, DrawnBox):
    """A card: a tap selects it or answers the open form, holding it always selects it."""

    def __init__(
        self,
        card: TableCard,
        place: int,
        size: CardFormat,
        act: Callable[[], Any] | None,
        hold: Callable[[], Any] | None,
    ) -> None:
        super().__init__(size=card_size(card, size))
        self.card, self.place, self.flat = card, place, size.flat
        self.act, self.hold, self.ready, self._held = act, hold, True, None
        self.name, self.chosen = f"card:{card.id}", False
        self.strips = 0.0 if self.flat else dp(STRIP_DP) * THEME.text * len(card.attached)
        self.box = (0.0, self.strips, self.width, self.height - self.strips)
        dim = LIGHT_DIM if THEME.palette == "light" else DIM
        self.shade = dim if card.turned else 1.0
        with self.canvas:
            self._draw_under()
            self._draw_body()
            self._frame = Color(*WHITE[:3], 0.0)
            Line(rounded_rectangle=(*self.box, dp(CORNER_DP)), width=dp(1.8))
        self._add_words()
        self.outline(card.marked)

    # -- drawing -----------------------------------------------------------------------------

    @property
    def band(self) -> float:
        """The height of the band with the name."""
        if self.flat:
            return min(2, name_lines(self.card, self.width - dp(30))) * line_height() + dp(4)
        return max(
            name_lines(self.card, self.width - dp(30)) * line_height() + dp(8), dp(28) * THEME.text
        )

    def _draw_under(self) -> None:
        """Duplicates behind it, attachments below it."""
        card, (left, bottom, wide, high) = self.card, self.box
        out = dp(BEHIND_DP)
        for number in range(min(card.copies, 2), 0, -1):
            behind = (left + number * out, bottom + number * out, wide - out, high - out)
            filled(behind, paint(card.look.ground), [dp(CORNER_DP)])
            framed(behind, edge_of(card.look))
        if self.flat:
            return
        for number, one in reversed(list(enumerate(card.attached))):
            low = bottom - dp(STRIP_DP) * THEME.text * (number + 1)
            strip = (left + dp(4), low, wide - dp(8), dp(STRIP_DP) * THEME.text + dp(14))
            filled(strip, paint(one.look.ground), [dp(CORNER_DP)])
            framed(strip, edge_of(one.look))

    def _draw_body(self) -> None:
        card, (left, bottom, wide, high) = self.card, self.box
        corner, band = dp(CORNER_DP), self.band
        filled(self.box, THEME.colour("card"), [corner])
        body = (
            THEME.colour("raised", 0.5) if card.kind == "character" else THEME.colour("back", 0.6)
        )
        filled(self.box, body, [corner])
        top = bottom + high
        grounds = (left, top - band, wide, band)
        filled(grounds, paint(card.look.ground, self.shade), [corner, corner, 0, 0])
        if not self.flat and card.look.mark in MARKS:
            side = min(dp(40), high - band - dp(34))
            if side > dp(16):
                middle = left + (wide - side) / 2
                mark = (*edge_of(card.look)[:3], 0.24)
                self.add_icon(card.look.mark, middle, bottom + dp(32), side, mark, 1.6)
        ink = THEME.colour("text", self.shade)
        side = dp(16 if self.flat else 18) * THEME.text
        for number, one in enumerate(filter(None, map(icon_of, card.icons))):
            x = left + dp(5) + number * (side + dp(1))
            self.add_icon(one, x, bottom + dp(4 if self.flat else 6), side, ink)
        if card.strength is not None:
            shield = self.shield
            radius = [dp(5), dp(5), dp(11), dp(11)]
            filled(shield, paint(card.look.ground, max(self.shade, 0.8)), radius)
            Color(*edge_of(card.look))
            Line(rounded_rectangle=(*shield, *radius), width=dp(1))
        framed(self.box, edge_of(card.look), 0.8)

    @property
    def shield(self) -> tuple[float, float, float, float]:
        """Where the strength stands."""
        left, bottom, wide, _high = self.box
        digits = len(str(self.card.strength))
        side = dp(20 if self.flat else 28) * THEME.text
        across = max(side, dp(12) * THEME.text * digits + dp(6))
        return (left + wide - across - dp(4), bottom + dp(2 if self.flat else 4), across, side)

    def _add_words(self) -> None:
        card, (left, bottom, wide, high) = self.card, self.box
        top = bottom + high
        disc = disc_side() - dp(2)
        name = (left + disc, top - self.band, wide - disc - dp(3), self.band)
        font = (THEME.size("small"), FONTS["narrow"], True)  # broken as its band was measured
        title = "\n".join(text_lines(translate(card.title), *font, self.width - dp(30)))
        self.add_text(title, name, (*WHITE[:3], max(self.shade, 0.75)))
        if card.cost:
            self._add_disc(card.cost, left - dp(4), top - dp(27))
        if card.strength is not None:
            ink = (*WHITE[:3], max(self.shade, 0.8))
            self.add_text(str(card.strength), self.shield, ink, "body", align="center", font="text")
        for number, one in enumerate(() if self.flat else card.attached):
            low = bottom - dp(STRIP_DP) * THEME.text * (number + 1)
            strip = (left + dp(9), low, wide - dp(18), dp(STRIP_DP) * THEME.text)
            label = self.add_text(translate(one.title) + (" ↷" if one.turned else ""), strip, WHITE)
            label.shorten, label.shorten_from, label.max_lines = True, "right", 1
        middle = bottom + (dp(2) if self.flat else dp(34) * THEME.text)
        right = self.shield[0] - dp(2) if self.flat and card.strength is not None else left + wide
        for icon, text in self.tokens():
            right = self._add_capsule(icon, text, right, middle)
        if self.note and self.note_fits:
            box = (left + dp(5), middle, wide - dp(8), self.note_room)
            self.add_text(self.note, box, "warn")

    @property
    def note(self) -> str:
        """What is said of it in words."""
        return translate(self.card.note) if self.card.note else ""

    @property
    def note_room(self) -> float:
        """The height between the name and the signs."""
        return float(self.box[3] - self.band - dp(34) * THEME.text)

    @property
    def note_fits(self) -> bool:
        """Whether the note can be read in words; else an eye stands for it."""
        font = (THEME.size("small"), FONTS["narrow"], True)
        lines = lines_needed(self.note, *font, self.box[2] - dp(8))
        return not self.flat and lines * line_height() <= self.note_room

    def tokens(self) -> list[tuple[str, str]]:
        """What lies on it: power, duplicates under it, attachments of a flat card, other tokens."""
        card = self.card
        found = [("crown", str(card.power))] if card.power else []
        found += [("cards", str(card.copies))] if card.copies else []
        found += [("plug", str(len(card.attached)))] if self.flat and card.attached else []
        found += [("turn", "")] if self.flat and card.turned else []
        found += [("eye", "")] if self.note and not self.note_fits else []
        return found + [("", translate(one)) for one in card.tokens]

    def _add_disc(self, text: str, left: float, bottom: float) -> None:
        """The cost on a dark disc."""
        side = disc_side()
        disc = DrawnBox((side, side))
        disc.pos = (left, bottom)
        with disc.canvas:
            Color(0.063, 0.075, 0.102, 1)
            Ellipse(size=(side, side))
            Color(*WHITE)
            Line(circle=(side / 2, side / 2, side / 2 - dp(1)), width=dp(1))
        disc.add_text(text, (0, 0, side, side), WHITE, align="center", font="text")
        self.add_widget(disc)

    def _add_capsule(self, icon: str, text: str, right: float, bottom: float) -> float:
        """A small sign with an icon and a text that ends at `right`; where it begins."""
        high = dp(20 if self.flat else 22) * THEME.text
        sign = dp(15) * THEME.text if icon else 0.0
        wide = sign + dp(8)
        if text:
            wide += line_width(text, THEME.size("small"), FONTS["text"], True) * 1.05 + dp(3)
        capsule = DrawnBox((max(wide, high), high))
        capsule.pos = (right - capsule.width, bottom)
        ground = THEME.colour(f"fill-{self.place}") if icon == "crown" else (0.06, 0.07, 0.1, 1)
        with capsule.canvas:
            filled((0, 0, capsule.width, high), ground, [high / 2])
            Color(*WHITE)
            Line(rounded_rectangle=(0, 0, capsule.width, high, high / 2), width=dp(1))
            if icon:
                capsule.add_icon(icon, dp(4), (high - sign) / 2, sign, WHITE)
        if text:
            box = (sign + dp(3), 0, capsule.width - sign - dp(6), high)
            capsule.add_text(text, box, WHITE, align="center", font="text")
        self.add_widget(capsule)
        return right - capsule.width - dp(2)

    # -- touching ----------------------------------------------------------------------------

    def outline(self, chosen: bool) -> None:
        """Draw or remove the outline of a card that takes part or is chosen."""
        self.chosen = chosen
        self._frame.rgba = THEME.colour("text", 1.0 if chosen else 0.0)

    def on_press(self) -> None:
        if self.hold is not None:
            self._held = Clock.schedule_once(self._hold_on, HOLD_S)

    def _hold_on(self, *_: Any) -> None:
        self._held = None
        if self.hold is not None:
            self.hold()

    def on_release(self) -> None:
        """Select it, unless it was held for that."""
        if self.hold is not None and self._held is None:
            return
        if self._held is not None:
            self._held.cancel()
            self._held = None
        if self.act is not None:
            self.act()


def centred(widget: Widget, box: tuple[float, float, float, float]) -> Widget:
    """The widget in the middle of a box."""
    left, bottom, wide, high = box
    widget.pos = (left + (wide - widget.width) / 2, bottom + (high - widget.height) / 2)
    return widget
