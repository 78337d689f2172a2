"""Events of objectives, missions and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.tmg.play.events.flow_events import kind
from companion.games.tmg.play.state.game_state import GameState, Proposal, Token
from companion.games.tmg.play.state.unit_state import record_of
from models.frozen_records import replace
from models.message import joined, say


@kind(
    "token-held",
    lambda token, unit: (
        say("{token}: held by {unit}", token=token, unit=unit)
        if unit
        else say("Nobody holds {token} now", token=token)
    ),
)
def token_held(
    state: GameState, *, token: str, unit: str, rule: str = "", touched: Sequence[str] | None = None
) -> GameState:
    """A unit claims a token, or loses it."""
    token_state = state.token(token)
    contacts = token_state.touched if touched is None else tuple(touched)
    return state.with_token(replace(token_state, holder=unit, touched=contacts, lost=""))


@kind("control-lost", "{unit} has lost {token} and must move onto it again to claim it")
def control_lost(state: GameState, *, token: str, unit: str) -> GameState:
    """A stronger enemy ends a claim permanently (TMG-OBJ-2)."""
    return state.with_token(replace(state.token(token), holder="", lost=unit))


@kind("token-new", "A new objective is placed")
def token_new(
    state: GameState, *, token: str, name: str, vp: int, card: str, pile: str = ""
) -> GameState:
    """A token enters play (TMG-MODE-FFC-15)."""
    token_state = Token(token, name, vp, "", card, pile)
    return replace(
        state,
        tokens=(*state.tokens, token_state),
        card_deck=tuple(other for other in state.card_deck if other != card),
    )


@kind("token-card", "Objective card {card}: {token}")
def token_card(state: GameState, *, token: str, card: str) -> GameState:
    """A card gives a token its ability (TMG-MODE-GOT-4)."""
    token_state = replace(state.token(token), card=card)
    deck = tuple(other for other in state.card_deck if other != card)
    return replace(state.with_token(token_state), card_deck=deck)


@kind("pile-new", "A corpse pile is placed")
def pile_new(state: GameState) -> GameState:
    """Another Corpse Pile enters play (TMG-MODE-FFC-14)."""
    return replace(state, piles=state.piles + 1)


@kind("card-chosen", "{player} chooses objective card {card}")
def card_chosen(state: GameState, *, player: str, card: str, next: str | None = None) -> GameState:
    """An objective card is chosen for the commander (TMG-MODE-COK-4)."""
    owner = state.player(player)
    state = state.with_player(replace(owner, cards=(*owner.cards, card)))
    deck = tuple(other for other in state.card_deck if other != card)
    return replace(state, card_deck=deck, active=state.active if next is None else next)


@kind("card-used", "{player} uses objective card {card}")
def card_used(state: GameState, *, player: str, card: str, unit: str) -> GameState:
    """Its effect lasts until the end of the round, once per game (TMG-MODE-COK-5, -6)."""
    owner = state.player(player)
    used = (*owner.cards_used, card)
    state = state.with_player(replace(owner, cards_used=used, card_round=state.round))
    if unit:
        until = (unit, say("objective card {card}", card=card), "round")
        state = replace(state, effects=(*state.effects, until))
    return state


@kind("marked", "{unit} is Marked")
def marked(state: GameState, *, unit: str, card: str = "", next: str | None = None) -> GameState:
    """An enemy unit is marked (TMG-MODE-FAB-3), in earlier versions with its owner's card."""
    state = with_card(state.with_unit(replace(state.unit(unit), marked=True)), unit, card)
    return replace(state, active=state.active if next is None else next)


@kind("mark-card", "{unit} gets objective card {card}")
def mark_card(state: GameState, *, unit: str, card: str) -> GameState:
    """Its owner gives a Marked unit a card (TMG-MODE-FAB-4)."""
    return with_card(state, unit, card)


def with_card(state: GameState, unit: str, card: str) -> GameState:
    """The state with a card that a unit keeps to the end of the game."""
    deck = tuple(other for other in state.card_deck if other != card)
    return replace(state.with_unit(replace(state.unit(unit), card=card)), card_deck=deck)


