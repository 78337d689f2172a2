"""How a battle goes on by itself: attacks step by step, deaths, turns, the end of a round."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.play.context import BattleContext
from companion.games.tactics.play.defence import (
    aftermaths,
    attack_question,
    defence_effects,
    defence_modifier,
    worded_defences,
)
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.motivations import ask_motivation
from companion.games.tactics.play.scoring import finish, score_last_round, score_round
from companion.games.tactics.play.setup import free_cells
from companion.games.tactics.play.state import (
    MOST_ACTIONS,
    OVER,
    ROUND,
    AttackInPlay,
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    battle_position,
    board_figure,
)
from companion.games.tactics.rules.attack_odds import SHAKEN, AttackQuestion, reaches, ten_hits
from companion.games.tactics.rules.movement import surge_ends
from models.board import cell_text
from models.message import say

POINTS_PER_ROUND_WITHOUT_FIGURES = 2
"""What the opponent of a player without figures scores for each round left (TAC-END-11)."""


def step(ctx: BattleContext) -> bool:
    """One automatic step; False if there is none, or the players are asked."""
    state = ctx.state
    if state.phase == OVER or state.tasks:
        return False
    if ask_motivation(ctx):
        return True
    if state.attack is not None:
        # Who dies at the end of the action does not die before a battle that ends at once.
        if not eliminated(ctx):
            advance_attack(ctx, state.attack)
        return True
    if bury(ctx):
        return True
    if eliminated(ctx):
        return True
    if state.granted is not None and (
        state.granted.ap < 1 or not ctx.figure(state.granted.figure).on_board
    ):
        ctx.add(turn_events.grant_ended)
        return True
    if state.phase != ROUND:
        return False
    now = state.activation
    if now is not None:
        gone = not ctx.figure(now.figure).on_board
        spent = now.ap < 1 and (now.free or now.spent + now.free >= MOST_ACTIONS)
        if state.granted is None and (gone or spent):
            end_activation(ctx)
            return True
        return False
    return next_turn(ctx)


# -- turns ----------------------------------------------------------------------------------------


def can_activate(state: SkirmishState, side: str) -> bool:
    """Whether a player still has a turn: a copper star and a figure (TAC-RND-3, -5, -6)."""
    if state.squad(side).coins.copper < 1:
        return False
    if any(one.on_board and not one.activated for one in state.of(side)):
        return True
    # A waiting figure needs a free place in its zone (TAC-SET-11).
    waiting = (one for one in state.of(side) if one.fate == "waiting")
    return state.round == 1 and any(free_cells(state, one) for one in waiting)


def end_activation(ctx: BattleContext) -> None:
    """The activation ends, and the turn passes to the opponent if there is one for them."""
    state = ctx.state
    if state.activation is None:
        ctx.add(turn_events.activation_ended)
    else:
        acted = state.figure(state.activation.figure)
        about = {"figure": acted.id, "name": acted.name, "side": acted.side}
        ctx.add(turn_events.activation_ended, **about)
    pass_turn(ctx)


def pass_turn(ctx: BattleContext) -> None:
    """Turns alternate while both can activate; the end phase is nobody's (TAC-RND-1, -7)."""
    side = ctx.state.active
    other = ctx.state.other(side)
    if can_activate(ctx.state, other):
        ctx.add(turn_events.turn, side=other)
    elif can_activate(ctx.state, side):
        ctx.add(turn_events.turn, side=side, again=True)


def next_turn(ctx: BattleContext) -> bool:
    """Whose turn it is without an activation; the end phase if nobody can activate."""
    state = ctx.state
    if can_activate(state, state.active):
        return False
    other = state.other(state.active)
    if can_activate(state, other):
        ctx.add(turn_events.turn, side=other)
        return True
    if state.round == 1:
        for figure in state.figures:
            if figure.fate == "waiting":  # TAC-SET-13
                kill(ctx, figure)
    if not eliminated(ctx):
        ctx.add(board_events.end_phase, round=state.round)
    return True


# -- attacks --------------------------------------------------------------------------------------


