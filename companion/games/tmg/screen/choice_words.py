"""The commands of the miniatures game as buttons: what they say, and how they look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Choice, DiceRequest, Look, TrayEnd, rerolled_dice
from companion.games.tmg.play.commands.guests import guest_now
from companion.games.tmg.play.commands.laid_pieces import held_pieces
from companion.games.tmg.play.commands.tactics_board import EFFECTS
from companion.games.tmg.play.commands.terrain import USUAL_PIECES
from companion.games.tmg.play.flow.casualties import INHERIT, asked_token
from companion.games.tmg.play.flow.dice_changes import standing_roll
from companion.games.tmg.play.flow.panic_queue import MORALE_GROUND, trial_plain
from companion.games.tmg.play.flow.terrain_costs import DANGER, costs_a_die
from companion.games.tmg.play.names import GameNames, player_name
from companion.games.tmg.play.phase_play import PHASES
from companion.games.tmg.play.state.game_state import PAPER_CARD, GameState, PendingTask
from companion.games.tmg.play.state.play_rules import MOST_HEALED
from companion.games.tmg.play.state.table_facts import seen
from companion.games.tmg.screen.dice_requests import (
    attack_forecast,
    d3_again,
    danger_told,
    dice_again,
    ground_die,
    wall_die,
)
from companion.games.tmg.screen.due_moves import melee_ends
from companion.games.tmg.screen.unit_views import CONDITION_WORDS
from companion.text.translation import unnumbered
from companion.text.verdicts import percent
from models.message import joined, say

Worder = Callable[[GameState, GameNames, Plain], str]

FIXED = {
    "roll-off": say("Roll off"),
    "forgo": say("No action"),
    "end-turn": say("End the turn"),
    "wall-hits": say("Roll for the castle wall"),
    "continue": say("Continue"),
    "pass": say("Pass"),
}
FIRST = ("continue", "end-turn", "roll-off", "wall-hits")
"""Commands whose button is the one to press if there is nothing else to decide."""
QUIET = ("pass", "forgo")
EDGES = {
    "near": say("The near edge"),
    "far": say("The far edge"),
    "left": say("The left edge"),
    "right": say("The right edge"),
    "near-left": say("The near left corner"),
    "near-right": say("The near right corner"),
    "far-left": say("The far left corner"),
    "far-right": say("The far right corner"),
    "leave": say("The opponent chooses"),
}
REROLLS = {
    "charge bonus": say("charge bonus"),
    "weakened": say("Weakened"),
    "vulnerable": say("Vulnerable"),
    "panicked": say("Panicked"),
}
ZONE_WORDS = {
    "crown": (say("Crown"), "crown"),
    "wealth": (say("Wealth"), "coins"),
    "tactics": (say("Tactics"), "letter"),
    "combat": (say("Combat"), "swords"),
    "maneuver": (say("Maneuver"), "horse"),
}


def zone_told(zone: str) -> str:
    """What a zone does, as the game itself reads the book (TMG-ZON-2..6)."""
    return unnumbered(say(EFFECTS[zone]))


ANSWERS: dict[str, dict[Any, str]] = {
    "zone": {
        "front": say("into the front"),
        "flank": say("into the flank"),
        "left": say("into the left flank"),
        "right": say("into the right flank"),
        "rear": say("into the rear"),
    },
    "dangerous": {True: say("on Dangerous ground"), False: say("not on Dangerous ground")},
    "hindering": {True: say("hindered"), False: say("not hindered")},
    "fortified": {True: say("the target is fortified"), False: say("the target is not fortified")},
    "cover": {True: say("the target has cover"), False: say("the target has no cover")},
    "beside": {True: say("beside it"), False: say("not beside it")},
    "turned": {True: say("turns to face it first"), False: say("stays as it stands")},
    "in_range": {True: say("in range"), False: say("out of range")},
}
"""What players answer where the table is too close to call."""


def choice(state: GameState, names: GameNames, command: Plain, look: Look = "plain") -> Choice:
    """A command as a button."""
    do = str(command["do"])
    mover, action = acts_now(state, command)
    piece = str(command.get("unit") or command.get("target") or mover)
    moves, ends = moved_by(state, command, action if mover else "")
    return Choice(
        words(state, names, command),
        (command,),
        "quiet" if do in QUIET or command.get("skip") or command.get("take") is False else look,
        joined(filter(None, (details(state, command), endangered(state, command))), " · "),
        seat=str(command.get("side") or command.get("by") or ""),
        piece=piece,
        dice=asked_dice(state, command),
        moves=moves,
        ends=ends,
        begins_with="shift" if action == "attack" and command.get("ranged") else "",  # TMG-RNG-5
    )


def moved_by(state: GameState, command: Plain, action: str) -> tuple[str, tuple[TrayEnd, ...]]:
    """The kind of move by a hand that is this choice, and where alone it may end: also the way of a
    charge into contact, and the turn before an attack (TMG-MEL-3, TMG-MEL-5)."""
    if command["do"] == "charge-result":
        return ("charge" if command["success"] else ""), ()
    if action in ("maneuver", "retreat"):
        return action, ()
    unit, target = str(command.get("unit", "")), str(command.get("target", ""))
    alone = action == "attack" and not command.get("ranged") and seen(state, unit, target)
    if not alone or state.unit(unit).engaged != (target,):
        return "", ()
    ends = melee_ends(state, unit, turned=bool(command.get("turned")))
    return ("melee" if ends else ""), ends


def words(state: GameState, names: GameNames, command: Plain) -> str:
    """The text of a command's button: a verb, and what it concerns by name."""
    do = str(command["do"])
    if do == "continue" and standing_roll(state):
        return say("Let the dice lie") if command.get("side") else FIXED[do]
    if do == "continue" and command.get("side"):
        return say("{name} is done", name=names.of(str(command["side"])))
    if do == "continue" and state.step == "terrain":
        return say("All agree: no more terrain")
    if do == "continue" and state.attack is None:
        return say("All are done")
    if do == "roll-off" and "winner" in command:
        return say("{name} won the roll", name=names.of(command["winner"]))
    if do in FIXED:
        return FIXED[do]
    maker = WORDERS.get(do)
    if maker is not None:
        return maker(state, names, command)
    values = (
        value for key, value in command.items() if key != "do" and not isinstance(value, bool)
    )
    return joined(
        [say(do.replace("-", " ")), *(names.spelled(str(value)) for value in values)], " · "
    )


