"""Where a game stands: everything the log folds to, in frozen records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from companion.games.tmg.play.state.play_rules import RULES, ZONES, PlayRules
from companion.games.tmg.play.state.unit_state import UnitState
from models import Attack, Table, UnknownName
from models.lazy_message import say
from models.record import replace

T = TypeVar("T")
Mod = tuple[str, int]
"""What one named effect adds to a result."""

SET_UP, ACTIVATION, CLEAN_UP, OVER = "set-up", "activation", "clean-up", "over"
DRAW = "draw"
NOBODY = ""


@dataclass(frozen=True, slots=True)
class NcuState:
    """A non-combat unit: beside the tactics board, never on the battlefield (TMG-NCU-1)."""

    id: str
    player: str
    side: str
    name: str
    cost: int = 0
    character: bool = False
    commander: bool = False
    abilities: tuple[str, ...] = ()
    activated: bool = False
    quadrant: str = ""
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """One army's owner: a side of a duel, one of a team, or one of all against all.

    The deck's order and the hand are hidden; the discard pile is open (TMG-DECK-5).
    """

    id: str
    side: str
    faction: str = ""
    commander: str = ""
    points: int = 0
    deck: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()
    """Mission or siege cards in hand: hidden."""
    mission_deck: tuple[str, ...] = ()
    mission_discard: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """Objective cards chosen: open."""
    cards_used: tuple[str, ...] = ()
    card_round: int = 0
    """The round in which an objective card was last used (TMG-MODE-COK-5)."""
    army: str = ""
    """The army list as an id list, where it came from one."""


@dataclass(frozen=True, slots=True)
class SideState:
    """Whom points belong to: a player, or a whole team (TMG-TEAM-7)."""

    id: str
    vp: int = 0
    zone: str = ""
    role: str = ""
    eliminated: bool = False
    commander_killed: bool = False
    """Whether it has destroyed the enemy commander once (TMG-MODE-COK-12)."""


@dataclass(frozen=True, slots=True)
class Token:
    """An objective token: who holds it, and the card that lies beside it."""

    id: str
    name: str = ""
    vp: int = 0
    holder: str = ""
    card: str = ""
    pile: str = ""
    """The corpse pile it is linked to (TMG-MODE-FFC-6)."""
    touched: tuple[str, ...] = ()
    lost: str = ""
    """The unit that lost control and has not moved since, where that counts (OR-29)."""


@dataclass(frozen=True, slots=True)
class RoundStanding:
    """Dice as they lie: who rolled them, and who has rerolled which (TMG-RER-1)."""

    what: str
    side: str
    faces: tuple[int, ...]
    rerolled: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[str, ...] = ()
    opponent_spoke: bool = False


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How many things have begun that effects may be triggered by, each kind by itself."""

    steps: int = 0
    actions: int = 0
    attacks: int = 0
    strikes: int = 0
    """Hits that are no attack."""
    tests: int = 0
    """The number of the test that was taken last."""


@dataclass(frozen=True, slots=True)
class TriggerUse:
    """A trigger that a player used or declined, and the thing whose occurrence it was."""

    kind: str
    number: int
    trigger: str
    player: str
    what: str


@dataclass(frozen=True, slots=True)
class AttackState:
    """An attack (or hits that are none) on its way through the sequence (TMG-ATK-1..18)."""

    defender: str
    attacker: str = ""
    by: str = ""
    weapon: str = ""
    kind: str = "melee"
    dice: int = 0
    base: int = 0
    """The dice before effects that add to their number."""
    hit: int = 4
    zone: str = "front"
    abilities: tuple[str, ...] = ()
    charge: bool = False
    bonus: bool = False
    free: bool = False
    attack_mods: tuple[Mod, ...] = ()
    defense_mods: tuple[Mod, ...] = ()
    panic_mods: tuple[Mod, ...] = ()
    dice_mods: tuple[Mod, ...] = ()
    extra_panic_wounds: int = 0
    extra_names: tuple[str, ...] = ()
    """The effects that added to the wounds of a failed test."""
    highest: bool = False
    lowest: bool = False
    stage: str = "attack-dice"
    roll: RoundStanding | None = None
    hits: int = 0
    sure: int = 0
    wounds: int = 0
    friends: tuple[str, ...] = ()
    """Friendly units engaged with the target of a shot (TMG-SIM-2)."""
    companions: tuple[str, ...] = ()
    """Other friends engaged with the defender when it was attacked (TMG-SRG-4)."""


