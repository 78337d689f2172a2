"""Cards and abilities that change the current attack or a pending test."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    ask,
    interrupt,
    no,
)
from companion.games.tmg.play.flow.attacks import known_ability
from companion.games.tmg.play.flow.panic_queue import find
from companion.games.tmg.play.flow.spelling import same_name, spelling
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    MoraleTrial,
    attack_named,
)
from companion.games.tmg.rules.combat.dice import ABILITIES, Modifier, attack_dice, stacked
from models.lazy_message import say

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
TEST_CHANGES = ("test", "test-wounds")


@interrupt(
    "modify",
    "a card or ability changes the attack that runs, or a test that waits",
    ask("what", "word", "which number", options=(*CHANGES, *TEST_CHANGES), required=True),
    ask("name", "text", "the effect's name: the same name counts once", required=True),
    ask("value", "number", "what it adds; an ability, highest and lowest have none"),
    ask("test", "number", "the test's number"),
    ask("unit", "unit", "the unit that takes the test"),
)
def modify(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """Change the current attack or a pending test."""
    what = given.choice("what", (*CHANGES, *TEST_CHANGES))
    name = given.need("name")
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
    context.add("attack-changed", what=what, name=name, value=value, dice=now.dice)
    return None


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
    base, added = now.base, [Modifier(spelling(one), number) for one, number in now.dice_mods]
    if what == "dice":
        added.append(Modifier(spelling(name), value))
    else:
        if not context.state.has_unit(now.attacker):
            return no("TMG-ATK-1", "the number of attack dice is fixed")
        unit = context.state.unit(now.attacker)
        weapon = attack_named(unit.attacks, now.weapon)
        if weapon is None:
            return no(
                "TMG-CARD-2", "{unit} has no attack {weapon!r}", unit=unit.id, weapon=now.weapon
            )
        base = attack_dice(
            weapon,
            unit.ranks_lost,
            highest=now.highest or what == "highest",
            lowest=now.lowest or what == "lowest",
        )
    dice = max(0, base + stacked(added))
    context.add("attack-changed", what=what, name=name, value=value, dice=dice, base=base)
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
    context.add("test-changed", test=trial.id, what=kind, name=name, value=value)
    return None
