"""What the miniatures game waits for, as cards: a question, its facts, dice and buttons.

Nothing is decided here: the buttons are the options that the game itself has tried
(`play/views/prompt_options.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from companion.games.api.authority import authorised
from companion.games.api.play import Pending, Plain, Refusal
from companion.games.api.prompt import Choice, Entry, Fact, Look, Prompt, PromptForm
from companion.games.tmg.play.authority import authority
from companion.games.tmg.play.card_moments import card_moments
from companion.games.tmg.play.commands.missions import ALWAYS, HAND_OF_MISSIONS, numbers
from companion.games.tmg.play.flow.attacks import attack_modifier, defense_modifier, dice_abilities
from companion.games.tmg.play.flow.casualties import INHERIT
from companion.games.tmg.play.flow.dice_changes import standing_roll, too_late
from companion.games.tmg.play.flow.panic_queue import test_of
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.names import GameNames, names_of
from companion.games.tmg.play.phase_play import PHASES
from companion.games.tmg.play.prompt_options import beside
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    MoraleTrial,
)
from companion.games.tmg.play.state.play_rules import MISSIONS, OBJECTIVE_CARDS
from companion.games.tmg.rules.combat.dice import count_hits, dice_rules, lowest_face, unblocked
from companion.games.tmg.screen import dice_requests
from companion.games.tmg.screen.board_pages import ZONE_WORDS, card_beside, zone_effect
from companion.games.tmg.screen.choice_words import FIRST, REROLLS, choice
from companion.games.tmg.screen.dice_requests import attack_forecast, summed
from companion.text.translation import numbers_in, unnumbered
from companion.text.verdicts import percent
from models.frozen_records import IdentityCache
from models.message import joined, say

UNLISTED = frozenset(("roll", "panic", "action", "objective", "mission", "quadrants"))
"""Commands with an input of their own: dice, offers, the score page."""
MOST_CHOICES = 40
"""A prompt with more ways than this has a page that answers it better."""

TITLES = {
    "ready": (say("The table is set up"), say("Everything in its place? Then begin.")),
    "roles": (say("Attacker and defender"), say("Who attacks the castle, who defends it?")),
    "mark-zones": (say("Deployment zones"), say("Mark the zones of the mode, then continue.")),
    "tokens": (say("Objectives"), say("Place what the mode puts on the table, then continue.")),
    "terrain": (say("Terrain"), say("Take turns placing terrain, then continue.")),
    "zones": (say("Deployment zones"), say("Choose a zone.")),
    "first-player": (say("First player"), say("Who goes first?")),
    "cards-chosen": (say("Objective cards"), say("Choose a card for the commander.")),
    "missions-chosen": (say("Missions"), say("Choose a hand of six missions, 11 and 12 included.")),
    "reserves": (say("Reserves"), say("Which units start in reserve?")),
    "deploy": (say("Deployment"), say("Deploy a unit in your zone.")),
    "marks": (say("Marked units"), say("Mark an enemy unit.")),
    "redeploy": (say("Units return"), say("Which units come back to the table?")),
    "missions": (say("Missions"), say("Reveal a mission.")),
    "end-of-turn": (say("End of the turn"), say("Anyone may still play a card or use an ability.")),
    "end-of-round": (
        say("End of the round"),
        say("Resolve what happens at the end of the round, then continue."),
    ),
    "score": (say("Points of this round"), say("Check who holds what, then confirm.")),
    "discard": (say("Discard cards"), say("Everyone may discard tactics cards.")),
    "attack-completed": (
        say("The attack is over"),
        say("Effects that follow an attack may be used now."),
    ),
    "pile": (say("Corpse pile"), say("Place a corpse pile where the unit stood.")),
    "token": (say("Objective"), say("Place the objective on the table.")),
    "wall-hits": (say("Castle wall"), say("The wall strikes whoever stands on its objective.")),
}
NO_ATTACK = say("none of your units can attack now")
PAGES = {"score": "score", "discard": "cards", "hand": "cards", "zone": "board"}


def prompts(state: GameState, seat: str | None) -> tuple[Prompt, ...]:
    """Everything the game waits for, most urgent first."""
    return CACHED(state, seat or "")


def prompts_for(state: GameState, seat: str) -> tuple[Prompt, ...]:
    names = names_of(state)
    found = (card(state, names, one, options(state, one, seat), seat) for one in pending(state))
    return authorised(found, partial(authority, state))


CACHED = IdentityCache(prompts_for, at_most=8)


def options(state: GameState, one: Pending, seat: str) -> list[dict[str, Any]]:
    """The commands that answer a prompt, except those with an input of their own.

    What a unit may do is not tried here but by its offers: it costs more than all the rest.
    """
    listed = tuple(word for word in one.commands if word not in UNLISTED)
    return list(beside(state, replace(one, commands=listed), seat or None)["options"])


def card(
    state: GameState, names: GameNames, one: Pending, commands: list[dict[str, Any]], seat: str
) -> Prompt:
    answers = tuple(choices(state, names, one, commands))
    answering = {choice.piece for choice in answers}
    prompt = Prompt(
        id=one.what,
        title=say("What now?"),
        seats=(one.side,) if one.side else (),
        pieces=tuple(piece for piece in pieces(one) if piece in answering),
        choices=answers,
        forms=tuple(forms(state, names, one, seat)),
        page=PAGES.get(one.what, ""),
        hidden=waits_for_cards(state, one),
        rule=", ".join(numbers_in(one.say)),
        data=one.data,
    )
    if one.what in CARDS:
        return CARDS[one.what](state, names, one, prompt)
    if one.what in TITLES:
        title, text = TITLES[one.what]
        return replace(prompt, title=title, text=text)
    return replace(prompt, text=names.spelled(unnumbered(one.say)))


def pieces(one: Pending) -> Iterator[str]:
    """The units that a prompt asks for or is about."""
    yield from one.data.get("units") or ()
    for key in ("unit", "attacker", "defender", "target"):
        if one.data.get(key):
            yield str(one.data[key])


def choices(
    state: GameState, names: GameNames, one: Pending, commands: list[dict[str, Any]]
) -> Iterator[Choice]:
    """The buttons: rerolls first, then decisions, then what goes on; quiet ones at the end."""
    listed = [one for one in commands if one["do"] != "reroll" or first_of_its_kind(one, commands)]
    if one.what == "action" and "action" in one.commands:
        listed.append({"do": "action", "action": "forgo"})
    if len(listed) > MOST_CHOICES:
        return
    free = any(command["do"] == "reroll" for command in listed)
    alone = [command for command in listed if command["do"] in FIRST]
    found = []
    moments = {player.id: card_moments(state, player) for player in state.players}
    for command in listed:
        look: Look = "plain"
        if command["do"] == "play" and not command.get("name"):
            waits = moments[command["player"]].get(command["card"]) is False
            look = "folded" if waits else "shown"
        elif command["do"] in ("claim", "zone-effect", "play") and not command.get("skip"):
            look = "shown"
        elif command["do"] == "order":  # nobody knows when its moment is
            look = "folded"
        if (
            command is (alone[0] if alone else None)
            and not free
            or command["do"] == "score"
            and command.get("confirm")
        ):
            look = "primary"
        found.append(choice(state, names, command, look))
        if command == {"do": "continue"} and one.what in WITH_NEXT:
            found += with_next(state, command)
    if any(button.look == "primary" and len(button.commands) > 1 for button in found):
        found = [
            replace(one, look="quiet") if len(one.commands) == 1 and one.look == "primary" else one
            for one in found
        ]
    order = {"reroll": 0}
    yield from sorted(
        found,
        key=lambda button: (
            button.look in ("quiet", "folded"),
            order.get(str(button.commands[0]["do"]), 1 + (button.look == "primary")),
        ),
    )


def first_of_its_kind(reroll: Plain, commands: list[dict[str, Any]]) -> bool:
    """Whether no reroll before it is by the same side and effect: a form chooses single dice."""
    same = (one for one in commands if one["do"] == "reroll")
    return reroll == next(
        one for one in same if (one["side"], one["because"]) == (reroll["side"], reroll["because"])
    )


WITH_NEXT = frozenset(("attack-rerolls", "defense-rerolls", "test", "attack-completed"))
"""Prompts that players mostly leave by Continue: with what comes next it is one tap less."""


def with_next(state: GameState, command: Plain) -> Iterator[Choice]:
    """Continue in one tap with the next roll, or with the end of the turn."""
    decision = PHASES.decide(state, command)
    if isinstance(decision, Refusal):
        return
    for event in decision.events:
        state = PHASES.apply(state, event)
    following = next(iter(pending(state)), None)
    if following is None:
        return
    if following.what == "end-of-turn":
        last = {"do": "end-turn"}
        yield Choice(say("Continue and end the turn"), (command, last), "primary")
    elif following.what == "defense-dice" and state.attack is not None:
        dice = dice_requests.defense_dice(state, state.attack)
        text = say("Continue and roll the defense dice")
        yield Choice(text, (command, dice.command), dice=dice)
    elif following.what == "test":
        trial = trial_of(state, following)
        if trial.roll is None:
            dice = dice_requests.test_dice(state, trial)
            text = say("Continue: {unit} must test", unit=names_of(state).of(trial.unit))
            yield Choice(text, (command, dice.command), dice=dice)


def forms(state: GameState, names: GameNames, one: Pending, seat: str) -> Iterator[PromptForm]:
    """What players enter themselves: a result worked out by hand, an effect of a card."""
    if "attack-result" in one.commands:
        entry = Entry("wounds", say("Wounds before the panic test"), "number", most=60, value=0)
        yield PromptForm(
            say("Enter the wounds only"), {"do": "attack-result"}, (entry,), look="quiet"
        )
    if "pass-test" in one.commands:
        why = Entry("why", say("Which effect?"), "text")
        command = {"do": "pass-test", "test": one.data["test"]}
        yield PromptForm(say("Passed without a roll"), command, (why,), look="quiet")
    if one.data.get("rerolls"):
        yield from reroll_forms(state, one)
    lies = one.what in ("attack-rerolls", "defense-rerolls") and waits_for_cards(state, one)
    if "modify" in one.commands or lies:
        yield modify_form(state, one)
    if "ability" in one.commands:
        entries = (
            Entry("unit", say("Whose ability?"), "option", units_of(state, names, seat)),
            Entry("name", say("Which ability?"), "text"),
        )
        by = (seat,) if seat else ()
        yield PromptForm(say("Use an ability"), {"do": "ability"}, entries, look="quiet", by=by)
    if "hits" in one.commands:
        yield hits_form(state, names)
    asked = one.what == "score" or (one.what == "turn-start" and state.round == 1)
    if asked and any(token.card for token in state.tokens):
        yield objective_form(state, names)
    if "missions" in one.commands:
        yield from mission_forms(state, names, one)


def waits_for_cards(state: GameState, one: Pending) -> bool:
    """Whether somebody may hold a card to play now."""
    return "play" in one.commands and any(player.hand for player in state.players)


def reroll_forms(state: GameState, one: Pending) -> Iterator[PromptForm]:
    """Any of the dice that an effect lets a side reroll (TMG-BON-1, TMG-CON-5..7)."""
    found = standing_roll(state, int(one.data.get("test", 0)))
    faces = found[0].faces if found is not None else ()
    widest: dict[tuple[str, str], Plain] = {}
    for known in one.data["rerolls"]:
        key = known["side"], known["because"]
        if len(known["places"]) > max(1, len(widest.get(key, {}).get("places", ()))):
            widest[key] = known
    for (side, because), known in widest.items():
        dice = tuple((place, str(faces[place])) for place in known["places"])
        entry = Entry("places", say("Tap the dice to roll again."), "several", dice)
        text = say("Roll them again: {because}", because=REROLLS.get(because, because))
        command = {"do": "reroll", **{key: known[key] for key in known if key != "places"}}
        yield PromptForm(text, command, (entry,), rolls="places", by=(side,))


def mission_forms(state: GameState, names: GameNames, one: Pending) -> Iterator[PromptForm]:
    """A hand of six missions for each player, 11 and 12 among them (TMG-MODE-WOW-3)."""
    for name in one.data["players"]:
        cards = tuple((card, card) for card in numbers(MISSIONS))
        entry = Entry(
            "cards",
            say("Tap four more missions."),
            "several",
            cards,
            most=HAND_OF_MISSIONS,
            value=list(ALWAYS),
        )
        text = say("{name}: take these missions", name=names.of(name))
        command = {"do": "missions", "player": name}
        yield PromptForm(text, command, (entry,), opens=True, seat=state.player(name).side)


def hits_form(state: GameState, names: GameNames) -> PromptForm:
    """Automatic hits by an effect that follows an attack (TMG-ATK-17)."""
    entries = (
        Entry("unit", say("Who is hit?"), "option", units_of(state, names)),
        Entry("hits", say("How many hits?"), "number", least=1, most=60, value=1),
        Entry("why", say("Which effect?"), "text"),
    )
    return PromptForm(say("Automatic hits"), {"do": "hits"}, entries, look="quiet")


def objective_form(state: GameState, names: GameNames) -> PromptForm:
    """Another objective card than the game has drawn (TMG-MODE-GOT-4)."""
    tokens = tuple((token.id, names.of(token.id)) for token in state.tokens if token.card)
    entries = (
        Entry("token", say("Which objective?"), "option", tokens),
        Entry("card", say("Which card?"), "number", least=1, most=OBJECTIVE_CARDS, value=1),
    )
    return PromptForm(
        say("Another objective card"), {"do": "objective"}, entries, look="quiet", opens=True
    )


def units_of(
    state: GameState, names: GameNames, seat: str | None = None
) -> tuple[tuple[str, str], ...]:
    """The units on the battlefield to choose from, by name: of one side, or all."""
    return tuple((unit.id, names.of(unit.id)) for unit in state.standing(seat or None))


TEST_WORDS = (("test", say("the result of the test")), ("test-wounds", say("wounds if it fails")))
ATTACK_WORDS = (
    ("attack", say("the attack rolls")),
    ("defense", say("the defense rolls")),
    ("dice", say("the number of dice")),
    ("panic", say("the panic test")),
)


def modify_form(state: GameState, one: Pending) -> PromptForm:
    """A card or ability that changes the test, or what can still be changed of the attack."""
    testing, now = one.what == "test", state.attack
    what = tuple(
        (word, text)
        for word, text in (TEST_WORDS if testing else ATTACK_WORDS)
        if testing or now is None or too_late(state, now, word, "") is None
    )
    entries = (
        Entry("what", say("What does it change?"), "option", what),
        Entry("value", say("By how much?"), "number", least=-20, most=20, value=1),
        Entry("name", say("Which effect?"), "text"),
    )
    command = {"do": "modify", **({"test": one.data["test"]} if testing else {})}
    return PromptForm(say("An effect changes it"), command, entries, look="quiet")


# -- the turn -------------------------------------------------------------------------------------


def turn_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A side chooses the unit to activate."""
    title = say("{name}: your turn", name=names.of(state.active))
    facts: tuple[Fact, ...] = ()
    if state.turn == 1:  # they lie there from now on
        told = ((names.of(token.id), card_beside(token)) for token in state.tokens if token.card)
        facts = tuple(Fact(joined((place, card), ": ")) for place, card in told)
    text = say("Choose a unit to activate.")
    return replace(prompt, title=title, text=text, facts=facts)


