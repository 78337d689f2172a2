"""The open readings of the rulebook as settings (TAC-OR-n), and short reasons for refusals."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.shared.readings import GameReadings, reading, switches_of
from models.message import say


@dataclass(frozen=True, slots=True)
class TacticsReadings(GameReadings):
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    condition_icons: str = reading(
        "TAC-OR-1",
        {"icon-shaken": say("icon keeps off shaken"), "icon-frozen": say("icon keeps off frozen")},
        say("the holy icon keeps off shaken and poppy juice frozen, or the other way round"),
    )
    purse: str = reading(
        "TAC-OR-3",
        {
            "silver": say("a silver stag"),
            "copper": say("a copper star"),
            "gold": say("a gold dragon"),
        },
        say("the coin gained from a purse"),
    )
    last_coin: str = reading(
        "TAC-OR-4",
        {
            "gold": say("the last gold dragon"),
            "silver": say("the last silver stag"),
            "copper": say("the last copper star"),
        },
        say("the last coin that an agenda asks for"),
    )
    corners: str = reading(
        "TAC-OR-5",
        {"both": say("only both block it"), "either": say("one is enough")},
        say("sight through a corner is blocked by both spaces beside it"),
    )
    open_cross: str = reading(
        "TAC-OR-7",
        {"blocks": say("it blocks sight"), "clear": say("it is clear")},
        say("an OPEN space with a cross blocks sight"),
    )
    diagonal_enemies: str = reading(
        "TAC-OR-8",
        {"blocked": say("not allowed"), "free": say("allowed")},
        say("a diagonal step between enemies is not allowed"),
    )
    friend_in_contact: str = reading(
        "TAC-OR-9",
        {"impassable": say("cannot be passed"), "passable": say("can be passed")},
        say("a friend's space in contact with an enemy cannot be passed"),
    )
    large_engaged: str = reading(
        "TAC-OR-10",
        {"one-space": say("only 1 space"), "full": say("its full move")},
        say("an engaged large figure moves only 1 space"),
    )
    natural_ten_dice: str = reading(
        "TAC-OR-14",
        {"defended": say("may be defended"), "undefended": say("cannot be defended")},
        say("additional hits may be defended"),
    )
    natural_ten: str = reading(
        "TAC-OR-43",
        {
            "always": say("it always hits"),
            "modified": say("only if it still hits after subtracting"),
        },
        say("a natural 10 of an attack hits whatever is subtracted"),
    )
    charm: str = reading(
        "TAC-OR-15",
        {"not-natural": say("one hit"), "natural": say("two hits, as a natural 10")},
        say("a die set to 10 is not a natural 10"),
    )
    free_actions: str = reading(
        "TAC-OR-16",
        {"three-in-all": say("3 in all"), "one-free": say("3, and 1 free action")},
        say("action points and free actions: 3 in all"),
    )
    agenda_action: str = reading(
        "TAC-OR-17",
        {"free-action": say("the one free action"), "extra": say("on top of the free action")},
        say("the action of an agenda is the one free action of the activation"),
    )
    shaken: str = reading(
        "TAC-OR-18",
        {"any-roll": say("any roll"), "attack-or-defence": say("attack or defence only")},
        say("shaken counts for the next roll"),
    )
    surge_after_capture: str = reading(
        "TAC-OR-20",
        {"no": say("only after a kill"), "yes": say("also after a capture")},
        say("surge also after a capture"),
    )
    dismounted_captor: str = reading(
        "TAC-OR-21",
        {"keeps": say("keeps the captive"), "frees": say("frees the captive")},
        say("a captor that dismounts keeps its captive"),
    )
    captive_ties: str = reading(
        "TAC-OR-22",
        {"nobody": say("nobody"), "both": say("both")},
        say("who scores if both sides hold as many captives"),
    )
    mount_kill: str = reading(
        "TAC-OR-24",
        {"no": say("no kill"), "surge": say("no kill, but a surge"), "yes": say("a kill")},
        say("the death of a mount: no kill, no kill but a surge, or a kill"),
    )
    windows: str = reading(
        "TAC-OR-25",
        {"wall": say("it is a wall"), "sight": say("lets sight pass")},
        say("a window is a wall, or lets sight pass"),
    )
    loot_contact: str = reading(
        "TAC-OR-26",
        {"beside": say("on its space or beside it"), "on": say("only on its space")},
        say("loot is also taken from a space beside it, in sight"),
    )
    objective_points: str = reading(
        "TAC-OR-27",
        {"per-figure": say("once per figure"), "per-objective": say("once per objective")},
        say("a large figure on two objectives scores once"),
    )
    waiting_figures: str = reading(
        "TAC-OR-28",
        {"counted": say("they count"), "ignored": say("they do not count")},
        say("waiting figures count as figures to activate"),
    )
    leaf_pile: str = reading(
        "TAC-OR-29",
        {"one-wound": say("only 1 wound"), "wound-and-hit": say("1 wound and the pit's hit")},
        say("a stake pit under leaves: only 1 wound"),
    )
    gained_copper: str = reading(
        "TAC-OR-30",
        {"this-round": say("this round only"), "kept": say("kept for later rounds")},
        say("copper gained in play lasts for the round"),
    )
    charge_path: str = reading(
        "TAC-OR-31",
        {"shortest": say("the shortest path"), "any": say("any path")},
        say("a charge takes the shortest path"),
    )
    terrain_charge_die: str = reading(
        "TAC-OR-33",
        {"no": say("no additional die"), "yes": say("1 more die")},
        say("a terrain charge rolls 1 more die"),
    )
    door_step: str = reading(
        "TAC-OR-34",
        {"through": say("through the door"), "any": say("in any direction")},
        say("the step after breaking a door leads through it"),
    )
    squeezed_sight: str = reading(
        "TAC-OR-36",
        {"blocked": say("sight is blocked"), "clear": say("sight is clear")},
        say("figures on both sides of a corner block sight"),
    )
    freed_captive: str = reading(
        "TAC-OR-41",
        {"owner": say("the captive's player"), "captor": say("the captor's player")},
        say("who chooses the space of a captive that a large captor held"),
    )

    def condition(self, printed: str) -> str:
        """The condition that an icon of equipment means: two icons are lost (TAC-OR-1)."""
        if self.condition_icons == "icon-shaken" or not printed:
            return printed
        return "frozen" if printed == "shaken" else "shaken"


SWITCHES = switches_of(TacticsReadings)


REASONS = {
    "TAC-LOS-3": say("a figure blocks the line of sight"),
    "TAC-LOS-4": say("a space with a cross blocks the line of sight"),
    "TAC-LOS-5": say("a wall blocks the line of sight"),
    "TAC-LOS-8": say("no line of sight"),
    "TAC-ATK-1": say("no such attack on its card"),
    "TAC-ATK-2": say("not engaged with the target"),
    "TAC-ATK-4": say("an engaged figure cannot shoot"),
    "TAC-STA-3": say("a frozen figure has 1 action point only"),
    "TAC-CHG-1": say("a charge takes an attack that costs 1 action point"),
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