def advance_attack(ctx: BattleContext, attack: AttackInPlay) -> None:
    """The next step of an attack that needs no decision, or the task that it waits for."""
    state = ctx.state
    attacker, target = state.figure(attack.attacker), state.figure(attack.target)
    match attack.stage:
        case "declared":
            ctx.wait_for("attack-roll", attacker.side, attacker.id, dice=attack.dice)
        case "rolled":
            if attack.hits == 0:
                ctx.add(fight_events.attack_stage, stage="aftermath")
            elif defence_effects(state, target) or worded_defences(state, target):
                ctx.wait_for("defend", target.side, target.id)
            else:
                modifier = defence_modifier(state, target)
                ctx.add(
                    fight_events.defence_chosen,
                    name=target.name,
                    effects=say("no ability"),
                    modifier=modifier,
                )
        case "chosen":
            count = defence_dice(state, attack)
            if count:
                ctx.wait_for("defence-roll", target.side, target.id, dice=count)
            else:
                sure = attack.hits - rollable(state, attack)
                ctx.add(
                    fight_events.defence_rolled,
                    side=target.side,
                    faces=[],
                    defended=0,
                    wounds=sure,
                    name=target.name,
                    by=attacker.name,
                )
        case "defended":
            if attack.wounds:
                ctx.suffer(target, attack.wounds)
            ctx.add(fight_events.attack_stage, stage="aftermath")
        case "aftermath":
            ctx.add(fight_events.attack_stage, stage="answer")
            if aftermaths(state, attack, attacker.id):
                ctx.wait_for("aftermath", attacker.side, attacker.id, alone=True)
        case "answer":
            ctx.add(fight_events.attack_stage, stage="fate")
            if aftermaths(state, attack, target.id):
                ctx.wait_for("aftermath", target.side, target.id, alone=True)
        case "fate":
            ctx.add(fight_events.attack_stage, stage="surge")
            decide_fate(ctx, attack)
        case "surge":
            ctx.add(fight_events.attack_stage, stage="done")
            offer_surge(ctx)
        case _:
            ctx.add(fight_events.attack_ended)


def rollable(state: SkirmishState, attack: AttackInPlay) -> int:
    """The hits that may be defended; the additional ones of natural 10s by reading (TAC-OR-14)."""
    if state.readings.natural_ten_dice == "defended":
        return attack.hits
    return attack.hits - attack.tens


def defence_dice(state: SkirmishState, attack: AttackInPlay) -> int:
    """One die per hit that was not cancelled (TAC-ATK-9)."""
    return max(0, rollable(state, attack) - attack.cancels)


def judged(faces: list[int], needed: int, modifier: int, fixed: int | None = None) -> list[bool]:
    """Which dice reach a result, each on its own (TAC-DIE-2); the one at `fixed` was set to 10 and
    is no natural 10."""
    return [
        10 + modifier >= needed if at == fixed else reaches(face, needed, modifier)
        for at, face in enumerate(faces)
    ]


def count_hits(
    state: SkirmishState, attack: AttackInPlay, faces: list[int], fixed: int | None = None
) -> tuple[int, int]:
    """The hits of an attack roll, and those of them that natural 10s add (TAC-ATK-7, TAC-DIE-4)."""
    needed = attack.attack.hit
    tens = sum(face == 10 and at != fixed for at, face in enumerate(faces))
    added = tens * (hits_of_ten(state, attack) - 1)
    return sum(judged(faces, needed, attack.modifier, fixed)) + added, added


def hits_of_ten(state: SkirmishState, attack: AttackInPlay) -> int:
    """How often a natural 10 of this attack hits: twice, or once by reading (TAC-OR-43)."""
    return ten_hits(attack.attack.hit, ten_modifier(state, attack))


def ten_modifier(state: SkirmishState, attack: AttackInPlay) -> int | None:
    """What is added to the natural 10s of an attack; None if they always hit (TAC-OR-43)."""
    if state.readings.natural_ten == "always":
        return None
    return attack.modifier - (SHAKEN if state.figure(attack.attacker).shaken else 0)


def running_question(state: SkirmishState, attack: AttackInPlay) -> AttackQuestion:
    """The running attack as a question for the odds."""
    attacker, target = state.figure(attack.attacker), state.figure(attack.target)
    question = attack_question(state, battle_position(state), attacker, target, attack.attack)
    return replace(
        question,
        dice=attack.dice,
        attack_mod=attack.modifier,
        ten_mod=ten_modifier(state, attack),
        fatal=attack.dagger,
        attack_charm=attack.charm,
        attack_powder=attack.powder,
    )


def decide_fate(ctx: BattleContext, attack: AttackInPlay) -> None:
    """The defender without health dies in step 9 (TAC-CRD-6), or is captured, or loses its mount
    (TAC-OR-19)."""
    state = ctx.state
    target, attacker = state.figure(attack.target), state.figure(attack.attacker)
    fatal = attack.dagger and attack.wounds > 0
    if not target.on_board or (target.left > 0 and not fatal):
        return
    if target.foot is not None:
        ctx.wait_for("unhorse", target.side, target.id)
    elif not fatal and may_capture(state, attacker, target, attack):
        ctx.wait_for("fate", attacker.side, target.id)
    else:
        kill(ctx, target, attacker.id)


def may_capture(
    state: SkirmishState, attacker: FigureInPlay, target: FigureInPlay, attack: AttackInPlay
) -> bool:
    """A hero or veteran defeated in melee, by a captor without a captive (TAC-CAP-1, -4..-6)."""
    holds = any(one.captor == attacker.id for one in state.figures)
    return (
        attack.attack.kind == "melee"
        and target.card.is_character
        and target.card.size == 1
        and not holds
        and attacker.on_board
    )


