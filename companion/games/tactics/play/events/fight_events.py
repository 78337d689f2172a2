"""Events of attacks, wounds, deaths and captives."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.cards.figure_card import CardAttack
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.play.state import (
    SILENT,
    AttackInPlay,
    Data,
    SkirmishState,
    counted_kill,
    kind,
    unshaken,
)
from models.board import parse_cell
from models.field import Field
from models.message import say


@kind(
    "attack-declared",
    lambda d: say(
        "{figure} attacks {target}: {attack}",
        figure=d["name"],
        target=d["target_name"],
        attack=d["attack_name"],
    ),
)
def attack_declared(state: SkirmishState, data: Data) -> SkirmishState:
    attack = AttackInPlay(
        data["figure"],
        data["target"],
        CardAttack.read(Field(dict(data["attack"]))),
        data["dice"],
        data.get("modifier", 0),
        data.get("charge", False),
        tuple(data.get("effects", ())),
        data.get("dagger", False),
    )
    return replace(state, attack=attack)


@kind("attack-rolled", lambda d: say("{n} hit", "{n} hits", n=d["hits"]))
def attack_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    attack = replace(state.attack, faces=tuple(data["faces"]), hits=data["hits"], stage="rolled")
    return unshaken(replace(state, attack=attack), attack.attacker, data)


@kind(
    "defence-chosen",
    lambda d: say("{figure} defends: {effects}", figure=d["name"], effects=d["effects"]),
)
def defence_chosen(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    attack = replace(
        state.attack,
        defence_modifier=data.get("modifier", 0),
        cancels=data.get("cancels", 0),
        stage="chosen",
    )
    return replace(state, attack=attack)


@kind("defence-rolled", lambda d: say("{n} hit defended", "{n} hits defended", n=d["defended"]))
def defence_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    attack = replace(
        state.attack, defended=data["defended"], wounds=data["wounds"], stage="defended"
    )
    return unshaken(replace(state, attack=attack), attack.target, data)


@kind("attack-stage", SILENT)
def attack_stage(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, stage=data["stage"]))


@kind("attack-ended", SILENT)
def attack_ended(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, attack=None)


@kind(
    "wounded",
    lambda d: say(
        "{figure} suffers {n} wound", "{figure} suffers {n} wounds", figure=d["name"], n=d["wounds"]
    ),
)
def wounded(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, wounds=max(0, figure.wounds + data["wounds"])))


@kind(
    "healed",
    lambda d: say(
        "{figure} loses {n} wound", "{figure} loses {n} wounds", figure=d["name"], n=d["wounds"]
    ),
)
def healed(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, wounds=max(0, figure.wounds - data["wounds"])))


@kind(
    "condition",
    lambda d: (
        say("{figure} is {condition}", figure=d["name"], condition=say(d["kind"]))
        if d["on"]
        else say("{figure} is no longer {condition}", figure=d["name"], condition=say(d["kind"]))
    ),
)
def condition(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    if data["kind"] == "shaken":
        return state.with_figure(replace(figure, shaken=data["on"]))
    now = state.activation
    if now is not None and now.figure == figure.id:  # a new token is for the next activation
        state = replace(state, activation=replace(now, thaws=False))
    return state.with_figure(replace(figure, frozen=data["on"]))


@kind("killed", lambda d: say("{figure} is killed", figure=d["name"]))
def killed(state: SkirmishState, data: Data) -> SkirmishState:
    """It leaves the board with its equipment and tokens (TAC-EQP-4, TAC-ATK-13 to -15)."""
    figure = state.figure(data["figure"])
    state = state.with_figure(
        replace(
            figure, fate="killed", cell=None, equipment="", shaken=False, frozen=False, captor=""
        )
    )
    return counted_kill(state, figure, data)


@kind(
    "captured",
    lambda d: say("{captor} captures {figure}", captor=d["captor_name"], figure=d["name"]),
)
def captured(state: SkirmishState, data: Data) -> SkirmishState:
    """The captive has 1 health left and leaves the board (TAC-CAP-2)."""
    figure = state.figure(data["figure"])
    cells = tuple(parse_cell(cell) for cell in data.get("cells", ()))
    state = state.with_figure(
        replace(
            figure,
            fate="captive",
            cell=None,
            captor=data["captor"],
            wounds=figure.health - 1,
            shaken=False,
            frozen=False,
        )
    )
    if state.attack is not None and state.attack.target == figure.id:
        surges = state.readings.surge_after_capture == "yes"  # TAC-OR-20
        state = replace(state, attack=replace(state.attack, killed=surges, cells=cells))
    return state


@kind("freed", lambda d: say("{figure} is free again", figure=d["name"]))
def freed(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(
        replace(
            figure,
            fate="board",
            cell=parse_cell(data["cell"]),
            captor="",
            activated=False,
            wounds=figure.health - 1,
        )
    )


@kind(
    "item-used",
    lambda d: say("{figure} uses {item}", figure=d["name"], item=EQUIPMENT[d["item"]].name),
)
def item_used(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_figure(replace(state.figure(data["figure"]), equipment=""))


@kind(
    "nemesis",
    lambda d: say("{target} is the nemesis of {figure}", target=d["target_name"], figure=d["name"]),
)
def nemesis(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, nemeses=(*figure.nemeses, data["target"])))


@kind(
    "will-tested",
    lambda d: (
        say("{figure} passes the Will test", figure=d["name"])
        if d["passed"]
        else say("{figure} fails the Will test", figure=d["name"])
    ),
)
def will_tested(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


@kind(
    "ability-used", lambda d: say("{figure} uses {ability}", figure=d["name"], ability=d["ability"])
)
def ability_used(state: SkirmishState, data: Data) -> SkirmishState:
    if data.get("motivation"):
        return replace(state, paid=(*state.paid, (data["figure"], data["motivation"])))
    if not data.get("agenda"):
        return state
    squad = state.squad(data["side"])
    return state.with_squad(replace(squad, used=(*squad.used, data["agenda"])))
