"""A game to be told in a test: commands in, refusals and the state out, every step foldable."""

from __future__ import annotations

from typing import Any, Self

from companion.games.api.play import Event, Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState, NcuState, Player, SideState, Token
from companion.games.tmg.play.state.unit_state import UnitState

STARK: dict[str, Any] = {
    "side": "blue",
    "faction": "stark",
    "units": [
        {"card": "Stark Sworn Swords", "cost": 5, "commander": True},
        {"card": "Stark Bowmen", "cost": 6},
        {"card": "Stark Outriders", "cost": 6},
    ],
    "ncus": [{"name": "Catelyn", "cost": 4}, {"name": "Sansa", "cost": 4}],
}
LANNISTER: dict[str, Any] = {
    "side": "red",
    "faction": "lannister",
    "units": [
        {"card": "Lannister Crossbowmen", "cost": 6, "commander": True},
        {"card": "Lannister Halberdiers", "cost": 5},
        {"card": "Pyromancers", "cost": 7},
    ],
    "ncus": [{"name": "Cersei", "cost": 4}, {"name": "Tyrion", "cost": 5}],
}


class Battle:
    """One game; `do` must succeed, `refused` must not."""

    def __init__(self, mode: str = "GOT", year: str = "2021", **asked: Any) -> None:
        self.game = f"tmg-{year}"
        command = {
            "do": "set-up",
            "mode": mode,
            "armies": [STARK, LANNISTER],
            "seed": 7,
            "ready": True,
            "first": "blue",
            "unchecked": "armies" in asked,  # a test's own armies need not be lawful
            **asked,
        }
        setup = PLAY.prepare(self.game, command)
        assert not isinstance(setup, Refusal), setup
        self.setup = setup
        self.start: GameState = PLAY.start(self.game, setup)
        self.state = self.start
        self.log: list[Event] = []
        self.answer: dict[str, Any] = {}
        self.titles: list[str] = []

    def do(self, word: str, **fields: Any) -> Self:
        """Let a command happen."""
        found = PLAY.decide(self.state, {"do": word, **fields})
        assert not isinstance(found, Refusal), f"{word} {fields}: {found}"
        self.titles = [PLAY.title(event) for event in found.events]
        self.answer = dict(found.answer)
        for event in found.events:
            self.state = PLAY.apply(self.state, event)
            self.log.append(event)
        return self

    def refused(self, why: str, word: str, /, **fields: Any) -> str:
        """A command that must be refused for that rule; what it says."""
        found = PLAY.decide(self.state, {"do": word, **fields})
        assert isinstance(found, Refusal), f"{word} {fields} was not refused"
        assert found.why == why, found
        return found.say

    def deployed(self) -> Self:
        """Begin a ready game and put everybody down."""
        if self.state.step == "ready":
            self.do("continue")
        if self.state.step == "deploy":
            self.do("deploy")
        return self

    # -- short cuts -------------------------------------------------------------------------

    def forgo(self, unit: str) -> Self:
        """A turn in which a unit does nothing."""
        self.do("activate", unit=unit)
        if self.state.acting and self.state.acting.stage == "choose":
            if self.state.has_ncu(unit):
                free = [z for z, n in PLAY.view(self.state)["zones"].items() if n is None]
                self.do("claim", zone=free[0]).do("zone-effect", skip=True)
            else:
                self.do("action", action="forgo")
        return self.do("end-turn")

    def fight(self, wounds: int, panic: tuple[int, int] = (6, 6)) -> Self:
        """Resolve the attack that runs: so many wounds, then a panic test."""
        self.do("attack-result", wounds=wounds)
        if any(trial.after == "attack" for trial in self.state.trials):
            self.do("panic", faces=list(panic), keep=True)
        if self.state.attack is not None:
            self.do("continue")
        return self

    def finish_round(self) -> Self:
        """Everybody else does nothing; then clean-up in one go."""
        round_now = self.state.round
        while self.state.phase == "activation" and self.state.round == round_now:
            waiting = PLAY.pending(self.state)[0]
            units = [
                name
                for name in waiting.data["units"]
                if not self.state.has_unit(name) or self.state.unit(name).place == "field"
            ]
            if "pass" in waiting.commands:
                self.do("pass")
            else:
                self.forgo(units[0])
        return self

    def clean_up(self) -> Self:
        """Clean-up in one go."""
        return self.do("end-round")

    def round_over(self) -> Self:
        """The rest of the round, without events of note."""
        return self.finish_round().clean_up()

    # -- looking ----------------------------------------------------------------------------

    def unit(self, name: str) -> UnitState:
        return self.state.unit(name)

    def ncu(self, name: str) -> NcuState:
        return self.state.ncu(name)

    def player(self, name: str) -> Player:
        return self.state.player(name)

    def side(self, name: str) -> SideState:
        return self.state.side(name)

    def token(self, name: str) -> Token:
        return self.state.token(name)

    def vp(self) -> tuple[int, ...]:
        return tuple(side.vp for side in self.state.sides)

    def waits(self) -> list[str]:
        """What the game waits for, in one word each."""
        return [one.what for one in PLAY.pending(self.state)]

    def view(self, side: str | None = None) -> dict[str, Any]:
        return PLAY.view(self.state, side)

    def folded(self) -> GameState:
        """The state as the log tells it."""
        state = self.start
        for event in self.log:
            state = PLAY.apply(state, event)
        return state

    def report(self) -> list[str]:
        """The battle report so far."""
        return [PLAY.title(event) for event in self.log]


def battle_of(mode: str, year: str = "2021", **facts: Any) -> Battle:
    """A game of that mode in its first round, all choices made."""
    battle = Battle(mode, year, **facts).do("continue")
    if battle.state.step == "cards-chosen":
        for player, card in (("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")):
            battle.do("choose-card", player=player, card=card)
    if battle.state.step == "missions-chosen":
        for player in ("blue", "red"):
            battle.do("missions", player=player, cards=["1", "2", "3", "4", "11", "12"])
    if battle.state.step == "reserves":
        if mode == "SOS":
            side = "red" if facts.get("defender") == "red" else "blue"
            first = side[0]
            battle.do("reserve", side=side, units=[f"{first}2", f"{first}3"])
        else:
            battle.do("reserve", side="blue", units=["b3"]).do("reserve", side="red", units=["r3"])
    battle.deployed()
    if battle.state.step == "marks":
        for side, unit, card in (
            ("blue", "r1", "6"),
            ("red", "b1", "7"),
            ("blue", "r2", "8"),
            ("red", "b2", "9"),
        ):
            battle.do("mark", side=side, unit=unit, card=card)
    assert battle.state.round == 1
    return battle
