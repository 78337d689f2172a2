"""Before round 1: roles, zones, first player, objective cards, deployment, marks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.positions import EDGES, deploy_place, misplaced, planned
from companion.games.tmg.play.context import CommandContext, CommandFields, ask, command, no, unsure
from companion.games.tmg.play.events import field_events, flow_events, score_events
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.play_rules import OBJECTIVE_CARDS
from companion.games.tmg.play.state.table_facts import seen
from companion.games.tmg.play.state.unit_state import WAITING, UnitState
from companion.games.tmg.rules.modes import CORNERS
from companion.games.tmg.rules.setup.objectives import markable
from models.message import say

UNTOLD = 0
"""The die of a roll-off of which the players told only who won."""
ROLES = ("attacker", "defender")
COMMANDER_CARDS = ("6", "7", "8", "9", "10")  # TMG-MODE-COK-4, TMG-MODE-FAB-4
CARDS_EACH = 2  # TMG-MODE-COK-4


# -- rolling off ------------------------------------------------------------------------------


@command(
    "roll-off",
    "every side rolls a die; the highest chooses (ties reroll)",
    ask("dice", "object", "the dice by side; the companion rolls where left out"),
    ask("winner", "side", "who rolled highest, where the players roll and only say so"),
    phases=("set-up",),
)
def roll_off(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-SET-7, TMG-DEP-1, TMG-MODE-SOS-1, TMG-FFA-3."""
    state = context.state
    if state.step not in ("roles", "terrain", "zones", "first-player"):
        return no("TMG-DEP-1", "nothing is rolled for now")
    if state.roll_off:
        return no("TMG-DEP-1", "{side} won the roll", side=state.chooser)
    if given.has("winner"):
        dice = [(state.side(given.need("winner")).id, UNTOLD)]
    elif given.has("dice"):
        raw = given.field("dice")
        members = raw.keys(state.playing, state.playing)
        dice = [(side, raw.member(side).whole(1, 6)) for side in members]
        if len(highest(dice)) > 1:
            return no("TMG-DEP-1", "a tie: roll again")
    else:
        dice = []
        while len(highest(dice)) != 1:  # ties reroll
            dice = list(zip(state.playing, context.dice(len(state.playing)), strict=True))
    (winner,) = highest(dice)
    context.add(field_events.roll_off, dice=[list(one) for one in dice], chooser=winner)
    if state.step == "first-player":  # TMG-FFA-3
        context.add(flow_events.first_player, side=winner)
    return None


def highest(dice: list[tuple[str, int]]) -> list[str]:
    """The sides with the highest die."""
    return [side for side, face in dice if all(face >= other for _, other in dice)]


