"""Which button of a card is gold, the one useful next step; screens only draw it so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.engine.turn.card_records import CardView
from companion.engine.turn.turn_records import ChoiceView, FormView, PromptView

AFTER_ROW = ("shown", "folded")
"""Choices whose rows only show what the button at the foot then does."""


def with_gold(card: CardView, shown: str, chosen: str | None, app_rolls: bool) -> CardView:
    """The card with what its foot does and which handle is gold.

    `shown` is the choice whose row was tapped, `chosen` the selected piece; `app_rolls` says that
    the viewer lets the app roll.
    """
    match card.kind:
        case "prompt":
            does = shown_choice(card.prompt.choices, shown, chosen)
            found = (*gold_of(does), *steps(card.prompt, app_rolls))
        case "piece":
            does = next((one for one in card.choices if one.tap == shown), None)
            found = (*gold_of(does), *(piece_steps(card) if does is None else ()))
            found += (card.ends.tap,) if card.ends is not None else ()
        case _:
            does, found = None, tuple(primary(card.prompt))
    return replace(card, does=does.tap if does is not None else "", gold=next(iter(found), ""))


def shown_choice(
    choices: tuple[ChoiceView, ...], shown: str, chosen: str | None
) -> ChoiceView | None:
    """The choice that the foot does: that of the tapped row, else that of the selected piece; what
    is seldom meant only where its row was tapped."""
    own = (one for one in choices if one.piece and one.piece == chosen and one.look != "folded")
    tapped = (one for one in choices if one.tap == shown and not one.elsewhere)
    found = next(tapped, next(own, None))
    return found if found is not None and found.look in AFTER_ROW else None


def gold_of(does: ChoiceView | None) -> tuple[str, ...]:
    """The handle of a choice at the foot; none of one that is seldom meant."""
    return (does.tap,) if does is not None and does.look != "folded" else ()


def steps(prompt: PromptView, app_rolls: bool) -> Iterator[str]:
    """What may be gold where no row was tapped: dice that the app rolls, a form, the choice that
    the game calls the usual one."""
    yield from (dice.tap for dice in prompt.dice if app_rolls and dice.app_rolls)
    yield from (one.tap for one in prompt.forms if has_button(one, prompt))
    yield from primary(prompt)


def has_button(form: FormView, prompt: PromptView) -> bool:
    """Whether a form lies open with a single button that sends it; dice that are seldom chosen one
    by one leave the gold to the usual ways."""
    lies = not form.opens and form.look != "quiet"
    alone = not form.quick and not any(one.sends for one in form.fields)
    return lies and alone and not (form.rolls and prompt.choices)


def primary(prompt: PromptView) -> Iterator[str]:
    """The choice that the game calls the usual one."""
    usual = next((one for one in prompt.choices if one.look == "primary"), None)
    if usual is not None and not usual.elsewhere:
        yield usual.tap


def piece_steps(card: CardView) -> Iterator[str]:
    """What the selected piece does next: its picked offer, else its only choice."""
    picked, piece = card.picked, card.piece
    if picked is None:
        yield from (one.tap for one in card.choices if len(card.choices) == 1)
    elif picked.asks != ("cell",) or (piece is not None and picked.piece not in ("", piece.id)):
        yield picked.tap
