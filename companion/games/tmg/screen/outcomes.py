"""What just happened, in one sentence, what follows from it, and where its trays go.

A step of the game is several events; the most important one gives the sentence, and the most
important of the others what follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api.play import Event
from companion.games.api.prompt import Tone
from companion.games.api.screen_views import Outcome
from companion.games.tmg.play.events.event_log import EVENTS
from companion.games.tmg.play.flow.attacks import attack_modifier, defense_modifier, dice_abilities
from companion.games.tmg.play.names import GameNames, names_of
from companion.games.tmg.play.state.game_state import DRAW, AttackState, GameState, table_of
from companion.games.tmg.rules.combat.dice import count_hits, unblocked
from companion.games.tmg.screen.dice_requests import summed
from companion.games.tmg.screen.unit_views import short_name
from companion.text.translation import unnumbered
from models.message import joined, say

STILL_IN = 0.1
"""A tray this close to its old place has not moved."""
SILENT = frozenset("step went-on task task-done declined attack-completed attack-ended".split())
"""Events that the next prompt shows better."""


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step: the game before and after it, and its events."""

    before: GameState
    events: tuple[Event, ...]
    after: GameState
    names: GameNames

    def first(self, kind: str) -> Mapping[str, Any] | None:
        """The data of the first event of a type."""
        return next((event.data for event in self.events if event.type == kind), None)

    def unit(self, key: str) -> str:
        return self.names.of(key)

    def short(self, key: str) -> str:
        """The name of a unit as on its badge."""
        return short_name(self.names.of(key))


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
        return head
    return None


def headline(step: PlayedStep, event: Event) -> Outcome | None:
    if event.type in HEADS:
        return HEADS[event.type](step, event.data)
    return Outcome(sentence(step, event.type, event.data), icon=ICONS.get(event.type, ""))


def sentence(step: PlayedStep, kind: str, data: Mapping[str, Any]) -> str:
    """The title of an event with the names that players know, each once."""
    title = EVENTS.title(Event(kind, {**data, "name": ""} if kind in NAMED else data))
    return say("{title}.", title=step.names.spelled(unnumbered(title)))


def following(step: PlayedStep, event: Event) -> str:
    """What an event adds to the headline of another."""
    if event.type == "test":
        unit = step.unit(event.data["unit"])
        if event.data["kind"] == "panic":
            return say("{unit} must test panic.", unit=unit)
        return say("{unit} must test morale.", unit=unit)
    if event.type == "attack" and event.data["stage"] == "attack-dice":
        return say("Roll {n} attack die.", "Roll {n} attack dice.", n=event.data["dice"])
    if event.type in FOLLOWING:
        head = headline(step, event)
        return head.text if head is not None else ""
    return ""


# -- wounds ---------------------------------------------------------------------------------------


def left(state: GameState, unit: str) -> int:
    return state.unit(unit).wounds_left if state.has_unit(unit) else 0


def change(step: PlayedStep, unit: str) -> dict[str, int]:
    """What a unit had and has left."""
    gone = step.first("destroyed")
    now = 0 if gone is not None and gone["unit"] == unit else left(step.after, unit)
    return {"old": left(step.before, unit), "new": now}


