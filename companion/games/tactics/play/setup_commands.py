"""Commands before the first round: the roll, zones, agendas, deployment (TAC-SET)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.scenario import ZONES
from companion.games.tactics.play.context import (
    BattleContext,
    CommandFields,
    command,
    granted_refusal,
)
from companion.games.tactics.play.events import fight_events, turn_events
from companion.games.tactics.play.flow import end_activation
from companion.games.tactics.play.setup import free_cells, next_kind
from companion.games.tactics.play.state import (
    AGENDA_CARDS,
    AGENDAS,
    CHOICE,
    DEPLOY,
    END,
    ROLL,
    ROUND,
    START,
    FigureInPlay,
    SkirmishState,
    agenda_name,
    battle_position,
)
from companion.games.tactics.rules.space_effects import OBJECTIVE, marked
from models.board import Cell, cell_text
from models.message import say

DIE = 10
OWN_WORDS = "own"
"""An agenda that is none of the five: the players tell it in their own words."""
OBJECTIVE_CARDS = tuple(f"O{number}" for number in range(1, 11))
KIND_WORDS = {"hero": say("heroes"), "veteran": say("veterans"), "soldier": say("soldiers")}


@command(
    "roll-off",
    say("one die each: the higher result chooses"),
    ask("faces", "list", say("the dice in the order of the sides")),
    phases=(ROLL,),
)
def roll_off(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The higher die chooses; ties are rolled again (TAC-SET-2)."""
    sides = ctx.state.sides
    faces = args.faces(highest=DIE)
    if faces is None:
        faces = ctx.dice(2, DIE)
        while faces[0] == faces[1]:
            faces = ctx.dice(2, DIE)
    if len(faces) != 2:
        return no("INPUT", "{given} dice given, {count} rolled", given=len(faces), count=2)
    if faces[0] == faces[1]:
        return no("TAC-SET-2", "a tie: roll again")
    winner = sides[faces[1] > faces[0]]
    ctx.add(
        turn_events.roll_off,
        dice=[[side, face] for side, face in zip(sides, faces, strict=True)],
        winner=winner,
        player=ctx.player(winner),
    )
    return None


