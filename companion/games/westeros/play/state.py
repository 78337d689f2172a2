"""The state of a battle, its battlefield as the rules see it, and the registry of its event types.

Titles of events name units and players by the names in the event, so that the log can be read
without the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from companion.games.shared.event_registry import Data, EventRegistry
from companion.games.westeros.cards.battle_plan import BattlePlan
from companion.games.westeros.cards.command_card import CommandCard
from companion.games.westeros.cards.skirmish import SkirmishRules
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import BoardUnit, HexPosition, unit_facts
from companion.games.westeros.rules.readings import WesterosReadings
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable
from models.frozen_records import IdentityCache, replace
from models.message import UnknownName, say

CHOOSE, DRAW, OVERLAYS, PLACE, REACTIVATION, ORGANISE, COMMAND, REGROUP, OVER = (
    "choose", "draw", "overlays", "place", "reactivation", "organisation", "command",
    "regroup", "over",
)  # fmt: skip
PHASE_WORDS = {
    "choose": say("Commanders"),
    "draw": say("Set-up cards"),
    "overlays": say("Overlays"),
    "place": say("Placing"),
    "reactivation": say("Reactivation phase"),
    "organisation": say("Organisation phase"),
    "command": say("Command phase"),
    "regroup": say("Regroup phase"),
    "over": say("The battle is over"),
}
NOBODY = "nobody"
"""In place of the house that holds a site, or of a unit."""
OVERLAY_HEX = "overlay-hex"
"""A house has chosen the overlay that it places, and not yet its hex."""
REGROUP_STEPS = ("status", "points", "victory", "discard", "rebuild", "advance")
"""Steps A to F of the Regroup phase (BOW-RND-15)."""
FIELD, WAITING, ELIMINATED, CAPTURED, GONE = (
    "field", "waiting", "eliminated", "captured", "gone",
)  # fmt: skip
COLOURS = ("white", "black")
"""The round colours: round 1 is white, then they alternate (BOW-CMP-4)."""


@dataclass(frozen=True, slots=True)
class UnitInBattle:
    """A unit: its card, where it stands, its figures, and whether its banner shows it active."""

    id: str
    side: str
    name: str
    card: UnitReference
    rank: str
    cell: Cell | None
    figures: int
    commander: CommanderCard | None = None
    fate: str = FIELD
    active: bool = True
    tokens: int = 0
    """Command tokens on its commander's card (BOW-CRD-2)."""
    committed: bool = False
    """Whether the commander's special ability has been used (BOW-CDR-6)."""

    @property
    def on_field(self) -> bool:
        return self.fate == FIELD

    @property
    def damage(self) -> int:
        """All hits it has taken (BOW-UNT-15)."""
        return self.card.strength - self.figures


@dataclass(frozen=True, slots=True)
class HouseInBattle:
    """A house: its order pool, command tokens and cards by number, and its points."""

    side: str
    player: str
    edge: str
    orders: int
    draws: int
    rout: bool
    tokens: int
    """Command tokens on the command board."""
    deck: int
    hand: int = 0
    discards: int = 0
    pool: tuple[str, ...] = ()
    vp: int = 0
    organised: bool = False
    passed: bool = False
    regrouped: bool = False
    chosen: tuple[str, ...] | None = None
    """The commanders chosen for a skirmish, secret until both have chosen (BOW-SKM-4)."""
    overlays: tuple[str, ...] = ()
    """Overlays that it still places (BOW-SKM-8)."""
    unit_cards: tuple[str, ...] | None = None
    """The set-up cards that it has drawn for units, and for terrain (BOW-SKM-7, BOW-SKM-8)."""
    terrain_cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EngagementMarker:
    """A marker on the edge between two units, with the crest of a house (BOW-ENG-1)."""

    one: str
    two: str
    house: str

    def other(self, unit: str) -> str:
        """The opponent of a unit by this marker; "" if it does not concern the unit."""
        return {self.one: self.two, self.two: self.one}.get(unit, "")


