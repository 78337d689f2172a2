"""The attack sequence: dice, rerolls, hits, defense, wounds, panic, completion, surge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    interrupt,
    no,
    unsure,
    waiting,
)
from companion.games.tmg.play.events import field_events, fight_events, flow_events, score_events
from companion.games.tmg.play.flow.casualties import ask_spent, gain, suffer, token_asked, wait
from companion.games.tmg.play.flow.panic_queue import queue_test, taken_unrolled
from companion.games.tmg.play.flow.terrain_costs import acting_refused, acts_on_danger
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    Mod,
    PendingTask,
    attack_named,
)
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.table_facts import aimed_from
from companion.games.tmg.play.state.unit_state import UnitState, listed, same_name, spelling
from companion.games.tmg.rules.combat.dice import (
    ABILITIES,
    Modifier,
    attack_dice,
    count_hits,
    dice_rules,
    stacked,
    unblocked,
)
from companion.games.tmg.rules.combat.odds import ZONE_BONUS
from companion.games.tmg.rules.readings import Readings
from models import Attack
from models.message import say

WALL_VP = 5  # TMG-MODE-SOS-16


# -- declaration ------------------------------------------------------------------------------


def weapon_of(unit: UnitState, name: str, ranged: bool) -> Attack | Refusal:
    """The attack profile a unit uses: the named one, else the first of its kind."""
    fitting = [attack for attack in unit.attacks if attack.ranged is ranged]
    if not fitting:
        if ranged:
            return no("TMG-RNG-3", "{unit} has no ranged attack on its card", unit=unit.id)
        return no("TMG-MEL-2", "{unit} has no melee attack on its card", unit=unit.id)
    if not name:
        return fitting[0]
    found = attack_named(tuple(fitting), name)
    if found is None:
        known = ", ".join(attack.name for attack in fitting)
        return no(
            "TMG-CARD-2",
            "{unit} has no such attack {name!r}; it has: {known}",
            unit=unit.id,
            name=name,
            known=known,
        )
    return found


def begin(
    context: CommandContext,
    attacker: UnitState,
    target: str,
    weapon: Attack,
    *,
    zone: str,
    free: bool,
    charge: bool = False,
    bonus: bool = False,
    lost: tuple[str, ...] = (),
    defense_mods: tuple[Mod, ...] = (),
    friends: tuple[str, ...] = (),
) -> None:
    """Declare an attack: the number of dice depends on the remaining ranks (TMG-ATK-1)."""
    state = context.state
    attacker = state.unit(attacker.id)  # its current state: terrain may have wounded it
    begun = AttackState(
        defender=target,
        attacker=attacker.id,
        by=attacker.side,
        weapon=weapon.name,
        kind=weapon.kind,
        dice=attack_dice(weapon, attacker.ranks_lost),
        hit=weapon.hit,
        zone=zone,
        abilities=tuple(known_ability(name) for name in attacker.attack_abilities(weapon)),
        charge=charge,
        bonus=bonus,
        lost=lost,
        free=free,
        defense_mods=tuple(defense_mods),
        friends=friends,
        companions=fellows(state, attacker.id, target),
    )
    declare(context, begun)


def fellows(state: GameState, attacker: str, target: str) -> tuple[str, ...]:
    """The other units that are engaged with the target of an attack alone (TMG-SRG-4)."""
    foes = state.enemies_engaged(state.unit(target)) if state.has_unit(target) else ()
    return tuple(one.id for one in foes if one.id != attacker and one.engaged == (target,))


def declare(context: CommandContext, begun: AttackState) -> None:
    """Add the event of an attack or of automatic hits."""
    more: dict[str, Any] = {"source": begun.source} if begun.source else {}
    more |= {"lost": list(begun.lost)} if begun.lost else {}
    context.add(
        fight_events.attack,
        attacker=begun.attacker,
        by=begun.by,
        weapon=begun.weapon,
        kind=begun.kind,
        dice=begun.dice,
        hit=begun.hit,
        zone=begun.zone,
        abilities=list(begun.abilities),
        charge=begun.charge,
        bonus=begun.bonus,
        free=begun.free,
        attack_mods=listed(begun.attack_mods),
        defense_mods=listed(begun.defense_mods),
        panic_mods=listed(begun.panic_mods),
        stage=begun.stage,
        hits=begun.hits,
        friends=list(begun.friends),
        companions=list(begun.companions),
        defender=begun.defender,
        **more,
    )


def strike(
    context: CommandContext, unit_id: str, hits: int, name: str, by: str = "", source: str = ""
) -> None:
    """Automatic hits: defense dice are rolled, but it is not an attack (TMG-GLO-21, TMG-GLO-22)."""
    hitting = AttackState(
        unit_id, by=by, weapon=name, stage="defense-dice", hits=hits, free=True, source=source
    )
    declare(context, hitting)


def known_ability(name: str) -> str:
    """The name of an ability as the dice rules know it, if they do."""
    return same_name(name, ABILITIES) or name


# -- numbers ----------------------------------------------------------------------------------


def printed_dice(state: GameState, now: AttackState) -> int:
    """The attack dice its card prints for the ranks it has now (TMG-ATK-1, TMG-CARD-4,
    TMG-DIC-4)."""
    unit = state.unit(now.attacker) if state.has_unit(now.attacker) else None
    weapon = attack_named(unit.attacks, now.weapon) if unit is not None else None
    if unit is None or weapon is None:
        return now.base
    return attack_dice(weapon, unit.ranks_lost, highest=now.highest, lowest=now.lowest)


def with_effects(base: int, effects: Iterable[Mod]) -> int:
    """The number of attack dice after what effects add to it, each name once (TMG-ABL-5)."""
    added = stacked(Modifier(spelling(name), value) for name, value in effects)
    return max(0, base + added)


def recount(context: CommandContext, now: AttackState) -> bool:
    """Whether the attack dice change: they count when they are rolled, and ranks may be lost."""
    base = printed_dice(context.state, now)
    if now.stage != "attack-dice" or base == now.base:
        return False
    dice = with_effects(base, now.dice_mods)
    context.add(fight_events.attack_changed, what="ranks", name="ranks", dice=dice, base=base)
    return True


def dice_abilities(now: AttackState) -> tuple[str, ...]:
    """The abilities that the dice rules know, each once (TMG-ABL-5)."""
    return tuple(dict.fromkeys(name for name in now.abilities if name in ABILITIES))


def zone_modifier(now: AttackState, year: str) -> int:
    """The modifier to defense and panic for attacking the flank or rear."""
    if now.kind != "melee" and not dice_rules(year).zones_help_shots:
        return 0
    return ZONE_BONUS[now.zone]


def defense_modifier(now: AttackState, year: str) -> int:
    """The sum of all modifiers to the defense dice."""
    found = [Modifier(spelling(name), value) for name, value in now.defense_mods]
    found += [Modifier(name, ABILITIES[name].defense) for name in dice_abilities(now)]
    found.append(Modifier("zone", zone_modifier(now, year)))
    return stacked(found)


def attack_modifier(now: AttackState) -> int:
    """The sum of all modifiers to the attack dice."""
    return stacked(Modifier(spelling(name), value) for name, value in now.attack_mods)


def panic_modifiers(now: AttackState, year: str) -> tuple[Mod, ...]:
    """All modifiers to the panic test after the attack."""
    found: list[Mod] = list(now.panic_mods)
    found += [
        (name, ABILITIES[name].panic) for name in dice_abilities(now) if ABILITIES[name].panic
    ]
    if zone := zone_modifier(now, year):
        found.append((now.zone, zone))
    return tuple(found)


def owner(state: GameState, name: str, fallback: str) -> str:
    """The side that a unit or wall belongs to."""
    return state.unit(name).side if state.has_unit(name) else fallback


# -- dice -------------------------------------------------------------------------------------


@interrupt(
    "roll",
    "roll the attack or defense dice that wait",
    ask("faces", "dice", "the dice as they lie; the companion rolls where they are left out"),
    ask("count", "number", "how many of them hit or block, all rerolls done, instead of the dice"),
    ask("keep", "flag", "accept them at once: nobody rerolls"),
    ask("agreed", "flag", "both agree to a shot from where the target is out of range or sight"),
)
def roll(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Roll the dice of the attack sequence."""
    now = context.state.attack
    if now is None:
        return no("TMG-ATK-2", "no attack waits for dice")
    if refusal := token_asked(context.state):
        return refusal
    if (refusal := out_of_range(context.state, now)) and not given.flag("agreed"):
        return refusal
    if now.stage == "attack-dice":
        wanted, what, side = now.dice, "attack", now.by
    elif now.stage == "defense-dice":
        wanted, what = now.hits, "defense"
        side = owner(context.state, now.defender, now.by)
    else:
        return no(
            "TMG-ATK-2", "the attack does not wait for dice but for: {stage}", stage=now.stage
        )
    if given.has("count"):
        number = given.whole("count", 0, wanted)
        if refusal := uncountable(now):
            return refusal
        roller = now.attacker if what == "attack" else now.defender
        if given.flag("keep") or not ask_spent(context, roller, what, (number,)):
            counted(context, number)
        return None
    faces = given.faces()
    if faces is None:
        faces = context.dice(wanted)
    if len(faces) != wanted:
        rule = "TMG-ATK-1" if what == "attack" else "TMG-ATK-7"
        return no(
            rule,
            "{n} {what} die is rolled, not {faces}",
            "{n} {what} dice are rolled, not {faces}",
            n=wanted,
            what=what,
            faces=len(faces),
        )
    context.add(
        fight_events.rolled, what=what, side=side, faces=faces, unit=now.attacker or now.defender
    )
    if given.flag("keep"):
        accept(context)
    return None


