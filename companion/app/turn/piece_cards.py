"""The card of a piece: what it may do, the best first, and why not the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.turn.card import Card, Column
from companion.app.turn.event_cards import seat_of
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import row
from companion.app.widgets.photo import PhotoView
from companion.engine.app_words import _
from companion.engine.turn.turn_records import ChoiceView, OfferView, PieceLine
from companion.text.translation import capital

PHOTO_DP = 120
TOLD_WAYS = 1
"""So many further ways of a row are named on it: which coins buy something, for instance."""


def piece_card(column: Column) -> Card:
    """The selected piece: what it may do, the best first, and why not the rest."""
    view = column.view
    piece, picked, own = view.piece, view.picked, view.choices
    assert piece is not None
    close = TouchButton("✕", partial(column.owner.choose, None), "bare", name="unchoose")
    close.size_hint, close.size = (None, None), (THEME.target, THEME.target)
    star = " ★" if piece.leader else ""
    below = " · ".join(filter(None, (left_text(column, piece), *piece.badges)))
    card = Card(piece.name + star, below, seat_of(column), close=close)
    card.body += own_words(column, piece)
    lines = [Text(line, "body", "soft") for line in piece.lines]
    # A long card would push what it may do out of sight: it stands below.
    over = 0 if view.offers else len(lines)
    card.body += lines[:over]
    card.body += offer_rows(column)
    if view.refused:
        card.body += why_not(column)
    shown = next((one for one in own if one.tap == view.does), None)
    rows = own if view.offers or len(own) > 1 else ()
    card.body += [choice_row(column, one, one is shown) for one in rows]
    if shown is not None:
        card.foot.append(done_by(column, shown))
    elif picked is not None and picked.piece not in ("", piece.id):
        first = picked.asks == ("cell",) or picked.moves  # its piece is selected first
        act = partial(column.pick if first else column.act, picked.tap)
        look = look_of(column, picked.tap)
        card.foot.append(TouchButton(picked.text, act, look, name="do-offer"))
    elif picked is not None and picked.asks == ("cell",):
        card.foot.append(TouchButton(_("Tap a marked space"), None, "quiet", name="tap-a-cell"))
    elif picked is not None:
        act, look = partial(column.act, picked.tap), look_of(column, picked.tap)
        card.foot.append(TouchButton(picked.text, act, look, picked.reason, name="do-offer"))
    elif len(own) == 1:
        act, look = partial(column.act, own[0].tap), look_of(column, own[0].tap)
        card.foot.append(TouchButton(own[0].text, act, look, name=own[0].name))
    elif not own and not view.offers:
        idle = [_("Nothing to do for it now."), view.prompt.text]
        card.body += [Text(line, colour="soft") for line in idle if line]
    if (ends := view.ends) is not None:
        card.foot.insert(0, end_button(column, ends))
    card.foot = with_end(column, card.foot)
    card.body += lines[over:]
    card.body += note_button(column, piece)
    if view.correctable:
        card.body.append(
            TouchButton(
                _("Effect or correction…"),
                partial(column.owner.go, f"correct:{piece.id}"),
                "quiet",
                size="small",
                name="correct-piece",
            )
        )
    return card


def own_words(column: Column, piece: PieceLine) -> Iterator[Widget]:
    """The players' own photo and words, beside each other."""
    shown = column.snapshot.piece(piece.id)
    words = [Text(f"“{piece.note}”", "body", bold=True)] if piece.note else []
    if shown is None or not shown.photo:
        yield from words
        return
    both = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
    both.bind(minimum_height=both.setter("height"))
    both.add_widget(PhotoView(Path(shown.photo), high_dp=PHOTO_DP))
    for one in words:
        both.add_widget(one)
    yield both


def note_button(column: Column, piece: PieceLine) -> Iterator[Widget]:
    """Where the players write about it."""
    shown = column.snapshot.piece(piece.id)
    if shown is None or not shown.noted[0]:
        return
    yield TouchButton(
        _("Your note…"),
        partial(column.owner.go, ":".join(("note", *shown.noted))),
        "quiet",
        size="small",
        name="note-piece",
    )


