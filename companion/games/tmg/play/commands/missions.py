"""Mission and siege cards, identified by number; their texts are only on the players' cards."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    anytime,
    ask,
    command,
    interrupt,
    no,
)
from companion.games.tmg.play.events import field_events, flow_events, score_events
from companion.games.tmg.play.flow.casualties import gain
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import MISSIONS, SECRET_MISSIONS, SIEGE_CARDS
from models.message import say

HAND_OF_MISSIONS = 6  # TMG-MODE-WOW-3
ALWAYS = ("11", "12")  # TMG-MODE-WOW-3
SECRETS = 2  # TMG-MODE-WOW-3 (2018)
SIEGE_HAND = 3  # TMG-MODE-SOS-7
ROW = 2  # TMG-MODE-DWW-4
REMOVED = ("10", "11", "12")  # TMG-MODE-DWW-3


def numbers(last: int) -> tuple[str, ...]:
    """The ids of cards: their printed numbers."""
    return tuple(str(number) for number in range(1, last + 1))


def prepare_missions(context: CommandContext) -> None:
    """Before deployment: shuffle the decks, deal hands and rows."""
    play = play_of(context.state)
    if play.missions == "row":
        deck = context.shuffled(tuple(card for card in numbers(MISSIONS) if card not in REMOVED))
        context.add(
            score_events.missions_set,
            active=list(deck[:ROW]),
            reserve=list(deck[ROW : 2 * ROW]),
            deck=list(deck[2 * ROW :]),
            discard=[],
        )
    elif play.missions == "secret":
        deck = context.shuffled(numbers(SECRET_MISSIONS))
        context.add(score_events.missions_set, active=[], reserve=[], deck=list(deck), discard=[])
        for player in context.state.players:
            top = context.state.mission_deck[:SECRETS]
            context.add(score_events.missions_taken, player=player.id, cards=list(top))
    elif play.siege:
        for player in context.state.players:
            hand = context.shuffled(numbers(SIEGE_CARDS))[:SIEGE_HAND]
            context.add(score_events.missions_taken, player=player.id, cards=list(hand))


def missing_hands(state: GameState) -> tuple[str, ...]:
    """Players who have not chosen their mission cards yet."""
    if play_of(state).missions != "hand":
        return ()
    return tuple(
        player.id
        for player in state.players
        if not player.missions and player.side in state.playing
    )


@command(
    "missions",
    "Winds of Winter 2021: choose your hand of 6 missions, 11 and 12 among them",
    ask("player", "player", "who chooses", required=True),
    ask("cards", "list", "the numbers of the missions", required=True),
    phases=("set-up",),
)
def choose_missions(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Choose a hand of 6 (TMG-MODE-WOW-3)."""
    player = context.state.player(given.need("player"))
    cards = given.texts("cards", 12)
    if play_of(context.state).missions != "hand" or context.state.step != "missions-chosen":
        return no("TMG-MODE-WOW-3", "no mission cards are chosen now")
    if player.missions:
        return no("TMG-MODE-WOW-3", "{player} has chosen already", player=player.id)
    fine = len(cards) == HAND_OF_MISSIONS == len(set(cards)) and set(ALWAYS) <= set(cards)
    if not fine or not set(cards) <= set(numbers(MISSIONS)):
        return no("TMG-MODE-WOW-3", "a hand is missions 11 and 12 and 4 others of 1 to 12")
    context.add(score_events.missions_taken, player=player.id, cards=list(cards))
    return None


# -- the start of a round ---------------------------------------------------------------------


def must_reveal(state: GameState) -> tuple[str, ...]:
    """The players who must still reveal a mission, the first player's side first."""
    if play_of(state).missions != "hand" or state.round < 2:
        return ()
    order = [one for side in state.from_first for one in state.players if one.side == side]
    return tuple(
        player.id
        for player in order
        if player.missions and not {player.id, player.side} & {*state.done}
    )


def start_missions(context: CommandContext) -> None:
    """Update the open missions at the start of a round."""
    state = context.state
    play = play_of(state)
    if play.missions == "row" and state.round >= 3:  # TMG-MODE-DWW-5
        reserve, deck, discard = next_reserve(
            context, state.mission_deck, (*state.mission_discard, *state.missions), ROW
        )
        context.add(
            score_events.missions_set,
            active=list(state.reserve_missions),
            reserve=list(reserve),
            deck=list(deck),
            discard=list(discard),
        )
    elif play.missions == "secret" and state.round >= 2 and state.mission_deck:
        context.add(  # TMG-MODE-WOW-4
            score_events.missions_set,
            active=[state.mission_deck[0]],
            reserve=[],
            deck=list(state.mission_deck[1:]),
            discard=list(state.mission_discard),
        )


