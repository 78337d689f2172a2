"""A battle in a test: two houses on a plain board, commands, refusals."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Accepted, Event, Refusal
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import HouseInBattle, UnitInBattle, WesterosState
from models.message import CompanionError

CARDS: dict[str, Any] = {
    "unit": [
        {"id": "foot", "name": "Foot", "class": "foot"},
        {"id": "guard", "name": "Guard", "class": "foot", "keywords": ["advance"]},
        {"id": "stalwart", "name": "Steady", "class": "foot", "keywords": ["stalwart"]},
        {"id": "tough", "name": "Tough", "class": "foot", "keywords": ["toughness 1"]},
        {"id": "heavy", "name": "Heavy", "class": "foot", "keywords": ["heavy-armour"]},
        {"id": "archer", "name": "Archer", "class": "ranged", "keywords": ["off-balance"]},
        {"id": "rider", "name": "Rider", "class": "cavalry", "keywords": ["pursue 2"]},
        {"id": "hound", "name": "Hound", "class": "special", "keywords": ["war-hounds"]},
        {"id": "burner", "name": "Burner", "class": "foot", "keywords": ["scorched-earth"]},
    ],
    "commander": [
        {"id": "lord", "name": "Lord", "unit": "foot", "limit": 2, "capture": 3},
        {"id": "stranger", "name": "Stranger", "unit": "foot"},
        {"id": "lady", "name": "Lady", "unit": "foot", "limit": 1, "capture": 1},
        {
            "id": "plunderer",
            "name": "Plunderer",
            "unit": "burner",
            "capture": 2,
            "keywords": ["scorched-earth", "scorching-valour"],
        },
        {
            "id": "raider",
            "name": "Raider",
            "unit": "burner",
            "capture": 2,
            "keywords": ["scorched-earth", "scorching-valour"],
        },
    ],
}
Placed = tuple[str, str, str] | tuple[str, str, str, str]
"""A card, a rank, a hex, and a commander if there is one."""


class Clash:
    """Stark has the edge of row 0 and units s1, s2 …; Lannister the other, and l1, l2 …"""

    def __init__(
        self,
        stark: list[Placed],
        lannister: list[Placed],
        begin: bool = True,
        orders: int = 4,
        rolls: tuple[str, str] = ("VVVV", "VVVV"),
        tokens: tuple[int, int] = (3, 3),
        cards: int = 3,
        rout: bool = True,
        readings: tuple[str, ...] = (),
        mace: str = "stark",
        rounds: int = 3,
        commands: list[dict[str, Any]] | None = None,
        **plan: Any,
    ) -> None:
        self.titles: list[str] = []
        self.events: list[Event] = []
        houses = []
        for side, units, count in (
            ("stark", stark, tokens[0]),
            ("lannister", lannister, tokens[1]),
        ):
            listed = []
            for card, rank, cell, *leader in units:
                one = {"card": card, "rank": rank, "cell": cell}
                listed.append({**one, "commander": leader[0]} if leader else one)
            numbers = {"tokens": count, "orders": orders, "cards": cards, "rout": rout}
            houses.append({"side": side, **numbers, "units": listed})
        battle = {
            "id": "clash",
            "name": "Clash",
            "columns": 11,
            "rows": 11,
            "rounds": rounds,
            "mace": mace,
            "house": houses,
            **plan,
        }
        command = {
            "do": "set-up",
            "battle": battle,
            "cards": {**CARDS, **({"command": commands} if commands else {})},
            "readings": list(readings),
        }
        setup = PLAY.prepare("westeros", {**command, "seed": 5})
        assert not isinstance(setup, Refusal)
        self.state: WesterosState = PLAY.start("westeros", setup)
        if begin:
            self.do("begin")
            first = self.state.first
            for side in (first, self.state.other(first)):
                rolled = rolls[0] if side == "stark" else rolls[1]
                self.do("orders", faces=list(rolled[:orders]))

    def decide(self, word: str, fields: dict[str, Any]) -> Accepted | Refusal:
        return PLAY.decide(self.state, {"do": word, **fields})

    def do(self, word: str, **fields: Any) -> Clash:
        """A command that is accepted."""
        found = self.decide(word, fields)
        assert isinstance(found, Accepted), (word, fields, found)
        self.titles, self.events = [], list(found.events)
        for event in found.events:
            self.state = PLAY.apply(self.state, event)
            if title := PLAY.title(event):
                self.titles.append(title)
        assert self.state == found.after
        return self

    def refused(self, word: str, **fields: Any) -> str:
        """The rule by which a command is refused; nothing changes."""
        try:
            found = self.decide(word, fields)
        except CompanionError as error:
            return str(error)
        assert isinstance(found, Refusal), (word, fields)
        assert found.say
        return found.why

    def unit(self, name: str) -> UnitInBattle:
        return self.state.unit(name)

    def house(self, side: str = "stark") -> HouseInBattle:
        return self.state.house(side)

    def cell(self, name: str) -> str:
        cell = self.unit(name).cell
        return f"{cell[0]},{cell[1]}" if cell else ""

    def waits(self) -> str:
        asked = PLAY.pending(self.state)
        return asked[0].what if asked else ""

    def commands(self) -> list[dict[str, Any]]:
        return [one for each in PLAY.options(self.state) for one in each.get("options", ())]

    def order(self, unit: str, tokens: str = "V") -> Clash:
        return self.do("order", unit=unit, tokens=list(tokens))

    def attack(self, unit: str, target: str, symbols: str = "") -> Clash:
        """An attack by an ordered unit with these dice."""
        self.do("attack", unit=unit, target=target)
        return self.do("roll", faces=list(symbols)) if symbols else self

    def pass_both(self) -> Clash:
        """Both players pass, and the Regroup phase runs until it asks something else."""
        while self.waits() == "turn":
            self.do("pass")
        return self

    def next_round(self, rolls: str = "VVVV") -> Clash:
        """To the next Command phase; nothing is kept."""
        self.pass_both()
        while self.waits() not in ("turn", ""):
            match self.waits():
                case "keep":
                    self.do("keep", cards=0)
                case "orders":
                    self.do("orders", faces=list(rolls[: self.house().orders]))
                case "rebuild":
                    self.do("rebuild", yes=False)
                case "direction":
                    self.do("direction", number=1)
        return self

    def engaged(self) -> list[tuple[str, str, str]]:
        return [(one.one, one.two, one.house) for one in self.state.markers]
