"""A small game in play: two sides take stones from a heap, gamble with dice and hide a card."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.games.api.play import (
    Accepted,
    ArmySummary,
    Authority,
    Command,
    Decision,
    Event,
    FieldSpec,
    GameMoment,
    Pending,
    Plain,
    Refusal,
    RolledDice,
    UnitSummary,
    asked_authority,
)
from models import EXACT, Pose, Table
from models.field import Field

SIDES = ("blue", "red")
TURNS_PER_ROUND = 4


@dataclass(frozen=True, slots=True)
class Heap:
    """The toy's state."""

    stones: int
    seed: int
    rolls: int = 0
    turn: int = 0
    taken: tuple[int, int] = (0, 0)
    cards: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    table: Table | None = None

    @property
    def side(self) -> int:
        return self.turn % 2


class ToyPlay:
    """TOY-1: at most 3 stones. TOY-2: never more than there are. TOY-3: nothing after the end."""

    games = ("toy", "toy-2")

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        field = Field(command, "set-up")
        field.keys({"do", "stones", "seed"}, {"stones", "seed"})
        if field.member("stones").whole(0, 10_000) == 0:
            return Refusal("TOY-2", "a heap without stones")
        return {"stones": command["stones"], "seed": field.member("seed").whole(0, 2**50)}

    def start(self, game: str, setup: Plain) -> Heap:
        return Heap(setup["stones"], setup["seed"])

    def decide(self, state: Heap, command: Plain) -> Decision:
        field = Field(command, command["do"])
        side = SIDES[state.side]
        if state.stones == 0:
            return Refusal("TOY-3", "the heap is empty")
        if command["do"] == "take":
            field.keys({"do", "stones"}, {"stones"})
            stones = field.member("stones").whole(1, 99)
            if stones > 3:
                return Refusal("TOY-1", f"{stones} are more than 3")
            if stones > state.stones:
                return Refusal("TOY-2", f"only {state.stones} are left")
            return Accepted((Event("taken", {"side": side, "stones": stones}), Event("turned")))
        if command["do"] == "gamble":
            dice = random.Random(f"{state.seed}/{state.rolls}")
            faces = [dice.randint(1, 6) for _ in range(3)]
            won = min(sum(face >= 4 for face in faces), state.stones)
            rolled = Event("gambled", {"side": side, "faces": faces, "stones": won}, version=2)
            return Accepted((rolled, Event("turned")), {"faces": faces})
        if command["do"] == "hide":
            field.keys({"do", "card"}, {"card"})
            card = field.member("card").text(20)
            return Accepted((Event("hidden", {"side": side, "card": card}),))
        if command["do"] == "place":
            field.keys({"do", "x"}, {"x"})
            return Accepted((Event("placed", {"x": field.member("x").number(4, 44)}),))
        if command["do"] == "count":
            return Accepted(answer={"left": state.stones})
        if command["do"] == "explode":
            return Accepted((Event("exploded"),))
        return Refusal("INPUT", f"no command {command['do']!r}")

    def apply(self, state: Heap, event: Event) -> Heap:
        data = event.data
        if event.type in ("taken", "gambled"):
            taken = list(state.taken)
            taken[SIDES.index(data["side"])] += data["stones"]
            rolls = state.rolls + (event.type == "gambled")
            left = state.stones - data["stones"]
            return replace(state, stones=left, taken=(taken[0], taken[1]), rolls=rolls)
        if event.type == "hidden":
            cards = list(state.cards)
            cards[SIDES.index(data["side"])] += (data["card"],)
            return replace(state, cards=(cards[0], cards[1]))
        if event.type == "placed":
            return replace(state, table=board(data["x"]))
        if event.type == "turned":
            return replace(state, turn=state.turn + 1)
        raise RuntimeError("the toy broke")

    def view(self, state: Heap, side: str | None = None) -> dict[str, Any]:
        moment = self.moment(state)
        hands = {
            name: list(cards) if name == side else len(cards)
            for name, cards in zip(SIDES, state.cards, strict=True)
        }
        return {
            "round": moment.round,
            "phase": moment.phase,
            "active": moment.side,
            "vp": dict(moment.score),
            "winner": moment.winner,
            "stones": state.stones,
            "hands": hands,
        }

    def moment(self, state: Heap) -> GameMoment:
        winner = None
        if state.stones == 0:
            blue, red = state.taken
            winner = "draw" if blue == red else SIDES[red > blue]
        return GameMoment(
            round=1 + state.turn // TURNS_PER_ROUND,
            phase="play",
            turn=state.turn + 1,
            side=None if winner else SIDES[state.side],
            sides=SIDES,
            score=dict(zip(SIDES, state.taken, strict=True)),
            winner=winner,
            table=state.table,
        )

    def pending(self, state: Heap) -> Sequence[Pending]:
        if state.stones == 0:
            return ()
        side = SIDES[state.side]
        return (Pending("turn", f"{side} takes stones or gambles", side, ("take", "gamble")),)

    def authority(self, state: Heap, command: Plain) -> Authority:
        return asked_authority(self.pending(state), command)

    def title(self, event: Event) -> str:
        data = event.data
        if event.type == "hidden":
            return f"{data['side']} hides a card"
        if event.type == "placed":
            return f"the stone stands at {data['x']:g}"
        if event.type == "turned":
            return ""
        return f"{data.get('side')} takes {data.get('stones')}"

    def report_sentence(self, state: Heap, event: Event) -> str:
        return self.title(event).capitalize()

    def occasion(self, state: Heap) -> str:
        return f"a heap with {state.stones} stones left"

    def armies(self, state: Heap) -> Sequence[ArmySummary]:
        return tuple(
            ArmySummary(side, f"The {side} ones", members=(UnitSummary("stones", taken, "taken"),))
            for side, taken in zip(SIDES, state.taken, strict=True)
        )

    def dice(self, event: Event) -> Sequence[RolledDice]:
        if event.type != "gambled":
            return ()
        return (RolledDice(event.data["side"], "gamble", tuple(event.data["faces"])),)

    def help(self, game: str) -> Sequence[Command]:
        return (
            Command("set-up", "heap up stones", (FieldSpec("stones", "number"),)),
            Command("take", "take stones", (FieldSpec("stones", "number"),)),
            Command("gamble", "roll for stones"),
            Command("hide", "hide a card", (FieldSpec("card", "text"),)),
            Command("place", "put the stone on the table", (FieldSpec("x", "number"),)),
            Command("count", "count the heap"),
        )


def board(x: float) -> Table:
    """A table with one tray somewhere along its middle."""
    unit = TWO.units[0]
    return replace(TWO, units=(unit.at(Pose(x, 40.0, 90.0, EXACT)), *TWO.units[1:]))


TWO = Table.load(Path(__file__).parents[1] / "two.table.json")
PLAY = ToyPlay()
