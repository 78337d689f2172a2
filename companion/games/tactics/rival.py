"""The rival of Tactics: what a battle is worth to a squad, and the lines it thinks of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from companion.games.api.play import Accepted, Plain
from companion.games.api.prompt import Fact
from companion.games.api.rival import Line, LineText, Rival, Temper, asked, in_turns
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAttack, effect_name
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.defence import attack_question, extra_dice
from companion.games.tactics.play.flow import running_question
from companion.games.tactics.play.prompts import actions
from companion.games.tactics.play.state import (
    ROUND,
    FigureInPlay,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.play.walked_way import told_way
from companion.games.tactics.rules.attack_odds import (
    FigureOdds,
    PaidOption,
    attack_odds,
    priced_odds,
    with_effects,
)
from companion.games.tactics.rules.contact import attack_refusal
from companion.games.tactics.rules.movement import MoveOptions, gap, move_ends
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.position import BattlePosition, BoardFigure, moved
from companion.games.tactics.rules.space_effects import (
    FIRE,
    LOOT_GAINS,
    LOOT_MARKS,
    OBJECTIVE,
    controlled,
    marked,
    reaches_loot,
    space_effects,
    takeable,
)
from models.board import Cell, cell_text, parse_cell
from models.message import joined, say

WORTH = {"hero": 2.5, "character": 2.0, "soldier": 1.0}
"""A figure in points of victory, by its kind."""
SILVER, GOLD = 0.06, 0.09
SPARE, SHORT = 0.005, 0.8
"""A copper star that no figure needs to act this round, and one that is missing for that: they come
back when the round ends (TAC-COI-4, -5)."""
ITEM = 0.15
"""A piece of equipment that is used up."""
NEAR = 0.12
"""A space nearer to an objective that nobody of the squad holds, to loot, or to an enemy."""
LOST = 4
"""So far at least is loot that an enemy takes first."""
EXPOSED, AFTER = 0.35, 0.5
"""The share of what may be lost next that is thought to be lost; and how much of that by those who
have acted in this round."""
FAR = 7
"""How far bows are thought to reach, their step among it."""
MOST_PLACES = 5
"""After how many ends of a first move the second action is looked at."""
MOST_LINES = 4
"""How many lines of one figure are looked at closely."""


class TacticsRival(Rival[SkirmishState]):
    """Tactics; `games/api/rival.py` documents the methods."""

    games = (GAME_NAME,)
    play = PLAY
    slips = 4.0
    guessed = 4
    seconds = 0.26

    # -- values ----------------------------------------------------------------------------------

    def worth(self, state: SkirmishState, side: str, temper: Temper) -> float:
        foe = state.other(side)
        position = battle_position(state)
        left = max(1, state.scenario.rounds - state.round + 1)
        own, enemy = state.squad(side), state.squad(foe)
        goals = holding(position, side, left) - holding(position, foe, left)
        taken = 0.4 * left * (state.captives(side) - state.captives(foe))
        coins = coins_worth(state, side, own.coins)
        armies = temper.safety * standing(state, side) - temper.harm * standing(state, foe)
        ready = {one.id for one in state.figures if not one.activated}
        threats = temper.harm * exposed(position, foe, ready)
        threats -= temper.safety * exposed(position, side, ready)
        return own.vp - enemy.vp + temper.goals * goals + taken + armies + coins + EXPOSED * threats

    # -- lines -----------------------------------------------------------------------------------

    def lines(self, state: SkirmishState, side: str) -> Iterator[Line]:
        options = asked(self.play, state, side)
        if state.tasks and state.tasks[0].kind == "attack-roll":
            yield Line((paid_or_rolled(state, options),))
            return
        if state.tasks or state.phase != ROUND:
            yield from (Line((one,)) for one in options)
            return
        if state.acting is not None:
            rest = [one for one in options if one["do"] not in ACTED]
            yield from (Line((one,), -0.5) for one in rest)
            yield from acting_lines(state, ())
            return
        begins = [one for one in options if one["do"] == "activate"]
        yield from (Line((one,), -0.5) for one in options if one not in begins)
        yield from in_turns(self.activation(state, one) for one in begins)

    def activation(self, state: SkirmishState, command: Plain) -> Iterator[Line]:
        """What a figure may do if it is activated now."""
        decision = self.play.decide(state, command)
        if isinstance(decision, Accepted) and decision.after.acting is not None:
            yield from acting_lines(decision.after, (command,))

    def first_action(self, commands: tuple[Plain, ...]) -> tuple[Plain, ...]:
        return commands[: 2 if commands[0]["do"] == "activate" else 1]

    def closing(self, state: SkirmishState, side: str) -> Sequence[Plain]:
        now = state.acting
        spent = now is not None and not now.ap and state.figure(now.figure).side == side
        return ({"do": "end"},) if spent and not self.busy(state) else ()

    # -- words -----------------------------------------------------------------------------------

    def told(self, state: SkirmishState, commands: Sequence[Plain]) -> LineText:
        by = {one["do"]: one for one in commands}
        who = str(by["activate"]["figure"]) if "activate" in by else ""
        who = who or (state.acting.figure if state.acting is not None else "")
        last = commands[-1]
        if state.tasks or not who or last["do"] in ANSWERS:
            return told_answer(state, last)
        name = state.figure(who).name
        step = by.get("charge") or by.get("move")
        cell = parse_cell(step["to"]) if step and step.get("to") else None
        strike = by.get("charge") or by.get("attack")
        target = str(strike["target"]) if strike else ""
        foe = state.figure(target).name if target else ""
        where = place(battle_position(state), cell, who) if cell else ""
        if "charge" in by:
            text = say("{figure} charges {foe}, to {place}.", figure=name, foe=foe, place=where)
        elif cell and foe:
            text = say(
                "{figure} goes to {place} and attacks {foe}.", figure=name, place=where, foe=foe
            )
        elif cell and last["do"] == "loot":
            text = say("{figure} goes to {place} and takes the loot.", figure=name, place=where)
        elif cell:
            text = say("{figure} goes to {place}.", figure=name, place=where)
        elif foe:
            text = say("{figure} attacks {foe}.", figure=name, foe=foe)
        elif last["do"] == "loot":
            text = say("{figure} takes the loot.", figure=name)
        else:
            text = say("{figure} ends its activation.", figure=name)
        return LineText(text, who, target, cell)

    def facts(self, state: SkirmishState, commands: Sequence[Plain]) -> Sequence[Fact]:
        told, position = self.told(state, commands), battle_position(state)
        found: list[Fact] = []
        last = commands[-1]
        if last["do"] == "fate":
            return [*fate_facts(state, state.figure(told.piece).side, last)]
        if told.piece not in position.by_id or (state.tasks and not told.cell):
            return found
        figure = position.by_id[told.piece]
        if told.cell:
            position = moved(position, figure, told.cell)
            figure = position.by_id[figure.id]
        if told.target:
            foe = position.by_id[told.target]
            odds = odds_of(state, position, figure, foe, commands)
            if odds is not None:
                text = say("{n:.1f} wounds on average", n=float(odds.mean))
                found.append(Fact(text, "good"))
                found += paid_facts(commands)
                if odds.left_known:
                    found.append(Fact(say("Chance to defeat it"), "good", float(odds.destroys)))
        if last["do"] == "loot":
            cell = parse_cell(str(last["cell"]))
            kinds = (word for word in state.board.marks.get(cell, ()) if word in LOOT_GAINS)
            found += [Fact(LOOT_GAINS[kind], "good") for kind in kinds]
        if held := len(controlled(position, figure)):
            text = say("It holds {n} objective", "It holds {n} objectives", n=held)
            found.append(Fact(text, "good"))
        if told.cell and not told.target and not held:
            found += aim_facts(state, position, figure)
        ready = [one.id for one in state.of(state.other(figure.side)) if not one.activated]
        foes = [one for one in position.enemies(figure) if one.id in ready]
        near = sum(reaches(position, one, figure) for one in foes)
        count = say(
            "{n} enemy can still reach and attack it this round",
            "{n} enemies can still reach and attack it this round",
            n=near,
        )
        safe = say("No enemy can still reach and attack it this round")
        found.append(Fact(count, "bad") if near else Fact(safe, "good"))
        return found


def coins_worth(state: SkirmishState, side: str, coins: Coins) -> float:
    """What so many coins are good for: those that figures need to act, and the others."""
    ready = sum(one.fate in ("board", "waiting") and not one.activated for one in state.of(side))
    spare = coins.copper - ready
    return SILVER * coins.silver + GOLD * coins.gold + (SPARE if spare > 0 else SHORT) * spare


def promised(
    state: SkirmishState, side: str, foe: FigureInPlay, odds: FigureOdds, left: Coins
) -> float:
    """What an attack promises, with the coins that are left when it is paid for."""
    return gained(odds, foe.kind, foe.left) + coins_worth(state, side, left)


def paid_or_rolled(state: SkirmishState, options: Sequence[Plain]) -> Plain:
    """Before the dice of an attack: the effect that promises more than its coins are worth, by the
    exact odds, else the roll (TAC-ATK-6)."""
    attack = state.attack
    assert attack is not None
    side, foe = state.figure(attack.attacker).side, state.figure(attack.target)

    def value(after: SkirmishState) -> float:
        assert after.attack is not None
        odds = attack_odds(running_question(after, after.attack))
        return promised(after, side, foe, odds, after.squad(side).coins)

    best: Plain = {"do": "roll"}
    most = value(state)
    for one in options:
        decision = PLAY.decide(state, one) if one["do"] == "announce" else None
        if isinstance(decision, Accepted):
            found = value(decision.after) - (ITEM if "item" in one else 0.0)
            best, most = (one, found) if found > most else (best, most)
    return best


def paid_charge(state: SkirmishState, there: BattlePosition, command: Plain) -> Plain:
    """A charge with the effects that promise more than their coins are worth (TAC-CHG-7)."""
    now = state.acting
    assert now is not None
    figure, foe = state.figure(now.figure), state.figure(str(command["target"]))
    attack = next((one for one in figure.card.attacks if one.name == command.get("attack")), None)
    if attack is None or not attack.effects:
        return command
    coins = state.squad(figure.side).coins
    question = attack_question(state, there, figure, foe, attack, charge=True)
    odds = priced_odds(question, attack.effects, coins - attack.spend)

    def value(option: PaidOption) -> float:
        return promised(state, figure.side, foe, option.odds, coins - option.price)

    best = max(odds.options, key=value)  # to pay nothing is the first of them
    return {**command, "effects": [one.name for one in best.effects]} if best.effects else command


def paid_facts(commands: Sequence[Plain]) -> Iterator[Fact]:
    """That coins are paid with a line, and for what."""
    for effects in (one["effects"] for one in commands if one.get("effects")):
        yield Fact(say(PAYS, effects=joined([effect_name(str(one)) for one in effects])))


def fate_facts(state: SkirmishState, side: str, command: Plain) -> Iterator[Fact]:
    """What speaks for taking a figure of this side captive: a point in each round (TAC-END-3)."""
    taker = state.other(side)
    if command["choose"] != "kill" and state.captives(taker) >= state.captives(side):
        text = say("The most captives bring 1 victory point at the end of each round")
        yield Fact(text, "good")


def aim_facts(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[Fact]:
    """To what a figure has come nearer by its move: an objective, an enemy."""
    start = state.figure(figure.id).cell

    def left(cells: Sequence[Cell]) -> int:
        """How far the nearest of them is, if it is nearer than before; else 0."""
        now, cell = min(((away(figure.cell, one), one) for one in cells), default=(0, figure.cell))
        return now if start and now < away(start, cell) else 0

    if n := left(marked(position.field, OBJECTIVE)):
        text = say("{n} space from an objective", "{n} spaces from an objective", n=n)
        yield Fact(text, "good")
    elif n := left([one.cell for one in position.enemies(figure)]):
        text = say("{n} space from the nearest enemy", "{n} spaces from the nearest enemy", n=n)
        yield Fact(text, "good")


def reaches(position: BattlePosition, figure: BoardFigure, foe: BoardFigure) -> bool:
    """Whether a figure may attack another in one activation, where it stands or after a move."""
    if strikes(position, figure, foe):
        return True
    ends = () if figure.frozen else move_ends(position, figure)  # it has one action (TAC-STA-3)
    ways = (moved(position, figure, cell) for cell in ends)
    return any(strikes(way, way.by_id[figure.id], foe) for way in ways)


def standing(state: SkirmishState, side: str) -> float:
    """What the figures of a squad are worth: each as it stands, less its wounds."""
    return sum(
        WORTH.get(one.kind, 1.5) * (0.5 + 0.5 * one.left / one.health)
        for one in state.of(side)
        if one.fate in ("board", "waiting")
    )


def holding(position: BattlePosition, side: str, rounds: int) -> float:
    """Objectives that a squad holds or comes near to; enemies that it comes near to."""
    mine = [one for one in position.figures if one.side == side]
    total, held = 0.0, set[Cell]()
    for figure in mine:
        cells = controlled(position, figure)
        held |= set(cells)
        total += 0.6 * rounds * bool(cells)
        foes = [gap(figure, one) for one in position.enemies(figure)]
        total -= 0.3 * NEAR * min(foes, default=0)
    for cell in marked(position.field, OBJECTIVE, *LOOT_MARKS):
        if cell not in held:
            near = min((away(one.cell, cell) for one in mine), default=20)
            total -= NEAR * (max(near, LOST) if taken_first(position, side, cell) else near)
    return total


def taken_first(position: BattlePosition, side: str, cell: Cell) -> bool:
    """Whether an enemy need only reach out for the loot on a space (TAC-LOT-2): who comes nearer
    now comes too late."""
    if not set(LOOT_MARKS).intersection(position.field.board.marks[cell]):
        return False
    foes = (one for one in position.figures if one.side != side)
    return any(reaches_loot(position, one, cell) for one in foes)


def away(one: Cell, two: Cell) -> int:
    """Spaces between two cells."""
    return max(abs(one[0] - two[0]), abs(one[1] - two[1]))


def exposed(position: BattlePosition, side: str, ready: Collection[str]) -> float:
    """What a squad may lose to enemies who can come and strike: their dice against its defence.
    Those who are not ready strike in the next round."""
    total = 0.0
    for figure in position.figures:
        if figure.side != side:
            continue
        left = max(1, (figure.health or 1) - figure.wounds)
        falls = min(0.9, ((figure.defence or 6) - 1) / 10)  # the share of hits that wound
        wounds = sum(
            max(one.dice * (11 - one.hit) / 10 for one in foe.attacks)
            * falls
            * (1.0 if foe.id in ready else AFTER)
            for foe in position.enemies(figure)
            if foe.attacks and away(foe.cell, figure.cell) <= reach_of(foe)
        )
        total += WORTH.get(figure.kind, 1.5) * min(1.0, wounds / (2 * left))
    return total


def reach_of(figure: BoardFigure) -> int:
    """How far a figure may strike in its next activation, roughly."""
    return FAR if figure.ranged is not None else figure.spaces + 1


def strikes(position: BattlePosition, figure: BoardFigure, foe: BoardFigure) -> bool:
    """Whether a figure may attack another where both stand."""
    return any(not attack_refusal(position, figure, foe, one) for one in figure.attacks)


def odds_with(
    state: SkirmishState,
    position: BattlePosition,
    two: tuple[BoardFigure, BoardFigure],
    attack: CardAttack,
    charge: bool,
    paid: Sequence[str] = (),
) -> FigureOdds:
    """The odds of an attack of the first on the second, what friends add to the defence and what
    is paid for counted."""
    figure, foe = (state.figure(one.id) for one in two)
    question = attack_question(state, position, figure, foe, attack, charge)
    return attack_odds(with_effects(question, [one for one in attack.effects if one.name in paid]))


def best_odds(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    foe: BoardFigure,
    charge: bool = False,
) -> FigureOdds | None:
    """The odds of the figure's best attack against another; None if it has none."""
    odds = [
        odds_with(state, position, (figure, foe), one, charge)
        for one in figure.attacks
        if charge or not attack_refusal(position, figure, foe, one)
    ]
    return max(odds, key=lambda one: one.mean, default=None)


