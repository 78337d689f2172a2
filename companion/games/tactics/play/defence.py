"""What modifies a defence (TAC-ABL-6) or a Will test (TAC-CRD-4): abilities, tokens, friends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import (
    CardAbility,
    CardAttack,
    CoinEffect,
    is_extra_die,
)
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.play.context import BattleContext, CommandFields
from companion.games.tactics.play.events import board_events, fight_events
from companion.games.tactics.play.state import (
    AttackInPlay,
    FigureInPlay,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.rules.attack_odds import (
    SHAKEN,
    AttackQuestion,
    Parts,
    defence_parts,
    figure_question,
    reaches,
    real_parts,
)
from companion.games.tactics.rules.contact import contacts, engaged_with
from companion.games.tactics.rules.position import BattlePosition
from models.message import say


def aftermaths(state: SkirmishState, attack: AttackInPlay, figure_id: str) -> list[CardAbility]:
    """Its abilities that may still be used after these rolls, each once; those of the defence only
    by the defender (TAC-ABL-15, TAC-ATK-11, -12)."""
    figure = state.figure(figure_id)
    purse = state.squad(figure.side).coins
    return [
        one
        for one in figure.card.abilities
        if one.aftermath
        and (figure_id == attack.target or one.kind != "defence")
        and fits_attack(one, attack)
        and (figure_id, one.name) not in attack.aftermaths
        and purse.covers(one.price)
    ]


def fits_attack(ability: CardAbility, attack: AttackInPlay) -> bool:
    """Whether an ability may be used in an attack of this kind."""
    return attack.attack.kind == "melee" or not ability.melee


def aftermath_figures(state: SkirmishState) -> tuple[str, ...]:
    """Whose aftermaths come now: the attacker's, then the defender's (TAC-ATK-11, -12).

    Games of earlier versions asked for both at once.
    """
    task, attack = state.tasks[0] if state.tasks else None, state.attack
    if task is None or task.kind != "aftermath" or attack is None:
        return ()
    return (task.figure,) if task.data.get("alone") else (attack.attacker, attack.target)


def defence_effects(state: SkirmishState, figure: FigureInPlay) -> list[CoinEffect]:
    """The optional effects of its defence abilities that the table and its coins allow."""
    purse = state.squad(figure.side).coins
    return [
        effect
        for ability in defence_abilities(state, figure)
        for effect in ability.effects
        if purse.covers(defence_price(state, figure, [effect]))
        and not effect_refusal(state, figure, effect)
    ]


def defence_price(
    state: SkirmishState, figure: FigureInPlay, effects: Sequence[CoinEffect]
) -> Coins:
    """What effects cost together: each its own price, each of their abilities its price once; that
    of an aftermath is paid after the rolls (TAC-ATK-8, -12, TAC-CRD-10)."""
    once = [
        one.price
        for one in defence_abilities(state, figure)
        if not one.aftermath and any(effect in one.effects for effect in effects)
    ]
    return sum((*once, *(one.price for one in effects)), Coins())


def defence_abilities(state: SkirmishState, figure: FigureInPlay) -> list[CardAbility]:
    """Its abilities before the defence roll of the running attack (TAC-ABL-6)."""
    return [
        one
        for one in figure.card.abilities
        if one.kind == "defence"
        and (one.effects or not one.aftermath)
        and (state.attack is None or fits_attack(one, state.attack))
    ]


def worded_defences(state: SkirmishState, figure: FigureInPlay) -> list[CardAbility]:
    """Those of which only the card tells what they do, and that it can still use and pay."""
    purse = state.squad(figure.side).coins
    used = {name for name, _, _ in state.attack.defences} if state.attack is not None else set()
    return [
        one
        for one in defence_abilities(state, figure)
        if not one.effects and one.name not in used and purse.covers(one.price)
    ]


def use_defence(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """A defence ability with what its players read on the card (TAC-ABL-6)."""
    name = args.need("ability")
    every = [one for one in defence_abilities(ctx.state, figure) if not one.effects]
    ability = next((one for one in every if one.name == name), None)
    if ability is None:
        return no("TAC-ABL-6", "{figure} has no effect {name!r}", figure=figure.name, name=name)
    attack = ctx.state.attack
    if attack is not None and name in {used for used, _, _ in attack.defences}:
        return no("TAC-CRD-11", "{name} only once per action", name=name)
    if refusal := ctx.pay(figure.side, ability.price, name):
        return refusal
    ctx.note(
        fight_events.defence_used,
        figure,
        ability=name,
        modifier=args.whole("modifier", -9, 9, 0),
        cancels=args.whole("cancels", 0, 9, 0),
        told=ability.text,
    )
    return None


def effect_refusal(state: SkirmishState, figure: FigureInPlay, effect: CoinEffect) -> str:
    """The rule by which an effect cannot be used now; "" if it can."""
    if effect.needs == "hero-in-contact":
        position = battle_position(state)
        near = contacts(position, position.by_id[figure.id])
        if not any(one.kind == "hero" for one in near):
            return "TAC-ABL-6"
    return ""


ROLL_ITEMS = ("lucky-charm", "blinding-powder", "obsidian-dagger")
"""Equipment that is discarded before a roll (TAC-EQP-6)."""
SET_TO = {"blinding-powder": 1, "lucky-charm": 10}
"""What equipment makes of a die that its owner chooses (TAC-EQP-6)."""
ROLLS = ("attack-roll", "defence-roll", "hazard-roll", "terrain-roll", "will-roll")
"""The rolls of a figure that the game waits for."""


def item_bearers(state: SkirmishState, item: str) -> list[FigureInPlay]:
    """Who can use that equipment for the awaited roll: powder any enemy in melee who has it."""
    attack, task = state.attack, state.tasks[0]
    if task.kind not in ROLLS:
        return []
    roller = state.figure(task.figure)
    if item == "blinding-powder":
        position = battle_position(state)
        near = (state.figure(one.id) for one in engaged_with(position, position.by_id[roller.id]))
        return [one for one in near if one.equipment == item]
    fits = item == "lucky-charm" or (
        task.kind == "attack-roll" and attack is not None and attack.attack.kind == "melee"
    )
    return [roller] if fits and roller.equipment == item else []


def announced(state: SkirmishState) -> list[str]:
    """The equipment that was announced for the awaited roll and sets a die, in the order in which
    it does (TAC-EQP-6)."""
    attack, task = state.attack, state.tasks[0]
    if task.kind in ("attack-roll", "defence-roll") and attack is not None:
        found = {"blinding-powder": attack.powder, "lucky-charm": int(attack.charm)}
    else:
        found = {item: list(task.data.get("items", ())).count(item) for item in SET_TO}
    return [item for item, count in found.items() for _ in range(count)]


def attack_effects(state: SkirmishState, attack: AttackInPlay) -> list[CoinEffect]:
    """The optional effects that may still be bought for the awaited attack roll."""
    purse = state.squad(state.figure(attack.attacker).side).coins
    return [
        one
        for one in attack.attack.effects
        if one.name not in attack.effects
        and one.after in ("", *attack.effects)
        and (attack.charge or not one.charge_only)
        and purse.covers(one.price)
    ]


def extra_dice(state: SkirmishState, attack: AttackInPlay) -> list[CoinEffect]:
    """The additional dice that may still be bought for the awaited attack roll, in their sequence
    and as many as its player can pay together (TAC-CRD-9)."""
    if attack.charge:  # those of a charge are paid with it, before the move (TAC-CHG-7)
        return []
    found: list[CoinEffect] = []
    purse = state.squad(state.figure(attack.attacker).side).coins
    for one in attack.attack.effects:
        if is_extra_die(one) and one.name not in attack.effects:
            found.append(one)
            if not purse.covers(sum((each.price for each in found), Coins())):
                return found[:-1]
    return found


def attack_question(
    state: SkirmishState,
    position: BattlePosition,
    figure: FigureInPlay,
    target: FigureInPlay,
    attack: CardAttack,
    charge: bool = False,
) -> AttackQuestion:
    """An attack with everything that changes it: ground, equipment, and the target's friends."""
    question = figure_question(
        position, position.by_id[figure.id], position.by_id[target.id], attack, charge
    )
    bonus = hero_bonus(state, position, target)
    return replace(question, defence_mod=question.defence_mod + bonus)


