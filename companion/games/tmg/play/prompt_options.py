"""The complete commands that answer a prompt: all that another program needs to play.

Nothing is decided here: generators list candidates from the state, and the game itself is asked
whether it would accept each. Hidden cards are offered only to their owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice
from typing import Any

from companion.games.api.play import FieldSpec, Pending, Plain, Refusal
from companion.games.tmg.play.card_moments import cards_now
from companion.games.tmg.play.commands.cards import known_orders, order_word
from companion.games.tmg.play.commands.missions import ALWAYS, HAND_OF_MISSIONS, numbers
from companion.games.tmg.play.commands.positions import EDGES, planned
from companion.games.tmg.play.commands.preparation import ROLES
from companion.games.tmg.play.context import COMMANDS
from companion.games.tmg.play.flow.attacks import counted_dice
from companion.games.tmg.play.flow.casualties import INHERIT
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.phase_play import PHASES
from companion.games.tmg.play.state.game_state import (
    PAPER_CARD,
    GameState,
    NcuState,
    Player,
    table_of,
)
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import (
    ACTIONS,
    CONDITIONS,
    MISSIONS,
    MOST_HEALED,
    ZONES,
)
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    charge_ways,
    may_turn,
    shot_left,
    targets_left,
    zones_left,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.modes import CORNERS
from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.rulebook import BREAKS
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from models import CompanionError
from models.frozen_records import IdentityCache, replace

Choice = dict[str, Any]
Maker = Callable[[GameState, Pending, str | None], Iterable[Choice]]
OPEN = frozenset(
    "modify attack-result reroll pass-test ability order mission quadrants score hits".split()
)
"""Commands with free text or numbers, of which `options` cannot list every form."""
MOST = 300
"""The number of forms listed per command; a command with more also counts as open."""
MISSION_VP = (1, 2, 3)
"""The points of a mission that are listed; the number is printed on the players' card."""


def options(state: GameState, side: str | None = None) -> list[dict[str, Any]]:
    """For every prompt of `pending`: its `options`, and which commands are `open` besides."""
    return [dict(one) for one in PROMPT_OPTIONS(state, side or "")]


def prompt_options(state: GameState, side: str) -> tuple[Plain, ...]:
    """The same, cached for a state and a viewer."""
    return tuple(beside(state, prompt, side or None) for prompt in pending(state))


PROMPT_OPTIONS = IdentityCache(prompt_options, at_most=8)


def beside(state: GameState, prompt: Pending, side: str | None) -> Plain:
    """The options of one prompt."""
    found: list[Choice] = []
    more = [word for word in prompt.commands if word in OPEN]
    for word in prompt.commands:
        if word not in MAKERS:
            continue
        made = [{"do": word, **one} for one in islice(MAKERS[word](state, prompt, side), MOST + 1)]
        if len(made) > MOST and word not in more:
            more.append(word)
        for one in made[:MOST]:
            found += ways_of(state, one)
    facts: dict[str, Any] = {"options": found, "open": more}
    if prompt.what == "action":
        facts["actions"] = actions_of(found)
        if state.wall(prompt.data["unit"]):  # only the players' card says how many arrows it has
            more.append("action")
    return facts


def ways_of(state: GameState, command: Choice) -> Iterator[Choice]:
    """The command as it is, or with answers to what it asks and cannot be measured."""
    refusal = refused(state, command)
    if refusal is None:
        yield command
    elif refusal.asks and refusal.asks not in command:
        fields = {ask.name: ask for ask in COMMANDS[command["do"]].fields}
        for value in answers(state, command, fields[refusal.asks]):
            yield from ways_of(state, {**command, refusal.asks: value})


def answers(state: GameState, command: Choice, field: FieldSpec) -> Iterable[Any]:
    """What players may answer; of the arcs only those that the table leaves open (TMG-LOS-8)."""
    unit = command.get("unit") or (state.acting.unit if state.acting else "")
    if field.name == "zone" and command["do"] == "aim" and state.attack is not None:
        shot = shot_left(state, replace(state.attack, defender=command["target"]))
        return each(ARC_ZONES[arc] for arc in shot.zone.choices) if shot else field.options
    if field.name == "zone" and state.has_unit(unit) and "target" in command:
        shooting = command.get("action") == "attack"
        return zones_left(state, unit, command["target"], shooting) or field.options
    return field.options or (True, False)


