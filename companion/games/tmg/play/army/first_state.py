"""The state of a game before its first event."""

from __future__ import annotations

import json

from companion.games.api.play import Plain
from companion.games.tmg.play.commands.cards import shuffled_deck
from companion.games.tmg.play.state.game_state import (
    GameState,
    NcuState,
    Player,
    SideState,
    Token,
    WallState,
)
from companion.games.tmg.play.state.logged_record import record_of
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.play.state.unit_state import UnitState


def start(game: str, setup: Plain) -> GameState:
    """The state before the first event."""
    players = setup["players"]
    sides = tuple(dict.fromkeys(one["side"] for one in players))
    defender = setup["defender"]
    seats = tuple(
        SideState(
            side,
            role=("defender" if side == defender else "attacker") if defender else "",
        )
        for side in sides
    )
    return GameState(
        game=game,
        year=setup["year"],
        mode=setup["mode"],
        points=setup["points"],
        shape=setup["shape"],
        seed=setup["seed"],
        readings=tuple(setup["readings"]),
        unchecked=setup.get("unchecked", False),
        first=setup["first"],
        sides=seats,
        players=tuple(
            Player(
                one["player"],
                one["side"],
                one["faction"],
                one["commander"],
                setup["points"],
                shuffled_deck(one["cards"], setup["seed"], one["player"]),
                army=one["ids"],
            )
            for one in players
        ),
        units=tuple(
            UnitState.of(unit, one["player"], one["side"])
            for one in players
            for unit in one["units"]
        ),
        ncus=tuple(
            record_of(NcuState, ncu, player=one["player"], side=one["side"])
            for one in players
            for ncu in one["ncus"]
        ),
        tokens=tuple(
            Token(one["id"], one["name"], one["vp"], pile=one["pile"]) for one in setup["tokens"]
        ),
        walls=tuple(WallState(one["id"], one["total"]) for one in setup["walls"]),
        piles=2 if PLAYS[game, setup["mode"]].new_piles else 0,
        step=first_step(game, setup),
        table=json.dumps(setup["table"], ensure_ascii=False) if "table" in setup else "",
        chooser=sides[0] if setup["ready"] else "",
    )


def first_step(game: str, setup: Plain) -> str:
    """The first step of the pipeline: roles or zones, or neither if the table is set up."""
    if setup["ready"]:
        return "ready"
    return "roles" if PLAYS[game, setup["mode"]].siege and not setup["defender"] else "mark-zones"
