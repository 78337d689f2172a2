"""What a rival announces is what it does: who attacks whom, where its piece goes, and how much its
dice take on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.cli.balance import Player
from companion.games.api.play import Plain
from companion.games.api.prompt import Fact
from companion.games.api.rival import LineText, Rival, RivalSeat
from companion.games.shared.search import Search, rolls
from companion.games.tactics.play.state import SkirmishState
from companion.games.thrones.play.state import ThronesState
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.westeros.play.state import WesterosState
from companion.session.game_lookup import find_screen
from models.message import LazyMessage

REACTIONS = ("counter", "parting")
"""Attacks of Westeros that answer another unit: the sentence names only who strikes."""


def attack_of(state: Any) -> tuple[str, str] | None:
    """Who attacks whom now."""
    if isinstance(state, ThronesState):
        found = state.challenge
        return (found.attackers[0], found.defender) if found is not None else None
    attack = state.attack
    if attack is None or (isinstance(state, WesterosState) and attack.kind in REACTIONS):
        return None
    return attack.attacker, attack.defender if isinstance(state, GameState) else attack.target


def place_of(state: Any, piece: str) -> Any:
    """Where a piece stands."""
    if isinstance(state, GameState):
        return table_of(state.table).unit(piece).pose
    if isinstance(state, SkirmishState):
        return state.figure(piece).cell
    return state.unit(piece).cell


def named(state: Any, piece: str) -> str:
    """A piece as the sentence names it, as far as every game does."""
    if isinstance(state, SkirmishState):
        return state.figure(piece).name
    if isinstance(state, WesterosState):
        return state.unit(piece).name
    return ""


def check(rival: Rival[Any], before: Any, commands: Sequence[Plain], told: LineText) -> None:
    """A line does what is told of it, as far as no die comes between."""
    after = Search(rival, RivalSeat("")).carried_out(before, commands)
    assert after is not None, f"announced and refused: {told.text} {commands}"
    rolled = rolls(after) != rolls(before)
    was, now = attack_of(before), attack_of(after)
    if told.target:
        assert named(before, told.target) in told.text, told
        made = now is not None and (told.piece or now[0], told.target) == now
        assert made or (now is None and rolled) or owed(after, told), (
            f"announced {told.text!r}, made {now}"
        )
    elif now is not None and was is None and getattr(before, "attack", None) is None:
        raise AssertionError(f"announced {told.text!r}, attacks {now} by {commands}")
    if told.cell is not None and not rolled:
        there = place_of(after, told.piece)
        assert there in (told.cell, None), told  # None: it has fallen to what harms there
    if told.end is not None and not rolled:
        for name, pose in told.end.poses:
            there = place_of(after, name)
            assert (there.x, there.y) == (pose.x, pose.y), (told, there)


def average(facts: Sequence[Fact]) -> float | None:
    """What dice take on average, as the facts of a line or of a roll have it."""
    texts = (one.text for one in facts if isinstance(one.text, LazyMessage))
    return next((one.values["n"] for one in texts if one.one.endswith(" on average")), None)


def check_average(
    rival: Rival[Any], before: Any, commands: Sequence[Plain], facts: Sequence[Fact]
) -> None:
    """The dice of a board take what the facts of the line say."""
    after = Search(rival, RivalSeat("")).carried_out(before, commands)
    said, screen = average(facts), find_screen(rival.games[0])
    if said is None or rolls(after) != rolls(before):
        return
    rolled = [one for prompt in screen.prompts(after) for one in prompt.facts]
    found = average(rolled)
    assert found is None or abs(found - said) < 0.001, f"said {said}, rolls {found}: {commands}"


def owed(state: Any, told: LineText) -> bool:
    """Whether a charge has arrived that still has to be shown on the table, or whose attack waits
    for the harm of its way (TAC-TER-16)."""
    if isinstance(state, SkirmishState):
        attacks = [one for one in state.tasks if one.kind == "charge-attack"]
        return any(
            (one.figure, one.data.get("target")) == (told.piece, told.target) for one in attacks
        )
    moves = state.declared if isinstance(state, GameState) else ()
    return any((one.unit, one.target) == (told.piece, told.target) for one in moves)


def announcing(rival: Rival[Any], player: Player) -> Player:
    """A player whose every line is checked against what is told of it."""

    def choose(state: Any, side: str) -> Sequence[Plain]:
        commands = player(state, side)
        if side in rival.waits(state):
            told = rival.told(state, commands)
            check(rival, state, commands, told)
            check_average(rival, state, commands, rival.facts(state, commands))
        return commands

    return choose
