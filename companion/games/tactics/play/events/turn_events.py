"""Events before the battle and of turns: deployment, agendas, activations, moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.state import (
    DEPLOY,
    ROUND,
    SILENT,
    START,
    FigureActivation,
    SkirmishState,
    agenda_name,
    counted_kill,
    kind,
)
from models.board import parse_cell
from models.frozen_records import replace
from models.message import say


def roll_off_title(player: str, dice: Sequence[Sequence[Any]]) -> str:
    """Who won the roll, and both dice."""
    low, high = sorted(face for _, face in dice)
    return say("{player} wins the roll, {high} to {low}", player=player, high=high, low=low)


@kind("roll-off", roll_off_title)
def roll_off(
    state: SkirmishState, *, dice: Sequence[Sequence[Any]], winner: str, player: str
) -> SkirmishState:
    return replace(state, phase="choice", chooser=winner)


@kind(
    "zone-chosen",
    lambda zone, player: (
        say("{player} takes the gold zone", player=player)
        if zone == "gold"
        else say("{player} takes the silver zone", player=player)
    ),
)
def zone_chosen(
    state: SkirmishState, *, player: str, zone: str, zones: Sequence[Sequence[Any]], next: str
) -> SkirmishState:
    for side, taken in zones:
        state = state.with_squad(replace(state.squad(side), zone=taken))
    return replace(state, chooser=next)


@kind("start-given", lambda player: say("{player} holds the start marker", player=player))
def start_given(state: SkirmishState, *, side: str, player: str, next: str) -> SkirmishState:
    return replace(state, first=side, active=side, chooser=next)


@kind(
    "objective-cards",
    lambda bare=0: (
        say("{n} objective has no card", "{n} objectives have no card", n=bare)
        if bare
        else say("every objective has its card")
    ),
)
def objective_cards(
    state: SkirmishState, *, cards: Sequence[Sequence[Any]], bare: int = 0
) -> SkirmishState:
    laid = tuple((parse_cell(cell), card) for cell, card in cards)
    return replace(state, objective_cards=laid, phase="agendas")


@kind("agendas-dealt", SILENT)
def agendas_dealt(state: SkirmishState, *, cards: Sequence[Sequence[Any]]) -> SkirmishState:
    for side, dealt in cards:
        squad = state.squad(side)
        deck = tuple(card for card in squad.deck if card not in dealt)
        state = state.with_squad(replace(squad, dealt=tuple(dealt), deck=deck))
    return state


@kind(
    "agenda-shown",
    lambda player, card, met: (
        say("{player} had the agenda {name}: met", player=player, name=agenda_name(card))
        if met
        else say("{player} had the agenda {name}: not met", player=player, name=agenda_name(card))
    ),
)
def agenda_shown(
    state: SkirmishState, *, side: str, player: str, card: str, met: bool
) -> SkirmishState:
    """At the end of the battle nothing is secret any more (TAC-AGD-1)."""
    return state


@kind("agenda-kept", lambda player: say("{player} keeps an agenda", player=player))
def agenda_kept(state: SkirmishState, *, side: str, player: str, card: str) -> SkirmishState:
    squad = state.squad(side)
    back = tuple(other for other in squad.dealt if other != card)
    kept = (*squad.agenda, card) if card else squad.agenda
    squad = replace(squad, agenda=kept, dealt=(), deck=(*squad.deck, *back))
    return state.with_squad(squad)


@kind("agenda-noted", lambda player: say("{player} notes an agenda", player=player))
def agenda_noted(state: SkirmishState, *, side: str, player: str, card: str) -> SkirmishState:
    """One of the five by its sign, or in the players' own words; nobody else reads it."""
    squad = state.squad(side)
    letters = max(0, squad.letters - 1)
    return state.with_squad(replace(squad, agenda=(*squad.agenda, card), letters=letters))


@kind(
    "objective-noted",
    lambda place, card: say("objective card ({place}): {card}", place=place, card=card),
)
def objective_noted(state: SkirmishState, *, cell: str, place: str, card: str) -> SkirmishState:
    there = parse_cell(cell)
    others = tuple(one for one in state.objective_cards if one[0] != there)
    return replace(state, objective_cards=(*others, (there, card)))


