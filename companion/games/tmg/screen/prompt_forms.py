"""What players enter themselves: rerolls, effects of cards, missions, automatic hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.play import Pending, Plain
from companion.games.api.prompt import DiceRequest, Entry, PromptForm
from companion.games.tmg.play.commands.activations import may_grant
from companion.games.tmg.play.commands.missions import ALWAYS, HAND_OF_MISSIONS, numbers
from companion.games.tmg.play.commands.tactics_board import influence_refused, influencing
from companion.games.tmg.play.events.tactics_events import last_effect
from companion.games.tmg.play.flow.dice_changes import (
    WITHOUT_VALUE,
    may_use_cards,
    standing_roll,
)
from companion.games.tmg.play.names import GameNames, player_name
from companion.games.tmg.play.prompt_options import refused
from companion.games.tmg.play.state.game_state import GameState, TriggerUse
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import (
    CONDITIONS,
    MISSIONS,
    OBJECTIVE_CARDS,
    SPENT,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.combat.dice import ABILITIES
from companion.games.tmg.screen.choice_words import REROLLS
from companion.games.tmg.screen.dice_requests import d3_again
from companion.games.tmg.screen.unit_views import CONDITION_WORDS, owner_entries
from models.message import Name, say


def forms(state: GameState, names: GameNames, one: Pending, seat: str) -> Iterator[PromptForm]:
    """What players enter themselves: a result worked out by hand, an effect of a card."""
    if "attack-result" in one.commands:
        entry = Entry("wounds", say("Wounds before the panic test"), "number", most=60, value=0)
        yield PromptForm(
            say("Enter the wounds only"), {"do": "attack-result"}, (entry,), look="quiet"
        )
    if "pass-test" in one.commands:
        why = Entry("why", say("Which effect?"), "text", required=False)
        command = {"do": "pass-test", "test": one.data["test"]}
        yield PromptForm(say("Passed without a roll"), command, (why,), look="quiet")
    if one.data.get("rerolls"):
        yield from reroll_forms(state, one)
    if "reroll" in one.commands:
        yield from card_rerolls(state, names, one)
    lies = one.what in ("attack-rerolls", "defense-rerolls") and waits_for_cards(state, one)
    if "modify" in one.commands or lies:
        yield from modify_forms(state, one)
    if "ability" in one.commands:
        entries = (
            Entry("unit", say("Whose ability?"), "option", fighters_of(state, names, seat)),
            Entry("name", say("Which ability?"), "text"),
        )
        by = (seat,) if seat else ()
        yield PromptForm(say("Use an ability"), {"do": "ability"}, entries, look="quiet", by=by)
    if "order" in one.commands or one.what == "attack-dice":
        yield order_form(state, names, seat)
    if "hits" in one.commands:
        yield hits_form(state, names)
    open_ = {"play", "order"} & {*one.commands} or fighters(state)
    used = last_effect(state) if open_ else None
    if used is not None and (may_grant(state) or fighters(state) and not state.trials):
        yield from test_forms(state, names, one, used)
    if one.what in ("zone", "end-of-turn"):
        yield from influence_forms(state, names)
    if one.what == "zone" and not one.data["known"]:
        yield from board_forms(state, names)
    drawn = all(token.card for token in state.tokens)  # else the players say which they drew
    asked = one.what == "score" or (one.what == "turn-start" and state.round == 1 and not drawn)
    if asked and play_of(state).token_cards and state.tokens:
        yield objective_form(state, names)
    if "missions" in one.commands:
        yield from mission_forms(state, names, one)


def waits_for_cards(state: GameState, one: Pending) -> bool:
    """Whether somebody may hold a card to play now."""
    return "play" in one.commands and any(player.hand for player in state.players)


def reroll_forms(state: GameState, one: Pending) -> Iterator[PromptForm]:
    """Any of the dice that an effect lets a side reroll (TMG-BON-1, TMG-CON-5..7)."""
    found = standing_roll(state, int(one.data.get("test", 0)))
    if found is None:
        return
    roll, d3 = found[0], other_dice(state, one)
    widest: dict[tuple[str, str], list[int]] = {}
    named: dict[tuple[str, str], Plain] = {}
    for known in one.data["rerolls"]:
        key, places = (known["side"], known["because"]), list(known["places"])
        if known["because"] in SPENT.values():  # hits are proposed, any die may be named
            places = [at for at, by in enumerate(roll.rerolled) if known["side"] not in by]
        if len(places) > max(1, len(widest.get(key, ()))):
            widest[key], named[key] = places, known
    for (side, because), places in widest.items():
        entry = dice_entry(roll.faces, places, d3)
        text = say("Roll them again: {because}", because=REROLLS.get(because, because))
        known = named[side, because]
        command = {"do": "reroll", **{key: known[key] for key in known if key != "places"}}
        yield PromptForm(text, command, (entry,), rolls="places", by=(side,), other_dice=d3)


def dice_entry(
    faces: Sequence[int], places: Sequence[int], others: Sequence[tuple[int, DiceRequest]]
) -> Entry:
    """The dice that lie on the table, to choose from; the D3 is told apart (TMG-PAN-6)."""
    d3 = {place for place, _ in others}
    dice = tuple(
        (place, say("the D3 shows {n}", n=faces[place]) if place in d3 else str(faces[place]))
        for place in places
    )
    return Entry("places", say("Tap the dice to roll again."), "several", dice)


def other_dice(state: GameState, one: Pending) -> tuple[tuple[int, DiceRequest], ...]:
    """The D3 among the dice of a test."""
    return d3_again(state, int(one.data.get("test", 0)))


def card_rerolls(state: GameState, names: GameNames, one: Pending) -> Iterator[PromptForm]:
    """Dice that a card or an ability rolls again, the active side first (TMG-RER-1, TMG-RER-2)."""
    test = int(one.data.get("test", 0))
    found = standing_roll(state, test)
    if found is None:
        return
    roll = found[0]
    which, d3 = {"test": test} if test else {}, other_dice(state, one)
    for side in may_use_cards(state, test):
        places = [at for at, by in enumerate(roll.rerolled) if side not in by]
        if not places:
            continue
        entries = (
            Entry("because", say("Which effect?"), "text", required=False),
            dice_entry(roll.faces, places, d3),
        )
        text = say("{name}: a card rolls dice again", name=names.of(side))
        command = {"do": "reroll", "side": side, **which}
        yield PromptForm(
            text,
            command,
            entries,
            look="quiet",
            opens=True,
            rolls="places",
            by=(side,),
            other_dice=d3,
        )


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
        *owner_entries(state, names),
        Entry("why", say("Which effect?"), "text", required=False),
    )
    return PromptForm(say("Automatic hits"), {"do": "hits"}, entries, look="quiet")


def test_forms(
    state: GameState, names: GameNames, one: Pending, used: TriggerUse
) -> Iterator[PromptForm]:
    """What the card or order asks for which was used last: a panic test (TMG-PAN-7) of the units of
    the attack, else of any, not of the one that has just taken it; or a free action (TMG-ACT-5)."""
    entries = (
        Entry("modifier", say("What it adds to the result"), "number", (), -20, 20, 0),
        Entry("extra", say("More wounds if it fails"), "number", (), -20, 20, 0),
    )
    command = {"do": "test", "why": used.trigger, "by": state.player(used.player).side}
    found = [unit.id for unit in fighters(state) if unit.standing]
    if not found:
        whom = Entry("unit", say("Which unit?"), "option", units_of(state, names))
        text = say("A panic test by an effect")
        yield PromptForm(text, command, (whom, *entries), opens=True)
        yield PromptForm(say("A unit may act"), {"do": "grant"}, (whom,), opens=True)
    for name in found:
        tested = state.tested[1] == name and state.occurrences.tests != used.tests
        if state.unit(name).morale is not None and not tested:
            text = say("Panic test for {unit}", unit=names.of(name))
            # while its dice are rolled the test of the attack itself is still to come
            now = one.what == "attack-completed" and state.open_effect is not None
            asked = {**command, "unit": name}
            yield PromptForm(text, asked, entries, "plain" if now else "quiet", opens=True)


def fighters(state: GameState) -> tuple[UnitState, ...]:
    """The units of the attack that goes on, the attacker first."""
    now = state.attack
    if now is None:
        return ()
    return tuple(state.unit(name) for name in (now.attacker, now.defender) if state.has_unit(name))


def order_form(state: GameState, names: GameNames, seat: str) -> PromptForm:
    """An order that the catalogue does not name (TMG-ORD-1)."""
    entries = (
        Entry("unit", say("Whose order?"), "option", fighters_of(state, names, seat)),
        Entry("order", say("Which order?"), "text"),
    )
    text, command = say("An order that is not listed"), {"do": "order", "another": True}
    by = (seat,) if seat else ()
    return PromptForm(text, command, entries, look="quiet", opens=True, by=by)


def influence_forms(state: GameState, names: GameNames) -> Iterator[PromptForm]:
    """An NCU with Influence attaches its card to a unit when it claims a zone: only the players'
    card tells whether it has it (TMG-INF-1)."""
    ncu = influencing(state)
    if ncu is None:
        return
    free = tuple(
        one
        for one in units_of(state, names)
        if influence_refused(state.unit(one[0]), ncu.side) is None
    )
    whom = Entry("unit", say("Which unit?"), "option", free)
    text = say("Influence: the card of {ncu} is attached", ncu=names.of(ncu.id))
    command = {"do": "influence", "ncu": ncu.id}
    if free:
        yield PromptForm(text, command, (whom,), look="quiet", opens=True)


def board_forms(state: GameState, names: GameNames) -> Iterator[PromptForm]:
    """What a zone may do of which only the players' board says the effect (TMG-NCU-3)."""
    if not may_grant(state):
        return
    units = units_of(state, names)
    whom = Entry("unit", say("Which unit?"), "option", units)
    adds = Entry("modifier", say("What it adds to the result"), "number", (), -20, 20, 0)
    many = Entry("wounds", say("How many wounds?"), "number", (), 1, 60, 1)
    whose = tuple(owner_entries(state, names))
    hurt = tuple(one for one in units if state.unit(one[0]).wounds)
    found = [
        PromptForm(say("A panic test by an effect"), {"do": "test"}, (whom, adds, *whose)),
        PromptForm(say("A unit may act"), {"do": "grant"}, (whom,)),
        PromptForm(say("Wounds by an effect"), {"do": "wounds"}, (whom, many, *whose)),
    ]
    if hurt:
        heals = (replace(whom, options=hurt), many)
        found.insert(1, PromptForm(say("Healed by an effect"), {"do": "heal"}, heals))
    marks = tuple((token, CONDITION_WORDS[token][0]) for token in CONDITIONS)
    which = Entry("token", say("Which condition?"), "option", marks)
    found.append(PromptForm(say("A condition token"), {"do": "token"}, (whom, which)))
    who = tuple((player.id, names.of(player.id)) for player in state.players)
    draws = (
        Entry("player", say("Who draws?"), "option", who),
        Entry("count", say("How many cards?"), "number", (), 1, 20, 1),
    )
    found.append(PromptForm(say("Draw tactics cards"), {"do": "draw"}, draws))
    yield from (replace(form, opens=True) for form in (*found, hits_form(state, names)))


