"""Commands for tokens, abilities, motivations, coins and points (TAC-STA, TAC-ABL, TAC-MOT)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask, no
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.play.context import BattleContext, action, command, on_figure
from companion.games.tactics.play.state import BEFORE, END, ROUND, START, FigureInPlay
from companion.games.tactics.play.will_test import take_will_test
from models.lazy_message import say

ALWAYS = (*BEFORE, ROUND, END)
CONDITIONS = ("shaken", "frozen")
HEALING_BALM = 2


@on_figure(
    "will",
    say("a Will test"),
    ask("faces", "list", say("the die; the companion rolls if left out")),
    phases=(ROUND, END),
    busy=True,
)
def will(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> Refusal | None:
    """One die against the Will value (TAC-CRD-4); Will abilities follow it (TAC-ABL-5)."""
    passed = take_will_test(ctx, args, figure)
    if isinstance(passed, Refusal):
        return passed
    ctx.answer["passed"] = passed
    if any(one.kind == "will" for one in figure.card.abilities):
        ctx.remind(say("{figure} may use a Will ability", figure=figure.name))
    return None


@command(
    "condition",
    say("a figure becomes shaken or frozen, or loses the token"),
    ask("figure", "figure", "", True),
    ask("kind", "word", "", True, CONDITIONS),
    ask("on", "flag", say("false removes the token")),
    phases=ALWAYS,
    busy=True,
)
def condition(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """One token of each kind at most (TAC-STA-1)."""
    figure = ctx.figure(args.need("figure"))
    kind, on = args.choice("kind", CONDITIONS), args.flag("on", True)
    if not figure.on_board:
        return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)
    if bool(getattr(figure, kind)) == on:
        return no("TAC-STA-1", "{figure} is like that already", figure=figure.name)
    item = EQUIPMENT.get(figure.equipment)
    if on and item is not None and ctx.state.readings.condition(item.protects) == kind:
        return no("TAC-STA-1", "{item} protects {figure}", item=item.name, figure=figure.name)
    ctx.note("condition", figure, kind=kind, on=on)
    return None


@on_figure(
    "wound",
    say("a figure suffers wounds from an ability or the ground"),
    ask("wounds", "number", "", True),
    phases=ALWAYS,
    busy=True,
)
def wound(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> Refusal | None:
    """Wound tokens; reaching the health kills at the end of the action (TAC-STA-6, -7)."""
    ctx.note("wounded", figure, wounds=args.whole("wounds", 1, 20))
    if any(one.kind == "wound" for one in figure.card.abilities):
        ctx.remind(say("{figure} may use a wound ability", figure=figure.name))  # TAC-ABL-7
    return None


@command(
    "heal",
    say("remove wound tokens"),
    ask("figure", "figure", "", True),
    ask("wounds", "number", "", True),
    phases=ALWAYS,
    busy=True,
)
def heal(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """Wounds that an ability or a correction removes."""
    figure, wounds = ctx.figure(args.need("figure")), args.whole("wounds", 1, 20)
    if not figure.on_board or not figure.wounds:
        return no("TAC-STA-6", "{figure} has no wounds", figure=figure.name)
    ctx.note("healed", figure, wounds=min(wounds, figure.wounds))
    return None


@action(
    "use",
    say("use equipment that heals"),
)
def use(ctx: BattleContext, args: CommandArgs, figure: FigureInPlay) -> Refusal | None:
    """Healing balm: a free action of its bearer, once per battle (TAC-EQP-6)."""
    if figure.equipment != "healing-balm":
        return no("TAC-EQP-6", "{figure} has no equipment to use now", figure=figure.name)
    if refusal := ctx.spend(0, free=True):
        return refusal
    ctx.note("item-used", figure, item="healing-balm")
    if figure.wounds:
        ctx.note("healed", ctx.figure(figure.id), wounds=min(HEALING_BALM, figure.wounds))
    return None


@command(
    "ability",
    say("use an ability of a card"),
    ask("figure", "figure", "", True),
    ask("ability", "text", "", True),
    ask("target", "figure"),
    phases=(START, ROUND, END),
    busy=True,
)
def ability(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
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
    if found.kind == "passive":
        return no("TAC-ABL-11", "a passive ability is always in force")
    if found.kind in ("order", "action"):
        now = ctx.state.acting
        if now is None or now.figure != figure.id or ctx.state.tasks:
            return no("TAC-ABL-8", "only the active figure may use it")
        if refusal := ctx.spend(found.ap, free=found.ap == 0):
            return refusal
    if refusal := ctx.pay(figure.side, found.price, found.name):
        return refusal
    target = {"target": ctx.figure(args.need("target")).name} if args.has("target") else {}
    ctx.note("ability-used", figure, ability=found.name, **target)
    if found.kind == "order":
        ctx.remind(say("the target of an order is not activated"))
    return None


@command(
    "motivation",
    say("pay for a motivation and score it"),
    ask("figure", "figure", "", True),
    ask("name", "text", "", True),
    phases=(ROUND, END),
    busy=True,
)
def motivation(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """The visible side of a hero's card; points at once (TAC-MOT-1 to -7)."""
    figure, name = ctx.figure(args.need("figure")), args.need("name")
    side = next((one for one in figure.card.motivation if one.name == name), None)
    if side is None:
        return no("TAC-MOT-1", "{figure} has no motivation {name!r}", figure=figure.name, name=name)
    if refusal := motivation_refusal(ctx, figure, side.dead, side.trigger):
        return refusal
    if refusal := ctx.pay(figure.side, side.price, name):
        return refusal
    ctx.note("ability-used", figure, ability=name)
    ctx.score(figure.side, side.points, name)
    return None


