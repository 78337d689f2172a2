"""The prompts of attacks and tests, with their numbers and dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.games.api.play import Pending
from companion.games.api.prompt import Choice, Fact, Look, Prompt
from companion.games.tmg.play.flow.attacks import (
    attack_modifier,
    defense_modifier,
    dice_abilities,
    out_of_range,
)
from companion.games.tmg.play.flow.panic_queue import test_of, tray_waits
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.state.game_state import AttackState, GameState, MoraleTrial
from companion.games.tmg.play.state.table_facts import shift_open
from companion.games.tmg.rules.combat.dice import count_hits, dice_rules, lowest_face, unblocked
from companion.games.tmg.screen import dice_requests
from companion.games.tmg.screen.dice_requests import attack_forecast, summed
from companion.games.tmg.screen.prompt_forms import waits_for_cards
from companion.text.verdicts import percent
from models.message import joined, say


def fight(state: GameState) -> AttackState:
    """The attack that waits for something."""
    assert state.attack is not None
    return state.attack


def attack_facts(state: GameState, now: AttackState) -> Iterator[Fact]:
    """What was filled in from the table: weapon, arc, charge bonus, abilities."""
    if out_of_range(state, now):
        yield Fact(say("out of range or sight from here: only if both agree"), "bad")
    if now.weapon:
        yield Fact(now.weapon)
    if now.zone != "front":
        yield Fact(ARCS.get(now.zone, say(now.zone)), "good")
    if now.bonus and now.stage == "attack-dice":
        yield Fact(CHARGES[dice_rules(state.year).bonus_rerolls_hits], "good")
    elif now.charge and now.stage == "attack-dice":  # TMG-BON-1: hindering ground, or disorder
        told = joined([LOST[one] for one in now.lost if one in LOST])
        why = say("charge: without its bonus, {why}", why=told)
        yield Fact(why if told else say("charge: without its bonus"), "bad")  # of older games
    yield from (Fact(say(name)) for name in now.abilities)
    for name, value in now.attack_mods:
        yield Fact(say("{value:+d} to hit: {name}", value=value, name=say(name)), tone_of(value))
    for name, value in now.defense_mods:
        told = say("{value:+d} to block: {name}", value=value, name=say(name))
        harms = now.stage.startswith("attack")  # the attacker reads it
        yield Fact(told, tone_of(-value if harms else value))


LOST = {
    "disorderly": say("it was disorderly"),
    "hindering": say("its way crosses Hindering ground"),
    "aligned": say("it ends on Hindering ground"),
}
"""What took the bonus of a charge (TMG-CHG-25, TMG-TER-14)."""
CHARGES = {
    True: say("charge: any dice may be rerolled (the chances: every miss once)"),
    False: say("charge: misses may be rerolled (the chances: every miss once)"),
}
"""What the charge bonus of an edition rerolls (TMG-BON-1)."""
ARCS = {
    "flank": say("into the flank"),
    "left": say("into the left flank"),
    "right": say("into the right flank"),
    "rear": say("into the rear"),
}


def tone_of(value: int) -> Any:
    return "good" if value > 0 else "bad"


def title_of(now: AttackState, names: GameNames) -> str:
    if now.attacker:
        return say(
            "{unit} against {target}", unit=names.of(now.attacker), target=names.of(now.defender)
        )
    return say("Hits on {unit}", unit=names.of(now.defender))


def attack_dice_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The attack dice are to be rolled, unless effects have taken all of them."""
    now = fight(state)
    if not now.dice:
        none = Choice(say("Continue"), ({"do": "roll", "keep": True},), "primary")
        text = say("No die is left: nothing hits.")
        return replace(prompt, title=title_of(now, names), text=text, choices=(none,))
    others = [one for one in prompt.choices if one.commands[0]["do"] == "aim"]
    if others and out_of_range(state, now) and not shift_open(state, now):
        return lost_target_card(state, names, prompt, others)
    return replace(
        prompt,
        title=title_of(now, names),
        text=say(
            "Roll {n} die: it hits on {hit}+.",
            "Roll {n} dice: they hit on {hit}+.",
            n=now.dice,
            hit=lowest_face(now.hit, attack_modifier(now)),
        ),
        facts=(*attack_facts(state, now), *forecast(state, now)),
        dice=dice_requests.attack_dice(state, now),
        pieces=(now.attacker, now.defender) if now.attacker else (now.defender,),
    )


def lost_target_card(
    state: GameState, names: GameNames, prompt: Prompt, others: list[Choice]
) -> Prompt:
    """The shift ended where the target is out of range or sight, but not others: one of them, or
    what all players agree to (TMG-RNG-7)."""
    now = fight(state)
    look: Look = "primary" if len(others) == 1 else "shown"
    lost = {"target": names.of(now.defender)}
    dice = dice_requests.attack_dice(state, now)
    text = say("Both agree: it shoots at {target} all the same", **lost)
    agreed = Choice(text, (dice.command,), "quiet", dice=dice)
    rest = [one for one in prompt.choices if one not in others]
    return replace(
        prompt,
        title=title_of(now, names),
        text=say("{target} is out of range or sight from here: choose another target.", **lost),
        facts=(Fact(now.weapon),),
        choices=(*(replace(one, look=look) for one in others), *rest, agreed),
        pieces=(now.attacker, *(one.piece for one in others)),
    )


