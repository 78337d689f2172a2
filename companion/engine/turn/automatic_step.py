"""The step that a game takes by itself where the players have nothing to decide."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain
from companion.games.api.prompt import Choice
from companion.session.fold import Position
from companion.session.game_view import screen_of
from companion.session.session import Session


def take_automatic_step(session: Session, by: tuple[str, ...] = ()) -> list[Plain]:
    """Continue where dice lie that nobody may change; the commands that were carried out.

    It is a step of its own that follows from the one of `by`: Undo returns to it, and then the
    players may do something else.
    """
    here = session.history.now
    screen = screen_of(here.game) if here.play is not None else None
    if screen is None or session.history.undone is not None:
        return []
    choice = only_choice(screen, here)
    done: list[Plain] = []
    for command in choice.commands if choice is not None else ():
        if not session.answer(command, by, follows=True)["ok"]:
            break
        done.append(command)
    return done


def only_choice(screen: GameScreen, here: Position) -> Choice | None:
    """The one thing that can happen after a roll, whoever looks at it; None if there are others.

    What a seat may have up its sleeve counts too, as going on at once would tell that it has not.
    """
    prompts = screen.prompts(here.state)
    if len(prompts) != 1:
        return None
    prompt = prompts[0]
    others = prompt.dice or prompt.forms or prompt.cells or prompt.page
    choices = [one for one in prompt.choices if not goes_on(one, prompt.choices)]
    if not prompt.rolled or prompt.secret or prompt.hidden or others or len(choices) != 1:
        return None
    offered = (screen.offers(here.state, None, piece) for piece in prompt.pieces)
    if any(offer.possible for offers in offered for offer in offers):
        return None
    return choices[0]


def goes_on(choice: Choice, others: Sequence[Choice]) -> bool:
    """Whether a choice is another one with what comes next."""
    return any(
        len(one.commands) < len(choice.commands)
        and choice.commands[: len(one.commands)] == one.commands
        for one in others
    )
