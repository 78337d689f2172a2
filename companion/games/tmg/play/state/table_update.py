"""A new table, from a camera or a file: contacts and tokens are updated from the positions."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.laid_pieces import remind_of_placed, without_pieces
from companion.games.tmg.play.commands.positions import (
    EDGES,
    ON_ITS_PLACE_IN,
    ON_PILE,
    linked_pile,
    remind_of_arrivals,
    remind_of_pieces,
    seat,
    with_pile_tokens,
)
from companion.games.tmg.play.commands.terrain import remind_of_laid, with_laid
from companion.games.tmg.play.context import CommandContext, CommandFields, anytime, ask, no
from companion.games.tmg.play.events import field_events, fight_events, score_events
from companion.games.tmg.play.events.field_events import zones_shown
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.panic_queue import feel_where_it_stopped
from companion.games.tmg.play.flow.placing import lay_down
from companion.games.tmg.play.flow.terrain_costs import feel_ground, remind_of_undeclared
from companion.games.tmg.play.state.contacts import CompletedTable, completed, contacts, stood_still
from companion.games.tmg.play.state.game_state import NOBODY, GameState, Token, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    aimed_from,
    claims_seen,
    covered,
    holdings_seen,
    seen,
    survey,
    touched_now,
)
from companion.games.tmg.rules.charge.charge_end import HAND_IN, OtherContact, others
from companion.games.tmg.rules.combat.dice import dice_rules
from companion.games.tmg.rules.modes import BattleArea, Mode, spots
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import CONTACT_IN
from companion.games.tmg.rules.setup.objectives import (
    LoggedFacts,
    keeps_token,
    second_tokens,
    touch_order,
)
from companion.games.tmg.rules.setup.table_setup import clear_of_walls
from companion.geometry.plane.answer import Answer
from models import Table
from models.field import Field
from models.message import say


@anytime(
    "table",
    "what the camera (or a file) shows: who stands where",
    ask("table", "table", "a table file's content", required=True),
    ask("units", "list", "the units that were placed: others still have their declared moves"),
    ask("agreed", "flag", "yes: both players agree to a move that the rules do not explain"),
)
def table(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Take over a table; update contacts and claims from it."""
    found = Table.read(Field(given.field("table").raw, "table"))
    if found.game != context.state.game:
        return no(
            "INPUT",
            "the table is of {game}, the game of {other}",
            game=found.game,
            other=context.state.game,
        )
    sides = {unit.id: unit.side for unit in context.state.units}
    if refusal := strangers(found, sides):
        return refusal
    placed = given.texts("units")
    found, down = without_pieces(context.state, found, placed)
    shown, found = found, with_laid(context.state, found)
    found = replace(found, zones=tuple(zones_shown(context.state).items()))
    names = [token.id for token in context.state.tokens]
    found = with_token_names(found, mode_of(context.state), names, context.state.readings)
    before, sighting = (
        context.state,
        completed(context.state, with_pile_tokens(context.state, found)),
    )
    waiting = tuple(one.unit for one in before.declared if placed and one.unit not in placed)
    waiting = without_freed(before, sighting, waiting)
    touching = contacts(before, replace(sighting, lost=(*sighting.lost, *waiting)))
    found = sighting.table
    context.add(
        field_events.table_seen,
        table=found.to_json(),
        engaged={name: foes for name, foes in touching.engaged.items() if before.has_unit(name)},
        hidden=list(sighting.hidden),
        moved=list(sighting.lost),
        arcs=[list(one) for one in touching.arcs],
        open=list(waiting),
        **({"agreed": True} if given.flag("agreed") else {}),
    )
    remind_of_hidden(context, before)
    remind_of_doubts(context, touching.doubtful)
    remind_of_corners(context, before, touching.cornered)
    declare_moved_off(context, before, found, waiting)
    feel_ground(context, before, found, waiting)
    feel_where_it_stopped(context, before)
    remind_of_undeclared(context, before, found)
    remind_of_pieces(context, before.table, found)
    remind_of_arrivals(context, before.arrived)
    remind_of_walls(context, before)
    remind_of_placed(context, before, found)
    remind_of_laid(context, before, shown)
    for task, shape in down:
        lay_down(context, task, shape)
    claim_tokens(context, table_of(context.state.table), before)
    aim_again(context, before)
    return None


