"""What players call a step: texts of the log with names instead of ids, full and short."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.session.game_view import GameView, spelled
from models.message import say

Translate = Callable[[str], str]
LAST_STEP_OF = str(say("the last step of {name}"))
"""Where nothing else fits: a sentence that is cut may say the opposite."""
BRACKETS = re.compile(r" \([^()]*\)")
"""What a sentence says beside, such as how an action goes."""


def abridged(view: GameView, text: str, translate: Translate) -> str:
    """A sentence with the short names of pieces."""
    for piece in sorted(view.pieces, key=lambda piece: -len(piece.name)):
        text = text.replace(translate(piece.name), translate(piece.short or piece.name))
    return text


def undo_texts(
    view: GameView | None, title: str, translate: Translate, left: str = ""
) -> tuple[str, ...]:
    """What Undo takes back, the fullest text first; nothing if there is nothing.

    `title` is the step's title in the log, for a step of which the game has no sentence; `left`
    the question of the camera to which the players said no since.
    """
    if left:
        kept = translate(say("Leave it as it was"))
        return f"{kept} ({translate(left)})", kept
    if view is not None and not view.undoable:
        return ()
    last = translate(say("the last step"))
    sentence = translate(view.undo).rstrip(".") if view is not None else ""
    if view is not None and sentence:
        brief = abridged(view, sentence, translate)
        names = {translate(one.name) for one in view.seats}
        names |= {translate(name) for one in view.pieces for name in (one.name, one.short) if name}
        bare, head = BRACKETS.sub("", brief), brief.partition(": ")[0]
        # a name alone does not say what is taken back
        found = (sentence, brief, *([bare] if bare != brief else []))
        if view.undo_short:  # "the command card" of Kennelmasters
            return (*found, translate(view.undo_short), last)
        clause = bare.partition(", ")[0]  # "Gefolgsmänner: Ansturm auf Bogenschützen"
        if head in names:
            found = (*found, clause) if clause not in (brief, bare, *names) else found
        else:
            found = (*found, head)
        whose = max((name for name in names if brief.startswith(name)), key=len, default="")
        return (*found, translate(say(LAST_STEP_OF, name=whose)) if whose else last)
    if not title:
        return (last,) if view is not None else ()
    brief = spelled(view, title, translate, short=True)
    return spelled(view, title, translate), brief, brief.partition(";")[0], last