def refused(state: GameState, command: Plain) -> Refusal | None:
    """The game's objection to a command; None if it would be accepted."""
    try:
        found = PHASES.decide(state, command)
    except CompanionError as error:
        return Refusal("INPUT", str(error))
    return found if isinstance(found, Refusal) else None


def actions_of(found: Iterable[Choice]) -> dict[str, list[str]]:
    """The actions among the options, each with its targets."""
    actions: dict[str, list[str]] = {}
    for one in found:
        word = one["action"] if one["do"] == "action" else one["do"]
        targets = actions.setdefault(word, [])
        target = one.get("target") or one.get("piece") or one.get("zone") or one.get("quadrant")
        if target is not None and target not in targets:
            targets.append(target)
    return actions


def own_players(state: GameState, side: str | None) -> tuple[Player, ...]:
    """The players whose hidden cards a viewer may see."""
    return tuple(player for player in state.players if side is not None and player.side == side)


def open_hands(state: GameState, side: str | None) -> tuple[Player, ...]:
    """The players whose tactics cards a viewer may name: the own ones, and cards of paper."""
    own = own_players(state, side)
    return tuple(one for one in state.players if one in own or (side is None and one.paper))


def each(values: Iterable[str]) -> dict[str, None]:
    """Each value once, in order."""
    return dict.fromkeys(values)


MAKERS: dict[str, Maker] = {
    "roll-off": lambda state, prompt, side: [{}, *({"winner": one} for one in state.playing)],
    "forgo": lambda state, prompt, side: [{}],
    "end-turn": lambda state, prompt, side: [{}],
    "wall-hits": lambda state, prompt, side: [{}],
    "choose-role": lambda state, prompt, side: [
        {"side": state.chooser, "role": role} for role in ROLES
    ],
    "choose-zone": lambda state, prompt, side: [
        {"side": prompt.side, "zone": zone} for zone in (*EDGES, *CORNERS, "leave")
    ],
    "first-player": lambda state, prompt, side: [
        {"by": prompt.side, "side": one} for one in state.playing
    ],
    "choose-card": lambda state, prompt, side: [
        {"player": prompt.data["player"], "card": card} for card in prompt.data["cards"]
    ],
    "redeploy": lambda state, prompt, side: [{"unit": name} for name in prompt.data["units"]],
    "activate": lambda state, prompt, side: [{"unit": name} for name in prompt.data["units"]],
    "pass": lambda state, prompt, side: [{"side": state.active}],
    "claim": lambda state, prompt, side: [{"zone": zone} for zone in ZONES],
    "quadrant": lambda state, prompt, side: [{"quadrant": where} for where in QUADRANTS],
    "swap-mission": lambda state, prompt, side: swaps(state),
    "vp-token": lambda state, prompt, side: [
        {"unit": unit.id} for unit in state.standing() if unit.side != state.active
    ],
    "surge": lambda state, prompt, side: [{"take": True}, {"take": False}],
    "charge-result": lambda state, prompt, side: [{"success": True}, {"success": False}],
    "retreat-result": lambda state, prompt, side: [{"success": True}, {"success": False}],
    "ground": lambda state, prompt, side: [
        {"task": prompt.data["task"], "holds": holds} for holds in (True, False)
    ],
    "eliminate": lambda state, prompt, side: [
        {"side": prompt.data["loser"], "out": out} for out in (True, False)
    ],
    "roll": lambda state, prompt, side: [{}, {"keep": True}],
    "panic": lambda state, prompt, side: [
        {"test": prompt.data["test"], **more} for more in ({}, {"keep": True})
    ],
    "reroll": lambda state, prompt, side: [dict(one) for one in prompt.data["rerolls"]],
}
"""The commands with few forms; the generators below are added to them."""