def declare_moved_off(
    context: CommandContext, before: GameState, found: Table, waiting: Collection[str]
) -> None:
    """Enemies that a charger touched: those that lie where the nearest inch off it is go where
    their owner says (TMG-CHG-21), those that it still touches make way (TMG-CHG-20)."""
    for move in before.declared:
        arrived = before.has_unit(move.unit) and move.target in before.unit(move.unit).engaged
        if move.action != "charge" or not arrived or move.unit in waiting or not move.seen:
            continue
        field = survey(before, move.unit).battlefield
        if not {move.unit, move.target} <= {*field.index} or move.unit not in found:
            continue
        for other in others(field, move.unit, move.target, found.unit(move.unit).pose):
            if other.rule != "TMG-CHG-21" or other.pose is None or other.unit not in found:
                continue
            at = found.unit(other.unit).pose
            if math.dist((at.x, at.y), (other.pose.x, other.pose.y)) <= CONTACT_IN:
                context.add(field_events.moves_off, unit=other.unit, target=move.unit)
        for other in still_touched(context.state, move.unit, move.target):
            context.add(field_events.makes_way, unit=other.unit, target=move.unit)


def still_touched(state: GameState, charger: str, target: str) -> Iterator[OtherContact]:
    """The other enemies that a charger touches and whose trays have not made way for it."""
    for other in touched_now(state, charger, target):
        moves = other.rule == "TMG-CHG-21" or other.moved_in > HAND_IN
        if other.touched and other.pose is not None and moves:
            yield other


def aim_again(context: CommandContext, before: GameState) -> None:
    """A unit that has shifted before its shot shoots from where it stands now: the target's arc is
    judged anew (TMG-RNG-5, TMG-RNG-7, TMG-LOS-8)."""
    state, now = context.state, context.state.attack
    if now is None or not now.to_shoot or not before.table:
        return
    if stood_still(table_of(before.table), table_of(state.table), now.attacker):
        return
    shot = aimed_from(state, now)
    if shot is None:
        return
    if shot.answer.verdict == "no":
        context.remind(
            say(
                "{unit} cannot shoot at {target} from there (TMG-RNG-7)",
                unit=now.attacker,
                target=now.defender,
            )
        )
    zone = ARC_ZONES.get(shot.zone.arc, "")
    if zone and zone != now.zone and dice_rules(state.year).zones_help_shots:
        context.add(fight_events.attack_changed, what="zone", name=zone)
    worth, hidden = dice_rules(state.year).cover_defense, ("cover" in dict(now.defense_mods))
    covers = covered(state, now.attacker, now.defender, shot) if worth else None
    if covers is not None and covers is not hidden:  # TMG-TER-6, 2018
        value = worth if covers else 0
        context.add(fight_events.attack_changed, what="cover", name="cover", value=value)


def without_freed(
    before: GameState, sighting: CompletedTable, waiting: tuple[str, ...]
) -> tuple[str, ...]:
    """The units that still have a move to make: an enemy of a unit that did not retreat after all
    is engaged as before and makes no free pivot (TMG-RET-7, TMG-RET-9)."""
    shown = table_of(before.table) if before.table else None
    stayed = [
        one.unit
        for one in before.declared
        if one.action == "retreat"
        and one.unit not in waiting
        and stood_still(shown, sighting.table, one.unit)
    ]
    if not stayed or not waiting:
        return waiting
    touching = contacts(before, sighting).engaged
    kept = {foe for unit in stayed for foe in touching.get(unit, ())}
    return tuple(unit for unit in waiting if unit not in kept)


def remind_of_hidden(context: CommandContext, before: GameState) -> None:
    """Remind of hidden trays, which are kept: only a player can remove one (TMG-GLO-11)."""
    shown = table_of(before.table) if before.table else ()
    fresh = [name for name in context.state.hidden if name in shown and name not in before.hidden]
    if fresh:
        context.remind(
            say(
                "{units} is not seen: it stays where it was until a player says otherwise"
                " (TMG-GLO-11)",
                "{units} are not seen: they stay where they were until a player says otherwise"
                " (TMG-GLO-11)",
                n=len(fresh),
                units=", ".join(fresh),
            )
        )