@dataclass(frozen=True, slots=True)
class MoraleTrial:
    """A panic or morale test that waits: its causes and every modifier already added."""

    id: int
    unit: str
    kind: str = "panic"
    causes: tuple[str, ...] = ()
    mods: tuple[Mod, ...] = ()
    extra: int = 0
    extra_names: tuple[str, ...] = ()
    """The effects that the extra wounds come from, as far as they have names."""
    by: str = ""
    by_unit: str = ""
    after: str = ""
    roll: RoundStanding | None = None


@dataclass(frozen=True, slots=True)
class PendingTask:
    """Something else that waits for a player: a zone's effect, a surge, a token to be placed."""

    id: int
    kind: str
    say: str
    side: str = ""
    unit: str = ""
    other: str = ""
    number: int = 0
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Acting:
    """The unit whose activation runs; `stage` is choose, doing or done."""

    unit: str
    stage: str = "choose"
    action: str = ""
    claimed: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredMove:
    """A move that was declared and that no table has shown yet: its terrain is still to be felt."""

    unit: str
    action: str
    settled: bool = False
    """Whether the players said themselves if Dangerous ground hurt it."""
    pieces: tuple[str, ...] = ()
    """Dangerous pieces that have hurt it in this move."""
    target: str = ""
    heading: float | None = None
    """Whom a charge was led at, and the heading it pivoted to."""
    seen: bool = True
    """Whether the newest table shows where it began."""


@dataclass(frozen=True, slots=True)
class WallState:
    """A castle wall of a siege: neither terrain nor unit (TMG-MODE-SOS-13)."""

    id: str
    total: int = 10
    wounds: int = 0
    activated: bool = False

    @property
    def standing(self) -> bool:
        """Whether it is not destroyed."""
        return self.wounds < self.total


@dataclass(frozen=True, slots=True)
class Fall:
    """A destroyed unit as it was, and what its destruction brought, so that it can be mended."""

    unit: UnitState
    points: tuple[tuple[str, int, str], ...] = ()
    """Side, points and rule."""
    prize: str = ""
    """The side that destroyed the enemy commander for the first time (TMG-MODE-COK-12)."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Points the companion offers for confirmation at the end of a round."""

    side: str
    vp: int
    rule: str
    why: str
    token: str = ""
    first_why: str = ""
    """Its reason before the players changed it."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes it the same offer, whatever the players changed."""
        return self.side, self.rule, self.first_why or self.why, self.token


