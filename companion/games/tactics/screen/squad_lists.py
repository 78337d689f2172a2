"""Squads in the wizard: what a list holds, what may be added, ready squads; the practice game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.api.play import Plain
from companion.games.api.setup_step import SeatList, SetupLine
from companion.games.tactics.cards.catalogue import every_card
from companion.games.tactics.cards.coins import COIN_KINDS, Coins
from companion.games.tactics.cards.equipment import ITEMS
from companion.games.tactics.cards.figure_card import FigureCard
from companion.games.tactics.cards.map_tile import DATA
from companion.games.tactics.cards.scenario import TacticsScenario
from companion.games.tactics.cards.squad import (
    NEUTRAL,
    SquadMember,
    read_squad,
    squad_cost,
    squad_problems,
)
from companion.games.tactics.play.setup import SIDES, read_list
from companion.text.rule_numbers import unnumbered
from models.errors import CompanionError
from models.field import Field, load_toml, shown
from models.lazy_message import joined, say

SQUAD_FORMAT = "table-companion/tactics-squads/1"
PRACTICE_FORMAT = "table-companion/tactics-practice/1"
UNSPENT = "TAC-SQD-8"
"""A squad that is being bought may still have coins left."""


@dataclass(frozen=True, slots=True)
class ReadySquad:
    """A whole squad to begin with."""

    id: str
    name: str
    faction: str
    figures: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.figures)

    @classmethod
    def read(cls, item: Field) -> ReadySquad:
        keys = {"id", "name", "faction", "figures"}
        item.keys(keys, keys)
        lines = tuple(one.text(120) for one in item.member("figures").items(40, 1))
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("faction").text(60),
            lines,
        )


@lru_cache(maxsize=1)
def ready_squads() -> Mapping[str, ReadySquad]:
    """The invented squads that come with the game, by id."""
    root = load_toml(DATA / "squads.toml")
    root.keys({"format", "squad"}, {"format"})
    if root.member("format").text() != SQUAD_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {SQUAD_FORMAT!r}")
    return {one.id: one for one in (ReadySquad.read(item) for item in root.listed("squad", 40))}


def practice_commands() -> tuple[Plain, ...]:
    """The commands of the practice game, from its file: set-up, deployment, first turn."""
    root = load_toml(DATA / "practice.toml")
    root.keys({"format", "scenario", "squads", "players", "seed", "command"}, {"format"})
    if root.member("format").text() != PRACTICE_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {PRACTICE_FORMAT!r}")
    known = ready_squads()
    names = [one.text(60) for one in root.member("players").items(2, 2)]
    squads = [
        {"side": side, "player": name, "list": known[item.choice(known)].text}
        for side, name, item in zip(SIDES, names, root.member("squads").items(2, 2), strict=True)
    ]
    setup = {
        "do": "set-up",
        "game": "tactics",
        "scenario": root.member("scenario").text(60),
        "squads": squads,
        "seed": root.member("seed").whole(0, 2**31),
    }
    return (setup, *(dict(item.raw) for item in root.listed("command", 200)))


def seat_lists(draft: Plain, seats: list[str], scenario: TacticsScenario) -> Iterator[SeatList]:
    """What each player's squad holds and may hold."""
    lists, cards = draft.get("squads", {}), every_card()
    for seat in seats:
        text = lists.get(seat, "")
        try:
            members = read_list(text, cards) if text else ()
        except CompanionError:
            members = ()
        yield SeatList(
            seat,
            spent_text(squad_cost(members), scenario.coins),
            tuple(held_lines(text, cards)),
            tuple(picks(members, cards, scenario.coins)),
            tuple((one.name, one.text) for one in ready_squads().values()),
        )


def spent_text(spent: Coins, stock: Coins) -> str:
    """The coins spent of each kind, for the head of the list."""
    words = {
        "gold": say("{n} of {most} gold", n=spent.gold, most=stock.gold),
        "silver": say("{n} of {most} silver", n=spent.silver, most=stock.silver),
        "copper": say("{n} of {most} copper", n=spent.copper, most=stock.copper),
    }
    return joined([words[kind] for kind in COIN_KINDS])


def held_lines(text: str, cards: Mapping[str, FigureCard]) -> Iterator[SetupLine]:
    """The lines of a squad as players see them."""
    lines = text.partition("\nformat = ")[0].splitlines()
    for line in (one.strip() for one in lines):
        if not line or line.startswith("#"):
            continue
        if line.startswith("+"):
            named = line[1:].strip().lower().replace(" ", "-")
            item = next((one for one in ITEMS if one.id == named), None)
            price = Coins(copper=item.price).say() if item else ""
            yield SetupLine(line, item.name if item else line, edge=price)
            continue
        try:
            members = read_squad(line, cards)
        except CompanionError as error:
            yield SetupLine(line, line, reason=str(error))
            continue
        yield SetupLine(line, line, edge=squad_cost(members).say())


def picks(
    members: tuple[SquadMember, ...], cards: Mapping[str, FigureCard], stock: Coins
) -> Iterator[SetupLine]:
    """The figures and the equipment that may be added, with what forbids it."""
    own = {one.card.faction for one in members if one.card.faction.lower() != NEUTRAL}
    for card in sorted(cards.values(), key=lambda one: (one.faction, order(one), one.name)):
        if own and card.faction not in own and card.faction.lower() != NEUTRAL:
            continue
        rule, reason = objection((*members, SquadMember(card)), members, stock)
        cost = card.cost.say() if card.cost is not None else say("cost unknown")
        yield SetupLine(card.name, card.name, numbers(card), cost, card.faction, reason, rule)
    if members and not members[-1].equipment:
        last = members[-1]
        group = say("Equipment for {figure}", figure=last.card.name)
        for item in ITEMS:
            with_item = (*members[:-1], SquadMember(last.card, item.id))
            rule, reason = objection(with_item, members, stock)
            price = Coins(copper=item.price).say()
            yield SetupLine(f"+ {item.id}", item.name, "", price, group, reason, rule)


def order(card: FigureCard) -> int:
    """Heroes first, then veterans, soldiers, and cards whose cost nobody entered."""
    return 3 if card.cost is None else ("hero", "veteran", "soldier").index(card.kind)


def numbers(card: FigureCard) -> str:
    """Will, Defence and Health in short."""
    if card.unknown:
        return say("enter its card first")
    return say(
        "Will {will}+, Defence {defence}+, Health {health}",
        will=card.will,
        defence=card.defence,
        health=card.health,
    )


def objection(
    after: tuple[SquadMember, ...], before: tuple[SquadMember, ...], stock: Coins
) -> tuple[str, str]:
    """The rule that the squad would break, and why; nothing if it breaks none it did not before."""
    known = {one.why for one in squad_problems(before, stock)} if before else set()
    for problem in squad_problems(after, stock):
        if problem.why != UNSPENT and problem.why not in known:
            return problem.why, unnumbered(problem.say)
    return "", ""
