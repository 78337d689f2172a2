"""The players' readings of rules the books leave open: one named setting per open reading OR-n.

>>> Readings().arc_lines
'tray'
>>> Readings.parse(["arc_lines=45", "OR-26=each"]).to_json()
['arc_lines=45', 'rough=each']

The fields of `Readings` are the switches; the first value is the catalogue's default. `FIXED` lists
every other open reading, for which only one value is implemented.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from models import BadInput, UnknownName


@dataclass(frozen=True, slots=True)
class RuleReading:
    """One open reading: its number, its setting's name, the allowed values, and a description."""

    number: str
    name: str
    choices: tuple[str, ...]
    words: str

    @property
    def default(self) -> str:
        """The catalogue's own reading."""
        return self.choices[0]

    @property
    def switch(self) -> bool:
        """Whether there is more than one value."""
        return len(self.choices) > 1


def switch(number: str, choices: str, words: str) -> Any:
    """A field of `Readings`: the catalogue's default first, then the other readings."""
    known = tuple(choices.split())
    return field(default=known[0], metadata={"number": number, "choices": known, "words": words})


@dataclass(frozen=True, slots=True)
class Readings:
    """The players' choice for every switchable reading."""

    # decided from positions
    arc_lines: str = switch(
        "OR-2",
        "tray 45 centre",
        "arc lines leave the corners at the tray's own angle, at 45 degrees, "
        "or on the line from the tray's centre",
    )
    contact_ratio: str = switch(
        "OR-8",
        "smaller attacker",
        "50 % and 100 % contact count the shorter of the two edges, or the attacker's front only",
    )
    friends_block_room: str = switch(
        "OR-9",
        "yes no",
        "a friendly tray takes room where a charge would end, or it makes way",
    )
    failed_charge_stop: str = switch(
        "OR-14",
        "full one-inch",
        "a failed charge goes its full distance, or stops 1″ before its target",
    )
    table_edge: str = switch(
        "OR-18",
        "final off",
        "a tray must end its move wholly on the table, or may stand over the edge",
    )
    near_pivot: str = switch(
        "OR-19",
        "strict free",
        "pivots and shifts too must end 1″ clear of enemies, or they need not",
    )
    retreat_forward: str = switch(
        "OR-22",
        "any all",
        "a retreat may go forward when any enemy is at flank or rear, or only when all are",
    )
    through_piece: str = switch(
        "OR-25",
        "leaves any",
        "a piece stops a sight line that leaves it again, or any line that enters it",
    )
    rough: str = switch(
        "OR-26",
        "once each",
        "Rough costs 1″ once a move, or 1″ for every piece crossed",
    )
    control_back: str = switch(
        "OR-29",
        "at-once new-claim",
        "control of a token returns when the stronger enemy is gone, or only by a new move",
    )
    walls: str = switch(
        "OR-31",
        "edges middle",
        "the outer castle walls stand 4″ from the side edges, or from the middle wall",
    )
    cok_edge: str = switch(
        "OR-34",
        "nearest opposite",
        "a side token wins the side edge nearest to it, or the far one",
    )
    token_from: str = switch(
        "OR-36",
        "centre rim",
        "distances of a token count from its centre, or from its rim",
    )
    player_edges: str = switch(
        "OR-37",
        "long short",
        "the players sit at the long edges of an oblong table, or at the short ones",
    )
    redeploy: str = switch(
        "OR-41",
        "completely partly",
        "within Short Range of an edge means the whole tray, or any part of it",
    )
    cok_corners: str = switch(
        "OR-45",
        "own-edge diagonal",
        "a player's two corner squares lie on the own edge, or across from one another",
    )
    corner_contact: str = switch(
        "OR-49",
        "ask touch apart",
        "whether enemies meet that touch only at a corner: the app asks, they are in contact, "
        "or they are not",
    )
    # affect the score, not positions
    vp_goal: str = switch(
        "OR-30",
        "more nobody",
        "when both reach the goal the one with more points wins, or nobody yet",
    )
    melee_panic: str = switch(
        "OR-39",
        "all standing",
        "friends in the melee test even if the shot destroyed its target, or only if not",
    )
    order_ranks: str = switch(
        "OR-43",
        "both result",
        "an order's two penalties both count per destroyed rank, or only the first",
    )

    last_unit: str = switch(
        "OR-47",
        "ask out stays",
        "where units return, a side without a unit on the table is asked about, is out, or stays",
    )
    failed_free_charge: str = switch(
        "OR-48",
        "acts ends",
        "after a failed free charge in its activation a unit still acts, or its activation ends",
    )

    def __post_init__(self) -> None:
        for known in SWITCHES:
            value = getattr(self, known.name)
            if value not in known.choices:
                raise BadInput(
                    "readings",
                    known.name,
                    f"{value!r} is unknown; known: {', '.join(known.choices)}",
                )

    @classmethod
    def parse(cls, settings: Iterable[str]) -> Readings:
        """Readings from `name=value` settings; a name is the setting's or its OR number."""
        chosen: dict[str, str] = {}
        for setting in settings:
            name, equals, value = (part.strip() for part in setting.partition("="))
            if not equals:
                raise BadInput("readings", "", f"{setting!r} is not name=value")
            known = reading(name)
            if known.name in chosen:
                raise BadInput("readings", known.name, "is set twice")
            chosen[known.name] = value
            if not known.switch and value != known.default:
                raise BadInput(
                    "readings", known.name, f"{value!r}: only {known.default!r} is built"
                )
        return cls(**{name: value for name, value in chosen.items() if reading(name).switch})

    def to_json(self) -> list[str]:
        """The settings that differ from the defaults; `parse` reads them back."""
        return [
            f"{known.name}={getattr(self, known.name)}"
            for known in SWITCHES
            if getattr(self, known.name) != known.default
        ]


