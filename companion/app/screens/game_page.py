"""A page of the game's own, drawn from its records; and what only one player may see, behind a
cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import FONTS, THEME
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.icon import IconView, SeatSign, icon_of
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.engine.turn.filled_form import FilledForm, Options
from companion.engine.turn.selection import choice_name, form_key, named_pieces
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import Choice, Prompt, PromptForm
from companion.games.api.screen_views import Page, PageCard, Section
from companion.session.game_view import GameView

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


LOOK_S = 0.05


class PrivateSheet(BoxLayout):
    """A cover that names the player; behind it `make` shows what is only for that player.

    What the player opened by a button that says so needs no cover: `open_at_once`.
    """

    def __init__(
        self,
        app: AppContext,
        seat: str,
        make: Callable[[GameView], Iterator[Widget]],
        open_at_once: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app, self.seat, self.make = app, seat, make
        self._clock: Any = None
        found = app.service.snapshot.seat(seat)
        name = _(found.name) if found is not None else seat
        if app.phones.holder(seat) is not None:  # a secret is shown to its own screen only
            self.fill(Text(_("Hidden: on {player}’s phone.", player=name), "large"))
            return
        if open_at_once:
            self.uncover()
            return
        self.fill(
            Text(_("Only {player} may look now.", player=name), "large"),
            TouchButton(
                _("I am {player}: show it", player=name), self.uncover, "primary", name="uncover"
            ),
        )

    def fill(self, *widgets: Widget) -> None:
        """Show these widgets."""
        self.clear_widgets()
        for widget in widgets:
            self.add_widget(widget)

    def uncover(self) -> None:
        """Ask for what the player may see."""
        self._asked = self.app.service.look(self.seat)
        self.fill(Text(_("one moment …"), colour="soft"))
        self._clock = Clock.schedule_interval(self.look, LOOK_S)

    def look(self, *_: Any) -> None:
        """Show it as soon as it is there; closing the sheet covers it again."""
        if self.app.sheet is None:
            self._clock.cancel()
        elif self._asked.done():
            self._clock.cancel()
            self.fill(*self.make(self._asked.result()))


def secret_prompt(app: AppContext, prompt: Prompt) -> Callable[[GameView], Iterator[Widget]]:
    """The choices of a secret prompt for one player."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: GameView) -> Iterator[Widget]:
        own = next((one for one in private.prompts if one.id == prompt.id), None)
        if own is None or not (own.choices or own.forms):
            yield Text(_("There is nothing to choose now."), colour="soft")
            return
        if own.text:
            yield Text(_(own.text), colour="soft")
        yield from choice_rows(own.choices, send)
        pieces = named_pieces(app.service.snapshot, own.pieces)
        for form in own.forms:
            if not form.seat:  # else it asks for the same, without a cover
                yield kept_form(app, form, pieces)

    return make


def kept_form(app: AppContext, form: PromptForm, pieces: Options) -> EntryForm:
    """A form in a sheet: what was entered is there again if the game refused it."""
    about = (app.service.snapshot.state.get("seq"), form_key(form))
    filled = FilledForm.begin(form, tuple(pieces))
    if app.unsent[0] == about:
        filled = replace(filled, given=app.unsent[1])

    def send(entered: FilledForm) -> None:
        app.unsent = (about, entered.given)
        app.close_sheet()
        app.service.do(entered.command or {})

    return EntryForm(filled, send)


def private_form(app: AppContext, form: PromptForm) -> Callable[[GameView], Iterator[Widget]]:
    """A form with the values that only its player may see."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: GameView) -> Iterator[Widget]:
        forms = (one for prompt in private.prompts for one in prompt.forms)
        own = next((one for one in forms if form_key(one) == form_key(form)), None)
        if own is None or any(one.kind == "option" and not one.options for one in own.entries):
            yield Text(_("There is nothing to choose now."), colour="soft")
            return
        pieces = named_pieces(app.service.snapshot, ())
        yield EntryForm.sending(own, send, pieces)

    return make


def secret_page(app: AppContext, page: str) -> Callable[[GameView], Iterator[Widget]]:
    """A page as one player sees it."""

    def send(*commands: Any) -> None:
        app.close_sheet()
        app.service.do(*commands)

    def make(private: GameView) -> Iterator[Widget]:
        own = next((one for one in private.pages if one.id == page), None)
        if own is not None:
            yield from sections(own, app.service.snapshot.seat, send, narrow=True)

    return make
