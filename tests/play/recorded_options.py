"""What recorded games offered at each kind of prompt: the forms of each command, and its button.

`python -m tests.play.recorded_options` records it again, for when an offer changes on purpose; the
difference of the file then shows what is offered now.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.screen.choice_words import words
from models import CompanionError
from tests.arguments import arguments
from tests.play.recorded import begun, load, names

RECORDED = Path(__file__).with_name("recorded_options.json")
SHOWINGS = 2
"""Each kind of prompt is recorded so many times in a game."""
LONGEST = 40
"""Of more forms than this only every so many are kept, and their number."""


def offered(name: str) -> list[Any]:
    """What a game offers where a prompt of a kind comes for the first times."""
    state = begun(name)
    found: list[Any] = []
    shown: dict[str, int] = {}
    for command, *_ in load(name):
        try:
            decision = PLAY.decide(state, command)
        except CompanionError:
            continue
        if isinstance(decision, Refusal):
            continue
        for event in decision.events:
            state = PLAY.apply(state, event)
        waiting = PLAY.pending(state)
        new = [one for one in waiting if shown.get(one.what, 0) < SHOWINGS]
        if not new:
            continue
        side = new[0].side or state.sides[0].id
        for one, facts in zip(waiting, options(state, side), strict=True):
            if one in new:
                shown[one.what] = shown.get(one.what, 0) + 1
                forms = facts.pop("options")
                kept = forms[:: 1 + len(forms) // LONGEST]
                buttons = [
                    f"{json.dumps(form, sort_keys=True)} = {words(state, names_of(state), form)}"
                    for form in kept
                ]
                found.append([one.what, side, len(forms), buttons, facts])
    return json.loads(json.dumps(found))


@cache
def recorded() -> dict[str, list[Any]]:
    """What was recorded, by game."""
    stored: dict[str, list[Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Record all games."""
    text = json.dumps({name: offered(name) for name in names()}, indent=0, ensure_ascii=False)
    RECORDED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
