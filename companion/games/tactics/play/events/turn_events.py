"""Events before the battle and of turns: deployment, agendas, activations, moves."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.state import (
    DEPLOY,
    ROUND,
    SILENT,
    START,
    Data,
    FigureActivation,
    SkirmishState,
    counted_kill,
    kind,
)
from models.board import parse_cell
from models.message import say


@kind("roll-off", lambda d: say("{player} wins the roll", player=d["player"]))
def roll_off(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase="choice", chooser=data["winner"])


@kind(
    "zone-chosen",
    lambda d: (
        say("{player} takes the gold zone", player=d["player"])
        if d["zone"] == "gold"
        else say("{player} takes the silver zone", player=d["player"])
    ),
)
def zone_chosen(state: SkirmishState, data: Data) -> SkirmishState:
    for side, zone in data["zones"]:
        state = state.with_squad(replace(state.squad(side), zone=zone))
    return replace(state, chooser=data["next"])


@kind("start-given", lambda d: say("{player} holds the start marker", player=d["player"]))
def start_given(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, first=data["side"], active=data["side"], chooser=data["next"])


@kind("objective-cards", lambda d: say("every objective has its card"))
def objective_cards(state: SkirmishState, data: Data) -> SkirmishState:
    cards = tuple((parse_cell(cell), card) for cell, card in data["cards"])
    return replace(state, objective_cards=cards, phase="agendas")


@kind("agendas-dealt", SILENT)
def agendas_dealt(state: SkirmishState, data: Data) -> SkirmishState:
    for side, cards in data["cards"]:
        squad = state.squad(side)
        deck = tuple(card for card in squad.deck if card not in cards)
        state = state.with_squad(replace(squad, dealt=tuple(cards), deck=deck))
    return state


@kind("agenda-kept", lambda d: say("{player} keeps an agenda", player=d["player"]))
def agenda_kept(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    back = tuple(card for card in squad.dealt if card != data["card"])
    kept = (*squad.agenda, data["card"]) if data["card"] else squad.agenda
    squad = replace(squad, agenda=kept, dealt=(), deck=(*squad.deck, *back))
    return state.with_squad(squad)


@kind("deploying", lambda d: say("deployment begins"))
def deploying(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, phase=DEPLOY, active=state.first)


@kind("deployed", lambda d: say("{figure} is deployed", figure=d["name"]))
def deployed(state: SkirmishState, data: Data) -> SkirmishState:
    figure = replace(state.figure(data["figure"]), cell=parse_cell(data["cell"]), fate="board")
    return state.with_figure(figure)


@kind("deployment-done", lambda d: say("{player} has deployed", player=d["player"]))
def deployment_done(state: SkirmishState, data: Data) -> SkirmishState:
    state = state.with_squad(replace(state.squad(data["side"]), deployed=True))
    if all(squad.deployed for squad in state.squads):
        return replace(state, phase=START, active=state.first)
    return replace(state, active=state.other(data["side"]))


@kind("round-began", lambda d: say("round {round} begins", round=d["round"]))
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


@kind("activated", lambda d: say("{figure} is activated", figure=d["name"]))
def activated(state: SkirmishState, data: Data) -> SkirmishState:
    figure = replace(state.figure(data["figure"]), activated=True)
    state = state.with_figure(figure)
    now = FigureActivation(figure.id, data["ap"], thaws=figure.frozen)
    return replace(state, activation=now, may_pass=True, kills=(), paid=())


@kind("granted", lambda d: say("{figure} takes one action at once", figure=d["name"]))
def granted(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=FigureActivation(data["figure"], data["ap"], granted=True))


@kind("acted", SILENT)
def acted(state: SkirmishState, data: Data) -> SkirmishState:
    """An action was paid for: action points, or the free action."""
    now = state.acting
    assert now is not None
    ap, free = data.get("ap", 0), int(bool(data.get("free")))
    now = replace(now, ap=now.ap - ap, spent=now.spent + ap, free=now.free + free)
    return replace(state, granted=now) if state.granted else replace(state, activation=now)


@kind("waited", lambda d: say("{figure} waits", figure=d["name"]))
def waited(state: SkirmishState, data: Data) -> SkirmishState:
    return state


@kind("grant-ended", SILENT)
def grant_ended(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, granted=None)


@kind("activation-ended", SILENT)
def thawing_activation_ended(state: SkirmishState, data: Data) -> SkirmishState:
    """In games of earlier versions every frozen token went."""
    if data.get("figure"):
        state = state.with_figure(replace(state.figure(data["figure"]), frozen=False))
    return replace(state, activation=None, granted=None)


@kind("activation-ended", SILENT, version=2)
def activation_ended(state: SkirmishState, data: Data) -> SkirmishState:
    """The frozen token goes after the activation that it cost a point (TAC-STA-4)."""
    if state.activation is None or not state.activation.thaws:
        return replace(state, activation=None, granted=None)
    return thawing_activation_ended(state, data)


@kind("turn", SILENT)
def turn(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, active=data["side"], turn=state.turn + 1)


@kind("passed", lambda d: say("{player} passes", player=d["player"]))
def passed(state: SkirmishState, data: Data) -> SkirmishState:
    return replace(state, may_pass=False)


@kind(
    "coins",
    lambda d: say("{player}: {change} ({why})", player=d["player"], change=d["say"], why=d["why"]),
)
def coins(state: SkirmishState, data: Data) -> SkirmishState:
    squad = state.squad(data["side"])
    change = Coins(*data["change"])
    return state.with_squad(replace(squad, coins=squad.coins + change))


def move_title(data: Data) -> str:
    """How far a figure went; a large one may only have turned."""
    spaces = len(data.get("path", ())) - 1
    if spaces < 1:
        return say("{figure} turns", figure=data["name"])
    return say(
        "{figure} moves {n} space", "{figure} moves {n} spaces", figure=data["name"], n=spaces
    )


@kind("moved", move_title)
def moved(state: SkirmishState, data: Data) -> SkirmishState:
    return state.with_figure(replace(state.figure(data["figure"]), cell=parse_cell(data["cell"])))


@kind("placed", lambda d: say("{figure} is put on another space", figure=d["name"]))
def placed(state: SkirmishState, data: Data) -> SkirmishState:
    return moved(state, data)


@kind("unhorsed", lambda d: say("{figure} dismounts", figure=d["name"]))
def unhorsed(state: SkirmishState, data: Data) -> SkirmishState:
    """Wounds and conditions vanish, everything else stays (TAC-FIG-10, TAC-OR-23).

    `by` names the attacker if the death of the mount counts as a kill (TAC-OR-24).
    """
    figure = state.figure(data["figure"])
    assert figure.foot is not None
    if data.get("by"):
        state = counted_kill(state, figure, data)
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


@kind("ground-opened", lambda d: say("the heap is open for {figure} this turn", figure=d["name"]))
def ground_opened(state: SkirmishState, data: Data) -> SkirmishState:
    now = state.activation
    assert now is not None
    cells = tuple(parse_cell(cell) for cell in data["cells"])
    return replace(state, activation=replace(now, opened=cells))