def details(state: GameState, command: Plain) -> str:
    """What stands under a command's button: dice, what a zone does, what is taken for granted."""
    if command["do"] == "reroll":
        return reroll_faces(state, command)
    if command["do"] == "claim" and state.rules.zone_effects:
        return zone_told(command["zone"])
    told = ""
    if command["do"] == "zone-effect" and command.get("unit"):
        told = unit_in_zone(state, command)
    if command["do"] == "aim":
        then = after(state, command)
        told = attack_forecast(then, then.attack) if then.attack is not None else ""
    return joined([one for one in (whose(state, command), told, answers(command)) if one], " · ")


def whose(state: GameState, command: Plain) -> str:
    """Whose unit a row speaks of, where units of three players or more stand in one list."""
    unit = str(command.get("unit") or command.get("target") or "")
    mixed = command["do"] in ("order", "zone-effect", "aim", "mark") and len(state.players) > 2
    if not mixed or not (state.has_unit(unit) or state.has_ncu(unit)):
        return ""
    return player_name(state, state.fighter(unit).player)


def unit_in_zone(state: GameState, command: Plain) -> str:
    """What decides for a unit in the zone: its test for the Crown, what Wealth would mend, the
    wounds of its attack in Combat."""
    unit, zone = state.unit(str(command["unit"])), zone_of(state)
    if zone == "combat":
        then = after(state, command)
        return attack_forecast(then, then.attack) if then.attack is not None else ""
    if zone == "crown" and unit.morale is not None:
        chance = crown_chance(state, command)
        passes = say("{chance} to pass", chance=percent(chance)) if chance is not None else ""
        return joined([one for one in (say("Morale {n}+", n=unit.morale), passes) if one], " · ")
    if command.get("instead") == "hits":
        return say("D3 + 2 hits of the castle wall")  # TMG-MODE-HAR-10
    if zone != "wealth":
        return ""
    hurt = say("{n} wound taken", "{n} wounds taken", n=unit.wounds) if unit.wounds else ""
    found = [hurt, *(CONDITION_WORDS[token][0] for token in unit.tokens)]
    return joined([one for one in found if one], " · ") or say("nothing to mend")