def remind_of_doubts(context: CommandContext, doubtful: Sequence[tuple[str, str]]) -> None:
    """Ask the players about contacts that are too close to call."""
    for one, two in doubtful:
        context.remind(
            say(
                "whether {unit} touches {enemy} is too close to call: say it with engage"
                " (TMG-GLO-11)",
                unit=one,
                enemy=two,
            )
        )


def remind_of_corners(
    context: CommandContext, before: GameState, cornered: Sequence[tuple[str, str]]
) -> None:
    """Ask the players about enemies that have come to meet only at a corner (OR-49)."""
    shown = table_of(before.table) if before.table else None
    now = table_of(context.state.table)
    for one, two in cornered:
        if shown is None or not all(stood_still(shown, now, name) for name in (one, two)):
            context.remind(
                say(
                    "{unit} and {enemy} meet only at a corner; the book does not say whether that"
                    " is contact: if it is for you, say it with engage (OR-49)",
                    unit=one,
                    enemy=two,
                )
            )


def remind_of_walls(context: CommandContext, before: GameState) -> None:
    """Remind of units in or behind the castle walls, where none may be (TMG-MODE-SOS-17)."""
    state = context.state
    if not state.walls:
        return
    table = table_of(state.table)
    earlier = table_of(before.table) if before.table else None
    for unit in table.units:
        if not seen(state, unit.id) or state.side(unit.side).zone not in EDGES:
            continue
        if earlier is not None and unit.id in earlier and stood_still(earlier, table, unit.id):
            continue
        field, player = seat(state, unit.side, table)
        readings = Readings.parse(state.readings)
        answer = clear_of_walls(unit, mode_of(state), field, player, readings)
        if answer.verdict == "no":
            rules = ", ".join(answer.why)
            context.remind(say("{unit} may not stand there: {rules}", unit=unit.id, rules=rules))


def strangers(table: Table, sides: Mapping[str, str]) -> Refusal | None:
    """A refusal for a table of another game: it gives a unit to another side."""
    for unit in table.units:
        if unit.side != sides.get(unit.id, unit.side):
            return no("INPUT", "{unit} is {side}'s", unit=unit.id, side=sides[unit.id])
    return None


def with_token_names(
    table: Table, mode: Mode, names: Sequence[str], readings: Sequence[str]
) -> Table:
    """The table with its tokens renamed to the ids of the game.

    Tokens at fixed places are recognised by position; tokens that players place or carry keep an id
    that the game knows, or get a free one.
    """
    fact = mode.facts
    reach_in = math.inf if fact.placing is None else ON_ITS_PLACE_IN
    carried = fact.objective.control == "carried"
    near = sorted(
        (math.dist((spot.x, spot.y), (token.x, token.y)), spot.id, token.id)
        for spot in spots(mode, BattleArea.of(table), Readings.parse(readings))
        for token in table.tokens
        if not (carried and token.id in names)
    )
    named: dict[str, str] = {}
    for away, spot, token in near:
        if away <= reach_in and token not in named and spot not in named.values():
            named[token] = spot
    own = [token.id for token in table.tokens]
    for token in sorted(own, key=lambda name: name not in names):
        free = [name for name in (*names, *own) if name not in named.values()]
        if token not in named:
            named[token] = token if token in free and token in names else free[0]
    tokens = tuple(replace(one, id=named[one.id]) for one in table.tokens)
    return replace(table, tokens=tokens)


def look_at_start(context: CommandContext) -> None:
    """Update contacts and tokens from a table given before the first round."""
    state = context.state
    if not state.table:
        return
    found = table_of(state.table)
    for name, foes in contacts(state, CompletedTable(found)).engaged.items():
        if state.has_unit(name) and list(context.state.unit(name).engaged) != foes:
            context.add(field_events.engaged, unit=name, with_=foes)
    claim_tokens(context, found)


def claim_tokens(context: CommandContext, found: Table, before: GameState | None = None) -> None:
    """Update which unit holds each token, if the positions can decide it."""
    state = context.state
    known = {token.id for token in state.tokens}
    if not known or not found.tokens:
        return
    control = mode_of(state).facts.objective.control
    if control == "first":
        for name, claims in claims_seen(state).items():
            if name in known:
                keep_order(context, state.token(name), claims)
        return
    if control == "carried":
        pick_up(context, found, before)
        return
    for name, one in holdings_seen(context.state).items():
        if name not in known or one.state == "unsure":
            continue
        if one.unit and one.unit == state.token(name).lost:  # OR-29
            continue
        holder = state.token(name).holder
        if not one.unit and unseen_now(state, holder):  # TMG-OBJ-4: it was not seen to leave
            continue
        if one.unit != holder and (not one.unit or state.has_unit(one.unit)):
            context.add(score_events.token_held, token=name, unit=one.unit)


