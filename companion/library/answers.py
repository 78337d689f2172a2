"""What the rules say about a table, as records: may it, and which rule numbers forbid it.

The values are those that `companion rules --json` and `companion check --json` print;
docs/formats.md names every key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion import games
from companion.library.tables import sound
from models.field import parse_json
from models.message import BadInput, UnknownName
from models.table import AnyTable


@dataclass(frozen=True, slots=True)
class Ruling:
    """ "yes", "no" or "unsure", the rule numbers that say why, and the numbers that belong to it.

    It counts as true only where it is certain: too close to call is not a yes.

    >>> charge = Ruling("yes", facts={"needs": 3, "chance": 0.6667})
    >>> bool(charge), charge["needs"], bool(Ruling("unsure"))
    (True, 3, False)
    """

    answer: str
    why: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.answer == "yes"

    def __getitem__(self, key: str) -> Any:
        return self.facts[key]

    def get(self, key: str, default: Any = None) -> Any:
        """One of the facts, or the default."""
        return self.facts.get(key, default)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Ruling:
        """An answer as the commands print it."""
        facts = {key: value for key, value in plain.items() if key not in ("answer", "why")}
        return cls(plain["answer"], tuple(plain.get("why", ())), facts)

    def to_json(self) -> dict[str, Any]:
        """The answer as the commands print it."""
        return {"answer": self.answer, "why": list(self.why), **self.facts}


@dataclass(frozen=True, slots=True)
class PieceReport:
    """Everything the rules say about one unit or piece.

    `facts` are the values as `companion rules --json` prints them; the properties are the usual
    ones of all games, empty where a game does not have them.
    """

    id: str
    facts: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.facts[key]

    def answers(self, key: str) -> dict[str, Ruling]:
        """The answers under a key, by the other piece or by the action."""
        return {name: Ruling.of(plain) for name, plain in self.facts.get(key, {}).items()}

    @property
    def charges(self) -> dict[str, Ruling]:
        """May it charge each enemy: with `needs`, `chance`, `zone`, `distance`."""
        return self.answers("charges")

    @property
    def shots(self) -> dict[str, Ruling]:
        """May it shoot at each enemy."""
        return self.answers("shots")

    @property
    def attacks(self) -> dict[str, Ruling]:
        """May it attack each enemy (games on a board)."""
        return self.answers("attacks")

    @property
    def moves(self) -> dict[str, Ruling]:
        """May it move at all, by action."""
        return self.answers("moves")

    @property
    def sees(self) -> dict[str, Ruling]:
        """Does it see each enemy."""
        return self.answers("sees")

    @property
    def zones(self) -> dict[str, Ruling]:
        """In which arc of each enemy it stands: the answer is front, left, right or rear."""
        return self.answers("zone")

    @property
    def engaged(self) -> tuple[str, ...]:
        """The enemies it is engaged with."""
        return tuple(self.facts.get("engaged", ()))

    @property
    def distances(self) -> dict[str, float]:
        """How far each other piece is: inches between trays, spaces between pieces of a board."""
        return dict(self.facts.get("gap", self.facts.get("distance", {})))

    @property
    def reach(self) -> dict[str, Mapping[str, Any]]:
        """The cells where a plain move may end, each with what it costs (games on a board)."""
        return dict(self.facts.get("reach", {}))


@dataclass(frozen=True, slots=True)
class Report:
    """What the rules say about every unit or piece of a table: `report["b3"].charges["r1"]`."""

    game: str
    pieces: Mapping[str, PieceReport]

    def __getitem__(self, piece: str) -> PieceReport:
        try:
            return self.pieces[piece]
        except KeyError:
            known = ", ".join(self.pieces) or "none"
            raise UnknownName(f"no unit {piece!r} on the table; there are: {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    def reason(self, rule: str) -> str:
        """What a rule number means, in a few words; empty if the game has none for it."""
        return str(games.find(self.game).reason(rule))

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Report:
        """A report as `companion rules --json` prints it."""
        found = plain.get("pieces") or plain.get("units") or {}
        return cls(plain["game"], {key: PieceReport(key, facts) for key, facts in found.items()})

    @classmethod
    def parse(cls, text: str) -> Report:
        """A report from the text of one."""
        root = parse_json(text, "report")
        plain = root.keys(root.members(), {"game"})
        root.member("game").text()
        for key in ("pieces", "units"):
            if key in plain:
                for name in root.member(key).members():
                    root.member(key).member(name).members()
        return cls.of(plain)

    def to_json(self) -> dict[str, Any]:
        """The report as one object, without the name of a table file."""
        facts = {key: dict(one.facts) for key, one in self.pieces.items()}
        return {"game": self.game, "pieces": facts}

    def text(self) -> str:
        """The report as a text; `Report.parse` reads it back."""
        return json.dumps(self.to_json(), allow_nan=False) + "\n"


def rules(table: AnyTable, readings: Sequence[str] = ()) -> Report:
    """Everything the rules say about a table; a reading (`NAME=VALUE`) settles an open rule.

    >>> from companion import practice_table
    >>> report = rules(practice_table())
    >>> charge = report["b3"].charges["r1"]
    >>> charge.answer, charge["zone"], charge["needs"]
    ('yes', 'left', 3)
    >>> report["b1"].charges["r1"].why
    ('TMG-CHG-1',)
    """
    game = games.find(sound(table).game)
    return Report.of(game.report(table, game.settings(readings)).to_json(""))


def check(
    before: AnyTable, after: AnyTable, unit: str, readings: Sequence[str] = ()
) -> dict[str, Ruling]:
    """Which actions explain a unit's move between two tables, by action.

    >>> from companion import practice_table
    >>> before = practice_table()
    >>> after = before.moved("b2", before.unit("b2").pose.shifted(4.0))
    >>> [action for action, answer in check(before, after, "b2").items() if answer]
    ['maneuver', 'march']
    """
    if sound(before).game != sound(after, unit).game:
        raise BadInput("after", "game", f"{after.game!r} is not {before.game!r} as before")
    game = games.find(before.game)
    plain = game.check(before, after, unit, game.settings(readings))
    return {action: Ruling.of(one) for action, one in plain.items()}
