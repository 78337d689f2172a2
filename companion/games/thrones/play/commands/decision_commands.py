"""Commands of decisions: an effect asks every player; effects that exclude each other."""

from __future__ import annotations

from functools import partial

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask, no
from companion.games.thrones.play.commands.setup_commands import SEAT
from companion.games.thrones.play.context import ThronesContext, command, find_modifier
from companion.games.thrones.play.leaving import read_saves
from companion.games.thrones.play.shared_decision import LEAVING_PILES, TURNS
from companion.games.thrones.play.state import ValueModifier
from models.lazy_message import say

WAYS = (*TURNS, *LEAVING_PILES)


@command(
    "each-chooses",
    say("an effect asks every player: the first player decides first, then in player order"),
    ask("what", "text", say("what is to be decided"), True),
    ask("how", "word", say("what happens to the chosen cards"), options=WAYS),
)
def each_chooses(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """The first player decides first, the others in player order (AGOT-ORD-7, AGOT-ORD-13)."""
    if ctx.state.decision is not None:
        return no("AGOT-ORD-13", "first {player} decides", player=ctx.player(ctx.state.chooser))
    ctx.add("each-chooses", what=args.need("what"), how=args.choice("how", WAYS, ""))
    return None


@command(
    "choose-cards",
    say("a player decides for an effect that asks everybody"),
    SEAT,
    ask("cards", "list", say("own cards in play")),
    ask("text", "text", say("the decision in words, for the log")),
    ask("save", "word", say("what saves them: none, duplicate or ability")),
)
def choose_cards(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
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
    saves: dict[str, str] | Refusal = {}
    if decision.how in LEAVING_PILES and decision.how != "sacrificed":
        saves = read_saves(ctx, args, cards)
        if isinstance(saves, Refusal):
            return saves
    ctx.add(
        "chose",
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
def order_effects(ctx: ThronesContext, args: CommandArgs, found: ValueModifier) -> Refusal | None:
    """Effects that cannot be applied at once: the first player sets the order (AGOT-ORD-15)."""
    same = [
        one
        for one in ctx.state.modifiers
        if (one.target, one.stat, one.operation) == (found.target, found.stat, "set")
    ]
    if len(same) < 2 or found not in same:
        return no("AGOT-ORD-15", "this effect can be applied together with the others")
    first = ctx.player(ctx.state.first)
    ctx.add("effects-ordered", modifier=found.id, player=first, last=found.why)
    return None