@dataclass(frozen=True, slots=True)
class OrderTurn:
    """The units ordered in this turn, and what each has done (BOW-OPT-1 to BOW-OPT-6)."""

    side: str
    units: tuple[str, ...]
    commander: str = ""
    moved: tuple[str, ...] = ()
    no_attack: tuple[str, ...] = ()
    """Units that moved by an option without an attack."""
    acted: tuple[str, ...] = ()
    """Units that have attacked, or done something instead."""
    followed: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    """The units that have pursued and may attack again (BOW-KEY-13)."""
    dice: int = 0
    """Dice that the command card adds to attacks."""
    silenced: tuple[str, ...] = ()
    """Enemies that may not counterattack this turn."""
    attacking: bool = False
    """Whether an attack has begun: no more moves (BOW-OPT-2)."""
    text: str = ""
    """What the played command card does besides, as its players entered it."""

    def done(self, unit: str) -> bool:
        """Whether a unit has attacked or done something instead, as often as it may (BOW-OPT-5)."""
        return unit in self.acted and unit not in self.again

    def fresh(self, unit: str) -> bool:
        """Whether a unit has neither moved nor attacked (BOW-FIR-14)."""
        return unit not in (*self.moved, *self.followed, *self.acted)

    def striking(self, unit: str) -> OrderTurn:
        """The turn once a unit attacks, or does something instead of it."""
        return replace(
            self,
            acted=(*(one for one in self.acted if one != unit), unit),
            again=tuple(one for one in self.again if one != unit),
        )


@dataclass(frozen=True, slots=True)
class HexAttack:
    """An attack from its declaration to its end; also a parting blow or a counterattack."""

    attacker: str
    target: str
    kind: str
    """melee, ranged, hounds, parting, counter."""
    stage: str = "declared"
    dice: int = 0
    flank: bool = False
    faces: tuple[int, ...] = ()
    hits: int = 0
    steps: int = 0
    """Hexes that the target must still retreat."""
    former: Cell | None = None
    """The hex of the target when the attack began."""
    figures: int = 0
    """The figures of the target when the attack began."""
    left: bool = False
    """Whether the attacker leaves its opponent for this attack (BOW-ENG-10)."""
    retreated: bool = False
    sure: bool = False
    """Nothing of it can be ignored: the symbols M and V of war hounds."""
    move_to: Cell | None = None
    """Where the leaving unit goes after a parting blow."""
    behind: HexAttack | None = None
    """The attack that goes on after this one."""


class BattleTaskData(TypedDict, total=False):
    """What a task is about, besides its unit; spaces and units by name, as in JSON."""

    by: int
    card: str
    cell: str
    cells: list[str]
    dice: int
    do: str
    figures: int
    flags: int
    hits: int
    least: int
    most: int
    move_to: str
    paper: bool
    place: str
    silenced: list[str]
    steps: int
    target: str
    terrain: str
    text: str
    to: str
    unit: str
    units: list[str]


@dataclass(frozen=True, slots=True)
class BattleTask:
    """Something that the game waits for before it goes on: a roll or a decision."""

    kind: str
    side: str
    unit: str = ""
    data: BattleTaskData = field(default_factory=BattleTaskData)


