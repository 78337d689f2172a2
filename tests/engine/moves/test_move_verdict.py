"""The verdict on a move as a record."""

from __future__ import annotations

from dataclasses import fields

from companion.engine.moves.move_verdict import MoveVerdict


def test_a_verdict_keeps_all_that_a_check_tells() -> None:
    """The words of a game were lost, and players read "aim"."""
    askew = {"target": "r1", "why": ["TMG-CHG-17"], "missing": 0.5, "error": 0.1}
    found = MoveVerdict.read(
        {
            "answer": "unsure",
            "why": ["TMG-CHG-4"],
            "over": 1.5,
            "cost": 4,
            "needs": 3,
            "target": "r1",
            "short": "r2",
            "missing": 0.25,
            "error": 0.05,
            "dangers": [{"piece": "stakes"}],
            "askew": askew,
            "told": "it shifts to its left",
        }
    )
    assert found.askew == MoveVerdict("no", ("TMG-CHG-17",), target="r1", missing=0.5, error=0.1)
    assert found.dangers == ("stakes",)
    empty = MoveVerdict("")
    told = [
        one.name for one in fields(found) if getattr(found, one.name) != getattr(empty, one.name)
    ]
    assert told == [one.name for one in fields(found)], "every member was read"
