"""What the acting figure may do besides attacks and Moves: ground, loot, abilities, waiting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.games.tactics.cards.figure_card import CardAbility
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.state import SkirmishState, battle_position, own_move
from companion.games.tactics.play.terrain_commands import beside_edge
from companion.games.tactics.rules.contact import reaches_element
from companion.games.tactics.rules.move_check import checked_double
from companion.games.tactics.rules.movement import MoveOptions, move_ends
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.space_effects import (
    LOOT_GAINS,
    LOOT_MARKS,
    controlled,
    takeable,
)
from companion.games.tactics.rules.way_words import end_words
from companion.games.tactics.screen.card_effects import priced_words
from models.board import Border, Cell, cell_text
from models.message import joined, say

LOOT_ROWS = {
    "purse": say("Take the purse"),
    "letter": say("Take the secret letter"),
    "loot": say("Take the loot"),
}
SELDOM = -3.0
"""What an action is worth that nobody is advised to take."""
ASKING = ("!", "?")
"""How the marks of spaces begin with which a figure interacts (TAC-TER-3, -4)."""


def other_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """Loot, abilities, equipment, dismounting, waiting, ending."""
    for cell in takeable(position, figure):
        command = {"do": "loot", "cell": cell_text(cell)}
        here = TargetCell(cell, (command,))
        kind = next(word for word in state.board.marks[cell] if word in LOOT_MARKS)
        told = joined([points_words(1), LOOT_GAINS[kind]])
        text = LOOT_ROWS[kind]
        offer = ActionOffer("coins", text, (command,), figure.id, cells=(here,), detail=told)
        yield replace(offer, value=1.5)
    yield from door_offers(state, position, figure)
    yield from element_offers(state, position, figure)
    yield from ability_offers(state, position, figure)
    if state.figure(figure.id).equipment == "healing-balm":
        yield ActionOffer("plus", say("Healing balm"), ({"do": "use"},), figure.id)
    if state.figure(figure.id).foot is not None:
        cells = tuple(
            TargetCell(cell, ({"do": "dismount", "to": cell_text(cell)},)) for cell in figure.cells
        )
        price = points_words(free_price(state)) or say("free action")
        yield ActionOffer("horse", say("Dismount"), (), figure.id, cells=cells, detail=price)
    told = points_words(1)
    yield ActionOffer("clock", say("Wait"), ({"do": "wait"},), figure.id, detail=told, value=-1)
    ends = ActionOffer("check", ending(state), ({"do": "end"},), figure.id, value=-2)
    yield replace(ends, closes=True)


def ending(state: SkirmishState) -> str:
    """What a figure ends: its activation, or the one action that it was granted (TAC-ABL-20)."""
    if state.granted is not None:
        return say("Give up the granted action")
    return say("End the activation")


def ability_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """What its card names; an order is given to a figure by a tap on it (TAC-ABL-8).

    Nobody must use one: without action points the end of the activation comes before them.
    """
    spent = state.acting is None or state.acting.ap < 1
    for ability in state.figure(figure.id).card.abilities:
        if ability.kind not in ("order", "action", "triggered") or ability.aftermath:
            continue
        command = {"do": "ability", "figure": figure.id, "ability": ability.name}
        aimed = ability.kind == "order" or ability.aimed
        near = position.targets_of(figure, ability) if aimed else []
        needy = [one for one in near if helped(ability, one)]
        vain = bool(near) and not needy
        near = needy or near  # first of all those whom it does good
        cells = tuple(
            TargetCell(
                cell, ({**command, "target": one.id},), detail=say("for {name}", name=one.name)
            )
            for one in near
            for cell in one.cells
        )
        told = priced_words(ability)
        if cells:
            told.append(say("tap the figure that it is for"))
        if vain:
            told.insert(0, say("nobody near it needs it now"))
        offer = ActionOffer(
            "star",
            ability.name,
            () if cells and ability.aimed else (command,),
            figure.id,
            figure.id if cells else "",  # its spaces count only once it is picked
            cells,
            odds=points_words(
                0 if ability.kind == "triggered" else ability.ap or free_price(state)
            ),
            detail=joined(told, "; "),
            value=SELDOM if spent or vain else 0,
        )
        yield offer


def helped(ability: CardAbility, figure: BoardFigure) -> bool:
    """Whether an ability does anything for a figure, as far as its numbers tell."""
    if not ability.changes_target or ability.deals:
        return True
    heals, calms = ability.heals and figure.wounds, ability.calms and figure.shaken
    return bool(heals or calms or (ability.gives and not getattr(figure, ability.gives)))


def free_price(state: SkirmishState) -> int:
    """What a free action costs now: each further one of an activation takes a point
    (TAC-ABL-13)."""
    return int(state.acting is not None and state.acting.free > 0)


def points_words(points: int) -> str:
    """The action points that an action costs, if it costs any."""
    return say("{n} action point", "{n} action points", n=points) if points else ""


DOORS = {
    "open": say("Open the door"),
    "close": say("Close the door"),
    "break": say("Break the door"),
}
DOOR_POINTS = {"open": 1, "close": 1, "break": 2}


def door_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """The doors next to it: opened, closed, or broken if they are locked (TAC-TER-9 to -12)."""
    near = [
        (one, what)
        for one in state.board.borders
        if (what := door_action(one)) and beside_edge(figure.cells, one.edge)
    ]
    for border, what in near:
        edge = [cell_text(cell) for cell in border.edge]
        command = {"do": "door", "edge": edge, "do_what": what}
        text = DOORS[what]
        if sum(other == what for _, other in near) > 1:
            behind = place(position, far_side(figure, border))
            text = say("{what}: {place}", what=text, place=behind)
        points = DOOR_POINTS[what]
        odds = say("{n} action point", "{n} action points", n=points)
        yield ActionOffer("lock", text, (command,), figure.id, odds=odds, value=SELDOM)


def door_action(border: Border) -> str:
    """What can be done with a door as it is; "" for a wall and for a broken door."""
    if border.kind == "door":
        return "close" if border.open else "open"
    return "break" if border.kind == "locked-door" and not border.open else ""


def far_side(figure: BoardFigure, border: Border) -> Cell:
    """The space behind a door, as the figure sees it."""
    middle = figure.cells[0]
    return max(border.edge, key=lambda one: abs(one[0] - middle[0]) + abs(one[1] - middle[1]))


def element_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """Elements that it interacts with, and the action of an objective it controls, for 1 action
    point; its page has the others (TAC-ACT-8, TAC-OBJ-5)."""
    odds = say("{n} action point", "{n} action points", n=1)
    for cell, name in elements(state, position, figure):
        named = {"name": name} if name else {}  # a mark without a name is called by its place
        command = {"do": "interact", "cell": cell_text(cell), **named}
        yield ActionOffer(
            "eye",
            say("Interact: {what}", what=name or place(position, cell, figure.id)),
            (command,),
            figure.id,
            figure.id,
            (TargetCell(cell, (command,)),),
            odds=odds,
            detail=say("as its sheet says"),
            value=SELDOM,
        )
    if controlled(position, figure):
        yield ActionOffer(
            "flag",
            say("Action of the objective"),
            ({"do": "objective"},),
            figure.id,
            odds=odds,
            detail=objective_words(state, position, figure),
            value=SELDOM,
        )


def objective_words(state: SkirmishState, position: BattlePosition, figure: BoardFigure) -> str:
    """Which card says what it is, where the companion has laid them (TAC-SET-5)."""
    cards = dict(state.objective_cards)
    laid = [cards[cell] for cell in controlled(position, figure) if cell in cards]
    if laid and state.paper:
        return joined(laid)
    if not laid:
        return say("as its card says")
    numbers = joined([one.removeprefix("O") for one in laid])
    return say(
        "objective card {n}: what it does stands on your card, the app does not know", n=numbers
    )


def elements(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[tuple[Cell, str]]:
    """The marked spaces that a figure is in contact with, with what stands on them."""
    for cell, words in sorted(state.board.marks.items()):
        for word in words:
            if word.startswith(ASKING) and reaches_element(position, figure, cell):
                yield cell, word[1:]


def double_move(state: SkirmishState, piece: str, cell: Cell) -> Iterator[ActionOffer]:
    """Two Moves of the acting figure that end on a space, or why they do not; the normal rules hold
    for the second one too (TAC-MOV-8)."""
    now = state.acting
    if now is None or now.figure != piece or now.ap < 2:
        return
    position = battle_position(state)
    figure, options = position.by_id[piece], own_move(state)
    for between in stops(position, figure, cell, options):
        steps = [{"do": "move", "to": cell_text(one)} for one in (between, cell)]
        if all_allowed(state, steps):
            goal = TargetCell(cell, ({"do": "together", "commands": steps},), piece=piece)
            price = say("{n} action point", "{n} action points", n=2)
            yield ActionOffer("march", say("Move twice"), (), piece, cells=(goal,), detail=price)
            return
    if over := checked_double(position, figure, cell).over:
        why = say("too far for two Moves: by {n}", n=over)
        there = (TargetCell(cell, (), piece=piece),)
        yield ActionOffer(
            "march", say("Move twice"), (), piece, cells=there, verdict="no", reason=why
        )


def stops(
    position: BattlePosition, figure: BoardFigure, cell: Cell, options: MoveOptions
) -> list[Cell]:
    """Where the first of two Moves to a space may end, the least harmful and shortest first."""
    found: dict[Cell, tuple[int, int]] = {}
    for between, first in move_ends(position, figure, options).items():
        there = figure.at(between)
        figures = tuple(there if one.id == figure.id else one for one in position.figures)
        moved = BattlePosition(position.field, figures, position.teams)
        second = move_ends(moved, there, options).get(cell)
        if second is not None:
            legs = (first, second)
            harm = sum(len(end_words(position, figure, leg)) for leg in legs)
            found[between] = harm, sum(leg.cost for leg in legs)
    return sorted(found, key=lambda one: (*found[one], one))


def all_allowed(state: SkirmishState, commands: list[dict[str, str]]) -> bool:
    """Whether the game carries out all of the commands one after the other."""
    for command in commands:
        decision = PLAY.decide(state, command)
        if isinstance(decision, Refusal):
            return False
        for event in decision.events:
            state = PLAY.apply(state, event)
    return True