@dataclass(frozen=True, slots=True)
class WesterosState:
    """A whole battle; frozen, and folded from its events."""

    plan: BattlePlan
    board: Board
    houses: tuple[HouseInBattle, ...]
    units: tuple[UnitInBattle, ...]
    readings: WesterosReadings
    seed: int
    mace: str
    skirmish: SkirmishRules | None = None
    references: tuple[UnitReference, ...] = ()
    """The unit cards of a skirmish, and its commanders."""
    commanders: tuple[CommanderCard, ...] = ()
    commands: tuple[CommandCard, ...] = ()
    """The command cards that the players have entered; the others are on paper alone."""
    rolls: int = 0
    phase: str = REACTIVATION
    step: str = ""
    """The step of the Regroup phase."""
    round: int = 1
    turn: int = 0
    first: str = ""
    active: str = ""
    morale: int = 0
    """The morale marker: above 0 the first house is doing well (BOW-MOR-1)."""
    markers: tuple[EngagementMarker, ...] = ()
    control: tuple[tuple[Cell, str], ...] = ()
    acting: OrderTurn | None = None
    attack: HexAttack | None = None
    tasks: tuple[BattleTask, ...] = ()
    fires: tuple[Cell, ...] = ()
    """Fires of level 4 that have not yet spread in this status step."""
    points: tuple[tuple[str, int, str], ...] = ()
    """Why points were scored: house, points, reason."""
    winner: str = ""
    how: str = ""
    guided: bool = False
    """Whether the players want to be told what to tap in their first turns."""
    own_draw: bool = False
    """Whether the players are asked what they draw from their set-up cards."""

    def house(self, side: str) -> HouseInBattle:
        for one in self.houses:
            if one.side == side:
                return one
        known = ", ".join(one.side for one in self.houses)
        raise UnknownName(say("no house {side!r}; there are: {known}", side=side, known=known))

    def other(self, side: str) -> str:
        return next(one.side for one in self.houses if one.side != side)

    def unit(self, unit_id: str) -> UnitInBattle:
        for one in self.units:
            if one.id == unit_id:
                return one
        known = ", ".join(one.id for one in self.units)
        raise UnknownName(say("no unit {unit!r}; there are: {known}", unit=unit_id, known=known))

    def of(self, side: str) -> tuple[UnitInBattle, ...]:
        return tuple(one for one in self.units if one.side == side)

    def with_unit(self, unit: UnitInBattle) -> WesterosState:
        return replace(self, units=tuple(unit if one.id == unit.id else one for one in self.units))

    def with_house(self, house: HouseInBattle) -> WesterosState:
        return replace(
            self, houses=tuple(house if one.side == house.side else one for one in self.houses)
        )

    def opponent(self, unit_id: str) -> str:
        """The unit it is engaged with; never more than one (BOW-ENG-2)."""
        return next((other for one in self.markers if (other := one.other(unit_id))), "")

    def depth(self, side: str) -> int:
        """How far the morale marker lies on the side of a house; below 0 on the enemy's."""
        return -self.morale if side == self.houses[0].side else self.morale

    @property
    def colour(self) -> str:
        """The colour that the banners of active units show (BOW-UNT-9, BOW-CMP-4)."""
        return COLOURS[(self.round - 1) % 2]

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(one.side for one in self.houses)


FIELDS = IdentityCache(HexField.of, 8)


def hex_field(state: WesterosState) -> HexField:
    """The battlefield of a state, worked out once for each board."""
    return FIELDS(state.board, state.readings)


def board_unit(state: WesterosState, unit: UnitInBattle) -> BoardUnit:
    """A unit on the field as the rules see it.

    A commander unit has the abilities of its unit type and those of its commander (BOW-CDR-5).
    """
    assert unit.cell is not None
    row = unit.card.row(unit.rank)
    keywords = dict(row.keywords)
    if unit.commander is not None:
        keywords |= unit.commander.keywords
    marker = next((one for one in state.markers if one.other(unit.id)), None)
    turn = state.acting
    moved = turn is not None and unit.id in turn.moved
    if turn is not None and unit.id in turn.followed:
        moved = moved or state.readings.pursuit_balance == "moved"  # BOW-OR-39
    return BoardUnit(
        unit.id,
        unit.side,
        unit.name,
        unit.cell,
        unit.card.kind,
        unit.rank,
        row,
        unit.card.strength,
        unit.figures,
        keywords,
        unit.commander.name if unit.commander else "",
        unit.commander.capture if unit.commander else None,
        marker.other(unit.id) if marker else "",
        marker.house if marker else "",
        moved,
        unit.active,
        turn.dice if turn is not None and unit.id in turn.units else 0,
    )


def _battle_position(state: WesterosState) -> HexPosition:
    """The units on the field."""
    units = tuple(board_unit(state, one) for one in state.units if one.on_field)
    edges = {one.side: one.edge for one in state.houses}
    return HexPosition(hex_field(state), units, edges)


battle_position = IdentityCache(_battle_position, 16)


def current_table(state: WesterosState) -> BoardTable:
    """The table as a file would hold it."""
    position = battle_position(state)
    pieces = tuple(
        BoardPiece(
            one.id,
            one.side,
            one.name,
            "",
            one.cell,
            1,
            None,
            unit_facts(one),
        )
        for one in position.units
    )
    held = {cell: f"held-{state.sides.index(side) + 1}" for cell, side in state.control}
    marks = {
        site.cell: ("objective", held[site.cell]) if site.cell in held else ("objective",)
        for site in state.plan.victory.sites
    }  # the control marker lies on it (BOW-CMP-8)
    return BoardTable("westeros", replace(state.board, marks=marks), pieces, position.edges)


__all__ = ["EVENTS", "SILENT", "Data", "kind"]

EVENTS = EventRegistry[WesterosState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""