def wounds(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """Wounds, from an attack or from anything else."""
    if step.first("attack-wounds") is not None:
        return None  # told with the dice
    unit = str(data["unit"])
    told = {"unit": step.unit(unit), "n": data["wounds"], **change(step, unit)}
    text = say("{unit}: {n} wound, {old} → {new}.", "{unit}: {n} wounds, {old} → {new}.", **told)
    rolls = (one.data for one in step.events if one.type == "dangerous")
    ground = [one for one in rolls if one["unit"] == unit]
    faces = tuple(ground[0]["faces"]) if len(ground) == 1 else ()
    if faces:  # TMG-TER-10
        piece = ground[0].get("piece", "")
        text = say(
            "{unit}, {ground}: rolled {face}, {n} wound, {old} → {new}.",
            "{unit}, {ground}: rolled {face}, {n} wounds, {old} → {new}.",
            ground=step.names.of(piece) if piece else say("Dangerous ground"),
            face=faces[0],
            **told,
        )
    return Outcome(text, tone="bad", icon="drop", seat=seat_of(step, unit), dice=faces)


def attack_wounds(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """The end of the dice: who hit whom with how many dice, blocks and wounds."""
    unit, number = str(data["defender"]), int(data["wounds"])
    attack = step.before.attack
    hits = attack.hits if attack is not None and attack.stage.startswith("defense") else 0
    if step.first("hits") is not None and not hits:
        counted = step.first("hits") or {}
        hits = int(counted["hits"]) + int(counted["sure"])
    elif attack is not None:
        hits += attack.sure
    landed = landed_text(attack, hits)
    if not hits and not number:
        return Outcome(against(step, attack, unit, landed), icon="shield", dice=dice(step))
    if not number:
        text = against(step, attack, unit, say("{hits}, all blocked", hits=landed))
        return Outcome(text, tone="good", icon="shield", dice=dice(step))
    blocked = say("{n} blocked", n=max(0, hits - number))
    if not step.after.has_unit(unit):
        told = say("{n} wound", "{n} wounds", n=number)
    else:
        told = say(
            "{n} wound, {old} → {new}", "{n} wounds, {old} → {new}", n=number, **change(step, unit)
        )
    if hits:  # the players may have entered the wounds alone
        told = say("{hits}, {blocked}, {wounds}", hits=landed, blocked=blocked, wounds=told)
    text = against(step, attack, unit, told)
    return Outcome(text, tone="bad", icon="drop", seat=seat_of(step, unit), dice=dice(step))


def landed_text(attack: AttackState | None, hits: int) -> str:
    """How many dice hit, of how many; automatic hits have no dice."""
    if attack is None or not attack.attacker or not attack.dice or hits > attack.dice:
        return say("{n} hit", "{n} hits", n=hits)
    return say("{hits} of {n} die hits", "{hits} of {n} dice hit", hits=hits, n=attack.dice)


AGAINST = {
    "front": say("{unit} against {target}: {result}."),
    "flank": say("{unit} against the flank of {target}: {result}."),
    "rear": say("{unit} against the rear of {target}: {result}."),
}


def against(step: PlayedStep, attack: AttackState | None, unit: str, result: str) -> str:
    """Who attacks whom from where, and what came of it."""
    target = step.short(unit)
    if attack is None or not attack.attacker:
        return say("{unit}: {result}.", unit=target, result=result)
    words = AGAINST.get(attack.zone, AGAINST["front"])
    return say(str(words), unit=step.short(attack.attacker), target=target, result=result)


def seat_of(step: PlayedStep, unit: str) -> str:
    return step.after.unit(unit).side if step.after.has_unit(unit) else ""


def dice(step: PlayedStep) -> tuple[int, ...]:
    """The dice of a step: those rolled in it, or those that lay and count now."""
    for kind in ("rolled", "test-rolled", "charge-rolled"):
        if found := step.first(kind):
            return tuple(found["faces"])
    attack = step.before.attack
    return attack.roll.faces if attack is not None and attack.roll is not None else ()


def rolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """Dice that lie on the table: how many count before rerolls."""
    now = step.after.attack or step.before.attack
    faces = tuple(data["faces"])
    if now is None:
        return None
    if data["what"] == "attack":
        found = count_hits(faces, now.hit, attack_modifier(now), dice_abilities(now))
        number = found.hits + found.sure_wounds
        result = say("{hits} so far", hits=landed_text(now, number))
        text = against(step, now, now.defender, result)
        return Outcome(text, tone=good(number > 0), icon="dice", seat=data["side"], dice=faces)
    need = step.before.unit(now.defender).defense
    through = unblocked(faces, need, defense_modifier(now, step.before.year))
    text = say(
        "Blocked by {unit}: {n} of {hits} so far.",
        unit=step.short(now.defender),
        n=len(faces) - through,
        hits=len(faces),
    )
    return Outcome(text, icon="shield", seat=data["side"], dice=faces)


def good(so: bool) -> Tone:
    return "good" if so else "bad"


def rerolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """Dice rolled again: each as it lay and as it lies."""
    changed = joined(
        say("{old} → {new}", old=old, new=new)
        for old, new in zip(data.get("old", ()), data["new"], strict=False)
    )
    name = step.names.of(str(data["side"]))
    text = say(
        "{name} rerolls {n} die: {changed}.",
        "{name} rerolls {n} dice: {changed}.",
        name=name,
        n=len(data["new"]),
        changed=changed,
    )
    return Outcome(text, icon="dice", seat=data["side"], dice=tuple(data["new"]))


def hits(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """The hits of the attack dice, rerolls done."""
    number, now = int(data["hits"]) + int(data["sure"]), step.before.attack
    unit = now.defender if now is not None else ""
    text = against(step, now, unit, landed_text(now, number))
    return Outcome(text, tone=good(number > 0), icon="dice", dice=dice(step))


# -- charges and moves ----------------------------------------------------------------------------


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
        return Outcome(text, disorder(data), "good", "charge", seat, faces)
    text = say("Charge by {unit} at {target}: rolled {face}, it fails.", **told)
    follows = say("It moves the full {reach:g}″ forward, then tests panic.", reach=reach)
    return Outcome(text, follows, "bad", "charge", seat, faces)


def retreat_rolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The retreat die, and whether it leads out of the melee (TMG-RET-9)."""
    acted, faces = step.first("acted"), tuple(data["faces"])
    text = sentence(step, "retreat-rolled", data)
    if acted is not None and not acted.get("moves") and not step.after.tasks:
        told = {"unit": step.short(data["unit"]), "face": faces[0]}
        text = say("{unit}: rolled {face}, no way out: it stays engaged.", **told)
    return Outcome(text, icon="retreat", seat=seat_of(step, data["unit"]), dice=faces)


def disorder(data: Mapping[str, Any]) -> str:
    """A disorderly charge loses its bonus and its player's cards for now."""
    if data["disorderly"]:
        return say("A disorderly charge: no charge bonus, and no cards for now.")
    return ""


def charge_ended(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """The players said how the charge ended."""
    if step.first("charge-rolled") is not None:
        return None
    text = sentence(step, "charge-ended", data)
    if data["success"]:
        return Outcome(text, "", "good", "charge")
    follows = say("Move it as far as it comes, then test panic.")
    return Outcome(text, follows, "bad", "charge")


def acted(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """An action without dice of its own; of a move that is made, how far it went."""
    unit, action = str(data["unit"]), str(data["action"])
    text, shown = sentence(step, "acted", data), step.first("table")
    went = way_gone(step, unit) if shown is not None else None
    if action in ("maneuver", "march") and went is not None:
        told = {"unit": step.unit(unit), "action": say(action), "inches": went}
        text = say("{unit}: {action}, {inches:.1f}″.", **told)
        if not went:
            text = say("{unit}: {action}, it stays where it is.", **told)
        elif shown is not None and shown.get("agreed"):
            text = say("{unit}: {action}, {inches:.1f}″, by agreement.", **told)
    return Outcome(text, icon=action)


def way_gone(step: PlayedStep, unit: str) -> float | None:
    """How far a tray is from where it was before the step; None if a table does not show it."""
    if not step.before.table or not step.after.table:
        return None
    before, after = table_of(step.before.table), table_of(step.after.table)
    if unit not in before or unit not in after:
        return None
    start, end = before.unit(unit).pose, after.unit(unit).pose
    return math.dist((start.x, start.y), (end.x, end.y))


# -- tests ----------------------------------------------------------------------------------------


def test_over(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """A test: passed, or failed with its wounds."""
    unit = str(data["unit"])
    if data.get("automatic") or "result" not in data:
        text = (
            say("{unit}: passed without a roll.", unit=step.unit(unit))
            if data["passed"]
            else say("{unit}: test failed.", unit=step.unit(unit))
        )
        return Outcome(text, tone=good(data["passed"]), icon="bolt")
    seat, faces = seat_of(step, unit), test_dice(step)
    shown = {
        "result": summed(faces, int(data["result"])),
        "morale": data["morale"],
        "unit": step.short(unit),
    }
    if data["passed"]:
        text = say("{unit}: passed ({result} against {morale}+).", **shown)
        return Outcome(text, "", "good", "bolt", seat, faces)
    if not data["wounds"]:
        text = say("{unit}: failed ({result} against {morale}+).", **shown)
        return Outcome(text, "", "bad", "bolt", seat, faces)
    told = say(
        "{n} wound, {old} → {new}",
        "{n} wounds, {old} → {new}",
        n=data["wounds"],
        **change(step, unit),
    )
    text = say("{unit}: failed ({result} against {morale}+), {wounds}.", wounds=told, **shown)
    return Outcome(text, "", "bad", "bolt", seat, faces)


def test_dice(step: PlayedStep) -> tuple[int, ...]:
    """The two dice of a test that is over: those rolled in the step, or those that lay.

    Its D3 is told as wounds.
    """
    rolled = step.first("test-rolled")
    lay = next((one.roll for one in step.before.trials if one.roll is not None), None)
    faces = rolled["faces"] if rolled is not None else lay.faces if lay is not None else ()
    return tuple(faces)[:2]


def test_rolled(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """The dice of a test that may still be rerolled."""
    faces = tuple(data["faces"])
    unit = step.unit(data["unit"])
    text = say("{unit}: rolled {total} so far.", unit=unit, total=faces[0] + faces[1])
    return Outcome(text, icon="dice", seat=str(data.get("side", "")), dice=faces[:2])


# -- the game -------------------------------------------------------------------------------------


def round_began(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    text = sentence(step, "round-began", data)
    return Outcome(text, icon="flag", seat=data["first"], big=True)


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
    text = sentence(step, "destroyed", data)
    return Outcome(text, tone="bad", icon="cross", seat=seat_of(step, str(data["unit"])))


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


Head = Callable[[PlayedStep, Mapping[str, Any]], Outcome | None]


def table_seen(step: PlayedStep, data: Mapping[str, Any]) -> Outcome:
    """Where trays stand now: a single one that made its move, or was put right, by name."""
    ways = {unit.id: way_gone(step, unit.id) or 0.0 for unit in step.after.units}
    moved = [unit for unit, inches in ways.items() if inches > STILL_IN]
    text = sentence(step, "table", data)
    if len(moved) == 1:
        told = {"unit": step.unit(moved[0]), "inches": ways[moved[0]]}
        due = any(one.unit == moved[0] for one in step.before.declared)
        text = say("{unit} moves {inches:.1f}″.", **told)
        if not due:
            text = say("{unit}: position corrected, {inches:.1f}″.", **told)
    return Outcome(text, icon="camera")


HEADS: dict[str, Head] = {
    "table": table_seen,
    "wounds": wounds,
    "attack-wounds": attack_wounds,
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
}
NAMED = ("activated", "destroyed", "restored")
"""Events whose title has a unit's id and its name."""
SIMPLE = frozenset(
    """
    passed pass-chosen first-player eliminated roll-off zone-chosen role-chosen zone-left
    piece-count piece-placed reserved redeployed renamed-leader engaged turned
    may-have-turned let-lie retreated piece-destroyed activated activation-ended
    tokens-cleared board-cleared
    influence-cleared attack attack-changed test test-changed token-held
    control-lost token-new token-card pile-new card-chosen card-used marked vp-token
    missions-taken mission-left mission-shown missions-set mission-scored proposed
    quadrants-said proposals-closed overridden commander-fell wall-hit dangerous wall-corrected
    claimed no-zone in-quadrant influence order ability drawn played discarded
    returned healed reopened restored attached detached counted condition condition-gone abilities
    effect
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
    "token-held": "flag",
    "control-lost": "flag",
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
    "piece-destroyed healed "
    "overridden corrected restored wall-corrected played order ability claimed no-zone in-quadrant "
    "condition condition-gone influence attack acted turn-began commander-fell mission-scored "
    "control-lost token-held pass-chosen passed roll-off role-chosen zone-chosen zone-left "
    "first-player deployed activated discarded drawn returned proposed proposals-closed "
    "tokens-cleared board-cleared influence-cleared activation-ended engaged turned "
    "let-lie may-have-turned table test"
).split()
RANK = {name: place for place, name in enumerate(RANKED)}
"""What deserves the headline of a step, the most important first."""
FOLLOWING = frozenset(
    "drawn won reopened eliminated destroyed scored round-began turn-began vp-token condition "
    "commander-fell piece-destroyed token-held control-lost wall-hit".split()
)
"""Events that are told as what follows."""