@kind("vp-token", "A VP token is put on {unit}")
def vp_token(state: GameState, *, unit: str, by: str = "") -> GameState:
    """Victory point tokens on a tray, not scored yet (TMG-MODE-FAB-6, TMG-MODE-FFC-18)."""
    unit_state = state.unit(unit)
    state = state.with_unit(replace(unit_state, vp_tokens=unit_state.vp_tokens + 1))
    if by and state.acting:
        state = replace(state, acting=replace(state.acting, marked=True))
    return state


@kind(
    "missions-taken",
    lambda player, cards: say(
        "{player} takes {n} card in hand",
        "{player} takes {n} cards in hand",
        player=player,
        n=len(cards),
    ),
)
def missions_taken(state: GameState, *, player: str, cards: Sequence[str]) -> GameState:
    """Mission or siege cards are drawn into a hidden hand."""
    owner = state.player(player)
    deck = tuple(card for card in owner.mission_deck if card not in cards)
    common = tuple(card for card in state.mission_deck if card not in cards)
    changed = replace(owner, missions=(*owner.missions, *cards), mission_deck=deck)
    return replace(state.with_player(changed), mission_deck=common)


@kind("mission-left", "{player} lays a mission aside, face down")
def mission_left(state: GameState, *, player: str, card: str) -> GameState:
    """A secret mission is discarded unseen (TMG-MODE-WOW-12)."""
    owner = state.player(player)
    missions = tuple(other for other in owner.missions if other != card)
    gone = (*owner.mission_discard, card)
    changed = replace(owner, missions=missions, mission_discard=gone)
    return replace(state.with_player(changed), laid_aside=(*state.laid_aside, owner.id))


@kind(
    "mission-shown",
    lambda player, card, siege=False: (
        say("{player} plays siege card {card}", player=player, card=card)
        if siege
        else say("{player} reveals mission {card}", player=player, card=card)
    ),
)
def mission_shown(
    state: GameState, *, player: str, card: str, keep: bool = True, siege: bool = False
) -> GameState:
    """A mission from a hand is revealed (TMG-MODE-WOW-4)."""
    owner = state.player(player)
    missions = tuple(other for other in owner.missions if other != card)
    state = state.with_player(replace(owner, missions=missions))
    if keep:
        return replace(state, missions=(*state.missions, card))
    return state


@kind(
    "missions-set",
    lambda reserve, active: say(
        "Missions: {open}; reserve: {reserve}" if reserve else "Missions: {open}",
        open=", ".join(active) or "none",
        reserve=", ".join(reserve),
    ),
)
def missions_set(
    state: GameState,
    *,
    active: Sequence[str],
    reserve: Sequence[str],
    deck: Sequence[str],
    discard: Sequence[str],
) -> GameState:
    """The open missions and the rest of their deck change (TMG-MODE-DWW-4..6)."""
    return replace(
        state,
        missions=tuple(active),
        reserve_missions=tuple(reserve),
        mission_deck=tuple(deck),
        mission_discard=tuple(discard),
        missions_scored=tuple(one for one in state.missions_scored if one[0] in active),
    )


@kind("mission-scored", "{side} meets mission {card}")
def mission_scored(state: GameState, *, side: str, card: str) -> GameState:
    """A side scores a mission (TMG-MODE-WOW-6)."""
    return replace(state, missions_scored=(*state.missions_scored, (card, side)))


@kind(
    "proposed",
    lambda proposals: say(
        "To be scored: {offers}",
        offers=joined(
            (
                say("{side} {vp} ({why})", side=one["side"], vp=one["vp"], why=one["why"])
                for one in proposals
            ),
            "; ",
        )
        or "nothing",
    ),
)
def proposed(state: GameState, *, proposals: Sequence[Mapping[str, Any]]) -> GameState:
    """Points are proposed for confirmation."""
    offers = tuple(record_of(Proposal, one) for one in proposals)
    return replace(state, proposals=offers)


@kind(
    "quadrants-said",
    lambda places: (
        say(
            "The players say where units stand: {places}",
            places=joined(
                say("{unit} {quadrant}", unit=unit, quadrant=say(quadrant))
                for unit, quadrant in places.items()
            ),
        )
        if places
        else say("The table shows other quadrants than the players said")
    ),
)
def quadrants_said(state: GameState, *, places: Mapping[str, str]) -> GameState:
    """The players say in which quadrants units stand (TMG-MODE-HWS-5)."""
    return replace(state, quadrants=tuple(places.items()))


