"""What just happened, in one sentence, what follows from it, and where its trays go.

A step of the game is several events; the most important one gives the sentence, and the most
important of the others what follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Event
from companion.games.api.screen_views import Outcome
from companion.games.tmg.play.events.event_log import report_sentence
from companion.games.tmg.play.events.field_events import performed
from companion.games.tmg.play.flow.casualties import asked_token
from companion.games.tmg.play.names import mate_name, names_of
from companion.games.tmg.play.state.game_state import DRAW, GameState, table_of
from companion.games.tmg.screen.dice_outcomes import (
    attack_wounds,
    ground_wounds,
    hits,
    rerolled,
    rolled,
    test_over,
    test_rolled,
    wounds,
)
from companion.games.tmg.screen.due_moves import due_moves
from companion.games.tmg.screen.played_step import PlayedStep, change, seat_of, sentence
from companion.text.translation import unnumbered
from models.message import joined, say

STILL_IN, STILL_DEG = 0.1, 1.0
"""A tray this close to its old place has not moved."""
SILENT = frozenset("went-on task-done declined attack-completed attack-ended laid".split())
"""Events that the next prompt shows better."""


def outcome(before: GameState, events: Sequence[Event], after: GameState) -> Outcome | None:
    """The outcome of a step; None if there is nothing to say."""
    told = [event for event in events if event.type in HEADS or event.type in SIMPLE]
    if not told:
        return None
    step = PlayedStep(before, tuple(events), after, names_of(after))
    ranked = sorted(told, key=lambda event: RANK.get(event.type, len(RANK)))
    for place, event in enumerate(ranked):
        head = headline(step, event)
        if head is None or not head.text:
            continue
        if not head.follows:
            later = ranked[place + 1 :]
            after_it = (following(step, one) for one in later if one.type != event.type)
            head = replace(head, follows=next((text for text in after_it if text), ""))
        return with_points(step, head)
    return None


def with_points(step: PlayedStep, head: Outcome) -> Outcome:
    """What follows a headline, with the points that it brings (TMG-VIC-8)."""
    data = step.first("scored")
    if data is None:
        return head
    told = scored(step, data).text
    if told in (head.text, head.follows):
        return head
    return replace(head, follows=joined(filter(None, (head.follows, told)), " "))


WITH_NUMBERS = ("acted", "attack-wounds", "test-over")
"""Events that the report tells as the screen does: how far, how many, against what."""


def report_lines(before: GameState, events: Sequence[Event], after: GameState) -> Sequence[str]:
    """The sentences of a step in the battle report."""
    step = PlayedStep(before, tuple(events), after, names_of(after))
    told = [event.data for event in events if event.type in WITH_NUMBERS]
    hurt = {one.get("defender") or one["unit"] for one in told if one.get("wounds")}
    return [
        report_line(step, event)
        for event in events
        if event.type != "wounds" or event.data["unit"] not in hurt
    ]


def report_line(step: PlayedStep, event: Event) -> str:
    text = report_sentence(step.after, event)
    if event.type == "activated":
        text = activated_by(step, str(event.data["unit"]))
    if event.type == "attack-wounds" or (event.type in WITH_NUMBERS and text):
        head = headline(step, event)
        text = head.text if head is not None else text
    if event.type == "table" and DICED & {one.action for one in step.before.declared}:
        text = diced_way(step, event)
    if event.type == "test-over":
        text = say("{what}: {told}", what=tested(step, event.data), told=text)
    return text


DICED = {"retreat", "pivot"}
"""Moves that the report tells apart from what let a unit make them."""


def diced_way(step: PlayedStep, event: Event) -> str:
    """How far a unit retreated, or its free pivot; "" while the table shows neither."""
    left = {one.unit for one in step.after.declared}
    made = {one.unit for one in step.before.declared if one.action in DICED} - left
    still = all(
        (way_gone(step, unit) or 0.0) <= STILL_IN and way_turned(step, unit) <= STILL_DEG
        for unit in made
    )
    head = headline(step, event)
    return "" if not made or still or head is None else head.text


def activated_by(step: PlayedStep, unit: str) -> str:
    """Which player of a team activates a unit; "" where its side is one player (TMG-TEAM-3)."""
    found = step.after.owner(unit)
    owner = mate_name(found, step.after.players) if found is not None else ""
    return say("{player} activates {unit}", player=owner, unit=step.names.of(unit)) if owner else ""


def tested(step: PlayedStep, data: Mapping[str, Any]) -> str:
    """Which test it was, and what asked for it, unless that was the attack told before."""
    trial = next((one for one in step.before.trials if one.id == data["test"]), None)
    if trial is None or trial.after == "attack" or not trial.causes:
        return say("{kind} test", kind=data["kind"])
    cause = step.names.spelled(unnumbered(say(trial.causes[0])))
    return say("{kind} test ({cause})", kind=data["kind"], cause=cause)


def headline(step: PlayedStep, event: Event) -> Outcome | None:
    if event.type in HEADS:
        return HEADS[event.type](step, event.data)
    return Outcome(sentence(step, event.type, event.data), icon=ICONS.get(event.type, ""))


def following(step: PlayedStep, event: Event) -> str:
    """What an event adds to the headline of another."""
    if event.type == "test":
        unit = step.unit(event.data["unit"])
        over = step.first("test-over")
        if over is not None and over["unit"] == event.data["unit"]:
            passed = over.get("automatic") and over["passed"]
            return sentence(step, "test-over", over) if passed else ""
        if event.data["kind"] == "panic":
            return say("{unit} must test panic.", unit=unit)
        return say("{unit} must test morale.", unit=unit)
    if event.type == "attack" and event.data["stage"] == "attack-dice":
        return say("Roll {n} attack die.", "Roll {n} attack dice.", n=event.data["dice"])
    if event.type in FOLLOWING:
        head = headline(step, event)
        return head.text if head is not None else ""
    return ""


# -- charges and moves ----------------------------------------------------------------------------


AS_FAR = say("Move it as far as it comes, then test panic.")


def charge_rolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The charge roll, and whether it arrives if that is known already."""
    faces, reach = tuple(data["faces"]), data["reach"]
    ended = step.first("charge-ended")
    face = min(faces)
    seat = str(data.get("side", ""))
    told = {"unit": step.short(data["unit"]), "target": step.short(data["target"]), "face": face}
    if ended is None:
        text = say(
            "Charge by {unit} at {target}: rolled {face}, up to {reach:g}″.", reach=reach, **told
        )
        asked = say("Does it reach {target}?", target=step.unit(data["target"]))
        return Outcome(text, asked, icon="charge", seat=seat, dice=faces)
    if ended["success"]:
        text = say("Charge by {unit} at {target}: rolled {face}, it arrives.", **told)
        return Outcome(text, disorder(step, data), "good", "charge", seat, faces)
    text = say("Charge by {unit} at {target}: rolled {face}, it fails.", **told)
    moves: str = say("It moves the full {reach:g}″ forward, then tests panic.", reach=reach)
    if data.get("heading") is not None:  # the way is measured: its card says how far it comes
        moves = AS_FAR
    follows = joined(filter(None, (moves, disorder(step, data))), " ")
    return Outcome(text, follows, "bad", "charge", seat, faces)


