"""What a battle waits for, from whom, and the commands that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.games.api.play import Pending, Plain
from companion.games.shared.command_play import Commands, PromptCommands, prompt_options
from companion.games.westeros.cards.unit_cards import MOST_CAPTURE
from companion.games.westeros.combat.die import MORALE, SYMBOLS
from companion.games.westeros.play.context import symbols_of
from companion.games.westeros.play.draw_flow import UNITS, open_draws
from companion.games.westeros.play.skirmish_flow import (
    choice_problem,
    next_units,
    overlay_cells,
    place_cells,
)
from companion.games.westeros.play.state import (
    CHOOSE,
    DRAW,
    OVER,
    OVERLAYS,
    PLACE,
    REACTIVATION,
    BattleTask,
    OrderTurn,
    UnitInBattle,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.play.turn_commands import cards_in_play, tactic_rule, token_refusal
from companion.games.westeros.rules.attack_options import attack_refusals, hound_refusals
from companion.games.westeros.rules.fire import fires_beside, scorch_cells
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from models.board import Cell, cell_text, parse_cell
from models.frozen_records import IdentityCache
from models.message import joined, say

TURN_WORDS = ("order", "morale", "card", "pass")
ACT_WORDS = ("move", "attack", "hounds", "scorch", "fight-fire", "end-turn")


def pending(state: WesterosState) -> Sequence[Pending]:
    """Everything the game waits for now, most urgent first."""
    return tuple(asked for asked, _ in waiting(state))


def options(state: WesterosState, side: str | None = None) -> Sequence[Plain]:
    """For each prompt the complete commands that answer it; secrets for their owner only."""
    return prompt_options(waiting(state), side, secret=CHOOSE)


def every_prompt(state: WesterosState) -> Iterator[PromptCommands]:
    if state.phase == OVER:
        return
    if state.tasks:
        yield task_prompt(state, state.tasks[0])
        return
    match state.phase:
        case "choose":
            yield from choose_prompts(state)
        case "draw":
            yield from draw_prompts(state)
        case "overlays":
            yield overlay_prompt(state)
        case "place":
            yield place_prompt(state)
        case "reactivation":
            text = say("the armies stand: begin round 1")
            yield Pending(REACTIVATION, text, None, ("begin",)), [{"do": "begin"}]
        case _:
            yield turn_prompt(state) if state.acting is None else act_prompt(state, state.acting)


waiting = IdentityCache(lambda state: tuple(every_prompt(state)), 16)
"""Every prompt with its commands, worked out once for each state."""


# -- skirmish set-up -------------------------------------------------------------------------------


def choose_prompts(state: WesterosState) -> Iterator[PromptCommands]:
    """Each player chooses commanders, secretly (BOW-SKM-4)."""
    assert state.skirmish is not None
    for house in state.houses:
        if house.chosen is None:
            names = [one.id for one in state.skirmish.of(house.side)]
            commands: Commands = []
            for count in range(1, state.skirmish.commanders + 1):
                for chosen in combinations(names, count):
                    if not choice_problem(state, house.side, chosen):
                        about = {"do": "commanders", "side": house.side}
                        commands.append({**about, "choose": list(chosen)})
            text = say("{player} chooses commanders", player=house.player)
            yield Pending(CHOOSE, text, house.side, ("commanders",)), commands


def draw_prompts(state: WesterosState) -> Iterator[PromptCommands]:
    """Each house draws set-up cards, then the mace is drawn (BOW-SKM-7, BOW-SKM-8, BOW-SKM-14)."""
    for one in open_draws(state):
        player = state.house(one.side).player
        text = say(
            "{player} shuffles the other set-up cards and draws {n} for terrain",
            player=player,
            n=one.count,
        )
        if one.what == UNITS:
            text = say(
                "{player} shuffles the set-up cards that are left and draws {n} for units",
                player=player,
                n=one.count,
            )
        data = {"draws": one.what, "n": one.count, "cards": list(one.cards)}
        commands: Commands = [{"do": "draw", "side": one.side}]
        yield Pending(DRAW, text, one.side, ("draw",), data), commands
    if not any(open_draws(state)):
        sides: Commands = [{"do": "mace", "side": one} for one in state.sides]
        text = say("draw who has the mace")
        yield Pending("mace", text, None, ("mace",)), [*sides, {"do": "mace"}]


def overlay_prompt(state: WesterosState) -> PromptCommands:
    house = state.house(state.active)
    cells = overlay_cells(state, house.side)
    commands: Commands = [
        {"do": "overlay", "terrain": word, "to": cell_text(cell)}
        for word in dict.fromkeys(house.overlays)
        for cell in cells
    ]
    text = say("{player} places an overlay", player=house.player)
    return Pending(OVERLAYS, text, house.side, ("overlay",)), commands


def overlay_hex_prompt(state: WesterosState, task: BattleTask) -> PromptCommands:
    """Where the chosen overlay lies."""
    word = task.data["terrain"]
    commands: Commands = [
        {"do": "overlay", "terrain": word, "to": cell_text(cell)}
        for cell in overlay_cells(state, task.side)
    ]
    text = say("{overlay}: tap the hex on which it lies", overlay=TERRAIN_WORDS[word])
    return Pending(task.kind, text, task.side, ("overlay",), task.data), commands


def place_prompt(state: WesterosState) -> PromptCommands:
    house = state.house(state.active)
    commands: Commands = [
        {"do": "place", "unit": unit.id, "to": cell_text(cell)}
        for unit in next_units(state, house.side)
        for cell in place_cells(state, unit)
    ]
    text = say("{player} places a unit", player=house.player)
    return Pending(PLACE, text, house.side, ("place",)), commands


# -- turns -----------------------------------------------------------------------------------------


def turn_prompt(state: WesterosState) -> PromptCommands:
    """A turn: a token, a card, or pass (BOW-RND-11)."""
    house = state.house(state.active)
    commands: Commands = []
    kinds = list(dict.fromkeys(house.pool))
    for unit in state.of(house.side):
        if unit.on_field and unit.active:
            commands += order_commands(state, unit, kinds)
    if MORALE in house.pool:
        commands.append({"do": "morale", "use": "raise"})
        commands += [
            {"do": "morale", "use": "reactivate", "unit": one.id}
            for one in state.of(house.side)
            if one.on_field and not one.active
        ]
    commands += card_commands(state)
    commands.append({"do": "pass"})
    text = say("{player}: use a token, play a card, or pass", player=house.player)
    if len(commands) == 1:
        text = say("{player} can order nobody: pass", player=house.player)
    return Pending("turn", text, house.side, TURN_WORDS), commands


def order_commands(state: WesterosState, unit: UnitInBattle, kinds: list[str]) -> Commands:
    """The tokens that order a unit: one that fits, else two alike (BOW-ORD-9)."""
    single = [(one,) for one in kinds if not token_refusal(state, unit, (one,))]
    double = [
        (one, one)
        for one in kinds
        if (one,) not in single and not token_refusal(state, unit, (one, one))
    ]
    return [
        {"do": "order", "unit": unit.id, "tokens": list(tokens)} for tokens in (*single, *double)
    ]


def card_commands(state: WesterosState) -> Commands:
    """Every command card that a commander on the field may play; its units are named next."""
    house = state.house(state.active)
    leaders = [one for one in state.of(house.side) if one.commander and one.on_field]
    return [one for leader in leaders for one in leader_cards(state, leader)]


def leader_cards(state: WesterosState, leader: UnitInBattle) -> Commands:
    """The cards that a commander can pay for: entered ones, and one on paper at each price."""
    house = state.house(leader.side)
    if not house.hand or leader.commander is None:
        return []
    left = min(house.tokens, leader.commander.most_tokens - leader.tokens)
    free = state.readings.tactic_only == "yes"  # BOW-OR-33
    about = {"do": "card", "unit": leader.id, "ask": True}
    found: Commands = []
    for card in cards_in_play(state, leader.side):
        for costs in command_choices(card.costs):
            if sum(costs) > left or not (sum(costs) or free):
                continue
            paid = {} if costs == card.costs else {"tokens": list(costs)}
            if not tactic_rule(state, leader.side, card):
                found.append({**about, "card": card.id, **paid})
            if card.has_tactic:  # using it is not needed for the commands (BOW-CRD-11)
                found.append({**about, "card": card.id, **paid, "tactic": False})
    return found + [{**about, "tokens": [price]} for price in range(0 if free else 1, left + 1)]


def command_choices(costs: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Which commands of a card are used: all of them first, then fewer (BOW-CRD-2)."""
    numbers = range(len(costs), 0, -1)
    chosen = (one for number in numbers for one in combinations(costs, number))
    return list(dict.fromkeys(chosen)) or [()]


