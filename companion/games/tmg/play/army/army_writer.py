"""The command that prints the army lists of a game in any format."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.army.army_lists import WRITERS, read_ids
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    anytime,
    ask,
    no,
)

FORMS = tuple(WRITERS)


@anytime(
    "army-list",
    "print a player's army list again, to keep or to paste elsewhere",
    ask("player", "player", "whose army", required=True),
    ask("form", "word", "an id list, the plain text, or the project's own file", False, FORMS),
)
def army_list(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """Answer with the player's army list in the requested format."""
    player = context.state.player(given.need("player"))
    if not player.army:
        return no("TMG-ARM-1", "{player} brought units without an army list", player=player.id)
    army = read_ids(player.army, context.state.game, context.state.points)
    context.answer["list"] = WRITERS[given.choice("form", FORMS, "text")](army)
    return None
