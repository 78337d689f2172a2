"""The lines of the score page: objectives, missions and quadrants, and what players can do."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice
from companion.games.api.screen_views import ScoreLine
from companion.games.tmg.play.flow.scoring import (
    FIRST_SCORING_ROUND,
    controller,
    offers,
    places_told,
)
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.prompt_options import MISSION_VP, refused
from companion.games.tmg.play.state.game_state import GameState, Player, Proposal, Token
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import OBJECTIVE_CARDS
from companion.games.tmg.play.state.table_facts import quadrants_seen
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from companion.games.tmg.screen.choice_words import quadrant_told, words
from companion.text.translation import unnumbered
from models.message import joined, say


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
            detail=card_beside(token) if token is not None else "",
        )
    yield from quadrant_lines(state, names)
    yield from mission_lines(state, names)
    proposed = {one.token for one in state.proposals}
    for token in state.tokens:  # the players may know better who holds it
        if token.id not in proposed:
            unit, place = controller(state, token), names.of(token.id)
            text = say("Nobody on {objective}", objective=place)
            if unit is not None:
                text = say("{unit} on {objective}", unit=names.of(unit.id), objective=place)
            ways = tuple(holders(state, token, names))
            told = [one for one in (card_beside(token), scores_later(state) if unit else "") if one]
            yield ScoreLine(
                unit.side if unit else "",
                text,
                0,
                unit.id if unit else "",
                choices=ways,
                detail=joined(told, " · "),
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


def scores_later(state: GameState) -> str:
    """That objectives give no points yet (TMG-OBJ-5)."""
    early = bool(play_of(state).scoring_rule) and state.round < FIRST_SCORING_ROUND
    return say("points from round {n} on", n=FIRST_SCORING_ROUND) if early else ""


def other_cards(state: GameState, names: GameNames, token: Token) -> Iterator[Choice]:
    """A correction: another objective card lies beside a token (TMG-MODE-GOT-4)."""
    lying = {str(one.card): one.id for one in state.tokens if one.card}
    if not play_of(state).token_cards or not token.card:
        return
    for number in range(1, OBJECTIVE_CARDS + 1):
        command = {"do": "objective", "token": token.id, "card": number}
        if str(number) != str(token.card):
            text, at = say("Objective card {card} lies here", card=number), lying.get(str(number))
            swap = (
                say("now at {objective}: they change places", objective=names.of(at)) if at else ""
            )
            yield Choice(text, (command,), detail=swap)


def held(state: GameState, names: GameNames) -> Iterator[ScoreLine]:
    """Who holds which objective now, and what the end of the round would bring (TMG-OBJ-5)."""
    yield from mission_lines(state, names)
    now, later = offers(state), scores_later(state)
    at_end = say("at the end of this round")
    for token in state.tokens:
        unit, place, card = controller(state, token), names.of(token.id), card_beside(token)
        ways = tuple(other_cards(state, names, token))
        if unit is None:
            text = say("Nobody on {objective}", objective=place)
            yield ScoreLine("", text, 0, choices=ways, detail=card)
            continue
        text = say("{unit} on {objective}", unit=names.of(unit.id), objective=place)
        points = sum(one.vp for one in now if one.token == token.id)
        told = [one for one in (card, at_end if points else later) if one]
        yield ScoreLine(unit.side, text, points, unit.id, choices=ways, detail=joined(told, " · "))
    for one in now:
        if not one.token:
            yield ScoreLine(one.side, reason(one, None, "", names), one.vp, detail=at_end)


def card_beside(token: Token) -> str:
    """The objective card that lies beside a token, if the mode has any."""
    return say("Objective card {card}", card=token.card) if token.card else ""


# -- missions and quadrants -------------------------------------------------------------------


def own_cards(
    state: GameState, names: GameNames, player: Player
) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """The secret mission or siege cards of a player, each with what may be done with it now."""
    for card in player.missions:
        asked = [
            {"do": word, "player": player.id, "card": card}
            for word in ("reveal", "lay-aside", "siege")
        ]
        ways = [
            Choice(words(state, names, one), (one,), seat=player.side)
            for one in asked
            if refused(state, one) is None
        ]
        yield card, (*ways, *mission_choices(state, names, player.side, card))


def mission_lines(state: GameState, names: GameNames) -> Iterator[ScoreLine]:
    """The revealed missions: who has met one says so, with the points on its card
    (TMG-MODE-WOW-6, TMG-MODE-DWW-10)."""
    for card in dict.fromkeys(state.missions):
        done = [names.of(side) for one, side in state.missions_scored if one == card]
        told = say("met by {names}", names=joined(done)) if done else ""
        ways = [one for side in state.playing for one in mission_choices(state, names, side, card)]
        yield ScoreLine("", say("Mission {card}", card=card), 0, choices=tuple(ways), detail=told)


def mission_choices(state: GameState, names: GameNames, side: str, card: str) -> Iterator[Choice]:
    """A side has met a mission, open or its own secret one; the points stand on the card."""
    for points in MISSION_VP:
        command: Plain = {"do": "mission", "side": side, "mission": card, "vp": points}
        if refused(state, command) is None:
            yield Choice(words(state, names, command), (command,), seat=side)


def quadrant_lines(state: GameState, names: GameNames) -> Iterator[ScoreLine]:
    """In which quadrant each unit counts: those first that the table leaves open, where the
    opponent of its owner chooses (TMG-MODE-HWS-4, TMG-MODE-HWS-5)."""
    if not play_of(state).quadrants or state.round < FIRST_SCORING_ROUND:
        return
    open_ = (
        {one.unit: one.choices for one in quadrants_seen(state) if one.choices}
        if state.table
        else {}
    )
    places = places_told(state)
    for unit in sorted(state.standing(), key=lambda one: one.id in places):
        where = places.get(unit.id, "")
        text: str = say("{unit}: in which quadrant?", unit=names.of(unit.id))
        if where:
            text = quadrant_told(names, unit.id, where)
        between = open_.get(unit.id, ()) if not where else ()
        commands = (
            {"do": "quadrants", "unit": unit.id, "quadrant": one}
            for one in between or QUADRANTS
            if one != where
        )
        ways = tuple(Choice(words(state, names, one), (one,), piece=unit.id) for one in commands)
        told = say("between quadrants: the opponent of its owner chooses") if between else ""
        yield ScoreLine(unit.side, text, 0, unit.id, bool(where), ways, told)