def odds_of(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    foe: BoardFigure,
    commands: Sequence[Plain],
) -> FigureOdds | None:
    """The odds of the attack that a line names, else of the figure's best one."""
    strike = next(one for one in commands if one["do"] in ("attack", "charge"))
    charge = strike["do"] == "charge"
    for attack in figure.attacks:
        if attack.name == strike.get("attack"):
            paid = strike.get("effects", ())
            return odds_with(state, position, (figure, foe), attack, charge, paid)
    return best_odds(state, position, figure, foe, charge)


def acting_lines(state: SkirmishState, begun: tuple[Plain, ...]) -> list[Line]:
    """What the acting figure may do: strike, charge, take loot, go, or go and do more."""
    now, position = state.acting, battle_position(state)
    assert now is not None
    figure = position.by_id[now.figure]
    aims = marked(position.field, OBJECTIVE, *LOOT_MARKS)
    here = standpoint(position, figure, figure.cell, aims)
    lines: list[Line] = []
    places: list[Line] = []
    for command in actions(state):
        do, cell = command["do"], parse_cell(command["to"]) if "to" in command else None
        if cell and falls(position, figure, cell):
            continue
        line = (*begun, command)
        gain = standpoint(position, figure, cell, aims) - here if cell else 0.0
        if do in ("attack", "charge"):
            there = moved(position, figure, cell) if cell else position
            if cell:
                line = (*begun, paid_charge(state, there, command))
            foe, mine = there.by_id[command["target"]], there.by_id[figure.id]
            lines.append(Line(line, gain + worth(state, there, mine, foe, do == "charge")))
        elif do == "loot":
            lines.append(Line(line, 1.0))
        elif do == "move":
            done = line if now.ap > 1 else (*line, {"do": "end"})
            places.append(Line(done, gain))
        elif do == "end":
            lines.append(Line(line, -0.3 if begun else 0.0))
    places.sort(key=lambda one: -one.guess)
    for first in places[:MOST_PLACES] if now.ap > 1 else ():
        there = moved(position, figure, parse_cell(first.commands[-1]["to"]))
        lines += second_lines(state, there, figure, first, here, aims)
    lines += places[:MOST_LINES]
    lines.sort(key=lambda one: -one.guess)
    return lines[:MOST_LINES]