def action_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The activated unit chooses its action."""
    unit = str(one.data["unit"])
    if state.has_ncu(unit):
        text = say("Claim a zone of the tactics board.")
        return replace(prompt, title=names.of(unit), text=text, page="board")
    return replace(prompt, title=names.of(unit), text=say("What does it do?"), pieces=(unit,))


# -- attacks --------------------------------------------------------------------------------------


def fight(state: GameState) -> AttackState:
    """The attack that waits for something."""
    assert state.attack is not None
    return state.attack


def attack_facts(state: GameState, now: AttackState) -> Iterator[Fact]:
    """What was filled in from the table: weapon, arc, charge bonus, abilities."""
    if now.weapon:
        yield Fact(now.weapon)
    if now.zone != "front":
        yield Fact(ARCS.get(now.zone, say(now.zone)), "good")
    if now.bonus and now.stage == "attack-dice":
        yield Fact(CHARGES[dice_rules(state.year).bonus_rerolls_hits], "good")
    yield from (Fact(say(name)) for name in now.abilities)
    for name, value in now.attack_mods:
        yield Fact(say("{value:+d} to hit: {name}", value=value, name=say(name)), tone_of(value))
    for name, value in now.defense_mods:
        yield Fact(say("{value:+d} to block: {name}", value=value, name=say(name)), tone_of(value))


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
        dice=dice_requests.attack_dice(now),
        pieces=(now.attacker, now.defender) if now.attacker else (now.defender,),
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
        return say("{result} so far: a card, or continue?", result=result)
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
    prompt = replace(prompt, title=title, pieces=(trial.unit,))
    if trial.roll is not None:
        total = trial.roll.faces[0] + trial.roll.faces[1]
        test = test_of(trial, unit, state.rules)
        told = summed(trial.roll.faces, test.result(total))
        shown = {"result": told, "morale": test.morale}
        result = (
            say("Passed ({result} against {morale}+)", **shown)
            if test.passes(total)
            else say("Failed ({result} against {morale}+)", **shown)
        )
        text = reroll_text(state, names, one, result)
        return replace(prompt, text=text, rolled=trial.roll.faces, facts=tuple(facts))
    chance = float(one.data["chance"])
    facts.append(Fact(say("{chance} to pass", chance=percent(chance)), "good", chance))
    return replace(
        prompt,
        text=say("Roll two dice."),
        facts=tuple(facts),
        dice=dice_requests.test_dice(state, trial),
    )


# -- tasks ----------------------------------------------------------------------------------------


def charge_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The players say whether a charge made contact."""
    task = next(task for task in state.tasks if task.id == one.data["task"])
    name, target, *_ = json.loads(task.other)
    return replace(
        prompt,
        title=say("Charge: {unit}", unit=names.of(name)),
        text=say("Does it reach {target}?", target=names.of(target)),
        pieces=(name, target),
    )


