"""How a battle goes on by itself: phases, turns, the Regroup phase, the end."""

from __future__ import annotations

from companion.games.westeros.cards.command_card import rebuilt, zone_of
from companion.games.westeros.play.combat_flow import advance_attack
from companion.games.westeros.play.context import WesterosContext
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.skirmish_flow import skirmish_step
from companion.games.westeros.play.state import (
    OVER,
    REACTIVATION,
    REGROUP,
    REGROUP_STEPS,
    WesterosState,
    hex_field,
)
from companion.games.westeros.rules.fire import after_burning, burnt_out, spreading
from models.board import cell_text
from models.message import say


def step(ctx: WesterosContext) -> bool:
    """One automatic step; False if there is none, or the players are asked."""
    state = ctx.state
    if state.phase == OVER or state.tasks:
        return False
    if state.attack is not None:
        advance_attack(ctx, state.attack)
        return True
    match state.phase:
        case "organisation":
            return organise(ctx)
        case "command":
            return next_turn(ctx)
        case "regroup":
            return regroup_step(ctx)
    return state.phase != REACTIVATION and skirmish_step(ctx, lambda: begin_round(ctx, 1))


# -- Reactivation and Organisation -----------------------------------------------------------------


def initiative(state: WesterosState) -> str:
    """More command tokens on the command board; a tie goes to the mace (BOW-RND-3, BOW-RND-4)."""
    one, two = state.houses
    if one.tokens == two.tokens:
        return state.mace
    return one.side if one.tokens > two.tokens else two.side


def begin_round(ctx: WesterosContext, number: int) -> None:
    """The Reactivation phase: initiative first, then tokens and banners (BOW-RND-3 to -6)."""
    first = initiative(ctx.state)
    tokens = [one.tokens for one in ctx.state.houses]
    ctx.add(
        round_events.round_began, round=number, first=first, player=ctx.player(first), tokens=tokens
    )


def organise(ctx: WesterosContext) -> bool:
    """Each house rolls its orders and draws its cards, the first player first (BOW-RND-7)."""
    state = ctx.state
    waiting = [one for one in state.houses if not one.organised]
    if not waiting:
        ctx.add(round_events.command_phase, side=state.first)
        return True
    side = state.first if not state.house(state.first).organised else waiting[0].side
    ctx.wait_for("orders", side, "", dice=state.house(side).orders)
    return True


# -- Command ---------------------------------------------------------------------------------------


def next_turn(ctx: WesterosContext) -> bool:
    """Turns alternate until both have passed (BOW-RND-11, BOW-RND-12, BOW-RND-14)."""
    state = ctx.state
    if state.acting is not None:
        return end_finished_turn(ctx)
    house = state.house(state.active)
    if all(one.passed for one in state.houses):
        begin_regroup(ctx)
        return True
    if house.passed:
        ctx.add(round_events.turn, side=state.other(house.side))
        return True
    if not house.pool and not house.hand:  # nothing left to use (BOW-RND-13)
        ctx.add(round_events.passed, side=house.side, player=house.player)
        return True
    return False


def end_finished_turn(ctx: WesterosContext) -> bool:
    """A turn ends by itself when every ordered unit has acted or is gone."""
    turn = ctx.state.acting
    assert turn is not None
    left = [one for one in turn.units if ctx.unit(one).on_field and not turn.done(one)]
    if left:
        return False
    end_turn(ctx)
    return True


def end_turn(ctx: WesterosContext) -> None:
    """Banners of ordered units turn, and the other player follows (BOW-OPT-4)."""
    turn = ctx.state.acting
    if turn is not None:
        for unit_id in turn.units:
            unit = ctx.unit(unit_id)
            if unit.on_field and unit.active:
                ctx.note(battle_events.banner, unit, active=False)
        ctx.add(round_events.turn_ended, player=ctx.player(turn.side))
    pass_turn(ctx)


def pass_turn(ctx: WesterosContext) -> None:
    """The other player's turn, unless that player has passed (BOW-RND-12)."""
    if ctx.state.winner:
        return
    side = ctx.state.active
    other = ctx.state.other(side)
    ctx.add(round_events.turn, side=side if ctx.state.house(other).passed else other)


# -- Regroup ---------------------------------------------------------------------------------------


def regroup_step(ctx: WesterosContext) -> bool:
    """The next part of the Regroup phase (BOW-RND-15)."""
    state = ctx.state
    match state.step:
        case "status":
            if state.fires:
                cell = cell_text(state.fires[0])
                ctx.add(battle_events.fire_done)
                ctx.wait_for("direction", state.first, "", cell=cell)
                return True
        case "points":
            score_round(ctx, state.round >= state.plan.rounds)
        case "victory":
            if state.round >= state.plan.rounds:  # BOW-RND-17
                decide_victory(ctx)
                return True
        case "discard":
            if discard(ctx):
                return True
        case "rebuild":
            if rebuild(ctx):
                return True
        case "rebuilt":
            pass
        case _:
            begin_round(ctx, state.round + 1)  # BOW-RND-20
            return True
    if ctx.state.winner:
        return False
    steps = (*REGROUP_STEPS[:5], "advance")
    now = "rebuild" if state.step == "rebuilt" else state.step
    ctx.add(round_events.regroup_step, step=steps[steps.index(now) + 1])
    return True


