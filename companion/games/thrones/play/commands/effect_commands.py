"""Commands of effects: interrupts and reactions in their order, and decisions of every player."""

from __future__ import annotations

from functools import partial

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.play.ability_uses import used_up
from companion.games.thrones.play.cards_in_play import read_saves
from companion.games.thrones.play.commands.setup_commands import SEAT
from companion.games.thrones.play.context import (
    CommandFields,
    ThronesContext,
    command,
    find_modifier,
)
from companion.games.thrones.play.effects import FORCED, LEAVING_PILES, TURNS, TriggerSequence
from companion.games.thrones.play.events import effect_events
from companion.games.thrones.play.state import ValueModifier
from models.message import say

WHAT = ask("what", "text", say("what is about to happen"), True)
MOST_NESTED = 20
PERIODS = ("challenge", "phase", "round")


@command("trigger", say("something is about to happen: ask for interrupts and reactions"), WHAT)
def trigger(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """A new sequence is completed before the one it interrupts goes on (AGOT-TRG-17)."""
    if len(ctx.state.triggers) >= MOST_NESTED:
        return no("INPUT", "too many sequences are open")
    ctx.add(effect_events.trigger, what=args.need("what"))
    return None


@command(
    "delay",
    say("a card's text delays an effect: it is asked for when its time comes"),
    WHAT,
    ask("until", "word", say("the end of the challenge, phase or round"), True, PERIODS),
)
def delay(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """It resolves by itself at its time (AGOT-EFF-8)."""
    until = args.choice("until", PERIODS)
    if until == "challenge" and ctx.state.challenge is None:
        return no("AGOT-EFF-8", "no challenge is resolving")
    if len(ctx.state.delayed) >= MOST_NESTED:
        return no("INPUT", "too many sequences are open")
    ctx.add(effect_events.delayed, until=until, what=args.need("what"))
    return None


def innermost(ctx: ThronesContext) -> TriggerSequence | Refusal:
    """The sequence that goes on now."""
    if not ctx.state.triggers:
        return no("AGOT-TRG-11", "nothing is waiting for interrupts or reactions")
    return ctx.state.triggers[-1]


@command(
    "respond",
    say("use an interrupt or a reaction"),
    SEAT,
    ask("ability", "text", say("the card or ability"), True),
)
def respond(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Each copy once per occurrence (AGOT-TRG-10), in the order of the window (AGOT-TRG-9); the
    first player orders forced abilities (AGOT-TRG-7, AGOT-ORD-14)."""
    top = innermost(ctx)
    if isinstance(top, Refusal):
        return top
    ability = args.need("ability")
    if top.stage == "occurs":
        return no("AGOT-TRG-8", "first it happens: {what}", what=top.what)
    house = ctx.house(args, default=top.window.holder)
    if used_up(ctx.state, house.id, ability):
        return no("AGOT-TRG-10", "{ability} was used on this already", ability=ability)
    if top.stage not in FORCED:
        window, between = top.window, 0
        while window.holder != house.id:
            window, between = window.passed(ctx.state.order), between + 1
        if window.is_closed(ctx.state.order):
            return no("AGOT-ORD-9", "{player} has passed; now {other} may act",
                      player=house.name, other=ctx.player(top.window.holder))  # fmt: skip
        for _ in range(between):
            ctx.add(effect_events.trigger_passed)
    ctx.add(effect_events.responded, seat=house.id, player=house.name, ability=ability)
    return None


@command(
    "pass-trigger",
    say("pass: no interrupt or reaction; or go on when all is done"),
    SEAT,
    ask("all", "flag", say("everybody passes")),
)
def pass_trigger(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """All pass in a row: the next stage begins (AGOT-TRG-9, AGOT-TRG-12)."""
    top = innermost(ctx)
    if isinstance(top, Refusal):
        return top
    if top.stage in FORCED or top.stage == "occurs":
        ctx.add(effect_events.trigger_stage)
        return None
    house = ctx.house(args, default=top.window.holder)
    if house.id != top.window.holder:
        return no(
            "AGOT-TRG-9", "{player} may act or pass now", player=ctx.player(top.window.holder)
        )
    passes = len(ctx.state.order) - top.window.passes if args.flag("all") else 1
    for _ in range(passes):
        ctx.add(effect_events.trigger_passed)
    if ctx.state.triggers[-1].window.is_closed(ctx.state.order):
        ctx.add(effect_events.trigger_stage)
    return None


@command("cancel-trigger", say('a "would" interrupt cancels what is about to happen'))
def cancel_trigger(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Nothing more of the sequence happens (AGOT-TRG-3)."""
    top = innermost(ctx)
    if isinstance(top, Refusal):
        return top
    if top.stage != "would":
        return no("AGOT-TRG-5", "it can be canceled only before other interrupts")
    ctx.add(effect_events.trigger_canceled, what=top.what)
    return None


@command(
    "change-trigger",
    say('a "would" interrupt changes what is about to happen: a save, a replacement'),
    WHAT,
)
def change_trigger(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The new one is about to happen, no more interrupts to the old (AGOT-TRG-4)."""
    top = innermost(ctx)
    if isinstance(top, Refusal):
        return top
    if top.stage != "would":
        return no("AGOT-TRG-5", "it can be changed only before other interrupts")
    ctx.add(effect_events.trigger_changed, what=args.need("what"))
    return None


WAYS = (*TURNS, *LEAVING_PILES)


@command(
    "each-chooses",
    say("an effect asks every player: the first player decides first, then in player order"),
    ask("what", "text", say("what is to be decided"), True),
    ask("how", "word", say("what happens to the chosen cards"), options=WAYS),
)
def each_chooses(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The first player decides first, the others in player order (AGOT-ORD-7, AGOT-ORD-13)."""
    if ctx.state.decision is not None:
        return no("AGOT-ORD-13", "first {player} decides", player=ctx.player(ctx.state.chooser))
    ctx.add(effect_events.each_chooses, what=args.need("what"), how=args.choice("how", WAYS, ""))
    return None


@command(
    "choose-cards",
    say("a player decides for an effect that asks everybody"),
    SEAT,
    ask("cards", "list", say("own cards in play")),
    ask("text", "text", say("the decision in words, for the log")),
    ask("save", "word", say("what saves them: none, duplicate or ability")),
)
def choose_cards(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Each decides in turn; nothing happens before all have (AGOT-ORD-13)."""
    decision = ctx.state.decision
    if decision is None:
        return no("AGOT-ORD-13", "no effect asks every player now")
    turn = ctx.state.chooser
    house = ctx.house(args, default=turn)
    if house.id != turn:
        return no("AGOT-ORD-13", "first {player} decides", player=ctx.player(turn))
    cards = ctx.cards(args)
    for card in cards:
        if card.controller != house.id:
            return no("AGOT-INI-11", "{card} belongs to another player", card=card.name)
        if decision.how == "killed" and card.type != "character":
            return no("AGOT-ZONE-11", "{card} is not a character", card=card.name)
        if decision.how == "knelt" and card.kneeling:
            return no("AGOT-CARD-4", "{card} kneels already", card=card.name)
        if decision.how == "stood" and not card.kneeling:
            return no("AGOT-CARD-1", "{card} stands already", card=card.name)
    at_risk = decision.how in LEAVING_PILES and decision.how != "sacrificed"
    saves = read_saves(ctx, args, cards) if at_risk else {}
    if isinstance(saves, Refusal):
        return saves
    ctx.add(
        effect_events.chose,
        seat=house.id,
        player=house.name,
        cards=[one.id for one in cards],
        names=[one.name for one in cards],
        saves=saves,
        text=args.text("text") or "",
    )
    return None


@command(
    "order-effects",
    say("the first player says which of several effects is applied last"),
    ask("last", "number", say("the number of that effect"), True),
    of=partial(find_modifier, key="last"),
)
def order_effects(ctx: ThronesContext, args: CommandFields, found: ValueModifier) -> Refusal | None:
    """Effects that cannot be applied at once: the first player sets the order (AGOT-ORD-15)."""
    same = [
        one
        for one in ctx.state.modifiers
        if (one.target, one.stat, one.operation) == (found.target, found.stat, "set")
    ]
    if len(same) < 2 or found not in same:
        return no("AGOT-ORD-15", "this effect can be applied together with the others")
    first = ctx.player(ctx.state.first)
    ctx.add(effect_events.effects_ordered, modifier=found.id, player=first, last=found.why)
    return None
