"""What the battle waits for, as cards on the screen: facts, dice with chances, buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.api.play import Pending
from companion.games.api.prompt import (
    Choice,
    DiceRequest,
    Entry,
    Fact,
    Look,
    Prompt,
    PromptForm,
    TargetCell,
)
from companion.games.shared.distribution import binomial
from companion.games.shared.places import listed
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.cards.figure_card import (
    CardAbility,
    CoinEffect,
    FigureCard,
    effect_name,
)
from companion.games.tactics.play.context import AGENDA_POINTS
from companion.games.tactics.play.defence import (
    ROLLS,
    announced,
    defence_effects,
    defence_modifier,
    defence_price,
    extra_dice,
    free_defence_parts,
    item_bearers,
    shaken_modifier,
    will_modifier,
    will_parts,
)
from companion.games.tactics.play.flow import hits_of_ten, rollable, running_question
from companion.games.tactics.play.prompts import ALL_TOGETHER, least_face, waiting
from companion.games.tactics.play.setup import free_cells
from companion.games.tactics.play.state import (
    AGENDA_CARDS,
    DEPLOY,
    START,
    AttackInPlay,
    FigureInPlay,
    PlayTask,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.rules.attack_odds import (
    CHARGE_DICE,
    Parts,
    attack_odds,
    attack_parts,
    hit_chance,
    with_effects,
)
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.space_effects import space_effects
from companion.games.tactics.rules.way_words import harm_words
from companion.games.tactics.screen.card_effects import (
    ability_text,
    aimed_forms,
    motivation_words,
    priced_words,
    will_dice,
    with_price,
)
from companion.games.tactics.screen.fate_words import fate_words
from companion.games.tactics.screen.paper_cards import paper_forms
from companion.games.tactics.screen.views import (
    agenda_words,
    choice_words,
    counted_words,
    dice_hint,
    effect_parts,
)
from companion.text.verdicts import percent
from models.board import parse_cell
from models.message import Name, joined, say

DIE = 10
SET_WORDS = {
    "lucky-charm": say("one die becomes 10"),
    "blinding-powder": say("one die becomes 1"),
}
"""What equipment does to the dice; its owner says to which (TAC-EQP-6)."""
TITLES = {
    "roll": say("Roll for choice"),
    "choice": say("Zone or start marker"),
    "agenda": say("Secret agenda"),
    "cards": say("Paper cards"),
    "deploy": say("Deployment"),
    "start": say("Start of the battle"),
    "turn": say("Which figure?"),
    "act": say("Actions"),
    "end": say("End phase"),
    "attack-roll": say("Attack roll"),
    "defence-roll": say("Defence roll"),
    "hazard-roll": say("Stake pit"),
    "set-die": say("Set a die"),
    "defend": say("Defence abilities"),
    "aftermath": say("Aftermath"),
    "fate": say("Kill or capture?"),
    "unhorse": say("The mount is dead"),
    "free": say("A captive is free"),
    "leaf": say("Leaf pile"),
    "loot": say("Loot"),
    "battle-end": say("End of the battle"),
    "flank": say("A diagonal step"),
    "way": say("Which way?"),
    "surge": say("Surge"),
    "door-step": say("Through the opening"),
    "pushed": say("Forced move"),
    "wounded": say("Wound ability"),
    "will-roll": say("Will test"),
    "terrain-move": say("Terrain charge"),
    "terrain-roll": say("Terrain charge"),
    "poison": say("Vial of poison"),
    "charge-attack": say("Charge"),
    "motivation": say("Motivation"),
    "objective-done": say("Objective"),
}
PAID = ("turn", "attack-roll", "defend", "aftermath", "motivation")
"""What is paid for with coins: those that are left are told."""
RULES = {
    "roll": "TAC-SET-2", "choice": "TAC-SET-3", "agenda": "TAC-SET-6", "cards": "TAC-SET-5",
    "deploy": "TAC-SET-7", "start": "TAC-SET-14", "turn": "TAC-RND-2", "act": "TAC-ACT-2",
    "end": "TAC-END-1", "attack-roll": "TAC-ATK-7", "defence-roll": "TAC-ATK-9",
    "hazard-roll": "TAC-TER-16", "set-die": "TAC-EQP-6",
    "defend": "TAC-ATK-8", "aftermath": "TAC-ATK-11", "fate": "TAC-CAP-1",
    "unhorse": "TAC-FIG-11", "free": "TAC-CAP-7", "leaf": "TAC-TER-15", "surge": "TAC-ATK-16",
    "flank": "TAC-MOV-12", "way": "TAC-MOV-1", "loot": "TAC-LOT-1", "battle-end": "TAC-END-6",
    "pushed": "TAC-ABL-22", "wounded": "TAC-ABL-7", "will-roll": "TAC-CRD-4",
    "terrain-move": "TAC-CHG-12", "terrain-roll": "TAC-CHG-13", "poison": "TAC-EQP-6",
    "door-step": "TAC-CHG-14", "charge-attack": "TAC-CHG-5",
    "motivation": "TAC-MOT-6", "objective-done": "TAC-OBJ-5",
}  # fmt: skip
BY_TAP = (
    "move", "deploy", "flank", "surge", "pushed", "approach", "free", "dismount", "activate",
    "attack", "charge", "loot",
)  # fmt: skip
"""Commands that are answered by tapping a figure or a space instead of a button."""
PROPOSED = ("laid", "begin", "deployed", "end-round", "battle-end", "strike")
"""Answers with nothing to weigh up: the golden button. Elsewhere none is proposed."""
TAPPED = ("unhorse", "free", "surge", "door-step", "pushed", "terrain-move")
"""Prompts that are answered on the board alone."""
WHOLE = ("surge", "door-step", "pushed", "terrain-move")
"""Prompts that move the figure itself: a large one covers more than the space that is named."""
OFFERED = ("turn", "act", "deploy")
"""Prompts of which the selected figure's offers name the spaces."""


