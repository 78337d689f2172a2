"""The pipeline runner: advances step by step until a player is needed, and lists the prompts."""

from __future__ import annotations

import json
from typing import Any

from companion.games.api.play import Pending, Refusal
from companion.games.tmg.play.commands.activations import ready
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    anytime,
    ask,
    command,
    no,
)
from companion.games.tmg.play.events import field_events, fight_events, flow_events
from companion.games.tmg.play.flow import attacks, dice_changes, panic_queue, scoring
from companion.games.tmg.play.flow.casualties import INHERIT, asked_token, token_asked
from companion.games.tmg.play.flow.dice_changes import roller
from companion.games.tmg.play.flow.steps import PlayStep, pipeline
from companion.games.tmg.play.state.game_state import (
    CLEAN_UP,
    OVER,
    Acting,
    AttackState,
    GameState,
    PendingTask,
    StandingRoll,
)
from companion.games.tmg.play.state.play_rules import SPENT
from companion.games.tmg.play.state.table_facts import targets_left
from companion.games.tmg.rules.combat.dice import lowest_face
from models.frozen_records import IdentityCache, replace
from models.message import joined, say


def waiting_at(state: GameState) -> Pending | None:
    """The prompt of the current step, if any."""
    step = pipeline(state.rules).get(state.step)
    return None if step is None or step.waits is None else step.waits(state)


WAITING = IdentityCache(waiting_at, at_most=8)


def following(state: GameState) -> PlayStep:
    """The step that comes next."""
    steps = pipeline(state.rules)
    if state.step == "ready":
        return steps["prepare"]
    if state.step == "end-of-turn" and any(ready(state, side) for side in state.side_names):
        return steps["turn-start"]
    if state.step == "turn-start":  # nobody chose a unit: a pass, or no unit left
        open_sides = (side for side in state.side_names if side not in state.passers)
        left = any(ready(state, side) for side in open_sides)
        return steps["turn-start" if left else "end-of-round"]
    if state.step == "first-player-token":
        return steps["round-marker"]
    names = list(steps)
    return steps[names[names.index(state.step) + 1]]


def go_on(context: CommandContext) -> None:
    """Go to the next step and run its `enter` function."""
    step = following(context.state)
    while step.enter is None and step.waits is not None:  # skip steps with nothing to wait for
        there = replace(context.state, step=step.name, phase=step.phase, done=())
        if step.waits(there) is not None:
            break
        step = following(there)
    first = context.state.chooser if step.name == "deploy" else context.state.active  # TMG-DEP-3
    context.add(flow_events.step, step=step.name, phase=step.phase, say_=step.say, active=first)
    if step.enter is not None:
        step.enter(context)


def step(context: CommandContext) -> bool:
    """One automatic step; False if a player is needed or the game is over."""
    state = context.state
    if state.phase == OVER:
        return False
    if state.attack is not None:
        return attack_step(context, state.attack)
    if state.trials or state.tasks:
        return False
    acting = state.acting
    if acting is not None and (acting.stage == "doing" or gone(state, acting)):  # TMG-ACT-3
        context.add(field_events.activation_ended, unit=acting.unit)
        return True
    if WAITING(state) is not None:
        return False
    go_on(context)
    return True


def attack_step(context: CommandContext, now: AttackState) -> bool:
    """The next step of an attack that needs no player; False if there is none."""
    state = context.state
    if attacks.pointless(state, now):
        context.add(fight_events.attack_ended, defender=now.defender, **attacks.told_end(now))
        return True
    if attacks.recount(context, now):
        return True
    if now.stage != "panic" or any(trial.after == "attack" for trial in state.trials):
        return False
    if state.rules.attack_completed_waits and now.attacker:
        context.add(fight_events.attack_completed, defender=now.defender)
        return False
    attacks.finish(context)
    return True


def gone(state: GameState, acting: Acting) -> bool:
    """Whether the unit that was to choose its action is no longer on the battlefield."""
    if acting.stage != "choose" or not state.has_unit(acting.unit):
        return False
    return not state.unit(acting.unit).standing


# -- prompts ----------------------------------------------------------------------------------


