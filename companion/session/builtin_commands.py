"""The built-in commands, the same for every game: state, help, undo, redo, note, clock, and what
the game's screen shows, as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.api.play import Accepted, Command, Decision, Event, FieldSpec, Plain, Refusal
from companion.games.api.rival import LEVELS, TEMPERS
from companion.session.fold import History, Position
from companion.session.game_lookup import find_play, find_rival, games_to_play
from companion.session.game_view import screen_to_json
from companion.session.rivals import RIVAL, rival_events
from companion.session.step import CLOCK, NOTE, REDO, UNDO
from models.field import Field, shown
from models.message import say

RIVAL_LEVELS = (*(one.id for one in LEVELS), "none")
RIVAL_TEMPERS = tuple(one.id for one in TEMPERS)
LONGEST_NOTE = 2000
LONGEST_PATH = 1000
LONGEST_GAME_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class BuiltinCommands:
    """A built-in command: its entry in `help` and the function that decides it."""

    listed: Command
    decide: Callable[[History, Plain], Decision]


# -- queries ------------------------------------------------------------------------------------


def state(history: History, command: Plain) -> Decision:
    """Print the state, for one side or for everybody."""
    Field(command).keys({"do"})
    return Accepted()


def help_(history: History, command: Plain) -> Decision:
    """List every command with its fields."""
    Field(command).keys({"do", "game"})
    games = games_to_play()
    game = Field(command).member("game").choice(games) if "game" in command else ""
    game = game or history.now.game or (games[-1] if games else "")
    listed = [one.listed for one in COMMANDS.values()]
    if game:
        listed += find_play(game).help(game)
    return Accepted(answer={"commands": [plain(one, games) for one in listed], "games": games})


def plain(command: Command, games: list[str]) -> dict[str, Any]:
    """The command as a JSON object for `help`."""
    fields = list(command.fields)
    if command.name == "set-up" and all(ask.name != "game" for ask in fields):
        fields.insert(0, FieldSpec("game", "text", "which game and edition", options=tuple(games)))
    return {
        "do": command.name,
        "what": say(command.what),
        "fields": [
            {
                "name": ask.name,
                "kind": ask.kind,
                "what": say(ask.what),
                "required": ask.required,
                **({"options": list(ask.options)} if ask.options else {}),
            }
            for ask in fields
        ],
    }


def history(history: History, command: Plain) -> Decision:
    """List the steps that can be undone and redone."""
    Field(command).keys({"do"})
    done = [step_line(position) for position in history.now.down()]
    undone = history.undone
    again = [step_line(position) for position in undone.down()] if undone else []
    return Accepted(answer={"undo": done, "redo": again})


def step_line(position: Position) -> dict[str, Any]:
    """A step that can be undone or redone: its number, its title and who took it."""
    by = {"by": list(position.step.by)} if position.step is not None and position.step.by else {}
    return {"seq": position.seq, "title": position.title, **by}


def screen(history: History, command: Plain) -> Decision:
    """Print what the game's screen shows: prompts, offers, outcome, pieces, score and pages."""
    field = Field(command)
    field.keys({"do", "seat", "piece"})
    here = history.now
    if here.play is None:
        return Refusal("SET-UP", say("no game is set up yet, so nothing is shown"))
    seats = here.play.moment(here.state).sides
    seat = field.member("seat").choice(seats) if "seat" in command else None
    piece = field.member("piece").text(60) if "piece" in command else None
    return Accepted(answer={"screen": screen_to_json(history, seat, piece)})


def save(history: History, command: Plain) -> Decision:
    """Return the file name to save to; the session itself writes the file."""
    field = Field(command)
    field.keys({"do", "file"}, {"file"})
    return Accepted(answer={"file": field.member("file").text(LONGEST_PATH)[:]})


# -- undo and redo ------------------------------------------------------------------------------


def undo(history: History, command: Plain) -> Decision:
    done = [one.seq for one in history.now.down()]
    return counted(command, done, UNDO, "UNDO", history.back)


def redo(history: History, command: Plain) -> Decision:
    undone = history.undone
    again = [one.seq for one in undone.down()] if undone else []
    return counted(command, again, REDO, "REDO", history.again)


def counted(command: Plain, ready: list[int], type_: str, word: str, whole: int) -> Decision:
    """Undo or redo one step with those that belong to it (`whole` in all), a given number of
    steps, or all steps down to a step number."""
    field = Field(command)
    field.keys({"do", "count", "to"})
    if not ready:
        nothing = (
            say("there is nothing to undo") if type_ == UNDO else say("there is nothing to redo")
        )
        return Refusal(word, nothing)
    if "count" in command and "to" in command:
        return Refusal("INPUT", say("give 'count' or 'to', not both"))
    count = whole
    if "count" in command:
        count = field.member("count").whole(1, 10**9)
    if "to" in command:
        to = field.member("to").whole(0, 10**9)
        # Undo keeps the step with that number; redo includes it.
        targets = [*ready, 0][1:] if type_ == UNDO else ready
        if to not in targets:
            return Refusal(word, say("step {step} cannot be reached", step=to))
        count = targets.index(to) + 1
    if count > len(ready):
        return Refusal(
            word, say("there is only {n} such step", "there are only {n} such steps", n=len(ready))
        )
    return Accepted((Event(type_, {"count": count}),))