def zone_of(state: GameState) -> str:
    """The zone whose effect waits; none: ""."""
    return next((task.other for task in state.tasks if task.kind == "zone"), "")


def crown_chance(state: GameState, command: Plain) -> float | None:
    """The chance to pass the test that the Crown demands; None if ground is too close to call."""
    state = after(state, command)
    trial = state.trials[-1] if state.trials else None
    if trial is None or any(task.kind == MORALE_GROUND for task in state.tasks):
        return None
    return float(trial_plain(trial, state.unit(trial.unit), state.rules)["chance"])


def after(state: GameState, command: Plain) -> GameState:
    """The state after a command; the same where the game refuses it."""
    decision = PHASES.decide(state, command)
    for event in decision.events if not isinstance(decision, Refusal) else ():
        state = PHASES.apply(state, event)
    return state


def answers(command: Plain) -> str:
    """What a variant of a command takes for granted; of several weapons the one it uses."""
    found = (ANSWERS[key].get(value) for key, value in command.items() if key in ANSWERS)
    return joined([one for one in (command.get("weapon"), *found) if one], " · ")


def asked_dice(state: GameState, command: Plain) -> DiceRequest | None:
    """The dice of a command: those rolled again, of a retreat by a zone (TMG-RET-2, TMG-ZON-6), the
    D3 of a castle wall (TMG-MODE-HAR-8) or of Dangerous ground (TMG-TER-9, TMG-TER-10)."""
    if command["do"] == "reroll":
        d3 = d3_again(state, int(command.get("test", 0)))
        return rerolled_dice(command["places"], d3, command)
    if command["do"] == "terrain" and command.get("random"):  # TMG-SET-10, TMG-SET-11
        agreed = state.pieces or state.piece_count != USUAL_PIECES
        number = DiceRequest(1, command, "d3", 3, text=say("How many pieces"), single=True)
        return DiceRequest(2, command, text=say("The piece"), extra=() if agreed else (number,))
    if command["do"] == "spent" and command["take"] and (task := counted_token(state)):
        return dice_again(state, task)
    if command["do"] == "wall-hits" or command.get("instead") == "hits":
        return wall_die(command)
    unit, action = acts_now(state, command)
    if action:
        die = ground_die(command)
        extra = (die,) if costs_a_die(state, unit, {**command, "action": action}) else ()
        if action == "retreat":
            return DiceRequest(1, command, extra=extra)
        return die if extra else None
    dangers = {task.id for task in state.tasks if task.kind == DANGER}
    if command["do"] == "ground" and command["holds"] and command["task"] in dangers:
        return ground_die(command)
    return None


def endangered(state: GameState, command: Plain) -> str:
    """That Dangerous ground may destroy the unit that a command lets act (TMG-TER-10)."""
    unit, action = acts_now(state, command)
    if action and costs_a_die(state, unit, {**command, "action": action}):
        return danger_told(state, unit)
    return ""


