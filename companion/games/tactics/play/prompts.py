"""What a battle waits for, from whom, and the commands that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.api.play import Pending, Plain
from companion.games.shared.command_play import prompt_options
from companion.games.tactics.cards.figure_card import is_extra_die
from companion.games.tactics.play.context import SIDES_OF_DIE
from companion.games.tactics.play.defence import (
    ROLL_ITEMS,
    SET_TO,
    aftermath_figures,
    aftermaths,
    attack_effects,
    defence_effects,
    defence_price,
    extra_dice,
    item_bearers,
    worded_defences,
)
from companion.games.tactics.play.motivations import asked_motivations, payable_motivations
from companion.games.tactics.play.setup import free_cells, next_kind
from companion.games.tactics.play.state import (
    AGENDAS,
    CHOICE,
    DEPLOY,
    END,
    OVER,
    ROLL,
    START,
    FigureInPlay,
    PlayTask,
    SkirmishState,
    battle_position,
    own_move,
)
from companion.games.tactics.play.terrain_commands import LOOT_KINDS
from companion.games.tactics.play.turn_commands import pass_refusal
from companion.games.tactics.rules.attack_odds import subsets
from companion.games.tactics.rules.contact import attack_refusal
from companion.games.tactics.rules.movement import charge_answer, move_ends
from companion.games.tactics.rules.position import one_point_attacks
from companion.games.tactics.rules.space_effects import takeable
from models.board import cell_text
from models.frozen_records import IdentityCache
from models.message import joined, say


def pending(state: SkirmishState) -> Sequence[Pending]:
    """Everything the game waits for now, most urgent first."""
    return tuple(asked for asked, _ in waiting(state))


def options(state: SkirmishState, side: str | None = None) -> Sequence[Plain]:
    """For each prompt the complete commands that answer it; secrets for their owner only."""
    return prompt_options(waiting(state), side, secret="agenda")


def every_prompt(state: SkirmishState) -> Iterator[tuple[Pending, list[dict[str, Any]]]]:
    """Each prompt with its commands."""
    if state.phase == OVER:
        return
    if state.tasks:
        yield task_prompt(state, state.tasks[0])
        return
    if side := asked_motivations(state):  # after kills of games saved before it was asked at once
        yield motivation_prompt(state, side)
    match "round" if state.acting is not None else state.phase:
        case "roll":
            first, second = (one.player for one in state.squads)
            text = say(
                "each player rolls a die, first {first}, then {second}: the higher result chooses",
                first=first,
                second=second,
            )
            yield Pending(ROLL, text, None, ("roll-off",)), [{"do": "roll-off"}]
        case "choice":
            yield choice_prompt(state)
        case "agendas":
            yield from agenda_prompts(state)
        case "deploy":
            if state.lays_paper:
                text = say("Lay an objective card on each objective; keep one of two agendas each.")
                yield Pending("cards", text, None, ("laid",)), [{"do": "laid"}]
            yield deploy_prompt(state)
        case "start":
            first = state.first or state.squads[0].id
            text = say(
                "use the effects at the start of the battle, first {first}, then {second}; then"
                " begin",
                first=state.squad(first).player,
                second=state.squad(state.other(first)).player,
            )
            yield Pending(START, text, None, ("begin", "ability", "nemesis")), [{"do": "begin"}]
        case "end":
            text = say("use the effects at the end of the round, then count the points")
            yield Pending(END, text, None, ("end-round", "ability", "score")), [{"do": "end-round"}]
        case _:
            yield turn_prompt(state)


waiting = IdentityCache(lambda state: tuple(every_prompt(state)), 16)
"""Every prompt with its commands, worked out once for each state."""


def choice_prompt(state: SkirmishState) -> tuple[Pending, list[dict[str, Any]]]:
    """The winner of the roll chooses a zone or the start marker (TAC-SET-3, -4)."""
    commands: list[dict[str, Any]] = []
    if not any(squad.zone for squad in state.squads):
        commands += [{"do": "zone", "zone": zone} for zone in ("gold", "silver")]
    if not state.first:
        commands += [{"do": "start-marker", "side": side} for side in state.sides]
    player = state.squad(state.chooser).player
    if state.first:
        text = say("{player} chooses a deployment zone", player=player)
    elif len(commands) > len(state.sides):
        text = say("{player} chooses a deployment zone or the start marker", player=player)
    else:
        text = say("{player} gives the start marker", player=player)
    names = tuple(dict.fromkeys(one["do"] for one in commands))
    return Pending(CHOICE, text, state.chooser, names), commands


def agenda_prompts(state: SkirmishState) -> Iterator[tuple[Pending, list[dict[str, Any]]]]:
    """Each player keeps one agenda, secretly."""
    for squad in state.squads:
        if squad.dealt:
            text = say("{player} keeps one of two agendas", player=squad.player)
            commands = [{"do": "agenda", "side": squad.id, "keep": card} for card in squad.dealt]
            yield Pending(AGENDAS[:-1], text, squad.id, ("agenda",)), commands


def deploy_prompt(state: SkirmishState) -> tuple[Pending, list[dict[str, Any]]]:
    """The figures of the kind that comes now, on every space where they fit."""
    side = state.active
    kind = next_kind(state, side)
    commands: list[dict[str, Any]] = []
    for figure in state.of(side):
        if figure.fate == "waiting" and figure.kind == kind:
            commands += [
                {"do": "deploy", "figure": figure.id, "to": cell_text(cell)}
                for cell in free_cells(state, figure)
            ]
    if not kind:
        commands.append({"do": "deployed"})
    player = state.squad(side).player
    text = say("{player} deploys", player=player)
    return Pending(DEPLOY, text, side, ("deploy", "deployed", "nemesis")), commands


def turn_prompt(state: SkirmishState) -> tuple[Pending, list[dict[str, Any]]]:
    """A turn, or the actions of the figure that acts."""
    now = state.acting
    if now is not None:
        figure = state.figure(now.figure)
        text = say(
            "{figure} has {n} action point left",
            "{figure} has {n} action points left",
            figure=figure.name,
            n=now.ap,
        )
        if now is state.granted:  # its own action points are others (TAC-ABL-20)
            text = say(
                "{figure} may take a granted action: {n} action point",
                "{figure} may take a granted action: {n} action points",
                figure=figure.name,
                n=now.ap,
            )
        return Pending("act", text, figure.side, ACTIONS, {"figure": figure.id}), actions(state)
    side = state.active
    commands: list[dict[str, Any]] = [
        {"do": "activate", "figure": one.id}
        for one in state.activatable(side)
        if one.fate == "board"
    ]
    if state.round == 1:
        commands += [
            {"do": "deploy", "figure": one.id, "to": cell_text(cell)}
            for one in state.of(side)
            if one.fate == "waiting"
            for cell in free_cells(state, one)
        ]
    if not pass_refusal(state):
        commands.append({"do": "pass"})
    player = state.squad(side).player
    text = say("{player} activates a figure", player=player)
    return Pending("turn", text, side, ("activate", "pass", "deploy")), commands


def motivation_prompt(state: SkirmishState, side: str) -> tuple[Pending, list[dict[str, Any]]]:
    """The motivations that a kill has met; or none of them (TAC-ABL-9, TAC-MOT-6)."""
    met = list(payable_motivations(state, side))
    names = dict.fromkeys(figure.name for figure, _ in met)
    text = joined([say("{figure} may pay for the motivation", figure=one) for one in names], "; ")
    commands = [{"do": "motivation", "figure": who.id, "name": one.name} for who, one in met]
    commands.append({"do": "no-motivation", "side": side})
    return Pending("motivation", text, side, ("motivation", "no-motivation")), commands


ACTIONS = (
    "move", "attack", "charge", "terrain-charge", "door", "loot", "objective", "interact",
    "ability", "use", "dismount", "heap", "wait", "end", "grant", "push",
)  # fmt: skip


def actions(state: SkirmishState) -> list[dict[str, Any]]:
    """Every plain action of the acting figure that would be accepted."""
    now = state.acting
    assert now is not None
    position = battle_position(state)
    figure = position.by_id[now.figure]
    found: list[dict[str, Any]] = []
    walking = own_move(state)
    if now.ap > 0:
        ends = move_ends(position, figure, walking)
        found += [{"do": "move", "to": cell_text(cell)} for cell in sorted(ends)]
        coins = state.squad(figure.side).coins
        payable = [one for one in figure.attacks if coins.covers(one.spend) and one.ap <= now.ap]
        charging = [one for one in one_point_attacks(tuple(payable)) if one.kind == "melee"]
        for enemy in position.enemies(figure):
            found += [
                {"do": "attack", "target": enemy.id, "attack": one.name}
                for one in payable
                if not attack_refusal(position, figure, enemy, one)
            ]
            if now.ap > 1:
                charge = charge_answer(position, figure, enemy, options=walking)
                found += [
                    {"do": "charge", "target": enemy.id, "to": cell_text(cell), "attack": one.name}
                    for one in charging
                    for cell in sorted(charge.ends)
                    if charge.reaches
                ]
        for cell in takeable(position, figure):
            found.append({"do": "loot", "cell": cell_text(cell)})
        found.append({"do": "wait"})
    mounted = state.figure(figure.id).foot is not None
    if mounted and not now.free and state.is_active(figure.id):  # TAC-FIG-8
        found += [{"do": "dismount", "to": cell_text(cell)} for cell in figure.cells]
    found.append({"do": "end"})
    return [one for one in found if not now.only or one["do"] in (now.only, "end")]


def task_prompt(state: SkirmishState, task: PlayTask) -> tuple[Pending, list[dict[str, Any]]]:
    """What a running attack or move waits for."""
    name = state.figure(task.figure).name if task.figure else ""
    side, data = task.side, task.data
    commands: list[dict[str, Any]]
    match task.kind:
        case "attack-roll":
            text = say(
                "{figure} rolls {n} attack die",
                "{figure} rolls {n} attack dice",
                figure=name,
                n=task.data["dice"],
            )
            commands = [{"do": "roll"}, *announcements(state)]
            return Pending(task.kind, text, side, ("roll", "announce"), data), commands
        case "defence-roll":
            attack, figure = state.attack, state.figure(task.figure)
            assert attack is not None
            text = say(
                "{figure} rolls {n} defence die: {value}+ defends a hit",
                "{figure} rolls {n} defence dice: {value}+ defends a hit",
                figure=name,
                n=task.data["dice"],
                value=least_face(figure.card.defence, attack.defence_modifier),
            )
            commands = [{"do": "roll"}, *announcements(state)]
            return Pending(task.kind, text, side, ("roll", "announce"), data), commands
        case "hazard-roll":
            text = say(
                "{figure} defends {n} hit of the stake pit",
                "{figure} defends {n} hits of the stake pit",
                figure=name,
                n=task.data["hits"],
            )
            commands = [{"do": "roll"}, *announcements(state)]
            return Pending(task.kind, text, side, ("roll", "announce"), data), commands
        case "defend":
            text = say("{figure}: defence abilities?", figure=name)
            commands = defence_commands(state, state.figure(task.figure))
            return Pending(task.kind, text, side, ("defend",)), commands
        case "aftermath":
            text = say("use an aftermath of the attack, or go on")
            if task.data.get("alone"):
                text = say("{figure} may use an aftermath of the attack", figure=name)
            asked = side if task.data.get("alone") else None
            commands = aftermath_commands(state)
            return Pending(task.kind, text, asked, ("aftermath", "continue")), commands
        case "fate":
            text = say("{figure} is defeated: kill or capture?", figure=name)
            commands = [{"do": "fate", "choose": word} for word in ("kill", "capture")]
            return Pending(task.kind, text, side, ("fate",)), commands
        case "motivation":
            return motivation_prompt(state, side)
        case "unhorse":
            text = say("{figure} loses the mount: where does the rider stand?", figure=name)
            cells = battle_position(state).by_id[task.figure].cells
            commands = [{"do": "dismount", "to": cell_text(cell)} for cell in cells]
            return Pending(task.kind, text, side, ("dismount",)), commands
        case "free":
            text = say("{figure} is free: on which space?", figure=name)
            return Pending(task.kind, text, side, ("free",)), to_cells("free", task)
        case "will-roll":
            text = say("{figure} takes a Will test", figure=name)
            commands = [{"do": "will", "figure": task.figure}, *announcements(state)]
            return Pending(task.kind, text, side, ("will", "announce")), commands
        case "wounded":
            text = say("{figure} is wounded: a wound ability?", figure=name)
            commands = [
                {"do": "ability", "figure": task.figure, "ability": one.name}
                for one in state.wound_abilities(task.figure)
                if not one.aimed
            ]
            commands.append({"do": "continue"})
            return Pending(task.kind, text, side, ("ability", "continue")), commands
        case "objective-done":
            text = say("{figure} has used its objective: what did the card bring?", figure=name)
            return Pending(task.kind, text, side, ("objective-done",), data), [
                {"do": "objective-done"}
            ]
        case "poison":
            text = say("{figure} is to be captured: the vial of poison?", figure=name)
            commands = [{"do": "poison", "on": on} for on in (True, False)]
            return Pending(task.kind, text, side, ("poison",)), commands
        case "terrain-move":
            text = say("{figure} charges terrain: where does it go?", figure=name)
            commands = [*to_cells("approach", task), {"do": "approach"}]
            return Pending(task.kind, text, side, ("approach",)), commands
        case "terrain-roll":
            text = say(
                "{figure} rolls {n} die to break the terrain",
                "{figure} rolls {n} dice to break the terrain",
                figure=name,
                n=task.data["dice"],
            )
            commands = [{"do": "smash"}, *announcements(state)]
            return Pending(task.kind, text, side, ("smash", "announce"), data), commands
        case "pushed":
            text = say("{figure} is moved: where does it end?", figure=name)
            return Pending(task.kind, text, side, ("pushed",)), to_cells("pushed", task)
        case "leaf":
            text = say("{figure} flips the leaf pile: a stake pit?", figure=name)
            commands = [{"do": "leaf", "pit": pit} for pit in (False, True)]
            # Whoever turns it over says so: a rival does not choose what lies there.
            return Pending(task.kind, text, None, ("leaf",)), commands
        case "loot":
            text = say("{figure} turns the loot token over: what is it?", figure=name)
            commands = [{"do": "turned", "kind": kind} for kind in LOOT_KINDS]
            return Pending(task.kind, text, None, ("turned",)), commands
        case "battle-end":
            text = say("nobody has figures left: count agendas and the effects at the end")
            if player := task.data.get("player"):
                text = say(
                    "{player} has no figures left: count agendas and the effects at the end of the"
                    " battle",
                    player=player,
                )
            return Pending(task.kind, text, None, ("battle-end", "score")), [{"do": "battle-end"}]
        case "flank":
            text = say("{figure} moves diagonally: through which space?", figure=name)
            return Pending(task.kind, text, side, ("flank",)), to_cells("flank", task)
        case "set-die":
            to = SET_TO[task.data["items"][0]]
            text = say("{figure}: which die becomes {to}?", figure=name, to=to)
            commands = [{"do": "set-die", "face": one} for one in sorted(set(task.data["faces"]))]
            commands.append({"do": "set-die"})
            return Pending(task.kind, text, side, ("set-die",), data), commands
        case "way":
            text = say("{figure} has come by which way?", figure=name)
            commands = [{"do": "way", "path": list(path)} for path in task.data["ways"]]
            return Pending(task.kind, text, side, ("way",)), commands
        case "charge-attack":
            text = say("{figure} attacks at the end of the charge", figure=name)
            return Pending(task.kind, text, side, ("strike",)), [{"do": "strike"}]
    text = say("{figure} may surge", figure=name)
    commands = [*to_cells("surge", task), {"do": "continue"}]
    return Pending(task.kind, text, side, ("surge", "continue"), data), commands


ALL_TOGETHER = 2
"""Of more effects than these each has a button of its own, and a form has them together."""


def least_face(needed: int | None, modifier: int) -> int:
    """The lowest face that succeeds after the modifier; a natural 10 always does (TAC-DIE-5)."""
    return max(1, min(SIDES_OF_DIE, (needed or SIDES_OF_DIE) - modifier))


def defence_commands(state: SkirmishState, figure: FigureInPlay) -> list[dict[str, Any]]:
    """What a defender may use before its roll: effects together, then what the card tells."""
    purse, effects = state.squad(figure.side).coins, defence_effects(state, figure)
    most = len(effects) if len(effects) <= ALL_TOGETHER else 1
    found: list[dict[str, Any]] = [
        {"do": "defend", **({"effects": [one.name for one in chosen]} if chosen else {})}
        for chosen in subsets(effects)
        if len(chosen) <= most and purse.covers(defence_price(state, figure, chosen))
    ]
    worded = worded_defences(state, figure)
    return found + [{"do": "defend", "ability": one.name} for one in worded]


def announcements(state: SkirmishState) -> list[dict[str, Any]]:
    """The coins and the equipment that may be announced before the awaited roll (TAC-ATK-6)."""
    found: list[dict[str, Any]] = []
    if state.attack is not None and state.tasks[0].kind == "attack-roll":
        # Those of a charge are announced and paid with it, before the move (TAC-CHG-7).
        effects = [] if state.attack.charge else attack_effects(state, state.attack)
        dice = extra_dice(state, state.attack)
        found = [{"do": "announce", "dice": n} for n in range(1, len(dice) + 1)]
        found += [{"do": "announce", "effects": [x.name]} for x in effects if not is_extra_die(x)]
    for item in ROLL_ITEMS:
        bearers = item_bearers(state, item)
        several = [{"figure": one.id} for one in bearers] if len(bearers) > 1 else [{}]
        found += [{"do": "announce", "item": item, **one} for one in several if bearers]
    return found


def to_cells(word: str, task: PlayTask) -> list[dict[str, Any]]:
    """One command for each space that a task offers."""
    return [{"do": word, "to": cell} for cell in task.data["cells"]]


def aftermath_commands(state: SkirmishState) -> list[dict[str, Any]]:
    """The abilities that may be used after the rolls, each once, by those who can pay."""
    found: list[dict[str, Any]] = [{"do": "continue"}]
    if state.attack is not None:
        for figure_id in aftermath_figures(state):
            found += [
                {"do": "aftermath", "figure": figure_id, "ability": one.name}
                for one in aftermaths(state, state.attack, figure_id)
            ]
    return found
