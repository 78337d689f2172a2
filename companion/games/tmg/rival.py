"""The rival of the miniatures game, both editions: the lines it thinks of, and how it tells them.

It moves trays, charges, shoots, fights, retreats, surges and sends its NCUs to the zones. What
tactics cards, orders and abilities say is printed on the players' cards alone: it leaves them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.games.api.play import Accepted, Pending, Plain
from companion.games.api.prompt import ActionOffer, Fact, TrayEnd
from companion.games.api.rival import Line, LineText, Rival, in_turns
from companion.games.tmg import rival_facts, rival_value, rival_words
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.activations import forced, ready
from companion.games.tmg.play.commands.positions import deploy_place, planned, table_with
from companion.games.tmg.play.flow.terrain_costs import costs_a_die
from companion.games.tmg.play.prompt_options import ways_of
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.table_facts import charge_ways, current_table, may_turn, seen
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rival_ends import (
    Aim,
    Guess,
    away,
    ends,
    entries,
    off_front,
    pivots,
    retreats,
)
from companion.games.tmg.rival_value import CLOSE, NEAR, Attacks, token_worth
from companion.games.tmg.rival_zones import effect_lines
from companion.games.tmg.rules.rulebook import EDITIONS
from companion.games.tmg.rules.setup.objectives import claim
from companion.games.tmg.screen.due_moves import due_moves, melee_ends
from models import Pose, Unit
from models.message import say

UNREAD = ("play", "order", "ability", "hits", "modify", "attack-result", "mission", "objective")
"""Commands about what is printed on cards, or that correct the table: people give them."""
SPECIAL = {"quadrant", "vp-token"}
"""Commands of some modes beside those of every game, as far as no card says what they do."""
MOST_ENDS = 3
"""How many ends of one action of a unit are tried."""
MOST_AIMS = 6
"""How many objectives and enemies a unit looks at."""
TABLE_IN = 48.0
"""The usual battlefield, in inches."""
TRAY_IN = 5.5
"""About the space that two trays need between their middles."""
SEEN_IN = 16.0
"""An enemy this near may come next; farther ones count less."""
TURN = 0.1
"""To turn one's front to the enemy, at first sight."""
FLANK = 0.3
"""An enemy beside or behind the front."""
WORTH_A_SHIFT = 0.1
"""What a place beside an enemy must be worth more, so that a tray is moved there in a melee."""
OWED = ("charge", "aim", "retreat", "pivot", "turn", "enter", "deploy")
"""The moves that a unit makes once they are decided, or leaves: until then nobody knows where it
stands."""