def prompts(state: SkirmishState, seat: str | None = None) -> Iterator[Prompt]:
    """Each thing the battle waits for as one card."""
    for asked, commands in waiting(state):
        secret = asked.what == "agenda"
        shown = [] if secret and seat != asked.side else commands
        yield prompt(state, asked, shown, secret)


def rule(state: SkirmishState, asked: Pending) -> str:
    """The rule of a card; of aftermaths the defender's come by a step of their own."""
    attack = state.attack if asked.what == "aftermath" else None
    if attack is not None and state.figure(attack.target).side == asked.side:
        return "TAC-ATK-12"
    return RULES.get(asked.what, "")


def prompt(
    state: SkirmishState, asked: Pending, commands: list[dict[str, Any]], secret: bool
) -> Prompt:
    """One card."""
    seats = (asked.side,) if asked.side else ()
    tapped = [one for one in commands if one["do"] in BY_TAP and len(one) > 1]
    buttons = [one for one in commands if one not in tapped or one["do"] == "flank"]
    mine = [asked.data["figure"]] if asked.what == "act" else pieces_of(tapped)
    spaces = tapped if asked.what not in OFFERED else []
    mover = state.tasks[0].figure if spaces and state.tasks else ""
    wounded = state.figure(state.tasks[0].figure) if asked.what == "wounded" else None
    forms = (
        *paper_forms(state, asked),
        *aftermath_forms(state, commands),
        *defence_forms(state, commands),
        *combined_defence(state, asked),
        *(aimed_forms(state, wounded, ("wound",)) if wounded is not None else ()),
    )
    return Prompt(
        asked.what,
        TITLES.get(asked.what, asked.what),
        asked.say,
        seats,
        tuple(facts(state, asked)),
        dice=dice_request(state, asked),
        rolled=tuple(asked.data.get("faces", ())),
        rolled_sides=DIE,
        choices=tuple(
            Choice(
                agenda_words(one["keep"]) if secret else choice_words(state, one),
                (one,),
                look(one["do"], any(map(weighed, forms))),
                choice_detail(state, one),
                seat=choice_seat(state, one),
                piece=str(one.get("figure") or one.get("target") or ""),
                passes=one["do"] == "pass",
            )
            for one in buttons
            if one["do"] not in ("roll", "roll-off", "smash", "will")
            and not (one["do"] == "aftermath" and not aftermath_of(state, one).wounds)
            and not (one["do"] == "defend" and "ability" in one)
        ),
        forms=forms,
        pieces=tuple(dict.fromkeys(mine)),
        cells=listed(
            [
                TargetCell(
                    parse_cell(one["to"]),
                    (one,),
                    "danger" if harm_there(state, asked, one["to"]) else "",
                    detail=harm_there(state, asked, one["to"]),
                    piece=mover if asked.what in WHOLE else "",
                )
                for one in spaces
            ],
            lambda cell: place(battle_position(state), cell, mover),
        ),
        mover=mover,
        secret=secret,
        rule=rule(state, asked),
        data=dict(asked.data),
    )


