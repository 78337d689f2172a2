"""A page of the game's own, drawn from its records; and what only one player may see, behind a
cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp, sp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import FONTS, THEME, widest_word
from companion.app.turn.entry_form import EntryForm
from companion.app.turn.page_turn import PageTurn
from companion.app.widgets.controls import LEAST_SP, CardBox, Text, TouchButton, heading
from companion.app.widgets.icon import IconView, SeatSign, icon_of
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.sample import SampleView
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.app.widgets.track import Track
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.handles import LookTap
from companion.engine.turn.turn_records import (
    BoxView,
    ChoiceView,
    FormView,
    PageView,
    PromptView,
    SectionView,
)
from companion.games.api.new_game import SeatView

COLUMNS = {"grid": 3, "row": 5, "list": 1, "track": 10}
NARROW_DP = 700
"""A narrower screen gets fewer columns; with larger letters a wider one does, too."""
TONES = {"": "text", "good": "good", "bad": "bad", "warn": "warn"}
Seats = Callable[[str], SeatView | None]
Act = Callable[[str], Any]


class GamePage(ScreenPage):
    """One page of the dock."""

    def __init__(self, app: AppContext) -> None:
        self.page_id = app.place.partition(":")[2]
        super().__init__("", app.back)
        self.app, self.turn = app, PageTurn(app)
        self._seen: object = None
        self.bind(width=self._widened)
        self.show(app.service.snapshot)

    def _widened(self, *_: Any) -> None:
        self._seen = None
        self.show(self.app.service.snapshot)

    @property
    def narrow(self) -> bool:
        return bool(self.width < dp(NARROW_DP) * max(1.0, THEME.text))

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, if it changes what the page says."""
        self.turn.see(snapshot)
        page = self.turn.page(self.page_id)
        key = (snapshot.path, page, snapshot.seats, self.narrow)
        if key != self._seen:
            sent, self.turn.sent = self.turn.sent, False
            if sent and page is not None and not offers(page):
                self.app.back()  # what comes next is asked beside the table
            else:
                self.rebuild(partial(self._build, key, page, snapshot))

    def _build(self, key: object, page: PageView | None, snapshot: Snapshot) -> None:
        self._seen = key
        self.title.set_text(page.title if page is not None else "")
        self.title.font_name = FONTS["title"]
        if page is None:
            self.fill([Text(_("This page is not there now."), colour="soft")])
            return
        widgets = list(sections(page, snapshot.seat, self.turn.act, self.narrow))
        if page.hands:
            widgets.append(heading(_("ONLY FOR YOUR EYES")))
            hands = choice_rows(page.hands, self.turn.act)
            widgets.append(grid(hands, min(len(hands), 3)))
        self.fill(widgets)


def offers(page: PageView) -> bool:
    """Whether something of a page may be done now, beside what is seldom meant."""
    boxes = [box for section in page.sections for box in section.boxes]
    return any(one.look != "quiet" for box in boxes for one in box.choices)


def sections(page: PageView, seat: Seats, act: Act, narrow: bool = False) -> Iterator[Widget]:
    """The sections of a page, each with its boxes."""
    for section in page.sections:
        if section.title:
            yield heading(section.title.upper())
        if section.text:
            yield Text(section.text, colour="soft")
        if section.boxes:
            yield boxes(section, seat, act, narrow)


def boxes(section: SectionView, seat: Seats, act: Act, narrow: bool) -> Widget:
    """The boxes of a section, in its shape."""
    if section.shape == "track" and all(one.colour for one in section.boxes):
        return Track(section.boxes, seat)
    most, count = COLUMNS[section.shape], len(section.boxes)
    if narrow:
        most = min(most, 5 if section.shape == "track" else 2)
    if section.shape == "grid" and count % most == 1 and count % 2 == 0:
        most = 2  # no card is left alone in its row
    cards = [page_card(one, seat, act, section.shape == "list") for one in section.boxes]
    return PageGrid(cards, most)


