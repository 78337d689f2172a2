"""Tokens and Corpse Piles that enter play or change their place: who claims one, where it lies."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.laid_pieces import (
    laid_pile,
    laid_token,
    pile_shown,
    place_refused,
    proposed,
    shape_at,
)
from companion.games.tmg.play.commands.positions import new_pile_name
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    interrupt,
    no,
    waiting,
)
from companion.games.tmg.play.events import field_events, flow_events, score_events
from companion.games.tmg.play.flow.casualties import INHERIT
from companion.games.tmg.play.state.game_state import PendingTask, table_of
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.play_rules import OBJECTIVE_CARDS
from companion.games.tmg.rules.setup.placement import new_pile_place, new_pile_token
from models import Unit
from models.message import say


@interrupt(
    "place",
    "a token or Corpse Pile that waits is placed, or a unit claims the token",
    ask("task", "number", "which task; the first that waits where left out"),
    ask("unit", "unit", "the unit that claims the token"),
    ask("x", "inches", "where its middle lies, from player 1's left corner; it is then checked"),
    ask("y", "inches", "the same, away from player 1's edge"),
    ask("skip", "flag", "no Corpse Pile is left to be placed, or the unit is not on the token"),
    of=waiting(
        no("TMG-SET-4", "nothing waits to be placed"), "token", "claim-token", "pile", INHERIT
    ),
)
def place(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """Place tokens and piles after a unit lost them or was destroyed."""
    if refusal := place_refused(context.state, task, given):
        return refusal
    if task.kind == "claim-token":
        takers = task.unit.split(",")
        name = given.need("unit")
        if name not in takers:
            return no(
                play_of(context.state).carried, "one of {units} claims it", units=", ".join(takers)
            )
        context.add(score_events.token_held, token=task.other, unit=name)
    elif task.kind == INHERIT:
        return inherit(context, given, task)
    elif not (task.kind == "pile" and given.flag("skip")):
        return laid(context, given, task)
    context.add(flow_events.task_done, task=task.id, say_="placed")
    return None


def laid(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """A token or pile lies where the players say, else where the map proposes it."""
    state = context.state
    if task.kind == "pile" and state.table and pile_shown(state, task):
        if refusal := pile_misplaced(context, task):
            return refusal
        new_pile(context)
        context.add(flow_events.task_done, task=task.id, say_="placed")
        return None
    x, y = given.number("x", 0, 144), given.number("y", 0, 144)
    spot = (x, y) if x is not None and y is not None else None
    if spot is None and state.table:
        spot = proposed(state, task)
    lay_down(context, task, shape_at(state, task, *spot) if spot is not None else None)
    return None


def lay_down(context: CommandContext, task: PendingTask, shape: Unit | None) -> None:
    """What waited lies there now, on the map too; a new pile bears its token (TMG-MODE-FFC-15)."""
    state = context.state
    if shape is None or not state.table:
        if task.kind == "pile":
            new_pile(context)
    elif task.kind == "token":
        context.add(field_events.laid, token=laid_token(shape).to_json())
    else:
        pile = laid_pile(state, shape)
        context.add(field_events.laid, terrain=pile.to_json())
        new_pile(context)
        newest = context.state.tokens[-1:]
        for one in newest if len(context.state.tokens) > len(state.tokens) else ():
            if (token := new_pile_token(mode_of(state), pile, one.id)) is not None:
                context.add(field_events.laid, token=token.to_json())
    context.add(flow_events.task_done, task=task.id, say_="placed")


def inherit(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """The players say whether the destroyer touches the token it then claims (TMG-MODE-GOT-9)."""
    touches = not given.flag("skip")
    if touches and given.need("unit") != task.unit:
        return no("TMG-MODE-GOT-9", "only {unit} may claim it", unit=task.unit)
    if touches:
        order = (task.unit, *context.state.token(task.other).touched)
        context.add(score_events.token_held, token=task.other, unit=task.unit, touched=list(order))
    told = "{unit} touches {token}" if touches else "{unit} does not touch {token}"
    words = say(told, unit=task.unit, token=task.other)
    context.add(flow_events.task_done, task=task.id, say_=words)
    return None


def pile_misplaced(context: CommandContext, task: PendingTask) -> Refusal | None:
    """Why the Corpse Pile may not be where the table shows it (TMG-MODE-FFC-14)."""
    state = context.state
    if not state.table:
        return None
    table = table_of(state.table)
    earlier = task.other.split(",")
    new = [
        piece for piece in table.terrain if piece.piece == "corpse-pile" and piece.id not in earlier
    ]
    if task.unit not in table or len(new) != 1:
        return None
    answer = new_pile_place(table, mode_of(state), table.unit(task.unit), new[0])
    if answer.verdict == "no":
        return no(answer.why[0], "the Corpse Pile may not lie there")
    if answer.verdict == "unsure":
        context.remind(
            say(
                "too close to call whether the Corpse Pile may lie there ({rule})",
                rule="TMG-MODE-FFC-14",
            )
        )
    return None


def new_pile(context: CommandContext) -> None:
    """Add a Corpse Pile and, in 2021, a token with a card at its centre (FFC-5, -6, -14, -15)."""
    state = context.state
    context.add(score_events.pile_new)
    fact = mode_of(state).facts.new_pile
    if fact is None or not fact.token_rule:
        return
    used = {token.card for token in state.tokens}
    free = tuple(str(n) for n in range(1, OBJECTIVE_CARDS + 1) if str(n) not in used)
    number = len(state.tokens) + 1
    card = context.shuffled(free)[0]
    context.add(
        score_events.token_new,
        token=f"o{number}",
        name=say("pile {number}", number=number),
        vp=1,
        card=card,
        pile=new_pile_name(state, number),
    )
