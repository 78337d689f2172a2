"""Victory: points at the end of a round, round 6, remaining army points, the siege."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import CommandContext, CommandFields, anytime, ask, no
from companion.games.tmg.play.events import flow_events
from companion.games.tmg.play.flow.casualties import ELIMINATION
from companion.games.tmg.play.state.game_state import DRAW, OVER, SET_UP, GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import ROUNDS, goal_for
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.readings import Readings
from models.frozen_records import replace
from models.message import say


def goal(state: GameState) -> int:
    """The points needed to win; a team adds up the points of its armies (OR-38)."""
    team = max(1, len(state.players) // max(1, len(state.sides)))
    return goal_for(state.points * team)


def points_left(units: tuple[UnitState, ...], side: str) -> int:
    """The army points of a side that are still on the battlefield (TMG-VIC-5)."""
    return sum([unit.points for unit in units if unit.side == side and unit.standing])


def verdict(state: GameState) -> tuple[str, str] | None:
    """The winner at the end of this round and the reason, or None while the game continues."""
    sides = [side for side in state.sides if not side.eliminated]
    if play_of(state).siege:
        return siege_verdict(state)
    wanted = goal(state)
    ordered = sorted(sides, key=lambda side: -side.vp)
    there = [side for side in sides if side.vp >= wanted]
    if there:
        alone = len(there) == 1
        ahead = len(ordered) == 1 or ordered[0].vp > ordered[1].vp
        strict = (
            not state.rules.goal_needs_more
            and Readings.parse(state.readings).vp_goal == "nobody"  # OR-30
        )
        if ahead and (alone or not strict):
            return ordered[0].id, say(
                "{n} point, the goal is {goal} (TMG-VIC-1)",
                "{n} points, the goal is {goal} (TMG-VIC-1)",
                n=ordered[0].vp,
                goal=wanted,
            )
    if state.round < ROUNDS:
        return None
    most = say("most points after round {rounds} (TMG-VIC-4)", rounds=ROUNDS)
    return by_points(state, most)


def by_points(state: GameState, most: str) -> tuple[str, str]:
    """Who wins after the last round and the reason: by points, which are `most`, or army points."""
    sides = [side for side in state.sides if not side.eliminated]
    highest = max(side.vp for side in sides)
    best = [side for side in sides if side.vp == highest]
    if len(best) == 1:
        return best[0].id, most
    if not all(state.cost_known(unit) for unit in state.standing()):
        return DRAW, "points are equal, those of the units are not known: count them (TMG-VIC-5)"
    left = {side.id: points_left(state.units, side.id) for side in best}
    army = max(left.values())
    richest = [side for side, number in left.items() if number == army]
    if len(richest) == 1:
        return richest[0], say(
            "{n} army point left on the battlefield (TMG-VIC-5)",
            "{n} army points left on the battlefield (TMG-VIC-5)",
            n=army,
        )
    return DRAW, "points and army points are equal (TMG-VIC-6)"


def siege_verdict(state: GameState) -> tuple[str, str] | None:
    """The attacker wins by points, else the defender after round 6 (TMG-MODE-SOS-5, -6)."""
    attacker = next(side for side in state.sides if side.role == "attacker")
    defender = next(side for side in state.sides if side.role == "defender")
    wanted = goal(state)
    if attacker.vp >= wanted:
        return attacker.id, say(
            "{n} point, the goal is {goal} (TMG-MODE-SOS-5)",
            "{n} points, the goal is {goal} (TMG-MODE-SOS-5)",
            n=attacker.vp,
            goal=wanted,
        )
    if state.round >= ROUNDS:
        return defender.id, say(
            "the walls held for {n} round (TMG-MODE-SOS-6)",
            "the walls held for {n} rounds (TMG-MODE-SOS-6)",
            n=ROUNDS,
        )
    return None


def check(context: CommandContext) -> None:
    """Clean-up step 3: victory (TMG-RND-14)."""
    found = verdict(context.state)
    if found is not None:
        context.add(flow_events.won, side=found[0], how=found[1])


def out_without_units(state: GameState) -> bool:
    """Whether a side without a unit on the battlefield is out (TMG-VIC-7, OR-47)."""
    return not play_of(state).returning or Readings.parse(state.readings).last_unit == "out"


def decide_again(context: CommandContext) -> None:
    """After a correction of a finished game: another winner, another reason, or it goes on."""
    state = context.state
    if "TMG-" not in state.how:  # a side conceded: no correction changes that
        return
    if state.stopped:
        stop_here(context)
        return
    for side in state.playing:
        if not any(True for _ in state.standing(side)) and out_without_units(state):
            context.add(flow_events.eliminated, side=side)
    left = [side.id for side in context.state.sides if not side.eliminated]
    phase, step = state.ended
    found: tuple[str, str] | None = None
    if len(left) == 1:
        found = left[0], ELIMINATION
    elif step == "victory":
        found = verdict(context.state)
    if found is None:
        context.add(
            flow_events.reopened, phase=phase, step="end-of-turn" if step == "action" else step
        )
    elif found != (state.winner, state.how):
        context.add(flow_events.won, side=found[0], how=found[1])


@anytime(
    "concede",
    "a side gives up; in a game of two the other wins",
    ask("side", "side", "who gives up", required=True),
)
def concede(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Players may agree to end the game at any time."""
    side = context.state.side(given.need("side"))
    if side.eliminated:
        return no("TMG-VIC-7", "{side} is out already", side=side.id)
    left = context.state.opponents(side.id)
    if len(left) == 1:
        context.add(flow_events.won, side=left[0], how=say("{side} concedes", side=side.id))
        return None
    context.add(flow_events.eliminated, side=side.id, conceded=True)
    return None


@anytime(
    "stop",
    "all players agree to stop here: the points decide as after the last round",
)
def stop(context: CommandContext, given: CommandFields) -> Refusal | None:
    """An agreed end: who is ahead wins, as TMG-VIC-4..6 say."""
    if context.state.phase in (SET_UP, OVER):
        return no("TMG-VIC-4", "no round has been played")
    context.add(flow_events.stopped, round=context.state.round)
    stop_here(context)
    return None


def stop_here(context: CommandContext) -> None:
    """Count the points of a game that all players have agreed to stop."""
    state = context.state
    found = siege_verdict(replace(state, round=ROUNDS)) if play_of(state).siege else None
    told = say("most points when all agreed to stop (TMG-VIC-4)")
    found = found or by_points(state, told)
    if found != (state.winner, state.how):
        context.add(flow_events.won, side=found[0], how=found[1])
