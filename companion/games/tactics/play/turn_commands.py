"""Commands of a turn: activations, tokens, abilities, coins, points (TAC-RND, TAC-STA)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.cards.figure_card import CONDITIONS, CardAbility
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.play.context import (
    WITH_EFFECTS,
    BattleContext,
    CommandFields,
    action,
    answer,
    command,
    granted_refusal,
    note_words,
    on_figure,
    only_refusal,
)
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.flow import end_activation, end_round, pass_turn, without_figures
from companion.games.tactics.play.scoring import finish, score_last_round, score_round
from companion.games.tactics.play.state import (
    ACTION_POINTS,
    BEFORE,
    END,
    ROUND,
    FigureInPlay,
    PlayTask,
    SkirmishState,
)
from models.message import say

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
def pass_(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Pass, if the opponent has more figures to activate (TAC-RND-8 to -10)."""
    if refusal := pass_refusal(ctx.state):
        return refusal
    side = ctx.state.active
    if refusal := ctx.pay(side, PASS_PRICE, say("pass")):
        return refusal
    ctx.add(turn_events.passed, side=side, player=ctx.player(side))
    pass_turn(ctx)
    return None


@command("activate", say("activate a figure for 1 copper star"), ask("figure", "figure", "", True))
def activate(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """1 copper star (TAC-COI-5), 2 action points; a frozen figure starts with 1 less (TAC-ACT-1,
    TAC-STA-3)."""
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
    ctx.note(turn_events.activated, figure, ap=max(1, ACTION_POINTS - int(figure.frozen)))
    ctx.pay(figure.side, ACTIVATION_PRICE, say("activation"))
    return None


@action("wait", say("spend 1 action point; nothing happens"))
def wait(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`WAIT 1` (TAC-ACT-7)."""
    if refusal := ctx.spend(1):
        return refusal
    ctx.note(turn_events.waited, figure)
    return None


@command("end", say("end the activation, or give up a granted action"), phases=WITH_EFFECTS)
def end(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Unused action points are lost (TAC-ACT-3); so is a granted action (TAC-ABL-20)."""
    if ctx.state.granted is not None:
        ctx.add(turn_events.grant_ended, name=ctx.figure(ctx.state.granted.figure).name)
        return None
    if ctx.state.activation is None:
        return no("TAC-RND-2", "no figure is activated")
    end_activation(ctx)
    return None


@on_figure(
    "grant",
    say("an ability lets a figure take one action at once"),
    ask("ap", "number", say("the action points of that action; 1 if left out")),
    phases=WITH_EFFECTS,
)
def grant(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """At once or never, even if the figure was activated (TAC-ABL-1, -20, -21)."""
    if refusal := granted_refusal(ctx):
        return refusal
    ctx.note(turn_events.granted, figure, ap=args.whole("ap", 1, 2, 1))
    return None


@command(
    "end-round",
    say("the end phase: points, then the next round"),
    ask("scenario", "list", say("points of the scenario: side and points")),
    phases=(END,),
)
def end_the_round(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """All steps of the end phase (TAC-END-1 to -9)."""
    if refusal := granted_refusal(ctx):
        return refusal
    points: dict[str, int] = {}
    if args.has("scenario"):
        for item in args.field("scenario").items(8):
            side, count = item.items(2, 2)
            points[ctx.state.squad(side.text(40)).id] = count.whole(-20, 40)
    end_round(ctx, points)
    return None


@answer(
    "battle-end",
    say("everything is counted: the battle is over"),
    refused=no("TAC-END-7", "the battle is not over yet"),
)
def end_the_battle(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """After the effects at the end of a battle in which a player has lost all figures
    (TAC-END-6, -10)."""
    ctx.add(board_events.task_done)
    finish(ctx, without_figures(task.data.get("player", "")))
    return None


@command(
    "concede",
    say("a player gives up"),
    ask("side", "side", "", True),
    phases=(*BEFORE, ROUND, END),
    busy=True,
)
def concede(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The conceding player loses and scores nothing (TAC-END-12, -13)."""
    squad = ctx.state.squad(args.need("side"))
    other = ctx.state.other(squad.id)
    left = ctx.state.scenario.rounds - max(1, ctx.state.round) + 1
    ctx.add(board_events.conceded, side=squad.id, player=squad.player)
    ctx.score(other, POINTS_PER_ROUND_CONCEDED * left, say("the opponent concedes"))
    if ctx.state.squad(other).vp > 0:
        finish(ctx, say("{player} concedes", player=squad.player))
    return None


@command(
    "stop",
    say("all agree to stop: the winner is decided as after the last round"),
    phases=(ROUND, END),
    busy=True,
)
def stop(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The evening ends before the battle: what counts at its end counts now (TAC-END-2 to -8)."""
    score_round(ctx, {})
    score_last_round(ctx)
    finish(ctx, say("all agree to stop"))
    return None


ALWAYS = (*BEFORE, ROUND, END)


@command(
    "guide",
    say("say what to tap in the first activations, or no longer"),
    ask("on", "flag", "", True),
    phases=ALWAYS,
    busy=True,
)
def guide(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The players leave the guide, or want it back."""
    ctx.add(turn_events.guide, on=args.flag("on"))
    return None


HEALING_BALM = 2


@command(
    "condition",
    say("a figure becomes shaken or frozen, or loses the token"),
    ask("figure", "figure", "", True),
    ask("kind", "word", "", True, CONDITIONS),
    ask("on", "flag", say("false removes the token")),
    phases=ALWAYS,
    busy=True,
)
def condition(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """One token of each kind at most (TAC-STA-1)."""
    figure = ctx.figure(args.need("figure"))
    kind, on = args.choice("kind", CONDITIONS), args.flag("on", True)
    if not figure.on_board:
        return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)
    if bool(getattr(figure, kind)) == on:
        return no("TAC-STA-1", "{figure} is like that already", figure=figure.name)
    if on and (item := protecting(ctx.state, figure, kind)):
        return no("TAC-STA-1", "{item} protects {figure}", item=item, figure=figure.name)
    ctx.note(fight_events.condition, figure, kind=kind, on=on)
    return None


def protecting(state: SkirmishState, figure: FigureInPlay, kind: str) -> str:
    """The equipment that keeps a condition from a figure (TAC-EQP-4)."""
    item = EQUIPMENT.get(figure.equipment)
    return item.name if item and state.readings.condition(item.protects) == kind else ""


@on_figure(
    "wound",
    say("a figure suffers wounds from an ability or the ground"),
    ask("wounds", "number", "", True),
    phases=ALWAYS,
    busy=True,
)
def wound(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """Wound tokens; reaching the health kills at the end of the action (TAC-STA-6, -7)."""
    ctx.suffer(figure, args.whole("wounds", 1, 20))
    return None


@command(
    "heal",
    say("remove wound tokens"),
    ask("figure", "figure", "", True),
    ask("wounds", "number", "", True),
    phases=ALWAYS,
    busy=True,
)
def heal(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Wounds that an ability or a correction removes."""
    figure, wounds = ctx.figure(args.need("figure")), args.whole("wounds", 1, 20)
    if not figure.on_board or not figure.wounds:
        return no("TAC-STA-6", "{figure} has no wounds", figure=figure.name)
    ctx.note(fight_events.healed, figure, wounds=min(wounds, figure.wounds))
    return None


@action(
    "use",
    say("use equipment that heals"),
)
def use(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """Healing balm: a free action of its bearer, once per battle (TAC-EQP-6)."""
    if figure.equipment != "healing-balm":
        return no("TAC-EQP-6", "{figure} has no equipment to use now", figure=figure.name)
    now = ctx.state.acting
    if now is None or now.granted or now.spent or now.free:
        return no("TAC-EQP-6", "{figure} uses it when it is activated only", figure=figure.name)
    if refusal := ctx.spend(0, free=True):
        return refusal
    ctx.note(fight_events.item_used, figure, item="healing-balm")
    if figure.wounds:
        ctx.note(
            fight_events.healed, ctx.figure(figure.id), wounds=min(HEALING_BALM, figure.wounds)
        )
    return None


def time_refusal(ability: CardAbility) -> Refusal | None:
    """Why an ability is never used by itself: it belongs to a Move, a defence, an attack."""
    if ability.kind == "passive":
        return no("TAC-ABL-11", "a passive ability is always in force")
    if ability.aftermath:
        return no("TAC-ABL-15", "{name} only after the rolls of an attack", name=ability.name)
    if ability.kind == "defence":
        return no("TAC-ABL-6", "{name} only while defending", name=ability.name)
    return None


@command(
    "ability",
    say("use an ability of a card"),
    ask("figure", "figure", "", True),
    ask("ability", "text", "", True),
    ask("target", "figure"),
    busy=True,
)
def ability(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Orders and actions of the active figure, triggered ones of anybody (TAC-ABL-8 to -13)."""
    figure, name = ctx.figure(args.need("figure")), args.need("ability")
    found = next((one for one in figure.card.abilities if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in figure.card.abilities) or "–"
        return no(
            "TAC-CRD-7",
            "{figure} has no ability {ability!r}; it has: {known}",
            figure=figure.name,
            ability=name,
            known=known,
        )
    if not figure.on_board:
        return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)
    if refusal := time_refusal(found):
        return refusal
    if refusal := target_refusal(ctx, args, figure, found):
        return refusal
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    used = ctx.state.used_for_wounds(figure.id)
    if found.name in used:
        return no("TAC-ABL-2", "{ability} was used for these wounds", ability=found.name)
    if found.kind in ("order", "action"):
        now = ctx.state.acting
        if now is None or now.figure != figure.id or ctx.state.tasks:
            return no("TAC-ABL-8", "only the active figure may use it")
        if found.kind == "order" and not ctx.state.is_active(figure.id):
            return no("TAC-ABL-8", "only an activated figure gives an order")
        if refusal := only_refusal(ctx.state, "ability"):
            return refusal
        if refusal := ctx.spend(found.ap, free=found.ap == 0):
            return refusal
    if refusal := ctx.pay(figure.side, found.price, found.name):
        return refusal
    target = ctx.figure(args.need("target")) if args.has("target") else None
    told = found.text or say("now do what its card says")  # at once or never (TAC-ABL-20)
    name = target.name if target is not None else ""
    ctx.note(fight_events.ability_used, figure, ability=found.name, target=name, told=told)
    if target is not None:
        change_target(ctx, found, target)
    if found.kind == "wound" and task and (task.kind, task.figure) == ("wounded", figure.id):
        data, who = [["used", [*used, found.name]]], {"side": figure.side, "figure": figure.id}
        ctx.add(board_events.task_done)
        ctx.add(board_events.task, kind="wounded", **who, data=data, first=True)
    if found.kind == "order":
        ctx.remind(say("the target of an order is not activated"))
    if not found.counted:
        ctx.remind(note_words(name or figure.name))
    return None


def change_target(ctx: BattleContext, ability: CardAbility, target: FigureInPlay) -> None:
    """What becomes of the target of an ability, as far as its numbers tell."""
    if healed := min(ability.heals, target.wounds):
        ctx.note(fight_events.healed, target, wounds=healed)
    if ability.calms and target.shaken:
        ctx.note(fight_events.condition, ctx.figure(target.id), kind="shaken", on=False)
    kind = ability.gives
    if kind and (item := protecting(ctx.state, target, kind)):
        ctx.remind(say("{item} protects {figure}", item=item, figure=target.name))
    elif kind and not getattr(target, kind):
        ctx.note(fight_events.condition, ctx.figure(target.id), kind=kind, on=True)
    if ability.deals:
        ctx.suffer(ctx.figure(target.id), ability.deals)


def target_refusal(
    ctx: BattleContext, args: CommandFields, figure: FigureInPlay, ability: CardAbility
) -> Refusal | None:
    """Why an aimed ability does not reach the figure that it names (TAC-ABL-8)."""
    if not ability.aimed:
        return None
    position = ctx.position
    near = position.targets_of(position.by_id[figure.id], ability)
    if not near:
        return no("TAC-ABL-8", "nobody is near enough for {ability}", ability=ability.name)
    if not args.has("target"):
        return no("TAC-ABL-8", "for which figure is {ability}?", ability=ability.name)
    target = ctx.figure(args.need("target"))
    if target.id not in {one.id for one in near}:
        return no(
            "TAC-ABL-8",
            "{ability} does not reach {figure}",
            ability=ability.name,
            figure=target.name,
        )
    return None


@command(
    "coins",
    say("coins gained or lost by an ability, or a correction"),
    ask("side", "side", "", True),
    *(ask(kind, "number") for kind in COIN_KINDS),
    phases=ALWAYS,
    busy=True,
)
def coins(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Coins of one kind are never exchanged for another (TAC-COI-8)."""
    squad = ctx.state.squad(args.need("side"))
    change = Coins(*(args.whole(kind, -99, 99, 0) for kind in COIN_KINDS))
    after = squad.coins + change
    if min(after.to_json()) < 0 or max(after.to_json()) > 99:
        return no("TAC-COI-8", "{player} has {coins}", player=squad.player, coins=squad.coins.say())
    if not change:
        return no("INPUT", "no coins named")
    ctx.change_coins(squad.id, change, say("ability or correction"))
    return None


@command(
    "score",
    say("victory points by a card or the scenario, or a correction"),
    ask("side", "side", "", True),
    ask("points", "number", say("points gained or lost")),
    ask("total", "number", say("or what the points are from now on")),
    ask("why", "text"),
    phases=ALWAYS,
    busy=True,
)
def score(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Points that only the cards know (TAC-GEN-2, TAC-GEN-13)."""
    squad = ctx.state.squad(args.need("side"))
    if args.has("total"):
        points = args.whole("total", 0, 99) - squad.vp
    else:
        points = args.whole("points", -40, 40)
    if not points:
        return no("INPUT", "no points named")
    why = args.text("why") or say("a card")
    ctx.score(squad.id, points, say("agendas") if why == "agendas" else why)
    return None
