"""The players' readings of rules the books leave open: one named setting per open reading OR-n.

>>> Readings().arc_lines
'tray'
>>> Readings.parse(["arc_lines=45", "OR-26=each"]).texts()
['arc_lines=45', 'rough=each']

The fields of `Readings` are the switches; the first value is the catalogue's default. `FIXED` lists
every other open reading, for which only one value is implemented.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.rules import ReadingSwitch
from companion.games.shared.readings import GameReadings, reading, switches_of
from models.message import say


def fixed(number: int, name: str, value: str, words: str) -> ReadingSwitch:
    return ReadingSwitch(f"OR-{number}", name, (value,), words)


FIXED: tuple[ReadingSwitch, ...] = (
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


@dataclass(frozen=True, slots=True)
class Readings(GameReadings):
    """The players' choice for every switchable reading."""

    JOINT = "_"
    FIXED = FIXED

    # decided from positions
    arc_lines: str = reading(
        "OR-2",
        {"tray": say("the tray's own"), "45": say("45 degrees"), "centre": say("from the centre")},
        say(
            "arc lines leave the corners at the tray's own angle, at 45 degrees, "
            "or on the line from the tray's centre"
        ),
    )
    contact_ratio: str = reading(
        "OR-8",
        {"smaller": say("shorter edge"), "attacker": say("attacker's front")},
        say(
            "50 % and 100 % contact count the shorter of the two edges, "
            "or the attacker's front only"
        ),
    )
    friends_block_room: str = reading(
        "OR-9",
        {"yes": say("takes room"), "no": say("makes way")},
        say("a friendly tray takes room where a charge would end, or it makes way"),
    )
    failed_charge_stop: str = reading(
        "OR-14",
        {"full": say("full distance"), "one-inch": say("1″ before")},
        say("a failed charge goes its full distance, or stops 1″ before its target"),
    )
    table_edge: str = reading(
        "OR-18",
        {"final": say("wholly on it"), "off": say("over the edge")},
        say("a tray must end its move wholly on the table, or may stand over the edge"),
    )
    near_pivot: str = reading(
        "OR-19",
        {"strict": say("1″ clear"), "free": say("need not")},
        say("pivots and shifts too must end 1″ clear of enemies, or they need not"),
    )
    retreat_forward: str = reading(
        "OR-22",
        {"any": say("any enemy"), "all": say("all enemies")},
        say("a retreat may go forward when any enemy is at flank or rear, or only when all are"),
    )
    through_piece: str = reading(
        "OR-25",
        {"leaves": say("leaving again"), "any": say("entering")},
        say("a piece stops a sight line that leaves it again, or any line that enters it"),
    )
    rough: str = reading(
        "OR-26",
        {"once": say("once a move"), "each": say("every piece")},
        say("Rough costs 1″ once a move, or 1″ for every piece crossed"),
    )
    control_back: str = reading(
        "OR-29",
        {"at-once": say("at once"), "new-claim": say("by a new move")},
        say("control of a token returns when the stronger enemy is gone, or only by a new move"),
    )
    walls: str = reading(
        "OR-31",
        {"edges": say("from the edges"), "middle": say("from the middle")},
        say("the outer castle walls stand 4″ from the side edges, or from the middle wall"),
    )
    cok_edge: str = reading(
        "OR-34",
        {"nearest": say("nearest edge"), "opposite": say("the edge opposite")},
        say("a side token wins the side edge nearest to it, or the far one"),
    )
    token_from: str = reading(
        "OR-36",
        {"centre": say("centre"), "rim": say("rim")},
        say("distances of a token count from its centre, or from its rim"),
    )
    player_edges: str = reading(
        "OR-37",
        {"long": say("long edges"), "short": say("short edges")},
        say("the players sit at the long edges of an oblong table, or at the short ones"),
    )
    redeploy: str = reading(
        "OR-41",
        {"completely": say("whole tray"), "partly": say("any part")},
        say("within Short Range of an edge means the whole tray, or any part of it"),
    )
    cok_corners: str = reading(
        "OR-45",
        {"own-edge": say("own edge"), "diagonal": say("across")},
        say("a player's two corner squares lie on the own edge, or across from one another"),
    )
    corner_contact: str = reading(
        "OR-49",
        {
            "ask": say("the app asks"),
            "touch": say("it is contact"),
            "apart": say("it is no contact"),
        },
        say(
            "whether enemies meet that touch only at a corner: the app asks, they are in contact, "
            "or they are not"
        ),
    )
    # affect the score, not positions
    vp_goal: str = reading(
        "OR-30",
        {"more": say("more points win"), "nobody": say("nobody yet")},
        say("when both reach the goal the one with more points wins, or nobody yet"),
    )
    melee_panic: str = reading(
        "OR-39",
        {"all": say("all test"), "standing": say("only if it stands")},
        say("friends in the melee test even if the shot destroyed its target, or only if not"),
    )
    order_ranks: str = reading(
        "OR-43",
        {"both": say("both"), "result": say("only the first")},
        say("an order's two penalties both count per destroyed rank, or only the first"),
    )

    last_unit: str = reading(
        "OR-47",
        {"ask": say("the app asks"), "out": say("it is out"), "stays": say("it stays")},
        say(
            "where units return, a side without a unit on the table is asked about, "
            "is out, or stays"
        ),
    )
    failed_free_charge: str = reading(
        "OR-48",
        {"acts": say("it still acts"), "ends": say("its activation ends")},
        say(
            "after a failed free charge in its activation a unit still acts, or its activation ends"
        ),
    )


SWITCHES = switches_of(Readings)
READINGS: tuple[ReadingSwitch, ...] = tuple(
    sorted((*SWITCHES, *FIXED), key=lambda one: int(one.number.removeprefix("OR-")))
)
"""All open readings in the catalogue's order."""

DEFAULT = Readings()
