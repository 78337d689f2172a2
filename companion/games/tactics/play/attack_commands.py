"""Commands of an attack, step by step: declare, roll, defend, aftermath, fate (TAC-ATK)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAttack, CoinEffect, effect_name
from companion.games.tactics.play.context import (
    BattleContext,
    CommandFields,
    action,
    answer,
    command,
    where_to,
)
from companion.games.tactics.play.defence import (
    ROLL_ITEMS,
    ROLLS,
    aftermath_figures,
    aftermaths,
    defence_abilities,
    defence_effects,
    defence_modifier,
    defence_price,
    effect_refusal,
    extra_dice,
    fits_attack,
    item_bearers,
    use_defence,
    worded_defences,
)
from companion.games.tactics.play.events import board_events, fight_events
from companion.games.tactics.play.move_commands import move_options, use_agenda
from companion.games.tactics.play.state import CHARGE_POINTS, FigureInPlay, PlayTask
from companion.games.tactics.play.walked_way import walk
from companion.games.tactics.rules.attack_odds import CHARGE_DICE, figure_question
from companion.games.tactics.rules.contact import attack_refusal
from companion.games.tactics.rules.movement import charge_answer
from companion.games.tactics.rules.position import best_attack, one_point_attacks
from companion.games.tactics.rules.readings import reason
from models.message import joined, say


def chosen_attack(figure: FigureInPlay, args: CommandFields) -> CardAttack | Refusal:
    """The attack that a command names, or the best one (TAC-ATK-1, -5)."""
    return named_attack(figure, args, figure.card.attacks)


def charging_attack(figure: FigureInPlay, args: CommandFields) -> CardAttack | Refusal:
    """The melee attack of a charge, which is an `ATTACK 1` (TAC-CHG-1)."""
    melee = tuple(one for one in figure.card.attacks if one.kind == "melee")
    fitting = one_point_attacks(melee)
    named = args.need("attack") if args.has("attack") else ""
    if melee and (not fitting or any(one.name == named for one in set(melee) - set(fitting))):
        return Refusal("TAC-CHG-1", reason("TAC-CHG-1"))
    return named_attack(figure, args, fitting)


def named_attack(
    figure: FigureInPlay, args: CommandFields, fitting: tuple[CardAttack, ...]
) -> CardAttack | Refusal:
    """The one of these attacks that a command names, or the best of them."""
    if not fitting:
        return no("TAC-ATK-1", "{figure} has no such attack", figure=figure.name)
    if not args.has("attack"):
        return best_attack(fitting, fitting[0].kind) or fitting[0]
    name = args.need("attack")
    for one in fitting:
        if one.name == name:
            return one
    known = ", ".join(one.name for one in fitting)
    return no("TAC-ATK-1", "no attack {name!r}; there are: {known}", name=name, known=known)


def chosen_effects(
    attack: CardAttack, args: CommandFields, charge: bool, bought: tuple[str, ...] = ()
) -> list[CoinEffect] | Refusal:
    """The optional effects announced before the roll, each at most once (TAC-CRD-9, -11)."""
    found: list[CoinEffect] = []
    for name in args.texts("effects", 20):
        effect = next((one for one in attack.effects if one.name == name), None)
        if effect is None:
            return no("TAC-CRD-9", "{attack} has no effect {name!r}", attack=attack.name, name=name)
        if effect in found or name in bought:
            return no("TAC-CRD-11", "{name} only once per action", name=name)
        if effect.charge_only and not charge:
            return no("TAC-CHG-8", "{name} only in a charge", name=name)
        found.append(effect)
    for effect in found:
        if effect.after not in ("", *bought, *(one.name for one in found)):
            return no(
                "TAC-CRD-9", "{name} only after {before}", name=effect.name, before=effect.after
            )
    return found


@action(
    "attack",
    say("attack an enemy"),
    ask("target", "figure", "", True),
    ask("attack", "text", say("which attack; the best one if left out")),
    ask("effects", "list", say("the optional effects paid for")),
    ask("dagger", "flag", say("use the obsidian dagger")),
    ask("agenda", "flag", say("the free attack of an agenda card")),
)
def attack(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """Steps 1 to 3: attack, coins, target (TAC-ATK-5 to -7)."""
    target = ctx.figure(args.need("target"))
    if refusal := target_refusal(ctx, figure, target):
        return refusal
    position = ctx.position
    mine, foe = position.by_id[figure.id], position.by_id[target.id]
    usable = [one for one in figure.card.attacks if not attack_refusal(position, mine, foe, one)]
    chosen = chosen_attack(figure, args)
    if not args.has("attack") and usable:
        chosen = best_attack(tuple(usable), usable[0].kind) or usable[0]
    if isinstance(chosen, Refusal):
        return chosen
    if rule := attack_refusal(position, mine, foe, chosen):
        return Refusal(rule, reason(rule))
    effects = chosen_effects(chosen, args, charge=False)
    if isinstance(effects, Refusal):
        return effects
    if args.flag("agenda"):
        if chosen.ap > 1:
            return no("TAC-AGD-7", "the free attack of an agenda costs 1 action point on its card")
        if refusal := use_agenda(ctx, figure, "A5"):
            return refusal
    elif refusal := ctx.spend(chosen.ap):
        return refusal
    if refusal := pay_attack(ctx, figure, chosen, effects):
        return refusal
    return declare(ctx, figure, target, chosen, effects, args)


def target_refusal(
    ctx: BattleContext, figure: FigureInPlay, target: FigureInPlay
) -> Refusal | None:
    """Only enemies on the board are attacked (TAC-GEN-5, TAC-GEN-10)."""
    if target.side == figure.side:
        return no("TAC-GEN-5", "{figure} is not an enemy", figure=target.name)
    if not target.on_board:
        return no("TAC-GEN-6", "{figure} is not on the board", figure=target.name)
    return None


def declare(
    ctx: BattleContext,
    figure: FigureInPlay,
    target: FigureInPlay,
    attack: CardAttack,
    effects: list[CoinEffect],
    args: CommandFields,
    charge: bool = False,
) -> Refusal | None:
    """Note the dice of an attack that is paid for, and its dagger (TAC-CRD-8)."""
    dagger = args.flag("dagger")
    if dagger:
        if refusal := dagger_refusal(figure, attack):
            return refusal
        ctx.note(fight_events.item_used, figure, item="obsidian-dagger")
    position = ctx.position
    question = figure_question(
        position, position.by_id[figure.id], position.by_id[target.id], attack, charge
    )
    dice = attack.dice + sum(one.dice for one in effects) + (CHARGE_DICE if charge else 0)
    ctx.note(
        fight_events.attack_declared,
        figure,
        target=target.id,
        target_name=target.name,
        attack=attack.to_json(),
        attack_name=attack.name,
        dice=dice,
        modifier=question.attack_mod + sum(one.modifier for one in effects),
        charge=charge,
        effects=[one.name for one in effects],
        dagger=dagger,
    )
    return None


def dagger_refusal(figure: FigureInPlay, attack: CardAttack) -> Refusal | None:
    """Why the obsidian dagger cannot be used with an attack: it is for melee (TAC-EQP-6)."""
    if figure.equipment != "obsidian-dagger":
        return no("TAC-EQP-6", "{figure} has no obsidian dagger to use", figure=figure.name)
    if attack.kind != "melee":
        return no("TAC-EQP-6", "the obsidian dagger is for melee attacks only")
    return None


def pay_attack(
    ctx: BattleContext, figure: FigureInPlay, attack: CardAttack, effects: list[CoinEffect]
) -> Refusal | None:
    """Pay for an attack and the effects announced with it (TAC-CRD-10, -12)."""
    price = sum((one.price for one in effects), attack.spend)
    bought = [effect_name(one.name) for one in effects]
    own = [attack.name] if attack.spend or not bought else []
    return ctx.pay(figure.side, price, joined([*own, *bought]))


@action(
    "charge",
    say("move towards an enemy in sight and attack it"),
    ask("target", "figure", "", True),
    ask("to", "cell", say("where the move ends; needed if there is a choice")),
    ask("attack", "text", say("which melee attack")),
    ask("effects", "list", say("the optional effects paid for")),
    ask("ability", "text", say("a movement ability announced with it")),
    ask("dagger", "flag", say("use the obsidian dagger")),
)
def charge(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`CHARGE 2`: a Move, then a melee attack with 1 more die (TAC-CHG-1 to -7)."""
    target = ctx.figure(args.need("target"))
    if refusal := target_refusal(ctx, figure, target):
        return refusal
    options = move_options(ctx, figure, args)
    if isinstance(options, Refusal):
        return options
    position = ctx.position
    mine, foe = position.by_id[figure.id], position.by_id[target.id]
    answer = charge_answer(position, mine, foe, options=options[0])
    if not answer.declare:
        return Refusal(answer.why[0], reason(answer.why[0]))
    chosen = charging_attack(figure, args)
    if isinstance(chosen, Refusal):
        return chosen
    effects = chosen_effects(chosen, args, charge=True)
    if isinstance(effects, Refusal):
        return effects
    if args.flag("dagger") and (refusal := dagger_refusal(figure, chosen)):
        return refusal
    if not answer.ends:
        return no("TAC-CHG-4", "{figure} cannot come nearer", figure=figure.name)
    if not args.has("to") and len(answer.ends) > 1:
        return Refusal("TAC-CHG-7", where_to(ctx, figure.id, answer.ends), "to")
    cell = ctx.cell(args) if args.has("to") else next(iter(answer.ends))
    if cell not in answer.ends:
        return no("TAC-CHG-4", "the charge does not end there")
    if refusal := ctx.spend(CHARGE_POINTS):
        return refusal
    if options[1] is not None and (
        refusal := ctx.pay(figure.side, options[1].price, options[1].name)
    ):
        return refusal
    if refusal := pay_attack(ctx, figure, chosen, effects):  # before the move (TAC-CHG-7)
        return refusal
    walk(ctx, figure, cell, answer.ends[cell].ways)
    if not answer.reaches:  # AP and coins are spent, no attack (TAC-OR-31)
        return None
    if ctx.state.tasks:
        # Terrain on the way is settled first. Who dies of it does so after the attack: a charge is
        # one action (TAC-STA-7, TAC-CHG-1).
        ctx.wait_for(
            "charge-attack",
            figure.side,
            figure.id,
            target=target.id,
            attack=chosen.name,
            effects=[one.name for one in effects],
            dagger=args.flag("dagger"),
            paid=True,
        )
        return None
    return declare(ctx, ctx.figure(figure.id), target, chosen, effects, args, charge=True)


