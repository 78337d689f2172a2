"""The prompts of the turn and of the tasks that the players settle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from companion.games.api.play import Pending
from companion.games.api.prompt import Choice, Fact, Prompt
from companion.games.tmg.play.commands.activations import ready
from companion.games.tmg.play.commands.charge_action import shown_apart
from companion.games.tmg.play.commands.positions import ON_PILE
from companion.games.tmg.play.commands.preparation import CARDS_EACH, COMMANDER_CARDS, cards_each
from companion.games.tmg.play.flow.attacks import counted_dice
from companion.games.tmg.play.names import GameNames, player_name
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.play_rules import HAND
from companion.games.tmg.play.state.table_facts import pile_near
from companion.games.tmg.rules.modes import BattleArea, spots
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import RANGES_IN
from companion.games.tmg.screen.choice_words import ZONE_WORDS, zone_told
from companion.games.tmg.screen.unit_views import CONDITION_WORDS
from models.message import joined, say

NEAR_PILE = "a Corpse Pile in Short Range (TMG-MODE-FFC-17)"
SHORT_IN = RANGES_IN["short"]
NO_ATTACK = say("none of your units can attack now")


def objective_facts(state: GameState) -> tuple[Fact, ...]:
    """The objective cards beside the tokens, in one line (TMG-MODE-GOT-4)."""
    drawn = [token.card for token in state.tokens if token.card]
    text = say("Objective cards {cards}: the Score page shows where they lie", cards=joined(drawn))
    return (Fact(text),) if drawn else ()


def zone_facts(state: GameState) -> tuple[Fact, ...]:
    """How deep the zones are that players mark (TMG-SET-5)."""
    deep = {one.deep for one in mode_of(state).facts.zones}
    if len(state.sides) > 2 or len(deep) != 1 or not any(deep):
        return ()
    return (Fact(say("{inches:g}″ deep along the near and the far edge", inches=deep.pop())),)


def commander_card_facts(state: GameState) -> tuple[Fact, ...]:
    """How many cards everybody takes where there are not two for each (TMG-MODE-COK-4)."""
    players = sum(player.side in state.playing for player in state.players)
    each = cards_each(players)
    if each == CARDS_EACH:
        return ()
    told = say(
        "{cards} cards for {n} players: everybody takes {each}, not {two}",
        cards=len(COMMANDER_CARDS),
        n=players,
        each=each,
        two=CARDS_EACH,
    )
    return (Fact(told),)


def turn_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A side chooses the unit to activate."""
    title = say("{name}: your turn", name=names.of(state.active))
    facts = objective_facts(state) if state.turn == 1 else ()  # they lie there from now on
    passing = tuple(
        Fact(say("{name} has nothing left to activate and passes", name=names.of(side)))
        for side in state.playing
        if side != state.active and not ready(state, side)  # TMG-RND-10
    )
    hands: tuple[Fact, ...] = ()
    if state.round == state.turn == 1 and any(player.paper for player in state.players):
        told = say("Cards of paper: everybody has drawn {n}?", n=HAND)
        hands = (Fact(told),)  # TMG-STA-1
    text = say("Choose a unit to activate.")
    return replace(prompt, title=title, text=text, facts=(*facts, *hands, *passing))


