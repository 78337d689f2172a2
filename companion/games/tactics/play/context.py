"""The context of a running command of a battle, with all command and event types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Concatenate, Literal, ParamSpec, TypeVar, Unpack, get_args

from companion.games.api.play import Event, FieldSpec, Refusal, RolledDice
from companion.games.shared.commands import CommandArgs, CommandRegistry, StepContext, ask, no
from companion.games.shared.event_registry import EventKind
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.state import (
    END,
    EVENTS,
    MOST_ACTIONS,
    ROUND,
    START,
    FigureInPlay,
    PlayTask,
    PlayTaskData,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from models.board import Cell, parse_cell
from models.field import Field
from models.message import CompanionError, joined, say

__all__ = ["EVENTS", "dice"]

P = ParamSpec("P")

AGENDA_POINTS = 2
"""What a fulfilled agenda brings (TAC-AGD-2 to -4, -6, -8)."""

DICE_WORDS = {
    "roll-off": say("roll for choice"),
    "attack-rolled": say("attack roll"),
    "defence-rolled": say("defence roll"),
    "will-tested": say("Will test"),
    "terrain-rolled": say("terrain charge"),
    "hazard-rolled": say("defence roll"),
}

FieldName = Literal[
    "ability", "agenda", "ap", "asked", "attack", "cancels", "card", "cell", "cells", "charm",
    "choose", "copper", "dagger", "dice", "do_what", "edge", "effects", "face", "faces", "figure",
    "flanks", "from", "gold", "ground", "hits", "item", "keep", "kind", "modifier", "name", "needs",
    "on", "path", "pit", "points", "poison", "powder", "scenario", "side", "silver", "spaces",
    "target", "tens", "text", "to", "total", "way", "why", "wounds", "zone",
]  # fmt: skip
"""The fields that commands have."""
CommandFields = CommandArgs[FieldName]


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event, all with ten faces (TAC-DIE-1)."""
    if event.type == "roll-off":
        return tuple(
            RolledDice(side, DICE_WORDS["roll-off"], (face,), 10, told=True)
            for side, face in event.data["dice"]
        )
    faces = event.data.get("faces")
    if not faces:
        return ()
    what = DICE_WORDS.get(event.type, event.type)
    return (RolledDice(event.data.get("side"), what, tuple(faces), 10),)


SIDES_OF_DIE = 10


def note_words(figure: str) -> str:
    """Where players note what a card does that only they can read (TAC-ABL-20, TAC-OBJ-5)."""
    return say(
        "Note what it does: wounds, tokens and Will tests on the page of {figure}, coins and"
        " points on theirs",
        figure=figure,
    )


