"""The card of the prompt: what the game waits for, and how players answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.turn.card import Card, Column, short_name
from companion.app.turn.dice_entry import percent
from companion.app.turn.option_row import OptionRow
from companion.app.turn.total_plates import TotalPlates
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.icon import Die, SymbolDie
from companion.app.widgets.layouts import grid
from companion.app.widgets.modal import Gauge
from companion.engine.app_words import _
from companion.engine.turn.entered_dice import EnteredDice
from companion.engine.turn.selection import (
    asks_piece,
    best_offers,
    choice_name,
    choice_rows_of,
    form_key,
    named_pieces,
    selectable,
    waiting_behind,
)
from companion.engine.turn.turn_view import Rolling
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import Choice, DiceSymbol, Fact, Prompt, PromptForm

SHORT = 16
"""A text up to this length fits half the width of the card."""
TINTS = {"good": "good", "bad": "bad", "warn": "warn", "": "soft"}
FACE_SIDES = 6


def prompt_card(column: Column, prompt: Prompt) -> Card:
    """What the game waits for."""
    seat = column.snapshot.seat(prompt.seats[0]) if len(prompt.seats) == 1 else None
    opened = next((one for one in prompt.forms if form_key(one) == column.opened), None)
    if opened is not None:
        return form_card(column, prompt, opened, seat)
    card = Card(_(prompt.title), _(prompt.text), seat)
    if prompt.totals:
        card.body.append(TotalPlates(column.snapshot, prompt.totals))
    card.body += [fact_line(one) for one in prompt.facts]
    if prompt.rolled:
        card.body.append(dice_row(prompt.rolled))
    if prompt.secret:
        card.body += secret_rows(column, prompt)
    elif prompt.dice is not None:
        add_dice(column, card, prompt)
    if asks_piece(prompt) and column.snapshot.tabled:
        card.body += overview(column, prompt)
    for form in prompt.forms:
        if form.opens and form.look != "quiet":
            card.body.append(form_row(column, form))
        elif form.look != "quiet":
            filled = column.fill_in(form, lambda: named_pieces(column.snapshot, prompt.pieces))
            card.body += [Text(_(form.text), bold=True), filled]
            card.foot.append(filled.foot)
    add_choices(column, card, prompt)
    if folded := [one for one in prompt.forms if one.look == "quiet"]:
        card.body.append(
            grid(
                [
                    TouchButton(
                        _(one.text),
                        partial(column.open if one.opens else column.owner.open_form, one),
                        "quiet",
                        size="small",
                        name=f"form:{form_key(one) if one.opens else one.command['do']}",
                    )
                    for one in folded
                ],
                2,
            )
        )
    card.body += others(column, prompt)
    return card


def form_row(column: Column, form: PromptForm) -> OptionRow:
    """The row that opens a form."""
    look = "right" if not form.seat else "lock"
    return OptionRow(
        _(form.text),
        partial(column.open, form),
        _(form.detail),
        kind=look,
        name=f"form:{form_key(form)}",
    )


def form_card(column: Column, prompt: Prompt, form: PromptForm, seat: SeatView | None) -> Card:
    """An open form in place of the prompt; its button is at the foot."""
    close = TouchButton("✕", partial(column.open, None), "bare", name="close-form")
    close.size_hint, close.size = (None, None), (THEME.target, THEME.target)
    card = Card(_(form.text), _(form.detail), seat, close=close)
    filled = column.fill_in(form, lambda: named_pieces(column.snapshot, prompt.pieces))
    card.body.append(filled)
    card.foot.append(filled.foot)
    return card


def add_dice(column: Column, card: Card, prompt: Prompt) -> None:
    """The dice of a prompt: keys, or one button where the app rolls."""
    request = prompt.dice
    assert request is not None
    send = column.owner.send
    if column.owner.liked.dice == "app" and request.optional:
        card.body.append(
            TouchButton(
                _("Enter own dice"),
                partial(column.owner.prefer_dice, "count"),
                "quiet",
                size="small",
                name="own-dice",
            )
        )
        card.foot.append(
            TouchButton(
                _("Let the app roll"), partial(send, request.command), "primary", name="app-rolls"
            )
        )
        return

    def done(filled: Mapping[str, Any] | None) -> None:
        send(request.command if filled is None else filled)

    card.body.append(column.entry(prompt.id, request, done))
    if request.optional:
        card.body.append(always_rolls(column))


def always_rolls(column: Column) -> TouchButton:
    """A button that lets the app roll from now on."""
    return TouchButton(
        _("Let the app roll from now on"),
        partial(column.owner.prefer_dice, "app"),
        "bare",
        size="small",
        name="app-always",
    )


def add_choices(column: Column, card: Card, prompt: Prompt) -> None:
    """The choices: rows in the body, at most one primary button at the foot."""
    prompt = suited(prompt, column.owner.liked.dice == "app")
    listed = choice_rows_of(column.snapshot, prompt)
    primary, chosen = listed.primary, column.snapshot.chosen
    tapped = next((one for one in prompt.choices if one.piece and one.piece == chosen), None)
    for number, one in listed.rows:
        card.body.append(
            OptionRow(
                _(one.text),
                partial(answer, column, one),
                _(one.detail),
                kind=one.icon,
                chosen=one is tapped,
                name=choice_name(one, number),
            )
        )
    quiet = [
        TouchButton(
            _(one.text),
            partial(answer, column, one),
            "quiet",
            _(one.detail),
            name=choice_name(one, number),
        )
        for number, one in listed.quiet
    ]
    if prompt.page and not prompt.secret:
        title = next((one.title for one in column.snapshot.pages if one.id == prompt.page), "")
        place = prompt.page if prompt.page == "score" else f"page:{prompt.page}"
        look = "plain" if card.foot or primary is not None else "primary"
        press = TouchButton(
            _("Open: {page}", page=_(title) if title else _("Score")),
            partial(column.owner.go, place),
            look,
            name="to-page",
        )
        (card.foot if look == "primary" else card.body).append(press)
    if quiet:
        short = all(len(one.text) <= SHORT for one in quiet)
        card.foot.insert(0, grid(quiet, 2 if short else 1))
    if primary is not None:
        look = (
            "plain" if any(is_gold(one) for box in card.foot for one in box.walk()) else "primary"
        )
        card.foot.append(
            TouchButton(
                _(primary.text),
                partial(answer, column, primary),
                look,
                _(primary.detail),
                name=choice_name(primary, 0),
            )
        )


def suited(prompt: Prompt, app_rolls: bool) -> Prompt:
    """The prompt with one golden choice: where the app rolls, what continues with its dice.

    Players with dice of their own continue first and then roll.
    """
    rolling = [one for one in prompt.choices if one.dice is not None and len(one.commands) > 1]
    if not rolling:
        return prompt
    rest = [one for one in prompt.choices if one not in rolling]
    if app_rolls and any(one.look == "primary" for one in rest):
        rest = [replace(one, look="plain") if one.look == "primary" else one for one in rest]
        rest.append(replace(rolling[0], look="primary"))
    return replace(prompt, choices=tuple(rest))


def answer(column: Column, choice: Choice) -> None:
    """Send a choice, after its dice if it has any."""
    if choice.dice is None:
        column.owner.send(*choice.commands)
        return
    dice = EnteredDice.begin(choice.dice)
    acts = (choice.seat,) if choice.seat else ()
    column.roll(Rolling(choice.text, choice.commands, dice, choice.detail, acts))


def is_gold(widget: Widget) -> bool:
    """Whether a widget is the primary button."""
    return isinstance(widget, TouchButton) and widget.look == "primary"


def secret_rows(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """One row for each player who still has to answer alone."""
    for seat in prompt.seats:
        found = column.snapshot.seat(seat)
        name = _(found.name) if found is not None else seat
        sign = THEME.mark_of(found.colour) if found is not None else THEME.mark(seat)
        if seat in prompt.answered:
            yield Text(f"{sign} {name}: {_('has chosen')} ✓", colour="soft")
        else:
            yield OptionRow(
                f"{sign} {name}",
                partial(column.owner.secret, prompt, seat),
                _("choose in secret"),
                name=f"secret:{seat}",
            )


def overview(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """The best offers of the pieces that are asked for, then the other pieces."""
    snapshot = column.snapshot
    shown = best_offers(snapshot)
    if shown:
        yield heading(_("BEST CHANCES"))
    for offer in shown:
        yield OptionRow(
            _(snapshot.name(offer.piece)),
            partial(column.pick, offer),
            _(offer.text),
            _(offer.odds),
            offer.kind,
            name=f"best:{offer.piece}",
        )
    named_already = {offer.piece for offer in shown}
    rest = [one for one in selectable(snapshot, prompt) if one not in named_already]
    if rest:
        yield heading(_("ALSO READY") if shown else _("READY"))
        yield grid(
            [
                TouchButton(
                    _(short_name(snapshot, one)),
                    partial(column.owner.choose, one),
                    size="small",
                    name=f"unit:{one}",
                )
                for one in rest
            ],
            3,
        )


def others(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """The prompts that wait behind this one."""
    rest = list(waiting_behind(column.snapshot, prompt))
    if rest:
        yield heading(_("THEN"))
    for one in rest:
        yield OptionRow(_(one.title), partial(column.ask, one.id), name=f"prompt:{one.id}")


def fact_line(fact: Fact) -> Widget:
    """Something already known, with its chance as a bar."""
    sign = {"good": "✓ ", "bad": "✕ ", "warn": "? "}.get(fact.tone, "")
    text = Text(f"{sign}{_(fact.text)}", "body", TINTS[fact.tone] if fact.tone else "text")
    if fact.chance is None:
        return text
    box = CardBox("card", pad="tiny")
    box.padding = 0
    if "%" not in _(fact.text):
        text.set_text(f"{sign}{_(fact.text)} · {percent(fact.chance)}")
    text.bold = True
    box.add_widget(text)
    box.add_widget(Gauge(fact.chance, "good"))
    return box


def dice_row(faces: Sequence[int | DiceSymbol]) -> Widget:
    """Dice that lie on the table."""
    box = StackLayout(size_hint_y=None, spacing=THEME.gap("tiny"))
    box.bind(minimum_height=box.setter("height"))
    for face in faces:
        if isinstance(face, DiceSymbol):
            box.add_widget(SymbolDie(face, None))
        elif 1 <= face <= FACE_SIDES:
            box.add_widget(Die(face, None, 40))
        else:
            mark = Text(str(face), "large", bold=True, align="center")
            mark.size_hint_x, mark.width = None, dp(44)
            box.add_widget(mark)
    return box
