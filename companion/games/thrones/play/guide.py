"""The practice game's guide: what happens in each step, for players of their first round."""

from __future__ import annotations

from companion.games.thrones.play.state import ThronesState
from models.lazy_message import say

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
        "Pay gold to put cards into play: tap Marshal, then the card. Characters win challenges,"
        " locations bring gold. Unspent gold counts for dominance. Done? All pass."
    ),
    "AW4": say("The challenges begin: one military, one intrigue and one power for each player."),
    "4.2": say(
        "Choose a challenge and tap the attackers: they kneel. Military kills a character, intrigue"
        " takes a card from the hand, power takes power. Keep someone standing to defend."
    ),
    "AW4A": say("Now is the moment for actions before defenders are declared. Else all pass."),
    "4.2.1": say("Standing characters with the same icon may defend. They kneel, too."),
    "AW4B": say("The totals stand. An event may still change them; else the higher total wins."),
    "4.2.2": say("Without a defender the attacker also gains 1 power. Reactions come now."),
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
    return HINTS.get(state.step, "")
