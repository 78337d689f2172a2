"""A new game of miniatures: where it is played, by whom, and the steps of its set-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.api.new_game import (
    NewGameStep,
    PieceKind,
    SeatRange,
    SetupProblem,
    Space,
    refused_setup,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army import army_lists, army_rules
from companion.games.tmg.play.army.army_builder import SIZES
from companion.games.tmg.play.commands.terrain import USUAL_PIECES
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.rules.modes import mode as mode_named
from companion.text.translation import unnumbered
from models import CompanionError, catalogue
from models.message import say

SEATS = SeatRange(2, 4, ("blue", "red", "green", "violet"))
TABLE_IN = (48.0, 48.0)
TAGS_MM = (25.0, 20.0, 15.0)
SHAPES = (
    ("duel", say("Two players")),
    ("team", say("Two teams")),
    ("ffa", say("Everyone for themselves")),
)
POINTS = 40


def game_name(game: str) -> str:
    return say("Miniatures, edition {year}", year=game.rpartition("-")[2])


def space(game: str) -> Space:
    """An open table with trays."""
    trays = catalogue(game).trays
    kinds = tuple(
        PieceKind(name, say(name.capitalize()), "tray", (tray.width, tray.depth), TAGS_MM)
        for name, tray in trays.items()
    )
    return Space("open", TABLE_IN, pieces=kinds)


def seat_colours(sides: Sequence[str]) -> dict[str, int]:
    """The number of each side's colour: of "red" the red one, whoever is named first."""
    named = {side: SEATS.ids.index(side) + 1 for side in sides if side in SEATS.ids}
    free = (number for number in range(1, 7) if number not in named.values())
    return {side: named[side] if side in named else next(free) for side in sides}


def steps(game: str, draft: Plain) -> tuple[NewGameStep, ...]:
    """The wizard's steps for the mode chosen so far."""
    return tuple(each_step(game, draft))


def each_step(game: str, draft: Plain) -> Iterator[NewGameStep]:
    chosen = draft.get("game", {})
    mode = mode_of_draft(game, draft)
    modes = tuple((key, say(name)) for key, name in GAME.modes(game))
    sizes = tuple((size, say("{n} point", "{n} points", n=size)) for size in SIZES)
    yield NewGameStep(
        "game",
        "form",
        say("Which game?"),
        entries=(
            Entry("mode", say("Game mode"), options=modes, value=mode),
            Entry("points", say("Army size"), options=sizes, value=chosen.get("points", POINTS)),
            Entry("shape", say("Players"), options=SHAPES, value=chosen.get("shape", "duel")),
        ),
        short=say("Game"),
    )
    yield NewGameStep("seats", "seats", say("Who plays?"), short=say("Players"))
    yield NewGameStep(
        "armies",
        "list",
        say("Armies"),
        say("Paste a list, open a file, or build the army here."),
        problems=tuple(army_problems(game, draft)),
    )
    yield NewGameStep("tags", "tags", say("Trays"), optional=True)
    usual = say(
        "Usually {n} pieces lie on the table; you may agree on more. If the game leads you through"
        " the set-up, you place there in turn what is missing here.",
        n=USUAL_PIECES,
    )
    plan = say(
        "If the game leads you through the set-up, this is only a plan: there you choose your zones"
        " and put down one tray after the other."
    )
    yield NewGameStep("terrain", "terrain", say("Terrain"), usual, optional=True)
    yield NewGameStep("tokens", "tokens", say("Objectives"), optional=True)
    yield NewGameStep("place", "place", say("Deployment"), plan, optional=True)
    yield begin_step(game, draft, mode)


def mode_of_draft(game: str, draft: Plain) -> str:
    """The mode chosen, or the game's first."""
    known = [key for key, _ in GAME.modes(game)]
    wanted = draft.get("game", {}).get("mode")
    return str(wanted) if wanted in known else known[0]


