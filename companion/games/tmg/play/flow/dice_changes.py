"""Changes to an attack or a test before its result is accepted: rerolls, cards and abilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.tmg.play.context import CommandContext, CommandFields, ask, interrupt, no
from companion.games.tmg.play.events import fight_events, unit_events
from companion.games.tmg.play.flow.attacks import (
    attack_modifier,
    defense_modifier,
    known_ability,
    printed_dice,
    with_effects,
)
from companion.games.tmg.play.flow.panic_queue import find
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    MoraleTrial,
    StandingRoll,
    attack_named,
)
from companion.games.tmg.play.state.play_rules import SPENT
from companion.games.tmg.play.state.unit_state import same_name
from companion.games.tmg.rules.combat.dice import (
    ABILITIES,
    may_reroll,
    succeeds,
)
from models.frozen_records import replace
from models.message import say

BEFORE_DICE = ("attack-dice",)
BEFORE_HITS = (*BEFORE_DICE, "attack-rerolls")
BEFORE_WOUNDS = (*BEFORE_HITS, "defense-dice", "defense-rerolls")
STAGES = {
    "dice": BEFORE_DICE,
    "highest": BEFORE_DICE,
    "lowest": BEFORE_DICE,
    "attack": BEFORE_HITS,
    "defense": BEFORE_WOUNDS,
    "panic": (*BEFORE_WOUNDS, "panic"),
    "panic-wounds": (*BEFORE_WOUNDS, "panic"),
    "ability": (*BEFORE_WOUNDS, "panic"),
}
"""The last stage of the attack sequence at which each number can be changed (TMG-ATK-1..17)."""
CHANGES = ("attack", "defense", "panic", "ability", "dice", "panic-wounds", "highest", "lowest")
WITHOUT_VALUE = ("ability", "highest", "lowest")
UNNAMED = "an effect"
TEST_CHANGES = ("test", "test-wounds")


@interrupt(
    "modify",
    "a card or ability changes the attack that runs, or a test that waits",
    ask("what", "word", "which number", options=(*CHANGES, *TEST_CHANGES), required=True),
    ask("name", "text", "the effect's name: the same name counts once"),
    ask("value", "number", "what it adds; an ability, highest and lowest have none"),
    ask("test", "number", "the test's number"),
    ask("unit", "unit", "the unit that takes the test"),
)
def modify(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Change the current attack or a pending test."""
    what = given.choice("what", (*CHANGES, *TEST_CHANGES))
    name = given.text("name") or unnamed(context.state)
    value = 0 if what in WITHOUT_VALUE else given.whole("value", -20, 20)
    if what in TEST_CHANGES:
        trial = find(context.state, given)
        if isinstance(trial, Refusal):
            return trial
        return change_test(context, trial, what == "test-wounds", name, value)
    now = context.state.attack
    if now is None:
        return no("TMG-ATK-1", "no attack runs that could be changed")
    if what == "ability":
        name = known_ability(name)
    if refusal := too_late(context.state, now, what, name):
        return refusal
    if now.stage == "panic":
        return change_panic(context, what, name, value)
    if counted(now, what, name):
        remind_of_name(context, name)
        return None
    if what in ("dice", "highest", "lowest"):
        return change_dice(context, now, what, name, value)
    context.add(fight_events.attack_changed, what=what, name=name, value=value, dice=now.dice)
    return None


def unnamed(state: GameState) -> str:
    """What an effect is called that nobody names: each one otherwise, so that all count."""
    now = state.attack
    mods = [*(now.attack_mods + now.defense_mods + now.panic_mods + now.dice_mods if now else ())]
    mods += [mod for trial in state.trials for mod in trial.mods]
    extra = [*(now.extra_names if now else ())]
    extra += [name for trial in state.trials for name in trial.extra_names]
    number = sum(str(name).startswith(UNNAMED) for name in (*extra, *(name for name, _ in mods)))
    return f"{UNNAMED} {number + 1}" if number else UNNAMED


def too_late(state: GameState, now: AttackState, what: str, name: str) -> Refusal | None:
    """Why this number can no longer be changed, or never could be."""
    stages = STAGES[what]
    if what == "ability" and name in ABILITIES:
        known = ABILITIES[name]
        if known.six_hits_again or known.six_wounds:
            stages = BEFORE_HITS
        elif known.defense:
            stages = BEFORE_WOUNDS
    if now.stage not in stages:
        if now.stage == "completed":
            return no("TMG-ATK-17", "the attack is completed: nothing of it can be changed")
        if what in ("dice", "highest", "lowest"):
            return no("TMG-ATK-1", "the number of attack dice is fixed")
        rule = "TMG-ATK-7" if stages == BEFORE_HITS else "TMG-ATK-12"
        return no(rule, "{what}: those dice are counted already", what=what)
    if what in ("panic", "panic-wounds"):
        if state.wall(now.defender):
            return no("TMG-MODE-SOS-21", "castle walls never take morale tests")
        if not now.attacker:
            return no("TMG-GLO-21", "hits that are no attack bring no panic test")
    return None


