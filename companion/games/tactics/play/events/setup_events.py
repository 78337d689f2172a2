"""Events before the battle: the roll, zones, agendas, deployment."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.play.events.event_kinds import SILENT, Data, kind
from companion.games.tactics.play.state import (
    DEPLOY,
    ROUND,
    START,
    SkirmishState,
)
from models.cell import parse_cell
from models.lazy_message import say


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