def weighed(form: PromptForm) -> bool:
    """Whether a form is a question; what may be noted beside one waits for nobody."""
    return form.command["do"] not in ("note-agenda", "note-objective")


def look(word: str, asks: bool) -> Look:
    """How a button looks: gold if nothing is to be weighed up; what ends a turn waits for gold."""
    if word in PROPOSED and not asks:
        return "primary"
    return "shown" if word == "pass" else "plain"


def aftermath_forms(
    state: SkirmishState, commands: Sequence[dict[str, Any]]
) -> Iterator[PromptForm]:
    """The abilities after the rolls of which only the card tells the wounds."""
    attack = state.attack
    for command in commands:
        if command["do"] != "aftermath" or attack is None:
            continue
        figure, ability = state.figure(command["figure"]), aftermath_of(state, command)
        if ability.wounds:
            continue
        other = attack.attacker if figure.id == attack.target else attack.target
        told = say("wounds that it deals to {figure}", figure=state.figure(other).name)
        wounds = Entry("wounds", told, "number", most=9, value=0)
        detail = joined(priced_words(ability))
        text = choice_words(state, command)
        yield PromptForm(text, command, (wounds,), detail=detail, opens=True, by=(figure.side,))


def aftermath_of(state: SkirmishState, command: dict[str, Any]) -> CardAbility:
    """The ability after the rolls that a command names."""
    own = state.figure(command["figure"]).card.abilities
    return next(one for one in own if one.name == command["ability"])


def defence_forms(state: SkirmishState, commands: Sequence[dict[str, Any]]) -> Iterator[PromptForm]:
    """Defence abilities of which only the card tells what they do (TAC-ABL-6)."""
    for command in commands:
        if command["do"] != "defend" or "ability" not in command or state.attack is None:
            continue
        figure = state.figure(state.attack.target)
        ability = next(one for one in figure.card.abilities if one.name == command["ability"])
        detail = joined(priced_words(ability))
        cancels = Entry("cancels", say("Hits it cancels"), "number", most=9, value=0)
        added = say("Added to every defence die")
        modifier = Entry("modifier", added, "number", least=-9, most=9, value=0)
        yield PromptForm(ability.name, command, (cancels, modifier), detail=detail, opens=True)


def combined_defence(state: SkirmishState, asked: Pending) -> Iterator[PromptForm]:
    """Any combination of effects, where there are too many for a button each (TAC-ABL-6)."""
    if asked.what != "defend" or state.attack is None:
        return
    figure = state.figure(state.attack.target)
    effects = defence_effects(state, figure)
    if len(effects) <= ALL_TOGETHER:
        return
    options = tuple((one.name, priced_effect(state, figure, one)) for one in effects)
    entry = Entry("effects", say("Defence abilities"), "several", options)
    form = PromptForm(say("Several defence abilities"), {"do": "defend"}, (entry,), opens=True)
    kinds = [kind for kind in COIN_KINDS if any(one.price.of(kind) for one in effects)]
    together = defence_price(state, figure, effects) == sum((one.price for one in effects), Coins())
    if len(kinds) == 1 and together:  # what it comes to, and no more than there is
        worth = tuple(one.price.of(kinds[0]) for one in effects)
        costs = tuple(Coins.of_kind(kinds[0], n).say() for n in range(sum(worth) + 1))
        left = state.squad(figure.side).coins.of(kinds[0])
        form = replace(form, entries=(replace(entry, worth=worth),), tallies=costs, most=left)
    yield form