def next_reserve(
    context: CommandContext, deck: tuple[str, ...], discard: tuple[str, ...], wanted: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Draw cards from the deck; an empty deck is refilled from the discards (TMG-MODE-DWW-6)."""
    drawn: list[str] = []
    while len(drawn) < wanted:
        if not deck:
            if not discard:
                break
            deck, discard = context.shuffled(discard), ()
        drawn.append(deck[0])
        deck = deck[1:]
    return tuple(drawn), deck, discard


@command(
    "reveal",
    "Winds of Winter 2021: choose and reveal 1 mission at the start of a round",
    ask("player", "player", "who reveals", required=True),
    ask("card", "text", "its number", required=True),
)
def reveal(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Reveal a mission, starting with the first player (TMG-MODE-WOW-4)."""
    player = context.state.player(given.need("player"))
    waiting = must_reveal(context.state) if context.state.step == "missions" else ()
    if player.id not in waiting:
        return no("TMG-MODE-WOW-4", "{player} reveals no mission now", player=player.id)
    if waiting[0] != player.id:
        return no("TMG-MODE-WOW-4", "{player} reveals first", player=waiting[0])
    card = given.need("card")
    if card not in player.missions:
        return no(
            "TMG-MODE-WOW-4",
            "mission {card} is not in {player}'s hand",
            card=card,
            player=player.id,
        )
    context.add(score_events.mission_shown, player=player.id, card=card)
    # each player of a team reveals one (TMG-TEAM-3)
    context.add(flow_events.went_on, side=player.id, step="missions")
    return None


# -- scoring and discarding -------------------------------------------------------------------


@interrupt(
    "mission",
    "tick a mission a side has met, and what it scores",
    ask("side", "side", "who met it", required=True),
    ask("mission", "text", "its number", required=True),
    ask("vp", "number", "what it gives", required=True),
)
def score_mission(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Score a mission by the players' word: its text is on their card."""
    state = context.state
    side = state.side(given.need("side")).id
    card = given.need("mission")
    kind = play_of(state).missions
    if not kind:
        return no("TMG-MODE-WOW-6", "this mode has no missions")
    secret = next(
        (player for player in state.players if player.side == side and card in player.missions),
        None,
    )
    points = given.whole("vp", 0, 20)
    if card in state.missions:
        if kind != "secret" and (card, side) in state.missions_scored:
            return no(
                "TMG-MODE-WOW-6", "{side} has scored mission {card} already", side=side, card=card
            )
    elif kind == "secret" and secret is not None:
        if state.round < 2:
            return no("TMG-MODE-WOW-10", "secret missions are not scored before round 2")
        context.add(score_events.mission_shown, player=secret.id, card=card, keep=False)
    else:
        rule = "TMG-MODE-DWW-10" if kind == "row" else "TMG-MODE-WOW-6"
        return no(rule, "mission {card} is not revealed", card=card)
    context.add(score_events.mission_scored, side=side, card=card)
    rule = "TMG-MODE-DWW-10" if kind == "row" else "TMG-MODE-WOW-6"
    gain(context, side, points, rule, say("mission {card}", card=card))
    return None


def end_missions(context: CommandContext) -> None:
    """Revealed missions are discarded at the end of the round (TMG-MODE-WOW-5)."""
    state = context.state
    if play_of(state).missions in ("hand", "secret") and state.missions:
        context.add(
            score_events.missions_set,
            active=[],
            reserve=[],
            deck=list(state.mission_deck),
            discard=[*state.mission_discard, *state.missions],
        )


def refill_secrets(context: CommandContext) -> None:
    """2018: draw back up to 2 secret missions each (TMG-MODE-WOW-11)."""
    if play_of(context.state).missions != "secret":
        return
    for player in context.state.players:
        missing = SECRETS - len(player.missions)
        top = context.state.mission_deck[: max(0, missing)]
        if top:
            context.add(score_events.missions_taken, player=player.id, cards=list(top))


def may_lay_aside(state: GameState) -> tuple[str, ...]:
    """Players who may still discard a secret mission this round (TMG-MODE-WOW-11)."""
    if play_of(state).missions != "secret":
        return ()
    return tuple(
        player.id
        for player in state.players
        if player.missions and player.side in state.playing and player.id not in state.laid_aside
    )


@command(
    "lay-aside",
    "Winds of Winter 2018: discard 1 secret mission face down at the end of the round",
    ask("player", "player", "who discards", required=True),
    ask("card", "text", "its number", required=True),
    phases=("clean-up",),
)
def lay_aside(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Discard one secret mission unseen (TMG-MODE-WOW-11, TMG-MODE-WOW-12)."""
    player = context.state.player(given.need("player"))
    card = given.need("card")
    if play_of(context.state).missions != "secret" or context.state.step != "end-of-round":
        return no("TMG-MODE-WOW-11", "secret missions are discarded at the end of a round")
    if card not in player.missions:
        return no("TMG-MODE-WOW-11", "{player} holds no such mission", player=player.id)
    if player.id in context.state.laid_aside:
        return no(
            "TMG-MODE-WOW-11", "{player} has discarded a mission this round", player=player.id
        )
    context.add(score_events.mission_left, player=player.id, card=card)
    return None


@anytime(
    "siege",
    "A Storm of Swords: play a siege card",
    ask("player", "player", "who plays it", required=True),
    ask("card", "text", "its number", required=True),
)
def siege(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Play a siege card; its effects are printed on it (TMG-MODE-SOS-7)."""
    player = context.state.player(given.need("player"))
    card = given.need("card")
    if not play_of(context.state).siege:
        return no("TMG-MODE-SOS-7", "only a siege has siege cards")
    if card not in player.missions:
        return no(
            "TMG-MODE-SOS-7", "{player} holds no siege card {card}", player=player.id, card=card
        )
    context.add(score_events.mission_shown, player=player.id, card=card, keep=False, siege=True)
    return None


def swap_mission(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Replace an active mission by a reserve one, or a reserve one from the deck (DWW-7, -8)."""
    state = context.state
    out, into = given.need("out"), given.text("into")
    if out in state.missions:
        if into not in state.reserve_missions:
            return no("TMG-MODE-DWW-7", "{card} is not a reserve mission", card=into or "nothing")
        active = [into if card == out else card for card in state.missions]
        reserve = [card for card in state.reserve_missions if card != into]
        deck, discard = state.mission_deck, (*state.mission_discard, out)
    elif out in state.reserve_missions:
        drawn, deck, discard = next_reserve(
            context, state.mission_deck, (*state.mission_discard, out), 1
        )
        active = list(state.missions)
        reserve = [card for card in state.reserve_missions if card != out] + list(drawn)
    else:
        return no("TMG-MODE-DWW-7", "{card} is neither an active nor a reserve mission", card=out)
    context.add(
        score_events.missions_set,
        active=active,
        reserve=reserve,
        deck=list(deck),
        discard=list(discard),
    )
    return None


def commander_may_swap(state: GameState) -> bool:
    """Whether the activated unit is the commander's and may replace a mission (DWW-8)."""
    acting = state.acting
    if play_of(state).missions != "row" or acting is None or acting.stage != "choose":
        return False
    if state.has_ncu(acting.unit):
        return state.ncu(acting.unit).commander
    return state.has_unit(acting.unit) and state.unit(acting.unit).commander


@command(
    "swap-mission",
    "Dark Wings, Dark Words: the activated commander forgoes his action to replace a mission",
    ask("out", "text", "the mission that goes", required=True),
    ask("into", "text", "the reserve mission that takes an active one's place"),
)
def commander_swaps(context: CommandContext, given: CommandFields) -> Refusal | None:
    """The commander replaces a mission instead of an action (TMG-MODE-DWW-8)."""
    state = context.state
    if play_of(state).missions != "row":
        return no("TMG-MODE-DWW-8", "this mode has no row of missions")
    acting = state.acting
    if acting is None or acting.stage != "choose":
        return no("TMG-MODE-DWW-8", "nobody waits for an action")
    if not commander_may_swap(state):
        return no("TMG-MODE-DWW-8", "{unit} is not the commander's", unit=acting.unit)
    if refusal := swap_mission(context, given):
        return refusal
    context.add(field_events.acted, unit=acting.unit, action="forgo", note="for a mission")
    return None
