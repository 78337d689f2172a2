"""The state of a game that the event log folds to, in frozen records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from companion.games.tmg.play.state.play_rules import RULES, ZONES, PlayRules
from companion.games.tmg.play.state.unit_state import JoinedAttachment, UnitState
from companion.games.tmg.rules.modes.mode_layout import SEATED
from models import Attack, Table, UnknownName
from models.frozen_records import replace
from models.message import say

T = TypeVar("T")
Mod = tuple[str, int]
"""The name of an effect and the modifier it adds."""

SET_UP, ACTIVATION, CLEAN_UP, OVER = "set-up", "activation", "clean-up", "over"
DRAW = "draw"
MAYBE_TURNED = "maybe-turned"
"""Instead of an arc: the defender may have turned to its attacker, the players say which it is."""
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


PAPER_CARD = "tactics card"
"""Stands for each card of a deck that the players shuffle and draw themselves."""


@dataclass(frozen=True, slots=True)
class Player:
    """The owner of one army: a side of a duel, a member of a team, or one of a free-for-all.

    The order of the deck and the hand are hidden; the discard pile is open (TMG-DECK-5).
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
    """Mission or siege cards in hand; hidden."""
    mission_deck: tuple[str, ...] = ()
    mission_discard: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """The chosen objective cards; open."""
    cards_used: tuple[str, ...] = ()
    card_round: int = 0
    """The round in which an objective card was last used (TMG-MODE-COK-5)."""
    army: str = ""
    """The army list as an id list, if it was given as a list."""
    played_names: tuple[str, ...] = ()
    """The cards of paper on the discard pile whose names the players said (TMG-DECK-5)."""

    @property
    def paper(self) -> bool:
        """Whether the players hold the tactics cards themselves: the game only counts them."""
        return {*self.deck, *self.hand, *self.discard} == {PAPER_CARD}


@dataclass(frozen=True, slots=True)
class SideState:
    """The side that scores points: a player, or a whole team (TMG-TEAM-7)."""

    id: str
    vp: int = 0
    zone: str = ""
    role: str = ""
    eliminated: bool = False
    commander_killed: bool = False
    """Whether it has destroyed the enemy commander once (TMG-MODE-COK-12)."""


@dataclass(frozen=True, slots=True)
class Token:
    """An objective token: who holds it, and its objective card."""

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
class StandingRoll:
    """Rolled dice not accepted yet: who rolled them, who has rerolled which (TMG-RER-1)."""

    what: str
    side: str
    faces: tuple[int, ...]
    rerolled: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    """The sides that let the dice lie (TMG-RER-2)."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Counters of the occurrences that can trigger effects, one per kind."""

    actions: int = 0
    attacks: int = 0
    strikes: int = 0
    """Automatic hits that are not an attack."""
    tests: int = 0
    """The number of the test taken last."""


@dataclass(frozen=True, slots=True)
class TriggerUse:
    """A trigger that a player used or declined, and the occurrence it belongs to."""

    kind: str
    number: int
    trigger: str
    player: str
    what: str
    tests: int = 0
    """The number of the test taken last before it."""


@dataclass(frozen=True, slots=True)
class AttackState:
    """An attack, or automatic hits, in progress in the attack sequence (TMG-ATK-1..18): who attacks
    is the attacker, who is attacked the defender (TMG-GLO-3, -4)."""

    defender: str
    attacker: str = ""
    by: str = ""
    weapon: str = ""
    kind: str = "melee"
    dice: int = 0
    base: int = 0
    """The number of dice before effects that add to it."""
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
    roll: StandingRoll | None = None
    hits: int = 0
    sure: int = 0
    wounds: int = 0
    friends: tuple[str, ...] = ()
    """Friendly units engaged with the target of a shot (TMG-SIM-2)."""
    companions: tuple[str, ...] = ()
    """Other friends engaged with the defender when it was attacked (TMG-SRG-4)."""
    source: str = ""
    """The unit whose ability dealt automatic hits, if it is told (TMG-MODE-COK-11, FAB-7)."""
    lost: tuple[str, ...] = ()
    """What took the bonus of a charge: "disorderly", "hindering" on its way, "aligned" on it."""
    after: AttackState | None = None
    """The completed attack whose effects brought this one: it ends after it (TMG-ATK-17)."""

    @property
    def to_shoot(self) -> bool:
        """Whether it is a shot of a unit that waits for its dice."""
        return self.stage == "attack-dice" and self.kind != "melee" and bool(self.attacker)


