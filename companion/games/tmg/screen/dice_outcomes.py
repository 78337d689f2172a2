"""What dice and wounds came to, in one sentence: attacks, rerolls, tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.api.prompt import Tone
from companion.games.api.screen_views import Outcome
from companion.games.tmg.play.flow.attacks import attack_modifier, defense_modifier, dice_abilities
from companion.games.tmg.play.flow.panic_queue import modifier
from companion.games.tmg.play.state.game_state import AttackState
from companion.games.tmg.rules.combat.dice import count_hits, unblocked
from companion.games.tmg.screen.dice_requests import summed
from companion.games.tmg.screen.played_step import PlayedStep, change, seat_of
from models.message import joined, say


def wounds(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """Wounds, from an attack or from anything else."""
    if step.first("attack-wounds") is not None:
        return None  # told with the dice
    unit = str(data["unit"])
    told = {"unit": step.unit(unit), "n": data["wounds"], **change(step, unit)}
    text: str = say(
        "{unit}: {n} wound, {old} → {new}.", "{unit}: {n} wounds, {old} → {new}.", **told
    )
    ground = ground_wounds(step, data)
    text, faces = ground or (text, ())  # TMG-TER-10
    return Outcome(text, tone="bad", icon="drop", seat=seat_of(step, unit), dice=faces)


def ground_wounds(step: PlayedStep, data: Mapping[str, Any]) -> tuple[str, tuple[int, ...]] | None:
    """The wounds of Dangerous ground with their D3, if it is these (TMG-TER-10)."""
    unit = str(data["unit"])
    rolls = (one.data for one in step.events if one.type == "dangerous")
    ground = [one for one in rolls if one["unit"] == unit]
    faces = tuple(ground[0]["faces"]) if len(ground) == 1 else ()
    if not faces:
        return None
    piece = ground[0].get("piece", "")
    text = say(
        "{unit}, {ground}: rolled {face}, {n} wound, {old} → {new}.",
        "{unit}, {ground}: rolled {face}, {n} wounds, {old} → {new}.",
        ground=step.names.of(piece) if piece else say("Dangerous ground"),
        face=faces[0],
        unit=step.unit(unit),
        n=data["wounds"],
        **change(step, unit),
    )
    return text, faces


def attack_wounds(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """The end of the dice: who hit whom with how many dice, blocks and wounds."""
    unit, number = str(data["defender"]), int(data["wounds"])
    attack = step.before.attack
    hits = attack.hits if attack is not None and attack.stage.startswith("defense") else 0
    sure = attack.sure if attack is not None else 0
    if step.first("hits") is not None and not hits:
        counted = step.first("hits") or {}
        hits, sure = int(counted["hits"]), int(counted["sure"])
    hits += sure
    landed = landed_text(attack, hits, sure)
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


def landed_text(attack: AttackState | None, hits: int, sure: int = 0) -> str:
    """How many dice hit, of how many, and which cannot be blocked (TMG-ABL-3); automatic hits have
    no dice."""
    if attack is None or not attack.attacker or not attack.dice or hits > attack.dice:
        text = say("{n} hit", "{n} hits", n=hits)
    else:
        text = say("{hits} of {n} die hits", "{hits} of {n} dice hit", hits=hits, n=attack.dice)
    return say("{hits} ({n} cannot be blocked)", hits=text, n=sure) if sure else text


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
        result = say("{hits} so far", hits=landed_text(now, number, found.sure_wounds))
        text = against(step, now, now.defender, result)
        tone = good(number > 0)
        return Outcome(text, "", tone, "dice", str(data["side"]), faces, so_far=True)
    need = step.before.unit(now.defender).defense
    through = unblocked(faces, need, defense_modifier(now, step.before.year))
    text = say(
        "Blocked by {unit}: {n} of {hits} so far.",
        unit=step.short(now.defender),
        n=len(faces) - through,
        hits=len(faces),
    )
    return Outcome(text, icon="shield", seat=data["side"], dice=faces, so_far=True)


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
    text = against(step, now, unit, landed_text(now, number, int(data["sure"])))
    return Outcome(text, tone=good(number > 0), icon="dice", dice=dice(step))


# -- tests ----------------------------------------------------------------------------------------


def test_over(step: PlayedStep, data: Mapping[str, Any]) -> Outcome | None:
    """A test: passed, or failed with its wounds; one that nobody rolls is less than the attack."""
    unit = str(data["unit"])
    if data.get("automatic") and data["passed"] and step.first("attack-wounds") is not None:
        return None
    if data.get("automatic") or "result" not in data:
        text = (
            say("{unit}: passed without a roll.", unit=step.unit(unit))
            if data["passed"]
            else say("{unit}: test failed.", unit=step.unit(unit))
        )
        return Outcome(text, tone=good(data["passed"]), icon="bolt")
    seat, faces = seat_of(step, unit), test_dice(step)
    trial = next((one for one in step.before.trials if one.id == data["test"]), None)
    added = modifier(trial) if trial is not None else 0
    shown = {
        "result": summed(data.get("total", sum(faces[:2])), int(data["result"]), added),
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
    seat = str(data.get("side", ""))
    return Outcome(text, icon="dice", seat=seat, dice=faces[:2], so_far=True)
