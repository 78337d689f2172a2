"""Commands with terrain, doors, loot and objectives (TAC-TER, TAC-LOT, TAC-OBJ, TAC-CHG-9)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.play.context import (
    BattleContext,
    CommandFields,
    action,
    answer,
    command,
    note_words,
)
from companion.games.tactics.play.defence import await_will_test, take_will_test
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.state import (
    BEFORE,
    END,
    ROUND,
    FigureInPlay,
    PlayTask,
    battle_position,
)
from companion.games.tactics.rules.contact import reaches_element
from companion.games.tactics.rules.movement import MoveOptions, MoveTarget, move_ends
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.space_effects import (
    LEAF_PILE,
    LOOT_MARKS,
    LOOT_POINTS,
    STAKE_PIT,
    controlled,
    pit_hits,
    reaches_loot,
)
from models.board import Border, Cell, Edge, cell_text, edge, parse_cell
from models.message import say

MOST_CARD_POINTS = 20
"""More points no objective card brings."""


def edge_of(ctx: BattleContext, args: CommandFields) -> Edge:
    """The edge between two spaces that a command names."""
    one, two = (parse_cell(item.text(20)) for item in args.field("edge").items(2, 2))
    return edge(one, two)


def beside_edge(figure_cells: tuple[Cell, ...], border: Edge) -> bool:
    """Whether a figure may use a door: from every space adjacent to it (TAC-TER-9).

    Adjacent are the two spaces it lies between and those beside them along the wall.
    """
    (c1, r1), (c2, r2) = border
    along = (0, 1) if r1 == r2 else (1, 0)
    near = {
        (c + along[0] * step, r + along[1] * step)
        for c, r in ((c1, r1), (c2, r2))
        for step in (-1, 0, 1)
    }
    return any(cell in near for cell in figure_cells)


def border_at(ctx: BattleContext, where: Edge) -> Border | None:
    return next((one for one in ctx.state.board.borders if one.edge == where), None)


@action(
    "door",
    say("open, close or break a door"),
    ask("edge", "list", say("the two spaces it lies between"), True),
    ask("do_what", "word", "", True, ("open", "close", "break")),
)
def door(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`OPEN 1`, `CLOSE 1`, or 2 action points to break a locked door (TAC-TER-9 to -12)."""
    where = edge_of(ctx, args)
    what = args.choice("do_what", ("open", "close", "break"))
    border = border_at(ctx, where)
    if border is None or border.kind == "wall":
        return no("TAC-TER-9", "there is no door")
    if not beside_edge(ctx.position.by_id[figure.id].cells, where):
        return no("TAC-TER-9", "{figure} is not next to it", figure=figure.name)
    if what == "break":
        if border.kind != "locked-door" or border.open:
            return no("TAC-TER-10", "only a locked door is broken")
    elif border.kind == "locked-door":
        return no("TAC-TER-10", "the door is locked: break it")
    elif bool(border.open) == (what == "open"):
        return no("TAC-TER-11", "the door is like that already")
    elif across := next((x for x in ctx.position.figures if {*where} <= {*x.cells}), None):
        return no("TAC-TER-8", "{figure} stands in the doorway", figure=across.name)
    if refusal := ctx.spend(2 if what == "break" else 1):
        return refusal
    edge = [cell_text(cell) for cell in where]
    broken = what == "break"
    ctx.add(board_events.door, edge_=edge, open=what != "close", name=figure.name, broken=broken)
    if broken:
        offer_step(ctx, figure, where)
    return None


def offer_step(ctx: BattleContext, figure: FigureInPlay, where: Edge) -> None:
    """One step, by default through the opening (TAC-TER-10, TAC-CHG-14, TAC-OR-34)."""
    position = battle_position(ctx.state)
    mine = position.by_id[figure.id]
    anywhere = ctx.state.readings.door_step == "any"
    ends = [
        cell
        for cell in single_steps(position, figure)
        if cell != figure.cell and (anywhere or any(one in mine.cells_at(cell) for one in where))
    ]
    if ends:
        cells = [cell_text(cell) for cell in sorted(ends)]
        ctx.wait_for("door-step", figure.side, figure.id, cells=cells)


def single_steps(position: BattlePosition, figure: FigureInPlay) -> dict[Cell, MoveTarget]:
    """The spaces one step away."""
    return move_ends(position, position.by_id[figure.id], MoveOptions(1, forced=True))


def far_from(cells: tuple[Cell, ...], spaces: tuple[Cell, ...]) -> int:
    """The spaces between a figure and terrain."""
    return min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in cells for b in spaces)