@dataclass(frozen=True, slots=True)
class MoraleTrial:
    """A pending panic or morale test, with its causes and all its modifiers."""

    id: int
    unit: str
    kind: str = "panic"
    causes: tuple[str, ...] = ()
    mods: tuple[Mod, ...] = ()
    extra: int = 0
    extra_names: tuple[str, ...] = ()
    """The names of the effects that add extra wounds, as far as known."""
    by: str = ""
    by_unit: str = ""
    after: str = ""
    roll: StandingRoll | None = None


@dataclass(frozen=True, slots=True)
class PendingTask:
    """Another task for a player: a zone's effect, a surge, a token to be placed."""

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
    """The activated unit; `stage` is choose, doing or done."""

    unit: str
    stage: str = "choose"
    action: str = ""
    claimed: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredMove:
    """A declared move that no table has shown yet: its terrain costs are still to be applied."""

    unit: str
    action: str
    settled: bool = False
    """Whether the players have already said if Dangerous ground wounded it."""
    pieces: tuple[str, ...] = ()
    """The Dangerous pieces that have wounded it in this move."""
    target: str = ""
    heading: float | None = None
    """The heading to which a charge pivoted; `target` is its target."""
    seen: bool = True
    """Whether the newest table shows where the move started."""
    reach: float = 0.0
    """How far it goes at most, where dice decided it."""


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
class Guest:
    """An attachment that is still to join an enemy unit (TMG-ARM-13)."""

    player: str
    side: str
    attachment: JoinedAttachment


@dataclass(frozen=True, slots=True)
class Fall:
    """A destroyed unit as it was, and what its destruction caused, so that it can be restored."""

    unit: UnitState
    points: tuple[tuple[str, int, str], ...] = ()
    """Side, points and rule."""
    prize: str = ""
    """The side that destroyed the enemy commander for the first time (TMG-MODE-COK-12)."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Points that the companion proposes for confirmation at the end of a round."""

    side: str
    vp: int
    rule: str
    why: str
    token: str = ""
    first_why: str = ""
    """The reason before the players changed it."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The identity of the proposal, whatever the players changed."""
        return self.side, self.rule, self.first_why or self.why, self.token