def hero_bonus(state: SkirmishState, position: BattlePosition, figure: FigureInPlay) -> int:
    """What friends in contact add to a hero's Defence rolls."""
    return sum(hero_parts(state, position, figure).values())


def hero_parts(
    state: SkirmishState, position: BattlePosition, figure: FigureInPlay
) -> dict[str, int]:
    """The abilities of friends in contact that help a hero's Defence; equal names count once
    (TAC-ABL-2)."""
    if figure.kind != "hero":
        return {}
    mine = position.by_id[figure.id]
    bonus: dict[str, int] = {}
    for one in contacts(position, mine):
        if not position.hostile(mine, one):
            for ability in state.figure(one.id).card.abilities:
                if ability.hero_defence:
                    bonus[ability.name] = ability.hero_defence
    return bonus


def defence_modifier(state: SkirmishState, figure: FigureInPlay) -> int:
    """Everything added to its defence dice without paying, in an attack and against a stake pit:
    equipment, friends, shaken (TAC-CRD-5, TAC-TER-16)."""
    return sum(added for _, added in free_defence_parts(state, figure))


def free_defence_parts(state: SkirmishState, figure: FigureInPlay) -> Parts:
    """Where that comes from."""
    position = battle_position(state)
    friends = hero_parts(state, position, figure)
    return [*defence_parts(position.by_id[figure.id]), *friends.items()]


