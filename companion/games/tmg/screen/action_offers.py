"""What a unit may do now, with its odds, and what it may not, with the reason.

Nothing is decided here: the report of the table lists the candidates and their odds, and the game
in play is asked whether it would accept each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeVar

from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer, DiceRequest
from companion.games.tmg.game import GAME
from companion.games.tmg.play.commands.activations import granted, ready
from companion.games.tmg.play.commands.unit_actions import friends_at
from companion.games.tmg.play.context import COMMANDS
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.flow.terrain_costs import costs_a_die
from companion.games.tmg.play.names import GameNames, names_of
from companion.games.tmg.play.phase_play import PHASES
from companion.games.tmg.play.prompt_options import (
    beside,
    breakable,
    led,
    swaps,
    ways_to,
    weapons,
)
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    may_turn,
    melee_zone,
    seen,
    shot_with,
    speed_of,
    touched_besides,
    zone_of,
)
from companion.games.tmg.report_text import reason
from companion.games.tmg.rules.combat.dice import charge_chance, charge_dice, dice_rules
from companion.games.tmg.rules.combat.odds import AttackOdds, odds_for
from companion.games.tmg.rules.report import Charge, MiniaturesReport, Shot, UnitReport
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from companion.games.tmg.screen.attack_cards import ARCS
from companion.games.tmg.screen.choice_words import ANSWERS, answers, details, words
from companion.games.tmg.screen.dice_requests import (
    card_text,
    danger_told,
    expected,
    ground_die,
)
from companion.games.tmg.screen.due_moves import melee_ends
from companion.games.tmg.screen.task_cards import NO_ATTACK
from companion.text.translation import unnumbered
from companion.text.verdicts import percent
from models import CompanionError
from models.frozen_records import IdentityCache
from models.message import joined, say

MOVES = ("maneuver", "march", "retreat")
GROUND = {
    "dangerous": ANSWERS["dangerous"][True],
    "hindering": ANSWERS["hindering"][True],
    "fortified": ANSWERS["fortified"][True],
}
MELEE_VALUE = 3.0
"""What an attack in contact is worth compared with others, in wounds."""


def offers(
    state: GameState, report: MiniaturesReport | None, piece: str | None
) -> tuple[ActionOffer, ...]:
    """The offers of one unit; without one, the best attack of each unit of the active side."""
    if free := next(iter(granted(state)), None):
        return OFFERS(state, report, free.unit) if piece in (None, free.unit) else ()
    if not state.active or state.attack or state.trials or state.tasks:
        return ()
    return best(state, report) if piece is None else OFFERS(state, report, piece)


def unit_offers(
    state: GameState, report: MiniaturesReport | None, piece: str
) -> tuple[ActionOffer, ...]:
    """Every offer of a unit or NCU, the legal ones first and the best of them first."""
    names = names_of(state)
    free = any(task.unit == piece for task in granted(state))
    start = () if free else beginning(state, piece)
    if refusal := refused(state, start):
        text = say("Activate {unit}", unit=names.of(piece))
        return (forbidden(ActionOffer("activate", text, start, piece), refusal, names),)
    if state.has_ncu(piece):
        found = [*claims(state, names, piece, start), *mission_swaps(state, names, piece, start)]
    elif state.has_unit(piece):
        own = report.units.get(piece) if report is not None and seen(state, piece) else None
        listed = (
            measured(state, names, report, own, piece)
            if own and report
            else (*bare(state, piece), *breaking(state, names, piece, breakable(state)))
        )
        every = (*listed, *moves(state, own, piece))
        begun = (
            [as_free(one) for one in every if one.kind != "forgo"]
            if free
            else [with_start(one, start) for one in every]
        )
        found = [judged for offer in begun for judged in answered(state, names, offer)]
        found += [] if free else vp_tokens(state, names, piece, start)
        found += [] if free else mission_swaps(state, names, piece, start)
    else:
        found = []
    return tuple(sorted(found, key=lambda offer: (offer.verdict == "no", -offer.value)))


OFFERS = IdentityCache(unit_offers, at_most=24)


def beginning(state: GameState, piece: str) -> tuple[Plain, ...]:
    """The command that comes first: the unit is activated unless it is acting already."""
    acting = state.acting
    if acting is not None and acting.unit == piece and acting.stage == "choose":
        return ()
    return ({"do": "activate", "unit": piece},)


def with_start(offer: ActionOffer, start: tuple[Plain, ...]) -> ActionOffer:
    return replace(offer, commands=(*start, *offer.commands))


def as_free(offer: ActionOffer) -> ActionOffer:
    """An action as an effect lets a unit perform it (TMG-ACT-5)."""

    def freed(command: Plain) -> Plain:
        return {**command, "do": "free-action", "unit": offer.piece}

    dice = offer.dice and replace(offer.dice, command=freed(offer.dice.command))
    return replace(offer, commands=tuple(map(freed, offer.commands)), dice=dice)


# -- candidates -----------------------------------------------------------------------------------


def measured(
    state: GameState,
    names: GameNames,
    report: MiniaturesReport,
    own: UnitReport,
    piece: str,
) -> Iterator[ActionOffer]:
    """Charges, shots and fights as the table shows them.

    It does not show a unit that has moved since: against that one the players measure.
    """
    moved = frozenset(target for target in own.charges if not seen(state, target))
    yield from (offer for offer in bare(state, piece) if offer.target in moved)
    turns: Sequence[Plain] = ({},)
    if may_turn(state, piece):  # TMG-MEL-3
        turns = ({"turned": True}, {"turned": False})
    touched = (one for one in own.engaged if one not in moved)
    for target, turn, weapon in product(touched, turns, weapons(state.unit(piece), False)):
        command = {"do": "action", "action": "attack", "target": target, "ranged": False}
        command |= {**turn, **weapon}
        detail = beside_text(say("in contact"), answers(command))
        name = weapon.get("weapon", "")
        told = melee_odds(state, report, piece, target, name)
        wounds = expected(told, card_text(state.unit(piece), name, ranged=False))
        more = {"detail": detail, "expected": wounds, "value": MELEE_VALUE}
        if len(own.engaged) == 1:  # a tray that is moved first attacks whom it then faces
            more["ends"] = melee_ends(state, piece, turned=bool(turn.get("turned")))
        yield offer_of(state, "melee", command, piece, **more)
    for target in own.charges:
        if target not in moved:
            yield from charges(state, report, piece, target)
    for target, named in product(own.shots, weapons(state.unit(piece), True)):
        shot = shot_with(state, piece, target, named["weapon"]) if named else own.shots[target]
        if target in moved or shot is None or (shot.attack is None and not may(shot)):
            continue
        matters = may(shot) and dice_rules(state.year).zones_help_shots
        for aimed, zone in by_zone(shot) if matters else [(shot, {})]:
            yield shot_offer(state, names, report, piece, target, aimed, {**named, **zone})
    yield from breaking(state, names, piece, own.ground.to_json().get("breaks", {}))


def shot_offer(
    state: GameState,
    names: GameNames,
    report: MiniaturesReport,
    piece: str,
    target: str,
    shot: Shot,
    said: Plain,
) -> ActionOffer:
    """A shot with what is expected of it, with the weapon and into the zone that are `said`."""
    command = {"do": "action", "action": "attack", "target": target, "ranged": True, **said}
    each = state.unit(target).per_model
    odds = GAME.attack_odds(report, "shots", piece, target, shot, each) if may(shot) else None
    shifts = say("shifts {inches:.1f}″ first", inches=math.hypot(*shot.shift))
    detail = beside_text(
        shot.attack,
        shifts if any(shot.shift) else None,
        arc_told(shot, said),
        frightened(state, names, piece, target),
    )
    return offer_of(
        state,
        "shot",
        command,
        piece,
        detail=detail,
        expected=expected(odds, card_text(state.unit(piece), shot.attack or "", ranged=True)),
        value=odds.mean * allowed(shot) if odds else 0.0,
        begins_with="shift",  # TMG-RNG-5
        **verdict(shot.answer),
    )


Aimed = TypeVar("Aimed", Charge, Shot)


def by_zone(found: Aimed) -> Iterator[tuple[Aimed, Plain]]:
    """A charge or a shot into each zone between which the table is too close to call (TMG-LOS-8),
    with that zone for the players to say; as it is where the table tells it."""
    if not found.zone.choices:
        yield found, {}
    for name, arc in {ARC_ZONES[arc]: arc for arc in found.zone.choices}.items():
        yield replace(found, zone=replace(found.zone, arc=arc, choices=())), {"zone": name}


def arc_told(found: Charge | Shot, said: Plain) -> str:
    """The arc that an attack comes from, as far as the table or the players tell it."""
    if "zone" in said:
        return beside_text(ANSWERS["zone"][said["zone"]], say("arc too close to call"))
    return ARCS.get(found.zone.arc, "")


def melee_odds(
    state: GameState, report: MiniaturesReport, piece: str, target: str, weapon: str
) -> AttackOdds | None:
    """The odds in a melee with the named weapon or any; None where the players say the arc."""
    zone = melee_zone(state, piece, target)
    if zone not in ("front", "flank", "rear"):
        return None
    attacker, defender = report.table.unit(piece), report.table.unit(target)
    near = report.units[target].ground.morale.near
    each = state.unit(target).per_model
    found = (
        odds_for(
            attacker,
            attack,
            defender,
            edition=state.year,
            zone=zone,
            near=near,
            wounds_each=each,
        )
        for attack in attacker.melee
        if weapon in ("", attack.name)
    )
    return max(found, key=lambda odds: odds.mean, default=None)


def charges(
    state: GameState, report: MiniaturesReport, piece: str, target: str
) -> Iterator[ActionOffer]:
    """A charge by each of the ways between which its player chooses (TMG-CHG-9); of those that
    meet the same ground the one that needs the lowest roll, which comes first."""
    ways, beside = report.ways(piece, target), tuple(besides_told(state, piece, target))
    told_already = set()
    for way, named in product(ways, weapons(state.unit(piece), False)):
        ground = (*ground_told(report, piece, target, way), *beside)
        key = (*named.values(), *ground) if may(way) else ground
        if key in told_already:
            continue
        told_already.add(key)
        for charge, zone in by_zone(way) if may(way) else [(way, {})]:
            said = {**led(way, ways), **named, **zone}
            yield charge_offer(state, report, piece, target, charge, said, ground)


def charge_offer(
    state: GameState,
    report: MiniaturesReport,
    piece: str,
    target: str,
    charge: Charge,
    said: Plain,
    ground: Sequence[str],
) -> ActionOffer:
    """A charge with its chance and what is expected of its attack, with the heading, the weapon
    and the zone that are `said`."""
    command = {"do": "action", "action": "charge", "target": target, **said}
    each, weapon = state.unit(target).per_model, str(said.get("weapon", ""))
    odds = None
    if may(charge):
        odds = GAME.attack_odds(report, "charges", piece, target, charge, each, weapon)
    mean = odds.mean if odds else 0.0
    needs, possible = charge.needs, charge.needs is not None and may(charge)
    arc = arc_told(charge, said)
    return offer_of(
        state,
        "charge",
        command,
        piece,
        odds=if_allowed(charge, chances_told(state, charge)) if possible else "",
        detail=beside_text(weapon, roll_told(charge), arc, *ground) if possible else arc,
        expected=expected(odds, card_text(state.unit(piece), weapon, ranged=False)),
        chance=charge.chance if possible else None,
        dice=DiceRequest(
            charge_dice(state.year, "hindering" in charge.effects),
            command,
            wanted=None if charge.may_need else needs,
        ),
        value=charge.chance * mean * allowed(charge),
        moves=True,
        **verdict(charge.answer),
    )


def roll_told(charge: Charge) -> str:
    """The roll that a charge needs, or those between which the table cannot tell."""
    if charge.may_need:
        low, high = charge.may_need[0], charge.may_need[-1]
        return say("needs {low}+ to {high}+: too close to call", low=low, high=high)
    if charge.needs == 1:
        return say("arrives on any roll; a 1 is disorderly")
    return say("needs {roll}+", roll=charge.needs)


def chances_told(state: GameState, charge: Charge) -> str:
    """The chance of a charge; the lowest and the highest where the needed roll is open."""
    hindering = "hindering" in charge.effects
    ends = charge.may_need[::-1][:: max(len(charge.may_need) - 1, 1)]
    found = [charge_chance(one, state.year, hindering) for one in ends]
    return joined([percent(one) for one in found or [charge.chance]], "–")


def beside_text(*parts: str | None) -> str:
    """What stands beside an offer, as far as there is anything."""
    return joined([one for one in parts if one], " · ")


def frightened(state: GameState, names: GameNames, piece: str, target: str) -> str:
    """The own units that a shot into their melee would make test (TMG-SIM-2)."""
    if not state.has_unit(target):
        return ""
    friends = friends_at(state, state.unit(piece), target)
    units = joined([names.of(one) for one in friends])
    return say("{units} must test panic afterwards", units=units) if friends else ""


def ground_told(report: MiniaturesReport, piece: str, target: str, charge: Charge) -> Iterator[str]:
    """What the ground on the way of a charge does, or that it is led past it."""
    shortest = report.units[piece].charges[target]
    felt = [word for word in GROUND if word in charge.effects]
    yield from (GROUND[word] for word in felt)
    if not felt and any(word in GROUND for word in shortest.effects):
        yield say("on free ground")


def besides_told(state: GameState, piece: str, target: str) -> Iterator[str]:
    """The other enemies that a charge may touch (TMG-CHG-20)."""
    names = names_of(state)
    touched = dict(touched_besides(state, piece, target))
    if touched:
        yield say("may touch {units} too", units=joined([names.of(one) for one in touched]))


BREAK_VALUE = -1.5
"""What destroys terrain is seldom meant: it comes after the moves."""


def breaking(
    state: GameState, names: GameNames, piece: str, targets: Iterable[str]
) -> Iterator[ActionOffer]:
    """Attacks on pieces of terrain that break (TMG-TER-19)."""
    for broken in targets:
        command = {"do": "action", "action": "attack", "piece": broken}
        text = say("Destroy {piece}", piece=names.of(broken))
        yield replace(offer_of(state, "break", command, piece, value=BREAK_VALUE), text=text)


def bare(state: GameState, piece: str) -> Iterator[ActionOffer]:
    """Charges and attacks without a table: the players measure."""
    unit, names = state.unit(piece), names_of(state)
    for what, kind in (("charge", "charge"), ("attack", "melee")):
        for way in ways_to(state, unit, what):
            ranged = bool(way.get("ranged"))
            if not ranged and what == "attack" and way["target"] not in unit.engaged:
                continue
            command = {"do": "action", "action": what, **way}
            if what == "charge":
                dice = DiceRequest(charge_dice(state.year), command)
                detail = beside_text(answers(command))
                yield offer_of(state, kind, command, piece, dice=dice, detail=detail)
                continue
            for zone in zones_to_say(state, piece, command):
                asked = {**command, **zone}
                shown = "shot" if ranged else kind
                after = frightened(state, names, piece, str(way["target"])) if ranged else ""
                yield offer_of(
                    state, shown, asked, piece, detail=beside_text(answers(asked), after)
                )


def zones_to_say(state: GameState, piece: str, command: Plain) -> Sequence[Plain]:
    """The arcs that the players choose from where no table and no earlier melee tells the arc."""
    target = str(command["target"])
    free = command.get("ranged") and not dice_rules(state.year).zones_help_shots
    known = melee_zone(state, piece, target) or zone_of(state, piece, target)
    if free or known or "zone" in command or not state.has_unit(target):
        return ({},)
    return tuple({"zone": zone} for zone in ("front", "flank", "rear"))


def moves(state: GameState, own: UnitReport | None, piece: str) -> Iterator[ActionOffer]:
    for name in MOVES:
        command = {"do": "action", "action": name}
        answer = own.moves.get(name) if own is not None else None
        dice = retreat_die(state, piece, command) if name == "retreat" else None
        known = verdict(answer) if answer is not None else {}
        known |= {"moves": own is not None, "lines": (0.0,) if name == "march" else ()}  # TMG-MAR-3
        yield offer_of(state, name, command, piece, dice=dice, value=-1.0, **known)
    yield offer_of(state, "forgo", {"do": "action", "action": "forgo"}, piece, value=-2.0)


def retreat_die(state: GameState, piece: str, command: Plain) -> DiceRequest:
    """The die of a retreat, with how far it lets the unit go (TMG-RET-3)."""
    speed = speed_of(state, state.unit(piece))
    told = say("What did you roll? Up to {speed}″ + the die.", speed=speed)
    return DiceRequest(1, command, text=told)


def claims(
    state: GameState, names: GameNames, piece: str, start: tuple[Plain, ...]
) -> Iterator[ActionOffer]:
    """The zones an NCU may claim, each with what it does; or none (TMG-NCU-5)."""
    for zone in ZONES:
        command = {"do": "claim", "zone": zone}
        text, told = words(state, names, command), details(state, command)
        offer = ActionOffer("claim", text, (*start, command), piece, detail=told)
        fights = zone == "combat" and state.rules.zone_effects  # 2018: only the board knows
        if fights and not anyone_attacks(state, (*start, command)):
            offer = replace(offer, detail=joined([told, NO_ATTACK], " · "))
        yield from answered(state, names, offer)
    for where in QUADRANTS if play_of(state).quadrants else ():  # TMG-MODE-HWS-7
        command = {"do": "quadrant", "quadrant": where}
        offer = ActionOffer("claim", words(state, names, command), (*start, command), piece)
        yield from (one for one in answered(state, names, offer) if one.verdict != "no")
    forgo = ActionOffer("forgo", say("No action"), (*start, {"do": "forgo"}), piece, value=-2.0)
    yield from answered(state, names, forgo)


def vp_tokens(
    state: GameState, names: GameNames, piece: str, start: tuple[Plain, ...]
) -> Iterator[ActionOffer]:
    """The enemies on which the commander's unit may put a VP token when it is activated, before it
    acts (TMG-MODE-FAB-6)."""
    if not play_of(state).marked or not state.unit(piece).commander:
        return
    for enemy in state.standing():
        if enemy.side == state.unit(piece).side:
            continue
        command = {"do": "vp-token", "unit": enemy.id}
        text, told = words(state, names, command), say("first; then it still acts")
        offer = ActionOffer("vp-token", text, (*start, command), piece, enemy.id, detail=told)
        offer = replace(offer, value=-0.5, by_row=True)
        yield from (one for one in answered(state, names, offer) if one.verdict != "no")


def mission_swaps(
    state: GameState, names: GameNames, piece: str, start: tuple[Plain, ...]
) -> Iterator[ActionOffer]:
    """The missions that a commander may replace instead of an action (TMG-MODE-DWW-8)."""
    leads = state.fighter(piece).commander and play_of(state).missions == "row"
    for way in swaps(state) if leads else ():
        command = {"do": "swap-mission", **way}
        told = say("instead of its action")
        text, value = words(state, names, command), -1.5
        offer = ActionOffer("claim", text, (*start, command), piece, detail=told, value=value)
        yield from (one for one in answered(state, names, offer) if one.verdict != "no")


def anyone_attacks(state: GameState, commands: Sequence[Plain]) -> bool:
    """Whether the Combat zone would let any unit attack (TMG-ZON-4); yes if it does otherwise."""
    for command in commands:
        decision = PHASES.decide(state, command)
        if isinstance(decision, Refusal):
            return True
        for event in decision.events:
            state = PHASES.apply(state, event)
    waits = next((one for one in pending(state) if one.what == "zone"), None)
    found = beside(state, waits, None)["options"] if waits is not None else [{}]
    return any(not one.get("skip") for one in found)


def offer_of(state: GameState, kind: str, command: Plain, piece: str, **more: Any) -> ActionOffer:
    """A candidate with its words."""
    text = words(state, names_of(state), command)
    target = str(command.get("target") or "")
    return ActionOffer(kind, text, (command,), piece, target, **more)


def allowed(found: Any) -> float:
    """The chance that the table allows it: what hardly can be is no best chance."""
    answer = found.answer
    return float(answer.chance) if answer.verdict == "unsure" else 1.0


def if_allowed(found: Any, odds: str) -> str:
    """The chance of a roll, which counts only if the table allows the action at all."""
    return say("{chance} if allowed", chance=odds) if found.answer.verdict == "unsure" else odds


def may(found: Any) -> bool:
    """Whether the table does not forbid it."""
    return bool(found.answer.verdict != "no")


def verdict(answer: Any) -> dict[str, Any]:
    """A measured answer as the fields of an offer: verdict, rules and reason."""
    plain = answer.to_json()
    found: dict[str, Any] = {"verdict": plain["answer"], "rules": tuple(plain["why"])}
    margin = plain.get("margin")
    if plain["answer"] == "unsure":
        chance = percent(plain["probability"])
        found["reason"] = say("Too close to call: {chance} yes.", chance=chance)
    elif plain["answer"] == "no" and margin is not None and margin < 0 and len(plain["why"]) == 1:
        found["reason"] = say("{inches:.1f}″ too far", inches=-margin)
    elif plain["answer"] == "no":
        told = next((text for text in map(reason, plain["why"]) if text), "")
        found["reason"] = say(told) if told else say("the rules do not allow it here")
    return found


# -- judging --------------------------------------------------------------------------------------


def answered(state: GameState, names: GameNames, offer: ActionOffer) -> Iterator[ActionOffer]:
    """The offer as the game judges it; one offer per answer where it asks what cannot be seen."""
    if offer.verdict == "no":
        yield offer
        return
    refusal = refused(state, offer.commands)
    if refusal is None:
        yield with_ground(state, offer)
        return
    options = tuple(with_answer(offer, refusal.asks)) if refusal.asks else ()
    legal = [with_ground(state, one) for one in options if refused(state, one.commands) is None]
    yield from legal or [forbidden(offer, refusal, names)]


def with_ground(state: GameState, offer: ActionOffer) -> ActionOffer:
    """The offer with the D3 of Dangerous ground, where it surely costs one (TMG-TER-9, -10)."""
    last = offer.commands[-1]
    if last["do"] not in ("action", "free-action") or not costs_a_die(state, offer.piece, last):
        return offer
    die, dice = ground_die(last), offer.dice
    detail = beside_text(offer.detail, danger_told(state, offer.piece))
    offer = replace(offer, detail=detail)
    return replace(offer, dice=replace(dice, extra=(*dice.extra, die)) if dice else die)


def with_answer(offer: ActionOffer, field: str) -> Iterator[ActionOffer]:
    """Copies of the offer, one for each value of the field that the game asks for."""
    *before, last = offer.commands
    asked = next((one for one in COMMANDS[str(last["do"])].fields if one.name == field), None)
    if asked is None:
        return
    values: Sequence[Any] = asked.options or (True, False)
    for value in values:
        command = {**last, field: value}
        told = ANSWERS.get(field, {}).get(value) or say(str(value))
        detail = beside_text(offer.detail, told)
        dice = replace(offer.dice, command=command) if offer.dice else None
        yield replace(offer, commands=(*before, command), detail=detail, dice=dice)


def forbidden(offer: ActionOffer, refusal: Refusal, names: GameNames) -> ActionOffer:
    """The offer with the game's reason against it."""
    now = refusal.why != PHASES.timing.phase  # players do not know the names of commands
    told = names.spelled(unnumbered(refusal.say)) if now else say("not in this phase")
    return replace(offer, verdict="no", rules=(refusal.why,), reason=told)