@command(
    "choose-role",
    "A Storm of Swords: the winner of the roll attacks or defends",
    ask("side", "side", "who chooses", required=True),
    ask("role", "word", "what it is", True, ROLES),
    phases=("set-up",),
)
def choose_role(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-SOS-1."""
    state = context.state
    side, role = state.side(given.need("side")).id, given.choice("role", ROLES)
    if state.step != "roles" or not state.roll_off:
        return no("TMG-MODE-SOS-1", "roles are chosen after the roll, in a siege only")
    if side != state.chooser:
        return no("TMG-MODE-SOS-1", "{side} won the roll and chooses", side=state.chooser)
    other = ROLES[1 - ROLES.index(role)]
    context.add(field_events.role_chosen, side=side, role=role)
    for opponent in state.opponents(side):
        context.add(field_events.role_chosen, side=opponent, role=other)
    return None


@command(
    "choose-zone",
    "the winner of the roll chooses a deployment zone or leaves the choice to the opponent",
    ask("side", "side", "who chooses", required=True),
    ask(
        "zone",
        "word",
        "an edge; a corner in a game of all against all; or leave it",
        True,
        (*EDGES, *CORNERS, "leave"),
    ),
    phases=("set-up",),
)
def choose_zone(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-DEP-1, TMG-FFA-2."""
    state = context.state
    side = state.side(given.need("side")).id
    zone = given.choice("zone", (*EDGES, *CORNERS, "leave"))
    if state.step != "zones":
        return no("TMG-DEP-1", "no zone is chosen now")
    if state.shape == "ffa":
        if zone not in CORNERS:
            return no("TMG-FFA-2", "each player chooses a corner")
        if any(other.zone == zone for other in state.sides):
            return no("TMG-FFA-2", "{zone} is taken", zone=zone)
        if state.side(side).zone:
            return no("TMG-FFA-2", "{side} has chosen a corner", side=side)
        context.add(field_events.zone_chosen, side=side, zone=zone)
        return None
    if not state.roll_off:
        return no("TMG-DEP-1", "roll for the choice first")
    if side != state.chooser:
        return no("TMG-DEP-1", "{side} won the roll and chooses", side=state.chooser)
    if zone == "leave":
        if state.chooser != max(state.roll_off, key=lambda one: one[1])[0]:
            return no("TMG-DEP-1", "the choice was left to you already")
        context.add(field_events.zone_left, side=side, other=state.opponents(side)[0])
        return None
    if zone not in EDGES:
        return no("TMG-DEP-1", "choose the near or the far edge")
    context.add(field_events.zone_chosen, side=side, zone=zone)
    for opponent in state.opponents(side):
        context.add(field_events.zone_chosen, side=opponent, zone=EDGES[1 - EDGES.index(zone)])
    return None


def free_zones(state: GameState) -> list[str]:
    """The zones to choose from: free corners, or the edges and passing the choice on."""
    if state.shape == "ffa":
        taken = {side.zone for side in state.sides}
        return [corner for corner in CORNERS if corner not in taken]
    may_leave = state.roll_off and state.chooser == max(state.roll_off, key=lambda one: one[1])[0]
    return [*EDGES, *(("leave",) if may_leave else ())]


@command(
    "first-player",
    "who did not choose the zone says who is first player (2021)",
    ask("by", "side", "who says so; may be left out"),
    ask("side", "side", "the first player", required=True),
    phases=("set-up",),
)
def first_player(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-DEP-2, OR-35."""
    state = context.state
    side = state.side(given.need("side")).id
    if state.step != "first-player" or state.first:
        return no("TMG-DEP-2", "the first player is not decided now")
    if state.shape == "ffa":
        return no("TMG-FFA-3", "everybody rolls; the highest is first player")
    if given.has("by") and given.need("by") == state.chooser:
        return no("TMG-DEP-2", "{side} chose the zone and does not decide this", side=state.chooser)
    context.add(flow_events.first_player, side=side)
    return None


# -- objective cards --------------------------------------------------------------------------


def deal_token_cards(context: CommandContext) -> None:
    """1 random objective card per token (TMG-MODE-GOT-4, TMG-MODE-FFC-5, TMG-MODE-DWD-3).

    Who plays with cards of paper draws them and says which.
    """
    paper = any(player.paper for player in context.state.players)
    if paper or not play_of(context.state).token_cards:
        return
    deck = context.shuffled(tuple(str(n) for n in range(1, OBJECTIVE_CARDS + 1)))
    for token, card in zip(context.state.tokens, deck, strict=False):
        context.add(score_events.token_card, token=token.id, card=card)


def must_choose_cards(state: GameState) -> str:
    """Whose turn it is to choose a commander's card; the first player's side is last."""
    if not play_of(state).chosen_cards:
        return ""
    players = [player for player in state.players if player.side in state.playing]
    first, *others = state.from_first
    turns = (*others, first)  # clockwise, from the left of the first player
    order = sorted(players, key=lambda player: turns.index(player.side))
    turn = min(order, key=lambda player: len(player.cards))
    return turn.id if len(turn.cards) < cards_each(len(players)) else ""


def cards_each(players: int) -> int:
    """How many cards everybody takes: the rulebook deals for two players, of more each gets as
    many as the five cards allow."""
    return min(CARDS_EACH, len(COMMANDER_CARDS) // players)


def free_cards(state: GameState) -> list[str]:
    """The commanders' cards that no player has chosen and no unit has."""
    taken = {card for player in state.players for card in player.cards}
    taken |= {unit.card for unit in state.units}
    return [card for card in COMMANDER_CARDS if card not in taken]


@command(
    "choose-card",
    "A Clash of Kings 2021: choose one of objective cards 6 to 10",
    ask("player", "player", "who chooses", required=True),
    ask("card", "word", "which card", True, COMMANDER_CARDS),
    phases=("set-up",),
)
def choose_card(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-COK-4."""
    state = context.state
    player = state.player(given.need("player"))
    card = given.choice("card", COMMANDER_CARDS)
    turn = must_choose_cards(state) if state.step == "cards-chosen" else ""
    if player.id != turn:
        return no("TMG-MODE-COK-4", "{player} chooses a card now", player=turn or "nobody")
    if any(card in one.cards for one in state.players):
        return no("TMG-MODE-COK-4", "card {card} is taken", card=card)
    context.add(score_events.card_chosen, player=player.id, card=card)
    return None


@command(
    "use-card",
    "A Clash of Kings 2021: at the start of a turn the commander's unit gains a card's effect",
    ask("player", "player", "who uses it", required=True),
    ask("card", "text", "which of his cards", required=True),
)
def use_card(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-COK-5, TMG-MODE-COK-6, OR-33: one a round, at the start of an own turn."""
    state = context.state
    player = state.player(given.need("player"))
    card = given.need("card")
    if not play_of(state).chosen_cards:
        return no("TMG-MODE-COK-5", "this mode has no such cards")
    if state.step != "turn-start" or player.side != state.active:
        return no("TMG-MODE-COK-5", "a card is used at the start of an own turn")
    if card not in player.cards:
        return no("TMG-MODE-COK-5", "{player} has no card {card}", player=player.id, card=card)
    if card in player.cards_used:
        return no("TMG-MODE-COK-6", "card {card} was used in this game", card=card)
    if player.card_round == state.round:
        return no("TMG-MODE-COK-5", "one card a round")
    leader = commanders_unit(state, player.id)
    if not leader and any(unit.commander and unit.player == player.id for unit in state.units):
        return no("TMG-MODE-COK-5", "the commander's unit is not on the battlefield")
    context.add(score_events.card_used, player=player.id, card=card, unit=leader)
    return None


def commanders_unit(state: GameState, player: str) -> str:
    """A player's commander's unit on the battlefield; an NCU has none there (OR-42)."""
    own = (unit.id for unit in state.standing() if unit.commander and unit.player == player)
    return next(own, "")


def usable_cards(state: GameState) -> dict[str, list[str]]:
    """The objective cards that may be used at the start of this turn, by player (COK-5, -6)."""
    found = {}
    for player in state.players:
        gone = not commanders_unit(state, player.id) and any(
            unit.commander and unit.player == player.id for unit in state.units
        )
        if player.side == state.active and player.card_round != state.round and not gone:
            left = [card for card in player.cards if card not in player.cards_used]
            if left:
                found[player.id] = left
    return found


# -- deployment -------------------------------------------------------------------------------


def deploying(state: GameState) -> str:
    """Whose turn it is to deploy; sides that have deployed everything are skipped."""
    left = {unit.side for unit in state.units if unit.place == WAITING}
    names = state.side_names
    first = state.active if state.active in names else state.chooser or names[0]
    at = names.index(first)
    return next((side for side in (*names[at:], *names[:at]) if side in left), "")


@command(
    "deploy",
    "put a combat unit with its attachments into its deployment zone",
    ask("unit", "unit", "which one; all of both sides where left out"),
    ask("put", "flag", "its tray is put down next, wherever the table has it now"),
    phases=("set-up",),
)
def deploy(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Deploy alternately, the chooser of the zone first (TMG-DEP-3); a table is checked (DEP-4).

    A table that is set up already is taken as it is before anything else is chosen.
    """
    state = context.state
    if state.step != "deploy" and (state.step != "ready" or given.has("unit")):
        return no("TMG-DEP-3", "units are not deployed now")
    if not given.has("unit"):
        while side := deploying(context.state):
            unit = next(
                one for one in context.state.units if one.side == side and one.place == WAITING
            )
            if refusal := put_down(context, unit.id, side, given.flag("put")):
                return refusal
        return None
    name = given.need("unit")
    if state.has_ncu(name):
        return no("TMG-DEP-6", "{unit} is an NCU: it stays beside the tactics board", unit=name)
    unit = state.unit(name)
    if unit.place != WAITING:
        return no("TMG-DEP-3", "{unit} is not waiting to be deployed", unit=name)
    if unit.side != deploying(state):
        return no("TMG-DEP-3", "{side} deploys the next unit", side=deploying(state))
    due = given.flag("put") and planned(state, name) is not None
    return put_down(context, name, unit.side, given.flag("put"), due)


def put_down(
    context: CommandContext, name: str, side: str, anew: bool = False, due: bool = False
) -> Refusal | None:
    """Deploy the unit; the next side continues.

    `anew`: if the table has it where it may not stand, it is put into its zone. `due`: the players
    have still to put its tray down.
    """
    state, names = context.state, context.state.side_names
    after = names[(names.index(side) + 1) % len(names)]
    more: dict[str, Any] = {"put": True} if due else {}
    if refusal := misplaced(state, name):
        pose = deploy_place(state, name) if anew else None
        if pose is None:
            return refusal
        more["at"] = [pose.x, pose.y, pose.heading]
    context.add(field_events.deployed, unit=name, next=after, name=state.unit(name).name, **more)
    return None


# -- marks ------------------------------------------------------------------------------------


def must_mark(state: GameState) -> str:
    """Whose turn it is to mark an enemy unit (TMG-MODE-FAB-3); the first player starts."""
    if not play_of(state).marked:
        return ""
    total, sides = sum(unit.marked for unit in state.units), state.from_first
    turns = (sides[(total + later) % len(sides)] for later in range(len(sides)))
    return next((side for side in turns if markable_by(state, side)), "")


def markable_by(state: GameState, side: str) -> list[str]:
    """The enemy units that a side may mark: of each side two are Marked (TMG-MODE-FAB-3)."""
    marked = Counter(unit.side for unit in state.units if unit.marked)
    return [
        unit.id
        for unit in state.standing()
        if unit.side != side and not unit.marked and marked[unit.side] < play_of(state).marked
    ]


def without_card(state: GameState) -> UnitState | None:
    """The Marked unit whose owner gives it a card now (TMG-MODE-FAB-4): there are five, each is
    given once (TMG-MODE-FAB-5), so that of three players one unit has none."""
    if state.step != "marks" or not free_cards(state):
        return None
    return next((unit for unit in state.units if unit.marked and not unit.card), None)


@command(
    "mark",
    "Fire and Blood: put an objective token on an enemy unit; its owner gives it a card",
    ask("side", "side", "who marks", required=True),
    ask("unit", "unit", "an enemy unit", required=True),
    ask("card", "word", "the card its owner assigns, if told", False, COMMANDER_CARDS),
    phases=("set-up",),
)
def mark(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-FAB-3..5."""
    state = context.state
    side = state.side(given.need("side")).id
    if owed := without_card(state):
        return no("TMG-MODE-FAB-4", "{unit} gets its card first", unit=owed.id)
    turn = must_mark(state) if state.step == "marks" else ""
    if side != turn:
        return no("TMG-MODE-FAB-3", "{side} marks a unit now", side=turn or "nobody")
    unit = state.unit(given.need("unit"))
    if unit.side == side or not unit.standing:
        return no("TMG-MODE-FAB-3", "{unit} is no deployed enemy unit", unit=unit.id)
    if unit.marked:
        return no("TMG-MODE-FAB-3", "{unit} is Marked already", unit=unit.id)
    if unit.id not in markable_by(state, side):
        return no("TMG-MODE-FAB-3", "two units of {side} are Marked already", side=unit.side)
    card = given.choice("card", COMMANDER_CARDS) if given.has("card") else ""
    if card and card not in free_cards(state):
        return no("TMG-MODE-FAB-5", "card {card} is assigned already", card=card)
    context.add(score_events.marked, unit=unit.id, card=card)
    if not free_cards(state):
        context.remind(say("no card is left for {unit} (TMG-MODE-FAB-5)", unit=unit.id))
    return None


@command(
    "mark-card",
    "Fire and Blood: give an own Marked unit one of objective cards 6 to 10",
    ask("unit", "unit", "the Marked unit", required=True),
    ask("card", "word", "which card", True, COMMANDER_CARDS),
    phases=("set-up",),
)
def mark_card(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-FAB-4, TMG-MODE-FAB-5."""
    state = context.state
    unit, owed = state.unit(given.need("unit")), without_card(state)
    if owed is None or owed.id != unit.id:
        return no("TMG-MODE-FAB-4", "{unit} gets no card now", unit=unit.id)
    card = given.choice("card", COMMANDER_CARDS)
    if card not in free_cards(state):
        return no("TMG-MODE-FAB-5", "card {card} is assigned already", card=card)
    context.add(score_events.mark_card, unit=unit.id, card=card)
    return None


@command(
    "vp-token",
    "Fire and Blood: the activated commander's unit puts a VP token on an enemy in Long Range",
    ask("unit", "unit", "the enemy unit", required=True),
    ask("in_range", "flag", "it is in Long Range, where measuring cannot tell"),
)
def vp_token(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-FAB-6; the range is checked if there is a table."""
    state = context.state
    acting = state.acting
    if not play_of(state).marked or acting is None or acting.stage == "done":
        return no("TMG-MODE-FAB-6", "no commander's unit is being activated")
    if not state.has_unit(acting.unit) or not state.unit(acting.unit).commander:
        return no("TMG-MODE-FAB-6", "{unit} is not the commander's unit", unit=acting.unit)
    if acting.marked:
        return no("TMG-MODE-FAB-6", "one VP token each activation")
    target = state.unit(given.need("unit"))
    if target.side == state.active or not target.standing:
        return no("TMG-MODE-FAB-6", "{target} is no enemy on the battlefield", target=target.id)
    if seen(state, acting.unit, target.id):
        table = table_of(state.table)
        near = markable(table, mode_of(state), table.unit(acting.unit))
        if near[target.id].verdict == "no":
            return no("TMG-MODE-FAB-6", "{target} is beyond Long Range", target=target.id)
        if near[target.id].verdict == "unsure" and not given.flag("in_range"):
            return unsure(
                "in_range",
                "TMG-MODE-FAB-6",
                "whether {target} is in Long Range is too close to call: say it with 'in_range'",
                target=target.id,
            )
    context.add(score_events.vp_token, unit=target.id, by=acting.unit)
    return None