def offer_surge(ctx: BattleContext) -> None:
    """The attacker may surge after a kill in melee (TAC-ATK-16)."""
    attack = ctx.state.attack
    assert attack is not None
    attacker = ctx.figure(attack.attacker)
    if not attack.killed or attack.attack.kind != "melee":
        return
    if not attacker.on_board or attacker.left < 1 or beaten(ctx.state):
        return
    position = battle_position(ctx.state)
    ends = surge_ends(position, position.by_id[attacker.id], attack.cells)
    if ends:
        ctx.wait_for(
            "surge", attacker.side, attacker.id, cells=[cell_text(cell) for cell in sorted(ends)]
        )


# -- death ----------------------------------------------------------------------------------------


def bury(ctx: BattleContext) -> bool:
    """Figures whose wounds reached their health die at the end of the action (TAC-STA-7)."""
    for figure in ctx.state.figures:
        if figure.on_board and figure.left < 1:
            if figure.foot is not None:  # only the mount dies (TAC-FIG-11)
                ctx.wait_for("unhorse", figure.side, figure.id)
            else:
                kill(ctx, figure)
            return True
    return False


def kill(ctx: BattleContext, figure: FigureInPlay, by: str = "") -> None:
    """A figure leaves the battle; its captives are free before anybody surges (TAC-CAP-7)."""
    cells = board_figure(figure).cells if figure.on_board else ()
    killer = ctx.figure(by) if by else None
    told = {"by_name": killer.name, "by_side": killer.side} if killer is not None else {}
    spaces = [cell_text(cell) for cell in cells]
    ctx.note(fight_events.killed, figure, by=by, cells=spaces, **told)
    remind_of_kill(ctx, figure, by)
    release(ctx, figure, spaces)


def release(ctx: BattleContext, captor: FigureInPlay, cells: list[str]) -> None:
    """The captives of a removed figure return; a large captor leaves a choice (TAC-OR-21, -41)."""
    owner_chooses = ctx.state.readings.freed_captive == "owner"
    for captive in ctx.state.figures:
        if captive.captor == captor.id and cells:
            if len(cells) == 1:
                ctx.note(fight_events.freed, captive, cell=cells[0])
            else:
                side = captive.side if owner_chooses else captor.side
                ctx.wait_for("free", side, captive.id, cells=cells)


def remind_of_kill(ctx: BattleContext, victim: FigureInPlay, by: str) -> None:
    """Nemesis tokens that this kill may score (TAC-GEN-12)."""
    if by and victim.id in ctx.figure(by).nemeses:
        ctx.remind(say("{figure} has killed a nemesis: score it", figure=ctx.figure(by).name))


def eliminated(ctx: BattleContext) -> bool:
    """A player without figures ends the battle at once (TAC-END-10, -11)."""
    state = ctx.state
    if state.phase == OVER or state.round < 1:
        return False
    lost = beaten(state)
    if not lost:
        return False
    left = state.scenario.rounds - state.round + 1
    for squad in lost:  # both, if their last figures die at the end of the same action
        other = state.other(squad.id)
        ctx.score(other, POINTS_PER_ROUND_WITHOUT_FIGURES * left, say("no enemy is left"))
    player = lost[0].player if len(lost) == 1 else ""
    if state.paper:  # agendas on paper are counted first (TAC-END-6, -8)
        ctx.wait_for("battle-end", "", player=player)
    else:
        finish(ctx, without_figures(player))
    return True


def without_figures(player: str) -> str:
    """How the battle ended early: a player, or nobody, has figures left (TAC-END-10)."""
    if not player:
        return say("nobody has figures left")
    return say("{player} has no figures left", player=player)


def beaten(state: SkirmishState) -> list[SquadInPlay]:
    """The squads that have no figures left."""
    alive = {one.side for one in state.figures if one.fate in ("board", "waiting")}
    return [one for one in state.squads if one.id not in alive]


# -- end of a round -------------------------------------------------------------------------------


def end_round(ctx: BattleContext, scenario_points: dict[str, int]) -> None:
    """The end phase: points, then the next round or the end of the battle (TAC-END-1 to -9)."""
    state = ctx.state
    score_round(ctx, scenario_points)
    if state.round >= state.scenario.rounds:  # TAC-END-6, TAC-END-7
        score_last_round(ctx)
        finish(ctx, say("the last round is over"))
        return
    kept = {}
    if state.readings.gained_copper == "kept":  # TAC-OR-30
        for squad in state.squads:
            kept[squad.id] = max(0, squad.coins.copper - squad.stock.copper)
    ctx.add(board_events.copper_returned, kept=kept)
    # One hand-over of the start marker per round (TAC-RND-11, TAC-OR-42).
    ctx.add(turn_events.round_began, round=state.round + 1, first=state.other(state.first))