def retreat_rolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The retreat die, and whether it leads out of the melee (TMG-RET-9)."""
    acted, faces = step.first("acted"), tuple(data["faces"])
    told = {"unit": step.short(data["unit"]), "face": faces[0], "reach": data["reach"]}
    text = say("{unit}: rolled {face}, it may retreat up to {reach:g}″.", **told)
    if acted is not None and not acted.get("moves") and not step.after.tasks:
        told = {"unit": step.short(data["unit"]), "face": faces[0]}
        text = say("{unit}: rolled {face}, no way out: it stays engaged.", **told)
    return Outcome(text, icon="retreat", seat=seat_of(step, data["unit"]), dice=faces)


def disorder(step: PlayedStep, data: Mapping[str, Any]) -> str:
    """A disorderly charge loses its bonus and its player's cards for a time (TMG-CHG-26)."""
    return BARRED[step.after.year] if data["disorderly"] else ""


BARRED = {
    "2021": say("A disorderly charge: no charge bonus, no cards for the rest of the turn."),
    "2018": say("A disorderly charge: no charge bonus, no cards for the rest of the action."),
}


def charge_ended(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """The players said how the charge ended."""
    if step.first("charge-rolled") is not None:
        return None
    text = sentence(step, "charge-ended", data)
    if data["success"]:
        return Outcome(text, "", "good", "charge")
    return Outcome(text, AS_FAR, "bad", "charge")


def acted(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """An action without dice of its own; of a move that is made, how far it went."""
    unit, action = str(data["unit"]), str(data["action"])
    text, shown = sentence(step, "acted", data), step.first("table")
    went = way_gone(step, unit) if shown is not None else None
    if action in ("maneuver", "march") and went is not None:
        done = performed(action, bool(data.get("free")))
        told = {"unit": step.unit(unit), "action": done, "inches": went}
        text = say("{unit}: {action}, {inches:.1f}″.", **told)
        if not went:
            text = say("{unit}: {action}, it stays where it is.", **told)
        elif shown is not None and shown.get("agreed"):
            text = say("{unit}: {action}, {inches:.1f}″, by agreement.", **told)
    return Outcome(text, icon=action)


def attack(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """An attack that begins; a shot that needs a shift is one when the tray stands (TMG-RNG-7)."""
    declared = any(one.action == "shift" for one in step.after.declared)
    due = due_moves(step.after) if declared else ()
    shifting = next((one for one in due if one.kind == "aim"), None)
    if shifting is None:
        return Outcome(sentence(step, "attack", data))
    aimed = {"unit": step.unit(data["attacker"]), "target": step.unit(data["defender"])}
    follows = say("{title}.", title=shifting.text)
    return Outcome(say("{unit} aims at {target}.", **aimed), follows, icon="shot")


def way_gone(step: PlayedStep, unit: str) -> float | None:
    """How far a tray is from where it was before the step; None if a table does not show it."""
    if not step.before.table or not step.after.table:
        return None
    before, after = table_of(step.before.table), table_of(step.after.table)
    if unit not in before or unit not in after:
        return None
    start, end = before.unit(unit).pose, after.unit(unit).pose
    return math.dist((start.x, start.y), (end.x, end.y))


def way_turned(step: PlayedStep, unit: str) -> float:
    """By how many degrees a tray was turned in a step; 0 if a table does not show it."""
    if not step.before.table or not step.after.table:
        return 0.0
    before, after = table_of(step.before.table), table_of(step.after.table)
    if unit not in before or unit not in after:
        return 0.0
    return abs((after.unit(unit).pose.heading - before.unit(unit).pose.heading + 180) % 360 - 180)


# -- the game -------------------------------------------------------------------------------------


def round_began(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """A new round, with the cards that were drawn before it (TMG-RND-19)."""
    text = sentence(step, "round-began", data)
    drawn = [sentence(step, "drawn", one.data) for one in step.events if one.type == "drawn"]
    return Outcome(text, joined(drawn, " "), icon="flag", seat=data["first"], big=True)


def turn_began(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    text = say("{name}: your turn.", name=step.names.of(data["side"]))
    ended = step.before.active
    undo = say("end of {name}’s turn", name=step.names.of(ended)) if ended else ""
    return Outcome(text, icon="turn", seat=data["side"], big=True, undo=undo)


def won(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    how = step.names.spelled(unnumbered(data["how"]))
    if data["side"] == DRAW:
        return Outcome(say("A draw."), how, icon="crown", big=True)
    text = say("{name} wins.", name=step.names.of(data["side"]))
    return Outcome(text, how, "good", "crown", data["side"], big=True)


def scored(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The points of a step, by side."""
    points: dict[str, int] = {}
    for event in step.events:
        if event.type == "scored":
            points[event.data["side"]] = points.get(event.data["side"], 0) + event.data["vp"]
    told = joined(
        say("{name} {n:+d}", name=step.names.of(side), n=number) for side, number in points.items()
    )
    return Outcome(say("Points: {points}.", points=told), icon="score", seat=data["side"])


def destroyed(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    text, unit = sentence(step, "destroyed", data), str(data["unit"])
    hurt = step.first("wounds")
    told = ground_wounds(step, hurt) if hurt is not None and hurt["unit"] == unit else None
    follows, faces = told or ("", ())  # TMG-TER-10
    return Outcome(text, follows, "bad", "cross", seat_of(step, unit), faces)


def corrected(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """What players set right."""
    unit = str(data["unit"])
    if "wounds" in data["set"]:
        text = say(
            "Corrected: {unit}, {old} → {new} left.", unit=step.unit(unit), **change(step, unit)
        )
        return Outcome(text, icon="pencil")
    return Outcome(say("Corrected: {unit}.", unit=step.unit(unit)), icon="pencil")


def deployed(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """One unit, or all at once."""
    number = sum(event.type == "deployed" for event in step.events)
    if number > 1:
        return Outcome(say("{n} unit is deployed.", "{n} units are deployed.", n=number))
    return Outcome(say("{unit}: deployed.", unit=step.unit(data["unit"])))


def step_began(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """A step of the set-up or of the end of a round; Undo names the one before it."""
    text, over = sentence(step, "step", data), STEPS.get(step.before.step, "")
    undo = say("{step}: done", step=over) if over else ""
    return Outcome(text, passes=True, undo=undo) if text else None


def proposed(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The points that are proposed at the end of a round."""
    over = STEPS.get(step.before.step, "")
    undo = say("{step}: done", step=over) if over else ""
    return Outcome(sentence(step, "proposed", data), undo=undo)


STEPS = {
    "roles": say("Attacker and defender"),
    "mark-zones": say("Deployment zones"),
    "tokens": say("Objectives"),
    "terrain": say("Terrain"),
    "zones": say("Deployment zones"),
    "first-player": say("First player"),
    "cards-chosen": say("Objective cards"),
    "missions-chosen": say("Missions"),
    "reserves": say("Reserves"),
    "guests": say("Joining an enemy unit"),
    "deploy": say("Deployment"),
    "marks": say("Marked units"),
    "redeploy": say("Units return"),
    "end-of-round": say("End of the round"),
    "score": say("Points of this round"),
    "discard": say("Discard cards"),
}
"""What players call the steps that they end by going on."""


def counted(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """Dice that the players counted, where a token may make them roll again (TMG-CON-4)."""
    task = next((one for one in step.after.tasks if one.id == data["id"]), None)
    if task is None or task.kind != "spent" or not (numbers := asked_token(task)[1]):
        return None
    now, told = step.after.attack, {"unit": step.unit(task.unit), "n": numbers[0]}
    if task.number or now is None:
        return Outcome(say("{unit}: the two dice add up to {n}.", **told), icon="dice")
    if now.stage == "attack-dice":
        text = say("{unit}: {n} hit counted.", "{unit}: {n} hits counted.", **told)
    else:
        text = say("{unit}: {n} block counted.", "{unit}: {n} blocks counted.", **told)
    return Outcome(text, icon="dice")


def held(step: PlayedStep, kind: str, data: Mapping[str, Any]) -> Outcome:
    """Who holds an objective now; where a tray was put it adds to what put it there."""
    text = sentence(step, kind, data)
    if step.events[0].type != "table":
        return Outcome(text, icon="flag")
    moved = table_seen(step, step.events[0].data).text  # that is what Undo takes back
    return Outcome(text, icon="flag", adds=text, undo=moved)


Head = Callable[[PlayedStep, Mapping[str, Any]], Outcome | None]


def table_seen(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """Where trays stand now: a single one that made its move, or was put right, by name."""
    ways = {unit.id: way_gone(step, unit.id) or 0.0 for unit in step.after.units}
    moved = [unit for unit, inches in ways.items() if inches > STILL_IN]
    text = sentence(step, "table", data)
    left = {one.unit for one in step.after.declared}
    retreats = [one.unit for one in step.before.declared if one.action == "retreat"]
    stayed = [unit for unit in retreats if unit not in moved and unit not in left]
    if stayed and step.after.unit(stayed[0]).engaged:
        text = say("{unit} stays where it is, engaged as before.", unit=step.unit(stayed[0]))
    pivots = [
        one.unit
        for one in step.before.declared
        if one.action == "pivot" and one.unit not in left and not moved
    ]
    if len(pivots) == 1 and (turn := way_turned(step, pivots[0])) > STILL_DEG:
        text = say("{unit} pivots by {turn:.0f}°.", unit=step.unit(pivots[0]), turn=turn)
        return Outcome(text, icon="maneuver", placed=True)
    stays = [one.unit for one in step.before.declared if one.unit not in left and not moved]
    if len(stays) == 1 and not stayed:
        text = say("{unit} stays where it is.", unit=step.unit(stays[0]))
    if len(moved) == 1:
        return moved_alone(step, moved[0], ways[moved[0]])
    return Outcome(text, icon="camera")


def moved_alone(step: PlayedStep, unit: str, inches: float) -> Outcome:
    """Where players have put one tray: a charge that arrives stays told by its roll, and an attack
    by its dice."""
    told = {"unit": step.unit(unit), "inches": inches}
    due = next((one.action for one in step.before.declared if one.unit == unit), "")
    text = say("{unit} moves {inches:.1f}″.", **told)
    if due == "retreat":
        text = say("{unit} retreats {inches:.1f}″.", **told)
    elif due == "shift":
        text = say("{unit} shifts {inches:.1f}″.", **told)
    elif not due:
        text = say("{unit}: position corrected, {inches:.1f}″.", **told)
    icon = "retreat" if due == "retreat" else "maneuver" if due else "pencil"
    placed = due not in ("charge", "align") and (bool(due) or step.after.attack is None)
    return Outcome(text, icon=icon, placed=placed)


def activated(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """Which unit acts, and of a team whose."""
    by = activated_by(step, str(data["unit"]))
    text = say("{title}.", title=by) if by else sentence(step, "activated", data)
    return Outcome(text, icon=ICONS.get("activated", ""))


def used(step: PlayedStep, kind: str, data: Mapping[str, Any]) -> Outcome:
    """A card, an order or an ability: only the players know what it says."""
    follows = say("Now do what it says.") if step.after.open_effect is not None else ""
    return Outcome(sentence(step, kind, data), follows, icon=ICONS[kind])


HEADS: dict[str, Head] = {
    "played": lambda step, data: used(step, "played", data),
    "order": lambda step, data: used(step, "order", data),
    "ability": lambda step, data: used(step, "ability", data),
    "activated": activated,
    "token-held": lambda step, data: held(step, "token-held", data),
    "control-lost": lambda step, data: held(step, "control-lost", data),
    "table": table_seen,
    "wounds": wounds,
    "attack-wounds": attack_wounds,
    "attack": attack,
    "rolled": rolled,
    "rerolled": rerolled,
    "hits": hits,
    "charge-rolled": charge_rolled,
    "charge-ended": charge_ended,
    "retreat-rolled": retreat_rolled,
    "acted": acted,
    "test-over": test_over,
    "test-rolled": test_rolled,
    "round-began": round_began,
    "turn-began": turn_began,
    "won": won,
    "scored": scored,
    "destroyed": destroyed,
    "corrected": corrected,
    "deployed": deployed,
    "task": counted,
    "step": step_began,
    "proposed": proposed,
}
SIMPLE = frozenset(
    """
    passed pass-chosen first-player eliminated stopped roll-off zone-chosen role-chosen zone-left
    piece-count piece-placed reserved redeployed renamed-leader engaged turned moves-off makes-way
    may-have-turned let-lie retreated piece-destroyed activation-ended
    tokens-cleared board-cleared
    influence-cleared attack-changed aimed test test-changed
    token-new token-card pile-new card-chosen card-used marked mark-card vp-token
    missions-taken mission-left mission-shown missions-set mission-scored
    quadrants-said proposals-closed overridden commander-fell wall-hit dangerous wall-corrected
    claimed no-zone in-quadrant influence drawn discarded
    returned healed reopened restored attached guest-joined detached counted condition
    condition-gone abilities effect
    """.split()
)
"""Events whose title says all."""
ICONS = {
    "claimed": "board",
    "played": "cards",
    "drawn": "cards",
    "discarded": "cards",
    "returned": "cards",
    "condition": "bolt",
    "pass-chosen": "pass",
    "overridden": "pencil",
    "healed": "plus",
    "order": "star",
    "ability": "star",
    "roll-off": "dice",
}
RANKED = (
    "won reopened eliminated charge-rolled charge-ended test-over attack-wounds retreat-rolled "
    "destroyed round-began wounds scored hits rolled rerolled test-rolled dangerous "
    "piece-destroyed healed stopped "
    "overridden corrected restored wall-corrected played order ability claimed no-zone in-quadrant "
    "condition condition-gone influence attack acted turn-began commander-fell mission-scored "
    "control-lost token-held pass-chosen passed roll-off role-chosen zone-chosen zone-left "
    "first-player deployed activated discarded drawn returned proposed proposals-closed "
    "tokens-cleared board-cleared influence-cleared activation-ended engaged turned "
    "let-lie may-have-turned table moves-off makes-way test task step"
).split()
RANK = {name: place for place, name in enumerate(RANKED)}
"""What deserves the headline of a step, the most important first."""
FOLLOWING = frozenset(
    "drawn won reopened eliminated destroyed scored round-began turn-began vp-token condition "
    "commander-fell piece-destroyed token-held control-lost wall-hit moves-off makes-way".split()
)
"""Events that are told as what follows."""
