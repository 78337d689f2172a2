"""A rival's lines of the miniatures game in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Plain
from companion.games.api.prompt import DiceRequest, TrayEnd
from companion.games.api.rival import LineText
from companion.games.tmg.play.commands.positions import planned
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.rules.combat.dice import charge_dice
from companion.games.tmg.screen.choice_words import ZONE_WORDS, words
from companion.games.tmg.screen.unit_views import CONDITION_WORDS
from models import Pose
from models.message import joined, say

TOLD = {
    "maneuver": say("{unit} maneuvers: move its tray here."),
    "march": say("{unit} marches: move its tray here."),
    "retreat": say("{unit} retreats from the melee."),
    "charge": say("{unit} charges {target}."),
    "attack": say("{unit} attacks {target}."),
    "shoot": say("{unit} shoots at {target}."),
    "forgo": say("{unit} holds its ground."),
}
SHIFTED = {
    "attack": say("{unit} shifts first: move its tray here. Then it attacks {target}."),
    "shoot": say("{unit} shifts first: move its tray here. Then it shoots at {target}."),
}
"""Attacks before which a tray is moved (TMG-MEL-5, TMG-RNG-5)."""
ANSWERS = {
    "continue": say("It goes on."),
    "pass": say("It passes."),
    "score": say("It agrees with the points."),
}
EFFECTS = {
    "crown": say("{unit} takes a panic test."),
    "wealth": say("{unit} heals up to 3 wounds."),
    "tactics": say("{unit} becomes {token}."),
    "combat": say("{unit} attacks {target}."),
    "maneuver": say("{unit} retreats from the melee."),
}
"""What the zones do to the unit that the rival names."""


def told(state: GameState, commands: Sequence[Plain]) -> LineText:
    """A line of this state in words."""
    names, last = names_of(state), commands[-1]
    by = {str(one["do"]): one for one in commands}
    end = end_of(by.get("table"))
    if end is not None and "deploy" in by:  # the table does not show it yet
        found = ((planned(state, one), one, pose) for one, pose in end.poses)
        trays = tuple(table.unit(one).at(pose) for table, one, pose in found if table is not None)
        end = replace(end, trays=trays)
    doing = by.get("action") or by.get("zone-effect") or by.get("claim") or last
    acts = str(by.get("activate", {}).get("unit") or (state.acting.unit if state.acting else ""))
    who = acts
    if str(doing["do"]) in ANSWERS:
        who = ""
    elif "zone-effect" in by:
        who = str(doing.get("unit", ""))
    elif "action" not in by and (end is not None or "deploy" in by):
        who = end.poses[0][0] if end is not None else str(last["unit"])
    about = {"unit": names.of(who) if who else "", "target": names.of(str(doing.get("target", "")))}
    text = sentence(state, by, doing, end)
    about["token"] = CONDITION_WORDS[doing["token"]][0] if "token" in doing else ""
    about["choice"] = words(state, names, last) if not text or "{choice}" in text else ""
    text = say((text or CHOICE)[:], **about)
    if "claim" in by:
        about = {"unit": names.of(acts), "zone": ZONE_WORDS[by["claim"]["zone"]][0]}
        taken = say("{unit} takes the zone {zone}.", **about)
        text = joined([taken, text], " ") if "zone-effect" in by else taken
        who = who or acts
    return LineText(text, who, str(doing.get("target", "")), None, end, dice_of(state, last))


CHOICE = say("{choice}.")


def sentence(state: GameState, by: dict[str, Plain], doing: Plain, end: TrayEnd | None) -> str:
    """The sentence for what is done, with places for names; "" where its button says it."""
    action = str(doing.get("action", ""))
    if doing["do"] == "zone-effect" and end is None:
        task = next((one.other for one in state.tasks if one.kind == "zone"), "")
        return zone_text(str(by["claim"]["zone"]) if "claim" in by else task, doing)
    if action:
        kind = "shoot" if doing.get("ranged") else action
        return SHIFTED[kind] if end is not None and kind in SHIFTED else TOLD[kind]
    if "surge" in by and end is not None:
        return say("{unit} surges forward: move its tray here.")
    if "deploy" in by:
        return say("{unit} deploys here.")
    if end is not None:
        name, pose = end.poses[0]
        here = table_of(state.table).unit(name).pose
        if any((one.unit, one.action) == (name, "enter") for one in state.declared):
            return say("{unit} comes in: put its tray down here.")
        if pose == here:
            return say("{unit} stays as it stands.")
        if (pose.x, pose.y) == (here.x, here.y):
            return say("{unit}: turn its tray where it stands.")
        return say("{unit}: move its tray here.")
    if doing["do"] in ("quadrant", "vp-token"):
        return say("{unit}: {choice}.")
    return ANSWERS.get(str(doing["do"]), "")


def zone_text(zone: str, command: Plain) -> str:
    """What becomes of the effect of a zone that an NCU has claimed."""
    if command.get("skip"):
        return say("It leaves the effect of the zone.")
    if command.get("instead"):
        return say("It takes what the mode offers instead of the zone.")
    if "unit" not in command:
        return say("It draws two tactics cards.")
    return TOLD["shoot"] if command.get("ranged") else EFFECTS[zone]


def end_of(command: Plain | None) -> TrayEnd | None:
    """Where a table command puts the trays that it names."""
    if command is None:
        return None
    poses = {str(one["id"]): one for one in command["table"]["units"]}
    found = [(one, poses[one]) for one in command["units"]]
    return TrayEnd("", tuple((name, Pose(p["x"], p["y"], p["heading"])) for name, p in found))


def dice_of(state: GameState, command: Plain) -> DiceRequest | None:
    """The dice of a charge or a retreat, which players may roll themselves."""
    if command["do"] != "action" or command["action"] not in ("charge", "retreat"):
        return None
    return DiceRequest(1 if command["action"] == "retreat" else charge_dice(state.year), command)
