"""Commands of a turn: order tokens, command cards, passing (BOW-ORD, BOW-CRD)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.cards.command_card import (
    MOST_ORDERED,
    MOST_TOKENS,
    ZONE_NAMES,
    CommandCard,
    enemy_at_most,
    own_at_least,
)
from companion.games.westeros.combat.die import (
    MORALE,
    SHIELD,
    SYMBOL_WORDS,
    SYMBOLS,
    VALOUR,
    symbol,
)
from companion.games.westeros.play.context import (
    CommandFields,
    WesterosContext,
    command,
    symbol_text,
)
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.flow import begin_round, end_turn, pass_turn
from companion.games.westeros.play.state import (
    REACTIVATION,
    UnitInBattle,
    WesterosState,
    battle_position,
)
from companion.games.westeros.rules.position import in_command_range, under_command
from models.message import Name, joined, say


@command("begin", say("begin the first round"), phases=(REACTIVATION,))
def begin(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    begin_round(ctx, 1)
    return None


@command(
    "orders",
    say("roll for order tokens and draw command cards"),
    ask("faces", "list", say("the symbols G, B, R, V, M or faces; the companion rolls without")),
    phases=("organisation",),
    busy=True,
)
def orders(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """As many dice as the order value; a token for each symbol (BOW-RND-8, BOW-RND-9)."""
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    if task is None or task.kind != "orders":
        return no("BOW-RND-7", "no orders are rolled now")
    house = ctx.state.house(task.side)
    faces = ctx.rolled(args, house.orders)
    ctx.add(round_events.task_done)
    ctx.add(
        round_events.organised,
        side=house.side,
        player=house.player,
        faces=faces,
        rolled=[symbol(face) for face in faces],
        symbols=symbol_text(faces),
        cards=house.draws,
    )
    return None


def turn_refusal(state: WesterosState) -> Refusal | None:
    """Why no new action may begin: each turn is exactly one (BOW-RND-11)."""
    if state.acting is not None:
        return no("BOW-RND-11", "the ordered units have not finished")
    return None


def order_refusal(state: WesterosState, unit: UnitInBattle) -> Refusal | None:
    """Why a unit may not be ordered by the active player (BOW-UNT-10, BOW-CRD-5)."""
    if unit.side != state.active:
        return no("BOW-GEN-5", "{unit} belongs to the other house", unit=unit.name)
    if not unit.on_field:
        return no("BOW-UNT-12", "{unit} is not on the field", unit=unit.name)
    if not unit.active:
        return no("BOW-UNT-10", "{unit} is inactive", unit=unit.name)
    return None


def token_refusal(state: WesterosState, unit: UnitInBattle, tokens: tuple[str, ...]) -> str:
    """The rule by which these tokens do not order that unit; "" if they do (BOW-ORD-2 to -9)."""
    pool = state.house(unit.side).pool
    if any(tokens.count(one) > pool.count(one) for one in tokens):
        return "BOW-ORD-1"
    if len(tokens) == 2:
        return "" if tokens[0] == tokens[1] else "BOW-ORD-9"
    token = tokens[0]
    if token == MORALE:
        return "BOW-ORD-8"
    if token == VALOUR or token == SHIELD[unit.rank]:
        return ""
    return {"G": "BOW-ORD-2", "B": "BOW-ORD-3", "R": "BOW-ORD-4"}[token]


@command(
    "order",
    say("order one unit with a token, or with two of the same kind"),
    ask("unit", "unit", "", True),
    ask("tokens", "list", say("one token that fits, or two alike"), True, SYMBOLS),
)
def order(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Name the unit, discard the token; it moves and attacks next (BOW-ORD-1, BOW-ORD-10)."""
    state, unit = ctx.state, ctx.unit(args.need("unit"))
    if refusal := turn_refusal(state) or order_refusal(state, unit):
        return refusal
    tokens = args.texts("tokens", 2)
    if not 1 <= len(tokens) <= 2:
        return no("BOW-ORD-1", "one token, or two of the same kind")
    if why := token_refusal(state, unit, tokens):
        return no(why, "these tokens do not order {unit}", unit=unit.name)
    ctx.add(round_events.tokens_used, side=unit.side, tokens=list(tokens))
    used = joined([SYMBOL_WORDS[one] for one in tokens], " + ")
    begin_orders(ctx, unit.side, [unit], tokens=used)
    return None


