"""Squads as the wizard shows them: what each holds, what may still be bought, ready-made ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.api.setup_step import SeatList, SetupLine
from companion.games.shared.commands import no
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.cards.figure_card import FigureCard
from companion.games.tactics.cards.scenario import TacticsScenario
from companion.games.tactics.cards.squad import (
    NEUTRAL,
    SquadMember,
    card_problems,
    equipment_problems,
    read_squad,
    squad_cost,
)
from companion.games.tactics.screen.practice_game import ready_squads
from companion.games.tactics.screen.words import KINDS
from companion.text.rule_numbers import unnumbered
from models.errors import CompanionError
from models.lazy_message import say

ORDER = ("hero", "veteran", "soldier")


def seat_list(
    seat: str, text: str, scenario: TacticsScenario, cards: Mapping[str, FigureCard]
) -> SeatList:
    """The squad of one seat: its lines, and every figure and item that it may still get."""
    try:
        members = read_squad(text, cards)
    except CompanionError:  # the problems of the step say what is wrong
        return SeatList(seat, ready=ready())
    lines = tuple(squad_lines(text, cards))
    left = scenario.coins - squad_cost(members)
    picks = (*figure_picks(members, left, cards), *item_picks(lines, members, left, cards))
    return SeatList(seat, total(squad_cost(members), scenario.coins), lines, picks, ready())


def ready() -> tuple[tuple[str, str], ...]:
    """Squads of the invented sample figures, to begin at once."""
    return tuple((one.name, one.text) for one in ready_squads().values())


def total(spent: Coins, stock: Coins) -> str:
    """The coins spent, of those that the scenario gives."""
    return say(
        "gold {gold} of {all_gold} · silver {silver} of {all_silver} · "
        "copper {copper} of {all_copper}",
        gold=spent.gold,
        all_gold=stock.gold,
        silver=spent.silver,
        all_silver=stock.silver,
        copper=spent.copper,
        all_copper=stock.copper,
    )


def squad_lines(text: str, cards: Mapping[str, FigureCard]) -> Iterator[SetupLine]:
    """The lines of a squad: figure, number and equipment, with the price."""
    for raw in text.splitlines():
        line = raw.strip()
        members = read_squad(line, cards)
        if not members:
            continue
        first = members[0]
        name = first.card.name if len(members) < 2 else f"{len(members)} × {first.card.name}"
        item = EQUIPMENT[first.equipment].name if first.equipment else ""
        yield SetupLine(line, name, item, squad_cost(members).say())


def figure_picks(
    members: tuple[SquadMember, ...], left: Coins, cards: Mapping[str, FigureCard]
) -> Iterator[SetupLine]:
    """The figures of the squad's faction, of all factions while it has none, and neutral ones."""
    own = {one.card.faction for one in members if one.card.faction.lower() != NEUTRAL}
    known = [one for one in cards.values() if not own or one.faction in (*own, NEUTRAL)]
    known.sort(key=lambda one: (bool(one.unknown), ORDER.index(one.kind)))
    for card in known:
        reason, rule = why_not(card, members, left)
        detail = say("{kind}: {coins}", kind=KINDS[card.kind], coins=(card.cost or Coins()).say())
        group = card.faction
        form = ("figure", card.id) if card.unknown else None
        yield SetupLine(card.name, card.name, detail, "", group, reason, rule, card=form)


def why_not(card: FigureCard, members: tuple[SquadMember, ...], left: Coins) -> tuple[str, str]:
    """Why a figure cannot be added now, and the rule."""
    found = card_problems((*members, SquadMember(card)))
    mine = [one for one in found if one not in card_problems(members)] if members else found
    if any(one.why == "TAC-SQD-5" for one in mine):
        mine = [no("TAC-SQD-5", "is in the squad already")]
    if not mine and card.cost is not None and not left.covers(card.cost):
        mine = [no("TAC-SQD-6", "not enough coins left")]
    return (unnumbered(mine[0].say), mine[0].why) if mine else ("", "")


def item_picks(
    lines: tuple[SetupLine, ...],
    members: tuple[SquadMember, ...],
    left: Coins,
    cards: Mapping[str, FigureCard],
) -> Iterator[SetupLine]:
    """Equipment for each figure that has none yet and stands alone on its line."""
    for line in lines:
        (first, *more) = read_squad(line.line, cards)
        if more or first.equipment:
            continue
        for item in EQUIPMENT.values():
            equipped = SquadMember(first.card, item.id)
            others = [one for one in members if one != first]
            problems = equipment_problems((*others, equipped))
            if problems or left.copper < item.price:
                continue
            yield SetupLine(
                f"{line.line} + {item.id}",
                item.name,
                edge=Coins(copper=item.price).say(),
                group=say("Equipment: {figure}", figure=first.card.name),
                replaces=line.line,
            )
