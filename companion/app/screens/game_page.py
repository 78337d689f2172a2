"""A page of the game's own, drawn from its records: a board, cards, a track."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.icon import IconView, SeatSign
from companion.app.render.theme import FONTS, THEME
from companion.app.turn.card import choice_name
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.icon_button import icon_of
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.seat_banner import seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.games.api.page import Page, PageCard, Section
from companion.games.api.prompt import Choice
from companion.games.api.seats import SeatView

COLUMNS = {"grid": 3, "row": 5, "list": 1, "track": 10}
NARROW_DP = 700
"""A narrower screen gets fewer columns."""
TONES = {"": "text", "good": "good", "bad": "bad", "warn": "warn"}
Seats = Callable[[str], SeatView | None]
Send = Callable[..., Any]


class GamePage(ScreenPage):
    """One page of the dock."""

    def __init__(self, app: AppContext) -> None:
        self.page_id = app.place.partition(":")[2]
        super().__init__("", app.back)
        self.app = app
        self._seen: object = None
        self.bind(width=self._widened)
        self.show(app.service.snapshot)

    def _widened(self, *_: Any) -> None:
        self._seen = None
        self.show(self.app.service.snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, if it changes what the page says."""
        page = next((one for one in snapshot.pages if one.id == self.page_id), None)
        wide = self.width >= dp(NARROW_DP)
        key = (snapshot.path, page, snapshot.secrets, snapshot.seats, wide)
        if key != self._seen:
            self.rebuild(partial(self._build, key, page, snapshot))

    def _build(self, key: object, page: Page | None, snapshot: Snapshot) -> None:
        self._seen = key
        self.title.set_text(_(page.title) if page is not None else "")
        self.title.font_name = FONTS["title"]
        if page is None:
            self.fill([Text(_("This page is not there now."), colour="soft")])
            return
        widgets = list(sections(page, snapshot.seat, self.send, self.width < dp(NARROW_DP)))
        hands = [seat for place, seat in snapshot.secrets if place == page.id]
        if hands:
            widgets.append(heading(_("ONLY FOR YOUR EYES")))
            widgets.append(
                grid([self.hand(snapshot, page, seat) for seat in hands], min(len(hands), 3))
            )
        self.fill(widgets)

    def send(self, *commands: Any) -> None:
        """Send the commands of a choice."""
        self.app.service.do(*commands)

    def hand(self, snapshot: Snapshot, page: Page, seat: str) -> TouchButton:
        """The button behind which a player sees what others must not see."""
        found = snapshot.seat(seat)
        name = _(found.name) if found is not None else seat
        return TouchButton(
            _("Show my hand"),
            partial(self.app.look_alone, page.id, seat),
            under=name,
            name=f"hand:{seat}",
        )


def sections(page: Page, seat: Seats, send: Send, narrow: bool = False) -> Iterator[Widget]:
    """The sections of a page, each with its boxes."""
    for section in page.sections:
        if section.title:
            yield heading(_(section.title).upper())
        if section.text:
            yield Text(_(section.text), colour="soft")
        if section.cards:
            yield boxes(section, seat, send, narrow)


def boxes(section: Section, seat: Seats, send: Send, narrow: bool) -> Widget:
    """The boxes of a section, in its shape."""
    most = COLUMNS[section.shape]
    if narrow and section.shape in ("grid", "row"):
        most = 2
    if section.shape == "grid" and len(section.cards) % most == 1 and len(section.cards) % 2 == 0:
        most = 2  # no card is left alone in its row
    cards = [page_card(one, seat, send, section.shape == "list") for one in section.cards]
    box = GridLayout(
        cols=min(most, max(1, len(cards))), spacing=THEME.gap("small"), size_hint_y=None
    )
    box.bind(minimum_height=box.setter("height"))
    for one in cards:  # all boxes of a row are as high as its highest
        one.size_hint_y = 1
        one.bind(minimum_height=one.setter("size_hint_min_y"))
        one.add_widget(Widget())  # what is left over lies below the text
        box.add_widget(one)
    return box


def page_card(card: PageCard, seat: Seats, send: Send, flat: bool = False) -> CardBox:
    """One box: a zone, a card, a pile, a player."""
    owner = seat(card.seat) if card.seat else None
    rim = f"side-{seat_place(owner)}" if owner is not None else "line"
    box = CardBox("raised" if flat else "card", rim=rim, pad="small" if flat else "gap")
    tint = "faint" if card.spent else TONES[card.tone]
    head = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
    head.bind(minimum_height=head.setter("height"))
    icon = icon_of(card.icon)
    signs: list[Widget] = []
    if owner is not None:
        signs.append(SeatSign(seat_place(owner), 28, seat_mark(owner)))
    if icon:
        signs.append(IconView(icon, 28, tint))
    for sign in signs:
        sign.pos_hint = {"center_y": 0.5}
        head.add_widget(sign)
    title = Text(_(card.title) + (" ↷" if card.turned else ""), "large", tint, bold=True)
    title.font_name = FONTS["title"]
    head.add_widget(title)
    if card.count is not None:
        count = Text(str(card.count), "title", tint, bold=True, align="right")
        count.size_hint_x, count.width = None, dp(16) * max(2, len(str(card.count)))
        head.add_widget(count)
    box.add_widget(head)
    for line in card.lines:
        box.add_widget(Text(_(line), "body", "faint" if card.spent else "soft"))
    for number, one in enumerate(card.choices):
        box.add_widget(choice_press(one, send, number))
    return box


def choice_press(choice: Choice, send: Send, number: int = 0) -> TouchButton:
    """A choice in a box; a page has no gold."""
    look = "quiet" if choice.look == "quiet" else "plain"
    return TouchButton(
        _(choice.text),
        partial(send, *choice.commands),
        look,
        _(choice.detail),
        name=choice_name(choice, number),
    )


def choice_rows(choices: Sequence[Choice], send: Send) -> list[Widget]:
    """Choices one under the other."""
    return [choice_press(one, send, number) for number, one in enumerate(choices)]
