"""Questions that change nothing: the catalogue by name."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask
from companion.games.thrones.cards.catalogue import card_catalogue, search
from companion.games.thrones.play.context import ThronesContext, command
from models.lazy_message import say


@command(
    "cards",
    say("look up cards of the catalogue by name"),
    ask("name", "text", say("words of the name"), True),
    busy=True,
)
def cards(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """The cards whose name holds the words, with their numbers; else the nearest names."""
    name = args.need("name")
    catalogue = card_catalogue()
    found = search(catalogue, name)
    ctx.answer["cards"] = [{"code": one.code, "type": one.type, **one.plain()} for one in found]
    if not found:
        ctx.answer["near"] = catalogue.nearest(name)
    return None