def falls(position: BattlePosition, figure: BoardFigure, cell: Cell) -> bool:
    """Whether the fire on a space takes the last wound of who goes there (TAC-TER-17)."""
    left = (figure.health or 1) - figure.wounds
    return left <= 1 and FIRE in space_effects(position, cell)


def second_lines(
    state: SkirmishState,
    position: BattlePosition,
    acting: BoardFigure,
    line: Line,
    before: float,
    aims: Sequence[Cell],
) -> Iterator[Line]:
    """A move with what may follow it: another one, never back, loot, or an attack."""
    figure = position.by_id[acting.id]
    ends = {
        cell: standpoint(position, figure, cell, aims)
        for cell in move_ends(position, figure, MoveOptions())
        if cell != acting.cell and not falls(position, figure, cell)
    }
    best = max(ends, key=lambda cell: ends[cell], default=None)
    if best is not None:
        again = ({"do": "move", "to": cell_text(best)}, {"do": "end"})
        yield Line((*line.commands, *again), ends[best] - before)
    for cell in takeable(position, figure):
        loot = {"do": "loot", "cell": cell_text(cell)}
        yield Line((*line.commands, loot), line.guess + 1.0)
    for foe in position.enemies(figure):
        for attack in figure.attacks:
            cheap = attack.ap == 1 and not attack.spend
            if cheap and not attack_refusal(position, figure, foe, attack):
                strike = {"do": "attack", "target": foe.id, "attack": attack.name}
                gain = line.guess + worth(state, position, figure, foe, False)
                yield Line((*line.commands, strike), gain)


