"""Random games in which every screen is asked for after every step, corrections and forms included.

`python -m tests.play.screen_walk [GAMES] [SEED]` walks so many games of each of the four.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games import find
from companion.games.api.game_screen import GameScreen
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from models import CompanionError
from tests.arguments import arguments
from tests.play.played_games import MINIATURES, played

GAMES = (MINIATURES, "tactics", "westeros", "thrones")
WORDS = ("front", "blue", "red", "p1", "p2", "x", "hand", "deck", "discard", "dead", "character")


class Walk:
    """One game: its steps come from players, from choices and forms, and from the help."""

    def __init__(self, name: str, seed: int, folder: Path) -> None:
        self.chance = random.Random(f"{name} {seed}")
        game = played(name)
        self.players = game.players(seed)
        self.session = Session.open(folder / f"{name}-{seed}.game")
        self.session.log.link.execute("PRAGMA synchronous = OFF")
        self.ends: Counter[str] = Counter()
        self.answer(game.set_up(self.chance))
        self.screen: GameScreen = find_screen(self.session.history.now.game)

    @property
    def state(self) -> Any:
        return self.session.history.now.state

    def answer(self, command: Any) -> bool:
        """Give a command; it is accepted or refused, and never broken."""
        answer = self.session.answer(command)
        assert answer.get("why") != "BUG", (answer, command)
        self.ends["accepted" if answer["ok"] else "refused"] += 1
        return bool(answer["ok"])

    def step(self) -> None:
        """The next command, from one of the three."""
        kind = self.chance.random()
        if kind < 0.45:
            self.answer(self.offered())
        elif kind < 0.75:
            commands = list(shown_commands(self.screen, self.state, self.chance))
            self.answer(self.chance.choice(commands) if commands else self.offered())
        else:
            self.answer(self.invented())
        self.ask()

    def offered(self) -> Any:
        """What the players would do."""
        waiting = self.session.state()["pending"]
        if not waiting:
            return {"do": "undo"}
        side = waiting[0].get("side")
        asked = {"do": "state", **({"for": side} if side else {})}
        return self.players.command(self.session.answer(asked)["state"])

    def invented(self) -> dict[str, Any]:
        """A command of the help with values that may fit."""
        here = self.session.history.now
        assert here.play is not None
        rule = self.chance.choice(
            [one for one in here.play.help(here.game) if one.name != "set-up"]
        )
        pieces = [one.id for one in self.screen.pieces(here.state)] or ["c1"]
        seats = [seat.id for seat in self.screen.seats(here.state)]
        command: dict[str, Any] = {"do": rule.name}
        for field in rule.fields:
            if self.chance.random() < (0.97 if field.required else 0.4):
                if field.options:
                    command[field.name] = self.chance.choice(field.options)
                elif field.kind == "side":
                    command[field.name] = self.chance.choice(seats)
                elif field.kind == "number":
                    command[field.name] = self.chance.choice((-1, 0, 1, 2, 3, 7))
                elif field.kind == "flag":
                    command[field.name] = self.chance.random() < 0.5
                elif field.kind == "list":
                    command[field.name] = [self.chance.choice(pieces)]
                else:
                    command[field.name] = self.chance.choice((*pieces, *WORDS))
        return command

    def ask(self) -> None:
        """Ask for every screen of every seat; nothing may raise."""
        screen, state = self.screen, self.state
        report = self.report()
        for seat in (None, *(one.id for one in screen.seats(state))):
            screen.prompts(state, seat)
            screen.pages(state, seat)
        pieces = [one.id for one in screen.pieces(state)]
        for piece in (None, *self.chance.sample(pieces, min(3, len(pieces)))):
            screen.offers(state, report, piece)
        for one in (screen.active, screen.turn, screen.headline, screen.score, screen.names):
            one(state)

    def report(self) -> Any:
        """The game's report on its table, if it has one."""
        here = self.session.history.now
        assert here.play is not None
        table = here.play.moment(here.state).table
        return find(here.game).report(table) if table is not None else None


def shown_commands(screen: GameScreen, state: Any, chance: random.Random) -> Iterator[Any]:
    """The commands of all choices and forms that prompts and pages show, with values filled in."""
    for prompt in screen.prompts(state):
        for choice in prompt.choices:
            yield from (dict(command) for command in choice.commands)
        for form in prompt.forms:
            yield {**form.command, **{one.field: value_of(one, chance) for one in form.entries}}
    for page in screen.pages(state):
        for section in page.sections:
            for card in section.cards:
                for choice in card.choices:
                    yield from (dict(command) for command in choice.commands)
    for piece in screen.pieces(state):
        for choice in piece.corrections:
            yield from (dict(command) for command in choice.commands)
        for form in piece.forms:
            yield {**form.command, **{one.field: value_of(one, chance) for one in form.entries}}


def value_of(entry: Any, chance: random.Random) -> Any:
    """A value for a field of a form."""
    if entry.options:
        return chance.choice(entry.options)[0]
    if entry.kind == "number":
        return chance.choice((0, 1, 2, 3))
    return entry.value if entry.value is not None else "x"


def walk(name: str, seed: int, steps: int, folder: Path) -> Counter[str]:
    """Walk one game; a failure names the game, the seed and the step."""
    game = Walk(name, seed, folder)
    for number in range(steps):
        try:
            game.step()
        except CompanionError:
            game.ends["refused"] += 1
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}, step {number}: {error!r}") from error
    game.session.close()
    return game.ends


def main() -> None:
    """Run as a command."""
    count, first = arguments(count=20, first=0)
    for name in GAMES:
        ends: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, first + count):
                ends += walk(name, seed, 60, Path(folder))
        print(
            f"screens of {name}: {count} games, {ends.total()} commands: {dict(ends)}", flush=True
        )


if __name__ == "__main__":
    main()
