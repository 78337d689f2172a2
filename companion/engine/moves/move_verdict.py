"""What the rules say of the place where a piece was put, as a record and in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.snapshot import Snapshot
from companion.text.verdicts import Reason
from models.message import joined, say

NO_ERROR_IN = 0.005
"""An error of less is not told."""


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """Whether one action explains a move, and what is wrong with it if it does not."""

    answer: str
    why: tuple[str, ...] = ()
    over: float = 0.0
    """By how much it went too far, in inches or cells."""
    cost: int | None = None
    """How many cells its way is."""
    needs: int | None = None
    """What a die must show."""
    target: str | None = None
    short: str | None = None
    """Whom a charge was meant for that it did not reach."""
    missing: float | None = None
    error: float = 0.0
    """By how much it stopped too early, and how wrong the table may be about that."""
    dangers: tuple[str, ...] = ()
    """The pieces of terrain that cost wounds."""
    askew: MoveVerdict | None = None
    """The charge that was meant, if a hand only did not lay it as it ends."""
    told: str = ""
    """What players call it, if not by the name of the action."""

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> MoveVerdict:
        """The verdict as a game's check gives it."""
        askew = plain.get("askew")
        return cls(
            plain.get("answer", "no"),
            tuple(plain["why"]),
            plain.get("over") or 0.0,
            plain.get("cost"),
            plain.get("needs"),
            plain.get("target"),
            plain.get("short"),
            plain.get("missing"),
            plain.get("error", 0.0),
            tuple(one["piece"] for one in plain.get("dangers", ())),
            cls.read(askew) if askew is not None else None,
            plain.get("told", ""),
        )

    @property
    def possible(self) -> bool:
        """Whether it may explain the move."""
        return self.answer != "no"

    @property
    def unsure(self) -> bool:
        """Whether that is too close to call."""
        return self.answer == "unsure"

    def limited(self, reach: float, speed: float, far: float) -> MoveVerdict:
        """The verdict on a move whose dice lie: it goes no farther than they let it."""
        if not self.possible or self.needs is None or self.needs <= reach - speed:
            return self
        return replace(self, answer="no", over=max(far - reach, 0.0))

    def reasons(self, reason: Reason) -> str:
        """Why it does not explain the move."""
        return reasons(self.why, reason)

    def fault(self, reason: Reason) -> str:
        """The same with by how much it fell short."""
        return joined(filter(None, (self.fell_short(), self.reasons(reason))), " · ")

    def fell_short(self) -> str:
        """By how much a move stopped too early, and how wrong the table may be about that."""
        if not self.missing:
            return ""
        if self.error < NO_ERROR_IN:
            return say("{length:.2f}″ are missing", length=self.missing)
        return say("{length:.2f}″ ± {error:.2f}″ are missing", length=self.missing,
                   error=self.error)  # fmt: skip

    def costs(self, snapshot: Snapshot) -> str:
        """What a move costs by the ground that it goes over."""
        pieces = dict.fromkeys(snapshot.name(piece) for piece in self.dangers)
        return say("wounds by {pieces}", pieces=joined(pieces)) if pieces else ""


Verdicts = Mapping[str, MoveVerdict]
"""The verdict on a move as each action."""


def reasons(rules: Iterable[str], reason: Reason) -> str:
    """The short reasons behind the numbers of rules."""
    return joined(dict.fromkeys(reason(rule) for rule in rules if reason(rule)), "; ")


def allowed(found: Verdicts, legal: Collection[str], snapshot: Snapshot, reason: Reason) -> str:
    """The actions that explain the move, as text, and what is too close to call about them."""
    actions = joined(
        close_call(name, found[name].reasons(reason))
        if found[name].unsure
        else found[name].told or name
        for name in legal
    )
    costs = dict.fromkeys(filter(None, (found[name].costs(snapshot) for name in legal)))
    return joined((actions, *costs), " · ")


def close_call(action: str, why: str) -> str:
    """An action that may or may not explain a move, with what would forbid it."""
    if not why:
        return say("{action} (too close to call)", action=action)
    return say("{action} (too close to call: {why})", action=action, why=why)


def missed(
    found: Verdicts, off: Mapping[str, float], reason: Reason
) -> tuple[str, tuple[str, ...]]:
    """The action that comes nearest and why it is not allowed; the numbers of the rules. `off` is
    how far each is beside its line."""

    def short(name: str) -> float:
        return found[name].over or off.get(name) or math.inf

    name = min(found, key=short)
    nearest, beside = found[name], off.get(name)
    far = too_far(nearest.over) if nearest.over else off_line_words(beside) if beside else ""
    parts = (nearest.told or name, far, nearest.fault(reason))
    return joined((part for part in parts if part), " · "), tuple(dict.fromkeys(nearest.why))


def too_far(over: float) -> str:
    """By how much a move went too far."""
    return say("{length:.2f}″ too far", length=over)


def off_line_words(length: float) -> str:
    """By how much a straight move missed its line."""
    return say("{length:.2f}″ off the straight line", length=length)


def out_of_turn(snapshot: Snapshot, unit: str) -> str:
    """Why a piece may not move now."""
    piece = snapshot.piece(unit)
    asked = snapshot.prompts[0].choices if snapshot.prompts else ()
    if any(one.piece == unit for one in asked):
        return say("First choose what it does.")
    if piece is not None and piece.state == "spent":
        return say("It has already acted this round.")
    acting = next((one for one in snapshot.pieces if one.state == "acting"), None)
    if acting is not None and acting.id == unit:
        return say("It has no move left in this turn.")
    if acting is not None:
        return say("It is the turn of {unit}.", unit=acting.name)
    return say("It is not its turn.")
