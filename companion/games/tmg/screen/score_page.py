"""The score: points by side, and at the end of a round the proposed points with their reasons."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.prompt import Choice
from companion.games.api.score_view import ScoreLine, ScoreView, SeatScore
from companion.games.tmg.play.flow.scoring import controller
from companion.games.tmg.play.flow.victory import goal, points_left
from companion.games.tmg.play.state.game_state import GameState, Proposal, Token
from companion.games.tmg.screen.names import GameNames, names_of
from companion.text.rule_numbers import unnumbered
from models.lazy_message import say


def score_view(state: GameState) -> ScoreView:
    names = names_of(state)
    wanted = goal(state)
    seats = tuple(
        SeatScore(
            side.id,
            side.vp,
            None if side.role == "defender" and state.walls else wanted,
            say("VP"),
            say(
                "{n} point in surviving units",
                "{n} points in surviving units",
                n=points_left(state.units, side.id),
            ),
        )
        for side in state.sides
    )
    scoring = state.step == "score" and not state.done
    return ScoreView(
        seats,
        tuple(lines(state, names)) if scoring else tuple(held(state, names)),
        Choice(say("Confirm the points"), ({"do": "score", "confirm": True},), "primary")
        if scoring
        else None,
        state.winner,
        names.spelled(unnumbered(state.how)) if state.how else "",
    )


def lines(state: GameState, names: GameNames) -> Iterator[ScoreLine]:
    """The proposed points, each with what players can do about it."""
    for number, one in enumerate(state.proposals, 1):
        token = next((token for token in state.tokens if token.id == one.token), None)
        holder = controller(state, token) if token is not None else None
        yield ScoreLine(
            one.side,
            reason(one, token, holder.id if holder else "", names),
            one.vp,
            holder.id if holder else "",
            choices=tuple(line_choices(state, number, one, token, names)),
        )


def reason(one: Proposal, token: Token | None, holder: str, names: GameNames) -> str:
    """Why points are proposed, in the players' words."""
    if token is not None and holder:
        return say("{unit} on {objective}", unit=names.of(holder), objective=names.of(token.id))
    return names.spelled(unnumbered(one.first_why or one.why))


def line_choices(
    state: GameState, number: int, one: Proposal, token: Token | None, names: GameNames
) -> Iterator[Choice]:
    """Fewer, more, none; and for an objective, who holds it."""
    change = {"do": "score", "offer": number}
    if one.vp > 0:
        yield Choice(say("1 fewer"), ({**change, "vp": one.vp - 1},))
    yield Choice(say("1 more"), ({**change, "vp": one.vp + 1},))
    yield Choice(say("No points"), ({"do": "score", "drop": number},), "quiet")
    if token is not None:
        yield from holders(state, token, names)


def holders(state: GameState, token: Token, names: GameNames) -> Iterator[Choice]:
    """Who may hold an objective: every unit on the table, or nobody."""
    command = {"do": "objective", "token": token.id}
    for unit in state.standing():
        if unit.id != token.holder:
            text = say("held by {unit}", unit=names.of(unit.id))
            yield Choice(text, ({**command, "unit": unit.id},), seat=unit.side, piece=unit.id)
    if token.holder:
        yield Choice(say("Nobody holds it"), (command,))


def held(state: GameState, names: GameNames) -> Iterator[ScoreLine]:
    """Who holds which objective now, before the points of the round."""
    for token in state.tokens:
        unit = controller(state, token)
        if unit is not None:
            text = say(
                "{unit} on {objective}", unit=names.of(unit.id), objective=names.of(token.id)
            )
            yield ScoreLine(unit.side, text, token.vp, unit.id)
