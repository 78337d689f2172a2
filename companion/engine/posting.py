"""Commands that a client posts, and the answer it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.games.api.play import Plain, Refusal
from companion.session.session import Session
from models.message import say


@dataclass(frozen=True, slots=True)
class PostReply:
    """The answer to posted commands: they are on disk, wait for others, or were refused."""

    seq: int
    """The newest step of the log."""
    refusal: Refusal | None = None
    waits_for: tuple[str, ...] = ()
    """The seats that decide it together with those who have posted it, and have not yet."""
    accepted: tuple[Plain, ...] = ()
    """The commands that were carried out before a refusal."""
    reminders: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether everything was carried out."""
        return self.refusal is None and not self.waits_for


def post(
    session: Session,
    commands: Sequence[Plain],
    by: tuple[str, ...] = (),
    then: Callable[[Plain], object] = lambda command: None,
    joins: bool = False,
    asks: str = "",
) -> PostReply:
    """Carry out commands in order until one is refused; `then` is called after each.

    `by` is the seat that posts them; without one it is the host, who answers for everybody.
    They are undone together, for one tap gave them; what `joins` the newest step is undone with
    that one too. With `asks` all players must agree to it.
    """
    began = session.history.now
    if commands and commands[0]["do"] == "undo" and began.whole.begins:
        # a game that is not set up has no screen from which anybody would come back
        return PostReply(session.history.seq, Refusal("UNDO", say("there is nothing to undo")))
    given = session.agreements.join(session.history, commands, by, asks, joins)
    if given.missing:
        return PostReply(session.history.seq, waits_for=given.missing)
    accepted: list[Plain] = []
    reminders: list[str] = []
    refusal = None
    for command in given.commands:
        further = joins or session.history.now is not began
        answer = session.answer(command, given.agreed, joins=further)
        if not answer["ok"]:
            refusal = Refusal(answer["why"], answer["say"], answer.get("asks", ""))
            break
        if command["do"] == "undo":  # what follows is a step of its own
            began = session.history.now
        accepted.append(command)
        reminders += answer.get("reminders", ())
        then(command)
    return PostReply(
        session.history.seq, refusal, accepted=tuple(accepted), reminders=tuple(reminders)
    )
