"""Two players who see the answers of `companion session` and nothing else, and play the game.

They choose at random among what the state offers; what is refused they try another way.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

State = dict[str, Any]
Command = dict[str, Any]
HAND_LIMIT = 5
CONDITIONS = ("panicked", "vulnerable", "weakened")


class Players:
    """Both sides of a game, told what to do next by the state alone."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def command(self, state: State) -> Command:
        """What they do now: the answer to the most urgent question, now and then a remark."""
        waiting = state["pending"][0]
        if self.chance.random() < 0.04:
            return {"do": "note", "text": f"so it went in round {state['round']}"}
        answer = ANSWERS.get(waiting["what"])
        if answer is not None:
            return answer(self, state, waiting)
        return {"do": waiting["commands"][0]}

    def one(self, *choices: Any) -> Any:
        return self.chance.choice(choices)

    def standing(self, state: State, side: str, own: bool) -> list[str]:
        """The units on the battlefield, one's own or the enemy's."""
        return [
            name
            for name, unit in state["units"].items()
            if unit["place"] == "field" and (unit["side"] == side) == own
        ]

    # -- the turn ---------------------------------------------------------------------------

    def activates(self, state: State, waiting: State) -> Command:
        return {"do": "activate", "unit": self.one(*waiting["data"]["units"])}

    def acts(self, state: State, waiting: State) -> Command:
        name, side = state["acting"]["unit"], state["active"]
        if name in state["ncus"]:
            return {"do": "claim", "zone": self.one(*waiting["data"]["zones"])}
        if name in state["walls"]:
            return {"do": "action", "action": "forgo"}
        unit = state["units"][name]
        if unit["engaged"]:
            target = self.one(*unit["engaged"])
            return {"do": "action", "action": "attack", "target": target, "zone": "front"}
        enemies = self.standing(state, side, own=False)
        action = self.one("maneuver", "march", "charge", "charge", "attack", "forgo")
        if action not in ("charge", "attack") or not enemies:
            return {"do": "action", "action": self.one("maneuver", "march", "forgo")}
        fields: Command = {"target": self.one(*enemies), "zone": self.one("front", "flank")}
        if action == "charge":
            fields["distance"] = self.chance.randint(3, 11)
        elif all(attack["kind"] == "melee" for attack in unit["attacks"]):
            return {"do": "action", "action": "maneuver"}
        return {"do": "action", "action": action, **fields}

    def claims(self, state: State, waiting: State) -> Command:
        if not waiting["data"]["known"]:  # 2018: only the players' own board tells it
            return {"do": "zone-effect", "skip": True}
        side = waiting["side"]
        friends = self.standing(state, side, own=True)
        enemies = self.standing(state, side, own=False)
        zone = waiting["data"]["zone"]
        tokens = {name: state["units"][name]["tokens"] for name in state["units"]}
        if zone == "crown" and enemies:
            return {"do": "zone-effect", "unit": self.one(*enemies)}
        open_ = [name for name in enemies if len(tokens[name]) < len(CONDITIONS)]
        if zone == "tactics" and open_:
            unit = self.one(*open_)
            free = [token for token in CONDITIONS if token not in tokens[unit]]
            return {"do": "zone-effect", "unit": unit, "token": self.one(*free)}
        hurt = [name for name in friends if state["units"][name]["wounds"]]
        if zone == "wealth" and hurt:
            unit = self.one(*hurt)
            several = {"token": self.one(*tokens[unit])} if len(tokens[unit]) > 1 else {}
            return {"do": "zone-effect", "unit": unit, **several}
        return {"do": "zone-effect", "skip": True}

    def ends(self, state: State, waiting: State) -> Command:
        return {"do": "end-turn"}

    # -- dice -------------------------------------------------------------------------------

    def rolls(self, state: State, waiting: State) -> Command:
        return {"do": "roll"}

    def tests(self, state: State, waiting: State) -> Command:
        return {"do": "continue"} if "continue" in waiting["commands"] else {"do": "panic"}

    def goes_on(self, state: State, waiting: State) -> Command:
        return {"do": "continue"}

    def surges(self, state: State, waiting: State) -> Command:
        return {"do": "surge", "take": self.chance.random() < 0.5}

    def discards(self, state: State, waiting: State) -> Command:
        player = state["players"][waiting["side"]]
        if "hand_cards" not in player:  # one's own eyes are needed
            return {"do": "state", "for": waiting["side"]}
        cards = self.chance.sample(player["hand_cards"], player["hand"] - HAND_LIMIT)
        return {"do": "discard", "player": waiting["side"], "cards": cards}

    # -- the end of the round ---------------------------------------------------------------

    def scores(self, state: State, waiting: State) -> Command:
        tokens = list(state["objectives"])
        names = self.standing(state, "", own=False)
        if tokens and names and self.chance.random() < 0.6:
            return {"do": "objective", "token": self.one(*tokens), "unit": self.one(*names)}
        return {"do": "score", "confirm": True}

    def stays(self, state: State, waiting: State) -> Command:
        side = next(name for name in state["sides"] if name in waiting["say"])
        return {"do": "eliminate", "side": side, "out": False}

    def inherits(self, state: State, waiting: State) -> Command:
        task = {"do": "place", "task": waiting["data"]["task"]}
        return {**task, **self.one({"unit": waiting["data"]["unit"]}, {"skip": True})}


ANSWERS: dict[str, Callable[[Players, State, State], Command]] = {
    "turn-start": Players.activates,
    "action": Players.acts,
    "zone": Players.claims,
    "end-of-turn": Players.ends,
    "attack-dice": Players.rolls,
    "defense-dice": Players.rolls,
    "attack-rerolls": Players.goes_on,
    "defense-rerolls": Players.goes_on,
    "attack-completed": Players.goes_on,
    "end-of-round": Players.goes_on,
    "discard": Players.goes_on,
    "test": Players.tests,
    "surge": Players.surges,
    "hand": Players.discards,
    "score": Players.scores,
    "elimination": Players.stays,
    "inherit-token": Players.inherits,
}