SWITCHES: tuple[RuleReading, ...] = tuple(
    RuleReading(one.metadata["number"], one.name, one.metadata["choices"], one.metadata["words"])
    for one in fields(Readings)
)


def fixed(number: int, name: str, value: str, words: str) -> RuleReading:
    return RuleReading(f"OR-{number}", name, (value,), words)


FIXED: tuple[RuleReading, ...] = (
    fixed(1, "sizes", "data", "sizes of trays, tokens, walls and pieces are data: measure yours"),
    fixed(3, "sight_from", "front-edge", "a sight line starts anywhere on the closed front edge"),
    fixed(4, "sight_to", "in-arc", "a sight line ends on a part of the target in the front arc"),
    fixed(5, "grazing", "open", "touching a corner or running along an edge does not block"),
    fixed(6, "largest_part", "area", "the largest part of a tray is the largest share of area"),
    fixed(7, "melee_arc", "area-then-edge", "the arc in melee is the largest share, then the edge"),
    fixed(10, "room_terrain", "impassable", "only Impassable pieces take room from a charge"),
    fixed(11, "charge_distance", "travel", "a charge is as long as its forward travel to contact"),
    fixed(12, "first_contact", "any-side", "any contact counts, then the tray goes to its arc"),
    fixed(13, "one_inch", "inclusive", "exactly 1 inch is far enough; within n inches includes n"),
    fixed(15, "failed_on_friend", "last-free", "a failed charge stops clear of friendly trays"),
    fixed(16, "range_and_sight", "apart", "the part in range need not be the part that is seen"),
    fixed(17, "effect_range", "tray-to-tray", "ranges of effects go from tray to tray"),
    fixed(20, "melee_facing", "re-placed", "a facing change puts the front on the contact edge"),
    fixed(21, "several_enemies", "stay", "with two enemies neither facing nor contact changes"),
    fixed(23, "pivot_on_enemy", "never", "a first pivot may not end on an enemy tray"),
    fixed(24, "on_piece", "any-overlap", "a tray that overlaps a piece is on it"),
    fixed(27, "destructible", "attack-action", "removing a Destructible piece takes an attack"),
    fixed(28, "board_zones", "by-sense", "zones: crown, wealth, combat, tactics, maneuver"),
    fixed(32, "har_layout", "sides", "tokens at centre and sides, a wall at each side edge"),
    fixed(33, "cok_cards", "own-turn", "a card at the start of any own turn, one a round"),
    fixed(35, "first_player", "after-zones", "the first player is decided once zones are chosen"),
    fixed(38, "vp_sizes", "steps", "8 points up to 39, then 2 more for every 10 points"),
    fixed(40, "healed_model", "reverse", "the last model removed returns first"),
    fixed(42, "ncu_commander", "no-field-unit", "a commander off the table has no field effect"),
    fixed(44, "critical_precision", "rolled-only", "only the rolled 6 becomes a wound"),
    fixed(46, "missing_dice", "last-printed", "a missing dice value means the last printed one"),
)

READINGS: tuple[RuleReading, ...] = tuple(
    sorted((*SWITCHES, *FIXED), key=lambda one: int(one.number.removeprefix("OR-")))
)
"""All open readings in the catalogue's order."""

DEFAULT = Readings()


def reading(name: str) -> RuleReading:
    """The open reading with that setting's name or OR number."""
    wanted = name.strip().casefold()
    for known in READINGS:
        if wanted in (known.number.casefold(), known.name, known.name.replace("_", "-")):
            return known
    names = ", ".join(known.name for known in SWITCHES)
    raise UnknownName(f"no reading {name!r}; there are: {names}")