def retreat_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The players say whether a retreat got away."""
    unit = names.of(str(one.data["unit"]))
    return replace(
        prompt, title=say("Retreat: {unit}", unit=unit), text=say("Can it leave the melee?")
    )


def surge_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A free maneuver after destroying an enemy in melee."""
    unit = names.of(str(one.data["unit"]))
    return replace(prompt, title=unit, text=say("It may surge forward: one free maneuver."))


def zone_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The effect of a zone that an NCU claimed."""
    zone = str(one.data["zone"])
    text = zone_effect(zone) if one.data["known"] else say("Do what the board says.")
    if zone == "combat" and all(choice.look == "quiet" for choice in prompt.choices):
        text = joined([text, NO_ATTACK], " · ")
    if zone == "wealth":
        prompt = replace(prompt, choices=tuple(in_need(state, prompt)))
    return replace(prompt, title=ZONE_WORDS[zone][0], text=text)


def in_need(state: GameState, prompt: Prompt) -> list[Choice]:
    """The own units that Wealth would mend first, then the other own ones."""

    def last(one: Choice) -> tuple[bool, bool, bool]:
        unit = state.unit(one.piece) if one.piece else None
        hurt = unit is not None and bool(unit.wounds or unit.tokens)
        return one.look == "quiet", unit is None or unit.side not in prompt.seats, not hurt

    return sorted(prompt.choices, key=last)


def ground_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """What the table cannot tell of terrain and a unit."""
    title = names.of(str(one.data["unit"]))
    piece = names.of(str(one.data.get("piece", "")))
    text = {
        "danger": say("Did it touch {piece}? Too close to call.", piece=piece),
        "crushed": say("Did it crush {piece}? Too close to call.", piece=piece),
        "morale-ground": say("Is it near enough for the ground to count? Too close to call."),
    }[one.what]
    if one.data.get("sure"):
        text = say("It moved onto {piece}: D3 + 1 wounds.", piece=piece)
    return replace(prompt, title=title, text=text, pieces=())


def claim_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Several units may claim one objective."""
    token = names.of(str(one.data["token"]))
    return replace(prompt, title=token, text=say("Which unit claims it?"))


