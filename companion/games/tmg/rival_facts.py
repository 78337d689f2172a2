"""What speaks for a rival's line of the miniatures game: what it is after, what may happen to it,
and how its tray moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin

from companion.games.api.play import Plain
from companion.games.api.prompt import Fact
from companion.games.api.rival import LineText
from companion.games.tmg.game import GAME
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.table_facts import current_table, seen
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rival_ends import Aim, away
from companion.games.tmg.rival_value import Attacks, panic_wounds
from companion.games.tmg.rival_zones import CROWN
from companion.games.tmg.rules.setup.objectives import claim
from companion.games.tmg.screen.action_offers import frightened
from models import Pose, Table
from models.message import joined, say

NEARER_IN = 0.5
"""So much nearer to an objective is told."""
LEAST_IN, LEAST_DEG = 0.05, 0.5
"""A way or a turn by less is not told."""


def facts(state: GameState, told: LineText, commands: Sequence[Plain]) -> Iterator[Fact]:
    """What speaks for a line, the most important first."""
    by = {str(one["do"]): one for one in commands}
    task = next((one.other for one in state.tasks if one.kind == "zone"), "")
    zone = str(by["claim"]["zone"]) if "claim" in by else task
    if "claim" in by and zone in ZONE_FACTS:
        yield Fact(ZONE_FACTS[zone][:], "good")
    if not state.has_unit(told.piece) or not seen(state, told.piece):
        return
    if told.piece not in current_table(state):  # it deploys
        return
    doing = by.get("action") or by.get("zone-effect") or {}
    kind = "shot" if doing.get("ranged") else "melee"
    kind = "charge" if doing.get("action") == "charge" else kind
    yield from attack_facts(state, told, kind)
    if "zone-effect" in by:
        yield from effect_facts(state, zone, told.piece, str(doing.get("token", "")))
    if told.end is not None:
        yield from end_facts(state, told.piece, told.end.on(current_table(state)))
    elif by.get("action", {}).get("action") == "forgo":
        yield from place_facts(state, told.piece, current_table(state))
    elif by.get("action", {}).get("action") == "retreat":
        yield from danger(state, told.piece)


def attack_facts(state: GameState, told: LineText, kind: str) -> Iterator[Fact]:
    """What an attack of that kind promises."""
    attacks = Attacks.of(state)
    known = (told.target, kind) in attacks.each(told.piece)
    odds = attacks.odds(told.piece, told.target, kind) if known else None
    if known and kind == "charge":
        yield Fact(say("The charge arrives"), "good", attacks.chance(told.piece, told.target, kind))
    if odds is None:
        return
    arc = attacks.arc(told.piece, told.target, kind)
    texts = {
        "flank": say("{n:.1f} wounds on average, in the flank", n=odds[1].mean),
        "rear": say("{n:.1f} wounds on average, in the rear", n=odds[1].mean),
    }
    yield Fact(texts.get(arc, say("{n:.1f} wounds on average", n=odds[1].mean)), "good")
    if odds[1].destroys >= 0.01:
        yield Fact(say("Chance to destroy it"), "good", odds[1].destroys)
    names = names_of(state)
    if kind == "shot" and (tests := frightened(state, names, told.piece, told.target)):
        yield Fact(tests, "bad")
    held = [one.id for one in state.tokens if one.holder == told.target]
    if held:
        yield Fact(say("It holds {token}", token=names.of(held[0])), "good")


def end_facts(state: GameState, unit: str, after: Table) -> Iterator[Fact]:
    """What a place is good for, and the way there."""
    yield from place_facts(state, unit, after)
    before, there = current_table(state).unit(unit).pose, after.unit(unit).pose
    yield Fact(joined([*way_words(before, there)], ", "))


def way_words(before: Pose, there: Pose) -> Iterator[str]:
    """Where a tray goes as its player sees it, for a hand with a ruler."""
    angle, dx, dy = radians(before.heading), there.x - before.x, there.y - before.y
    ahead, left = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
    turn = (there.heading - before.heading + 180) % 360 - 180
    ways = (
        (ahead, say("{inches:.1f}″ ahead"), say("{inches:.1f}″ back")),
        (left, say("{inches:.1f}″ to its left"), say("{inches:.1f}″ to its right")),
    )
    for inches, onward, contrary in ways:
        if abs(inches) >= LEAST_IN:
            yield say((onward if inches > 0 else contrary)[:], inches=abs(inches))
    if abs(turn) < LEAST_DEG:
        yield say("facing as before")
    elif turn > 0:
        yield say("turned by {deg:.0f}° to its left", deg=turn)
    else:
        yield say("turned by {deg:.0f}° to its right", deg=-turn)


def place_facts(state: GameState, unit: str, after: Table) -> Iterator[Fact]:
    """What a unit is after at a place: an objective, else an enemy; and who may come there."""
    found, own = GAME.report(after).units, state.unit(unit)
    foes = [one.id for one in state.standing() if one.side != own.side and one.id in found]
    wanted = list(aims(state, own, after))[:1]
    charges = {one: found[unit].charges[one] for one in foes if one in found[unit].charges}
    best = max(charges, key=lambda one: charges[one].chance, default="")
    able = [
        one
        for one in foes
        if unit in found[one].charges and found[one].charges[unit].answer.verdict != "no"
    ]
    if best and charges[best].chance > 0 and not (wanted and able):
        text = say("It can charge {target} from there", target=names_of(state).of(best))
        wanted.append(Fact(text, "good", charges[best].chance))
    yield from wanted
    if able:
        text = say("{n} enemy may charge it there", "{n} enemies may charge it there", n=len(able))
        yield Fact(text, "bad")
    elif len(wanted) < 2:
        yield Fact(say("No enemy can charge it there"), "good")


def aims(state: GameState, unit: UnitState, after: Table) -> Iterator[Fact]:
    """Objectives that a unit keeps, claims, or comes nearer to at a place."""
    table, names, mode = current_table(state), names_of(state), mode_of(state)
    held = {one.id: state.unit(one.holder).side for one in state.tokens if one.holder}
    tray = after.unit(unit.id)
    for token in after.tokens:
        if claim(tray, token, mode).verdict == "yes":
            about = names.of(token.id)
            if held.get(token.id) == unit.side:
                yield Fact(say("It keeps {token}", token=about), "good")
            else:
                yield Fact(say("It claims {token}", token=about), "good")
    here = table.unit(unit.id).pose
    wanted = [one for one in after.tokens if held.get(one.id) != unit.side]
    ways = [(gap(tray.pose, one.x, one.y), gap(here, one.x, one.y), one.id) for one in wanted]
    for now, before, token_id in sorted(ways):
        if before - now >= NEARER_IN:
            about = names.of(token_id)
            yield Fact(say("{n:.0f}″ nearer to {token}", n=before - now, token=about), "good")


def gap(pose: Pose, x: float, y: float) -> float:
    return away(pose, Aim(x, y))


def danger(state: GameState, unit: str) -> Iterator[Fact]:
    """What a unit in melee stands to lose where it is."""
    attacks = Attacks.of(state)
    for foe in state.unit(unit).engaged:
        odds = attacks.odds(foe, unit, "melee") if foe in attacks.trays else None
        if odds is not None:
            about = names_of(state).of(foe)
            yield Fact(say("{foe}: {n:.1f} wounds on average", foe=about, n=odds[1].mean), "bad")


ZONE_FACTS = {
    "tactics": say("Two cards and a condition token"),
    "maneuver": say("A unit moves a second time"),
}
"""What zones do beside the effect on the unit that is named (TMG-ZON-5, -6)."""


def effect_facts(state: GameState, zone: str, unit: str, token: str) -> Iterator[Fact]:
    """Whom a condition token on a unit helps (TMG-CON-5..7), the wounds that may be healed or that
    a panic test may cost (TMG-ZON-2, -3)."""
    attacks, names, own = Attacks.of(state), names_of(state), state.unit(unit)
    if zone == "wealth" and own.wounds:
        about = {"unit": names.of(unit), "n": own.wounds}
        yield Fact(say("{unit} has lost {n} wound", "{unit} has lost {n} wounds", **about), "good")
    elif zone == "crown":
        yield Fact(say("{n:.1f} wounds on average", n=panic_wounds(state, own, CROWN)), "good")
    elif token and zone == "tactics":
        mine = [unit] if token == "weakened" else [one for one in attacks.trays if one != unit]
        ways = [(one, *way) for one in mine for way in attacks.each(one)]
        ways = [one for one in ways if token == "weakened" or one[1] == unit]
        best = max(ways, key=lambda one: attacks.promised(*one), default=None)
        odds = attacks.odds(*best) if best is not None else None
        if best is not None and odds is not None:
            about = {"unit": names.of(best[0]), "target": names.of(best[1])}
            text = say("{unit} may attack {target}: {n:.1f} wounds", n=odds[1].mean, **about)
            yield Fact(text, "bad" if token == "weakened" else "good")