def counted(now: AttackState, what: str, name: str) -> bool:
    """Whether an effect of that name already changes this number (TMG-ABL-5)."""
    if what == "ability":
        return bool(same_name(name, now.abilities))
    if what == "panic-wounds":
        return bool(same_name(name, now.extra_names))
    named = {
        "attack": now.attack_mods,
        "defense": now.defense_mods,
        "panic": now.panic_mods,
        "dice": now.dice_mods,
    }
    return bool(same_name(name, (one for one, _ in named.get(what, ()))))


def remind_of_name(context: CommandContext, name: str) -> None:
    """Remind that effects of the same name do not stack."""
    context.remind(say("{name} counts already, and only once (TMG-ABL-5)", name=name))


def change_dice(
    context: CommandContext, now: AttackState, what: str, name: str, value: int
) -> Refusal | None:
    """Change the number of attack dice: the printed number, or what effects add (TMG-DIC-4)."""
    base, effects = now.base, now.dice_mods
    if what == "dice":
        effects = (*effects, (name, value))
    elif not context.state.has_unit(now.attacker):
        return no("TMG-ATK-1", "the number of attack dice is fixed")
    elif attack_named(context.state.unit(now.attacker).attacks, now.weapon) is None:
        unit, weapon = now.attacker, now.weapon
        return no("TMG-CARD-2", "{unit} has no attack {weapon!r}", unit=unit, weapon=weapon)
    elif what == "highest":
        base = printed_dice(context.state, replace(now, highest=True))
    else:
        base = printed_dice(context.state, replace(now, lowest=True))
    dice = with_effects(base, effects)
    context.add(
        fight_events.attack_changed, what=what, name=name, value=value, dice=dice, base=base
    )
    return None


def change_panic(context: CommandContext, what: str, name: str, value: int) -> Refusal | None:
    """Change the pending panic test after the wounds were dealt."""
    trial = next((one for one in context.state.trials if one.after == "attack"), None)
    if trial is None:
        return no("TMG-PAN-7", "no such test is waiting")
    if what == "ability":
        value = ABILITIES[name].panic if name in ABILITIES else 0
    return change_test(context, trial, what == "panic-wounds", name, value)


def change_test(
    context: CommandContext, trial: MoraleTrial, wounds: bool, name: str, value: int
) -> Refusal | None:
    """Apply another effect to a test: to its result, or to the wounds of a failure."""
    if wounds and trial.kind != "panic":
        return no("TMG-MOR-2", "the effect that demands the test says what happens (TMG-MOR-2)")
    names = trial.extra_names if wounds else tuple(one for one, _ in trial.mods)
    if same_name(name, names):
        remind_of_name(context, name)
        return None
    kind = "wounds" if wounds else "result"
    context.add(fight_events.trial_changed, test=trial.id, what=kind, name=name, value=value)
    return None


CHARGE_BONUS = "charge bonus"
KnownReroll = tuple[str, str, list[int]]
"""A side, the effect that lets it reroll, and the places of the dice."""


def standing_roll(
    state: GameState, test: int = 0
) -> tuple[StandingRoll, MoraleTrial | None] | None:
    """The rolled dice that may still be rerolled: of that test, else the first ones."""
    for trial in state.trials:
        if trial.roll is not None and test in (0, trial.id):
            return trial.roll, trial
    if test:
        return None
    if state.attack and state.attack.roll:
        return state.attack.roll, None
    return None


def roller(state: GameState, trial: MoraleTrial | None) -> str:
    """The unit that rolled the dice."""
    if trial:
        return trial.unit
    assert state.attack is not None
    assert state.attack.roll is not None
    return state.attack.attacker if state.attack.roll.what == "attack" else state.attack.defender