def out_of_range(state: GameState, now: AttackState) -> Refusal | None:
    """Why a shot may not be made from where the attacker stands: the shift that it needs is still
    to be made, or ended elsewhere (TMG-RNG-7)."""
    shot = aimed_from(state, now) if now.to_shoot else None
    if shot is None or shot.answer.verdict != "no":
        return None
    return unsure(
        "agreed",
        "TMG-RNG-7",
        "{target} is out of range or sight from where {unit} stands",
        target=now.defender,
        unit=now.attacker,
    )


def uncountable(now: AttackState) -> Refusal | None:
    """Why a count of hits is not enough: an ability asks for the sixes."""
    for name in dice_abilities(now) if now.stage == "attack-dice" else ():
        if ABILITIES[name].six_hits_again or ABILITIES[name].six_wounds:
            return no("TMG-DIC-1", "{name} counts the sixes: enter the dice", name=name)
    return None


def counted_dice(state: GameState) -> int:
    """How many dice are rolled for the attack at this stage."""
    now = state.attack
    assert now is not None
    return now.dice if now.stage == "attack-dice" else now.hits


def counted(context: CommandContext, number: int) -> None:
    """The hits or blocks that the players counted themselves, after all rerolls."""
    now = context.state.attack
    assert now is not None
    if now.stage == "defense-dice":
        wound(context, now.hits - number + now.sure)
    else:
        land(context, number, 0)


