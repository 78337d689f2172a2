"""Exact odds for other programs: what `companion odds` prints, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion import games
from models.message import CompanionError


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact odds of an attack or a draw; `facts` are what `companion odds --json` prints.

    Without the wounds that the defender has left there is no `destroys`.
    """

    game: str
    facts: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.facts[key]

    @property
    def mean(self) -> float:
        """The number of wounds, or of cards, on average."""
        return float(self.facts["mean"])

    @property
    def destroys(self) -> float | None:
        """The chance to destroy the defender; None where that was not asked."""
        return self.facts.get("destroys")

    def chances(self, key: str = "wounds") -> dict[int, float]:
        """The chance of each number: of wounds, or of what else the game counts."""
        return {int(number): chance for number, chance in self.facts[key].items()}

    def at_least(self, number: int, key: str = "wounds") -> float:
        """The chance of this number or more."""
        return sum(chance for count, chance in self.chances(key).items() if count >= number)


def odds(game: str, **asked: Any) -> Odds:
    """The exact odds in a game, asked with the options of `companion odds --game GAME`."""
    rules = games.find(game)
    known = {one.name: one for one in rules.odds_fields(game)}
    for name in asked:
        if name not in known:
            raise CompanionError(f"odds of {game} know no {name!r}; there are: {', '.join(known)}")
    missing = [one.name for one in known.values() if one.required and one.name not in asked]
    if missing:
        raise CompanionError(f"odds of {game} need {', '.join(missing)}")
    defaults = {one.name: one.default for one in known.values() if one.default is not None}
    answer = rules.odds(game, {**defaults, **asked})
    facts = answer.to_json()
    if not answer.left_known:  # the commands print a 0 there, which nobody asked for
        facts.pop("destroys", None)
    return Odds(game, facts)
