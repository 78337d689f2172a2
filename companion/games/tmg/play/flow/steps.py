"""The steps of set-up, round, turn and clean-up: what each does, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.api.play import Pending
from companion.games.shared.event_registry import EventKind
from companion.games.tmg.play.commands import cards, missions
from companion.games.tmg.play.commands.activations import forced, ready
from companion.games.tmg.play.commands.guests import guest_now, hosts
from companion.games.tmg.play.commands.missions import (
    ALWAYS,
    HAND_OF_MISSIONS,
    commander_may_swap,
    may_lay_aside,
    missing_hands,
    must_reveal,
    numbers,
)
from companion.games.tmg.play.commands.preparation import (
    ROLES,
    deal_token_cards,
    deploying,
    free_cards,
    free_zones,
    markable_by,
    must_choose_cards,
    must_mark,
    usable_cards,
    without_card,
)
from companion.games.tmg.play.commands.reserves import (
    must_redeploy,
    must_reserve,
    reserve_facts,
    returning,
)
from companion.games.tmg.play.commands.terrain import allowed_pieces, placing, terrain_waits
from companion.games.tmg.play.context import CommandContext
from companion.games.tmg.play.events import field_events, flow_events
from companion.games.tmg.play.flow import scoring, victory
from companion.games.tmg.play.state import table_update
from companion.games.tmg.play.state.game_state import ACTIVATION, CLEAN_UP, SET_UP, GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import MISSIONS, ZONES, PlayRules
from companion.games.tmg.play.state.unit_state import WAITING
from models.message import joined, say

Waits = Callable[[GameState], Pending | None]
Enter = Callable[[CommandContext], None]


@dataclass(frozen=True, slots=True)
class PlayStep:
    """One step of the game: its rule, its text, its automatic part, and its prompt."""

    name: str
    phase: str
    rule: str
    say: str
    enter: Enter | None = None
    waits: Waits | None = None
    """The prompt; None while nobody is needed, so that the pipeline advances by itself."""


def until_continued(what: str, words: str) -> Waits:
    """A prompt that waits until the players continue."""

    def waits(state: GameState) -> Pending | None:
        if set(state.playing) <= set(state.done):
            return None
        return Pending(what, words, None, ("continue",))

    return waits


# -- set-up -----------------------------------------------------------------------------------


def roles_wait(state: GameState) -> Pending | None:
    """Choosing the attacker (TMG-MODE-SOS-1)."""
    if not play_of(state).siege or all(side.role for side in state.sides):
        return None
    if not state.roll_off:
        return Pending("roles", "roll: the higher attacks or defends", None, ("roll-off",))
    facts = {"roles": list(ROLES)}
    return Pending("roles", "attacker or defender?", state.chooser, ("choose-role",), facts)


def pieces_wait(state: GameState) -> Pending | None:
    """Terrain (TMG-SET-7)."""
    if not terrain_waits(state):
        return None
    if not state.roll_off and not play_of(state).siege:
        return Pending("terrain", "roll for who places first", None, ("roll-off", "continue"))
    left = state.piece_count - len(state.pieces)
    return Pending(
        "terrain",
        say("place terrain, {left} left; you may agree on more (TMG-SET-9)", left=left),
        None,
        ("terrain", "continue"),
        {"left": left, "placing": placing(state), "pieces": allowed_pieces(state)},
    )


def zones_wait(state: GameState) -> Pending | None:
    """Deployment zones (TMG-DEP-1)."""
    open_ = [side.id for side in state.sides if not side.zone and not side.eliminated]
    if not open_:
        return None
    if state.shape == "ffa":
        facts = {"zones": free_zones(state)}
        return Pending("zones", "choose a corner", open_[0], ("choose-zone",), facts)
    if not state.roll_off:
        return Pending("zones", "roll for the choice of zone", None, ("roll-off",))
    words = "choose a zone or leave the choice"
    facts = {"zones": free_zones(state)}
    return Pending("zones", words, state.chooser, ("choose-zone",), facts)


def first_enters(context: CommandContext) -> None:
    """2018: the side that did not choose the zone is first player (TMG-DEP-2)."""
    state = context.state
    if state.shape != "ffa" and state.rules.second_is_first and not state.first:
        context.add(flow_events.first_player, side=state.opponents(state.chooser)[0])


def first_waits(state: GameState) -> Pending | None:
    """Choosing the first player (TMG-DEP-2, TMG-FFA-3)."""
    if state.first:
        return None
    if state.shape == "ffa":
        return Pending("first-player", "everybody rolls", None, ("roll-off",))
    others = state.opponents(state.chooser)
    facts = {"sides": list(state.playing)}
    return Pending("first-player", "who is first player?", others[0], ("first-player",), facts)


def prepare_enters(context: CommandContext) -> None:
    """Objective cards, missions, siege cards."""
    deal_token_cards(context)
    missions.prepare_missions(context)


def cards_wait(state: GameState) -> Pending | None:
    """Objective cards for commanders (TMG-MODE-COK-4)."""
    player = must_choose_cards(state)
    if not player:
        return None
    side = state.player(player).side
    return Pending(
        "cards-chosen",
        say("{player} chooses an objective card", player=player),
        side,
        ("choose-card",),
        {"player": player, "cards": free_cards(state)},
    )


def hands_wait(state: GameState) -> Pending | None:
    """Mission hands (TMG-MODE-WOW-3)."""
    if not missing_hands(state):
        return None
    players = missing_hands(state)
    return Pending(
        "missions-chosen",
        say("{players}: choose 6 missions", players=joined(players)),
        None,
        ("missions",),
        {
            "players": list(players),
            "count": HAND_OF_MISSIONS,
            "always": list(ALWAYS),
            "cards": list(numbers(MISSIONS)),
        },
    )


def reserves_wait(state: GameState) -> Pending | None:
    """Reserves (TMG-MODE-COK-13, TMG-MODE-SOS-10)."""
    left = must_reserve(state)
    if not left:
        return None
    words, facts = "which units start in reserve?", reserve_facts(state, left[0])
    return Pending("reserves", words, left[0], ("reserve",), facts)


def guests_wait(state: GameState) -> Pending | None:
    """Attachments that join an enemy unit before or after deployment (TMG-ARM-13)."""
    guest = guest_now(state, state.step)
    if guest is None:
        return None
    name, units = guest.attachment.name, list(hosts(state, guest))
    facts = {"player": guest.player, "name": name, "units": units}
    words = say("which unit does {name} join?", name=name)
    return Pending("guests", words, guest.side, ("join",), facts)


def deploy_waits(state: GameState) -> Pending | None:
    """Deployment (TMG-DEP-3)."""
    side = deploying(state)
    if not side:
        return None
    waiting = [unit.id for unit in state.units if unit.side == side and unit.place == WAITING]
    return Pending("deploy", "deploy a combat unit", side, ("deploy",), {"units": waiting})


def marks_wait(state: GameState) -> Pending | None:
    """Marked units, and the card that its owner gives each (TMG-MODE-FAB-3, -4)."""
    if owed := without_card(state):
        facts = {"unit": owed.id, "cards": free_cards(state)}
        return Pending("mark-card", "give the Marked unit a card", owed.side, ("mark-card",), facts)
    side = must_mark(state)
    if not side:
        return None
    facts = {"units": markable_by(state, side)}
    return Pending("marks", "mark an enemy unit", side, ("mark",), facts)


def hands_enter(context: CommandContext) -> None:
    """Deal starting hands, and evaluate the table if there is one."""
    cards.deal(context)
    table_update.look_at_start(context)


# -- the round --------------------------------------------------------------------------------


def reveal_waits(state: GameState) -> Pending | None:
    """Revealing missions (TMG-MODE-WOW-4)."""
    left = must_reveal(state)
    if not left:
        return None
    side = state.player(left[0]).side
    return Pending(
        "missions",
        say("{player} reveals a mission", player=left[0]),
        side,
        ("reveal",),
        {"player": left[0]},
    )


def redeploy_waits(state: GameState) -> Pending | None:
    """Redeploying units that may return."""
    left = must_redeploy(state)
    if not left:
        return None
    units = returning(state, left[0])
    rule = play_of(state).redeploy_rule
    return Pending(
        "redeploy",
        say("put back {units}? ({rule})", units=", ".join(units), rule=rule),
        left[0],
        ("redeploy", "continue"),
        {"units": list(units), "rule": rule},
    )


def turn_enters(context: CommandContext) -> None:
    """Start the next side's turn, that of the first player first (TMG-RND-2, TMG-GLO-18, -19); a
    side with nothing left must pass (TMG-RND-8, TMG-RND-10), and when all units were activated the
    phase is over (TMG-RND-11)."""
    state = context.state
    names = state.side_names
    if state.fresh:
        start = names.index(state.first)
    else:
        start = names.index(state.active) + 1
    for place in range(len(names)):
        side = names[(start + place) % len(names)]
        if ready(state, side) and side not in state.passers:
            context.add(flow_events.turn_began, side=side, turn=state.turn + 1)
            return
        if not state.side(side).eliminated and side not in state.passers:
            context.add(flow_events.passed, side=side)


def turn_waits(state: GameState) -> Pending | None:
    """Turn steps 1 and 2 (TMG-RND-3, TMG-RND-4)."""
    if state.acting is not None or state.done:
        return None
    choices = ready(state, state.active)
    if not choices:
        return None
    verbs: tuple[str, ...] = ("activate", "play")
    if not any(forced(state, choices)):
        verbs = ("activate", "pass", "play")
    data: dict[str, Any] = {"units": list(choices)}
    if play_of(state).chosen_cards and (cards := usable_cards(state)):
        verbs = (*verbs, "use-card")
        data["cards"] = cards
    if play_of(state).siege:
        verbs = (*verbs, "siege")
    return Pending(
        "turn-start",
        "start of the turn: effects first, then choose a unit",
        state.active,
        verbs,
        data,
    )


def action_waits(state: GameState) -> Pending | None:
    """Turn step 3 (TMG-RND-6)."""
    acting = state.acting
    if acting is None or acting.stage != "choose":
        return None
    if state.has_ncu(acting.unit):
        free = [zone for zone, ncu in zip(ZONES, state.board, strict=True) if not ncu]
        verbs: tuple[str, ...] = ("claim",)
        if state.rules.ncu_may_forgo:
            verbs = (*verbs, "forgo")
        if play_of(state).quadrants:
            verbs = (*verbs, "quadrant")
        data: dict[str, Any] = {"unit": acting.unit, "zones": free}
        words = say("{unit} claims a zone", unit=acting.unit)
        if commander_may_swap(state):
            verbs, data = (*verbs, "swap-mission"), {**data, **mission_rows(state)}
            words = say("{words}, or replaces a mission (TMG-MODE-DWW-8)", words=words)
        return Pending("action", words, state.active, verbs, data)
    verbs, data = ("action",), {"unit": acting.unit}
    words = say("{unit} chooses an action, or forgoes it (TMG-ACT-2)", unit=acting.unit)
    leads = state.has_unit(acting.unit) and state.unit(acting.unit).commander
    if commander_may_swap(state):
        verbs, data = (*verbs, "swap-mission"), {**data, **mission_rows(state)}
        words = say("{words}, or replaces a mission (TMG-MODE-DWW-8)", words=words)
    if leads and play_of(state).marked:
        verbs = (*verbs, "vp-token")
    return Pending("action", words, state.active, verbs, data)


def mission_rows(state: GameState) -> dict[str, Any]:
    """The missions that a commander may replace, and their replacements."""
    return {"missions": list(state.missions), "reserve": list(state.reserve_missions)}


def end_turn_waits(state: GameState) -> Pending | None:
    """Turn step 4 (TMG-RND-7)."""
    if state.done:
        return None
    return Pending(
        "end-of-turn",
        "end of the turn: each player may still play a card or use an ability",
        None,
        ("end-turn", "play", "order", "ability"),
    )


def end_of_round_waits(state: GameState) -> Pending | None:
    """Effects at the end of a round (TMG-RND-12); secret missions may be discarded (WOW-11)."""
    if set(state.playing) <= set(state.done):
        return None
    words: str = "resolve all effects at the end of the round, then continue"
    players = may_lay_aside(state)
    if not players:
        return Pending("end-of-round", words, None, ("continue",))
    words = say(
        "{players}: you may discard 1 secret mission before 2 are in hand again "
        "(TMG-MODE-WOW-11); then continue",
        players=joined(players),
    )
    commands = ("lay-aside", "continue")
    return Pending("end-of-round", words, None, commands, {"players": list(players)})


def score_enters(context: CommandContext) -> None:
    """Propose points."""
    scoring.propose(context)


def score_waits(state: GameState) -> Pending | None:
    """Confirming points (TMG-RND-13)."""
    if state.done:
        return None
    offers = [scoring.proposal_plain(one) for one in state.proposals]
    told = joined(
        (
            say("{side} {vp} {why}", side=one["side"], vp=one["vp"], why=one["why"])
            for one in offers
        ),
        "; ",
    )
    words: str = say("confirm the points: {offers}", offers=told or "none offered")
    if scoring.quadrants_unknown(state):
        words = joined((words, scoring.SAY_QUADRANTS), "; ")
    verbs = ("score", "objective", "mission", "quadrants")
    return Pending("score", words, None, verbs, {"offers": offers})


def score_leaves(context: CommandContext) -> None:
    """Discard revealed missions, then check victory."""
    missions.end_missions(context)
    missions.refill_secrets(context)
    victory.check(context)


def discard_waits(state: GameState) -> Pending | None:
    """Clean-up step 7 (TMG-RND-18)."""
    if set(state.playing) <= set(state.done):
        return None
    return Pending(
        "discard", "each player may discard tactics cards", None, ("discard", "continue")
    )


def token_passes(context: CommandContext) -> None:
    """The first player token moves to the next side in seating order (TMG-RND-22, TMG-FFA-5)."""
    state = context.state
    names = state.side_names
    after = names.index(state.first) + 1
    order = (*names[after:], *names[:after])
    context.add(flow_events.first_player, side=next(one for one in order if one in state.playing))


def round_marker(context: CommandContext) -> None:
    """Start the next round (TMG-RND-23)."""
    context.add(flow_events.round_began, round=context.state.round + 1, first=context.state.first)


def add(kind: EventKind[GameState, []]) -> Enter:
    """The `enter` function of a step that is a single event."""

    def enter(context: CommandContext) -> None:
        context.add(kind)

    return enter


EARLY = (
    PlayStep(
        "ready",
        SET_UP,
        "TMG-SET-1",
        "the table is set up",
        None,
        until_continued("ready", "the table is set up: begin"),
    ),
    PlayStep("roles", SET_UP, "TMG-MODE-SOS-1", "attacker and defender", None, roles_wait),
    PlayStep(
        "mark-zones",
        SET_UP,
        "TMG-SET-5",
        "mark the deployment zones",
        None,
        until_continued("mark-zones", "mark the deployment zones of the mode, then continue"),
    ),
)
TOKENS_STEP = PlayStep(
    "tokens",
    SET_UP,
    "TMG-SET-4",
    "place the objective tokens",
    None,
    until_continued("tokens", "place what the mode puts on the table, then continue"),
)
TERRAIN_STEP = PlayStep("terrain", SET_UP, "TMG-SET-7", "place terrain", None, pieces_wait)
LATE = (
    PlayStep("zones", SET_UP, "TMG-DEP-1", "choose deployment zones", None, zones_wait),
    PlayStep("first-player", SET_UP, "TMG-DEP-2", "first player", first_enters, first_waits),
    PlayStep("prepare", SET_UP, "TMG-SET-1", "objective and mission cards", prepare_enters),
    PlayStep("cards-chosen", SET_UP, "TMG-MODE-COK-4", "commanders' cards", None, cards_wait),
    PlayStep("missions-chosen", SET_UP, "TMG-MODE-WOW-3", "mission hands", None, hands_wait),
    PlayStep("reserves", SET_UP, "TMG-MODE-SOS-10", "reserves", None, reserves_wait),
    PlayStep("guests", SET_UP, "TMG-ARM-13", "joining an enemy unit", None, guests_wait),
    PlayStep("deploy", SET_UP, "TMG-DEP-3", "deployment", None, deploy_waits),
    PlayStep("late-guests", SET_UP, "TMG-ARM-13", "joining an enemy unit", None, guests_wait),
    PlayStep("marks", SET_UP, "TMG-MODE-FAB-3", "marked units", None, marks_wait),
    PlayStep("hands", SET_UP, "TMG-STA-1", "draw 3 tactics cards", hands_enter),
)
ROUND = (
    PlayStep("round-marker", CLEAN_UP, "TMG-RND-23", "the round marker advances", round_marker),
    PlayStep("redeploy", ACTIVATION, "TMG-MODE-HWS-10", "units return", None, redeploy_waits),
    PlayStep(
        "missions",
        ACTIVATION,
        "TMG-MODE-WOW-4",
        "missions",
        missions.start_missions,
        reveal_waits,
    ),
    PlayStep("turn-start", ACTIVATION, "TMG-RND-3", "start of the turn", turn_enters, turn_waits),
    PlayStep("action", ACTIVATION, "TMG-RND-6", "activation and action", None, action_waits),
    PlayStep("end-of-turn", ACTIVATION, "TMG-RND-7", "end of the turn", None, end_turn_waits),
    PlayStep(
        "end-of-round",
        CLEAN_UP,
        "TMG-RND-12",
        "effects at the end of the round",
        None,
        end_of_round_waits,
    ),
    PlayStep("score", CLEAN_UP, "TMG-RND-13", "score victory points", score_enters, score_waits),
    PlayStep("victory", CLEAN_UP, "TMG-RND-14", "check the victory conditions", score_leaves),
    PlayStep(
        "activation-tokens",
        CLEAN_UP,
        "TMG-RND-15",
        "remove activation tokens",
        add(field_events.tokens_cleared),
    ),
    PlayStep(
        "board", CLEAN_UP, "TMG-RND-16", "clear the tactics board", add(field_events.board_cleared)
    ),
    PlayStep(
        "influence", CLEAN_UP, "TMG-RND-17", "remove influence", add(field_events.influence_cleared)
    ),
    PlayStep("discard", CLEAN_UP, "TMG-RND-18", "discard tactics cards", None, discard_waits),
    PlayStep("draw", CLEAN_UP, "TMG-RND-19", "draw up to 3 cards", cards.draw_up),
    PlayStep(
        "first-player-token",
        CLEAN_UP,
        "TMG-RND-22",
        "the first player token passes",
        token_passes,
    ),
)


# TMG-SET-4: the editions differ in the steps before terrain.
TOKENS_FIRST = {step.name: step for step in (*EARLY, TOKENS_STEP, TERRAIN_STEP, *LATE, *ROUND)}
TERRAIN_FIRST = {step.name: step for step in (*EARLY, TERRAIN_STEP, TOKENS_STEP, *LATE, *ROUND)}


def pipeline(rules: PlayRules) -> dict[str, PlayStep]:
    """All steps of an edition by name, in order."""
    return TOKENS_FIRST if rules.tokens_before_terrain else TERRAIN_FIRST
