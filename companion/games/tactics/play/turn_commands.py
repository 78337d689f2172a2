"""Commands of a turn: activate, pass, wait, end, grants, the end of the round (TAC-RND)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask, no
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.context import BattleContext, action, command, on_figure
from companion.games.tactics.play.flow import end_activation, end_round, pass_turn
from companion.games.tactics.play.scoring import finish
from companion.games.tactics.play.state import (
    ACTION_POINTS,
    BEFORE,
    END,
    ROUND,
    FigureInPlay,
    SkirmishState,
)
from models.lazy_message import say

PASS_PRICE = Coins(copper=2)
ACTIVATION_PRICE = Coins(copper=1)
POINTS_PER_ROUND_CONCEDED = 3
"""What the opponent of a conceding player scores for each round left (TAC-END-13)."""


def pass_refusal(state: SkirmishState) -> Refusal | None:
    """Why the active player may not pass (TAC-RND-8, -9)."""
    side = state.active
    other = state.other(side)
    if state.activation is not None:
        return no("TAC-RND-2", "a figure is activated")
    if not state.may_pass:
        return no("TAC-RND-9", "no pass in reply to a pass")
    if len(state.activatable(side)) >= len(state.activatable(other)):
        return no("TAC-RND-8", "only with fewer figures to activate than the opponent")
    if not state.squad(side).coins.covers(PASS_PRICE):
        return no("TAC-COI-7", "a pass costs 2 copper stars")
    return None


@command("pass", say("pass for 2 copper stars"))
def pass_(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """Pass, if the opponent has more figures to activate (TAC-RND-8 to -10)."""
    if refusal := pass_refusal(ctx.state):
        return refusal
    side = ctx.state.active
    if refusal := ctx.pay(side, PASS_PRICE, say("pass")):
        return refusal
    ctx.add("passed", side=side, player=ctx.player(side))
    pass_turn(ctx)
    return None


@command("activate", say("activate a figure for 1 copper star"), ask("figure", "figure", "", True))
def activate(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """1 copper star, 2 action points; a frozen figure starts with 1 less (TAC-ACT-1, TAC-STA-3)."""
    state, figure = ctx.state, ctx.figure(args.need("figure"))
    if state.activation is not None:
        running = ctx.figure(state.activation.figure).name
        return no("TAC-RND-2", "the activation of {figure} is not finished", figure=running)
    if figure.side != state.active:
        return no("TAC-RND-1", "it is the turn of {player}", player=ctx.player(state.active))
    if figure.fate == "captive":
        return no("TAC-CAP-3", "{figure} is a captive", figure=figure.name)
    if not figure.on_board:
        return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)
    if figure.activated:
        return no("TAC-RND-4", "{figure} was activated this round", figure=figure.name)
    if not state.squad(figure.side).coins.covers(ACTIVATION_PRICE):
        return no("TAC-COI-6", "no copper star is left")
    # Never fewer than 1 (TAC-STA-5, TAC-ACT-6).
    ctx.note("activated", figure, ap=max(1, ACTION_POINTS - int(figure.frozen)))
    ctx.pay(figure.side, ACTIVATION_PRICE, say("activation"))
    return None


@action("wait", say("spend 1 action point; nothing happens"))
def wait(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> Refusal | None:
    """`WAIT 1` (TAC-ACT-7)."""
    if refusal := ctx.spend(1):
        return refusal
    ctx.note("waited", figure)
    return None


@command("end", say("end the activation, or give up a granted action"))
def end(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """Unused action points are lost (TAC-ACT-3); so is a granted action (TAC-ABL-20)."""
    if ctx.state.granted is not None:
        ctx.add("grant-ended")
        return None
    if ctx.state.activation is None:
        return no("TAC-RND-2", "no figure is activated")
    end_activation(ctx)
    return None


@on_figure(
    "grant",
    say("an ability lets a figure take one action at once"),
    ask("ap", "number", say("the action points of that action; 1 if left out")),
)
def grant(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> Refusal | None:
    """At once or never, even if the figure was activated (TAC-ABL-1, -20, -21)."""
    if ctx.state.granted is not None:
        return no("TAC-ABL-20", "another granted action comes first")
    ctx.note("granted", figure, ap=args.whole("ap", 1, 2, 1))
    return None


@command(
    "end-round",
    say("the end phase: points, then the next round"),
    ask("scenario", "list", say("points of the scenario: side and points")),
    phases=(END,),
)
def end_the_round(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """All steps of the end phase (TAC-END-1 to -9)."""
    points: dict[str, int] = {}
    if args.has("scenario"):
        for item in args.field("scenario").items(8):
            side, count = item.items(2, 2)
            points[ctx.state.squad(side.text(40)).id] = count.whole(-20, 40)
    end_round(ctx, points)
    return None


@command(
    "concede",
    say("a player gives up"),
    ask("side", "side", "", True),
    phases=(*BEFORE, ROUND, END),
    busy=True,
)
def concede(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """The conceding player loses and scores nothing (TAC-END-12, -13)."""
    squad = ctx.state.squad(args.need("side"))
    other = ctx.state.other(squad.id)
    left = ctx.state.scenario.rounds - max(1, ctx.state.round) + 1
    ctx.add("conceded", side=squad.id, player=squad.player)
    ctx.score(other, POINTS_PER_ROUND_CONCEDED * left, say("the opponent concedes"))
    if ctx.state.squad(other).vp > 0:
        finish(ctx, say("{player} concedes", player=squad.player))
    return None
