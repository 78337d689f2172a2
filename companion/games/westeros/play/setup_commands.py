"""Commands of the skirmish set-up, and of who gives up."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.play.context import CommandFields, WesterosContext, command
from companion.games.westeros.play.draw_flow import (
    draw_forces,
    drawn_mace,
    form_forces,
    next_draw,
    open_draws,
    reveal,
    take_cards,
)
from companion.games.westeros.play.events import round_events
from companion.games.westeros.play.flow import decide_victory, score_last_round
from companion.games.westeros.play.skirmish_flow import (
    choice_problem,
    next_units,
    overlay_cells,
    place_cells,
    place_problem,
)
from companion.games.westeros.play.state import (
    CHOOSE,
    COMMAND,
    DRAW,
    ORGANISE,
    OVERLAY_HEX,
    OVERLAYS,
    PLACE,
    REACTIVATION,
    REGROUP,
)
from companion.games.westeros.rules.hex_field import OVERLAYS as OVERLAY_KINDS
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from models.board import cell_text
from models.message import say

IN_BATTLE = (ORGANISE, COMMAND, REGROUP)
BEFORE = (CHOOSE, DRAW, OVERLAYS, PLACE, REACTIVATION)


@command(
    "concede",
    say("a player gives up; the other wins"),
    ask("side", "side", "", True),
    phases=(*BEFORE, *IN_BATTLE),
    busy=True,
)
def concede(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """No book forbids to give up, in the middle of a task either; no points are scored for it."""
    house = ctx.state.house(args.need("side"))
    ctx.win(ctx.state.other(house.side), say("{player} concedes", player=house.player))
    return None


@command(
    "stop",
    say("all agree to stop: the winner is decided as after the last round"),
    phases=IN_BATTLE,
    busy=True,
)
def stop(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """The evening is over before the battle: points, then morale decide (BOW-VIC-1 to -3)."""
    score_last_round(ctx)
    decide_victory(ctx)
    return None


@command(
    "commanders",
    say("choose commanders in secret"),
    ask("side", "side", "", True),
    ask("choose", "list", say("the ids of their set-up cards"), True),
    phases=(CHOOSE,),
)
def commanders(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Within number and total value; both are revealed together (BOW-SKM-4, BOW-SKM-10)."""
    house = ctx.state.house(args.need("side"))
    if house.chosen is not None:
        return no("BOW-SKM-4", "{player} has chosen", player=house.player)
    chosen = args.texts("choose", 9)
    why = choice_problem(ctx.state, house.side, chosen)
    if why == "BOW-SET-3":
        return no(why, "two versions of one commander are one figure: choose only one of them")
    if why:
        return no(why, "these commanders may not be chosen together")
    ctx.add(
        round_events.commanders_chosen, side=house.side, player=house.player, chosen=list(chosen)
    )
    if all(one.chosen is not None for one in ctx.state.houses):
        reveal(ctx) if ctx.state.own_draw else draw_forces(ctx)
    return None


@command(
    "draw",
    say("set-up cards that a player has drawn: first for units, then for terrain"),
    ask("side", "side", "", True),
    ask("choose", "list", say("the ids of the set-up cards; the companion draws without")),
    phases=(DRAW,),
)
def draw(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """As many as the reference card says, of those that are left (BOW-SKM-7, BOW-SKM-8)."""
    house = ctx.state.house(args.need("side"))
    asked = next_draw(ctx.state, house.side)
    if asked is None:
        return no("BOW-SKM-8", "{player} has drawn", player=house.player)
    drawn = args.texts("choose", 20) if args.has("choose") else ()
    if not args.has("choose"):
        drawn = ctx.shuffled(asked.cards)[: asked.count]
    if len(drawn) != asked.count or len(set(drawn) & set(asked.cards)) != asked.count:
        return no(
            asked.rule,
            "{player} draws {n} of the set-up cards that are left",
            player=house.player,
            n=asked.count,
        )
    take_cards(ctx, asked, drawn)
    return None


@command(
    "mace",
    say("who has drawn the mace"),
    ask("side", "side", say("the house; the companion draws without")),
    phases=(DRAW,),
)
def mace(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """A randomly chosen player has it; both forces are formed then (BOW-SKM-14)."""
    if any(open_draws(ctx.state)):
        return no("BOW-SKM-7", "the set-up cards are drawn first")
    side = ctx.state.house(args.need("side")).side if args.has("side") else drawn_mace(ctx)
    form_forces(ctx, side)
    return None


@command(
    "overlay",
    say("place one of your overlays"),
    ask("terrain", "word", "", True, OVERLAY_KINDS),
    ask("to", "hex", say("where it lies; asked for next without it")),
    phases=(OVERLAYS,),
    busy=True,
)
def overlay(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """In turns, beginning with the mace (BOW-SKM-9, BOW-SKM-11, BOW-OR-31)."""
    state = ctx.state
    house, word = state.house(state.active), args.need("terrain")
    if word not in house.overlays:
        return no("BOW-SKM-8", "{player} has no such overlay left", player=house.player)
    to = ctx.cell(args) if args.has("to") else None
    if to is not None and to not in overlay_cells(state, house.side):
        return no("BOW-SKM-11", "{place}: too far from the own edge, or taken", place=ctx.place(to))
    if state.tasks:  # the overlay that was chosen before
        ctx.add(round_events.task_done)
    if to is None:
        what = TERRAIN_WORDS[word]
        ctx.add(round_events.overlay_chosen, side=house.side, player=house.player, what=what)
        ctx.wait_for(OVERLAY_HEX, house.side, "", terrain=word)
        return None
    what = TERRAIN_WORDS[word]
    about = {"terrain": word, "what": what, "cell": cell_text(to), "place": ctx.place(to)}
    ctx.add(round_events.overlay, side=house.side, **about)
    ctx.add(round_events.next_player, side=state.other(house.side))
    return None


@command(
    "place",
    say("place one of your units"),
    ask("unit", "unit", "", True),
    ask("to", "hex", "", True),
    phases=(PLACE,),
)
def place(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """Commanders first, then the others, in turns (BOW-SKM-9, BOW-SKM-12, BOW-SKM-13)."""
    state, unit, to = ctx.state, ctx.unit(args.need("unit")), ctx.cell(args)
    if unit.id not in {one.id for one in next_units(state, state.active)}:
        return no("BOW-SKM-9", "{unit} is not placed now", unit=unit.name)
    if to not in place_cells(state, unit):
        rule = "BOW-SKM-12" if unit.commander else "BOW-SKM-13"
        return Refusal(rule, place_problem(state, unit, to))
    ctx.note(round_events.placed, unit, cell=cell_text(to), place=ctx.place(to, unit.id))
    ctx.add(round_events.next_player, side=state.other(unit.side))
    return None


@command(
    "guide",
    say("say what to tap in the first turns, or no longer"),
    ask("on", "flag", "", True),
    phases=(REACTIVATION, *IN_BATTLE),
    busy=True,
)
def guide(ctx: WesterosContext, args: CommandFields) -> Refusal | None:
    """The players leave the guide, or want it back."""
    ctx.add(round_events.guide, on=args.field("on").flag())
    return None
