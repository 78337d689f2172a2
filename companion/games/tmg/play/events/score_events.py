"""Events of objectives, missions and points."""

from __future__ import annotations

from companion.games.tmg.play.events.flow_events import Data, fill_title, kind
from companion.games.tmg.play.state.game_state import GameState, Proposal, Token
from companion.games.tmg.play.state.unit_state import record_of
from models.frozen_records import replace
from models.message import joined, say


@kind(
    "token-held",
    lambda data: say(
        "{token} is held by {unit}", token=data["token"], unit=data["unit"] or "nobody"
    ),
)
def token_held(state: GameState, data: Data) -> GameState:
    """A unit claims a token, or loses it."""
    token = state.token(data["token"])
    touched = tuple(data["touched"]) if "touched" in data else token.touched
    return state.with_token(replace(token, holder=data["unit"], touched=touched, lost=""))


@kind("control-lost", "{unit} has lost {token} and must move onto it again to claim it (OR-29)")
def control_lost(state: GameState, data: Data) -> GameState:
    """A stronger enemy ends a claim permanently (TMG-OBJ-2)."""
    token = state.token(data["token"])
    return state.with_token(replace(token, holder="", lost=data["unit"]))


@kind("token-new", "a new objective token {token} is placed")
def token_new(state: GameState, data: Data) -> GameState:
    """A token enters play (TMG-MODE-FFC-15)."""
    token = Token(data["token"], data["name"], data["vp"], "", data["card"], data.get("pile", ""))
    return replace(
        state,
        tokens=(*state.tokens, token),
        card_deck=tuple(card for card in state.card_deck if card != data["card"]),
    )


@kind("token-card", "objective card {card} lies beside {token}")
def token_card(state: GameState, data: Data) -> GameState:
    """A card gives a token its ability (TMG-MODE-GOT-4)."""
    token = replace(state.token(data["token"]), card=data["card"])
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state.with_token(token), card_deck=deck)


@kind("pile-new", "a corpse pile is placed")
def pile_new(state: GameState, data: Data) -> GameState:
    """Another Corpse Pile enters play (TMG-MODE-FFC-14)."""
    return replace(state, piles=state.piles + 1)


@kind("card-chosen", "{player} chooses objective card {card}")
def card_chosen(state: GameState, data: Data) -> GameState:
    """An objective card is chosen for the commander (TMG-MODE-COK-4)."""
    player = state.player(data["player"])
    state = state.with_player(replace(player, cards=(*player.cards, data["card"])))
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state, card_deck=deck, active=data.get("next", state.active))


@kind("card-used", "{player} uses objective card {card}")
def card_used(state: GameState, data: Data) -> GameState:
    """Its effect lasts until the end of the round, once per game (TMG-MODE-COK-5, -6)."""
    player = state.player(data["player"])
    used = (*player.cards_used, data["card"])
    state = state.with_player(replace(player, cards_used=used, card_round=state.round))
    if data["unit"]:
        until = (data["unit"], say("objective card {card}", card=data["card"]), "round")
        state = replace(state, effects=(*state.effects, until))
    return state


@kind("marked", "{unit} is Marked")
def marked(state: GameState, data: Data) -> GameState:
    """An enemy unit is marked (TMG-MODE-FAB-3); its owner gives it a card (TMG-MODE-FAB-4)."""
    unit = replace(state.unit(data["unit"]), marked=True, card=data["card"])
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state.with_unit(unit), card_deck=deck, active=data.get("next", state.active))


@kind("vp-token", "a VP token is put on {unit}")
def vp_token(state: GameState, data: Data) -> GameState:
    """Victory point tokens on a tray, not scored yet (TMG-MODE-FAB-6, TMG-MODE-FFC-18)."""
    unit = state.unit(data["unit"])
    state = state.with_unit(replace(unit, vp_tokens=unit.vp_tokens + 1))
    if data.get("by") and state.acting:
        state = replace(state, acting=replace(state.acting, marked=True))
    return state


@kind(
    "missions-taken",
    lambda data: say(
        "{player} takes {n} card in hand",
        "{player} takes {n} cards in hand",
        player=data["player"],
        n=len(data["cards"]),
    ),
)
def missions_taken(state: GameState, data: Data) -> GameState:
    """Mission or siege cards are drawn into a hidden hand."""
    player = state.player(data["player"])
    deck = tuple(card for card in player.mission_deck if card not in data["cards"])
    common = tuple(card for card in state.mission_deck if card not in data["cards"])
    changed = replace(player, missions=(*player.missions, *data["cards"]), mission_deck=deck)
    return replace(state.with_player(changed), mission_deck=common)


@kind("mission-left", "{player} lays a mission aside, face down")
def mission_left(state: GameState, data: Data) -> GameState:
    """A secret mission is discarded unseen (TMG-MODE-WOW-12)."""
    player = state.player(data["player"])
    missions = tuple(card for card in player.missions if card != data["card"])
    gone = (*player.mission_discard, data["card"])
    changed = replace(player, missions=missions, mission_discard=gone)
    return replace(state.with_player(changed), laid_aside=(*state.laid_aside, player.id))


