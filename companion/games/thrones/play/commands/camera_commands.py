"""Commands of the camera: tags on cards, places at the table, and what a picture shows."""

from __future__ import annotations

from companion.games.api.camera_question import SeenPiece
from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, ask, no
from companion.games.thrones.play.camera_proposals import proposals, unsure_cards
from companion.games.thrones.play.context import ThronesContext, command
from companion.games.thrones.rules.seat_place import EDGES, FARTHEST_ROW_IN, ROW_LINE_IN
from models.lazy_message import say
from models.pose import Pose

MOST_TAGS = 400
LARGEST_TAG = 100_000
CARD_KEYS = frozenset(("unit", "tray", "tags", "x", "y", "heading", "sigma", "state"))
"""The members of a tray as `companion look` prints it."""


@command(
    "tag",
    say("a tag is clipped to a card in play"),
    ask("card", "word", say("a card in play"), True),
    ask("tag", "number", say("the number of the tag; none: it is taken off")),
)
def tag(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """The tag is clipped to the front of a card in play only: nothing shows on its back, and it
    leaves the card when the card leaves play."""
    card = ctx.card(args)
    if not args.has("tag"):
        if card.tag is None:
            return no("INPUT", "{card} has no tag", card=card.name)
        ctx.add("untagged", card=card.id, name=card.name)
        return None
    number = args.field("tag").whole(0, LARGEST_TAG)
    if number == card.tag:
        return no("INPUT", "{card} has this tag already", card=card.name)
    ctx.add("tagged", card=card.id, name=card.name, tag=number)
    return None


@command(
    "sit",
    say("where a player sits, for the camera"),
    ask("seat", "side", say("the player"), True),
    ask("edge", "word", say("the edge of the table"), True, EDGES),
    ask("line", "inches", say("how far from it the front row begins")),
)
def sit(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    house = ctx.house(args)
    edge = args.choice("edge", EDGES)
    line = args.number("line", 1.0, FARTHEST_ROW_IN)
    used = ROW_LINE_IN if line is None else line
    ctx.add("sat-down", seat=house.id, player=house.name, edge=edge, line=used)
    return None


@command(
    "seen",
    say("what a camera sees of the tagged cards: proposes commands and changes nothing"),
    ask("trays", "list", say("the tagged cards as `companion look` prints them"), True),
    ask("width", "inches", say("the width of the table"), True),
    ask("depth", "inches", say("the depth of the table"), True),
    ask("card", "word", say("the card that the players have tapped")),
    busy=True,
)
def seen(ctx: ThronesContext, args: CommandArgs) -> Refusal | None:
    """Standing, kneeling, rows and attachments as proposals; nothing is taken for granted."""
    found = []
    for item in args.field("trays").items(MOST_TAGS):
        raw = item.keys(CARD_KEYS, {"tags", "x", "y", "heading"})
        pose = Pose.read(item)
        if raw["tags"]:
            found += [
                SeenPiece(one.whole(0, LARGEST_TAG), pose) for one in item.member("tags").items(12)
            ]
    size = args.field("width").number(12, 144), args.field("depth").number(12, 144)
    chosen = ctx.card(args).id if args.has("card") else ""
    ctx.answer["proposals"] = [
        {
            "id": one.id,
            "say": one.title,
            "detail": one.detail,
            "choices": [
                {"say": choice.text, "commands": [dict(c) for c in choice.commands]}
                for choice in one.choices
            ],
        }
        for one in proposals(ctx.state, found, size, chosen)
    ]
    ctx.answer["unsure"] = [one.id for one in unsure_cards(ctx.state, found)]
    return None
