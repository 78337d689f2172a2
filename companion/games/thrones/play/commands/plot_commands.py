"""Commands of the plot phase: plots, initiative, the first player, titles."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask, no
from companion.games.thrones.play.commands.setup_commands import SEAT
from companion.games.thrones.play.context import ThronesContext, command, deck_card
from companion.games.thrones.play.flow import (
    choosing_plots,
    choosing_title,
    recycle,
    tied_leaders,
    titles_left,
)
from models.lazy_message import say


@command(
    "choose-plot",
    say("choose a plot in secret; all are revealed together"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
    phases=("1.2",),
)
def choose_plot(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """Everybody chooses from the own plot deck (AGOT-PLOT-2)."""
    house = ctx.house(args)
    if house.id not in choosing_plots(ctx.state):
        return no("AGOT-PLOT-3", "{player} has chosen", player=house.name)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    if card.code not in house.plots:
        return no("AGOT-PLOT-1", "this plot is not in the plot deck of {player}",
                  player=house.name)  # fmt: skip
    ctx.add("plot-chosen", seat=house.id, player=house.name, plot=card.code)
    return None


@command(
    "toss",
    say("decide by chance who wins a tied initiative"),
    ask("seat", "side", say("who won your own toss; without it the companion draws")),
    phases=("1.3.I",),
)
def toss(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """Chance decides among those still tied (AGOT-PLOT-11)."""
    tied = tied_leaders(ctx.state)
    if args.has("seat"):
        seat = args.choice("seat", tied)
    else:
        seat = tied[ctx.dice(1, len(tied))[0] - 1]
    ctx.add("tie-broken", seat=seat, player=ctx.player(seat))
    return None


@command(
    "first-player",
    say("the winner of initiative names the first player"),
    ask("seat", "side", say("the first player"), True),
    phases=("1.3.II",),
)
def first_player(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """Any player, also the winner (AGOT-PLOT-12, AGOT-PLOT-13)."""
    house = ctx.house(args)
    ctx.add("first-player", seat=house.id, player=house.name)
    ctx.add("confirmed")
    return None


@command(
    "continue",
    say("go on: what was asked for at this step is done"),
    phases=("1.3.III", "4.2.2"),
)
def go_on(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    ctx.add("confirmed")
    return None


@command(
    "choose-title",
    say("take a title in secret; all are revealed together"),
    SEAT,
    ask("title", "word", say("the title's id"), True),
    phases=("1.4",),
)
def choose_title(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """In player order, from what is left (AGOT-TTL-5)."""
    awaited = choosing_title(ctx.state)
    house = ctx.house(args, default=awaited)
    if house.id != awaited:
        return no("AGOT-TTL-5", "{player} decides now", player=ctx.player(awaited))
    known = tuple(one.id for one in ctx.state.titles)
    title = args.choice("title", known)
    if title not in titles_left(ctx.state):
        return no("AGOT-TTL-5", "this title is not among those left")
    ctx.add("title-taken", seat=house.id, player=house.name, title=title)
    return None


@command(
    "reveal-plot",
    say("a card's text reveals a plot outside the plot phase"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
)
def reveal_plot(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """No new initiative and no new first player (AGOT-PLOT-20); an empty plot deck is refilled
    (AGOT-PLOT-25)."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    if card.code not in house.plots:
        return no("AGOT-PLOT-1", "this plot is not in the plot deck of {player}",
                  player=house.name)  # fmt: skip
    if house.chosen and house.plots.count(card.code) == 1 and house.chosen == card.code:
        return no("AGOT-PLOT-2", "{player} has chosen this plot for this round", player=house.name)
    chosen = house.chosen
    ctx.add("plots-revealed", plots=[[house.id, house.name, card.code, card.name]])
    recycle(ctx)
    if chosen:
        ctx.add("plot-chosen", seat=house.id, player=house.name, plot=chosen)
    ctx.remind(say('Its "when revealed" ability resolves now.'))
    return None


@command(
    "move-plot",
    say("a card's text moves a plot between the plot deck and the used pile"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
    ask("to", "word", say("the plot deck or the used pile"), True, ("deck", "used")),
    ask("why", "text", say("the reason"), True),
)
def move_plot(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """A plot is in one of three states; card text changes it (AGOT-PLOT-1, AGOT-GEN-2)."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    to = args.choice("to", ("deck", "used"))
    there = house.used if to == "deck" else house.plots
    if card.code not in there or (to == "used" and card.code == house.chosen):
        return no("AGOT-PLOT-1", "{plot} is not there", plot=card.name)
    why = args.need("why")
    names = {"player": house.name, "name": card.name}
    ctx.add("plot-moved", seat=house.id, plot=card.code, to=to, why=why, **names)
    recycle(ctx)
    return None
