"""The open readings of the rulebook as settings (BOW-OR-n), and short reasons for refusals."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.shared.readings import GameReadings, reading, switches_of
from models.message import say


@dataclass(frozen=True, slots=True)
class WesterosReadings(GameReadings):
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    portrait_retreat: str = reading(
        "BOW-OR-2",
        {"nearer": say("every nearer hex"), "straight": say("straight back only")},
        say("retreat where hex rows run towards the players: every nearer hex, or straight only"),
    )
    edge_lines: str = reading(
        "BOW-OR-3",
        {"whole": say("as a whole"), "either": say("edge by edge")},
        say("a line along hex edges is shifted as a whole, or edge by edge"),
    )
    rim_lines: str = reading(
        "BOW-OR-5",
        {"open": say("it sees"), "closed": say("it is blocked")},
        say("a line shifted over the half hexes at the rim sees, or is blocked"),
    )
    archers_on_hills: str = reading(
        "BOW-OR-6",
        {"units": say("over units"), "units-and-hills": say("over units and hills")},
        say("what a ranged unit on a hill shoots over"),
    )
    leftover_hits: str = reading(
        "BOW-OR-8",
        {"count": say("they count"), "strict": say("they do not count")},
        say("hits left over after the last figure count for a capture"),
    )
    capture_morale: str = reading(
        "BOW-OR-9",
        {"eliminated": say("as an eliminated unit"), "nothing": say("it costs nothing")},
        say("a captured commander's unit costs morale"),
    )
    blocked_hits: str = reading(
        "BOW-OR-10",
        {"apart": say("apart"), "together": say("together")},
        say("hits of a blocked retreat count apart from the attack's, or together for a capture"),
    )
    retreat_choice: str = reading(
        "BOW-OR-11",
        {"owner": say("the owner"), "attacker": say("the attacker")},
        say("who chooses between two retreat hexes"),
    )
    retreat_path: str = reading(
        "BOW-OR-11",
        {"free": say("it may turn"), "straight": say("one direction")},
        say("a retreat of several hexes turns freely, or keeps its first direction"),
    )
    counter_marker: str = reading(
        "BOW-OR-13",
        {"stays": say("it stays"), "swaps": say("it is turned")},
        say("a counterattack leaves the engagement marker, or turns it to the own crest"),
    )
    parting_blows: str = reading(
        "BOW-OR-14",
        {"any": say("all of them"), "melee": say("melee units only")},
        say("which engaged units strike parting blows"),
    )
    ranged_marker: str = reading(
        "BOW-OR-15",
        {"stays": say("the marker stays"), "swaps": say("it is turned")},
        say("a ranged unit's attack on its opponent leaves the marker, or turns it"),
    )
    leaving_flank: str = reading(
        "BOW-OR-17",
        {"yes": say("yes"), "no": say("no")},
        say("a unit that leaves its opponent to attack another attacks from the flank"),
    )
    engaged_hounds: str = reading(
        "BOW-OR-18",
        {"no": say("no"), "yes": say("yes")},
        say("an engaged unit may send its war hounds"),
    )
    pursuit_terrain: str = reading(
        "BOW-OR-21",
        {"stops": say("it stops"), "free": say("it does not")},
        say("terrain stops a pursuit as it stops a move"),
    )
    ranged_ford: str = reading(
        "BOW-OR-22",
        {"free": say("it does not stop them"), "stop": say("it stops them")},
        say("a ford does not stop ranged units"),
    )
    cavalry_ford: str = reading(
        "BOW-OR-23",
        {"rest": say("1 of what is left"), "two": say("2 hexes")},
        say("a ford takes 1 hex of what is left of a cavalry move, or costs 2 hexes"),
    )
    road_bonus: str = reading(
        "BOW-OR-24",
        {"any-move": say("every ordered move"), "plain-move": say("moves without an attack only")},
        say("the road bonus counts for every ordered move"),
    )
    forest_road: str = reading(
        "BOW-OR-25",
        {"road": say("as a road"), "forest": say("as forest")},
        say("a forest road neither stops nor caps dice"),
    )
    burnt_fire: str = reading(
        "BOW-OR-26",
        {"removed": say("it goes out"), "stays": say("the fire stays")},
        say("fire goes out when the terrain under it is gone"),
    )
    fire_retreat: str = reading(
        "BOW-OR-27",
        {"blocked": say("impossible"), "free": say("allowed")},
        say("a retreat into or out of a burning hex"),
    )
    adjacent_fire: str = reading(
        "BOW-OR-28",
        {"exact": say("exactly this level"), "or-lower": say("this level or lower")},
        say("the level that a symbol puts out next to a unit"),
    )
    fire_chain: str = reading(
        "BOW-OR-29",
        {"no": say("no"), "yes": say("yes")},
        say("a fire that reaches level 4 by spreading spreads in the same round"),
    )
    own_edge: str = reading(
        "BOW-OR-30",
        {"rows": say("the row at the edge counts"), "beyond-first": say("they begin behind it")},
        say("set-up distances count the row at the edge, or begin behind it"),
    )
    tactic_only: str = reading(
        "BOW-OR-33",
        {"no": say("it may not"), "yes": say("it may")},
        say("a command card may be played for its tactic alone"),
    )
    pursuit_balance: str = reading(
        "BOW-OR-39",
        {"moved": say("it counts"), "free": say("it does not count")},
        say("a pursuit counts as a move for Off balance"),
    )
    melee_retreat: str = reading(
        "BOW-OR-40",
        {"edge": say("to the own edge"), "directional": say("away from the attacker")},
        say("a retreat from a melee attack goes to the own edge, or away from the attacker"),
    )
    enemy_tactics: str = reading(
        "BOW-OR-41",
        {"in-range": say("in command range"), "anywhere": say("anywhere")},
        say("the enemy that a tactic aims at stands in command range, or anywhere"),
    )
    pursuit_bridge: str = reading(
        "BOW-OR-42",
        {"not-into": say("not onto a bridge"), "neither": say("neither into nor out of one")},
        say("no Advance or Pursue into a bridge hex"),
    )


SWITCHES = switches_of(WesterosReadings)


REASONS = {
    "BOW-LOS-2": say("out of range"),
    "BOW-LOS-3": say("a melee unit attacks adjacent hexes only"),
    "BOW-LOS-5": say("terrain or a unit blocks the line of sight"),
    "BOW-LOS-6": say("both sides of the line along the edges are blocked"),
    "BOW-LOS-10": say("a river blocks the war hounds"),
    "BOW-ENG-8": say("an engaged unit attacks only its opponent"),
    "BOW-ENG-11": say("a ranged unit disengages only by moving"),
    "BOW-FIR-11": say("nobody enters a burning hex"),
    "BOW-FIR-12": say("a unit on a burning hex cannot move"),
    "BOW-FIR-13": say("a unit on a burning hex cannot attack"),
    "BOW-KEY-4": say("it has no war hounds"),
    "BOW-KEY-5": say("war hounds reach distance 2 and 3 only"),
    "BOW-MOV-2": say("too far"),
    "BOW-MOV-3": say("that is no complete hex of the field"),
    "BOW-MOV-5": say("another unit stands there"),
    "BOW-MOV-6": say("that terrain is impassable"),
    "BOW-RET-2": say("a retreat goes towards the owner's edge"),
    "BOW-TER-6": say("terrain on the way stops it"),
    "BOW-TER-21": say("no Advance or Pursue into a bridge hex"),
    "BOW-KEY-1": say("it cannot follow there"),
    "BOW-KEY-2": say("it has followed in this turn"),
}


def reason(rule: str) -> str:
    """A short reason for refusals by that rule; "" if there is none."""
    return REASONS.get(rule, "")
