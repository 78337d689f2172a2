"""A piece on the table as players see it: its name, its card and the badges on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.api.prompt import Choice, PromptForm, Tone


@dataclass(frozen=True, slots=True)
class Badge:
    """A small sign on a piece: a token, a state, a rank."""

    text: str
    icon: str = ""
    tone: Tone = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class PieceView:
    """One piece: what its badge on the picture and its card beside it say.

    Two pieces of one name are numbered as players do ("Bowmen 2"): `name` is unique in a game.
    `left` and `most` are what remains of it (wounds, models, health); `ranks` are drawn as
    segments. `state` says whether it may still act.
    """

    id: str
    name: str
    short: str
    seat: str
    kind: str = ""
    left: int | None = None
    most: int | None = None
    ranks: tuple[int, int] | None = None
    state: Literal["ready", "acting", "spent", "lost"] = "ready"
    leader: bool = False
    engaged: bool = False
    badges: tuple[Badge, ...] = ()
    lines: tuple[str, ...] = ()
    """The lines of its card."""
    corrections: tuple[Choice, ...] = ()
    """What the "Correct…" sheet offers for it."""
    forms: tuple[PromptForm, ...] = ()
    """What it offers besides, with a value to enter."""
