"""The events of a battle: how each changes the state, and its title.

Titles name figures and sides by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.api.play import Event, RolledDice
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.cards.figure_card import CardAttack
from companion.games.tactics.play.state import (
    DEPLOY,
    END,
    OVER,
    ROUND,
    START,
    AttackInPlay,
    FigureActivation,
    PlayTask,
    SkirmishState,
)
from models.board import Border
from models.cell import edge, parse_cell
from models.errors import CompanionError
from models.field import Field
from models.lazy_message import say

Data = Mapping[str, Any]
Change = Callable[[SkirmishState, Data], SkirmishState]
Title = Callable[[Data], str]
KINDS: dict[str, tuple[Change, Title]] = {}


def happening(name: str, title: Title) -> Callable[[Change], Change]:
    """A decorator that registers a function as the handler of an event type."""

    def known(change: Change) -> Change:
        KINDS[name] = (change, title)
        return change

    return known


def apply(state: SkirmishState, event: Event) -> SkirmishState:
    """The state after an event: one step of the fold."""
    known = KINDS.get(event.type)
    if known is None or event.version > 1:
        raise CompanionError(
            say(
                "an event {type!r} of version {version} is not known",
                type=event.type,
                version=event.version,
            )
        )
    if drawn := event.data.get("drawn", 0):
        state = replace(state, rolls=state.rolls + drawn)
    return known[0](state, event.data)


def title(event: Event) -> str:
    """The event as a short public sentence."""
    known = KINDS.get(event.type)
    return known[1](event.data) if known else event.type


DICE_WORDS = {
    "roll-off": say("roll for choice"),
    "attack-rolled": say("attack roll"),
    "defence-rolled": say("defence roll"),
    "will-tested": say("Will test"),
    "terrain-rolled": say("terrain charge"),
    "hazard-rolled": say("defence roll"),
}


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event, all with ten faces (TAC-DIE-1)."""
    if event.type == "roll-off":
        return tuple(
            RolledDice(side, DICE_WORDS["roll-off"], (face,), 10)
            for side, face in event.data["dice"]
        )
    faces = event.data.get("faces")
    if not faces:
        return ()
    what = DICE_WORDS.get(event.type, event.type)
    return (RolledDice(event.data.get("side"), what, tuple(faces), 10),)


def silent(data: Data) -> str:
    """No title: the other events of the command say it."""
    return ""


# -- before the battle ----------------------------------------------------------------------------


@happening("roll-off", lambda d: say("{player} wins the roll", player=d["player"]))
def roll_off(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase="choice", chooser=data["winner"])


@happening(
    "zone-chosen",
    lambda d: say("{player} takes the {zone} zone", player=d["player"], zone=d["zone"]),
)
def zone_chosen(state: SkirmishState, data: Data) -> SkirmishState:
    for side, zone in data["zones"]:
        state = state.with_squad(replace(state.squad(side), zone=zone))
    return replace(state, chooser=data["next"])


@happening("start-given", lambda d: say("{player} holds the start marker", player=d["player"]))
def start_given(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, first=data["side"], active=data["side"], chooser=data["next"])


@happening("objective-cards", lambda d: say("every objective has its card"))
def objective_cards(state: SkirmishState, data: Data) -> SkirmishState:
    cards = tuple((parse_cell(cell), card) for cell, card in data["cards"])
    return replace(state, objective_cards=cards, phase="agendas")


@happening("agendas-dealt", silent)
def agendas_dealt(state: SkirmishState, data: Data) -> SkirmishState:
    for side, cards in data["cards"]:
        squad = state.squad(side)
        deck = tuple(card for card in squad.deck if card not in cards)
        state = state.with_squad(replace(squad, dealt=tuple(cards), deck=deck))
    return state