def moves_left(position: HexPosition, turn: OrderTurn) -> dict[str, list[Cell]]:
    """Where each ordered unit may still move: nowhere after the first attack (BOW-OPT-2)."""
    still = (one for one in turn.units if one not in (*turn.moved, *turn.acted))
    waiting = [one for one in still if one in position.by_id]
    ends = {
        one: sorted(ordered_ends(position, position.by_id[one]))
        for one in (() if turn.attacking else waiting)
    }
    return {one: cells for one, cells in ends.items() if cells}


def attacks_now(position: HexPosition, unit: BoardUnit) -> bool:
    """Whether a unit has an enemy to attack from where it stands."""
    return any(not attack_refusals(position, unit, one) for one in position.enemies(unit))


def act_prompt(state: WesterosState, turn: OrderTurn) -> PromptCommands:
    """What the ordered units may still do."""
    commands: Commands = []
    position = battle_position(state)
    moves = moves_left(position, turn)
    for unit_id in turn.units:
        unit = state.unit(unit_id)
        if not unit.on_field:
            continue
        mine, about = position.by_id[unit_id], {"unit": unit_id}
        commands += [
            {"do": "move", **about, "to": cell_text(cell)} for cell in moves.get(unit_id, ())
        ]
        if turn.done(unit_id) or unit_id in turn.no_attack:
            continue
        for enemy in position.enemies(mine):
            if not attack_refusals(position, mine, enemy):
                commands.append({"do": "attack", **about, "target": enemy.id})
            moved = unit_id in (*turn.moved, *turn.followed)
            if not moved and not hound_refusals(position, mine, enemy):
                commands.append({"do": "hounds", **about, "target": enemy.id})
        commands += fire_commands(position, mine, turn.fresh(unit_id))
    text = act_words(state, commands)
    commands.append({"do": "end-turn"})
    return Pending("act", text, turn.side, ACT_WORDS, {"units": list(turn.units)}), commands


