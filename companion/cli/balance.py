"""`companion balance`: how often each side wins, rivals against each other, with the confidence;
with two levels, how often one beats the other from either side of the same battles.

A game is that of a file with a `set-up` command, or without one the game's practice game. Armies
without a table are lined up on the ground of their mode, and each begins every other battle.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import LEVELS, Rival, RivalSeat
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
    from companion.session.game_lookup import find_play, find_rival, find_screen

    play = find_play(game)
    set_up, *opening = commands or find_screen(game).practice(game, None) or ({},)
    if not set_up:
        raise CompanionError(f"{game} has no practice game: name a file with a set-up command")
    rival = find_rival(game)
    told = {key: value for key, value in set_up.items() if key not in ("do", "game", "guide")}
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
    # What games show is slow to import and needed by few commands.
    from companion.session.game_lookup import find_rival

    game: str = args.game
    commands: tuple[Plain, ...] = ()
    source = "--game" if args.set_up is None else str(args.set_up)
    if args.set_up is not None:
        raw = load_json(args.set_up)
        commands = (raw.keys(raw.members(), {"game"}),)
        game = raw.member("game").text(60)
    if not game:
        raise BadInput("balance", "", "name a file with a set-up command, or a --game")
    rival = find_rival(game)
    if rival is None:
        raise BadInput(source, "", f"the app plays no side of {game!r}")
    try:
        laid = [tuple(rival.laid_out(game, one, n) for one in commands) for n in (0, 1)]
        count = Count(rival.play.moment(begun(game, 0, laid[0])).sides)
    except CompanionError as error:
        raise BadInput(source, "", str(error)) from error
    levels = (args.level, args.against or args.level)
    for number in range(args.games):
        pair, swapped = divmod(number, 2) if args.against else (number, 0)
        seats = dict(zip(count.sides, reversed(levels) if swapped else levels, strict=False))
        players = {
            side: searching(rival, seats.get(side, args.level), side) for side in count.sides
        }
        end = played(rival, begun(game, args.seed + pair, laid[pair % 2]), players)
        count.add(str(rival.play.moment(end).winner), seats)
    if args.json:
        print(
            json.dumps({"game": game, "games": args.games, "level": args.level, **count.to_json()})
        )
        return 0
    for side in count.sides:
        print(won(side, count.wins[side], args.games))
    print(f"draws        {count.wins['draw']}")
    if args.against:
        print(won(args.level, count.levels[args.level], args.games), f"against {args.against};")
        print("every battle is played twice, once from each side: a side's advantage cancels out")
    return 0


@dataclass(slots=True)
class Count:
    """Who won: the sides, and the levels that played them."""

    sides: Sequence[str]
    wins: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)

    def add(self, winner: str, seats: Mapping[str, str]) -> None:
        """One game more, with the level on each side."""
        self.wins[winner] += 1
        if winner in seats:
            self.levels[seats[winner]] += 1

    def to_json(self) -> dict[str, Any]:
        """Both counts, each with the shares between which the true one lies."""
        games = self.wins.total()
        told = {
            name: {one: {"won": found[one], "between": share(found[one], games)} for one in every}
            for name, found, every in (
                ("sides", self.wins, self.sides),
                ("levels", self.levels, sorted(self.levels)),
            )
        }
        return told if len(self.levels) > 1 else {"sides": told["sides"]}


def won(name: str, number: int, games: int) -> str:
    """A line of the report."""
    low, high = share(number, games)
    return f"{name:<12} won {number} of {games}: {low:.0%} to {high:.0%}"


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
    added.add_argument(
        "--against",
        choices=[one.id for one in LEVELS],
        default="",
        help="another level: each battle twice, the level on either side",
    )
    added.add_argument("--seed", type=int, default=0, metavar="N", help="the first game's dice")
    added.add_argument("--json", action="store_true")
    added.set_defaults(run=balance)