class BattleContext(StepContext[SkirmishState]):
    """Collects the events of one command."""

    def __init__(self, state: SkirmishState) -> None:
        super().__init__(state, EVENTS)

    def figure(self, figure_id: str) -> FigureInPlay:
        return self.state.figure(figure_id)

    def player(self, side: str) -> str:
        return self.state.squad(side).player

    @property
    def position(self) -> BattlePosition:
        return battle_position(self.state)

    def note(
        self,
        kind: EventKind[SkirmishState, Concatenate[str, str, str, P]],
        figure: FigureInPlay,
        /,
        *args: P.args,
        **fields: P.kwargs,
    ) -> None:
        """Add an event about a figure: its id, name and side are added."""
        self.add(kind, figure.id, figure.name, figure.side, *args, **fields)

    def score(self, side: str, points: int, why: str) -> None:
        """Score victory points at once (TAC-MOT-6)."""
        if points:
            self.add(
                board_events.scored, side=side, player=self.player(side), points=points, why=why
            )

    def place(self, cell: Cell, without: str = "") -> str:
        """What players call a space; `without` is the figure that comes or goes."""
        return place(battle_position(self.state), cell, without)

    def wait_for(
        self, kind: str, side: str, figure: str = "", said: str = "", **data: Unpack[PlayTaskData]
    ) -> None:
        """Wait for a roll or a decision before the game goes on; `said` tells what began it."""
        self.add(
            board_events.task,
            kind=kind,
            side=side,
            figure=figure,
            data=[[k, v] for k, v in data.items()],
            said=said,
        )

    def postpone(self, later: Iterable[PlayTask]) -> None:
        """What waited already comes after what was begun meanwhile: the attack of a charge after
        all that its way does."""
        for one in later:
            self.add(board_events.task_done)
            self.wait_for(one.kind, one.side, one.figure, **one.data)

    def suffer(self, figure: FigureInPlay, wounds: int) -> None:
        """Wounds; before they kill, its player may use a wound ability (TAC-STA-6, TAC-ABL-7)."""
        self.note(fight_events.wounded, figure, wounds=wounds)
        if self.state.wound_abilities(figure.id):
            self.wait_for("wounded", figure.side, figure.id)

    def change_coins(self, side: str, change: Coins, why: str) -> None:
        """Pay or gain coins (TAC-COI-3)."""
        if change:
            paid = Coins(-change.gold, -change.silver, -change.copper)
            words = change.say() if min(change.to_json()) >= 0 else paid.say()
            self.add(
                turn_events.coins,
                side=side,
                player=self.player(side),
                change=change.to_json(),
                say_=words,
                why=why,
            )

    def pay(self, side: str, price: Coins, why: str) -> Refusal | None:
        """Pay coins, or say which are missing (TAC-COI-8)."""
        if not price:
            return None
        squad = self.state.squad(side)
        if not squad.coins.covers(price):
            return no(
                "TAC-COI-8",
                "{player} has {coins}, it costs {price}",
                player=squad.player,
                coins=squad.coins.say(),
                price=price.say(),
            )
        self.change_coins(side, Coins() - price, why)
        self.last_coin(side)
        return None

    def last_coin(self, side: str) -> None:
        """Agenda A2: the first to spend the last coin of its kind scores at once (TAC-AGD-3)."""
        kind = self.state.readings.last_coin
        squad, foe = self.state.squad(side), self.state.squad(self.state.other(side))
        empty = getattr(squad.coins, kind) == 0 and getattr(squad.stock, kind) > 0
        held = "A2" in squad.agenda and "A2" not in squad.used
        if empty and held and getattr(foe.coins, kind) > 0:
            player = squad.player
            self.add(fight_events.ability_used, "", player, side, ability="A2", agenda="A2")
            self.score(side, AGENDA_POINTS, "A2")

    def rolled(self, args: CommandFields, count: int) -> Sequence[int] | Refusal:
        """The faces the players rolled, or the companion's; one for each die."""
        faces = args.faces(highest=SIDES_OF_DIE)
        if faces is None:
            return self.dice(count, SIDES_OF_DIE)
        if len(faces) != count:
            return no("INPUT", "{given} dice given, {count} rolled", given=len(faces), count=count)
        return faces

    def spend(self, ap: int, free: bool = False) -> Refusal | None:
        """Pay an action: action points, or the free action of the activation (TAC-ABL-12, -13,
        TAC-GEN-14)."""
        now = self.state.acting
        assert now is not None
        if free and not self.state.is_active(now.figure):
            return no("TAC-ABL-20", "a granted action is one action, without a free one")
        if free and now.free:
            free, ap = False, max(1, ap)  # a further free action costs 1 (TAC-ABL-13)
        if ap > now.ap:
            return no(
                "TAC-ACT-1",
                "not enough action points: {left} of {cost}",
                left=now.ap,
                cost=ap,
            )
        together = self.state.readings.free_actions == "three-in-all"  # TAC-OR-16
        paid, given = now.spent + ap, now.free + int(free)
        if (together and paid + given > MOST_ACTIONS) or paid > MOST_ACTIONS or given > 1:
            return no("TAC-ACT-4", "no more than 3 actions in one activation")
        self.add(turn_events.acted, ap=ap, free=free)
        return None

    def cell(self, args: CommandFields, key: FieldName = "to") -> Cell:
        """A space of the board that a command names."""
        field = args.field(key)
        try:
            cell = parse_cell(field.text(20))
        except CompanionError as error:
            field.fail(str(error))
        if cell not in self.state.board:
            Field(field.raw, field.source, field.place).fail(f"{field.raw!r} is not on the board")
        return cell

    def on_board(self, figure_id: str) -> BoardFigure | Refusal:
        """A figure as the rules see it, if it stands on the board."""
        figure = self.figure(figure_id)
        if not figure.on_board:
            return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)
        return self.position.by_id[figure_id]


