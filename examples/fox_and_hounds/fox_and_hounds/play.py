"""The game in play: one command, one event, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.api import play as api
from companion.games.api.new_game import SeatRange, SeatView, plain_seat
from models.board import cell_text, parse_cell
from models.board_table import BoardTable
from models.field import Field
from models.message import say

from .game import GAME, START, FoxRules

SEATS = SeatRange(2, 2, ("fox", "hounds"))


@dataclass(frozen=True, slots=True)
class Hunt:
    """The state: frozen, and the same after the same events."""

    table: BoardTable
    seats: tuple[SeatView, ...]
    turn: int = 0

    @property
    def seat(self) -> str:
        return self.seats[self.turn % 2].id


class FoxPlay(api.Play[Hunt]):
    games = ("foxhunt",)
    rules: FoxRules = GAME

    def winner(self, state: Hunt) -> str | None:
        fox, hounds = state.table.piece("fox"), state.table.pieces[1:]
        if fox.cell is not None and fox.cell[1] == 0:
            return "fox"  # FOX-3
        if state.seat == "fox":
            return None if self.rules.steps(state.table, "fox") else "hounds"  # FOX-4
        return None if any(self.rules.steps(state.table, one.id) for one in hounds) else "fox"

    def prepare(self, game: str, command: api.Plain) -> api.Plain | api.Refusal:
        field = Field(command, "set-up")
        field.keys({"do", "seed", "seats"})
        return {"seats": [plain_seat(one) for one in SEATS.read(field)]}

    def start(self, game: str, setup: api.Plain) -> Hunt:
        return Hunt(replace(START, game=game), SEATS.read(Field(setup)))

    def decide(self, state: Hunt, command: api.Plain) -> api.Decision:
        if command["do"] != "step":
            return api.Refusal("INPUT", say("there is no command {name}", name=command["do"]))
        field = Field(command, "step")
        field.keys({"do", "piece", "cell"}, {"piece", "cell"})
        if self.winner(state):
            return api.Refusal("FOX-3", say("the game is over"))
        piece = state.table.piece(field.member("piece").text(20))
        if piece.side != state.seat:
            return api.Refusal("FOX-1", say("it is not the turn of {name}", name=piece.name))
        cell = parse_cell(field.member("cell").text(9))
        if cell not in self.rules.steps(state.table, piece.id):
            why = "FOX-2" if piece.id == "fox" else "FOX-1"
            return api.Refusal(why, say("{name} cannot step there", name=piece.name))
        told = {"piece": piece.id, "name": piece.name, "cell": cell_text(cell)}
        return api.Accepted((api.Event("stepped", told),))

    def apply(self, state: Hunt, event: api.Event) -> Hunt:
        table = state.table.moved(event.data["piece"], parse_cell(event.data["cell"]))
        return replace(state, table=table, turn=state.turn + 1)

    def moment(self, state: Hunt) -> api.GameMoment:
        over = self.winner(state)
        score = {one.id: int(one.id == over) for one in state.seats}
        names = {one.id: one.name for one in state.seats}
        side = None if over else state.seat
        round_, turn, sides = 1 + state.turn // 2, state.turn, SEATS.ids
        return api.GameMoment(
            round_, "turn", turn, side, sides, score, over, state.table, names=names
        )

    def pending(self, state: Hunt) -> Sequence[api.Pending]:
        asked = api.Pending("turn", say("Take a step"), state.seat, ("step",))
        return () if self.winner(state) else (asked,)

    def title(self, event: api.Event) -> str:
        return say("{name} steps to {cell}", name=event.data["name"], cell=event.data["cell"])

    def occasion(self, state: Hunt) -> str:
        return say("Fox and hounds")

    def help(self, game: str) -> Sequence[api.Command]:
        fields = (api.FieldSpec("piece", "piece"), api.FieldSpec("cell", "cell"))
        return api.Command("set-up", "begin"), api.Command("step", "move a piece", fields)


PLAY = FoxPlay()
