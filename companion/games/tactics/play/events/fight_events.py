"""Events of attacks, wounds, deaths and captives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.tactics.cards.figure_card import CardAttack, effect_name
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.play.state import (
    SILENT,
    AttackInPlay,
    SkirmishState,
    agenda_name,
    counted_kill,
    kind,
    unshaken,
)
from companion.games.tactics.rules.attack_odds import SHAKEN
from models.board import parse_cell
from models.field import Field
from models.frozen_records import replace
from models.message import joined, say


def attack_title(name: str, target_name: str, attack_name: str, effects: Sequence[str] = ()) -> str:
    """Who attacks whom, with which attack and what was bought for it."""
    used = joined([attack_name, *map(effect_name, effects)])
    return say("{figure} attacks {target}: {attack}", figure=name, target=target_name, attack=used)


@kind("attack-declared", attack_title)
def attack_declared(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    target: str,
    target_name: str,
    attack: Mapping[str, Any],
    attack_name: str,
    dice: int,
    modifier: int = 0,
    charge: bool = False,
    effects: Sequence[str] = (),
    dagger: bool = False,
) -> SkirmishState:
    declared = AttackInPlay(
        figure,
        target,
        CardAttack.read(Field(dict(attack))),
        dice,
        modifier,
        charge,
        tuple(effects),
        dagger,
    )
    return replace(state, attack=declared)


def hits_title(hits: int, name: str = "", target_name: str = "", shaken: bool = False) -> str:
    """Who hit whom; games of earlier versions name nobody."""
    if not name:
        return say("{n} hit", "{n} hits", n=hits)
    told = say(
        "{figure} against {target}: {n} hit",
        "{figure} against {target}: {n} hits",
        figure=name,
        target=target_name,
        n=hits,
    )
    return with_calm(told, shaken)


def with_calm(told: str, shaken: bool) -> str:
    """What a roll came to, and that the token goes with it (TAC-STA-2)."""
    return say("{told}; no longer shaken", told=told) if shaken else told


@kind("attack-rolled", hits_title)
def attack_rolled(
    state: SkirmishState,
    *,
    side: str,
    faces: Sequence[int],
    hits: int,
    shaken: bool,
    tens: int | None = None,
    name: str = "",
    target_name: str = "",
) -> SkirmishState:
    """`tens` are natural ones; games of earlier versions have the faces alone."""
    assert state.attack is not None
    natural = sum(face == 10 for face in faces) if tens is None else tens
    attack = replace(
        state.attack,
        faces=tuple(faces),
        tens=natural,
        hits=hits,
        charm=False,
        powder=0,
        stage="rolled",
    )
    return unshaken(replace(state, attack=attack), attack.attacker, shaken)


@kind(
    "defence-chosen",
    lambda name, effects: say("{figure} defends: {effects}", figure=name, effects=effects),
)
def defence_chosen(
    state: SkirmishState, *, name: str, effects: str, modifier: int = 0, cancels: int = 0
) -> SkirmishState:
    assert state.attack is not None
    attack = replace(
        state.attack,
        defence_modifier=modifier,
        cancels=cancels,
        stage="chosen",
    )
    return replace(state, attack=attack)


@kind(
    "defence-used",
    lambda name, ability, told="": ability_words(name, ability, told=told),
)
def defence_used(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    ability: str,
    modifier: int = 0,
    cancels: int = 0,
    told: str = "",
) -> SkirmishState:
    """More may follow before the defence roll (TAC-ATK-8)."""
    assert state.attack is not None
    used = (*state.attack.defences, (ability, modifier, cancels))
    return replace(state, attack=replace(state.attack, defences=used))


def defence_title(defended: int, name: str = "", shaken: bool = False, by: str = "") -> str:
    """Who defended how many hits by whom; games of earlier versions do not name both."""
    if not name:
        return say("{n} hit defended", "{n} hits defended", n=defended)
    about = {"figure": name, "foe": by, "n": defended}
    if by and defended:
        told = say(
            "{figure} defends {n} hit by {foe}", "{figure} defends {n} hits by {foe}", **about
        )
    elif by:
        told = say("{figure} defends no hit by {foe}", **about)
    elif defended:
        told = say("{figure} defends {n} hit", "{figure} defends {n} hits", **about)
    else:
        told = say("{figure} defends no hit", **about)
    return with_calm(told, shaken)


@kind("defence-rolled", defence_title)
def defence_rolled(
    state: SkirmishState,
    *,
    side: str,
    faces: Sequence[int],
    defended: int,
    wounds: int,
    shaken: bool = False,
    name: str = "",
    by: str = "",
) -> SkirmishState:
    """`by` is the name of the attacker."""
    assert state.attack is not None
    attack = replace(state.attack, defended=defended, wounds=wounds, stage="defended")
    return unshaken(replace(state, attack=attack), attack.target, shaken)


@kind(
    "effects-bought",
    lambda name, effects: say(
        "{figure} pays for {effects}", figure=name, effects=joined(map(effect_name, effects))
    ),
)
def effects_bought(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    effects: Sequence[str],
    dice: int,
    modifier: int,
) -> SkirmishState:
    """Coins announced before the roll change the attack (TAC-ATK-6)."""
    assert state.attack is not None
    attack = replace(
        state.attack,
        dice=state.attack.dice + dice,
        modifier=state.attack.modifier + modifier,
        effects=(*state.attack.effects, *effects),
    )
    awaited = replace(state.tasks[0], data={"dice": attack.dice})
    return replace(state, attack=attack, tasks=(awaited, *state.tasks[1:]))


@kind("attack-stage", SILENT)
def attack_stage(state: SkirmishState, *, stage: str) -> SkirmishState:
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, stage=stage))


@kind("attack-ended", SILENT)
def attack_ended(state: SkirmishState) -> SkirmishState:
    return replace(state, attack=None)


@kind(
    "wounded",
    lambda name, wounds: say(
        "{figure} suffers {n} wound", "{figure} suffers {n} wounds", figure=name, n=wounds
    ),
)
def wounded(
    state: SkirmishState, figure: str, name: str, side: str, *, wounds: int
) -> SkirmishState:
    figure_state = state.figure(figure)
    return state.with_figure(replace(figure_state, wounds=max(0, figure_state.wounds + wounds)))


@kind(
    "healed",
    lambda name, wounds: say(
        "{figure} loses {n} wound", "{figure} loses {n} wounds", figure=name, n=wounds
    ),
)
def healed(
    state: SkirmishState, figure: str, name: str, side: str, *, wounds: int
) -> SkirmishState:
    figure_state = state.figure(figure)
    return state.with_figure(replace(figure_state, wounds=max(0, figure_state.wounds - wounds)))


@kind(
    "condition",
    lambda on, name, kind: (
        say("{figure} is {condition}", figure=name, condition=say(kind))
        if on
        else say("{figure} is no longer {condition}", figure=name, condition=say(kind))
    ),
)
def condition(
    state: SkirmishState, figure: str, name: str, side: str, *, kind: str, on: bool
) -> SkirmishState:
    figure_state = state.figure(figure)
    if kind == "shaken":
        state = rolling_otherwise(state, figure, int(on) - int(figure_state.shaken))
        return state.with_figure(replace(figure_state, shaken=on))
    now = state.activation
    if now is not None and now.figure == figure:  # a new token is for the next activation
        state = replace(state, activation=replace(now, thaws=False))
    return state.with_figure(replace(figure_state, frozen=on))


def rolling_otherwise(state: SkirmishState, figure: str, tokens: int) -> SkirmishState:
    """The attack whose dice a figure is about to roll, after it got (1) or lost (-1) a shaken token
    (TAC-STA-2)."""
    attack = state.attack
    if attack is None or not tokens:
        return state
    if attack.stage == "declared" and attack.attacker == figure:
        attack = replace(attack, modifier=attack.modifier + tokens * SHAKEN)
    elif attack.stage == "chosen" and attack.target == figure:
        attack = replace(attack, defence_modifier=attack.defence_modifier + tokens * SHAKEN)
    return replace(state, attack=attack)


def killed_title(name: str, by_name: str = "") -> str:
    """Who kills whom; terrain and poison have no name, nor has anybody in earlier versions."""
    if by_name:
        return say("{killer} kills {figure}", killer=by_name, figure=name)
    return say("{figure} is killed", figure=name)


@kind("killed", killed_title)
def killed(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    by: str,
    cells: Sequence[str],
    by_name: str = "",
    by_side: str = "",
) -> SkirmishState:
    """It leaves the board with its equipment and tokens (TAC-EQP-4, TAC-ATK-13 to -15)."""
    figure_state = state.figure(figure)
    state = state.with_figure(
        replace(
            figure_state,
            fate="killed",
            cell=None,
            equipment="",
            shaken=False,
            frozen=False,
            captor="",
        )
    )
    return counted_kill(state, figure_state, by, cells)


@kind(
    "captured",
    lambda captor_name, name: say("{captor} captures {figure}", captor=captor_name, figure=name),
)
def captured(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    captor: str,
    captor_name: str,
    cells: Sequence[str] = (),
    by_side: str = "",
) -> SkirmishState:
    """The captive has 1 health left and leaves the board (TAC-CAP-2)."""
    figure_state = state.figure(figure)
    spaces = tuple(parse_cell(cell) for cell in cells)
    state = state.with_figure(
        replace(
            figure_state,
            fate="captive",
            was_captive=True,
            cell=None,
            captor=captor,
            wounds=figure_state.health - 1,
            shaken=False,
            frozen=False,
        )
    )
    if state.attack is not None and state.attack.target == figure_state.id:
        surges = state.readings.surge_after_capture == "yes"  # TAC-OR-20
        state = replace(state, attack=replace(state.attack, killed=surges, cells=spaces))
    return state


@kind("freed", lambda name: say("{figure} is free again", figure=name))
def freed(state: SkirmishState, figure: str, name: str, side: str, *, cell: str) -> SkirmishState:
    figure_state = state.figure(figure)
    return state.with_figure(
        replace(
            figure_state,
            fate="board",
            cell=parse_cell(cell),
            captor="",
            activated=False,
            wounds=figure_state.health - 1,
        )
    )


@kind(
    "item-used",
    lambda name, item: say("{figure} uses {item}", figure=name, item=EQUIPMENT[item].name),
)
def item_used(
    state: SkirmishState, figure: str, name: str, side: str, *, item: str, announced: bool = False
) -> SkirmishState:
    """`announced` for the roll that the game waits for (TAC-EQP-6)."""
    attack, task = state.attack, state.tasks[0] if state.tasks else None
    if announced and task is not None and task.kind not in ("attack-roll", "defence-roll"):
        items = (*task.data.get("items", ()), item)
        task = replace(task, data={**task.data, "items": items})
        state = replace(state, tasks=(task, *state.tasks[1:]))
    elif announced and attack is not None:
        attack = replace(
            attack,
            charm=attack.charm or item == "lucky-charm",
            powder=attack.powder + (item == "blinding-powder"),
            dagger=attack.dagger or item == "obsidian-dagger",
        )
        state = replace(state, attack=attack)
    return state.with_figure(replace(state.figure(figure), equipment=""))


@kind(
    "nemesis",
    lambda target_name, name: say(
        "{target} is the nemesis of {figure}", target=target_name, figure=name
    ),
)
def nemesis(
    state: SkirmishState, figure: str, name: str, side: str, *, target: str, target_name: str
) -> SkirmishState:
    figure_state = state.figure(figure)
    return state.with_figure(replace(figure_state, nemeses=(*figure_state.nemeses, target)))


@kind(
    "will-tested",
    lambda passed, name, shaken: with_calm(
        say("{figure} passes the Will test", figure=name)
        if passed
        else say("{figure} fails the Will test", figure=name),
        shaken,
    ),
)
def will_tested(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    faces: Sequence[int],
    passed: bool,
    shaken: bool,
) -> SkirmishState:
    return unshaken(state, figure, shaken)


def ability_words(name: str, ability: str, target: str = "", told: str = "") -> str:
    """Who uses what, for whom, and what the players wrote that it does."""
    used = say("{figure} uses {ability}", figure=name, ability=agenda_name(ability))
    if target:
        used = say("{used} for {name}", used=used, name=target)
    return say("{used}: {told}", used=used, told=told) if told else used


@kind("ability-used", ability_words)
def ability_used(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    ability: str,
    target: str = "",
    agenda: str = "",
    motivation: str = "",
    told: str = "",
) -> SkirmishState:
    if motivation:
        return replace(state, answered=(*state.answered, (figure, motivation)))
    if state.attack is not None and state.tasks and state.tasks[0].kind == "aftermath":
        used = (*state.attack.aftermaths, (figure, ability))
        return replace(state, attack=replace(state.attack, aftermaths=used))
    if not agenda:
        return state
    squad = state.squad(side)
    return state.with_squad(replace(squad, used=(*squad.used, agenda)))


@kind(
    "motivation-passed",
    lambda name, motivation: say("{figure} does not pay for {name}", figure=name, name=motivation),
)
def motivation_passed(
    state: SkirmishState, figure: str, name: str, side: str, *, motivation: str
) -> SkirmishState:
    """A motivation that a kill has met is not paid for (TAC-ABL-9)."""
    return replace(state, answered=(*state.answered, (figure, motivation)))
