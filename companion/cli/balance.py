"""`companion balance`: how often each side wins, rivals against each other, with the confidence.

A game is that of a file with a `set-up` command, or without one the game's practice game.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import LEVELS, Rival, RivalSeat
from companion.session.game_lookup import find_play, find_rival, find_screen
from models import BadInput, CompanionError
from models.field import load_json

Player = Callable[[Any, str], Sequence[Plain]]
"""What a side does in a state."""
LONGEST = 5000
"""No game takes more decisions."""
MOST_GAMES = 10_000
CONFIDENCE = 1.96
"""Standard deviations of 95 %."""


def begun(game: str, seed: int, commands: Sequence[Plain] = ()) -> Any:
    """A game that was set up with other dice: the practice game, or that of these commands."""
    play = find_play(game)
    set_up, *opening = commands or find_screen(game).practice(game, None) or ({},)
    if not set_up:
        raise CompanionError(f"{game} has no practice game: name a file with a set-up command")
    told = {key: value for key, value in set_up.items() if key not in ("do", "game", "guide")}
    rival = find_rival(game)
    if rival is not None and rival.deals:
        told[rival.deals] = [one["id"] for one in told["seats"]]
    setup = play.prepare(game, {**told, "seed": seed})
    if isinstance(setup, Refusal):
        raise CompanionError(f"{game}: {setup.say}")
    state = play.start(game, setup)
    for command in opening:
        state = decided(play.decide(state, command))
    return state


def decided(decision: Any) -> Any:
    """The state after a command; raises if it was refused."""
    if isinstance(decision, Refusal):
        raise CompanionError(f"{decision.why}: {decision.say}")
    return decision.after


def played(
    rival: Rival[Any],
    state: Any,
    players: Mapping[str, Player],
    then: Callable[[Any], object] = lambda state: None,
) -> Any:
    """A whole game; `then` is called with every state. Raises if it does not end."""
    play = rival.play
    for _ in range(LONGEST):
        if not play.pending(state):
            return state
        side = next(iter(rival.waits(state)), next(iter(players)))
        for command in players[side](state, side):
            state = decided(play.decide(state, command))
            then(state)
    raise CompanionError("the game does not end")


def searching(rival: Rival[Any], level: str, seat: str) -> Player:
    """A rival on a seat; what nobody is asked for is answered at once."""
    from companion.games.shared.search import Search

    search = Search(rival, RivalSeat(seat, level), longest_s=60.0)

    def choose(state: Any, side: str) -> Sequence[Plain]:
        found = search.ranked(state)
        options = rival.play.options(state)[0]["options"] if not found else ()
        return found[0].commands if found else options[:1]

    return choose


def share(won: float, games: int) -> tuple[float, float]:
    """Between which shares the true one lies, with 95 % confidence (Wilson)."""
    mean, square = won / games, CONFIDENCE**2 / games
    middle = (mean + square / 2) / (1 + square)
    half = sqrt(mean * (1 - mean) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def balance(args: argparse.Namespace) -> int:
    """Play the games and print how often each side won."""
    game: str = args.game
    commands: tuple[Plain, ...] = ()
    if args.set_up is not None:
        raw = load_json(args.set_up)
        commands = (raw.keys(raw.members(), {"game"}),)
        game = raw.member("game").text(60)
    if not game:
        raise BadInput("balance", "", "name a file with a set-up command, or a --game")
    rival = find_rival(game)
    if rival is None:
        raise BadInput("--game", "", f"the app plays no side of {game!r}")
    sides = rival.play.moment(begun(game, 0, commands)).sides
    players = {side: searching(rival, args.level, side) for side in sides}
    wins: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.games):
        end = rival.play.moment(played(rival, begun(game, seed, commands), players))
        wins[str(end.winner)] += 1
    found = {side: (wins[side], share(wins[side], args.games)) for side in sides}
    if args.json:
        told = {side: {"won": won, "between": between} for side, (won, between) in found.items()}
        print(json.dumps({"game": game, "games": args.games, "level": args.level, "sides": told}))
        return 0
    for side, (won, (low, high)) in found.items():
        print(f"{side:<12} won {won} of {args.games}: {low:.0%} to {high:.0%}")
    print(f"draws        {wins['draw']}")
    return 0


def whole(text: str) -> int:
    """How many games to play."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST_GAMES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_GAMES}")
    return int(text)


def add_commands(commands: Any) -> None:
    """Add `balance`."""
    added = commands.add_parser("balance", help="how often each side of a battle wins")
    added.add_argument("set_up", nargs="?", type=Path, metavar="SET-UP", help="a set-up command")
    added.add_argument("--game", default="", metavar="NAME", help="the practice game of this game")
    added.add_argument("--games", type=whole, default=20, metavar="N")
    added.add_argument("--level", choices=[one.id for one in LEVELS], default=LEVELS[1].id)
    added.add_argument("--seed", type=int, default=0, metavar="N", help="the first game's dice")
    added.add_argument("--json", action="store_true")
    added.set_defaults(run=balance)
