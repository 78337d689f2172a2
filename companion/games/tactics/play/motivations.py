"""Motivations: when one is met, that it is paid for, or let pass (TAC-MOT)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.figure_card import MotivationSide
from companion.games.tactics.play.context import BattleContext, CommandFields, command
from companion.games.tactics.play.events import board_events, fight_events
from companion.games.tactics.play.state import END, ROUND, FigureInPlay, SkirmishState
from models.message import say

MetMotivation = tuple[FigureInPlay, MotivationSide]


def motivation_refusal(
    state: SkirmishState, figure: FigureInPlay, side: MotivationSide
) -> Refusal | None:
    """Why a motivation cannot be scored now: once for each kill (TAC-MOT-3 to -7)."""
    if figure.fate == "captive":
        return no("TAC-MOT-7", "{figure} is a captive", figure=figure.name)
    if side.dead != (figure.fate == "killed"):
        return no("TAC-MOT-4", "the other side of the card is visible")
    if side.victim and state.open_kills(figure.id, side.victim, side.name) < 1:
        return no("TAC-MOT-6", "its condition is not met")
    return None


def payable_motivations(state: SkirmishState, player: str) -> Iterator[MetMotivation]:
    """The motivations of a side whose condition is met by a kill and that it can pay now; whether
    it does, it says at once (TAC-ABL-9, TAC-MOT-2)."""
    purse = state.squad(player).coins
    for figure in state.of(player):
        for side in figure.card.motivation:
            met = side.victim and not motivation_refusal(state, figure, side)
            if met and purse.covers(side.price):
                yield figure, side


def asked_motivations(state: SkirmishState) -> str:
    """The side that is to say now whether it pays for a motivation, the active one first."""
    if state.phase not in (ROUND, END):
        return ""
    sides = sorted(state.sides, key=lambda side: side != state.active)
    return next((side for side in sides if any(payable_motivations(state, side))), "")


def ask_motivation(ctx: BattleContext) -> bool:
    """After a kill its player pays for a motivation or lets it pass, before anything else: before
    a surge, and before a battle without figures ends (TAC-ABL-9, TAC-MOT-6)."""
    side = asked_motivations(ctx.state)
    if side:
        figure, _ = next(payable_motivations(ctx.state, side))
        ctx.wait_for("motivation", side, figure.id)
    return bool(side)


def answered(ctx: BattleContext) -> None:
    """What else may be paid for is asked anew."""
    if ctx.state.tasks and ctx.state.tasks[0].kind == "motivation":
        ctx.add(board_events.task_done)


@command(
    "motivation",
    say("pay for a motivation and score it"),
    ask("figure", "figure", "", True),
    ask("name", "text", "", True),
    phases=(ROUND, END),
    busy=True,
)
def motivation(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The visible side of a hero's card; points at once (TAC-MOT-1 to -7)."""
    figure, name = ctx.figure(args.need("figure")), args.need("name")
    side = next((one for one in figure.card.motivation if one.name == name), None)
    if side is None:
        return no("TAC-MOT-1", "{figure} has no motivation {name!r}", figure=figure.name, name=name)
    if refusal := motivation_refusal(ctx.state, figure, side):
        return refusal
    if refusal := ctx.pay(figure.side, side.price, name):
        return refusal
    ctx.note(fight_events.ability_used, figure, ability=name, motivation=name)
    ctx.score(figure.side, side.points, name)
    answered(ctx)
    return None


@command(
    "no-motivation",
    say("pay for no motivation that the kill has met"),
    ask("side", "side", "", True),
    phases=(ROUND, END),
    busy=True,
)
def no_motivation(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """At once or never, for this kill (TAC-ABL-9, TAC-MOT-2)."""
    squad = ctx.state.squad(args.need("side"))
    passed = list(payable_motivations(ctx.state, squad.id))
    asked = ctx.state.tasks[0] if ctx.state.tasks else None
    if not passed and (asked is None or (asked.kind, asked.side) != ("motivation", squad.id)):
        return no("TAC-MOT-6", "{player} has no motivation to pay for", player=squad.player)
    for figure, side in passed:
        for _ in range(ctx.state.open_kills(figure.id, side.victim, side.name)):
            ctx.note(fight_events.motivation_passed, figure, motivation=side.name)
    answered(ctx)
    return None
