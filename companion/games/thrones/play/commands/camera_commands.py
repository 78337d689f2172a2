"""The camera's commands: tags on cards, places at the table, proposals from a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game_screen import CameraQuestion, SeenPiece
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Choice, Look
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.context import (
    REGISTRY,
    CommandFields,
    ThronesContext,
    command,
    timing_refusal,
)
from companion.games.thrones.play.events import card_events
from companion.games.thrones.play.numbers import eligible
from companion.games.thrones.play.prompts.challenge_prompts import DECLARE
from companion.games.thrones.play.state import CardInPlay, ThronesState
from companion.games.thrones.rules.card_places import (
    EDGES,
    FARTHEST_ROW_IN,
    ROW_LINE_IN,
    hosts_of,
    row_of,
    turn_of,
)
from models.message import listed_names, say
from models.pose import Pose

Size = tuple[float, float]
MOST_CHOICES = 6
ROW_TYPES = {"front": ("character",), "back": ("location",)}
"""What lies in which row (AGOT-CMP-6, AGOT-CMP-7)."""


def proposals(
    state: ThronesState, seen: Sequence[SeenPiece], size: Size, chosen: str = ""
) -> tuple[CameraQuestion, ...]:
    """The differences between the picture and the game; each command has been tried."""
    if state.stopped or state.round < 1:
        return ()
    poses = poses_of(state, seen)
    found = [*turned_cards(state, poses), *moved_attachments(state, poses)]
    found += new_tags(state, seen, size, poses, chosen)
    return tuple(one for one in found if one.choices)


def poses_of(state: ThronesState, seen: Sequence[SeenPiece]) -> dict[str, Pose]:
    """Where the tagged cards in play lie, by card; a tag that is seen twice tells nothing."""
    known = {one.tag: one.id for one in state.cards if one.tag is not None}
    tags = [one.tag for one in seen]
    cards = ((one.piece or known.get(one.tag, ""), one) for one in seen)
    return {
        card: one.pose
        for card, one in cards
        if state.find_card(card) is not None and tags.count(one.tag) == 1
    }


def accepted(state: ThronesState, command: Plain) -> bool:
    """Whether the game takes a command now."""
    word = command["do"]
    if timing_refusal(state, word) is not None:
        return False
    return not isinstance(
        REGISTRY.rules[word].verb(ThronesContext(state), CommandFields(command, word)), Refusal
    )


def offered(
    state: ThronesState, text: str, command: Plain, look: Look = "plain"
) -> Iterator[Choice]:
    """The command as a button, if it is accepted."""
    if accepted(state, command):
        yield Choice(text, (command,), look)


def named(cards: Sequence[CardInPlay]) -> str:
    return listed_names(one.name for one in cards)


# -- standing and kneeling -------------------------------------------------------------------------


def turns(state: ThronesState, poses: dict[str, Pose]) -> dict[str, str]:
    """How each tagged card lies for its controller: standing, kneeling or unsure (AGOT-OR-22)."""
    return {
        card: turn_of(pose, state.place(state.card(card).controller))
        for card, pose in poses.items()
    }


def unsure_cards(state: ThronesState, seen: Sequence[SeenPiece]) -> list[CardInPlay]:
    """The tagged cards that lie too crooked, or are measured too badly, to tell."""
    lying = turns(state, poses_of(state, seen))
    return [state.card(card) for card, turn in lying.items() if turn == "unsure"]


def turned_cards(state: ThronesState, poses: dict[str, Pose]) -> Iterator[CameraQuestion]:
    """Cards that lie otherwise than the game has them (AGOT-CARD-1, AGOT-CARD-2)."""
    lying = turns(state, poses)
    cards = [one for one in state.cards if one.id in lying]
    knelt = [one for one in cards if lying[one.id] == "kneeling" and not one.kneeling]
    stood = [one for one in cards if lying[one.id] == "standing" and one.kneeling]
    if knelt:
        command = {"do": "kneel", "cards": [one.id for one in knelt]}
        choices = [*declarations(state, knelt)]
        choices += offered(state, say("Kneel"), command, "plain" if choices else "primary")
        yield CameraQuestion("kneel", say("{cards} kneels", cards=named(knelt)),
                       say("The picture shows it turned to the side."), tuple(choices))  # fmt: skip
    if stood:
        command = {"do": "stand", "cards": [one.id for one in stood]}
        yield CameraQuestion("stand", say("{cards} stands", cards=named(stood)),
                       say("The picture shows it upright."),
                       tuple(offered(state, say("Stand"), command, "primary")))  # fmt: skip


def declarations(state: ThronesState, knelt: Sequence[CardInPlay]) -> Iterator[Choice]:
    """Kneeling characters may be attackers or defenders (AGOT-CHL-10, AGOT-CHL-16)."""
    ids = [one.id for one in knelt]
    if state.step == "4.2.1" and state.challenge is not None:
        able = eligible(state, state.challenge.defender, state.challenge.type)
        if set(ids) <= {one.id for one in able}:
            command = {"do": "defend", "defenders": ids}
            text = say("Defend with {card}", card=named(knelt))
            yield from offered(state, text, command, "primary")
    if state.step == "4.2":
        for kind in CHALLENGES:
            for seat in challenge_flow.allowed_opponents(state, kind):
                attack = {"do": "challenge", "type": kind, "against": seat, "attackers": ids}
                text = say("{challenge} against {player}", challenge=DECLARE[kind],
                           player=state.house(seat).name)  # fmt: skip
                yield from offered(state, text, attack)


# -- attachments -----------------------------------------------------------------------------------


def moved_attachments(state: ThronesState, poses: dict[str, Pose]) -> Iterator[CameraQuestion]:
    """Attachments that surely lie at another card than the game has them on (AGOT-ATT-1)."""
    hosts = [(card, pose) for card, pose in poses.items() if state.card(card).type == "character"]
    for card, pose in poses.items():
        one = state.card(card)
        if one.type != "attachment":
            continue
        found = hosts_of(pose, ((name, at) for name, at in hosts if name != card))
        # Nothing is said while it may lie at its host, or while the host has not been seen.
        if one.host in found or (one.host and one.host not in poses) or not found:
            continue
        choices = [
            choice
            for host in found
            for choice in offered(
                state,
                say("Attach to {card}", card=state.card(host).name),
                {"do": "attach", "card": card, "host": host},
                "primary" if found == {host: "yes"} else "plain",
            )
        ]
        detail = say("The picture shows it at another card.")
        if set(found.values()) != {"yes"} or len(found) > 1:
            detail = say("The picture does not tell for sure where it lies.")
        title = say("Where is {card} attached?", card=one.name)
        yield CameraQuestion(f"attach-{card}", title, detail, tuple(choices))


# -- new tags --------------------------------------------------------------------------------------


def new_tags(
    state: ThronesState,
    seen: Sequence[SeenPiece],
    size: Size,
    poses: dict[str, Pose],
    chosen: str,
) -> Iterator[CameraQuestion]:
    """Tags that no card has yet: which card carries them? The tapped one, or one that fits."""
    known = {one.tag for one in state.cards}
    tags = [one.tag for one in seen]
    for one in seen:
        if one.piece or one.tag in known or tags.count(one.tag) > 1:
            continue
        cards = fitting_cards(state, one.pose, size, poses)
        tapped = [card for card in state.cards if card.id == chosen and card.tag is None]
        cards = [*tapped, *(card for card in cards if card.id != chosen)][:MOST_CHOICES]
        choices = tuple(
            choice
            for card in cards
            for choice in offered(
                state,
                card.name,
                {"do": "tag", "card": card.id, "tag": one.tag},
                "primary" if card is cards[0] and (tapped or len(cards) == 1) else "plain",
            )
        )
        title = say("Which card has tag {tag}?", tag=one.tag)
        detail = say("Tags are only for cards in play, on their front.")
        yield CameraQuestion(f"tag-{one.tag}", title, detail, choices)


def fitting_cards(
    state: ThronesState, pose: Pose, size: Size, poses: dict[str, Pose]
) -> list[CardInPlay]:
    """The cards without a tag that may lie there: those in whose row it is, or on another card,
    then those of which the place does not tell; the newest first."""
    others = [(card, at) for card, at in poses.items() if state.card(card).type == "character"]
    on_card = "yes" in hosts_of(pose, others).values()
    sure, unsure = [], []
    for card in reversed(state.cards):
        if card.tag is not None:
            continue
        row = row_of(pose, state.place(card.controller), size)
        types = ("attachment",) if on_card else ROW_TYPES.get(row, ())
        if card.type in types:
            sure.append(card)
        elif row == "unsure" and not on_card:
            unsure.append(card)
    return sure + unsure


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
def tag(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The tag is clipped to the front of a card in play only: nothing shows on its back, and it
    leaves the card when the card leaves play."""
    card = ctx.card(args)
    if not args.has("tag"):
        if card.tag is None:
            return no("INPUT", "{card} has no tag", card=card.name)
        ctx.add(card_events.untagged, card=card.id, name=card.name)
        return None
    number = args.field("tag").whole(0, LARGEST_TAG)
    if number == card.tag:
        return no("INPUT", "{card} has this tag already", card=card.name)
    ctx.add(card_events.tagged, card=card.id, name=card.name, tag=number)
    return None


@command(
    "sit",
    say("where a player sits, for the camera"),
    ask("seat", "side", say("the player"), True),
    ask("edge", "word", say("the edge of the table"), True, EDGES),
    ask("line", "inches", say("how far from it the front row begins")),
)
def sit(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    house = ctx.house(args)
    edge = args.choice("edge", EDGES)
    line = args.number("line", 1.0, FARTHEST_ROW_IN)
    used = ROW_LINE_IN if line is None else line
    ctx.add(card_events.sat_down, seat=house.id, player=house.name, edge=edge, line=used)
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
def seen(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
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