LOOT_KINDS = ("purse", "letter")


@action(
    "loot",
    say("take a loot token in contact"),
    ask("cell", "cell", "", True),
    ask(
        "kind",
        "word",
        say("purse or letter, where the marker was hidden"),
        False,
        LOOT_KINDS,
    ),
    ask("card", "word", say("the agenda drawn; the companion draws if left out")),
)
def loot(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`INTERACTION 1`: a purse or a secret letter (TAC-LOT-1 to -5)."""
    cell, position = ctx.cell(args, "cell"), ctx.position
    marks = [word for word in ctx.state.board.marks.get(cell, ()) if word in LOOT_MARKS]
    if not marks:
        return no("TAC-LOT-2", "no loot lies there")
    if not reaches_loot(position, position.by_id[figure.id], cell):
        return no("TAC-LOT-2", "{figure} is not in contact with it", figure=figure.name)
    if refusal := ctx.spend(1):
        return refusal
    hidden = marks[0] == "loot"
    if hidden and not args.has("kind"):  # whoever turns it over says what it is
        ctx.wait_for("loot", figure.side, figure.id, cell=cell_text(cell))
        return None
    kind = args.choice("kind", LOOT_KINDS) if hidden else marks[0]
    return take_loot(ctx, args, figure, cell_text(cell), kind, marks[0])


@answer(
    "turned",
    say("what the loot token shows on its other side"),
    ask("kind", "word", "", True, LOOT_KINDS),
    ask("card", "word", say("the agenda drawn; the companion draws if left out")),
    to=("loot",),
    refused=no("TAC-LOT-1", "no loot token was taken"),
)
def turned(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """A hidden loot token is a purse or a secret letter (TAC-LOT-1)."""
    kind = args.choice("kind", LOOT_KINDS)
    ctx.add(board_events.task_done)
    return take_loot(ctx, args, ctx.figure(task.figure), task.data["cell"], kind, "loot")


def take_loot(
    ctx: BattleContext, args: CommandFields, figure: FigureInPlay, cell: str, kind: str, old: str
) -> Refusal | None:
    """The token goes, its player scores and takes a coin or an agenda (TAC-LOT-3 to -6)."""
    squad = ctx.state.squad(figure.side)
    card = ""
    if kind == "letter" and squad.deck:
        card = args.text("card") or ctx.shuffled(squad.deck)[0]
        if card not in squad.deck:
            return no("TAC-LOT-4", "{card} is not among the remaining agendas", card=card)
    ctx.note(board_events.loot_taken, figure, cell=cell, kind=kind, old=old, card=card)
    if kind == "letter" and ctx.state.paper and not card:  # TAC-LOT-4
        ctx.remind(say("{player} draws an agenda card.", player=squad.player))
    elif kind == "letter" and not card:
        ctx.remind(say("No agenda card is left to draw."))
    ctx.score(figure.side, LOOT_POINTS, say("loot"))
    if kind == "purse":  # TAC-LOT-3, TAC-OR-3
        coin = next(one for one in COIN_KINDS if one == ctx.state.readings.purse)
        gain = Coins.of_kind(coin, 1)
        ctx.change_coins(figure.side, gain, say("purse"))
        ctx.remind(
            say("{player} takes {coins} from the purse.", player=squad.player, coins=gain.say())
        )
    ctx.remind(say("abilities and motivations may raise the points of loot"))  # TAC-LOT-6
    return None


@answer(
    "leaf",
    say("what lies under the leaf pile"),
    ask("pit", "flag", say("a stake pit"), True),
    refused=no("TAC-TER-15", "no leaf pile was entered"),
)
def leaf(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The marker is flipped; a stake pit wounds (TAC-TER-15, TAC-OR-29)."""
    figure, pit = ctx.figure(task.figure), args.flag("pit")
    ctx.add(board_events.task_done)
    ctx.add(board_events.mark, cell=task.data["cell"], old=LEAF_PILE, mark=STAKE_PIT if pit else "")
    later = ctx.state.tasks
    if pit:
        ctx.suffer(figure, 1)
        if ctx.state.readings.leaf_pile == "wound-and-hit":
            ctx.wait_for("hazard-roll", figure.side, figure.id, hits=pit_hits(figure.card.size))
    ctx.postpone(later)
    return None


@action(
    "heap",
    say("a Will test to climb a large heap of corpses"),
    ask("cells", "list", say("the BLOCKED spaces of the heap"), True),
    ask("faces", "list", say("the die; the companion rolls if left out")),
    ask("asked", "flag", say("its player is asked for the die")),
)
def heap(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`SO MANY DEAD 0` (TAC-TER-14)."""
    position = ctx.position
    cells = tuple(parse_cell(item.text(20)) for item in args.field("cells").items(16, 1))
    if any(cell in position.field.open or cell not in ctx.state.board for cell in cells):
        return no("TAC-TER-14", "a heap is made of BLOCKED spaces")
    if far_from(position.by_id[figure.id].cells, cells) > 1:
        return no("TAC-ACT-8", "{figure} is not in contact with it", figure=figure.name)
    if ctx.state.granted is not None:
        return no("TAC-TER-14", "only in its own activation")
    if refusal := ctx.spend(0, free=True):
        return refusal
    opened = [cell_text(cell) for cell in cells]
    if args.flag("asked"):
        await_will_test(ctx, figure, opened)
        return None
    passed = take_will_test(ctx, args, figure)
    if isinstance(passed, Refusal):
        return passed
    if passed:
        ctx.note(turn_events.ground_opened, figure, cells=opened)
    return None


@action(
    "interact",
    say("interact with an element in contact, as its sheet says"),
    ask("cell", "cell", "", True),
    ask("ap", "number", say("its action points; 1 if left out")),
    ask("name", "text", say("what it is")),
)
def interact(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """An interaction needs contact with the element (TAC-ACT-8)."""
    cell, position = ctx.cell(args, "cell"), ctx.position
    if not reaches_element(position, position.by_id[figure.id], cell):
        return no("TAC-ACT-8", "{figure} is not in contact with it", figure=figure.name)
    ap = args.whole("ap", 0, 2, 1)
    if refusal := ctx.spend(ap, free=ap == 0):
        return refusal
    ctx.note(fight_events.ability_used, figure, ability=args.text("name") or say("interaction"))
    ctx.remind(note_words(figure.name))
    return None


@action(
    "objective",
    say("the action printed on the card of a controlled objective"),
    ask("ap", "number", say("its action points; 1 if left out")),
)
def objective(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """Only the figure that controls the objective, in its activation (TAC-OBJ-5)."""
    position = ctx.position
    held = controlled(position, position.by_id[figure.id])
    if not held:
        return no("TAC-OBJ-5", "{figure} controls no objective", figure=figure.name)
    ap = args.whole("ap", 0, 2, 1)
    if refusal := ctx.spend(ap, free=ap == 0):
        return refusal
    cards = dict(ctx.state.objective_cards)
    ctx.note(fight_events.ability_used, figure, ability=cards.get(held[0], say("objective")))
    ctx.wait_for("objective-done", figure.side, figure.id, cell=cell_text(held[0]))
    return None


@answer(
    "objective-done",
    say("what the action of an objective brought"),
    ask("points", "number", say("victory points; none if left out")),
    ask("text", "text", say("what its card says, in the players’ own words")),
    refused=no("TAC-OBJ-5", "no objective was used"),
)
def objective_done(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Only its card tells what the action does (TAC-OBJ-5)."""
    cell, told = parse_cell(task.data["cell"]), args.text("text").strip()
    points = args.whole("points", 0, MOST_CARD_POINTS, 0)
    card = dict(ctx.state.objective_cards).get(cell, "")
    named = told or card or say("objective")
    nothing = say("{card}: nothing to count", card=named) if not points else ""
    ctx.add(board_events.task_done, **({"said": nothing} if nothing else {}))
    if told and told != card:
        ctx.add(turn_events.objective_noted, cell=task.data["cell"], place=ctx.place(cell),
                card=told)  # fmt: skip
    ctx.score(task.side, points, named)
    return None


@command(
    "terrain",
    say("put down, move or remove a terrain piece"),
    ask("cell", "cell", "", True),
    ask("ground", "word", "", True, ("open-o", "open-x", "blocked-x", "blocked-o")),
    phases=(*BEFORE, ROUND, END),
)
def terrain(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Terrain goes onto OPEN spaces only (TAC-TER-1)."""
    cell, position = ctx.cell(args, "cell"), ctx.position
    ground = args.choice("ground", ("open-o", "open-x", "blocked-x", "blocked-o"))
    if not ground.startswith("open-o"):
        if cell not in position.field.open:
            return no("TAC-TER-1", "terrain goes onto OPEN spaces only")
        if cell in position.occupied and ground.startswith("blocked"):
            return no("TAC-TER-1", "a figure stands there")
    ctx.add(board_events.ground, cell=cell_text(cell), ground=ground)
    return None