def acts_now(state: GameState, command: Plain) -> tuple[str, str]:
    """The unit that a zone or a surge lets act, and its action; nobody: "" and ""."""
    if command["do"] == "surge" and command["take"]:
        units = (task.unit for task in state.tasks if task.kind == "surge")
        return next(units, ""), "maneuver"
    zone = zone_of(state) if command["do"] == "zone-effect" and command.get("unit") else ""
    if zone not in ("combat", "maneuver"):
        return "", ""
    action = command.get("action", "maneuver") if zone == "maneuver" else "attack"
    return str(command["unit"]), str(action)


def reroll_faces(state: GameState, command: Plain) -> str:
    """What the dice show that would be rolled again."""
    found = standing_roll(state, int(command.get("test", 0)))
    faces = found[0].faces if found is not None else ()
    return joined(str(faces[place]) for place in command["places"] if place < len(faces))


def unit_of(names: GameNames, command: Plain) -> str:
    return names.of(str(command["unit"])) if command.get("unit") else ""


# -- one function per command -------------------------------------------------------------------


def role(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Attack") if command["role"] == "attacker" else say("Defend")


def zone(state: GameState, names: GameNames, command: Plain) -> str:
    return EDGES.get(command["zone"], say(str(command["zone"])))


def first(state: GameState, names: GameNames, command: Plain) -> str:
    return say("{name} goes first", name=names.of(command["side"]))


def terrain(state: GameState, names: GameNames, command: Plain) -> str:
    piece = say(str(command["piece"]).replace("-", " "))
    if command.get("random"):
        return say("Roll for it; a 7 is {piece}", piece=piece)
    return say("Place {piece}", piece=piece)


def card(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Objective card {card}", card=names.spelled(str(command["card"])))


def missions(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Missions {cards}", cards=joined(command["cards"]))


def reserve(state: GameState, names: GameNames, command: Plain) -> str:
    if not command["units"]:
        return say("Nobody in reserve")
    held = say("{units} in reserve", units=names.several(command["units"]))
    if command.get("leader"):
        leader = names.of(command["leader"])
        return say("{held}; {unit} leads", held=held, unit=leader)
    return held


def deploy(state: GameState, names: GameNames, command: Plain) -> str:
    if command.get("unit"):
        return say("Deploy {unit}", unit=unit_of(names, command))
    if command.get("put"):
        return say("All agree: deploy everything as planned")
    return say("All are deployed")


def mark(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Mark {unit}", unit=unit_of(names, command))


def join(state: GameState, names: GameNames, command: Plain) -> str:
    guest = guest_now(state, state.step)
    if guest is None:
        return unit_of(names, command)
    name = names.spelled(guest.attachment.name)
    return say("{name} joins {unit}", name=name, unit=unit_of(names, command))


def redeploy(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Put back {unit}", unit=unit_of(names, command))


def activate(state: GameState, names: GameNames, command: Plain) -> str:
    return unit_of(names, command)


def play(state: GameState, names: GameNames, command: Plain) -> str:
    name = player_name(state, str(command["player"]))
    if command.get("name"):
        return say("{name} plays {card}", name=name, card=names.spelled(str(command["name"])))
    if command["card"] == PAPER_CARD:
        return say("{name} plays a card", name=name)
    return say("Play {card}", card=names.spelled(str(command["card"])))


def discard(state: GameState, names: GameNames, command: Plain) -> str:
    if set(command["cards"]) == {PAPER_CARD}:
        name = player_name(state, str(command["player"]))
        return say("{name} discards a card", name=name)
    return say("Discard {cards}", cards=joined(names.spelled(str(one)) for one in command["cards"]))


def use_card(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Use objective card {card}", card=command["card"])


def mission_card(state: GameState, names: GameNames, command: Plain) -> str:
    verbs = {
        "reveal": say("Reveal mission {card}", card=command["card"]),
        "lay-aside": say("Lay mission {card} aside", card=command["card"]),
        "siege": say("Play siege card {card}", card=command["card"]),
    }
    return verbs[str(command["do"])]


def order(state: GameState, names: GameNames, command: Plain) -> str:
    return say(
        "{unit}: order {order}",
        unit=unit_of(names, command),
        order=names.spelled(str(command["order"])),
    )


def claim(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Claim {zone}", zone=ZONE_WORDS[command["zone"]][0])


def quadrant(state: GameState, names: GameNames, command: Plain) -> str:
    return say("To the {quadrant} quadrant", quadrant=say(str(command["quadrant"])))


def swap(state: GameState, names: GameNames, command: Plain) -> str:
    if command.get("into"):
        return say("Replace mission {out} by {into}", out=command["out"], into=command["into"])
    return say("Replace mission {out}", out=command["out"])


def vp_token(state: GameState, names: GameNames, command: Plain) -> str:
    return say("VP token on {unit}", unit=unit_of(names, command))


def action(state: GameState, names: GameNames, command: Plain) -> str:
    target = names.of(str(command.get("target") or command.get("piece") or ""))
    verbs = {
        "forgo": say("No action"),
        "maneuver": say("Maneuver"),
        "march": say("March"),
        "retreat": say("Retreat"),
        "enter": say("Come in from reserve"),
        "charge": say("Charge {unit}", unit=target),
        "attack": say("Shoot at {unit}", unit=target)
        if command.get("ranged")
        else say("Attack {unit}", unit=target),
    }
    return verbs.get(str(command["action"]), say(str(command["action"])))


def counted_token(state: GameState) -> PendingTask | None:
    """The token that is asked about before counted dice have their effect."""
    asked = (one for one in state.tasks if one.kind == "spent" and asked_token(one)[1])
    return next(asked, None)


def spent(state: GameState, names: GameNames, command: Plain) -> str:
    if not command["take"]:
        return say("It stays")
    return say("Spend it: dice are rolled again") if counted_token(state) else say("It was spent")


def grant(state: GameState, names: GameNames, command: Plain) -> str:
    if command.get("take") is False:
        return say("No free action after all")
    return say("A card or ability lets it act")


def zone_effect(state: GameState, names: GameNames, command: Plain) -> str:
    unit = unit_of(names, command)
    if command.get("skip") and not state.rules.zone_effects:
        return say("What the board says is done")
    if command.get("skip"):
        return say("Without its effect")
    if command.get("instead") == "mission":
        return swap(state, names, command)
    if command.get("instead") == "hits":
        return say("Hits on {unit}", unit=unit)
    if "heal" in command:
        told = {"unit": unit, "n": command["heal"]}
        heals = say("{unit}: heal only {n} wound", "{unit}: heal only {n} wounds", **told)
        heals = heals if command["heal"] else say("{unit}: no healing", unit=unit)
        freed = [CONDITION_WORDS[command[key]][0] for key in ("token",) if key in command]
        return joined([heals, *freed], " · ")
    if command.get("token") in CONDITION_WORDS:
        token = CONDITION_WORDS[command["token"]][0]
        return say("{unit}: {condition}", unit=unit, condition=token)
    if zone_of(state) == "wealth" and "unit" in command:
        wounds = min(MOST_HEALED, state.unit(str(command["unit"])).wounds)
        if wounds > 1:
            return say("{unit}: heal {n} wound", "{unit}: heal {n} wounds", unit=unit, n=wounds)
    if command.get("target"):
        return say("{unit}: attack on {target}", unit=unit, target=names.of(command["target"]))
    if command.get("piece"):
        piece = names.of(str(command["piece"]))
        return say("{unit}: destroy {piece}", unit=unit, piece=piece)
    if command.get("action"):
        return say("{unit}: {action}", unit=unit, action=say(str(command["action"])))
    return unit or say("Draw 2 cards, no condition")


def surge(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Surge forward") if command["take"] else say("Stay here")


def success(state: GameState, names: GameNames, command: Plain) -> str:
    if command["do"] == "charge-result":
        return say("Yes, it is in contact") if command["success"] else say("No, it falls short")
    return say("Yes, it got away") if command["success"] else say("No, it could not")


def ground(state: GameState, names: GameNames, command: Plain) -> str:
    task = next((one for one in state.tasks if one.id == command["task"]), None)
    if task is None or not (task.kind == DANGER and task.number):
        return say("Yes") if command["holds"] else say("No")
    return say("Roll the D3") if command["holds"] else say("It did not touch it")


def eliminate(state: GameState, names: GameNames, command: Plain) -> str:
    name = names.of(command["side"])
    if command["out"]:
        return say("{name} is out of the game", name=name)
    return say("{name} plays on", name=name)


def place(state: GameState, names: GameNames, command: Plain) -> str:
    if command.get("unit"):
        return say("{unit} claims it", unit=unit_of(names, command))
    if any(task.kind == INHERIT and task.id == command["task"] for task in state.tasks):
        return say("It does not touch it")
    if command.get("skip"):
        return say("No pile")
    held = any(task.id == command["task"] for task, _ in held_pieces(state))
    return say("It lies as the map shows it") if held else say("It is placed")


def reroll(state: GameState, names: GameNames, command: Plain) -> str:
    because = REROLLS.get(command["because"], names.spelled(str(command["because"])))
    return say(
        "Reroll {n} die: {because}",
        "Reroll {n} dice: {because}",
        n=len(command["places"]),
        because=because,
    )


def score(state: GameState, names: GameNames, command: Plain) -> str:
    if command.get("confirm"):
        return say("Confirm the points")
    return say("Strike out line {number}", number=command.get("drop", 0))


def objective(state: GameState, names: GameNames, command: Plain) -> str:
    token = names.of(command["token"])
    if command.get("unit"):
        return say("{unit} on {objective}", unit=unit_of(names, command), objective=token)
    return say("Nobody on {objective}", objective=token)


def mission(state: GameState, names: GameNames, command: Plain) -> str:
    return say(
        "{name} meets mission {card}: {n} point",
        "{name} meets mission {card}: {n} points",
        name=names.of(command["side"]),
        card=command["mission"],
        n=command["vp"],
    )


def quadrants(state: GameState, names: GameNames, command: Plain) -> str:
    return quadrant_told(names, str(command["unit"]), str(command["quadrant"]))


def quadrant_told(names: GameNames, unit: str, where: str) -> str:
    """In which quadrant a unit counts (TMG-MODE-HWS-4)."""
    return say("{unit}: {quadrant} quadrant", unit=names.of(unit), quadrant=say(where))


def aim(state: GameState, names: GameNames, command: Plain) -> str:
    return say("Shoot at {unit} instead", unit=names.of(str(command["target"])))


WORDERS: dict[str, Worder] = {
    "aim": aim,
    "choose-role": role,
    "choose-zone": zone,
    "first-player": first,
    "terrain": terrain,
    "choose-card": card,
    "missions": missions,
    "reserve": reserve,
    "deploy": deploy,
    "join": join,
    "mark": mark,
    "mark-card": card,
    "redeploy": redeploy,
    "activate": activate,
    "play": play,
    "discard": discard,
    "use-card": use_card,
    "reveal": mission_card,
    "lay-aside": mission_card,
    "siege": mission_card,
    "order": order,
    "claim": claim,
    "quadrant": quadrant,
    "swap-mission": swap,
    "vp-token": vp_token,
    "action": action,
    "zone-effect": zone_effect,
    "surge": surge,
    "grant": grant,
    "spent": spent,
    "charge-result": success,
    "retreat-result": success,
    "ground": ground,
    "eliminate": eliminate,
    "place": place,
    "reroll": reroll,
    "score": score,
    "objective": objective,
    "mission": mission,
    "quadrants": quadrants,
}
