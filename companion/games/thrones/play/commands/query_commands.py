"""Questions that change nothing: the catalogue by name, cards in play, what an intention costs."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import STAYING
from companion.games.thrones.cards.catalogue import card_catalogue, search
from companion.games.thrones.play.context import (
    REGISTRY,
    CommandFields,
    ThronesContext,
    command,
    timing_refusal,
)
from companion.games.thrones.play.numbers import has_traits
from companion.games.thrones.play.state import CardInPlay, ThronesState
from models.message import say

INTENTIONS = ("marshal", "ambush", "event")
STEPS = (
    ("AGOT-INI-2", say("check the restrictions: may it be done now?")),
    ("AGOT-INI-3", say("determine the cost")),
    ("AGOT-INI-4", say("apply modifiers to the cost")),
    ("AGOT-INI-5", say("pay")),
    ("AGOT-INI-6", say("choose targets")),
    ("AGOT-INI-7", say("marshal or play it; cancels may be used")),
    ("AGOT-INI-8", say("its effects resolve")),
)
"""What follows when the intention is declared, in this order (AGOT-INI-1)."""


@command(
    "cards",
    say("look up cards of the catalogue by name"),
    ask("name", "text", say("words of the name"), True),
    busy=True,
)
def cards(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The cards whose name holds the words, with their numbers; else the nearest names."""
    name = args.need("name")
    catalogue = card_catalogue()
    found = search(catalogue, name)
    ctx.answer["cards"] = [{"code": one.code, "type": one.type, **one.to_json()} for one in found]
    if not found:
        ctx.answer["near"] = catalogue.nearest(name)
    return None


@command(
    "matching",
    say("which cards in play a text means: an adjective applies to every type it names"),
    ask("types", "list", say("the types")),
    ask("unique", "flag", say("unique ones only")),
    ask("kneeling", "flag", say("kneeling ones, or standing ones")),
    ask("trait", "text", say("those with this trait")),
    ask("seat", "side", say("whose cards; all if left out")),
    busy=True,
)
def matching(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """ "All unique characters and locations" are unique characters and unique locations
    (AGOT-GEN-5)."""
    types = args.texts("types") or STAYING
    for one in types:
        if one not in STAYING:
            return no("INPUT", "there is no type {kind}", kind=one)
    unique, kneeling, trait = args.maybe("unique"), args.maybe("kneeling"), args.text("trait")
    seat = ctx.house(args).id if args.has("seat") else ""
    ctx.answer["cards"] = [
        {"id": card.id, "name": card.name}
        for card in ctx.state.cards
        if card.type in types
        and unique in (None, card.facts.unique)
        and kneeling in (None, card.kneeling)
        and seat in ("", card.controller)
        and (not trait or is_of(ctx.state, card, trait))
    ]
    return None


def is_of(state: ThronesState, card: CardInPlay, trait: str) -> bool:
    """Whether a card has a printed trait: not one whose text box is blank (AGOT-ABL-20)."""
    printed = trait.casefold() in card.facts.traits.casefold().split(", ")
    return printed and has_traits(state, card.id)


@command(
    "intend",
    say("declare an intention: may a card be marshaled or played, and what does it cost?"),
    ask("command", "object", say("the marshal, ambush or event command"), True),
    busy=True,
)
def intend(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The intention comes first, then seven steps in order (AGOT-INI-1); nothing is paid yet."""
    field = args.field("command")
    known = {key for word in INTENTIONS for key in REGISTRY.rules[word].keys}
    raw = field.keys(known, {"do"})
    word = field.member("do").choice(INTENTIONS)
    field.keys(REGISTRY.rules[word].keys)
    trial = ThronesContext(ctx.state)
    refusal = timing_refusal(ctx.state, word)
    if refusal is None:
        refusal = REGISTRY.rules[word].verb(trial, CommandFields(raw, word))
    paid = [one.data["paid"] for one in trial.events if "paid" in one.data]
    ctx.answer["possible"] = refusal is None
    ctx.answer["cost"] = paid[0] if paid else None
    ctx.answer["steps"] = [
        {"step": at, "rule": rule, "say": text} for at, (rule, text) in enumerate(STEPS, 1)
    ]
    if refusal is not None:
        ctx.answer["why"], ctx.answer["say"] = refusal.why, refusal.say
    return None
