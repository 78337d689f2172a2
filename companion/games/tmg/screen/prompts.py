"""What the miniatures game waits for, as cards: a question, its facts, dice and buttons.

Nothing is decided here: the buttons are the options that the game itself has tried
(`play/prompt_options.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from companion.games.api.authority import authorised
from companion.games.api.play import Pending, Plain, Refusal
from companion.games.api.prompt import Choice, Fact, Look, Prompt
from companion.games.tmg.play.authority import authority
from companion.games.tmg.play.card_moments import (
    card_moments,
    cards_now,
    may_interrupt,
    moment_told,
    order_now,
    order_told,
)
from companion.games.tmg.play.commands.activations import may_grant
from companion.games.tmg.play.commands.cards import known_orders, moves_its_unit, order_word
from companion.games.tmg.play.flow.casualties import INHERIT
from companion.games.tmg.play.flow.dice_changes import CHARGE_BONUS, of_hits
from companion.games.tmg.play.flow.panic_queue import tray_waits
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.names import GameNames, mate_name, names_of, player_name
from companion.games.tmg.play.phase_play import PHASES
from companion.games.tmg.play.prompt_options import beside, open_hands, refused
from companion.games.tmg.play.state.game_state import PAPER_CARD, GameState, TriggerUse
from companion.games.tmg.screen import dice_requests
from companion.games.tmg.screen.attack_cards import (
    attack_dice_card,
    attack_rerolls_card,
    defense_dice_card,
    defense_rerolls_card,
    test_card,
    trial_of,
)
from companion.games.tmg.screen.choice_words import FIRST, choice
from companion.games.tmg.screen.mode_forms import mode_forms
from companion.games.tmg.screen.prompt_forms import fighters, forms, waits_for_cards
from companion.games.tmg.screen.task_cards import (
    action_card,
    charge_card,
    claim_card,
    commander_card_facts,
    elimination_card,
    grant_card,
    ground_card,
    hand_card,
    inherit_card,
    laid_card,
    objective_facts,
    retreat_card,
    reveal_card,
    spent_card,
    surge_card,
    terrain_card,
    tokens_card,
    turn_card,
    zone_card,
    zone_facts,
)
from companion.text.translation import numbers_in, unnumbered
from models.frozen_records import IdentityCache
from models.message import joined, say

UNLISTED = frozenset("roll panic action free-action objective mission quadrants".split())
"""Commands with an input of their own: dice, offers, the score page."""
MOST_CHOICES = 40
"""A prompt with more ways than this is answered better by its form or page, if it has one."""

TITLES = {
    "ready": (say("The table is set up"), say("Everything in its place? Then begin.")),
    "roles": (say("Attacker and defender"), say("Who attacks the castle, who defends it?")),
    "mark-zones": (say("Deployment zones"), say("Mark the zones of the mode, then continue.")),
    "zones": (say("Deployment zones"), say("Choose a zone.")),
    "first-player": (say("First player"), say("Who goes first?")),
    "cards-chosen": (say("Objective cards"), say("Choose a card for the commander.")),
    "missions-chosen": (say("Missions"), say("Choose a hand of six missions, 11 and 12 included.")),
    "reserves": (say("Reserves"), say("Which units start in reserve?")),
    "guests": (say("Joining an enemy unit"), say("Which enemy unit does it join?")),
    "deploy": (say("Deployment"), say("Deploy a unit in your zone.")),
    "marks": (say("Marked units"), say("Mark an enemy unit.")),
    "mark-card": (say("Marked unit"), say("Its owner gives it a card for the whole game.")),
    "redeploy": (say("Units return"), say("Which units come back to the table?")),
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
    "wall-hits": (say("Castle wall"), say("The wall strikes whoever stands on its objective.")),
}
ROLL_OFFS = {
    "roles": say("Roll a die each: the higher chooses who attacks."),
    "zones": say("Roll a die each: the higher chooses the zone."),
    "first-player": say("Roll a die each: the highest goes first."),
}
PAGES = {
    "score": "score",
    "discard": "cards",
    "hand": "cards",
    "zone": "board",
    "missions": "cards",
}


def prompts(state: GameState, seat: str | None) -> tuple[Prompt, ...]:
    """Everything the game waits for, most urgent first."""
    return CACHED(state, seat or "")


def prompts_for(state: GameState, seat: str) -> tuple[Prompt, ...]:
    names = names_of(state)
    found = [card(state, names, one, options(state, one, seat), seat) for one in pending(state)]
    if found and state.open_effect is not None:
        found[0] = with_effect(found[0], state.open_effect, names)
    return authorised(found, partial(authority, state))


CACHED = IdentityCache(prompts_for, at_most=8)


def options(state: GameState, one: Pending, seat: str) -> list[dict[str, Any]]:
    """The commands that answer a prompt, except those with an input of their own.

    What a unit may do is not tried here but by its offers: it costs more than all the rest.
    """
    listed = tuple(word for word in one.commands if word not in UNLISTED)
    found = list(beside(state, replace(one, commands=listed), seat or None)["options"])
    if "play" not in one.commands:
        found += answers(state, seat)
    if "order" not in one.commands:
        found += orders_in_fight(state, seat)
    put = {command["unit"] for command in found if command.get("put") and "unit" in command}
    # players choose its place (TMG-DEP-4), so it is not deployed where the table happens to have it
    return [one for one in found if one.get("unit") not in put or one.get("put")]


def answers(state: GameState, seat: str) -> Iterator[dict[str, Any]]:
    """The cards whose moment is now where the game waits for something else: they may be played
    before it (TMG-DECK-3)."""
    for player in open_hands(state, seat or None):
        for name in cards_now(state, player):
            named = {"card": PAPER_CARD, "name": name} if player.paper else {"card": name}
            command = {"do": "play", "player": player.id, **named}
            if refused(state, command) is None:
                yield command


def orders_in_fight(state: GameState, seat: str) -> Iterator[dict[str, Any]]:
    """The orders of the units of the attack that goes on: their cards may say that they are used
    before its dice (TMG-ORD-2)."""
    for unit in fighters(state):
        for name in known_orders(unit) if seat in ("", unit.side) else ():
            command = {"do": "order", "unit": unit.id, "order": order_word(name)}
            if order_now(state, unit.id, order_word(name)) is False:
                continue
            if refused(state, command) is None:
                yield command


def interruptions(state: GameState, names: GameNames, seat: str) -> Iterator[Fact]:
    """Who may hold a card that comes before what happens now: nobody is told whether (TMG-DECK-5).

    Who looks at the own hand sees it there."""
    for player in state.players:
        if player.side != seat and may_interrupt(state, player):
            name = player_name(state, player.id)
            yield Fact(say("{name} may answer with a card first: ask", name=name), "warn")


def card(
    state: GameState, names: GameNames, one: Pending, commands: list[dict[str, Any]], seat: str
) -> Prompt:
    fields = (*forms(state, names, one, seat), *mode_forms(state, names, one, len(commands)))
    answers = tuple(choices(state, names, one, commands, bool(fields)))
    answering = {choice.piece for choice in answers}
    prompt = Prompt(
        id=one.what,
        title=say("What now?"),
        seats=(one.side,) if one.side else (),
        pieces=tuple(piece for piece in pieces(one) if piece in answering),
        choices=answers,
        forms=fields,
        page=PAGES.get(one.what, ""),
        hidden=waits_for_cards(state, one),
        rule=", ".join(numbers_in(one.say)),
        data=one.data,
        player=asked_player(state, one),
    )
    if one.what in CARDS:
        prompt = CARDS[one.what](state, names, one, prompt)
    elif one.what in TITLES:
        title, text = TITLES[one.what]
        if "roll-off" in one.commands:
            text = ROLL_OFFS.get(one.what, text)
        facts = objective_facts(state) if one.what == "deploy" else ()  # TMG-MODE-GOT-4
        facts = zone_facts(state) if one.what == "mark-zones" else facts
        facts = commander_card_facts(state) if one.what == "cards-chosen" else facts
        prompt = replace(prompt, title=title, text=text, facts=facts)
    else:
        prompt = replace(prompt, text=names.spelled(unnumbered(one.say)))
    return replace(prompt, facts=(*interruptions(state, names, seat), *prompt.facts))


def with_effect(prompt: Prompt, effect: TriggerUse, names: GameNames) -> Prompt:
    """What the game waits for while players carry out what only their card says: that is the next
    step, and going on is not."""
    told, following = effect_told(effect, names), [*map(not_yet, prompt.choices)]
    if prompt.dice is not None:
        return replace(prompt, facts=(Fact(told, "warn"), *prompt.facts))
    if following == [*prompt.choices]:  # something else is asked
        told = joined((told, prompt.text), " ")
    return replace(prompt, text=told, choices=tuple(following))


def effect_told(effect: TriggerUse, names: GameNames) -> str:
    """What players do who have played a card or used an order or an ability."""
    if effect.trigger == PAPER_CARD:
        return say("Do what the card says: enter it here or at a unit, then go on.")
    name = names.spelled(say(effect.trigger))
    return say("Do what “{effect}” says: enter it here or at a unit, then go on.", effect=name)


def not_yet(one: Choice) -> Choice:
    """A choice that goes on, while something else is the useful next step."""
    goes_on = one.look == "primary" and one.commands[0]["do"] in FIRST
    return replace(one, look="plain") if goes_on else one


def asked_player(state: GameState, one: Pending) -> str:
    """Whose unit it is that dice or a decision are for, of a team; "" where a side is one player
    (TMG-TEAM-3)."""
    about = {str(one.data.get(key)) for key in ("unit", "attacker", "defender")}
    owners = {owner for piece in about if (owner := state.owner(piece)) is not None}
    asked = [owner for owner in owners if owner.side == one.side]
    return mate_name(asked[0], state.players) if len(asked) == 1 else ""


def pieces(one: Pending) -> Iterator[str]:
    """The units that a prompt asks for or is about."""
    yield from one.data.get("units") or ()
    for key in ("unit", "attacker", "defender", "target"):
        if one.data.get(key):
            yield str(one.data[key])


def choices(
    state: GameState,
    names: GameNames,
    one: Pending,
    commands: list[dict[str, Any]],
    formed: bool = False,
) -> Iterator[Choice]:
    """The buttons: rerolls first, then decisions, then what goes on; quiet ones at the end. Many
    ways are listed unless a form or a page answers it better."""
    listed = [one for one in commands if one["do"] != "reroll" or first_of_its_kind(one, commands)]
    if one.what == "spent":  # the dice of a token that is spent are entered
        listed = [{"do": "spent", "take": take} for take in (True, False)]
    if one.what == "action" and "action" in one.commands:
        listed.append({"do": "action", "action": "forgo"})
    if len(listed) > MOST_CHOICES and (one.what in PAGES or formed):
        return
    free = any(command["do"] == "reroll" and not of_hits(state, command) for command in listed)
    alone = [command for command in listed if command["do"] in FIRST]
    fighting = {one.data.get(who) for who in ("attacker", "defender")}
    found: list[Choice] = []
    ordered = False
    moments = {player.id: card_moments(state, player) for player in state.players}
    for command in listed:
        look: Look = "plain"
        if command["do"] == "play" and not command.get("name"):
            waits = moments[command["player"]].get(command["card"]) is False
            look = "folded" if waits else "shown"
        elif command["do"] == "order":
            now = order_now(state, command["unit"], command["order"])
            ordered |= now is True
            shown = command["unit"] in fighting if now is None else now
            look = "shown" if shown else "folded"
        elif command.get("random"):  # seldom meant now
            look = "folded"
        elif command["do"] == "reroll" and of_hits(state, command):
            look = "quiet"
        elif command["do"] == "reroll" and command["because"] == CHARGE_BONUS:
            look = "primary"  # the misses: nothing is spent on them (TMG-BON-1)
        elif command["do"] == "deploy" and command.get("put") and "unit" not in command:
            look = "quiet"  # it deploys for the others too (TMG-DEP-3)
        if (
            command is (alone[0] if alone else None)
            and not free
            and "placing" not in one.data  # terrain is the useful step
            or command["do"] == "score"
            and command.get("confirm")
        ):
            look = "primary"
        elif look == "plain" and selects(command):
            look = "shown"
        button = choice(state, names, command, look)
        if look == "folded" and command["do"] == "play":
            player = state.player(command["player"])
            button = replace(button, detail=moment_told(state, player, command["card"]))
        elif command["do"] == "order":
            button = order_button(state, button)
        found.append(button)
        if command == {"do": "continue"} and one.what in WITH_NEXT:
            found += with_next(state, command)
    if ordered:  # gold would take an order away whose moment this is (TMG-ORD-2)
        found = [not_yet(one) for one in found]
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


AT_ONCE = frozenset(("reroll", "activate", "deploy", "skip", *FIRST))
"""Commands whose buttons do them at once: dice and trays are seen before anything is recorded, and
what goes on stands alone."""


def selects(command: Plain) -> bool:
    """Whether a tap on the row of a command only shows it, and gold does it: so do all rows."""
    return command["do"] not in AT_ONCE or bool(command.get("side") and command["do"] in FIRST)


def order_button(state: GameState, button: Choice) -> Choice:
    """An order; one that moves its unit opens that move (TMG-ACT-5)."""
    (command,) = button.commands
    unit, order, commands = str(command["unit"]), str(command["order"]), button.commands
    known = order_now(state, unit, order)
    told = [button.detail, "" if known else order_told(state, order)]
    if moves_its_unit(order) and state.has_unit(unit) and may_grant(state):
        commands = (command, {"do": "grant", "unit": unit})
    # its unit may be the selected one, which has just fought: that does not choose its order
    return replace(
        button, commands=commands, piece="", detail=joined([one for one in told if one], " · ")
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
        if trial.roll is None and not tray_waits(state, trial):
            dice = dice_requests.test_dice(state, trial)
            text = say("Continue: {unit} must test", unit=names_of(state).of(trial.unit))
            yield Choice(text, (command, dice.command), dice=dice)


CARDS: dict[str, Callable[[GameState, GameNames, Pending, Prompt], Prompt]] = {
    "turn-start": turn_card,
    "terrain": terrain_card,
    "tokens": tokens_card,
    "action": action_card,
    "missions": reveal_card,
    "attack-dice": attack_dice_card,
    "defense-dice": defense_dice_card,
    "attack-rerolls": attack_rerolls_card,
    "defense-rerolls": defense_rerolls_card,
    "test": test_card,
    "charge": charge_card,
    "retreat": retreat_card,
    "surge": surge_card,
    "grant": grant_card,
    "spent": spent_card,
    "zone": zone_card,
    "danger": ground_card,
    "crushed": ground_card,
    "morale-ground": ground_card,
    "token": laid_card,
    "pile": laid_card,
    "claim-token": claim_card,
    INHERIT: inherit_card,
    "elimination": elimination_card,
    "hand": hand_card,
}