@interrupt(
    "attack-result",
    "enter only the wounds of an attack whose dice the players rolled and read themselves",
    ask("wounds", "number", "wounds before the panic test", required=True),
)
def attack_result(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Enter a result that the players worked out themselves."""
    if context.state.attack is None or context.state.attack.stage in ("panic", "completed"):
        return no("TMG-ATK-12", "no attack waits for its result")
    if refusal := token_asked(context.state):
        return refusal
    wound(context, given.whole("wounds", 0, 60))
    return None


def accept(context: CommandContext) -> None:
    """Accept the dice: count hits, or deal wounds."""
    now = context.state.attack
    assert now is not None
    assert now.roll is not None
    if now.roll.what == "attack":
        found = count_hits(now.roll.faces, now.hit, attack_modifier(now), dice_abilities(now))
        land(context, found.hits, found.sure_wounds)
        return
    need = context.state.unit(now.defender).defense
    modifier = defense_modifier(now, context.state.year)
    wound(context, unblocked(now.roll.faces, need, modifier) + now.sure)


def land(context: CommandContext, hits: int, sure: int) -> None:
    """The hits are known: defense dice follow, unless a wall is hit or nothing is to block."""
    now = context.state.attack
    assert now is not None
    context.add(fight_events.hits, hits=hits, sure=sure)
    if context.state.wall(now.defender) or not hits:  # TMG-MODE-SOS-15
        wound(context, sure + hits)


def wound(context: CommandContext, wounds: int) -> None:
    """Each unblocked hit is a wound; a panic test follows (TMG-ATK-12..16)."""
    now = context.state.attack
    assert now is not None
    context.add(fight_events.attack_wounds, defender=now.defender, wounds=wounds)
    wall = context.state.wall(now.defender)
    if wall is not None:
        if wounds:
            context.add(score_events.wall_hit, wall=wall.id, wounds=wounds)
        after = context.state.wall(wall.id)
        if wall.standing and after is not None and not after.standing:
            gain(context, now.by, WALL_VP, "TMG-MODE-SOS-16", say("{unit} destroyed", unit=wall.id))
        return
    suffer(context, now.defender, wounds, now.by, now.attacker or now.source, now.weapon)
    if context.state.attack is None or not now.attacker:  # over, or hits that were not an attack
        return
    if not context.state.unit(now.defender).standing:  # OR-39: nobody is left to test
        return
    cause = say("attacked by {unit}", unit=now.attacker)
    if not wounds:
        taken_unrolled(context, now.defender, cause, now.by)
        return
    queue_test(
        context,
        now.defender,
        cause,
        mods=panic_modifiers(now, context.state.year),
        extra=now.extra_panic_wounds,
        extra_names=now.extra_names,
        by=now.by,
        by_unit=now.attacker,
        after="attack",
    )


def pointless(state: GameState, now: AttackState) -> bool:
    """Whether an effect has removed the target, or the attacker before it rolled its dice.

    Hits already rolled are still blocked or suffered after the attacker is gone (TMG-ATK-7); there
    is no Surge Forward, because the attack itself destroyed nothing (TMG-SRG-1).
    """
    if now.stage in ("panic", "completed"):
        return False
    if state.has_unit(now.defender) and not state.unit(now.defender).standing:
        return True
    attacker = state.unit(now.attacker) if state.has_unit(now.attacker) else None
    return now.stage == "attack-dice" and attacker is not None and not attacker.standing


# -- the end of an attack ---------------------------------------------------------------------


def told_end(now: AttackState) -> dict[str, Any]:
    """What is said at the end of automatic hits, which are no attack (TMG-GLO-21)."""
    return {} if now.attacker else {"say_": say("the hits are over")}


def finish(context: CommandContext) -> None:
    """Carry out what follows a completed attack."""
    now = context.state.attack
    assert now is not None
    state = context.state
    fallen = state.has_unit(now.defender) and not state.unit(now.defender).standing
    victor = now.kind == "melee" and fallen and on_battlefield(state, now.attacker)
    pivots = [name for name in now.companions if victor and on_battlefield(state, name)]
    state = context.add(
        fight_events.attack_ended, defender=now.defender, may_turn=pivots, **told_end(now)
    )
    if now.kind != "melee":
        shot_into_melee(context, now, fallen)
        return
    if not on_battlefield(state, now.attacker):
        return
    attacker = state.unit(now.attacker)
    if not fallen:
        take_token(context, attacker, now.defender)
        return
    if pivots:
        context.remind(say("{units} may make a free pivot (TMG-SRG-4)", units=", ".join(pivots)))
    if not attacker.engaged:
        wait(
            context,
            "surge",
            say("{unit} may surge forward: 1 free Maneuver (TMG-SRG-1)", unit=attacker.id),
            side=attacker.side,
            unit=attacker.id,
            commands=("surge",),
        )


def on_battlefield(state: GameState, name: str) -> bool:
    """Whether that is a unit on the battlefield."""
    return state.has_unit(name) and state.unit(name).standing


def shot_into_melee(context: CommandContext, now: AttackState, fallen: bool) -> None:
    """Queue panic tests for friends in contact with the target of a shot (TMG-SIM-2)."""
    reading = Readings.parse(context.state.readings).melee_panic  # OR-39
    if fallen and reading == "standing":
        return
    for name in now.friends:
        if on_battlefield(context.state, name):
            queue_test(
                context,
                name,
                say("{unit} shot into its melee (TMG-SIM-2)", unit=now.attacker),
                by=now.by,
            )


def take_token(context: CommandContext, attacker: UnitState, defender: str) -> None:
    """A stronger attacker takes the defender's token (TMG-MODE-FFC-13, TMG-MODE-DWD-10)."""
    state = context.state
    play = play_of(state)
    if not play.taken_rule or not state.has_unit(defender):
        return
    laden = any(token.holder == attacker.id for token in state.tokens)
    if play.one_token and laden:
        return
    for token in state.tokens:
        if token.holder == defender and attacker.ranks > state.unit(defender).ranks:
            context.add(
                score_events.token_held, token=token.id, unit=attacker.id, rule=play.taken_rule
            )


@interrupt(
    "surge",
    "surge forward after destroying an enemy in melee, or let it be",
    ask("take", "flag", "whether the free Maneuver is made", required=True),
    ask("dangerous", "flag", "it acts on, or moves onto, Dangerous ground; the table tells it"),
    ask("d3", "number", "the D3 for Dangerous ground"),
    of=waiting(no("TMG-SRG-1", "nobody may surge forward now"), "surge"),
)
def surge(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """A free Maneuver for the victor (TMG-SRG-1)."""
    take = given.field("take").flag()
    if take:
        if context.state.unit(task.unit).engaged:
            return no("TMG-SRG-2", "{unit} is engaged", unit=task.unit)
        if refusal := acting_refused(context.state, task.unit, given):
            return refusal
        if acts_on_danger(context, context.state.unit(task.unit), given, moving=True):
            context.add(
                field_events.acted,
                unit=task.unit,
                action="maneuver",
                free=True,
                moves=True,
                settled=given.has("dangerous"),
                note="surge",
            )
    context.add(
        flow_events.task_done, task=task.id, say_="surge forward" if take else "no surge forward"
    )
    return None