def inherit_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Whether the unit that destroyed an objective's holder touches the objective."""
    unit, token = names.of(str(one.data["unit"])), names.of(str(one.data["token"]))
    text = say("Does {unit} touch it? Then it claims it.", unit=unit)
    return replace(prompt, title=token, text=text)


def elimination_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A side without units on the battlefield."""
    name = names.of(str(one.data["loser"]))
    text = say("No unit is left on the battlefield. Is {name} out?", name=name)
    return replace(prompt, title=name, text=text)


def hand_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A hand above its limit."""
    side = state.player(str(one.data["player"])).side
    text = say(
        "Discard {n} card: a hand holds {limit}.",
        "Discard {n} cards: a hand holds {limit}.",
        n=one.data["discard"],
        limit=one.data["limit"],
    )
    return replace(prompt, title=names.of(side), text=text)


CARDS: dict[str, Callable[[GameState, GameNames, Pending, Prompt], Prompt]] = {
    "turn-start": turn_card,
    "action": action_card,
    "attack-dice": attack_dice_card,
    "defense-dice": defense_dice_card,
    "attack-rerolls": attack_rerolls_card,
    "defense-rerolls": defense_rerolls_card,
    "test": test_card,
    "charge": charge_card,
    "retreat": retreat_card,
    "surge": surge_card,
    "zone": zone_card,
    "danger": ground_card,
    "crushed": ground_card,
    "morale-ground": ground_card,
    "claim-token": claim_card,
    INHERIT: inherit_card,
    "elimination": elimination_card,
    "hand": hand_card,
}
