"""The guided first activations: what to tap now, and why, once for each player."""

from __future__ import annotations

from companion.games.api.play import Pending
from companion.games.api.prompt import Choice
from companion.games.api.screen_views import GuideStep
from companion.games.tactics.play.prompts import actions, pending
from companion.games.tactics.play.state import SkirmishState, battle_position
from companion.games.tactics.screen.views import short
from models.message import ShortName, joined, say

STEPS = 4
ACTIVATE, ACT, GO_ON, OTHER = range(1, STEPS + 1)
"""The first action, and whatever follows it: its rolls, and a second action."""
GUIDED_TURNS = 2
"""One activation of each player is guided."""
LEAVE = Choice(say("Leave the guide"), ({"do": "guide", "on": False},), "quiet")
Told = tuple[int, str, str, str, str]
"""The number of the step, what to tap, why; the figure to tap first, and what to tap then."""


def guide(state: SkirmishState) -> GuideStep | None:
    """The step of the guided activations; None where the players want none, or know it all."""
    if not state.guided or state.round != 1 or state.turn > GUIDED_TURNS or state.winner:
        return None
    asked = next(iter(pending(state)), None)
    if asked is None:
        return None
    number, text, why, piece, then = step(state, asked)
    now = state.activation
    if number == ACT and now is not None and (now.spent or now.free):
        number = GO_ON
    number = OTHER if state.turn == GUIDED_TURNS else number
    return GuideStep(number, STEPS, text, why, piece, then, LEAVE)


def step(state: SkirmishState, asked: Pending) -> Told:
    """What to do about the prompt that comes first."""
    player = state.squad(asked.side).player if asked.side else ""
    match asked.what:
        case "turn":
            return activate_step(state, player)
        case "act":
            return act_step(state, asked.data["figure"])
        case "attack-roll" | "defence-roll" | "hazard-roll":
            text = say("{player}: roll and tap what the dice show.", player=player)
            why = say("Coins are paid before the dice fall: what they buy stands above them.")
            return GO_ON, text, why, "", ""
    return GO_ON, asked.say, say("The answer belongs to {player}.", player=player), "", ""


def activate_step(state: SkirmishState, player: str) -> Told:
    """Activate a figure than which none of its side stands nearer to an enemy."""
    position = battle_position(state)
    ready = [position.by_id[one.id] for one in state.activatable(state.active) if one.on_board]
    if not ready:
        return ACTIVATE, say("{player} activates a figure", player=player), "", "", ""

    def near(figure_id: str) -> int:
        figure = position.by_id[figure_id]
        far = position.distances(figure)
        return min((far[one.id] for one in position.enemies(figure)), default=0)

    figure = min(ready, key=lambda one: near(one.id))
    text = say(
        "{player}: tap {figure} on the board.", player=player, figure=called(state, figure.id)
    )
    own = [near(one.id) for one in position.figures if one.side == figure.side]
    nearest = ""
    if near(figure.id) == min(own):  # several may be as near
        alone = say("It stands nearest to the enemy.")
        beside = say("None of your figures stands nearer to the enemy.")
        nearest = alone if own.count(min(own)) == 1 else beside
    points = say("An activated figure has 2 action points.")
    why = joined(filter(None, (nearest, points)), " ")
    return ACTIVATE, text, why, figure.id, say("Tap “Activate”.")


def act_step(state: SkirmishState, figure: str) -> Told:
    """Attack, charge or move; then end the activation."""
    possible = actions(state)
    words = {one["do"] for one in possible}
    name = called(state, figure)
    for word in ("attack", "charge"):
        command = next((one for one in possible if one["do"] == word), None)
        if command is not None:
            foe = called(state, command["target"])
            text = say("{figure} can reach {enemy}: tap a row of the card.", figure=name, enemy=foe)
            why = say("A row shows what it does and its chances; what to tap next stands below.")
            return ACT, text, why, "", ""
    if "move" in words:
        text = say("{figure} moves: tap a marked space, then the gold button.", figure=name)
        why = say("The number on a space is how many spaces it is. A Move is 1 action point.")
        return ACT, text, why, "", ""
    text = say("Tap “End the activation”.")
    return ACT, text, say("{figure} has no action points left.", figure=name), "", ""


def called(state: SkirmishState, figure: str) -> ShortName:
    """A figure as its badge on the board calls it."""
    return short(state.figure(figure).name)