def priced_effect(state: SkirmishState, figure: FigureInPlay, effect: CoinEffect) -> str:
    """An effect with what it costs alone."""
    return with_price(effect_name(effect.name), defence_price(state, figure, [effect]))


def choice_seat(state: SkirmishState, command: dict[str, Any]) -> str:
    """The player who decides, where it is not the one who is asked: the bearer of an item."""
    if "item" not in command:
        return ""
    bearers = item_bearers(state, command["item"])
    return bearers[0].side if bearers else ""


def choice_detail(state: SkirmishState, command: dict[str, Any]) -> str:
    """What a button costs, and what it adds to the attack on average (TAC-ATK-6)."""
    if command["do"] == "defend" and state.attack is not None:
        return defence_detail(state, state.attack, command.get("effects", ()))
    if command["do"] == "fate":
        return fate_words(state, command["choose"])
    if command["do"] == "flank":
        return flank_harm(state, command)
    if command["do"] == "aftermath":
        return joined(priced_words(aftermath_of(state, command)))
    if command["do"] == "ability":
        abilities = state.figure(command["figure"]).card.abilities
        return ability_text(next(one for one in abilities if one.name == command["ability"]))[1]
    if command["do"] == "motivation":
        sides = state.figure(command["figure"]).card.motivation
        return motivation_words(next(one for one in sides if one.name == command["name"]))
    if command["do"] != "announce":
        return ""
    decides = choice_seat(state, command)
    if decides and decides != state.tasks[0].side:
        does = announced_words(state, command)
        return joined([does, say("{player} decides", player=state.squad(decides).player)], "; ")
    return announced_words(state, command)


def bought_words(
    state: SkirmishState, attack: AttackInPlay, effects: Sequence[CoinEffect]
) -> tuple[str, str]:
    """What effects of an attack cost together, and the wounds that they add on average."""
    question = running_question(state, attack)
    gain = attack_odds(with_effects(question, effects)).mean - attack_odds(question).mean
    price = sum((one.price for one in effects), Coins()).say()
    return price, say("{n:+.2f} wounds", n=float(gain))


def announced_words(state: SkirmishState, command: dict[str, Any]) -> str:
    """What coins or equipment before a roll cost and change (TAC-ATK-6)."""
    if state.attack is None or state.tasks[0].kind not in ("attack-roll", "defence-roll"):
        return SET_WORDS[command["item"]]
    if "dice" in command:
        dice = extra_dice(state, state.attack)[: command["dice"]]
        price, wounds = bought_words(state, state.attack, dice)
        return say("{price}: {what}", price=price, what=wounds)
    if "effects" in command:
        effects = [one for one in state.attack.attack.effects if one.name in command["effects"]]
        price, wounds = bought_words(state, state.attack, effects)
        return say("{price}: {what}", price=price, what=joined([*effect_parts(effects), wounds]))
    question = running_question(state, state.attack)
    if command["item"] == "obsidian-dagger":
        return say("one wound kills")
    does = SET_WORDS[command["item"]]
    attacking = state.tasks[0].kind == "attack-roll"
    if not attacking:
        return does
    changed = replace(question, attack_charm=True)
    if command["item"] == "blinding-powder":
        changed = replace(question, attack_powder=question.attack_powder + 1)
    gain = attack_odds(changed).mean - attack_odds(question).mean
    return joined([does, say("{n:+.2f} wounds", n=float(gain))], ": ")


def defence_detail(state: SkirmishState, attack: AttackInPlay, named: Sequence[str]) -> str:
    """What defence effects cost and do, and the wounds that are then left on average
    (TAC-ATK-8)."""
    target = state.figure(attack.target)
    bought = [one for one in defence_effects(state, target) if one.name in named]
    price = defence_price(state, target, bought)
    told = [price.say()] if price else []
    worded = [one.name for one in bought if not list(effect_parts([one]))]
    told += [*effect_parts(bought), *filter(None, [defence_text(target.card, worded)])]
    told.append(say("{n:.2f} wounds on average", n=wounds_left(state, attack, bought)))
    return joined(told)


