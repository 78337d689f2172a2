"""Short reasons for the rules that forbid something, as players read them."""

from __future__ import annotations

from models.lazy_message import say

REASONS = {
    "TAC-LOS-3": say("a figure blocks the line of sight"),
    "TAC-LOS-4": say("a space with a cross blocks the line of sight"),
    "TAC-LOS-5": say("a wall blocks the line of sight"),
    "TAC-LOS-8": say("no line of sight"),
    "TAC-ATK-1": say("no such attack on its card"),
    "TAC-ATK-2": say("not engaged with the target"),
    "TAC-ATK-4": say("an engaged figure cannot shoot"),
    "TAC-CHG-2": say("an engaged figure cannot charge"),
    "TAC-CHG-3": say("a charge needs an enemy in sight"),
    "TAC-CHG-4": say("a charge moves towards its target"),
    "TAC-CHG-5": say("the charge does not reach the target"),
    "TAC-GRD-9": say("another figure stands there"),
    "TAC-MOV-1": say("too far"),
    "TAC-MOV-2": say("the way is BLOCKED"),
    "TAC-MOV-5": say("a move does not end on an occupied space"),
    "TAC-MOV-6": say("it must stop where it becomes engaged"),
    "TAC-MOV-7": say("an engaged figure moves 1 space only"),
    "TAC-MOV-19": say("not all of its spaces would be free"),
    "TAC-TER-8": say("a large figure cannot stand across a wall"),
    "TAC-OBJ-2": say("an objective lies on an open space with a dot"),
}


def reason(rule: str) -> str:
    """A short reason for refusals by that rule; "" if there is none."""
    return REASONS.get(rule, "")
