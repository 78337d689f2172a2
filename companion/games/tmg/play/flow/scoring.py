"""Points at the end of a round: what the companion proposes, and what the players confirm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    anytime,
    ask,
    command,
    interrupt,
    no,
    waiting,
)
from companion.games.tmg.play.events import flow_events, score_events
from companion.games.tmg.play.flow.casualties import gain, wait
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    CLEAN_UP,
    OVER,
    GameState,
    PendingTask,
    Proposal,
    Token,
)
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.play_rules import OBJECTIVE_CARDS
from companion.games.tmg.play.state.table_facts import holdings_seen, quadrants_seen
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.objectives import touch_order
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from models.frozen_records import replace
from models.message import joined, say

FIRST_SCORING_ROUND = 2  # TMG-OBJ-5
QUADRANT_POINTS = 5  # TMG-MODE-HWS-6
COMMANDER_POINTS = 3  # TMG-MODE-HWS-9
MOST_POINTS = 200
"""More victory points than any game has."""


# -- control ----------------------------------------------------------------------------------


def controller(state: GameState, token: Token) -> UnitState | None:
    """The unit that controls a token: its holder, unless a stronger enemy is engaged with it."""
    return controlling(token, state.units, mode_of(state).facts.objective.control)


def controlling(token: Token, units: tuple[UnitState, ...], control: str) -> UnitState | None:
    """The one of these units that controls a token, by that kind of control."""
    if not token.holder:
        return None
    unit = next((one for one in units if one.id == token.holder and one.standing), None)
    if unit is None:
        return None
    if control != "ranks" or not unit.engaged:
        return unit
    strongest = max(  # TMG-OBJ-2, TMG-OBJ-3
        (
            enemy.counted_ranks
            for enemy in units
            if enemy.id in unit.engaged and enemy.standing and enemy.side != unit.side
        ),
        default=0,
    )
    return unit if strongest <= unit.counted_ranks else None


def controllers(
    tokens: tuple[Token, ...], units: tuple[UnitState, ...], control: str
) -> tuple[str, ...]:
    """The id of the unit that controls each token; empty if none does."""
    found = (controlling(token, units, control) for token in tokens)
    return tuple(unit.id if unit else "" for unit in found)


def lose_control(context: CommandContext) -> None:
    """Log the claims that a stronger enemy ends for good, by that reading (OR-29)."""
    state = context.state
    if not state.readings or Readings.parse(state.readings).control_back != "new-claim":
        return
    for token in state.tokens:
        holder = next((unit for unit in state.units if unit.id == token.holder), None)
        if holder is not None and holder.standing and controller(state, token) is None:
            context.add(score_events.control_lost, token=token.id, unit=holder.id)


def quadrant_points(state: GameState, places: dict[str, str]) -> dict[str, dict[str, int]]:
    """Army points by quadrant and side; the commander adds 3 (TMG-MODE-HWS-6, TMG-MODE-HWS-9)."""
    found = {name: dict.fromkeys(state.side_names, 0) for name in QUADRANTS}
    for unit in state.standing():
        where = places.get(unit.id)
        if where in found:
            found[where][unit.side] += unit.points + COMMANDER_POINTS * unit.commander
    for ncu in state.ncus:
        if ncu.quadrant in found:
            found[ncu.quadrant][ncu.side] += ncu.cost + COMMANDER_POINTS * ncu.commander
    return found


def quadrant_owner(points: dict[str, int]) -> str | None:
    """Who controls a quadrant: at least 5 points, and more than any other side (TMG-MODE-HWS-6)."""
    best = max(points.values())
    leaders = [side for side, number in points.items() if number == best]
    return leaders[0] if len(leaders) == 1 and best >= QUADRANT_POINTS else None


# -- proposals --------------------------------------------------------------------------------


def offers(state: GameState) -> tuple[Proposal, ...]:
    """The points to propose for this round, by what is known now (TMG-OBJ-5, TMG-RND-13)."""
    play = play_of(state)
    if state.round < FIRST_SCORING_ROUND:
        return ()
    found: list[Proposal] = []
    if play.scoring_rule:
        found += token_points(state, play.scoring_rule, play.commander_bonus)
    if play.quadrants:
        found += quadrant_proposals(state, places_told(state))
    return tuple(found)


def places_told(state: GameState) -> dict[str, str]:
    """The quadrant of each unit as the players say, else as far as the table shows it."""
    places = dict(state.quadrants)
    if not places and state.table:
        places = {one.unit: one.name for one in quadrants_seen(state) if not one.choices}
    return places


def propose(context: CommandContext) -> None:
    """Propose the points of this round; nothing is scored before the players confirm."""
    if context.state.round >= FIRST_SCORING_ROUND:
        remind_of_doubt(context)
    add_offers(context, offers(context.state))


def add_offers(context: CommandContext, found: Iterable[Proposal]) -> None:
    """Set the current proposals."""
    context.add(score_events.proposed, proposals=[proposal_logged(one) for one in found])


def renew_offers(context: CommandContext, before: GameState) -> None:
    """Work out the proposals again after a command that changed their basis.

    What the players dropped or changed is kept as long as the proposal itself stays the same.
    """
    state = context.state
    if not (before.step == state.step == "score") or before.done or state.done:
        return
    seen_anew = before.table != state.table
    if seen_anew and state.quadrants and other_quadrants(before, state):
        state = context.add(
            score_events.quadrants_said, places={}
        )  # the newer table takes precedence
    old, new = offers(before), offers(state)
    if old != new:
        current = {one.key: one for one in state.proposals}
        kept = [current.get(one.key) if one in old else one for one in new]
        add_offers(context, [one for one in kept if one is not None])
    if seen_anew and state.round >= FIRST_SCORING_ROUND:
        remind_of_doubt(context)


def other_quadrants(before: GameState, after: GameState) -> bool:
    """Whether a newer table shows units in other quadrants."""
    return not before.table or quadrants_seen(before) != quadrants_seen(after)


def remind_of_doubt(context: CommandContext) -> None:
    """Remind of what the table could not decide, or no longer shows, if points depend on it."""
    state = context.state
    play = play_of(state)
    if not state.table or not (play.scoring_rule or play.quadrants):
        return
    if gone := [name for name in state.moved if state.unit(name).standing]:
        context.remind(
            say("{units} moved since the table was seen: look at the offers", units=", ".join(gone))
        )
    if play.quadrants:
        for one in quadrants_seen(state):
            if one.choices:
                context.remind(
                    say(
                        "{unit} stands in several quadrants ({places}): not counted "
                        "(TMG-MODE-HWS-5)",
                        unit=one.unit,
                        places=joined(map(say, one.choices)),
                    )
                )
        return
    doubtful = [name for name, one in holdings_seen(state).items() if one.state == "unsure"]
    if doubtful:
        names = ", ".join(doubtful)
        context.remind(
            say(
                "too close to call who holds {tokens}: say it with objective (TMG-OBJ-1)",
                tokens=names,
            )
        )


def proposal_plain(one: Proposal) -> dict[str, Any]:
    """A proposal as a JSON object for players and other programs."""
    return {
        "side": one.side,
        "vp": one.vp,
        "rule": one.rule,
        "why": one.why,
        "token": one.token,
    }


def proposal_logged(one: Proposal) -> dict[str, Any]:
    """A proposal as event data: with its original reason if the players changed it."""
    plain = proposal_plain(one)
    return {**plain, "first_why": one.first_why} if one.first_why else plain


def token_points(state: GameState, rule: str, bonus: int) -> list[Proposal]:
    """Points for each controlled token (1, or the token's value), more for the commander."""
    found = []
    for token in state.tokens:
        unit = controller(state, token)
        if unit is None:
            continue
        name = token.name or token.id
        found.append(
            Proposal(
                unit.side,
                token.vp,
                rule,
                say("{unit} on {token}", unit=unit.id, token=name),
                token.id,
            )
        )
        if unit.commander and bonus:  # TMG-OBJ-6
            found.append(
                Proposal(unit.side, bonus, "TMG-OBJ-6", say("commander on {token}", token=name))
            )
    return found


SAY_QUADRANTS = say("say in which quadrant each unit stands (TMG-MODE-HWS-12)")


def quadrants_unknown(state: GameState) -> bool:
    """Whether nobody told in which quadrants the units stand, and no table shows it."""
    early = state.round < FIRST_SCORING_ROUND
    return play_of(state).quadrants and not early and not state.quadrants and not state.table


def quadrant_proposals(state: GameState, places: dict[str, str]) -> list[Proposal]:
    """1 point per quadrant (TMG-MODE-HWS-12)."""
    found = []
    for name, points in quadrant_points(state, places).items():
        if owner := quadrant_owner(points):
            found.append(
                Proposal(owner, 1, "TMG-MODE-HWS-12", say("{quadrant} quadrant", quadrant=name))
            )
    return found


def confirm(context: CommandContext) -> None:
    """Score the proposals, each with its reason; then castle walls shoot (HAR-8)."""
    for one in context.state.proposals:
        gain(context, one.side, one.vp, one.rule, one.why, one.token)
    if play_of(context.state).wall_hits:
        for one in context.state.proposals:
            token = next((t for t in context.state.tokens if t.id == one.token), None)
            if one.vp and token is not None and token.name != "centre" and token.holder:
                wait(
                    context,
                    "wall-hits",
                    say(
                        "the castle wall strikes {unit}: D3+2 hits (TMG-MODE-HAR-8)",
                        unit=token.holder,
                    ),
                    unit=token.holder,
                    commands=("wall-hits",),
                )
    context.add(score_events.proposals_closed)


@interrupt(
    "wall-hits",
    "Honed and Ready: the castle wall strikes the unit on its token",
    ask("d3", "number", "the D3; the companion rolls where left out"),
    of=waiting(no("TMG-MODE-HAR-8", "no castle wall strikes now"), "wall-hits"),
)
def wall_hits(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """D3+2 hits that are not an attack (TMG-MODE-HAR-8, TMG-MODE-HAR-9)."""
    from companion.games.tmg.play.flow.attacks import strike

    if context.state.attack is not None:
        return no("TMG-MODE-HAR-8", "no castle wall strikes now")
    d3 = given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0]
    context.add(
        flow_events.task_done,
        task=task.id,
        say_=say("the castle wall strikes {unit}: {d3} + 2", unit=task.unit, d3=d3),
    )
    if context.state.unit(task.unit).standing:
        strike(context, task.unit, d3 + 2, "castle wall")
    return None


@interrupt(
    "score",
    "confirm what is offered, add points by hand, or set a side's points right",
    ask("confirm", "flag", "take all that is offered at the end of the round"),
    ask("drop", "number", "take one of the offers away, the first is 1"),
    ask("offer", "number", "change one of the offers to vp, the first is 1"),
    ask("side", "side", "whose points"),
    ask("vp", "number", "how many to add (or take away)"),
    ask("set", "number", "the number of points it shall have"),
    ask("why", "text", "why"),
    phases=(ACTIVATION, CLEAN_UP, OVER),
)
def score(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Score points by the players' word; every override is logged."""
    state = context.state
    if given.has("confirm") and given.flag("confirm"):
        if state.step != "score" or state.done:
            return no("TMG-RND-13", "points are confirmed in the clean-up phase")
        confirm(context)
        context.add(flow_events.went_on, side="", step="score")
        return None
    if given.has("drop"):
        if state.step != "score" or not state.proposals:
            return no("TMG-RND-13", "nothing is offered")
        gone = given.whole("drop", 1, len(state.proposals))
        add_offers(context, (*state.proposals[: gone - 1], *state.proposals[gone:]))
        return None
    if given.has("offer"):
        if state.step != "score" or not state.proposals:
            return no("TMG-RND-13", "nothing is offered")
        place = given.whole("offer", 1, len(state.proposals)) - 1
        vp = given.whole("vp", 0, 50)
        old = state.proposals[place]
        other = replace(
            old,
            vp=vp,
            why=say("{why}, {vp} instead of {old} by the players", why=old.why, vp=vp, old=old.vp),
            first_why=old.first_why or old.why,
        )
        add_offers(context, (*state.proposals[:place], other, *state.proposals[place + 1 :]))
        return None
    side = state.side(given.need("side"))
    why = given.text("why", score_events.THEIR_WORD)
    if given.has("set"):
        new = given.whole("set", 0, MOST_POINTS)
        context.add(score_events.overridden, side=side.id, old=side.vp, new=new, why=why)
        return None
    vp = given.whole("vp", -50, 50)
    if vp < -side.vp:
        return no(
            "INPUT",
            "{side} has only {n} point",
            "{side} has only {n} points",
            side=side.id,
            n=side.vp,
        )
    play = play_of(state)
    if play.siege and side.role == "defender" and vp > 0:
        return no("TMG-MODE-SOS-6", "the defender gains no victory points (set them by override)")
    context.add(score_events.scored, side=side.id, vp=vp, rule="", why=why)
    return None


# -- tokens -----------------------------------------------------------------------------------


@anytime(
    "objective",
    "tick which unit holds an objective token (a table tells it by itself)",
    ask("token", "token", "which token", required=True),
    ask("unit", "unit", "the unit that claims it; nobody where left out"),
    ask("card", "number", "the objective card beside it, 1 to 10; its holder stays"),
)
def objective(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Set claims as the players see them."""
    state = context.state
    token = state.token(given.need("token"))
    if given.has("card"):
        return other_card(context, token, str(given.whole("card", 1, OBJECTIVE_CARDS)))
    if not given.has("unit"):
        context.add(score_events.token_held, token=token.id, unit="", touched=[])
        return None
    unit = state.unit(given.need("unit"))
    if not unit.standing:
        return no("TMG-OBJ-1", "{unit} is not on the battlefield", unit=unit.id)
    play = play_of(state)
    if play.one_token and any(one.holder == unit.id and one.id != token.id for one in state.tokens):
        return no("TMG-MODE-FFC-8", "{unit} controls a token already", unit=unit.id)
    laden = any(one.holder == unit.id and one.id != token.id for one in state.tokens)
    if laden and play.carrier_speed is not None:
        told = say(
            "{unit} controls a token already: another one only by combat (TMG-MODE-DWD-7)",
            unit=unit.id,
        )
        context.remind(told)
    if mode_of(state).facts.objective.control == "first":
        order = touch_order(token.touched, (*token.touched, unit.id))
        context.add(score_events.token_held, token=token.id, unit=order[0], touched=list(order))
        return None
    context.add(score_events.token_held, token=token.id, unit=unit.id)
    return None


def other_card(context: CommandContext, token: Token, card: str) -> Refusal | None:
    """The players have drawn another card (TMG-MODE-GOT-4): two tokens may swap theirs."""
    if not play_of(context.state).token_cards:
        return no("TMG-MODE-GOT-4", "no objective card lies beside {token}", token=token.id)
    twin = next((one for one in context.state.tokens if one.card == card), None)
    if twin is not None and not token.card:
        return no("TMG-MODE-GOT-4", "that card lies beside {token}", token=twin.id)
    context.add(score_events.token_card, token=token.id, card=card)
    if twin is not None and twin.id != token.id:
        context.add(score_events.token_card, token=twin.id, card=token.card)
    return None


@command(
    "quadrants",
    "Here We Stand: say in which quadrant each unit stands (a table tells it by itself)",
    ask("units", "object", "quadrant by unit"),
    ask("unit", "unit", "one unit, where the others stay as they are told"),
    ask("quadrant", "word", "its quadrant", options=QUADRANTS),
    phases=("clean-up",),
)
def quadrants(context: CommandContext, given: CommandFields) -> Refusal | None:
    """The players' word counts until a table shows something new (TMG-MODE-HWS-5)."""
    state = context.state
    if not play_of(state).quadrants or state.step != "score":
        return no("TMG-MODE-HWS-12", "quadrants are counted when points are scored")
    if given.has("unit"):
        unit = state.unit(given.need("unit")).id
        places = {**places_told(state), unit: given.choice("quadrant", QUADRANTS)}
    else:
        raw = given.field("units")
        members = raw.keys([unit.id for unit in state.units])
        places = {name: raw.member(name).choice(QUADRANTS) for name in members}
    context.add(score_events.quadrants_said, places=places)
    return None
