"""The set-up data of a game mode, as read from its edition's `modes.toml`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from models import UnknownName
from models.catalogue import DATA
from models.field import Field, load_toml


@dataclass(frozen=True, slots=True)
class Limit:
    """A distance limit: at least this many inches, or strictly more."""

    rule: str
    inches: float
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class ZoneFact:
    """A deployment zone: a strip along the own edge, or squares in two corners."""

    rule: str
    deep: float = 0.0
    square: float = 0.0
    role: str = ""


@dataclass(frozen=True, slots=True)
class TokenFact:
    """A fixed position of an objective token, and its points at the end of a round."""

    rule: str
    at: tuple[str, ...]
    name: str
    vp: int = 0


@dataclass(frozen=True, slots=True)
class PlacingFact:
    """How players place objective tokens themselves, in addition to the fixed ones."""

    rule: str
    count: int
    from_zones: float
    from_tokens: float
    impassable_rule: str
    vp: int = 0


@dataclass(frozen=True, slots=True)
class TerrainFact:
    """The required distances of a chosen terrain piece, and the piece that may not be chosen.

    `layout` is the distance from the mode's own pieces, which are those named `layout_piece`.
    """

    piece: Limit
    zone: Limit | None = None
    zone_of: str = ""
    edge: Limit | None = None
    layout: Limit | None = None
    layout_piece: str = ""
    token_rule: str = ""
    barred: str = ""
    barred_rule: str = ""


@dataclass(frozen=True, slots=True)
class WallFact:
    """Castle walls: a row before the defender's edge, or one at the middle of each side edge."""

    rule: str
    piece: str = ""
    at_sides: bool = False
    from_edge: float = 0.0
    aside: float = 0.0
    aside_from: tuple[str, ...] = ()
    behind_rule: str = ""
    behind_bars: str = ""


@dataclass(frozen=True, slots=True)
class RedeployFact:
    """Where units arrive during the game: the own zone, strips along own and side edges.

    `completely` is set where the text says so; where it does not, OR-41 decides.
    """

    rule: str
    role: str = ""
    zone: bool = False
    own: float = 0.0
    sides: float = 0.0
    held_sides: bool = False
    completely: bool = False
    from_round: int = 1


@dataclass(frozen=True, slots=True)
class ObjectiveFact:
    """How a token is claimed (whole, part, none) and controlled (ranks, first, carried, none).

    `second_rule`, `leave_rule` and `drop_rule` say where a carried token goes.
    """

    claim: str
    control: str
    claim_rule: str
    off_rule: str
    control_rule: str
    second_rule: str = ""
    leave_rule: str = ""
    drop_rule: str = ""
    drop_within: float = 0.0


@dataclass(frozen=True, slots=True)
class PileFact:
    """Corpse piles on the table from the start."""

    rule: str
    count: int
    under_tokens: bool = False


@dataclass(frozen=True, slots=True)
class NewPileFact:
    """Where the corpse pile of a destroyed unit goes; `at_most` 0 means no limit."""

    rule: str
    within: float
    clear: float
    at_most: int = 0
    token_rule: str = ""


@dataclass(frozen=True, slots=True)
class SizeFact:
    """Sizes that no book prints (OR-1)."""

    wall: tuple[float, ...]
    pile: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ModeFacts:
    """The data of one mode in the file."""

    name: str
    zones: tuple[ZoneFact, ...]
    sizes: SizeFact
    terrain: TerrainFact
    objective: ObjectiveFact
    tokens: tuple[TokenFact, ...] = ()
    placing: PlacingFact | None = None
    walls: WallFact | None = None
    redeploys: tuple[RedeployFact, ...] = ()
    piles: PileFact | None = None
    new_pile: NewPileFact | None = None
    quadrant_rule: str = ""
    mark_rule: str = ""
    mark_within: float = 0.0
    edge_rule: str = ""


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode of one edition: its short key (GOT, COK, …) and its data."""

    game: str
    key: str
    facts: ModeFacts

    @property
    def name(self) -> str:
        """The mode's full name."""
        return self.facts.name


@lru_cache
def modes(game: str) -> tuple[Mode, ...]:
    """Every mode of an edition, in the book's order.

    >>> [mode.key for mode in modes("tmg-2018")]
    ['GOT', 'COK', 'SOS', 'FFC', 'WOW']
    """
    path = DATA / game / "modes.toml"
    if not path.is_file():
        raise UnknownName(f"no game modes for {game!r}")
    root = load_toml(path)
    every = root.raw.get("every", {})
    found = []
    for key in root.raw:
        if key != "every":
            own = root.member(key)
            members = own.keys(get_type_hints(ModeFacts))
            whole = Field({**every, **members}, own.source, own.place)
            found.append(Mode(game, key, build(ModeFacts, whole)))
    return tuple(found)


@lru_cache(maxsize=64)
def mode(game: str, name: str) -> Mode:
    """The mode of that key or name.

    >>> mode("tmg-2021", "a game of thrones").key
    'GOT'
    """
    wanted = name.strip().casefold()
    for known in modes(game):
        if wanted in (known.key.casefold(), known.name.casefold()):
            return known
    keys = ", ".join(known.key for known in modes(game))
    raise UnknownName(f"no mode {name!r} in {game}; there are: {keys}")


def build(kind: Any, field: Field) -> Any:
    """A value of that type from a file; the records above define the keys."""
    if kind is str:
        return field.raw if field.raw == "" else field.text()
    if kind is bool:
        return field.flag()
    if kind is int:
        return field.whole(0, 99)
    if kind is float:
        return field.number(0, 144)
    if get_origin(kind) is tuple:
        return tuple(build(get_args(kind)[0], item) for item in field.items(20))
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    hints = get_type_hints(kind)
    raw = field.keys(hints, [one.name for one in fields(kind) if one.default is MISSING])
    return kind(**{key: build(hints[key], field.member(key)) for key in raw})
