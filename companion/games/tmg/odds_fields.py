"""The numbers that the odds of the miniatures game are asked with: options of `companion odds`."""

from __future__ import annotations

from companion.games.api.rules import OddsField

ODDS_FIELDS = (
    OddsField("hit", "number", "attack dice hit on N+", True, least=1, most=7),
    OddsField("dice", "number", "attack dice", True, least=0, most=60),
    OddsField("defense", "number", "defense dice block on N+", True, least=1, most=7),
    OddsField("morale", "number", "panic tests pass on N+", True, least=1, most=13),
    OddsField("zone", "word", options=("front", "flank", "rear"), default="front"),
    OddsField("charge", "flag", "with the charge bonus"),
    OddsField("abilities", "words", default=()),
    OddsField("attack_mod", "number", least=-20, most=20, default=0),
    OddsField("defense_mod", "number", least=-20, most=20, default=0),
    OddsField("morale_mod", "number", least=-20, most=20, default=0),
    OddsField("models", "number", "wounds the defender has left", least=1, most=200),
)
