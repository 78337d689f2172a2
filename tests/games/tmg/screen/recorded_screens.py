"""What the screen showed during recorded games: every outcome, and what a step changed.

`python -m tests.games.tmg.screen.recorded_screens` records it again, for when a sentence or a
button changes on purpose; the difference of the files then shows what players read now.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen import SCREEN
from companion.session.game_view import record_to_json
from tests.arguments import arguments
from tests.games.tmg.screen.played import played
from tests.play.recorded import Facts, changes

FOLDER = Path(__file__).with_name("recorded_screens")
GAMES = (
    "2018-FFC",
    "2018-GOT-ready",
    "2018-SOS",
    "2018-WOW",
    "2021-COK",
    "2021-COK-team",
    "2021-DWD",
    "2021-GOT-ready",
    "2021-HWS-ffa",
    "2021-SOS",
)
EVERY = 24
"""Pieces, score, pages and offers are looked at after so many steps; outcomes after each."""
SHOWINGS = 2
"""Each kind of prompt is recorded so many times in a game."""


def shown(name: str) -> list[Any]:
    """The outcome of every step of a game, and what the screen shows after some of them."""
    found: list[Any] = []
    facts: Facts = {}
    asked: Counter[str] = Counter()
    for number, (before, events, after) in enumerate(played(name)):
        now = dict(facts)
        for prompt in SCREEN.prompts(after, seat_of(after, number)):
            asked[prompt.id] += 1
            if asked[prompt.id] <= SHOWINGS:
                now[f"prompt {prompt.id}"] = record_to_json(replace(prompt, data={}))
        if number % EVERY == 0:
            now |= screen(after, number)
        outcome = record_to_json(SCREEN.outcome(before, events, after))
        found.append(json.loads(json.dumps([outcome, changes(facts, now)])))
        facts = now
    return found


def seat_of(state: GameState, number: int) -> str:
    """The seat that looks at the screen after a step."""
    return state.side_names[number % len(state.side_names)]


def screen(state: GameState, number: int) -> Facts:
    """All but the prompts, by its place on the screen."""
    seat = seat_of(state, number)
    found: Facts = {"headline": SCREEN.headline(state), "active": SCREEN.active(state)}
    found |= {f"piece {one.id}": record_to_json(one) for one in SCREEN.pieces(state)}
    for page in SCREEN.pages(state, seat):
        found |= {f"{page.title}: {one.title}": record_to_json(one) for one in page.sections}
    found |= {
        "seats": record_to_json(SCREEN.seats(state)),
        "score": record_to_json(SCREEN.score(state)),
    }
    pieces = [unit.id for unit in state.standing(state.active)] + [ncu.id for ncu in state.ncus]
    if pieces:
        piece = pieces[number // EVERY % len(pieces)]
        found[f"offers {piece}"] = record_to_json(SCREEN.offers(state, None, piece))
    return found


def load(name: str) -> list[Any]:
    """What was recorded of a game."""
    steps: list[Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return steps


def main() -> None:
    """Record all games."""
    for name in GAMES:
        lines = (
            json.dumps(step, separators=(",", ":"), ensure_ascii=False) for step in shown(name)
        )
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
