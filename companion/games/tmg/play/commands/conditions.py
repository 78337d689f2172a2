"""Commands for the state of units: conditions, wounds by effects, healing, contact, corrections."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play.commands.guests import stands_already
from companion.games.tmg.play.context import (
    WHOSE,
    CommandContext,
    CommandFields,
    anytime,
    ask,
    effect_owner,
    interrupt,
    no,
    on_field,
    waiting,
)
from companion.games.tmg.play.events import field_events, flow_events, score_events, unit_events
from companion.games.tmg.play.flow.attacks import WALL_VP, counted, counted_dice, strike
from companion.games.tmg.play.flow.casualties import asked_token, fall, gain, restore, suffer
from companion.games.tmg.play.flow.dice_changes import remind_of_name
from companion.games.tmg.play.flow.panic_queue import conclude
from companion.games.tmg.play.state.contacts import wall_refused
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    CLEAN_UP,
    OVER,
    SET_UP,
    GameState,
    PendingTask,
)
from companion.games.tmg.play.state.play_rules import CONDITIONS
from companion.games.tmg.play.state.unit_state import (
    SOLO_TRAYS,
    JoinedAttachment,
    UnitState,
    same_name,
    spelling,
)
from models.message import joined, say

TOLD = {"cost": "cost", "per_model": "wounds"}
"""The corrections that supply values unknown so far."""
EFFECT_ENDS = ("activation", "turn", "round", "game")


@interrupt(
    "wounds",
    "an effect deals wounds directly: no defense roll",
    ask("unit", "unit", "who suffers", required=True),
    ask("wounds", "number", "how many", required=True),
    ask("by", "side", WHOSE),
    ask("by_unit", "unit", "the unit whose effect it is"),
    ask("why", "text", "which effect"),
    of=on_field,
)
def wounds(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Wounds that are not hits (TMG-GLO-23)."""
    by, by_unit = effect_owner(context.state, given)
    number = given.whole("wounds", 1, 100)
    suffer(context, unit.id, number, by, by_unit, given.text("why"))
    return None