class MiniaturesRival(Rival[GameState]):
    """Both editions; `games/api/rival.py` documents the methods."""

    games = tuple(EDITIONS)
    play = PLAY
    note = say("It plays no tactics cards, orders or abilities: only your cards know their texts.")
    seconds = 1.6
    slips = 0.55
    guessed = 2
    worth = staticmethod(rival_value.worth)

    def busy(self, state: GameState) -> bool:
        return state.attack is not None or bool(state.trials or state.tasks or owed(state))

    def waits(self, state: GameState) -> Sequence[str]:
        moving = [state.unit(one.piece).side for one in owed(state)]
        return [*moving, *(side for one in self.play.pending(state) for side in sides_of(one))]

    def closing(self, state: GameState, side: str) -> Sequence[Plain]:
        prompts = self.play.pending(state) if state.active == side else ()
        ends = len(prompts) == 1 and prompts[0].what == "end-of-turn"
        return ({"do": "end-turn"},) if ends and not self.busy(state) else ()

    def pause(self, commands: Sequence[Plain]) -> int:
        words = [str(one["do"]) for one in commands]
        return words.index("claim") + 1 if "zone-effect" in words and "claim" in words else 0

    def laid_out(self, game: str, set_up: Plain, number: int) -> Plain:
        """Armies without a table stand in line on the ground of their mode: without places
        nobody could move or fight."""
        prepared = PLAY.prepare(game, set_up) if "table" not in set_up else None
        if not isinstance(prepared, Mapping):
            return set_up
        sides = list(dict.fromkeys(one["side"] for one in prepared["players"]))
        ground = GAME.battlefield(game, prepared["mode"], TABLE_IN, TABLE_IN)
        told = {"ready": True, "first": sides[number % len(sides)], **set_up}
        if GAME.has_roles(game, prepared["mode"]):
            told = {"defender": sides[0], **told}
        return {**told, "table": GAME.line_up(ground, PLAY.fielded(game, prepared)).to_json()}

    # -- lines -----------------------------------------------------------------------------------

    def lines(self, state: GameState, side: str) -> Iterator[Line]:
        due = next((one for one in owed(state) if state.unit(one.piece).side == side), None)
        if due is not None:
            yield from due_lines(state, due)
            return
        prompts = enumerate(self.play.pending(state))
        number, prompt = next((one for one in prompts if side in sides_of(one[1])), (0, None))
        if prompt is None:
            return
        if prompt.what == "turn-start":
            if not any(forced(state, ready(state, side))):
                yield Line(({"do": "pass", "side": side},), -0.1)
            yield from in_turns(self.activation(state, one) for one in thought_of(state, side))
        elif prompt.what == "action":
            yield from self.actions(state, str(prompt.data["unit"]), ())
        else:
            yield from self.answers(state, side, number, prompt)

    def answers(self, state: GameState, side: str, number: int, prompt: Pending) -> Iterator[Line]:
        """What a side may answer to a prompt that asks for no action."""
        offered = [
            one
            for one in self.play.options(state, side)[number]["options"]
            if one["do"] not in UNREAD and one.get("side", side) == side
        ]
        if any(one["do"] in ("roll", "panic") for one in offered):
            offered = offered[:1]
        if prompt.what == "deploy":
            yield from deployed(state, offered)
            return
        if prompt.what == "zone":
            yield from self.effects(state, str(prompt.data["zone"]), offered)
            return
        yield from (Line((one,)) for one in rerolls(offered) if not moves(one))
        if prompt.what == "surge" and {"do": "surge", "take": True} in offered:
            unit = state.unit(str(prompt.data["unit"]))
            begun = ({"do": "surge", "take": True},)
            yield from placed(state, unit, "maneuver", begun, MOST_ENDS)

    def activation(self, state: GameState, name: str) -> Iterator[Line]:
        """What a unit, an NCU or a wall may do if it is activated now."""
        for start in ways_of(state, {"do": "activate", "unit": name}):
            decision = self.play.decide(state, start)
            if isinstance(decision, Accepted) and decision.after.acting is not None:
                yield from self.actions(decision.after, name, (start,))
            break

    def actions(self, state: GameState, name: str, begun: tuple[Plain, ...]) -> Iterator[Line]:
        """What the activated unit, NCU or wall may do."""
        if state.trials or state.tasks:  # something comes before its action
            yield Line(begun)
            return
        yield from self.special(state, state.active, begun)
        if state.has_ncu(name):
            yield from self.claims(state, name, begun)
            return
        forgo: Plain = {"do": "action", "action": "forgo"}
        attacks = list(attack_lines(state, state.unit(name), begun)) if state.has_unit(name) else []
        yield from attacks
        if not attacks or not state.unit(name).engaged or pays(state, name, attacks):
            yield Line((*begun, forgo), -0.3)
        if state.has_unit(name):
            unit = state.unit(name)
            if unit.engaged:
                yield Line((*begun, {"do": "action", "action": "retreat"}), -0.2)
                return
            for action in ("maneuver", "march"):
                command: Plain = {"do": "action", "action": action}
                yield from placed(state, unit, action, (*begun, command), MOST_ENDS)

    def special(self, state: GameState, side: str, begun: tuple[Plain, ...]) -> Iterator[Line]:
        """What only some modes know: quadrants (TMG-MODE-HWS-7), victory points on enemies."""
        prompt = next(iter(self.play.pending(state)), None)
        if prompt is not None and prompt.side == side and set(prompt.commands) & SPECIAL:
            for one in self.play.options(state, side)[0]["options"]:
                if one["do"] in SPECIAL:
                    yield Line((*begun, one))

    def claims(self, state: GameState, name: str, begun: tuple[Plain, ...]) -> Iterator[Line]:
        """The zones that an NCU may take, each with the effect that it means to have there."""
        side = state.ncu(name).side
        for zone in ZONES:
            claim: Plain = {"do": "claim", "zone": zone}
            decision = self.play.decide(state, claim)
            if isinstance(decision, Accepted):
                for one in self.uses(decision.after, side):
                    yield Line((*begun, claim, *one.commands), one.guess)

    def uses(self, state: GameState, side: str) -> Iterator[Line]:
        """What a side does with the zone that it has taken; nothing, where it can do nothing."""
        left, used = Line(()), False
        for one in () if owed(state) else self.lines(state, side):
            if one.commands[0].get("skip"):
                left = one
            elif one.commands[0]["do"] == "zone-effect":
                used = True
                yield one
        if not used:
            yield left

    def effects(self, state: GameState, zone: str, offered: Sequence[Plain]) -> Iterator[Line]:
        """What a zone may do that is taken."""
        yield from effect_lines(state, zone, offered)
        if zone == "maneuver":
            yield from self.moved(state, [one for one in offered if moves(one)])

    def moved(self, state: GameState, offered: Sequence[Plain]) -> Iterator[Line]:
        """A free maneuver of one of the units."""
        for one in offered:
            yield from placed(state, state.unit(str(one["unit"])), "maneuver", (one,), 1)

    # -- words -----------------------------------------------------------------------------------

    def told(self, state: GameState, commands: Sequence[Plain]) -> LineText:
        found = rival_words.told(state, commands)
        return replace(found, hope=contact(state, found, commands[-1]))

    def facts(self, state: GameState, commands: Sequence[Plain]) -> Sequence[Fact]:
        return tuple(rival_facts.facts(state, rival_words.told(state, commands), commands))


