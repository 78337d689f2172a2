"""The card of a piece: what it may do, the best first, and why not the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.turn.card import Card, Column
from companion.app.turn.option_row import OptionRow
from companion.app.turn.prompt_cards import answer
from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import _
from companion.engine.turn.selection import at_once, choice_name, command_words, piece_actions
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import PieceView


def piece_card(column: Column, piece: PieceView, prompt: Prompt | None) -> Card:
    """The selected piece: what it may do, the best first, and why not the rest."""
    snapshot = column.snapshot
    star = " ★" if piece.leader else ""
    close = TouchButton("✕", partial(column.owner.choose, None), "bare", name="unchoose")
    close.size_hint, close.size = (None, None), (THEME.target, THEME.target)
    card = Card(_(piece.name) + star, left_text(piece), snapshot.seat(piece.seat), close=close)
    card.body += [Text(_(line), "body", "soft") for line in piece.lines]
    if piece.badges:
        card.body.append(Text(" · ".join(_(one.text) for one in piece.badges), "body", "warn"))
    actions = piece_actions(snapshot, prompt, piece.id, column.picked)
    legal, picked, own = actions.legal, actions.picked, actions.choices
    column.owner.aim(picked)
    card.body += [offer_row(column, one, one is picked) for one in legal]
    if actions.refused:
        card.body += why_not(column, actions.refused)
    for number, one in enumerate(own if legal or len(own) > 1 else ()):
        card.body.append(
            OptionRow(
                _(one.text),
                partial(answer, column, one),
                _(one.detail),
                kind=one.icon,
                name=choice_name(one, number),
            )
        )
    if picked is not None and not picked.commands:
        card.foot.append(TouchButton(_("Tap a marked space"), None, "quiet", name="tap-a-cell"))
    elif picked is not None:
        card.foot.append(
            TouchButton(_(picked.text), partial(column.take, picked), "primary", name="do-offer")
        )
    elif len(own) == 1:
        card.foot.append(
            TouchButton(
                _(own[0].text),
                partial(answer, column, own[0]),
                "primary",
                name=choice_name(own[0], 0),
            )
        )
    elif not own:
        card.body.append(Text(_("Nothing to do for it now."), colour="soft"))
    if piece.corrections or piece.forms:
        card.body.append(
            TouchButton(
                _("Correct…"),
                partial(column.owner.go, f"correct:{piece.id}"),
                "quiet",
                size="small",
                name="correct-piece",
            )
        )
    return card


def left_text(piece: PieceView) -> str:
    """What is left of a piece, as a line."""
    if piece.left is None or piece.most is None:
        return ""
    return _("{left} of {most} left", left=piece.left, most=piece.most)


def offer_row(column: Column, offer: ActionOffer, picked: bool) -> OptionRow:
    """The row of an offer; the picked one is what the primary button does.

    An offer with nothing to look at first, no target and no dice, is done by the tap on its row.
    """
    words = command_words(offer.commands)
    about = offer.target or (words[-1] if words and words[-1] != offer.kind else "")
    zone = offer.commands[-1].get("zone", "") if offer.target and offer.commands else ""
    about = f"{about}:{zone}" if zone else about
    parts = [_(offer.detail), _(offer.expected)]
    if offer.verdict == "unsure":
        parts.append(f"? {_(offer.reason) if offer.reason else _('too close to call')}")
    return OptionRow(
        _(offer.text),
        partial(column.take if at_once(offer) else column.pick, offer),
        "\n".join(part for part in parts if part),
        _(offer.odds),
        offer.kind,
        picked,
        name=f"offer:{offer.kind}:{about}" if about else f"offer:{offer.kind}",
    )


def why_not(column: Column, refused: Sequence[ActionOffer]) -> Iterator[Widget]:
    """The fold of what is not allowed."""
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
            _(one.text),
            partial(column.owner.say, f"{_(one.text)}: {_(one.reason)}", ", ".join(one.rules)),
            _(one.reason),
            kind=one.kind,
            look="quiet",
            ready=False,
            name=f"refused:{one.kind}:{one.target}",
        )