@interrupt(
    "hits",
    "an effect deals automatic hits: the unit rolls defense dice, but it is no attack",
    ask("unit", "unit", "who is hit", required=True),
    ask("hits", "number", "how many", required=True),
    ask("by", "side", WHOSE),
    ask("why", "text", "which effect"),
    of=on_field,
)
def hits(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Automatic hits (TMG-GLO-21, TMG-GLO-22)."""
    by, source = effect_owner(context.state, given)
    number = given.whole("hits", 1, 60)
    now = context.state.attack
    if now is not None and now.stage != "completed":
        return no("TMG-TIM-6", "first resolve the attack that runs")
    strike(context, unit.id, number, given.text("why", "an effect"), by, source)
    return None


@interrupt(
    "heal",
    "an effect heals wounds",
    ask("unit", "unit", "who is healed", required=True),
    ask("wounds", "number", "how many", required=True),
    of=on_field,
)
def heal(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Remove wound tokens first, then restore models (TMG-WND-5, TMG-WND-6)."""
    number = min(given.whole("wounds", 1, 100), unit.wounds)
    if not number:
        return no("TMG-WND-7", "{unit} has no wounds to heal", unit=unit.id)
    context.add(unit_events.healed, unit=unit.id, wounds=number)
    return None


@interrupt(
    "token",
    "place or remove a condition token",
    ask("unit", "unit", "which unit", required=True),
    ask("token", "word", "which condition", True, CONDITIONS),
    ask("remove", "flag", "take it away instead"),
    ask("by", "side", "who spends it, where it is spent on an effect of its own (TMG-CON-8)"),
    of=on_field,
)
def token(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Place or remove condition tokens (TMG-CON-1..3)."""
    word = given.choice("token", CONDITIONS)
    if not given.flag("remove"):
        if word in unit.tokens:
            return no("TMG-CON-2", "{unit} is {token} already", unit=unit.id, token=word)
        context.add(unit_events.condition, unit=unit.id, token=word)
        return None
    if word not in unit.tokens:
        return no("TMG-CON-3", "{unit} is not {token}", unit=unit.id, token=word)
    by = given.text("by")
    if by and context.state.side(by).id == unit.side:
        return no("TMG-CON-4", "only an opponent of {unit} may spend its token", unit=unit.id)
    context.add(unit_events.condition_gone, unit=unit.id, token=word, by=by)
    return None


@interrupt(
    "spent",
    "say whether a condition token is spent on dice that the players counted, and the new result",
    ask("take", "flag", "whether it is spent", required=True),
    ask("count", "number", "how many of all the dice hit or block after the reroll"),
    ask("faces", "dice", "both dice of a test after the reroll"),
    ask("d3", "number", "the D3 of a panic test after the reroll"),
    of=waiting(no("TMG-CON-4", "nobody is asked about a token"), "spent"),
)
def spent(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """A token that is spent is gone, and what counts is the result after the reroll (TMG-CON-3..7,
    TMG-RER-3); else the count stands."""
    took = given.field("take").flag()
    token, counts = asked_token(task)
    if took and counts:
        again = rerolled_counts(context.state, given, task, counts)
        if isinstance(again, Refusal):
            return again
        counts = again
    if took and token in context.state.unit(task.unit).tokens:
        context.add(unit_events.condition_gone, unit=task.unit, token=token, by=task.side)
    said = "it was spent" if took else "it was not spent"
    context.add(flow_events.task_done, task=task.id, say_=said)
    trial = next((one for one in context.state.trials if one.id == task.number), None)
    if not counts:
        return None
    if task.number and trial is not None:
        conclude(context, trial, *counts)
    elif not task.number and context.state.attack is not None:
        counted(context, *counts)
    return None


def rerolled_counts(
    state: GameState, given: CommandFields, task: PendingTask, before: tuple[int, ...]
) -> tuple[int, ...] | Refusal:
    """What the players counted after the reroll: hits or blocks, or a test's total and D3."""
    if not task.number:
        if not given.has("count"):
            return no("TMG-RER-3", "say how many count after the reroll")
        return (given.whole("count", 0, counted_dice(state)),)
    faces = given.faces()
    if faces is None or len(faces) != 2:
        return no("TMG-RER-3", "say what both dice show after the reroll")
    return sum(faces), given.whole("d3", 1, 3, before[1])


@anytime(
    "counter",
    "put tokens on a card of an army, or take them off",
    ask("unit", "unit", "whose card", required=True),
    ask("token", "text", "which token, as its card calls it", required=True),
    ask("by", "number", "how many more; fewer where it is negative", required=True),
)
def counter(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Count the tokens that cards begin with, gain and spend."""
    state, name, token = context.state, given.need("unit"), given.need("token")
    if not state.has_ncu(name):
        state.unit(name)
    has = next((one[2] for one in state.counters if one[:2] == (name, token)), 0)
    number = has + given.whole("by", -20, 20)
    if not 0 <= number <= MOST_TOKENS:
        return no(
            "INPUT",
            "{unit} has {n} {token} token",
            "{unit} has {n} {token} tokens",
            unit=name,
            n=has,
            token=token,
        )
    context.add(unit_events.counted, unit=name, token=token, number=number)
    return None


MOST_TOKENS = 20
"""More tokens than this lie on no card."""


@anytime(
    "attach",
    "an effect puts an attachment into a unit, or takes it out again",
    ask("unit", "unit", "which unit", required=True),
    ask("name", "text", "the attachment", required=True),
    ask("place", "number", "its place in the front rank from the left; the last where left out"),
    ask("abilities", "list", "what it gives, where the catalogue does not tell"),
    ask("remove", "flag", "take it out instead"),
    of=on_field,
)
def attach(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Only effects give a unit more than one attachment (TMG-ATM-2, TMG-ATM-8, TMG-ATM-9)."""
    name = given.need("name")
    if given.flag("remove"):
        names = [one.name.casefold() for one in unit.attachments]
        if name.casefold() not in names:
            return no("TMG-ATM-2", "{name} is not in {unit}", name=name, unit=unit.id)
        place = names.index(name.casefold()) + 1
        context.add(
            unit_events.detached, unit=unit.id, name=unit.attachments[place - 1].name, place=place
        )
        return None
    if refusal := joining_refused(context.state, unit):
        return refusal
    known = army_catalogue(context.state.game).attachments.named(name)
    joined = JoinedAttachment(name, abilities=given.texts("abilities"))
    if len(known) == 1:
        card = known[0]
        if refusal := stands_already(context.state, card):
            return refusal
        abilities = joined.abilities or card.abilities
        joined = JoinedAttachment(card.label, 0, card.character, False, abilities)
    last = len(unit.attachments) + 1
    place = given.whole("place", 1, last, last)
    context.add(
        unit_events.attached,
        unit=unit.id,
        name=joined.name,
        attachment=joined.to_json(),
        place=place,
    )
    return None


def joining_refused(state: GameState, unit: UnitState) -> Refusal | None:
    """Why no attachment can join a unit by an effect."""
    if unit.tray in SOLO_TRAYS and not state.rules.solo_attachments:
        return no("TMG-ATM-3", "{unit} is a solo unit", unit=unit.id)
    if len(unit.attachments) >= unit.models:
        return no("TMG-ATM-8", "{unit} has no model to be replaced", unit=unit.id)
    return None


@interrupt(
    "lose-abilities",
    "an effect makes a unit lose its abilities, or they come back (2021)",
    ask("unit", "unit", "which unit", required=True),
    ask("lost", "flag", "no: they come back"),
    of=on_field,
)
def lose_abilities(
    context: CommandContext, given: CommandFields, unit: UnitState
) -> Refusal | None:
    """A unit loses all abilities but the innate ones, and those of attachments (TMG-ABL-7)."""
    if not context.state.rules.innate:
        return no("TMG-ABL-7", "this edition does not know the loss of abilities")
    context.add(unit_events.abilities, unit=unit.id, lost=given.flag("lost", True))
    return None


@interrupt(
    "effect",
    "note an effect that lasts",
    ask("unit", "unit", "which unit", required=True),
    ask("name", "text", "the effect", required=True),
    ask("until", "word", "how long", True, EFFECT_ENDS),
    of=on_field,
)
def effect(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Note a lasting effect as a reminder that expires by itself."""
    until, name = given.choice("until", EFFECT_ENDS), given.need("name")
    held = [one for who, one, ends in context.state.effects if (who, ends) == (unit.id, until)]
    if same_name(name, held):
        remind_of_name(context, name)
        return None
    context.add(unit_events.effect, unit=unit.id, name=name, until=until)
    return None


def effects_now(state: GameState) -> tuple[tuple[str, str], ...]:
    """The effects in force now; those of an activation not in a free action (TMG-GLO-2)."""
    acting, attack = state.acting, state.attack
    own = acting.unit if acting is not None and acting.stage != "done" else ""
    if attack is not None and attack.free:
        own = ""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for unit, name, until in state.effects:
        if until != "activation" or unit == own:
            found.setdefault((unit, spelling(name)), (unit, name))  # TMG-ABL-5
    return tuple(found.values())


@anytime(
    "engage",
    "say which enemies are in contact with a unit (a table tells it by itself)",
    ask("unit", "unit", "which unit", required=True),
    ask("with", "list", "the enemies in contact; none where left out"),
    of=on_field,
)
def engage(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """Set contact as the players see it (TMG-GLO-11)."""
    others = tuple(dict.fromkeys(given.texts("with")))
    for name in others:
        if context.state.wall(name):
            if refusal := wall_refused(context.state, unit, name):
                return refusal
            continue
        enemy = context.state.unit(name)
        if enemy.side == unit.side:
            return no("TMG-GLO-11", "{friend} is a friend of {unit}", friend=name, unit=unit.id)
        if not enemy.standing:
            return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=name)
    context.add(field_events.engaged, unit=unit.id, with_=list(others))
    return None


@anytime(
    "correct",
    "set a number of a unit right, or put a unit back that was destroyed by mistake",
    ask("unit", "unit", "which unit, or which castle wall", required=True),
    ask("wounds", "number", "wounds taken in all"),
    ask("activated", "flag", "whether it was activated this round"),
    ask("vp_tokens", "number", "VP tokens on its tray"),
    ask("marked", "flag", "whether it is Marked"),
    ask("cost", "number", "what it costs without attachments"),
    ask("wounds_per_model", "number", "how many wounds each of its models takes"),
    ask("why", "text", "why"),
    phases=(SET_UP, ACTIVATION, CLEAN_UP, OVER),
)
def correct(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Correct a value by the players' word."""
    if context.state.wall(given.need("unit")) and context.state.phase != "set-up":
        return correct_wall(context, given)
    name = given.need("unit")
    if (
        given.has("wounds")
        and context.state.has_unit(name)
        and not context.state.unit(name).standing
    ):
        return correct_fall(context, given)
    unit = on_field(context.state, given)
    if isinstance(unit, Refusal):
        return unit
    changes: dict[str, Any] = {}
    if given.has("wounds"):
        most = given.whole("wounds_per_model", 1, 60, unit.per_model) * unit.full_models
        changes["wounds"] = given.whole("wounds", 0, most)
    if given.has("activated"):
        changes["activated"] = given.flag("activated")
    if given.has("vp_tokens"):
        changes["vp_tokens"] = given.whole("vp_tokens", 0, 35)
    if given.has("marked"):
        changes["marked"] = given.flag("marked")
    if given.has("cost"):
        changes["cost"] = given.whole("cost", 0, 100)
    if given.has("wounds_per_model"):
        changes["per_model"] = given.whole("wounds_per_model", 1, 60)
        if changes.get("wounds", unit.wounds) > changes["per_model"] * unit.full_models:
            return no("INPUT", "{unit} has taken more wounds than that", unit=unit.id)
    if not changes:
        return no("INPUT", "nothing is corrected")
    if unit.assumed and ("cost" in changes or "per_model" in changes):
        known = {name for key, name in TOLD.items() if key in changes}
        changes["assumed"] = [name for name in unit.assumed if name not in known]
    acting = context.state.acting
    if "activated" in changes and acting and acting.unit == unit.id and acting.stage != "done":
        return no("TMG-ACT-3", "{unit} is being activated", unit=unit.id)
    told = joined(corrected(key, value) for key, value in changes.items() if key != "assumed")
    context.add(unit_events.corrected, unit=unit.id, set=changes, say_=told, why=given.text("why"))
    if not context.state.unit(unit.id).models:
        fall(context, unit.id)
    return None


def correct_fall(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Restore a unit that was destroyed by mistake; later events stay as they are."""
    unit = context.state.unit(given.need("unit"))
    if context.state.fall(unit.id) is None:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    wounds = given.whole("wounds", 0, unit.total)
    if wounds == unit.total:
        return no("TMG-UNT-11", "{unit} is destroyed by so many wounds", unit=unit.id)
    if any(given.has(key) for key in ("vp_tokens", "marked", "cost", "wounds_per_model")):
        return no("INPUT", "first say how many wounds {unit} has, then the rest", unit=unit.id)
    restore(context, unit, wounds, given.text("why"))
    if given.has("activated"):
        changes = {"activated": given.flag("activated")}
        told = corrected("activated", changes["activated"])
        context.add(
            unit_events.corrected, unit=unit.id, set=changes, say_=told, why=given.text("why")
        )
    return None


def correct_wall(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Correct the wounds of a castle wall, and the points for it (TMG-MODE-SOS-16)."""
    wall = context.state.wall(given.need("unit"))
    assert wall is not None
    changes: dict[str, object] = {}
    if given.has("wounds"):
        changes["wounds"] = given.whole("wounds", 0, wall.total)
    if given.has("activated"):
        changes["activated"] = given.flag("activated")
    if not changes or any(given.has(name) for name in ("vp_tokens", "marked")):
        return no("INPUT", "a castle wall has wounds and activations to correct, nothing else")
    told = joined(corrected(key, value) for key, value in changes.items())
    context.add(
        score_events.wall_corrected, wall=wall.id, set=changes, say_=told, why=given.text("why")
    )
    after = context.state.wall(wall.id)
    assert after is not None
    attacker = next(side.id for side in context.state.sides if side.role == "attacker")
    if wall.standing and not after.standing:
        told = say("{unit} destroyed", unit=wall.id)
        gain(context, attacker, WALL_VP, "TMG-MODE-SOS-16", told)
    elif after.standing and not wall.standing:
        told = say("{unit} stands after all", unit=wall.id)
        gain(context, attacker, -WALL_VP, "TMG-MODE-SOS-16", told)
    return None


def corrected(key: str, value: object) -> str:
    """One correction in words: a number, or a yes or no."""
    if isinstance(value, bool):
        return key if value else say("not {number}", number=key)
    if key == "per_model":
        key = "wounds per model"
    return say("{number} {value}", number=key, value=value)