@interrupt(
    "reroll",
    "roll dice again that have just been rolled",
    ask("side", "side", "who makes use of an effect", required=True),
    ask("test", "number", "the test whose dice they are; the first that is rolled where left out"),
    ask("places", "list", "which dice, the first is 0; all where left out"),
    ask("faces", "dice", "what they show now; the companion rolls where left out"),
    ask("d3", "number", "what the D3 of a panic test shows now, where it is not among the faces"),
    ask(
        "because",
        "text",
        "the effect: charge bonus, weakened, vulnerable, panicked, or the name of another",
    ),
)
def reroll(context: CommandContext, given: CommandFields) -> Refusal | None:
    """A reroll by either player."""
    state = context.state
    found = standing_roll(state, given.whole("test", 1, 10**6) if given.has("test") else 0)
    if found is None:
        return no("TMG-RER-3", "no dice lie on the table to be rolled again")
    roll, trial = found
    side = state.side(given.need("side")).id
    because = given.text("because", UNNAMED).casefold()
    places = list(range(len(roll.faces)))
    if given.has("places"):
        places = [one.whole(0, len(roll.faces) - 1) for one in given.field("places").items(100)]
    if len(set(places)) != len(places):
        return no("TMG-RER-1", "the same die stands twice in the list")
    if not places:
        return no("TMG-RER-3", "no die is named")
    owner = roller(state, trial)
    if refusal := reroll_refused(state, roll, owner, side, because, places):
        return refusal
    faces = new_faces(context, roll, places, given)
    if isinstance(faces, Refusal):
        return faces
    if because in SPENT.values():
        context.add(unit_events.condition_gone, unit=owner, token=because, by=side)
    context.add(
        fight_events.rerolled,
        side=side,
        test=trial.id if trial else 0,
        places=places,
        old=[roll.faces[place] for place in places],
        new=faces,
        because=because,
    )
    return None


def reroll_refused(
    state: GameState, roll: StandingRoll, owner: str, side: str, because: str, places: list[int]
) -> Refusal | None:
    """Why a side may not reroll these dice by that effect now."""
    if side in roll.done:
        return no("TMG-RER-2", "{side} has let the dice lie", side=side)
    if any(side in roll.rerolled[place] for place in places):
        return no("TMG-RER-1", "{side} has rerolled such a die already", side=side)
    if refusal := effect_refused(state, roll, owner, side, because, places):
        return refusal
    first = state.active
    if side != first and first in rerollers(state, roll, owner):
        return no("TMG-RER-2", "first {side} rerolls, or lets the dice lie", side=first)
    return None


def effect_refused(
    state: GameState, roll: StandingRoll, owner: str, side: str, because: str, places: list[int]
) -> Refusal | None:
    """Why an effect that the game knows gives a side no reroll of these dice."""
    if because == CHARGE_BONUS:
        return bonus_refused(state, roll, side, places)
    if because in SPENT.values():
        return token_refused(state, roll, owner, side, because)
    return None


def known_rerolls(state: GameState, roll: StandingRoll, owner: str) -> list[KnownReroll]:
    """The rerolls that the game itself knows, whoever is to decide first.

    They are the charge bonus and the condition tokens; only dice that the side has not rerolled
    before are listed (TMG-RER-1).
    """
    now = state.attack
    ways: list[KnownReroll] = []
    if now is not None and now.bonus and roll.what == "attack" and state.has_unit(now.attacker):
        side = state.unit(now.attacker).side
        ways += [(side, CHARGE_BONUS, places) for places in bonus_dice(state, now, roll)]
    if state.has_unit(owner):
        others = state.opponents(state.unit(owner).side)
        ways += [(side, SPENT[roll.what], token_dice(state, roll)) for side in others]
    found: list[KnownReroll] = []
    for side, because, places in ways:
        open_ = [place for place in places if side not in roll.rerolled[place]]
        if open_ and effect_refused(state, roll, owner, side, because, open_) is None:
            found.append((side, because, open_))
    return found


def token_dice(state: GameState, roll: StandingRoll) -> list[int]:
    """What a condition token is spent on: hits and blocks, or every die of a test (TMG-CON-5..7).

    Its owner may name others; dice that failed are nothing to ask about.
    """
    now, every = state.attack, list(range(len(roll.faces)))
    if now is None or roll.what not in ("attack", "defense"):
        return every
    need, modifier = now.hit, attack_modifier(now)
    if roll.what == "defense":
        need, modifier = state.unit(now.defender).defense, defense_modifier(now, state.year)
    return [place for place in every if succeeds(roll.faces[place], need, modifier)]


def bonus_dice(state: GameState, now: AttackState, roll: StandingRoll) -> Iterator[list[int]]:
    """What the charge bonus, which is this reroll alone (TMG-BON-2), may reroll: the misses, then
    where it may (TMG-BON-1) with them the lowest hits, up to all dice."""
    modifier, faces = attack_modifier(now), roll.faces
    allowed = may_reroll(faces, now.hit, state.year, modifier)
    hits = [place for place in allowed if succeeds(faces[place], now.hit, modifier)]
    for most in (0, *sorted({faces[place] for place in hits})):
        yield [place for place in allowed if place not in hits or faces[place] <= most]


def of_hits(state: GameState, command: Plain) -> bool:
    """Whether the charge bonus would reroll nothing but hits: allowed, and seldom meant (BON-1)."""
    now, found = state.attack, standing_roll(state)
    if now is None or found is None or command["because"] != CHARGE_BONUS:
        return False
    faces = [found[0].faces[place] for place in command["places"]]
    return all(succeeds(face, now.hit, attack_modifier(now)) for face in faces)


