"""The state of a battle, and the registry of the event types that change it.

Titles of events name figures and sides by the names in the event, so that the log can be read
without the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from companion.games.shared.event_registry import EventRegistry
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAbility, CardAttack, FigureCard
from companion.games.tactics.cards.scenario import TacticsScenario
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.rules.battlefield import square_field
from companion.games.tactics.rules.movement import MoveOptions
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.readings import TacticsReadings
from models.board import Board, Cell, parse_cell
from models.board_table import BoardPiece, BoardTable
from models.frozen_records import IdentityCache, replace
from models.message import UnknownName, say

ROLL, CHOICE, AGENDAS, DEPLOY, START, ROUND, END, OVER = (
    "roll", "choice", "agendas", "deploy", "start", "round", "end", "over",
)  # fmt: skip
BEFORE = (ROLL, CHOICE, AGENDAS, DEPLOY, START)
AGENDAS_NAMED = {
    "A1": say("Heroes unharmed"),
    "A2": say("Spent out"),
    "A3": say("Hold the field"),
    "A4": say("Into their camp"),
    "A5": say("No leaders left"),
}
AGENDA_CARDS = tuple(AGENDAS_NAMED)


def agenda_name(card: str) -> str:
    """What an agenda is called; one that players noted in their own words by these."""
    return AGENDAS_NAMED.get(card, card)


ACTION_POINTS = 2
"""What an activated figure may spend (TAC-ACT-1, -5)."""
CHARGE_POINTS = 2
"""What a charge costs of them (TAC-CHG-1)."""
MOST_ACTIONS = 3
"""Action points and free actions of one activation together (TAC-ACT-4, TAC-OR-16)."""


@dataclass(frozen=True, slots=True)
class FigureInPlay:
    """A figure: its card, where it stands, its tokens, and what became of it."""

    id: str
    side: str
    name: str
    card: FigureCard
    """Soldiers of a type share one (TAC-CRD-1)."""
    foot: FigureCard | None = None
    """The card of its foot version while it is mounted."""
    cell: Cell | None = None
    fate: str = "waiting"
    """waiting, board, killed, captive."""
    wounds: int = 0
    """As many as its health kill it (TAC-STA-6)."""
    shaken: bool = False
    frozen: bool = False
    """It may be both, each once (TAC-STA-1)."""
    activated: bool = False
    equipment: str = ""
    """One piece at most (TAC-EQP-2)."""
    captor: str = ""
    """Who holds it captive (TAC-STA-8)."""
    was_captive: bool = False
    """Whether it was ever captured, even if it is free again (TAC-AGD-2)."""
    nemeses: tuple[str, ...] = ()

    @property
    def on_board(self) -> bool:
        return self.fate == "board"

    @property
    def health(self) -> int:
        return self.card.health or 1

    @property
    def left(self) -> int:
        """The wounds it can still take."""
        return max(0, self.health - self.wounds)

    @property
    def remains(self) -> int:
        """The health that it has or comes back with: none if killed, 1 as a captive (TAC-CAP-2)."""
        return 0 if self.fate == "killed" else self.left

    @property
    def kind(self) -> str:
        return self.card.kind


@dataclass(frozen=True, slots=True)
class SquadInPlay:
    """A player's squad: coins, with which all is paid (TAC-COI-1), now and at the start of each
    round (TAC-COI-2), points, zone and agendas."""

    id: str
    player: str
    faction: str
    stock: Coins
    coins: Coins
    vp: int = 0
    zone: str = ""
    dealt: tuple[str, ...] = ()
    agenda: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    """Agenda cards whose first part was used."""
    deck: tuple[str, ...] = AGENDA_CARDS
    letters: int = 0
    """Agendas drawn on paper for a secret letter that nobody has noted (TAC-LOT-4)."""
    deployed: bool = False
    roll: int = 0


@dataclass(frozen=True, slots=True)
class FigureActivation:
    """The activation of a figure, or one action granted to it."""

    figure: str
    ap: int
    spent: int = 0
    free: int = 0
    granted: bool = False
    opened: tuple[Cell, ...] = ()
    thaws: bool = False
    """Whether the figure began it frozen: the token goes after it (TAC-STA-4)."""
    only: str = ""
    """The one kind of action that is granted, such as the Move of an agenda card; "": any."""


@dataclass(frozen=True, slots=True)
class AttackInPlay:
    """An attack from its declaration to its end (TAC-ATK-5 to -16)."""

    attacker: str
    target: str
    attack: CardAttack
    dice: int
    modifier: int = 0
    charge: bool = False
    effects: tuple[str, ...] = ()
    dagger: bool = False
    charm: bool = False
    """Whether one die of the awaited roll is set to 10 (Lucky charm)."""
    powder: int = 0
    """How many dice of the awaited roll are set to 1 (Blinding powder)."""
    faces: tuple[int, ...] = ()
    tens: int = 0
    """The hits that natural 10s of the attack roll have added."""
    hits: int = 0
    defences: tuple[tuple[str, int, int], ...] = ()
    """Abilities of the defender that only the card tells: name, modifier, hits cancelled."""
    defence_modifier: int = 0
    cancels: int = 0
    defended: int = 0
    wounds: int = 0
    cells: tuple[Cell, ...] = ()
    """The spaces of the victim, for a surge."""
    killed: bool = False
    aftermaths: tuple[tuple[str, str], ...] = ()
    """The figures and abilities that were used after the rolls."""
    stage: str = "declared"
    """declared, rolled, chosen, defended, aftermath, fate, surge, done."""


class PlayTaskData(TypedDict, total=False):
    """What a task is about, besides its figure; spaces and figures by name, as in JSON."""

    alone: bool
    attack: str
    away: bool
    cause: str
    cell: str
    cells: Sequence[str]
    dagger: bool
    dice: int
    edge: Sequence[str]
    effects: Sequence[str]
    faces: Sequence[int]
    fixed: int | None
    hits: int
    items: Sequence[str]
    paid: bool
    path: Sequence[str]
    player: str
    roll: str
    spaces: int
    target: str
    used: Sequence[str]
    values: Sequence[int]
    ways: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class PlayTask:
    """Something that the game waits for before it goes on: a roll or a decision."""

    kind: str
    side: str
    figure: str = ""
    data: PlayTaskData = field(default_factory=PlayTaskData)


@dataclass(frozen=True, slots=True)
class SkirmishState:
    """A whole battle; frozen, and folded from its events."""

    scenario: TacticsScenario
    board: Board
    squads: tuple[SquadInPlay, ...]
    figures: tuple[FigureInPlay, ...]
    readings: TacticsReadings
    seed: int
    rolls: int = 0
    phase: str = ROLL
    round: int = 0
    turn: int = 0
    first: str = ""
    """The holder of the start marker."""
    active: str = ""
    chooser: str = ""
    may_pass: bool = True
    activation: FigureActivation | None = None
    granted: FigureActivation | None = None
    attack: AttackInPlay | None = None
    tasks: tuple[PlayTask, ...] = ()
    kills: tuple[tuple[str, str], ...] = ()
    """Who killed which kind of figure since the last activation began: triggers of motivations."""
    answered: tuple[tuple[str, str], ...] = ()
    """The motivations paid for, or let pass, for these kills: the figure and the name."""
    paper: bool = False
    """Whether agendas and objective cards lie on paper in front of the players."""
    laid: bool = False
    """Whether the players have said that theirs lie there."""
    objective_cards: tuple[tuple[Cell, str], ...] = ()
    points: tuple[tuple[str, int, str], ...] = ()
    """Why points were scored: side, points, reason."""
    winner: str = ""
    how: str = ""
    guided: bool = False
    """Whether the first activations say what to tap."""

    # -- squads and figures ---------------------------------------------------------------------

    def squad(self, side: str) -> SquadInPlay:
        for one in self.squads:
            if one.id == side:
                return one
        known = ", ".join(one.id for one in self.squads)
        raise UnknownName(say("no side {side!r}; there are: {known}", side=side, known=known))

    def other(self, side: str) -> str:
        return next(one.id for one in self.squads if one.id != side)

    def figure(self, figure_id: str) -> FigureInPlay:
        for one in self.figures:
            if one.id == figure_id:
                return one
        known = ", ".join(one.id for one in self.figures)
        raise UnknownName(
            say("no figure {figure!r}; there are: {known}", figure=figure_id, known=known)
        )

    def of(self, side: str) -> tuple[FigureInPlay, ...]:
        return tuple(one for one in self.figures if one.side == side)

    def with_figure(self, figure: FigureInPlay) -> SkirmishState:
        return replace(
            self, figures=tuple(figure if one.id == figure.id else one for one in self.figures)
        )

    def with_squad(self, squad: SquadInPlay) -> SkirmishState:
        return replace(
            self, squads=tuple(squad if one.id == squad.id else one for one in self.squads)
        )

    def activatable(self, side: str) -> tuple[FigureInPlay, ...]:
        """The figures that could still be activated this round (TAC-RND-8, TAC-OR-28)."""
        waiting = self.round == 1 and self.readings.waiting_figures == "counted"
        fates = ("board", "waiting") if waiting else ("board",)
        return tuple(one for one in self.of(side) if one.fate in fates and not one.activated)

    @property
    def counts_paper(self) -> bool:
        """Whether agendas on paper are to be counted before the battle ends (TAC-END-6)."""
        return self.paper and self.phase == END and self.round >= self.scenario.rounds

    @property
    def lays_paper(self) -> bool:
        """Whether the players are to lay their paper cards before they deploy (TAC-SET-5, -6)."""
        placed = any(one.on_board for one in self.figures)
        return self.paper and self.phase == DEPLOY and not self.laid and not placed

    def used_for_wounds(self, figure_id: str) -> tuple[str, ...]:
        """The wound abilities that it has used for the wounds that are asked about now."""
        task = self.tasks[0] if self.tasks else None
        if task is None or (task.kind, task.figure) != ("wounded", figure_id):
            return ()
        return tuple(task.data.get("used", ()))

    def wound_abilities(self, figure_id: str) -> list[CardAbility]:
        """What a figure may use when it suffers wounds, as far as its coins go, each once for the
        same wounds (TAC-ABL-2, -7)."""
        figure = self.figure(figure_id)
        purse = self.squad(figure.side).coins
        own = figure.card.abilities if figure.on_board else ()
        used = self.used_for_wounds(figure_id)
        return [
            one
            for one in own
            if one.kind == "wound" and one.name not in used and purse.covers(one.price)
        ]

    def open_kills(self, figure: str, kind: str, name: str) -> int:
        """For how many kills of a kind a figure may still pay for that motivation."""
        mine = self.figure(figure)
        friends = {one.id for one in self.of(mine.side)} - {figure}
        by = friends if mine.fate == "killed" else {figure}  # the dead side (TAC-MOT-5)
        met = sum(killer in by and victim == kind for killer, victim in self.kills)
        return met - self.answered.count((figure, name))

    def captives(self, side: str) -> int:
        """The captives that a side holds (TAC-CAP-9)."""
        return sum(one.fate == "captive" and one.side != side for one in self.figures)

    @property
    def acting(self) -> FigureActivation | None:
        """The figure that may act now: one with a granted action comes first (TAC-ABL-20)."""
        return self.granted or self.activation

    def is_active(self, figure: str) -> bool:
        """Whether it is its own activation, and not only an action that it was granted."""
        return self.activation is not None and self.activation.figure == figure

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(one.id for one in self.squads)


# -- the board ------------------------------------------------------------------------------------


def board_figure(figure: FigureInPlay) -> BoardFigure:
    """A figure on the board as the rules see it."""
    assert figure.cell is not None
    card, item = figure.card, EQUIPMENT.get(figure.equipment)
    return BoardFigure(
        figure.id,
        figure.side,
        figure.name,
        figure.cell,
        card.size,
        card.reach_spaces + (item.spaces if item else 0),
        card.attacks,
        card.kind,
        card.will,
        card.defence,
        card.health,
        figure.wounds,
        figure.equipment,
        figure.shaken,
        ridden=figure.foot is not None,
    )


def own_move(state: SkirmishState) -> MoveOptions:
    """The Moves of the acting figure, through ground that is open for it alone (TAC-TER-14)."""
    return MoveOptions(opened=frozenset(state.acting.opened if state.acting else ()))


def _battle_position(state: SkirmishState) -> BattlePosition:
    """The figures on the board."""
    figures = tuple(board_figure(one) for one in state.figures if one.on_board)
    return BattlePosition(square_field(state.board, state.readings), figures)


battle_position = IdentityCache(_battle_position, 16)


def current_table(state: SkirmishState) -> BoardTable:
    """The table as a file would hold it."""
    pieces = tuple(
        BoardPiece(
            one.id,
            one.side,
            one.name,
            "",
            one.cell,
            one.card.size,
            None,
            piece_facts(one, state.activation),
        )
        for one in state.figures
        if one.on_board
    )
    return BoardTable("tactics", state.board, pieces)


def piece_facts(figure: FigureInPlay, now: FigureActivation | None = None) -> dict[str, Any]:
    """The facts of a figure beside its place, as a table file names them.

    A token that the acting figure gets `now` takes none of the points it still has (TAC-STA-3).
    """
    card = figure.card
    facts: dict[str, Any] = {"kind": card.kind, "wounds": figure.wounds}
    facts |= {
        key: value
        for key in ("will", "defence", "health")
        if (value := getattr(card, key)) is not None
    }
    facts["spaces"] = card.reach_spaces
    facts["attacks"] = [one.to_json() for one in card.attacks]
    if figure.equipment:
        facts["equipment"] = figure.equipment
    for key in ("shaken", "frozen", "activated"):
        if getattr(figure, key):
            facts[key] = True
    if now is not None and now.figure == figure.id and not now.thaws:
        facts.pop("frozen", None)
    return facts


__all__ = ["EVENTS", "SILENT", "counted_kill", "kind", "unshaken"]

EVENTS = EventRegistry[SkirmishState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""


def unshaken(state: SkirmishState, figure_id: str, shaken: bool) -> SkirmishState:
    """The shaken token goes with the roll (TAC-STA-2)."""
    if not shaken:
        return state
    return state.with_figure(replace(state.figure(figure_id), shaken=False))


def counted_kill(
    state: SkirmishState, victim: FigureInPlay, killer: str, cells: Sequence[str] = ()
) -> SkirmishState:
    """The attack may surge onto the victim's spaces, and its killer has one kill more."""
    spaces = tuple(parse_cell(cell) for cell in cells)
    if state.attack is not None and state.attack.target == victim.id:
        state = replace(state, attack=replace(state.attack, killed=True, cells=spaces))
    if killer:
        state = replace(state, kills=(*state.kills, (killer, victim.kind)))
    return state