def fire_commands(position: HexPosition, unit: BoardUnit, fresh: bool = True) -> Commands:
    """What a unit may do about fire instead of attacking (BOW-FIR-14, BOW-FIR-15, BOW-KEY-16)."""
    found: Commands = []
    if unit.cell in position.field.fire:
        found += [{"do": "fight-fire", "unit": unit.id}] if fresh else []
    elif unit.has("scorched-earth"):
        found += [
            {"do": "scorch", "unit": unit.id, "to": cell_text(cell), "ask": True}
            for cell in scorch_cells(position, unit)
        ]
    return found + [
        {"do": "fight-fire", "unit": unit.id, "to": cell_text(cell), "ask": True}
        for cell in fires_beside(position, unit)
    ]


def act_words(state: WesterosState, commands: Commands) -> str:
    """What the units that may still do something may do; nothing that they may not."""
    able = dict.fromkeys(one["unit"] for one in commands)
    names = ", ".join(state.unit(one).name for one in able)
    if not commands:
        return say("The ordered units have nothing left to do: end the turn")
    able_to = {ACT_VERBS.get(one["do"], ATTACK) for one in commands}
    what = joined([one for one in (MOVE, ATTACK, LAY_FIRE, FIGHT_FIRE) if one in able_to])
    return say("{units}: {what}, or end the turn", units=names, what=what)


MOVE, ATTACK = say("move"), say("attack")
LAY_FIRE, FIGHT_FIRE = say("lay a fire"), say("fight the fire")
ACT_VERBS = {"move": MOVE, "scorch": LAY_FIRE, "fight-fire": FIGHT_FIRE}
"""What ordered units may do, in the words of a sentence."""


# -- tasks -----------------------------------------------------------------------------------------


