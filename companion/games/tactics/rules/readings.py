"""The open readings of the rulebook as settings, each with its default (TAC-OR-n)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.api.rules import ReadingSwitch
from companion.games.shared.readings import parse_readings, reading_texts
from models.lazy_message import say


@dataclass(frozen=True, slots=True)
class TacticsReadings:
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    condition_icons: str = "icon-shaken"
    purse: str = "silver"
    last_coin: str = "gold"
    corners: str = "both"
    open_cross: str = "blocks"
    diagonal_enemies: str = "blocked"
    friend_in_contact: str = "impassable"
    large_engaged: str = "one-space"
    natural_ten_dice: str = "defended"
    charm: str = "not-natural"
    free_actions: str = "three-in-all"
    shaken: str = "any-roll"
    surge_after_capture: str = "no"
    captive_ties: str = "nobody"
    windows: str = "wall"
    objective_points: str = "per-figure"
    waiting_figures: str = "counted"
    leaf_pile: str = "one-wound"
    gained_copper: str = "this-round"
    charge_path: str = "shortest"
    terrain_charge_die: str = "no"
    squeezed_sight: str = "blocked"
    agenda_action: str = "free-action"
    dismounted_captor: str = "keeps"
    mount_kill: str = "no"
    loot_contact: str = "beside"
    freed_captive: str = "owner"
    door_step: str = "through"

    @classmethod
    def parse(cls, texts: Sequence[str]) -> TacticsReadings:
        """The settings from texts `NAME=VALUE`; an unknown name or value is refused."""
        return parse_readings(cls(), SWITCHES, texts)

    def condition(self, printed: str) -> str:
        """The condition that an icon of equipment means: two icons are lost (TAC-OR-1)."""
        if self.condition_icons == "icon-shaken" or not printed:
            return printed
        return "frozen" if printed == "shaken" else "shaken"

    def texts(self) -> list[str]:
        """The settings that differ from the defaults, as `parse` reads them."""
        return reading_texts(self, TacticsReadings())


def switch(number: int, name: str, choices: str, words: str) -> ReadingSwitch:
    """One open reading; the first choice is the default."""
    return ReadingSwitch(f"TAC-OR-{number}", name, tuple(choices.split()), words)


SWITCHES = (
    switch(
        1,
        "condition-icons",
        "icon-shaken icon-frozen",
        say("the holy icon keeps off shaken and poppy juice frozen, or the other way round"),
    ),
    switch(3, "purse", "silver copper gold", say("the coin gained from a purse")),
    switch(4, "last-coin", "gold silver copper", say("the last coin that an agenda asks for")),
    switch(
        5,
        "corners",
        "both either",
        say("sight through a corner is blocked by both spaces beside it"),
    ),
    switch(7, "open-cross", "blocks clear", say("an OPEN space with a cross blocks sight")),
    switch(
        8, "diagonal-enemies", "blocked free", say("a diagonal step between enemies is not allowed")
    ),
    switch(
        9,
        "friend-in-contact",
        "impassable passable",
        say("a friend's space in contact with an enemy cannot be passed"),
    ),
    switch(
        10, "large-engaged", "one-space full", say("an engaged large figure moves only 1 space")
    ),
    switch(14, "natural-ten-dice", "defended undefended", say("additional hits may be defended")),
    switch(15, "charm", "not-natural natural", say("a die set to 10 is not a natural 10")),
    switch(
        16, "free-actions", "three-in-all one-free", say("action points and free actions: 3 in all")
    ),
    switch(
        17,
        "agenda-action",
        "free-action extra",
        say("the action of an agenda is the one free action of the activation"),
    ),
    switch(18, "shaken", "any-roll attack-or-defence", say("shaken counts for the next roll")),
    switch(20, "surge-after-capture", "no yes", say("surge also after a capture")),
    switch(
        21,
        "dismounted-captor",
        "keeps frees",
        say("a captor that dismounts keeps its captive"),
    ),
    switch(
        22, "captive-ties", "nobody both", say("who scores if both sides hold as many captives")
    ),
    switch(24, "mount-kill", "no yes", say("the death of a mount counts as a kill")),
    switch(25, "windows", "wall sight", say("a window is a wall, or lets sight pass")),
    switch(
        26, "loot-contact", "beside on", say("loot is also taken from a space beside it, in sight")
    ),
    switch(
        27,
        "objective-points",
        "per-figure per-objective",
        say("a large figure on two objectives scores once"),
    ),
    switch(
        28,
        "waiting-figures",
        "counted ignored",
        say("waiting figures count as figures to activate"),
    ),
    switch(
        29, "leaf-pile", "one-wound wound-and-hit", say("a stake pit under leaves: only 1 wound")
    ),
    switch(
        30, "gained-copper", "this-round kept", say("copper gained in play lasts for the round")
    ),
    switch(31, "charge-path", "shortest any", say("a charge takes the shortest path")),
    switch(33, "terrain-charge-die", "no yes", say("a terrain charge rolls 1 more die")),
    switch(34, "door-step", "through any", say("the step after breaking a door leads through it")),
    switch(
        36, "squeezed-sight", "blocked clear", say("figures on both sides of a corner block sight")
    ),
    switch(
        41,
        "freed-captive",
        "owner captor",
        say("who chooses the space of a captive that a large captor held"),
    ),
)