@happening("agenda-kept", lambda d: say("{player} keeps an agenda", player=d["player"]))
def agenda_kept(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    back = tuple(card for card in squad.dealt if card != data["card"])
    kept = (*squad.agenda, data["card"]) if data["card"] else squad.agenda
    squad = replace(squad, agenda=kept, dealt=(), deck=(*squad.deck, *back))
    return state.with_squad(squad)


@happening("deploying", lambda d: say("deployment begins"))
def deploying(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase=DEPLOY, active=state.first)


@happening(
    "deployed", lambda d: say("{figure} is deployed on {cell}", figure=d["name"], cell=d["cell"])
)
def deployed(state: SkirmishState, data: Data) -> SkirmishState:
    figure = replace(state.figure(data["figure"]), cell=parse_cell(data["cell"]), fate="board")
    return state.with_figure(figure)


@happening("deployment-done", lambda d: say("{player} has deployed", player=d["player"]))
def deployment_done(state: SkirmishState, data: Data) -> SkirmishState:
    state = state.with_squad(replace(state.squad(data["side"]), deployed=True))
    if all(squad.deployed for squad in state.squads):
        return replace(state, phase=START, active=state.first)
    return replace(state, active=state.other(data["side"]))


@happening("round-began", lambda d: say("round {round} begins", round=d["round"]))
def round_began(state: SkirmishState, data: Data) -> SkirmishState:
    figures = tuple(replace(one, activated=False) for one in state.figures)
    return replace(
        state,
        phase=ROUND,
        round=data["round"],
        figures=figures,
        first=data["first"],
        active=data["first"],
        may_pass=True,
        turn=state.turn + 1,
    )


# -- turns ----------------------------------------------------------------------------------------


@happening("activated", lambda d: say("{figure} is activated", figure=d["name"]))
def activated(state: SkirmishState, data: Data) -> SkirmishState:
    figure = replace(state.figure(data["figure"]), activated=True)
    state = state.with_figure(figure)
    return replace(state, activation=FigureActivation(figure.id, data["ap"]), may_pass=True)


@happening("granted", lambda d: say("{figure} takes one action at once", figure=d["name"]))
def granted(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=FigureActivation(data["figure"], data["ap"], granted=True))


@happening("acted", silent)
def acted(state: SkirmishState, data: Data) -> SkirmishState:
    """An action was paid for: action points, or the free action."""
    now = state.acting
    assert now is not None
    ap, free = data.get("ap", 0), int(bool(data.get("free")))
    now = replace(now, ap=now.ap - ap, spent=now.spent + ap, free=now.free + free)
    return replace(state, granted=now) if state.granted else replace(state, activation=now)


@happening("waited", lambda d: say("{figure} waits", figure=d["name"]))
def waited(state: SkirmishState, data: Data) -> SkirmishState:
    return state


@happening("grant-ended", silent)
def grant_ended(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=None)


@happening("activation-ended", silent)
def activation_ended(state: SkirmishState, data: Data) -> SkirmishState:
    """The frozen token goes after the activation (TAC-STA-4); the turn passes on."""
    if data.get("figure"):
        state = state.with_figure(replace(state.figure(data["figure"]), frozen=False))
    return replace(state, activation=None, granted=None)


@happening("turn", silent)
def turn(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, active=data["side"], turn=state.turn + 1)


@happening("passed", lambda d: say("{player} passes", player=d["player"]))
def passed(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, may_pass=False)


@happening(
    "coins",
    lambda d: say("{player}: {change} ({why})", player=d["player"], change=d["say"], why=d["why"]),
)
def coins(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    change = Coins(*data["change"])
    return state.with_squad(replace(squad, coins=squad.coins + change))


# -- moves ----------------------------------------------------------------------------------------


@happening("moved", lambda d: say("{figure} moves to {cell}", figure=d["name"], cell=d["cell"]))
def moved(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_figure(replace(state.figure(data["figure"]), cell=parse_cell(data["cell"])))


@happening("placed", lambda d: say("{figure} stands on {cell}", figure=d["name"], cell=d["cell"]))
def placed(state: SkirmishState, data: Data) -> SkirmishState:
    return moved(state, data)


@happening(
    "unhorsed", lambda d: say("{figure} dismounts on {cell}", figure=d["name"], cell=d["cell"])
)
def unhorsed(state: SkirmishState, data: Data) -> SkirmishState:
    """Wounds and conditions vanish, everything else stays (TAC-FIG-10, TAC-OR-23)."""
    figure = state.figure(data["figure"])
    assert figure.foot is not None
    return state.with_figure(
        replace(
            figure,
            card=figure.foot,
            foot=None,
            name=data["foot_name"],
            cell=parse_cell(data["cell"]),
            wounds=0,
            shaken=False,
            frozen=False,
        )
    )


@happening(
    "ground-opened", lambda d: say("the heap is open for {figure} this turn", figure=d["name"])
)
def ground_opened(state: SkirmishState, data: Data) -> SkirmishState:
    now = state.activation
    assert now is not None
    cells = tuple(parse_cell(cell) for cell in data["cells"])
    return replace(state, activation=replace(now, opened=cells))


# -- attacks --------------------------------------------------------------------------------------


@happening(
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


@happening("attack-rolled", lambda d: say("{n} hit", "{n} hits", n=d["hits"]))
def attack_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    attack = replace(state.attack, faces=tuple(data["faces"]), hits=data["hits"], stage="rolled")
    return unshaken(replace(state, attack=attack), attack.attacker, data)


@happening(
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


@happening(
    "defence-rolled", lambda d: say("{n} hit defended", "{n} hits defended", n=d["defended"])
)
def defence_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    attack = replace(
        state.attack, defended=data["defended"], wounds=data["wounds"], stage="defended"
    )
    return unshaken(replace(state, attack=attack), attack.target, data)


@happening("attack-stage", silent)
def attack_stage(state: SkirmishState, data: Data) -> SkirmishState:
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, stage=data["stage"]))


@happening("attack-ended", silent)
def attack_ended(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, attack=None)


def unshaken(state: SkirmishState, figure_id: str, data: Data) -> SkirmishState:
    """The shaken token goes with the roll (TAC-STA-2)."""
    if not data.get("shaken"):
        return state
    return state.with_figure(replace(state.figure(figure_id), shaken=False))


# -- figures --------------------------------------------------------------------------------------


@happening(
    "wounded",
    lambda d: say(
        "{figure} suffers {n} wound", "{figure} suffers {n} wounds", figure=d["name"], n=d["wounds"]
    ),
)
def wounded(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, wounds=max(0, figure.wounds + data["wounds"])))


@happening(
    "healed",
    lambda d: say(
        "{figure} loses {n} wound", "{figure} loses {n} wounds", figure=d["name"], n=d["wounds"]
    ),
)
def healed(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, wounds=max(0, figure.wounds - data["wounds"])))


@happening(
    "condition",
    lambda d: (
        say("{figure} is {condition}", figure=d["name"], condition=d["kind"])
        if d["on"]
        else say("{figure} is no longer {condition}", figure=d["name"], condition=d["kind"])
    ),
)
def condition(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    if data["kind"] == "shaken":
        return state.with_figure(replace(figure, shaken=data["on"]))
    return state.with_figure(replace(figure, frozen=data["on"]))


@happening("killed", lambda d: say("{figure} is killed", figure=d["name"]))
def killed(state: SkirmishState, data: Data) -> SkirmishState:
    """It leaves the board with its equipment and tokens (TAC-EQP-4, TAC-ATK-13 to -15)."""
    figure = state.figure(data["figure"])
    cells = tuple(parse_cell(cell) for cell in data.get("cells", ()))
    state = state.with_figure(
        replace(
            figure, fate="killed", cell=None, equipment="", shaken=False, frozen=False, captor=""
        )
    )
    if state.attack is not None and state.attack.target == figure.id:
        state = replace(state, attack=replace(state.attack, killed=True, cells=cells))
    killer = data.get("by")
    now = state.activation
    if killer and now is not None and now.figure == killer:
        state = replace(state, activation=replace(now, kills=(*now.kills, figure.kind)))
    return state


@happening(
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


@happening(
    "freed", lambda d: say("{figure} is free again on {cell}", figure=d["name"], cell=d["cell"])
)
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


@happening(
    "item-used",
    lambda d: say("{figure} uses {item}", figure=d["name"], item=EQUIPMENT[d["item"]].name),
)
def item_used(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_figure(replace(state.figure(data["figure"]), equipment=""))


@happening(
    "nemesis",
    lambda d: say("{target} is the nemesis of {figure}", target=d["target_name"], figure=d["name"]),
)
def nemesis(state: SkirmishState, data: Data) -> SkirmishState:
    figure = state.figure(data["figure"])
    return state.with_figure(replace(figure, nemeses=(*figure.nemeses, data["target"])))


@happening(
    "will-tested",
    lambda d: (
        say("{figure} passes the Will test", figure=d["name"])
        if d["passed"]
        else say("{figure} fails the Will test", figure=d["name"])
    ),
)
def will_tested(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


@happening(
    "ability-used", lambda d: say("{figure} uses {ability}", figure=d["name"], ability=d["ability"])
)
def ability_used(state: SkirmishState, data: Data) -> SkirmishState:
    if not data.get("agenda"):
        return state
    squad = state.squad(data["side"])
    return state.with_squad(replace(squad, used=(*squad.used, data["agenda"])))


# -- terrain and loot ------------------------------------------------------------------------------


@happening(
    "door",
    lambda d: (
        say("a door opens between {one} and {two}", one=d["edge"][0], two=d["edge"][1])
        if d["open"]
        else say("a door closes between {one} and {two}", one=d["edge"][0], two=d["edge"][1])
    ),
)
def door(state: SkirmishState, data: Data) -> SkirmishState:
    one, two = (parse_cell(cell) for cell in data["edge"])
    border = edge(one, two)
    borders = tuple(
        Border(old.edge, old.kind, data["open"]) if old.edge == border else old
        for old in state.board.borders
    )
    return replace(state, board=replace(state.board, borders=borders))


@happening(
    "mark",
    lambda d: say("{cell} now shows: {mark}", cell=d["cell"], mark=d["mark"] or say("nothing")),
)
def mark(state: SkirmishState, data: Data) -> SkirmishState:
    """A marker was flipped or removed."""
    cell = parse_cell(data["cell"])
    words = tuple(word for word in state.board.marks.get(cell, ()) if word != data["old"])
    words += (data["mark"],) if data["mark"] else ()
    marks = {**state.board.marks, cell: words}
    if not words:
        del marks[cell]
    return replace(state, board=replace(state.board, marks=marks))


@happening("ground", lambda d: say("{cell} is now {ground}", cell=d["cell"], ground=d["ground"]))
def ground(state: SkirmishState, data: Data) -> SkirmishState:
    """A terrain piece was put down, moved away or destroyed."""
    cell = parse_cell(data["cell"])
    words = {**state.board.ground, cell: (data["ground"],)}
    return replace(state, board=replace(state.board, ground=words))


@happening(
    "loot-taken",
    lambda d: (
        say("{figure} takes a purse", figure=d["name"])
        if d["kind"] == "purse"
        else say("{figure} takes a secret letter", figure=d["name"])
    ),
)
def loot_taken(state: SkirmishState, data: Data) -> SkirmishState:
    state = mark(state, {"cell": data["cell"], "old": data["old"], "mark": ""})
    card = data.get("card")
    if card:
        squad = state.squad(data["side"])
        deck = tuple(one for one in squad.deck if one != card)
        state = state.with_squad(replace(squad, deck=deck, agenda=(*squad.agenda, card)))
    return state


@happening(
    "terrain-rolled",
    lambda d: say("the terrain is destroyed") if d["destroyed"] else say("the terrain holds"),
)
def terrain_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


@happening("hazard-rolled", lambda d: say("{n} hit defended", "{n} hits defended", n=d["defended"]))
def hazard_rolled(state: SkirmishState, data: Data) -> SkirmishState:
    return unshaken(state, data["figure"], data)


# -- tasks, points, end ---------------------------------------------------------------------------


@happening("task", silent)
def task(state: SkirmishState, data: Data) -> SkirmishState:
    new = PlayTask(
        data["kind"], data["side"], data.get("figure", ""), tuple(map(tuple, data.get("data", ())))
    )
    return replace(state, tasks=(*state.tasks, new))


@happening("task-done", silent)
def task_done(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, tasks=state.tasks[1:])


@happening(
    "scored",
    lambda d: say(
        "{player}: {n} victory point ({why})",
        "{player}: {n} victory points ({why})",
        player=d["player"],
        n=d["points"],
        why=d["why"],
    ),
)
def scored(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    state = state.with_squad(replace(squad, vp=max(0, squad.vp + data["points"])))
    return replace(state, points=(*state.points, (data["side"], data["points"], data["why"])))


@happening("end-phase", lambda d: say("the end phase of round {round}", round=d["round"]))
def end_phase(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase=END, active="", activation=None, granted=None)


@happening("copper-returned", silent)
def copper_returned(state: SkirmishState, data: Data) -> SkirmishState:
    """Every squad has its fixed copper stars again (TAC-COI-4)."""
    for squad in state.squads:
        gained = data.get("kept", {}).get(squad.id, 0)
        coins = replace(squad.coins, copper=squad.stock.copper + gained)
        stock = replace(squad.stock, copper=squad.stock.copper + gained)
        state = state.with_squad(replace(squad, coins=coins, stock=stock))
    return state


@happening("conceded", lambda d: say("{player} concedes", player=d["player"]))
def conceded(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_squad(replace(state.squad(data["side"]), vp=0))


@happening("over", lambda d: say("the battle is over: {winner}", winner=d["winner_name"]))
def over(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(
        state,
        phase=OVER,
        winner=data["winner"],
        how=data.get("how", ""),
        active="",
        activation=None,
        granted=None,
        attack=None,
        tasks=(),
    )