def task_prompt(state: WesterosState, task: BattleTask) -> PromptCommands:
    """What a running attack or phase waits for."""
    side, data = task.side, task.data
    player = state.house(side).player
    name = state.unit(task.unit).name if task.unit else ""
    commands: Commands = []
    match task.kind:
        case "overlay-hex":
            return overlay_hex_prompt(state, task)
        case "orders":
            text = say(
                "{player} rolls {n} order die",
                "{player} rolls {n} order dice",
                player=player,
                n=data["dice"],
            )
            return Pending(task.kind, text, side, ("orders",), data), [{"do": "orders"}]
        case "attack-roll":
            text = say("{unit} rolls {n} die", "{unit} rolls {n} dice", unit=name, n=data["dice"])
            return Pending(task.kind, text, side, ("roll",), data), [{"do": "roll"}]
        case "fire-roll":
            text = say("{unit} rolls {n} die", "{unit} rolls {n} dice", unit=name, n=data["dice"])
            if "place" in data:
                text = say("{told} for this hex: {place}", told=text, place=data["place"])
            return Pending(task.kind, text, side, ("roll",), data), [{"do": "roll"}]
        case "hound-roll":
            text = say("{unit} rolls the first die of the hounds", unit=name)
            return Pending(task.kind, text, side, ("roll",), data), [{"do": "roll"}]
        case "card-units":
            text = say(
                "{unit} plays {card}: name {n} unit at most",
                "{unit} plays {card}: name {n} units at most",
                unit=name,
                card=data["card"],
                n=data["most"],
            )
            near = data["units"]
            chosen = [near[: data["most"]], *([one] for one in near), []]
            commands = [{"do": "units", "units": one} for one in chosen]
            return Pending(task.kind, text, side, ("units",), data), commands
        case "reroll":
            text = say("{unit} attacks from the flank: re-roll one symbol?", unit=name)
            assert state.attack is not None
            shown = set(symbols_of(state.attack.faces))
            commands = [{"do": "reroll", "symbol": one} for one in SYMBOLS if one in shown]
            return Pending(task.kind, text, side, ("reroll",)), [{"do": "reroll"}, *commands]
        case "stalwart":
            text = say("{unit} is Stalwart: ignore the first morale symbol?", unit=name)
            commands = [{"do": "stalwart", "ignore": yes} for yes in (True, False)]
            return Pending(task.kind, text, side, ("stalwart",), data), commands
        case "capture-value":
            text = say("{unit}: which capture value does the card show?", unit=name)
            commands = [{"do": task.kind, "number": one + 1} for one in range(MOST_CAPTURE)]
            return Pending(task.kind, text, None, (task.kind,), data), commands
        case "retreat":
            text = say("{unit} retreats: which hex?", unit=name)
            commands = [{"do": "retreat", "to": cell} for cell in data["cells"]]
            return Pending(task.kind, text, side, ("retreat",), data), commands
        case "follow":
            text = say("{unit} may follow", unit=name)
            commands = [{"do": "follow", "to": cell} for cell in data["cells"]]
            return Pending(task.kind, text, side, ("follow",), data), [*commands, {"do": "follow"}]
        case "parting-blow":
            target = state.unit(data["target"]).name
            text = say("{unit}: a parting blow at {target}?", unit=name, target=target)
            burning = state.unit(task.unit).cell in hex_field(state).fire
            commands = [
                {"do": "parting-blow", "strike": yes}
                for yes in (True, False)
                if not (yes and burning)
            ]
            return Pending(task.kind, text, side, ("parting-blow",), data), commands
        case "counter":
            target = state.unit(data["target"]).name
            text = say("{unit}: counterattack {target}?", unit=name, target=target)
            commands = [{"do": "counterattack", "strike": yes} for yes in (True, False)]
            return Pending(task.kind, text, side, ("counterattack",), data), commands
        case "fire-level":
            where = place(battle_position(state), parse_cell(data["to"]))
            text = say("{place}: which fire level does the card give it?", place=where)
            levels = range(data["least"], data["most"] + 1)
            commands = [{"do": task.kind, "number": one} for one in levels]
            return Pending(task.kind, text, side, (task.kind,), data), commands
        case "direction":
            where = place(battle_position(state), parse_cell(data["cell"]))
            text = say("draw a direction marker for the fire: {place}", place=where)
            return Pending(task.kind, text, None, ("direction",), data), [{"do": "direction"}]
        case "keep":
            house = state.house(side)
            text = say("{player} keeps at most 1 token and 1 card", player=player)
            tokens = [*({"token": one} for one in dict.fromkeys(house.pool)), {}]
            cards: list[Plain] = [{}, {"cards": 0}] if house.hand else [{}]
            commands = [{"do": "keep", **one, **card} for card in cards for one in tokens]
            return Pending(task.kind, text, side, ("keep",)), commands
    text = say("{player} may rebuild morale", player=player)
    commands = [{"do": "rebuild", "yes": yes} for yes in (True, False)]
    return Pending(task.kind, text, side, ("rebuild",), data), commands