def sides_of(prompt: Pending) -> tuple[str, ...]:
    """The sides that a prompt asks; of dice that lie, those that may still reroll (TMG-RER-2)."""
    return (prompt.side,) if prompt.side else tuple(prompt.data.get("may_reroll", ()))[:1]


def thought_of(state: GameState, side: str) -> list[str]:
    """What a side may activate; of its NCUs only the first, for they differ in their texts only."""
    found = list(ready(state, side))
    later = [one for one in found if state.has_ncu(one)][1:]
    return [one for one in found if one not in later]


def pays(state: GameState, name: str, lines: Sequence[Line]) -> bool:
    """Whether an attack costs its own unit wounds (TMG-TER-9): else it is never worse than none."""
    acts = (next(two for two in one.commands if two["do"] == "action") for one in lines)
    return any(costs_a_die(state, name, one) for one in acts)


def rerolls(offered: Sequence[Plain]) -> Iterator[Plain]:
    """What is offered; of the charge bonus only the reroll of the misses (TMG-BON-1)."""
    seen: list[str] = []
    for one in offered:
        if one["do"] != "reroll" or one["because"] not in seen:
            yield one
        seen.append(one.get("because", ""))


def moves(command: Plain) -> bool:
    """Whether a command moves a tray, so that it needs an end."""
    return command.get("action") in ("maneuver", "march") or command.get("take") is True


def owed(state: GameState) -> list[ActionOffer]:
    """The moves that are decided and whose trays still stand where they were."""
    if not state.declared:
        return []
    found = (one for one in due_moves(state) if one.kind in OWED)
    return [one for one in found if one.ends or one.kind != "charge"]


