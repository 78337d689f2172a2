"""The context of a running command of a battle, with all command and event types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Concatenate, Literal, ParamSpec, Unpack, get_args

from companion.games.api.play import Event, RolledDice
from companion.games.shared.commands import CommandArgs, CommandRegistry, StepContext
from companion.games.shared.event_registry import EventKind
from companion.games.westeros.cards.command_card import LAST
from companion.games.westeros.combat.die import (
    FACES,
    SIDES,
    SYMBOL_WORDS,
    counted,
    read_symbols,
    symbol,
)
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.state import (
    COMMAND,
    EVENTS,
    BattleTaskData,
    UnitInBattle,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from models.board import Cell, cell_text, parse_cell
from models.message import CompanionError, joined, say

__all__ = ["EVENTS", "dice"]

P = ParamSpec("P")

DICE_WORDS = {
    "organised": say("orders"),
    "attack-rolled": say("attack roll"),
    "fire-rolled": say("fire roll"),
}

FieldName = Literal[
    "active", "ask", "card", "cards", "choose", "dice", "disengage", "enemy_morale",
    "engage", "faces", "figures", "fire", "hand", "held_by", "ignore", "leaves", "morale", "name",
    "needs", "number", "on", "own_morale", "points", "pool", "side", "silence", "strike", "symbol",
    "tactic", "target", "terrain", "to", "token", "tokens", "unit", "units", "use", "why",
    "vp", "yes",
]  # fmt: skip
"""The fields that commands have."""
CommandFields = CommandArgs[FieldName]


def dice(event: Event) -> tuple[RolledDice, ...]:
    """The dice of an event, all with eight faces (BOW-CMP-2)."""
    faces = event.data.get("faces")
    if not faces:
        return ()
    what = DICE_WORDS.get(event.type, event.type)
    symbols = tuple(SYMBOL_WORDS[one] for one in FACES)
    return (RolledDice(event.data.get("side"), what, tuple(faces), SIDES, symbols),)


RANK_MORALE = {"green": 1, "blue": 2, "red": 3}
"""What eliminating a unit of that rank does for morale (BOW-MOR-4)."""


class WesterosContext(StepContext[WesterosState]):
    """Collects the events of one command."""

    def __init__(self, state: WesterosState) -> None:
        super().__init__(state, EVENTS)

    def unit(self, unit_id: str) -> UnitInBattle:
        return self.state.unit(unit_id)

    def player(self, side: str) -> str:
        return self.state.house(side).player

    @property
    def position(self) -> HexPosition:
        return battle_position(self.state)

    def on_board(self, unit_id: str) -> BoardUnit:
        """A unit on the field as the rules see it."""
        return self.position.by_id[unit_id]

    def note(
        self,
        kind: EventKind[WesterosState, Concatenate[str, str, str, P]],
        unit: UnitInBattle,
        /,
        *args: P.args,
        **fields: P.kwargs,
    ) -> None:
        """Add an event about a unit: its id, name and side are added."""
        self.add(kind, unit.id, unit.name, unit.side, *args, **fields)

    def wait_for(
        self, task: str, side: str, unit: str = "", /, **data: Unpack[BattleTaskData]
    ) -> None:
        """Wait for a roll or a decision before the game goes on."""
        pairs = [[key, value] for key, value in data.items()]
        self.add(round_events.task, kind=task, side=side, unit=unit, data=pairs)

    # -- dice -----------------------------------------------------------------------------------

    def rolled(self, args: CommandFields, count: int) -> list[int]:
        """The faces the players rolled, as numbers or symbols, or the companion's."""
        if not args.has("faces"):
            return self.dice(count, SIDES)
        return [FACES.index(one) + 1 for one in read_symbols(args.field("faces"), count)]

    # -- morale, points, the end -----------------------------------------------------------------

    def change_morale(self, side: str, by: int) -> None:
        """Move the one marker; a rout field ends the battle at once (BOW-MOR-1, BOW-MOR-7).

        At the end of the track it stays until it can move back (BOW-MOR-8).
        """
        state = self.state
        if not by or state.winner:
            return
        first = state.houses[0].side
        moved = state.morale + (by if side == first else -by)
        marker = max(-LAST, min(LAST, moved))
        self.add(round_events.morale, side=side, player=self.player(side), by=by, marker=marker)
        for house in state.houses:
            if house.rout and self.state.depth(house.side) >= LAST:
                other = state.other(house.side)
                self.win(other, say("the army of {player} is routed", player=house.player))

    def score(self, side: str, points: int, why: str) -> None:
        """Score victory points; a goal of the plan wins at once (BOW-VIC-4)."""
        if not points or self.state.winner:
            return
        self.add(round_events.scored, side=side, player=self.player(side), points=points, why=why)
        goal = self.state.plan.victory.goal
        if goal and self.state.house(side).vp >= goal:
            self.win(side, say("{n} victory point", "{n} victory points", n=goal))

    def win(self, side: str, how: str) -> None:
        """The battle is over."""
        if not self.state.winner:
            self.add(round_events.over, winner=side, player=self.player(side), how=how)

    # -- losses ---------------------------------------------------------------------------------

    def lose_unit(self, unit: UnitInBattle, captured: bool) -> None:
        """A unit is eliminated: morale by its rank, points by the plan (BOW-UNT-12, BOW-MOR-4)."""
        other = self.state.other(unit.side)
        attack = self.state.attack
        enemy = attack.attacker if attack is not None and attack.target == unit.id else ""
        by = self.unit(enemy).name if enemy else ""
        self.note(battle_events.lost, unit, captured=captured, by=by)
        victory = self.state.plan.victory
        # Capture removes the banner bearer, too (BOW-OR-9).
        if not captured or self.state.readings.capture_morale == "eliminated":
            self.change_morale(other, RANK_MORALE[unit.rank])
        self.score(other, victory.unit, say("{unit} eliminated", unit=unit.name))
        if captured:
            self.score(other, victory.capture, say("{unit} captured", unit=unit.name))

    def take_control(self, unit: UnitInBattle, cell: Cell) -> None:
        """A unit that enters a site of the plan puts its control marker there (BOW-CMP-8)."""
        if cell in {one.cell for one in self.state.plan.victory.sites}:
            self.hold(unit.side, cell, unit.id)

    def hold(self, side: str, cell: Cell, unit: str = "") -> None:
        """A house holds a site from now on."""
        if (cell, side) in self.state.control:
            return
        site = next(one for one in self.state.plan.victory.sites if one.cell == cell)
        self.add(
            round_events.control,
            side=side,
            player=self.player(side),
            cell=cell_text(cell),
            place=self.place(cell, unit),
            each_round=site.each_round,
            at_end=site.at_end,
        )

    def place(self, cell: Cell, without: str = "") -> str:
        """What players call a hex; `without` is the unit that comes or goes."""
        return place(battle_position(self.state), cell, without)

    def burn(self, cell: Cell, level: int) -> None:
        """A fire has this level now."""
        about = {"cell": cell_text(cell), "place": self.place(cell)}
        self.add(battle_events.fire, level=level, **about)

    # -- fields of commands -----------------------------------------------------------------------

    def cell(self, args: CommandFields, key: FieldName = "to") -> Cell:
        """A hex of the field that a command names."""
        field = args.field(key)
        try:
            cell = parse_cell(field.text(20))
        except CompanionError as error:
            field.fail(str(error))
        if cell not in hex_field(self.state).cells:
            field.fail(say("{cell!r} is not on the board", cell=field.raw))
        return cell


def symbols_of(faces: Sequence[int]) -> tuple[str, ...]:
    return tuple(symbol(face) for face in faces)


def symbol_text(faces: Sequence[int]) -> str:
    """Rolled faces as players say them: "2 green shields, 1 valour"."""
    parts = [
        say("{n} × {symbol}", n=count, symbol=SYMBOL_WORDS[one])
        for one, count in counted(symbols_of(faces)).items()
    ]
    return joined(parts) if parts else say("nothing")


REGISTRY = CommandRegistry[WesterosContext]((COMMAND,), get_args(FieldName))
command = REGISTRY.command