def tokens_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Where the objectives of the mode lie (TMG-SET-4)."""
    table = table_of(state.table) if state.table else None
    ground = BattleArea.of(table) if table is not None else BattleArea()
    lie = spots(mode_of(state), ground, Readings.parse(state.readings))
    told = (
        Fact(
            say(
                "{token}: its middle {x:g}″ from the left edge, {y:g}″ from the near edge",
                token=names.of(spot.id),
                x=round(spot.x, 1),
                y=round(spot.y, 1),
            )
        )
        for spot in lie
    )
    text = say("Place what the mode puts on the table, then continue.")
    facts = (*told, *placing_facts(state))
    return replace(prompt, title=say("Objectives"), text=text, facts=facts)


def placing_facts(state: GameState) -> Iterator[Fact]:
    """How players place the other objectives themselves (TMG-MODE-GOT-3, TMG-MODE-WOW-2)."""
    placing = mode_of(state).facts.placing
    if placing is None:
        return
    yield Fact(
        say(
            "{n} more: roll a die each, the higher begins; then one places a token, then the other",
            n=placing.count,
        )
    )
    yield Fact(
        say(
            "each at least {zones:g}″ from the deployment zones, {tokens:g}″ from other tokens and"
            " not on Impassable terrain",
            zones=placing.from_zones,
            tokens=placing.from_tokens,
        )
    )


def terrain_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Whose piece of terrain is next (TMG-SET-7)."""
    if "placing" not in one.data:
        text = say("Roll a die each: the higher places the first piece.")
        return replace(prompt, title=say("Terrain"), text=text)
    side, left = str(one.data["placing"]), int(one.data["left"])
    text = say(
        "{name} places the next piece ({n} left), or all agree that it is enough.",
        name=names.of(side),
        n=left,
    )
    return replace(prompt, title=say("Terrain"), text=text, seats=(side,) if side else ())


def action_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The activated unit chooses its action."""
    unit = str(one.data["unit"])
    if state.has_ncu(unit):
        text = say("Claim a zone of the tactics board.")
        return replace(prompt, title=names.of(unit), text=text, page="board")
    choices = (*pile_choices(state, unit), *prompt.choices)
    text = say("What does it do?")
    return replace(prompt, title=names.of(unit), text=text, pieces=(unit,), choices=choices)


def pile_choices(state: GameState, unit: str) -> Iterator[Choice]:
    """Where no table shows a Corpse Pile in Short Range, the players say it (TMG-MODE-FFC-17)."""
    if not play_of(state).morale_tokens or not state.has_unit(unit):
        return
    tested = state.tested[:2] == ("morale", unit)
    if pile_near(state, unit) is None and not tested and state.unit(unit).morale is not None:
        command = {"do": "test", "unit": unit, "kind": "morale", "why": NEAR_PILE}
        text = say("A corpse pile is within {inches:g}″: it tests morale", inches=SHORT_IN)
        yield Choice(text, (command,), piece=unit)


# -- tasks ----------------------------------------------------------------------------------------


def charge_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The players say whether a charge made contact."""
    task = next(task for task in state.tasks if task.id == one.data["task"])
    name, target, *_ = json.loads(task.other)
    text: str = say("Does it reach {target}?", target=names.of(target))
    if apart := shown_apart(state, name, target):
        told = dict(zip(("length", "error"), apart, strict=True))
        seen = say("Between them: {length:.2f}″ ± {error:.2f}″.", **told)
        text = joined((text, seen), " ")
    title = say("Charge: {unit}", unit=names.of(name))
    return replace(prompt, title=title, text=text, mover=name)


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


def grant_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A free action that a card or ability gives."""
    unit = str(one.data["unit"])
    text = say("A card or ability lets it act: which free action does it perform?")
    return replace(prompt, title=names.of(unit), text=text, pieces=(unit,))


def spent_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Whether a condition token is spent on dice that the players counted."""
    unit, token = names.of(str(one.data["unit"])), str(one.data["token"])
    word = CONDITION_WORDS[token][0]
    title = say("{condition}: {unit}", condition=word, unit=unit)
    text = say("Did its opponent spend the token on these dice? Then it is gone.")
    if "counted" in one.data and prompt.seats:
        text = say(
            "{name}: spend the token? Then you say which of these dice are rolled again.",
            name=names.of(prompt.seats[0]),
        )
    elif "counted" in one.data:
        text = say("Does an opponent spend the token? Then dice are rolled again.")
    return replace(
        prompt, title=title, text=text, pieces=(), facts=tuple(counted_facts(state, one))
    )


