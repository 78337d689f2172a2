"""What a picture of the tagged cards may mean: proposals that the players confirm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.camera_question import CameraQuestion, SeenPiece
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Choice, Look
from companion.games.shared.commands import CommandArgs
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.command_timing import timing_refusal
from companion.games.thrones.play.context import REGISTRY, ThronesContext
from companion.games.thrones.play.numbers import eligible
from companion.games.thrones.play.prompts.challenge_prompts import DECLARE
from companion.games.thrones.play.state import CardInPlay, ThronesState
from companion.games.thrones.rules.card_sight import hosts_of, row_of, turn_of
from models.lazy_message import say
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
    return {
        known[one.tag]: one.pose for one in seen if one.tag in known and tags.count(one.tag) == 1
    }


def accepted(state: ThronesState, command: Plain) -> bool:
    """Whether the game takes a command now."""
    word = command["do"]
    if timing_refusal(state, word) is not None:
        return False
    return not isinstance(
        REGISTRY.rules[word].verb(ThronesContext(state), CommandArgs(command, word)), Refusal
    )


def offered(
    state: ThronesState, text: str, command: Plain, look: Look = "plain"
) -> Iterator[Choice]:
    """The command as a button, if it is accepted."""
    if accepted(state, command):
        yield Choice(text, (command,), look)


def named(cards: Sequence[CardInPlay]) -> str:
    return ", ".join(one.name for one in cards)


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
        if one.tag in known or tags.count(one.tag) > 1:
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
