"""The toy on hexes in play: a turn is a move or an attack; the last with pieces wins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.games.api import play as api
from companion.games.api.new_game import SeatRange, SeatView, plain_seat
from models.board import cell_text, parse_cell
from models.board_table import BoardTable
from models.field import Field
from models.message import say

from .game import beside, reached

SEATS, DICE, HITS_ON = ("sun", "moon"), 2, 4
RANGE = SeatRange(2, 2, SEATS)
START = BoardTable.load(Path(__file__).parents[1] / "hexes.table.json")


@dataclass(frozen=True, slots=True)
class Skirmish:
    table: BoardTable
    seed: int
    seats: tuple[SeatView, ...]
    turn: int = 0
    rolls: int = 0
    attack: tuple[str, str] | None = None

    @property
    def seat(self) -> str:
        return self.seats[self.turn % 2].id

    def named(self, seat: str) -> str:
        return next(one.name for one in self.seats if one.id == seat)

    def score(self) -> dict[str, int]:
        left = [piece.side for piece in self.table.pieces]
        return {"sun": 2 - left.count("moon"), "moon": 2 - left.count("sun")}

    def winner(self) -> str | None:
        return next((seat for seat, points in self.score().items() if points == 2), None)


class HexesPlay(api.Play[Skirmish]):
    games = ("hexes",)

    def prepare(self, game: str, command: api.Plain) -> api.Plain | api.Refusal:
        field = Field(command, "set-up")
        field.keys({"do", "seed", "seats"}, {"seed"})
        seed, seats = field.member("seed").whole(0, 2**50), RANGE.read(field)
        return {"seed": seed, "seats": [plain_seat(one) for one in seats]}

    def start(self, game: str, setup: api.Plain) -> Skirmish:
        return Skirmish(START, setup["seed"], RANGE.read(Field(setup)))

    def decide(self, state: Skirmish, command: api.Plain) -> api.Decision:
        field, do = Field(command, command["do"]), command["do"]
        if state.winner():
            return api.Refusal("HEX-4", say("the game is over"))
        if do == "roll":
            return self.roll(state, field)
        if state.attack is not None:
            return api.Refusal("HEX-2", say("the attack is not rolled yet"))
        if do == "pass":
            field.keys({"do"})
            return api.Accepted((api.Event("passed", {"seat": state.seat}),))
        if do not in ("move", "attack"):
            return api.Refusal("INPUT", f"no command {do!r}")
        to = "cell" if do == "move" else "target"
        field.keys({"do", "piece", to}, {"piece", to})
        piece = state.table.piece(field.member("piece").text(20))
        if piece.side != state.seat:
            return api.Refusal("HEX-5", say("{name} is not yours", name=piece.name))
        if do == "attack":
            target = state.table.piece(field.member("target").text(20))
            if target.id not in beside(state.table, piece.id):
                return api.Refusal("HEX-2", say("{name} is not a neighbour", name=target.name))
            return api.Accepted((api.Event("attacked", {"piece": piece.id, "target": target.id}),))
        cell = parse_cell(field.member("cell").text(9))
        if cell not in reached(state.table, piece.id):
            return api.Refusal("HEX-1", say("{name} cannot move there", name=piece.name))
        return api.Accepted((api.Event("moved", {"piece": piece.id, "cell": cell_text(cell)}),))

    def roll(self, state: Skirmish, field: Field) -> api.Decision:
        raw = field.keys({"do", "faces", "hits"})
        if state.attack is None:
            return api.Refusal("HEX-2", say("nobody attacks"))
        dice = random.Random(f"{state.seed}/{state.rolls}")
        faces = [dice.randint(1, 6) for _ in range(DICE)]
        if "faces" in raw:
            faces = [one.whole(1, 6) for one in field.member("faces").items(DICE, DICE)]
        fought = {"hits": sum(face >= HITS_ON for face in faces), "faces": faces}
        if "hits" in raw:
            fought = {"hits": field.member("hits").whole(0, DICE)}
        return api.Accepted((api.Event("fought", fought),))

    def apply(self, state: Skirmish, event: api.Event) -> Skirmish:
        data, table = event.data, state.table
        if event.type == "attacked":
            return replace(state, attack=(data["piece"], data["target"]))
        if event.type == "moved":
            table = table.moved(data["piece"], parse_cell(data["cell"]))
        if event.type == "fought" and state.attack is not None:
            hurt = table.piece(state.attack[1])
            hurt = replace(hurt, facts={"health": hurt.facts["health"] - data["hits"]})
            pieces = (hurt if one.id == hurt.id else one for one in table.pieces)
            table = replace(table, pieces=tuple(one for one in pieces if one.facts["health"] > 0))
        rolls = state.rolls + (event.type == "fought")
        return replace(state, table=table, turn=state.turn + 1, attack=None, rolls=rolls)

    def moment(self, state: Skirmish) -> api.GameMoment:
        turn, over, score, table = state.turn, state.winner(), state.score(), state.table
        seat = None if over else state.seat
        return api.GameMoment(1 + turn // 2, "turn", turn, seat, SEATS, score, over, table)

    def pending(self, state: Skirmish) -> Sequence[api.Pending]:
        commands = ("roll",) if state.attack else ("move", "attack", "pass")
        asked = api.Pending("turn", say("Your turn"), state.seat, commands)
        return () if state.winner() else (asked,)

    def title(self, event: api.Event) -> str:
        if "hits" in (data := event.data):
            return say("{n} hit", "{n} hits", n=data["hits"])
        name = START.piece(data["piece"]).name if "piece" in data else data["seat"]
        return say(f"{{name}} {event.type}", name=name)

    def dice(self, event: api.Event) -> Sequence[api.RolledDice]:
        faces = event.data.get("faces")
        return (api.RolledDice(None, "attack", tuple(faces)),) if faces else ()

    def help(self, game: str) -> Sequence[api.Command]:
        fields = {"move": ("piece", "cell"), "attack": ("piece", "target")}
        commands = {"set-up": (), "roll": (), "pass": (), **fields}.items()
        return [api.Command(do, do, tuple(api.FieldSpec(f, f) for f in fs)) for do, fs in commands]


PLAY = HexesPlay()
