"""Cards of what happens at the table: dice of an offer, moves, a lost camera, the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.app.render.theme import THEME
from companion.app.turn.card import Card, Column, owner_of, seat_name
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import row
from companion.engine.app_words import _
from companion.engine.snapshot import CellMove, Notice
from companion.engine.turn.turn_view import Rolling
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.prompt import ActionOffer
from companion.games.api.screen_views import ScoreView


def roll_card(column: Column, rolling: Rolling) -> Card:
    """The dice that an offer or a choice rolls."""
    seat = column.snapshot.seat(rolling.acts[0]) if rolling.acts else None
    card = Card(_(rolling.text), _(rolling.detail), seat)
    about = [*map(dict, rolling.commands)]
    card.body.append(column.entry(about, rolling.dice.requests[0], partial(column.rolled, rolling)))
    card.foot.append(TouchButton(_("Not now"), column.cancel_roll, "quiet", name="not-now"))
    return card


OPTIONAL = frozenset(("pivot", "turn", "shift"))
"""Moves that a unit may make: it is asked, and nothing is taken up for it."""


def due_card(column: Column, move: ActionOffer) -> Card:
    """A move that is decided: its tray is still to be moved, or stays where it is."""
    card = Card(_(move.text), "", owner_of(column.snapshot, move.piece))
    card.body.append(
        Text(_("Move the tray on the screen, or by hand under the camera."), "body", "soft")
    )
    stay = partial(column.owner.stay, move.piece)
    card.foot.append(TouchButton(_("It stays where it is"), stay, name="stay"))
    must = move.kind not in OPTIONAL
    text = _("Move the tray") if must else _("Turn it") if move.kind != "shift" else _("Shift it")
    begin = partial(column.owner.move_piece, move)
    card.foot.append(TouchButton(text, begin, "primary" if must else "plain", name="move-tray"))
    return card


def due_row(column: Column, move: ActionOffer) -> OptionRow:
    """A move that may be made while dice are entered."""
    act = partial(column.owner.move_piece, move)
    return OptionRow(_(move.text), act, kind=move.kind, name=f"due:{move.piece}")


def moves_card(column: Column) -> Card:
    """The moves that were detected, one after the other.

    Put back and, under it, what keeps the move are always in the same places.
    """
    notice, *rest = column.snapshot.notices
    owner = column.owner
    card = Card(notice.title, "", owner_of(column.snapshot, notice.unit))
    sign, tint = notice_sign(notice)
    card.body.append(Text(f"{sign} {notice.detail}", "body", tint))
    if notice.rules:
        card.body.append(why_press(column, notice))
    sure = notice.actions[0] if len(notice.actions) == 1 and not notice.unsure else None
    for offer in () if sure is not None else notice.actions:
        name = f"accept:{offer.kind}"
        card.body.append(OptionRow(_(offer.text), keeper(column, notice, offer), name=name))
    for offer in notice.agreeable:
        agree = _("Both agree: {action}", action=_(offer.text))
        name = f"agree:{offer.kind}"
        card.body.append(OptionRow(agree, keeper(column, notice, offer), name=name))
    if rest:
        card.body.append(heading(_("ALSO MOVED")))
        card.body += [move_box(column, one) for one in rest]
    card.foot.append(
        TouchButton(_("Put back"), partial(owner.put_back, notice.unit), name="correct")
    )
    only = TouchButton(
        _("Only correct the position"),
        partial(owner.keep_move, notice.unit),
        "quiet",
        name="accept",
    )
    if sure is not None:
        card.body.append(only)
        act, name = keeper(column, notice, sure), f"accept:{sure.kind}"
        only = TouchButton(_(sure.text), act, "primary", name=name)
    card.foot.append(only)
    return card


def notice_sign(notice: Notice) -> tuple[str, str]:
    """The sign and the colour of a move: only what is certain has a tick."""
    if not notice.in_turn or notice.unsure:
        return "?", "warn"
    return ("✓", "good") if notice.legal else ("✕", "bad")


def keeper(column: Column, notice: Notice, offer: ActionOffer) -> Callable[[], object]:
    """What keeps a move as an action: with dice, they are rolled first."""
    if offer.dice is not None:
        return partial(column.take, offer)
    return partial(column.owner.keep_move, notice.unit, offer.kind)


def cell_card(column: Column, move: CellMove) -> Card:
    """A piece that the camera sees on another cell: is it there, or on which one?"""
    card = Card(move.title, "", owner_of(column.snapshot, move.piece))
    sign, tint = ("✓", "good") if move.legal else ("?", "warn")
    card.body.append(Text(f"{sign} {move.detail}", "large", tint, bold=True))
    place = column.owner.place_piece
    back = TouchButton(_("Put back"), partial(place, move.piece, None), name="correct")
    card.foot.append(back)
    if len(move.cells) > 1:
        told = _("Tap a marked space")
        card.foot.append(TouchButton(told, None, "quiet", name="tap-a-cell"))
    elif move.legal:
        keep = partial(place, move.piece, move.cells[0].cell)
        card.foot.append(TouchButton(_("Keep"), keep, "primary", name="accept"))
    return card


def camera_question_card(column: Column, question: CameraQuestion) -> Card:
    """Tagged pieces that lie otherwise than the game has them: what does it mean?"""
    card = Card(_(question.title), _(question.detail))
    card.body += [
        OptionRow(
            _(one.text),
            partial(column.owner.send, *one.commands),
            _(one.detail) if one.detail else "",
            name=f"question:{number}",
        )
        for number, one in enumerate(question.choices)
    ]
    refuse = partial(column.owner.refuse_question, question.id)
    card.foot.append(TouchButton(_("Leave it as it was"), refuse, "quiet", name="not-so"))
    return card


def why_press(column: Column, notice: Notice) -> TouchButton:
    """A button that says which rules forbid the move."""
    told = f"{notice.title}: {notice.detail}"
    act = partial(column.owner.say, told, ", ".join(notice.rules))
    return TouchButton(_("Why?"), act, "quiet", size="small", name=f"why:{notice.unit}")


def move_box(column: Column, notice: Notice) -> CardBox:
    """A move that waits for its turn to be decided; it can be decided at once too."""
    box = CardBox("raised", pad="small")
    box.add_widget(Text(notice.title, bold=True))
    box.add_widget(Text(notice.detail, "small", notice_sign(notice)[1]))
    owner, unit = column.owner, notice.unit
    box.add_widget(
        row(
            TouchButton(
                _("Put back"), partial(owner.put_back, unit), "quiet", name=f"correct:{unit}"
            ),
            TouchButton(_("Keep"), partial(owner.keep_move, unit), "quiet", name=f"accept:{unit}"),
        )
    )
    return box


def camera_card(column: Column) -> Card:
    """The camera is lost: what can be done."""
    act = column.owner.camera
    why = column.live.why
    card = Card(_("The camera is gone"), _(why) if why else "", rim="bad")
    card.body += [
        Text(_("Nothing is lost. The game knows every tray as it stood.")),
        OptionRow(
            _("Use another camera"),
            partial(act, "other"),
            _("or check the cable: it comes back by itself"),
            name="camera:other",
        ),
        OptionRow(
            _("Play on the map"),
            column.play_on,
            _("move the trays by finger; switch back any time"),
            name="camera:map",
        ),
    ]
    card.foot.append(
        TouchButton(
            _("Reconnect now"), partial(act, "reconnect"), "primary", name="camera:reconnect"
        )
    )
    return card


def won_card(column: Column, score: ScoreView) -> Card:
    """The end of the game."""
    seat = column.snapshot.seat(score.winner)
    if seat is None:
        title = _("A draw")
    else:
        title = _("{side} wins", side=_(seat.name))
    card = Card(title, _(score.how), seat)
    card.body += [
        Text(
            f"{THEME.mark(one.seat)} {seat_name(column.snapshot, one.seat)}: {one.points}", "large"
        )
        for one in score.seats
    ]
    card.foot.append(
        TouchButton(
            _("Report, replay, export"),
            partial(column.owner.go, "past"),
            "primary",
            name="look-back",
        )
    )
    return card
