"""Games whose table a camera sees again and again, step by step: commands, decisions, answers.

`python -m tests.play.recorded_sightings` plays and records them again, for when a decision changes
on purpose; the difference of the files then shows every decision that changed.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from companion.session.game_view import record_to_json
from models import CompanionError, Table
from tests.arguments import arguments
from tests.play.battle import battle_of
from tests.play.random_table import table
from tests.play.recorded import Facts, changes, shown

FOLDER = Path(__file__).with_name("recorded_sightings")
GAMES = ("2021-GOT", "2018-GOT", "2021-FFC", "2018-FFC", "2021-DWD", "2018-SOS")
STEPS = 48
EVERY = 8
"""After so many steps a new table is seen, and what every unit is offered is kept."""
QUIET = frozenset("concede end-round".split())


def begun(name: str) -> GameState:
    """The first round of a game."""
    year, mode = name.split("-")
    return battle_of(mode, year, defender="red", seed=21).state


def record(name: str) -> list[Any]:
    """Play a game by what is offered, the rarest first, with a new table now and then."""
    chance, state = random.Random(name), begun(name)
    steps: list[Any] = []
    given: Counter[str] = Counter()
    while len(steps) < STEPS and state.phase != "over":
        command = next_command(chance, state, len(steps), given)
        given[kind_of(command)] += 1
        found, state = played(state, command)
        steps.append([command, *found])
    return steps


def next_command(
    chance: random.Random, state: GameState, number: int, given: Counter[str]
) -> Facts:
    """A new table, the old one with somebody moved or hidden, or a form that the game offers."""
    if number % EVERY == 0:
        view = PLAY.view(state, state.side_names[0])
        return {"do": "table", "table": shortened(table(view, chance))}
    if number % EVERY == EVERY // 2:
        return {"do": "table", "table": shortened(moved(table_of(state.table), chance))}
    forms: list[Facts] = [
        form for prompt in options(state) for form in prompt["options"] if form["do"] not in QUIET
    ]
    few = chance.sample(forms, min(len(forms), 12))
    return min(few, key=lambda one: given[kind_of(one)]) if few else {"do": "continue"}


def kind_of(command: Facts) -> str:
    """What counts as the same command."""
    return f"{command['do']} {command.get('action')}"


def moved(before: Table, chance: random.Random) -> Facts:
    """A table on which two units have moved a little and one is hidden."""
    for unit in chance.sample(before.units, min(2, len(before.units))):
        x, y = unit.pose.ahead(chance.choice((0.01, 1.0, 4.0)), chance.choice((0.0, 0.0, 2.0)))
        turn = chance.choice((0.0, 0.0, 30.0))
        pose = replace(unit.pose, x=x, y=y, heading=unit.pose.heading + turn)
        before = before.moved(unit.id, pose)
    hidden = chance.choice(before.units).id
    units = tuple(unit for unit in before.units if unit.id != hidden)
    return replace(before, units=units).to_json()


def shortened(found: Facts) -> Facts:
    """The same table with places in hundredths of an inch."""
    kept: Facts = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 2))
    return kept


def played(state: GameState, command: Facts) -> tuple[list[Any], GameState]:
    """What becomes of a command, what changes on view, what is answered; and the state after it."""
    try:
        decision = PLAY.decide(state, command)
    except CompanionError as error:
        return [str(error), {}], state
    if isinstance(decision, Refusal):
        return [f"{decision.why}: {decision.say}", {}], state
    after = state
    for event in decision.events:
        after = PLAY.apply(after, event)
    found: Facts = {
        "answer": dict(decision.answer),
        "told": [str(PLAY.title(event)) for event in decision.events],
    }
    if command["do"] == "table":
        report = GAME.report(current_table(after))
        for unit in after.standing(after.active):
            found[f"offers {unit.id}"] = record_to_json(SCREEN.offers(after, report, unit.id))
        found["best"] = record_to_json(SCREEN.offers(after, report, None))
    facts = changes(shown(state), shown(after))
    return json.loads(json.dumps([rounded(found), facts])), after


def rounded(value: Any) -> Any:
    """The same with numbers that any computer finds alike."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return round(value, 3) + 0.0 if isinstance(value, float) else value


def load(name: str) -> list[Any]:
    """The steps of a recorded game."""
    steps: list[Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return steps


def main() -> None:
    """Record all games."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        lines = (
            json.dumps(step, separators=(",", ":"), ensure_ascii=False) for step in record(name)
        )
        (FOLDER / f"{name}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