def attack_pending(state: GameState) -> Pending | None:
    """The prompt of the current attack, if any."""
    now = state.attack
    if now is None or now.stage == "panic":
        return None
    year = state.year
    verbs: tuple[str, ...] = ("roll", "modify", "attack-result")
    defender = attacks.owner(state, now.defender, now.by)
    if now.stage == "attack-dice":
        modifier = attacks.attack_modifier(now)
        facts = dice_facts(now.attacker, now.dice, now.hit, modifier)
        words = say(
            "{unit} rolls {n} attack die, hitting on {hit}+",
            "{unit} rolls {n} attack dice, hitting on {hit}+",
            unit=now.attacker,
            n=now.dice,
            hit=facts["face"],
        )
        if now.to_shoot and targets_left(state, now):
            verbs = (*verbs, "aim")
        return Pending("attack-dice", words, now.by, verbs, facts)
    if now.stage == "defense-dice":
        unit = state.unit(now.defender)
        facts = dice_facts(unit.id, now.hits, unit.defense, attacks.defense_modifier(now, year))
        words = say(
            "{unit} rolls {n} defense die, blocking on {defense}+",
            "{unit} rolls {n} defense dice, blocking on {defense}+",
            unit=now.defender,
            n=now.hits,
            defense=facts["face"],
        )
        return Pending("defense-dice", words, defender, verbs, facts)
    if now.stage == "completed":
        after = "the attack is completed: effects after it may be used now (TMG-ATK-17)"
        verbs = ("continue", "play", "order", "ability", "hits")
        facts = {"attacker": now.attacker, "defender": now.defender}
        return Pending("attack-completed", after, None, verbs, facts)
    assert now.roll is not None
    rule = "TMG-ATK-5, TMG-ATK-6" if now.roll.what == "attack" else "TMG-ATK-10, TMG-ATK-11"
    words = say("{what} dice lie: rerolls and effects now ({rule})", what=now.roll.what, rule=rule)
    owner = roller(state, None)
    facts = {
        "unit": owner,
        "faces": list(now.roll.faces),
        "may_spend": spendable(state, now.roll, owner),
        "rerolls": [] if rolled_test(state) else dice_changes.offered(state),
        "may_reroll": list(dice_changes.rerollers(state, now.roll, owner)),
    }
    return Pending(now.stage, words, None, ("reroll", "continue", "play"), facts)


def dice_facts(unit: str, count: int, need: int, modifier: int) -> dict[str, Any]:
    """The dice that a unit rolls: the printed value, its modifiers, and the face that counts."""
    face = lowest_face(need, modifier)
    return {"unit": unit, "dice": count, "need": need, "modifier": modifier, "face": face}


def rolled_test(state: GameState) -> bool:
    """Whether a test has been rolled: it is resolved before the attack that caused it."""
    return any(trial.roll is not None for trial in state.trials)


def spendable(state: GameState, roll: StandingRoll, name: str) -> list[str]:
    """Condition tokens that an opponent may spend on the rolled dice (TMG-CON-4..7)."""
    token = SPENT[roll.what]
    if state.has_unit(name) and token in state.unit(name).tokens:
        return [say("{token} on {unit}", token=token, unit=name)]
    return []


def pending(state: GameState) -> list[Pending]:
    """All prompts: everything the game waits for, most urgent first."""
    if state.phase == OVER:
        return []
    first = (panic_queue.MORALE_GROUND, "grant", "spent", "danger")  # TMG-TER-10: as it moves
    asked = [one for one in state.tasks if one.kind in first]
    found: list[Pending] = [task_pending(state, one) for one in asked]
    if token_asked(state) is not None:  # all dice wait for the answer
        return found
    for trial in state.trials:
        verbs: tuple[str, ...] = ("panic", "pass-test", "modify")
        if trial.roll is not None:
            verbs = ("reroll", "continue", "play")
        data: dict[str, Any] = panic_queue.trial_plain(trial, state.unit(trial.unit), state.rules)
        if trial.roll is not None:
            spent = spendable(state, trial.roll, trial.unit)
            data = {
                **data,
                "may_spend": spent,
                "rerolls": dice_changes.offered(state, trial.id),
                "may_reroll": list(dice_changes.may_reroll_still(state, trial.id)),
            }
        words = say(
            "{unit} takes a {kind} test: {causes}",
            unit=trial.unit,
            kind=trial.kind,
            causes=joined(trial.causes),
        )
        deciding = [*data.get("may_reroll", ()), state.unit(trial.unit).side]
        found.append(Pending("test", words, deciding[0], verbs, data))
    attack = attack_pending(state)
    if attack is not None:
        found.append(attack)
    found += [task_pending(state, one) for one in state.tasks if one not in asked]
    if not found and (waiting := WAITING(state)) is not None:
        found.append(waiting)
    return found