@dataclass(frozen=True, slots=True)
class GameState:
    """The whole game."""

    game: str
    year: str
    mode: str
    points: int
    shape: str
    """duel, team or ffa."""
    seed: int
    readings: tuple[str, ...] = ()
    unchecked: bool = False
    """Whether the armies were not checked by the rules of army building."""
    rolls: int = 0
    round: int = 0
    phase: str = SET_UP
    step: str = ""
    turn: int = 0
    fresh: bool = True
    """Whether no turn of this round has begun."""
    passers: tuple[str, ...] = ()
    """Sides that chose to pass since the last activation."""
    active: str = ""
    first: str = ""
    sides: tuple[SideState, ...] = ()
    players: tuple[Player, ...] = ()
    units: tuple[UnitState, ...] = ()
    ncus: tuple[NcuState, ...] = ()
    falls: tuple[Fall, ...] = ()
    """The last destruction of each unit."""
    departed: tuple[NcuState, ...] = ()
    """NCUs of players who are out; only the battle report still knows them."""
    board: tuple[str, ...] = ("",) * len(ZONES)
    tokens: tuple[Token, ...] = ()
    walls: tuple[WallState, ...] = ()
    acting: Acting | None = None
    attack: AttackState | None = None
    trials: tuple[MoraleTrial, ...] = ()
    tasks: tuple[PendingTask, ...] = ()
    numbered: int = 0
    """How many tests and tasks have had a number."""
    done: tuple[str, ...] = ()
    """Sides that have finished the step that waits."""
    occurrences: Occurrences = Occurrences()
    used: tuple[TriggerUse, ...] = ()
    """Triggers that players used or declined in this turn."""
    barred: tuple[tuple[str, str], ...] = ()
    """Players who may play no tactics cards, and until when (TMG-CHG-26)."""
    proposals: tuple[Proposal, ...] = ()
    quadrants: tuple[tuple[str, str], ...] = ()
    """Where units stand by the players' word, while points are scored (TMG-MODE-HWS-5)."""
    pieces: tuple[str, ...] = ()
    piece_count: int = 4
    piles: int = 0
    missions: tuple[str, ...] = ()
    """Revealed missions."""
    reserve_missions: tuple[str, ...] = ()
    mission_deck: tuple[str, ...] = ()
    mission_discard: tuple[str, ...] = ()
    laid_aside: tuple[str, ...] = ()
    """Players who have discarded a secret mission this round."""
    missions_scored: tuple[tuple[str, str], ...] = ()
    """Revealed missions and the sides that have scored them."""
    card_deck: tuple[str, ...] = ()
    """Objective cards not drawn yet."""
    effects: tuple[tuple[str, str, str], ...] = ()
    """Lasting effects as the players note them: unit, name, until."""
    roll_off: tuple[tuple[str, int], ...] = ()
    chooser: str = ""
    table: str = ""
    moved: tuple[str, ...] = ()
    """Units that moved since the table was seen, or were free to."""
    arrived: tuple[str, ...] = ()
    """Those of them that came into play and have not moved since."""
    declared: tuple[DeclaredMove, ...] = ()
    """Moves whose ground no table has shown yet."""
    hidden: tuple[str, ...] = ()
    """Units on the battlefield that the newest table did not show: they are where they were."""
    arcs: tuple[tuple[str, str, str], ...] = ()
    """Attacker, defender, and the defender's arc their melee is in: until one of them moves."""
    broken: tuple[str, ...] = ()
    """Terrain pieces that are destroyed (TMG-TER-19)."""
    winner: str = ""
    how: str = ""
    tally: tuple[tuple[int, str, int], ...] = ()
    """Points by round and side as they stood at each round's end."""

    # -- asking -------------------------------------------------------------------------------

    @property
    def rules(self) -> PlayRules:
        """The edition's rules."""
        return RULES[self.year]

    def unit(self, unit_id: str) -> UnitState:
        """The combat unit with that id."""
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        known = ", ".join(unit.id for unit in self.units) or "none"
        raise UnknownName(
            say("no combat unit {unit!r}; there are: {known}", unit=unit_id, known=known)
        )

    def fall(self, unit_id: str) -> Fall | None:
        """The last destruction of a unit."""
        return next((one for one in self.falls if one.unit.id == unit_id), None)

    def has_unit(self, unit_id: str) -> bool:
        """Whether there is such a combat unit."""
        return unit_id in [unit.id for unit in self.units]

    def ncu(self, ncu_id: str) -> NcuState:
        """The NCU with that id."""
        for ncu in self.ncus:
            if ncu.id == ncu_id:
                return ncu
        known = ", ".join(ncu.id for ncu in self.ncus) or "none"
        raise UnknownName(say("no NCU {unit!r}; there are: {known}", unit=ncu_id, known=known))

    def has_ncu(self, ncu_id: str) -> bool:
        """Whether there is such an NCU."""
        return ncu_id in [ncu.id for ncu in self.ncus]

    def wall(self, wall_id: str) -> WallState | None:
        """The castle wall with that id."""
        for wall in self.walls:
            if wall.id == wall_id:
                return wall
        return None

    def token(self, token_id: str) -> Token:
        """The objective token with that id."""
        for token in self.tokens:
            if token.id == token_id:
                return token
        known = ", ".join(token.id for token in self.tokens) or "none"
        raise UnknownName(
            say("no objective token {token!r}; there are: {known}", token=token_id, known=known)
        )

    def player(self, player_id: str) -> Player:
        """The player of that name; a side of one player is its player."""
        for player in self.players:
            if player.id == player_id:
                return player
        team = [player for player in self.players if player.side == player_id]
        if len(team) == 1:
            return team[0]
        known = ", ".join(player.id for player in self.players)
        raise UnknownName(
            say("no player {player!r}; there are: {known}", player=player_id, known=known)
        )

    def side(self, side_id: str) -> SideState:
        """The side of that name."""
        for side in self.sides:
            if side.id == side_id:
                return side
        known = ", ".join(side.id for side in self.sides)
        raise UnknownName(say("no side {side!r}; there are: {known}", side=side_id, known=known))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The sides in seating order."""
        return tuple([side.id for side in self.sides])

    @property
    def playing(self) -> tuple[str, ...]:
        """The sides still in the game: nobody waits for the others (TMG-FFA-7)."""
        return tuple([side.id for side in self.sides if not side.eliminated])

    def opponents(self, side_id: str) -> tuple[str, ...]:
        """Every other side still in the game."""
        return tuple(side.id for side in self.sides if side.id != side_id and not side.eliminated)

    def standing(self, side_id: str | None = None) -> Iterator[UnitState]:
        """The combat units on the battlefield, of one side or of all."""
        return (
            unit
            for unit in self.units
            if unit.standing and (side_id is None or unit.side == side_id)
        )

    def enemies_engaged(self, unit: UnitState) -> tuple[UnitState, ...]:
        """The enemies in contact with a unit, as ticked or as seen."""
        return tuple(
            other
            for other in self.units
            if other.id in unit.engaged and other.standing and other.side != unit.side
        )

    def controls(self, side_id: str) -> tuple[str, ...]:
        """The zones of the tactics board a side controls (TMG-NCU-4)."""
        return controlled(self.board, self.ncus, side_id)

    # -- changing -----------------------------------------------------------------------------

    def with_unit(self, unit: UnitState) -> GameState:
        """The game with that unit in the place of the one of its id."""
        return replace(self, units=tuple([unit if u.id == unit.id else u for u in self.units]))

    def with_fall(self, fall: Fall) -> GameState:
        """The game with that destruction in the place of an earlier one of the unit."""
        others = [one for one in self.falls if one.unit.id != fall.unit.id]
        return replace(self, falls=(*others, fall))

    def with_moved(self, units: Iterable[str]) -> GameState:
        """The game in which these units are no longer (surely) as the table shows them."""
        gone = tuple(units)
        if not gone:
            return self
        arcs = tuple(one for one in self.arcs if one[0] not in gone and one[1] not in gone)
        return replace(self, moved=tuple(dict.fromkeys((*self.moved, *gone))), arcs=arcs)

    def with_declared(self, move: DeclaredMove) -> GameState:
        """The game in which that move waits to be seen; a second one of a unit begins unseen."""
        move = replace(move, seen=move.unit not in self.moved)
        others = tuple(one for one in self.declared if one.unit != move.unit)
        return replace(self, declared=(*others, move))

    def arc(self, attacker: str, defender: str) -> str | None:
        """The defender's arc in which these two have been fighting; None where it is not known."""
        for one, two, arc in self.arcs:
            if (one, two) == (attacker, defender):
                return arc
        return None

    def with_ncu(self, ncu: NcuState) -> GameState:
        """The game with that NCU in the place of the one of its id."""
        return replace(self, ncus=tuple([ncu if n.id == ncu.id else n for n in self.ncus]))

    def with_player(self, player: Player) -> GameState:
        """The game with that player in the place of the one of that name."""
        return replace(
            self, players=tuple([player if p.id == player.id else p for p in self.players])
        )

    def with_side(self, side: SideState) -> GameState:
        """The game with that side in the place of the one of that name."""
        return replace(self, sides=tuple([side if s.id == side.id else s for s in self.sides]))

    def with_token(self, token: Token) -> GameState:
        """The game with that token in the place of the one of its id."""
        return replace(self, tokens=tuple([token if t.id == token.id else t for t in self.tokens]))


def controlled(board: tuple[str, ...], ncus: tuple[NcuState, ...], side_id: str) -> tuple[str, ...]:
    """The zones of a tactics board with an NCU of that side."""
    own = {ncu.id for ncu in ncus if ncu.side == side_id}
    return tuple(zone for zone, ncu in zip(ZONES, board, strict=True) if ncu in own)


@lru_cache(maxsize=8)
def table_of(text: str) -> Table:
    """The table an event carried."""
    return Table.parse(text)


def attack_named(attacks: tuple[Attack, ...], name: str) -> Attack | None:
    """The attack of that name."""
    wanted = name.casefold()
    return next((attack for attack in attacks if attack.name.casefold() == wanted), None)
