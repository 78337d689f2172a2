"""Short reasons for the rules that forbid something, as players read them."""

from __future__ import annotations

from models.lazy_message import say

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
}


def reason(rule: str) -> str:
    """A short reason for refusals by that rule; "" if there is none."""
    return REASONS.get(rule, "")