def wounds_left(state: SkirmishState, attack: AttackInPlay, bought: Sequence[CoinEffect]) -> float:
    """The wounds on average after the defence roll, with these effects (TAC-ATK-9)."""
    target = state.figure(attack.target)
    cancelled = [one.cancels for one in bought] + [one for _, _, one in attack.defences]
    added = [one.modifier for one in bought] + [one for _, one, _ in attack.defences]
    rolled = rollable(state, attack)
    count = max(0, rolled - sum(cancelled))
    modifier = defence_modifier(state, target) + sum(added)
    chances = request(count, target.card.defence or DIE, modifier).chances
    left = count - sum(n * chance for n, chance in enumerate(chances))
    return attack.hits - rolled + left


def harm_there(state: SkirmishState, asked: Pending, to: str) -> str:
    """What a space does to the figure that may surge onto it, before one tap sends it there
    (TAC-ATK-16, TAC-TER-16)."""
    position = battle_position(state)
    if asked.what != "surge" or state.tasks[0].figure not in position.by_id:
        return ""
    figure, cell = position.by_id[state.tasks[0].figure], parse_cell(to)
    return joined(harm_words(figure, space_effects(position, cell)))


def flank_harm(state: SkirmishState, command: dict[str, Any]) -> str:
    """What a flanking space does to the figure that passes it (TAC-MOV-12)."""
    position = battle_position(state)
    effects = space_effects(position, parse_cell(command["to"]))
    return joined(harm_words(position.by_id[state.tasks[0].figure], effects))


