"""Cards of what happens at the table: dice of an offer, moves, a lost camera, the end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.picture_view import Viewer
from companion.app.render.theme import THEME
from companion.app.turn.card import Card, Column, upright
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.app_words import _
from companion.engine.turn.turn_records import ChoiceView, PromptView
from companion.games.api.new_game import SeatView

PICTURE_DP = 190
SIGNS = {"good": "✓", "bad": "✕", "warn": "?"}


def headed(column: Column, text: str = "") -> Card:
    """A card with the title of what is asked, and the banner of its player; dice have a rim in the
    colour of who rolls."""
    seat, rolls = seat_of(column), bool(column.view.prompt.dice)
    rim = f"side-{seat_place(seat)}" if seat is not None and rolls else "line"
    return Card(column.view.prompt.title, text, seat, rim=rim)


def seat_of(column: Column) -> SeatView | None:
    """The player whom the card concerns."""
    return column.snapshot.seat(column.view.seat)


def press(column: Column, choice: ChoiceView) -> TouchButton:
    """A button of the card's foot."""
    return TouchButton(choice.text, partial(column.act, choice.tap), choice.look, name=choice.name)


def roll_card(column: Column) -> Card:
    """The dice that an offer or a choice rolls."""
    prompt = column.view.prompt
    card = headed(column, prompt.text)
    card.body += [column.entry(dice) for dice in prompt.dice]
    card.foot += [press(column, choice) for choice in prompt.choices]
    return card


def due_card(column: Column) -> Card:
    """A move that is decided: its tray is still to be moved, or stays where it is."""
    prompt = column.view.prompt
    card = headed(column)
    card.body.append(Text(prompt.text, "body", "soft"))
    buttons = [press(column, choice) for choice in prompt.choices]
    card.foot.append(grid(buttons, 2 if len(buttons) > 2 and upright(column) else 1))
    return card


def moves_card(column: Column) -> Card:
    """The moves that were detected, one after the other.

    What puts it back, leaves it for later or keeps the move is always in the same places.
    """
    prompt, rest = column.view.prompt, column.view.moves
    card = headed(column)
    card.body += [
        Text(f"{SIGNS[fact.tone]} {fact.text}", "body", fact.tone) for fact in prompt.facts
    ]
    if prompt.why:
        card.body.append(why_press(column, prompt))
    gold = [one for one in prompt.choices if one.look == "primary"]
    back = [one for one in prompt.choices if one.name == "correct"]
    only = [one for one in prompt.choices if one.name == "accept"]
    later = [one for one in prompt.choices if one.name == "later"]
    others = [one for one in prompt.choices if one not in (*gold, *back, *only, *later)]
    card.body += [
        OptionRow(one.text, partial(column.act, one.tap), name=one.name) for one in others
    ]
    if rest:
        card.body.append(heading(_("ALSO MOVED")))
        card.body += [move_box(column, one) for one in rest]
    last = gold if later else gold or only
    card.body += [press(column, one) for one in only if one not in last]
    card.foot += undone(column, prompt)
    card.foot += [press(column, one) for one in last]
    if not last and not later:
        card.foot.append(TouchButton(_("It cannot lie there"), None, "quiet", name="no-place"))
    elif not last:
        card.foot.append(free_place())
    return card


UNDONE = ("correct", "later")


def undone(column: Column, prompt: PromptView) -> tuple[Widget, ...]:
    """Put back and, where players may leave it there for now, Later beside it."""
    found = [press(column, one) for one in prompt.choices if one.name in UNDONE]
    return (row(*found),) if len(found) > 1 else tuple(found)


def free_place() -> Widget:
    """The place of what keeps a move, where nothing does: a stray tap costs nothing."""
    return Widget(size_hint_y=None, height=THEME.target)


def astray_card(column: Column) -> Card:
    """Several pieces that stand elsewhere: each with its reason, and one answer for all."""
    card = headed(column)
    for one in column.view.moves:
        card.body.append(Text(one.title, bold=True))
        card.body += [Text(fact.text, "small", fact.tone) for fact in one.facts]
        card.body += [
            OptionRow(choice.text, partial(column.act, choice.tap), name=f"{choice.name}:{one.id}")
            for choice in one.choices
            if choice.look != "quiet" and books(choice)
        ]
    card.foot += [press(column, choice) for choice in column.view.prompt.choices]
    return card


def books(choice: ChoiceView) -> bool:
    """Whether a button takes over what the camera saw."""
    return choice.name.startswith(("accept", "agree:"))