@kind("proposals-closed", "The points of this round are settled")
def proposals_closed(state: GameState) -> GameState:
    tally = tuple((state.round, side.id, side.vp) for side in state.sides)
    return replace(state, proposals=(), quadrants=(), tally=(*state.tally, *tally))


@kind(
    "scored",
    lambda side, vp, why: say("{side} scores {vp} VP: {why}", side=side, vp=vp, why=why),
)
def scored(
    state: GameState,
    *,
    side: str,
    vp: int,
    rule: str,
    why: str,
    token: str = "",
    unit: str = "",
) -> GameState:
    """A side scores victory points."""
    side_state = state.side(side)
    fall = state.fall(unit) if unit else None
    if fall is not None:
        brought = (side, vp, rule)
        state = state.with_fall(replace(fall, points=(*fall.points, brought)))
    return state.with_side(replace(side_state, vp=max(0, side_state.vp + vp)))


THEIR_WORD = "the players say so"


@kind(
    "overridden",
    lambda side, old, new, why: (
        say("The players set {side} from {old} to {new} VP", side=side, old=old, new=new)
        if why == THEIR_WORD
        else say(
            "The players set {side} from {old} to {new} VP: {why}",
            side=side,
            old=old,
            new=new,
            why=why,
        )
    ),
)
def overridden(state: GameState, *, side: str, old: int, new: int, why: str) -> GameState:
    """The players correct a score; the log keeps both values."""
    return state.with_side(replace(state.side(side), vp=new))


@kind(
    "commander-fell",
    lambda side, unit="", again=False: (
        say("{side} destroys the enemy commander again", side=side)
        if again
        else say("{side} destroys the enemy commander for the first time", side=side)
    ),
)
def commander_fell(
    state: GameState, *, side: str, unit: str = "", again: bool = False
) -> GameState:
    """Only the first time counts (TMG-MODE-COK-12)."""
    fall = state.fall(unit) if unit else None
    if fall is not None and not state.side(side).commander_killed:
        state = state.with_fall(replace(fall, prize=side))
    return state.with_side(replace(state.side(side), commander_killed=True))


@kind(
    "wall-hit",
    lambda wall, wounds: say("{unit}: {n} wound", "{unit}: {n} wounds", unit=wall, n=wounds),
)
def wall_hit(state: GameState, *, wall: str, wounds: int) -> GameState:
    """A castle wall is damaged."""
    walls = tuple(
        replace(wall_state, wounds=min(wall_state.total, wall_state.wounds + wounds))
        if wall_state.id == wall
        else wall_state
        for wall_state in state.walls
    )
    return unengaged_from_ruins(replace(state, walls=walls))


def unengaged_from_ruins(state: GameState) -> GameState:
    """The state in which no unit is engaged with a destroyed wall."""
    ruins = {wall.id for wall in state.walls if not wall.standing}
    if ruins.isdisjoint(name for unit in state.units for name in unit.engaged):
        return state
    units = tuple(
        replace(unit, engaged=tuple(one for one in unit.engaged if one not in ruins))
        for unit in state.units
    )
    return replace(state, units=units)


@kind(
    "dangerous",
    lambda unit, faces: say(
        "{unit} is on Dangerous ground: rolls {face}", unit=unit, face=faces[0]
    ),
)
def dangerous(
    state: GameState,
    *,
    unit: str,
    side: str,
    faces: Sequence[int],
    what: str,
    rule: str = "",
    piece: str = "",
) -> GameState:
    """The D3 of Dangerous ground; the wounds are a separate event (TMG-TER-9..11)."""
    return state


@kind("wall-corrected", "Correction: {wall} {say}")
def wall_corrected(
    state: GameState, *, wall: str, set: Mapping[str, Any], say_: str, why: str
) -> GameState:
    """The players correct a castle wall."""
    walls = tuple(
        replace(wall_state, **set) if wall_state.id == wall else wall_state
        for wall_state in state.walls
    )
    return unengaged_from_ruins(replace(state, walls=walls))
