"""The step that a game takes by itself where the players have nothing to decide."""

from __future__ import annotations

import json
from collections.abc import Sequence

from companion.engine.game_view import screen_of
from companion.games.api.play import Plain
from companion.games.api.prompt import Prompt
from companion.session.session import Session


def declined_by(prompts: Sequence[Prompt], commands: Sequence[Plain]) -> frozenset[str] | None:
    """The choices beside the primary one, if it is the primary one that is sent now."""
    prompt = next(iter(prompts), None)
    if prompt is None or prompt.rolled or prompt.dice is not None:
        return None
    sent = [dict(one) for one in commands]
    primary = any(
        one.look == "primary" and [dict(command) for command in one.commands] == sent
        for one in prompt.choices
    )
    return choices_beside(prompt) if primary else None


def take_automatic_step(session: Session, declined: frozenset[str] | None) -> list[Plain]:
    """Continue where nobody has anything to decide; the commands that were carried out.

    That is where dice lie that nobody may change, and where a prompt offers only what the players
    have just declined: the end of an attack and the end of the turn are one tap. It is a step of
    its own: Undo returns to it, and then the players may do something else.
    """
    here = session.history.now
    screen = screen_of(here.game) if here.play is not None else None
    if screen is None or session.history.undone is not None:
        return []
    prompt = next(iter(screen.prompts(here.state)), None)
    if prompt is None or prompt.secret or prompt.dice is not None or prompt.page:
        return []
    primary = [one for one in prompt.choices if one.look == "primary"]
    beside = choices_beside(prompt)
    idle = prompt.rolled and not beside
    again = declined is not None and beside <= declined and not prompt.pieces
    done: list[Plain] = []
    if len(primary) == 1 and (idle or again):
        for command in primary[0].commands:
            if not session.answer(command)["ok"]:
                break
            done.append(command)
    return done


def choices_beside(prompt: Prompt) -> frozenset[str]:
    """What a prompt offers beside its primary button, except the quiet choices."""
    return frozenset(
        json.dumps([dict(command) for command in one.commands], sort_keys=True, default=str)
        for one in prompt.choices
        if one.look == "plain"
    )