def begin_orders(
    ctx: WesterosContext,
    side: str,
    units: list[UnitInBattle],
    commander: str = "",
    dice: int = 0,
    silenced: Sequence[str] = (),
    tokens: str = "",
    text: str = "",
) -> None:
    """The units of this turn's orders."""
    ctx.add(
        round_events.ordered,
        side=side,
        player=ctx.player(side),
        units=[one.id for one in units],
        names=", ".join(one.name for one in units) or say("no unit"),
        commander=commander,
        dice=dice,
        silenced=silenced,
        tokens=tokens,
        text=text,
    )


@command(
    "morale",
    say("use a morale token: raise morale by 1, or lower it by 1 and reactivate a unit"),
    ask("use", "word", "", True, ("raise", "reactivate")),
    ask("unit", "unit", say("the unit that becomes active again")),
)
def morale(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Neither use orders a unit (BOW-ORD-6 to BOW-ORD-8, BOW-MOR-5)."""
    state = ctx.state
    if refusal := turn_refusal(state):
        return refusal
    side = state.active
    if MORALE not in state.house(side).pool:
        return no("BOW-ORD-1", "{player} has no morale token", player=ctx.player(side))
    use = args.choice("use", ("raise", "reactivate"))
    if use == "raise":
        ctx.add(round_events.tokens_used, side=side, tokens=[MORALE])
        ctx.change_morale(side, 1)
    else:
        unit = ctx.unit(args.need("unit"))
        if unit.side != side or not unit.on_field:
            return no("BOW-ORD-7", "{unit} is no unit of yours on the field", unit=unit.name)
        if unit.active:
            return no("BOW-ORD-7", "{unit} is active already", unit=unit.name)
        ctx.add(round_events.tokens_used, side=side, tokens=[MORALE])
        ctx.change_morale(side, -1)
        if not ctx.state.winner:
            ctx.note(battle_events.reactivated, unit)
    pass_turn(ctx)
    return None


@command("pass", say("take no more turns in this phase"))
def pass_(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """A player who passed takes no more turns in this phase (BOW-RND-12)."""
    if refusal := turn_refusal(ctx.state):
        return refusal
    side = ctx.state.active
    ctx.add(round_events.passed, side=side, player=ctx.player(side))
    pass_turn(ctx)
    return None


@command(
    "card",
    say("play a command card with a commander"),
    ask("unit", "unit", say("the commander's unit"), True),
    ask("card", "word", say("the id of an entered command card; what it says is filled in")),
    ask("tokens", "list", say("command tokens of each command used; needed without an id")),
    ask("units", "list", say("the units that it orders")),
    ask("name", "text", say("the card's name")),
    ask("dice", "number", say("dice that it adds to their attacks")),
    ask("needs", "list", say("order tokens that its tactic checks"), False, SYMBOLS),
    ask("own_morale", "word", say("own morale this zone or better"), False, ZONE_NAMES),
    ask("enemy_morale", "word", say("enemy morale this zone or worse"), False, ZONE_NAMES),
    ask("silence", "unit", say("an enemy that may not counterattack this turn")),
    ask("tactic", "flag", say("false: the tactic of an entered card is not used")),
    ask("ask", "flag", say("the units are named next, when the card is paid")),
)
def card(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Name the commander, pay, name the units; they move and attack next (BOW-CRD-1)."""
    state, leader = ctx.state, ctx.unit(args.need("unit"))
    if refusal := turn_refusal(state):
        return refusal
    if not state.house(state.active).hand:
        return no("BOW-RND-13", "{player} has no card in hand", player=ctx.player(state.active))
    if leader.side != state.active or leader.commander is None or not leader.on_field:
        return no("BOW-CRD-6", "{unit} is no commander of yours on the field", unit=leader.name)
    printed = printed_card(state, args, leader.side)
    costs = list(printed.costs)
    if refusal := payment_refusal(state, leader, costs):
        return refusal
    if refusal := tactic_refusal(ctx, args, leader, printed):
        return refusal
    units = [ctx.unit(name) for name in args.texts("units", MOST_ORDERED)]
    if refusal := card_units_refusal(ctx, leader, units, printed.units):
        return refusal
    silence = [args.need("silence")] if args.has("silence") else []
    ctx.note(
        round_events.card_played,
        leader,
        player=ctx.player(leader.side),
        tokens=sum(costs),
        card=printed.name,
    )
    told = say("Do what the card says; a retreat that it causes follows its text.")  # BOW-RET-7
    ctx.remind(Name(printed.text) if printed.text else told)
    near = commanded_units(ctx.state, leader) if args.flag("ask") else []
    if near and printed.units:
        ctx.wait_for(
            "card-units",
            leader.side,
            leader.id,
            card=printed.name,
            units=[one.id for one in near],
            most=min(len(near), printed.units),
            dice=printed.dice,
            silenced=silence,
            text=printed.text,
            paper=not args.has("card") or args.has("tokens"),  # its dice may be another command's
        )
        return None
    begin_orders(
        ctx,
        leader.side,
        units,
        commander=leader.id,
        dice=printed.dice,
        silenced=silence,
        text=printed.text,
    )
    return None


def printed_card(state: WesterosState, args: CommandFields, side: str) -> CommandCard:
    """What stands on the played card: entered before, or told with the command."""
    found = CommandCard("", say("a command card"))
    if args.has("card"):
        known = {one.id: one for one in cards_in_play(state, side)}
        found = known[args.field("card").choice(known)]
    if args.has("tokens") or not args.has("card"):
        listed = args.field("tokens").items(6)
        found = replace(found, costs=tuple(one.whole(0, MOST_TOKENS) for one in listed))
    if args.has("needs"):
        tokens = tuple(one.choice(SYMBOLS) for one in args.field("needs").items(9))
        found = replace(found, needs=tokens)
    if found.has_tactic and not args.flag("tactic", True):  # BOW-CRD-11
        found = found.without_tactic()
    own = args.choice("own_morale", ZONE_NAMES) if args.has("own_morale") else found.own_morale
    enemy = found.enemy_morale
    if args.has("enemy_morale"):
        enemy = args.choice("enemy_morale", ZONE_NAMES)
    return replace(
        found,
        name=args.text("name", found.name),
        dice=args.whole("dice", -5, 5, found.dice),
        own_morale=own,
        enemy_morale=enemy,
    )


def cards_in_play(state: WesterosState, side: str) -> list[CommandCard]:
    """The entered cards of a house's deck: basic ones, and those of its commanders (BOW-SET-4)."""
    leaders = {one.commander.id for one in state.of(side) if one.commander is not None}
    return [
        one
        for one in state.commands
        if one.house in ("", side) and (not one.commander or one.commander in leaders)
    ]


def payment_refusal(state: WesterosState, leader: UnitInBattle, costs: list[int]) -> Refusal | None:
    """Why the commands cannot be paid: all are paid first (BOW-CRD-2, BOW-CRD-3, BOW-CRD-10)."""
    house, total = state.house(leader.side), sum(costs)
    assert leader.commander is not None
    if not total and state.readings.tactic_only == "no":  # BOW-OR-33
        return no("BOW-CRD-2", "at least one command is paid")
    if total > house.tokens:
        return no(
            "BOW-CRD-2",
            "{n} command token lies on the command board",
            "{n} command tokens lie on the command board",
            n=house.tokens,
        )
    most = leader.commander.most_tokens
    if leader.tokens + total > most:
        return no("BOW-CRD-3", "{unit} holds at most {most} tokens", unit=leader.name, most=most)
    return None


TACTIC_WORDS = {
    "BOW-CRD-13": say("the order pool lacks the tokens that the tactic checks"),
    "BOW-CRD-14": say("own morale is worse"),
    "BOW-CRD-15": say("enemy morale is better"),
}


def tactic_rule(state: WesterosState, side: str, printed: CommandCard) -> str:
    """The rule by which a tactic may not be used, or ""; tokens are checked, not spent."""
    if Counter(printed.needs) - Counter(state.house(side).pool):
        return "BOW-CRD-13"
    if (zone := printed.own_morale) and not own_at_least(state.depth(side), zone):
        return "BOW-CRD-14"
    zone, depth = printed.enemy_morale, state.depth(state.other(side))
    return "BOW-CRD-15" if zone and not enemy_at_most(depth, zone) else ""


def tactic_refusal(
    ctx: WesterosContext, args: CommandFields, leader: UnitInBattle, printed: CommandCard
) -> Refusal | None:
    """Why the tactic of a card may not be used (BOW-CRD-12 to BOW-CRD-15, BOW-CRD-17)."""
    if rule := tactic_rule(ctx.state, leader.side, printed):
        return no(rule, TACTIC_WORDS[rule])
    if args.has("silence"):
        return silence_refusal(ctx, leader, ctx.unit(args.need("silence")))
    return None


def silence_refusal(
    ctx: WesterosContext, leader: UnitInBattle, enemy: UnitInBattle
) -> Refusal | None:
    """Why a card may not keep an enemy from counterattacking (BOW-CRD-17)."""
    if enemy.id in {one.id for one in silenceable(ctx.state, leader)}:
        return None
    return no("BOW-CRD-17", "{unit} is no enemy in command range", unit=enemy.name)


def silenceable(state: WesterosState, leader: UnitInBattle) -> list[UnitInBattle]:
    """The enemies that a tactic of this commander reaches (BOW-OR-41)."""
    position = battle_position(state)
    here, field = position.by_id[leader.id].cell, position.field
    anywhere = state.readings.enemy_tactics == "anywhere"
    return [
        one
        for one in state.units
        if one.side != leader.side
        and one.cell is not None
        and (anywhere or in_command_range(field, here, one.cell))
    ]


def commanded_units(state: WesterosState, leader: UnitInBattle) -> list[UnitInBattle]:
    """The units that a card of a commander may order: active and in command range (BOW-CRD-8)."""
    position = battle_position(state)
    near = under_command(position, position.by_id[leader.id])
    return [state.unit(one.id) for one in near if one.active]


def card_units_refusal(
    ctx: WesterosContext, leader: UnitInBattle, units: list[UnitInBattle], most: int
) -> Refusal | None:
    """Why units may not be ordered by a card: active, own, in command range now (BOW-CRD-4)."""
    position = ctx.position
    near = {one.id for one in under_command(position, position.by_id[leader.id])}
    for unit in units:
        if refusal := order_refusal(ctx.state, unit):
            return Refusal("BOW-CRD-8", refusal.say) if refusal.why == "BOW-UNT-10" else refusal
        if unit.id not in near:
            return no(
                "BOW-CRD-4",
                "{unit} is not in the command range of {name}",
                unit=unit.name,
                name=leader.name,
            )
    if len({one.id for one in units}) < len(units):
        return no("BOW-CRD-9", "a unit is named twice")
    if len(units) > most:
        return no(
            "BOW-CRD-9",
            "the card orders {n} unit at most",
            "the card orders {n} units at most",
            n=most,
        )
    return None


@command("end-turn", say("the ordered units have finished"))
def end_turn_(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """No ordered unit must move or attack (BOW-OPT-1, BOW-CMB-2)."""
    if ctx.state.acting is None:
        return no("BOW-RND-11", "no unit is ordered; pass instead")
    end_turn(ctx)
    return None