def pick_up(context: CommandContext, found: Table, before: GameState | None) -> None:
    """Tokens that units pick up or lose where they ended a move (TMG-MODE-DWD-4, FFC-7): one that
    is laid beside or under a tray that stands there is not picked up."""
    earlier = table_of(before.table) if before is not None and before.table else None
    ended = {
        unit.id
        for unit in found.units
        if earlier is None or unit.id not in earlier or not stood_still(earlier, found, unit.id)
    }
    drop_tokens(context, found, ended)
    asked = {task.other for task in context.state.tasks if task.kind == "token"}
    for token in context.state.tokens:
        one = holdings_seen(context.state).get(token.id)
        if one is None or token.id in asked or token.holder in found:
            continue
        takers = [unit for unit in one.claims if unit in ended and context.state.has_unit(unit)]
        if len(takers) == 1 and one.claims[takers[0]]:
            context.add(score_events.token_held, token=token.id, unit=takers[0])


def unseen_now(state: GameState, unit: str) -> bool:
    """Whether a unit is on the battlefield at a place that no table shows."""
    return state.has_unit(unit) and state.unit(unit).standing and unit in state.hidden


def keep_order(context: CommandContext, token: Token, claims: Mapping[str, Answer]) -> None:
    """Update the order of units touching a token: one that may still touch it keeps its place
    (TMG-MODE-GOT-8).

    If enemies are first seen on it together, their order is unknown: the players decide.
    """
    state = context.state
    earlier = [unit for unit in token.touched if unit in claims or unseen_now(state, unit)]
    fresh = [
        unit
        for unit, answer in claims.items()
        if answer and unit not in earlier and state.has_unit(unit)
    ]
    if len({state.unit(unit).side for unit in fresh}) > 1:
        words = say(
            "{units} touch {token}: say with objective who came first (TMG-MODE-GOT-8)",
            units=", ".join(fresh),
            token=token.id,
        )
        context.remind(words)
        fresh = []
    order = touch_order(earlier, [*earlier, *fresh])
    if order != token.touched:
        holder = order[0] if order else ""
        context.add(score_events.token_held, token=token.id, unit=holder, touched=list(order))


def drop_tokens(context: CommandContext, found: Table, ended: Collection[str]) -> None:
    """Carriers that left their pile or touch a second token lose it: the opponent places it."""
    state = context.state
    mode = mode_of(state)
    for token in state.tokens:
        pile = linked_pile(token, found, mode, state.readings)
        if token.holder in found and pile is not None:
            kept = keeps_token(mode, found.unit(token.holder), pile)
            if kept.verdict == "no":  # TMG-MODE-FFC-10
                context.add(score_events.token_held, token=token.id, unit="")
                put_elsewhere(context, token.id, token.holder, mode.facts.objective.leave_rule)
    known = LoggedFacts(carried={one.id: one.holder for one in context.state.tokens if one.holder})
    names = {token.id for token in state.tokens}
    for carrier in dict.fromkeys(known.carried.values()):
        if carrier not in found or carrier not in ended:
            continue
        for name, answer in second_tokens(found, mode, found.unit(carrier), known).items():
            if answer and name in names:  # TMG-MODE-FFC-9, TMG-MODE-DWD-7
                put_elsewhere(context, name, carrier, mode.facts.objective.second_rule)


def put_elsewhere(context: CommandContext, token: str, unit: str, rule: str) -> None:
    """The opponent places a token that a unit may not hold."""
    if any(task.kind == "token" and task.other == token for task in context.state.tasks):
        return
    state = context.state
    side = state.only_opponent(state.unit(unit).side) if state.has_unit(unit) else NOBODY
    words = say(
        "{side} places {token}: {unit} may not hold it ({rule})",
        side=side or say("an opponent"),
        token=token,
        unit=unit,
        rule=rule,
    )
    back = ON_PILE if mode_of(context.state).facts.objective.leave_rule else 0
    wait(
        context, "token", words, side=side, unit=unit, other=token, number=back, commands=("place",)
    )