def begin_step(game: str, draft: Plain, mode: str) -> NewGameStep:
    """Who goes first, who defends, and whether the set-up would be accepted."""
    sides = tuple((one["id"], one.get("name") or one["id"]) for one in seats_of(draft))
    entries = [Entry("first", say("Who is first player?"), options=sides)]
    if PLAYS[game, mode].siege:
        entries.append(Entry("defender", say("Who defends?"), options=sides))
    problems = (*setup_problems(game, draft), *terrain_problems(game, draft, mode))
    return NewGameStep("begin", "begin", say("Begin"), entries=tuple(entries), problems=problems)


def terrain_problems(game: str, draft: Plain, mode: str) -> Iterator[SetupProblem]:
    """Less terrain than usual on a table that is set up already (TMG-SET-9): it may be meant."""
    table = drafted_table(draft)
    if table is None or not draft.get("begin", {}).get("first"):
        return
    own = mode_named(game, mode).facts.terrain.layout_piece
    n = sum(one.get("piece", "") != own for one in table.get("terrain", ()))
    if n < USUAL_PIECES:
        told = (
            say(
                "Only {n} piece of terrain lies on the table, usually there are {usual}.",
                "Only {n} pieces of terrain lie on the table, usually there are {usual}.",
                n=n,
                usual=USUAL_PIECES,
            )
            if n
            else say("No terrain lies on the table, usually there are {n} pieces.", n=USUAL_PIECES)
        )
        yield SetupProblem(told, "TMG-SET-9", stops=False)


def drafted_table(draft: Plain) -> Any:
    """The table as it was drafted last, or None."""
    return next(
        (draft[key] for key in ("place", "tokens", "terrain", "board") if draft.get(key)), None
    )


def seats_of(draft: Plain) -> list[dict[str, Any]]:
    """The players of the draft, or the two that every game has."""
    return list(draft.get("seats") or ({"id": one} for one in SEATS.ids[: SEATS.least]))


def army_problems(game: str, draft: Plain) -> Iterator[SetupProblem]:
    """What each army list lacks or breaks."""
    points = draft.get("game", {}).get("points", POINTS)
    lists = draft.get("armies", {})
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        if not text:
            yield SetupProblem(say("no army yet"), seat=seat["id"])
            continue
        try:
            army = army_lists.read_list(text, game, points)
        except CompanionError as error:
            yield SetupProblem(str(error), seat=seat["id"])
            continue
        for problem in army_rules.check(army):
            yield SetupProblem(unnumbered(problem.say), problem.why, seat["id"], stops=False)


def setup_problems(game: str, draft: Plain) -> tuple[SetupProblem, ...]:
    """The game's own objection to the finished draft."""
    lists = draft.get("armies", {})
    if not all(lists.get(seat["id"]) for seat in seats_of(draft)):
        return (SetupProblem(say("every player needs an army")),)
    return refused_setup(PLAY, game, set_up(game, draft))


def set_up(game: str, draft: Plain) -> dict[str, Any]:
    """The `set-up` command of a draft."""
    chosen, begin = draft.get("game", {}), draft.get("begin", {})
    lists = draft.get("armies", {})
    armies = []
    for seat in seats_of(draft):
        side = seat.get("team") or seat["id"]
        army = {"side": side, "list": lists.get(seat["id"], "")}
        armies.append({**army, "player": seat["name"]} if seat.get("name") else army)
    command: dict[str, Any] = {
        "do": "set-up",
        "game": game,
        "mode": mode_of_draft(game, draft),
        "points": chosen.get("points", POINTS),
        "shape": chosen.get("shape", "duel"),
        "armies": armies,
    }
    for flag in ("unchecked", "paper"):
        if chosen.get(flag):
            command[flag] = True
    if begin.get("first"):
        command |= {"ready": True, "first": begin["first"]}
    if begin.get("defender"):
        command["defender"] = begin["defender"]
    table = drafted_table(draft)
    if table is not None:
        command["table"] = table
    return command