def objective_form(state: GameState, names: GameNames) -> PromptForm:
    """The objective cards that players drew, or another than the game has drawn
    (TMG-MODE-GOT-4)."""
    tokens = tuple((token.id, names.of(token.id)) for token in state.tokens)
    entries = (
        Entry("token", say("Which objective?"), "option", tokens),
        Entry("card", say("Which card?"), "number", least=1, most=OBJECTIVE_CARDS, value=1),
    )
    drawn = all(token.card for token in state.tokens)
    text = say("Another objective card") if drawn else say("Which objective card lies where?")
    return PromptForm(
        text, {"do": "objective"}, entries, look="quiet" if drawn else "plain", opens=True
    )


def units_of(
    state: GameState, names: GameNames, seat: str | None = None
) -> tuple[tuple[str, str], ...]:
    """The units on the battlefield to choose from, by name: of one side, or all; of three players
    or more with the player."""
    mixed = not seat and len(state.players) > 2
    return tuple(
        (
            unit.id,
            say(
                "{unit} ({player})", unit=names.of(unit.id), player=player_name(state, unit.player)
            ),
        )
        if mixed
        else (unit.id, names.of(unit.id))
        for unit in state.standing(seat or None)
    )


def fighters_of(
    state: GameState, names: GameNames, seat: str | None
) -> tuple[tuple[str, str], ...]:
    """The units on the battlefield and the NCUs of one side, or of all (TMG-NCU-7)."""
    ncus = ((one.id, names.of(one.id)) for one in state.ncus if seat in (None, "", one.side))
    return (*units_of(state, names, seat), *ncus)


