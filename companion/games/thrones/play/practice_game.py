"""The practice game: two sample decks, where cards lie, and a guide through the first round."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.game_screen import PlacedPiece
from companion.games.api.play import Plain
from companion.games.thrones.play.state import FACTION_CARD, CardInPlay, ThronesState
from companion.games.thrones.rules.card_places import SeatPlace
from models.message import say
from models.pose import Pose

GUIDED_ROUNDS = 1
HINTS = {
    "SETUP-7": say("Draw seven cards from your own deck. A bad hand may be changed once."),
    "SETUP-8": say(
        "Lay characters, locations and attachments for at most 8 gold face down before you."
        " A good start: one strong character and one that brings gold."
    ),
    "SETUP-9": say("Now all cards are turned over. An attachment goes on a character."),
    "1.2": say(
        "A plot is your plan for the round: its gold to spend, its initiative, the claim of the"
        " challenges you win, and how many cards you may keep. High gold is good for a first round."
    ),
    "1.3.I": say("Both have the same initiative and the same power: chance decides."),
    "1.3.II": say("Who goes first attacks first, but the others defend with cards still standing."),
    "1.3.III": say("Read the texts of the revealed plots aloud and do what they say."),
    "1.4": say("A title helps you, protects you from one player and sets you against others."),
    "AW1": say("Nobody has an action? Then all pass, and two cards are drawn."),
    "AW2": say("Two cards were drawn. All pass, and gold is collected."),
    "AW3": say(
        "Tap Marshal, then a card to pay for. Unspent gold counts for dominance. Done? All pass."
    ),
    "AW4": say("The challenges begin: one military, one intrigue and one power for each player."),
    "4.2": say(
        "Choose a challenge and tap the attackers: they kneel. Military kills a character, intrigue"
        " takes a card from the hand, power takes power. Keep someone standing to defend."
    ),
    "AW4A": say("Now is the moment for actions before defenders are declared. Else all pass."),
    "4.2.1": say("Standing characters with the same icon may defend. They kneel, too."),
    "AW4B": say("The totals stand. An event may still change them; else the higher total wins."),
    "4.2.4": say("Claim: the loser pays as much as the attacker's plot says."),
    "4.2.5": say("Keywords of the winner's characters: renown, insight, pillage, intimidate."),
    "AW5": say("Dominance: most standing strength and unspent gold gains 1 power."),
    "AW6": say("All cards stand up again."),
    "AW7": say("Unspent gold goes back; more cards in hand than the reserve are discarded."),
    "7.3": say("Too many cards: choose which to discard. Then the second round begins."),
}


def hint(state: ThronesState) -> str:
    """What a newcomer needs to know at this step of the first round; else nothing."""
    if not state.guided or state.round > GUIDED_ROUNDS:
        return ""
    if state.step == "AW4" and (state.declared or len(state.been_active) > 1):
        return ""  # not the beginning of the challenges
    if state.step == "4.2.2" and state.challenge is not None and state.challenge.unopposed:
        return say("Reactions come now. Won against nobody, the attacker also gains 1 power.")
    return HINTS.get(state.step, "")


Size = tuple[float, float]
FRONT_IN, BACK_IN = 9.6, 4.4
"""How far from the player's edge the middles of the rows lie."""
APART_IN = 5.6
"""The most between the middles of two cards of a row."""
STICKS_OUT_IN = 1.15
"""How far an attachment sticks out over its host."""
KNEELING_DEG = 90.0


def spot(place: SeatPlace, far: float, along: float, size: Size) -> tuple[float, float]:
    """A place of the table: so far from the player's edge and so far along it."""
    width, depth = size
    match place.edge:
        case "south":
            return along, far
        case "north":
            return along, depth - far
        case "west":
            return far, along
        case "east":
            return width - far, along


def lying_cards(state: ThronesState, size: Size) -> Iterator[PlacedPiece]:
    """Every card in play with its pose; attachments first, for they lie under their hosts."""
    for seat in state.living:
        place = state.place(seat)
        sharing = [one for one in state.living if state.place(one).edge == place.edge]
        long = size[0 if place.edge in ("south", "north") else 1] / len(sharing)
        start = long * sharing.index(seat)
        own = list(state.controlled(seat))
        for far, row in (
            (FRONT_IN, [one for one in own if one.type == "character"]),
            (BACK_IN, [one for one in own if one.type != "character" and not on_card(one)]),
        ):
            apart = min(APART_IN, long / max(1, len(row)))
            for at, card in enumerate(row):
                along = start + long / 2 + (at - (len(row) - 1) / 2) * apart
                for step, under in enumerate(state.attached(card.id), 1):
                    yield placed_piece(under, place, far + STICKS_OUT_IN * step, along, size)
                yield placed_piece(card, place, far, along, size)


def on_card(card: CardInPlay) -> bool:
    """Whether a card is attached to another card."""
    return bool(card.host) and not card.host.startswith(FACTION_CARD)


def placed_piece(
    card: CardInPlay, place: SeatPlace, far: float, along: float, size: Size
) -> PlacedPiece:
    """A card at a place, turned to the side if it kneels (AGOT-CARD-2)."""
    x, y = spot(place, far, along, size)
    heading = place.away_deg + (KNEELING_DEG if card.kneeling else 0.0)
    return PlacedPiece(card.id, card.tag, Pose(x, y, heading))


PLAYERS = ("Anna", "Ben")


def practice_commands(game: str) -> tuple[Plain, ...]:
    """A joust from its very first step."""
    return (
        {
            "do": "set-up",
            "game": game,
            "seats": [
                {"id": "p1", "name": PLAYERS[0]},
                {"id": "p2", "name": PLAYERS[1]},
            ],
            "decks": {"p1": "sample stark", "p2": "sample lannister"},
            "first": "p1",
            "guided": True,
        },
    )
