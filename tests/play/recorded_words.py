"""What recorded games say: the title of every event in the log, and what each prompt asks.

`python -m tests.play.recorded_words` records it again, for when a sentence changes on purpose; the
difference of the file then shows what is said now.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from models import CompanionError
from tests.arguments import arguments
from tests.play.recorded import begun, load

RECORDED = Path(__file__).with_name("recorded_words.json")
GAMES = ("2018-FFC", "2018-SOS", "2021-COK", "2021-DWD", "2021-HAR", "2021-HWS-ffa", "2021-FAB")


def said(name: str) -> list[str]:
    """Every sentence of a game, the first time it is said: titles, prompts and refusals."""
    state = begun(name)
    found: dict[str, None] = {}
    for command, *_ in load(name):
        try:
            decision = PLAY.decide(state, command)
        except CompanionError as error:
            found[str(error)] = None
            continue
        if isinstance(decision, Refusal):
            found[f"{decision.why}: {decision.say}"] = None
            continue
        for event in decision.events:
            found[str(PLAY.title(event))] = None
            state = PLAY.apply(state, event)
        for one in PLAY.pending(state):
            found[f"{one.what} ({one.side}): {one.say}"] = None
    return list(found)


@cache
def recorded() -> dict[str, list[str]]:
    """What was recorded, by game."""
    stored: dict[str, list[str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Record all games."""
    text = json.dumps({name: said(name) for name in GAMES}, indent=0, ensure_ascii=False)
    RECORDED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