def standpoint(
    position: BattlePosition, figure: BoardFigure, cell: Cell, aims: Sequence[Cell]
) -> float:
    """How well a figure would stand: on an objective, near one or near loot, near enemies."""
    cells = figure.cells_at(cell)
    held = sum(OBJECTIVE in position.field.board.marks[one] for one in aims if one in cells)
    near = min((away(cell, one) for one in aims), default=0)
    foes = min((away(cell, one.cell) for one in position.enemies(figure)), default=0)
    return 0.8 * held - NEAR * (near + 0.3 * foes)


def worth(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    foe: BoardFigure,
    charge: bool,
) -> float:
    """What an attack promises, in points of victory."""
    odds = best_odds(state, position, figure, foe, charge)
    return gained(odds, foe.kind, foe.health or 1) if odds is not None else 0.0


def gained(odds: FigureOdds, kind: str, health: int) -> float:
    """What the wounds of an attack are worth against a figure of this kind."""
    full = WORTH.get(kind, 1.5)
    hurt = float(odds.mean) * 0.5 * full / max(1, health)
    return hurt + 0.5 * full * float(odds.destroys if odds.left_known else 0)


ACTED = ("move", "attack", "charge", "wait", "dismount")
"""What an acting figure does that its lines know already, or that nothing speaks for: who gets off
a horse by choice is slower and no stronger."""
PAYS = say("Before the roll that takes coins for {effects}.")
ANSWERS = {
    "pass": say("{player} passes."),
    "agenda": say("{player} has chosen an agenda."),
    "deployed": say("{player} has deployed."),
    "continue": say("{player} goes on."),
    "defend": say("{figure} defends without coins."),
    "deploy": say("{figure} deploys at {place}."),
    "surge": say("{figure} surges to {place}."),
    "flank": say("{figure} goes through {place}."),
    "way": say("{figure} has come this way: {way}."),
    "free": say("{figure} is free and stands at {place}."),
    "dismount": say("{figure} dismounts at {place}."),
    "motivation": say("{figure} pays for the motivation {name}."),
    "no-motivation": say("{player} pays for no motivation."),
}