def task_pending(state: GameState, task: PendingTask) -> Pending:
    """A task as a prompt."""
    return Pending(task.kind, task.say, task.side or None, task.commands, task_facts(state, task))


def task_facts(state: GameState, task: PendingTask) -> dict[str, Any]:
    """The units of a task, by name."""
    facts: dict[str, Any] = {"task": task.id}
    if task.kind == "claim-token":
        return {**facts, "token": task.other, "units": task.unit.split(",")}
    if task.unit:
        facts["unit"] = task.unit
    if task.kind == "zone":
        facts["zone"] = task.other
        facts["known"] = state.rules.zone_effects
    elif task.kind in ("token", INHERIT):
        facts["token"] = task.other
    elif task.kind == "spent":
        facts["token"], counted = asked_token(task)
        facts |= {"counted": counted[0]} if counted else {}
    elif task.kind == "charge":
        facts["target"] = json.loads(task.other)[1]
    elif task.kind == panic_queue.MORALE_GROUND:
        facts |= {"keyword": task.other, "test": task.number}
    elif task.kind in ("danger", "crushed"):
        facts["piece"] = task.other
        facts |= {"sure": True} if task.number else {}
    elif task.kind == "elimination":
        facts["loser"] = task.other
    elif task.kind == "hand":
        held = len(state.player(task.other).hand)
        facts |= {"player": task.other, "limit": task.number, "discard": held - task.number}
    return facts


# -- continuing -------------------------------------------------------------------------------


@anytime(
    "continue",
    "go on: the dice stand, the effects are used, the step is done",
    ask("side", "side", "who is done; all where left out"),
    ask("test", "number", "the test whose dice stand; the first that is rolled where left out"),
)
def go(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Confirm whatever needs only the players' confirmation."""
    state = context.state
    side = state.side(given.need("side")).id if given.has("side") else ""
    wanted = given.whole("test", 1, 10**6) if given.has("test") else 0
    for trial in state.trials:
        if trial.roll is not None and wanted in (0, trial.id):
            if not lets_lie(context, side, trial.id):
                panic_queue.resolve(context, trial)
            return None
    if wanted:
        return no("TMG-PAN-7", "no such test is waiting")
    now = state.attack
    if now is not None and now.stage.endswith("rerolls"):
        if not lets_lie(context, side):
            attacks.accept(context)
        return None
    if now is not None and now.stage == "completed":
        attacks.finish(context)
        return None
    if now is not None or state.trials or state.tasks:
        waiting = pending(state)
        return no(
            "TMG-RND-24",
            say("first: {what}", what=waiting[0].say) if waiting else "something waits",
        )
    waiting_for = WAITING(state)
    if waiting_for is None or "continue" not in waiting_for.commands:
        return no("TMG-RND-24", "the step “{step}” waits for something else", step=state.step)
    if side and side in state.done:
        return no("TMG-RND-24", "{side} is done already", side=side)
    context.add(flow_events.went_on, side=side, step=state.step)
    return None


def lets_lie(context: CommandContext, side: str, test: int = 0) -> bool:
    """Whether one side is done with the dice and another still may reroll (TMG-RER-2)."""
    left = dice_changes.may_reroll_still(context.state, test)
    if not side or not any(one != side for one in left):
        return False
    context.add(fight_events.let_lie, side=side, test=test)
    return True


@command(
    "end-turn",
    "nobody wants to play anything more: the turn ends",
)
def end_turn(context: CommandContext, given: CommandFields) -> Refusal | None:
    """End turn step 4 (TMG-RND-7)."""
    if context.state.step != "end-of-turn":
        return no("TMG-RND-7", "the turn is not at its end")
    context.add(flow_events.went_on, side="", step="end-of-turn")
    return None


@command(
    "end-round",
    "clean up as far as nobody is needed: confirm points, discard nothing, draw, next round",
    phases=(CLEAN_UP,),
)
def end_round(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Run all of clean-up at once, logging each step; it stops where the players must first say
    in which quadrants the units stand (TMG-MODE-HWS-12)."""
    insists = context.state.step == "score"
    for _ in range(20):
        state = context.state
        if state.phase != CLEAN_UP or state.tasks or state.trials or state.attack:
            return None
        if state.step == "score" and scoring.quadrants_unknown(state) and not insists:
            context.remind(scoring.SAY_QUADRANTS)
            return None
        if state.step == "score":
            scoring.confirm(context)
        context.add(flow_events.went_on, side="", step=state.step)
        while step(context):
            pass
    return None