@kind("cards-laid", lambda: say("the paper cards are laid out: deployment begins"))
def cards_laid(state: SkirmishState) -> SkirmishState:
    return replace(state, laid=True)


@kind(
    "deploying",
    lambda paper=False: say("next come the paper cards") if paper else say("deployment begins"),
)
def deploying(state: SkirmishState, *, paper: bool = False) -> SkirmishState:
    """`paper`: cards on paper are laid first (TAC-SET-5)."""
    return replace(state, phase=DEPLOY, active=state.first)


@kind("deployed", lambda name: say("{figure} is deployed", figure=name))
def deployed(
    state: SkirmishState, figure: str, name: str, side: str, *, cell: str
) -> SkirmishState:
    figure_state = replace(state.figure(figure), cell=parse_cell(cell), fate="board")
    return state.with_figure(figure_state)


@kind("deployment-done", lambda player: say("{player} has deployed", player=player))
def deployment_done(state: SkirmishState, *, side: str, player: str) -> SkirmishState:
    state = state.with_squad(replace(state.squad(side), deployed=True))
    if all(squad.deployed for squad in state.squads):
        return replace(state, phase=START, active=state.first)
    return replace(state, active=state.other(side))


@kind("round-began", lambda round: say("round {round} begins", round=round))
def round_began(state: SkirmishState, *, round: int, first: str) -> SkirmishState:
    figures = tuple(replace(one, activated=False) for one in state.figures)
    return replace(
        state,
        phase=ROUND,
        round=round,
        figures=figures,
        first=first,
        active=first,
        may_pass=True,
        turn=state.turn + 1,
    )


@kind("activated", lambda name: say("{figure} is activated", figure=name))
def activated(state: SkirmishState, figure: str, name: str, side: str, *, ap: int) -> SkirmishState:
    state = state.with_figure(replace(state.figure(figure), activated=True))
    now = FigureActivation(figure, ap, thaws=state.figure(figure).frozen)
    return replace(state, activation=now, may_pass=True, kills=(), answered=())


@kind("granted", lambda name: say("{figure} takes one action at once", figure=name))
def granted(
    state: SkirmishState, figure: str, name: str, side: str, *, ap: int, only: str = ""
) -> SkirmishState:
    return replace(state, granted=FigureActivation(figure, ap, granted=True, only=only))


@kind("acted", SILENT)
def acted(state: SkirmishState, *, ap: int = 0, free: bool = False) -> SkirmishState:
    """An action was paid for: action points, or the free action."""
    now = state.acting
    assert now is not None
    now = replace(now, ap=now.ap - ap, spent=now.spent + ap, free=now.free + bool(free))
    return replace(state, granted=now) if state.granted else replace(state, activation=now)


@kind("waited", lambda name: say("{figure} waits", figure=name))
def waited(state: SkirmishState, figure: str, name: str, side: str) -> SkirmishState:
    return state


@kind(
    "grant-ended",
    lambda name="": say("{figure} gives up the granted action", figure=name) if name else SILENT,
)
def grant_ended(state: SkirmishState, *, name: str = "") -> SkirmishState:
    """`name`: the figure whose player wants no action; without one it was taken."""
    return replace(state, granted=None)


@kind("activation-ended", SILENT)
def thawing_activation_ended(state: SkirmishState, *, figure: str = "") -> SkirmishState:
    """In games of earlier versions every frozen token went."""
    if figure:
        state = state.with_figure(replace(state.figure(figure), frozen=False))
    return replace(state, activation=None, granted=None)


@kind(
    "activation-ended",
    lambda name="": say("{figure} has finished", figure=name) if name else SILENT,
    version=2,
)
def activation_ended(
    state: SkirmishState, *, figure: str = "", name: str = "", side: str = ""
) -> SkirmishState:
    """The frozen token goes after the activation that it cost a point (TAC-STA-4)."""
    if state.activation is None or not state.activation.thaws:
        return replace(state, activation=None, granted=None)
    return thawing_activation_ended(state, figure=figure)


@kind("turn", SILENT)
def turn(state: SkirmishState, *, side: str, again: bool = False) -> SkirmishState:
    """`again`: the opponent had no turn, so there is no pass to reply to (TAC-RND-9)."""
    may_pass = state.may_pass or again
    return replace(state, active=side, turn=state.turn + 1, may_pass=may_pass)