def shaken_modifier(state: SkirmishState, figure: FigureInPlay, will: bool = False) -> int:
    """What shaken takes from this roll (TAC-STA-2, TAC-OR-18)."""
    if will and state.readings.shaken == "attack-or-defence":
        return 0
    return SHAKEN if figure.shaken else 0


PLAIN_WILL = 10


def will_modifier(state: SkirmishState, figure: FigureInPlay) -> int:
    """What equipment and shaken add to its Will tests."""
    return sum(added for _, added in will_parts(state, figure))


def will_parts(state: SkirmishState, figure: FigureInPlay) -> Parts:
    """Where that comes from."""
    item = EQUIPMENT.get(figure.equipment)
    own = [(item.name, item.will)] if item else []
    return real_parts([*own, (say("shaken"), shaken_modifier(state, figure, will=True))])


def await_will_test(ctx: BattleContext, figure: FigureInPlay, cells: Sequence[str] = ()) -> None:
    """The player of a figure is asked for the die before anything else goes on; `cells` are open
    for the figure if it passes (TAC-TER-14)."""
    data = [["cells", list(cells)]] if cells else []
    said = say("{figure} climbs a heap of corpses", figure=figure.name) if cells else ""
    ctx.add(
        board_events.task,
        kind="will-roll",
        side=figure.side,
        figure=figure.id,
        data=data,
        first=True,
        said=said or say("{figure} takes a Will test", figure=figure.name),
    )


def take_will_test(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> bool | Refusal:
    """One die at or above the Will value succeeds; the result is noted."""
    if not args.flag("charm"):
        rolled = ctx.rolled(args, 1)
        return rolled if isinstance(rolled, Refusal) else note_will(ctx, figure, rolled[0])
    if figure.equipment != "lucky-charm":  # its only die becomes 10, whatever it shows
        return no("TAC-EQP-6", "{figure} has no lucky charm", figure=figure.name)
    ctx.note(fight_events.item_used, figure, item="lucky-charm")
    return note_will(ctx, ctx.figure(figure.id), SET_TO["lucky-charm"], fixed=True)


def note_will(ctx: BattleContext, figure: FigureInPlay, face: int, fixed: bool = False) -> bool:
    """Whether this die passes a Will test (TAC-CRD-4); `fixed` was set to 10 (TAC-OR-15)."""
    needed, modifier = figure.card.will or PLAIN_WILL, will_modifier(ctx.state, figure)
    natural = not fixed or ctx.state.readings.charm == "natural"
    passed = reaches(face, needed, modifier) if natural else face + modifier >= needed
    used = figure.shaken and ctx.state.readings.shaken == "any-roll"  # TAC-OR-18
    ctx.note(fight_events.will_tested, figure, faces=[face], passed=passed, shaken=used)
    return passed