def forecast(state: GameState, now: AttackState) -> Iterator[Fact]:
    """What the attack may be expected to do."""
    if told := attack_forecast(state, now):
        yield Fact(told)


def defense_dice_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The defense dice are to be rolled."""
    now = fight(state)
    return replace(
        prompt,
        title=title_of(now, names),
        text=say(
            "{unit}: roll {n} die, it blocks on {need}+.",
            "{unit}: roll {n} dice, they block on {need}+.",
            unit=names.of(now.defender),
            n=now.hits,
            need=lowest_face(state.unit(now.defender).defense, defense_modifier(now, state.year)),
        ),
        facts=tuple(attack_facts(state, now)),
        dice=dice_requests.defense_dice(state, now),
        pieces=(now.defender,),
    )


def attack_rerolls_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The attack dice lie: reroll, or continue."""
    now = fight(state)
    assert now.roll is not None
    found = count_hits(now.roll.faces, now.hit, attack_modifier(now), dice_abilities(now))
    number = found.hits + found.sure_wounds
    text = reroll_text(state, names, one, say("{n} hit", "{n} hits", n=number))
    return replace(prompt, title=title_of(now, names), text=text, rolled=now.roll.faces)


def reroll_text(state: GameState, names: GameNames, one: Pending, result: str) -> str:
    """What the dice that lie amount to before rerolls, and who may still reroll (TMG-RER-2)."""
    sides = one.data["may_reroll"]
    if not sides and waits_for_cards(state, one):
        told = {"result": result, "name": names.of(state.active)}
        return say("{result} so far: a card, or continue? {name} rerolls first.", **told)
    if not sides:
        return result
    name = names.of(str(sides[0]))
    return say("{result} so far. {name}: reroll or let it lie?", result=result, name=name)


def defense_rerolls_card(
    state: GameState, names: GameNames, one: Pending, prompt: Prompt
) -> Prompt:
    """The defense dice lie: reroll, or continue."""
    now = fight(state)
    assert now.roll is not None
    need = state.unit(now.defender).defense
    through = unblocked(now.roll.faces, need, defense_modifier(now, state.year))
    text = reroll_text(state, names, one, say("{n} wound", "{n} wounds", n=through + now.sure))
    return replace(prompt, title=title_of(now, names), text=text, rolled=now.roll.faces)


# -- tests ----------------------------------------------------------------------------------------


def trial_of(state: GameState, one: Pending) -> MoraleTrial:
    return next(trial for trial in state.trials if trial.id == one.data["test"])


def test_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A panic or morale test is to be rolled, or its dice lie."""
    trial = trial_of(state, one)
    unit, name = state.unit(trial.unit), names.of(trial.unit)
    title = (
        say("Panic test: {unit}", unit=name)
        if trial.kind == "panic"
        else say("Morale test: {unit}", unit=name)
    )
    facts = [Fact(say("Morale {n}+", n=unit.morale or 2))]
    facts += [
        Fact(say("{value:+d}  {cause}", value=value, cause=names.spelled(say(key))), tone_of(value))
        for key, value in one.data["modifiers"].items()
    ]
    if trial.extra:
        wounds = say("{value:+d} wounds if it fails", value=trial.extra)
        facts.append(Fact(wounds, tone_of(-trial.extra)))
    prompt = replace(prompt, title=title, pieces=(trial.unit,))
    if trial.roll is not None:
        total = trial.roll.faces[0] + trial.roll.faces[1]
        test = test_of(trial, unit, state.rules)
        told = summed(total, test.result(total), test.modifier)
        shown = {"result": told, "morale": test.morale}
        result = (
            say("Passed ({result} against {morale}+)", **shown)
            if test.passes(total)
            else say("Failed ({result} against {morale}+)", **shown)
        )
        text = reroll_text(state, names, one, result)
        two, d3 = trial.roll.faces[:2], trial.roll.faces[2:]
        if not test.passes(total):  # else nobody has rolled it
            facts += [Fact(say("the D3 shows {n}", n=face)) for face in d3]
        return replace(prompt, text=text, rolled=two, facts=tuple(facts))
    chance = float(one.data["chance"])
    facts.append(Fact(say("{chance} to pass", chance=percent(chance)), "good", chance))
    dice = dice_requests.test_dice(state, trial)
    if tray_waits(state, trial):
        text = say("First put its tray where its move ended: the ground there counts.")
        all_the_same = Choice(say("Roll before that"), (dice.command,), "quiet", dice=dice)
        return replace(prompt, text=text, facts=tuple(facts), choices=(all_the_same,))
    return replace(prompt, text=say("Roll two dice."), facts=tuple(facts), dice=dice)