def begin_regroup(ctx: WesterosContext) -> None:
    """Step A, status: every burning hex with the level it has now (BOW-FIR-5 to BOW-FIR-9).

    First the terrain, then the units; the fires of level 4 spread afterwards, one by one.
    """
    field = hex_field(ctx.state)
    ctx.add(round_events.regroup, fires=[cell_text(cell) for cell in spreading(field)])
    for cell in sorted(field.fire):
        if burnt_out(field, cell):
            words = after_burning(field, cell).ground.get(cell, ())
            about = {"cell": cell_text(cell), "place": ctx.place(cell)}
            ctx.add(battle_events.burnt, words=list(words), **about)
    first = ctx.state.first  # in doubt the first player first (BOW-RND-15)
    burning = [one for one in ctx.state.units if one.cell in field.fire]
    for unit in sorted(burning, key=lambda one: (one.side != first, one.cell)):
        if not ctx.state.winner and unit.cell is not None:
            burn_unit(ctx, unit.id, field.fire[unit.cell])


def burn_unit(ctx: WesterosContext, unit_id: str, level: int) -> None:
    """1 figure for each fire level; a commander removed counts as captured (BOW-FIR-7, -8)."""
    unit = ctx.unit(unit_id)
    figures = min(level, unit.figures)
    ctx.note(battle_events.hits, unit, hits=level, figures=figures, fire=level)
    if figures == unit.figures:
        ctx.lose_unit(ctx.unit(unit_id), captured=unit.commander is not None)


def score_last_round(ctx: WesterosContext) -> None:
    """The points as after the last round; those of this round are scored once (BOW-RND-16)."""
    state = ctx.state
    scored = state.phase == REGROUP and state.step not in ("status", "points")
    score_round(ctx, last=True, scored=scored)


def score_round(ctx: WesterosContext, last: bool, scored: bool = False) -> None:
    """Points of the round unless they are scored, and in the last one those of the end
    (BOW-RND-16)."""
    state = ctx.state
    victory = state.plan.victory
    held = dict(state.control)
    # In doubt the first player first (BOW-RND-15): that decides who reaches the goal.
    for site in sorted(victory.sites, key=lambda one: held.get(one.cell) != state.first):
        side = held.get(site.cell, "")
        points = (0 if scored else site.each_round) + (site.at_end if last else 0)
        if side:
            ctx.score(side, points, say("holds {place}", place=ctx.place(site.cell)))
    if last:
        for house in state.houses:
            zone = zone_of(state.depth(state.other(house.side)))
            if zone is not None:
                points = victory.morale[("green", "yellow", "red").index(zone.name)]
                ctx.score(house.side, points, say("enemy morale"))


def decide_victory(ctx: WesterosContext) -> None:
    """The winner after the last round (BOW-VIC-1 to BOW-VIC-3)."""
    state = ctx.state
    victory = state.plan.victory
    if victory.holder:
        held = [side for cell, side in state.control].count(victory.holder)
        done = held >= victory.holds
        side = victory.holder if done else state.other(victory.holder)
        player = ctx.player(victory.holder)
        how = say("{player} holds {n} site", "{player} holds {n} sites", player=player, n=held)
        ctx.win(side, how)
        return
    one, two = state.houses
    if one.vp != two.vp:
        best = one if one.vp > two.vp else two
        ctx.win(best.side, say("more victory points"))
    elif state.morale:
        ctx.win((one if state.morale > 0 else two).side, say("higher morale"))
    else:
        ctx.win(state.mace, say("even in everything, and the mace"))


def discard(ctx: WesterosContext) -> bool:
    """Each house keeps at most 1 card and 1 order token (BOW-RND-18)."""
    for side in (ctx.state.first, ctx.state.other(ctx.state.first)):
        house = ctx.state.house(side)
        if house.regrouped:
            continue
        if house.pool or house.hand:  # who has one of each may still keep none
            ctx.wait_for("keep", side)
            return True
    return False


def rebuild(ctx: WesterosContext) -> bool:
    """The house with the marker in its coloured zone may rebuild morale (BOW-MOR-9, BOW-OR-36)."""
    for house in ctx.state.houses:
        depth = ctx.state.depth(house.side)
        to = rebuilt(depth)
        if to is not None:
            ctx.add(round_events.regroup_step, step="rebuilt")
            ctx.wait_for("rebuild", house.side, "", by=depth - to)
            return True
    return False