@kind("passed", lambda player: say("{player} passes", player=player))
def passed(state: SkirmishState, *, side: str, player: str) -> SkirmishState:
    return replace(state, may_pass=False)


@kind("guide", lambda on: say("the guide begins") if on else say("the guide ends"))
def guide(state: SkirmishState, *, on: bool) -> SkirmishState:
    return replace(state, guided=on)


def coins_title(player: str, change: Sequence[int], say_: str, why: str) -> str:
    """Who pays or gains which coins, and what for."""
    if min(change) < 0:
        return say("{player} pays {coins} ({why})", player=player, coins=say_, why=why)
    return say("{player} gains {coins} ({why})", player=player, coins=say_, why=why)


@kind("coins", coins_title)
def coins(
    state: SkirmishState, *, side: str, player: str, change: Sequence[int], say_: str, why: str
) -> SkirmishState:
    squad = state.squad(side)
    return state.with_squad(replace(squad, coins=squad.coins + Coins(*change)))


def move_title(name: str, path: Sequence[str] = (), place: str = "", how: str = "") -> str:
    """How far a figure went and where; a large one may only have turned. A surge and a move that
    another one forces upon it say so."""
    spaces = len(path) - 1
    if how == "surge":
        return say("{figure} surges to {place}", figure=name, place=place)
    if how == "forced":
        return say("{figure} is forced to move to {place}", figure=name, place=place)
    if place and spaces < 0:  # its player is asked for the way
        return say("{figure} moves to {place}", figure=name, place=place)
    if spaces < 1:
        return say("{figure} turns", figure=name)
    if place:
        return say(
            "{figure} moves {n} space to {place}",
            "{figure} moves {n} spaces to {place}",
            figure=name,
            n=spaces,
            place=place,
        )
    return say("{figure} moves {n} space", "{figure} moves {n} spaces", figure=name, n=spaces)


@kind("moved", move_title)
def moved(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    cell: str,
    path: Sequence[str] = (),
    place: str = "",
    how: str = "",
) -> SkirmishState:
    return state.with_figure(replace(state.figure(figure), cell=parse_cell(cell)))


def place_title(name: str, place: str = "") -> str:
    if place:
        return say("{figure} is put on {place}", figure=name, place=place)
    return say("{figure} is put on another space", figure=name)


@kind("placed", place_title)
def placed(
    state: SkirmishState, figure: str, name: str, side: str, *, cell: str, place: str = ""
) -> SkirmishState:
    return moved(state, figure, name, side, cell=cell)


def unhorsed_title(name: str, place: str = "", dead: bool = False) -> str:
    """Who dismounts where, or whose mount died; games of earlier versions name no place."""
    if dead:
        return say("{figure} has lost the mount and stands on {place}", figure=name, place=place)
    if place:
        return say("{figure} dismounts onto {place}", figure=name, place=place)
    return say("{figure} dismounts", figure=name)


@kind("unhorsed", unhorsed_title)
def unhorsed(
    state: SkirmishState,
    figure: str,
    name: str,
    side: str,
    *,
    cell: str,
    foot_name: str,
    by: str = "",
    cells: Sequence[str] = (),
    place: str = "",
    dead: bool = False,
) -> SkirmishState:
    """Wounds and conditions vanish, everything else stays (TAC-FIG-10, TAC-OR-23).

    `by` names the attacker if the death of the mount counts as a kill, `cells` are the spaces of
    the mount if its killer may surge (TAC-OR-24).
    """
    figure_state = state.figure(figure)
    assert figure_state.foot is not None
    if cells:
        state = counted_kill(state, figure_state, by, cells)
    return state.with_figure(
        replace(
            figure_state,
            card=figure_state.foot,
            foot=None,
            name=foot_name,
            cell=parse_cell(cell),
            wounds=0,
            shaken=False,
            frozen=False,
        )
    )


@kind("ground-opened", lambda name: say("the heap is open for {figure} this turn", figure=name))
def ground_opened(
    state: SkirmishState, figure: str, name: str, side: str, *, cells: Sequence[str]
) -> SkirmishState:
    now = state.activation
    assert now is not None
    opened = tuple(parse_cell(cell) for cell in cells)
    return replace(state, activation=replace(now, opened=opened))