@kind("mission-shown", "{player} reveals mission {card}")
def mission_shown(state: GameState, data: Data) -> GameState:
    """A mission from a hand is revealed (TMG-MODE-WOW-4)."""
    player = state.player(data["player"])
    missions = tuple(card for card in player.missions if card != data["card"])
    state = state.with_player(replace(player, missions=missions))
    if data.get("keep", True):
        return replace(state, missions=(*state.missions, data["card"]))
    return state


@kind(
    "missions-set",
    lambda data: say(
        "missions: {open}; reserve: {reserve}" if data["reserve"] else "missions: {open}",
        open=", ".join(data["active"]) or "none",
        reserve=", ".join(data["reserve"]),
    ),
)
def missions_set(state: GameState, data: Data) -> GameState:
    """The open missions and the rest of their deck change (TMG-MODE-DWW-4..6)."""
    return replace(
        state,
        missions=tuple(data["active"]),
        reserve_missions=tuple(data["reserve"]),
        mission_deck=tuple(data["deck"]),
        mission_discard=tuple(data["discard"]),
        missions_scored=tuple(one for one in state.missions_scored if one[0] in data["active"]),
    )


@kind("mission-scored", "{side} meets mission {card}")
def mission_scored(state: GameState, data: Data) -> GameState:
    """A side scores a mission (TMG-MODE-WOW-6)."""
    return replace(state, missions_scored=(*state.missions_scored, (data["card"], data["side"])))


@kind(
    "proposed",
    lambda data: say(
        "to be scored: {offers}",
        offers=joined((fill_title("{side} {vp} ({why})", one) for one in data["proposals"]), "; ")
        or "nothing",
    ),
)
def proposed(state: GameState, data: Data) -> GameState:
    """Points are proposed for confirmation."""
    offers = tuple(record_of(Proposal, one) for one in data["proposals"])
    return replace(state, proposals=offers)


@kind(
    "quadrants-said",
    lambda data: (
        say(
            "the players say where units stand: {places}",
            places=joined(
                say("{unit} {quadrant}", unit=unit, quadrant=say(quadrant))
                for unit, quadrant in data["places"].items()
            ),
        )
        if data["places"]
        else say("the table shows other quadrants than the players said")
    ),
)
def quadrants_said(state: GameState, data: Data) -> GameState:
    """The players say in which quadrants units stand (TMG-MODE-HWS-5)."""
    return replace(state, quadrants=tuple(data["places"].items()))


@kind("proposals-closed", "the points of this round are settled")
def proposals_closed(state: GameState, data: Data) -> GameState:
    """The proposals are closed."""
    tally = tuple((state.round, side.id, side.vp) for side in state.sides)
    return replace(state, proposals=(), quadrants=(), tally=(*state.tally, *tally))


@kind(
    "scored",
    lambda data: say(
        "{side} scores {vp} VP: {why}", side=data["side"], vp=data["vp"], why=data["why"]
    ),
)
def scored(state: GameState, data: Data) -> GameState:
    """A side scores victory points."""
    side = state.side(data["side"])
    fall = state.fall(data["unit"]) if "unit" in data else None
    if fall is not None:
        brought = (data["side"], data["vp"], data["rule"])
        state = state.with_fall(replace(fall, points=(*fall.points, brought)))
    return state.with_side(replace(side, vp=max(0, side.vp + data["vp"])))


@kind("overridden", "the players set {side} from {old} to {new} VP: {why}")
def overridden(state: GameState, data: Data) -> GameState:
    """The players correct a score; the log keeps both values."""
    return state.with_side(replace(state.side(data["side"]), vp=data["new"]))


@kind("commander-fell", "{side} destroys the enemy commander for the first time")
def commander_fell(state: GameState, data: Data) -> GameState:
    """Only the first time counts (TMG-MODE-COK-12)."""
    fall = state.fall(data["unit"]) if "unit" in data else None
    if fall is not None and not state.side(data["side"]).commander_killed:
        state = state.with_fall(replace(fall, prize=data["side"]))
    return state.with_side(replace(state.side(data["side"]), commander_killed=True))


@kind(
    "wall-hit",
    lambda data: say(
        "{unit}: {n} wound", "{unit}: {n} wounds", unit=data["wall"], n=data["wounds"]
    ),
)
def wall_hit(state: GameState, data: Data) -> GameState:
    """A castle wall is damaged."""
    walls = tuple(
        replace(wall, wounds=min(wall.total, wall.wounds + data["wounds"]))
        if wall.id == data["wall"]
        else wall
        for wall in state.walls
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
    lambda data: say(
        "{unit} is on Dangerous ground: rolls {face}", unit=data["unit"], face=data["faces"][0]
    ),
)
def dangerous(state: GameState, data: Data) -> GameState:
    """The D3 of Dangerous ground; the wounds are a separate event (TMG-TER-9..11)."""
    return state


@kind("wall-corrected", "correction: {wall} {say}")
def wall_corrected(state: GameState, data: Data) -> GameState:
    """The players correct a castle wall."""
    walls = tuple(
        replace(wall, **data["set"]) if wall.id == data["wall"] else wall for wall in state.walls
    )
    return unengaged_from_ruins(replace(state, walls=walls))
