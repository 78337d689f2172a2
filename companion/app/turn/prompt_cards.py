"""The card of the prompt: what the game waits for, how players answer it, a contest's totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import FONTS, SPARE, THEME, line_width
from companion.app.turn.card import Card, Column, upright
from companion.app.turn.event_cards import headed, seat_of
from companion.app.turn.option_row import OptionRow
from companion.app.turn.piece_cards import choice_row, done_by, look_of
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.icon import Die, NumberDie, SymbolDie
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.modal import Gauge
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.app_words import _
from companion.engine.rival_turn import COACH
from companion.engine.snapshot import Snapshot
from companion.engine.turn.turn_records import (
    ChoiceView,
    DiceView,
    FactView,
    FormView,
    PieceTap,
    PromptView,
    SymbolView,
    TotalView,
)

SHORT = 16
"""A text up to this length fits half the width of the card."""
FEW = 2
"""More short choices than these before a roll lie beside each other: the keys stay in sight."""
FACE_SIDES = 6
UNIT_COLUMNS = 3
"""So many keys of pieces lie beside each other."""
CROWDED = 8
"""With more numbers than this the keys need the height of a low card."""
LOWEST_DP = 400
"""A lower column has room for the keys of dice and little else."""
SHORT_DP = 500
"""With less room than this choices come before what is known, and the guide says no more
than what to tap."""
LOW_DP = 640
"""On a card that is lower than this the keys of dice come before what is known."""
BOARD_DP = 720
"""The same for the dice of a board: a tablet of ten inches that lies is lower."""


def prompt_card(column: Column) -> Card:
    """What the game waits for."""
    prompt = column.view.prompt
    opened = next((one for one in prompt.forms if one.name == column.opened), None)
    if opened is not None:
        return form_card(column, opened)
    card = headed(column, prompt.text)
    if prompt.totals:
        card.body.append(TotalPlates(column.snapshot, prompt.totals))
    late = keys_first(column)
    # what players do before they roll is read before the keys, however low the card is; on a board
    # such a fact is about the dice themselves
    announced = late and column.snapshot.gridded is None
    early_facts = [
        one for one in prompt.facts if announced and one.tone == "warn" and not one.about
    ]
    card.body += map(fact_line, early_facts)
    told = (one for one in prompt.facts if not one.about and one not in early_facts)
    facts: list[Widget] = [*map(fact_line, told)]
    listed = [*ready_keys(column)]
    facts += pointing_rows(column, [one for one in prompt.facts if one.about])
    low = column.room < dp(SHORT_DP) and not prompt.dice and bool(prompt.choices)
    below = low or bool(listed)  # it comes and goes: the rows of the pieces stay where they are
    card.body += [] if late or below else facts
    if prompt.rolled and not any(form.rolls for form in prompt.forms):
        rolled = prompt.rolled_symbols or prompt.rolled
        card.body.append(dice_row(rolled, prompt.rolled_sides))
    if prompt.secret:
        card.body += secret_rows(column, prompt)
    asked = [one for one in prompt.choices if one.asks != ("look",) or one.look == "primary"]
    first: list[ChoiceView] = []
    early: list[Widget] = []
    if prompt.dice:  # what is announced comes before the roll
        first = [one for one in asked if one.look == "plain" and not one.elsewhere]
        asked = [one for one in asked if one not in first]
        early = [*early_rows(column, first)]
    card.body += [] if crowded(column) else early
    if early and crowded(column):  # who enters the dice first would lose the choice
        card.body.append(Text(prompt.before, "body", "warn"))
    for dice in prompt.dice:
        add_dice(column, card, dice)
    card.body += early if crowded(column) else []
    card.body += facts if late else []
    card.body += listed
    card.body += place_rows(column)
    for form in prompt.forms:
        if form.opens and form.look != "quiet":
            card.body.append(form_row(column, form))
        elif form.look != "quiet":
            gold = column.marked(form) or form.tap == column.view.gold
            filled = column.fill_in(form, gold)
            card.body += [Text(form.text, bold=True), filled]
            card.foot.append(filled.foot)
    alone = [one for one in prompt.choices if one.icon == "lock"]
    card.body += [choice_row(column, one) for one in alone if one.look != "quiet"]
    add_choices(column, card, asked)
    card.body += facts if below and not late else []
    folded = [folded_form(column, one) for one in prompt.forms if one.look == "quiet"]
    folded += [small(one, column) for one in alone if one.look == "quiet"]
    if folded:
        card.body.append(grid(folded, 2))
    if prompt.why:
        card.body.append(Text(prompt.why, "small", "soft"))
    if column.view.behind:
        card.body.append(heading(_("THEN")))
    for one in column.view.behind:
        act = partial(column.ask, one.id)
        card.body.append(OptionRow(one.title, act, one.text, name=f"prompt:{one.id}"))
    card.late = [*best_rows(column)]
    return card


def early_rows(column: Column, choices: Sequence[ChoiceView]) -> Iterator[Widget]:
    """What is announced before a roll: several short choices take half a row each."""
    short = [one for one in choices if len(one.text) <= SHORT and not one.icon]
    if len(short) > FEW:
        acts = ((one, partial(column.act, one.tap)) for one in short)
        buttons = [TouchButton(x.text, act, "plain", x.detail, name=x.name) for x, act in acts]
        yield grid(buttons, 2)
        choices = [one for one in choices if one not in short]
    yield from choice_rows(column, choices, None)


def keys_first(column: Column) -> bool:
    """Whether the card is so low that the keys of dice come before everything else."""
    return bool(column.view.prompt.dice) and (column.height < dp(LOW_DP) or board_low(column))


def keys_close(column: Column) -> bool:
    """Whether the keys of dice lie close together."""
    return column.room < dp(SHORT_DP) or board_low(column)


def board_low(column: Column) -> bool:
    """Whether the dice of a board, which have up to ten faces, need the height of the card."""
    return column.snapshot.gridded is not None and column.room < dp(BOARD_DP)


def steps_of_height(column: Column) -> tuple[bool, ...]:
    """What the height of a column decides about its card."""
    rooms = (SHORT_DP, LOW_DP, BOARD_DP)
    heights = (LOWEST_DP, SHORT_DP, LOW_DP)
    return (
        *(column.room < dp(one) for one in rooms),
        *(column.height < dp(one) for one in heights),
    )


def crowded(column: Column) -> bool:
    """Whether the keys of dice need the height of the card: what comes before lies below them."""
    many = any(len(dice.count_keys) > CROWDED for dice in column.view.prompt.dice)
    lowest = LOWEST_DP if column.snapshot.gridded is None else SHORT_DP
    return (many and column.height < dp(LOW_DP)) or column.height < dp(lowest)


def form_row(column: Column, form: FormView) -> OptionRow:
    """The row that opens a form."""
    act = partial(column.open, form)
    return OptionRow(form.text, act, form.detail, kind="right", name=form.name)


def folded_form(column: Column, form: FormView) -> TouchButton:
    """The small button that opens a form."""
    act = partial(column.open if form.opens else column.open_in_sheet, form)
    return TouchButton(form.text, act, "quiet", size="small", name=form.name)


def small(choice: ChoiceView, column: Column) -> TouchButton:
    """The small button of a choice."""
    act = partial(column.act, choice.tap)
    return TouchButton(choice.text, act, "quiet", size="small", name=choice.name)


def form_card(column: Column, form: FormView) -> Card:
    """An open form in place of the prompt; its button is at the foot."""
    close = TouchButton("✕", partial(column.open, None), "bare", name="close-form")
    close.size_hint, close.size = (None, None), (THEME.target, THEME.target)
    card = Card(form.text, form.detail, seat_of(column), close=close)
    filled = column.fill_in(form)
    card.body.append(filled)
    card.foot.append(filled.foot)
    return card


def add_dice(column: Column, card: Card, dice: DiceView) -> None:
    """The dice of a prompt: keys, or one button where the app rolls."""
    prefer = column.owner.prefer_dice
    if column.owner.liked.dice == "app" and dice.app_rolls:
        own = partial(prefer, "count")
        card.body.append(
            TouchButton(_("Enter own dice"), own, "quiet", size="small", name="own-dice")
        )
        act = partial(column.act, dice.tap)
        look = look_of(column, dice.tap)
        card.foot.append(TouchButton(_("Let the app roll"), act, look, name="app-rolls"))
        return
    card.body.append(column.entry(dice))
    if dice.app_rolls:
        text, always = _("Let the app roll from now on"), partial(prefer, "app")
        card.body.append(TouchButton(text, always, "bare", size="small", name="app-always"))


def add_choices(column: Column, card: Card, choices: Sequence[ChoiceView]) -> None:
    """The choices: rows in the body, at most one primary button at the foot."""
    view, shown = column.view, [one for one in choices if not one.elsewhere]
    first, beside = kept_in_sight(column, shown)
    done = next((one for one in choices if one.tap == view.does), None)
    card.body[:0] = [choice_row(column, one, one is done) for one in first]
    primary = next((one for one in choices if one.look == "primary"), None)
    primary = None if primary is not None and primary.elsewhere else primary
    if any(map(column.marked, view.prompt.forms)):
        primary = None  # the dice that players marked are gold, the usual ones a row
    rows = [one for one in shown if one not in (primary, *first, *beside)]
    card.body += choice_rows(column, rows, done)
    card.body += folded_choices(column, [one for one in shown if one.look == "folded"])
    if done is not None:
        card.foot.append(done_by(column, done))
    elif any(one.look == "shown" for one in shown) and not view.gold:
        # where gold will appear nothing else lies: a second tap there does nothing
        card.foot.append(choose_first(column))
    coached = column.view.prompt.id == COACH  # the way back from there stays in sight
    quiet = [
        TouchButton(one.text, partial(column.act, one.tap), "quiet", one.detail, name=one.name)
        for one in shown
        if one.look == "quiet" and (one.name != "coach" or coached)
    ]
    for one in beside:
        press = TouchButton(one.text, partial(column.show_first, one), "quiet", name=one.name)
        card.foot[:] = [row(press, *card.foot)]
    card.body += [small(one, column) for one in shown if one.name == "coach" and not coached]
    add_page(column, card, primary is None)
    if quiet:
        short = all(len(one.text) <= SHORT for one in quiet)
        card.foot.insert(0, grid(quiet, 2 if short or upright(column) else 1))
    if primary is not None:
        act, above = partial(column.act, primary.tap), view.gold not in ("", primary.tap)
        look = look_of(column, primary.tap)
        press = TouchButton(primary.text, act, look, primary.detail, name=primary.name)
        card.foot.insert(len(card.foot) - above, press)  # gold is always the lowest


def kept_in_sight(
    column: Column, choices: Sequence[ChoiceView]
) -> tuple[Sequence[ChoiceView], Sequence[ChoiceView]]:
    """On a low card of a board what is no piece's, such as raising morale, comes first; what passes
    stays in sight beside the gold button."""
    low = column.room < dp(LOW_DP) and column.snapshot.gridded is not None
    bare = [one for one in choices if low and one.look == "shown" and not one.piece]
    passes = [one for one in bare if one.passes]
    return [one for one in bare if not one.passes], passes


def choose_first(column: Column) -> TouchButton:
    """What stands where gold will be; a tap says what it waits for."""
    text, told = _("Choose first"), _("Choose a row above: this button then does it.")
    if column.view.prompt.dice:
        text, told = _("Dice first"), _("Enter the dice above, or choose a row.")
    return TouchButton(text, partial(column.owner.say, told), "quiet", name="choose-first")


def choice_rows(
    column: Column, choices: Sequence[ChoiceView], tapped: ChoiceView | None
) -> Iterator[Widget]:
    """The rows of the choices; a piece with several has one row, which selects it.

    The coach's few have a row each.
    """
    speaks = Counter(one.piece for one in choices if one.look == "shown" and one.piece)
    several = {piece for piece, n in speaks.items() if n > 1 and piece != column.snapshot.chosen}
    if column.view.prompt.id == COACH:
        several = set()
    named = set()
    for one in choices:
        if one.piece in several and one.look == "shown":
            if one.piece not in named:
                named.add(one.piece)
                text, act = (
                    _(column.snapshot.name(one.piece)),
                    partial(column.owner.choose, one.piece),
                )
                yield OptionRow(text, act, edge=f"{speaks[one.piece]} ▶", name=f"ways:{one.piece}")
        elif one.look not in ("quiet", "folded"):
            yield choice_row(column, one, one is tapped)


def folded_choices(column: Column, choices: Sequence[ChoiceView]) -> Iterator[Widget]:
    """What is seldom meant now, behind one row."""
    if not choices:
        return
    sign = "▲" if column.unfolded else "▼"
    yield OptionRow(
        _("Other choices"),
        column.unfold,
        edge=f"{len(choices)} {sign}",
        kind="cards",
        look="quiet",
        name="unfold-choices",
    )
    if column.unfolded:
        yield from (choice_row(column, one, one.tap == column.view.does) for one in choices)


def add_page(column: Column, card: Card, first: bool) -> None:
    """The button that opens the page which answers the prompt best."""
    prompt = column.view.prompt
    if not prompt.page or prompt.secret:
        return
    place = prompt.page if prompt.page == "score" else f"page:{prompt.page}"
    text, act = _("Open: {page}", page=prompt.page_title), partial(column.owner.go, place)
    place_for = card.body if card.foot or not first else card.foot
    place_for.append(TouchButton(text, act, "plain", name="to-page"))


def secret_rows(column: Column, prompt: PromptView) -> Iterator[Widget]:
    """One row for each player who still has to answer alone."""
    looks = {one.acts[0]: one for one in prompt.choices if one.name.startswith("secret:")}
    for seat in prompt.seats:
        found, one = column.snapshot.seat(seat), looks.get(seat)
        name = _(found.name) if found is not None else seat
        sign = THEME.mark_of(found.colour) if found is not None else THEME.mark(seat)
        if one is None:
            yield Text(f"{sign} {name}: {_('has chosen')} ✓", colour="soft")
        elif one.look != "primary":  # else it is gold: nobody else is there
            act = partial(column.act, one.tap)
            yield OptionRow(f"{sign} {one.text}", act, one.detail, name=one.name)


def ready_keys(column: Column) -> Iterator[Widget]:
    """A key for each piece that may be selected to answer."""
    ready = [one for one in column.view.prompt.pieces if one.selects]
    if not ready:
        return
    yield heading(_("READY"))
    keys = (
        TouchButton(
            key_name(column, one),
            partial(column.act, one.tap),
            size="small",
            name=f"unit:{one.piece}",
        )
        for one in ready
    )
    yield grid([*keys], UNIT_COLUMNS)


def best_rows(column: Column) -> Iterator[Widget]:
    """The best offers of the pieces: they are computed after the card is shown."""
    best = column.view.best
    chances = any(offer.chance is not None for offer in best)
    if best:
        yield heading(_("BEST CHANCES") if chances else _("BEST ACTIONS"))
    for offer in best:
        name = _(column.snapshot.owned_name(offer.piece))
        act = partial(column.pick, offer.tap)
        yield OptionRow(name, act, offer.text, offer.odds, offer.kind, name=f"best:{offer.piece}")


def key_name(column: Column, piece: PieceTap) -> str:
    """What the key of a piece calls it: by its whole name where that fits into a third."""
    whole, gap = _(column.snapshot.name(piece.piece)), THEME.gap()
    room = (column.width - 6 * gap) / UNIT_COLUMNS - 2 * gap
    wide = line_width(whole, THEME.size("small"), FONTS["text"], False)
    return whole if wide <= room * SPARE else piece.text


def place_rows(column: Column) -> Iterator[Widget]:
    """The few spaces that answer the question, by their words and the number on the board."""
    for one in column.view.prompt.cells:
        if one.place:
            act = partial(column.act, one.tap)
            yield OptionRow(one.place, act, one.detail, one.text, name=f"cell:{one.cell}")


def pointing_rows(column: Column, facts: Sequence[FactView]) -> Iterator[Widget]:
    """Facts about pieces: one tap shows these, each with the facts about it if there are several,
    and a tap on one selects it."""
    sign = "▲" if column.unfolded else "▼"
    buttons = [
        TouchButton(f"{one.text} {sign}", column.unfold, "quiet", size="small", name="unfold-fact")
        for one in facts
    ]
    if buttons:
        yield grid(buttons, min(2, len(buttons)))
    pieces: dict[tuple[str, str], list[str]] = {}
    for one in facts if column.unfolded else ():
        for pair in one.about:
            pieces.setdefault(pair, []).extend([one.text] if len(facts) > 1 else ())
    for (piece, text), told in pieces.items():
        choose = partial(column.owner.choose, piece)
        yield OptionRow(text, choose, " · ".join(told), kind="right", name=f"pointed:{piece}")


def fact_line(fact: FactView) -> Widget:
    """Something already known, with its chance as a bar."""
    sign = {"good": "✓ ", "bad": "✕ ", "warn": "? "}.get(fact.tone, "")
    text = Text(f"{sign}{fact.text}", "body", fact.tone or "text")
    if fact.chance is None:
        return text
    box = CardBox("card", pad="tiny")
    box.padding = 0
    text.bold = True
    box.add_widget(text)
    box.add_widget(Gauge(fact.chance, "good"))
    return box


def dice_row(faces: Sequence[int | str | SymbolView], sides: int = FACE_SIDES) -> Widget:
    """Dice that lie on the table; a number is drawn as on a die with so many sides."""
    box = StackLayout(size_hint_y=None, spacing=THEME.gap("tiny"))
    box.bind(minimum_height=box.setter("height"))
    for face in faces:
        if isinstance(face, SymbolView):
            box.add_widget(SymbolDie(face, None))
        elif isinstance(face, int) and sides > FACE_SIDES:
            box.add_widget(NumberDie(face, None, 46))
        elif isinstance(face, int) and 1 <= face <= FACE_SIDES:
            box.add_widget(Die(face, None, 40))
        else:
            mark = Text(str(face), "large", bold=True, align="center")
            mark.size_hint_x, mark.width = None, dp(44)
            box.add_widget(mark)
    return box


WHITE = (1.0, 1.0, 1.0, 1.0)


class TotalPlates(BoxLayout):
    """The totals beside each other, with a colon between them."""

    def __init__(self, snapshot: Snapshot, totals: Sequence[TotalView]) -> None:
        super().__init__(size_hint_y=None, spacing=THEME.gap("small"))
        self.bind(minimum_height=self.setter("height"))
        for number, one in enumerate(totals):
            if number:
                colon = Text(":", "title", "soft", bold=True, align="center")
                colon.size_hint_x, colon.width = None, dp(14)
                colon.pos_hint = {"center_y": 0.5}
                self.add_widget(colon)
            self.add_widget(Plate(snapshot, one))


class Plate(BoxLayout):
    """One side: the player's name, the total, and what it is made of."""

    def __init__(self, snapshot: Snapshot, total: TotalView) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, padding=THEME.gap("small"))
        self.bind(minimum_height=self.setter("height"))
        seat = snapshot.seat(total.seat)
        place = seat_place(seat) if seat is not None else 0
        with self.canvas.before:
            Color(*THEME.colour(f"fill-{place}"))
            self._ground = RoundedRectangle(radius=[THEME.radius])
        self.bind(pos=self._place, size=self._place)
        name = _(seat.name) if seat is not None else ""
        self.add_widget(Text(name, "small", WHITE, align="center"))
        self.add_widget(Text(str(total.total), "title", WHITE, bold=True, align="center"))
        self.add_widget(Text(total.detail or " ", "small", WHITE, align="center"))

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
