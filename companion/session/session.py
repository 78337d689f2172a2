"""A game being kept: commands come in, durable steps and answers come out. The app uses this too.

with Session.open(Path("saturday.game")) as session:
    session.answer({"do": "set-up", "game": "...", ...})
    session.answer({"do": "undo"})
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from companion.games.api.json_fragment import FragmentView, JsonFragment, JsonRow
from companion.session import builtin_commands
from companion.session.builtin_events import CLOCK, SETUP
from companion.session.fold import History, Note, Position, fold_in_time, grow, moved
from companion.session.game_lookup import (
    Accepted,
    Decision,
    Event,
    Plain,
    Refusal,
    find_play,
    games_to_play,
)
from companion.session.log import LATEST_MS, Gone, Log, Unwritten
from companion.session.report.step_titles import title
from companion.session.step import LogStep, body_of
from companion.session.storage import Damage, open_log, save_as
from models import BadInput, CompanionError, UnknownName
from models.field import Field, shown
from models.identity_cache import IdentityCache
from models.lazy_message import say

Now = Callable[[], int]
T = TypeVar("T")
LONGEST_TITLE = 500
LONGEST_WORD = 40
BROKEN = "BUG"
"""The reason given where a game's code failed; nothing was changed and the game goes on."""


def steady_now(not_before_ms: int = 0) -> Now:
    """Milliseconds since 1970 that keep their pace even when somebody sets the clock.

    They go on where the last step left off: on a device whose clock was set back since, time
    would otherwise stand still until it has caught up. Sleep of the device counts too.
    """
    start_ms = max(time.time_ns() // 1_000_000, not_before_ms)
    start = ticks_ns()
    return lambda: min(start_ms + (ticks_ns() - start) // 1_000_000, LATEST_MS)


def ticks_ns() -> int:
    """Nanoseconds since some moment, counted also while the device sleeps, where it can."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if boot is None else time.clock_gettime_ns(boot)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: what it says itself, and the view where nothing was refused."""

    head: dict[str, Any]
    view: FragmentView | None = None

    def plain(self) -> dict[str, Any]:
        """The answer as one object."""
        return self.head if self.view is None else {**self.head, "state": self.view.plain()}


@dataclass(slots=True)
class Session:
    """One open game: its log and the history folded from it."""

    log: Log
    history: History
    now: Now
    damage: Damage | None = None

    @classmethod
    def open(cls, path: Path, now: Now | None = None) -> Session:
        """Open a game's file, or begin a new one."""
        log, steps, damage = open_log(path)
        try:
            history = fold_in_time(steps)
            session = cls(log, history, now or steady_now(history.at_ms), damage)
            if session.history.clock.running:
                session.take([Event(CLOCK, {"lost": True})])
        except Unwritten:
            log.close()
            raise
        except CompanionError as error:
            log.close()
            raise BadInput(str(path), "", str(error)) from error
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the clock and close the file."""
        try:
            if self.history.clock.running:
                self.take([Event(CLOCK, {"pause": True})])
        except CompanionError:
            pass  # the next opening finds it running and stops it
        finally:
            self.log.close()

    # -- commands ---------------------------------------------------------------------------

    def answer(self, command: Plain) -> dict[str, Any]:
        """Do what a command asks, or say why not; never raises."""
        return self.reply(command, Reply.plain)

    def reply(self, command: Plain, form: Callable[[Reply], T]) -> T:
        """The same in some form; that too is ready before the step is durable."""
        try:
            side, command = self.viewer(command)
            decision = self.decide(command)
            if isinstance(decision, Refusal):
                return form(refused(decision))
            step, history = None, self.history
            if decision.events:
                step, history = self.draft(decision)
            # The answer is ready before the step is durable: what fails, fails without a trace.
            seen = view(history, side, self.now(), self.damage)
            if side is not None or command.get("do") == "state":
                offer(history.now, seen, side)
            answer = form(Reply({"ok": True, "seq": history.seq, **decision.answer}, seen))
            if step is not None:
                self.keep(step, history)
            return answer
        except Gone as error:
            return form(refused(Refusal("GONE", str(error))))
        except Unwritten as error:
            return form(refused(Refusal("DISK", str(error))))
        except BadInput as error:
            return form(refused(Refusal("INPUT", str(error))))
        except UnknownName as error:
            return form(refused(Refusal("UNKNOWN", str(error))))
        except CompanionError as error:
            return form(refused(Refusal("INPUT", str(error))))
        except Exception as error:
            # A game at the table goes on: the state is as before, since nothing was logged.
            problem = f"{type(error).__name__}: {shown(str(error), 200)}"
            return form(refused(Refusal(BROKEN, problem)))

    def decide(self, command: Plain) -> Decision:
        """What a command does: the session's own ones here, everything else is the game's."""
        do = command.get("do")
        if isinstance(do, str) and len(do) <= LONGEST_WORD and do.replace("-", "").isalnum():
            pass  # the usual case, and the quickest to see
        elif "do" in command:
            do = Field(command).member("do").text(LONGEST_WORD)
        else:
            example = '{"do": "help"}'
            return Refusal(
                "INPUT", say("the command has no 'do'; {example} lists them", example=example)
            )
        if do in ("set-up", "setup"):
            return self.set_up(command)
        if do == "save":
            return self.save_as(builtin_commands.save(self.history, command))
        if do in builtin_commands.COMMANDS:
            return builtin_commands.COMMANDS[do].decide(self.history, command)
        here = self.history.now
        if here.play is None:
            return Refusal(
                "SET-UP", say("no game is set up yet, so there is no {command}", command=shown(do))
            )
        return here.play.decide(here.state, command)

    def set_up(self, command: Plain) -> Decision:
        """Begin the game."""
        if self.history.now.play is not None:
            return Refusal("SET-UP", say("the game is set up already; undo that first"))
        known = games_to_play()
        if "game" not in command:
            return Refusal("SET-UP", say("say which 'game': {games}", games=", ".join(known)))
        game = Field(command).member("game").choice(known)
        asked = {"seed": secrets.randbits(48), **{k: v for k, v in command.items() if k != "game"}}
        setup = find_play(game).prepare(game, asked)
        if isinstance(setup, Refusal):
            return setup
        return Accepted((Event(SETUP, {"game": game, "setup": setup}),))

    # -- the log ----------------------------------------------------------------------------

    def take(self, events: Sequence[Event]) -> None:
        """Log a step of the session's own accord."""
        self.keep(*self.draft(Accepted(tuple(events))))

    def draft(self, decided: Accepted) -> tuple[LogStep, History]:
        """The next step and the history with it, in memory only."""
        at_ms = self.now()
        told = title(self.history.now.play, decided.events, moved(self.history, decided.events))
        step, history = self.grown(at_ms, told, decided, decided.events)
        handover = self.handover(history)
        if handover is not None:
            step, history = self.grown(at_ms, told, decided, (*decided.events, handover))
        return step, history

    def grown(
        self, at_ms: int, told: str, decided: Accepted, events: tuple[Event, ...]
    ) -> tuple[LogStep, History]:
        """These events as a step, and the history with it.

        What the log would not give back as it is, is read back from its text first: the state is
        always the one that a later reading of the file gives.
        """
        body, as_is = body_of(events)
        step = LogStep.sealed(self.history.last, at_ms, told[:LONGEST_TITLE], body)
        known = events if as_is else step.events()
        return step, grow(self.history, step, told=told, events=known, foreseen=decided)

    def keep(self, step: LogStep, history: History) -> None:
        """Make a drafted step durable, and only then true."""
        self.log.append(step)
        self.history = history

    def save_as(self, named: Decision) -> Decision:
        """Save the whole game in another, new file and go on there."""
        if isinstance(named, Refusal):
            return named
        target = self.log.path.parent / named.answer["file"]
        self.log = save_as(self.log, target)
        return Accepted(answer={"file": str(target)})

    def handover(self, history: History) -> Event | None:
        """The event that gives the running clock to whomever the game now waits for."""
        clock, here = history.clock, history.now
        if not (clock.running and clock.follows):
            return None
        if here.play is None:
            return Event(CLOCK, {"pause": True})
        moment = here.play.moment(here.state)
        if moment.winner is not None:
            return Event(CLOCK, {"pause": True})
        if moment.side is not None and moment.side != clock.runs:
            return Event(CLOCK, {"run": moment.side})
        return None

    # -- looking ----------------------------------------------------------------------------

    def viewer(self, command: Plain) -> tuple[str | None, Plain]:
        """The side whose eyes see the answer ("for": "blue"), and the command without it."""
        if "for" not in command:
            return None, command
        here = self.history.now
        sides = here.play.moment(here.state).sides if here.play is not None else ()
        side = Field(command).member("for").choice(sides)
        return side, {key: value for key, value in command.items() if key != "for"}

    def state(self, side: str | None = None) -> dict[str, Any]:
        """The whole state as a player of that side may see it; None: as everybody may."""
        return view(self.history, side, self.now(), self.damage).plain()


def view(
    history: History, side: str | None, now_ms: int, damage: Damage | None = None
) -> FragmentView:
    """A history as `{"do": "state"}` prints it."""
    here = history.now
    if here.play is None:
        nothing = {"round": 0, "phase": "set-up", "active": None, "winner": None, "units": {}}
        state = FragmentView((), {"game": None, **nothing})
    else:
        seen = here.play.view(here.state, side)
        state = (
            seen
            if isinstance(seen, FragmentView)
            else FragmentView((), {"game": here.game, **seen})
        )
        if "pending" not in state.rest:
            state.rest["pending"] = pending(here)
    rest = state.rest
    rest["seq"] = history.seq
    rest["notes"] = NOTED(here.notes)
    rest["log"] = JsonRow([title.line for _, title in history.tail])
    rest["undo"] = here.title or None
    rest["redo"] = history.undone.position.title if history.undone else None
    if history.clock.used:
        rest["clock"] = history.clock.plain(now_ms)
    if damage is not None:
        rest["damage"] = damage.plain()
    return state


def offer(here: Position, seen: FragmentView, side: str | None) -> None:
    """Add to each prompt of a view what may be answered to it, as whole commands.

    The game tries every one of them: that takes longer than the rest of an answer, so it is done
    for those who ask for the state, or for what one side sees.
    """
    offers = getattr(here.play, "options", None)
    if offers is not None:
        for prompt, offered in zip(seen.rest["pending"], offers(here.state, side), strict=True):
            prompt.update(offered)


def noted(notes: tuple[Note, ...]) -> JsonRow:
    """The newest of the players' words."""
    return JsonRow(
        JsonFragment(
            {"seq": note.seq, "text": note.text, **({"side": note.side} if note.side else {})}
        )
        for note in notes
    )


NOTED = IdentityCache(noted)


def pending(here: Position) -> list[dict[str, Any]]:
    """What the game waits for."""
    assert here.play is not None
    return [
        {
            "what": one.what,
            "side": one.side,
            "say": one.say,
            "commands": list(one.commands),
            **one.data,
        }
        for one in here.play.pending(here.state)
    ]


def refused(refusal: Refusal) -> Reply:
    """A refusal as an answer."""
    more = {"asks": refusal.asks} if refusal.asks else {}
    return Reply({"ok": False, "why": refusal.why, "say": say(refusal.say), **more})
