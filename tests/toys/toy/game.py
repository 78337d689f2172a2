"""The toy's face: its answers are plain numbers from the poses, so tests can foretell them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api.rules import GameRules, OddsField
from companion.overlay.shapes import Circle, Style, TableScene
from models import CompanionError, Table


@dataclass(frozen=True)
class ToyOdds:
    """Half the dice hit."""

    dice: int
    models: int | None = None

    @property
    def left_known(self) -> bool:
        return self.models is not None

    def to_json(self) -> dict[str, Any]:
        mean = self.dice / 2
        destroys = 0.25 if self.models is not None else 0.0
        return {
            "wounds": {"0": 0.5, str(self.dice): 0.5},
            "panic_fails": 0.125,
            "mean": mean,
            "destroys": destroys,
        }


@dataclass(frozen=True)
class ToyReport:
    """Everybody may charge everybody nearer than `reach`."""

    table: Table
    reach: float

    @property
    def units(self) -> dict[str, Any]:
        return {unit.id: self.unit(unit.id) for unit in self.table.units}

    def unit(self, unit_id: str) -> dict[str, Any]:
        me = self.table.unit(unit_id)
        charges, shots = {}, {}
        for enemy in self.table.enemies(me):
            distance = math.dist((me.pose.x, me.pose.y), (enemy.pose.x, enemy.pose.y))
            near = distance <= self.reach
            charges[enemy.id] = {
                **({"answer": "yes", "why": []} if near else {"answer": "no", "why": ["TOY-1"]}),
                "zone": "front",
                "distance": distance,
                "needs": 3,
                "chance": 2 / 3,
            }
            shots[enemy.id] = {
                "answer": "unsure",
                "why": ["TOY-2"],
                "margin": -0.04,
                "probability": 0.25,
                "attack": "Bow",
                "zone": "left",
                "shift": [1.0, -0.5],
                "panics": ["b2"],
            }
        moves = {
            "march": {"answer": "yes", "why": []},
            "retreat": {"answer": "no", "why": ["TOY-3"]},
        }
        return {"engaged": [], "charges": charges, "shots": shots, "moves": moves}

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
        return {"table": name, "game": self.table.game, "units": self.units}


class Toy(GameRules):
    """A game whose one reading is the reach of a charge."""

    games = ("tmg-2018", "tmg-2021")

    def settings(self, readings: Sequence[str] = ()) -> float:
        reach = 20.0
        for text in readings:
            name, _, value = text.partition("=")
            if name != "reach":
                raise CompanionError(f"no reading {name!r}; there is: reach")
            reach = float(value)
        return reach

    def switches(self) -> tuple[()]:
        return ()

    def modes(self, game: str) -> tuple[()]:
        return ()

    def report(self, table: Table, settings: Any = None) -> ToyReport:
        return ToyReport(table, self.settings() if settings is None else settings)

    def check(
        self, before: Table, after: Table, unit_id: str, settings: Any = None
    ) -> dict[str, Any]:
        old, new = before.unit(unit_id).pose, after.unit(unit_id).pose
        over = math.dist((old.x, old.y), (new.x, new.y)) - before.unit(unit_id).speed
        if over > 0:
            return {"march": {"answer": "no", "why": ["TOY-4"], "over": round(over, 2)}}
        return {"march": {"answer": "yes", "why": [], "over": 0.0}}

    def reason(self, rule: str) -> str:
        return {"TOY-3": "nobody retreats", "TOY-4": "it is too far"}.get(rule, "")

    def odds_fields(self, game: str) -> tuple[OddsField, ...]:
        return (
            OddsField("dice", "number", "how many dice", True, least=0, most=60),
            OddsField("luck", "words", default=()),
            OddsField("side", "word", options=("near", "far"), default="near"),
            OddsField("bold", "flag"),
            OddsField("left", "number", "what is left", least=1, most=200),
        )

    def odds(self, game: str, asked: Mapping[str, Any]) -> ToyOdds:
        if "lucky" in asked["luck"]:
            raise CompanionError("no luck 'lucky'")
        return ToyOdds(asked["dice"], asked.get("left"))

    def scene(
        self, table: Table, unit_id: str | None = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        if table.mode == "NONE":
            raise CompanionError("no mode 'NONE'")
        marks = tuple(
            Circle((unit.pose.x, unit.pose.y), 1.0, Style("mark", unit.side))
            for unit in table.units
        )
        return TableScene(table.width, table.depth, table.sides(), shapes=marks)

    def board(self, table: Table) -> TableScene:
        return self.scene(table)


GAME = Toy()
