"""What a game shows beside its prompts: pieces, the score, pages, and what just happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, PromptForm, Tone
from models.message import Name, joined

FieldColour = Literal["", "grey", "green", "yellow", "red"]


@dataclass(frozen=True, slots=True)
class PageCard:
    """One box: a zone, a card, a pile, a player.

    `count` is drawn large (a pile's size). `turned` draws it lying on its side (a kneeling card),
    `marked` with an outline (it takes part in something), `icons` are small signs at its foot.
    `secret` holds texts for the owner's eyes: shown only while the owner holds the button.
    """

    id: str
    title: str
    lines: tuple[str, ...] = ()
    seat: str = ""
    icon: str = ""
    tone: Tone = ""
    count: int | None = None
    spent: bool = False
    turned: bool = False
    choices: tuple[Choice, ...] = ()
    secret: bool = False
    piece: str = ""
    icons: tuple[str, ...] = ()
    marked: bool = False
    badge: str = ""
    """A short sign on its corner: a count of tokens."""
    note: str = ""
    """One word about its state, such as "kneels"."""
    colour: FieldColour = ""
    """The colour of a field on a track; `marked` is where the marker lies."""
    drawn: str = ""
    """What it tells of a board, drawn beside its words: "ground-forest", "mark-loot",
    "edge-door"."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its boxes, in a grid, in a row, or along a track."""

    title: str
    cards: tuple[PageCard, ...]
    shape: Literal["grid", "row", "list", "track"] = "grid"
    seat: str = ""
    text: str = ""
    piece: str = ""
    """The piece that a tap on its heading selects, such as a player's own board."""
    tag: str = ""
    """One word about its player now, such as "attacks"."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the dock under the card: its short name, its icon and its sections."""

    id: str
    title: str
    icon: str
    sections: tuple[Section, ...]
    badge: str = ""
    """A short sign on its button, such as a count."""


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
    note: str = ""
    """What the players wrote about it themselves."""
    photo: str = ""
    """The file of the photo that they took of it."""
    noted: tuple[str, str] = ("", "")
    """The kind and the id of the own form (`CardForms`) in which they write about it."""
    puts: Plain = field(default_factory=dict)
    """On a board: the command that corrects where it stands, without its cell `to`."""
    counts: str = ""
    """What `left` counts: figures, wounds."""
    player: str = ""
    """Whose it is, by name, where several play for its seat."""

    def __post_init__(self) -> None:
        for key in ("name", "short"):
            object.__setattr__(self, key, Name.of(getattr(self, key)))


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One reason for points: "the left objective, held by Umber Greataxes"."""

    seat: str
    text: str
    points: int
    piece: str = ""
    sure: bool = True
    choices: tuple[Choice, ...] = ()
    """What players can do about it: confirm, correct, deny."""
    detail: str = ""
    """When it counts."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's points, and what wins the game."""

    seat: str
    points: int
    goal: int | None = None
    unit: str = ""
    """What is counted: "VP", "power"."""
    detail: str = ""
    form: PromptForm | None = None
    """Sets the points right by the players' word."""
    place: str = ""
    """What the player came to in a game that is over: "place 2"."""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score page: points by seat, and the lines to confirm now, if any."""

    seats: tuple[SeatScore, ...]
    lines: tuple[ScoreLine, ...] = ()
    confirm: Choice | None = None
    """The button that takes all lines as they stand."""
    winner: str = ""
    """A seat, or "draw"."""
    how: str = ""
    ends: tuple[Choice, ...] = ()
    """How players may end the game early: a concession, an agreed end."""
    terms: tuple[str, ...] = ()
    """What gives points and what decides the game, in words: for those who look it up."""


@dataclass(frozen=True, slots=True)
class GuideStep:
    """A step of a guided turn: what to tap now and why, for players who play for the first time.

    `piece` is to be tapped first, `then` says what follows once it is selected. `leave` ends the
    guide.
    """

    number: int
    of: int
    text: str
    why: str = ""
    piece: str = ""
    then: str = ""
    leave: Choice | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result line after a step: "Rolled 2: the charge fails." and "Move 7″ forward, then test
    panic."

    `big` marks what deserves a banner: a new round, a new turn, a winner.
    """

    text: str
    follows: str = ""
    tone: Tone = ""
    icon: str = ""
    seat: str = ""
    dice: tuple[int | str, ...] = ()
    big: bool = False
    undo: str = ""
    """What Undo calls the step, where the result is not what the players did."""
    lines: tuple[str, ...] = ()
    """Every sentence of the step, a line each in the log; the text and what follows if empty."""
    passes: bool = False
    """Whether players only let the game go on: Undo calls a tap that did more by what else it
    did."""
    placed: bool = False
    """Whether it tells where players have put a tray: then it comes after the result of a roll,
    which mere positions of a camera do not hide."""
    undo_short: str = ""
    """What kind of step it is, in a word or two, where Undo has no room for more."""
    adds: str = ""
    """What a step that only shows where trays stand adds to the result before it, which it does
    not hide: an objective that was lost."""
    so_far: bool = False
    """Whether its dice may still be rerolled: once the next sentence tells the same dice, the log
    leaves it out."""

    @property
    def told(self) -> str:
        """The result and what follows from it, as sentences of one line."""
        ended = self.text.endswith((".", "!", "?", "…"))
        return joined([one for one in (self.text, self.follows) if one], " " if ended else ". ")