# -- notes --------------------------------------------------------------------------------------


def note(history: History, command: Plain) -> Decision:
    """Add a note to the log."""
    field = Field(command)
    field.keys({"do", "text", "side"}, {"text"})
    data = {"text": field.member("text").text(LONGEST_NOTE)}
    if "side" in command:
        data["side"] = field.member("side").text(40)
    return Accepted((Event(NOTE, data),))


MOST_TOGETHER = 8


def together(history: History, command: Plain) -> Decision:
    """Several commands of the game as one step: all of them happen, or none."""
    field, here = Field(command), history.now
    field.keys({"do", "commands"}, {"commands"})
    if here.play is None:
        return Refusal("SET-UP", say("no game is set up yet"))
    state = here.state
    events: list[Event] = []
    reminders: list[Any] = []
    for part in field.member("commands").items(MOST_TOGETHER, 1):
        do = part.members().get("do")
        if not isinstance(do, str) or do in COMMANDS or do in NOT_TOGETHER:
            part.fail(say("{command} is no command of the game", command=shown(do)))
        decision = here.play.decide(state, part.raw)
        if isinstance(decision, Refusal):
            return decision
        reminders += decision.answer.get("reminders", ())
        events += decision.events
        for event in decision.events:
            state = here.play.apply(state, event)
    answer = {"reminders": reminders} if reminders else {}
    return Accepted(tuple(events), answer, after=state)


NOT_TOGETHER = ("set-up", "setup", "save")
"""Commands that the session itself carries out."""


# -- rivals and trials ----------------------------------------------------------------------------

MOST_SAMPLES = 100


def rival(history: History, command: Plain) -> Decision:
    """Let the app play a seat, at a level and with a temper, or let it do something else."""
    here = history.now
    player = find_rival(here.game)
    if here.play is None or player is None:
        return Refusal("RIVAL", say("the app plays no side of this game"))
    found = rival_events(command, here.play.moment(here.state).sides)
    if isinstance(found, Refusal):
        return found
    seats = [one.data["seat"] for one in found if one.data.get("level")]
    if not all(player.knows(here.state, seat) for seat in seats):
        return Refusal("RIVAL", say("the app plays this seat only from the set-up on"))
    return Accepted(found)


def coach(history: History, command: Plain) -> Decision:
    """Whether the coach may be asked in this game: all players see what was chosen."""
    field = Field(command)
    field.keys({"do", "on"}, {"on"})
    return Accepted((Event(RIVAL, {"coach": field.member("on").flag()}),))


def try_(history: History, command: Plain) -> Decision:
    """What commands would lead to, on copies of the game with other dice: nothing is logged.

    A side's own copies hold what that side knows; everything else is dealt anew.
    """
    field, here = Field(command), history.now
    field.keys({"do", "commands", "samples", "side"}, {"commands"})
    if here.play is None:
        return Refusal("SET-UP", say("no game is set up yet"))
    sides = here.play.moment(here.state).sides
    side = field.member("side").choice(sides) if "side" in command else None
    samples = field.member("samples").whole(1, MOST_SAMPLES) if "samples" in command else 1
    parts = [part.members() for part in field.member("commands").items(MOST_TOGETHER, 1)]
    found: list[dict[str, Any]] = []
    for number in range(samples):
        state = here.play.veiled(here.state, side, number)
        titles: list[str] = []
        for part in parts:
            decision = here.play.decide(state, part)
            if isinstance(decision, Refusal):
                return decision
            for event in decision.events:
                state = here.play.apply(state, event)
                titles.append(here.play.title(event))
        now = here.play.moment(state)
        score = {"vp": dict(now.score), "winner": now.winner}
        found.append({**score, "log": [one for one in titles if one]})
    return Accepted(answer={"tries": found})


# -- the clock ----------------------------------------------------------------------------------

ACTIONS = ("set", "start", "pause", "give", "add", "off")


