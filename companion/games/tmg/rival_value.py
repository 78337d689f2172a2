"""What a position of the miniatures game is worth to a side, in points of victory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.api.rival import Temper
from companion.games.tmg.play.commands.unit_actions import friends_at
from companion.games.tmg.play.flow.scoring import quadrant_owner, quadrant_points
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import ROUNDS
from companion.games.tmg.play.state.table_facts import as_in_game, quadrants_seen, report, seen
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rival_ends import Aim, away, off_front
from companion.games.tmg.rules.combat.dice import PanicTest, panic_spread
from companion.games.tmg.rules.combat.odds import AttackOdds, odds_for, zone_of
from companion.games.tmg.rules.report import MiniaturesReport
from models import Attack, Pose, Unit

LATER = 0.7
"""What a point of the next round is worth today."""
NEAR = 0.02
"""An inch nearer to an objective that the side does not hold, for each point that it brings."""
CLOSE = 0.012
"""An inch nearer to an enemy."""
TURNED = 0.35
"""A unit with its back to the nearest enemy; half of it with its flank."""
FAR_IN = 24.0
SOON, NEXT, AFTER = 0.55, 0.4, 0.22
"""The share of an attack that is thought to happen: by a unit that may act yet; in the next round,
by those who go first then, and by the others."""
CONDITION = 0.02
"""A condition token, beside what it does to the attacks that are thought to happen."""
WEAKENED, VULNERABLE, PANICKED = 0.7, 1.45, 1.12
"""By how much a token changes what an attack does (TMG-CON-5..7): of the weakened unit, or on the
vulnerable or panicked one."""
ARCS = ("front", "left", "right", "flank", "rear")
HAND = 0.02
"""A tactics card, which only people can play."""


def worth(state: GameState, side: str, temper: Temper) -> float:
    """Points, objectives, armies and threats of a side, less those of its enemies."""
    foes = [one for one in state.playing if one != side]
    total = side_worth(state, side, temper.safety, temper.goals)
    total -= max(side_worth(state, one, temper.harm, temper.goals) for one in foes)
    if state.table:
        attacks = Attacks.of(state)
        for name in attacks.trays:
            unit = state.unit(name)
            harm = attacks.best(name) * likely(state, unit)
            total += temper.harm * harm if unit.side == side else -temper.safety * harm
    return total


def likely(state: GameState, unit: UnitState) -> float:
    """The share of an attack of a unit that is thought to happen."""
    if not unit.activated:
        return SOON
    return NEXT if unit.side in state.from_first[1:2] else AFTER


def side_worth(state: GameState, side: str, army: float, goals: float) -> float:
    """Points, objectives and army of one side."""
    total = float(state.side(side).vp)
    total += army * sum(unit_worth(one) for one in state.units if one.side == side and alive(one))
    total += HAND * sum(len(one.hand) for one in state.players if one.side == side)
    return total + goals * (held(state, side) + nearness(state, side))


def alive(unit: UnitState) -> bool:
    return unit.place != "destroyed"


def whole_worth(unit: UnitState) -> float:
    """A unit without a wound; its loss also gives the enemy a point (TMG-VIC-8)."""
    return 0.9 + 0.15 * (unit.points or 5) + (0.5 if unit.commander else 0.0)


def unit_worth(unit: UnitState) -> float:
    """A unit as it stands: its wounds, conditions and influence."""
    left = unit.wounds_left / max(1, unit.total)
    return whole_worth(unit) * (0.3 + 0.7 * left) - CONDITION * len(unit.tokens)


def rounds_left(state: GameState) -> int:
    """In how many rounds points may still be scored, from round 2 on (TMG-OBJ-5)."""
    return max(0, ROUNDS - max(2, state.round) + 1)


def token_worth(state: GameState) -> float:
    """What holding an objective from now on is worth."""
    return each_round(state) if play_of(state).scoring_rule else 0.0


def each_round(state: GameState) -> float:
    """What a point in every round from now on is worth."""
    return (1 - LATER ** rounds_left(state)) / (1 - LATER)


def held(state: GameState, side: str) -> float:
    """The objectives and quadrants that a side holds."""
    each, bonus = token_worth(state), play_of(state).commander_bonus
    total = 0.0
    for token in state.tokens:
        if token.holder and state.has_unit(token.holder):
            unit = state.unit(token.holder)
            if unit.side == side:
                total += each * (max(1, token.vp) + (0.5 * bonus if unit.commander else 0.0))
    if play_of(state).quadrants and state.table:  # TMG-MODE-HWS-6, -12
        places = {one.unit: one.name for one in quadrants_seen(state)}
        owners = [quadrant_owner(one) for one in quadrant_points(state, places).values()]
        total += each_round(state) * owners.count(side)
    return total


def nearness(state: GameState, side: str) -> float:
    """How near a side is to what it wants: objectives of others, and enemies."""
    if not state.table:
        return 0.0
    table, total = table_of(state.table), 0.0
    units = [one for one in state.standing() if one.id in table]
    mine = [table.unit(one.id).pose for one in units if one.side == side]
    free = [table.unit(one.id).pose for one in units if one.side == side and not one.engaged]
    there = (table.unit(one.id).pose for one in units if one.side != side)
    foes = [Aim(one.x, one.y) for one in there]
    own = {one.id for one in state.tokens if one.holder and state.unit(one.holder).side == side}
    near = NEAR * token_worth(state)
    for token in table.tokens if near else ():
        if token.id not in own:
            aim = Aim(token.x, token.y)
            total -= near * min([FAR_IN, *(away(one, aim) for one in mine)])
    for pose in free if foes else ():
        total -= min((away(pose, one), exposure(pose, one)) for one in foes)[1]
    return total


def exposure(pose: Pose, foe: Aim) -> float:
    """What is bad about a place: far from the nearest enemy, or not facing it."""
    return CLOSE * away(pose, foe) + TURNED * off_front(pose, foe) / 180


# -- attacks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attacks:
    """The attacks that units may make on the newest table, with the wounds of now."""

    state: GameState
    report: MiniaturesReport
    trays: dict[str, Unit]
    stakes: dict[str, float]
    """What the objectives of their holders are worth: they fall with their unit."""

    @classmethod
    def of(cls, state: GameState) -> Attacks:
        found = report(state)
        trays = {
            one.id: as_in_game(state, found.table.unit(one.id), one)
            for one in state.standing()
            if one.id in found.units and seen(state, one.id)
        }
        each = token_worth(state)
        stakes = {one.holder: each * max(1, one.vp) for one in state.tokens if one.holder}
        return cls(state, found, trays, stakes)

    def best(self, name: str) -> float:
        """What the best attack of a unit promises."""
        return max((self.promised(name, *one) for one in self.each(name)), default=0.0)

    def each(self, name: str) -> Iterator[tuple[str, str]]:
        """The targets and kinds of the attacks that a unit may make."""
        unit, own = self.state.unit(name), self.report.units[name]
        if unit.engaged:
            yield from ((target, "melee") for target in unit.engaged if target in self.trays)
            return
        for target in self.trays:
            if self.state.unit(target).side == unit.side:
                continue
            if target in own.charges and own.charges[target].answer.verdict != "no":
                yield target, "charge"
            if target in own.shots and own.shots[target].answer.verdict != "no":
                yield target, "shot"

    def free(self, side: str) -> tuple[str, str, str] | None:
        """The best attack that a side may make without moving: who, whom, how."""
        found = (one for one in self.trays if self.state.unit(one).side == side)
        ways = [(one, *way) for one in found for way in self.each(one) if way[1] != "charge"]
        return max(ways, key=lambda one: self.promised(*one), default=None)

    def arc(self, name: str, target: str, kind: str) -> str:
        """The zone of the target from which an attack comes: front, flank or rear."""
        own = self.report.units[name]
        if kind == "melee":
            found = self.state.arc(name, target) or "front"
        else:
            found = (own.charges if kind == "charge" else own.shots)[target].zone.arc
        return zone_of(found) if found in ARCS else "front"

    def promised(self, name: str, target: str, kind: str) -> float:
        """The chance that an attack comes to blows, times what it takes."""
        odds = self.odds(name, target, kind)
        if odds is None:
            return 0.0
        hurt, tokens = self.state.unit(target), self.state.unit(name).tokens
        total = self.chance(name, target, kind) * harm(hurt, odds[1], self.stakes.get(target, 0.0))
        total *= WEAKENED if "weakened" in tokens else 1.0
        total *= VULNERABLE if "vulnerable" in hurt.tokens else 1.0
        total *= PANICKED if "panicked" in hurt.tokens else 1.0
        return total - (self.fright(name, target) if kind == "shot" else 0.0)

    def fright(self, name: str, target: str) -> float:
        """What the tests of its friends cost a unit that shoots into their melee (TMG-SIM-2)."""
        friends = friends_at(self.state, self.state.unit(name), target)
        units = [self.state.unit(one) for one in friends]
        return sum(each_wound(one) * panic_wounds(self.state, one) for one in units)

    def chance(self, name: str, target: str, kind: str) -> float:
        """The chance that an attack comes to blows."""
        own = self.report.units[name]
        if kind == "charge":
            return own.charges[target].chance
        return 1.0 if kind == "melee" else own.shots[target].answer.chance

    def odds(self, name: str, target: str, kind: str) -> tuple[Attack, AttackOdds] | None:
        """The best weapon in such an attack, and its odds."""
        state, own = self.state, self.report.units[name]
        fitting = [one for one in state.unit(name).attacks if one.ranged is (kind == "shot")]
        effects = tuple[str, ...]()
        needs = own.charges[target].needs if kind == "charge" else None
        if kind == "charge":
            effects = own.charges[target].effects
        elif kind == "shot":
            effects = own.shots[target].effects
            fitting = [one for one in fitting if one.name == own.shots[target].attack]
        found = [
            (
                one,
                odds_for(
                    self.trays[name],
                    one,
                    self.trays[target],
                    edition=state.year,
                    zone=self.arc(name, target, kind),
                    charge=kind == "charge",
                    needs=needs,
                    effects=effects,
                    near=self.report.units[target].ground.morale.near,
                    wounds_each=state.unit(target).per_model,
                ),
            )
            for one in fitting
        ]
        return max(found, key=lambda one: one[1].mean, default=None)


def harm(target: UnitState, odds: AttackOdds, stake: float = 0.0) -> float:
    """What the wounds of an attack cost their target, with the objectives that hang on it."""
    full = whole_worth(target)
    share = odds.mean / max(1, target.total)
    return share * (0.7 * full + 0.3 * stake) + odds.destroys * (1.0 + 0.3 * full + 0.7 * stake)


def each_wound(unit: UnitState) -> float:
    """What a wound of a unit costs its side."""
    return 0.7 * whole_worth(unit) / max(1, unit.total)


def panic_wounds(state: GameState, unit: UnitState, modifier: int = 0) -> float:
    """The wounds that a panic test costs on average."""
    return float(panic_spread(PanicTest(unit.morale or 6, modifier, state.year)).mean)
