"""What the battle waits for, as cards on the screen: facts, dice with chances, buttons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.api.play import Pending
from companion.games.api.prompt import Choice, DiceRequest, Fact, Prompt, TargetCell
from companion.games.shared.distribution import binomial
from companion.games.tactics.play.prompts import waiting
from companion.games.tactics.play.state import AttackInPlay, SkirmishState, battle_position
from companion.games.tactics.rules.attack_odds import (
    AttackQuestion,
    attack_odds,
    figure_question,
    hit_chance,
)
from companion.games.tactics.screen.views import agenda_words, choice_words, dice_hint
from models.board import parse_cell
from models.message import say

DIE = 10
TITLES = {
    "roll": say("Roll for choice"),
    "choice": say("Zone or start marker"),
    "agenda": say("Secret agenda"),
    "deploy": say("Deployment"),
    "start": say("Start of the battle"),
    "turn": say("Which figure?"),
    "act": say("Actions"),
    "end": say("End phase"),
    "attack-roll": say("Attack roll"),
    "defence-roll": say("Defence roll"),
    "hazard-roll": say("Stake pit"),
    "defend": say("Defence abilities"),
    "aftermath": say("Aftermath"),
    "fate": say("Kill or capture?"),
    "unhorse": say("The mount is dead"),
    "free": say("A captive is free"),
    "leaf": say("Leaf pile"),
    "surge": say("Surge"),
    "door-step": say("Through the opening"),
    "charge-attack": say("Charge"),
}
RULES = {
    "roll": "TAC-SET-2", "choice": "TAC-SET-3", "agenda": "TAC-SET-6", "deploy": "TAC-SET-7",
    "start": "TAC-SET-14", "turn": "TAC-RND-2", "act": "TAC-ACT-2", "end": "TAC-END-1",
    "attack-roll": "TAC-ATK-7", "defence-roll": "TAC-ATK-9", "hazard-roll": "TAC-TER-16",
    "defend": "TAC-ATK-8", "aftermath": "TAC-ATK-11", "fate": "TAC-CAP-1",
    "unhorse": "TAC-FIG-11", "free": "TAC-CAP-7", "leaf": "TAC-TER-15", "surge": "TAC-ATK-16",
    "door-step": "TAC-CHG-14", "charge-attack": "TAC-CHG-5",
}  # fmt: skip
BY_TAP = ("move", "deploy", "surge", "free", "dismount", "activate", "attack", "charge", "loot")
"""Commands that are answered by tapping a figure or a space instead of a button."""
OFFERED = ("turn", "act", "deploy")
"""Prompts of which the selected figure's offers name the spaces."""


def prompts(state: SkirmishState, seat: str | None = None) -> Iterator[Prompt]:
    """Each thing the battle waits for as one card."""
    for asked, commands in waiting(state):
        secret = asked.what == "agenda"
        shown = [] if secret and seat != asked.side else commands
        yield prompt(state, asked, shown, secret)


def prompt(
    state: SkirmishState, asked: Pending, commands: list[dict[str, Any]], secret: bool
) -> Prompt:
    """One card."""
    seats = (asked.side,) if asked.side else ()
    tapped = [one for one in commands if one["do"] in BY_TAP]
    buttons = [one for one in commands if one not in tapped]
    mine = [asked.data["figure"]] if asked.what == "act" else pieces_of(tapped)
    spaces = tapped if asked.what not in OFFERED else []
    return Prompt(
        asked.what,
        TITLES.get(asked.what, asked.what),
        asked.say,
        seats,
        tuple(facts(state, asked)),
        dice=dice_request(state, asked),
        choices=tuple(
            Choice(
                agenda_words(one["keep"]) if secret else choice_words(state, one),
                (one,),
                "primary" if at == 0 and len(buttons) > 1 else "plain",
                piece=str(one.get("figure") or one.get("target") or ""),
            )
            for at, one in enumerate(buttons)
            if one["do"] not in ("roll", "roll-off")
        ),
        pieces=tuple(dict.fromkeys(mine)),
        cells=tuple(TargetCell(parse_cell(one["to"]), (one,)) for one in spaces),
        secret=secret,
        rule=RULES.get(asked.what, ""),
        data=dict(asked.data),
    )


def pieces_of(commands: list[dict[str, Any]]) -> Iterator[str]:
    """The figures that may be tapped."""
    for one in commands:
        for key in ("figure", "target"):
            if key in one:
                yield one[key]


def facts(state: SkirmishState, asked: Pending) -> Iterator[Fact]:
    """What is known and helps to decide."""
    attack = state.attack
    for hint in dice_hint(asked.data.get("dice", 0)):
        yield Fact(hint, "warn")
    if attack is not None and asked.what == "attack-roll":
        yield Fact(say("hits on {value}+", value=attack.attack.hit))
        if attack.modifier:
            yield Fact(say("{n:+d} on every die", n=attack.modifier))
        yield Fact(say("a natural 10 hits twice"))
        question = figure_question_of(state, attack)
        odds = attack_odds(question)
        yield Fact(say("{n:.2f} wounds on average", n=float(odds.mean)))
        if odds.left_known:
            chance = float(odds.destroys)
            yield Fact(say("kills: {share:.0%}", share=chance), chance=chance)
    elif attack is not None and asked.what in ("defend", "defence-roll"):
        target = state.figure(attack.target)
        yield Fact(say("{n} hit", "{n} hits", n=attack.hits), "bad")
        yield Fact(say("Defence {value}+", value=target.card.defence or DIE))
        if attack.defence_modifier:
            yield Fact(say("{n:+d} on every die", n=attack.defence_modifier))
        left = say("{n} wound left", "{n} wounds left", n=target.left)
        yield Fact(left, "warn" if target.left <= attack.hits else "")
    elif asked.what == "turn":
        coins = state.squad(state.active).coins
        yield Fact(coins.say())


def figure_question_of(state: SkirmishState, attack: AttackInPlay) -> AttackQuestion:
    """The running attack as a question for the odds."""
    position = battle_position(state)
    question = figure_question(
        position, position.by_id[attack.attacker], position.by_id[attack.target], attack.attack
    )
    return replace(question, dice=attack.dice, attack_mod=attack.modifier, fatal=attack.dagger)


def dice_request(state: SkirmishState, asked: Pending) -> DiceRequest | None:
    """The dice to enter, with the chance of each number of successes."""
    if asked.what == "roll":
        return DiceRequest(2, {"do": "roll-off"}, sides=DIE, text=say("one die each"))
    attack, count = state.attack, asked.data.get("dice", 0)
    if asked.what == "hazard-roll":
        figure = state.figure(state.tasks[0].figure)
        return request(asked.data["hits"], figure.card.defence or DIE, 0)
    if attack is None or asked.what not in ("attack-roll", "defence-roll"):
        return None
    if asked.what == "attack-roll":
        return request(count, attack.attack.hit, attack.modifier)
    defence = state.figure(attack.target).card.defence or DIE
    return request(count, defence, attack.defence_modifier)


def request(count: int, needed: int, modifier: int) -> DiceRequest:
    """Dice that succeed at a value or more."""
    chance = hit_chance(needed, modifier) + Fraction(1, DIE)
    spread = binomial(count, chance)
    wanted = max(2, min(DIE, needed - modifier))
    return DiceRequest(
        count,
        {"do": "roll"},
        sides=DIE,
        wanted=wanted,
        count_field="hits",
        chances=tuple(float(spread.get(n, 0)) for n in range(count + 1)),
    )
