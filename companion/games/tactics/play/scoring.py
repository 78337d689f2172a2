"""Victory points: objectives, captives, agendas, and who wins (TAC-END)."""

from __future__ import annotations

from companion.games.tactics.play.context import AGENDA_POINTS, BattleContext
from companion.games.tactics.play.events import board_events, turn_events
from companion.games.tactics.play.state import SkirmishState, battle_position
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.space_effects import controlled
from models.message import joined, say


def objective_points(state: SkirmishState) -> dict[str, list[tuple[str, int]]]:
    """The figures of each side that control objectives, and what they score (TAC-OBJ-4)."""
    position = battle_position(state)
    found: dict[str, list[tuple[str, int]]] = {side: [] for side in state.sides}
    for figure in position.figures:
        held = len(controlled(position, figure))
        if held:
            each = state.readings.objective_points == "per-objective"  # TAC-OR-27
            found[figure.side].append((figure.id, held if each else 1))
    return found


def held_words(state: SkirmishState, figure: str) -> str:
    """Which objectives a figure holds."""
    position = battle_position(state)
    held = [place(position, cell, figure) for cell in controlled(position, position.by_id[figure])]
    return say("{figure} holds {places}", figure=state.figure(figure).name, places=joined(held))


def objectives_held(state: SkirmishState) -> dict[str, int]:
    """The number of objectives that each side controls."""
    position = battle_position(state)
    held = dict.fromkeys(state.sides, 0)
    for figure in position.figures:
        held[figure.side] += len(controlled(position, figure))
    return held


MOST_CAPTIVES = say("the most captives")


def most_captives(state: SkirmishState) -> list[str]:
    """Who scores a point for the most captives at the end of the round (TAC-END-3)."""
    captives = {side: state.captives(side) for side in state.sides}
    most = max(captives.values())
    leaders = [side for side, count in captives.items() if count == most and most > 0]
    alone = len(leaders) == 1 or state.readings.captive_ties == "both"  # TAC-OR-22
    return leaders if alone else []


def score_round(ctx: BattleContext, scenario_points: dict[str, int]) -> None:
    """Steps 2 to 4 of the end phase (TAC-END-2 to -4)."""
    for side, lines in objective_points(ctx.state).items():
        for figure, points in lines:
            ctx.score(side, points, held_words(ctx.state, figure))
    for side in most_captives(ctx.state):
        ctx.score(side, 1, MOST_CAPTIVES)
    for side, points in scenario_points.items():
        ctx.score(side, points, say("the scenario"))


def score_last_round(ctx: BattleContext) -> None:
    """The agendas that count in the end phase of the last round (TAC-AGD-2, -4, -6, -8)."""
    for squad in ctx.state.squads:
        for card in squad.agenda:
            if agenda_met(ctx.state, squad.id, card):
                ctx.score(squad.id, AGENDA_POINTS, card)


def agenda_met(state: SkirmishState, side: str, card: str) -> bool:
    """Whether a secret agenda is fulfilled at the end of the battle."""
    foe = state.other(side)
    match card:
        case "A1":
            heroes = [one for one in state.of(side) if one.kind == "hero"]
            return not any(one.fate == "killed" or one.was_captive for one in heroes)
        case "A3":
            held = objectives_held(state)
            return held[side] > held[foe]
        case "A4":
            zone = state.scenario.zones.get(state.squad(foe).zone, frozenset())
            position = battle_position(state)
            inside = [
                one
                for one in position.figures
                if one.side == side
                and one.kind == "soldier"
                and any(cell in zone for cell in one.cells)
            ]
            return len(inside) >= 2
        case "A5":
            enemies = [one for one in state.of(foe) if one.kind != "soldier"]
            return bool(enemies) and all(one.fate == "killed" for one in enemies)
    return False


def finish(ctx: BattleContext, how: str) -> None:
    """The battle is over: the most points win, equal points are a draw (TAC-END-8, TAC-OR-22)."""
    for squad in ctx.state.squads:
        for card in squad.agenda:
            met = any((side, why) == (squad.id, card) for side, _, why in ctx.state.points)
            ctx.add(
                turn_events.agenda_shown, side=squad.id, player=squad.player, card=card, met=met
            )
    points = {squad.id: squad.vp for squad in ctx.state.squads}
    most = max(points.values())
    leaders = [side for side, vp in points.items() if vp == most]
    if len(leaders) == 1:
        name = ctx.player(leaders[0])
        ctx.add(board_events.over, winner=leaders[0], winner_name=name, how=how)
    else:
        ctx.add(board_events.over, winner="draw", winner_name=say("a draw"), how=how)