def due_lines(state: GameState, due: ActionOffer) -> Iterator[Line]:
    """Where a tray goes whose move is decided; it may stay if there is no other place."""
    table, unit = current_table(state), state.unit(due.piece)
    found, here = list(due.ends), table.unit(unit.id).pose
    if not found:
        guess = standpoint(state, unit)
        places: Iterator[Pose] = iter(())
        if due.kind == "retreat":
            places = retreats(state, unit, due.reach or 0.0, guess)
        elif due.kind == "pivot":
            places = pivots(state, unit, aims(state, unit), guess)
        elif due.kind == "enter":
            places = entries(state, unit, guess)
        found = [TrayEnd("", ((unit.id, one),)) for one in islice(places, 2)]
        if due.kind != "enter" and (due.kind != "retreat" or not found):
            found.append(TrayEnd("", ((unit.id, here),)))
    if due.kind == "charge" and len(found) > 1:  # as it was announced
        found = [best_stand(state, unit, found)]
    for one in found:
        yield Line((one.command(table),))


def best_stand(state: GameState, unit: UnitState, found: Sequence[TrayEnd]) -> TrayEnd:
    """How a unit wants to stand after its charge (TMG-CHG-17)."""
    guess = standpoint(state, unit)
    return max(found, key=lambda one: round(guess(one.poses[0][1]), 3))


def contact(state: GameState, told: LineText, command: Plain) -> TrayEnd | None:
    """Where a charge brings its tray if it arrives."""
    if command.get("action") != "charge" or not seen(state, told.piece, told.target):
        return None
    wanted = command.get("heading")
    for way in charge_ways(state, told.piece, told.target):
        if way.align and wanted in (None, round(way.heading or 0.0, 3)):
            found = [TrayEnd("", ((told.piece, one.pose),)) for one in way.align]
            return best_stand(state, state.unit(told.piece), found)
    return None


def deployed(state: GameState, offered: Sequence[Plain]) -> Iterator[Line]:
    """One unit after the other where it was lined up, seen from its zone (TMG-DEP-3, -4)."""
    for one in offered:
        name = str(one.get("unit", ""))
        table, pose = planned(state, name), deploy_place(state, name)
        if table is None and name:
            yield Line((one,))
        elif table is not None and pose is not None and one.get("put"):
            there = table_with(state, table, name)
            yield Line((one, TrayEnd("", ((name, pose),)).command(there)))


def placed(
    state: GameState, unit: UnitState, action: str, begun: tuple[Plain, ...], most: int
) -> Iterator[Line]:
    """An action that moves a tray, with the ends that promise most."""
    if not state.table or unit.id not in table_of(state.table):
        return
    table, guess = current_table(state), standpoint(state, unit)
    here = guess(table.unit(unit.id).pose)
    for pose, worth in ends(state, unit, action, aims(state, unit), guess, most):
        yield Line((*begun, TrayEnd("", ((unit.id, pose),)).command(table)), worth - here)


def aims(state: GameState, unit: UnitState) -> list[Aim]:
    """What a unit may want to come near to: objectives that its side does not hold, enemies."""
    table = table_of(state.table)
    found = [Aim(one.x, one.y) for one in table.tokens if one.id not in kept(state, unit)]
    found += [aim_at(table.unit(one.id)) for one in foes_of(state, unit)]
    here = table.unit(unit.id).pose
    return sorted(found, key=lambda one: away(here, one))[:MOST_AIMS]


def foes_of(state: GameState, unit: UnitState) -> list[UnitState]:
    """The enemies that the newest table shows."""
    table = table_of(state.table)
    return [one for one in state.standing() if one.side != unit.side and one.id in table]


def aim_at(foe: Unit) -> Aim:
    """An enemy to come near to: not nearer than an inch (TMG-MOV-7)."""
    return Aim(foe.pose.x, foe.pose.y, TRAY_IN)


def kept(state: GameState, unit: UnitState) -> set[str]:
    """The objectives that other units of its side hold."""
    return {
        one.id
        for one in state.tokens
        if one.holder not in ("", unit.id) and state.unit(one.holder).side == unit.side
    }