def cell_card(column: Column) -> Card:
    """A piece that the camera sees on another cell: is it there, or on which one?"""
    prompt = column.view.prompt
    card = headed(column)
    card.body += [
        Text(f"{SIGNS[fact.tone]} {fact.text}", "large", fact.tone, bold=True)
        for fact in prompt.facts
    ]
    rows = [one for one in prompt.choices if one.look == "plain" and books(one)]
    card.body += [OptionRow(one.text, partial(column.act, one.tap), name=one.name) for one in rows]
    gold = any(one.look == "primary" for one in prompt.choices)
    aside = [one for one in prompt.choices if one.name in UNDONE]
    above = [one for one in prompt.choices if one not in (*rows, *aside) and one.look != "primary"]
    card.foot += [press(column, one) for one in above]
    card.foot += undone(column, prompt)
    card.foot += [press(column, one) for one in prompt.choices if one.look == "primary"]
    if prompt.text:
        card.foot.append(TouchButton(prompt.text, None, "quiet", name="tap-a-cell"))
    elif not gold:
        card.foot.append(free_place())
    return card


def camera_question_card(column: Column) -> Card:
    """Tagged pieces that lie otherwise than the game has them: what does the picture mean?"""
    prompt = column.view.prompt
    card = headed(column, prompt.text)
    if column.live.picture is not None and not column.snapshot.tabled:
        picture = Viewer(size_hint_y=None, height=dp(PICTURE_DP))
        picture.show(column.live.picture, ())
        card.body.append(picture)
    card.body += answers(column, card)
    return card


def proposal_card(column: Column) -> Card:
    """What a player proposes on a phone, and all must agree to."""
    card = headed(column, column.view.prompt.text)
    card.body += answers(column, card)
    return card


def answers(column: Column, card: Card) -> Iterator[OptionRow]:
    """The answers as rows; the gold and the quiet ones lie at the foot."""
    for choice in column.view.prompt.choices:
        if choice.look in ("primary", "quiet"):
            card.foot.append(press(column, choice))
        else:
            act = partial(column.act, choice.tap)
            yield OptionRow(choice.text, act, choice.detail, name=choice.name)


def why_press(column: Column, prompt: PromptView) -> TouchButton:
    """A button that says which rules forbid the move."""
    told = ": ".join((prompt.title, *(fact.text for fact in prompt.facts)))
    act = partial(column.owner.say, told, prompt.rule)
    return TouchButton(_("Why?"), act, "quiet", size="small", name=f"why:{prompt.id}")


def move_box(column: Column, prompt: PromptView) -> CardBox:
    """A move that waits for its turn to be decided; it can be decided at once too."""
    box = CardBox("raised", pad="small")
    box.add_widget(Text(prompt.title, bold=True))
    for fact in prompt.facts:
        box.add_widget(Text(fact.text, "small", fact.tone))
    box.add_widget(row(*shortly(column, prompt)))
    return box


def shortly(column: Column, prompt: PromptView) -> Iterator[TouchButton]:
    """Put back, or keep where it may lie there: as which action is asked when it is its turn."""
    words = {"correct": _("Put back"), "accept": _("Keep")}
    for choice in prompt.choices:
        if choice.name in words:
            act, name = partial(column.act, choice.tap), f"{choice.name}:{prompt.id}"
            yield TouchButton(words[choice.name], act, "quiet", name=name)


def camera_card(column: Column) -> Card:
    """The camera is lost: what can be done."""
    act = column.owner.camera
    why = column.live.why
    card = Card(_("The camera is gone"), _(why) if why else "", rim="bad")
    card.body += [
        Text(_("Nothing is lost. The game knows where everything stood.")),
        OptionRow(
            _("Use another camera"),
            partial(act, "other"),
            _("or check the cable: it comes back by itself"),
            name="camera:other",
        ),
        OptionRow(
            _("Play on the map"),
            column.play_on,
            _("move everything by finger; switch back any time"),
            name="camera:map",
        ),
    ]
    card.foot.append(
        TouchButton(
            _("Reconnect now"), partial(act, "reconnect"), "primary", name="camera:reconnect"
        )
    )
    return card


def won_card(column: Column) -> Card:
    """The end of the game."""
    prompt = column.view.prompt
    card = headed(column, prompt.text)
    for one in prompt.totals:
        seat = column.snapshot.seat(one.seat)
        name = _(seat.name if seat is not None else one.seat)
        told = " · ".join(part for part in (f"{name}: {one.total}", one.detail) if part)
        card.body.append(Text(f"{THEME.mark(one.seat)} {told}", "large"))
    card.foot.append(
        TouchButton(
            _("Report, replay, export"),
            partial(column.owner.go, "past"),
            "primary",
            name="look-back",
        )
    )
    return card