def clock(history: History, command: Plain) -> Decision:
    """Set, start, pause, switch, correct or remove the clock."""
    field = Field(command)
    field.keys({"do", "action", "side", "minutes", "seconds"}, {"action"})
    action = field.member("action").choice(ACTIONS)
    here = history.now
    if here.play is None:
        return Refusal("CLOCK", say("the clock needs a game: set it up first"))
    moment = here.play.moment(here.state)
    side = field.member("side").choice(moment.sides) if "side" in command else None
    now = history.clock
    said: dict[str, Any]
    if action == "set":
        if "minutes" not in command:
            return Refusal("INPUT", say("set the clock to how many 'minutes'?"))
        minutes = field.member("minutes").number(0, LONGEST_GAME_MINUTES)
        said = {"minutes": dict.fromkeys([side] if side else moment.sides, minutes)}
    elif action == "add":
        if side is None or "seconds" not in command:
            return Refusal("INPUT", say("add how many 'seconds' to the time of which 'side'?"))
        limit = LONGEST_GAME_MINUTES * 60
        said = {"add": side, "seconds": field.member("seconds").number(-limit, limit)}
    elif action == "pause":
        if not now.running:
            return Refusal("CLOCK", say("the clock is not running"))
        said = {"pause": True}
    elif action == "give":
        if side is None:
            return Refusal("INPUT", say("give the clock to which 'side'?"))
        said = {"run": side, "follows": False}
    elif action == "start":
        if now.running and now.follows and side in (None, now.runs):
            return Refusal("CLOCK", say("the clock is running for {side} already", side=now.runs))
        first = side or moment.side or now.runs or next(iter(moment.sides), None)
        if first is None:
            return Refusal("CLOCK", say("the game has no side whose time could run"))
        # A side chosen by hand keeps the clock until a player switches it.
        said = {"run": first, "follows": side is None or side == moment.side}
    else:
        said = {"off": True}
    return Accepted((Event(CLOCK, said),))


STEPS = (
    FieldSpec("count", "number", "how many steps; one where not given", required=False),
    FieldSpec("to", "number", "the number of the step to go to", required=False),
)
COMMANDS: dict[str, BuiltinCommands] = {
    own.listed.name: own
    for own in (
        BuiltinCommands(
            Command(
                "help",
                "list every command with its fields",
                (
                    FieldSpec(
                        "game", "text", "of this game; of the one being played", required=False
                    ),
                ),
            ),
            help_,
        ),
        BuiltinCommands(
            Command(
                "state",
                "print the whole state",
                (FieldSpec("for", "side", "with what this side alone may see", required=False),),
            ),
            state,
        ),
        BuiltinCommands(
            Command(
                "screen",
                "print what the screen shows: prompts, offers, outcome, pieces, score, pages",
                (
                    FieldSpec("seat", "side", "with what this side alone may see", required=False),
                    FieldSpec("piece", "unit", "with what this unit may do", required=False),
                ),
            ),
            screen,
        ),
        BuiltinCommands(Command("history", "list what may be undone and done again"), history),
        BuiltinCommands(Command("undo", "take steps back", STEPS), undo),
        BuiltinCommands(Command("redo", "do again what was taken back", STEPS), redo),
        BuiltinCommands(
            Command(
                "save",
                "save the game in another, new file and go on there",
                (FieldSpec("file", "text", "where to, from the folder of the game"),),
            ),
            save,
        ),
        BuiltinCommands(
            Command(
                "together",
                "several commands of the game as one step: all of them, or none",
                (FieldSpec("commands", "list", "whole commands, in order"),),
            ),
            together,
        ),
        BuiltinCommands(
            Command(
                "try",
                "see what commands would lead to, with other dice; nothing is logged",
                (
                    FieldSpec("commands", "list", "whole commands, in order"),
                    FieldSpec("samples", "number", "how often, each with other dice", False),
                    FieldSpec("side", "side", "what this side cannot know is dealt anew", False),
                ),
            ),
            try_,
        ),
        BuiltinCommands(
            Command(
                "rival",
                "let the app play a side",
                (
                    FieldSpec("seat", "side", "which side", False),
                    FieldSpec("level", "word", "how well it plays", False, RIVAL_LEVELS),
                    FieldSpec("temper", "word", "how it plays", False, RIVAL_TEMPERS),
                    FieldSpec("without", "list", "commands that it is not to give now", False),
                ),
            ),
            rival,
        ),
        BuiltinCommands(
            Command(
                "coach",
                "whether the coach may be asked in this game",
                (FieldSpec("on", "flag", "yes or no"),),
            ),
            coach,
        ),
        BuiltinCommands(
            Command(
                "note",
                "put words into the log",
                (
                    FieldSpec("text", "text", "the words"),
                    FieldSpec("side", "side", "whose words", required=False),
                ),
            ),
            note,
        ),
        BuiltinCommands(
            Command(
                "clock",
                "a clock per side",
                (
                    FieldSpec("action", "word", "what to do with the clock", options=ACTIONS),
                    FieldSpec("side", "side", "set, start, give, add: whose time", required=False),
                    FieldSpec("minutes", "number", "set: minutes for each side", required=False),
                    FieldSpec("seconds", "number", "add: seconds more or less", required=False),
                ),
            ),
            clock,
        ),
    )
}
"""The built-in commands by name, in the order in which `help` lists them."""