@command(
    "zone",
    say("take a deployment zone; the opponent takes the other"),
    ask("zone", "word", "", True, ZONES),
    phases=(CHOICE,),
)
def zone(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Option A of the winner, or the opponent's answer to option B (TAC-SET-3, -4)."""
    state, taken = ctx.state, args.choice("zone", ZONES)
    side = state.chooser
    if any(squad.zone for squad in state.squads):
        return no("TAC-SET-3", "the zones are taken")
    rest = next(one for one in ZONES if one != taken)
    other = state.other(side)
    ctx.add(
        turn_events.zone_chosen,
        player=ctx.player(side),
        zone=taken,
        zones=[[side, taken], [other, rest]],
        next=other,
    )
    prepare_objectives(ctx)
    return None


@command(
    "start-marker",
    say("decide who gets the start marker"),
    ask("side", "side", "", True),
    phases=(CHOICE,),
)
def start_marker(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Option B of the winner, or the opponent's answer to option A (TAC-SET-3, -4)."""
    state = ctx.state
    if state.first:
        return no("TAC-SET-4", "the start marker is given")
    side = state.squad(args.need("side")).id
    other = state.other(state.chooser)
    ctx.add(turn_events.start_given, side=side, player=ctx.player(side), next=other)
    prepare_objectives(ctx)
    return None


def prepare_objectives(ctx: BattleContext) -> None:
    """Once zones and start marker are settled: a card for every objective, two agendas each."""
    state = ctx.state
    if not state.first or not all(squad.zone for squad in state.squads):
        return
    if state.paper:
        ctx.add(turn_events.deploying, paper=True)
        return
    cells = marked_objectives(state)
    cards = ctx.shuffled(OBJECTIVE_CARDS)
    ctx.add(
        turn_events.objective_cards,
        cards=[[cell_text(cell), card] for cell, card in zip(cells, cards, strict=False)],
        bare=max(0, len(cells) - len(cards)),
    )
    dealt = [[squad.id, list(ctx.shuffled(squad.deck)[:2])] for squad in state.squads]
    ctx.add(turn_events.agendas_dealt, cards=dealt)


def marked_objectives(state: SkirmishState) -> tuple[Cell, ...]:
    """The objectives of the board."""
    return marked(battle_position(state).field, OBJECTIVE)


@command(
    "agenda",
    say("keep one of the two agendas"),
    ask("side", "side", "", True),
    ask("keep", "word", say("the card kept; none if you use paper cards")),
    phases=(AGENDAS,),
)
def agenda(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Each player keeps one of two agendas, secretly (TAC-SET-6)."""
    squad = ctx.state.squad(args.need("side"))
    if not squad.dealt:
        return no("TAC-SET-6", "{player} has chosen already", player=squad.player)
    card = args.text("keep")
    if card and card not in squad.dealt:
        return no("TAC-SET-6", "{card} was not dealt", card=card)
    ctx.add(turn_events.agenda_kept, side=squad.id, player=squad.player, card=card)
    if not any(one.dealt for one in ctx.state.squads):
        ctx.add(turn_events.deploying)
    return None


@command("laid", say("the paper cards are laid out: objectives, one agenda each"), phases=(DEPLOY,))
def laid(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Objective cards on paper, and one agenda of two for each player (TAC-SET-5, -6)."""
    if not ctx.state.lays_paper:
        return no("TAC-SET-5", "no paper cards are to be laid")
    ctx.add(turn_events.cards_laid)
    return None


@command(
    "note-agenda",
    say("note an agenda of paper; only its player reads it"),
    ask("side", "side", "", True),
    ask("card", "word", say("which of the five"), options=(*AGENDA_CARDS, OWN_WORDS)),
    ask("text", "text", say("what it says, in the players’ own words")),
    phases=(DEPLOY, START, ROUND, END),
    busy=True,
)
def note_agenda(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """A kept or drawn agenda of paper: hidden until the end as those that the app deals
    (TAC-SET-6, TAC-LOT-4, TAC-AGD-1)."""
    squad = ctx.state.squad(args.need("side"))
    card: str = args.choice("card", (*AGENDA_CARDS, OWN_WORDS), OWN_WORDS)
    card = args.text("text").strip() if card == OWN_WORDS else card
    if not ctx.state.paper:
        return no("TAC-SET-6", "the app has dealt the agendas")
    if not card:
        return no("INPUT", "no agenda is named")
    if card in squad.agenda:
        return no("TAC-SET-6", "{card} is noted already", card=agenda_name(card))
    ctx.add(turn_events.agenda_noted, side=squad.id, player=squad.player, card=card)
    return None


@command(
    "note-objective",
    say("note what an objective card of paper says"),
    ask("cell", "cell", "", True),
    ask("text", "text", say("what it says, in the players’ own words"), True),
    phases=(DEPLOY, START, ROUND, END),
    busy=True,
)
def note_objective(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The card of an objective, which lies open beside it (TAC-SET-5, TAC-OBJ-5)."""
    cell = ctx.cell(args, "cell")
    if not ctx.state.paper:
        return no("TAC-SET-5", "the app has laid the objective cards")
    if cell not in marked_objectives(ctx.state):
        return no("TAC-OBJ-1", "there is no objective")
    ctx.add(
        turn_events.objective_noted,
        cell=cell_text(cell),
        place=ctx.place(cell),
        card=args.need("text").strip(),
    )
    return None


# -- deployment -----------------------------------------------------------------------------------


@command(
    "deploy",
    say("place a figure in its zone; in round 1 this is its activation"),
    ask("figure", "figure", "", True),
    ask("to", "cell", "", True),
    phases=(DEPLOY, ROUND),
)
def deploy(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Deployment, or a waiting figure in round 1 (TAC-SET-7 to -12)."""
    state = ctx.state
    figure, cell = ctx.figure(args.need("figure")), ctx.cell(args)
    if figure.fate != "waiting":
        return no("TAC-SET-8", "{figure} does not wait for deployment", figure=figure.name)
    if figure.side != state.active:
        return no("TAC-SET-7", "{player} deploys first", player=ctx.player(state.active))
    if cell not in free_cells(state, figure):
        return no("TAC-SET-8", "{figure} cannot stand there", figure=figure.name)
    if state.phase == DEPLOY:
        kind = next_kind(state, figure.side)
        if kind and figure.kind != kind:
            return no("TAC-SET-9", "first the {kinds}", kinds=KIND_WORDS[kind])
        ctx.note(turn_events.deployed, figure, cell=cell_text(cell))
        return None
    return deploy_late(ctx, figure, cell)


def deploy_late(ctx: BattleContext, figure: FigureInPlay, cell: Cell) -> Refusal | None:
    """A waiting figure in round 1: an activation for 1 copper star without actions (TAC-SET-11)."""
    if ctx.state.round != 1 or ctx.state.activation is not None:
        return no("TAC-SET-11", "a waiting figure is placed in round 1 as an activation")
    if refusal := ctx.pay(figure.side, Coins(copper=1), say("activation")):
        return refusal
    ctx.note(turn_events.deployed, figure, cell=cell_text(cell))
    ctx.note(turn_events.activated, figure, ap=0)
    end_activation(ctx)
    return None


@command(
    "deployed",
    say("the deployment of a side is complete"),
    phases=(DEPLOY,),
)
def deployed(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """As many spaces of the zone as possible must be used (TAC-SET-10)."""
    side = ctx.state.active
    for figure in ctx.state.of(side):
        if figure.fate == "waiting" and free_cells(ctx.state, figure):
            return no("TAC-SET-10", "{figure} still fits into the zone", figure=figure.name)
    ctx.add(turn_events.deployment_done, side=side, player=ctx.player(side))
    return None


@command(
    "nemesis",
    say("name a nemesis of a figure"),
    ask("figure", "figure", "", True),
    ask("target", "figure", "", True),
    phases=(DEPLOY, START),
)
def nemesis(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """A hero or veteran of the opposing squad (TAC-GEN-12, TAC-STA-9)."""
    figure, target = ctx.figure(args.need("figure")), ctx.figure(args.need("target"))
    if target.side == figure.side or not target.card.is_character:
        return no("TAC-GEN-12", "a nemesis is an enemy hero or veteran")
    if target.id in figure.nemeses:
        return no("TAC-STA-9", "{figure} is its nemesis already", figure=target.name)
    ctx.note(fight_events.nemesis, figure, target=target.id, target_name=target.name)
    return None


@command("begin", say("all effects at the start of the battle are used: round 1"), phases=(START,))
def begin(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Round 1 (TAC-SET-14 is prompted before)."""
    if refusal := granted_refusal(ctx):
        return refusal
    ctx.add(turn_events.round_began, round=1, first=ctx.state.first)
    return None