def motivation_refusal(
    ctx: BattleContext, figure: FigureInPlay, dead: bool, trigger: str
) -> Refusal | None:
    """Why a motivation cannot be scored now (TAC-MOT-3 to -5, -7)."""
    if figure.fate == "captive":
        return no("TAC-MOT-7", "{figure} is a captive", figure=figure.name)
    if dead != (figure.fate == "killed"):
        return no("TAC-MOT-4", "the other side of the card is visible")
    if trigger.startswith("kills-"):
        now = ctx.state.activation
        kills = now.kills if now is not None and now.figure == figure.id else ()
        if trigger.removeprefix("kills-") not in kills:
            return no("TAC-MOT-6", "its condition is not met")
    return None


@command(
    "coins",
    say("coins gained or lost by an ability, or a correction"),
    ask("side", "side", "", True),
    *(ask(kind, "number") for kind in COIN_KINDS),
    phases=ALWAYS,
    busy=True,
)
def coins(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """Coins of one kind are never exchanged for another (TAC-COI-8)."""
    squad = ctx.state.squad(args.need("side"))
    change = Coins(*(args.whole(kind, -99, 99, 0) for kind in COIN_KINDS))
    after = squad.coins + change
    if min(after.plain()) < 0 or max(after.plain()) > 99:
        return no("TAC-COI-8", "{player} has {coins}", player=squad.player, coins=squad.coins.say())
    if not change:
        return no("INPUT", "no coins named")
    ctx.change_coins(squad.id, change, say("ability or correction"))
    return None


@command(
    "score",
    say("victory points by a card or the scenario, or a correction"),
    ask("side", "side", "", True),
    ask("points", "number", "", True),
    ask("why", "text"),
    phases=ALWAYS,
    busy=True,
)
def score(ctx: BattleContext, args: CommandArgs) -> Refusal | None:
    """Points that only the cards know (TAC-GEN-2, TAC-GEN-13)."""
    squad, points = ctx.state.squad(args.need("side")), args.whole("points", -40, 40)
    if not points:
        return no("INPUT", "no points named")
    ctx.score(squad.id, points, args.text("why") or say("a card"))
    return None