TEST_WORDS = (("test", say("the result of the test")), ("test-wounds", say("wounds if it fails")))
ATTACK_WORDS = (
    ("attack", say("the attack rolls")),
    ("defense", say("the defense rolls")),
    ("dice", say("the number of dice")),
    ("panic", say("the panic test")),
    ("panic-wounds", say("wounds if the panic test fails")),
    ("highest", say("as many dice as its card prints at most")),
    ("lowest", say("as few dice as its card prints at least")),
)


def modify_forms(state: GameState, one: Pending) -> Iterator[PromptForm]:
    """A card or ability that changes the test, or what can still be changed of the attack."""
    testing = one.what == "test"
    command = {"do": "modify", **({"test": one.data["test"]} if testing else {})}
    what = tuple(
        (word, text)
        for word, text in (TEST_WORDS if testing else ATTACK_WORDS)
        if refused(state, {**command, "what": word, "value": 1}) is None
    )
    valued = tuple(word for word, _ in what if word not in WITHOUT_VALUE)
    entries = (
        Entry("what", say("What does it change?"), "option", what),
        Entry(
            "value",
            say("By how much?"),
            "number",
            least=-20,
            most=20,
            value=1,
            only_for=valued if len(valued) < len(what) else (),
        ),
        Entry("name", say("Which effect?"), "text", required=False),
    )
    yield PromptForm(say("An effect changes it"), command, entries, look="quiet")
    now = state.attack
    gives = {**command, "what": "ability"}
    new = tuple(
        (name, Name.of(name.replace("-", " ").title()))
        for name in ABILITIES
        if now is not None
        and now.attacker
        and not testing
        and name not in now.abilities
        and refused(state, {**gives, "name": name}) is None
    )
    if new:
        which = Entry("name", say("Which ability?"), "option", new)
        yield PromptForm(
            say("An effect gives it an ability"), gives, (which,), look="quiet", opens=True
        )