def counted_facts(state: GameState, one: Pending) -> Iterator[Fact]:
    """What the players counted before a token is asked about."""
    now, number = state.attack, one.data.get("counted")
    if number is None:
        return
    task = next(task for task in state.tasks if task.id == one.data["task"])
    if task.number:
        yield Fact(say("The two dice add up to {n}", n=number))
    elif now is not None:
        told = {"n": number, "dice": counted_dice(state)}
        hits = now.stage == "attack-dice"
        yield Fact(say("{n} of {dice} hit", **told) if hits else say("{n} of {dice} block", **told))


def zone_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """The effect of a zone that an NCU claimed."""
    zone = str(one.data["zone"])
    text = zone_told(zone)
    if not one.data["known"]:
        text = say("Do what the board says: enter it here, or at a unit. Then go on.")
        done = tuple(replace(one, look="primary") for one in prompt.choices)
        prompt = replace(prompt, choices=done if prompt.forms else prompt.choices)
    if (
        zone == "combat"
        and one.data["known"]
        and all(choice.look == "quiet" for choice in prompt.choices)
    ):
        text = joined([text, NO_ATTACK], " · ")
    if zone == "wealth":
        prompt = replace(prompt, choices=tuple(in_need(state, prompt)))
    return replace(prompt, title=ZONE_WORDS[zone][0], text=text)


def in_need(state: GameState, prompt: Prompt) -> list[Choice]:
    """The own units that Wealth would mend first, then the other own ones."""

    def last(one: Choice) -> tuple[bool, bool, bool]:
        unit = state.unit(one.piece) if one.piece else None
        hurt = unit is not None and bool(unit.wounds or unit.tokens)
        seldom = one.look in ("quiet", "folded")
        return seldom, unit is None or unit.side not in prompt.seats, not hurt

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
        rolls = (replace(one, look="primary") if one.dice else one for one in prompt.choices)
        prompt = replace(prompt, choices=tuple(rolls))
    return replace(prompt, title=title, text=text, pieces=())


def claim_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """Several units may claim one objective."""
    token = names.of(str(one.data["token"]))
    return replace(prompt, title=token, text=say("Which unit claims it?"))


def laid_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A token or Corpse Pile that somebody lays down (TMG-MODE-DWD-9, TMG-MODE-FFC-10, FFC-14)."""
    task = next(task for task in state.tasks if task.id == one.data["task"])
    facts, unit = mode_of(state).facts, names.of(task.unit)
    if task.kind == "pile":
        new = facts.new_pile
        text = say(
            "Place it within {inches:g}″ of where this unit stood,"
            " {clear:g}″ from trays and terrain: {unit}",
            inches=new.within if new is not None else 0.0,
            clear=new.clear if new is not None else 0.0,
            unit=unit,
        )
        return replace(prompt, title=say("Corpse pile"), text=text)
    text = say("Place it anywhere on its corpse pile.")
    if task.number != ON_PILE:
        near = facts.objective.drop_within
        text = say(
            "Place it within {inches:g}″ of this tray, on no other tray: {unit}",
            inches=near,
            unit=unit,
        )
    return replace(prompt, title=names.of(task.other), text=text)


def reveal_card(state: GameState, names: GameNames, one: Pending, prompt: Prompt) -> Prompt:
    """A player chooses a mission from the hidden hand (TMG-MODE-WOW-4)."""
    text = say(
        "{name} chooses a mission and reveals it: on the page of the cards, while the others look"
        " away.",
        name=player_name(state, str(one.data["player"])),
    )
    return replace(prompt, title=say("Missions"), text=text)


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
    text = say(
        "Discard {n} card: a hand holds {limit}.",
        "Discard {n} cards: a hand holds {limit}.",
        n=one.data["discard"],
        limit=one.data["limit"],
    )
    return replace(prompt, title=player_name(state, str(one.data["player"])), text=text)