@dataclass(frozen=True, slots=True)
class GameState:
    """The whole game."""

    game: str
    year: str
    mode: str
    points: int
    shape: str
    """The kind of game: duel, team or ffa."""
    seed: int
    readings: tuple[str, ...] = ()
    unchecked: bool = False
    """Whether the armies were not checked against the army building rules."""
    rolls: int = 0
    round: int = 0
    """The game is played over several of them (TMG-GLO-17)."""
    phase: str = SET_UP
    step: str = ""
    turn: int = 0
    fresh: bool = True
    """Whether no turn of this round has started."""
    passers: tuple[str, ...] = ()
    """The sides that chose to pass since the last activation."""
    active: str = ""
    first: str = ""
    sides: tuple[SideState, ...] = ()
    players: tuple[Player, ...] = ()
    units: tuple[UnitState, ...] = ()
    ncus: tuple[NcuState, ...] = ()
    guests: tuple[Guest, ...] = ()
    falls: tuple[Fall, ...] = ()
    """The last destruction of each unit."""
    departed: tuple[NcuState, ...] = ()
    """NCUs of eliminated players, kept for the battle report."""
    board: tuple[str, ...] = ("",) * len(ZONES)
    tokens: tuple[Token, ...] = ()
    walls: tuple[WallState, ...] = ()
    acting: Acting | None = None
    attack: AttackState | None = None
    trials: tuple[MoraleTrial, ...] = ()
    tasks: tuple[PendingTask, ...] = ()
    counters: tuple[tuple[str, str, int], ...] = ()
    """Tokens on cards of units and NCUs: whose, which, how many."""
    numbered: int = 0
    """The number of ids given to tests and tasks so far."""
    done: tuple[str, ...] = ()
    """The sides that have finished the current step."""
    occurrences: Occurrences = Occurrences()
    used: tuple[TriggerUse, ...] = ()
    """The triggers that players used or declined in this turn."""
    open_effect: TriggerUse | None = None
    """The card, order or ability used last, until anything that it does is recorded: only the
    players know what it says."""
    tested: tuple[str, str, str] = ("", "", "")
    """The last test of this turn: its kind, its unit, and whether it passed or failed."""
    barred: tuple[tuple[str, str], ...] = ()
    """The players who may not play tactics cards, and until when (TMG-CHG-26)."""
    proposals: tuple[Proposal, ...] = ()
    quadrants: tuple[tuple[str, str], ...] = ()
    """The quadrants of units as the players say, during scoring (TMG-MODE-HWS-5)."""
    pieces: tuple[str, ...] = ()
    piece_count: int = 4
    piles: int = 0
    missions: tuple[str, ...] = ()
    """Revealed missions."""
    reserve_missions: tuple[str, ...] = ()
    mission_deck: tuple[str, ...] = ()
    mission_discard: tuple[str, ...] = ()
    laid_aside: tuple[str, ...] = ()
    """The players who have discarded a secret mission this round."""
    missions_scored: tuple[tuple[str, str], ...] = ()
    """Revealed missions and the sides that have scored them."""
    card_deck: tuple[str, ...] = ()
    """The objective cards not drawn yet."""
    effects: tuple[tuple[str, str, str], ...] = ()
    """Lasting effects noted by the players: unit, name, until."""
    roll_off: tuple[tuple[str, int], ...] = ()
    chooser: str = ""
    table: str = ""
    plan: str = ""
    """A table with the trays that are deployed one by one where players thought of them first."""
    moved: tuple[str, ...] = ()
    """The units that moved, or could have, since the newest table."""
    arrived: tuple[str, ...] = ()
    """Those of them that entered play and have not moved since."""
    declared: tuple[DeclaredMove, ...] = ()
    """Declared moves whose end no table has shown yet."""
    hidden: tuple[str, ...] = ()
    """Units on the battlefield that the newest table did not show: they stay where they were."""
    arcs: tuple[tuple[str, str, str], ...] = ()
    """Attacker, defender, and the defender's arc in their melee; kept until one of them moves."""
    arrows: tuple[int, int] = (0, 0)
    """The dice and the to-hit value of the castle walls' arrows, as the players entered them."""
    broken: tuple[str, ...] = ()
    """The destroyed terrain pieces (TMG-TER-19)."""
    ruins: tuple[tuple[str, str], ...] = ()
    """What players called them while they stood."""
    stopped: bool = False
    """Whether all players agreed to end it before its last round."""
    winner: str = ""
    how: str = ""
    ended: tuple[str, str] = ("", "")
    """The phase and the step in which the game ended."""
    tally: tuple[tuple[int, str, int], ...] = ()
    """The points by round and side at the end of each round."""

    # -- queries ------------------------------------------------------------------------------

    @property
    def rules(self) -> PlayRules:
        return RULES[self.year]

    def unit(self, unit_id: str) -> UnitState:
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
        return unit_id in [unit.id for unit in self.units]

    def ncu(self, ncu_id: str) -> NcuState:
        for ncu in self.ncus:
            if ncu.id == ncu_id:
                return ncu
        known = ", ".join(ncu.id for ncu in self.ncus) or "none"
        raise UnknownName(say("no NCU {unit!r}; there are: {known}", unit=ncu_id, known=known))

    def has_ncu(self, ncu_id: str) -> bool:
        return ncu_id in [ncu.id for ncu in self.ncus]

    def fighter(self, name: str) -> UnitState | NcuState:
        """A combat unit or an NCU."""
        if self.has_ncu(name):
            return self.ncu(name)
        if self.has_unit(name):
            return self.unit(name)
        every = [*(one.id for one in self.units), *(one.id for one in self.ncus)]
        known = ", ".join(every) or "none"
        raise UnknownName(say("no unit {unit!r}; there are: {known}", unit=name, known=known))

    def wall(self, wall_id: str) -> WallState | None:
        for wall in self.walls:
            if wall.id == wall_id:
                return wall
        return None

    def token(self, token_id: str) -> Token:
        for token in self.tokens:
            if token.id == token_id:
                return token
        known = ", ".join(token.id for token in self.tokens) or "none"
        raise UnknownName(
            say("no objective token {token!r}; there are: {known}", token=token_id, known=known)
        )

    def owner(self, piece: str) -> Player | None:
        """The player whose unit or NCU it is; None for anything else."""
        if self.has_unit(piece):
            return self.player(self.unit(piece).player)
        return self.player(self.ncu(piece).player) if self.has_ncu(piece) else None

    def player(self, player_id: str) -> Player:
        """The player of that name; a side with a single player stands for that player."""
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
        for side in self.sides:
            if side.id == side_id:
                return side
        known = ", ".join(side.id for side in self.sides)
        raise UnknownName(say("no side {side!r}; there are: {known}", side=side_id, known=known))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The sides in seating order: clockwise by their corners, if they chose some (FFA-4)."""
        if self.shape != "ffa":
            return tuple([side.id for side in self.sides])
        seats = {corner: place for place, corner in enumerate(SEATED)}
        seated = sorted(self.sides, key=lambda side: seats.get(side.zone, len(seats)))
        return tuple([side.id for side in seated])

    @property
    def playing(self) -> tuple[str, ...]:
        """The sides still in the game (TMG-FFA-7)."""
        return tuple([side.id for side in self.sides if not side.eliminated])

    @property
    def from_first(self) -> tuple[str, ...]:
        """The sides still in the game, clockwise from the first player (TMG-FFA-4)."""
        names = self.side_names
        at = names.index(self.first) if self.first in names else 0
        return tuple(one for one in (*names[at:], *names[:at]) if one in self.playing)

    def only_opponent(self, side_id: str) -> str:
        """The opponent who decides something; of several anybody may, who is then nobody's name."""
        others = self.opponents(side_id)
        return others[0] if len(others) == 1 else NOBODY

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

    def cost_known(self, unit: UnitState) -> bool:
        """Whether anybody told a unit's points: of 2018 the cards name none."""
        army = (one.points for one in self.units if one.player == unit.player)
        return "cost" not in unit.assumed and any(army)

    def enemies_engaged(self, unit: UnitState) -> tuple[UnitState, ...]:
        """The enemies in contact with a unit, as set by the players or as measured."""
        return tuple(
            other
            for other in self.units
            if other.id in unit.engaged and other.standing and other.side != unit.side
        )

    def controls(self, side_id: str) -> tuple[str, ...]:
        """The zones of the tactics board a side controls (TMG-NCU-4)."""
        return controlled(self.board, self.ncus, side_id)

    # -- updates ------------------------------------------------------------------------------

    def with_unit(self, unit: UnitState) -> GameState:
        """The state with the unit of that id replaced."""
        return replace(self, units=tuple([unit if u.id == unit.id else u for u in self.units]))

    def with_fall(self, fall: Fall) -> GameState:
        """The state with the unit's latest destruction replaced."""
        others = [one for one in self.falls if one.unit.id != fall.unit.id]
        return replace(self, falls=(*others, fall))

    def with_moved(self, units: Iterable[str]) -> GameState:
        """The state in which the table may no longer show where these units are."""
        gone = tuple(units)
        if not gone:
            return self
        arcs = tuple(one for one in self.arcs if one[0] not in gone and one[1] not in gone)
        return replace(self, moved=tuple(dict.fromkeys((*self.moved, *gone))), arcs=arcs)

    def with_declared(self, move: DeclaredMove) -> GameState:
        """The state with a declared move; a unit's second one starts at an unknown place."""
        move = replace(move, seen=move.unit not in self.moved)
        others = tuple(one for one in self.declared if one.unit != move.unit)
        return replace(self, declared=(*others, move))

    def arc(self, attacker: str, defender: str) -> str | None:
        """The defender's arc in the melee of these two; None if it is not known."""
        for one, two, arc in self.arcs:
            if (one, two) == (attacker, defender):
                return arc
        return None

    def with_ncu(self, ncu: NcuState) -> GameState:
        """The state with the NCU of that id replaced."""
        return replace(self, ncus=tuple([ncu if n.id == ncu.id else n for n in self.ncus]))

    def with_player(self, player: Player) -> GameState:
        """The state with the player of that name replaced."""
        return replace(
            self, players=tuple([player if p.id == player.id else p for p in self.players])
        )

    def with_side(self, side: SideState) -> GameState:
        """The state with the side of that name replaced."""
        return replace(self, sides=tuple([side if s.id == side.id else s for s in self.sides]))

    def with_token(self, token: Token) -> GameState:
        """The state with the token of that id replaced."""
        return replace(self, tokens=tuple([token if t.id == token.id else t for t in self.tokens]))


def controlled(board: tuple[str, ...], ncus: tuple[NcuState, ...], side_id: str) -> tuple[str, ...]:
    """The zones of a tactics board with an NCU of that side."""
    own = {ncu.id for ncu in ncus if ncu.side == side_id}
    return tuple(zone for zone, ncu in zip(ZONES, board, strict=True) if ncu in own)


@lru_cache(maxsize=8)
def table_of(text: str) -> Table:
    """Parse the table of an event; cached."""
    return Table.parse(text)


def attack_named(attacks: tuple[Attack, ...], name: str) -> Attack | None:
    wanted = name.casefold()
    return next((attack for attack in attacks if attack.name.casefold() == wanted), None)