class PageGrid(GridLayout):
    """The boxes of a section beside each other, as many as find room without breaking a word."""

    def __init__(self, cards: Sequence[CardBox], most: int) -> None:
        self.most = min(most, max(1, len(cards)))
        super().__init__(cols=self.most, spacing=THEME.gap("small"), size_hint_y=None)
        self.least = max(map(least_width, cards), default=0.0)
        self.bind(minimum_height=self.setter("height"), width=self._fit)
        for one in cards:  # all boxes of a row are as high as its highest
            one.size_hint_y = 1
            one.bind(minimum_height=one.setter("size_hint_min_y"))
            one.add_widget(Widget())  # what is left over lies below the text
            self.add_widget(one)

    def _fit(self, *_: Any) -> None:
        beside = self.least + THEME.gap("small")
        fitting = int((self.width + THEME.gap("small")) // beside)
        columns = min(self.most, max(1, fitting))
        if 2 < columns < self.most and len(self.children) % columns == 1:
            columns -= 1  # no card is left alone in its row
        self.cols = columns


def least_width(part: Widget) -> float:
    """The width that a box, or a part of it, needs for its longest word in the smallest letters."""
    if isinstance(part, Text) and part.size_hint_x is not None:
        small = min(part.font_size, float(sp(LEAST_SP)))
        return widest_word(part.text, small, part.font_name, bool(part.bold))
    if not isinstance(part, BoxLayout) or isinstance(part, ShownChoice):
        return float(part.width) if part.size_hint_x is None else 0.0
    needs = [least_width(one) for one in part.children]
    if part.orientation == "horizontal":
        return sum(needs) + part.spacing * max(len(needs) - 1, 0)
    return max(needs, default=0.0) + part.padding[0] + part.padding[2]


def page_card(card: BoxView, seat: Seats, act: Act, flat: bool = False) -> CardBox:
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
    if card.drawn:
        signs.append(SampleView(card.drawn))
    for sign in signs:
        sign.pos_hint = {"center_y": 0.5}
        head.add_widget(sign)
    title = Text(card.title + (" ↷" if card.turned else ""), "large", tint, bold=True)
    title.font_name = FONTS["title"]
    head.add_widget(title)
    if card.count is not None:
        count = Text(str(card.count), "title", tint, bold=True, align="right")
        count.size_hint_x, count.width = None, dp(16) * max(2, len(str(card.count)))
        head.add_widget(count)
    box.add_widget(head)
    for line in card.lines:
        box.add_widget(Text(line, "body", "faint" if card.spent else "soft"))
    for one in choice_rows(card.choices, act):
        box.add_widget(one)
    return box


def choice_rows(choices: Sequence[ChoiceView], act: Act) -> list[Widget]:
    """Choices one under the other; a page has no gold before a row shows what it would do."""
    return [
        ShownChoice(one, act)
        if one.look in ("shown", "folded")
        else TouchButton(
            one.text,
            partial(act, one.tap),
            "quiet" if one.look == "quiet" else "plain",
            one.detail,
            name=one.name,
        )
        for one in choices
    ]


class ShownChoice(BoxLayout):
    """A row that only shows what it would do; the button under it does it, in gold unless it is
    seldom meant, and a second tap on the row takes it back."""

    def __init__(self, choice: ChoiceView, act: Act) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("tiny"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        seldom = choice.look == "folded"
        row, look = ("quiet", "plain") if seldom else ("plain", "primary")
        self.text = choice.text
        self.row = TouchButton(choice.text, self.show, row, name=choice.name)
        do = partial(act, choice.tap)
        self.gold = TouchButton(choice.text, do, look, choice.detail, name="do-choice")
        self.add_widget(self.row)

    def show(self) -> None:
        """Show the gold button of this row, and of no other; none if it shows already."""
        again = self.gold.parent is not None
        for one in [one for top in self.get_root_window().children for one in top.walk()]:
            if isinstance(one, ShownChoice) and one.gold.parent is not None:
                one.remove_widget(one.gold)
                one.row.set_text(one.text)
        if not again:
            self.row.set_text(_("Not now"))
            self.add_widget(self.gold)


LOOK_S = 0.05


class PrivateSheet(BoxLayout):
    """A cover that names the player; behind it is what only that player may see.

    A form that the player opened by a button that says so needs no cover, nor does a player who is
    alone at the table.
    """

    def __init__(self, app: AppContext, tap: LookTap) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app, self.looks = app, tap
        self._clock: Any = None
        found = app.service.snapshot.seat(str(tap.seat))
        name = _(found.name) if found is not None else str(tap.seat)
        if app.phones.holder(str(tap.seat)) is not None:  # a secret is shown to its own screen only
            self.fill(Text(_("Hidden: on {player}’s phone.", player=name), "large"))
            return
        view = app.service.snapshot.view
        if tap.what == "form" or (view is not None and view.alone(str(tap.seat))):
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
        self._asked = self.app.service.look(self.looks.seat)
        self.fill(Text(_("one moment …"), colour="soft"))
        self._clock = Clock.schedule_interval(self.look, LOOK_S)

    def look(self, *_: Any) -> None:
        """Show it as soon as it is there; closing the sheet covers it again."""
        if self.app.sheet is None:
            self._clock.cancel()
        elif self._asked.done():
            self._clock.cancel()
            self.fill(*self.shown())

    def shown(self) -> Iterator[Widget]:
        """What the player sees alone."""
        turn = PageTurn(self.app)
        match turn.alone(self.looks, self._asked.result()):
            case PageView() as page:
                yield from sections(page, self.app.service.snapshot.seat, turn.act, narrow=True)
            case PromptView() as prompt:
                if prompt.text:
                    yield Text(prompt.text, colour="soft")
                yield from choice_rows(prompt.choices, turn.act)
                for form in prompt.forms:
                    gold = form.look == "primary"
                    entered = kept_form(self.app, turn, form, gold)
                    yield self.footed(entered) if gold else entered
            case FormView() as form:  # the sheet is called as the form is
                yield self.footed(kept_form(self.app, turn, form, True))
            case _:
                yield Text(_("There is nothing to choose now."), colour="soft")

    def footed(self, form: EntryForm) -> EntryForm:
        """A form whose key stays in sight under what scrolls."""
        self.app.sheet.foot.add_widget(form.foot)
        return form


def sheet_form(turn: PageTurn, form: FormView) -> EntryForm:
    """A form that is sent from a sheet or a page."""
    return EntryForm(
        FilledForm.begin(form), lambda filled: turn.act(form.tap, values=filled.values)
    )


def kept_form(app: AppContext, turn: PageTurn, form: FormView, pinned: bool = False) -> EntryForm:
    """A form in a sheet: what was entered is there again if the game refused it."""
    about = (app.service.snapshot.step, form.name)
    filled = FilledForm.begin(form)
    if app.unsent[0] == about:
        filled = replace(filled, given=app.unsent[1])

    def send(entered: FilledForm) -> None:
        app.unsent = (about, entered.given)
        turn.act(form.tap, values=entered.values)

    return EntryForm(filled, send, pinned)


def correction_rows(app: AppContext, piece: str) -> tuple[str, list[Widget]]:
    """The title and the rows of the sheet with the corrections of a piece."""
    turn = PageTurn(app)
    page = turn.corrections(piece)
    if page is None:
        return "", []

    def fill(form: FormView) -> None:
        app.open_sheet(form.text, [sheet_form(turn, form)])

    rows = choice_rows(page.choices, turn.act)
    opened = [
        TouchButton(form.text, partial(fill, form), "quiet", name=f"open-form:{form.word}")
        for form in page.forms
        if form.opens
    ]
    rows += [grid(opened, 2)] if opened else []
    rows += [sheet_form(turn, form) for form in page.forms if not form.opens]
    nothing: list[Widget] = [Text(_("There is nothing to correct here."), colour="soft")]
    return page.title, rows or nothing