def told_answer(state: SkirmishState, command: Plain) -> LineText:
    """A line beside the acting figure: an answer to what is asked, or a figure deployed."""
    acting = state.acting.figure if state.acting is not None else ""
    who = str(command.get("figure") or (state.tasks[0].figure if state.tasks else acting))
    cell = parse_cell(command["to"]) if command.get("to") else None
    target = state.tasks[0].data.get("target", "") if command["do"] == "strike" else ""
    asked = str(command.get("side", "")) or next(iter(RIVAL.waits(state)), "")
    about = {
        "player": state.squad(asked).player if asked else "",
        "figure": state.figure(who).name if who else "",
        "place": place(battle_position(state), cell, who) if cell else "",
        "name": str(command.get("name", "")),
        "way": told_way(state, command["path"]) if command["do"] == "way" else "",
        "effects": joined([effect_name(str(one)) for one in command.get("effects", ())]),
    }
    if state.attack is not None and "dice" in command:
        dice = extra_dice(state, state.attack)[: int(command["dice"])]
        about["effects"] = joined([effect_name(one.name) for one in dice])
    text = ANSWERS.get(str(command["do"]), "")
    match command:
        case {"do": "fate", "choose": "kill"}:
            text = say("{figure} is killed.")
        case {"do": "fate"}:
            text = say("{player} takes {figure} captive.")
        case {"do": "announce", "effects": _} | {"do": "announce", "dice": _}:
            text = PAYS
        case {"do": "defend", "ability": ability}:
            text = say("{figure} defends and pays for {effects}.")
            about["effects"] = str(ability)
        case {"do": "defend", "effects": _}:
            text = say("{figure} defends and pays for {effects}.")
        case {"do": "set-die", "face": face}:
            text = say("{player} sets the {n}.")
            about["n"] = str(face)
        case {"do": "set-die"}:
            text = say("{player} sets no die.")
        case {"do": "strike"}:
            text = say("{figure} attacks {foe}.")
            about["foe"] = state.figure(target).name
        case {"do": "zone", "zone": "gold"}:
            text = say("{player} takes the golden zone.")
        case {"do": "zone"}:
            text = say("{player} takes the silver zone.")
        case {"do": "start-marker"}:
            text = say("{player} gets the start marker.")
        case {"do": "leaf", "pit": pit}:
            text = (
                say("The leaf pile is a stake pit.") if pit else say("The leaf pile is harmless.")
            )
    return LineText(say(text[:], **about) if text else "", who, target, cell)


RIVAL = TacticsRival()
