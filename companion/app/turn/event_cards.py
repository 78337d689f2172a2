"""Cards of what happens at the table: dice of an offer, moves, a lost camera, the end."""

from __future__ import annotations

from collections.abc import Iterator
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
from companion.games.api.screen_views import ScoreView


def roll_card(column: Column, rolling: Rolling) -> Card:
    """The dice that an offer or a choice rolls."""
    seat = column.snapshot.seat(rolling.acts[0]) if rolling.acts else None
    card = Card(_(rolling.text), _(rolling.detail), seat)
    about = [*map(dict, rolling.commands)]
    card.body.append(column.entry(about, rolling.dice.requests[0], partial(column.rolled, rolling)))
    card.foot.append(TouchButton(_("Not now"), column.cancel_roll, "quiet", name="not-now"))
    return card


def moves_card(column: Column) -> Card:
    """The moves that were detected, one after the other."""
    notice, *rest = column.snapshot.notices
    owner = column.owner
    card = Card(notice.title, "", owner_of(column.snapshot, notice.unit))
    sign, tint = ("✓", "good") if notice.legal else ("?" if not notice.in_turn else "✕", "bad")
    card.body.append(
        Text(f"{sign} {notice.detail}", "body", "warn" if not notice.in_turn else tint)
    )
    if notice.rules:
        card.body.append(why_press(column, notice))
    if rest:
        card.body.append(heading(_("ALSO MOVED")))
        card.body += [move_box(column, one) for one in rest]
    back = TouchButton(_("Put back"), partial(owner.put_back, notice.unit), name="correct")
    card.foot += [back, *kept_as(column, notice)]
    return card


def kept_as(column: Column, notice: Notice) -> Iterator[TouchButton]:
    """The buttons that keep a move: as the action that explains it, or as a mere correction."""
    keep = column.owner.keep_move
    for offer in notice.actions:
        act = partial(keep, notice.unit, offer.kind)
        yield TouchButton(_(offer.text), act, "primary", name=f"accept:{offer.kind}")
    for offer in notice.agreeable:
        agree = _("Both agree: {action}", action=_(offer.text))
        act = partial(keep, notice.unit, offer.kind)
        yield TouchButton(agree, act, "quiet", name=f"agree:{offer.kind}")
    if notice.actions or notice.agreeable:
        only = _("Only correct the position")
        yield TouchButton(only, partial(keep, notice.unit), "quiet", name="accept")
    else:
        look = "primary" if notice.legal else "plain"
        yield TouchButton(_("Keep"), partial(keep, notice.unit), look, name="accept")


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
    tint = "warn" if not notice.in_turn else "good" if notice.legal else "bad"
    box.add_widget(Text(notice.detail, "small", tint))
    owner, unit = column.owner, notice.unit
    box.add_widget(
        row(
            TouchButton(_("Keep"), partial(owner.keep_move, unit), "quiet", name=f"accept:{unit}"),
            TouchButton(
                _("Put back"), partial(owner.put_back, unit), "quiet", name=f"correct:{unit}"
            ),
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