def defence_text(card: FigureCard, effects: Sequence[str]) -> str:
    """What the abilities with these effects do, in the players' own words."""
    return joined(
        [
            one.text
            for one in card.abilities
            if one.text and any(effect.name in effects for effect in one.effects)
        ]
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
    for item in announced(state) if asked.what in ROLLS else ():
        yield Fact(say("enter the dice as they fell: then {what}", what=SET_WORDS[item]))
    for hint in dice_hint(asked.data.get("dice", 0)):
        yield Fact(hint, "warn")
    if attack is not None and asked.what == "attack-roll":
        parts = list(dice_parts(attack))
        if len(parts) > 1:
            yield Fact(say("dice: {parts}", parts=joined(parts, " + ")))
        yield Fact(say("hits on {value}+", value=attack.attack.hit))
        yield from added_facts(attack.modifier, running_parts(state, attack))
        yield from shown_facts(attack.attack.hit, attack.modifier)
        twice = hits_of_ten(state, attack) > 1
        yield Fact(say("a natural 10 hits twice") if twice else say("a natural 10 hits once"))
        question = running_question(state, attack)
        odds = attack_odds(question)
        mean = say("{n:.2f} wounds on average", n=float(odds.mean))
        if odds.left_known:  # with its chance: what is told no longer once dice are entered
            chance = float(odds.destroys)
            text = say("kills: {share}", share=percent(chance))
            if state.figure(attack.target).foot is not None:  # TAC-FIG-11
                text = say("kills the mount: {share}", share=percent(chance))
            yield Fact(joined([mean, text]), chance=chance)
        else:
            yield Fact(mean)
    elif attack is not None and asked.what in ("defend", "defence-roll"):
        target = state.figure(attack.target)
        yield Fact(say("{n} hit", "{n} hits", n=attack.hits), "bad")
        if attack.cancels and asked.what == "defence-roll":
            cancelled = min(attack.cancels, attack.hits)
            yield Fact(say("{n} hit is cancelled", "{n} hits are cancelled", n=cancelled), "good")
        yield Fact(say("Defence {value}+", value=target.card.defence or DIE))
        modifier = attack.defence_modifier
        if asked.what == "defend":  # what counts without paying, too (TAC-ATK-8)
            modifier = defence_modifier(state, target) + sum(one for _, one, _ in attack.defences)
        used = [(name, added) for name, added, _ in attack.defences if added]
        known = [*free_defence_parts(state, target), *used]
        yield from added_facts(modifier, known, say("paid for"))
        yield Fact(say("Health: {n} left", n=target.left))
    if asked.what == "set-die":
        yield from needed_facts(state, state.tasks[0], state.tasks[0].data.get("roll", ""))
    if asked.what in ("will-roll", "terrain-roll", "hazard-roll"):
        yield from needed_facts(state, state.tasks[0], asked.what)
    if asked.what in ROLLS and calmed_by(state, state.tasks[0]):
        yield Fact(say("the shaken token goes with this roll"))
    if asked.what in (START, DEPLOY, "end") and state.scenario.note:  # TAC-GEN-3, TAC-END-4
        yield Fact(Name(state.scenario.note))
    if asked.what == "end":  # before anybody counts, what there is to count (TAC-END-2 to -5)
        found = tuple(counted_words(state))
        yield from map(Fact, found or (say("no points by the board in this end phase"),))
        last = state.round >= state.scenario.rounds
        agendas = [card for squad in state.squads for card in squad.agenda] if last else []
        if agendas and set(agendas) <= set(AGENDA_CARDS):  # TAC-AGD-2 to -8
            yield Fact(
                say(
                    "the agendas are revealed and counted, too: {n} victory point for each met",
                    "the agendas are revealed and counted, too: {n} victory points for each met",
                    n=AGENDA_POINTS,
                )
            )
        elif agendas:  # what the players noted in their own words has its own points
            yield Fact(say("the agendas are revealed and counted, too"))
    if asked.what == DEPLOY:
        yield from undeployed_facts(state, state.active)
    if asked.what == "turn" and state.round == 1:
        yield from undeployed_facts(state, state.active)
    if asked.what in TAPPED:
        yield Fact(say("tap one of the marked spaces"))
    if asked.what == "surge":
        harms = (harm_there(state, asked, one) for one in state.tasks[0].data["cells"])
        yield from (Fact(one, "warn") for one in dict.fromkeys(filter(None, harms)))
    if asked.side and asked.what in PAID:
        yield Fact(say("{coins} left", coins=state.squad(asked.side).coins.say()))


def needed_facts(state: SkirmishState, task: PlayTask, roll: str) -> Iterator[Fact]:
    """What the dice of a roll need."""
    attack, figure = state.attack, state.figure(task.figure)
    if attack is not None and roll == "attack-roll":
        yield Fact(say("hits on {value}+", value=attack.attack.hit))
        yield from added_facts(attack.modifier, running_parts(state, attack))
    elif roll == "will-roll":
        if modifier := will_modifier(state, figure):
            yield Fact(say("Will {value}+", value=figure.card.will or DIE))
            yield from added_facts(modifier, will_parts(state, figure))
        yield Fact(say("passed on {value}+", value=will_dice(state, figure, {}).wanted))
    elif roll == "terrain-roll":
        yield Fact(say("breaks on {value}+", value=task.data["values"][1]))
        shaken = shaken_modifier(state, figure)
        yield from added_facts(shaken, [(say("shaken"), shaken)])
        yield from shown_facts(task.data["values"][1], shaken)
    else:
        yield Fact(say("Defence {value}+", value=figure.card.defence or DIE))
        modifier = defence_modifier(state, figure)
        if attack is not None and roll == "defence-roll":
            modifier = attack.defence_modifier
        yield from added_facts(modifier, free_defence_parts(state, figure), say("paid for"))
        yield from shown_facts(figure.card.defence or DIE, modifier)


def shown_facts(needed: int, modifier: int) -> Iterator[Fact]:
    """What a die has to show, where something is added to it: nobody does the sum."""
    if modifier:
        yield Fact(say("enough is a die that shows {value}+", value=least_face(needed, modifier)))


def added_facts(total: int, parts: Parts, rest: str = "") -> Iterator[Fact]:
    """What is added to every die, and where it comes from; what is left comes from the `rest`."""
    if left := total - sum(added for _, added in parts):
        parts = [*parts, (rest or say("from before"), left)]
    if len(parts) > 1:
        words = joined(say("{what} {n:+d}", what=what, n=added) for what, added in parts)
        yield Fact(say("{n:+d} on every die: {what}", n=total, what=words))
    elif parts:
        yield Fact(say("{n:+d} on every die: {what}", n=total, what=parts[0][0]))


def running_parts(state: SkirmishState, attack: AttackInPlay) -> Parts:
    """What ground, equipment, tokens and coins add to the dice of the running attack."""
    position = battle_position(state)
    figures = position.by_id[attack.attacker], position.by_id[attack.target]
    bought = [
        (effect_name(one.name), one.modifier)
        for one in attack.attack.effects
        if one.name in attack.effects and one.modifier
    ]
    return [*attack_parts(position, *figures, attack.attack), *bought]


def calmed_by(state: SkirmishState, task: PlayTask) -> bool:
    """Whether the awaited roll ends that its figure is shaken (TAC-STA-2, TAC-OR-18)."""
    figure = state.figure(task.figure)
    return bool(shaken_modifier(state, figure, will=task.kind == "will-roll"))


def undeployed_facts(state: SkirmishState, side: str) -> Iterator[Fact]:
    """Who does not fit into the zone of a side now, and what then (TAC-SET-10 to -13)."""
    waiting = [one for one in state.of(side) if one.fate == "waiting"]
    names = joined([one.name for one in waiting if not free_cells(state, one)])
    if names and state.phase == DEPLOY:
        yield Fact(say("no room in the zone, they wait for round 1: {names}", names=names), "warn")
    elif names:
        yield Fact(say("no room in the zone yet: {names}", names=names), "warn")
    if waiting and state.phase != DEPLOY:
        yield Fact(say("who is not deployed by the end of round 1 is killed"), "warn")


def dice_parts(attack: AttackInPlay) -> Iterator[str]:
    """What the dice of an attack come from: its card, the charge, what was bought for it."""
    yield say("{n} on the card", n=attack.attack.dice)
    if attack.charge:  # TAC-CHG-6
        yield say("{n} for the charge", n=CHARGE_DICE)
    for effect in attack.attack.effects:
        if effect.dice and effect.name in attack.effects:
            named = effect_name(effect.name)
            yield named if effect.dice == 1 else joined([str(effect.dice), named], " ")


def dice_request(state: SkirmishState, asked: Pending) -> DiceRequest | None:
    """The dice to enter, with the chance of each number of successes."""
    if asked.what == "roll":
        first, second = (squad.player for squad in state.squads)
        told = say("first {first}, then {second}", first=first, second=second)
        return DiceRequest(2, {"do": "roll-off"}, sides=DIE, text=told)
    attack, count = state.attack, asked.data.get("dice", 0)
    if asked.what == "will-roll":
        figure = state.figure(state.tasks[0].figure)
        test = will_dice(state, figure, {"do": "will", "figure": figure.id})
        return as_announced(state, test)
    if asked.what == "hazard-roll":
        figure = state.figure(state.tasks[0].figure)
        modifier = defence_modifier(state, figure)
        hits = asked.data["hits"]
        return as_announced(state, request(hits, figure.card.defence or DIE, modifier))
    if asked.what == "terrain-roll":
        modifier = shaken_modifier(state, state.figure(state.tasks[0].figure))
        found = request(count, asked.data["values"][1], modifier)
        found = replace(found, command={"do": "smash"}, count_field="", chances=())
        return as_announced(state, found)
    if attack is None or asked.what not in ("attack-roll", "defence-roll"):
        return None
    defence = state.figure(attack.target).card.defence or DIE
    found = request(count, defence, attack.defence_modifier)
    if asked.what == "attack-roll":
        tens = "tens" if hits_of_ten(state, attack) > 1 else ""
        found = request(count, attack.attack.hit, attack.modifier, top_field=tens)
    return as_announced(state, found)


def as_announced(state: SkirmishState, found: DiceRequest) -> DiceRequest:
    """The dice with a charm or powder: only faces tell which of them is set (TAC-EQP-6)."""
    if not announced(state):
        return found
    wanted = found.wanted if found.count > 1 else None  # the only die is set, whatever it shows
    return replace(found, count_field="", top_field="", chances=(), wanted=wanted)


def request(count: int, needed: int, modifier: int, top_field: str = "") -> DiceRequest:
    """Dice that succeed at a value or more; `top_field` if natural 10s are asked for, too."""
    chance = hit_chance(needed, modifier) + Fraction(1, DIE)
    spread = binomial(count, chance)
    wanted = least_face(needed, modifier)
    return DiceRequest(
        count,
        {"do": "roll"},
        sides=DIE,
        wanted=wanted,
        count_field="hits",
        top_field=top_field,
        chances=tuple(float(spread.get(n, 0)) for n in range(count + 1)),
    )
