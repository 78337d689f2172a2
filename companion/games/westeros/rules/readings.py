"""The open readings of the rulebook as settings, each with its default (BOW-OR-n)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.api.rules import ReadingSwitch
from companion.games.shared.readings import parse_readings, reading_texts
from models.lazy_message import say


@dataclass(frozen=True, slots=True)
class WesterosReadings:
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    portrait_retreat: str = "nearer"
    edge_lines: str = "whole"
    leftover_hits: str = "count"
    capture_morale: str = "eliminated"
    forest_road: str = "road"
    road_bonus: str = "any-move"
    burnt_fire: str = "removed"
    adjacent_fire: str = "exact"
    tactic_only: str = "no"
    pursuit_bridge: str = "not-into"
    pursuit_balance: str = "moved"
    ranged_ford: str = "free"
    archers_on_hills: str = "units"
    melee_retreat: str = "edge"
    rim_lines: str = "open"
    blocked_hits: str = "apart"
    retreat_choice: str = "owner"
    retreat_path: str = "free"
    counter_marker: str = "stays"
    parting_blows: str = "any"
    ranged_marker: str = "stays"
    leaving_flank: str = "yes"
    engaged_hounds: str = "no"
    pursuit_terrain: str = "stops"
    cavalry_ford: str = "rest"
    fire_retreat: str = "blocked"
    fire_chain: str = "no"
    own_edge: str = "rows"
    enemy_tactics: str = "in-range"

    @classmethod
    def parse(cls, texts: Sequence[str]) -> WesterosReadings:
        """The settings from texts `NAME=VALUE`; an unknown name or value is refused."""
        return parse_readings(cls(), SWITCHES, texts)

    def texts(self) -> list[str]:
        """The settings that differ from the defaults, as `parse` reads them."""
        return reading_texts(self, WesterosReadings())


def switch(number: int, name: str, choices: str, words: str) -> ReadingSwitch:
    """One open reading; the first choice is the default."""
    return ReadingSwitch(f"BOW-OR-{number}", name, tuple(choices.split()), words)


SWITCHES = (
    switch(
        2,
        "portrait-retreat",
        "nearer straight",
        say("retreat where hex rows run towards the players: every nearer hex, or straight only"),
    ),
    switch(
        3,
        "edge-lines",
        "whole either",
        say("a line along hex edges is shifted as a whole, or edge by edge"),
    ),
    switch(
        5,
        "rim-lines",
        "open closed",
        say("a line shifted over the half hexes at the rim sees, or is blocked"),
    ),
    switch(
        6,
        "archers-on-hills",
        "units units-and-hills",
        say("what a ranged unit on a hill shoots over"),
    ),
    switch(
        8,
        "leftover-hits",
        "count strict",
        say("hits left over after the last figure count for a capture"),
    ),
    switch(
        9, "capture-morale", "eliminated nothing", say("a captured commander's unit costs morale")
    ),
    switch(
        10,
        "blocked-hits",
        "apart together",
        say("hits of a blocked retreat count apart from the attack's, or together for a capture"),
    ),
    switch(11, "retreat-choice", "owner attacker", say("who chooses between two retreat hexes")),
    switch(
        11,
        "retreat-path",
        "free straight",
        say("a retreat of several hexes turns freely, or keeps its first direction"),
    ),
    switch(
        13,
        "counter-marker",
        "stays swaps",
        say("a counterattack leaves the engagement marker, or turns it to the own crest"),
    ),
    switch(14, "parting-blows", "any melee", say("which engaged units strike parting blows")),
    switch(
        15,
        "ranged-marker",
        "stays swaps",
        say("a ranged unit's attack on its opponent leaves the marker, or turns it"),
    ),
    switch(
        17,
        "leaving-flank",
        "yes no",
        say("a unit that leaves its opponent to attack another attacks from the flank"),
    ),
    switch(18, "engaged-hounds", "no yes", say("an engaged unit may send its war hounds")),
    switch(21, "pursuit-terrain", "stops free", say("terrain stops a pursuit as it stops a move")),
    switch(22, "ranged-ford", "free stop", say("a ford does not stop ranged units")),
    switch(
        23,
        "cavalry-ford",
        "rest two",
        say("a ford takes 1 hex of what is left of a cavalry move, or costs 2 hexes"),
    ),
    switch(
        24, "road-bonus", "any-move plain-move", say("the road bonus counts for every ordered move")
    ),
    switch(25, "forest-road", "road forest", say("a forest road neither stops nor caps dice")),
    switch(
        26, "burnt-fire", "removed stays", say("fire goes out when the terrain under it is gone")
    ),
    switch(27, "fire-retreat", "blocked free", say("a retreat into or out of a burning hex")),
    switch(
        28,
        "adjacent-fire",
        "exact or-lower",
        say("the level that a symbol puts out next to a unit"),
    ),
    switch(
        29,
        "fire-chain",
        "no yes",
        say("a fire that reaches level 4 by spreading spreads in the same round"),
    ),
    switch(
        30,
        "own-edge",
        "rows beyond-first",
        say("set-up distances count the row at the edge, or begin behind it"),
    ),
    switch(33, "tactic-only", "no yes", say("a command card may be played for its tactic alone")),
    switch(39, "pursuit-balance", "moved free", say("a pursuit counts as a move for Off balance")),
    switch(
        40,
        "melee-retreat",
        "edge directional",
        say("a retreat from a melee attack goes to the own edge, or away from the attacker"),
    ),
    switch(
        41,
        "enemy-tactics",
        "in-range anywhere",
        say("the enemy that a tactic aims at stands in command range, or anywhere"),
    ),
    switch(42, "pursuit-bridge", "not-into neither", say("no Advance or Pursue into a bridge hex")),
)
