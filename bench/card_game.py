"""What the card game costs: its catalogue when it is opened, and every command of whole games.

    python -m bench.card_game [games]

Prints each time of the processor with its share of the limit: 0.5 s for the catalogue, 10 ms for a
command with its answer and the records of the screen.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Any

from companion.app.device import runtime_tuning
from companion.games.thrones.play import PLAY
from companion.games.thrones.screen import SCREEN
from tests.arguments import arguments
from tests.games.thrones.driver import CardGame
from tests.games.thrones.referee import Referee

CATALOGUE_S, COMMAND_S = 0.5, 0.010
LOAD = (
    "import time; from companion.games.thrones.cards.catalogue import card_catalogue;"
    "begin = time.process_time(); found = card_catalogue(); n = sum(1 for _ in found);"
    "found.names(); print(n, time.process_time() - begin)"
)


def catalogue() -> tuple[int, float]:
    """How many cards there are, and the seconds until a fresh program has them by name."""
    told = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
    count, seconds = told.stdout.split()
    return int(count), float(seconds)


def commands(games: int) -> list[float]:
    """The seconds of every command of random jousts and melees, with what the screen shows."""
    taken: list[float] = []
    runtime_tuning.settle()  # as the app does when it starts
    for seed in range(games):
        referee = Referee(seed, 2 + seed % 5)
        step = referee.game.do

        def timed(
            word: str, step: Any = step, referee: Referee = referee, **asked: Any
        ) -> CardGame:
            before = referee.game.state
            found: CardGame = step(word, **asked)
            found.log.clear()  # a session keeps it on disk
            begin = time.process_time()
            PLAY.decide(before, {"do": word, **asked})
            PLAY.view(found.state)
            PLAY.options(found.state)
            SCREEN.prompts(found.state)
            SCREEN.pages(found.state)
            SCREEN.pieces(found.state)
            taken.append(time.process_time() - begin)
            return found

        referee.game.do = timed  # type: ignore[method-assign]
        referee.play()
    return taken


def main(games: int) -> None:
    count, seconds = catalogue()
    print(f"catalogue of {count} cards: {seconds:.2f} s, {seconds / CATALOGUE_S:.0%} of the limit")
    taken = sorted(commands(games))
    for name, value in (
        ("median", statistics.median(taken)),
        ("99 of 100", taken[int(len(taken) * 0.99)]),
        ("longest", taken[-1]),
    ):
        share = value / COMMAND_S
        print(f"{len(taken)} commands, {name}: {value * 1000:.2f} ms, {share:.0%} of the limit")


if __name__ == "__main__":
    main(*arguments(games=10))