def makes(*words: str) -> Callable[[Maker], Maker]:
    """A decorator that registers a generator of options for commands."""

    def known(maker: Maker) -> Maker:
        for word in words:
            MAKERS[word] = maker
        return maker

    return known


# -- set-up -----------------------------------------------------------------------------------


@makes("continue")
def go_on(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """A side continues; every side if the prompt is for nobody in particular."""
    which = {"test": prompt.data["test"]} if prompt.what == "test" else {}
    waiting = prompt.data.get("may_reroll", ())
    if len(waiting) > 1:  # TMG-RER-2: the active side lets the dice lie first
        yield {**which, "side": waiting[0]}
    elif which:
        yield which
    elif prompt.side is not None:
        yield {"side": prompt.side}
    else:
        yield {}
        if state.attack is None:
            yield from ({"side": one} for one in state.playing if one not in state.done)


@makes("terrain")
def terrain(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-SET-7; a random piece also says what a rolled 7 shall be (TMG-SET-11)."""
    for piece in prompt.data["pieces"]:
        yield {"piece": piece}
        yield {"piece": piece, "random": True}


@makes("deploy")
def deploy(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """One unit where the table has it, or to be put down next; or all of them (TMG-DEP-3)."""
    for name in prompt.data["units"]:
        yield {"unit": name}
        if planned(state, name) is not None:
            yield {"unit": name, "put": True}
    yield {"put": True} if state.plan else {}


@makes("join")
def join(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-ARM-13."""
    yield from ({"player": prompt.data["player"], "unit": name} for name in prompt.data["units"])


@makes("missions")
def mission_hands(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Hands of 6 with 11 and 12 among them (TMG-MODE-WOW-3)."""
    others = [card for card in numbers(MISSIONS) if card not in ALWAYS]
    for cards in combinations(others, HAND_OF_MISSIONS - len(ALWAYS)):
        for player in prompt.data["players"]:
            yield {"player": player, "cards": [*cards, *ALWAYS]}


@makes("reserve")
def reserves(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Every reserve that the mode allows (TMG-MODE-COK-13, TMG-MODE-SOS-10)."""
    names = list(prompt.data["units"])
    leaders = [name for name in names if state.unit(name).attachments]
    for count in range(len(names) + 1):
        for held in combinations(names, count):
            plain = {"side": prompt.side, "units": list(held)}
            if refused(state, {"do": "reserve", **plain}) is None:
                yield plain
            else:  # an attachment represents an NCU commander
                ways = ({**plain, "leader": leader} for leader in leaders if leader not in held)
                yield from (one for one in ways if refused(state, {"do": "reserve", **one}) is None)


@makes("mark")
def mark(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-MODE-FAB-3."""
    yield from ({"side": prompt.side, "unit": name} for name in prompt.data["units"])


@makes("mark-card")
def mark_card(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-MODE-FAB-4, TMG-MODE-FAB-5."""
    yield from ({"unit": prompt.data["unit"], "card": card} for card in prompt.data["cards"])


# -- the turn ---------------------------------------------------------------------------------


@makes("play")
def play(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """The tactics cards in the viewer's own hand; of paper, those that have their moment now."""
    for player in open_hands(state, side):
        yield from ({"player": player.id, "card": card} for card in each(player.hand))
        if player.paper:
            named = {"player": player.id, "card": PAPER_CARD}
            yield from ({**named, "name": name} for name in cards_now(state, player))


@makes("discard")
def discard(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """One card of the viewer's own hand; for several, use several commands or one with all."""
    for player in open_hands(state, side):
        if prompt.data.get("player", player.id) == player.id:
            yield from ({"player": player.id, "cards": [card]} for card in each(player.hand))


@makes("use-card")
def use_card(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-MODE-COK-5."""
    for player in state.players:
        if player.side == state.active:
            yield from ({"player": player.id, "card": card} for card in player.cards)


@makes("aim")
def aim(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Another target of a shot (TMG-RNG-7)."""
    now = state.attack
    if now is not None and now.to_shoot:
        yield from ({"target": target} for target in targets_left(state, now))


@makes("reveal", "lay-aside", "siege")
def hidden_card(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Mission and siege cards in the viewer's own hand."""
    for player in own_players(state, side):
        yield from ({"player": player.id, "card": card} for card in player.missions)


@makes("order")
def orders(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Orders named by the catalogue and not used this round (TMG-ORD-1)."""
    everybody: tuple[UnitState | NcuState, ...] = (*state.standing(), *state.ncus)
    for unit in (one for one in everybody if side in (None, one.side)):
        yield from ({"unit": unit.id, "order": order_word(name)} for name in known_orders(unit))


@makes("spent")
def spent(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """A token is kept, or spent: with what the dice then show (TMG-CON-4..7)."""
    yield {"take": False}
    task = next(one for one in state.tasks if one.id == prompt.data["task"])
    if "counted" not in prompt.data:
        yield {"take": True}
    elif task.number:
        for faces in combinations_with_replacement(range(1, 7), 2):
            yield from ({"take": True, "faces": [*faces], "d3": d3} for d3 in (1, 2, 3))
    else:
        yield from ({"take": True, "count": n} for n in range(counted_dice(state) + 1))


def swaps(state: GameState) -> Iterator[Choice]:
    """Every mission that may be replaced, with its replacements (TMG-MODE-DWW-7)."""
    for card in state.missions:
        yield from ({"out": card, "into": other} for other in state.reserve_missions)
    yield from ({"out": card} for card in state.reserve_missions)


@makes("grant")
def no_grant(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Where an effect gave a free action, none is performed after all."""
    if prompt.what == "grant":
        yield {"unit": prompt.data["unit"], "take": False}


@makes("free-action")
def free_action(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """The action that an effect gave to a unit (TMG-ACT-5), each with its targets."""
    unit = state.unit(prompt.data["unit"])
    for what in ACTIONS:
        ways = ways_to(state, unit, what)
        yield from ({"unit": unit.id, "action": what, **way} for way in ways)
    for piece in breakable(state):
        yield {"unit": unit.id, "action": "attack", "piece": piece}


@makes("action")
def action(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-ACT-1, each with its targets; a wall's arrows need the number on its card."""
    assert state.acting is not None
    yield {"action": "forgo"}
    if state.has_unit(state.acting.unit):
        unit = state.unit(state.acting.unit)
        for what in ACTIONS:
            yield from ({"action": what, **way} for way in ways_to(state, unit, what))
        yield from ({"action": "attack", "piece": piece} for piece in breakable(state))


def breakable(state: GameState) -> Iterator[str]:
    """The pieces of terrain that an attack may destroy (TMG-TER-19)."""
    pieces = table_of(state.table).terrain if state.table else ()
    return (piece.id for piece in pieces if piece.keywords & BREAKS)


def ways_to(state: GameState, unit: UnitState, what: str) -> Iterator[Choice]:
    """The targets (and weapons) of an action."""
    if what not in ("attack", "charge"):
        yield {}
        return
    ranged = (False, True) if what == "attack" else (False,)
    targets = [one.id for one in state.standing() if one.side != unit.side]
    targets += [wall.id for wall in state.walls if wall.standing]
    for far in ranged:
        kind: Choice = {"ranged": far} if what == "attack" else {}
        for named in weapons(unit, far):
            for target in targets:
                way: Choice = {"target": target, **kind, **named}
                turns = what == "attack" and not far and may_turn(state, unit.id)
                if turns and target in unit.engaged:  # TMG-MEL-3
                    yield from ({**way, "turned": turned} for turned in (True, False))
                elif what == "charge" and state.has_unit(target):
                    ways = charge_ways(state, unit.id, target)
                    yield from ({**way, **led(one, ways)} for one in ways or (None,))
                else:
                    yield way


def weapons(unit: UnitState, ranged: bool) -> list[Choice]:
    """The attacks of a kind between which a unit's player chooses (TMG-CARD-2); a single one needs
    no name."""
    fitting = [one.name for one in unit.attacks if one.ranged is ranged]
    return [{"weapon": name} for name in fitting] if len(fitting) > 1 else [{} for _ in fitting]


def led(way: Charge | None, ways: Sequence[Charge]) -> Choice:
    """The heading of a charge, where its player chooses between several ways (TMG-CHG-9)."""
    if way is None or way.heading is None or len(ways) < 2:
        return {}
    return {"heading": round(way.heading, 3)}


# -- other prompts ----------------------------------------------------------------------------


@makes("zone-effect")
def zone_effect(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-ZON-2..6, and what the mode offers instead."""
    yield {"skip": True}
    zone, standing = prompt.data["zone"], tuple(state.standing())
    if zone == "crown":
        yield from ({"unit": unit.id} for unit in standing)
    elif zone == "wealth":
        for unit in standing:
            frees = [{"token": token} for token in unit.tokens if len(unit.tokens) > 1] or [{}]
            yield from ({"unit": unit.id, **token} for token in frees)
            for heal in fewer_healed(unit):
                yield from ({"unit": unit.id, **token, "heal": heal} for token in frees)
    elif zone == "tactics":
        yield {}
        for unit in standing:
            yield from ({"unit": unit.id, "token": token} for token in CONDITIONS)
    elif zone == "combat":
        for unit in standing:
            if unit.side == prompt.side:
                yield from ({"unit": unit.id, **way} for way in ways_to(state, unit, "attack"))
                yield from ({"unit": unit.id, "piece": piece} for piece in breakable(state))
    elif zone == "maneuver":
        for unit in standing:
            yield from ({"unit": unit.id, "action": word} for word in ("maneuver", "retreat"))
    if play_of(state).zone_instead == "hits":
        yield from ({"instead": "hits", "unit": unit.id} for unit in standing)
    elif play_of(state).zone_instead == "missions":
        yield from ({"instead": "mission", **way} for way in swaps(state))


def fewer_healed(unit: UnitState) -> Iterator[int]:
    """How many wounds Wealth may heal instead of as many as it can (TMG-ZON-3); none only where it
    takes a token away."""
    most = min(MOST_HEALED, unit.wounds)
    yield from range(most - 1, -1 if unit.tokens else 0, -1)


@makes("place")
def place(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Place tokens and piles; choose which of several units claims a token."""
    task = {"task": prompt.data["task"]}
    if prompt.what == "claim-token":
        yield from ({**task, "unit": name} for name in prompt.data["units"])
    elif prompt.what == INHERIT:
        yield {**task, "unit": prompt.data["unit"]}
    else:
        yield task
    if prompt.what in ("pile", INHERIT):
        yield {**task, "skip": True}


# -- the end of a round -----------------------------------------------------------------------


@makes("score")
def score(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """TMG-RND-13."""
    yield {"confirm": True}
    yield from ({"drop": number} for number in range(1, len(state.proposals) + 1))


@makes("objective")
def objective(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Another holder of each token than it has, or none, as the players see it."""
    for token in state.tokens:
        if token.holder:
            yield {"token": token.id}
        for unit in state.standing():
            if unit.id != token.holder:
                yield {"token": token.id, "unit": unit.id}


@makes("mission")
def mission(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """Missions that a side may have fulfilled: open ones, and its own secret ones."""
    secret = [card for player in own_players(state, side) for card in player.missions]
    for who in state.playing:
        for card in each((*state.missions, *(secret if who == side else ()))):
            yield from ({"side": who, "mission": card, "vp": vp} for vp in MISSION_VP)


@makes("quadrants")
def quadrants(state: GameState, prompt: Pending, side: str | None) -> Iterator[Choice]:
    """The quadrants of the units, one by one (TMG-MODE-HWS-5)."""
    for unit in state.standing() if play_of(state).quadrants else ():
        yield from ({"unit": unit.id, "quadrant": where} for where in QUADRANTS)