WITH_EFFECTS = (START, ROUND, END)
"""The phases in which cards take effect: what these begin can be answered there (TAC-END-1)."""
REGISTRY = CommandRegistry[BattleContext]((ROUND,), get_args(FieldName), WITH_EFFECTS)
command = REGISTRY.command
Verb = TypeVar("Verb", bound=Callable[..., Refusal | None])


def acting_figure(state: SkirmishState, args: CommandFields) -> FigureInPlay | Refusal:
    """The figure that may act now; a figure that the command names must be that one."""
    if state.acting is None:
        return no("TAC-RND-2", "no figure is activated")
    figure = state.figure(state.acting.figure)
    if args.has("figure") and args.need("figure") != figure.id:
        return no("TAC-RND-2", "{figure} is activated", figure=figure.name)
    return standing(figure)


def named_figure(state: SkirmishState, args: CommandFields) -> FigureInPlay | Refusal:
    """The figure that the command names, if it stands on the board."""
    return standing(state.figure(args.need("figure")))


def standing(figure: FigureInPlay) -> FigureInPlay | Refusal:
    """The figure, or the refusal because it is not on the board."""
    if figure.on_board:
        return figure
    return no("TAC-GEN-6", "{figure} is not on the board", figure=figure.name)


def action(name: str, what: str, *fields: FieldSpec) -> Callable[[Verb], Verb]:
    """A command of the acting figure, which it may name; the function gets the figure.

    Outside a round a figure acts if a card lets it (TAC-SET-14, TAC-END-1).
    """

    def acting(state: SkirmishState, args: CommandFields) -> FigureInPlay | Refusal:
        return only_refusal(state, name) or acting_figure(state, args)

    figure = ask("figure", "figure")
    return command(name, what, figure, *fields, phases=WITH_EFFECTS, of=acting)


def answer(
    name: str, what: str, *fields: FieldSpec, to: tuple[str, ...] = (), refused: Refusal
) -> Callable[[Verb], Verb]:
    """A command that answers a task of these kinds, else of its own name; `refused` while none of
    them waits. The function gets the task."""

    def awaited(state: SkirmishState, args: CommandFields) -> PlayTask | Refusal:
        task = state.tasks[0] if state.tasks else None
        return task if task is not None and task.kind in (to or (name,)) else refused

    return command(name, what, *fields, busy=True, of=awaited)


def only_refusal(state: SkirmishState, name: str) -> Refusal | None:
    """Why an action is not the one that was granted (TAC-ABL-20, TAC-AGD-5, -7)."""
    only = state.granted.only if state.granted is not None else ""
    if only in ("", name):
        return None
    if only == "move":
        return no("TAC-AGD-5", "only the Move of the agenda card, or nothing")
    return no("TAC-AGD-7", "only the attack of the agenda card, or nothing")


def granted_refusal(ctx: BattleContext) -> Refusal | None:
    """A granted action is taken at once or given up (TAC-ABL-20)."""
    if ctx.state.granted is None:
        return None
    return no("TAC-ABL-20", "another granted action comes first")


def on_figure(
    name: str,
    what: str,
    *fields: FieldSpec,
    phases: tuple[str, ...] | None = None,
    busy: bool = False,
) -> Callable[[Verb], Verb]:
    """A command about a figure on the board, which it names; the function gets the figure."""
    figure = ask("figure", "figure", "", True)
    return command(name, what, figure, *fields, phases=phases, busy=busy, of=named_figure)


def where_to(ctx: BattleContext, figure: str, ends: Iterable[Cell]) -> str:
    """The question in which of several spaces a move ends."""
    places = joined((ctx.place(cell, figure) for cell in sorted(ends)), "; ")
    return say("where to? {places}", places=places)