def standpoint(state: GameState, unit: UnitState) -> Guess:
    """What a place is worth to a unit at first sight: objectives, enemies before its front."""
    table, mode, each = table_of(state.table), mode_of(state), token_worth(state)
    tray, others = table.unit(unit.id), kept(state, unit)
    tokens = [(one, Aim(one.x, one.y)) for one in table.tokens if each and one.id not in others]
    foes = [aim_at(table.unit(one.id)) for one in foes_of(state, unit)]

    def guess(pose: Pose) -> float:
        gaps = [away(pose, aim) for _, aim in tokens]
        total = -NEAR * each * min(gaps, default=0.0)
        for (token, _), gap in zip(tokens, gaps, strict=True):
            if gap < TRAY_IN and claim(tray.at(pose), token, mode):
                total += each
        gaps = [away(pose, foe) for foe in foes]
        for foe, gap in zip(foes, gaps, strict=True):
            turn, near = off_front(pose, foe), min(1.0, (SEEN_IN / max(gap, 1.0)) ** 2)
            total -= near * (FLANK if turn > 60 else FLANK * turn / 360)
        return total - CLOSE * min(gaps, default=0.0)

    return guess


def attack_lines(state: GameState, unit: UnitState, begun: tuple[Plain, ...]) -> Iterator[Line]:
    """The attacks of the activated unit, each with its best weapon."""
    if not state.table or not seen(state, unit.id):
        return
    attacks = Attacks.of(state)
    several = {far: sum(one.ranged is far for one in unit.attacks) > 1 for far in (True, False)}
    for target, kind in attacks.each(unit.id):
        odds = attacks.odds(unit.id, target, kind)
        if odds is None:
            continue
        command: dict[str, Any] = {"do": "action", "action": "charge", "target": target}
        if kind != "charge":
            command = {**command, "action": "attack", "ranged": kind == "shot"}
        if several[kind == "shot"]:
            command = {**command, "weapon": odds[0].name}
        guess = attacks.promised(unit.id, target, kind)
        guess -= 0.3 * (1 - attacks.chance(unit.id, target, kind))
        if kind == "melee" and may_turn(state, unit.id):  # TMG-MEL-3
            command, guess = {**command, "turned": True}, guess + TURN
        way = next(iter(ways_of(state, command)), None)
        if way is not None:
            shift = shifted(state, attacks, unit.id, target) if kind == "shot" else ()
            if kind == "melee" and not way.get("turned"):
                shift, gain = along(state, unit)
                guess += gain
            yield Line((*begun, way, *shift), guess)


def along(state: GameState, unit: UnitState) -> tuple[tuple[Plain, ...], float]:
    """The shift along an enemy before a melee attack, and what it gains (TMG-MEL-5); nothing where
    it gains nothing worth a hand."""
    table, guess = current_table(state), standpoint(state, unit)
    here = guess(table.unit(unit.id).pose)
    poses = [end.poses[0][1] for end in melee_ends(state, unit.id, turned=False)]
    gain, place = max(((guess(one) - here, n) for n, one in enumerate(poses)), default=(0.0, 0))
    if gain < WORTH_A_SHIFT:
        return (), 0.0
    return (TrayEnd("", ((unit.id, poses[place]),)).command(table),), gain


def shifted(state: GameState, attacks: Attacks, name: str, target: str) -> tuple[Plain, ...]:
    """The step before a shot, where the shot needs one (TMG-RNG-5)."""
    forward, left = attacks.report.units[name].shots[target].shift
    if not forward and not left:
        return ()
    table = current_table(state)
    pose = table.unit(name).pose
    x, y = pose.ahead(forward, left)
    there = Pose(x, y, pose.heading, pose.sigma)
    return (TrayEnd("", ((name, there),)).command(table),)


RIVAL = MiniaturesRival()