def choice_row(column: Column, choice: ChoiceView, chosen: bool = False) -> OptionRow:
    """A choice as a row: it does what it says, or only shows it until the gold button does it."""
    act = partial(column.act, choice.tap)
    if choice.look in ("shown", "folded"):
        act = partial(column.show_first, choice)
    return OptionRow(
        choice.text, act, choice.detail, kind=choice.icon, chosen=chosen, name=choice.name
    )


def look_of(column: Column, tap: str) -> str:
    """How the button of a handle at the foot is drawn: in gold where the card says so."""
    return "primary" if tap == column.view.gold else "plain"


def done_by(column: Column, choice: ChoiceView) -> TouchButton:
    """The button that does what a row shows."""
    act, look = partial(column.act, choice.tap), look_of(column, choice.tap)
    return TouchButton(choice.text, act, look, choice.detail, name="do-choice")


def left_text(column: Column, piece: PieceLine) -> str:
    """What is left of a piece, as a line."""
    if piece.left is None or piece.most is None:
        return ""
    left = _("{left} of {most} left", left=piece.left, most=piece.most)
    known = column.snapshot.piece(piece.id)
    what = _(known.counts) if known is not None else ""
    return f"{capital(what)}: {left}" if what else left


def offer_rows(column: Column) -> Iterator[OptionRow]:
    """What it may do; a family is one row, and what ends its turn is pinned below."""
    view = column.view
    families: dict[str, list[OfferView]] = {}
    for offer in view.offers:
        if not pinned(column, offer):
            families.setdefault(offer.family or offer.tap, []).append(offer)
    for kin in families.values():
        picked = view.picked in kin
        others = [one.variant for one in kin if one.variant and one is not kin[0]]
        yield offer_row(column, kin[0], picked, len(kin), others)


def end_button(column: Column, ends: ChoiceView) -> TouchButton:
    """What ends the turn: in gold if nothing else is, else over that."""
    look, act = look_of(column, ends.tap), partial(column.act, ends.tap)
    look = look if look == "primary" else "quiet"
    return TouchButton(ends.text, act, look, ends.detail, name=ends.name)


def with_end(column: Column, foot: list[Widget]) -> list[Widget]:
    """The foot of the card with what ends its turn beside the button, always in the same place."""
    ends = [one for one in column.view.offers if pinned(column, one)]
    buttons = [
        TouchButton(one.text, partial(column.pick, one.tap), "quiet", name=one.name) for one in ends
    ]
    return [row(*buttons, *foot)] if buttons else foot


def pinned(column: Column, offer: OfferView) -> bool:
    """Whether an offer has a fixed place at the foot of the card: it ends what its piece does."""
    return offer.closes and column.snapshot.tabled and offer is not column.view.picked


def offer_row(
    column: Column, offer: OfferView, picked: bool, ways: int = 1, others: Sequence[str] = ()
) -> OptionRow:
    """The row of an offer: a tap only picks it, the primary button does it; among cards, an offer
    with nothing to look at first is done by the tap on its row. `others` of its family are chosen
    once its piece is shown on a space."""
    parts = [offer.detail, offer.expected]
    if offer.verdict == "unsure":
        parts.append(f"? {offer.reason or _('too close to call')}")
    if others:
        told = [*others[:TOLD_WAYS], *("…" for _more in others[TOLD_WAYS : TOLD_WAYS + 1])]
        parts.append(_("On its space also: {ways}", ways=", ".join(told)))
    elif ways > 1:
        parts.append(_("More to choose on its space"))
    return OptionRow(
        offer.text,
        partial(column.act if offer.at_once else column.pick, offer.tap),
        "\n".join(part for part in parts if part),
        offer.odds,
        offer.kind,
        picked,
        name=offer.name,
    )


def why_not(column: Column) -> Iterator[Widget]:
    """The fold of what is not allowed."""
    refused = column.view.refused
    sign = "▲" if column.unfolded else "▼"
    yield OptionRow(
        _("Why not…?"),
        column.unfold,
        edge=f"{len(refused)} {sign}",
        kind="ask",
        look="quiet",
        name="why-not",
    )
    if not column.unfolded:
        return
    for one in refused:
        yield OptionRow(
            one.text,
            partial(column.owner.say, f"{one.text}: {one.reason}", ", ".join(one.why)),
            one.reason,
            kind=one.kind,
            look="quiet",
            ready=False,
            name=one.name,
        )
