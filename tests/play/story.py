"""Verbs to tell a whole game with: one call per turn, read like a battle report."""

from __future__ import annotations

from typing import Any

from companion.games.tmg.play import PLAY
from tests.play.battle import Battle


class Story(Battle):
    """A game told turn by turn; every verb but `claims` and `holds` is a whole turn."""

    def begin(self, **choices: Any) -> Story:
        """The ready table, and what the mode asks for before the first round."""
        self.do("continue")
        for player, card in choices.get("cards", ()):
            self.do("choose-card", player=player, card=card)
        for player, cards in choices.get("missions", {}).items():
            self.do("missions", player=player, cards=cards)
        for side, units in choices.get("reserve", {}).items():
            self.do("reserve", side=side, units=units)
        self.do("deploy")
        for side, unit, card in choices.get("marks", ()):
            self.do("mark", side=side, unit=unit, card=card)
        assert self.state.round == 1, self.waits()
        return self

    # -- turns ------------------------------------------------------------------------------

    def marches(self, unit: str) -> Story:
        self.do("activate", unit=unit).do("action", action="march").do("end-turn")
        return self

    def maneuvers(self, unit: str) -> Story:
        self.do("activate", unit=unit).do("action", action="maneuver").do("end-turn")
        return self

    def retreats(self, unit: str, die: int) -> Story:
        self.do("activate", unit=unit).do("action", action="retreat", faces=[die])
        self.do("end-turn")
        return self

    def rests(self, *units: str) -> Story:
        for unit in units:
            self.forgo(unit)
        return self

    def charges(self, unit: str, target: str, *, die: int, inches: float, **attack: Any) -> Story:
        self.do("activate", unit=unit)
        faces = [die] * (2 if attack.pop("hindering", False) else 1)
        fields = {"zone": attack.pop("zone")} if "zone" in attack else {}
        fields = {"zone": "front", **fields}
        self.do("action", action="charge", target=target, faces=faces, distance=inches, **fields)
        return self.resolved(**attack)

    def fights(self, unit: str, target: str, **attack: Any) -> Story:
        self.do("activate", unit=unit)
        fields = {"zone": attack.pop("zone")} if "zone" in attack else {}
        self.do("action", action="attack", target=target, ranged=False, **fields)
        return self.resolved(**attack)

    def shoots(self, unit: str, target: str, **attack: Any) -> Story:
        self.do("activate", unit=unit)
        self.do("action", action="attack", target=target, ranged=True)
        return self.resolved(**attack)

    def resolved(
        self,
        *,
        wounds: int = 0,
        rolls: list[int] | None = None,
        saves: list[int] | None = None,
        panic: tuple[int, ...] = (6, 6, 1),
        surge: bool = False,
    ) -> Story:
        """The attack to its end: dice or wounds, panic, surge; then the turn ends."""
        if self.state.attack is not None:
            if rolls is not None:
                self.do("roll", faces=rolls, keep=True)
                if saves is not None:
                    self.do("roll", faces=saves, keep=True)
            else:
                self.do("attack-result", wounds=wounds)
        while self.state.trials:
            d3 = {"d3": panic[2]} if self.state.year == "2021" else {}
            self.do("panic", faces=list(panic[:2]), keep=True, **d3)
        if self.state.attack is not None:
            self.do("continue")
        while self.state.trials:
            self.do("panic", faces=[6, 6], keep=True)
        return self.tidied(surge)

    def tidied(self, surge: bool = False) -> Story:
        """Small things that wait are done, and the turn ends."""
        while self.state.phase != "over" and self.state.tasks:
            task = self.state.tasks[0]
            if task.kind == "surge":
                self.do("surge", take=surge)
            elif task.kind in ("pile", "token"):
                self.do("place")
            elif task.kind == "elimination":
                self.do("eliminate", side=task.other, out=False)
            else:
                break
        if self.state.phase != "over" and self.state.step == "end-of-turn":
            self.do("end-turn")
        return self

    def claims(self, ncu: str, zone: str, **effect: Any) -> Story:
        """An NCU's turn."""
        self.do("activate", unit=ncu).do("claim", zone=zone)
        self.do("zone-effect", **(effect or {"skip": True}))
        if self.state.trials:
            self.do("panic", faces=[6, 6], keep=True)
        if self.state.attack is not None:
            self.resolved(wounds=1)
            return self
        self.do("end-turn")
        return self

    # -- in between -------------------------------------------------------------------------

    def holds(self, unit: str, *tokens: str) -> Story:
        for token in tokens:
            self.do("objective", token=token, unit=unit)
        return self

    def rest_of_round(self) -> Story:
        """Everybody else does nothing of note."""
        self.finish_round()
        return self

    def ends_round(self, **vp: int) -> Story:
        """The round is cleaned up; the score is then this."""
        before = self.state.round
        self.finish_round()
        self.do("end-round")
        while self.state.phase == "clean-up" and self.state.tasks:
            self.do("wall-hits", d3=1)
            self.do("roll", faces=[6] * 3, keep=True)
        if self.state.phase == "clean-up":
            self.do("end-round")
        if vp:
            assert self.view()["vp"] == vp, f"after round {before}: {self.view()['vp']}"
        return self

    def quiet_rounds(self, until: int) -> Story:
        """Nothing happens until that round has begun."""
        while self.state.round < until and self.state.phase != "over":
            self.ends_round()
            while self.state.step in ("redeploy", "missions"):
                self.do("continue")
        return self

    def won_by(self, winner: str, rule: str) -> None:
        """The end: who won and by which rule; the log alone tells the same story."""
        assert (self.state.winner, rule in self.state.how) == (winner, True), self.state.how
        assert self.folded() == self.state
        report = [line for line in self.report() if line]
        assert report[-1].startswith("Draw" if winner == "draw" else f"{winner} wins")
        assert PLAY.moment(self.state).winner == winner
        assert PLAY.pending(self.state) == []