def rerollers(state: GameState, roll: StandingRoll, owner: str) -> tuple[str, ...]:
    """The sides that still may reroll by an effect the game knows, the active one first."""
    sides = dict.fromkeys(side for side, _, _ in known_rerolls(state, roll, owner))
    left = [side for side in sides if side not in roll.done]
    return tuple(sorted(left, key=lambda side: side != state.active))


def may_reroll_still(state: GameState, test: int = 0) -> tuple[str, ...]:
    """The same for the dice of that test, else for the first ones."""
    found = standing_roll(state, test)
    return () if found is None else rerollers(state, found[0], roller(state, found[1]))


def may_use_cards(state: GameState, test: int = 0) -> tuple[str, ...]:
    """The sides that may reroll by an effect which only the players know (TMG-RER-2)."""
    found = standing_roll(state, test)
    if found is None:
        return ()
    first = state.active in rerollers(state, found[0], roller(state, found[1]))
    open_ = (state.active,) if first else state.playing
    return tuple(side for side in open_ if side not in found[0].done)


def offered(state: GameState, test: int = 0) -> list[dict[str, Any]]:
    """The known rerolls of the side that decides first, as fields of the command."""
    found = standing_roll(state, test)
    if found is None:
        return []
    roll, trial = found
    owner = roller(state, trial)
    which = {"test": trial.id} if trial else {}
    return [
        {"side": side, "because": because, "places": places, **which}
        for side, because, places in known_rerolls(state, roll, owner)
        if reroll_refused(state, roll, owner, side, because, places) is None
    ]


def bonus_refused(
    state: GameState, roll: StandingRoll, side: str, places: list[int]
) -> Refusal | None:
    """Why the charge bonus may not reroll these dice (TMG-BON-1)."""
    now = state.attack
    if now is None or roll.what != "attack" or not now.bonus:
        return no("TMG-BON-1", "this attack has no charge bonus")
    if state.unit(now.attacker).side != side:
        return no("TMG-BON-1", "the charge bonus belongs to the attacker")
    if CHARGE_BONUS in roll.reasons:
        return no("TMG-RER-1", "the charge bonus has been used")
    allowed = may_reroll(roll.faces, now.hit, state.year, attack_modifier(now))
    if any(place not in allowed for place in places):
        return no("TMG-BON-1", "only misses may be rerolled")
    return None


def token_refused(
    state: GameState, roll: StandingRoll, owner: str, side: str, token: str
) -> Refusal | None:
    """Why a condition token may not be spent now (TMG-CON-3..7)."""
    number = {"panicked": "TMG-CON-5", "vulnerable": "TMG-CON-6", "weakened": "TMG-CON-7"}[token]
    if SPENT[roll.what] != token:
        return no(number, "{token} is not spent on {what} dice", token=token, what=roll.what)
    if not state.has_unit(owner) or token not in state.unit(owner).tokens:
        return no(number, "{unit} is not {token}", unit=owner, token=token)
    if state.unit(owner).side == side:
        return no("TMG-CON-4", "only an opponent of {unit} may spend its token", unit=owner)
    return None


D3_PLACE = 2
"""The D3 of a panic test lies after its two dice."""


def new_faces(
    context: CommandContext, roll: StandingRoll, places: list[int], given: CommandFields
) -> list[int] | Refusal:
    """The new faces of the dice; the D3 of a panic test is one of them (TMG-PAN-6)."""
    highest = [3 if roll.what == "panic" and place == D3_PLACE else 6 for place in places]
    faces = given.faces()
    if roll.what == "panic" and D3_PLACE in places:
        faces = with_d3(context, faces, places, given)
    if faces is None:
        return [context.dice(1, most)[0] for most in highest]
    if len(faces) != len(places):
        return no(
            "TMG-RER-3",
            "{n} die is rerolled, {faces} are given",
            "{n} dice are rerolled, {faces} are given",
            n=len(places),
            faces=len(faces),
        )
    if any(face > most for face, most in zip(faces, highest, strict=True)):
        return no("TMG-PAN-2", "a D3 shows 1 to 3")
    return faces


def with_d3(
    context: CommandContext, faces: list[int] | None, places: list[int], given: CommandFields
) -> list[int] | None:
    """The new faces with that of the D3, which players may leave to the companion."""
    if given.has("d3"):
        d3 = given.whole("d3", 1, 3)
    elif faces is not None and len(faces) == len(places) - 1:
        d3 = context.dice(1, 3)[0]
    else:
        return faces
    at = places.index(D3_PLACE)
    return [*(faces or ())[:at], d3, *(faces or ())[at:]]