def refused(state: GameState, commands: Sequence[Plain]) -> Refusal | None:
    """The game's objection to these commands in order; None if it would accept them."""
    for number, command in enumerate(commands, 1):
        try:
            decision = PHASES.decide(state, command)
        except CompanionError as error:
            return Refusal("INPUT", str(error))
        if isinstance(decision, Refusal):
            return decision
        if number < len(commands):
            for event in decision.events:
                state = PHASES.apply(state, event)
    return None


# -- overview -------------------------------------------------------------------------------------


def best(state: GameState, report: MiniaturesReport | None) -> tuple[ActionOffer, ...]:
    """The best legal attack of each unit that may still act, the most valuable first."""
    if report is None:
        return ()
    acting = state.acting
    units = (
        (acting.unit,)
        if acting is not None and acting.stage == "choose"
        else ready(state, state.active)
    )
    found = (first_legal(state, report, unit) for unit in units if state.has_unit(unit))
    return tuple(sorted((one for one in found if one), key=lambda one: -one.value))


def first_legal(state: GameState, report: MiniaturesReport, unit: str) -> ActionOffer | None:
    """The most valuable attack of a unit that the game accepts."""
    own = report.units.get(unit)
    if own is None:
        return None
    names, start = names_of(state), beginning(state, unit)
    listed = (one for one in measured(state, names, report, own, unit) if one.verdict != "no")
    for offer in sorted(listed, key=lambda one: -one.value):
        if offer.value <= 0:
            return None
        for one in answered(state, names, with_start(offer, start)):
            if one.verdict != "no":
                return one
    return None