@answer(
    "strike",
    say("the attack of a charge after terrain on the way"),
    to=("charge-attack",),
    refused=no("TAC-CHG-5", "no charge waits for its attack"),
)
def strike(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The attack must follow the move of a charge (TAC-CHG-5)."""
    figure, target = ctx.figure(task.figure), ctx.figure(task.data["target"])
    ctx.add(board_events.task_done)
    if not figure.on_board or not target.on_board:
        return None
    given = CommandFields(
        {
            "attack": task.data["attack"],
            "effects": list(task.data["effects"]),
            "dagger": task.data.get("dagger", False),
        },
        "strike",
    )
    chosen = chosen_attack(figure, given)
    if isinstance(chosen, Refusal):
        return chosen
    effects = chosen_effects(chosen, given, charge=True)
    if isinstance(effects, Refusal):
        return effects
    # Games of earlier versions paid here.
    if not task.data.get("paid") and (refusal := pay_attack(ctx, figure, chosen, effects)):
        return refusal
    return declare(ctx, figure, target, chosen, effects, given, charge=True)


@answer(
    "announce",
    say("coins or equipment before the roll that the game waits for"),
    ask("effects", "list", say("optional effects of the attack")),
    ask("dice", "number", say("or the next additional dice, so many")),
    ask("item", "word", say("equipment that changes the roll"), False, ROLL_ITEMS),
    ask("figure", "figure", say("whose it is, where several have it")),
    to=ROLLS,
    refused=no("TAC-ATK-6", "no roll is awaited"),
)
def announce(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Coins and charms are announced before the dice are rolled (TAC-ATK-6, TAC-CRD-9)."""
    attack = ctx.state.attack
    if args.has("item"):
        item = args.choice("item", ROLL_ITEMS)
        named = args.need("figure") if args.has("figure") else ""
        bearers = (one for one in item_bearers(ctx.state, item) if named in ("", one.id))
        bearer = next(bearers, None)
        if bearer is None:
            return no("TAC-EQP-6", "nobody can use it for this roll")
        ctx.note(fight_events.item_used, bearer, item=item, announced=True)
        return None
    if task.kind != "attack-roll" or attack is None:
        return no("TAC-ATK-6", "no attack is rolled")
    figure = ctx.figure(attack.attacker)
    effects = chosen_effects(attack.attack, args, attack.charge, attack.effects)
    if isinstance(effects, Refusal):
        return effects
    if args.has("dice"):
        dice = extra_dice(ctx.state, attack)
        count = args.whole("dice", 1, 8)
        if count > len(dice):
            return no("TAC-CRD-9", "no {n} additional dice can be bought", n=count)
        effects += [one for one in dice[:count] if one not in effects]
    if not effects:
        return no("INPUT", "no effects named")
    price = sum((one.price for one in effects), Coins())
    why = joined([effect_name(one.name) for one in effects])
    if refusal := ctx.pay(figure.side, price, why):
        return refusal
    ctx.note(
        fight_events.effects_bought,
        figure,
        effects=[one.name for one in effects],
        dice=sum(one.dice for one in effects),
        modifier=sum(one.modifier for one in effects),
    )
    return None


# -- defence, aftermath, fate ---------------------------------------------------------------------


@answer(
    "defend",
    say("the defender's abilities before the defence roll"),
    ask("effects", "list", say("the effects paid for; none if left out")),
    ask("ability", "text", say("one of which only the card tells what it does; more may follow")),
    ask("cancels", "number", say("the hits that it cancels")),
    ask("modifier", "number", say("what it adds to every defence die")),
    refused=no("TAC-ATK-8", "nobody defends now"),
)
def defend(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Step 4: abilities that modify the defence (TAC-ATK-8, TAC-ABL-6)."""
    attack = ctx.state.attack
    assert attack is not None
    figure = ctx.figure(attack.target)
    if args.has("ability"):
        refusal = use_defence(ctx, args, figure)
        if refusal or defence_effects(ctx.state, figure) or worded_defences(ctx.state, figure):
            return refusal
        end_defence(ctx, ctx.figure(figure.id), [])
        return None
    every = [effect for one in defence_abilities(ctx.state, figure) for effect in one.effects]
    found: list[CoinEffect] = []
    for name in args.texts("effects", 20):
        effect = next((one for one in every if one.name == name), None)
        if effect is None:
            return no("TAC-ABL-6", "{figure} has no effect {name!r}", figure=figure.name, name=name)
        if effect in found:
            return no("TAC-CRD-11", "{name} only once per action", name=name)
        if rule := effect_refusal(ctx.state, figure, effect):
            return no(rule, "{name}: no hero is in contact", name=name)
        found.append(effect)
    price = defence_price(ctx.state, figure, found)
    if refusal := ctx.pay(figure.side, price, say("defence")):
        return refusal
    end_defence(ctx, figure, found)
    return None


def end_defence(ctx: BattleContext, figure: FigureInPlay, bought: list[CoinEffect]) -> None:
    """The defence dice are modified by everything that was used (TAC-ATK-8)."""
    attack = ctx.state.attack
    assert attack is not None
    changes = [(one.modifier, one.cancels) for one in bought]
    changes += [(modifier, cancels) for _, modifier, cancels in attack.defences]
    used = [*(name for name, _, _ in attack.defences), *(one.name for one in bought)]
    modifier = defence_modifier(ctx.state, figure) + sum(one for one, _ in changes)
    ctx.add(board_events.task_done)
    ctx.add(
        fight_events.defence_chosen,
        name=figure.name,
        effects=joined(used) if used else say("no ability"),
        modifier=modifier,
        cancels=sum(one for _, one in changes),
    )


@command(
    "aftermath",
    say("an ability after the rolls of an attack"),
    ask("figure", "figure", "", True),
    ask("ability", "text", "", True),
    ask("wounds", "number", say("the wounds that it deals to the other figure")),
    busy=True,
)
def aftermath(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Steps 7 and 8, each once; it activates nobody (TAC-ATK-11, -12, TAC-CRD-11, TAC-ABL-16)."""
    attack, now = ctx.state.attack, aftermath_figures(ctx.state)
    if attack is None or not now:
        return no("TAC-ABL-15", "no aftermath now")
    figure = ctx.figure(args.need("figure"))
    if figure.id not in (attack.attacker, attack.target):
        return no("TAC-ABL-15", "{figure} is not part of the attack", figure=figure.name)
    name = args.need("ability")
    ability = next(
        (one for one in figure.card.abilities if one.name == name and one.aftermath), None
    )
    if ability is not None and ability.kind == "defence" and figure.id != attack.target:
        return no("TAC-ATK-12", "{name} only while defending", name=name)
    if ability is None:
        return no(
            "TAC-ABL-15", "{figure} has no aftermath {ability!r}", figure=figure.name, ability=name
        )
    if not fits_attack(ability, attack):
        return no("TAC-ABL-15", "{name} only in melee", name=name)
    if figure.id not in now:
        return no("TAC-ATK-12", "first the attacker's aftermaths, then the defender's")
    if (figure.id, name) in attack.aftermaths:
        return no("TAC-CRD-11", "{name} only once per action", name=name)
    if refusal := ctx.pay(figure.side, ability.price, ability.name):
        return refusal
    ctx.note(fight_events.ability_used, figure, ability=ability.name)
    wounds = args.whole("wounds", 0, 9, ability.wounds)
    if wounds:
        other = attack.attacker if figure.id == attack.target else attack.target
        ctx.suffer(ctx.figure(other), wounds)
    left = ctx.state.attack
    if len(now) == 1 and left is not None and not aftermaths(ctx.state, left, figure.id):
        ctx.add(board_events.task_done)  # nothing is left to use
    return None
